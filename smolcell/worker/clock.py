"""The step's clock: wall time, stopped while a call to the host is outstanding; CPU time always counts."""

from __future__ import annotations

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
