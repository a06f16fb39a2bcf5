"""The worker of a sandbox as the host reaches it: a channel, the connection over it, the open step, and requests between steps.

* Reading and writing happen on separate threads: a slow event loop never blocks the worker, a stuck worker never blocks
  the event loop.
* Everything the worker sends becomes a checked frame, or ends in one call of ``on_end`` with a fault.
* Every request ends: with its answer, with the worker, or at its time limit. Only the requesting thread blocks.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from smolcell.core.text import shorten, visible
from smolcell.errors import CapabilityError, SandboxBusyError, SandboxDiedError, SandboxError
from smolcell.events import Fault
from smolcell.worker.wire import frames, memfile

if TYPE_CHECKING:
    from smolcell.executors.step import RunningStep

SMALL_BYTES = 1 << 16  # frames up to this size are joined and written at once
MAX_ERROR = 2000
READY_SECONDS = 30.0  # seconds a worker may take to start
TRANSFER_SECONDS = 90.0  # seconds for a transfer of values


class WorkerChannel(Protocol):
    """Bytes to and from one worker, however it was started."""

    shares: bool
    """Whether descriptors can be passed, since the worker is on this machine."""

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data, with a descriptor if the channel passes them; blocks; raises OSError if the worker has ended."""

    def receive(self) -> bytes:
        """Read some bytes; blocks; b"" if the worker has ended."""

    def kill(self) -> None:
        """End the worker and everything it started, within two seconds. Idempotent and thread-safe."""

    def epitaph(self) -> str:
        """Return how the worker ended, as text; "" if unknown."""


class Connection:
    """Frames to and from one worker.

    Args:
        channel: transports the bytes.
        on_frame: called with each checked frame, on the reading thread.
        on_end: called once with the reason when the connection has ended, on the reading thread.
        max_bytes: maximum size of a frame of the worker.
    """

    def __init__(
        self,
        channel: WorkerChannel,
        on_frame: Callable[[frames.Frame], None],
        on_end: Callable[[Fault], None],
        max_bytes: int,
    ) -> None:
        self.channel = channel
        self._on_frame, self._on_end = on_frame, on_end
        self._decoder = frames.FrameDecoder(frames.FROM_WORKER, max_bytes)
        self._outbox: queue.SimpleQueue[tuple[list[frames.Buffer], int | None] | None] = queue.SimpleQueue()
        self._fault: Fault | None = None
        self.over = False
        self._threads = [
            threading.Thread(target=target, name="smolcell-wire", daemon=True) for target in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, kind: str, blobs: Sequence[frames.Blob] = (), **fields: object) -> None:
        """Queue a frame; raises WireError if it exceeds the wire's bounds."""
        self.send_frames(frames.Frame(kind, fields, tuple(blobs)))

    def send_frames(self, *together: frames.Frame) -> None:
        """Queue frames that follow each other; small ones are written at once, so that the worker wakes up once."""
        buffers = [buffer for frame in together for buffer in frames.encode(frame, frames.TO_WORKER)]
        if frames.size(buffers) <= SMALL_BYTES:
            buffers = [b"".join(buffers)]
        self._outbox.put((buffers, None))

    def send_values(self, blobs: Sequence[frames.Blob], number: int, timeout: float) -> None:
        """Queue values; large ones are sent in a memory file if the worker can map it."""
        if not (self.channel.shares and frames.size(blobs) >= memfile.MIN_BYTES):
            self.send("vars", blobs, id=number, shared=[], timeout=timeout)
            return
        descriptor, sizes = memfile.fill(blobs)
        frame = frames.Frame("vars", {"id": number, "shared": sizes, "timeout": timeout})
        self._outbox.put((frames.encode(frame, frames.TO_WORKER), descriptor))

    def fail(self, fault: Fault) -> None:
        """End the worker for this reason."""
        self._fault = self._fault or fault
        self.channel.kill()

    def close(self) -> None:
        """End the worker; waits for the threads."""
        self.fail(Fault(kind="sandbox", type="SandboxDied", message="the sandbox was closed"))
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(1.0)

    def _read(self) -> None:
        try:
            while data := self.channel.receive():
                for frame in self._decoder.feed(data):
                    self._on_frame(frame)
        except frames.FrameError as error:
            text = f"the sandbox sent an invalid frame and was stopped: {error}"
            self._fault = self._fault or Fault(kind="sandbox", type="WireError", message=text)
        except OSError:
            pass  # the epitaph says how it ended
        finally:
            self.channel.kill()
            self._outbox.put(None)
            how = self.channel.epitaph() or "reason unknown"
            died = Fault(kind="sandbox", type="SandboxDied", message=f"the sandbox ended unexpectedly: {how}")
            self.over = True
            self._on_end(self._fault or died)

    def _write(self) -> None:
        gone = False
        while (item := self._outbox.get()) is not None:
            buffers, descriptor = item
            try:
                if not gone:
                    self.channel.send(buffers, descriptor)
            except OSError:
                gone = True  # the reading thread notices and reports it, too
            finally:
                if descriptor is not None:
                    os.close(descriptor)


class Worker:
    """The worker of one sandbox, and those that replace it: its connection, the open step, and requests that wait for an answer.

    Args:
        name: name of the executor, for errors.
        on_stream: handles the frames of the code's connections, on the reading thread.
        on_end: called when a worker has ended that was not replaced, on the reading thread.

    Attributes:
        connection: to the worker; None while there is none.
        step: the open step.
        was_lost: whether a worker has ended since the last step, and with it the variables.
        lock: guards the three.
    """

    def __init__(self, name: str, on_stream: Callable[[frames.Frame], None], on_end: Callable[[], None]) -> None:
        self._name, self._on_stream, self._on_end = name, on_stream, on_end
        self.lock = threading.Lock()
        self.connection: Connection | None = None
        self.step: RunningStep | None = None
        self.was_lost = False
        self._ready: Future[frames.Frame] = Future()
        self._waiting: dict[int, Future[frames.Frame]] = {}
        self._asked = 0

    def check_idle(self) -> None:
        """Raise ``SandboxBusyError`` if a step is open."""
        if self.step is not None:
            raise SandboxBusyError(f"the sandbox {self._name!r} has an open step; it runs one at a time")

    @property
    def is_idle(self) -> bool:
        """Whether there is a worker without an open step: values can be sent now."""
        return self.connection is not None and self.step is None

    # --- start and end ---

    def connect(self, channel: WorkerChannel, max_bytes: int) -> Connection:
        """Connect to a worker that was just started."""
        self._ready = Future()
        connection = Connection(channel, self._handle_frame, partial(self._ended, self._ready), max_bytes)
        with self.lock:
            self.connection = connection
        return connection

    def greet(self, connection: Connection, options: Mapping[str, Any]) -> frames.Frame:
        """Send the worker its options; returns its first frame.

        Raises:
            SandboxError: it has ended, or does not answer.
        """
        connection.send("hello", version=frames.VERSION, options=options)
        try:
            return self._ready.result(READY_SECONDS)
        except (TimeoutError, SandboxError) as error:
            reason = str(error) or f"no answer in {READY_SECONDS:g} s"
            raise SandboxError(f"the sandbox {self._name!r} did not start: {reason}") from None

    def disconnect(self) -> bool:
        """End a worker that will not be used; returns whether there was one."""
        connection = self.connection
        if connection is not None:
            connection.close()
        with self.lock:
            self.connection = None
        return connection is not None

    def replace(self) -> bool:
        """End a worker that another one replaces: its end is not reported. Returns whether there was one."""
        self._ready = Future()
        return self.disconnect()

    # --- requests ---

    def ask(self, send: Callable[[Connection, int], None], seconds: float = TRANSFER_SECONDS) -> frames.Frame:
        """Send a request (``send`` gets the connection and the request's number) and wait ``seconds`` for its answer.

        Raises:
            SandboxError: the worker reports an error, has ended, or does not answer.
            CapabilityError: the values are too large for one frame.
        """
        future: Future[frames.Frame] = Future()
        with self.lock:
            self._asked += 1
            number, connection = self._asked, self.connection
            self._waiting[number] = future
        try:
            if connection is None or connection.over:
                raise SandboxDiedError("the sandbox ended before values could be exchanged")
            send(connection, number)
            answer = future.result(seconds)
        except frames.FrameError as error:
            raise CapabilityError(f"too much for one transfer: {error}") from None
        except TimeoutError:
            raise SandboxError(f"the sandbox did not answer within {seconds:g} s") from None
        finally:
            with self.lock:
                del self._waiting[number]
        if answer.fields["error"]:
            raise SandboxError(visible(shorten(answer.fields["error"], MAX_ERROR)))
        return answer

    def request(self, kind: str, **fields: Any) -> frames.Frame:
        """Send a request without values. See ``ask``."""
        return self.ask(lambda line, number: line.send(kind, id=number, **fields))

    # --- on the reading thread ---

    def _handle_frame(self, frame: frames.Frame) -> None:
        if frame.type == "ready":
            if frame.fields["version"] != frames.VERSION:
                raise frames.FrameError("another version of the wire")
            if not self._ready.done():
                self._ready.set_result(frame)
        elif frame.type == "answer":
            with self.lock:
                future = self._waiting.get(frame.fields["id"])
            if future is not None and not future.done():
                future.set_result(frame)
        elif "stream" in frame.fields:
            self._on_stream(frame)
        else:
            step = self.step
            if step is not None and step.number == frame.fields["step"]:
                step.handle_frame(frame)

    def _ended(self, ready: Future[frames.Frame], fault: Fault) -> None:
        if ready is not self._ready:
            return  # it was replaced
        with self.lock:
            self.connection = None
            self.was_lost = True
            step, waiting = self.step, [ready, *self._waiting.values()]
        self._on_end()
        for future in waiting:
            if not future.done():
                future.set_exception(SandboxDiedError(fault.message))
        if step is not None:
            step.end(fault)
