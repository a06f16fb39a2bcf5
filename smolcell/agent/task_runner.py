"""Running an agent's tasks: waiting for the answer, iterating over the events, awaiting either, or in the background.

All ways drive the same coroutine on the driver's thread. An exception raised in the calling thread meanwhile stops the run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from smolcell.agent.driver import Drive
from smolcell.agent.result import RunResult
from smolcell.agent.running import (
    END_WAIT_SECONDS,
    CurrentRun,
    FrontEndResolver,
    Inbox,
    Job,
    LoopWaiter,
    drain,
    wait_for_run,
)
from smolcell.approval.contract import Contract
from smolcell.approval.contract import read as read_contract
from smolcell.approval.policy import policy_of_run
from smolcell.events import Delta, Event
from smolcell.protocols import FrontEnd, Waiter


class TaskRunner:
    """Runs tasks, one at a time. ``MultiStepAgent`` says how a run is prepared.

    Attributes:
        fronts: chooses the front end of a run.
        active: the active run, or the newest.
        return_full_result: the default of ``run``'s argument.
    """

    fronts: FrontEndResolver
    active: CurrentRun
    return_full_result = False

    def prepare(self, contract: Contract | None, front: FrontEnd, *given: Any, **options: Any) -> Drive:
        """Return a run that begins now. The arguments are those of ``start``."""
        raise NotImplementedError

    def check_contract(self, contract: Contract, front: FrontEnd, options: Mapping[str, Any]) -> None:
        """Raise ``SetupError`` if a run with these options may do more than the contract allows."""
        raise NotImplementedError

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
        read_only: bool = False,
        contract: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Work on a task and return the answer.

        Args:
            task: in plain words.
            stream: return ``stream(...)`` instead.
            reset: forget earlier runs first; with False the model sees them.
            images: for models that see: data URLs, or images with a PIL-like ``save``.
            additional_args: values copied into the sandbox under these names and described to the model.
            return_full_result: return a ``RunResult`` and never raise; None: the agent's setting.
            files: files and folders copied into the sandbox's work folder, where the code reads them by the same names.
            max_steps: for this run, instead of the agent's.
            read_only: mount ``files``, of any size, read-only instead of copying them.
            contract: a file that says what the agent may do. The run does not start if the agent may do more.

        Raises:
            ApprovalError: a step was not allowed.
            AgentStopped: the run was stopped.
            AgentGenerationError: the model failed.
            SetupError: the task is empty.
        """
        options: dict[str, Any] = {"files": files, "max_steps": max_steps, "read_only": read_only, "contract": contract}
        if stream:
            return self.stream(task, reset=reset, images=images, additional_args=additional_args, **options)
        front = self.fronts.resolve()
        job = self._start(front, task, reset, images, additional_args, **options)
        result = wait_for_run(front.waiter, job, job.done)
        full = self.return_full_result if return_full_result is None else return_full_result
        return result if full else result.value()

    def __call__(self, task: str, **options: Any) -> Any:
        """Call ``run``."""
        return self.run(task, **options)

    def resume(
        self,
        return_full_result: bool = False,
        additional_args: Mapping[str, Any] | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
        contract: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Continue the newest run, which ended without an answer: because the model failed, or it was stopped, or reached its step limit.

        The model sees the same conversation, and may propose ``max_steps`` more steps. A model call that failed is repeated. After
        ``memory.load(…)``, the loaded run is continued.

        Args:
            return_full_result, additional_args, files: as for ``run``. Values and files are needed if the sandbox is a new one.
            contract: as for ``run``; by default the contract of the run that is continued.

        Raises:
            SetupError: there is no such run. Otherwise what ``run`` raises.
        """
        front = self.fronts.resolve()
        job = self._start(front, resume=True, additional_args=additional_args, files=files, contract=contract)
        result = wait_for_run(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def stream(self, task: str, **options: Any) -> Iterator[Event | Delta]:
        """Work on a task and yield every event and delta as it happens. Takes ``run``'s options; raises what ``run`` raises.

        Leaving the iteration early stops the run.
        """
        front = self.fronts.resolve()
        inbox = Inbox()
        job = self._start(front, task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := wait_for_run(front.waiter, job, inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            if not job.done.done():
                job.cancel()
                drain(front.waiter, job.done, END_WAIT_SECONDS)

    async def arun(self, task: str, **options: Any) -> Any:
        """``run`` for async callers. Does not block their loop; synchronous tools run on it, one at a time."""
        full = options.pop("return_full_result", self.return_full_result)
        job = self._start(self.fronts.resolve(LoopWaiter(asyncio.get_running_loop())), task, **options)
        try:
            result = await asyncio.shield(asyncio.wrap_future(job.done))
        finally:
            await job.stop(END_WAIT_SECONDS)
        return result if full else result.value()

    async def astream(self, task: str, **options: Any) -> AsyncIterator[Event | Delta]:
        """``stream`` for async callers."""
        inbox = Inbox()
        job = self._start(self.fronts.resolve(LoopWaiter(asyncio.get_running_loop())), task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := await asyncio.wrap_future(inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            await job.stop(END_WAIT_SECONDS)

    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]:
        """Begin a run and return at once. ``.done`` of the returned job is a future of the ``RunResult``; ``stay`` waits for it.

        Args:
            task: in plain words.
            front: the front end that shows, decides and waits, instead of the agent's own.
            options: as ``run`` takes them; also ``run``: the id of the run; ``resume``: continue the newest run; ``context``: what the
                model may be sent with the task; ``links``: links that it comes from, which a person must allow first, with their real
                paths; ``turns``: decides about steps instead of the model.
        """
        return self._start(front or self.fronts.resolve(), task, **options)

    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult:
        """Wait in the calling thread until the run's end. An exception raised in this thread meanwhile stops the run."""
        result: RunResult = wait_for_run(waiter, job, job.done)
        return result

    def interrupt(self) -> None:
        """Stop the active run, also while it is being prepared. Thread-safe; does nothing if no run is active.

        If the run belongs to a manager's run, that ends, too, as after a stop on its card.
        """
        self.active.interrupt()

    @property
    def running(self) -> bool:
        """Whether a run is active."""
        return self.active.is_running

    def _start(
        self,
        front: FrontEnd,
        task: str = "",
        *given: Any,
        contract: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> Job[RunResult]:
        """Begin a run under a contract. A run that is continued keeps its contract, unless it is given one."""
        before = self.active.contract if options.get("resume") else None
        held = read_contract(contract) if contract is not None else before
        if held is not None:
            self.check_contract(held, front, options)
        with policy_of_run(held.layer if held is not None else None):  # the driver's task as well
            return self.active.begin(lambda: self.prepare(held, front, task, *given, **options).run())
