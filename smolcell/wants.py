"""What the loop wants of its driver, what it is sent back, and how far it goes. Values alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from smolcell.events import Allowed, Call, Event, Finding, Observed, Proposed, Refused, Replied, State
from smolcell.messages import Message
from smolcell.policy import findings
from smolcell.prompt import PromptSettings
from smolcell.wanted import Wanted


@dataclass(frozen=True, slots=True)
class Think:
    step: int
    messages: list[Message]
    structured: bool = False  # the reply is held to ``forms.RESPONSE_FORMAT``
    tools: tuple[Mapping[str, Any], ...] = ()  # offered to the model by its own protocol


@dataclass(frozen=True, slots=True)
class Review:
    proposed: Proposed


@dataclass(frozen=True, slots=True)
class Run:
    permit: Allowed


@dataclass(frozen=True, slots=True)
class RunCalls:
    """Calls that were allowed, side by side."""

    permits: tuple[Allowed, ...]
    count: int  # of the calls in the reply, those among them that were not allowed included


@dataclass(frozen=True, slots=True)
class Check:
    """An answer that came without a program; what a program answers is checked where it is observed."""

    step: int
    output: Any
    call: int = 0  # that gives the answer


@dataclass(frozen=True, slots=True)
class Tell:
    event: Event


Want = Think | Review | Run | RunCalls | Check | Tell
Fact = Replied | Allowed | Refused | Observed | tuple[Observed, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """How far the loop goes and what its prompt says.

    Args:
        max_steps: replies that may propose something; at the limit the model is asked once for its best answer. A resumed run
            has as many again.
        prompt: what the prompt is made of.
        describe: a bounded text for an answer's live value.
        planning_interval: programs after which the model is asked for a plan; 0: never.
        tools: the schemas of the tools, for an agent that calls them and writes no programs.
        read_call: what a call comes to, given its step and number; for such an agent.
    """

    max_steps: int = 20
    prompt: PromptSettings = field(default_factory=PromptSettings)
    find: Callable[[str], tuple[Finding, ...]] = findings
    describe: Callable[[Any], str] = repr
    planning_interval: int = 0
    tools: tuple[Mapping[str, Any], ...] = ()
    read_call: Callable[[Call, int, int], Wanted] | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """What the generator returns: how the run ended, the answer's live value, and why, where it is not success."""

    state: State
    output: Any = None
    reason: str = ""
    steps: int = 0
