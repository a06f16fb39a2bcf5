"""The connection to a worker, and the threads that read and write it.

* Reading and writing happen on separate threads: a slow event loop never blocks the worker, a stuck worker never blocks
  the event loop.
* Everything the worker sends becomes a checked frame, or ends in one call of ``on_end`` with a fault.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol

from smolcell.events import Fault
from smolcell.worker.supervisor.egress import CHUNK, LINK_BYTES, MAX_CONNECTIONS, WINDOW_BYTES
from smolcell.worker.wire import frames, memfile

if TYPE_CHECKING:
    from smolcell.network.proxy import Proxy  # loads h11, only if a host is allowed

SMALL_BYTES = 1 << 16  # frames up to this size are joined and written at once


class Channel(Protocol):
    """Bytes to and from one worker, however it was started."""

    shares: bool
    """Whether descriptors can be passed, since the worker is on this machine."""

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data, with a descriptor if the channel passes them; blocks; raises OSError if the worker has ended."""
        ...

    def receive(self) -> bytes:
        """Read some bytes; blocks; b"" if the worker has ended."""
        ...

    def kill(self) -> None:
        """End the worker and everything it started, within two seconds. Idempotent and thread-safe."""
        ...

    def epitaph(self) -> str:
        """Return how the worker ended, as text; "" if unknown."""
        ...


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
        channel: Channel,
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
        except frames.WireError as error:
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


# --- connections of the code ---------------------------------------------------------------------------------------


log = logging.getLogger("smolcell")
_SPARE_STREAMS = 4  # streams above the maximum that the worker may open before it hears that others are closed


class _Loop:
    """The event loop of all proxies of this process, on its own thread; started on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def __call__(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():  # threads do not survive a fork
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="smolcell-proxy", daemon=True).start()
            return self._loop


loop = _Loop()


class WireStream:
    """One connection of the code. Its methods are called on the proxy's event loop."""

    def __init__(self, streams: Streams, number: int) -> None:
        self._streams, self._number = streams, number
        self._pieces: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self.credit = WINDOW_BYTES  # bytes that the worker still accepts
        self._read = 0  # bytes that the worker was not yet told of
        self._ended = False

    def receive(self, data: bytes | None) -> None:
        """Handle bytes of the code; None at their end."""
        if data is None:
            self._ended = True
        else:
            self._pieces.append(data)
        self._changed.set()

    def grant(self, size: int) -> None:
        """Let ``size`` more bytes be sent to the worker."""
        self.credit += size
        self._changed.set()

    async def read(self) -> bytes:
        """Read bytes of the code. See ``Stream.read``."""
        while not self._pieces:
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()
        data = self._pieces.popleft()
        self._read += len(data)
        if self._read >= WINDOW_BYTES // 2:
            self._streams.taken(self._number, self._read)
            self._read = 0
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes to the code. See ``Stream.write``."""
        view = memoryview(data)
        while view:
            while self.credit <= 0:
                self._changed.clear()
                await self._changed.wait()
            piece = view[: min(self.credit, CHUNK)]
            self.credit -= len(piece)
            await self._streams.send(self._number, bytes(piece))
            view = view[len(piece) :]


class Streams:
    """Connections of one worker.

    Args:
        proxy: serves them.
        connection: the wire.
    """

    def __init__(self, proxy: Proxy, connection: Connection) -> None:
        self._proxy, self._connection = proxy, connection
        self._loop = loop()
        self._lock = threading.Lock()  # what follows
        self._granted: dict[int, int] = {}  # bytes that the worker may still send, by stream
        self._link = LINK_BYTES
        self._opened = 0
        self._streams: dict[int, WireStream] = {}  # used on the loop, like the following
        self._tasks: set[asyncio.Task[None]] = set()
        self._credit = LINK_BYTES
        self._unread = 0
        self._room = asyncio.Event()
        self._is_open = False

    # --- on the reading thread ---

    def handle_frame(self, frame: frames.Frame) -> None:
        """Handle a frame of the worker.

        Raises:
            WireError: it sends more than allowed.
        """
        number = frame.fields["stream"]
        with self._lock:
            if frame.type == "net_open":
                if number != self._opened + 1 or len(self._granted) >= MAX_CONNECTIONS + _SPARE_STREAMS:
                    raise frames.WireError("a connection that was not allowed")
                self._opened, self._granted[number] = number, WINDOW_BYTES
            elif frame.type == "net_data":
                self._count(number, frames.size(frame.blobs))
            elif frame.type == "net_more" and not 0 < frame.fields["bytes"] <= max(LINK_BYTES, WINDOW_BYTES):
                raise frames.WireError("more room than allowed")
        self._post(self._take, frame.type, number, frame)

    def _count(self, number: int, size: int) -> None:
        if number not in self._granted:
            return  # already closed on this side
        self._granted[number] -= size
        self._link -= size
        if self._granted[number] < 0 or self._link < -CHUNK:
            raise frames.WireError("more of a connection than allowed")

    def _post(self, *call: Any) -> None:
        self._loop.call_soon_threadsafe(*call)

    # --- on the loop ---

    def _take(self, kind: str, number: int, frame: frames.Frame) -> None:
        if kind == "net_data":
            self._acknowledge(frames.size(frame.blobs))
        if kind == "net_open":
            self._open(number)
        elif kind == "net_more" and not number:
            self._credit = min(LINK_BYTES, self._credit + frame.fields["bytes"])
            self._room.set()
        elif stream := self._streams.get(number):
            if kind == "net_more":
                stream.grant(min(frame.fields["bytes"], WINDOW_BYTES - stream.credit))
            elif kind == "net_end":
                stream.receive(None)
            else:
                for blob in frame.blobs:
                    stream.receive(bytes(blob))

    def _acknowledge(self, size: int) -> None:
        self._unread += size
        if self._unread >= LINK_BYTES // 4:
            with self._lock:
                self._link += self._unread
            self._connection.send("net_more", stream=0, bytes=self._unread)
            self._unread = 0

    def _open(self, number: int) -> None:
        stream = self._streams[number] = WireStream(self, number)
        if not self._is_open:
            self._end(number)
            return
        task = self._loop.create_task(self._serve(number, stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, number: int, stream: WireStream) -> None:
        try:
            await self._proxy.serve(stream)
        except Exception:  # errors caused by a host or a client
            log.debug("a connection failed", exc_info=True)
        finally:
            self._end(number)

    def _end(self, number: int) -> None:
        self._streams.pop(number, None)
        with self._lock:
            self._granted.pop(number, None)
        self._connection.send("net_end", stream=number)

    def taken(self, number: int, size: int) -> None:
        """Let the worker send as many bytes more as the proxy has read."""
        with self._lock:
            if number in self._granted:
                self._granted[number] += size
        self._connection.send("net_more", stream=number, bytes=size)

    async def send(self, number: int, data: bytes) -> None:
        """Send bytes of a connection when the wire has room."""
        while self._credit <= 0:
            self._room.clear()
            await self._room.wait()
        self._credit -= len(data)
        self._connection.send("net_data", [data], stream=number)

    # --- for the executor, from any thread ---

    def begin_step(self) -> Future[None]:
        """Begin a step: the code may connect."""
        return self._do(self._begin())

    def end_step(self) -> Future[None]:
        """End a step: every connection is closed and recorded."""
        return self._do(self._finish())

    async def _begin(self) -> None:
        self._is_open = True
        self._proxy.begin_step()

    async def _finish(self) -> None:
        self._is_open = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=2.0)

    def _do(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)
