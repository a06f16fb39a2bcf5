"""Jobs in threads of this process and at the command line: rows, going on, exit statuses, limits."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st
from jobs import PATIENCE, command, job, line, rows, run, spec, until, written

from smolcell import scale
from smolcell.errors import SetupError
from smolcell.journal import Journal
from smolcell.scale.evaluation import read_suite
from smolcell.scale.folder import JobFolder
from smolcell.scale.tasks import Task, read_tasks
from smolcell.scale.work import Item, model_of, plain, stop, work


def test_a_finished_job_asks_no_model_again(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 6)
    out = tmp_path / "out"
    status, _, told = run(*line(tasks, replay, out))
    assert status == 0, told
    first = rows(out)
    assert {row["id"]: (row["state"], row["answer"], row["steps"]) for row in first} == {
        f"t{number}": ("success", 2 * number, 2) for number in range(6)
    }
    assert all((out / "journals" / row["journal"]).is_file() for row in first)
    assert (out / "rows.parquet").is_file()
    replay.write_text(replay.read_text().splitlines()[0] + "\n")  # nothing can be answered any more
    model_of.cache_clear()  # as in another process
    assert run(*line(tasks, replay, out))[0] == 0
    assert rows(out) == first


def test_a_task_that_failed_is_done_again_and_has_one_row(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 3)
    whole = replay.read_text()
    replay.write_text("".join(line for line in whole.splitlines(True) if "number 1." not in line))
    out = tmp_path / "out"
    assert run(*line(tasks, replay, out))[0] == 1
    assert {row["id"]: row["state"] for row in rows(out)} == {"t0": "success", "t1": "error", "t2": "success"}
    replay.write_text(whole)
    model_of.cache_clear()  # as in another process
    assert run(*line(tasks, replay, out))[0] == 0
    assert sorted(row["id"] for row in rows(out)) == ["t0", "t1", "t2"]
    assert json.loads((out / "replaced.jsonl").read_text())["id"] == "t1"


def test_a_recording_that_was_changed_is_read_again(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 1, lambda number: ["final_answer(1)"])
    assert [row["answer"] for row in scale.map(tasks, spec(replay))] == [1]
    job(tmp_path, 1, lambda number: ["final_answer(22)"])
    assert [row["answer"] for row in scale.map(tasks, spec(replay))] == [22]


def test_links_in_a_folder_from_elsewhere_are_not_written_through(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 1)
    out, precious = tmp_path / "out", tmp_path / "precious"
    precious.write_text("kept")
    (out / "journals").mkdir(parents=True)
    for name in (".progress.new", "progress.json", "job.json", "rows.parquet", "journals/a.jsonl"):
        (out / name).symlink_to(precious)
    assert scale.map(tasks, spec(replay), out=out).ok
    with JobFolder(out) as folder:
        folder.keep_journal("a.jsonl", "a journal")
    assert (out / "journals" / "a.jsonl").read_text() == "a journal"
    (out / "replaced.jsonl").symlink_to(precious)
    with JobFolder(out) as folder, pytest.raises(SetupError, match=r"replaced\.jsonl cannot be written: it is a link"):
        folder.start(read_tasks(tasks), "of another recipe")
    (out / "lock").unlink()
    (out / "lock").symlink_to(precious)
    with pytest.raises(SetupError, match="lock cannot be written: it is a link"):
        JobFolder(out)
    assert precious.read_text() == "kept"


def test_a_torn_row_costs_its_task_one_more_run(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 3)
    out = tmp_path / "out"
    assert scale.map(tasks, spec(replay), out=out).ok
    text = (out / "rows.jsonl").read_text()
    (out / "rows.jsonl").write_text(text[:-40])
    results = scale.map(tasks, spec(replay), out=out)
    assert [row["answer"] for row in results] == [0, 2, 4]
    assert len(rows(out)) == 3


def test_another_recipe_or_another_text_is_another_task(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 2)
    out = tmp_path / "out"
    assert scale.map(tasks, spec(replay), out=out).ok
    assert spec(replay).digest == spec(replay, approve="ask").digest  # who is asked makes no other answer
    other = scale.map(tasks, spec(replay, max_steps=5), out=out)
    assert {row["spec"] for row in rows(out)} == {other.spec.digest}
    changed = scale.map([{"id": "t0", "task": "Task number 1."}], spec(replay, max_steps=5), out=out)
    assert [row["answer"] for row in changed] == [2]
    assert sorted(row["id"] for row in rows(out)) == ["t0", "t1"]


def test_a_folder_is_used_by_one_job_at_a_time(tmp_path: Path) -> None:
    with JobFolder(tmp_path / "out"), pytest.raises(SetupError, match="in use by another job"):
        JobFolder(tmp_path / "out")


def test_typed_answers_are_typed_columns(tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")
    import pyarrow.parquet

    days = [f"final_answer({{'year': {number}, 'day': '2024-03-0{number + 1}'}})" for number in range(2)]
    tasks, replay = job(tmp_path, 2, lambda number: [days[number]])
    frame = scale.map(tasks, spec(replay, output_type="typed:Dated"), out=tmp_path / "out").frame()
    assert [day.isoformat() for day in frame["answer.day"]] == ["2024-03-01", "2024-03-02"]
    assert pyarrow.parquet.read_table(tmp_path / "out" / "rows.parquet")["answer.year"].to_pylist() == [0, 1]
    assert json.loads((tmp_path / "out" / "job.json").read_text())["spec"]["output_type"] == "typed:Dated"


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
def test_a_stop_or_limit_that_comes_while_a_run_is_prepared_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    _, replay = job(tmp_path, 1, lambda number: ["import time\ntime.sleep(600)"])
    create = Journal.create

    def stops(*given: Any, **named: Any) -> Journal:
        if not seconds:
            stop("stopped")
        return create(*given, **named)

    monkeypatch.setattr(Journal, "create", stops)
    name = "late" if seconds else "stopped"
    item = Item(job=name, spec=spec(replay), task=Task("t0", "Task number 0."), seconds=seconds)
    row = json.loads(work(item))
    assert row["state"] == "stopped"


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_ends_soon(tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(600)"
    tasks, replay = job(tmp_path, 9, lambda number: [slow] if number > 2 else ["final_answer(1)"])
    out = tmp_path / "out"

    def at_their_slow_step() -> int:
        journals = [path.read_text() for path in (out / "journals").glob("*.jsonl")]
        return sum("time.sleep" in text and '"Allowed"' in text for text in journals)

    with subprocess.Popen(command(tasks, replay, out), stderr=subprocess.PIPE, text=True) as process:
        until(lambda: written(out) == 3 and at_their_slow_step(), process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert "Traceback" not in said, said
    assert len(rows(out)) == 3


def test_failures_in_a_row_stop_the_job(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 40, lambda number: [])
    results = scale.map(tasks, spec(replay), "local:1", out=tmp_path / "out", failures=3)
    assert results.stopped == "3 tasks in a row failed"
    assert 3 <= len(results) < 10
    assert not results.ok


def test_a_budget_that_cannot_be_held_stops_the_job(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 12)
    lines = replay.read_text().splitlines()
    used = [json.dumps({**json.loads(line), "usage": {"input_tokens": 100, "output_tokens": 10}}) for line in lines[1:]]
    replay.write_text("\n".join([lines[0], *used]) + "\n")
    spent = scale.map(tasks, spec(replay), "local:1", out=tmp_path / "out", budget="500")
    assert spent.stopped == "its budget is spent: 660 of 500 tokens"
    assert len(spent) < 12
    unknown = scale.map(tasks, spec(replay), "local:1", out=tmp_path / "other", budget="$1")
    assert unknown.stopped == "the model does not report its cost, so the job's budget in dollars cannot be enforced"


def test_a_task_is_stopped_after_its_seconds(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 1, lambda number: ["import time\ntime.sleep(600)"])
    results = scale.map(tasks, spec(replay), out=tmp_path / "out", seconds=0.2)
    assert [row["state"] for row in results] == ["stopped"]


def test_a_dry_run_asks_no_model(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 4)
    status, told, _ = run(*line(tasks, replay, tmp_path / "out", "--dry-run"))
    assert status == 0
    assert told.startswith("4 tasks, 0 of them have an answer, 4 are left\ntokens: about ")
    assert "cost: about $0.00" in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("words", "said"), cases(__file__, "wrong"))
def test_wrong_words_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text("{\n")
    (tmp_path / "twice.jsonl").write_text('{"id": "a", "task": "x"}\n{"id": "a", "task": "y"}\n')
    (tmp_path / "empty.jsonl").write_text('{"id": "a"}\n')
    (tmp_path / "good.jsonl").write_text('{"task": "x"}\n')
    (tmp_path / "outside.jsonl").write_text('{"task": "x", "files": "../../etc/passwd"}\n')
    status, _, told = run("map", *words.split(), "-m", "openai/x", "--api-base", "http://127.0.0.1:9/v1")
    assert (status, said in told, "Traceback" in told) == (2, True, False), told


def test_no_link_of_a_foreign_folder_of_tasks_leads_out_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "clone"
    (clone / "data").mkdir(parents=True)
    (tmp_path / "private.jsonl").write_text('{"task": "private"}\n')
    (clone / "other.csv").write_text("other")
    links = {
        "out": "../private.jsonl",
        "data/up": "../other.csv",
        "up": "..",
        "env": "/proc/self/environ",
        "keys": ".env",
        "in": "other.csv",
    }
    (clone / ".env").write_text('{"task": "PASSWORD=secret"}\n')
    for name, target in links.items():
        (clone / name).symlink_to(target)
    for name in ("out", "data/up", "up/private.jsonl", "env", "keys"):
        (clone / "tasks.jsonl").write_text(json.dumps({"task": "x", "files": name}) + "\n")
        with pytest.raises(
            SetupError,
            match=f"row 1: {name} is a (link that leads to /.*, (outside the folder that|which may hold keys)|file of the operating)",
        ):
            read_tasks(clone / "tasks.jsonl")
    (clone / "tasks.jsonl").write_text('{"task": "x", "files": "in"}\n')
    assert [task.files for task in read_tasks(clone / "tasks.jsonl")] == [(str(clone / "in"),)]
    (clone / "list.jsonl").symlink_to("../private.jsonl")
    with pytest.raises(
        SetupError, match=rf"list\.jsonl cannot be read: it is a link that leads to {tmp_path}/private\.jsonl, outside"
    ):
        read_tasks(clone / "list.jsonl")
    with pytest.raises(SetupError, match="it is a link that leads to"):
        read_suite(clone / "list.jsonl")
    (clone / "more.jsonl").symlink_to(".env")
    with pytest.raises(SetupError, match=r"it is a link that leads to .*\.env, which may hold keys; name that path"):
        read_tasks(clone / "more.jsonl")
    (clone / "proc.jsonl").symlink_to("/proc/self/environ")
    with pytest.raises(SetupError, match=r"it is a file of the operating system.* never passed on$"):
        read_tasks(clone / "proc.jsonl")
    assert [task.text for task in read_tasks(tmp_path / "private.jsonl")] == ["private"]


def test_a_link_that_a_job_is_given_is_refused_since_no_one_can_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clone").mkdir()
    (tmp_path / "private.csv").write_text("private")
    (tmp_path / "clone" / "sales.csv").symlink_to("../private.csv")
    monkeypatch.chdir(tmp_path / "clone")
    tasks, replay = job(tmp_path, 2)
    for mode in ("auto", "ask"):
        status, _, told = run(*line(tasks, replay, tmp_path / mode, "-f", "sales.csv", "-a", mode))
        assert (status, rows(tmp_path / mode)) == (1, [])
        assert f"sales.csv is a link to {tmp_path}/private.csv. No one can allow it in a job. To send what it" in told


def test_tasks_are_read_from_every_format(tmp_path: Path) -> None:
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "city"], ["7", "Bonn"], ["8", "{id}"]])
    read = read_tasks(tmp_path / "t.csv", "Where is {city}?")
    assert [(task.id, task.text) for task in read] == [("7", "Where is Bonn?"), ("8", "Where is {id}?")]
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"id": [3], "task": ["Go."]}), tmp_path / "t.parquet")
    assert [(task.id, task.text) for task in read_tasks(tmp_path / "t.parquet")] == [(3, "Go.")]
    assert [task.id for task in read_tasks(["one", "two"])] == [1, 2]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(_json)
def test_a_plain_answer_stays_as_it_is(value: object) -> None:
    assert plain(value) == value


def test_answers_that_json_lacks_are_told() -> None:
    import numpy as np
    import pandas as pd

    class Odd:
        def __repr__(self) -> str:
            raise ValueError

    assert plain(np.float64(2.5)) == 2.5
    assert plain(np.arange(3)) == [0, 1, 2]
    assert plain(pd.DataFrame({"a": [1]})) == [{"a": 1}]
    assert plain(float("nan")) == "NaN"
    assert isinstance(plain(Odd()), str)
    assert plain((1, {2})) == [1, [2]]


@pytest.mark.slow
def test_the_engine_of_the_documentation_does_a_job(tmp_path: Path, root: Path) -> None:
    page = (root / "docs" / "many-runs.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [source] = [block for block in blocks if "class ProcessEngine" in block]
    names: dict[str, Any] = {}
    exec(source, names)
    tasks, replay = job(tmp_path, 6)
    engine = names["ProcessEngine"]("2")
    try:
        results = scale.map(tasks, spec(replay), engine, out=tmp_path / "out")
    finally:
        engine.close()
    assert [row["answer"] for row in results] == [0, 2, 4, 6, 8, 10]
