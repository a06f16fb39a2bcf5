"""Control groups that the host has put a sandbox into: ending what is in them, and what the kernel ended there.

The rules this file exists to keep:

* Only groups that were made for one sandbox come here; whoever is in such a group belongs to that sandbox.
* A group is removed by ``rmdir`` alone, which the kernel refuses while anything lives in it.

Source: the kernel's Documentation/admin-guide/cgroup-v1/ and cgroup-v2.rst; the files used here are the same in both.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable

MEMBERS = "cgroup.procs"
_COUNTERS = ("memory.oom_control", "memory.events")  # of version 1, of version 2
_AGAIN = 0.005  # seconds


def end(folders: Iterable[str], patience: float = 1.5) -> bool:
    """Kill all that lives in these groups, and remove them; whether they are gone within ``patience`` seconds."""
    until = time.monotonic() + patience
    left = list(folders)
    while True:
        for folder in left:
            _kill(folder)
        left = [folder for folder in left if not _remove(folder)]
        if not left or time.monotonic() > until:
            return not left
        time.sleep(_AGAIN)


def _kill(folder: str) -> None:
    for pid in members(folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # gone


def members(folder: str) -> list[int]:
    """The processes in a group, but this one; none where there is no such group."""
    try:
        with open(os.path.join(folder, MEMBERS), encoding="ascii") as file:
            found = [int(line) for line in file]
    except (OSError, ValueError):
        return []
    return [pid for pid in found if pid > 1 and pid != os.getpid()]  # 0: of a namespace that is not seen from here


def _remove(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def ended_for_memory(folder: str) -> int:
    """How many processes of a group the kernel has ended because its memory was used up."""
    for name in _COUNTERS:
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
        except (OSError, ValueError, IndexError):
            pass  # the other version's, or gone
    return 0
