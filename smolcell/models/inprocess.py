"""Shared parts of models that run in this process: their libraries block, so a reply is made on a thread and the loop stays free.

* When the caller stops listening, the generation ends at its next token, and the thread is free.
* Stop sequences are found in the text, so it does not matter how they were cut into tokens; none of one is ever shown.
* A reply ends with its program. One that repeats itself without end is ended, and is an error like one that is too long.
* Text cannot speak for another role: what looks like a control token in a message is broken up before the model's tokenizer sees it.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from smolcell.core.parsing import program_end
from smolcell.environment import without_current_folder
from smolcell.events import Delta, Replied, Usage
from smolcell.models.errors import Source
from smolcell.protocols import Message

STOPS = ("\nObservation of step ", "\nNew task:")
"""The marks with which a model begins to write the other side of the conversation."""

_REPEATED = 1200  # characters at the end that are one short text again and again
_PERIOD = 150  # characters of that short text, at most
_CONTROL = re.compile(
    r"<(?=\|[^<>|\n]{1,60}\|>|/?s>|/?(?:start|end)_of_turn>|[\uff5c][^<>\n]{1,60}[\uff5c]>)|\[(?=/?INST\]|/?SYSTEM_PROMPT\])"
)


class Gone(Exception):
    """The caller stopped listening."""


class Say:
    """Hands on the items of a generating thread; a call with an item, or ``check()``, raises ``Gone`` once the caller stopped listening."""

    def __init__(self, put: Callable[[Delta | Replied], None]) -> None:
        self._put = put
        self._gone = threading.Event()

    def __call__(self, item: Delta | Replied) -> None:
        self.check()
        self._put(item)

    def check(self) -> None:
        if self._gone.is_set():
            raise Gone

    def leave(self) -> None:
        """Stop listening."""
        self._gone.set()


async def on_thread(work: Callable[[Say], object]) -> AsyncGenerator[Delta | Replied, None]:
    """Run ``work`` on a thread of its own and yield what it says; raise what it raises. Closing this ends it at its next word.

    The thread is a daemon, so a library that hangs does not keep the process.
    """
    loop = asyncio.get_running_loop()
    said: asyncio.Queue[Delta | Replied | BaseException | None] = asyncio.Queue()

    def put(item: Delta | Replied | BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(said.put_nowait, item)
        except RuntimeError:  # the loop is closed
            say.leave()

    say = Say(put)

    def run() -> None:
        try:
            with without_current_folder():
                work(say)
            put(None)
        except BaseException as error:  # whatever it is, the waiting coroutine must get it
            put(error)

    threading.Thread(target=run, name="smolcell-model", daemon=True).start()
    try:
        while (item := await said.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        say.leave()


class Growing:
    """One reply while it is generated.

    Args:
        source: who replies, for errors.
        say: told the text as it may be shown.
        stops: texts that end the reply; they are left out of it.
        program: the reply also ends with the tag that closes its program.
    """

    def __init__(self, source: Source, say: Say, stops: Sequence[str] = STOPS, *, program: bool = True) -> None:
        self._source, self._say = source, say
        self._stops = tuple(filter(None, stops))
        self._program = program
        self._text = ""
        self._shown = 0
        self.ended = False  # it needs no more tokens
        self.repeats = False

    def add(self, piece: str) -> bool:
        """Take the next piece and show what may be shown; says whether more is wanted."""
        if self.ended or not piece:
            self._say.check()
            return not self.ended
        before, self._text = len(self._text), self._text + piece
        longest = max((len(stop) for stop in self._stops), default=1)
        whole = self._end(max(0, before - longest), before)
        if whole is not None:
            self._text, self.ended = self._text[:whole], True
        elif before // 200 != len(self._text) // 200 and _repeats(self._text):
            self.ended = self.repeats = True
        self._show(len(self._text) if self.ended else len(self._text) - self._held())
        return not self.ended

    def whole(self, usage: Usage, model: str, *, reason: str) -> Replied:
        """The reply; ``reason`` is "length" if the tokens ran out.

        Raises:
            ModelError: it reached the limit, or repeated itself without end.
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

    def _end(self, start: int, before: int) -> int | None:
        """The end of the reply in the new text."""
        found = [place for stop in self._stops if (place := self._text.find(stop, start)) >= 0]
        closed = program_end(self._text, before) if self._program else None
        return min([*found, *([] if closed is None else [closed])], default=None)

    def _held(self) -> int:
        """Characters at the end that may be the beginning of a stop sequence."""
        longest = max(map(len, self._stops), default=1)
        for size in range(min(longest - 1, len(self._text)), 0, -1):
            if any(stop.startswith(self._text[-size:]) for stop in self._stops):
                return size
        return 0

    def _show(self, end: int) -> None:
        if end > self._shown:
            self._say(Delta(text=self._text[self._shown : end]))
            self._shown = end


def _repeats(text: str) -> bool:
    """Whether the text ends in one short text again and again."""
    tail = text[-_REPEATED:]
    return len(tail) == _REPEATED and any(tail[period:] == tail[:-period] for period in range(1, _PERIOD + 1))


def plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages with text only, and nothing in them that a tokenizer would read as a control token."""
    return [{"role": message.role, "content": _CONTROL.sub(r"\g<0> ", message.text)} for message in messages]
