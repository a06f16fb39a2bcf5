"""Keep a model's replies in a file, and answer from such a file. ``smolcell.models.tape`` explains the file's format."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from smolcell.errors import AgentGenerationError, FormError
from smolcell.events import Delta, Replied, sha256
from smolcell.messages import Message
from smolcell.models.faults import FaultKind, unanswered
from smolcell.models.scripted import pieces
from smolcell.models.tape import Call, Line, append, begin, call_of, divergence, follows, read_recording, short
from smolcell.protocols import Model
from smolcell.redact import redact
from smolcell.visible import visible

log = logging.getLogger("smolcell")
_PIECE = 24  # characters of a replayed delta where none is recorded, about what providers send
_PAUSE = 5.0  # seconds that a replay in the recorded time waits for a piece at most
Pace = list[tuple[int, str, int]]


class RecordingModel:
    """Passes another model's replies through and appends each to a file, redacted, before it is handed on.

    Args:
        inner: the model that answers.
        path: the recording; added to where it exists. Several models, and several kernels, may record into one file.

    Raises:
        SetupError: the file is there and is no recording, or cannot be written.

    A fault of the model is recorded as well: the replay fails in the same place. A reply that is stopped is not. Where a reply cannot
    be recorded (the disk is full), the run goes on, the recording ends there, and the reply's ``note`` says so.
    """

    def __init__(self, inner: Model, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._runs: dict[str, list[Line]] = {}  # task → the newest line of each of its runs, the newest run last
        self._lock = threading.Lock()
        self.answer_from(inner)
        self._own: set[str] = set()  # the runs that were begun here

    def __repr__(self) -> str:
        return f"RecordingModel({self.inner!r}, {str(self.path)!r})"

    def answer_from(self, inner: Model) -> None:
        """Record this model from now on. The file is looked at again; raises as the constructor does."""
        lines = begin(self.path, inner.name)
        self.inner, self.name, self._ended = inner, inner.name, False
        self.takes_response_format = getattr(inner, "takes_response_format", False)
        self.takes_images = getattr(inner, "takes_images", False)
        for line in lines if not self._runs else ():
            self._note(line)

    @property
    def context_window(self) -> int | None:
        """The inner model's."""
        window: int | None = getattr(self.inner, "context_window", None)
        return window

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the inner model's reply; it is on disk before its ``Replied`` is yielded."""
        started, pace, call = time.monotonic(), Pace(), call_of(messages)
        items = self.inner.reply(messages, tools, **options)
        try:
            async for item in items:
                if isinstance(item, Replied):
                    line = _recorded(call, item, time.monotonic() - started, pace)
                    yield replace(item, note=" ".join(filter(None, (item.note, self._keep(call, line)))))
                    continue
                if item.channel in ("reply", "reasoning"):
                    pace.append((round(1000 * (time.monotonic() - started)), item.channel, len(item.text)))
                yield item
        except FormError:
            raise  # it is asked for text next, and so is whoever replays
        except AgentGenerationError as error:
            fault = {"kind": str(getattr(error, "kind", "")), "message": redact(str(error))}
            self._keep(call, Line(task=call.task, before=call.before, shown=call.shown, seen=call.seen, fault=fault))
            raise
        finally:
            if isinstance(items, AsyncGenerator):
                await items.aclose()

    def _keep(self, call: Call, line: Line) -> str:
        """Append the line to its run; returns what the person should know."""
        if self._ended:
            return ""  # with a gap, the rest would be replayed in the wrong places
        with self._lock:
            line = replace(line, run=self._run(call))
            self._note(line)
        try:
            append(self.path, line.dump())
        except OSError as error:
            self._ended = True
            said = f"The recording {self.path} ends before this reply: {error.strerror or error}. The run goes on."
            log.warning(said)
            return said
        return ""

    def _run(self, call: Call) -> str:
        """The word of the run that a call belongs to."""
        known = self._runs.get(call.task, [])
        own = [line for line in known if line.run in self._own]
        if call.first:
            again = (
                own[-1:] if own and own[-1].fault and own[-1].before == call.before and len(own[-1].shown) == 1 else []
            )
        else:
            again = [line for line in known if follows(call, line)][-1:] or own[-1:]
        run = again[0].run if again else secrets.token_hex(4)
        self._own.add(run)
        return run

    def _note(self, line: Line) -> None:
        others = [known for known in self._runs.get(line.task, []) if known.run != line.run]
        self._runs[line.task] = [*others, line]


def _recorded(call: Call, replied: Replied, seconds: float, pace: Pace) -> Line:
    text, reasoning = redact(replied.text), redact(replied.reasoning)
    clean = (text, reasoning) == (replied.text, replied.reasoning)
    return Line(
        task=call.task,
        text=text,
        before=call.before,
        reasoning=reasoning,
        usage=replied.usage,
        model=redact(replied.model),
        seconds=round(seconds, 3),
        shown=call.shown,
        seen=call.seen,
        pace=tuple(pace) if clean else (),
        redacted=not clean,
        sha256="" if clean else sha256(replied.text),
    )


class ReplayModel:
    """Answers from a recording. No network, no key, the same replies every time, in the same pieces.

    Args:
        path: the recording.
        delay: seconds to wait before each piece; 0 replays as fast as it is read.
        speed: replay in the time it took, divided by this: 1.0 as it was, 2.0 twice as fast. Pauses are at most five seconds.

    Raises:
        SetupError: the file is missing, is no recording, or has another version.

    ``reply`` raises ``AgentGenerationError`` where the recording does not hold the task or has no further reply for it, and raises the
    recorded fault where the model failed. Where the model would be shown other messages than it was when recorded (a person edits a
    step, a value differs), the replay goes on, and the ``note`` of that reply says at which step and how; once in a run. The system message
    is not compared, because it changes with the version.
    """

    def __init__(self, path: str | os.PathLike[str], *, delay: float = 0.0, speed: float | None = None) -> None:
        self.path = Path(path)
        self.delay, self.speed = delay, speed
        model, lines = read_recording(self.path)
        self.name = f"{visible(redact(model))} (recorded)"
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
        """Stream the run's next recorded reply in the recorded pieces, then whole."""
        with self._lock:
            line, note = self._next(call_of(messages))
        if line.fault:
            raise _fault(line.fault)
        for pause, channel, piece in _pieces(line):
            await asyncio.sleep(min(pause / self.speed, _PAUSE) if self.speed else self.delay)
            yield Delta(text=piece, channel="reasoning" if channel == "reasoning" else "reply")
        yield Replied(text=line.text, reasoning=line.reasoning, usage=line.usage, model=line.model, note=note)

    def _next(self, call: Call) -> tuple[Line, str]:
        found = self._find(call.task)
        playing = self._playing.get(found)
        if playing is None or (call.first and not playing.goes_on(call)):
            playing = self._playing[found] = _begun(self._runs[found], call)
        if playing.step == len(playing.replies):
            left = f" (it was left at step {playing.left})" if playing.left else ""
            raise AgentGenerationError(
                f"the recording {self.path} ran out at step {playing.step + 1} of the task {short(found)}: it holds "
                f"{len(playing.replies)} replies{left}; record the run again with --record, or use a live model with -m"
            )
        line = playing.replies[playing.step]
        playing.step += 1
        note = "" if playing.left else divergence(line, call, playing.step)
        playing.left = playing.left or (playing.step if note else 0)
        taken_out = "a secret was taken out of this reply when it was recorded" if line.redacted else ""
        return line, "; ".join(filter(None, (note, taken_out)))

    def _find(self, task: str) -> str:
        """The recorded task this one is, or contains; the longest where there are several."""
        found = [known for known in self._runs if known == task or (known and known in task)]
        if not found:
            known = "\n".join(f"  {short(task)}" for task in self._runs) or "  (none)"
            raise AgentGenerationError(
                f"the recording {self.path} does not hold the task {short(task)}; it holds:\n{known}\n"
                "run one of these, or use a live model with -m"
            )
        return max(found, key=len)


@dataclass(slots=True, kw_only=True)
class _Playing:
    """Where the replay of one task is."""

    replies: list[Line]
    before: str
    step: int = 0
    left: int = 0  # the step at which the recording was left

    def goes_on(self, call: Call) -> bool:
        """Whether a first call is made again after a recorded fault, rather than by a cell that is run again."""
        failed = self.step > 0 and all(line.fault for line in self.replies[: self.step])
        return failed and self.step < len(self.replies) and self.before == call.before


def _begun(runs: list[list[Line]], call: Call) -> _Playing:
    """The run that a call chooses. One that goes on with what another model began is found by what it was shown."""
    same = [replies for replies in runs if replies[0].before == call.before] or runs
    if not call.first:
        for replies in reversed(runs):
            for step, line in enumerate(replies):
                if line.shown == call.shown:
                    return _Playing(replies=replies, before=call.before, step=step)
    return _Playing(replies=same[-1], before=call.before)


def _pieces(line: Line) -> Iterator[tuple[float, str, str]]:
    """Seconds to wait, channel and text of each piece, as recorded; small ones where that is not known."""
    texts = {"reasoning": line.reasoning, "reply": line.text}
    sizes = {channel: sum(size for _, known, size in line.pace if known == channel) for channel in texts}
    if sizes != {channel: len(text) for channel, text in texts.items()}:
        for channel, text in texts.items():
            yield from ((0.0, channel, piece) for piece in pieces(text, max(1, len(text) // _PIECE)))
        return
    places, now = dict.fromkeys(texts, 0), 0
    for at, channel, size in line.pace:
        if channel in texts and size:
            start = places[channel]
            places[channel] += size
            yield max(0, at - now) / 1000, channel, texts[channel][start : start + size]
            now = at


def _fault(recorded: dict[str, str]) -> AgentGenerationError:
    message = visible(redact(recorded["message"][:2000]))
    for kind in get_args(FaultKind):
        if kind == recorded["kind"]:
            return unanswered(message, kind=kind)
    return AgentGenerationError(message)
