"""The journal: what happened in a session, one line of JSON per event, on disk.

The rules this file exists to keep:

* A permit is on disk, not in a buffer, before ``append`` returns: an approved step is recorded before it runs.
* What cannot be written raises ``JournalError``; whoever drives the run then does not run the step.
* Nothing is written through a symbolic link, into someone else's file, or where others can read it.
* Lines are only ever appended, each in one write; a line that was torn by a crash or a full disk costs that line alone.

A line, version 1::

    {"v": 1, "seq": 7, "at": "2026-11-21T09:30:00.123456+00:00", "event": {"event": "Proposed", …}}

A line with ``"place"`` and ``"session"`` begins a run of that session in a notebook (its path, or the folder of a shell), by which it
is found after a restart. One with ``"copied"`` happened before, and stands in another journal as well. The event is redacted
(``smolcell.redact``). Where that changed something the line also has ``"redacted": true`` and ``"sha256"``: the digest of each changed
field as it was (of its JSON, sorted, where the field is no text), so that it can still be compared.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import stat
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, Protocol

from smolcell import codec
from smolcell.errors import JournalError
from smolcell.events import Allowed, Asked, Event, sha256
from smolcell.redact import redact, redact_json

VERSION = 1
LONGEST = 64 * 1024 * 1024  # characters of a line that is read; a longer one is skipped like garbage
LARGEST = 1 << 30  # bytes of a file that is read
MOST = 200_000  # events of a file that is read
MOST_VALUES = 5_000_000  # of a line


class File(Protocol):
    """What a journal writes to: an unbuffered binary file."""

    def write(self, data: bytes, /) -> int | None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Journal:
    """Appends events to one file. Safe from any thread; the file belongs to one process.

    Args:
        path: the file; created with mode 0600, continued where it exists.
        file: written to instead of opening ``path``; an unbuffered binary file.
        clock: what gives the time of a line, in UTC.
        place, session: by which it may be found again; "" where it may not.

    Attributes:
        alone: whether this process holds the file, so that no other goes on with it; None where the system cannot say.

    Raises:
        JournalError: the file cannot be opened, or is not a plain file of this user.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        file: File | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        place: str = "",
        session: str = "",
    ) -> None:
        self.path = Path(path)
        self._clock, self._found_by = clock, {"place": redact(place), "session": redact(session)} if place else {}
        self._lock = threading.Lock()
        self._seq = 0
        self._torn = False  # the last line has no end
        self._file: File | None = file
        if file is None:
            self._file, self._seq, self._torn = _open(self.path)
        self.alone = None if file is not None else hold(self._file.fileno()) if self._file is not None else None

    @classmethod
    def create(
        cls, session: str = "default", *, folder: str | os.PathLike[str] | None = None, place: str = ""
    ) -> Journal:
        """A new journal ``<date>-<session>-<id>.jsonl`` in the journals folder (``folder``, or the user's own)."""
        into = private_folder(journals_folder() if folder is None else Path(folder))
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

    def append(self, event: Event, *, copied: bool = False) -> None:
        """Write one event. An ``Allowed`` is flushed to the disk itself before this returns.

        Args:
            event: what happened.
            copied: it happened before, and is in another journal as well.

        Raises:
            JournalError: it could not be written whole, or the journal is closed.
        """
        with self._lock:
            if self._file is None:
                raise JournalError(f"the journal {self.path} is closed: the step is not run; start a new session")
            try:
                self._write(self._file, self._record(event, copied))
                if isinstance(event, Allowed):
                    os.fsync(self._file.fileno())
            except OSError as error:
                raise _unwritable(self.path, error) from error
            self._seq += 1

    def close(self) -> None:
        """Close the file; twice is harmless."""
        with self._lock:
            file, self._file = self._file, None
            if file is not None:
                file.close()

    def _record(self, event: Event, copied: bool) -> bytes:
        original = codec.to_json(event)
        clean = redact_json(original)
        record: dict[str, Any] = {"v": VERSION, "seq": self._seq, "at": self._clock().isoformat(), "event": clean}
        changed = {key: _digest(value) for key, value in original.items() if clean.get(key) != value}
        if changed:
            record |= {"redacted": True, "sha256": changed}
        if isinstance(event, Asked) and not event.parent:
            record |= self._found_by
        if copied:
            record["copied"] = True
        return json.dumps(record, default=str).encode("ascii") + b"\n"

    def _write(self, file: File, data: bytes) -> None:
        data = b"\n" + data if self._torn else data
        self._torn = True
        written = file.write(data)
        if written != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._torn = False


class Events(list[Event]):
    """Events read from a journal; ``skipped`` counts the lines that were none (torn, garbage, a newer version's), from ``damaged`` on."""

    skipped: int = 0
    damaged: int = 0  # the number of the first such line; 0 for none


def read(path: str | os.PathLike[str]) -> Events:
    """The events of a journal, in order. What is read back is data: its permits are spent and run nothing.

    A torn last line and lines that are no events are skipped and counted, so a damaged journal tells what it can.

    Raises:
        JournalError: the file cannot be read at all, is no plain file, or larger than any journal.
    """
    events = Events()
    try:
        for number, line in enumerate(lines_of(path), 1):
            event = _event(line)
            if event is not None:
                events.append(event)
            elif line.strip():
                events.skipped += 1
                events.damaged = events.damaged or number
            if len(events) > MOST:
                raise OSError(errno.EFBIG, f"it holds more than {MOST:,} events")
    except OSError as error:
        raise JournalError(
            f"the journal {path} cannot be read: {error.strerror or error}; `%agent status` names the file of a session"
        ) from error
    return events


def lines_of(path: str | os.PathLike[str]) -> Iterator[str]:
    """The lines of a plain file of text; one of more than ``LONGEST`` characters in pieces. What is no file is not waited for.

    Raises:
        OSError: it cannot be read, is none, or has more than ``LARGEST`` bytes.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(found.st_mode), 'a device')}, and no file")
    except BaseException:
        os.close(descriptor)
        raise
    with os.fdopen(descriptor, encoding="utf-8", errors="replace", newline="\n") as file:
        size, taken = found.st_size, 0
        while max(size, taken) <= LARGEST and (line := file.readline(LONGEST)):
            taken += len(line)  # it may grow while it is read
            yield line
        if max(size, taken) > LARGEST:
            raise OSError(errno.EFBIG, f"it has more than {LARGEST:,} bytes")


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def journals_folder() -> Path:
    """Where journals are kept: ``$SMOLCELL_STATE_DIR/journals``, else ``journals`` in the user's state folder.

    Raises:
        JournalError: this user has no home.
    """
    state = os.environ.get("SMOLCELL_STATE_DIR")
    if not state:
        import platformdirs

        try:
            state = platformdirs.user_state_dir("smolcell", appauthor=False)
        except RuntimeError:  # neither HOME nor an entry among the system's users
            raise JournalError(
                "there is no place for the journal, since this user has no home: the step is not run. "
                "Set SMOLCELL_STATE_DIR to a folder of yours"
            ) from None
    return Path(state) / "journals"


def private_folder(path: Path) -> Path:
    """Make ``path`` a folder that only this user can read, and return it.

    Raises:
        JournalError: it cannot be made, is a symbolic link, or belongs to someone else.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or not _of_this_user(found):
            raise JournalError(f"the folder {path} is a link or belongs to another user; set SMOLCELL_STATE_DIR")
        if found.st_mode & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def _open(path: Path) -> tuple[FileIO, int, bool]:
    """The file, how many lines it has, and whether its last one is torn."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):  # each where the system has it
        flags |= getattr(os, name, 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error
    file = FileIO(descriptor, "r+")
    found = os.fstat(file.fileno())
    if not own(found):
        file.close()
        raise JournalError(f"the journal {path} is not a plain file of this user: the step is not run; name another")
    lines, last = 0, b"\n"
    file.seek(0)  # appended to nonetheless: O_APPEND
    while block := file.read(1 << 20):
        lines, last = lines + block.count(b"\n"), block[-1:]
    return file, lines, last != b"\n"


def hold(descriptor: int) -> bool | None:
    """Hold a file for as long as it is open; says whether nobody else does, or None where the system has no such thing."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def own(found: os.stat_result) -> bool:
    """Whether this is a plain file of this user, which has no other name."""
    return stat.S_ISREG(found.st_mode) and _of_this_user(found) and found.st_nlink <= 1


def _of_this_user(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _unwritable(path: Path, error: OSError) -> JournalError:
    return JournalError(
        f"the journal {path} cannot be written: {error.strerror or error}; the step is not run. "
        "Free some space, or set SMOLCELL_STATE_DIR to a folder of yours"
    )


def _event(line: str) -> Event | None:
    try:
        record = parsed(line)
        if isinstance(record, dict) and record.get("v") == VERSION:
            return codec.from_json(record["event"])
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def parsed(line: str, **how: Any) -> Any:
    """The JSON of a line, which makes no more values than any event has.

    Raises:
        ValueError: it is none, or makes more.
    """
    if sum(map(line.count, "[{,")) > MOST_VALUES:
        raise ValueError("more values than an event has")
    return json.loads(line, **how)


def _digest(value: Any) -> str:
    return sha256(value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str))
