"""smolagents' module ``monitoring``."""

from enum import IntEnum

from smolcell.core.history import Timing
from smolcell.events import Usage as TokenUsage

__all__ = ["LogLevel", "Timing", "TokenUsage"]


class LogLevel(IntEnum):
    """Values of ``verbosity_level=``."""

    OFF = -1
    ERROR = 0
    INFO = 1
    DEBUG = 2
