"""The record of a run, and the questions to the person in it.

* An event is in the journal before views see it. A permit that cannot be journalled is not run.
* A failing view is logged; the run goes on.
* A person is asked one question at a time. The time that an answer takes does not count.
* After a refusal that ends the run, and after a stop, nothing is asked any more.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from smolcell.agent.budget import BudgetTracker
from smolcell.agent.installs import Installs
from smolcell.approval.contract import Contract
from smolcell.approval.gates import approver
from smolcell.approval.grants import SCOPES, Grants
from smolcell.approval.policy import current
from smolcell.core.findings import is_host
from smolcell.core.history import Memory, steps_before
from smolcell.core.hosts import WEB, Host, not_allowed
from smolcell.core.loop import Ending, LoopSettings, Turns, check_decision
from smolcell.core.receipt import receipt
from smolcell.errors import AgentBudgetError, AgentStopped
from smolcell.events import (
    FIRST_OUTPUT,
    Allowed,
    Asked,
    Connected,
    Delta,
    Ended,
    Event,
    Finding,
    History,
    Observed,
    Offer,
    Proposed,
    Refused,
    Sent,
    Usage,
    step_of,
)
from smolcell.machine.host_files import describe_links
from smolcell.output_checks import Checks
from smolcell.permit import spend
from smolcell.protocols import Answer, Context, Executor, Gate, Model, Waiter
from smolcell.telemetry import Observer
from smolcell.tools.tool import Tool

log = logging.getLogger("smolcell")
E = TypeVar("E", bound=Event)
T = TypeVar("T")
Phase = Literal["", "thinking", "asking", "running"]
Then = Literal["continue", "refused", "stopped"]
Decision = Allowed | Refused

# --- The parts of a run.


@dataclass(frozen=True, slots=True, kw_only=True)
class RunControl:
    """What records, shows and decides. A managed agent's run shares that of its manager's run.

    Args:
        gate: decides about proposals.
        ask: asks a person a tool's question, through the view.
        waiter: the calling thread.
        show: shows an event.
        journal: records an event; may return its time.
        proof: returns the hashes of a run in the journal, for the receipt.
        observe: telemetry, if it is on.
        budget: may be extended by a person.
        cap: the policy's limit, which a person cannot extend.
        output_checks: the agent's, and its manager's.
        contract: limits that the sandbox is checked against.
    """

    gate: Gate
    ask: Callable[[Proposed], Awaitable[Answer]]
    waiter: Waiter
    show: Callable[[Event | Delta], object]
    journal: Callable[[Event], object]
    proof: Callable[[str], Mapping[str, str]] = lambda run: {}
    observe: Observer | None = None
    budget: BudgetTracker | None = None
    cap: BudgetTracker | None = None
    output_checks: Checks = field(default_factory=Checks)
    contract: Contract | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """What one run was given.

    Args:
        settings: limits and prompt of its loop.
        find_in_call: returns the findings in a tool call, which runs on the host.
        offers: returns further choices for the person about a proposal; may block.
        denied_hosts: hosts that the person refused for good; added to.
        rollback: undo a step that failed.
        turns: makes the loop, if it is not the usual one.
        seen: called with each observation, with its live value.
        context: notebook context for the model.
        links: named files that are links: a person is asked about them.
        hand_in: gives the sandbox the run's files, after that.
        branch: number of ideas at the first program.
        branch_models: models to ask for the further ideas.
    """

    settings: LoopSettings
    find_in_call: Callable[[str], tuple[Finding, ...]]
    offers: Callable[[Proposed], tuple[Offer, ...]] = lambda proposed: ()
    denied_hosts: set[str] = field(default_factory=set)
    rollback: bool = False
    turns: Callable[[Asked, History, LoopSettings], Turns] | None = None
    seen: Callable[[Observed], object] = lambda observed: None
    context: Context | None = None
    links: Mapping[str, Path] = field(default_factory=dict)
    hand_in: Callable[[], object] = lambda: None
    branch: int = 1
    branch_models: Sequence[Model] = ()


class RunAgent(Protocol):
    """The agent, as its run uses it. Model, sandbox and tools are read once, as the run begins."""

    model: Model
    final_answer_checks: list[Callable[..., Any]]
    step_callbacks: list[Callable[..., object]]
    grants: Grants
    installs: Installs

    @property
    def executor(self) -> Executor: ...
    @property
    def memory(self) -> Memory: ...
    @property
    def callables(self) -> Mapping[str, Tool]: ...


# --- The record.


class Recorder:
    """Records the events of one run: in the journal, then in the memory, then in the view, then in telemetry.

    Args:
        asked: the task.
        past: events of earlier runs that the model still sees.
        control: has the journal, the view and the telemetry.
        memory: the agent's.

    Attributes:
        events, times: of this run; seconds since 1970.
        usage: of the run, and of the runs of managed agents.
        phase: the present activity.
        step: the newest one; before the first reply, the last one of the runs that this one continues.
    """

    def __init__(self, asked: Asked, past: History, control: RunControl, memory: Memory) -> None:
        self.asked, self.past = asked, past
        self.events: History = ()
        self.times: tuple[float, ...] = ()
        self.usage, self.step = Usage(), steps_before(asked, past)
        self.phase: Phase = ""
        self._control, self._memory = control, memory

    @property
    def history(self) -> History:
        """The events of this run, after those that the model still sees."""
        return (*self.past, *self.events)

    def __call__(self, event: E) -> E:
        """Record an event, and return it."""
        self._remember(event, self._control.journal(event))
        return event

    def _remember(self, event: Event, at: object) -> None:
        when = at if isinstance(at, float) else time.time()
        self.events, self.times = (*self.events, event), (*self.times, when)
        self.step = max(self.step, step_of(event))
        self._memory.add(event)
        self.show(event)
        if self._control.observe is not None:
            self._control.observe.note(event, when)

    def show(self, event: Event | Delta) -> None:
        """Show an event without recording it."""
        try:
            self._control.show(event)
        except Exception:
            log.warning("a view failed; the run goes on", exc_info=True)

    def say(self, step: int, text: str) -> None:
        """Show the person a progress text."""
        self.show(Delta(text=text, channel="progress", run=self.asked.run, step=step))

    def add(self, usage: Usage) -> None:
        """Count usage of this run."""
        self.usage += usage

    def finish(self, ending: Ending, duration: float, error: str) -> None:
        """Record the last event. The view gets it even if the journal is full."""
        proof = dict(self._control.proof(self.asked.run))
        ended = Ended(
            run=self.asked.run,
            state=ending.state,
            steps=ending.steps,
            usage=self.usage,
            duration=duration,
            error=error,
            cut=self.phase,
            receipt=receipt(self.events, self.times).details() | ({"record": proof} if proof else {}),
        )
        try:
            self(ended)
        except Exception:
            log.warning("the end of a run could not be journalled", exc_info=True)
            self._remember(ended, None)

    async def flush(self) -> None:
        """Export the telemetry of the whole run."""
        if self._control.observe is not None and not self.asked.parent:
            await self._control.observe.flush()


# --- The questions.


class RunEndedError(Exception):
    """Raised to end the run: a person, the gate or an output check refused something beside a program."""

    def __init__(self, state: Literal["refused", "stopped"], reason: str) -> None:
        super().__init__(reason)
        self.state, self.reason = state, reason


_LINKS = "What you named is a link that leads out of the folder it lies in. It is read only if you allow it."
_NO_ANSWER = "no one can answer the question"


class Questions:
    """Asks the person in one run.

    Args:
        record: the run's record.
        control: decides.
        given: what the run was given.
        executor: its sandbox.
        agent: its agent.

    Attributes:
        turn: held while a question beside the model's proposals is asked.
        ending: the refusal that ends the run, once there is one; the open step is interrupted then.
        task: the run's.
    """

    def __init__(
        self, record: Recorder, control: RunControl, given: RunInput, executor: Executor, agent: RunAgent
    ) -> None:
        self.record, self.turn = record, asyncio.Lock()
        self.ending: Refused | None = None
        self.task: asyncio.Task[Any] | None = None
        self._control, self._given, self._executor, self._agent = control, given, executor, agent
        self._run, self._count = record.asked.run, 0

    @property
    def over(self) -> bool:
        """Whether the run is being stopped, or was ended by a refusal."""
        return self.ending is not None or self.stopping

    @property
    def stopping(self) -> bool:
        return self.task is not None and self.task.cancelling() > 0

    def end(self, refused: Refused) -> None:
        """End the run after a refusal that is not for the model: interrupt the running step."""
        if refused.then != "continue" and self.ending is None:
            self.ending = refused
            self._executor.interrupt()

    def check_ending(self) -> None:
        """Raise ``RunEndedError`` if a refusal ended the run."""
        if self.ending is not None:
            raise RunEndedError("stopped" if self.ending.then == "stopped" else "refused", self.ending.reason)

    def record_news(self, step: int = 0) -> None:
        """Record new grants and installs, as events of this step."""
        news: list[Event] = [*self._agent.grants.news(self._run, step), *self._agent.installs.news(self._run, step)]
        for event in news:
            self.record(event)

    # --- about programs, plans and tool calls ---------------------------------------------------------------------------

    async def decide(
        self, proposed: Proposed, review: Callable[[Proposed, Gate], Awaitable[Decision]] | None = None
    ) -> Decision:
        """Return the gate's decision about something that the model proposed. The gate sees the walls as they are now.

        Args:
            proposed: the proposal.
            review: asks the gate in another way, with ideas.

        Raises:
            TypeError: the gate decided about something else.
        """
        installs = self._agent.installs
        installs.say = partial(self.record.say, proposed.step)
        offers = await asyncio.to_thread(self._given.offers, proposed)  # blocks: may list the sandbox's files
        known = replace(proposed, boundary=self._executor.boundary(), offers=offers)
        decision = await self._ask_gate(known) if review is None else await review(known, self._ask_gate)
        check_decision(decision, proposed)
        if isinstance(decision, Allowed):
            decision = await installs.before_run(decision)
        installs.say = lambda said: None
        self.record_news(proposed.step)
        return decision

    async def _ask_gate(self, proposed: Proposed) -> Decision:
        return await self._answer_timed(self._control.gate, proposed)

    async def _answer_timed(self, ask: Callable[[Proposed], Awaitable[T]], proposed: Proposed) -> T:
        self.record.phase, began = "asking", time.monotonic()
        try:
            return await ask(proposed)
        finally:
            if self._control.budget is not None:
                self._control.budget.wait(time.monotonic() - began)

    # --- about all else -------------------------------------------------------------------------------------------------

    async def _ask(self, proposed: Proposed, meaning: Mapping[Then, Then]) -> Decision:
        """Record a question and its decision, whose permit is used up; ``meaning``: what a refusal means here."""
        self.record(proposed)
        decision = await self._ask_gate(proposed)
        if isinstance(decision, Refused):
            decision = replace(decision, then=meaning.get(decision.then, decision.then))
        self.record(decision)
        if isinstance(decision, Allowed):
            spend(decision)
        return decision

    async def about_links(self) -> None:
        """Hand the files in if a person allows the links among them; else end the run.

        Raises:
            AgentStopped: the person refused.
            RunEndedError: no one answered.
        """
        text = describe_links(self._given.links)
        proposed = Proposed(run=self._run, step=0, text=text, kind="link", thought=_LINKS)
        decision = await self._ask(proposed, {"continue": "stopped"})
        self.record.phase = ""
        if isinstance(decision, Allowed) and decision.text == text:
            await asyncio.to_thread(self._given.hand_in)
            return
        reason = decision.reason if isinstance(decision, Refused) else "the answer was about another text"
        if isinstance(decision, Refused) and decision.by == "person":
            raise AgentStopped(f"{text}. {reason or 'You refused it.'}")
        raise RunEndedError("refused", f"{text}. {reason}. To send what it leads to, name that path itself")

    async def about_context(self, context: Context) -> Sent | None:
        """Record the notebook context for the model. A person may be asked about it; without an answer nothing is sent.

        Raises:
            AgentStopped: the person stopped the run.
        """
        decision = None
        if (proposed := context.question(self._run)) is not None:
            decision = await self._ask(proposed, {"refused": "continue"})
            if isinstance(decision, Refused) and decision.then == "stopped":
                raise AgentStopped(decision.reason or "stopped")
            self.record.phase = ""
        pieces = context.chosen(decision)
        return self.record(Sent(run=self._run, pieces=pieces)) if pieces else None

    def pay(self, usage: Usage, *, whole: bool = True) -> None:
        """Count the usage of a reply; ``whole``: it was not cut off."""
        self.record.add(usage)
        if self._control.budget is not None:
            self._control.budget.pay(usage, whole=whole)

    async def afford(self, step: int) -> None:
        """Return if the budget allows another reply, or a person extends it.

        Raises:
            AgentStopped: a person refused to extend it.
            AgentBudgetError: no one answered, or the policy's limit is reached.
        """
        cap, budget = self._control.cap, self._control.budget
        if cap is not None and (spent := cap.exceeded(time.monotonic())):
            places = ", ".join(dict.fromkeys(lock.place for lock in current().budget_locks()))
            raise AgentBudgetError(f"{spent.partition(' Go on')[0]} No more can be allowed: locked by {places}")
        if budget is None or not (question := budget.exceeded(time.monotonic())):
            return
        proposed = Proposed(run=self._run, step=step, text=question, kind="budget")
        decision = await self._ask(proposed, {"continue": "stopped"})  # the model is not asked any more
        if isinstance(decision, Allowed):
            budget.extend(time.monotonic())
            return
        spent = question.partition(" Go on")[0]
        if decision.by == "person":
            raise AgentStopped(f"{spent} {decision.reason or 'You chose not to go on.'}")
        raise AgentBudgetError(
            f"{spent} {decision.reason}. Give more with --budget (budget=Budget(...) in Python), or go on with "
            "%agent resume (resume() in Python)"
        )

    async def beside(self, proposed: Proposed) -> Decision:
        """Return the decision about a host or a finding of an output check, which interrupts another activity."""
        async with self.turn:
            self._count += 1
            proposed = replace(proposed, call=FIRST_OUTPUT + self._count)
            before = self.record.phase
            try:  # without a host, the code goes on
                decision = await self._ask(proposed, {"refused": "continue"} if proposed.kind == "host" else {})
            except asyncio.CancelledError:  # the step has ended
                self.record(refusal(proposed, "no one answered in time", then="continue"))
                raise
            self.record.phase = before
            return decision

    async def about_host(self, proposed: Proposed) -> Decision:
        """Return the decision about a host. Only a stop ends the run."""
        if self.over:
            return refusal(proposed, "the run has ended", then="stopped")
        decision = await self.beside(proposed)
        self.record_news(proposed.step)
        if isinstance(decision, Refused) and decision.then == "stopped":
            self.end(decision)
        return decision

    async def of_tool(self, step: int, call: int, question: str) -> str | Refused:
        """Return the person's answer to a tool's question, or a refusal if they do not answer or the view fails."""
        proposed = Proposed(run=self._run, step=step, call=call, kind="question", text=question)
        self.record(proposed)
        try:
            answer = await self._answer_timed(self._control.ask, proposed)
        except Exception:
            log.warning("a view failed to ask a question", exc_info=True)
            answer = None
        self.record.phase = "running"
        choice = answer.choice if answer is not None and answer.is_for(proposed) else "nobody"
        if answer is None or choice not in ("edit", "refuse", "stop") or (choice == "edit" and answer.text is None):
            refused = refusal(proposed, _NO_ANSWER)
        elif answer.text is not None and choice == "edit":
            return answer.text
        elif choice == "refuse":
            refused = refusal(proposed, answer.comment or "no answer", "continue", "person", approver(answer))
        else:
            refused = refusal(proposed, answer.comment or "stopped", "stopped", "person", approver(answer))
        self.end(self.record(refused))
        return refused


def refusal(proposed: Proposed, reason: str, then: Then = "refused", by: str = "nobody", who: str = "") -> Refused:
    """Return the refusal of a proposal."""
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by=by, then=then, who=who)


# --- Hosts that the code of a run wants to connect to.

_WANTS_HOST = "The code of this step wants to connect to a host. The code can send everything that it can read to an allowed host."
_NEVER = "{} is not allowed: the user said never"


def with_options(given: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings about a program, for a sandbox without an open host: each host that it names, with the option that allows it."""
    return tuple(
        replace(each, text=f"{each.text} (no host is open: --allow-host {each.text})")
        if each.kind == "network" and is_host(each.text)
        else each
        for each in given
    )


class HostReach:
    """Decides about the hosts of one step, on the driver's event loop; see ``Reach``.

    Args:
        questions: of the run.
        step: the step whose code connects.
        grants: earlier grants; new ones are added.
        denied: the session's hosts that the person refused for good.
    """

    def __init__(self, questions: Questions, step: int, grants: Grants, denied: set[str]) -> None:
        self._questions, self._step, self._grants, self._denied = questions, step, grants, denied
        self._refused: dict[str, str] = {}  # by host, in this step: a host is asked about once
        self._turn = asyncio.Lock()

    def connected(self, event: Connected) -> None:
        """See ``Reach``."""
        self._questions.record(event)

    async def ask(self, host: str, port: int) -> str:
        """See ``Reach``."""
        requested = Host(host, port)
        name = host if port in WEB and ":" not in host else str(requested)
        async with self._turn:
            if why := current().refusal("hosts", name):
                return f"{not_allowed(requested)}, and the policy does not: {why}"
            if self._grants.use("host", name) is not None:
                return ""
            if name in self._denied:
                return _NEVER.format(name)
            if name not in self._refused and (reason := await self._ask_person(requested, name)):
                self._refused[name] = reason
            return self._refused.get(name, "")

    async def _ask_person(self, requested: Host, name: str) -> str:
        deny = partial(self._denied.add, name)
        never = Offer(id="never", label="Never", choice="refuse", comment=_NEVER.format(name), act=deny)
        text = f"wants {requested}"
        proposed = Proposed(
            run=self._questions.record.asked.run,
            step=self._step,
            kind="host",
            text=text,
            thought=_WANTS_HOST,
            offers=(*self._grants.offers("host", (name,), name, scopes=SCOPES[1:]), never),
        )
        decision = await self._questions.about_host(proposed)
        if isinstance(decision, Allowed):
            return "" if decision.text == text else not_allowed(requested)
        if decision.by == "person":
            reason = decision.reason or "the user refused it"
            return reason if reason == never.comment else f"{name} is not allowed: {reason}"
        return f"{not_allowed(requested)}; {decision.reason}"
