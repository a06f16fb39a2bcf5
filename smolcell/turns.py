"""Where the loop is: in this process, or behind a wire. The driver asks either for what it wants next."""

from __future__ import annotations

from typing import Protocol

from smolcell.errors import AgentGenerationError
from smolcell.events import Asked, History
from smolcell.loop import Ending, Fact, LoopSettings, Want, steps


class Turns(Protocol):
    """A loop under way."""

    async def next(self, fact: Fact | AgentGenerationError) -> Want | Ending:
        """What the loop wants now that this happened (at first None); or how it ended. Raises what the loop lets out."""
        ...


class OwnTurns:
    """The loop in this process. Takes what ``loop.steps`` takes."""

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self._steps = steps(asked, past, settings)

    async def next(self, fact: Fact | AgentGenerationError) -> Want | Ending:
        """See ``Turns``."""
        try:
            return self._steps.throw(fact) if isinstance(fact, AgentGenerationError) else self._steps.send(fact)
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
