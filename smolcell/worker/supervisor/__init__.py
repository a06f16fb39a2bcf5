"""The supervisor: stands between the host and the code, speaks both wires, enforces limits.

* The code never gets the descriptors of the host's wire, and the host never gets a frame made by the code: messages of the
  runner are checked (nonce, table, bounds) and written anew here.
* One request at a time. Every request ends, whatever the code does: SIGINT at its limit, SIGKILL of all processes below this
  one ``GRACE_SECONDS`` seconds later.
* Nothing blocks: limits hold even if the runner or the host does not read.
* When the host closes its pipe, all processes are ended.

``Supervisor`` is the loop, ``Requests`` the work on the host's requests. ``limits`` has the limits, ``checkpoints`` the states of copies.
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
from typing import Any

from ..guard.tables import LIBRARIES
from ..system import folders, processes
from ..wire import frames as wire
from ..wire import link
from ..wire.frames import TO_WORKER, Frame
from ..wire.link import Outbox
from .checkpoints import COPY_SECONDS, FORK_TOO_SLOW, TAKE_OVER_SECONDS, Ring, StoredCheckpoint, new_ring
from .child import END_OF_STEP_SECONDS, AgentProcess, Child, Runners
from .limits import SandboxLimits, Watch
from .meters import STREAM_SECONDS, Clock, Output

# --- The current request: its timer, output and end.
#
# * A request that is to end has ``GRACE_SECONDS`` seconds left; the first reason to end it is the one reported.
# * The report of a step's end is text that a model can act on.


GRACE_SECONDS = 1.5  # seconds from SIGINT to SIGKILL
VARIABLES_BACK = "the variables are as they were before the step"
TRANSFER_SECONDS = 60.0  # limit for tools, imports and pull
WAIT_SECONDS = 10.0  # seconds that a request waits, if it may, for a copy that does not react to an interrupt
PROCESSES_LEFT = "the processes that this step had started could not all be ended"


class Request:
    """A request of the host that the runner works on."""

    def __init__(self, frame: Frame, child: Child, limit: int) -> None:
        self.frame = frame
        self.begun = math.inf  # time at which it was sent to the runner
        self.child = child
        self.timeout = float(frame.fields.get("timeout", TRANSFER_SECONDS))
        self.clock = Clock(lambda: processes.cpu_seconds(child.pid))
        self.output = Output(limit)
        self.forged_before = child.link.forged
        self.reason = ""  # "limit" or "stopped" once it is to end; "exhausted" when it was killed at a limit
        self.exhausted = ("", "")  # if exhausted: the error's name and text
        self.calls: set[int] = set()  # open calls of the host's tools
        self.kill_at = 0.0
        self.checkpoint: StoredCheckpoint | None = None
        self.notes: list[str] = []  # sentences appended to its output

    @property
    def is_run(self) -> bool:
        """Whether it is a step."""
        return self.frame.type == "run"

    @property
    def sent(self) -> bool:
        """Whether the runner has it."""
        return self.begun < math.inf

    def begin(self) -> None:
        """Start its timer, since it is being sent now, and its grace period if it is to end.

        The host counts from the request's arrival: time beyond two seconds in which it waited for a copy is the step's.
        """
        self.begun = time.monotonic()
        self.timeout -= max(0.0, self.clock.elapsed() - COPY_SECONDS)
        self.clock = Clock(lambda: processes.cpu_seconds(self.child.pid))
        if self.reason and self.kill_at:
            self.kill_at = time.monotonic() + GRACE_SECONDS

    def stop(self, reason: str) -> None:
        """Begin to end it. Further calls change nothing."""
        if not self.reason:
            self.reason = reason
            self.kill_at = time.monotonic() + GRACE_SECONDS

    def exhaust(self, name: str, text: str) -> None:
        """Kill the code immediately, because it exceeded a limit."""
        self.reason, self.exhausted = "exhausted", (name, text)
        self.kill_at = 0.0

    def patience(self) -> float:
        """Return the seconds until it must be looked at even if nothing comes."""
        if self.reason:
            return 0.02
        return min(STREAM_SECONDS if self.output.pending or self.calls else 1.0, self.timeout - self.clock.elapsed())

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


MAX_OUTBOX_BYTES = 8 << 20  # bytes queued for a host that does not read; further streamed output is dropped
READ_BYTES = 1 << 20
HOST_SPEAKS_OTHERWISE, NOT_EMPTY = 76, 77  # exit codes


class HostLink:
    """The connection to the host. Never blocks.

    Args:
        read_from, write_to: descriptors.
    """

    def __init__(self, read_from: int, write_to: int) -> None:
        self._in, self._out = read_from, write_to
        self._outbox = Outbox()
        self._decoder = wire.FrameDecoder(wire.TO_WORKER, wire.TO_WORKER_BYTES)
        self._descriptors: list[int] = []  # memory files that came with frames, in order
        for descriptor in (read_from, write_to):
            os.set_blocking(descriptor, False)
        is_socket = stat.S_ISSOCK(os.fstat(read_from).st_mode)
        self._socket = socket.socket(fileno=read_from) if is_socket else None

    def register(self, poll: Any) -> None:
        """Register the descriptors with ``poll``."""
        poll.register(self._in, select.POLLIN)
        if self._outbox:
            poll.register(self._out, select.POLLOUT)

    @property
    def queued(self) -> int:
        """Bytes that the host has not read yet."""
        return self._outbox.size

    def send(self, frame: Frame) -> None:
        """Queue a frame."""
        for buffer in wire.encode(frame, wire.FROM_WORKER, wire.FROM_WORKER_BYTES):
            self._outbox.add([buffer])

    def flush(self) -> bool:
        """Write what the host takes; returns whether it still listens."""
        try:
            self._outbox.flush_stream(self._out)
        except OSError:
            return False
        return True

    def receive(self) -> list[Frame]:
        """Return the frames that have come.

        Raises:
            EOFError: the host has closed its end.
            FrameError: it sent something else.
        """
        try:
            data = self._read()
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            data = b""
        if not data:
            raise EOFError
        return self._decoder.feed(data)

    def _read(self) -> bytes:
        if self._socket is None:
            return os.read(self._in, READ_BYTES)
        data, ancillary, _, _ = self._socket.recvmsg(READ_BYTES, link.ROOM)
        self._descriptors += link.descriptors(ancillary)
        return data

    def take_file(self, frame: Frame) -> int | None:
        """Return the descriptor of the memory file that came with this frame; None if none did."""
        return self._descriptors.pop(0) if frame.fields.get("shared") and self._descriptors else None


class Requests:
    """Works on the host's requests, one after the other, with one runner after the other.

    Args:
        host: the connection to the host.
        runners: starts the runners.
        limits: limits of the code.
        ring: checkpoints.

    Attributes:
        child: the runner; None if the last one has ended.
        current: the request that it works on.
        waiting: later frames, oldest first.
        failed: processes of the code could not be ended: the host has to end this sandbox.
    """

    def __init__(self, host: HostLink, runners: Runners, limits: SandboxLimits, ring: Ring) -> None:
        self._host, self._runners, self._limits, self._ring = host, runners, limits, ring
        self.child: Child | None = None
        self.current: Request | None = None
        self.waiting: deque[Frame] = deque()
        self.failed = False
        self._stop_next = False  # the waiting run was interrupted before it began
        self._lost = False  # a runner ended and lost its state since the last report

    # --- messages of the host ---

    def patience(self) -> float:
        """Return the seconds until something must be looked at even if nothing comes."""
        request, copy = self.current, self._ring.next
        if copy.is_awaited:
            return max(0.2 if request is None else 0.02, copy.until - time.monotonic())
        if request is None:
            return self._limits.patience(self.child)
        return min(request.patience(), self._limits.step_patience)

    def interrupt(self) -> None:
        """End the current step, or the one that waits to begin."""
        self.next()
        if self.current is not None and self.current.is_run:
            self.current.stop("stopped")
        else:
            self._stop_next = any(frame.type == "run" for frame in self.waiting)

    def pass_on(self, frame: Frame) -> None:
        """Pass on a tool's answer, unless it is for a step that has ended."""
        request, number = self.current, frame.fields["call"]
        if request is not None and number in request.calls:
            request.calls.remove(number)
            request.clock.returned()
            request.child.link.send(wire.encode(frame, TO_WORKER))

    def next(self) -> None:
        """Begin the next request if there is no current one."""
        if self.current is not None or not self.waiting or not self._runners.options:
            return
        frame = self.waiting.popleft()
        self._look_for_death()
        if frame.type in ("checkpoint", "checkpoints", "rollback"):
            self._answer_about_checkpoints(frame)
            self.next()
            return
        if self._limits.is_left(self.child):
            self._limits.look_soon(0.0)
            self._look_between_steps()
        self.child = child = self.child or self._runners.start()
        if frame.type == "tools":
            self._runners.tools = frame.fields["tools"]
        if frame.type == "imports":
            self._runners.options = {**self._runners.options, "imports": frame.fields["names"]}
        self.current = request = Request(frame, child, int(self._runners.options.get("max_output", 20_000)))
        self._limits.start()
        child.read_printed()  # output of a leftover thread between steps belongs to no step
        if request.is_run:
            if self._stop_next:
                self._stop_next = False
                request.stop("stopped")
            if self._ring.number and self._ring.most:
                if self._ring.next.is_wanted():
                    self._ask_for_copy(child)
                request.checkpoint = self._ring.add()  # before its copy is ready
        if not self._ring.next.is_awaited:
            self._send(request)

    def _send(self, request: Request) -> None:
        request.begin()
        self._ring.begin(request.checkpoint, request.frame.type != "list")
        request.child.link.request(wire.encode(request.frame, TO_WORKER), self._host.take_file(request.frame))
        if request.checkpoint is not None:
            self._ring.prepare()

    # --- checkpoints ---

    def _answer_about_checkpoints(self, frame: Frame) -> None:
        error, blob = "", None
        if frame.type == "checkpoint":
            self._ring.number = frame.fields["number"]
            return
        if frame.type == "checkpoints":
            blob = wire.dumps(self._ring.describe())
        else:
            error, uncovered = self._ring.go_back(self.child, frame.fields["number"], frame.fields["keep"])
            blob = wire.dumps([uncovered, not error and self._shares_memory()])
        self._host.send(Frame("answer", {"id": frame.fields["id"], "error": error}, (blob,)))
        if frame.type == "rollback" and not error:
            self._copy_ahead()
            self._limits.schedule(self.child)

    def _ask_for_copy(self, child: Child) -> None:
        """Have the runner fork a copy; requests wait for its answer."""
        self._ring.next.ask(child)
        self._limits.look_soon()  # code of the program's may run at a fork

    def _copy_ahead(self) -> None:
        """Make the copy for the next step while the runner is idle."""
        child = self.child
        if self.current is None and child is not None and self._ring.most and self._ring.next.is_wanted():
            self._host.flush()
            child.link.flush()
            if not processes.find_unknown_below({child.pid, child.head}, self._ring.processes()):
                self._ask_for_copy(child)

    def _take_copy(self, frame: Frame, child: Child) -> None:
        """Take a copy that was made; then send the request that waits for it."""
        self._ring.take_copy(child, frame.fields)
        if self.current is not None:
            self._send(self.current)
            return
        if self._ring.next.is_ready():
            child.link.send(wire.encode(Frame("touch", {}), TO_WORKER))
        self._ring.trim()
        self._limits.schedule(child)

    def _look_at_copy(self, child: Child) -> None:
        """Enforce the limit for making a copy; a step that waits for it and is stopped has changed nothing.

        The runner is killed if it does not react, but not before a request has waited for it: the machine may be busy.
        """
        request = self.current
        if request is not None and request.reason == "stopped":
            self._report(request, {"error": request.ended({}), "final": False, "changed": []}, (b"",))
        elif (
            request is not None
            and time.monotonic() >= self._ring.next.until + GRACE_SECONDS
            and request.clock.elapsed() >= max(GRACE_SECONDS, min(WAIT_SECONDS, request.timeout))
        ):
            if request.frame.type == "list":  # which a page sends by itself
                self._finish(Frame("answer", {"id": request.frame.fields["id"], "error": FORK_TOO_SLOW}))
            else:
                self._died(FORK_TOO_SLOW)
            return
        self._ring.next.look(child)

    def _shares_memory(self) -> bool:
        """Return whether the runner has memory or files that do not go back with it."""
        return self.child is not None and bool(self._ring.most) and self.child.shares_memory(self._ring.devices)

    # --- messages of the runner ---

    def read_child(self) -> None:
        """Handle what the runner has printed and said, and its end."""
        child = self.child
        if child is None:
            return
        printed = child.read_printed()
        if printed and self.current is not None and self.current.sent:
            self.current.output.feed(printed)
        frames = child.link.receive()
        if frames is None:
            child.kill()  # it closed its end and cannot answer any more
        for frame in frames or ():
            self._hear(frame, child)
        if self.child is child:
            self._look_for_death()

    def _hear(self, frame: Frame, child: Child) -> None:
        request = self.current
        if self._ring.next.is_awaited and frame.type == "answer":
            self._take_copy(frame, child)
        elif request is None or not request.sent:
            pass  # for a request that has ended
        elif not request.is_run:
            if frame.type == "answer":
                self._finish(Frame("answer", {**frame.fields, "id": request.frame.fields["id"]}, frame.blobs))
        elif frame.type == "call" and frame.fields["call"] not in request.calls:
            self.stream(force=True)
            request.calls.add(frame.fields["call"])
            request.clock.call()
            self._host.send(Frame("call", {**frame.fields, "step": request.frame.fields["step"]}, frame.blobs))
        elif frame.type == "show":
            if frame.fields["step"] == request.frame.fields["step"] and self._host.queued < MAX_OUTBOX_BYTES:
                self._host.send(frame)
        elif frame.type == "done":
            for piece in child.read_rest():
                request.output.feed(piece)
            self._done(frame, request)

    def _finish(self, frame: Frame) -> None:
        done, self.current = self.current, None
        self._host.send(frame)
        self.next()
        if done is not None and done.checkpoint is not None:
            self._host.flush()
            if not done.checkpoint.reason:
                self._copy_ahead()
            if not self._ring.next.is_awaited:
                self._ring.trim()
        self._host.flush()
        if self.current is None:
            self._limits.schedule(self.child)

    # --- the end of a step ---

    def _done(self, frame: Frame, request: Request) -> None:
        idle = self._ring.find_idle()
        name, text = self._limits.finish(idle, request.child, request.begun)
        if name:
            request.exhaust(name, text)  # ``look_at_clock`` kills it
            return
        fields = dict(frame.fields)
        own = self._limits.own_processes()
        if request.reason:
            # processes of the code end with the step that was ended
            if not request.child.kill_others(own):
                request.notes.append(PROCESSES_LEFT)
            fields.update(error=request.ended(fields["error"] or {}), final=False)
        else:
            count, is_clean = request.child.kill_many_others(own, idle)
            if count:
                many = f"{count} processes that this step had started were ended with it: too many to go on"
                request.notes.append(many if is_clean else PROCESSES_LEFT)
        self._report(request, fields, frame.blobs)

    def _report(self, request: Request, fields: dict[str, Any], blobs: Any) -> None:
        self.stream(force=True)
        request.output.feed(b"", final=True)
        forged = request.child.link.forged - request.forged_before
        text = request.output.text()
        if forged:
            request.notes.append(f"forged frame refused ({forged} in this step)")
        text += "".join(f"\n[smolcell: {note}]\n" for note in (*self._limits.notes, *request.notes))
        self._limits.notes = []
        lost, self._lost = self._lost, False
        fields.update(
            step=request.frame.fields["step"],
            dropped=request.output.dropped,
            forged=forged,
            state_lost=lost,
            duration=round(request.clock.elapsed(), 6),
        )
        self._finish(Frame("done", fields, (*blobs, text.encode("utf-8"))))

    def stream(self, force: bool = False) -> None:
        """Send the host what the step has printed, if it is time to."""
        request = self.current
        if request is None or not request.is_run:
            return
        piece = request.output.stream(force)
        if piece and self._host.queued < MAX_OUTBOX_BYTES:
            for at in range(0, len(piece), 1 << 16):
                fields = {"step": request.frame.fields["step"], "text": piece[at : at + (1 << 16)]}
                self._host.send(Frame("out", fields))

    # --- limits, and the end of the runner ---

    def look_at_clock(self) -> None:
        """Enforce the limits."""
        if self.current is None or self._ring.next.is_awaited:
            self._look_between_steps()
        request, child = self.current, self.child
        if child is None:
            return
        if self._ring.next.is_awaited:
            self._look_at_copy(child)
            return
        if request is None:
            return
        if not request.reason and request.clock.elapsed() >= request.timeout:
            request.stop("limit")
        name, text = self._limits.measure(child, request.begun)
        if name:
            request.exhaust(name, text)
        if request.reason and time.monotonic() >= request.kill_at:
            self._died("")
        elif request.reason:
            child.interrupt()

    def _look_between_steps(self) -> None:
        """End the runner if it exceeds a limit by itself while no step runs."""
        name, text = self._limits.look(self.child)
        if not name:
            return
        emptied = name == "OSError"
        if self.current is not None:  # it waits for a copy
            self.current.exhaust(name, text)
        else:
            ended = f"its process was killed{', and the folder emptied' * emptied}"
            self._limits.note(f"between the steps, {text}; {ended}")
        self._died("")
        if emptied:
            self._limits.empty_folder()

    def _look_for_death(self) -> None:
        how = None if self.child is None else self.child.ended()
        if how is not None:
            self._died(how)

    def _died(self, how: str) -> None:
        """Handle the end of the runner: it ended by itself (``how`` says how), or is killed here (``how`` is "")."""
        child, request = self.child, self.current
        if child is None:
            return
        child.kill()
        printed, frames = child.read_printed(), child.link.receive(1 << 20) or []
        is_back = (
            request is not None and request.checkpoint is not None and self._come_back(request, request.checkpoint)
        )
        if not is_back and not self._close(child):
            return
        if request is None:
            if how and self._limits.ran_out():
                self._limits.note("memory ran out between the steps; the system ended the sandbox's process")
            return
        if how and not request.reason:
            name, text = self._limits.explain_end()
            if name:
                request.exhaust(name, text)
        request.output.feed(printed)
        for frame in frames:
            self._hear(frame, child)  # a message sent before the end may finish the request
        if self.current is request:
            self._report_death(request, how, is_back)

    def _close(self, child: Child) -> bool:
        """End all processes of the runner, and its copies; returns False if one does not end."""
        self.child, self._lost = None, True
        self._ring.next.reset()
        self._ring.clear("the sandbox's process ended")
        if child.close():
            return True
        # No new runner while old processes run: the host kills the rest and starts a new sandbox.
        sys.stderr.write("processes of the code did not end\n")
        self.failed = True
        return False

    def _come_back(self, request: Request, checkpoint: StoredCheckpoint) -> bool:
        """After the runner's end, continue with the copy from before the step; returns False if there is none."""
        is_awaited = request.reason in ("stopped", "limit")  # the host ends the sandbox soon
        seconds = END_OF_STEP_SECONDS if is_awaited else TAKE_OVER_SECONDS
        if not self._ring.take_over(self.child, checkpoint.copy, seconds):
            return False
        checkpoint.copy = None  # the runner has this state, and so will the next checkpoint
        if self._shares_memory():
            request.notes.append(f"{processes.SHARED} stay as the step left them")
        return True

    def _report_death(self, request: Request, how: str, back: bool) -> None:
        if request.exhausted[0] == "OSError":
            self._limits.empty_folder()
        if request.is_run:
            error = request.ended({}, kept=False, back=back) if request.reason else describe_death(how, back)
            self._report(request, {"error": error, "final": False, "changed": []}, (b"",))
        else:
            text = "the sandbox's process ended: {}".format(how or "it took too long and was killed")
            self._finish(Frame("answer", {"id": request.frame.fields["id"], "error": text}))


class Supervisor:
    """The loop: serves one host over two descriptors until the host closes its end.

    Attributes:
        status: the program's exit code.
    """

    _requests_type = Requests

    def __init__(self, read_from: int, write_to: int) -> None:
        self._in = read_from
        self._host = self._connect(read_from, write_to)
        self._runners = Runners({}, self._host)
        self._agent = AgentProcess(lambda: self._runners.start_agent(), self._host.send)
        self._requests = self._new_requests(None, Ring(0, "", "", set()))
        self._over = False
        self.status = 0

    def _connect(self, read_from: int, write_to: int) -> Any:
        return HostLink(read_from, write_to)

    # --- event loop ---

    def serve(self) -> None:
        """Serve until the host closes its end; then end all processes."""
        try:
            while not self._over:
                ready = self._wait()
                if self._in in ready:
                    self._read_host()
                if self._runners.relay is not None:
                    self._runners.relay.poll(set(ready))
                self._requests.read_child()
                self._agent.poll()
                self._requests.look_at_clock()
                self._requests.stream()
                self._flush()
                if self._requests.failed:
                    self._over, self.status = True, NOT_EMPTY
        finally:
            self._end_tree()

    def _end_tree(self) -> None:
        child = self._requests.child
        processes.kill_children(group=0 if child is None else child.pid)

    def _wait(self) -> list[int]:
        poll = select.poll()
        self._host.register(poll)
        child = self._requests.child
        if child is not None:
            for descriptor in child.descriptors():
                poll.register(descriptor, select.POLLIN)
            if child.link.outbox:
                poll.register(child.link.sock, select.POLLIN | select.POLLOUT)
        if self._runners.relay is not None:
            self._runners.relay.register(poll)
        return [descriptor for descriptor, _ in poll.poll(self._agent.register(poll, self._patience()))]

    def _patience(self) -> float | None:
        """Return the time until something must be looked at even if nothing comes, in milliseconds; None for ever."""
        seconds = self._requests.patience()
        return None if seconds == math.inf else 1000 * max(0.001, seconds)

    def _flush(self) -> None:
        self._over = not self._host.flush() or self._over
        if self._requests.child is not None:
            self._requests.child.link.flush()

    # --- messages of the host ---

    def _read_host(self) -> None:
        try:
            frames = self._host.receive()
        except EOFError:
            self._over = True
            return
        except wire.FrameError:
            self._over, self.status = True, HOST_SPEAKS_OTHERWISE
            return
        for frame in frames:
            self._hear(frame)
        self._requests.next()

    def _hear(self, frame: Frame) -> None:
        request = self._requests.current
        if frame.type == "hello":
            self._hello(frame.fields["options"])
        elif frame.type == "interrupt":
            self._requests.interrupt()
        elif frame.type in ("return", "raise"):
            self._requests.pass_on(frame)
        elif frame.type == "agent":
            self._agent.handle_frame(frame)
        elif frame.type in folders.FRAMES:
            self._host.send(folders.answer(frame, self._runners.options.get("work", "")))
        elif frame.type == "clock":  # the step's timer is paused while a person is asked on the host
            if request is not None:
                request.clock.call() if frame.fields["stands"] else request.clock.returned()
        elif frame.type in wire.STREAMS:
            if self._runners.relay is not None:
                self._runners.relay.handle_frame(frame)
        else:
            self._requests.waiting.append(frame)

    def _hello(self, options: dict[str, Any]) -> None:
        self._runners = self._new_runners(options)
        sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
        child = self._runners.start()
        ring = new_ring(options, self._runners.can_fork)
        self._requests = self._new_requests(self._new_watch(options), ring)
        self._requests.child = child
        arrow = any(os.path.isdir(os.path.join(path, "pyarrow")) for path in sys.path)
        known = {
            "arrow": arrow,
            "libraries": [name for name in LIBRARIES if PathFinder.find_spec(name) is not None],
            "kill": True,
            "processes": self._runners.can_fork,
            "checkpoints": "copies" if ring.most else "replay",
            "walls": self._runners.walls,
            "egress": self._runners.relay is not None,
        }
        self._host.send(Frame("ready", {"version": wire.VERSION, "pid": os.getpid(), **self._described(known)}))

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        """Return the description of the sandbox's Python for the host."""
        return {"python": "{}.{}.{}".format(*sys.version_info[:3]), "capabilities": capabilities}

    def _new_runners(self, options: dict[str, Any]) -> Runners:
        return Runners(options, self._host)

    def _new_watch(self, options: dict[str, Any]) -> Watch | None:
        """Return a watch for the folders that the code may write to; None if another sandbox limits them."""
        jail = options.get("jail")
        return Watch(options, (options["work"], *jail["write"])) if jail else None

    def _new_requests(self, watch: Watch | None, ring: Ring) -> Requests:
        limits = SandboxLimits(watch, self._runners, ring, self._agent.processes)
        return self._requests_type(self._host, self._runners, limits, ring)


def take_wire() -> tuple[int, int]:
    """Move the wire off descriptors 0 and 1, and replace the standard streams with the null device; ignore signals.

    Returns:
        The descriptors to read from and to write to. ``sys.stderr`` stays, for messages at exit.
    """
    read_from, write_to = os.dup(0), os.dup(1)
    sys.stderr = open(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 - until the end
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # it ends when the host closes its pipe
    return read_from, write_to


def main(kind: type[Supervisor] = Supervisor) -> None:
    """Serve the host over descriptors 0 and 1."""
    read_from, write_to = take_wire()
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
