"""What an agent remembers: its events, and the same folded into steps for those who read step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from smolcell.events import (
    Allowed,
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


@dataclass(slots=True, kw_only=True)
class Step:
    """One step of a run, as far as it got.

    Attributes:
        code: what ran or was proposed; after a person's edit, what ran.
        observations: what the code printed.
        refusal: the reason, where a gate said no.
        calls: the tools that its code called, but for those that a person was asked about.
        tool_calls: those that the model called itself, which then wrote no code.
        plan: where the step is a plan: what was allowed, or proposed. It has no code then.
    """

    run: str
    number: int
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


def fold_steps(history: History) -> list[Step]:
    """The steps of all runs in a history, oldest first."""
    steps: dict[tuple[str, int], Step] = {}
    for event in history:
        if isinstance(event, (Replied, Unparsed, Proposed, Allowed, Refused, Called, Observed)):
            step = steps.setdefault((event.run, event.step), Step(run=event.run, number=event.step))
            _add(step, event)
    return list(steps.values())


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


class Memory:
    """An agent's memory.

    Attributes:
        events: everything that happened, as one tuple; the truth all else is folded from.
    """

    def __init__(self) -> None:
        self.events: History = ()

    @property
    def steps(self) -> list[Step]:
        """The steps of every run remembered, oldest first."""
        return fold_steps(self.events)

    @property
    def tasks(self) -> list[str]:
        return [event.task for event in self.events if isinstance(event, Asked)]

    def add(self, event: Event) -> None:
        self.events = (*self.events, event)

    def reset(self) -> None:
        """Forget everything. The journal keeps it."""
        self.events = ()
