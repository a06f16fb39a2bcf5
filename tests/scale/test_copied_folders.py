"""What a job's folder holds decides nothing: folders that were copied, moved, pulled over or edited by somebody else."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jobs import job, line, rows, run, spec

from smolcell import scale
from smolcell.errors import SetupError
from smolcell.events import sha256
from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook import many
from smolcell.protocols import Answer, FrontEnd
from smolcell.scale.approvals import answer, go_on, groups, jobs
from smolcell.scale.engines import LocalEngine
from smolcell.scale.folder import JobFolder
from smolcell.scale.work import ParkingView
from smolcell.testing import allow_all

FIRST, LAST = "x = 5\nprint(x)", "final_answer(x + 1)"
PLANTED = "final_answer('planted')"


class Elsewhere(LocalEngine):
    """An engine whose workers do not see the job's folder."""

    remote = True


def waiting(folder: Path, *programs: str, on: Any = "local") -> tuple[Path, Path, Path]:
    """A job of one task, whose run waits with the first of these programs."""
    tasks, replay = job(folder, 1, lambda number: programs or (FIRST, LAST))
    out = folder / "out"
    assert scale.map(tasks, spec(replay, approve="ask"), on, out=out).states == {"waiting": 1}
    return tasks, replay, out


def approve(out: Path) -> None:
    """Approve what waits, without continuing."""
    with JobFolder(out) as folder:
        for group in groups(out):
            assert answer(folder, group, Answer(run="", step=0, fingerprint=group.sha256, choice="approve")) == 1


def plant_an_answer(out: Path) -> None:
    """Write the answer of a person who edited the program, as ``smolcell approve`` would."""
    [row] = rows(out)
    asked = {name: row["waiting"][name] for name in ("step", "call", "sha256")}
    line = {"id": row["id"], "journal": row["journal"], **asked, "choice": "edit", "text": PLANTED, "comment": ""}
    (out / "approvals.jsonl").write_text(json.dumps({**line, "who": "person", "at": 1.0}) + "\n")


def plant_a_recipe(out: Path, **options: Any) -> None:
    told = json.loads((out / "job.json").read_text())
    (out / "job.json").write_text(json.dumps({**told, "spec": {**told["spec"], "approve": "auto", **options}}))


def edit_row(out: Path, **values: Any) -> None:
    [row] = rows(out)
    row["waiting"].update(values)
    (out / "rows.jsonl").write_text(json.dumps(row) + "\n")


def texts(out: Path) -> str:
    """Everything that the runs of a folder recorded."""
    return "".join(path.read_text() for path in (out / "journals").glob("*.jsonl"))


def copied(out: Path) -> Path:
    return Path(shutil.copytree(out, out.with_name("copy")))


def moved(out: Path) -> Path:
    return out.rename(out.with_name("moved"))


def copied_to_a_link(out: Path) -> Path:
    """The folder at the end of a path that led to the job before."""
    place = out.with_name("place")
    copy = shutil.copytree(out, out.with_name("another") / "out")
    place.symlink_to(copy.parent, target_is_directory=True)
    return place / "out"


def with_another_id(out: Path) -> Path:
    told = json.loads((out / "job.json").read_text())
    (out / "job.json").write_text(json.dumps({**told, "id": "0" * 32}))
    return out


@pytest.mark.parametrize("become", [copied, moved, copied_to_a_link, with_another_id], ids=lambda given: given.__name__)
def test_in_a_folder_that_is_not_the_job_s_nothing_is_answered_or_continued(
    tmp_path: Path, become: Callable[[Path], Path]
) -> None:
    tasks, replay, out = waiting(tmp_path)
    approve(out)
    out = become(out)
    plant_an_answer(out)
    plant_a_recipe(out)
    for words in ((), ("--list",), ("--yes", rows(out)[0]["waiting"]["sha256"])):
        status, _, told = run("approve", str(out), *words)
        assert (status, f"smolcell map TASKS -o {out}" in told) == (2, True), told
    with pytest.raises(SetupError, match="no job of yours wrote"):
        go_on(out)
    with pytest.raises(SetupError, match="for the others: %agent map VARIABLE --folder"):
        many.approvals(out, FrontEnd(view=ParkingView({}), gate=allow_all, waiter=QueueWaiter()))
    assert (groups(out), [each for each in jobs() if each.folder == str(out)]) == ([], [])
    assert scale.map(tasks, spec(replay, approve="ask"), out=out).states == {"waiting": 1}  # it begins anew
    assert [group.text for group in groups(out)] == [FIRST]
    assert PLANTED not in texts(out)


def test_answers_and_a_recipe_in_the_folder_count_for_nothing_in_its_own_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, out = waiting(tmp_path)
    (tmp_path / "planted_module.py").write_text("Answer = int\n")
    monkeypatch.syspath_prepend(tmp_path)
    plant_an_answer(out)
    plant_a_recipe(out, output_type="planted_module:Answer", api_base="http://127.0.0.1:9", model="openai/x", replay="")
    assert go_on(out) is None
    approve(out)
    results = go_on(out)
    assert results is not None
    assert (results.spec.approve, results.states) == ("ask", {"waiting": 1})
    assert "planted_module" not in sys.modules
    assert PLANTED not in texts(out)


CHANGES: dict[str, Callable[[Path], object]] = {
    "reply": lambda out: edit_row(out, reply=f"<code>\n{PLANTED}\n</code>"),
    "text": lambda out: edit_row(out, text=PLANTED),
    "resume": lambda out: edit_row(out, resume=1),
    "type": lambda out: edit_row(out, call=False),
    "earlier row": lambda out: shutil.copy(out.with_name("earlier.jsonl"), out / "rows.jsonl"),
    "journal": lambda out: change_journal(out, "x = 5", "x = 6"),
    "program in the journal": lambda out: change_journal(out, '"text": "x = 5', '"text": "x = 7; x = 5'),
    "no journal": lambda out: shutil.rmtree(out / "journals"),
}


@pytest.mark.parametrize(
    ("change", "on"), [*((change, LocalEngine) for change in CHANGES), ("reply", Elsewhere), ("journal", Elsewhere)]
)
def test_a_waiting_run_whose_row_or_journal_was_changed_begins_anew(
    tmp_path: Path, change: str, on: type[LocalEngine]
) -> None:
    tasks, replay, out = waiting(tmp_path, on=on("1"))
    shutil.copy(out / "rows.jsonl", tmp_path / "earlier.jsonl")
    for text in (FIRST, LAST):
        assert [group.text for group in groups(out)] == [text]
        approve(out)
        if text == LAST:
            CHANGES[change](out)
        results = scale.map(tasks, spec(replay, approve="ask"), on("1"), out=out)
    assert (results.states, [group.text for group in groups(out)]) == ({"waiting": 1}, [FIRST])


@pytest.mark.parametrize(
    ("first", "maps"),
    [(FIRST, 1), pytest.param("import time\nprint(time.time())", 2, marks=pytest.mark.slow)],
    ids=["new run", "run that waits again"],
)
def test_a_journal_that_is_replaced_while_the_job_runs_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, maps: int
) -> None:
    tasks, replay, out = waiting(tmp_path, first, "y = 1\nprint(y)", "final_answer(2)")
    append = JobFolder.append

    def replaced(folder: JobFolder, row: dict[str, Any]) -> None:
        path = folder.journals / row["journal"]
        evil = json.dumps(f"evil = 1\n{first}")[1:-1]
        changed = path.read_text().replace(json.dumps(first)[1:-1], evil)
        path.write_text(changed.replace(sha256(first), sha256(f"evil = 1\n{first}")))
        append(folder, row)

    for left in reversed(range(maps)):
        approve(out)
        if not left:
            monkeypatch.setattr(JobFolder, "append", replaced)
        scale.map(tasks, spec(replay, approve="ask"), out=out)
    monkeypatch.setattr(JobFolder, "append", append)
    assert [group.text for group in groups(out)] != [first]
    approve(out)
    scale.map(tasks, spec(replay, approve="ask"), out=out)
    assert [group.text for group in groups(out)] == [first]  # it began anew


def test_a_waiting_run_goes_on_where_the_folder_is_not_seen(tmp_path: Path) -> None:
    tasks, replay, out = waiting(tmp_path, on=Elsewhere("1"))
    for _ in range(2):
        approve(out)
        results = scale.map(tasks, spec(replay, approve="ask"), Elsewhere("1"), out=out)
    assert [row["answer"] for row in results] == [6]


def change_journal(out: Path, old: str, new: str) -> None:
    [row] = rows(out)
    path = out / "journals" / row["journal"]
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_changed_rows_are_said_with_what_to_do(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path)
    edit_row(out, thought="This is harmless.")
    status, listed, told = run("approve", str(out), "--list")
    assert (status, listed) == (1, "nothing waits for approval\n")
    assert f"1 of the waiting rows in {out} were changed" in told
    assert "run the job again" in told


def test_a_finished_run_does_not_wait_again_if_its_earlier_row_comes_back(tmp_path: Path) -> None:
    tasks, replay, out = waiting(tmp_path, "final_answer(1)")
    earlier = (out / "rows.jsonl").read_text()
    approve(out)
    assert scale.map(tasks, spec(replay, approve="ask"), out=out).ok
    (out / "rows.jsonl").write_text(earlier)
    assert (groups(out), go_on(out)) == ([], None)
    assert scale.map(tasks, spec(replay, approve="ask"), out=out).states == {"waiting": 1}
    assert len(groups(out)) == 1  # the answer was to the run before


def test_a_new_job_at_the_path_of_a_deleted_one_has_none_of_its_answers(tmp_path: Path) -> None:
    tasks, replay, out = waiting(tmp_path, "final_answer(1)")
    approve(out)
    shutil.rmtree(out)
    assert scale.map(tasks, spec(replay, approve="ask"), out=out).states == {"waiting": 1}
    assert len(groups(out)) == 1
    assert go_on(out) is None


def test_a_folder_committed_and_pulled_back_unchanged_goes_on(tmp_path: Path) -> None:
    _, _, out = waiting(tmp_path, "final_answer(1)")
    copy = copied(out)
    shutil.rmtree(out)
    shutil.copytree(copy, out)
    approve(out)
    results = go_on(out)
    assert results is not None
    assert [row["answer"] for row in results] == [1]


def test_one_folder_has_one_job_whatever_links_lead_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, out = waiting(tmp_path, "final_answer(1)")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    approve(tmp_path / "link" / "out")
    monkeypatch.chdir(tmp_path)
    results = go_on("out")
    assert results is not None
    assert results.ok
    assert len(rows(out)) == 1


def test_a_moved_folder_keeps_its_finished_rows(tmp_path: Path) -> None:
    tasks, replay, out = waiting(tmp_path, "final_answer(1)")
    approve(out)
    go_on(out)
    finished = rows(out)
    out = moved(out)
    assert scale.map(tasks, spec(replay, approve="ask"), out=out).ok
    assert rows(out) == finished


def test_answers_that_a_folder_had_before_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tasks, replay = job(tmp_path, 1, lambda number: ["final_answer(1)"])
    out, words = tmp_path / "out", ("--replay", str(replay), "-a", "ask")
    assert scale.map(tasks, spec(replay), out=out).ok
    said = []
    for folder in (out, copy := copied(out), copy):
        caplog.clear()
        status, _, told = run("map", str(tasks), "-o", str(folder), *words)
        said.append((status, "1 of 1 (1 from before) · " in told, caplog.messages))
    note = f"1 answer came with {folder}: no job of yours wrote them there on this machine, or the folder was moved or copied"
    assert said[0] == (0, True, [])
    for again in said[1:]:  # as long as they are there
        assert again[:2] == (0, True)
        assert again[2][0].startswith(note)


@pytest.mark.parametrize("values", [{"answer": "\ud800"}, {"hosts": [{}]}, {"\ud800": [1, "x"]}, {"answer": [{}]}])
def test_values_that_a_table_cannot_hold_are_text_in_it(tmp_path: Path, values: dict[str, Any]) -> None:
    tasks, replay = job(tmp_path, 1, lambda number: ["final_answer(1)"])
    out = tmp_path / "out"
    assert scale.map(tasks, spec(replay), out=out).ok
    (out / "rows.jsonl").write_text(json.dumps({**rows(out)[0], **values}) + "\n")
    assert scale.map(tasks, spec(replay), out=out).ok


def link_to_rows(path: Path) -> None:
    (path.parent.parent / "private.jsonl").write_text('{"id": "private"}\n')
    path.symlink_to(path.parent.parent / "private.jsonl")


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (link_to_rows, "it is a link"),
        (lambda path: path.symlink_to("/dev/zero"), "it is a link"),
        (os.mkfifo, "it is a pipe, and no file"),
    ],
)
def test_rows_are_read_from_a_plain_file_only(tmp_path: Path, plant: Callable[[Path], object], said: str) -> None:
    tasks, replay = job(tmp_path, 1)
    (tmp_path / "out").mkdir()
    plant(tmp_path / "out" / "rows.jsonl")
    status, _, told = run(*line(tasks, replay, tmp_path / "out"))
    assert (status, f"rows.jsonl cannot be read: {said}. Remove it" in told) == (1, True), told


@pytest.mark.parametrize(
    "wrong",
    [
        *({"input_tokens": -(10**9)}, {"cost": float("nan")}, {"output_tokens": "x"}, {"cost": -1}, {"cost": 10**400}),
        *({name: None} for name in ("error", "journal", "steps", "refusals", "errors_by_type")),
    ],
)
def test_a_row_that_is_not_complete_is_not_finished(tmp_path: Path, wrong: dict[str, Any]) -> None:
    tasks, replay = job(tmp_path, 1, lambda number: ["final_answer(1)"])
    out = tmp_path / "out"
    assert scale.map(tasks, spec(replay), out=out).ok
    [row] = rows(out)
    changed = {**row, "answer": 2, **wrong}
    (out / "rows.jsonl").write_text(json.dumps({k: v for k, v in changed.items() if v is not None}) + "\n")
    assert "0 of them have an answer" in run(*line(tasks, replay, out, "--dry-run"))[1]
    assert [row["answer"] for row in scale.map(tasks, spec(replay), out=out, budget="2m")] == [1]
