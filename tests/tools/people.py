"""A person who answers, for tests."""

from __future__ import annotations

import asyncio
from typing import Any

from smolcell.events import Delta, Event, Proposed
from smolcell.protocols import Answer


class Person:
    """A view with a person who answers: with what is given, in order, and then approves.

    An answer is a choice, a choice with fields, or None, where nothing is answered for ever.

    Args:
        answers: the answers.
        after: seconds until a call or a question is answered.
    """

    def __init__(self, *answers: Any, after: float = 0.0) -> None:
        self.answers, self.after = list(answers), after
        self.events: list[Event] = []
        self.asked: list[Proposed] = []

    def show(self, event: Event | Delta) -> None:
        if not isinstance(event, Delta):
            self.events.append(event)

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        if proposal.kind in ("call", "question"):
            await asyncio.sleep(self.after)
        given = self.answers.pop(0) if self.answers else "approve"
        if given is None:
            await asyncio.Event().wait()
        choice, more = given if isinstance(given, tuple) else (given, {})
        shown = proposal.fingerprint
        return Answer(run=proposal.run, step=proposal.step, fingerprint=shown, choice=choice, **more)
