"""Containers of smolcell on an engine: creates, lists and removes them, and reads their walls.

* The labels of a container name its owner; they are written when it is created.
* A sweep removes containers of processes known to have ended: of this boot of this machine and of this process namespace. Containers
  of another machine, boot, namespace or user are never removed.
* A container is created with exactly the options written here; the walls are read back from the engine.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from smolcell.core.text import visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Wall
from smolcell.executors import child_environment, walls
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.reaper import register_end
from smolcell.executors.registry import LABEL, Sandbox, SandboxOwner, state_words
from smolcell.machine.environment import importing

PREFIX = "smolcell-"
WORK = "/sandbox"
CACHE = "/tmp/cache"  # noqa: S108 - the container's own
NOBODY = 65534
PACKAGES = "/packages"
SHARED_MEMORY_MB = 64  # MB of /dev/shm
NO_NETWORK = "none"
MAX_FILES = 20_000  # maximum files in the work folder, as in local
MAX_PACKAGE_FILES = 200_000
PERIOD_MICROSECONDS = 100_000  # microseconds of the period in which ``cpus`` is enforced
FIRST_WORDS = """import os,sys
v="this image has Python %d.%d.%d, and 3.9 or newer is needed; choose another, for example: --sandbox docker:python:3.12-slim"
if sys.version_info<(3,9):
    sys.stderr.write(v%sys.version_info[:3]+"\\n");sys.exit(78)
f=os.memfd_create("worker",os.MFD_CLOEXEC|os.MFD_ALLOW_SEALING)
n=int(sys.argv[1])
while n:
    b=os.read(0,min(n,65536))
    if not b:sys.exit(0)
    n-=os.write(f,b)
import fcntl
fcntl.fcntl(f,1033,15)
sys.path.insert(0,"/proc/self/fd/%d"%f)
from smolcell_worker.cloud import contained_main
contained_main()
"""
"""Program of the container's first process: copies the worker from stdin to sealed memory (1033 is F_ADD_SEALS), and runs it.
Valid in any Python 3, so that an old one can report that it is too old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Limits and mounts of a container.

    Args:
        memory: maximum memory of one process of the code, in MB. The container gets half as much again, 256 MB for the worker,
            and ``disk``.
        disk: maximum size of the work folder in MB; it is in memory.
        cpus: maximum processor time per time.
        pids: maximum processes and threads.
        interpreter: Python in the image.
        runtime: the engine's runtime, "runsc" for gVisor; None for its default.
        userns_mode: user namespace, as ``docker run --userns``; None for the engine's setting.
        network: network of the engine; "none" for none.
        mounts: files and folders of the host that the code may read, at ``mounted_at``.
        gpu: graphics cards: ("all",), (their number,), or "id" and their ids; () for none.
    """

    memory: int = 2048
    disk: int = 1024
    cpus: float = 2.0
    pids: int = 256
    interpreter: str = "python3"
    runtime: str | None = None
    userns_mode: str | None = None
    network: str = NO_NETWORK
    mounts: tuple[str, ...] = ()
    gpu: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers: an engine takes 0 and -1 as no limit.

        Raises:
            SetupError: a number is too small.
        """
        for name, least in (("memory", 16), ("disk", 1), ("cpus", 0.01), ("pids", 8)):
            if getattr(self, name) < least:
                raise SetupError(
                    f"{name}={getattr(self, name)} is too little for a container; write: {name}={least:g}, or more"
                )


# --- creating ----------------------------------------------------------------------------------------------------------


def mounted_at(number: int) -> str:
    """Return the path in the container of a mount, by its number."""
    return f"/mnt/{number}"


def read_gpu(given: str | int | Sequence[str] | None) -> tuple[str, ...]:
    """Parse an option for graphics cards: ("all",), (a number,), or "id" and ids.

    Raises:
        SetupError: it is none of these.
    """
    if given is None:
        return ()
    if given == "all" or (type(given) is int and given > 0):
        return (str(given),)
    if not isinstance(given, str | int) and given and all(type(each) is str and each for each in given):
        return ("id", *given)
    raise SetupError(f"gpu={given!r} is not valid; write gpu='all', a number such as gpu=1, or ids such as gpu=['0']")


def _devices(gpu: tuple[str, ...]) -> list[Any] | None:
    with importing():
        from docker.types import DeviceRequest

    if not gpu:
        return None
    which: dict[str, Any] = (
        {"device_ids": list(gpu[1:])} if gpu[0] == "id" else {"count": -1 if gpu[0] == "all" else int(gpu[0])}
    )
    return [DeviceRequest(capabilities=[["gpu"]], **which)]


def create(engine: DockerEngine, image: str, name: str, size: int, shape: Shape) -> str:
    """Create, but do not start, a container for a worker of ``size`` bytes; returns its id.

    Raises:
        SandboxError, SetupError: the engine refused.
    """
    with importing():
        from docker.types import LogConfig, Mount

    api = engine.client.api
    alone = shape.network == NO_NETWORK
    total = (shape.memory * 3 // 2 + 256 + shape.disk) << 20
    with engine.errors(image):
        host = api.create_host_config(
            network_mode=shape.network,
            dns=["127.0.0.1"] if alone else None,  # otherwise the container sees the names of the machine's network
            dns_search=["."] if alone else None,
            read_only=True,
            ipc_mode="private",  # some engines share it by default
            tmpfs=tmpfs(shape.disk, engine.is_podman),
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            mem_limit=total,
            memswap_limit=total,
            cpu_period=PERIOD_MICROSECONDS,
            cpu_quota=int(shape.cpus * PERIOD_MICROSECONDS),
            pids_limit=shape.pids,
            shm_size=SHARED_MEMORY_MB << 20,
            auto_remove=True,
            log_config=LogConfig(type="none"),  # its output are frames with values, which may be secret
            userns_mode=shape.userns_mode,
            runtime=shape.runtime,
            mounts=[
                Mount(mounted_at(number), path, type="bind", read_only=True, propagation="rprivate")
                for number, path in enumerate(shape.mounts)
            ],
            device_requests=_devices(shape.gpu),
        )
        container = api.create_container(
            image,
            command=[shape.interpreter, "-I", "-S", "-c", FIRST_WORDS, str(size)],
            entrypoint="",
            hostname="sandbox",
            user=f"{NOBODY}:{NOBODY}",
            stdin_open=True,
            working_dir="/",  # for others the engine would create a folder, with another mode
            environment=child_environment.container(WORK, CACHE),
            labels=SandboxOwner.here().labels(),
            name=name,
            host_config=host,
            healthcheck={"test": ["NONE"]},
            stop_signal="SIGKILL",
            use_config_proxy=False,  # it may contain a password
        )
    return str(container["Id"])


def tmpfs(disk: int, podman: bool) -> dict[str, str]:
    """Return the in-memory folders of a container with their options; ``disk``: MB. Podman does not support limits of files, and owners."""
    given = {
        # The owner too: if the image has this folder, runc uses the image's mode.
        WORK: f"rw,noexec,nosuid,nodev,size={disk}m,nr_inodes={MAX_FILES},uid={NOBODY},gid={NOBODY},mode=1777",
        # Only root of the container writes here, when packages are installed; the code reads them.
        PACKAGES: f"rw,exec,nosuid,nodev,size={disk}m,nr_inodes={MAX_PACKAGE_FILES},uid=0,gid=0,mode=755",
        "/tmp": "rw,noexec,nosuid,nodev,size=64m,nr_inodes=1000,mode=1777",  # noqa: S108 - the container's own
    }
    if podman:  # it creates this one itself, without a limit
        given["/var/tmp"] = given["/tmp"]  # noqa: S108 - the container's own
    refused = ("nr_inodes=", "uid=", "gid=") if podman else ()
    return {
        path: ",".join(word for word in words.split(",") if not word.startswith(refused)) if refused else words
        for path, words in given.items()
    }


# --- removing ----------------------------------------------------------------------------------------------------------


def remove(engine: DockerEngine, name: str, seconds: float) -> int:
    """Remove a container and end everything in it; returns the engine's status, one of those below.

    Raises:
        Exception: the engine does not answer; its HTTP library raises many kinds.
    """
    engine.knock()
    api = engine.client.api
    url = f"{api.base_url}/v{api.api_version}/containers/{name}"
    return int(api.delete(url, params={"force": "true", "v": "true"}, timeout=seconds).status_code)


REMOVED, NOT_THERE, BEING_REMOVED = 204, 404, 409
GONE = (REMOVED, NOT_THERE)


def list_containers(engine: DockerEngine) -> Sequence[Mapping[str, Any]]:
    """List all containers of smolcell on the engine, with labels and names.

    Includes containers that a user runs from an image made of one (``docker commit``), which has its labels.
    """
    with engine.errors():
        containers: Sequence[Mapping[str, Any]] = engine.client.api.containers(
            all=True, filters={"label": f"{LABEL}pid"}
        )
    return [each for each in containers if any(str(name).startswith(f"/{PREFIX}") for name in each.get("Names") or ())]


def sweep(engine: DockerEngine) -> list[str]:
    """Remove the containers of processes that have ended; returns their names. Failures are ignored."""
    here = SandboxOwner.here()
    names = []
    for container in list_containers(engine):
        if SandboxOwner.of(container.get("Labels") or {}).is_gone(here):
            name = str(container["Id"])
            with suppress(Exception):
                if remove(engine, name, 10.0) in (*GONE, BEING_REMOVED):
                    names.append(name)
    return names


# --- Lists of sandboxes.


def sandboxes(engine: DockerEngine) -> list[Sandbox]:
    """Return all containers of smolcell on an engine, for lists of sandboxes."""
    info, here = engine.info(), SandboxOwner.here()
    return [_sandbox(engine, info, here, each) for each in list_containers(engine)]


def _sandbox(engine: DockerEngine, info: Mapping[str, Any], here: SandboxOwner, summary: Mapping[str, Any]) -> Sandbox:
    owner = SandboxOwner.of(summary.get("Labels") or {})
    details = _inspected(engine, str(summary["Id"]))
    memory, cpu = _usage(engine, summary)
    names = [str(name).lstrip("/") for name in summary.get("Names") or ()]
    return Sandbox(
        kind="docker",
        name=visible(names[0] if names else str(summary["Id"])[:12]),
        state=_state(summary, details),
        image=visible(str(summary.get("Image", ""))),
        age=time.time() - float(created) if (created := summary.get("Created")) else None,
        memory=memory,
        cpu=cpu,
        **owner.facts(here),
        walls=_standing(engine, info, details),
        place=str(summary["Id"]),
    )


def _inspected(engine: DockerEngine, container: str) -> Mapping[str, Any] | None:
    try:
        with engine.errors():
            details: Mapping[str, Any] = engine.client.api.inspect_container(container)
            return details
    except SmolcellError:
        return None  # it has ended meanwhile


def _state(summary: Mapping[str, Any], details: Mapping[str, Any] | None) -> str:
    """Return the engine's current name of its state, else the one in the list; with the exit code if it has ended."""
    state = (details or {}).get("State")
    state = state if isinstance(state, Mapping) else {}
    word = state_words(str(state.get("Status") or summary.get("State") or ""))
    code = state.get("ExitCode")
    return f"{word} ({code})" if word in ("exited", "dead") and type(code) is int else word


def _standing(engine: DockerEngine, info: Mapping[str, Any], details: Mapping[str, Any] | None) -> tuple[str, ...]:
    if details is None:
        return ()
    standing = read(ContainerReport(engine.address, details, info, engine.is_podman))
    return ("guard", *(wall.name for wall in standing if wall.stands and wall not in walls.ALWAYS))


def _usage(engine: DockerEngine, summary: Mapping[str, Any]) -> tuple[int | None, float | None]:
    if summary.get("State") not in ("running", "paused"):
        return None, None
    try:
        with engine.errors():
            stats = engine.client.api.stats(str(summary["Id"]), stream=False, one_shot=True)
        return _held(stats["memory_stats"]), int(stats["cpu_stats"]["cpu_usage"]["total_usage"]) / 1e9
    except (SmolcellError, LookupError, TypeError, ValueError):
        return None, None  # it has ended meanwhile, or the engine does not measure


def _held(memory: Mapping[str, Any]) -> int:
    """Return the memory in bytes without caches of files, as ``docker stats`` counts it (control groups 1 and 2)."""
    cached = memory["stats"].get("total_inactive_file", memory["stats"].get("inactive_file", 0))
    return max(0, int(memory["usage"]) - int(cached))


# --- called by the reaper, after this process has ended


ENVIRONMENT = (*child_environment.USER, "DOCKER_", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME")


def register(name: str, address: str) -> None:
    """Register a container with the reaper, which removes it after this process has ended.

    Args:
        name: name of the container.
        address: address of the engine.
    """
    environ = child_environment.inherited(*ENVIRONMENT)
    if not address.startswith(("tcp://", "http")):  # for these, further variables configure TLS
        environ["DOCKER_HOST"] = address
    register_end(name, f"{__name__}:end", name, environ=environ)


def end(name: str) -> bool:
    """Remove a container; returns False if it was already removed, or is being removed."""
    with closing(DockerEngine()) as engine, engine.errors():
        return remove(engine, name, 10.0) == REMOVED


# --- The walls of a container, from the engine's description of it.
#
# * A wall stands only if the engine reports it for this container.
# * "isolated" means that the host's files, the network and other processes are out of reach.


@dataclass(frozen=True, slots=True)
class ContainerReport:
    """An engine's description of a container.

    Attributes:
        engine: address of the engine.
        container: output of ``docker inspect``.
        info: output of ``docker info``.
        podman: whether the engine is Podman, which uses other terms.
    """

    engine: str
    container: Mapping[str, Any]
    info: Mapping[str, Any]
    podman: bool = False


def ask(engine: DockerEngine, container: str) -> ContainerReport:
    """Ask the engine to describe a container and itself.

    Raises:
        SandboxError: it does not answer.
    """
    with engine.errors():
        details: Mapping[str, Any] = engine.client.api.inspect_container(container)
    return ContainerReport(engine.address, details, engine.info(), engine.is_podman)


def read(facts: ContainerReport | None, mounts: int = 0) -> tuple[Wall, ...]:
    """Return the walls of a container; ``facts`` is None before it exists, ``mounts`` the number of read-only mounts requested."""
    if facts is None:
        return (*walls.ALWAYS, *walls.NOT_STARTED)
    host = facts.container.get("HostConfig") or {}
    security = [str(option) for option in facts.info.get("SecurityOptions") or ()]
    return (
        *walls.ALWAYS,
        _limits(facts.container, host),
        _files(facts.container, host, {mounted_at(number) for number in range(mounts)}),
        _network(facts.container, host),
        _processes(host, own_ipc=("", "private", "none", *(["shareable"] if facts.podman else []))),
        _calls(host, security),
        _rights(facts.container, host),
        _users(host, security),
    )


def _wall(name: str, faults: Sequence[str], detail: str) -> Wall:
    return Wall(name=name, stands=not faults, detail="; ".join(faults) or detail)


def _files(container: Mapping[str, Any], host: Mapping[str, Any], read_only: set[str]) -> Wall:
    faults = [
        f"{mount.get('Source') or mount.get('Name')} is mounted at {mount.get('Destination')}"
        for mount in container.get("Mounts") or ()
        if mount.get("Type") != "tmpfs"
        if not (mount.get("Type") == "bind" and mount.get("Destination") in read_only and mount.get("RW") is False)
    ]
    faults += [f"{path} is mounted" for path in host.get("Binds") or ()]
    faults += _privileged(host)
    if not host.get("ReadonlyRootfs"):
        faults.append("the image's files can be changed")
    return _wall("files", faults, "the image's files, read-only, and a work folder in memory are the only files")


def _network(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    networks = set((container.get("NetworkSettings") or {}).get("Networks") or {})
    mode = host.get("NetworkMode")
    faults = [] if mode == "none" else [f"the container is in the network {mode or 'that the engine chose'}"]
    faults += [f"the container is connected to {name}" for name in sorted(networks - {"none"})]
    return _wall("network", faults, "an empty network of its own")


def _processes(host: Mapping[str, Any], own_ipc: Sequence[str]) -> Wall:
    """Return the wall around other processes; ``own_ipc``: names of a private IPC namespace, which Podman calls shareable."""
    faults = [
        f"the container is in the {what} namespace {host.get(key, 'that the engine chose')}"
        for what, key, own in (("process", "PidMode", ("", "private")), ("IPC", "IpcMode", own_ipc))
        if host.get(key) not in own
    ]
    return _wall("processes", faults + _privileged(host), "no process but the sandbox's own can be seen")


def _calls(host: Mapping[str, Any], security: Sequence[str]) -> Wall:
    options = [str(option) for option in host.get("SecurityOpt") or ()]
    runtime = host.get("Runtime") or ""
    if runtime.startswith("runsc"):
        return Wall(name="system calls", stands=True, detail="another kernel answers them (gVisor)")
    faults = []
    if not any("name=seccomp" in option for option in security):
        faults.append("the engine has no seccomp")
    unconfined = any("name=seccomp" in option and "profile=unconfined" in option for option in security)
    if unconfined or any(option.replace("=", ":") == "seccomp:unconfined" for option in options):
        faults.append("seccomp is switched off")
    return _wall(
        "system calls",
        faults + _privileged(host),
        "calls that reach into the kernel are refused (the engine's seccomp profile)",
    )


CAPABILITIES = (
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP SETUID SYS_CHROOT"
).split()
"""Capabilities that engines give a container by default. Source: "Runtime privilege and Linux capabilities" on docs.docker.com."""


def _rights(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    user = str((container.get("Config") or {}).get("User") or "")
    faults = [] if user.split(":")[0] not in ("", "0", "root") else ["the code runs as root of the container"]
    dropped = {str(name).upper().removeprefix("CAP_") for name in host.get("CapDrop") or ()}
    if "ALL" not in dropped and not dropped.issuperset(CAPABILITIES):  # Podman lists them one by one
        faults.append("not every capability is dropped")
    faults += [f"the capability {name} is added" for name in host.get("CapAdd") or ()]
    if not any(
        str(option).startswith("no-new-privileges") and not str(option).endswith("false")
        for option in host.get("SecurityOpt") or ()
    ):
        faults.append("new privileges can be had")
    return _wall("rights", faults + _privileged(host), "an ordinary user's, who can gain no others")


def _users(host: Mapping[str, Any], security: Sequence[str]) -> Wall:
    if any("name=rootless" in option for option in security):
        return Wall(name="users", stands=True, detail="the engine itself runs without an administrator's rights")
    remapped = any("name=userns" in option for option in security)
    if remapped and host.get("UsernsMode") != "host":
        return Wall(
            name="users", stands=True, detail="the container's users are none of the machine's (user namespace)"
        )
    why = "switched off for this container" if remapped else "the engine does not remap users (dockerd --userns-remap)"
    return Wall(name="users", stands=False, detail=why)


def _limits(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    bounded = {
        "memory": host.get("Memory"),
        "processors": host.get("CpuQuota") or host.get("NanoCpus"),
        "processes": host.get("PidsLimit"),
    }
    faults = [f"the engine does not bound {name}" for name, value in bounded.items() if not value or value < 0]
    faults += [
        f"what is written to {mount.get('Destination')} is not bounded"  # an image can declare a volume
        for mount in container.get("Mounts") or ()
        if mount.get("Type") != "tmpfs" and mount.get("RW", True)
    ]
    return _wall("limits", faults, "time, memory, processors, processes, disk and output are bounded")


def _privileged(host: Mapping[str, Any]) -> list[str]:
    return ["the container is privileged"] if host.get("Privileged") else []
