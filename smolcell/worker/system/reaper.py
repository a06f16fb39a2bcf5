"""The reaper: ends the sandboxes of a kernel that is gone, however it went. Run by the host as a process of its own.

* It outlives the kernel's every death: own session, deaf to INT, TERM and HUP.
* The kernel is gone when the pipe ends, or its pidfd says so, or this process has a new parent: a child that the
  kernel forked may hold the pipe open.
* It ends only what was registered, by id and start time or as the member of a group, and removes only what was registered.
* What is no process of this machine is ended by a program that was registered for it; all such programs run side by side.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from typing import Any

from . import folders, processes

LOOK = 1000  # milliseconds between two looks at the parent, if there is no pidfd
PROGRAM = 20.0  # seconds that a program which ends something may take
ROUNDS = 20


def main() -> None:
    """Read registrations from stdin until the kernel (the argument: its process id) is gone; then clean up."""
    kernel = int(sys.argv[1])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    known: dict[str, dict[str, Any]] = {}
    _read(kernel, known)
    clean(list(known.values()))


def _read(kernel: int, known: dict[str, dict[str, Any]]) -> None:
    """Take registrations until the kernel is gone, and then what it had still written."""
    os.set_blocking(0, False)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    watch = _pidfd(kernel)
    if watch is not None:
        poll.register(watch, select.POLLIN)
    rest, gone = b"", False
    while not gone:
        gone = os.getppid() != kernel
        ready = {descriptor for descriptor, _ in poll.poll(0 if gone else LOOK)}
        gone = gone or watch in ready
        data, ended = _drain()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            _take(line, known)
        gone = gone or ended


def _drain() -> tuple[bytes, bool]:
    """Return the data in the pipe now, and whether its other end is closed."""
    pieces: list[bytes] = []
    while True:
        try:
            data = os.read(0, 1 << 16)
        except BlockingIOError:
            return b"".join(pieces), False
        if not data:
            return b"".join(pieces), True
        pieces.append(data)


def _take(line: bytes, known: dict[str, dict[str, Any]]) -> None:
    entry = json.loads(line)
    if entry.pop("gone", False):
        known.pop(entry["token"], None)
    else:
        known[entry["token"]] = entry


def _pidfd(kernel: int) -> Any:
    try:
        return os.pidfd_open(kernel)  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):
        return None


def clean(entries: list[dict[str, Any]]) -> None:
    """Kill the trees, remove the groups and folders, and run the programs of these registrations."""
    started = [_start(entry) for entry in entries if entry.get("command")]
    entries = [entry for entry in entries if not entry.get("command")]
    for _ in range(ROUNDS):
        entries = [entry for entry in entries if not _clean_one(entry)]
        if not entries:
            break
    for each in started:
        _await(each)


def _start(entry: dict[str, Any]) -> Any:
    import subprocess  # not before: most kernels end by themselves, and have no such program

    try:
        return subprocess.Popen(
            entry["command"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=entry["environ"],
            start_new_session=True,
        )
    except OSError:
        return None  # the program's Python is gone


def _await(started: Any) -> None:
    import subprocess

    if started is not None:
        try:
            started.wait(PROGRAM)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _clean_one(entry: dict[str, Any]) -> bool:
    ended = processes.kill_tree(entry["pid"], entry.get("start", 0), entry["token"])
    ended = processes.end(entry.get("groups", ())) and ended
    if entry.get("folder"):
        folders.remove(entry["folder"])
        return ended and not os.path.exists(entry["folder"])
    return ended
