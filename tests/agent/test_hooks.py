"""The user's own functions: checks of answers and callbacks of steps, as smolagents' users write them."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from persons import ANSWER, CODE, scripted

from smolcell import CodeAgent
from smolcell.core.history import Memory, Step
from smolcell.errors import SetupError
from smolcell.events import Fault, Observed


async def later(answer: Any) -> bool:
    return False


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (lambda answer, memory: 0, "it returned 0"),
        (lambda answer, memory: np.False_, f"it returned {np.False_!r}"),
        (lambda answer, memory: np.zeros(2), "The truth value of an array with more than one element is ambiguous"),
        (later, "it returned False"),
    ],
)
def test_what_is_false_in_any_way_refuses_the_answer(check: Any, said: str) -> None:
    with scripted(CODE, "I give up.", final_answer_checks=[check], max_steps=1) as made:
        result = made.run("t", return_full_result=True)
    assert result.state == "max_steps_error"
    (error,) = (step.error for step in result.steps)
    assert (error.kind, error.type) == ("python", "FinalAnswerError")
    assert error.message.startswith(f"the answer was not accepted by {check.__name__}: {said}")


def test_a_check_takes_as_much_as_it_wants() -> None:
    seen: list[tuple[Any, ...]] = []

    def whole(final_answer: Any, memory: Memory, agent: CodeAgent) -> None:  # nothing is as good as True
        seen.append((final_answer, memory, agent))

    def third(answer: Any, memory: Memory, its_agent: CodeAgent) -> None:
        seen.append((answer, memory, its_agent))

    def anything(*args: Any, **kwargs: Any) -> None:
        seen.append((*args, *kwargs.values()))

    def alone(answer: Any) -> bool:
        seen.append((answer,))
        return True

    with scripted(CODE, final_answer_checks=[whole, third, anything, alone, bool]) as made:
        assert made.run("t") == 42
    everything = (42, made.memory, made)
    assert seen == [everything, everything, everything, (42,)]


def test_an_answer_that_comes_without_a_program_is_checked_as_well() -> None:
    def is_even(answer: int, memory: Memory) -> bool:
        return answer % 2 == 0

    with scripted('{"final_answer": 3}', '{"final_answer": 4}', final_answer_checks=[is_even]) as made:
        assert made.run("t") == 4
    told = made.model.calls[1][-1].text
    assert "FinalAnswerError: the answer was not accepted by is_even: it returned False" in told


def test_callbacks_are_told_every_step_that_is_over_however_it_went(caplog: pytest.LogCaptureFixture) -> None:
    told: list[tuple[int, str, str]] = []

    def broken(step: Step, agent: CodeAgent) -> None:
        raise RuntimeError("out of paper")

    def note(step: Step) -> None:  # an older form, without the agent
        told.append((step.number, step.code, step.error.type if step.error else step.refusal))

    failed = Observed(error=Fault(kind="python", type="ZeroDivisionError", message="division by zero"))
    with scripted("Well.", CODE, CODE, does=(failed, ANSWER), step_callbacks=[broken, note]) as made:
        made.run("t")
        assert told == [(1, "", "AgentParsingError"), (2, "x = 1", "ZeroDivisionError"), (3, "x = 1", "")]
        with pytest.raises(Exception, match="replies"):
            made.run("t")
        assert len(told) == 3
    assert "out of paper" in caplog.text


def test_a_callback_may_interrupt_the_run_and_is_on_the_calling_thread() -> None:
    threads: list[threading.Thread] = []

    def stop(step: Step, agent: CodeAgent) -> None:
        threads.append(threading.current_thread())
        agent.interrupt()

    with scripted(*[CODE] * 50, does=(), step_callbacks=[stop], max_steps=50) as made:
        assert made.run("t", return_full_result=True).state in ("stopped", "error")
    assert threads[0] is threading.current_thread()


@pytest.mark.parametrize("option", ["step_callbacks", "final_answer_checks"])
@pytest.mark.parametrize("given", [{int: print}, [3], "print"])
def test_what_is_no_list_of_functions_is_named(option: str, given: Any) -> None:
    with pytest.raises(SetupError, match=f"{option} is a list of functions"):
        scripted(**{option: given})
