"""The command ``smolcell``. One module a command, imported when it is called: ``smolcell --help`` costs nothing."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from smolcell.cli import streams
from smolcell.cli.words import for_a_shell
from smolcell.errors import SmolcellError
from smolcell.redact import redact
from smolcell.visible import visible

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 where it failed (one line on stderr says why), 2 for wrong words, 130 after Ctrl-C."""
    if arguments is None:
        streams.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = parser().parse_args(words)
    given.again = shlex.join(["smolcell", *words])
    try:
        status = int(given.command(given))
        sys.stdout.flush()
        return status
    except SmolcellError as error:  # what it quotes may come from a file, a model or a server
        streams.say(f"smolcell: {visible(redact(for_a_shell(str(error))))}")
        return 1
    except KeyboardInterrupt:
        streams.say("smolcell: interrupted")
        return 130
    except BrokenPipeError:  # who read has had enough, as in: smolcell replay | head
        streams.discard(1)
        return 1
    except OSError as error:
        if not (why := streams.unwritten(error)):
            raise
        streams.discard(1)
        streams.say(f"smolcell: standard output cannot be written: {why}")
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
    from smolcell.options import add_options

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
    from smolcell.options import add_options

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


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r}")
    return int(text)


def _demo(given: argparse.Namespace) -> int:
    from smolcell.cli.demo import demo

    return demo(given.folder, port=given.port, browser=not given.no_browser)


def _run(given: argparse.Namespace) -> int:
    from smolcell.cli.run import run
    from smolcell.options import chosen

    return run(given.task, chosen(given))


def _replay(given: argparse.Namespace) -> int:
    from smolcell.cli.replay import replay

    return replay(given.file, run=given.run)


def _doctor(given: argparse.Namespace) -> int:
    from smolcell.cli.doctor import doctor
    from smolcell.options import chosen

    return doctor(chosen(given), again=given.again)


def _sandboxes(given: argparse.Namespace) -> int:
    from smolcell import doing
    from smolcell.executors import sandboxes

    if given.clean:
        ended, _ = sandboxes.clean()
        print(
            f"ended: {', '.join(each.name for each in ended) or 'none; no sandbox of a kernel that is gone was found'}"
        )
    found, remarks = sandboxes.find()
    print(sandboxes.told(doing.stated(found), remarks))
    return 0
