"""The event loop of the steps: as in Jupyter, it counts as running in every step, and its tasks go on between the steps.

Unlike in Jupyter, a step may also run a loop itself, as scripts do (``asyncio.run``): a loop that only counts as running prevents none.
"""

from __future__ import annotations

import asyncio
import inspect
import io
import threading
from asyncio import events
from collections import deque
from collections.abc import Awaitable
from typing import Any, Callable

MAX_PIECES, MAX_PIECE = 1000, 2000  # printed between two steps: how many texts are kept, and characters of each
TURNS = 10  # turns of the loop at the end of a step, so that short tasks end with the step that started them
_events: Any = events
_get_running, _set_running = _events._get_running_loop, _events._set_running_loop


class KeptOutput(io.TextIOBase):
    """Stream for what tasks print between the steps, with the places of what they display; keeps the end of it for the next step."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque(maxlen=MAX_PIECES)

    def write(self, text: str) -> int:
        self._pieces.append(text[-MAX_PIECE:])
        return len(text)

    def before_next(self, call: Any) -> None:
        """Do nothing: see ``InterpreterState.before_next``."""

    def take(self) -> str:
        """Return the text, and drop it."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


class StepLoop:
    """The loop of one runner; created when the first step begins.

    Attributes:
        is_used: whether a step used it, so that it has to run between the steps.
        printed: what tasks printed between the steps.
    """

    def __init__(self) -> None:
        self.printed = KeptOutput()
        self._loop: Any = None
        self.is_used = False

    def open(self) -> Any:
        """Return the loop, which does not run; a new one if a step closed it."""
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        if self._loop.is_running():  # an interrupt came just when it stopped
            self._loop._thread_id, self._loop._stopping = None, False
        return self._loop

    def forget(self) -> None:
        """Use a new loop, in a copy of the process: it shares the old loop's selector with the original process."""
        self._loop, self.is_used = None, False

    def is_pending(self) -> bool:
        """Return whether a task is not done, or a callback is to be called."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return False
        waiting = (*loop._ready, *loop._scheduled)
        return bool(asyncio.all_tasks(loop)) or not all(handle.cancelled() for handle in waiting)

    def run(self, program: Callable[[], Any]) -> None:
        """Run a step; if it uses ``await`` at the top level, the program returns a coroutine."""
        loop, thread = self.open(), threading.get_ident()

        def get_running() -> Any:
            running = _get_running()
            return None if running is loop and not loop.is_running() else running

        def set_running(running: Any) -> None:
            _set_running(loop if running is None and threading.get_ident() == thread else running)

        try:
            # asyncio's own functions look these up when they start and stop a loop
            _events._get_running_loop, _events._set_running_loop = get_running, set_running
            _set_running(loop)
            value = program()
            if inspect.iscoroutine(value):
                self.is_used = True
                loop.run_until_complete(value)
            for _ in range(TURNS):
                if loop.is_closed() or not self.is_pending():
                    break
                loop.call_soon(loop.stop)
                loop.run_forever()
        finally:
            _set_running(None)
            _events._get_running_loop, _events._set_running_loop = _get_running, _set_running
            self.is_used = self.is_used or self.is_pending()

    def run_until(self, over: Callable[[Any], Awaitable[Any]]) -> None:
        """Let tasks go on until the awaitable that ``over`` makes for the loop is done."""
        loop = self.open()
        loop.run_until_complete(over(loop))
