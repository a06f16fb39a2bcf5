"""``rollback="on-error"``: what a failed step changed is taken back, and the model is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from persons import Person

from smolcell import CodeAgent
from smolcell.core.prompt import ROLLED_BACK
from smolcell.errors import SetupError
from smolcell.events import Observed
from smolcell.gates import create_gate
from smolcell.testing import ScriptedModel

FIRST = "x = [1]\nopen('a.txt', 'w').write('one')"
FAILS = "x.append(2)\ny = 3\nopen('a.txt', 'w').write('two')\n1 / 0"
LAST = "final_answer([x, 'y' in globals(), open('a.txt').read()])"


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path))
    made: list[CodeAgent] = []

    def make(*programs: str, **options: Any) -> CodeAgent:
        view = Person()
        model = ScriptedModel(*(f"<code>\n{program}\n</code>" for program in programs))
        made.append(
            CodeAgent(
                model=model, gate=create_gate("auto", view), view=view, additional_authorized_imports=["*"], **options
            )
        )
        return made[-1]

    yield make
    for each in made:
        each.cleanup()


def observed(agent: CodeAgent) -> list[Observed]:
    return [event for event in agent.memory.events if isinstance(event, Observed)]


def test_the_next_step_begins_as_if_the_failed_one_had_not_run_and_the_model_is_told(agent: Any) -> None:
    made = agent(FIRST, FAILS, LAST, rollback="on-error")
    assert made.run("t") == [[1], False, "one"]
    assert [(each.rolled_back, each.changed) for each in observed(made)] == [
        (False, ("x",)),
        (True, ()),
        (False, ()),
    ]
    messages = [message.text for message in made.write_memory_to_messages()]
    assert [ROLLED_BACK in text for text in messages].count(True) == 1
    assert "y = 3" not in made.export().script()


def test_without_it_the_half_done_change_stays(agent: Any) -> None:
    made = agent(FIRST, FAILS, LAST)
    assert made.run("t") == [[1, 2], True, "two"]
    assert not any(each.rolled_back for each in observed(made))


def test_a_step_that_was_killed_at_its_limit_is_taken_back_with_its_files(agent: Any) -> None:
    kills = "x.append(2)\nopen('a.txt', 'w').write('two')\nmax(range(10 ** 12))"
    made = agent(FIRST, kills, LAST, rollback="on-error", executor_kwargs={"timeout": 0.5})
    assert made.run("t") == [[1], False, "one"]


def test_failed_steps_can_be_undone_afterwards_by_copies(agent: Any) -> None:
    made = agent(FIRST, FAILS, FAILS, LAST, rollback="on-error")
    made.run("t")
    assert [(each.step, each.how) for each in made.checkpoints] == [(0, "copy"), (1, "copy"), (2, "copy"), (3, "copy")]
    assert [made.undo().how, made.undo().how, made.undo().how] == ["copy"] * 3
    assert made.python_executor("x").output == [1]


def test_a_sandbox_without_checkpoints_leaves_the_failed_step_as_it_is(agent: Any) -> None:
    made = agent(FIRST, FAILS, LAST, rollback="on-error", executor_kwargs={"checkpoints": 0})
    assert made.run("t") == [[1, 2], True, "two"]


def test_an_unknown_mode_is_an_error(agent: Any) -> None:
    with pytest.raises(SetupError, match="rollback must be one of off, on-error, not 'sometimes'"):
        agent(rollback="sometimes")
