"""What is remembered: step by step, in a file and out of it again, and in a fork."""

from __future__ import annotations

import asyncio
import json
import os
import random
import stat
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from persons import of, scripted

from smolcell import ActionStep, PlanningStep
from smolcell.core.history import Memory, names_in_sandbox, until, with_ends
from smolcell.core.prompt import EXAMPLES
from smolcell.errors import AgentError, AgentGenerationError, PermitError, SetupError
from smolcell.events import Allowed, Asked, Ended, Fault, Observed, Proposed, Replied, sha256
from smolcell.executors.local import LocalPythonExecutor
from smolcell.journal import Journal, load, read
from smolcell.notebook.session import Session
from smolcell.protocols import Message
from smolcell.testing import MemoryExecutor

PROGRAM = "I set it.\n<code>\nx = 1\n</code>"
WROTE = Observed(stdout="printed\n", result="1", changed=("x", "table"), duration=0.5)
ANSWER = Observed(is_final_answer=True, output={"total": 42}, changed=("total",))
FAULT = AgentGenerationError("the line was cut")
FIRST = 1 + 2 * sum(
    len(example.replies) for example in EXAMPLES
)  # the place of the task, after the system message and the examples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


agent = partial(scripted, does=(WROTE, ANSWER))
local = partial(scripted, sandbox="local")


# --- step by step -----------------------------------------------------------------------------------------------------
def test_a_step_has_smolagents_words() -> None:
    with agent(PROGRAM, PROGRAM) as used:
        used.run("Add.")
    first, second = used.memory.steps
    assert isinstance(first, ActionStep)
    assert (first.task, first.step_number, first.code_action) == ("Add.", 1, "x = 1")
    assert (first.observations, first.action_output, first.error) == ("printed\n", "1", None)
    assert (first.token_usage, first.is_final_answer) == (first.usage, False)
    assert (second.action_output, second.is_final_answer) == ({"total": 42}, True)
    assert first.timing.start_time is not None and first.timing.end_time is not None
    assert first.timing.start_time <= first.timing.end_time
    assert first.timing.duration == first.timing.end_time - first.timing.start_time


def test_what_the_model_was_shown_is_made_again_for_each_step() -> None:
    with agent("<code>\nprint(tool())\nx = 1\n</code>", "Hm.", FAULT, PROGRAM) as used:
        with pytest.raises(AgentGenerationError):
            used.run("Add.")
        used.resume()
        calls = used.model.calls
        assert [step.model_input_messages for step in used.memory.steps] == [calls[0], calls[1], calls[3]]
        assert used.memory.system_prompt.system_prompt == calls[0][0].text
        assert used.write_memory_to_messages()[: len(calls[3])] == calls[3]


def test_the_steps_as_data_can_be_written_as_json() -> None:
    failed = Observed(error=Fault(kind="python", type="KeyError", message="'a'"))
    with agent("1. Do it", PROGRAM, "About 1.", does=(failed,), planning_interval=1, max_steps=1) as used:
        used.run("Add.", return_full_result=True)
    plan, step, last = used.memory.get_full_steps()
    assert isinstance(used.memory.steps[0], PlanningStep)
    assert (plan["plan"], plan["model_input_messages"]) == ("1. Do it", None)
    assert set(plan) == {"plan", "model_input_messages", "timing", "token_usage"}
    assert (step["error"], step["code_action"]) == ({"type": "KeyError", "message": "'a'"}, "x = 1")
    system, *_ = messages = step["model_input_messages"]
    assert (system["role"], messages[FIRST]["content"]) == ("system", "New task:\nAdd.")
    assert [message["role"] for message in messages[FIRST:]] == ["user", "assistant", "user"]
    assert str(used.memory.steps[1].error) == "KeyError: 'a'"
    assert last["action_output"] == "About 1."
    assert json.loads(json.dumps(used.memory.get_full_steps())) == used.memory.get_full_steps()
    assert "model_input_messages" not in used.memory.get_succinct_steps()[1]
    assert used.memory.return_full_code() == "x = 1"


def test_a_replay_shows_the_run_again_and_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with agent(PROGRAM, PROGRAM) as used:
        used.run("Add.")
        capsys.readouterr()
        used.replay()
        plain = capsys.readouterr().out
        used.replay(detailed=True)
        detailed = capsys.readouterr().out
        assert used.executor.ran == ["x = 1"] * 2
    assert "Add." in plain and "x = 1" in plain and "printed" in plain and "system:" not in plain
    assert detailed.count("system:") == 2 and "New task:" in detailed


# --- in a file --------------------------------------------------------------------------------------------------------
def test_a_run_is_loaded_as_it_was_saved(tmp_path: Path, path: Path) -> None:
    with agent(PROGRAM, PROGRAM) as used, agent() as other:
        used.run("Add.")
        used.memory.save(path)
        other.memory.load(path)
        assert other.memory.events == used.memory.events
        assert other.memory.steps == used.memory.steps
        assert other.memory.times == pytest.approx(used.memory.times)
        assert other.memory.steps[-1].action_output == "{'total': 42}"
        permit = of(other.memory.events, Allowed)[0]
        with pytest.raises(PermitError):  # it allows nothing any more
            asyncio.run(MemoryExecutor().run(permit, lambda delta: None, lambda *args: None))  # type: ignore[arg-type, return-value]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["run.jsonl"]


def test_a_loaded_run_continues_and_the_model_is_told_the_lost_names(path: Path) -> None:
    with agent(PROGRAM, FAULT) as used:
        with pytest.raises(AgentGenerationError):
            used.run("Add.")
        used.memory.save(path)
    answers = "<code>\nfinal_answer({'total': sum(table)})\n</code>"
    with agent(answers, PROGRAM, does=(ANSWER, ANSWER)) as other:
        other.memory.load(path)
        assert other.memory.gone == ("x", "table")
        result = other.resume(return_full_result=True, additional_args={"table": [1, 2]})
        assert (result.output, [step.number for step in result.steps]) == ({"total": 42}, [2])
        asked = other.memory.events[len(read(path))]
        assert isinstance(asked, Asked) and (asked.lost, asked.variables[0].name) == (("x",), "table")
        told = other.model.calls[0][-1].text
        assert "The sandbox was started anew" in told and told.count("x") and "- table (list): [1, 2]" in told
        assert other.executor.variables == {"table": [1, 2]}
        other.run("More.", reset=False)
        assert [bool(event.lost) for event in of(other, Asked)].count(True) == 1


def test_secrets_are_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "canary-4711-canary")
    with agent(PROGRAM, does=(ANSWER,)) as used:
        used.run("Log in with canary-4711-canary.")
        used.memory.save(tmp_path / "run.jsonl")
    assert "canary-4711" not in (tmp_path / "run.jsonl").read_text()
    assert load(tmp_path / "run.jsonl").events[0].task == "Log in with [redacted]."  # type: ignore[union-attr]


def test_an_agent_s_journal_is_loaded_too_without_the_agents_it_called() -> None:
    inner = local("<code>final_answer(1)</code>", name="inner", description="d")
    with local("<code>final_answer(inner('a'))</code>", managed_agents=[inner]) as used:
        assert used.run("t") == 1
        assert load(used.journal.path).events == used.memory.events


def test_nothing_to_save_and_no_place_to_save_it_are_said(tmp_path: Path) -> None:
    with agent(PROGRAM, does=(ANSWER,)) as used:
        with pytest.raises(SetupError, match="nothing to save"):
            used.memory.save(tmp_path / "run.jsonl")
        used.run("t")
        with pytest.raises(SetupError, match="No such file"):
            used.memory.save(tmp_path / "no folder" / "run.jsonl")


def record(event: dict[str, Any], **more: Any) -> str:
    return json.dumps({"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00", "event": event, **more}) + "\n"


ASKED = record({"event": "Asked", "run": "r", "task": "t"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no runs"),
        ("\x80\x04\x95pickle\n", "line 1 is no event"),
        ("{}\n", "line 1 .*it has no version"),
        (ASKED.replace('"v": 1', '"v": 2'), "line 1 is no event of version 1 .*of version 2"),
        (ASKED + "[" * 100_000 + "\n", "line 2 is no event"),
        (ASKED + record({"event": "Nothing"}), "line 2 .*not an event"),
        (ASKED + record({"event": "Ended", "run": "r", "state": "won", "steps": 1}), "line 2 .*found 'won'"),
        (ASKED + record({"event": "Ended", "run": "r", "state": "success", "steps": 1, "duration": float("nan")}), "NaN is no number"),
        (ASKED + record({"event": "Replied", "run": "r", "text": "a", "step": "1"}), "line 2 .*expected int"),
        (ASKED.replace("2026-11-21T12:00:00+00:00", "yesterday"), "line 1 is no event"),
        (record({"event": "Ended", "run": "r", "state": "success", "steps": 1}), "does not begin with a task"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_an_error_that_names_the_line(path: Path, text: str, said: str) -> None:
    path.write_text(text, encoding="utf-8")
    with agent(PROGRAM, does=(ANSWER,)) as used:
        used.run("t")
        before = used.memory.events
        with pytest.raises(SetupError, match=said):
            used.memory.load(path)
        assert used.memory.events == before


def test_a_journal_that_was_continued_after_a_torn_line_is_loaded_without_it(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(TASK)
    for torn in ('{"v"', '{"v": 1, "seq": 1, "at": "2026-11-21T'):
        with path.open("a") as file:
            file.write(torn)
        assert load(path).events == with_ends((TASK,))
        with Journal(path) as journal:  # the next kernel goes on
            journal.append(TASK)
        assert [event.task for event in of(load(path).events, Asked)] == ["t", "t"]
        path.write_text(path.read_text().split("\n")[0] + "\n")


@pytest.mark.skipif(os.name == "nt", reason="no named pipes in folders on Windows; not run on Windows")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.jsonl", r".* Give a file that memory\.save\(…\) wrote"),
        (".", r".* Give a file that memory\.save\(…\) wrote"),
        ("pipe", "it is a pipe, and no file"),
        ("/dev/zero", "it is a device, and no file"),
    ],
)
def test_what_is_no_file_is_reported_and_not_waited_for(tmp_path: Path, name: str, said: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SetupError, match=f"cannot be read: {said}"):
        load(tmp_path / name)


@pytest.mark.skipif(os.name == "nt", reason="the command is for a POSIX shell; not run on Windows")
def test_a_damaged_journal_says_which_part_can_be_used_and_how(tmp_path: Path, state_dir: Path) -> None:
    with agent(PROGRAM, FAULT) as used:
        used.place = "nb.ipynb"
        with pytest.raises(AgentGenerationError):
            used.run("Add.")
    (path,) = (state_dir / "journals").glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:3], '{"v": 1, garbage}\n', *lines[3:]]))
    damaged = path.read_bytes()
    before = Session("default", place="nb.ipynb")
    with pytest.raises(SetupError, match=r"line 4 is no event.* Copy the lines before it to another file") as error:
        before.bring_back()
    subprocess.run(["/bin/sh", "-c", str(error.value).rpartition("try again: ")[2]], check=True)
    assert before.bring_back()
    assert [type(event) for event in before.events] == [*(type(event) for event in read(path)[:3]), Ended]
    assert path.read_bytes() == damaged
    before.close()


def test_a_damaged_file_is_an_error_or_can_be_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = "<code>\nfinal_answer({'total': n})\n</code>"
    with agent("1. Do it", PROGRAM, "Hm.", answers, planning_interval=5) as used, agent() as other:
        used.run("Add.", additional_args={"n": 1})
        used.memory.save(path)
        whole, chance = path.read_bytes(), random.Random(4711)
        good = 0
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 4)):
                data[chance.randrange(len(data))] = chance.choice(b'0123456789"{}[],:\n\x00\xffnull')
            path.write_bytes(data)
            try:
                other.memory.load(path)
            except SetupError:
                continue
            good += 1
            other.memory.get_full_steps()
            other.replay()
            capsys.readouterr()
    assert good > 0


def test_no_address_in_a_file_is_fetched_as_an_image(tmp_path: Path) -> None:
    path, image = tmp_path / "image.jsonl", "data:image/png;base64,aGk="
    event = {"event": "Asked", "run": "r", "task": "t", "images": ["http://127.0.0.1/own", "/etc/passwd", image]}
    path.write_text(record(event))
    (asked, _) = load(path).events
    assert isinstance(asked, Asked) and asked.images == (image,)


# --- what is gone with a sandbox ---------------------------------------------------------------------------------------
def test_a_sandbox_holds_what_was_handed_in_and_written_since_it_was_new() -> None:
    asked = Asked(run="r", task="t", lost=("gone",))
    wrote = Observed(run="r", step=1, changed=("a", "b"))
    assert names_in_sandbox((Observed(run="q", step=1, changed=("z",)), asked, wrote)) == ("a", "b")
    assert names_in_sandbox((asked, wrote, Observed(run="r", step=2, changed=("c",), state_lost=True))) == ("c",)


def test_after_cleanup_the_next_task_is_told_what_is_gone() -> None:
    programs = ("x = 40\nfinal_answer(x)", "final_answer(1)", "final_answer(2)", "final_answer(3)")
    with local(*(f"<code>\n{program}\n</code>" for program in programs)) as used:
        used.run("one")
        assert used.memory.gone == ()
        used.cleanup()
        used.run("two", reset=False)
        used.run("three", reset=False)
        assert [event.lost for event in of(used, Asked)] == [(), ("x",), ()]
        used.cleanup()
        used.run("four")  # begins anew
        assert [event.lost for event in of(used, Asked)] == [()]


# --- the end of a kernel -----------------------------------------------------------------------------------------------

TASK = Asked(run="r", task="t")
SAID = Replied(run="r", step=1, text="x")
ASKS = Proposed(run="r", step=1, text="x")
MAY = Allowed(run="r", step=1, text="x", sha256=sha256("x"), by="person")


@pytest.mark.parametrize(
    ("events", "cut"),
    [
        ((TASK,), "thinking"),
        ((TASK, SAID), ""),
        ((TASK, SAID, ASKS), "asking"),
        ((TASK, SAID, ASKS, MAY), "running"),
        ((TASK, SAID, ASKS, MAY, Observed(run="r", step=1)), "thinking"),
    ],
)
def test_a_run_that_a_kernel_s_end_cut_short_is_ended(events: tuple[Any, ...], cut: str) -> None:
    end = with_ends(events)[-1]
    assert with_ends(events) == (*events, end)
    assert isinstance(end, Ended) and (end.state, end.cut, end.steps) == ("stopped", cut, len(events) > 1)
    assert with_ends(with_ends(events)) == with_ends(events)


# --- forks ------------------------------------------------------------------------------------------------------------
def test_a_fork_goes_on_from_an_earlier_step() -> None:
    replies = ("<code>\nx = 40\n</code>", "<code>\ny = x\n</code>", "<code>final_answer(y)</code>")
    with local(*replies, "<code>final_answer('other')</code>") as used:
        assert used.run("Add.") == 40
        fork = used.fork(1)
        with fork:
            assert [step.code for step in fork.memory.steps] == ["x = 40"]
            assert fork.memory.gone == ("x",)
            result = fork.resume(return_full_result=True)
            assert (result.output, [step.number for step in result.steps]) == ("other", [2])
            assert "started anew" in fork.model.calls[-1][-1].text and "y = x" not in str(fork.model.calls[-1])
            assert fork.executor is not used.executor
            copied = [json.loads(line).get("copied", False) for line in fork.journal.path.read_text().splitlines()]
            assert copied == [True] * len(until(used.memory.events, 1)) + [False] * (len(copied) - copied.count(True))
            assert tuple(read(fork.journal.path)) == fork.memory.events
        assert len(used.memory.steps) == 3


def test_a_fork_before_the_first_step_has_the_task_alone() -> None:
    with local(PROGRAM, "<code>final_answer(1)</code>", "<code>final_answer(2)</code>") as used:
        used.run("Add.")
        with used.fork(0, "again") as fork:
            assert (fork.memory.steps, fork.memory.tasks, fork.session) == ([], ["Add."], "again")
            assert fork.resume() == 2
            assert fork.model.calls[-1] == fork.model.calls[0]


def test_a_run_that_resumes_another_is_forked_from_either() -> None:
    with agent(PROGRAM, FAULT, PROGRAM) as used:
        with pytest.raises(AgentGenerationError):
            used.run("Add.")
        used.resume()
        for step in (1, 2):
            assert len(of(until(used.memory.events, step), Observed)) == step
        with pytest.raises(SetupError, match="there is no step 3 to fork from: the newest run has 1, 2"):
            used.fork(3, sandbox="local")


def test_a_sandbox_of_one_s_own_is_not_shared_with_a_fork() -> None:
    with agent(PROGRAM, PROGRAM) as used:
        used.run("Add.")
        with pytest.raises(SetupError, match="a sandbox belongs to one agent"):
            used.fork(1)
        with used.fork(1, sandbox=LocalPythonExecutor()) as fork:
            assert isinstance(fork.executor, LocalPythonExecutor)


def test_nothing_is_forked_that_never_ran() -> None:
    with agent() as used, pytest.raises(SetupError, match="the newest run has none"):
        used.fork(0, sandbox="local")


def test_memory_without_an_agent_has_no_messages_and_no_times() -> None:
    memory = Memory()
    memory.add(TASK)
    memory.add(SAID)
    (step,) = memory.steps
    assert (step.model_input_messages, step.timing.start_time, memory.times) == (None, None, ())


def test_a_run_under_way_is_not_forked() -> None:
    def late(messages: list[Message]) -> str:
        while not used.running:  # its job is noted a moment after it begins
            time.sleep(0.01)
        used.fork(1, sandbox="local")
        return PROGRAM

    with agent(late) as used, pytest.raises(AgentError, match="working on a task"):
        used.run("t")
