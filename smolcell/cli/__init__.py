"""The command ``smolcell``. Each command's module is imported when it is called, so ``smolcell --help`` is fast."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from smolcell.cli import stdio
from smolcell.core.text import presentable, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.machine.state import replace_file

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 if it failed (stderr says why), 2 for an unknown option, 130 after Ctrl-C."""
    if arguments is None:
        stdio.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = parser().parse_args(words)
    given.again = shlex.join(["smolcell", *words])
    try:
        status = int(given.command(given))
        sys.stdout.flush()
        return status
    except SmolcellError as error:  # it may quote a file, a model or a server
        stdio.say(f"smolcell: {presentable(stdio.for_a_shell(str(error)))}")
        return 1
    except KeyboardInterrupt:
        stdio.say("smolcell: interrupted")
        return 130
    except BrokenPipeError:  # the reader has ended, as in: smolcell replay | head
        stdio.discard(1)
        return 1
    except OSError as error:
        if not (why := stdio.unwritable_message(error)):
            raise
        stdio.discard(1)
        stdio.say(f"smolcell: standard output cannot be written: {why}")
        return 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    root = argparse.ArgumentParser(
        prog="smolcell",
        description="Agent cells for Jupyter: every piece of code is shown before it runs, in a sandbox.",
        epilog="Exit status: 0; 1 if the command failed, and standard error says why; 2 for an unknown or incomplete option; 130 after "
        "Ctrl-C. What else they mean is in the help of each command. Every command also works as: python -m smolcell COMMAND.",
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"smolcell {version('smolcell')}")
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_demo(commands)
    _add_run(commands)
    _add_replay(commands)
    _add_doctor(commands)
    _add_models(commands)
    _add_sandboxes(commands)
    _add_autoload(commands)
    _add_records(commands)
    _add_policy(commands)
    _add_contract(commands)
    _add_many(commands)
    _add_docs(commands)
    _add_acp(commands)
    _add_mcp(commands)
    return root


def _add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = commands.add_parser(
        "demo",
        help="open a first notebook in JupyterLab, with a recorded model: no key, no network",
        description="Copy a first notebook, its table and its recorded model into a folder, and open it in JupyterLab. "
        "Needs no key and no network. Ctrl-C ends the server, its kernels and their sandboxes.",
        allow_abbrev=False,
    )
    demo.add_argument("--no-browser", action="store_true", help="only print the URL")
    demo.add_argument("--port", type=_port, default=0, metavar="N", help="port on 127.0.0.1 (default: a free one)")
    demo.add_argument(
        "--folder",
        type=Path,
        default=Path("smolcell-demo"),
        metavar="PATH",
        help="folder for the copy (default: smolcell-demo here)",
    )
    demo.add_argument(
        "-m",
        "--model",
        default="",
        metavar="MODEL",
        help="open a notebook for a real model, such as local (default: one with a recorded model)",
    )
    demo.set_defaults(command=_demo)


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    run = commands.add_parser(
        "run",
        help="work on a task here at the terminal, asking before each step",
        description="Work on a task. Every step is shown and needs your approval, as in a notebook; if no person can be asked, nothing "
        "runs unless --approve auto was given. The answer is on standard output. Exit status: 0 with an answer, 1 without, "
        "also if an option's value is not valid, 2 for an unknown or incomplete option, 130 after Ctrl-C.",
        allow_abbrev=False,
    )
    run.add_argument("task", metavar="TASK", help="the task, in plain words; - to read it from standard input")
    add_options(run)
    run.set_defaults(command=_run)


def _add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = commands.add_parser(
        "replay",
        help="show a run again from its journal; nothing is run",
        description="Show the runs of a journal again. Nothing is run, and no model is asked.",
        allow_abbrev=False,
    )
    replay.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a journal (default: the newest)")
    replay.add_argument("--run", default="", metavar="ID", help="only this run of it")
    replay.set_defaults(command=_replay)


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    doctor = commands.add_parser(
        "doctor",
        help="check this set-up in stages",
        description="Check a set-up in stages: a task without tools, a read-only tool, the sandbox's boundary, a refused "
        "step, a failure and its recovery, and a small task for the model, if one is set. Takes the options of a task. With "
        "--contract FILE it also runs the acceptance checks of that file, and writes the result of each stage into it. Exit status: 0 if "
        "no stage failed, else 1.",
        allow_abbrev=False,
    )
    add_options(doctor)
    doctor.set_defaults(command=_doctor)


def _add_models(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    models = commands.add_parser(
        "models",
        help="list the models of this machine, and fetch one that needs no key",
        description="Without an argument: the models on this machine, and those that can be fetched, with their sizes.",
        allow_abbrev=False,
    )
    models.set_defaults(command=_models)
    words = models.add_subparsers(title="words", metavar="WORD")
    get = words.add_parser(
        "get",
        help="fetch a model",
        description="Fetch a model from the Hugging Face Hub into its cache, and check its SHA-256. Run again, it goes on where it ended. "
        "Exit status: 0 if it is there and right, else 1; 2 for a name that is not known.",
        allow_abbrev=False,
    )
    get.add_argument("name", metavar="NAME", type=_known_model, help="its name, as smolcell models lists it")
    get.set_defaults(command=_get_model)


def _known_model(text: str) -> str:
    from smolcell.models.local import named

    try:
        return named(text).name
    except SetupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _models(given: argparse.Namespace) -> int:
    from smolcell.cli.models import show

    return show()


def _get_model(given: argparse.Namespace) -> int:
    from smolcell.cli.models import get

    return get(given.name)


def _add_sandboxes(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sandboxes = commands.add_parser(
        "sandboxes",
        help="list the sandboxes of all kernels, and end those whose kernel has ended",
        description="List the workers of this machine, the containers of its engine and the sandboxes of providers: their activity, image, "
        "age, memory, processor time, owner, walls.",
        allow_abbrev=False,
    )
    sandboxes.add_argument("--clean", action="store_true", help="end those whose kernel has ended")
    sandboxes.set_defaults(command=_sandboxes)


def _add_autoload(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    autoload = commands.add_parser(
        "autoload",
        help="load smolcell in every IPython and kernel when it starts, or stop doing so",
        description="Write the setting of IPython's default profile that loads extensions, so that %%%%agent works without "
        "%%load_ext smolcell, also after a kernel restart.",
        allow_abbrev=False,
    )
    autoload.add_argument("wanted", choices=("on", "off", "status"), help="status: show the current setting")
    autoload.set_defaults(command=_autoload)


def _add_records(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    stats = commands.add_parser(
        "stats",
        help="tokens, cost, approvals, errors and times of runs, from their journals",
        description="A row for each run: state, tokens, cost, approvals, errors, calls of tools, seconds of model, waiting and code.",
        allow_abbrev=False,
    )
    stats.add_argument("files", type=Path, nargs="*", metavar="FILE", help="journals (default: the newest)")
    stats.add_argument(
        "--format", choices=("table", "json", "csv"), default="table", help="how they are printed (default: table)"
    )
    stats.set_defaults(command=_stats)
    journals = commands.add_parser(
        "journals",
        help="list the journals, and delete old ones",
        description="List the journals, newest first. Journals in use are never deleted.",
        allow_abbrev=False,
    )
    journals.add_argument("--delete", metavar="OLDER_THAN", help="delete those not written to for 30d, 12h, 90m or 2w")
    journals.set_defaults(command=_journals)
    verify = commands.add_parser(
        "verify",
        help="check that a journal or a saved notebook is unchanged",
        description="Check the hashes of a journal, or of the runs in a notebook, and that nothing ran without an approval. Exit status: "
        "0 unchanged; 1 a step, which is named, was changed, is missing or was never approved; 2 there is no chain. "
        "The hashes are no signature: they do not show a change of journal and notebook together, "
        "nor of what a notebook shows of a run together with its digest.",
        allow_abbrev=False,
    )
    verify.add_argument("file", type=Path, metavar="FILE", help="a journal (.jsonl) or a notebook (.ipynb)")
    verify.set_defaults(command=_verify)
    report = commands.add_parser(
        "report",
        help="write one HTML page of a run: code, approvals, digests and outputs, without scripts",
        description="Write a page of a journal's runs that needs no network and runs no scripts: tasks, proposals, approvals and "
        "by whom, the code that ran with its SHA-256, outputs, answers, receipts, and the result of verify.",
        allow_abbrev=False,
    )
    report.add_argument("file", type=Path, metavar="FILE", help="a journal (.jsonl)")
    report.add_argument("--run", default="", metavar="ID", help="only this run of it")
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PAGE",
        help="the page (default: standard output, or at a terminal FILE's name with .html)",
    )
    report.set_defaults(command=_report)
    trace = commands.add_parser(
        "trace",
        help="send the spans of a journal to an OpenTelemetry server",
        description="Send the spans of a past run to an OTLP server over HTTP: the same tree as a live export.",
        allow_abbrev=False,
    )
    trace.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a journal (default: the newest)")
    trace.add_argument("--otlp", required=True, metavar="URL", help="the server, such as http://localhost:6006")
    trace.set_defaults(command=_trace)


def _add_policy(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    policy = commands.add_parser(
        "policy",
        help="show what the administrator, you and this project allow agents here",
        description="Without an argument: the policy in force. A policy is in /etc/smolcell/policy.toml, and in the table [policy] of your "
        "smolcell.toml and of the project's; each can only narrow the others.",
        allow_abbrev=False,
    )
    policy.set_defaults(command=_policy, words="")
    words = policy.add_subparsers(title="words", metavar="WORD")
    check = words.add_parser(
        "check",
        help="check a policy file",
        description="Exit status: 0 if the file is a valid policy, else 1, with a line for each fault.",
        allow_abbrev=False,
    )
    check.add_argument("file", type=Path, metavar="FILE", help="a policy, or a smolcell.toml with one")
    check.set_defaults(command=_policy_check)
    explain = words.add_parser(
        "explain",
        help="say whether something is allowed, and by which line",
        description="Asks the policy in force about, for example: 'import requests', 'install seaborn', 'host example.org', "
        "'model openai/gpt-4.1', 'sandbox docker', 'approve=auto', \"fetch(url='https://example.org')\".",
        allow_abbrev=False,
    )
    explain.add_argument("words", nargs="+", metavar="QUESTION", help="what you ask about")
    explain.set_defaults(command=_policy)


def _add_contract(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.approval.contract import FILE
    from smolcell.notebook.settings import add_options

    contract = commands.add_parser(
        "contract",
        help="write down what an agent may do here, for runs with --contract and for coding assistants",
        description="Open the sandbox of a task with these options, and write what the task may do into a file: sandbox and walls, "
        "level, tools, hosts, files, models, limits, approval, acceptance checks, when to stop. Keeps purpose and acceptance checks of an "
        "existing file. No model is asked.",
        allow_abbrev=False,
    )
    add_options(contract)
    contract.add_argument("--purpose", metavar="TEXT", help="what the agent is for")
    contract.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path(FILE),
        metavar="FILE",
        help=f"file for the contract (default: {FILE} here)",
    )
    contract.add_argument(
        "--agents-md",
        type=Path,
        nargs="?",
        const=Path("AGENTS.md"),
        metavar="FILE",
        help="write a section of AGENTS.md as well, between markers",
    )
    contract.set_defaults(command=_contract)


def _contract(given: argparse.Namespace) -> int:
    from smolcell.cli.run import contract
    from smolcell.notebook.settings import read_options

    return contract(read_options(given), given.output, purpose=given.purpose, section=given.agents_md)


def _report(given: argparse.Namespace) -> int:
    from smolcell.cli.many import report

    return report(given.file, run=given.run, output=given.output)


def _add_many(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    many = commands.add_parser(
        "map",
        help="work on many tasks: the rows of a file, on this machine or a cluster",
        description="Work on every task of a file. If run again, it continues: answered tasks are not repeated. A step that needs an "
        "approval waits: see smolcell approve. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments.",
        allow_abbrev=False,
    )
    many.add_argument(
        "tasks", metavar="TASKS", help="a .jsonl, .csv or .parquet file; a row has `task`, and may have `id`"
    )
    many.add_argument(
        "-o", "--folder", type=Path, required=True, metavar="OUT", help="the folder for rows.jsonl and journals"
    )
    many.add_argument(
        "--task", default="", metavar="TEXT", help="the task of rows without one: {column} stands for the row's value"
    )
    many.add_argument(
        "--output-type", default="", metavar="MODULE:NAME", help="what each answer must be, such as builtins:float"
    )
    many.add_argument(
        "--dry-run", action="store_true", help="print how many tasks are left and what they may cost; ask no model"
    )
    _add_engine(many)
    add_options(many)
    many.set_defaults(command=_map)
    approve = commands.add_parser(
        "approve",
        help="answer the waiting proposals of a job, and continue its runs",
        description="Show each waiting program, once for all runs that wait with the same one, and continue the runs that were answered. "
        "Without a terminal, list them. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments.",
        allow_abbrev=False,
    )
    approve.add_argument("folder", type=Path, metavar="OUT", help="the folder of a job")
    approve.add_argument("--list", action="store_true", help="only list the waiting programs")
    approve.add_argument(
        "--yes", action="append", metavar="SHA256", help="approve the group with this digest, as --list shows it"
    )
    approve.add_argument("--no", action="append", metavar="SHA256", help="refuse the group with this digest")
    approve.add_argument("--comment", default="", metavar="TEXT", help="comment for the model with --no")
    approve.add_argument("--on", default="", metavar="ENGINE", help="engine to continue on (default: the job's)")
    approve.set_defaults(command=_approve)
    _add_eval(commands)


def _add_engine(many: argparse.ArgumentParser) -> None:
    add = many.add_argument
    add(
        "--on",
        default="local",
        metavar="ENGINE",
        help="local:N (threads), dask[:N] (processes here), dask://HOST:PORT (default: local)",
    )
    add(
        "--per-host",
        type=_whole,
        default=0,
        metavar="N",
        help="sandboxes at a time on one machine, for all your jobs (default: by the machine's size)",
    )
    add(
        "--per-model",
        type=_whole,
        default=0,
        metavar="N",
        help="requests at a time for one model, for all your jobs (default: 64)",
    )
    add(
        "--job-budget",
        default="",
        metavar="LIMIT",
        help="limit of the whole job: '$5' or 2m tokens (default: none)",
    )
    add(
        "--failures",
        type=_whole,
        default=25,
        metavar="N",
        help="stop after this many consecutive failures (default: 25; 0: never)",
    )
    add("--task-seconds", type=_seconds, default=0.0, metavar="S", help="seconds a task may take (default: no limit)")
    add(
        "--deadline", type=_seconds, default=0.0, metavar="S", help="seconds the whole job may take (default: no limit)"
    )


def _add_eval(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    evaluation = commands.add_parser(
        "eval",
        help="compare models on tasks whose answers are known",
        description="Work on each task of a suite N times with each model, check the answers, and write a report of one HTML file. Exit "
        "status: 0 if every task was done, 1 if not, 2 for invalid arguments.",
        allow_abbrev=False,
    )
    evaluation.add_argument(
        "suite",
        metavar="SUITE",
        help="a .jsonl file of tasks with `answer` and `check`",
    )
    evaluation.add_argument(
        "-o", "--folder", type=Path, required=True, metavar="OUT", help="the folder for rows, journals and report.html"
    )
    evaluation.add_argument("--n", type=_whole, default=1, metavar="N", help="how often each task is done (default: 1)")
    evaluation.add_argument(
        "--function",
        action="append",
        default=[],
        dest="functions",
        metavar="MODULE:FUNCTION",
        help="a function of yours that the suite may name as a check",
    )
    _add_engine(evaluation)
    add_options(evaluation)
    evaluation.set_defaults(command=_eval)


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) > 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a whole number, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"expected seconds, not {text!r}")
    return seconds


def _map(given: argparse.Namespace) -> int:
    from smolcell.cli.many import run_map
    from smolcell.cli.serve import ends_with_client

    with ends_with_client():
        return run_map(given)


def _approve(given: argparse.Namespace) -> int:
    from smolcell.cli.many import approve

    return approve(given)


def _eval(given: argparse.Namespace) -> int:
    from smolcell.cli.many import evaluate
    from smolcell.cli.serve import ends_with_client

    with ends_with_client():
        return evaluate(given)


def _add_docs(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    docs = commands.add_parser(
        "docs",
        help="open the documentation in a browser, without a network",
        description="Serve the included documentation on 127.0.0.1, until Ctrl-C.",
        allow_abbrev=False,
    )
    docs.add_argument("--no-browser", action="store_true", help="only print the URL")
    docs.add_argument("--port", type=_port, default=0, metavar="N", help="port on 127.0.0.1 (default: a free one)")
    docs.set_defaults(command=_docs)


def _docs(given: argparse.Namespace) -> int:
    from smolcell.cli.serve import docs

    return docs(port=given.port, browser=not given.no_browser)


def _add_acp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    acp = commands.add_parser(
        "acp",
        help="serve an editor or a chat with the Agent Client Protocol on standard input and output",
        description="Serve a client of the Agent Client Protocol, such as jupyter-ai or Zed: each step is a permission request with the "
        "whole code. The client starts this command; the options apply until it changes them. Needs: pip install 'smolcell[acp]'.",
        allow_abbrev=False,
    )
    add_options(acp)
    acp.set_defaults(command=_acp)


def _add_mcp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.notebook.settings import add_options

    mcp = commands.add_parser(
        "mcp",
        help="serve a sandbox to another agent, with the Model Context Protocol; a person approves what runs",
        description="Serve run_python, list_variables, read_variable, undo and export_notebook on standard input and output, or by --http "
        "on this machine. Each program is approved by the person, in a form of the client's or, with --kernel, on the notebook's card; if "
        "no one can be asked, nothing runs. Needs: pip install 'smolcell[mcp]'.",
        allow_abbrev=False,
    )
    mcp.add_argument(
        "--kernel",
        nargs="?",
        const="",
        metavar="ID",
        help="work in a running kernel, in whose notebook a cell ran %%agent mcp: its id or its notebook's name (default: the newest)",
    )
    mcp.add_argument(
        "--http",
        nargs="?",
        const=0,
        type=_port,
        metavar="PORT",
        help="streamable HTTP on 127.0.0.1, at a free port by default; the token is $SMOLCELL_MCP_TOKEN, else a new one",
    )
    add_options(mcp)
    mcp.set_defaults(command=_mcp)


def _policy(given: argparse.Namespace) -> int:
    from smolcell.approval.policy import current, explain

    question = " ".join(given.words)
    print(visible(explain(question, current()) if question else str(current())))
    return 0


def _policy_check(given: argparse.Namespace) -> int:
    from smolcell.approval.policy import check_file

    summary, faults = check_file(given.file)
    print(visible("\n".join(faults or [f"{given.file}: a valid policy", *(f"  {line}" for line in summary)])))
    return 1 if faults else 0


def _stats(given: argparse.Namespace) -> int:
    from smolcell.cli.many import stats

    return stats(given.files, given.format)


def _journals(given: argparse.Namespace) -> int:
    from smolcell.cli.many import journals

    return journals(given.delete)


def _trace(given: argparse.Namespace) -> int:
    from smolcell.cli.many import trace

    return trace(given.file, given.otlp)


def _verify(given: argparse.Namespace) -> int:
    from smolcell.journal.verification import verify

    verdict = verify(given.file)
    print(verdict)
    return verdict.status


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r}")
    return int(text)


def _demo(given: argparse.Namespace) -> int:
    from smolcell.cli.serve import demo

    return demo(given.folder, port=given.port, browser=not given.no_browser, model=given.model)


def _run(given: argparse.Namespace) -> int:
    from smolcell.cli.run import run
    from smolcell.notebook.settings import read_options

    return run(given.task, read_options(given))


def _replay(given: argparse.Namespace) -> int:
    from smolcell.cli.run import replay

    return replay(given.file, run=given.run)


def _acp(given: argparse.Namespace) -> int:
    from smolcell.cli.serve import ends_with_client
    from smolcell.machine.environment import optional
    from smolcell.notebook.settings import read_options

    options = read_options(given)
    with optional("smolcell acp", "acp"):
        from smolcell.interop.acp import serve
    with ends_with_client() as gone, stdio.reserved() as (reading, writing):
        return serve(options, reading, writing, gone, stdio.for_a_shell)


def _mcp(given: argparse.Namespace) -> int:
    from smolcell.cli.serve import mcp
    from smolcell.notebook.settings import read_options

    return mcp(read_options(given), kernel=given.kernel, http=given.http)


def _doctor(given: argparse.Namespace) -> int:
    from smolcell.cli.run import doctor
    from smolcell.notebook.settings import read_options

    return doctor(read_options(given), again=given.again)


def _autoload(given: argparse.Namespace) -> int:
    print(autoload(given.wanted))
    return 0


def _sandboxes(given: argparse.Namespace) -> int:
    from smolcell.executors import inventory
    from smolcell.notebook import activity

    if given.clean:
        ended, _ = inventory.clean()
        print(f"ended: {', '.join(each.name for each in ended) or 'none; no sandbox of an ended kernel was found'}")
    sandboxes, remarks = inventory.find()
    print(inventory.table(activity.with_states(sandboxes), remarks))
    return 0


# --- smolcell autoload: whether IPython and its kernels load the extension when they start.

_LINE = "c.InteractiveShellApp.extensions.append('smolcell')"
_SET = re.compile(r"^[^#\n]*InteractiveShellApp\.extensions", re.MULTILINE)
_APP, _LIST, _NAME = "InteractiveShellApp", "extensions", "smolcell"


def config_file() -> Path:
    """Return the JSON file of IPython's default profile, which every IPython and every kernel reads."""
    from IPython.paths import get_ipython_dir

    return Path(get_ipython_dir()) / "profile_default" / "ipython_config.json"


def autoload(wanted: str) -> str:
    """Switch automatic loading on or off, or show the setting. Returns a text with the current setting.

    Args:
        wanted: "on", "off" or "status".

    Raises:
        SetupError: the file cannot be read or written, or is no valid configuration. Nothing is changed then.
    """
    path = config_file()
    config = _read(path)
    extensions = config.setdefault(_APP, {}).setdefault(_LIST, [])
    if wanted == "on" and _NAME not in extensions:
        own = path.with_suffix(".py")
        if own.is_file() and _SET.search(own.read_text("utf-8", "replace")):
            raise SetupError(f"{own} sets the extensions itself: add this line there: {_LINE}")
        extensions.append(_NAME)
        _write(path, config)
    elif wanted == "off" and _NAME in extensions:
        extensions[:] = [name for name in extensions if name != _NAME]
        _write(path, config)
    if _NAME in extensions:
        return f"on: IPython and its kernels load smolcell when they start ({path})"
    return f"off: a notebook loads smolcell with %load_ext smolcell ({path})"


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
        names = data.get(_APP, {}).get(_LIST, [])
        if not isinstance(names, list):
            raise TypeError
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError):
        raise SetupError(f"{path} is not a configuration of IPython: correct it, or move it away") from None
    return dict(data)


def _write(path: Path, config: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(config, indent=2) + "\n")
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}") from None
