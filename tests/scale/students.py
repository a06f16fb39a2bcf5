"""What a learner does in a lesson, played: the journals of their runs, and their prediction.

python tests/scale/students.py LESSON_FOLDER good|careless     plays it in that folder
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat

from smolcell import lesson
from smolcell.agent import CodeAgent
from smolcell.approval.gates import ask
from smolcell.events import Delta, Event, Proposed
from smolcell.models.recording import ReplayModel
from smolcell.protocols import Answer, BaseView

EDITS = {"canceled": "cancelled", ', "closing_fee"': ""}
PREDICTIONS = {"orders": 1, "churn": 9}
WRONG = ("canceled", "closing_fee")
UNASKED = ("os.environ", "customers.to_string")


class Learner(BaseView):
    """Edits what is wrong and refuses what was not asked for, if ``careful``; else approves everything."""

    def __init__(self, careful: bool) -> None:
        self._careful = careful

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        text, choice, comment = proposal.text, "approve", ""
        if self._careful and any(word in text for word in WRONG):
            choice = "edit"
            for old, new in EDITS.items():
                text = text.replace(old, new)
        elif self._careful and any(word in text for word in UNASKED):
            choice, comment = "refuse", "Nobody asked for that."
        return Answer(
            run=proposal.run,
            step=proposal.step,
            fingerprint=proposal.fingerprint,
            choice=choice,  # type: ignore[arg-type]
            text=text if choice == "edit" else None,
            comment=comment,
        )


def play(folder: Path, careful: bool) -> None:
    """Do the lesson in its folder: run its cells, but for those that check."""
    names: dict[str, object] = {}
    view = Learner(careful)
    with CodeAgent(
        model=ReplayModel(folder / "lesson.jsonl"),
        gate=ask(view),
        view=view,
        session="lesson",
        executor_kwargs={"python": "auto"},
        additional_authorized_imports=["pandas.*", "os"],
    ) as agent:
        for cell in nbformat.read(folder / "lesson.ipynb", as_version=4).cells:
            if cell.source.startswith("%%agent"):
                options, _, task = cell.source.partition("\n")
                given = {name: names[name] for name in re.findall(r"-i (\w+)", options)}
                agent.run(task, reset=False, additional_args=given, return_full_result=True)
            elif "import pandas" in cell.source:
                exec(cell.source, names)
            elif ".predict(" in cell.source:
                lesson.predict("predict", PREDICTIONS[folder.name.partition("-")[0]] if careful else 0, folder)
        stops = lesson.read_lesson(folder)
        lesson._keep_journals(folder, stops)


if __name__ == "__main__":
    play(Path(sys.argv[1]).absolute(), sys.argv[2] == "good")
