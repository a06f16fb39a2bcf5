"""The command ``smolcell``. Each command is a row of ``COMMANDS``; its module is imported when it is called, so ``--help`` is fast."""

from __future__ import annotations

import argparse
import json
import pkgutil
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from smolcell.approval.contract import FILE
from smolcell.cli import stdio
from smolcell.core.text import presentable, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.machine.state import replace_file
from smolcell.notebook.settings import add_options

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 if it failed (stderr says why), 2 for an unknown option, 130 after Ctrl-C."""
    if arguments is None:
        stdio.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = parser().parse_args(words)
    given.again = shlex.join(["smolcell", *words])
    try:
        function = given.command.function
        status = int((pkgutil.resolve_name(function) if isinstance(function, str) else function)(given))
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
    groups = {"": root.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    parsers: dict[str, argparse.ArgumentParser] = {}
    for name, command in COMMANDS.items():
        above, _, word = name.rpartition(" ")
        if above not in groups:
            groups[above] = parsers[above].add_subparsers(title="words", metavar="WORD")
        parsers[name] = groups[above].add_parser(
            word, help=command.help, description=command.description, allow_abbrev=False
        )
        for names, how in command.arguments:
            parsers[name].add_argument(*names, **how)
        if command.takes_task:
            add_options(parsers[name])
        parsers[name].set_defaults(command=command)
    return root


# --- Values of options.


def _known_model(text: str) -> str:
    from smolcell.models.local import named

    try:
        return named(text).name
    except SetupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


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


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r}")
    return int(text)


# --- Commands of a few lines.


def show_policy(given: argparse.Namespace) -> int:
    from smolcell.approval.policy import current, explain

    question = " ".join(getattr(given, "words", ()))
    print(visible(explain(question, current()) if question else str(current())))
    return 0


def check_policy(given: argparse.Namespace) -> int:
    from smolcell.approval.policy import check_file

    summary, faults = check_file(given.file)
    print(visible("\n".join(faults or [f"{given.file}: a valid policy", *(f"  {line}" for line in summary)])))
    return 1 if faults else 0


def list_sandboxes(given: argparse.Namespace) -> int:
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


def set_autoload(given: argparse.Namespace) -> int:
    """Switch automatic loading on or off, and print the setting.

    Raises:
        SetupError: the file cannot be read or written, or is no valid configuration. Nothing is changed then.
    """
    from IPython.paths import get_ipython_dir

    wanted = given.wanted
    path = Path(get_ipython_dir()) / "profile_default" / "ipython_config.json"  # read by every IPython and every kernel
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
        print(f"on: IPython and its kernels load smolcell when they start ({path})")
    else:
        print(f"off: a notebook loads smolcell with %load_ext smolcell ({path})")
    return 0


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


# --- The table.


Argument = tuple[tuple[str, ...], dict[str, Any]]


class Command(NamedTuple):
    """A command: what does it, its help, and its arguments. ``models get`` is the word ``get`` of the command ``models``.

    Attributes:
        function: gets the parsed arguments, and ``again``, the line to type again; returns the exit status. ``module:name`` is imported
            when the command is called.
        arguments: of ``add_argument``.
        takes_task: whether it takes the options of a task, too, for ``settings.read_options``.
    """

    function: Callable[[argparse.Namespace], int] | str
    help: str
    description: str
    arguments: tuple[Argument, ...] = ()
    takes_task: bool = False


def _arg(form: str, help: str, **how: Any) -> Argument:  # noqa: A002 - argparse's word
    """Return an argument from its form in the help, such as ``-o, --output FILE``, and the rest for ``add_argument``."""
    *names, last = form.replace(",", "").split()
    if names and not last.startswith("-"):
        return tuple(names), {"metavar": last, "help": help, **how}
    return (*names, last), {"help": help, **how}


_JOB = (  # options of a job
    _arg(
        "--on ENGINE",
        "local:N (threads), dask[:N] (processes here), dask://HOST:PORT (default: local)",
        default="local",
    ),
    _arg(
        "--per-host N",
        "sandboxes at a time on one machine, for all your jobs (default: by the machine's size)",
        type=_whole,
        default=0,
    ),
    _arg("--per-model N", "requests at a time for one model, for all your jobs (default: 64)", type=_whole, default=0),
    _arg("--job-budget LIMIT", "limit of the whole job: '$5' or 2m tokens (default: none)", default=""),
    _arg("--failures N", "stop after this many consecutive failures (default: 25; 0: never)", type=_whole, default=25),
    _arg("--task-seconds S", "seconds a task may take (default: no limit)", type=_seconds, default=0.0),
    _arg("--deadline S", "seconds the whole job may take (default: no limit)", type=_seconds, default=0.0),
)
COMMANDS = {
    "demo": Command(
        "smolcell.cli.serve:demo",
        "open a first notebook in JupyterLab, with a recorded model: no key, no network",
        "Copy a first notebook, its table and its recorded model into a folder, and open it in JupyterLab. "
        "Needs no key and no network. Ctrl-C ends the server, its kernels and their sandboxes.",
        (
            _arg("--no-browser", "only print the URL", action="store_true"),
            _arg("--port N", "port on 127.0.0.1 (default: a free one)", type=_port, default=0),
            _arg(
                "--folder PATH",
                "folder for the copy (default: smolcell-demo here)",
                type=Path,
                default=Path("smolcell-demo"),
            ),
            _arg(
                "-m, --model MODEL",
                "open a notebook for a real model, such as local (default: one with a recorded model)",
                default="",
            ),
        ),
    ),
    "run": Command(
        "smolcell.cli.run:run",
        "work on a task here at the terminal, asking before each step",
        "Work on a task. Every step is shown and needs your approval, as in a notebook; if no person can be asked, nothing "
        "runs unless --approve auto was given. The answer is on standard output. Exit status: 0 with an answer, 1 without, "
        "also if an option's value is not valid, 2 for an unknown or incomplete option, 130 after Ctrl-C.",
        (_arg("task TASK", "the task, in plain words; - to read it from standard input"),),
        takes_task=True,
    ),
    "replay": Command(
        "smolcell.cli.journals:replay",
        "show a run again from its journal; nothing is run",
        "Show the runs of a journal again. Nothing is run, and no model is asked.",
        (
            _arg("file FILE", "a journal (default: the newest)", type=Path, nargs="?"),
            _arg("--run ID", "only this run of it", default=""),
        ),
    ),
    "doctor": Command(
        "smolcell.cli.run:doctor",
        "check this set-up in stages",
        "Check a set-up in stages: a task without tools, a read-only tool, the sandbox's boundary, a refused "
        "step, a failure and its recovery, and a small task for the model, if one is set. Takes the options of a task. With "
        "--contract FILE it also runs the acceptance checks of that file, and writes the result of each stage into it. "
        "Exit status: 0 if "
        "no stage failed, else 1.",
        takes_task=True,
    ),
    "models": Command(
        "smolcell.cli.models:show",
        "list the models of this machine, and fetch one that needs no key",
        "Without an argument: the models on this machine, and those that can be fetched, with their sizes.",
    ),
    "models get": Command(
        "smolcell.cli.models:get",
        "fetch a model",
        "Fetch a model from the Hugging Face Hub into its cache, and check its SHA-256. Run again, it goes on where it ended. "
        "Exit status: 0 if it is there and right, else 1; 2 for a name that is not known.",
        (_arg("name NAME", "its name, as smolcell models lists it", type=_known_model),),
    ),
    "sandboxes": Command(
        list_sandboxes,
        "list the sandboxes of all kernels, and end those whose kernel has ended",
        "List the workers of this machine, the containers of its engine and the sandboxes of providers: their activity, image, "
        "age, memory, processor time, owner, walls.",
        (_arg("--clean", "end those whose kernel has ended", action="store_true"),),
    ),
    "autoload": Command(
        set_autoload,
        "load smolcell in every IPython and kernel when it starts, or stop doing so",
        "Write the setting of IPython's default profile that loads extensions, so that %%%%agent works without "
        "%%load_ext smolcell, also after a kernel restart.",
        (_arg("wanted", "status: show the current setting", choices=("on", "off", "status")),),
    ),
    "stats": Command(
        "smolcell.cli.journals:stats",
        "tokens, cost, approvals, errors and times of runs, from their journals",
        "A row for each run: state, tokens, cost, approvals, errors, calls of tools, seconds of model, waiting and code.",
        (
            _arg("files FILE", "journals (default: the newest)", type=Path, nargs="*"),
            _arg(
                "--format", "how they are printed (default: table)", choices=("table", "json", "csv"), default="table"
            ),
        ),
    ),
    "journals": Command(
        "smolcell.cli.journals:journals",
        "list the journals, and delete old ones",
        "List the journals, newest first. Journals in use are never deleted.",
        (_arg("--delete OLDER_THAN", "delete those not written to for 30d, 12h, 90m or 2w"),),
    ),
    "verify": Command(
        "smolcell.cli.journals:verify_file",
        "check that a journal or a saved notebook is unchanged",
        "Check the hashes of a journal, or of the runs in a notebook, and that nothing ran without an approval. Exit status: "
        "0 unchanged; 1 a step, which is named, was changed, is missing or was never approved; 2 there is no chain. "
        "The hashes are no signature: they do not show a change of journal and notebook together, "
        "nor of what a notebook shows of a run together with its digest.",
        (_arg("file FILE", "a journal (.jsonl) or a notebook (.ipynb)", type=Path),),
    ),
    "report": Command(
        "smolcell.cli.journals:report",
        "write one HTML page of a run: code, approvals, digests and outputs, without scripts",
        "Write a page of a journal's runs that needs no network and runs no scripts: tasks, proposals, approvals and "
        "by whom, the code that ran with its SHA-256, outputs, answers, receipts, and the result of verify.",
        (
            _arg("file FILE", "a journal (.jsonl)", type=Path),
            _arg("--run ID", "only this run of it", default=""),
            _arg(
                "-o, --output PAGE",
                "the page (default: standard output, or at a terminal FILE's name with .html)",
                type=Path,
            ),
        ),
    ),
    "trace": Command(
        "smolcell.cli.journals:trace",
        "send the spans of a journal to an OpenTelemetry server",
        "Send the spans of a past run to an OTLP server over HTTP: the same tree as a live export.",
        (
            _arg("file FILE", "a journal (default: the newest)", type=Path, nargs="?"),
            _arg("--otlp URL", "the server, such as http://localhost:6006", required=True),
        ),
    ),
    "policy": Command(
        show_policy,
        "show what the administrator, you and this project allow agents here",
        "Without an argument: the policy in force. A policy is in /etc/smolcell/policy.toml, and in the table [policy] of your "
        "smolcell.toml and of the project's; each can only narrow the others.",
    ),
    "policy check": Command(
        check_policy,
        "check a policy file",
        "Exit status: 0 if the file is a valid policy, else 1, with a line for each fault.",
        (_arg("file FILE", "a policy, or a smolcell.toml with one", type=Path),),
    ),
    "policy explain": Command(
        show_policy,
        "say whether something is allowed, and by which line",
        "Asks the policy in force about, for example: 'import requests', 'install seaborn', 'host example.org', "
        "'model openai/gpt-4.1', 'sandbox docker', 'approve=auto', \"fetch(url='https://example.org')\".",
        (_arg("words QUESTION", "what you ask about", nargs="+"),),
    ),
    "contract": Command(
        "smolcell.cli.run:contract",
        "write down what an agent may do here, for runs with --contract and for coding assistants",
        "Open the sandbox of a task with these options, and write what the task may do into a file: sandbox and walls, "
        "level, tools, hosts, files, models, limits, approval, acceptance checks, when to stop. Keeps purpose and "
        "acceptance checks of an "
        "existing file. No model is asked.",
        (
            _arg("--purpose TEXT", "what the agent is for"),
            _arg("-o, --output FILE", f"file for the contract (default: {FILE} here)", type=Path, default=Path(FILE)),
            _arg(
                "--agents-md FILE",
                "write a section of AGENTS.md as well, between markers",
                type=Path,
                nargs="?",
                const=Path("AGENTS.md"),
            ),
        ),
        takes_task=True,
    ),
    "map": Command(
        "smolcell.cli.many:run_map",
        "work on many tasks: the rows of a file, on this machine or a cluster",
        "Work on every task of a file. If run again, it continues: answered tasks are not repeated. A step that needs an "
        "approval waits: see smolcell approve. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments.",
        (
            _arg("tasks TASKS", "a .jsonl, .csv or .parquet file; a row has `task`, and may have `id`"),
            _arg("-o, --folder OUT", "the folder for rows.jsonl and journals", type=Path, required=True),
            _arg("--task TEXT", "the task of rows without one: {column} stands for the row's value", default=""),
            _arg("--output-type MODULE:NAME", "what each answer must be, such as builtins:float", default=""),
            _arg(
                "--dry-run", "print how many tasks are left and what they may cost; ask no model", action="store_true"
            ),
            *_JOB,
        ),
        takes_task=True,
    ),
    "approve": Command(
        "smolcell.cli.many:approve",
        "answer the waiting proposals of a job, and continue its runs",
        "Show each waiting program, once for all runs that wait with the same one, and continue the runs that were answered. "
        "Without a terminal, list them. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments.",
        (
            _arg("folder OUT", "the folder of a job", type=Path),
            _arg("--list", "only list the waiting programs", action="store_true"),
            _arg("--yes SHA256", "approve the group with this digest, as --list shows it", action="append"),
            _arg("--no SHA256", "refuse the group with this digest", action="append"),
            _arg("--comment TEXT", "comment for the model with --no", default=""),
            _arg("--on ENGINE", "engine to continue on (default: the job's)", default=""),
        ),
    ),
    "eval": Command(
        "smolcell.cli.many:evaluate",
        "compare models on tasks whose answers are known",
        "Work on each task of a suite N times with each model, check the answers, and write a report of one HTML file. Exit "
        "status: 0 if every task was done, 1 if not, 2 for invalid arguments.",
        (
            _arg("suite SUITE", "a .jsonl file of tasks with `answer` and `check`"),
            _arg("-o, --folder OUT", "the folder for rows, journals and report.html", type=Path, required=True),
            _arg("--n N", "how often each task is done (default: 1)", type=_whole, default=1),
            _arg(
                "--function MODULE:FUNCTION",
                "a function of yours that the suite may name as a check",
                action="append",
                default=[],
                dest="functions",
            ),
            *_JOB,
        ),
        takes_task=True,
    ),
    "docs": Command(
        "smolcell.cli.serve:show_docs",
        "open the documentation in a browser, without a network",
        "Serve the included documentation on 127.0.0.1, until Ctrl-C.",
        (
            _arg("--no-browser", "only print the URL", action="store_true"),
            _arg("--port N", "port on 127.0.0.1 (default: a free one)", type=_port, default=0),
        ),
    ),
    "acp": Command(
        "smolcell.cli.serve:acp",
        "serve an editor or a chat with the Agent Client Protocol on standard input and output",
        "Serve a client of the Agent Client Protocol, such as jupyter-ai or Zed: each step is a permission request with the "
        "whole code. The client starts this command; the options apply until it changes them. Needs: pip install 'smolcell[acp]'.",
        takes_task=True,
    ),
    "mcp": Command(
        "smolcell.cli.serve:mcp",
        "serve a sandbox to another agent, with the Model Context Protocol; a person approves what runs",
        "Serve run_python, list_variables, read_variable, undo and export_notebook on standard input and output, or by --http "
        "on this machine. Each program is approved by the person, in a form of the client's or, with --kernel, on the "
        "notebook's card; if "
        "no one can be asked, nothing runs. Needs: pip install 'smolcell[mcp]'.",
        (
            _arg(
                "--kernel ID",
                "work in a running kernel, in whose notebook a cell ran %%agent mcp: "
                "its id or its notebook's name (default: the newest)",
                nargs="?",
                const="",
            ),
            _arg(
                "--http PORT",
                "streamable HTTP on 127.0.0.1, at a free port by default; the token is $SMOLCELL_MCP_TOKEN, else a new one",
                nargs="?",
                const=0,
                type=_port,
            ),
        ),
        takes_task=True,
    ),
}
"""Every command, in the order of the help. A new one is a row."""
