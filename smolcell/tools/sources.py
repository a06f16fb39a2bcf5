"""How an ordinary cell comes by a tool that an agent's code called: the Python that makes it one of the notebook."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from smolcell.tools.default import DEFAULT_TOOLS, FinalAnswerTool
from smolcell.tools.function import FunctionTool
from smolcell.tools.tool import Tool


def sources(tools: Mapping[str, Tool]) -> dict[str, str]:
    """For each tool its source; "" where there is none that could stand in a file: an MCP server's, another agent, a local function.

    ``FinalAnswerTool`` is left out, since it does what ``final_answer`` does without it.
    """
    return {name: _source(name, tool) for name, tool in tools.items() if type(tool) is not FinalAnswerTool}


def _source(name: str, tool: Tool) -> str:
    kind = type(tool)
    if DEFAULT_TOOLS.get(name) is kind:
        return f"from smolcell import {kind.__name__}\n\n{name} = {kind.__name__}()"
    function = tool.function if isinstance(tool, FunctionTool) else None
    place, own = getattr(function, "__module__", None), getattr(function, "__name__", "")
    found = getattr(sys.modules.get(place), own, None) if isinstance(place, str) and place != "__main__" else None
    if found is None or found not in (function, tool):
        return ""
    return f"from {place} import {own}" + ("" if own == name else f" as {name}")
