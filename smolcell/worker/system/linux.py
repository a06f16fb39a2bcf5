"""Linux system calls without a Python function, made by ctypes: numbers, names, errors.

* Importing it does nothing and never fails on any system; a missing system call raises OSError.
* Every number was looked up for both machines (x86_64's own table, the generic one of aarch64).
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import stat
import struct
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

# name/x86_64/aarch64; "-" if the machine lacks the call
_TABLE = (
    "_sysctl/156/- accept/43/202 accept4/288/242 acct/163/89 add_key/248/217 adjtimex/159/171 bind/49/200 "
    "bpf/321/280 capset/126/91 chmod/90/- chown/92/- chroot/161/51 clock_adjtime/305/266 clock_settime/227/112 "
    "clone/56/220 clone3/435/435 close_range/436/436 connect/42/203 create_module/174/- delete_module/176/106 "
    "fanotify_init/300/262 fchmod/91/52 fchmodat/268/53 fchmodat2/452/452 fchown/93/55 fchownat/260/54 "
    "fcntl/72/25 finit_module/313/273 fork/57/- fremovexattr/199/16 fsconfig/431/431 fsmount/432/432 "
    "fsopen/430/430 fsetxattr/190/7 fspick/433/433 futimesat/261/- get_kernel_syms/177/- init_module/175/105 "
    "inotify_add_watch/254/27 io_uring_enter/426/426 io_uring_register/427/427 io_uring_setup/425/425 "
    "ioctl/16/29 ioperm/173/- iopl/172/- ioprio_set/251/30 kcmp/312/272 kexec_file_load/320/294 "
    "kexec_load/246/104 keyctl/250/219 kill/62/129 landlock_add_rule/445/445 landlock_create_ruleset/444/444 "
    "landlock_restrict_self/446/446 lchown/94/- listen/50/201 lookup_dcookie/212/18 lremovexattr/198/15 "
    "lsetxattr/189/6 mbind/237/235 memfd_create/319/279 memfd_secret/447/447 migrate_pages/256/238 "
    "modify_ldt/154/- mount/165/40 mount_setattr/442/442 move_mount/429/429 move_pages/279/239 mq_open/240/180 "
    "mq_unlink/241/181 mseal/462/462 msgctl/71/187 msgget/68/186 msgrcv/70/188 msgsnd/69/189 "
    "name_to_handle_at/303/264 nfsservctl/180/42 open_by_handle_at/304/265 open_tree/428/428 "
    "perf_event_open/298/241 personality/135/92 pidfd_getfd/438/438 pidfd_send_signal/424/424 "
    "pivot_root/155/41 prctl/157/167 prlimit64/302/261 process_madvise/440/440 process_mrelease/448/448 "
    "process_vm_readv/310/270 process_vm_writev/311/271 ptrace/101/117 query_module/178/- quotactl/179/60 "
    "quotactl_fd/443/443 reboot/169/142 removexattr/197/14 request_key/249/218 rt_sigqueueinfo/129/138 "
    "rt_tgsigqueueinfo/297/240 sched_setaffinity/203/122 sched_setattr/314/274 sched_setparam/142/118 "
    "sched_setscheduler/144/119 seccomp/317/277 semctl/66/191 semget/64/190 semop/65/193 semtimedop/220/192 "
    "set_mempolicy/238/237 set_mempolicy_home_node/450/450 setdomainname/171/162 sethostname/170/161 "
    "setns/308/268 setpriority/141/140 settimeofday/164/170 setxattr/188/5 shmat/30/196 shmctl/31/195 "
    "shmget/29/194 socket/41/198 socketpair/53/199 swapoff/168/225 swapon/167/224 sysfs/139/- syslog/103/116 "
    "tgkill/234/131 tkill/200/130 truncate/76/45 umount2/166/39 unshare/272/97 uselib/134/- "
    "userfaultfd/323/282 ustat/136/- utime/132/- utimensat/280/88 utimes/235/- vfork/58/- vhangup/153/58"
).split()
NUMBERS: dict[str, tuple[int | None, int | None]] = {}
for _entry in _TABLE:
    _name, *_numbers = _entry.split("/")
    _x86_64, _aarch64 = (int(number) if number != "-" else None for number in _numbers)
    NUMBERS[_name] = (_x86_64, _aarch64)
LAST_REVIEWED = 462  # mseal; numbers from 424 on are the same on both machines

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPABILITY_VERSION = 0x20080522


def machine() -> str:
    """Return "x86_64" or "aarch64" on a Linux whose system calls are known here; "" elsewhere."""
    name = os.uname().machine if sys.platform == "linux" else ""
    known = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(name, "")
    return known if sys.maxsize > 2**32 else ""


def system_call_number(name: str, on: str = "") -> int | None:
    """Return a system call's number on this machine (or the one named); None if it has none."""
    pair = NUMBERS[name]
    return {"x86_64": pair[0], "aarch64": pair[1]}.get(on or machine())


@functools.cache
def _libc() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def call(name: str, *args: Any) -> int:
    """Make a system call; the arguments are ints, bytes, None and ctypes objects.

    Raises:
        OSError: the system call failed; ENOSYS if it does not exist.
    """
    known = system_call_number(name)
    if known is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), name)
    result = _libc().syscall(ctypes.c_long(known), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return int(result)


def prctl(option: int, *values: Any) -> int:
    """Call the system's prctl; raises OSError."""
    return call("prctl", option, *values, *[0] * (4 - len(values)))


def set_no_new_privileges() -> None:
    """Prevent programs that this process starts from gaining privileges."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Drop every capability of this process: held, inheritable and ambient."""
    try:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    except OSError:
        pass  # before Linux 4.3 there is no ambient set
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


# --- File systems of the operating system (/proc, /sys), whose files show its state and that of processes, such as their environment.
#
# Source: include/uapi/linux/magic.h; for those that it lacks, the file system's own source.


SYSTEM_FILE_SYSTEMS = frozenset(
    (
        *(0x9FA0, 0x62656572, 0x64626720, 0x74726163, 0x73636673),  # proc, sysfs, debugfs, tracefs, securityfs
        *(0x5A3C69F0, 0xF97CFF8C, 0x43415D53),  # apparmorfs, selinuxfs, smackfs
        *(0x27E0EB, 0x63677270, 0x7655821),  # cgroup, cgroup2, resctrl
        *(0xCAFE4A11, 0x62656570, 0x1CD1, 0x6C6F6F70),  # bpf, configfs, devpts, binder
        *(0x9FA2, 0x9FA1, 0xABBA1974),  # usbdevfs, openprom, xenfs
        *(0xDE5E81E4, 0x6165676C, 0x42494E4D, 0x65735543),  # efivarfs, pstore, binfmt_misc, fusectl
        *(0x67596969, 0x6E667364, 0x19800202, 0x6E736673),  # rpc_pipefs, nfsd, mqueue, nsfs
    )
)
"""Types of file systems, as ``file_system`` returns them. Those that are mounted nowhere are left out: their files have no path."""


def file_system(number: int) -> int:
    """Return the type of an open file's file system: ``f_type`` of statfs(2).

    Raises:
        OSError: it cannot be asked for.
    """
    found = (ctypes.c_long * 32)()  # a struct statfs, whose first field this is, has at most 120 bytes
    if _libc().fstatfs(number, found):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), "fstatfs")
    return found[0] & 0xFFFFFFFF


# --- Landlock: paths that a process may access, enforced by the kernel; needs no privileges.
#
# * Every right that the running kernel knows is handled, so that all others are refused; unknown rights are not requested.
# * Missing paths are left out; a path that cannot be opened stays inaccessible.
#
# Source: the kernel's Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h.


EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST = (1 << 13) - 1  # the thirteen rights of ABI 1
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = READ_FILE | READ_DIR | EXECUTE
WRITE = _FIRST & ~(EXECUTE | 1 << 6 | 1 << 11) | REFER | TRUNCATE  # no programs, no device files
DEVICE = READ_FILE | WRITE_FILE | TRUNCATE
_PATH_BENEATH, _NET_PORT = 1, 2
_CONNECT = 1 << 1  # TCP
_VERSION = 1  # flag: query the ABI


class Handled(NamedTuple):
    """The accesses that a kernel with a given ABI can refuse."""

    files: int
    network: int  # binding and connecting TCP
    scopes: int  # abstract UNIX sockets, signals


def landlock_abi() -> int:
    """Return the running kernel's Landlock ABI; 0 if it is missing or switched off."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return 0


def handled_accesses(abi: int) -> Handled:
    """Return all accesses that an ABI can refuse."""
    files = _FIRST
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        files |= right if abi >= since else 0
    return Handled(files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)


def ruleset_attribute(abi: int) -> bytes:
    """Encode ``struct landlock_ruleset_attr`` in the length that the ABI knows."""
    known = handled_accesses(abi)
    words = [known.files, *([known.network] if abi >= 4 else []), *([known.scopes] if abi >= 6 else [])]
    return struct.pack(f"={len(words)}Q", *words)


def restrict_files(abi: int, granted: Iterable[tuple[str, int]], ports: Iterable[int] = ()) -> None:
    """Restrict this process and all it starts to these paths. Cannot be undone.

    Args:
        abi: from ``landlock_abi``, not 0.
        granted: paths (folders with their content) and the rights on them.
        ports: TCP ports that may be connected to; from ABI 4 on, all others are refused.

    Raises:
        OSError: the kernel refuses; then nothing is restricted.
    """
    attribute = ruleset_attribute(abi)
    ruleset = call("landlock_create_ruleset", attribute, len(attribute), 0)
    try:
        for path, rights in granted:
            _add_rule(ruleset, path, rights & handled_accesses(abi).files)
        for port in ports if handled_accesses(abi).network else ():
            rule = ctypes.create_string_buffer(struct.pack("=2Q", _CONNECT, port))
            call("landlock_add_rule", ruleset, _NET_PORT, rule, 0)
        call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _add_rule(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_FILES
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        call("landlock_add_rule", ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


# --- seccomp filter: a small program that the kernel runs before each system call of a process.
#
# * System calls of another machine's table kill the process; calls that were not reviewed fail with ENOSYS.
# * Building the program is pure: the same rules and machine give the same bytes, and tests run them without a kernel.
# * The filter decides by call numbers and plain arguments, which cannot change meanwhile, never by memory behind a pointer.
#
# Source: the kernel's Documentation/userspace-api/seccomp_filter.rst; classic BPF as in include/uapi/linux/filter.h.


ALLOW = 0x7FFF0000
KILL = 0x80000000  # the whole process
_ERRNO = 0x00050000
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _GREATER, _AT_LEAST = 0x15, 0x25, 0x35
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_GROUP = 200  # a conditional jump spans at most 255 instructions
_FILTER = 2


def error(code: int) -> int:
    """Return the verdict "fail with this errno"; 0 makes the call succeed without effect."""
    return _ERRNO | code


class ArgumentCondition(NamedTuple):
    """A verdict for calls with an argument whose masked low 32 bits are one of some values."""

    argument: int
    mask: int
    values: tuple[int, ...]
    verdict: int


class CheckedCall(NamedTuple):
    """A call decided by its arguments: the first condition that holds, else ``otherwise``."""

    conditions: tuple[ArgumentCondition, ...]
    otherwise: int


class Rules(NamedTuple):
    """A filter before it is translated; calls that are not named are allowed."""

    refused: Mapping[str, int]  # name to verdict
    checked: Mapping[str, CheckedCall]


def build_filter(rules: Rules, machine: str) -> bytes:
    """Translate the filter to the kernel's instructions, for "x86_64" or "aarch64"."""
    missing = error(errno.ENOSYS)
    code = [
        _instruction(_LOAD, _MACHINE),
        _instruction(_EQUAL, _AUDIT[machine], 1, 0),
        _instruction(_RETURN, KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        code += [_instruction(_AT_LEAST, _X32, 0, 1), _instruction(_RETURN, KILL)]
    code += [_instruction(_GREATER, LAST_REVIEWED, 0, 1), _instruction(_RETURN, missing)]
    for verdict in dict.fromkeys(rules.refused.values()):
        names = [name for name, wanted in rules.refused.items() if wanted == verdict]
        code += _group_instructions(
            sorted(n for n in (system_call_number(name, machine) for name in names) if n is not None), verdict
        )
    for name, checked in rules.checked.items():
        number = system_call_number(name, machine)
        if number is not None:
            body = _check_instructions(checked)
            code += [_instruction(_EQUAL, number, 0, len(body)), *body]
    return b"".join([*code, _instruction(_RETURN, ALLOW)])


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _group_instructions(numbers: Sequence[int], verdict: int) -> list[bytes]:
    code: list[bytes] = []
    for at in range(0, len(numbers), _GROUP):
        some = numbers[at : at + _GROUP]
        last = len(some) - 1
        code += [_instruction(_EQUAL, number, last - i, 1 if i == last else 0) for i, number in enumerate(some)]
        code.append(_instruction(_RETURN, verdict))
    return code


def _check_instructions(checked: CheckedCall) -> list[bytes]:
    code: list[bytes] = []
    for condition in checked.conditions:
        code.append(_instruction(_LOAD, _ARGUMENTS + 8 * condition.argument))
        if condition.mask != 0xFFFFFFFF:
            code.append(_instruction(_AND, condition.mask))
        code += _group_instructions([value & 0xFFFFFFFF for value in condition.values], condition.verdict)
    return [*code, _instruction(_RETURN, checked.otherwise)]


def install_filter(code: bytes) -> None:
    """Apply the filter to this process and all it starts. Cannot be undone. Needs "no new privileges".

    Raises:
        OSError: the kernel refuses.
    """
    buffer = ctypes.create_string_buffer(code, len(code))

    class FilterProgram(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    whole = FilterProgram(len(code) // 8, ctypes.addressof(buffer))
    prctl(PR_SET_SECCOMP, _FILTER, ctypes.byref(whole))
