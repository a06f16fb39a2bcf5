"""``%agent undo``, ``goto`` and ``checkpoints`` in a plain shell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import smolcell
from smolcell.errors import SetupError
from smolcell.events import FIRST_IDEA, Proposed


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    made = InteractiveShell()
    smolcell.load_ipython_extension(made)
    yield made
    smolcell.unload_ipython_extension(made)
    made.history_manager.end_session()
    made.restore_sys_module_state()


def recording(path: Path, *programs: str) -> str:
    lines = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "t", "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_a_cell_s_steps_are_listed_and_taken_back_by_a_copy(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = recording(tmp_path / "a.jsonl", "x = 1", "x = 2", "final_answer(x)")
    shell.run_cell_magic("agent", f"--replay {first} -a auto -o answer", "t")
    capsys.readouterr()
    shell.run_line_magic("agent", "checkpoints")
    listed = capsys.readouterr().out.splitlines()
    assert [row.split("  ")[0].partition(":")[2] for row in listed[:-1]] == ["0", "1", "2"]
    assert all("  copy, " in row for row in listed[:-1])
    shell.run_line_magic("agent", "goto 1")
    assert "What ran after step 1 was taken back: a copy of the sandbox took over." in capsys.readouterr().out
    second = recording(tmp_path / "b.jsonl", "final_answer(x)")
    shell.run_line_magic("agent", f"resume --replay {second} -a auto -o answer")
    assert shell.user_ns["answer"] == 1
    shell.run_line_magic("agent", "undo 2")
    assert "This run was taken back" in capsys.readouterr().out
    shell.run_line_magic("agent", "checkpoints")
    assert "there is no step to go back to yet" in capsys.readouterr().out


def test_a_step_is_done_in_another_way_as_the_person_says(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = recording(
        tmp_path / "a.jsonl", "x = [1]", "x.append(2)", "final_answer(x)", "x.append(3)", "final_answer(x)"
    )
    shell.run_cell_magic("agent", f"--replay {first} -a auto -o answer", "t")
    session = shell._smolcell.sessions.known("default")
    run = session.agent.run_id
    shell.run_line_magic("agent", f"retry {run}:2 --say 'add three'")
    assert shell.user_ns["answer"] == [1, 3]
    said = "\n".join(message.text for message in session.agent.write_memory_to_messages())
    assert "Do this step in another way. They said: add three\n```python\nx.append(2)\n```" in said


def test_the_first_step_is_done_in_another_way_by_the_task_begun_once_more(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    first = recording(tmp_path / "a.jsonl", "final_answer([x, 1])")
    shell.user_ns["x"] = 5
    shell.run_cell_magic("agent", f"--replay {first} -a auto -o answer -i x", "t")
    shell.run_line_magic("agent", "retry 1")
    assert shell.user_ns["answer"] == [5, 1]  # the recording gives a task its first reply
    messages = shell._smolcell.sessions.known("default").agent.write_memory_to_messages()
    assert [message.text.count("Do this step in another way") for message in messages].count(1) == 1


def test_a_card_goes_back_to_the_end_of_a_step(shell: InteractiveShell, tmp_path: Path) -> None:
    first = recording(tmp_path / "a.jsonl", "x = 1", "x = 2", "final_answer(x)")
    shell.run_cell_magic("agent", f"--replay {first} -a auto", "t")
    magics = shell._smolcell.magics
    agent = magics.sessions.known("default").agent
    assert magics.go_to("nosuch", "1")["why"] == "the session of this run was ended or reset"
    assert "there is no step 9 to go back to" in magics.go_to(agent.run_id, "9")["why"]
    assert magics.go_to(agent.run_id, "1")["said"].startswith("smolcell: What ran after step 1 was taken back")
    assert agent.python_executor("x").output == 1
    assert "is the last that ran" in magics.go_to(agent.run_id, "1")["why"]


def test_a_cell_s_run_goes_on_with_several_ideas(shell: InteractiveShell, tmp_path: Path) -> None:
    first = recording(tmp_path / "a.jsonl", "x = 1", "final_answer(x)")
    shell.run_cell_magic("agent", f"--replay {first} -a auto", "t")
    shell.run_line_magic("agent", "undo")
    second = recording(tmp_path / "b.jsonl", "final_answer(x)", "final_answer(-x)")
    shell.run_line_magic("agent", f"branch 2 --replay {second} -a auto -o answer")
    assert shell.user_ns["answer"] == 1
    events = shell._smolcell.sessions.known("default").agent.memory.events
    assert [event.text for event in events if isinstance(event, Proposed) and event.call >= FIRST_IDEA] == [
        "final_answer(x)",
        "final_answer(-x)",
    ]


def test_a_cell_s_failed_steps_are_taken_back_if_it_says_so(shell: InteractiveShell, tmp_path: Path) -> None:
    first = recording(tmp_path / "a.jsonl", "x = [1]", "x.append(2)\n1 / 0", "final_answer(x)")
    shell.run_cell_magic("agent", f"--replay {first} -a auto -o answer --rollback on-error", "t")
    assert shell.user_ns["answer"] == [1]


@pytest.mark.parametrize(
    "line", ["branch 1", "branch 10", "retry", "retry x", "retry 1 x", "retry 1 --say", "retry 1 --say a b"]
)
def test_words_of_no_form_are_an_error(shell: InteractiveShell, line: str) -> None:
    with pytest.raises(SetupError, match="does not take"):
        shell.run_line_magic("agent", line)


@pytest.mark.parametrize("line", ["undo 0", "undo x", "undo 1 2", "goto", "goto x", "goto a:", "goto 1 2"])
def test_words_of_another_form_are_an_error(shell: InteractiveShell, line: str) -> None:
    with pytest.raises(SetupError, match="does not take"):
        shell.run_line_magic("agent", line)


def test_a_session_that_is_not_there_is_an_error(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match="there is no session 'nosuch'"):
        shell.run_line_magic("agent", "undo --session nosuch")
