"""The driver: does what the loop wants, and records every fact before anyone is told.

The rules this file exists to keep:

* An event is in the journal before views see it. A permit that cannot be journalled is not run.
* A failing view or callback is logged; the run goes on.
* Whatever happens, the last event is ``Ended``, and it says what was cut.
* The sandbox is opened while the model thinks about the first step, and is open before a person is asked, so that the boundary
  they see is the real one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar, assert_never

from smolcell import hooks
from smolcell.asking import asking_again, reply_of
from smolcell.calls import Calls, without_calls_of_code
from smolcell.errors import AgentBudgetError, AgentError, AgentGenerationError, AgentStopped, SmolcellError
from smolcell.events import (
    Allowed,
    Asked,
    Delta,
    Ended,
    Event,
    Fault,
    History,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    State,
    Usage,
)
from smolcell.loop import ASK_AGAIN, Check, Ending, Fact, Review, Run, RunCalls, Tell, Think, Want
from smolcell.memory import fold_steps
from smolcell.opening import Opening
from smolcell.parts import Manager, Parts, all_ended, manager
from smolcell.permit import spend
from smolcell.posting import posted
from smolcell.redact import redact
from smolcell.result import RunResult, error_of, own
from smolcell.resume import steps_before
from smolcell.turns import OwnTurns

log = logging.getLogger("smolcell")
E = TypeVar("E", bound=Event)
T = TypeVar("T")
Phase = Literal["", "thinking", "asking", "running"]
_NEWEST = 1000  # events among which those of the newest step are looked for


__all__ = ["Drive", "Parts"]


class Drive:
    """One run. ``await run()`` once; cancelling that task stops the run, which still records its end."""

    def __init__(self, asked: Asked, past: History, parts: Parts) -> None:
        self.asked = asked
        self.parts = parts
        self.events: History = ()
        self.usage = Usage()
        self._past = past
        self._phase: Phase = ""
        self._opening = Opening(parts.executor, asked.run, lambda said: self._say(self._step(), said))
        self._error: SmolcellError | None = None
        self._again = ""  # why the model is asked again
        self._task: asyncio.Task[Any] | None = None
        self._told = 0  # the newest step that callbacks were told
        self._inner: set[asyncio.Task[Any]] = set()  # runs of managed agents
        self._calls = Calls(
            run=asked.run,
            tools=parts.tools,
            gate=self._reviewed,
            ask=None if parts.ask is None else partial(self._said, parts.ask),
            executor=parts.executor,
            waiter=parts.waiter,
            record=self._record_call,
            find=parts.settings.find,
            enter=self._enter,
            say=self._say,
            stopped=self._stopped,
        )

    async def run(self) -> RunResult:
        """Drive the loop to its end. Never raises what belongs to the run: it is in the result."""
        started, self._task = time.monotonic(), asyncio.current_task()
        try:
            ending = await self._loop()
            cut: Phase = ""
            self._tell_callbacks()
        except _OverError as over:
            ending, cut = over.ending, ""
            self._tell_callbacks()
        except asyncio.CancelledError:
            ending, cut = Ending("stopped", reason="stopped", steps=self._step()), self._phase
        except (Exception, KeyboardInterrupt, SystemExit) as raised:  # on the driver's thread they are nobody's signal
            self._error = own(raised)
            state: State = "stopped" if isinstance(raised, AgentStopped) else "error"
            ending, cut = Ending(state, reason=str(self._error), steps=self._step()), self._phase
        await self._opening.settle()
        await all_ended(self._inner)
        error = self._error or error_of(ending)
        said = f"{type(error).__name__}: {error}" if error else ""
        duration = time.monotonic() - started
        self._finish(ending, cut, duration, redact(said))
        return RunResult(
            output=ending.output,
            state=ending.state,
            steps=tuple(step for step in fold_steps(self.events) if step.number <= ending.steps),
            usage=self.usage,
            duration=duration,
            error=error,
            events=self.events,
            lent=self.parts.tools,
        )

    async def _loop(self) -> Ending:
        self._record(self.asked)
        if self.parts.turns is not None:
            await self._opened()  # the loop is in there
        loop = (self.parts.turns or OwnTurns)(self.asked, without_calls_of_code(self._past), self.parts.settings)
        fact: Fact | AgentGenerationError = None
        while not isinstance(want := await loop.next(fact), Ending):
            try:
                fact = await self._do(want)
            except ASK_AGAIN as error:  # the loop decides whether it is
                fact, self._again = error, asking_again(error)
        return want

    async def _do(self, want: Want) -> Fact:
        match want:
            case Think():
                self._tell_callbacks()
                await self._afford(want.step)
                self._phase = "thinking"
                return self._record(await self._think(want))
            case Review():
                return await self._review(want.proposed)
            case Run():
                self._phase = "running"
                return await self._seen(await self._run(want.permit))
            case RunCalls():
                self._phase = "running"
                return await self._run_calls(want)
            case Check():
                return await self._judged(want)
            case Tell():
                self._record(want.event)
                return None
            case other:
                assert_never(other)

    # --- ask --------------------------------------------------------------------------------------------------------

    async def _review(self, proposed: Proposed) -> Allowed | Refused:
        await self._opened()
        decision = self._record(await self._reviewed(proposed))
        if isinstance(decision, Allowed) and decision.kind == "plan":
            spend(decision)  # there is nothing to run
        return decision

    async def _reviewed(self, proposed: Proposed) -> Allowed | Refused:
        """The gate's decision."""
        return await self._said(self.parts.gate, proposed)

    async def _said(self, ask: Callable[[Proposed], Awaitable[T]], proposed: Proposed) -> T:
        """What somebody says to a proposal; the time it takes is nobody's spending."""
        self._phase, began = "asking", time.monotonic()
        try:
            return await ask(proposed)
        finally:
            if self.parts.purse is not None:
                self.parts.purse.wait(time.monotonic() - began)

    async def _afford(self, step: int) -> None:
        """Go on only where the budget holds, or somebody says to go beyond it.

        Raises:
            AgentStopped: a person said not to.
            AgentBudgetError: nobody said anything.
        """
        purse = self.parts.purse
        question = purse.over(time.monotonic()) if purse is not None else ""
        if purse is None or not question:
            return
        proposed = Proposed(run=self.asked.run, step=step, text=question, kind="budget")
        self._record(proposed)
        decision = await self._reviewed(proposed)
        if isinstance(decision, Refused) and decision.then == "continue":
            decision = replace(decision, then="stopped")  # the model is not asked any more
        self._record(decision)
        if isinstance(decision, Allowed):
            spend(decision)
            purse.allow_more(time.monotonic())
            return
        spent = question.partition(" Go on")[0]
        if decision.by == "person":
            raise AgentStopped(f"{spent} {decision.reason or 'A person said not to go on.'}")
        raise AgentBudgetError(f"{spent} {decision.reason}. Give more with budget=Budget(...), or go on with resume()")

    # --- think ------------------------------------------------------------------------------------------------------

    async def _think(self, want: Think) -> Replied:
        self._opening.begin()  # meanwhile
        if self._again:
            self._say(want.step, self._again)
            self._again = ""
        started, whole = time.monotonic(), None
        try:
            async with aclosing(
                reply_of(self.parts.model, want.messages, structured=want.structured, tools=want.tools)
            ) as stream:
                async for item in stream:
                    if isinstance(item, Replied):
                        whole = item
                    else:
                        self._show(replace(item, run=self.asked.run, step=want.step))
        except AgentGenerationError as error:
            self._pay(
                getattr(error, "usage", Usage()), whole=False
            )  # a reply that was cut off at its limit is paid as well
            raise
        if whole is None:
            raise AgentGenerationError("the model's stream ended without a whole reply; try again")
        self._pay(whole.usage)
        return replace(whole, run=self.asked.run, step=want.step, duration=time.monotonic() - started)

    def _pay(self, usage: Usage, *, whole: bool = True) -> None:
        self._add(usage)
        if self.parts.purse is not None:
            self.parts.purse.pay(usage, whole=whole)

    async def _opened(self) -> None:
        """The sandbox is open and its boundary recorded; progress is shown while it takes long."""
        if any(isinstance(event, Opened) for event in self.events):
            return
        await self._opening.wait()
        self._record(Opened(run=self.asked.run, boundary=self.parts.executor.boundary()))

    def _say(self, step: int, text: str) -> None:
        self._show(Delta(text=text, channel="progress", run=self.asked.run, step=step))

    # --- run --------------------------------------------------------------------------------------------------------

    async def _run(self, permit: Allowed) -> Observed:
        started, step = time.monotonic(), permit.step
        if permit.kind != "code":
            spend(permit)
            raise AgentError(f"a {permit.kind} cannot be run as code")

        def on_output(delta: Delta) -> None:
            self._show(replace(delta, run=self.asked.run, step=step))

        try:
            observed = await self.parts.executor.run(permit, on_output, partial(self._calls.call, step))
        finally:
            self._calls.close_step()
        if not observed.duration:
            observed = replace(observed, duration=time.monotonic() - started)
        return replace(observed, run=self.asked.run, step=step, call=permit.call)

    async def _run_calls(self, want: RunCalls) -> tuple[Observed, ...]:
        """All of them side by side, but for programs: those run one after the other."""
        self._calls.begin(want.permits[0].step, want.count)
        turn = asyncio.Lock()

        async def run(permit: Allowed) -> Observed:
            if permit.kind != "code":
                return await self._seen(await self._call(permit))
            async with turn:
                return await self._seen(await self._run(permit))

        tasks = [asyncio.create_task(run(permit)) for permit in want.permits]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _call(self, permit: Allowed) -> Observed:
        """A call that the model made itself, and that was allowed."""
        assert self.parts.reader is not None  # noqa: S101 - an agent that calls tools has it
        spend(permit)
        observed = await self._calls.direct(permit, self.parts.reader.read)
        return replace(observed, run=self.asked.run)

    async def _seen(self, observed: Observed) -> Observed:
        """Check what it answers, record it, and end the run where a tool's question or call was answered so."""
        observed = await self._checked(observed)
        if not observed.is_final_answer:  # only the answer's live value is wanted; the history would keep every step's
            observed = replace(observed, output=None)
        self._record(observed)
        if refused := self._calls.ending:
            state: State = "stopped" if refused.then == "stopped" else "refused"
            raise _OverError(Ending(state, None, refused.reason, observed.step))
        return observed

    def _stopped(self) -> bool:
        return self._task is not None and self._task.cancelling() > 0

    def _enter(self, step: int, call: int) -> None:
        manager.set(Manager(self.asked, self.parts, step, call, self._add, self._calls.end, self._inner))

    def _add(self, usage: Usage) -> None:
        self.usage += usage

    async def _judged(self, want: Check) -> Observed:
        """An answer that came without a program. Only what a check refuses is recorded."""
        given = Observed(run=self.asked.run, step=want.step, call=want.call, is_final_answer=True, output=want.output)
        judged = await self._checked(given)
        return self._record(replace(judged, output=None)) if judged.error is not None else judged

    async def _checked(self, observed: Observed) -> Observed:
        """A final answer that a check refuses is an error of this step, which the model reads."""
        if not observed.is_final_answer or observed.error is not None:
            return observed
        parts = self.parts
        post = partial(posted, parts.waiter)
        said = await hooks.objection(parts.checks, observed.output, parts.memory, parts.owner, post)
        if not said:
            return observed
        fault = Fault(kind="python", type="FinalAnswerError", message=said)
        return replace(observed, is_final_answer=False, error=fault)

    def _tell_callbacks(self) -> None:
        """Tell the newest step, which is over by now; what a callback raises is logged where it runs."""
        newest = self._step()
        if not self.parts.callbacks or newest <= self._told or not self.events:
            return
        self._told = newest
        own = tuple(event for event in self.events[-_NEWEST:] if getattr(event, "step", 0) == newest)
        for step in fold_steps((self.asked, *own)):
            for callback in self.parts.callbacks:
                self.parts.waiter.post(partial(hooks.call, callback, step, agent=self.parts.owner))

    # --- record -----------------------------------------------------------------------------------------------------

    def _record(self, event: E) -> E:
        """Journal, then memory, then the view: in this order."""
        self.parts.journal(event)
        self.events = (*self.events, event)
        self.parts.memory.add(event)
        self._show(event)
        return event

    def _record_call(self, event: Event) -> None:
        """Of a call that a step's code makes: what is cut then, where something is, is the person's turn or the code's."""
        self._phase = "asking" if isinstance(event, Proposed) else "running"
        self._record(event)

    def _finish(self, ending: Ending, cut: Phase, duration: float, error: str) -> None:
        """The last event reaches the view even where the journal is full."""
        ended = Ended(
            run=self.asked.run,
            state=ending.state,
            steps=ending.steps,
            usage=self.usage,
            duration=duration,
            error=error,
            cut=cut,
        )
        try:
            self._record(ended)
        except Exception:
            log.warning("the end of a run could not be journalled", exc_info=True)
            self.events = (*self.events, ended)
            self.parts.memory.add(ended)
            self._show(ended)

    def _show(self, event: Event | Delta) -> None:
        try:
            self.parts.show(event)
        except Exception:
            log.warning("a view failed; the run goes on", exc_info=True)

    def _step(self) -> int:
        """The newest step; while the first reply is awaited, what came before it in the runs that this one continues."""
        return max((getattr(event, "step", 0) for event in self.events), default=0) or steps_before(
            self.asked, self._past
        )


class _OverError(Exception):
    """A step's code called a tool, and the answer to that ends the run."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.reason)
        self.ending = ending
