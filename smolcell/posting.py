"""The user's own synchronous functions, and who waits for them: on the calling thread, or on one of their own.

The rules this file exists to keep:

* What the function raises reaches whoever waits, and never ends the driver's loop. An interrupt of the calling thread is that
  thread's, too.
* Once nobody waits any more (the run was stopped, the call has taken too long), the function is stopped as an interrupt would stop
  it: at its next line of Python. A call into C that blocks ends first.
* Nothing is raised in a thread once the function is over.
"""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from smolcell.waiter import Waiter


class Abandoned(KeyboardInterrupt):
    """Raised in a function that nobody waits for any more."""


async def posted(waiter: Waiter, work: Callable[[], Any]) -> Any:
    """Run a synchronous call on the calling thread, and await its result here."""
    call = _Call(work, signals=True)
    waiter.post(call)
    return await call.result()


async def aside(work: Callable[[], Any]) -> Any:
    """Run a call on a thread of its own, which the process does not wait for when it ends."""
    call = _Call(work, signals=False)
    run = partial(contextvars.copy_context().run, call)
    threading.Thread(target=run, name="smolcell-tool", daemon=True).start()
    return await call.result()


class _Call:
    """One call. ``signals``: an interrupt in it is the thread's own, too."""

    def __init__(self, work: Callable[[], Any], *, signals: bool) -> None:
        self._work, self._signals = work, signals
        self._done: Future[Any] = Future()
        self._lock = threading.Lock()
        self._thread = 0  # that runs it
        self._stopped = False

    def __call__(self) -> None:
        """Do the work, unless nobody waits for it any more."""
        if not self._done.set_running_or_notify_cancel():
            return
        try:
            try:
                self._thread = threading.get_ident()
                result = self._work()
            finally:
                self._end()
        except BaseException as error:
            crosses = isinstance(error, (Exception, SystemExit, KeyboardInterrupt)) and not isinstance(
                error, StopIteration
            )
            # What ends generators would end the coroutine that waits for it.
            self._done.set_exception(error if crosses else RuntimeError(f"{type(error).__name__}: {error}"))
            own = self._stopped and isinstance(error, Abandoned)  # else it is that of a call that this one is part of
            if self._signals and isinstance(error, KeyboardInterrupt) and not own:
                raise
        else:
            self._done.set_result(result)

    async def result(self) -> Any:
        """What it returns, or raises; where this is cancelled, the work is stopped."""
        try:
            return await asyncio.wrap_future(self._done)
        except asyncio.CancelledError:
            self._stop()
            raise

    def _stop(self) -> None:
        with self._lock:
            if self._thread:
                self._stopped = True
                _raise(self._thread, Abandoned)

    def _end(self) -> None:
        with self._lock:
            if self._stopped:
                _absorb()
            self._thread = 0


def _raise(thread: int, error: type[BaseException]) -> None:
    """Raise an exception in a thread at its next line of Python, instead of one that was not raised there yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _absorb() -> None:
    """See to it that nothing is left to be raised in this thread.

    An exception that is merely taken back (NULL instead of it) leaves CPython 3.11 looking for one for ever: all threads are slower, and
    one that is traced (coverage, a debugger) does not go on. So another is put in its place, and caught.
    """
    try:
        _raise(threading.get_ident(), Abandoned)
        for _ in range(10_000):  # it comes with the call above, or with a turn of this
            pass
    except Abandoned:
        pass
