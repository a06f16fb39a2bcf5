"""``smolcell doctor`` and ``%agent doctor``: every stage, what it says, and the next command."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from commands import recording, smolcell, smolcell_here

from smolcell.notebook.doctor import TASK

STAGES = (
    "this Python",
    "a task without tools",
    "a read-only tool",
    "the boundary",
    "a step that was refused",
    "a failure and its recovery",
    "code that never ends",
    "the model",
)


def stages(printed: str) -> dict[str, str]:
    """What the doctor printed, as stage → state."""
    found = re.findall(r"^(ok, but|ok|FAILED|not tried) +(.+?): ", printed, re.MULTILINE)
    return {name: state for state, name in found if name in STAGES}


def test_the_doctor_goes_through_every_stage(tmp_path: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(2**32)")
    done = smolcell_here("doctor", "--replay", str(replay), "--approve", "auto")
    assert done.returncode == 0, done.stdout
    found = stages(done.stdout)
    assert tuple(found) == STAGES
    assert set(found.values()) <= {"ok", "ok, but"}
    assert done.stdout.rstrip().splitlines()[-2].startswith("works: this Python · a task without tools · ")
    assert done.stdout.rstrip().splitlines()[-1].startswith("next: ")


@pytest.mark.slow
def test_without_a_model_the_doctor_names_the_walls_that_stand() -> None:
    done = smolcell_here("doctor")
    boundary = next(line for line in done.stdout.splitlines() if "the boundary: " in line)
    assert "files" in boundary and "guard" not in boundary  # the walls stand, so the level is full
    assert stages(done.stdout)["the model"] == "not tried"
    assert done.returncode == 0
    assert done.stdout.endswith("not tried: the model\nnext: hf auth login, then: smolcell doctor\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "approve", "status", "said", "last"),
    [
        ("final_answer(2**32)", "ask", 0, "its code was not allowed, so it did not run", "--approve auto"),
        ("final_answer(7)", "auto", 1, "it answered '7' instead of 4294967296", "smolcell doctor -m ollama/"),
    ],
)
def test_the_doctor_runs_nothing_of_the_model_s_unasked_and_finds_a_wrong_answer(
    tmp_path: Path, program: str, approve: str, status: int, said: str, last: str
) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, program)
    done = smolcell("doctor", "--replay", str(replay), "--approve", approve)
    assert done.returncode == status
    model = next(line for line in done.stdout.splitlines() if "the model: " in line)
    assert (said in model, last in done.stdout) == (True, True), done.stdout


@pytest.mark.slow
def test_the_doctor_s_run_is_not_the_user_s_last_run(tmp_path: Path, state_dir: Path) -> None:
    replay = recording(tmp_path / "r.jsonl", TASK, "final_answer(2**32)")
    left = state_dir / "journals" / "doctor-killed"
    left.mkdir(parents=True, mode=0o700)
    (left / "of-it.jsonl").touch()
    os.utime(left, (0, 0))
    task = recording(tmp_path / "task.jsonl", "Go.", "final_answer('of the task')")
    assert smolcell_here("run", "Go.", "--replay", str(task), "-a", "auto").returncode == 0
    before = sorted((state_dir / "journals").glob("*.jsonl"))
    assert smolcell_here("doctor", "--replay", str(replay), "-a", "auto").returncode == 0
    assert sorted(state_dir.rglob("*.jsonl")) == before
    assert [path.name for path in (state_dir / "journals").iterdir()] == [path.name for path in before]
    shown = smolcell_here("replay").stdout
    assert shown.startswith("Task\n  │ Go.\n")
    assert "of the task" in shown


@pytest.mark.skipif(os.name == "nt", reason="folders that cannot be written are made by a mode; not run on Windows")
def test_the_doctor_finds_a_state_folder_that_cannot_be_written(state_dir: Path) -> None:
    state_dir.write_text("a file is there")
    done = smolcell_here("doctor")
    assert done.returncode == 1
    assert f"FAILED      the journal: the folder {state_dir}/journals cannot be written: " in done.stdout
    assert done.stdout.endswith(
        "does not work: the journal\nnext: export SMOLCELL_STATE_DIR=…, then: smolcell doctor\n"
    )


def test_the_doctor_goes_on_without_a_sandbox() -> None:
    done = smolcell_here("doctor", "--sandbox", "nowhere")
    assert done.returncode == 1
    found = stages(done.stdout)
    assert found["a task without tools"] == "FAILED"
    assert {found[name] for name in STAGES[2:]} == {"not tried"}
    assert "does not work: a task without tools\n" in done.stdout
    assert done.stdout.endswith("then: smolcell doctor --sandbox nowhere\n")
