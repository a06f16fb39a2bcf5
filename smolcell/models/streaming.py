"""Assembles a chat completion from the chunks that OpenAI-compatible servers send.

* A reply is complete only if the server said why it ended. Otherwise, and if it ends within a tool call, it is a ``ModelError``: a partial
  reply is never parsed.
* Reasoning is separated from the text, in each of its four formats.
* Calls of tools that were not offered are reported to the person and the model, and never made.
* Any field of a chunk may be missing or of the wrong type: the server is not trusted.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from smolcell.core.parsing import REASONING, ProgramEnd
from smolcell.core.prompt import TOKENS_PER_MESSAGE, estimate
from smolcell.core.text import visible
from smolcell.events import Call, Delta, Replied, Usage
from smolcell.models.errors import ModelError, Source, cut, from_stream, malformed
from smolcell.protocols import Message

# --- Server-sent events from bytes, in pieces of any size.
#
# Source: the HTML standard, "Server-sent events", as far as models' servers use it: ``data`` lines, joined by newlines up to the
# empty line. Lines end with LF or CRLF only: splitting at every line separator of Unicode would break JSON texts.


BOM = b"\xef\xbb\xbf"  # may begin the stream
MAX_EVENT_BYTES = 16 * 1024 * 1024  # bytes of one line, and of one event


class EventStream:
    """Takes bytes as they come and yields the data of each complete event.

    Raises:
        ValueError: a line or an event is longer than 16 MiB.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._started = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """Yield the data of the events that this chunk completes."""
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield from self._line(bytes(self._rest + line).removesuffix(b"\r"))
            self._rest.clear()
        self._rest += rest
        if len(self._rest) > MAX_EVENT_BYTES:
            raise ValueError("a line of more than 16 MiB")

    def end(self) -> Iterator[str]:
        """Yield the data of a last event that only lacks its empty line. An incomplete line is dropped."""
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[str]:
        if not self._started:
            line, self._started = line.removeprefix(BOM), True
        if not line:
            if self._data:
                yield b"\n".join(self._data).decode("utf-8", "replace")
            self._data, self._size = [], 0
        elif line.startswith(b"data:"):
            self._size += len(line)
            if self._size > MAX_EVENT_BYTES:
                raise ValueError("an event of more than 16 MiB")
            self._data.append(line[5:].removeprefix(b" "))


# --- The tool calls of a streamed completion, assembled from pieces.
#
# Source: OpenAI's API reference, "Create chat completion", ``choices[0].delta.tool_calls``. Some servers send each call whole, some leave
# out the index, some the id; every field may be missing or of the wrong type.


MAX_CALLS = 64  # per reply
_MAX_NAME_CHARS = 64  # characters


@dataclass(slots=True)
class _Parts:
    name: str
    id: str = ""
    arguments: list[str] = field(default_factory=list)


class StreamedCalls:
    """Collects the tool calls of one reply from its messages or deltas."""

    def __init__(self) -> None:
        self._calls: dict[Any, _Parts] = {}
        self._last: Any = None

    def add(self, delta: Mapping[str, Any]) -> int:
        """Add the calls of one delta. Returns the number of characters that it added."""
        given = delta.get("tool_calls")
        added = 0
        for call in given[:MAX_CALLS] if isinstance(given, list) else ():
            function = call.get("function") if isinstance(call, Mapping) else None
            if isinstance(function, Mapping):
                added += self._add(call, function)
        if isinstance(function := delta.get("function_call"), Mapping):
            added += self._add({"index": "function_call"}, function)
        return added

    def _add(self, call: Mapping[str, Any], function: Mapping[str, Any]) -> int:
        name, key = _text(function.get("name"))[:_MAX_NAME_CHARS], call.get("index")
        known = self._calls.get(key) if isinstance(key, int | str) else None
        if not isinstance(
            key, int | str
        ):  # without an index: a name begins a call, a piece without a name continues the last one
            key = len(self._calls) if name or self._last is None else self._last
        elif known is not None and known.name and name and _text(call.get("id")) not in ("", known.id):
            key = f"{key}/{len(self._calls)}"  # the index is used again for another call
        if key not in self._calls and len(self._calls) >= MAX_CALLS:
            return 0
        parts = self._calls.setdefault(key, _Parts(name))
        self._last = key
        parts.name, parts.id = parts.name or name, parts.id or _text(call.get("id"))[:200]
        arguments = function.get("arguments")
        text = json.dumps(arguments) if isinstance(arguments, Mapping) else _text(arguments)
        parts.arguments.append(text)
        return len(text)

    @property
    def names(self) -> list[str]:
        """Return the names of the called tools; "?" for a call without one."""
        return [parts.name or "?" for parts in self._calls.values()]

    def whole(self, bare: Container[str] = ()) -> bool:
        """Return whether the last call is complete: its arguments are JSON, or empty for a tool without arguments.

        Args:
            bare: names of the tools without arguments.
        """
        if not self._calls:
            return True
        last = self._calls[self._last]
        arguments = "".join(last.arguments)
        try:
            json.loads("{}" if not arguments and last.name in bare else arguments)
        except (ValueError, RecursionError):
            return False
        return True

    def __iter__(self) -> Iterator[Call]:
        for parts in self._calls.values():
            yield Call(name=parts.name, arguments="".join(parts.arguments) or "{}", id=parts.id)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


# --- Reasoning that a model writes into its text, separated while it streams.
#
# Local servers often pass on ``<think>…</think>`` unchanged, or marks of other models. A text that begins with a mark (after white
# space) is reasoning up to its end; so may be its next part. All else is shown as text: ``core.parsing.part`` splits the whole reply.


Channel = Literal["reply", "reasoning"]


class Thinking:
    """Takes pieces of a text as they come, and labels each as reply or reasoning."""

    def __init__(self) -> None:
        self._channel: Channel = "reply"
        self._held = ""  # possibly a tag, or white space before one
        self._end = ""  # the mark that ends the reasoning
        self._in_text = False  # whether text has begun: after that, a tag is text

    def feed(self, piece: str) -> Iterator[tuple[Channel, str]]:
        """Yield the text that is certain by now, in order; never an empty text."""
        self._held += piece
        while self._held:
            if self._in_text:
                yield from self._give(len(self._held))
            elif self._channel == "reasoning":
                at = self._held.find(self._end)
                if at < 0:
                    yield from self._give(len(self._held) - _overlap(self._held, self._end))
                    return
                yield from self._give(at)
                self._held, self._channel = self._held.removeprefix(self._end), "reply"
            else:
                bare = self._held.lstrip()
                mark = next((mark for mark in REASONING if bare.startswith(mark)), "")
                if mark:
                    self._held, self._channel, self._end = bare.removeprefix(mark), "reasoning", REASONING[mark]
                elif any(mark.startswith(bare) for mark in REASONING):
                    return
                else:
                    self._in_text = True

    def end(self) -> Iterator[tuple[Channel, str]]:
        """Yield the rest of the text, which was held back."""
        yield from self._give(len(self._held))

    def _give(self, length: int) -> Iterator[tuple[Channel, str]]:
        piece, self._held = self._held[:length], self._held[length:]
        if piece:
            yield self._channel, piece


def _overlap(text: str, tag: str) -> int:
    """Return how many characters at the end of the text may be the beginning of the tag."""
    return next((length for length in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:length])), 0)


T = TypeVar("T")
MAX_REPLY_CHARS = 4_000_000  # characters of one reply
MAX_BODY_BYTES = 16 * 1024 * 1024  # bytes of a reply that is not streamed
MAX_ERROR_BYTES = 64 * 1024  # bytes read of an error's body
READ_ON_CHARS = 200  # characters that are read after a program
LONG_THOUGHT_CHARS = 1_000  # characters before a program, as of a model that reasons
_REASONERS = re.compile(
    r"r1|qwq|qwen-?3|think|reason|magistral|gpt-oss|seed-oss|glm|nemotron|exaone|kimi|minimax|smollm-?3|hunyuan|phi-?4|olmo|ernie|granite|"
    r"deepseek-v3|step-?3|longcat|mimo|apriel",
    re.IGNORECASE,
)
"""Models that reason, maybe from the end of their prompt on: such a reply is read whole, since its first program may be a draft."""
LINGER_SECONDS = 5.0  # seconds to wait for the token count after the end of a reply
_MAX_NAMED_TOOLS = 16  # unoffered tools that a message names
_CALLED = ("tool_calls", "function_call")  # reasons of an end after complete calls


def check(source: Source, chunk: Any) -> None:
    """Raise ``ModelError`` if a chunk is an error, or not in the expected format."""
    if not isinstance(chunk, Mapping):
        raise malformed(source, str(chunk))
    if chunk.get("error") or "error" in (chunk.get("object"), chunk.get("type")):
        raise from_stream(source, chunk.get("error") or chunk)


class ReplyText:
    """The text of one reply: what of it is shown, and whether enough of it was read.

    A little more is read after its program, and not shown: most replies end there, and are counted by the server. If reasoning ends in
    it, which began in the model's prompt, the program was a draft.

    Args:
        ends: whether the reply ends with its program.

    Attributes:
        end: where it has its whole program; None if it has not.
    """

    def __init__(self, *, ends: bool) -> None:
        self.end: int | None = None
        self._program = ProgramEnd() if ends else None
        self._pieces: list[str] = []
        self._length = self._shown = 0  # characters
        self._may_be_draft = False  # whether its program may stand in reasoning that began in the model's prompt

    def add(self, piece: str, *, models: str, reasoned: bool) -> str:
        """Add the next piece, and return what of the text is to be shown now.

        Args:
            piece: the piece.
            models: the model's names.
            reasoned: whether its reasoning came apart from the text.
        """
        self._pieces.append(piece)
        self._length += len(piece)
        if self._program is not None and self._program.add(piece):
            self.end = self._program.end
            is_long = len(self.whole.partition("<code>")[0]) > LONG_THOUGHT_CHARS
            may_reason = is_long or _REASONERS.search(models) is not None
            self._may_be_draft = may_reason and not (reasoned or self._program.begin)
        begin, end = self._shown, self._length if self.end is None else self.end
        self._shown = max(begin, end)
        if begin == self._length - len(piece):
            return piece[: end - begin]
        return self.whole[begin:end] if begin < end else ""

    @property
    def whole(self) -> str:
        """All that was read."""
        return "".join(self._pieces)

    @property
    def has_program(self) -> bool:
        """Whether it has its whole program, which is no draft."""
        return self.end is not None and not self._may_be_draft

    @property
    def is_enough(self) -> bool:
        """Whether it has its program, and enough was read after it."""
        return self.has_program and self._length - (self.end or 0) > READ_ON_CHARS


class Completion:
    """Collects the chunks of one reply, yields deltas, and at the end the whole reply.

    Args:
        source: the model, for messages.
        model: the model's name, if the server does not report it.
        tools: JSON schemas of the tools that were offered.
        asked: the conversation, if the reply ends with its program: what a model writes after that is not read, since it would invent
            what the program prints.
    """

    def __init__(
        self, source: Source, model: str, *, tools: Sequence[Any] = (), asked: Sequence[Mapping[str, Any]] | None = None
    ) -> None:
        self._source = source
        self._model = self._asked_model = model
        self._text = ReplyText(ends=asked is not None and not tools)
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._thinking = Thinking()
        self._length = 0
        self._usage = Usage()
        self._tools, self._calls = tools, StreamedCalls()
        self._finish = ""
        self._asked = asked or ()
        self.done = False  # the server's "[DONE]", or enough was read

    @property
    def ended(self) -> bool:
        """Return whether the reply is whole: the server said so, or it has its program."""
        return self.done or bool(self._finish) or self.has_program

    @property
    def has_program(self) -> bool:
        """Return whether the reply has its whole program, which is no draft."""
        return self._text.has_program

    def add(self, chunk: Any) -> Iterator[Delta]:
        """Add a chunk of a stream, or a complete response, and yield its new text.

        Raises:
            ModelError: the chunk is an error, or not in the expected format.
        """
        check(self._source, chunk)
        self._note(chunk)
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                yield from self._choice(choice)

    async def read(self, chunks: AsyncIterator[T], take: Callable[[T], Iterable[Delta]]) -> AsyncGenerator[Delta, None]:
        """Read a stream of chunks to its end, and yield the new text.

        After the server said that the reply has ended, only the token count may be missing: this waits ``LINGER_SECONDS`` for it, and
        the reply is complete even if the stream breaks then.

        Args:
            chunks: chunks in any form.
            take: passes one to ``add``.
        """
        try:
            while not self.done:
                async with asyncio.timeout(LINGER_SECONDS if self.ended else None):
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

    def correct_end(self, reason: str) -> None:
        """Set the server's own reason of the end: LiteLLM changes "stop" after calls to "tool_calls", also if they were cut off."""
        if reason == "stop":
            self._finish = reason

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[Delta]:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, Mapping):
            text, thinking = _content(delta.get("content"))
            thinking += _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))
            self._refusal.append(_text(delta.get("refusal")))
            self._length += len(text) + len(thinking) + self._calls.add(delta)
            if self._length > MAX_REPLY_CHARS:
                raise malformed(self._source, f"a reply of more than {MAX_REPLY_CHARS:,} characters")
            if thinking:
                yield from self._keep("reasoning", thinking)
            for channel, piece in self._thinking.feed(text):
                yield from self._keep(channel, piece)
        self._finish = _text(choice.get("finish_reason")) or self._finish

    def _keep(self, channel: Channel, piece: str) -> Iterator[Delta]:
        """Keep a piece, and yield what is shown of it."""
        if channel == "reasoning":
            self._reasoning.append(piece)
        else:
            models = f"{self._asked_model} {self._model}"
            piece = self._text.add(piece, models=models, reasoned=bool(self._reasoning))
            self.done = self.done or self._text.is_enough
        if piece:
            yield Delta(text=piece, channel=channel)

    def _note(self, chunk: Mapping[str, Any]) -> None:
        self._model = _text(chunk.get("model")) or self._model
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            self._usage = Usage(
                input_tokens=_tokens(usage, "prompt_tokens"),
                output_tokens=_tokens(usage, "completion_tokens"),
                cost=_amount(usage.get("cost"), 1e6),
            )
        elif isinstance(timings := chunk.get("timings"), Mapping):  # llama.cpp's, in each chunk if asked for
            self._usage = Usage(
                input_tokens=_tokens(timings, "prompt_n", "cache_n"), output_tokens=_tokens(timings, "predicted_n")
            )

    def end(self) -> Iterator[Delta | Replied]:
        """Yield the text that was held back, a note if the model called tools that were not offered, and last the whole reply.

        Raises:
            ModelError: the reply was cut off, refused, empty, or ended at the token limit.
        """
        if not self.ended:
            raise self._paid(cut(self._source))
        refusal = "".join(self._refusal)
        if refusal or self._finish == "content_filter":
            advice = "Word the task differently, or use another model with -m"
            raise self._paid(self._source.fault("refused to answer", advice, kind="refusal", reason=refusal))
        if self._finish in ("length", "max_tokens") and not self.has_program:
            advice = "Half a program is never run. Raise max_tokens, or ask for smaller steps"
            raise self._paid(
                self._source.fault("was cut off by the limit on its reply's length", advice, kind="length")
            )
        bare = set(filter(None, map(_bare, self._tools)))
        if self._tools and self._finish not in _CALLED and not self._calls.whole(bare):
            raise self._paid(cut(self._source))  # a proxy may end a broken stream like a complete one
        for channel, piece in self._thinking.end():
            yield from self._keep(channel, piece)
        if not (self._text.whole or self._reasoning or self._finish):
            advice = "Try again, or use another model with -m"
            raise self._paid(self._source.fault("sent an empty reply", advice, kind="stream", retry=True))
        if not self._tools and self._unoffered:
            note = f"{self._source.model} called tools that were not offered ({self._unoffered}); they are left out"
            yield Delta(text=visible(note), channel="progress")
        yield self._whole()

    @property
    def _used(self) -> Usage:
        """Return the tokens as the server counted them, else estimated: a server that was stopped counts none."""
        if self._usage.total_tokens or self._text.end is None:
            return self._usage
        return Usage(
            input_tokens=sum(TOKENS_PER_MESSAGE + estimate(Message(**message).text) for message in self._asked),
            output_tokens=estimate("".join([*self._reasoning, self._text.whole])),
        )

    def _paid(self, fault: ModelError) -> ModelError:
        """Add the usage of the reply to an error."""
        fault.usage = self._usage
        return fault

    @property
    def _unoffered(self) -> str:
        """Return the names of the tools that were called without being offered, each once."""
        names = self._calls.names or (["?"] if self._finish in _CALLED else [])
        return ", ".join(list(dict.fromkeys(names))[:_MAX_NAMED_TOOLS])

    def _whole(self) -> Replied:
        reasoning, text = "".join(self._reasoning), self._text.whole[: self._text.end]
        calls = tuple(self._calls) if self._tools else ()
        if not self._tools and self._unoffered and not text.strip():  # tells the model that its call had no effect
            text = f"[I called tools in a way that does not exist here: {self._unoffered}. Nothing ran.]"
        return Replied(text=text, reasoning=reasoning, usage=self._used, model=self._model, calls=calls)


def _bare(tool: Any) -> str:
    """Return the name of a tool without arguments, else ""."""
    function = tool.get("function") if isinstance(tool, Mapping) else None
    if not isinstance(function, Mapping):
        return ""
    parameters = function.get("parameters") or {}
    return "" if parameters.get("properties") else _text(function.get("name"))


def parsed(source: Source, text: str) -> Any:
    """Parse a chunk of a stream. Raises ``ModelError`` if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise malformed(source, text or "nothing") from None


async def body_of(response: Any, most: int) -> str:
    """Return the body of an httpx response as text, up to about ``most`` bytes."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > most:
            break
    return body.decode("utf-8", "replace")


def _content(value: Any) -> tuple[str, str]:
    """Split a content, a text or a list of parts, into text and reasoning."""
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, Mapping)]
        text = "".join(_text(part.get("text")) for part in parts if part.get("type", "text") == "text")
        return text, "".join(_text(part.get("thinking")) for part in parts if part.get("type") == "thinking")
    return _text(value), ""


def _tokens(counts: Mapping[str, Any], *names: str) -> int:
    return sum(int(_amount(counts.get(name)) or 0) for name in names)


def _amount(value: Any, most: float = 1e12) -> float | None:
    """Return a number of tokens, or a cost in US dollars; None if it cannot be one."""
    return (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < most else None
    )
