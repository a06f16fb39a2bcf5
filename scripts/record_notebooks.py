"""Record the notebooks' models anew: ``python scripts/record_notebooks.py [NOTEBOOK …]``.

The recordings beside the notebooks were made by this script. No language model was asked: the replies were written by hand, the way a
model writes them, and stand in the recordings themselves. This script reads each cell's replies from its recording, says them again
through ``ScriptedModel``, runs their code in the real sandbox, and has ``RecordingModel`` keep the run. What changes is what a run adds:
digests of the messages shown, timings. To change a reply, edit its "text" in the recording and run this; a new recording may begin as
two lines, the header and ``{"task": …, "text": …}`` (``smolcell.models.tape`` explains the format).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from IPython.core.interactiveshell import InteractiveShell

from smolcell import CodeAgent
from smolcell.events import Replied
from smolcell.models.recording import RecordingModel
from smolcell.models.tape import Line, read_recording
from smolcell.notebook.variables import references
from smolcell.options import read_line
from smolcell.testing import ScriptedModel, allow_all
from smolcell.worker.tables import DATA_IMPORTS

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "tests" / "notebook" / "tutorials").glob("*.ipynb")]
MAGIC = "%%agent"
NAME = "example"  # what the cards call the model; " (recorded)" is added


def cells(notebook: Path) -> Iterator[str]:
    yield from (cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code")


def replies(path: Path, task: str) -> list[Line]:
    """The replies of the task's newest run, which is the one that is replayed."""
    lines = [line for line in read_recording(path)[1] if line.task == task]
    if not lines:
        raise SystemExit(f"{path} holds no reply for the task {task!r}")
    return [line for line in lines if line.run == lines[-1].run]


def record(shell: InteractiveShell, line: str, task: str) -> None:
    """Run one agent cell with its own replies and keep the run in place of the recording."""
    options = read_line(line)
    if options.replay is None:
        return
    said = [Replied(text=reply.text, model=NAME) for reply in replies(Path(options.replay), task)]
    new = Path(options.replay + ".new")
    names = (*options.variables, *references(task))
    model = RecordingModel(ScriptedModel(*said, name=NAME), new)
    tools = [shell.user_ns[name] for name in options.tools]
    with CodeAgent(tools, model, additional_authorized_imports=DATA_IMPORTS, gate=allow_all) as agent:
        answer = agent.run(task, additional_args={name: shell.user_ns[name] for name in names})
    new.replace(options.replay)
    print(f"{options.replay}: {len(said)} replies; the answer:\n{answer}\n")
    if options.out:
        shell.user_ns[options.out] = answer


def run(notebook: Path) -> None:
    os.chdir(notebook.parent)
    shell = InteractiveShell()
    for source in cells(notebook):
        if source.startswith(MAGIC):
            line, _, task = source.partition("\n")
            record(shell, line.removeprefix(MAGIC), task.strip())
        elif not source.startswith("%load_ext smolcell"):
            shell.run_cell(source, silent=True).raise_error()


if __name__ == "__main__":
    asyncio.set_event_loop(asyncio.new_event_loop())
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["SMOLCELL_APPROVE"] = "auto"  # of agents that a notebook makes itself, from models written in it
    for path in map(Path, sys.argv[1:] or NOTEBOOKS):
        run(path.resolve())
