"""What a job may cost before it is run: by its own finished rows if there are any, else by the length of its prompts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from smolcell.core.prompt import estimate as tokens_of
from smolcell.events import Usage
from smolcell.scale.folder import DONE, read_rows
from smolcell.scale.spec import AgentSpec
from smolcell.scale.tasks import Task

_STEPS = 3  # of a task, if nothing is known
_REPLY = 300  # tokens of a reply
_PROMPT = 2_500  # tokens of the system prompt


def estimate(tasks: Sequence[Task], spec: AgentSpec, out: Path) -> str:
    """How many tasks are left, and what they may cost, in words. No model is asked."""
    rows = {str(row["id"]): row for row in read_rows(out) if row.get("spec") == spec.digest}
    left = [task for task in tasks if rows.get(task.key, {}).get("state") != DONE]
    done = [row for row in rows.values() if row.get("state") == DONE]
    lines = [f"{len(tasks):,} tasks, {len(tasks) - len(left):,} of them have an answer, {len(left):,} are left"]
    known = [row["cost"] for row in done if row.get("cost") is not None]
    if done:
        used = sum(row["input_tokens"] + row["output_tokens"] for row in done) / len(done)
        tokens, basis = int(used * len(left)), f"as the {len(done):,} that are done"
    else:
        each = [_usage(task) for task in left]
        tokens, basis = sum(one.total_tokens for one in each), f"at {_STEPS} steps a task"
    lines.append(f"tokens: about {tokens:,} ({basis})")
    cost = sum(known) / len(known) * len(left) if known else _priced(spec, left)
    lines.append("cost: not known, since the model's price is not" if cost is None else f"cost: about ${cost:.2f}")
    return "\n".join(lines)


def _usage(task: Task) -> Usage:
    """The conversation is sent again with each step."""
    prompt = _PROMPT + tokens_of(task.text)
    grown = sum(prompt + step * 2 * _REPLY for step in range(_STEPS))
    return Usage(input_tokens=grown, output_tokens=_STEPS * _REPLY)


def _priced(spec: AgentSpec, left: Sequence[Task]) -> float | None:
    from smolcell.models.capabilities import listing

    if spec.replay:
        return 0.0
    return listing(spec.model or "").cost(sum((_usage(task) for task in left), Usage()))
