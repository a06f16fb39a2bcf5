"""Signal handlers that wait for the end of a step that must not be torn in two.

A message is received in several parts, and a message that was received has to be answered or given back. A
`KeyboardInterrupt` in between would lose a cell that the page waits for, or leave half a message in the socket. Outside
of `hold` every handler runs as ever.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["HeldSignals"]

Handler = Callable[[int, FrameType | None], Any]


class HeldSignals:
    """Stands in for the Python-level signal handlers for the length of a `with`. Only the main thread runs handlers,
    elsewhere it does nothing.

    A handler that is set meanwhile (by a posted call) stays.
    """

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._late: list[tuple[int, FrameType | None]] = []
        self._holds = 0

    def __enter__(self) -> HeldSignals:
        if threading.current_thread() is threading.main_thread():
            with self.hold():
                for number in signal.valid_signals():
                    handler = signal.getsignal(number)
                    if callable(handler):  # not SIG_DFL, not SIG_IGN, not one that C code set
                        self._before[number] = handler
                        signal.signal(number, self._arrive)
        return self

    def __exit__(self, *_: object) -> None:
        with self.hold():
            for number, handler in self._before.items():
                if signal.getsignal(number) == self._arrive:
                    signal.signal(number, handler)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep handlers waiting until the end of this block; the first that raises then ends the others' turn, as it
        would have anyway."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._call_late()

    @contextmanager
    def let(self) -> Iterator[None]:
        """Inside of `hold`: let handlers run for the length of this block, those that waited first."""
        holds, self._holds = self._holds, 0
        try:
            self._call_late()
            yield
        finally:
            self._holds = holds

    def _call_late(self) -> None:
        while self._late and not self._holds:
            self._call(*self._late.pop(0))

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        if self._holds:
            self._late.append((number, frame))
        else:
            self._call(number, frame)

    def _call(self, number: int, frame: FrameType | None) -> None:
        _raising(self._before[number])(number, frame)


def _raising(handler: Handler) -> Handler:
    """`handler`, or the default one in place of ipykernel's for cells with a top-level `await`.

    That one only asks the event loop to cancel the cell, and the loop does not turn while the cell waits here: nobody
    would hear.
    """
    if "_cancel_on_sigint" in getattr(handler, "__qualname__", ""):
        return signal.default_int_handler
    return handler
