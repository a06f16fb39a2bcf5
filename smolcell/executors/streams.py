"""Connections of the code in a sandbox, carried over its wire to the proxy.

* What the worker says is hostile: a stream that was not opened, or more bytes than were granted, is a broken frame.
* The frames of a step never wait behind more than ``LINK`` bytes of connections.
* No connection outlives the step that opened it, and none is opened while no step runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import deque
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from smolcell.executors.connection import Connection
from smolcell.worker.supervisor.egress import CHUNK, LINK, MOST, WINDOW
from smolcell.worker.wire import frames

if TYPE_CHECKING:
    from smolcell.network.proxy import Proxy  # h11 is loaded if a host is allowed

log = logging.getLogger("smolcell")
_SPARE = 4  # streams beyond the most at once that the worker may open before it hears that others are over


class _Loop:
    """The event loop of all proxies of this process, on a thread of its own; started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def __call__(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():  # a fork has no threads
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="smolcell-proxy", daemon=True).start()
            return self._loop


loop = _Loop()


class WireStream:
    """One connection of the code. Its methods are for the proxy's event loop."""

    def __init__(self, streams: Streams, number: int) -> None:
        self._streams, self._number = streams, number
        self._pieces: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self.credit = WINDOW  # bytes that the worker takes
        self._read = 0  # bytes that the worker was not yet told of
        self._ended = False

    def hear(self, data: bytes | None) -> None:
        """The code's bytes; None at their end."""
        if data is None:
            self._ended = True
        else:
            self._pieces.append(data)
        self._changed.set()

    def grant(self, size: int) -> None:
        """The worker takes so many bytes more."""
        self.credit += size
        self._changed.set()

    async def read(self) -> bytes:
        """See ``Stream.read``."""
        while not self._pieces:
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()
        data = self._pieces.popleft()
        self._read += len(data)
        if self._read >= WINDOW // 2:
            self._streams.taken(self._number, self._read)
            self._read = 0
        return data

    async def write(self, data: bytes) -> None:
        """See ``Stream.write``."""
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
    """The connections of one worker.

    Args:
        proxy: serves each of them.
        connection: the wire.
    """

    def __init__(self, proxy: Proxy, connection: Connection) -> None:
        self._proxy, self._connection = proxy, connection
        self._loop = loop()
        self._lock = threading.Lock()  # what follows
        self._granted: dict[int, int] = {}  # bytes that the worker may send, by stream
        self._link = LINK
        self._opened = 0
        self._streams: dict[int, WireStream] = {}  # on the loop, as what follows
        self._tasks: set[asyncio.Task[None]] = set()
        self._credit = LINK
        self._unread = 0
        self._room = asyncio.Event()
        self._is_open = False

    # --- on the reading thread ---

    def hear(self, frame: frames.Frame) -> None:
        """Take a frame of the worker's.

        Raises:
            WireError: it is more than was agreed.
        """
        number = frame.fields["stream"]
        with self._lock:
            if frame.type == "net_open":
                if number != self._opened + 1 or len(self._granted) >= MOST + _SPARE:
                    raise frames.WireError("a connection that was not agreed")
                self._opened, self._granted[number] = number, WINDOW
            elif frame.type == "net_data":
                self._count(number, frames.size(frame.blobs))
            elif frame.type == "net_more" and not 0 < frame.fields["bytes"] <= max(LINK, WINDOW):
                raise frames.WireError("more room than agreed")
        self._post(self._take, frame.type, number, frame)

    def _count(self, number: int, size: int) -> None:
        if number not in self._granted:
            return  # it was ended here meanwhile
        self._granted[number] -= size
        self._link -= size
        if self._granted[number] < 0 or self._link < -CHUNK:
            raise frames.WireError("more of a connection than agreed")

    def _post(self, *call: Any) -> None:
        self._loop.call_soon_threadsafe(*call)

    # --- on the loop ---

    def _take(self, kind: str, number: int, frame: frames.Frame) -> None:
        if kind == "net_data":
            self._acknowledge(frames.size(frame.blobs))
        if kind == "net_open":
            self._open(number)
        elif kind == "net_more" and not number:
            self._credit = min(LINK, self._credit + frame.fields["bytes"])
            self._room.set()
        elif stream := self._streams.get(number):
            if kind == "net_more":
                stream.grant(min(frame.fields["bytes"], WINDOW - stream.credit))
            elif kind == "net_end":
                stream.hear(None)
            else:
                for blob in frame.blobs:
                    stream.hear(bytes(blob))

    def _acknowledge(self, size: int) -> None:
        self._unread += size
        if self._unread >= LINK // 4:
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
        except Exception:  # what a host or a client makes of it is theirs
            log.debug("a connection failed", exc_info=True)
        finally:
            self._end(number)

    def _end(self, number: int) -> None:
        self._streams.pop(number, None)
        with self._lock:
            self._granted.pop(number, None)
        self._connection.send("net_end", stream=number)

    def taken(self, number: int, size: int) -> None:
        """The proxy has read so many bytes: as many more may come."""
        with self._lock:
            if number in self._granted:
                self._granted[number] += size
        self._connection.send("net_more", stream=number, bytes=size)

    async def send(self, number: int, data: bytes) -> None:
        """Send bytes of a connection, when there is room on the wire."""
        while self._credit <= 0:
            self._room.clear()
            await self._room.wait()
        self._credit -= len(data)
        self._connection.send("net_data", [data], stream=number)

    # --- for the executor, from any thread ---

    def begin_step(self) -> Future[None]:
        """A step begins: the code may connect."""
        return self._do(self._begin())

    def end_step(self) -> Future[None]:
        """The step is over: every connection is ended, and recorded."""
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
