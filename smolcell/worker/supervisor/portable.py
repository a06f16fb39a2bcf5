"""Supervisor and runner for systems without fork, signals to other processes and polling of pipes: Windows.

* The rules of ``supervisor`` and ``child`` hold; only waiting, starting, interrupting and killing differ.
* Nothing here is specific to Windows: the same program runs, and is tested, on Linux.
* The runner's link is its stdin and stdout, moved off descriptors 0 and 1 before any code of the agent runs.

Processes that the code starts are not visible here: the host uses a job object, which prevents or ends them.
"""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from typing import Any

from ..wire import frames as wire
from ..wire.frames import FROM_WORKER, TO_WORKER, Frame, encode
from ..wire.link import NONCE, Far, Near
from . import READ_BYTES, HostLink, Supervisor, child, take_wire
from .child import AgentProcess, Child, Runners
from .limits import Watch

# --- Pipes instead of sockets, for systems on which a program cannot poll pipes or pass datagram sockets to a child (Windows).
#
# * Each pipe has a thread for its blocking calls; all waiting is on one event.
# * Data read ahead is bounded: a faster writer has to wait.
# * On a pipe, the link's datagrams are records preceded by their length. Garbage ends the link, since the start of the next
#   record is unknown.


MAX_AHEAD_BYTES = 8 << 20  # bytes read ahead
CHUNK = 1 << 16
PART_BYTES = 60_000  # payload bytes in a record
RECORD = struct.Struct(">I")
MARK = b"\0smolcell\0"  # followed by the nonce: text before it belongs to the step that has ended


def set_binary(*descriptors: int) -> None:
    """Switch descriptors to binary mode, if the system has another."""
    try:
        import msvcrt
    except ImportError:
        return
    for descriptor in descriptors:
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]


def write_all(descriptor: int, data: Any) -> None:
    """Write all data; blocks; raises OSError if the other end is closed."""
    view = memoryview(data).cast("B")
    while view:
        view = view[os.write(descriptor, view) :]


class PipeReader:
    """Reads a pipe on a thread, which closes the pipe when it ends.

    Args:
        pipe: the descriptor; owned by this object.
        wake: set when data or the end of the pipe has come.
    """

    def __init__(self, pipe: int, wake: threading.Event) -> None:
        self._pipe, self._wake = pipe, wake
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._over = self._closed = False
        self._room = threading.Condition()
        threading.Thread(target=self._read, name="smolcell-read", daemon=True).start()

    def _read(self) -> None:
        data = b"-"
        while data:
            try:
                data = os.read(self._pipe, CHUNK)
            except OSError:
                data = b""  # an error counts as the end
            with self._room:
                self._room.wait_for(lambda: self._size < MAX_AHEAD_BYTES or self._closed)
                if data and not self._closed:
                    self._pieces.append(data)
                    self._size += len(data)
                self._over = not data
            self._wake.set()
        os.close(self._pipe)

    @property
    def ended(self) -> bool:
        """True when all data has been taken and the pipe has ended."""
        return self._over and not self._size

    def close(self) -> None:
        """Drop later data."""
        with self._room:
            self._closed = True
            self._room.notify()

    def take(self, most: int) -> bytes:
        """Return about ``most`` bytes of the data that came; b"" if there is none."""
        taken = []
        with self._room:
            while self._pieces and most > 0:
                taken.append(self._pieces.popleft())
                most -= len(taken[-1])
                self._size -= len(taken[-1])
            if self._pieces:
                self._wake.set()
            self._room.notify()
        return b"".join(taken)


class PipeWriter:
    """Writes to a pipe on a thread, oldest data first.

    Args:
        pipe: the descriptor; owned by this object; closed by ``close`` or when the other end is closed.
        wake: set when the other end is closed.
        records: whether each item is preceded by its length.
    """

    def __init__(self, pipe: int, wake: threading.Event, records: bool = False) -> None:
        self._pipe, self._wake, self._records = pipe, wake, records
        self._waiting: deque[list[Any] | None] = deque()
        self._changed = threading.Condition()
        self.size = 0  # bytes in the queue
        self.broken = False
        threading.Thread(target=self._write, name="smolcell-write", daemon=True).start()

    def __bool__(self) -> bool:
        return bool(self.size)

    def add(self, pieces: list[Any], descriptor: int | None = None) -> None:
        """Queue buffers that belong together; raises ValueError if there is a descriptor."""
        if descriptor is not None:
            raise ValueError("descriptors cannot be sent through a pipe")
        size = sum(memoryview(piece).nbytes for piece in pieces)
        with self._changed:
            if not self.broken:
                self._waiting.append([RECORD.pack(size), *pieces] if self._records else pieces)
                self.size += size
                self._changed.notify()

    def close(self) -> None:
        """Close the pipe when all data is written."""
        with self._changed:
            self._waiting.append(None)
            self._changed.notify()

    def drain(self, patience: float) -> None:
        """Wait until all data is written, at most ``patience`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self.size or self.broken, patience)

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                item = self._waiting.popleft()
            if item is None or not self._put(item):
                break
        os.close(self._pipe)

    def _put(self, item: list[Any]) -> bool:
        try:
            for piece in item:
                write_all(self._pipe, piece)
        except OSError:
            with self._changed:
                self.broken, self.size = True, 0
                self._waiting.clear()
                self._changed.notify_all()
            self._wake.set()
            return False
        with self._changed:
            self.size -= sum(memoryview(piece).nbytes for piece in item[1 if self._records else 0 :])
            self._changed.notify_all()
        return True


class StreamNear(Near):
    """The supervisor's end of a link over two pipes.

    Args:
        reader: output of the runner; hostile.
        writer: input of the runner; with ``records``.
        table: frames that the runner may send.
    """

    def __init__(self, reader: PipeReader, writer: PipeWriter, table: dict[str, dict[str, str]]) -> None:
        self.outbox: Any = writer
        self.forged = 0
        self._reader = reader
        self._table = table
        self._size = PART_BYTES
        self._nonce = b""
        self._parts = bytearray()
        self._rest = b""
        self._spoilt = False

    @property
    def mark(self) -> bytes:
        """The mark at the end of the current request's printed text."""
        return MARK + self._nonce

    def flush(self) -> bool:
        """Return whether the queue is empty; a thread writes. See ``Near.flush``."""
        return not self.outbox

    def receive(self, budget: int = 64) -> list[Frame] | None:
        """Return the frames that have come; None also for data that is no record. See ``Near.receive``."""
        data = b"" if self._spoilt else self._rest + self._reader.take(budget * PART_BYTES)
        frames: list[Frame] = []
        at = 0
        while len(data) - at >= RECORD.size:
            (size,) = RECORD.unpack_from(data, at)
            if size > NONCE + 1 + PART_BYTES:
                self._spoilt = True
                break
            if len(data) - at - RECORD.size < size:
                break
            at += RECORD.size
            frame = self._take(data[at : at + size])
            at += size
            if frame is not None:
                frames.append(frame)
        self._rest = data[at:]
        if not frames and (self._spoilt or self._reader.ended):
            return None
        return frames


class StreamFar(Far):
    """The runner's end of a link over two pipes."""

    patience: float | None = 0.2

    def __init__(
        self,
        read_from: int,
        write_to: int,
        incoming: dict[str, dict[str, str]],
        outgoing: dict[str, dict[str, str]],
    ) -> None:
        self._from, self._to = read_from, write_to
        self._lock = threading.Lock()
        self._size = PART_BYTES
        self._nonce = self.latest = b""
        self._incoming = incoming
        self.descriptors = []
        self._outgoing = outgoing

    def send(self, frame: Frame) -> None:
        """Send a message, after marking the end of a step's printed text: two pipes have no common order. See ``Far.send``."""
        if frame.type == "done":
            try:
                write_all(2, MARK + self._nonce)
            except OSError:
                pass  # closed by the code
        super().send(frame)

    def started(self) -> None:
        """Report that the runner is ready: the time of a step is counted only from then on."""
        self.send(Frame("answer", {"id": 0, "error": ""}))

    def _send(self, datagram: list[Any]) -> None:
        whole = b"".join(datagram)
        write_all(self._to, RECORD.pack(len(whole)) + whole)

    def _receive(self) -> bytes:
        head = self._exactly(RECORD.size)
        return self._exactly(RECORD.unpack(head)[0]) if head else b""

    def _exactly(self, size: int) -> bytes:
        pieces = []
        while size:
            data = os.read(self._from, size)
            if not data:
                return b""
            pieces.append(data)
            size -= len(data)
        return b"".join(pieces)


DETACHED_PROCESS = 0x8  # no console: no input, no console host process, no Ctrl+C
MAX_PRINTED_BYTES = 2 << 20  # maximum bytes read at once
START_SECONDS = 20.0
ENDING_SECONDS = 2.0
RUN = f"import sys; sys.path.insert(0, sys.argv[1]); from {__package__}.portable import run; run()"
PIPE_CLOSE_SECONDS = 0.5  # seconds that pipes may stay open after their process has ended


class PortableChild(Child):
    """A runner started as a separate program and connected by pipes.

    Args:
        options: as in the host's hello.
        tools: names and descriptions of the host's tools.
        wake: set when there is something to read or the runner has ended.

    Raises:
        OSError: the runner did not start.
    """

    def __init__(self, options: dict[str, Any], tools: dict[str, str], wake: threading.Event) -> None:
        self.walls = {}
        self.exit_watch = None
        self._wake = wake
        self._process = self._begin(options)
        self._ended_at = 0.0
        self._held = b""  # printed bytes that may be the start of a mark
        self._marked = b""
        self.head = self.pid = self._process.pid
        stdin, stdout, stderr = (
            _duplicate(pipe) for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._said, self._printed = PipeReader(stdout, wake), PipeReader(stderr, wake)
        self.link: Any = StreamNear(self._said, PipeWriter(stdin, wake, records=True), FROM_WORKER)
        threading.Thread(target=self._await_end, name="smolcell-end", daemon=True).start()
        self.link.request(encode(Frame("hello", {"version": 1, "options": options}), TO_WORKER))
        self.link.request(encode(Frame("tools", {"id": 0, "tools": tools}), TO_WORKER))
        self._await_start()

    @staticmethod
    def _begin(options: dict[str, Any]) -> subprocess.Popen[bytes]:
        """Start the runner's process."""
        return start([sys.executable, "-I", "-S", "-c", RUN, _location()])

    def _await_start(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not (frames := self.link.receive()):
            if self._ended_at or time.monotonic() > end:
                how = (
                    f"it ended with exit code {self._process.poll()}"
                    if self._ended_at
                    else f"no answer in {START_SECONDS:g} s"
                )
                output = "\u2026" + self.read_printed()[-1000:].decode("utf-8", "replace")
                self.close()
                raise OSError(0, f"the runner did not start: {how}\n{output}")
            time.sleep(0.005)
        self._started(frames[0])

    def _started(self, frame: Frame) -> None:
        """Handle the runner's first message."""

    def _await_end(self) -> None:
        self._process.wait()
        self._ended_at = time.monotonic()
        self._wake.set()

    def read_printed(self, budget: int = 32) -> bytes:
        """Return printed bytes without marks. See ``Child.read_printed``."""
        data, mark = self._held + self._printed.take(MAX_PRINTED_BYTES), self.link.mark
        held = 0
        if mark in data:
            self._marked, data = mark, data.replace(mark, b"")
        elif not self._printed.ended:
            held = next(n for n in range(len(mark) - 1, -1, -1) if data.endswith(mark[:n]))
        data, self._held = data[: len(data) - held], data[len(data) - held :]
        return data

    def read_rest(self) -> Iterator[bytes]:
        """Wait for the mark, for a bounded time. See ``Child.read_rest``."""
        end = time.monotonic() + PIPE_CLOSE_SECONDS
        while True:
            yield self.read_printed()
            if self._marked == self.link.mark or self._printed.ended or time.monotonic() > end:
                return
            time.sleep(0.001)

    def _interrupt(self) -> None:
        """Ask the runner to interrupt its code, since not every system can signal a process."""
        self.link.send(encode(Frame("interrupt", {}), TO_WORKER))

    def kill(self) -> None:
        """Kill the runner."""
        try:
            self._process.kill()
        except OSError:
            pass  # it has ended

    def kill_others(self, keep: set[int], before: float = math.inf) -> bool:
        """Do nothing; see the module's docstring."""
        return True

    def kill_many_others(self, keep: set[int], idle: set[int]) -> tuple[int, bool]:
        """Do nothing; see the module's docstring."""
        return 0, True

    def ended(self) -> str | None:
        """Return how the runner ended; None while it lives or its pipes are still open."""
        if not self._ended_at:
            return None
        if not (self._said.ended and self._printed.ended) and time.monotonic() - self._ended_at < PIPE_CLOSE_SECONDS:
            self._wake.set()
            time.sleep(0.005)
            return None
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code if code < 1 << 16 else hex(code)}"

    def close(self) -> bool:
        """Kill the runner, wait for its end, and close its pipes; returns whether it has ended."""
        self.kill()
        try:
            self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        for part in (self.link.outbox, self._said, self._printed):
            part.close()
        return self._process.poll() is not None


def _duplicate(pipe: Any) -> int:
    """Return a new descriptor for a pipe, and close the pipe's file object."""
    with pipe:
        return os.dup(pipe.fileno())


def _location() -> str:
    """Return the zip or folder that holds this package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a runner's program with pipes; retries for a while, since the last runner may still count against a limit."""
    end = time.monotonic() + ENDING_SECONDS
    while True:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                creationflags=DETACHED_PROCESS if os.name == "nt" else 0,
            )
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class PipedHostLink(HostLink):
    """The connection to the host over pipes.

    Attributes:
        wake: set when there is something to do.
    """

    def __init__(self, read_from: int, write_to: int) -> None:
        self.wake = threading.Event()
        self._reader = PipeReader(read_from, self.wake)
        self._writer = PipeWriter(write_to, self.wake)
        self._decoder = wire.FrameDecoder(wire.TO_WORKER, wire.TO_WORKER_BYTES)
        self._descriptors = []

    @property
    def queued(self) -> int:
        """See ``HostLink.queued``."""
        return self._writer.size

    def send(self, frame: Frame) -> None:
        """Queue a frame."""
        self._writer.add(encode(frame, wire.FROM_WORKER, wire.FROM_WORKER_BYTES))

    def flush(self) -> bool:
        """Return whether the host still listens; a thread writes."""
        return not self._writer.broken

    def drain(self) -> None:
        """Wait for a bounded time until all data is written."""
        self._writer.drain(ENDING_SECONDS)

    def _read(self) -> bytes:
        data = self._reader.take(READ_BYTES)
        if not data and not self._reader.ended:
            raise BlockingIOError
        return data


class PortableRunners(Runners):
    """Starts runners as separate programs; what they start is not seen from here."""

    are_seen = can_fork = False

    def start(self) -> Child:
        """Start a runner."""
        self.link_mounts()
        return PortableChild(self.options, self.tools, self._host.wake)


class PortableSupervisor(Supervisor):
    """Serves one host over two pipes until the host closes its end."""

    def __init__(self, read_from: int, write_to: int) -> None:
        super().__init__(read_from, write_to)
        self._agent = AgentProcess(None, self._host.send)

    def _connect(self, read_from: int, write_to: int) -> Any:
        return PipedHostLink(read_from, write_to)

    def _wait(self) -> list[int]:
        patience = self._patience()
        self._host.wake.wait(None if patience is None else patience / 1000)
        self._host.wake.clear()
        return [self._in]

    def _new_watch(self, options: dict[str, Any]) -> Watch | None:
        """Return a watch of the disk only: the host's job object limits the memory."""
        cache = os.path.join(os.path.dirname(options["work"]), "cache")
        return Watch({**options, "memory": 0}, (options["work"], cache))

    def _new_runners(self, options: dict[str, Any]) -> Runners:
        return PortableRunners(options, self._host)

    def _end_tree(self) -> None:
        if self._requests.child is not None:
            self._requests.child.close()
        self._host.drain()


def main(kind: type[PortableSupervisor] = PortableSupervisor) -> None:
    """Serve the host over descriptors 0 and 1; never returns."""
    read_from, write_to = take_wire()
    set_binary(read_from, write_to)
    supervisor = kind(read_from, write_to)
    status = 1
    try:
        supervisor.serve()
        status = supervisor.status
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)  # not sys.exit: threads may be blocked in a read


def run() -> None:
    """Run as the runner: options and tools are the first message; never returns."""
    read_from, write_to = os.dup(0), os.dup(1)  # not inherited by other programs
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    set_binary(read_from, write_to, 0, 1, 2)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: os.closerange(read_from, write_to + 1))
    link = StreamFar(read_from, write_to, wire.TO_WORKER, wire.FROM_WORKER)
    options = link.receive().fields["options"]
    sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
    tools = link.receive().fields["tools"]
    os._exit(child.serve(link, options, tools))
