"""The Docker sandbox on a real engine: what it is given, what it says of itself, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import engines
import pytest
from engines import DockerInTests, UnguardedDocker, eventually
from http_server import Handler, Server, served
from indexes import TOOLS, configure, plots, wheel
from local_parts import programs

from smolcell import CodeAgent
from smolcell.errors import InterpreterError, SandboxDiedError, SandboxError, SmolcellError
from smolcell.events import Connected, Event, File
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.docker.images import Choice, prepare
from smolcell.testing import ScriptedModel

PROGRAMS = programs("sandbox_programs.txt")

pytestmark = pytest.mark.slow
Contained = Callable[..., DockerInTests]


# --- files -------------------------------------------------------------------------------------------------------------


def test_files_go_in_and_out_over_the_wire(
    contained: Contained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "empty").mkdir(parents=True)
    (tmp_path / "data" / "sales.csv").write_text("a\n1\n")
    big = os.urandom(9 << 20)
    (tmp_path / "big.bin").write_bytes(big)
    (tmp_path / "nothing.txt").touch()
    monkeypatch.chdir(tmp_path)
    executor = contained(additional_authorized_imports=["os"])
    assert executor.send_files(["data", "big.bin", "nothing.txt"]) == (
        File(name="data/", size=4),
        File(name="big.bin", size=9 << 20),
        File(name="nothing.txt", size=0),
    )
    read = executor(
        "import os, hashlib\nopen('data/sales.csv').read(), hashlib.sha256(open('big.bin', 'rb').read()).hexdigest()"
    )
    assert (read.output, read.files) == (("a\n1\n", hashlib.sha256(big).hexdigest()), ())
    wrote = executor(
        "with open('data/new.bin', 'wb') as f: f.write(bytes(range(256)) * 40_000)\nos.remove('data/sales.csv')"
    )
    assert wrote.files == (File(name="data/new.bin", size=10_240_000),)
    assert [file.name for file in executor.files()] == ["big.bin", "data/new.bin", "nothing.txt"]
    assert executor.keep_file("data/new.bin", tmp_path).read_bytes() == bytes(range(256)) * 40_000
    with pytest.raises(SandboxError, match="no file 'nope'; its files: big"):
        executor.keep_file("nope", tmp_path)
    executor.send_files(["data"])  # copied again
    assert executor("open('data/sales.csv').read()").output == "a\n1\n"


def test_links_that_code_plants_are_followed_nowhere(
    contained: Contained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    executor = contained(kind=UnguardedDocker)
    code = "import os\nos.mkdir('/tmp/t')\nos.symlink('/tmp/t', 'data')\nos.symlink('/etc/passwd', 'out')\nos.mkfifo('pipe')"
    executor(code)
    executor.send_files(["data"])
    found = executor("os.listdir('/tmp/t'), os.path.islink('data'), open('data/x.txt').read()").output
    assert found == ([], False, "mine")
    assert executor.files() == (File(name="data/x.txt", size=4),)


def test_a_container_killed_from_outside_ends_the_step_and_a_new_one_has_the_files_again(
    contained: Contained, engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    executor = contained()
    executor.send_files(["x.txt"])
    executor("kept = 1")
    container = executor._channel.id
    engines.in_mid_step(executor, lambda: engine.client.api.kill(container))
    with pytest.raises(SandboxDiedError, match=r"its container was killed from outside, or its memory ran out"):
        executor("import time; time.sleep(600)")
    again = executor("open('x.txt').read(), 'kept' in dir()")
    assert (again.output, again.state_lost) == (("mine", False), False)  # the loss was told


def test_files_that_do_not_fit_are_an_error_that_says_so(
    contained: Contained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "big.bin").write_bytes(bytes(20 << 20))
    monkeypatch.chdir(tmp_path)
    executor = contained(disk=8)
    executor("1")
    with pytest.raises(SandboxError, match="… cannot be copied into the sandbox: No space left"):
        executor.send_files(["big.bin"])


# --- walls: what code past the guard finds -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unguarded() -> Iterator[DockerInTests]:
    with engines.engine(), engines.sandboxes() as make:
        yield make(kind=UnguardedDocker, timeout=30)


TRY = "try:\n    {0}\nexcept OSError as error:\n    found = error.strerror\nelse:\n    found = 'done'\nfound"
REFUSED = {
    "open('/new', 'w')": "Read-only file system",
    "open('/etc/hosts', 'w')": "Read-only file system",
    "os.setuid(0)": "Operation not permitted",
    "os.chroot('/')": "Operation not permitted",
    "open('/proc/1/mem', 'rb')": "Permission denied",
    "open('/proc/1/environ', 'rb')": "Permission denied",
    "os.listdir('/proc/1/fd')": "Permission denied",
    "open('/proc/sys/kernel/hostname', 'w')": "Read-only file system",
    "socket.create_connection(('1.1.1.1', 53), 2)": "Network is unreachable",
    "os.mknod('disk', 0o60600, os.makedev(254, 0))": "Operation not permitted",
}


@pytest.mark.parametrize(("code", "said"), REFUSED.items(), ids=REFUSED.keys())
def test_what_leads_out_is_refused_by_the_system(unguarded: DockerInTests, code: str, said: str) -> None:
    found = unguarded("import os, socket\n" + TRY.format(code)).output
    assert found == said or (said == "Read-only file system" and found == "Permission denied")


def test_the_container_holds_no_right_and_no_way_out(unguarded: DockerInTests) -> None:
    rights, user, groups, cards, disks, proxies, names = unguarded(PROGRAMS["rights"]).output
    assert rights == ["0" * 16] * 4 + ["1", "2"]
    assert (user, groups, cards, proxies) == (65534, [65534], ["lo"], [])
    assert set(disks) <= {
        (f"/etc/{name}", "ro") for name in ("hosts", "hostname", "resolv.conf")
    }  # the engine made these
    assert [name for name in names if name not in ("nameserver", "search", ".")] == ["127.0.0.1"]


def test_code_cannot_end_its_worker_only_itself(unguarded: DockerInTests) -> None:
    unguarded("kept = 1")
    unguarded("import os, signal\nfor name in ('KILL', 'STOP', 'TERM'): os.kill(1, getattr(signal, f'SIG{name}'))")
    assert unguarded("kept").output == 1
    with pytest.raises(SmolcellError, match="ended"):
        unguarded("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert unguarded("import os\nos.getppid()").output == 1


def test_processes_are_bounded_and_the_sandbox_goes_on(unguarded: DockerInTests) -> None:
    observed = unguarded(PROGRAMS["fork without end"])
    assert observed.output < 256 and "Resource temporarily unavailable" in observed.stdout
    with pytest.raises(SmolcellError, match="ended"):
        unguarded("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")  # the next runner finds none of them
    assert unguarded("import os\n[name for name in os.listdir('/proc') if name.isdigit()].__len__()").output == 2


def test_walls_are_read_back_from_the_engine(unguarded: DockerInTests, engine: DockerEngine) -> None:
    boundary = unguarded.boundary()
    assert boundary.isolated
    stands = {wall.name: wall.stands for wall in boundary.walls}
    assert all(stands[name] for name in ("files", "network", "processes", "rights", "limits"))
    seen = engine.client.api.inspect_container(unguarded._channel.id)
    assert (seen["HostConfig"]["NetworkMode"], seen["HostConfig"]["ReadonlyRootfs"]) == ("none", True)
    assert (seen["HostConfig"]["PortBindings"] or {}, seen["Mounts"]) == ({}, [])
    assert seen["HostConfig"]["LogConfig"]["Type"] == "none"
    assert seen["HostConfig"]["AutoRemove"] is True and seen["Config"]["StdinOnce"] is True


# --- allowed hosts, through the proxy of this machine --------------------------------------------------------------------


class Hello(Handler):
    """Answers with its path."""

    def do_GET(self) -> None:
        self.answer(self.path)


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_a_container_reaches_the_allowed_host_and_no_other(contained: Contained, level: str) -> None:
    with served(Server(Hello)) as server:
        here = f"localhost:{server.server_port}"
        executor = contained(python=level, allow_hosts=[here], additional_authorized_imports=["urllib.*"])
        events: list[Event] = []
        get = "import urllib.request\nurllib.request.urlopen('{}').read().decode()"
        assert executor(get.format(f"http://{here}/here"), record=events.append).output == "/here"
        for url in ("http://example.org/", f"http://127.0.0.1:{server.server_port}/", "http://169.254.169.254/"):
            with pytest.raises(InterpreterError, match="is not allowed"):
                executor(get.format(url), record=events.append)

        found = [(each.host, bool(each.refused)) for each in events if isinstance(each, Connected)]
        refused = [(host, True) for host in ("example.org", "127.0.0.1", "169.254.169.254")]
        assert found == [("localhost", False), *refused]
        assert executor.boundary().isolated


# --- packages that are installed while it runs ---------------------------------------------------------------------------


@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
@pytest.mark.parametrize("tool", TOOLS)
def test_a_running_container_has_what_was_installed_and_cannot_change_it(
    contained: Contained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tool: str
) -> None:
    executor = contained(python="full")
    agent = CodeAgent([], ScriptedModel(), sandbox=executor)
    executor("kept = 1")
    python = str(executor.capabilities["python"]).split(".")[:2]
    tag = f"cp{''.join(python)}-cp{''.join(python)}-manylinux2014_{os.uname().machine}"
    other = wheel("native", "2", "native", "kind = 'another machine'", tag="cp39-cp39-win_amd64")
    native = wheel("native", "1", "native", "kind = 'this image'", tag=tag)
    with closing(plots()) as index, closing(agent.installs.packages):
        index.files.update([native, other])
        configure(monkeypatch, index, tmp_path, tool)
        plan = asyncio.run(agent.installs.install(["native", "tinyplots"]))
        assert [each.package.version for each in plan.found] == ["1", "1.0"]
        found = executor("import native, tinyplots_core; [kept, native.kind, tinyplots_core.draw()]").output
        assert found == [1, "this image", "tiny"]
        for name in ("native.py", "more.py"):
            with pytest.raises(InterpreterError, match="Permission denied"):
                executor(f"open('/packages/{name}', 'w')")
        assert executor.boundary().isolated
        again = contained(python="full")
        again.packages = agent.installs.packages
        assert again("import native; native.kind").output == "this image"


# --- images -------------------------------------------------------------------------------------------------------------


def prepared(engine: DockerEngine, stop: threading.Event | None = None, **choice: Any) -> str:
    """An image that is there; by default smolcell's own."""
    return prepare(engine.client, Choice(**choice), print, stop or threading.Event())


def test_smolcells_own_image_has_the_data_libraries_and_everything_in_it_is_compiled(engine: DockerEngine) -> None:
    """A file that is not would be compiled at each start: the root is read-only."""
    name = prepared(engine)
    told = engine.client.containers.run(
        name,
        ["python3", "-I", "-c", PROGRAMS["compiled files"]],
        network_mode="none",
        read_only=True,
        tmpfs={"/tmp": ""},
        remove=True,
    )
    modules, uncompiled = json.loads(told)
    assert modules > 500
    assert uncompiled == []


def test_a_dockerfile_that_fails_shows_where_and_why(engine: DockerEngine) -> None:
    base = prepared(engine)
    with pytest.raises(SandboxError) as caught:
        prepared(engine, dockerfile=f"FROM {base}\nRUN echo the reason >&2; exit 3\n")
    why = "building your Dockerfile failed at step 2/2: its command ended with code 3\n  the reason\n"
    assert str(caught.value).startswith(why)


def test_a_build_is_stopped_on_the_engine_too(engine: DockerEngine) -> None:
    base = prepared(engine)
    stop, marker = threading.Event(), secrets.token_hex(8)

    def running() -> bool:
        found = engine.client.containers.list(ignore_removed=True)  # other tests' come and go
        return any(marker in str(container.attrs["Config"]["Cmd"]) for container in found)

    threading.Thread(target=lambda: (eventually(running, 60), stop.set()), daemon=True).start()
    with pytest.raises(SandboxError, match="stopped while building your Dockerfile"):
        prepared(engine, stop, dockerfile=f"FROM {base}\nRUN sleep 600 # {marker}\n")
    assert eventually(lambda: not running(), 60)
