"""The runner in WebAssembly, in which Python has neither threads nor signals of a system: one thread that waits for its link.

* An interrupt never falls into the middle of a message: it waits until the message is whole.
* An event loop here waits for time only: there are no connections.
* This thread never goes back to JavaScript's event loop: what code leaves there never runs.
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

from .runner import Kept, Runner
from .supervisor import Watch, child, portable
from .supervisor.child import Child
from .supervisor.egress import CHUNK, LINK, MOST, WINDOW, proxy_variables
from .supervisor.portable import MARK, RECORD, StreamFar
from .system import folders, jail, linux
from .system.jail import PORT
from .system.processes import DISK

# dataframes and libraries are imported late by others, when this program's own files are out of sight
from .wire import dataframes as dataframes
from .wire import frames
from .wire import libraries as libraries
from .wire.frames import Frame
from .wire.link import END, NONCE

SLICE = 0.1  # seconds between two looks at whether there is an interrupt
WORK = "/home/agent"
WHEELS = ". In WebAssembly there is the standard library, and what a folder of wheels brings: wheels=FOLDER"
_events: Any = asyncio.events
_Policy: Any = getattr(_events, "_AbstractEventLoopPolicy", None) or asyncio.AbstractEventLoopPolicy


class MemoryFar(StreamFar):
    """The runner's end of a link over memory that it shares with the thread that serves it.

    Args:
        write: takes a record, with its length before it; blocks until there is room.
        say: takes printed bytes.
        read: waits some milliseconds for a record, and gives its bytes without the length, or None.
    """

    patience = None

    def __init__(self, write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
        super().__init__(-1, -1, frames.TO_WORKER, frames.FROM_WORKER)
        self._write, self._say, self._read = write, say, read
        self.held = False  # a message is under way: no interrupt now
        self.interrupted = False  # there was one meanwhile
        self.streams: Any = None  # connections to hosts, if some are allowed
        self._begun = False  # more of a message is to come
        self._until: float | None = None

    def send(self, frame: Frame) -> None:
        """See ``StreamFar.send``."""
        self.held = True
        try:
            if frame.type == "done":
                self._say(MARK + self._nonce)
            super(StreamFar, self).send(frame)
        finally:
            self.held = False

    def receive(self) -> Frame:
        """See ``Far.receive``; raises KeyboardInterrupt if the code is interrupted while it waits."""
        while (frame := self._next(None)).type in frames.STREAMS:
            self.streams.hear(frame)
        return frame

    def receive_stream(self, until: float | None) -> None:
        """Take the next frame if it is about a connection; raises TimeoutError if none has come by then."""
        frame = self._next(until)
        if frame.type in frames.STREAMS:  # else: an answer to a call that was given up
            self.streams.hear(frame)

    def _next(self, until: float | None) -> Frame:
        self.held, self._until = True, until
        try:
            return super().receive()
        finally:
            self.held = False

    def started(self) -> None:
        """See ``StreamFar.started``; tells which Python this is."""
        version = "{}.{}.{}".format(*sys.version_info[:3])
        self.send(Frame("answer", {"id": 0, "error": ""}, (version.encode(),)))

    def _send(self, datagram: list[Any]) -> None:
        whole = b"".join(datagram)
        self._write(RECORD.pack(len(whole)) + whole)

    def _receive(self) -> bytes:
        while True:
            record = self._read(SLICE * 1000)
            if record is not None:
                data: bytes = record.to_bytes()
                self._begun = data[NONCE : NONCE + 1] != END
                return data
            if self.interrupted and not self._begun:
                self.interrupted = False
                raise KeyboardInterrupt
            if self._until is not None and time.monotonic() > self._until and not self._begun:
                raise TimeoutError("timed out")


class CapabilityError(RuntimeError):
    """This sandbox cannot do that at all."""


def _refuse_thread(*_: Any, **__: Any) -> None:
    raise CapabilityError("there are no threads in WebAssembly; do one thing after the other, or use another sandbox")


class TimeLoop(asyncio.BaseEventLoop):
    """An event loop for which nothing ever comes from outside: it runs what is ready, and sleeps until something is."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    @staticmethod
    def select(timeout: float | None) -> list[Any]:
        """Sleep; for ever if nothing is due, until an interrupt."""
        time.sleep(SLICE if timeout is None else max(0.0, min(timeout, SLICE)))
        return []

    def _process_events(self, events: list[Any]) -> None:
        """Do nothing: there are no events."""

    def _write_to_self(self) -> None:
        """Does nothing: the loop wakes by itself."""


class TimeLoops(_Policy):  # type: ignore[misc]
    """The event loop policy that makes these loops."""

    def __init__(self) -> None:
        self._loop: Any = None

    def get_event_loop(self) -> Any:
        """Return the loop that was set."""
        if self._loop is None:
            raise RuntimeError("there is no current event loop")
        return self._loop

    def set_event_loop(self, loop: Any) -> None:
        """From now on this is the one."""
        self._loop = loop

    def new_event_loop(self) -> TimeLoop:
        """Return a new one."""
        return TimeLoop()


class MemoryRunner(Runner):
    """A runner that waits for its link by itself."""

    _link: MemoryFar

    def serve(self) -> None:
        """Serve until the thread is ended."""
        self._kept = Kept()
        while True:
            frame = self._link.receive()
            self._link.begin()
            self._link.interrupted = False
            if self._link.streams is not None:
                self._link.streams.begin_step()
            if frame.type in folders.FRAMES:
                self._link.send(folders.answer(frame, WORK))
            elif frame.type in ("run", "vars", "tools", "imports", "pull", "list"):
                self._serve(frame)  # else: an answer to a call that was given up

    def _wait(self, mailbox: Any) -> Frame:
        while True:
            answer = self._link.receive()
            if self._link.interrupted:
                self._link.interrupted = False
                raise KeyboardInterrupt
            if answer.type in ("return", "raise") and answer.fields["call"] == self._calls:
                return answer

    def _fault(self, error: BaseException) -> dict[str, Any]:
        told = super()._fault(error)
        if told["type"] == "ModuleNotFoundError":
            told["message"] += WHEELS
            told["traceback"] += WHEELS
        return told

    def _vars(self, frame: Frame) -> Frame:
        answer = super()._vars(frame)
        if "(ModuleNotFoundError: " in answer.fields["error"]:
            answer.fields["error"] += WHEELS
        return answer

    def on_interrupt(self, *_: Any) -> None:
        """See ``Runner.on_interrupt``; while a message is under way it waits."""
        if self._running and self._link.held:
            self._link.interrupted = True
        else:
            super().on_interrupt()


def main(write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
    """Serve the supervisor at the other end of shared memory; see ``MemoryFar``. Called by JavaScript; never returns."""
    link = MemoryFar(write, say, read)
    options = link.receive().fields["options"]
    tools = link.receive().fields["tools"]
    random.seed()  # as everything in a snapshot, its state is the same each time
    _leave_javascript()
    for module in (threading, sys.modules["_thread"]):
        for name in ("_start_joinable_thread", "_start_new_thread", "start_joinable_thread", "start_new_thread"):
            if hasattr(module, name):
                setattr(module, name, _refuse_thread)
    os.makedirs(WORK, exist_ok=True)
    if options.get("egress"):
        link.streams = Streams(link.send, link.receive_stream, options["opened"])
        install_sockets(link.streams)
    child.serve(link, {**options, "work": WORK}, tools, MemoryRunner)


def _leave_javascript() -> None:
    """Take out what hands the turn to JavaScript's event loop, which never gets it."""
    sys.set_asyncgen_hooks(None, None)
    _events._set_running_loop(None)
    _events._set_event_loop_policy(TimeLoops())
    asyncio.run = getattr(asyncio.run, "__wrapped__", asyncio.run)
    time.sleep = _by_slices(getattr(time.sleep, "__wrapped__", time.sleep))


def _by_slices(sleep: Callable[[float], None]) -> Any:
    """Return a sleep that looks up now and then, to be interrupted: nothing else wakes this thread."""
    clock = time.monotonic

    def sliced(seconds: float, /) -> None:
        """Wait for so many seconds."""
        end = clock() + seconds
        sleep(min(seconds, SLICE))
        while (left := end - clock()) > 0:
            sleep(min(left, SLICE))

    sliced.__name__ = sliced.__qualname__ = "sleep"
    sliced.__module__ = "time"
    return sliced


# --- The supervisor of code that runs in WebAssembly: its runner is Deno, spoken to over pipes.
#
# * The rules of ``portable`` hold; only the runner's program is another, and an interrupt is an empty record.
# * Deno is granted to read one folder (and the wheels, if there are any), and nothing else; it never asks.
# * If there is Landlock it stands behind Deno: around this program and all that it starts.
# * What the program holds in memory is bounded from outside too: files and JavaScript's own objects count.


PAGE = 64 << 10  # bytes of WebAssembly's memory
SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/proc",
    "/sys/devices/system/cpu",
)  # what programs are linked to
STACK = 64 << 20  # bytes; so much that Python's own limit on recursion comes first


def command(options: dict[str, Any]) -> list[str]:
    """Return how Deno is started.

    Args:
        options: as in the host's hello: "memory" in MB, and in "deno" the paths "program", "folder", "main", "snapshot", "archive" and
            "wheels" ("" for none).
    """
    deno = options["deno"]
    readable = ",".join(path for path in (deno["folder"], deno["wheels"]) if path)
    pages = (int(options["memory"]) << 20) // PAGE
    return [
        deno["program"],
        "run",
        "--quiet",
        "--no-prompt",
        "--no-remote",
        "--no-config",
        "--no-lock",
        "--cached-only",
        "--node-modules-dir=manual",
        f"--allow-read={readable}",
        "--deny-net",
        "--deny-env",
        "--deny-run",
        "--deny-write",
        "--deny-ffi",
        "--deny-sys",
        "--deny-import",
        f"--v8-flags=--wasm-max-mem-pages={pages},--stack-size={STACK // 1024 * 3 // 4}",
        deno["main"],
        deno["snapshot"],
        deno["archive"],
        deno["wheels"],
    ]


def shut_disk(options: dict[str, Any]) -> str:
    """Shut this thread, and what it starts from now on, off from all of the disk that Deno and Python do not need.

    Returns:
        "" if that was done, else why not. It stands behind Deno's own refusals, should its engine have a hole.
    """
    abi = linux.version() if sys.platform == "linux" else 0
    if not abi:
        return "only on Linux with Landlock" if sys.platform != "linux" else "this kernel has no Landlock, or it is off"
    deno = options["deno"]
    hidden = jail.configuration()
    system = [part for path in SYSTEM for part in jail.without(path, hidden) if not os.path.islink(part)]
    python = [os.path.join(sys.base_prefix, part) for part in folders.PARTS]
    own = [deno["program"], deno["folder"], deno["wheels"], *python, *sys.path]
    granted = [(path, linux.READ) for path in (*system, *own) if path]
    granted += [(path, linux.DEVICE) for path in jail.DEVICES]
    try:
        linux.set_no_new_privileges()
        linux.restrict(abi, granted)
    except OSError as error:
        return str(error.strerror or error)
    return ""


class DenoChild(portable.PortableChild):
    """One Deno process with Python in it."""

    python = ""

    @staticmethod
    def _begin(options: dict[str, Any]) -> subprocess.Popen[bytes]:
        return portable.start(command(options))

    def _started(self, frame: Frame) -> None:
        self.python = bytes(frame.blobs[0]).decode("ascii", "replace")[:20] if frame.blobs else ""

    def interrupt(self) -> None:
        """An empty record: it does not go to the code's thread."""
        self.link.outbox.add([b""])


class DenoSupervisor(portable.PortableSupervisor):
    """Serves one host; code runs in Deno."""

    def _hello(self, options: dict[str, Any]) -> None:
        self._walls = {"landlock": shut_disk(options)}
        super()._hello(options)

    def _new_child(self) -> Child:
        return DenoChild({**self._options, "opened": self._opened}, self._tools, self._wake)

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        python = self._child.python if isinstance(self._child, DenoChild) else ""
        known = {**capabilities, "threads": False, "egress": bool(self._options.get("egress"))}
        return {"python": python, "capabilities": known}

    # connections to hosts: the runner's own frames are handed on, and the host's to the runner

    _opened = 0  # by all runners of this sandbox
    _forwarded = 0  # bytes of connections that the runner was sent, and that the host was not yet told were taken

    def _find_proxy(self, options: dict[str, Any]) -> dict[str, str]:
        return {**proxy_variables(), **options["egress"]["variables"]}

    def _open_relay(self) -> None:
        """There is none."""

    def _hear_runner(self, frame: Frame) -> None:
        if frame.type != "net_open" and frame.type not in frames.STREAMS:
            super()._hear_runner(frame)
        elif self._options.get("egress") and self._request is not None and self._request.is_run:
            if frame.type == "net_more" and not frame.fields["stream"]:
                self._acknowledge(frame.fields["bytes"])
                return
            self._opened += frame.type == "net_open"
            self._say(frame)

    def _acknowledge(self, size: int) -> None:
        """Tell the host that so many bytes were taken, and never that more were than came: an earlier step's may be among them."""
        size = max(0, min(size, self._forwarded))
        self._forwarded -= size
        if size:
            self._say(Frame("net_more", {"stream": 0, "bytes": size}))

    def _finish(self, frame: Frame) -> None:
        self._acknowledge(self._forwarded)  # the runner may never take them
        super()._finish(frame)

    def _hear(self, frame: Frame) -> None:
        if frame.type in frames.STREAMS:
            self._forwarded += frames.size(frame.blobs)
            if self._child is not None and self._request is not None and self._request.is_run:
                self._child.link.send(frames.encode(frame, frames.TO_WORKER))
            else:
                self._acknowledge(self._forwarded)
        elif frame.type == "look" and self._child is None and self._request is None and not self._waiting:
            self._say(Frame("answer", {"id": frame.fields["id"], "error": ""}, (frames.dumps([]),)))
            self._child = self._new_child()  # it has no files yet; started while the host reads how the last one ended
        elif frame.type in folders.FRAMES:  # the work folder is in the runner's memory
            self._waiting.append(frame)
        else:
            super()._hear(frame)

    def _new_watch(self, options: dict[str, Any]) -> Watch:
        """Of the memory alone: files lie in it."""
        return Watch({"memory": int(options["memory"]) + DISK}, ())


def deno_main() -> None:
    """Serve the host over descriptors 0 and 1."""
    portable.main(DenoSupervisor)


# --- Sockets: each connects to the proxy on the host, over the link. -----------------------------------------------


PATIENCE = 2.0  # seconds that a new connection waits for the end of another, if there are too many


class Stream:
    """One connection to the proxy."""

    def __init__(self) -> None:
        self.data = bytearray()  # that came and was not read
        self.credit = WINDOW  # bytes that the host takes
        self.read = 0  # bytes that the host was not yet told of
        self.is_over = False


class Streams:
    """The connections of one runner.

    Args:
        send: sends the host a frame.
        wait: waits for the next frame of the host and has it heard, until this time of ``time.monotonic``; raises TimeoutError.
        opened: how many connections earlier runners of this sandbox have opened.
    """

    def __init__(self, send: Callable[[Frame], None], wait: Callable[[float | None], None], opened: int) -> None:
        self._send, self._wait, self._opened = send, wait, opened
        self._streams: dict[int, Stream] = {}
        self._served: set[int] = set()  # numbers that the host has not ended, those of closed sockets among them
        self._credit = LINK
        self._taken = 0  # bytes of all connections that the host was not yet told of

    def begin_step(self) -> None:
        """No connection outlives its step."""
        for stream in self._streams.values():
            stream.is_over = True
        self._streams.clear()
        self._served.clear()
        self._credit, self._taken = LINK, 0  # the supervisor has told the host of the last step's bytes

    def hear(self, frame: Frame) -> None:
        """Take a frame of the host's."""
        number, stream = frame.fields["stream"], self._streams.get(frame.fields["stream"])
        if frame.type == "net_data":
            self._taken += sum(map(len, frame.blobs))
            if self._taken >= LINK // 4:
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
        """Open a connection; returns its number, or raises OSError if there are too many at once."""
        until = time.monotonic() + PATIENCE
        while len(self._served) >= MOST:
            try:
                self._wait(until)
            except TimeoutError:
                raise OSError(
                    errno.EMFILE, f"{MOST} connections are open, more are not allowed at once: close some"
                ) from None
        self._opened += 1
        self._served.add(self._opened)
        self._streams[self._opened] = Stream()
        self._send(Frame("net_open", {"stream": self._opened}))
        return self._opened

    def write(self, number: int, data: Any, until: float | None) -> None:
        """Send all of it; raises BrokenPipeError if the connection is over."""
        view = memoryview(data).cast("B")
        while view:
            stream = self._streams.get(number)
            if stream is None or stream.is_over:
                raise BrokenPipeError("the connection is over")
            room = min(len(view), CHUNK, stream.credit, self._credit)
            if room <= 0:
                self._wait(until)
                continue
            stream.credit -= room
            self._credit -= room
            self._send(Frame("net_data", {"stream": number}, (bytes(view[:room]),)))
            view = view[room:]

    def read(self, number: int, size: int, until: float | None) -> bytes:
        """Some bytes, at most so many; b"" at the end."""
        stream = self._streams.get(number)
        while stream is not None and not stream.data and not stream.is_over:
            self._wait(until)
        if stream is None or not stream.data:
            return b""
        data = bytes(stream.data[:size])
        del stream.data[:size]
        stream.read += len(data)
        if stream.read >= WINDOW // 2 and not stream.is_over:
            self._send(Frame("net_more", {"stream": number, "bytes": stream.read}))
            stream.read = 0
        return data

    def close(self, number: int) -> None:
        """Say that no more is sent, and read no more."""
        if self._streams.pop(number, None) is not None:
            self._send(Frame("net_end", {"stream": number}))


class HostSocket(socket.socket):
    """A connection to the proxy, or none."""

    streams: Streams
    _stream = 0

    def connect(self, address: Any, /) -> None:
        """Connect to the proxy; raises PermissionError for any other address."""
        if address[:2] != ("127.0.0.1", PORT):
            raise PermissionError("only HTTP and HTTPS through the proxy lead out of this sandbox")
        self._stream = self.streams.open()

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """See ``socket.recv``."""
        return self.streams.read(self._stream, size, self._until())

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0) -> int:
        """See ``socket.recv_into``."""
        view = memoryview(buffer).cast("B")
        data = self.recv(size or len(view))
        view[: len(data)] = data
        return len(data)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """See ``socket.sendall``."""
        self.streams.write(self._stream, data, self._until())

    def send(self, data: Any, flags: int = 0, /) -> int:
        """See ``socket.send``."""
        self.sendall(data)
        return memoryview(data).nbytes

    def setsockopt(self, *_: Any) -> None:
        """Do nothing: there is nothing to set."""

    def shutdown(self, how: int, /) -> None:
        """Do nothing: the proxy closes when it has answered."""

    def _real_close(self, *given: Any) -> None:
        self.streams.close(self._stream)
        super()._real_close(*given)  # type: ignore[misc]

    def _until(self) -> float | None:
        seconds = self.gettimeout()
        return None if seconds is None else time.monotonic() + seconds

    def selected_alpn_protocol(self) -> str:
        """As of a socket with TLS: the proxy speaks this to the host."""
        return "http/1.1"


def _wrap_socket(context: Any, sock: Any, *_: Any, **__: Any) -> Any:
    return sock


def install_sockets(streams: Streams) -> None:
    """Replace ``socket.socket`` by one whose connections go to the proxy, and leave TLS to the host."""
    HostSocket.streams = streams
    import ssl  # a library that Pyodide may have to load

    socket.socket = HostSocket  # type: ignore[misc]
    module: Any = ssl  # over a stub of OpenSSL, which urllib3 takes for one that is too old
    module.HAS_NEVER_CHECK_COMMON_NAME = True
    module.SSLContext.hostname_checks_common_name = False
    module.SSLContext.wrap_socket = _wrap_socket
    emscripten: Any = types.ModuleType("urllib3.contrib.emscripten")  # would ask JavaScript, which has no network here
    emscripten.inject_into_urllib3 = lambda: None
    sys.modules[emscripten.__name__] = emscripten
