"""The processes as the supervisor sees them: starts the runner by fork, watches and kills it.

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
import sys
import time
from collections.abc import Iterable
from typing import Any, Callable

from ..runner import Runner, stream
from ..runner.agent_host import Agent
from ..system import confine, folders, processes
from ..system.jail import Jail

# dataframes and libraries are imported later by other modules, when the worker's own files cannot be read any more
from ..wire import dataframes as dataframes
from ..wire import frames, link
from ..wire import libraries as libraries
from ..wire.frames import FROM_WORKER, TO_WORKER, Frame, encode
from ..wire.link import Far
from .checkpoints import Copy
from .egress import LINK_BYTES, Relay, build_environment

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


CHUNK = 1 << 16
END_OF_STEP_SECONDS = (
    1.2  # seconds in which a copy must have taken over at the end of a step: before the host ends the sandbox
)
SIGINT_INTERVAL = 0.2  # seconds between two SIGINTs


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

    _next_interrupt = 0.0

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
            setup = confine.RunnerSetup(far.fileno(), write_end, lambda: main(far, options, tools))
            if jail is not None:
                self.head, self.pid, self.walls, self._status, self.listener = confine.start(jail, setup)
            else:
                self.head = self.pid = _fork_unconfined(setup)
            self.link = link.Near(near, FROM_WORKER)
        finally:
            far.close()
            os.close(write_end)
        self.exit_watch = processes.watch(self.head)
        self._signals = processes.watch(self.pid)

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

    def read_rest(self) -> Iterable[bytes]:
        """Return the text printed before the end of the step, in pieces."""
        return [self.read_printed()] if self._printing else []

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
        """Interrupt the code with KeyboardInterrupt, unless it was interrupted less than ``SIGINT_INTERVAL`` seconds ago."""
        now = time.monotonic()
        if now >= self._next_interrupt:
            self._next_interrupt = now + SIGINT_INTERVAL
            self._interrupt()

    def _interrupt(self) -> None:
        self.signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill the runner."""
        self.signal(signal.SIGKILL)

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

    def shares_memory(self, devices: set[int]) -> bool:
        """Return whether the runner has memory or files that do not go back with it, since its copies share them.

        Args:
            devices: as in ``processes.shares_memory``.
        """
        return processes.shares_memory(self.pid, self._jail is None or self._jail.namespaces, devices)

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
        # Without a process namespace, the code's processes do not end with their first process.
        group = "" if self._jail is None or self._jail.namespaces else self._jail.group
        with processes.killing_group(group):
            empty = processes.kill_children(group=self.pid)
        self.free()
        return empty

    def free(self) -> None:
        """Close the descriptors."""
        self._free_process()
        os.close(self.printed)
        self._printing = False
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


def _fork_unconfined(setup: confine.RunnerSetup) -> int:
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
        os.dup2(setup.output, 1)
        os.dup2(setup.output, 2)
        processes.close_all_but([setup.link])
        status = setup.run()
    finally:
        os._exit(status)  # never continue in the supervisor's code


class Runners:
    """Starts the runners of one sandbox, one after the other, behind the same walls.

    Args:
        options: as in the host's hello; empty before it has come.
        host: the connection to the host, for connections of the code.

    Attributes:
        tools: names and descriptions of the host's tools.
        walls: state of each wall of the first runner.
        relay: connects the code with the host; None without a network.
        are_seen: whether this process sees the code's processes and threads.
    """

    are_seen = True

    def __init__(self, options: dict[str, Any], host: Any) -> None:
        self._host = host
        self._jail = Jail(options) if options.get("jail") and sys.platform == "linux" else None
        self.options = options
        self.tools: dict[str, str] = {}
        self.walls: dict[str, str] = {}
        self.relay: Relay | None = None
        if options.get("egress"):
            self.options = {**options, "environment": self._open_egress(options)}

    @property
    def can_fork(self) -> bool:
        """Whether the code can start processes."""
        return hasattr(os, "fork") and not self.walls.get("forks")

    def _open_egress(self, options: dict[str, Any]) -> dict[str, str]:
        """Return the environment variables that lead to the proxy. In a jail, its first process listens for connections."""
        if self._jail is None:
            self._connect(confine.listen())
        return build_environment(options)

    def _connect(self, listener: socket.socket) -> None:
        if self.relay is None:
            self.relay = Relay(listener, self._host.send, lambda: self._host.queued < LINK_BYTES)
        else:
            self.relay.listen(listener)

    def start(self) -> Child:
        """Start a runner; exits if it cannot have the same walls as the first one.

        Raises:
            OSError: it did not start.
        """
        self.link_mounts()
        child = Child(self.options, self.tools, self._jail)
        self.walls = self.walls or child.walls
        if child.walls != self.walls:
            child.close()
            sys.exit(f"the sandbox's walls do not stand as before: {child.walls}, and before: {self.walls}")
        if child.listener is not None:
            self._connect(child.listener)
        return child

    def start_agent(self) -> Child:
        """Start the agent's process behind the same walls; without them if it gets a network, as in a sandbox with outer walls."""
        jail = None if self.options.get("agent_network") else self._jail
        child = Child({**self.options, "agent": True}, {}, jail)
        if child.listener is not None:
            child.listener.close()  # only connections of the code are relayed
        return child

    def link_mounts(self) -> None:
        """Link the user's mounts from the work folder."""
        if self.options.get("links"):
            try:
                folders.link(self.options["work"], self.options["links"])
            except OSError:
                pass  # an earlier step has changed the folder's mode


# --- The agent's process, started beside the runner when the host first asks for it.
#
# * One question at a time; each ends: with its answer, at its limit, or with the process.
# * It is a separate process behind the same walls: the code does not share its memory.
# * Whatever ends the code's processes ends this one, too; the host then restarts it and replays the events to it.


GONE = "the agent's process is gone"
"""Prefix of an answer after which the host restarts the agent's process."""
CANNOT = (
    "this sandbox cannot hold an agent: it cannot start processes. Use another, for example run_inside('docker', …)"
)


class AgentProcess:
    """Runs at most one agent's process.

    Args:
        start: starts the process; None if that is impossible.
        send: sends the host a frame.
    """

    def __init__(self, start: Callable[[], Child] | None, send: Callable[[Frame], object]) -> None:
        self._start, self._send_frame = start, send
        self._child: Child | None = None
        self._asked: Frame | None = None
        self._until = 0.0

    def handle_frame(self, frame: Frame) -> None:
        """Pass a question of the host to the process; a question without blobs ends the process."""
        if self._start is None:
            self._answer(frame, CANNOT)
        elif not frame.blobs:
            self._end("it was ended")
            self._answer(frame, "")
        elif self._asked is not None:
            self._answer(frame, "the agent has an open question; it answers one at a time")
        elif self._child is None and not frame.fields["load"]:
            self._answer(frame, GONE)
        else:
            if frame.fields["load"]:
                self._end("it is started again")
            self._ask(frame, self._start)

    def _ask(self, frame: Frame, start: Callable[[], Child]) -> None:
        if self._child is None:
            try:
                self._child = start()
            except OSError as error:
                self._answer(frame, f"the agent's process does not start: {error}")
                return
        self._asked, self._until = frame, time.monotonic() + float(frame.fields["timeout"])
        self._child.link.request(encode(frame, TO_WORKER))

    def register(self, poll: Any, patience: float | None) -> float | None:
        """Register the process's descriptors; returns the time to wait at most, in milliseconds, given that of others."""
        if self._child is not None:
            for descriptor in self._child.descriptors():
                poll.register(descriptor, select.POLLIN)
            if self._child.link.outbox:
                poll.register(self._child.link.sock, select.POLLIN | select.POLLOUT)
        if self._asked is None:
            return patience
        left = 1000 * max(0.001, self._until - time.monotonic())
        return left if patience is None else min(left, patience)

    def poll(self) -> None:
        """Handle messages that have come, and ends by limit or exit. Printed text is not read."""
        child = self._child
        if child is None:
            return
        child.link.flush()
        child.read_printed()
        frames = child.link.receive()
        for frame in frames or ():
            asked = self._asked
            if asked is not None and frame.type == "answer":
                self._asked = None
                self._send_frame(Frame("answer", {**frame.fields, "id": asked.fields["id"]}, frame.blobs))
        if frames is None:
            self._end("it ended")
        elif self._asked is not None and time.monotonic() >= self._until:
            self._end("it took longer than {:g} s".format(self._asked.fields["timeout"]))

    def processes(self) -> set[int]:
        """Return its processes."""
        return set() if self._child is None else {self._child.pid, self._child.head}

    def _end(self, why: str) -> None:
        child, self._child = self._child, None
        asked, self._asked = self._asked, None
        if child is not None:
            child.kill()
            child.free()
        if asked is not None:
            self._answer(asked, f"{GONE}: {why}")

    def _answer(self, frame: Frame, error: str) -> None:
        self._send_frame(Frame("answer", {"id": frame.fields["id"], "error": error}))
