"""What a card offers for the runs to come, in JupyterLab and in Notebook 7: the next task, another model, mended code; and its budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lab import APPS, PATIENCE, FakeModel, Notebook, until
from playwright.sync_api import Locator, expect
from test_both_pages import AXE, set_theme

New = Callable[..., Notebook]
FAILING = "limit = 3\nrows = [1, 0]\nsum(limit / row for row in rows)"
MENDED = "limit = 3\nrows = [1, 0]\nsum(limit / row for row in rows if row)"


def source(notebook: Notebook, index: int) -> str:
    return str(notebook.cells()[index]["source"])


def field(notebook: Notebook) -> Locator:
    return notebook.card.el.get_by_role("textbox", name="Ask a follow-up")


@pytest.mark.parametrize("app", APPS)
def test_a_follow_up_is_an_ordinary_cell_that_runs_in_the_same_session(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says("final_answer('first')", "final_answer('second')", "final_answer('third')")
    notebook = new_notebook("data = [1]", "%%agent --session mine -i data --new\nSum @data.", "x = 1", app=app)
    notebook.run(1)
    notebook.ran(1)
    notebook.run(2)
    notebook.card.approve(1).link("over")
    field(notebook).fill("And twice that?")
    notebook.page.keyboard.press("Enter")
    until(lambda: len(notebook.cells()) == 5, "a cell was inserted")
    assert source(notebook, 3) == "%%agent --session mine\nAnd twice that?"
    card = notebook.card
    expect(card.el).to_be_focused(timeout=PATIENCE * 1000)  # it was asked from the keyboard
    expect(card.el).to_have_attribute("data-armed", "true", timeout=PATIENCE * 1000)
    notebook.page.keyboard.press("a")
    card.link("over").shows("second")
    assert "Sum @data." in model.last_prompt  # the conversation goes on

    card.button("Try again").click()
    until(lambda: len(notebook.cells()) == 6, "the same cell once more")
    assert source(notebook, 4) == source(notebook, 3)
    notebook.card.approve(1).shows("third")
    assert source(notebook, 5) == "x = 1"


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_another_model_is_chosen_on_the_card_for_the_next_run(new_notebook: New, model: FakeModel, app: str) -> None:
    found = (
        "import smolcell.models as models\n"
        "models.available_models = lambda: {'local:9/<b>tiny': 'a server on this machine offers it'}\nprint('set')"
    )
    model.says("print('one')", "final_answer(1)")
    notebook = new_notebook(found, "%%agent\nCount.", app=app)
    notebook.run(1)
    assert "set" in notebook.ran(1)
    notebook.run(2)
    card = notebook.card.pending(1)
    expect(card.el.locator(".smolcell-spent")).to_have_text("Context: 160 tokens \u00b7 Cost so far: unknown")
    opener = card.button("Change model")
    opener.focus()
    notebook.page.keyboard.press("Enter")
    rows = card.el.get_by_role("radio")
    expect(rows).to_have_count(2, timeout=PATIENCE * 1000)
    expect(rows.first).to_be_focused()
    expect(rows.first).to_be_checked()  # the one that answers now
    notebook.page.keyboard.press("ArrowDown")
    assert serious(notebook) == []
    notebook.page.keyboard.press("Enter")
    said = card.el.locator(".smolcell-models-said")
    expect(said).to_have_text(
        "From its next run on, the session default uses local:9/<b>tiny, unless a cell names another with -m.",
        timeout=PATIENCE * 1000,
    )
    expect(opener).to_be_focused()
    card.status(1, "pending").approve(1).approve(2).link("over")
    assert len(model.prompts) == 2  # this run went on with its own
    field(notebook).fill("Again?")
    card.button("Ask").click()
    notebook.card.shows("local:9/<b>tiny").link("over")
    assert len(model.prompts) == 2


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_a_run_asks_on_its_card_before_it_goes_beyond_its_budget(new_notebook: New, model: FakeModel, app: str) -> None:
    model.says("print('one')", "print('two')", "final_answer(3)")
    notebook = new_notebook("%%agent --budget 100\nCount.", app=app)
    notebook.run(1)
    card = notebook.card.approve(1)
    card.shows("The budget is spent: tokens 160 of 100. Go on, with as much again?")
    assert len(model.prompts) == 1
    assert serious(notebook) == []
    until(lambda: card.button("Go on").is_enabled(), "a click counts")
    notebook.page.wait_for_timeout(700)  # the half second in which a click does not count
    card.button("Go on").click()
    card.approve(2).shows("The budget is spent: tokens 320 of 260.")
    notebook.page.wait_for_timeout(700)
    card.button("Stop").click()
    assert "AgentStopped: The budget is spent: tokens 320 of 260." in notebook.ran(1)
    assert len(model.prompts) == 2


@pytest.mark.parametrize("app", APPS)
@pytest.mark.slow
def test_code_that_ran_in_the_sandbox_is_put_in_place_of_the_failing_cell_and_taken_back(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says(MENDED, f"final_answer('''A row is 0.\n\n```python\n{MENDED}\n```''')")
    notebook = new_notebook("import math\ndata, _hidden = [2], 1", f"{FAILING}\ndata, math.pi", app=app)
    notebook.run(1)
    notebook.ran(1)
    notebook.run(2)
    assert "ZeroDivisionError" in notebook.ran(2)
    failing = source(notebook, 2)
    notebook.command("smolcell:explain-cell", wait=False)
    until(lambda: len(notebook.cells()) == 4, "a cell was written")
    assert source(notebook, 3).split("\n")[0] == "%%agent -i limit,rows,data"
    assert notebook.cells()[3]["execution_count"] is None
    notebook.run(3)
    card = notebook.card.approve(1).approve(2).link("over")
    offered = card.el.get_by_role("group", name="Changes to the failing cell")
    expect(offered.locator(".smolcell-put-in")).to_have_count(1, timeout=PATIENCE * 1000)
    expect(offered.locator(".smolcell-taken-out")).to_have_count(2)
    assert (source(notebook, 2), serious(notebook)) == (failing, [])
    for width in (800, 1280):
        notebook.page.set_viewport_size({"width": width, "height": 900})
        assert overflows(card.el) == []
    card.button("Replace the cell").focus()
    notebook.page.keyboard.press("Enter")
    until(lambda: source(notebook, 2) == MENDED, "the cell holds the code")
    expect(card.button("Undo")).to_be_focused()
    try:
        for theme in ("JupyterLab Dark", "JupyterLab Light"):
            set_theme(notebook, theme)
            assert (theme, serious(notebook)) == (theme, [])
    finally:
        set_theme(notebook, "JupyterLab Light")
    card.button("Undo").press("Enter")  # focuses it again, since a change of theme can take the focus
    until(lambda: source(notebook, 2) == failing, "the cell holds what it held before")


@pytest.mark.slow
def test_code_that_did_not_run_as_it_stands_is_not_offered(new_notebook: New, model: FakeModel) -> None:
    answer = "'''Like so:\n\n```python\nimport os; os.remove('x')\n```'''"
    model.says("print(1)", f"final_answer({answer})")
    notebook = new_notebook("1 / 0")
    notebook.run(1)
    assert "ZeroDivisionError" in notebook.ran(1)
    notebook.command("smolcell:explain-cell", wait=False)
    until(lambda: len(notebook.cells()) == 3, "a cell was written")
    notebook.run(2)
    card = notebook.card.approve(1).approve(2).link("over")
    card.shows("The cell stays as it is: the agent did not run exactly this code")
    expect(card.button("Replace the cell")).to_have_count(0)


def overflows(card: Locator) -> list[Any]:
    found = card.evaluate(
        """el => [...el.querySelectorAll('.smolcell-model, .smolcell-mend, .smolcell-follow, .smolcell-bar')]
            .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)"""
    )
    return list(found)


def serious(notebook: Notebook) -> list[Any]:
    """All that axe has to say about these controls of the newest card: rule, place, and what is wrong there."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    if not notebook.page.evaluate("'axe' in window"):
        notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = notebook.page.evaluate(
        """() => {
            const card = [...document.querySelectorAll('.smolcell-card')].at(-1);
            const parts = '.smolcell-model, .smolcell-controls, .smolcell-mend, .smolcell-follow';
            return axe.run([...card.querySelectorAll(parts)]).then(result => result.violations);
        }"""
    )
    return [(rule["id"], node["target"], node["failureSummary"]) for rule in found for node in rule["nodes"]]
