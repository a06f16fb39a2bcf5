"""The runner in WebAssembly, where Python has no threads or signals: one thread that waits for its link.

* An interrupt never cuts a message: it waits until the message is complete.
* The event loop waits for time only: there are no connections to poll.
* This thread never returns to JavaScript's event loop: callbacks that code registers there never run.
"""

from __future__ import annotations

import asyncio
import errno
import os
import random
import socket
import subprocess
import sys
import threading
import time
import types
from typing import Any, Callable

from .runner import HostCalls, InterpreterState, RequestReader, Runner, host_error
from .supervisor import Requests, child, portable
from .supervisor.child import Child
from .supervisor.egress import CHUNK, LINK_BYTES, MAX_CONNECTIONS, WINDOW_BYTES, proxy_variables
from .supervisor.limits import Watch
from .supervisor.portable import MARK, RECORD, StreamFar
from .system import folders, jail, linux
from .system.jail import PORT
from .system.processes import MAX_DISK_MB

# dataframes and libraries are imported later by other modules, when the worker's own files cannot be read any more
from .wire import dataframes as dataframes
from .wire import frames
from .wire import libraries as libraries
from .wire.frames import Frame
from .wire.link import END, NONCE

SLICE_SECONDS = 0.1  # seconds between two checks for an interrupt
POLL_SECONDS = 0.01  # seconds between two checks for a request while tasks go on between the steps
WORK = "/home/agent"
WHEELS = ". In WebAssembly there is the standard library, and what a folder of wheels brings: wheels=FOLDER"
_events: Any = asyncio.events
_Policy: Any = getattr(_events, "_AbstractEventLoopPolicy", None) or asyncio.AbstractEventLoopPolicy


class MemoryFar(StreamFar):
    """The runner's end of a link over memory shared with the thread that serves it.

    Args:
        write: writes a record, with its length before it; blocks until there is room.
        say: writes printed bytes.
        read: waits some milliseconds for a record; returns its bytes without the length, or None.
    """

    patience = None

    def __init__(self, write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
        super().__init__(-1, -1, frames.TO_WORKER, frames.FROM_WORKER)
        self._write, self._print, self._read = write, say, read
        self.held = False  # a message is being sent or read: interrupts are deferred
        self.interrupted = False  # an interrupt came meanwhile
        self.streams: Any = None  # connections to hosts, if any are allowed
        self._ahead: bytes | None = None  # a record that was read while tasks went on
        self._begun = False  # more of the current message is to come
        self._until: float | None = None

    def send(self, frame: Frame) -> None:
        """Send a message; interrupts are deferred. See ``StreamFar.send``."""
        self.held = True
        try:
            if frame.type == "done":
                self._print(MARK + self._nonce)
            super(StreamFar, self).send(frame)
        finally:
            self.held = False

    def receive(self) -> Frame:
        """Wait for the next message; raises KeyboardInterrupt if the code is interrupted meanwhile. See ``Far.receive``."""
        while (frame := self._next(None)).type in frames.STREAMS:
            self.streams.handle_frame(frame)
        return frame

    def receive_stream(self, until: float | None) -> None:
        """Handle the next frame, if it is about a connection; raises TimeoutError if none comes in time."""
        frame = self._next(until)
        if frame.type in frames.STREAMS:  # others answer a call that was given up
            self.streams.handle_frame(frame)

    def _next(self, until: float | None) -> Frame:
        self.held, self._until = True, until
        try:
            return super().receive()
        finally:
            self.held = False

    def has_message(self) -> bool:
        """Return whether a message has begun to come. Interrupts are deferred."""
        self.held = True
        try:
            self._ahead = self._ahead or self._take(0)
            return self._ahead is not None
        finally:
            self.held = False

    def _take(self, milliseconds: float) -> bytes | None:
        record = self._read(milliseconds)
        return None if record is None else record.to_bytes()

    def started(self) -> None:
        """Report that the runner is ready, with Python's version. See ``StreamFar.started``."""
        version = "{}.{}.{}".format(*sys.version_info[:3])
        self.send(Frame("answer", {"id": 0, "error": ""}, (version.encode(),)))

    def _send(self, datagram: list[Any]) -> None:
        whole = b"".join(datagram)
        self._write(RECORD.pack(len(whole)) + whole)

    def _receive(self) -> bytes:
        while True:
            data, self._ahead = self._ahead or self._take(SLICE_SECONDS * 1000), None
            if data is not None:
                self._begun = data[NONCE : NONCE + 1] != END
                return data
            if self.interrupted and not self._begun:
                self.interrupted = False
                raise KeyboardInterrupt
            if self._until is not None and time.monotonic() > self._until and not self._begun:
                raise TimeoutError("timed out")


def _refuse_thread(*_: Any, **__: Any) -> None:
    text = "there are no threads in WebAssembly; do one thing after the other, or use another sandbox"
    raise host_error("CapabilityError", text, "RuntimeError")


class TimeLoop(asyncio.BaseEventLoop):
    """An event loop without external events: it runs ready callbacks, and sleeps until the next is due."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    @staticmethod
    def select(timeout: float | None) -> list[Any]:
        """Sleep until the timeout or an interrupt; without a timeout, until an interrupt."""
        time.sleep(SLICE_SECONDS if timeout is None else max(0.0, min(timeout, SLICE_SECONDS)))
        return []

    def _process_events(self, events: list[Any]) -> None:
        """Do nothing: there are no events."""

    def _write_to_self(self) -> None:
        """Do nothing: the loop wakes by itself."""


class TimeLoops(_Policy):  # type: ignore[misc]
    """Event loop policy that creates ``TimeLoop``."""

    def __init__(self) -> None:
        self._loop: Any = None

    def get_event_loop(self) -> Any:
        """Return the current loop."""
        if self._loop is None:
            raise RuntimeError("there is no current event loop")
        return self._loop

    def set_event_loop(self, loop: Any) -> None:
        """Set the current loop."""
        self._loop = loop

    def new_event_loop(self) -> TimeLoop:
        """Return a new loop."""
        return TimeLoop()


class MemoryCalls(HostCalls):
    """Calls of the host's tools, which read the link themselves."""

    _link: MemoryFar

    def _wait(self, mailbox: Any) -> Frame:
        while True:
            answer = self._link.receive()
            if self._link.interrupted:
                self._link.interrupted = False
                raise KeyboardInterrupt
            if answer.type in ("return", "raise") and answer.fields["call"] == self._calls:
                return answer


class MemoryReader(RequestReader):
    """Tells whether a request has come, without a thread."""

    _link: MemoryFar

    def has_request(self) -> bool:
        """Return whether a request has begun to come."""
        return self._link.has_message()

    async def wait(self, loop: Any) -> None:
        """Wait for a request."""
        while not self._link.has_message():  # noqa: ASYNC110 - nothing else could tell
            await asyncio.sleep(POLL_SECONDS)


class MemoryRunner(Runner):
    """A runner without threads: it reads its link itself."""

    _link: MemoryFar
    _calls_type = MemoryCalls
    _reader_type = MemoryReader

    def serve(self) -> None:
        """Answer requests until the thread is ended."""
        self._execution.state = InterpreterState()
        while True:
            try:
                self._go_on()
            except KeyboardInterrupt:
                continue  # the host wants a request to begin
            frame = self._link.receive()
            self._link.begin()
            self._link.interrupted = False
            if self._link.streams is not None:
                self._link.streams.begin_step()
            if frame.type in folders.FRAMES:
                self._link.send(folders.answer(frame, WORK))
            elif frame.type in ("run", "vars", "tools", "imports", "pull", "list"):
                self._serve(frame)  # others answer a call that was given up

    def _fault(self, error: BaseException) -> dict[str, Any]:
        fault = super()._fault(error)
        if fault["type"] == "ModuleNotFoundError":
            fault["message"] += WHEELS
            fault["traceback"] += WHEELS
        return fault

    def _vars(self, frame: Frame) -> Frame:
        answer = super()._vars(frame)
        if "(ModuleNotFoundError: " in answer.fields["error"]:
            answer.fields["error"] += WHEELS
        return answer

    def on_interrupt(self, *_: Any) -> None:
        """Interrupt the code, or defer that until the current message is complete. See ``Runner.on_interrupt``."""
        if self._execution.is_running and self._link.held:
            self._link.interrupted = True
        else:
            super().on_interrupt()


def main(write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
    """Serve the supervisor at the other end of shared memory; called by JavaScript; never returns. See ``MemoryFar``."""
    link = MemoryFar(write, say, read)
    options = link.receive().fields["options"]
    tools = link.receive().fields["tools"]
    random.seed()  # the snapshot's state would repeat
    _leave_javascript()
    for module in (threading, sys.modules["_thread"]):
        for name in ("_start_joinable_thread", "_start_new_thread", "start_joinable_thread", "start_new_thread"):
            if hasattr(module, name):
                setattr(module, name, _refuse_thread)
    os.makedirs(WORK, exist_ok=True)
    if options.get("egress"):
        link.streams = ProxyConnections(link.send, link.receive_stream, options["opened"])
        install_sockets(link.streams)
    child.serve(link, {**options, "work": WORK}, tools, MemoryRunner)


def _leave_javascript() -> None:
    """Replace functions that wait for JavaScript's event loop, which never runs."""
    sys.set_asyncgen_hooks(None, None)
    _events._set_running_loop(None)
    _events._set_event_loop_policy(TimeLoops())
    asyncio.run = getattr(asyncio.run, "__wrapped__", asyncio.run)
    time.sleep = _by_slices(getattr(time.sleep, "__wrapped__", time.sleep))


def _by_slices(sleep: Callable[[float], None]) -> Any:
    """Return a sleep that checks for interrupts regularly, since nothing else wakes this thread."""
    clock = time.monotonic

    def sliced(seconds: float, /) -> None:
        """Sleep for ``seconds``."""
        end = clock() + seconds
        sleep(min(seconds, SLICE_SECONDS))
        while (left := end - clock()) > 0:
            sleep(min(left, SLICE_SECONDS))

    sliced.__name__ = sliced.__qualname__ = "sleep"
    sliced.__module__ = "time"
    return sliced


# --- The supervisor of code in WebAssembly: its runner is a Deno process, connected by pipes.
#
# * The rules of ``portable`` hold; only the runner's program differs, and an empty record is an interrupt.
# * Deno may read one folder (and the wheels, if there are any), and nothing else; it never prompts.
# * Landlock, if available, restricts this program and all that it starts, Deno included.
# * The memory of the whole program is limited too: files and JavaScript objects count.


PAGE_BYTES = 64 << 10  # bytes in a page of WebAssembly memory
SYSTEM = "/usr /lib /lib64 /etc/ld.so.cache /proc /sys/devices/system/cpu".split()  # shared libraries of the programs
LOCAL = "--quiet --no-prompt --no-remote --no-config --no-lock --cached-only --node-modules-dir=manual".split()
DENIED = "--deny-net --deny-env --deny-run --deny-write --deny-ffi --deny-sys --deny-import".split()
STACK_BYTES = 64 << 20  # bytes; enough for Python's own recursion limit to apply first


def command(options: dict[str, Any]) -> list[str]:
    """Return the command line that starts Deno.

    Args:
        options: as in the host's hello: "memory" in MB, and in "deno" the paths "program", "folder", "main", "snapshot", "archive"
            and "wheels" ("" for none).
    """
    deno = options["deno"]
    readable = ",".join(path for path in (deno["folder"], deno["wheels"]) if path)
    pages = (int(options["memory"]) << 20) // PAGE_BYTES
    memory = f"--v8-flags=--wasm-max-mem-pages={pages},--stack-size={STACK_BYTES // 1024 * 3 // 4}"
    files = [deno[name] for name in ("main", "snapshot", "archive", "wheels")]
    return [deno["program"], "run", *LOCAL, f"--allow-read={readable}", *DENIED, memory, *files]


def shut_disk(options: dict[str, Any]) -> str:
    """Restrict this thread, and what it starts from now on, to the files that Deno and Python need.

    Returns:
        "" if that was done, else why not. It also holds if Deno's own permissions have a hole.
    """
    abi = linux.landlock_abi() if sys.platform == "linux" else 0
    if not abi:
        return "only on Linux with Landlock" if sys.platform != "linux" else "this kernel has no Landlock, or it is off"
    deno = options["deno"]
    python = [os.path.join(sys.base_prefix, part) for part in folders.INSTALLATION_FOLDERS]
    own = [deno["program"], deno["folder"], deno["wheels"], *python, *sys.path]
    paths = [path for path in SYSTEM if not os.path.islink(path)] + [os.path.realpath(path) for path in own if path]
    granted = jail.list_rights(jail.plan_mounts(paths, jail.find_configuration(python)))
    granted += [(path, linux.DEVICE) for path in jail.DEVICES]
    try:
        linux.set_no_new_privileges()
        linux.restrict_files(abi, granted)
    except OSError as error:
        return str(error.strerror or error)
    return ""


class DenoChild(portable.PortableChild):
    """A Deno process that runs Python."""

    python = ""

    @staticmethod
    def _begin(options: dict[str, Any]) -> subprocess.Popen[bytes]:
        return portable.start(command(options))

    def _started(self, frame: Frame) -> None:
        self.python = bytes(frame.blobs[0]).decode("ascii", "replace")[:20] if frame.blobs else ""

    def _interrupt(self) -> None:
        """Send an empty record: Deno interrupts the code's thread when it reads it."""
        self.link.outbox.add([b""])


class DenoRunners(portable.PortableRunners):
    """Starts Deno processes, and counts the connections that the code opens.

    Attributes:
        opened: connections opened by all runners of this sandbox.
    """

    opened = 0

    def _open_egress(self, options: dict[str, Any]) -> dict[str, str]:
        """Return the environment variables of the proxy: the runner opens connections itself."""
        return {**proxy_variables(), **options["egress"]["variables"]}

    def start(self) -> Child:
        """Start a Deno process."""
        return DenoChild({**self.options, "opened": self.opened}, self.tools, self._host.wake)


class DenoRequests(Requests):
    """Forwards connections to hosts, too: frames of the runner and of the host."""

    _runners: DenoRunners
    _forwarded = 0  # bytes of connections sent to the runner and not reported to the host as taken

    def _hear(self, frame: Frame, child: Child) -> None:
        if frame.type != "net_open" and frame.type not in frames.STREAMS:
            super()._hear(frame, child)
        elif self._runners.options.get("egress") and self.current is not None and self.current.is_run:
            if frame.type == "net_more" and not frame.fields["stream"]:
                self._acknowledge(frame.fields["bytes"])
                return
            self._runners.opened += frame.type == "net_open"
            self._host.send(frame)

    def forward(self, frame: Frame) -> None:
        """Forward a frame of the host to the runner."""
        self._forwarded += frames.size(frame.blobs)
        if self.child is not None and self.current is not None and self.current.is_run:
            self.child.link.send(frames.encode(frame, frames.TO_WORKER))
        else:
            self._acknowledge(self._forwarded)

    def _acknowledge(self, size: int) -> None:
        """Report to the host bytes that were taken, never more than came: the runner's count may include an earlier step's."""
        size = max(0, min(size, self._forwarded))
        self._forwarded -= size
        if size:
            self._host.send(Frame("net_more", {"stream": 0, "bytes": size}))

    def _finish(self, frame: Frame) -> None:
        self._acknowledge(self._forwarded)  # the runner may never take them
        super()._finish(frame)


class DenoSupervisor(portable.PortableSupervisor):
    """Serves one host; the code runs in Deno."""

    _requests: DenoRequests
    _requests_type = DenoRequests

    def _new_runners(self, options: dict[str, Any]) -> DenoRunners:
        runners = DenoRunners(options, self._host)
        runners.walls = {"landlock": shut_disk(options)}
        return runners

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        child = self._requests.child
        python = child.python if isinstance(child, DenoChild) else ""
        known = {**capabilities, "threads": False, "egress": bool(self._runners.options.get("egress"))}
        return {"python": python, "capabilities": known}

    def _hear(self, frame: Frame) -> None:
        requests = self._requests
        if frame.type in frames.STREAMS:
            requests.forward(frame)
        elif frame.type == "look" and requests.child is None and requests.current is None and not requests.waiting:
            self._host.send(Frame("answer", {"id": frame.fields["id"], "error": ""}, (frames.dumps([]),)))
            requests.child = self._runners.start()  # starts while the host reads how the last one ended
        elif frame.type in folders.FRAMES:  # the work folder is in the runner's memory
            requests.waiting.append(frame)
        else:
            super()._hear(frame)

    def _new_watch(self, options: dict[str, Any]) -> Watch:
        """Return a watch of the memory only: the files are in it."""
        return Watch({"memory": int(options["memory"]) + MAX_DISK_MB}, ())


def deno_main() -> None:
    """Serve the host over descriptors 0 and 1."""
    portable.main(DenoSupervisor)


# --- Sockets: each connects to the proxy on the host, over the link. -----------------------------------------------


OPEN_SECONDS = 2.0  # seconds that a new connection waits for another to close, if there are too many


class ProxyConnection:
    """A connection to the proxy."""

    def __init__(self) -> None:
        self.data = bytearray()  # received and not read
        self.credit = WINDOW_BYTES  # bytes that the host still accepts
        self.read = 0  # bytes read that the host was not told of yet
        self.is_over = False


class ProxyConnections:
    """Connections of one runner.

    Args:
        send: sends the host a frame.
        wait: handles the next frame of the host, until this time of ``time.monotonic``; raises TimeoutError.
        opened: number of connections that earlier runners of this sandbox opened.
    """

    def __init__(self, send: Callable[[Frame], None], wait: Callable[[float | None], None], opened: int) -> None:
        self._send, self._wait, self._opened = send, wait, opened
        self._streams: dict[int, ProxyConnection] = {}
        self._served: set[int] = set()  # numbers that the host has not closed, including those of closed sockets
        self._credit = LINK_BYTES
        self._taken = 0  # bytes taken of all connections that the host was not told of yet

    def begin_step(self) -> None:
        """Close all connections, which do not outlive their step."""
        for stream in self._streams.values():
            stream.is_over = True
        self._streams.clear()
        self._served.clear()
        self._credit, self._taken = LINK_BYTES, 0  # the supervisor reported the last step's bytes

    def handle_frame(self, frame: Frame) -> None:
        """Handle a frame of the host."""
        number, stream = frame.fields["stream"], self._streams.get(frame.fields["stream"])
        if frame.type == "net_data":
            self._taken += sum(map(len, frame.blobs))
            if self._taken >= LINK_BYTES // 4:
                self._send(Frame("net_more", {"stream": 0, "bytes": self._taken}))
                self._taken = 0
        if frame.type == "net_more" and not number:
            self._credit += frame.fields["bytes"]
        elif stream is not None and frame.type == "net_more":
            stream.credit += frame.fields["bytes"]
        elif stream is not None and frame.type == "net_data":
            for blob in frame.blobs:
                stream.data += blob
        elif frame.type == "net_end":
            self._served.discard(number)
            if stream is not None:
                stream.is_over = True

    def open(self) -> int:
        """Open a connection; returns its number. Raises OSError if there are too many at once."""
        until = time.monotonic() + OPEN_SECONDS
        while len(self._served) >= MAX_CONNECTIONS:
            try:
                self._wait(until)
            except TimeoutError:
                raise OSError(
                    errno.EMFILE, f"{MAX_CONNECTIONS} connections are open, which is the maximum: close some"
                ) from None
        self._opened += 1
        self._served.add(self._opened)
        self._streams[self._opened] = ProxyConnection()
        self._send(Frame("net_open", {"stream": self._opened}))
        return self._opened

    def write(self, number: int, data: Any, until: float | None) -> None:
        """Send all data; raises BrokenPipeError if the connection is closed."""
        view = memoryview(data).cast("B")
        while view:
            stream = self._streams.get(number)
            if stream is None or stream.is_over:
                raise BrokenPipeError("the connection is closed")
            room = min(len(view), CHUNK, stream.credit, self._credit)
            if room <= 0:
                self._wait(until)
                continue
            stream.credit -= room
            self._credit -= room
            self._send(Frame("net_data", {"stream": number}, (bytes(view[:room]),)))
            view = view[room:]

    def read(self, number: int, size: int, until: float | None) -> bytes:
        """Return at most ``size`` bytes; b"" at the end."""
        stream = self._streams.get(number)
        while stream is not None and not stream.data and not stream.is_over:
            self._wait(until)
        if stream is None or not stream.data:
            return b""
        data = bytes(stream.data[:size])
        del stream.data[:size]
        stream.read += len(data)
        if stream.read >= WINDOW_BYTES // 2 and not stream.is_over:
            self._send(Frame("net_more", {"stream": number, "bytes": stream.read}))
            stream.read = 0
        return data

    def close(self, number: int) -> None:
        """Close a connection in both directions."""
        if self._streams.pop(number, None) is not None:
            self._send(Frame("net_end", {"stream": number}))


class HostSocket(socket.socket):
    """A socket that connects to the proxy only."""

    streams: ProxyConnections
    _stream = 0

    def connect(self, address: Any, /) -> None:
        """Connect to the proxy; raises PermissionError for other addresses."""
        if address[:2] != ("127.0.0.1", PORT):
            raise PermissionError("this sandbox can only be left by HTTP and HTTPS through the proxy")
        self._stream = self.streams.open()

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive bytes. See ``socket.recv``."""
        return self.streams.read(self._stream, size, self._until())

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0) -> int:
        """Receive bytes into a buffer. See ``socket.recv_into``."""
        view = memoryview(buffer).cast("B")
        data = self.recv(size or len(view))
        view[: len(data)] = data
        return len(data)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send all data. See ``socket.sendall``."""
        self.streams.write(self._stream, data, self._until())

    def send(self, data: Any, flags: int = 0, /) -> int:
        """Send data. See ``socket.send``."""
        self.sendall(data)
        return memoryview(data).nbytes

    def setsockopt(self, *_: Any) -> None:
        """Do nothing: there are no options."""

    def shutdown(self, how: int, /) -> None:
        """Do nothing: the proxy closes after its answer."""

    def _real_close(self, *given: Any) -> None:
        self.streams.close(self._stream)
        super()._real_close(*given)  # type: ignore[misc]

    def _until(self) -> float | None:
        seconds = self.gettimeout()
        return None if seconds is None else time.monotonic() + seconds

    def selected_alpn_protocol(self) -> str:
        """Return the protocol that the proxy speaks to the host, as a TLS socket would."""
        return "http/1.1"


def _wrap_socket(context: Any, sock: Any, *_: Any, **__: Any) -> Any:
    return sock


def install_sockets(streams: ProxyConnections) -> None:
    """Replace ``socket.socket`` by a class that connects to the proxy, and leave TLS to the host."""
    HostSocket.streams = streams
    import ssl  # Pyodide may have to load this library

    socket.socket = HostSocket  # type: ignore[misc]
    module: Any = ssl  # a stub replaces OpenSSL, and urllib3 would reject its version
    module.HAS_NEVER_CHECK_COMMON_NAME = True
    module.SSLContext.hostname_checks_common_name = False
    module.SSLContext.wrap_socket = _wrap_socket
    emscripten: Any = types.ModuleType("urllib3.contrib.emscripten")  # the original uses JavaScript's network
    emscripten.inject_into_urllib3 = lambda: None
    sys.modules[emscripten.__name__] = emscripten
