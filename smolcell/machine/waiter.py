"""Waiters: keep the calling thread waiting while the driver works on another one.

1. Posted calls run on the waiting thread, one at a time, in the order in which they were posted.
2. An exception of a posted call is logged; it does not end the wait.
3. An exception raised in the waiting thread itself (`KeyboardInterrupt`, or one of a signal handler) ends the wait at
once.

`smolcell.protocols.Waiter` is the interface. `QueueWaiter` is for scripts and the command line; the notebook has
`smolcell.notebook.wait.KernelWaiter`, which also serves the page.
"""

from __future__ import annotations

import asyncio
import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

__all__ = ["QueueWaiter", "has_begun", "run_posted"]

T = TypeVar("T")

log = logging.getLogger("smolcell")

# A blocking `get` without a timeout cannot be interrupted on Windows; a tenth of a second is not noticed.
TICK_SECONDS = 0.1


def run_posted(call: Callable[[], object]) -> None:
    """Run one posted call. Logs its exceptions.

    `KeyboardInterrupt` and others that are no `Exception` are raised: they were meant for the waiting thread. An
    `Exception` of a signal handler during the call cannot be distinguished from the call's own, and is logged, too.
    """
    try:
        call()
    except Exception:
        log.exception("A call posted to the waiting thread failed: %r", call)


async def has_begun(begun: Future[None], seconds: float) -> None:
    """Wait until a posted call has set ``begun``, which it does unless that was cancelled.

    Raises:
        TimeoutError: it has not in time, and never will.
    """
    try:
        async with asyncio.timeout(seconds):
            await asyncio.wrap_future(begun)
    except TimeoutError:
        if begun.cancel():  # else it has just begun
            raise TimeoutError(
                f"the calling thread did not begin the call within {seconds:g} s: it is busy, or no longer waits for the run"
            ) from None


def _nothing() -> None:
    """Do nothing. Posted to wake the waiting thread."""


class QueueWaiter:
    """The waiter for scripts and the command line: a queue, polled so that signals are noticed on all systems.

    A wait inside a posted call works: it runs the calls posted meanwhile. If several threads wait at once, each posted
    call runs in any one of them.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()

    def post(self, call: Callable[[], object]) -> None:
        """See `Waiter.post`. If no thread waits, the call is kept until the next wait."""
        self._calls.put(call)

    def wait(self, done: Future[T]) -> T:
        """See `Waiter.wait`."""
        ended: list[Future[T]] = []  # not `done.done()`: an interrupt in it can leave its lock taken for ever

        def end(_: Future[T]) -> None:
            ended.append(done)
            self._calls.put(_nothing)

        done.add_done_callback(end)
        while not ended:
            try:
                run_posted(self._calls.get(timeout=TICK_SECONDS))
            except queue.Empty:
                continue
        self._finish()
        return done.result()

    def _finish(self) -> None:
        """Run the calls posted before the end. Calls that these post are kept; otherwise a call that posts itself again would
        never end."""
        for _ in range(self._calls.qsize()):
            try:
                run_posted(self._calls.get_nowait())
            except queue.Empty:
                return
