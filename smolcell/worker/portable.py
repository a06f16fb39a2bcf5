"""Supervisor and runner where there is no fork, no signal to another process and no waiting on pipes: Windows.

The rules this file exists to keep:

* The rules of ``supervisor`` and ``child`` hold; only how one waits, starts, interrupts and kills is another way.
* Nothing here is particular to Windows: the same program runs, and is tested, on Linux.
* The runner's link is its stdin and stdout, taken off descriptors 0 and 1 before any code of the agent runs.

Processes that the code starts are not known here: what starts this program keeps it from starting any beyond the runner
(a job object), and ends them all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

from . import boot, wire
from .child import Child
from .request import Request
from .streams import Reader, StreamFar, StreamNear, Writer, set_binary
from .supervisor import READ, Supervisor
from .watch import Watch
from .wire import FROM_WORKER, TO_WORKER, Frame, encode

DETACHED_PROCESS = 0x8  # no console: none to read from, no process of its own that serves one, no Ctrl+C
PRINTED = 2 << 20  # bytes taken at once
START = 20.0  # seconds
ENDING = 2.0  # seconds
RUN = f"import sys; sys.path.insert(0, sys.argv[1]); from {__package__}.portable import run; run()"
LAST_WORDS = 0.5  # seconds that pipes may stay open when their process is gone


class PortableChild(Child):
    """One runner process, started as a program of its own and spoken to over pipes.

    Args:
        options: as in the host's hello.
        tools: names the host lends, with their descriptions.
        wake: set when there is something to look at.

    Raises:
        OSError: it does not start.
    """

    def __init__(self, options: dict[str, Any], tools: dict[str, str], wake: threading.Event) -> None:
        self.walls = {}
        self.exit_watch = None
        self._wake = wake
        self._process = self._begin(options)
        self._ended_at = 0.0
        self._held = b""  # printed, and perhaps the beginning of a mark
        self._marked = b""
        self.head = self.pid = self._process.pid
        stdin, stdout, stderr = (
            _take(pipe) for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._said, self._printed = Reader(stdout, wake), Reader(stderr, wake)
        self.link: Any = StreamNear(self._said, Writer(stdin, wake, records=True), FROM_WORKER)
        threading.Thread(target=self._await_end, name="smolcell-end", daemon=True).start()
        self.link.request(encode(Frame("hello", {"version": 1, "options": options}), TO_WORKER))
        self.link.request(encode(Frame("tools", {"id": 0, "tools": tools}), TO_WORKER))
        self._await_start()

    @staticmethod
    def _begin(options: dict[str, Any]) -> subprocess.Popen[bytes]:
        """Start the runner's process."""
        return start([sys.executable, "-I", "-S", "-c", RUN, _location()])

    def _await_start(self) -> None:
        end = time.monotonic() + START
        while not (frames := self.link.receive()):
            if self._ended_at or time.monotonic() > end:
                how = (
                    f"it ended with exit code {self._process.poll()}" if self._ended_at else f"no answer in {START:g} s"
                )
                said = self.read_printed()[-1000:].decode("utf-8", "replace")
                self.close()
                raise OSError(0, f"the runner did not start: {how}\n{said}")
            time.sleep(0.005)
        self._started(frames[0])

    def _started(self, frame: Frame) -> None:
        """It has said that it is ready."""

    def _await_end(self) -> None:
        self._process.wait()
        self._ended_at = time.monotonic()
        self._wake.set()

    def read_printed(self, budget: int = 32) -> bytes:
        """See ``Child.read_printed``; without the marks."""
        data, mark = self._held + self._printed.take(PRINTED), self.link.mark
        held = 0
        if mark in data:
            self._marked, data = mark, data.replace(mark, b"")
        elif not self._printed.ended:
            held = next(n for n in range(len(mark) - 1, -1, -1) if data.endswith(mark[:n]))
        data, self._held = data[: len(data) - held], data[len(data) - held :]
        return data

    def read_to_mark(self) -> Iterator[bytes]:
        """What was printed before the step was done, in pieces; waits for its mark, not for long."""
        end = time.monotonic() + LAST_WORDS
        while True:
            yield self.read_printed()
            if self._marked == self.link.mark or self._printed.ended or time.monotonic() > end:
                return
            time.sleep(0.001)

    def interrupt(self) -> None:
        """Ask the runner to interrupt its code: a process cannot be sent a signal everywhere."""
        self.link.send(encode(Frame("interrupt", {}), TO_WORKER))

    def kill(self) -> None:
        """End the runner."""
        try:
            self._process.kill()
        except OSError:
            pass  # it is gone

    def kill_all(self) -> None:
        """End the runner; others there are none."""
        self.kill()

    def kill_others(self) -> None:
        """Nothing: see above."""

    def ended(self) -> str | None:
        """How the runner ended; None while it lives, or while its last words are on their way."""
        if not self._ended_at:
            return None
        if not (self._said.ended and self._printed.ended) and time.monotonic() - self._ended_at < LAST_WORDS:
            self._wake.set()
            time.sleep(0.005)
            return None
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code if code < 1 << 16 else hex(code)}"

    def close(self) -> bool:
        """End the runner, wait until it is gone, and let its pipes go; whether it is gone."""
        self.kill()
        try:
            self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            pass
        for part in (self.link.outbox, self._said, self._printed):
            part.close()
        return self._process.poll() is not None


def _take(pipe: Any) -> int:
    """A descriptor of one's own for a pipe, which is closed."""
    with pipe:
        return os.dup(pipe.fileno())


def _location() -> str:
    """The zip or folder that holds this package."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a runner's program, with pipes; tried again for a while, since the last one may still be counted."""
    end = time.monotonic() + ENDING
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


class PortableSupervisor(Supervisor):
    """Serves one host over two pipes until the host's end closes."""

    def _open(self) -> None:
        self._beside = None
        self._wake = threading.Event()
        self._reader = Reader(self._in, self._wake)
        self._outbox = Writer(self._out, self._wake)

    def _wait(self) -> list[int]:
        patience = self._patience()
        self._wake.wait(None if patience is None else patience / 1000)
        self._wake.clear()
        return [self._in]

    def _receive(self) -> bytes:
        data = self._reader.take(READ)
        if not data and not self._reader.ended:
            raise BlockingIOError
        return data

    def _flush(self) -> None:
        self._over = self._over or self._outbox.broken

    def _new_watch(self, options: dict[str, Any]) -> Watch:
        """Of the disk alone: whoever starts this program bounds the memory."""
        cache = os.path.join(os.path.dirname(options["work"]), "cache")
        return Watch({**options, "memory": 0}, (options["work"], cache))

    def _can_start_processes(self) -> bool:
        return False

    def _done(self, frame: Frame, request: Request) -> None:
        if isinstance(request.child, PortableChild):
            for piece in request.child.read_to_mark():
                request.output.feed(piece)
        super()._done(frame, request)

    def _new_child(self) -> Child:
        return PortableChild(self._options, self._tools, self._wake)

    def _end_tree(self) -> None:
        if self._child is not None:
            self._child.close()
        self._outbox.drain(ENDING)


def main(kind: type[PortableSupervisor] = PortableSupervisor) -> None:
    """Take the wire off descriptors 0 and 1, put the null device in their place, and serve; never returns."""
    read_from, write_to = _leave_standard_streams()
    last_words = open(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(null, descriptor)
    sys.stderr = last_words
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # it ends when the host's pipe ends
    supervisor = kind(read_from, write_to)
    status = 1
    try:
        supervisor.serve()
        status = supervisor.status
    except BaseException:
        traceback.print_exc()
    finally:
        last_words.flush()
        os._exit(status)  # threads may be waiting in a read that nobody ends


def run() -> None:
    """Be the runner: options and tools come first; never returns."""
    link = StreamFar(*_leave_standard_streams(), wire.TO_WORKER, wire.FROM_WORKER)
    options = link.receive().fields["options"]
    sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
    tools = link.receive().fields["tools"]
    os._exit(boot.serve(link, options, tools))


def _leave_standard_streams() -> tuple[int, int]:
    """Copies of descriptors 0 and 1 that no other program inherits; 0 becomes the null device, 1 the same as 2."""
    read_from, write_to = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    set_binary(read_from, write_to, 0, 1, 2)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: os.closerange(read_from, write_to + 1))
    return read_from, write_to
