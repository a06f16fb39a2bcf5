"""Runs that wait: groups, answers that bind to the exact text, going on, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Terminal
from jobs import job, rows, run, spec

from smolcell import permit, scale
from smolcell.errors import SetupError
from smolcell.journal import read
from smolcell.protocols import Answer
from smolcell.scale.approvals import answer, go_on, groups
from smolcell.scale.folder import JobFolder


def waiting(folder: Path, count: int, *programs: str) -> tuple[Path, Path, Path]:
    """A job whose runs wait with the first of these programs."""
    tasks, replay = job(folder, count, lambda number: programs)
    out = folder / "out"
    results = scale.map(tasks, spec(replay, approve="ask"), out=out)
    assert results.states == {"waiting": count}
    return tasks, replay, out


def said(out: Path, choice: str, **more: str) -> int:
    """Answer the first group; returns how many runs it is for."""
    with JobFolder(out) as folder:
        group = groups(out)[0]
        return answer(folder, group, Answer(run="", step=0, fingerprint=group.sha256, choice=choice, **more))  # type: ignore[arg-type]


def went_on(out: Path) -> scale.Results:
    results = go_on(out)
    assert results is not None
    return results


def test_one_answer_lets_every_run_with_the_same_program_go_on(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 3, "x = 5\nprint(x)", "final_answer(x + 1)")
    [group] = groups(out)
    assert (group.text, len(group.rows)) == ("x = 5\nprint(x)", 3)
    assert said(out, "approve") == 3
    assert went_on(out).states == {"waiting": 3}
    [group] = groups(out)
    assert group.text == "final_answer(x + 1)"
    assert said(out, "approve") == 3
    results = went_on(out)
    assert [row["answer"] for row in results] == [6, 6, 6]
    events = read(out / "journals" / results[0]["journal"])
    by = [(event.run == "call", event.by) for event in events if type(event).__name__ == "Allowed"]
    assert by == [(False, "person"), (True, "caller"), (False, "person")]  # as it was, once more, and the answer now
    assert go_on(out) is None


def test_another_process_repeats_what_a_person_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, out = waiting(tmp_path, 1, "x = 5", "final_answer(x)")
    said(out, "edit", text="x = 6")
    went_on(out)
    monkeypatch.setattr(permit, "_spent", {})  # as in another process
    said(out, "approve")
    assert went_on(out)[0]["answer"] == 6


def test_a_refusal_goes_back_to_the_model_and_an_edit_is_what_runs(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 1, "final_answer(1)", "final_answer(2)")
    said(out, "refuse", comment="Not so.")
    assert went_on(out)[0]["refusals"] == 1
    said(out, "edit", text="final_answer(40 + 2)")
    assert [(row["state"], row["answer"]) for row in went_on(out)] == [("success", 42)]


@pytest.mark.slow
def test_a_step_that_prints_something_else_when_it_runs_again_is_asked_about(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 1, "import random\nprint(random.random())", "final_answer('done')")
    for _ in range(2):
        said(out, "approve")
        go_on(out)
    assert groups(out)[0].text.startswith("Step 1 printed something else when it was repeated")
    said(out, "approve")
    assert went_on(out)[0]["answer"] == "done"


def test_an_answer_is_for_exactly_the_text_that_was_shown(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 1, "final_answer(1)")
    text = (out / "rows.jsonl").read_text()
    (out / "rows.jsonl").write_text(text.replace("final_answer(1)", "final_answer(2)"))
    assert groups(out) == []  # another text under the old digest is not shown
    (out / "rows.jsonl").write_text(text)
    with JobFolder(out) as folder:
        assert answer(folder, groups(out)[0], Answer(run="", step=0, fingerprint="0" * 64, choice="approve")) == 0
    assert go_on(out) is None
    assert [row["state"] for row in rows(out)] == ["waiting"]


def test_a_policy_of_auto_lets_what_waits_go_on(tmp_path: Path) -> None:
    tasks, replay, out = waiting(tmp_path, 2, "x = 1", "final_answer(x)")
    assert scale.map(tasks, spec(replay, approve="auto"), out=out).ok


def test_files_are_named_from_the_folder_in_which_the_job_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "begun" / "data").mkdir(parents=True)
    (tmp_path / "begun" / "data" / "a.txt").write_text("5")
    monkeypatch.chdir(tmp_path / "begun")
    programs = "print(open('data/a.txt').read())", "final_answer(6)"
    tasks, replay = job(Path(), 1, lambda number: programs)
    scale.map(tasks, spec(replay, approve="ask", files="data/a.txt"), out="out")
    monkeypatch.chdir(tmp_path)
    [group] = groups(Path("begun/out"))
    status, _, told = run("approve", "begun/out", "--yes", group.sha256)
    assert (status, f"the files of this job are named from {tmp_path / 'begun'}" in told) == (2, True)
    with pytest.raises(SetupError, match="change to that folder"):
        go_on("begun/out")
    monkeypatch.chdir("begun")
    assert went_on(Path("out")).states == {"waiting": 1}
    said(Path("out"), "approve")
    assert [row["answer"] for row in went_on(Path("out"))] == [6]


@pytest.mark.slow
def test_a_person_answers_at_a_terminal(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 2, "final_answer(7)")
    terminal = Terminal("approve", str(out))
    terminal.until("2 runs wait with exactly this, and your answer is for all of them")
    terminal.until("[s]top: ")
    terminal.type("a\n")
    assert terminal.ends() == 0, terminal.seen
    assert [row["answer"] for row in rows(out)] == [7, 7]


def test_without_a_terminal_what_waits_is_listed_and_named_groups_are_answered(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, 2, "final_answer(7)")
    status, listed, told = run("approve", str(out))
    assert status == 1
    assert "no one can approve" in told
    [digest] = re.findall("^[0-9a-f]{12}", listed, re.MULTILINE)
    assert run("approve", str(out), "--yes", "12345678")[0] == 2
    assert run("approve", str(out), "--yes", digest)[0] == 0
    assert run("approve", str(tmp_path))[0] == 2
