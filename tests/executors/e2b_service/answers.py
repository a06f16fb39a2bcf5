"""HTTP of the stand-in: which request is whose, and how an answer is written."""

from __future__ import annotations

from typing import Any

from stand_in import HTTPHandler, HTTPStandIn, RefusedError

from e2b_service import control, daemon, programs
from e2b_service.cloud import Sandbox


class Server(HTTPStandIn):
    """The stand-in's server; both its parts listen at one address, as the SDK is told."""

    def __init__(self, key: str) -> None:
        super().__init__(key, Handler)

    def find(self, name: str) -> Sandbox:
        """A sandbox by its name."""
        found: Sandbox | None = self.sandboxes.get(name)
        if found is None:
            raise RefusedError(404, f"sandbox '{name}' not found")
        return found

    def wish(self, what: str, **words: Any) -> Any:
        """See ``StandIn``; and what only this daemon does."""
        match what:
            case "keep_ends":
                programs.KEPT = words["seconds"]
            case "keepalives":
                return daemon.keepalives
            case _:
                if what == "forgive":
                    programs.KEPT = programs.KEEP
                return super().wish(what, **words)
        return None


class Handler(HTTPHandler):
    """One connection."""

    server: Server

    def serve(self) -> None:
        """See ``HTTPHandler``: which request is whose."""
        path = self.where.path
        if refusal := self.server.refusal(path.startswith):
            raise RefusedError(refusal["status"], refusal["message"])
        (control if path.startswith(("/sandboxes", "/v2/sandboxes")) else daemon).answer(self)

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
