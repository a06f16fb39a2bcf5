"""``rollback="on-error"``: what a failed step changed is taken back, and the model is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from persons import Person, of

from smolcell import CodeAgent
from smolcell.core.prompt import ROLLED_BACK
from smolcell.events import Observed
from smolcell.executors import Restored

FIRST = "x = [1]\nopen('a.txt', 'w').write('one')"
FAILS = "x.append(2)\ny = 3\nopen('a.txt', 'w').write('two')\n1 / 0"
LAST = "final_answer([x, 'y' in globals(), open('a.txt').read()])"


@pytest.fixture
def agent(new_agent: Callable[..., CodeAgent]) -> Callable[..., CodeAgent]:
    return partial(new_agent, Person(), mode="auto", additional_authorized_imports=["*"])


def test_the_next_step_begins_as_if_the_failed_one_had_not_run_and_the_model_is_told(agent: Any) -> None:
    made = agent(FIRST, FAILS, LAST, rollback="on-error")
    assert made.run("t") == [[1], False, "one"]
    seen = [(each.rolled_back, each.changed) for each in of(made, Observed)]
    assert seen == [(False, ("x",)), (True, ()), (False, ())]
    messages = [message.text for message in made.write_memory_to_messages()]
    assert [ROLLED_BACK in text for text in messages].count(True) == 1
    assert "y = 3" not in made.export().script()


@pytest.mark.parametrize(
    "options", [{}, {"rollback": "on-error", "executor_kwargs": {"checkpoints": 0}}], ids=["off", "no checkpoints"]
)
def test_without_it_the_half_done_change_stays(agent: Any, options: dict[str, Any]) -> None:
    made = agent(FIRST, FAILS, LAST, **options)
    assert made.run("t") == [[1, 2], True, "two"]
    assert not any(each.rolled_back for each in of(made, Observed))


def test_the_model_is_told_of_shared_memory_that_stays(agent: Any) -> None:
    programs = ("import mmap\nm = mmap.mmap(-1, 8)", "m[0] = 2\n1 / 0", "final_answer(m[0])")
    made = agent(*programs, rollback="on-error", executor_kwargs={"python": "full"})
    assert made.run("t") == 2
    (failed,) = [each for each in of(made, Observed) if each.rolled_back]
    assert failed.stdout == f"\n[smolcell: {Restored(shares=True)}]\n"


@pytest.mark.slow
def test_a_step_that_was_killed_at_its_limit_is_taken_back_with_its_files(agent: Any) -> None:
    kills = "x.append(2)\nopen('a.txt', 'w').write('two')\nmax(range(10 ** 12))"
    made = agent(FIRST, kills, LAST, rollback="on-error", executor_kwargs={"timeout": 5.0})
    assert made.run("t") == [[1], False, "one"]


def test_failed_steps_can_be_undone_afterwards_by_copies(agent: Any) -> None:
    made = agent(FIRST, FAILS, FAILS, LAST, rollback="on-error")
    made.run("t")
    assert [(each.step, each.how) for each in made.checkpoints] == [(step, "copy") for step in range(4)]
    assert [made.undo().how, made.undo().how, made.undo().how] == ["copy"] * 3
    assert made.python_executor("x").output == [1]
