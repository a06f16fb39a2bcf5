"""Tool calls by the models' own protocol: offered, put together from pieces, and answered, with every kind of server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from dialects import DISTINCT, HELLO, Kind, Waits, items
from misbehaving import Answer, Server, chunk, error, event, serving

from smolcell import ToolCallingAgent, tool
from smolcell.errors import ResponseFormatError
from smolcell.events import Call, Observed, Proposed, Replied
from smolcell.models.fallback import FallbackModel
from smolcell.models.recording import RecordingModel
from smolcell.models.streaming import MAX_CALLS, StreamedCalls
from smolcell.testing import ScriptedModel, allow_all

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
    calls = StreamedCalls()
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


def stream(*chunks: Any) -> Answer:
    return Answer(b"".join(event(one) for one in (*chunks, "[DONE]")))


def called(*pieces: dict[str, Any]) -> list[dict[str, Any]]:
    return [chunk(tool_calls=[each]) for each in pieces]


CALLING = stream(
    chunk("I look."),
    *called(piece(0, "weather", "", "c1"), piece(0, None, '{"city": '), piece(0, None, '"Oslo"}')),
    chunk(finish="tool_calls"),
)


def finished(name: str, arguments: str) -> Answer:
    return stream(*called(piece(0, name, arguments, "c2")), chunk(finish="tool_calls"))


def test_a_model_is_offered_tools_and_says_what_it_calls(compatible: Kind) -> None:
    with serving(CALLING) as server:
        *_, replied = items(compatible.model(server), tools=[SCHEMA])
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


def run(kind: Kind, tools: Any, *answers: Answer, **options: Any) -> tuple[Any, Server]:
    """The result of a run with these tools, whose model is answered so."""
    with serving(*answers) as server, ToolCallingAgent([tools], kind.model(server, **options), gate=allow_all) as agent:
        return agent.run("How is Oslo?", return_full_result=True), server


def test_a_run_calls_tools_by_protocol_from_end_to_end(compatible: Kind) -> None:
    result, server = run(compatible, weather, CALLING, finished("final_answer", '{"answer": "warm"}'))
    assert result.output == "warm"
    asked, told = server.requests[1][2]["messages"][-2:]
    assert told["role"] == "tool" and "warm in Oslo" in str(told["content"])
    assert asked["tool_calls"][0]["function"]["arguments"] == '{"city": "Oslo"}'
    assert told["tool_call_id"] == asked["tool_calls"][0]["id"]


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


HALVES = {
    "before the arguments": (weather, [piece(0, "weather", "", "c1")]),
    "within them": (weather, [piece(0, "weather", "", "c1"), piece(0, None, '{"city": "Os')]),
    "within the second call": (
        weather,
        [piece(0, "weather", '{"city": "Rome"}', "c1"), piece(1, "weather", '{"', "c2")],
    ),
    "before arguments that may be left out": (clear, [piece(0, "clear", "", "c1")]),
}


@pytest.mark.parametrize("done", [True, False], ids=["done", "not done"])
@pytest.mark.parametrize(("called_tool", "pieces"), HALVES.values(), ids=HALVES)
def test_a_call_that_was_cut_off_is_never_made_and_asked_for_again(
    compatible: Kind, called_tool: Any, pieces: list[Any], done: bool
) -> None:
    """A proxy may end a broken stream as if the reply were over."""
    half = stream(*called(*pieces), chunk(finish="stop"))
    half.body = half.body if done else half.body.removesuffix(event("[DONE]"))
    waits, last = Waits(), finished("final_answer", '{"answer": "warm"}')
    result, server = run(compatible, called_tool, half, last, retry=waits.retry())
    assert (result.output, len(server.requests), len(waits.seconds)) == ("warm", 2, 1)
    assert [event for event in result.events if isinstance(event, Proposed | Observed)] == []


def test_a_call_without_arguments_is_whole_for_a_tool_that_takes_none(compatible: Kind) -> None:
    """Some servers send ``arguments: ""`` for ``{}``, and end with ``stop``."""
    bare = stream(*called(piece(0, "noon", "", "c1")), chunk(finish="stop"))
    result, server = run(compatible, noon, bare, finished("final_answer", '{"answer": "noon"}'))
    assert (result.output, len(server.requests)) == ("noon", 2)
    assert [call.result for call in result.steps[0].tool_calls] == ["noon"]


def test_arguments_that_are_none_are_the_models_own_where_the_server_says_that_the_calls_are_whole(
    compatible: Kind,
) -> None:
    answers = finished("weather", '{"city": '), finished("final_answer", '{"answer": 1}')
    result, server = run(compatible, weather, *answers)
    assert result.output == 1
    assert "are no JSON" in json.dumps(server.requests[1][2]["messages"])


def test_a_server_without_tools_is_asked_for_text() -> None:
    refusal = error(400, "some-model does not support tools")
    text = stream(chunk('{"name": "final_answer", "arguments": {"answer": 1}}'), chunk(finish="stop"))
    with serving(refusal, text) as server:
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
    assert not getattr(recording, "takes_tools", False)  # a recording holds text
    assert recording.takes_images is True


def test_an_error_of_form_is_raised_for_tools_that_a_model_does_not_take() -> None:
    from smolcell.models.asking import stream_reply

    async def asked() -> list[Any]:
        return [item async for item in stream_reply(ScriptedModel("x"), HELLO, tools=[SCHEMA])]

    with pytest.raises(ResponseFormatError, match="scripted supports no tools"):
        asyncio.run(asked())
