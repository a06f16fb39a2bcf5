"""Calling an executor like a function: ``executor("1 + 1").output``.

* The caller's thread may have a running event loop: the step runs on another thread's loop.
* Tools run on the caller's thread, one at a time.
* Failures are raised.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from typing import Any

from smolcell.core.hosts import Host, not_allowed
from smolcell.errors import ApprovalError, ForbiddenError, InterpreterError, LimitError, SandboxDiedError, WireError
from smolcell.events import DIRECT_RUN, Allowed, Connected, Delta, Event, Observed, Proposed
from smolcell.permit import permit as allow
from smolcell.protocols import Executor, reach

_Job = tuple[Callable[[], Any], Future[Any]]
Record = Callable[[Event], object]


class SyncRunner:
    """Runs steps of one executor for callers that are not coroutines."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._steps = 0
        self._over: Future[None] | None = None  # the end of the current call, or of the last one
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
        if self._over is not None:
            wait({self._over}, timeout=1.0)  # its sandbox was ended: the step ends too, with the reason
        try:
            self._loop.call_soon_threadsafe(self._loop.stop)
        except RuntimeError:
            return  # already closed
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    async def wait(self) -> None:
        """Wait for the end of the current call."""
        if self._over is not None and not self._over.done():
            await asyncio.to_thread(wait, {self._over})

    def __call__(self, code: str, thought: str, tools: Mapping[str, Any], record: Record) -> Observed:
        """Run code that the caller approves, and its tool calls on this thread. See ``WorkerExecutor.__call__``."""
        self._steps += 1
        proposed = Proposed(run=DIRECT_RUN, step=self._steps, text=code, thought=thought)
        allowed = allow(proposed, by="caller")
        record(proposed)
        record(allowed)
        token = reach.set(_Recorded(record))
        try:
            observed = self._run(allowed, tools)
        finally:
            reach.reset(token)
        record(observed)
        return observed

    def _run(self, allowed: Allowed, tools: Mapping[str, Any]) -> Observed:
        jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()

        async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if getattr(tools[name], "approve", False):
                raise ApprovalError(
                    f"each call of {name!r} needs approval, and an executor that is called directly cannot ask: use an agent"
                )
            done: Future[Any] = Future()
            jobs.put((lambda: tools[name](*args, **kwargs), done))
            result = await asyncio.wrap_future(done)
            return await result if inspect.isawaitable(result) else result

        over = self._over = Future()  # set before the step opens, so an agent's step that starts meanwhile waits for it
        step = self._executor.run(allowed, _ignore, call_tool)
        try:
            running = asyncio.run_coroutine_threadsafe(step, self._loop)
        except RuntimeError:  # the loop was closed
            step.close()
            over.set_result(None)
            raise
        running.add_done_callback(lambda _: over.set_result(None))
        running.add_done_callback(lambda _: jobs.put(None))
        try:
            while (job := jobs.get()) is not None:
                _work(*job)
        except BaseException:
            self._executor.interrupt()
            running.exception(timeout=10)
            raise
        return running.result()


class _Recorded:
    """Host access of code that its caller runs directly: only the hosts that the sandbox was given."""

    def __init__(self, record: Record) -> None:
        self._record = record

    async def ask(self, host: str, port: int) -> str:
        return not_allowed(Host(host, port))

    def connected(self, event: Connected) -> None:
        self._record(event)


def _ignore(_: Delta) -> None:
    """Ignore streamed output: the result contains it."""


def _work(job: Callable[[], Any], done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(job())
    except Exception as error:
        done.set_exception(error)


_OPTIONS = {
    ("limit", "MemoryError"): ". A higher limit: memory=…",
    ("limit", "TimeoutError"): ". A longer limit: timeout=…",
}
"""For callers of an executor: the option that raises a limit."""


def raise_fault(observed: Observed) -> Observed:
    """Return the observation if nothing failed; else raise the error.

    Raises:
        InterpreterError: the code failed; ForbiddenError and LimitError are kinds of it.
        SandboxDiedError: the sandbox ended.
        WireError: the sandbox sent an invalid frame.
    """
    fault = observed.error
    if fault is None:
        return observed
    place = f"line {fault.line}: " if fault.line else ""
    if fault.kind == "sandbox":
        raise WireError(fault.message) if fault.type == "WireError" else SandboxDiedError(fault.message)
    kinds = {"forbidden": ForbiddenError, "limit": LimitError}
    message = fault.message if fault.kind == "forbidden" else f"{fault.type}: {fault.message}"
    message += _OPTIONS.get((fault.kind, fault.type), "")
    error = kinds.get(fault.kind, InterpreterError)(place + message, exception_type=fault.type, logs=observed.stdout)
    if fault.traceback:
        error.add_note(fault.traceback)
    raise error
