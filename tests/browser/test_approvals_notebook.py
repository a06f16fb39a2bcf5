"""``notebooks/02-approvals.ipynb``, followed as a person does who reads it, in a real JupyterLab."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from lab import LabServer, New, Notebook
from playwright.sync_api import expect

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def test_the_notebook_on_approvals_teaches_what_happens(new_notebook: New, server: LabServer) -> None:
    shutil.copy(NOTEBOOKS / "02-approvals.jsonl", server.root)
    cells = nbformat.read(NOTEBOOKS / "02-approvals.ipynb", as_version=4).cells
    notebook = new_notebook(*(cell.source for cell in cells if cell.cell_type == "code"))
    notebook.run(1, 2, 3)
    edit(notebook)
    notebook.run(4, 5)
    refuse(notebook)
    notebook.run(6, 7)
    approve_for_the_session(notebook)
    notebook.run(8, 9)
    notebook.card.link("over").shows("Approved by the policy.").shows("['Ada', 'Ben']")
    notebook.run(10, 11)
    card = notebook.card.approve(1).status(1, "running").shows("2")
    card.button("Stop run").click()
    card.link("over").shows("Stopped")
    notebook.ran(11)
    assert notebook.ask_kernel("print(total, usual, customers)") == "309.0 12.0 ['Ada', 'Ben']"


def edit(notebook: Notebook) -> None:
    card = notebook.card.approve(1).pending(2)
    card.button("Edit").click()
    editor = card.el.get_by_role("textbox")
    # It is a text area, or CodeMirror once that is loaded.
    written = editor.evaluate("each => each.value ?? each.innerText")
    editor.fill(written.replace("canceled", "cancelled"))
    card.offer("Run edited")
    card.link("over").shows("Edited by you. This ran:").shows("309.0")
    expect(card.el.locator(".smolcell-put-in")).to_contain_text("cancelled")
    notebook.ran(3)


def refuse(notebook: Notebook) -> None:
    card = notebook.card.pending(1)
    card.refuse("Take the median of what was paid.")
    card.approve(2).link("over").shows("Refused by you").shows("12.0")
    notebook.ran(5)


def approve_for_the_session(notebook: Notebook) -> None:
    card = notebook.card.pending(1)
    # It is offered once the code was on the screen.
    card.step(1).locator(".smolcell-controls").scroll_into_view_if_needed()
    card.offer("Approve code while the sandbox is isolated, in this session")
    card.link("over").shows("Approved by your earlier approval").shows("Dan: 250.00")
    notebook.ran(7)
