"""The file a model's replies are kept in, so that they can be replayed without network or key.

The format, version 1: JSON lines, UTF-8. The first line says what the file is::

    {"format": "smolcell-recording", "version": 1, "model": "openai/gpt-4.1"}

Each further line is one reply. ``task`` and ``text`` are required, so a recording can be written by hand::

    {"task": "Plot the sales",     what the person asked, without the words around it
     "text": "Thought: …",         the whole reply
     "run": "5f0c9a1e",            replies of one run carry the same word; "" if missing
     "reasoning": "",              where the model has it
     "usage": {"input_tokens": 812, "output_tokens": 96, "cost": null},
     "model": "gpt-4.1-2026-01-01",what the provider says answered
     "seconds": 2.31,              from the call to the end of the reply
     "shown": ["user:1f…", …],     role and digest of each message the model was shown, from the task on
     "pace": [[120, "reply", 14]], milliseconds since the call, channel, characters of each piece; [] if redacted
     "redacted": true, "sha256": …}  only where a secret was taken out: the digest of the text as it was

Replies are grouped by task and run. A run is recognised by its first call: the last user message that holds ``New task:`` has no
assistant message after it. What came before that task, in a session that goes on, belongs to other runs. Each first call starts
the next recorded run of that task (after the last, the first again, so a cell can be run any number of times), and every further
call of that run takes its next reply, in order: after a refusal or an edit too.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from smolcell.errors import SetupError
from smolcell.events import Usage, sha256
from smolcell.messages import Message
from smolcell.prompt import TASK, VARIABLES
from smolcell.redact import redact

FORMAT, VERSION = "smolcell-recording", 1
_TASK = re.compile(rf"(?:\A|(?<=\n\n)){TASK}")  # a prompt joins a task to the user message before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One recorded reply; the module's docstring explains the fields."""

    task: str
    text: str
    run: str = ""
    reasoning: str = ""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    seconds: float = 0.0
    shown: tuple[str, ...] = ()
    pace: tuple[tuple[int, str, int], ...] = ()
    redacted: bool = False
    sha256: str = ""

    def dump(self) -> str:
        """The line as JSON, without the fields that say nothing."""
        data = asdict(self)
        return json.dumps({key: value for key, value in data.items() if value or key in ("task", "text")})


def task_of(messages: Sequence[Message]) -> tuple[str, bool]:
    """The task a call is about, without the variables that go with it, and whether it is the first call of its run.

    The task is what follows the last ``New task:`` of a user message, else the last user message, else "".
    """
    place, text = _asked(messages)
    task = text.removeprefix(TASK).partition(f"\n\n{VARIABLES}\n")[0].strip()
    return task, all(message.role != "assistant" for message in messages[place:])


def shown(messages: Sequence[Message]) -> tuple[str, ...]:
    """Role and digest of each message from the task on: enough to say where a replay leaves its recording, without keeping them."""
    place, text = _asked(messages)
    later = (
        f"{message.role}:{sha256(json.dumps(message.content, sort_keys=True))[:12]}"
        for message in messages[place + 1 :]
    )
    return (f"user:{sha256(text)[:12]}", *later)


def _asked(messages: Sequence[Message]) -> tuple[int, str]:
    """Which message holds the newest task, and that message's text from the task on."""
    users = [index for index, message in enumerate(messages) if message.role == "user"]
    for index in reversed(users):
        found = list(_TASK.finditer(messages[index].text))
        if found:
            return index, messages[index].text[found[-1].start() :]
    return (users[-1], messages[users[-1]].text) if users else (len(messages), "")


def divergence(recorded: Sequence[str], now: Sequence[str], step: int) -> str:
    """How what the model is shown now differs from what it was shown then; "" where it does not, or none was recorded."""
    if not recorded or recorded == now:
        return ""
    for number, (old, new) in enumerate(zip(recorded, now, strict=False), 1):
        if old != new:
            role = new.partition(":")[0]
            return f"the replay left its recording at step {step}: message {number} ({role}) is not the recorded one"
    return f"the replay left its recording at step {step}: {len(now)} messages are shown, {len(recorded)} were recorded"


# --- the file ----------------------------------------------------------------------------------------------------------


def read_recording(path: Path) -> tuple[str, list[Line]]:
    """The model's name and the recorded replies. A torn last line, from a recording that was cut off, is left out.

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
        elif text.strip() and number != len(texts):
            raise _garbage(path, f"line {number} is not a recorded reply")
    return name, lines


def begin(path: Path, model: str) -> None:
    """Make sure that ``path`` is a recording that a line can be appended to: write its first line, or cut off a torn last one.

    Raises:
        SetupError: it is something else, or cannot be written.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            append(path, json.dumps({"format": FORMAT, "version": VERSION, "model": redact(model)}))
            return
        read_recording(path)
        whole = path.read_bytes()
        if not whole.endswith(b"\n"):
            last = whole[whole.rfind(b"\n") + 1 :]
            if _line(last.decode("utf-8", "replace")) is None and last != whole:
                os.truncate(path, len(whole) - len(last))
            else:
                append(path, "")
    except OSError as error:
        raise SetupError(
            f"the recording {path} cannot be written: {error.strerror or error}; name another file with --record"
        ) from error


def append(path: Path, line: str) -> None:
    """Append a line in one write, so that no other writer's line comes between. Raises OSError."""
    with path.open("ab", buffering=0) as file:
        data = (line + "\n").encode("utf-8")
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(
            f"the recording {path} cannot be read: {error.strerror or error}; make one with --record {path}"
        ) from error
    except UnicodeDecodeError as error:
        raise _garbage(path, "it is not UTF-8 text") from error


def _header(path: Path, text: str) -> str:
    header = _object(text)
    if header.get("format") != FORMAT:
        raise _garbage(path, f'its first line is not {{"format": "{FORMAT}", ...}}')
    if header.get("version") != VERSION:
        raise _garbage(path, f"it has version {header.get('version')!r}, and this smolcell reads version {VERSION}")
    return str(header.get("model", ""))


def _garbage(path: Path, why: str) -> SetupError:
    return SetupError(f"{path} is not a recording that can be used: {why}; make one with --record on another file")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(text: str) -> Line | None:
    """The reply a line holds, or None where it holds none."""
    data = _object(text)
    try:
        usage = data.get("usage") or {}
        return Line(
            task=_string(data["task"]),
            text=_string(data["text"]),
            run=_string(data.get("run", "")),
            reasoning=_string(data.get("reasoning", "")),
            usage=Usage(
                input_tokens=int(usage.get("input_tokens", 0)),
                output_tokens=int(usage.get("output_tokens", 0)),
                cost=None if usage.get("cost") is None else float(usage["cost"]),
            ),
            model=_string(data.get("model", "")),
            seconds=float(data.get("seconds", 0.0)),
            shown=tuple(_string(item) for item in data.get("shown", ())),
            pace=tuple((int(ms), _string(channel), int(size)) for ms, channel, size in data.get("pace", ())),
            redacted=bool(data.get("redacted", False)),
            sha256=_string(data.get("sha256", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {type(value).__name__}")
    return value
