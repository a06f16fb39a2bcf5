"""The local sandbox for systems without socket pairs to inherit and signals: a worker connected by pipes, in a job object.

* On Windows the worker is put in a job before it gets a message, or is ended: until the hello it only runs this package, and
  starts nothing. Python is started without the launcher of a virtual environment, which would start it outside the job.
* It ends with the host, which has the job's only handle. There is no reaper; folders whose owner has ended are removed when
  the next sandbox starts.
* The job is the only wall that is claimed.

Everything except job objects also runs on Linux, where it is tested. Written from the documentation and never run on Windows.
Sources: "Process Creation Flags" on learn.microsoft.com (DETACHED_PROCESS); CPython's Lib/subprocess.py and
Lib/multiprocessing/popen_spawn_win32.py (``sys._base_executable``).
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from smolcell.core.text import tail
from smolcell.errors import SandboxError
from smolcell.events import Wall
from smolcell.executors import child_environment
from smolcell.executors.local import environment as installed
from smolcell.executors.local.environment import PACKAGE, worker_zip
from smolcell.worker.supervisor.portable import DETACHED_PROCESS, write_all
from smolcell.worker.system import processes
from smolcell.worker.wire import frames

IS_WINDOWS = os.name == "nt"
PREFIX = "smolcell-portable-"
OWNER, ENDED = "owner", "ended"
PROCESSES = 2  # supervisor and runner: the code cannot start any
READ = 1 << 20
START = f"import sys; sys.path.insert(0, sys.argv[1]); from {PACKAGE}.supervisor.portable import main; main()"
KEPT_STDERR_BYTES = 2000  # kept of the worker's stderr
ENDING = 2.0  # seconds
LIMITS = Wall(name="limits", stands=True, detail="time, memory, output and disk space are bounded")


class PortableChannel:
    """A worker started as a child process and connected by its stdin and stdout.

    Args:
        memory: maximum memory of each of its processes, in MB.

    Raises:
        SandboxError: it did not start.
    """

    shares = False

    def __init__(self, memory: int) -> None:
        sweep()
        self._token = secrets.token_hex(16)
        self._folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(8)}"
        self._work = self._folder / "work"
        self._folder.mkdir(mode=0o700)
        self._owner = _hold(self._folder / OWNER)
        self._work.mkdir()
        installed.lend_font_list(self._folder / "cache" / "matplotlib")
        self._lock, self._writing, self._reading = threading.Lock(), threading.Lock(), threading.Lock()
        self._dead = False
        self._how = ""
        self._job: JobObject | None = None
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
            cwd=self._work,
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
        """Return the Python program to run; its argument is the worker's zip."""
        return START

    def _environment(self) -> dict[str, str]:
        return child_environment.worker(self._work, self._folder / "cache", self._token)

    def options(self) -> dict[str, Any]:
        """See ``LocalChannel.options``."""
        return {"paths": installed.site_paths(), "work": str(self._work)}

    def walls(self, capabilities: Mapping[str, Any]) -> tuple[Wall, ...]:
        """Return the limits of every worker, and the job's walls."""
        return (LIMITS, *read_walls(self._job.unrestricted if self._job is not None else None))

    def discard_archive(self) -> None:
        """Do nothing: each runner reads the program again."""

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data; blocks; raises OSError if the worker has ended."""
        if descriptor is not None:
            raise ValueError("descriptors cannot be sent through a pipe")
        with self._writing:
            pipe = self._pipe("stdin")
            if pipe is None:
                raise BrokenPipeError("the worker has ended")
            for buffer in buffers:
                write_all(pipe.fileno(), buffer)

    def receive(self) -> bytes:
        """Read some bytes; b"" if the worker has ended."""
        with self._reading:
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
            if not self._dead:
                self._dead = True
                if self._process is not None:
                    self._end(self._process)
                if self._job is not None:
                    self._job.end()
                self._errors.close()
                _remove(self._folder, self._owner)
        if self._reading.acquire(blocking=False):  # else the reading thread meets its end, or comes here itself
            try:
                if (pipe := self._pipe("stdout")) is not None:
                    pipe.close()
            finally:
                self._reading.release()

    def _end(self, ended: subprocess.Popen[bytes]) -> None:
        """End all processes; notes how the worker had ended, if it had."""
        status = ended.poll()
        if self._job is not None:
            self._job.end()
        try:
            ended.kill()
        except OSError:
            pass  # it has ended
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
        self._how = how_it_ended(status, self._errors)

    def epitaph(self) -> str:
        """Return how the process ended."""
        return self._how


def how_it_ended(status: int, stderr: IO[bytes]) -> str:
    """Return how a worker ended, with the end of its stderr."""
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - KEPT_STDERR_BYTES))
    errors = tail(stderr.read(KEPT_STDERR_BYTES).decode("utf-8", "replace"), KEPT_STDERR_BYTES)
    how = f"signal {-status}" if status < 0 else f"exit code {status if status < 1 << 16 else hex(status)}"
    return f"its process ended with {how}" + (f"\n{errors}" if errors else "")


def kernel_word() -> str:
    """Return this process's id and start (0 if unknown), for lists of sandboxes."""
    process = processes.stat(os.getpid())
    return f"{os.getpid()}:{process.start if process else 0}"


def new_job(memory: int) -> JobObject | None:
    """Return a job whose processes may each use ``memory`` bytes; None if the system has no jobs."""
    return JobObject(memory, PROCESSES) if IS_WINDOWS else None


def handle_of(started: subprocess.Popen[bytes]) -> int:
    """Return Windows' handle of a process, with all rights, from CreateProcess."""
    return int(started._handle)  # type: ignore[attr-defined]


def python() -> str:
    """Return the interpreter: on Windows not that of a virtual environment, which is a launcher that starts another process."""
    return str(getattr(sys, "_base_executable", "") or sys.executable) if IS_WINDOWS else sys.executable


def read_walls(unrestricted: str | None) -> tuple[Wall, ...]:
    """Return the walls as text.

    Args:
        unrestricted: why the job does not restrict the user interface; "" if it does; None if there is no job.
    """
    missing = "the code runs as a process of yours; the system does not keep it from {}"
    walls = [Wall(name=name, stands=False, detail=missing.format(what)) for name, what in _UNHELD.items()]
    if unrestricted is None:
        return (*walls, Wall(name="job object", stands=False, detail="only on Windows"))
    detail = "memory is bounded, no process can be started, and all ends with the notebook; files and network stay open"
    screen = unrestricted or "the clipboard, other windows and the system's settings are out of reach"
    return (
        *walls,
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
    """Return an open file that marks its folder as used; it gets its name only when it is locked."""
    try:
        import fcntl
    except ImportError:
        return path.open("wb")  # Windows cannot rename an open file
    fresh = path.with_suffix(".new")
    file = fresh.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    fresh.rename(path)
    return file


def _is_abandoned(folder: Path) -> bool:
    """Return whether a folder is abandoned, and mark it as such."""
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
        return False  # in use, another user's, or being created
    return True


def _remove(folder: Path, owner: IO[bytes]) -> None:
    """Remove a folder whose processes have ended; Windows may hold its files a little longer."""
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
    """Remove the folders of sandboxes whose host has ended; follows no links."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if not folder.is_symlink() and _is_own(folder) and _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    try:
        return not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
    except OSError:
        return False


# --- Windows' job objects: limits for a process and all it starts, which end with the host.
#
# * The only handle of a job belongs to the host, and no process inherits it: when the host ends, Windows closes the handle and
#   ends the processes in the job.
# * Limits are set before a process is put in. A limit that cannot be set raises; only the restrictions of the user interface
#   may be missing, if the host itself is in a job, and then the reason is reported.
# * Windows' functions are only called when a ``JobObject`` is made: the module can be imported on any system.
#
# Written from the documentation and never run on Windows. Sources, by their names on learn.microsoft.com: "Job Objects" and
# "Nested Jobs"; jobapi2.h: CreateJobObjectW, SetInformationJobObject, AssignProcessToJobObject, TerminateJobObject;
# jobapi.h: IsProcessInJob; winnt.h: JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECT_BASIC_LIMIT_INFORMATION, IO_COUNTERS,
# JOBOBJECT_BASIC_UI_RESTRICTIONS; handleapi.h: CloseHandle.


# winnt.h, JOBOBJECTINFOCLASS
UI_RESTRICTIONS_CLASS = 4
EXTENDED_LIMIT_CLASS = 9
# winnt.h, JOBOBJECT_BASIC_LIMIT_INFORMATION.LimitFlags. Without BREAKAWAY_OK and SILENT_BREAKAWAY_OK no process can leave.
ACTIVE_PROCESS = 0x00000008
PROCESS_MEMORY = 0x00000100
JOB_MEMORY = 0x00000200
DIE_ON_UNHANDLED_EXCEPTION = 0x00000400
KILL_ON_JOB_CLOSE = 0x00002000
LIMIT_FLAGS = ACTIVE_PROCESS | PROCESS_MEMORY | JOB_MEMORY | DIE_ON_UNHANDLED_EXCEPTION | KILL_ON_JOB_CLOSE
# winnt.h, JOBOBJECT_BASIC_UI_RESTRICTIONS: handles, clipboard (read, write), system parameters, display settings, global
# atoms, desktops, leaving Windows
RESTRICTIONS = 0x01 | 0x02 | 0x04 | 0x08 | 0x10 | 0x20 | 0x40 | 0x80

ERROR_ACCESS_DENIED = 5
_EXIT_CODE = 0x534C  # exit code of processes that this program ends

HANDLE, DWORD, BOOL, SIZE_T = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int32, ctypes.c_size_t


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION: 64 bytes on 64-bit systems."""

    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", DWORD),
        ("MinimumWorkingSetSize", SIZE_T),
        ("MaximumWorkingSetSize", SIZE_T),
        ("ActiveProcessLimit", DWORD),
        ("Affinity", SIZE_T),  # ULONG_PTR
        ("PriorityClass", DWORD),
        ("SchedulingClass", DWORD),
    )


class Counters(ctypes.Structure):
    """IO_COUNTERS: 48 bytes."""

    _fields_ = tuple(
        (f"{what}{kind}Count", ctypes.c_uint64)
        for kind in ("Operation", "Transfer")
        for what in ("Read", "Write", "Other")
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION: 144 bytes on 64-bit systems."""

    _fields_ = (
        ("BasicLimitInformation", BasicLimits),
        ("IoInfo", Counters),
        ("ProcessMemoryLimit", SIZE_T),
        ("JobMemoryLimit", SIZE_T),
        ("PeakProcessMemoryUsed", SIZE_T),
        ("PeakJobMemoryUsed", SIZE_T),
    )


class Restrictions(ctypes.Structure):
    """JOBOBJECT_BASIC_UI_RESTRICTIONS."""

    _fields_ = (("UIRestrictionsClass", DWORD),)


# Function -> result and arguments; an undeclared HANDLE would be cut to 32 bits.
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "CreateJobObjectW": (HANDLE, (ctypes.c_void_p, ctypes.c_wchar_p)),
    "SetInformationJobObject": (BOOL, (HANDLE, ctypes.c_int, ctypes.c_void_p, DWORD)),
    "AssignProcessToJobObject": (BOOL, (HANDLE, HANDLE)),
    "IsProcessInJob": (BOOL, (HANDLE, HANDLE, ctypes.POINTER(BOOL))),
    "TerminateJobObject": (BOOL, (HANDLE, ctypes.c_uint32)),
    "CloseHandle": (BOOL, (HANDLE,)),
}


class JobError(OSError):
    """A job object call failed; the text names it."""


def kernel32() -> Any:
    """Load the library and declare its functions; raises OSError on other systems."""
    loader: Callable[..., Any] | None = getattr(ctypes, "WinDLL", None)
    if loader is None:
        raise JobError("job objects exist only on Windows")
    library = loader("kernel32", use_last_error=True)
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _last_error() -> int:
    return int(getattr(ctypes, "get_last_error", lambda: 0)())


class JobObject:
    """A job object with limits; empty at first.

    Args:
        memory: maximum memory of each process, in bytes.
        processes: maximum living processes.
        library: replaces kernel32 in tests.
        last_error: replaces ``ctypes.get_last_error`` in tests.

    Raises:
        JobError: it cannot be created.
    """

    def __init__(
        self,
        memory: int,
        processes: int,
        library: Any = None,
        last_error: Callable[[], int] = _last_error,
    ) -> None:
        self._library = kernel32() if library is None else library
        self._last_error = last_error
        self._memory, self._processes = memory, processes
        self._lock = threading.Lock()
        self._job: int | None = None
        self.unrestricted = ""
        """Why the user interface is not restricted; "" if it is."""
        self._make(restricted=True)

    def _make(self, restricted: bool) -> None:
        self._job = self._called("CreateJobObjectW", None, None)
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = LIMIT_FLAGS
        limits.BasicLimitInformation.ActiveProcessLimit = self._processes
        limits.ProcessMemoryLimit = self._memory
        limits.JobMemoryLimit = self._memory * self._processes
        try:
            self._set(EXTENDED_LIMIT_CLASS, limits)
            if restricted:
                self._set(UI_RESTRICTIONS_CLASS, Restrictions(RESTRICTIONS))
        except JobError:
            self.close()
            raise

    def _set(self, kind: int, value: ctypes.Structure) -> None:
        self._called("SetInformationJobObject", self._job, kind, ctypes.byref(value), ctypes.sizeof(value))

    def _called(self, name: str, *arguments: Any) -> int:
        result = getattr(self._library, name)(*arguments)
        if not result:
            number = self._last_error()
            raise JobError(number, f"{name} failed with Windows error {number}")
        return int(result)

    def take(self, process: int) -> None:
        """Put a process in the job; processes that it starts later are in it, too.

        A process that is already in a job (a notebook server may have put the host and its children in one) can only be put in
        a job without restrictions of the user interface: then these are left out.

        Args:
            process: a handle with the rights PROCESS_SET_QUOTA and PROCESS_TERMINATE.

        Raises:
            JobError: that failed.
        """
        try:
            self._called("AssignProcessToJobObject", self._job, process)
        except JobError as error:
            if error.errno != ERROR_ACCESS_DENIED or not self._is_in(process, None):
                raise
            self.close()
            self._make(restricted=False)
            self._called("AssignProcessToJobObject", self._job, process)
            self.unrestricted = (
                "the notebook itself runs in a job, and Windows allows no such restrictions in nested jobs"
            )
        if not self._is_in(process, self._job):
            raise JobError("Windows reported success, but the process is not in its job")

    def _is_in(self, process: int, job: int | None) -> bool:
        is_in = BOOL(0)
        self._called("IsProcessInJob", process, job, ctypes.byref(is_in))
        return bool(is_in.value)

    def end(self) -> None:
        """End the processes in the job, and the job. Idempotent."""
        with self._lock:
            if self._job is not None:
                self._library.TerminateJobObject(self._job, _EXIT_CODE)
                self.close()

    def close(self) -> None:
        """Close the handle: Windows ends the processes in the job."""
        job, self._job = self._job, None
        if job is not None:
            self._library.CloseHandle(job)
