"""One stream of what a program in a far sandbox says, read on a thread that can be left behind.

The rules this file exists to keep:

* Whoever listens never waits in an SDK: a stream that nobody can interrupt is left to its own end.
* What waits to be heard is bounded.
"""

from __future__ import annotations

import threading
from collections import deque

from smolcell.errors import SmolcellError
from smolcell.executors.remote.provider import LostError, Machine

WAITING = 64  # pieces

Said = tuple[str, str]
"""("begun", ""), ("out", text), ("err", text), ("end", exit code), ("lost", why), ("gone", why)."""


class Listening:
    """What a machine's program says, from now on.

    Args:
        machine: whose ``output`` is read.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._changed = threading.Condition()
        self._waiting: deque[Said] = deque()
        self._last: Said | None = None
        self._left = False
        self.failed: SmolcellError | None = None
        """What ended it, where that was an error."""
        threading.Thread(target=self._listen, name="smolcell-listen", daemon=True).start()

    def next(self, seconds: float) -> Said:
        """What is said next; ("lost", …) where nothing is for so many seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting or self._last, seconds):
                return "lost", f"nothing was heard for {seconds:g} s"
            if self._waiting:
                said = self._waiting.popleft()
                self._changed.notify_all()
                return said
            return self._last or ("lost", "")

    def has_ended(self, seconds: float) -> bool:
        """Whether it has ended, or does so in so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._last is not None, seconds)

    def end(self, said: Said) -> None:
        """Let this be the last that is said, once what waits was heard."""
        with self._changed:
            self._last = self._last or said
            self._changed.notify_all()

    def leave(self) -> None:
        """Nobody listens any more."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def _listen(self) -> None:
        try:
            for said in self._machine.output():
                if not self._add(said):
                    return
            self.end(("lost", "the stream ended"))
        except LostError as error:
            self.failed = error
            self.end(("lost", str(error)))
        except SmolcellError as error:
            self.end(("gone", str(error)))
        except Exception as error:
            self.end(("lost", f"{type(error).__name__}: {error}"))

    def _add(self, said: Said) -> bool:
        """Let it wait to be heard; whether anybody listens."""
        if said[0] == "end":
            self.end(said)
            return False
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < WAITING or self._left)
            self._waiting.append(said)
            self._changed.notify_all()
            return not self._left
