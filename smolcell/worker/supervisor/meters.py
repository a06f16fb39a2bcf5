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
        """Seconds used up to now."""
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
# The rules this file exists to keep:
#
# * Memory never grows with what is printed.
# * At most twenty pieces a second are streamed, and none beyond the bound.
# * What was left out is said in the text itself.


EVERY = 0.05  # seconds between two streamed pieces


class Output:
    """What one step prints.

    Args:
        limit: the most characters kept; a fifth of them for the end.
    """

    def __init__(self, limit: int) -> None:
        self._tail_limit = limit // 5
        self._head_limit = limit - self._tail_limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head = ""
        self._tail = ""
        self._total = 0
        self._fresh = ""
        self._streamed_at = 0.0

    def feed(self, data: bytes, final: bool = False) -> None:
        """Take bytes off the pipe."""
        text = self._decoder.decode(data, final)
        self._total += len(text)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += text[:room]
            self._fresh += text[:room]
            text = text[room:]
        if text and self._tail_limit:
            self._tail = (self._tail + text)[-self._tail_limit :]

    def stream(self, force: bool = False) -> str | None:
        """The piece to stream now, if there is one and it is time."""
        now = time.monotonic()
        if not self._fresh or (not force and now - self._streamed_at < EVERY):
            return None
        self._streamed_at = now
        piece, self._fresh = self._fresh, ""
        return piece

    @property
    def pending(self) -> bool:
        """Whether a piece waits to be streamed."""
        return bool(self._fresh)

    @property
    def dropped(self) -> int:
        """Characters left out."""
        return self._total - len(self._head) - len(self._tail)

    def text(self) -> str:
        """What is kept, with a note where something was dropped."""
        if not self.dropped:
            return self._head + self._tail
        note = (
            f"\n[{self.dropped:,} characters dropped: output is limited to {self._head_limit + self._tail_limit:,}]\n"
        )
        return self._head + note + self._tail
