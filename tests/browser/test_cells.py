"""What stays of a run, in a real JupyterLab and Notebook 7: its steps as ordinary cells, and its record in the file."""

from __future__ import annotations

import pytest
from lab import PATH_IN_LAB, TASK, FakeModel, New, Notebook, until
from playwright.sync_api import expect

PROGRAMS = ("half = 21", "final_answer(half * 2)")
STEPS = ["# Step 1: step.\nhalf = 21", "# Step 2: step.\nanswer = half * 2\nanswer"]


def sources(notebook: Notebook) -> list[str]:
    """The notebook's cells as they are in its file; long comments at the head of one are left out."""
    found = ["".join(cell["source"]) for cell in notebook.cells()]
    return [text[text.index("# Step 1") :] if "# Step 1" in text else text for text in found]


def approved(new_notebook: New, model: FakeModel, *more: str, app: str = "lab") -> Notebook:
    model.says(*PROGRAMS)
    notebook = new_notebook(TASK, *more, app=app)
    notebook.run(1).approve(1).approve(2).link("over").shows("42")
    return notebook


def test_export_inserts_a_cell_for_each_step_and_they_give_the_answer(new_notebook: New, model: FakeModel) -> None:
    notebook = approved(new_notebook, model, "%agent export", "print('last')")
    before = len(sources(notebook))
    notebook.run(2)
    until(lambda: len(sources(notebook)) == before + 2, "two cells were inserted")

    assert sources(notebook)[3:5] == STEPS
    assert notebook.ran(2) == "smolcell: 2 cells below\n"
    notebook.run(3, 4)
    until(lambda: "42" in notebook.text(4), "the exported steps give the answer")


@pytest.mark.parametrize("app", PATH_IN_LAB)
def test_the_card_s_button_inserts_the_steps_below_the_run(new_notebook: New, model: FakeModel, app: str) -> None:
    notebook = approved(new_notebook, model, "print('last')", app=app)
    before = sources(notebook)
    notebook.card.button("Write steps as cells").click()
    expect(notebook.card.el.get_by_text("2 cells below.")).to_be_visible()

    assert sources(notebook) == [*before[:2], *STEPS, *before[2:]]


def test_a_page_that_was_loaded_again_in_mid_run_keeps_the_record_all_the_same(
    new_notebook: New, model: FakeModel
) -> None:
    """It is sent no later output of that cell; the card asks the kernel for what was missed."""
    model.says(*PROGRAMS)
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.save()
    notebook.reload()
    notebook.card.approve(1).approve(2).link("over").shows("42")
    record = "application/vnd.smolcell.run+json"
    until(lambda: record in notebook.cells()[1]["outputs"][-1].get("data", {}), "the record is in the notebook")
    data = notebook.cells()[1]["outputs"][-1]["data"]

    assert [event["event"] for event in data[record]["events"]][:: len(data[record]["events"]) - 1] == [
        "Asked",
        "Ended",
    ]
    assert "Answer: 42" in "".join(data["text/plain"])
    assert "<pre><code>half = 21</code></pre>" in "".join(data["text/html"])
    assert [record in output.get("data", {}) for output in notebook.cells()[1]["outputs"]].count(True) == 1
