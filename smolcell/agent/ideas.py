"""Several ideas for one step: the model is asked again from the same state, and a person tries the ideas and keeps one."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from smolcell.agent.questions import Questions, refusal
from smolcell.approval.gates import permit_chosen
from smolcell.core.parsing import ProgramReply, parse
from smolcell.core.prompt import another_way
from smolcell.errors import AgentError, CapabilityError
from smolcell.events import FIRST_IDEA, Allowed, Branched, Finding, Observed, Offer, Proposed, Refused, Replied, Usage
from smolcell.executors import Restored, completed
from smolcell.models.asking import stream_reply
from smolcell.models.capabilities import traits
from smolcell.protocols import Executor, Message, Model

DEFAULT_IDEAS = 3  # number of ideas that the button asks for
MAX_IDEAS = 9
_BRANCH = "ideas"


class Ideas:
    """The ideas for the steps of one run.

    Args:
        questions: of the run, with its record and its budget.
        executor: its sandbox.
        models: models that are asked for the further ideas in turn.
        count: number of ideas at the first program; 1: only the model's own.
        find: returns the findings in a program.
        run: runs an idea on trial.
    """

    def __init__(
        self,
        questions: Questions,
        executor: Executor,
        models: Sequence[Model],
        count: int,
        find: Callable[[str], tuple[Finding, ...]],
        run: Callable[[Allowed], Awaitable[Observed]],
    ) -> None:
        self._questions, self._record, self._executor = questions, questions.record, executor
        self._models, self._count, self._find, self._run = models, count, find, run
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
        copies = completed(self._executor).checkpoints.how == "copies"
        if not self._ideas:
            return (self._offer(_BRANCH, f"Ask for {DEFAULT_IDEAS} ideas"),) if copies else ()
        numbers = range(1, len(self._ideas) + 1)
        tries = [self._offer(f"try {n}", f"Try idea {n}, then go back") for n in numbers if n not in self._tried]
        uses = [self._offer(f"use {n}", f"Run idea {n} and go on") for n in numbers]
        return (*(tries if copies else ()), *uses)

    def _offer(self, choice: str, label: str) -> Offer:
        return Offer(id=choice, label=label, choice="refuse", act=partial(setattr, self, "_choice", choice))

    async def _branch(self, count: int) -> None:
        """Ask for further ideas, one after the other: each request contains the earlier ideas."""
        proposal = self._proposal
        assert proposal is not None  # noqa: S101 - there is a step
        plain = replace(proposal, offers=(), boundary=None, why="")
        self._ideas = [replace(plain, call=FIRST_IDEA + 1)]
        usage, began, requests = Usage(), time.monotonic(), 0
        for number in range(2, min(count, MAX_IDEAS) + 1):
            await self._questions.afford(proposal.step)
            self._record.phase = "thinking"
            self._record.say(proposal.step, f"asking for idea {number} of {count} …")
            model = self._models[(number - 2) % len(self._models)]
            replied = await self._ask(model)
            usage, requests = usage + replied.usage, requests + 1
            self._questions.pay(replied.usage)
            read = parse(replied.text, structured=self._structured and traits(model).takes_response_format)
            if isinstance(read, ProgramReply) and read.text not in [each.text for each in self._ideas]:
                call = FIRST_IDEA + len(self._ideas) + 1
                self._ideas.append(
                    replace(plain, text=read.text, thought=read.thought, call=call, findings=self._find(read.text))
                )
        spent = time.monotonic() - began
        self._record(Branched(run=proposal.run, step=proposal.step, asked=requests, usage=usage, duration=spent))
        if len(self._ideas) == 1:
            self._ideas = []
            self._record.say(proposal.step, "the model has no other idea")
        for idea in self._ideas:
            self._record(idea)

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
        self._record(permit)
        try:
            observed = await self._run(permit)
        finally:  # also if the run is stopped meanwhile
            restored = await self._back(idea)
        self._record(replace(taken_back(observed, restored), output=None, is_final_answer=False))

    async def _back(self, idea: Proposed) -> Restored:
        try:
            return await completed(self._executor).checkpoints.rollback(idea.run, idea.step, keep=True)
        except CapabilityError as reason:
            raise AgentError(
                f"idea {idea.call - FIRST_IDEA} could not be undone: {reason}. "
                "Go back by a step, which runs the others again: %agent undo (agent.undo() in Python)"
            ) from None

    def _close(self, decision: Allowed | Refused) -> None:
        """Record that the ideas that were not tried did not run."""
        reason = "not tried; this step was decided otherwise"
        for number, idea in enumerate(self._ideas, 1):
            if number not in self._tried:
                self._record(refusal(idea, reason, "continue", decision.by, decision.who))


def taken_back(observed: Observed, restored: Restored) -> Observed:
    """Return the outcome of a step whose changes were taken back; its output says what was not."""
    note = f"\n[smolcell: {restored}]\n" if str(restored) else ""
    files = observed.files if restored.uncovered else ()
    return replace(observed, stdout=observed.stdout + note, rolled_back=True, changed=(), files=files)
