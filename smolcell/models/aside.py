"""An asynchronous iterator on a thread and an event loop of its own, for libraries that block a loop or leave things on it.

LiteLLM imports for seconds within a call, starts tasks that outlive it, and ties its connections to the loop. Here a loop lives as
long as one reply: whatever was left on it is cancelled and closed before the reply is over.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Generic, TypeVar

T = TypeVar("T")
PATIENCE = 3.0  # seconds that what is left may take to end


async def aside(make: Callable[[], AsyncGenerator[T, None]]) -> AsyncGenerator[T, None]:
    """Pass on what ``make()`` yields, and raise what it raises; leaving early, or being cancelled, ends it.

    Args:
        make: called on the other thread.
    """
    side: _Side[T] = _Side(make)
    thread = threading.Thread(target=side.serve, name="smolcell-model", daemon=True)
    thread.start()
    try:
        while (item := await side.items.get()) is not None:
            yield item
    finally:
        side.cancel()
        await asyncio.wait([side.over], timeout=PATIENCE)
        if side.over.done():
            thread.join(1.0)  # it was its last word: this takes no time
    if (error := side.error) is not None:
        raise error


class _Side(Generic[T]):
    """Both sides of it: ``items`` and ``over`` belong to the caller's loop, the rest to the thread's."""

    def __init__(self, make: Callable[[], AsyncGenerator[T, None]]) -> None:
        self.items: asyncio.Queue[T | None] = asyncio.Queue()
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.error: BaseException | None = None
        self._caller = asyncio.get_running_loop()
        self._make = make
        self._lock = threading.Lock()
        self._cancelled = False
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def serve(self) -> None:
        """The thread: one loop, one iterator."""
        try:
            asyncio.run(self._pass_on())
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # it is the caller's, whatever it is
            self.error = error
        finally:
            self._post(lambda: self.items.put_nowait(None))
            self._post(self._end)

    async def _pass_on(self) -> None:
        with self._lock:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            if self._cancelled:
                return
        async with aclosing(self._make()) as items:
            async for item in items:
                self._post(lambda item=item: self.items.put_nowait(item))  # type: ignore[misc]

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)

    def cancel(self) -> None:
        """End it; from the caller's loop; harmless when it is over."""
        with self._lock:
            self._cancelled = True
            if self._loop is not None and self._task is not None and not self._loop.is_closed():
                try:
                    self._loop.call_soon_threadsafe(self._task.cancel)
                except RuntimeError:  # it was closed just now
                    pass

    def _post(self, call: Callable[[], object]) -> None:
        try:
            self._caller.call_soon_threadsafe(call)
        except RuntimeError:  # the caller's loop is gone, and nobody waits
            pass
