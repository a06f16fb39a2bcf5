"""Runs in files: saved by hand, or found again in the journal of a kernel that is gone.

The rules this file exists to keep:

* A saved run is a journal: JSON lines with a version, secrets taken out. Nothing in it is evaluated or unpickled.
* What is read is hostile until checked: a line that is no event of a version known here is an error that names it.
* A permit that was read is spent: it runs nothing. An image that was read is data: no address is fetched for it.
* The journal that another process writes is left to it.
"""

from __future__ import annotations

import errno
import os
import secrets
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from smolcell import codec
from smolcell.errors import JournalError, SetupError
from smolcell.events import Answered, Asked, Event, History
from smolcell.journal import LONGEST, MOST, VERSION, Journal, hold, journals_folder, lines_of, own, parsed
from smolcell.redact import redact
from smolcell.resume import closed, until
from smolcell.visible import visible

_LOOKED_AT = 500  # journals, the newest


class Run(NamedTuple):
    """What happened, and when: seconds since 1970, as many as there are events, or none."""

    events: History
    times: tuple[float, ...] = ()


def save(path: str | os.PathLike[str], run: Run) -> Path:
    """Write events to a file that ``load`` and ``smolcell.journal.read`` read; an existing one is replaced, whole or not at all.

    Live values are not kept: an answer is its text afterwards.

    Raises:
        SetupError: there is nothing to save, or it cannot be written.
    """
    if not run.events:
        raise SetupError("there is nothing to save: nothing is remembered. Run a task first")
    target = Path(path).expanduser().absolute()
    part = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}")
    when = iter(run.times or [datetime.now(UTC).timestamp()] * len(run.events))
    try:
        with Journal(part, clock=lambda: datetime.fromtimestamp(next(when), UTC)) as journal:
            for event in run.events:
                journal.append(event)
        part.replace(target)
    except (OSError, JournalError) as error:
        reason = getattr(error.__cause__ or error, "strerror", None) or error
        raise SetupError(f"the run cannot be saved as {target}: {reason}. Name another file") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return target


def load(path: str | os.PathLike[str]) -> Run:
    """The run, or the runs, of a file that ``save`` or a session's journal wrote; those of managed agents are left out.

    A run without an end is ended here as one that was stopped. A line that a crash tore is left out.

    Raises:
        SetupError: the file cannot be read, or is no such file; the message names the line.
    """
    source = Path(path).expanduser()
    try:
        lines = list(islice(_lines(lines_of(source), source), MOST + 1))
        if len(lines) > MOST:
            raise OSError(errno.EFBIG, f"it holds more than {MOST:,} events")
    except OSError as error:
        raise SetupError(
            f"{source} cannot be read: {error.strerror or error}. Give a file that memory.save(…) wrote"
        ) from None
    called = {event.run for event, _ in lines if isinstance(event, Asked) and event.parent}
    own = [(event, at) for event, at in lines if event.run not in called]
    if not own or not isinstance(own[0][0], Asked):
        raise SetupError(f"{source} holds no run: it does not begin with a task. Give a file that memory.save(…) wrote")
    events = closed(tuple(event for event, _ in own))
    times = tuple(at for _, at in own)
    return Run(events, times if len(times) == len(events) else ())


def find(session: str, place: str) -> Path | None:
    """The newest journal of a session in this place that no living process writes; None where there is none."""
    try:
        folder = journals_folder()
        newest = sorted(folder.glob("*.jsonl"), key=lambda path: path.lstat().st_mtime, reverse=True)[:_LOOKED_AT]
    except (OSError, JournalError):
        return None
    return next((path for path in newest if _is_of(path, redact(session), redact(place))), None)


def fork(run: Run, step: int, session: str, place: str = "") -> tuple[Run, Journal]:
    """The part of a run up to a step of its newest task, and a new journal that holds it as copied.

    Raises:
        SetupError: there is no such step.
        JournalError: the journal cannot be written.
    """
    events = until(run.events, step)
    times = run.times[: len(events) - 1]
    journal = Journal.create(session, place=place)
    for event in events:
        journal.append(event, copied=True)
    return Run(events, times + times[-1:]), journal


def _is_of(path: Path, session: str, place: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            if not own(os.fstat(file.fileno())):
                return False
            record = parsed(file.readline(LONGEST))
            return (record["session"], record["place"]) == (session, place) and hold(file.fileno()) is not False
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _lines(lines: Iterator[str], source: Path) -> Iterator[tuple[Event, float]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _read(line)
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            if number > 1 and _is_torn(line):
                continue
            said = visible(str(error))[:200]
            raise SetupError(
                f"{source} is no saved run: line {number} is no event of version {VERSION} ({said}). {_usable(source, number)}"
            ) from None


def _usable(source: Path, damaged: int) -> str:
    """What can be done about a file with a damaged line, which stays as it is."""
    if damaged == 1:
        return "Give a file that memory.save(…) or a session's journal wrote"
    part = source.with_name(f"{source.stem}-whole.jsonl")
    return (
        f"What stands before it can be used, in a file of its own; then try again: head -n {damaged - 1} "
        f"{shlex.quote(str(source))} > {shlex.quote(str(part))}"
    )


def _is_torn(line: str) -> bool:
    """Whether a crash or a full disk left the beginning of a line here; a journal that was gone on with has more lines after it."""
    begun, head = line.rstrip("\n"), f'{{"v": {VERSION}, "seq": '
    if not line.endswith("\n"):
        return len(line) < LONGEST
    return not begun.endswith("}") and (begun.startswith(head) or head.startswith(begun))


def _read(line: str) -> tuple[Event, float]:
    record: Any = parsed(line, parse_constant=_refuse)
    if not isinstance(record, dict) or record.get("v") != VERSION:
        version = record.get("v") if isinstance(record, dict) else None
        raise ValueError(f"it is of version {version!r:.40}" if version else "it has no version")
    event = codec.from_json(record["event"])
    if isinstance(event, Answered):
        event = replace(event, output=event.text)
    if isinstance(event, Asked):
        event = replace(event, images=tuple(image for image in event.images if image.startswith("data:")))
    return event, datetime.fromisoformat(record["at"]).timestamp()


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")
