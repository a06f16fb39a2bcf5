"""Which processes and folders of a sandbox there are: what a test of clean-up looks for. Linux, by ``/proc``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PROC = Path("/proc")
needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only: processes are found in /proc")


@dataclass(frozen=True)
class Worker:
    """The head of one sandbox's process tree."""

    pid: int
    token: str
    """Every process of the tree has it in its environment."""
    folder: Path
    """What the tree may write to; removed with it."""

    def left(self) -> list[str]:
        """What still is there of it: processes, and its folder."""
        mine = f"SMOLCELL_TOKEN={self.token}"
        found = [f"process {pid}: {command(pid)}" for pid in processes() if mine in environment(pid)]
        return found + [f"folder {self.folder}"] * self.folder.exists()

    def gone(self, timeout: float) -> float:
        """Wait until nothing is left; returns the seconds it took."""
        start = time.monotonic()
        while left := self.left():
            assert time.monotonic() - start < timeout, f"after {timeout:g} s there still is: {left}"
            time.sleep(0.02)
        return time.monotonic() - start


def workers(parent: int) -> list[Worker]:
    """The workers that this process has started."""
    found = []
    for pid in processes():
        words = command(pid)
        archive = next((Path(word) for word in words if word.endswith("worker.zip")), None)
        if archive is not None and parent_of(pid) == parent:
            tokens = [value for value in environment(pid) if value.startswith("SMOLCELL_TOKEN=")]
            found += [Worker(pid, token.partition("=")[2], archive.parent) for token in tokens]
    return found


def reapers(of: int) -> list[int]:
    """The reapers of this process."""
    return [pid for pid in processes() if str(of) in (words := command(pid)) and any("reap" in word for word in words)]


def processes() -> Iterator[int]:
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            yield int(entry.name)


def command(pid: int) -> list[str]:
    """The command line; empty where the process is gone or is a zombie."""
    return _words(pid, "cmdline")


def environment(pid: int) -> list[str]:
    """The environment it was started with; empty if that cannot be read."""
    return _words(pid, "environ")


def parent_of(pid: int) -> int:
    try:
        stat = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _words(pid: int, name: str) -> list[str]:
    try:
        return [os.fsdecode(word) for word in (PROC / str(pid) / name).read_bytes().split(b"\0") if word]
    except OSError:
        return []
