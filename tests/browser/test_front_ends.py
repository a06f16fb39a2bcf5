"""The card in JupyterLab and in Notebook 7: decided by keyboard alone, and for everyone, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lab import Card, FakeModel, LabServer, Notebook
from playwright.sync_api import expect

NewNotebook = Callable[..., Notebook]

TASK = "%%agent -o answer\nWhat is six times seven?"
APPS = ["lab", "notebooks"]
AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(params=APPS)
def app(request: pytest.FixtureRequest) -> str:
    if request.param == "notebooks":
        pytest.importorskip("notebook")
    return str(request.param)


# --- approval by keyboard, and the focus ----------------------------------------------------------------------------------


def test_a_run_is_decided_by_keyboard_alone_and_the_focus_goes_to_the_card_and_back(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.says("print('first')", "answer = 6 * 7", "final_answer(answer)")
    notebook = new_notebook(TASK, "", app=app)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    notebook.cell(1).locator(".cm-content").click()
    keys.press("Control+Enter")
    card = notebook.card.pending(1)
    armed(card)
    keys.press("r")
    keys.type("a sum, s'il te plait")
    keys.press("Shift+Tab")  # out of the comment, and back
    keys.press("Tab")
    card.status(1, "pending")
    keys.press("Tab")
    expect(card.button("Send refusal")).to_be_focused()
    keys.press("Enter")
    card.status(1, "refused").pending(2)
    assert "They said: a sum, s'il te plait" in model.last_prompt
    for step in (2, 3):
        card.pending(step)
        armed(card)
        keys.press("a")
    card.link("over").shows("42")
    notebook.page.wait_for_function(
        "() => document.activeElement.contains(document.querySelector('.smolcell-card'))"
        " && document.activeElement.matches('.jp-Cell, .jp-Notebook')"
    )
    assert len(notebook.cells()) == cells  # none of the keys was the notebook's


def armed(card: Card) -> None:
    expect(card.el).to_be_focused()
    expect(card.el).to_have_attribute("data-armed", "true")


def test_whoever_types_in_another_cell_is_not_disturbed_and_approves_nothing(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.gate.clear()
    model.says("print('ran')", "final_answer(1)")
    notebook = new_notebook(TASK, "", app=app)
    notebook.run(1)
    card = notebook.card.status(1, "thinking")
    editor = notebook.cell(2).locator(".cm-content")
    editor.click()
    notebook.page.keyboard.type("a = sea ")
    model.gate.set()
    card.pending(1)
    notebook.page.keyboard.type("+ ears")
    expect(editor).to_have_text("a = sea + ears")
    expect(editor).to_be_focused()
    card.status(1, "pending")
    assert len(model.prompts) == 1


def test_of_two_front_ends_one_answers_and_the_other_shows_it(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    pytest.importorskip("notebook")
    model.says("print('first')", "final_answer(2)")
    lab = new_notebook(TASK)
    lab.run(1)
    lab.card.pending(1)
    lab.save()
    other = Notebook(lab.page.context.new_page(), server, lab.name, "notebooks").open()
    other.card.approve(1).pending(2)
    lab.page.bring_to_front()
    lab.card.status(1, "done").shows("Approved by you")
    expect(lab.card.step(1).locator(".smolcell-controls")).to_have_count(0)
    lab.card.approve(2).link("over")
    other.card.link("over").shows("Done")


# --- for everyone -----------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_serious_in_light_and_in_dark(new_notebook: NewNotebook, model: FakeModel, app: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    model.says("import math\n\tprint(math.pi)", "{'a': [1, 2]}", "open('f', 'w')")
    notebook = new_notebook(TASK, app=app)
    notebook.run(1)
    card = notebook.card.approve(1).approve(2).pending(3)
    try:
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            set_theme(notebook, theme)
            assert (theme, serious(notebook)) == (theme, [])
    finally:
        set_theme(notebook, "JupyterLab Light")
    card.button("Stop").click()
    card.link("over")


def set_theme(notebook: Notebook, theme: str) -> None:
    notebook.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme }).then(() => null)", theme
    )
    notebook.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")


def serious(notebook: Notebook) -> list[Any]:
    """What axe calls serious or critical on the card: rule, place, and what is wrong there."""
    if not notebook.page.evaluate("'axe' in window"):
        notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = notebook.page.evaluate("axe.run('.smolcell-card').then(result => result.violations)")
    return [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
