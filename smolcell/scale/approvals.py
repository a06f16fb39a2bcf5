"""Runs that wait for approval, grouped by their proposal, so that one answer is enough for equal proposals."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from smolcell.approval.gates import approver, decide
from smolcell.core.spec import AgentSpec
from smolcell.core.text import clip, one_line, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Allowed, Finding, Proposed, Refused
from smolcell.notebook import activity
from smolcell.permit import spend
from smolcell.protocols import Answer
from smolcell.scale.folder import (
    JobFolder,
    Row,
    answers_of,
    is_answered,
    no_own_job_error,
    own_folders,
    own_job,
    progress_of,
    state_of,
    waiting_rows,
)
from smolcell.scale.job import Results, map  # noqa: A004
from smolcell.scale.tasks import Task

_MAX_LISTED_IDS = 12  # task ids that are listed


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that wait with exactly the same text.

    Attributes:
        sha256: digest of the shown text; an answer is for exactly that text.
        rows: rows of the runs.
    """

    sha256: str
    kind: str
    text: str
    thought: str
    findings: tuple[Finding, ...]
    rows: tuple[Row, ...]

    @property
    def why(self) -> str:
        """Return how many runs wait with it, and which, for the person."""
        ids = [visible(str(row["id"])) for row in self.rows[:_MAX_LISTED_IDS]]
        more = f" and {len(self.rows) - _MAX_LISTED_IDS:,} more" if len(self.rows) > _MAX_LISTED_IDS else ""
        many = f"{len(self.rows):,} runs wait" if len(self.rows) > 1 else "1 run waits"
        return f"{many} with exactly this, and your answer is for all of them: {', '.join(ids)}{more}."

    def proposal(self, run: str, number: int) -> Proposed:
        """Return the proposal for a view: with the unchanged text, so that its fingerprint is that of the runs."""
        return Proposed(
            run=run,
            step=number,
            call=self.rows[0]["waiting"]["call"],
            kind=self.kind,  # type: ignore[arg-type]
            text=self.text,
            thought=self.thought,
            findings=self.findings,
            why=self.why,
        )


def groups(out: str | os.PathLike[str]) -> list[Group]:
    """Return the unanswered proposals of this user's job in a folder: groups with equal findings beside each other, the largest first."""
    by_program: dict[str, list[Row]] = {}
    for row, answered in _rows_with_answered(Path(out)):
        if not answered:
            by_program.setdefault(row["waiting"]["sha256"], []).append(row)
    result = [_group(shown, rows) for shown, rows in by_program.items()]
    sizes: dict[Any, int] = {}
    for group in result:
        sizes[_kinds(group)] = sizes.get(_kinds(group), 0) + len(group.rows)
    return sorted(result, key=lambda group: (-sizes[_kinds(group)], _kinds(group), -len(group.rows), group.sha256))


def _rows_with_answered(path: Path) -> list[tuple[Row, bool]]:
    """Return the rows of waiting runs, and whether they have an answer."""
    answers = answers_of(path)
    return [(row, is_answered(row, answers.get((str(row["id"]), row["journal"]), ()))) for row in waiting_rows(path)]


def _kinds(group: Group) -> tuple[tuple[str, str], ...]:
    """Return the key by which groups are sorted: kinds and texts of their findings."""
    return tuple(sorted({(finding.kind, finding.text) for finding in group.findings}))


def _group(shown: str, rows: Sequence[Row]) -> Group:
    first = rows[0]["waiting"]
    findings = tuple(Finding(**each) for each in first["findings"])
    return Group(shown, first["kind"], first["text"], str(first.get("thought") or ""), findings, tuple(rows))


def decided(proposal: Proposed, given: Answer) -> Allowed | Refused:
    """Return the event that shows an answer on a card. It runs nothing: each run makes its own permit."""
    decision = decide(proposal, given)
    if isinstance(decision, Allowed):
        spend(decision)
    return decision


def answer(folder: JobFolder, group: Group, reply: Answer) -> int:
    """Store a person's answer for each run of a group. Returns the number of runs. ``nobody`` is no answer.

    Each run makes its own permit from it, for exactly this text.
    """
    if reply.choice == "nobody" or reply.fingerprint != group.sha256:
        return 0
    folder.answer(
        {
            "id": row["id"],
            "journal": row["journal"],
            "step": row["waiting"]["step"],
            "call": row["waiting"]["call"],
            "sha256": group.sha256,
            "choice": reply.choice,
            "text": reply.text,
            "comment": reply.comment,
            "who": approver(reply),
            "at": round(time.time(), 3),
        }
        for row in group.rows
    )
    return len(group.rows)


def go_on(out: str | os.PathLike[str], on: str = "", **options: Any) -> Results | None:
    """Continue the answered runs of this user's job in a folder, with the job's recipe. Returns None if there are none.

    Raises:
        SetupError: this user has no job in the folder, or it is in use; or its files are named from another folder than the current.
    """
    path = Path(out)
    job = own_job(path)
    if not job:
        raise no_own_job_error(path)
    ready = [row for row, answered in _rows_with_answered(path) if answered]
    if not ready:
        return None
    tasks = [Task(row["id"], row["task"], tuple(row["files"])) for row in ready]
    spec, folder = AgentSpec.from_json(job["spec"]), Path(job.get("cwd") or Path.cwd())
    named = spec.files or any(task.files for task in tasks) or not Path(spec.replay or folder).is_absolute()
    if named and folder != Path.cwd():
        raise SetupError(
            f"the files of this job are named from {folder}, where it was started: change to that folder (cd) and continue there"
        )
    return map(tasks, spec, on or job["on"], out=path, **options)


def listed(waiting: Sequence[Group]) -> str:
    """Return the groups as text, for when no one can be asked one by one."""
    lines = []
    for group in waiting:
        findings = "; ".join(f"{each.kind}: {each.text}" for each in group.findings) or "nothing notable"
        lines += [f"{group.sha256[:12]}  {group.why}", f"  {visible(clip(findings, 400))}"]
        lines += [f"    {visible(line)}" for line in group.text.split("\n")]
    return "\n".join(lines)


# --- The jobs of this user, for pages: their progress, and their waiting proposals. ---------------------------------


MAX_JOBS = MAX_GROUPS = 50
RECENT_SECONDS = 30 * 86_400.0  # seconds; jobs without changes for longer are not listed
_MAX_CHECKED = 4 * MAX_JOBS  # newest jobs; those of them that run or wait are listed
_MAX_FILE_BYTES = 64 << 20  # bytes of a job's rows or answers; the panel does not read larger files
_MAX_TEXT_CHARS = 200  # characters of a text


@dataclass(frozen=True, slots=True)
class Waiting:
    """One program that runs of a job wait with.

    Attributes:
        sha256: digest of the program.
        text: its beginning, on one line.
        runs: number of runs that wait with exactly this.
        findings: the findings in it, as text; "" for none.
    """

    sha256: str
    text: str
    runs: int
    findings: str


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job that runs, or whose runs wait.

    Attributes:
        folder: of the job.
        told: the progress, as text.
        running: whether a process works on it now.
        waiting: the waiting programs, in the order of ``groups``.
    """

    folder: str
    told: str
    running: bool
    waiting: tuple[Waiting, ...]


def jobs() -> list[ListedJob]:
    """Return the jobs of this user on this machine that run or wait, newest first."""
    own = own_folders(_MAX_CHECKED)
    return list(islice((job for folder in own if (job := _job(folder)) is not None), MAX_JOBS))


def _job(folder: Path) -> ListedJob | None:
    """Return the job in this folder; None if it neither runs nor waits, is old, or its folder cannot be read."""
    try:
        state, rows = state_of(folder), _version(folder / "rows.jsonl")
        changed = max(_version(state / "job.json")[0], rows[0]) / 1e9
        if time.time() - changed > RECENT_SECONDS or not own_job(folder):
            return None
        progress = progress_of(folder)
        waiting = _waiting(folder, rows, _version(state / "approvals.jsonl"))
    except (OSError, SmolcellError):
        return None
    running = _runs(progress)
    text = clip(str(progress.get("told") or ""), _MAX_TEXT_CHARS)
    return ListedJob(str(folder), text, running, waiting) if running or waiting else None


def _runs(progress: Row) -> bool:
    pid, start = progress.get("pid"), progress.get("start")
    if progress.get("over") or type(pid) is not int or type(start) is not int:
        return False
    return progress.get("place") == activity.place() and activity.is_there(pid, start)


def _version(path: Path) -> tuple[int, int]:
    """Return a file's modification time, in nanoseconds, and its size; zeros if there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=_MAX_CHECKED)  # with a smaller cache, a poll of that many folders would parse all of them each time
def _waiting(folder: Path, rows: tuple[int, int], answers: tuple[int, int]) -> tuple[Waiting, ...]:
    if not any(rows) or max(rows[1], answers[1]) > _MAX_FILE_BYTES:
        return ()
    return tuple(_summarize(group) for group in groups(folder)[:MAX_GROUPS])


def _summarize(group: Group) -> Waiting:
    findings = "; ".join(dict.fromkeys(f"{each.kind}: {each.text}" for each in group.findings))
    return Waiting(
        group.sha256,
        clip(one_line(group.text), _MAX_TEXT_CHARS),
        len(group.rows),
        clip(one_line(findings), _MAX_TEXT_CHARS),
    )
