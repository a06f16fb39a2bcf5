"""smolagents' module ``utils``."""

from smolcell.compat import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
)
from smolcell.worker.guard.tables import DEFAULT_IMPORTS

__all__ = [
    "BASE_BUILTIN_MODULES",
    "AgentError",
    "AgentExecutionError",
    "AgentGenerationError",
    "AgentMaxStepsError",
    "AgentParsingError",
    "AgentToolCallError",
    "AgentToolExecutionError",
]

BASE_BUILTIN_MODULES = list(DEFAULT_IMPORTS)
