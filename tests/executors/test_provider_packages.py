"""Packages that are installed while a provider's sandbox runs: fetched by this machine, read by the code, and never written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from indexes import TOOLS, configure, plots
from provider_parts import UNCLOSED, Make, made, running

from smolcell import CodeAgent
from smolcell.errors import InterpreterError, SandboxError
from smolcell.testing import ScriptedModel

pytestmark = pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")


@pytest.fixture(params=["e2b", pytest.param("blaxel", marks=[pytest.mark.slow, UNCLOSED]), "modal"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    with running(request.param) as service, made(request.param, service) as maker:
        yield maker


@pytest.mark.slow
def test_a_running_sandbox_has_what_was_installed_and_cannot_change_it(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    executor = make(python="full")
    agent = CodeAgent([], ScriptedModel(), sandbox=executor)
    executor("kept = 1")
    assert executor.site().has_module("json")
    with closing(plots()) as index, closing(agent.installs.packages):
        configure(monkeypatch, index, tmp_path, TOOLS[0])
        plan = asyncio.run(agent.installs.install(["tinyplots"]))
        assert [each.package.version for each in plan.found] == ["1.0"]
        assert executor("import tinyplots_core; [kept, tinyplots_core.draw()]").output == [1, "tiny"]
        where = executor("tinyplots_core.__file__").output
        for path in (where, f"{Path(where).parent}/more.py"):
            with pytest.raises(InterpreterError, match=r"Read-only file system|Permission denied"):
                executor(f"open({path!r}, 'w')")
        again = make(python="full")
        again.packages = agent.installs.packages
        assert again("import tinyplots_core; tinyplots_core.draw()").output == "tiny"


def test_a_program_that_fails_there_says_why(make: Make) -> None:
    executor = make()
    executor("1")
    channel = executor._channel
    assert channel is not None
    assert channel.machine.execute("printf 'a\\nb\\n'").split() == ["a", "b"]
    with pytest.raises(SandboxError, match="no disk"):
        channel.machine.execute("echo no disk >&2; exit 3")
