"""Parts of smolcell that the core does not import: each could be a package of its own."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from smolcell.errors import SetupError
from smolcell.machine.environment import importing

GROUP = "smolcell.extensions"


def extension(name: str) -> Any:
    """Return an extension by its name: the object of an entry point of the group ``smolcell.extensions``.

    Raises:
        SetupError: it is not installed.
    """
    with importing():  # a folder that the kernel works in has no say in what an extension is
        for entry in entry_points(group=GROUP, name=name):
            return entry.load()
    raise SetupError(
        f"this needs the part {name!r} of smolcell, which is not installed: pip install --force-reinstall smolcell"
    )
