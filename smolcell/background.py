"""The driver's thread: one event loop per process, started on first use, on a daemon thread of its own.

Agents are coroutines here, so a notebook cell, a script and an async program all drive the same code; the calling thread stays
in a ``Waiter``. A forked child starts its own: a loop does not survive a fork.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """The process's driver loop, running."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="smolcell-driver", daemon=True).start()
        return _loop


class Job(Generic[T]):
    """A coroutine on the driver loop, seen from other threads.

    ``done`` holds its result. ``cancel`` cancels the *task*, so that the coroutine can record its end and still return:
    cancelling a plain ``run_coroutine_threadsafe`` future would forget it instead.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.done: Future[T] = Future()
        self._loop = loop()
        self._task: asyncio.Task[None] | None = None
        self._loop.call_soon_threadsafe(self._start, work)

    def cancel(self) -> None:
        """Ask the coroutine to stop; from any thread; harmless when it is over."""
        self._loop.call_soon_threadsafe(self._cancel)

    def _start(self, work: Coroutine[Any, Any, T]) -> None:
        self._task = self._loop.create_task(self._run(work))

    def _cancel(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()

    async def _run(self, work: Coroutine[Any, Any, T]) -> None:
        try:
            result = await work
        except BaseException as error:
            self.done.set_exception(error)
            if not isinstance(error, (Exception, asyncio.CancelledError)):
                raise
        else:
            self.done.set_result(result)


def _forget() -> None:
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
