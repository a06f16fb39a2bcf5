"""From what the engine says of a container to the walls that stand.

The rules this file exists to keep:

* A wall stands where the engine says so of this very container; what it does not say does not stand.
* "isolated" needs the host's files, the network and other processes out of reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smolcell.events import Wall
from smolcell.executors import walls
from smolcell.executors.engine import Engine

NEEDED = ("files", "network", "processes")


@dataclass(frozen=True, slots=True)
class Found:
    """What was asked.

    Attributes:
        engine: its address.
        container: as ``docker inspect`` shows it.
        info: as ``docker info`` shows it.
    """

    engine: str
    container: Mapping[str, Any]
    info: Mapping[str, Any]


def ask(engine: Engine, container: str) -> Found:
    """Ask the engine about a container and about itself.

    Raises:
        SandboxError: it does not answer.
    """
    with engine.errors():
        found: Mapping[str, Any] = engine.client.api.inspect_container(container)
    return Found(engine.address, found, engine.info())


def is_isolated(walls: Sequence[Wall]) -> bool:
    """Whether the word may be used."""
    stands = {wall.name for wall in walls if wall.stands}
    return stands.issuperset(NEEDED)


def read(found: Found | None) -> tuple[Wall, ...]:
    """The walls around a container; None where there is none yet."""
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
        _files(found.container, host),
        _network(found.container, host),
        _processes(host),
        _calls(host, security),
        _rights(found.container, host),
        _users(host, security),
    )


def _wall(name: str, faults: Sequence[str], detail: str) -> Wall:
    return Wall(name=name, stands=not faults, detail="; ".join(faults) or detail)


def _files(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    faults = [
        f"{mount.get('Source') or mount.get('Name')} is mounted at {mount.get('Destination')}"
        for mount in container.get("Mounts") or ()
        if mount.get("Type") != "tmpfs"
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


def _processes(host: Mapping[str, Any]) -> Wall:
    faults = [
        f"the container is in the {what} namespace {host.get(key, 'that the engine chose')}"
        for what, key in (("process", "PidMode"), ("IPC", "IpcMode"))
        if host.get(key) not in ("", "private", "none")
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


def _rights(container: Mapping[str, Any], host: Mapping[str, Any]) -> Wall:
    user = str((container.get("Config") or {}).get("User") or "")
    faults = [] if user.split(":")[0] not in ("", "0", "root") else ["the code runs as root of the container"]
    dropped = {str(name).upper() for name in host.get("CapDrop") or ()}
    if "ALL" not in dropped:
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
