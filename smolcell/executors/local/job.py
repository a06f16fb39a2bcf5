"""Windows' job objects: limits around a process and all it starts, and an end that comes with the host's.

* The one handle of a job is the host's and no process inherits it: when the host ends, however it ends, Windows closes
  the handle, and what is in the job ends.
* Limits are set before a process is put in. A limit that cannot be set raises; only the restrictions of the user interface may
  be missing, if the host itself is in a job, and then the reason is reported.
* Nothing of Windows is touched before a ``Job`` is made: the module can be imported anywhere.

Written by the documentation and never run on Windows. Sources, by their names on learn.microsoft.com: "Job Objects" and
"Nested Jobs"; jobapi2.h: CreateJobObjectW, SetInformationJobObject, AssignProcessToJobObject, TerminateJobObject;
jobapi.h: IsProcessInJob; winnt.h: JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECT_BASIC_LIMIT_INFORMATION, IO_COUNTERS,
JOBOBJECT_BASIC_UI_RESTRICTIONS; handleapi.h: CloseHandle.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

# winnt.h, JOBOBJECTINFOCLASS
UI_RESTRICTIONS_CLASS = 4
EXTENDED_LIMIT_CLASS = 9
# winnt.h, JOBOBJECT_BASIC_LIMIT_INFORMATION.LimitFlags. Without BREAKAWAY_OK and SILENT_BREAKAWAY_OK nothing leaves.
ACTIVE_PROCESS = 0x00000008
PROCESS_MEMORY = 0x00000100
JOB_MEMORY = 0x00000200
DIE_ON_UNHANDLED_EXCEPTION = 0x00000400
KILL_ON_JOB_CLOSE = 0x00002000
LIMITS = ACTIVE_PROCESS | PROCESS_MEMORY | JOB_MEMORY | DIE_ON_UNHANDLED_EXCEPTION | KILL_ON_JOB_CLOSE
# winnt.h, JOBOBJECT_BASIC_UI_RESTRICTIONS: handles, clipboard (read, write), system parameters, display settings, global
# atoms, desktops, leaving Windows
RESTRICTIONS = 0x01 | 0x02 | 0x04 | 0x08 | 0x10 | 0x20 | 0x40 | 0x80

ERROR_ACCESS_DENIED = 5
ENDED = 0x534C  # exit code of processes ended by this program

HANDLE, DWORD, BOOL, SIZE_T = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int32, ctypes.c_size_t


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION: 64 bytes if pointers have 8."""

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
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION: 144 bytes if pointers have 8."""

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


# Function -> its result and arguments; a HANDLE that is not declared would be cut to 32 bits.
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "CreateJobObjectW": (HANDLE, (ctypes.c_void_p, ctypes.c_wchar_p)),
    "SetInformationJobObject": (BOOL, (HANDLE, ctypes.c_int, ctypes.c_void_p, DWORD)),
    "AssignProcessToJobObject": (BOOL, (HANDLE, HANDLE)),
    "IsProcessInJob": (BOOL, (HANDLE, HANDLE, ctypes.POINTER(BOOL))),
    "TerminateJobObject": (BOOL, (HANDLE, ctypes.c_uint32)),
    "CloseHandle": (BOOL, (HANDLE,)),
}


class JobError(OSError):
    """A call for a job object failed; the text names it."""


def kernel32() -> Any:
    """The library, with its functions declared; raises OSError if there is none."""
    loader: Callable[..., Any] | None = getattr(ctypes, "WinDLL", None)
    if loader is None:
        raise JobError("job objects are Windows'")
    library = loader("kernel32", use_last_error=True)
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _last_error() -> int:
    return int(getattr(ctypes, "get_last_error", lambda: 0)())


class Job:
    """A job object with limits, and nothing in it yet.

    Args:
        memory: bytes each process may commit.
        processes: how many may be alive at once; one more cannot be started.
        library: stands in for kernel32 in tests.
        last_error: stands in for ``ctypes.get_last_error``.

    Raises:
        JobError: it cannot be made.
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
        limits.BasicLimitInformation.LimitFlags = LIMITS
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
        """Put a process in; what it starts from now on is in, too.

        A process that is in a job already (a notebook server may have put the host in one, and its children with it)
        can only be put into one without restrictions of the user interface: then those are left out.

        Args:
            process: its handle, with the rights PROCESS_SET_QUOTA and PROCESS_TERMINATE.

        Raises:
            JobError: it is not in.
        """
        try:
            self._called("AssignProcessToJobObject", self._job, process)
        except JobError as error:
            if error.errno != ERROR_ACCESS_DENIED or not self._is_in(process, None):
                raise
            self.close()
            self._make(restricted=False)
            self._called("AssignProcessToJobObject", self._job, process)
            self.unrestricted = "the notebook itself runs in a job, inside which Windows allows no such restrictions"
        if not self._is_in(process, self._job):
            raise JobError("the process is not in its job, though Windows said so")

    def _is_in(self, process: int, job: int | None) -> bool:
        found = BOOL(0)
        self._called("IsProcessInJob", process, job, ctypes.byref(found))
        return bool(found.value)

    def end(self) -> None:
        """End all that is in it, and the job; idempotent."""
        with self._lock:
            if self._job is not None:
                self._library.TerminateJobObject(self._job, ENDED)
                self.close()

    def close(self) -> None:
        """Let the handle go: Windows ends what is still in it."""
        job, self._job = self._job, None
        if job is not None:
            self._library.CloseHandle(job)
