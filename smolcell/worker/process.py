"""Processes: marking one's own, and ending a tree of them. Used by the supervisor, the host and the reaper.

The rules this file exists to keep:

* A process is named by its id *and* its start time, so that an id given out anew is never killed by mistake.
* A tree is everything that descends from the process, sits in its session, or carries its token in the environment.
* Nothing here raises because a process is already gone.
"""

from __future__ import annotations

import os
import signal
import time
from typing import NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
TOKEN = "SMOLCELL_TOKEN"  # noqa: S105 - the name of a variable that marks a sandbox's processes
LOOK_AGAIN = 0.01  # seconds


def go_first() -> None:
    """Where memory runs out, let the kernel end this process, and what it starts, before any other."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass  # no such file here


class Stat(NamedTuple):
    """The part of /proc/<pid>/stat that matters here."""

    state: str
    parent: int
    session: int
    ticks: int  # user and system CPU time, in clock ticks
    start: int  # ticks after boot


def prctl(option: int, value: int) -> bool:
    """Linux prctl with one argument; False where it does not exist or fails."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (ImportError, AttributeError, OSError, TypeError):
        return False


def stat(pid: int) -> Stat | None:
    """What /proc says of a process; None when it is gone or there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rsplit(b")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return Stat(fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[11]) + int(fields[12]), int(fields[19]))


def cpu_seconds(pid: int) -> float:
    """CPU time of the process (all threads) so far; 0.0 where unknown."""
    found = stat(pid)
    return found.ticks / os.sysconf("SC_CLK_TCK") if found else 0.0


def _all() -> dict[int, Stat]:
    found: dict[int, Stat] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if name.isdigit():
            entry = stat(int(name))
            if entry is not None and entry.state not in "ZX":
                found[int(name)] = entry
    return found


def _has_token(pid: int, token: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return (f"{TOKEN}={token}").encode() in file.read().split(b"\0")
    except OSError:
        return False


def tree(root: int, start: int = 0, token: str = "") -> set[int]:
    """The living processes of a tree.

    Args:
        root: id of the process at its head; it may be gone; 0 where only the token is known.
        start: start time of the root in ticks; 0 skips that check.
        token: value of SMOLCELL_TOKEN that marks the tree; "" skips that search.
    """
    processes = _all()
    reused = bool(start) and root in processes and processes[root].start != start
    members: set[int] = set()
    if root > 0 and not reused:
        members |= {pid for pid, entry in processes.items() if entry.session == root and entry.start >= start}
        if root in processes:
            members.add(root)
    if token:
        members |= {pid for pid in processes if _has_token(pid, token)}
    return (members | _descendants(members, processes)) - {os.getpid()}


def _descendants(roots: set[int], processes: dict[int, Stat]) -> set[int]:
    found: set[int] = set()
    grown = set(roots)
    while grown:
        grown = {pid for pid, entry in processes.items() if entry.parent in grown} - found - roots
        found |= grown
    return found


def kill_tree(root: int, start: int = 0, token: str = "", patience: float = 1.5) -> bool:
    """SIGKILL a tree until nothing of it is left; True when that came to pass within ``patience`` seconds."""
    end = time.monotonic() + patience
    while True:
        members = tree(root, start, token)
        if not os.path.isdir("/proc/self"):
            return _kill_group(root)
        if not members:
            return True
        _kill(members)
        if time.monotonic() > end:
            return False
        time.sleep(LOOK_AGAIN)


def kill_children(patience: float = 1.5, group: int = 0) -> bool:
    """SIGKILL everything below this process (a subreaper) and reap it; True when nothing is left.

    Without /proc (macOS) what is below is not known: then the process group ``group`` is killed. A process that has left
    it survives.
    """
    if group > 1 and not os.path.isdir("/proc/self"):
        _kill_group(group)
        reap()
        return True
    end = time.monotonic() + patience
    me = os.getpid()
    while True:
        members = _descendants({me}, _all())
        _kill(members)
        reap()
        if not members:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(LOOK_AGAIN / 5)


def memory_below(limit: int) -> int:
    """Bytes that the processes below this one hold in memory; what they share is counted once where it matters.

    Args:
        limit: bytes; below, shared memory may be counted for each.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    held = {pid: _number(f"/proc/{pid}/statm", b"", 1) * page for pid in _descendants({os.getpid()}, _all())}
    if sum(held.values()) <= limit:
        return sum(held.values())
    return sum((_number(f"/proc/{pid}/smaps_rollup", b"Pss:", 1) << 10) or size for pid, size in held.items())


def nameless_below(devices: set[int]) -> int:
    """Bytes on these devices of files that the processes below this one hold open and that have no name any more."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in _descendants({os.getpid()}, _all()):
        folder = f"/proc/{pid}/fd"
        try:
            for name in os.listdir(folder):
                found = os.stat(f"{folder}/{name}")
                if not found.st_nlink and found.st_dev in devices:
                    sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
        except OSError:
            pass  # gone meanwhile
    return sum(sizes.values())


def _number(path: str, line: bytes, column: int) -> int:
    """A number in a file of /proc; 0 when the process is gone."""
    try:
        with open(path, "rb") as file:
            return next((int(words.split()[column]) for words in file if words.startswith(line)), 0)
    except (OSError, ValueError, IndexError):
        return 0


def kill_below(keep: set[int], patience: float = 0.5) -> None:
    """SIGKILL everything below this process but some, and reap it; what is left after ``patience`` seconds is left."""
    end = time.monotonic() + patience
    me = os.getpid()
    while True:
        members = _descendants({me}, _all()) - keep
        _kill(members)
        for pid in members:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass  # a grandchild whose parent has not gone yet
        if not members or time.monotonic() > end:
            return
        time.sleep(LOOK_AGAIN / 5)


def reap() -> dict[int, int]:
    """Collect the children that have ended: id to wait status."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except OSError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def _kill(members: set[int]) -> None:
    for pid in members:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


def _kill_group(root: int) -> bool:
    try:
        if root > 1:
            os.killpg(root, signal.SIGKILL)
    except OSError:
        pass
    return True


def how_ended(status: int) -> str:
    """A wait status in words: "exit code 3", "signal 11 (SIGSEGV)"."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = "unknown"
        hint = "; was memory short?" if number == signal.SIGKILL else ""
        return f"signal {number} ({name}{hint})"
    return f"exit code {os.WEXITSTATUS(status)}"


def close_all_but(keep: list[int]) -> None:
    """Close every descriptor above 2 that is not in ``keep``."""
    edges = [2, *sorted(keep), 1 << 16]
    for low, high in zip(edges, edges[1:]):
        os.closerange(low + 1, high)
