"""The roster: one file a kernel, whole or not there; what is read of it is checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from smolcell.roster import FORGOTTEN, Kernel, Roster, Underway, is_there, kernels, place, roster_folder
from smolcell.worker import process

PENDING = Underway(run="r1", session="default", task="Count.", state="pending", step=2, began=5.0, since=7.5, cell="c1")
RUNNING = Underway(run="r2", session="other", task="Sum.", state="running")
needs_proc = pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="the system does not say which processes are there"
)


def here() -> tuple[int, int]:
    found = process.stat(os.getpid())
    return os.getpid(), found.start if found else 0


def test_what_one_process_writes_another_reads() -> None:
    Roster("k-1").write([PENDING, RUNNING])
    assert kernels() == [Kernel("k-1", *here(), (PENDING, RUNNING))]
    code = "from smolcell.roster import kernels; print([(k.id, [r.state for r in k.runs]) for k in kernels()])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[('k-1', ['pending', 'running'])]\n"


def test_the_file_stays_after_the_runs_and_goes_with_the_kernel() -> None:
    roster = Roster("k-1")
    roster.write([PENDING])
    roster.write([])
    assert [path.name for path in roster_folder().iterdir()] == ["k-1.json"]
    assert kernels() == [Kernel("k-1", *here(), ())]
    roster.close()
    roster.close()
    assert list(roster_folder().iterdir()) == []


@needs_proc
def test_the_file_of_a_kernel_that_is_gone_is_removed_by_whoever_reads() -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    Roster("k-1").write([PENDING])
    path = Roster("k-2").path
    path.write_text(
        json.dumps(
            {"v": 1, "kernel": "k-2", "place": place(), "pid": int(gone.stdout), "start": 1, "runs": [asdict(PENDING)]}
        )
    )
    assert [kernel.id for kernel in kernels()] == ["k-1"]
    assert not path.exists()


@needs_proc
def test_the_file_of_a_kernel_that_was_killed_is_removed_by_the_next_kernel() -> None:
    Roster("k-1").write([])
    path = Roster("k-2").path
    path.write_text(
        Roster("k-1").path.read_text().replace("k-1", "k-2").replace(f'"pid": {os.getpid()}', '"pid": 99999999')
    )
    Roster("k-3").write([])
    assert sorted(path.name for path in roster_folder().iterdir()) == ["k-1.json", "k-3.json"]


def test_a_kernel_of_another_machine_or_container_that_shares_the_home_keeps_its_file() -> None:
    Roster("k-1").write([PENDING])
    path = Roster("k-2").path
    said = {"v": 1, "kernel": "k-2", "place": "another boot", "pid": 99999999, "start": 1, "runs": [asdict(RUNNING)]}
    path.write_text(json.dumps(said))
    assert [kernel.id for kernel in kernels()] == ["k-1"]
    assert path.exists()
    long_ago = path.stat().st_mtime - FORGOTTEN - 60
    os.utime(path, (long_ago, long_ago))
    assert [kernel.id for kernel in kernels()] == ["k-1"]
    assert not path.exists()


@needs_proc
def test_a_process_id_that_was_given_out_anew_is_another_process() -> None:
    pid, start = here()
    assert is_there(pid, start)
    assert is_there(pid, 0)
    assert not is_there(pid, start + 1)


@pytest.mark.parametrize("name", ["", "../k", "a b", "k" * 81])
def test_a_kernel_whose_id_is_no_name_of_a_file_has_none(name: str) -> None:
    Roster(name).write([PENDING])
    assert not roster_folder().exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX only: permissions are bits")
def test_nobody_else_can_read_what_is_under_way() -> None:
    Roster("k-1").write([PENDING])
    assert roster_folder().stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_written_costs_one_warning_and_no_run(
    state_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state_dir.mkdir()
    (state_dir / "kernels").write_text("no folder")
    roster = Roster("k-1")
    roster.write([PENDING])
    roster.write([RUNNING])
    assert len(caplog.records) == 1
    assert "Other pages cannot be told" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        '{"v": 2, "kernel": "k-1", "place": "HERE", "pid": 1, "start": 0, "runs": []}',
        '{"v": 1, "kernel": "other", "place": "HERE", "pid": 1, "start": 0, "runs": []}',
        '{"v": 1, "kernel": "k-1", "place": 1, "pid": 1, "start": 0, "runs": []}',
        '{"v": 1, "kernel": "k-1", "place": "HERE", "pid": "1", "start": 0, "runs": []}',
        '{"v": 1, "kernel": "k-1", "place": "HERE", "pid": true, "start": 0, "runs": []}',
        '{"v": 1, "kernel": "k-1", "place": "HERE", "pid": 1, "start": 0, "runs": {}}',
        " " * 1_000_001,
    ],
    ids=["empty", "list", "torn", "deep", "version", "name", "place", "text-pid", "bool-pid", "runs", "long"],
)
def test_a_file_that_is_none_of_ours_is_passed_over(text: str) -> None:
    roster_folder().mkdir(parents=True)
    (roster_folder() / "k-1.json").write_text(text.replace("HERE", place()))
    assert kernels() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "sleeping"},
        {"state": []},
        {"task": 5},
        {"task": "x" * 201},
        {"step": "1"},
        {"since": None},
        {"run": None},
    ],
    ids=lambda wrong: json.dumps(wrong)[:40],
)
def test_a_run_that_is_none_is_passed_over_and_the_others_are_told(wrong: dict[str, object]) -> None:
    pid, start = here()
    runs = [{**asdict(PENDING), **wrong}, "no run", {**asdict(RUNNING), "more": "is ignored"}]
    roster_folder().mkdir(parents=True)
    said = {"v": 1, "kernel": "k-1", "place": place(), "pid": pid, "start": start, "runs": runs}
    (roster_folder() / "k-1.json").write_text(json.dumps(said))
    assert kernels() == [Kernel("k-1", pid, start, (RUNNING,))]
