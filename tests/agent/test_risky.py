"""Whether a step is asked about is decided by the walls of the running sandbox, never by names in the code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st
from persons import Person, of

from smolcell import CodeAgent, tool
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.approval.gates import MODES, create_gate
from smolcell.core.findings import findings
from smolcell.errors import ApprovalError
from smolcell.events import Allowed, Boundary, Delta, Observed, Offer, Proposed, Refused, Wall, exposure
from smolcell.executors.local import LocalPythonExecutor
from smolcell.protocols import CallTool, OnOutput
from smolcell.testing import MemoryExecutor, ScriptedModel
from smolcell.views.widget import confined

ISOLATED = Boundary(sandbox="s", where="here", isolated=True, walls=(Wall(name="files", stands=True),))
BOUNDARIES: dict[str, tuple[Boundary | None, str]] = {
    "isolated": (ISOLATED, ""),
    "walls that isolation does not need": (replace(ISOLATED, walls=(Wall(name="rights", stands=False),)), ""),
    "not known": (None, "the walls of the sandbox are not known"),
    "a wall is missing": (
        replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=True), Wall(name="network", stands=False))),
        "the sandbox is not isolated (missing: network)",
    ),
    "nothing is named": (replace(ISOLATED, isolated=False, walls=()), "the sandbox is not isolated"),
    "a host was opened": (replace(ISOLATED, hosts=("a.org",)), "the sandbox has a network (open hosts: a.org)"),
    "no sandbox": (HostExecutor().boundary(), "the sandbox is not isolated (missing: files, network)"),
}
KINDS = ("code", "call", "plan", "budget")


def says(choice: Any = "approve") -> Person:
    """A person who gives each question the same answer."""
    return Person(*[choice] * 20)


def decide(gate: Any, *proposals: Proposed) -> list[str]:
    async def each() -> list[Allowed | Refused]:
        return [await gate(proposal) for proposal in proposals]

    return [decision.by for decision in asyncio.run(each())]


# Who decides, by the mode and the kind: in an isolated sandbox, and in any other one.
DECIDERS = {
    "auto": {"budget": "nobody"} | dict.fromkeys(("code", "call", "plan"), "auto"),
    "risky": {"code": "policy"} | dict.fromkeys(("call", "plan", "budget"), "person"),
    "ask": dict.fromkeys(KINDS, "person"),
    "deny": dict.fromkeys(KINDS, "deny"),
}
each_boundary = pytest.mark.parametrize(("boundary", "why"), BOUNDARIES.values(), ids=BOUNDARIES)


@each_boundary
@pytest.mark.parametrize("mode", MODES)
def test_the_mode_the_walls_and_the_kind_say_who_decides(mode: str, boundary: Boundary | None, why: str) -> None:
    assert exposure(boundary) == why
    for kind, by in DECIDERS[mode].items():
        view = says()
        by = "person" if by == "policy" and why else by
        proposal = Proposed(run="r", step=1, text="x = 1", kind=kind, boundary=boundary)
        assert decide(create_gate(mode, view), proposal) == [by]
        told = f"Approval is risky, and {why}: every step is asked about." if (mode, kind) == ("risky", "code") else ""
        assert [asked.why for asked in view.asked] == ([told] if by == "person" else [])


@each_boundary
@pytest.mark.parametrize("kind", KINDS)
def test_code_is_approved_for_the_session_where_it_is_isolated(kind: Any, boundary: Boundary | None, why: str) -> None:
    isolated = Proposed(run="r", step=1, text="x = 1", boundary=ISOLATED)
    other = Proposed(run="s", step=7, text="open('y', 'w')", kind=kind, boundary=boundary)
    offered = kind == "code" and not why
    assert (confined(other) == "") is offered
    for pair in ((isolated, other), (other, isolated)):
        said = decide(create_gate("ask", says("approve_kind")), *pair)
        assert said == ["person", "remembered" if offered else "person"]


proposals = st.builds(
    Proposed,
    run=st.sampled_from(["r", "r-1-1", "s"]),
    step=st.integers(1, 9),
    text=st.sampled_from(["x = 1", "open('x')"]),
    kind=st.sampled_from(KINDS),
    boundary=st.sampled_from([boundary for boundary, _ in BOUNDARIES.values()]),
)


@given(st.lists(proposals, max_size=12), st.sampled_from(["approve", "approve_kind", "refuse"]))
def test_risky_asks_about_all_but_code_in_an_isolated_sandbox(each: list[Proposed], choice: Any) -> None:
    view = says(choice)
    decide(create_gate("risky", view), *each)
    assert view.asked == [one for one in each if one.kind != "code" or exposure(one.boundary)]


@pytest.mark.parametrize("mode", ["ask", "risky"])
def test_what_only_a_person_can_give_is_asked_about_whatever_was_said_before(mode: str) -> None:
    first = Proposed(run="r", step=1, text="x = 1", boundary=ISOLATED)
    needs = replace(first, step=2, offers=(Offer(id="look up", label="Look up", asks=True),))
    assert decide(create_gate(mode, says("approve_kind")), first, needs)[1] == "person"


@pytest.mark.parametrize("text", cases(__file__, "harmful"))
def test_risky_asks_about_harmful_code_without_walls_whatever_is_found_in_it(text: str) -> None:
    view = says()
    bare = replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=False),))
    for found in (findings(text), ()):
        view.asked.clear()
        proposal = Proposed(run="r", step=1, text=text, findings=found, boundary=bare)
        assert decide(create_gate("risky", view), proposal, replace(proposal, step=2)) == ["person", "person"]
        assert [asked.why for asked in view.asked] == [
            "Approval is risky, and the sandbox is not isolated (missing: files): every step is asked about."
        ] * 2


def test_names_do_not_tell_harmful_code_from_other_code() -> None:
    missed = {
        each.id for each in cases(__file__, "harmful") if all(found.risk == "none" for found in findings(*each.values))
    }
    assert {"a class made by a call", "an address handed to numpy", "memory as objects", "a pipeline"} <= missed


class Walled(MemoryExecutor):
    """Has each of these boundaries for one opening, the last for good; none before it is open."""

    def __init__(self, *boundaries: Boundary, ends: bool = False) -> None:
        super().__init__("", Observed(is_final_answer=True, output=42))
        self.boundaries, self.ends = list(boundaries), ends
        self.stands = replace(ISOLATED, isolated=False)

    async def open(self) -> None:
        await asyncio.sleep(0)
        if not self.opened:
            self.stands = self.boundaries.pop(0) if len(self.boundaries) > 1 else self.boundaries[0]
        await super().open()

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        observed = await super().run(permit, on_output, call_tool)
        if self.ends:
            self.opened, self.stands = False, replace(ISOLATED, isolated=False)
        return observed

    def boundary(self) -> Boundary:
        return self.stands


STEPS = ("x = 1", "df.agg('to_' + 'csv')")
BARE = replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=False),))


@pytest.fixture
def agents(new_agent: Callable[..., CodeAgent]) -> Callable[..., CodeAgent]:
    return lambda sandbox, person, *programs, **options: new_agent(
        person, *(programs or STEPS), mode="risky", sandbox=sandbox, **options
    )


def isolated() -> LocalPythonExecutor:
    """Says that it is isolated, whatever stands on this machine."""
    executor = LocalPythonExecutor()
    executor.boundary = lambda: ISOLATED  # type: ignore[method-assign]
    return executor


def deciders(agent: CodeAgent) -> list[str]:
    return [event.by for event in of(agent, Allowed)]


@pytest.mark.parametrize(
    ("boundaries", "ends", "by"),
    [
        ([ISOLATED], False, ["policy", "policy"]),
        ([ISOLATED], True, ["policy", "policy"]),
        ([ISOLATED, BARE], True, ["policy", "person"]),
    ],
    ids=["opens with the run", "ended and is opened again", "comes back without walls"],
)
def test_the_walls_are_known_before_the_gate_decides(
    agents: Any, boundaries: list[Boundary], ends: bool, by: list[str]
) -> None:
    person = Person("approve")
    agent = agents(Walled(*boundaries, ends=ends), person)
    assert agent.run("t") == 42
    assert deciders(agent) == by
    assert [asked.text for asked in person.asked] == list(STEPS[1:]) * by.count("person")


def test_walls_that_cannot_be_found_out_let_nothing_run(agents: Any) -> None:
    class Silent(Walled):
        def boundary(self) -> Boundary:
            raise OSError("no answer")

    agent = agents(Silent(ISOLATED), Person())
    result = agent.run("t", return_full_result=True)
    assert (result.state, "no answer" in str(result.error)) == ("error", True)
    assert agent.executor.ran == []


def test_without_walls_and_without_a_person_nothing_runs(agents: Any) -> None:
    agent = agents(Walled(BARE), Person())
    with pytest.raises(ApprovalError, match=r"the sandbox is not isolated .*\. no one can approve"):
        agent.run("t")
    assert agent.executor.ran == []


def test_a_tool_that_asks_is_asked_about_in_an_isolated_sandbox(agents: Any) -> None:
    @tool(approve=True)
    def send(name: str) -> str:
        """Send a letter to this name."""
        return f"sent to {name}"

    person = Person("approve_kind", "approve")
    agent = agents(isolated(), person, "final_answer([send('Ann'), send('Bob')])", tools=[send])
    assert agent.run("t") == ["sent to Ann", "sent to Bob"]
    assert [asked.text for asked in person.asked] == ["send(name='Ann')", "send(name='Bob')"]
    assert deciders(agent) == ["policy", "person", "person"]


def test_a_managed_agent_is_asked_about_by_the_walls_of_its_own_sandbox(agents: Any) -> None:
    model = ScriptedModel(*(f"<code>\n{program}\n</code>" for program in STEPS))
    helper = CodeAgent([], model, sandbox=Walled(BARE), name="helper", description="Helps.")
    person = Person("approve", "approve")
    agent = agents(isolated(), person, "final_answer(helper('x'))", managed_agents=[helper])
    assert agent.run("t") == 42
    assert [(asked.text, bool(asked.why)) for asked in person.asked] == [(program, True) for program in STEPS]


def test_the_local_sandbox_is_asked_about_unless_it_is_isolated(agents: Any) -> None:
    person = Person("approve")
    executor = LocalPythonExecutor()
    agent = agents(executor, person, "open('x', 'w').close()\nfinal_answer(1)")
    assert agent.run("t") == 1
    assert deciders(agent) == ["policy" if executor.boundary().isolated else "person"]


def test_the_reason_is_neither_recorded_nor_part_of_what_is_approved(agents: Any) -> None:
    person = Person("approve", "approve")
    agent = agents(Walled(BARE), person)
    agent.run("t")
    recorded = of(agent, Proposed)
    assert [(one.why, one.boundary) for one in recorded] == [("", None)] * 2
    assert [one.fingerprint for one in recorded] == [one.fingerprint for one in person.asked]
    assert not any(isinstance(event, Delta) for event in agent.memory.events)
