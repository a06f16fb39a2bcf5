"""Limits hold outside the code; deaths have names; garbage is refused; nothing is left behind."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from local_parts import PROGRAMS, interfere, observe
from processes import below, descriptors, eventually, living

from smolcell.core.prompt import observation
from smolcell.errors import InterpreterError, SandboxError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.local.environment import worker_zip
from smolcell.executors.step import RunningStep

Make = Callable[..., LocalPythonExecutor]


# --- time and memory ---


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("while True: pass", True),
        pytest.param("import re\nre.match('(a|a)*b', 'a' * 40)", True, marks=pytest.mark.slow),
        pytest.param(
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
            False,
            marks=pytest.mark.slow,
        ),
        ("10 ** 10 ** 8", False),
        pytest.param("[] in iter(int, 1)", False, marks=pytest.mark.slow),
    ],
)
def test_a_limit_ends_the_step(make: Make, code: str, kept: bool) -> None:
    executor = make(timeout=60)
    executor("x = 5")
    error = observe(executor, code, timeout=0.3).error
    assert error is not None
    assert (error.kind, error.type) == ("limit", "TimeoutError")
    assert "longer than 0.3 s" in error.message
    after = observe(executor, "'x' in dir()")
    assert (after.error, after.state_lost) == (None, False)
    assert after.result == "True" or not kept


def test_code_that_outlives_its_interrupt_is_over_its_limit(make: Make) -> None:
    code = "try:\n    while True: pass\nexcept BaseException: pass\nfinal_answer(1)"
    observed = observe(make(), code, timeout=0.3)
    assert observed.error is not None
    assert (observed.error.kind, observed.is_final_answer) == ("limit", False)


@pytest.mark.parametrize(
    "code",
    [
        "print('begin' + '-' * 5000 + 'end')",
        "'begin' + '-' * 5000 + 'end'",
        "display('begin' + '-' * 5000 + 'end')\n'begin' + '-' * 5000 + 'end'",
        "raise ValueError('begin' + '-' * 20_000 + 'end')",
        "def f(n):\n    if n: f(n - 1)\n    else: raise ValueError('begin' + '-' * 20_000 + 'end')\nf(500)",
    ],
    ids=["printed", "value", "displayed", "error", "deep error"],
)
def test_what_is_cut_keeps_its_beginning_and_its_end_for_the_model(make: Make, code: str) -> None:
    said = observation(observe(make(timeout=60, max_print_outputs_length=1000), code))
    assert (said.count("begin"), said.count("end")) in ((1, 1), (2, 2)), said  # a traceback quotes its line
    assert len(said) < 12_000


FILL = """
held, size = [], 1 << 24
while size >= 64:
    try:
        while True:
            held.append(bytearray(size))
    except MemoryError:
        size //= 2
"""
THREADS = """
import threading
lock = threading.Lock()
lock.acquire()
try:
    while True:
        threading.Thread(target=lock.acquire, daemon=True).start()
except (RuntimeError, MemoryError):
    pass
"""


@pytest.mark.parametrize("unguarded", [True, False], ids=["full", "guarded"])
@pytest.mark.parametrize("bomb", [FILL, THREADS, THREADS + FILL], ids=["values", "threads", "both"])
def test_after_a_step_that_took_all_memory_the_next_ones_work(make: Make, bomb: str, unguarded: bool) -> None:
    executor = make(["threading"], unguarded=unguarded, memory=256, timeout=60)
    executor(bomb)
    assert executor("1 + 1").output == 2
    error = observe(executor, "x = bytearray(10 ** 9)").error
    assert error is not None
    assert (error.kind, error.type) == ("limit", "MemoryError")
    assert error.message.startswith("the step reached the memory limit of 256 MB")
    assert ("threads are running" in error.message) == ("threading" in bomb)
    assert executor("held = None\n2 + 2").output == 4
    assert executor("len('a' * 1_000_000)").output == 1_000_000


# --- deaths ---


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("import os\nos._exit(3)", "exit code 3"),
        ("import ctypes\nctypes.string_at(0)", "signal 11 (SIGSEGV)"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "signal 9 (SIGKILL; perhaps memory ran out)"),
        ("import os\nos.abort()", "signal 6 (SIGABRT)"),
        (
            "import os\n[os.close(fd) for fd in range(3, 64) if os.path.exists(f'/proc/self/fd/{fd}')]",
            "signal|exit code",
        ),
    ],
)
def test_a_death_has_a_name_and_the_next_step_a_fresh_start(make: Make, code: str, how: str) -> None:
    executor = make(unguarded=True, timeout=60)
    executor.send_tools({"shout": str.upper})
    executor("x = 1\nprint('up')")
    observed = observe(executor, "print('last words')\n" + code)
    assert (observed.stdout, observed.state_lost) == ("last words\n", True)
    assert observed.error is not None
    assert (observed.error.kind, observed.error.type) == ("sandbox", "SandboxDied")
    assert any(text in observed.error.message for text in how.split("|"))
    assert executor("'x' in globals(), shout('a')").output == (False, "A")


@pytest.mark.parametrize("end", ["sys.exit(0)", "raise SystemExit(0)"])
def test_a_program_that_ends_itself_without_a_failure_is_done(make: Make, end: str) -> None:
    executor = make(["sys"])
    assert executor(f"import sys\nprint('done')\n{end}\nprint('not reached')").logs == "done\n"
    for failed in ("sys.exit(False)", "sys.exit()", "raise SystemExit"):
        with pytest.raises(InterpreterError, match="SystemExit"):
            executor(failed)


def kill(executor: Any) -> None:
    os.kill(executor._channel.pid, signal.SIGKILL)


def close(executor: Any) -> None:
    threading.Thread(target=executor.close).start()


@pytest.mark.parametrize(
    ("end", "said"), [(kill, "its process ended with signal 9"), (close, "was closed")], ids=["killed", "closed"]
)
def test_a_supervisor_that_ends_during_a_step_takes_everything_along(make: Make, end: Any, said: str) -> None:
    executor: Any = make(timeout=600)
    executor("x = 1")
    tree, folder = {executor._channel.pid, *below(executor._channel.pid)}, executor._channel.folder.path
    assert len(tree) >= 2
    assert said in str(interfere(executor, lambda: end(executor)).error)
    assert eventually(lambda: not living(tree) and not folder.exists())
    if end is kill:
        fresh = observe(executor, "'x' in dir()")
        assert (fresh.result, fresh.state_lost) == ("False", False)  # the killed step said that the state is gone


ENDING = """
import os, threading, time

def end():
    while not os.path.exists("../end"):
        time.sleep(0.01)
    {how}

threading.Thread(target=end, daemon=True).start()
from smolcell_worker.supervisor import main

main()
"""


@pytest.mark.usefixtures("without_warm_parent")
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("os._exit(0)", "exit code 0"),
        pytest.param("os.kill(os.getpid(), 11)", "signal 11", marks=pytest.mark.slow),
        pytest.param("os.abort()", "signal 6", marks=pytest.mark.slow),
        pytest.param("os.closerange(0, 256); time.sleep(600)", "ended with", marks=pytest.mark.slow),
    ],
)
def test_however_the_supervisor_ends_the_step_is_never_ok(
    make: Make, monkeypatch: pytest.MonkeyPatch, how: str, said: str
) -> None:
    program = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(worker_zip())) as whole, zipfile.ZipFile(program, "w") as changed:
        for name in whole.namelist():
            changed.writestr(name, whole.read(name) if name != "__main__.py" else ENDING.format(how=how))
    monkeypatch.setattr("smolcell.executors.local.worker_zip", program.getvalue)
    executor: Any = make(timeout=600)
    executor("x = 1")
    tree = {executor._channel.pid, *below(executor._channel.pid)}
    error = interfere(executor, (executor._channel.folder.path / "end").touch).error
    assert error is not None and error.type == "SandboxDied"
    assert said in error.message
    assert eventually(lambda: not living(tree))
    monkeypatch.undo()
    assert executor("'x' in dir()").output is False


def test_a_stopped_supervisor_is_ended_by_the_host(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.step.LIMIT_SLACK_SECONDS", 0.2)
    executor: Any = make(unguarded=True, timeout=60)
    executor("1")
    code = "print('begun')\nwhile True: pass"
    error = observe(executor, code, timeout=0.3, show=lambda _: os.kill(executor._channel.pid, signal.SIGSTOP)).error
    assert "ignored its time limit" in str(error)
    assert executor("1").output == 1


def test_the_host_does_not_count_the_time_of_a_tool(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead, looked = [0.0], threading.Event()
    overdue = RunningStep._overdue

    def look(step: RunningStep) -> bool:
        if ahead[0]:
            looked.set()
        return overdue(step)

    def slow() -> bool:
        ahead[0] = 3600.0
        return looked.wait(60)

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0])
    monkeypatch.setattr("smolcell.worker.supervisor.meters.time", clock)
    monkeypatch.setattr(RunningStep, "_overdue", look)
    executor = make(timeout=60)
    executor.send_tools({"slow": slow})
    observed = executor("slow()")
    assert (observed.output, observed.error) == (True, None)


# --- hostile code beneath the guard ---

GARBAGE = PROGRAMS["garbage and forged ends"]


def test_garbage_and_forged_ends_on_every_descriptor_are_refused_and_noted(make: Make) -> None:
    executor = make(unguarded=True, timeout=60)
    executor.send_tools({"shout": str.upper})
    observed = executor(GARBAGE)
    assert (observed.output, observed.is_final_answer) == ("A", False)
    assert observed.stdout.startswith("still here\n\n[smolcell: forged frame refused (")
    assert executor("1").stdout == ""


def test_the_environment_is_scrubbed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    executor = make(unguarded=True)
    names = set(executor("import os\nsorted(os.environ)").output)
    given = {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "MPLBACKEND", "MPLCONFIGDIR", "XDG_CACHE_HOME", "SMOLCELL_TOKEN"}
    given |= {"POLARS_TABLE_WIDTH"}
    given |= {"PYTHONPATH", "PLOTLY_RENDERER", "USER", "LOGNAME"}  # for programs that the code starts; for charts
    assert names - {"LC_CTYPE"} == given  # Python itself may add that one
    assert executor("os.getcwd() == os.path.realpath(os.environ['HOME'])").output is True
    assert executor("os.getsid(0) == os.getpid()").output is True


# --- what is left ---


@pytest.mark.parametrize("place", ["environment.lend_font_list", "LocalChannel._spawn", "Groups.make"])
def test_a_start_that_fails_has_a_name_and_leaves_nothing(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(f"smolcell.executors.local.{place}", full)
    executor = make()
    open_after = []
    for _ in range(3):
        with pytest.raises(SandboxError, match=r"did not start: .*No space left on device"):
            executor("1")
        open_after.append(descriptors())
    assert list(tmp_path.iterdir()) == []
    assert len(set(open_after)) == 1
    monkeypatch.undo()
    assert executor("1 + 1").output == 2
