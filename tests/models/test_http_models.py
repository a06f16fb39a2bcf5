"""One list of promises, for every model that speaks HTTP, against a server that misbehaves: what is answered, and what is refused."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from dialects import (
    CANARY,
    DISTINCT,
    HELLO,
    KINDS,
    LITELLM_WARNS,
    TEXT,
    Kind,
    Waits,
    ask,
    dumped,
    fault,
    parameters,
    ready,
)
from misbehaving import Answer, Server, error, serving

from smolcell.errors import ContextLengthError
from smolcell.events import Delta, Replied
from smolcell.protocols import trace_headers

pytestmark = LITELLM_WARNS


@pytest.fixture(params=parameters(KINDS), ids=lambda kind: kind.name)
def every(request: pytest.FixtureRequest) -> Kind:
    """Those too that differ by their name alone."""
    return ready(request.param)


@pytest.fixture(params=parameters(DISTINCT), ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    return ready(request.param)


# --- what works --------------------------------------------------------------------------------------------------------


def test_a_reply_is_streamed(every: Kind) -> None:
    with serving(Answer(every.good)) as server:
        deltas, replied = ask(every.model(server, temperature=0.5, max_tokens=100))
    assert "".join(delta.text for delta in deltas) == replied.text == TEXT
    assert len(deltas) == 2
    assert (replied.usage.input_tokens, replied.usage.output_tokens) == (7, 3)
    (path, headers, body), *more = server.requests
    assert (path, headers[every.key], more) == (every.path, _key(every), [])
    assert (body["stream"], body["temperature"], body["max_tokens"]) == (True, 0.5, 100)
    if every.key == "x-api-key":
        assert (body["system"][0]["text"], body["messages"][0]["content"][0]["text"]) == ("You write Python.", "hello")
    else:
        assert (body["messages"], body["stream_options"]) == (HELLO, {"include_usage": True})


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


def _key(kind: Kind) -> str:
    return f"Bearer {CANARY}" if kind.key == "authorization" else CANARY


def test_replies_come_from_any_loop_and_several_at_once(kind: Kind) -> None:
    with serving(Answer(kind.good)) as server:
        model = kind.model(server)
        assert [ask(model)[1].text for _ in range(2)] == [TEXT, TEXT]

        async def several() -> list[tuple[list[Delta], Replied]]:
            return await asyncio.gather(*(asyncio.to_thread(ask, model) for _ in range(4)))

        assert [replied.text for _, replied in asyncio.run(several())] == [TEXT] * 4


def test_a_compressed_reply_is_read(kind: Kind) -> None:
    packed = Answer(gzip.compress(kind.good), headers={"Content-Encoding": "gzip"})
    with serving(packed) as server:
        assert ask(kind.model(server))[1].text == TEXT


def test_what_a_provider_does_not_take_is_left_out_by_litellm() -> None:
    kind = ready(next(kind for kind in KINDS if kind.name == "litellm-anthropic"))
    with serving(Answer(kind.good)) as server:
        assert ask(kind.model(server, presence_penalty=1.0))[1].text == TEXT
    assert "presence_penalty" not in server.requests[0][2]


# --- statuses ----------------------------------------------------------------------------------------------------------

STATUSES = [
    (400, "request", "refused the request", False),
    (401, "key", "did not accept the key", False),
    (402, "quota", "no credit", False),
    (403, "key", "does not allow this", False),
    (404, "model", "Check the model's name", False),
    (408, "server", "timed out", True),
    (413, "context", "too long", False),
    (418, "request", "refused the request", False),
    (429, "busy", "too many requests", True),
    (500, "server", "failed", True),
    (502, "server", "failed", True),
    (503, "server", "failed", True),
    (504, "server", "failed", True),
    (529, "server", "failed", True),
]


@pytest.mark.parametrize(("status", "fault_kind", "says", "passes"), STATUSES, ids=lambda value: str(value))
def test_a_status_is_a_clear_error_and_asked_again_only_where_it_may_pass(
    kind: Kind, status: int, fault_kind: str, says: str, passes: bool
) -> None:
    failed = fault(kind, error(status, f"no good: {CANARY} \x1b[31m"), tries=4)
    assert (failed.raised.kind, failed.raised.retry) == (fault_kind, passes)
    assert says in failed.said
    assert f"({status})" in failed.said
    assert "some-model at http://127.0.0.1:" in failed.said
    assert "no good" in failed.said
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


AFTER: list[tuple[str, float | None]] = [
    ("7", 7.0),
    ("0.25", 0.25),
    ("Sun, 06 Nov 1994 08:49:37 GMT", None),
    ("-5", None),
    ("soon", None),
    ("1e9", None),
    ("", None),
]


@pytest.mark.parametrize(("after", "wait"), AFTER)
def test_retry_after_is_obeyed_where_it_makes_sense(kind: Kind, after: str, wait: float | None) -> None:
    waits = Waits()
    with serving(error(429, **{"Retry-After": after}), Answer(kind.good)) as server:
        ask(kind.model(server, retry=waits.retry()))
    (waited,) = waits.seconds
    assert waited == wait if wait is not None else 0.5 <= waited <= 1.5


def test_retry_after_may_be_a_date(kind: Kind) -> None:
    waits = Waits()
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    with serving(error(429, **{"Retry-After": then}), Answer(kind.good)) as server:
        ask(kind.model(server, retry=waits.retry()))
    assert 1 <= waits.seconds[0] <= 51


@pytest.mark.parametrize("after", ["3600", "1000000000", "9" * 25])
def test_a_server_that_wants_too_long_a_pause_is_not_waited_for(kind: Kind, after: str) -> None:
    failed = fault(kind, error(429, **{"Retry-After": after}), tries=4)
    assert (len(failed.server.requests), failed.waits) == (1, [])


def test_no_try_begins_after_a_minute(kind: Kind) -> None:
    failed = fault(kind, error(429, **{"Retry-After": "25"}), tries=4)
    assert (len(failed.server.requests), failed.waits) == (3, [25.0, 25.0])


QUOTA = {
    "error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}
}


def test_a_quota_that_is_used_up_is_not_asked_again(kind: Kind) -> None:
    failed = fault(kind, Answer(dumped(QUOTA), status=429, kind="application/json"), tries=4)
    assert (failed.raised.kind, len(failed.server.requests)) == ("quota", 1)
    assert "billing" in failed.said


CONTEXT = {
    "openai": (
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    ),
    "openai, new": (400, "Your input exceeds the context window of this model."),
    "anthropic": (400, "prompt is too long: 208310 tokens > 200000 maximum"),
    "anthropic, with max_tokens": (400, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"),
    "gemini": (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "mistral": (400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
    "groq": (400, "Please reduce the length of the messages or completion."),
    "xai": (400, "This model's maximum prompt length is 131072 but the request contains 150000 tokens."),
    "bedrock": (400, "Input is too long for requested model."),
    "cohere": (400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"),
    "moonshot": (400, "Invalid request: Your request exceeded model token limit: 8192"),
    "qwen": (400, "Range of input length should be [1, 30720]"),
    "tgi": (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193."),
    "vllm": (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    "llama.cpp": (400, "the request exceeds the available context size, try increasing it"),
    "lm studio": (400, "The model is loaded with context length of only 4096 tokens, which is not enough."),
    "github": (413, "Request body too large for gpt-4o model. Max size: 8000 tokens."),
}
"""Documented or publicly reported wordings; none of these servers was asked."""


@pytest.mark.parametrize(("status", "said"), CONTEXT.values(), ids=CONTEXT)
def test_a_conversation_that_is_too_long_is_recognized(kind: Kind, status: int, said: str) -> None:
    failed = fault(kind, error(status, said), tries=4)
    assert isinstance(failed.raised, ContextLengthError)
    assert (failed.raised.kind, len(failed.server.requests)) == ("context", 1)
    assert "--new" in failed.said


NOT_CONTEXT = {
    "max_tokens": (400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"),
    "rate": (429, "Too many tokens, please wait before trying again."),
}


@pytest.mark.parametrize(("status", "said"), NOT_CONTEXT.values(), ids=NOT_CONTEXT)
def test_what_only_sounds_like_it_is_not(kind: Kind, status: int, said: str) -> None:
    assert fault(kind, error(status, said)).raised.kind != "context"


# --- redirections ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed(kind: Kind, status: int) -> None:
    """It could carry the key, and the conversation, to a host that nobody named."""
    with serving(Answer(kind.good)) as elsewhere:
        there = elsewhere.base.replace("127.0.0.1", "localhost")
        failed = fault(kind, Answer(b"", status=status, headers={"Location": f"{there}/x"}))
        assert elsewhere.requests == []
    assert failed.raised.kind == "request"
    assert f"answers with a redirection ({status})" in failed.said


# --- what leaves nothing behind ------------------------------------------------------------------------------------------


def test_a_reply_that_is_left_early_leaves_nothing_open(kind: Kind) -> None:
    async def leave(server: Server) -> list[str]:
        items: Any = kind.model(server).reply(HELLO)
        async for _ in items:
            break
        await items.aclose()
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    with serving(Answer(kind.stream(("text", "a")), stall=True)) as server:
        assert asyncio.run(leave(server)) == []


def test_a_cancelled_reply_leaves_nothing_open(kind: Kind) -> None:
    async def cancel(server: Server) -> list[str]:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                async for _ in kind.model(server).reply(HELLO):
                    pass
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    with serving(Answer(b"", stall=True)) as server:
        assert asyncio.run(cancel(server)) == []
