"""Starting a confined process: forked by the supervisor, in namespaces of its own where they can be had.

The rules this file exists to keep:

* In namespaces three processes follow each other: one that steps out of the host's namespaces and ends, the first
  process of the new ones (``init``), and the runner. Who ends ``init`` ends them all, in one stroke of the kernel.
* ``init`` does nothing but wait: it says how the runner ended, and ends.
* The runner's walls stand, and are reported, before ``run`` is called.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
from typing import Any, Callable, NamedTuple

from . import namespaces, process
from .jail import Jail

START = 20.0  # seconds
REPORT = 1 << 16
_CREDENTIALS = struct.Struct("3i")


class ConfinementError(OSError):
    """The runner did not start; the text says why."""


class Started(NamedTuple):
    """A confined process."""

    head: int  # the supervisor's own child: init, or the runner itself
    pid: int  # the runner, by the id it has for the supervisor
    walls: dict[str, str]
    status: socket.socket | None  # where init says how the runner ended


class Body(NamedTuple):
    """What the runner is to be."""

    link: int  # the descriptor that it keeps
    output: int  # becomes its stdout and stderr
    run: Callable[[], int]


def start(jail: Jail, body: Body) -> Started:
    """Fork a runner behind the jail's walls.

    Args:
        jail: its walls; namespaces are given up, for the next runners too, if the first one cannot have them.
        body: its descriptors, and what is called in the runner; its value is the exit code.

    Raises:
        ConfinementError: it did not start.
    """
    if jail.namespaces:
        try:
            return _start(jail, body, True)
        except namespaces.NamespaceError as error:
            process.kill_children()
            jail.give_up_namespaces(error.strerror or str(error))
    return _start(jail, body, False)


def _start(jail: Jail, body: Body, in_namespaces: bool) -> Started:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    near.settimeout(START)
    supervisor = os.getpid()
    head = os.fork()
    if not head:
        code = 70
        try:
            near.close()
            process.go_first()
            os.dup2(body.output, 1)
            os.dup2(body.output, 2)
            code = _step_out(jail, body, far) if in_namespaces else _be_runner(jail, body, far, supervisor)
        finally:
            os._exit(code)  # never back into the supervisor's own code
    far.close()
    try:
        if in_namespaces:
            os.waitpid(head, 0)  # now init is this process's child
            _let_go(near)
            head = _credentials(near)[0]
        pid, report = _credentials(near)
    except namespaces.NamespaceError:
        near.close()
        raise
    except (OSError, ValueError) as error:
        near.close()
        raise ConfinementError(0, f"the confined process did not start: {error}") from error
    if in_namespaces:
        near.setblocking(False)
        return Started(head, pid, report, near)
    near.close()
    return Started(head, pid, report, None)


def _let_go(near: socket.socket) -> None:
    try:
        near.send(b"go")
    except OSError:
        pass  # it has failed, and said so


def _credentials(near: socket.socket) -> tuple[int, Any]:
    """What the other end says, and the id of the process that says it."""
    data, ancillary, _, _ = near.recvmsg(REPORT, socket.CMSG_SPACE(_CREDENTIALS.size))
    if not data:
        raise OSError(0, "it ended at once")
    said = json.loads(data)
    if "failed" in said:
        raise namespaces.NamespaceError(0, said["failed"])
    if "broken" in said:
        raise OSError(0, said["broken"])
    for level, kind, found in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return int(_CREDENTIALS.unpack(found)[0]), said
    raise OSError(0, "it did not say who it is")


def _say(far: socket.socket, said: dict[str, str]) -> None:
    far.send(json.dumps(said).encode())


# --- in the forked processes -------------------------------------------------------------------------------------------


def _step_out(jail: Jail, body: Body, far: socket.socket) -> int:
    """Leave the host's namespaces, fork what is first in the new ones, and end."""
    try:
        namespaces.leave(jail.administrator)
        if os.fork():
            return 0
    except OSError as error:
        _say(far, {"failed": error.strerror or str(error)})
        return 0
    return _be_init(jail, body, far)


def _be_init(jail: Jail, body: Body, far: socket.socket) -> int:
    """The first process of the new namespaces: build the disk, start the runner, wait."""
    if far.recv(16) != b"go":
        return 0
    process.prctl(process.PR_SET_PDEATHSIG, signal.SIGKILL)  # its parent is the supervisor now
    try:
        jail.give_folders()
        _say(far, {})
        namespaces.build(jail.view)
        runner = os.fork()
    except OSError as error:
        _say(far, {"failed": error.strerror or str(error)})
        return 0
    if not runner:
        return _be_runner(jail, body, far, 0)
    os.setsid()
    process.close_all_but([far.fileno()])
    os.closerange(0, 3)
    jail.wait_unprivileged()
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == runner:
            far.send(struct.pack("i", status))
            return 0


def _be_runner(jail: Jail, body: Body, far: socket.socket, supervisor: int) -> int:
    """Raise the walls, report them, run; ``supervisor`` is 0 in namespaces."""
    if supervisor:
        jail.give_folders()
    os.setsid()  # signals to its group reach nothing else
    process.close_all_but([body.link, far.fileno()])
    try:
        walls = jail.raise_walls(not supervisor)
    except Exception as error:
        _say(far, {"broken": f"{type(error).__name__}: {error}"[:500]})
        raise
    if supervisor and os.getppid() != supervisor:
        return 0
    _say(far, walls)
    far.close()
    return body.run()
