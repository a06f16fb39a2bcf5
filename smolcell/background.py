"""The driver's thread: one event loop per process, started on first use, on a daemon thread of its own.

Agents are coroutines here, so a notebook cell, a script and an async program all drive the same code; the calling thread stays
in a ``Waiter``. A forked child starts its own: a loop does not survive a fork.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

log = logging.getLogger("smolcell")
T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """The process's driver loop, running."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(_loop,), name="smolcell-driver", daemon=True).start()
        return _loop


def on_driver() -> bool:
    """Whether this is the driver's thread: whoever waits here for the driver waits for ever."""
    try:
        return asyncio.get_running_loop() is _loop
    except RuntimeError:
        return False


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for good: what a task raises that would end it (``SystemExit``) is that task's, not everyone's."""
    while not loop.is_closed():
        try:
            loop.run_forever()
        except BaseException:
            log.exception("a task tried to end the driver's loop")


class Job(Generic[T]):
    """A coroutine on the driver loop, seen from other threads.

    ``done`` holds its result. ``cancel`` cancels the *task*, so that the coroutine can record its end and still return:
    cancelling a plain ``run_coroutine_threadsafe`` future would forget it instead.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.done: Future[T] = Future()
        self.done.set_running_or_notify_cancel()  # from now on only the coroutine itself can end it
        self._begun = False
        self.over = False  # read without a lock, which an interrupt could leave held for ever
        self._loop = loop()
        self._task: asyncio.Task[None] | None = None
        self._loop.call_soon_threadsafe(self._start, work)

    def cancel(self) -> None:
        """Ask the coroutine to stop; from any thread; harmless when it is over."""
        self._loop.call_soon_threadsafe(self._cancel)

    async def stop(self, patience: float) -> None:
        """Cancel it, unless it is over, and give it ``patience`` seconds to record its end."""
        if not self.done.done():
            self.cancel()
            await asyncio.wait([asyncio.wrap_future(self.done)], timeout=patience)

    def _start(self, work: Coroutine[Any, Any, T]) -> None:
        self._task = self._loop.create_task(self._run(work))

    def _cancel(self) -> None:
        if not self._begun:  # cancelled now, it would never begin, and ``done`` never be done
            self._loop.call_soon(self._cancel)
        elif self._task is not None and not self._task.done():
            self._task.cancel()

    async def _run(self, work: Coroutine[Any, Any, T]) -> None:
        self._begun = True
        try:
            result = await work
        except BaseException as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)
        finally:
            self.over = True


def _forget() -> None:
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
