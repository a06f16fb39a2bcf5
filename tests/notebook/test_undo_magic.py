"""``%agent undo``, ``goto``, ``checkpoints``, ``retry`` and ``branch`` in a plain shell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cells import Notebook

from smolcell.events import FIRST_IDEA, Proposed
from smolcell.journal import Run, save


def test_a_cell_s_steps_are_listed_and_taken_back_by_a_copy(notebook: Notebook) -> None:
    notebook.cell("x = 1", "x = 2", "final_answer(x)", line="-o answer")
    listed = notebook.magic("checkpoints").splitlines()
    assert [row.split("  ")[0].partition(":")[2] for row in listed[:-1]] == ["0", "1", "2"]
    assert all("  copy, " in row for row in listed[:-1])
    assert "What ran after step 1 was taken back: a copy of the sandbox took over." in notebook.magic("goto 1")
    notebook.magic(f"resume --replay {notebook.replay('final_answer(x)')} -a auto -o answer")
    assert notebook.variables["answer"] == 1
    assert "This run was taken back" in notebook.magic("undo 2")
    assert "there is no step to go back to yet" in notebook.magic("checkpoints")


def test_a_step_is_done_in_another_way_as_the_person_says(notebook: Notebook) -> None:
    programs = ("x = [1]", "x.append(2)", "final_answer(x)", "x.append(3)", "final_answer(x)")
    notebook.cell(*programs, line="-o answer")
    agent = notebook.magics.sessions.known("default").agent
    notebook.magic(f"retry {agent.run_id}:2 --say 'add three'")
    assert notebook.variables["answer"] == [1, 3]
    said = "\n".join(message.text for message in agent.write_memory_to_messages())
    assert "Do this step in another way. They said: add three\n```python\nx.append(2)\n```" in said


def test_the_first_step_is_done_in_another_way_by_the_task_begun_once_more(notebook: Notebook) -> None:
    notebook.variables["x"] = 5
    notebook.cell("final_answer([x, 1])", line="-o answer -i x")
    notebook.magic("retry 1")
    assert notebook.variables["answer"] == [5, 1]  # the recording gives a task its first reply
    messages = notebook.magics.sessions.known("default").agent.write_memory_to_messages()
    assert [message.text.count("Do this step in another way") for message in messages].count(1) == 1


def test_a_card_goes_back_to_the_end_of_a_step(notebook: Notebook) -> None:
    notebook.cell("x = 1", "x = 2", "final_answer(x)")
    cards = notebook.cards
    agent = notebook.magics.sessions.known("default").agent
    assert cards.go_to("nosuch", "1")["why"] == "the session of this run was ended or reset"
    assert "there is no step 9 to go back to" in cards.go_to(agent.run_id, "9")["why"]
    assert cards.go_to(agent.run_id, "1")["said"].startswith("smolcell: What ran after step 1 was taken back")
    assert agent.python_executor("x").output == 1
    assert "is the last that ran" in cards.go_to(agent.run_id, "1")["why"]


def test_a_cell_s_run_goes_on_with_several_ideas(notebook: Notebook) -> None:
    notebook.cell("x = 1", "final_answer(x)")
    notebook.magic("undo")
    ideas = ["final_answer(x)", "final_answer(-x)"]
    notebook.magic(f"branch 2 --replay {notebook.replay(*ideas)} -a auto -o answer")
    assert notebook.variables["answer"] == 1
    events = notebook.magics.sessions.known("default").agent.memory.events
    assert [each.text for each in events if isinstance(each, Proposed) and each.call >= FIRST_IDEA] == ideas


def test_a_cell_s_failed_steps_are_taken_back_if_it_says_so(notebook: Notebook) -> None:
    programs = ("x = [1]", "x.append(2)\n1 / 0", "final_answer(x)")
    notebook.cell(*programs, line="-o answer --rollback on-error")
    assert notebook.variables["answer"] == [1]


def test_a_loaded_run_is_not_run_again_without_a_person(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell("x = 1", "final_answer(x)")
    agent = notebook.magics.sessions.known("default").agent
    theirs = [replace(event, run="theirs") for event in agent.memory.events]
    save(tmp_path / "theirs.jsonl", Run(tuple(theirs)))
    agent.memory.load(tmp_path / "theirs.jsonl")
    for words in ("undo", "goto 1", "retry 2"):
        with pytest.raises(
            Exception, match=r"did not run again, because neither this process.* no one answered.*%agent fork STEP"
        ):
            notebook.magic(words)
    assert agent.memory.events == tuple(theirs)
