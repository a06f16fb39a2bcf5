"""Converts a worker's report about its walls to text for a person. Pure.

* A report is hostile until checked: unknown names are dropped, a wall that is not reported does not stand.
* ``isolated`` needs three walls: files, network, other processes.
* A wall that does not stand says why.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from smolcell.core.text import visible
from smolcell.events import Boundary, Wall

MECHANISMS = ("namespaces", "identity", "privileges", "landlock", "seccomp", "signals", "forks")
UNKNOWN = "not reported"
MAX_REASON_CHARS = 200  # maximum length of a reason
GUARD = "guard"
NEEDED = ("files", "network", "processes")
"""Walls of a sandbox that is isolated."""
ALWAYS = (
    Wall(name="own process", stands=True, detail="a crash, a hang or a kill does not reach the notebook"),
    Wall(
        name=GUARD,
        stands=True,
        detail="imports, dunder attributes and process functions are checked; not a wall against attackers",
    ),
    Wall(
        name="scrubbed environment",
        stands=True,
        detail="no variable of the notebook's environment is passed, so no keys",
    ),
)
NOT_STARTED = tuple(Wall(name=name, stands=False, detail="not known before the sandbox starts") for name in NEEDED)


def read_report(capabilities: Mapping[str, Any]) -> dict[str, str]:
    """Read the mechanisms of a worker's report: name -> "" if it stands, else why it does not."""
    report = capabilities.get("walls")
    report = report if type(report) is dict else {}
    return {**{name: _reason(report.get(name)) for name in MECHANISMS}, "profile": "only on macOS"}


def _reason(value: Any) -> str:
    if value == "":  # most stand
        return ""
    return visible(value[:MAX_REASON_CHARS]) if type(value) is str else UNKNOWN


def with_profile(failure: str) -> dict[str, str]:
    """Return the report for a worker on macOS, which is confined from outside; ``failure`` says why it is not, "" if it is."""
    linux = "only on Linux"
    return {**dict.fromkeys(MECHANISMS, linux), "profile": failure, "forks": ""}


def files_wall(report: Mapping[str, str]) -> Wall:
    """Return the wall around this machine's files."""
    if not report["profile"]:
        detail = "only Python's installation can be read and only a private folder written (sandbox-exec)"
        return Wall(name="files", stands=True, detail=detail)
    if not report["namespaces"]:
        detail = "Python's installation, read-only, and a private folder are the only files"
        return Wall(name="files", stands=True, detail=detail)
    if not (report["landlock"] or report["seccomp"]):
        detail = (
            "only Python's installation can be read and only a private folder written (Landlock); whether a file of a "
            f"known name exists can be found out, since {_why(report, 'namespaces')}"
        )
        return Wall(name="files", stands=True, detail=detail)
    detail = (
        f"the code runs as a process that could read what you can: {_why(report, 'namespaces', 'landlock', 'seccomp')}"
    )
    return Wall(name="files", stands=False, detail=detail)


def network_wall(report: Mapping[str, str]) -> Wall:
    """Return the wall around the network."""
    if not report["profile"]:
        return Wall(name="network", stands=True, detail="no connection can be made (sandbox-exec)")
    if not report["namespaces"]:
        return Wall(name="network", stands=True, detail="an empty network of its own")
    if not report["seccomp"]:
        return Wall(name="network", stands=True, detail="no socket can be opened")
    detail = f"the code could open connections: {_why(report, 'namespaces', 'seccomp')}"
    return Wall(name="network", stands=False, detail=detail)


def processes_wall(report: Mapping[str, str]) -> Wall:
    """Return the wall around other processes."""
    if not report["profile"]:
        return Wall(name="processes", stands=True, detail="no other process can be signalled or traced (sandbox-exec)")
    if not report["namespaces"]:
        return Wall(name="processes", stands=True, detail="no process but the sandbox's own can be seen")
    if not (report["signals"] or report["seccomp"]) and not (report["landlock"] and report["identity"]):
        return Wall(name="processes", stands=True, detail="no other process can be signalled, traced or read")
    detail = f"the code could reach your other processes: {_why(report, 'namespaces', 'seccomp', 'signals')}"
    return Wall(name="processes", stands=False, detail=detail)


def missing_walls(boundary: Boundary, *, opened: bool) -> str:
    """Return the walls that level full needs and that do not stand, with reasons; "" if none is missing.

    Args:
        opened: whether the user gave the code a network.
    """
    needed = {*NEEDED} - ({"network"} if opened else set())
    needed |= {"system calls"} if boundary.sandbox == "local" and sys.platform == "linux" else set()
    missing = [wall for wall in boundary.walls if wall.name in needed and not wall.stands]
    if missing:
        return "; ".join(f"{wall.name} ({wall.detail})" if wall.detail else wall.name for wall in missing)
    standing = {wall.name for wall in boundary.walls if wall.stands}
    return "" if boundary.isolated or (opened and needed <= standing) else "isolation"


def is_isolated(found: Iterable[Wall]) -> bool:
    """Return whether a sandbox with these walls may be called isolated."""
    return {wall.name for wall in found if wall.stands}.issuperset(NEEDED)


def _why(report: Mapping[str, str], *names: str) -> str:
    known = [name for name in (*names, "profile") if report[name] and not report[name].startswith("only on ")]
    return "; ".join(f"{name}: {report[name]}" for name in known) or "this system offers none of the walls"


def read_walls(report: Mapping[str, str]) -> tuple[Wall, ...]:
    """Return all walls of the operating system."""
    calls, identity = report["seccomp"], report["identity"]
    rights = (
        "a separate user without privileges"
        if not identity
        else f"your user, without an administrator's rights ({identity})"
    )
    return (
        files_wall(report),
        network_wall(report),
        processes_wall(report),
        Wall(
            name="system calls",
            stands=not calls,
            detail=calls or "calls that reach into the kernel or around a wall are refused (seccomp)",
        ),
        Wall(name="rights", stands=not report["privileges"], detail=report["privileges"] or rights),
    )
