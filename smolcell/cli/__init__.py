"""The command ``smolcell``. One module a command, imported when it is called: ``smolcell --help`` costs nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from smolcell.errors import SmolcellError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 where it failed (one line on stderr says why), 2 for wrong words."""
    given = parser().parse_args(arguments)
    try:
        return int(given.command(given))
    except SmolcellError as error:
        print(f"smolcell: {error}", file=sys.stderr)
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


def _add_sandboxes(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sandboxes = commands.add_parser(
        "sandboxes",
        help="list the sandboxes of all kernels, and end those whose kernel is gone",
        description="List local workers and Docker containers: walls, image, age, memory, processor time, owner.",
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


def _sandboxes(given: argparse.Namespace) -> int:
    from smolcell.executors import sandboxes

    if given.clean:
        ended, _ = sandboxes.clean()
        print(
            f"ended: {', '.join(each.name for each in ended) or 'none; no sandbox of a kernel that is gone was found'}"
        )
    print(sandboxes.told(*sandboxes.find()))
    return 0
