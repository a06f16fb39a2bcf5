"""The journal: the events of a session, one line of JSON per event, on disk.

* A permit is on disk, not in a buffer, before ``append`` returns: an approved step is recorded before it runs.
* A failure to write raises ``JournalError``; the driver then does not run the step.
* Nothing is written through a symbolic link, into another user's file, or to a place that others can read.
* Lines are only appended, each in one write; if a crash or a full disk leaves a line incomplete, only that line is lost.

A line, version 1::

    {"v": 1, "seq": 7, "at": "2026-11-21T09:30:00.123456+00:00", "event": {"event": "Proposed", …}, "chain": "5f1c…"}

``"chain"`` is a hash over everything stored up to there (``smolcell.core.chain``), which ``smolcell verify`` checks.

A line with ``"place"`` and ``"session"`` begins a run of that session in a notebook (its path, or the folder of a shell), by which it
is found after a restart. A line with ``"copied"`` is a copy of one in another journal. Events are redacted (``smolcell.core.redaction``). A
line with ``"redacted": true`` was changed by that, and has ``"sha256"``: the digest of each changed field before the change (of its
JSON, sorted, if the field is no text), so that it can still be compared.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import FileIO
from itertools import dropwhile, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from weakref import WeakSet

from smolcell import events as codec
from smolcell.approval.policy import current, seconds
from smolcell.core.chain import Chain, Digests, with_link
from smolcell.core.history import surviving_programs, surviving_with_times, until, with_ends
from smolcell.core.redaction import redact, redact_event
from smolcell.core.text import shorten, visible
from smolcell.errors import JournalError, SetupError
from smolcell.events import (
    DIRECT_RUN,
    Allowed,
    Answered,
    Asked,
    Event,
    History,
    ProgramKey,
    needed_walls,
    program_key,
    sha256,
)
from smolcell.machine.state import (
    MAX_LINE_CHARS,
    hold,
    is_own_file,
    is_private,
    journals_folder,
    lines_of,
    open_no_link,
    open_stored,
    private_folder,
)
from smolcell.permit import known_permit

VERSION = 1
MAX_EVENTS = 200_000  # events of a file
MAX_VALUES = 5_000_000  # values in the JSON of a line


class JournalFile(Protocol):
    """The output of a journal: an unbuffered binary file."""

    def write(self, data: bytes, /) -> int | None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Journal:
    """Appends events to one file. Thread-safe; the file belongs to one process.

    Args:
        path: the file; created with mode 0600, continued if it exists.
        file: written to instead of ``path``; an unbuffered binary file.
        clock: returns the time of a line, in UTC.
        place, session: recorded so that the journal is found after a restart; "" if it must not be.

    Attributes:
        alone: whether this process holds the lock of the file, so that no other process appends; None if the system has no locks.

    Raises:
        JournalError: the file cannot be opened, or is not a plain file of this user.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        file: JournalFile | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        place: str = "",
        session: str = "",
    ) -> None:
        self.path = Path(path)
        self._clock, self._found_by = clock, {"place": redact(place), "session": redact(session)} if place else {}
        self._lock = threading.Lock()
        self._seq = 0
        self._torn = False  # the last line is incomplete
        self._chain = Chain()
        self._digests: dict[str, Digests] = {}  # of unfinished runs
        self._file: JournalFile | None = file
        if file is None:
            self._file, self._seq, self._torn, self._chain = _open(self.path)
        self.alone = None if file is not None else hold(self._file.fileno()) if self._file is not None else None
        _open_here.add(self)

    @classmethod
    def create(
        cls, session: str = "default", *, folder: str | os.PathLike[str] | None = None, place: str = ""
    ) -> Journal:
        """Create a journal ``<date>-<session>-<id>.jsonl`` in ``folder``, by default the user's own."""
        into = private_folder(journals_folder() if folder is None else Path(folder))
        if (retention := current().lock("retention")) is not None:
            delete_older(into, seconds(retention.value))
        name = re.sub(r"[^A-Za-z0-9_]+", "-", session).strip("-")[:40] or "session"
        return cls(
            into / f"{datetime.now(UTC):%Y-%m-%d}-{name}-{secrets.token_hex(4)}.jsonl", place=place, session=session
        )

    def __repr__(self) -> str:
        return f"Journal({str(self.path)!r})"

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, event: Event, *, copied: bool = False) -> float:
        """Write one event. An ``Allowed`` is flushed to disk before this returns.

        Returns the time of its line, in seconds since 1970.

        Args:
            event: the event.
            copied: the event is also in another journal.

        Raises:
            JournalError: it could not be written completely, or the journal is closed.
        """
        with self._lock:
            if self._file is None:
                raise JournalError(f"the journal {self.path} is closed: the step is not run; start a new session")
            try:
                at = self._clock()
                self._write(self._file, self._record(event, copied, at))
                if isinstance(event, Allowed):
                    os.fsync(self._file.fileno())
            except OSError as error:
                raise _unwritable(self.path, error) from error
            self._seq += 1
            return at.timestamp()

    def proof(self, run: str) -> dict[str, str]:
        """Return what identifies an unchanged run later: this file's name, the end of its chain, and the run's digests."""
        with self._lock:
            digests = self._digests.get(run, Digests())
            return {"journal": self.path.name, "chain": self._chain.link, **digests.hex_digests()}

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            file, self._file = self._file, None
            if file is not None:
                file.close()

    def _record(self, event: Event, copied: bool, at: datetime) -> dict[str, Any]:
        original = codec.to_json(event)
        clean = redact_event(original)
        record: dict[str, Any] = {"v": VERSION, "seq": self._seq, "at": at.isoformat(), "event": clean}
        changed = {key: _digest(value) for key, value in original.items() if clean.get(key) != value}
        if changed:
            record |= {"redacted": True, "sha256": changed}
        if isinstance(event, Asked) and not event.parent:
            record |= self._found_by
        if copied:
            record["copied"] = True
        return record

    def _write(self, file: JournalFile, record: Mapping[str, Any]) -> None:
        head = json.dumps(record, default=str).encode("ascii").removesuffix(b"}")
        head = b"\n" + head if self._torn else head
        data = with_link(head, self._chain.next_link(head))
        self._torn = True
        written = file.write(data)
        if written != len(data):
            self._chain.take(data[: written or 0])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._torn = False
        self._chain.follow(data)
        event = record["event"]
        if event["event"] == "Ended":
            self._digests.pop(event["run"], None)
        elif event["run"] != DIRECT_RUN:
            self._digests.setdefault(event["run"], Digests()).note(event)


_open_here: WeakSet[Journal] = WeakSet()


def open_journals() -> list[Path]:
    """Return the paths of the journals that this process writes."""
    return sorted(journal.path for journal in list(_open_here) if journal._file is not None)


class Events(list[Event]):
    """Events read from a journal. ``skipped`` counts other lines (incomplete, damaged, of a newer version); ``damaged``: see below."""

    skipped: int = 0
    damaged: int = 0  # number of the first skipped line; 0 if there is none

    def __init__(self, events: Iterable[Event] = (), times: Iterable[float] = ()) -> None:
        super().__init__(events)
        self.times = list(times)
        """Times of the events, in seconds since 1970."""


def read(path: str | os.PathLike[str], *, copied: bool = True) -> Events:
    """Return the events of a journal, in order. They are data: their permits are spent and run nothing.

    Incomplete and invalid lines are skipped and counted, so that the rest of a damaged journal can be read.

    Args:
        path: the file.
        copied: include events that are copies from another journal. Their times are those of the copying.

    Raises:
        JournalError: the file cannot be read, is no plain file, or too large.
    """
    events = Events()
    try:
        for number, line in enumerate(lines_of(path), 1):
            record = read_line(line)
            if record is not None:
                if copied or not record.copied:
                    events.append(record.event)
                    events.times.append(record.at)
            elif line.strip():
                events.skipped += 1
                events.damaged = events.damaged or number
            if len(events) > MAX_EVENTS:
                raise OSError(errno.EFBIG, f"it has more than {MAX_EVENTS:,} events")
    except OSError as error:
        raise JournalError(
            f"the journal {path} cannot be read: {error.strerror or error}; `%agent status` names the file of a session"
        ) from error
    return events


def _open(path: Path) -> tuple[FileIO, int, bool, Chain]:
    """Open the file. Returns it, the number of its lines, whether the last one is incomplete, and its chain."""
    try:
        descriptor = open_no_link(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    except OSError as error:
        raise _unwritable(path, error) from error
    file = FileIO(descriptor, "r+")
    status = os.fstat(file.fileno())
    if not is_own_file(status):
        file.close()
        raise JournalError(f"the journal {path} is not a plain file of this user: the step is not run; name another")
    lines, last, chain = 0, b"\n", Chain()
    with os.fdopen(os.dup(descriptor), "rb") as stored:
        while last_line := stored.readline(MAX_LINE_CHARS):
            chain.follow(last_line)
            lines, last = lines + last_line.count(b"\n"), last_line[-1:]
    return file, lines, last != b"\n", chain


def delete_older(folder: Path, age: float) -> int:
    """Delete the journals not written to for ``age`` seconds and not in use by a living process. Returns their number."""
    before, deleted = time.time() - age, 0
    for path in folder.glob("*.jsonl"):
        try:
            status = path.lstat()
            deleted += status.st_mtime < before and is_own_file(status) and _delete(path)
        except OSError:
            continue  # already deleted, or not permitted
    return deleted


def _delete(path: Path) -> bool:
    descriptor = open_no_link(path, os.O_RDWR)
    try:
        if hold(descriptor) is False:
            return False
        path.unlink()
    finally:
        os.close(descriptor)
    return True


def _unwritable(path: Path, error: OSError) -> JournalError:
    return JournalError(
        f"the journal {path} cannot be written: {error.strerror or error}; the step is not run. "
        "Free some space, or set SMOLCELL_STATE_DIR to one of your folders"
    )


class JournalLine(NamedTuple):
    """One line of a journal: the event, its time in seconds since 1970 (0 if unknown), and whether it is a copy from another journal."""

    event: Event
    at: float
    copied: bool


def read_line(line: str) -> JournalLine | None:
    """Return the content of a line; None if it is no event of this version."""
    try:
        record = parse_line(line)
        if isinstance(record, dict) and record.get("v") == VERSION:
            return JournalLine(codec.from_json(record["event"]), _time(record.get("at")), record.get("copied") is True)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def _time(text: Any) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def parse_line(line: str, **how: Any) -> Any:
    """Parse the JSON of a line, with a limit on the number of its values.

    Raises:
        ValueError: it is no JSON, or has too many values.
    """
    if sum(map(line.count, "[{,")) > MAX_VALUES:
        raise ValueError("more values than an event has")
    return json.loads(line, **how)


def _digest(value: Any) -> str:
    return sha256(value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str))


# --- Runs in files: saved by a user, or found in the journal of an ended kernel.
#
# * A saved run is a journal: JSON lines with a version, redacted. Nothing in it is evaluated or unpickled.
# * File content is not trusted: a line that is no event of a known version is an error that names it.
# * A permit read from a file is spent: it runs nothing. An image read from a file is data: no URL is fetched for it.
# * A journal that another process writes is not touched.


_MAX_SEARCHED = 500  # newest journals that are searched


class Run(NamedTuple):
    """Events, and their times in seconds since 1970: one per event, or none."""

    events: History
    times: tuple[float, ...] = ()


def save(path: str | os.PathLike[str], run: Run) -> Path:
    """Write events to a file for ``load`` and ``smolcell.journal.read``. An existing file is replaced, atomically.

    Live values are not saved: after loading, an answer is its text.

    Raises:
        SetupError: there are no events, or the file cannot be written.
    """
    if not run.events:
        raise SetupError("there is nothing to save: the memory is empty. Run a task first")
    target = Path(path).expanduser().absolute()
    part = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}")
    when = iter(run.times or [datetime.now(UTC).timestamp()] * len(run.events))
    try:
        with Journal(part, clock=lambda: datetime.fromtimestamp(next(when), UTC)) as journal:
            for event in run.events:  # what this process did not allow stays no approval, wherever the file lies
                journal.append(event, copied=isinstance(event, Allowed) and known_permit(event) is None)
        part.replace(target)
    except (OSError, JournalError) as error:
        reason = getattr(error.__cause__ or error, "strerror", None) or error
        raise SetupError(f"the run cannot be saved as {target}: {reason}. Name another file") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return target


def load(path: str | os.PathLike[str], text: Iterable[str] | None = None) -> Run:
    """Return the runs in a file of ``save`` or in a session's journal, without managed agents' runs and the user's direct calls.

    A run without an end gets one, as a stopped run. An incomplete last line is left out.

    Args:
        text: the lines of the file, if it was read before.

    Raises:
        SetupError: the file cannot be read, or is no such file; the message names the line.
    """
    source = Path(path).expanduser()
    try:
        lines = list(islice(_lines(lines_of(source) if text is None else text, source), MAX_EVENTS + 1))
        if len(lines) > MAX_EVENTS:
            raise OSError(errno.EFBIG, f"it has more than {MAX_EVENTS:,} events")
    except OSError as error:
        raise SetupError(
            f"{source} cannot be read: {error.strerror or error}. Give a file that memory.save(…) wrote"
        ) from None
    called = {event.run for event, _ in lines if isinstance(event, Asked) and event.parent}
    own = [(event, at) for event, at in lines if event.run not in {*called, DIRECT_RUN}]
    if not own or not isinstance(own[0][0], Asked):
        raise SetupError(f"{source} has no runs: it does not begin with a task. Give a file that memory.save(…) wrote")
    counted, times = surviving_with_times(tuple(event for event, _ in own), tuple(at for _, at in own))
    events = with_ends(counted)
    return Run(events, times if len(times) == len(events) else ())


def _newest() -> list[Path]:
    """Return the newest journals in the user's own folder, newest first."""
    try:
        folder = journals_folder()
        return sorted(folder.glob("*.jsonl"), key=lambda path: path.lstat().st_mtime, reverse=True)[:_MAX_SEARCHED]
    except (OSError, JournalError):
        return []


def find(session: str, place: str) -> Path | None:
    """Return the newest journal of a session in this place that no living process writes; None if there is none."""
    return next((path for path in _newest() if _is_of(path, redact(session), redact(place))), None)


def permits(programs: Sequence[ProgramKey]) -> dict[ProgramKey, bool]:
    """Return whether these programs, which were allowed according to the user's own journals, needed walls.

    Empty unless one journal has exactly these, in this order, from the first program of a run on, without others between them and
    without undone ones. A journal counts if it is a file in the user's own folder of journals that only they can read and write. Lines
    that are copies from another journal allow nothing.
    """
    wanted, paths, in_order = set(programs), _newest(), False
    found: dict[ProgramKey, bool] = {}
    if not paths or not is_private(paths[0].parent):
        return {}
    for path in filter(is_private, paths):
        with suppress(OSError, SetupError):
            permits = [(permit, copied) for permit, copied in _permits(path) if program_key(permit) in wanted]
            found = {program_key(permit): needed_walls(permit) for permit, copied in permits if not copied} | found
            in_order = in_order or (wanted <= {program_key(permit) for permit, _ in permits} and _is_in(path, programs))
        if in_order and found.keys() == wanted:
            return found
    return {}


def _is_in(path: Path, programs: Sequence[ProgramKey]) -> bool:
    stored = dropwhile(lambda key: key[0] != programs[0][0], map(program_key, surviving_programs(load(path).events)))
    return [*islice(stored, len(programs))] == [*programs]


def _permits(path: Path) -> Iterator[tuple[Allowed, bool]]:
    for text in lines_of(path):
        line = read_line(text) if '"Allowed"' in text else None  # other lines are not parsed
        if line is not None and isinstance(line.event, Allowed) and line.event.kind == "code":
            yield line.event, line.copied


class StoredSession(NamedTuple):
    """A session with a journal: its name, its place, its first task, and when the journal was last written to (ISO 8601)."""

    session: str
    place: str
    task: str
    at: str


def sessions(place: str, prefix: str = "") -> list[StoredSession]:
    """Return the sessions of this place whose names begin with ``prefix``, newest first, including those in use."""
    by_id: dict[str, StoredSession] = {}
    for path in _newest():
        record = _first(path)
        name = record.get("session")
        if record.get("place") == redact(place) and isinstance(name, str) and name.startswith(prefix):
            task = str(record.get("event", {}).get("task", ""))
            at = datetime.fromtimestamp(path.lstat().st_mtime, UTC).isoformat()
            by_id.setdefault(name, StoredSession(name, place, task, at))
    return list(by_id.values())


def _first(path: Path) -> dict[str, Any]:
    """Return the first line of a journal of this user; {} if it is none."""
    try:
        with open_stored(path) as file:
            record = parse_line(file.readline(MAX_LINE_CHARS).decode("utf-8", "replace"))
            return record if isinstance(record, dict) and isinstance(record.get("event"), dict) else {}
    except (OSError, ValueError, JournalError, RecursionError):
        return {}


def fork(
    run: Run, step: int, session: str, place: str = "", folder: str | os.PathLike[str] | None = None
) -> tuple[Run, Journal]:
    """Return a run up to a step of its newest task, and a new journal (in ``folder``, by default the user's own) with copies of its events.

    Raises:
        SetupError: there is no such step.
        JournalError: the journal cannot be written.
    """
    events = until(run.events, step)
    times = run.times[: len(events) - 1]
    journal = Journal.create(session, place=place, folder=folder)
    for event in events:
        journal.append(event, copied=True)
    return Run(events, times + times[-1:]), journal


def _is_of(path: Path, session: str, place: str) -> bool:
    try:
        descriptor = open_no_link(path, os.O_RDWR)
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            if not is_own_file(os.fstat(file.fileno())):
                return False
            record = parse_line(file.readline(MAX_LINE_CHARS))
            return (record["session"], record["place"]) == (session, place) and hold(file.fileno()) is not False
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _lines(lines: Iterable[str], source: Path) -> Iterator[tuple[Event, float]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _read(line)
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            if number > 1 and is_torn(line):
                continue
            message = visible(shorten(str(error), 200))
            raise SetupError(
                f"{source} is no saved run: line {number} is no event of version {VERSION} ({message}). {_usable(source, number)}"
            ) from None


def _usable(source: Path, damaged: int) -> str:
    """Return the advice for a file with a damaged line. The file is not changed."""
    if damaged == 1:
        return "Give a file that memory.save(…) or a session's journal wrote"
    part = source.with_name(f"{source.stem}-whole.jsonl")
    return (
        f"Copy the lines before it to another file and try again:  head -n {damaged - 1} "
        f"{shlex.quote(str(source))} > {shlex.quote(str(part))}"
    )


def is_torn(line: str) -> bool:
    """Return whether a line is the incomplete beginning of a line; in a continued journal, more lines may follow it."""
    begun, head = line.rstrip("\n"), f'{{"v": {VERSION}, "seq": '
    if not line.endswith("\n"):
        return len(line) < MAX_LINE_CHARS
    return not begun.endswith("}") and (begun.startswith(head) or head.startswith(begun))


def _read(line: str) -> tuple[Event, float]:
    record: Any = parse_line(line, parse_constant=_refuse)
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
