"""A worker in a container, spoken to over the container's attached streams.

The rules this file exists to keep:

* The host speaks first: until the worker is sent, the container says nothing.
* The engine ends the container's stdin when this end closes, however it closes; the container ends then, and is removed.
* From before it is made until it is gone, the container is registered with the reaper.

Source of the stream's format: "Attach to a container" in the Docker Engine API (eight bytes before each piece: the stream's number,
three zeros, the size).
"""

from __future__ import annotations

import errno
import json
import secrets
import selectors
import socket
import ssl
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from smolcell.executors import containers, leaving
from smolcell.executors.containers import Shape
from smolcell.executors.engine import Engine
from smolcell.executors.ship import worker_zip
from smolcell.visible import visible
from smolcell.worker import wire

READ = 1 << 20
HEAD = struct.Struct(">BxxxI")
STDERR = 2
LAST = 2000  # bytes kept of what the worker writes to its stderr
ENDING = 1.5  # seconds that the engine may take to remove a container
HEARD = 10.0  # seconds that it may take to say what became of one


class ContainerChannel:
    """A worker started in a container.

    Args:
        engine: closed with this channel.
        image: the image's name; it is there.
        shape: what the container is given.

    Raises:
        SandboxError, SetupError: it does not start; nothing of it is left.
    """

    shares = False

    def __init__(self, engine: Engine, image: str, shape: Shape) -> None:
        self.engine, self.image = engine, image
        self.name = f"{containers.PREFIX}{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._dead = self._ended = False
        self._how = ""
        self._errors = b""
        self._head = b""
        self._left, self._stream = 0, 0  # bytes to come of the piece under way, and its stream
        self._stdin: _Line | None = None
        self._status: Any = None
        self._archive = worker_zip()  # goes first; by who writes, since a container that has ended reads nothing
        leaving.register(self.name, engine.address)
        try:
            self.id = containers.create(engine, image, self.name, len(self._archive), shape)
            with engine.errors(image):
                self._begin()
        except BaseException:
            self.kill()
            raise

    def _begin(self) -> None:
        api = self.engine.client.api
        url = f"{api.base_url}/v{api.api_version}/containers/{self.id}"
        # Answered at once, and again when the container is gone: its exit code cannot be asked for afterwards.
        self._status = api.post(f"{url}/wait", params={"condition": "removed"}, stream=True, timeout=HEARD)
        self._stdin = _Line(api.attach_socket(self.id, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}))
        api.start(self.id)

    def send(self, buffers: Sequence[wire.Buffer], descriptor: int | None = None) -> None:
        """Write all of it; blocks; raises OSError when the worker is gone."""
        if descriptor is not None:
            raise ValueError("no descriptor goes into a container")
        if self._stdin is None:
            raise BrokenPipeError("the container is gone")
        archive, self._archive = self._archive, b""
        for buffer in (archive, *buffers):
            self._stdin.send(buffer)

    def receive(self) -> bytes:
        """Read some bytes of the worker's; b"" when it is gone."""
        while self._stdin is not None and (data := self._stdin.receive()):
            said = self._sort(data)
            if said:
                return said
        self._ended = True
        return b""

    def _sort(self, data: bytes) -> bytes:
        """Take the pieces apart: what came on stdout; what came on stderr is kept for the end."""
        said = []
        view = memoryview(data)
        while view:
            if not self._left:
                wanted = HEAD.size - len(self._head)
                self._head, view = self._head + bytes(view[:wanted]), view[wanted:]
                if len(self._head) == HEAD.size:
                    self._stream, self._left = HEAD.unpack(self._head)
                    self._head = b""
                continue
            piece, view = view[: self._left], view[self._left :]
            self._left -= len(piece)
            if self._stream == STDERR:
                self._errors = (self._errors + piece)[-LAST:]
            else:
                said.append(piece)
        return said[0].tobytes() if len(said) == 1 else b"".join(said)

    def kill(self) -> None:
        """End the container and everything in it; it is removed."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            by_itself = self._read_status() if self._ended else None
            if self._stdin is not None:
                self._stdin.close()
            gone = by_itself is not None
            with suppress(Exception):  # the engine is gone: its end has ended the container, or the reaper does
                gone = containers.remove(self.engine, self.name, ENDING) in containers.GONE or gone
            status = self._read_status() if gone and by_itself is None else by_itself
            self._how = self._told(status)
            if self._status is not None:
                self._status.close()
            self.engine.close()
            if gone:
                leaving.forget(self.name)

    def _read_status(self) -> int | None:
        """The exit code of a container that is being removed; None where the engine does not say."""
        try:
            return int(json.loads(self._status.content)["StatusCode"])
        except Exception:
            return None  # of the SDK's HTTP library come many kinds, and none of them matters

    def _told(self, status: int | None) -> str:
        if status is None:
            return "the connection to the Docker engine ended (was it restarted?); run the step again"
        errors = visible(self._errors.decode("utf-8", "replace")).strip()
        if errors:
            return f"its container ended with exit code {status}: {errors}"
        if status == 137:
            return "its container was killed from outside, or its memory ran out; run the step again"
        return f"its container ended with exit code {status}; see its image: docker run -it {self.image} sh"

    def epitaph(self) -> str:
        """How the container ended."""
        return self._how


class _Line:
    """The attached stream's connection.

    Args:
        attached: what the SDK gives: a ``SocketIO`` over the socket, or with TLS the socket.
    """

    def __init__(self, attached: Any) -> None:
        self._attached = attached
        self._socket: socket.socket = getattr(attached, "_sock", attached)
        self._socket.settimeout(None)
        # OpenSSL lets one thread at a time use a connection, so reading must not wait inside.
        self._lock = threading.Lock() if isinstance(self._socket, ssl.SSLSocket) else None

    def send(self, data: wire.Buffer) -> None:
        if self._lock is None:
            self._socket.sendall(data)
            return
        with self._lock:
            self._socket.sendall(data)

    def receive(self) -> bytes:
        if self._lock is None:
            return self._socket.recv(READ)
        while True:
            self._wait()
            with self._lock:
                self._socket.setblocking(False)
                try:
                    return self._socket.recv(READ)
                except ssl.SSLWantReadError:
                    pass
                finally:
                    self._socket.setblocking(True)

    def _wait(self) -> None:
        """Until there is something to read; an OSError where it was closed. Not ``select``: descriptors may be many."""
        with getattr(selectors, "PollSelector", selectors.SelectSelector)() as waiting:
            try:
                waiting.register(self._socket, selectors.EVENT_READ)
            except ValueError:
                raise OSError(errno.EBADF, "the connection was closed") from None
            waiting.select()

    def close(self) -> None:
        """Wake whoever reads or writes, and end the stream; twice is harmless."""
        with suppress(OSError, AttributeError):  # a pipe of Windows has no such thing
            self._socket.shutdown(socket.SHUT_RDWR)
        # With TLS the answer that it came with holds it open; otherwise the SDK does not keep that.
        for part in (getattr(self._attached, "_response", None), self._attached, self._socket):
            with suppress(OSError, ValueError):  # closed with the one before
                if part is not None:
                    part.close()
