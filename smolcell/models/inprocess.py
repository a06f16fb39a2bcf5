"""Shared parts of models that run in this process. Their libraries block, so a reply is generated on a thread.

* When the caller stops reading, generation ends at the next token, and the thread with it.
* Stop sequences are found in the text, however they are split into tokens, and are never shown.
* A reply ends with its program. A reply that repeats itself is stopped and raises ``ReplyLengthError``.
* A message cannot imitate another role: texts that look like control tokens are broken up before the model's tokenizer sees them.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from smolcell.core.parsing import ProgramEnd
from smolcell.events import Delta, Replied, Usage
from smolcell.machine.environment import without_current_folder
from smolcell.models.errors import Source
from smolcell.protocols import Message

STOPS = ("\nObservation of step ", "\nNew task:")
"""Texts with which a model begins to invent the other side of the conversation."""

_REPEATED_CHARS = 1200  # characters at the end that repeat one short text
_MAX_PERIOD_CHARS = 150  # most characters of that short text
_CONTROL = re.compile(
    r"<(?=\|[^<>|\n]{1,60}\|>|/?s>|/?(?:start|end)_of_turn>|[\uff5c][^<>\n]{1,60}[\uff5c]>)|\[(?=/?INST\]|/?SYSTEM_PROMPT\])"
)


class CallerLeft(Exception):
    """The caller stopped reading."""


class ItemSink:
    """Passes items on from a thread. A call with an item, or ``check()``, raises ``CallerLeft`` once the caller left."""

    def __init__(self, put: Callable[[Any], None]) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._has_left = False
        self._cancel: Callable[[], object] = lambda: None

    def __call__(self, item: Any) -> None:
        self.check()
        self._put(item)

    def check(self) -> None:
        if self._has_left:
            raise CallerLeft

    def when_left(self, cancel: Callable[[], object]) -> None:
        """Call ``cancel`` once the caller left: at once, if that is so already."""
        with self._lock:
            self._cancel = cancel
            if self._has_left:
                cancel()

    def leave(self) -> None:
        """Stop reading."""
        with self._lock:
            self._has_left = True
            self._cancel()


async def on_thread(work: Callable[[ItemSink], object], end_seconds: float = 0.0) -> AsyncGenerator[Any, None]:
    """Run ``work`` on a new thread, and yield the items it passes on. Raises its exceptions. Closing this ends it at its next item.

    The thread is a daemon, so a library that hangs does not keep the process alive.

    Args:
        work: called with a sink for its items.
        end_seconds: seconds to wait, when this is closed, for the end of the thread.
    """
    loop = asyncio.get_running_loop()
    items: asyncio.Queue[Any] = asyncio.Queue()
    over: asyncio.Future[None] = loop.create_future()

    def post(call: Callable[..., object], *args: object) -> None:
        try:
            loop.call_soon_threadsafe(call, *args)
        except RuntimeError:  # the loop is closed
            sink.leave()

    sink = ItemSink(lambda item: post(items.put_nowait, item))
    error: BaseException | None = None

    def run() -> None:
        nonlocal error
        try:
            with without_current_folder():
                work(sink)
        except BaseException as raised:  # every exception belongs to the waiting coroutine
            error = raised
        post(items.put_nowait, None)
        post(over.set_result, None)

    threading.Thread(target=run, name="smolcell-model", daemon=True).start()
    try:
        while (item := await items.get()) is not None:
            yield item
    finally:
        sink.leave()
        await asyncio.wait([over], timeout=end_seconds)
    if error is not None:
        raise error


class GrowingReply:
    """One reply while it is generated.

    Args:
        source: the model, for errors.
        say: called with the text to show.
        stops: texts that end the reply and are not part of it.
        program: end the reply also at the tag that closes its program, but not at that of a draft in its reasoning.
        reasons: the prompt ends with a mark that begins reasoning.
    """

    def __init__(
        self,
        source: Source,
        sink: ItemSink,
        stops: Sequence[str] = STOPS,
        *,
        program: bool = True,
        reasons: bool = False,
    ) -> None:
        self._source, self._sink = source, sink
        self._stops = tuple(filter(None, stops))
        self._program = ProgramEnd(reasons=reasons) if program else None
        self._text = ""
        self._shown_chars = 0
        self.ended = False  # whether the reply is complete
        self.repeats = False

    def add(self, piece: str) -> bool:
        """Add the next piece and show the text that is certain. Returns whether more is needed."""
        if self.ended or not piece:
            self._sink.check()
            return not self.ended
        before, self._text = len(self._text), self._text + piece
        longest = max((len(stop) for stop in self._stops), default=1)
        whole = self._end(piece, max(0, before - longest))
        if whole is not None:
            self._text, self.ended = self._text[:whole], True
        elif before // 200 != len(self._text) // 200 and _repeats(self._text):
            self.ended = self.repeats = True
        self._show(len(self._text) if self.ended else len(self._text) - self._held())
        return not self.ended

    def whole(self, usage: Usage, model: str, *, reason: str) -> Replied:
        """Return the complete reply; ``reason`` is "length" if the tokens ran out.

        Raises:
            ModelError: the reply reached the limit, or repeated itself.
        """
        if self.repeats or (reason == "length" and not self.ended):
            what = "repeated itself without end" if self.repeats else "was cut off by the limit on its reply's length"
            does = "Use a larger model" if self.repeats else "Raise max_tokens"
            advice = f"Half a program is never run. {does}, or ask for smaller steps"
            fault = self._source.fault(what, advice, kind="length")
            fault.usage = usage
            raise fault
        self._show(len(self._text))
        return Replied(text=self._text, usage=usage, model=model)

    @property
    def text(self) -> str:
        return self._text

    def _end(self, piece: str, start: int) -> int | None:
        """Return the position where the reply ends with its newest piece; None if it does not."""
        places = [place for stop in self._stops if (place := self._text.find(stop, start)) >= 0]
        if self._program is not None and self._program.add(piece) and self._program.end is not None:
            places.append(self._program.end)
        return min(places, default=None)

    def _held(self) -> int:
        """Return how many characters at the end may be the beginning of a stop sequence."""
        longest = max(map(len, self._stops), default=1)
        for size in range(min(longest - 1, len(self._text)), 0, -1):
            if any(stop.startswith(self._text[-size:]) for stop in self._stops):
                return size
        return 0

    def _show(self, end: int) -> None:
        if end > self._shown_chars:
            self._sink(Delta(text=self._text[self._shown_chars : end]))
            self._shown_chars = end


def _repeats(text: str) -> bool:
    """Return whether the text ends with many repetitions of one short text."""
    tail = text[-_REPEATED_CHARS:]
    return len(tail) == _REPEATED_CHARS and any(
        tail[period:] == tail[:-period] for period in range(1, _MAX_PERIOD_CHARS + 1)
    )


def plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages with text only, in which no text is read as a control token by a tokenizer."""
    return [{"role": message.role, "content": _CONTROL.sub(r"\g<0> ", message.text)} for message in messages]
