"""Processes: marking one's own, and ending a tree of them. Used by the supervisor, the host and the reaper.

* A process is named by its id *and* its start time, so that a reused id is never killed by mistake.
* A tree is everything that descends from the process, sits in its session, or carries its token in the environment.
* Nothing here raises because a process is already gone.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
TOKEN = "SMOLCELL_TOKEN"  # noqa: S105 - the name of a variable that marks a sandbox's processes
LOOK_AGAIN = 0.01  # seconds


def go_first() -> None:
    """If memory runs out, let the kernel end this process, and what it starts, before any other."""
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
    threads: int

    @property
    def lives(self) -> bool:
        """Whether it runs: the first thread may have ended before others."""
        return self.state not in "ZX" or self.threads > 1


def prctl(option: int, value: int) -> bool:
    """Linux prctl with one argument; False if it does not exist or fails."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (ImportError, AttributeError, OSError, TypeError):
        return False


def stat(pid: int) -> Stat | None:
    """Return the entry of a process in /proc; None if it is gone or there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rsplit(b")", 1)[1].split()
    except (OSError, IndexError):
        return None
    state, parent, session, user, system, threads, start = (fields[at] for at in (0, 1, 3, 11, 12, 17, 19))
    return Stat(state.decode(), int(parent), int(session), int(user) + int(system), int(start), int(threads))


def cpu_seconds(pid: int) -> float:
    """CPU time of the process (all threads) so far; 0.0 if unknown."""
    found = stat(pid)
    return found.ticks / os.sysconf("SC_CLK_TCK") if found else 0.0


def _all() -> dict[int, Stat]:
    """Return all processes, with those that have ended: what they started may not have passed on to another one yet."""
    found: dict[int, Stat] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if name.isdigit():
            entry = stat(int(name))
            if entry is not None:
                found[int(name)] = entry
    return found


def _living(members: set[int], processes: dict[int, Stat]) -> set[int]:
    return {pid for pid in members if processes[pid].lives}


def _has_token(pid: int, token: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return (f"{TOKEN}={token}").encode() in file.read().split(b"\0")
    except OSError:
        return False


def tree(root: int, start: int = 0, token: str = "") -> set[int]:
    """Return the living processes of a tree.

    Args:
        root: id of the process at its head; it may be gone; 0 if only the token is known.
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
    return _living(members | _descendants(members, processes), processes) - {os.getpid()}


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
    if not os.path.isdir("/proc/self"):
        _kill_group(group)
        reap()
        return True
    end = time.monotonic() + patience
    while True:
        reap()
        if _is_childless():  # then nothing is below: orphans of a subreaper's children are its children
            return True
        _kill(_below(os.getpid()))
        if time.monotonic() > end:
            return False
        time.sleep(LOOK_AGAIN / 5)


def _is_childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def memory_below(limit: int) -> int:
    """Return bytes that the processes below this one hold in memory; shared memory is counted once if that matters.

    Args:
        limit: bytes; below, shared memory may be counted for each.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    held = {pid: _number(f"/proc/{pid}/statm", b"", 1) * page for pid in _descendants({os.getpid()}, _all())}
    if sum(held.values()) <= limit:
        return sum(held.values())
    return sum((_number(f"/proc/{pid}/smaps_rollup", b"Pss:", 1) << 10) or size for pid, size in held.items())


def nameless_below(devices: set[int], ignored: set[int]) -> int:
    """Return bytes on these devices of files that the processes below this one hold open and that have no name any more.

    Args:
        devices: as in ``stat``.
        ignored: processes that hold none and started nothing.
    """
    sizes: dict[tuple[int, int], int] = {}
    for pid in _below(os.getpid(), ignored):
        for found in _open_files(pid):
            if not found.st_nlink and found.st_dev in devices:
                sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(sizes.values())


def _open_files(pid: int) -> Iterator[os.stat_result]:
    """Yield the status of what a process has open; nothing if it is gone."""
    folder = f"/proc/{pid}/fd"
    try:
        for name in os.listdir(folder):
            yield os.stat(f"{folder}/{name}")
    except OSError:
        pass  # gone meanwhile


def activity(pid: int) -> tuple[bytes, int] | None:
    """Return a value that changes whenever the process runs; None if it is gone, has further threads, or the system does not tell.

    Source: /proc/PID/schedstat counts the times a thread was given a processor (the kernel's scheduler/sched-stats.rst).
    """
    try:
        with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
            found = file.read()
        threads = os.stat(f"/proc/{pid}/task").st_nlink - 2
    except OSError:
        return None
    return (found, threads) if threads == 1 and found.split()[2:] not in ([], [b"0"]) else None


def is_bare(pid: int, devices: set[int]) -> bool:
    """Return whether a process has no file on these devices open, with a name or without, and no children."""
    return not _below(pid) and all(found.st_dev not in devices for found in _open_files(pid))


def _below(root: int, ignored: set[int] | frozenset[int] = frozenset()) -> set[int]:
    """Return the processes below one, but the ignored, in time proportional to their number; one that ends meanwhile may hide others.

    Source: /proc/PID/task/TID/children, in proc(5). Without it, all processes of the machine are read.
    """
    if not os.path.exists(f"/proc/{root}/task/{root}/children"):
        return _descendants({root}, {pid: entry for pid, entry in _all().items() if pid not in ignored})
    found: set[int] = set()
    waiting = [root]
    while waiting:
        folder = f"/proc/{waiting.pop()}/task"
        try:
            for task in os.listdir(folder):
                with open(f"{folder}/{task}/children", encoding="ascii") as file:
                    fresh = set(map(int, file.read().split())) - found - ignored
                found |= fresh
                waiting += fresh
        except OSError:
            pass  # gone meanwhile
    return found


def _number(path: str, line: bytes, column: int) -> int:
    """Return a number in a file of /proc; 0 when the process is gone."""
    try:
        with open(path, "rb") as file:
            return next((int(words.split()[column]) for words in file if words.startswith(line)), 0)
    except (OSError, ValueError, IndexError):
        return 0


def others_below(known: set[int], ignored: set[int] | frozenset[int] = frozenset()) -> set[int]:
    """Return the living processes below this one that are not known; ``ignored`` ones are known, too, with all that they started."""
    found = {pid: stat(pid) for pid in _below(os.getpid(), ignored) - known}
    return {pid for pid, entry in found.items() if entry is not None and entry.lives}


def many_below(known: set[int], most: int) -> int:
    """Return how many living processes below this one are not known, if they are more than ``most``; else 0."""
    if len(_below(os.getpid())) <= most:  # with those that have ended and not been waited for
        return 0
    found = len(others_below(known))
    return found if found > most else 0


def inner_id(pid: int) -> int:
    """Return the id that a process has in its own namespace; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return next((int(line.split()[-1]) for line in file if line.startswith(b"NSpid:")), pid)
    except OSError:
        return 0


SURVIVING = ("jemalloc_bg_thd",)
"""Names of threads that their library does without in a fork: those of Arrow's allocator, which begin with the first table."""


def threads(pid: int) -> int:
    """Return how many threads a process has that a fork would lack; 0 if it is gone or there is no /proc."""
    try:
        return sum(_thread_name(pid, name) not in SURVIVING for name in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def _thread_name(pid: int, thread: str) -> str:
    try:
        with open(f"/proc/{pid}/task/{thread}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().rstrip("\n")
    except OSError:
        return ""  # it has ended


def watch(pid: int) -> int | None:
    """Return a descriptor that stands for a process and can be waited on; None if the system has none."""
    opener = getattr(os, "pidfd_open", None)
    try:
        return int(opener(pid)) if opener is not None else None
    except OSError:
        return None


def private_memory(pid: int) -> int | None:
    """Return bytes that a process shares with no other; None if this process may not know, as of another that is not dumpable."""
    path = f"/proc/{pid}/smaps_rollup"
    if not _number(path, b"Rss:", 1):
        return None
    return (_number(path, b"Private_Clean:", 1) + _number(path, b"Private_Dirty:", 1)) << 10


def prefer_to_kill(pid: int) -> None:
    """If memory runs out, have the kernel end this process before others."""
    _write(f"/proc/{pid}/oom_score_adj", "1000")


def holds_device(pid: int) -> bool:
    """Return whether a process has a graphics card open."""
    folder = f"/proc/{pid}/fd"
    try:
        return any(
            os.readlink(f"{folder}/{name}").startswith(("/dev/nvidia", "/dev/dri", "/dev/kfd"))
            for name in os.listdir(folder)
        )
    except OSError:
        return True  # it cannot be looked at


def kill_below(keep: set[int], patience: float) -> bool:
    """SIGKILL everything below this process but some, and reap it; whether nothing is left within ``patience`` seconds.

    Before, all are stopped, until there is no new one: a process that is killed makes room for another, a stopped one does not.
    """
    end = time.monotonic() + patience
    while True:
        members = _stop_below(keep, end)
        _kill(members)
        for pid in members:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass  # a grandchild whose parent has not gone yet
        if not members or time.monotonic() > end:
            return not members
        time.sleep(LOOK_AGAIN / 5)


def _stop_below(keep: set[int], end: float) -> set[int]:
    """Stop the living processes below this one but some, until no new one is found or it is ``end``; returns them."""
    stopped: set[int] = set()
    while True:
        found = _all()
        members = _living(_descendants({os.getpid()}, found), found) - keep
        if members <= stopped or time.monotonic() > end:
            return members
        _signal(members - stopped, signal.SIGSTOP)
        stopped |= members


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
    _signal(members, signal.SIGKILL)


def _signal(members: set[int], number: int) -> None:
    for pid in members:
        try:
            os.kill(pid, number)
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
    """Return a wait status in words: "exit code 3", "signal 11 (SIGSEGV)"."""
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


# --- Resource limits of a runner, kept by the kernel.
#
# * They are set before any code of the agent runs, hard and soft, and cannot be raised again.
# * The number of processes counts for a user: if the runner shares its user with others, their number is added.


PROCESSES = 256  # processes and threads together
FEW_PROCESSES = 64  # the same without a process namespace, in which case they must be ended one by one
LEFT = 4  # a step may leave one part in so many of them: more are a program that forks without end
DESCRIPTORS = 256
DISK = 1024  # MB a file may grow to, and the work folder may hold


def together(memory: int) -> int:
    """MB that all processes of the code may take together, if one may take ``memory``.

    More than one process may have, so that a single one meets its own limit first and can go on.
    """
    return int(1.5 * memory) + 256


def limits(options: dict[str, Any], others: int | None = None, most: int = PROCESSES) -> dict[str, int]:
    """Limits by their names in ``resource``.

    Args:
        options: "memory" and "disk" in MB, as in the host's hello.
        others: threads of others that count against the same limit; None leaves the number of processes alone.
        most: processes and threads of the code.
    """
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": DESCRIPTORS,
        "RLIMIT_FSIZE": int(options.get("disk", DISK)) << 20,
        "RLIMIT_MEMLOCK": 1 << 20,
        "RLIMIT_MSGQUEUE": 0,
    }
    if options.get("memory"):
        wanted["RLIMIT_DATA"] = int(options["memory"]) << 20
    if others is not None:
        wanted["RLIMIT_NPROC"] = most + others
    return wanted


def apply(wanted: dict[str, int]) -> None:
    """Set each limit as far as this system has it; a lower one that stands already is kept."""
    try:
        import resource
    except ImportError:
        return
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        try:
            if number is not None:
                hard = resource.getrlimit(number)[1]
                value = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(number, (value, value))
        except (OSError, ValueError):
            pass


def threads_of(user: int) -> int:
    """Return how many threads a user has now, as far as /proc shows them."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                with open(f"/proc/{name}/stat", "rb") as file:
                    count += int(file.read().rsplit(b")", 1)[1].split()[17])
        except (OSError, IndexError, ValueError):
            pass  # gone meanwhile
    return count


# --- Control groups that the host has put a sandbox into: ending what is in them, and what the kernel ended there.
#
# * Only groups that were made for one sandbox come here; every process in such a group belongs to that sandbox.
# * A group is removed by ``rmdir`` alone, which the kernel refuses while anything lives in it.
#
# Source: the kernel's Documentation/admin-guide/cgroup-v1/ and cgroup-v2.rst; the files used here are the same in both.


MEMBERS = "cgroup.procs"
PIDS_MAX = "pids.max"
_COUNTERS = ("memory.oom_control", "memory.events")  # of version 1, of version 2
_AGAIN = 0.005  # seconds


def end(folders: Iterable[str], patience: float = 1.5) -> bool:
    """Kill all that lives in these groups, and remove them; whether they are gone within ``patience`` seconds."""
    until = time.monotonic() + patience
    left = list(folders)
    for folder in left:
        _write(os.path.join(folder, PIDS_MAX), "0")  # or they could start new ones faster than these are killed
    while True:
        for folder in left:
            _kill_cgroup(folder)
        left = [folder for folder in left if not _remove(folder)]
        if not left or time.monotonic() > until:
            return not left
        time.sleep(_AGAIN)


@contextmanager
def ending(folder: str) -> Iterator[None]:
    """Kill all in this group but this process, and let the kernel refuse new ones while the block runs; "" for no group."""
    with no_new_processes(folder) as refused:
        if refused:
            _kill_cgroup(folder)
        yield


@contextmanager
def no_new_processes(folder: str) -> Iterator[bool]:
    """Let the kernel refuse new processes in this group while the block runs; gives whether it does. "" for no group."""
    before = ""
    if folder:
        try:
            with open(os.path.join(folder, PIDS_MAX), encoding="ascii") as file:
                before = file.read()
        except OSError:
            pass
    try:
        yield bool(before) and _write(os.path.join(folder, PIDS_MAX), "0")
    finally:
        if before:
            _write(os.path.join(folder, PIDS_MAX), before)


def bound(folder: str, most: int) -> None:
    """Lower the number of processes that a group may have."""
    _write(os.path.join(folder, PIDS_MAX), str(most))


def _write(path: str, text: str) -> bool:
    """Return whether it was written: the file may be gone, or its group has none."""
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError:
        return False
    return True


def _kill_cgroup(folder: str) -> None:
    for pid in members(folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # gone


def members(folder: str) -> list[int]:
    """Return the processes in a group, but this one; none if there is no such group."""
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
    """Return how many processes of a group the kernel has ended because its memory was used up."""
    for name in _COUNTERS:
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
        except (OSError, ValueError, IndexError):
            pass  # the other version's, or gone
    return 0
