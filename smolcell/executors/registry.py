"""Registry of the sandboxes that this process has open, and how lists of sandboxes describe one."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

RUNNING = "running"
"""State of a sandbox that can work; only its kernel knows whether it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """One sandbox.

    Attributes:
        kind: "local", "wasm", "docker", or a provider's name.
        name: name of the container or at the provider, or "pid …".
        state: as the system, engine or provider reports it: ``RUNNING``, "paused", "stopped (SIGSTOP)", "exited (137)", …; visible
            text of bounded length.
        image: the container's image, or the provider's template; "" for a process.
        age: seconds since it was started; None if unknown.
        memory: bytes it uses now; None if unknown.
        cpu: seconds of processor time used so far; None if unknown.
        owner: the user it belongs to, as text for a person.
        kernel: its process, as "id:start" (start as in /proc); "" if unknown.
        mine: whether that process is, or was, one of this user on this machine.
        gone: whether that process is known to have ended.
        walls: walls that can be seen from outside.
        place: a process's folder, a container's id, or a provider's name of it.
        ends: when its provider ends it, as text; "" if it does not.
        checkpoints: number of checkpoints it keeps, as its kernel reports; their memory is part of ``memory``.
    """

    kind: str
    name: str
    state: str = RUNNING
    image: str = ""
    age: float | None = 0.0
    memory: int | None = None
    cpu: float | None = None
    owner: str = ""
    kernel: str = ""
    mine: bool = False
    gone: bool = False
    walls: tuple[str, ...] = ()
    place: str = ""
    ends: str = ""
    checkpoints: int = 0


def span(seconds: float) -> str:
    """Format a duration for a person."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"


# --- The sandboxes that this process has open, with their run and open step. Lists of sandboxes need this, because code that
# sleeps and an idle sandbox look the same from outside.


log = logging.getLogger("smolcell")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSandbox:
    """One open sandbox.

    Attributes:
        kind, name: as in lists of sandboxes.
        run: the run that it was opened for, or whose step ran last; "" if none.
        step: number of the open step; 0 for none.
        checkpoints: number of checkpoints it keeps.
    """

    kind: str
    name: str
    run: str = ""
    step: int = 0
    checkpoints: int = 0


class Listed(Protocol):
    """The parts of an executor that lists of sandboxes need."""

    name: str
    serves: str

    @property
    def open_step(self) -> int:
        """Number of the open step; 0 for none."""
        ...

    @property
    def kept(self) -> int:
        """How many checkpoints it keeps."""
        ...

    def listed(self) -> str:
        """Return its sandbox's name in lists; "" if it is not open."""
        ...


_lock = threading.Lock()  # for _known and _subscribers
_known: weakref.WeakSet[Listed] = weakref.WeakSet()
_subscribers: list[Callable[[], object]] = []


def open_sandboxes() -> tuple[OpenSandbox, ...]:
    """Return the open sandboxes, sorted by kind and name. Thread-safe."""
    with _lock:
        known = list(_known)
    listed = ((executor, executor.listed(), executor.open_step) for executor in known)
    sandboxes = (
        OpenSandbox(kind=executor.name, name=name, run=executor.serves, step=step, checkpoints=executor.kept)
        for executor, name, step in listed
        if name
    )
    return tuple(sorted(sandboxes, key=lambda sandbox: (sandbox.kind, sandbox.name)))


def notify(executor: Listed) -> None:
    """Call the subscribers after a change of this executor's sandbox. Thread-safe; never raises."""
    with _lock:
        _known.add(executor)
        subscribers = tuple(_subscribers)
    for callback in subscribers:
        try:
            callback()
        except Exception:
            log.warning("a subscriber to changes of sandboxes failed: %r", callback, exc_info=True)


def subscribe(callback: Callable[[], object]) -> Callable[[], None]:
    """Call ``callback`` after every change, on the changing thread. It must not block. Returns the unsubscribe function."""
    with _lock:
        _subscribers.append(callback)

    def unsubscribe() -> None:
        with _lock:
            if callback in _subscribers:
                _subscribers.remove(callback)

    return unsubscribe
