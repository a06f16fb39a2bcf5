"""A model's window, as servers list it; marks for a provider's cache; and a schema over HTTP."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any

import pytest
from dialects import Kind, items
from examples import cases
from misbehaving import Answer, chunk, error, says, serving

from smolcell.agent import CodeAgent
from smolcell.core.prompt import RESPONSE_FORMAT
from smolcell.events import Delta, Observed, Proposed, Replied, Trimmed
from smolcell.models.asking import JSON_OBJECT
from smolcell.models.capabilities import SMALL_CHARS, Windows, cached, listed_window
from smolcell.models.errors import ModelError, Retry
from smolcell.models.litellm import LiteLLMModel
from smolcell.models.openai import OpenAIModel
from smolcell.protocols import Message, Model
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

STEP = json.dumps({"thought": "Easy.", "code": "final_answer(42)"})


def listing(**fields: Any) -> Answer:
    return Answer(json.dumps({"data": [{"id": "other"}, {"id": "m", **fields}]}).encode(), kind="application/json")


# --- windows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entry", "window"), cases(__file__, "windows"))
def test_a_server_lists_its_models_window(entry: dict[str, Any], window: int | None) -> None:
    assert listed_window({"data": [{"id": "other", "context_length": 1000}, {"id": "m", **entry}]}, "m") == window


def test_what_is_no_list_says_nothing() -> None:
    for listed in (None, [], {}, {"data": 7}, {"data": [7]}, {"data": [{"id": "a"}, {"id": "b"}]}):
        assert listed_window(listed, "m") is None


def long(size: int = SMALL_CHARS) -> list[Message]:
    return [Message("user", "a" * size)]


def test_a_server_is_asked_once_and_only_for_a_conversation_that_has_grown() -> None:
    with serving(says("a"), listing=listing(max_model_len=4096)) as server:
        model, looked = OpenAIModel("m", server.base), []
        for size in (SMALL_CHARS - 1, SMALL_CHARS, SMALL_CHARS):
            items(model, long(size))
            looked.append(len(server.looked))
    assert (looked, len(server.requests), model.context_window) == ([0, 1, 1], 3, 4096)


NO_LISTS = {
    "half of one": Answer(b"{", kind="application/json"),
    "too deep": Answer(b"[" * 100_000, kind="application/json"),
    "no HTTP": Answer(raw=b"\x00\xff" * 500),
    "a redirection": Answer(b"", status=307, headers={"Location": "http://localhost:9/v1/models"}),
    "a stall before the head": Answer(head=0, stall=True),
    "never an end": Answer(b"", stall=True, drip=b" ", kind="application/json"),
}


@pytest.mark.parametrize("answer", NO_LISTS.values(), ids=NO_LISTS)
def test_a_server_that_does_not_say_is_no_fault_and_not_waited_for(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smolcell.models.openai.LIST_WAIT_SECONDS", 0.2)
    with serving(says(STEP), listing=answer) as server:
        model = OpenAIModel("m", server.base)
        sandbox = MemoryExecutor(Observed(output=42, is_final_answer=True))
        with CodeAgent(model=model, sandbox=sandbox, gate=allow_all) as agent:
            assert agent.run("a" * SMALL_CHARS) == 42
    assert (model.context_window, len(server.looked), len(server.requests)) == (None, 1, 1)


def test_the_list_is_asked_for_while_the_reply_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is shown before a server that hangs on its list has let go."""
    monkeypatch.setattr("smolcell.models.openai.LIST_WAIT_SECONDS", 60.0)

    async def first() -> Delta | Replied:
        reply: Any = OpenAIModel("m", server.base).reply(long())
        async with aclosing(reply):
            return await anext(reply)

    with serving(says("hello"), listing=Answer(head=0, stall=True, drips=10_000)) as server:
        assert asyncio.run(first()) == Delta(text="hello")


def test_a_reply_that_fails_leaves_no_question_behind() -> None:
    async def ask() -> set[str]:
        with pytest.raises(ModelError):
            async for _ in OpenAIModel("m", server.base).reply(long()):
                pass
        return {task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()}

    with serving(error(400), listing=Answer(head=0, stall=True)) as server:
        assert asyncio.run(ask()) == set()


def test_a_run_is_trimmed_before_it_outgrows_the_window_that_the_server_lists() -> None:
    program = "<code>\nx = 1\n</code>"
    does = [Observed(stdout=letter * 9000) for letter in "ab"] + [Observed(output=42, is_final_answer=True)]
    with serving(says(program), listing=listing(max_model_len=4096)) as server:
        with CodeAgent(model=OpenAIModel("m", server.base), sandbox=MemoryExecutor(*does), gate=allow_all) as agent:
            result = agent.run("t", return_full_result=True)
        last = json.dumps(server.requests[-1][2]["messages"])
    assert (result.state, [event.steps for event in result.events if isinstance(event, Trimmed)]) == ("success", [(1,)])
    assert ("a" * 9000 in last, "b" * 9000 in last) == (False, True)


class Local(ScriptedModel):
    context_window: int | None = None
    max_new_tokens = 100

    def count_tokens(self, text: str) -> int:
        if self.context_window is None:
            raise ValueError
        return len(text)


def test_a_local_models_own_tokenizer_counts_once_it_is_loaded() -> None:
    model = Local()
    windows = Windows(model)
    assert windows() is None
    model.context_window = 1000
    found = windows()
    assert found is not None
    assert (found.tokens, found.reply, found.count("abcd")) == (1000, 100, 4)
    assert Windows(ScriptedModel())() is None


# --- marks for a cache -------------------------------------------------------------------------------------------------

MARK = {"cache_control": {"type": "ephemeral"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:"}}


@pytest.mark.parametrize(
    "name", ["anthropic/claude-sonnet-4-5", "bedrock/anthropic.claude-x", "openrouter/anthropic/x"]
)
def test_anthropic_is_told_where_the_conversation_so_far_ends(name: str) -> None:
    said = {"system": "s", "user": "a", "assistant": "b"}
    messages = [*itertools.starmap(Message, said.items()), Message("user", [{"type": "text", "text": "c"}, IMAGE])]
    before = json.dumps(messages)
    assert cached(messages, name) == [
        {"role": "system", "content": [{"type": "text", "text": "s", **MARK}]},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": [{"type": "text", "text": "c"}, {**IMAGE, **MARK}]},
    ]
    assert json.dumps(messages) == before
    assert cached([Message("user", "")], name) == [{"role": "user", "content": [{"type": "text", "text": ""}]}]
    assert cached([Message("system", "s")], "gemini/gemini-2.5-flash") == [{"role": "system", "content": "s"}]


# --- a schema over HTTP ------------------------------------------------------------------------------------------------


def structured(model: Model, *does: Observed) -> CodeAgent:
    options: dict[str, Any] = {"max_steps": 3, "use_structured_outputs_internally": True}
    return CodeAgent(model=model, sandbox=MemoryExecutor(*does), gate=allow_all, **options)


ANSWER = Observed(output=42, is_final_answer=True)


def test_a_schema_is_sent_and_the_object_is_read(ours: Kind) -> None:
    with serving(says(STEP[:7], STEP[7:20], STEP[20:])) as server, structured(ours.model(server), ANSWER) as agent:
        items = list(agent.stream("t"))
        sent = server.requests[0][2]
    schema = RESPONSE_FORMAT["json_schema"]["schema"]
    spelt = {"type": "json_object", "value": schema}  # huggingface_hub spells it so for an endpoint of one's own
    assert sent["response_format"] == (RESPONSE_FORMAT if ours.name == "openai" else spelt)
    proposed = [(item.thought, item.text) for item in items if isinstance(item, Proposed)]
    assert proposed == [("Easy.", "final_answer(42)")]
    shown = "".join(item.text for item in items if isinstance(item, Delta) and item.channel == "reply")
    assert shown == "Easy.\nfinal_answer(42)"


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_takes_no_schema_is_asked_for_an_object(ours: Kind, status: int) -> None:
    with serving(error(status, "response_format: 'json_schema' is not supported"), says(STEP), says(STEP)) as server:
        with structured(ours.model(server), ANSWER, ANSWER) as agent:
            assert (agent.run("t"), agent.run("u")) == (42, 42)
        formats = [body["response_format"] for _, _, body in server.requests]
    assert len(formats[0]) == 2  # with a schema
    assert formats[1:] == [JSON_OBJECT, JSON_OBJECT]


@pytest.mark.parametrize("message", ["Unknown field: response_format", "'json_schema' is not supported by this model"])
def test_a_server_that_refuses_it_is_asked_for_text_once_and_for_all(ours: Kind, message: str) -> None:
    text = "Easy.\n<code>\nfinal_answer(42)\n</code>"
    with serving(error(400, message), error(400, message), says(text), says(text)) as server:
        with structured(ours.model(server), ANSWER, ANSWER) as agent:
            items = list(agent.stream("t"))
            assert agent.run("u") == 42
        bodies = [body for _, _, body in server.requests]
    assert ["response_format" in body for body in bodies] == [True, True, False, False]
    assert ["<code>" in json.dumps(body["messages"][0]) for body in bodies] == [False, False, True, True]
    assert "this model supports no schema for its reply, or no tools: asking for text" in [
        item.text for item in items if isinstance(item, Delta)
    ]


@pytest.mark.parametrize("cut", [1, 4, 7, 11])
def test_half_an_object_is_never_proposed(ours: Kind, cut: int) -> None:
    whole = says(STEP[:20], STEP[20:])
    answer = Answer(whole.body, cut=len(whole.body) * cut // 13)
    with serving(answer) as server, structured(ours.model(server, retry=Retry(tries=1)), ANSWER) as agent:
        result = agent.run("t", return_full_result=True)
    assert (result.state, [item for item in result.events if isinstance(item, Proposed)]) == ("error", [])


def test_an_object_that_ends_too_early_is_none_although_the_server_says_it_is_whole(ours: Kind) -> None:
    with serving(says(STEP[:-4]), says(STEP)) as server, structured(ours.model(server), ANSWER) as agent:
        result = agent.run("t", return_full_result=True)
    assert (result.state, [item.step for item in result.events if isinstance(item, Proposed)]) == ("success", [2])


def test_litellm_is_not_asked_where_it_would_leave_the_schema_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"m": {"max_input_tokens": 200_000}, "x/n": {}}
    litellm = SimpleNamespace(
        supports_response_schema=lambda model: model == "x/n",
        get_supported_openai_params=lambda model: ["response_format"] if model == "x/o" else None,
        model_cost=table,
    )
    monkeypatch.setitem(sys.modules, "litellm", litellm)
    called: list[Any] = []

    async def complete(**call: Any) -> Any:
        called.append(call.get("response_format"))

        async def chunks() -> Any:
            yield chunk("Easy.\n<code>\nfinal_answer(42)\n</code>" if called[-1] is None else STEP)
            yield chunk(finish="stop")

        return chunks()

    for name in ("x/m", "x/n", "x/o"):
        with structured(LiteLLMModel(name, complete=complete), ANSWER) as agent:
            assert agent.run("t") == 42
    assert called == [None, RESPONSE_FORMAT, JSON_OBJECT]
    assert [LiteLLMModel(name).context_window for name in ("x/m", "m", "x/n")] == [200_000, 200_000, None]
