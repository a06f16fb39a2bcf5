"""Registry of the sandboxes that this process has open, and how lists of sandboxes describe one."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

RUNNING = "running"
"""The state of a sandbox that can work; only its kernel knows what it works on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """One sandbox.

    Attributes:
        kind: "local", "wasm", "docker", or a provider's name.
        name: the container's or the provider's, or "pid …".
        state: what the system, the engine or the provider shows of it: ``RUNNING``, "paused", "stopped (SIGSTOP)",
            "exited (137)", … Their words are visible text of bounded length.
        image: the container's, or the provider's template; "" for a process.
        age: seconds since it was started; None if unknown.
        memory: bytes it holds now; None if unknown.
        cpu: seconds of processor time so far; None if unknown.
        owner: whose it is, for a person.
        kernel: the process it belongs to, "id:start" as /proc counts them; "" if unknown.
        mine: whether that process is, or was, this user's, on this machine.
        gone: whether the kernel it belongs to is known to be gone.
        walls: those that stand, as far as they can be seen from outside.
        place: a process's folder, a container's id, a provider's name of it.
        ends: when its provider ends it, in words; "" if it does not.
        checkpoints: states to go back to that it keeps, as its kernel says; their memory is part of ``memory``.
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
    """Return a length of time as a person reads it."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"


# --- The sandboxes that this process has open: for which run, and whether a step is open in one. A list of sandboxes needs it,
# because code that sleeps and an idle sandbox look the same from outside.


log = logging.getLogger("smolcell")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSandbox:
    """One open sandbox.

    Attributes:
        kind, name: as lists of sandboxes have them.
        run: the run that it was opened for, or whose step it ran, last; "" where there was none.
        step: the number of the step that is open in it; 0 for none.
        checkpoints: states to go back to that it keeps.
    """

    kind: str
    name: str
    run: str = ""
    step: int = 0
    checkpoints: int = 0


class Listed(Protocol):
    """An executor, as far as lists of sandboxes need it."""

    name: str
    serves: str

    @property
    def open_step(self) -> int:
        """The number of the open step; 0 for none."""
        ...

    @property
    def kept(self) -> int:
        """How many checkpoints it keeps."""
        ...

    def listed(self) -> str:
        """Return its sandbox's name in lists; "" when it is not open."""
        ...


_lock = threading.Lock()  # for _known and _subscribers
_known: weakref.WeakSet[Listed] = weakref.WeakSet()
_subscribers: list[Callable[[], object]] = []


def open_sandboxes() -> tuple[OpenSandbox, ...]:
    """Return the open sandboxes, sorted by kind and name. Thread-safe."""
    with _lock:
        known = list(_known)
    found = ((executor, executor.listed(), executor.open_step) for executor in known)
    sandboxes = (
        OpenSandbox(kind=executor.name, name=name, run=executor.serves, step=step, checkpoints=executor.kept)
        for executor, name, step in found
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
