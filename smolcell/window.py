"""How much of a conversation a model takes at once, in its own tokens. Pure.

Where a model's tokenizer is not at hand, a text is taken to have a token for every three bytes of its UTF-8: English prose has
four to five to a token, code three to four, Chinese and Japanese about three, so the estimate is on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from smolcell.messages import Message

BYTES = 3  # of UTF-8, to a token
MESSAGE = 8  # tokens that a template puts around a message
IMAGE = 1_000  # tokens of an image, about


def estimate(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A model's window.

    Args:
        tokens: of the prompt and the reply together.
        reply: kept free for the reply; never more than a quarter of the window.
        count: the tokens of a text.
    """

    tokens: int
    reply: int = 4096
    count: Callable[[str], int] = estimate

    @property
    def room(self) -> int:
        """Tokens that the messages may have."""
        return self.tokens - min(self.reply, self.tokens // 4)

    def size(self, messages: Sequence[Message]) -> int:
        """The tokens of a conversation."""
        return sum(MESSAGE + self.count(message.text) + IMAGE * _images(message) for message in messages)


def _images(message: Message) -> int:
    return (
        0 if isinstance(message.content, str) else sum(1 for part in message.content if part.get("type") == "image_url")
    )
