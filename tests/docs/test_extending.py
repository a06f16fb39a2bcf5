"""The examples of docs/extending.md do what the text around them says."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from smolcell.events import Allowed, Delta, Proposed, Refused, Replied
from smolcell.permit import permit
from smolcell.protocols import Answer, Executor, Message, Model
from smolcell.testing import check_executor, checks

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
SOME = () if os.environ.get("SMOLCELL_FULL") else (
    "last_expression", "streaming", "error_type_and_line", "tool_arguments", "plain_values", "permit_is_spent", "time_in_sleep",
    "interrupt_python", "forged_frames", "work_folder", "boundary", "closing_while_running", "nothing_is_left", "host_dies",
)  # fmt: skip
"""Of the conformance list, what the example's own lines could break; with SMOLCELL_FULL all of it."""

PROPOSAL = Proposed(run="r", step=1, text="1 + 1")


@pytest.fixture(scope="module")
def examples() -> dict[str, Any]:
    """The names that the page's Python blocks define, run in order."""
    names: dict[str, Any] = {"__name__": "examples"}
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(block, "extending.md", "exec"), names)
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


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The page's sandbox, as a module that other processes find too."""
    block = re.search(r"^<!-- file: plain_sandbox\.py -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    (tmp_path / "plain_sandbox.py").write_text(block[1], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plain_sandbox", raising=False)
    return importlib.import_module("plain_sandbox").PlainExecutor


@pytest.mark.slow
def test_the_executor_keeps_what_every_executor_promises(plain: Any) -> None:
    executor: Executor = plain()
    assert isinstance(executor, Executor)
    report = check_executor(plain, *SOME)
    assert set(report.states().values()) == {"passed"}


def test_the_executors_test_is_a_test_for_each_check(examples: dict[str, Any]) -> None:
    examples["test_plain"](next(check for check in checks() if check.name == "last_expression"))
    marks = examples["test_plain"].pytestmark
    assert [mark.args for mark in marks] == [("check", checks())]


def test_the_tools_check_their_arguments(examples: dict[str, Any]) -> None:
    transfer, stock = examples["transfer"], examples["Stock"]()
    assert (transfer.approve, transfer.timeout, transfer("Ann", 3)) == (True, 30, "3.00 to Ann")
    assert (stock("tea"), stock("cake")) == (40, 0)
    with pytest.raises(TypeError, match=r"stock\(item: str\) -> int: 'item' must be str, not int 3"):
        stock(3)


def test_the_view_counts_and_cannot_ask(examples: dict[str, Any]) -> None:
    view = examples["CountingView"]()
    view.show(PROPOSAL)
    assert view.seen == 1
    assert asyncio.run(view.ask(PROPOSAL)) == Answer(run="r", step=1, fingerprint=PROPOSAL.fingerprint, choice="nobody")
