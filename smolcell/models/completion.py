"""A chat completion, put together from the chunks in which OpenAI-compatible servers send it.

The rules this file exists to keep:

* A reply is whole only when the server said why it ended. Anything else is ``Unanswered``, so half a reply is never parsed.
* Reasoning is kept apart from the text, in whichever of four ways it comes.
* Where tools were not offered, a call of one is told to the person and to the model, and never acted upon.
* Every field of a chunk may be missing or of the wrong type: the far side is not trusted.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from smolcell.events import Delta, Replied, Usage
from smolcell.models.faults import Source, Unanswered, cut, from_stream, malformed
from smolcell.models.thinking import Channel, Thinking, part
from smolcell.models.toolcalls import ToolCalls
from smolcell.visible import visible

T = TypeVar("T")
LONGEST = 4_000_000  # characters of one reply
WHOLE = 16 * 1024 * 1024  # bytes of a reply that comes in one piece
REFUSAL = 64 * 1024  # bytes of an error's body that are read
LINGER = 5.0  # seconds that a server may take to send the count of tokens after the end
_CALLS = 16  # tools that are named


def check(source: Source, chunk: Any) -> None:
    """Raise ``Unanswered`` for a chunk that is an error, or nothing that a server of this kind sends."""
    if not isinstance(chunk, Mapping):
        raise malformed(source, str(chunk))
    if chunk.get("error") or "error" in (chunk.get("object"), chunk.get("type")):
        raise from_stream(source, chunk.get("error") or chunk)


class Completion:
    """Takes the chunks of one reply, gives deltas, and at the end the whole.

    Args:
        source: who replies, for messages.
        model: what the reply is said to come from where the server does not say.
        tools: whether tools were offered.
    """

    def __init__(self, source: Source, model: str, *, tools: bool = False) -> None:
        self._source = source
        self._model = model
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._thinking = Thinking()
        self._length = 0
        self._usage = Usage()
        self._tools = tools
        self._calls = ToolCalls()
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
        check(self._source, chunk)
        self._note(chunk)
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                yield from self._choice(choice)

    async def read(self, chunks: AsyncIterator[T], take: Callable[[T], Iterable[Delta]]) -> AsyncGenerator[Delta, None]:
        """Take a stream of chunks to its end and give its new text.

        Once the server said that the reply is over, only the count of tokens may be missing: it is waited for ``LINGER`` seconds, and
        a stream that breaks then is whole.

        Args:
            chunks: what comes, in any form.
            take: hands one to ``add``.
        """
        try:
            while not self.done:
                async with asyncio.timeout(LINGER if self.ended else None):
                    chunk = await anext(chunks)
                for delta in take(chunk):
                    yield delta
        except StopAsyncIteration:
            return
        except Exception:
            if not self.ended:
                raise
        finally:
            if isinstance(chunks, AsyncGenerator):
                await chunks.aclose()

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[Delta]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, Mapping):
            text, thinking = _content(said.get("content"))
            thinking += _text(said.get("reasoning_content")) or _text(said.get("reasoning"))
            self._refusal.append(_text(said.get("refusal")))
            self._length += len(text) + len(thinking) + self._calls.add(said)
            if self._length > LONGEST:
                raise malformed(self._source, f"a reply of more than {LONGEST:,} characters")
            if thinking:
                yield self._keep("reasoning", thinking)
            for channel, piece in self._thinking.feed(text):
                yield self._keep(channel, piece)
        self._finish = _text(choice.get("finish_reason")) or self._finish

    def _keep(self, channel: Channel, piece: str) -> Delta:
        (self._reasoning if channel == "reasoning" else self._text).append(piece)
        return Delta(text=piece, channel=channel)

    def _note(self, chunk: Mapping[str, Any]) -> None:
        self._model = _text(chunk.get("model")) or self._model
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            self._usage = Usage(
                input_tokens=_number(usage.get("prompt_tokens")),
                output_tokens=_number(usage.get("completion_tokens")),
                cost=_cost(usage.get("cost")),
            )

    def end(self) -> Iterator[Delta | Replied]:
        """What was held back of the text, a note where the model called tools, and the whole reply, last.

        Raises:
            Unanswered: it was cut off, refused, empty of any choice, or ended at the token limit.
        """
        if not self.ended:
            raise self._paid(cut(self._source))
        refusal = "".join(self._refusal)
        if refusal or self._finish == "content_filter":
            advice = "Word the task differently, or use another model with -m"
            raise self._paid(self._source.fault("refused to answer", advice, kind="refusal", said=refusal))
        if self._finish in ("length", "max_tokens"):
            advice = "Half a program is never run. Raise max_tokens, or ask for smaller steps"
            raise self._paid(
                self._source.fault("was cut off by the limit on its reply's length", advice, kind="length")
            )
        for channel, piece in self._thinking.end():
            yield self._keep(channel, piece)
        if not (self._text or self._reasoning or self._finish):
            advice = "Try again, or use another model with -m"
            raise self._paid(self._source.fault("sent an empty reply", advice, kind="stream", retry=True))
        if not self._tools and self._unoffered:
            note = f"{self._source.model} called tools that were not offered ({self._unoffered}); they are left out"
            yield Delta(text=visible(note), channel="progress")
        yield self._whole()

    def _paid(self, fault: Unanswered) -> Unanswered:
        """A fault that says what the reply used nevertheless."""
        fault.usage = self._usage
        return fault

    @property
    def _unoffered(self) -> str:
        """The names of what it called, each once."""
        names = self._calls.names or (["?"] if self._finish in ("tool_calls", "function_call") else [])
        return ", ".join(list(dict.fromkeys(names))[:_CALLS])

    def _whole(self) -> Replied:
        reasoning, text = "".join(self._reasoning), "".join(self._text)
        if not reasoning:
            reasoning, text = part(text)
        calls = tuple(self._calls) if self._tools else ()
        if (
            not self._tools and self._unoffered and not text.strip()
        ):  # the model reads what it did, and that it did not happen
            text = f"[I called tools in a way that does not exist here: {self._unoffered}. Nothing ran.]"
        return Replied(text=text, reasoning=reasoning, usage=self._usage, model=self._model, calls=calls)


def parsed(source: Source, text: str) -> Any:
    """A chunk as it stands in a stream; ``Unanswered`` where it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise malformed(source, text or "nothing") from None


async def body_of(response: Any, most: int) -> str:
    """The body of an httpx response as text, up to about ``most`` bytes."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > most:
            break
    return body.decode("utf-8", "replace")


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


def _cost(value: Any) -> float | None:
    """US dollars; None for what cannot be a price."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6 else None
