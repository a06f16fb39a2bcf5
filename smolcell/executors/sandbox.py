"""One sandbox, as whoever looks from outside can describe it."""

from __future__ import annotations

from dataclasses import dataclass

RUNNING = "running"
"""The state of what is there and can work; what it works on, only its kernel knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """One sandbox.

    Attributes:
        kind: "local", "wasm", "docker", or a provider's name.
        name: the container's or the provider's, or "pid …".
        state: what the system, the engine or the provider shows of it: ``RUNNING``, "paused", "stopped (SIGSTOP)",
            "exited (137)", … Their words are visible text of bounded length.
        image: the container's, or the provider's template; "" for a process.
        age: seconds since it was started; None where unknown.
        memory: bytes it holds now; None where unknown.
        cpu: seconds of processor time so far; None where unknown.
        owner: whose it is, for a person.
        kernel: the process it belongs to, "id:start" as /proc counts them; "" where unknown.
        mine: whether that process is, or was, this user's, on this machine.
        gone: whether the kernel it belongs to is known to be gone.
        walls: those that stand, as far as they can be seen from outside.
        place: a process's folder, a container's id, a provider's name of it.
        ends: when its provider ends it, in words; "" where nobody does.
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


def span(seconds: float) -> str:
    """A length of time as a person reads it."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"
