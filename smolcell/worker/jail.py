"""The walls around one runner, raised by itself before any code of the agent runs.

The rules this file exists to keep:

* Every wall is tried, none is assumed: what stands and what does not, and why, is reported.
* An order that cannot leave a gap: identity, no new privileges, limits, disk, and system calls last.
* A runner that cannot have the walls of the one before it does not start.
"""

from __future__ import annotations

import os
import signal
from typing import Any

from . import kernel, landlock, limits, process, refusals, seccomp, view

UNUSED_USERS = (1_879_048_192, 2_147_483_646)  # ids that nobody hands out (systemd, "Users, Groups, UIDs and GIDs")


class Jail:
    """The walls for the runners of one supervisor.

    Args:
        options: as in the host's hello; "jail" says what the code may see, and may name walls to leave out ("without").
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self.view = view.view(options)
        self.without = set(options["jail"].get("without", ()))
        self.administrator = os.geteuid() == 0
        self.user = _stranger() if self.administrator else 0  # whom the code runs as; 0: whoever we are
        self.namespaces = True
        self.missing: dict[str, str] = {}  # walls that no runner can have: why
        if "namespaces" in self.without:
            self.give_up_namespaces("switched off")

    def give_up_namespaces(self, reason: str) -> None:
        """They cannot be had here; then another user must be able to read what Python needs, or there is none."""
        self.namespaces = False
        self.missing["namespaces"] = reason
        if self.user and "identity" not in self.without:
            closed = self._open_to_others()
            if closed:
                self.user, self.missing["identity"] = 0, f"runs as root: {closed}"

    # --- in the first process of the namespaces ---

    def give_folders(self) -> None:
        """The code's own folders belong to whom the code runs as."""
        for folder in self.view.write if self.user else ():
            if os.stat(folder).st_uid == self.user:
                continue  # a later runner: what is in it is its own
            for path, folders, files in os.walk(folder):
                for name in (".", *folders, *files):
                    os.chown(os.path.join(path, name), self.user, self.user, follow_symlinks=False)

    def wait_unprivileged(self) -> None:
        """Give up every right: what follows is waiting."""
        if self.user:
            self._become_nobody()
        self._drop_privileges()
        process.prctl(process.PR_SET_DUMPABLE, 0)
        process.prctl(process.PR_SET_PDEATHSIG, signal.SIGKILL)

    # --- in the runner ---

    def raise_walls(self, in_namespaces: bool) -> dict[str, str]:
        """Raise the walls around this process; name to "" where it stands, else to the reason why not."""
        walls = dict(self.missing)
        walls.setdefault("namespaces", "")
        os.chdir(self.view.work)
        self._try(walls, "identity", self._become_nobody)
        self._try(walls, "privileges", self._drop_privileges)
        process.prctl(process.PR_SET_DUMPABLE, 1)  # the reaper finds it by its environment
        if not in_namespaces:
            process.prctl(process.PR_SET_PDEATHSIG, signal.SIGKILL)  # after the identity, which takes it away
        counted = self._limit(walls, in_namespaces)
        abi = 0 if "landlock" in self.without else landlock.version()
        self._try(walls, "landlock", self._shut_disk, abi, in_namespaces)
        around = refusals.Around(
            files=in_namespaces,
            network=in_namespaces,
            processes=in_namespaces,
            strangers=walls["identity"] == "" or (abi >= 6 and walls["landlock"] == ""),
            counted=counted,
            truncation=abi >= 3,
            pid=os.getpid(),
        )
        self._try(walls, "seccomp", self._refuse_calls, around)
        walls["signals"] = "" if in_namespaces or around.strangers or walls["seccomp"] == "" else walls["seccomp"]
        walls["forks"] = "" if counted else "the number of processes cannot be bounded here, so none can be started"
        return walls

    def _try(self, walls: dict[str, str], name: str, work: Any, *args: Any) -> None:
        if name in self.without:
            walls[name] = "switched off"
            return
        try:
            walls[name] = work(*args) or ""
        except OSError as error:
            walls[name] = str(error.strerror or error)

    def _become_nobody(self) -> str:
        if not self.user:
            return self.missing.get("identity", "runs as you")
        os.setgroups([])
        os.setresgid(self.user, self.user, self.user)
        os.setresuid(self.user, self.user, self.user)
        return ""

    def _open_to_others(self) -> str:
        """Let others through to the code's own folders; "" or why another user could not read what Python needs."""
        for path in self.view.write:
            above = os.path.dirname(path)
            os.chmod(path, 0o700)  # it will be the other user's, and nobody else's
            os.chmod(above, 0o711)  # noqa: S103 - to pass through, not to look into
            if not _is_open(above, 0o001):
                return f"{above} cannot be reached by another user"
        closed = [path for path in self._options["jail"]["read"] if os.path.exists(path) and not _is_open(path)]
        return f"{closed[0]} cannot be read by another user" if closed else ""

    def _drop_privileges(self) -> None:
        kernel.drop_capabilities()
        kernel.set_no_new_privileges()

    def _shut_disk(self, abi: int, in_namespaces: bool) -> str:
        if not abi:
            return "this kernel has no Landlock, or it is switched off"
        granted = [(path, landlock.READ) for path in self.view.read]
        granted += [(path, landlock.READ_FILE | landlock.READ_DIR | landlock.WRITE) for path in self.view.write]
        granted += [(path, landlock.DEVICE) for path in view.DEVICES]
        if in_namespaces:
            own = landlock.READ_FILE | landlock.READ_DIR | landlock.WRITE
            granted += [("/tmp", own), ("/dev/shm", own), ("/proc", landlock.READ), ("/", landlock.READ_DIR)]  # noqa: S108 - its own
        else:
            granted += [(path, landlock.READ) for path in (*view.FACTS, "/proc/self")]
        landlock.restrict(abi, granted)
        return ""

    def _limit(self, walls: dict[str, str], in_namespaces: bool) -> bool:
        """Set the limits; whether the number of processes is one of them."""
        counted, others = True, 0
        if walls["identity"] != "":
            if os.geteuid() == 0:
                counted = "pids" in self._options["jail"].get(
                    "groups", ()
                )  # else the kernel does not count root's processes
            elif not (in_namespaces and _release() >= (5, 14)):  # since then, each user namespace counts for itself
                others = limits.threads_of(os.getuid())
        limits.apply(limits.limits(self._options, others if counted else None))
        return counted

    @staticmethod
    def _refuse_calls(around: refusals.Around) -> str:
        machine = kernel.machine()
        if not machine:
            return "the system calls of this machine are not known"
        seccomp.install(seccomp.program(refusals.rules(around), machine))
        return ""


def _stranger() -> int:
    """An id that no person and no service has, as far as this user namespace has ids."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            ranges = [[int(word) for word in line.split()] for line in file]
    except (OSError, ValueError):
        ranges = []
    first, last = UNUSED_USERS
    if not any(start <= first and start + count > last for start, _, count in ranges):
        start, _, count = max(ranges, key=lambda item: item[2], default=[0, 0, 65534])
        first, last = start + count // 2, start + min(count, 65533) - 1 if count <= 65536 else start + count - 1
    return first + int.from_bytes(os.urandom(6), "big") % max(1, last - first + 1)


def _is_open(path: str, wanted: int = 0o004) -> bool:
    """Whether everybody may go to a path and read it (or what else is wanted)."""
    path = os.path.realpath(path)
    try:
        if not os.stat(path).st_mode & wanted:
            return False
        while path != "/":
            path = os.path.dirname(path)
            if not os.stat(path).st_mode & 0o001:
                return False
    except OSError:
        return False
    return True


def _release() -> tuple[int, ...]:
    parts = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(part) for part in parts if part.isdigit())
