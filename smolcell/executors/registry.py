"""Registry of the sandboxes that this process has open, and how lists of sandboxes describe one."""

from __future__ import annotations

import getpass
import logging
import os
import re
import socket
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.core.text import visible
from smolcell.worker.system import processes

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor

log = logging.getLogger("smolcell")
LABEL = "dev.smolcell."  # prefix of labels
MAX_STATE_CHARS = 40  # maximum length of a state's name
SAME_BOOT_SECONDS = 5  # tolerance when boot times are compared
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


def state_words(state: str) -> str:
    """Return the untrusted name of a state as visible text of bounded length."""
    return " ".join(visible(state[:MAX_STATE_CHARS]).split()) or "unknown"


# --- Owners of sandboxes that are not processes of this machine.
#
# * Their labels name the owner; they are written when the sandbox is created.
# * Only processes of this boot of this machine, of this process namespace and of this user can be known to have ended.


@dataclass(frozen=True, slots=True)
class SandboxOwner:
    """The process that a container, or a provider's sandbox, belongs to, from its labels.

    Attributes:
        pid, start: its process id, and its start in ticks after boot (0 if unknown).
        boot: Linux's boot id of its machine; "" elsewhere.
        began: when the machine booted, in seconds since 1970 by its clock; 0 if unknown.
        view: its process namespace.
        uid, name: the user, and "user@machine".
        kernel: the Jupyter kernel's id, or "pid-…".
    """

    pid: int
    start: int
    boot: str
    began: int
    view: str
    uid: int
    name: str
    kernel: str = field(default="")

    @classmethod
    def here(cls) -> SandboxOwner:
        """Return the identity of this process, as an owner."""
        process = processes.stat(os.getpid())
        return cls(
            pid=os.getpid(),
            start=process.start if process else 0,
            boot=_text("/proc/sys/kernel/random/boot_id"),
            began=int(time.time() - uptime()) if hasattr(time, "CLOCK_BOOTTIME") else 0,
            view=_link("/proc/self/ns/pid"),
            uid=os.getuid() if hasattr(os, "getuid") else 0,
            name=f"{_user()}@{socket.gethostname()}",
            kernel=_kernel(),
        )

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> SandboxOwner:
        """Read an owner; labels are untrusted, and invalid numbers count as 0."""

        def text(name: str) -> str:
            return " ".join(visible(str(labels.get(LABEL + name, ""))[:200]).split())

        def number(name: str) -> int:
            return int(text(name)) if text(name).isdecimal() else 0

        return cls(
            pid=number("pid"),
            start=number("start"),
            boot=text("boot"),
            began=number("began"),
            view=text("view"),
            uid=number("uid"),
            name=text("name"),
            kernel=text("kernel"),
        )

    def labels(self) -> dict[str, str]:
        """Return the labels of this owner's sandboxes."""
        return {LABEL + name: str(getattr(self, name)) for name in self.__slots__}

    def facts(self, here: SandboxOwner) -> dict[str, Any]:
        """Return what a list of sandboxes says about it, as seen from this process."""
        return {
            "owner": f"{self.name or 'unknown'}, kernel {self.kernel or 'unknown'}",
            "kernel": f"{self.pid}:{self.start}" if self.pid else "",
            "mine": self.is_beside(here),
            "gone": self.is_gone(here),
        }

    def is_beside(self, here: SandboxOwner) -> bool:
        """Return whether it is or was a process of this user that this process could see: same machine, boot and process namespace."""
        return bool(self.boot) and (self.boot, self.view, self.uid) == (here.boot, here.view, here.uid)

    def is_of_this_start(self, here: SandboxOwner) -> bool:
        """Return whether it belongs to the same boot of the same machine, as far as known.

        Machines started from one snapshot share the boot id and processes, but not the boot time, which is computed from the uptime.
        Returns False in doubt, if a clock was set meanwhile.
        """
        return bool(self.boot) and self.boot == here.boot and abs(self.began - here.began) <= SAME_BOOT_SECONDS

    def is_gone(self, here: SandboxOwner) -> bool:
        """Return whether that process is known to have ended, as seen from this one; False in doubt."""
        if not (self.is_beside(here) and self.is_of_this_start(here) and self.start and self.pid):
            return False
        process = processes.stat(self.pid)
        return process is None or process.start != self.start or process.state in "ZX"


def uptime() -> float:
    """Return seconds since this machine booted, by a monotonic clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _text(path: str) -> str:
    try:
        return Path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _link(path: str) -> str:
    try:
        return str(Path(path).readlink())
    except OSError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def _kernel() -> str:
    """Return the id of this process's Jupyter kernel, from the name of the connection file in its arguments."""
    match = re.search(r"kernel-([\w-]{1,60})\.json", " ".join(sys.argv))
    return match.group(1) if match else f"pid-{os.getpid()}"


# --- The sandboxes that this process has open, with their run and open step. Lists of sandboxes need this, because code that
# sleeps and an idle sandbox look the same from outside.


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


_lock = threading.Lock()  # for _known and _subscribers
_known: weakref.WeakSet[WorkerExecutor] = weakref.WeakSet()
_subscribers: list[Callable[[], object]] = []


def open_sandboxes() -> tuple[OpenSandbox, ...]:
    """Return the open sandboxes, sorted by kind and name. Thread-safe."""
    with _lock:
        known = list(_known)
    listed = ((executor, executor.listed(), executor.open_step) for executor in known)
    sandboxes = (
        OpenSandbox(
            kind=executor.name, name=name, run=executor.serves, step=step, checkpoints=executor.checkpoints.count
        )
        for executor, name, step in listed
        if name
    )
    return tuple(sorted(sandboxes, key=lambda sandbox: (sandbox.kind, sandbox.name)))


def notify(executor: WorkerExecutor) -> None:
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
