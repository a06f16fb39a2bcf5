"""Finding and ending what runs below a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from smolcell.worker.system import processes

HALF_ENDED = """
import ctypes, os, platform, threading, time
from smolcell.worker.system import processes
EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]  # of a thread, unlike os._exit
processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
child = os.fork()
if not child:
    if not os.fork():
        time.sleep(60)
        os._exit(0)
    threading.Thread(target=time.sleep, args=(60,)).start()
    ctypes.CDLL(None).syscall(EXIT, 0)
while processes.stat(child).state != "Z":
    time.sleep(0.01)
found = processes.find_unknown_below(set())
processes.kill_below(set(), 60)
print(len(found), child in found, processes.find_unknown_below(set()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_process_whose_first_thread_has_ended_is_ended_with_what_it_started() -> None:
    done = subprocess.run([sys.executable, "-c", HALF_ENDED], capture_output=True, text=True, timeout=180, check=True)
    assert done.stdout == "2 True set()\n"


BOMB = """
import fcntl, os, time
from smolcell.worker.system import processes

def bomb(slot):  # has one of the slots, which is free again when it ends
    while True:
        if not os.fork():
            file = open("slots", "r+b")
            for slot in range(40):
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
                    break
                except OSError:
                    pass
            else:
                os._exit(0)
        try:
            os.waitpid(-1, os.WNOHANG)
        except OSError:
            pass

processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
open("slots", "wb").close()
if not os.fork():
    bomb(0)
began = time.monotonic()
while len(processes.find_unknown_below(set())) < 40 and time.monotonic() < began + 60:
    time.sleep(0.01)
sent = []
kill = os.kill
os.kill = lambda pid, number: (sent.append((pid, int(number))), kill(pid, number))
ended = processes.kill_below(set(), 60)
first = [number for _, number in sent].index(9)
print(ended, len(sent) > 40, {number for _, number in sent[:first]} == {19}, processes.find_unknown_below(set()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.slow
def test_processes_that_fork_without_end_are_stopped_before_the_first_is_ended(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BOMB], capture_output=True, text=True, timeout=180, check=True, cwd=tmp_path
    )
    assert done.stdout == "True True True set()\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_process_that_runs_changes_its_activity_and_one_that_waits_does_not() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
        assert cat.stdin is not None
        assert cat.stdout is not None
        cat.stdin.write(b"1")
        cat.stdin.flush()
        cat.stdout.read(1)
        while (waits := processes.stat(cat.pid)) is not None and waits.state != "S":
            pass
        activity = processes.Activity(cat.pid)
        before = activity.read()
        assert before != b""
        assert activity.read() == before
        cat.stdin.write(b"2")
        cat.stdin.flush()
        cat.stdout.read(1)
        assert activity.read() != before
    assert activity.read() == b""  # it is gone
    activity.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_process_with_threads_or_one_that_is_gone_is_not_bare() -> None:
    code = "import threading; threading.Thread(target=input, daemon=True).start(); print(1, flush=True); threading.Event().wait()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        assert not processes.is_bare(started.pid, set())
        started.kill()
    assert not processes.is_bare(started.pid, set())


PAGE_TABLES = """
import mmap
held = mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)  # MAP_NORESERVE
for at in range(0, len(held), 2 << 20):
    held[at]
print(flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_page_tables_count_as_memory() -> None:
    """Reading takes a page of them for each 2 MB, and no other memory."""
    with subprocess.Popen(
        [sys.executable, "-c", PAGE_TABLES], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        started.stdout.readline()
        assert processes.measure_memory({started.pid}, 1 << 30) > 128 << 20
        assert processes.measure_memory({started.pid}, 0) > 128 << 20
        started.kill()


def test_a_group_whose_bound_cannot_be_written_is_not_said_to_refuse_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound = tmp_path / "pids.max"
    bound.write_text("10\n")
    with processes.no_new_processes(str(tmp_path)) as refused:
        assert (refused, bound.read_text()) == (True, "0")
    assert bound.read_text() == "10\n"
    monkeypatch.setattr(processes, "_write", lambda *_: False)
    with processes.no_new_processes(str(tmp_path)) as refused:
        assert not refused


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.parametrize("name", [r"a\rVmPTE: 0", r"a\rVmPTE:", r"a\rNSpid: 7", r"a\rNSpid: x"])
def test_the_name_of_a_process_is_no_line_of_its_status(name: str) -> None:
    code = f"""if True:
        import ctypes, os
        from smolcell.worker.system import processes
        before = processes._number("/proc/self/status", b"VmPTE:", 1)
        assert ctypes.CDLL(None).prctl(15, b"{name}", 0, 0, 0) == 0
        print(before > 0, processes._number("/proc/self/status", b"VmPTE:", 1) > 0, processes.inner_id(os.getpid()) == os.getpid())
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True True True\n"
