"""Going back: steps are undone by a copy of the sandbox from before them, or by running the approved steps before them again.

Nothing of a run that was loaded from elsewhere runs again before a person saw it: ``_allow_again``.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

from smolcell import journal as runs
from smolcell.agent.ideas import MAX_IDEAS
from smolcell.agent.memory import AgentMemory
from smolcell.agent.preparing import Preparation
from smolcell.agent.result import RunResult
from smolcell.agent.running import CurrentRun, FrontEndResolver, Job, whole_number
from smolcell.agent.sandbox import AgentSandbox
from smolcell.core.history import (
    place_of,
    ran,
    retry_point,
    steps_after,
    surviving,
    surviving_programs,
    target,
)
from smolcell.core.parsing import tree
from smolcell.core.text import shorten
from smolcell.errors import ApprovalError, CapabilityError, InterpreterError, SetupError
from smolcell.events import (
    DIRECT_RUN,
    Allowed,
    Asked,
    Called,
    Ended,
    Finding,
    History,
    Observed,
    Opened,
    Proposed,
    Refused,
    State,
    Undone,
    exposure,
    needed_walls,
    program_key,
    sha256,
)
from smolcell.executors import SHARED, Checkpoint, completed
from smolcell.executors.base import WorkerExecutor
from smolcell.permit import known_permit, permit_again, spend
from smolcell.protocols import Executor, FrontEnd, Model, Waiter
from smolcell.tools.tool import Tool

T = TypeVar("T")
_AGAIN = "Run the programs of earlier steps again"
_LEAVE = "To go on without running them: agent.fork(STEP).resume() (%agent fork STEP, then %agent resume)"


class Rewindable(Protocol):
    """The agent, as far as going back uses it."""

    memory: AgentMemory
    sandbox: AgentSandbox
    fronts: FrontEndResolver
    active: CurrentRun
    preparation: Preparation

    @property
    def executor(self) -> Executor: ...
    @property
    def callables(self) -> Mapping[str, Tool]: ...
    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]: ...
    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult: ...


def checkpoints(self: Rewindable) -> list[Checkpoint]:
    """The steps that ``goto`` can go back to, oldest first; step 0 is the start of its run."""
    kept: list[Checkpoint] = []
    if self.sandbox.opened is not None and self.memory.events:
        kept = _wait_for(self.fronts.resolve(), completed(self.sandbox.opened).checkpoints.kept())
    return rewind_points(self.memory.events, kept)


def undo(self: Rewindable, steps: int = 1, *, front: FrontEnd | None = None) -> Undone:
    """Undo the newest steps: restore variables, work folder and conversation as they were before them.

    Does not undo values in the notebook, saved files, or effects of tools.

    Args:
        steps: how many, those of earlier runs included.
        front: the front end that shows it, if it is not the agent's own.

    Raises:
        SetupError: no step ran, or the steps cannot be undone.
        ApprovalError: steps of a loaded run would have to run again, and a person did not allow them.
        AgentError: a run is active.
    """
    self.active.check_idle("go back")
    return _go_to(self, *target(self.memory.events, whole_number("steps", steps)), front)


def goto(self: Rewindable, step: int | str, *, front: FrontEnd | None = None) -> Undone:
    """Go back to the end of a step: undo all steps after it. ``resume`` continues from there.

    Args:
        step: its number in the newest run, 0 for the start of the run; "RUN:STEP" for another run.
        front: the front end that shows it, if it is not the agent's own.

    Raises:
        SetupError: there is no such step, or the later ones cannot be undone.
        ApprovalError: as for ``undo``.
        AgentError: a run is active.
    """
    self.active.check_idle("go back")
    number, run = _parse_place(step)
    return _go_to(self, *place_of(self.memory.events, number, run), front)


def retry(
    self: Rewindable,
    step: int | str,
    comment: str = "",
    *,
    front: FrontEnd | None = None,
    return_full_result: bool = False,
) -> Any:
    """Undo a step and continue in another way. The model gets the undone program, and the comment.

    Args:
        step: its number in the newest run; "RUN:STEP" for another run.
        comment: what to do differently.
        front: the front end that shows it, if it is not the agent's own.
        return_full_result: as for ``run``.

    Raises:
        SetupError: there is no such step, or it cannot be undone. Otherwise what ``run`` raises.
    """
    task, options = before_retry(self, step, comment, front=front)
    front = front or self.fronts.resolve()
    result = self.stay(self.start(task, front=front, reset=False, **options), front.waiter)
    return result if return_full_result else result.value()


def before_retry(
    self: Rewindable, step: int | str, comment: str = "", *, front: FrontEnd | None = None
) -> tuple[str, dict[str, Any]]:
    """Undo a step. Returns the task, and the options with which ``start`` continues in another way."""
    self.active.check_idle("go back")
    number, run = _parse_place(step)
    name, last, asked, program = retry_point(self.memory.events, number, run)
    _go_to(self, name, last, front)
    goes_on = bool(last or asked.resumes)  # else nothing of the run is left, and it starts again
    return asked.task, {"resume": goes_on, "instead": program, "comment": comment}


def branch(self: Rewindable, k: int = 3, *, models: Sequence[Model] = (), return_full_result: bool = False) -> Any:
    """Continue like ``resume``, but ask the model for ``k`` alternative next steps ("ideas") from the same state.

    The ideas are shown side by side. If the sandbox keeps checkpoints, the person can try each idea, which is undone afterwards,
    and then keep one. A custom gate gets the ideas in ``Proposed.ideas``. If the newest run has its answer, call ``undo()`` first.

    Args:
        k: number of ideas, at most 9.
        models: models to ask for the further ideas, one idea each; ``k`` is then their number plus one.
        return_full_result: as for ``run``.

    Raises:
        SetupError: the newest run has its answer, or ``k`` is out of range. Otherwise what ``run`` raises.
    """
    count = len(models) + 1 if models else whole_number("k", k)
    if not 2 <= count <= MAX_IDEAS:
        raise SetupError(f"branch takes from 2 to {MAX_IDEAS} ideas, not {count}: for example agent.branch(3)")
    front = self.fronts.resolve()
    job = self.start(front=front, resume=True, branch=count, branch_models=models)
    result = self.stay(job, front.waiter)
    return result if return_full_result else result.value()


def rebuild(
    self: Rewindable,
    files: Sequence[str | os.PathLike[str]] = (),
    read_only: bool = False,
    *,
    front: FrontEnd | None = None,
    own: bool = False,
) -> tuple[int, ...]:
    """Run the approved steps of the memory again, in a new sandbox, to restore its state. Blocks.

    Returns the numbers of the steps that now failed, or printed something else.

    Args:
        files, read_only: given to the sandbox before the first step, as for ``run``.
        front: the front end that asks, if it is not the agent's own.
        own: whether the memory is known to come from the user's own journal, though it does not lie in the state folder.

    Raises:
        SetupError: a step called a tool that needed an approval. Such a call is not repeated.
        ApprovalError: the programs come from elsewhere, and a person did not allow them.
        AgentError: a run is active.
    """
    self.active.check_idle("go back")
    front, events = front or self.fronts.resolve(), self.memory.events
    programs = repeatable(events, ran(events), "the run continues in a new sandbox")
    _wait_for(front, _allow_again(self, front, programs, own))
    self.active.check_idle("go back")  # a run may have begun while a person was asked
    self.sandbox.start_with(files, read_only)
    differs = _run_again(events, programs, self.sandbox.replace)
    self.memory.sandbox_restored()
    return differs


def _parse_place(step: int | str) -> tuple[int, str]:
    """Return number and run id of a step; "" for the newest run.

    Raises:
        SetupError: ``step`` is neither a number nor RUN:STEP.
    """
    run, _, number = str(step).rpartition(":")
    if not number.isdecimal():
        raise SetupError(f"{step!r} names no step: give its number, or RUN:STEP as in agent.checkpoints")
    return int(number), run


def _go_to(agent: Rewindable, run: str, step: int, front: FrontEnd | None) -> Undone:
    later = {each for each, _ in steps_after(agent.memory.events, run, step)} - {run}
    front = front or agent.fronts.resolve()
    undone = _wait_for(front, _go_back(agent, run, step, partial(_allow_again, agent, front)))
    agent.memory.journal.append(undone)
    agent.memory.go_back(undone)
    front.view.show(undone)
    for each in later:  # each run has its own card, and record
        agent.memory.journal.append(of_run := replace(undone, run=each, step=0))
        front.view.show(of_run)
    return undone


def _wait_for(front: FrontEnd, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the driver's loop, and wait for it in the calling thread. An exception raised there cancels it."""
    job = Job(work)
    try:
        return front.waiter.wait(job.done)
    except BaseException:
        job.cancel()
        raise


async def _go_back(
    agent: Rewindable, run: str, step: int, allow: Callable[[Sequence[Allowed]], Awaitable[None]]
) -> Undone:
    """Restore the state that the sandbox had after a step: from a copy of its process, or by running the steps again.

    Args:
        run, step: the last step to keep; step 0 is the start of the run.
        allow: returns if these programs may run again, else raises; called before the sandbox is replaced.

    Raises:
        SetupError: the steps cannot be run again.
    """
    executor, history = agent.sandbox.opened, surviving(agent.memory.events)
    undone = steps_after(history, run, step)
    stays = tuple(_what_stays(history, set(undone)))
    reason = "the sandbox has ended"
    if executor is not None:
        try:
            restored = await completed(executor).checkpoints.rollback(*undone[0])
        except CapabilityError as error:
            reason = str(error)
        else:
            stays += (SHARED,) if restored.shares else ()
            return Undone(run=run, step=step, uncovered=restored.uncovered, stays=stays)
    again = repeatable(history, ran(history)[: -len(undone)], reason)
    await allow(again)
    agent.active.check_idle("go back")  # a run may have begun while a person was asked
    differs = await asyncio.to_thread(_run_again, history, again, agent.sandbox.replace)
    return Undone(run=run, step=step, how="replay", differs=differs, stays=stays)


def repeatable(history: History, steps: Sequence[tuple[str, int]], reason: str) -> list[Allowed]:
    """Return the programs of these steps, in order. Steps that were undone at once have none.

    Args:
        history: the events of the conversation.
        steps: run and number of each step.
        reason: why they run again.

    Raises:
        SetupError: a step called a tool that needed an approval, or the recorded text of a program is not the one that was approved.
    """
    _check(history, set(steps), reason)
    chosen = [program for program in surviving_programs(history) if (program.run, program.step) in steps]
    for program in chosen:
        if sha256(program.text) != program.sha256:
            raise SetupError(
                f"step {program.step} cannot run again: its recorded program is not the one that was approved, because a secret in it "
                f"was redacted, or the file was changed. {_LEAVE}"
            )
    return chosen


def _what_stays(history: History, undone: set[tuple[str, int]]) -> list[str]:
    """Return the tool calls of undone steps. They cannot be undone."""
    calls = [
        event.text
        for event in history
        if (isinstance(event, Called) or (isinstance(event, Allowed) and event.kind == "call"))
        and (event.run, event.step) in undone
    ]
    return list(dict.fromkeys(shorten(f"the call {text}", 200) for text in calls))


def _check(history: History, again: set[tuple[str, int]], reason: str) -> None:
    """Raise ``SetupError`` if a call that needed an approval would be repeated."""
    for event in history:
        if isinstance(event, Allowed) and event.kind == "call" and (event.run, event.step) in again:
            raise SetupError(
                f"the sandbox cannot be as it was: {reason}, and step {event.step} cannot run again, because it called a tool "
                f"that had to be allowed: {shorten(event.text, 200)}"
            )


def _run_again(history: History, programs: Sequence[Allowed], renew: Callable[[], Executor]) -> tuple[int, ...]:
    """Run programs that were allowed, in a new sandbox. Returns the numbers of the steps that now failed, or printed something else."""
    executor = renew()
    if not isinstance(executor, WorkerExecutor):
        raise SetupError(f"the sandbox {executor.name!r} cannot replay steps; start a new session: %%agent --new")
    before = {
        (e.run, e.step): (e.stdout, e.error is not None) for e in history if isinstance(e, Observed) and not e.call
    }
    differs = []
    for program in programs:
        printed, failed_before = before.get((program.run, program.step), ("", False))
        failed = False
        try:
            found = executor(program.text, thought=f"step {program.step} once more", record=executor.record).stdout
        except InterpreterError as error:
            found, failed = error.logs, True
        if found != printed or (failed and not failed_before):
            differs.append(program.step)
    return tuple(differs)


_LEAVE = "To go on without running them: agent.fork(STEP).resume() (%agent fork STEP, then %agent resume)"


async def _allow_again(agent: Rewindable, front: FrontEnd, programs: Sequence[Allowed], own: bool = False) -> None:
    """Ask once about programs of earlier steps, unless they were allowed in this process, or are those of one of the user's own journals.

    Args:
        programs: the programs that are to run again.
        front: asks; the question has its own card.
        own: whether the programs are known to come from the user's own journal.

    Raises:
        ApprovalError: they were not allowed.
    """
    known = [needed_walls(program) if own else known_permit(program) for program in programs]
    loaded = [program_key(program) for program, walls in zip(programs, known, strict=True) if walls is None]
    stored = await asyncio.to_thread(runs.permits, loaded) if loaded else {}
    unknown = stored.keys() != set(loaded)
    if not unknown and not any([*known, *stored.values()]):
        return
    await agent.executor.open()
    boundary = agent.executor.boundary()
    why = (
        "neither this process nor one of your newest journals has an approval of them in this order"
        if unknown
        else exposure(boundary)
    )
    if not why:
        return
    shown = _together(programs, partial(agent.preparation.find, tools=agent.callables))
    decision = await _ask(agent, front, replace(shown, boundary=boundary, why=f"You are asked, because {why}."))
    if not isinstance(decision, Allowed) or decision.text != shown.text:
        raise ApprovalError(
            f"the programs of earlier steps did not run again, because {why}, and {_said(decision)}. {_LEAVE}"
        )
    spend(decision)
    for program in programs:
        permit_again(program)


async def _ask(agent: Rewindable, front: FrontEnd, proposed: Proposed) -> Allowed | Refused:
    """Ask about a proposal that belongs to no run, on a card of its own."""
    run, journal, show = proposed.run, agent.memory.journal, front.view.show
    show(Asked(run=run, task=_AGAIN, sandbox=agent.executor.name, approve=front.approve, session=agent.memory.session))
    if proposed.boundary is not None:
        show(Opened(run=run, boundary=proposed.boundary))
    show(proposed)
    journal.append(replace(proposed, run=DIRECT_RUN))
    state: State = "stopped"
    try:
        decision = await agent.preparation.gate(front)(proposed)
        journal.append(replace(decision, run=DIRECT_RUN))
        show(decision)
        state = "success" if isinstance(decision, Allowed) else "refused"
    finally:
        show(Ended(run=run, state=state, steps=1))
    return decision


def _said(decision: Allowed | Refused) -> str:
    if isinstance(decision, Allowed):
        return "they run as they are, or not at all"
    if decision.by == "nobody":
        return "no one answered. Repeat it where a person can: in an open notebook, at a terminal, or with view= of the agent"
    return decision.reason or "you refused it"


def _together(programs: Sequence[Allowed], find: Callable[[str], tuple[Finding, ...]]) -> Proposed:
    """Return the question about these programs: all of them, one below the other."""
    lines: list[str] = []
    found: list[Finding] = []
    for number, program in enumerate(programs, 1):
        broken = isinstance(tree(program.text), str)  # an open string would colour the programs below it
        lines.append(f"# program {number} of {len(programs)}, of step {program.step}{', does not parse' * broken}")
        found += (replace(each, line=each.line + len(lines)) if each.line else each for each in find(program.text))
        lines += [*(f"{'# ' * broken}{line}" for line in program.text.split("\n")), ""]
    return Proposed(
        run=secrets.token_hex(6),
        step=1,
        text="\n".join(lines),
        thought="Run the programs of earlier steps again, each on its own, to restore the state of the sandbox.",
        findings=tuple(found),
        needs="ask",
    )


def rewind_points(history: History, kept: list[Checkpoint]) -> list[Checkpoint]:
    """Return the steps that can be gone back to, oldest first: all but the last that ran, and the start of each run."""
    by_place = {(each.run, each.step): each for each in kept}
    known, points = ran(history), []
    for before, place in zip([("", 0), *known], known, strict=False):
        each = by_place.get(place) or Checkpoint(*place, "replay", 0, "")
        points.append(each._replace(step=before[1] if before[0] == place[0] else 0))
    return points
