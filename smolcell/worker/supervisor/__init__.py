"""The supervisor: stands between the host and the code, speaks both wires, enforces limits.

* The code never gets the descriptors of the host's wire, and the host never gets a frame made by the code: messages of the
  runner are checked (nonce, table, bounds) and written anew here.
* One request at a time. Every request ends, whatever the code does: SIGINT at its limit, SIGKILL of all processes below this
  one ``GRACE_SECONDS`` seconds later.
* Nothing blocks: limits hold even if the runner or the host does not read.
* When the host closes its pipe, all processes are ended.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import stat
import sys
import time
from collections import deque
from importlib.machinery import PathFinder
from typing import Any, Callable

from ..guard.tables import LIBRARIES
from ..system import confine, folders, processes
from ..system.jail import Jail
from ..system.processes import MAX_DISK_MB, total_memory_limit
from ..wire import frames as wire
from ..wire import link
from ..wire.frames import TO_WORKER, Frame, encode
from ..wire.link import Outbox
from .checkpoints import ENDED, Checkpoint, Copy, Ring, find_copy, hindrance
from .child import END_OF_STEP_SECONDS, TAKE_OVER_SECONDS, Child
from .egress import LINK_BYTES, Relay, build_environment
from .meters import STREAM_SECONDS, Clock, Output

# --- The current request: its timer, output and end.
#
# * A request that is to end has ``GRACE_SECONDS`` seconds left; the first reason to end it is the one reported.
# * The report of a step's end is text that a model can act on.


GRACE_SECONDS = 1.5  # seconds from SIGINT to SIGKILL
VARIABLES_BACK = "the variables are as they were before the step"
TRANSFER_SECONDS = 60.0  # limit for tools, imports and pull
COPY_SECONDS = 2.0  # limit for making a copy, including the program's own fork handlers
WAIT_SECONDS = (
    10.0  # seconds that a request waits, if it may take as long, for a copy that does not react to an interrupt
)
PROCESSES_LEFT = "the processes that this step had started could not all be ended"
LEFT_ENDED = "the processes that earlier steps had left were ended"
TOO_MANY = "earlier steps had left too many processes, which were ended; the variables are kept"
RAN_OUT = (
    "memory ran out between the steps; the system ended processes that earlier steps had left; the variables are kept"
)
FORK_TOO_SLOW = "what the program does at a fork took too long"


class Request:
    """A request of the host that the runner works on."""

    def __init__(self, frame: Frame, child: Child, limit: int) -> None:
        self.frame = frame
        self.sent = False
        self.begun = time.monotonic()
        self.child = child
        self.is_run = frame.type == "run"
        self.timeout = float(frame.fields.get("timeout", TRANSFER_SECONDS))
        self.clock = Clock(lambda: processes.cpu_seconds(child.pid))
        self.output = Output(limit)
        self.forged_before = child.link.forged
        self.reason = ""  # "limit" or "stopped" once it is to end; "exhausted" when it was killed at a limit
        self.exhausted = ("", "")  # if exhausted: the error's name and text
        self.calls: dict[int, bool] = {}
        self.next_signal = 0.0
        self.kill_at = 0.0
        self.checkpoint: Checkpoint | None = None
        self.notes: list[str] = []  # sentences appended to its output

    def begin(self) -> None:
        """Start its timer, since it is being sent now, and its grace period if it is to end.

        The host counts from the request's arrival: time beyond two seconds in which it waited for a copy is the step's.
        """
        self.sent = True
        self.begun = time.monotonic()
        self.timeout -= max(0.0, self.clock.elapsed() - COPY_SECONDS)
        self.clock = Clock(lambda: processes.cpu_seconds(self.child.pid))
        if self.reason and self.kill_at:
            self.kill_at = time.monotonic() + GRACE_SECONDS

    def stop(self, reason: str) -> None:
        """Begin to end it. Further calls change nothing."""
        if not self.reason:
            self.reason = reason
            self.next_signal = time.monotonic()
            self.kill_at = self.next_signal + GRACE_SECONDS

    def exhaust(self, name: str, text: str) -> None:
        """Kill the code immediately, because it exceeded a limit."""
        self.reason, self.exhausted = "exhausted", (name, text)
        self.kill_at = 0.0

    def ended(self, error: dict[str, Any], kept: bool = True, back: bool = False) -> dict[str, Any]:
        """Return the error of a step that was ended.

        Args:
            error: the error that the runner reported.
            kept: whether the runner's process continues.
            back: whether a copy of the process from before the step continues.
        """
        state = "its variables are kept" if kept else "it did not react, so its process was killed"
        state += f"; {VARIABLES_BACK}" if back else ""
        if self.reason == "exhausted":
            kind, name = "limit", self.exhausted[0]
            emptied = ", and the folder emptied" if name == "OSError" else ""
            text = f"{self.exhausted[1]}; its process was killed{emptied}{f'; {VARIABLES_BACK}' if back else ''}"
        elif self.reason == "limit":
            kind, name = "limit", "TimeoutError"
            text = f"the step took longer than {self.timeout:g} s and was ended; {state}. Do less in one step"
        else:
            kind, name, text = "stopped", "KeyboardInterrupt", f"the step was interrupted; {state}"
        traceback = replace_last_error(error, f"{name}: {text}")
        return {"kind": kind, "type": name, "message": text, "line": error.get("line", 0), "traceback": traceback}


def replace_last_error(error: dict[str, Any], reason: str) -> str:
    """Return the traceback of a step that was ended, with ``reason`` in place of its last line."""
    text = error.get("traceback", "")
    last = "{}: {}".format(error.get("type", ""), error["message"]) if error.get("message") else error.get("type", "")
    if last and text.endswith(last):
        text = text[: -len(last)].rstrip("\n")
    return f"{text}\n{reason}" if text else ""


def describe_death(how: str, back: bool = False) -> dict[str, Any]:
    variables = VARIABLES_BACK[0].upper() + VARIABLES_BACK[1:] if back else "Its variables are gone"
    text = f"the sandbox's process ended during the step: {how}. {variables}."
    return {"kind": "sandbox", "type": "SandboxDied", "message": text, "line": 0, "traceback": ""}


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
        start: starts the process.
        say: sends the host a frame.
    """

    def __init__(self, start: Callable[[], Child], say: Callable[[Frame], object]) -> None:
        self._start, self._send_frame = start, say
        self._child: Child | None = None
        self._asked: Frame | None = None
        self._until = 0.0

    def handle_frame(self, frame: Frame) -> None:
        """Pass a question of the host to the process; a question without blobs ends the process."""
        if not frame.blobs:
            self._end("it was ended")
            self._answer(frame, "")
        elif self._asked is not None:
            self._answer(frame, "the agent has an open question; it answers one at a time")
        elif self._child is None and not frame.fields["load"]:
            self._answer(frame, GONE)
        else:
            if frame.fields["load"]:
                self._end("it is started again")
            self._ask(frame)

    def _ask(self, frame: Frame) -> None:
        if self._child is None:
            try:
                self._child = self._start()
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


def refuse_agent(frame: Frame) -> Frame:
    """Return the answer of a supervisor that cannot start processes."""
    return Frame("answer", {"id": frame.fields["id"], "error": CANNOT})


# --- Limits that the kernel does not enforce: the memory of all processes together, and disk use, including deleted open files.
#
# * While a step runs, measuring takes at most a twentieth of the time, however many processes and files there are.
# * Both are also measured as each step ends, however short it was, before the next one starts; without frozen copies that wait.
# * Between steps they are measured if a process of the code has run since the last look.
# * Before processes are killed for their memory, shared memory is counted only once.


WATCH_SECONDS = 0.25  # seconds between two measurements
QUIET_SECONDS = 1.0  # seconds between two looks while nothing of the code runs
MEASURING_SHARE = 20  # measuring takes at most one part in this many of the time
MAX_FILES = 20_000  # maximum files in the code's folders


class Watch:
    """Measures the processes below this one, and the folders that the code may write to.

    Args:
        options: as in the host's hello: "memory" and "disk" in MB.
        written: the folders.

    Attributes:
        is_due: whether something may have changed since everything was measured.
    """

    def __init__(self, options: dict[str, Any], written: tuple[str, ...]) -> None:
        self.is_due = False
        self._memory = total_memory_limit(options["memory"]) if options.get("memory") else 0
        self._group = options.get("jail", {}).get("groups", {}).get("memory", "")
        self._ended = 0
        self._disk = 2 * int(
            options.get("disk", MAX_DISK_MB)
        )  # twice the limit: the host may have put in as much again
        self._written = written
        self._next = 0.0  # time of the next measurement while a step runs

    def is_time(self) -> bool:
        """Return whether to measure while a step runs."""
        return time.monotonic() >= self._next

    def start(self) -> None:
        """Begin a step: the first measurement comes after a while."""
        self.ran_out()  # kills of the runner's copies between steps are not counted
        if not self.is_due:  # or short steps could put it off for ever
            self._next = max(self._next, time.monotonic() + WATCH_SECONDS)
        self.is_due = True

    def measure(self, idle: set[int]) -> tuple[str, str]:
        """Return the limit that is exceeded: an exception's name and the message; two empty texts if none is.

        Args:
            idle: the processes known to hold no files in the folders and to have started nothing.
        """
        start = time.monotonic()
        others = processes.find_below(os.getpid(), idle)
        measured = self._measure_memory(others | idle) or self._measure_disk(others)
        self.is_due, self._next = False, next_look(start)
        return measured

    def finish(self, idle: set[int]) -> tuple[str, str]:
        """Measure at the end of a step, for which ``idle`` is left out: a step has not changed these processes."""
        others = processes.find_below(os.getpid(), idle)
        return self._measure_memory(others) or self._measure_disk(others)

    def _measure_memory(self, pids: set[int]) -> tuple[str, str] | None:
        limit = self._memory << 20
        if limit and processes.measure_memory(pids, limit) > limit:
            return "MemoryError", f"the processes of the code together took more than {self._memory:,} MB of memory"
        return None

    def clear(self) -> None:
        """Empty the folders, when no process uses them: a full one would end every later step."""
        for folder in self._written:
            try:
                folders.empty(folder)
            except OSError:
                pass  # the next measurement reports it

    def explain_end(self, idle: set[int]) -> tuple[str, str]:
        """Check, after a runner ended, whether the kernel killed a process of its group for its memory, or the disk is full."""
        if not self.ran_out():
            return self._measure_disk(processes.find_below(os.getpid(), idle))
        text = (
            f"memory ran out; the sandbox's processes may take {self._memory:,} MB together, where the machine has it"
        )
        return "MemoryError", text

    def ran_out(self) -> bool:
        """Return whether the kernel killed a process of the group for its memory since the last call."""
        before, self._ended = self._ended, processes.count_memory_kills(self._group) if self._group else 0
        return self._ended > before

    def _measure_disk(self, pids: set[int]) -> tuple[str, str]:
        total = count = 0
        devices: set[int] = set()
        for folder in self._written:
            try:
                size, entries = folders.measure(folder, MAX_FILES)
                devices.add(os.stat(folder).st_dev)
            except OSError:
                continue
            total, count = total + size, count + entries
        total += processes.measure_deleted_files(pids, devices)
        if total > self._disk << 20:
            return "OSError", f"the code's folder holds more than {self._disk:,} MB"
        if count >= MAX_FILES:
            return (
                "OSError",
                f"the code's folder holds more than {MAX_FILES:,} files, or folders that cannot be looked into",
            )
        return "", ""


def next_look(start: float) -> float:
    """Return when to measure again, if measuring began at ``start`` and has just ended."""
    now = time.monotonic()
    return now + max(WATCH_SECONDS, MEASURING_SHARE * (now - start))


SIGINT_INTERVAL = 0.2  # seconds between two SIGINTs
MAX_OUTBOX_BYTES = 8 << 20  # bytes queued for a host that does not read; further streamed output is dropped
READ_BYTES = 1 << 20
HOST_SPEAKS_OTHERWISE, NOT_EMPTY = 76, 77  # exit codes


class Supervisor:
    """Serves one host over two descriptors until the host closes its end."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self._in, self._out = read_from, write_to
        self._socket: socket.socket | None = None
        self._outbox: Any = Outbox()
        self._agent: AgentProcess | None = AgentProcess(self._new_agent, self._send_frame)
        self._open()
        self._descriptors: list[int] = []  # memory files that came with frames, in order
        self._decoder = wire.Decoder(wire.TO_WORKER, wire.TO_WORKER_BYTES)
        self._waiting: deque[Frame] = deque()
        self._options: dict[str, Any] = {}
        self._tools: dict[str, str] = {}
        self._child: Child | None = None
        self._jail: Jail | None = None
        self._watch: Watch | None = None
        self._walls: dict[str, str] = {}
        self._request: Request | None = None
        self._ring: Ring | None = None
        self._relay: Relay | None = None
        self._copy_link: socket.socket | None = None  # link of the copy that is being made
        self._copy_until = self._next_signal = 0.0  # when making it is interrupted
        self._no_copies = ""  # why this runner is not copied any more
        self._mark = 0  # number of the checkpoint to make before the next run
        self._stop_next = False  # the waiting run was interrupted before it began
        self._lost = False  # a runner ended and lost its state since the last report
        self._notes: list[str] = []  # sentences for the next report
        self._running: list[bytes] = []  # how often each thread of the code had run at the last look, except the copies
        self._look_at = math.inf  # time of the next look between steps
        self._over = False
        self.status = 0

    def _open(self) -> None:
        for descriptor in (self._in, self._out):
            os.set_blocking(descriptor, False)
        if stat.S_ISSOCK(os.fstat(self._in).st_mode):
            self._socket = socket.socket(fileno=self._in)

    # --- event loop ---

    def serve(self) -> None:
        """Serve until the host closes its end; then end all processes."""
        try:
            while not self._over:
                ready = self._wait()
                if self._in in ready:
                    self._read_host()
                if self._relay is not None:
                    self._relay.poll(set(ready))
                self._read_child()
                if self._agent is not None:
                    self._agent.poll()
                self._look_at_clock()
                self._stream()
                self._flush()
        finally:
            self._end_tree()

    def _end_tree(self) -> None:
        processes.kill_children(group=0 if self._child is None else self._child.pid)

    def _wait(self) -> list[int]:
        poll = select.poll()
        poll.register(self._in, select.POLLIN)
        if self._outbox:
            poll.register(self._out, select.POLLOUT)
        if self._child is not None:
            for descriptor in self._child.descriptors():
                poll.register(descriptor, select.POLLIN)
            if self._child.link.outbox:
                poll.register(self._child.link.sock, select.POLLIN | select.POLLOUT)
        if self._relay is not None:
            self._relay.register(poll)
        patience = self._patience()
        if self._agent is not None:
            patience = self._agent.register(poll, patience)
        return [descriptor for descriptor, _ in poll.poll(patience)]

    def _patience(self) -> float | None:
        """Return the time until something must be checked even if nothing comes, in milliseconds."""
        request = self._request
        if self._copy_link is not None:
            return 1000 * max(0.2 if request is None else 0.02, self._copy_until - time.monotonic())
        if request is None:
            known = self._child is None or self._child.exit_watch is not None
            left = min(self._look_at - time.monotonic(), math.inf if known else 1.0)
            return None if left == math.inf else 1000 * max(0.001, left)
        if request.reason:
            return 20
        left = request.timeout - request.clock.elapsed()
        left = left if self._watch is None else min(left, WATCH_SECONDS)
        return 1000 * max(
            0.001, min(STREAM_SECONDS, left) if request.output.pending or request.calls else min(1.0, left)
        )

    def _flush(self) -> None:
        try:
            self._outbox.flush_stream(self._out)
        except OSError:
            self._over = True
        if self._child is not None:
            self._child.link.flush()

    def _send_frame(self, frame: Frame) -> None:
        for buffer in wire.encode(frame, wire.FROM_WORKER, wire.FROM_WORKER_BYTES):
            self._outbox.add([buffer])

    # --- messages of the host ---

    def _read_host(self) -> None:
        try:
            data = self._receive()
            frames = self._decoder.feed(data)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, frames = b"", []
        except wire.WireError:
            data, frames, self.status = b"", [], HOST_SPEAKS_OTHERWISE
        self._over = not data
        for frame in frames:
            self._hear(frame)
        self._next()

    def _receive(self) -> bytes:
        if self._socket is None:
            return os.read(self._in, READ_BYTES)
        data, ancillary, _, _ = self._socket.recvmsg(READ_BYTES, link.ROOM)
        self._descriptors += link.descriptors(ancillary)
        return data

    def _hear(self, frame: Frame) -> None:
        if frame.type == "hello":
            self._hello(frame.fields["options"])
        elif frame.type == "interrupt":
            self._interrupt()
        elif frame.type in ("return", "raise"):
            self._return(frame)
        elif frame.type == "agent":
            self._send_frame(refuse_agent(frame)) if self._agent is None else self._agent.handle_frame(frame)
        elif frame.type in folders.FRAMES:
            self._send_frame(folders.answer(frame, self._options.get("work", "")))
        elif frame.type == "clock":
            self._hold_clock(frame.fields["stands"])
        elif frame.type in wire.STREAMS:
            if self._relay is not None:
                self._relay.handle_frame(frame)
        else:
            self._waiting.append(frame)

    def _hold_clock(self, stands: bool) -> None:
        """Pause the step's timer while a person is asked on the host; continue it afterwards."""
        if self._request is not None:
            self._request.clock.call() if stands else self._request.clock.returned()

    def _interrupt(self) -> None:
        """End the current step, or the one that waits to begin."""
        self._next()
        if self._request is not None and self._request.is_run:
            self._request.stop("stopped")
        else:
            self._stop_next = any(frame.type == "run" for frame in self._waiting)

    def _hello(self, options: dict[str, Any]) -> None:
        if options.get("egress"):
            options = {**options, "environment": self._find_proxy(options)}
        self._options = options
        sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
        self._jail = Jail(options) if options.get("jail") and sys.platform == "linux" else None
        self._watch = self._new_watch(options)
        if (
            options.get("egress") and self._jail is None
        ):  # with a jail, its first process listens, in its own network namespace
            self._open_relay()
        self._child = self._new_child()
        self._ring = self._new_ring(options)
        arrow = any(os.path.isdir(os.path.join(path, "pyarrow")) for path in sys.path)
        libraries = [name for name in LIBRARIES if PathFinder.find_spec(name) is not None]
        known = {
            "arrow": arrow,
            "libraries": libraries,
            "kill": True,
            "processes": self._can_start_processes(),
            "checkpoints": "replay" if self._ring is None else "copies",
            "walls": self._walls,
            "egress": self._relay is not None,
        }
        self._send_frame(Frame("ready", {"version": wire.VERSION, "pid": os.getpid(), **self._described(known)}))

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        """Return the description of the sandbox's Python for the host."""
        return {"python": "{}.{}.{}".format(*sys.version_info[:3]), "capabilities": capabilities}

    def _find_proxy(self, options: dict[str, Any]) -> dict[str, str]:
        return build_environment(options)

    def _open_relay(self) -> None:
        self._relay = self._new_relay(confine.listen())

    def _new_relay(self, listener: socket.socket) -> Relay:
        return Relay(listener, self._send_frame, lambda: self._outbox.size < LINK_BYTES)

    def _new_watch(self, options: dict[str, Any]) -> Watch | None:
        """Return a watch for the folders that the code may write to; None if another sandbox limits them."""
        jail = options.get("jail")
        return Watch(options, (options["work"], *jail["write"])) if jail else None

    def _find_idle(self) -> set[int]:
        return set() if self._ring is None else self._ring.find_idle()

    def _new_ring(self, options: dict[str, Any]) -> Ring | None:
        """Return the ring of checkpoints that the host asked for; None if processes cannot be copied here."""
        most = int(options.get("checkpoints", 0))
        if not most or sys.platform != "linux" or not os.path.isdir("/proc/self") or not self._can_start_processes():
            return None
        work = options["work"]
        beside = os.path.dirname(work)
        written = (work, *options["jail"]["write"]) if options.get("jail") else (work,)
        devices = {os.stat(folder).st_dev for folder in written if os.path.exists(folder)}
        return Ring(most, work, beside if os.access(beside, os.W_OK) else "", devices)

    def _can_start_processes(self) -> bool:
        return hasattr(os, "fork") and not self._walls.get("forks")

    def _new_child(self) -> Child:
        """Start a runner with the same walls as the first one; exits if that is impossible."""
        self._link_mounts()
        child = Child(self._options, self._tools, self._jail)
        self._walls = self._walls or child.walls
        if child.walls != self._walls:
            child.close()
            sys.exit(f"the sandbox's walls do not stand as before: {child.walls}, and before: {self._walls}")
        if child.listener is not None:
            if self._relay is None:
                self._relay = self._new_relay(child.listener)
            else:
                self._relay.listen(child.listener)
        return child

    def _link_mounts(self) -> None:
        if self._options.get("links"):
            try:
                folders.link(self._options["work"], self._options["links"])
            except OSError:
                pass  # an earlier step has changed the folder's mode

    def _new_agent(self) -> Child:
        """Start the agent's process behind the runner's walls; without them if it gets a network, as in a sandbox with outer walls."""
        child = Child({**self._options, "agent": True}, {}, None if self._options.get("agent_network") else self._jail)
        if child.listener is not None:
            child.listener.close()  # only connections of the code are relayed
        return child

    def _return(self, frame: Frame) -> None:
        request = self._request
        if request is None or self._child is None or not request.calls.pop(frame.fields["call"], False):
            return  # an answer for a step that has ended
        request.clock.returned()
        self._child.link.send(wire.encode(frame, wire.TO_WORKER))

    def _next(self) -> None:
        """Begin the next request if there is no current one."""
        if self._request is not None or not self._waiting or not self._options:
            return
        frame = self._waiting.popleft()
        self._look_for_death()
        if self._keeps_checkpoints(frame):
            self._next()
            return
        if self._is_left():
            self._look_at = 0.0
            self._look_between_steps()
        if self._child is None:
            self._child = self._new_child()
        if frame.type == "tools":
            self._tools = frame.fields["tools"]
        if frame.type == "imports":
            self._options = {**self._options, "imports": frame.fields["names"]}
        self._request = Request(frame, self._child, int(self._options.get("max_output", 20_000)))
        if self._watch is not None:
            self._watch.start()
        self._child.read_printed()  # output of a leftover thread between steps belongs to no step
        if self._stop_next and self._request.is_run:
            self._stop_next = False
            self._request.stop("stopped")
        if self._request.is_run and self._mark and self._ring is not None:
            self._add_checkpoint(self._ring, self._request)
        if self._copy_link is None:
            self._send(self._request)

    def _send(self, request: Request) -> None:
        request.begin()
        if self._ring is not None:
            self._ring.use_spare(request.checkpoint, request.frame.type != "list")
        shared = self._descriptors.pop(0) if request.frame.fields.get("shared") and self._descriptors else None
        request.child.link.request(wire.encode(request.frame, wire.TO_WORKER), shared)
        if request.checkpoint is not None and self._ring is not None:
            self._ring.prepare()

    # --- checkpoints ---

    def _keeps_checkpoints(self, frame: Frame) -> bool:
        """Answer a frame about checkpoints; returns False for other frames."""
        if frame.type == "checkpoint":
            self._mark = frame.fields["number"]
        elif frame.type == "checkpoints":
            checkpoints = [] if self._ring is None else self._ring.described()
            self._send_frame(Frame("answer", {"id": frame.fields["id"], "error": ""}, (wire.dumps(checkpoints),)))
        elif frame.type == "rollback":
            error, uncovered = self._go_back(frame.fields["number"], frame.fields["keep"])
            left = wire.dumps([uncovered, not error and self._shares_memory()])
            self._send_frame(Frame("answer", {"id": frame.fields["id"], "error": error}, (left,)))
            if not error:
                self._copy_ahead()
                self._schedule_look()
        else:
            return False
        return True

    def _add_checkpoint(self, ring: Ring, request: Request) -> None:
        """Add a checkpoint for a step. Its copy is made now, unless the spare copy can be used."""
        number, self._mark = self._mark, 0
        if self._no_copies:
            ring.keep_spare(None, self._no_copies)
        elif self._copy_link is None and not ring.has_spare():
            self._ask_for_copy(request.child)
        request.checkpoint = ring.add(number)  # before its copy is ready

    def _ask_for_copy(self, child: Child) -> None:
        """Have the runner fork a copy; requests wait for its answer."""
        now = time.monotonic()
        self._copy_until, self._next_signal = now + COPY_SECONDS, 0.0
        self._look_at = now + WATCH_SECONDS  # code of the program's may run at a fork
        self._copy_link, far = link.pair()
        child.link.request(wire.encode(Frame("copy", {"id": 0}), wire.TO_WORKER), far.detach())

    def _copy_ahead(self) -> None:
        """Make the copy for the next step while the runner is idle."""
        child, ring = self._child, self._ring
        if (
            self._request is not None
            or self._copy_link is not None
            or child is None
            or ring is None
            or ring.has_spare()
        ):
            return
        self._flush()
        if not self._no_copies and not processes.find_unknown_below({child.pid, child.head}, ring.processes()):
            self._ask_for_copy(child)

    def _take_copy(self, near: socket.socket, named: int, error: str) -> None:
        """Handle the runner's answer about a copy: it has forked, or says why not; then send the waiting request."""
        child, ring, self._copy_link = self._child, self._ring, None
        if child is None or ring is None:
            return
        if error or self._no_copies:
            near.close()  # a copy, if there is one, ends
            ring.keep_spare(None, self._no_copies or error)
        else:
            others = processes.find_unknown_below({child.pid, child.head}, ring.processes())
            copy, reason = find_copy(near, named, child.pid, others)
            ring.keep_spare(copy, reason or hindrance(child.pid, self._options))
        if self._request is not None:
            self._send(self._request)
        elif ring.has_spare():
            child.link.send(wire.encode(Frame("touch", {}), wire.TO_WORKER))
        if self._request is None:
            ring.trim()
            self._schedule_look()

    def _forget_spare(self, ring: Ring) -> None:
        """The runner ends: drop the spare copy, and one that is being made."""
        ring.drop_spare()
        if self._copy_link is not None:
            self._copy_link.close()
            self._copy_link = None

    def _own_copies(self) -> set[int]:
        return set() if self._ring is None else self._ring.processes()

    def _go_back(self, number: int, keep: bool) -> tuple[str, str]:
        """Restore the runner and the folder from a checkpoint; returns an error, and why the folder is not covered."""
        ring = self._ring
        if ring is None:
            return "this sandbox keeps no checkpoints", ""
        try:
            wanted, holder = ring.find(number)
        except LookupError as error:
            return str(error), ""
        if holder is not None and not self._take_over(holder.copy, TAKE_OVER_SECONDS):
            ring.clear(ENDED)
            return "the copy does not answer", ""
        uncovered = wanted.uncovered
        try:
            if not uncovered:
                ring.restore_files(wanted)
        except OSError as error:
            ring.clear("the folder could not be put back")
            return f"the folder could not be put back: {error.strerror or error}", ""
        if holder is not None:
            holder.copy = None
        ring.forget_from(wanted, keep)
        return "", uncovered

    def _take_over(self, copy: Copy | None, seconds: float) -> bool:
        """Replace the runner by a copy within so many seconds.

        Returns False if the copy does not answer; the runner is then unchanged, or has ended.
        """
        until = time.monotonic() + seconds
        if copy is None or self._child is None or self._ring is None or not copy.wake(until):
            return False
        self._forget_spare(self._ring)
        self._no_copies = ""
        return self._child.continue_as(copy, self._own_copies() - {copy.pid}, until)

    def _shares_memory(self) -> bool:
        """Return whether the runner has memory or files that it shares with its copies, so that they do not go back with it."""
        child, jail, ring = self._child, self._jail, self._ring
        own_shm = jail is None or jail.namespaces
        return child is not None and ring is not None and processes.shares_memory(child.pid, own_shm, ring.devices)

    # --- messages of the runner ---

    def _read_child(self) -> None:
        child = self._child
        if child is None:
            return
        self._take_printed()
        frames = child.link.receive()
        if frames is None:
            child.kill()  # it closed its end and cannot answer any more
        for frame in frames or ():
            self._hear_runner(frame)
        if self._child is child:
            self._look_for_death()

    def _take_printed(self) -> None:
        if self._child is not None:
            data = self._child.read_printed()
            if data and self._request is not None and self._request.sent:
                self._request.output.feed(data)

    def _hear_runner(self, frame: Frame) -> None:
        request = self._request
        if self._copy_link is not None and frame.type == "answer":
            self._take_copy(self._copy_link, frame.fields["id"], frame.fields["error"])
        elif request is None or not request.sent:
            pass  # for a request that has ended
        elif frame.type == "call" and request.is_run:
            self._call(frame, request)
        elif frame.type == "show" and request.is_run:
            if frame.fields["step"] == request.frame.fields["step"] and self._outbox.size < MAX_OUTBOX_BYTES:
                self._send_frame(frame)
        elif frame.type == "done" and request.is_run:
            self._take_printed()
            self._done(frame, request)
        elif frame.type == "answer" and not request.is_run:
            self._finish(Frame("answer", {**frame.fields, "id": request.frame.fields["id"]}, frame.blobs))

    def _call(self, frame: Frame, request: Request) -> None:
        number = frame.fields["call"]
        if number in request.calls:
            return
        self._stream(force=True)
        request.calls[number] = True
        request.clock.call()
        self._send_frame(Frame("call", {**frame.fields, "step": request.frame.fields["step"]}, frame.blobs))

    def _finish(self, frame: Frame) -> None:
        done, self._request = self._request, None
        self._send_frame(frame)
        self._next()
        if done is not None and done.checkpoint is not None and self._ring is not None:
            self._flush()
            if not done.checkpoint.reason:
                self._copy_ahead()
            if self._copy_link is None:
                self._ring.trim()
        self._flush()
        self._schedule_look()

    # --- between steps ---

    def _schedule_look(self) -> None:
        """Note what goes on after a request, and look again soon: what a step leaves must keep its limits, too."""
        is_idle = self._request is None and self._copy_link is None
        if is_idle and self._watch is not None and self._child is not None:
            self._watch.ran_out()
            self._watch.is_due = True
            self._running, self._look_at = self._find_running(), time.monotonic() + WATCH_SECONDS

    def _find_running(self) -> list[bytes]:
        return processes.scheduled_below(self._own_processes())

    def _own_processes(self) -> set[int]:
        """Return the processes beside the runner that are not left by a step: the copies and the agent's."""
        return self._own_copies() | (set() if self._agent is None else self._agent.processes())

    def _is_left(self) -> bool:
        """Whether more went on at the last look than the runner's two threads, and init of its process namespace."""
        child = self._child
        return child is not None and len(self._running) > 2 + (child.head != child.pid)

    def _look_between_steps(self) -> None:
        """Measure if something of the code has run since the last look, such as a thread, or a handler of a timer."""
        now, watch = time.monotonic(), self._watch
        if now < self._look_at:
            return
        if watch is None or self._child is None:
            self._look_at = math.inf
            return
        was_left, before, self._running = self._is_left(), self._running, self._find_running()
        idle = self._find_idle()
        if not watch.is_due and self._running == before and idle == self._own_copies():
            self._look_at = now + QUIET_SECONDS
            return
        if was_left and watch.ran_out():
            self._note(RAN_OUT)
        if self._child.kill_many_others(self._own_processes(), idle)[0]:
            self._note(TOO_MANY)
        name, text = self._come_below_limit(*watch.measure(idle), idle)
        if name:
            self._end_between_steps(name, text)
        self._look_at = next_look(now)

    def _come_below_limit(self, name: str, text: str, idle: set[int]) -> tuple[str, str]:
        """Try to come below a limit without ending the runner: drop copies, and end the processes that earlier steps left.

        Args:
            name, text: the limit that is exceeded, as ``Watch`` returns it.
            idle: the copies that it took for idle.

        Returns:
            The limit that is still exceeded.
        """
        if not name:
            return "", ""
        child, watch, request, own = self._child, self._watch, self._request, self._own_processes()
        if child is None or watch is None or not self._can_start_processes():
            return name, text
        if name == "MemoryError" and self._ring is not None and self._ring.give_back():
            watch.is_due = True
            return "", ""
        before = math.inf
        if request is not None and request.sent:
            before = processes.ticks_after_boot(time.monotonic() - request.begun)
        done = [text]
        if processes.find_unknown_below({child.pid, child.head}, own, before):
            done.append(LEFT_ENDED)
        else:
            self._running = self._find_running()  # the system may have ended some
            if before < math.inf or self._is_left() or self._copy_link is not None:
                return name, text  # the step itself, a thread of the runner, or what the program does at a fork
        child.kill_others(own, before)
        name, still = watch.measure(idle)
        if name == "OSError" and before == math.inf:
            self._empty_folder()
            done.append("the folder was emptied")
            name, still = watch.measure(idle)
        if not name:
            self._note("; ".join((*done, "the variables are kept")))
        return name, still

    def _end_between_steps(self, name: str, text: str) -> None:
        """End the runner, which exceeds a limit by itself while no step runs."""
        emptied = name == "OSError"
        if self._request is not None:  # it waits for a copy
            self._request.exhaust(name, text)
        else:
            self._note(f"between the steps, {text}; its process was killed{', and the folder emptied' * emptied}")
        self._died("")
        if emptied:
            self._empty_folder()

    def _empty_folder(self) -> None:
        """Empty the code's folders while no step uses them; the user's mounts stay linked from there."""
        if self._watch is not None:
            self._watch.clear()
        self._link_mounts()

    def _note(self, text: str) -> None:
        """Tell this with the next step's output."""
        if text not in self._notes:
            self._notes.append(text)

    # --- the end of a step ---

    def _done(self, frame: Frame, request: Request) -> None:
        idle = self._find_idle()
        if self._watch is not None:
            name, text = self._come_below_limit(*self._watch.finish(idle), idle)
            if name:
                request.exhaust(name, text)  # ``_look_at_clock`` kills it
                return
        fields = dict(frame.fields)
        if request.reason:
            # processes of the code end with the step that was ended
            if not request.child.kill_others(self._own_processes()):
                request.notes.append(PROCESSES_LEFT)
            fields.update(error=request.ended(fields["error"] or {}), final=False)
        else:
            count, is_clean = request.child.kill_many_others(self._own_processes(), idle)
            if count:
                many = f"{count} processes that this step had started were ended with it: too many to go on"
                request.notes.append(many if is_clean else PROCESSES_LEFT)
        self._report(request, fields, frame.blobs)

    def _report(self, request: Request, fields: dict[str, Any], blobs: Any) -> None:
        self._stream(force=True)
        request.output.feed(b"", final=True)
        forged = request.child.link.forged - request.forged_before
        text = request.output.text()
        if forged:
            request.notes.append(f"forged frame refused ({forged} in this step)")
        text += "".join(f"\n[smolcell: {note}]\n" for note in (*self._notes, *request.notes))
        self._notes = []
        lost, self._lost = self._lost, False
        fields.update(
            step=request.frame.fields["step"],
            dropped=request.output.dropped,
            forged=forged,
            state_lost=lost,
            duration=round(request.clock.elapsed(), 6),
        )
        self._finish(Frame("done", fields, (*blobs, text.encode("utf-8"))))

    def _look_at_copy(self, child: Child) -> None:
        """Enforce the limit for making a copy; a step that waits for it and is stopped has changed nothing.

        The runner is killed if it does not react, but not before a request has waited for it: the machine may be busy.
        """
        request, now = self._request, time.monotonic()
        if request is not None and request.reason == "stopped":
            self._report(request, {"error": request.ended({}), "final": False, "changed": []}, (b"",))
        elif (
            request is not None
            and now >= self._copy_until + GRACE_SECONDS
            and request.clock.elapsed() >= max(GRACE_SECONDS, min(WAIT_SECONDS, request.timeout))
        ):
            if request.frame.type == "list":  # which a page sends by itself
                self._finish(Frame("answer", {"id": request.frame.fields["id"], "error": FORK_TOO_SLOW}))
            else:
                self._died(FORK_TOO_SLOW)
            return
        if now >= self._copy_until and now >= self._next_signal:
            self._no_copies, self._next_signal = FORK_TOO_SLOW, now + SIGINT_INTERVAL
            child.interrupt()

    def _look_at_clock(self) -> None:
        if self._request is None or self._copy_link is not None:
            self._look_between_steps()
        if self._copy_link is not None and self._child is not None:
            self._look_at_copy(self._child)
            return
        request, child = self._request, self._child
        if request is None or child is None:
            return
        if not request.reason and request.clock.elapsed() >= request.timeout:
            request.stop("limit")
        if self._watch is not None and self._watch.is_time():
            idle = self._find_idle()
            name, text = self._come_below_limit(*self._watch.measure(idle), idle)
            if name:
                request.exhaust(name, text)
        now = time.monotonic()
        if request.reason and now >= request.kill_at:
            self._died("")
        elif request.reason and now >= request.next_signal:
            request.next_signal = now + SIGINT_INTERVAL
            child.interrupt()

    def _look_for_death(self) -> None:
        if self._child is not None:
            how = self._child.ended()
            if how is not None:
                self._died(how)

    def _died(self, how: str) -> None:
        """Handle the end of the runner: it ended by itself (``how`` says how), or is killed here (``how`` is "")."""
        child, request = self._child, self._request
        if child is None:
            return
        child.kill()
        printed, frames = child.read_printed(), child.link.receive(1 << 20) or []
        back = self._come_back(request)
        if not back and not self._close_child(child):
            return
        if request is None:
            if how and self._watch is not None and self._watch.ran_out():
                self._note("memory ran out between the steps; the system ended the sandbox's process")
            return
        if how and not request.reason and self._watch is not None:
            name, text = self._watch.explain_end(self._find_idle())
            if name:
                request.exhaust(name, text)
        request.output.feed(printed)
        for frame in frames:
            self._hear_runner(frame)  # a message sent before the end may finish the request
        if self._request is request:
            self._report_death(request, how, back)

    def _close_child(self, child: Child) -> bool:
        """End all processes of the runner, and its copies; returns False if one does not end."""
        self._child, self._lost, self._no_copies = None, True, ""
        if self._ring is not None:
            self._forget_spare(self._ring)
            self._ring.clear("the sandbox's process ended")
        if child.close():
            return True
        # No new runner while old processes run: the host kills the rest and starts a new sandbox.
        sys.stderr.write("processes of the code did not end\n")
        self._over, self.status = True, NOT_EMPTY
        return False

    def _come_back(self, request: Request | None) -> bool:
        """After the runner's end, continue with the copy from before the step, if there is one."""
        checkpoint = None if request is None else request.checkpoint
        if request is None or checkpoint is None:
            return False
        is_awaited = request.reason in ("stopped", "limit")  # the host ends the sandbox soon
        if not self._take_over(checkpoint.copy, END_OF_STEP_SECONDS if is_awaited else TAKE_OVER_SECONDS):
            return False
        checkpoint.copy = None  # the runner has this state, and so will the next checkpoint
        if self._shares_memory():
            request.notes.append(f"{processes.SHARED} stay as the step left them")
        return True

    def _report_death(self, request: Request, how: str, back: bool) -> None:
        if request.exhausted[0] == "OSError":
            self._empty_folder()
        if request.is_run:
            error = request.ended({}, kept=False, back=back) if request.reason else describe_death(how, back)
            self._report(request, {"error": error, "final": False, "changed": []}, (b"",))
        else:
            text = "the sandbox's process ended: {}".format(how or "it took too long and was killed")
            self._finish(Frame("answer", {"id": request.frame.fields["id"], "error": text}))

    def _stream(self, force: bool = False) -> None:
        request = self._request
        if request is None or not request.is_run:
            return
        piece = request.output.stream(force)
        if piece and self._outbox.size < MAX_OUTBOX_BYTES:
            for at in range(0, len(piece), 1 << 16):
                self._send_frame(
                    Frame("out", {"step": request.frame.fields["step"], "text": piece[at : at + (1 << 16)]})
                )


def main(kind: type[Supervisor] = Supervisor) -> None:
    """Move the wire off descriptors 0 and 1, replace them with /dev/null, and serve."""
    read_from, write_to = os.dup(0), os.dup(1)
    sys.stderr = open(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 - for messages at exit
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when the host closes its pipe
    if os.getsid(0) != os.getpid():
        try:
            os.setsid()
        except OSError:
            pass  # it already leads a process group
    processes.prctl(processes.PR_SET_DUMPABLE, 0)
    processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
    supervisor = kind(read_from, write_to)
    supervisor.serve()
    sys.exit(supervisor.status)
