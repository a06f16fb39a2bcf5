"""Pipes instead of sockets: for systems where a program can neither wait on a pipe nor hand a datagram socket on (Windows).

The rules this file exists to keep:

* A thread for each pipe does what blocks; whoever waits, waits on one event.
* What is read ahead is bounded: who writes faster than is read has to wait.
* On a pipe the link's datagrams are records with their length. Garbage ends the link, since nothing says where the next
  record begins.
"""

from __future__ import annotations

import os
import struct
import threading
from collections import deque
from typing import Any

from .link import NONCE, Far, Near
from .wire import Frame

AHEAD = 8 << 20  # bytes read before they are taken
CHUNK = 1 << 16
PART = 60_000  # bytes of payload in a record
RECORD = struct.Struct(">I")
MARK = b"\0smolcell\0"  # with the nonce: what was printed before it belongs to the step that is done


def set_binary(*descriptors: int) -> None:
    """No translation of line ends, where the system has such a thing."""
    try:
        import msvcrt
    except ImportError:
        return
    for descriptor in descriptors:
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]


def write_all(descriptor: int, data: Any) -> None:
    """Write all of it; blocks; raises OSError when nobody reads any more."""
    view = memoryview(data).cast("B")
    while view:
        view = view[os.write(descriptor, view) :]


class Reader:
    """What comes out of a pipe, read on a thread; the thread closes the pipe when it ends.

    Args:
        pipe: the descriptor; from now on this object's own.
        wake: set whenever there is something to take, or an end to see.
    """

    def __init__(self, pipe: int, wake: threading.Event) -> None:
        self._pipe, self._wake = pipe, wake
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._over = self._closed = False
        self._room = threading.Condition()
        threading.Thread(target=self._read, name="smolcell-read", daemon=True).start()

    def _read(self) -> None:
        data = b"-"
        while data:
            try:
                data = os.read(self._pipe, CHUNK)
            except OSError:
                data = b""  # gone, as at an end
            with self._room:
                self._room.wait_for(lambda: self._size < AHEAD or self._closed)
                if data and not self._closed:
                    self._pieces.append(data)
                    self._size += len(data)
                self._over = not data
            self._wake.set()
        os.close(self._pipe)

    @property
    def ended(self) -> bool:
        """Whether all has been taken and nothing more will come."""
        return self._over and not self._size

    def close(self) -> None:
        """Nobody takes any more: what comes is thrown away."""
        with self._room:
            self._closed = True
            self._room.notify()

    def take(self, most: int) -> bytes:
        """What has come, about ``most`` bytes; b"" when nothing has."""
        taken = []
        with self._room:
            while self._pieces and most > 0:
                taken.append(self._pieces.popleft())
                most -= len(taken[-1])
                self._size -= len(taken[-1])
            if self._pieces:
                self._wake.set()
            self._room.notify()
        return b"".join(taken)


class Writer:
    """What goes into a pipe, written on a thread, oldest first.

    Args:
        pipe: the descriptor; from now on this object's own, closed by ``close`` or when nobody reads any more.
        wake: set when the other end is gone.
        records: whether each item is preceded by its length.
    """

    def __init__(self, pipe: int, wake: threading.Event, records: bool = False) -> None:
        self._pipe, self._wake, self._records = pipe, wake, records
        self._waiting: deque[list[Any] | None] = deque()
        self._changed = threading.Condition()
        self.size = 0  # bytes that wait
        self.broken = False
        threading.Thread(target=self._write, name="smolcell-write", daemon=True).start()

    def __bool__(self) -> bool:
        return bool(self.size)

    def add(self, pieces: list[Any], descriptor: int | None = None) -> None:
        """Queue buffers that belong together; a descriptor cannot go along."""
        if descriptor is not None:
            raise ValueError("no descriptor goes through a pipe")
        size = sum(memoryview(piece).nbytes for piece in pieces)
        with self._changed:
            if not self.broken:
                self._waiting.append([RECORD.pack(size), *pieces] if self._records else pieces)
                self.size += size
                self._changed.notify()

    def close(self) -> None:
        """Close the pipe once all is written."""
        with self._changed:
            self._waiting.append(None)
            self._changed.notify()

    def drain(self, patience: float) -> None:
        """Wait until all is written, at most ``patience`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self.size or self.broken, patience)

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                item = self._waiting.popleft()
            if item is None or not self._put(item):
                break
        os.close(self._pipe)

    def _put(self, item: list[Any]) -> bool:
        try:
            for piece in item:
                write_all(self._pipe, piece)
        except OSError:
            with self._changed:
                self.broken, self.size = True, 0
                self._waiting.clear()
                self._changed.notify_all()
            self._wake.set()
            return False
        with self._changed:
            self.size -= sum(memoryview(piece).nbytes for piece in item[1 if self._records else 0 :])
            self._changed.notify_all()
        return True


class StreamNear(Near):
    """The supervisor's end of a link over two pipes.

    Args:
        reader: what the runner says; hostile.
        writer: what it is told; with ``records``.
        table: the frames that it may send.
    """

    def __init__(self, reader: Reader, writer: Writer, table: dict[str, dict[str, str]]) -> None:
        self.outbox: Any = writer
        self.forged = 0
        self._reader = reader
        self._table = table
        self._size = PART
        self._nonce = b""
        self._parts = bytearray()
        self._rest = b""
        self._spoilt = False

    @property
    def mark(self) -> bytes:
        """What ends the printed text of the request under way."""
        return MARK + self._nonce

    def flush(self) -> bool:
        """See ``Near.flush``: a thread writes."""
        return not self.outbox

    def receive(self, budget: int = 64) -> list[Frame] | None:
        """See ``Near.receive``; None also when what came is not a record."""
        data = b"" if self._spoilt else self._rest + self._reader.take(budget * PART)
        frames: list[Frame] = []
        at = 0
        while len(data) - at >= RECORD.size:
            (size,) = RECORD.unpack_from(data, at)
            if size > NONCE + 1 + PART:
                self._spoilt = True
                break
            if len(data) - at - RECORD.size < size:
                break
            at += RECORD.size
            frame = self._take(data[at : at + size])
            at += size
            if frame is not None:
                frames.append(frame)
        self._rest = data[at:]
        if not frames and (self._spoilt or self._reader.ended):
            return None
        return frames


class StreamFar(Far):
    """The runner's end of a link over two pipes."""

    patience: float | None = 0.2

    def __init__(
        self,
        read_from: int,
        write_to: int,
        incoming: dict[str, dict[str, str]],
        outgoing: dict[str, dict[str, str]],
    ) -> None:
        self._from, self._to = read_from, write_to
        self._lock = threading.Lock()
        self._size = PART
        self._nonce = b""
        self._incoming = incoming
        self.descriptors = []
        self._outgoing = outgoing

    def send(self, frame: Frame) -> None:
        """See ``Far.send``; a step's printed text is ended first, since two pipes have no common order."""
        if frame.type == "done":
            try:
                write_all(2, MARK + self._nonce)
            except OSError:
                pass  # closed by the code
        super().send(frame)

    def started(self) -> None:
        """Say so: a step's time does not begin before."""
        self.send(Frame("answer", {"id": 0, "error": ""}))

    def _send(self, datagram: list[Any]) -> None:
        whole = b"".join(datagram)
        write_all(self._to, RECORD.pack(len(whole)) + whole)

    def _receive(self) -> bytes:
        head = self._exactly(RECORD.size)
        return self._exactly(RECORD.unpack(head)[0]) if head else b""

    def _exactly(self, size: int) -> bytes:
        pieces = []
        while size:
            data = os.read(self._from, size)
            if not data:
                return b""
            pieces.append(data)
            size -= len(data)
        return b"".join(pieces)
