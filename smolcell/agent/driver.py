"""The driver: carries out the requests of ``core.loop``.

* Every event is recorded before anything else sees it; see ``questions``. A failing callback is logged; the run goes on.
* The last event is always ``Ended``, and says which activity was interrupted, if any.
* The sandbox is opened while the model thinks about the first step, and is open before a person is asked, so that the boundary
  they see is the real one.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Coroutine
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, assert_never

from smolcell.agent.callbacks import Answers, StepCallbacks, first_rejection
from smolcell.agent.ideas import Ideas, taken_back
from smolcell.agent.output_checks import RunOutputChecks
from smolcell.agent.questions import HostReach, Questions, Recorder, RunAgent, RunControl, RunEndedError, RunInput
from smolcell.agent.result import RunResult, as_own_error, error_of
from smolcell.agent.tool_calls import (
    ToolCallResolver,
    ToolCallRunner,
    run_on_calling_thread,
    without_calls_of_code,
)
from smolcell.approval.contract import Contract, violation_text
from smolcell.core.hints import hint
from smolcell.core.history import fold_steps
from smolcell.core.loop import (
    ASK_AGAIN,
    AskModel,
    CheckAnswer,
    Ending,
    OwnTurns,
    Request,
    Response,
    Review,
    RunCalls,
    RunCode,
    Tell,
)
from smolcell.core.prompt import behind, opening_messages
from smolcell.core.redaction import hide_in_run, redact, redact_part
from smolcell.errors import AgentError, AgentGenerationError, AgentStopped, CapabilityError, SetupError, SmolcellError
from smolcell.events import (
    FIRST_IDEA,
    Allowed,
    Answered,
    Asked,
    Delta,
    Fault,
    History,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Sent,
    State,
)
from smolcell.executors import completed
from smolcell.models.asking import asking_again, stream_reply
from smolcell.models.capabilities import traits
from smolcell.permit import spend
from smolcell.protocols import Executor, on_opening, opened_for, reach, warmer
from smolcell.worker.supervisor.meters import drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR

# --- A sandbox that opens while the model thinks, and the progress shown meanwhile.


_PROGRESS_DELAY_SECONDS = 0.2  # seconds after which progress is shown
_STARTING = "starting the sandbox …"


class SandboxStartup:
    """Opens a sandbox, and records its boundary. Each ``wait`` opens it again if it has ended.

    Args:
        executor: the sandbox.
        record: of the run that it is opened for. Progress is shown only while a step waits for it.
        contract: limits that its boundary is checked against.
    """

    def __init__(self, executor: Executor, record: Recorder, contract: Contract | None) -> None:
        self._executor, self._record, self._contract = executor, record, contract
        self._task: asyncio.Task[None] | None = None
        self._progress, self._awaited = _STARTING, False

    def begin(self) -> None:
        """Start opening it. Idempotent."""
        _ = self._ensure_task()

    def _ensure_task(self) -> asyncio.Task[None]:
        if self._task is None:
            loop = asyncio.get_running_loop()

            def tell(text: str) -> None:
                try:
                    loop.call_soon_threadsafe(self._on_progress, text)
                except RuntimeError:
                    pass  # the run has ended, and its loop is closed

            context = contextvars.copy_context()
            context.run(on_opening.set, tell)
            context.run(opened_for.set, self._record.asked.run)
            self._task = asyncio.create_task(self._executor.open(), context=context)
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # else asyncio warns
        return self._task

    async def wait(self) -> None:
        """Wait until it is open. Raises what ``Executor.open`` raises, and ``SetupError`` if its boundary breaks the contract."""
        if self._awaited:
            self._task, self._progress = None, _STARTING
        task = self._ensure_task()
        await asyncio.wait([task], timeout=_PROGRESS_DELAY_SECONDS)
        self._awaited = True
        self._on_progress(self._progress)
        await asyncio.shield(task)
        if not any(isinstance(event, Opened) for event in self._record.events):
            self._record(Opened(run=self._record.asked.run, boundary=self._executor.boundary()))
        if self._contract is not None and (other := self._contract.beyond_walls(self._executor.boundary())):
            raise SetupError(violation_text(self._contract, other))

    def _on_progress(self, text: str) -> None:
        self._progress = text
        if self._awaited and self._task is not None and not self._task.done():
            self._record.say(self._record.step, text)

    async def settle(self) -> None:
        """Cancel a start that no step waits for any more."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        await asyncio.wait([self._task], timeout=2)


# --- A managed agent's view of its manager's run.


_MANAGED_END_SECONDS = 2.5  # seconds for managed runs to end: a step inside a long C call takes two


@dataclass(frozen=True, slots=True)
class ParentRun:
    """The run, and the step and call in it, that a managed agent works for."""

    drive: Drive
    step: int
    call: int


parent_run: ContextVar[ParentRun | None] = ContextVar("smolcell.manager", default=None)
"""Set while a tool is called."""


async def _despite_stops(work: Coroutine[Any, Any, object]) -> None:
    """Await this. If the run is stopped a second time meanwhile, its end is still recorded."""
    try:
        await work
    except asyncio.CancelledError:
        pass


class Drive:
    """One run. Await ``run()`` once; cancelling that task stops the run, which still records its end.

    Args:
        asked: the task.
        past: events of earlier runs that the model still sees.
        agent: the agent.
        control: records, shows and decides.
        given: what the run was given.

    Attributes:
        managed_runs: of the agents that this one manages; the run ends after them.
    """

    def __init__(self, asked: Asked, past: History, agent: RunAgent, control: RunControl, given: RunInput) -> None:
        self.agent, self.control, self._given = agent, control, given
        self._model, self._executor = agent.model, agent.executor
        self.record = record = Recorder(asked, past, control, agent.memory)
        self.questions = questions = Questions(record, control, given, self._executor, agent)
        self._opening = SandboxStartup(self._executor, record, control.contract)
        self._output_checks = RunOutputChecks(control.output_checks, questions)
        self._callbacks = StepCallbacks(agent.step_callbacks, record, control.waiter, agent)
        settings = given.settings
        post = partial(run_on_calling_thread, control.waiter, seconds=completed(self._executor).tool_timeout)
        reject = partial(first_rejection, agent.final_answer_checks, memory=agent.memory, agent=agent, post=post)
        self._answers = Answers(record, self._output_checks, reject, settings.describe)
        models = tuple(given.branch_models) or (self._model,)
        self._ideas = Ideas(questions, self._executor, models, given.branch, settings.find, self._try_idea)
        self._sent: Sent | None = None  # notebook context for the model
        self.managed_runs: set[asyncio.Task[Any]] = set()
        self.calls = ToolCallRunner(
            tools=agent.callables,
            executor=self._executor,
            waiter=control.waiter,
            questions=questions,
            find=given.find_in_call,
            enter=self._enter,
            check=self._output_checks.check_arguments,
            resolver=settings.read_call if isinstance(settings.read_call, ToolCallResolver) else None,
        )

    async def run(self) -> RunResult:
        """Run the loop to its end. Errors of the run are in the result, not raised."""
        record, started = self.record, time.monotonic()
        error: SmolcellError | None = None
        self.questions.task = asyncio.current_task()
        if self.control.output_checks.hides_in_files:
            hide_in_run(record.asked.run, self.control.output_checks.saved)
        try:
            ending = await self._loop_or_refusal()
        except asyncio.CancelledError:
            ending = Ending("stopped", reason="stopped", steps=record.step)
        except (Exception, KeyboardInterrupt, SystemExit) as raised:  # on the driver's thread these are not signals
            if self.questions.stopping and not isinstance(raised, SmolcellError):
                raised = AgentStopped("stopped")  # as at the end of the process, where its threads are gone
            error = as_own_error(raised)
            state: State = "stopped" if isinstance(raised, AgentStopped) else "error"
            ending = Ending(state, reason=str(error), steps=record.step)
        await _despite_stops(self._opening.settle())
        if self.managed_runs:  # their ends are recorded before its own
            await _despite_stops(asyncio.wait(self.managed_runs, timeout=_MANAGED_END_SECONDS))
        error = error or error_of(ending)
        duration = time.monotonic() - started
        record.finish(ending, duration, redact(f"{type(error).__name__}: {error}" if error else ""))
        await _despite_stops(record.flush())
        return RunResult(
            output=ending.output,
            state=ending.state,
            steps=tuple(step for step in fold_steps(record.events) if step.number <= ending.steps),
            usage=record.usage,
            duration=duration,
            error=error,
            events=record.events,
            lent=self.calls.tools,
            times=record.times,
        )

    async def _loop_or_refusal(self) -> Ending:
        """Run the loop until it ends, or a refusal ends the run. No activity is interrupted then."""
        try:
            ending = await self._loop()
        except RunEndedError as over:
            ending = Ending(over.state, None, over.reason, self.record.step)
        self.record.phase = ""
        self._callbacks.tell()
        return ending

    async def _loop(self) -> Ending:
        record, given = self.record, self._given
        record(record.asked)
        self.questions.record_news()
        if given.links:
            await self.questions.about_links()
        if self.control.contract is not None:  # before anything is sent or the person is asked
            await self._opening.wait()
        if given.context is not None:
            self._opening.begin()  # meanwhile
            self._sent = await self.questions.about_context(given.context)
        settings = replace(given.settings, sent=self._sent)
        if given.turns is not None or completed(self._executor).python == "full":
            await self._opening.wait()  # the prompt names the level of Python
            settings = replace(settings, prompt=behind(settings.prompt, self._executor.boundary()))
        loop = (given.turns or OwnTurns)(record.asked, without_calls_of_code(record.past), settings)
        response: Response | AgentGenerationError = None
        why = ""  # the model is asked again
        while not isinstance(request := await loop.next(response), Ending):
            if why and isinstance(request, AskModel):
                record.say(request.step, why)
                why = ""
            try:
                response = await self._do(request)
            except ASK_AGAIN as error:  # the loop decides whether to ask again
                response, why = error, asking_again(error)
        return replace(request, output=self._answers.changed[-1]) if self._answers.changed else request

    async def _do(self, request: Request) -> Response:
        match request:
            case AskModel():
                self._callbacks.tell()
                await self.questions.afford(request.step)
                self.record.phase = "thinking"
                return self.record(await self._ask_model(request))
            case Review():
                return await self._review(request.proposed)
            case RunCode():
                self.record.phase = "running"
                return await self._finish_step(await self._run(request.permit))
            case RunCalls():
                self.record.phase = "running"
                return await self._run_calls(request)
            case CheckAnswer(step, output, call):
                answer = Observed(run=self.record.asked.run, step=step, call=call, is_final_answer=True, output=output)
                judged = await self._answers.check(answer)  # only a rejection is recorded
                return judged if judged.error is None else self.record(replace(judged, output=None))
            case Tell(event):
                self.record(await self._answers.redact(event) if isinstance(event, Answered) else event)
                return None
            case other:
                assert_never(other)

    # --- think ------------------------------------------------------------------------------------------------------

    async def _ask_model(self, request: AskModel) -> Replied:
        self._opening.begin()  # meanwhile
        run, settings = self.record.asked.run, self._given.settings
        instructions = [message for message in request.messages if message.role == "system"]
        given = [*instructions, *opening_messages(self.record.asked, self._sent)]
        messages = await self._output_checks.redact_messages(request.step, request.messages, given)
        writes = self._given.turns is None and not settings.prompt.calling
        self._ideas.begin(messages if writes else (), request.structured)
        started, whole = time.monotonic(), None
        warmer.set(request.warmer)
        self._answers.questioned |= request.last  # nothing can be asked after it
        try:
            async with aclosing(
                stream_reply(self._model, messages, structured=request.structured, tools=request.tools)
            ) as stream:
                async for item in stream:
                    if isinstance(item, Replied):
                        whole = item
                    else:
                        self.record.show(replace(item, run=run, step=request.step))
        except AgentGenerationError as error:
            self.questions.pay(error.usage, whole=False)  # a reply that was cut off is paid, too
            raise
        if whole is None:
            raise AgentGenerationError("the model's stream ended without a whole reply; try again")
        self.questions.pay(whole.usage)
        window = traits(self._model).context_window or 0
        return replace(whole, run=run, step=request.step, duration=time.monotonic() - started, window=window)

    # --- ask --------------------------------------------------------------------------------------------------------

    async def _review(self, proposed: Proposed) -> Allowed | Refused:
        await self._opening.wait()
        if proposed.kind == "call" and self.calls.resolver is not None:
            proposed = self.calls.resolver.as_policy_needs(proposed)
        decision = self.record(await self.questions.decide(proposed, self._ideas.review))
        if isinstance(decision, Allowed) and decision.kind == "plan":
            spend(decision)  # a plan: there is nothing to run
        return decision

    # --- run --------------------------------------------------------------------------------------------------------

    async def _run(self, permit: Allowed) -> Observed:
        started, step = time.monotonic(), permit.step
        if permit.kind != "code":
            spend(permit)
            raise AgentError(f"a {permit.kind} cannot be run as code")
        run, printed = self.record.asked.run, ""

        def on_output(delta: Delta) -> None:
            nonlocal printed
            if permit.call >= FIRST_IDEA:
                return  # an idea's output is shown with the idea
            if delta.channel == "output":
                printed = drop_overwritten_piece(printed + delta.text)
            self.record.show(replace(delta, run=run, step=step))

        token = reach.set(HostReach(self.questions, step, self.agent.grants, self._given.denied_hosts))
        try:
            observed = await self._executor.run(permit, on_output, partial(self.calls.call, step))
        except asyncio.CancelledError:
            if printed := printed.lstrip(f"{CLEAR}\r"):  # the output of a step that was stopped
                fault = Fault(kind="stopped", type="KeyboardInterrupt", message="the step was interrupted")
                text, duration = redact_part(printed, cut_start=False), time.monotonic() - started
                place: dict[str, Any] = {"run": run, "step": step, "call": permit.call}
                self.record(Observed(**place, stdout=text, error=fault, duration=duration))
            raise
        finally:
            reach.reset(token)
            self.calls.close_step()
        duration = observed.duration or time.monotonic() - started
        observed = replace(observed, run=run, step=step, call=permit.call, duration=duration)
        return await self._roll_back(observed) if self._given.rollback else observed

    async def _roll_back(self, observed: Observed) -> Observed:
        """Undo a step that failed, if the sandbox has a copy of the state before it."""
        error = observed.error
        if error is None or error.kind == "stopped" or observed.call or observed.state_lost:
            return observed
        try:
            restored = await completed(self._executor).checkpoints.rollback(observed.run, observed.step, keep=True)
        except CapabilityError as reason:
            self.record.say(observed.step, f"the state from before the step is not there: {reason}")
            return observed
        return taken_back(observed, restored)

    async def _try_idea(self, permit: Allowed) -> Observed:
        self.record.phase = "running"
        return self._output_checks.check_observation(await self._run(permit))

    async def _run_calls(self, request: RunCalls) -> tuple[Observed, ...]:
        """Run tool calls concurrently, but programs one after the other."""
        self.calls.begin(request.permits[0].step, request.count)
        turn = asyncio.Lock()

        async def run(permit: Allowed) -> Observed:
            if permit.kind != "code":
                return await self._finish_step(await self.calls.direct(permit))
            async with turn:
                return await self._finish_step(await self._run(permit))

        tasks = [asyncio.create_task(run(permit)) for permit in request.permits]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _finish_step(self, observed: Observed) -> Observed:
        """Check and record the result of a step or call; raise ``RunEndedError`` if a refusal in it ends the run."""
        observed = await self._answers.check(self._output_checks.check_observation(observed))
        if observed.error is not None and not observed.error.hint:
            error = replace(observed.error, hint=hint(observed.error, self._executor.boundary()))
            observed = replace(observed, error=error)
        # keep no live values in the history but the answer's
        kept = self.record(observed if observed.is_final_answer else replace(observed, output=None))
        self.questions.check_ending()
        self._given.seen(observed)
        return kept

    def _enter(self, step: int, call: int) -> None:
        """Set the run that a managed agent works for, if the tool is one."""
        parent_run.set(ParentRun(self, step, call))
