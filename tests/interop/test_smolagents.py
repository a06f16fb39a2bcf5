"""The executor for smolagents' agent, called as that agent calls it; ``.ci/integrations smolagents`` runs the real one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from smolcell.errors import InterpreterError, SetupError
from smolcell.events import Allowed, Ended, Proposed, Refused
from smolcell.interop.smolagents import ReviewingExecutor, RunEnded, executor
from smolcell.journal import verification
from smolcell.permit import permit


@pytest.fixture
def walled() -> Iterator[ReviewingExecutor]:
    with executor(approve="auto") as made:
        yield made


def price() -> Any:
    """A tool with the attributes that smolagents' have."""

    def forward(item: str) -> float:
        return {"tea": 2.5}[item]

    class Price(SimpleNamespace):
        def __call__(self, *args: Any, **kwargs: Any) -> float:
            return forward(*args, **kwargs)

    inputs = {"item": {"type": "string", "description": "its name"}}
    return Price(name="price", description="A price.", inputs=inputs, output_type="number", forward=forward)


def test_programs_share_variables_and_call_tools_and_functions_of_this_process(walled: ReviewingExecutor) -> None:
    walled.send_variables({"count": 4})
    walled.send_tools({"price": price(), "shout": lambda text: text.upper()})
    first = walled("cost = count * price('tea')\nprint(shout('ten'))\ncost")
    assert (first.output, first.logs, first.is_final_answer) == (10.0, "TEN\n", False)
    last = walled("final_answer({'cost': cost})")
    assert (last.output, last.is_final_answer) == ({"cost": 10.0}, True)


def test_a_tool_is_called_from_every_program_of_a_run() -> None:
    with executor(approve="auto", executor_kwargs={"tool_timeout": 5}) as walled:
        walled.send_tools({"price": price(), "double": lambda number: 2 * number})
        assert walled("print(1)").logs == "1\n"
        assert walled("price('tea')").output == 2.5
        assert walled("final_answer(double(21))").output == 42


def test_a_person_at_a_terminal_is_asked_about_every_program_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.views.terminal._someone_can_type", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt="": "a")
    with executor(approve="ask") as walled:
        assert [walled(f"{number}").output for number in range(3)] == [0, 1, 2]


def test_a_run_of_smolagents_is_one_run_in_the_journal_with_a_receipt(walled: ReviewingExecutor) -> None:
    walled("x = 1")
    with pytest.raises(InterpreterError, match="line 1: ZeroDivisionError: division by zero"):
        walled("1 / 0")
    walled("final_answer(x)")
    result, path = walled.result, walled.agent.journal.path
    assert result is not None and (result.state, result.output) == ("success", 1)
    assert [step.code for step in result.steps] == ["x = 1", "1 / 0", "final_answer(x)"]
    ended = result.events[-1]
    assert isinstance(ended, Ended) and ended.receipt["errors_by_type"] == {"ZeroDivisionError": 1}
    walled.cleanup()
    assert verification.verify(path).status == 0


def test_a_run_that_ended_without_an_answer_ends_in_the_journal_when_the_next_begins(walled: ReviewingExecutor) -> None:
    walled("x = 1")
    walled.send_variables({})
    assert walled.result is not None and walled.result.state == "stopped"
    assert walled("x").output == 1


def test_a_callback_hears_of_the_last_step_before_the_run_ends() -> None:
    heard: list[str] = []
    with executor(approve="auto", step_callbacks=[lambda step, agent: heard.append(type(step).__name__)]) as walled:
        walled("x = 1")
        walled.send_variables({})
        assert heard == ["ActionStep"]


def test_the_output_of_a_failed_program_is_where_smolagents_looks_for_it(walled: ReviewingExecutor) -> None:
    with pytest.raises(InterpreterError):
        walled("print('so far')\n1 / 0")
    assert walled.state["_print_outputs"] == "so far\n"


def test_a_secret_that_a_program_prints_does_not_go_back_to_the_model(walled: ReviewingExecutor) -> None:
    secret = "hf_" + "aB3dE5fG7h" * 4
    assert secret not in walled(f"print('{secret[:20]}' + '{secret[20:]}')").logs


def test_a_refusal_is_an_error_that_the_model_reads_and_a_stop_ends_the_run() -> None:
    async def gate(proposed: Proposed) -> Allowed | Refused:
        place: Any = {"run": proposed.run, "step": proposed.step, "call": proposed.call, "by": "person"}
        if proposed.text == "no":
            return Refused(**place, reason="Not this.", then="continue")
        if proposed.text == "stop":
            return Refused(**place, reason="Enough.", then="stopped")
        return permit(proposed, by="person")

    with executor(gate=gate) as walled:
        with pytest.raises(InterpreterError, match="The person refused this program and it did not run: Not this"):
            walled("no")
        assert walled("1 + 1").output == 2
        with pytest.raises(RunEnded, match="Enough"):
            walled("stop")
        assert walled.result is not None and walled.result.state == "stopped"
        assert walled("2 + 2").output == 4


@pytest.mark.parametrize(("approve", "why"), [("ask", "no one can approve"), ("deny", "nothing runs")])
def test_without_a_yes_nothing_runs_and_no_model_hears_of_it(approve: str, why: str, tmp_path: Path) -> None:
    assert not issubclass(RunEnded, Exception)
    with executor(approve=approve, executor_kwargs={"timeout": 5}) as walled:
        with pytest.raises(RunEnded, match=why):
            walled("open('ran', 'w').close()")
        assert walled.result is not None
        assert not [event for event in walled.result.events if isinstance(event, Allowed)]


def test_the_policy_of_the_receiver_applies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('imports = ["math"]\n')
    monkeypatch.setenv("SMOLCELL_POLICY", str(policy))
    with pytest.raises(SetupError, match="The import os is not allowed"):
        executor(approve="auto", additional_authorized_imports=["os"])


@pytest.mark.parametrize(
    ("options", "why"),
    [({"sandbox": "nowhere"}, "no sandbox named 'nowhere'"), ({"approve": "perhaps"}, "unknown approval mode")],
)
def test_invalid_options_raise_when_the_executor_is_created(options: dict[str, Any], why: str) -> None:
    with pytest.raises(SetupError, match=why):
        executor(**options)


class CallingAgent:
    """What of smolagents' agent the executor looks for: callbacks by the kind of a step, here of memory steps."""

    def __init__(self, executor: ReviewingExecutor) -> None:
        self.python_executor = executor
        self.step_callbacks = self
        self.called: dict[type, Callable[[Any], None]] = {}

    def register(self, kind: type, callback: Callable[[Any], None]) -> None:
        self.called[kind] = callback

    def step(self, code: str) -> None:
        try:
            self.python_executor(code)
        finally:
            self.called[ActionStep](None)


class ActionStep: ...


class FinalAnswerStep: ...


class Rude:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("ask me nothing")

    def go(self, agent: CallingAgent, *programs: str) -> None:
        for program in programs:
            agent.step(program)


@pytest.fixture
def calling(walled: ReviewingExecutor, monkeypatch: pytest.MonkeyPatch) -> CallingAgent:
    monkeypatch.setitem(
        sys.modules, "smolagents.memory", SimpleNamespace(ActionStep=ActionStep, FinalAnswerStep=FinalAnswerStep)
    )
    return CallingAgent(walled)


def test_a_run_that_is_started_while_an_error_is_handled_is_one_run(
    calling: CallingAgent, walled: ReviewingExecutor
) -> None:
    calling.step("0")  # registered here, outside of the handler
    walled.send_variables({})  # the next run begins
    first = walled.result
    for _ in range(2):
        try:
            raise OSError("such as a model that does not answer")
        except OSError:
            calling.step("x = 1")
            calling.step("x")
            assert walled.result is first, "the run is under way"
            walled.send_variables({})
        assert walled.result is not None and walled.result is not first
        assert [step.code for step in walled.result.steps] == ["x = 1", "x"]
        first = walled.result
    calling.step("x")
    with pytest.raises(InterpreterError):
        calling.step("1 / 0")
    assert walled.result is not first, "an error of a step ends the run"


def test_objects_between_the_agent_and_a_program_may_answer_to_a_name_with_any_error(calling: CallingAgent) -> None:
    Rude().go(calling, "x = 1", "x")
    assert ActionStep in calling.called
    frames: list[type] = []

    class Between(Rude):
        def __call__(self, code: str) -> Any:
            frames.append(type(self))
            return calling.python_executor(code)

    calling.step = lambda code: Between()(code)  # type: ignore[method-assign]
    Rude().go(calling, "x")
    assert frames == [Between]
