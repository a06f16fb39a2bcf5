"""HTTP of the stand-in: which request is whose, and how an answer is written."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from e2b_service import control, daemon
from e2b_service.cloud import Cloud, RefusedError


class Server(ThreadingHTTPServer):
    """The stand-in's server; both its parts listen at one address, as the SDK is told.

    Args:
        key: the one that is taken.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, key: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.key, self.cloud = key, Cloud()
        self.asked: list[dict[str, Any]] = []
        self.refusals: list[dict[str, Any]] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._down_until = 0.0

    def is_down(self) -> bool:
        """Whether nobody gets through."""
        return time.monotonic() < self._down_until

    def cut(self, seconds: float, keep: socket.socket) -> None:
        """Break all connections but one, and take no new one for so long."""
        self._down_until = time.monotonic() + seconds
        with self._lock:
            ended = self._open - {keep}
        for connection in ended:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """See ``socketserver``."""
        return not self.is_down()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """See ``socketserver``."""
        with self._lock:
            self._open.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.discard(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no error."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    where: SplitResult
    body: bytes
    next_token = ""  # of the next page, in a header

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def _serve(self) -> None:
        self.where = urlsplit(self.path)
        self.body, self.next_token = self._read(), ""
        try:
            self._route()(self)
        except RefusedError as error:
            self.answer(error.status, {"code": error.status, "message": error.message})

    do_GET = do_POST = do_DELETE = _serve

    def _route(self) -> Callable[[Handler], None]:
        path = self.where.path
        if path.startswith("/stand-in/"):
            return wishes
        for refusal in self.server.refusals:
            if path.startswith(refusal["path"]) and refusal["times"] > 0:
                refusal["times"] -= 1
                raise RefusedError(refusal["status"], refusal["message"])
        return control.answer if path.startswith(("/sandboxes", "/v2/sandboxes")) else daemon.answer

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def query(self) -> dict[str, str]:
        """The words after the question mark."""
        return {name: values[0] for name, values in parse_qs(self.where.query).items()}

    def json(self) -> dict[str, Any]:
        """The body, read as an object."""
        found = json.loads(self.body or b"{}")
        return found if isinstance(found, dict) else {}

    def answer(self, status: int, said: Any = None, kind: str = "application/json") -> None:
        """Answer at once."""
        data = b"" if said is None else said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if self.next_token:
            self.send_header("X-Next-Token", self.next_token)
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self, kind: str) -> None:
        """Answer in pieces; the connection ends with the last one."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()

    def piece(self, data: bytes) -> None:
        """A piece; an empty one is the last."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


def wishes(handler: Handler) -> None:
    """What tests want of the stand-in besides."""
    server, asked = handler.server, handler.json()
    match handler.where.path.removeprefix("/stand-in/"):
        case "sandboxes":
            found = [{**control.told(each), "pids": each.pids()} for each in server.cloud.all({})]
            handler.answer(200, found)
        case "requests":
            handler.answer(200, server.asked)
        case "end":
            server.cloud.end(asked["name"])
            handler.answer(200, {})
        case "refuse":
            server.refusals.append(asked)
            handler.answer(200, {})
        case "forgive":
            server.refusals.clear()
            handler.answer(200, {})
        case "cut":
            server.cut(asked["seconds"], handler.connection)
            handler.answer(200, {})
        case _:
            handler.answer(404, {})
    handler.close_connection = True
