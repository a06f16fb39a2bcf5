"""Limits are enforced from outside the code: time, memory, disk; and a killed sandbox starts again."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from smolcell.errors import SandboxError
from smolcell.events import Fault
from smolcell.protocols import Executor
from smolcell.testing import trial as orphan
from smolcell.testing.checks_execution import fault
from smolcell.testing.trial import Broken, NotApplicable, Trial, check, expect, ok, refused, that
from smolcell.worker.system import processes

LIMIT = 0.6  # seconds
STUBBORN = "n = 0\nwhile True:\n    try:\n        n += 1\n        while True: n += 1\n    except BaseException: n = 0"
LATE = 2.0  # seconds after its limit within which a step must have ended


async def ends(trial: Trial, executor: Executor, code: str) -> Fault:
    """Run code that must end at its time limit; returns its error. The executor must still work and report whether it lost state."""
    ok(await trial.run("kept = 1", executor))
    started = time.monotonic()
    observed = await trial.run(code, executor)
    took = time.monotonic() - started
    error = fault(observed, repr(code))
    expect((error.kind, error.type), ("limit", "TimeoutError"), f"the error of {code!r} ({error.message})")
    that(f"{LIMIT:g} s" in error.message, f"the message does not name the limit: {error.message!r}")
    that(
        took < LIMIT + LATE + trial.patience,
        f"{code!r} ended {took:.1f} s after it began, with a limit of {LIMIT:g} s",
    )
    after = ok(await trial.run("'kept' in dir()", executor), f"the step after {code!r}")
    expect(after.output, not observed.state_lost, f"after {code!r}: whether names are kept, of which it said so")
    expect(after.state_lost, False, "whether the loss is told again")
    return error


@check
async def time_in_python(trial: Trial) -> None:
    """An endless Python loop is ended at the time limit, also one that catches everything."""
    executor = trial.given(timeout=LIMIT)
    error = await ends(trial, executor, "n = 0\nwhile True:\n    n += 1")
    that(error.line in (0, 2, 3), f"the error names line {error.line}, where the loop is not")
    await ends(trial, executor, STUBBORN)
    await ends(trial, executor, "async def f():\n    while True: pass\nawait f()")


@check
async def time_in_sleep(trial: Trial) -> None:
    """A sleep is ended at the time limit, and so is an ``await``."""
    executor = trial.given(timeout=LIMIT)
    await ends(trial, executor, "import time\ntime.sleep(3600)")
    await ends(trial, executor, "import asyncio\nawait asyncio.sleep(3600)")


@check
async def time_in_one_c_call(trial: Trial) -> None:
    """A single long call of C code is ended at the time limit."""
    executor = trial.given(timeout=LIMIT)
    for code in ("sum(range(10 ** 13))", "import re\nre.match('(a|a)*b', 'a' * 50)"):
        await ends(trial, executor, code)


@check
async def time_in_reprs(trial: Trial) -> None:
    """The time limit includes code that runs after the last line: ``__repr__``, an error's text, rich representations."""
    executor = trial.given(timeout=LIMIT)
    endless = "class A{base}:\n    def {name}(self):\n        while True: pass\n"
    await ends(trial, executor, endless.format(base="", name="__repr__") + "A()")
    await ends(trial, executor, endless.format(base="", name="_repr_html_") + "A()")
    await ends(trial, executor, endless.format(base="(Exception)", name="__str__") + "raise A")


@check
async def time_of_threads(trial: Trial) -> None:
    """Threads do not delay a step past its limit, and their later output belongs to no other step."""
    executor = trial.given(timeout=LIMIT, additional_authorized_imports=["threading"])
    start = "import threading\ndef spin():\n    while True: print('spinning')\nt = threading.Thread(target=spin)\nt.start()\n"
    await trial.in_code("threads", start, executor)
    await ends(trial, executor, start + "t.join()")
    fresh = trial.fresh(timeout=LIMIT, additional_authorized_imports=["threading"])
    code = (
        "import threading, time\ndef late():\n    time.sleep(0.3)\n    print('late')\n"
        "threading.Thread(target=late, daemon=True).start()\nprint('begun')"
    )
    expect(ok(await trial.run(code, fresh)).stdout, "begun\n", "what the step printed")
    ok(await trial.run("import time", fresh))
    await asyncio.sleep(0.6)
    expect(ok(await trial.run("print('next')", fresh)).stdout, "next\n", "what a step printed after a thread had")


BEAT = """
import os, time
def beat(path='beat'):
    while True:
        with open(path, 'a') as file: file.write('.')
        time.sleep(0.02)
started = []
def by_fork():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: beat()
        os._exit(0)
def by_process():
    import multiprocessing
    multiprocessing.get_context('fork').Process(target=beat).start()
def by_program():
    import subprocess, sys
    subprocess.Popen(['sh', '-c', 'while :; do echo . >> beat; sleep 0.05; done'], start_new_session=True)
ways = {'fork': by_fork, 'process': by_process, 'program': by_program}
for name in WAYS:
    try:
        ways[name]()
        started.append(name)
    except BaseException as error:
        print(name, type(error).__name__)
"""


@check
async def processes_end_too(trial: Trial) -> str | None:
    """Processes started by code, if it can start any, end with a step that is killed."""
    executor = trial.fresh(timeout=LIMIT, additional_authorized_imports=["*"])
    tried = []
    for way in ("fork", "process", "program"):
        ok(await trial.run("with open('beat', 'w') as file: pass", executor))
        observed = await trial.run(BEAT.replace("WAYS", repr([way])) + "time.sleep(0.5)\nwhile True: pass", executor)
        error = fault(observed, f"a step that starts a process by {way}")
        that(error.kind in ("limit", "forbidden"), f"starting a process by {way}: {error.type}: {error.message}")
        size = "import os\nos.path.getsize('beat') if os.path.exists('beat') else 0"
        if await trial.value(size, executor):
            await asyncio.sleep(0.3)  # for one that is ending
        first = second = await trial.value(size, executor)
        if first:
            await asyncio.sleep(0.4)
            second = await trial.value(size, executor)
        expect(second, first, f"the bytes that a process started by {way} has written, 0.4 s later: it lives")
        tried.append(f"{way}: " + ("refused" if not first else "started and ended"))
    return "; ".join(tried)


@check
async def memory(trial: Trial) -> None:
    """Allocating more than ``memory`` MB is a named limit, and the sandbox continues."""
    await trial.in_options("memory limit", memory=256)
    executor = trial.given(memory=256, timeout=60)
    for code in ("x = bytearray(10 ** 9)", "x = []\nwhile True: x.append('a' * 10 ** 6)"):
        error = fault(await trial.run(code, executor), repr(code))
        expect(error.kind, "limit", f"the kind of error of {code!r} ({error.type}: {error.message})")
        that(
            "memory" in error.message and "256" in error.message,
            f"the message names no memory limit: {error.message!r}",
        )
        ok(await trial.run("x = None\n1 + 1", executor), "the next step")


@check
async def disk(trial: Trial) -> None:
    """A file cannot grow without bound: writing more is an OSError in the code, and the sandbox continues."""
    executor = trial.given()
    code = "with open('huge', 'wb') as file:\n    file.seek(1 << 42)\n    file.write(b'x')\n    file.flush()"
    error = fault(await trial.run(code, executor), "writing at the fourth terabyte")
    expect(error.kind, "python", f"the kind of the error ({error.type}: {error.message})")
    ok(await trial.run("with open('huge', 'wb') as file: pass", executor), "the next step")


@check
async def fresh_start(trial: Trial) -> None:
    """After a kill the step reports that the state is lost, and the next one has a new worker with the same tools."""
    executor = trial.fresh(timeout=LIMIT)
    await trial.lend(executor, shout=str.upper)
    ok(await trial.run("kept = shout('a')", executor))
    observed = await trial.run("print('begun')\nsum(range(10 ** 13))", executor)
    expect(
        (observed.error is not None, observed.state_lost),
        (True, True),
        "whether it failed, and said that the state is gone",
    )
    expect(observed.stdout, "begun\n", "what it had printed")
    after = ok(await trial.run("['kept' in dir(), shout('b')]", executor))
    expect((after.output, after.state_lost), ([False, "B"], False), "names and tools of the next step, and its flag")
    await trial.send(executor, {"given_later": 3})
    expect(await trial.value("given_later", executor), 3, "a value that is sent to the fresh worker")


# --- Stopping: by ``interrupt`` from any thread, and by cancelling ``run``.


SOON = 2.0  # seconds within which an interrupt must have ended a step, also in C code


async def stopped(trial: Trial, executor: Executor, code: str) -> bool:
    """Interrupt code that reports its start; returns whether its names were kept."""
    ok(await trial.run("kept = 1", executor))
    step = await trial.begin(code, executor)
    await asyncio.sleep(0.1)
    started = time.monotonic()
    thread = threading.Thread(target=executor.interrupt)
    thread.start()
    await asyncio.wait({step}, timeout=SOON + trial.patience)
    if not step.done():
        step.cancel()
        raise Broken(f"{code!r} has not ended {SOON + trial.patience:g} s after the interrupt")
    observed = step.result()
    took = time.monotonic() - started
    thread.join()
    error = fault(observed, repr(code))
    expect((error.kind, error.type), ("stopped", "KeyboardInterrupt"), f"the error of {code!r} ({error.message})")
    that(took < SOON + trial.patience, f"{code!r} ended {took:.1f} s after the interrupt")
    after = ok(await trial.run("'kept' in dir()", executor), f"the step after {code!r}")
    expect(after.output, not observed.state_lost, f"after {code!r}: whether names are kept, of which it said so")
    return not observed.state_lost


@check
async def interrupt_python(trial: Trial) -> None:
    """An interrupt from another thread ends a Python loop, a sleep, an ``await``; names are kept."""
    executor = trial.given()
    for code in ("while True: pass", "import time\ntime.sleep(3600)", "import asyncio\nawait asyncio.sleep(3600)"):
        that(await stopped(trial, executor, code), f"the names were lost with {code!r}")


@check
async def interrupt_c_call(trial: Trial) -> None:
    """An interrupt ends a single long call of C code, and a program that catches everything."""
    executor = trial.given()
    await stopped(trial, executor, "sum(range(10 ** 13))")
    await stopped(trial, executor, STUBBORN)


@check
async def interrupt_tool_call(trial: Trial) -> None:
    """An interrupt ends a step that waits for a tool."""
    executor = trial.given()
    await trial.lend(executor, forever=lambda: asyncio.sleep(3600))
    await stopped(trial, executor, "forever()")


@check
async def interrupt_idle(trial: Trial) -> None:
    """An interrupt without an open step does nothing: before opening, between steps, twice."""
    executor = trial.fresh()
    executor.interrupt()
    expect(await trial.value("1", executor), 1, "the first step")
    executor.interrupt()
    executor.interrupt()
    await asyncio.sleep(0.1)
    expect(await trial.value("import time\ntime.sleep(0.3)\n2", executor), 2, "the step after two interrupts")


@check
async def cancelling(trial: Trial) -> None:
    """Cancelling ``run`` ends the code, and the executor can be used again."""
    executor = trial.given()
    ok(await trial.run("with open('beat', 'w') as file: pass", executor))
    code = "import time\nwhile True:\n    with open('beat', 'a') as file: file.write('.')\n    time.sleep(0.02)"
    step = await trial.begin(code, executor)
    step.cancel()
    done, _ = await asyncio.wait({step}, timeout=SOON + trial.patience)
    that(done and step.cancelled(), "run() did not end with CancelledError")
    first = await trial.value("len(open('beat').read())", executor, what="the next step")
    await asyncio.sleep(0.2)
    expect(
        await trial.value("len(open('beat').read())", executor),
        first,
        "what the cancelled code has written since",
    )


# --- Start and end of a sandbox, and that nothing is left of it.


@check
async def opening(trial: Trial) -> None:
    """Opening is idempotent, also concurrently; ``run`` opens a sandbox that is not open."""
    executor = trial.fresh()
    await asyncio.gather(executor.open(), executor.open())
    ok(await trial.run("kept = 1", executor))
    await executor.open()
    expect(await trial.value("kept", executor), 1, "a name after opening again")
    expect(await trial.value("2", trial.fresh()), 2, "a step in an executor that nobody opened")


@check
async def closing(trial: Trial) -> None:
    """Closing is idempotent, also concurrently; using a closed executor is a SandboxError, and does not open it again."""
    executor = trial.fresh()
    ok(await trial.run("1", executor))
    await asyncio.gather(trial.close(executor), trial.close(executor))
    await trial.close(executor)
    await refused(trial.run("2", executor), SandboxError, "a step after closing")
    await refused(executor.open(), SandboxError, "opening after closing")
    unopened = trial.fresh()
    await trial.close(unopened)
    await refused(trial.run("3", unopened), SandboxError, "a step in what was closed before it was opened")
    executor.interrupt()
    executor.boundary()


@check
async def closing_while_running(trial: Trial) -> None:
    """Closing during a step soon ends the step, as an end of the sandbox."""
    for code in ("while True: pass", "sum(range(10 ** 13))"):
        executor = trial.fresh()
        step = await trial.begin(code, executor)
        await trial.close(executor)
        done, _ = await asyncio.wait({step}, timeout=trial.patience)
        if not done:
            step.cancel()
            raise Broken(f"{code!r} has not ended {trial.patience:g} s after closing")
        error = step.exception()
        if error is None:
            fault = step.result().error
            that(fault is not None and fault.kind in ("sandbox", "stopped"), f"{code!r} ended as {fault}")
        else:
            that(isinstance(error, SandboxError), f"{code!r} ended with {type(error).__name__}: {error}")


@check
async def with_statement(trial: Trial) -> None:
    """``with`` returns the executor, and closes it at the end."""
    executor = trial.fresh()
    manager: Any = executor
    if not hasattr(type(manager), "__enter__"):
        raise NotApplicable("the executor is no context manager; close() is what it must have")
    with manager as entered:
        that(entered is executor, "``with … as`` gives something else than the executor")
        ok(await trial.run("1", executor))
    await refused(trial.run("2", executor), SandboxError, "a step after the with statement")


@check
async def nothing_is_left(trial: Trial) -> None:
    """After closing nothing is left on the host: no process, descriptor or thread, and no entry in ``alive``."""
    await _round(trial)  # creates what stays: a reaper, an event loop, a pool of threads
    before = await _settled(trial)
    for _ in range(3):
        await _round(trial)

    def left() -> bool:
        now = _held(trial)
        return all(len(now[what]) <= len(before[what]) for what in before)

    try:
        await trial.eventually(left, "everything is freed after closing")
    except Broken as error:
        now = _held(trial)
        more = {what: sorted(now[what] - before[what]) for what in before if len(now[what]) > len(before[what])}
        raise Broken(f"{error}: more than before three sandboxes were opened and closed: {more}") from None


async def _round(trial: Trial) -> None:
    executor = trial.fresh(timeout=5)
    ok(await trial.run("print('hello')\n1", executor))
    await trial.close(executor)


async def _settled(trial: Trial) -> dict[str, set[str]]:
    """Return the resources of this process when they no longer change."""
    held = _held(trial)
    for _ in range(20):
        await asyncio.sleep(0.1)
        again = _held(trial)
        if again == held:
            break
        held = again
    return held


def _held(trial: Trial) -> dict[str, set[str]]:
    """Return the resources of this process, as far as the system shows them."""
    descriptors = Path("/proc/self/fd")
    return {
        "processes": {str(pid) for pid in processes.find_tree(0) | _below(os.getpid())},
        "descriptors": {path.name for path in descriptors.iterdir()} if descriptors.is_dir() else set(),
        "threads": {f"{thread.name} {thread.ident}" for thread in threading.enumerate()} - _pool(),
        "alive": set(trial.alive()) if trial.alive is not None else set(),
    }


def _pool() -> set[str]:
    """Return the threads of asyncio's default pool, which are no leak: it starts more as it is used."""
    return {f"{t.name} {t.ident}" for t in threading.enumerate() if t.name.startswith("asyncio_")}


def _below(pid: int) -> set[int]:
    """Return the living processes below one, if the system shows them."""
    return processes.find_tree(pid) - {pid}


@check
async def host_dies(trial: Trial) -> str:
    """When the host is killed with SIGKILL during a step, nothing is left of its sandbox."""
    before = set(trial.alive()) if trial.alive is not None else set()
    try:
        factory = orphan.describe(trial.make)
    except LookupError as error:
        raise Broken(str(error)) from None
    code = "import sys; sys.path[:] = __import__('json').loads(sys.argv[1]); from smolcell.testing.trial import main; main()"
    host = await asyncio.to_thread(
        subprocess.Popen,
        [sys.executable, "-c", code, json.dumps(sys.path), json.dumps(factory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        report = json.loads(await _line(host, trial))
        members = _members(host.pid)
        far = set(trial.alive()) - before if trial.alive is not None else set()
    finally:
        host.kill()
        await asyncio.to_thread(host.wait)
        for pipe in (host.stdin, host.stdout):  # not read to the end: a process of the sandbox may hold them open
            if pipe is not None:
                pipe.close()
    folder = Path(report["folder"]) if report["folder"] else None
    await trial.seen_alive(bool(members), bool(far))
    await trial.eventually(lambda: not _living(members), f"of {len(members)} processes of the sandbox none lives")
    if folder is not None and report["seen"]:
        await trial.eventually(lambda: not folder.exists(), f"its folder {folder} is gone")
    if trial.alive is not None:
        alive = trial.alive
        await trial.eventually(lambda: not (set(alive()) & far), f"of {far} nothing is alive")
    return f"{len(members)} processes, {len(far)} others were seen, and ended"


async def _line(host: subprocess.Popen[bytes], trial: Trial) -> bytes:
    """Return the line with which the host reports that its sandbox runs."""
    stdout = host.stdout
    reading = asyncio.ensure_future(asyncio.to_thread(stdout.readline if stdout is not None else bytes))
    done, _ = await asyncio.wait({reading}, timeout=60 + trial.patience)
    if not done or not reading.result():
        host.kill()
        raise Broken("a process that made such an executor and ran a step in it did not say that it was at work")
    return reading.result()


def _members(pid: int) -> set[tuple[int, int]]:
    """Return the processes below one with their start times, so that a reused id is not mistaken for one."""
    members = {member: processes.stat(member) for member in _below(pid)}
    return {(member, stat.start) for member, stat in members.items() if stat is not None}


def _living(members: set[tuple[int, int]]) -> bool:
    for pid, start in members:
        stat = processes.stat(pid)
        if stat is not None and stat.start == start and stat.state not in "ZX":
            return True
    return False
