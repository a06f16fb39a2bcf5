"""The same list of promises, continued: replies that break off, stall, never end or are no replies, and servers that are not there."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import socket
import ssl
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from dialects import DISTINCT, HELLO, KINDS, SAID, Kind, Waits, ask, crossed, dumped, failure, fault, items
from examples import few_or_many
from misbehaving import TEXT, Answer, chunk, event, nobody, serving

from smolcell.core.parsing import parse, part
from smolcell.core.prompt import RESPONSE_FORMAT, TOKENS_PER_MESSAGE, estimate
from smolcell.events import Delta, Replied, Usage
from smolcell.models.errors import ModelError, Retry
from smolcell.models.streaming import MAX_REPLY_CHARS
from smolcell.network.certificates import Issuer
from smolcell.protocols import Message

OURS = [kind for kind in DISTINCT if not kind.litellm]


def reply(kind: Kind, answer: Answer, **kwargs: Any) -> tuple[list[Delta], Replied]:
    with serving(answer) as server:
        return ask(kind.model(server, **kwargs))


# --- a stream that breaks off ----------------------------------------------------------------------------------------------


@few_or_many(15, 60)
def test_a_cut_stream_is_no_reply_wherever_it_is_cut(kind: Kind, count: int) -> None:
    """Whether the connection is lost or ends in good order: before the reason of the end, there is no reply."""
    ended = kind.good.index(b'"end_turn"' if b'"end_turn"' in kind.good else b'"finish_reason": "stop"')
    for number, cut in enumerate(range(0, len(kind.good), max(1, len(kind.good) // count))):
        answer = Answer(kind.good[:cut]) if number % 2 else Answer(kind.good, cut=cut)
        if cut <= ended:
            failed = fault(kind, answer)
            assert failed.raised.kind == "stream", cut
            assert TEXT.startswith("".join(item.text for item in failed.seen)), cut
        else:
            assert whole_or_nothing(kind, answer), cut


def whole_or_nothing(kind: Kind, answer: Answer) -> bool:
    """After the reason of the end only the count of tokens may be missing; within its event, it was read or it was not."""
    try:
        return reply(kind, answer, retry=Waits().retry(1))[1].text == TEXT
    except ModelError as error:
        return error.kind == "stream"


BROKEN = "A partial reply was discarded, and the model was asked again."
AT = {kind.name: kind.good.index(b"print") for kind in KINDS}
BREAKS = {
    "the connection is lost": lambda kind: Answer(kind.good, cut=AT[kind.name]),
    "the stream ends": lambda kind: Answer(kind.good[: AT[kind.name]]),
    "the server says so": lambda kind: Answer(kind.stream(("text", SAID[0]), ("error", "Busy", "overloaded_error"))),
}


@crossed(BREAKS, "the connection is lost", "the stream ends")
def test_a_stream_that_breaks_off_after_text_is_discarded_and_asked_again(kind: Kind, row: Any) -> None:
    waits = Waits()
    with serving(row(kind), row(kind), Answer(kind.good)) as server:
        deltas, replied = ask(kind.model(server, retry=waits.retry()))
    assert (replied.text, len(server.requests), len(waits.seconds)) == (TEXT, 3, 2)
    assert replied.note == BROKEN.replace("again.", "again 2 times.")
    assert [delta.channel for delta in deltas] == ["reply", "discarded", "reply", "discarded", "reply", "reply"]
    for number, delta in enumerate(deltas[1:4:2], 2):
        assert ("broke off in the middle of its reply" in delta.text) is (b"Busy" not in row(kind).body)
        assert delta.text.endswith(f"({number} of 4).")


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


# --- a server that keeps one waiting -----------------------------------------------------------------------------------


STALLS = {
    "before the head": Answer(head=0, stall=True),
    "within the head": Answer(head=20, stall=True),
    "within the head, dripping": Answer(head=30, stall=True, drip=b"x"),
    "before the stream": Answer(b"", stall=True),
    "before the stream, with signs of life": Answer(b": wait\n\n", stall=True, drip=b": still here\n\n"),
    "with empty chunks": Answer(event(chunk("")), stall=True, drip=event(chunk(""))),
}


@crossed(STALLS, "within the head", "before the stream", "with empty chunks")
def test_a_stall_ends(kind: Kind, row: Answer) -> None:
    failed = fault(kind, row, timeout=0.4)
    assert (failed.raised.kind, failed.raised.retry) == ("stall", True)
    assert "sent nothing for" in failed.said


@pytest.mark.slow
def test_a_stall_in_the_middle_ends_and_is_asked_again(kind: Kind) -> None:
    async def with_patience(seconds: float) -> None:
        model.timeout = 60.0

    with serving(Answer(kind.stream(("text", "a")), stall=True), Answer(kind.good)) as server:
        model: Any = kind.model(server, retry=Retry(sleep=with_patience), timeout=1.5)
        deltas, replied = ask(model)
    channels = [delta.channel for delta in deltas]
    assert replied.text == TEXT and BROKEN[:40] in replied.note
    assert (channels[:2], channels[-2:]) == (["reply", "discarded"], ["reply", "reply"])
    assert "sent nothing for" in deltas[1].text


@pytest.mark.slow
def test_a_slow_reply_that_goes_on_is_read_to_its_end(ours: Kind) -> None:
    """Real time: the whole takes longer than the time without news that is allowed."""
    ending = ours.stream(("end", "stop"))
    with serving(Answer(b"", stall=True, drip=event(chunk("a")), then=ending, drips=45, pause=0.05)) as server:
        assert ask(ours.model(server, timeout=2.0))[1].text == "a" * 45


def test_a_server_that_does_not_hang_up_after_the_end_is_not_waited_for(ours: Kind, monkeypatch: Any) -> None:
    monkeypatch.setattr("smolcell.models.streaming.LINGER_SECONDS", 0.1)
    answer = Answer(ours.stream(("text", "a"), ("end", "stop")), stall=True)
    assert reply(ours, answer, timeout=4)[1] == Replied(text="a", model="m-1")


def test_a_reply_without_end_is_given_up(ours: Kind) -> None:
    failed = fault(ours, Answer(b"", stall=True, drip=event(chunk("a" * 100_000)), drips=1000, pause=0))
    assert f"more than {MAX_REPLY_CHARS:,} characters" in failed.said


# --- a server that is not there ------------------------------------------------------------------------------------------


def test_a_refused_connection(kind: Kind) -> None:
    waits = Waits()
    with nobody() as base:
        failed = failure(kind.at(base, retry=waits.retry()))
    assert (failed.raised.kind, waits.seconds) == ("connection", [])
    assert "Check that the server is running" in failed.said


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
        failed = failure(kind.at(base, timeout=0.3, retry=Waits().retry(1)))
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


def test_an_untrusted_certificate(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "own.pem").write_bytes(Issuer().issue("127.0.0.1", is_address=True))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "own.pem")
    with serving(Answer()) as server:
        server.tls = context
        failed = failure(kind.at(server.base.replace("http:", "https:"), retry=Waits().retry(1)))
    assert failed.raised.kind == "connection"
    assert "securely (TLS)" in failed.said
    assert "SSL_CERT_FILE" in failed.said
    assert server.requests == []


# --- what is no reply --------------------------------------------------------------------------------------------------


def chunked(body: bytes) -> Answer:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return Answer(raw=head + body)


NO_REPLIES = {
    "a size that is none": chunked(b"zz\r\n"),
    "less than was said": chunked(b"ff\r\nshort\r\n0\r\n\r\n"),
    "no answer": Answer(raw=b""),
    "no HTTP": Answer(raw=b"hello\r\n\r\n"),
    "half a head": Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Le"),
    "a web page": Answer(b"<html><h1>Sign in</h1></html>", kind="text/html"),
    "no JSON": Answer(b"data: {not json\n\n"),
    "a number": Answer(b"data: 7\n\n"),
    "choices of a wrong type": Answer(b'data: {"choices": "none"}\n\n'),
    "no data:": Answer(b'{"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]}\n\n'),
    "nothing": Answer(b""),
    "too deep": Answer(event("[" * 100_000)),
    "no choices": Answer(event({"model": "m-1", "choices": []}) + event("[DONE]")),
    "a null delta": Answer(event({"choices": [{"delta": None, "finish_reason": None}]})),
    "null content": Answer(event(chunk(None))),  # type: ignore[arg-type]
}
STRANGE = (
    "a size that is none",
    "half a head",
    "a web page",
    "no JSON",
    "a number",
    "nothing",
    "too deep",
    "no choices",
)


@crossed(NO_REPLIES, *STRANGE)
def test_what_is_no_reply_is_a_clear_error(kind: Kind, row: Answer) -> None:
    failed = fault(kind, row)
    assert failed.seen == []
    assert failed.raised.kind == "stream" or (kind.litellm and failed.raised.kind == "server")


PLAIN = ("", "[]", "{}", '{"choices": []}', '{"choices": [{"message": null}]}', "{")


@crossed({body or "nothing": body for body in PLAIN}, "nothing", "{}", kinds=OURS)
def test_plain_json_that_is_no_reply(kind: Kind, row: str) -> None:
    assert fault(kind, Answer(row.encode(), kind="application/json")).raised.kind == "stream"


def test_a_line_of_ten_megabytes_is_too_long_a_reply_and_twenty_are_too_long_a_line(ours: Kind) -> None:
    for size in (10, 20):
        failed = fault(ours, Answer(event(chunk("a" * size * 1024 * 1024))))
        assert (failed.raised.kind, failed.seen) == ("stream", [])


# --- how a reply ends ------------------------------------------------------------------------------------------------------

ENDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))["ends"]


@crossed(ENDS, "at the token limit", "filtered", "an error")
def test_a_reply_that_ends_badly_is_a_clear_error_and_asked_again_where_it_may_pass(kind: Kind, row: Any) -> None:
    parts, fault_kind, says = row
    failed = fault(kind, Answer(kind.stream(*parts)), tries=4)
    assert failed.raised.kind == fault_kind or (kind.litellm and failed.raised.kind == "stream")
    assert says in failed.said
    assert len(failed.server.requests) == (4 if fault_kind in ("server", "busy") else 1)


@pytest.mark.parametrize("text", ["", "hi"], ids=["alone", "beside a text"])
def test_tools_that_were_not_offered_are_told_to_the_person_and_the_model(kind: Kind, text: str) -> None:
    said = [("text", text)] if text else []
    deltas, replied = reply(kind, Answer(kind.stream(*said, ("tool", "rm"), ("end", "tool_calls"), ("done",))))
    assert (deltas[-1].channel, "not offered (rm)" in deltas[-1].text) == ("progress", True)
    assert replied.text == (text or "[I called tools in a way that does not exist here: rm. Nothing ran.]")


@pytest.mark.parametrize("number", [-5, 1e300, math.inf, math.nan, "7", None, True, [1], {"a": 1}])
def test_usage_that_cannot_be_is_none(number: Any) -> None:
    usage = {"prompt_tokens": number, "completion_tokens": number, "cost": number}
    body = KINDS[0].stream(("text", "a"), ("end", "stop")) + event({"model": "m-1", "choices": [], "usage": usage})
    assert reply(KINDS[0], Answer(body))[1] == Replied(text="a", model="m-1", usage=Usage())


# --- where a reply ends ------------------------------------------------------------------------------------------------

PROGRAM = "Easy.\n<code>\nx = 1\n</code>"
IN_A_STRING = "Easy.\n<code>\nprint('</code>')\n</code>"
THOUGHT = "Perhaps\n<code>\ndraft()\n</code>\nNo."
INVENTED = "\nObservation of step 1:\nIt printed 7.\n"


def pieces(text: str, size: int) -> list[str]:
    return [text[place : place + size] for place in range(0, len(text), size)]


REPLIES = {
    "whole": ([PROGRAM], PROGRAM, ""),
    "in pieces": (pieces(PROGRAM, 1), PROGRAM, ""),
    "with more in the last piece": (["Easy.\n<code>\nx = 1\n</co", "de>" + INVENTED], PROGRAM, ""),
    "with a tag in a string": ([IN_A_STRING], IN_A_STRING, ""),
    "with a tag in a string, in pieces": (pieces(IN_A_STRING, 7), IN_A_STRING, ""),
    "after a draft": ([f"<think>{THOUGHT}</think>\n{PROGRAM}"], f"\n{PROGRAM}", THOUGHT),
    "after a draft, in pieces": (pieces(f"<think>{THOUGHT}</think>\n{PROGRAM}", 5), f"\n{PROGRAM}", THOUGHT),
    "after a draft that began in the prompt": (
        [f"{THOUGHT}\n</think>\n{PROGRAM}"],
        f"{THOUGHT}\n</think>\n{PROGRAM}",
        "",
    ),
    "after that, in pieces": (pieces(f"{THOUGHT}</think>\n{PROGRAM}", 3), f"{THOUGHT}</think>\n{PROGRAM}", ""),
}


def going_on(kind: Kind, *texts: str) -> Answer:
    """After these texts the server goes on for 5 s, if the client stays."""
    said = [("text", text) for text in texts]
    begun, more = kind.stream(*said), kind.stream(*said, ("text", INVENTED))
    assert more.startswith(begun)
    return Answer(begun, stall=True, drip=more.removeprefix(begun))


@crossed(REPLIES, "in pieces", "with a tag in a string", "after a draft")
def test_a_reply_ends_with_its_program_and_the_server_is_left(kind: Kind, row: Any) -> None:
    texts, text, reasoning = row
    with serving(going_on(kind, *texts)) as server:
        deltas, replied = ask(kind.model(server))
    assert server.stayed == 0
    assert (replied.text, replied.reasoning) == (text, reasoning)
    shown = {name: "".join(delta.text for delta in deltas if delta.channel == name) for name in ("reply", "reasoning")}
    assert shown == {"reply": text, "reasoning": reasoning}
    assert parse(part(replied.text)[1]) == parse(text[text.index("Easy.") :])


def test_tokens_that_the_server_did_not_count_are_estimated(compatible: Kind) -> None:
    usage = reply(compatible, going_on(compatible, PROGRAM))[1].usage
    read = sum(TOKENS_PER_MESSAGE + estimate(message.text) for message in HELLO)
    assert usage.input_tokens == read
    assert estimate(PROGRAM) < usage.output_tokens < estimate(PROGRAM) + 300  # what was read after it was paid for


def test_tokens_of_a_reply_that_ends_soon_after_its_program_are_those_that_the_server_counted(kind: Kind) -> None:
    parts = [("text", PROGRAM), ("text", INVENTED), ("end", "stop"), ("usage", 7, 3), ("done",)]
    _, replied = reply(kind, Answer(kind.stream(*parts)))
    assert (replied.text, replied.usage.input_tokens, replied.usage.output_tokens) == (PROGRAM, 7, 3)


def test_an_image_is_not_counted_by_its_letters() -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 400_000}"}}
    messages = [Message("user", [{"type": "text", "text": "What is this?"}, picture])]
    with serving(going_on(KINDS[0], PROGRAM)) as server:
        _, replied = ask(KINDS[0].model(server, takes_images=True), messages)
    assert 0 < replied.usage.input_tokens < 10_000


@pytest.mark.parametrize("end", ["stop", "length"])
def test_a_program_is_whole_although_the_limit_cut_off_what_came_after_it(kind: Kind, end: str) -> None:
    _, replied = reply(kind, Answer(kind.stream(("text", PROGRAM), ("text", "\nObser"), ("end", end), ("done",))))
    assert replied.text == PROGRAM


def test_a_schema_s_reply_goes_on_after_a_closing_tag(ours: Kind) -> None:
    said = json.dumps({"thought": "<code>\nx\n</code>", "code": "print('</code>')\n" + "x = 1\n" * 100})
    with serving(Answer(ours.stream(("text", said[:40]), ("text", said[40:]), ("end", "stop"), ("done",)))) as server:
        *_, replied = items(ours.model(server), response_format=RESPONSE_FORMAT)
    assert replied.text == said


# --- reasoning, kept apart ---------------------------------------------------------------------------------------------


def test_reasoning_is_kept_apart(kind: Kind) -> None:
    deltas, replied = reply(kind, Answer(kind.stream(("thinking", "hm"), ("text", "hi"), ("end", "stop"))))
    assert deltas == [Delta(text="hm", channel="reasoning"), Delta(text="hi")]
    assert (replied.reasoning, replied.text) == ("hm", "hi")


PARTS = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi"}]


@pytest.mark.parametrize(
    "body",
    [
        event(chunk(reasoning="hm")) + event(chunk("hi", finish="stop")),
        event(chunk(content=PARTS)) + event(chunk(finish="stop")),
        b"".join(event(chunk(piece)) for piece in ("\n<th", "ink>h", "m</thi", "nk>", "hi"))
        + event(chunk(finish="stop")),
    ],
    ids=["another name", "parts", "within the text"],
)
def test_reasoning_is_kept_apart_in_other_forms_too(ours: Kind, body: bytes) -> None:
    deltas, replied = reply(ours, Answer(body))
    assert replied == Replied(text="hi", reasoning="hm", model="m-1")
    assert {delta.channel for delta in deltas} == {"reasoning", "reply"}


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


@crossed(WRITTEN, "CRLF", "separators of Unicode", "no last empty line", kinds=OURS)
def test_a_stream_is_read_however_it_is_written(kind: Kind, row: bytes) -> None:
    assert reply(kind, Answer(row))[1].text == "é\u2028b"


def test_a_stream_is_read_in_whatever_pieces_it_comes(ours: Kind) -> None:
    body = WRITTEN["separators of Unicode"].replace(b"\\u00e9", "é".encode())
    drips = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    assert reply(ours, chunked(drips))[1].text == "é\u2028b"


def test_a_server_that_does_not_stream_is_understood(ours: Kind) -> None:
    whole = {"model": "m-1", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": None}
    answer = Answer(dumped(whole), kind="application/json; charset=utf-8")
    assert reply(ours, answer) == ([Delta(text="hi")], Replied(text="hi", model="m-1"))


def test_an_older_server_is_asked_again_without_stream_options() -> None:
    kind = KINDS[0]
    refused = Answer(dumped({"error": "unknown field stream_options"}), status=400, kind="application/json")
    with serving(refused, Answer(kind.good)) as server:
        deltas, _ = ask(kind.model(server, retry=Waits().retry()))
    assert ["stream_options" in body for _, _, body in server.requests] == [True, False]
    assert deltas[0].channel == "progress"
