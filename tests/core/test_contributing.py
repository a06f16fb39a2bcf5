"""The examples of CONTRIBUTING.md do what the text around them says."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from smolcell.errors import PermitError
from smolcell.events import Allowed, Boundary, Delta, Fault, Observed, Proposed, Refused, Replied
from smolcell.messages import Message
from smolcell.permit import permit
from smolcell.protocols import Answer, Executor, Model

PROPOSAL = Proposed(run="r", step=1, text="1 + 1")


@pytest.fixture(scope="module")
def examples() -> dict[str, Any]:
    """The names that the page's Python blocks define, run in order."""
    page = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "examples"}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    return names


async def no_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    raise AssertionError("no tool is called")


def test_the_model_streams_and_ends_with_its_reply(examples: dict[str, Any]) -> None:
    model: Model = examples["UpperModel"]()

    async def replies() -> list[Delta | Replied]:
        return [piece async for piece in model.reply([Message("user", "say it")])]

    assert isinstance(model, Model)
    assert asyncio.run(replies()) == [Delta(text="SAY "), Delta(text="IT "), Replied(text="SAY IT", model="upper/1")]


def test_the_gate_refuses_long_programs_and_asks_the_inner_one_about_the_rest(examples: dict[str, Any]) -> None:
    async def inner(proposal: Proposed) -> Allowed | Refused:
        return permit(proposal, by="person")

    gate = examples["short_only"](inner, lines=1)
    allowed = asyncio.run(gate(PROPOSAL))
    refused = asyncio.run(gate(Proposed(run="r", step=1, text="1\n2")))
    assert isinstance(allowed, Allowed)
    assert allowed.text == "1 + 1"
    assert refused == Refused(run="r", step=1, reason="write at most 1 lines a step", by="policy", then="continue")


def test_the_executor_spends_its_permit_once(examples: dict[str, Any]) -> None:
    executor: Executor = examples["NowhereExecutor"]()
    allowed = permit(PROPOSAL, by="person")
    fault = Fault(kind="sandbox", type="SandboxError", message="nowhere to run 5 characters")
    assert isinstance(executor, Executor)
    assert executor.boundary() == Boundary(sandbox="nowhere", where="nowhere", isolated=False)
    assert asyncio.run(executor.run(allowed, print, no_tool)) == Observed(run="r", step=1, error=fault)
    with pytest.raises(PermitError):
        asyncio.run(executor.run(allowed, print, no_tool))


def test_the_view_counts_and_has_nobody(examples: dict[str, Any]) -> None:
    view = examples["CountingView"]()
    view.show(PROPOSAL)
    assert view.seen == 1
    assert asyncio.run(view.ask(PROPOSAL)) == Answer(run="r", step=1, fingerprint=PROPOSAL.fingerprint, choice="nobody")
