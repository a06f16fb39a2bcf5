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
from test_tutorials import SALES, SEARCH, WORDS, approved, open_copy  # noqa: F401

from smolcell.journal.verification import UNCHANGED, verify

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

pytestmark = [pytest.mark.kernels, pytest.mark.slow]


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


@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize("name", [SEARCH, SALES, WORDS])
def test_a_second_run_of_a_saved_notebook_shows_no_change(name: str, tmp_path: Path) -> None:
    notebook = open_copy(name, tmp_path)
    saved = tmp_path / f"{name}.ipynb"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    nbformat.write(notebook, saved)
    nbformat.write(nbformat.read(saved, as_version=4), tmp_path / "again.ipynb")
    assert [verify(path).status for path in (saved, tmp_path / "again.ipynb")] == [UNCHANGED, UNCHANGED]
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
