"""Starts a confined process: forked by the supervisor, in new namespaces if possible.

* In namespaces, three processes follow each other: one that leaves the host's namespaces and ends, the first process of the
  new ones (``init``), and the runner. Killing ``init`` kills all of them at once.
* ``init`` only waits: it reports how the runner ended, and ends.
* The runner's walls stand, and are reported, before ``run`` is called.
"""

from __future__ import annotations

import array
import ctypes
import json
import os
import signal
import socket
import stat
import struct
from contextlib import suppress
from typing import Any, Callable, NamedTuple

from . import linux, processes
from .jail import PORT, DiskView, Jail

# --- Namespaces: the sandbox gets a separate disk, network and set of processes.
#
# * Root needs no user namespace and gives up its identity afterwards; other users are mapped to themselves only.
# * The new root holds only what the view lists; the old one is detached before any code runs.
# * A failure raises OSError with the name of the step, so that the supervisor can say why a wall is missing.
#
# Source: namespaces(7), user_namespaces(7), mount_namespaces(7), pivot_root(2).


NEW_MOUNTS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH = 2
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_SAFE = _NO_SUID | _NO_DEVICES
SHARED_MEMORY = "64m"  # size of /dev/shm, and of /tmp
MAX_FILES = 10_000  # maximum files in each of them


class NamespaceError(OSError):
    """A namespace cannot be created; the text names the step."""


def leave_namespaces(administrator: bool) -> None:
    """Leave the host's namespaces; the next forked process is the first of its process namespace."""
    user, group = os.geteuid(), os.getegid()
    flags = NEW_MOUNTS | NEW_UTS | NEW_IPC | NEW_PROCESSES | NEW_NETWORK
    if not administrator:
        processes.prctl(processes.PR_SET_DUMPABLE, 1)  # otherwise it cannot write its user map
        _step("a user namespace", linux.call, "unshare", NEW_USER)
        _step("a user namespace", _write_user_map, user, group)
    _step("namespaces", linux.call, "unshare", flags)
    try:
        linux.call("unshare", NEW_CGROUP)
    except OSError:
        pass  # this namespace only hides names of control groups


def _write_user_map(user: int, group: int) -> None:
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _step(name: str, work: Any, *args: Any) -> None:
    try:
        work(*args)
    except OSError as error:
        raise NamespaceError(error.errno, f"{name}: {os.strerror(error.errno or 0)}") from error


def build_root(shown: DiskView) -> None:
    """Make the view the whole disk of this process. For the first process of a new process namespace."""
    root = os.path.join(os.path.dirname(shown.work), "root")
    os.makedirs(root, exist_ok=True)
    _step("mounts of its own", _mount, None, "/", None, _PRIVATE | _RECURSIVE)
    _step("an empty root", _mount, "tmpfs", root, "tmpfs", _SAFE, "size=1m,nr_inodes=4k,mode=755")
    later = [path for path in shown.mounts if path.startswith("/tmp/")]  # noqa: S108 - an environment may lie there
    read = [path for path in shown.mounts if path not in later and _mount_planned(root, path, shown)]
    for path in shown.links:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.symlink(os.readlink(path), root + path)
    for path in (*shown.write, "/tmp", "/dev/shm", "/proc"):  # noqa: S108 - the sandbox's own
        os.makedirs(root + path, exist_ok=True)
    for path in shown.devices:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.close(os.open(root + path, os.O_CREAT | os.O_WRONLY, 0o666))
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    _step("a read-only disk", _make_read_only, root, read)
    for path in ("/tmp", "/dev/shm"):  # noqa: S108
        options = f"size={SHARED_MEMORY},nr_inodes={MAX_FILES},mode=1777"
        _step(path, _mount, "tmpfs", root + path, "tmpfs", _SAFE | _NO_PROGRAMS, options)
    later = [path for path in later if _mount_planned(root, path, shown)]
    for path in later:
        _step(path, _make_read_only, root + path, [])
    for path in shown.write:
        os.makedirs(root + path, exist_ok=True)  # the mounts hide those in /tmp by now
        _step(path, _mount, path, root + path, None, _BIND | _RECURSIVE)
    for path in shown.devices:
        _step(path, _mount, path, root + path, None, _BIND)
    try:
        _mount("proc", root + "/proc", "proc", _SAFE | _NO_PROGRAMS | _READ_ONLY)
    except OSError:
        pass  # some systems forbid it
    _step("a new root", _pivot, root)
    try:
        linux.call("sethostname", b"sandbox", 7)
    except OSError:
        pass


def _mount_planned(root: str, path: str, shown: DiskView) -> bool:
    """Show or cover a path, as the view says; returns whether it is mounted now."""
    return _mount_visible(root, path) if shown.mounts[path] else _cover(root, path)


def _cover(root: str, path: str) -> bool:
    """Mount over a file or folder what nobody can open or list."""
    target = root + path
    if not os.path.lexists(target):
        return False  # what contains it is not mounted
    if os.path.isdir(target):
        _step(path, _mount, "tmpfs", target, "tmpfs", _SAFE | _NO_PROGRAMS, "size=64k,nr_inodes=256,mode=111")
    else:
        _step(path, _mount, "/dev/null", target, None, _BIND)  # a device, which read-only mounts do not open
    return True


def _mount_visible(root: str, path: str) -> bool:
    """Mount a path; returns whether it is mounted now."""
    target = root + path
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        _mount(path, target, None, _BIND | _RECURSIVE)
    except OSError as error:
        if path.startswith("/sys/") or "/etc/" in path:
            return False  # the sandbox works without it
        raise NamespaceError(error.errno, f"{path}: {error.strerror}") from error
    return True


def _make_read_only(root: str, read: list[str]) -> None:
    """Make all mounts read-only, in one call if the system has it (each call is slow)."""
    flags = _SAFE | _READ_ONLY
    attribute = struct.pack("=4Q", flags, 0, 0, 0)
    try:
        linux.call("mount_setattr", _AT_FDCWD, _text(root), _AT_RECURSIVE, attribute, len(attribute))
    except OSError:  # before Linux 5.12
        for target in (*(root + path for path in read), root):
            _mount(None, target, None, _REMOUNT | _BIND | flags | _standing_flags(target))


def _standing_flags(path: str) -> int:
    """Return the flags of a mount that must be repeated when it is changed."""
    status_flags, flags = os.statvfs(path).f_flag, 0
    for bit in (_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, 1024, 2048):  # plus noatime, nodiratime
        flags |= status_flags & bit
    return flags | (1 << 21 if status_flags & 4096 else 0)  # relatime


def _pivot(root: str) -> None:
    os.chdir(root)
    linux.call("pivot_root", b".", b".")
    linux.call("umount2", b".", _DETACH)
    os.chdir("/")


def _mount(source: Any, target: str, kind: Any, flags: int, options: str = "") -> None:
    text = _text(options) if options else None
    linux.call("mount", _text(source or "none"), _text(target), _text(kind) if kind else None, flags, text)


def _text(value: str) -> Any:
    return ctypes.c_char_p(os.fsencode(value))


START_SECONDS = 20.0
MAX_REPORT_BYTES = 1 << 16
_CREDENTIALS = struct.Struct("3i")


class ConfinementError(OSError):
    """The runner did not start; the text says why."""


class Started(NamedTuple):
    """A confined process."""

    head: int  # child of the supervisor: init, or the runner itself
    pid: int  # the runner's id, as the supervisor sees it
    walls: dict[str, str]
    status: socket.socket | None  # receives from init how the runner ended
    listener: socket.socket | None = None  # for the proxy, in the runner's network namespace


class RunnerSetup(NamedTuple):
    """How the runner runs."""

    link: int  # descriptor that it keeps
    output: int  # descriptor that becomes its stdout and stderr
    run: Callable[[], int]


def start(jail: Jail, setup: RunnerSetup) -> Started:
    """Fork a runner behind the jail's walls.

    Args:
        jail: its walls. If the first runner cannot have namespaces, later ones do not try.
        setup: its descriptors, and the function it runs, which returns the exit code.

    Raises:
        ConfinementError: it did not start.
    """
    if jail.namespaces:
        try:
            return _start(jail, setup, True)
        except NamespaceError as error:
            processes.kill_children()
            jail.give_up_namespaces(error.strerror or str(error))
    return _start(jail, setup, False)


def _start(jail: Jail, setup: RunnerSetup, in_namespaces: bool) -> Started:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    near.settimeout(START_SECONDS)
    supervisor = os.getpid()
    head = os.fork()
    if not head:
        code = 70
        try:
            near.close()
            processes.prefer_to_kill("self")
            os.dup2(setup.output, 1)
            os.dup2(setup.output, 2)
            code = _step_out(jail, setup, far) if in_namespaces else _be_runner(jail, setup, far, supervisor)
        finally:
            os._exit(code)  # never continue in the supervisor's code
    far.close()
    listener = None
    try:
        if in_namespaces:
            os.waitpid(head, 0)  # then init becomes a child of this process
            with suppress(OSError):  # it failed and reported why
                near.send(b"go")
            head, _, listener = _receive_credentials(near)
        pid, report, _ = _receive_credentials(near)
    except NamespaceError:
        near.close()
        raise
    except (OSError, ValueError) as error:
        near.close()
        raise ConfinementError(0, f"the confined process did not start: {error}") from error
    if in_namespaces:
        near.setblocking(False)
        return Started(head, pid, report, near, listener)
    near.close()
    return Started(head, pid, report, None)


def _receive_credentials(near: socket.socket) -> tuple[int, Any, socket.socket | None]:
    """Return the id of the process at the other end, its message, and the socket it passed, if any."""
    room = socket.CMSG_SPACE(_CREDENTIALS.size) + socket.CMSG_SPACE(4)
    data, ancillary, _, _ = near.recvmsg(MAX_REPORT_BYTES, room)
    if not data:
        raise OSError(0, "it ended at once")
    report = json.loads(data)
    if "failed" in report:
        raise NamespaceError(0, report["failed"])
    if "broken" in report:
        raise OSError(0, report["broken"])
    parts = {kind: found for level, kind, found in ancillary if level == socket.SOL_SOCKET}
    if socket.SCM_CREDENTIALS not in parts:
        raise OSError(0, "it sent no credentials")
    handed = array.array("i", parts.get(socket.SCM_RIGHTS, b""))
    pid = int(_CREDENTIALS.unpack(parts[socket.SCM_CREDENTIALS])[0])
    return pid, report, socket.socket(fileno=handed[0]) if handed else None


def _send_report(far: socket.socket, report: dict[str, str], descriptor: int | None = None) -> None:
    handed = [] if descriptor is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
    far.sendmsg([json.dumps(report).encode()], handed)


_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def listen() -> socket.socket:
    """Return a listener for the proxy on 127.0.0.1 of this network namespace; switches its loopback on."""
    import fcntl  # not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = bytearray(struct.pack("16sh22x", b"lo", 0))
        fcntl.ioctl(control, _GET_FLAGS, asked)
        flags = struct.unpack("16sh22x", asked)[1]
        if not flags & _UP:
            fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sh22x", b"lo", flags | _UP))
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PORT))
    listener.listen(128)
    listener.setblocking(False)
    return listener


# --- in the forked processes -------------------------------------------------------------------------------------------


def _step_out(jail: Jail, setup: RunnerSetup, far: socket.socket) -> int:
    """Leave the host's namespaces, fork the first process of the new ones, and end."""
    try:
        leave_namespaces(jail.administrator)
        if os.fork():
            return 0
    except OSError as error:
        _send_report(far, {"failed": error.strerror or str(error)})
        return 0
    return _be_init(jail, setup, far)


def _be_init(jail: Jail, setup: RunnerSetup, far: socket.socket) -> int:
    """Run as the first process of the new namespaces: build the disk, start the runner, wait."""
    if far.recv(16) != b"go":
        return 0
    processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)  # its parent is the supervisor now
    try:
        jail.give_folders()
        if jail.egress:
            with listen() as listener:
                _send_report(far, {}, listener.fileno())
        else:
            _send_report(far, {})
        build_root(jail.view)
        runner = os.fork()
    except OSError as error:
        _send_report(far, {"failed": error.strerror or str(error)})
        return 0
    if not runner:
        return _be_runner(jail, setup, far, 0)
    os.setsid()
    processes.close_all_but([far.fileno()])
    os.closerange(0, 3)
    jail.wait_unprivileged()
    while True:
        pid, status = os.waitpid(-1, 0)
        while pid == runner:
            far.send(struct.pack("i", status))
            heir = far.recv(16)  # id of the copy that takes over; b"" when the supervisor ends the sandbox
            if not heir:
                return 0
            runner = int(heir)
            pid, status = (0, 0) if _is_alive(runner) else (runner, signal.SIGKILL)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it runs as another user
    return True


def _be_runner(jail: Jail, setup: RunnerSetup, far: socket.socket, supervisor: int) -> int:
    """Raise the walls, report them, run. ``supervisor`` is its process id; 0 in namespaces."""
    if supervisor:
        jail.give_folders()
    os.setsid()  # signals to its process group reach nothing else
    processes.close_all_but([setup.link, far.fileno()])
    try:
        walls = jail.raise_walls(not supervisor)
    except Exception as error:
        _send_report(far, {"broken": f"{type(error).__name__}: {error}"[:500]})
        raise
    if supervisor and os.getppid() != supervisor:
        return 0
    _send_report(far, walls)
    far.close()
    return setup.run()
