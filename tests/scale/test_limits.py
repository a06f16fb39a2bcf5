"""Limits that jobs share: slots between processes, and requests to a model that is busy."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from http_server import Handler, Server, served

from smolcell import CodeAgent, scale
from smolcell.core.spec import AgentSpec, path_of
from smolcell.errors import SetupError
from smolcell.models.openai import OpenAIModel
from smolcell.protocols import Message
from smolcell.scale.work import LimitedModel, Slots, default_per_host, sandboxes
from smolcell.tools.tool import tool

HOLD = "import sys; from smolcell.scale.work import sandboxes\nwith sandboxes(1).one(): print('held', flush=True); sys.stdin.read()"


def test_a_slot_of_a_process_that_is_killed_is_free_again() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert sandboxes(1).take() is None
        other.kill()
    slot = sandboxes(1).take()
    assert slot is not None
    os.close(slot)


def test_no_more_slots_are_given_than_there_are(tmp_path: Path) -> None:
    slots = Slots(tmp_path, lambda: 3)
    taken = [slots.take() for _ in range(4)]
    assert taken[3] is None
    with slots.one(stopped=lambda: True) as slot:
        assert not slot
    for each in taken[:3]:
        assert each is not None
        os.close(each)
    assert default_per_host() >= 2


class Busy(Server):
    """Says that it is busy to the first requests."""

    def __init__(self, times: int) -> None:
        super().__init__(_Handler)
        self.left = times


class _Handler(Handler):
    server: Busy

    def do_POST(self) -> None:
        self.body()
        if self.server.left:
            self.server.left -= 1
            self.answer(status=429, Retry_After="0.01")
            return
        self.answer(
            'data: {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
            kind="text/event-stream",
        )


def openai(url: str) -> OpenAIModel:
    return OpenAIModel("x", api_base=f"{url}/v1", api_key="k")


async def said(model: LimitedModel) -> list[Any]:
    return [item async for item in model.reply([Message("user", "x")])]


def test_a_busy_server_halves_the_limit_and_replies_raise_it_again() -> None:
    with served(Busy(2)) as server:
        model = LimitedModel(openai(server.url), most=8)
        assert model._read()[0] == 8
        asyncio.run(said(model))
        assert 2 <= model._read()[0] < 3  # it was refused twice, and then a reply came
        for _ in range(5):
            asyncio.run(said(model))
        assert 4 <= model._read()[0] < 5
        other = LimitedModel(openai(server.url), most=8)
        assert other._read() == model._read()


def test_a_recipe_is_data_that_names_everything() -> None:
    base = "http://127.0.0.1:9/v1"
    spec = AgentSpec(model="openai/x", api_base=base, tools=("user_input",), output_type={"a": "int64"})
    assert AgentSpec.from_json(spec.to_json()) == spec
    assert hash(spec) == hash(AgentSpec.from_json(spec.to_json()))
    assert spec.expected == {"a": "int64"}
    assert AgentSpec(model="openai/x", output_type=float).expected is float
    with pytest.raises(SetupError, match="cannot be imported"):
        AgentSpec(tools=(lambda: 1,))
    with pytest.raises(SetupError, match=r"--max-steps in AgentSpec is 0"):
        AgentSpec(max_steps=0)


def test_an_agent_that_is_made_of_objects_is_no_recipe() -> None:
    @tool
    def inner() -> None:
        """Nothing."""

    with pytest.raises(SetupError, match="define it at the top of a module"):
        path_of(inner)
    agent = CodeAgent(model=openai("http://127.0.0.1:9"), final_answer_checks=[lambda answer: True])
    with agent, pytest.raises(SetupError, match="this agent has final_answer_checks"):
        agent.map(["a task"])


def test_an_agent_maps_its_recipe(tmp_path: Path) -> None:
    with served(Busy(0)) as server, CodeAgent(model=openai(server.url), max_steps=1) as agent:
        results = agent.map(["a task"], out=tmp_path / "out")
    assert isinstance(results, scale.Results)
    assert results[0]["state"] in ("max_steps_error", "error")
    assert results.spec.model == "openai/x"
