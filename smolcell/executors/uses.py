"""What this process does with its sandboxes: which are open, for which run, and whether a step is open in one.

For who lists sandboxes: from outside, code that sleeps and a sandbox that nobody uses look the same.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor

log = logging.getLogger("smolcell")


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One open sandbox.

    Attributes:
        kind, name: as lists of sandboxes have them.
        run: the run that it was opened for, or whose step it ran, last; "" where there was none.
        step: the number of the step that is open in it; 0 for none.
    """

    kind: str
    name: str
    run: str = ""
    step: int = 0


_lock = threading.Lock()  # what follows
_known: weakref.WeakSet[WorkerExecutor] = weakref.WeakSet()
_followers: list[Callable[[], object]] = []


def uses() -> tuple[Use, ...]:
    """The open sandboxes as they are now, by their kinds and names. From any thread."""
    with _lock:
        known = list(_known)
    found = ((executor, executor.listed(), executor.open_step) for executor in known)
    made = (
        Use(kind=executor.name, name=name, run=executor.serves, step=step) for executor, name, step in found if name
    )
    return tuple(sorted(made, key=lambda use: (use.kind, use.name)))


def changed(executor: WorkerExecutor) -> None:
    """One was opened, begins a step, has ended one, or is gone. From any thread; never raises."""
    with _lock:
        _known.add(executor)
        followers = tuple(_followers)
    for told in followers:
        try:
            told()
        except Exception:
            log.warning("who follows the sandboxes was not told of a change", exc_info=True)


def follow(told: Callable[[], object]) -> Callable[[], None]:
    """Be told of each change, on the thread where it happens; must not block. Returns what ends that."""
    with _lock:
        _followers.append(told)

    def undo() -> None:
        with _lock:
            if told in _followers:
                _followers.remove(told)

    return undo
