"""Tool calls by the models' own protocol: offered, put together from pieces, and answered, with every kind of server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from dialects import DISTINCT, HELLO, LITELLM_WARNS, Kind, Waits, parameters, ready
from misbehaving import Answer, chunk, event, serving

from smolcell import ToolCallingAgent, tool
from smolcell.errors import ResponseFormatError
from smolcell.events import Call, Observed, Proposed, Replied
from smolcell.models.fallback import FallbackModel
from smolcell.models.recording import RecordingModel
from smolcell.models.streaming import MAX_CALLS, ToolCalls
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
    assert len(taken(*[[piece(n, "a", "{}", str(n))] for n in range(1000)])) == MAX_CALLS


@pytest.fixture(
    params=parameters([kind for kind in DISTINCT if "anthropic" not in kind.name], slow="litellm"),
    ids=lambda kind: kind.name,
)
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


HALVES = {
    "before the arguments": [piece(0, "weather", "", "c1")],
    "within the arguments": [piece(0, "weather", "", "c1"), piece(0, None, '{"city": "Os')],
    "within the second call": [piece(0, "weather", '{"city": "Rome"}', "c1"), piece(1, "weather", '{"ci', "c2")],
}


@pytest.mark.parametrize("end", [[chunk(finish="stop"), "[DONE]"], [chunk(finish="stop")]], ids=["done", "not done"])
@pytest.mark.parametrize("pieces", HALVES.values(), ids=HALVES)
def test_a_call_that_was_cut_off_is_never_made_and_asked_for_again(
    kind: Kind, pieces: list[Any], end: list[Any]
) -> None:
    """A proxy may end a broken stream as if the reply were over."""
    half = b"".join(event(one) for one in (*(chunk(tool_calls=[one]) for one in pieces), *end))
    last, waits = finished("final_answer", '{"answer": "warm"}'), Waits()
    with (
        serving(Answer(half), Answer(last)) as server,
        ToolCallingAgent([weather], kind.model(server, retry=waits.retry()), gate=allow_all) as agent,
    ):
        result = agent.run("How is Oslo?", return_full_result=True)
    assert (result.output, len(server.requests), len(waits.seconds)) == ("warm", 2, 1)
    assert [event for event in result.events if isinstance(event, Proposed | Observed)] == []


@tool
def noon() -> str:
    """The time of day."""
    return "noon"


@tool
def clear(folder: str = ".") -> str:
    """Clear a folder.

    Args:
        folder: which
    """
    return f"cleared {folder}"


BARE = [chunk(finish="stop"), "[DONE]"]


def test_a_call_without_arguments_is_whole_for_a_tool_that_takes_none(kind: Kind) -> None:
    """Some servers send ``arguments: ""`` for ``{}``, and end with ``stop``."""
    called = b"".join(event(one) for one in (chunk(tool_calls=[piece(0, "noon", "", "c1")]), *BARE))
    with (
        serving(Answer(called), Answer(finished("final_answer", '{"answer": "noon"}'))) as server,
        ToolCallingAgent([noon], kind.model(server), gate=allow_all) as agent,
    ):
        result = agent.run("t", return_full_result=True)
    assert (result.output, len(server.requests)) == ("noon", 2)
    assert [call.result for call in result.steps[0].tool_calls] == ["noon"]


def test_a_call_without_arguments_is_cut_off_for_a_tool_that_may_take_some(kind: Kind) -> None:
    called = b"".join(event(one) for one in (chunk(tool_calls=[piece(0, "clear", "", "c1")]), *BARE))
    with (
        serving(Answer(called), Answer(finished("final_answer", '{"answer": 1}'))) as server,
        ToolCallingAgent([clear], kind.model(server, retry=Waits().retry()), gate=allow_all) as agent,
    ):
        result = agent.run("t", return_full_result=True)
    assert result.output == 1
    assert [event for event in result.events if isinstance(event, Proposed | Observed)] == []


def test_arguments_that_are_none_are_the_models_own_where_the_server_says_that_the_calls_are_whole(kind: Kind) -> None:
    with (
        serving(Answer(finished("weather", '{"city": ')), Answer(finished("final_answer", '{"answer": 1}'))) as server,
        ToolCallingAgent([weather], kind.model(server), gate=allow_all) as agent,
    ):
        assert agent.run("t") == 1
    assert "are no JSON" in json.dumps(server.requests[1][2]["messages"])


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
    from smolcell.models.asking import stream_reply

    async def asked() -> list[Any]:
        return [item async for item in stream_reply(ScriptedModel("x"), HELLO, tools=[SCHEMA])]

    with pytest.raises(ResponseFormatError, match="scripted supports no tools"):
        asyncio.run(asked())
