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
from examples import quick
from local_parts import PROGRAMS, LocalInTests, programs
from processes import below, bystander, eventually, living, sleeping

from smolcell.events import Opened
from smolcell.notebook.commands import _session
from smolcell.views.terminal_render import lines
from smolcell.worker.supervisor import PROCESSES_LEFT
from smolcell.worker.supervisor.limits import LEFT_ENDED
from smolcell.worker.system import jail, processes

SITUATIONS = ("root", "user", "refused", "docker")
IN_ONE = pytest.mark.parametrize("situation", quick(SITUATIONS, "user"), indirect=True)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")


class Situation:
    """A process that runs code in one situation."""

    def __init__(self, name: str, home: Path, python: str = sys.executable, **variables: str) -> None:
        self.name, self.home = name, home
        home.mkdir(exist_ok=True)
        path = Path(__file__).parent
        variables = {"TMPDIR": "/tmp", "PYTHONPATH": os.pathsep.join([str(path), *sys.path]), **variables}
        self._process = subprocess.Popen(
            [python, str(path / "situation.py"), name, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )

    def __call__(self, code: str, **request: Any) -> dict[str, Any]:
        """Run code; what came of it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, **request}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"the situation {self.name} ended with {self._process.wait()}"
        found: dict[str, Any] = json.loads(answer)
        return found

    @property
    def pid(self) -> int:
        return self._process.pid

    def path(self, *parts: str) -> Path:
        """A path as this situation sees it, which may have a /tmp of its own."""
        return Path(f"/proc/{self.pid}/root", *(part.lstrip("/") for part in parts))

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def open_situation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Situation]]:
    """Situations by name, each started once."""
    known: dict[str, Situation] = {}

    def opener(name: str) -> Situation:
        if os.geteuid() != 0 and name in ("root", "docker"):
            pytest.skip("needs root: this situation is root itself, with or without namespaces")
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


ATTEMPT = """
import os, sys, socket, signal, ctypes, errno, fcntl, struct, subprocess
from socket import SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_NONBLOCK, SOCK_CLOEXEC
kept = []
def call(*numbers):
    found = ctypes.CDLL(None, use_errno=True).syscall(*(ctypes.c_long(n) if isinstance(n, int) else n for n in numbers))
    if found < 0: raise OSError(ctypes.get_errno(), '')
    return found
def pair(kind, protocol=0, family=socket.AF_UNIX):
    ends = (ctypes.c_int * 2)()
    if ctypes.CDLL(None, use_errno=True).socketpair(family, kind, protocol, ends): raise OSError(ctypes.get_errno(), '')
    kept.extend(map(socket.socket, (-1,) * 2, (-1,) * 2, (-1,) * 2, ends))
    return kept[-2]
def other_table(code):
    program = f"import ctypes, mmap; m = mmap.mmap(-1, 4096, prot=7); m.write(bytes.fromhex('53{code}5bc3'))"
    program += "; print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if done.returncode < 0: raise OSError
    return done.stdout
def own(command, owner):
    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
    try: fcntl.fcntl(read, fcntl.F_SETSIG, signal.SIGKILL)
    except OSError: pass
    if isinstance(owner, int): call({"x86_64": 72, "aarch64": 25}[os.uname().machine], read, command, owner)
    else: fcntl.fcntl(read, command, owner)
    return os.write(write, b"x")
def attempt(line):
    try:
        return repr(eval(line))
    except BaseException as error:
        return type(error).__name__
[attempt(line) for line in {}]
"""
"""A program whose value says what came of each line: its value's repr, or the error's name."""
ATTACKS = {title: text.split("\n") for title, text in programs("attacks.txt").items()}
REFUSED = {"PermissionError", "FileNotFoundError", "NotADirectoryError", "ProcessLookupError", "OSError"}


def attempt(situation: Situation, *lines: str) -> dict[str, Any]:
    return situation(ATTEMPT.replace("{}", repr(list(lines))))


def refused(situation: Situation, lines: list[str], **words: Any) -> None:
    lines = [line.format(**words) for line in lines]
    outcome = attempt(situation, *lines)
    assert outcome["error"] is None, outcome
    got = dict(zip(lines, outcome["output"], strict=True))
    assert {line: came for line, came in got.items() if came not in REFUSED} == {}


# --- what stands ---


def test_the_walls_that_must_stand_here_do(situation: Situation) -> None:
    outcome = situation("1")
    walls, report = outcome["walls"], outcome["report"]
    assert outcome["isolated"] and not situation.path(outcome["folder"], "worker.zip").exists()
    for name in ("files", "network", "processes", "system calls", "rights"):
        assert walls[name], report
    assert (report["namespaces"] == "") is (situation.name in ("root", "user"))
    assert (report["identity"] == "") is (situation.name in ("root", "docker"))


@IN_ONE
def test_libraries_work_inside(situation: Situation) -> None:
    outcome = situation(PROGRAMS["libraries behind walls"], memory=2048, fresh=True)
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
    words = {"host": os.getpid(), "parent": os.getppid(), "pid": situation.pid}
    refused(situation, ATTACKS["read"], secret=str(secret), home=str(situation.home), **words)


def test_no_configuration_below_usr_can_be_read(situation: Situation) -> None:
    """Where npm, pip and Jupyter keep settings of the machine, with keys."""
    folders = ["/usr/etc", "/usr/local/etc", "/usr/local/var"]
    hidden = [path for folder in folders if Path(folder).is_dir() for path in Path(folder).iterdir()]
    files = [str(path) for path in hidden if path.is_file() and path.name not in jail.SETTINGS]
    refused(situation, [f"os.listdir({path!r})" for path in folders] + [f"open({path!r}).read()" for path in files])
    kept = situation("import os\n[bool(os.listdir(path)) for path in ('/usr/bin', '/usr/lib', '/usr/share')]")
    assert kept["output"] == [True, True, True]


CANARY = "canary-7d1f"
CONFIGURATION = {title: text.split("\n") for title, text in programs("configuration.txt").items()}
PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
FIND = """
import os
def find(top, word):
    for folder, _, names in os.walk(top, followlinks=True):
        for path in (os.path.join(folder, name) for name in names):
            try:
                with open(path, 'rb') as file: found = word in file.read()
            except OSError: continue
            if found: yield path
sorted(path for top in {} for path in find(top, {}))
"""


def plant(prefix: Path) -> dict[str, list[str]]:
    """Write what tools read below a prefix, with a canary in it: paths by title."""
    planted = {
        title: [str(prefix / name.format(python=PYTHON)) for name in names] for title, names in CONFIGURATION.items()
    }
    for title, path in ((title, Path(path)) for title, paths in planted.items() for path in paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" if title == "shown" else CANARY)
        path.chmod(0o755)
    return planted


@pytest.fixture
def planted(request: pytest.FixtureRequest) -> Iterator[tuple[Situation, dict[str, list[str]]]]:
    """A situation whose Python is that of a virtual environment in a home folder, with another user's packages; both hold canaries."""
    if os.geteuid() != 0 and request.param in ("root", "docker"):
        pytest.skip("needs root: this situation is root itself, with or without namespaces")
    home = (
        Path("/var/tmp") / f"smolcell-test-{os.getpid()}-{request.param}"
    )  # not in /tmp, which the code has one of its own of
    prefix, user = home / "env", home / ".local"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(prefix)], check=True)
    paths = plant(prefix)
    for title, found in plant(user).items():
        paths[title] += [] if title == "shown" else found
    opened = Situation(request.param, home, str(prefix / "bin" / "python"), PYTHONUSERBASE=str(user))
    yield opened, paths
    opened.close()
    subprocess.run(["rm", "-rf", str(home)], check=True)


@pytest.mark.parametrize("planted", quick(SITUATIONS, "user", "refused"), indirect=True)
@pytest.mark.parametrize("without", [[], ["landlock"]], ids=["", "without Landlock"])
def test_no_configuration_beside_pythons_installation_can_be_read(
    planted: tuple[Situation, dict[str, list[str]]], without: list[str]
) -> None:
    situation, paths = planted
    if without and situation.name in ("refused", "docker"):
        return  # then nothing keeps files from being read, and the card says so
    assert situation("1", fresh=True, without=without)["walls"]["files"]
    shown = [*paths.pop("shown"), str(situation.home / "env" / "pyvenv.cfg")]
    secret = [path for found in paths.values() for path in found]
    folders = {str(Path(path).parent) for path in secret if "/jupyter/" in path or "/conda/" in path}
    refused(situation, [f"open({path!r}).read()" for path in secret] + [f"os.listdir({path!r})" for path in folders])
    refused(situation, [f"open({path.replace('/lib/', '/lib64/')!r}).read()" for path in secret if "/env/lib/" in path])
    read = attempt(situation, *(f"bool(open({path!r}).read())" for path in shown))["output"]
    assert {path for path, came in zip(shown, read, strict=True) if came != "True"} == set()
    tops = [f"{situation.home}/env{part}" for part in ("", "/bin", "/lib", "/share", "/lib/R/etc", "/share/jupyter")]
    assert situation(FIND.format([*tops, str(situation.home)], CANARY.encode()))["output"] == []
    imported = situation("import wheel_of_ours, setuptools, subprocess, sys\nsubprocess.run(['tool']).returncode")
    assert (imported["error"], imported["output"]) == (None, 0)


@pytest.mark.parametrize("planted", quick(SITUATIONS, "user", "refused"), indirect=True)
def test_configuration_that_is_replaced_while_the_sandbox_runs_stays_hidden(
    planted: tuple[Situation, dict[str, list[str]]],
) -> None:
    """An editor writes a file anew and renames it: the new one is another file."""
    situation, paths = planted
    situation("1")
    for name in paths["activation"][:3] + paths["Jupyter"][-5:]:
        path = situation.path(name)
        path.with_name("new").write_text(CANARY)
        path.with_name("new").replace(path)
    refused(
        situation, [f"open({path!r}).read()" for found in (paths["activation"], paths["Jupyter"]) for path in found]
    )


def test_nothing_outside_its_folder_can_be_written(situation: Situation) -> None:
    target = situation.home / "kept"
    target.write_text("kept")
    target.chmod(0o666)
    situation.home.chmod(0o777)
    before = target.stat()
    refused(situation, ATTACKS["write"], target=str(target), home=str(situation.home))
    attempt(situation, f"os.chmod({str(target)!r}, 0)", f"os.utime({str(target)!r}, (0, 0))")
    after = target.stat()
    assert (after.st_mode, after.st_mtime, after.st_size) == (before.st_mode, before.st_mtime, before.st_size)


@pytest.mark.parametrize("situation", ["root", "refused", "docker"], indirect=True)  # a user's has its own /tmp
def test_the_sandboxs_folder_cannot_be_written_above_the_work_folder(situation: Situation) -> None:
    refused(situation, ATTACKS["write above the work folder"])
    left = {path.name for path in situation.path(situation("1")["folder"]).iterdir()}
    assert not {"stderr", "worker.zip", "x"} & left


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
        refused(situation, ATTACKS["connect"], port=port, path=str(path))
        for listener in (server, named):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.accept()


def test_no_pair_of_sockets_reaches_a_named_one(situation: Situation) -> None:
    path = situation.home / "datagrams.sock"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as named:
        named.bind(str(path))
        path.chmod(0o777)
        refused(situation, ATTACKS["connect by a pair of sockets"], path=str(path))
        named.setblocking(False)
        with pytest.raises(BlockingIOError):
            named.recv(1)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
def test_no_other_system_call_yields_a_socket(situation: Situation) -> None:
    assert attempt(situation, "other_table('b8270000000f05') != ''")["output"] == ["True"]  # getpid of this table
    refused(situation, ATTACKS["sockets, with the numbers of x86_64"])


def test_event_loops_pipes_and_tls_work_behind_walls(situation: Situation) -> None:
    outcome = situation(PROGRAMS["event loops, pipes and TLS"])
    assert (outcome["error"], outcome["output"]) == (None, ["78", 2, True, "SOCK_SEQPACKET"])


# --- processes and the kernel ---


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: without a wall, the code runs as the victim's user")
@pytest.mark.parametrize("line", ATTACKS["signal by a descriptor"])
def test_no_descriptor_signals_another_process(line: str) -> None:
    """Without a process namespace and Landlock's scope, as the same user."""
    walls = ["namespaces", "landlock", "identity"]
    with bystander(start_new_session=True) as victim, LocalInTests(guard=False, without=walls) as executor:
        words = {"victim": victim.pid, "group": victim.pid}
        outcome = executor(ATTEMPT.replace("{}", repr([line.format(**words)]))).output
        assert (outcome, victim.poll()) == (["PermissionError"], None)


def test_no_other_process_can_be_reached(situation: Situation) -> None:
    with bystander(user=victim_of(situation)) as victim:
        supervisor = situation("1")["pid"]
        refused(situation, ATTACKS["reach"], victim=victim.pid, supervisor=supervisor, pid=situation.pid)
        attempt(situation, "os.kill(-1, 0)")
        assert victim.poll() is None
        assert living({supervisor, situation.pid}) == {supervisor, situation.pid}


def victim_of(situation: Situation) -> int | None:
    """The user whose processes the situation's own could reach, were there no wall."""
    return 64_321 if os.geteuid() == 0 and situation.name in ("user", "refused") else None


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
def test_the_kernels_wide_doors_are_shut(situation: Situation) -> None:
    refused(situation, ATTACKS["kernel, with the numbers of x86_64"])


def test_limits_cannot_be_raised_and_rights_not_regained(situation: Situation) -> None:
    outcome = attempt(
        situation,
        "__import__('resource').setrlimit(7, (100000, 100000))",
        "__import__('resource').setrlimit(2, (-1, -1))",
        "os.setuid(0)",
        "os.setgid(0)",
        "[line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))]",
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
    "kills all it can": "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\nos.kill(0, 9)",
    "closes": "import os\nos.closerange(0, 256)\nos.write(1, b'x')",
}


@pytest.mark.parametrize("name", ENDS)
def test_an_end_has_a_name_and_the_next_step_a_fresh_start(extreme: Situation, name: str) -> None:
    outcome = extreme("x = 1\n" + ENDS[name])
    if outcome["error"]["kind"] == "python":  # it could not even do that
        assert outcome["error"]["type"] in ("PermissionError", "OSError")
        return
    assert (outcome["error"]["kind"], outcome["error"]["type"]) == ("sandbox", "SandboxDied")
    assert outcome["state_lost"]
    assert extreme("'x' in dir()")["output"] is False


BOMBS = {
    "forks": "import os\nwhile True:\n    os.fork()",
    "threads": "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()",
    "descriptors": "import os\nkept = []\nwhile True: kept.append(os.open('/dev/null', 0))",
    "one big file": "with open('big', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
    "memory": "kept = []\nwhile True: kept.append(bytearray(1 << 24))",
    "shared memory": "with open('/dev/shm/x', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
}


@pytest.mark.parametrize("name", quick(BOMBS, "threads", "descriptors", "one big file", "shared memory"))
def test_a_bomb_ends_with_a_named_error(extreme: Situation, name: str) -> None:
    outcome = extreme(BOMBS[name], timeout=2)
    assert outcome["error"] is not None
    assert outcome["error"]["kind"] in ("limit", "python", "sandbox"), outcome
    assert extreme("1 + 1")["output"] == 2


def test_a_fork_bomb_does_not_go_on_after_its_step(situation: Situation) -> None:
    situation("1", fresh=True, memory=2048)
    before = len(below(situation.pid))
    bomb = (
        "import os, time\nfirst = os.getpid()\ntry:\n    while True: os.fork()\n"
        "except OSError:\n    if os.getpid() != first: time.sleep(60)"  # a fork that ends by itself is not counted
    )
    outcome = situation(bomb, timeout=10)
    if outcome["error"] is None:  # else memory or time ended it
        said = ("processes that this step had started were ended", PROCESSES_LEFT)  # a busy machine ends them later
        assert any(text in outcome["stdout"] for text in said)
    assert eventually(lambda: len(below(situation.pid)) <= before + 2)
    assert situation("1 + 1")["output"] == 2


DAEMONS = """
import os, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
read, write = os.pipe()  # at its end once each is another program
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "{}"], {{}})
        os._exit(0)
    os.wait()
os.close(write)
print(os.read(read, 1))
while True: time.sleep(1)
"""


@IN_ONE
def test_daemons_end_with_the_step_that_is_killed(situation: Situation) -> None:
    seconds = f"7533.{situation.pid}"
    situation("1")
    outcome = situation(DAEMONS.format(seconds), timeout=0.3)
    assert (outcome["stdout"], outcome["error"]["kind"], outcome["state_lost"]) == ("b''\n", "limit", True)
    assert eventually(lambda: not sleeping(seconds))
    assert situation("1 + 1")["output"] == 2


def test_a_few_processes_that_a_step_leaves_go_on(situation: Situation) -> None:
    code = "import subprocess\nkept = [subprocess.Popen(['sleep', '600']) for _ in range(8)]\nlen(kept)"
    started = situation(code, fresh=True)
    assert (started["output"], started["error"]) == (8, None)
    assert situation("[each.poll() for each in kept]")["output"] == [None] * 8
    situation("[each.kill() for each in kept]\n[each.wait() for each in kept]")


LEAVE = """
import ctypes, mmap, os, tempfile, threading, time
x = 'kept'
def work():
    while not os.path.exists('go'): time.sleep(0.01)
    kept = []
    {}
    time.sleep(600)
def fill(size):
    kept = mmap.mmap(-1, size << 20)
    for at in range(0, len(kept), 4096): kept[at] = 1
    return kept
def half_end():
    threading.Thread(target=work).start()
    ctypes.CDLL(None).syscall({{'x86_64': 60, 'aarch64': 93}}[os.uname().machine], 0)
"""
PROCESS = "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: {}()\n    os._exit(0)\nos.wait()\n0"
THREAD = "threading.Thread(target=work).start()"
DISK = "for at in range(9): open(str(at), 'wb').write(bytes(16 << 20))"
NAMELESS_DISK = "for at in range(9): kept.append(tempfile.TemporaryFile(dir='.')); kept[-1].write(bytes(16 << 20)); kept[-1].flush()"
MEMORY = "kept = fill(500)"  # less than its control group may have
LEFT = {  # what a step leaves, and what that does between steps
    "disk": (PROCESS.format("work"), DISK, "holds more than 64 MB"),
    "files without a name": (PROCESS.format("work"), NAMELESS_DISK, "holds more than 64 MB"),
    "memory": (PROCESS.format("work"), MEMORY, "took more than 352 MB of memory"),
    "more memory than the control group has": (PROCESS.format("work"), "kept = fill(900)", "memory"),
    "processes": (PROCESS.format("work"), "while True: os.fork() or time.sleep(600)", "too many processes"),
    "memory without a first thread": (PROCESS.format("half_end"), MEMORY, "took more than 352 MB of memory"),
    "disk, and ends": (PROCESS.format("work"), f"{DISK}\n    os._exit(0)", "holds more than 64 MB"),
    "files without a name or a first thread": (PROCESS.format("half_end"), NAMELESS_DISK, "holds more than 64 MB"),
}


def leave(situation: Situation, code: str, work: str) -> set[int]:
    """Have a step leave something, and let it work after the step; returns the processes without it."""
    situation("1", fresh=True, memory=64, disk=32)
    before = processes.find_tree(situation.pid)
    left = situation(LEAVE.format(work) + code)
    assert left["error"] is None, left
    situation.path(left["folder"], "work", "go").touch()
    return before


@pytest.mark.parametrize("name", quick(LEFT, "disk"))
def test_what_a_step_leaves_is_ended_between_steps_and_the_variables_are_kept(extreme: Situation, name: str) -> None:
    code, work, said = LEFT[name]
    own = leave(extreme, code, work)
    assert eventually(lambda: processes.find_tree(extreme.pid) == own)
    found = extreme("x, [name for name in os.listdir() if name != 'go']")
    assert (found["output"], found["error"], found["state_lost"]) == (["kept", []], None, False)
    assert said in found["stdout"]
    assert "the variables are kept" in found["stdout"]
    assert extreme("1")["stdout"] == ""


@pytest.mark.slow
@pytest.mark.parametrize("work", [DISK, MEMORY])
def test_a_thread_that_a_step_leaves_is_ended_between_steps_with_its_process(extreme: Situation, work: str) -> None:
    own = leave(extreme, THREAD, work)
    assert eventually(lambda: not own <= processes.find_tree(extreme.pid))
    found = extreme("import os\n'x' in globals(), os.listdir()")
    assert (found["output"][0], found["error"], found["state_lost"]) == (False, None, True)
    assert work == MEMORY or found["output"][1] == []
    assert "[smolcell: between the steps, " in found["stdout"]


@pytest.mark.slow
def test_what_a_step_left_is_ended_during_a_later_step_which_goes_on(extreme: Situation) -> None:
    extreme(LEAVE.format(MEMORY) + "reads, writes = os.pipe()\n" + PROCESS.format("work"), fresh=True, memory=64)
    later = processes.ticks_after_boot(0) + 1  # the process counts as older than the step
    assert eventually(lambda: processes.ticks_after_boot(0) > later)
    found = extreme("os.close(writes)\nopen('go', 'w').close()\nos.read(reads, 1)\nx")  # until the process has ended
    assert (found["output"], found["error"], found["state_lost"]) == ("kept", None, False)
    assert f"took more than 352 MB of memory; {LEFT_ENDED}; the variables are kept" in found["stdout"]


ONE_FILE = "import os, uuid\nwith open(uuid.uuid4().hex, 'wb') as file: file.write(bytes(16 << 20))\n"
NAMELESS = (
    "import tempfile\nkept = kept if 'kept' in dir() else []\nfor _ in range({}):\n"
    "    kept.append(tempfile.TemporaryFile(dir='.'))\n    kept[-1].write(bytes(16 << 20))\n    kept[-1].flush()"
)
FILLING = {  # programs that fill the folder within so many steps
    "one step": ("for i in range(1000):\n    with open(str(i), 'wb') as file: file.write(bytes(16 << 20))", 1),
    "files without a name": (NAMELESS.format(200), 1),
    "short steps": (ONE_FILE, 20),
    "short steps, files without a name": (NAMELESS.format(1), 10),
    "steps that end their process": (ONE_FILE + "os._exit(0)", 10),
}


@pytest.mark.parametrize(
    "name", quick(FILLING, "one step", "files without a name", "short steps, files without a name")
)
def test_a_full_folder_is_a_named_limit_and_is_emptied(extreme: Situation, name: str) -> None:
    code, most = FILLING[name]
    for number in range(most):
        error = extreme(code, fresh=not number, disk=32)["error"]
        if error and error["type"] != "SandboxDied":
            break
    assert (error["kind"], error["type"], number > 0) == ("limit", "OSError", most > 1)
    assert "the code's folder holds more than 64 MB" in error["message"]
    assert extreme("import os\nos.listdir()")["output"] == []


@pytest.mark.slow
def test_too_many_files_are_gone_when_their_step_is(extreme: Situation) -> None:
    code = "i = 0\nwhile True:\n    open(str(i), 'w').close()\n    i += 1"
    outcome = extreme(code, fresh=True, timeout=4)
    assert outcome["error"]["kind"] == "limit"
    assert len(list(extreme.path(outcome["folder"], "work").glob("*"))) < 20_000  # none if the sandbox was ended, too


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


# --- where no wall stands ---


def test_without_walls_the_word_is_not_used() -> None:
    with LocalInTests(without=["namespaces", "landlock", "seccomp", "identity", "privileges"]) as executor:
        executor("1")
        boundary = executor.boundary()
        agent = SimpleNamespace(
            executor=executor, memory=SimpleNamespace(tasks=(), steps=()), journal=SimpleNamespace(path="journal")
        )
        session = SimpleNamespace(name="default", running=False, agent=agent, allowed=())
        status = "\n".join(_session(session))  # type: ignore[arg-type]
    assert not boundary.isolated
    card = "\n".join(line.text for line in lines(Opened(run="r", boundary=boundary)))
    missing = "missing: files: the code runs as a process that could read what you can"
    assert missing in card
    assert missing in status
    said = [wall.detail for wall in boundary.walls]
    assert not [text for text in (card, status, *said) if "isolated" in text.lower()]
