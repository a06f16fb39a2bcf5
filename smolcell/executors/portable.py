"""The local sandbox if there are no socket pairs to hand on and no signals: a worker over pipes, in a job object.

* On Windows the worker is in a job before it gets a message, or it is ended: until the hello it runs nothing but this
  package, and starts nothing. Python is started without the launcher of a virtual environment, which would start it
  outside the job.
* It ends with the host: the job's only handle is the host's. There is no reaper; folders whose owner is gone are removed
  when the next sandbox starts.
* No wall but the job is claimed.

Everything here but ``job`` runs on Linux too, if it is tested. Written by the documentation and never run on Windows.
Sources: "Process Creation Flags" on learn.microsoft.com (DETACHED_PROCESS); CPython's Lib/subprocess.py and
Lib/multiprocessing/popen_spawn_win32.py (``sys._base_executable``).
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from smolcell.errors import SandboxError
from smolcell.events import Wall
from smolcell.executors import child_environment
from smolcell.executors.local import environment as installed
from smolcell.executors.local.environment import PACKAGE, worker_zip
from smolcell.executors.local.job import Job
from smolcell.text import visible
from smolcell.worker.supervisor.portable import DETACHED_PROCESS, write_all
from smolcell.worker.system import processes
from smolcell.worker.wire import frames

IS_WINDOWS = os.name == "nt"
PREFIX = "smolcell-portable-"
OWNER, ENDED = "owner", "ended"
PROCESSES = 2  # supervisor and runner: the code can start none
READ = 1 << 20
START = f"import sys; sys.path.insert(0, sys.argv[1]); from {PACKAGE}.supervisor.portable import main; main()"
KEPT_STDERR_BYTES = 2000  # bytes kept of what the worker wrote to its stderr
ENDING = 2.0  # seconds
LIMITS = Wall(name="limits", stands=True, detail="time, memory, output and disk space are bounded")


class PortableChannel:
    """A worker started as a child process, spoken to over its stdin and stdout.

    Args:
        memory: megabytes each of its processes may commit.

    Raises:
        SandboxError: it does not start.
    """

    shares = False
    jail: dict[str, Any] | None = None

    def __init__(self, memory: int) -> None:
        sweep()
        self._token = secrets.token_hex(16)
        self._folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(8)}"
        self.work = self._folder / "work"
        self._folder.mkdir(mode=0o700)
        self._owner = _hold(self._folder / OWNER)
        self.work.mkdir()
        installed.lend_font_list(self._folder / "cache" / "matplotlib")
        self.paths = installed.site_paths()
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._dead = False
        self._how = ""
        self._job: Job | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - open as long as the worker
        try:
            self._start(memory)
        except OSError as error:
            self.kill()
            raise SandboxError(f"the sandbox's process did not start: {error}") from error

    def _start(self, memory: int) -> None:
        archive = self._folder / "worker.zip"
        archive.write_bytes(worker_zip())
        self._job = new_job(memory << 20)
        self._process = subprocess.Popen(
            [python(), "-I", "-S", "-c", self._program(), str(archive), kernel_word()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            cwd=self.work,
            env=self._environment(),
            start_new_session=not IS_WINDOWS,
            creationflags=DETACHED_PROCESS if IS_WINDOWS else 0,
        )
        if self._job is not None:
            self._job.take(handle_of(self._process))

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid if self._process is not None else 0

    @staticmethod
    def _program() -> str:
        """The program that Python runs; its argument is the worker's zip."""
        return START

    def _environment(self) -> dict[str, str]:
        return child_environment.worker(self.work, self._folder / "cache", self._token)

    def walls(self, capabilities: Mapping[str, Any]) -> tuple[Wall, ...]:
        """Which walls stand: the limits of every worker, and the job's."""
        return (LIMITS, *read_walls(self._job.unrestricted if self._job is not None else None))

    def discard_archive(self) -> None:
        """Does nothing: each runner reads the program again."""

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all of it; blocks; raises OSError when the worker is gone."""
        if descriptor is not None:
            raise ValueError("no descriptor goes through a pipe")
        with self._writing:
            pipe = self._pipe("stdin")
            if pipe is None:
                raise BrokenPipeError("the worker is gone")
            for buffer in buffers:
                write_all(pipe.fileno(), buffer)

    def receive(self) -> bytes:
        """Read some bytes; b"" when the worker is gone."""
        pipe = self._pipe("stdout")
        data = os.read(pipe.fileno(), READ) if pipe is not None else b""
        if not data and pipe is not None:
            pipe.close()
        return data

    def _pipe(self, name: str) -> IO[bytes] | None:
        pipe: IO[bytes] | None = getattr(self._process, name, None)
        return None if pipe is None or pipe.closed else pipe

    def kill(self) -> None:
        """End the worker and everything it started; remove its folder."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            if self._process is not None:
                self._end(self._process)
            if self._job is not None:
                self._job.end()
            self._errors.close()
            _remove(self._folder, self._owner)

    def _end(self, ended: subprocess.Popen[bytes]) -> None:
        """End all processes, and learn how the worker had ended if it had."""
        status = ended.poll()
        if self._job is not None:
            self._job.end()
        try:
            ended.kill()
        except OSError:
            pass  # it is gone
        if not IS_WINDOWS:
            processes.kill_tree(ended.pid, 0, self._token)
        try:
            status = ended.wait(ENDING) if status is None else status
        except subprocess.TimeoutExpired:
            status = -9
        with self._writing:
            pipe = self._pipe("stdin")
            if pipe is not None:
                pipe.close()
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - KEPT_STDERR_BYTES))
        errors = visible(self._errors.read(KEPT_STDERR_BYTES).decode("utf-8", "replace")).strip()
        how = f"signal {-status}" if status < 0 else f"exit code {status if status < 1 << 16 else hex(status)}"
        self._how = f"its process ended with {how}" + (f"\n{errors}" if errors else "")

    def epitaph(self) -> str:
        """How the process ended."""
        return self._how


def kernel_word() -> str:
    """This process's id and start (0 if unknown), for lists of sandboxes."""
    found = processes.stat(os.getpid())
    return f"{os.getpid()}:{found.start if found else 0}"


def new_job(memory: int) -> Job | None:
    """A job whose processes may commit so many bytes each; None if there are no jobs."""
    return Job(memory, PROCESSES) if IS_WINDOWS else None


def handle_of(started: subprocess.Popen[bytes]) -> int:
    """Windows' handle of a process, as CreateProcess gave it: with all rights."""
    return int(started._handle)  # type: ignore[attr-defined]


def python() -> str:
    """The interpreter itself: on Windows the one of a virtual environment is a launcher that starts another process."""
    return str(getattr(sys, "_base_executable", "") or sys.executable) if IS_WINDOWS else sys.executable


def read_walls(unrestricted: str | None) -> tuple[Wall, ...]:
    """The walls in words.

    Args:
        unrestricted: why the job does not restrict the user interface, "" if it does; None if there is no job.
    """
    missing = "the code runs as a process of yours; nothing of the system keeps it from {}"
    found = [Wall(name=name, stands=False, detail=missing.format(what)) for name, what in _UNHELD.items()]
    if unrestricted is None:
        return (*found, Wall(name="job object", stands=False, detail="only on Windows"))
    detail = "memory is bounded, no process can be started, and all ends with the notebook; files and network stay open"
    screen = unrestricted or "the clipboard, other windows and the system's settings are out of reach"
    return (
        *found,
        Wall(name="job object", stands=True, detail=detail),
        Wall(name="user interface", stands=not unrestricted, detail=screen),
    )


_UNHELD = {
    "files": "your files",
    "network": "connections",
    "processes": "your other processes",
}


# --- folders -----------------------------------------------------------------------------------------------------------


def _hold(path: Path) -> IO[bytes]:
    """A file that says, as long as it is open, that its folder is in use; it has its name only once it is locked."""
    try:
        import fcntl
    except ImportError:
        return path.open("wb")  # Windows renames no file that is open
    fresh = path.with_suffix(".new")
    file = fresh.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    fresh.rename(path)
    return file


def _is_abandoned(folder: Path) -> bool:
    """Whether a folder is abandoned; then it is marked as such."""
    if (folder / ENDED).exists():
        return True
    try:
        import fcntl
    except ImportError:
        fcntl = None  # type: ignore[assignment]
    try:
        if fcntl is not None:
            with (folder / OWNER).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (folder / OWNER).rename(folder / ENDED)
    except OSError:
        return False  # in use, another user's, or just being made
    return True


def _remove(folder: Path, owner: IO[bytes]) -> None:
    """Remove a folder whose processes have ended; Windows may hold its files a moment longer."""
    owner.close()
    if not _is_abandoned(folder):
        return
    for _ in range(10):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.05)
    try:
        (folder / ENDED).touch()  # the next sandbox tries again
    except OSError:
        pass


def sweep() -> None:
    """Remove the folders of sandboxes whose host is gone; no link is followed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if not folder.is_symlink() and _is_own(folder) and _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    try:
        return not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
    except OSError:
        return False
