"""Landlock: what of the disk a process may reach, kept by the kernel, without any right of an administrator.

The rules this file exists to keep:

* Every right the running kernel knows is handled, so that what is not granted is refused; nothing is handled that it
  does not know.
* A path that does not exist is left out; a path that cannot be opened is no error, it stays shut.

Source: the kernel's Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import NamedTuple

from . import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST = (1 << 13) - 1  # the thirteen rights of ABI 1
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = READ_FILE | READ_DIR | EXECUTE
WRITE = _FIRST & ~(EXECUTE | 1 << 6 | 1 << 11) | REFER | TRUNCATE  # no programs, no device files
DEVICE = READ_FILE | WRITE_FILE | TRUNCATE
_PATH_BENEATH = 1
_VERSION = 1  # flag: ask for the ABI


class Handled(NamedTuple):
    """What a kernel with some ABI can refuse."""

    files: int
    network: int  # binding and connecting TCP
    scopes: int  # abstract UNIX sockets, signals


def version() -> int:
    """The running kernel's Landlock ABI; 0 where there is none, or where it is switched off."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return 0


def handled(abi: int) -> Handled:
    """Everything that an ABI can refuse."""
    files = _FIRST
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        files |= right if abi >= since else 0
    return Handled(files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)


def ruleset_attribute(abi: int) -> bytes:
    """``struct landlock_ruleset_attr``, as long as the ABI knows it."""
    known = handled(abi)
    words = [known.files, *([known.network] if abi >= 4 else []), *([known.scopes] if abi >= 6 else [])]
    return struct.pack(f"={len(words)}Q", *words)


def restrict(abi: int, granted: Iterable[tuple[str, int]]) -> None:
    """Shut this process and all it will start off from everything but these paths; cannot be undone.

    Args:
        abi: from ``version``, not 0.
        granted: paths (folders with all that is beneath) and the rights on them.

    Raises:
        OSError: the kernel refuses; nothing is restricted then.
    """
    attribute = ruleset_attribute(abi)
    ruleset = kernel.call("landlock_create_ruleset", attribute, len(attribute), 0)
    try:
        for path, rights in granted:
            _grant(ruleset, path, rights & handled(abi).files)
        kernel.call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_FILES
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        kernel.call("landlock_add_rule", ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
