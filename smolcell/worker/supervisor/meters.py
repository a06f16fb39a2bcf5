"""The step's timer and output. The timer counts wall time except while a call to the host is open; CPU time always counts."""

from __future__ import annotations

import codecs
import re
import time
from typing import Callable

from ..wire.bounds import CLEAR, PLACES


class Clock:
    """Measures the seconds a step has used.

    Args:
        cpu: returns the CPU time of the runner in seconds.
    """

    def __init__(self, cpu: Callable[[], float]) -> None:
        self._cpu = cpu
        self._used = 0.0
        self._since = time.monotonic()
        self._calls = 0
        self._cpu_since = 0.0

    def elapsed(self) -> float:
        """Return the seconds used so far."""
        if self._calls:
            return self._used + max(0.0, self._cpu() - self._cpu_since)
        return self._used + time.monotonic() - self._since

    def call(self) -> None:
        """Pause wall time: a call to the host begins."""
        if not self._calls:
            self._used = self.elapsed()
            self._cpu_since = self._cpu()
        self._calls += 1

    def returned(self) -> None:
        """Continue wall time: a call to the host has ended."""
        if self._calls == 1:
            self._used = self.elapsed()
            self._since = time.monotonic()
        self._calls = max(0, self._calls - 1)


# --- Printed text, bounded: the beginning and end are kept, the middle is counted and dropped.
#
# * Memory does not grow with the printed text.
# * At most twenty pieces a second are streamed, and none beyond the limit.
# * Dropped text is noted in the output.
# * Of a line that is overwritten by carriage returns (a progress bar) only the last state counts.
# * Text before ``CLEAR`` does not count.


STREAM_SECONDS = 0.05  # seconds between streamed pieces
_CONTROLS = "".join(map(chr, (*range(10), *range(11, 32), 127))) + PLACES
"""Control characters and places of outputs: they print nothing, and so overwrite nothing."""


_PLACE = re.compile(f"[{PLACES}]")


def drop_overwritten(text: str) -> str:
    """Remove text that was overwritten after a carriage return. Control characters alone overwrite nothing."""
    if "\r" not in text:
        return text
    return "\n".join(map(_drop_overwritten_line, text.split("\n")))


def _drop_overwritten_line(line: str) -> str:
    body = line.rstrip(_CONTROLS)
    before, _, last = body.rpartition("\r")
    return "".join(_PLACE.findall(before)) + last + line[len(body) :]


def drop_overwritten_piece(text: str) -> str:
    """Do the same for text that continues a line; the result begins with a carriage return if it overwrites that line, and with
    ``CLEAR`` if it replaces all text."""
    clear, text = text.rpartition(CLEAR)[1:]
    if "\r" not in text:
        return clear + text
    first, end, rest = text.partition("\n")
    last = _drop_overwritten_line(first)
    return (clear or "\r" * (last != first)) + last + end + drop_overwritten(rest)


class StandingText:
    """Counts the characters of streamed text that were not overwritten; ``closed`` counts those of finished lines."""

    def __init__(self) -> None:
        self.closed = 0
        self._line = ""

    @property
    def size(self) -> int:
        """Number of characters that were not overwritten."""
        return self.closed + len(self._line)

    def add(self, text: str) -> None:
        """Count the next piece."""
        if CLEAR in text:
            self.closed, self._line, text = 0, "", text.rpartition(CLEAR)[2]
        closed, end, line = (self._line + text).rpartition("\n")
        self.closed += len(drop_overwritten(closed)) + len(end)
        self._line = drop_overwritten(line)


class Output:
    """Bounded output of one step.

    Args:
        limit: maximum characters kept; the last fifth is kept of the end.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._tail_limit = limit // 5
        self._head_limit = limit - self._tail_limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = ("", "", 0)  # head, tail and number of characters of earlier lines
        self._line = ""
        self._fresh = ""
        self._streamed = StandingText()
        self._full = False  # the limit of streamed text is reached
        self._streamed_at = 0.0

    def feed(self, data: bytes, final: bool = False) -> None:
        """Add bytes from the pipe."""
        text = self._decoder.decode(data, final)
        if CLEAR in text:
            self._kept, self._line, self._fresh, self._full = ("", "", 0), "", CLEAR, False
            text = text.rpartition(CLEAR)[2]
        closed, end, line = (self._line + text).rpartition("\n")
        self._kept, self._line = self._with(drop_overwritten(closed) + end), drop_overwritten(line)
        if len(self._line) > self._limit:  # no progress bar
            self._kept, self._line = self._with(self._line), ""
        if not self._full:
            self._fresh = drop_overwritten_piece(self._fresh + text)
            self._full = len(self._fresh) > self._head_limit

    def _with(self, text: str) -> tuple[str, str, int]:
        """Return head, tail and size with ``text`` appended."""
        head, tail, total = self._kept
        room = max(0, self._head_limit - len(head))
        rest = text[room:]
        if rest and self._tail_limit:
            tail = (tail + rest)[-self._tail_limit :]
        return head + text[:room], tail, total + len(text)

    def stream(self, force: bool = False) -> str | None:
        """Return the next piece to stream; None if there is none or it is too early."""
        now = time.monotonic()
        if not self._fresh or (not force and now - self._streamed_at < STREAM_SECONDS):
            return None
        self._streamed_at = now
        piece, self._fresh = self._fresh, ""
        clear = piece.startswith(CLEAR)
        if clear:
            self._streamed, piece = StandingText(), piece[1:]
        over = piece.startswith("\r") and piece.partition("\n")[0].strip(_CONTROLS)
        room = self._head_limit - (self._streamed.closed - 1 if over else self._streamed.size)
        if len(piece) > room:
            piece, self._full = piece[: max(0, room)], True
            if over and not piece.strip(_CONTROLS):
                piece = ""  # what is left of it would overwrite nothing
        self._streamed.add(piece)
        return CLEAR * clear + piece or None

    @property
    def pending(self) -> bool:
        """Whether a piece waits to be streamed."""
        return bool(self._fresh)

    @property
    def dropped(self) -> int:
        """Number of dropped characters."""
        head, tail, total = self._with(self._line)
        return total - len(head) - len(tail)

    def text(self) -> str:
        """Return the kept text, with a note in place of dropped text."""
        head, tail, _ = self._with(self._line)
        if not self.dropped:
            return head + tail
        return f"{head}\n[{self.dropped:,} characters dropped: output is limited to {self._limit:,}]\n{tail}"
