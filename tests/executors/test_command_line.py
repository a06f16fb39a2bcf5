"""``smolcell run``, ``replay`` and ``doctor``, as they are typed: other processes, real sandboxes, a real terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smolcell.cli.words import for_a_shell
from smolcell.doctor import TASK

pytestmark = pytest.mark.slow
PATIENCE = 60.0


def recording(path: Path, task: str, *programs: str) -> Path:
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": task, "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def smolcell(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "smolcell", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False)


# --- run --------------------------------------------------------------------------------------------------------------


def test_the_answer_alone_is_on_standard_output(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "print('drawn')", "final_answer(6 * 7)")
    done = smolcell("run", "Go.", "--replay", str(replay), "--approve", "auto")
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert "drawn" in done.stderr
    assert "allowed by auto" in done.stderr


def test_the_task_may_come_from_standard_input(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer('read')")
    done = smolcell("run", "-", "--replay", str(replay), "-a", "auto", stdin="Go.\n")
    assert (done.returncode, done.stdout) == (0, "read\n")


def test_nothing_runs_where_nobody_can_be_asked(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer('this ran')")
    done = smolcell("run", "Go.", "--replay", str(replay))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.rstrip().endswith("or allow everything with --approve auto (SMOLCELL_APPROVE=auto)")


def test_files_go_in_with_the_task(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\n1\n2\n")
    replay = recording(tmp_path / "r.jsonl", "Go.", "final_answer(open('data.csv').read().split())")
    done = smolcell("run", "Go.", "--replay", str(replay), "-a", "auto", "-f", str(tmp_path / "data.csv"))
    assert (done.returncode, done.stdout) == (0, "['a', '1', '2']\n"), done.stderr


def test_at_the_step_limit_the_best_answer_is_given_and_the_status_says_so(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "print(1)", "print(2)")
    with replay.open("a") as file:
        file.write(json.dumps({"task": "Go.", "text": "As far as I got."}) + "\n")
    done = smolcell("run", "Go.", "--replay", str(replay), "-a", "auto", "--max-steps", "2")
    assert (done.returncode, done.stdout) == (1, "As far as I got.\n"), done.stderr
    assert "the answer is the model's best one" in done.stderr.lower()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["run", " "], 1, 'smolcell: the task is empty. Say what you want done: smolcell run "…"\n'),
        (["run"], 2, "the following arguments are required: task"),
        (["run", "Go.", "--in", "frame"], 2, "unrecognized arguments: --in frame"),
        (["run", "Go.", "-t", "nope"], 1, "--tool nope: there is no such tool; those that come along are: user_input"),
        (["run", "Go.", "--max-steps", "none"], 1, "--max-steps in the command line is 'none'"),
        (["run", "Go."], 1, "  hf auth login "),
        (["replay"], 1, 'Make one with: smolcell run "…"'),
        (["replay", "nowhere.jsonl"], 1, "the journal nowhere.jsonl cannot be read"),
        (["replay", __file__], 1, "holds no run"),
    ],
    ids=[
        "empty",
        "no task",
        "notebook's option",
        "tool",
        "value",
        "no model",
        "no journal",
        "no file",
        "no journal file",
    ],
)
def test_what_is_wrong_is_said_with_what_to_type(words: list[str], status: int, said: str) -> None:
    done = smolcell(*words)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_notebooks_commands_are_put_as_a_shells() -> None:
    assert for_a_shell("type: %agent doctor -s docker") == "type: smolcell doctor -s docker"
    told = "Choose:\n  !hf auth login\n  %agent config model=openai/gpt  asks\nWell done!"
    assert for_a_shell(told) == 'Choose:\n  hf auth login\n  smolcell run -m openai/gpt "…"  asks\nWell done!'


# --- a person at a terminal -------------------------------------------------------------------------------------------


class Terminal:
    """The command in a terminal of its own; reads what it draws, and types."""

    def __init__(self, *words: str) -> None:
        import pty

        self.seen, self._at = "", 0
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # else who started the tests may have it ignored
            os.execve(
                sys.executable,
                [sys.executable, "-m", "smolcell", *words],
                {**os.environ, "TERM": "dumb", "NO_COLOR": "1"},
            )

    def until(self, text: str) -> None:
        """Read until this is drawn, below what was waited for before."""
        import select

        end = time.monotonic() + PATIENCE
        while text not in self.seen[self._at :]:
            ready, _, _ = select.select([self._fd], [], [], max(end - time.monotonic(), 0))
            assert ready, f"{text!r} was not drawn; this was:\n{self.seen}"
            try:
                self.seen += os.read(self._fd, 65536).decode(errors="replace").replace("\r\n", "\n")
            except OSError:
                raise AssertionError(f"it ended before {text!r}; this was drawn:\n{self.seen}") from None
        self._at = self.seen.index(text, self._at) + len(text)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def ends(self) -> int:
        """Read to the end; returns the exit status."""
        while True:
            try:
                got = os.read(self._fd, 65536)
            except OSError:
                break
            if not got:
                break
            self.seen += got.decode(errors="replace").replace("\r\n", "\n")
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self._fd)
        return status


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
    typed.until("smolcell: interrupted. What was done stands in ")
    assert typed.ends() == 130
    assert sandboxes_of(typed.pid) == []


def sandboxes_of(pid: int) -> list[str]:
    """What a command that has ended left running, as another command sees it."""
    listed = smolcell("sandboxes").stdout
    return [line for line in listed.splitlines() if str(pid) in line.split()]


# --- replay -----------------------------------------------------------------------------------------------------------


def test_a_run_is_shown_again_and_not_run_again(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", "Go.", "import random; print(random.random())", "final_answer('shown')")
    first = smolcell("run", "Go.", "--replay", str(replay), "-a", "auto")
    journal = re.search(r"^journal: (\S+)", first.stderr, re.MULTILINE)
    assert journal is not None
    number = re.search(r"│ (0\.\d+)", first.stderr)
    assert number is not None
    shown = smolcell("replay", journal[1])
    assert shown.returncode == 0
    assert number[0] in shown.stdout
    assert "success: 2 steps" in shown.stdout
    assert smolcell("replay").stdout == shown.stdout  # the newest one
    assert "has no run 'zzz'; its runs are: " in smolcell("replay", journal[1], "--run", "zzz").stderr


def test_a_hostile_journal_moves_no_cursor_and_sends_nothing_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    event = {"event": "Asked", "run": "\x1b]0;owned\x07", "task": "\x1b[2J"}
    path.write_text(json.dumps({"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00", "event": event}) + "\n")
    shown, none = smolcell("replay", str(path)), smolcell("replay", str(path), "--run", "zzz")
    assert (shown.returncode, none.returncode) == (0, 1)
    assert none.stderr.endswith("its runs are: \\u{1b}]0;owned\\u{7}\n")
    assert "\x1b" not in shown.stdout + shown.stderr + none.stdout + none.stderr


def test_who_reads_a_part_of_it_gets_that_part_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    event = {"event": "Asked", "run": "r", "task": "line\n" * 100_000}
    path.write_text(json.dumps({"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00", "event": event}) + "\n")
    command = [sys.executable, "-m", "smolcell", "replay", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reading:
        assert reading.stdout is not None and reading.stderr is not None
        assert reading.stdout.readline() == "Task\n"
        reading.stdout.close()
        said = reading.stderr.read()
    assert (reading.wait(PATIENCE), said) == (1, f"{path}\n")


# --- doctor -----------------------------------------------------------------------------------------------------------

STAGES = (
    "this Python",
    "a task without tools",
    "the boundary",
    "a read-only tool, recorded and replayed",
    "a step that was refused",
    "a failure, and the recovery",
    "code that never ends",
    "the model",
)


def stages(printed: str) -> dict[str, str]:
    """What the doctor printed, as stage → state."""
    found = re.findall(r"^(ok, but|ok|FAILED|not tried) +(.+?): ", printed, re.MULTILINE)
    return {name: state for state, name in found if name in STAGES}


def test_the_doctor_goes_through_every_stage(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(2**32)")
    done = smolcell("doctor", "--replay", str(replay), "--approve", "auto")
    assert done.returncode == 0, done.stdout
    found = stages(done.stdout)
    assert tuple(found) == STAGES
    assert set(found.values()) <= {"ok", "ok, but"}
    assert done.stdout.rstrip().splitlines()[-2].startswith("works: this Python, a task without tools, ")
    assert done.stdout.rstrip().splitlines()[-1].startswith("next: ")


def test_the_doctor_names_the_walls_that_stand(tmp_path: Path) -> None:
    done = smolcell("doctor")
    boundary = next(line for line in done.stdout.splitlines() if "the boundary: " in line)
    assert "guard" in boundary
    assert stages(done.stdout)["the model"] == "not tried"
    assert done.returncode == 0
    assert "not tried: the model\nnext: do what stands at 'the model' above, then: smolcell doctor\n" in done.stdout


def test_the_doctor_runs_nothing_of_the_models_unasked(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(2**32)")
    done = smolcell("doctor", "--replay", str(replay))
    model = next(line for line in done.stdout.splitlines() if "the model: " in line)
    assert model.startswith("ok, but")
    assert model.endswith("its code was not allowed, so it did not run")


def test_the_doctor_finds_a_wrong_answer(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(7)")
    done = smolcell("doctor", "--replay", str(replay), "--approve", "auto")
    assert done.returncode == 1
    assert "it answered '7' where 4294967296 is right" in done.stdout
    again = f"smolcell doctor --replay {replay} --approve auto"
    assert f"does not work: the model\nnext: do what stands at 'the model' above, then: {again}\n" in done.stdout


def test_the_doctor_goes_on_without_a_sandbox() -> None:
    done = smolcell("doctor", "--sandbox", "nowhere")
    assert done.returncode == 1
    found = stages(done.stdout)
    assert found["a task without tools"] == "FAILED"
    assert {found[name] for name in STAGES[2:]} == {"not tried"}
    assert "does not work: a task without tools\n" in done.stdout
    assert done.stdout.endswith("then: smolcell doctor --sandbox nowhere\n")


def test_the_doctor_is_in_the_notebook_too(tmp_path: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(2**32)")
    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "smolcell")
        with capture_output() as printed:
            shell.run_line_magic("agent", f"doctor --replay {replay} --approve auto")
        assert tuple(stages(printed.stdout)) == STAGES
        assert "FAILED" not in printed.stdout
    finally:
        shell.run_line_magic("unload_ext", "smolcell")
        InteractiveShell.clear_instance()
