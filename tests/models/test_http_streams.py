"""The same list of promises, continued: replies that break off, stall, never end or are no replies, and servers that are not there."""

from __future__ import annotations

import asyncio
import contextlib
import math
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest
from dialects import (
    DISTINCT,
    HELLO,
    KINDS,
    LITELLM_WARNS,
    SAID,
    TEXT,
    Failed,
    Kind,
    Waits,
    ask,
    dumped,
    failure,
    fault,
    parameters,
    ready,
)
from misbehaving import Answer, Server, chunk, event, serving

from smolcell.events import Delta, Replied, Usage
from smolcell.models.errors import ModelError, Retry
from smolcell.models.streaming import MAX_REPLY_CHARS

pytestmark = LITELLM_WARNS


@pytest.fixture(params=parameters(DISTINCT, slow="litellm"), ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    return ready(request.param)


@pytest.fixture(
    params=parameters([kind for kind in DISTINCT if "anthropic" not in kind.name], slow="litellm"),
    ids=lambda kind: kind.name,
)
def compatible(request: pytest.FixtureRequest) -> Kind:
    """Whoever speaks OpenAI's protocol."""
    return ready(request.param)


@pytest.fixture(params=[kind for kind in DISTINCT if not kind.litellm], ids=lambda kind: kind.name)
def ours(request: pytest.FixtureRequest) -> Kind:
    """Whose stream is read here and not by LiteLLM."""
    return ready(request.param)


def reply(kind: Kind, answer: Answer, **kwargs: Any) -> tuple[list[Delta], Replied]:
    with serving(answer) as server:
        return ask(kind.model(server, **kwargs))


# --- a stream that breaks off ----------------------------------------------------------------------------------------------


def test_a_cut_stream_is_no_reply_wherever_it_is_cut(kind: Kind) -> None:
    """Whether the connection is lost or ends in good order: before the reason of the end, there is no reply."""
    ended = kind.good.index(b'"end_turn"' if b'"end_turn"' in kind.good else b'"finish_reason": "stop"')
    for number, cut in enumerate(range(0, len(kind.good), 10 if kind is KINDS[0] else 30)):
        lost, ordered = Answer(kind.good, cut=cut), Answer(kind.good[:cut])
        for answer in (lost, ordered) if kind is KINDS[0] else ((lost, ordered)[number % 2],):
            if cut <= ended:
                failed = fault(kind, answer)
                assert failed.raised.kind == "stream", cut
                assert TEXT.startswith("".join(item.text for item in failed.seen)), cut
            else:
                assert whole_or_nothing(kind, answer), cut


def whole_or_nothing(kind: Kind, answer: Answer) -> bool:
    """After the reason of the end only the count of tokens may be missing; within its event, it was read or it was not."""
    with serving(answer) as server:
        try:
            return ask(kind.model(server, retry=Waits().retry(1)))[1].text == TEXT
        except ModelError as error:
            return error.kind == "stream"


BROKEN = "A partial reply was discarded, and the model was asked again."


@pytest.mark.parametrize("lost", [True, False], ids=["the connection is lost", "the stream ends"])
def test_a_stream_that_breaks_off_after_text_is_discarded_and_asked_again(kind: Kind, lost: bool) -> None:
    at = kind.good.index(b"print")
    broken, waits = Answer(kind.good, cut=at) if lost else Answer(kind.good[:at]), Waits()
    with serving(broken, broken, Answer(kind.good)) as server:
        deltas, replied = ask(kind.model(server, retry=waits.retry()))
    assert (replied.text, len(server.requests), len(waits.seconds)) == (TEXT, 3, 2)
    assert replied.note == BROKEN.replace("again.", "again 2 times.")
    assert [delta.channel for delta in deltas] == ["reply", "discarded", "reply", "discarded", "reply", "reply"]
    for number, delta in enumerate(deltas[1:4:2], 2):
        assert "broke off in the middle of its reply" in delta.text
        assert delta.text.endswith(f"({number} of 4).")


def test_a_stream_that_breaks_off_again_and_again_is_an_error(kind: Kind) -> None:
    failed = fault(kind, Answer(kind.good, cut=kind.good.index(b"print")), tries=4)
    assert (failed.raised.kind, len(failed.server.requests), len(failed.waits)) == ("stream", 4, 3)
    assert [item.text for item in failed.seen if getattr(item, "channel", "") == "reply"] == [SAID[0]] * 4


def test_the_time_for_tries_counts_again_from_a_reply_that_broke_off() -> None:
    """A reply may take minutes before it breaks off; the limit is for a server that does not reply."""
    now = 0.0

    async def attempt() -> AsyncGenerator[Delta | Replied, None]:
        nonlocal now
        now += 100
        yield Delta(text="half")
        if now < 250:
            raise ModelError("m broke off.", kind="stream", retry=True)
        yield Replied(text="whole")

    async def collect() -> list[Delta | Replied]:
        return [item async for item in Retry(sleep=Waits(), clock=lambda: now)(attempt)]

    assert asyncio.run(collect())[-1] == Replied(text="whole", note=BROKEN.replace("again.", "again 2 times."))


def test_a_stream_that_was_cut_before_any_text_is_asked_again(kind: Kind) -> None:
    with serving(Answer(kind.good, cut=3), Answer(kind.good)) as server:
        assert ask(kind.model(server, retry=Waits().retry()))[1].text == TEXT


CHUNKS = {
    "a size that is none": b"zz\r\n",
    "a size without end": b"f" * 5000,
    "less than was said": b"ff\r\nshort\r\n0\r\n\r\n",
    "no end of the chunk": b"3\r\nabcdef\r\n",
}


@pytest.mark.parametrize("body", CHUNKS.values(), ids=CHUNKS)
def test_a_violation_of_http_is_a_clear_error(kind: Kind, body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert fault(kind, Answer(raw=head + body)).raised.kind == "stream"


@pytest.mark.parametrize("raw", [b"", b"hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Le", b"\x00\xff" * 500])
def test_what_is_not_http_is_a_clear_error(kind: Kind, raw: bytes) -> None:
    assert fault(kind, Answer(raw=raw)).raised.kind == "stream"


# --- a server that keeps one waiting -----------------------------------------------------------------------------------


STALLS = {
    "before the head": Answer(head=0, stall=True),
    "within the head": Answer(head=20, stall=True),
    "within the head, dripping": Answer(head=30, stall=True, drip=b"x"),
    "before the stream": Answer(b"", stall=True),
    "before the stream, with signs of life": Answer(b": wait\n\n", stall=True, drip=b": still here\n\n"),
    "with empty chunks": Answer(event(chunk("")), stall=True, drip=event(chunk(""))),
}


@pytest.mark.parametrize("answer", STALLS.values(), ids=STALLS)
def test_a_stall_ends(kind: Kind, answer: Answer) -> None:
    failed = fault(kind, answer, timeout=0.4)
    assert (failed.raised.kind, failed.raised.retry) == ("stall", True)
    assert "sent nothing for" in failed.said


def test_a_stall_in_the_middle_ends_and_is_asked_again(kind: Kind) -> None:
    with serving(Answer(kind.stream(("text", "a")), stall=True), Answer(kind.good)) as server:
        deltas, replied = ask(kind.model(server, retry=Waits().retry(), timeout=0.8))
    assert (replied.text, replied.note, len(server.requests)) == (TEXT, BROKEN, 2)
    assert [delta.channel for delta in deltas] == ["reply", "discarded", "reply", "reply"]
    assert "sent nothing for" in deltas[1].text


def test_a_slow_reply_that_goes_on_is_read_to_its_end(ours: Kind) -> None:
    """Real time: the whole takes longer than the time without news that is allowed."""
    ending = ours.stream(("end", "stop"))
    with serving(Answer(b"", stall=True, drip=event(chunk("a")), then=ending, drips=30, pause=0.05)) as server:
        assert ask(ours.model(server, timeout=1.0))[1].text == "a" * 30


def test_a_server_that_does_not_hang_up_after_the_end_is_not_waited_for(ours: Kind, monkeypatch: Any) -> None:
    monkeypatch.setattr("smolcell.models.streaming.LINGER_SECONDS", 0.1)
    answer = Answer(ours.stream(("text", "a"), ("end", "stop")), stall=True)
    assert reply(ours, answer, timeout=4)[1] == Replied(text="a", model="m-1")


def test_a_reply_without_end_is_given_up(ours: Kind) -> None:
    failed = fault(ours, Answer(b"", stall=True, drip=event(chunk("a" * 100_000)), drips=1000, pause=0))
    assert f"more than {MAX_REPLY_CHARS:,} characters" in failed.said


# --- a server that is not there ------------------------------------------------------------------------------------------


def test_a_refused_connection(kind: Kind) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    waits = Waits()
    failed = failure(kind.at(base, retry=waits.retry()))
    assert (failed.raised.kind, waits.seconds) == ("connection", [])
    assert failed.said.endswith("Check that the server is running, and that api_base is its address.")


def test_a_name_that_is_not_known(kind: Kind) -> None:
    """``.invalid`` is reserved (RFC 2606): no name server knows one."""
    failed = failure(kind.at("http://no-such-host.invalid/v1", timeout=8, retry=Waits().retry(1)))
    assert failed.raised.kind == "connection"
    assert "address that is not known" in failed.said


def test_a_connection_that_does_not_come_about(kind: Kind) -> None:
    """A listener whose queue is full: the kernel leaves further connections unanswered."""
    with socket.socket() as listener, contextlib.ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(8):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        base = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        failed = failure(kind.at(base, timeout=0.5, retry=Waits().retry(1)))
    assert failed.raised.kind in ("connection", "stall")


def test_a_server_without_tls(kind: Kind) -> None:
    with serving(Answer(raw=b"HTTP/1.1 400 Bad Request\r\n\r\n")) as server:
        server.RequestHandlerClass = NotTls  # type: ignore[assignment]
        failed = failure(kind.at(server.base.replace("http:", "https:"), retry=Waits().retry(1)))
    assert "securely (TLS)" in failed.said


class NotTls:
    def __init__(self, request: socket.socket, *_: object) -> None:
        request.recv(65536)
        request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that nobody vouches for, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    ask_for = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=x -addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", *ask_for.split(), "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


@contextlib.contextmanager
def serving_tls(certificate: tuple[Path, Path]) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with serving(Answer()) as server:
        server.tls = context
        yield server


def test_an_untrusted_certificate(kind: Kind, certificate: tuple[Path, Path]) -> None:
    with serving_tls(certificate) as server:
        failed = failure(kind.at(server.base.replace("http:", "https:"), retry=Waits().retry(1)))
    assert failed.raised.kind == "connection"
    assert "securely (TLS)" in failed.said
    assert "SSL_CERT_FILE" in failed.said
    assert server.requests == []


# --- what is no reply --------------------------------------------------------------------------------------------------

NO_REPLIES = {
    "no JSON": b"data: {not json\n\n",
    "a number": b"data: 7\n\n",
    "choices of a wrong type": b'data: {"choices": "none"}\n\n',
    "no event": b"hello\n",
    "no data:": b'{"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]}\n\n',
    "no text": b"\xff\xfe\x00",
    "nothing": b"",
    "too deep": event("[" * 100_000),
    "no choices": event({"model": "m-1", "choices": []}) + event("[DONE]"),
    "null choices": event({"model": "m-1", "choices": None}) + event("[DONE]"),
    "a null delta": event({"choices": [{"delta": None, "finish_reason": None}]}),
    "null content": event(chunk(None)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("body", NO_REPLIES.values(), ids=NO_REPLIES)
def test_what_is_no_stream_of_replies_is_a_clear_error(kind: Kind, body: bytes) -> None:
    failed = fault(kind, Answer(body))
    assert failed.seen == []
    assert failed.raised.kind == "stream" or (kind.litellm and failed.raised.kind == "server")


def test_a_web_page_is_no_reply(kind: Kind) -> None:
    assert fault(kind, Answer(b"<html><h1>Sign in</h1></html>", kind="text/html")).raised.kind == "stream"


def test_an_error_within_the_stream_is_reported(kind: Kind) -> None:
    failed = fault(kind, Answer(kind.stream(("text", "a"), ("error", "out of memory", "server_error"))), tries=1)
    assert "out of memory" in failed.said
    assert [item.text for item in failed.seen] == ["a"]


def test_an_error_that_may_pass_within_the_stream_discards_it_and_is_asked_again(ours: Kind) -> None:
    answers = (Answer(ours.stream(("text", "a"), ("error", "Overloaded", "overloaded_error"))), Answer(ours.good))
    with serving(*answers) as server:
        deltas, replied = ask(ours.model(server, retry=Waits().retry()))
    assert (replied.text, replied.note) == (TEXT, BROKEN)
    assert [delta.channel for delta in deltas] == ["reply", "discarded", "reply", "reply"]


@pytest.mark.parametrize(
    ("said", "named", "fault_kind"),
    [
        ("prompt is too long: 9 tokens > 8 maximum", "invalid_request_error", "context"),
        ("Overloaded", "overloaded_error", "server"),
        ("slow down", "rate_limit_error", "busy"),
        ("no", "insufficient_quota", "quota"),
    ],
)
def test_an_error_within_the_stream_is_understood(ours: Kind, said: str, named: str, fault_kind: str) -> None:
    assert fault(ours, Answer(ours.stream(("error", said, named)))).raised.kind == fault_kind


# --- how a reply ends ------------------------------------------------------------------------------------------------------


def test_a_reply_at_the_token_limit_is_no_program(kind: Kind) -> None:
    failed = fault(kind, Answer(kind.stream(("text", "import os"), ("end", "length"), ("done",))), tries=4)
    assert (failed.raised.kind, len(failed.server.requests)) == ("length", 1)
    assert "max_tokens" in failed.said


def test_a_filtered_reply_is_a_refusal(kind: Kind) -> None:
    assert fault(kind, Answer(kind.stream(("text", "I"), ("end", "content_filter")))).raised.kind == "refusal"


def test_a_refusal_is_reported(ours: Kind) -> None:
    failed = fault(ours, Answer(ours.stream(("refusal", "I cannot"), ("end", "stop"))), tries=4)
    assert (failed.raised.kind, len(failed.server.requests)) == ("refusal", 1)
    assert "I cannot" in failed.said


def test_tools_that_were_not_offered_are_told_to_the_person_and_the_model(kind: Kind) -> None:
    deltas, replied = reply(kind, Answer(kind.stream(("tool", "rm"), ("end", "tool_calls"), ("done",))))
    assert (deltas[-1].channel, "not offered (rm)" in deltas[-1].text) == ("progress", True)
    assert replied.text == "[I called tools in a way that does not exist here: rm. Nothing ran.]"


def test_text_beside_a_tool_call_is_kept(kind: Kind) -> None:
    assert reply(kind, Answer(kind.stream(("text", "hi"), ("tool", "rm"), ("end", "tool_calls"))))[1].text == "hi"


def test_usage_may_be_missing(compatible: Kind) -> None:
    replied = reply(compatible, Answer(compatible.stream(("text", "a"), ("end", "stop"))))[1]
    assert (replied.text, replied.usage.input_tokens >= 0) == ("a", True)


@pytest.mark.parametrize("number", [-5, 1e300, math.inf, math.nan, "7", None, True, [1], {"a": 1}])
def test_usage_that_cannot_be_is_none(ours: Kind, number: Any) -> None:
    usage = {"prompt_tokens": number, "completion_tokens": number, "cost": number}
    body = ours.stream(("text", "a"), ("end", "stop")) + event({"model": "m-1", "choices": [], "usage": usage})
    assert reply(ours, Answer(body))[1] == Replied(text="a", model="m-1", usage=Usage())


# --- reasoning, kept apart ---------------------------------------------------------------------------------------------


def test_reasoning_is_kept_apart(kind: Kind) -> None:
    deltas, replied = reply(kind, Answer(kind.stream(("thinking", "hm"), ("text", "hi"), ("end", "stop"))))
    assert deltas == [Delta(text="hm", channel="reasoning"), Delta(text="hi")]
    assert (replied.reasoning, replied.text) == ("hm", "hi")


def test_reasoning_has_another_name_with_some(ours: Kind) -> None:
    body = event(chunk(reasoning="hm")) + event(chunk("hi", finish="stop"))
    assert reply(ours, Answer(body))[1] == Replied(text="hi", reasoning="hm", model="m-1")


def test_reasoning_within_the_text_is_kept_apart(ours: Kind) -> None:
    parts = [("text", piece) for piece in ("\n<th", "ink>h", "m</thi", "nk>", "hi <think>")]
    deltas, replied = reply(ours, Answer(ours.stream(*parts, ("end", "stop"))))
    assert [(delta.channel, delta.text) for delta in deltas] == [
        ("reasoning", "h"),
        ("reasoning", "m"),
        ("reply", "hi <think>"),
    ]
    assert (replied.reasoning, replied.text) == ("hm", "hi <think>")


# --- server-sent events, as they may be written --------------------------------------------------------------------------

A, B = dumped(chunk("é\u2028")), dumped(chunk("b", finish="stop"))
WRITTEN = {
    "LF": b"data: %s\n\ndata: %s\n\ndata: [DONE]\n\n" % (A, B),
    "CRLF": b"data: %s\r\n\r\ndata: %s\r\n\r\ndata: [DONE]\r\n\r\n" % (A, B),
    "no space": b"data:%s\n\ndata:%s\n\n" % (A, B),
    "comments": b": hello\n\ndata: %s\n: there\n\n:\n\ndata: %s\n\n" % (A, B),
    "names and numbers": b"event: message\nid: 1\nretry: 5\ndata: %s\n\nevent: x\ndata: %s\n\n" % (A, B),
    "a byte order mark": b"\xef\xbb\xbfdata: %s\n\ndata: %s\n\n" % (A, B),
    "several lines": b"data: %s\n\ndata: %s\n\n" % (A.replace(b", ", b",\ndata: "), B),
    "separators of Unicode": b"data: %s\n\ndata: %s\n\n" % (A.replace(b"\\u2028", "\u2028".encode()), B),
    "no last empty line": b"data: %s\n\ndata: %s\n" % (A, B),
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_a_stream_is_read_however_it_is_written(ours: Kind, body: bytes) -> None:
    assert reply(ours, Answer(body))[1].text == "é\u2028b"


def test_a_stream_is_read_in_whatever_pieces_it_comes(ours: Kind) -> None:
    body = WRITTEN["separators of Unicode"].replace(b"\\u00e9", "é".encode())
    drips = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert reply(ours, Answer(raw=head + drips))[1].text == "é\u2028b"


def test_a_line_of_ten_megabytes_is_too_long_a_reply_and_twenty_are_too_long_a_line(ours: Kind) -> None:
    for size in (10, 20):
        failed: Failed = fault(ours, Answer(event(chunk("a" * size * 1024 * 1024))))
        assert (failed.raised.kind, failed.seen) == ("stream", [])


def test_a_server_that_does_not_stream_is_understood(ours: Kind) -> None:
    whole = {"model": "m-1", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": None}
    answer = Answer(dumped(whole), kind="application/json; charset=utf-8")
    assert reply(ours, answer) == ([Delta(text="hi")], Replied(text="hi", model="m-1"))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"{"])
def test_plain_json_that_is_no_reply(ours: Kind, body: bytes) -> None:
    assert fault(ours, Answer(body, kind="application/json")).raised.kind == "stream"


def test_parts_and_thinking_are_read(ours: Kind) -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi"}]
    replied = reply(ours, Answer(event(chunk(content=parts)) + event(chunk(finish="stop"))))[1]
    assert (replied.text, replied.reasoning) == ("hi", "hm")


def test_an_older_server_is_asked_again_without_stream_options() -> None:
    kind = KINDS[0]
    refused = Answer(dumped({"error": "unknown field stream_options"}), status=400, kind="application/json")
    with serving(refused, Answer(kind.good)) as server:
        deltas, _ = ask(kind.model(server, retry=Waits().retry()), HELLO)
    assert ["stream_options" in body for _, _, body in server.requests] == [True, False]
    assert deltas[0].channel == "progress"
