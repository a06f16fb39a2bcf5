"""Fixtures of the notebook's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cells import Notebook, plain_shell


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Notebook]:
    """A notebook in a folder of its own: no provider's token, no settings file, no server of this machine."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr("smolcell.models.first_local_model", lambda servers: None)
    monkeypatch.chdir(tmp_path)
    with plain_shell() as shell:
        yield Notebook(shell, tmp_path)
