"""A seccomp filter: which system calls a process may make, as a small program that the kernel runs before each.

The rules this file exists to keep:

* Calls for another machine's table end the process; calls that nobody has reviewed do not exist (ENOSYS).
* Making the program is pure: the same rules and machine give the same bytes, and tests run them without a kernel.
* The filter decides by what cannot change under it: numbers and plain arguments, never what a pointer leads to.

Source: the kernel's Documentation/userspace-api/seccomp_filter.rst; classic BPF as in include/uapi/linux/filter.h.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from . import kernel

ALLOW = 0x7FFF0000
KILL = 0x80000000  # the whole process
_ERRNO = 0x00050000
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _GREATER, _AT_LEAST = 0x15, 0x25, 0x35
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_GROUP = 200  # a conditional jump reaches 255 instructions
_FILTER = 2


def error(code: int) -> int:
    """The verdict "fails with this errno"; 0 makes the call do nothing and seem to succeed."""
    return _ERRNO | code


class When(NamedTuple):
    """Verdict where the low 32 bits of an argument, masked, are one of some values."""

    argument: int
    mask: int
    values: tuple[int, ...]
    verdict: int


class Checked(NamedTuple):
    """A call decided by its arguments: the first condition that holds, else ``otherwise``."""

    conditions: tuple[When, ...]
    otherwise: int


class Rules(NamedTuple):
    """A filter before it is translated; a call that is not named is allowed."""

    refused: Mapping[str, int]  # name to verdict
    checked: Mapping[str, Checked]


def program(rules: Rules, machine: str) -> bytes:
    """The filter as the kernel's instructions, for "x86_64" or "aarch64"."""
    missing = error(errno.ENOSYS)
    code = [_op(_LOAD, _MACHINE), _op(_EQUAL, _AUDIT[machine], 1, 0), _op(_RETURN, KILL), _op(_LOAD, _NUMBER)]
    if machine == "x86_64":
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, KILL)]
    code += [_op(_GREATER, kernel.LAST_REVIEWED, 0, 1), _op(_RETURN, missing)]
    for verdict in dict.fromkeys(rules.refused.values()):
        names = [name for name, wanted in rules.refused.items() if wanted == verdict]
        code += _group(sorted(n for n in (kernel.number(name, machine) for name in names) if n is not None), verdict)
    for name, checked in rules.checked.items():
        number = kernel.number(name, machine)
        if number is not None:
            body = _body(checked)
            code += [_op(_EQUAL, number, 0, len(body)), *body]
    return b"".join([*code, _op(_RETURN, ALLOW)])


def _op(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _group(numbers: Sequence[int], verdict: int) -> list[bytes]:
    code: list[bytes] = []
    for at in range(0, len(numbers), _GROUP):
        some = numbers[at : at + _GROUP]
        last = len(some) - 1
        code += [_op(_EQUAL, number, last - i, 1 if i == last else 0) for i, number in enumerate(some)]
        code.append(_op(_RETURN, verdict))
    return code


def _body(checked: Checked) -> list[bytes]:
    code: list[bytes] = []
    for condition in checked.conditions:
        code.append(_op(_LOAD, _ARGUMENTS + 8 * condition.argument))
        if condition.mask != 0xFFFFFFFF:
            code.append(_op(_AND, condition.mask))
        code += _group([value & 0xFFFFFFFF for value in condition.values], condition.verdict)
    return [*code, _op(_RETURN, checked.otherwise)]


def install(code: bytes) -> None:
    """Put this process, and all it will start, under the filter; cannot be undone. Needs "no new privileges".

    Raises:
        OSError: the kernel refuses.
    """
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    whole = Program(len(code) // 8, ctypes.addressof(buffer))
    kernel.prctl(kernel.PR_SET_SECCOMP, _FILTER, ctypes.byref(whole))
