"""The way `local` goes on Windows, run on Linux: everything but the job object, through the same code."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance_list import listed

from smolcell.errors import CapabilityError, LimitError, SandboxDiedError, SandboxError, SetupError
from smolcell.executors import child_environment, portable
from smolcell.executors import portable as job
from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import Check, Trial, checks, run_check
from smolcell.worker.supervisor import portable as streams
from smolcell.worker.system import processes as process

posix = pytest.mark.skipif(os.name == "nt", reason="simulates Windows on Linux; not run on Windows")
pytestmark = posix


class PortableExecutor(LocalPythonExecutor):
    """As on Windows."""

    _portable = True
    carries = False


class UnguardedExecutor(PortableExecutor):
    """Without the guard, as for code that has broken it."""

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "guard": False}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of sandboxes are made, and swept, here."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def executor() -> Iterator[PortableExecutor]:
    with PortableExecutor(timeout=20) as executor:
        yield executor


@pytest.fixture
def unguarded() -> Iterator[UnguardedExecutor]:
    with UnguardedExecutor(timeout=20) as executor:
        yield executor


# --- the conformance list ----------------------------------------------------------------------------------------------

LEFT_OUT = {
    "interrupt_python": "on Linux a thread cannot end a sleep of the main thread; on Windows raise(SIGINT) can",
    "host_dies": "expects the folder gone at once; here the next start sees to it (below)",
    **dict.fromkeys(
        (
            "figures",
            "tables_shown",
            "results_are_bounded",
            "slow_tools",
            "time_in_sleep",
            "time_of_threads",
            "free_loop",
            "pace",
            "time_in_reprs",
        ),
        "takes seconds, and does not depend on how the worker is reached",
    ),
    **dict.fromkeys(
        (
            "checkpoint_after_a_limit",
            "checkpoint_after_an_error",
            "checkpoint_of_variables_and_files",
            "checkpoint_twice",
        ),
        "it declares checkpoints='replay'",
    ),
    **dict.fromkeys(("allowed_host", "no_hosts", "other_hosts"), "no wall keeps it from the network"),
    **dict.fromkeys(("time_in_python", "time_in_one_c_call"), "done below, in a Python stripped of POSIX"),
}


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    with Trial(PortableExecutor) as trial:
        yield trial


@pytest.mark.parametrize("check", listed(LEFT_OUT), ids=str)
@pytest.mark.slow
def test_it_keeps_what_every_sandbox_promises(trial: Trial, check: Check) -> None:
    outcome = run_check(trial, check)
    assert outcome.state == "passed", str(outcome)


def test_what_is_left_out_exists() -> None:
    assert set(LEFT_OUT) <= {str(check) for check in checks()}


# --- a system without fork, signals and polls --------------------------------------------------------------------------


def test_steps_limits_and_a_kill_need_nothing_that_windows_lacks(tmp_path: Path) -> None:
    program = Path(__file__).with_name("without_posix.py")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}

    done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=120)

    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert "stdout='said\\n'" in lines[0]
    assert "result='21'" in lines[0]
    assert "its variables are kept" in lines[1]
    assert lines[2] == "40"
    assert "its process was killed" in lines[3]
    assert lines[4:] == ["False", "[]"]


@pytest.mark.slow
def test_every_module_is_imported_without_what_windows_lacks() -> None:
    program = Path(__file__).with_name("without_posix.py")

    done = subprocess.run([sys.executable, str(program), "modules"], capture_output=True, text=True, timeout=120)

    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    imported, _, all_of_them = line.partition(" of ")
    assert imported == all_of_them
    assert int(imported) > 150


# --- limits and ends ---------------------------------------------------------------------------------------------------


def test_a_blocked_tool_is_interrupted(executor: PortableExecutor) -> None:
    entered, leave = threading.Event(), threading.Event()

    def wait() -> None:
        entered.set()
        leave.wait(30)

    executor.send_tools({"wait": wait})
    executor("kept = 3")
    stopper = threading.Thread(target=lambda: (entered.wait(20), executor.interrupt(), leave.set()))
    stopper.start()
    with pytest.raises(Exception, match="the step was interrupted; its variables are kept"):
        executor("wait()\nwhile True: pass")
    stopper.join()

    assert executor("kept").output == 3


def test_a_worker_that_ends_is_a_named_error_and_the_next_step_runs(unguarded: UnguardedExecutor) -> None:
    with pytest.raises(SandboxError, match="exit code 7"):
        unguarded("import os\nprint('last words', flush=True)\nos._exit(7)")

    assert unguarded("1 + 1").output == 2


def test_what_was_printed_before_the_end_of_a_step_belongs_to_it(unguarded: UnguardedExecutor) -> None:
    for number in range(100):
        told = unguarded(f"import os\nos.write(1, b'x' * 5000 + b'{number}')\nNone")
        assert told.stdout == "x" * 5000 + str(number)


def test_bytes_like_a_mark_are_printed_text(unguarded: UnguardedExecutor) -> None:
    text = (streams.MARK + b"0123456789abcdef").decode()

    assert unguarded(f"print({text!r}, end='')").stdout == text
    assert unguarded(f"print({streams.MARK.decode()!r}, end='')").stdout == streams.MARK.decode()


def test_garbage_on_the_link_ends_the_runner_by_name(unguarded: UnguardedExecutor) -> None:
    code = (
        "import os, time\n"
        "for number in range(3, 64):\n"
        "    try:\n        os.write(number, b'\\xff' * 100)\n    except OSError:\n        pass\n"
        "time.sleep(60)"
    )
    started = time.monotonic()
    with pytest.raises(SandboxError, match="the sandbox's process ended during the step"):
        unguarded(code)

    assert time.monotonic() - started < 15
    assert unguarded("1 + 1").output == 2


def test_a_record_without_the_nonce_is_counted_and_dropped(unguarded: UnguardedExecutor) -> None:
    code = (
        "import os, struct\n"
        "record = struct.pack('>I', 40) + bytes(40)\n"
        "for number in range(3, 64):\n"
        "    try:\n        os.write(number, record)\n    except OSError:\n        pass\n"
        "print('went on')"
    )
    assert unguarded(code).stdout == "went on\n\n[smolcell: forged frame refused (1 in this step)]\n"


def test_the_death_of_the_supervisor_is_a_named_error(executor: PortableExecutor) -> None:
    executor("1")
    executor._channel._process.kill()  # type: ignore[union-attr]

    with pytest.raises(SandboxDiedError, match="signal 9"):
        for _ in range(200):
            executor("1")
            time.sleep(0.01)

    assert executor("2").output == 2


def test_nothing_runs_on_when_the_host_is_killed_and_the_next_start_removes_its_folder(temporary: Path) -> None:
    program = (
        "import os, tempfile\n"
        "from smolcell.executors.local import LocalPythonExecutor\n"
        "executor = LocalPythonExecutor()\n"
        "executor._portable = True\n"
        "executor('1')\n"
        "print(executor._channel._token, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    token = done.stdout.strip()
    assert token, done.stderr

    end = time.monotonic() + 20
    while process.find_tree(0, token=token) and time.monotonic() < end:
        time.sleep(0.05)
    assert process.find_tree(0, token=token) == set()
    assert len(list(temporary.iterdir())) == 1
    portable.sweep()
    assert list(temporary.iterdir()) == []


def test_a_large_value_goes_in_and_comes_back(executor: PortableExecutor) -> None:
    data = os.urandom(1 << 20) * 24
    executor.send_variables({"data": data})

    assert executor("data").output == data


# --- what is said ------------------------------------------------------------------------------------------------------


def test_the_boundary_claims_nothing_here(executor: PortableExecutor) -> None:
    executor("1")
    boundary = executor.boundary()

    assert not boundary.isolated
    stands = {wall.name: wall.stands for wall in boundary.walls}
    assert stands == {
        "own process": True,
        "guard": True,
        "scrubbed environment": True,
        "limits": True,
        "files": False,
        "network": False,
        "processes": False,
        "job object": False,
    }


def test_in_a_job_the_job_stands_and_still_nothing_is_isolated() -> None:
    for reason in ("", "the notebook itself runs in a job"):
        walls = {wall.name: wall for wall in portable.read_walls(reason)}
        assert {name for name, wall in walls.items() if wall.stands} == {"job object"} | (
            {"user interface"} if not reason else set()
        )
        assert not any("isolated" in wall.detail for wall in walls.values())
    assert walls["user interface"].detail == "the notebook itself runs in a job"


def test_files_are_refused_by_name(executor: PortableExecutor) -> None:
    with pytest.raises(
        CapabilityError,
        match=r"accepts no files on this system; read them in the notebook and send variables: --in NAME",
    ):
        executor.send_files([__file__])
    assert executor.files() == ()


def test_the_disk_is_bounded_and_emptied() -> None:
    class Bounded(UnguardedExecutor):
        def _options(self) -> dict[str, Any]:
            return {**super()._options(), "disk": 16}

    with Bounded(timeout=20) as executor:
        with pytest.raises(LimitError, match="OSError: the code's folder holds more than 32 MB"):
            executor(
                "import time\ntime.sleep(0.4)\n"  # nobody looks in the sandbox's first quarter of a second
                "for i in range(20):\n    with open(str(i), 'wb') as file: file.write(bytes(4 << 20))"
            )
        assert executor("import os\nos.listdir()").output == []


def test_the_environment_has_ten_names_at_the_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMROOT", r"D:\Win")
    made = child_environment.worker(tmp_path, tmp_path / "cache", "mark", windows=True)

    assert set(made) == {
        *("HOME", "MPLBACKEND", "MPLCONFIGDIR", "SMOLCELL_TOKEN", "SystemRoot", "PATH", "USERPROFILE", "TEMP", "TMP")
    }
    assert (made["SystemRoot"], made["PATH"]) == (r"D:\Win", r"D:\Win\System32;D:\Win")


# --- the job, with a stand-in ------------------------------------------------------------------------------------------


class RecordedJob:
    """Stands in for a job; ``failure`` is raised when a process is put in."""

    made: list["RecordedJob"]
    failure: OSError | None = None
    unrestricted = ""

    def __init__(self, memory: int, processes: int) -> None:
        self.limits, self.taken, self.ended = (memory, processes), [], 0  # type: ignore[var-annotated]
        self.made.append(self)

    def take(self, process: int) -> None:
        self.taken.append(process)
        if self.failure is not None:
            raise self.failure

    def end(self) -> None:
        self.ended += 1


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[RecordedJob]:
    RecordedJob.made = []
    monkeypatch.setattr(portable, "new_job", lambda memory: RecordedJob(memory, portable.PROCESSES))
    monkeypatch.setattr(portable, "handle_of", lambda started: started.pid)
    return RecordedJob.made


def test_the_worker_is_put_in_a_job_and_ends_by_it(jobs: list[RecordedJob]) -> None:
    with PortableExecutor(memory=512) as executor:
        assert executor("1 + 1").output == 2
        pid = executor._channel.pid
        assert executor.boundary().walls[-1].name == "user interface"

    assert [(made.limits, made.taken) for made in jobs] == [((512 << 20, 2), [pid])]
    assert jobs[0].ended >= 1


def test_a_worker_that_cannot_be_put_in_its_job_is_ended_and_nothing_stays(
    jobs: list[RecordedJob], temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordedJob, "failure", job.JobError(6, "AssignProcessToJobObject failed with Windows error 6"))
    executor = PortableExecutor()

    with pytest.raises(SandboxError, match=r"did not start: .*AssignProcessToJobObject failed with Windows error 6"):
        executor("1")

    (pid,) = jobs[0].taken
    assert jobs[0].ended >= 1
    assert not Path(f"/proc/{pid}").exists()
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
