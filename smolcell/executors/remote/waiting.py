"""How long a provider is waited for that is out of reach or takes no more requests now, and who is told of it.

The rules this file exists to keep:

* Between two tries there is a pause, a longer one each time; one that the provider asks for is kept.
* Who waits for a step learns what is waited for, and when that is over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from smolcell.executors.remote.provider import BusyError

PAUSES = (0.1, 0.3, 1.0, 2.0, 4.0)  # seconds between two tries; the last one again and again
WORTH_TELLING = 0.3  # seconds


class Waiting:
    """The pauses of one channel. From any thread.

    Args:
        title: the provider's name.
        over: set when nothing is waited for any more.
        tell: told what is waited for; "" when that is over. It must not block: both are told in their order.
    """

    def __init__(self, title: str, over: threading.Event, tell: Callable[[str], None]) -> None:
        self._title, self._over, self._tell = title, over, tell
        self._lock = threading.Lock()  # what follows
        self._quiet = 0.0  # until when the provider wants not to be asked, by the monotonic clock
        self._told = False

    def heed(self, error: object) -> None:
        """Ask nothing for as long as an error says."""
        if isinstance(error, BusyError):
            with self._lock:
                self._quiet = max(self._quiet, time.monotonic() + error.after)

    def pause(self, tried: int, why: object) -> None:
        """Wait before the next try, and tell for what.

        Args:
            tried: how often it was tried in vain, before the last time.
            why: what the last try met.
        """
        with self._lock:
            seconds = max(PAUSES[min(tried, len(PAUSES) - 1)], self._quiet - time.monotonic())
            if seconds >= WORTH_TELLING:
                self._told = True
                self._tell(f"waiting for {self._title}, which is asked again in {max(seconds, 1):.0f} s: {why}"[:300])
        self._over.wait(seconds)

    def is_over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._over.is_set()

    def wanted(self) -> float:
        """Seconds for which the provider still wants not to be asked."""
        with self._lock:
            return max(0.0, self._quiet - time.monotonic())

    def end(self) -> None:
        """It answers again."""
        with self._lock:
            told, self._told = self._told, False
            if told:
                self._tell("")
