"""Which answers an executed step produced."""

from __future__ import annotations

from typing import Any

import pytest
from examples import cases

from smolcell.core.computed import is_computed
from smolcell.events import Allowed, Asked, Event, Observed, Variable


def asked(task: str = "The mean?", text: str = "60 rows") -> Event:
    return Asked(run="r", task=task, variables=(Variable(name="df", type="DataFrame", text=text),))


def ran(step: int, program: str, stdout: str = "", *, final: bool = False) -> list[Event]:
    allowed = Allowed(run="r", step=step, text=program, sha256="", by="caller")
    result = "'the answer 4.35 of 578.55'" if final else ""
    return [allowed, Observed(run="r", step=step, stdout=stdout, result=result, is_final_answer=final)]


@pytest.mark.parametrize(("steps", "output", "meant"), cases(__file__, "programs"))
def test_an_answer_of_a_program(steps: list[list[str]], output: Any, meant: bool) -> None:
    events = [
        asked(),
        *(e for n, (program, printed) in enumerate(steps, 1) for e in ran(n, program, printed, final=n == len(steps))),
    ]
    assert is_computed(tuple(events), "r", len(steps), output) is meant


@pytest.mark.parametrize(("printed", "output", "meant"), cases(__file__, "values"))
def test_a_value_that_was_printed(printed: str, output: Any, meant: bool) -> None:
    events = [asked(), *ran(1, "print(df.describe())", printed), *ran(2, f"final_answer({output!r})", final=True)]
    assert is_computed(tuple(events), "r", 2, output) is meant
    assert is_computed(tuple(events[:-2]), "r", 2, output) is meant  # an answer in words


def test_what_the_task_or_a_description_says_needs_no_program() -> None:
    events = (asked("Is it odd or even?", "1 of 60 rows"), *ran(1, "final_answer('even')", final=True))
    assert [is_computed(events, "r", 1, output) for output in ("even", 60, "61 rows", "prime")] == [
        True,
        True,
        False,
        False,
    ]
