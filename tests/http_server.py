"""HTTP servers on this machine: one way to start and to end them, and a handler that answers in one line."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

AServer = TypeVar("AServer", bound=socketserver.BaseServer)


class Handler(BaseHTTPRequestHandler):
    """Says nothing on stderr; a client that has gone is no error."""

    def log_message(self, *_: Any) -> None:
        """See ``http.server``."""

    def handle(self) -> None:
        """See ``socketserver``."""
        with suppress(OSError):
            super().handle()

    def body(self) -> bytes:
        """The request's body, whose length its head says."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, said: Any = b"", *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Answer with bytes, with text, or with anything else as JSON; to HEAD, with the head of that.

        Args:
            said: the body.
            status: of HTTP.
            kind: the content's type; none is said if it is empty.
            headers: further ones; ``_`` stands for ``-``.
        """
        data = said if isinstance(said, bytes) else (said if isinstance(said, str) else json.dumps(said)).encode()
        self.send_response(status)
        named = {"Content-Type": kind, "Content-Length": str(len(data)), **headers}
        for name, value in named.items():
            if value:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


class Server(ThreadingHTTPServer):
    """A server on a free port.

    Args:
        handler: answers the requests.
        host: an address of this machine.
    """

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler] = Handler, host: str = "127.0.0.1") -> None:
        super().__init__((host, 0), handler)

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end."""
        return f"http://{self.server_address[0]!s}:{self.server_port}"


@contextmanager
def served(server: AServer) -> Iterator[AServer]:
    """Serve until the block ends."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
