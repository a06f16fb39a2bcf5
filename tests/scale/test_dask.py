"""Jobs on real Dask clusters: workers, schedulers and clients are killed, and every task has one row."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from distributed import LocalCluster
from examples import FULL
from jobs import PATIENCE, command, job, line, rows, run, spec, until, written

from smolcell import scale
from smolcell.errors import SetupError


def alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE}


def family(pid: int) -> set[int]:
    return {child.pid for child in psutil.Process(pid).children(recursive=True)}


def workers(pid: int) -> list[psutil.Process]:
    """The processes of a LocalCluster whose client is this process."""
    children = psutil.Process(pid).children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.slow
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("count", [48, 2000 if FULL else 200])
def test_every_task_has_one_row_though_a_worker_and_the_client_are_killed(tmp_path: Path, count: int) -> None:
    """48 and 200 tasks; 2,000 with ``SMOLCELL_FULL=1``."""
    tasks, replay = job(tmp_path, count)
    out = tmp_path / "out"
    words = command(tasks, replay, out, "--on", "dask:2")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        until(lambda: written(out) >= count // 8, process)
        workers(process.pid)[0].kill()
        seen = written(out)
        until(lambda: written(out) >= seen + count // 8, process)
        before = family(process.pid)
        process.kill()
        process.communicate()
    until(lambda: not alive(before))
    assert len(before) > 2
    half = written(out)
    assert half < count
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    found = rows(out)
    assert sorted(row["id"] for row in found) == sorted(f"t{number}" for number in range(count))
    assert {row["state"] for row in found} == {"success"}
    assert [row["answer"] for row in found] == [2 * int(row["id"][1:]) for row in found]


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and a worker as a person starts them; they share no files with the job by name alone."""
    environment = {**os.environ, "SMOLCELL_STATE_DIR": str(folder / "state of the workers")}
    started: list[subprocess.Popen[str]] = []
    contact = folder / "scheduler.json"

    def start(*given: str) -> None:
        words = [sys.executable, "-m", "distributed.cli.dask_" + given[0], *given[1:], "--no-dashboard"]
        started.append(subprocess.Popen(words, cwd=folder, env=environment, stderr=subprocess.DEVNULL, text=True))

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(contact))
        until(lambda: contact.exists() and contact.read_text())
        start("worker", "--scheduler-file", str(contact), "--nthreads", "2", "--no-nanny")
        yield json.loads(contact.read_text())["address"].removeprefix("tcp:"), started
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_cluster_is_used_by_its_address_and_a_dead_scheduler_is_said(tmp_path: Path) -> None:
    pause = ["import time\ntime.sleep(0.5)\nfinal_answer(1)"]  # the scheduler is killed before all are done
    tasks, replay = job(tmp_path, 24, lambda number: pause if number > 7 else ["final_answer(1)"])
    with cluster(tmp_path) as (address, started):
        results = scale.map(tasks, spec(replay), f"dask:{address}", out=tmp_path / "first")
        assert results.ok
        out = tmp_path / "second"
        words = command(tasks, replay, out, "--on", f"dask:{address}")
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            until(lambda: written(out) >= 4, process)
            started[0].kill()
            _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1
        assert "the engine has ended; finished tasks are kept" in said
        assert "Traceback" not in said
    assert 4 <= written(out) < 24
    assert run(*line(tasks, replay, out))[0] == 0
    assert len({row["id"] for row in rows(out)}) == len(rows(out)) == 24


def test_a_job_is_done_by_a_cluster(tmp_path: Path) -> None:
    tasks, replay = job(tmp_path, 6)
    with LocalCluster(1, processes=False, host="127.0.0.1", protocol="tcp", dashboard_address=None) as threads:
        address = threads.scheduler_address.removeprefix("tcp:")
        results = scale.map(tasks, spec(replay), f"dask:{address}", out=tmp_path / "out")
    assert [row["answer"] for row in results] == [0, 2, 4, 6, 8, 10]
    assert len(rows(tmp_path / "out")) == 6


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_said() -> None:
    with pytest.raises(SetupError, match="no Dask scheduler answers at 127"):
        scale.map(["a task"], scale.AgentSpec(replay="none.jsonl"), "dask://127.0.0.1:9")


@pytest.mark.slow
def test_ctrl_c_ends_workers_and_keeps_what_is_done(tmp_path: Path) -> None:
    tasks, replay = job(
        tmp_path, 40, lambda number: ["import time\ntime.sleep(600)"] if number > 7 else ["final_answer(1)"]
    )
    out = tmp_path / "out"
    words = command(tasks, replay, out, "--on", "dask:2")
    started = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)
    with started as process:
        until(lambda: written(out) >= 4, process)
        before = family(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # what a terminal does
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in said
    until(lambda: not alive(before))
    assert len(rows(out)) >= 4
