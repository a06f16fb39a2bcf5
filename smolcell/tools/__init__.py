"""Tools: functions of the host that code in the sandbox may call. The code never gets the function, only its name."""

from __future__ import annotations

from smolcell.tools.function import tool
from smolcell.tools.tool import Tool

__all__ = ["Tool", "tool"]
