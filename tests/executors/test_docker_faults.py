"""What can go wrong with an engine, an image, a container or a kernel: an error that says what to do, and nothing is left."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import engines
import pytest
from engines import DockerInTests, alive, dead, end, eventually, kernel
from local_parts import programs

from smolcell.errors import LimitError, SandboxDiedError, SandboxError, SetupError, SmolcellError
from smolcell.executors.docker import DockerExecutor, containers
from smolcell.executors.docker.containers import Shape
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.docker.images import Choice, prepare
from smolcell.executors.registry import SandboxOwner

PROGRAMS = programs("sandbox_programs.txt")
POINTS = 50 if os.environ.get("SMOLCELL_FULL") else 5

pytestmark = pytest.mark.slow
Contained = Callable[..., DockerInTests]
START = "sudo systemctl start docker"


def failure(executor: DockerExecutor, code: str = "1") -> str:
    """What an executor that cannot start says; it raises nothing else."""
    with executor, pytest.raises((SetupError, SandboxError)) as caught:
        executor(code)
    assert caught.value.__cause__ is None  # a page of the HTTP library's own calls helps nobody
    return str(caught.value)


# --- the engine --------------------------------------------------------------------------------------------------------


class Relay:
    """A way to the engine that can be cut, as a restart of the engine cuts it."""

    def __init__(self, listener: socket.socket, address: str, tls: ssl.SSLContext | None = None) -> None:
        self._far = address.removeprefix("unix://")
        self._listener, self._tls = listener, tls
        self.port = listener.getsockname()[1] if listener.family == socket.AF_INET else 0
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._tls is not None:
                    try:
                        near = self._tls.wrap_socket(near, server_side=True)
                    except ssl.SSLError:
                        near.close()
                        continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._far)
                self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """End every connection, and take no other."""
        for each in (self._listener, *self._ends):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def test_an_engine_that_ends_in_mid_step_is_the_sandboxs_end_and_the_next_step_starts_again(
    contained: Contained, engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not engine.address.startswith("unix://"):
        pytest.skip("needs an engine on this machine: another's connection cannot be cut here")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "relay"))
    listener.listen()
    relay = Relay(listener, engine.address)
    before = alive()
    executor = contained()
    with monkeypatch.context() as patch:
        patch.setenv("DOCKER_HOST", f"unix://{tmp_path}/relay")
        executor("kept = 1")
        engines.in_mid_step(executor, relay.cut)
        with pytest.raises(SandboxDiedError, match=r"the connection to the Docker engine ended \(was it restarted\?\)"):
            executor("import time; time.sleep(600)")
        with pytest.raises(SetupError, match=f"{START}$"):
            executor("2")
    assert eventually(lambda: alive() <= before, 60)  # it ends with its stdin
    assert executor("2").output == 2


# --- which engine ------------------------------------------------------------------------------------------------------


def test_a_docker_context_is_respected_and_docker_host_goes_before_it(
    engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "contexts" / "meta" / hashlib.sha256(b"mine").hexdigest()
    folder.mkdir(parents=True)
    endpoint = {"Host": engine.address, "SkipTLSVerify": False}
    (folder / "meta.json").write_text(json.dumps({"Name": "mine", "Metadata": {}, "Endpoints": {"docker": endpoint}}))
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.setattr(
        "docker.context.config.find_config_file", lambda *_: str(tmp_path / "config.json"), raising=False
    )
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("DOCKER_CONTEXT", "mine")
    found = DockerEngine()
    assert found.address == engine.address
    found.close()
    monkeypatch.setenv("DOCKER_CONTEXT", "theirs")
    with pytest.raises(SetupError, match=r"no docker context 'theirs'; choose another: docker context ls$"):
        DockerEngine()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    with pytest.raises(SetupError, match="no Docker engine answers at"):
        DockerEngine()


def test_an_engine_over_tls_is_reached_both_ways_at_once(
    contained: Contained, engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl, which makes the certificates")
    for name in ("", "other-"):
        cert, key = tmp_path / f"{name}cert.pem", tmp_path / f"{name}key.pem"
        words = f"-newkey rsa:2048 -nodes -days 2 -subj /CN=engine -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {cert}"
        subprocess.run(["openssl", "req", "-x509", *words.split()], check=True, capture_output=True)
    cert, other = tmp_path / "cert.pem", tmp_path / "other-cert.pem"
    shutil.copy(cert, tmp_path / "ca.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(cert))
    context.load_cert_chain(cert, tmp_path / "key.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    relay = Relay(socket.create_server(("127.0.0.1", 0)), engine.address, context)
    with monkeypatch.context() as patch:
        patch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{relay.port}")
        patch.setenv("DOCKER_TLS_VERIFY", "1")
        patch.setenv("DOCKER_CERT_PATH", str(tmp_path))
        patch.setenv("REQUESTS_CA_BUNDLE", str(other))  # goes before the SDK's own choice
        with pytest.raises(SetupError, match=r"certificate at tcp://127.* cannot be used .*; see: docker context ls$"):
            DockerEngine()
        for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
            patch.delenv(name, raising=False)
        with contained() as executor:
            executor.send_variables({"data": bytes(20_000_000)})
            assert executor("print('x' * 1000)\nlen(data), data[:3]").output == (20_000_000, bytes(3))
            assert len(executor("data").output) == 20_000_000
            executor.timeout = 1
            with pytest.raises(LimitError):
                executor("while True: print('x' * 1000)")
    relay.cut()


def put_ssh(folder: Path, engine: DockerEngine, monkeypatch: pytest.MonkeyPatch, fails: bool = False) -> Path:
    log = folder / "log"
    words = {"python": sys.executable, "log": str(log), "socket": engine.address.removeprefix("unix://")}
    program = folder / "ssh"
    program.write_text(PROGRAMS["ssh"].format(**words, fails=fails, host="me@far"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DOCKER_HOST", "ssh://me@far:2222")
    return log


def test_an_engine_behind_ssh_is_reached_by_the_persons_own_ssh(
    contained: Contained, engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = put_ssh(tmp_path, engine, monkeypatch)
    executor = contained()
    assert executor("sum(range(10))").output == 45
    executor.send_variables({"data": bytes(5_000_000)})
    assert executor("len(data)").output == 5_000_000
    assert "ssh://me@far:2222" in executor.boundary().where
    executor.close()
    expected = ["-o", "BatchMode=yes", "-T", "-l", "me", "-p", "2222", "--", "far", "docker system dial-stdio"]
    assert {tuple(json.loads(line)) for line in log.read_text().splitlines()} == {tuple(expected)}


def test_an_ssh_that_fails_says_what_it_said(
    engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_ssh(tmp_path, engine, monkeypatch, fails=True)
    said = failure(DockerExecutor())
    assert "ssh://me@far:2222 cannot be reached: me@far: Permission denied (publickey)." in said
    assert said.endswith("docker -H ssh://me@far:2222 info")


# --- the image ---------------------------------------------------------------------------------------------------------


def test_an_image_that_is_nowhere_says_so(contained: Contained) -> None:
    said = failure(contained(image="localhost:1/smolcell/no-such-image:1"))
    assert "localhost:1/smolcell/no-such-image:1" in said
    assert "docker" in said.rpartition(": ")[2] or "--sandbox" in said


@contextmanager
def built(engine: DockerEngine, dockerfile: str) -> Iterator[str]:
    """An image that is made so."""
    name = prepare(engine.client, Choice(dockerfile=dockerfile), print, threading.Event())
    yield name
    engine.client.images.remove(name, force=True)


def test_an_image_without_python_says_which_one_has(contained: Contained, engine: DockerEngine) -> None:
    with built(engine, "FROM scratch\nLABEL nothing=in-it\n") as image:
        said = failure(contained(image=image))
    assert said.startswith(f"the image '{image}' has no Python") and said.endswith("--sandbox docker:python:3.12-slim")


def test_an_image_with_an_old_python_says_which_one_has_a_newer(contained: Contained, engine: DockerEngine) -> None:
    executor = contained(kind=engines.UnguardedDocker)
    python = executor("import sys\nsys.executable").output
    program = base64.b64encode(PROGRAMS["old python"].format(python=python).encode()).decode()
    make = f"mkdir /old && echo {program} | base64 -d >/old/python3 && chmod 755 /old/python3"
    dockerfile = f"FROM {executor._channel.image}\nUSER 0\nRUN {make}\nENV PATH=/old\n"
    with built(engine, dockerfile) as image:
        said = failure(contained(image=image))
    assert (
        said.startswith("the sandbox 'docker' did not start")
        and "has Python 3.8.20, and 3.9 or newer is needed" in said
    )
    assert said.endswith("--sandbox docker:python:3.12-slim")


def test_a_runtime_that_the_engine_lacks_is_named(contained: Contained) -> None:
    said = failure(contained(runtime="no-such-runtime"))
    assert "no-such-runtime" in said
    assert said.endswith("docker info --format '{{.Runtimes}}'")


# --- the container -----------------------------------------------------------------------------------------------------


def test_a_hundred_megabytes_of_output_are_cut_and_the_sandbox_goes_on(contained: Contained) -> None:
    executor = contained(timeout=120)
    observed = executor("line = 'x' * 999\nfor _ in range(100_000): print(line)\n'done'")
    assert observed.output == "done"
    assert len(observed.stdout) <= executor.max_print_outputs_length + 1000
    assert observed.dropped > 90_000_000
    assert executor("1 + 1").output == 2


def test_more_memory_than_the_container_has_ends_the_step_only(contained: Contained) -> None:
    executor = contained(kind=engines.UnguardedDocker, memory=128, disk=16, timeout=60)
    executor("1")
    with suppress(SmolcellError):
        executor(PROGRAMS["fork and fill memory"])
    assert executor("1 + 1").output == 2


def test_a_full_work_folder_is_an_error_of_the_code_and_can_be_emptied(contained: Contained) -> None:
    executor = contained(disk=8, additional_authorized_imports=["os"])
    with pytest.raises(SmolcellError, match="No space left on device"):
        executor("for name in 'abc':\n    with open(name, 'wb') as f: f.write(bytes(3 << 20))")
    assert executor("import os\nos.remove('a')\nopen('small', 'w').write('x')").output == 1


def test_two_kernels_at_once_have_a_container_each(engine: DockerEngine) -> None:
    before = alive()
    kernels = [kernel(PROGRAMS["kernel that waits"], name, says=["ready"]) for name in ("a", "b")]
    try:
        assert len(alive() - before) == 2
        assert [each.communicate("go\n", timeout=300)[0] for each in kernels] == ["a\n", "b\n"]
    finally:
        for each in kernels:
            end(each)
    assert eventually(lambda: alive() <= before, 60)


# --- a sweep takes the leftovers of dead kernels only ----------------------------------------------------------------------


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the engine's labels this process is another user's, so that no one else's sweep takes what the test makes."""
    here = dataclasses.replace(SandboxOwner.here(), uid=1_000_000 + os.getpid())
    monkeypatch.setattr(SandboxOwner, "here", classmethod(lambda _: here))


@contextmanager
def containers_of(engine: DockerEngine, *owners: SandboxOwner) -> Iterator[list[str]]:
    """A container for each of these owners; the names."""
    image = engines.image(engine)
    names = [f"{containers.PREFIX}test-{os.urandom(6).hex()}" for _ in owners]
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, owner in zip(names, owners, strict=True):
                patch.setattr(SandboxOwner, "here", classmethod(lambda _, owner=owner: owner))
                containers.create(engine, image, name, 1, Shape())
        yield names
    finally:
        for name in names:
            containers.remove(engine, name, 20)


def test_a_sweep_removes_what_belongs_to_dead_kernels_of_this_machine_and_user_only(
    engine: DockerEngine, somebody: None
) -> None:
    gone = dead()
    others = [dataclasses.replace(gone, **change) for change in ({"boot": "x"}, {"uid": 4711}, {"view": "x"})]
    with containers_of(engine, gone, SandboxOwner.here(), *others) as names:
        swept = containers.sweep(engine)
        assert len(swept) == 1
        assert alive() & set(names) == set(names[1:])


def test_the_next_start_sweeps(engine: DockerEngine, somebody: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.docker._swept", set())
    with containers_of(engine, dead()) as names, engines.sandboxes() as make:
        assert make()("1").output == 1
        assert names[0] not in alive()


# --- how a kernel may end ----------------------------------------------------------------------------------------------


def test_nothing_is_left_of_kernels_killed_at_random_points(engine: DockerEngine) -> None:
    before = alive()
    seed = random.randrange(1 << 30)
    points = random.Random(seed)
    for _ in range(0, POINTS, 5):
        kernels = [kernel(PROGRAMS["kernel with docker"], "loop", says=["go"]) for _ in range(5)]
        delays = sorted(points.uniform(0, 3) for _ in kernels)
        for delay, last, each in zip(delays, [0.0, *delays], kernels, strict=False):
            time.sleep(delay - last)
            each.kill()
        started = time.monotonic()
        assert eventually(lambda: alive() <= before, 60), f"seed {seed}: left are {alive() - before}"
        print(f"nothing left after {time.monotonic() - started:.1f} s")
        for each in kernels:
            end(each)


@pytest.mark.parametrize("how", ["alone", "fork"])
def test_a_container_ends_with_its_kernel_even_where_a_child_holds_its_connection(
    engine: DockerEngine, how: str
) -> None:
    before = alive()
    process = kernel(PROGRAMS["kernel with docker"], how)
    try:
        assert process.stdout is not None and int(process.stdout.readline()) > 0
        assert len(alive() - before) == 1
        process.kill()
        assert eventually(lambda: alive() <= before, 60)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the child
        end(process)


def test_without_a_reaper_the_engine_ends_it_with_its_stdin(engine: DockerEngine) -> None:
    before = alive()
    process = kernel(PROGRAMS["kernel with docker"], "alone")
    try:
        assert process.stdout is not None
        os.kill(int(process.stdout.readline()), signal.SIGKILL)
        assert len(alive() - before) == 1
    finally:
        end(process)
    assert eventually(lambda: alive() <= before, 60)
