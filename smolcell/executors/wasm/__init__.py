"""The WebAssembly sandbox: Python as Pyodide in Deno, which may only read its own folder.

* Nothing is looked up or started before the sandbox is opened; opening it never downloads anything.
* ``boundary`` reports only Deno's permissions and the walls around it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from smolcell.errors import CapabilityError
from smolcell.events import Allowed, Boundary, Observed, Wall
from smolcell.executors import walls
from smolcell.executors.files import FileTransfer
from smolcell.executors.local import workers
from smolcell.executors.local.environment import PACKAGE
from smolcell.executors.portable import PortableChannel
from smolcell.executors.reaper import close_at_exit, reaper
from smolcell.executors.registry import Sandbox
from smolcell.executors.wasm.setup import PYODIDE, Installation
from smolcell.protocols import FILES, NETWORK, CallTool, OnOutput
from smolcell.worker.wasm import STACK_BYTES

# --- A worker whose runner is Deno: its supervisor is a process of this machine, connected by pipes.
#
# * It is registered with the reaper before it starts, until it has ended.
# * Supervisor and Deno get a separate environment, with no variable of the host.


START = f"import sys; sys.path.insert(0, sys.argv[1]); from {PACKAGE}.wasm import deno_main; deno_main()"


class DenoChannel(PortableChannel):
    """A supervisor that starts Deno after the hello.

    Args:
        memory: megabytes; see ``PortableChannel``.
        cache: folder of Deno's compiled code.
    """

    def __init__(self, memory: int, cache: Path) -> None:
        self._cache = cache
        super().__init__(memory)

    @staticmethod
    def _program() -> str:
        return START

    def _start(self, memory: int) -> None:
        reaper.register(0, self._token, str(self._folder))
        super()._start(memory)
        reaper.register(self.pid, self._token, str(self._folder))

    def _environment(self) -> dict[str, str]:
        names = {
            "DENO_DIR": str(self._cache / "deno"),
            "DENO_NO_UPDATE_CHECK": "1",
            "NO_COLOR": "1",
            "RUST_MIN_STACK": str(STACK_BYTES),
        }
        return {**super()._environment(), **names}

    def kill(self) -> None:
        """See ``PortableChannel.kill``."""
        super().kill()
        reaper.forget(self._token)


MIN_MEMORY_MB, MAX_MEMORY_MB = 64, 4096  # limits of WebAssembly's memory


class WasmExecutor(FileTransfer):
    """Runs code in WebAssembly on this machine, without access to its files, network or programs.

    Args:
        additional_authorized_imports: see ``WorkerExecutor``, as for the options that are not named here.
        wheels: folder of further packages: pure wheels, and those built for this Pyodide.
        memory: maximum memory of Python in MB, at most 4096; files are in memory too, and may use a gigabyte more.

    There are no threads, no processes and no packages except those of ``wheels``. Does not promise that Deno and its JavaScript
    engine have no holes.
    """

    name = "wasm"
    end_sandbox = staticmethod(workers.end_worker)
    carries, opens_tls = True, False

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        wheels: str | os.PathLike[str] | None = None,
        memory: int = 2048,
        **options: Any,
    ) -> None:
        if not MIN_MEMORY_MB <= memory <= MAX_MEMORY_MB:
            raise CapabilityError(
                f"memory={memory} is out of range: WebAssembly can use {MIN_MEMORY_MB} to {MAX_MEMORY_MB} MB"
            )
        super().__init__(additional_authorized_imports, memory=memory, **options)
        self.wheels = Path(wheels).resolve() if wheels is not None else None
        self._installation: Installation | None = None
        self._channel: DenoChannel | None = None

    @classmethod
    def list_sandboxes(cls) -> Iterator[Sandbox]:
        """See ``BaseExecutor.list_sandboxes``."""
        return (replace(each, walls=("guard", "WebAssembly")) for each in workers.find_workers(cls.name, START))

    def _start(self) -> DenoChannel:
        close_at_exit(self)
        self._installation = self._installation or Installation.find()
        self._installation.prepare()
        self._channel = DenoChannel(self.memory, self._installation.folder)
        return self._channel

    def _options(self) -> dict[str, Any]:
        installation = self._installation
        assert installation is not None  # noqa: S101 - a channel was started
        deno = {**installation.paths(), "wheels": str(self.wheels) if self.wheels else ""}
        return {**super()._options(), "deno": deno}

    def _set_up(self) -> None:
        self._fill()

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Run a step; a new runner gets the files again. See ``WorkerExecutor.run``."""
        observed = await super().run(permit, on_output, call_tool)
        if observed.state_lost and self._files and self._folder is not None and self._connection is not None:
            await asyncio.to_thread(self._folder.put, self._files)
        return observed

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        channel = self._channel if self._connection is not None else None
        return f"pid {channel.pid}" if channel is not None else ""

    def boundary(self) -> Boundary:
        """Return the walls that stand."""
        running = self._connection is not None and self._channel is not None
        where = f"Python in WebAssembly (Pyodide {PYODIDE} in Deno) on this machine"
        where += f" (pid {self._channel.pid})" if running and self._channel else " (not started)"
        own = [Wall(name=name, stands=running, detail=text) for name, text in WALLS.items()]
        return self.bounded(where, (*ALWAYS, *own, self._behind(running)), isolated=running)

    def _behind(self, running: bool) -> Wall:
        """Return the wall of the operating system around Deno."""
        missing = walls.read_report(self.capabilities)["landlock"] if running else "not known before the sandbox starts"
        return Wall(name="landlock", stands=not missing, detail=missing or BEHIND)


BEHIND = "should Deno have a hole: its process may read programs and its own folder, and write nothing"
ALWAYS = (
    Wall(name="own process", stands=True, detail="a crash, a hang or a kill does not reach the notebook"),
    Wall(name=walls.GUARD, stands=True, detail="imports, dunder attributes and process functions are checked"),
    Wall(name="scrubbed environment", stands=True, detail="no variable of the notebook's environment, no key goes in"),
    Wall(name="limits", stands=True, detail="time, memory, files and output are bounded"),
)
WALLS: Mapping[str, str] = {
    FILES: "Deno may read Pyodide's own folder and write nothing; the code's files lie in memory",
    NETWORK: "Deno may open no connection",
    "processes": "Deno may start no program and signal none",
}
