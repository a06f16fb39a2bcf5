"""The jobs of this user, for pages: how far each is, and what its runs wait for."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from smolcell import activity
from smolcell.errors import SmolcellError
from smolcell.scale.approvals import Group, groups
from smolcell.scale.folder import Row, job_of, progress_of
from smolcell.scale.limits import state_folder
from smolcell.text import clip, one_line

MOST_JOBS = MOST_GROUPS = 50
RECENT = 30 * 86_400.0  # seconds for which a job without a change is listed
_LOOKED_AT = 4 * MOST_JOBS  # of which those that run or wait are listed
_LARGEST = 64 << 20  # bytes of a job's rows, or answers, beyond which the panel does not read what waits
_LINE = 200  # characters of a text


@dataclass(frozen=True, slots=True)
class Waiting:
    """One program that runs of a job wait with.

    Attributes:
        sha256: of the program.
        text: its beginning, on one line.
        runs: how many wait with exactly this.
        findings: what is notable in it; "" for nothing.
    """

    sha256: str
    text: str
    runs: int
    findings: str


@dataclass(frozen=True, slots=True)
class Job:
    """A job that runs, or whose runs wait.

    Attributes:
        folder: of the job.
        told: how far it is, in words.
        running: whether a process works on it now.
        waiting: what its runs wait for, as ``groups`` orders it.
    """

    folder: str
    told: str
    running: bool
    waiting: tuple[Waiting, ...]


def jobs() -> list[Job]:
    """The jobs of this user on this machine that run or wait, newest first."""
    return list(islice((job for note in _notes() if (job := _job(note)) is not None), MOST_JOBS))


def _notes() -> list[Path]:
    """A file for each recent job in the state folder: its name is the job's id, its text the folder."""
    notes = [path for path in state_folder("maps").iterdir() if len(path.name) == 32 and path.is_file()]
    return sorted(notes, key=_version, reverse=True)[:_LOOKED_AT]


def _job(note: Path) -> Job | None:
    """The job of a note; None if it neither runs nor waits, is old, or its folder cannot be read: others are listed."""
    try:
        folder = Path(note.read_text("utf-8", errors="replace")[:4096])
        changed = max(_version(note)[0], _version(folder / "rows.jsonl")[0]) / 1e9
        if time.time() - changed > RECENT or not folder.is_absolute() or job_of(folder).get("id") != note.name:
            return None
        progress = progress_of(folder)
        waiting = _waiting(folder, *map(_version, (folder / "rows.jsonl", folder / "approvals.jsonl")))
    except (OSError, ValueError, SmolcellError):  # also a path that holds a zero byte
        return None
    running = _runs(progress)
    told = clip(str(progress.get("told") or ""), _LINE)
    return Job(str(folder), told, running, waiting) if running or waiting else None


def _runs(progress: Row) -> bool:
    pid, start = progress.get("pid"), progress.get("start")
    if progress.get("over") or type(pid) is not int or type(start) is not int:
        return False
    return progress.get("place") == activity.place() and activity.is_there(pid, start)


def _version(path: Path) -> tuple[int, int]:
    """When a file was changed, in nanoseconds, and its size; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=_LOOKED_AT)  # fewer: a poll of more folders than that would parse each of them each time
def _waiting(folder: Path, rows: tuple[int, int], answers: tuple[int, int]) -> tuple[Waiting, ...]:
    if not any(rows) or max(rows[1], answers[1]) > _LARGEST:
        return ()
    return tuple(map(_told, groups(folder)[:MOST_GROUPS]))


def _told(group: Group) -> Waiting:
    findings = "; ".join(dict.fromkeys(f"{each.kind}: {each.text}" for each in group.findings))
    return Waiting(group.sha256, clip(one_line(group.text), _LINE), len(group.rows), clip(one_line(findings), _LINE))
