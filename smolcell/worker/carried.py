"""Bytes over a stream of text that may break: numbered lines, kept until the other end has them.

The rules this file exists to keep:

* A piece is delivered once and in order, however often the stream breaks and is begun anew.
* What is no line of this form is left out: half a line of a broken stream is none.
* What either end holds is bounded.

A line is a letter, a number, and, with ``DATA``, base64: ``D17 aGVsbG8=``. Numbers count the pieces of one direction, from 1.
"""

from __future__ import annotations

import base64
import binascii
import threading
from collections import deque
from typing import Any, NamedTuple

DATA, HAVE, AGAIN, ALIVE = b"D", b"H", b"R", b"B"
"""A piece; "I have the pieces up to this one"; the same, and "say those after it again"; "I am alive"."""
PIECE = 192 << 10  # bytes of one piece
KEPT = 16 << 20  # bytes that wait for the other end to have them
HAVE_EVERY = 4 << 20  # bytes after which the other end says what it has
MAX_LINE = 2 << 20
_LETTERS = (DATA, HAVE, AGAIN, ALIVE)


class Line(NamedTuple):
    """One line, read."""

    letter: bytes
    number: int
    data: bytes = b""


def write(letter: bytes, number: int, data: Any = b"") -> bytes:
    """A line as it is sent."""
    return b"%s%d %s\n" % (letter, number, base64.b64encode(data))


class Lines:
    """Lines out of a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        self._rest = b""

    def begin_anew(self) -> None:
        """The stream broke: what was half there will not be completed."""
        self._rest = b""

    def feed(self, data: bytes) -> list[Line]:
        """The lines that these bytes complete; what is none is left out."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest if len(self._rest) <= MAX_LINE else b"-"
        return [found for found in map(_read, whole) if found is not None]


def _read(text: bytes) -> Line | None:
    head, space, body = text.partition(b" ")
    if not space or head[:1] not in _LETTERS or not head[1:].isdigit() or not 1 < len(head) <= 20:
        return None
    try:
        return Line(head[:1], int(head[1:]), base64.b64decode(body, validate=True))
    except (binascii.Error, ValueError):
        return None


class Incoming:
    """The pieces of one direction as they come: each once, in order."""

    def __init__(self) -> None:
        self.number = 0  # of the last one that came in order
        self.missing = False  # one was left out, and is to be said again
        self._since = 0

    def take(self, line: Line) -> bytes:
        """The piece, if it is the next one; else b""."""
        if line.number != self.number + 1:
            self.missing = self.missing or line.number > self.number
            return b""
        self.number, self.missing = line.number, False
        self._since += len(line.data)
        return line.data

    def is_due(self) -> bool:
        """Whether it is time to say which pieces have come."""
        due = self._since >= HAVE_EVERY
        self._since = 0 if due else self._since
        return due

    def untold(self) -> None:
        """The other end was not reached: it is time again. It waits for this word once it holds ``KEPT`` bytes."""
        self._since = HAVE_EVERY


class Outgoing:
    """The pieces of one direction as they are sent: each kept until the other end has it. Any thread may use it."""

    def __init__(self) -> None:
        self._room = threading.Condition()
        self._kept: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._number = 0

    def wait(self, seconds: float) -> bool:
        """Wait until another piece may be added; whether it may."""
        with self._room:
            return self._room.wait_for(lambda: self._size < KEPT, seconds)

    def add(self, data: bytes) -> bytes:
        """A piece's line, which is kept."""
        with self._room:
            self._number += 1
            line = write(DATA, self._number, data)
            self._kept.append((self._number, line))
            self._size += len(line)
            return line

    def forget(self, number: int) -> None:
        """The other end has the pieces up to this one."""
        with self._room:
            while self._kept and self._kept[0][0] <= number:
                self._size -= len(self._kept.popleft()[1])
            self._room.notify_all()

    def kept(self) -> list[bytes]:
        """The lines that the other end may not have."""
        with self._room:
            return [line for _, line in self._kept]
