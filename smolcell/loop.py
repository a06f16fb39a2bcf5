"""The loop: a generator that decides, and does nothing else. A driver does what it wants and sends back what happened.

One step is: think, parse, review, run.

========  ==========================  =======================================
want      the driver does             and sends back
========  ==========================  =======================================
Think     ask the model               ``Replied``, or throws one of ``ASK_AGAIN`` in
Review    ask the gate                ``Allowed`` or ``Refused``
Run       hand the permit over        ``Observed``
RunCalls  run calls side by side      each one's ``Observed``
Check     ask the answer's checks     ``Observed``, with an error where one objects
Tell      record the event            None
========  ==========================  =======================================

A conversation that the model finds too long is shortened and asked again once; a second time the error leaves the loop. A reply that
was cut off at its limit is a step without a program, and the third in a row leaves the loop. A model that takes no schema for its
reply, or no tools, is asked for text.

The driver records every fact it sends back; the loop asks with ``Tell`` for those it makes itself. No I/O, no clock, no
logging: the whole protocol can be tested with ``next`` and ``send``. (The shape is httpx's ``_auth.py``.)
"""

from __future__ import annotations

from collections.abc import Generator
from typing import assert_never

from smolcell.call_steps import call_step
from smolcell.conversation import Conversation
from smolcell.errors import ContextLengthError, FormError, ReplyLengthError
from smolcell.events import Allowed, Asked, History, Observed, Proposed, Refused, Replied, Unparsed
from smolcell.messages import Message
from smolcell.parse import Final, NoProgram, Program, parse
from smolcell.planning import EMPTY, request
from smolcell.prompt import PromptSettings, asking, final_request, prompt
from smolcell.resume import steps_before
from smolcell.wanted import Calls, read_calls
from smolcell.wants import Check, Ending, Fact, LoopSettings, Review, Run, RunCalls, Tell, Think, Want

__all__ = [
    "ASK_AGAIN",
    "CUT_OFF",
    "TOO_LONG",
    "Check",
    "Ending",
    "Fact",
    "LoopSettings",
    "Review",
    "Run",
    "RunCalls",
    "Steps",
    "Tell",
    "Think",
    "Want",
    "steps",
]

ASK_AGAIN = (ContextLengthError, ReplyLengthError, FormError)
"""What a model may fail with that the loop has an answer to."""

CUT_OFF = "[a reply that was cut off]"
TOO_LONG = (
    "Your reply was too long and was cut off, so nothing of it was run. Do not repeat yourself: one short thought, then one short "
    "program, or a part of it; the next step can go on."
)
_CUT_OFF_TIMES = 2  # in a row that a run goes on after
_PLANS = 3  # that a person may refuse in a row; then the run goes on without

Steps = Generator[Want, Fact, Ending]


def steps(asked: Asked, past: History, settings: LoopSettings) -> Steps:
    """Run one task to its end.

    Args:
        asked: the task; the driver has recorded it.
        past: events of earlier runs of the same session, which the model still sees.
        settings: limits and prompt.
    """
    run = _Run(asked, past, settings)
    for turn in range(settings.max_steps):
        if settings.planning_interval and turn % settings.planning_interval == 0:
            ending = yield from run.plan(settings.max_steps - turn, first=turn == 0)
            if ending is not None:
                return ending
        ending = yield from run.step()
        if ending is not None:
            return ending
    return (yield from run.best_answer())


class _Run:
    """The turns of one run: one more step, a plan, or a last answer."""

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self.talk = Conversation(asked, past, settings)
        self._step = steps_before(asked, past)
        self._plans = 0
        self._cut_off = 0  # replies in a row

    def step(self) -> Generator[Want, Fact, Ending | None]:
        """Think, parse, review, run. Returns an ending, or None to go on."""
        talk, step = self.talk, self._next()
        try:
            replied = yield from talk.ask(step, prompt, acting=True)
        except ReplyLengthError:
            self._cut_off += 1
            if self._cut_off > _CUT_OFF_TIMES:
                raise
            yield from talk.tell(Replied(run=talk.id, step=step, text=CUT_OFF))
            yield from talk.tell(Unparsed(run=talk.id, step=step, reason=TOO_LONG))
            return None
        self._cut_off = 0
        match self._read(replied):
            case NoProgram(reason):
                yield from talk.tell(Unparsed(run=talk.id, step=step, reason=reason))
                return None
            case Final(output):
                return (yield from talk.accept(step, output))
            case Program(text, thought):
                return (yield from self._propose(step, text, thought))
            case Calls() as calls:
                return (yield from call_step(talk, step, calls))
            case other:
                assert_never(other)

    def plan(self, remaining: int, *, first: bool) -> Generator[Want, Fact, Ending | None]:
        """Ask for a plan, and have it reviewed; one that a person refuses is written anew. Returns an ending, or None to go on."""
        talk = self.talk

        def say(history: History, settings: PromptSettings) -> list[Message]:
            return asking(history, settings, request(talk.task, remaining, first=first, templates=settings.templates))

        for _ in range(_PLANS):
            step = self._next()
            self._plans += 1
            replied = yield from talk.ask(step, say)
            if not replied.text.strip():
                yield from talk.tell(Unparsed(run=talk.id, step=step, reason=EMPTY))
                return None
            decision = yield from talk.review(Proposed(run=talk.id, step=step, kind="plan", text=replied.text.strip()))
            if isinstance(decision, Allowed):
                return None
            if decision.then != "continue":
                return Ending(decision.then, None, decision.reason, step)
        return None

    def best_answer(self) -> Generator[Want, Fact, Ending]:
        """The step limit: ask once for the best answer, in prose."""
        last = self._step
        replied = yield from self.talk.ask(last + 1, final_request)
        answer = parse(replied.text)
        output = answer.output if isinstance(answer, Final) else replied.text.strip()
        if isinstance(answer, Program) and answer.thought and replied.text.lstrip().startswith("{"):
            output = answer.thought  # a model that was held to objects until now, and says it in one once more
        yield from self.talk.answer(last + 1, output)
        taken = last - self._plans
        reason = f"no final answer within {taken} steps (raise the limit with max_steps, or --max-steps in a cell)"
        return Ending("max_steps_error", output, reason, last)

    def _next(self) -> int:
        self._step += 1
        return self._step

    def _read(self, replied: Replied) -> Program | Final | Calls | NoProgram:
        settings = self.talk.prompt
        if settings.calling:
            return read_calls(replied, settings.form.again)
        return parse(replied.text, structured=settings.structured)

    def _propose(self, step: int, text: str, thought: str) -> Generator[Want, Fact, Ending | None]:
        found = self.talk.settings.find(text)
        decision = yield from self.talk.review(
            Proposed(run=self.talk.id, step=step, text=text, thought=thought, findings=found)
        )
        if isinstance(decision, Refused):
            return None if decision.then == "continue" else Ending(decision.then, None, decision.reason, step)
        return (yield from self._run(step, decision))

    def _run(self, step: int, permit: Allowed) -> Generator[Want, Fact, Ending | None]:
        observed = yield Run(permit)
        assert isinstance(observed, Observed)  # noqa: S101
        self.talk.history += (observed,)
        if observed.is_final_answer and observed.error is None:
            return (yield from self.talk.answer(step, observed.output))
        return None
