"""The documented examples of other sandboxes; nothing but the import line differs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
from engines import DockerInTests, alive, engine
from examples import quick
from provider_parts import E2BInTests, running
from wasm_parts import installation

from smolcell.testing import ScriptedModel

FIBONACCI = """I add from the start.
<code>
a, b = 0, 1
for _ in range(100):
    a, b = b, a + b
final_answer(a)
</code>"""
EXAMPLE = """
    from smolcell import CodeAgent, InferenceClientModel

    agent = CodeAgent(model=InferenceClientModel(), tools=[], executor_type={sandbox!r})
    try:
        result = agent.run("Can you give me the 100th Fibonacci number?")
    finally:
        agent.cleanup()
    """


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A sandbox that can be had here, by its name; if there is none the test is skipped, which CI does not take."""
    name: str = request.param
    if name == "docker":
        monkeypatch.setattr("smolcell.executors.docker.DockerExecutor", DockerInTests)
        with engine():
            yield name
    elif name == "e2b":
        monkeypatch.setattr("smolcell.executors.cloud.e2b.E2BExecutor", E2BInTests)
        with running("e2b") as service:
            yield name
            assert service.alive() == set()
    else:
        installation()
        yield name


@pytest.mark.parametrize("sandbox", quick(["docker", "e2b", "wasm"], "e2b"), indirect=True)
def test_a_question_is_answered_in_it_and_nothing_is_left(sandbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    monkeypatch.setattr("smolcell.InferenceClientModel", lambda: ScriptedModel(FIBONACCI))
    before = alive() if sandbox == "docker" else set()
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(textwrap.dedent(EXAMPLE.format(sandbox=sandbox)), "example.py", "exec"), names)
    asked = names["agent"].memory.events[0]
    assert (names["result"], asked.sandbox) == (354224848179261915075, sandbox)
    if sandbox == "docker":
        assert alive() <= before
