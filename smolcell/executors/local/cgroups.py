"""Control groups: limits of the kernel for the number of processes of a sandbox and their memory together.

* Limits of the notebook also apply to its sandboxes: a group is made below the notebook's own. If that is impossible (in version
  2, below a group with processes), it is made beside it, but only in a group delegated to the notebook's user, and only if the
  notebook's own group sets no limit.
* Each controller is tried separately; a missing one is reported with the reason, and is no error.
* Groups are registered with the reaper before they are made. Their names identify the owner; of dead owners, empty ones are removed.

Sources: the kernel's Documentation/admin-guide/cgroup-v1/, cgroup-v2.rst ("No Internal Process Constraint", "Delegation");
proc(5), "/proc/pid/mountinfo"; systemd's "Control Group APIs and Delegation" (single-writer rule; ``user.delegate``).
Version 2 is written from the documentation and tested on folders; version 1 is tested on a kernel.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from smolcell.events import Wall
from smolcell.worker.system import processes
from smolcell.worker.system.jail import SANDBOX_PROCESSES

BOUNDED = {"memory": "memory", "pids": "number of processes"}
CONTROLLERS = tuple(BOUNDED)
OWN_MEMORY = 256  # MB, besides the memory of the code: for the sandbox itself, files in /tmp and /dev/shm
DELEGATED = ("user.delegate", "trusted.delegate")  # extended attributes that systemd sets
UNLIMITED = ("memory.max", "memory.high", "pids.max", "cpu.max")
_NAME = re.compile(r"smolcell-(\d+)-(\d+)-[0-9a-f]{16}")


class Home(NamedTuple):
    """The notebook's own group in the hierarchy of a controller."""

    folder: Path
    unified: bool  # version 2


class Unavailable(Exception):
    """A controller cannot be used; the text says why."""


class Groups:
    """The groups of one sandbox; created by ``make``.

    Args:
        memory: maximum memory of one process of the code, in MB; 0 for no limit.
        homes: the notebook's own groups, by controller; detected by default.

    Attributes:
        folders: by controller, the folder of its group; in version 2 several share one.
        missing: by controller, why there is no group.
    """

    def __init__(self, memory: int, homes: Mapping[str, Home] | None = None) -> None:
        self._limits = {"pids": processes.MAX_PROCESSES + SANDBOX_PROCESSES}
        if memory:
            self._limits["memory"] = (processes.total_memory_limit(memory) + OWN_MEMORY) << 20
        self._homes = own_groups() if homes is None else homes
        process = processes.stat(os.getpid())
        name = f"smolcell-{os.getpid()}-{process.start if process else 0}-{secrets.token_hex(8)}"
        self.folders: dict[str, str] = {}
        self.missing: dict[str, str] = {}
        for controller in self._limits:
            try:
                self.folders[controller] = str(self._parent(controller) / name)
            except Unavailable as reason:
                self.missing[controller] = str(reason)

    def _parent(self, controller: str) -> Path:
        home = self._homes.get(controller)
        if home is None:
            raise Unavailable("this system has no such control group")
        if home.unified:
            return _parent_in_version_2(controller, home.folder)
        if _read(home.folder / "memory.use_hierarchy") == "0":
            raise Unavailable("the limits of the notebook's own group would not apply to groups below it")
        return home.folder

    def make(self) -> None:
        """Make the groups and set their limits; failures are recorded in ``missing``."""
        for parent in {Path(folder).parent for folder in self.folders.values()}:
            sweep(parent)
        for controller, folder in list(self.folders.items()):
            try:
                Path(folder).mkdir(exist_ok=True)
                self._set(controller, Path(folder), self._homes[controller].unified)
            except OSError as error:
                self._give_up(controller, str(error.strerror or error))

    def _set(self, controller: str, folder: Path, unified: bool) -> None:
        limit = self._limits[controller]
        if controller == "pids":
            (folder / "pids.max").write_text(str(limit))
        elif unified:
            (folder / "memory.max").write_text(str(limit))
            _try(folder / "memory.swap.max", "0")
        else:
            (folder / "memory.limit_in_bytes").write_text(str(limit))
            _try(folder / "memory.memsw.limit_in_bytes", str(limit))

    def take(self, pid: int) -> None:
        """Put a process in the groups; processes that it starts later are in them, too."""
        for controller, folder in list(self.folders.items()):
            try:
                Path(folder, processes.MEMBERS).write_text(str(pid))
            except OSError as error:
                self._give_up(controller, str(error.strerror or error))

    def _give_up(self, controller: str, reason: str) -> None:
        folder = self.folders.pop(controller)
        if folder not in self.folders.values():
            processes.remove_groups([folder], 0)
        self.missing[controller] = reason

    def end(self) -> bool:
        """Kill the processes left in the groups and remove them; returns whether they are gone. Idempotent."""
        return processes.remove_groups(set(self.folders.values()))

    def walls(self, limits: str) -> tuple[Wall, ...]:
        """Return the wall "limits" with this text, and "control groups" if there are any; otherwise the first says why not."""
        held = " and ".join(BOUNDED[name] for name in sorted(self.folders))
        lacking = "; ".join(
            f"no control group for {BOUNDED[name]}: {why}" for name, why in sorted(self.missing.items())
        )
        if not held:
            return (Wall(name="limits", stands=True, detail="; ".join(filter(None, (limits, lacking)))),)
        detail = f"the kernel limits the {held} of the whole sandbox"
        return (
            Wall(name="limits", stands=True, detail=limits),
            Wall(name="control groups", stands=True, detail="; ".join(filter(None, (detail, lacking)))),
        )


def own_groups() -> dict[str, Home]:
    """Return this process's groups, by controller; empty if there are none."""
    try:
        return read_groups(
            Path("/proc/self/cgroup").read_text("utf-8"), Path("/proc/self/mountinfo").read_text("utf-8")
        )
    except (OSError, ValueError):
        return {}


def read_groups(own: str, mounts: str) -> dict[str, Home]:
    """Parse this process's groups from the text of /proc/self/cgroup and /proc/self/mountinfo."""
    hierarchies = dict(_hierarchies(mounts))
    unified: list[Home] = []
    homes: dict[str, Home] = {}
    for line in own.splitlines():
        number, controllers, path = line.split(":", 2)
        names = controllers.split(",") if number != "0" else [""]
        for name in names:
            folder = _where(hierarchies.get(name), path)
            if folder is None:
                continue
            if name:
                homes[name] = Home(folder, unified=False)
            else:
                unified.append(Home(folder, unified=True))
    for home in unified:
        homes = {**dict.fromkeys(CONTROLLERS, home), **homes}
    return {name: homes[name] for name in CONTROLLERS if name in homes}


def _hierarchies(mounts: str) -> Iterator[tuple[str, tuple[str, Path]]]:
    """Yield by controller ("" for version 2) the mounted group and its folder."""
    for line in mounts.splitlines():
        head, _, tail = line.partition(" - ")
        root, place = head.split()[3:5]
        kind, _, options = tail.split(" ", 2)
        if kind == "cgroup2":
            yield "", (root, Path(place))
        elif kind == "cgroup":
            for name in options.split(","):
                yield name, (root, Path(place))


def _where(mounted: tuple[str, Path] | None, path: str) -> Path | None:
    if mounted is None:
        return None
    root, place = mounted
    below = Path(path)
    return place / below.relative_to(root) if below.is_relative_to(root) and ".." not in below.parts else None


def _parent_in_version_2(controller: str, own: Path) -> Path:
    """Return the folder in which a group with this controller can be made."""
    if not (own / "cgroup.events").exists():  # the root group may contain processes, too
        if controller not in _read(own / "cgroup.subtree_control").split():
            raise Unavailable("it is not enabled in the root control group (version 2)")
        return own
    parent = own.parent
    if not _is_delegated(parent):
        raise Unavailable(
            "control groups of version 2 need a group with DelegateSubgroup= around the notebook; its group was not delegated"
        )
    if [name for name in UNLIMITED if (_read(own / name) or "max").split()[0] != "max"]:
        raise Unavailable("a group beside the notebook's own would leave the limits that are set there")
    if controller not in _read(parent / "cgroup.subtree_control").split():
        _try(parent / "cgroup.subtree_control", f"+{controller}")
    if controller not in _read(parent / "cgroup.subtree_control").split():
        raise Unavailable("it was not delegated to the notebook's user")
    return parent


def _is_delegated(folder: Path) -> bool:
    for name in DELEGATED:
        try:
            if os.getxattr(folder, name) == b"1":
                return True
        except (OSError, AttributeError):
            pass  # it does not exist, or cannot be read
    return False


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _try(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError:
        pass


def sweep(parent: Path) -> None:
    """Remove empty groups whose owner has ended; the kernel refuses to remove others."""
    try:
        folders = list(parent.iterdir())
    except OSError:
        return
    for folder in folders:
        match = _NAME.fullmatch(folder.name)
        owner = processes.stat(int(match[1])) if match else None
        if match and (owner is None or owner.start != int(match[2])):
            try:
                folder.rmdir()
            except OSError:
                pass
