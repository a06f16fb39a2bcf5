"""``smolcell doctor``: the check of a new set-up, at the terminal."""

from __future__ import annotations

from smolcell.cli.run import terminal
from smolcell.cli.words import for_a_shell
from smolcell.doctor import Doctor, diagnose
from smolcell.options import Options, in_force


def doctor(options: Options, *, again: str) -> int:
    """Go through the stages; the exit status is 0 where nothing failed. ``again``: what was typed for it.

    Raises:
        SetupError: an option is not right.
    """
    front, ask_key = terminal()
    settings = in_force(options, source="the command line")
    made = Doctor(settings, front=front, ask_key=ask_key, replay=options.replay, again=again)

    def say(text: str) -> None:
        print(for_a_shell(text), flush=True)

    return 0 if diagnose(made, say) else 1
