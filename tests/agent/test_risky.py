"""Whether a step is asked about is decided by the walls of the running sandbox, never by names in the code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from persons import Person

from smolcell import CodeAgent, tool
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.core.findings import findings
from smolcell.errors import ApprovalError
from smolcell.events import Allowed, Boundary, Delta, Observed, Proposed, Refused, Wall, exposure
from smolcell.executors.local import LocalPythonExecutor
from smolcell.gates import MODES, create_gate
from smolcell.protocols import Answer, CallTool, OnOutput
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
    "no sandbox": (
        HostExecutor().boundary(),
        "the sandbox is not isolated (missing: files, network)",
    ),
}
KINDS = ("code", "call", "plan", "budget")


class Says:
    """A view that gives each question the same answer, and keeps the questions."""

    def __init__(self, choice: Any = "approve") -> None:
        self.choice = choice
        self.asked: list[Proposed] = []

    def show(self, event: Any) -> None: ...

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        return Answer(
            run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=self.choice, comment="no"
        )


def decide(gate: Any, *proposals: Proposed) -> list[str]:
    async def each() -> list[Allowed | Refused]:
        return [await gate(proposal) for proposal in proposals]

    return [decision.by for decision in asyncio.run(each())]


def by(mode: str, kind: str, why: str) -> str:
    """Who decides."""
    if mode == "deny" or (mode == "auto" and kind != "budget"):
        return mode
    if mode == "auto":
        return "nobody"
    return "policy" if mode == "risky" and kind == "code" and not why else "person"


@pytest.mark.parametrize(("boundary", "why"), BOUNDARIES.values(), ids=BOUNDARIES)
@pytest.mark.parametrize(("mode", "kind"), [*product(MODES, KINDS)])
def test_the_mode_the_walls_and_the_kind_say_who_decides(
    mode: str, kind: Any, boundary: Boundary | None, why: str
) -> None:
    view = Says()
    proposal = Proposed(run="r", step=1, text="x = 1", kind=kind, boundary=boundary)
    assert exposure(boundary) == why
    assert decide(create_gate(mode, view), proposal) == [by(mode, kind, why)]
    told = f"Approval is risky, and {why}: every step is asked about." if mode == "risky" and kind == "code" else ""
    assert [asked.why for asked in view.asked] == ([told] if by(mode, kind, why) == "person" else [])


@pytest.mark.parametrize(("boundary", "why"), BOUNDARIES.values(), ids=BOUNDARIES)
@pytest.mark.parametrize("kind", KINDS)
def test_code_approved_for_the_session_covers_code_in_an_isolated_sandbox_alone(
    kind: Any, boundary: Boundary | None, why: str
) -> None:
    gate = create_gate("ask", Says("approve_kind"))
    first = Proposed(run="r", step=1, text="x = 1", boundary=ISOLATED)
    later = Proposed(run="s", step=7, text="open('y', 'w')", kind=kind, boundary=boundary)
    expected = "remembered" if kind == "code" and not why else "person"
    assert decide(gate, first, later) == ["person", expected]


@pytest.mark.parametrize(("boundary", "why"), BOUNDARIES.values(), ids=BOUNDARIES)
@pytest.mark.parametrize("kind", KINDS)
def test_code_can_be_approved_for_the_session_only_where_it_is_isolated(
    kind: Any, boundary: Boundary | None, why: str
) -> None:
    proposal = Proposed(run="r", step=1, text="x = 1", kind=kind, boundary=boundary)
    later = Proposed(run="r", step=2, text="x = 1", boundary=ISOLATED)
    offered = kind == "code" and not why
    assert (confined(proposal) == "") is offered
    said = decide(create_gate("ask", Says("approve_kind")), proposal, later)
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
def test_risky_asks_about_all_but_code_in_an_isolated_sandbox_whatever_was_said_before(
    each: list[Proposed], choice: Any
) -> None:
    view = Says(choice)
    decide(create_gate("risky", view), *each)
    assert view.asked == [one for one in each if one.kind != "code" or exposure(one.boundary)]


HARMFUL = {
    "a name put together": "df.agg('to_' + 'csv', path_or_buf='/home/me/.bashrc')",
    "a class made by a call": "type('A', (), {'__array_' + 'interface__': {'data': (0, False)}})",
    "an address handed to numpy": "class A:\n    def __getattr__(self, name):\n        return {'data': (1 << 20, False)}\nnp.asarray(A())",
    "the interface itself": "class A:\n    __array_interface__ = {'data': (0, False)}\nnp.asarray(A())",
    "memory as objects": "np.ndarray(1, dtype=object, buffer=bytes(8))",
    "memory that was freed": "a = np.zeros(9)\nb = a[:]\na.resize(1, refcheck=False)",
    "a method by its name": "getattr(df, 'to_' + 'pickle')('x')",
    "a pipeline": "df.pipe(lambda d: d.transform('to_' + 'json', path_or_buf='x'))",
    "memory of Arrow": "pa.Array.from_buffers(pa.int64(), 9, [None, buffer])",
    "an endless loop": "while True: pass",
    "nothing at all": "x = 1",
}


@pytest.mark.parametrize("text", HARMFUL.values(), ids=HARMFUL)
def test_risky_asks_about_harmful_code_without_walls_whatever_is_found_in_it(text: str) -> None:
    view = Says()
    bare = replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=False),))
    for found in (findings(text), ()):
        view.asked.clear()
        proposal = Proposed(run="r", step=1, text=text, findings=found, boundary=bare)
        assert decide(create_gate("risky", view), proposal, replace(proposal, step=2)) == ["person", "person"]
        assert [asked.why for asked in view.asked] == [
            "Approval is risky, and the sandbox is not isolated (missing: files): every step is asked about."
        ] * 2


def test_names_do_not_tell_harmful_code_from_other_code() -> None:
    missed = [name for name, text in HARMFUL.items() if all(found.risk == "none" for found in findings(text))]
    assert {"a class made by a call", "an address handed to numpy", "memory as objects", "a pipeline"} <= set(missed)


# --- whole runs ----------------------------------------------------------------------------------------------------------


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


STEPS = ("<code>\nx = 1\n</code>", "<code>\ndf.agg('to_' + 'csv')\n</code>")
BARE = replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=False),))


@pytest.fixture
def agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., CodeAgent]]:
    monkeypatch.setenv("SMOLCELL_APPROVE", "risky")
    every: list[CodeAgent] = []

    def make(sandbox: Any, person: Person, *replies: str, **options: Any) -> CodeAgent:
        model = ScriptedModel(*(replies or STEPS))
        every.append(CodeAgent(options.pop("tools", ()), model, sandbox=sandbox, view=person, **options))
        return every[-1]

    yield make
    for agent in every:
        agent.cleanup()


def deciders(agent: CodeAgent) -> list[str]:
    return [event.by for event in agent.memory.events if isinstance(event, Allowed)]


def test_the_walls_of_a_sandbox_that_opens_with_the_run_are_known_before_the_gate_decides(agents: Any) -> None:
    agent = agents(Walled(ISOLATED), Person())
    assert agent.run("t") == 42
    assert deciders(agent) == ["policy", "policy"]


def test_a_sandbox_that_ended_is_opened_again_before_the_gate_decides(agents: Any) -> None:
    agent = agents(Walled(ISOLATED, ends=True), Person())
    assert agent.run("t") == 42
    assert deciders(agent) == ["policy", "policy"]


def test_a_sandbox_that_comes_back_without_walls_is_asked_about(agents: Any) -> None:
    person = Person("approve")
    agent = agents(Walled(ISOLATED, BARE, ends=True), person)
    assert agent.run("t") == 42
    assert deciders(agent) == ["policy", "person"]
    assert [asked.text for asked in person.asked] == ["df.agg('to_' + 'csv')"]


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
    with pytest.raises(
        ApprovalError, match=r"the sandbox is not isolated .*: every step is asked about\. no one can approve"
    ):
        agent.run("t")
    assert agent.executor.ran == []


def test_a_tool_that_asks_is_asked_about_in_an_isolated_sandbox(agents: Any) -> None:
    @tool(approve=True)
    def send(name: str) -> str:
        """Send a letter to this name."""
        return f"sent to {name}"

    person = Person("approve_kind", "approve")
    program = "<code>\nfinal_answer([send('Ann'), send('Bob')])\n</code>"
    executor = LocalPythonExecutor()
    agent = agents(executor, person, program, tools=[send])
    walls = ISOLATED  # whatever stands on this machine
    executor.boundary = lambda: walls  # type: ignore[method-assign]
    assert agent.run("t") == ["sent to Ann", "sent to Bob"]
    assert [asked.text for asked in person.asked] == ["send(name='Ann')", "send(name='Bob')"]
    assert deciders(agent) == ["policy", "person", "person"]


def test_a_managed_agent_is_asked_about_by_the_walls_of_its_own_sandbox(agents: Any) -> None:
    executor = LocalPythonExecutor()
    executor.boundary = lambda: ISOLATED  # type: ignore[method-assign]
    helper = CodeAgent([], ScriptedModel(STEPS[0], STEPS[1]), sandbox=Walled(BARE), name="helper", description="Helps.")
    person = Person("approve", "approve")
    agent = agents(executor, person, "<code>\nfinal_answer(helper('x'))\n</code>", managed_agents=[helper])
    assert agent.run("t") == 42
    assert [(asked.text, bool(asked.why)) for asked in person.asked] == [
        ("x = 1", True),
        ("df.agg('to_' + 'csv')", True),
    ]


def test_the_local_sandbox_is_asked_about_unless_it_is_isolated(agents: Any) -> None:
    person = Person("approve")
    executor = LocalPythonExecutor()
    agent = agents(executor, person, "<code>\nopen('x', 'w').close()\nfinal_answer(1)\n</code>")
    assert agent.run("t") == 1
    assert deciders(agent) == ["policy" if executor.boundary().isolated else "person"]


def test_the_reason_is_neither_recorded_nor_part_of_what_is_approved(agents: Any) -> None:
    person = Person("approve", "approve")
    agent = agents(Walled(BARE), person)
    agent.run("t")
    recorded = [event for event in agent.memory.events if isinstance(event, Proposed)]
    assert [(one.why, one.boundary) for one in recorded] == [("", None)] * 2
    assert [one.fingerprint for one in recorded] == [one.fingerprint for one in person.asked]
    assert not any(isinstance(event, Delta) for event in agent.memory.events)
