"""The way `local` goes on Windows, run on Linux: everything but the job object, through the same code."""

import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from conformance_list import hold, representative
from engines import kernel
from local_parts import LocalInTests, programs
from processes import eventually

from smolcell.errors import CapabilityError, LimitError, SandboxDiedError, SandboxError, SetupError
from smolcell.executors import child_environment, portable
from smolcell.testing import Check, Trial
from smolcell.worker.supervisor import portable as streams
from smolcell.worker.system import processes as process

PROGRAMS = programs("sandbox_programs.txt")

posix = pytest.mark.skipif(os.name == "nt", reason="simulates Windows on Linux; not run on Windows")
pytestmark = posix


class PortableExecutor(LocalInTests):
    """As on Windows."""

    _portable = True
    carries = False


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of sandboxes are made, and swept, here."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def executor() -> Iterator[PortableExecutor]:
    with PortableExecutor(timeout=20) as executor:
        yield executor


@pytest.fixture
def unguarded() -> Iterator[PortableExecutor]:
    with PortableExecutor(timeout=20, guard=False) as executor:
        yield executor


# --- the conformance list ----------------------------------------------------------------------------------------------

LEFT_OUT = {
    "interrupt_python": "on Linux a thread cannot end a sleep of the main thread; on Windows raise(SIGINT) can",
    "host_dies": "expects the folder gone at once; here the next start sees to it (below)",
    "checkpoint_of_variables_and_files": "it declares checkpoints='replay'",
    "time_in_one_c_call": "done below, in a Python stripped of POSIX",
}
ALSO = "memory processes_end_too host_files_read no_permit".split()
"""What portable code of its own sees to."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    with Trial(PortableExecutor) as trial:
        yield trial


@pytest.mark.parametrize("check", representative(LEFT_OUT, ALSO), ids=str)
@pytest.mark.slow
def test_it_keeps_what_every_sandbox_promises(trial: Trial, check: Check) -> None:
    hold(trial, check)


# --- a system without fork, signals and polls --------------------------------------------------------------------------


def without_posix(*words: str) -> list[str]:
    """The lines that the program prints."""
    program = Path(__file__).with_name("without_posix.py")
    done = subprocess.run([sys.executable, str(program), *words], capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
def test_steps_limits_and_a_kill_need_nothing_that_windows_lacks() -> None:
    lines = without_posix()
    assert "stdout='said\\n'" in lines[0]
    assert "result='21'" in lines[0]
    assert "its variables are kept" in lines[1]
    assert lines[2] == "40"
    assert "its process was killed" in lines[3]
    assert lines[4:] == ["False", "[]"]


@pytest.mark.slow
def test_every_module_is_imported_without_what_windows_lacks() -> None:
    (line,) = without_posix("modules")
    imported, _, all_of_them = line.partition(" of ")
    assert imported == all_of_them
    assert int(imported) > 150


# --- limits and ends ---------------------------------------------------------------------------------------------------


def test_a_step_is_interrupted_while_a_tool_works(executor: PortableExecutor) -> None:
    executor.send_tools({"stop": executor.interrupt})
    executor("kept = 3")
    with pytest.raises(Exception, match="the step was interrupted; its variables are kept"):
        executor("stop()\nwhile True: pass")
    assert executor("kept").output == 3


def test_a_worker_that_ends_is_a_named_error_and_the_next_step_runs(unguarded: PortableExecutor) -> None:
    with pytest.raises(SandboxError, match="exit code 7"):
        unguarded("import os\nprint('last words', flush=True)\nos._exit(7)")
    assert unguarded("1 + 1").output == 2


def test_what_was_printed_before_the_end_of_a_step_belongs_to_it(unguarded: PortableExecutor) -> None:
    for number in range(100):
        told = unguarded(f"import os\nos.write(1, b'x' * 5000 + b'{number}')\nNone")
        assert told.stdout == "x" * 5000 + str(number)


def test_bytes_like_a_mark_are_printed_text(unguarded: PortableExecutor) -> None:
    text = (streams.MARK + b"0123456789abcdef").decode()
    assert unguarded(f"print({text!r}, end='')").stdout == text
    assert unguarded(f"print({streams.MARK.decode()!r}, end='')").stdout == streams.MARK.decode()


def test_garbage_on_the_link_ends_the_runner_by_name(unguarded: PortableExecutor) -> None:
    with pytest.raises(SandboxError, match="the sandbox's process ended during the step"):
        unguarded(PROGRAMS["write everywhere"].format(b"\xff" * 100) + "\nimport time\ntime.sleep(600)")
    assert unguarded("1 + 1").output == 2


def test_a_record_without_the_nonce_is_counted_and_dropped(unguarded: PortableExecutor) -> None:
    record = struct.pack(">I", 40) + bytes(40)
    said = unguarded(PROGRAMS["write everywhere"].format(record)).stdout
    assert said == "went on\n\n[smolcell: forged frame refused (1 in this step)]\n"


def test_the_death_of_the_supervisor_is_a_named_error(executor: PortableExecutor) -> None:
    executor("1")
    executor._channel._process.kill()  # type: ignore[union-attr]
    with pytest.raises(SandboxDiedError, match="signal 9"):
        eventually(lambda: executor("1") is None, 60)  # until its end is noticed
    assert executor("2").output == 2


def test_nothing_runs_on_when_the_host_is_killed_and_the_next_start_removes_its_folder(temporary: Path) -> None:
    token = kernel(PROGRAMS["host that is killed"]).communicate(timeout=300)[0].strip()
    assert token
    assert eventually(lambda: not process.find_tree(0, token=token), 60)
    assert len(list(temporary.iterdir())) == 1
    portable.sweep()
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_a_large_value_goes_in_and_comes_back(executor: PortableExecutor) -> None:
    data = os.urandom(1 << 20) * 24
    executor.send_variables({"data": data})
    assert executor("data").output == data


# --- what is said ------------------------------------------------------------------------------------------------------


def test_the_boundary_claims_nothing_here(executor: PortableExecutor) -> None:
    executor("1")
    boundary = executor.boundary()
    assert not boundary.isolated
    stands = {wall.name for wall in boundary.walls if wall.stands}
    assert stands == {"own process", "guard", "scrubbed environment", "limits"}
    assert {wall.name for wall in boundary.walls} - stands == {"files", "network", "processes", "job object"}


@pytest.mark.parametrize(
    ("reason", "standing"), [("", {"job object", "user interface"}), ("runs in a job itself", {"job object"})]
)
def test_in_a_job_the_job_stands_and_still_nothing_is_isolated(reason: str, standing: set[str]) -> None:
    walls = {wall.name: wall for wall in portable.read_walls(reason)}
    assert {name for name, wall in walls.items() if wall.stands} == standing
    assert not any("isolated" in wall.detail for wall in walls.values())
    assert reason in walls["user interface"].detail


def test_files_are_refused_by_name(executor: PortableExecutor) -> None:
    with pytest.raises(CapabilityError, match=r"accepts no files on this system; .* --in NAME"):
        executor.send_files([__file__])
    assert executor.files() == ()


@pytest.mark.slow
def test_the_disk_is_bounded_and_emptied() -> None:
    fill = "import time\nfor i in range(20):\n    with open(str(i), 'wb') as file: file.write(bytes(4 << 20))\ntime.sleep(600)"
    with PortableExecutor(timeout=300, guard=False, disk=16) as executor:
        with pytest.raises(LimitError, match="OSError: the code's folder holds more than 32 MB"):
            executor(fill)
        assert executor("import os\nos.listdir()").output == []


def test_the_environment_has_ten_names_at_the_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMROOT", r"D:\Win")
    made = child_environment.worker(tmp_path, tmp_path / "cache", "mark", windows=True)

    names = "HOME MPLBACKEND MPLCONFIGDIR SMOLCELL_TOKEN SystemRoot PATH USERPROFILE TEMP TMP"
    assert set(made) == set(names.split())
    assert (made["SystemRoot"], made["PATH"]) == (r"D:\Win", r"D:\Win\System32;D:\Win")


# --- the job, with a stand-in ------------------------------------------------------------------------------------------


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """What stands in for the job that is made."""
    made = Mock(unrestricted="")
    monkeypatch.setattr(portable, "new_job", Mock(return_value=made))
    monkeypatch.setattr(portable, "handle_of", lambda started: started.pid)
    return made


def test_the_worker_is_put_in_a_job_and_ends_by_it(job: Mock) -> None:
    with PortableExecutor(memory=512) as executor:
        assert executor("1 + 1").output == 2
        pid = executor._channel.pid
        assert executor.boundary().walls[-1].name == "user interface"
    portable.new_job.assert_called_once_with(512 << 20)
    job.take.assert_called_once_with(pid)
    assert job.end.called


def test_a_worker_that_cannot_be_put_in_its_job_is_ended_and_nothing_stays(job: Mock, temporary: Path) -> None:
    job.take.side_effect = portable.JobError(6, "AssignProcessToJobObject failed with Windows error 6")
    executor = PortableExecutor()
    with pytest.raises(SandboxError, match=r"did not start: .*AssignProcessToJobObject failed with Windows error 6"):
        executor("1")
    (pid,) = job.take.call_args.args
    assert job.end.called and not Path(f"/proc/{pid}").exists()
    assert list(temporary.iterdir()) == []


# --- folders -----------------------------------------------------------------------------------------------------------


def test_folders_of_dead_owners_are_swept_and_those_in_use_are_not(temporary: Path) -> None:
    dead, ended, used, made = (temporary / f"{portable.PREFIX}{name}" for name in ("dead", "ended", "used", "made"))
    for folder in (dead, ended, used, made):
        (folder / "work").mkdir(parents=True)
    (dead / portable.OWNER).touch()
    (ended / portable.ENDED).touch()
    elsewhere = temporary / "mine"
    elsewhere.mkdir()
    (elsewhere / portable.ENDED).touch()
    (temporary / f"{portable.PREFIX}link").symlink_to(elsewhere)

    with portable._hold(used / portable.OWNER):
        portable.sweep()
    assert {path.name for path in temporary.iterdir()} == {used.name, made.name, "mine", f"{portable.PREFIX}link"}
    assert (elsewhere / portable.ENDED).exists()


def test_nothing_is_left_when_a_sandbox_is_closed(temporary: Path) -> None:
    with PortableExecutor() as executor:
        executor("1")
        assert len(list(temporary.iterdir())) == 1
    assert list(temporary.iterdir()) == []


def test_its_pipes_are_closed_also_if_nothing_reads_to_their_end() -> None:
    transport = portable.PortableChannel(memory=512)
    process = transport._process
    assert process is not None and process.stdin is not None and process.stdout is not None
    transport.kill()
    assert process.stdin.closed and process.stdout.closed
    assert transport.receive() == b""


def test_a_folder_that_is_just_being_made_is_not_swept(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl", reason="nothing is locked on Windows, where no open file is renamed")
    folder = temporary / f"{portable.PREFIX}made"
    folder.mkdir()
    lock = fcntl.flock

    def swept_before(file: Any, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        portable.sweep()
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", swept_before)
    with portable._hold(folder / portable.OWNER):
        portable.sweep()
        assert [path.name for path in folder.iterdir()] == [portable.OWNER]


def test_it_can_be_given_no_single_hosts() -> None:
    with pytest.raises(SetupError, match="cannot limit connections to hosts"):
        PortableExecutor(allow_hosts=["example.org"])
