"""One list of promises, for every model that speaks HTTP, against a server that misbehaves."""

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from misbehaving import GOOD, TEXT, USAGE, Answer, Server, chunk, error, event, serving

from smolcell.events import Delta, Replied, Usage
from smolcell.messages import Message
from smolcell.models.faults import Unanswered
from smolcell.models.huggingface import InferenceClientModel
from smolcell.models.openai import OpenAIModel
from smolcell.models.retry import Retry
from smolcell.protocols import Model

CANARY = "canary-4711-canary"
HELLO = [Message("system", "You write Python."), Message("user", "hello")]

Make = Callable[..., Model]


def openai(server: str, **kwargs: Any) -> Model:
    return OpenAIModel("some-model", server, CANARY, **kwargs)


def huggingface(server: str, **kwargs: Any) -> Model:
    return InferenceClientModel("some-model", base_url=server, token=CANARY, **kwargs)


@pytest.fixture(params=[openai, huggingface], ids=lambda make: make.__name__)
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


class Waits:
    """Keeps how long it was to wait, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def ask(model: Model, messages: list[Message] = HELLO) -> tuple[list[Delta], Replied]:
    async def collect() -> list[Delta | Replied]:
        return [item async for item in model.reply(messages)]

    *deltas, last = asyncio.run(collect())
    assert isinstance(last, Replied)
    return [delta for delta in deltas if isinstance(delta, Delta)], last


def fault(make: Make, *answers: Answer, tries: int = 1, **kwargs: Any) -> tuple[Unanswered, Server, list[Delta]]:
    """What is raised, what was asked, and what was yielded before."""
    seen: list[Delta] = []

    async def collect(model: Model) -> None:
        async for item in model.reply(HELLO):
            assert isinstance(item, Delta), "half a reply was yielded as a whole one"
            seen.append(item)

    with serving(*answers) as server, pytest.raises(Unanswered) as caught:
        asyncio.run(collect(make(server.base, retry=Retry(tries=tries, sleep=Waits()), **kwargs)))
    assert CANARY not in f"{caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None
    return caught.value, server, seen


# --- what works --------------------------------------------------------------------------------------------------------


def test_a_reply_is_streamed(make: Make) -> None:
    with serving(Answer()) as server:
        deltas, replied = ask(make(server.base, temperature=0.5, max_tokens=100))
    assert "".join(delta.text for delta in deltas).split() == TEXT.split()
    assert replied.usage == Usage(input_tokens=7, output_tokens=3)
    assert replied.model == "m-1"
    (path, headers, body), *_ = server.requests
    assert (path, headers["authorization"]) == ("/v1/chat/completions", f"Bearer {CANARY}")
    assert body["messages"] == HELLO
    assert (body["stream"], body["stream_options"]) == (True, {"include_usage": True})
    assert (body["temperature"], body["max_tokens"]) == (0.5, 100)


def test_reasoning_is_kept_apart(make: Make) -> None:
    body = event(chunk(reasoning_content="hm")) if make is openai else event(chunk(reasoning="hm"))
    with serving(Answer(body + GOOD)) as server:
        deltas, replied = ask(make(server.base))
    assert deltas[0] == Delta(text="hm", channel="reasoning")
    assert replied.reasoning == "hm"
    assert "hm" not in replied.text


def test_a_stream_without_usage_or_end_mark_is_whole_when_it_says_why_it_ended(make: Make) -> None:
    with serving(Answer(event(chunk("a")) + event(chunk(finish="stop")))) as server:
        assert ask(make(server.base))[1] == Replied(text="a", model="m-1")


def test_replies_come_from_any_loop_and_several_at_once(make: Make) -> None:
    with serving(Answer()) as server:
        model = make(server.base)
        for _ in range(2):
            assert ask(model)[1].text.startswith("Thought")

        async def several() -> list[tuple[list[Delta], Replied]]:
            return await asyncio.gather(*(asyncio.to_thread(ask, model) for _ in range(4)))

        assert len(asyncio.run(several())) == 4


def test_a_reply_that_is_left_early_leaves_nothing_open(make: Make) -> None:
    async def leave(model: Model) -> None:
        items = model.reply(HELLO)
        async for _ in items:
            break
        await items.aclose()  # type: ignore[attr-defined]

    with serving(Answer(event(chunk("a")), stall=True)) as server:
        asyncio.run(leave(make(server.base)))


def test_a_cancelled_reply_leaves_nothing_open(make: Make) -> None:
    async def cancel(model: Model) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                async for _ in model.reply(HELLO):
                    pass

    with serving(Answer(b"", stall=True)) as server:
        asyncio.run(cancel(make(server.base)))


# --- what fails ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (400, "request", "refused the request"),
        (401, "key", "did not accept the key"),
        (402, "quota", "no credit"),
        (403, "key", "does not allow this"),
        (404, "model", "Check the model's name"),
        (408, "server", "timed out"),
        (413, "context", "too long"),
        (418, "request", "refused the request"),
        (429, "busy", "too many requests"),
        (500, "server", "failed"),
        (503, "server", "failed"),
        (529, "server", "failed"),
    ],
)
def test_a_status_is_a_clear_error(make: Make, status: int, kind: str, says: str) -> None:
    raised, _, seen = fault(make, error(status, f"no good: {CANARY} \x1b[31m"))
    assert (raised.kind, seen) == (kind, [])
    assert says in str(raised)
    assert f"({status})" in str(raised)
    assert "some-model at http://127.0.0.1:" in str(raised)
    assert str(raised).endswith(".")
    assert "\x1b" not in str(raised)


def test_a_refused_key_names_where_the_key_comes_from(make: Make) -> None:
    assert str(fault(make, error(401))[0]).endswith(("Check the key in api_key.", "Check the key in token."))


@pytest.mark.parametrize("status", [400, 422])
def test_a_conversation_that_is_too_long_is_told_apart(make: Make, status: int) -> None:
    said = "This model's maximum context length is 8192 tokens. However, you requested 9000"
    if make is openai:
        raised = fault(make, error(status, said))[0]
        assert (raised.kind, said in str(raised)) == ("context", True)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_asked_again(make: Make, status: int) -> None:
    with serving(error(status), error(status), Answer()) as server:
        waits = Waits()
        deltas, replied = ask(make(server.base, retry=Retry(sleep=waits)))
    assert replied.text.startswith("Thought")
    assert [0.5 <= waits.seconds[0] <= 1.5, 1 <= waits.seconds[1] <= 3, len(waits.seconds)] == [True, True, 2]
    assert [delta.channel for delta in deltas[:3]] == ["progress", "progress", "reply"]
    assert "(2 of 4)." in deltas[0].text


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_will_not_pass_is_not(make: Make, status: int) -> None:
    assert len(fault(make, error(status), Answer(), tries=4)[1].requests) == 1


def test_four_tries_are_enough(make: Make) -> None:
    raised, server, seen = fault(make, error(500), tries=4)
    assert (len(server.requests), len(seen), raised.kind) == (4, 3, "server")


def test_retry_after_is_obeyed(make: Make) -> None:
    with serving(error(429, **{"Retry-After": "7"}), Answer()) as server:
        waits = Waits()
        ask(make(server.base, retry=Retry(sleep=waits)))
    assert waits.seconds == [7.0]


def test_a_server_that_wants_too_long_a_pause_is_not_waited_for(make: Make) -> None:
    assert len(fault(make, error(429, **{"Retry-After": "3600"}), Answer(), tries=4)[1].requests) == 1


def test_a_cut_stream_is_no_reply_wherever_it_is_cut(make: Make) -> None:
    """The finish reason stands near the end: up to there, no cut may give a reply."""
    ended = GOOD.index(b'"finish_reason": "stop"')
    for cut in range(0, len(GOOD), 10 if make is openai else 60):
        if cut <= ended:
            raised, _, seen = fault(make, Answer(cut=cut))
            assert raised.kind == "stream", cut
            assert TEXT.startswith("".join(delta.text for delta in seen)) or make is huggingface
        else:
            with serving(Answer(cut=cut)) as server:
                if make is openai and cut > ended + 30:
                    assert ask(make(server.base))[1].text == TEXT


def test_nothing_is_asked_again_once_text_was_shown(make: Make) -> None:
    raised, server, seen = fault(make, Answer(cut=GOOD.index(b"print")), Answer(), tries=4)
    assert (raised.kind, len(server.requests), len(seen)) == ("stream", 1, 1)


def test_a_stream_that_was_cut_before_any_text_is_asked_again(make: Make) -> None:
    with serving(Answer(cut=3), Answer()) as server:
        assert ask(make(server.base, retry=Retry(sleep=Waits())))[1].text.startswith("Thought")


@pytest.mark.parametrize("body", [b"", event(chunk("a"))])
def test_a_stall_ends(make: Make, body: bytes) -> None:
    raised = fault(make, Answer(body, stall=True), timeout=0.3)[0]
    assert (raised.kind, "sent nothing for" in str(raised)) == ("stall", True)


@pytest.mark.parametrize(
    "body",
    [
        b"data: {not json\n\n",
        b"data: 7\n\n",
        b'data: {"choices": "none"}\n\n',
        b"hello\n",
        b"\xff\xfe\x00",
        b"",
        event("[" * 100_000),
    ],
)
def test_what_is_no_stream_of_replies_is_a_clear_error(make: Make, body: bytes) -> None:
    raised, _, seen = fault(make, Answer(body))
    assert seen == []
    assert raised.kind in ("stream", "server")


def test_an_error_within_the_stream_is_reported(make: Make) -> None:
    raised, _, seen = fault(make, Answer(event(chunk("a")) + event({"error": {"message": "out of memory"}})))
    assert "out of memory" in str(raised)
    assert len(seen) == 1


def test_empty_choices_are_no_reply(make: Make) -> None:
    raised = fault(make, Answer(event(USAGE) + event("[DONE]")))[0]
    assert raised.kind in ("stream",)


def test_a_reply_at_the_token_limit_is_no_program(make: Make) -> None:
    raised = fault(make, Answer(event(chunk("import os")) + event(chunk(finish="length")) + event("[DONE]")))[0]
    assert (raised.kind, "max_tokens" in str(raised)) == ("length", True)


def test_a_filtered_reply_is_a_refusal(make: Make) -> None:
    assert fault(make, Answer(event(chunk("I", finish="content_filter"))))[0].kind == "refusal"


def test_a_server_that_is_not_there(make: Make) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(Unanswered, match=r"cannot be reached.* Check that the server is running") as caught:
        ask(make(base))
    assert caught.value.kind == "connection"


def test_a_name_that_is_not_known(make: Make) -> None:
    with pytest.raises(Unanswered, match=r"(address that is not known|cannot be reached)") as caught:
        ask(make("http://no-such-host.invalid/v1", timeout=5, retry=Retry(tries=1)))
    assert caught.value.kind == "connection"


def test_a_server_without_tls(make: Make) -> None:
    with serving(Answer(raw=b"HTTP/1.1 400 Bad Request\r\n\r\n")) as server, pytest.raises(Unanswered) as caught:
        server.RequestHandlerClass = NotTls  # type: ignore[assignment]
        ask(make(server.base.replace("http:", "https:"), retry=Retry(tries=1)))
    assert "securely (TLS)" in str(caught.value)


class NotTls:
    def __init__(self, request: socket.socket, *_: object) -> None:
        request.recv(65536)
        request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


# --- what only some servers do ---------------------------------------------------------------------------------------------


def test_a_server_that_does_not_stream_is_understood() -> None:
    whole = {"model": "m-1", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": None}
    with serving(Answer(json.dumps(whole).encode(), kind="application/json; charset=utf-8")) as server:
        assert ask(openai(server.base)) == ([Delta(text="hi")], Replied(text="hi", model="m-1"))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"{"])
def test_plain_json_that_is_no_reply(body: bytes) -> None:
    assert fault(openai, Answer(body, kind="application/json"))[0].kind == "stream"


def test_a_web_page_is_no_reply() -> None:
    raised = fault(openai, Answer(b"<html>", kind="text/html"))[0]
    assert "a web page" in str(raised)
    assert "usually ends in /v1" in str(raised)


def test_a_redirection_says_what_to_do() -> None:
    assert "redirection (301)" in str(fault(openai, Answer(b"", status=301, headers={"Location": "/x"}))[0])


def test_an_older_server_is_asked_again_without_stream_options() -> None:
    with serving(error(400, "unknown field stream_options"), Answer()) as server:
        deltas, _ = ask(openai(server.base, retry=Retry(sleep=Waits())))
    assert ["stream_options" in body for _, _, body in server.requests] == [True, False]
    assert deltas[0].channel == "progress"


def test_parts_and_thinking_are_read() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi"}, 7]
    with serving(Answer(event(chunk(content=parts)) + event(chunk(finish="stop")))) as server:
        replied = ask(openai(server.base))[1]
    assert (replied.text, replied.reasoning) == ("hi", "hm")


def test_a_refusal_is_told() -> None:
    raised = fault(openai, Answer(event(chunk(refusal="I cannot")) + event(chunk(finish="stop"))))[0]
    assert (raised.kind, "I cannot" in str(raised)) == ("refusal", True)


def test_tools_that_were_not_offered_are_left_out() -> None:
    body = event(chunk(tool_calls=[{"function": {"name": "rm"}}])) + event(chunk(finish="tool_calls"))
    with serving(Answer(body)) as server:
        deltas, replied = ask(openai(server.base))
    assert (deltas[-1].channel, replied.text) == ("progress", "")


def test_comments_that_keep_a_connection_alive_are_nothing_new() -> None:
    raised = fault(openai, Answer(b": wait\n\n", stall=True, drip=b": still here\n\n"), timeout=0.3)[0]
    assert (raised.kind, "sent nothing for 0.3 s" in str(raised)) == ("stall", True)


def test_a_lost_connection_after_the_end_costs_only_the_usage() -> None:
    body = event(chunk("hi")) + event(chunk(finish="stop"))
    with serving(Answer(body + b"data: {", cut=len(body) + 3)) as server:
        assert ask(openai(server.base))[1] == Replied(text="hi", model="m-1")


def test_no_key_appears_anywhere(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(error(401, f"Incorrect API key provided: {CANARY}")) as server:
        model = make(server.base)
        with pytest.raises(Unanswered) as caught:
            ask(model)
    link: BaseException | None = caught.value
    while link is not None:
        assert CANARY not in f"{link!r} {link}"
        link = link.__cause__
    assert CANARY not in repr(model)
