"""Managed agents: functions in the manager's code, with one gate, one budget and one record. Over ``local``; no test here is about it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from people import Person

from smolcell import Budget, CodeAgent, ToolCallingAgent, tool
from smolcell.errors import AgentBudgetError, AgentError, AgentStopped, ApprovalError, SetupError
from smolcell.events import Answered, Asked, Delta, Ended, Event, Replied, Usage, to_json
from smolcell.executors.local import LocalPythonExecutor
from smolcell.journal import read
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.views.fold import fold
from smolcell.views.transcript import bundle

PAID = Usage(input_tokens=10, output_tokens=1, cost=0.1)


def code(text: str) -> Replied:
    return Replied(text=f"<code>\n{text}\n</code>", usage=PAID)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[CodeAgent]]:
    monkeypatch.delenv("SMOLCELL_APPROVE", raising=False)
    agents: list[CodeAgent] = []
    yield agents
    for agent in agents:
        agent.cleanup()


@pytest.fixture
def team(made: list[CodeAgent]) -> Any:
    def build(manager: list[Any], *helpers: list[Any], kind: Any = CodeAgent, view: Any = None, **options: Any) -> Any:
        """A manager and its agents ``helper``, ``helper2``, …, each with what its model says."""
        managed = [
            CodeAgent(
                [], ScriptedModel(*says), name=f"helper{n or ''}", description="Helps.", **options.pop(f"of{n}", {})
            )
            for n, says in enumerate(helpers)
        ]
        shown = {"gate": allow_all} if view is None else {"view": view}
        made.append(kind([], ScriptedModel(*manager), managed_agents=managed, **shown, **options))
        return made[-1]

    return build


def interrupt_after(began: threading.Event, agent: CodeAgent) -> None:
    threading.Thread(target=lambda: began.wait(60) and agent.interrupt(), daemon=True).start()


def helper_of(manager: CodeAgent) -> CodeAgent:
    agent: CodeAgent = manager.managed_agents["helper"]
    return agent


def test_an_agent_is_a_function_of_its_manager_s_code(team: Any) -> None:
    boss = team([code("x = helper('Double 21.')\nprint(x)\nfinal_answer(x + 1)")], [code("final_answer(21 * 2)")])
    assert boss.run("t") == 43
    told = boss.model.calls[0][0].text
    assert "def helper(task: str, additional_args: dict" in told and "Helps." in told
    assert "New task:\nDouble 21." in helper_of(boss).model.calls[0][-1].text
    assert "You work for another agent" in helper_of(boss).model.calls[0][0].text


def test_values_go_to_it_and_come_back_as_they_are(team: Any) -> None:
    boss = team(
        [code("answer = helper('Sum.', additional_args={'rows': [1, 2, 3]})\nfinal_answer(answer)")],
        [code("final_answer({'sum': sum(rows)})")],
    )
    assert boss.run("t") == {"sum": 6}
    assert "- rows (list): [1, 2, 3]" in helper_of(boss).model.calls[0][-1].text


def test_it_has_a_sandbox_and_a_memory_of_its_own(team: Any) -> None:
    boss = team(
        [code("secret = 1\nhelper('a')\nfinal_answer(helper('b'))")],
        [code("x = 5\nfinal_answer('secret' in dir())"), code("final_answer('secret' in dir())")],
    )
    assert boss.run("t") is False
    assert "New task:\na" not in str(helper_of(boss).model.calls[1])
    assert helper_of(boss).executor is not boss.executor
    assert isinstance(helper_of(boss).executor, LocalPythonExecutor)


def test_what_it_did_is_journalled_and_shown_within_the_step_that_called_it(team: Any) -> None:
    person = Person(*["approve"] * 2)
    boss = team([code("final_answer(helper('Deep.'))")], [code("final_answer('found')")], view=person)
    assert boss.run("t") == "found"
    run = boss.run_id
    asked = [event for event in person.events if isinstance(event, Asked)]
    assert [(a.run, a.agent, a.parent, a.parent_step) for a in asked] == [
        (run, "", "", 0),
        (f"{run}-1-1-1", "helper", run, 1),
    ]
    assert [(p.run, p.text) for p in person.asked] == [
        (run, "final_answer(helper('Deep.'))"),
        (f"{run}-1-1-1", "final_answer('found')"),
    ]
    state = fold(to_json(event) for event in person.events)
    [inner] = state["steps"][0]["runs"]
    assert (inner["agent"], inner["task"], inner["answer"]["text"], inner["ended"]["state"]) == (
        "helper",
        "Deep.",
        "found",
        "success",
    )
    kept = read(boss.journal.path)
    assert [event.run for event in kept if isinstance(event, Ended)] == [f"{run}-1-1-1", run]
    assert "Agent helper" in bundle(kept)["text/plain"]


def test_its_events_are_streamed_and_its_memory_is_not_its_manager_s(team: Any) -> None:
    boss = team([code("final_answer(helper('a'))")], [code("final_answer(1)")])
    answers = [(event.run == boss.run_id, event.text) for event in boss.stream("t") if isinstance(event, Answered)]
    assert answers == [(False, "1"), (True, "1")]
    assert {event.run for event in boss.memory.events} == {boss.run_id}
    assert [step.code for step in helper_of(boss).memory.steps] == ["final_answer(1)"]


def test_usage_sums_up(team: Any) -> None:
    boss = team(
        [code("helper('a')"), code("final_answer(helper('b'))")], [code("final_answer(1)"), code("final_answer(2)")]
    )
    result = boss.run("t", return_full_result=True)
    assert (result.usage.input_tokens, result.usage.output_tokens) == (40, 4)
    assert result.usage.cost == pytest.approx(0.4)
    assert isinstance(result.events[-1], Ended) and result.events[-1].usage == result.usage


def test_one_budget_holds_for_all(team: Any) -> None:
    boss = team([code("helper('a')"), code("1")], [code("1")] * 10, budget=Budget(steps=3))
    result = boss.run("t", return_full_result=True)
    assert (result.state, type(result.error)) == ("error", AgentBudgetError)
    assert (len(boss.model.calls), len(helper_of(boss).model.calls)) == (1, 2)
    fault = result.steps[0].error
    assert fault is not None and "helper has no answer: AgentBudgetError" in fault.message


def test_its_own_budget_holds_for_each_of_its_runs_within_its_manager_s(team: Any) -> None:
    boss = team(
        [code("helper('a')"), code("print(helper('b'))\nfinal_answer(1)")],
        [code("1"), code("1"), code("final_answer(2)")],
        of0={"budget": Budget(steps=2)},
    )
    result = boss.run("t", return_full_result=True)
    fault = result.steps[0].error
    assert fault is not None and "AgentBudgetError: helper: The budget is spent: steps 2 of 2" in fault.message
    assert (result.output, len(helper_of(boss).model.calls)) == (1, 3)


def test_its_budget_does_not_reach_beyond_its_manager_s(team: Any) -> None:
    boss = team(
        [code("helper('a')"), code("1")], [code("1")] * 10, budget=Budget(steps=3), of0={"budget": Budget(steps=9)}
    )
    assert boss.run("t", return_full_result=True).state == "error"
    assert (len(boss.model.calls), len(helper_of(boss).model.calls)) == (1, 2)


def test_what_goes_wrong_in_it_is_an_exception_that_the_manager_s_code_may_catch(team: Any) -> None:
    boss = team(
        [
            code("try:\n    helper('a')\nexcept Exception as error:\n    said = str(error)\nprint(said)"),
            code("final_answer(said)"),
        ],
        [],
    )
    assert boss.run("t").startswith("helper has no answer: AgentGenerationError: the scripted model was called")


def test_a_wrong_call_of_it_is_a_type_error(team: Any) -> None:
    boss = team([code("try:\n    helper(3)\nexcept TypeError as error:\n    final_answer(str(error))")], [])
    assert "'task' must be str, not int 3" in boss.run("t")


def test_its_best_answer_at_its_step_limit_is_its_answer(team: Any) -> None:
    boss = team([code("final_answer(helper('a'))")], [code("1"), "About four."], of0={"max_steps": 1})
    assert boss.run("t") == "About four."


@pytest.mark.parametrize(("said", "error"), [("stop", AgentStopped), ("nobody", ApprovalError)])
def test_a_stop_or_silence_in_it_ends_the_whole_run(team: Any, said: str, error: type[AgentError]) -> None:
    swallow = code("try:\n    helper('a')\nexcept BaseException:\n    pass\nfinal_answer('went on')")
    boss = team([swallow, code("final_answer('went on')")], [code("1")], view=Person("approve", said))
    with pytest.raises(error):
        boss.run("t")
    assert len(boss.model.calls) == 1


def test_a_refusal_in_it_goes_to_its_own_model(team: Any) -> None:
    person = Person("approve", "refuse", "approve")
    boss = team([code("final_answer(helper('a'))")], [code("1"), code("final_answer(2)")], view=person)
    assert boss.run("t") == 2
    assert "The person refused to run this program" in helper_of(boss).model.calls[1][-1].text


def test_a_yes_to_the_rest_of_the_run_covers_its_agents(team: Any) -> None:
    person = Person("approve_run")
    boss = team([code("final_answer(helper('a'))")], [code("1"), code("final_answer(2)")], view=person)
    assert boss.run("t") == 2
    assert len(person.asked) == 1


def test_its_own_tools_and_agents_are_its_own(team: Any) -> None:
    @tool
    def lamp(n: int) -> int:
        """Lights.

        Args:
            n: which
        """
        assert threading.current_thread() is threading.main_thread()
        return n * 10

    deep = CodeAgent([lamp], ScriptedModel(code("final_answer(lamp(n=4))")), name="deep", description="Deeper.")
    middle = [code("final_answer(deep('c') + 1)")]
    boss = team([code("final_answer(helper('b') + 1)")], middle, of0={"managed_agents": [deep]})
    assert boss.run("t") == 42
    events = read(boss.journal.path)
    depths = [event.run.count("-") for event in events if isinstance(event, Asked)]
    assert depths == [0, 3, 6]


def test_agents_side_by_side_do_not_mix(team: Any) -> None:
    both = "import asyncio\na, b = helper('a'), helper1('b')\nfinal_answer([a, b])"
    boss = team([code(both)], [code("final_answer('A')")], [code("final_answer('B')")])
    assert boss.run("t") == ["A", "B"]


def test_an_interrupt_of_the_agent_itself_stops_both(team: Any) -> None:
    began = threading.Event()

    def mark() -> None:
        """Marks."""
        began.set()

    boss = team([code("helper('a')"), code("final_answer(2)")], [code("mark()\nwhile True:\n    pass")])
    helper = helper_of(boss)
    helper.set_tools([mark])
    interrupt_after(began, helper)
    assert boss.run("t", return_full_result=True).state == "stopped"
    ended = [(event.state, event.cut) for event in read(boss.journal.path) if isinstance(event, Ended)]
    assert ended == [("stopped", "running"), ("stopped", "")]
    helper.interrupt()
    assert boss.run("again") == 2


def test_an_interrupt_stops_both_and_leaves_the_team_usable(team: Any) -> None:
    began = threading.Event()

    @tool
    def hang(n: int) -> int:
        """Hangs.

        Args:
            n: which
        """
        began.set()
        threading.Event().wait(0.2)
        return n

    boss = team([code("helper('a')"), code("final_answer(2)")], [code("while True:\n    hang(n=1)")])
    helper_of(boss).set_tools([hang])
    interrupt_after(began, boss)
    result = boss.run("t", return_full_result=True)
    assert result.state == "stopped"
    ended = [(event.state, event.cut) for event in read(boss.journal.path) if isinstance(event, Ended)]
    assert ended == [("stopped", "running"), ("stopped", "running")]
    assert boss.run("again") == 2


@pytest.mark.slow
def test_a_run_ends_after_those_within_it_also_where_one_is_inside_a_long_c_call(team: Any) -> None:
    begun = threading.Event()

    class Watching(Person):
        def show(self, event: Event | Delta) -> None:
            if getattr(event, "channel", "") == "output":
                begun.set()

    boss = team(
        [code("helper('a')"), code("final_answer(2)")],
        [code("print('in')\nsum(range(10**12))"), code("final_answer(1)")],
        view=Watching(),
    )
    interrupt_after(begun, boss)
    assert boss.run("t", return_full_result=True).state == "stopped"
    ended = [(event.run == boss.run_id, event.cut) for event in read(boss.journal.path) if isinstance(event, Ended)]
    assert ended == [(False, "running"), (True, "running")]
    assert boss.run("again") == 2


def test_a_manager_that_calls_tools_calls_agents_as_well(team: Any) -> None:
    says = [
        '{"name": "helper", "arguments": {"task": "a"}}',
        '{"name": "final_answer", "arguments": {"answer": "done"}}',
    ]
    person = Person("approve", "approve")
    boss = team(says, [code("final_answer(7)")], kind=ToolCallingAgent, view=person)
    assert boss.run("t") == "done"
    assert [(p.kind, p.text) for p in person.asked] == [("call", "helper(task='a')"), ("code", "final_answer(7)")]
    assert boss.model.calls[1][-1].text == "Observation of call 1:\nResult:\n7"
    asked = [event for event in person.events if isinstance(event, Asked)][1]
    assert (asked.parent_step, asked.parent_call) == (1, 1)


def test_reports_and_tasks_take_the_form_of_a_template(team: Any) -> None:
    own = {"managed_agent": {"task": "You are {{name}}: {task}", "report": "{name} says {final_answer}"}}
    boss = team([code("final_answer(helper('a'))")], [code("final_answer(7)")], of0={"prompt_templates": own})
    assert boss.run("t") == "helper says 7"
    assert "You are helper: a" in helper_of(boss).model.calls[0][-1].text


def test_a_sandbox_is_of_the_manager_s_kind_and_never_the_same_one() -> None:
    worker = CodeAgent([], ScriptedModel(), name="w", description="Works.")
    CodeAgent([], ScriptedModel(), sandbox="docker", executor_kwargs={"timeout": 5.0}, managed_agents=[worker])
    assert (worker.executor.name, worker.executor.timeout) == ("docker", 5.0)  # type: ignore[attr-defined]
    own = CodeAgent([], ScriptedModel(), name="w", description="Works.", sandbox="local")
    CodeAgent([], ScriptedModel(), sandbox="docker", managed_agents=[own])
    assert own.executor.name == "local"
    shared = MemoryExecutor()
    one = CodeAgent([], ScriptedModel(), name="w", description="Works.", sandbox=shared)
    with pytest.raises(SetupError, match="share a sandbox"):
        CodeAgent([], ScriptedModel(), sandbox=shared, managed_agents=[one])
    worker.cleanup()
    own.cleanup()


def named(name: str | None = "w", description: str | None = "Works.") -> CodeAgent:
    return CodeAgent([], ScriptedModel(), name=name, description=description)


@tool
def w(x: int) -> int:
    """Is w.

    Args:
        x: what
    """
    return x


@pytest.mark.parametrize(
    ("tools", "agents", "said"),
    [
        ([w], [named()], "are both called 'w'"),
        ([], [named(), named()], "are both called 'w'"),
        ([], [named(None)], "needs a name and a description"),
        ([], [named(description=None)], "needs a name and a description"),
        ([], [named("my agent")], "an identifier, not 'my agent'"),
        ([], [named("final_answer")], "'final_answer'"),
        ([], [print], "holds agents, not builtin_function_or_method"),
    ],
)
def test_names_that_clash_or_are_none_are_said(tools: Any, agents: Any, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        CodeAgent(tools, ScriptedModel(), managed_agents=agents)


def test_new_tools_may_not_take_an_agent_s_name(team: Any) -> None:
    boss = team([code("final_answer(helper('a'))")], [code("final_answer(1)")])
    taken = tool(name="helper")(w.function)  # type: ignore[attr-defined]
    with pytest.raises(SetupError, match="both called 'helper'"):
        boss.set_tools([taken])
    boss.set_tools([w])
    assert boss.run("t") == 1


def test_a_managed_agent_without_a_manager_says_so(team: Any) -> None:
    boss = team([], [])
    with pytest.raises(AgentError, match="works only in its manager's run"):
        asyncio.run(boss.callables["helper"]("a"))


def test_an_agent_is_called_from_every_sandbox_and_has_one_of_the_same_kind(everywhere: Any) -> None:
    helper = CodeAgent([], ScriptedModel(code("final_answer({'twice': n * 2})")), name="helper", description="Helps.")
    boss = everywhere("final_answer(helper('Double.', additional_args={'n': 21}))", managed_agents=[helper])
    assert boss.run("t") == {"twice": 42}
    assert (helper.executor.name, helper.executor is boss.executor) == (boss.executor.name, False)
