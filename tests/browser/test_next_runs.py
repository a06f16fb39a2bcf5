"""What a card offers for the runs to come, in JupyterLab and in Notebook 7: the next task, another model, mended code; and its budget."""

from __future__ import annotations

from typing import Any

import pytest
from axe import violations
from lab import APPS, PATH_IN_LAB, Card, FakeModel, New, Notebook, until
from playwright.sync_api import Locator, expect
from test_both_pages import in_both_themes

FAILING = "limit = 3\nrows = [1, 0]\nsum(limit / row for row in rows)"
MENDED = "limit = 3\nrows = [1, 0]\nsum(limit / row for row in rows if row)"


def field(notebook: Notebook) -> Locator:
    return notebook.card.el.get_by_role("textbox", name="Ask a follow-up")


@pytest.mark.parametrize("app", PATH_IN_LAB)
def test_a_follow_up_is_an_ordinary_cell_that_runs_in_the_same_session(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says("final_answer('first')", "final_answer('second')", "final_answer('third')")
    notebook = new_notebook("data = [1]", "%%agent --session mine -i data --new\nSum @data.", "x = 1", app=app)
    notebook.result(1)
    notebook.run(2).approve(1).link("over")
    field(notebook).fill("And twice that?")
    notebook.page.keyboard.press("Enter")
    notebook.has_cells(5)
    assert notebook.source(3) == "%%agent --session mine\nAnd twice that?"
    card = notebook.card
    expect(card.el).to_be_focused()  # it was asked from the keyboard
    expect(card.el).to_have_attribute("data-armed", "true")
    notebook.page.keyboard.press("a")
    card.link("over").shows("second")
    assert "Sum @data." in model.last_prompt  # the conversation goes on

    card.button("Try again").click()
    notebook.has_cells(6)
    assert notebook.source(4) == notebook.source(3)
    notebook.card.approve(1).shows("third")
    assert notebook.source(5) == "x = 1"


@pytest.mark.parametrize("app", APPS)
def test_another_model_is_chosen_on_the_card_for_the_next_run(new_notebook: New, model: FakeModel, app: str) -> None:
    offers = (
        "import smolcell.models as models\n"
        "models.available_models = lambda: {'local:9/<b>tiny': 'a server on this machine offers it'}\nprint('set')"
    )
    model.says("print('one')", "final_answer(1)")
    notebook = new_notebook(offers, "%%agent\nCount.", app=app)
    assert "set" in notebook.result(1)
    card = notebook.run(2).pending(1)
    expect(card.el.locator(".smolcell-spent")).to_have_text("Context: 160 tokens \u00b7 Cost so far: unknown")
    opener = card.button("Change model")
    opener.focus()
    notebook.page.keyboard.press("Enter")
    rows = card.el.get_by_role("radio")
    expect(rows).to_have_count(2)
    expect(rows.first).to_be_focused()
    expect(rows.first).to_be_checked()  # the one that answers now
    notebook.page.keyboard.press("ArrowDown")
    assert found(card) == []
    notebook.page.keyboard.press("Enter")
    said = card.el.locator(".smolcell-models-said")
    expect(said).to_have_text(
        "From its next run on, the session default uses local:9/<b>tiny, unless a cell names another with -m.",
    )
    expect(opener).to_be_focused()
    card.status(1, "pending").approve(1).approve(2).link("over")
    assert len(model.prompts) == 2  # this run went on with its own
    field(notebook).fill("Again?")
    card.button("Ask").click()
    notebook.card.shows("local:9/<b>tiny").link("over")
    assert len(model.prompts) == 2


@pytest.mark.parametrize("app", APPS)
def test_a_run_asks_on_its_card_before_it_goes_beyond_its_budget(new_notebook: New, model: FakeModel, app: str) -> None:
    model.says("print('one')", "print('two')", "final_answer(3)")
    notebook = new_notebook("%%agent --budget 100\nCount.", app=app)
    card = notebook.run(1).approve(1)
    card.shows("The budget is spent: tokens 160 of 100. Go on, with as much again?")
    assert len(model.prompts) == 1
    assert found(card) == []
    card.offer("Go on")
    card.approve(2).shows("The budget is spent: tokens 320 of 260.")
    card.offer("Stop")
    assert "AgentStopped: The budget is spent: tokens 320 of 260." in notebook.ran(1)
    assert len(model.prompts) == 2


@pytest.mark.parametrize("app", APPS)
def test_code_that_ran_in_the_sandbox_is_put_in_place_of_the_failing_cell_and_taken_back(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says(MENDED, f"final_answer('''A row is 0.\n\n```python\n{MENDED}\n```''')")
    notebook = new_notebook("import math\ndata, _hidden = [2], 1", f"{FAILING}\ndata, math.pi", app=app)
    notebook.result(1)
    assert "ZeroDivisionError" in notebook.result(2)
    failing = notebook.source(2)
    notebook.command("smolcell:explain-cell", wait=False)
    notebook.has_cells(4)
    assert notebook.source(3).split("\n")[0] == "%%agent -i limit,rows,data"
    assert notebook.cells()[3]["execution_count"] is None
    card = notebook.run(3).approve(1).approve(2).link("over")
    offered = card.el.get_by_role("group", name="Changes to the failing cell")
    expect(offered.locator(".smolcell-put-in")).to_have_count(1)
    expect(offered.locator(".smolcell-taken-out")).to_have_count(2)
    assert (notebook.source(2), found(card)) == (failing, [])
    for width in (800, 1280):
        notebook.page.set_viewport_size({"width": width, "height": 900})
        assert overflows(card.el) == []
    card.button("Replace the cell").focus()
    notebook.page.keyboard.press("Enter")
    until(lambda: notebook.source(2) == MENDED, "the cell holds the code")
    expect(card.button("Undo")).to_be_focused()
    in_both_themes(notebook, lambda: found(card))
    card.button("Undo").press("Enter")  # focuses it again, since a change of theme can take the focus
    until(lambda: notebook.source(2) == failing, "the cell holds what it held before")


def overflows(card: Locator) -> list[Any]:
    found = card.evaluate(
        """el => [...el.querySelectorAll('.smolcell-model, .smolcell-mend, .smolcell-follow, .smolcell-bar')]
            .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)"""
    )
    return list(found)


def found(card: Card) -> list[Any]:
    """What axe has to say about these controls."""
    return violations(card.el, ".smolcell-model, .smolcell-controls, .smolcell-mend, .smolcell-follow")
