"""Between the driver's thread and its callers: events for those who iterate, posted calls for those who await."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

from smolcell.errors import AgentError
from smolcell.events import Delta, Event
from smolcell.protocols import Answer


class Inbox:
    """Events on their way from the driver's thread to whoever iterates; ``next`` is a future of the next one, None at the end."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Event | Delta | None] = SimpleQueue()
        self._waiting: Future[Event | Delta | None] | None = None
        self._lock = threading.Lock()

    def put(self, item: Event | Delta | None) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
            if waiting is None:
                self._items.put(item)
        if waiting is not None:
            waiting.set_result(item)

    def end(self) -> None:
        self.put(None)

    def next(self) -> Future[Event | Delta | None]:
        future: Future[Event | Delta | None] = Future()
        with self._lock:
            if self._items.empty():
                self._waiting = future
                return future
        future.set_result(self._items.get())
        return future


class LoopWaiter:
    """The waiter of async callers: posted calls run on their loop; nobody blocks."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def post(self, call: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(call)

    def wait(self, done: Future[Any]) -> Any:
        raise AgentError("an async run is awaited, not waited for")


class SilentView:
    """A view for agents with a gate of their own: shows nothing, and has nobody to ask."""

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Any) -> Answer:
        raise AgentError("this agent has no view to ask a person through: pass view=, or leave gate= out")
