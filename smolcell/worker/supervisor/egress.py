"""Relays connections between the code and the host. The host decides: see ``_admit`` in network/proxy.py.

* The relayed bytes are not read here: the host reads them, and treats them as hostile.
* Frames of a step never wait behind more than ``LINK_BYTES`` of connections, in either direction.
* The data kept for a client that does not read is limited to ``WINDOW_BYTES``.
"""

from __future__ import annotations

import os
import select
import socket
from typing import Any, Callable

from ..system.jail import PORT
from ..wire.frames import Frame

WINDOW_BYTES = 512 << 10  # bytes of one connection in flight, in one direction
LINK_BYTES = 256 << 10  # bytes of all connections that the other side has not read yet
CHUNK = 64 << 10
MAX_CONNECTIONS = 128  # maximum connections at once


class RelayedConnection:
    """A connection of the code to the proxy."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.credit = WINDOW_BYTES  # bytes that the host still accepts
        self.waiting = bytearray()  # bytes for the client
        self.written = 0  # bytes written that the host was not told of yet
        self.is_read = self.is_over = False  # the client has sent all; the host has sent all

    def interest(self, may_read: bool) -> int:
        """Return the events to poll for; 0 for none."""
        reads = may_read and self.credit > 0 and not self.is_read
        return (select.POLLIN if reads else 0) | (select.POLLOUT if self.waiting else 0)


class Relay:
    """Relays the connections of one sandbox.

    Args:
        listener: socket that the code connects to.
        say: sends the host a frame.
        room: returns False while ``LINK_BYTES`` or more of earlier frames are still queued for the host.
    """

    def __init__(self, listener: socket.socket, say: Callable[[Frame], object], room: Callable[[], bool]) -> None:
        self._listener, self._send_frame, self._room = listener, say, room
        self._streams: dict[int, RelayedConnection] = {}
        self._opened = 0
        self._credit = LINK_BYTES
        self._taken = 0  # bytes taken that the host was not told of yet

    def listen(self, listener: socket.socket) -> None:
        """Continue with the listener of a new runner; connections of the old one are closed."""
        self.close()
        self._listener = listener

    def close(self) -> None:
        """Close all connections and the listener."""
        self._listener.close()
        for number in list(self._streams):
            self._streams[number].sock.close()
            self._streams[number].is_read = True
            self._send_frame(Frame("net_end", {"stream": number}))

    def register(self, poll: Any) -> None:
        """Register the connections with ``poll``."""
        if len(self._streams) < MAX_CONNECTIONS and self._listener.fileno() >= 0:
            poll.register(self._listener, select.POLLIN)
        may_read = self._may_read()
        for stream in self._streams.values():
            events = stream.interest(may_read)
            if events and stream.sock.fileno() >= 0:
                poll.register(stream.sock, events)

    def poll(self, ready: set[int]) -> None:
        """Serve the connections that are ready."""
        for number, stream in list(self._streams.items()):
            if stream.sock.fileno() in ready:
                if stream.waiting:
                    self._write(number, stream)
                if self._may_read() and stream.credit > 0 and not stream.is_read:
                    self._read(number, stream)
        if self._listener.fileno() in ready:
            self._accept()

    def handle_frame(self, frame: Frame) -> None:
        """Handle a frame of the host about a connection."""
        number = frame.fields["stream"]
        if frame.type == "net_more":
            if number:
                if number in self._streams:
                    self._streams[number].credit += frame.fields["bytes"]
            else:
                self._credit += frame.fields["bytes"]
            return
        stream = self._streams.get(number)
        if frame.type == "net_data":
            self._count(sum(map(len, frame.blobs)))
            if stream is not None:
                stream.waiting += b"".join(frame.blobs)
                self._write(number, stream)
        elif stream is not None:
            stream.is_over = True
            if not stream.waiting:
                self._forget(number)

    def _may_read(self) -> bool:
        return self._credit > 0 and self._room()

    def _count(self, size: int) -> None:
        """Let the host send as much again, after a quarter of ``LINK_BYTES`` was taken."""
        self._taken += size
        if self._taken >= LINK_BYTES // 4:
            self._send_frame(Frame("net_more", {"stream": 0, "bytes": self._taken}))
            self._taken = 0

    def _accept(self) -> None:
        while len(self._streams) < MAX_CONNECTIONS:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._opened += 1
            self._streams[self._opened] = RelayedConnection(sock)
            self._send_frame(Frame("net_open", {"stream": self._opened}))

    def _read(self, number: int, stream: RelayedConnection) -> None:
        try:
            data = stream.sock.recv(min(CHUNK, stream.credit))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            stream.credit -= len(data)
            self._credit -= len(data)
            self._send_frame(Frame("net_data", {"stream": number}, (data,)))
        else:
            stream.is_read = True
            self._send_frame(Frame("net_end", {"stream": number}))

    def _write(self, number: int, stream: RelayedConnection) -> None:
        try:
            sent = stream.sock.send(stream.waiting)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            sent = len(stream.waiting)  # the client has closed: drop its data
        del stream.waiting[:sent]
        if stream.is_over and not stream.waiting:
            self._forget(number)
            return
        stream.written += sent
        if stream.written >= WINDOW_BYTES // 2:
            self._send_frame(Frame("net_more", {"stream": number, "bytes": stream.written}))
            stream.written = 0

    def _forget(self, number: int) -> None:
        self._streams.pop(number).sock.close()


def proxy_variables() -> dict[str, str]:
    """Return the environment variables that point programs to the proxy."""
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    return dict.fromkeys(names, f"http://127.0.0.1:{PORT}")


def build_environment(options: dict[str, Any]) -> dict[str, str]:
    """Return the environment variables for the proxy and its certificates; writes the certificates to a file.

    Args:
        options: of the host's hello; "egress" holds "variables" and "certificates" (PEM).
    """
    egress = options["egress"]
    path = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.environ["HOME"], "certificates.pem")
    with open(path, "w", encoding="ascii") as file:
        file.write(egress["certificates"])
    names = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "PIP_CERT")
    return {**proxy_variables(), **dict.fromkeys(names, path), **egress["variables"]}
