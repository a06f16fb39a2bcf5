"""Files that smolcell wrote at commit 91d5c28 still open: journals, recordings, saved runs and a saved notebook.

``scripts/make_old_files.py`` made them at that commit.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from interface import resolve, scripts
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import smolcell.journal
from smolcell import ActionStep, CodeAgent, ReplayModel
from smolcell.errors import AgentGenerationError
from smolcell.events import Allowed, Answered, Asked, Called, Ended, Event, Observed, Proposed, Refused, Replied
from smolcell.testing import ScriptedModel, allow_all
from smolcell.views.transcript import bundle

OLD = Path(__file__).parent / "fixtures" / "91d5c28"
JOURNALS = OLD / "journals"
RECORD = "application/vnd.smolcell.run+json"
ADDED = ("python", "python_reason", "libraries")  # fields of a boundary that 91d5c28 did not have

STEP = "Replied Proposed Allowed Observed"
FIRST = "Replied Proposed Opened Allowed Observed"
CALL = "Proposed Allowed"
OVER = "Answered Ended"
EVENTS = {
    "plain": f"Asked {FIRST} {STEP} {OVER}",
    "decisions": f"Asked Replied Proposed Opened Refused {STEP} {STEP} {OVER}",
    "tools": f"Asked Replied Proposed Opened Allowed Called Observed Replied Proposed Allowed {CALL} Observed Observed {OVER}",
    "calls": f"Asked Replied Proposed Opened Allowed {CALL} Observed Observed Replied {OVER}",
    "managed": f"Asked Replied Proposed Opened Allowed Asked {FIRST} {OVER} Called Observed {OVER}",
    "image": f"Asked {FIRST} {STEP} {OVER}",
    "error": f"Asked {FIRST} Ended",
    "plan": f"Asked Replied Proposed Opened Allowed {CALL} {STEP} {CALL} {STEP} {OVER}",
    "question": f"Asked Replied Proposed Opened Allowed Proposed Observed Observed {OVER}",
    "unfinished": f"Asked {FIRST} Replied Proposed",
    "notebook": f"Asked {FIRST} {STEP} {OVER} Asked {FIRST} Replied {OVER}",
}
PRINTED = {
    "plain": ["What is the mean?", "print('the sum is', total)", "the sum is 12", "3.0"],
    "decisions": ["Take a number.", "not so many", "x = 20", "21"],
    "tools": ["2 * price('tea')", "5.0", "2 tea ordered"],
    "calls": ["price", "cake", "6.5"],
    "managed": ["counter('Count.'", "len(text.split())", "4"],
    "image": ["plt.plot([1, 2, 4])", "drawn"],
    "error": ["1 / 0", "ZeroDivisionError", "the model's server is gone"],
    "plan": ["1. Compute", "y = 6", "42"],
    "question": ["Who are you?", "Hello Ada"],
    "unfinished": ["1 damaged line", "the sum is 12", "final_answer(total / len(numbers))"],
    "notebook": ["Plot, then add the numbers.", "ZeroDivisionError", "I give up."],
}


def code(program: str) -> str:
    return f"<code>\n{program}\n</code>"


def journal(name: str) -> list[Event]:
    return smolcell.journal.read(JOURNALS / f"{name}.jsonl")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """A shell with smolcell, in a folder of its own."""
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    made = InteractiveShell()
    made.run_line_magic("load_ext", "smolcell")
    yield made
    made.run_line_magic("unload_ext", "smolcell")
    made.history_manager.end_session()  # type: ignore[union-attr]
    made.restore_sys_module_state()


def of(kind: type, events: list[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# --- journals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVENTS)
def test_journal_is_read_whole_and_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = JOURNALS / f"{name}.jsonl"
    events = smolcell.journal.read(path)
    assert " ".join(type(event).__name__ for event in events) == EVENTS[name]
    assert (events.skipped, events.damaged) == ((1, 9) if name == "unfinished" else (0, 0))
    status = resolve(scripts()["smolcell"])(["replay", str(path)])
    printed = "".join(capsys.readouterr())
    assert status == 0
    assert [text for text in PRINTED[name] if text not in printed] == []


def test_events_have_their_texts() -> None:
    [asked], ended = of(Asked, journal("plain")), of(Ended, journal("plain"))[-1]
    assert asked.task == "What is the mean?"
    assert [(each.name, each.type) for each in asked.variables] == [("numbers", "list")]
    assert [each.text for each in of(Proposed, journal("plain"))] == [
        "total = sum(numbers)\nprint('the sum is', total)",
        "final_answer(total / len(numbers))",
    ]
    assert [each.stdout for each in of(Observed, journal("plain"))] == ["the sum is 12\n", ""]
    assert (ended.state, ended.steps, ended.usage.input_tokens, ended.usage.cost) == ("success", 2, 200, 0.002)


def test_decisions_tool_calls_and_answers_are_kept() -> None:
    decisions, tools = journal("decisions"), journal("tools")
    [refused] = of(Refused, decisions)
    assert (refused.reason, refused.by, refused.then) == ("not so many", "person", "continue")
    assert [each.text for each in of(Allowed, decisions)] == ["x = 20", "final_answer(x + 1)"]
    assert [(each.text, each.result) for each in of(Called, tools)] == [("price(item='tea')", "2.5")]
    assert [each.text for each in of(Answered, journal("managed"))] == ["4", "4"]
    assert [each.agent for each in of(Asked, journal("managed"))] == ["", "counter"]
    assert [each.kind for each in of(Proposed, journal("plan"))] == ["plan", "budget", "code", "budget", "code"]
    assert [each.kind for each in of(Proposed, journal("question"))] == ["code", "question"]
    [picture] = of(Observed, journal("image"))[0].outputs
    assert picture.data["image/png"].startswith("iVBORw0KGgo")
    [fault] = [each.error for each in of(Observed, journal("error"))]
    assert (fault.type, fault.message) == ("ZeroDivisionError", "division by zero")


def test_exported_script_gives_the_answer_of_the_run() -> None:
    names: dict[str, Any] = {"numbers": [1, 2, 3, 6]}
    exec(smolcell.export(tuple(journal("plain"))).script(), names)
    assert names["answer"] == 3.0


# --- recordings -------------------------------------------------------------------------------------------------------


def test_recording_is_replayed_with_its_fault() -> None:
    model = ReplayModel(OLD / "recording.jsonl")
    assert model.tasks == ("Multiply 6 by 7.", "Square five.")
    with CodeAgent([], model, gate=allow_all) as agent:
        assert agent.run("Multiply 6 by 7.") == 42
        with pytest.raises(AgentGenerationError, match="the model's server is busy"):
            agent.run("Square five.")
        assert agent.resume() == 25
        notes = [event.note for event in agent.memory.events if isinstance(event, Replied)]
    assert notes == ["", ""]  # no divergence; the first task was forgotten


# --- saved runs -------------------------------------------------------------------------------------------------------


def test_saved_run_is_loaded_and_goes_on() -> None:
    model = ScriptedModel(code("final_answer('a' in globals())"))
    with CodeAgent([], model, gate=allow_all) as agent:
        agent.memory.load(OLD / "memory.jsonl")
        steps = [step for step in agent.memory.steps if isinstance(step, ActionStep)]
        assert [(step.task, step.step_number, step.code_action, step.observations.strip()) for step in steps] == [
            ("Add one.", 1, "a = 3\nprint(a)", "3"),
            ("Add one.", 2, "final_answer(a + 1)", ""),
            ("Add two.", 1, "final_answer(a + 2)", ""),
        ]
        assert agent.memory.gone == ("a",)
        assert agent.run("Is a there?", reset=False) is False
        assert agent.memory.tasks == ["Add one.", "Add two.", "Is a there?"]
    assert "a = 3" in "".join(message.text for message in model.calls[0])


def test_saved_run_without_an_end_is_resumed() -> None:
    with CodeAgent([], ScriptedModel(code("final_answer(4 + 1)")), gate=allow_all) as agent:
        agent.memory.load(OLD / "memory-unfinished.jsonl")
        assert (len(agent.memory.steps), agent.memory.gone) == (1, ("b",))
        result = agent.resume(return_full_result=True)
        assert (result.output, result.state, [step.step_number for step in result.steps]) == (5, "success", [2])


def test_journal_of_a_killed_process_is_loaded_and_resumed() -> None:
    with CodeAgent([], ScriptedModel(code("final_answer(3.0)")), gate=allow_all) as agent:
        agent.memory.load(JOURNALS / "unfinished.jsonl")
        assert agent.memory.gone == ("numbers", "total")
        assert agent.resume() == 3.0


def test_session_of_a_notebook_is_resumed_after_a_restart(
    shell: InteractiveShell, tmp_path: Path, state_dir: Path
) -> None:
    folder = state_dir / "journals"
    folder.mkdir(parents=True, mode=0o700)
    text = (JOURNALS / "notebook.jsonl").read_text(encoding="utf-8")
    kept = folder / "2026-11-22-default-0a1b2c3d.jsonl"
    kept.write_text(text.replace("/work/notebooks", str(tmp_path.resolve())), encoding="utf-8")
    kept.chmod(0o600)
    lines: list[Any] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "Divide by zero.", "text": code("final_answer('plt' in globals())")}]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with capture_output() as shown:
        shell.run_line_magic("agent", "resume --replay replies.jsonl --approve auto -o there")
    assert shell.user_ns["there"] is False
    said = shown.stdout + str(shown.outputs)
    assert [text for text in ("Divide by zero.", "fig", "answer") if text not in said] == []


# --- a saved notebook -------------------------------------------------------------------------------------------------


def records() -> list[Any]:
    notebook = nbformat.read(OLD / "saved-run.ipynb", as_version=4)
    nbformat.validate(notebook)
    outputs = [output.data for cell in notebook.cells for output in cell.outputs if "data" in output]
    return [data for data in outputs if RECORD in data]


LAST = ["answer = sum(numbers)\nfinal_answer(answer)", "ZeroDivisionError: division by zero (line 1)"]


@pytest.mark.parametrize(("number", "last"), list(enumerate(LAST)))
def test_record_in_a_saved_notebook_is_drawn_again(number: int, last: str, tmp_path: Path) -> None:
    record = records()[number]
    assert sorted(record) == [RECORD, "text/html", "text/plain"]
    lines = [{"v": 1, "seq": n, "at": "2026-11-22T12:00:00+00:00", "event": event}
             for n, event in enumerate(record[RECORD]["events"])]  # fmt: skip
    (tmp_path / "record.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    drawn = bundle(smolcell.journal.read(tmp_path / "record.jsonl"))
    for name in ("chain", "shown"):
        del drawn[RECORD][name]
    for event in drawn[RECORD]["events"]:
        for name in ADDED:
            event.get("boundary", {}).pop(name, None)
    old = record.pop("text/plain")  # had times and process numbers, which differ from run to run
    stable = re.sub(r"a process on this machine \(pid \d+\)", "local", old)
    stable = re.sub(r" · (?:model |ran )?(?:< )?\d+\.\d s", "", stable)
    assert drawn.pop("text/plain") == stable
    assert drawn == record
    assert re.findall("<pre><code>(.*?)</code></pre>", drawn["text/html"], re.DOTALL)[-1].strip() == last


@pytest.mark.slow
def test_saved_notebook_is_run_again(shell: InteractiveShell, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'smolcell[data]'")
    shutil.copy(OLD / "notebook-replies.jsonl", tmp_path)
    notebook = nbformat.read(OLD / "saved-run.ipynb", as_version=4)
    with capture_output():
        for cell in notebook.cells[1:4]:
            shell.run_cell(cell.source).raise_error()
    assert shell.user_ns["total"] == 6
