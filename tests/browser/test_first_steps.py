"""A person's first steps in a real JupyterLab: the launcher's agent notebook, and the tour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lab import PATIENCE, FakeModel, LabServer, Notebook, until
from playwright.sync_api import BrowserContext, Locator, Page, expect

AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
EXAMPLE = "How many prime numbers are below 1000? Plot how many there are in each hundred."
LONG = PATIENCE * 1000

NewNotebook = Callable[..., Notebook]
Configure = Callable[..., None]


def tour(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Give a task").or_(page.locator(".smolcell-tour")).first


def wants_tour(server: LabServer) -> bool:
    """The setting as the server keeps it."""
    told = server.rest("GET", "settings/@smolcell/labextension:first-steps", api="lab/api")
    return bool(told["settings"]["tour"])


def test_the_launcher_makes_a_notebook_whose_agent_cell_runs(
    server: LabServer, context: BrowserContext, configure: Configure, model: FakeModel
) -> None:
    model.says("final_answer(168)")
    page = context.new_page()
    with model.serving() as address:
        configure("commands", options=f"-m openai/test --api-base {address}")
        page.goto(f"{server.url}/lab?reset&token={server.token}")
        card = page.locator(".jp-Launcher .jp-LauncherCard[data-category='Notebook']", has_text="Agent notebook")
        card.click(timeout=120_000)
        page.locator(".smolcell-option-line").wait_for(timeout=LONG)
        name = page.evaluate("() => window.jupyterapp.shell.currentWidget.context.path")
        notebook = Notebook(page, server, name).loaded()
        assert [each["source"] for each in notebook.cells()] == [
            "%load_ext smolcell",
            f"%%agent -m openai/test --api-base {address}\n{EXAMPLE}",
        ]
        for _ in range(2):  # what a person does next; the first cell is the active one
            notebook.command("notebook:run-cell-and-select-next", wait=False)
        notebook.card.approve(1).link("over").shows("168")
        notebook.end_session()


@pytest.mark.slow
def test_the_tour_comes_at_the_first_agent_cell_takes_no_focus_and_never_comes_again(
    server: LabServer, new_notebook: NewNotebook, configure: Configure, context: BrowserContext
) -> None:
    configure("first-steps", tour=True)
    notebook = new_notebook("%%agent\nCount.", run_first=False)
    page = notebook.page
    expect(tour(page)).to_be_visible(timeout=LONG)
    assert page.evaluate("() => document.activeElement.closest('.smolcell-tour')") is None
    box = tour(page)
    for _ in range(3):
        box.get_by_role("button", name="Next").click()
    expect(box.get_by_role("heading")).to_have_text("Choose a model")
    box.get_by_role("button", name="Done").click()
    expect(page.locator(".smolcell-tour")).to_have_count(0)
    until(lambda: not wants_tour(server), "the setting says that it was seen")
    notebook.reload()
    page.locator(".smolcell-option-line").first.wait_for(timeout=LONG)
    page.evaluate("() => window.jupyterapp.restored.then(() => null)")
    expect(page.locator(".smolcell-tour")).to_have_count(0)


@pytest.mark.slow
def test_the_tour_can_be_asked_for_and_is_used_by_keys_alone(new_notebook: NewNotebook) -> None:
    notebook = new_notebook("1 + 1", run_first=False)
    keys = notebook.page.keyboard
    notebook.command("smolcell:tour")
    box = tour(notebook.page)
    expect(box.get_by_role("button", name="Next")).to_be_focused(timeout=LONG)
    keys.press("Enter")
    expect(box.get_by_role("heading")).to_have_text("Read, then decide")
    keys.press("Shift+Tab")
    expect(box.get_by_role("button", name="Back")).to_be_focused()
    keys.press("Shift+Tab")
    expect(box.get_by_role("button", name="Skip tour")).to_be_focused()
    keys.press("Escape")
    expect(notebook.page.locator(".smolcell-tour")).to_have_count(0)


@pytest.mark.parametrize("theme", ["JupyterLab Light", pytest.param("JupyterLab Dark", marks=pytest.mark.slow)])
@pytest.mark.slow
def test_axe_finds_nothing_on_the_tour(new_notebook: NewNotebook, context: BrowserContext, theme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    page = new_notebook("%%agent\nCount.", run_first=False).page
    page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme }).then(() => null)", theme
    )
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    page.evaluate("() => window.jupyterapp.commands.execute('smolcell:tour').then(() => null)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate("() => axe.run('.smolcell-tour').then(result => result.violations)")
    page.evaluate(
        "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' }).then(() => null)"
    )
    assert [(rule["id"], node["failureSummary"]) for rule in found for node in rule["nodes"]] == []
