"""Records a model's replies in a file, and replays them. The comment below documents the file's format."""

from __future__ import annotations

import asyncio
import copy
import errno
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import Any, Literal, cast, get_args

from smolcell.core.prompt import CONTEXT, FILES, GIVEN, REPLACES, TASK, TOO_LONG, UNCLOSED, VARIABLES
from smolcell.core.redaction import redact
from smolcell.core.text import one_line, presentable, shorten
from smolcell.errors import AgentGenerationError, ResponseFormatError, SetupError
from smolcell.events import Delta, Replied, Usage, sha256
from smolcell.models.capabilities import traits
from smolcell.models.errors import FaultKind, model_error
from smolcell.models.generate import Generates
from smolcell.models.scripted import pieces
from smolcell.protocols import Message, Model

log = logging.getLogger("smolcell")

# --- The file of a model's replies, from which they are replayed without network or key.
#
# The format, version 1: JSON lines, UTF-8, with any line ends. The first line is a header::
#
#     {"format": "smolcell-recording", "version": 1, "model": "openai/gpt-4.1"}
#
# Each further line is one reply. ``task`` and ``text`` are required, so a recording can be written by hand::
#
#     {"task": "Plot the sales",     the person's task, without the prompt's words around it
#      "text": "Thought: …",         the whole reply
#      "run": "5f0c9a1e",            the same for all replies of one run; "" if missing
#      "before": "07ab…",            digest of the conversation before the task; "" if the task began it
#      "reasoning": "",              if the model gave it
#      "usage": {"input_tokens": 812, "output_tokens": 96, "cost": null},
#      "model": "gpt-4.1-2026-01-01",the model that answered, as the provider reports it
#      "seconds": 2.31,              from the call to the end of the reply
#      "shown": ["user:1f…", …],     role and digest of each message that the model got, from the task on
#      "seen": "Observation of …",   the newest of these, its first 2,000 characters
#      "fault": {"kind": "key", "message": "…"}  instead of ``text``, if the model did not reply
#      "redacted": true, "sha256": …}  only if a secret was redacted: the digest of the original text
#
# A file holds any number of runs; recording into an existing file appends. Replies are grouped by task and run. The first call of a run
# is recognized by its messages: the last user message with ``New task:`` has no assistant message after it. On the first call of a task,
# the replay chooses a run: among those that began after the same conversation (``before``), else among all, the newest. So the newest
# recording of a task counts, and a notebook that asks the same twice gets both. Every further call gets the run's next reply, in order,
# also after a refusal or an edit.
#
# A recording may come from a stranger: every field is checked for type and size, and nothing in it is opened, fetched or run. Its programs
# need approval like any model's. Unknown fields, such as "pace" of earlier versions, are ignored.


FORMAT, VERSION = "smolcell-recording", 1
MAX_RECORDING_BYTES = 256 * 1024 * 1024  # bytes of a recording
MAX_FIELD_CHARS = 4_000_000  # characters of one field
MAX_SEEN_CHARS = 2000
_TASK = re.compile(rf"(?:\A|(?<=\n\n)){TASK}")  # a prompt appends a task to the user message before it
_INPUTS = re.compile(
    rf"(?:(?:{VARIABLES}|{FILES})\n(?:.+\n)+\n)+\Z"
)  # what a prompt says before a task about its variables and files
_DROPPED = "|".join(re.escape(note.partition("{")[0]) for note in (TOO_LONG, UNCLOSED, REPLACES))
_NOTE = re.compile(rf"\n\n(?:{_DROPPED})")  # a prompt appends it to the message before a reply that it leaves out
_END = re.compile(rf"\n\n(?:{GIVEN} |{_DROPPED})")  # what follows a task


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReply:
    """One recorded reply; the comment above explains the fields."""

    task: str
    text: str = ""
    run: str = ""
    before: str = ""
    reasoning: str = ""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    seconds: float = 0.0
    shown: tuple[str, ...] = ()
    seen: str = ""
    fault: dict[str, str] = field(default_factory=dict)
    redacted: bool = False
    sha256: str = ""

    def dump(self) -> str:
        """Return the line as JSON, without empty fields."""
        data = asdict(self)
        return json.dumps({key: value for key, value in data.items() if value or key in ("task", "text")})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """The task and the position of one call of a model, read from its messages.

    Attributes:
        task: without what the prompt says before and after it: the text after the last ``New task:``, else the last user message, else "".
        first: whether it is the first call of its run: there is no reply since the task.
        before: digest of the conversation before the task, without the system message; "" if there is none.
        shown: role and digest of each message from the task on.
        seen: the newest message.
    """

    task: str
    first: bool
    before: str
    shown: tuple[str, ...]
    seen: str


def call_of(messages: Sequence[Message]) -> ModelCall:
    """Read a call from its messages. All digests are of redacted text, so they are equal on a machine without the secret."""
    place, text = _find_task(messages)
    later = messages[place + 1 :]
    earlier = [message for message in messages[:place] if message.role != "system"]
    head = messages[place].text.removesuffix(text) if place < len(messages) else ""
    head = _INPUTS.sub(
        "", head.partition(CONTEXT)[0]
    )  # ignored: a replay gets no context of the notebook, and may get other data
    before = sha256(redact(json.dumps([earlier, head])))[:12] if earlier or head else ""
    return ModelCall(
        task=redact(_task(text)),
        first=_NOTE.search(text) is None and all(message.role != "assistant" for message in later),
        before=before,
        shown=(
            f"user:{sha256(redact(text))[:12]}",
            *(_digest(message.role, message.content) for message in later),
        ),
        seen=redact(later[-1].text if later else text)[:MAX_SEEN_CHARS],
    )


def follows(call: ModelCall, line: RecordedReply) -> bool:
    """Return whether a call comes directly after a recorded line: a reply, or an error after which the same is asked again."""
    after = line.shown if line.fault else (*line.shown, _digest("assistant", line.text))
    return call.shown[: len(after)] == after and len(call.shown) <= len(after) + 1


def _digest(role: str, content: Any) -> str:
    return f"{role}:{sha256(redact(json.dumps(content, sort_keys=True)))[:12]}"


def _task(text: str) -> str:
    """Return the task without what the message says after it."""
    return _END.split(text.removeprefix(TASK), maxsplit=1)[0].strip()


def _find_task(messages: Sequence[Message]) -> tuple[int, str]:
    """Return the index of the message with the newest task, and its text from the task on."""
    users = [index for index, message in enumerate(messages) if message.role == "user"]
    for index in reversed(users):
        matches = list(_TASK.finditer(messages[index].text))
        if matches:
            return index, messages[index].text[matches[-1].start() :]
    return (users[-1], messages[users[-1]].text) if users else (len(messages), "")


def divergence(line: RecordedReply, now: ModelCall, step: int) -> str:
    """Return how the messages differ from the recorded ones; "" if they do not, or none were recorded."""
    if not line.shown or line.shown == now.shown:
        return ""
    left = f"the replay left its recording at step {step}"
    for number, (old, new) in enumerate(zip(line.shown, now.shown, strict=False), 1):
        if old != new:
            last = number == len(line.shown) == len(now.shown)
            difference = _difference(line.seen, now.seen) if last and line.seen else ""
            return f"{left}: message {number} ({new.partition(':')[0]}) is not the recorded one{difference}"
    return f"{left}: {len(now.shown)} messages are shown, {len(line.shown)} were recorded"


def _difference(old: str, new: str) -> str:
    """Describe the first lines that differ."""
    for was, now in zip_longest(old.split("\n"), new.split("\n"), fillvalue=""):
        if was != now:
            return f"; recorded was {quoted_line(was)}, now it is {quoted_line(now)}"
    return ""


def quoted_line(text: str) -> str:
    """Return a text on one line of at most 80 characters, quoted."""
    return repr(one_line(text))


# --- the file ----------------------------------------------------------------------------------------------------------


def read_recording(path: Path) -> tuple[str, list[RecordedReply]]:
    """Return the model's name and the recorded replies. An incomplete last line, of a recording that was interrupted, is left out.

    Raises:
        SetupError: the file is missing, is no recording, or has another version; the message names it.
    """
    texts = _text(path).split("\n")
    name = _header(path, texts[0])
    lines = []
    for number, text in enumerate(texts[1:], 2):
        line = _line(text)
        if line is not None:
            lines.append(line)
        elif (
            text.strip() and number != len(texts) and _object(text).get("format") != FORMAT
        ):  # two writers each wrote a header
            raise _invalid(path, f"line {number} is not a recorded reply")
    return name, lines


def begin(path: Path, model: str) -> list[RecordedReply]:
    """Make sure that ``path`` is a recording to append to: write its header, or repair an incomplete last line.

    Returns:
        The recording's replies.

    Raises:
        SetupError: it is another kind of file, or cannot be written.
    """
    try:
        try:
            with path.open("xb", buffering=0) as file:
                file.write(_begin(model))
            return []
        except FileExistsError:
            return _continue(path, model)
    except OSError as error:
        raise SetupError(
            f"the recording {path} cannot be written: {error.strerror or error}; name another file with --record"
        ) from error


def _begin(model: str) -> bytes:
    return json.dumps({"format": FORMAT, "version": VERSION, "model": redact(model)}).encode() + b"\n"


def _continue(path: Path, model: str) -> list[RecordedReply]:
    if path.is_file() and path.stat().st_size == 0:
        with path.open("ab", buffering=0) as file:
            file.write(_begin(model))
        return []
    _, lines = read_recording(path)
    whole = path.read_bytes()
    last = whole[whole.rfind(b"\n") + 1 :]
    with path.open("ab", buffering=0) as file:  # check that it can be written
        if last and _line(last.decode("utf-8", "replace")) is None and last != whole:
            file.truncate(len(whole) - len(last))
        elif last:
            file.write(b"\n")
    return lines


def append(path: Path, line: str) -> None:
    """Append a line in one write, so that lines of several writers do not mix. Raises OSError."""
    with path.open("ab", buffering=0) as file:
        data = (line + "\n").encode("utf-8")
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is a folder or a device, not a file")
        with path.open("rb") as file:
            data = file.read(MAX_RECORDING_BYTES + 1)
    except OSError as error:
        raise SetupError(
            f"the recording {path} cannot be read: {error.strerror or error}; make one with --record {path}"
        ) from error
    if len(data) > MAX_RECORDING_BYTES:
        raise _invalid(path, f"it has more than {MAX_RECORDING_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(path, "it is not UTF-8 text") from error


def _header(path: Path, text: str) -> str:
    header = _object(text)
    if header.get("format") != FORMAT:
        raise _invalid(path, f'its first line is not {{"format": "{FORMAT}", ...}}')
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        update = " (a newer one made it: pip install --upgrade smolcell)" if newer else ""
        raise _invalid(
            path, f"it has version {quoted_line(str(version))[1:-1]}, and this smolcell reads version {VERSION}{update}"
        )
    return str(header.get("model", ""))[:200]


def _invalid(path: Path, why: str) -> SetupError:
    return SetupError(f"{path} is not a recording that can be used: {why}; make one with --record on another file")


# --- one line ----------------------------------------------------------------------------------------------------------


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(text: str) -> RecordedReply | None:
    """Return the reply of a line; None if it holds none."""
    data = _object(text)
    try:
        fault, usage = data.get("fault") or {}, data.get("usage") or {}
        cost = usage.get("cost")
        texts = {name: _string(data.get(name, "")) for name in ("run", "before", "reasoning", "seen", "sha256")}
        return RecordedReply(
            task=_string(data["task"]),
            text=_string(data.get("text", "") if fault else data["text"]),
            usage=Usage(
                input_tokens=int(_number(usage.get("input_tokens", 0))),
                output_tokens=int(_number(usage.get("output_tokens", 0))),
                cost=None if cost is None else _number(cost),
            ),
            model=_string(data.get("model", ""))[:200],
            seconds=_number(data.get("seconds", 0.0)),
            shown=tuple(_string(item) for item in data.get("shown", ())),
            fault={key: _string(fault[key]) for key in ("kind", "message")} if fault else {},
            redacted=bool(data.get("redacted", False)),
            **texts,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


def _number(value: Any) -> float:
    number = float(value)
    if not isfinite(number) or not 0 <= number < 1e12:
        raise ValueError("not a valid number")
    return number


def _string(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_FIELD_CHARS:
        raise TypeError(f"expected a text, found {type(value).__name__}")
    return value


# --- the models --------------------------------------------------------------------------------------------------------


_PIECE_CHARS = 24  # characters of a replayed delta, about as many as providers send
_MAX_PAUSE_SECONDS = 5.0  # most seconds to wait for a piece if the replay keeps the recorded time


class RecordingModel(Generates):
    """Passes another model's replies on, and first appends each to a file, redacted.

    Args:
        inner: the model that answers.
        path: the recording; appended to if it exists. Several models and kernels may record into one file.

    Raises:
        SetupError: the file exists and is no recording, or cannot be written.

    An error of the model is recorded, too: the replay fails at the same place. A reply that is stopped is not recorded. If a reply cannot
    be written (the disk is full), the run goes on, the recording ends there, and the reply's ``note`` says so.
    """

    def __init__(self, inner: Model, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        # task → the newest line of each of its runs, the newest run last
        self._runs: dict[str, list[RecordedReply]] = {}
        self._lock = threading.Lock()
        self.answer_from(inner)
        self._own_runs: set[str] = set()  # ids of runs that began in this process

    def __repr__(self) -> str:
        return f"RecordingModel({self.inner!r}, {str(self.path)!r})"

    def answer_from(self, inner: Model) -> None:
        """Record this model from now on. Checks the file again, and raises as the constructor does."""
        lines = begin(self.path, inner.name)
        self.inner, self.name, self._ended = inner, inner.name, False
        known = traits(inner)
        self.takes_response_format, self.takes_images = known.takes_response_format, known.takes_images
        for line in lines if not self._runs else ():
            self._note(line)

    @property
    def context_window(self) -> int | None:
        """The inner model's context window."""
        return traits(self.inner).context_window

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the inner model's reply. It is on disk before its ``Replied`` is yielded."""
        started, call = time.monotonic(), call_of(messages)
        items = self.inner.reply(messages, tools, **options)
        try:
            async for item in items:
                if isinstance(item, Replied):
                    line = _record_of_reply(call, item, time.monotonic() - started)
                    yield replace(item, note=" ".join(filter(None, (item.note, self._keep(call, line)))))
                else:
                    yield item
        except ResponseFormatError:
            raise  # not recorded: the model is asked for text next, and so is the replay
        except AgentGenerationError as error:
            fault = {"kind": error.kind, "message": redact(str(error))}
            self._keep(call, _record_of(call, fault=fault))
            raise
        finally:
            if isinstance(items, AsyncGenerator):
                await items.aclose()

    def _keep(self, call: ModelCall, line: RecordedReply) -> str:
        """Append the line to its run. Returns a note for the person, or ""."""
        if self._ended:
            return ""  # after a gap, later replies would be replayed at the wrong places
        with self._lock:
            line = replace(line, run=self._run(call))
            self._note(line)
        try:
            append(self.path, line.dump())
        except OSError as error:
            self._ended = True
            warning = f"The recording {self.path} ends before this reply: {error.strerror or error}. The run goes on."
            log.warning(warning)
            return warning
        return ""

    def _run(self, call: ModelCall) -> str:
        """Return the id of the run that a call belongs to."""
        known = self._runs.get(call.task, [])
        own = [line for line in known if line.run in self._own_runs]
        if call.first:
            again = [line for line in own[-1:] if line.fault and line.before == call.before and len(line.shown) == 1]
        else:
            again = [line for line in known if follows(call, line)][-1:] or own[-1:]
        run = again[0].run if again else secrets.token_hex(4)
        self._own_runs.add(run)
        return run

    def _note(self, line: RecordedReply) -> None:
        others = [known for known in self._runs.get(line.task, []) if known.run != line.run]
        self._runs[line.task] = [*others, line]


def _record_of(call: ModelCall, **fields: Any) -> RecordedReply:
    return RecordedReply(task=call.task, before=call.before, shown=call.shown, seen=call.seen, **fields)


def _record_of_reply(call: ModelCall, replied: Replied, seconds: float) -> RecordedReply:
    text, reasoning = redact(replied.text), redact(replied.reasoning)
    clean = (text, reasoning) == (replied.text, replied.reasoning)
    return _record_of(
        call,
        text=text,
        reasoning=reasoning,
        usage=replied.usage,
        model=redact(replied.model),
        seconds=round(seconds, 3),
        redacted=not clean,
        sha256="" if clean else sha256(replied.text),
    )


class ReplayModel(Generates):
    """Answers from a recording, without network or key. Replays the same replies each time.

    Args:
        path: the recording.
        delay: seconds to wait before each piece; 0 does not wait.
        speed: replay each reply in its recorded time divided by this: 2.0 is twice as fast. Pauses are at most five seconds.

    Raises:
        SetupError: the file is missing, is no recording, or has another version.

    ``reply`` raises ``AgentGenerationError`` if the recording does not hold the task or has no further reply for it, and the recorded
    error if the model failed. If the messages differ from the recorded ones (a person edits a step, a value differs), the replay goes on,
    and the reply's ``note`` says at which step and how; once per run. The system message is not compared, because it changes with the
    version.
    """

    sends = False
    """False: prompts stay in this process, so the policy about models does not apply."""

    def __init__(self, path: str | os.PathLike[str], *, delay: float = 0.0, speed: float | None = None) -> None:
        self.path = Path(path)
        self.delay, self.speed = delay, speed
        model, lines = read_recording(self.path)
        self.name = f"{presentable(model)} (recorded)"
        self._runs: dict[str, list[list[RecordedReply]]] = {}  # task → its runs, in recorded order
        recorded: dict[tuple[str, str], list[RecordedReply]] = {}
        for line in lines:
            recorded.setdefault((line.task, line.run), []).append(line)
        for (task, _), replies in recorded.items():
            self._runs.setdefault(task, []).append(replies)
        self._begin(0)

    def _begin(self, over: int) -> None:
        self._over = over
        self._playing: dict[str, _Playing] = {}
        self._lock = threading.Lock()

    def afresh(self, over: int = 0) -> ReplayModel:
        """Return the same recording for another run beside this one, after ``over`` replies. Does not read the file again."""
        twin = copy.copy(self)
        twin._begin(over)
        return twin

    def __repr__(self) -> str:
        return f"ReplayModel({str(self.path)!r}, delay={self.delay!r})"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The recorded tasks."""
        return tuple(self._runs)

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the run's next recorded reply in small pieces, then the whole."""
        with self._lock:
            line, note = self._next(call_of(messages))
        if line.fault:
            raise _fault(line.fault)
        parts = _pieces(line)
        pause = min(line.seconds / self.speed / len(parts), _MAX_PAUSE_SECONDS) if self.speed and parts else self.delay
        for part in parts:
            await asyncio.sleep(pause)
            yield part
        yield Replied(text=line.text, reasoning=line.reasoning, usage=line.usage, model=line.model, note=note)

    def _next(self, call: ModelCall) -> tuple[RecordedReply, str]:
        task = self._find(call.task)
        playing = self._playing.get(task)
        if playing is None or (call.first and not playing.goes_on(call)):
            playing = self._playing[task] = _find_run(self._runs[task], call, self._over)
        if playing.step == len(playing.replies):
            left = f" (it was left at step {playing.left})" if playing.left else ""
            raise AgentGenerationError(
                f"the recording {self.path} ran out at step {playing.step + 1} of the task {quoted_line(task)}: it holds "
                f"{len(playing.replies)} replies{left}; record the run again with --record, or use a live model with -m"
            )
        line = playing.replies[playing.step]
        playing.step += 1
        note = "" if playing.left else divergence(line, call, playing.step)
        playing.left = playing.left or (playing.step if note else 0)
        taken_out = "a secret in this reply was redacted when it was recorded" if line.redacted else ""
        return line, "; ".join(filter(None, (note, taken_out)))

    def _find(self, task: str) -> str:
        """Return the recorded task that this task equals or contains; the longest if there are several."""
        if task in self._runs:
            return task
        tasks = [known for known in self._runs if known and known in task]
        if not tasks:
            known = "\n".join(f"  {quoted_line(task)}" for task in self._runs) or "  (none)"
            raise AgentGenerationError(
                f"the recording {self.path} does not hold the task {quoted_line(task)}; it holds:\n{known}\n"
                "run one of these, or use a live model with -m"
            )
        return max(tasks, key=len)


@dataclass(slots=True, kw_only=True)
class _Playing:
    """The position in the replay of one task."""

    replies: list[RecordedReply]
    before: str
    step: int = 0
    left: int = 0  # the step at which the conversation left the recording

    def goes_on(self, call: ModelCall) -> bool:
        """Return whether a first call repeats one after a recorded error, instead of a cell that is run again."""
        failed = self.step > 0 and all(line.fault for line in self.replies[: self.step])
        return failed and self.step < len(self.replies) and self.before == call.before


def _find_run(runs: list[list[RecordedReply]], call: ModelCall, over: int = 0) -> _Playing:
    """Find the recorded run for a first call. A run that continues another model's conversation is found by its replies.

    ``over``: number of earlier replies, for a handwritten recording without ``shown``.
    """
    same = [replies for replies in runs if replies[0].before == call.before] or runs
    if not call.first:
        for replies in reversed(runs):
            for step, line in enumerate(replies):
                if line.shown == call.shown:
                    return _Playing(replies=replies, before=call.before, step=step)
    return _Playing(replies=same[-1], before=call.before, step=min(over, len(same[-1])))


def _pieces(line: RecordedReply) -> list[Delta]:
    """Split a reply into pieces, as a provider would send it."""
    parts: tuple[tuple[Literal["reasoning", "reply"], str], ...] = (("reasoning", line.reasoning), ("reply", line.text))
    return [
        Delta(text=piece, channel=channel)
        for channel, text in parts
        for piece in pieces(text, len(text) // _PIECE_CHARS or 1)
    ]


def _fault(recorded: dict[str, str]) -> AgentGenerationError:
    message, kind = presentable(shorten(recorded["message"], 2000)), recorded["kind"]
    if kind in get_args(FaultKind):
        return model_error(message, kind=cast(FaultKind, kind))
    return AgentGenerationError(message)
