"""smolagents' module ``agents``."""

from smolcell.compat import ActionStep, CodeAgent, MultiStepAgent, RunResult, ToolCallingAgent

__all__ = ["ActionStep", "CodeAgent", "MultiStepAgent", "RunResult", "ToolCallingAgent"]
