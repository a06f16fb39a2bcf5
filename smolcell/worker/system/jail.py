"""The walls around one runner, which raises them itself before any code of the agent runs.

* Every wall is tried: the report says which stand, and why others do not.
* The order leaves no gap: identity, no new privileges, limits, disk, and system calls last.
* A runner that cannot have the same walls as the one before it does not start.
"""

from __future__ import annotations

import errno
import glob
import os
import signal
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from . import folders, linux, processes
from .linux import ALLOW, ArgumentCondition, CheckedCall, Rules, error

# --- System calls that are refused to the sandbox's code, depending on the other walls.
#
# * Calls that reach deep into the kernel, into other processes or around a wall are always refused.
# * Without a namespace, calls that it would have made harmless (network, processes, files of other users) are refused here.
# * Calls that data libraries need are allowed: threads, ``socketpair``, timers, ``mmap``.


_NOT_PERMITTED = error(errno.EPERM)
_MISSING = error(errno.ENOSYS)
_NOTHING = error(0)  # succeeds without doing anything
_WHOLE = 0xFFFFFFFF
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_FILES, _THREAD = 0x00000400, 0x00010000  # CLONE_FILES, CLONE_THREAD
_CLOSE_RANGE_UNSHARE = 2
_UNIX, _INET = 1, 2
_STREAM, _SEQPACKET, _SOCKET_TYPES = 1, 5, 0xF  # the bits above are flags
_TCP = 6
_TIOCSTI, _TIOCLINUX, _TIOCSETD = 0x5412, 0x541C, 0x5423
_FIOSETOWN, _SIOCSPGRP = 0x8901, 0x8902
_F_SETOWN, _F_SETOWN_EX = 8, 15
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
SOCKETS = ("socket", "bind", "connect", "listen", "accept", "accept4")


class ActiveWalls(NamedTuple):
    """The walls around the code, as far as the table depends on them."""

    files: bool = False  # mount namespace: other files do not exist
    network: bool = False  # a network namespace
    processes: bool = False  # a process namespace
    strangers: bool = False  # other processes cannot be signalled: another user, or Landlock's scope
    counted: bool = False  # the number of processes is limited
    truncation: bool = False  # Landlock controls truncation by path
    mounted: bool = False  # folders of the user are mounted, which may contain sockets
    egress: bool = False  # the proxy listens in its network namespace
    pid: int = 0  # the runner's own id


def build_rules(around: ActiveWalls) -> Rules:
    """Return the system call filter behind these walls."""
    refused = dict.fromkeys(ALWAYS, _NOT_PERMITTED)
    refused["clone3"] = _MISSING  # a filter cannot read its flags, behind a pointer; libc falls back to clone
    checked = {
        "clone": _check_clone(around),
        "close_range": CheckedCall(
            (ArgumentCondition(2, _CLOSE_RANGE_UNSHARE, (_CLOSE_RANGE_UNSHARE,), _NOT_PERMITTED),), ALLOW
        ),
        # The two types that stay connected to each other: the others send to any named socket.
        "socketpair": CheckedCall(
            (_refuse_types_but(_STREAM, _SEQPACKET), ArgumentCondition(0, _WHOLE, (_UNIX,), ALLOW)), _NOT_PERMITTED
        ),
        "ioctl": _refuse_commands(_TIOCSTI, _TIOCLINUX, _TIOCSETD, _FIOSETOWN, _SIOCSPGRP),
        "fcntl": _refuse_commands(_F_SETOWN, _F_SETOWN_EX),  # the kernel signals a descriptor's owner
        "personality": CheckedCall((ArgumentCondition(0, _WHOLE, (0, _WHOLE), ALLOW),), _NOT_PERMITTED),
        "prlimit64": CheckedCall((ArgumentCondition(0, _WHOLE, (0,), ALLOW),), _NOT_PERMITTED),
        "prctl": _check_prctl(around),
    }
    sockets: tuple[ArgumentCondition, ...] = ()
    # Otherwise no sockets at all: Landlock does not control connections to named UNIX sockets.
    if around.network and not around.mounted:
        sockets = (ArgumentCondition(0, _WHOLE, (_UNIX,), ALLOW),)
    if around.network and around.egress:
        sockets += _allow_tcp()
    if sockets:
        checked["socket"] = CheckedCall(sockets, _NOT_PERMITTED)
    else:
        refused.update(dict.fromkeys(SOCKETS, _NOT_PERMITTED))
    if not around.files:
        # Landlock does not control changes of modes and times. Copying files sets them: ignore the call instead of failing it.
        refused.update(dict.fromkeys(METADATA, _NOTHING))
        refused.update(dict.fromkeys(ATTRIBUTES, error(errno.ENOTSUP)))
        refused["inotify_add_watch"] = _NOT_PERMITTED
        if not around.truncation:
            refused["truncate"] = _NOT_PERMITTED
    if not around.counted:
        refused.update({"fork": _NOT_PERMITTED, "vfork": _NOT_PERMITTED})
    if not around.processes:
        checked["sched_setaffinity"] = CheckedCall((ArgumentCondition(0, _WHOLE, (0,), ALLOW),), _NOT_PERMITTED)
    if not (around.processes or around.strangers):
        own = CheckedCall((ArgumentCondition(0, _WHOLE, (0, around.pid), ALLOW),), _NOT_PERMITTED)
        refused["pidfd_send_signal"] = _NOT_PERMITTED
        refused["tkill"] = _NOT_PERMITTED
        checked.update(dict.fromkeys(SIGNALS, own))
    return Rules(refused, checked)


def _refuse_commands(*commands: int) -> CheckedCall:
    return CheckedCall((ArgumentCondition(1, _WHOLE, commands, _NOT_PERMITTED),), ALLOW)


def _refuse_types_but(*allowed: int) -> ArgumentCondition:
    """Refuse the types of sockets that are not listed."""
    others = tuple(kind for kind in range(_SOCKET_TYPES + 1) if kind not in allowed)
    return ArgumentCondition(1, _SOCKET_TYPES, others, _NOT_PERMITTED)


def _allow_tcp() -> tuple[ArgumentCondition, ...]:
    """Allow TCP over IPv4, to reach the proxy: no datagrams, no other stream protocols."""
    # 0 and TCP remain, and two protocols without streams.
    others = [1 << bit for bit in range(32) if not _TCP >> bit & 1]
    protocols = (ArgumentCondition(2, bit, (bit,), _NOT_PERMITTED) for bit in others)
    return _refuse_types_but(_STREAM), *protocols, ArgumentCondition(0, _WHOLE, (_INET,), ALLOW)


def _check_clone(around: ActiveWalls) -> CheckedCall:
    """Check clone: no namespaces, and no thread with open files of its own, which the disk limit does not look at."""
    namespaces = tuple(1 << bit for bit in range(32) if _NEW_NAMESPACES >> bit & 1)
    refused = (
        *(ArgumentCondition(0, bit, (bit,), _NOT_PERMITTED) for bit in namespaces),
        ArgumentCondition(0, _THREAD | _FILES, (_THREAD,), _NOT_PERMITTED),
    )
    if around.counted:
        return CheckedCall(refused, ALLOW)
    return CheckedCall((*refused, ArgumentCondition(0, _THREAD, (_THREAD,), ALLOW)), _NOT_PERMITTED)


def _check_prctl(around: ActiveWalls) -> CheckedCall:
    """Check prctl: outside a process namespace the runner must die with its supervisor, and leave it its orphans."""
    kept = (_PR_SET_MM,) if around.processes else (_PR_SET_MM, _PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER)
    return CheckedCall((ArgumentCondition(0, _WHOLE, kept, _NOT_PERMITTED),), ALLOW)


# --- The part of the disk that the code can see: one list, used for the mount namespace and for Landlock.
#
# * Only listed paths exist: no home, no keys, no sockets, no other sandbox.
# * Of the system, only programs and libraries are listed; of /etc, /usr/etc and /usr/local/etc only what libraries need to
#   find each other, the time zone and fonts.
# * A hidden part of a listed folder is covered by a mount. Landlock cannot take back a part of what it granted: it grants the
#   folder child by child, and follows no links among the children.
# * Only the private folders are writable.


SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Hidden in a prefix and in its "lib/python*": settings and state, with keys. Not "conf", without which Java does not start.
CONFIGURATION = (
    ".condarc .env */.env .mambarc .npmrc conda-meta condarc condarc.d etc lib/R/etc/R*.site lib/node_modules/npm/npmrc pip.conf "
    "pkgs share/jupyter share/nodejs/npm/npmrc var distutils/distutils.cfg *-packages/setuptools/_distutils/distutils.cfg"
).split()
ACTIVATION = "bin/*[Aa]ctivate*"  # hidden, too, beside a Python, but not in /usr itself
# Prefixes below /usr, and in them those of conda, pyenv and nvm. Not lib/*, since R does not start without its etc.
PREFIXES = ("local", "local/*", "local/share/*/bin/..", "share/*/bin/..")
ENVIRONMENTS = ("envs/*", "versions/*", "versions/*/envs/*", "versions/node/*", "nodejs/*")
ETC = ("/etc", "/usr/etc", "/usr/local/etc")
SETTINGS = (  # names listed in ETC
    "ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path ld-musl-aarch64.path alternatives localtime timezone "
    "fonts mime.types os-release protocols services"
).split()
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
MACHINE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version")


class DiskView(NamedTuple):
    """The paths of the disk that the code can see; absolute."""

    mounts: dict[str, bool]  # whether a path is shown or, inside a shown one, covered; outer paths first
    rights: list[tuple[str, int]]  # what Landlock grants of it
    write: tuple[str, ...]
    work: str
    links: tuple[str, ...] = ()  # shown as links; their targets are listed themselves, or do not exist
    devices: tuple[str, ...] = DEVICES
    own: tuple[str, ...] = ()  # owned by the user that the code runs as


def build_view(options: dict[str, Any]) -> DiskView:
    """Build the view for these options.

    Args:
        options: "work", the work folder; in "jail": "read", the paths of the host's Python environment; "write", private
            folders besides the work folder; "mounts", paths of the user's that may be read; "devices", device files of
            graphics cards.
    """
    jail = options["jail"]
    own = os.path.dirname(os.__file__)
    links = tuple(filter(os.path.islink, SYSTEM))
    closed = options.get("work_folder") == "read-only"
    lent = [os.path.abspath(path) for path in (*jail["read"], *jail.get("mounts", ()))]
    lent += [*map(os.path.realpath, lent), *([options["work"]] if closed else [])]
    settings = [f"{folder}/{name}" for folder in ETC for name in SETTINGS]
    wanted = [*SYSTEM, *settings, *MACHINE, own, os.path.realpath(own), *lent]
    existing = [path for path in wanted if path not in links and os.path.exists(path)]
    mounts = plan_mounts(existing, find_configuration(jail["read"]))
    devices = (*DEVICES, *jail.get("devices", ()))
    private = (options["work"], *jail["write"])
    write = private[1:] if closed else private
    return DiskView(mounts, list_rights(mounts), write, options["work"], links, devices, private)


def find_configuration(read: Iterable[str], usr: str = "/usr") -> set[str]:
    """Return the files and folders with configuration below ``usr`` and in an installation; real paths, of links the targets.

    A link's target may be shown elsewhere; one that holds the installation itself is left out.

    Args:
        read: the installation's folders, such as ``bin`` and ``site-packages``.
    """
    prefixes = [found for pattern in PREFIXES for found in glob.glob(f"{usr}/{pattern}")]
    prefixes += [found for prefix in prefixes for pattern in ENVIRONMENTS for found in glob.glob(f"{prefix}/{pattern}")]
    prefixes += [os.path.dirname(path) for path in read if os.path.basename(path) in folders.INSTALLATION_FOLDERS]
    prefixes += [f"{path}/../../.." for path in read if path.endswith("-packages")]
    found: set[str] = set()
    for prefix in (usr, *{os.path.realpath(prefix) for prefix in prefixes}):
        escaped = glob.escape(prefix)
        places = (escaped, *map(glob.escape, glob.glob(f"{escaped}/lib/python*")))
        patterns = [f"{place}/{name}" for place in places for name in CONFIGURATION]
        if prefix != usr and os.path.lexists(f"{prefix}/bin/python"):
            patterns.append(f"{escaped}/{ACTIVATION}")
        paths = [path for pattern in patterns for path in glob.glob(pattern)]
        real = {os.path.realpath(path) for path in paths if os.path.exists(path)}
        found |= {path for path in real if not f"{prefix}/".startswith(f"{path}/")}
    return found


def plan_mounts(paths: Iterable[str], hidden: Collection[str] = ()) -> dict[str, bool]:
    """Return what a mount namespace mounts (True) and what it covers (False), outer paths first.

    A path inside another is part of that one's mount, unless it lies in a covered folder.

    Args:
        hidden: real paths.
    """
    plan: dict[str, bool] = {}
    for path in sorted(paths, key=lambda path: path.split("/")):
        above = path
        while above not in plan and above != "/":
            above = os.path.dirname(above)
        if plan.get(above):
            continue
        real = os.path.realpath(path)
        if real in hidden:
            continue
        plan[path] = True
        below = sorted(each for each in hidden if each.startswith(real + "/"))
        outermost = [each for each in below if not any(each.startswith(other + "/") for other in below)]
        plan.update({path + each[len(real) :]: False for each in outermost})
    return plan


def list_rights(mounts: dict[str, bool]) -> list[tuple[str, int]]:
    """Return what Landlock grants in place of these mounts: paths and rights.

    A folder with a covered part is granted child by child, without links; its names can be listed if only files are covered.
    """
    covered = [path for path, is_shown in mounts.items() if not is_shown]

    def around(path: str) -> list[tuple[str, int]]:
        if path in covered:
            return []
        inside = [each for each in covered if each.startswith(path + "/")]
        if not inside:
            return [(path, linux.READ)]
        names = [] if any(map(os.path.isdir, inside)) else [(path, linux.READ_DIR)]
        children = [os.path.join(path, name) for name in sorted(processes.list_folder(path))]
        return names + [part for child in children if not os.path.islink(child) for part in around(child)]

    return [part for path, is_shown in mounts.items() if is_shown for part in around(path)]


PORT = 3128  # of the proxy, on 127.0.0.1 of the sandbox
SANDBOX_PROCESSES = 8  # processes of the sandbox itself, besides those of the code and frozen copies
UNUSED_USERS = (1_879_048_192, 2_147_483_646)  # ids that no system assigns (systemd, "Users, Groups, UIDs and GIDs")


class Jail:
    """Walls for the runners of one supervisor.

    Args:
        options: as in the host's hello; "jail" lists what the code may see, and may name walls to leave out ("without").
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self.view = build_view(options)
        self.without = set(options["jail"].get("without", ()))
        self.administrator = os.geteuid() == 0
        self.user = _choose_unused_user() if self.administrator else 0  # that the code runs as; 0: the current one
        self.namespaces = True
        self.egress = bool(options.get("egress"))  # the first process in the namespaces opens a listener for the proxy
        self.group = options["jail"].get("groups", {}).get("pids", "")  # control group that limits processes
        self.missing: dict[str, str] = {}  # wall -> why no runner can have it
        if "namespaces" in self.without:
            self.give_up_namespaces("switched off")

    def give_up_namespaces(self, reason: str) -> None:
        """Do without namespaces: then a second user needs to be able to read Python's files; otherwise there is no second user."""
        self.namespaces = False
        if self.group:
            own = SANDBOX_PROCESSES + int(self._options.get("checkpoints", 0))
            processes.limit_processes(self.group, processes.MAX_PROCESSES_WITHOUT_NAMESPACE + own)
        self.missing["namespaces"] = reason
        if self.user and "identity" not in self.without:
            closed = self._open_to_others()
            if closed:
                self.user, self.missing["identity"] = 0, f"runs as root: {closed}"

    # --- in the first process of the namespaces ---

    def give_folders(self) -> None:
        """Give the code's folders to the user that the code runs as."""
        for folder in self.view.own if self.user else ():
            if os.stat(folder).st_uid == self.user:
                continue  # a later runner: the files in it have their owner already
            for path, below, files in os.walk(folder):
                for name in (".", *below, *files):
                    os.chown(os.path.join(path, name), self.user, self.user, follow_symlinks=False)

    def wait_unprivileged(self) -> None:
        """Give up all privileges: init only waits from now on."""
        if self.user:
            self._become_nobody()
        self._drop_privileges()
        processes.prctl(processes.PR_SET_DUMPABLE, 0)
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)

    # --- in the runner ---

    def raise_walls(self, in_namespaces: bool) -> dict[str, str]:
        """Raise the walls around this process; returns wall -> "" if it stands, else why it does not."""
        walls = dict(self.missing)
        walls.setdefault("namespaces", "")
        os.chdir(self.view.work)
        self._try(walls, "identity", self._become_nobody)
        self._try(walls, "privileges", self._drop_privileges)
        processes.prctl(processes.PR_SET_DUMPABLE, 1)  # the reaper finds it by its environment
        if not in_namespaces:
            processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of identity, which resets it
        counted = self._limit(walls, in_namespaces)
        abi = 0 if "landlock" in self.without else linux.landlock_abi()
        self._try(walls, "landlock", self._shut_disk, abi, in_namespaces)
        around = ActiveWalls(
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
        walls["forks"] = "" if counted else "the number of processes cannot be limited here, so none can be started"
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
        """Let other users pass to the code's folders; returns "" or why another user could not read Python's files."""
        for path in self.view.own:
            above = os.path.dirname(path)
            os.chmod(path, 0o700)  # it will belong to the other user alone
            os.chmod(above, 0o711)  # noqa: S103 - to pass through, not to list it
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
        granted = list(self.view.rights)
        mounts = filter(os.path.isdir, self._options["jail"].get("mounts", ()))
        granted += [(path, linux.READ_DIR) for path in mounts]  # also if a part of it is hidden
        granted += [(path, linux.READ_FILE | linux.READ_DIR | linux.WRITE) for path in self.view.write]
        granted += [(path, linux.DEVICE | (0 if path in DEVICES else linux.IOCTL_DEV)) for path in self.view.devices]
        if in_namespaces:
            own = linux.READ_FILE | linux.READ_DIR | linux.WRITE
            granted += [("/tmp", own), ("/dev/shm", own), ("/proc", linux.READ), ("/", linux.READ_DIR)]  # noqa: S108 - its own
        else:
            granted += [(path, linux.READ) for path in (*FACTS, "/proc/self")]
        linux.restrict_files(abi, granted, (PORT,) if self.egress and in_namespaces else ())
        return ""

    def _limit(self, walls: dict[str, str], in_namespaces: bool) -> bool:
        """Set the resource limits; returns whether the number of processes is limited."""
        counted, others = True, 0
        if walls["identity"] != "":
            if os.geteuid() == 0:
                counted = bool(self.group)  # otherwise the kernel does not count root's processes
            elif not (in_namespaces and _kernel_release() >= (5, 14)):  # which counts each user namespace separately
                others = processes.count_user_threads(os.getuid())
        most = processes.MAX_PROCESSES if in_namespaces else processes.MAX_PROCESSES_WITHOUT_NAMESPACE
        processes.apply_limits(processes.resource_limits(self._options, others if counted else None, most))
        if not in_namespaces:
            os.nice(10)  # many processes of the code must not delay the supervisor that ends them
        return counted

    @staticmethod
    def _refuse_calls(around: ActiveWalls) -> str:
        machine = linux.machine()
        if not machine:
            return "the system calls of this machine are not known"
        linux.install_filter(linux.build_filter(build_rules(around), machine))
        return ""


def _choose_unused_user() -> int:
    """Return a user id that no person or service has, among those of this user namespace."""
    ranges = [[int(word) for word in line.split()] for line in processes.read_file("/proc/self/uid_map").splitlines()]
    first, last = UNUSED_USERS
    if not any(start <= first and start + count > last for start, _, count in ranges):
        start, _, count = max(ranges, key=lambda item: item[2], default=[0, 0, 65534])
        first, last = start + count // 2, start + min(count, 65533) - 1 if count <= 65536 else start + count - 1
    return first + int.from_bytes(os.urandom(6), "big") % max(1, last - first + 1)


def _is_open(path: str, wanted: int = 0o004) -> bool:
    """Return whether every user can reach a path and has the permission bit ``wanted`` on it."""
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


def _kernel_release() -> tuple[int, ...]:
    parts = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(part) for part in parts if part.isdigit())
