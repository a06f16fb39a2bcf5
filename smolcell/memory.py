"""What an agent remembers: its events, the same folded into steps, and which names of the sandbox are gone. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from smolcell.events import Asked, Event, History, Observed
from smolcell.messages import Message
from smolcell.steps import (
    ActionStep,
    PlanningStep,
    Say,
    Step,
    SystemPromptStep,
    Timing,
    ToolCall,
    fold_steps,
)

__all__ = [
    "ActionStep",
    "Memory",
    "PlanningStep",
    "Step",
    "SystemPromptStep",
    "Timing",
    "ToolCall",
    "fold_steps",
    "held",
]


class Memory:
    """An agent's memory.

    Args:
        say: what the model is shown, given what happened before; for ``model_input_messages``.
        clock: seconds since 1970.

    Attributes:
        events: everything that happened, as one tuple; the truth all else is folded from.
    """

    def __init__(self, say: Say | None = None, clock: Callable[[], float] | None = None) -> None:
        self._say, self._clock = say, clock
        self._times: tuple[float, ...] = ()
        self._parted: Event | None = None  # the newest event of a sandbox that is gone
        self.events: History = ()

    @property
    def steps(self) -> list[Step]:
        """The steps of every run remembered, oldest first.

        A list of one's own: what is changed in it changes nothing that is remembered.
        """
        return fold_steps(self.events, self._times, self._say)

    @property
    def tasks(self) -> list[str]:
        return [event.task for event in self.events if isinstance(event, Asked)]

    @property
    def system_prompt(self) -> SystemPromptStep:
        """The system message, as it is now."""
        shown: list[Message] = self._say(()) if self._say is not None else []
        return SystemPromptStep(shown[0].text if shown else "")

    def get_full_steps(self) -> list[dict[str, Any]]:
        """The steps as JSON-able data, with what the model was shown for each."""
        return [step.dict() for step in self.steps]

    def get_succinct_steps(self) -> list[dict[str, Any]]:
        """The steps as JSON-able data, without what the model was shown."""
        steps = fold_steps(self.events, self._times)
        return [
            {name: value for name, value in step.dict().items() if name != "model_input_messages"} for step in steps
        ]

    def return_full_code(self) -> str:
        """The programs of all steps, as one script."""
        return "\n\n".join(step.code for step in fold_steps(self.events) if step.code)

    def add(self, event: Event) -> None:
        self.events = (*self.events, event)
        self._times = (*self._times, self._clock()) if self._clock is not None else ()

    def reset(self) -> None:
        """Forget everything. The journal keeps it."""
        self.take((), ())

    def take(self, events: History, times: tuple[float, ...] = ()) -> None:
        """Remember these events instead, of a sandbox that is not this agent's."""
        self.events, self._times = events, times
        self.part()

    @property
    def times(self) -> tuple[float, ...]:
        """When each event happened, in seconds since 1970; () where that is not known."""
        return self._times if len(self._times) == len(self.events) else ()

    # --- the sandbox --------------------------------------------------------------------------------------------------

    def part(self) -> None:
        """The sandbox is gone: the next run tells which names went with it."""
        self._parted = self.events[-1] if self.events else None

    @property
    def gone(self) -> tuple[str, ...]:
        """Names of variables and files that went with a sandbox, and that the model was not told of yet."""
        if self._parted is None:
            return ()
        place = next((place for place, event in enumerate(self.events) if event is self._parted), -1)
        told = any(isinstance(event, Asked) for event in self.events[place + 1 :])
        return () if told else held(self.events[: place + 1])


def held(history: History) -> tuple[str, ...]:
    """Names of variables and files that the sandbox of this history holds at its end, oldest first."""
    names: dict[str, None] = {}
    for event in history:
        if isinstance(event, Asked):
            if event.lost:
                names.clear()
            names.update(dict.fromkeys(variable.name for variable in event.variables))
            names.update(dict.fromkeys(file.name for file in event.files))
        elif isinstance(event, Observed):
            if event.state_lost:
                names.clear()
            names.update(dict.fromkeys(event.changed))
            names.update(dict.fromkeys(file.name for file in event.files))
    return tuple(names)
