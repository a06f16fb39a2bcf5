"""Namespaces: a disk, a network and a set of processes of the sandbox's own.

The rules this file exists to keep:

* An administrator needs no user namespace and leaves its identity afterwards; anybody else is mapped to itself only.
* The new root is empty but for what the view lists; the old one is detached before any code runs.
* What fails raises OSError with the name of the step, so that the supervisor can say why a wall is missing.

Source: namespaces(7), user_namespaces(7), mount_namespaces(7), pivot_root(2).
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from typing import Any

from . import kernel, process
from .view import DEVICES, View, outermost

NEW_MOUNTS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH = 2
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_SAFE = _NO_SUID | _NO_DEVICES
SHARED_MEMORY = "64m"  # of /dev/shm, and of /tmp
FILES = 10_000  # that each of them may hold


class NamespaceError(OSError):
    """A namespace cannot be had here; the text says at which step."""


def leave(administrator: bool) -> None:
    """Step out of the host's namespaces; what is forked next is the first process of its own namespace."""
    user, group = os.geteuid(), os.getegid()
    flags = NEW_MOUNTS | NEW_UTS | NEW_IPC | NEW_PROCESSES | NEW_NETWORK
    if not administrator:
        process.prctl(process.PR_SET_DUMPABLE, 1)  # or it may not write its own map
        _step("a user namespace", kernel.call, "unshare", NEW_USER)
        _step("a user namespace", _map, user, group)
    _step("namespaces", kernel.call, "unshare", flags)
    try:
        kernel.call("unshare", NEW_CGROUP)
    except OSError:
        pass  # hides the names of control groups only


def _map(user: int, group: int) -> None:
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _step(name: str, work: Any, *args: Any) -> None:
    try:
        work(*args)
    except OSError as error:
        raise NamespaceError(error.errno, f"{name}: {os.strerror(error.errno or 0)}") from error


def build(shown: View) -> None:
    """Make the disk of the view this process's whole disk. For the first process of a new process namespace."""
    root = os.path.join(os.path.dirname(shown.work), "root")
    os.makedirs(root, exist_ok=True)
    _step("mounts of its own", _mount, None, "/", None, _PRIVATE | _RECURSIVE)
    _step("an empty root", _mount, "tmpfs", root, "tmpfs", _SAFE, "size=1m,nr_inodes=4k,mode=755")
    listed = outermost(shown.read)
    later = [path for path in listed if path.startswith("/tmp/")]  # noqa: S108 - an environment may lie there
    read = [path for path in listed if path not in later and _show(root, path)]
    for path in (*shown.write, "/tmp", "/dev/shm", "/proc"):  # noqa: S108 - the sandbox's own
        os.makedirs(root + path, exist_ok=True)
    for path in DEVICES:
        os.close(os.open(root + path, os.O_CREAT | os.O_WRONLY, 0o666))
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    _step("a read-only disk", _close, root, read)
    for path in ("/tmp", "/dev/shm"):  # noqa: S108
        options = f"size={SHARED_MEMORY},nr_inodes={FILES},mode=1777"
        _step(path, _mount, "tmpfs", root + path, "tmpfs", _SAFE | _NO_PROGRAMS, options)
    for path in later:
        if _show(root, path):
            _step(path, _close, root + path, [])
    for path in shown.write:
        os.makedirs(root + path, exist_ok=True)  # those in /tmp are hidden by now
        _step(path, _mount, path, root + path, None, _BIND | _RECURSIVE)
    for path in DEVICES:
        _step(path, _mount, path, root + path, None, _BIND)
    try:
        _mount("proc", root + "/proc", "proc", _SAFE | _NO_PROGRAMS | _READ_ONLY)
    except OSError:
        pass  # some systems forbid it: then there is none
    _step("a new root", _pivot, root)
    try:
        kernel.call("sethostname", b"sandbox", 7)
    except OSError:
        pass


def _show(root: str, path: str) -> bool:
    """Show a path; a link at the top (/lib → usr/lib) as a link. Whether something is mounted there now."""
    target = root + path
    if os.path.islink(path) and path.count("/") == 1:
        os.symlink(os.readlink(path), target)
        return False
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        _mount(path, target, None, _BIND | _RECURSIVE)
    except OSError as error:
        if path.startswith(("/etc/", "/sys/")):
            return False  # a pity, no hole
        raise NamespaceError(error.errno, f"{path}: {error.strerror}") from error
    return True


def _close(root: str, read: list[str]) -> None:
    """Make what is mounted so far read-only, in one call where there is one (it is a slow one)."""
    flags = _SAFE | _READ_ONLY
    attribute = struct.pack("=4Q", flags, 0, 0, 0)
    try:
        kernel.call("mount_setattr", _AT_FDCWD, _text(root), _AT_RECURSIVE, attribute, len(attribute))
    except OSError:  # before Linux 5.12
        for target in (*(root + path for path in read), root):
            _mount(None, target, None, _REMOUNT | _BIND | flags | _standing_flags(target))


def _standing_flags(path: str) -> int:
    """The flags of a mount that must be repeated when it is changed."""
    found, flags = os.statvfs(path).f_flag, 0
    for bit in (_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, 1024, 2048):  # and noatime, nodiratime
        flags |= found & bit
    return flags | (1 << 21 if found & 4096 else 0)  # relatime


def _pivot(root: str) -> None:
    os.chdir(root)
    kernel.call("pivot_root", b".", b".")
    kernel.call("umount2", b".", _DETACH)
    os.chdir("/")


def _mount(source: Any, target: str, kind: Any, flags: int, options: str = "") -> None:
    text = _text(options) if options else None
    kernel.call("mount", _text(source or "none"), _text(target), _text(kind) if kind else None, flags, text)


def _text(value: str) -> Any:
    return ctypes.c_char_p(os.fsencode(value))
