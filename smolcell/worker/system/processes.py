"""Processes: marks the sandbox's own, and kills trees of them. Used by the supervisor, the host and the reaper.

* A process is identified by its id *and* its start time, so that a reused id is never killed.
* A tree is everything that descends from a process, is in its session, or has its token in the environment.
* No function raises because a process has already ended.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import Any, NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
TOKEN = "SMOLCELL_TOKEN"  # noqa: S105 - the name of a variable that marks a sandbox's processes
POLL_SECONDS = 0.01  # seconds between two looks at a process


def prefer_to_kill(pid: int | str) -> None:
    """Let the kernel kill this process ("self": this one, and what it starts) before others when memory runs out."""
    _write(f"/proc/{pid}/oom_score_adj", "1000")


class Stat(NamedTuple):
    """The fields of /proc/<pid>/stat that are used here."""

    state: str
    parent: int
    session: int
    ticks: int  # CPU time (user and system) in clock ticks
    start: int  # ticks after boot
    threads: int

    @property
    def lives(self) -> bool:
        """Whether it runs: its first thread may have ended before the others."""
        return self.state not in "ZX" or self.threads > 1


def prctl(option: int, value: int) -> bool:
    """Call Linux prctl with one argument; returns False if it does not exist or fails."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (ImportError, AttributeError, OSError, TypeError):
        return False


def stat(pid: int) -> Stat | None:
    """Return a process's entry in /proc; None if it has ended or there is no /proc."""
    fields = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if not fields:
        return None
    state, parent, session, user, system, threads, start = (fields[at] for at in (0, 1, 3, 11, 12, 17, 19))
    return Stat(state.decode(), int(parent), int(session), int(user) + int(system), int(start), int(threads))


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process (all threads) in seconds; 0.0 if unknown."""
    process = stat(pid)
    return process.ticks / os.sysconf("SC_CLK_TCK") if process else 0.0


def _read_all() -> dict[int, Stat]:
    """Return all processes, including ended ones whose children may not have a new parent yet."""
    by_pid = {int(name): stat(int(name)) for name in list_folder("/proc") if name.isdigit()}
    return {pid: entry for pid, entry in by_pid.items() if entry is not None}


def _living(members: set[int], processes: dict[int, Stat]) -> set[int]:
    return {pid for pid in members if processes[pid].lives}


def _has_token(pid: int, token: str) -> bool:
    return f"{TOKEN}={token}".encode() in read_file(f"/proc/{pid}/environ").split(b"\0")


def find_tree(root: int, start: int = 0, token: str = "") -> set[int]:
    """Return the living processes of a tree.

    Args:
        root: id of the first process, which may have ended; 0 if only the token is known.
        start: start time of ``root`` in ticks; 0 skips that check.
        token: value of SMOLCELL_TOKEN in the tree; "" skips that search.
    """
    processes = _read_all()
    reused = bool(start) and root in processes and processes[root].start != start
    members: set[int] = set()
    if root > 0 and not reused:
        members |= {pid for pid, entry in processes.items() if entry.session == root and entry.start >= start}
        if root in processes:
            members.add(root)
    if token:
        members |= {pid for pid in processes if _has_token(pid, token)}
    return _living(members | _find_descendants(members, processes), processes) - {os.getpid()}


def _find_descendants(roots: set[int], processes: dict[int, Stat]) -> set[int]:
    pids: set[int] = set()
    grown = set(roots)
    while grown:
        grown = {pid for pid, entry in processes.items() if entry.parent in grown} - pids - roots
        pids |= grown
    return pids


def kill_tree(root: int, start: int = 0, token: str = "", patience: float = 1.5) -> bool:
    """SIGKILL a tree repeatedly until none of it is left; returns whether that was reached within ``patience`` seconds."""
    end = time.monotonic() + patience
    while True:
        members = find_tree(root, start, token)
        if not os.path.isdir("/proc/self"):
            return _kill_group(root)
        if not members:
            return True
        _kill(members)
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECONDS)


def kill_children(patience: float = 1.5, group: int = 0) -> bool:
    """SIGKILL all processes below this one (a subreaper) and reap them; returns whether none is left.

    Without /proc (macOS) these are unknown: then the process group ``group`` is killed, and a process that has left it survives.
    """
    if not os.path.isdir("/proc/self"):
        _kill_group(group)
        reap()
        return True
    end = time.monotonic() + patience
    while True:
        reap()
        if _is_childless():  # then nothing is below: a subreaper adopts all orphans
            return True
        _kill(find_below(os.getpid()))
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECONDS / 5)


def _is_childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def measure_memory(pids: set[int], limit: int) -> int:
    """Return the memory of these processes in bytes, with their page tables; shared memory is counted once if it exceeds ``limit``.

    Args:
        pids: the processes.
        limit: bytes; below it, shared memory may be counted for each process.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    tables = sum(_of_process(pid, "status", b"VmPTE:", 1) << 10 for pid in pids)
    held = {pid: _of_process(pid, "statm", b"", 1) * page for pid in pids}
    if tables + sum(held.values()) <= limit:
        return tables + sum(held.values())
    return tables + sum((_of_process(pid, "smaps_rollup", b"Pss:", 1) << 10) or size for pid, size in held.items())


def _threads_of(pid: int) -> list[str]:
    """Return the folders in /proc of a process's threads, the first one first; none if it has ended.

    /proc/PID itself shows neither memory nor open files once the first thread has ended, though others go on.
    """
    return [f"/proc/{pid}/task/{thread}" for thread in list_folder(f"/proc/{pid}/task")]


def _of_process(pid: int, name: str, line: bytes, column: int) -> int:
    """Read a number of a process from this file of its first thread that goes on; returns 0 if it has ended."""
    return _number(f"/proc/{pid}/{name}", line, column) or max(
        (_number(f"{folder}/{name}", line, column) for folder in _threads_of(pid)[1:]), default=0
    )


def measure_deleted_files(pids: set[int], devices: set[int]) -> int:
    """Return the size in bytes of deleted files on these devices (as in ``stat``) that these processes hold open."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        for status in _open_files(pid):
            if not status.st_nlink and status.st_dev in devices:
                sizes[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(sizes.values())


def _open_files(pid: int) -> Iterator[os.stat_result]:
    """Yield the status of a process's open files; nothing if it has ended."""
    for thread in _threads_of(pid):
        names = list_folder(f"{thread}/fd")
        for name in names:
            try:
                yield os.stat(f"{thread}/fd/{name}")
            except OSError:
                pass  # closed meanwhile
        if names:
            return  # threads share them: the filter of system calls refuses others


class Activity:
    """Tells whether a process with a single thread has run, by one call of the system.

    Source: /proc/PID/schedstat counts how often a thread was given a processor (the kernel's scheduler/sched-stats.rst).
    """

    def __init__(self, pid: int) -> None:
        try:
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def read(self) -> bytes:
        """Return a value that changes whenever its first thread runs; empty if it ended or the system does not tell."""
        try:
            data = os.pread(self._file, 100, 0)
        except OSError:
            return b""
        return b"" if data.endswith(b" 0\n") else data

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_bare(pid: int, devices: set[int]) -> bool:
    """Return whether a process has no open files on these devices, deleted ones included, no children and one thread."""
    try:
        threads = os.stat(f"/proc/{pid}/task").st_nlink - 2
    except OSError:
        return False
    return threads == 1 and not find_below(pid) and all(status.st_dev not in devices for status in _open_files(pid))


def find_below(root: int, ignored: set[int] | frozenset[int] = frozenset()) -> set[int]:
    """Return the processes below one, except ignored ones, in time proportional to their number. One that ends may hide others.

    Source: /proc/PID/task/TID/children, in proc(5). Without it, all processes of the machine are read.
    """
    if not os.path.exists(f"/proc/{root}/task/{root}/children"):
        return _find_descendants({root}, {pid: entry for pid, entry in _read_all().items() if pid not in ignored})
    pids: set[int] = set()
    waiting = [root]
    while waiting:
        for thread in _threads_of(waiting.pop()):
            fresh = set(map(int, read_file(f"{thread}/children").split())) - pids - ignored
            pids |= fresh
            waiting += fresh
    return pids


def _number(path: str, line: bytes, column: int) -> int:
    """Return the number in this column of the first such line of a file; 0 if there is none, such as of an ended process."""
    try:
        return next((int(words.split()[column]) for words in lines_of(path) if words.startswith(line)), 0)
    except (ValueError, IndexError):
        return 0


def read_file(path: str) -> bytes:
    """Return the content of a file of the system; b"" if there is none, such as of an ended process."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def lines_of(path: str) -> list[bytes]:
    """Return the lines of a file of the system. Only a newline ends one: a process may have a carriage return in its name."""
    return read_file(path).split(b"\n")


def list_folder(folder: str) -> list[str]:
    """Return the names in a folder of the system; none if there is no such folder."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def find_unknown_below(
    known: set[int], ignored: set[int] | frozenset[int] = frozenset(), before: float = math.inf
) -> set[int]:
    """Return the living processes below this one that are not in ``known``.

    Args:
        known: not returned.
        ignored: skipped with all they started.
        before: ticks after boot: only processes that were started before are returned.
    """
    by_pid = {pid: stat(pid) for pid in find_below(os.getpid(), ignored) - known}
    return {pid for pid, entry in by_pid.items() if entry is not None and entry.lives and entry.start < before}


def scheduled_below(ignored: set[int]) -> list[bytes]:
    """Return how often each thread below this process was given a processor: changes if one ran, started or ended. See ``Activity``.

    Args:
        ignored: processes to skip with all they started.
    """
    found = []
    for pid in sorted(find_unknown_below(set(), ignored)):
        for thread in _threads_of(pid):
            data = read_file(f"{thread}/schedstat")
            is_unknown = not data or data.endswith(b" 0\n")  # it has ended, or the system does not tell
            found.append(b"%d" % time.monotonic_ns() if is_unknown else data)
    return found


def count_unknown_below(known: set[int], ignored: set[int], most: int) -> int:
    """Return how many living processes below this one are not in ``known``, if more than ``most``; else 0.

    Args:
        ignored: those of the known ones that have started nothing; they are not looked at.
    """
    if len(find_below(os.getpid(), ignored)) <= most:  # including ended ones that were not waited for
        return 0
    count = len(find_unknown_below(known))
    return count if count > most else 0


def inner_id(pid: int) -> int:
    """Return the id of a process in its own namespace; 0 if it has ended."""
    lines = lines_of(f"/proc/{pid}/status")
    if lines == [b""]:
        return 0
    return next((int(line.split()[-1]) for line in lines if line.startswith(b"NSpid:")), pid)


SURVIVING = (b"jemalloc_bg_thd\n",)
"""Names of threads that a fork can do without: those of Arrow's allocator, which start with the first table."""


def threads(pid: int) -> int:
    """Return how many threads of a process a fork would lose; 0 if it has ended or there is no /proc."""
    return sum(read_file(f"{thread}/comm") not in SURVIVING for thread in _threads_of(pid))


def watch(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends; None if the system has none."""
    opener = getattr(os, "pidfd_open", None)
    try:
        return int(opener(pid)) if opener is not None else None
    except OSError:
        return None


SEMAPHORE_BYTES = 32  # size of a POSIX semaphore, and so of its file
SHARED = "shared memory and unnamed files (mmap, multiprocessing, tempfile)"


def shares_memory(pid: int, own_shm: bool, devices: set[int]) -> bool:
    """Return whether a process has memory or files that a copy of it does not get, but shares.

    These are shared mappings that are writable or of no file, files without a name, and files in /dev/shm, but not locks, which lie
    there or are mapped from there; not known if it has ended.

    Args:
        pid: the process.
        own_shm: whether its /dev/shm is the sandbox's own.
        devices: those of the folders that it may write to, besides /tmp and /dev/shm. The values passed in are files elsewhere.
    """
    temporary, shared = f"/proc/{pid}/root/tmp", f"/proc/{pid}/root/dev/shm"
    try:
        with open(f"/proc/{pid}/maps", "rb") as file:
            for _, rights, _, _, _, *names in (line.split(None, 5) for line in file):
                path = b"".join(names)  # "/dev/zero (deleted)" for a mapping of no file, which may have been writable
                writable = rights[1:2] == b"w" or path.startswith(b"/dev/zero")
                if rights.endswith(b"s") and writable and not path.startswith(b"/dev/shm/sem."):
                    return True
        if own_shm and not all(map(_is_semaphore, os.scandir(shared))):
            return True
        devices = devices | {os.stat(folder).st_dev for folder in (temporary, shared)}
    except OSError:
        pass
    return any(S_ISREG(found.st_mode) and not found.st_nlink and found.st_dev in devices for found in _open_files(pid))


def _is_semaphore(entry: os.DirEntry[str]) -> bool:
    return entry.name.startswith("sem.") and entry.stat(follow_symlinks=False).st_size == SEMAPHORE_BYTES


def private_memory(pid: int) -> int | None:
    """Return the bytes of memory that only this process uses; None if that cannot be read, as of processes that are not dumpable."""
    path = f"/proc/{pid}/smaps_rollup"
    if not _number(path, b"Rss:", 1):
        return None
    return (_number(path, b"Private_Clean:", 1) + _number(path, b"Private_Dirty:", 1)) << 10


def holds_device(pid: int) -> bool:
    """Return whether a process has a graphics card open."""
    folder = f"/proc/{pid}/fd"
    try:
        return any(
            os.readlink(f"{folder}/{name}").startswith(("/dev/nvidia", "/dev/dri", "/dev/kfd"))
            for name in os.listdir(folder)
        )
    except OSError:
        return True  # it cannot be inspected: assume so


def kill_below(keep: set[int], patience: float, before: float = math.inf) -> bool:
    """SIGKILL all processes below this one except ``keep``, and reap them; returns whether none is left within ``patience`` seconds.

    They are all stopped first, until no new one appears: a killed process makes room for another, a stopped one does not.

    Args:
        before: ticks after boot: only processes that were started before, and those below them, are killed.
    """
    end = time.monotonic() + patience
    while True:
        is_last = time.monotonic() > end
        members = _stop_below(keep, end, before)
        _kill(members)
        for pid in members:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass  # a grandchild whose parent has not ended yet
        if not members or is_last:
            return not members
        time.sleep(POLL_SECONDS / 5)


def ticks_after_boot(ago: float) -> int:
    """Return the time so many seconds ago, as in ``Stat.start``."""
    return int((time.clock_gettime(time.CLOCK_BOOTTIME) - ago) * os.sysconf("SC_CLK_TCK"))


def _stop_below(keep: set[int], end: float, before: float) -> set[int]:
    """Stop the living processes below this one except ``keep``, until no new one appears or ``end`` is reached; returns them."""
    stopped: set[int] = set()
    while True:
        by_pid = _read_all()
        found = _find_descendants({os.getpid()}, by_pid) - keep
        old = {pid for pid in found if by_pid[pid].start < before}
        members = _living(old | _find_descendants(old, by_pid), by_pid) - keep
        if members <= stopped or time.monotonic() > end:
            return members
        _signal(members - stopped, signal.SIGSTOP)
        stopped |= members


def reap() -> dict[int, int]:
    """Wait for ended children; returns id -> wait status."""
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


def describe_wait_status(status: int) -> str:
    """Describe a wait status: "exit code 3", "signal 11 (SIGSEGV)"."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = "unknown"
        hint = "; perhaps memory ran out" if number == signal.SIGKILL else ""
        return f"signal {number} ({name}{hint})"
    return f"exit code {os.WEXITSTATUS(status)}"


def close_all_but(keep: list[int]) -> None:
    """Close every descriptor above 2 that is not in ``keep``."""
    edges = [2, *sorted(keep), 1 << 16]
    for low, high in zip(edges, edges[1:]):
        os.closerange(low + 1, high)


# --- Resource limits of a runner, enforced by the kernel.
#
# * They are set before any code of the agent runs, hard and soft, and cannot be raised again.
# * The number of processes is counted per user: if the runner's user has other processes, their number is added.


MAX_PROCESSES = 256  # processes and threads together
MAX_PROCESSES_WITHOUT_NAMESPACE = 64  # the same without a process namespace: then they must be killed one by one
LEFTOVER_SHARE = 4  # a step may leave this part of its processes running: more come from endless forking
MAX_DESCRIPTORS = 256
RESERVE_MB = 16  # memory of a runner besides the code's, so that it can go on when the code has taken all of its own
MAX_DISK_MB = 1024  # maximum size of a file, and of the work folder, in MB


def total_memory_limit(memory: int) -> int:
    """Return the memory limit in MB of all processes together, if one process may use ``memory``.

    It is larger, so that a single process reaches its own limit first and can continue.
    """
    return int(1.5 * memory) + 256


def resource_limits(options: dict[str, Any], others: int | None = None, most: int = MAX_PROCESSES) -> dict[str, int]:
    """Return the limits by their names in ``resource``.

    Args:
        options: "memory" and "disk" in MB, as in the host's hello.
        others: threads of the same user that count, too; None leaves the number of processes unlimited.
        most: maximum processes and threads of the code.
    """
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": MAX_DESCRIPTORS,
        "RLIMIT_FSIZE": int(options.get("disk", MAX_DISK_MB)) << 20,
        "RLIMIT_MEMLOCK": 1 << 20,
        "RLIMIT_MSGQUEUE": 0,
    }
    if options.get("memory"):
        wanted["RLIMIT_DATA"] = (int(options["memory"]) + RESERVE_MB) << 20
    if others is not None:
        wanted["RLIMIT_NPROC"] = most + others
    return wanted


def apply_limits(wanted: dict[str, int]) -> None:
    """Set each limit that this system has; lower existing limits stay."""
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


def count_user_threads(user: int) -> int:
    """Return how many threads a user has now, as far as /proc shows them."""
    count = 0
    for pid, entry in _read_all().items():
        try:
            count += entry.threads if os.stat(f"/proc/{pid}").st_uid == user else 0
        except OSError:
            pass  # it has ended
    return count


# --- Control groups of one sandbox, which the host created: killing their processes, and reading what the kernel killed.
#
# * Only groups created for one sandbox are used; every process in such a group belongs to that sandbox.
# * A group is removed only by ``rmdir``, which the kernel refuses while it has a living process.
#
# Source: the kernel's Documentation/admin-guide/cgroup-v1/ and cgroup-v2.rst; the files used here are the same in both.


MEMBERS = "cgroup.procs"
PIDS_MAX = "pids.max"
_COUNTERS = ("memory.oom_control", "memory.events")  # of version 1, of version 2
_RETRY_SECONDS = 0.005  # seconds between attempts


def remove_groups(folders: Iterable[str], patience: float = 1.5) -> bool:
    """Kill all processes in these groups, and remove the groups; returns whether they are gone within ``patience`` seconds."""
    until = time.monotonic() + patience
    left = list(folders)
    for folder in left:
        _write(os.path.join(folder, PIDS_MAX), "0")  # otherwise they could start processes faster than these are killed
    while True:
        for folder in left:
            _kill_cgroup(folder)
        left = [folder for folder in left if not _remove(folder)]
        if not left or time.monotonic() > until:
            return not left
        time.sleep(_RETRY_SECONDS)


@contextmanager
def killing_group(folder: str) -> Iterator[None]:
    """Kill all processes in this group except this one, and refuse new ones during the block; "" for no group."""
    with no_new_processes(folder) as refused:
        if refused:
            _kill_cgroup(folder)
        yield


@contextmanager
def no_new_processes(folder: str) -> Iterator[bool]:
    """Refuse new processes in this group during the block; yields whether that works. "" for no group."""
    path = os.path.join(folder, PIDS_MAX)
    before = read_file(path).decode("ascii") if folder else ""
    try:
        yield bool(before) and _write(path, "0")
    finally:
        if before:
            _write(path, before)


def limit_processes(folder: str, most: int) -> None:
    """Lower the maximum number of processes in a group."""
    _write(os.path.join(folder, PIDS_MAX), str(most))


def _write(path: str, text: str) -> bool:
    """Write a file; returns False if it does not exist."""
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError:
        return False
    return True


def _kill_cgroup(folder: str) -> None:
    _signal(set(list_members(folder)), signal.SIGKILL)


def list_members(folder: str) -> list[int]:
    """Return the processes in a group except this one; none if there is no such group."""
    pids = map(int, read_file(os.path.join(folder, MEMBERS)).split())
    return [pid for pid in pids if pid > 1 and pid != os.getpid()]  # 0: in a namespace that cannot be seen from here


def _remove(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def count_memory_kills(folder: str) -> int:
    """Return how many processes of a group the kernel killed because its memory was used up."""
    return max(_number(os.path.join(folder, name), b"oom_kill ", 1) for name in _COUNTERS)
