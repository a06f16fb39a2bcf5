"""Plans: how a model is asked for one, and how it reads the one that was allowed. Pure.

A plan is a step of its own, with a number; it runs nothing and does not count against ``max_steps``. What the person made of it is what
the model then reads, as if it had written that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from smolcell.events import Allowed, Event, Refused
from smolcell.messages import Message

INITIAL = (
    "Before you begin, write a plan for the task: what is known, what has to be found out, and then the steps, numbered, one line each. "
    "Write the plan alone: no code, no calls, and no answer yet."
)
UPDATE = (
    "Before you go on, look at what was done and what came of it, and write a plan for the rest of the task: what is known now, and the "
    "steps that remain, numbered, one line each. {remaining_steps} steps are left. Write the plan alone: no code, no calls, and no "
    "answer yet."
)
EMPTY = "Your plan was empty. Go on without one."
_FOLLOW = "Now carry out this plan, step by step."


def request(task: str, remaining: int, *, first: bool, templates: Mapping[str, str]) -> Message:
    """What asks the model for a plan."""
    name, text = ("initial_plan", INITIAL) if first else ("update_plan", UPDATE)
    asked = templates.get(f"planning.{name}", text)
    return Message("user", asked.replace("{task}", task).replace("{remaining_steps}", str(remaining)))


def planned(event: Event, plan: str) -> Iterator[Message]:
    """What the model reads of an event of a plan's step: nothing before it is decided."""
    match event:
        case Allowed(kind="plan"):
            said = f" They said: {event.comment}" if event.comment else ""
            changed = f"The person changed the plan; this is how it stands.{said} " if event.edited else ""
            yield Message("assistant", event.text)
            yield Message("user", f"{changed}{_FOLLOW}")
        case Refused(then="continue"):
            said = f" They said: {event.reason.strip()}" if event.reason.strip() else ""
            yield Message("assistant", plan)
            yield Message("user", f"The person refused this plan.{said}")
        case _:
            pass
