"""The host's way to one agent in a sandbox: begun on first use, begun anew where it has ended, one question at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from smolcell.errors import WireError
from smolcell.executors import agents
from smolcell.executors.agents import AgentGoneError
from smolcell.executors.base import WorkerExecutor
from smolcell.inside import shipped
from smolcell.worker import values, wire

MOST = 64 << 20  # bytes of JSON that an answer may hold: a conversation with images


class Line:
    """Questions to the agent's process of one sandbox; from any thread and event loop.

    Args:
        executor: whose sandbox it is.
        network: ship what a model is reached by.
        spec: see ``program.Program``; with ``environment``, variables that the process gets.

    Attributes:
        epoch: counts the processes begun so far. One that is begun anew knows nothing.
    """

    def __init__(self, executor: WorkerExecutor, spec: Mapping[str, Any], *, network: bool) -> None:
        self.executor = executor
        self._spec, self._network = spec, network
        self._turn = threading.Lock()
        self._place: object = None  # the connection that it was begun over
        self.epoch = 0

    async def ask(self, question: Mapping[str, Any], blobs: Sequence[wire.Blob], seconds: float, epoch: int) -> Any:
        """The answer's JSON and its blobs.

        Args:
            epoch: of the process that is asked; 0 for any: it is begun where there is none.

        Raises:
            AgentGoneError: that process has ended.
            SandboxError: it failed, or answers what is no answer.
        """
        await self.executor.open()
        try:
            return await asyncio.to_thread(self._ask, [wire.dumps(dict(question)), *blobs], seconds, epoch)
        except asyncio.CancelledError:
            self.end()
            raise

    def _ask(self, blobs: Sequence[wire.Blob], seconds: float, epoch: int) -> Any:
        with self._turn:
            if not epoch and (not self.epoch or self._place is not self.executor._connection):
                self._begin()
            if epoch and (epoch != self.epoch or self._place is not self.executor._connection):
                raise AgentGoneError("the agent's process was begun anew")
            try:
                answer = agents.ask(self.executor, blobs, seconds)
            except AgentGoneError:
                if epoch:
                    raise
                self._begin()
                answer = agents.ask(self.executor, blobs, seconds)
        if not answer:
            return None, ()
        if len(answer[0]) > MOST:
            raise WireError(f"the agent in the sandbox says more than {MOST:,} bytes at once")
        return values.read_json(answer[0]), answer[1:]

    async def begin(self) -> int:
        """Begin the process anew; its epoch."""
        await self.executor.open()
        return await asyncio.to_thread(self._begun)

    def _begun(self) -> int:
        with self._turn:
            self._begin()
            return self.epoch

    def _begin(self) -> None:
        self._place = self.executor._connection
        spec = {**self._spec, "arrow": bool(self.executor.capabilities.get("arrow"))}
        agents.load(self.executor, shipped.archive(self._network), wire.dumps(spec))
        self.epoch += 1

    def end(self) -> None:
        """End the process, and with it what it is doing; waits for nothing, and harmless where there is none."""
        if self._place is not None and self._place is self.executor._connection:
            threading.Thread(target=agents.end, args=(self.executor,), daemon=True).start()
