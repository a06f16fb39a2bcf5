"""One run's history, and what is done with it at every turn: ask the model, ask the gate, tell, answer.

Generators of wants, as in ``loop.py``, which they are the parts of. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

from smolcell.errors import ContextLengthError, FormError
from smolcell.events import Allowed, Answered, Asked, Event, History, Observed, Proposed, Refused, Replied, Trimmed
from smolcell.messages import Message
from smolcell.prompt import PromptSettings, length, trim
from smolcell.wants import Check, Ending, Fact, LoopSettings, Review, Tell, Think, Want

Say = Callable[[History, PromptSettings], list[Message]]


class Conversation:
    """What a run knows.

    Attributes:
        id: the run's.
        task: in the person's words.
        settings: how far it goes; ``prompt`` is that part of them which may change on the way.
        history: everything so far, with earlier runs that the model still sees.
    """

    def __init__(self, asked: Asked, past: History, settings: LoopSettings) -> None:
        self.id, self.task = asked.run, asked.task
        self.settings, self.prompt = settings, settings.prompt
        self.history: History = (*past, asked)

    def ask(self, step: int, say: Say, *, acting: bool = False) -> Generator[Want, Fact, Replied]:
        """The model's reply to the conversation, which is shortened before it outgrows its budget, and where the model says so.

        Args:
            step: of the reply.
            say: makes the messages.
            acting: the reply is to act: held to the form of a step, or with tools offered.
        """
        yield from self._trim(trim(self.history, self.prompt), step)
        structured = acting and self.prompt.structured and not self.prompt.calling
        tools = self.settings.tools if acting and self.prompt.native else ()
        try:
            replied = yield Think(step, say(self.history, self.prompt), structured, tools)
        except FormError:
            if not (structured or tools):
                raise
            self.prompt = replace(self.prompt, structured=False, native=False)
            return (yield from self.ask(step, say, acting=acting))
        except ContextLengthError:
            refused = length(self.history, self.prompt)
            gone = trim(self.history, self.prompt, refused=True)
            if not gone:
                raise
            self.prompt = replace(self.prompt, budget=min(self.prompt.budget, refused * 2 // 3))
            yield from self._trim(gone, step)
            replied = yield Think(step, say(self.history, self.prompt), structured, tools)
        assert isinstance(replied, Replied)  # noqa: S101
        self.history += (replied,)
        return replied

    def _trim(self, gone: Mapping[str, tuple[int, ...]], step: int) -> Generator[Want, Fact, None]:
        for run, steps_gone in gone.items():
            yield from self.tell(Trimmed(run=run, step=step, steps=steps_gone))

    def review(self, proposed: Proposed) -> Generator[Want, Fact, Allowed | Refused]:
        """Propose, and hear what the gate decides. Its answer for anything else is an error."""
        yield from self.tell(proposed)
        decision = yield Review(proposed)
        if not isinstance(decision, Allowed | Refused):
            raise TypeError(f"a gate answers Allowed or Refused, not {type(decision).__name__}")
        if (decision.run, decision.step, decision.call) != (proposed.run, proposed.step, proposed.call):
            raise TypeError("the gate answered for another step")
        self.history += (decision,)
        return decision

    def accept(self, step: int, output: Any, call: int = 0) -> Generator[Want, Fact, Ending | None]:
        """Answer, unless a check objects to it; then go on."""
        checked = yield Check(step, output, call)
        assert isinstance(checked, Observed)  # noqa: S101
        if checked.error is None:
            return (yield from self.answer(step, output))
        self.history += (checked,)
        return None

    def answer(self, step: int, output: Any) -> Generator[Want, Fact, Ending]:
        """The run's answer."""
        text = self.settings.describe(output)
        yield from self.tell(Answered(run=self.id, step=step, text=text, output=output))
        return Ending("success", output, "", step)

    def tell(self, event: Event) -> Generator[Want, Fact, None]:
        """Have an event recorded."""
        self.history += (event,)
        yield Tell(event)
