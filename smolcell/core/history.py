"""The memory of an agent: its events, the steps folded from them, and the variables lost with a sandbox. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeVar

from smolcell.errors import SetupError
from smolcell.events import (
    FIRST_IDEA,
    FIRST_OUTPUT,
    Allowed,
    Answered,
    Asked,
    Called,
    Ended,
    Event,
    Fault,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Sent,
    Undone,
    Unparsed,
    Usage,
    step_of,
)
from smolcell.protocols import Message

# --- A history folded into steps. Pure.
#
# The steps have smolagents' attributes besides their own: ``step_number``, ``code_action``, ``action_output``, ``token_usage``,
# ``timing``, ``model_input_messages``. They are built on each access: changing a step does not change the memory.


E = TypeVar("E", bound=Event)
Json = dict[str, Any]
PromptBuilder = Callable[[History], list[Message]]
"""Makes the messages for the model from the events before them."""


@dataclass(slots=True, kw_only=True)
class ToolCall:
    """A call that the model made itself, in place of a program.

    Attributes:
        text: the call as Python, or the program passed to the interpreter tool; after a person's edit, the text that ran.
        refusal: the reason, if it was refused.
    """

    number: int
    text: str = ""
    allowed_by: str = ""
    refusal: str = ""
    result: str = ""
    error: Fault | None = None
    duration: float = 0.0


@dataclass(frozen=True, slots=True)
class Timing:
    """Start and end of a step, in seconds since 1970 (None if not known), and its duration in seconds."""

    start_time: float | None
    end_time: float | None
    duration: float

    def dict(self) -> Json:
        return {"start_time": self.start_time, "end_time": self.end_time, "duration": self.duration}


@dataclass(slots=True, kw_only=True)
class Step:
    """One step of a run, possibly unfinished.

    Attributes:
        task: of its run, if the memory has it.
        code: the program that ran or was proposed; after a person's edit, the text that ran.
        observations: output of the code.
        result: the text of its last expression.
        output: the live value of the answer, if this step gave it; in a loaded run, its text.
        refusal: the reason, if it was refused.
        calls: calls of tools that its code made, except those that needed approval.
        tool_calls: calls that the model made itself, instead of writing code.
        plan: the plan that was allowed or proposed, if the step is a plan. It has no code then.
        duration: seconds of the model and the code; a person's time is only in ``timing``.
    """

    run: str
    number: int
    task: str = ""
    model_output: str = ""
    thought: str = ""
    code: str = ""
    allowed_by: str = ""
    refusal: str = ""
    observations: str = ""
    result: str = ""
    error: Fault | None = None
    is_final_answer: bool = False
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0
    calls: list[Called] = field(default_factory=list)
    tool_calls: list[ToolCall] = field(default_factory=list)
    plan: str = ""
    output: Any = field(default=None, compare=False, repr=False)
    began: float = field(default=0.0, compare=False, repr=False)
    ended: float = field(default=0.0, compare=False, repr=False)
    shown: Callable[[], list[Message]] | None = field(default=None, compare=False, repr=False)

    @property
    def step_number(self) -> int:
        return self.number

    @property
    def code_action(self) -> str | None:
        return self.code or None

    @property
    def action_output(self) -> Any:
        """The answer's live value if this step gave it; else the last expression as text, or None."""
        return self.result or None if self.output is None else self.output

    @property
    def token_usage(self) -> Usage:
        return self.usage

    @property
    def timing(self) -> Timing:
        if not self.ended:
            return Timing(None, None, self.duration)
        return Timing(self.began, self.ended, self.ended - self.began)

    @property
    def model_input_messages(self) -> list[Message] | None:
        """The messages that the model got for this step, made from the events before it; None if these are not known."""
        return None if self.shown is None else self.shown()

    def dict(self) -> Json:
        """Return the step as JSON-able data. A value that is not JSON becomes its ``repr``."""
        shown = self.model_input_messages
        return {
            "task": self.task,
            "step_number": self.number,
            "timing": self.timing.dict(),
            "model_input_messages": None if shown is None else [dict(message) for message in shown],
            "tool_calls": [
                {"number": call.number, "text": call.text, "result": call.result} for call in self.tool_calls
            ],
            "error": None if self.error is None else {"type": self.error.type, "message": self.error.message},
            "model_output": self.model_output,
            "code_action": self.code_action,
            "observations": self.observations,
            "action_output": _jsonable(self.action_output),
            "token_usage": self.usage.dict(),
            "is_final_answer": self.is_final_answer,
        }


@dataclass(slots=True, kw_only=True)
class ActionStep(Step):
    """A step with a program or tool calls, or one that failed before."""


@dataclass(slots=True, kw_only=True)
class PlanningStep(Step):
    """A step that made a plan."""

    def dict(self) -> Json:
        """Return the step as JSON-able data."""
        kept = ("model_input_messages", "timing", "token_usage")
        return {"plan": self.plan} | {name: value for name, value in Step.dict(self).items() if name in kept}


@dataclass(frozen=True, slots=True)
class SystemPromptStep:
    """The system message."""

    system_prompt: str


def fold_steps(history: History, times: Sequence[float] = (), say: PromptBuilder | None = None) -> list[Step]:
    """Return the steps of all runs in a history, oldest first.

    Args:
        history: the events.
        times: time of each event, in seconds since 1970; or empty.
        say: makes the messages for the model.
    """
    proposed = [event for event in history if isinstance(event, Proposed)]
    plans = {(event.run, event.step) for event in proposed if event.kind == "plan"}
    besides = {(event.run, event.step) for event in proposed if event.kind in ("context", "link")}
    tasks: dict[str, str] = {}
    steps: dict[tuple[str, int], Step] = {}
    for place, event in enumerate(history):
        if isinstance(event, Asked):
            tasks[event.run] = event.task
        if not isinstance(event, Replied | Unparsed | Proposed | Allowed | Refused | Called | Observed | Answered):
            continue
        key = (event.run, event.step)
        if key in besides:
            continue
        if key not in steps:
            kind = PlanningStep if key in plans else ActionStep
            shown = None if say is None or key in plans else partial(say, history[:place])
            steps[key] = kind(run=event.run, number=event.step, task=tasks.get(event.run, ""), shown=shown)
        if isinstance(event, Answered):
            steps[key].output = event.output
        else:
            _add(steps[key], event)
        if len(times) == len(history):
            steps[key].ended = at = times[place]
            steps[key].began = steps[key].began or at - (event.duration if isinstance(event, Replied) else 0.0)
    return list(steps.values())


def _add(step: Step, event: Event) -> None:
    match event:
        case Called():
            step.calls.append(event)
        case Proposed() | Allowed() | Refused() | Observed() if event.call >= FIRST_OUTPUT or (
            event.call and step.code
        ):
            pass  # a question of an output check, or a tool call of its code
        case Proposed(kind="budget") | Allowed(kind="budget"):
            pass
        case Proposed(kind="plan") | Allowed(kind="plan"):
            step.plan, step.allowed_by = event.text, event.by if isinstance(event, Allowed) else ""
        case Proposed() | Allowed() | Refused() | Observed() if event.call:
            _add_call(step, event)
        case Replied():
            step.model_output, step.usage = event.text, event.usage
            step.duration += event.duration
        case Unparsed():
            step.error = Fault(kind="python", type="AgentParsingError", message=event.reason)
        case Proposed():
            step.thought, step.code = event.thought, event.text
        case Allowed():
            step.code, step.allowed_by = event.text, event.by
        case Refused():
            step.refusal = event.reason or "refused"
        case Observed():
            step.observations, step.result, step.error = event.stdout, event.result, event.error
            step.is_final_answer = event.is_final_answer
            step.duration += event.duration
        case _:
            pass


def _add_call(step: Step, event: Proposed | Allowed | Refused | Observed) -> None:
    call = next((call for call in step.tool_calls if call.number == event.call), None)
    if call is None:
        call = ToolCall(number=event.call)
        step.tool_calls.append(call)
    match event:
        case Proposed():
            call.text, step.thought = event.text, event.thought or step.thought
        case Allowed():
            call.text, call.allowed_by = event.text, event.by
        case Refused():
            call.refusal = event.reason or "refused"
        case Observed():
            call.result, call.error, call.duration = event.result or event.stdout, event.error, event.duration
            step.error = event.error or step.error
            step.is_final_answer = step.is_final_answer or event.is_final_answer
            step.observations = "\n".join(filter(None, (step.observations, call.result)))


def _jsonable(value: Any) -> Any:
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return repr(value)
    return value


class Memory:
    """An agent's memory.

    Args:
        say: makes the messages for the model from the events before them; for ``model_input_messages``.
        clock: returns seconds since 1970.

    Attributes:
        events: all events. Everything else is folded from them.
    """

    def __init__(self, say: PromptBuilder | None = None, clock: Callable[[], float] | None = None) -> None:
        self._say, self._clock = say, clock
        self._times: tuple[float, ...] = ()
        self._lost_at: Event | None = None  # the newest event when a sandbox was lost
        self.events: History = ()

    @property
    def steps(self) -> list[Step]:
        """The steps of every run, oldest first.

        A copy: changing the list does not change the memory.
        """
        return fold_steps(self.events, self._times, self._say)

    @property
    def tasks(self) -> list[str]:
        return [event.task for event in self.events if isinstance(event, Asked)]

    @property
    def system_prompt(self) -> SystemPromptStep:
        """The current system message."""
        shown: list[Message] = self._say(()) if self._say is not None else []
        return SystemPromptStep(shown[0].text if shown else "")

    def get_full_steps(self) -> list[dict[str, Any]]:
        """Return the steps as JSON-able data, with the model's messages of each."""
        return [step.dict() for step in self.steps]

    def get_succinct_steps(self) -> list[dict[str, Any]]:
        """Return the steps as JSON-able data, without the model's messages."""
        steps = fold_steps(self.events, self._times)
        return [
            {name: value for name, value in step.dict().items() if name != "model_input_messages"} for step in steps
        ]

    def return_full_code(self) -> str:
        """Return the programs of all steps, as one script."""
        return "\n\n".join(step.code for step in fold_steps(self.events) if step.code)

    def add(self, event: Event) -> None:
        self.events = (*self.events, event)
        self._times = (*self._times, self._clock()) if self._clock is not None else ()

    def reset(self) -> None:
        """Forget everything. The journal keeps it."""
        self.load_events((), ())

    def load_events(self, events: History, times: tuple[float, ...] = ()) -> None:
        """Replace the memory by these events of another sandbox."""
        self.events, self._times = events, times
        self.sandbox_lost()

    def go_back(self, undone: Undone) -> None:
        """Forget undone events; the sandbox was restored accordingly."""
        self.events, self._times = surviving_with_times((*self.events, undone), (*self._times, 0.0))

    @property
    def times(self) -> tuple[float, ...]:
        """Time of each event, in seconds since 1970; () if not known."""
        return self._times if len(self._times) == len(self.events) else ()

    # --- the sandbox --------------------------------------------------------------------------------------------------

    def sandbox_lost(self) -> None:
        """Note that the sandbox was lost: the next run tells the model which names were lost with it."""
        self._lost_at = self.events[-1] if self.events else None

    take, part = load_events, sandbox_lost  # their former names, kept for callers of other packages

    def sandbox_restored(self) -> None:
        """Note that the sandbox exists again with all variables."""
        self._lost_at = None

    @property
    def gone(self) -> tuple[str, ...]:
        """Names of variables and files that were lost with a sandbox, and that the model was not told of yet."""
        if self._lost_at is None:
            return ()
        place = next((place for place, event in enumerate(self.events) if event is self._lost_at), -1)
        was_told = any(isinstance(event, Asked) for event in self.events[place + 1 :])
        return () if was_told else names_in_sandbox(self.events[: place + 1])


def names_in_sandbox(history: History) -> tuple[str, ...]:
    """Return the names of variables and files in the sandbox at the end of this history, oldest first."""
    names: dict[str, None] = {}
    for event in history:
        if isinstance(event, Asked):
            lost, defined = bool(event.lost), tuple(variable.name for variable in event.variables)
        elif isinstance(event, Observed):
            lost, defined = event.state_lost, event.changed
        else:
            continue
        if lost:
            names.clear()
        names.update(dict.fromkeys((*defined, *(file.name for file in event.files))))
    return tuple(names)


# --- Which run can be continued, and from which step. Pure: decided from the history alone.
#
# A resumed run is a new run, with its own card and end. Its ``Asked`` names the run it continues (``resumes``), and its steps are
# numbered on. The model gets the same conversation, so that a call that failed is repeated unchanged.
#
# The history may come from memory or from a journal.


_NEW_TASK = "Write a task below %%agent (or call agent.run) to begin one"


def resumable(history: History, session: str = "default") -> Asked:
    """Return the task of the newest run, if that ended without an answer: by an error, a stop, a refusal, or at the step limit.

    Raises:
        SetupError: there is no such run; the message says why, and what to type.
    """
    asked = _newest(history, Asked)
    if asked is None:
        raise SetupError(
            f"there is nothing to resume: the session {session!r} has run no task in this kernel, and no journal "
            f"of an earlier kernel of this notebook has one. {_NEW_TASK}"
        )
    if done(history):
        raise SetupError(f"there is nothing to resume: the last run of the session {session!r} was done. {_NEW_TASK}")
    return asked


def _newest(history: History, kind: type[E]) -> E | None:
    return next((event for event in reversed(history) if isinstance(event, kind)), None)


def done(history: History) -> bool:
    """Return whether the newest run has its answer."""
    asked, ended = _newest(history, Asked), _newest(history, Ended)
    return asked is not None and ended is not None and (ended.run, ended.state) == (asked.run, "success")


def steps_before(asked: Asked, past: History) -> int:
    """Return the number of the last step of the runs that a resumed run continues; 0 if it resumes none."""
    runs = {asked.resumes} - {""}
    for event in reversed(past):
        if isinstance(event, Asked) and event.run in runs and event.resumes:
            runs.add(event.resumes)
    return max((event.step for event in past if isinstance(event, Replied) and event.run in runs), default=0)


def with_ends(history: History) -> History:
    """Return the history with an end for each run without one, because its kernel ended first."""
    whole: list[Event] = []
    last: Event | None = None
    for event in history:
        if isinstance(event, Asked) and last is not None:
            whole.append(_end_event(last, _KERNEL))
        whole.append(event)
        last = None if isinstance(event, Ended) else event
    return tuple(whole) if last is None else (*whole, _end_event(last, _KERNEL))


def until(history: History, step: int) -> History:
    """Return the history up to a step of its newest run, or of one that this resumes, as if the run had been stopped there.

    Args:
        history: the events.
        step: number of the last step to keep; 0 for none.

    Raises:
        SetupError: there is no such step.
    """
    runs = _resumed_runs(history)
    of_run = [(place, event) for place, event in enumerate(history) if event.run in runs]
    steps = {place: event.step for place, event in of_run if isinstance(event, _OF_STEPS) and event.step}
    first = next((event.run for _, event in of_run if isinstance(event, Asked)), "")
    begun = [place for place, event in of_run if isinstance(event, Asked | Sent) and event.run == first]
    positions = [place for place, number in steps.items() if number == step] if step else begun
    if not positions:
        known = ", ".join(map(str, sorted(set(steps.values())))) or "none"
        raise SetupError(f"there is no step {step} to fork from: the newest run has {known}, and 0 is before the first")
    last = history[positions[-1]]
    return (*history[: positions[-1] + 1], _end_event(last, f"AgentStopped: forked after step {step}"))


# --- Undone steps: the history that counts.


def surviving(history: History) -> History:
    """Return the history without undone steps."""
    return surviving_with_times(history, ())[0]


def surviving_with_times(history: History, times: Sequence[float]) -> tuple[History, tuple[float, ...]]:
    """Return the history without undone steps, and the time of each event; no times unless all are known."""
    timed = len(times) == len(history)
    kept: list[tuple[Event, float]] = []
    for event, at in zip(history, times if timed else [0.0] * len(history), strict=True):
        if isinstance(event, Undone):
            kept = _undo(kept, event)
        else:
            kept.append((event, at))
    return tuple(event for event, _ in kept), tuple(at for _, at in kept) if timed else ()


def _undo(kept: list[tuple[Event, float]], undone: Undone) -> list[tuple[Event, float]]:
    own = [(place, event) for place, (event, _) in enumerate(kept) if event.run == undone.run]
    if not undone.step:
        return kept[: next((place for place, event in own if isinstance(event, Asked)), len(kept))]
    last = max((place for place, e in own if isinstance(e, _OF_STEPS) and step_of(e) <= undone.step), default=-1)
    if last < 0:
        return kept  # its run is not in this history
    event, at = kept[last]
    end = _end_event(event, f"AgentStopped: taken back to the end of step {undone.step}")
    return [*kept[: last + 1], (end, at)]


def ran(history: History) -> list[tuple[str, int]]:
    """Return run and number of each step that ran and was not undone, oldest first."""
    return list(dict.fromkeys(_ran(surviving(history))))


def surviving_programs(history: History) -> list[Allowed]:
    """Return the programs of the steps that ran and were not undone, in order. Steps that were undone at once have none."""
    history = surviving(history)
    back = {(e.run, e.step) for e in history if isinstance(e, Observed) and e.rolled_back}
    allowed = {(e.run, e.step): e for e in history if isinstance(e, Allowed) and e.kind == "code" and not e.call}
    return [allowed[step] for step in ran(history) if step in allowed.keys() - back]


def _ran(history: History) -> Iterator[tuple[str, int]]:
    """Yield the place of each observation, except of ideas that were only tried."""
    for event in history:
        if isinstance(event, Observed) and event.call < FIRST_IDEA:
            yield event.run, event.step


def undone_steps(history: History) -> list[tuple[str, int]]:
    """Return run and number of each step that ran and was undone, oldest first."""
    if not any(isinstance(event, Undone) for event in history):
        return []
    counts = set(ran(history))
    return [place for place in dict.fromkeys(_ran(history)) if place not in counts]


def target(history: History, steps: int = 1) -> tuple[str, int]:
    """Return run and number of the step that is the last one after undoing so many; number 0 for the start of the run.

    Raises:
        SetupError: no step ran.
    """
    known = ran(history)
    if not known or steps < 1:
        raise SetupError("there is no step to undo: none has run in this session. Write a task below %%agent")
    first = known[max(0, len(known) - steps)]
    before = known[max(0, len(known) - steps) - 1] if len(known) > steps else ("", 0)
    return before if before[0] == first[0] else (first[0], 0)


def place_of(history: History, step: int, run: str = "") -> tuple[str, int]:
    """Return run and number of a step to go back to: of the newest run with steps and those that it resumes, or of ``run``.

    Raises:
        SetupError: there is no such step, or nothing ran after it.
    """
    known, runs = ran(history), _runs_to_undo(history, run)
    matching = [
        (known_run, 0 if not step else number)
        for known_run, number in known
        if known_run in runs and (number == step or not step)
    ]
    if not matching:
        numbers = ", ".join(str(number) for known_run, number in known if known_run in runs) or "none"
        raise SetupError(
            f"there is no step {step} to go back to: its run has {numbers}, and 0 is before the first. List them with: %agent checkpoints"
        )
    place = matching[0] if not step else matching[-1]
    if place == known[-1]:
        raise SetupError(f"step {step} is the last that ran: there is nothing after it to undo")
    return place


def retry_point(history: History, step: int, run: str = "") -> tuple[str, int, Asked, str]:
    """Return the state to go back to before a step is retried.

    Returns: run and number of the last step to keep (0: the start of its run), the task, and the program of the step.

    Raises:
        SetupError: there is no such step.
    """
    known, runs = ran(history), _runs_to_undo(history, run)
    at = next((place for place, (name, number) in enumerate(known) if name in runs and number == step), -1)
    if at < 0:
        raise SetupError(
            f"step {step} did not run in this conversation, so it cannot be retried. List the steps with: %agent checkpoints"
        )
    name = known[at][0]
    asked = next(event for event in history if isinstance(event, Asked) and event.run == name)
    programs = [e.text for e in history if isinstance(e, Allowed) and (e.run, e.step, e.call) == (name, step, 0)]
    last = known[at - 1][1] if at and known[at - 1][0] == name else 0
    return name, last, asked, programs[-1] if programs else ""


def _runs_to_undo(history: History, run: str) -> set[str]:
    """Return the run; if none is named, the newest run with steps and those that it resumes."""
    known = dict(ran(history))
    return {run} if run else _resumed_runs(tuple(event for event in surviving(history) if event.run in known))


def steps_after(history: History, run: str, step: int) -> list[tuple[str, int]]:
    """Return run and number of the steps that ran after this one and are not undone; ``step`` 0 for the start of the run."""
    known = ran(history)
    if step:
        return known[known.index((run, step)) + 1 :]
    return known[next(place for place, step_of_run in enumerate(known) if step_of_run[0] == run) :]


_KERNEL = "AgentStopped: the kernel ended"
_OF_STEPS = (Replied, Unparsed, Proposed, Allowed, Refused, Called, Observed)


def _end_event(last: Event, error: str) -> Ended:
    """Return the end of a run that has none, inferred from its last event."""
    step = step_of(last)
    if isinstance(last, Answered):
        return Ended(run=last.run, state="success", steps=step)
    cut: Literal["", "thinking", "asking", "running"] = "thinking"
    if isinstance(last, Proposed):
        cut = "asking"
    elif isinstance(last, Called) or (isinstance(last, Allowed) and last.kind in ("code", "call")):
        cut = "running"
    elif isinstance(last, Replied):
        cut = ""
    return Ended(run=last.run, state="stopped", steps=step, error=error, cut=cut)


def _resumed_runs(history: History) -> set[str]:
    """Return the newest run, and those that it resumes."""
    runs: set[str] = set()
    for event in reversed(history):
        if isinstance(event, Asked) and (not runs or event.run in runs):
            runs |= {event.run} | ({event.resumes} - {""})
    return runs
