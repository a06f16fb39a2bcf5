"""Record the notebooks' models again: ``python scripts/record_notebooks.py [NOTEBOOK …]``.

The recordings beside the notebooks were made by this script. No language model was asked: the replies were written by hand, the way a
model writes them, and stand in the recordings themselves. This script reads each cell's replies from its recording, says them again
through ``ScriptedModel``, runs their code in the real sandbox, and has ``RecordingModel`` keep the run. What changes is what a run adds:
digests of the messages shown, timings. To change a reply, edit its "text" in the recording and run this; a new recording may begin as
two lines, the header and ``{"task": …, "text": …}`` (``smolcell.models.recording`` explains the format).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import nbformat
from IPython.core.interactiveshell import InteractiveShell

from smolcell.events import Replied
from smolcell.models.recording import RecordedReply, RecordingModel, read_recording
from smolcell.notebook.session import Session
from smolcell.notebook.settings import read_line
from smolcell.testing import ScriptedModel

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = [*(ROOT / "notebooks").glob("*.ipynb")]
MAGIC = "%%agent"
NAME = "example"  # what the cards call the model; " (recorded)" is added


def cells(notebook: Path) -> Iterator[str]:
    yield from (cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code")


def replies(path: Path, task: str) -> list[RecordedReply]:
    """The replies of the task's newest run, which is the one that is replayed."""
    lines = [line for line in read_recording(path)[1] if line.task == task]
    if not lines:
        raise SystemExit(f"{path} holds no reply for the task {task!r}")
    return [line for line in lines if line.run == lines[-1].run]


def record(shell: InteractiveShell, source: str) -> None:
    """Run one agent cell with its own replies, which are recorded again."""
    first, _, task = source.partition("\n")
    path = read_line(first.removeprefix(MAGIC)).replay
    if path is None:
        return
    said = [Replied(text=reply.text, model=NAME) for reply in replies(Path(path), task.strip())]
    model = RecordingModel(ScriptedModel(*said, name=NAME), path)
    with patch.object(Session, "_recorded", lambda *_: model):
        shell.run_cell(source).raise_error()
    newest_only(Path(path))


def newest_only(path: Path) -> None:
    """Leave out what was recorded again."""
    head, lines = path.read_text().split("\n", 1)
    newest = {line.task: line.run for line in read_recording(path)[1]}
    kept = [line for line in lines.splitlines() if (said := json.loads(line)).get("run", "") == newest[said["task"]]]
    path.write_text("\n".join([head, *kept, ""]))


def run(notebook: Path) -> None:
    os.chdir(notebook.parent)
    shell = InteractiveShell.instance()
    for source in cells(notebook):
        if source.startswith(MAGIC):
            record(shell, source)
        else:
            shell.run_cell(source).raise_error()
    shell.run_line_magic("unload_ext", "smolcell")
    InteractiveShell.clear_instance()


if __name__ == "__main__":
    asyncio.set_event_loop(asyncio.new_event_loop())
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["SMOLCELL_APPROVE"] = "auto"
    for path in map(Path, sys.argv[1:] or NOTEBOOKS):
        run(path.resolve())
