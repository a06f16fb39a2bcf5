"""Reasoning that a model writes into its text, parted from it while it streams.

Local servers often pass on ``<think>…</think>`` as it is. What is believed:

* A text that begins with ``<think>`` (white space aside) is reasoning up to ``</think>``; so may be its next part.
* A text that holds ``</think>`` without a beginning had it in the model's prompt: what stands before is reasoning, unless a
  program began there. That is known only at the end.
* Anything else is text, tags within a program too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

Channel = Literal["reply", "reasoning"]
OPEN, CLOSE = "<think>", "</think>"
_PROGRAM = ("<code>", "```")  # what a program begins with


class Thinking:
    """Takes pieces of a text as they come and says which are reasoning."""

    def __init__(self) -> None:
        self._channel: Channel = "reply"
        self._held = ""  # what may turn out to be a tag, or white space before one
        self._begun = False  # whether text has come: from then on a tag is text

    def feed(self, piece: str) -> Iterator[tuple[Channel, str]]:
        """What is known by now, in order; never an empty text."""
        self._held += piece
        while self._held:
            if self._begun:
                yield from self._give(len(self._held))
            elif self._channel == "reasoning":
                at = self._held.find(CLOSE)
                if at < 0:
                    yield from self._give(len(self._held) - _overlap(self._held, CLOSE))
                    return
                yield from self._give(at)
                self._held, self._channel = self._held.removeprefix(CLOSE), "reply"
            else:
                bare = self._held.lstrip()
                if bare.startswith(OPEN):
                    self._held, self._channel = bare.removeprefix(OPEN), "reasoning"
                elif OPEN.startswith(bare):
                    return
                else:
                    self._begun = True

    def end(self) -> Iterator[tuple[Channel, str]]:
        """What was held back to the end."""
        yield from self._give(len(self._held))

    def _give(self, length: int) -> Iterator[tuple[Channel, str]]:
        piece, self._held = self._held[:length], self._held[length:]
        if piece:
            yield self._channel, piece


def part(text: str) -> tuple[str, str]:
    """Reasoning and text of a whole text whose beginning of the reasoning stood in the prompt."""
    before, found, after = text.partition(CLOSE)
    if not found or OPEN in before or any(mark in before for mark in _PROGRAM):
        return "", text
    return before, after


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of the text may be the beginning of the tag."""
    return next((length for length in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:length])), 0)
