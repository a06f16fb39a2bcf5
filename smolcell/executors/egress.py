"""The code's way to hosts: which ones are allowed, and its connections over the wire, which the proxy on this machine serves.

A worker that opens or sends more than allowed is refused. All proxies run on one event loop, on a thread of its own.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
from collections import deque
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolcell.core.findings import hosts_named
from smolcell.core.hosts import ConnectionAttempt, no_network
from smolcell.errors import SetupError
from smolcell.events import Observed
from smolcell.executors.connection import Connection
from smolcell.network import Credential, Host, Hosts, Keyring
from smolcell.worker.supervisor.egress import CHUNK, LINK_BYTES, MAX_CONNECTIONS, WINDOW_BYTES
from smolcell.worker.wire import frames

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor
    from smolcell.network.proxy import Proxy  # loads h11, only if a host is allowed

log = logging.getLogger("smolcell")
_SPARE_STREAMS = 4  # streams above the maximum that the worker may open before it hears that others are closed
_UNREACHED = re.compile(
    r"gaierror|name resolution|NameResolutionError|NewConnectionError|Name or service not known|is unreachable|use of the network"
)
"""How common libraries report that a connection cannot be opened."""


class Egress:
    """The hosts that the code of a sandbox may connect to, and the proxy that connects.

    Args:
        executor: the sandbox.
        allow_hosts, credentials: see ``WorkerExecutor``.

    Attributes:
        hosts: the allowed hosts, with those of the credentials.

    Raises:
        SetupError: a name is invalid, or this sandbox cannot limit connections to hosts.
    """

    def __init__(
        self, executor: WorkerExecutor, allow_hosts: Sequence[str], credentials: Mapping[str, Credential] | None
    ) -> None:
        self._executor = executor
        self._keys = Keyring(credentials)
        self.hosts = Hosts([*Hosts(allow_hosts).names, *self._keys.hosts])
        self._proxy: Proxy | None = None
        self._connections: CodeConnections | None = None
        if self.hosts and not executor.carries:
            raise SetupError(
                f"the sandbox {executor.name!r} cannot limit connections to hosts: leave out allow_hosts, or use 'local' on Linux, "
                "'docker', 'wasm', 'e2b', 'modal' or 'blaxel'"
            )

    @property
    def is_closed(self) -> bool:
        """Whether the code has no network now, but could be allowed to connect to hosts."""
        return self._executor.carries and not self.hosts and not self._executor._opened_network()

    @property
    def credential_names(self) -> tuple[str, ...]:
        """Variables that hold placeholders of credentials."""
        return tuple(self._keys.placeholders)

    def allow(self, names: Iterable[str]) -> None:
        """Allow further hosts, which were granted before. Call before the sandbox is opened."""
        self.hosts = Hosts([*self.hosts.names, *Hosts(names).names])

    def forbid(self, name: str) -> None:
        """Stop allowing a host, from the next connection on."""
        self.hosts = Hosts([each for each in self.hosts.names if each not in Hosts([name]).names])
        if self._proxy is not None:
            self._proxy.hosts = self.hosts

    # --- the worker ---

    def prepare(self) -> None:
        """Make the proxy for a worker that will be started, if there are hosts."""
        self._proxy = self._connections = None
        if self.hosts:
            from smolcell.network.proxy import Proxy

            executor = self._executor
            plain = not executor.opens_tls
            self._proxy = Proxy(self.hosts, self._keys, executor.resolve, plain, self._ask, self._connected)

    def options(self) -> dict[str, Any]:
        """Return the worker's options: variables and certificates; empty if it gets no proxy."""
        if self._proxy is None:
            return {}
        return {"egress": {"variables": self._keys.placeholders, "certificates": self._proxy.certificates}}

    def serve(self, connection: Connection) -> None:
        """Serve the connections of this worker's code, if there are hosts."""
        if self._proxy is not None:
            self._connections = CodeConnections(self._proxy, connection)

    def check(self, capabilities: Mapping[str, Any]) -> None:
        """Raise SetupError if a worker cannot relay connections to the proxy that it got."""
        if self._proxy is not None and capabilities.get("egress") is not True:
            raise SetupError(
                f"allow_hosts needs a network namespace of the sandbox's own, and {self._executor.name!r} has none here: "
                "leave it out, or use 'docker'"
            )

    def handle_frame(self, frame: frames.Frame) -> None:
        """Handle a frame of the worker; raises WireError if it is not allowed."""
        if self._connections is None:
            raise frames.FrameError("a connection that was not allowed")
        self._connections.handle_frame(frame)

    async def begin_step(self) -> None:
        """Begin a step: its code may connect."""
        if self._connections is not None:
            await self._on_loop(self._connections.begin_step())

    async def end_step(self) -> None:
        """End a step: its connections are closed and reported."""
        if self._connections is not None:
            await self._on_loop(self._connections.end_step())
            if (step := self._executor.worker.step) is not None:
                step.hosts.tell_all()

    @staticmethod
    async def _on_loop(work: Coroutine[Any, Any, None]) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop()))

    # --- called by the proxy ---

    async def _ask(self, host: Host) -> str:
        step = self._executor.worker.step
        return "no step is running" if step is None else await step.hosts.ask(host)

    def _connected(self, attempt: ConnectionAttempt) -> None:
        if (step := self._executor.worker.step) is not None:
            step.hosts.connected(attempt)


def with_way_to_hosts(observed: Observed, program: str) -> Observed:
    """Return the observation; an error of the network gets a hint how to allow the hosts that the program names."""
    fault = observed.error
    if fault is None or not _UNREACHED.search(f"{fault.type}: {fault.message}"):
        return observed
    way = f". {no_network(hosts_named(program))}"
    return replace(observed, error=replace(fault, message=fault.message + way, traceback=fault.traceback + way))


# --- The code's connections, over the wire.


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

    def __init__(self, connections: CodeConnections, number: int) -> None:
        self._connections, self._number = connections, number
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
        """Read bytes of the code. See ``ByteStream.read``."""
        while not self._pieces:
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()
        data = self._pieces.popleft()
        self._read += len(data)
        if self._read >= WINDOW_BYTES // 2:
            self._connections.taken(self._number, self._read)
            self._read = 0
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes to the code. See ``ByteStream.write``."""
        view = memoryview(data)
        while view:
            while self.credit <= 0:
                self._changed.clear()
                await self._changed.wait()
            piece = view[: min(self.credit, CHUNK)]
            self.credit -= len(piece)
            await self._connections.send(self._number, bytes(piece))
            view = view[len(piece) :]


class CodeConnections:
    """The connections that the code of one worker makes to hosts.

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
                    raise frames.FrameError("a connection that was not allowed")
                self._opened, self._granted[number] = number, WINDOW_BYTES
            elif frame.type == "net_data":
                self._count(number, frames.size(frame.blobs))
            elif frame.type == "net_more" and not 0 < frame.fields["bytes"] <= max(LINK_BYTES, WINDOW_BYTES):
                raise frames.FrameError("more room than allowed")
        self._post(self._take, frame.type, number, frame)

    def _count(self, number: int, size: int) -> None:
        if number not in self._granted:
            return  # already closed on this side
        self._granted[number] -= size
        self._link -= size
        if self._granted[number] < 0 or self._link < -CHUNK:
            raise frames.FrameError("more of a connection than allowed")

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

    async def begin_step(self) -> None:
        """Begin a step: the code may connect."""
        self._is_open = True
        self._proxy.begin_step()

    async def end_step(self) -> None:
        """End a step: every connection is closed and recorded."""
        self._is_open = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=2.0)
