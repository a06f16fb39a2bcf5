"""Which system calls the sandbox's code may not make: a table that depends on which other walls stand.

The rules this file exists to keep:

* What reaches into the kernel, into other processes or around a wall is refused in every situation.
* What a namespace would have kept apart (network, processes, other people's files) is refused here where there is no such
  namespace.
* What data libraries need is left alone: threads, ``socketpair``, timers, ``mmap``.
"""

from __future__ import annotations

import errno
from typing import NamedTuple

from .seccomp import ALLOW, Checked, Rules, When, error

_NOT_PERMITTED = error(errno.EPERM)
_MISSING = error(errno.ENOSYS)
_NOTHING = error(0)  # does nothing, and says that it worked
_WHOLE = 0xFFFFFFFF
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_THREAD = 0x00010000
_UNIX = 1
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
    pid: int = 0  # the runner's own id


def rules(around: Around) -> Rules:
    """The filter for a situation."""
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
    if around.network:
        checked["socket"] = Checked((When(0, _WHOLE, (_UNIX,), ALLOW),), _NOT_PERMITTED)
    else:
        refused["socket"] = _NOT_PERMITTED  # not even UNIX: Landlock does not watch who connects to a named one
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
