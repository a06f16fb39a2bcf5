"""An HTTP server on this machine that answers each request as it was told to, however wrong that is. ``dialects`` says what
servers of each kind answer when nothing is wrong."""

from __future__ import annotations

import json
import select
import socket
import socketserver
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from http_server import served


def event(data: Any) -> bytes:
    return b"data: " + (data if isinstance(data, str) else json.dumps(data)).encode() + b"\n\n"


def chunk(text: str = "", finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}]}


USAGE = {"model": "m-1", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
GOOD = b"".join(event(e) for e in (chunk("Thought: é\u2028"), chunk("print(1)"), chunk(finish="stop"), USAGE, "[DONE]"))
TEXT = "Thought: é\u2028print(1)"


@dataclass
class Answer:
    """One answer: an HTTP response, or exactly ``raw``. ``stall`` keeps the connection open until the client leaves; with
    ``head`` only so many bytes of the response's head are sent before that."""

    body: bytes = GOOD
    status: int = 200
    kind: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None  # bytes of the body that are sent before the connection is closed
    stall: bool = False
    drip: bytes = b""  # sent again and again while stalled
    drips: int = 100  # how often, at most
    pause: float = 0.05  # seconds before each
    then: bytes = b""  # the end of the body, after the last
    raw: bytes | None = None
    head: int | None = None

    def wire(self) -> bytes:
        return self.raw if self.raw is not None else self.whole()[: self.head]

    def whole(self) -> bytes:
        body = _chunked(self.body) + (b"" if self.stall else b"0\r\n\r\n")
        if self.cut is not None:
            body = b"%x\r\n%s" % (len(self.body), self.body[: self.cut])
        head = {"Content-Type": self.kind, "Connection": "close", **self.headers, "Transfer-Encoding": "chunked"}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{key}: {value}" for key, value in head.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _chunked(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data) if data else b""


def says(*pieces: str, **more: Any) -> Answer:
    """A whole reply of these pieces; `more` is in the first."""
    first, *rest = pieces
    chunks = [chunk(first, **more), *map(chunk, rest), chunk(finish="stop"), "[DONE]"]
    return Answer(b"".join(map(event, chunks)))


def error(status: int, message: str = "", **headers: str) -> Answer:
    body = json.dumps({"error": {"message": message}}).encode()
    return Answer(body, status=status, kind="application/json", headers=headers)


class Server(socketserver.ThreadingTCPServer):
    """Gives the answers in order; the last one again and again. ``requests`` are (path, headers, body).

    A question for the server's models takes none of the answers: it is answered with ``listing``, and kept in ``looked``.
    """

    daemon_threads = False
    block_on_close = True
    allow_reuse_address = True

    def __init__(self, *answers: Answer, listing: Answer | None = None) -> None:
        self.answers = answers
        self.listing = listing or error(404)
        self.looked: list[tuple[str, dict[str, str], Any]] = []
        self.tls: ssl.SSLContext | None = None
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.stayed = 0  # clients that were still there after a whole stall
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        if server.tls is not None:
            try:
                self.request = server.tls.wrap_socket(self.request, server_side=True)
            except OSError:
                return
        data = b""
        while b"\r\n\r\n" not in data:
            if not (more := self.request.recv(65536)):
                return
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        while len(body) < int(headers.get("content-length", 0)):
            if not (more := self.request.recv(65536)):
                return  # the client has gone
            body += more
        method, path, _ = first.split(" ")
        request = (path, headers, json.loads(body or b"null"))
        if method == "GET" and path.endswith("/models"):
            server.looked.append(request)
            answer = server.listing
        else:
            answer = server.answers[min(len(server.requests), len(server.answers) - 1)]
            server.requests.append(request)
        with suppress(OSError):
            self.request.sendall(answer.wire())
            if answer.stall:
                self.stall(answer, server)

    def stall(self, answer: Answer, server: Server) -> None:
        """Until the client gives up, or there is no more to drip: 5 s, unless the answer says otherwise."""
        for _ in range(answer.drips):
            if select.select([self.request], [], [], answer.pause)[0]:
                return
            if answer.drip:
                self.request.sendall(answer.drip if answer.head is not None else _chunked(answer.drip))
        server.stayed += 1
        if answer.then:
            self.request.sendall(_chunked(answer.then) + b"0\r\n\r\n")

    def finish(self) -> None:
        with suppress(OSError):
            self.request.shutdown(socket.SHUT_RDWR)


@contextmanager
def nobody() -> Iterator[str]:
    """An address where nobody listens, and that nobody else gets meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@contextmanager
def serving(*answers: Answer, listing: Answer | None = None) -> Iterator[Server]:
    with served(Server(*answers, listing=listing)) as server:
        yield server
