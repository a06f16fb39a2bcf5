"""Steps that were taken back: what the agent, its journal, exports and the receipt make of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from persons import Person

from smolcell import CodeAgent, journal
from smolcell.core.history import surviving, surviving_with_times
from smolcell.core.receipt import receipt, rows
from smolcell.errors import SetupError
from smolcell.events import Asked, Ended, Observed, Undone, to_json
from smolcell.executors import SHARED
from smolcell.telemetry.spans import spans
from smolcell.views.fold import undone_text

PROGRAMS = ("x = 1", "x = 2", "final_answer(x)", "final_answer(x)")


@pytest.fixture
def agent(new_agent: Callable[..., CodeAgent]) -> CodeAgent:
    return new_agent(Person(), *PROGRAMS, mode="auto", executor_kwargs={"checkpoints": 10})


def test_a_journal_is_read_as_what_is_remembered(agent: CodeAgent) -> None:
    agent.run("a")
    agent.undo(2)
    path = agent.journal.path
    loaded = journal.load(path)
    assert loaded.events == agent.memory.events
    assert len(loaded.times) == len(loaded.events)
    assert list(loaded.times) == sorted(loaded.times)
    assert agent.run("b", reset=False) == 1
    assert journal.load(path).events == agent.memory.events


def test_a_journal_of_which_nothing_counts_is_empty(agent: CodeAgent) -> None:
    agent.run("a")
    agent.goto(0)
    assert journal.load(agent.journal.path) == journal.Run((), ())


def test_an_export_has_the_surviving_steps_only(agent: CodeAgent) -> None:
    agent.run("a")
    undone = agent.goto(1)
    exported = agent.export().script()
    assert ("x = 1" in exported, "x = 2" in exported) == (True, False)
    assert undone == Undone(run=agent.run_id, step=1)


def test_every_undone_run_has_its_undo_in_the_journal(agent: CodeAgent) -> None:
    agent.run("a")
    first = agent.run_id
    agent.run("b", reset=False)
    agent.goto(f"{first}:1")
    found = [event for event in journal.read(agent.journal.path) if isinstance(event, Undone)]
    assert [(event.run, event.step) for event in found] == [(first, 1), (agent.run_id, 0)]
    assert surviving(tuple(journal.read(agent.journal.path))) == agent.memory.events


def test_the_receipt_names_what_happened_and_what_was_taken_back(agent: CodeAgent) -> None:
    agent.run("a")
    agent.goto(1)
    events = journal.read(agent.journal.path, copied=False)
    found, run = receipt(events, events.times), agent.run_id
    assert (found.steps, found.undone) == (3, (f"{run}:2", f"{run}:3"))
    assert found.details()["undone"] == [f"{run}:2", f"{run}:3"]
    assert [(row["run"], row["steps"], row["undone"]) for row in rows(events, events.times)] == [(run, 3, 2)]
    assert spans(zip(events, events.times, strict=True))


def test_the_end_that_is_put_in_has_the_time_of_what_it_follows() -> None:
    history = (Asked(run="a", task="t"), *(Observed(run="a", step=step) for step in (1, 2)), Undone(run="a", step=1))
    events, times = surviving_with_times(history, (1.0, 2.0, 3.0, 4.0))
    assert (events, times) == (surviving(history), (1.0, 2.0, 2.0))
    assert isinstance(events[-1], Ended)
    assert surviving_with_times(history, ()) == (surviving(history), ())


def test_what_is_undone_of_an_unknown_run_changes_nothing() -> None:
    history = (Asked(run="a", task="t"), Observed(run="a", step=1))
    assert surviving((*history, Undone(run="b", step=1), Undone(run="b", step=0))) == history
    assert surviving((Undone(run="b", step=3),)) == ()


def test_shared_memory_that_stays_is_named(new_agent: Callable[..., CodeAgent]) -> None:
    programs = ("import mmap\nm = mmap.mmap(-1, 8)", "m[0] = 2", "final_answer(m[0])")
    options = {"checkpoints": 10, "python": "full"}
    agent = new_agent(Person(), *programs, mode="auto", executor_kwargs=options)
    agent.run("a")
    undone = agent.goto(1)
    assert undone == Undone(run=agent.run_id, step=1, stays=(SHARED,))
    assert undone_text(to_json(undone)).endswith(f" This stays, too: {SHARED}.")
    assert agent.python_executor("m[0]").output == 2


def test_nothing_is_taken_back_where_nothing_ran(agent: CodeAgent) -> None:
    with pytest.raises(SetupError, match="there is no step to undo"):
        agent.undo()
