"""Checkpoints of a live sandbox: a step is taken back, whatever it did, and its copies are no way out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checkpoint_bench import Bench
from examples import quick
from local_parts import PROGRAMS, LocalInTests, programs
from processes import descriptors, eventually, living

from smolcell.errors import CapabilityError, SmolcellError
from smolcell.executors import Restored
from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.supervisor import checkpoints
from smolcell.worker.system import processes
from smolcell.worker.system.processes import SHARED

Open = Callable[..., Bench]
FORK_TOO_SLOW = "what the program does at a fork took too long"
NO_COPY = r"copy (was ended|does not answer)"


EACH = pytest.mark.parametrize("bench", quick(["full", "guarded", "reduced"], "full", "guarded"), indirect=True)


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    made: list[Bench] = []

    def open_bench(kind: str = "full", **options: Any) -> Bench:
        maker: Any = request.getfixturevalue("contained") if kind == "docker" else LocalInTests
        if kind == "reduced":
            options["without"] = ["namespaces"]
        level = "guarded" if kind == "guarded" else "full"
        made.append(Bench(maker(["*"], python=level, checkpoints=10, **options)))
        return made[-1]

    yield open_bench
    for each in made:
        each.close()


@pytest.fixture
def bench(request: pytest.FixtureRequest, opened: Open) -> Bench:
    """Of the kind that the test is parametrized with, or of level full."""
    return opened(getattr(request, "param", "full"))


@EACH
def test_variables_and_files_are_as_before_the_step(bench: Bench) -> None:
    bench.run("x = 1\nopen('a.txt', 'w').write('one')")
    bench.run("x = 2\ny = 3\nopen('a.txt', 'w').write('two')\nopen('b.txt', 'w').write('new')")
    assert bench.back() == ""
    assert bench.show("x, 'y' in globals(), open('a.txt').read()") == "(1, False, 'one')"
    assert bench.run("open('b.txt')").error is not None


@EACH
def test_several_steps_are_taken_back_at_once_and_then_earlier_ones(bench: Bench) -> None:
    for number in range(4):
        bench.run(f"x = {number}")
    bench.back(3)
    assert bench.show("x") == "1"
    bench.back(2)
    assert bench.show("x") == "0"
    with pytest.raises(CapabilityError, match="keeps no checkpoint of this step"):
        bench.back(4)


@pytest.mark.parametrize("bench", quick(["full", "guarded", "reduced"], "full"), indirect=True)
def test_a_step_that_was_killed_costs_no_variables(bench: Bench) -> None:
    bench.run("x = 1")
    observed = bench.run("x = 2\nmax(range(10 ** 12))", timeout=0.2)
    assert (observed.error.kind, observed.state_lost) == ("limit", False)  # type: ignore[union-attr]
    assert "its process was killed; the variables are as they were before the step" in str(observed.error)
    assert bench.show("x") == "1"
    bench.back(2)  # the killed step itself
    assert bench.show("x") == "1"
    bench.back(1)
    assert bench.run("x").error is not None


def test_a_step_that_ended_its_own_process_costs_no_variables(bench: Bench) -> None:
    bench.run("x = 1")
    observed = bench.run("x = 2\nimport os\nos._exit(3)")
    assert (observed.error.kind, observed.state_lost) == ("sandbox", False)  # type: ignore[union-attr]
    assert bench.show("x") == "1"


def test_open_files_go_on_where_they_were(bench: Bench) -> None:
    bench.run("open('a.txt', 'w').write('abcdef')\nf = open('a.txt', 'rb', buffering=0)\nf.read(2)")
    assert bench.show("f.read(2)") == "b'cd'"
    bench.back()
    assert bench.show("f.read(2)") == "b'cd'"


@pytest.mark.parametrize(
    ("begin", "then", "seen"),
    [
        ("f = open('a.txt', 'w+')\nos.register_at_fork(after_in_child=f.close)", "f.closed", "True"),
        (
            "f = open('a.txt', 'w+')\nf.write('abc')\nf.flush()\nopen('b.txt', 'w').close()\n"
            "def other():\n    global f\n    f.close()\n    f = open('b.txt', 'w')\n"
            "os.register_at_fork(after_in_child=other)",
            "f.name, f.tell()",
            "('b.txt', 0)",
        ),
        ("import random\nrandom.seed(1)\nbefore = random.getstate()", "random.getstate() == before", "True"),
    ],
    ids=["closes a file", "opens another file", "seeds random"],
)
def test_a_copy_takes_over_whatever_is_done_in_a_forked_process(bench: Bench, begin: str, then: str, seen: str) -> None:
    bench.run(f"import os\n{begin}")
    bench.run("x = 1")
    assert bench.back() == ""
    assert bench.show(then) == seen


@pytest.mark.slow
@EACH
def test_a_step_after_a_chart_is_taken_back(bench: Bench) -> None:
    pytest.importorskip("matplotlib")
    draw = "plt.plot([1, 2])\nplt.savefig('a.png')\nplt.gcf()"
    bench.run(f"import matplotlib.pyplot as plt\n{draw}")  # its fonts stay open, and are closed in a forked process
    bench.run("x = 1")
    assert bench.back() == ""
    assert [list(bundle.data) for bundle in bench.run(draw).outputs] == [["image/png", "text/plain"]]


@pytest.mark.parametrize("bench", ["guarded"], indirect=True)
def test_tools_and_imports_are_those_of_now(bench: Bench) -> None:
    bench.run("x = 1")
    bench.executor.authorize_imports(["sqlite3"])
    bench.run("import sqlite3")
    bench.back(2)
    assert bench.run("import sqlite3").error is None


def test_linear_algebra_goes_on_after_a_return(bench: Bench) -> None:
    bench.run("import numpy as np\na = np.ones((300, 300))\nb = a @ a")
    bench.run("b = None")
    assert bench.known()[1] == (2, "copy", "")  # OpenBLAS ends its threads before a fork
    assert bench.back() == ""
    assert bench.show("float((b @ a).sum())") == "8100000000.0"


def test_what_a_fork_would_not_copy_is_left_to_a_replay(bench: Bench) -> None:
    bench.run(
        "import subprocess, threading\nstop = threading.Event()\nt = threading.Thread(target=stop.wait)\nt.start()"
    )
    bench.run("stop.set()\nt.join()\np = subprocess.Popen(['sleep', '600'])")
    bench.run("p.kill()\np.wait()")
    bench.run(
        "async def later(): pass\nimport asyncio\nasync def go(): asyncio.get_running_loop().create_task(asyncio.sleep(600))\nawait go()"
    )
    bench.run("pass")
    assert bench.known() == [
        (1, "copy", ""),
        (2, "replay", "a thread of the program goes on"),
        (3, "replay", "a process that the program started goes on"),
        (4, "copy", ""),
        (5, "replay", "a task of asyncio is not done"),
    ]
    with pytest.raises(CapabilityError, match="a thread of the program goes on"):
        bench.back(2)


@pytest.mark.parametrize("bench", quick(["full", "reduced"], "full"), indirect=True)
def test_a_process_of_the_program_is_not_ended_if_the_copy_is_refused(bench: Bench) -> None:
    bench.run(
        "import asyncio\np = await asyncio.create_subprocess_exec('sleep', '600')\n"
        "async def wait(): await p.wait()\nt = asyncio.create_task(wait())"
    )
    bench.run("pass")
    assert bench.known()[1][1] == "replay"
    bench.run("await asyncio.sleep(0.1)")  # asyncio would learn of its end
    assert bench.show("p.returncode, t.done()") == "(None, False)"


@pytest.mark.parametrize("bench", quick(["full", "reduced"], "full"), indirect=True)
def test_a_process_of_the_program_is_not_ended_if_the_copy_ended_itself(bench: Bench) -> None:
    bench.run("import os, subprocess\np = subprocess.Popen(['sleep', '600'])")
    bench.run("os.register_at_fork(after_in_child=lambda: os._exit(0))")
    for _ in range(5):
        bench.run("pass")
    assert {reason for _, how, reason in bench.known() if how == "replay"} <= {
        "a process that the program started goes on",
        "its copy was ended",
    }
    assert bench.show("p.poll()") == "None"


@pytest.mark.slow
def test_a_function_at_a_fork_that_does_not_end_costs_no_variables(bench: Bench) -> None:
    bench.run("import os, time\nx = 1\nos.register_at_fork(before=lambda: time.sleep(600))")
    assert bench.call(bench.executor.pull(["x"])) == {"x": 1}
    bench.run("x = 2")
    assert bench.show("x") == "2"
    assert bench.known()[1:] == [(step, "replay", FORK_TOO_SLOW) for step in (2, 3)]


IGNORING = PROGRAMS["a function at a fork that ignores interrupts until there is a file"]


@pytest.fixture
def go(tmp_path: Path) -> str:
    (tmp_path / "go").touch()
    return str(tmp_path / "go")


@pytest.mark.slow
def test_a_function_at_a_fork_that_ignores_interrupts_costs_no_variables_while_no_step_waits(
    bench: Bench, go: str
) -> None:
    bench.run(IGNORING)
    bench.wait_for_file("late")
    bench.executor.send_files([go])
    assert bench.show("x") == "1"
    assert bench.known()[1:] == [(2, "replay", FORK_TOO_SLOW)]


@pytest.mark.slow
def test_a_function_at_a_fork_that_never_ends_is_ended_with_its_process(bench: Bench) -> None:
    bench.run(IGNORING)
    assert bench.run("x", timeout=2).state_lost
    assert bench.run("1").error is None


@pytest.mark.slow
def test_a_page_that_asks_for_the_variables_during_a_slow_fork_ends_no_runner(bench: Bench, go: str) -> None:
    bench.run(IGNORING)
    bench.wait_for_file("late")  # the copy is late, and no request was ended for that yet
    with pytest.raises(SmolcellError, match="fork took too long"):
        bench.executor.variables()
    bench.executor.send_files([go])
    assert bench.show("x") == "1"


def wait_until_idle(pid: int) -> None:
    """Until the first thread of a process waits, and goes on waiting."""
    looks: list[str] = []

    def is_idle() -> bool:
        time.sleep(0.02)
        looks.append(Path(f"/proc/{pid}/task/{pid}/status").read_text().partition("\nvoluntary_ctxt_switches:")[2])
        return looks[-10:] == looks[-1:] * 10

    assert eventually(is_idle)


@pytest.mark.parametrize("bench", ["reduced"], indirect=True)
def test_an_error_of_a_signal_handler_between_steps_costs_no_variables(bench: Bench, go: str) -> None:
    pid = bench.show("__import__('os').getpid()")
    bench.run(
        "import os, signal, threading, time\nx = 1\n"
        "def fail(*_):\n    open('failed', 'w').close()\n    raise KeyError('late')\n"
        "def late():\n    while not os.path.exists('go'): time.sleep(0.02)\n    os.kill(os.getpid(), signal.SIGUSR1)\n"
        "signal.signal(signal.SIGUSR1, fail)\nthreading.Thread(target=late).start()"
    )
    wait_until_idle(int(pid))
    bench.executor.send_files([go])
    bench.wait_for_file("failed")
    assert bench.show("x") == "1"


@pytest.mark.parametrize("bench", ["full"], indirect=True)
def test_errors_of_signal_handlers_cost_no_request(bench: Bench) -> None:
    bench.run(
        "import signal, threading\nx = 1\nover, main = threading.Event(), threading.get_ident()\n"
        "def fail(*_): raise KeyError('late')\nsignal.signal(signal.SIGUSR1, fail)\n"
        "def hail():\n    while not over.wait(0.0001): signal.pthread_kill(main, signal.SIGUSR1)\n"
        "hails = threading.Thread(target=hail)\nhails.start()"
    )
    for _ in range(30):
        observed = bench.run("x")  # it may fail: the handler raises while the step runs, too
        assert observed.error is None or (observed.error.type, observed.state_lost) == ("KeyError", False)
    bench.run("over.set()")
    bench.run("over.set()\nhails.join()")
    assert bench.show("x") == "1"


def test_nothing_of_the_program_s_is_drawn_between_steps(bench: Bench) -> None:
    bench.open()
    bench.run(
        "import sys, types\ncalls = []\nplot = types.ModuleType('matplotlib.pyplot')\nplot.close = lambda number: None\n"
        "plot.get_fignums = lambda: calls.append(1) or []\nsys.modules['matplotlib.pyplot'] = plot"
    )
    bench.wait_for_copy()
    assert bench.show("len(calls)") == "1"  # the step itself


@pytest.mark.slow
def test_an_interrupt_before_a_step_begins_costs_no_variables(bench: Bench) -> None:
    bench.run("import os, subprocess, time\nx = 1\np = subprocess.Popen(['sleep', '600'])")  # no copy is made beside it
    bench.run("def slow():\n    open('forking', 'w').close()\n    time.sleep(600)\nos.register_at_fork(before=slow)")

    def interrupt() -> None:
        bench.wait_for_file("forking")
        bench.executor.interrupt()

    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    observed = bench.run("x = 2")
    interrupting.join()
    assert "the step was interrupted; its variables are kept" in str(observed.error)
    assert not observed.state_lost
    assert bench.show("x") == "1"


def test_a_folder_that_holds_too_much_is_named(bench: Bench) -> None:
    bench.run(f"open('large', 'wb').truncate({checkpoints.MAX_FOLDER_BYTES + 1})\nx = 1")
    bench.run("x = 2\nopen('small', 'w').write('1')")
    assert "holds more than 256 MB" in bench.back()
    assert bench.show("x, open('small').read()") == "(1, '1')"


def minor_faults(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[7])


@pytest.mark.parametrize("bench", ["reduced"], indirect=True)
def test_what_a_step_writes_to_is_copied_before_it_begins(bench: Bench) -> None:
    bench.open()
    bench.run("import os, resource")
    pid, before = map(int, bench.show("f'{os.getpid()} {resource.getrusage(resource.RUSAGE_SELF).ru_minflt}'").split())
    bench.wait_for_copy()
    assert eventually(lambda: minor_faults(pid) - before > 200)  # it has written to its memory by itself
    wait_until_idle(pid)
    settled = minor_faults(pid)
    assert int(bench.show("resource.getrusage(resource.RUSAGE_SELF).ru_minflt")) - settled < 100


@EACH
def test_nothing_of_the_program_changes_between_two_steps(bench: Bench) -> None:
    state = "(sorted(globals()), random.getstate(), final_answer)"
    bench.open()
    bench.run("import random\nstate = None")
    bench.run(f"state = {state}")
    bench.wait_for_copy()
    found = bench.run(f"state == {state}")
    assert (found.stdout, found.result, found.outputs) == ("", "True", ())


def test_the_ring_is_bounded_and_ends_with_the_sandbox(bench: Bench) -> None:
    for number in range(13):
        bench.run(f"x = {number}")
    assert [step for step, _, _ in bench.known()] == list(range(4, 14))
    tree = bench.tree()
    assert len(tree) >= 12
    bench.executor.close()
    assert living(tree) == set()


OWN = "import ctypes, os, signal, threading\nx = 'kept'"
ATTACK = PROGRAMS[
    "an attack on all other processes"
]  # the copies are younger than this process, or it was itself a copy


KINDS = pytest.mark.parametrize("bench", quick(["full", "reduced", "docker"], "full"), indirect=True)


@KINDS
def test_a_copy_that_a_step_attacked_is_as_it_was(bench: Bench) -> None:
    bench.run(OWN)
    signals = [f"os.kill(pid, signal.{name})" for name in ("SIGUSR1", "SIGINT", "SIGSTOP", "SIGCONT")]
    for attack in (*signals, "open(f'/proc/{pid}/mem', 'r+b', 0).write(b'x')"):
        observed = bench.run(ATTACK % attack)
        assert observed.error is None
        assert int(observed.stdout) > 0 or "mem" in attack
        bench.back()
        assert bench.show("x") == "kept"


@KINDS
def test_copies_cannot_be_traced(bench: Bench) -> None:
    bench.run(OWN)
    bench.run(
        "libc = ctypes.CDLL(None)\n"
        "x = {libc.ptrace(16, pid, 0, 0) for pid in range(max(2, os.getpid() - 50), os.getpid() + 400)}"
    )
    assert bench.show("x") == "{-1}"


@KINDS
def test_a_copy_that_a_step_killed_is_noticed(bench: Bench) -> None:
    bench.run(OWN)
    assert int(bench.run(ATTACK % "os.kill(pid, signal.SIGKILL)").stdout) > 0
    with pytest.raises(CapabilityError, match=NO_COPY):
        bench.back()


def test_no_checkpoints_unless_asked_for(make: Callable[..., LocalPythonExecutor]) -> None:
    executor = make(["*"], python="full")
    executor("x = 1")
    assert executor.checkpoints.how == "replay"


PATCHED = PROGRAMS["another way to freeze"]


@pytest.mark.slow
def test_a_copy_that_floods_the_supervisor_is_ended(bench: Bench) -> None:
    bench.run(PATCHED % "    os.read(descriptor, 1)\n    while True: os.write(descriptor, b'x' * 60)")
    bench.run("x = 1")
    with pytest.raises(CapabilityError, match=NO_COPY):
        bench.back()
    assert bench.run("1").error is None


@pytest.mark.slow
def test_a_copy_that_does_not_stay_frozen_hides_no_files(opened: Open) -> None:
    bench = opened(disk=4)
    hiding = (
        "    while not os.path.exists('go'): time.sleep(0.05)\n"
        "    with open('large', 'wb') as file:\n"
        "        os.unlink('large')\n"
        "        for _ in range(3): file.write(b'x' * (1 << 20)); file.flush()\n"
        "        open('hidden', 'w').close()\n"
        "        time.sleep(600)"
    )
    bench.run(PATCHED % hiding)
    for _ in range(4):
        assert bench.run("pass").error is None
    hidden = "while not os.path.exists('hidden'): time.sleep(0.05)"  # four files of 3 MB may not be
    observed = bench.run(f"open('go', 'w').close()\n{hidden}\ntime.sleep(60)")
    assert "the code's folder holds more than 8 MB" in str(observed.error)
    assert bench.run("1").error is None


@EACH
def test_variables_that_are_handed_in_and_looked_at_between_two_steps_stay_when_the_second_is_taken_back(
    bench: Bench,
) -> None:
    bench.run("x = 1")
    bench.executor.send_variables({"x": 2, "y": 3})
    assert {each["name"] for each in bench.executor.variables() or []} == {"x", "y"}
    bench.run("x = y = 4")
    bench.back()
    assert bench.show("x, y") == "(2, 3)"


def test_what_is_handed_in_after_a_return_is_no_part_of_the_earlier_state(bench: Bench) -> None:
    bench.run("a = 1")
    assert bench.run("import os\na = 2\nos._exit(3)").error is not None
    bench.executor.send_variables({"a": 5})
    assert bench.show("a") == "5"
    bench.back(2, keep=True)
    bench.executor.send_variables({"a": 6})
    bench.steps = 2
    assert bench.show("a") == "6"
    bench.back(2)
    assert bench.show("a") == "1"


@pytest.mark.slow
@pytest.mark.parametrize("bench", ["docker"], indirect=True)
def test_the_memory_of_copies_in_a_container_is_not_known(bench: Bench) -> None:
    bench.run("x = 1")
    (found,) = bench.call(bench.executor.checkpoints.kept())
    assert found == ("run", 1, "copy", None, "")


@pytest.mark.slow
def test_folders_too_deep_to_look_into_are_named(bench: Bench) -> None:
    bench.run("import os\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')\nx = 1")
    bench.run("x = 2")
    assert bench.back() != ""
    assert bench.show("x") == "1"


def test_copies_of_files_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.setattr(checkpoints, "MOST_ON_DISK", 100)
    before = descriptors()
    store = checkpoints.Store(str(tmp_path / "work"), str(tmp_path))
    kept = []
    for number in range(3):
        (tmp_path / "work" / "a").write_text(str(number) * 40)
        kept.append(store.take())
    assert store.is_full()
    store.keep(kept[1:])
    assert not store.is_full()
    store.restore(kept[1])
    assert (tmp_path / "work" / "a").read_text() == "1" * 40
    assert [path.name for path in tmp_path.iterdir()] == ["work"]
    store.keep([])
    assert descriptors() == before


MAPPED = "import mmap\nm = mmap.mmap(-1, 4096)\nm[0] = 1"
SHARING = {  # what a step makes, what the next one does with it, and what is found after that was taken back
    "a mapping": (MAPPED, "m[0] = 2", "m[0]", "2"),
    "a mapped file": (
        "import mmap\nf = open('a', 'wb+')\nf.truncate(4096)\nm = mmap.mmap(f.fileno(), 0)",
        "m[0] = 2",
        "m[1]",  # m[0] may be put back with the file
        "0",
    ),
    "an array": ("import multiprocessing\na = multiprocessing.Array('i', 1)", "a[0] = 2", "a[0]", "2"),
    "a raw value": ("import multiprocessing\na = multiprocessing.RawValue('i', 1)", "a.value = 2", "a.value", "2"),
    "a named block": (
        "from multiprocessing.shared_memory import SharedMemory as S",
        "s = S('a', create=True, size=8)",
        "__import__('os').listdir('/dev/shm')",
        "['a']",
    ),
    "a file in /dev/shm": (
        "open('/dev/shm/a', 'w').write('1')",
        "open('/dev/shm/a', 'w')",
        "open('/dev/shm/a').read()",
        "",
    ),
    "a file in /dev/shm with the name of a semaphore": (
        "open('/dev/shm/sem.a', 'w').write('1')",
        "open('/dev/shm/sem.a', 'w')",
        "open('/dev/shm/sem.a').read()",
        "",
    ),
    "a folder in /dev/shm with the name of a semaphore": (
        "import os\nos.mkdir('/dev/shm/sem.b')",
        "open('/dev/shm/sem.b/a', 'w')",
        "os.listdir('/dev/shm/sem.b')",
        "['a']",
    ),
    "a mapping that is written to now and then": (
        "import ctypes, mmap\nm = mmap.mmap(-1, 4096)\nprotect = ctypes.CDLL(None).mprotect\n"
        "at = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m)))\nprotect(at, 4096, 1)",
        "protect(at, 4096, 3)\nm[0] = 2\nprotect(at, 4096, 1)",
        "m[0]",
        "2",
    ),
    "a file without a name": (
        "import tempfile\nf = tempfile.TemporaryFile()",
        "f.write(b'2')\nf.flush()",
        "f.seek(0), f.read()",
        "(0, b'2')",
    ),
}


@pytest.mark.parametrize("name", quick(SHARING, "a mapping", "an array"))
def test_what_the_copies_share_costs_none_of_them_and_is_named_after_a_return(bench: Bench, name: str) -> None:
    before, change, shown, found = SHARING[name]
    bench.run(before)
    assert bench.run(change).error is None
    assert bench.known() == [(1, "copy", ""), (2, "copy", "")]
    assert bench.back() == str(Restored(shares=True)) != ""
    assert bench.show(shown) == found


@pytest.mark.parametrize("bench", quick(["reduced", "docker"], "reduced"), indirect=True)
def test_a_mapping_is_named_behind_other_walls(bench: Bench) -> None:
    bench.run("x = 1")
    bench.run("x = 2")
    assert bench.back() == ""
    bench.run(MAPPED)
    bench.run("m[0] = 2")
    assert bench.back() == str(Restored(shares=True))


LOCK = "import multiprocessing\na = multiprocessing.Lock()\nopen('/dev/shm/sem.a', 'wb').write(bytes(32))"


@pytest.mark.parametrize("bench", ["full"], indirect=True)
def test_a_large_value_that_was_passed_in_and_a_lock_are_not_named(bench: Bench) -> None:
    bench.executor.send_variables({"a": bytes(2 << 20)})
    bench.run(LOCK.replace("a =", "b ="))
    bench.run("len(a), b.acquire()")
    assert bench.back() == ""


def test_what_the_copies_share_is_named_if_a_step_was_killed(bench: Bench) -> None:
    bench.run(MAPPED)
    observed = bench.run("m[0] = 2\nimport os\nos._exit(3)")
    assert (observed.stdout, observed.state_lost) == (f"\n[smolcell: {SHARED} stay as the step left them]\n", False)
    assert bench.show("m[0]") == "2"


PASSED_ON = "a thread of the program goes on"
LIBRARIES = programs("threads.txt")


@pytest.mark.parametrize("name", quick(LIBRARIES, "Arrow"))
def test_a_library_with_threads_goes_on_after_a_return_or_is_left_to_a_replay(bench: Bench, name: str) -> None:
    assert bench.run(f"{LIBRARIES[name]}\nb = work()", 120).error is None
    assert bench.run("work()\nb = None").error is None
    assert bench.show("work() == expected") == "True"  # the step itself is none the worse
    ((_, how, reason),) = [each for each in bench.known() if each[0] == 2]
    if how == "replay":
        assert reason == PASSED_ON
        with pytest.raises(CapabilityError, match=PASSED_ON):
            bench.back(2)
    else:
        bench.back(2)
    assert bench.show("work() == expected") == "True"


@pytest.mark.slow
def test_copies_go_before_they_cause_a_memory_limit(opened: Open) -> None:
    bench = opened(memory=300)
    for number in range(9):  # together twice the limit of all processes
        code = f"x = None\nx = bytearray(150 << 20)\nx[::4096] = bytes([{number}]) * len(x[::4096])\nimport time\ntime.sleep(0.3)"
        assert bench.run(code).error is None
    assert bench.show("x[0]") == "8"
    assert "memory was short" in [reason for _, _, reason in bench.known()]
    bench.back()
    assert bench.show("x[0]") == "8"


@pytest.mark.slow
def test_the_frozen_copies_use_no_processor_time(bench: Bench) -> None:
    for number in range(4):
        bench.run(f"x = {number}")
    tree = bench.tree()
    spent = {pid: processes.cpu_seconds(pid) for pid in tree}
    bench.run("import time\ntime.sleep(1)")
    assert [pid for pid in tree if processes.cpu_seconds(pid) - spent[pid] > 0.5] == []
    assert len(tree) >= 5


def test_a_table_that_was_handed_in_does_not_keep_a_sandbox_from_copies(bench: Bench) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")
    bench.executor.send_variables({"df": pandas.DataFrame({"name": ["a", "b", "a"], "n": [1.0, None, 3.0]})})
    bench.run("df['n'] = df['n'].fillna(0)")
    bench.run("df = df.groupby('name')['n'].sum()")
    assert bench.known() == [(1, "copy", ""), (2, "copy", "")]
    bench.back(1)
    assert (
        bench.show("df.groupby('name')['n'].sum().to_dict(), int(df['n'].isna().sum())") == "({'a': 4.0, 'b': 0.0}, 1)"
    )
