"""Windows' job objects, with a stand-in for kernel32: the calls, their order and arguments, sizes, and what fails."""

import ctypes
from typing import Any

import pytest

from smolcell.executors import portable as job
from smolcell.executors.portable import JobError, JobObject

MEMORY = 512 << 20
PROCESS, FIRST_JOB = 77, 1001


class Kernel32:
    """Answers as the documentation says; ``fail`` names calls that fail, with their error."""

    def __init__(self, host_in_job: bool = False, **fail: int) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.host_in_job, self.fail = host_in_job, fail
        self.error = 0
        self.jobs: dict[int, set[int]] = {}
        self.restricted: set[int] = set()

    def _done(self, name: str, *arguments: Any) -> int:
        self.calls.append((name, *arguments))
        self.error = self.fail.get(name, 0)
        return int(not self.error)

    def CreateJobObjectW(self, attributes: Any, name: Any) -> int | None:
        if not self._done("CreateJobObjectW", attributes, name):
            return None
        handle = FIRST_JOB + len(self.jobs)
        self.jobs[handle] = set()
        return handle

    def SetInformationJobObject(self, handle: int, kind: int, value: Any, size: int) -> int:
        data = bytes(value._obj)
        if kind == job.UI_RESTRICTIONS_CLASS:
            self.restricted.add(handle)
        return self._done("SetInformationJobObject", handle, kind, data, size)

    def AssignProcessToJobObject(self, handle: int, process: int) -> int:
        if not self._done("AssignProcessToJobObject", handle, process):
            return 0
        if self.host_in_job and handle in self.restricted:
            self.error = job.ERROR_ACCESS_DENIED
            return 0
        self.jobs[handle].add(process)
        return 1

    def IsProcessInJob(self, process: int, handle: int | None, found: Any) -> int:
        if handle is None:
            found._obj.value = self.host_in_job or any(process in held for held in self.jobs.values())
        else:
            found._obj.value = process in self.jobs[handle]
        return self._done("IsProcessInJob", process, handle)

    def TerminateJobObject(self, handle: int, code: int) -> int:
        return self._done("TerminateJobObject", handle, code)

    def CloseHandle(self, handle: int) -> int:
        return self._done("CloseHandle", handle)

    def names(self) -> list[str]:
        return [call[0] for call in self.calls]


def make(library: Kernel32) -> JobObject:
    return JobObject(MEMORY, 2, library, lambda: library.error)


def limits_of(library: Kernel32) -> job.ExtendedLimits:
    data = next(call[3] for call in library.calls if call[:1] == ("SetInformationJobObject",) and call[2] == 9)
    return job.ExtendedLimits.from_buffer_copy(data)


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the sizes are those of 64-bit systems")
def test_the_structures_have_the_documented_sizes_and_offsets() -> None:
    sizes = [ctypes.sizeof(kind) for kind in (job.BasicLimits, job.Counters, job.ExtendedLimits, job.Restrictions)]
    assert sizes == [64, 48, 144, 4]
    offsets = [getattr(job.BasicLimits, name).offset for name, _ in job.BasicLimits._fields_]
    assert offsets == [0, 8, 16, 24, 32, 40, 48, 56, 60]
    assert (job.ExtendedLimits.ProcessMemoryLimit.offset, job.ExtendedLimits.JobMemoryLimit.offset) == (112, 120)


def test_the_limits_are_set_before_a_process_is_put_in() -> None:
    library = Kernel32()
    held = make(library)
    held.take(PROCESS)
    made, limited = ["CreateJobObjectW"], ["SetInformationJobObject"] * 2
    assert library.names() == [*made, *limited, "AssignProcessToJobObject", "IsProcessInJob"]
    assert library.calls[0] == ("CreateJobObjectW", None, None)  # no attributes: the handle is inherited by nobody
    assert [call[1:3] for call in library.calls[1:3]] == [(FIRST_JOB, 9), (FIRST_JOB, 4)]
    assert [call[4] for call in library.calls[1:3]] == [ctypes.sizeof(job.ExtendedLimits), 4]
    assert library.calls[2][3] == (0xFF).to_bytes(4, "little")
    assert library.calls[3][1:] == (FIRST_JOB, PROCESS)
    assert held.unrestricted == ""


def test_a_job_ends_with_its_handle_and_lets_nothing_break_away() -> None:
    library = Kernel32()
    make(library)
    limits = limits_of(library)
    flags = limits.BasicLimitInformation.LimitFlags
    assert flags == 0x2000 | 0x400 | 0x200 | 0x100 | 0x8
    assert not flags & (0x800 | 0x1000)  # BREAKAWAY_OK, SILENT_BREAKAWAY_OK
    assert limits.BasicLimitInformation.ActiveProcessLimit == 2
    assert (limits.ProcessMemoryLimit, limits.JobMemoryLimit) == (MEMORY, 2 * MEMORY)


def test_inside_another_job_the_restrictions_of_the_user_interface_are_left_out_and_said_so() -> None:
    library = Kernel32(host_in_job=True)
    held = make(library)
    held.take(PROCESS)
    assert library.jobs == {FIRST_JOB: set(), FIRST_JOB + 1: {PROCESS}}
    assert ("CloseHandle", FIRST_JOB) in library.calls
    assert [call[2] for call in library.calls if call[:2] == ("SetInformationJobObject", FIRST_JOB + 1)] == [9]
    assert "runs in a job" in held.unrestricted


@pytest.mark.parametrize("name", ["CreateJobObjectW", "SetInformationJobObject"])
def test_a_job_that_cannot_be_made_names_the_call_and_leaves_no_handle(name: str) -> None:
    library = Kernel32(**{name: 87})
    with pytest.raises(JobError, match=f"{name} failed with Windows error 87"):
        make(library)
    assert library.names().count("CloseHandle") == len(library.jobs)


@pytest.mark.parametrize("number", [5, 6])
def test_a_process_that_cannot_be_put_in_is_an_error_where_no_other_job_explains_it(number: int) -> None:
    library = Kernel32(AssignProcessToJobObject=number)
    held = make(library)
    with pytest.raises(JobError, match=f"AssignProcessToJobObject failed with Windows error {number}"):
        held.take(PROCESS)


def test_a_process_that_is_not_in_afterwards_is_an_error() -> None:
    library = Kernel32()
    held = make(library)
    library.jobs[FIRST_JOB] = frozenset()  # type: ignore[assignment]
    library.AssignProcessToJobObject = lambda handle, process: 1  # type: ignore[method-assign]
    with pytest.raises(JobError, match="not in its job"):
        held.take(PROCESS)


def test_the_end_ends_what_is_in_it_once() -> None:
    library = Kernel32()
    held = make(library)
    held.take(PROCESS)
    held.end()
    held.end()
    assert library.calls[-2:] == [("TerminateJobObject", FIRST_JOB, job._EXIT_CODE), ("CloseHandle", FIRST_JOB)]
    assert library.names().count("TerminateJobObject") == 1


def test_every_function_is_declared_so_that_no_handle_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class Function:
        restype: Any = None
        argtypes: Any = None

    functions = {name: Function() for name in job.SIGNATURES}

    class Library:
        def __getattr__(self, name: str) -> Any:
            return functions[name]

    def load(name: str, use_last_error: bool) -> Any:
        asked.append((name, use_last_error))
        return Library()

    monkeypatch.setattr(ctypes, "WinDLL", load, raising=False)
    job.kernel32()
    assert asked == [("kernel32", True)]
    assert {name: (made.restype, made.argtypes) for name, made in functions.items()} == job.SIGNATURES
    assert functions["CreateJobObjectW"].restype is ctypes.c_void_p
    assert {name for name in dir(Kernel32) if name[0].isupper()} == set(job.SIGNATURES)


def test_where_there_is_no_kernel32_a_job_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ctypes, "WinDLL", raising=False)
    with pytest.raises(JobError, match="job objects exist only on Windows"):
        JobObject(MEMORY, 2)
