"""A history folded into steps, for those who read step by step. Pure.

The steps carry smolagents' words besides their own: ``step_number``, ``code_action``, ``action_output``, ``token_usage``, ``timing``,
``model_input_messages``. They are made anew each time they are asked for: changing one changes nothing that is remembered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Called,
    Event,
    Fault,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Unparsed,
    Usage,
)
from smolcell.messages import Message

Json = dict[str, Any]
Say = Callable[[History], list[Message]]
"""What the model is shown, given what happened before."""


@dataclass(slots=True, kw_only=True)
class ToolCall:
    """A call that the model made itself.

    Attributes:
        text: the call as Python, or the program that it was to run; after a person's edit, what ran.
        refusal: the reason, where a gate said no.
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
    """When a step began and ended, in seconds since 1970 (None where that is not known), and how many it took."""

    start_time: float | None
    end_time: float | None
    duration: float

    def dict(self) -> Json:
        return {"start_time": self.start_time, "end_time": self.end_time, "duration": self.duration}


@dataclass(slots=True, kw_only=True)
class Step:
    """One step of a run, as far as it got.

    Attributes:
        task: of its run, where that is remembered.
        code: what ran or was proposed; after a person's edit, what ran.
        observations: what the code printed.
        result: its last expression, in words.
        output: the live value of the answer, where this step gave it; its text, in a run that was loaded.
        refusal: the reason, where a gate said no.
        calls: the tools that its code called, but for those that a person was asked about.
        tool_calls: those that the model called itself, which then wrote no code.
        plan: where the step is a plan: what was allowed, or proposed. It has no code then.
        duration: seconds that the model and the code took; those of the person are only in ``timing``.
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
        """The answer's live value where this step gave it; else the last expression in words, or None."""
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
        """What the model was shown for this step, made again from what happened before it; None where that is not known."""
        return None if self.shown is None else self.shown()

    def dict(self) -> Json:
        """The step as JSON-able data; a value that JSON cannot hold, as its ``repr``."""
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
    """A step that wrote a program or called tools, or was to."""


@dataclass(slots=True, kw_only=True)
class PlanningStep(Step):
    """A step that made a plan."""

    def dict(self) -> Json:
        """The step as JSON-able data."""
        kept = ("model_input_messages", "timing", "token_usage")
        return {"plan": self.plan} | {name: value for name, value in Step.dict(self).items() if name in kept}


@dataclass(frozen=True, slots=True)
class SystemPromptStep:
    """The system message."""

    system_prompt: str


def fold_steps(history: History, times: Sequence[float] = (), say: Say | None = None) -> list[Step]:
    """The steps of all runs in a history, oldest first.

    Args:
        history: what happened.
        times: when, in seconds since 1970; as many as there are events, or none.
        say: what the model is shown.
    """
    plans = {(event.run, event.step) for event in history if isinstance(event, Proposed) and event.kind == "plan"}
    tasks: dict[str, str] = {}
    steps: dict[tuple[str, int], Step] = {}
    for place, event in enumerate(history):
        if isinstance(event, Asked):
            tasks[event.run] = event.task
        if not isinstance(event, Replied | Unparsed | Proposed | Allowed | Refused | Called | Observed | Answered):
            continue
        key = (event.run, event.step)
        if key not in steps:
            kind = PlanningStep if key in plans else ActionStep
            shown = None if say is None or key in plans else partial(_shown, say, history, place)
            steps[key] = kind(run=event.run, number=event.step, task=tasks.get(event.run, ""), shown=shown)
        if isinstance(event, Answered):
            steps[key].output = event.output
        else:
            _add(steps[key], event)
        if len(times) == len(history):
            _time(steps[key], event, times[place])
    return list(steps.values())


def _shown(say: Say, history: History, place: int) -> list[Message]:
    return say(history[:place])


def _time(step: Step, event: Event, at: float) -> None:
    step.ended = at
    step.began = step.began or at - (event.duration if isinstance(event, Replied) else 0.0)


def _add(step: Step, event: Event) -> None:
    match event:
        case Called():
            step.calls.append(event)
        case Proposed() | Allowed() | Refused() | Observed() if event.call and step.code:
            pass  # its code called a tool
        case Proposed(kind="budget") | Allowed(kind="budget"):
            pass
        case Proposed(kind="plan") | Allowed(kind="plan"):
            step.plan, step.allowed_by = event.text, getattr(event, "by", "")
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
