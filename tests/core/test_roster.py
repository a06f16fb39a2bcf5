"""The roster: one file a kernel, whole or not there; what is read of it is checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from examples import cases

from smolcell.executors.registry import OpenSandbox
from smolcell.notebook.activity import (
    FORGOTTEN_SECONDS,
    ActiveRun,
    Kernel,
    Roster,
    is_there,
    place,
    read_kernels,
    roster_folder,
)
from smolcell.worker.system import processes

PENDING = ActiveRun(
    run="r1", session="default", task="Count.", state="pending", step=2, began=5.0, since=7.5, cell="c1"
)
RUNNING = ActiveRun(run="r2", session="other", task="Sum.", state="running")
USED = OpenSandbox(kind="local", name="pid 7", run="r1", step=2)
needs_proc = pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="the system does not say which processes are there"
)


def here() -> tuple[int, int]:
    found = processes.stat(os.getpid())
    return os.getpid(), found.start if found else 0


def wrote(roster: Roster, runs: Sequence[ActiveRun], sandboxes: Sequence[OpenSandbox] = ()) -> None:
    """Write, and wait until it is done."""
    roster.write(runs, sandboxes)
    assert roster.flush(60)


def planted(kernel: str, **fields: Any) -> Path:
    """The file of a kernel, with these fields."""
    pid, start = here()
    said = {"v": 1, "kernel": kernel, "place": place(), "pid": pid, "start": start, "runs": [], **fields}
    path = roster_folder() / f"{kernel}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said))
    return path


def test_what_one_process_writes_another_reads() -> None:
    wrote(Roster("k-1"), [PENDING, RUNNING])
    assert read_kernels() == [Kernel("k-1", *here(), (PENDING, RUNNING))]
    code = "from smolcell.notebook.activity import read_kernels as kernels; print([(k.id, [r.state for r in k.runs]) for k in kernels()])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[('k-1', ['pending', 'running'])]\n"


def test_what_a_kernel_does_with_its_sandboxes_is_told_and_what_says_nothing_of_them_has_none() -> None:
    wrote(Roster("k-1"), [PENDING], [USED, OpenSandbox(kind="docker", name="smolcell-1")])
    [kernel] = read_kernels()
    assert kernel.sandboxes == (USED, OpenSandbox(kind="docker", name="smolcell-1"))
    assert kernel.process == ":".join(map(str, here()))
    planted("k-1", runs=[asdict(PENDING)])  # as a version wrote it that said nothing of sandboxes
    assert read_kernels() == [Kernel("k-1", *here(), (PENDING,))]


class SlowDisk(Roster):
    """A roster whose writes take until they are let go on."""

    def __init__(self, kernel: str) -> None:
        super().__init__(kernel)
        self.began, self.go_on = threading.Event(), threading.Event()
        self.steps: list[int] = []

    def _replace(self, runs: Sequence[ActiveRun], sandboxes: Sequence[OpenSandbox]) -> None:
        self.began.set()
        assert self.go_on.wait(60)
        self.steps += [run.step for run in runs]
        super()._replace(runs, sandboxes)


def test_a_slow_disk_blocks_no_one_and_the_last_report_is_read() -> None:
    roster = SlowDisk("k-1")
    for step in range(50):
        roster.write([replace(PENDING, step=step)])  # would wait for ever for what lets it go on
        assert roster.began.wait(60)
    assert read_kernels() == []
    roster.go_on.set()
    assert roster.flush(60)
    assert [run.step for kernel in read_kernels() for run in kernel.runs] == [49]
    assert roster.steps == [0, 49]  # what was said meanwhile was never written: it was not true any more


def test_nothing_is_written_after_the_end_also_if_it_was_said_before() -> None:
    roster = SlowDisk("k-1")
    roster.write([PENDING])
    assert roster.began.wait(60)
    roster.write([RUNNING])
    letting_go = threading.Timer(0.2, roster.go_on.set)
    letting_go.start()
    roster.close()
    letting_go.join()
    roster.write([PENDING])
    assert roster.flush(60)
    assert list(roster_folder().iterdir()) == []


def test_each_word_is_written_soon_also_where_the_writer_has_just_ended() -> None:
    roster = Roster("k-1")
    for turn in range(20):
        roster.write([replace(PENDING, step=turn)])
        assert roster.flush(60)
        assert [run.step for kernel in read_kernels() for run in kernel.runs] == [turn]


def test_a_process_without_another_thread_says_it_at_its_next_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    roster = Roster("k-1")
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        roster.write([PENDING])
    wrote(roster, [RUNNING])
    assert read_kernels() == [Kernel("k-1", *here(), (RUNNING,))]


def test_the_file_stays_after_the_runs_and_goes_with_the_kernel() -> None:
    roster = Roster("k-1")
    wrote(roster, [PENDING])
    wrote(roster, [])
    assert [path.name for path in roster_folder().iterdir()] == ["k-1.json"]
    assert read_kernels() == [Kernel("k-1", *here(), ())]
    roster.close()
    roster.close()
    assert list(roster_folder().iterdir()) == []


@needs_proc
def test_the_file_of_a_kernel_that_is_gone_is_removed_by_the_next_reader() -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    wrote(Roster("k-1"), [PENDING])
    path = planted("k-2", pid=int(gone.stdout), start=1, runs=[asdict(PENDING)])
    assert [kernel.id for kernel in read_kernels()] == ["k-1"]
    assert not path.exists()


@needs_proc
def test_the_file_of_a_kernel_that_was_killed_is_removed_by_the_next_kernel() -> None:
    wrote(Roster("k-1"), [])
    planted("k-2", pid=99999999)
    wrote(Roster("k-3"), [])
    assert sorted(path.name for path in roster_folder().iterdir()) == ["k-1.json", "k-3.json"]


def test_a_kernel_of_another_machine_or_container_that_shares_the_home_keeps_its_file() -> None:
    wrote(Roster("k-1"), [PENDING])
    path = planted("k-2", place="another boot", pid=99999999, start=1, runs=[asdict(RUNNING)])
    assert [kernel.id for kernel in read_kernels()] == ["k-1"]
    assert path.exists()
    long_ago = path.stat().st_mtime - FORGOTTEN_SECONDS - 60
    os.utime(path, (long_ago, long_ago))
    assert [kernel.id for kernel in read_kernels()] == ["k-1"]
    assert not path.exists()


@needs_proc
def test_a_reused_process_id_is_another_process() -> None:
    pid, start = here()
    assert is_there(pid, start)
    assert is_there(pid, 0)
    assert not is_there(pid, start + 1)


@pytest.mark.parametrize("name", ["", "../k", "a b", "k" * 81])
def test_a_kernel_whose_id_is_no_name_of_a_file_has_none(name: str) -> None:
    wrote(Roster(name), [PENDING])
    assert not roster_folder().exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX only: permissions are bits")
def test_other_users_cannot_read_the_active_runs() -> None:
    wrote(Roster("k-1"), [PENDING])
    assert roster_folder().stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_written_costs_one_warning_and_no_run(
    state_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state_dir.mkdir()
    (state_dir / "kernels").write_text("no folder")
    roster = Roster("k-1")
    wrote(roster, [PENDING])
    wrote(roster, [RUNNING])
    assert len(caplog.records) == 1
    assert "The list of active runs cannot be written" in caplog.text


LARGE = [pytest.param("[" * 100_000, id="deep"), pytest.param(" " * 1_000_001, id="long")]


@pytest.mark.parametrize("text", [*cases(__file__, "none_of_ours"), *LARGE])
def test_a_file_that_is_none_of_ours_is_passed_over(text: str) -> None:
    roster_folder().mkdir(parents=True)
    (roster_folder() / "k-1.json").write_text(text.replace("HERE", place()))
    assert read_kernels() == []


@pytest.mark.parametrize(("part", "wrong"), cases(__file__, "wrong"))
def test_a_run_or_sandbox_that_is_none_is_passed_over_and_the_others_are_told(part: str, wrong: dict[str, Any]) -> None:
    first, other = (PENDING, RUNNING) if part == "runs" else (USED, USED)
    planted("k-1", **{part: [{**asdict(first), **wrong}, "no entry", {**asdict(other), "more": "is ignored"}]})
    told: dict[str, Any] = {"runs": (), "sandboxes": (), part: (other,)}
    assert read_kernels() == [Kernel("k-1", *here(), **told)]
