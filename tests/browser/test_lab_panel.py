"""The extension in a real JupyterLab and Notebook 7: what is under way in all kernels, and the way to it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lab import APPS, PATIENCE, FakeModel, LabServer, Notebook, until
from leftovers import needs_proc, workers
from playwright.sync_api import Locator, Page, Route, expect

NewNotebook = Callable[..., Notebook]
Configure = Callable[..., None]

TASK = "%%agent -o answer\nWhat is six times seven?"
ASKED = "What is six times seven?"
FOREVER = "print('began')\nwhile True:\n    pass"
LONG = PATIENCE * 1000
AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"


def panel(notebook: Notebook) -> Locator:
    """The extension's panel, in sight."""
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('smolcell-panel')")
    found = notebook.page.locator("#smolcell-panel")
    expect(found).to_be_visible(timeout=LONG)
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


@needs_proc
def test_the_panel_and_the_status_bar_show_what_waits_and_lead_to_it(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, *["# " + "\n" * 60] * 3)
    expect(status_item(notebook)).not_to_be_visible()
    notebook.run(1)
    notebook.card.pending(1)
    waiting = row(notebook, "Waiting for you", notebook.name)
    expect(waiting).to_contain_text("step 1 waits for you", timeout=LONG)
    expect(waiting).to_contain_text(ASKED)
    expect(status_item(notebook)).to_have_text("Agents: 1 waiting", timeout=LONG)
    expect(waiting.get_by_role("button", name="Approve")).to_have_count(0)
    expect(toast(notebook.page)).to_have_count(0)  # it is in sight
    notebook.scroll_to(4)
    expect(notebook.card.el).not_to_be_in_viewport()
    waiting.get_by_role("button", name="Show").click()
    expect(notebook.card.button("Approve")).to_be_in_viewport(timeout=LONG)
    notebook.card.approve(1).approve(2).link("over")
    expect(panel(notebook).get_by_text("Waiting for you")).not_to_be_visible(timeout=LONG)
    expect(status_item(notebook)).not_to_be_visible(timeout=LONG)


@needs_proc
@pytest.mark.slow
def test_a_sandbox_is_shown_with_its_memory_and_ended_from_the_panel(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says("kept = 5\nprint('kept')")
    notebook = new_notebook(TASK)
    kernel = int(notebook.ask_kernel("import os; print(os.getpid())"))
    notebook.run(1)
    notebook.card.approve(1).status(1, "done")
    [worker] = until(lambda: workers(kernel), "the sandbox is there")
    box = row(notebook, "Sandboxes", f"pid {worker.pid}")
    told = r"State: its agent thinks\s· Age: \d+ (s|min)\s· Memory: [\d.]+ MB(?:\s· Checkpoints: \d+, part of its memory)?\s"
    told += rf"· Notebook: {re.escape(notebook.name)}$"
    expect(box.locator(".smolcell-panel-about")).to_have_text(re.compile(told), timeout=LONG)
    box.get_by_role("button", name="End").click()
    notebook.page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    until(lambda: worker.pid not in [each.pid for each in workers(kernel)], "the sandbox has ended")
    expect(box).to_have_count(0, timeout=LONG)


HELD = "import pandas as pd\ndf = pd.DataFrame({'<b>': range(9)})\nodd = '<img src=x onerror=alert(1)>'\nanswer = 1"


@pytest.mark.parametrize("app", APPS)
@pytest.mark.slow
def test_the_sandbox_s_variables_are_listed_and_a_click_copies_one_into_the_notebook(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.says(HELD, "final_answer(42)")
    notebook = new_notebook("%%agent -o answer --imports pandas\nLook.", app=app)
    notebook.run(1)
    notebook.card.approve(1).approve(2).link("over")
    listed = panel(notebook).locator(".smolcell-panel-variable")
    expect(listed.filter(has_text="DataFrame · 9 × 1")).to_be_visible(timeout=LONG)
    listed.filter(has_text="DataFrame").locator("summary").click()
    expect(listed.filter(has_text="DataFrame").locator("th[scope=col]")).to_have_text("<b>")
    expect(listed.filter(has_text="odd").locator("img")).to_have_count(0)
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = notebook.page.evaluate("axe.run('#smolcell-panel').then(result => result.violations.map(rule => rule.id))")
    assert found == []
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
def test_a_run_is_stopped_from_the_panel_while_its_code_runs(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.says(FOREVER)
    notebook = new_notebook(TASK, app=app)
    notebook.run(1)
    notebook.card.approve(1).status(1, "running").shows("began")
    working = row(notebook, "Running", notebook.name)
    expect(working).to_contain_text("step 1 runs", timeout=LONG)
    working.get_by_role("button", name="Stop").click()
    notebook.card.link("over").shows("Stopped")
    assert "AgentStopped" in notebook.ran(1)


@pytest.mark.slow
def test_a_run_in_another_kernel_is_shown_and_stopped_though_its_notebook_is_not_open(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says("print('six', 6)")
    away = new_notebook(TASK)
    away.run(1)
    away.card.pending(1)
    away.save()
    away.page.close()
    here = new_notebook("print('here')")
    waiting = row(here, "Waiting for you", away.name)
    expect(waiting).to_contain_text("step 1 waits for you", timeout=LONG)
    waiting.get_by_role("button", name="Stop").click()
    expect(waiting).to_have_count(0, timeout=LONG)
    until(lambda: (here.server.kernel(away.name) or {}).get("execution_state") == "idle", "the cell is over")


@pytest.mark.slow
def test_the_runs_are_among_the_running_sessions(new_notebook: NewNotebook, model: FakeModel) -> None:
    model.says("print('six', 6)")
    notebook = new_notebook(TASK)
    notebook.run(1)
    notebook.card.pending(1)
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('jp-running-sessions')")
    sessions = notebook.page.locator("#jp-running-sessions")
    expect(sessions.get_by_text("Agent runs")).to_be_visible(timeout=LONG)
    entry = sessions.locator(".jp-RunningSessions-item").filter(has_text=ASKED)
    expect(entry).to_be_visible(timeout=LONG)
    entry.hover()
    entry.get_by_title("Stop").click()
    notebook.card.link("over").shows("Stopped")
    expect(entry).to_have_count(0, timeout=LONG)


# --- out of sight -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_step_that_waits_in_a_hidden_tab_is_told_and_the_notification_leads_to_it(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.gate.clear()
    model.says("print('six', 6)")
    notebook = new_notebook(TASK)
    notebook.run(1)
    notebook.card.status(1, "thinking")
    notebook.command("launcher:create")
    expect(notebook.page.locator(".jp-Notebook")).not_to_be_visible(timeout=LONG)
    model.gate.set()
    expect(toast(notebook.page)).to_contain_text(f"in {notebook.name}: {ASKED}", timeout=LONG)
    # by the keyboard: a click waits until the notification has slid in, and on a busy machine it is gone by then
    notebook.page.get_by_role("button", name="Show", exact=True).last.press("Enter")
    expect(notebook.card.button("Approve")).to_be_in_viewport(timeout=LONG)
    expect(toast(notebook.page)).to_have_count(0, timeout=LONG)


# --- the file, and a page that is loaded again ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_notebook_is_saved_when_a_step_waits_so_that_a_reload_finds_the_card(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK)
    notebook.run(1)
    notebook.card.pending(1)
    widget = "application/vnd.jupyter.widget-view+json"
    until(lambda: widget in put_out(server, notebook.name, 1), "the file has the card")
    notebook.reload()
    notebook.card.approve(1).approve(2).link("over").shows("42")


@pytest.mark.slow
def test_a_save_that_fails_is_tried_again_while_the_step_waits(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    model.says("print('six', 6)")
    notebook = new_notebook(TASK)
    failed: list[str] = []
    contents = f"**/api/contents/{notebook.name}*"

    def fail(route: Route) -> None:
        failed.append(route.request.method)
        route.abort()

    notebook.page.route(contents, fail)
    notebook.run(1)
    notebook.card.pending(1)
    until(lambda: failed, "a save was tried")
    assert put_out(server, notebook.name, 1) == []
    notebook.page.unroute(contents)
    until(lambda: put_out(server, notebook.name, 1), "it was tried again")
    expect(notebook.page.get_by_role("dialog")).to_have_count(0)
    expect(notebook.page.get_by_text("could not be saved")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_a_step_that_waits_is_found_again_though_the_file_was_not_saved(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer, configure: Configure, app: str
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    configure("attach", saveWhenPending=False)
    notebook = new_notebook(TASK, app=app)
    notebook.run(1)
    notebook.card.pending(1)
    assert put_out(server, notebook.name, 1) == []
    notebook.reload()
    notebook.card.approve(1).approve(2).link("over").shows("42")
    assert notebook.ask_kernel("print(answer)").strip() == "42"


@pytest.mark.slow
def test_the_card_of_a_cell_that_was_never_saved_is_shown_in_a_tab_of_its_own(
    new_notebook: NewNotebook, model: FakeModel, configure: Configure
) -> None:
    model.says("final_answer(6 * 7)")
    configure("attach", saveWhenPending=False)
    notebook = new_notebook("print('only')")
    notebook.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
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
    expect(apart).to_be_visible(timeout=LONG)
    notebook.card.approve(1).link("over").shows("42")
    notebook.command("application:close")
    assert notebook.ask_kernel("print(answer)").strip() == "42"


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_left_alone_without_a_question(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    model.gate.clear()
    model.says("final_answer(6 * 7)")
    notebook = new_notebook(TASK)
    notebook.run(1)
    notebook.card.status(1, "thinking")
    path = server.root / notebook.name
    newer = path.stat().st_mtime + 60
    os.utime(path, (newer, newer))
    model.gate.set()
    notebook.card.approve(1).link("over")
    assert put_out(server, notebook.name, 1) == []
    expect(notebook.page.get_by_role("dialog")).to_have_count(0)


# --- Notebook 7 -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_in_notebook_7_the_panel_leads_to_the_step_and_the_notebook_is_saved(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, app="notebooks")
    notebook.run(1)
    notebook.card.pending(1)
    until(lambda: put_out(server, notebook.name, 1), "the file has the card")
    waiting = row(notebook, "Waiting for you", notebook.name)
    expect(waiting).to_contain_text("step 1 waits for you", timeout=LONG)
    waiting.get_by_role("button", name="Show").click()
    notebook.card.approve(1).approve(2).link("over").shows("42")
    expect(panel(notebook).get_by_text("Waiting for you")).not_to_be_visible(timeout=LONG)
