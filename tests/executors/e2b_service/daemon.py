"""The daemon in a sandbox ("envd"): health, files by HTTP, processes by Connect with JSON."""

from __future__ import annotations

import base64
import json
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from stand_in import RefusedError

from e2b_service.cloud import Sandbox
from e2b_service.programs import KEEPALIVE, Listener, Program

if TYPE_CHECKING:
    from e2b_service.answers import Handler

ENVELOPE = struct.Struct(">BI")  # flags, size; https://connectrpc.com/docs/protocol
END = 2


class RPCError(Exception):
    """A Connect error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def answer(handler: Handler) -> None:
    """Answer a request to the daemon of the sandbox that its header names, as the proxy in front of it does."""
    name = handler.headers.get("E2b-Sandbox-Id", "")
    try:
        sandbox = handler.server.find(name)
        is_there = not sandbox.paused
    except RefusedError:
        is_there = False
    if not is_there:
        handler.answer(502, {"sandboxId": name, "message": "The sandbox was not found", "code": 502})
        return
    path = handler.where.path
    if path == "/health":
        handler.answer(204)
    elif handler.headers.get("X-Access-Token") != sandbox.token:
        raise RefusedError(
            401, "unauthorized access, please provide a valid access token or method signing if supported"
        )
    elif path == "/files":
        files(handler, sandbox)
    elif path in STREAMS:
        try:
            program, listener = STREAMS[path](handler, sandbox)
        except RPCError as error:  # said by the stream's last message, as Connect has it
            handler.begin_stream("application/connect+json")
            handler.piece(_envelope(END, {"error": {"code": error.code, "message": error.message}}))
            handler.piece(b"")
        else:
            stream(handler, program, listener)
    elif path == "/process.Process/SendInput":
        send_input(handler, sandbox, handler.json())
    else:
        raise RefusedError(404, f"no such thing: {path}")


# --- files --------------------------------------------------------------------------------------------------------------


def files(handler: Handler, sandbox: Sandbox) -> None:
    """Write files; a relative path begins in the home folder."""
    named, written = handler.query().get("path", ""), []
    for name, data in multipart(handler.headers["Content-Type"], handler.body):
        path = sandbox.home / (named or name)
        path.write_bytes(data)
        written.append({"name": path.name, "type": "file", "path": str(path)})
    handler.answer(200, written)


def multipart(kind: str, body: bytes) -> Iterator[tuple[str, bytes]]:
    """The files in a form: name and content."""
    boundary = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    for part in body.split(boundary)[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        name = head.decode().partition('filename="')[2].partition('"')[0]
        yield name, data.removesuffix(b"\r\n")


# --- processes ----------------------------------------------------------------------------------------------------------


def find(sandbox: Sandbox, selector: dict[str, Any]) -> Program:
    """The program that a request names."""
    found: Program | None = sandbox.programs.get(int(selector.get("pid", 0)))
    if found is None or found.is_forgotten():
        raise RPCError("not_found", f"process with pid {selector.get('pid')} not found")
    return found


def send_input(handler: Handler, sandbox: Sandbox, asked: dict[str, Any]) -> None:
    """Write to a program's stdin, if it has not ended."""
    try:
        program = find(sandbox, asked.get("process", {}))
        if program.status is not None:
            raise RPCError("not_found", f"process with pid {program.pid} not found")
        program.write(base64.b64decode(asked["input"]["stdin"]))
        handler.answer(200, {})
    except RPCError as error:
        handler.answer(404, {"code": error.code, "message": error.message})
    except OSError as error:
        handler.answer(500, {"code": "internal", "message": f"error writing to stdin: {error}"})


def message(body: bytes) -> dict[str, Any]:
    """The one message of a request that is answered by a stream."""
    _, size = ENVELOPE.unpack_from(body)
    found: dict[str, Any] = json.loads(body[ENVELOPE.size : ENVELOPE.size + size])
    return found


def start(handler: Handler, sandbox: Sandbox) -> tuple[Program, Listener]:
    """Start a program, and listen to it."""
    asked = message(handler.body)
    config = asked["process"]
    command = [config["cmd"], *config.get("args", [])]
    program = sandbox.start(command, config.get("envs", {}), config.get("cwd", ""), bool(asked.get("stdin")))
    return program, program.first


def connect(handler: Handler, sandbox: Sandbox) -> tuple[Program, Listener]:
    """Listen to a program that runs, or has run."""
    program = find(sandbox, message(handler.body)["process"])
    return program, program.listen()


STREAMS: dict[str, Callable[[Handler, Sandbox], tuple[Program, Listener]]] = {
    "/process.Process/Start": start,
    "/process.Process/Connect": connect,
}


keepalives: list[float] = []
"""The interval of each that was sent."""


def stream(handler: Handler, program: Program, listener: Listener) -> None:
    """Say what a program says, until it ends or no one listens."""
    listener.keepalive = float(handler.headers.get("Keepalive-Ping-Interval") or KEEPALIVE)
    threading.Thread(target=_watch, args=(handler.connection, program, listener), daemon=True).start()
    try:
        handler.begin_stream("application/connect+json")
        _say(handler, {"start": {"pid": program.pid}})
        for kind, what in listener.events():
            if kind == "keepalive":
                keepalives.append(listener.keepalive)
            _say(handler, _event(kind, what))
        if listener.gone.is_set():
            return  # the connection just ends, as when a machine goes away
        handler.piece(_envelope(END, {}))
        handler.piece(b"")
    except OSError:
        pass  # it has gone; the program goes on
    finally:
        program.forget(listener)


def _event(kind: str, what: Any) -> dict[str, Any]:
    if kind == "end":
        return {"end": {"exitCode": what, "exited": what >= 0, "status": f"exit status {what}"}}
    return {"keepalive": {}} if kind == "keepalive" else {"data": {kind: base64.b64encode(what).decode()}}


def _say(handler: Handler, event: dict[str, Any]) -> None:
    handler.piece(_envelope(0, {"event": event}))


def _envelope(flags: int, said: dict[str, Any]) -> bytes:
    data = json.dumps(said).encode()
    return ENVELOPE.pack(flags, len(data)) + data


def _watch(connection: socket.socket, program: Program, listener: Listener) -> None:
    """Stop listening as soon as the client hangs up."""
    try:
        while not listener.gone.is_set():
            ready, _, _ = select.select([connection], [], [], 1.0)
            if ready:
                break
    except (OSError, ValueError):
        pass  # it is closed already
    program.forget(listener)
