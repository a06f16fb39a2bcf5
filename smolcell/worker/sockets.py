"""Sockets in WebAssembly, where there are none: each connects to the proxy on the host, over the link.

* There is no other way out: a connection to anything but the proxy's address is refused here, and impossible below.
* TLS is opened by the host, which verifies the certificate: what a tunnel carries here is plain HTTP.
* What is held for code that does not read is bounded, as in ``supervisor.egress``.
"""

from __future__ import annotations

import errno
import socket
import ssl
import sys
import time
import types
from typing import Any, Callable

from .supervisor.egress import CHUNK, LINK, MOST, WINDOW
from .system.jail import PORT
from .wire.frames import Frame

PATIENCE = 2.0  # seconds that a new connection waits for the end of another, if there are too many


class Stream:
    """One connection to the proxy."""

    def __init__(self) -> None:
        self.data = bytearray()  # that came and was not read
        self.credit = WINDOW  # bytes that the host takes
        self.read = 0  # bytes that the host was not yet told of
        self.is_over = False


class Streams:
    """The connections of one runner.

    Args:
        send: sends the host a frame.
        wait: waits for the next frame of the host and has it heard, until this time of ``time.monotonic``; raises TimeoutError.
        opened: how many connections earlier runners of this sandbox have opened.
    """

    def __init__(self, send: Callable[[Frame], None], wait: Callable[[float | None], None], opened: int) -> None:
        self._send, self._wait, self._opened = send, wait, opened
        self._streams: dict[int, Stream] = {}
        self._served: set[int] = set()  # numbers that the host has not ended, those of closed sockets among them
        self._credit = LINK
        self._taken = 0  # bytes of all connections that the host was not yet told of

    def begin_step(self) -> None:
        """No connection outlives its step."""
        for stream in self._streams.values():
            stream.is_over = True
        self._streams.clear()
        self._served.clear()
        self._credit, self._taken = LINK, 0  # the supervisor has told the host of the last step's bytes

    def hear(self, frame: Frame) -> None:
        """Take a frame of the host's."""
        number, stream = frame.fields["stream"], self._streams.get(frame.fields["stream"])
        if frame.type == "net_data":
            self._taken += sum(map(len, frame.blobs))
            if self._taken >= LINK // 4:
                self._send(Frame("net_more", {"stream": 0, "bytes": self._taken}))
                self._taken = 0
        if frame.type == "net_more" and not number:
            self._credit += frame.fields["bytes"]
        elif stream is not None and frame.type == "net_more":
            stream.credit += frame.fields["bytes"]
        elif stream is not None and frame.type == "net_data":
            for blob in frame.blobs:
                stream.data += blob
        elif frame.type == "net_end":
            self._served.discard(number)
            if stream is not None:
                stream.is_over = True

    def open(self) -> int:
        """Open a connection; returns its number, or raises OSError if there are too many at once."""
        until = time.monotonic() + PATIENCE
        while len(self._served) >= MOST:
            try:
                self._wait(until)
            except TimeoutError:
                raise OSError(
                    errno.EMFILE, f"{MOST} connections are open, more are not allowed at once: close some"
                ) from None
        self._opened += 1
        self._served.add(self._opened)
        self._streams[self._opened] = Stream()
        self._send(Frame("net_open", {"stream": self._opened}))
        return self._opened

    def write(self, number: int, data: Any, until: float | None) -> None:
        """Send all of it; raises BrokenPipeError if the connection is over."""
        view = memoryview(data).cast("B")
        while view:
            stream = self._streams.get(number)
            if stream is None or stream.is_over:
                raise BrokenPipeError("the connection is over")
            room = min(len(view), CHUNK, stream.credit, self._credit)
            if room <= 0:
                self._wait(until)
                continue
            stream.credit -= room
            self._credit -= room
            self._send(Frame("net_data", {"stream": number}, (bytes(view[:room]),)))
            view = view[room:]

    def read(self, number: int, size: int, until: float | None) -> bytes:
        """Some bytes, at most so many; b"" at the end."""
        stream = self._streams.get(number)
        while stream is not None and not stream.data and not stream.is_over:
            self._wait(until)
        if stream is None or not stream.data:
            return b""
        data = bytes(stream.data[:size])
        del stream.data[:size]
        stream.read += len(data)
        if stream.read >= WINDOW // 2 and not stream.is_over:
            self._send(Frame("net_more", {"stream": number, "bytes": stream.read}))
            stream.read = 0
        return data

    def close(self, number: int) -> None:
        """Say that no more is sent, and read no more."""
        if self._streams.pop(number, None) is not None:
            self._send(Frame("net_end", {"stream": number}))


class HostSocket(socket.socket):
    """A connection to the proxy, or none."""

    streams: Streams
    _stream = 0

    def connect(self, address: Any, /) -> None:
        """Connect to the proxy; raises PermissionError for any other address."""
        if address[:2] != ("127.0.0.1", PORT):
            raise PermissionError("only HTTP and HTTPS through the proxy lead out of this sandbox")
        self._stream = self.streams.open()

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """See ``socket.recv``."""
        return self.streams.read(self._stream, size, self._until())

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0) -> int:
        """See ``socket.recv_into``."""
        view = memoryview(buffer).cast("B")
        data = self.recv(size or len(view))
        view[: len(data)] = data
        return len(data)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """See ``socket.sendall``."""
        self.streams.write(self._stream, data, self._until())

    def send(self, data: Any, flags: int = 0, /) -> int:
        """See ``socket.send``."""
        self.sendall(data)
        return memoryview(data).nbytes

    def setsockopt(self, *_: Any) -> None:
        """Do nothing: there is nothing to set."""

    def shutdown(self, how: int, /) -> None:
        """Do nothing: the proxy closes when it has answered."""

    def _real_close(self, *given: Any) -> None:
        self.streams.close(self._stream)
        super()._real_close(*given)  # type: ignore[misc]

    def _until(self) -> float | None:
        seconds = self.gettimeout()
        return None if seconds is None else time.monotonic() + seconds

    def selected_alpn_protocol(self) -> str:
        """As of a socket with TLS: the proxy speaks this to the host."""
        return "http/1.1"


def _wrap_socket(context: Any, sock: Any, *_: Any, **__: Any) -> Any:
    return sock


def install(streams: Streams) -> None:
    """Replace ``socket.socket`` by one whose connections go to the proxy, and leave TLS to the host."""
    HostSocket.streams = streams
    socket.socket = HostSocket  # type: ignore[misc]
    module: Any = ssl  # over a stub of OpenSSL, which urllib3 takes for one that is too old
    module.HAS_NEVER_CHECK_COMMON_NAME = True
    module.SSLContext.hostname_checks_common_name = False
    module.SSLContext.wrap_socket = _wrap_socket
    emscripten: Any = types.ModuleType("urllib3.contrib.emscripten")  # would ask JavaScript, which has no network here
    emscripten.inject_into_urllib3 = lambda: None
    sys.modules[emscripten.__name__] = emscripten
