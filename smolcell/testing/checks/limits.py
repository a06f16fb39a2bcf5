"""Limits hold outside the code: time, memory, disk; and after a kill there is a fresh start."""

from __future__ import annotations

import asyncio
import time

from smolcell.events import Fault
from smolcell.protocols import Executor
from smolcell.testing.checks.check import check
from smolcell.testing.checks.errors import fault
from smolcell.testing.trial import Trial, expect, ok, that

LIMIT = 0.6  # seconds
STUBBORN = "n = 0\nwhile True:\n    try:\n        n += 1\n        while True: n += 1\n    except BaseException: n = 0"
LATE = 2.0  # seconds after its limit at which a step must have ended


async def ends(trial: Trial, executor: Executor, code: str) -> Fault:
    """The fault of code that must end at its time limit, and leave an executor that works and says what it kept."""
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
    """A Python loop without end is ended at the time limit, one that catches everything too."""
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
    """One long call of C code is ended at the time limit."""
    executor = trial.given(timeout=LIMIT)
    for code in ("sum(range(10 ** 13))", "import re\nre.match('(a|a)*b', 'a' * 50)"):
        await ends(trial, executor, code)


@check
async def time_in_reprs(trial: Trial) -> None:
    """The time limit holds for what runs after the last line: ``__repr__``, an error's text, rich representations."""
    executor = trial.given(timeout=LIMIT)
    endless = "class A{base}:\n    def {name}(self):\n        while True: pass\n"
    await ends(trial, executor, endless.format(base="", name="__repr__") + "A()")
    await ends(trial, executor, endless.format(base="", name="_repr_html_") + "A()")
    await ends(trial, executor, endless.format(base="(Exception)", name="__str__") + "raise A")


@check
async def time_of_threads(trial: Trial) -> None:
    """Threads do not hold a step past its limit, and what they print afterwards belongs to no other step."""
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
    """Processes that code starts, if it can start any, end with the step that is killed."""
    executor = trial.fresh(timeout=LIMIT, additional_authorized_imports=["*"])
    tried = []
    for way in ("fork", "process", "program"):
        ok(await trial.run("with open('beat', 'w') as file: pass", executor))
        observed = await trial.run(BEAT.replace("WAYS", repr([way])) + "time.sleep(0.5)\nwhile True: pass", executor)
        error = fault(observed, f"a step that starts a process by {way}")
        that(error.kind in ("limit", "forbidden"), f"starting a process by {way}: {error.type}: {error.message}")
        size = "import os\nos.path.getsize('beat') if os.path.exists('beat') else 0"
        if ok(await trial.run(size, executor)).output:
            await asyncio.sleep(0.3)  # for one that is ending
        first = second = ok(await trial.run(size, executor)).output
        if first:
            await asyncio.sleep(0.4)
            second = ok(await trial.run(size, executor)).output
        expect(second, first, f"the bytes that a process started by {way} has written, 0.4 s later: it lives")
        tried.append(f"{way}: " + ("refused" if not first else "started and ended"))
    return "; ".join(tried)


@check
async def memory(trial: Trial) -> None:
    """Allocating more than ``memory`` MB is a limit with a name, and the sandbox goes on."""
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
    """One file cannot grow without bound: writing on is an OSError in the code, and the sandbox goes on."""
    executor = trial.given()
    code = "with open('huge', 'wb') as file:\n    file.seek(1 << 42)\n    file.write(b'x')\n    file.flush()"
    error = fault(await trial.run(code, executor), "writing at the fourth terabyte")
    expect(error.kind, "python", f"the kind of the error ({error.type}: {error.message})")
    ok(await trial.run("with open('huge', 'wb') as file: pass", executor), "the next step")


@check
async def fresh_start(trial: Trial) -> None:
    """After a kill the step says that the state is gone, and the next one has a fresh worker with the tools lent before."""
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
    expect(ok(await trial.run("given_later", executor)).output, 3, "a value that is sent to the fresh worker")
