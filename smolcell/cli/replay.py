"""``smolcell replay``: what was done, drawn again from its journal. Nothing is run, and no model is asked."""

from __future__ import annotations

import stat
from pathlib import Path

from smolcell.cli import streams
from smolcell.describe import clip
from smolcell.errors import SetupError
from smolcell.journal import Events, journals_folder, read
from smolcell.views.terminal import TerminalView
from smolcell.visible import visible

_NAMES = 1_000  # characters of names


def replay(file: Path | None, *, run: str = "") -> int:
    """Draw the runs of a journal on standard output.

    Args:
        file: the journal; None for the newest one.
        run: only the runs whose id begins so.

    Raises:
        SetupError: there is no journal, or no such run in it.
        JournalError: the file cannot be read.
    """
    path = file or newest()
    events = read(path)
    chosen = [event for event in events if event.run.startswith(run)]
    if not chosen:
        raise SetupError(_nothing(path, events, run))
    streams.say(f"{visible(str(path))}{_left_out(events)}")
    view = TerminalView()
    for event in chosen:
        view.show(event)
    return 0


def newest() -> Path:
    """The journal that was written to last.

    Raises:
        SetupError: there is none.
    """
    folder = journals_folder()
    found = [(path.lstat(), path) for path in folder.glob("*.jsonl") if not path.is_symlink()]
    written = [(status.st_mtime, path) for status, path in found if stat.S_ISREG(status.st_mode)]
    if not written:
        raise SetupError(f'there is no journal in {folder} yet. Make one with: smolcell run "…"')
    return max(written)[1]


def _left_out(events: Events) -> str:
    if not events.skipped:
        return ""
    many = f"{events.skipped} damaged lines were" if events.skipped > 1 else "1 damaged line was"
    return f" ({many} left out, from line {events.damaged} on; the file stays as it is)"


def _nothing(path: Path, events: Events, run: str) -> str:
    if not events and not events.skipped:
        return f"{path} is empty: it holds no run. `smolcell replay` without a file shows the newest journal"
    runs = ", ".join(dict.fromkeys(event.run for event in events))
    if runs:
        return f"{path} has no run {run!r}; its runs are: {clip(runs, _NAMES)}"
    return f"{path} holds no run. A journal is a .jsonl file, as `smolcell run` names it at its end"
