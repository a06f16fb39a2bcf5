"""smolagents' module ``memory``."""

from smolcell.agent import AgentMemory
from smolcell.core.history import ActionStep, PlanningStep, SystemPromptStep, ToolCall
from smolcell.core.history import Step as MemoryStep

__all__ = ["ActionStep", "AgentMemory", "MemoryStep", "PlanningStep", "SystemPromptStep", "ToolCall"]
