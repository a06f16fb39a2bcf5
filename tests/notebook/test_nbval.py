"""A notebook that was run without a page, compared with a second run of it by nbval."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from test_tutorials import SALES, SEARCH, WORDS, open_copy

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

pytestmark = [pytest.mark.kernels, pytest.mark.timeout(300)]


def compare(notebook: Path) -> str:
    """The last line of what pytest says of the notebook."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    done = subprocess.run(
        [*command, f"--rootdir={notebook.parent}", notebook.name],
        cwd=notebook.parent,
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
        timeout=240,
        check=False,
    )
    last = [line for line in done.stdout.splitlines() if " in " in line]
    return re.sub(r" in .*", "", last[-1]) if last else done.stdout + done.stderr


@pytest.mark.parametrize(
    "path",
    [SEARCH, *(pytest.param(path, marks=pytest.mark.slow) for path in (SALES, WORDS))],
    ids=lambda path: path.stem,
)
@pytest.mark.slow
def test_a_second_run_of_a_saved_notebook_shows_no_change(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(path, tmp_path)
    saved = tmp_path / path.name
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    nbformat.write(notebook, saved)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    assert compare(saved) == f"{cells} passed"

    (record,) = (
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {}) and "smolcell" in output.data["text/html"]
    )
    record.data["application/vnd.smolcell.run+json"]["events"][0]["task"] += " And more."
    nbformat.write(notebook, saved)
    assert compare(saved) == f"1 failed, {cells - 1} passed"
