"""A model with scripted replies, for tests."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from smolcell.errors import AgentGenerationError
from smolcell.events import Delta, Replied
from smolcell.models.generate import Generates
from smolcell.protocols import Message

Reply = str | Replied | BaseException | Callable[[list[Message]], "str | Replied"]


class ScriptedModel(Generates):
    """Answers with the given replies, one per call, in order.

    Args:
        replies: each a text; a ``Replied`` (its reasoning is streamed, too); an exception, which is raised; or a function that takes
            the messages and returns a text or a ``Replied``.
        name: the name shown to people.

    Attributes:
        takes_images: whether it gets the images that a step makes.
        takes_tools: whether it is offered tools; a ``Replied`` with ``calls`` calls them.
        offered: the tools of each call.
        calls: copies of the messages of each call.

    A call beyond the last reply raises ``AgentGenerationError``.
    """

    def __init__(self, *replies: Reply, name: str = "scripted") -> None:
        self.name = name
        self.sends = False
        self.takes_images = self.takes_tools = False
        self.replies = replies
        self.calls: list[list[Message]] = []
        self.offered: list[list[Any]] = []

    def __repr__(self) -> str:
        return f"ScriptedModel({len(self.replies)} replies, {len(self.calls)} calls)"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the next scripted reply in a few deltas, then whole."""
        self.calls.append([copy.deepcopy(message) for message in messages])
        self.offered.append(list(tools))
        if len(self.calls) > len(self.replies):
            raise AgentGenerationError(
                f"the scripted model was called {len(self.calls)} times and has {len(self.replies)} replies: "
                "give ScriptedModel(...) more of them"
            )
        scripted = self.replies[len(self.calls) - 1]
        if callable(scripted):
            scripted = scripted(self.calls[-1])
        if isinstance(scripted, BaseException):
            raise scripted
        if isinstance(scripted, str):
            scripted = Replied(text=scripted, model=self.name)
        for piece in pieces(scripted.reasoning):
            yield Delta(text=piece, channel="reasoning")
        for piece in pieces(scripted.text):
            yield Delta(text=piece)
        yield scripted


def pieces(text: str, count: int = 4) -> Iterator[str]:
    """Split the text into at most ``count`` pieces of about the same length; none for an empty text."""
    size = -(-len(text) // count) or 1
    for start in range(0, len(text), size):
        yield text[start : start + size]
