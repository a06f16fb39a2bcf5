"""The warm parent: a process with the worker's modules loaded, from which supervisors of one kernel are cloned. Linux only.

* It runs no code of an agent and gets only a sandbox's command, environment and folder. It has one thread.
* A supervisor is a child of the kernel, as if the kernel had started it: new session, environment, folder, three descriptors. It
  keeps no descriptor of this process or of another sandbox, and raises the walls itself, after the fork.
* It ends when the kernel closes its end of the socket; supervisors do not depend on it.

Sources: clone(2), CLONE_PARENT; PR_GET_TID_ADDRESS in prctl(2); proc_pid_stat(5), arg_start to env_end.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import socket
import sys
import time
from typing import Any

from ..system import linux, processes
from . import main as supervise

PR_GET_TID_ADDRESS = 40
_PARENT, _SET_TID, _CLEAR_TID = 0x00008000, 0x01000000, 0x00200000  # flags of clone
MAX_REQUEST_BYTES = 1 << 16
# Fields of /proc/self/stat after the name: the start of each; the next field is its end.
_ARGUMENTS, _ENVIRONMENT = 45, 47


def clone_sibling() -> int:
    """Do what ``os.fork`` does, but make the new process a child of this one's parent. For a process with one thread.

    Raises:
        OSError: the system refuses or lacks a part of the mechanism.
    """
    number = linux.system_call_number("clone")
    if number is None:
        raise OSError(0, "the system calls of this machine are not known")
    # Where the C library stores the thread's id: like its fork, have the kernel write the new id there.
    identity = ctypes.c_void_p()
    linux.prctl(PR_GET_TID_ADDRESS, ctypes.byref(identity))
    library = ctypes.PyDLL(None, use_errno=True)  # PyDLL holds the GIL during calls
    library.syscall.restype = ctypes.c_long
    flags = _PARENT | _SET_TID | _CLEAR_TID | signal.SIGCHLD
    # One of the last two is the id's address, the other is ignored: their order differs between x86_64 and aarch64.
    arguments = [ctypes.c_long(value) for value in (number, flags, 0, 0, identity.value or 0, identity.value or 0)]
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(library.syscall(*arguments))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return pid


def main() -> None:
    """Serve the kernel's requests on descriptor 0: clone a supervisor for each.

    The warm parent exits when the kernel closes the socket; each clone runs its supervisor and exits.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when the socket is closed
    processes.prctl(processes.PR_SET_DUMPABLE, 0)
    requests = socket.socket(fileno=os.dup(0))
    gc.collect()
    gc.freeze()  # a garbage collection in a child would write to shared pages
    requests.send(b"ready")
    while True:
        data, descriptors, _, _ = socket.recv_fds(requests, MAX_REQUEST_BYTES, 2)
        if not data:
            sys.exit(0)
        pid = clone_sibling()
        if not pid:
            break
        requests.send(str(pid).encode())
        for descriptor in descriptors:
            os.close(descriptor)
    requests.detach()
    _take_over_request(json.loads(data), *descriptors)
    try:
        supervise()
    except SystemExit as ended:
        if isinstance(ended.code, int):
            sys.stderr.flush()
            os._exit(ended.code)  # finalizing the interpreter would write to shared pages
        raise


def _take_over_request(request: dict[str, Any], wire: int, errors: int) -> None:
    """Take over the command, environment, folder and descriptors that the kernel wanted to start."""
    os.setsid()
    for number, descriptor in enumerate((wire, wire, errors)):
        os.dup2(descriptor, number)
    processes.close_all_but([])
    os.environ.clear()
    _show_command(request["command"], request["environment"])
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    sys.argv = request["command"][3:]
    sys.path[0] = sys.argv[0]


def _show_command(command: list[str], environment: dict[str, str]) -> None:
    """Make the system show this command and environment; nothing else refers to their memory by now."""
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rsplit(b")", 1)[1].split()
    for at, words in (
        (_ARGUMENTS, command),
        (_ENVIRONMENT, [f"{name}={value}" for name, value in environment.items()]),
    ):
        start, end = int(fields[at]), int(fields[at + 1])
        data = b"".join(os.fsencode(word) + b"\0" for word in words)
        ctypes.memmove(start, data.ljust(end - start, b"\0"), end - start)
