"""No sandbox: for agents that run no code. Their tools are functions of the host; each call is shown before it is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smolcell.errors import CapabilityError
from smolcell.events import Allowed, Boundary, Observed, Wall
from smolcell.executors import BaseExecutor
from smolcell.permit import spend
from smolcell.protocols import FILES, NETWORK, CallTool, OnOutput


class HostExecutor(BaseExecutor):
    """An executor that runs no code, and so needs no process.

    Args:
        tool_timeout: seconds that a tool call may take.
    """

    name = "host"

    def __init__(self, *, tool_timeout: float = 300.0) -> None:
        self.tool_timeout = tool_timeout

    async def open(self) -> None:
        """Do nothing."""

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Raise an error.

        Raises:
            PermitError: the permit is not valid.
            CapabilityError: the permit is valid, but no code runs here.
        """
        spend(permit)
        raise CapabilityError("this agent runs no code: give it the tool python_interpreter, or use a CodeAgent")

    def interrupt(self) -> None:
        """Do nothing: no code runs."""

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Do nothing: a call's arguments name variables of the host."""

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Do nothing: tools stay on the host."""

    def boundary(self) -> Boundary:
        """Return a boundary without walls: tools run in this process."""
        why = "tools run in this process; no code of the model does"
        walls = (Wall(name=FILES, stands=False, detail=why), Wall(name=NETWORK, stands=False, detail=why))
        return Boundary(
            sandbox=self.name, where="no sandbox: tools alone, in this process", isolated=False, walls=walls
        )

    def close(self) -> None:
        """Do nothing."""
