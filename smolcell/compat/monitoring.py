"""smolagents' module ``monitoring``."""

from smolcell.compat import LogLevel, Timing, TokenUsage

__all__ = ["LogLevel", "Timing", "TokenUsage"]
