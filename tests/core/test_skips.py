"""In CI a skip that nobody expects fails the session; anywhere else it is a skip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.skip(reason={reason!r})
def test_skipped(): pass

@pytest.mark.xfail
def test_expected_to_fail(): assert False

def test_passes(): pass
"""


@pytest.mark.parametrize(
    ("reason", "ci", "status"), [("no browser here", "1", 1), ("macOS only", "1", 0), ("no browser here", "", 0)]
)
@pytest.mark.slow
def test_an_unexpected_skip_fails_the_session_in_ci_only(
    tmp_path: Path, root: Path, reason: str, ci: str, status: int
) -> None:
    shutil.copy(root / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(TESTS.format(reason=reason))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "SMOLCELL_CI": ci, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stdout
    assert ("test_it.py::test_skipped: no browser here" in done.stdout) == bool(status)
    assert "1 passed, 1 skipped, 1 xfailed" in done.stdout
