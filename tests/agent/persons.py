"""What several tests of whole runs share."""

from __future__ import annotations

import threading
from typing import Any

from smolcell.events import Delta, Event, Proposed
from smolcell.protocols import Answer


class Person:
    """A view that keeps what it was shown, and answers what it was told to, once each; then there is no person.

    An answer is a choice, or a choice and more fields of ``Answer``.
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
        choice, more = said if isinstance(said, tuple) else (said, {})
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=choice, **more)
