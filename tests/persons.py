"""What several tests of whole runs share."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolcell.agent import CodeAgent, MultiStepAgent
from smolcell.agent.driver import Drive
from smolcell.agent.installs import Installs
from smolcell.agent.questions import RunControl, RunInput
from smolcell.agent.running import LoopWaiter, SilentView
from smolcell.approval.grants import Grants
from smolcell.core.findings import findings
from smolcell.core.history import Memory
from smolcell.core.loop import LoopSettings
from smolcell.events import Asked, Delta, Event, Observed, Proposed
from smolcell.protocols import Answer, Executor, Gate, Message, Model
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.tools import Tool

CODE = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42)


class Person:
    """A view that keeps what it was shown, and answers what it was told to, once each; then there is no person.

    An answer is a choice, or a choice and more fields of ``Answer``; "wait" is none, for ever.
    """

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.events: list[Event | Delta] = []
        self.asked: list[Proposed] = []
        self.asking = threading.Event()

    def show(self, event: Event | Delta) -> None:
        self.events.append(event)

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        self.asking.set()
        said = self.answers.pop(0) if self.answers else "nobody"
        if said == "wait":
            await asyncio.Event().wait()
        choice, more = said if isinstance(said, tuple) else (said, {})
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=choice, **more)


class Endless(ScriptedModel):
    """Begins to think and never ends."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking = threading.Event()

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
        yield Delta(text="hm")
        self.thinking.set()
        await asyncio.Event().wait()


@dataclass
class BareAgent:
    """What a run uses of an agent; see ``RunAgent``."""

    model: Model
    executor: Executor
    memory: Memory = field(default_factory=Memory)
    callables: dict[str, Tool] = field(default_factory=dict)
    final_answer_checks: list[Any] = field(default_factory=list)
    step_callbacks: list[Any] = field(default_factory=list)
    grants: Grants = field(default_factory=Grants)

    def __post_init__(self) -> None:
        self.installs = Installs(self)  # type: ignore[arg-type]


def drive(
    agent: BareAgent, gate: Gate, journal: Callable[[Event], object], show: Callable[[Any], object], **given: Any
) -> Drive:
    """A drive of the task "t", with these parts. Make it on the event loop that runs it."""
    waiter = LoopWaiter(asyncio.get_running_loop())
    control = RunControl(gate=gate, ask=SilentView().ask, waiter=waiter, show=show, journal=journal)
    more = {"settings": LoopSettings(max_steps=5), "find_in_call": findings, **given}
    return Drive(Asked(run="r", task="t"), (), agent, control, RunInput(**more))


def scripted(*replies: Any, does: Iterable[Any] = (ANSWER,), **options: Any) -> CodeAgent:
    """An agent with doubles for its model and sandbox; everything is allowed, unless it has a view that is asked."""
    allows = {} if "view" in options else {"gate": allow_all}
    return CodeAgent(**{"model": ScriptedModel(*replies), "sandbox": MemoryExecutor(*does), **allows, **options})


def fetching(**options: Any) -> tuple[Tool, list[str]]:
    """A tool ``fetch``, and the addresses that it was called with."""
    fetched: list[str] = []

    def fetch(url: str) -> str:
        """Fetch a page."""
        fetched.append(url)
        return "page"

    return Tool(fetch, **options), fetched


def of(source: Any, *kinds: type[Any]) -> list[Any]:
    """The events of these kinds that an agent remembers, or that are among these."""
    events = source.memory.events if isinstance(source, MultiStepAgent) else source
    return [event for event in events if isinstance(event, kinds)]


def names(events: Iterable[object]) -> list[str]:
    """The kinds of the events; deltas are left out."""
    return [type(event).__name__ for event in events if not isinstance(event, Delta)]


def prompts(agent: CodeAgent) -> list[str]:
    """What the model was sent, each call as one text."""
    return ["\n".join(message.text for message in call) for call in agent.model.calls]
