"""smolagents' module ``tools``."""

from smolcell.compat import Tool, ToolCollection, load_tool, tool, validate_tool_arguments
from smolcell.tools.schema import JSON_TYPES

__all__ = ["AUTHORIZED_TYPES", "Tool", "ToolCollection", "load_tool", "tool", "validate_tool_arguments"]

AUTHORIZED_TYPES = list(JSON_TYPES)
