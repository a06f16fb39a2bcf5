"""A sandbox with checkpoints, one step after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from processes import eventually

from smolcell.events import Observed, Proposed
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit
from smolcell.protocols import OnOutput
from smolcell.worker.system import processes

T = TypeVar("T")


class Bench:
    """Runs one step after the other, and goes back.

    Attributes:
        steps: the number of the last step.
    """

    def __init__(self, executor: LocalPythonExecutor) -> None:
        self.executor, self.steps = executor, 0
        self._loop = asyncio.new_event_loop()
        self._alone = 0  # processes of the sandbox without copies

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def run(self, code: str, timeout: float = 60.0, on_output: OnOutput = lambda *_: None) -> Observed:
        self.steps += 1
        self.executor.timeout = timeout
        allowed = permit(Proposed(run="run", step=self.steps, text=code), by="person")
        return self.call(self.executor.run(allowed, on_output, _no_tools))

    def show(self, expression: str) -> str:
        return self.run(f"print(({expression}))").stdout.strip()

    def back(self, step: int | None = None, keep: bool = False) -> str:
        """To the state before this step, or before the last one; what was not restored."""
        return str(self.call(self.executor.checkpoints.rollback("run", step or self.steps, keep=keep)))

    def known(self) -> list[tuple[int, str, str]]:
        return [(each.step, each.how, each.reason) for each in self.call(self.executor.checkpoints.kept())]

    def tree(self) -> set[int]:
        """The living processes of the sandbox."""
        channel: Any = self.executor._channel
        return processes.find_tree(channel.pid)

    def open(self) -> None:
        """Open the sandbox, for `wait_for_copy`."""
        self.call(self.executor.open())
        self._alone = len(self.tree())

    def wait_for_copy(self) -> None:
        """Until the copy for the next step is made, while no step waits for it."""
        assert eventually(lambda: len(self.tree()) > self._alone + len(self.known()))

    def wait_for_file(self, name: str) -> None:
        """Until the code has made this file in its folder."""
        assert eventually(lambda: name in {file.name for file in self.executor.files()})

    def close(self) -> None:
        self.executor.close()
        self._loop.close()


async def _no_tools(*_: Any) -> Any:
    raise AssertionError
