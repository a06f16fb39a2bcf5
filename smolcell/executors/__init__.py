"""Sandboxes by short name, imported on demand.

The rules this file exists to keep:

* Importing this package imports no sandbox and starts nothing.
* A name is looked up in the table, then in the entry points ``smolcell.executors``; anything else is a SetupError that
  names what there is.
"""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from smolcell.environment import importing
from smolcell.errors import SetupError
from smolcell.protocols import Executor

EXECUTORS = {
    "blaxel": "smolcell.executors.cloud.blaxel:BlaxelExecutor",
    "docker": "smolcell.executors.docker:DockerExecutor",
    "e2b": "smolcell.executors.cloud.e2b:E2BExecutor",
    "local": "smolcell.executors.local:LocalPythonExecutor",
    "modal": "smolcell.executors.cloud.modal:ModalExecutor",
    "wasm": "smolcell.executors.wasm:WasmExecutor",
}
GROUP = "smolcell.executors"
PARTS = ("open", "run", "interrupt", "send_variables", "send_tools", "boundary", "close")
"""What ``protocols.Executor`` asks for."""


def executor_names() -> tuple[str, ...]:
    """The names that ``create_executor`` knows, third parties' included."""
    with importing():
        return tuple(sorted({*EXECUTORS, *entry_points(group=GROUP).names}))


def create_executor(name: str, **kwargs: Any) -> Executor:
    """Make the sandbox of that name; nothing is started until it is opened.

    Args:
        name: "local", "docker", "e2b", "modal", "wasm", a third party's; ``name:variant`` hands it ``variant=`` ("docker:my-image").
        kwargs: the class's own words (``additional_authorized_imports``, ``timeout``, ``memory``, …).

    Raises:
        SetupError: there is no sandbox of that name, or what has that name cannot be loaded, or is no sandbox.
    """
    short, _, variant = name.partition(":")
    if variant:
        kwargs["variant"] = variant
    made: Executor = find_executor(short)(**kwargs)
    missing = [word for word in PARTS if not hasattr(made, word)]
    if missing:
        kind = type(made).__name__
        raise SetupError(
            f"the sandbox {short!r} is a {kind}, which is no executor: it has no {', '.join(missing)}; see docs/executors.md"
        )
    return made


def find_executor(name: str) -> Any:
    """The class behind a sandbox's name, ``name:variant`` too; a ``SetupError`` where there is none."""
    short = name.partition(":")[0]
    path = EXECUTORS.get(short)
    if path is not None:
        module, _, attribute = path.partition(":")
        return getattr(importlib.import_module(module), attribute)
    with importing():
        for entry in entry_points(group=GROUP, name=short):
            return _load(short, entry)
    raise SetupError(f"there is no sandbox named {short!r}; use one of: --sandbox {', '.join(executor_names())}")


def _load(name: str, entry: EntryPoint) -> Any:
    """What somebody else's package registered."""
    try:
        return entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist is not None else "?"
        raise SetupError(
            f"the sandbox {name!r} of the package {package} cannot be loaded ({type(error).__name__}: {error}); "
            f"is it whole? Type: pip check, or: pip install --upgrade {package}"
        ) from error
