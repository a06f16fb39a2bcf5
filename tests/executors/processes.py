"""Finding what a sandbox left behind, by /proc: no test trusts the code under test to say so."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def parents() -> dict[int, int]:
    """Every living process and its parent."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        if state not in "ZX":
            found[int(folder.name)] = int(parent)
    return found


def below(root: int) -> set[int]:
    """The living descendants of a process."""
    known = parents()
    found: set[int] = set()
    grown = {root}
    while grown:
        grown = {pid for pid, parent in known.items() if parent in grown} - found
        found |= grown
    return found


def living(pids: set[int]) -> set[int]:
    """Those of the processes that live."""
    return pids & parents().keys()


def sleeping(seconds: str) -> list[str]:
    """The processes that run ``sleep seconds``, wherever they were moved to."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{seconds}\0".encode():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


def eventually(check: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether the check comes true in time, which no test is about: a broken one waits so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.02)
    return check()


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
