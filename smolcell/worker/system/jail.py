"""The walls around one runner, raised by itself before any code of the agent runs.

* Every wall is tried, none is assumed: what stands and what does not, and why, is reported.
* An order that cannot leave a gap: identity, no new privileges, limits, disk, and system calls last.
* A runner that cannot have the walls of the one before it does not start.
"""

from __future__ import annotations

import errno
import os
import signal
from typing import Any, NamedTuple

from . import linux, processes
from .linux import ALLOW, Checked, Rules, When, error

# --- Which system calls the sandbox's code may not make: a table that depends on which other walls stand.
#
# * What reaches into the kernel, into other processes or around a wall is refused in every situation.
# * What a namespace would have kept apart (network, processes, other people's files) is refused here if there is no such
#   namespace.
# * What data libraries need is left alone: threads, ``socketpair``, timers, ``mmap``.


_NOT_PERMITTED = error(errno.EPERM)
_MISSING = error(errno.ENOSYS)
_NOTHING = error(0)  # does nothing, and says that it worked
_WHOLE = 0xFFFFFFFF
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_THREAD = 0x00010000
_UNIX, _INET = 1, 2
_STREAM, _SOCKET_TYPES = 1, 0xF
_TCP = 6
_TIOCSTI, _TIOCLINUX, _TIOCSETD = 0x5412, 0x541C, 0x5423
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_MM = 1, 36, 35

ALWAYS = (
    # namespaces and mounts
    "unshare setns mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr "
    # other processes' memory, descriptors, secrets
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd "
    "add_key request_key keyctl open_by_handle_at name_to_handle_at lookup_dcookie "
    # wide and young parts of the kernel
    "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register fanotify_init "
    "init_module finit_module delete_module create_module query_module get_kernel_syms kexec_load kexec_file_load "
    "modify_ldt iopl ioperm uselib ustat sysfs _sysctl nfsservctl "
    # the machine as a whole
    "reboot swapon swapoff acct quotactl quotactl_fd settimeofday clock_settime clock_adjtime adjtimex sethostname "
    "setdomainname syslog vhangup "
    # memory that no limit counts
    "memfd_create memfd_secret shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink "
    "move_pages migrate_pages mbind set_mempolicy set_mempolicy_home_node "
    # more time than others
    "sched_setscheduler sched_setattr sched_setparam ioprio_set setpriority"
).split()
METADATA = "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat".split()
ATTRIBUTES = "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr".split()
SIGNALS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


class Around(NamedTuple):
    """Which walls stand around the code, as far as the table depends on it."""

    files: bool = False  # a mount namespace: other files do not exist
    network: bool = False  # a network namespace
    processes: bool = False  # a process namespace
    strangers: bool = False  # other processes are out of reach of signals: another user, or Landlock's scope
    counted: bool = False  # the number of processes is bounded
    truncation: bool = False  # Landlock watches who shortens a file by its name
    mounted: bool = False  # folders of the user are shown, in which sockets may lie
    egress: bool = False  # the proxy listens in its network namespace
    pid: int = 0  # the runner's own id


def rules(around: Around) -> Rules:
    """Return the filter for a situation."""
    refused = dict.fromkeys(ALWAYS, _NOT_PERMITTED)
    refused["clone3"] = _MISSING  # its flags are behind a pointer; the C library falls back to clone
    checked = {
        "clone": _clone(around),
        "socketpair": Checked((When(0, _WHOLE, (_UNIX,), ALLOW),), _NOT_PERMITTED),
        "ioctl": Checked((When(1, _WHOLE, (_TIOCSTI, _TIOCLINUX, _TIOCSETD), _NOT_PERMITTED),), ALLOW),
        "personality": Checked((When(0, _WHOLE, (0, _WHOLE), ALLOW),), _NOT_PERMITTED),
        "prlimit64": Checked((When(0, _WHOLE, (0,), ALLOW),), _NOT_PERMITTED),
        "prctl": _prctl(around),
    }
    sockets: tuple[When, ...] = ()
    if around.network and not around.mounted:  # else not even UNIX: Landlock does not watch who connects to a named one
        sockets = (When(0, _WHOLE, (_UNIX,), ALLOW),)
    if around.network and around.egress:
        sockets += _tcp()
    if sockets:
        checked["socket"] = Checked(sockets, _NOT_PERMITTED)
    else:
        refused["socket"] = _NOT_PERMITTED
    if not around.files:
        # Landlock lets through what changes a file without opening it. Copying files sets modes and times: it shall go on.
        refused.update(dict.fromkeys(METADATA, _NOTHING))
        refused.update(dict.fromkeys(ATTRIBUTES, error(errno.ENOTSUP)))
        refused["inotify_add_watch"] = _NOT_PERMITTED
        if not around.truncation:
            refused["truncate"] = _NOT_PERMITTED
    if not around.counted:
        refused.update({"fork": _NOT_PERMITTED, "vfork": _NOT_PERMITTED})
    if not around.processes:
        checked["sched_setaffinity"] = Checked((When(0, _WHOLE, (0,), ALLOW),), _NOT_PERMITTED)
    if not (around.processes or around.strangers):
        own = Checked((When(0, _WHOLE, (0, around.pid), ALLOW),), _NOT_PERMITTED)
        refused["pidfd_send_signal"] = _NOT_PERMITTED
        refused["tkill"] = _NOT_PERMITTED
        checked.update(dict.fromkeys(SIGNALS, own))
    return Rules(refused, checked)


def _tcp() -> tuple[When, ...]:
    """TCP over IPv4, to reach the proxy: no datagrams, no other protocol of streams."""
    others = tuple(kind for kind in range(_SOCKET_TYPES + 1) if kind != _STREAM)
    protocols = tuple(
        When(2, 1 << bit, (1 << bit,), _NOT_PERMITTED) for bit in range(32) if not _TCP >> bit & 1
    )  # 0 and TCP are left, and two that have no streams
    return (When(1, _SOCKET_TYPES, others, _NOT_PERMITTED), *protocols, When(0, _WHOLE, (_INET,), ALLOW))


def _clone(around: Around) -> Checked:
    namespaces = tuple(1 << bit for bit in range(32) if _NEW_NAMESPACES >> bit & 1)
    refused = tuple(When(0, bit, (bit,), _NOT_PERMITTED) for bit in namespaces)
    if around.counted:
        return Checked(refused, ALLOW)
    return Checked((*refused, When(0, _THREAD, (_THREAD,), ALLOW)), _NOT_PERMITTED)


def _prctl(around: Around) -> Checked:
    """Outside a process namespace the runner must die with its supervisor, and hand it its orphans."""
    kept = (_PR_SET_MM,) if around.processes else (_PR_SET_MM, _PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER)
    return Checked((When(0, _WHOLE, kept, _NOT_PERMITTED),), ALLOW)


# --- What of the disk the code can see: one list, from which the mount namespace and Landlock are both made.
#
# * What is not on the list is not there: no home, no keys, no sockets, no other sandbox.
# * Of the system only what programs and libraries are read from. Of /etc, /usr/etc and /usr/local/etc only what libraries
#   need to find each other, the time zone and fonts.
# * A folder that holds something hidden is listed child by child, because Landlock cannot take back a part of what it
#   granted. A link among the children is shown as a link and never followed.
# * Only the private folders can be written.


SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Hidden in /usr, /usr/local and /usr/local/NAME: settings and state, with keys. Not "conf": Java does not start without its own.
CONFIGURATION = ("etc", "var", "pip.conf", ".condarc", ".npmrc", "lib/node_modules/npm/npmrc")
ETC = ("/etc", "/usr/etc", "/usr/local/etc")
SETTINGS = (  # of them
    "ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path ld-musl-aarch64.path alternatives localtime timezone "
    "fonts mime.types os-release protocols services"
).split()
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
MACHINE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version")


class View(NamedTuple):
    """The disk as the code may see it; absolute paths."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    work: str
    links: tuple[str, ...] = ()  # shown as links; what they lead to is on the list itself, or is not there
    devices: tuple[str, ...] = DEVICES
    own: tuple[str, ...] = ()  # belong to whom the code runs as


def view(options: dict[str, Any]) -> View:
    """Return the list for these options.

    Args:
        options: "work", the folder the code works in; in "jail": "read", what the host's Python environment is read
            from, "write", private folders beside the work folder, "mounts", what of the user's may be read, and "devices",
            those of graphics cards.
    """
    jail = options["jail"]
    own = os.path.dirname(os.__file__)
    hidden = configuration()
    system = [part for path in SYSTEM for part in without(path, hidden)]
    links = tuple(filter(os.path.islink, system))
    closed = options.get("work_folder") == "read-only"
    read = [*jail["read"], *jail.get("mounts", ()), *([options["work"]] if closed else [])]
    lent = [part for path in map(os.path.abspath, read) for part in without(path, hidden)]
    settings = [f"{folder}/{name}" for folder in ETC for name in SETTINGS]
    wanted = dict.fromkeys([*system, *settings, *MACHINE, own, os.path.realpath(own), *lent])
    found = tuple(path for path in wanted if path not in links and os.path.exists(path))
    devices = (*DEVICES, *jail.get("devices", ()))
    private = (options["work"], *jail["write"])
    return View(found, private[1:] if closed else private, options["work"], links, devices, private)


def configuration(usr: str = "/usr") -> list[str]:
    """Return the files and folders below ``usr`` that hold configuration, as far as they exist."""
    local = os.path.join(usr, "local")
    prefixes = [usr, local, *(os.path.join(local, name) for name in _names(local))]
    found = [os.path.join(prefix, name) for prefix in prefixes for name in CONFIGURATION]
    return [path for path in found if os.path.lexists(path)]


def without(path: str, hidden: list[str]) -> list[str]:
    """Return a path without what is hidden in it: itself, or its children, or nothing."""
    if path in hidden:
        return []
    if os.path.islink(path) or not any(each.startswith(path + "/") for each in hidden):
        return [path]
    return [part for name in _names(path) for part in without(os.path.join(path, name), hidden)]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def outermost(paths: tuple[str, ...]) -> list[str]:
    """Return the paths that are not beneath another one of them, in order."""
    found: list[str] = []
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not found or not (path + "/").startswith(found[-1].rstrip("/") + "/"):
            found.append(path)
    return found


PORT = 3128  # of the proxy, on 127.0.0.1 of the sandbox
OWN_PROCESSES = 8  # of the sandbox itself, beyond those that the code may have and frozen copies
UNUSED_USERS = (1_879_048_192, 2_147_483_646)  # ids that no system hands out (systemd, "Users, Groups, UIDs and GIDs")


class Jail:
    """The walls for the runners of one supervisor.

    Args:
        options: as in the host's hello; "jail" says what the code may see, and may name walls to leave out ("without").
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self.view = view(options)
        self.without = set(options["jail"].get("without", ()))
        self.administrator = os.geteuid() == 0
        self.user = _stranger() if self.administrator else 0  # the user that the code runs as; 0: the present one
        self.namespaces = True
        self.egress = bool(options.get("egress"))  # the first process of its namespaces opens a listener for the proxy
        self.group = options["jail"].get("groups", {}).get("pids", "")  # the control group that counts its processes
        self.missing: dict[str, str] = {}  # walls that no runner can have: why
        if "namespaces" in self.without:
            self.give_up_namespaces("switched off")

    def give_up_namespaces(self, reason: str) -> None:
        """They cannot be had here; then another user must be able to read what Python needs, or there is no second user."""
        self.namespaces = False
        if self.group:
            processes.bound(
                self.group, processes.FEW_PROCESSES + OWN_PROCESSES + int(self._options.get("checkpoints", 0))
            )
        self.missing["namespaces"] = reason
        if self.user and "identity" not in self.without:
            closed = self._open_to_others()
            if closed:
                self.user, self.missing["identity"] = 0, f"runs as root: {closed}"

    # --- in the first process of the namespaces ---

    def give_folders(self) -> None:
        """The code's own folders belong to whom the code runs as."""
        for folder in self.view.own if self.user else ():
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
        processes.prctl(processes.PR_SET_DUMPABLE, 0)
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)

    # --- in the runner ---

    def raise_walls(self, in_namespaces: bool) -> dict[str, str]:
        """Raise the walls around this process; name to "" if it stands, else to the reason why not."""
        walls = dict(self.missing)
        walls.setdefault("namespaces", "")
        os.chdir(self.view.work)
        self._try(walls, "identity", self._become_nobody)
        self._try(walls, "privileges", self._drop_privileges)
        processes.prctl(processes.PR_SET_DUMPABLE, 1)  # the reaper finds it by its environment
        if not in_namespaces:
            processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)  # after the identity, which takes it away
        counted = self._limit(walls, in_namespaces)
        abi = 0 if "landlock" in self.without else linux.version()
        self._try(walls, "landlock", self._shut_disk, abi, in_namespaces)
        around = Around(
            files=in_namespaces,
            network=in_namespaces,
            processes=in_namespaces,
            strangers=walls["identity"] == "" or (abi >= 6 and walls["landlock"] == ""),
            counted=counted,
            truncation=abi >= 3,
            mounted=bool(self._options["jail"].get("mounts")),
            egress=self.egress,
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
        for path in self.view.own:
            above = os.path.dirname(path)
            os.chmod(path, 0o700)  # it will be the other user's alone
            os.chmod(above, 0o711)  # noqa: S103 - to pass through, not to look into
            if not _is_open(above, 0o001):
                return f"{above} cannot be reached by another user"
        closed = [path for path in self._options["jail"]["read"] if os.path.exists(path) and not _is_open(path)]
        return f"{closed[0]} cannot be read by another user" if closed else ""

    def _drop_privileges(self) -> None:
        linux.drop_capabilities()
        linux.set_no_new_privileges()

    def _shut_disk(self, abi: int, in_namespaces: bool) -> str:
        if not abi:
            return "this kernel has no Landlock, or it is switched off"
        granted = [(path, linux.READ) for path in self.view.read]
        granted += [(path, linux.READ_FILE | linux.READ_DIR | linux.WRITE) for path in self.view.write]
        granted += [(path, linux.DEVICE | (0 if path in DEVICES else linux.IOCTL_DEV)) for path in self.view.devices]
        if in_namespaces:
            own = linux.READ_FILE | linux.READ_DIR | linux.WRITE
            granted += [("/tmp", own), ("/dev/shm", own), ("/proc", linux.READ), ("/", linux.READ_DIR)]  # noqa: S108 - its own
        else:
            granted += [(path, linux.READ) for path in (*FACTS, "/proc/self")]
        linux.restrict(abi, granted, (PORT,) if self.egress and in_namespaces else ())
        return ""

    def _limit(self, walls: dict[str, str], in_namespaces: bool) -> bool:
        """Set the limits; whether the number of processes is one of them."""
        counted, others = True, 0
        if walls["identity"] != "":
            if os.geteuid() == 0:
                counted = bool(self.group)  # else the kernel does not count root's processes
            elif not (in_namespaces and _release() >= (5, 14)):  # since then, each user namespace counts for itself
                others = processes.threads_of(os.getuid())
        most = processes.PROCESSES if in_namespaces else processes.FEW_PROCESSES
        processes.apply(processes.limits(self._options, others if counted else None, most))
        if not in_namespaces:
            os.nice(10)  # many processes of the code must not keep the supervisor from ending them
        return counted

    @staticmethod
    def _refuse_calls(around: Around) -> str:
        machine = linux.machine()
        if not machine:
            return "the system calls of this machine are not known"
        linux.install(linux.program(rules(around), machine))
        return ""


def _stranger() -> int:
    """Return an id that no person and no service has, as far as this user namespace has ids."""
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
    """Return whether everybody may go to a path and read it (or what else is wanted)."""
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
