"""From what a worker in a provider's sandbox reports, and what the provider says, to the walls that stand.

The rules this file exists to keep:

* What smolcell put up itself was measured by the worker. What the provider promises is said to be the provider's word.
* This machine is out of reach only from another machine: the worker says which start of which machine it runs in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smolcell.events import Wall
from smolcell.executors import walls
from smolcell.executors.containers import Owner

LIMITS = Wall(name="limits", stands=True, detail="time, memory, file size, descriptors and output are bounded")
NEEDED = ("files", "network", "processes")
NOT_STARTED = (
    *walls.ALWAYS,
    LIMITS,
    *(Wall(name=name, stands=False, detail="found out when the sandbox starts") for name in NEEDED),
)


def is_elsewhere(capabilities: Mapping[str, Any]) -> bool:
    """Whether a worker runs on another machine than this process, by the machine's present start."""
    said = capabilities.get("boot")
    return type(said) is str and len(said) >= 32 and said != Owner.here().boot


def own(capabilities: Mapping[str, Any]) -> dict[str, Wall]:
    """The walls that smolcell put up itself, by name."""
    return {wall.name: wall for wall in walls.read_walls(walls.read_report(capabilities))}


def read(capabilities: Mapping[str, Any], title: str, network: str) -> tuple[Wall, ...]:
    """The walls around a sandbox that runs.

    Args:
        capabilities: what its worker said when it began.
        title: the provider's name.
        network: why the provider does not keep it from the network; "" where it says that it does.
    """
    elsewhere = is_elsewhere(capabilities)
    found = own(capabilities)
    promised = {
        "files": f"the code runs on a machine of {title}'s, where this machine's files are not",
        "processes": f"the code runs on a machine of {title}'s, where this machine's processes are not",
        "network": network or f"{title} says that this sandbox can open no connection",
    }
    for name in NEEDED:
        held = elsewhere and not (name == "network" and network)
        if not found[name].stands:
            found[name] = Wall(name=name, stands=held, detail=promised[name] if held else found[name].detail)
    return (*walls.ALWAYS, LIMITS, *found.values(), _machine(elsewhere, title))


def _machine(elsewhere: bool, title: str) -> Wall:
    if elsewhere:
        said = (
            f"by {title}'s word it is this sandbox's alone, and nobody else reads what is in it; smolcell cannot look"
        )
        return Wall(name="own machine", stands=True, detail=said)
    return Wall(name="own machine", stands=False, detail="the sandbox runs on this machine, or does not say on which")


def is_isolated(found: tuple[Wall, ...]) -> bool:
    """Whether the word may be used."""
    return {wall.name for wall in found if wall.stands}.issuperset(NEEDED)
