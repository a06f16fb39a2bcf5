"""The step's clock: wall time, stopped while a call to the host is outstanding; CPU time always counts."""

from __future__ import annotations

import codecs
import time
from typing import Callable


class Clock:
    """Seconds a step has used.

    Args:
        cpu: seconds of CPU time the runner has used so far.
    """

    def __init__(self, cpu: Callable[[], float]) -> None:
        self._cpu = cpu
        self._used = 0.0
        self._since = time.monotonic()
        self._calls = 0
        self._cpu_since = 0.0

    def elapsed(self) -> float:
        """Return seconds used up to now."""
        if self._calls:
            return self._used + max(0.0, self._cpu() - self._cpu_since)
        return self._used + time.monotonic() - self._since

    def call(self) -> None:
        """A call to the host begins."""
        if not self._calls:
            self._used = self.elapsed()
            self._cpu_since = self._cpu()
        self._calls += 1

    def returned(self) -> None:
        """A call to the host has ended."""
        if self._calls == 1:
            self._used = self.elapsed()
            self._since = time.monotonic()
        self._calls = max(0, self._calls - 1)


# --- Printed text, bounded: the head and the end are kept, the middle is counted and dropped.
#
# * Memory never grows with what is printed.
# * At most twenty pieces a second are streamed, and none beyond the bound.
# * An omission is noted in the text itself.
# * A line that is written over (a progress bar's) is kept in its last state, and counts as that.


EVERY = 0.05  # seconds between two streamed pieces
_CONTROLS = "".join(map(chr, (*range(10), *range(11, 32), 127)))
"""Characters that write nothing, and so overwrite nothing."""


def last_state(text: str) -> str:
    """Return the text without what a carriage return wrote over. One that only control characters follow has written nothing over."""
    if "\r" not in text:
        return text
    return "\n".join(map(_last_of_line, text.split("\n")))


def _last_of_line(line: str) -> str:
    body = line.rstrip(_CONTROLS)
    return body.rpartition("\r")[2] + line[len(body) :]


def piece_of(text: str) -> str:
    """Return the same of text that goes on with a line: if it writes that over, it begins with the carriage return."""
    if "\r" not in text:
        return text
    first, end, rest = text.partition("\n")
    last = _last_of_line(first)
    return ("\r" if last != first else "") + last + end + last_state(rest)


class Standing:
    """How many characters of streamed text stand, when lines are written over; ``closed``: of lines that have ended."""

    def __init__(self) -> None:
        self.closed = 0
        self._line = ""

    @property
    def size(self) -> int:
        """Characters that stand."""
        return self.closed + len(self._line)

    def add(self, text: str) -> None:
        """Take the next piece."""
        closed, end, line = (self._line + text).rpartition("\n")
        self.closed += len(last_state(closed)) + len(end)
        self._line = last_state(line)


class Output:
    """The output of one step.

    Args:
        limit: the most characters kept; a fifth of them for the end.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._tail_limit = limit // 5
        self._head_limit = limit - self._tail_limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = ("", "", 0)  # head, tail and number of characters of the lines before
        self._line = ""
        self._fresh = ""
        self._streamed = Standing()
        self._full = False  # nothing more is streamed
        self._streamed_at = 0.0

    def feed(self, data: bytes, final: bool = False) -> None:
        """Take bytes off the pipe."""
        text = self._decoder.decode(data, final)
        closed, end, line = (self._line + text).rpartition("\n")
        self._kept, self._line = self._with(last_state(closed) + end), last_state(line)
        if len(self._line) > self._limit:  # it is no progress bar
            self._kept, self._line = self._with(self._line), ""
        if not self._full:
            self._fresh = piece_of(self._fresh + text)
            self._full = len(self._fresh) > self._head_limit

    def _with(self, text: str) -> tuple[str, str, int]:
        """Return the kept text, and this after it."""
        head, tail, total = self._kept
        room = max(0, self._head_limit - len(head))
        rest = text[room:]
        if rest and self._tail_limit:
            tail = (tail + rest)[-self._tail_limit :]
        return head + text[:room], tail, total + len(text)

    def stream(self, force: bool = False) -> str | None:
        """Return the piece to stream now, if there is one and it is time."""
        now = time.monotonic()
        if not self._fresh or (not force and now - self._streamed_at < EVERY):
            return None
        self._streamed_at = now
        piece, self._fresh = self._fresh, ""
        over = piece[0] == "\r" and piece.partition("\n")[0].strip(_CONTROLS)
        room = self._head_limit - (self._streamed.closed - 1 if over else self._streamed.size)
        if len(piece) > room:
            piece, self._full = piece[: max(0, room)], True
        self._streamed.add(piece)
        return piece or None

    @property
    def pending(self) -> bool:
        """Whether a piece waits to be streamed."""
        return bool(self._fresh)

    @property
    def dropped(self) -> int:
        """Characters left out."""
        head, tail, total = self._with(self._line)
        return total - len(head) - len(tail)

    def text(self) -> str:
        """Return the kept text, with a note in the place of dropped text."""
        head, tail, _ = self._with(self._line)
        if not self.dropped:
            return head + tail
        return f"{head}\n[{self.dropped:,} characters dropped: output is limited to {self._limit:,}]\n{tail}"
