"""The reaper: ends the sandboxes of a kernel that has ended, however it ended. The host runs it as a separate process.

* It survives the kernel's death: own session, ignores INT, TERM and HUP.
* The kernel has ended if the pipe is closed, its pidfd says so, or this process has a new parent: a child forked by the
  kernel may hold the pipe open.
* It kills only registered processes, by id and start time or as members of a group, and removes only registered folders.
* Sandboxes that are not processes of this machine are ended by programs registered for them; these run in parallel.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from typing import Any

from . import folders, processes

POLL_MILLISECONDS = 1000  # milliseconds between two checks of the parent, if there is no pidfd
PROGRAM_SECONDS = 20.0  # seconds that a registered program may take
ROUNDS = 20


def main() -> None:
    """Read registrations from stdin until the kernel (argument: its process id) has ended; then clean up."""
    kernel = int(sys.argv[1])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    known: dict[str, dict[str, Any]] = {}
    _read(kernel, known)
    clean(list(known.values()))


def _read(kernel: int, known: dict[str, dict[str, Any]]) -> None:
    """Read registrations until the kernel has ended, including what it had still written."""
    os.set_blocking(0, False)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    watch = processes.watch(kernel)
    if watch is not None:
        poll.register(watch, select.POLLIN)
    rest, gone = b"", False
    while not gone:
        gone = os.getppid() != kernel
        ready = {descriptor for descriptor, _ in poll.poll(0 if gone else POLL_MILLISECONDS)}
        gone = gone or watch in ready
        data, ended = _drain()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            _take(line, known)
        gone = gone or ended


def _drain() -> tuple[bytes, bool]:
    """Return the data in the pipe, and whether its other end is closed."""
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
    import subprocess  # imported late: most kernels end normally and have registered no program

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
        return None  # its Python was removed


def _await(started: Any) -> None:
    import subprocess

    if started is not None:
        try:
            started.wait(PROGRAM_SECONDS)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _clean_one(entry: dict[str, Any]) -> bool:
    ended = processes.kill_tree(entry["pid"], entry.get("start", 0), entry["token"])
    ended = processes.remove_groups(entry.get("groups", ())) and ended
    if entry.get("folder"):
        folders.remove(entry["folder"])
        return ended and not os.path.exists(entry["folder"])
    return ended
