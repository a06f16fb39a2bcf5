"""The sandboxes that are processes of this machine, as /proc shows them.

The rules this file exists to keep:

* A worker is known by its command, which anybody can write: nothing is believed of a process that is another user's, or
  that counts processes otherwise than this one.
* A look changes nothing and is cheap: files of /proc are read, nobody is asked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from smolcell.executors.containers import uptime
from smolcell.executors.sandbox import RUNNING, Sandbox
from smolcell.executors.wasm import channel
from smolcell.worker import folders, process

ARCHIVE = re.compile(r"(.*/smolcell-(?:portable-)?[0-9a-f]{16})/worker\.zip")
KERNEL = re.compile(r"\d{1,10}:\d{1,20}")  # process id and start
STOPPED = "stopped (SIGSTOP)"


def workers() -> Iterable[Sandbox]:
    """The local workers: each is the first process of those whose command names a worker's archive."""
    try:
        running = {int(path.name): _command(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    except OSError:
        return  # no /proc: the system does not say
    for pid, words in sorted(running.items()):
        folder, seen = _folder(words), process.stat(pid)
        if folder and seen is not None and seen.state not in "ZX" and not _folder(running.get(seen.parent, [])):
            yield _worker(pid, seen, folder, words)


def end(each: Sandbox) -> bool:
    """End one, and remove its folder where its kernel does not; says whether it was there and is gone."""
    pid = int(each.name.removeprefix("pid "))
    seen = process.stat(pid)
    if seen is None or _folder(_command(pid)) != each.place:
        return False  # it has ended meanwhile
    ended = process.kill_tree(pid, seen.start)
    if each.gone:
        folders.remove(each.place)
    return ended


def _command(pid: int) -> list[str]:
    try:
        return [os.fsdecode(word) for word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if word]
    except OSError:
        return []


def _folder(words: Sequence[str]) -> str:
    """The folder of a worker, by its command (see ``LocalChannel`` and ``PortableChannel``); "" where it is none."""
    told = words[3:] if words[3:4] != ["-c"] else words[5:]
    is_worker = len(told) == 2 and words[1:3] == ["-I", "-S"] and KERNEL.fullmatch(told[1])
    found = ARCHIVE.fullmatch(told[0]) if is_worker else None
    return found.group(1) if found else ""


def _worker(pid: int, seen: process.Stat, folder: str, words: Sequence[str]) -> Sandbox:
    kernel, kind = words[-1], "wasm" if channel.START in words else "local"
    tick = os.sysconf("SC_CLK_TCK")
    members = process.tree(pid, seen.start)
    stats = {member: stat for member in members if (stat := process.stat(member)) is not None}
    return Sandbox(
        kind=kind,
        name=f"pid {pid}",
        state=_state(seen, [stat for member, stat in stats.items() if member != pid]),
        age=uptime() - seen.start / tick,
        memory=sum(map(_held, members)),
        cpu=sum(stat.ticks for stat in stats.values()) / tick,
        owner=f"{_user(pid)}, pid {kernel.partition(':')[0]}",
        kernel=kernel,
        mine=_is_mine(pid),
        gone=_is_gone(pid, kernel),
        walls=_walls(members) if kind == "local" else ("guard", "WebAssembly"),
        place=folder,
    )


def _state(head: process.Stat, others: Sequence[process.Stat]) -> str:
    """A sandbox stands still with its supervisor, or with everything below it: code may stop some of what it starts."""
    still = head.state in "Tt" or (bool(others) and all(other.state in "Tt" for other in others))
    return STOPPED if still else RUNNING


def _is_gone(pid: int, kernel: str) -> bool:
    """Whether a worker's kernel is known to be gone, which is never known of another user's worker (its command is what
    that user wrote), nor of one that counts processes otherwise than this process.
    """
    if not _is_mine(pid):
        return False
    number, _, start = kernel.partition(":")
    found = process.stat(int(number))
    return found is None or found.start != int(start) or found.state in "ZX"


def _is_mine(pid: int) -> bool:
    """Whether a worker is this user's, and counts processes as this process does."""
    status = _status(pid)
    return len(status.get("NSpid", "? ?").split()) == 1 and status.get("Uid", "").split()[:1] == [str(os.getuid())]


def _held(pid: int) -> int:
    """Bytes that a process holds; of what several share, its part. All of that where the system does not tell the part."""
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
    """What the system shows of the walls around the innermost process."""
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
