"""Programs in a sandbox, as envd runs them: what they say goes to whoever listens then, and is lost if nobody does."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from smolcell.worker.system import processes

CHUNK = 32 << 10
KEEPALIVE = 90.0  # seconds, unless the request's header says otherwise
KEPT = KEEP = 30.0  # seconds that the end of a program is kept, now and by default
LAST_WORDS = 0.2  # seconds in which what a killed program wrote is still read


class Listener:
    """One stream of what a program says."""

    def __init__(self) -> None:
        self.keepalive = KEEPALIVE
        self._waiting: queue.Queue[tuple[str, Any] | None] = queue.Queue(4)
        self.gone = threading.Event()

    def tell(self, event: tuple[str, Any] | None) -> None:
        """Wait until there is room, or no one listens any more."""
        while not self.gone.is_set():
            try:
                self._waiting.put(event, timeout=0.1)
                return
            except queue.Full:
                pass

    def events(self) -> Iterator[tuple[str, Any]]:
        """What is said, until the program has ended or no one listens."""
        while not self.gone.is_set():
            try:
                event = self._waiting.get(timeout=self.keepalive)
            except queue.Empty:
                yield "keepalive", None
                continue
            if event is None:
                return
            yield event

    def leave(self) -> None:
        """No one listens any more."""
        self.gone.set()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            pass


class Program:
    """One program, and its pipes.

    Args:
        command: the program and its words.
        environ: its whole environment.
        folder: where it starts.
        stdin: whether it has one.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], folder: Path, stdin: bool) -> None:
        self.command = list(command)
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._listeners: list[Listener] = []
        self.status: int | None = None
        self._ended = 0.0
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
            bufsize=0,
        )
        self.pid = self._process.pid
        self.first = self.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def listen(self) -> Listener:
        """A stream of what it says from now on."""
        listener = Listener()
        with self._lock:
            if self.status is None:
                self._listeners.append(listener)
                return listener
        listener.tell(("end", self.status))
        listener.tell(None)
        return listener

    def forget(self, listener: Listener) -> None:
        """No one reads this stream any more."""
        listener.leave()
        with self._lock:
            self._listeners = [each for each in self._listeners if each is not listener]

    def forget_all(self) -> None:
        """Nobody hears it any more: its machine is frozen, or gone."""
        with self._lock:
            listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener.leave()

    def _serve(self) -> None:
        readers = [
            threading.Thread(target=self._read, args=(name, getattr(self._process, name)), daemon=True)
            for name in ("stdout", "stderr")
        ]
        for reader in readers:
            reader.start()
        status = self._process.wait()
        for reader in readers:  # one that was killed ends at once, whoever else holds its pipes
            reader.join(LAST_WORDS if status == -signal.SIGKILL else None)
        with self._lock:
            self.status, self._ended, listeners = status, time.monotonic(), self._listeners
        for listener in listeners:
            listener.tell(("end", status))
            listener.tell(None)

    def _read(self, name: str, pipe: Any) -> None:
        with pipe:
            while data := os.read(pipe.fileno(), CHUNK):
                with self._lock:
                    listeners = list(self._listeners)
                for listener in listeners:
                    listener.tell((name, data))

    def write(self, data: bytes) -> None:
        """Write to its stdin; raises OSError if it has none any more."""
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            raise BrokenPipeError("no stdin")
        with self._writing:
            view = memoryview(data)
            while view:
                view = view[os.write(pipe.fileno(), view) :]

    def close_stdin(self) -> None:
        """Let it read the end."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def is_forgotten(self) -> bool:
        """Whether it ended so long ago that the daemon knows nothing of it."""
        return self.status is not None and time.monotonic() - self._ended > KEPT

    def members(self) -> set[int]:
        """It, and the processes below it."""
        return processes.find_tree(self.pid) if self.status is None else set()

    def end(self) -> None:
        """End it, and all that it started."""
        self.forget_all()
        processes.kill_tree(self.pid, patience=5.0)
        self._process.wait()


class Recorded:
    """A program with everything that it has said; ``add`` keeps a piece."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], folder: Path, stdin: bool) -> None:
        self.changed, self.over = threading.Condition(), False
        given = {"PATH": os.environ["PATH"], "TMPDIR": str(folder), **environ}
        self.program = Program(command, given, Path("/tmp"), stdin)
        self.members, self.end = self.program.members, self.program.end
        threading.Thread(target=self._keep, daemon=True).start()

    def add(self, kind: str, data: bytes) -> None:
        """Keep a piece of ``stdout`` or ``stderr``."""
        raise NotImplementedError

    def _keep(self) -> None:
        for kind, data in self.program.first.events():
            if kind in ("stdout", "stderr"):
                with self.changed:
                    self.add(kind, data)
                    self.changed.notify_all()
        with self.changed:
            self.over = True
            self.changed.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it has ended, or does so in this time."""
        with self.changed:
            return self.changed.wait_for(lambda: self.over, seconds)
