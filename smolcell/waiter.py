"""Staying in the calling thread while the driver works on another one.

1. Posted calls run on the waiting thread, one call at a time, in the order in which it was posted.
2. A posted call that raises is logged; it does not end the wait.
3. An exception raised in the waiting thread itself (`KeyboardInterrupt`, what a signal handler raises) ends the wait at
once.

`Waiter` is the shape the rest of smolcell knows. `QueueWaiter` is the one for scripts and the command line; the
notebook has its own, `smolcell.notebook.wait.KernelWaiter`, which also keeps the page served.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

__all__ = ["QueueWaiter", "Waiter", "run_posted"]

T = TypeVar("T")

log = logging.getLogger("smolcell")

# A blocking `get` without a time-out cannot be interrupted on Windows; a person does not notice a tenth of a second.
TICK = 0.1


class Waiter(Protocol):
    """The calling thread, seen from the driver: hand it work, and keep it until a result is there."""

    def post(self, call: Callable[[], object]) -> None:
        """Have `call` run on the waiting thread, soon and in order. Safe from any thread; returns at once.

        When no thread waits, the call is run by the kernel's own loop (notebook) or kept until the next wait (plain). What
        the call returns is dropped, what it raises is logged: a caller that needs either makes its own future.
        """

    def wait(self, done: Future[T]) -> T:
        """Stay in the calling thread, running what is posted, until `done` is done.

        Returns:
            The result of `done`.

        Raises:
            BaseException: what `done` holds; or what was raised in the calling thread itself, at once and without
            waiting for `done`.
                It is then the caller who cancels the run.
        """


def run_posted(call: Callable[[], object]) -> None:
    """Run one posted call; log what it raises.

    `KeyboardInterrupt` and the other exceptions that are no `Exception` pass: they were meant for the waiting thread.
    An `Exception` that a signal handler raises while the call runs cannot be distinguished from the call's own, and is logged
    like it.
    """
    try:
        call()
    except Exception:
        log.exception("A call posted to the waiting thread failed: %r", call)


def _nothing() -> None:
    """Do nothing: only wakes the waiting thread."""


class QueueWaiter:
    """The waiter for scripts and the command line: a queue, read in short ticks so that signals are noticed everywhere.

    A wait inside a posted call works: it runs what is posted meanwhile. With waits in several threads at once each
    posted call runs in one of them, which one is not promised.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()

    def post(self, call: Callable[[], object]) -> None:
        """See `Waiter.post`. When no thread waits, the call is kept until the next wait."""
        self._calls.put(call)

    def wait(self, done: Future[T]) -> T:
        """See `Waiter.wait`."""
        ended: list[Future[T]] = []  # not `done.done()`: an interrupt inside of it can leave its lock taken for ever

        def end(_: Future[T]) -> None:
            ended.append(done)
            self._calls.put(_nothing)

        done.add_done_callback(end)
        while not ended:
            try:
                run_posted(self._calls.get(timeout=TICK))
            except queue.Empty:
                continue
        self._finish()
        return done.result()

    def _finish(self) -> None:
        """Run what was posted before the end; what these calls post in turn is kept, or a call that re-posts itself
        would never end."""
        for _ in range(self._calls.qsize()):
            try:
                run_posted(self._calls.get_nowait())
            except queue.Empty:
                return
