"""What an agent is given and asked for: the words of smolagents, and what is said of words that are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell import ActionStep, Budget, CodeAgent, PlanningStep, tool
from smolcell.agent.budget import BudgetTracker
from smolcell.errors import SetupError
from smolcell.events import Observed, Usage
from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

PROGRAM = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42)


def agent(*replies: Any, does: tuple[Any, ...] = (ANSWER,), **options: Any) -> CodeAgent:
    options = {"gate": allow_all, "sandbox": MemoryExecutor(*does)} | options
    return CodeAgent(model=ScriptedModel(*replies), **options)


@pytest.mark.parametrize("task", [None, 3, ["Add."]])
def test_a_task_that_is_no_text_is_reported(task: Any) -> None:
    with agent() as used, pytest.raises(SetupError, match="a task is a text in plain words, not "):
        used.run(task)


@pytest.mark.parametrize("name", ["max_steps", "planning_interval"])
@pytest.mark.parametrize("value", ["3", 2.5, 0, -1, True])
def test_an_invalid_number_of_steps_is_reported(name: str, value: Any) -> None:
    with pytest.raises(SetupError, match=f"{name} must be a whole number of at least 1, not {value!r}: for example"):
        agent(**{name: value})


def test_a_run_s_own_step_limit_is_that_run_s() -> None:
    with agent(PROGRAM, "One.", PROGRAM, PROGRAM, does=("", "", ANSWER), max_steps=5) as used:
        with pytest.warns(UserWarning, match="no final answer within 1 steps"):
            assert used.run("t", max_steps=1) == "One."
        assert (used.run("t"), used.max_steps) == (42, 5)
        with pytest.raises(SetupError, match="max_steps must be a whole number"):
            used.run("t", max_steps="3")  # type: ignore[arg-type]


def test_an_agent_is_called_and_says_what_it_was_set_to() -> None:
    with agent(PROGRAM, PROGRAM, does=(ANSWER, ANSWER), return_full_result=True, stream_outputs=True) as used:
        assert used("t").output == 42
        assert used("t", return_full_result=False) == 42
        assert used.python_executor is used.executor


def test_an_agent_is_no_tool() -> None:
    with agent() as used, pytest.raises(SetupError, match=r"an agent cannot be passed in tools=: .* managed_agents="):
        agent(tools=[used])


def test_callbacks_are_told_the_steps_of_their_class() -> None:
    told: list[str] = []
    hooks: dict[type, Any] = {
        PlanningStep: lambda step: told.append(f"plan {step.plan}"),
        ActionStep: [lambda step, agent: told.append(f"{step.task} {step.code_action}")],
    }
    with agent("1. Do it", PROGRAM, planning_interval=2, step_callbacks=hooks) as used:
        used.run("t")
    assert told == ["plan 1. Do it", "t x = 1"]


@pytest.mark.parametrize("given", [{"ActionStep": print}, {ActionStep: "print"}, {ActionStep: [3]}, "print", [3]])
def test_invalid_callbacks_are_reported(given: Any) -> None:
    with pytest.raises(SetupError, match="step_callbacks"):
        agent(step_callbacks=given)


@pytest.mark.parametrize(("level", "shown"), [(0, False), (None, True), (1, True), (2, True)])
def test_a_level_says_what_is_shown_on_the_terminal(
    level: Any, shown: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    with agent(PROGRAM, gate=None, verbosity_level=level) as used:
        assert used.run("t") == 42
    assert ("x = 1" in capsys.readouterr().out) is shown


def test_where_a_person_is_asked_everything_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SMOLCELL_APPROVE", raising=False)
    with agent(PROGRAM, gate=None, verbosity_level=0) as used:
        assert used.run("t", return_full_result=True).state == "refused"
    assert "x = 1" in capsys.readouterr().out


@pytest.mark.parametrize("way", [SystemExit(3), KeyError("a")])
def test_an_answer_check_that_raises_or_exits_rejects_the_answer(way: BaseException) -> None:
    def check(answer: Any) -> None:
        if len(used.memory.steps) == 1:
            raise way

    with agent(PROGRAM, PROGRAM, does=(ANSWER, ANSWER), final_answer_checks=[check]) as used:
        assert used.run("t") == 42
        fault = used.memory.steps[0].error
    assert fault is not None and "the answer was not accepted by check" in fault.message


class Own:
    """A class of the notebook's, which the sandbox does not have."""


def test_a_tool_that_returns_a_class_of_ones_own_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Own, "__module__", "__main__")
    monkeypatch.setattr("__main__.Own", Own, raising=False)

    @tool
    def fetch() -> object:
        """Fetch it."""
        return Own()

    programs = ("<code>\nfetch()\n</code>", "<code>\nfinal_answer(1)\n</code>")
    with CodeAgent([fetch], ScriptedModel(*programs), gate=allow_all) as used:
        assert used.run("t") == 1
        fault = used.memory.steps[0].error
    assert fault is not None and fault.type == "TypeError"
    assert fault.message.startswith("the result of tool 'fetch' cannot be rebuilt in the sandbox (AttributeError: ")
    assert "return plain values" in fault.message


def test_names_are_taken_out_of_a_sandbox_also_before_it_is_open() -> None:
    with LocalPythonExecutor() as executor:
        executor.send_variables({"a": 1, "b": 2})
        executor.forget(["a", "nosuch"])
        assert executor("('a' in globals(), b)").output == (False, 2)
        executor.forget(["b"])
        assert executor("'b' in globals()").output is False
        executor.forget([])


def test_a_budget_within_another_spends_from_both() -> None:
    outer = BudgetTracker(Budget(steps=3), 0.0)
    inner = BudgetTracker(Budget(seconds=10), 0.0, within=outer, name="helper")
    inner.wait(4.0)
    for _ in range(3):
        inner.pay(Usage(input_tokens=1))
    assert (outer.steps, outer.waited, outer.usage.input_tokens) == (3, 4.0, 3)
    assert inner.exceeded(13.0) == "The budget is spent: steps 3 of 3. Go on, with as much again?"
    assert inner.exceeded(15.0) == "helper: The budget is spent: seconds 11 of 10 s. Go on, with as much again?"
    inner.extend(15.0)
    assert (inner.exceeded(16.0), outer.exceeded(16.0)) == ("", "")
