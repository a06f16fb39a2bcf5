"""Pictures of JupyterLab's window: panel, status bar, notification, running sessions, palette, settings."""

from __future__ import annotations

from lab import Notebook
from playwright.sync_api import Locator, expect

from pictures.cards import SALES
from pictures.desk import Desk, Target, code

TASK = "Compute the month-over-month growth of @sales, and plot it."
REPLIES = [
    code(
        "Growth is the change against the month before, in percent.",
        "growth = sales.set_index('month').pct_change() * 100",
        "print(growth.round(1))",
    )
]
AGENT = f"%%agent -i sales -o growth --replay sales.jsonl\n{TASK}"


def waiting(desk: Desk, **options: object) -> Notebook:
    """A notebook in which a step waits."""
    desk.record("sales.jsonl", {TASK: REPLIES})
    notebook = desk.work("sales.ipynb", "%load_ext smolcell", SALES, AGENT, **options)
    notebook.card.pending(1)
    return notebook


def listed(notebook: Notebook) -> Locator:
    """The sandbox in the panel."""
    return notebook.page.locator(".smolcell-panel-row").filter(has_text="pid")


def panel(desk: Desk) -> Target:
    notebook = waiting(desk, sidebar=True, width=1200, height=800)
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('smolcell-panel')")
    expect(listed(notebook)).to_contain_text("step 1 waits for you", timeout=60_000)
    notebook.scroll_to(2)
    return notebook.page


def notification(desk: Desk) -> Target:
    desk.write("stock.ipynb", "# Another notebook", "stock = {'tea': 12, 'cake': 4}\nstock")
    notebook = waiting(desk, sidebar=True, width=1000, height=560)
    # A person's browser asks them; one without a window would have refused.
    notebook.page.context.grant_permissions(["notifications"], origin=desk.server.url)
    notebook.page.evaluate(
        "path => window.jupyterapp.commands.execute('docmanager:open', { path }).then(() => null)",
        f"{desk.name}/stock.ipynb",
    )
    toast = notebook.page.locator(".Toastify__toast").filter(has_text="waits for your approval")
    # It goes when its bar has run down, which a screenshot would not wait for.
    notebook.page.add_style_tag(content=".Toastify__progress-bar { animation: none !important; }")
    expect(toast).to_be_visible(timeout=60_000)
    expect(notebook.page.locator(".smolcell-status-item")).to_have_text("Agents: 1 waiting", timeout=60_000)
    expect(notebook.page.locator(".jp-StatusBar-Left").get_by_text("Idle")).to_be_visible(timeout=60_000)
    return notebook.page


def running(desk: Desk) -> Target:
    notebook = waiting(desk, sidebar=True, width=1000, height=740)
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('jp-running-sessions')")
    entry = notebook.page.locator("#jp-running-sessions .jp-RunningSessions-item").filter(has_text=TASK[:20])
    expect(entry).to_be_visible(timeout=60_000)
    entry.hover(force=True)
    return notebook.page


def palette(desk: Desk) -> Target:
    notebook = waiting(desk, width=1000, height=720)
    notebook.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
    notebook.command("apputils:activate-command-palette")
    box = notebook.page.locator(".lm-CommandPalette-input")
    box.fill("agents")
    shown = notebook.page.locator(".lm-CommandPalette")
    expect(shown.get_by_text("Insert Agent Cell Below")).to_be_visible(timeout=60_000)
    expect(shown.get_by_text("Notify on the Desktop")).to_be_visible(timeout=60_000)
    return shown


def settings(desk: Desk) -> Target:
    desk.write("sales.ipynb", SALES)
    notebook = desk.open("sales.ipynb", width=1000, height=800)
    notebook.page.evaluate(
        "window.jupyterapp.commands.execute('settingeditor:open', { query: 'agents' }).then(() => null)"
    )
    expect(notebook.page.get_by_role("heading", name="Agents: notifications")).to_be_visible(timeout=60_000)
    expect(notebook.page.get_by_text("On the desktop", exact=True)).to_be_visible(timeout=60_000)
    notebook.page.wait_for_timeout(1500)
    return notebook.page
