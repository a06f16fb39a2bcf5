"""The list of sandboxes: what is shown of them, and what cleaning ends."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engines
import pytest
from processes import eventually
from test_docker_life import containers_of, dead, somebody

from smolcell.cli import main
from smolcell.executors import sandboxes
from smolcell.executors.containers import Owner
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.sandboxes import Sandbox, told
from smolcell.worker import process

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
    (folder / "worker.zip").write_text("import time\ntime.sleep(60)")
    owner = dead()
    words = [sys.executable, "-I", "-S", str(folder / "worker.zip"), f"{owner.pid}:{owner.start}"]
    started = subprocess.Popen(words, start_new_session=True)
    assert eventually(lambda: any(each.place == str(folder) for each in sandboxes.find()[0]))
    yield started.pid, folder
    started.kill()
    started.wait()


def test_a_local_worker_is_listed_while_it_runs_also_without_an_engine(no_engine: None) -> None:
    with LocalPythonExecutor() as executor:
        executor("kept = bytearray(50_000_000)")
        found, remarks = sandboxes.find()
        (mine,) = [each for each in found if each.name == f"pid {executor._channel.pid}"]
        assert (mine.kind, mine.image, mine.gone) == ("local", "", False)
        assert mine.owner.endswith(f"pid {os.getpid()}")
        assert mine.memory is not None and mine.memory > 50_000_000
        assert mine.cpu is not None and 0 < mine.cpu < 60
        assert 0 <= mine.age < 60
        stands = {wall.name for wall in executor.boundary().walls if wall.stands}
        assert set(mine.walls) - {"namespaces"} <= stands
    assert [remark.partition(":")[0] for remark in remarks] == ["no containers listed"]
    assert not [each for each in sandboxes.find()[0] if each.name == mine.name]


def test_cleaning_ends_the_worker_of_a_dead_kernel_and_no_other(no_engine: None, leftover: tuple[int, Path]) -> None:
    pid, folder = leftover
    with LocalPythonExecutor() as executor:
        executor("kept = 1")
        ended, _ = sandboxes.clean()
        assert [each.name for each in ended if each.place == str(folder)] == [f"pid {pid}"]
        assert f"pid {executor._channel.pid}" not in {each.name for each in ended}
        assert executor("kept").output == 1
    assert not folder.exists()
    assert process.stat(pid) is None or process.stat(pid).state in "ZX"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("also", "gone"), [({}, True), ({"NSpid": "4711\t7"}, False), ({"Uid": "4711\t4711\t4711\t4711"}, False)]
)
def test_a_worker_that_is_counted_otherwise_or_another_users_is_not_judged(
    also: dict[str, str], gone: bool, leftover: tuple[int, Path], monkeypatch: pytest.MonkeyPatch, no_engine: None
) -> None:
    real = sandboxes._status
    monkeypatch.setattr(sandboxes, "_status", lambda pid: {**real(pid), **also})
    assert [each.gone for each in sandboxes.find()[0] if each.place == str(leftover[1])] == [gone]


@pytest.mark.parametrize(
    "words",
    [
        ["python", "-I", "-S", "/tmp/smolcell-00/worker.zip", "1:1"],
        ["python", "-I", "-S", "/tmp/smolcell-0123456789abcdef/worker.zip"],
        ["python", "-I", "-S", "/tmp/smolcell-0123456789abcdef/worker.zip", "1:1", "more"],
        ["python", "-I", "-S", "/tmp/smolcell-0123456789abcdef/../worker.zip", "1:1"],
        ["python", "-I", "-S", "/tmp/smolcell-0123456789abcdef/worker.zip", "-1:1"],
    ],
)
def test_other_commands_are_no_workers(words: list[str]) -> None:
    assert sandboxes._folder(words) == ""
    assert sandboxes._folder([*words[:3], "/tmp/smolcell-0123456789abcdef/worker.zip", "1:1"])


def test_containers_are_listed_with_their_walls_and_owner() -> None:
    with engines.engine(), engines.sandboxes() as make:
        executor = make()
        executor("1")
        (mine,) = [each for each in sandboxes.find()[0] if each.name == executor._channel.name]
        assert (mine.kind, mine.gone) == ("docker", False)
        assert mine.image in (executor._channel.image, f"{executor._channel.image}:latest")
        assert mine.owner == f"{Owner.here().name}, kernel {Owner.here().kernel}"
        assert mine.memory is not None and mine.memory > 1_000_000
        assert mine.cpu is not None and mine.cpu > 0
        assert {"guard", "files", "network", "processes", "rights", "limits"} <= set(mine.walls)


def test_the_command_ends_leftover_containers_and_says_so(somebody: None, capsys: pytest.CaptureFixture[str]) -> None:
    with engines.engine() as engine, containers_of(engine, dead(), Owner.here()) as (gone, kept):
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
    each = Sandbox(
        kind="docker", name="n", image="i", age=7300, memory=5_000_000, cpu=1.25, owner="o", walls=("a", "b")
    )
    assert told([each]).splitlines() == [
        "kind    name  image  age  memory  cpu    owner  walls",
        "docker  n     i      2 h  5 MB    1.2 s  o      a, b",
    ]
    assert told([]) == "no sandbox is running"


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
    (found,) = [each for each in sandboxes.find()[0] if each.place == str(folder)]
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: process.stat(pid) is None or process.stat(pid).state in "ZX")  # type: ignore[union-attr]
    assert sandboxes._end(found) is False
    assert folder.exists()
