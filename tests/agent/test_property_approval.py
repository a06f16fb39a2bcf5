"""The property that everything else serves: nothing runs without a permit of exactly that text, given before, and none runs twice.

For any replies and any answers (right ones, edits, refusals, answers to something else, older answers, repeated ones, nobody, a
stop at any point where the run waits) the texts that ran are held against the journal, and against what the person really said.
Tries 200 cases, 1,000 as a slow test, 10,000 with ``SMOLCELL_FULL=1``. Mutants show that the check can fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from examples import examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from persons import BareAgent, drive

from smolcell.agent.driver import RunResult
from smolcell.approval.gates import create_gate, decide
from smolcell.core.loop import LoopSettings
from smolcell.errors import PermitError
from smolcell.events import (
    Allowed,
    Delta,
    Ended,
    Event,
    Observed,
    Proposed,
    Refused,
    Replied,
    fingerprint,
    sha256,
)
from smolcell.protocols import Answer, CallTool, Choice, Gate, Message, OnOutput, View
from smolcell.testing import MemoryExecutor

REPLIES = ["<code>\nx = 1\n</code>", "<code>\nx = 2\n</code>", "```python\nopen('a')\n```", "Done", '{"code": "y = 3"}', "<code>\nx = 1",
           '{"answer": 42}', ""]  # fmt: skip
CHOICES: list[Choice] = ["approve", "edit", "refuse", "stop", "approve_run", "approve_kind", "nobody"]


@dataclass(frozen=True)
class Said:
    """What comes back when a proposal is shown: a choice, made about what (exactly this, or something else), after how long."""

    choice: Choice
    about: str = "this"  # another text, another kind, an older step, another run, the answer before, nothing
    text: str | None = None
    wait: int = 0


@dataclass(frozen=True)
class Plan:
    """One run: the replies, the answers, the approval mode, and after how many turns of the event loop it is cancelled."""

    replies: list[str]
    answers: list[Said]
    mode: str = "ask"
    cancel: int | None = None
    again: bool = False  # cancelled twice


said = st.builds(
    Said,
    choice=st.sampled_from(CHOICES[:2] * 3 + CHOICES),
    about=st.sampled_from(["this"] * 6 + ["text", "kind", "step", "run", "before", "nothing", "failure"]),
    text=st.sampled_from([None, "", "x = 1", "z = 9", " "]),
    wait=st.integers(0, 3),
)
plans = st.builds(
    Plan,
    replies=st.lists(st.sampled_from(REPLIES[:4] * 2 + REPLIES), min_size=1, max_size=7),
    answers=st.lists(said, max_size=7),
    mode=st.sampled_from(["ask", "ask", "risky", "auto", "deny"]),
    cancel=st.none() | st.integers(0, 60),
    again=st.booleans(),
)


class Talkative:
    """A model that can be cancelled between any two deltas."""

    name = "talkative"

    def __init__(self, replies: list[str]) -> None:
        self.replies = list(replies)

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        text = self.replies.pop(0) if self.replies else "Done"
        for part in (text[:3], text[3:]):
            await asyncio.sleep(0)
            yield Delta(text=part)
        yield Replied(text=text)


class Person:
    """Answers as planned; ``really`` lists what was allowed by answers to exactly what was shown."""

    def __init__(self, answers: list[Said]) -> None:
        self.answers = list(answers)
        self.given: Answer | None = None
        self.really: list[str] = []

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        said = self.answers.pop(0) if self.answers else Said("nobody")
        for _ in range(said.wait):
            await asyncio.sleep(0)
        if said.about == "failure":
            raise ConnectionError("the page is gone")
        if said.about == "nothing":
            await asyncio.sleep(0)
            return None  # type: ignore[return-value]
        answer = self.given if said.about == "before" and self.given else _about(proposal, said)
        self.given = answer
        if (answer.run, answer.step, answer.fingerprint) == (proposal.run, proposal.step, proposal.fingerprint):
            if answer.choice.startswith("approve"):
                self.really.append(proposal.text)
            elif answer.choice == "edit" and answer.text and answer.text.strip():
                self.really.append(answer.text)
        return answer


def _about(proposal: Proposed, said: Said) -> Answer:
    answer = Answer(
        run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=said.choice, text=said.text
    )
    wrong: dict[str, dict[str, Any]] = {
        "text": {"fingerprint": fingerprint("code", proposal.text + " ")},
        "kind": {"fingerprint": fingerprint("plan", proposal.text)},
        "step": {"step": proposal.step - 1},
        "run": {"run": "another"},
    }
    return replace(answer, **wrong.get(said.about, {}))


@dataclass
class Tried:
    """What one plan came to: the texts that ran, each with how much of the journal was written by then."""

    ran: list[tuple[str, int]] = field(default_factory=list)
    journal: list[Event] = field(default_factory=list)
    result: RunResult | None = None
    person: Person = field(default_factory=lambda: Person([]))


class Greedy(MemoryExecutor):
    """Runs every permit again, and an edited copy of it: both must be refused. Observes after some turns."""

    def __init__(self, tried: Tried) -> None:
        super().__init__()
        self.tried = tried

    async def open(self) -> None:
        await asyncio.sleep(0)
        await super().open()

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        observed = await self.once(permit, on_output, call_tool)
        for copy in (permit, replace(permit), replace(permit, text="rm()", sha256=sha256("rm()"))):
            try:
                await self.once(copy, on_output, call_tool)
            except PermitError:
                await asyncio.sleep(0)
        return observed

    async def once(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        observed = await super().run(permit, on_output, call_tool)
        self.tried.ran.append((self.ran[-1], len(self.tried.journal)))
        return observed


Make = Callable[[Tried], MemoryExecutor]
MakeGate = Callable[[str, View], Gate]


def attempt(plan: Plan, executor: Make = Greedy, gate: MakeGate = create_gate, forget: type | None = None) -> Tried:
    """Drive one run as planned. ``forget``: a mutant whose journal loses this kind of event."""
    tried = Tried(person=Person(plan.answers))

    def journal(event: Event) -> None:
        if forget is None or not isinstance(event, forget):
            tried.journal.append(event)

    async def attempted() -> None:
        agent = BareAgent(Talkative(plan.replies), executor(tried))
        person, settings = tried.person, LoopSettings(max_steps=6)
        run = drive(agent, gate(plan.mode, person), journal, person.show, settings=settings).run()
        task = asyncio.create_task(run)
        if plan.cancel is not None:
            for _ in range(plan.cancel + 1):  # one turn, so that it has begun
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.sleep(0)
            if plan.again:
                task.cancel()
        tried.result = await task

    asyncio.run(attempted())
    return tried


def wrong(tried: Tried, mode: str) -> list[str]:
    """What ran and should not have; empty where the property holds."""
    found = []
    for place, (text, written) in enumerate(tried.ran):
        times = sum(1 for earlier, _ in tried.ran[: place + 1] if earlier == text)
        permits = [event for event in tried.journal[:written] if isinstance(event, Allowed) and event.text == text]
        if times > len(permits):
            found.append(f"run {times} of {text!r} had {len(permits)} permits in the journal")
        if any(event.sha256 != sha256(text) for event in permits):
            found.append(f"a permit of {text!r} has another digest")
    said = list(tried.person.really)
    for event in tried.journal:
        if isinstance(event, Allowed) and event.by == "person":
            if event.text not in said:
                found.append(f"nobody allowed {event.text!r}")
                continue
            said.remove(event.text)
    if mode == "deny" and tried.ran:
        found.append("deny ran something")
    return found


def held(plan: Plan, **mutant: Any) -> None:
    tried = attempt(plan, **mutant)
    assert wrong(tried, plan.mode) == []


@pytest.mark.timeout(5000)  # seconds: generous, for the full count
@examples(plans, few=200, many=1_000)
def test_nothing_runs_without_a_permit_of_exactly_that_text_and_nothing_runs_twice(plan: Plan) -> None:
    tried = attempt(plan)
    assert wrong(tried, plan.mode) == []
    assert tried.result is not None
    assert tuple(tried.journal) == tried.result.events
    assert [type(event) for event in tried.journal].count(Ended) == 1
    assert isinstance(tried.journal[-1], Ended)
    decided = [event for event in tried.journal if isinstance(event, Allowed | Refused)]
    assert len({event.step for event in decided}) == len(decided)


@pytest.mark.slow
def test_the_cases_reach_every_end() -> None:
    """The plans above are not all alike: runs end in every way, and many run something."""
    states: set[str] = set()
    ran: list[bool] = []

    @settings(max_examples=300, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    @given(plans)
    def collect(plan: Plan) -> None:
        tried = attempt(plan)
        assert tried.result is not None
        states.add(tried.result.state)
        ran.append(bool(tried.ran))

    collect()
    assert states == {"success", "max_steps_error", "refused", "stopped"}
    assert sum(ran) > 50


class Careless(Greedy):
    """An executor that does not spend the permit it is handed."""

    async def once(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        self.ran.append(permit.text)
        self.tried.ran.append((permit.text, len(self.tried.journal)))
        return Observed()


class Single(Careless):
    """Careless too, but runs each permit once only."""

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        return await self.once(permit, on_output, call_tool)


def forging(mode: str, view: View) -> Gate:
    """A gate that makes a yes of its own out of whatever the answer was."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        await view.ask(proposed)
        text = proposed.text
        return Allowed(run=proposed.run, step=proposed.step, text=text, sha256=sha256(text), by="person")

    return gate


def trusting(mode: str, view: View) -> Gate:
    """A gate that does not look at what an answer is about."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        return decide(proposed, await view.ask(proposed))

    return gate


MUTANTS: dict[str, dict[str, Any]] = {
    "an executor that spends no permit": {"executor": Careless},
    "a gate that forges permits, and an executor that takes them": {"gate": forging, "executor": Single},
    "a gate that takes an answer to something else": {"gate": trusting},
    "a journal that loses permits": {"forget": Allowed},
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_the_check_catches_a_mutant(mutant: dict[str, Any]) -> None:
    @settings(max_examples=500, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    @given(plans)
    def hold(plan: Plan) -> None:
        held(plan, **mutant)

    with pytest.raises(AssertionError):
        hold()


@settings(max_examples=50, deadline=None)
@given(plans)
def test_a_gate_that_forges_permits_runs_nothing_in_an_executor_that_looks(plan: Plan) -> None:
    assert attempt(plan, gate=forging).ran == []
