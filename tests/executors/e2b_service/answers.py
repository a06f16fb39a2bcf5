"""HTTP of the stand-in: which request is whose, and how an answer is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from stand_in import HTTPStandIn

from e2b_service import control, daemon, programs
from e2b_service.cloud import Cloud, RefusedError


class Server(HTTPStandIn):
    """The stand-in's server; both its parts listen at one address, as the SDK is told."""

    def __init__(self, key: str) -> None:
        super().__init__(key, Handler)
        self.cloud = Cloud()

    def told(self) -> list[dict[str, Any]]:
        """See ``StandIn``."""
        found = self.cloud.all({})
        return [
            {**control.told(each, self.ahead), "pids": each.pids(), "internet": control.has_internet(each)}
            for each in found
        ]

    def end(self, name: str) -> None:
        """See ``StandIn``."""
        self.cloud.end(name)

    def wish(self, what: str, **words: Any) -> Any:
        """See ``StandIn``; and what only this daemon does."""
        match what:
            case "keep_ends":
                programs.KEPT = words["seconds"]
            case "keepalives":
                return daemon.keepalives
            case _:
                return super().wish(what, **words)
        return None


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    where: SplitResult
    body: bytes
    next_token, after = "", ""  # of the next page, and when to ask again: in headers

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def _serve(self) -> None:
        self.where = urlsplit(self.path)
        self.body, self.next_token, self.after = self._read(), "", ""
        try:
            self._route()(self)
        except RefusedError as error:
            self.after = error.after
            self.answer(error.status, {"code": error.status, "message": error.message})

    do_GET = do_POST = do_DELETE = _serve

    def _route(self) -> Callable[[Handler], None]:
        path = self.where.path
        if refusal := self.server.refusal(path.startswith):
            raise RefusedError(refusal["status"], refusal["message"], refusal["after"])
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
        if self.after:
            self.send_header("Retry-After", self.after)
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
