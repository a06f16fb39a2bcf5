"""Pictures of cells: the editor of an agent cell, what is written into other cells, what a magic prints."""

from __future__ import annotations

from lab import until
from playwright.sync_api import expect

from pictures.cards import SALES, first
from pictures.desk import Desk, Target, approve, code, place_of


def agent_cell(desk: Desk) -> Target:
    desk.write(
        "cells.ipynb",
        SALES,
        "%%agent -i sales -o growth --aprove\nCompute the *month-over-month* growth of @sales:\n\n"
        "- in **percent**, one decimal\n- plotted as `bars`",
    )
    notebook = desk.open("cells.ipynb", width=900)
    expect(notebook.cell(1).locator(".smolcell-option-wrong")).to_be_visible(timeout=60_000)
    notebook.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
    return notebook.cell(1)


def completion(desk: Desk) -> Target:
    desk.write("cells.ipynb", SALES, "")
    notebook = desk.open("cells.ipynb", width=900)
    notebook.run(0)
    notebook.ran(0)
    notebook.cell(1).locator(".cm-content").click()
    notebook.page.keyboard.type("%%agent -i sales --m")
    notebook.page.keyboard.press("Tab")
    offered = notebook.page.locator(".jp-Completer")
    expect(offered).to_be_visible(timeout=60_000)
    return [notebook.cell(1), offered]


def explain(desk: Desk) -> Target:
    desk.write("stock.ipynb", STOCK)
    notebook = desk.open("stock.ipynb", width=900, height=1000)
    notebook.run(0)
    notebook.ran(0)
    notebook.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
    button = notebook.cell(0).get_by_role("button", name="about this cell and its error")
    button.click()
    until(lambda: len(notebook.cells()) > 1, "a cell was written")
    notebook.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
    button.hover()
    return [notebook.cell(0), notebook.cell(1)]


STOCK = 'prices = {"tea": 2.5, "cake": 4.0}\ntotal = sum(prices[item] for item in ["tea", "coffee"])'
MENDED = 'prices = {"tea": 2.5, "cake": 4.0}\ntotal = sum(prices.get(item, 0.0) for item in ["tea", "coffee"])'


def mended(desk: Desk) -> Target:
    desk.write("stock.ipynb", "%load_ext smolcell", STOCK)
    notebook = desk.open("stock.ipynb", width=900, height=1800)
    for index in (0, 1):
        notebook.run(index)
        notebook.ran(index)
    notebook.command("smolcell:explain-cell", wait=False)
    until(lambda: len(notebook.cells()) > 2, "a cell was written")
    options, _, task = notebook.cells()[2]["source"].partition("\n")
    notebook.page.evaluate(
        "text => { window.jupyterapp.shell.currentWidget.content.model.sharedModel.getCell(2).setSource(text); }",
        f"{options} --replay stock.jsonl\n{task}",
    )
    said = f"There is no price for `coffee`. What has none counts as 0 here:\n\n```python\n{MENDED}\n```"
    replies = [code("I count what has no price as 0.", MENDED), code("That runs.", f"final_answer({said!r})")]
    desk.record("stock.jsonl", {task: replies})
    notebook.run(2)
    card = approve(notebook, 1, 2).link("over")
    expect(card.button("Replace the cell")).to_be_visible(timeout=60_000)
    notebook.ran(2)
    return [card.el.locator(".smolcell-answer"), card.el.locator(".smolcell-mend")]


def export(desk: Desk) -> Target:
    notebook = first(desk, width=1150, height=1700)
    at = place_of(notebook, "%%agent")
    approve(notebook, 1, 2).link("over")
    notebook.ran(at)
    before = len(notebook.cells())
    notebook.card.button("Write steps as cells").click()
    until(lambda: len(notebook.cells()) > before, "the steps are cells")
    written = len(notebook.cells()) - before
    notebook.scroll_to(at + written)
    return [notebook.card.el.locator(".smolcell-export"), notebook.cell(at + written)]


def sandboxes(desk: Desk) -> Target:
    notebook = first(desk, width=1100, height=900)
    at = place_of(notebook, "%%agent")
    approve(notebook, 1, 2).link("over")
    notebook.ran(at)
    notebook.page.evaluate(
        "at => { const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel;"
        " cells.insertCell(at, { cell_type: 'code', source: '%agent sandboxes' }); }",
        at + 1,
    )
    notebook.run(at + 1)
    notebook.ran(at + 1)
    notebook.scroll_to(at + 1)
    return notebook.cell(at + 1)
