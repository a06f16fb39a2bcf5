"""Which run can go on, and where. Pure: decided from the history alone.

A resumed run is a run of its own, with its own card and its own end. Its ``Asked`` names the run it continues (``resumes``), and
its steps are numbered on. The model is shown the same conversation, so that a call that failed is made again as it was.

The history may come from memory, as it does now, or be read back from a journal: nothing here knows the difference.
"""

from __future__ import annotations

from smolcell.errors import SetupError
from smolcell.events import Asked, Ended, History, Replied

_NEW_TASK = "Write a task below %%agent (or call agent.run) to begin one"


def resumable(history: History, session: str = "default") -> Asked:
    """The task of the newest run, if that ended without an answer: by a fault, by a stop, unapproved, or at the step limit.

    Raises:
        SetupError: there is no such run; the message says why, and what to type.
    """
    asked = next((event for event in reversed(history) if isinstance(event, Asked)), None)
    if asked is None:
        raise SetupError(
            f"there is nothing to resume: the session {session!r} has run no task in this kernel. A run that the end of a kernel "
            f"cut short is kept in its journal, and cannot be resumed from there yet. {_NEW_TASK}"
        )
    ended = next((event for event in reversed(history) if isinstance(event, Ended) and event.run == asked.run), None)
    if ended is not None and ended.state == "success":
        raise SetupError(f"there is nothing to resume: the last run of the session {session!r} was done. {_NEW_TASK}")
    return asked


def steps_before(asked: Asked, past: History) -> int:
    """The number of the last step that the resumed run, or one that it resumed in turn, has had; 0 for a run of its own."""
    runs = {asked.resumes} - {""}
    for event in reversed(past):
        if isinstance(event, Asked) and event.run in runs and event.resumes:
            runs.add(event.resumes)
    return max((event.step for event in past if isinstance(event, Replied) and event.run in runs), default=0)
