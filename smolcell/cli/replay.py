"""``smolcell replay``: what was done, drawn again from its journal. Nothing is run, and no model is asked."""

from __future__ import annotations

import sys
from pathlib import Path

from smolcell.describe import clip
from smolcell.errors import SetupError
from smolcell.events import Event
from smolcell.journal import journals_folder, read
from smolcell.views.terminal import TerminalView

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
    print(f"{path}{f' ({events.skipped} damaged lines left out)' if events.skipped else ''}", file=sys.stderr)
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
    found = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime) if folder.is_dir() else []
    if not found:
        raise SetupError(f'there is no journal in {folder} yet. Make one with: smolcell run "…"')
    return found[-1]


def _nothing(path: Path, events: list[Event], run: str) -> str:
    runs = ", ".join(dict.fromkeys(event.run for event in events))
    if runs:
        return f"{path} has no run {run!r}; its runs are: {clip(runs, _NAMES)}"
    return f"{path} holds no run. A journal is a .jsonl file, as `smolcell run` names it at its end"
