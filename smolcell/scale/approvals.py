"""Runs that wait for an approval, in groups of those that propose the same, so that one look answers them all."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from smolcell.events import Allowed, Finding, Proposed, Refused, fingerprint
from smolcell.gates import approver, decide
from smolcell.permit import spend
from smolcell.protocols import Answer
from smolcell.scale.folder import WAITING, Folder, Row, job_of, read_lines, read_rows
from smolcell.scale.job import Results, map  # noqa: A004
from smolcell.scale.spec import AgentSpec
from smolcell.scale.tasks import Task
from smolcell.text import clip, visible

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
