"""Tools: functions of the host that code in the sandbox may call. The code never gets the function, only its name."""

from __future__ import annotations

from smolcell.tools.tool import Tool, tool

__all__ = ["Tool", "tool"]
