"""``smolcell run``, ``replay`` and ``doctor``, as they are typed: other processes, real sandboxes, a real terminal."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import PATIENCE, Terminal, recording, smolcell, smolcell_here

from smolcell.cli.stdio import for_a_shell

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "docs" / "tour.md"

# --- run --------------------------------------------------------------------------------------------------------------


def test_the_answer_alone_is_on_standard_output(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "print('drawn')", "final_answer(6 * 7)")
    done = smolcell("run", "Go.", "--replay", str(replay), "--approve", "auto")
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert "drawn" in done.stderr
    assert "approved by auto-approval" in done.stderr


def test_the_task_may_come_from_standard_input(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer('read')")
    done = smolcell("run", "-", "--replay", str(replay), "-a", "auto", stdin="Go.\n")
    assert (done.returncode, done.stdout) == (0, "read\n")


def test_nothing_runs_if_no_person_can_be_asked(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer('this ran')")
    done = smolcell("run", "Go.", "--replay", str(replay))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("smolcell: no one can approve: standard input is no terminal. ")
    assert done.stderr.endswith("allow everything with --approve auto (SMOLCELL_APPROVE=auto)\n")


def test_files_go_in_with_the_task(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\n1\n2\n")
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer(open('data.csv').read().split())")
    done = smolcell_here("run", "Go.", "--replay", str(replay), "-a", "auto", "-f", str(tmp_path / "data.csv"))
    assert (done.returncode, done.stdout) == (0, "['a', '1', '2']\n"), done.stderr


@pytest.mark.slow
def test_the_command_that_the_tour_names_runs_in_the_demo_s_folder(tmp_path: Path) -> None:
    [(command, *words)] = map(shlex.split, re.findall(r"^```bash\n(.*)\n```$", TOUR.read_text("utf-8"), re.MULTILINE))
    assert command == "smolcell"
    shutil.copy(ROOT / "notebooks" / words[-1], tmp_path)
    done = smolcell(*words, "--approve", "auto", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "8\n"), done.stderr


def test_at_the_step_limit_the_best_answer_is_given_and_the_status_says_so(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "print(1)", "print(2)")
    with replay.open("a") as file:
        file.write(json.dumps({"task": "Go.", "text": "As far as I got."}) + "\n")
    done = smolcell_here("run", "Go.", "--replay", str(replay), "-a", "auto", "--max-steps", "2")
    assert (done.returncode, done.stdout) == (1, "As far as I got.\n"), done.stderr
    assert "the answer is the model's best one" in done.stderr.lower()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["run", " "], 1, 'smolcell: the task is empty. Say what you want done: smolcell run "…"\n'),
        (["run"], 2, "the following arguments are required: TASK"),
        (["run", "Go.", "--in", "frame"], 2, "unrecognized arguments: --in frame"),
        (["run", "Go.", "-t", "nope"], 1, "--tool nope: there is no such tool; included tools are: user_input"),
        (["run", "Go.", "--max-steps", "none"], 1, "--max-steps in the command line is 'none'"),
        (["run", "Go.", "--imports", "a b"], 1, "--imports in the command line is 'a b': 'a b' is no module's name"),
        (["run", "Go.", "--session", ""], 1, "--session in the command line is '': expected a name of 1 to 80 "),
        (["run", "Go.", "--replay", ""], 1, "--replay takes the name of a file, not an empty one"),
        (["run", "Go."], 1, "  hf auth login "),
        (["run", "Go.", "-m", "openai/gpt-4.1"], 1, "none was typed: export OPENAI_API_KEY=…\n"),
        (["replay"], 1, 'Make one with: smolcell run "…"'),
        (["replay", "nowhere.jsonl"], 1, "the journal nowhere.jsonl cannot be read"),
        (["replay", __file__], 1, "has no runs"),
        (["replay", os.devnull], 1, "and no file; `smolcell run` names its journal at the end"),
    ],
    ids=str,
)
def test_errors_name_the_next_command(words: list[str], status: int, said: str) -> None:
    done = smolcell_here(*words)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_notebooks_commands_are_put_as_a_shells() -> None:
    assert for_a_shell("type: %agent doctor -s docker") == "type: smolcell doctor -s docker"
    assert for_a_shell("next: give it a task: %%agent") == 'next: give it a task: smolcell run "…"'
    assert for_a_shell("or log in with: !hf auth login") == "or log in with: hf auth login"
    told = "Choose:\n  !hf auth login\n  %agent config model=openai/gpt  asks\nWell done!"
    assert for_a_shell(told) == 'Choose:\n  hf auth login\n  smolcell run -m openai/gpt "…"  asks\nWell done!'


# --- a person at a terminal -------------------------------------------------------------------------------------------


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    if os.name == "nt":
        pytest.skip("no pseudo-terminals on Windows; not run on Windows")
    yield Terminal


def test_a_person_edits_refuses_and_approves(terminal: type[Terminal], tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "x = 1", "x = 'refused'", "final_answer(x)")
    typed = terminal("run", "Go.", "--replay", str(replay))
    typed.until("Run this code? ")
    typed.type("e\n")
    typed.until("> ")
    typed.type("x = 20\n.\n")
    typed.until("Run this code? ")
    typed.type("a\n")
    typed.until("x = 'refused'")
    typed.until("Run this code? ")
    typed.type("r\n")
    typed.until("Why? ")
    typed.type("not that\n")
    typed.until("final_answer(x)")
    typed.until("Run this code? ")
    typed.type("a\n")
    assert typed.ends() == 0
    assert re.search(r"Answer\n  │ 20\n", typed.seen), typed.seen


def test_what_was_typed_before_a_question_answers_nothing(terminal: type[Terminal], tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "x = 'first'", "final_answer('unseen')")
    typed = terminal("run", "Go.", "--replay", str(replay))
    typed.type("a\na\na\n")
    typed.until("Run this code? ")
    typed.type("a\na\na\n")
    typed.until("final_answer('unseen')")
    typed.until("Run this code? ")
    typed.type("s\n")
    assert typed.ends() == 1
    assert "Answer" not in typed.seen


def test_an_interrupt_ends_the_run_and_its_sandbox(terminal: type[Terminal], tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "print('begun', flush=True)\nwhile True:\n    pass")
    typed = terminal("run", "Go.", "--replay", str(replay), "-a", "auto")
    typed.until("│ begun")
    typed.type("\x03")
    typed.until("smolcell: interrupted. The steps so far are in ")
    assert typed.ends() == 130
    assert sandboxes_of(typed.pid) == []


def sandboxes_of(pid: int) -> list[str]:
    """What a command that has ended left running, as another command sees it."""
    listed = smolcell_here("sandboxes").stdout
    return [line for line in listed.splitlines() if str(pid) in line.split()]


# --- replay -----------------------------------------------------------------------------------------------------------


def test_a_run_is_shown_again_and_not_run_again(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "import random; print(random.random())", "final_answer('shown')")
    first = smolcell_here("run", "Go.", "--replay", str(replay), "-a", "auto")
    journal = re.search(r"^journal: (\S+)", first.stderr, re.MULTILINE)
    assert journal is not None
    number = re.search(r"│ (0\.\d+)", first.stderr)
    assert number is not None
    shown = smolcell_here("replay", journal[1])
    assert shown.returncode == 0
    assert number[0] in shown.stdout
    assert "Done: 2 steps" in shown.stdout
    assert smolcell_here("replay").stdout == shown.stdout  # the newest one
    assert "has no run 'zzz'; its runs are: " in smolcell_here("replay", journal[1], "--run", "zzz").stderr


def line(**event: str) -> str:
    """A journal's line about a run's beginning."""
    asked = {"event": "Asked", "run": "r", "task": "Go.", **event}
    return json.dumps({"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00", "event": asked}) + "\n"


def test_what_can_be_read_of_a_damaged_journal_is_shown_and_the_file_stays(tmp_path: Path, state_dir: Path) -> None:
    path = state_dir / "journals" / "damaged.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(line() + "garbage\n{")
    before = path.read_bytes()
    (path.parent / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (path.parent / "folder.jsonl").mkdir()
    shown = smolcell_here("replay")
    assert (shown.returncode, shown.stdout) == (0, "Task\n  │ Go.\n")
    assert shown.stderr == f"{path} (2 damaged lines were left out, from line 2 on; the file is not changed)\n"
    assert path.read_bytes() == before


def test_a_hostile_journal_moves_no_cursor_and_sends_nothing_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    path.write_text(line(run="\x1b]0;owned\x07", task="\x1b[2J"))
    shown, none = smolcell_here("replay", str(path)), smolcell_here("replay", str(path), "--run", "zzz")
    assert (shown.returncode, none.returncode) == (0, 1)
    assert none.stderr.endswith("its runs are: \\u{1b}]0;owned\\u{7}\n")
    assert "\x1b" not in shown.stdout + shown.stderr + none.stdout + none.stderr


def test_who_reads_a_part_of_it_gets_that_part_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(line(task="line\n" * 100_000))
    command = [sys.executable, "-m", "smolcell", "replay", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reading:
        assert reading.stdout is not None and reading.stderr is not None
        assert reading.stdout.readline() == "Task\n"
        reading.stdout.close()
        said = reading.stderr.read()
    assert (reading.wait(PATIENCE), said) == (1, f"{path}\n")


def test_a_run_that_ends_in_an_error_names_its_journal(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go", "1")
    ended = smolcell_here("run", "Go", "--replay", str(replay), "--approve", "deny")
    journal = next(line for line in ended.stderr.splitlines() if line.startswith("journal: "))
    assert ended.returncode == 1
    assert Path(journal.removeprefix("journal: ").partition(" (")[0]).is_file()
