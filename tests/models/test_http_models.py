"""One list of promises, for every model that speaks HTTP, against a server that misbehaves: what is answered, and what is refused."""

from __future__ import annotations

import asyncio
import gzip
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from dialects import CANARY, HELLO, Kind, Waits, ask, crossed, dumped, fault
from examples import cases
from misbehaving import TEXT, Answer, Server, error, serving

from smolcell.errors import ContextLengthError
from smolcell.events import Delta, Replied
from smolcell.models.errors import Source, from_status
from smolcell.protocols import trace_headers

TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

# --- what works --------------------------------------------------------------------------------------------------------


def test_a_reply_is_streamed(every: Kind) -> None:
    with serving(Answer(every.good)) as server:
        deltas, replied = ask(every.model(server, temperature=0.5, max_tokens=100, presence_penalty=1.0))
    assert "".join(delta.text for delta in deltas) == replied.text == TEXT
    assert len(deltas) == 2
    assert (replied.usage.input_tokens, replied.usage.output_tokens) == (7, 3)
    (path, headers, body), *more = server.requests
    key = f"Bearer {CANARY}" if every.key == "authorization" else CANARY
    assert (path, headers[every.key], more) == (every.path, key, [])
    assert (body["stream"], body["temperature"], body["max_tokens"]) == (True, 0.5, 100)
    if every.key == "x-api-key":
        assert (body["system"][0]["text"], body["messages"][0]["content"][0]["text"]) == ("You write Python.", "hello")
        assert "presence_penalty" not in body  # LiteLLM leaves out what a provider does not take
    else:
        assert (body["messages"], body["stream_options"]) == (HELLO, {"include_usage": True})
        assert body["presence_penalty"] == 1.0


def test_a_request_carries_the_trace_of_its_run(kind: Kind) -> None:
    traced = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    with serving(Answer(kind.good)) as server:
        token = trace_headers.set(traced)
        try:
            ask(kind.model(server))
        finally:
            trace_headers.reset(token)
        ask(kind.model(server))
    assert [headers.get("traceparent") for _, headers, _ in server.requests] == [traced["traceparent"], None]


def test_replies_come_from_any_loop_and_several_at_once(kind: Kind) -> None:
    async def several() -> list[tuple[list[Delta], Replied]]:
        return await asyncio.gather(*(asyncio.to_thread(ask, model) for _ in range(4)))

    with serving(Answer(kind.good)) as server:
        model = kind.model(server)
        assert [replied.text for _, replied in [ask(model), ask(model), *asyncio.run(several())]] == [TEXT] * 6


def test_a_compressed_reply_is_read(kind: Kind) -> None:
    packed = Answer(gzip.compress(kind.good), headers={"Content-Encoding": "gzip"})
    with serving(packed) as server:
        assert ask(kind.model(server))[1].text == TEXT


# --- statuses ----------------------------------------------------------------------------------------------------------


@crossed(TABLES["statuses"], "401", "404", "413", "429", "500", "529")
def test_a_status_is_a_clear_error_and_asked_again_only_where_it_may_pass(kind: Kind, row: Any) -> None:
    status, fault_kind, says, passes = row
    failed = fault(kind, error(status, f"no good: {CANARY} \x1b[31m"), tries=4)
    assert (failed.raised.kind, failed.raised.retry) == (fault_kind, passes)
    for words in (says, f"({status})", "some-model at http://127.0.0.1:", "no good"):
        assert words in failed.said
    assert len(failed.server.requests) == (4 if passes else 1)
    assert [delta.channel for delta in failed.seen if isinstance(delta, Delta)] == ["progress"] * len(failed.waits)
    jitter = [low <= wait <= 3 * low for low, wait in zip((0.5, 1, 2), failed.waits, strict=False)]
    assert jitter == ([True] * 3 if passes else [])


def test_what_passes_is_answered(every: Kind) -> None:
    waits = Waits()
    with serving(error(503), error(429), Answer(every.good)) as server:
        deltas, replied = ask(every.model(server, retry=waits.retry()))
    assert (replied.text, len(waits.seconds)) == (TEXT, 2)
    assert "(2 of 4)." in deltas[0].text


def test_a_refused_key_names_where_the_key_comes_from(every: Kind) -> None:
    assert fault(every, error(401)).said.endswith(("Check the key in api_key.", "Check the key in token."))


PAST = "Sun, 06 Nov 1994 08:49:37 GMT"
AFTER = {"7": (7.0, 7.0), "0.25": (0.25, 0.25), "a date": (1, 51), **dict.fromkeys((PAST, "-5", "soon", "1e9", ""))}


@crossed({after: (after, waits or (0.5, 1.5)) for after, waits in AFTER.items()}, "7", "a date", "soon")
def test_retry_after_is_obeyed_where_it_makes_sense(kind: Kind, row: Any) -> None:
    after, (least, most) = row
    if after == "a date":
        after = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    waits = Waits()
    with serving(error(429, **{"Retry-After": after}), Answer(kind.good)) as server:
        ask(kind.model(server, retry=waits.retry()))
    (waited,) = waits.seconds
    assert least <= waited <= most


PAUSES = {
    "an hour": ("3600", 1, []),
    "ages": ("1000000000", 1, []),
    "no number": ("9" * 25, 1, []),
    "no try after a minute": ("25", 3, [25.0, 25.0]),
}


@crossed(PAUSES, "an hour", "no try after a minute")
def test_a_server_that_wants_too_long_a_pause_is_not_waited_for(kind: Kind, row: Any) -> None:
    after, tries, waits = row
    failed = fault(kind, error(429, **{"Retry-After": after}), tries=4)
    assert (len(failed.server.requests), failed.waits) == (tries, waits)


QUOTA = {"error": {"message": "You exceeded your current quota", "type": "insufficient_quota"}}


def test_a_quota_that_is_used_up_is_not_asked_again(kind: Kind) -> None:
    failed = fault(kind, Answer(dumped(QUOTA), status=429, kind="application/json"), tries=4)
    assert (failed.raised.kind, len(failed.server.requests)) == ("quota", 1)
    assert "billing" in failed.said


CONTEXT = TABLES["too long"]
"""Documented or publicly reported wordings; none of these servers was asked."""


@crossed(CONTEXT, "openai", "anthropic", "qwen")
def test_a_conversation_that_is_too_long_is_recognized(kind: Kind, row: str) -> None:
    failed = fault(kind, error(400, row), tries=4)
    assert isinstance(failed.raised, ContextLengthError)
    assert (failed.raised.kind, len(failed.server.requests)) == ("context", 1)
    assert "--new" in failed.said


@pytest.mark.parametrize(("status", "said", "too_long"), cases(__file__, "status and text"))
def test_a_conversation_that_is_too_long_is_told_from_what_only_sounds_like_it(
    status: int, said: str, too_long: bool
) -> None:
    assert (from_status(Source(model="m"), status, said).kind == "context") is too_long


# --- redirections ------------------------------------------------------------------------------------------------------


def test_a_redirection_is_not_followed(every: Kind) -> None:
    """It could carry the key, and the conversation, to a host that nobody named."""
    with serving(Answer(every.good)) as elsewhere:
        there = elsewhere.base.replace("127.0.0.1", "localhost")
        for status in (301, 302, 303, 307, 308):
            failed = fault(every, Answer(b"", status=status, headers={"Location": f"{there}/x"}))
            assert failed.raised.kind == "request"
            assert f"answers with a redirection ({status})" in failed.said
        assert elsewhere.requests == []


# --- what leaves nothing behind ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cancelled", [False, True], ids=["left", "cancelled"])
def test_a_reply_that_is_left_early_leaves_nothing_open(kind: Kind, cancelled: bool) -> None:
    async def leave(server: Server) -> list[str]:
        items: Any = kind.model(server).reply(HELLO)
        first = asyncio.ensure_future(anext(items))
        while cancelled and not server.requests:
            await asyncio.sleep(0.01)
        if cancelled:
            first.cancel()
        await asyncio.wait([first])
        await items.aclose()
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    with serving(Answer(b"" if cancelled else kind.stream(("text", "a")), stall=True)) as server:
        assert asyncio.run(leave(server)) == []
