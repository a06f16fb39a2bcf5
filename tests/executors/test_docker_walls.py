"""What code past the guard finds in a container, and what is said of the walls where an engine left one out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import engines
import pytest
from engines import DockerInTests, UnguardedDocker

from smolcell.errors import SmolcellError
from smolcell.executors.docker import containers
from smolcell.executors.docker.containers import Found
from smolcell.executors.docker.engine import Engine

# --- on a real engine --------------------------------------------------------------------------------------------------


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
    code = (
        "import os, socket\n"
        "status = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\\t' in line)\n"
        "mounts = [line.split() for line in open('/proc/self/mounts')]\n"
        "disks = sorted((m[1], m[3].split(',')[0]) for m in mounts if m[0].startswith('/dev/'))\n"
        "names = open('/etc/resolv.conf').read().split()\n"
        "[status[n] for n in ('CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp')], os.getuid(), os.getgroups(),"
        " [name for _, name in socket.if_nameindex()], disks, sorted(n for n in os.environ if 'PROXY' in n.upper()), names"
    )
    rights, user, groups, cards, disks, proxies, names = unguarded(code).output
    assert rights == ["0" * 16] * 4 + ["1", "2"]
    assert (user, groups, cards, proxies) == (65534, [65534], ["lo"], [])
    assert set(disks) <= {
        (f"/etc/{name}", "ro") for name in ("hosts", "hostname", "resolv.conf")
    }  # the engine made these
    assert [name for name in names if name not in ("nameserver", "search", ".")] == ["127.0.0.1"]


def test_code_cannot_end_its_worker_nor_change_its_program(unguarded: DockerInTests) -> None:
    unguarded("kept = 1")
    unguarded("import os, signal\nos.kill(1, signal.SIGKILL)\nos.kill(1, signal.SIGSTOP)\nos.kill(1, signal.SIGTERM)")
    assert unguarded("kept").output == 1


def test_code_that_ends_everything_it_can_ends_itself_only(unguarded: DockerInTests) -> None:
    with pytest.raises(SmolcellError, match="ended"):
        unguarded("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert unguarded("import os\nos.getppid()").output == 1


def test_processes_are_bounded_and_the_sandbox_goes_on(unguarded: DockerInTests) -> None:
    code = (
        "import os, time\n"
        "started = 0\n"
        "try:\n"
        "    for _ in range(1000):\n"
        "        if os.fork() == 0:\n"
        "            time.sleep(60)\n"
        "            os._exit(0)\n"
        "        started += 1\n"
        "except OSError as error:\n"
        "    print(error.strerror)\n"
        "started"
    )
    observed = unguarded(code)
    assert observed.output < 256 and "Resource temporarily unavailable" in observed.stdout
    with pytest.raises(SmolcellError, match="ended"):
        unguarded("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")  # the next runner finds none of them
    assert unguarded("import os\n[name for name in os.listdir('/proc') if name.isdigit()].__len__()").output == 2


def test_walls_are_read_back_from_the_engine(unguarded: DockerInTests, engine: Engine) -> None:
    boundary = unguarded.boundary()
    assert boundary.isolated
    stands = {wall.name: wall.stands for wall in boundary.walls}
    assert all(stands[name] for name in ("files", "network", "processes", "rights", "limits"))
    assert unguarded._channel is not None
    seen = engine.client.api.inspect_container(unguarded._channel.id)
    assert (seen["HostConfig"]["NetworkMode"], seen["HostConfig"]["ReadonlyRootfs"]) == ("none", True)
    assert (seen["HostConfig"]["PortBindings"] or {}, seen["Mounts"]) == ({}, [])
    assert seen["HostConfig"]["LogConfig"]["Type"] == "none"
    assert seen["HostConfig"]["AutoRemove"] is True and seen["Config"]["StdinOnce"] is True


# --- read from what an engine says -------------------------------------------------------------------------------------

HOST: Mapping[str, Any] = {
    "NetworkMode": "none",
    "ReadonlyRootfs": True,
    "CapDrop": ["ALL"],
    "SecurityOpt": ["no-new-privileges"],
    "Memory": 1 << 30,
    "CpuQuota": 100_000,
    "PidsLimit": 256,
    "IpcMode": "private",
    "PidMode": "",
    "Runtime": "runc",
}
CONTAINER: Mapping[str, Any] = {
    "Mounts": [],
    "NetworkSettings": {"Networks": {"none": {}}},
    "Config": {"User": "65534:65534"},
}


def walls(host: Mapping[str, Any], container: Mapping[str, Any], security: list[str]) -> dict[str, str]:
    """The walls that do not stand, with what is said of them."""
    said = {**CONTAINER, **container, "HostConfig": {**HOST, **host}}
    found = containers.read(Found("unix:///x", said, {"SecurityOptions": security}))
    assert containers.is_isolated(found) is all(
        wall.stands for wall in found if wall.name in ("files", "network", "processes")
    )
    return {wall.name: wall.detail for wall in found if not wall.stands}


def test_a_container_as_it_was_asked_for_has_every_wall() -> None:
    assert walls({}, {}, ["name=seccomp,profile=default", "name=userns"]) == {}
    assert walls({}, {}, ["name=seccomp,profile=default", "name=rootless"]) == {}


def test_what_podman_says_of_the_same_container_has_every_wall_and_docker_s_shared_one_has_not() -> None:
    """Podman 4.3 lists the capabilities that it dropped, and calls an IPC namespace of its own "shareable"."""
    dropped = "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP"
    host = {**HOST, "CapDrop": [*dropped.split(), "CAP_SETUID", "SYS_CHROOT"], "IpcMode": "shareable"}
    said = {**CONTAINER, "HostConfig": host}
    info = {"SecurityOptions": ["name=seccomp,profile=default", "name=rootless"]}
    missing = [
        {wall.name: wall.detail for wall in containers.read(Found("unix:///x", said, info, podman)) if not wall.stands}
        for podman in (True, False)
    ]
    assert missing == [{}, {"processes": "the container is in the IPC namespace shareable"}]
    fewer = {**host, "CapDrop": dropped.split()}
    found = containers.read(Found("unix:///x", {**CONTAINER, "HostConfig": fewer}, info, True))
    assert {wall.name: wall.detail for wall in found if not wall.stands} == {
        "rights": "not every capability is dropped"
    }


def test_podman_is_asked_for_no_owner_and_no_limit_on_files() -> None:
    asked = containers.tmpfs(64, podman=True)
    assert asked["/tmp"] == "rw,noexec,nosuid,nodev,size=64m,mode=1777"
    assert not [words for words in asked.values() if "nr_inodes" in words or "id=" in words.replace("nosuid", "")]
    assert all("nr_inodes=" in words for words in containers.tmpfs(64, podman=False).values())


@pytest.mark.parametrize(
    ("host", "container", "security", "missing"),
    [
        ({"NetworkMode": "bridge"}, {}, [], {"network": "the container is in the network bridge"}),
        (
            {},
            {"NetworkSettings": {"Networks": {"none": {}, "mine": {}}}},
            [],
            {"network": "the container is connected to mine"},
        ),
        ({"ReadonlyRootfs": False}, {}, [], {"files": "the image's files can be changed"}),
        (
            {},
            {"Mounts": [{"Type": "bind", "Source": "/home", "Destination": "/h", "RW": False}]},
            [],
            {"files": "/home is mounted at /h"},
        ),
        (
            {},
            {"Mounts": [{"Type": "volume", "Name": "v", "Destination": "/data", "RW": True}]},
            [],
            {"files": "v is mounted at /data", "limits": "what is written to /data is not bounded"},
        ),
        ({"PidMode": "host"}, {}, [], {"processes": "the container is in the process namespace host"}),
        ({"CapDrop": []}, {}, [], {"rights": "not every capability is dropped"}),
        ({"CapAdd": ["SYS_ADMIN"]}, {}, [], {"rights": "the capability SYS_ADMIN is added"}),
        ({"SecurityOpt": []}, {}, [], {"rights": "new privileges can be had"}),
        ({}, {"Config": {"User": ""}}, [], {"rights": "the code runs as root of the container"}),
        ({"PidsLimit": 0}, {}, [], {"limits": "the engine does not bound processes"}),
        ({"Memory": 0}, {}, [], {"limits": "the engine does not bound memory"}),
        (
            {"SecurityOpt": ["no-new-privileges", "seccomp=unconfined"]},
            {},
            [],
            {"system calls": "seccomp is switched off"},
        ),
        ({"UsernsMode": "host"}, {}, [], {"users": "switched off for this container"}),
    ],
)
def test_a_wall_that_the_engine_left_out_does_not_stand(
    host: Mapping[str, Any], container: Mapping[str, Any], security: list[str], missing: dict[str, str]
) -> None:
    assert walls(host, container, ["name=seccomp,profile=default", "name=userns", *security]) == missing


def test_an_engine_without_seccomp_or_remapping_is_not_said_to_have_them() -> None:
    assert walls({}, {}, []) == {
        "system calls": "the engine has no seccomp",
        "users": "the engine does not remap users (dockerd --userns-remap)",
    }
    unconfined = walls({}, {}, ["name=seccomp,profile=unconfined", "name=userns"])
    assert unconfined == {"system calls": "seccomp is switched off"}
    assert "system calls" not in walls({"Runtime": "runsc"}, {}, [])


def test_a_privileged_container_has_no_walls() -> None:
    missing = walls({"Privileged": True}, {}, ["name=seccomp,profile=default", "name=userns"])
    assert missing.keys() == {"files", "processes", "system calls", "rights"}


def test_what_an_engine_does_not_say_does_not_stand() -> None:
    found = containers.read(Found("unix:///x", {}, {}))
    assert {wall.name for wall in found if wall.stands} == {"own process", "guard", "scrubbed environment"}
    assert not containers.is_isolated(found)


def test_before_it_runs_no_wall_is_said_to_stand(make_none: Callable[[], DockerInTests]) -> None:
    boundary = make_none().boundary()
    assert not boundary.isolated
    assert boundary.where.endswith("(not started)")


@pytest.fixture
def make_none() -> Callable[[], DockerInTests]:
    return DockerInTests
