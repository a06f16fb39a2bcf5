"""A person's first steps in a real JupyterLab: the launcher's agent notebook, and the tour."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe import violations
from lab import LOADING, FakeModel, LabServer, New, Notebook, until
from playwright.sync_api import BrowserContext, Locator, Page, expect
from test_both_pages import in_both_themes

EXAMPLE = "How many prime numbers are below 1000? Plot how many there are in each hundred."

Configure = Callable[..., None]


def tour(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Give a task").or_(page.locator(".smolcell-tour")).first


def wants_tour(server: LabServer) -> bool:
    """The setting as the server keeps it."""
    told = server.rest("GET", "settings/@smolcell/labextension:first-steps", api="lab/api")
    return bool(told["settings"]["tour"])


@pytest.mark.path
def test_the_launcher_makes_a_notebook_whose_agent_cell_runs(
    server: LabServer, context: BrowserContext, configure: Configure, model: FakeModel
) -> None:
    model.says("final_answer(168)")
    page = context.new_page()
    with model.serving() as address:
        configure("commands", options=f"-m openai/test --api-base {address}")
        page.goto(f"{server.url}/lab?reset&token={server.token}")
        card = page.locator(".jp-Launcher .jp-LauncherCard[data-category='Notebook']", has_text="Agent notebook")
        card.click(timeout=1000 * LOADING)
        page.locator(".smolcell-option-line").wait_for()
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


def test_the_tour_comes_at_the_first_agent_cell_takes_no_focus_and_never_comes_again(
    server: LabServer, new_notebook: New, configure: Configure, context: BrowserContext
) -> None:
    configure("first-steps", tour=True)
    notebook = new_notebook("%%agent\nCount.", run_first=False)
    page = notebook.page
    expect(tour(page)).to_be_visible()
    assert page.evaluate("() => document.activeElement.closest('.smolcell-tour')") is None
    box = tour(page)
    for _ in range(3):
        box.get_by_role("button", name="Next").click()
    expect(box.get_by_role("heading")).to_have_text("Choose a model")
    box.get_by_role("button", name="Done").click()
    expect(page.locator(".smolcell-tour")).to_have_count(0)
    until(lambda: not wants_tour(server), "the setting says that it was seen")
    notebook.reload()
    page.locator(".smolcell-option-line").first.wait_for()
    page.evaluate("() => window.jupyterapp.restored.then(() => null)")
    expect(page.locator(".smolcell-tour")).to_have_count(0)


def test_axe_finds_nothing_on_the_tour(new_notebook: New, context: BrowserContext) -> None:
    notebook = new_notebook("%%agent\nCount.", run_first=False)
    notebook.command("smolcell:tour")
    in_both_themes(notebook, lambda: violations(notebook.page, ".smolcell-tour"))
