"""Containers of smolcell on an engine: their owners, how they are made, and removing orphans.

* A container says whose it is by its labels, written when it is made.
* A sweep removes what belongs to a process that is known to be gone: one of this machine's present start and of this process's own
  view of processes. Whatever runs for another machine, start, view or user is left alone.
* A container gets the options written here and no more; the walls are read back from the engine.
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

from smolcell.environment import importing
from smolcell.errors import SetupError
from smolcell.events import Wall
from smolcell.executors import child_environment, cleanup, walls
from smolcell.executors.docker.engine import Engine
from smolcell.text import visible
from smolcell.worker.system import processes

PREFIX = "smolcell-"
LABEL = "dev.smolcell."
WORK = "/sandbox"
CACHE = "/tmp/cache"  # noqa: S108 - the container's own
NOBODY = 65534
PACKAGES = "/packages"
SHARED_MEMORY = 64  # MB of /dev/shm
NO_NETWORK = "none"
FILES = 20_000  # that the work folder may hold, as in local
PACKAGE_FILES = 200_000
SAME_START = 5  # seconds by which two reckonings of one start may differ
PERIOD = 100_000  # microseconds in which ``cpus`` is counted
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
"""The program the container is started with: it takes the worker from its stdin into sealed memory (1033 is
F_ADD_SEALS), and runs it. Readable by any Python 3, so that an old one can say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The limits and mounts of a container.

    Args:
        memory: megabytes that one process of the code may allocate. The container gets half as
            much again, 256 MB for the worker, and ``disk``.
        disk: megabytes of the work folder, which lies in memory.
        cpus: processors' worth of time.
        pids: processes and threads.
        interpreter: the Python in the image.
        runtime: the engine's runtime, "runsc" for gVisor; None for its default.
        userns_mode: the user namespace, as ``docker run --userns``; None for the engine's own setting.
        network: the engine's network that the container is in; "none" for none.
        mounts: files and folders of the host that it may read, at ``mounted_at``.
        gpu: graphics cards: ("all",), (their number,), or their ids behind "id"; () for none.
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
        """Hold it to bounds: to an engine, none and -1 mean that there is no limit.

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
    """The process a container belongs to, by the container's labels.

    Attributes:
        pid, start: its process id, and its start in ticks after boot (0 if unknown).
        boot: the machine's present start (Linux's boot id; "" elsewhere).
        began: when that was, in seconds since 1970 by the machine's clock; 0 if unknown.
        view: the namespace that the process id is counted in.
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
        """Return the owner for this process."""
        found = processes.stat(os.getpid())
        return cls(
            pid=os.getpid(),
            start=found.start if found else 0,
            boot=_text("/proc/sys/kernel/random/boot_id"),
            began=int(time.time() - uptime()) if hasattr(time, "CLOCK_BOOTTIME") else 0,
            view=_link("/proc/self/ns/pid"),
            uid=os.getuid() if hasattr(os, "getuid") else 0,
            name=f"{_user()}@{socket.gethostname()}",
            kernel=_kernel(),
        )

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> Owner:
        """Whose a container is; labels are untrusted, and count as 0 if they are no numbers."""

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
        """Return the owner as a container's labels."""
        return {LABEL + name: str(getattr(self, name)) for name in self.__slots__}

    def is_beside(self, here: Owner) -> bool:
        """Return whether it is, or was, a process of the same user that this one can see: of the same machine, start and view."""
        return bool(self.boot) and (self.boot, self.view, self.uid) == (here.boot, here.view, here.uid)

    def is_of_this_start(self, here: Owner) -> bool:
        """Return whether it is of the same start of the same machine, as far as can be found out.

        Machines that were begun from one snapshot have one boot id, and the same processes; they differ in when they began, which is
        reckoned back from now. False if it is in doubt because a clock was set meanwhile.
        """
        return bool(self.boot) and self.boot == here.boot and abs(self.began - here.began) <= SAME_START

    def is_gone(self, here: Owner) -> bool:
        """Return whether that process is known to be gone, judged from this one. In doubt it is not."""
        if not (self.is_beside(here) and self.is_of_this_start(here) and self.start and self.pid):
            return False
        found = processes.stat(self.pid)
        return found is None or found.start != self.start or found.state in "ZX"


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
    """Return the id in the name of the kernel's connection file, which is among its arguments."""
    found = re.search(r"kernel-([\w-]{1,60})\.json", " ".join(sys.argv))
    return found.group(1) if found else f"pid-{os.getpid()}"


# --- making them -------------------------------------------------------------------------------------------------------


def mounted_at(number: int) -> str:
    """Return the place in the container of the mount with this number."""
    return f"/mnt/{number}"


def read_gpu(given: str | int | Sequence[str] | None) -> tuple[str, ...]:
    """Which graphics cards are asked for: ("all",), (a number,), or ids behind "id".

    Raises:
        SetupError: it says none of this.
    """
    if given is None:
        return ()
    if given == "all" or (type(given) is int and given > 0):
        return (str(given),)
    if not isinstance(given, str | int) and given and all(type(each) is str and each for each in given):
        return ("id", *given)
    raise SetupError(
        f"gpu={given!r} names no graphics cards; write gpu='all', a number such as gpu=1, or ids such as gpu=['0']"
    )


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
    """Make a container that will take a worker of ``size`` bytes; it is not started. Returns its id.

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
            dns=["127.0.0.1"] if alone else None,  # else the names of the machine's own network are in the container
            dns_search=["."] if alone else None,
            read_only=True,
            ipc_mode="private",  # some engines are configured to share it
            tmpfs=tmpfs(shape.disk, engine.is_podman),
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            mem_limit=total,
            memswap_limit=total,
            cpu_period=PERIOD,
            cpu_quota=int(shape.cpus * PERIOD),
            pids_limit=shape.pids,
            shm_size=SHARED_MEMORY << 20,
            auto_remove=True,
            log_config=LogConfig(type="none"),  # its output is frames: values, perhaps secret ones
            userns_mode=shape.userns_mode,
            runtime=shape.runtime,
            mounts=[
                Mount(mounted_at(number), path, type="bind", read_only=True, propagation="rprivate")
                for number, path in enumerate(shape.mounts)
            ],
            device_requests=_devices(shape.gpu),
        )
        made = api.create_container(
            image,
            command=[shape.interpreter, "-I", "-S", "-c", FIRST_WORDS, str(size)],
            entrypoint="",
            hostname="sandbox",
            user=f"{NOBODY}:{NOBODY}",
            stdin_open=True,
            working_dir="/",  # the engine would make another, with a mode of its own
            environment=child_environment.container(WORK, CACHE),
            labels=Owner.here().labels(),
            name=name,
            host_config=host,
            healthcheck={"test": ["NONE"]},
            stop_signal="SIGKILL",
            use_config_proxy=False,  # it may hold a password
        )
    return str(made["Id"])


def tmpfs(disk: int, podman: bool) -> dict[str, str]:
    """Return the folders of a container that are memory, with their options; ``disk``: MB. Podman refuses limits on files, and owners."""
    given = {
        # The owner too: if the image has such a folder, runc gives it the image's mode.
        WORK: f"rw,noexec,nosuid,nodev,size={disk}m,nr_inodes={FILES},uid={NOBODY},gid={NOBODY},mode=1777",
        # Written by root of the container only, when packages are installed: the code reads them.
        PACKAGES: f"rw,exec,nosuid,nodev,size={disk}m,nr_inodes={PACKAGE_FILES},uid=0,gid=0,mode=755",
        "/tmp": "rw,noexec,nosuid,nodev,size=64m,nr_inodes=1000,mode=1777",  # noqa: S108 - the container's own
    }
    if podman:  # it would make this one itself, without a limit
        given["/var/tmp"] = given["/tmp"]  # noqa: S108 - the container's own
    refused = ("nr_inodes=", "uid=", "gid=") if podman else ()
    return {
        path: ",".join(word for word in words.split(",") if not word.startswith(refused)) if refused else words
        for path, words in given.items()
    }


# --- packages ----------------------------------------------------------------------------------------------------------


# --- removing them -----------------------------------------------------------------------------------------------------


def remove(engine: Engine, name: str, seconds: float) -> int:
    """End a container and everything in it, and remove it; the engine's answer: one of those below.

    Raises:
        Exception: the engine does not answer; of its HTTP library come many kinds.
    """
    engine.knock()
    api = engine.client.api
    url = f"{api.base_url}/v{api.api_version}/containers/{name}"
    return int(api.delete(url, params={"force": "true", "v": "true"}, timeout=seconds).status_code)


REMOVED, NOT_THERE, BEING_REMOVED = 204, 404, 409
GONE = (REMOVED, NOT_THERE)


def list_containers(engine: Engine) -> Sequence[Mapping[str, Any]]:
    """Return all containers of smolcell on the engine, as it lists them: by their labels and their names.

    An image that a person made of one (``docker commit``) has its labels, and so has whatever they run of that.
    """
    with engine.errors():
        found: Sequence[Mapping[str, Any]] = engine.client.api.containers(all=True, filters={"label": f"{LABEL}pid"})
    return [each for each in found if any(str(name).startswith(f"/{PREFIX}") for name in each.get("Names") or ())]


def sweep(engine: Engine) -> list[str]:
    """Remove the containers of processes that are gone; their names. One that cannot be removed is left."""
    here = Owner.here()
    names = []
    for container in list_containers(engine):
        if Owner.of(container.get("Labels") or {}).is_gone(here):
            name = str(container["Id"])
            with suppress(Exception):
                if remove(engine, name, 10.0) in (*GONE, BEING_REMOVED):
                    names.append(name)
    return names


# --- for the reaper, when this process is gone


KEPT = (*child_environment.USER, "DOCKER_", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME")


def register(name: str, address: str) -> None:
    """Register a container with the reaper: it ends with this process.

    Args:
        name: the container's.
        address: the engine's.
    """
    environ = child_environment.inherited(*KEPT)
    if not address.startswith(("tcp://", "http")):  # with TLS the variables say more
        environ["DOCKER_HOST"] = address
    cleanup.register(name, f"{__name__}:end", name, environ=environ)


def end(name: str) -> bool:
    """Remove a container; whether that was done now, and not before, nor is being done."""
    from smolcell.executors.docker.engine import Engine

    engine = Engine()
    try:
        with engine.errors():
            return remove(engine, name, 10.0) == REMOVED
    finally:
        engine.close()


# --- From what the engine says of a container to the walls that stand.
#
# * A wall stands only if the engine reports it for this very container.
# * "isolated" needs the host's files, the network and other processes out of reach.


NEEDED = ("files", "network", "processes")


@dataclass(frozen=True, slots=True)
class Found:
    """The options of a container.

    Attributes:
        engine: its address.
        container: as ``docker inspect`` shows it.
        info: as ``docker info`` shows it.
        podman: the engine is Podman, which has other words for some of it.
    """

    engine: str
    container: Mapping[str, Any]
    info: Mapping[str, Any]
    podman: bool = False


def ask(engine: Engine, container: str) -> Found:
    """Ask the engine about a container and about itself.

    Raises:
        SandboxError: it does not answer.
    """
    with engine.errors():
        found: Mapping[str, Any] = engine.client.api.inspect_container(container)
    return Found(engine.address, found, engine.info(), engine.is_podman)


def is_isolated(walls: Sequence[Wall]) -> bool:
    """Return whether the word may be used."""
    stands = {wall.name for wall in walls if wall.stands}
    return stands.issuperset(NEEDED)


def read(found: Found | None, mounts: int = 0) -> tuple[Wall, ...]:
    """The walls around a container; None if there is no container yet. ``mounts``: the number of read-only mounts that were asked for."""
    if found is None:
        return (
            *walls.ALWAYS,
            *(Wall(name=name, stands=False, detail="found out when the sandbox starts") for name in NEEDED),
        )
    host = found.container.get("HostConfig") or {}
    security = [str(option) for option in found.info.get("SecurityOptions") or ()]
    return (
        *walls.ALWAYS,
        _limits(found.container, host),
        _files(found.container, host, {mounted_at(number) for number in range(mounts)}),
        _network(found.container, host),
        _processes(host, own_ipc=("", "private", "none", *(["shareable"] if found.podman else []))),
        _calls(host, security),
        _rights(found.container, host),
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
    return _wall("files", faults, "the image's files, read-only, and a work folder in memory are all that is there")


def _network(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    networks = set((container.get("NetworkSettings") or {}).get("Networks") or {})
    mode = host.get("NetworkMode")
    faults = [] if mode == "none" else [f"the container is in the network {mode or 'that the engine chose'}"]
    faults += [f"the container is connected to {name}" for name in sorted(networks - {"none"})]
    return _wall("network", faults, "an empty network of its own")


def _processes(host: Mapping[str, Any], own_ipc: Sequence[str]) -> Wall:
    """``own_ipc``: the engine's words for a namespace that is the container's own; Podman calls a private one shareable."""
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
        "what reaches into the kernel is refused (the engine's seccomp profile)",
    )


CAPABILITIES = (
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP SETUID SYS_CHROOT"
).split()
"""Those that engines give a container by default. Source: "Runtime privilege and Linux capabilities" on docs.docker.com."""


def _rights(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    user = str((container.get("Config") or {}).get("User") or "")
    faults = [] if user.split(":")[0] not in ("", "0", "root") else ["the code runs as root of the container"]
    dropped = {str(name).upper().removeprefix("CAP_") for name in host.get("CapDrop") or ()}
    if "ALL" not in dropped and not dropped.issuperset(CAPABILITIES):  # Podman lists them
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
        f"what is written to {mount.get('Destination')} is not bounded"  # an image can ask for a volume
        for mount in container.get("Mounts") or ()
        if mount.get("Type") != "tmpfs" and mount.get("RW", True)
    ]
    return _wall("limits", faults, "time, memory, processors, processes, disk and output are bounded")


def _privileged(host: Mapping[str, Any]) -> list[str]:
    return ["the container is privileged"] if host.get("Privileged") else []
