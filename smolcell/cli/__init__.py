"""The command ``smolcell``. One module a command, imported when it is called: ``smolcell --help`` costs nothing."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from smolcell.cli import stdio
from smolcell.errors import SmolcellError
from smolcell.redaction import redact
from smolcell.text import visible

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 where it failed (one line on stderr says why), 2 for wrong words, 130 after Ctrl-C."""
    if arguments is None:
        stdio.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = parser().parse_args(words)
    given.again = shlex.join(["smolcell", *words])
    try:
        status = int(given.command(given))
        sys.stdout.flush()
        return status
    except SmolcellError as error:  # what it quotes may come from a file, a model or a server
        stdio.say(f"smolcell: {visible(redact(stdio.for_a_shell(str(error))))}")
        return 1
    except KeyboardInterrupt:
        stdio.say("smolcell: interrupted")
        return 130
    except BrokenPipeError:  # who read has had enough, as in: smolcell replay | head
        stdio.discard(1)
        return 1
    except OSError as error:
        if not (why := stdio.unwritten(error)):
            raise
        stdio.discard(1)
        stdio.say(f"smolcell: standard output cannot be written: {why}")
        return 1


def parser() -> argparse.ArgumentParser:
    """The words of the command line."""
    made = argparse.ArgumentParser(
        prog="smolcell",
        description="Agent cells for Jupyter: every piece of code is shown before it runs, in a sandbox of its own.",
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"smolcell {version('smolcell')}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_demo(commands)
    _add_run(commands)
    _add_replay(commands)
    _add_doctor(commands)
    _add_sandboxes(commands)
    _add_autoload(commands)
    _add_records(commands)
    return made


def _add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = commands.add_parser(
        "demo",
        help="open a first notebook in JupyterLab, with a recorded model: no key, no network",
        description="Copy a first notebook, its table and its recorded model into a folder, and open it in JupyterLab. "
        "Needs no key and no network. Ctrl-C ends the server, its kernels and their sandboxes.",
        allow_abbrev=False,
    )
    demo.add_argument("--no-browser", action="store_true", help="only print the address")
    demo.add_argument("--port", type=_port, default=0, metavar="N", help="port on 127.0.0.1 (default: a free one)")
    demo.add_argument(
        "--folder",
        type=Path,
        default=Path("smolcell-demo"),
        metavar="PATH",
        help="where the notebook is copied to (default: smolcell-demo here)",
    )
    demo.set_defaults(command=_demo)


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.settings import add_options

    run = commands.add_parser(
        "run",
        help="work on a task here at the terminal, asking before each step",
        description="Work on a task. Every step is shown and asked about, as in a notebook; where nobody can be asked, nothing "
        "runs unless --approve auto was given. The answer is on standard output. Exit status: 0 with an answer, 1 without, "
        "2 for wrong words, 130 after Ctrl-C.",
        allow_abbrev=False,
    )
    run.add_argument("task", help="what you want done, in plain words; - to read it from standard input")
    add_options(run)
    run.set_defaults(command=_run)


def _add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = commands.add_parser(
        "replay",
        help="show a run again from its journal; nothing is run",
        description="Show again what was done, from a journal. Nothing is run, and no model is asked.",
        allow_abbrev=False,
    )
    replay.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a journal (default: the newest)")
    replay.add_argument("--run", default="", metavar="ID", help="only this run of it")
    replay.set_defaults(command=_replay)


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from smolcell.settings import add_options

    doctor = commands.add_parser(
        "doctor",
        help="check this set-up, a stage at a time",
        description="Go through a set-up a stage at a time: a task without tools, a read-only tool, the sandbox's boundary, a refused "
        "step, a failure and its recovery, and a small task for the model, where one is set. It takes the options of a task.",
        allow_abbrev=False,
    )
    add_options(doctor)
    doctor.set_defaults(command=_doctor)


def _add_sandboxes(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sandboxes = commands.add_parser(
        "sandboxes",
        help="list the sandboxes of all kernels, and end those whose kernel is gone",
        description="List the workers of this machine, the containers of its engine and the sandboxes of providers: what each does, image, "
        "age, memory, processor time, owner, walls.",
        allow_abbrev=False,
    )
    sandboxes.add_argument("--clean", action="store_true", help="end those whose kernel is gone")
    sandboxes.set_defaults(command=_sandboxes)


def _add_autoload(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    autoload = commands.add_parser(
        "autoload",
        help="load smolcell in every IPython and kernel of yours when it starts, or no more",
        description="Write the setting of IPython's default profile that loads extensions, so that %%%%agent works without "
        "%%load_ext smolcell, also after a kernel restart.",
        allow_abbrev=False,
    )
    autoload.add_argument("wanted", choices=("on", "off", "status"), help="status: say what holds")
    autoload.set_defaults(command=_autoload)


def _add_records(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    stats = commands.add_parser(
        "stats",
        help="tokens, cost, approvals, errors and times of runs, from their journals",
        description="A row for each run: state, tokens, cost, approvals, errors, calls of tools, seconds of model, waiting and code.",
        allow_abbrev=False,
    )
    stats.add_argument("files", type=Path, nargs="*", metavar="FILE", help="journals (default: the newest)")
    stats.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: table")
    stats.set_defaults(command=_stats)
    journals = commands.add_parser(
        "journals",
        help="list the journals, and delete old ones",
        description="List the journals, newest first. One that is in use is never deleted.",
        allow_abbrev=False,
    )
    journals.add_argument("--delete", metavar="OLDER_THAN", help="delete those not written to for 30d, 12h, 90m or 2w")
    journals.set_defaults(command=_journals)
    trace = commands.add_parser(
        "trace",
        help="send the spans of a journal to an OpenTelemetry server",
        description="Send the spans of a past run to an OTLP server over HTTP: the same tree as a live export gives.",
        allow_abbrev=False,
    )
    trace.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a journal (default: the newest)")
    trace.add_argument("--otlp", required=True, metavar="URL", help="the server, such as http://localhost:6006")
    trace.set_defaults(command=_trace)


def _stats(given: argparse.Namespace) -> int:
    from smolcell.cli.records import stats

    return stats(given.files, given.format)


def _journals(given: argparse.Namespace) -> int:
    from smolcell.cli.records import journals

    return journals(given.delete)


def _trace(given: argparse.Namespace) -> int:
    from smolcell.cli.records import trace

    return trace(given.file, given.otlp)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r}")
    return int(text)


def _demo(given: argparse.Namespace) -> int:
    from smolcell.cli.demo import demo

    return demo(given.folder, port=given.port, browser=not given.no_browser)


def _run(given: argparse.Namespace) -> int:
    from smolcell.cli.run import run
    from smolcell.settings import chosen

    return run(given.task, chosen(given))


def _replay(given: argparse.Namespace) -> int:
    from smolcell.cli.run import replay

    return replay(given.file, run=given.run)


def _doctor(given: argparse.Namespace) -> int:
    from smolcell.cli.run import doctor
    from smolcell.settings import chosen

    return doctor(chosen(given), again=given.again)


def _autoload(given: argparse.Namespace) -> int:
    from smolcell.cli.autoload import autoload

    print(autoload(given.wanted))
    return 0


def _sandboxes(given: argparse.Namespace) -> int:
    from smolcell import activity
    from smolcell.executors import inventory

    if given.clean:
        ended, _ = inventory.clean()
        print(
            f"ended: {', '.join(each.name for each in ended) or 'none; no sandbox of a kernel that is gone was found'}"
        )
    found, remarks = inventory.find()
    print(inventory.told(activity.stated(found), remarks))
    return 0
