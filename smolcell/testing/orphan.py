"""A host that is to be killed: a process with an executor and a step in it that does not end.

``python -c "…main()" SYS_PATH FACTORY``: prints one line of JSON when the step runs, and waits to be killed.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import json
import sys
from pathlib import Path
from typing import Any

from smolcell.events import Allowed, Proposed
from smolcell.gates.auto import allow_all
from smolcell.protocols import Executor


def describe(make: Any) -> dict[str, str]:
    """How another process finds what makes the executors: module, file, name.

    Raises:
        LookupError: it is neither a class nor a function of a module.
    """
    module, name = getattr(make, "__module__", None), getattr(make, "__qualname__", "<")
    if not module or "<" in name:
        raise LookupError(
            f"{make!r} cannot be found by another process, in which it must make an executor: "
            "hand over a class, or a function that is defined at the top of a module"
        )
    try:
        file = inspect.getfile(make)
    except (OSError, TypeError):
        file = ""
    return {"module": module, "file": file, "name": name}


def find(described: dict[str, str]) -> Any:
    """What ``describe`` described."""
    name = described["module"]
    try:
        if name == "__main__":
            raise ImportError("the program itself is not imported by its name")
        module = importlib.import_module(name)
    except ImportError:
        spec = importlib.util.spec_from_file_location("_conformance_factory", described["file"])
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    found: Any = module
    for part in described["name"].split("."):
        found = getattr(found, part)
    return found


def _is_folder(name: str) -> bool:
    """Whether it is a folder of this machine."""
    return bool(name) and Path(name).is_dir()


async def work(make: Any) -> None:
    """Open an executor, say so, and run a step that does not end."""
    executor: Executor = make(timeout=600, additional_authorized_imports=["os"])

    async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        said = {"folder": folder, "seen": _is_folder(folder)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()

    async def run(code: str, step: int) -> Any:
        permit = await allow_all(Proposed(run="orphan", step=step, text=code))
        assert isinstance(permit, Allowed)  # noqa: S101 - as code is
        return (await executor.run(permit, lambda _: None, call_tool)).output

    found = await run("import os\nos.path.realpath('.')", 1)
    folder = found if isinstance(found, str) else ""
    executor.send_tools({"at_work": None})
    await run("at_work()\nwhile True: pass", 2)


def main() -> None:
    """See the module."""
    asyncio.run(work(find(json.loads(sys.argv[2]))))
