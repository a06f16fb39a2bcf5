"""smolagents' module ``mcp_client``."""

from smolcell.tools.mcp import MCPClient

__all__ = ["MCPClient"]
