"""Several ideas for one step: tried from the same state, compared, one kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from persons import Person, of

from smolcell import CodeAgent, journal
from smolcell.core.history import ran
from smolcell.core.receipt import receipt
from smolcell.errors import AgentStopped, SetupError
from smolcell.events import FIRST_IDEA, Allowed, Branched, Observed, Proposed, Refused
from smolcell.permit import permit
from smolcell.testing import ScriptedModel

START = "x = [1]\nopen('a.txt', 'w').write('one')"
LAST = "final_answer([x, open('a.txt').read()])"
ONE, TWO, THREE = "x.append('one')", "x.append('two')\nopen('a.txt', 'w').write('two')", "1 / 0"


def offer(name: str) -> tuple[str, dict[str, str]]:
    return "refuse", {"offer": name}


@pytest.fixture
def make(new_agent: Callable[..., CodeAgent]) -> Callable[..., CodeAgent]:
    def agent(person: Person, *programs: str, checkpoints: int = 10, **options: Any) -> CodeAgent:
        options["executor_kwargs"] = {"checkpoints": checkpoints}
        return new_agent(person, *programs, additional_authorized_imports=["*"], **options)

    return agent


def of_ideas(agent: CodeAgent, kind: type[Any]) -> list[Any]:
    return [event for event in of(agent, kind) if event.call >= FIRST_IDEA]


def test_ideas_are_tried_from_one_state_and_one_is_kept(make: Any) -> None:
    clicks = ("ideas", "try 1", "try 2", "try 3", "use 2")
    person = Person("approve", *map(offer, clicks), "approve")
    agent = make(person, START, ONE, TWO, THREE, LAST)
    assert agent.run("t") == [[1, "two"], "two"]
    assert [each.text for each in of_ideas(agent, Proposed)] == [ONE, TWO, THREE]
    tried = of_ideas(agent, Observed)
    assert [(each.rolled_back, each.changed, each.files) for each in tried] == [(True, (), ())] * 3
    assert [each.error and each.error.type for each in tried] == [None, None, "ZeroDivisionError"]
    (kept,) = (event for event in of(agent, Allowed) if event.text == TWO and not event.call)
    assert (kept.by, kept.edited) == ("person", True)  # the model is told what ran in place of its program
    assert ran(agent.memory.events) == [(agent.run_id, 1), (agent.run_id, 2), (agent.run_id, 3)]
    said = "\n".join(message.text for message in agent.write_memory_to_messages())
    assert ("x.append('two')" in said, THREE in said, "another way" in said) == (True, False, False)
    assert THREE not in agent.export().script()


def test_what_offers_are_made(make: Any) -> None:
    person = Person("approve", offer("ideas"), offer("try 2"), "approve", "approve")
    agent = make(person, START, ONE, TWO, THREE, LAST)
    assert agent.run("t") == [[1, "one"], "one"]
    uses = ["use 1", "use 2", "use 3"]
    tries = [["try 1", "try 2", "try 3", *uses], ["try 1", "try 3", *uses]]
    assert [[each.id for each in asked.offers] for asked in person.asked] == [["ideas"], ["ideas"], *tries, ["ideas"]]
    assert [each.call - FIRST_IDEA for each in of_ideas(agent, Refused)] == [1, 3]  # those that did not run


def test_an_agent_goes_on_with_ideas_for_its_next_step(make: Any) -> None:
    person = Person("approve", "approve", "approve")
    agent = make(person, START, ONE, LAST, ONE, TWO, LAST)
    agent.run("t")
    agent.undo(2)
    person.answers += [offer("use 2"), "approve"]
    assert agent.branch(2) == [[1, "two"], "two"]
    assert [each.asked for each in of(agent, Branched)] == [1]
    events = journal.read(agent.journal.path)
    run = [event for event in events if event.run == agent.run_id]
    assert receipt(run).usage == next(event for event in reversed(run) if hasattr(event, "usage")).usage


def test_a_gate_of_ones_own_chooses_among_the_ideas(make: Any) -> None:
    seen: list[list[str]] = []

    async def gate(proposed: Proposed) -> Allowed:
        seen.append([idea.text for idea in proposed.ideas])
        return permit(proposed, by="auto", text=proposed.ideas[-1].text if proposed.ideas else None)

    agent = make(Person(), START, ONE, LAST, ONE, LAST, checkpoints=0, gate=gate)
    agent.run("t")
    agent.undo(2)
    other = ScriptedModel(f"<code>\n{TWO}\n</code>")
    assert agent.branch(models=[other]) == [[1, "two"], "two"]
    assert seen[3:] == [[ONE, TWO], []]


def test_a_reply_without_another_program_is_no_idea(make: Any) -> None:
    person = Person("approve", offer("ideas"), "approve", "approve")
    agent = make(person, START, ONE, ONE, ONE, LAST)
    assert agent.run("t") == [[1, "one"], "one"]
    assert of_ideas(agent, Proposed) == []


def test_a_run_that_is_stopped_while_an_idea_is_tried_goes_back(make: Any) -> None:
    person = Person("approve", offer("ideas"), offer("try 2"))
    slow = "import time\nx.append('slow')\nprint('begun', flush=True)\ntime.sleep(60)"
    agent = make(person, START, ONE, slow, THREE)
    assert any(isinstance(item, Allowed) and item.call >= FIRST_IDEA for item in agent.stream("t"))
    assert agent.python_executor("x").output == [1]


def test_a_run_that_is_done_is_gone_back_from_first(make: Any) -> None:
    agent = make(Person("approve", "approve"), START, LAST)
    agent.run("t")
    with pytest.raises(SetupError, match="there is nothing to resume"):
        agent.branch(3)
    with pytest.raises(SetupError, match="branch takes from 2 to 9 ideas, not 10"):
        agent.branch(10)


def test_stop_is_offered_besides_ideas(make: Any) -> None:
    agent = make(Person("approve", offer("ideas"), "stop"), START, ONE, TWO, THREE)
    with pytest.raises(AgentStopped):
        agent.run("t")
    assert len(of_ideas(agent, Refused)) == 3
