"""The extension in a real JupyterLab and Notebook 7: what is under way in all kernels, and the way to it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe import violations
from lab import APPS, TASK, FakeModel, LabServer, New, Notebook, until
from leftovers import needs_proc
from playwright.sync_api import Locator, Page, expect

Configure = Callable[..., None]

ASKED = "What is six times seven?"
FOREVER = "print('began')\nwhile True:\n    pass"


def panel(notebook: Notebook) -> Locator:
    """The extension's panel, in sight."""
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('smolcell-panel')")
    found = notebook.page.locator("#smolcell-panel")
    expect(found).to_be_visible()
    return found


def section(notebook: Notebook, name: str) -> Locator:
    return panel(notebook).locator(".smolcell-panel-section").filter(has_text=re.compile(name, re.IGNORECASE))


def row(notebook: Notebook, name: str, text: str) -> Locator:
    return section(notebook, name).locator(".smolcell-panel-row").filter(has_text=text)


def status_item(notebook: Notebook) -> Locator:
    return notebook.page.locator(".smolcell-status-item")


def toast(page: Page) -> Locator:
    return page.locator(".jp-toast-message, .Toastify__toast").filter(has_text="waits for your approval").last


def saved(server: LabServer, name: str) -> Any:
    """The file's content, once it is whole: the server empties it before it writes it."""

    def whole() -> Any:
        try:
            return json.loads((server.root / name).read_text())
        except json.JSONDecodeError:
            return None

    return until(whole, f"{name} is written")


def put_out(server: LabServer, name: str, cell: int) -> list[str]:
    """The kinds of data in a cell's outputs, as the file has them."""
    return [kind for output in saved(server, name)["cells"][cell]["outputs"] for kind in output.get("data", {})]


# --- what is told -----------------------------------------------------------------------------------------------------


@pytest.mark.path
@needs_proc
def test_the_panel_and_the_status_bar_show_what_waits_and_lead_to_it(new_notebook: New, model: FakeModel) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, *["# " + "\n" * 60] * 3)
    expect(status_item(notebook)).not_to_be_visible()
    notebook.run(1).pending(1)
    waiting = row(notebook, "Waiting for you", notebook.name)
    expect(waiting).to_contain_text("step 1 waits for you")
    expect(waiting).to_contain_text(ASKED)
    expect(status_item(notebook)).to_have_text("Agents: 1 waiting")
    expect(waiting.get_by_role("button", name="Approve")).to_have_count(0)
    expect(toast(notebook.page)).to_have_count(0)  # it is in sight
    notebook.scroll_to(4)
    expect(notebook.card.el).not_to_be_in_viewport()
    waiting.get_by_role("button", name="Show").click()
    expect(notebook.card.button("Approve")).to_be_in_viewport()
    notebook.card.approve(1).approve(2).link("over")
    expect(panel(notebook).get_by_text("Waiting for you")).not_to_be_visible()
    expect(status_item(notebook)).not_to_be_visible()


HELD = "import pandas as pd\ndf = pd.DataFrame({'<b>': range(9)})\nodd = '<img src=x onerror=alert(1)>'\nanswer = 1"


@pytest.mark.parametrize("app", APPS)
def test_the_sandbox_s_variables_are_listed_and_a_click_copies_one_into_the_notebook(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says(HELD, "final_answer(42)")
    notebook = new_notebook("%%agent -o answer --imports pandas\nLook.", app=app)
    notebook.run(1).approve(1).approve(2).link("over")
    listed = panel(notebook).locator(".smolcell-panel-variable")
    expect(listed.filter(has_text="DataFrame · 9 × 1")).to_be_visible()
    listed.filter(has_text="DataFrame").locator("summary").click()
    expect(listed.filter(has_text="DataFrame").locator("th[scope=col]")).to_have_text("<b>")
    expect(listed.filter(has_text="odd").locator("img")).to_have_count(0)
    assert violations(notebook.page, "#smolcell-panel") == []
    panel(notebook).get_by_role("button", name="Copy df to the notebook").press("Enter")
    until(lambda: notebook.ask_kernel("print(len(df))").strip() == "9", "the copy is there")
    expect(notebook.page.locator(".jp-Cell .cm-content").filter(has_text="%agent pull df")).to_have_count(1)
    listed.filter(has_text="answer").locator("summary").click()
    panel(notebook).get_by_role("button", name="Copy answer to the notebook").click()
    notebook.page.get_by_role("dialog").get_by_role(
        "button", name="Cancel"
    ).click()  # it would replace the notebook's own
    assert notebook.ask_kernel("print(answer)").strip() == "42"


@pytest.mark.parametrize("app", APPS)
def test_a_run_is_stopped_from_the_panel_while_its_code_runs(new_notebook: New, model: FakeModel, app: str) -> None:
    model.says(FOREVER)
    notebook = new_notebook(TASK, app=app)
    notebook.run(1).approve(1).status(1, "running").shows("began")
    working = row(notebook, "Running", notebook.name)
    expect(working).to_contain_text("step 1 runs")
    working.get_by_role("button", name="Stop").click()
    notebook.card.link("over").shows("Stopped")
    assert "AgentStopped" in notebook.ran(1)


def test_a_run_in_another_kernel_is_shown_and_stopped_though_its_notebook_is_not_open(
    new_notebook: New, model: FakeModel
) -> None:
    model.says("print('six', 6)")
    away = new_notebook(TASK)
    away.run(1).pending(1)
    away.save()
    away.page.close()
    here = new_notebook("print('here')")
    waiting = row(here, "Waiting for you", away.name)
    expect(waiting).to_contain_text("step 1 waits for you")
    waiting.get_by_role("button", name="Stop").click()
    expect(waiting).to_have_count(0)
    until(lambda: (here.server.kernel(away.name) or {}).get("execution_state") == "idle", "the cell is over")


def test_the_runs_are_among_the_running_sessions(new_notebook: New, model: FakeModel) -> None:
    model.says("print('six', 6)")
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('jp-running-sessions')")
    sessions = notebook.page.locator("#jp-running-sessions")
    expect(sessions.get_by_text("Agent runs")).to_be_visible()
    entry = sessions.locator(".jp-RunningSessions-item").filter(has_text=ASKED)
    expect(entry).to_be_visible()
    entry.hover()
    entry.get_by_title("Stop").click()
    notebook.card.link("over").shows("Stopped")
    expect(entry).to_have_count(0)


# --- out of sight -----------------------------------------------------------------------------------------------------


def test_a_step_that_waits_in_a_hidden_tab_is_told_and_the_notification_leads_to_it(
    new_notebook: New, model: FakeModel
) -> None:
    model.gate.clear()
    model.says("print('six', 6)")
    notebook = new_notebook(TASK)
    notebook.run(1).status(1, "thinking")
    notebook.command("launcher:create")
    expect(notebook.page.locator(".jp-Notebook")).not_to_be_visible()
    model.gate.set()
    expect(toast(notebook.page)).to_contain_text(f"in {notebook.name}: {ASKED}")
    # by the keyboard: a click waits until the notification has slid in, and on a busy machine it is gone by then
    notebook.page.get_by_role("button", name="Show", exact=True).last.press("Enter")
    expect(notebook.card.button("Approve")).to_be_in_viewport()
    expect(toast(notebook.page)).to_have_count(0)


# --- the file, and a page that is loaded again ------------------------------------------------------------------------


@pytest.mark.parametrize("app", APPS)
def test_the_notebook_is_saved_when_a_step_waits_so_that_a_reload_finds_the_card(
    new_notebook: New, model: FakeModel, server: LabServer, app: str
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, app=app)
    notebook.run(1).pending(1)
    widget = "application/vnd.jupyter.widget-view+json"
    until(lambda: widget in put_out(server, notebook.name, 1), "the file has the card")
    notebook.reload()
    notebook.card.approve(1).approve(2).link("over").shows("42")


@pytest.mark.parametrize("app", APPS)
def test_a_step_that_waits_is_found_again_though_the_file_was_not_saved(
    new_notebook: New, model: FakeModel, server: LabServer, configure: Configure, app: str
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    configure("attach", saveWhenPending=False)
    notebook = new_notebook(TASK, app=app)
    notebook.run(1).pending(1)
    assert put_out(server, notebook.name, 1) == []
    notebook.reload()
    notebook.card.approve(1).approve(2).link("over").shows("42")
    assert notebook.ask_kernel("print(answer)").strip() == "42"


def test_the_card_of_a_cell_that_was_never_saved_is_shown_in_a_tab_of_its_own(
    new_notebook: New, model: FakeModel, configure: Configure
) -> None:
    model.says("final_answer(6 * 7)")
    configure("attach", saveWhenPending=False)
    notebook = new_notebook("print('only')")
    notebook.select(1)
    notebook.command("notebook:insert-cell-below")
    notebook.page.evaluate(
        "task => { window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(task); }", TASK
    )
    notebook.command("notebook:run-cell", wait=False)
    notebook.card.pending(1)
    notebook.reload()
    assert len(notebook.cells()) == 2
    row(notebook, "Waiting for you", notebook.name).get_by_role("button", name="Show").click()
    apart = notebook.page.locator(".smolcell-apart .smolcell-card")
    expect(apart).to_be_visible()
    notebook.card.approve(1).link("over").shows("42")
    notebook.command("application:close")
    assert notebook.ask_kernel("print(answer)").strip() == "42"


def test_a_file_that_changed_meanwhile_is_left_alone_without_a_question(
    new_notebook: New, model: FakeModel, server: LabServer
) -> None:
    model.gate.clear()
    model.says("final_answer(6 * 7)")
    notebook = new_notebook(TASK)
    notebook.run(1).status(1, "thinking")
    path = server.root / notebook.name
    newer = path.stat().st_mtime + 60
    os.utime(path, (newer, newer))
    model.gate.set()
    notebook.card.approve(1).link("over")
    assert put_out(server, notebook.name, 1) == []
    expect(notebook.page.get_by_role("dialog")).to_have_count(0)
