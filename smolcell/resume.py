"""Which run can go on, and where. Pure: decided from the history alone.

A resumed run is a run of its own, with its own card and its own end. Its ``Asked`` names the run it continues (``resumes``), and
its steps are numbered on. The model is shown the same conversation, so that a call that failed is made again as it was.

The history may come from memory, or be read back from a journal: nothing here knows the difference.
"""

from __future__ import annotations

from typing import Literal

from smolcell.errors import SetupError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Called,
    Ended,
    Event,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Unparsed,
)

_NEW_TASK = "Write a task below %%agent (or call agent.run) to begin one"


def resumable(history: History, session: str = "default") -> Asked:
    """The task of the newest run, if that ended without an answer: by a fault, by a stop, unapproved, or at the step limit.

    Raises:
        SetupError: there is no such run; the message says why, and what to type.
    """
    asked = next((event for event in reversed(history) if isinstance(event, Asked)), None)
    if asked is None:
        raise SetupError(
            f"there is nothing to resume: the session {session!r} has run no task in this kernel, and no journal "
            f"of an earlier kernel of this notebook has one. {_NEW_TASK}"
        )
    if done(history):
        raise SetupError(f"there is nothing to resume: the last run of the session {session!r} was done. {_NEW_TASK}")
    return asked


def done(history: History) -> bool:
    """Whether the newest run has its answer."""
    asked = next((event for event in reversed(history) if isinstance(event, Asked)), None)
    ended = next((event for event in reversed(history) if isinstance(event, Ended)), None)
    return asked is not None and ended is not None and (ended.run, ended.state) == (asked.run, "success")


def steps_before(asked: Asked, past: History) -> int:
    """The number of the last step that the resumed run, or one that it resumed in turn, has had; 0 for a run of its own."""
    runs = {asked.resumes} - {""}
    for event in reversed(past):
        if isinstance(event, Asked) and event.run in runs and event.resumes:
            runs.add(event.resumes)
    return max((event.step for event in past if isinstance(event, Replied) and event.run in runs), default=0)


def closed(history: History) -> History:
    """The history with an end for each run that has none, since the kernel it ran in was gone before it."""
    whole: list[Event] = []
    last: Event | None = None
    for event in history:
        if isinstance(event, Asked) and last is not None:
            whole.append(_end(last, _KERNEL))
        whole.append(event)
        last = None if isinstance(event, Ended) else event
    return tuple(whole) if last is None else (*whole, _end(last, _KERNEL))


def until(history: History, step: int) -> History:
    """The history up to a step of its newest run, or of one that this resumes, as if the run had been stopped there.

    Args:
        history: what happened.
        step: the number of the last step that is kept; 0 for none.

    Raises:
        SetupError: there is no such step.
    """
    runs = _chain(history)
    of_run = [(place, event) for place, event in enumerate(history) if event.run in runs]
    steps = {place: event.step for place, event in of_run if isinstance(event, _OF_STEPS)}
    tasks = [place for place, event in of_run if isinstance(event, Asked)]
    kept = [place for place, number in steps.items() if number == step] if step else tasks[:1]
    if not kept:
        known = ", ".join(map(str, sorted(set(steps.values())))) or "none"
        raise SetupError(f"there is no step {step} to fork from: the newest run has {known}, and 0 is before the first")
    last = history[kept[-1]]
    return (*history[: kept[-1] + 1], _end(last, f"AgentStopped: forked after step {step}"))


_KERNEL = "AgentStopped: the kernel ended"
_OF_STEPS = (Replied, Unparsed, Proposed, Allowed, Refused, Called, Observed)


def _end(last: Event, error: str) -> Ended:
    """The end of a run after its last event."""
    step = getattr(last, "step", 0)
    if isinstance(last, Answered):
        return Ended(run=last.run, state="success", steps=step)
    cut: Literal["", "thinking", "asking", "running"] = "thinking"
    if isinstance(last, Proposed):
        cut = "asking"
    elif isinstance(last, Called) or (isinstance(last, Allowed) and last.kind in ("code", "call")):
        cut = "running"
    elif isinstance(last, Replied):
        cut = ""
    return Ended(run=last.run, state="stopped", steps=step, error=error, cut=cut)


def _chain(history: History) -> set[str]:
    """The newest run, and those that it resumes."""
    runs: set[str] = set()
    for event in reversed(history):
        if isinstance(event, Asked) and (not runs or event.run in runs):
            runs |= {event.run} | ({event.resumes} - {""})
    return runs
