"""``smolcell doctor``: the check of a new set-up, at the terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap

from smolcell.cli.run import terminal
from smolcell.cli.words import for_a_shell
from smolcell.doctor import Doctor, diagnose
from smolcell.options import Options, in_force

_BELOW = " " * 12  # where what was tried begins


def doctor(options: Options, *, again: str) -> int:
    """Go through the stages; the exit status is 0 where nothing failed. ``again``: what was typed for it.

    Raises:
        SetupError: an option is not right.
    """
    front, ask_key = terminal()
    settings = in_force(options, source="the command line")
    made = Doctor(settings, front=front, ask_key=ask_key, replay=options.replay, again=again)

    def say(text: str) -> None:
        print("\n".join(_fitted(line) for line in for_a_shell(text).split("\n")), flush=True)

    return 0 if diagnose(made, say) else 1


def _fitted(line: str) -> str:
    """A line of the report at a terminal's width, what goes on below what was found; elsewhere as it is."""
    if not sys.stdout.isatty() or "  type: " in line:  # a command is copied whole
        return line
    width = max(shutil.get_terminal_size().columns, 2 * len(_BELOW))
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=_BELOW, break_on_hyphens=False) or [""])
