"""smolagents' module ``memory``."""

from smolcell.compat import ActionStep, AgentMemory, MemoryStep, PlanningStep, SystemPromptStep, ToolCall

__all__ = ["ActionStep", "AgentMemory", "MemoryStep", "PlanningStep", "SystemPromptStep", "ToolCall"]
