"""A sandbox that opens while the model thinks, and what the person who waits for it is shown meanwhile."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable

from smolcell.protocols import Executor, on_opening, opened_for

_SOON = 0.2  # seconds that a sandbox may take to open without a word


class Opening:
    """One opening of one sandbox, begun at most once.

    Args:
        executor: the sandbox.
        run: the run that it is opened for.
        show: told how far it is once somebody waits for it, on the event loop: before that, the model's reply is being read.
    """

    def __init__(self, executor: Executor, run: str, show: Callable[[str], object]) -> None:
        self._executor, self._run, self._show = executor, run, show
        self._task: asyncio.Task[None] | None = None
        self._said, self._awaited = "starting the sandbox …", False

    def begin(self) -> None:
        """Begin, if it has not begun."""
        _ = self._begun()

    def _begun(self) -> asyncio.Task[None]:
        if self._task is None:
            loop = asyncio.get_running_loop()

            def tell(said: str) -> None:
                try:
                    loop.call_soon_threadsafe(self._hear, said)
                except RuntimeError:
                    pass  # the run is over, and its loop closed

            context = contextvars.copy_context()
            context.run(on_opening.set, tell)
            context.run(opened_for.set, self._run)
            self._task = asyncio.create_task(self._executor.open(), context=context)
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # asyncio: it was looked at
        return self._task

    async def wait(self) -> None:
        """Until it is open; raises what ``Executor.open`` raises."""
        task = self._begun()
        await asyncio.wait([task], timeout=_SOON)
        self._awaited = True
        self._hear(self._said)
        await asyncio.shield(task)

    def _hear(self, said: str) -> None:
        self._said = said
        if self._awaited and self._task is not None and not self._task.done():
            self._show(said)

    async def settle(self) -> None:
        """Leave no task behind: an opening that nobody waits for any more is cancelled."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        try:
            await asyncio.wait([self._task], timeout=2)
        except asyncio.CancelledError:
            pass  # stopped once more: the end is recorded nonetheless
