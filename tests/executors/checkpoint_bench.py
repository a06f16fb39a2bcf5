"""A sandbox with checkpoints, one step after the other."""

from __future__ import annotations

import asyncio
from typing import Any

from smolcell.events import Observed, Proposed
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit
from smolcell.protocols import OnOutput


class Reduced(LocalPythonExecutor):
    """Without namespaces, as in the usual container."""

    def _options(self) -> dict[str, Any]:
        options = super()._options()
        return {**options, "jail": {**options["jail"], "without": ["namespaces"]}}


class Bench:
    """Runs one step after the other, and goes back."""

    def __init__(self, executor: LocalPythonExecutor) -> None:
        self.executor, self._steps = executor, 0
        self._loop = asyncio.new_event_loop()

    def run(self, code: str, timeout: float = 30.0, on_output: OnOutput = lambda *_: None) -> Observed:
        self._steps += 1
        self.executor.timeout = timeout
        allowed = permit(Proposed(run="run", step=self._steps, text=code), by="person")
        return self._loop.run_until_complete(self.executor.run(allowed, on_output, _no_tools))

    def show(self, expression: str) -> str:
        return self.run(f"print(({expression}))").stdout.strip()

    def back(self, step: int | None = None) -> str:
        """To the state before this step, or before the last one."""
        return self._loop.run_until_complete(self.executor.rollback("run", step or self._steps))

    def known(self) -> list[tuple[int, str, str]]:
        found = self._loop.run_until_complete(self.executor.kept_checkpoints())
        return [(each.step, each.how, each.reason) for each in found]

    def close(self) -> None:
        self.executor.close()
        self._loop.close()


async def _no_tools(*_: Any) -> Any:
    raise AssertionError
