"""The ways to have an agent work on a task: and wait for it, iterate over it, await it, or leave it in the background.

All of them drive the same coroutine on the driver's thread. What is raised in the calling thread meanwhile stops the run.
"""

from __future__ import annotations

import asyncio
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from smolcell.background import Job
from smolcell.callers import Inbox, LoopWaiter, drain
from smolcell.events import Delta, Event
from smolcell.fronts import Fronts
from smolcell.protocols import FrontEnd, Gate, View
from smolcell.result import RunResult
from smolcell.waiter import Waiter

_END_WAIT = 3.0  # seconds an interrupted run may take to record its end


class Running(ABC):
    """An agent, as far as running goes; one task at a time.

    Args:
        gate: decides about proposals, instead of the front end's.
        view: shows events, instead of the front end's.
        verbose: show on the terminal what an agent with a gate of its own does.
        quiet: do not show on the terminal what nobody is asked about there.

    Attributes:
        return_full_result: what ``run`` does where it is not told.
        run_id: of the newest run.
    """

    return_full_result = False

    def __init__(self, gate: Gate | None, view: View | None, *, verbose: bool, quiet: bool = False) -> None:
        self._fronts = Fronts(gate, view, verbose=verbose, quiet=quiet)
        self._afresh()

    def _afresh(self) -> None:
        """Nothing runs, and nothing has."""
        self._job: Job[RunResult] | None = None
        self._work: asyncio.Task[Any] | None = None  # of a manager's run
        self.run_id = ""
        self._stop = object()  # another one with each interrupt()
        self._lock = threading.Lock()

    @abstractmethod
    def _start(self, *front_and_task: Any, **options: Any) -> Job[RunResult]:
        """Begin a run; ``run`` says what the options are, ``tell`` is told every event and delta."""

    def run(
        self,
        task: str,
        stream: bool = False,
        reset: bool = True,
        images: Sequence[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        return_full_result: bool | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
        max_steps: int | None = None,
    ) -> Any:
        """Work on a task and return the answer.

        Args:
            task: in plain words.
            stream: return ``stream(...)`` instead.
            reset: forget earlier runs first; with False the model sees them.
            images: for models that see: data URLs, or images with a PIL-like ``save``.
            additional_args: values copied into the sandbox under these names and described to the model.
            return_full_result: return a ``RunResult``, which does not raise, whatever the end; None: as the agent is set.
            files: files and folders copied into the sandbox's work folder, where the code reads them by the same names.
            max_steps: of this run, instead of the agent's.

        Raises:
            ApprovalError: nobody allowed a step.
            AgentStopped: the run was stopped.
            AgentGenerationError: the model failed.
            SetupError: the task is empty.
        """
        options: dict[str, Any] = {"files": files, "max_steps": max_steps}
        if stream:
            return self.stream(task, reset=reset, images=images, additional_args=additional_args, **options)
        front = self._fronts.choose()
        job = self._start(front, task, reset, images, additional_args, **options)
        result = self._stay(front.waiter, job, job.done)
        full = self.return_full_result if return_full_result is None else return_full_result
        return result if full else result.value()

    def __call__(self, task: str, **options: Any) -> Any:
        """``run``."""
        return self.run(task, **options)

    def resume(
        self,
        return_full_result: bool = False,
        additional_args: Mapping[str, Any] | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
    ) -> Any:
        """Go on with the newest run, which ended without an answer: after a fault of the model, a stop, or the step limit.

        The model sees the same conversation, and may propose ``max_steps`` more steps; a call that failed is made again. After
        ``memory.load(…)`` it goes on with what was loaded.

        Args:
            return_full_result, additional_args, files: as for ``run``, where the sandbox is a new one.

        Raises:
            SetupError: there is no such run. Otherwise what ``run`` raises.
        """
        front = self._fronts.choose()
        job = self._start(front, resume=True, additional_args=additional_args, files=files)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def stream(self, task: str, **options: Any) -> Iterator[Event | Delta]:
        """Work on a task and yield every event and delta as it happens. Takes ``run``'s options; raises what ``run`` raises.

        Leaving the iteration early stops the run.
        """
        front = self._fronts.choose()
        inbox = Inbox()
        job = self._start(front, task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := self._stay(front.waiter, job, inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            if not job.done.done():
                job.cancel()
                drain(front.waiter, job.done, _END_WAIT)

    async def arun(self, task: str, **options: Any) -> Any:
        """``run`` for async callers: their loop stays free; synchronous tools run on it, one at a time."""
        full = options.pop("return_full_result", self.return_full_result)
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, **options)
        try:
            result = await asyncio.shield(asyncio.wrap_future(job.done))
        finally:
            await job.stop(_END_WAIT)
        return result if full else result.value()

    async def astream(self, task: str, **options: Any) -> AsyncIterator[Event | Delta]:
        """``stream`` for async callers."""
        inbox = Inbox()
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := await asyncio.wrap_future(inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            await job.stop(_END_WAIT)

    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]:
        """Begin a run and return at once; ``.done`` is a future of its ``RunResult``. ``stay`` waits for it.

        Args:
            task: in plain words.
            front: who shows, decides and waits, instead of the agent's own.
            options: as ``run`` takes them; ``run`` names the run; with ``resume`` the newest one is gone on with.
        """
        return self._start(front or self._fronts.choose(), task, **options)

    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult:
        """Keep the calling thread in the waiter until the run's end. What is raised here meanwhile stops the run."""
        result: RunResult = self._stay(waiter, job, job.done)
        return result

    def interrupt(self) -> None:
        """Stop the run under way, wherever it is, also while it is being prepared; from any thread; harmless when there is none.

        One within a manager's run ends that, too, as a stop on its card does.
        """
        self._stop = object()  # first: a run that is not there yet looks here once it is
        if self._job is not None:
            self._job.cancel()
        if (work := self._work) is not None:
            work.get_loop().call_soon_threadsafe(work.cancel)

    @property
    def running(self) -> bool:
        return self._job is not None and not self._job.done.done()

    def _stay(self, waiter: Waiter, job: Job[RunResult], done: Future[Any]) -> Any:
        """Wait in the calling thread. What is raised there stops the run, which may still record and show its end."""
        try:
            return waiter.wait(done)
        except BaseException:
            if not job.over:
                job.cancel()
                drain(waiter, job.done, _END_WAIT)
            raise
