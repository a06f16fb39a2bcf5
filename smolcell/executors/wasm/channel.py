"""A worker whose runner is Deno: its supervisor is a process of this machine, spoken to over pipes.

The rules this file exists to keep:

* From before it is started until it is gone, it is registered with the reaper.
* Supervisor and Deno are given an environment of their own, with nothing of the host's.
"""

from __future__ import annotations

from pathlib import Path

from smolcell.executors.portable import PortableChannel
from smolcell.executors.reaper import reaper
from smolcell.executors.ship import PACKAGE
from smolcell.worker.deno import STACK

START = f"import sys; sys.path.insert(0, sys.argv[1]); from {PACKAGE}.deno import main; main()"


class DenoChannel(PortableChannel):
    """A supervisor that starts Deno when it is told how.

    Args:
        memory: megabytes; see ``PortableChannel``.
        cache: where Deno keeps what it compiled.
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
            "RUST_MIN_STACK": str(STACK),
        }
        return {**super()._environment(), **names}

    def kill(self) -> None:
        """See ``PortableChannel.kill``."""
        super().kill()
        reaper.forget(self._token)
