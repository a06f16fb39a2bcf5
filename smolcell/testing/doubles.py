"""The memory executor: a double that keeps the promises of an executor which need no code to be run."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from smolcell.errors import SandboxBusyError, SandboxError
from smolcell.events import Allowed, Boundary, Delta, Fault, Observed, Wall
from smolcell.permit import spend
from smolcell.protocols import CallTool, OnOutput

Result = Observed | str | BaseException
Observation = Result | Callable[[str], "Result | Awaitable[Result]"]


class MemoryExecutor:
    """An executor that runs nothing: it notes the permitted text and says what it was told to observe.

    It holds what concerns permits, one open step at a time, interrupting, cancelling and closing. It does not pass
    ``check_executor``, and is not meant to: all that says what code does (values, output, errors, limits, tools, variables,
    files) it answers with what it was given. Nor does it refuse to run once it is closed.

    Args:
        observations: what the steps give, in order: an ``Observed``; a text, taken as what was printed; an exception,
            which becomes the step's error (a ``SandboxError`` is raised, as a sandbox that fails would); or a function
            of the text, plain or async, that returns one of these. Steps beyond the last observe nothing.
        name: what the executor calls itself.

    Attributes:
        ran: the texts that were run, in order. A text is noted only after its permit was spent.
        variables, tools: what was sent in.
        opened, closed: whether ``open`` and ``close`` were called.
    """

    def __init__(self, *observations: Observation, name: str = "memory") -> None:
        self.name = name
        self.ran: list[str] = []
        self.variables: dict[str, Any] = {}
        self.tools: dict[str, Any] = {}
        self.opened = self.closed = False
        self._observations = observations
        self._open_step: tuple[asyncio.AbstractEventLoop, asyncio.Future[Result]] | None = None
        self._interrupted = False

    async def open(self) -> None:
        """Note that it is open."""
        self.opened, self.closed = True, False

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Spend the permit, note its text, and give the next observation.

        Raises:
            PermitError: the permit is not valid; nothing is noted.
            SandboxBusyError: another step is open.
        """
        if self._open_step is not None:
            raise SandboxBusyError("the memory executor has an open step: wait for it, or interrupt it")
        text = spend(permit)
        self.ran.append(text)
        observed = _observed(await self._next(text))
        if observed.stdout:
            on_output(Delta(text=observed.stdout, channel="output", run=permit.run, step=permit.step))
        return replace(observed, run=permit.run, step=permit.step)

    async def _next(self, text: str) -> Result:
        index = len(self.ran) - 1
        said: Any = self._observations[index] if index < len(self._observations) else Observed()
        if not callable(said):
            return said  # type: ignore[no-any-return]
        said = said(text)
        if not inspect.isawaitable(said):
            return said  # type: ignore[no-any-return]
        step = asyncio.ensure_future(said)
        self._open_step, self._interrupted = (asyncio.get_running_loop(), step), False
        try:
            return await step  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._interrupted or (task is not None and task.cancelling()):
                raise
            return KeyboardInterrupt("the step was stopped")
        finally:
            self._open_step = None

    def interrupt(self) -> None:
        """End an open (async) step with a "stopped" fault; from any thread; harmless when idle."""
        if self._open_step is not None:
            loop, step = self._open_step
            self._interrupted = True
            loop.call_soon_threadsafe(step.cancel)

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Keep the variables."""
        self.variables.update(variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Keep the tools."""
        self.tools.update(tools)

    def boundary(self) -> Boundary:
        """Nothing runs, so nothing is isolated and nothing needs to be."""
        return Boundary(
            sandbox=self.name,
            where="nowhere: a double for tests, which runs nothing",
            isolated=False,
            walls=(Wall(name="nothing runs", stands=True),),
        )

    def close(self) -> None:
        """Note that it is closed; an open step is ended. Twice is harmless."""
        self.interrupt()
        self.closed = True


def _observed(said: Result) -> Observed:
    if isinstance(said, Observed):
        return said
    if isinstance(said, str):
        return Observed(stdout=said)
    if isinstance(said, SandboxError):
        raise said
    stopped = isinstance(said, KeyboardInterrupt)
    fault = Fault(kind="stopped" if stopped else "python", type=type(said).__name__, message=str(said))
    return Observed(error=fault)
