"""Messages between supervisor and runner: datagrams, so that garbage on the descriptor is a datagram to throw away.

* Every datagram begins with the nonce of the request under way; one without it is counted and dropped, never fatal.
* A message larger than a datagram goes in parts under one lock; the last part is marked.
* The supervisor never blocks on a runner: what cannot be sent now waits in ``Outbox``.
"""

from __future__ import annotations

import array
import errno
import os
import signal
import socket
import threading
import time
from collections import deque
from typing import Any

from .frames import FROM_WORKER_BYTES, TO_WORKER_BYTES, Buffer, Decoder, Frame, WireError, encode

NONCE = 16
DATAGRAM_BYTES = 1 << 18  # that a message's part may have
FULL_SOCKET_PAUSE = 0.002  # seconds until a full datagram socket is tried again
_raise_signal = signal.raise_signal
CONTINUED, END = b"\0", b"\1"
REQUESTS = ("run", "vars", "tools", "imports", "pull", "list", "put", "look", "read", "agent", "copy", "wake")
ROOM = socket.CMSG_SPACE(4 * 16) if hasattr(socket, "CMSG_SPACE") else 0  # for descriptors beside a message


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends of a datagram channel: SEQPACKET, or DGRAM if that is missing."""
    kind = getattr(socket, "SOCK_SEQPACKET", None)
    if kind is not None:
        try:
            return socket.socketpair(socket.AF_UNIX, kind)
        except OSError:
            pass
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def part_size(sock: socket.socket) -> int:
    """Return bytes of payload a datagram may carry on this socket."""
    if sock.type == getattr(socket, "SOCK_SEQPACKET", None):
        return 60_000
    return 1_900  # macOS's default for local datagrams is 2,048


def parts(buffers: list[Buffer], size: int) -> list[memoryview]:
    """Return the buffers cut into pieces of at most ``size``; small neighbours are joined."""
    total = sum(memoryview(buffer).nbytes for buffer in buffers)
    if total <= size:
        return [memoryview(b"".join(buffers))]
    pieces: list[memoryview] = []
    for buffer in buffers:
        view = memoryview(buffer).cast("B")
        pieces.extend(view[at : at + size] for at in range(0, len(view), size))
    return pieces


class Outbox:
    """Queue of data for a non-blocking descriptor or socket, oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[list[Any]] = deque()
        self._descriptors: deque[int | None] = deque()
        self.size = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, pieces: list[Any], descriptor: int | None = None) -> None:
        """Queue the buffers of one datagram, or one buffer of a stream; a descriptor goes with it and is then closed."""
        self._waiting.append(pieces)
        self._descriptors.append(descriptor)
        self.size += sum(len(piece) for piece in pieces)

    def clear(self) -> None:
        """Drop all that waits; descriptors are closed."""
        for descriptor in self._descriptors:
            if descriptor is not None:
                os.close(descriptor)
        self._waiting.clear()
        self._descriptors.clear()
        self.size = 0

    def flush_datagrams(self, sock: socket.socket) -> bool:
        """Send what the socket takes; True when nothing is left. Raises OSError when the peer is gone."""
        while self._waiting:
            try:
                sock.sendmsg(self._waiting[0], _ancillary(self._descriptors[0]))
            except (BlockingIOError, InterruptedError):
                return False
            except OSError as error:
                if error.errno == errno.ENOBUFS:  # macOS's word for "full" on datagrams
                    return False
                raise
            self.size -= sum(len(piece) for piece in self._waiting.popleft())
            descriptor = self._descriptors.popleft()
            if descriptor is not None:
                os.close(descriptor)
        return True

    def flush_stream(self, descriptor: int) -> bool:
        """Write what the descriptor takes; True when nothing is left. Raises OSError when the peer is gone."""
        while self._waiting:
            view = memoryview(self._waiting[0][0])
            try:
                written = os.write(descriptor, view)
            except (BlockingIOError, InterruptedError):
                return False
            self.size -= written
            if written == len(view):
                self._waiting.popleft()
                self._descriptors.popleft()
            else:
                self._waiting[0][0] = view[written:]
        return True


def _ancillary(descriptor: int | None) -> list[Any]:
    if descriptor is None:
        return []
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]


def descriptors(ancillary: list[Any]) -> list[int]:
    """Return the descriptors that came with a message."""
    found = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return list(found)


class Near:
    """The supervisor's end: non-blocking, gives out nonces, counts forgeries."""

    def __init__(self, sock: socket.socket, table: dict[str, dict[str, str]]) -> None:
        sock.setblocking(False)
        self.sock = sock
        self.outbox = Outbox()
        self.forged = 0
        self._table = table
        self._size = part_size(sock)
        self._nonce = b""
        self._parts = bytearray()

    def request(self, buffers: list[Buffer], descriptor: int | None = None) -> None:
        """Send a message that opens a new request: only answers with its nonce will be accepted."""
        self._nonce = os.urandom(NONCE)
        self._parts = bytearray()
        self.send(buffers, descriptor)

    def send(self, buffers: list[Buffer], descriptor: int | None = None) -> None:
        """Send a message that belongs to the request under way."""
        pieces = parts(buffers, self._size)
        for piece in pieces:
            last = piece is pieces[-1]
            self.outbox.add([self._nonce, END if last else CONTINUED, piece], descriptor if last else None)
        self.flush()

    def flush(self) -> bool:
        """Send what the runner takes; True when nothing is left (also when the runner is gone: that is found elsewhere)."""
        try:
            return self.outbox.flush_datagrams(self.sock)
        except OSError:
            self.outbox.clear()
            return True

    def receive(self, budget: int = 64) -> list[Frame] | None:
        """Return the frames that have come, reading at most ``budget`` datagrams; None when the runner's end is closed."""
        frames: list[Frame] = []
        for _ in range(budget):
            try:
                data = self.sock.recv(DATAGRAM_BYTES)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:
                return frames or None
            if not data:
                return frames or None
            frame = self._take(data)
            if frame is not None:
                frames.append(frame)
        return frames

    def _take(self, data: bytes) -> Frame | None:
        if len(data) <= NONCE or not self._nonce or data[:NONCE] != self._nonce:
            self.forged += 1
            return None
        self._parts += memoryview(data)[NONCE + 1 :]
        if len(self._parts) > FROM_WORKER_BYTES:
            self._parts = bytearray()
            self.forged += 1
        if data[NONCE : NONCE + 1] != END:
            return None
        whole, self._parts = self._parts, bytearray()
        try:
            (frame,) = Decoder(self._table).feed(whole)
        except (WireError, ValueError):
            self.forged += 1
            return None
        return frame


class Far:
    """The runner's end: blocking, any thread may send."""

    patience: float | None = None
    """Seconds after which a waiting thread must look up by itself to be interrupted; None if a signal wakes it."""

    def __init__(
        self, sock: socket.socket, incoming: dict[str, dict[str, str]], outgoing: dict[str, dict[str, str]]
    ) -> None:
        self._sock = sock
        self._lock = threading.Lock()
        self._size = part_size(sock)
        self._nonce = b""
        self.latest = b""  # nonce of the last request that came
        self._incoming = incoming
        self.descriptors: list[int] = []  # came with requests, in order
        self._outgoing = outgoing
        self.copying = False  # the runner forks a copy of itself: the child needs the link's place
        self._buffer = bytearray(
            DATAGRAM_BYTES
        )  # kept, so that a program that has used up its memory can still be spoken to

    def after_fork(self) -> None:
        """In a child that was forked: a process of the program's own does not answer for this one."""
        if not self.copying:
            self._sock.close()

    def move(self, descriptor: int) -> None:
        """Continue over another descriptor, in a copy of the process: put it in the place of the socket."""
        os.dup2(descriptor, self._sock.fileno(), inheritable=False)
        self._lock = threading.Lock()
        self.descriptors = []

    def wait(self) -> bool:
        """Wait for a message and leave it unread; False when the supervisor is gone."""
        return bool(self._sock.recv(1, socket.MSG_PEEK))

    def send(self, frame: Frame) -> None:
        """Send one message of the request under way.

        Raises:
            WireError: it is beyond the wire's bounds; nothing was sent.
        """
        pieces = parts(encode(frame, self._outgoing, FROM_WORKER_BYTES), self._size)
        with self._lock:
            for piece in pieces:
                self._send([self._nonce, END if piece is pieces[-1] else CONTINUED, piece])

    def _send(self, datagram: list[Any]) -> None:
        while True:
            try:
                self._sock.sendmsg(datagram)
                return
            except OSError as error:
                if error.errno != errno.ENOBUFS:  # macOS returns this error, Linux waits
                    raise
            time.sleep(FULL_SOCKET_PAUSE)

    def receive(self) -> Frame:
        """Wait for the next message of the supervisor; raises EOFError when it is gone."""
        whole = Decoder(self._incoming, TO_WORKER_BYTES)
        while True:
            data = self._receive()
            if not data:
                raise EOFError
            frames = whole.feed(memoryview(data)[NONCE + 1 :])
            if data[NONCE : NONCE + 1] == END:
                if frames[0].type in REQUESTS:
                    self.latest = data[:NONCE]
                return frames[0]

    def begin(self, nonce: bytes | None = None) -> None:
        """From now on, messages answer this request; None: the last one that came."""
        self._nonce = self.latest if nonce is None else nonce

    def _receive(self) -> bytes:
        """One datagram; b"" when the supervisor is gone."""
        count, ancillary, _, _ = self._sock.recvmsg_into([self._buffer], ROOM)
        self.descriptors += descriptors(ancillary)
        return bytes(memoryview(self._buffer)[:count])

    def started(self) -> None:
        """Everything is ready; who was forked need not say so."""

    @staticmethod
    def interrupt() -> None:
        """Raise SIGINT for the main thread, from another one: for systems on which no process can send it.

        On Windows this also ends a sleep of the main thread (the C handler sets what ``time.sleep`` waits for); on
        Linux it does not.
        """
        _raise_signal(signal.SIGINT)
