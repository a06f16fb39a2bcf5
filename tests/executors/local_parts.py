"""Local sandboxes that no user can have, and one step of a sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smolcell.events import Observed, Proposed
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit
from smolcell.protocols import CallTool, OnOutput
from smolcell.worker.wire import frames, values

JAIL, HELLO = ("without", "devices"), ("guard", "disk")


class LocalInTests(LocalPythonExecutor):
    """A local sandbox whose worker is told more than a user can tell it.

    Args:
        without: walls that this system is said to lack.
        devices: those that the code may open.
        guard: False is as for code that has broken it: the supervisor must hold by itself.
        disk: what the folder may hold, in MB.
        spawn: whether the runner is started without fork.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.jail = {name: options.pop(name) for name in JAIL if name in options}
        self.hello = {name: options.pop(name) for name in HELLO if name in options}
        super().__init__(*args, **options)

    def _options(self) -> dict[str, Any]:
        options = {**super()._options(), **self.hello}
        return {**options, "jail": {**options["jail"], **self.jail}} if "jail" in options else options


def programs(name: str) -> dict[str, str]:
    """The programs of a file by their titles, which follow ``####``."""
    parts = (Path(__file__).parent / name).read_text("utf-8").split("#### ")[1:]
    return {title: code.strip("\n") for title, _, code in (part.partition("\n") for part in parts)}


PROGRAMS = programs("programs.txt")


async def no_tools(name: str, *_: Any) -> Any:
    raise AssertionError(f"{name} was called")


def observe(
    executor: WorkerExecutor,
    code: str,
    step: int = 1,
    show: OnOutput = lambda _: None,
    call: CallTool = no_tools,
    timeout: float = 0,
) -> Observed:
    """Run one step, with its own limit in seconds if there is one."""
    before = executor.timeout
    executor.timeout = timeout or before
    try:
        allowed = permit(Proposed(run="r", step=step, text=code), by="caller")
        return asyncio.run(executor.run(allowed, show, call))
    finally:
        executor.timeout = before


def interfere(executor: WorkerExecutor, act: Callable[[], object], code: str = "while True: pass") -> Observed:
    """Run one step, and do this once its code runs."""
    done: list[object] = []
    return observe(executor, f"print('begun')\n{code}", show=lambda _: None if done else done.append(act()))


def through(value: Any, arrow: bool = True, trusted: bool = False, read: str = "decode") -> Any:
    """A value as it comes back from the wire, or from the host if `trusted`."""
    encoder = values.Encoder(arrow=arrow, trusted=trusted)
    data = values.read_json(frames.dumps(encoder.encode(value)))
    blobs = [bytearray(b"".join(blob) if isinstance(blob, list) else blob) for blob in encoder.blobs]
    return getattr(values.Decoder(blobs, trusted=trusted), read)(data)
