"""Checkpoints of a live sandbox: a step is taken back, whatever it did, and its copies are no way out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkpoint_bench import Bench, Reduced
from examples import quick

from smolcell.errors import CapabilityError, SmolcellError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.supervisor import checkpoints
from smolcell.worker.system import processes


@pytest.fixture(params=quick(["full", "guarded", "reduced"], "full", "guarded"))
def bench(request: pytest.FixtureRequest, opened: Callable[..., Bench]) -> Bench:
    return opened(request.param)


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Any:
    made: list[Bench] = []

    def open_bench(kind: str = "full", **options: Any) -> Bench:
        maker: Any = Reduced if kind == "reduced" else LocalPythonExecutor
        if kind == "docker":
            maker = request.getfixturevalue("contained")
        level = "guarded" if kind == "guarded" else "full"
        made.append(Bench(maker(["*"], python=level, checkpoints=10, **options)))
        return made[-1]

    yield open_bench
    for each in made:
        each.close()


def test_variables_and_files_are_as_before_the_step(bench: Bench) -> None:
    bench.run("x = 1\nopen('a.txt', 'w').write('one')")
    bench.run("x = 2\ny = 3\nopen('a.txt', 'w').write('two')\nopen('b.txt', 'w').write('new')")
    assert bench.back() == ""
    assert bench.show("x, 'y' in globals(), open('a.txt').read()") == "(1, False, 'one')"
    assert bench.run("open('b.txt')").error is not None


def test_several_steps_are_taken_back_at_once_and_then_earlier_ones(bench: Bench) -> None:
    for number in range(4):
        bench.run(f"x = {number}")
    bench.back(3)
    assert bench.show("x") == "1"
    bench.back(2)
    assert bench.show("x") == "0"
    with pytest.raises(CapabilityError, match="keeps no checkpoint of this step"):
        bench.back(4)


def test_a_step_that_was_killed_costs_no_variables(bench: Bench) -> None:
    bench.run("x = 1")
    observed = bench.run("x = 2\nmax(range(10 ** 12))", timeout=0.2)
    assert (observed.error.kind, observed.state_lost) == ("limit", False)  # type: ignore[union-attr]
    assert "it did not react, so its process was killed; the variables are as they were before the step" in str(
        observed.error
    )
    assert bench.show("x") == "1"
    bench.back(2)  # the killed step itself
    assert bench.show("x") == "1"
    bench.back(1)
    assert bench.run("x").error is not None


def test_a_step_that_ended_its_own_process_costs_no_variables(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run("x = 1")
    observed = bench.run("x = 2\nimport os\nos._exit(3)")
    assert (observed.error.kind, observed.state_lost) == ("sandbox", False)  # type: ignore[union-attr]
    assert bench.show("x") == "1"


def test_after_an_error_and_an_interrupt(bench: Bench) -> None:
    bench.run("x = [1]")
    assert bench.run("x.append(2)\n1 / 0").error is not None
    bench.back()
    assert bench.show("x") == "[1]"
    assert bench.run("x.append(3)\nwhile True: pass", timeout=0.2).error is not None
    bench.back()
    assert bench.show("x") == "[1]"


def test_open_files_go_on_where_they_were(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run("open('a.txt', 'w').write('abcdef')\nf = open('a.txt', 'rb', buffering=0)\nf.read(2)")
    assert bench.show("f.read(2)") == "b'cd'"
    bench.back()
    assert bench.show("f.read(2)") == "b'cd'"


def test_tools_and_imports_are_those_of_now(opened: Callable[..., Bench]) -> None:
    bench = opened("guarded")
    bench.run("x = 1")
    bench.executor.authorize_imports(["sqlite3"])
    bench.run("import sqlite3")
    bench.back(2)
    assert bench.run("import sqlite3").error is None


def test_linear_algebra_goes_on_after_a_return(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run("import numpy as np\na = np.ones((300, 300))\nb = a @ a")
    bench.run("b = None")
    assert bench.known()[1] == (2, "copy", "")  # OpenBLAS ends its threads before a fork
    bench.back()
    assert bench.show("float((b @ a).sum())") == "8100000000.0"


def test_what_a_fork_would_not_copy_is_left_to_a_replay(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(
        "import subprocess, threading\nstop = threading.Event()\nt = threading.Thread(target=stop.wait)\nt.start()"
    )
    bench.run("stop.set()\nt.join()\np = subprocess.Popen(['sleep', '60'])")
    bench.run("p.kill()\np.wait()")
    bench.run(
        "async def later(): pass\nimport asyncio\nasync def go(): asyncio.get_running_loop().create_task(asyncio.sleep(60))\nawait go()"
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


@pytest.mark.parametrize("kind", quick(["full", "reduced"], "full"))
def test_a_process_of_the_program_is_not_ended_if_the_copy_is_refused(opened: Callable[..., Bench], kind: str) -> None:
    bench = opened(kind)
    bench.run(
        "import asyncio\np = await asyncio.create_subprocess_exec('sleep', '60')\n"
        "async def wait(): await p.wait()\nt = asyncio.create_task(wait())"
    )
    bench.run("pass")
    assert bench.known()[1][1] == "replay"
    bench.run("await asyncio.sleep(0.1)")  # asyncio would learn of its end
    assert bench.show("p.returncode, t.done()") == "(None, False)"


@pytest.mark.parametrize("kind", quick(["full", "reduced"], "full"))
def test_a_process_of_the_program_is_not_ended_if_the_copy_ended_itself(
    opened: Callable[..., Bench], kind: str
) -> None:
    bench = opened(kind)
    bench.run("import os, subprocess\np = subprocess.Popen(['sleep', '60'])")
    bench.run("os.register_at_fork(after_in_child=lambda: os._exit(0))")
    for _ in range(5):
        bench.run("pass")
    assert {reason for _, how, reason in bench.known() if how == "replay"} <= {
        "a process that the program started goes on",
        "its copy was ended",
    }
    assert bench.show("p.poll()") == "None"


@pytest.mark.parametrize("forever", [False, True])
def test_a_function_at_a_fork_that_does_not_end_costs_no_variables(opened: Callable[..., Bench], forever: bool) -> None:
    bench = opened()
    bench.run(f"import os, time\nx = 1\nos.register_at_fork(before=lambda: time.sleep({60 if forever else 4}))")
    began = time.monotonic()
    assert bench._loop.run_until_complete(bench.executor.pull(["x"])) == {"x": 1}
    bench.run("x = 2")
    assert bench.show("x") == "2"
    assert time.monotonic() - began < 10
    assert bench.known()[1:] == [(step, "replay", "what the program does at a fork took too long") for step in (2, 3)]


def ignoring(seconds: int) -> str:
    """A program whose function at a fork ignores interrupts for so long."""
    return (
        f"import os, time\nx = 1\nend = time.time() + {seconds}\ndef ignore():\n    while time.time() < end:\n"
        "        try: time.sleep(60)\n        except KeyboardInterrupt: pass\nos.register_at_fork(before=ignore)"
    )


@pytest.mark.slow
def test_a_function_at_a_fork_that_ignores_interrupts_costs_no_variables_while_no_step_waits(
    opened: Callable[..., Bench],
) -> None:
    bench = opened()
    bench.run(ignoring(6))
    time.sleep(5)
    assert bench.show("x") == "1"
    assert bench.known()[1:] == [(2, "replay", "what the program does at a fork took too long")]


@pytest.mark.slow
def test_a_function_at_a_fork_that_never_ends_is_ended_with_its_process(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(ignoring(600))
    began = time.monotonic()
    assert bench.run("x", timeout=2).state_lost
    assert time.monotonic() - began < 6
    assert bench.run("1").error is None


@pytest.mark.slow
def test_a_page_that_asks_for_the_variables_during_a_slow_fork_ends_no_runner(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(ignoring(7))
    time.sleep(4)  # the copy is late, and no request was ended for that yet
    with pytest.raises(SmolcellError, match="fork took too long"):
        bench.executor.variables()
    time.sleep(4)
    assert bench.show("x") == "1"


def test_an_error_of_a_signal_handler_between_steps_costs_no_variables(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(
        "import os, signal, threading\nx = 1\ndef fail(*_): raise KeyError('late')\nsignal.signal(signal.SIGUSR1, fail)\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGUSR1)).start()"
    )
    time.sleep(1)
    assert bench.show("x") == "1"


def test_nothing_of_the_program_s_is_drawn_between_steps(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(
        "import sys, types\ncalls = []\nplot = types.ModuleType('matplotlib.pyplot')\nplot.close = lambda number: None\n"
        "plot.get_fignums = lambda: calls.append(1) or []\nsys.modules['matplotlib.pyplot'] = plot"
    )
    time.sleep(0.5)
    assert bench.show("len(calls)") == "1"  # the step itself


def test_an_interrupt_before_a_step_begins_costs_no_variables(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run("import os, subprocess, time\nx = 1\np = subprocess.Popen(['sleep', '60'])")
    bench.run("os.register_at_fork(before=lambda: time.sleep(60))")  # no copy is made ahead beside a process
    threading.Timer(0.5, bench.executor.interrupt).start()
    began = time.monotonic()
    observed = bench.run("x = 2")
    assert time.monotonic() - began < 2
    assert "the step was interrupted; its variables are kept" in str(observed.error)
    assert not observed.state_lost
    assert bench.show("x") == "1"


def test_a_folder_that_holds_too_much_is_named(opened: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    bench = opened()
    bench.run(f"open('large', 'wb').truncate({checkpoints.MAX_FOLDER_BYTES + 1})\nx = 1")
    bench.run("x = 2\nopen('small', 'w').write('1')")
    assert "holds more than 256 MB" in bench.back()
    assert bench.show("x, open('small').read()") == "(1, '1')"


def test_what_a_step_writes_to_is_copied_before_it_begins(opened: Callable[..., Bench]) -> None:
    bench = opened("reduced")
    bench.run("import os, resource")
    bench.run("pass")
    pid = bench.show("os.getpid()")
    time.sleep(0.5)
    idle = int(Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[7])  # minor page faults
    assert int(bench.show("resource.getrusage(resource.RUSAGE_SELF).ru_minflt")) - idle < 100


def test_nothing_of_the_program_changes_between_two_steps(bench: Bench) -> None:
    state = "(sorted(globals()), random.getstate(), final_answer)"
    bench.run("import random\nstate = None")
    bench.run(f"state = {state}\n5")
    time.sleep(0.5)
    found = bench.run(f"state == {state}")
    assert (found.stdout, found.result, found.outputs) == ("", "True", ())


def test_the_ring_is_bounded_and_ends_with_the_sandbox(opened: Callable[..., Bench]) -> None:
    bench = opened()
    for number in range(13):
        bench.run(f"x = {number}")
    assert [step for step, _, _ in bench.known()] == list(range(4, 14))
    channel: Any = bench.executor._channel
    assert len(processes.find_tree(channel.pid)) >= 12
    bench.executor.close()
    assert processes.find_tree(channel.pid) == set()


OWN = "import ctypes, os, signal\nx = 'kept'"
ATTACK = """
own = {1, *map(int, os.listdir('/proc/self/task'))}
found = 0
for pid in range(max(2, os.getpid() - 50), os.getpid() + 400):
    try:
        if pid not in own:
            %s
            found += 1
    except OSError:
        pass
x = "spoilt"
print(found)
"""  # the copies are younger than this process, or it was itself a copy


KINDS = pytest.mark.parametrize("kind", quick(["full", "reduced", "docker"], "full"))


@KINDS
@pytest.mark.parametrize(
    "attack",
    [
        "os.kill(pid, signal.SIGUSR1)",
        "os.kill(pid, signal.SIGINT)",
        "os.kill(pid, signal.SIGSTOP)",
        "os.kill(pid, signal.SIGCONT)",
        "open(f'/proc/{pid}/mem', 'r+b', 0).write(b'x')",
    ],
)
def test_a_copy_that_a_step_attacked_is_as_it_was(opened: Callable[..., Bench], kind: str, attack: str) -> None:
    bench = opened(kind)
    bench.run(OWN)
    observed = bench.run(ATTACK % attack)
    assert observed.error is None
    assert int(observed.stdout) > 0 or "mem" in attack
    bench.back()
    assert bench.show("x") == "kept"


@KINDS
def test_copies_cannot_be_traced(opened: Callable[..., Bench], kind: str) -> None:
    bench = opened(kind)
    bench.run(OWN)
    bench.run(
        "libc = ctypes.CDLL(None)\n"
        "x = {libc.ptrace(16, pid, 0, 0) for pid in range(max(2, os.getpid() - 50), os.getpid() + 400)}"
    )
    assert bench.show("x") == "{-1}"


@KINDS
def test_a_copy_that_a_step_killed_is_noticed(opened: Callable[..., Bench], kind: str) -> None:
    bench = opened(kind)
    bench.run(OWN)
    assert int(bench.run(ATTACK % "os.kill(pid, signal.SIGKILL)").stdout) > 0
    with pytest.raises(CapabilityError, match=r"copy (was ended|does not answer)"):
        bench.back()


def test_no_checkpoints_unless_asked_for(make: Callable[..., LocalPythonExecutor]) -> None:
    executor = make(["*"], python="full")
    executor("x = 1")
    assert executor.checkpoints == "replay"


def test_a_copy_that_floods_the_supervisor_ends_within_a_second(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run(
        "import gc, os\n"
        "copies = next(each for each in gc.get_objects() if type(each).__name__ == 'Copies')\n"
        "def freeze(descriptor, *_):\n"
        "    os.read(descriptor, 1)\n"
        "    while True: os.write(descriptor, b'x' * 60)\n"
        "copies._freeze = freeze"
    )
    bench.run("x = 1")
    began = time.monotonic()
    with pytest.raises(CapabilityError, match=r"copy (was ended|does not answer)"):
        bench.back()
    assert time.monotonic() - began < 5
    assert bench.run("1").error is None


class SmallDisk(LocalPythonExecutor):
    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "disk": 4}


def test_a_copy_that_does_not_stay_frozen_hides_no_files(request: pytest.FixtureRequest) -> None:
    bench = Bench(SmallDisk(["*"], python="full", checkpoints=10))
    request.addfinalizer(bench.close)
    bench.run(
        "import gc, os, time\n"
        "copies = next(each for each in gc.get_objects() if type(each).__name__ == 'Copies')\n"
        "def freeze(descriptor, *_):\n"
        "    while not os.path.exists('go'): time.sleep(0.05)\n"
        "    with open('large', 'wb') as file:\n"
        "        os.unlink('large')\n"
        "        for _ in range(3): file.write(b'x' * (1 << 20)); file.flush()\n"
        "        open('hidden', 'w').close()\n"
        "        time.sleep(60)\n"
        "copies._freeze = freeze"
    )
    for _ in range(4):
        assert bench.run("pass").error is None
    hidden = "while not os.path.exists('hidden'): time.sleep(0.05)"  # four files of 3 MB may not be
    observed = bench.run(f"open('go', 'w').close()\n{hidden}\ntime.sleep(0.5)")
    assert "the code's folder holds more than 8 MB" in str(observed.error)
    assert bench.run("1").error is None


def test_variables_that_are_handed_in_between_two_steps_stay_when_the_second_is_taken_back(bench: Bench) -> None:
    bench.run("x = 1")
    bench.executor.send_variables({"x": 2, "y": 3})
    bench.run("x = y = 4")
    bench.back()
    assert bench.show("x, y") == "(2, 3)"


def test_what_is_handed_in_after_a_return_is_no_part_of_the_earlier_state(bench: Bench) -> None:
    bench.run("a = 1")
    assert bench.run("a = 2\nwhile True:\n    max(range(10 ** 12))", timeout=0.2).error is not None
    bench.executor.send_variables({"a": 5})
    assert bench.show("a") == "5"
    bench._loop.run_until_complete(bench.executor.rollback("run", 2, keep=True))
    bench.executor.send_variables({"a": 6})
    bench._steps = 2
    assert bench.show("a") == "6"
    bench.back(2)
    assert bench.show("a") == "1"


def test_variables_that_were_looked_at_between_two_steps_are_as_before_the_second(bench: Bench) -> None:
    bench.run("x = 1")
    assert [each["name"] for each in bench.executor.variables() or []] == ["x"]
    bench.run("x = 2")
    bench.back()
    assert bench.show("x") == "1"


def test_a_step_is_taken_back_at_once_and_again(bench: Bench) -> None:
    bench.run("x = 0")
    for number in range(8):
        bench.run(f"x = {number + 1}")
        bench.back()
        bench._steps -= 1
    assert bench.show("x") == "0"


def test_the_memory_of_copies_in_a_container_is_not_known(opened: Callable[..., Bench]) -> None:
    bench = opened("docker")
    bench.run("x = 1")
    (found,) = bench._loop.run_until_complete(bench.executor.kept_checkpoints())
    assert found == ("run", 1, "copy", None, "")


@pytest.mark.slow
def test_folders_too_deep_to_look_into_are_named(opened: Callable[..., Bench]) -> None:
    bench = opened()
    bench.run("import os\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')\nx = 1")
    bench.run("x = 2")
    assert bench.back() != ""
    assert bench.show("x") == "1"


def test_copies_of_files_are_bounded_together(opened: Callable[..., Bench], tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    store = checkpoints.Store(str(tmp_path / "work"), str(tmp_path))
    store._most = 100
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
    assert store._packs == {}


PASSED_ON = "a thread of the program goes on"
LIBRARIES = {
    "OpenMP": (
        "from sklearn.cluster import KMeans\nimport numpy as np\na = np.arange(9000.0).reshape(-1, 3)\n"
        "work = lambda: len(KMeans(3, n_init=1, random_state=1).fit(a).labels_)",
        "3000",
    ),
    "Arrow": (
        "import pyarrow as pa, pyarrow.compute as pc\nt = pa.table({'a': list(range(100_000))})\n"
        "work = lambda: pc.sum(t.sort_by('a')['a']).as_py()",
        "4999950000",
    ),
    "polars": (
        "import polars as pl\nt = pl.DataFrame({'a': range(100_000), 'k': [n % 7 for n in range(100_000)]})\n"
        "work = lambda: t.group_by('k').sum()['a'].sum()",
        "4999950000",
    ),
    "duckdb": (
        "import duckdb\nc = duckdb.connect()\nc.execute('create table t as select range a from range(100000)')\n"
        "work = lambda: int(c.execute('select sum(a) from t').fetchone()[0])",
        "4999950000",
    ),
}


@pytest.mark.parametrize("name", quick(LIBRARIES, "Arrow", "duckdb"))
def test_a_library_with_threads_goes_on_after_a_return_or_is_left_to_a_replay(
    opened: Callable[..., Bench], name: str
) -> None:
    bench = opened()
    before, expected = LIBRARIES[name]
    assert bench.run(f"{before}\nb = work()", 120).error is None
    assert bench.run("work()\nb = None", 60).error is None
    assert bench.show("work()") == expected  # the step itself is none the worse
    ((_, how, reason),) = [each for each in bench.known() if each[0] == 2]
    if how == "replay":
        assert reason == PASSED_ON
        with pytest.raises(CapabilityError, match=PASSED_ON):
            bench.back(2)
    else:
        bench.back(2)
    assert bench.show("work()") == expected


@pytest.mark.slow
def test_copies_go_before_they_cause_a_memory_limit(opened: Callable[..., Bench]) -> None:
    bench = opened(memory=300)
    for number in range(9):  # together twice the limit of all processes
        code = f"x = None\nx = bytearray(150 << 20)\nx[::4096] = bytes([{number}]) * len(x[::4096])\nimport time\ntime.sleep(0.3)"
        assert bench.run(code).error is None
    assert bench.show("x[0]") == "8"
    assert "memory was short" in [reason for _, _, reason in bench.known()]
    bench.back()
    assert bench.show("x[0]") == "8"


def test_the_frozen_copies_use_no_processor_time(opened: Callable[..., Bench]) -> None:
    bench = opened()
    for number in range(4):
        bench.run(f"x = {number}")
    channel: Any = bench.executor._channel
    tree = processes.find_tree(channel.pid)
    spent = {pid: processes.cpu_seconds(pid) for pid in tree}
    bench.run("import time\ntime.sleep(1)")
    assert [pid for pid in tree if processes.cpu_seconds(pid) - spent[pid] > 0.5] == []
    assert len(tree) >= 5


def test_a_table_that_was_handed_in_does_not_keep_a_sandbox_from_copies(opened: Callable[..., Bench]) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")
    bench = opened()
    bench.executor.send_variables({"df": pandas.DataFrame({"name": ["a", "b", "a"], "n": [1.0, None, 3.0]})})
    bench.run("df['n'] = df['n'].fillna(0)")
    bench.run("df = df.groupby('name')['n'].sum()")
    assert bench.known() == [(1, "copy", ""), (2, "copy", "")]
    bench.back(1)
    assert (
        bench.show("df.groupby('name')['n'].sum().to_dict(), int(df['n'].isna().sum())") == "({'a': 4.0, 'b': 0.0}, 1)"
    )
