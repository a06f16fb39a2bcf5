"""Workers that are processes of this machine, found in /proc.

* A worker is recognized by its command line, which any user can imitate: processes of other users, or of another process
  namespace, are not trusted.
* Listing changes nothing and is cheap: it only reads files of /proc.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from smolcell.executors.registry import RUNNING, Sandbox, uptime
from smolcell.worker.system import folders, processes

ARCHIVE = re.compile(r"(.*/smolcell-(?:portable-)?[0-9a-f]{16})/worker\.zip")
KERNEL = re.compile(r"\d{1,10}:\d{1,20}")  # process id and start
STOPPED = "stopped (SIGSTOP)"


def find_workers(kind: str, *programs: str) -> Iterator[Sandbox]:
    """Yield the workers of a kind: the first process of those with the same worker archive in the command line.

    Args:
        programs: that they may be started with, after ``-c``; "" if the archive itself is started.
    """
    try:
        running = {int(path.name): _command(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    except OSError:
        return  # no /proc
    for pid, words in sorted(running.items()):
        if _program(words) not in programs:
            continue
        folder, seen = _folder(words), processes.stat(pid)
        if folder and seen is not None and seen.state not in "ZX" and not _folder(running.get(seen.parent, [])):
            yield _worker(kind, pid, seen, folder, words[-1])


def end_worker(sandbox: Sandbox) -> bool:
    """End one sandbox, and remove its folder if its kernel does not; returns whether it existed and has ended."""
    pid = int(sandbox.name.removeprefix("pid "))
    seen = processes.stat(pid)
    if seen is None or _folder(_command(pid)) != sandbox.place:
        return False  # it has ended meanwhile
    ended = processes.kill_tree(pid, seen.start)
    if sandbox.gone:
        folders.remove(sandbox.place)
    return ended


def _command(pid: int) -> list[str]:
    try:
        return [os.fsdecode(word) for word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if word]
    except OSError:
        return []


def _program(words: Sequence[str]) -> str:
    return words[4] if words[3:4] == ["-c"] and len(words) > 4 else ""


def _folder(words: Sequence[str]) -> str:
    """Return the folder of a worker from its command line (see ``LocalChannel`` and ``PortableChannel``); "" for other processes."""
    arguments = words[5:] if _program(words) else words[3:]
    is_worker = len(arguments) == 2 and words[1:3] in (["-I", "-S"], ["-s", "-S"]) and KERNEL.fullmatch(arguments[1])
    match = ARCHIVE.fullmatch(arguments[0]) if is_worker else None
    return match.group(1) if match else ""


def _worker(kind: str, pid: int, seen: processes.Stat, folder: str, kernel: str) -> Sandbox:
    tick = os.sysconf("SC_CLK_TCK")
    members = processes.find_tree(pid, seen.start)
    stats = {member: stat for member in members if (stat := processes.stat(member)) is not None}
    return Sandbox(
        kind=kind,
        name=f"pid {pid}",
        state=_process_state(seen, [stat for member, stat in stats.items() if member != pid]),
        age=uptime() - seen.start / tick,
        memory=sum(map(_held_by_process, members)),
        cpu=sum(stat.ticks for stat in stats.values()) / tick,
        owner=f"{_user(pid)}, pid {kernel.partition(':')[0]}",
        kernel=kernel,
        mine=_is_mine(pid),
        gone=_is_gone(pid, kernel),
        walls=_walls(members),
        place=folder,
    )


def _process_state(head: processes.Stat, others: Sequence[processes.Stat]) -> str:
    """Return the state: stopped if the supervisor, or all processes below it, are stopped. The code may stop some itself."""
    still = head.state in "Tt" or (bool(others) and all(other.state in "Tt" for other in others))
    return STOPPED if still else RUNNING


def _is_gone(pid: int, kernel: str) -> bool:
    """Return whether a worker's kernel is known to have ended; False for workers of other users, since their command is untrusted."""
    if not _is_mine(pid):
        return False
    number, _, start = kernel.partition(":")
    process = processes.stat(int(number))
    return process is None or process.start != int(start) or process.state in "ZX"


def _is_mine(pid: int) -> bool:
    """Return whether a worker belongs to this user and process namespace."""
    status = _status(pid)
    return len(status.get("NSpid", "? ?").split()) == 1 and status.get("Uid", "").split()[:1] == [str(os.getuid())]


def _held_by_process(pid: int) -> int:
    """Return the memory of a process in bytes, with its share of shared memory; all of it if the system does not report shares."""
    try:
        with Path(f"/proc/{pid}/smaps_rollup").open(encoding="ascii") as lines:
            return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return _resident(pid)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _user(pid: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(Path(f"/proc/{pid}").stat().st_uid).pw_name
    except (ImportError, KeyError, OSError):
        return "unknown"


def _walls(members: Iterable[int]) -> tuple[str, ...]:
    """Return the walls around the innermost process, as far as the system shows them."""
    statuses = [_status(pid) for pid in members]
    depth = len(_status(os.getpid()).get("NSpid", "").split())
    inner = max(statuses, key=lambda status: len(status.get("NSpid", "").split()), default={})
    held = [status for status in statuses if status.get("Seccomp") == "2"]
    found = [
        ("namespaces", len(inner.get("NSpid", "").split()) > max(1, depth)),
        ("system calls", bool(held)),
        ("rights", any(status.get("NoNewPrivs") == "1" for status in held or statuses)),
    ]
    return ("guard", *(name for name, stands in found if stands))


def _status(pid: int) -> Mapping[str, str]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
