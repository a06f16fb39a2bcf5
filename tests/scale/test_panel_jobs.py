"""The jobs of this user as the panel lists them: those that run, and those whose runs wait, by identical program."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from jobs import job, spec

from smolcell import scale
from smolcell.errors import SetupError
from smolcell.protocols import Answer
from smolcell.scale.approvals import MAX_JOBS, ListedJob, answer, groups, jobs
from smolcell.scale.folder import JobFolder, state_of
from smolcell.scale.job import Progress


def of(folder: Path) -> list[ListedJob]:
    return [each for each in jobs() if Path(each.folder).is_relative_to(folder)]


def wait_in(out: Path, count: int = 1) -> Path:
    """Do a job whose runs wait with their first program."""
    tasks, replay = job(out.parent, count, lambda number: ["print(1)"])
    scale.map(tasks, spec(replay, approve="ask"), out=out)
    return out


def test_a_job_s_runs_are_listed_by_what_they_wait_with_until_they_are_answered(tmp_path: Path) -> None:
    def programs(number: int) -> list[str]:
        return ["f = open('left.txt', 'w')"] if number == 3 else ["print('looked')\nfinal_answer(7)"]

    tasks, replay = job(tmp_path, 4, programs)
    out = tmp_path / "out"
    scale.map(tasks, spec(replay, approve="ask"), out=out)
    [found] = of(tmp_path)
    assert (found.folder, found.running, found.told.split(" · ")[0]) == (str(out), False, "4 of 4")
    assert {each.sha256 for each in found.waiting} == {group.sha256 for group in groups(out)}
    assert sorted((each.text, each.runs, each.findings.partition(":")[0]) for each in found.waiting) == [
        ("f = open('left.txt', 'w')", 1, "file"),
        ("print('looked') final_answer(7)", 3, ""),
    ]
    with JobFolder(out) as folder:
        for group in groups(out):
            answer(folder, group, Answer(run="", step=0, fingerprint=group.sha256, choice="approve"))
    assert of(tmp_path) == []


def test_a_job_is_listed_while_it_runs_and_not_after_its_end(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 3)
    seen: list[ListedJob] = []
    results = scale.map(tasks, spec(replay), out=tmp_path / "out", show=lambda progress: seen.extend(of(tmp_path)))
    assert results.ok
    assert [each.running for each in seen] == [True] * len(seen)
    assert "of 3 · " in seen[0].told
    assert of(tmp_path) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError], ids=["interrupted", "without its engine"])
def test_a_job_that_is_cut_off_does_not_run(tmp_path: Path, error: type[BaseException]) -> None:
    tasks, replay = job(tmp_path, 6, lambda number: ["print(1)"])
    running: list[bool] = []

    def show(progress: Progress) -> None:
        running.extend(each.running for each in of(tmp_path))
        if progress.states and not progress.over:
            raise error

    with pytest.raises((KeyboardInterrupt, SetupError)):
        scale.map(tasks, spec(replay, approve="ask"), out=tmp_path / "out", show=show)
    [found] = of(tmp_path)
    assert running[0]
    assert not found.running  # so that what waits in it can be answered


def test_a_job_whose_process_is_gone_does_not_run_and_a_copy_of_a_folder_is_no_job(tmp_path: Path) -> None:
    out = wait_in(tmp_path / "out")
    said = json.loads((out / "progress.json").read_text())
    (out / "progress.json").write_text(json.dumps({**said, "over": False, "start": said["start"] + 1}))
    shutil.copytree(out, tmp_path / "copy")
    [found] = of(tmp_path)
    assert (found.folder, found.running) == (str(out), False)
    (out / "job.json").write_text("[]")
    assert of(tmp_path) == []


@pytest.mark.parametrize(
    "wrong",
    [
        *({"call": "x"}, {"call": None}, {"step": []}, {"text": 1}),
        *({"findings": 1}, {"findings": ["file"]}, {"findings": [{"kind": "file", "text": "x", "line": "one"}]}),
    ],
    ids=str,
)
def test_a_row_that_no_run_has_written_hides_no_job(tmp_path: Path, wrong: dict[str, object]) -> None:
    wait_in(tmp_path / "good", 2)
    path = wait_in(tmp_path / "bad", 2) / "rows.jsonl"
    first, second = (json.loads(line) for line in path.read_text().splitlines())
    first["waiting"].update(wrong)
    path.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    runs = {Path(each.folder).name: [one.runs for one in each.waiting] for each in of(tmp_path)}
    assert runs == {"good": [2], "bad": [1]}


def test_a_folder_that_cannot_be_read_does_not_hide_other_jobs(tmp_path: Path) -> None:
    wait_in(tmp_path / "good")
    path = wait_in(tmp_path / "bad") / "rows.jsonl"
    path.unlink()
    path.mkdir()
    assert [Path(each.folder).name for each in of(tmp_path)] == ["good"]


def test_a_folder_is_parsed_again_only_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = wait_in(tmp_path / "0")
    known = json.loads((state_of(first) / "job.json").read_text())
    for number in range(1, MAX_JOBS + 10):
        copy = shutil.copytree(first, tmp_path / str(number))
        state = shutil.copytree(state_of(first), state_of(copy))
        (state / "job.json").write_text(json.dumps({**known, "folder": str(copy)}))
    parsed: list[Path] = []
    monkeypatch.setattr("smolcell.scale.approvals.groups", lambda folder: parsed.append(folder) or groups(folder))
    assert len(jobs()) == MAX_JOBS == len(parsed)
    jobs()
    assert len(parsed) == MAX_JOBS
    monkeypatch.setattr("smolcell.scale.approvals._MAX_FILE_BYTES", 10)
    os.utime(parsed[0] / "rows.jsonl")
    assert str(parsed[0]) not in [each.folder for each in jobs()]  # too large to be read at each look
