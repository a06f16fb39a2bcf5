"""This process's warm parent: starts local sandboxes without starting Python for each. Linux only."""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

from smolcell.executors.local.environment import FLAGS, PACKAGE, worker_zip
from smolcell.executors.reaper import close_at_exit, reaper
from smolcell.worker.system import folders, processes

START = 20.0  # seconds that it may take to answer
ROOM = 4096  # bytes kept for a sandbox's environment, where the system shows it
CODE = f"import sys; sys.path[0] = sys.argv[1]; from {PACKAGE}.supervisor.warm import main; main()"


class Sibling:
    """A child of this process that another one cloned; as ``subprocess.Popen`` as far as it goes."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._watch = os.pidfd_open(pid)
        self._status: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; returns its exit code, or its signal's number, negative. Raises TimeoutExpired."""
        if self._status is None:
            poll = select.poll()
            poll.register(self._watch, select.POLLIN)
            if not poll.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired("the sandbox", timeout or 0)
            os.close(self._watch)
            try:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:
                self._status = 0  # SIGCHLD is ignored, or this process was forked: nobody can tell
        return self._status

    def kill(self) -> None:
        """End it."""
        if self._status is None:
            signal.pidfd_send_signal(self._watch, signal.SIGKILL)


class WarmParent:
    """Started with the first sandbox and again when it is gone; ends with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._key = self._unusable = (0, "")  # the process it belongs to, and its Python
        self._is_proven = False  # it has started a sandbox
        self._token = ""
        close_at_exit(self)  # before all sandboxes: it is closed after them

    def start(
        self, command: list[str], environment: Mapping[str, str], folder: Path, wire: int, errors: int
    ) -> Sibling:
        """Start a supervisor.

        Args:
            command: as it would be started by itself; the first word is the Python.
            wire: descriptor of its stdin and stdout.
            errors: descriptor of its stderr.

        Raises:
            OSError: it cannot be started this way; the next call tries again.
        """
        key = (os.getpid(), command[0])
        with self._lock:
            if self._unusable == key:
                raise OSError(0, "it has not worked here before")
            try:
                if self._key != key:
                    self._end()
                    self._key = key
                line = self._socket or self._begin(environment)
                request = {"command": command, "environment": dict(environment), "folder": str(folder)}
                socket.send_fds(line, [json.dumps(request).encode()], [wire, errors])
                started = Sibling(int(self._answer(line)))
                self._is_proven = True
                return started
            except BaseException as error:  # even an interrupt: its answer would be taken for the next one's
                if isinstance(error, OSError) and not self._is_proven:
                    self._unusable = key
                self._end()
                raise

    def _begin(self, environment: Mapping[str, str]) -> socket.socket:
        os.close(os.pidfd_open(os.getpid()))  # before Linux 5.3 there is none
        self._token = secrets.token_hex(16)
        place = Path(tempfile.gettempdir()) / f"smolcell-{secrets.token_hex(8)}"
        reaper.register(0, self._token, str(place))
        try:
            place.mkdir(mode=0o700)
            archive = place / "warm.zip"
            archive.write_bytes(worker_zip())
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._socket.settimeout(START)
            with theirs:
                self._process = subprocess.Popen(
                    [self._key[1], *FLAGS, "-c", CODE, str(archive)],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env={**environment, processes.TOKEN: self._token, "ROOM": " " * ROOM},
                    start_new_session=True,
                )
            self._answer(self._socket)
        finally:
            folders.remove(str(place))  # the modules are loaded
        reaper.register(self._process.pid, self._token, "")
        return self._socket

    @staticmethod
    def _answer(line: socket.socket) -> bytes:
        found = line.recv(64)
        if not found:
            raise OSError(0, "the warm parent has ended")
        return found

    def _end(self) -> None:
        process, line = self._process, self._socket
        self._process = self._socket = None
        self._is_proven = False
        if line is not None:
            line.close()
        if process is None:
            return
        if self._key[0] != os.getpid():
            process.returncode = 0  # that of the process this one was forked from
            return
        process.kill()
        process.wait()
        reaper.forget(self._token)

    def close(self) -> None:
        """End it, not the sandboxes."""
        with self._lock:
            self._end()


warm_parent = WarmParent()
