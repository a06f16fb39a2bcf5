"""Nothing runs without a permit, and one step runs at a time."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from smolcell.errors import PermitError, SandboxBusyError
from smolcell.events import Observed
from smolcell.protocols import Executor
from smolcell.testing.checks.check import check
from smolcell.testing.trial import Trial, expect, ok, refused, that


@check
async def permit_is_spent(trial: Trial) -> None:
    """A permit runs once: the second time, here or in another executor, is a PermitError."""
    executor, other = trial.given(), trial.fresh()
    ok(await trial.run("runs = 0", executor))
    permit = await trial.permit("runs += 1")
    ok(await trial.run_permit(permit, executor))
    await refused(trial.run_permit(permit, executor), PermitError, "the second run of a permit")
    await refused(trial.run_permit(permit, other), PermitError, "its run in another executor")
    expect(ok(await trial.run("runs", executor)).output, 1, "how often it ran")


@check
async def no_permit(trial: Trial) -> None:
    """A copy of a permit, an edited one, or something else is a PermitError, and nothing runs."""
    executor = trial.given()
    permit = await trial.permit("ran = True")
    for what, wrong in (
        ("a copy", copy.copy(permit)),
        ("an edited copy", replace(permit, text="ran = 'edited'")),
        ("a text", "ran = True"),
    ):
        await refused(trial.run_permit(wrong, executor), PermitError, f"running {what}")  # type: ignore[arg-type]
    expect(ok(await trial.run("'ran' in dir()", executor)).output, False, "whether any of it ran")
    ok(await trial.run_permit(permit, executor), "the permit itself, afterwards")


@check
async def exact_text(trial: Trial) -> None:
    """What runs is the permit's text, to the character."""
    executor = trial.given()
    for code, value in (
        ("'''a\n\tb  \n'''", "a\n\tb  \n"),
        ("x = '\\r\\n'\nx", "\r\n"),
        ("ﬁ = 2\nfi", 2),
        ("1 #" + "x" * 200_000, 1),
    ):
        expect(ok(await trial.run(code, executor), repr(code[:40])).output, value, f"the value of {code[:40]!r}")


@check
async def busy(trial: Trial) -> None:
    """While a step is open another one is a SandboxBusyError and does not run; the open one is not disturbed."""
    executor = trial.given()
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def pause() -> None:
        begun.set()
        await go_on.wait()

    await trial.lend(executor, pause=pause)
    first = asyncio.ensure_future(trial.run("pause()\nmark = 1\nmark", executor))
    try:
        await asyncio.wait_for(begun.wait(), trial.patience)
        await refused(trial.run("mark = 2", executor), SandboxBusyError, "a second step")
    finally:
        go_on.set()
    expect(ok(await first).output, 1, "what the open step gave")
    expect(ok(await trial.run("mark", executor)).output, 1, "the name that the second step would have written")


@check
async def free_loop(trial: Trial) -> None:
    """Running a step holds nobody else's event loop: other work goes on, and other executors run side by side."""
    executors = [trial.fresh(), trial.fresh()]
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.ensure_future(tick())
    steps: list[Coroutine[Any, Any, Observed]] = [_paused(trial, executor) for executor in executors]
    for observed in await asyncio.gather(*steps):
        ok(observed)
    ticking.cancel()
    that(ticks >= 5, f"while two steps slept, the loop came round {ticks} times")


async def _paused(trial: Trial, executor: Executor) -> Observed:
    return await trial.run("import time\ntime.sleep(0.5)", executor)
