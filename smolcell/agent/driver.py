"""The driver: carries out the requests of ``core.loop``, and records every event before anything else sees it.

* An event is in the journal before views see it. A permit that cannot be journalled is not run.
* A failing view or callback is logged; the run goes on.
* The last event is always ``Ended``, and says which activity was interrupted, if any.
* The sandbox is opened while the model thinks about the first step, and is open before a person is asked, so that the boundary
  they see is the real one.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, assert_never

from smolcell.agent import callbacks as hooks
from smolcell.agent.budget import BudgetTracker
from smolcell.agent.hosts import HostReach
from smolcell.agent.ideas import Ideas, taken_back
from smolcell.agent.installs import Installs
from smolcell.agent.output_checks import REDACT, OutputRefusedError, RunOutputChecks
from smolcell.agent.result import RunResult, as_own_error, error_of
from smolcell.agent.tool_calls import (
    Ask,
    ToolCallResolver,
    ToolCallRunner,
    run_on_calling_thread,
    without_calls_of_code,
)
from smolcell.approval.contract import Contract, violation_text
from smolcell.approval.grants import Grants
from smolcell.approval.policy import current
from smolcell.core.computed import doubt, is_computed
from smolcell.core.findings import findings
from smolcell.core.history import Memory, fold_steps, steps_before
from smolcell.core.loop import (
    ASK_AGAIN,
    AskModel,
    Check,
    Ending,
    LoopSettings,
    OwnTurns,
    Request,
    Response,
    Review,
    Run,
    RunCalls,
    Tell,
    Turns,
)
from smolcell.core.packages import DISTRIBUTIONS
from smolcell.core.prompt import behind, opening_messages
from smolcell.core.receipt import receipt
from smolcell.core.redaction import hide_in_run, redact, redact_part
from smolcell.errors import (
    AgentBudgetError,
    AgentError,
    AgentGenerationError,
    AgentStopped,
    CapabilityError,
    SetupError,
    SmolcellError,
)
from smolcell.events import (
    FIRST_IDEA,
    FIRST_OUTPUT,
    Allowed,
    Answered,
    Asked,
    Boundary,
    Delta,
    Ended,
    Event,
    Fault,
    Finding,
    History,
    Observed,
    Offer,
    Opened,
    Proposed,
    Refused,
    Replied,
    Sent,
    State,
    Usage,
    step_of,
)
from smolcell.executors import completed
from smolcell.machine.host_files import describe_links
from smolcell.models.asking import asking_again, stream_reply
from smolcell.models.capabilities import traits
from smolcell.output_checks import Checks
from smolcell.permit import spend
from smolcell.protocols import Context, Executor, Gate, Model, Waiter, on_opening, opened_for, reach, warmer
from smolcell.telemetry import Observer
from smolcell.tools.tool import Tool
from smolcell.worker.supervisor.meters import drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR

__all__ = ["Drive", "RunContext"]

# --- A sandbox that opens while the model thinks, and the progress shown meanwhile.


_PROGRESS_DELAY_SECONDS = 0.2  # seconds after which progress is shown
_STARTING = "starting the sandbox …"


class SandboxStartup:
    """Opens a sandbox. Each ``wait`` opens it again if it has ended.

    Args:
        executor: the sandbox.
        run: id of the run that it is opened for.
        show: called with its progress on the event loop, but only while a step waits for it.
    """

    def __init__(self, executor: Executor, run: str, show: Callable[[str], object]) -> None:
        self._executor, self._run, self._show = executor, run, show
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
            context.run(opened_for.set, self._run)
            self._task = asyncio.create_task(self._executor.open(), context=context)
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # else asyncio warns
        return self._task

    async def wait(self) -> None:
        """Wait until it is open. Raises what ``Executor.open`` raises."""
        if self._awaited:
            self._task, self._progress = None, _STARTING
        task = self._ensure_task()
        await asyncio.wait([task], timeout=_PROGRESS_DELAY_SECONDS)
        self._awaited = True
        self._on_progress(self._progress)
        await asyncio.shield(task)

    def _on_progress(self, text: str) -> None:
        self._progress = text
        if self._awaited and self._task is not None and not self._task.done():
            self._show(text)

    async def settle(self) -> None:
        """Cancel a start that no step waits for any more."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        try:
            await asyncio.wait([self._task], timeout=2)
        except asyncio.CancelledError:
            pass  # stopped a second time: the end is still recorded


# --- The parts of a run, and a managed agent's view of its manager's run.


_MANAGED_END_SECONDS = 2.5  # seconds for managed runs to end: a step inside a long C call takes two


@dataclass(slots=True, kw_only=True)
class RunContext:
    """The parts of one run."""

    model: Model
    gate: Gate
    executor: Executor
    waiter: Waiter
    settings: LoopSettings
    journal: Callable[[Event], object]
    show: Callable[[Event | Delta], object]
    memory: Memory
    proof: Callable[[str], Mapping[str, str]] = lambda run: {}  # for the receipt: the hashes of the run in the journal
    tools: Mapping[str, Tool] = field(default_factory=dict)
    checks: Sequence[hooks.Check] = ()
    output_checks: Checks = field(default_factory=Checks)
    callbacks: Sequence[hooks.Callback] = ()
    owner: Any = None
    budget: BudgetTracker | None = None
    cap: BudgetTracker | None = None  # the policy's limit: a person cannot extend it
    ask: Ask | None = None
    reader: ToolCallResolver | None = None  # for an agent that calls tools
    find_in_call: Callable[[str], tuple[Finding, ...]] = findings  # the findings in a tool call, which runs on the host
    observe: Observer | None = None  # telemetry, if it is on
    turns: Callable[[Asked, History, LoopSettings], Turns] | None = None  # for an agent whose loop runs in its sandbox
    offers: Callable[[Proposed], tuple[Offer, ...]] = lambda proposed: ()  # further choices for the person
    installs: Installs | None = None  # packages for the sandbox
    grants: Grants = field(default_factory=Grants)
    denied_hosts: set[str] = field(default_factory=set)  # hosts that the person refused for good
    news: Callable[[str, int], list[Event]] = lambda run, step: []  # new grants and installs, as events of this step
    links: Mapping[str, Path] = field(default_factory=dict)  # named files that are links: a person is asked about them
    hand_in: Callable[[], object] = lambda: None  # gives the sandbox the run's files, after that
    context: Context | None = None  # notebook context for the model
    branch: int = 1  # number of ideas at the first program
    branch_models: Sequence[Model] = ()  # models to ask for the further ideas
    rollback: bool = False  # undo a step that failed
    contract: Contract | None = None  # limits that the sandbox is checked against
    open_first: bool = False  # open the sandbox before the first prompt, which names its Python level
    seen: Callable[[Observed], object] = lambda observed: None  # called with each observation, with its live value


@dataclass(frozen=True, slots=True)
class ParentRun:
    """The run and the call that a managed agent works for."""

    asked: Asked
    parts: RunContext
    step: int
    call: int
    pay: Callable[[Usage], object]  # counts usage of the managed run for the manager's run
    end: Callable[[Refused], object]  # ends the manager's run after a refusal
    inner: set[asyncio.Task[Any]]  # managed runs; the manager's run ends after them


parent_run: ContextVar[ParentRun | None] = ContextVar("smolcell.manager", default=None)
"""Set while a tool is called."""


async def wait_for_managed(inner: set[asyncio.Task[Any]]) -> None:
    """Wait a limited time for the managed runs of a run, so that their ends are recorded before its own."""
    try:
        if inner:
            await asyncio.wait(inner, timeout=_MANAGED_END_SECONDS)
    except asyncio.CancelledError:
        pass  # stopped a second time: the end is still recorded


_LINKS = "What you named is a link that leads out of the folder it lies in. It is read only if you allow it."
log = logging.getLogger("smolcell")
E = TypeVar("E", bound=Event)
T = TypeVar("T")
Phase = Literal["", "thinking", "asking", "running"]
_MAX_RECENT_EVENTS = 1000  # newest events that are searched for those of the newest step


class Drive:
    """One run. Await ``run()`` once; cancelling that task stops the run, which still records its end."""

    def __init__(self, asked: Asked, past: History, parts: RunContext) -> None:
        self.asked = asked
        self.parts = parts
        self.events: History = ()
        self.times: tuple[float, ...] = ()  # of the events, in seconds since 1970
        self.usage = Usage()
        self._past = past
        self._sent: Sent | None = None  # notebook context for the model
        self._phase: Phase = ""
        self._opening = SandboxStartup(parts.executor, asked.run, lambda said: self._say(self._step(), said))
        self._error: SmolcellError | None = None
        self._retry_reason = ""  # why the model is asked again
        self._task: asyncio.Task[Any] | None = None
        self._callbacks_step = 0  # the newest step for which callbacks were called
        self._managed_runs: set[asyncio.Task[Any]] = set()  # runs of managed agents
        self._accepted: tuple[Any, Any] | None = None  # an answer, and the same after the output checks
        self._questions = 0  # of output checks
        self._questioned = False  # whether the model was asked to compute its answer
        self._changed_answer: list[Any] = []  # the answer as output checks changed it, if they did
        self._ideas = Ideas(self, parts.executor, parts.model, parts.branch, parts.branch_models)
        self._output_checks = RunOutputChecks(parts.output_checks, asked.run, self._record, self._ask_about_output)
        self._calls = ToolCallRunner(
            run=asked.run,
            tools=parts.tools,
            gate=self._decide,
            ask=None if parts.ask is None else partial(self._answer_timed, parts.ask),
            executor=parts.executor,
            waiter=parts.waiter,
            record=self._record_call,
            find=parts.find_in_call,
            enter=self._enter,
            say=self._say,
            stopped=self._is_stopping,
            check=self._output_checks.check_arguments,
        )

    async def run(self) -> RunResult:
        """Run the loop to its end. Errors of the run are in the result, not raised."""
        started, self._task = time.monotonic(), asyncio.current_task()
        if self.parts.output_checks.hides_in_files:
            hide_in_run(self.asked.run, self.parts.output_checks.saved)
        try:
            ending = await self._loop()
            cut: Phase = ""
            self._tell_callbacks()
        except _OverError as over:
            ending, cut = over.ending, ""
            self._tell_callbacks()
        except OutputRefusedError as refused:
            ending, cut = Ending(refused.state, None, refused.reason, self._step()), ""
            self._tell_callbacks()
        except asyncio.CancelledError:
            ending, cut = Ending("stopped", reason="stopped", steps=self._step()), self._phase
        except (Exception, KeyboardInterrupt, SystemExit) as raised:  # on the driver's thread these are not signals
            if self._is_stopping() and not isinstance(raised, SmolcellError):
                raised = AgentStopped("stopped")  # as at the end of the process, where its threads are gone
            self._error = as_own_error(raised)
            state: State = "stopped" if isinstance(raised, AgentStopped) else "error"
            ending, cut = Ending(state, reason=str(self._error), steps=self._step()), self._phase
        await self._opening.settle()
        await wait_for_managed(self._managed_runs)
        error = self._error or error_of(ending)
        reason = f"{type(error).__name__}: {error}" if error else ""
        duration = time.monotonic() - started
        self._finish(ending, cut, duration, redact(reason))
        await self._flush()
        return RunResult(
            output=ending.output,
            state=ending.state,
            steps=tuple(step for step in fold_steps(self.events) if step.number <= ending.steps),
            usage=self.usage,
            duration=duration,
            error=error,
            events=self.events,
            lent=self.parts.tools,
            times=self.times,
        )

    async def _loop(self) -> Ending:
        self._record(self.asked)
        self._record_news()
        if self.parts.links:
            await self._ask_about_links()
        if self.parts.contract is not None:  # before anything is sent or the person is asked
            await self._ensure_open()
        self._sent = await self._send_context()
        settings = replace(self.parts.settings, sent=self._sent)
        if self.parts.turns is not None or self.parts.open_first:
            await self._ensure_open()
            settings = replace(settings, prompt=behind(settings.prompt, self.parts.executor.boundary()))
        loop = (self.parts.turns or OwnTurns)(self.asked, without_calls_of_code(self._past), settings)
        response: Response | AgentGenerationError = None
        while not isinstance(request := await loop.next(response), Ending):
            try:
                response = await self._do(request)
            except ASK_AGAIN as error:  # the loop decides whether to ask again
                response, self._retry_reason = error, asking_again(error)
        return replace(request, output=self._changed_answer[-1]) if self._changed_answer else request

    async def _ask_about_links(self) -> None:
        """Hand the files in if a person allows the links among them; else end the run.

        Raises:
            AgentStopped: the person refused.
            _OverError: no one answered.
        """
        text = describe_links(self.parts.links)
        proposed = Proposed(run=self.asked.run, step=0, text=text, kind="link", thought=_LINKS)
        self._record(proposed)
        decision = await self._answer_timed(self.parts.gate, proposed)
        if isinstance(decision, Refused) and decision.then == "continue":
            decision = replace(decision, then="stopped")
        self._record(decision)
        self._phase = ""
        if isinstance(decision, Allowed) and spend(decision) == text:
            await asyncio.to_thread(self.parts.hand_in)
            return
        reason = decision.reason if isinstance(decision, Refused) else "the answer was about another text"
        if isinstance(decision, Refused) and decision.by == "person":
            raise AgentStopped(f"{text}. {reason or 'You refused it.'}")
        advice = "To send what it leads to, name that path itself"
        raise _OverError(Ending("refused", None, f"{text}. {reason}. {advice}"))

    async def _send_context(self) -> Sent | None:
        """Record the notebook context for the model. A person may be asked about it; without an answer nothing is sent.

        Raises:
            AgentStopped: the person stopped the run.
        """
        context, decision = self.parts.context, None
        if context is None:
            return None
        if (proposed := context.question(self.asked.run)) is not None:
            self._opening.begin()  # meanwhile
            self._record(proposed)
            decision = await self._answer_timed(self.parts.gate, proposed)
            if isinstance(decision, Refused) and decision.then == "refused":
                decision = replace(decision, then="continue")
            self._record(decision)
            if isinstance(decision, Allowed):
                spend(decision)
            elif decision.then == "stopped":
                raise AgentStopped(decision.reason or "stopped")
            self._phase = ""
        pieces = context.chosen(decision)
        return self._record(Sent(run=self.asked.run, pieces=pieces)) if pieces else None

    async def _do(self, request: Request) -> Response:
        match request:
            case AskModel():
                self._tell_callbacks()
                await self._afford(request.step)
                self._phase = "thinking"
                return self._record(await self._ask_model(request))
            case Review():
                return await self._review(request.proposed)
            case Run():
                self._phase = "running"
                return await self._record_call_result(await self._run(request.permit))
            case RunCalls():
                self._phase = "running"
                return await self._run_calls(request)
            case Check():
                return await self._check_direct_answer(request)
            case Tell():
                event = request.event
                self._record(await self._redact_answer(event) if isinstance(event, Answered) else event)
                return None
            case other:
                assert_never(other)

    # --- ask --------------------------------------------------------------------------------------------------------

    async def _review(self, proposed: Proposed) -> Allowed | Refused:
        await self._ensure_open()
        decision = self._record(await self._decide(proposed))
        if isinstance(decision, Allowed) and decision.kind == "plan":
            spend(decision)  # a plan: there is nothing to run
        return decision

    async def _decide(self, proposed: Proposed) -> Allowed | Refused:
        """Return the gate's decision. The gate sees the walls as they are now."""
        if self.parts.installs is not None:
            self.parts.installs.say = partial(self._say, proposed.step)
        if proposed.kind == "call" and self.parts.reader is not None:
            proposed = self.parts.reader.as_policy_needs(proposed)
        offers = await asyncio.to_thread(self.parts.offers, proposed)  # blocks: may list the sandbox's files
        known = replace(proposed, boundary=self.parts.executor.boundary(), offers=offers)
        decision = await self._ideas.review(known, partial(self._answer_timed, self.parts.gate))
        if self.parts.installs is not None:
            if isinstance(decision, Allowed):
                decision = await self.parts.installs.before_run(decision)
            self.parts.installs.say = lambda said: None
        self._record_news(proposed.step)
        return decision

    def _record_news(self, step: int = 0) -> None:
        for event in self.parts.news(self.asked.run, step):
            self._record(event)

    async def _answer_timed(self, ask: Callable[[Proposed], Awaitable[T]], proposed: Proposed) -> T:
        """Return the answer to a proposal. The time that it takes does not count."""
        self._phase, began = "asking", time.monotonic()
        try:
            return await ask(proposed)
        finally:
            if self.parts.budget is not None:
                self.parts.budget.wait(time.monotonic() - began)

    async def _afford(self, step: int) -> None:
        """Return if the budget allows another reply, or a person extends it.

        Raises:
            AgentStopped: a person refused to extend it.
            AgentBudgetError: no one answered.
        """
        cap, budget = self.parts.cap, self.parts.budget
        if cap is not None and (spent := cap.exceeded(time.monotonic())):
            places = ", ".join(dict.fromkeys(lock.place for lock in current().budget_locks()))
            raise AgentBudgetError(f"{spent.partition(' Go on')[0]} No more can be allowed: locked by {places}")
        question = budget.exceeded(time.monotonic()) if budget is not None else ""
        if budget is None or not question:
            return
        proposed = Proposed(run=self.asked.run, step=step, text=question, kind="budget")
        self._record(proposed)
        decision = await self._answer_timed(self.parts.gate, proposed)
        if isinstance(decision, Refused) and decision.then == "continue":
            decision = replace(decision, then="stopped")  # the model is not asked any more
        self._record(decision)
        if isinstance(decision, Allowed):
            spend(decision)
            budget.extend(time.monotonic())
            return
        spent = question.partition(" Go on")[0]
        if decision.by == "person":
            raise AgentStopped(f"{spent} {decision.reason or 'You chose not to go on.'}")
        raise AgentBudgetError(
            f"{spent} {decision.reason}. Give more with --budget (budget=Budget(...) in Python), or go on with "
            "%agent resume (resume() in Python)"
        )

    # --- think ------------------------------------------------------------------------------------------------------

    async def _ask_model(self, request: AskModel) -> Replied:
        self._opening.begin()  # meanwhile
        if self._retry_reason:
            self._say(request.step, self._retry_reason)
            self._retry_reason = ""
        instructions = [message for message in request.messages if message.role == "system"]
        given = [*instructions, *opening_messages(self.asked, self._sent)]
        messages = await self._output_checks.redact_messages(request.step, request.messages, given)
        writes = self.parts.turns is None and not self.parts.settings.prompt.calling
        self._ideas.begin(messages if writes else (), request.structured)
        started, whole = time.monotonic(), None
        warmer.set(request.warmer)
        self._questioned = self._questioned or request.last  # nothing can be asked after it
        try:
            async with aclosing(
                stream_reply(self.parts.model, messages, structured=request.structured, tools=request.tools)
            ) as stream:
                async for item in stream:
                    if isinstance(item, Replied):
                        whole = item
                    else:
                        self._show(replace(item, run=self.asked.run, step=request.step))
        except AgentGenerationError as error:
            self._pay(error.usage, whole=False)  # a reply that was cut off is paid, too
            raise
        if whole is None:
            raise AgentGenerationError("the model's stream ended without a whole reply; try again")
        self._pay(whole.usage)
        window = traits(self.parts.model).context_window or 0
        taken = time.monotonic() - started
        return replace(whole, run=self.asked.run, step=request.step, duration=taken, window=window)

    def _pay(self, usage: Usage, *, whole: bool = True) -> None:
        self._add(usage)
        if self.parts.budget is not None:
            self.parts.budget.pay(usage, whole=whole)

    async def _ensure_open(self) -> None:
        """Wait until the sandbox is open, and record its boundary. Shows progress if it takes long."""
        await self._opening.wait()
        if not any(isinstance(event, Opened) for event in self.events):
            self._record(Opened(run=self.asked.run, boundary=self.parts.executor.boundary()))
        contract = self.parts.contract
        if contract is not None and (other := contract.beyond_walls(self.parts.executor.boundary())):
            raise SetupError(violation_text(contract, other))

    def _say(self, step: int, text: str) -> None:
        self._show(Delta(text=text, channel="progress", run=self.asked.run, step=step))

    # --- run --------------------------------------------------------------------------------------------------------

    async def _run(self, permit: Allowed) -> Observed:
        started, step = time.monotonic(), permit.step
        if permit.kind != "code":
            spend(permit)
            raise AgentError(f"a {permit.kind} cannot be run as code")

        printed = ""

        def on_output(delta: Delta) -> None:
            nonlocal printed
            if permit.call >= FIRST_IDEA:
                return  # an idea's output is shown with the idea
            if delta.channel == "output":
                printed = drop_overwritten_piece(printed + delta.text)
            self._show(replace(delta, run=self.asked.run, step=step))

        hosts = HostReach(
            permit.run, step, self.parts.grants, self.parts.denied_hosts, self._ask_about_host, self._record
        )
        token = reach.set(hosts)
        try:
            observed = await self.parts.executor.run(permit, on_output, partial(self._calls.call, step))
        except asyncio.CancelledError:
            self._keep_output(permit, printed.lstrip(f"{CLEAR}\r"), time.monotonic() - started)
            raise
        finally:
            reach.reset(token)
            self._calls.close_step()
        if not observed.duration:
            observed = replace(observed, duration=time.monotonic() - started)
        observed = replace(observed, run=self.asked.run, step=step, call=permit.call)
        return await self._roll_back(observed) if self.parts.rollback else observed

    # --- what ideas need, see ``checkpoints.Host`` ---

    def record(self, event: Event) -> None:
        """Record an event of an idea, an alternative program for the step."""
        self._record(event)

    def say(self, step: int, text: str) -> None:
        """Show the person a progress text."""
        self._say(step, text)

    def pay(self, usage: Usage) -> None:
        """Count the usage of an idea."""
        self._pay(usage)

    async def afford(self, step: int) -> None:
        """See ``_afford``. Called before the model is asked for an idea."""
        await self._afford(step)
        self._phase = "thinking"

    def find(self, text: str) -> tuple[Finding, ...]:
        """Return the findings in a program."""
        return self.parts.settings.find(text)

    async def run_idea(self, permit: Allowed) -> Observed:
        """Run an idea on trial."""
        self._phase = "running"
        return self._output_checks.check_observation(await self._run(permit))

    async def _roll_back(self, observed: Observed) -> Observed:
        """Undo a step that failed, if the sandbox has a copy of the state before it."""
        error = observed.error
        if error is None or error.kind == "stopped" or observed.call or observed.state_lost:
            return observed
        try:
            restored = await completed(self.parts.executor).checkpoints.rollback(observed.run, observed.step, keep=True)
        except CapabilityError as reason:
            self._say(observed.step, f"the state from before the step is not there: {reason}")
            return observed
        return taken_back(observed, restored)

    def _keep_output(self, permit: Allowed, printed: str, duration: float) -> None:
        """Record the output of a step that was stopped."""
        if printed:
            fault = Fault(kind="stopped", type="KeyboardInterrupt", message="the step was interrupted")
            self._record(
                Observed(
                    run=self.asked.run,
                    step=permit.step,
                    call=permit.call,
                    stdout=redact_part(printed, cut_start=False),
                    error=fault,
                    duration=duration,
                )
            )

    async def _run_calls(self, request: RunCalls) -> tuple[Observed, ...]:
        """Run tool calls concurrently, but programs one after the other."""
        self._calls.begin(request.permits[0].step, request.count)
        turn = asyncio.Lock()

        async def run(permit: Allowed) -> Observed:
            if permit.kind != "code":
                return await self._record_call_result(await self._call(permit))
            async with turn:
                return await self._record_call_result(await self._run(permit))

        tasks = [asyncio.create_task(run(permit)) for permit in request.permits]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _call(self, permit: Allowed) -> Observed:
        """Run an allowed call that the model made itself."""
        assert self.parts.reader is not None  # noqa: S101 - an agent that calls tools has it
        spend(permit)
        observed = await self._calls.direct(permit, self.parts.reader.read)
        return replace(observed, run=self.asked.run)

    async def _record_call_result(self, observed: Observed) -> Observed:
        """Check and record the result of a call; raise ``_OverError`` if a tool's refused question or call ends the run."""
        observed = await self._check_answer(self._output_checks.check_observation(observed))
        if observed.error is not None and not observed.error.hint:
            error = replace(observed.error, hint=hint(observed.error, self.parts.executor.boundary()))
            observed = replace(observed, error=error)
        live = observed
        if not observed.is_final_answer:  # keep no live values in the history but the answer's
            observed = replace(observed, output=None)
        self._record(observed)
        if refused := self._calls.ending:
            state: State = "stopped" if refused.then == "stopped" else "refused"
            raise _OverError(Ending(state, None, refused.reason, observed.step))
        self.parts.seen(live)
        return observed

    def _is_stopping(self) -> bool:
        return self._task is not None and self._task.cancelling() > 0

    def _enter(self, step: int, call: int) -> None:
        parent_run.set(ParentRun(self.asked, self.parts, step, call, self._add, self._calls.end, self._managed_runs))

    def _add(self, usage: Usage) -> None:
        self.usage += usage

    async def _check_direct_answer(self, request: Check) -> Observed:
        """Check an answer that came without a program. Only a rejection is recorded."""
        given = Observed(
            run=self.asked.run, step=request.step, call=request.call, is_final_answer=True, output=request.output
        )
        judged = await self._check_answer(given)
        return self._record(replace(judged, output=None)) if judged.error is not None else judged

    async def _check_answer(self, observed: Observed) -> Observed:
        """Check a final answer. A rejection is an error of this step, which the model reads."""
        if not observed.answered:
            return observed
        parts = self.parts

        async def objection(answer: Any) -> str:
            post = partial(run_on_calling_thread, parts.waiter, seconds=completed(parts.executor).tool_timeout)
            return await hooks.first_rejection(parts.checks, answer, parts.memory, parts.owner, post)

        value, rejection = await self._output_checks.check_answer(observed.step, observed.output, objection)
        rejection = rejection or self._question_answer(observed)
        if not rejection:
            self._accepted = observed.output, value
            return replace(observed, output=value)
        fault = Fault(kind="python", type="FinalAnswerError", message=rejection)
        return self._output_checks.check_observation(replace(observed, is_final_answer=False), fault)

    def _question_answer(self, observed: Observed) -> str:
        """Return, once in a run about given data, why its answer is questioned."""
        if self._questioned or not self.asked.variables:
            return ""
        why = doubt((*self._past, *self.events), observed.output)
        self._questioned = bool(why)
        return why

    async def _redact_answer(self, event: Answered) -> Answered:
        """Return the answer after the output checks, marked if no step produced it.

        A best answer at the step limit is empty if the person refuses it.
        """
        history = (*self._past, *self.events)
        is_invented = event.output is not None and not is_computed(history, event.run, event.step, event.output)
        event = replace(event, uncomputed=is_invented)
        if self._accepted is not None and any(event.output is each for each in self._accepted):
            value = self._accepted[1]
        else:

            async def none(answer: Any) -> str:
                return ""

            value, refused = await self._output_checks.check_answer(event.step, event.output, none)
            value = None if refused else value
        if value is event.output:
            return event
        self._changed_answer.append(value)
        text = self.parts.settings.describe(value)
        return replace(event, text=text, is_text=isinstance(value, str), output=value)

    async def _ask_about_output(self, step: int, text: str) -> Allowed | Refused:
        """Return the gate's decision about a finding of an output check."""
        proposed = Proposed(run=self.asked.run, step=step, text=text, kind="output", offers=(REDACT,))
        decision = await self._ask_beside(proposed)
        if isinstance(decision, Allowed):
            spend(decision)
        return decision

    async def _ask_about_host(self, proposed: Proposed) -> Allowed | Refused:
        """Return the gate's decision about a host. Only a stop ends the run."""
        if self._calls.ending is not None or self._is_stopping():
            return Refused(
                run=proposed.run, step=proposed.step, reason="the run has ended", by="nobody", then="stopped"
            )
        decision = await self._ask_beside(proposed)
        self._record_news(proposed.step)
        if isinstance(decision, Refused) and decision.then == "stopped":
            self._calls.end(decision)
        return decision

    async def _ask_beside(self, proposed: Proposed) -> Allowed | Refused:
        """Return the gate's decision about a question that does not come from the model."""
        async with self._calls.turn:
            self._questions += 1
            proposed = replace(proposed, call=FIRST_OUTPUT + self._questions)
            before = self._phase
            self._record(proposed)
            try:
                decision = await self._answer_timed(self.parts.gate, proposed)
            except asyncio.CancelledError:  # the step has ended
                place: dict[str, Any] = {"run": proposed.run, "step": proposed.step, "call": proposed.call}
                self._record(Refused(**place, reason="no one answered in time", by="nobody", then="continue"))
                raise
            if isinstance(decision, Refused) and decision.then == "refused" and proposed.kind == "host":
                decision = replace(decision, then="continue")  # the code goes on without it
            self._record(decision)
            self._phase = before
            return decision

    def _tell_callbacks(self) -> None:
        """Call the step callbacks with the newest step, which has ended. Exceptions are logged."""
        newest = self._step()
        if not self.parts.callbacks or newest <= self._callbacks_step or not self.events:
            return
        self._callbacks_step = newest
        own = tuple(event for event in self.events[-_MAX_RECENT_EVENTS:] if step_of(event) == newest)
        for step in fold_steps((self.asked, *own)):
            for callback in self.parts.callbacks:
                self.parts.waiter.post(partial(hooks.call, callback, step, agent=self.parts.owner))

    # --- record -----------------------------------------------------------------------------------------------------

    def _record(self, event: E) -> E:
        """Write to the journal, then to the memory, then to the view, in this order."""
        self._remember(event, self.parts.journal(event))
        return event

    def _remember(self, event: Event, at: object) -> None:
        when = at if isinstance(at, float) else time.time()
        self.events, self.times = (*self.events, event), (*self.times, when)
        self.parts.memory.add(event)
        self._show(event)
        if self.parts.observe is not None:
            self.parts.observe.note(event, when)

    def _record_call(self, event: Event) -> None:
        """Record an event of a call that a step's code makes, and note whether a person or the code is waited for."""
        self._phase = "asking" if isinstance(event, Proposed) else "running"
        self._record(event)

    def _finish(self, ending: Ending, cut: Phase, duration: float, error: str) -> None:
        """Record the last event. The view gets it even if the journal is full."""
        ended = Ended(
            run=self.asked.run,
            state=ending.state,
            steps=ending.steps,
            usage=self.usage,
            duration=duration,
            error=error,
            cut=cut,
            receipt=receipt(self.events, self.times).details() | self._proof(),
        )
        try:
            self._record(ended)
        except Exception:
            log.warning("the end of a run could not be journalled", exc_info=True)
            self._remember(ended, None)

    def _proof(self) -> dict[str, Any]:
        proof = dict(self.parts.proof(self.asked.run))
        return {"record": proof} if proof else {}

    async def _flush(self) -> None:
        """Export the telemetry of the whole run."""
        if self.parts.observe is None or self.asked.parent:
            return
        try:
            await self.parts.observe.flush()
        except asyncio.CancelledError:
            pass  # stopped a second time: the end is still recorded

    def _show(self, event: Event | Delta) -> None:
        try:
            self.parts.show(event)
        except Exception:
            log.warning("a view failed; the run goes on", exc_info=True)

    def _step(self) -> int:
        """Return the newest step; before the first reply, the last one of the runs that this one continues."""
        return max((step_of(event) for event in self.events), default=0) or steps_before(self.asked, self._past)


class _OverError(Exception):
    """Raised in a step when its code called a tool and the refusal of that ends the run."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.reason)
        self.ending = ending


# The line that an error shows the user: the next command to type. The model does not read it. Names in it come from the sandbox: only
# plain identifiers and relative paths are repeated.

_ALL = "; for all of Python, if the walls hold, in a new sandbox: --python full"
_IMPORT = re.compile(r"Import of ([A-Za-z_][\w.]{0,100}) is not allowed; authorized")
_NAME = re.compile(r"name '([A-Za-z]\w{0,100})' is not defined")
_MISSING = re.compile(r"No module named '([A-Za-z_]\w{0,100})(?:\.[\w.]{1,100})?'$")
_HOST = re.compile(r"Only the user can allow it: --allow-host ([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)(?![\w.:-])")
_PATH = r"(\w[\w/-]{0,100}(?:\.[\w-]{1,30}){0,4}\.\w{1,10})"
_WORK = r"(?:/(?:[\w.-]{1,100}/){1,10}work/|/sandbox/)?"  # the guard opens files by their absolute path
_FILE = re.compile(
    rf"\[Errno 2\] No such file or directory: '{_WORK}{_PATH}'$|Forbidden access to file: {_PATH} lies outside"
)


def hint(fault: Fault, boundary: Boundary) -> str:
    """Return the command that may help after this error; "" if there is none.

    Args:
        fault: why the step failed.
        boundary: the boundary of the sandbox that it ran in.
    """
    limits = boundary.limits
    if fault.kind == "limit" and fault.type == "MemoryError" and "memory, MB" in limits:
        return f"To give the code more memory, in a new sandbox: --memory {2 * int(limits['memory, MB'])}"
    if fault.kind == "limit" and fault.type == "TimeoutError" and "seconds a step" in limits:
        return f"To give a step more time: --timeout {2 * limits['seconds a step']:g}"
    if fault.kind == "forbidden" and (match := _IMPORT.match(fault.message)):
        name = match[1].partition(".")[0]
        return f"To allow the import: --imports {name}.*, or for this session: %agent allow {name}{_ALL}"
    if fault.type == "ModuleNotFoundError" and (match := _MISSING.match(fault.message)):
        name = DISTRIBUTIONS.get(match[1], "")
        return f"To install the package for this session: %agent install {name or 'DISTRIBUTION'}"
    if match := _FILE.match(fault.message):
        return f"To give the code a copy of the file: -f {match[1] or match[2]}"
    if fault.type == "NameError" and (match := _NAME.match(fault.message)):
        return f"If the notebook defines it: -t {match[1]} for a function, -i {match[1]} for a value"
    if match := _HOST.search(fault.message):
        return f"To let the code connect to it, which lets it send data there: --allow-host {match[1]}"
    return f"The level is guarded{_ALL}" if fault.kind == "forbidden" and boundary.python == "guarded" else ""
