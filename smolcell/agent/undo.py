"""Going back: steps are taken back, in the sandbox and in the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from smolcell.core.history import ran, steps_after, surviving
from smolcell.errors import CapabilityError, InterpreterError, SetupError
from smolcell.events import Allowed, Called, History, Observed, Undone, sha256
from smolcell.executors import Checkpoint, completed
from smolcell.executors.base import WorkerExecutor
from smolcell.protocols import Executor


async def go_back(
    executor: Executor | None, history: History, run: str, step: int, renew: Callable[[], Executor]
) -> Undone:
    """Give the sandbox the state that it had after a step, by a copy of its process, or by running the steps up to it again.

    Args:
        executor: the sandbox; None if it has ended.
        history: what happened.
        run, step: the last step that is to count; step 0 for the start of the run.
        renew: ends the sandbox, and makes a new one with the variables and files that went into it.

    Raises:
        SetupError: the steps cannot be run again.
    """
    history = surviving(history)
    taken = steps_after(history, run, step)
    stays = tuple(_what_stays(history, set(taken)))
    try:
        if executor is None:
            raise CapabilityError("the sandbox has ended")
        uncovered = await completed(executor).rollback(*taken[0])
        return Undone(run=run, step=step, uncovered=uncovered, stays=stays)
    except CapabilityError as reason:
        again = ran(history)[: -len(taken)]
        _check(history, set(again), str(reason))
        differs = await asyncio.to_thread(_run_again, history, again, renew)
        return Undone(run=run, step=step, how="replay", differs=differs, stays=stays)


def run_again(history: History, renew: Callable[[], Executor]) -> tuple[int, ...]:
    """Run all approved steps of a history once more, in a new sandbox; returns the numbers of those that printed something else.

    Raises:
        SetupError: a step called a tool that needed an approval, or is not recorded as it ran.
    """
    _check(history, set(ran(history)), "the run goes on in a new sandbox")
    for event in history:
        if isinstance(event, Allowed) and event.kind == "code" and sha256(event.text) != event.sha256:
            raise SetupError(f"step {event.step} cannot run again: a secret was taken out of what is recorded of it")
    return _run_again(history, ran(history), renew)


def _what_stays(history: History, taken: set[tuple[str, int]]) -> list[str]:
    """The calls of tools, which cannot be undone."""
    calls = [
        event.text
        for event in history
        if (isinstance(event, Called) or (isinstance(event, Allowed) and event.kind == "call"))
        and (event.run, event.step) in taken
    ]
    return list(dict.fromkeys(f"the call {text}"[:200] for text in calls))


def _check(history: History, again: set[tuple[str, int]], reason: str) -> None:
    """Refuse to repeat a call that needed an approval."""
    for event in history:
        if isinstance(event, Allowed) and event.kind == "call" and (event.run, event.step) in again:
            raise SetupError(
                f"the sandbox cannot be as it was: {reason}, and step {event.step} cannot run again, because it called a tool "
                f"that had to be allowed: {event.text[:200]}"
            )


def _run_again(history: History, again: list[tuple[str, int]], renew: Callable[[], Executor]) -> tuple[int, ...]:
    """Run approved steps once more, in a new sandbox; returns the numbers of those that printed something else."""
    executor = renew()
    if not isinstance(executor, WorkerExecutor):
        raise SetupError(f"the sandbox {executor.name!r} cannot replay steps; start a new session: %%agent --new")
    back = {(e.run, e.step) for e in history if isinstance(e, Observed) and e.rolled_back}
    texts = {
        (e.run, e.step): e.text
        for e in history
        if isinstance(e, Allowed) and e.kind == "code" and not e.call and (e.run, e.step) not in back
    }
    printed = {(e.run, e.step): e.stdout for e in history if isinstance(e, Observed) and not e.call}
    differs = []
    for place in again:
        if place not in texts:
            continue
        try:
            found = executor(texts[place], thought=f"step {place[1]} once more", record=executor.record).stdout
        except InterpreterError as error:
            found = error.logs
        if found != printed.get(place, ""):
            differs.append(place[1])
    return tuple(differs)


def rewind_points(history: History, kept: list[Checkpoint]) -> list[Checkpoint]:
    """Each step that can be gone back to, oldest first: of those that ran all but the last, and the start of each run."""
    by_place = {(each.run, each.step): each for each in kept}
    known, found = ran(history), []
    for before, place in zip([("", 0), *known], known, strict=False):
        each = by_place.get(place) or Checkpoint(*place, "replay", 0, "")
        found.append(each._replace(step=before[1] if before[0] == place[0] else 0))
    return found
