"""Tool calls by the models' own protocol: offered, put together from pieces, and answered, with every kind of server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from dialects import DISTINCT, HELLO, LITELLM_WARNS, Kind, ready
from misbehaving import Answer, chunk, event, serving

from smolcell import ToolCallingAgent, tool
from smolcell.errors import FormError
from smolcell.events import Call, Replied
from smolcell.models.fallback import FallbackModel
from smolcell.models.recording import RecordingModel
from smolcell.models.toolcalls import MOST, ToolCalls
from smolcell.testing import ScriptedModel, allow_all

pytestmark = LITELLM_WARNS
SCHEMA = {
    "type": "function",
    "function": {"name": "weather", "description": "The weather.", "parameters": {"type": "object", "properties": {}}},
}


def piece(
    index: int | None = None, name: str | None = None, arguments: Any = "", called: str | None = None
) -> dict[str, Any]:
    call: dict[str, Any] = {"function": {"arguments": arguments, **({"name": name} if name else {})}}
    return call | ({} if index is None else {"index": index}) | ({} if called is None else {"id": called})


def taken(*deltas: list[Any]) -> list[Call]:
    calls = ToolCalls()
    for given in deltas:
        calls.add({"tool_calls": given})
    return list(calls)


A, B = Call(name="a", arguments='{"x": 1}', id="1"), Call(name="b", arguments="{}", id="2")


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        (
            [[piece(0, "a", "", "1")], [piece(0, None, '{"x"')], [piece(0, None, ": 1}")], [piece(1, "b", "{}", "2")]],
            [A, B],
        ),
        ([[piece(0, "a", '{"x": 1}', "1"), piece(1, "b", "{}", "2")]], [A, B]),
        ([[piece(None, "a", '{"x": 1}', "1"), piece(None, "b", "{}", "2")]], [A, B]),
        ([[piece(None, "a", '{"x"', "1")], [piece(None, None, ": 1}")]], [A]),
        ([[piece(0, "a", '{"x": 1}', "1")], [piece(0, "b", "{}", "2")]], [A, B]),
        ([[piece(0, "a", {"x": 1}, "1")]], [A]),
        ([[piece(0, "b", "", "2")]], [B]),
        ([[None, {"function": 3}, {"index": [], "function": {"name": 4, "arguments": 5}}, "x"]], [Call(name="")]),
        ([[]], []),
    ],
)
def test_calls_are_put_together_however_a_server_sends_them(deltas: Any, calls: list[Call]) -> None:
    assert taken(*deltas) == calls


def test_calls_are_bounded() -> None:
    assert len(taken(*[[piece(n, "a", "{}", str(n))] for n in range(1000)])) == MOST


@pytest.fixture(params=[kind for kind in DISTINCT if "anthropic" not in kind.name], ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    return ready(request.param)


CALLING = b"".join(
    event(one)
    for one in (
        chunk("I look."),
        chunk(
            tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {"name": "weather", "arguments": ""}}]
        ),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"city": '}}]),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": '"Oslo"}'}}]),
        chunk(finish="tool_calls"),
        "[DONE]",
    )
)


def finished(name: str, arguments: str) -> bytes:
    call = {"index": 0, "id": "c2", "type": "function", "function": {"name": name, "arguments": arguments}}
    return b"".join(event(one) for one in (chunk(tool_calls=[call]), chunk(finish="tool_calls"), "[DONE]"))


def test_a_model_is_offered_tools_and_says_what_it_calls(kind: Kind) -> None:
    async def asked(model: Any) -> list[Any]:
        return [item async for item in model.reply(HELLO, [SCHEMA])]

    with serving(Answer(CALLING)) as server:
        *_, replied = asyncio.run(asked(kind.model(server)))
        sent = server.requests[0][2]
    assert isinstance(replied, Replied)
    assert (replied.text, replied.calls) == ("I look.", (Call(name="weather", arguments='{"city": "Oslo"}', id="c1"),))
    assert sent["tools"][0]["function"]["name"] == "weather"


@tool
def weather(city: str) -> str:
    """The weather.

    Args:
        city: where
    """
    return f"warm in {city}"


def test_a_run_calls_tools_by_protocol_from_end_to_end(kind: Kind) -> None:
    last = finished("final_answer", '{"answer": "warm"}')
    with serving(Answer(CALLING), Answer(last)) as server:
        with ToolCallingAgent([weather], kind.model(server), gate=allow_all) as agent:
            assert agent.run("How is Oslo?") == "warm"
        second = json.loads(json.dumps(server.requests[1][2]["messages"]))
    assert second[-1]["role"] == "tool" and "warm in Oslo" in str(second[-1]["content"])
    assert second[-2]["tool_calls"][0]["function"]["arguments"] == '{"city": "Oslo"}'
    assert second[-1]["tool_call_id"] == second[-2]["tool_calls"][0]["id"]


def test_a_server_without_tools_is_asked_for_text() -> None:
    refusal = Answer(
        json.dumps({"error": {"message": "some-model does not support tools"}}).encode(), 400, "application/json"
    )
    text = (
        event(chunk('{"name": "final_answer", "arguments": {"answer": 1}}'))
        + event(chunk(finish="stop"))
        + event("[DONE]")
    )
    with serving(refusal, Answer(text)) as server:
        model: Any = DISTINCT[0].model(server)
        with ToolCallingAgent([weather], model, gate=allow_all) as agent:
            assert agent.run("t") == 1
        assert ["tools" in request[2] for request in server.requests] == [True, False]
    assert model.takes_tools is False


def test_models_of_models_take_tools_where_all_do(tmp_path: Any) -> None:
    able, unable = ScriptedModel("x"), ScriptedModel("x")
    able.takes_tools = able.takes_images = True
    assert FallbackModel([able, able]).takes_tools is True
    assert (FallbackModel([able, unable]).takes_tools, FallbackModel([able, unable]).takes_images) == (False, False)
    recording = RecordingModel(able, tmp_path / "r.jsonl")
    assert (
        getattr(recording, "takes_tools", False) is False
    )  # a recording holds text: what is replayed is what was asked for
    assert recording.takes_images is True


def test_an_error_of_form_is_raised_for_tools_that_a_model_does_not_take() -> None:
    from smolcell.asking import reply_of

    async def asked() -> list[Any]:
        return [item async for item in reply_of(ScriptedModel("x"), HELLO, tools=[SCHEMA])]

    with pytest.raises(FormError, match="scripted takes no tools"):
        asyncio.run(asked())
