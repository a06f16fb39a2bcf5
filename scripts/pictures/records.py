"""Pictures of Notebook 7, and of a saved run without a kernel."""

from __future__ import annotations

import sys
from functools import partial
from subprocess import run

from lab import until
from playwright.sync_api import expect

from pictures.desk import FONTS, Desk, Target, approve, code, place_of, run_to_agent
from pictures.places import listed

TASK = "How many of the first hundred numbers are prime?"
PRIMES = "primes = [n for n in range(2, 101) if all(n % d for d in range(2, n))]"
REPLIES = [
    code("I try each divisor.", PRIMES, "print(primes[-1])", "primes[25]"),
    code("There is no such entry: there are only 25 of them.", "final_answer(len(primes))"),
]


def notebook_7(desk: Desk) -> Target:
    desk.course()
    notebook = run_to_agent(desk.open("01-first-cell.ipynb", app="notebooks", width=1200, height=860))
    notebook.card.pending(1)
    notebook.page.evaluate("() => window.jupyterapp.shell.activateById('smolcell-panel')")
    expect(listed(notebook)).to_contain_text("step 1 waits for you", timeout=60_000)
    notebook.scroll_to(place_of(notebook, "%%agent"))
    return notebook.page


def saved_run(desk: Desk) -> Target:
    desk.record("primes.jsonl", {TASK: REPLIES})
    cells = ("%load_ext smolcell", f"%%agent --approve auto --replay primes.jsonl\n{TASK}")
    notebook = desk.work("primes.ipynb", *cells, app="notebooks", width=1000, height=900)
    notebook.ran(1)
    notebook.save()
    session = next(each["id"] for each in desk.server.rest("GET", "sessions") if each["path"] == notebook.name)
    until(partial(desk.server.end_session, session), "the kernel is gone")
    notebook.reload()
    expect(notebook.page.locator(".smolcell-saved .smolcell-card")).to_be_visible(timeout=60_000)
    expect(notebook.cell(1).locator(".jupyter-widgets")).to_be_hidden(timeout=60_000)
    expect(notebook.page.get_by_text("Loading widget")).to_be_hidden(timeout=60_000)
    return notebook.page


def record_html(desk: Desk) -> Target:
    desk.course()
    notebook = run_to_agent(desk.open("01-first-cell.ipynb", width=1000, height=900))
    approve(notebook, 1, 2).link("over")
    notebook.ran(place_of(notebook, "%%agent"))
    notebook.save()
    file = desk.folder / "01-first-cell.ipynb"
    run([sys.executable, "-m", "nbconvert", "--to", "html", str(file)], check=True, capture_output=True)
    page = desk.page(1000, 1200)
    page.goto(file.with_suffix(".html").as_uri())
    page.add_style_tag(content=FONTS)
    record = page.locator(".jp-Cell").filter(has_text="%%agent -i sea").last
    record.evaluate("node => node.scrollIntoView()")
    return page
