from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from persons import Person

from smolcell import CodeAgent
from smolcell.approval import policy
from smolcell.approval.gates import create_gate
from smolcell.testing import ScriptedModel


@pytest.fixture
def new_agent() -> Iterator[Callable[..., CodeAgent]]:
    """Makes agents in a local sandbox: the model writes these programs, this person is asked. Closed after the test."""
    with ExitStack() as stack:

        def new(person: Person, *programs: str, mode: str = "ask", **options: Any) -> CodeAgent:
            model = ScriptedModel(*(f"<code>\n{program}\n</code>" for program in programs))
            agent = CodeAgent(**{"model": model, "gate": create_gate(mode, person), "view": person, **options})
            stack.callback(agent.cleanup)
            return agent

        yield new


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder in which ``etc.toml`` is the administrator's policy, and ``own/smolcell.toml`` the person's."""
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "own"))
    monkeypatch.setattr(policy, "ADMINISTRATORS_FILE", tmp_path / "etc.toml")
    monkeypatch.setattr(policy, "not_only_roots", lambda path: "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    return tmp_path
