"""Messages between supervisor and runner as datagrams: garbage on the descriptor spoils one datagram, not the stream.

* Every datagram begins with the nonce of the current request; one without it is counted and dropped.
* A message larger than a datagram goes in parts under one lock; the last part is marked.
* The supervisor never blocks on a runner: unsent data waits in ``Outbox``.
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

from .frames import FROM_WORKER_BYTES, TO_WORKER_BYTES, Buffer, Frame, FrameDecoder, FrameError, encode

NONCE = 16
DATAGRAM_BYTES = 1 << 18  # size of one part of a message
FULL_SOCKET_PAUSE = 0.002  # seconds before a full datagram socket is tried again
_raise_signal = signal.raise_signal
CONTINUED, END = b"\0", b"\1"
REQUESTS = ("run", "vars", "tools", "imports", "pull", "list", "put", "look", "read", "agent", "copy", "wake")
ROOM = socket.CMSG_SPACE(4 * 16) if hasattr(socket, "CMSG_SPACE") else 0  # for descriptors sent with a message


def pair() -> tuple[socket.socket, socket.socket]:
    """Return the two ends of a datagram channel: SEQPACKET, or DGRAM if that is missing."""
    kind = getattr(socket, "SOCK_SEQPACKET", None)
    if kind is not None:
        try:
            return socket.socketpair(socket.AF_UNIX, kind)
        except OSError:
            pass
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def part_size(sock: socket.socket) -> int:
    """Return how many bytes of payload a datagram on this socket may carry."""
    if sock.type == getattr(socket, "SOCK_SEQPACKET", None):
        return 60_000
    return 1_900  # macOS's default for local datagrams is 2,048


def parts(buffers: list[Buffer], size: int) -> list[memoryview]:
    """Cut the buffers into pieces of at most ``size`` bytes; small neighbours are joined."""
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
        self._waiting: deque[tuple[list[Any], int | None]] = deque()  # each with a descriptor to send
        self.size = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, pieces: list[Any], descriptor: int | None = None) -> None:
        """Queue the buffers of one datagram, or one buffer of a stream. A descriptor is sent with it and then closed."""
        self._waiting.append((pieces, descriptor))
        self.size += sum(len(piece) for piece in pieces)

    def clear(self) -> None:
        """Drop all queued data and close its descriptors."""
        for _, descriptor in self._waiting:
            if descriptor is not None:
                os.close(descriptor)
        self._waiting.clear()
        self.size = 0

    def flush_datagrams(self, sock: socket.socket) -> bool:
        """Send as much as the socket takes; returns whether the queue is empty. Raises OSError if the peer has closed."""
        while self._waiting:
            pieces, descriptor = self._waiting[0]
            try:
                sock.sendmsg(pieces, _ancillary(descriptor))
            except (BlockingIOError, InterruptedError):
                return False
            except OSError as error:
                if error.errno == errno.ENOBUFS:  # macOS reports a full datagram socket by this error
                    return False
                raise
            self._waiting.popleft()
            self.size -= sum(len(piece) for piece in pieces)
            if descriptor is not None:
                os.close(descriptor)
        return True

    def flush_stream(self, descriptor: int) -> bool:
        """Write as much as the descriptor takes; returns whether the queue is empty. Raises OSError if the peer has closed."""
        while self._waiting:
            pieces = self._waiting[0][0]
            view = memoryview(pieces[0])
            try:
                written = os.write(descriptor, view)
            except (BlockingIOError, InterruptedError):
                return False
            self.size -= written
            if written == len(view):
                self._waiting.popleft()
            else:
                pieces[0] = view[written:]
        return True


def _ancillary(descriptor: int | None) -> list[Any]:
    if descriptor is None:
        return []
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]


def descriptors(ancillary: list[Any]) -> list[int]:
    """Return the descriptors that came with a message."""
    received = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            received.frombytes(data[: len(data) - len(data) % received.itemsize])
    return list(received)


class Near:
    """The supervisor's end: non-blocking; creates the nonces and counts forged datagrams."""

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
        """Send a message that opens a request: only answers with its new nonce are accepted."""
        self._nonce = os.urandom(NONCE)
        self._parts = bytearray()
        self.send(buffers, descriptor)

    def send(self, buffers: list[Buffer], descriptor: int | None = None) -> None:
        """Send a message that belongs to the current request."""
        pieces = parts(buffers, self._size)
        for piece in pieces:
            last = piece is pieces[-1]
            self.outbox.add([self._nonce, END if last else CONTINUED, piece], descriptor if last else None)
        self.flush()

    def flush(self) -> bool:
        """Send as much as the runner takes; returns whether the queue is empty. If the runner has exited, the queue is dropped."""
        try:
            return self.outbox.flush_datagrams(self.sock)
        except OSError:
            self.outbox.clear()
            return True

    def receive(self, budget: int = 64) -> list[Frame] | None:
        """Return the frames that have come, from at most ``budget`` datagrams; None if the runner's end is closed."""
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
            (frame,) = FrameDecoder(self._table).feed(whole)
        except (FrameError, ValueError):
            self.forged += 1
            return None
        return frame


class Far:
    """The runner's end: blocking, any thread may send."""

    patience: float | None = None
    """Interval in seconds at which a waiting thread checks for an interrupt; None if a signal wakes it."""

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
        self.copying = False  # the runner forks a copy of itself: the child continues on this link
        # Allocated now: a program that has used up its memory can still exchange messages.
        self._buffer = bytearray(DATAGRAM_BYTES)

    def after_fork(self) -> None:
        """Close the link in a forked child of the program, which must not answer for the runner."""
        if not self.copying:
            self._sock.close()

    def move(self, descriptor: int) -> None:
        """Replace the link's socket by another descriptor; for a copy of the process, which has its own connection."""
        os.dup2(descriptor, self._sock.fileno(), inheritable=False)
        self._lock = threading.Lock()
        self.descriptors = []

    def wait(self) -> bool:
        """Wait for a message without reading it; returns False if the supervisor has closed."""
        return bool(self._sock.recv(1, socket.MSG_PEEK))

    def send(self, frame: Frame) -> None:
        """Send one message of the current request.

        Raises:
            FrameError: it is beyond the wire's bounds; nothing was sent.
        """
        pieces = self.prepare(frame)
        with self._lock:
            for piece in pieces:
                self._send([self._nonce, END if piece is pieces[-1] else CONTINUED, piece])

    def prepare(self, frame: Frame) -> list[memoryview]:
        """Return the datagrams of a message."""
        return parts(encode(frame, self._outgoing, FROM_WORKER_BYTES), self._size)

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
        """Wait for the next message of the supervisor; raises EOFError if the supervisor has closed."""
        whole = FrameDecoder(self._incoming, TO_WORKER_BYTES)
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
        """Answer the request with this nonce from now on; None: the latest request."""
        self._nonce = self.latest if nonce is None else nonce

    def _receive(self) -> bytes:
        """Receive one datagram; returns b"" if the supervisor has closed."""
        count, ancillary, _, _ = self._sock.recvmsg_into([self._buffer], ROOM)
        self.descriptors += descriptors(ancillary)
        return bytes(memoryview(self._buffer)[:count])

    def started(self) -> None:
        """Report that the runner is ready. Does nothing for a forked runner; other runners override it."""

    @staticmethod
    def interrupt() -> None:
        """Raise SIGINT in the main thread, from another thread; for systems on which other processes cannot send it.

        On Windows this also ends a ``time.sleep`` of the main thread; on Linux it does not.
        """
        _raise_signal(signal.SIGINT)
