"""Finding what a sandbox left behind, by /proc: no test trusts the code under test to say so. Waiting for it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 100.0  # seconds until a test gives up: it asserts behavior, also on a busy machine


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


@contextmanager
def bystander(**options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process that nothing may reach; it ends with the block, also if that fails."""
    with subprocess.Popen(["/bin/sleep", "600"], **options) as process:
        try:
            yield process
        finally:
            process.kill()


def eventually(check: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Call a check until it is true, or the time is over; returns what it returned last."""
    end = time.monotonic() + seconds
    while not (value := check()) and time.monotonic() < end:
        time.sleep(0.02)
    return value


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
