"""How a person hears of a step that waits in a browser tab that is hidden: by the tab's title, and on the desktop where they permit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lab import APPS, PATH_IN_LAB, TASK, FakeModel, LabServer, New, Notebook, until
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.usefixtures("context")  # the page is told that it is hidden, and its notifications are kept
DESKTOP = "Tell Me on the Desktop"

HIDE = """hidden => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => hidden ? 'hidden' : 'visible' });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
"""What the page sees of a tab that goes behind another one; a headless browser keeps every tab in sight."""

KEEP = """() => {
    window.told = [];
    const real = window.Notification;
    window.Notification = class extends real {
        constructor(title, options) { super(title, options); window.told.push(this); }
    };
}"""
"""The browser's own notifications are kept in `told`."""


def hide(notebook: Notebook, hidden: bool = True) -> None:
    notebook.page.evaluate(HIDE, hidden)


def title(notebook: Notebook, expected: str) -> None:
    expect(notebook.page).to_have_title(expected)


def entitled(notebook: Notebook, name: str) -> str:
    """The title after it was set to this, as the application does when a file is renamed; it sets its own when it likes."""
    notebook.page.evaluate("title => { document.title = title; }", name)
    return notebook.page.title()


def told(notebook: Notebook) -> list[Any]:
    return list(notebook.page.evaluate("() => window.told.map(({ title, body }) => [title, body])"))


def toasts(page: Page) -> Locator:
    return page.locator(".Toastify__toast")


@pytest.mark.parametrize("app", PATH_IN_LAB)
def test_the_browser_tab_s_title_says_that_a_step_waits_until_it_is_answered(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.gate.clear()
    model.says("print('six', 6)")
    notebook = new_notebook(TASK, app=app)
    before = until(lambda: next((t for t in [notebook.page.title()] if notebook.name[:-6] in t), ""), "the title")
    notebook.run(1).status(1, "thinking")
    hide(notebook)
    title(notebook, before)
    model.gate.set()
    title(notebook, f"(1 waiting) {before}")
    after = before.replace(notebook.name[:-6], f"renamed-{notebook.name[:-6]}")
    until(lambda: entitled(notebook, after) == f"(1 waiting) {after}", "the new title is marked")
    until(lambda: entitled(notebook, before) == f"(1 waiting) {before}", "the old title is marked")
    hide(notebook, False)  # now it is in sight
    title(notebook, before)
    hide(notebook)
    title(notebook, f"(1 waiting) {before}")
    notebook.command("smolcell:stop-run")
    notebook.card.link("over")
    title(notebook, before)


@pytest.mark.parametrize("app", APPS)
def test_the_desktop_is_told_once_the_person_permitted_it_by_a_click_and_its_notification_leads_to_the_step(
    new_notebook: New, model: FakeModel, configure: Callable[..., None], app: str
) -> None:
    configure("notify")  # whatever is chosen below is taken back after the test
    model.gate.clear()
    model.says("print('six', 6)", "print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, *["# " + "\n" * 60] * 3, app=app)
    page = notebook.page
    page.context.grant_permissions(["notifications"], origin=notebook.server.url)
    page.evaluate(KEEP)
    notebook.run(1).status(1, "thinking")
    hide(notebook)
    model.gate.set()
    expect(toasts(page).last).to_contain_text("waits for your approval")
    assert told(notebook) == []  # the browser permits it, the person has not chosen it
    offered = page.get_by_role("button", name=DESKTOP)
    offered.focus()
    page.keyboard.press("Enter")
    expect(offered).to_have_count(0)
    expect(page.get_by_text("You will be notified on the desktop")).to_be_visible()
    assert page.evaluate("() => window.jupyterapp.commands.isToggled('smolcell:notify-on-desktop')") is True

    hide(notebook, False)
    model.gate.clear()
    notebook.card.approve(1).status(2, "thinking")
    hide(notebook)
    model.gate.set()
    until(lambda: told(notebook), "the desktop is told")
    said = f"A step waits for your approval in {notebook.name}: What is six times seven?"
    assert told(notebook) == [["A step waits for your approval", said]]
    notebook.scroll_to(4)
    expect(notebook.card.el).not_to_be_in_viewport()
    page.evaluate("() => window.told.at(-1).dispatchEvent(new Event('click'))")
    hide(notebook, False)
    expect(notebook.card.step(2).locator(".smolcell-controls")).to_be_in_viewport()
    expect(notebook.card.el).to_be_focused()
    notebook.card.approve(2).pending(3)
    assert len(told(notebook)) == 1  # in sight, no one is told


def test_the_settings_editor_has_a_choice_for_the_desktop(
    new_notebook: New, server: LabServer, configure: Callable[..., None]
) -> None:
    configure("notify")
    page = new_notebook("x = 1", run_first=False).page
    opened = "window.jupyterapp.commands.execute('settingeditor:open', { query: 'Agents: notifications' })"
    page.evaluate(f"{opened}.then(() => null)")
    choice = page.locator("select[name$='notify_desktop']")
    expect(choice.locator("option")).to_have_text(["No, but offer it", "Yes", "No"])
    choice.select_option("Yes")
    kept = "settings/@smolcell/labextension:notify"
    until(lambda: server.rest("GET", kept, api="lab/api")["settings"].get("desktop") == "on", "the choice is kept")
