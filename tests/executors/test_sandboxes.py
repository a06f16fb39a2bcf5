"""The list of sandboxes: what is shown of them, and what cleaning ends."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import engines
import pytest
from freezer import pause
from processes import eventually
from test_docker_faults import containers_of, somebody

from smolcell.cli import main
from smolcell.errors import SmolcellError
from smolcell.executors import inventory
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.docker import containers
from smolcell.executors.inventory import table
from smolcell.executors.local import LocalPythonExecutor, workers
from smolcell.executors.registry import Sandbox, SandboxOwner, open_sandboxes, subscribe
from smolcell.notebook import activity
from smolcell.notebook.activity import Roster
from smolcell.worker.system import processes

__all__ = ["somebody"]  # a fixture
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only: processes are found in /proc")


@pytest.fixture
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")


@pytest.fixture
def leftover(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A process that looks like a worker whose kernel is gone, and its folder."""
    folder = tmp_path / f"smolcell-{secrets.token_hex(8)}"
    folder.mkdir()
    (folder / "worker.zip").write_text("import time\ntime.sleep(600)")
    owner = engines.dead()
    words = [sys.executable, "-I", "-S", str(folder / "worker.zip"), f"{owner.pid}:{owner.start}"]
    started = subprocess.Popen(words, start_new_session=True)
    assert eventually(lambda: any(each.place == str(folder) for each in inventory.find()[0]))
    yield started.pid, folder
    started.kill()
    started.wait()


def test_a_local_worker_is_listed_while_it_runs_also_without_an_engine(no_engine: None) -> None:
    with LocalPythonExecutor() as executor:
        executor("kept = bytearray(50_000_000)")
        found, remarks = inventory.find()
        (mine,) = [each for each in found if each.name == f"pid {executor._channel.pid}"]
        assert (mine.kind, mine.image, mine.gone) == ("local", "", False)
        assert mine.owner.endswith(f"pid {os.getpid()}")
        resident = sum(map(workers._resident, processes.find_tree(executor._channel.pid)))
        assert mine.memory is not None and 50_000_000 < mine.memory < resident  # what processes share is counted once
        assert mine.cpu is not None and 0 < mine.cpu < 600
        assert 0 <= mine.age < 600
        stands = {wall.name for wall in executor.boundary().walls if wall.stands}
        assert set(mine.walls) - {"namespaces"} <= stands
    assert [remark.partition(":")[0] for remark in remarks] == ["no containers listed"]
    assert not [each for each in inventory.find()[0] if each.name == mine.name]


def test_cleaning_ends_the_worker_of_a_dead_kernel_and_no_other(no_engine: None, leftover: tuple[int, Path]) -> None:
    pid, folder = leftover
    with LocalPythonExecutor() as executor:
        executor("kept = 1")
        ended, _ = inventory.clean()
        assert [each.name for each in ended if each.place == str(folder)] == [f"pid {pid}"]
        assert f"pid {executor._channel.pid}" not in {each.name for each in ended}
        assert executor("kept").output == 1
    assert not folder.exists()
    assert processes.stat(pid) is None or processes.stat(pid).state in "ZX"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("also", "gone"), [({}, True), ({"NSpid": "4711\t7"}, False), ({"Uid": "4711\t4711\t4711\t4711"}, False)]
)
def test_a_worker_that_is_counted_otherwise_or_another_users_is_not_judged(
    also: dict[str, str], gone: bool, leftover: tuple[int, Path], monkeypatch: pytest.MonkeyPatch, no_engine: None
) -> None:
    real = workers._status
    monkeypatch.setattr(workers, "_status", lambda pid: {**real(pid), **also})
    assert [each.gone for each in inventory.find()[0] if each.place == str(leftover[1])] == [gone]


@pytest.mark.parametrize(
    "words",
    [
        "/tmp/smolcell-00/worker.zip 1:1",
        "/tmp/smolcell-0123456789abcdef/worker.zip",
        "/tmp/smolcell-0123456789abcdef/worker.zip 1:1 more",
        "/tmp/smolcell-0123456789abcdef/../worker.zip 1:1",
        "/tmp/smolcell-0123456789abcdef/worker.zip -1:1",
    ],
)
def test_other_commands_are_no_workers(words: str) -> None:
    python = ["python", "-I", "-S"]
    assert workers._folder([*python, *words.split()]) == ""
    assert workers._folder([*python, "/tmp/smolcell-0123456789abcdef/worker.zip", "1:1"])


def test_the_command_ends_leftover_containers_and_says_so(somebody: None, capsys: pytest.CaptureFixture[str]) -> None:
    with engines.engine() as engine, containers_of(engine, engines.dead(), SandboxOwner.here()) as (gone, kept):
        assert main(["sandboxes"]) == 0
        listed = capsys.readouterr().out
        assert f"{gone}  " in listed and "gone (clean up: smolcell sandboxes --clean)" in listed
        assert main(["sandboxes", "--clean"]) == 0
        cleaned = capsys.readouterr().out
        ended, _, still = cleaned.partition("\n")
        assert (gone in ended, kept in ended) == (True, False)
        assert (gone in still, kept in still) == (False, True)


def test_the_command_works_without_an_engine(no_engine: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sandboxes", "--clean"]) == 0
    assert "no containers listed: no Docker engine answers at" in capsys.readouterr().out


def test_the_list_is_a_table_with_units() -> None:
    near = Sandbox(
        kind="docker",
        name="n",
        state="paused",
        image="i",
        age=7300,
        memory=5_000_000,
        cpu=1.25,
        owner="o",
        walls=("a", "b"),
    )
    far = Sandbox(kind="e2b", name="m", state="idle", owner="o", ends="no time-out")
    assert table([near, far]).splitlines() == [
        "kind    name  state              image  age  memory  cpu    owner  walls",
        "docker  n     paused             i      2 h  5 MB    1.2 s  o      a, b",
        "e2b     m     idle, no time-out  -      0 s  ?       ?      o      none",
    ]
    assert table([]) == "no sandbox is running"


def test_the_magic_shows_the_list(no_engine: None) -> None:
    from smolcell.errors import SetupError
    from smolcell.notebook.magic import AgentMagics

    said: list[str] = []
    unused: Any = None
    magics = AgentMagics(unused, unused, unused, said.append)
    magics.line("sandboxes")
    assert "no containers listed" in said[0]
    with pytest.raises(SetupError, match="!smolcell sandboxes --clean"):
        magics.line("sandboxes --clean")


def test_what_has_ended_meanwhile_is_not_ended_again(leftover: tuple[int, Path]) -> None:
    pid, folder = leftover
    (found,) = [each for each in inventory.find()[0] if each.place == str(folder)]
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: processes.stat(pid) is None or processes.stat(pid).state in "ZX")  # type: ignore[union-attr]
    assert inventory._end(found) is False
    assert folder.exists()


# --- what one does ----------------------------------------------------------------------------------------------------


@pytest.fixture
def roster() -> Iterator[Roster]:
    """This process's, as a notebook's kernel has it."""
    made = Roster("k-1")
    undo = subscribe(lambda: made.write((), open_sandboxes()))
    yield made
    undo()
    made.close()


def state(name: str, roster: Roster) -> str:
    assert roster.flush(60)
    return next((each.state for each in activity.with_states(inventory.find_near()[0]) if each.name == name), "")


def comes(name: str, roster: Roster, wanted: str) -> bool:
    return eventually(lambda: state(name, roster) == wanted)


@contextmanager
def in_step(executor: WorkerExecutor) -> Iterator[None]:
    """While a step without an end is open."""
    failed: list[bool] = []

    def run() -> None:
        with pytest.raises(SmolcellError):
            executor("while True: pass")
        failed.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        executor.interrupt()
        thread.join()
    assert failed


def test_a_process_s_state_is_told_while_idle_in_a_step_and_while_stopped(no_engine: None, roster: Roster) -> None:
    with LocalPythonExecutor(timeout=300) as executor:
        executor("1")
        name = executor.listed()
        assert state(name, roster) == "idle"
        with in_step(executor):
            assert comes(name, roster, "running code")
            members = processes.find_tree(executor._channel.pid)
            for pid in members:
                os.kill(pid, signal.SIGSTOP)
            assert comes(name, roster, "stopped (SIGSTOP), in code")
            for pid in members:
                os.kill(pid, signal.SIGCONT)
            assert comes(name, roster, "running code")
        assert comes(name, roster, "idle")
        roster.close()
        assert state(name, roster) == "open"  # a program that says nothing of its sandboxes


def test_a_stopped_process_is_ended_all_the_same(no_engine: None) -> None:
    with LocalPythonExecutor() as executor:
        executor("1")
        for pid in processes.find_tree(executor._channel.pid):
            os.kill(pid, signal.SIGSTOP)
        assert inventory.end("local", executor.listed())
        assert eventually(lambda: executor.listed() == "")
        assert executor("1 + 1").output == 2


@pytest.mark.slow
def test_a_container_s_state_is_told_while_idle_in_a_step_and_while_paused_and_it_can_be_ended_then(
    roster: Roster,
) -> None:
    with engines.engine() as engine, engines.sandboxes() as make:
        executor = make(timeout=300)
        executor("kept = bytearray(50_000_000)")
        name, api = executor.listed(), engine.client.api
        assert state(name, roster) == "idle"
        with in_step(executor):
            assert comes(name, roster, "running code")
            pause(engine, name)
            assert comes(name, roster, "paused, in code")
            (mine,) = [each for each in inventory.find_near()[0] if each.name == name]
            assert (mine.kind, mine.gone) == ("docker", False)
            assert mine.image in (executor._channel.image, f"{executor._channel.image}:latest")
            assert mine.owner == f"{SandboxOwner.here().name}, kernel {SandboxOwner.here().kernel}"
            assert mine.cpu is not None and mine.cpu > 0
            assert {"guard", "files", "network", "processes", "rights", "limits"} <= set(mine.walls)
            assert mine.memory is not None and 50_000_000 < mine.memory < 1_000_000_000
            assert 0 <= mine.age < 3600
            api.unpause(name)
            assert comes(name, roster, "running code")
        pause(engine, name)
        assert comes(name, roster, "paused")
        assert inventory.end("docker", name)
        assert state(name, roster) == ""
        assert eventually(lambda: executor.listed() == "")
        assert executor("1 + 1").output == 2


def test_a_container_that_was_not_started_or_has_ended_says_so(somebody: None, roster: Roster) -> None:
    with engines.engine() as engine, containers_of(engine, engines.dead(), SandboxOwner.here()) as (gone, kept):
        listed = {each.name: each.state for each in activity.with_states(inventory.find_near()[0])}
        assert listed[gone].endswith("its kernel is gone")
        assert listed[kept] in ("created", "open")


@pytest.mark.parametrize(
    ("said", "inspected", "words"),
    [
        ({"State": "running"}, None, "running"),
        ({"State": "running"}, {"State": {"Status": "paused", "ExitCode": 0}}, "paused"),
        ({"State": "exited"}, {"State": {"Status": "exited", "ExitCode": 137}}, "exited (137)"),
        ({"State": "exited"}, {"State": {"Status": "exited", "ExitCode": "137"}}, "exited"),
        ({"State": "restarting"}, {"State": []}, "restarting"),
        ({"State": "removing"}, {}, "removing"),
        ({}, None, "unknown"),
        ({"State": "a\u202eb\n\x1b[2Jc" + "d" * 500}, None, "a\\u{202e}b \\u{1b}[2Jc"),
    ],
)
def test_a_container_s_state_is_the_engine_s_word_made_visible_and_bounded(
    said: Any, inspected: Any, words: str
) -> None:
    assert containers._state(said, inspected)[:200].startswith(words)
    assert len(containers._state(said, inspected)) < 400
    assert containers._state(said, inspected).isprintable()
