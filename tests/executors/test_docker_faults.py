"""What can go wrong with an engine, an image or a container: each an error that says what to do, and nothing is left."""

from __future__ import annotations

import hashlib
import io
import json
import os
import socket
import ssl
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingUnixStreamServer
from typing import Any

import engines
import pytest
from engines import DockerInTests, alive

from smolcell.errors import LimitError, SandboxDiedError, SandboxError, SetupError, SmolcellError
from smolcell.executors.docker import DockerExecutor, _AttachedStream
from smolcell.executors.docker.engine import Engine, Tunnel, command

START = "sudo systemctl start docker"


def failure(executor: DockerExecutor, code: str = "1") -> str:
    """What an executor that cannot start says; it raises nothing else."""
    with executor, pytest.raises((SetupError, SandboxError)) as caught:
        executor(code)
    assert caught.value.__cause__ is None  # a page of the HTTP library's own calls helps nobody
    return str(caught.value)


# --- the engine --------------------------------------------------------------------------------------------------------


def test_without_an_engine_it_says_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    said = failure(DockerExecutor())
    assert said.startswith(f"no Docker engine answers at unix://{tmp_path}/none (No such file or directory)")
    assert said.endswith(START)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(f"{tmp_path}/none")  # as an engine leaves it that was killed
        assert "(Connection refused)" in failure(DockerExecutor())


def test_a_socket_that_one_may_not_use_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path("/tmp") / f"smolcell-test-{os.getpid()}"  # where another user may look at all
    folder.mkdir()
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(folder / "socket"))
            server.listen()
            (folder / "socket").chmod(0)
            monkeypatch.setenv("DOCKER_HOST", f"unix://{folder}/socket")
            with ordinary_user(), pytest.raises(SetupError) as caught:
                Engine()
    finally:
        for path in (folder / "socket", folder):
            path.unlink() if path.is_socket() else path.rmdir()
    said = str(caught.value)
    assert said.startswith(f"you may not use the Docker engine at unix://{folder}/socket (permission denied)")
    assert said.endswith("sudo usermod -aG docker $USER")


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may use every socket: be somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    import docker
    import docker.utils  # the other user may not read them

    assert docker.utils.kwargs_from_env(environment={}) is not None

    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_an_engine_without_room_says_how_to_make_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = "mkdir /var/lib/docker/overlay2/x-init: no space left on device"
    with stand_in(tmp_path / "socket", {"POST /containers/create": (500, {"message": full})}) as asked:
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/socket")
        said = failure(DockerExecutor(image="some"))
    assert said == f"the disk of the Docker engine is full ({full}); make room: docker system prune"
    assert [line for line in asked if line.startswith("DELETE /containers/smolcell-")]


def test_an_engine_that_ends_while_it_starts_a_container_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: dict[str, Any] = {"POST /containers/create": (201, {"Id": "1f"}), "POST /containers/1f/wait": None}
    with stand_in(tmp_path / "socket", answers):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/socket")
        said = failure(DockerExecutor(image="some"))
    assert said.endswith(START)


class _Handler(BaseHTTPRequestHandler):
    """Answers as a table says; None hangs up."""

    answers: dict[str, Any]
    asked: list[str]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        path = path[path.index("/", 2) :] if path.startswith("/v1.") else path
        self.asked.append(f"{self.command} {path}")
        answer = self.answers.get(self.asked[-1], (404, {"message": "not there"}))
        self.close_connection = answer is None
        if answer is None:
            return
        body = json.dumps(answer[1]).encode()
        self.send_response(answer[0])
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_DELETE = do_POST

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def address_string(self) -> str:
        return "a socket"


@contextmanager
def stand_in(path: Path, answers: dict[str, Any]) -> Iterator[list[str]]:
    """A stand-in for an engine on a socket; gives what it is asked. Source: the Docker Engine API 1.41."""
    known = {
        "GET /version": (200, {"ApiVersion": "1.41"}),
        "GET /containers/json": (200, []),
        "GET /images/some/json": (200, {"Id": "sha256:some"}),
    }
    asked: list[str] = []
    handler = type("Handler", (_Handler,), {"answers": {**known, **answers}, "asked": asked})
    with ThreadingUnixStreamServer(str(path), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield asked
        finally:
            server.shutdown()
            thread.join()


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
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def test_an_engine_that_ends_in_mid_step_is_the_sandboxs_end_and_the_next_step_starts_again(
    contained: Callable[..., DockerInTests], engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
            executor("import time; time.sleep(60)")
        assert failure_of(executor, "2").endswith(START)
    assert engines.eventually(lambda: alive() <= before)  # it ends with its stdin
    assert executor("2").output == 2


def failure_of(executor: DockerExecutor, code: str) -> str:
    with pytest.raises(SetupError) as caught:
        executor(code)
    return str(caught.value)


# --- which engine ------------------------------------------------------------------------------------------------------


def test_a_docker_context_is_respected_and_docker_host_goes_before_it(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    found = Engine()
    assert found.address == engine.address
    found.close()
    monkeypatch.setenv("DOCKER_CONTEXT", "theirs")
    with pytest.raises(SetupError, match=r"no docker context 'theirs'; choose another: docker context ls$"):
        Engine()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    with pytest.raises(SetupError, match="no Docker engine answers at"):
        Engine()


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"auths": {"a.example": {"auth": "abcde"}}}, "Error: Invalid base64-encoded string"),
        ({"auths": {"a.example": {"auth": "YWJjZA=="}}}, "ValueError: not enough values to unpack"),
        ({"auths": {"a.example": {"auth": "/////w=="}}}, "ValueError: not enough values to unpack"),
        ({"auths": {"a.example": {"auth": 5}}}, "TypeError"),
        ({"auths": {"a.example": "abc"}}, "InvalidConfigFile: Invalid configuration for registry a.example"),
        ({"auths": ["a.example"]}, "AttributeError"),
        ({"proxies": "none"}, "AttributeError"),
        (["auths"], "AttributeError"),
    ],
    ids=repr,
)
def test_a_malformed_config_of_dockers_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: Any, said: str
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    path = f"{tmp_path}/config.json"
    told = failure(DockerExecutor())
    assert told.startswith(f"docker's own settings in {path} cannot be read ({said}")
    assert told.endswith(f"correct the file, or move it away and log in again: mv {path} {path}.old && docker login")


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DOCKER_HOST": "gopher://host"}, "Invalid bind address protocol"),
        ({"DOCKER_HOST": "tcp://127.0.0.1:1", "DOCKER_TLS_VERIFY": "1", "DOCKER_CERT_PATH": "/none"}, "certificate"),
    ],
)
def test_an_address_that_is_none_says_where_to_look(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], said: str
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=rf"cannot be used \(.*{said}.*\); see: docker context ls$"):
        Engine()


def test_an_engine_over_tls_is_reached_both_ways_at_once(
    contained: Callable[..., DockerInTests], engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    names = "subjectAltName=IP:127.0.0.1"
    words = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=engine -addext {names} -keyout {key} -out {cert}"
    )
    subprocess.run(words.split(), check=True, capture_output=True)
    (tmp_path / "ca.pem").write_bytes(cert.read_bytes())
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(cert))
    context.load_cert_chain(cert, key)
    context.verify_mode = ssl.CERT_REQUIRED
    relay = Relay(socket.create_server(("127.0.0.1", 0)), engine.address, context)
    other = tmp_path / "other.pem"
    stranger = words.replace(str(cert), str(other)).replace(str(key), f"{key}2")
    subprocess.run(stranger.split(), check=True, capture_output=True)
    with monkeypatch.context() as patch:
        patch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{relay.port}")
        patch.setenv("DOCKER_TLS_VERIFY", "1")
        patch.setenv("DOCKER_CERT_PATH", str(tmp_path))
        patch.setenv("REQUESTS_CA_BUNDLE", str(other))  # goes before the SDK's own choice
        with pytest.raises(
            SetupError, match=r"certificate at tcp://127\.0\.0\.1:\d+ cannot be used .*; see: docker context ls$"
        ):
            Engine()
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


def test_a_tls_connection_that_was_closed_is_gone_for_who_reads_it() -> None:
    near, far = socket.socketpair()
    wrapped = ssl.create_default_context().wrap_socket(near, do_handshake_on_connect=False, server_hostname="engine")
    line = _AttachedStream(wrapped)
    line.close()
    with far, pytest.raises(OSError, match="the connection was closed"):
        line.receive()


SSH = """#!{python}
import json, os, socket, sys, threading
open({log!r}, "a").write(json.dumps(sys.argv[1:]) + "\\n")
if {fails}:
    sys.exit("{host}: Permission denied (publickey).")
far = socket.socket(socket.AF_UNIX)
far.connect({socket!r})
def copy():
    while data := far.recv(1 << 16):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=copy, daemon=True).start()
while data := os.read(0, 1 << 16):
    far.sendall(data)
far.shutdown(socket.SHUT_WR)
threading.Event().wait(5)
"""
"""As the real one with ``docker system dial-stdio`` on the far side: bytes to and from the engine's socket."""


def put_ssh(folder: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch, fails: bool = False) -> Path:
    log = folder / "log"
    words = {"python": sys.executable, "log": str(log), "socket": engine.address.removeprefix("unix://")}
    program = folder / "ssh"
    program.write_text(SSH.format(**words, fails=fails, host="me@far"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DOCKER_HOST", "ssh://me@far:2222")
    return log


def test_an_engine_behind_ssh_is_reached_by_the_persons_own_ssh(
    contained: Callable[..., DockerInTests], engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_an_ssh_that_fails_says_what_it_said(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_ssh(tmp_path, engine, monkeypatch, fails=True)
    said = failure(DockerExecutor())
    assert "ssh://me@far:2222 cannot be reached: me@far: Permission denied (publickey)." in said
    assert said.endswith("docker -H ssh://me@far:2222 info")


@pytest.mark.parametrize(
    "address", ["ssh://-oProxyCommand=x", "ssh://-l@host", "ssh://", "ssh://host:x", "ssh://[", "ssh://host:99999"]
)
def test_an_address_that_is_none_or_would_be_an_option_of_ssh_is_refused(address: str) -> None:
    with pytest.raises(
        SetupError, match=r"not an address of a Docker engine behind ssh; write: DOCKER_HOST=ssh://user@host$"
    ):
        command(address)


def test_a_folder_whose_name_leaves_no_room_for_a_socket_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ssh").write_text("#!/bin/sh\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    with pytest.raises(SetupError, match=r"no socket for ssh://far can be made in .*: export TMPDIR=/tmp$"):
        Tunnel("ssh://far")
    assert list(long.iterdir()) == []


# --- the image ---------------------------------------------------------------------------------------------------------


def test_an_image_that_is_nowhere_says_so(contained: Callable[..., DockerInTests]) -> None:
    said = failure(contained(image="localhost:1/smolcell/no-such-image:1"))
    assert "localhost:1/smolcell/no-such-image:1" in said
    assert "docker" in said.rpartition(": ")[2] or "--sandbox" in said


@pytest.fixture
def bare_image(engine: Engine) -> Iterator[str]:
    """An image with one file in it, and no Python."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("nothing"), io.BytesIO())
    name = f"smolcell-test-bare:{os.getpid()}"
    engine.client.api.import_image_from_data(data.getvalue(), *name.split(":"))
    yield name
    engine.client.api.remove_image(name, force=True)


def test_an_image_without_python_says_which_one_has(contained: Callable[..., DockerInTests], bare_image: str) -> None:
    said = failure(contained(image=bare_image))
    assert said.startswith(f"the image '{bare_image}' has no Python")
    assert said.endswith("--sandbox docker:python:3.12-slim")


OLD = """#!{python}
import sys
sys.version_info, code, sys.argv = (3, 8, 20, "final", 0), sys.argv[4], ["-c", *sys.argv[5:]]
exec(code)
"""
"""A Python that says it is an old one, started as the real one is: -I -S -c CODE SIZE."""


@pytest.fixture
def old_image(contained: Callable[..., DockerInTests], engine: Engine) -> Iterator[str]:
    """The tests' image with a Python 3.8 before its own."""
    executor = contained(kind=engines.UnguardedDocker)
    python, base = executor("import sys\nsys.executable").output, executor._channel.image
    files = {
        "Dockerfile": f"FROM {base}\nCOPY python3 /old/python3\nENV PATH=/old\n",
        "python3": OLD.format(python=python),
    }
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o755
            archive.addfile(entry, io.BytesIO(text.encode()))
    name = f"smolcell-test-old:{os.getpid()}"
    build = engine.client.api.build(fileobj=io.BytesIO(data.getvalue()), custom_context=True, tag=name, rm=True)
    said = [json.loads(line) for piece in build for line in piece.splitlines() if line.strip()]
    assert "error" not in said[-1], said
    yield name
    engine.client.api.remove_image(name, force=True)


def test_an_image_with_an_old_python_says_which_one_has_a_newer(
    contained: Callable[..., DockerInTests], old_image: str
) -> None:
    said = failure(contained(image=old_image))
    assert said.startswith("the sandbox 'docker' did not start")
    assert said.endswith(
        "this image has Python 3.8.20, and 3.9 or newer is needed; choose another, for example: --sandbox docker:python:3.12-slim"
    )


def test_a_runtime_that_the_engine_lacks_is_named(contained: Callable[..., DockerInTests]) -> None:
    said = failure(contained(runtime="no-such-runtime"))
    assert "no-such-runtime" in said
    assert said.endswith("docker info --format '{{.Runtimes}}'")


# --- the container -----------------------------------------------------------------------------------------------------


def test_a_container_killed_from_outside_is_the_steps_fault_and_the_next_one_starts_again(
    contained: Callable[..., DockerInTests], engine: Engine
) -> None:
    executor = contained()
    executor("kept = 1")
    container = executor._channel.id
    engines.in_mid_step(executor, lambda: engine.client.api.kill(container))
    with pytest.raises(SandboxDiedError, match=r"its container was killed from outside, or its memory ran out"):
        executor("import time; time.sleep(60)")
    assert executor("'kept' in dir()").output is False


def test_a_hundred_megabytes_of_output_are_cut_and_the_sandbox_goes_on(contained: Callable[..., DockerInTests]) -> None:
    executor = contained(timeout=120)
    observed = executor("line = 'x' * 999\nfor _ in range(100_000): print(line)\n'done'")
    assert observed.output == "done"
    assert len(observed.stdout) <= executor.max_print_outputs_length + 1000
    assert observed.dropped > 90_000_000
    assert executor("1 + 1").output == 2


def test_more_memory_than_the_container_has_ends_the_step_only(contained: Callable[..., DockerInTests]) -> None:
    executor = contained(kind=engines.UnguardedDocker, memory=128, disk=16, timeout=60)
    executor("1")
    code = (
        "import os, time\n"
        "for _ in range(12):\n"
        "    if os.fork() == 0:\n"
        "        kept = bytearray(100 << 20)\n"
        "        time.sleep(30)\n"
        "        os._exit(0)\n"
        "time.sleep(3)\n"
    )
    with suppress(SmolcellError):
        executor(code)
    assert executor("1 + 1").output == 2


def test_a_full_work_folder_is_an_error_of_the_code_and_can_be_emptied(contained: Callable[..., DockerInTests]) -> None:
    executor = contained(disk=8, additional_authorized_imports=["os"])
    with pytest.raises(SmolcellError, match="No space left on device"):
        executor("for name in 'abc':\n    with open(name, 'wb') as f: f.write(bytes(3 << 20))")
    assert executor("import os\nos.remove('a')\nopen('small', 'w').write('x')").output == 1


TWO = """
import sys
from engines import DockerInTests, alive
with DockerInTests() as executor:
    executor("x = %r" % sys.argv[1])
    print("ready", flush=True)
    sys.stdin.readline()
    print(executor("x").output, flush=True)
"""


def test_two_kernels_at_once_have_a_container_each(engine: Engine) -> None:
    before = alive()
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(Path(__file__).parent)])}
    if engines.IMAGE:
        environ["SMOLCELL_TEST_IMAGE"] = engines.IMAGE
    kernels = [
        subprocess.Popen(
            [sys.executable, "-c", TWO, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
        )
        for name in ("a", "b")
    ]
    try:
        assert [kernel.stdout.readline() for kernel in kernels] == ["ready\n"] * 2
        assert len(alive() - before) == 2
        assert [kernel.communicate("go\n", timeout=60)[0] for kernel in kernels] == ["a\n", "b\n"]
    finally:
        for kernel in kernels:
            kernel.kill()
            kernel.wait()
    assert engines.eventually(lambda: alive() <= before)
