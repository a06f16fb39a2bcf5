"""Runs that wait for an approval, in groups of those that propose the same, so that one look answers them all."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeGuard

from smolcell import activity
from smolcell.errors import SmolcellError
from smolcell.events import Allowed, Finding, Proposed, Refused, fingerprint
from smolcell.gates import approver, decide
from smolcell.permit import spend
from smolcell.protocols import Answer
from smolcell.scale.folder import WAITING, Folder, Row, job_of, progress_of, read_lines, read_rows
from smolcell.scale.job import Results, map  # noqa: A004
from smolcell.scale.limits import state_folder
from smolcell.scale.spec import AgentSpec
from smolcell.scale.tasks import Task
from smolcell.text import clip, one_line, visible

_NAMED = 12  # ids that are listed


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that wait with exactly the same text.

    Attributes:
        sha256: of what is shown; an answer is for exactly that.
        rows: of the runs.
    """

    sha256: str
    kind: str
    text: str
    thought: str
    findings: tuple[Finding, ...]
    rows: tuple[Row, ...]

    @property
    def why(self) -> str:
        """How many runs wait with it, and which; for a person."""
        ids = [visible(str(row["id"])) for row in self.rows[:_NAMED]]
        more = f" and {len(self.rows) - _NAMED:,} more" if len(self.rows) > _NAMED else ""
        many = f"{len(self.rows):,} runs wait" if len(self.rows) > 1 else "1 run waits"
        return f"{many} with exactly this, and your answer is for all of them: {', '.join(ids)}{more}."

    def proposal(self, run: str, number: int) -> Proposed:
        """What a view asks about: the text as it is, so that its fingerprint is that of the runs."""
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
    """What waits in the folder of a job and was not answered: groups with the same findings beside each other, the largest first."""
    path = Path(out)
    answered = {
        (str(said.get("id")), said.get("step"), said.get("call"), said.get("sha256")) for said in _answered(path)
    }
    found: dict[str, list[Row]] = {}
    for row in read_rows(path):
        waiting = row.get("waiting")
        if row.get("state") != WAITING or not _is_whole(waiting):
            continue
        shown = fingerprint(waiting["kind"], waiting["text"], waiting["call"])
        if waiting.get("sha256") != shown:
            continue  # somebody changed the text: an answer to it would be for another program
        if (str(row["id"]), waiting.get("step"), waiting.get("call"), shown) not in answered:
            found.setdefault(shown, []).append(row)
    made = [_group(shown, rows) for shown, rows in found.items()]
    sizes: dict[Any, int] = {}
    for group in made:
        sizes[_kinds(group)] = sizes.get(_kinds(group), 0) + len(group.rows)
    return sorted(made, key=lambda group: (-sizes[_kinds(group)], _kinds(group), -len(group.rows), group.sha256))


def _is_whole(waiting: Any) -> TypeGuard[Row]:
    """Whether this is what a run writes when it waits: a file of a job may come from anywhere."""
    if not isinstance(waiting, dict) or not isinstance(waiting.get("findings"), list):
        return False
    numbers = [waiting.get("step"), waiting.get("call"), *(_field(each, "line") for each in waiting["findings"])]
    texts = [waiting.get("kind"), waiting.get("text")]
    texts += [_field(each, name) for each in waiting["findings"] for name in ("kind", "text")]
    return all(type(each) is int for each in numbers) and all(isinstance(each, str) for each in texts)


def _field(finding: Any, name: str) -> Any:
    return finding.get(name) if isinstance(finding, dict) else None


def _answered(path: Path) -> list[Row]:
    return read_lines(path / "approvals.jsonl")


def _kinds(group: Group) -> tuple[tuple[str, str], ...]:
    """By which groups stand beside each other: what was found in their texts, wherever it stands."""
    return tuple(sorted({(finding.kind, finding.text) for finding in group.findings}))


def _group(shown: str, rows: Sequence[Row]) -> Group:
    first = rows[0]["waiting"]
    findings = tuple(
        Finding(
            kind=each["kind"],
            text=each["text"],
            line=each["line"],
            risk=each.get("risk") if each.get("risk") in ("none", "low", "high") else "high",
        )
        for each in first["findings"]
    )
    return Group(shown, first["kind"], first["text"], str(first.get("thought") or ""), findings, tuple(rows))


def decided(proposal: Proposed, said: Answer) -> Allowed | Refused:
    """What a card shows of an answer. It runs nothing: each run makes a permit of its own."""
    decision = decide(proposal, said)
    if isinstance(decision, Allowed):
        spend(decision)
    return decision


def answer(folder: Folder, group: Group, said: Answer) -> int:
    """Keep a person's answer for each run of a group; returns for how many. ``nobody`` is no answer.

    Each run makes its own permit of it, for exactly this text.
    """
    if said.choice == "nobody" or said.fingerprint != group.sha256:
        return 0
    folder.answer(
        {
            "id": row["id"],
            "step": row["waiting"]["step"],
            "call": row["waiting"]["call"],
            "sha256": group.sha256,
            "choice": said.choice,
            "text": said.text,
            "comment": said.comment,
            "who": approver(said),
            "at": round(time.time(), 3),
        }
        for row in group.rows
    )
    return len(group.rows)


def go_on(out: str | os.PathLike[str], on: str = "", **options: Any) -> Results | None:
    """Go on with the runs of a job that were answered, by the recipe of the job; None if there are none."""
    path = Path(out)
    job = job_of(path)
    given = {(str(said.get("id")), said.get("step"), said.get("call"), said.get("sha256")) for said in _answered(path)}
    ready = [
        row
        for row in read_rows(path)
        if row.get("state") == WAITING
        and _is_whole(row.get("waiting"))
        and (str(row["id"]), *(row["waiting"].get(name) for name in ("step", "call", "sha256"))) in given
    ]
    if not ready or not job:
        return None
    tasks = [Task(row["id"], str(row["task"]), tuple(row.get("files") or ())) for row in ready]
    return map(tasks, AgentSpec.from_json(job["spec"]), on or str(job.get("on") or "local"), out=path, **options)


def listed(found: Sequence[Group]) -> str:
    """The groups for a person, when nobody can be asked one by one."""
    lines = []
    for group in found:
        findings = "; ".join(f"{each.kind}: {each.text}" for each in group.findings) or "nothing notable"
        lines += [f"{group.sha256[:12]}  {group.why}", f"  {visible(clip(findings, 400))}"]
        lines += [f"    {visible(line)}" for line in group.text.split("\n")]
    return "\n".join(lines)


# --- The jobs of this user, for pages: how far each is, and what its runs wait for. --------------------------------


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
        waiting = _waiting(folder, _version(folder / "rows.jsonl"), _version(folder / "approvals.jsonl"))
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
    return tuple(_told(group) for group in groups(folder)[:MOST_GROUPS])


def _told(group: Group) -> Waiting:
    findings = "; ".join(dict.fromkeys(f"{each.kind}: {each.text}" for each in group.findings))
    return Waiting(group.sha256, clip(one_line(group.text), _LINE), len(group.rows), clip(one_line(findings), _LINE))
