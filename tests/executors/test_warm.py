"""The warm parent of local sandboxes: what it starts is as if the kernel had started it, and depends on it no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from examples import few_or_many
from local_parts import PROGRAMS, interfere
from processes import below, eventually, living

from smolcell.executors.local import LocalChannel, LocalPythonExecutor, WarmParent, warm_parent
from smolcell.worker.system import processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
Make = Callable[..., LocalPythonExecutor]
STARTING = PROGRAMS["starting without end"]


def parent_pid() -> int:
    """The warm parent of this process; 0 if there is none."""
    return warm_parent._process.pid if warm_parent._process is not None else 0


def words(pid: int, name: str) -> list[str]:
    """The command or environment of a process, as the system shows it."""
    return [word for word in Path(f"/proc/{pid}/{name}").read_text().split("\0") if word]


def descriptors_of(pid: int) -> int:
    """How many descriptors a process holds: the fewest of ten looks, since it also reads files of the system between."""
    counts = []
    for _ in range(10):
        counts.append(len(list(Path(f"/proc/{pid}/fd").iterdir())))
        time.sleep(0.01)
    return min(counts)


def test_a_supervisor_is_what_the_kernel_itself_would_have_started(
    make: Make, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")

    def seen(executor: Any) -> Any:
        executor("1")
        pid, channel = executor._channel.pid, executor._channel
        hidden = {str(channel.folder.path): "FOLDER", channel._token: "TOKEN"}

        def plain(text: str) -> str:
            for secret, name in hidden.items():
                text = text.replace(secret, name)
            return text

        stat = processes.stat(pid)
        assert stat is not None
        return {
            "parent": stat.parent,
            "own session": stat.session == pid,
            "command": [*map(plain, words(pid, "cmdline"))],
            "environment": sorted(map(plain, words(pid, "environ"))),
            "descriptors": descriptors_of(pid),
            "folder": plain(str(Path(f"/proc/{pid}/cwd").readlink())),
            "walls": executor.boundary().walls,
            "hour in Tokyo": executor("import time\ntime.localtime(0).tm_hour").output,
        }

    warm = seen(make())
    assert parent_pid()
    request.getfixturevalue("without_warm_parent")
    assert warm == seen(make())


def test_code_sees_the_environment_of_its_own_sandbox_alone(make: Make) -> None:
    make()("1")
    executor: Any = make(unguarded=True)
    seen = executor("import os\ndict(os.environ)").output
    of_worker = {"PYTHONPATH": "", "PLOTLY_RENDERER": "", "POLARS_TABLE_WIDTH": ""}  # which it sets itself
    assert {**seen, **of_worker} == {**executor._channel._environment(), **of_worker}


def test_sandboxes_go_on_without_the_parent_and_the_next_one_gets_another(make: Make) -> None:
    executor: Any = make()
    executor("x = 1")
    first = parent_pid()
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: not living({first}))
    assert executor("x").output == 1
    other: Any = make()
    assert other("2").output == 2  # started without one: it was found gone
    assert make()("3").output == 3
    assert parent_pid() not in (0, first)
    error = interfere(executor, lambda: os.kill(executor._channel.pid, signal.SIGSEGV)).error
    assert error is not None and "signal 11" in error.message


@pytest.mark.slow
def test_a_parent_that_does_not_answer_is_replaced(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()("1")
    stuck = parent_pid()
    os.kill(stuck, signal.SIGSTOP)
    assert warm_parent._socket is not None
    warm_parent._socket.settimeout(0.2)
    assert make()("1 + 1").output == 2
    assert not living({stuck})


@pytest.mark.slow
def test_python_is_started_if_there_can_be_no_parent(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = WarmParent()
    monkeypatch.setattr("smolcell.executors.local.warm_parent", fresh)
    monkeypatch.setattr("smolcell.executors.local.WARM_CODE", "raise SystemExit")
    assert make()("1 + 1").output == 2
    monkeypatch.undo()
    monkeypatch.setattr("smolcell.executors.local.warm_parent", fresh)
    assert make()("1 + 1").output == 2
    assert fresh._process is None  # one that has never worked is not tried again


def test_an_interrupted_start_is_not_taken_for_the_next_one(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()("1")
    before = below(os.getpid())

    def interrupted(*_: Any) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(WarmParent, "_answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        LocalChannel(512)
    monkeypatch.undo()
    assert eventually(lambda: below(os.getpid()) <= before)
    assert make()("1 + 1").output == 2


@few_or_many(12, 100)
def test_many_at_once_leave_nothing(count: int) -> None:
    with LocalPythonExecutor() as first:
        first("1")
    parts, descriptors, count_of_threads = below(os.getpid()), descriptors_of(os.getpid()), threading.active_count()

    def one(number: int) -> tuple[Any, list[Path]]:
        with LocalPythonExecutor() as executor:
            output = executor(f"{number} * 2").output
            channel: Any = executor._channel
            return output, [channel.folder.path, *map(Path, channel._groups.folders.values())]

    with ThreadPoolExecutor(10) as threads:
        found = list(threads.map(one, range(count)))
    assert [output for output, _ in found] == [2 * number for number in range(count)]
    assert [folder for _, folders in found for folder in folders if folder.exists()] == []
    assert eventually(lambda: below(os.getpid()) <= parts)
    # what an earlier test left may end meanwhile
    assert eventually(lambda: descriptors_of(os.getpid()) <= descriptors)
    assert eventually(lambda: threading.active_count() <= count_of_threads)
    assert descriptors_of(parent_pid()) == 4


@pytest.mark.slow
def test_a_process_forked_from_the_kernel_has_a_parent_of_its_own(make: Make) -> None:
    code = PROGRAMS["a fork of the kernel"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("moment", [0, 2, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 3, 4, 5, 8, 13))])
def test_nothing_is_left_if_the_kernel_is_killed_while_sandboxes_start(tmp_path: Path, moment: int) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    kernel = subprocess.Popen([sys.executable, "-c", STARTING], stdout=subprocess.PIPE, text=True, env=environment)
    assert kernel.stdout is not None
    with kernel, kernel.stdout as told:
        assert told.readline() == "starting\n"
        time.sleep(moment * 0.07)
        kernel.kill()

    def left() -> list[str]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if str(tmp_path) in (folder / "cmdline").read_text():
                    found.append((folder / "cmdline").read_text())
            except OSError:
                pass
        return [*found, *map(str, tmp_path.iterdir())]

    assert eventually(lambda: not left()), left()
