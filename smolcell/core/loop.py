"""The loop: a generator that decides and does no I/O. A driver carries out its requests and sends back responses.

One step: think, parse, review, run.

========  ==========================  ===============================================
request   the driver does             and sends back
========  ==========================  ===============================================
AskModel  ask the model               ``Replied``, or raises one of ``ASK_AGAIN``
Review    ask the gate                ``Allowed`` or ``Refused``
RunCode   run the permit              ``Observed``
RunCalls  run calls concurrently      ``Observed`` of each
CheckAnswer call the answer's checks    ``Observed``, with an error if one rejects it
Tell      record the event            None
========  ==========================  ===============================================

If the model finds a conversation too long, it is shortened and the model is asked again once; a second time the error leaves the
loop. A reply that was cut off, by its limit or within its program, is a step without a program, and the model is asked again; the fourth
in a row leaves the loop. A model that supports no schema for its reply, or no tools, is asked for text.

The driver records every response it sends back; the loop uses ``Tell`` for events that it makes itself. No I/O, no clock, no
logging: the whole protocol can be tested with ``next`` and ``send``. (The pattern is that of httpx's ``_auth.py``.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, assert_never

from smolcell.core.findings import REPEAT, findings, replaced, replaces, without
from smolcell.core.history import steps_before
from smolcell.core.parsing import Final, NoProgram, ProgramReply, parse
from smolcell.core.prompt import (
    EMPTY,
    REPLACES,
    TOO_EARLY,
    TOO_LONG,
    UNCLOSED,
    WITHOUT,
    PromptSettings,
    asking,
    final_request,
    last_request,
    last_value,
    length,
    prompt,
    repeats_itself,
    request,
    trim,
    was_repeated,
    with_value,
)
from smolcell.core.text import clip, is_whole, one_line
from smolcell.core.tool_calls import Calls, ParsedCall, read_calls
from smolcell.errors import AgentGenerationError, ContextLengthError, ReplyLengthError, ResponseFormatError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Call,
    Event,
    Fault,
    Finding,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Sent,
    State,
    Trimmed,
    Unparsed,
)
from smolcell.protocols import Message

# --- The loop's requests, the driver's responses, and the settings. Values only.


@dataclass(frozen=True, slots=True)
class AskModel:
    step: int
    messages: list[Message]
    structured: bool = False  # the reply must match ``RESPONSE_FORMAT`` of ``core.prompt``
    tools: tuple[Mapping[str, Any], ...] = ()  # schemas for the model's own tool protocol
    warmer: bool = False  # the model repeats itself: sample with a higher temperature
    last: bool = False  # no other reply follows


@dataclass(frozen=True, slots=True)
class Review:
    proposed: Proposed


@dataclass(frozen=True, slots=True)
class RunCode:
    permit: Allowed


@dataclass(frozen=True, slots=True)
class RunCalls:
    """Allowed calls, to be run concurrently."""

    permits: tuple[Allowed, ...]
    count: int  # number of calls in the reply, refused ones included


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """An answer that came without a program. A program's answer is checked when it is observed."""

    step: int
    output: Any
    call: int = 0  # number of the call that gives the answer


@dataclass(frozen=True, slots=True)
class Tell:
    event: Event


Request = AskModel | Review | RunCode | RunCalls | CheckAnswer | Tell
Response = Replied | Allowed | Refused | Observed | tuple[Observed, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """Limits and prompt of the loop.

    Args:
        max_steps: replies that may propose something; at the limit the model is asked once for a last one. A resumed run
            starts counting again.
        stop_after: end the run after the same error has occurred so many times; 0: never.
        prompt: settings of the prompt.
        describe: returns a bounded text for an answer's live value.
        planning_interval: number of programs after which the model is asked for a plan; 0: never.
        tools: schemas of the tools, for an agent that calls tools and writes no programs.
        read_call: resolves a call, given its step and number; for such an agent.
        sent: further texts that the model is sent with the task; already recorded.
    """

    max_steps: int = 20
    stop_after: int = 0
    prompt: PromptSettings = field(default_factory=PromptSettings)
    find: Callable[[str], tuple[Finding, ...]] = findings
    describe: Callable[[Any], str] = repr
    planning_interval: int = 0
    tools: tuple[Mapping[str, Any], ...] = ()
    read_call: Callable[[Call, int, int], ParsedCall] | None = None
    sent: Sent | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The generator's return value: how the run ended, the answer's live value, and the reason, if it is not success."""

    state: State
    output: Any = None
    reason: str = ""
    steps: int = 0


def check_decision(decision: object, proposed: Proposed) -> Allowed | Refused:
    """Return a gate's decision. Raises ``TypeError`` if it is none, or is about something else than was proposed."""
    if not isinstance(decision, Allowed | Refused):
        raise TypeError(f"a gate answers Allowed or Refused, not {type(decision).__name__}")
    given, asked = ((each.run, each.step, each.call) for each in (decision, proposed))
    if given != asked:
        raise TypeError(f"the gate returned a decision for {given}, but was asked about {asked} (run, step, call)")
    return decision


# --- One run's history, and the operations of every turn: ask the model, ask the gate, record, answer.
#
# Generators of requests, which the loop delegates to. Pure.


PromptBuilder = Callable[[History, PromptSettings], list[Message]]


class Conversation:
    """The state of one run.

    Attributes:
        id: id of the run.
        task: in the person's words.
        settings: limits and prompt; ``prompt`` may change during the run.
        history: all events so far, with earlier runs that the model still sees.
    """

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self.id, self.task = asked.run, asked.task
        self.settings, self.prompt = settings, settings.prompt
        self.history: History = (*past, asked) if settings.sent is None else (*past, asked, settings.sent)

    def ask(
        self, step: int, say: PromptBuilder, *, acting: bool = False, last: bool = False
    ) -> Generator[Request, Response, Replied]:
        """Return the model's reply to the conversation, shortened if it exceeds its budget or the model finds it too long.

        Args:
            step: number of the step.
            say: makes the messages.
            acting: the reply is to act: it must have the form of a step, or tools are offered.
            last: no other reply follows.
        """
        yield from self._trim(trim(self.history, self.prompt), step)
        structured = acting and self.prompt.structured and not self.prompt.calling
        tools = self.settings.tools if acting and self.prompt.native else ()
        warmer = repeats_itself(self.history, self.id)
        try:
            replied = yield AskModel(step, say(self.history, self.prompt), structured, tools, warmer, last)
        except ResponseFormatError:
            if not (structured or tools):
                raise
            self.prompt = replace(self.prompt, structured=False, native=False)
            return (yield from self.ask(step, say, acting=acting, last=last))
        except ContextLengthError:
            refused = length(self.history, self.prompt)
            trimmed = trim(self.history, self.prompt, refused=True)
            if not trimmed:
                raise
            self.prompt = replace(self.prompt, budget=min(self.prompt.budget, refused * 2 // 3))
            yield from self._trim(trimmed, step)
            replied = yield AskModel(step, say(self.history, self.prompt), structured, tools, warmer, last)
        assert isinstance(replied, Replied)  # noqa: S101
        self.history += (replied,)
        return replied

    def _trim(self, gone: Mapping[str, tuple[int, ...]], step: int) -> Generator[Request, Response, None]:
        for run, steps_gone in gone.items():
            yield from self.tell(Trimmed(run=run, step=step, steps=steps_gone))

    def review(self, proposed: Proposed) -> Generator[Request, Response, Allowed | Refused]:
        """Propose, and return the gate's decision. Raises ``TypeError`` if the gate answers anything else."""
        yield from self.tell(proposed)
        decision = check_decision((yield Review(proposed)), proposed)
        self.history += (decision,)
        return decision

    def accept(self, step: int, output: Any, call: int = 0) -> Generator[Request, Response, Ending | None]:
        """End the run with this answer, unless a check rejects it; then return None."""
        checked = yield CheckAnswer(step, output, call)
        assert isinstance(checked, Observed)  # noqa: S101
        if checked.error is None:
            return (yield from self.answer(step, output))
        self.history += (checked,)
        return None

    def answer(self, step: int, output: Any) -> Generator[Request, Response, Ending]:
        """End the run with this answer."""
        text = self.settings.describe(output)
        yield from self.tell(
            Answered(run=self.id, step=step, text=text, is_text=isinstance(output, str), output=output)
        )
        return Ending("success", output, "", step)

    def tell(self, event: Event) -> Generator[Request, Response, None]:
        """Have the driver record an event."""
        self.history += (event,)
        yield Tell(event)


# --- A step of an agent that calls tools: each call is reviewed separately, then the allowed ones run concurrently. Pure.
#
# The answer is a call as well. It runs nothing, so it needs no approval. If other calls of the same reply failed or were refused, it
# does not count, since the model gave it without knowing that.


def call_step(talk: Conversation, step: int, calls: Calls) -> Generator[Request, Response, Ending | None]:
    """Review and run the calls, and look for an answer. Returns an ending, or None to go on."""
    permits: list[Allowed] = []
    answers: list[tuple[int, Any]] = []
    well, thought = True, calls.thought  # shown with the first call
    assert talk.settings.read_call is not None  # noqa: S101 - an agent that calls tools has it
    for number, call in enumerate(calls.calls, 1):
        parsed = talk.settings.read_call(call, step, number)
        if parsed.answer:
            answers.append((number, parsed.answer[0]))
            continue
        if parsed.error:
            well = False
            yield from _fail(talk, step, number, parsed.error)
            continue
        text, found = parsed.text, talk.settings.find(parsed.text)
        place: dict[str, Any] = {"run": talk.id, "step": step, "call": number}
        proposed = Proposed(**place, kind=parsed.kind, text=text, thought=thought, findings=found)
        decision, thought = (yield from talk.review(proposed)), ""
        if isinstance(decision, Allowed):
            permits.append(decision)
        elif decision.then != "continue":
            return Ending(decision.then, None, decision.reason, step)
        well = well and isinstance(decision, Allowed)
    observed = (yield RunCalls(tuple(permits), len(calls.calls))) if permits else ()
    assert isinstance(observed, tuple)  # noqa: S101
    talk.history += observed
    if last := next((one for one in observed if one.answered), None):
        return (yield from talk.answer(step, last.output))
    if answers and well and all(one.error is None for one in observed):
        number, output = answers[-1]
        return (yield from talk.accept(step, output, number))
    for number, _ in answers:
        yield from _fail(talk, step, number, TOO_EARLY)
    return None


def _fail(talk: Conversation, step: int, number: int, why: str) -> Generator[Request, Response, None]:
    fault = Fault(kind="python", type="AgentToolCallError", message=why)
    yield from talk.tell(Observed(run=talk.id, step=step, call=number, error=fault))


ASK_AGAIN = (ContextLengthError, ReplyLengthError, ResponseFormatError)
"""The model's errors that the loop handles."""

CUT_OFF = "[a reply that was cut off]"
_CUT_OFF_TOO_OFTEN = (
    "{n} replies in a row were cut off, the last within its program; nothing of them was run. Raise max_tokens, check proxies between "
    "you and the model's server, or use another model with -m."
)
_MAX_CUT_OFF_REPLIES = 3  # cut-off replies in a row that the run tolerates
_MAX_REFUSED_PLANS = 3  # refused plans in a row, after which the run continues without one

_MAX_PROGRAM_CHARS, _MAX_ERROR_CHARS = 100, 500  # characters of a tried program, and of its error

Steps = Generator[Request, Response, Ending]


def find_in_program(settings: LoopSettings, text: str, given: Collection[str], *, repeats: bool) -> tuple[Finding, ...]:
    """Return the findings in a program, also that it replaces a given variable, or repeats an earlier one with the same outcome."""
    found = settings.find(text)
    if name := replaced(text, given):
        found += (replaces(name),)
    return (*found, REPEAT) if repeats else found


def steps(asked: Asked, past: History, settings: LoopSettings) -> Steps:
    """Run one task to its end.

    Args:
        asked: the task; the driver has recorded it.
        past: events of the session's earlier runs, which the model still sees.
        settings: limits and prompt.
    """
    run = _RunTurns(asked, past, settings)
    for turn in range(settings.max_steps):
        if settings.planning_interval and turn % settings.planning_interval == 0:
            ending = yield from run.plan(settings.max_steps - turn, first=turn == 0)
            if ending is not None:
                return ending
        ending = (yield from run.step(is_last=0 < turn == settings.max_steps - 1)) or run.stuck()
        if ending is not None:
            return ending
    return (yield from run.best_answer())


class _RunTurns:
    """The turns of one run: one more step, a plan, or a last answer."""

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self.talk = Conversation(asked, past, settings)
        self._step = steps_before(asked, past)
        self._plans = 0
        self._cut_off = 0  # cut-off replies in a row
        self._given = {variable.name for variable in asked.variables}
        self._unseen = {variable.name for variable in asked.variables if not is_whole(variable)}
        self._warned: set[str] = set()  # given variables of which the model was told not to replace them

    def step(self, *, is_last: bool = False) -> Generator[Request, Response, Ending | None]:
        """Ask the model, parse, review, run. Returns an ending, or None to go on."""
        talk, step = self.talk, self._next()
        try:
            replied = yield from talk.ask(step, last_request if is_last else prompt, acting=True)
        except ReplyLengthError:
            self._cut_off += 1
            if self._cut_off > _MAX_CUT_OFF_REPLIES:
                raise
            yield from talk.tell(Replied(run=talk.id, step=step, text=CUT_OFF))
            yield from talk.tell(Unparsed(run=talk.id, step=step, reason=TOO_LONG, dropped=True))
            return None
        read = self._read(replied)
        self._cut_off = self._cut_off + 1 if isinstance(read, NoProgram) and read.cut_off else 0
        match read:
            case NoProgram(cut_off):
                reason = UNCLOSED if cut_off else with_value(talk.prompt.form, last_value(talk.history, talk.id))
                yield from talk.tell(Unparsed(run=talk.id, step=step, reason=reason, dropped=cut_off))
                if self._cut_off > _MAX_CUT_OFF_REPLIES:
                    raise ReplyLengthError(_CUT_OFF_TOO_OFTEN.format(n=self._cut_off))
                return None
            case other:
                return (yield from self._act(step, other))

    def _act(
        self, step: int, read: ProgramReply | Final | Calls | NoProgram, *, last: bool = False
    ) -> Generator[Request, Response, Ending | None]:
        """Do what a reply says: run its program or its calls, or take its answer. Returns an ending, or None to go on."""
        match read:
            case Final(output):
                return (yield from self.talk.accept(step, output))
            case ProgramReply(text, thought):
                name = replaced(text, self._unseen)  # the model cannot know all their data
                if name and name not in self._warned and not last:
                    self._warned.add(name)
                    reason = REPLACES.format(name=name)
                    if rest := without(text, name):
                        reason += WITHOUT.format(program=self.talk.prompt.form.code(rest))
                    yield from self.talk.tell(Unparsed(run=self.talk.id, step=step, reason=reason, dropped=True))
                    return None
                return (yield from self._propose(step, text, thought))
            case Calls() as calls:
                return (yield from call_step(self.talk, step, calls))
            case NoProgram():
                return None
            case other:
                assert_never(other)

    def plan(self, remaining: int, *, first: bool) -> Generator[Request, Response, Ending | None]:
        """Ask for a plan and have it reviewed; if a person refuses it, the model writes another. Returns an ending, or None to go on."""
        talk = self.talk

        def say(history: History, settings: PromptSettings) -> list[Message]:
            return asking(history, settings, request(talk.task, remaining, first=first, templates=settings.templates))

        for _ in range(_MAX_REFUSED_PLANS):
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

    def stuck(self) -> Ending | None:
        """Return the end of the run, if the last step's error occurred as often as allowed, with the programs that were tried."""
        most, talk = self.talk.settings.stop_after, self.talk
        events = [event for event in talk.history if event.run == talk.id] if most else []
        failed: dict[str, dict[int, None]] = {}  # error → steps
        for event in events:
            if isinstance(event, Unparsed):
                failed.setdefault(event.reason, {})[event.step] = None
            elif isinstance(event, Observed) and event.error is not None:
                failed.setdefault(f"{event.error.type}: {event.error.message}", {})[event.step] = None
        error, steps = next(((error, list(at)) for error, at in failed.items() if len(at) >= most), ("", []))
        if not steps or steps[-1] != self._step:
            return None
        programs = {event.step: event.text for event in events if isinstance(event, Proposed)}
        tried = "; ".join(
            f"step {at}: {clip(one_line(programs.get(at, 'no program')), _MAX_PROGRAM_CHARS)}" for at in steps
        )
        reason = (
            f"the same error came {len(steps)} times, and stop_after is {most}: {clip(error, _MAX_ERROR_CHARS)}. Tried were: {tried}. "
            "Change the task or the data, or go on with %agent resume (resume() in Python)"
        )
        return Ending("error", None, reason, self._step)

    def best_answer(self) -> Generator[Request, Response, Ending]:
        """At the step limit: ask once for a last program or call, which answers. Words alone are the run's output, but no success."""
        last = self._step
        replied = yield from self.talk.ask(self._next(), final_request, acting=True, last=True)
        read = self._read(replied)
        ending = yield from self._act(self._step, read, last=True)
        if ending is not None:
            return ending
        output = replied.text.partition("<code>")[0].strip() if isinstance(read, NoProgram) else ""
        if output:
            yield from self.talk.answer(self._step, output)
        taken = last - self._plans
        reason = f"no final answer within {taken} steps (raise the limit with max_steps, or --max-steps in a cell)"
        return Ending("max_steps_error", output or None, reason, last)

    def _next(self) -> int:
        self._step += 1
        return self._step

    def _read(self, replied: Replied) -> ProgramReply | Final | Calls | NoProgram:
        settings = self.talk.prompt
        if settings.calling:
            return read_calls(replied)
        return parse(replied.text, structured=settings.structured)

    def _propose(self, step: int, text: str, thought: str) -> Generator[Request, Response, Ending | None]:
        talk = self.talk
        repeats = was_repeated(talk.history, talk.id, text)
        found = find_in_program(talk.settings, text, self._given, repeats=repeats)
        decision = yield from talk.review(Proposed(run=talk.id, step=step, text=text, thought=thought, findings=found))
        if isinstance(decision, Refused):
            return None if decision.then == "continue" else Ending(decision.then, None, decision.reason, step)
        observed = yield RunCode(decision)
        assert isinstance(observed, Observed)  # noqa: S101
        talk.history += (observed,)
        return (yield from talk.answer(step, observed.output)) if observed.answered else None


# --- Where the loop runs: in this process, or in the sandbox. The driver asks either for its next request.


class Turns(Protocol):
    """A running loop."""

    async def next(self, response: Response | AgentGenerationError) -> Request | Ending:
        """Return the loop's next request after this response (at first None), or how it ended. Raises the loop's errors."""
        ...


class OwnTurns:
    """A loop in this process. Takes the arguments of ``loop.steps``."""

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self._steps = steps(asked, past, settings)

    async def next(self, response: Response | AgentGenerationError) -> Request | Ending:
        """See ``Turns``."""
        try:
            return (
                self._steps.throw(response)
                if isinstance(response, AgentGenerationError)
                else self._steps.send(response)
            )
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
