"""A chat completion, put together from the chunks in which OpenAI-compatible servers send it.

The rules this file exists to keep:

* A reply is whole only when the server said why it ended. Anything else is ``Unanswered``, so half a reply is never parsed.
* Reasoning is kept apart from the text.
* Every field of a chunk may be missing or of the wrong type: the far side is not trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from smolcell.events import Delta, Replied, Usage
from smolcell.models.faults import Source, cut, malformed

LONGEST = 4_000_000  # characters of one reply


class Completion:
    """Takes the chunks of one reply, gives deltas, and at the end the whole.

    Args:
        source: who replies, for messages.
        model: what the reply is said to come from where the server does not say.
    """

    def __init__(self, source: Source, model: str) -> None:
        self._source = source
        self._model = model
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._length = 0
        self._usage = Usage()
        self._called_tools = False
        self._finish = ""
        self.done = False  # the server's "[DONE]"

    @property
    def ended(self) -> bool:
        """Whether the server said that the reply is over."""
        return self.done or bool(self._finish)

    def add(self, chunk: Any) -> Iterator[Delta]:
        """Take one chunk of a stream, or a whole completion, and give its new text.

        Raises:
            Unanswered: the chunk is an error, or nothing that a server of this kind sends.
        """
        if not isinstance(chunk, Mapping):
            raise malformed(self._source, str(chunk))
        if chunk.get("error"):
            raise self._error(chunk["error"])
        self._note(chunk)
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                yield from self._choice(choice)

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[Delta]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, Mapping):
            text, thinking = _content(said.get("content"))
            thinking += _text(said.get("reasoning_content")) or _text(said.get("reasoning"))
            self._refusal.append(_text(said.get("refusal")))
            self._called_tools = self._called_tools or bool(said.get("tool_calls"))
            self._length += len(text) + len(thinking)
            if self._length > LONGEST:
                raise malformed(self._source, f"a reply of more than {LONGEST:,} characters")
            if thinking:
                self._reasoning.append(thinking)
                yield Delta(text=thinking, channel="reasoning")
            if text:
                self._text.append(text)
                yield Delta(text=text)
        self._finish = _text(choice.get("finish_reason")) or self._finish

    def _note(self, chunk: Mapping[str, Any]) -> None:
        self._model = _text(chunk.get("model")) or self._model
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            self._usage = Usage(
                input_tokens=_number(usage.get("prompt_tokens")),
                output_tokens=_number(usage.get("completion_tokens")),
                cost=float(usage["cost"]) if isinstance(usage.get("cost"), int | float) else None,
            )

    def _error(self, error: Any) -> Exception:
        said = error.get("message") if isinstance(error, Mapping) else error
        advice = "Nothing of the half reply is used. Run the cell again"
        return self._source.fault(
            "reported an error in its reply", advice, kind="server", said=str(said or error), retry=True
        )

    def whole(self) -> Replied:
        """The reply.

        Raises:
            Unanswered: it was cut off, refused, empty of any choice, or ended at the token limit.
        """
        if not self.ended:
            raise cut(self._source)
        refusal = "".join(self._refusal)
        if refusal or self._finish == "content_filter":
            advice = "Word the task differently, or use another model with -m"
            raise self._source.fault("refused to answer", advice, kind="refusal", said=refusal)
        if self._finish in ("length", "max_tokens"):
            advice = "Half a program is never run. Raise max_tokens, or ask for smaller steps"
            raise self._source.fault("was cut off by the limit on its reply's length", advice, kind="length")
        if not (self._text or self._reasoning or self._finish):
            advice = "Run the cell again, or use another model with -m"
            raise self._source.fault("sent an empty reply", advice, kind="stream", retry=True)
        return Replied(
            text="".join(self._text), reasoning="".join(self._reasoning), usage=self._usage, model=self._model
        )

    @property
    def called_tools(self) -> bool:
        """Whether the model called tools, which this client does not offer."""
        return self._called_tools


def _content(value: Any) -> tuple[str, str]:
    """Text and reasoning of a content, which is a text or a list of parts."""
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, Mapping)]
        text = "".join(_text(part.get("text")) for part in parts if part.get("type", "text") == "text")
        return text, "".join(_text(part.get("thinking")) for part in parts if part.get("type") == "thinking")
    return _text(value), ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12 else 0
