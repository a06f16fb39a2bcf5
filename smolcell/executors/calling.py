"""An executor called like a function: ``executor("1 + 1").output``.

The rules this file exists to keep:

* The caller's thread may or may not have a running event loop: the step runs on a loop of its own thread.
* Tools run on the caller's thread, one at a time.
* What failed is raised.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any

from smolcell.errors import ApprovalError, ForbiddenError, InterpreterError, LimitError, SandboxDiedError, WireError
from smolcell.events import Allowed, Delta, Observed

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor

_Job = tuple[Callable[[], Any], Future[Any]]


class Caller:
    """Runs steps of one executor for callers that are not coroutines."""

    def __init__(self, executor: WorkerExecutor) -> None:
        self._executor = executor
        self._steps = 0
        self._running: Future[Observed] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="smolcell-call", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._loop.run_forever()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
                self._loop.run_until_complete(asyncio.wait({task}, timeout=1))
        finally:
            self._loop.close()

    def close(self) -> None:
        """End the thread."""
        if self._running is not None:
            wait({self._running}, timeout=1.0)  # its sandbox has ended: it will too, with the reason
        try:
            self._loop.call_soon_threadsafe(self._loop.stop)
        except RuntimeError:
            return  # closed before
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def next_step(self) -> int:
        """The number of the next call."""
        self._steps += 1
        return self._steps

    def call(self, allowed: Allowed, tools: Mapping[str, Any]) -> Observed:
        """Run the step; serve its tool calls on this thread; raise what failed."""
        jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()

        async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if getattr(tools[name], "approve", False):
                raise ApprovalError(
                    f"each call of {name!r} needs approval, and an executor that is called directly has nobody to ask: use an agent"
                )
            done: Future[Any] = Future()
            jobs.put((lambda: tools[name](*args, **kwargs), done))
            result = await asyncio.wrap_future(done)
            return await result if inspect.isawaitable(result) else result

        running = asyncio.run_coroutine_threadsafe(self._executor.run(allowed, _ignore, call_tool), self._loop)
        self._running = running
        running.add_done_callback(lambda _: jobs.put(None))
        try:
            while (job := jobs.get()) is not None:
                _work(*job)
        except BaseException:
            self._executor.interrupt()
            running.exception(timeout=10)
            raise
        return raise_fault(running.result())


def _ignore(_: Delta) -> None:
    """Output is in the result; nobody watches it come."""


def _work(job: Callable[[], Any], done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(job())
    except Exception as error:
        done.set_exception(error)


def raise_fault(observed: Observed) -> Observed:
    """What was observed, if nothing failed; else the error that says what did.

    Raises:
        InterpreterError: the code failed; ForbiddenError and LimitError are kinds of it.
        SandboxDiedError: the sandbox ended.
        WireError: the sandbox sent what is not a frame.
    """
    fault = observed.error
    if fault is None:
        return observed
    place = f"line {fault.line}: " if fault.line else ""
    if fault.kind == "sandbox":
        raise WireError(fault.message) if fault.type == "WireError" else SandboxDiedError(fault.message)
    kinds = {"forbidden": ForbiddenError, "limit": LimitError}
    message = fault.message if fault.kind == "forbidden" else f"{fault.type}: {fault.message}"
    error = kinds.get(fault.kind, InterpreterError)(place + message, exception_type=fault.type, logs=observed.stdout)
    if fault.traceback:
        error.add_note(fault.traceback)
    raise error
