"""The Docker sandbox without an engine: addresses, settings and labels, errors of a stand-in, walls as an engine reports them."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docker_stand_in import stand_in
from indexes import TOOLS, configure, plots
from processes import eventually

from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.executors import create_executor
from smolcell.executors.docker import DockerExecutor, _AttachedStream, containers
from smolcell.executors.docker.containers import ContainerReport
from smolcell.executors.docker.engine import DockerEngine, Tunnel, command
from smolcell.executors.packages import OtherSite, SessionPackages
from smolcell.executors.reaper import Reaper
from smolcell.executors.registry import LABEL, SandboxOwner
from smolcell.executors.walls import is_isolated

START = "sudo systemctl start docker"


def failure() -> str:
    """What an executor that cannot start says; it raises nothing else."""
    with DockerExecutor(image="some") as executor, pytest.raises((SetupError, SandboxError)) as caught:
        executor("1")
    assert caught.value.__cause__ is None  # a page of the HTTP library's own calls helps nobody
    return str(caught.value)


def test_the_name_docker_makes_one_and_a_variant_is_its_image() -> None:
    made = create_executor("docker:my-image:3", memory=512)
    assert isinstance(made, DockerExecutor)
    assert (made.image.image, made.memory, made.shape.memory) == ("my-image:3", 512, 512)


@pytest.mark.parametrize("word", ["memory", "disk", "cpus", "pids"])
def test_a_limit_that_would_be_none_is_refused(word: str) -> None:
    with pytest.raises(SetupError, match=rf"{word}=-1 is too little for a container; write: {word}=[\d.]+, or more$"):
        DockerExecutor(**{word: -1})


# --- no engine that answers ------------------------------------------------------------------------------------------------


def test_without_an_engine_it_says_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    said = failure()
    assert said.startswith(f"no Docker engine answers at unix://{tmp_path}/none (No such file or directory)")
    assert said.endswith(START)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(f"{tmp_path}/none")  # as an engine leaves it that was killed
        assert "(Connection refused)" in failure()


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
                DockerEngine()
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


FULL = "mkdir /var/lib/docker/overlay2/x-init: no space left on device"


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (
            {"/containers/create": (500, {"message": FULL})},
            rf"engine is full \({FULL}\); make room: docker system prune$",
        ),
        ({"/containers/create": (201, {"Id": "1f"}), "/containers/1f/wait": None}, f"{START}$"),
    ],
    ids=["no room", "ends"],
)
def test_an_engine_that_makes_no_container_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, Any], told: str
) -> None:
    with stand_in() as engine:
        engine.answers = {f"POST {path}": answer for path, answer in answers.items()}
        engine.images["some"] = "sha256:some"
        monkeypatch.setenv("DOCKER_HOST", engine.address)
        assert re.search(told, failure())
    assert [line for line in engine.lines if line.startswith("DELETE /containers/smolcell-")]


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
    told = failure()
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
        DockerEngine()


def test_a_tls_connection_that_was_closed_is_gone_for_who_reads_it() -> None:
    near, far = socket.socketpair()
    wrapped = ssl.create_default_context().wrap_socket(near, do_handshake_on_connect=False, server_hostname="engine")
    line = _AttachedStream(wrapped)
    line.close()
    with far, pytest.raises(OSError, match="the connection was closed"):
        line.receive()


@pytest.mark.parametrize(
    "address", ["ssh://-oProxyCommand=x", "ssh://-l@host", "ssh://", "ssh://host:x", "ssh://[", "ssh://host:99999"]
)
def test_an_address_that_is_none_or_would_be_an_option_of_ssh_is_refused(address: str) -> None:
    with pytest.raises(SetupError, match=r"not an address of .* behind ssh; write: DOCKER_HOST=ssh://user@host$"):
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


# --- whose a container is ----------------------------------------------------------------------------------------------


def test_labels_say_whose_a_container_is_and_are_read_back() -> None:
    here = SandboxOwner.here()
    assert SandboxOwner.of(here.labels()) == here
    assert (here.pid, here.uid) == (os.getpid(), os.getuid())
    assert here.start > 0 and here.boot and here.view and here.kernel == f"pid-{os.getpid()}"
    assert not here.is_gone(here)


def test_labels_are_anybodys_words() -> None:
    said = {"pid": "-1", "start": "x", "uid": "1" * 5000, "name": "\x1b[2J\nn" + "n" * 5000}
    read = SandboxOwner.of({f"{LABEL}{name}": value for name, value in said.items()})
    assert (read.pid, read.start, read.boot) == (0, 0, "")
    assert "\x1b" not in read.name and "\n" not in read.name and len(read.name) < 300
    assert not read.is_gone(SandboxOwner.here())


def dead() -> SandboxOwner:
    """The owner that a process was which has ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    child.communicate()
    return dataclasses.replace(SandboxOwner.here(), pid=child.pid, start=int(start))


@pytest.mark.parametrize("change", [{}, {"pid": os.getpid()}], ids=["ended", "given out again"])
def test_who_is_known_to_be_gone_is_gone(change: dict[str, Any]) -> None:
    assert dataclasses.replace(dead(), **change).is_gone(SandboxOwner.here())


@pytest.mark.parametrize(
    "change", [{"boot": "another machine, or start"}, {"boot": ""}, {"view": "pid:[1]"}, {"uid": 4711}, {"start": 0}]
)
def test_only_what_is_known_to_be_gone_is_gone(change: dict[str, Any]) -> None:
    assert not dataclasses.replace(dead(), **change).is_gone(SandboxOwner.here())


@pytest.mark.parametrize(("answer", "swept"), [(204, ["mine"]), (404, ["mine"]), (409, ["mine"]), (500, [])])
def test_a_sweep_leaves_what_carries_our_labels_under_another_name(
    answer: int, swept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``docker run`` names what it makes of an image that was committed from a sandbox."""
    labels = dead().labels()
    names = {"mine": [f"/{containers.PREFIX}0"], "theirs": ["/nice_name"], "nobody's": None}
    found = [{"Id": each, "Names": said, "Labels": labels} for each, said in names.items()]
    asked: list[str] = []
    monkeypatch.setattr(containers, "remove", lambda _, name, __: asked.append(name) or answer)
    api = SimpleNamespace(containers=lambda **_: found)
    engine: Any = SimpleNamespace(errors=nullcontext, client=SimpleNamespace(api=api))
    assert containers.sweep(engine) == swept
    assert asked == ["mine"]


# --- read from what an engine says -------------------------------------------------------------------------------------

SAID = json.loads(Path(__file__).with_name("docker_walls.json").read_text(encoding="utf-8"))
"""What an engine says of a container as smolcell asks for it; and with what is changed in that, the walls that do not stand."""
HOST, CONTAINER = SAID["host"], SAID["container"]
SECURITY = ["name=seccomp,profile=default", "name=userns"]


def walls(
    host: Mapping[str, Any], container: Mapping[str, Any], security: list[str], podman: bool = False
) -> dict[str, str]:
    """The walls that do not stand, with what is said of them."""
    said = {**CONTAINER, **container, "HostConfig": {**HOST, **host}}
    found = containers.read(ContainerReport("unix:///x", said, {"SecurityOptions": security}, podman))
    assert is_isolated(found) is all(wall.stands for wall in found if wall.name in ("files", "network", "processes"))
    return {wall.name: wall.detail for wall in found if not wall.stands}


def test_a_container_as_it_was_asked_for_has_every_wall() -> None:
    assert walls({}, {}, SECURITY) == {}
    assert walls({}, {}, ["name=seccomp,profile=default", "name=rootless"]) == {}


def test_what_podman_says_of_the_same_container_has_every_wall_and_docker_s_shared_one_has_not() -> None:
    """Podman 4.3 lists the capabilities that it dropped, and calls an IPC namespace of its own "shareable"."""
    dropped = (
        "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP "
        "CAP_SETUID SYS_CHROOT"
    ).split()
    shared = {"processes": "the container is in the IPC namespace shareable"}
    fewer = {"rights": "not every capability is dropped"}
    for kept, podman, missing in ((dropped, True, {}), (dropped, False, shared), (dropped[:-2], True, fewer)):
        host = {"CapDrop": kept, "IpcMode": "shareable"}
        assert walls(host, {}, ["name=seccomp,profile=default", "name=rootless"], podman) == missing


def test_podman_is_asked_for_no_owner_and_no_limit_on_files() -> None:
    asked = containers.tmpfs(64, podman=True)
    assert asked["/tmp"] == "rw,noexec,nosuid,nodev,size=64m,mode=1777"
    assert not [words for words in asked.values() if "nr_inodes" in words or "id=" in words.replace("nosuid", "")]
    assert all("nr_inodes=" in words for words in containers.tmpfs(64, podman=False).values())


@pytest.mark.parametrize(("host", "container", "security", "missing"), SAID["missing"], ids=repr)
def test_a_wall_that_the_engine_left_out_does_not_stand(
    host: Mapping[str, Any], container: Mapping[str, Any], security: list[str], missing: dict[str, str]
) -> None:
    assert walls(host, container, [*SECURITY, *security]) == missing


def test_an_engine_without_seccomp_or_remapping_is_not_said_to_have_them() -> None:
    assert walls({}, {}, []) == {
        "system calls": "the engine has no seccomp",
        "users": "the engine does not remap users (dockerd --userns-remap)",
    }
    unconfined = walls({}, {}, ["name=seccomp,profile=unconfined", "name=userns"])
    assert unconfined == {"system calls": "seccomp is switched off"}
    assert "system calls" not in walls({"Runtime": "runsc"}, {}, [])


def test_a_privileged_container_has_no_walls() -> None:
    missing = walls({"Privileged": True}, {}, SECURITY)
    assert missing.keys() == {"files", "processes", "system calls", "rights"}


def test_what_an_engine_does_not_say_does_not_stand() -> None:
    found = containers.read(ContainerReport("unix:///x", {}, {}))
    assert {wall.name for wall in found if wall.stands} == {"own process", "guard", "scrubbed environment"}
    assert not is_isolated(found)


def test_before_it_runs_no_wall_is_said_to_stand() -> None:
    boundary = DockerExecutor().boundary()
    assert not boundary.isolated
    assert boundary.where.endswith("(not started)")


# --- what an image says of itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[]",
        b'{"python": "3.12"}',
        b'{"python":"3.1;x","machine":"x86_64","libc":"2.36","modules":[],"versions":{}}',
    ],
)
def test_what_an_image_says_of_itself_must_be_whole(said: bytes) -> None:
    with pytest.raises(CapabilityError):
        OtherSite(said)


def test_what_an_image_says_of_itself_is_read_as_data() -> None:
    site = OtherSite(b'{"python":"3.12","machine":"x86_64","libc":"2.36","modules":["os"],"versions":{"A_b":"1"}}')
    assert (site.has_module("os"), site.has_module("seaborn"), site.versions) == (True, False, {"a-b": "1"})
    assert site.flags["uv"] == ("--python-version", "3.12", "--python-platform", "x86_64-manylinux_2_36")
    assert SessionPackages().installed == ()


@pytest.mark.slow
@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
def test_names_of_an_image_do_not_reach_the_installer_as_options(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = {"python": "3.12", "machine": os.uname().machine, "libc": "2.36", "modules": [], "versions": {}}
    with closing(plots()) as index, closing(plots()) as evil, closing(SessionPackages()) as packages:
        configure(monkeypatch, index, tmp_path)
        said["versions"] = {f"a==1\n--index-url {evil.url}\nb": "1", "numpy": "1\n--index-url x"}
        plan = asyncio.run(packages.look_up(["tinyplots"], OtherSite(json.dumps(said).encode())))
    assert [each.package.name for each in plan.found] == ["tinyplots"]
    assert evil.asked == []


# --- the reaper ---------------------------------------------------------------------------------------------------------


def test_a_program_registered_with_the_reaper_is_run_when_the_kernel_is_gone(tmp_path: Path) -> None:
    reaper = Reaper()
    for name in ("kept", "forgotten"):
        code = "import os, sys; open(sys.argv[1], 'w').write(os.environ['WORD'])"
        reaper.register_command(name, [sys.executable, "-c", code, str(tmp_path / name)], {"WORD": name})
    reaper.register_command("no such program", [str(tmp_path / "none")], {})
    reaper.forget("forgotten")
    reaper.end()
    assert eventually(lambda: (tmp_path / "kept").exists() and (tmp_path / "kept").read_text() == "kept", 60)
    assert not (tmp_path / "forgotten").exists()
