"""Containers of smolcell on an engine: creates and removes them, records their owners, reads their walls.

* The labels of a container name its owner; they are written when it is created.
* A sweep removes containers of processes known to have ended: of this boot of this machine and of this process namespace. Containers
  of another machine, boot, namespace or user are never removed.
* A container is created with exactly the options written here; the walls are read back from the engine.
"""

from __future__ import annotations

import getpass
import os
import re
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from smolcell.core.text import visible
from smolcell.errors import SetupError
from smolcell.events import Wall
from smolcell.executors import child_environment, cleanup, walls
from smolcell.executors.docker.engine import Engine
from smolcell.machine.environment import importing
from smolcell.worker.system import processes

PREFIX = "smolcell-"
LABEL = "dev.smolcell."
WORK = "/sandbox"
CACHE = "/tmp/cache"  # noqa: S108 - the container's own
NOBODY = 65534
PACKAGES = "/packages"
SHARED_MEMORY_MB = 64  # MB of /dev/shm
NO_NETWORK = "none"
MAX_FILES = 20_000  # maximum files in the work folder, as in local
MAX_PACKAGE_FILES = 200_000
SAME_BOOT_SECONDS = 5  # tolerance when boot times are compared
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


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that a container belongs to, from the container's labels.

    Attributes:
        pid, start: its process id, and its start in ticks after boot (0 if unknown).
        boot: Linux's boot id of its machine; "" elsewhere.
        began: when the machine booted, in seconds since 1970 by its clock; 0 if unknown.
        view: its process namespace.
        uid, name: the user, and "user@machine".
        kernel: the Jupyter kernel's id, or "pid-…".
    """

    pid: int
    start: int
    boot: str
    began: int
    view: str
    uid: int
    name: str
    kernel: str = field(default="")

    @classmethod
    def here(cls) -> Owner:
        """Return the identity of this process, as the owner of a container."""
        process = processes.stat(os.getpid())
        return cls(
            pid=os.getpid(),
            start=process.start if process else 0,
            boot=_text("/proc/sys/kernel/random/boot_id"),
            began=int(time.time() - uptime()) if hasattr(time, "CLOCK_BOOTTIME") else 0,
            view=_link("/proc/self/ns/pid"),
            uid=os.getuid() if hasattr(os, "getuid") else 0,
            name=f"{_user()}@{socket.gethostname()}",
            kernel=_kernel(),
        )

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> Owner:
        """Read a container's owner; labels are untrusted, and invalid numbers count as 0."""

        def text(name: str) -> str:
            return " ".join(visible(str(labels.get(LABEL + name, ""))[:200]).split())

        def number(name: str) -> int:
            return int(text(name)) if text(name).isdecimal() else 0

        return cls(
            pid=number("pid"),
            start=number("start"),
            boot=text("boot"),
            began=number("began"),
            view=text("view"),
            uid=number("uid"),
            name=text("name"),
            kernel=text("kernel"),
        )

    def labels(self) -> dict[str, str]:
        """Return the labels of this owner's containers."""
        return {LABEL + name: str(getattr(self, name)) for name in self.__slots__}

    def is_beside(self, here: Owner) -> bool:
        """Return whether it is or was a process of this user that this process could see: same machine, boot and process namespace."""
        return bool(self.boot) and (self.boot, self.view, self.uid) == (here.boot, here.view, here.uid)

    def is_of_this_start(self, here: Owner) -> bool:
        """Return whether it belongs to the same boot of the same machine, as far as known.

        Machines started from one snapshot share the boot id and processes, but not the boot time, which is computed from the uptime.
        Returns False in doubt, if a clock was set meanwhile.
        """
        return bool(self.boot) and self.boot == here.boot and abs(self.began - here.began) <= SAME_BOOT_SECONDS

    def is_gone(self, here: Owner) -> bool:
        """Return whether that process is known to have ended, as seen from this one; False in doubt."""
        if not (self.is_beside(here) and self.is_of_this_start(here) and self.start and self.pid):
            return False
        process = processes.stat(self.pid)
        return process is None or process.start != self.start or process.state in "ZX"


def uptime() -> float:
    """Return seconds since this machine booted, by a monotonic clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _text(path: str) -> str:
    try:
        return Path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _link(path: str) -> str:
    try:
        return str(Path(path).readlink())
    except OSError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def _kernel() -> str:
    """Return the id of this process's Jupyter kernel, from the name of the connection file in its arguments."""
    match = re.search(r"kernel-([\w-]{1,60})\.json", " ".join(sys.argv))
    return match.group(1) if match else f"pid-{os.getpid()}"


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


def create(engine: Engine, image: str, name: str, size: int, shape: Shape) -> str:
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
            labels=Owner.here().labels(),
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


# --- packages ----------------------------------------------------------------------------------------------------------


# --- removing ----------------------------------------------------------------------------------------------------------


def remove(engine: Engine, name: str, seconds: float) -> int:
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


def list_containers(engine: Engine) -> Sequence[Mapping[str, Any]]:
    """List all containers of smolcell on the engine, with labels and names.

    Includes containers that a user runs from an image made of one (``docker commit``), which has its labels.
    """
    with engine.errors():
        containers: Sequence[Mapping[str, Any]] = engine.client.api.containers(
            all=True, filters={"label": f"{LABEL}pid"}
        )
    return [each for each in containers if any(str(name).startswith(f"/{PREFIX}") for name in each.get("Names") or ())]


def sweep(engine: Engine) -> list[str]:
    """Remove the containers of processes that have ended; returns their names. Failures are ignored."""
    here = Owner.here()
    names = []
    for container in list_containers(engine):
        if Owner.of(container.get("Labels") or {}).is_gone(here):
            name = str(container["Id"])
            with suppress(Exception):
                if remove(engine, name, 10.0) in (*GONE, BEING_REMOVED):
                    names.append(name)
    return names


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
    cleanup.register(name, f"{__name__}:end", name, environ=environ)


def end(name: str) -> bool:
    """Remove a container; returns False if it was already removed, or is being removed."""
    from smolcell.executors.docker.engine import Engine

    engine = Engine()
    try:
        with engine.errors():
            return remove(engine, name, 10.0) == REMOVED
    finally:
        engine.close()


# --- The walls of a container, from the engine's description of it.
#
# * A wall stands only if the engine reports it for this container.
# * "isolated" means that the host's files, the network and other processes are out of reach.


NEEDED = ("files", "network", "processes")


@dataclass(frozen=True, slots=True)
class Found:
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


def ask(engine: Engine, container: str) -> Found:
    """Ask the engine to describe a container and itself.

    Raises:
        SandboxError: it does not answer.
    """
    with engine.errors():
        details: Mapping[str, Any] = engine.client.api.inspect_container(container)
    return Found(engine.address, details, engine.info(), engine.is_podman)


def is_isolated(walls: Sequence[Wall]) -> bool:
    """Return whether the container may be called isolated."""
    stands = {wall.name for wall in walls if wall.stands}
    return stands.issuperset(NEEDED)


def read(facts: Found | None, mounts: int = 0) -> tuple[Wall, ...]:
    """Return the walls of a container; ``facts`` is None before it exists, ``mounts`` the number of read-only mounts requested."""
    if facts is None:
        return (
            *walls.ALWAYS,
            *(Wall(name=name, stands=False, detail="not known before the sandbox starts") for name in NEEDED),
        )
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
