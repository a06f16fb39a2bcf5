"""Undo, and several ideas for one step: the model is asked again from the same state, and a person tries the ideas and keeps one.

Nothing of a run that was loaded from elsewhere runs again before a person saw it: ``allow_again``.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Protocol

from smolcell import journal
from smolcell.approval.gates import permit_chosen
from smolcell.core.history import ran, steps_after, surviving, surviving_programs
from smolcell.core.parsing import Program, parse, tree
from smolcell.core.prompt import another_way
from smolcell.core.text import shorten
from smolcell.errors import AgentError, ApprovalError, CapabilityError, InterpreterError, SetupError
from smolcell.events import (
    FIRST_IDEA,
    Allowed,
    Branched,
    Called,
    Event,
    Finding,
    History,
    Observed,
    Offer,
    Proposed,
    Refused,
    Replied,
    Undone,
    Usage,
    exposure,
    needed_walls,
    program_key,
    sha256,
)
from smolcell.executors import SHARED, Checkpoint, Restored, completed
from smolcell.executors.base import WorkerExecutor
from smolcell.models.asking import stream_reply
from smolcell.models.capabilities import traits
from smolcell.permit import known_permit, permit_again, spend
from smolcell.protocols import Executor, Message, Model

DEFAULT_IDEAS = 3  # number of ideas that the button asks for
MAX_IDEAS = 9
_BRANCH = "ideas"


class Host(Protocol):
    """The run that the ideas belong to, as far as ``Ideas`` uses it."""

    def record(self, event: Event) -> object: ...
    def say(self, step: int, text: str) -> None: ...
    def pay(self, usage: Usage) -> None: ...
    async def afford(self, step: int) -> None: ...
    def find(self, text: str) -> tuple[Finding, ...]: ...
    async def run_idea(self, permit: Allowed) -> Observed: ...


class Ideas:
    """The ideas for the steps of one run.

    Args:
        host: the run.
        executor: its sandbox.
        model: the model to ask.
        count: number of ideas at the first program; 1: only the model's own.
        models: models that are asked for the further ideas in turn; by default the same model.
    """

    def __init__(
        self, host: Host, executor: Executor, model: Model, count: int = 1, models: Sequence[Model] = ()
    ) -> None:
        self._host, self._executor = host, executor
        self._models = [*models] or [model]
        self._count = count
        self._structured = False
        self._messages: Sequence[Message] = ()  # of the newest request
        self._proposal: Proposed | None = None  # the model's own proposal for this step
        self._ideas: list[Proposed] = []  # the ideas for this step, the model's own proposal first
        self._tried: set[int] = set()
        self._choice = ""

    def begin(self, messages: Sequence[Message], structured: bool) -> None:
        """Note the messages with which the model is asked for a step."""
        self._messages, self._structured = messages, structured

    async def review(
        self, proposed: Proposed, ask: Callable[[Proposed], Awaitable[Allowed | Refused]]
    ) -> Allowed | Refused:
        """Return the decision about a program. Before deciding, a person may ask for ideas, try them, and choose one.

        Args:
            proposed: the program, with the other offers.
            ask: asks the gate.
        """
        self._proposal, self._ideas, self._tried = proposed, [], set()
        if proposed.kind != "code" or proposed.call or not self._messages:
            return await ask(proposed)
        if self._count > 1:
            wanted, self._count = self._count, 1
            await self._branch(wanted)
        while True:
            self._choice = ""
            own = replace(proposed, offers=(*proposed.offers, *self._offers()), ideas=tuple(self._ideas))
            decision = await ask(own)
            action, _, number = self._choice.partition(" ")
            if not action or not isinstance(decision, Refused):
                break
            if action == "use":
                decision = permit_chosen(proposed, self._ideas[int(number) - 1].text, decision.who)
                break
            await (self._branch(DEFAULT_IDEAS) if action == _BRANCH else self._try(int(number), decision.who))
        self._close(decision)
        return decision

    def _offers(self) -> tuple[Offer, ...]:
        """Return the offers to ask for ideas, or to try and choose the ideas."""
        copies = completed(self._executor).checkpoints == "copies"
        if not self._ideas:
            return (self._offer(_BRANCH, f"Ask for {DEFAULT_IDEAS} ideas"),) if copies else ()
        numbers = range(1, len(self._ideas) + 1)
        tries = [self._offer(f"try {n}", f"Try idea {n}, then go back") for n in numbers if n not in self._tried]
        uses = [self._offer(f"use {n}", f"Run idea {n} and go on") for n in numbers]
        return (*(tries if copies else ()), *uses)

    def _offer(self, choice: str, label: str) -> Offer:
        return Offer(id=choice, label=label, choice="refuse", act=partial(self._choose, choice))

    def _choose(self, choice: str) -> None:
        self._choice = choice

    async def _branch(self, count: int) -> None:
        """Ask for further ideas, one after the other: each request contains the earlier ideas."""
        proposal = self._proposal
        assert proposal is not None  # noqa: S101 - there is a step
        plain = replace(proposal, offers=(), boundary=None, why="")
        self._ideas = [replace(plain, call=FIRST_IDEA + 1)]
        usage, began, requests = Usage(), time.monotonic(), 0
        for number in range(2, min(count, MAX_IDEAS) + 1):
            await self._host.afford(proposal.step)
            self._host.say(proposal.step, f"asking for idea {number} of {count} …")
            model = self._models[(number - 2) % len(self._models)]
            replied = await self._ask(model)
            usage, requests = usage + replied.usage, requests + 1
            self._host.pay(replied.usage)
            read = parse(replied.text, structured=self._structured and traits(model).takes_response_format)
            if isinstance(read, Program) and read.text not in [each.text for each in self._ideas]:
                call = FIRST_IDEA + len(self._ideas) + 1
                self._ideas.append(
                    replace(plain, text=read.text, thought=read.thought, call=call, findings=self._host.find(read.text))
                )
        spent = time.monotonic() - began
        self._host.record(Branched(run=proposal.run, step=proposal.step, asked=requests, usage=usage, duration=spent))
        if len(self._ideas) == 1:
            self._ideas = []
            self._host.say(proposal.step, "the model has no other idea")
        for idea in self._ideas:
            self._host.record(idea)

    async def _ask(self, model: Model) -> Replied:
        messages = another_way(self._messages, [idea.text for idea in self._ideas])
        structured = self._structured and traits(model).takes_response_format
        async with aclosing(stream_reply(model, messages, structured=structured)) as stream:
            async for item in stream:
                if isinstance(item, Replied):
                    return item
        raise AgentError("the model's stream ended without a whole reply; try again")

    async def _try(self, number: int, who: str) -> None:
        """Run the idea that a person chose to try, then restore the state from before it, whether it failed or not."""
        idea = self._ideas[number - 1]
        self._tried.add(number)
        permit = permit_chosen(idea, idea.text, who)
        self._host.record(permit)
        try:
            observed = await self._host.run_idea(permit)
        finally:  # also if the run is stopped meanwhile
            restored = await self._back(idea)
        self._host.record(replace(taken_back(observed, restored), output=None, is_final_answer=False))

    async def _back(self, idea: Proposed) -> Restored:
        try:
            return await completed(self._executor).rollback(idea.run, idea.step, keep=True)
        except CapabilityError as reason:
            raise AgentError(
                f"idea {idea.call - FIRST_IDEA} could not be undone: {reason}. "
                "Go back by a step, which runs the others again: %agent undo (agent.undo() in Python)"
            ) from None

    def _close(self, decision: Allowed | Refused) -> None:
        """Record that the ideas that were not tried did not run."""
        for number, idea in enumerate(self._ideas, 1):
            if number not in self._tried:
                reason = "not tried; this step was decided otherwise"
                self._host.record(
                    Refused(
                        run=idea.run,
                        step=idea.step,
                        call=idea.call,
                        reason=reason,
                        by=decision.by,
                        then="continue",
                        who=decision.who,
                    )
                )


def taken_back(observed: Observed, restored: Restored) -> Observed:
    """Return the outcome of a step whose changes were taken back; its output says what was not."""
    note = f"\n[smolcell: {restored}]\n" if str(restored) else ""
    files = observed.files if restored.uncovered else ()
    return replace(observed, stdout=observed.stdout + note, rolled_back=True, changed=(), files=files)


# --- undo ----------------------------------------------------------------------------------------------------------


async def go_back(
    executor: Executor | None,
    history: History,
    run: str,
    step: int,
    renew: Callable[[], Executor],
    allow: Callable[[Sequence[Allowed]], Awaitable[None]],
) -> Undone:
    """Restore the state that the sandbox had after a step: from a copy of its process, or by running the steps again.

    Args:
        executor: the sandbox; None if it has ended.
        history: the events of the conversation.
        run, step: the last step to keep; step 0 is the start of the run.
        renew: ends the sandbox and returns a new one with the same variables and files.
        allow: returns if these programs may run again, else raises; called before ``renew``.

    Raises:
        SetupError: the steps cannot be run again.
    """
    history = surviving(history)
    undone = steps_after(history, run, step)
    stays = tuple(_what_stays(history, set(undone)))
    reason = "the sandbox has ended"
    if executor is not None:
        try:
            restored = await completed(executor).rollback(*undone[0])
        except CapabilityError as error:
            reason = str(error)
        else:
            stays += (SHARED,) if restored.shares else ()
            return Undone(run=run, step=step, uncovered=restored.uncovered, stays=stays)
    again = repeatable(history, ran(history)[: -len(undone)], reason)
    await allow(again)
    differs = await asyncio.to_thread(run_again, history, again, renew)
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


def run_again(history: History, programs: Sequence[Allowed], renew: Callable[[], Executor]) -> tuple[int, ...]:
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


async def allow_again(
    programs: Sequence[Allowed],
    executor: Callable[[], Executor],
    ask: Callable[[Proposed], Awaitable[Allowed | Refused]],
    find: Callable[[str], tuple[Finding, ...]],
    own: bool = False,
) -> None:
    """Ask once about programs of earlier steps, unless they were allowed in this process, or are those of one of the user's own journals.

    Args:
        programs: the programs that are to run again.
        executor: returns a sandbox like the one that they will run in.
        ask: returns a person's decision.
        find: returns the findings in a program.
        own: whether the programs are known to come from the user's own journal.

    Raises:
        ApprovalError: they were not allowed.
    """
    known = [needed_walls(program) if own else known_permit(program) for program in programs]
    loaded = [program_key(program) for program, walls in zip(programs, known, strict=True) if walls is None]
    stored = await asyncio.to_thread(journal.permits, loaded) if loaded else {}
    unknown = stored.keys() != set(loaded)
    if not unknown and not any([*known, *stored.values()]):
        return
    await (sandbox := executor()).open()
    boundary = sandbox.boundary()
    why = (
        "neither this process nor one of your newest journals has an approval of them in this order"
        if unknown
        else exposure(boundary)
    )
    if not why:
        return
    shown = _together(programs, find)
    decision = await ask(replace(shown, boundary=boundary, why=f"You are asked, because {why}."))
    if not isinstance(decision, Allowed) or decision.text != shown.text:
        raise ApprovalError(
            f"the programs of earlier steps did not run again, because {why}, and {_said(decision)}. {_LEAVE}"
        )
    spend(decision)
    for program in programs:
        permit_again(program)


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
