"""Keep a model's replies in a file, and answer from such a file. ``smolcell.models.tape`` explains the file's format."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smolcell.errors import AgentGenerationError
from smolcell.events import Delta, Replied, sha256
from smolcell.messages import Message
from smolcell.models.scripted import pieces
from smolcell.models.tape import Line, append, begin, divergence, read_recording, shown, task_of
from smolcell.protocols import Model
from smolcell.redact import redact

_PIECE = 24  # characters of a replayed delta, about what providers send


class RecordingModel:
    """Passes another model's replies through and appends each to a file, redacted, before it is handed on.

    Args:
        inner: the model that answers.
        path: the recording; continued where it exists. Several models may record into one file, one at a time.

    Raises:
        SetupError: the file is there and is no recording, or cannot be written.

    A reply that fails or breaks off is not recorded.
    """

    def __init__(self, inner: Model, path: str | os.PathLike[str]) -> None:
        self.inner = inner
        self.name = inner.name
        self.path = Path(path)
        self._runs: dict[str, str] = {}  # task → the word of its run under way
        self._lock = threading.Lock()
        begin(self.path, self.name)

    def __repr__(self) -> str:
        return f"RecordingModel({self.inner!r}, {str(self.path)!r})"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the inner model's reply; it is on disk before its ``Replied`` is yielded."""
        started = time.monotonic()
        pace: list[tuple[int, str, int]] = []
        items = self.inner.reply(messages, tools)
        try:
            async for item in items:
                if isinstance(item, Replied):
                    self._append(self._line(messages, item, time.monotonic() - started, pace))
                elif item.channel in ("reply", "reasoning"):
                    pace.append((round(1000 * (time.monotonic() - started)), item.channel, len(item.text)))
                yield item
        finally:
            if isinstance(items, AsyncGenerator):
                await items.aclose()

    def _line(
        self, messages: Sequence[Message], replied: Replied, seconds: float, pace: list[tuple[int, str, int]]
    ) -> Line:
        task, first = task_of(messages)
        with self._lock:
            if first or task not in self._runs:
                self._runs[task] = secrets.token_hex(4)
            run = self._runs[task]
        text, reasoning = redact(replied.text), redact(replied.reasoning)
        clean = (text, reasoning) == (replied.text, replied.reasoning)
        return Line(
            task=redact(task),
            text=text,
            run=run,
            reasoning=reasoning,
            usage=replied.usage,
            model=redact(replied.model),
            seconds=round(seconds, 3),
            shown=shown(messages),
            pace=tuple(pace) if clean else (),
            redacted=not clean,
            sha256="" if clean else sha256(replied.text),
        )

    def _append(self, line: Line) -> None:
        try:
            append(self.path, line.dump())
        except OSError as error:
            raise AgentGenerationError(
                f"the reply could not be recorded in {self.path}: "
                f"{error.strerror or error}; free some space or leave out --record"
            ) from error


class ReplayModel:
    """Answers from a recording. No network, no key, the same replies every time.

    Args:
        path: the recording.
        delay: seconds to wait before each piece of a reply of about 24 characters; 0 replays as fast as it is read.

    Raises:
        SetupError: the file is missing, is no recording, or has another version.

    ``reply`` raises ``AgentGenerationError`` where the recording does not hold the task or has no further reply for it. Where the
    model would be shown other messages than it was when recorded (a person edits a step, a value differs), the replay goes on and
    says so once in a run, as a "progress" delta; the system message is not compared, because it changes with the version.
    """

    def __init__(self, path: str | os.PathLike[str], *, delay: float = 0.0) -> None:
        self.path = Path(path)
        self.delay = delay
        model, lines = read_recording(self.path)
        self.name = f"{model} (recorded)"
        self._runs: dict[str, list[list[Line]]] = {}  # task → its runs, in the order they were recorded
        for key in dict.fromkeys((line.task, line.run) for line in lines):
            replies = [line for line in lines if (line.task, line.run) == key]
            self._runs.setdefault(key[0], []).append(replies)
        self._playing: dict[str, _Playing] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ReplayModel({str(self.path)!r}, delay={self.delay!r})"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks this recording can answer."""
        return tuple(self._runs)

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the run's next recorded reply in small deltas, then whole."""
        with self._lock:
            line, note = self._next(messages)
        if note:
            yield Delta(text=note, channel="progress")
        for channel, text in (("reasoning", line.reasoning), ("reply", line.text)):
            for piece in pieces(text, max(1, len(text) // _PIECE)):
                await asyncio.sleep(self.delay)
                yield Delta(text=piece, channel="reasoning" if channel == "reasoning" else "reply")
        yield Replied(text=line.text, reasoning=line.reasoning, usage=line.usage, model=line.model)

    def _next(self, messages: Sequence[Message]) -> tuple[Line, str]:
        task, first = task_of(messages)
        found = self._find(task)
        runs = self._runs[found]
        playing = self._playing.get(found)
        if playing is None:
            playing = self._playing[found] = _Playing()
        elif first:
            playing = self._playing[found] = _Playing(run=(playing.run + 1) % len(runs))
        replies = runs[playing.run]
        if playing.step == len(replies):
            raise AgentGenerationError(
                f"the recording {self.path} ran out at step {playing.step + 1} of the task {_short(found)}: it holds "
                f"{len(replies)} replies; record the run again with --record, or use a live model with -m"
            )
        line = replies[playing.step]
        playing.step += 1
        note = "" if playing.diverged else divergence(line.shown, shown(messages), playing.step)
        playing.diverged = playing.diverged or bool(note)
        return line, note

    def _find(self, task: str) -> str:
        """The recorded task this one is, or contains; the longest where there are several."""
        plain = redact(task)
        found = [known for known in self._runs if known == task or (known and (known in task or known in plain))]
        if not found:
            known = "\n".join(f"  {_short(task)}" for task in self._runs) or "  (none)"
            raise AgentGenerationError(
                f"the recording {self.path} does not hold the task {_short(task)}; it holds:\n{known}\n"
                "run one of these, or use a live model with -m"
            )
        return max(found, key=len)


@dataclass(slots=True)
class _Playing:
    """Where the replay of one task is."""

    run: int = 0
    step: int = 0
    diverged: bool = False


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 80 else line[:79] + "…")
