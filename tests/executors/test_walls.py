"""Code that is past the guard meets the walls, in each situation that a person may be in."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from processes import below, eventually, living

from smolcell.events import Opened
from smolcell.notebook.commands import _session
from smolcell.views.terminal_render import lines
from smolcell.worker.supervisor import PROCESSES_LEFT
from smolcell.worker.system import jail

SITUATIONS = ("root", "user", "refused", "docker")
NEEDS_ROOT = "needs root: this situation is root itself, with or without namespaces"
IS_LINUX = sys.platform == "linux"

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="the walls are Linux's")


class Situation:
    """A process that runs code in one situation."""

    def __init__(self, name: str, home: Path) -> None:
        self.name, self.home = name, home
        home.mkdir()
        path = Path(__file__).parent
        self._process = subprocess.Popen(
            [sys.executable, str(path / "situation.py"), name, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": "/tmp", "PYTHONPATH": os.pathsep.join([str(path), *sys.path])},
        )

    def __call__(self, code: str, **request: Any) -> dict[str, Any]:
        """Run code; what came of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, **request}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"the situation {self.name} ended with {self._process.wait(10)}"
        found: dict[str, Any] = json.loads(answer)
        return found

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def open_situation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Situation]]:
    """Situations by name, each started once."""
    known: dict[str, Situation] = {}

    def opener(name: str) -> Situation:
        if os.geteuid() != 0 and name in ("root", "docker"):
            pytest.skip(NEEDS_ROOT)
        if name not in known:
            home = Path("/tmp") / f"smolcell-test-{os.getpid()}-{name}"  # where others may go, too
            known[name] = Situation(name, home)
        return known[name]

    yield opener
    for situation in known.values():
        situation.close()
        subprocess.run(["rm", "-rf", str(situation.home)], check=True)


@pytest.fixture(params=["root", "refused"])
def extreme(request: pytest.FixtureRequest, open_situation: Callable[[str], Situation]) -> Situation:
    """With every wall, and with the fewest."""
    if os.geteuid() != 0 and request.param == "root":
        return open_situation("user")
    return open_situation(request.param)


@pytest.fixture(params=SITUATIONS)
def situation(request: pytest.FixtureRequest, open_situation: Callable[[str], Situation]) -> Situation:
    return open_situation(request.param)


def attempt(*lines: str) -> str:
    """A program whose value says what came of each line: its value's repr, or the error's name."""
    return (
        "import os, sys, socket, signal, ctypes, errno\n"
        "def attempt(line):\n"
        "    try:\n"
        "        return repr(eval(line))\n"
        "    except BaseException as error:\n"
        "        return type(error).__name__\n"
        f"[attempt(line) for line in {list(lines)!r}]"
    )


REFUSED = {"PermissionError", "FileNotFoundError", "NotADirectoryError", "ProcessLookupError", "OSError"}


def refused(situation: Situation, *lines: str) -> None:
    outcome = situation(attempt(*lines))
    assert outcome["error"] is None, outcome
    got = dict(zip(lines, outcome["output"], strict=True))
    assert {line: came for line, came in got.items() if came not in REFUSED} == {}


# --- what stands ---


def test_the_walls_that_must_stand_here_do(situation: Situation) -> None:
    outcome = situation("1")
    walls, report = outcome["walls"], outcome["report"]
    assert outcome["isolated"]
    for name in ("files", "network", "processes", "system calls", "rights"):
        assert walls[name], report
    assert (report["namespaces"] == "") is (situation.name in ("root", "user"))
    assert (report["identity"] == "") is (situation.name in ("root", "docker"))


def test_libraries_work_inside(situation: Situation) -> None:
    code = """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot, numpy, pandas, threading, subprocess, tempfile, shutil, zoneinfo, datetime, os, asyncio
figure = matplotlib.pyplot.figure(); figure.gca().plot([1, 2]); figure.savefig("a.png")
pandas.DataFrame({"a": [1]}).to_csv("a.csv")
with tempfile.NamedTemporaryFile() as file: shutil.copy2("a.csv", file.name)
thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
await asyncio.sleep(0.01)
zone = datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset().seconds
os.mkdir("d"); os.rename("a.csv", "d/b.csv")
numpy.arange(6).reshape(2, 3).sum(axis=0)
sorted(os.listdir(".")), float(numpy.ones((500, 500)).dot(numpy.ones(500))[0]), zone
"""
    outcome = situation(code, memory=2048, fresh=True)
    assert outcome["error"] is None, outcome
    assert outcome["output"] == [["a.png", "d"], 500.0, 7200]


def test_processes_can_be_started(situation: Situation) -> None:
    code = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'print(42)'], capture_output=True).stdout.decode()"
    outcome = situation(code)
    assert (outcome["output"], outcome["processes"]) == ("42\n", True)


# --- files ---


def test_no_file_of_the_host_can_be_read(situation: Situation) -> None:
    secret = situation.home / "id_rsa"
    secret.write_text("key")
    secret.chmod(0o644)
    refused(
        situation,
        f"open({str(secret)!r}).read()",
        f"os.listdir({str(situation.home)!r})",
        "open('/etc/passwd').read()",
        "open('/etc/shadow').read()",
        "os.listdir('/root/.ssh')",
        "os.listdir('/home')",
        "os.listdir('/var')",
        "open('../worker.zip', 'rb').read()",
        f"open('/proc/{os.getpid()}/environ').read()",
        f"os.listdir('/proc/{os.getpid()}/fd')",
        f"open('/proc/{situation.pid}/environ').read()",
        f"open('/proc/{situation.pid}/mem', 'rb')",
        "open('/proc/1/environ').read()",
        "open('/dev/mem')",
        "open('/dev/vda')",
        "open('/dev/kmsg')",
        f"os.readlink('/proc/{os.getppid()}/root')",
        "os.open('/proc/1/root/etc/passwd', 0)",
        "os.link('/etc/passwd', 'x')",
    )
    refused(situation, "os.symlink('/etc/passwd', 'link') or open('link').read()")


def test_no_configuration_below_usr_can_be_read(situation: Situation) -> None:
    """Where npm, pip and Jupyter keep settings of the machine, with keys."""
    folders = ["/usr/etc", "/usr/local/etc", "/usr/local/var"]
    hidden = [path for folder in folders if Path(folder).is_dir() for path in Path(folder).iterdir()]
    files = [str(path) for path in hidden if path.is_file() and path.name not in jail.SETTINGS]
    refused(situation, *(f"os.listdir({path!r})" for path in folders), *(f"open({path!r}).read()" for path in files))
    kept = situation("import os\n[bool(os.listdir(path)) for path in ('/usr/bin', '/usr/lib', '/usr/share')]")
    assert kept["output"] == [True, True, True]


def test_nothing_outside_its_folder_can_be_written(situation: Situation) -> None:
    target = situation.home / "kept"
    target.write_text("kept")
    target.chmod(0o666)
    situation.home.chmod(0o777)
    before = target.stat()
    refused(
        situation,
        f"open({str(target)!r}, 'w')",
        f"open({str(target.with_name('new'))!r}, 'w')",
        f"os.truncate({str(target)!r}, 0)",
        f"os.unlink({str(target)!r})",
        f"os.rename({str(target)!r}, 'x')",
        f"os.mkfifo({str(target.with_name('fifo'))!r})",
        "open('/usr/lib/x', 'w')",
        "open(os.__file__, 'a')",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "open('/proc/self/oom_score_adj', 'w').write('-1000')",
        "open('/proc/self/uid_map', 'w').write('0 0 1')",
        "open('/sys/devices/system/cpu/online', 'w')",
        "os.mknod('null', 0o20666, os.makedev(1, 3))",
    )
    situation(attempt(f"os.chmod({str(target)!r}, 0)", f"os.utime({str(target)!r}, (0, 0))"))
    after = target.stat()
    assert (after.st_mode, after.st_mtime, after.st_size) == (before.st_mode, before.st_mtime, before.st_size)


@pytest.mark.parametrize("name", ["root", "user"])
def test_every_mount_but_its_own_is_read_only(open_situation: Callable[[str], Situation], name: str) -> None:
    outcome = open_situation(name)("[line.split()[4:6] for line in open('/proc/self/mountinfo')]")
    own = {outcome["folder"] + "/work", outcome["folder"] + "/cache", "/tmp", "/dev/shm"}
    devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
    written = {path for path, options in outcome["output"] if "ro" not in options.split(",")}
    assert written == own | devices
    shown = {path for path, _ in outcome["output"]}
    assert "/" in shown
    assert {"/usr", "/usr/lib"} & shown  # the whole, or its parts but for its configuration


# --- network ---


def test_nothing_of_the_network_can_be_reached(situation: Situation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as named:
        port = server.getsockname()[1]
        path = situation.home / "daemon.sock"
        path.unlink(missing_ok=True)
        named.bind(str(path))
        named.listen()
        path.chmod(0o777)
        refused(
            situation,
            f"socket.create_connection(('127.0.0.1', {port}), 1)",
            f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
            "socket.socket(socket.AF_INET6)",
            "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
            "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
            "socket.socket(socket.AF_VSOCK)",
            f"socket.socket(socket.AF_UNIX).connect({str(path)!r})",
        )
        for listener in (server, named):
            listener.settimeout(0.1)
            with pytest.raises(TimeoutError):
                listener.accept()


# --- processes and the kernel ---

CALL = "(lambda r: r if r >= 0 else (_ for _ in ()).throw(OSError(ctypes.get_errno(), '')))(ctypes.CDLL(None, use_errno=True).syscall({}))"


def test_no_other_process_can_be_reached(situation: Situation) -> None:
    with subprocess.Popen(["/bin/sleep", "60"], user=victim_of(situation)) as victim:
        supervisor = situation("1")["pid"]
        refused(
            situation,
            f"os.kill({victim.pid}, signal.SIGKILL)",
            f"os.kill({supervisor}, signal.SIGSTOP)",
            f"os.kill({situation.pid}, 0)",
            f"os.pidfd_open({victim.pid}) and signal.pidfd_send_signal(os.pidfd_open({victim.pid}), 9)",
            f"__import__('resource').prlimit({victim.pid}, 0, (0, 0))",
            f"os.sched_setaffinity({victim.pid}, [0])",
            f"os.setpriority(os.PRIO_PROCESS, {victim.pid}, 19)",
            CALL.format(f"101, 16, {victim.pid}, 0, 0"),  # ptrace
            CALL.format(f"310, {victim.pid}, 0, 0, 0, 0, 0"),  # process_vm_readv
        )
        situation(attempt("os.kill(-1, 0)"))
        assert victim.poll() is None
        assert living({supervisor, situation.pid}) == {supervisor, situation.pid}
        victim.kill()


def victim_of(situation: Situation) -> int | None:
    """The user whose processes the situation's own could reach, were there no wall."""
    return 64_321 if os.geteuid() == 0 and situation.name in ("user", "refused") else None


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
def test_the_kernels_wide_doors_are_shut(situation: Situation) -> None:
    numbers = {
        "unshare(NEWUSER)": "272, 0x10000000",
        "setns": "308, 0, 0",
        "mount": "165, 0, 0, 0, 0, 0",
        "clone(NEWUSER)": "56, 0x10000011, 0, 0, 0, 0",
        "clone3": "435, 0, 0",
        "bpf": "321, 0, 0, 0",
        "io_uring_setup": "425, 1, 0",
        "userfaultfd": "323, 0",
        "perf_event_open": "298, 0, 0, -1, -1, 0",
        "keyctl": "250, 0, 0",
        "memfd_create": "319, b'x', 0",
        "shmget": "29, 0, 4096, 0o1600",
        "msgget": "68, 0, 0o1600",
        "mq_open": "240, b'x', 0o102, 0o600, 0",
        "TIOCSTI": "16, 0, 0x5412, b'x'",
        "personality": "135, 0x40000",
        "chroot": "161, b'/'",
        "not yet": "1000",
    }
    refused(situation, *(CALL.format(arguments) for arguments in numbers.values()))


def test_limits_cannot_be_raised_and_rights_not_regained(situation: Situation) -> None:
    outcome = situation(
        attempt(
            "__import__('resource').setrlimit(7, (100000, 100000))",
            "__import__('resource').setrlimit(2, (-1, -1))",
            "os.setuid(0)",
            "os.setgid(0)",
            "[line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))]",
        )
    )
    *errors, status = outcome["output"]
    assert set(errors) <= {"ValueError", "PermissionError", "OSError"}
    assert status == repr(["CapPrm:\t" + "0" * 16 + "\n", "CapEff:\t" + "0" * 16 + "\n", "NoNewPrivs:\t1\n"])


def test_only_the_sandboxs_processes_are_seen(situation: Situation) -> None:
    seen = situation("import os\n[int(n) for n in os.listdir('/proc') if n.isdigit()]")
    if seen["report"]["namespaces"] == "":
        assert set(seen["output"]) == {1, 2}
    else:
        assert seen["error"]["type"] == "PermissionError"


# --- ends ---

ENDS = {
    "exit": "import os\nos._exit(0)",
    "fault": "import ctypes\nctypes.string_at(0)",
    "kills itself": "import os\nos.kill(os.getpid(), 9)",
    "kills all it can": "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\nos.kill(0, 9)",
    "closes": "import os\nos.closerange(0, 256)\nos.write(1, b'x')",
    "aborts": "import os\nos.abort()",
}


@pytest.mark.parametrize("name", ENDS)
def test_an_end_has_a_name_and_the_next_step_a_fresh_start(extreme: Situation, name: str) -> None:
    outcome = extreme("x = 1\n" + ENDS[name])
    if outcome["error"]["kind"] == "python":  # it could not even do that
        assert outcome["error"]["type"] in ("PermissionError", "OSError")
        return
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("sandbox", "SandboxDied")
    assert outcome["seconds"] < 10
    assert outcome["state_lost"]
    assert extreme("'x' in dir()")["output"] is False


def test_a_stopped_process_ends_at_its_limit(extreme: Situation) -> None:
    outcome = extreme("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", timeout=1)
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("limit", "TimeoutError")
    assert outcome["seconds"] < 15


BOMBS = {
    "forks": "import os\nwhile True:\n    os.fork()",
    "threads": "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()",
    "descriptors": "import os\nkept = []\nwhile True: kept.append(os.open('/dev/null', 0))",
    "one big file": "with open('big', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
    "memory": "kept = []\nwhile True: kept.append(bytearray(1 << 24))",
    "shared memory": "with open('/dev/shm/x', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_with_a_named_error(extreme: Situation, name: str) -> None:
    outcome = extreme(BOMBS[name], timeout=2)
    assert outcome["error"] is not None
    assert outcome["error"]["kind"] in ("limit", "python", "sandbox"), outcome
    assert outcome["seconds"] < 20
    after = extreme("1 + 1")
    assert after["output"] == 2, after


def test_a_fork_bomb_does_not_go_on_after_its_step(situation: Situation) -> None:
    situation("1", fresh=True, memory=2048)
    before = len(below(situation.pid))
    bomb = (
        "import os, time\nfirst = os.getpid()\ntry:\n    while True: os.fork()\n"
        "except OSError:\n    if os.getpid() != first: time.sleep(60)"  # a fork that ends by itself is not counted
    )
    outcome = situation(bomb, timeout=10)
    if outcome["error"] is None:  # else memory or time ended it
        ended = "processes that this step had started were ended"
        assert (
            ended in outcome["stdout"] or PROCESSES_LEFT in outcome["stdout"]
        )  # a busy machine ends them a moment later
    assert eventually(lambda: len(below(situation.pid)) <= before + 2, 20)
    assert situation("1 + 1")["output"] == 2


def test_a_few_processes_that_a_step_leaves_go_on(situation: Situation) -> None:
    code = "import subprocess\nkept = [subprocess.Popen(['sleep', '60']) for _ in range(8)]\nlen(kept)"
    started = situation(code, fresh=True)
    assert (started["output"], started["error"]) == (8, None)
    assert situation("[each.poll() for each in kept]")["output"] == [None] * 8
    situation("[each.kill() for each in kept]\n[each.wait() for each in kept]")


def test_a_full_folder_is_a_named_limit_and_is_emptied(extreme: Situation) -> None:
    code = "for i in range(1000):\n    with open(str(i), 'wb') as file: file.write(bytes(16 << 20))"
    outcome = extreme(code, fresh=True, disk=32)
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("limit", "OSError")
    assert "the code's folder holds more than 64 MB" in outcome["error"]["message"]
    assert extreme("import os\nos.listdir()")["output"] == []


def test_files_without_a_name_are_counted(extreme: Situation) -> None:
    code = """
import tempfile
kept = []
for _ in range(200):
    kept.append(tempfile.TemporaryFile())
    kept[-1].write(bytes(16 << 20))
    kept[-1].flush()
"""
    outcome = extreme(code, fresh=True, disk=32)
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("limit", "OSError")
    assert "the code's folder holds more than 64 MB" in outcome["error"]["message"]


def test_short_steps_do_not_add_up_to_a_full_folder(extreme: Situation) -> None:
    code = "import uuid\nwith open(uuid.uuid4().hex, 'wb') as file: file.write(bytes(16 << 20))"
    first = extreme(code, fresh=True, disk=32)
    outcomes = [extreme(code)["error"] for _ in range(20)]
    assert first["error"] is None
    assert "OSError" in [error["type"] for error in outcomes if error]


def test_steps_that_end_their_process_do_not_add_up_to_a_full_folder(extreme: Situation) -> None:
    code = "import os, uuid\nwith open(uuid.uuid4().hex, 'wb') as file: file.write(bytes(16 << 20))\nos._exit(0)"
    outcomes = [extreme(code, fresh=not number, disk=32)["error"] for number in range(10)]
    assert {error["type"] for error in outcomes} == {"SandboxDied", "OSError"}


def test_short_steps_do_not_add_up_in_files_without_names(extreme: Situation) -> None:
    code = "import tempfile\nkept.append(tempfile.TemporaryFile(dir='.'))\nkept[-1].write(bytes(16 << 20))"
    extreme("kept = []", fresh=True, disk=32)
    outcomes = [extreme(code)["error"] for _ in range(10)]
    assert "OSError" in [error["type"] for error in outcomes if error]


def test_too_many_files_are_gone_when_their_step_is(extreme: Situation) -> None:
    code = "i = 0\nwhile True:\n    open(str(i), 'w').close()\n    i += 1"
    outcome = extreme(code, fresh=True, timeout=4)
    assert outcome["error"]["kind"] == "limit"
    assert len(list(Path(outcome["folder"], "work").iterdir())) < 20_000


def test_memory_of_several_processes_is_counted_together(extreme: Situation) -> None:
    code = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        kept = bytearray(100 << 20)
        time.sleep(60)
time.sleep(30)
"""
    outcome = extreme(code, fresh=True, memory=128)
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("limit", "MemoryError")
    assert "took more than 448 MB" in outcome["error"]["message"]
    assert extreme("1 + 1", fresh=True)["output"] == 2


def test_a_daemon_does_not_outlive_the_step_that_is_killed(situation: Situation) -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", "61"], {})
    os._exit(0)
while True:
    try:
        while True: time.sleep(1)
    except BaseException: pass
"""
    supervisor = situation("1", fresh=True)["pid"]
    assert situation(code, timeout=1)["error"]["kind"] == "limit"
    assert situation("1 + 1")["output"] == 2
    assert [pid for pid in below(supervisor) if (Path("/proc") / str(pid) / "comm").read_text() == "sleep\n"] == []


# --- where no wall stands ---


def test_without_walls_the_word_is_not_used(make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    executor = make()
    options = executor._options
    off = ["namespaces", "landlock", "seccomp", "identity", "privileges"]
    monkeypatch.setattr(executor, "_options", lambda: {**options(), "jail": {**options()["jail"], "without": off}})
    executor("1")
    boundary = executor.boundary()
    assert not boundary.isolated
    memory = SimpleNamespace(tasks=(), steps=())
    agent = SimpleNamespace(executor=executor, memory=memory, journal=SimpleNamespace(path="journal"))
    session = SimpleNamespace(name="default", running=False, agent=agent, allowed=())
    told = "\n".join([*(line.text for line in lines(Opened(run="r", boundary=boundary))), *_session(session)])  # type: ignore[arg-type]
    said = [wall.detail for wall in boundary.walls]
    assert told.count("missing: files: the code runs as a process that could read what you can") == 2
    assert not [text for text in (told, *said) if "isolated" in text.lower()]
