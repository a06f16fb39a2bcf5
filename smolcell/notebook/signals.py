"""Signal handlers that wait for the end of a step that must not be torn in two.

A message is received in several parts, and one that was received has to be answered or given back: an interrupt in
between would lose a cell that the page waits for. Worse, `threading.Condition` (and with it every `Future`) keeps its
lock for ever when an interrupt comes just as it is taken: the driver would hang on the future it has to resolve.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["HeldSignals"]

# Those that people let raise something. Asking for all of them costs as much as the rest of a short wait.
NAMES = "SIGINT SIGTERM SIGALRM SIGVTALRM SIGPROF SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
SIGNALS = [getattr(signal, name) for name in NAMES.split() if hasattr(signal, name)]

Handler = Callable[[int, FrameType | None], Any]


class HeldSignals:
    """Keeps Python-level signal handlers waiting for the length of a `with`, but for the blocks of `let` inside it.

    Those that are due at its end run then. A handler that is set meanwhile (by a posted call) stays. Only the main
    thread runs handlers; in another one this does nothing. It may be nested in a `let` of another.
    """

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._late: list[tuple[int, FrameType | None]] = []
        self._held = True

    def __enter__(self) -> HeldSignals:
        if threading.current_thread() is not threading.main_thread():
            return self
        try:
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):  # not SIG_DFL, not SIG_IGN, not one that C code set
                    self._before[number] = handler
                    signal.signal(number, self._arrive)
        except BaseException:  # of a handler whose turn had not come
            self._restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._restore()
        finally:
            self._restore()  # the rest, when a handler that was back already raised
            self._held = False
        self.deliver()

    @contextmanager
    def let(self) -> Iterator[None]:
        """Let handlers run for the length of this block, first those that waited."""
        held, self._held = self._held, False
        try:
            self.deliver()
            yield
        finally:
            self._held = held

    def deliver(self) -> None:
        """Run the handlers that waited. What one of them raises comes out here, the others wait on."""
        while self._late:
            self._call(*self._late.pop(0))

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        if self._held:
            self._late.append((number, frame))
        else:
            self._call(number, frame)

    def _call(self, number: int, frame: FrameType | None) -> None:
        _raising(self._before[number])(number, frame)

    def _restore(self) -> None:
        for number, handler in self._before.items():
            if signal.getsignal(number) == self._arrive:
                signal.signal(number, handler)


def _raising(handler: Handler) -> Handler:
    """`handler`, or the default one in place of ipykernel's for cells with a top-level `await`.

    That one only asks the event loop to cancel the cell, and the loop stands still while the cell waits here.
    """
    if "_cancel_on_sigint" in getattr(handler, "__qualname__", ""):
        return signal.default_int_handler
    return handler
