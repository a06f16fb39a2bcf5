"""The loop: a generator that decides, and does nothing else. A driver does what it wants and sends back what happened.

One step is: think, parse, review, run.

========  ==========================  =======================================
want      the driver does             and sends back
========  ==========================  =======================================
Think     ask the model               ``Replied``, or throws one of ``ASK_AGAIN`` in
Review    ask the gate                ``Allowed`` or ``Refused``
Run       hand the permit over        ``Observed``
Check     ask the answer's checks     ``Observed``, with an error where one objects
Tell      record the event            None
========  ==========================  =======================================

A conversation that the model finds too long is shortened and asked again once; a second time the error leaves the loop. A reply that
was cut off at its limit is a step without a program, and the third in a row leaves the loop. A model that takes no schema for its
reply is asked for text.

The driver records every fact it sends back; the loop asks with ``Tell`` for those it makes itself. No I/O, no clock, no
logging: the whole protocol can be tested with ``next`` and ``send``. (The shape is httpx's ``_auth.py``.)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from smolcell.errors import ContextLengthError, FormError, ReplyLengthError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Event,
    Finding,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    State,
    Trimmed,
    Unparsed,
)
from smolcell.messages import Message
from smolcell.parse import Final, NoProgram, Program, parse
from smolcell.policy import findings
from smolcell.prompt import PromptSettings, final_request, length, prompt, trim
from smolcell.resume import steps_before

ASK_AGAIN = (ContextLengthError, ReplyLengthError, FormError)
"""What a model may fail with that the loop has an answer to."""

CUT_OFF = "[a reply that was cut off]"
TOO_LONG = (
    "Your reply was too long and was cut off, so nothing of it was run. Do not repeat yourself: one short thought, then one short "
    "program, or a part of it; the next step can go on."
)
_CUT_OFF_TIMES = 2  # in a row that a run goes on after


@dataclass(frozen=True, slots=True)
class Think:
    step: int
    messages: list[Message]
    structured: bool = False  # the reply is held to ``forms.RESPONSE_FORMAT``


@dataclass(frozen=True, slots=True)
class Review:
    proposed: Proposed


@dataclass(frozen=True, slots=True)
class Run:
    permit: Allowed


@dataclass(frozen=True, slots=True)
class Check:
    """An answer that came without a program; what a program answers is checked where it is observed."""

    step: int
    output: Any


@dataclass(frozen=True, slots=True)
class Tell:
    event: Event


Want = Think | Review | Run | Check | Tell
Fact = Replied | Allowed | Refused | Observed | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """How far the loop goes and what its prompt says.

    Args:
        max_steps: replies that may propose something; at the limit the model is asked once for its best answer. A resumed run
            has as many again.
        prompt: what the prompt is made of.
        describe: a bounded text for an answer's live value.
    """

    max_steps: int = 20
    prompt: PromptSettings = field(default_factory=PromptSettings)
    find: Callable[[str], tuple[Finding, ...]] = findings
    describe: Callable[[Any], str] = repr


@dataclass(frozen=True, slots=True)
class Ending:
    """What the generator returns: how the run ended, the answer's live value, and why, where it is not success."""

    state: State
    output: Any = None
    reason: str = ""
    steps: int = 0


Steps = Generator[Want, Fact, Ending]


def steps(asked: Asked, past: History, settings: LoopSettings) -> Steps:
    """Run one task to its end.

    Args:
        asked: the task; the driver has recorded it.
        past: events of earlier runs of the same session, which the model still sees.
        settings: limits and prompt.
    """
    run = _Run(asked, past, settings)
    before = steps_before(asked, past)
    for step in range(before + 1, before + settings.max_steps + 1):
        ending = yield from run.step(step)
        if ending is not None:
            return ending
    return (yield from run.best_answer(before + settings.max_steps))


class _Run:
    """The history so far, and the two things that can be done with it: one more step, or a last answer."""

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self.id = asked.run
        self.settings = settings
        self._prompt = settings.prompt
        self._cut_off = 0  # replies in a row
        self.history: History = (*past, asked)

    def step(self, step: int) -> Generator[Want, Fact, Ending | None]:
        """Think, parse, review, run. Returns an ending, or None to go on."""
        try:
            replied = yield from self._ask(step, prompt, structured=self._prompt.structured)
        except ReplyLengthError:
            self._cut_off += 1
            if self._cut_off > _CUT_OFF_TIMES:
                raise
            yield from self._tell(Replied(run=self.id, step=step, text=CUT_OFF))
            yield from self._tell(Unparsed(run=self.id, step=step, reason=TOO_LONG))
            return None
        self._cut_off = 0
        match parse(replied.text, structured=self._prompt.structured):
            case NoProgram(reason):
                yield from self._tell(Unparsed(run=self.id, step=step, reason=reason))
                return None
            case Final(output):
                return (yield from self._accept(step, output))
            case Program(text, thought):
                return (yield from self._propose(step, text, thought))
            case other:
                assert_never(other)

    def best_answer(self, step: int) -> Generator[Want, Fact, Ending]:
        """The step limit: ask once for the best answer, in prose."""
        replied = yield from self._ask(step + 1, final_request)
        answer = parse(replied.text)
        output = answer.output if isinstance(answer, Final) else replied.text.strip()
        if isinstance(answer, Program) and answer.thought and replied.text.lstrip().startswith("{"):
            output = answer.thought  # a model that was held to objects until now, and says it in one once more
        yield from self._answer(step + 1, output)
        reason = f"no final answer within {step} steps (raise the limit with max_steps, or --max-steps in a cell)"
        return Ending("max_steps_error", output, reason, step)

    def _ask(
        self, step: int, say: Callable[[History, PromptSettings], list[Message]], *, structured: bool = False
    ) -> Generator[Want, Fact, Replied]:
        """The model's reply to the conversation, which is shortened before it outgrows its budget, and where the model says so."""
        yield from self._trim(trim(self.history, self._prompt), step)
        try:
            replied = yield Think(step, say(self.history, self._prompt), structured)
        except FormError:
            if not structured:
                raise
            self._prompt = replace(self._prompt, structured=False)
            return (yield from self._ask(step, say))
        except ContextLengthError:
            refused = length(self.history, self._prompt)
            gone = trim(self.history, self._prompt, refused=True)
            if not gone:
                raise
            self._prompt = replace(self._prompt, budget=min(self._prompt.budget, refused * 2 // 3))
            yield from self._trim(gone, step)
            replied = yield Think(step, say(self.history, self._prompt), structured)
        assert isinstance(replied, Replied)  # noqa: S101
        self.history += (replied,)
        return replied

    def _trim(self, gone: Mapping[str, tuple[int, ...]], step: int) -> Generator[Want, Fact, None]:
        for run, steps_gone in gone.items():
            yield from self._tell(Trimmed(run=run, step=step, steps=steps_gone))

    def _propose(self, step: int, text: str, thought: str) -> Generator[Want, Fact, Ending | None]:
        found = self.settings.find(text)
        proposed = Proposed(run=self.id, step=step, text=text, thought=thought, findings=found)
        yield from self._tell(proposed)
        decision = yield Review(proposed)
        match decision:
            case Allowed() | Refused() if (decision.run, decision.step) != (self.id, step):
                raise TypeError("the gate answered for another step")
            case Refused():
                self.history += (decision,)
                return None if decision.then == "continue" else Ending(decision.then, None, decision.reason, step)
            case Allowed():
                self.history += (decision,)
                return (yield from self._run(step, decision))
            case other:
                raise TypeError(f"a gate answers Allowed or Refused, not {type(other).__name__}")

    def _run(self, step: int, permit: Allowed) -> Generator[Want, Fact, Ending | None]:
        observed = yield Run(permit)
        assert isinstance(observed, Observed)  # noqa: S101
        self.history += (observed,)
        if observed.is_final_answer and observed.error is None:
            return (yield from self._answer(step, observed.output))
        return None

    def _accept(self, step: int, output: Any) -> Generator[Want, Fact, Ending | None]:
        checked = yield Check(step, output)
        assert isinstance(checked, Observed)  # noqa: S101
        if checked.error is None:
            return (yield from self._answer(step, output))
        self.history += (checked,)
        return None

    def _answer(self, step: int, output: Any) -> Generator[Want, Fact, Ending]:
        text = self.settings.describe(output)
        yield from self._tell(Answered(run=self.id, step=step, text=text, output=output))
        return Ending("success", output, "", step)

    def _tell(self, event: Event) -> Generator[Want, Fact, None]:
        self.history += (event,)
        yield Tell(event)
