"""Stopping: by ``interrupt`` from any thread, and by cancelling ``run``."""

from __future__ import annotations

import asyncio
import threading
import time

from smolcell.protocols import Executor
from smolcell.testing.checks.check import check
from smolcell.testing.checks.errors import fault
from smolcell.testing.checks.limits import STUBBORN
from smolcell.testing.trial import Broken, Trial, expect, ok, that

SOON = 2.0  # seconds within which an interrupt has ended a step, however deep in C it is


async def stopped(trial: Trial, executor: Executor, code: str) -> bool:
    """Interrupt code that says when it has begun; returns whether names were kept."""
    begun = asyncio.Event()

    async def mark() -> None:
        begun.set()

    await trial.lend(executor, mark=mark)
    ok(await trial.run("kept = 1", executor))
    step = asyncio.ensure_future(trial.run(f"mark()\n{code}", executor))
    try:
        await asyncio.wait_for(begun.wait(), trial.patience)
    except TimeoutError:
        raise Broken(f"{code!r} did not begin within {trial.patience:g} s") from None
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
    """An interrupt from another thread ends a Python loop, a sleep, an ``await``; the names are kept."""
    executor = trial.given()
    for code in ("while True: pass", "import time\ntime.sleep(3600)", "import asyncio\nawait asyncio.sleep(3600)"):
        that(await stopped(trial, executor, code), f"the names were lost with {code!r}")


@check
async def interrupt_c_call(trial: Trial) -> None:
    """An interrupt ends one long call of C code, and a program that catches everything."""
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
    """An interrupt when nothing runs is harmless: before opening, between steps, twice."""
    executor = trial.fresh()
    executor.interrupt()
    expect(ok(await trial.run("1", executor)).output, 1, "the first step")
    executor.interrupt()
    executor.interrupt()
    await asyncio.sleep(0.1)
    expect(ok(await trial.run("import time\ntime.sleep(0.3)\n2", executor)).output, 2, "the step after two interrupts")


@check
async def cancelling(trial: Trial) -> None:
    """Cancelling ``run`` ends the code, and the executor can be used again."""
    executor = trial.given()
    ok(await trial.run("with open('beat', 'w') as file: pass", executor))
    begun = asyncio.Event()

    async def mark() -> None:
        begun.set()

    await trial.lend(executor, mark=mark)
    code = "import time\nmark()\nwhile True:\n    with open('beat', 'a') as file: file.write('.')\n    time.sleep(0.02)"
    step = asyncio.ensure_future(trial.run(code, executor))
    await asyncio.wait_for(begun.wait(), trial.patience)
    step.cancel()
    done, _ = await asyncio.wait({step}, timeout=SOON + trial.patience)
    that(done and step.cancelled(), "run() did not end with CancelledError")
    first = ok(await trial.run("len(open('beat').read())", executor), "the next step").output
    await asyncio.sleep(0.2)
    expect(
        ok(await trial.run("len(open('beat').read())", executor)).output,
        first,
        "what the cancelled code has written since",
    )
