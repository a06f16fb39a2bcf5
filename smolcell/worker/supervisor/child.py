"""The runner as the supervisor sees it: starts it by fork (by exec if there is no fork), watches and kills it.

* The runner inherits only its end of the link and the pipe that is its stdout and stderr.
* It is killed when the supervisor ends, and so is everything it starts.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from typing import Any

from ..runner import Runner, stream
from ..runner.agent_host import Agent
from ..system import confine, processes
from ..system.jail import Jail

# dataframes and libraries are imported later by other modules, when the worker's own files cannot be read any more
from ..wire import dataframes as dataframes
from ..wire import frames, link
from ..wire import libraries as libraries
from ..wire.frames import FROM_WORKER, TO_WORKER, Frame, encode
from ..wire.link import Far
from .checkpoints import Copy

# --- Start of a runner: its limits, streams and link.
#
# * Resource limits are set before any code of the agent runs, and cannot be raised again.
# * Only the runner has the link, not processes that the code forks.
# * stdin is /dev/null, stdout and stderr are the pipe that the supervisor drains.


_BEFORE: list[Any] = []
"""The supervisor's streams, whose descriptors are closed in the runner. Kept: as garbage they would print errors into a step's output."""


def _open_standard_streams() -> None:
    """Create line-buffered text streams for descriptors 0 to 2."""

    for name, descriptor, mode in (("stdin", 0, "rb"), ("stdout", 1, "wb"), ("stderr", 2, "wb")):
        _BEFORE.extend((getattr(sys, name), getattr(sys, f"__{name}__")))
        opened = stream(descriptor, mode)
        setattr(sys, name, opened)
        setattr(sys, f"__{name}__", opened)


def main(sock: socket.socket, options: dict[str, Any], tools: dict[str, str]) -> int:
    """Run as the child of a supervisor; returns the exit code."""
    sock.setblocking(True)
    link = Far(sock, frames.TO_WORKER, frames.FROM_WORKER)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=link.after_fork)
    kind: Any = Agent if options.get("agent") else Runner
    return serve(link, options, tools, kind)


def serve(link: Far, options: dict[str, Any], tools: dict[str, str], kind: Any = Runner) -> int:
    """Run a runner or an agent (``kind``) that answers over a link; returns the exit code."""
    _open_standard_streams()
    if options.get("work"):
        os.chdir(options["work"])
    added = [options["packages"]] if options.get("packages") else []
    sys.path.extend(added)  # after the walls: the supervisor imports none of these
    if options.get("guard") is False:  # level full: programs started by the code find the same packages
        os.environ["PYTHONPATH"] = os.pathsep.join([*options.get("paths", ()), *added])
    os.environ.setdefault("POLARS_TABLE_WIDTH", "-1")  # redaction cannot find a secret that polars wraps in a cell
    os.environ.update(options.get("environment", {}))
    processes.apply_limits(processes.resource_limits(options))
    sys.argv = [""]
    runner = kind(link, options, tools)
    signal.signal(signal.SIGINT, runner.on_interrupt)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    link.begin()
    link.started()
    runner.serve()
    return 0


def run_spawned() -> None:
    """Run as a separate program: ``sys.argv[2]`` is the descriptor of the link; options and tools are the first message."""
    sock = socket.socket(fileno=int(sys.argv[2]))
    link = Far(sock, frames.TO_WORKER, frames.FROM_WORKER)
    options = link.receive().fields["options"]
    sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
    tools = link.receive().fields["tools"]
    os._exit(main(sock, options, tools))


CHUNK = 1 << 16
TAKE_OVER_SECONDS = 3.0  # seconds in which a copy must have taken over, however busy the machine is
END_OF_STEP_SECONDS = 1.2  # the same at the end of a step: shorter than the time after which the host ends the sandbox


class Child:
    """One runner process.

    Args:
        options: as in the host's hello.
        tools: names and descriptions of the host's tools.
        jail: walls around it; None if this whole program runs behind walls of another sandbox.

    Attributes:
        pid: the runner's process id.
        head: the child of this process that ends when the runner ends: the runner, or init of its process namespace.
        walls: state of each wall; see ``Jail.raise_walls``.

    Raises:
        OSError: the runner did not start.
    """

    def __init__(self, options: dict[str, Any], tools: dict[str, str], jail: Jail | None = None) -> None:
        near, far = link.pair()
        self.printed, write_end = os.pipe()
        os.set_blocking(self.printed, False)
        self._printing = True
        self.walls: dict[str, str] = {}
        self._jail = jail
        self.listener: socket.socket | None = None  # for the proxy
        self._status: socket.socket | None = None
        self._is_reported = False  # init has reported how the runner ended
        try:
            if hasattr(os, "fork") and not options.get("spawn"):
                self._fork(far, write_end, options, tools, jail)
                self.link = link.Near(near, FROM_WORKER)
            else:
                self.head = self.pid = self._spawn(far, write_end)
                self.link = link.Near(near, FROM_WORKER)
                self.link.request(encode(Frame("hello", {"version": 1, "options": options}), TO_WORKER))
                self.link.request(encode(Frame("tools", {"id": 0, "tools": tools}), TO_WORKER))
        finally:
            far.close()
            os.close(write_end)
        self.exit_watch = processes.watch(self.head)
        self._signals = processes.watch(self.pid)

    def _fork(
        self, far: Any, write_end: int, options: dict[str, Any], tools: dict[str, str], jail: Jail | None
    ) -> None:
        def run() -> int:
            return main(far, options, tools)

        body = confine.Body(far.fileno(), write_end, run)
        if jail is not None:
            self.head, self.pid, self.walls, self._status, self.listener = confine.start(jail, body)
        else:
            self.head = self.pid = _fork_unconfined(body)

    @staticmethod
    def _spawn(far: Any, write_end: int) -> int:
        """Start the runner as a separate program; it gets its options as the first message."""
        far.set_inheritable(True)
        code = "import sys; sys.path.insert(0, sys.argv[1]); from {0}.child import run_spawned; run_spawned()"
        started = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", code.format(__package__), _location(), str(far.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=write_end,
            stderr=write_end,
            pass_fds=[far.fileno()],
        )
        pid = started.pid
        started.returncode = 0  # the supervisor waits for it by id
        return pid

    def descriptors(self) -> list[int]:
        """Return the descriptors to wait on: messages, printed bytes, and the end of the process if the system offers one."""
        watch = [] if self.exit_watch is None else [self.exit_watch]
        watch += [] if self._status is None else [self._status.fileno()]
        printed = [self.printed] if self._printing else []
        return [self.link.sock.fileno(), *printed, *watch]

    def read_printed(self, budget: int = 32) -> bytes:
        """Return printed bytes, at most ``budget`` pieces of 64 KiB."""
        pieces = []
        for _ in range(budget):
            try:
                data = os.read(self.printed, CHUNK)
            except (BlockingIOError, InterruptedError):
                break
            if not data:
                self._printing = False  # closed by the code
                break
            pieces.append(data)
        return b"".join(pieces)

    def signal(self, number: int) -> None:
        """Send the runner a signal. Does nothing if it has ended."""
        try:
            if self._signals is None:
                os.kill(self.pid, number)
            else:
                signal.pidfd_send_signal(self._signals, number)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            pass

    def interrupt(self) -> None:
        """Interrupt the code with KeyboardInterrupt."""
        self.signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill the runner."""
        self.signal(signal.SIGKILL)

    def _group(self) -> str:
        """Return the control group of the code's processes: without a process namespace they do not end with their first process."""
        jail = self._jail
        return "" if jail is None or jail.namespaces else jail.group

    def kill_others(self, keep: set[int], before: float = math.inf) -> bool:
        """Kill the processes of the code, except the runner and those in ``keep``; returns whether none is left.

        Args:
            keep: processes to leave.
            before: as in ``processes.kill_below``.
        """
        with processes.no_new_processes("" if self._jail is None else self._jail.group):
            return processes.kill_below({self.pid, self.head, *keep}, END_OF_STEP_SECONDS, before)

    def kill_many_others(self, keep: set[int], idle: set[int]) -> tuple[int, bool]:
        """Kill the processes of the code if they are so many that a program must have forked endlessly.

        Args:
            keep: processes to leave.
            idle: those of them that have started nothing.

        Returns:
            Number of processes, 0 if they may continue; and whether all were killed.
        """
        most = (
            processes.MAX_PROCESSES_WITHOUT_NAMESPACE
            if self._jail is not None and not self._jail.namespaces
            else processes.MAX_PROCESSES
        )
        count = processes.count_unknown_below({self.pid, self.head, *keep}, idle, most // processes.LEFTOVER_SHARE)
        return count, not count or self.kill_others(keep)

    def ended(self) -> str | None:
        """Return how the runner ended, as text; None while it lives."""
        reaped = processes.reap().get(self.head)
        if self._status is not None:
            try:
                (reaped,) = struct.unpack("i", self._status.recv(4))
                self._is_reported = True
            except struct.error:
                reaped = signal.SIGKILL  # init was killed, and so was the runner
            except OSError:
                reaped = None if reaped is None else signal.SIGKILL
        return None if reaped is None else processes.describe_wait_status(reaped)

    def continue_as(self, copy: Copy, others: set[int], until: float) -> bool:
        """Kill the runner and its processes, except other copies, and continue with this copy, which has been woken.

        Returns:
            Whether that was done before this time of the monotonic clock.
        """
        self.kill()
        kept = {copy.pid, *others, *(() if self._status is None else (self.head,))}
        processes.kill_below(kept, until - time.monotonic())
        if processes.find_unknown_below(kept) or not self._hand_over(processes.inner_id(copy.pid), until):
            return False
        self._free_process()
        copy.link.forged += self.link.forged
        self.link, self.pid = copy.link, copy.pid
        if self._status is None:
            self.head = copy.pid
            self.exit_watch = processes.watch(self.head)
        self._signals, copy.watch = copy.watch, None
        return True

    def _hand_over(self, inner: int, until: float) -> bool:
        """Tell init, if there is one, to wait for ``inner`` after the runner has ended; returns whether it has in time."""
        if self._status is None:
            return True
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        try:
            self._status.send(str(inner).encode())  # read after init has reported how the runner ended
            left = max(0.0, until - time.monotonic())
            is_reported = self._is_reported or (bool(poll.poll(1000 * left)) and len(self._status.recv(4)) == 4)
        except OSError:
            return False
        self._is_reported = False
        return is_reported

    def close(self) -> bool:
        """Kill the rest of the runner's processes and close its descriptors; returns whether no process is left."""
        with processes.killing_group(self._group()):
            empty = processes.kill_children(group=self.pid)
        self.free()
        return empty

    def free(self) -> None:
        """Close the descriptors."""
        self._free_process()
        os.close(self.printed)
        if self._status is not None:
            if self.exit_watch is not None:
                os.close(self.exit_watch)
            self._status.close()

    def _free_process(self) -> None:
        """Close the descriptors of the runner's process, but not those of init."""
        self.link.sock.close()
        for descriptor in (self._signals, self.exit_watch if self._status is None else None):
            if descriptor is not None:
                os.close(descriptor)


def _fork_unconfined(body: confine.Body) -> int:
    """Fork a runner without the system's walls: for sandboxes behind outer walls, and for macOS."""
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        if not os.path.isdir("/proc/self"):
            os.setpgid(0, 0)  # otherwise its descendants could not be found
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
        processes.prctl(processes.PR_SET_DUMPABLE, 1)
        os.dup2(body.output, 1)
        os.dup2(body.output, 2)
        processes.close_all_but([body.link])
        status = body.run()
    finally:
        os._exit(status)  # never continue in the supervisor's code


def _location() -> str:
    """Return the zip or folder that holds this package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
