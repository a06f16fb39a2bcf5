"""A notebook that is run where no page is, as nbconvert and papermill do it: what stays in the file."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from cells import recording
from nbclient import NotebookClient

pytestmark = [pytest.mark.kernels, pytest.mark.timeout(300)]

MOST = 40_000
"""Bytes of a saved notebook with two small runs; the card's code would be more than ten times as many."""


def test_a_headless_run_leaves_its_record_and_no_widget_code(tmp_path: Path) -> None:
    replay = recording(tmp_path / "replay.jsonl", "half = 21", "final_answer(half * 2)")
    cell = f"%%agent --replay {replay} --approve auto --new -o answer\nGo."
    sources = ["%load_ext smolcell", cell, cell, "answer"]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]  # type: ignore[no-untyped-call]
    notebook = nbformat.v4.new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    saved: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    print(f"a saved headless notebook with two runs: {len(saved):,} bytes")

    kinds = [sorted(output.data) for each in notebook.cells[1:3] for output in each.outputs if output.data]
    assert kinds == [["application/vnd.smolcell.run+json", "text/html", "text/plain"]] * 2
    assert notebook.cells[3].outputs[0].data == {"text/plain": "42"}
    states = notebook.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    assert {json.dumps(each["state"].get("_esm", "")) for each in states.values()} <= {'""'}
    assert len(saved) < MOST
