"""Limits hold outside the code; deaths have names; garbage is refused; nothing is left behind."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import below, births, descriptors, eventually, living

from smolcell.errors import InterpreterError, LimitError, SandboxDiedError, SandboxError
from smolcell.events import Delta, Observed, Proposed
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.local.environment import worker_zip
from smolcell.permit import permit

Make = Callable[..., LocalPythonExecutor]
ROUNDS = 1000 if os.environ.get("SMOLCELL_FULL") else 20


async def no_tools(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    raise AssertionError(f"{name} was called")


def run(executor: LocalPythonExecutor, code: str, seen: list[tuple[float, str]] | None = None) -> Observed:
    def show(delta: Delta) -> None:
        if seen is not None:
            seen.append((time.monotonic(), delta.text))

    allowed = permit(Proposed(run="r", step=1, text=code), by="caller")
    return asyncio.run(executor.run(allowed, show, no_tools))


# --- time ---


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("while True: pass", True),
        ("import time\ntime.sleep(60)", True),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", False),
        ("sum(range(10**12))", False),
        ("import re\nre.match('(a|a)*b', 'a' * 40)", True),
        ("10 ** 10 ** 8", False),
        ("[] in iter(int, 1)", False),
        ("async def f():\n    import asyncio\n    await asyncio.sleep(60)\nawait f()", True),
    ],
)
def test_a_limit_returns_in_time(make: Make, code: str, kept: bool) -> None:
    executor = make(timeout=1)
    executor("x = 5")
    start = time.monotonic()
    observed = run(executor, code)
    assert time.monotonic() - start < 15
    assert observed.error is not None
    assert (observed.error.kind, observed.error.type) == ("limit", "TimeoutError")
    assert "longer than 1 s" in observed.error.message
    if kept:
        assert (observed.state_lost, executor("x").output) == (False, 5)
    after = run(executor, "1 + 1")
    assert (after.result, after.state_lost) == ("2", False)


def test_code_that_outlives_its_interrupt_is_over_its_limit(make: Make) -> None:
    observed = run(make(timeout=0.5), "try:\n    while True: pass\nexcept BaseException: pass\nfinal_answer(1)")
    assert observed.error is not None
    assert (observed.error.kind, observed.is_final_answer) == ("limit", False)


def test_an_interrupt_from_another_thread_ends_the_step(make: Make) -> None:
    executor = make(timeout=30)
    executor("x = 5")
    for code, limit in (("while True: pass", 1.0), ("import time\ntime.sleep(60)", 1.0), ("sum(range(10**12))", 2.5)):
        start = time.monotonic()
        threading.Timer(0.3, executor.interrupt).start()
        observed = run(executor, code)
        assert time.monotonic() - start < 0.3 + 10 * limit
        assert observed.error is not None
        assert (observed.error.kind, observed.error.type) == ("stopped", "KeyboardInterrupt")
    executor.interrupt()
    assert executor("1").output == 1


def test_an_interrupt_ends_a_call_to_the_host(make: Make) -> None:
    executor = make(timeout=30)
    executor.send_tools({"wait": lambda: None})

    async def never(name: str, args: Any, kwargs: Any) -> Any:
        await asyncio.sleep(60)

    threading.Timer(0.3, executor.interrupt).start()
    start = time.monotonic()
    allowed = permit(Proposed(run="r", step=1, text="wait()"), by="caller")
    observed = asyncio.run(executor.run(allowed, lambda _: None, never))
    assert time.monotonic() - start < 10
    assert observed.error is not None
    assert observed.error.kind == "stopped"


# --- memory ---


def test_memory_has_a_limit_and_a_name(make: Make) -> None:
    executor = make(memory=256, timeout=20)
    with pytest.raises(LimitError, match=r"memory limit of 256 MB\. .*\. A higher limit: memory="):
        executor("x = bytearray(10**9)")
    with pytest.raises(LimitError, match="memory limit"):
        executor("x = []\nwhile True: x.append('a' * 10**6)")
    assert executor("del x\n1").output == 1


# --- output ---


def test_a_flood_of_output_is_bounded_and_streams_slowly(make: Make) -> None:
    executor = make(timeout=3, max_print_outputs_length=5000)
    seen: list[tuple[float, str]] = []
    observed = run(executor, "line = 'x' * 1000\nwhile True: print(line)", seen)
    assert observed.error is not None
    assert observed.error.kind == "limit"
    assert observed.dropped > 10_000_000
    assert len(observed.stdout) < 5200
    assert "characters dropped: output is limited to 5,000]" in observed.stdout
    assert sum(len(text) for _, text in seen) <= 5000
    assert len(seen) <= 21


def test_what_is_cut_keeps_its_beginning_and_its_end_for_the_model(make: Make) -> None:
    from smolcell.core.prompt import observation

    executor = make(timeout=60, max_print_outputs_length=1000)
    for code in (
        "print('begin' + '-' * 5000 + 'end')",
        "'begin' + '-' * 5000 + 'end'",
        "display('begin' + '-' * 5000 + 'end')\n'begin' + '-' * 5000 + 'end'",
        "raise ValueError('begin' + '-' * 20_000 + 'end')",
        "def f(n):\n    if n: f(n - 1)\n    else: raise ValueError('begin' + '-' * 20_000 + 'end')\nf(500)",
    ):
        told = observation(run(executor, code))
        assert (told.count("begin"), told.count("end")) in ((1, 1), (2, 2)), told  # a traceback quotes its line
        assert len(told) < 12_000


def test_streaming_is_at_most_twenty_pieces_a_second(make: Make) -> None:
    seen: list[tuple[float, str]] = []
    code = "import time\nfor i in range(400):\n    print(i)\n    time.sleep(0.004)"
    observed = run(make(timeout=20), code, seen)
    assert "".join(text for _, text in seen) == observed.stdout == "".join(f"{i}\n" for i in range(400))
    assert len(seen) <= 20 * (seen[-1][0] - seen[0][0]) + 3


# --- deaths ---


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("import os\nos._exit(3)", r"exit code 3"),
        ("import ctypes\nctypes.string_at(0)", r"signal 11 \(SIGSEGV\)"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", r"signal 9 \(SIGKILL; perhaps memory ran out\)"),
        ("import os\nos.abort()", r"signal 6 \(SIGABRT\)"),
        (
            "import os\n[os.close(fd) for fd in range(3, 64) if os.path.exists(f'/proc/self/fd/{fd}')]",
            "signal|exit code",
        ),
    ],
)
def test_a_death_has_a_name_and_the_next_step_a_fresh_start(make: Make, code: str, how: str) -> None:
    executor = make(unguarded=True, timeout=20)
    executor.send_tools({"shout": str.upper})
    executor("x = 1\nprint('up')")
    with pytest.raises(SandboxDiedError, match=how):
        executor("print('last words')\n" + code)
    assert executor("'x' in globals(), shout('a')").output == (False, "A")


def test_last_words_are_kept(make: Make) -> None:
    observed = run(make(unguarded=True), "import os\nprint('last words')\nos._exit(3)")
    assert (observed.stdout, observed.state_lost) == ("last words\n", True)
    assert observed.error is not None
    assert (observed.error.kind, observed.error.type) == ("sandbox", "SandboxDied")


def test_sys_exit_is_the_codes_own_error(make: Make) -> None:
    executor = make(["sys"])
    executor("x = 1")
    with pytest.raises(InterpreterError, match="line 2: SystemExit: 3"):
        executor("import sys\nsys.exit(3)")
    assert executor("x").output == 1


@pytest.mark.parametrize("end", ["sys.exit(0)", "raise SystemExit(0)"])
def test_a_program_that_ends_itself_without_a_failure_is_done(make: Make, end: str) -> None:
    executor = make(["sys"])
    assert executor(f"import sys\nprint('done')\n{end}\nprint('not reached')").logs == "done\n"
    for failed in ("sys.exit(False)", "sys.exit()", "raise SystemExit"):
        with pytest.raises(InterpreterError, match="SystemExit"):
            executor(failed)


def test_a_killed_supervisor_has_a_name_within_two_seconds(make: Make) -> None:
    executor = make(timeout=30)
    executor("x = 1")
    tree = {executor._channel.pid, *below(executor._channel.pid)}
    assert len(tree) >= 2
    start = time.monotonic()
    threading.Timer(0.3, os.kill, (executor._channel.pid, signal.SIGKILL)).start()
    with pytest.raises(SandboxDiedError, match="ended unexpectedly: its process ended with signal 9"):
        executor("while True: pass")
    assert time.monotonic() - start < 20
    assert eventually(lambda: not living(tree))
    fresh = run(executor, "'x' in dir()")
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
        ("os.kill(os.getpid(), 11)", "signal 11"),
        ("os.abort()", "signal 6"),
        ("os.closerange(0, 256); time.sleep(60)", "signal 9|exit code"),
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
    executor = make(timeout=30)
    executor("x = 1")
    tree = {executor._channel.pid, *below(executor._channel.pid)}
    threading.Timer(0.3, (executor._channel._folder / "end").touch).start()
    start = time.monotonic()
    with pytest.raises(SandboxDiedError, match=f"ended unexpectedly: its process ended with ({said})"):
        executor("while True: pass")
    assert time.monotonic() - start < 20
    assert eventually(lambda: not living(tree))
    monkeypatch.undo()
    assert executor("'x' in dir()").output is False


def test_a_stopped_supervisor_is_ended_by_the_host(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.step.LIMIT_SLACK_SECONDS", 0.5)
    executor = make(unguarded=True, timeout=0.5)
    with pytest.raises(SandboxDiedError, match="ignored its time limit"):
        executor("1")
        threading.Timer(0.2, os.kill, (executor._channel.pid, signal.SIGSTOP)).start()
        executor("while True: pass")
    assert executor("1").output == 1


# --- hostile code beneath the guard ---

GARBAGE = """
import os, struct
frame = b'\\xabSC1' + struct.pack('>II', 10, 0) + b'{"type":1}'
for fd in range(3, 65):
    for data in (b'garbage', frame, frame * 100, os.urandom(1000)):
        try: os.write(fd, data)
        except OSError: pass
"""


def test_garbage_on_every_descriptor_is_refused_and_noted(make: Make) -> None:
    executor = make(unguarded=True, timeout=20)
    executor.send_tools({"shout": str.upper})
    observed = executor(GARBAGE + "\nprint('still here')\nshout('a')")
    assert observed.output == "A"
    assert observed.stdout.startswith("still here\n\n[smolcell: forged frame refused (")
    assert executor("1").stdout == ""


def test_a_forged_end_without_the_nonce_changes_nothing(make: Make) -> None:
    code = """
import os, json, struct
header = json.dumps({"type": "done", "step": 1, "error": None, "final": True, "changed": [], "dropped": 0,
                     "forged": 0, "state_lost": False, "duration": 0.0}).encode()
frame = b'\\xabSC1' + struct.pack('>IIQ', len(header), 1, 2) + header + b'{}'
for fd in range(3, 30):
    for nonce in (b'', bytes(16), os.urandom(16)):
        try: os.write(fd, nonce + b'\\1' + frame)
        except OSError: pass
41 + 1
"""
    observed = make(unguarded=True)(code)
    assert (observed.output, observed.is_final_answer) == (42, False)


def test_children_and_grandchildren_end_with_a_killed_step(make: Make) -> None:
    code = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True: time.sleep(1)
        os._exit(0)
sum(range(10**12))
"""
    executor = make(unguarded=True, timeout=2)
    executor("1")
    before = below(executor._channel.pid)
    seen: set[int] = set()
    threading.Timer(1.5, lambda: seen.update(below(executor._channel.pid))).start()
    with pytest.raises(LimitError):
        executor(code)
    assert len(seen - before) >= 3
    assert eventually(lambda: not living(seen))


# --- closing ---


def test_closing_while_a_step_runs_ends_it(make: Make) -> None:
    executor = make(timeout=30)
    executor("1")
    tree = {executor._channel.pid, *below(executor._channel.pid)}
    folder = executor._channel._folder
    threading.Timer(0.3, executor.close).start()
    start = time.monotonic()
    with pytest.raises(SandboxDiedError, match="was closed"):
        executor("while True: pass")
    assert time.monotonic() - start < 20
    assert eventually(lambda: not living(tree) and not folder.exists())


def test_starting_and_stopping_leaks_nothing(make: Make) -> None:
    make()("1")
    before, threads = descriptors(), threading.active_count()
    gone: set[tuple[int, int]] = set()
    for _ in range(ROUNDS):
        executor = LocalPythonExecutor()
        assert executor("1 + 1").output == 2
        gone |= births({executor._channel.pid, *below(executor._channel.pid)})
        left = [executor._channel._folder, *map(Path, executor._channel._groups.folders.values())]
        executor.close()
        assert [folder for folder in left if folder.exists()] == []
    assert len(gone) >= 2 * ROUNDS
    assert births({pid for pid, _ in gone}) & gone == set()
    assert eventually(
        lambda: (descriptors(), threading.active_count()) == (before, threads)
    )  # threads that end meanwhile


def test_the_environment_is_scrubbed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    executor = make(unguarded=True)
    names = set(executor("import os\nsorted(os.environ)").output)
    given = {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "MPLBACKEND", "MPLCONFIGDIR", "XDG_CACHE_HOME", "SMOLCELL_TOKEN"}
    given |= {"PYTHONPATH", "PLOTLY_RENDERER", "USER", "LOGNAME"}  # for programs that the code starts; for charts
    assert names - {"LC_CTYPE"} == given  # Python itself may add that one
    assert "OPENAI_API_KEY" not in names
    assert executor("os.getcwd() == os.path.realpath(os.environ['HOME'])").output is True
    assert executor("os.getsid(0) == os.getpid()").output is True


def test_the_program_of_the_worker_is_out_of_the_codes_reach(make: Make) -> None:
    executor = make(unguarded=True)
    code = """
import os
def outcome(work):
    try:
        return work()
    except OSError as error:
        return type(error).__name__
[outcome(lambda: open('../worker.zip', 'ab')), outcome(lambda: open('../stderr', 'w')), outcome(lambda: os.mkfifo('../x'))]
"""
    assert set(executor(code).output) <= {"PermissionError", "FileNotFoundError", "OSError"}
    assert not (executor._channel._folder / "worker.zip").exists()


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
        with pytest.raises(SandboxError, match=r"the sandbox's process did not start: .*No space left on device"):
            executor("1")
        open_after.append(descriptors())
    assert list(tmp_path.iterdir()) == []
    assert len(set(open_after)) == 1
    monkeypatch.undo()
    assert executor("1 + 1").output == 2
