"""smolagents' module ``mcp_client``."""

from smolcell.compat import MCPClient

__all__ = ["MCPClient"]
