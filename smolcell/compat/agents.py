"""smolagents' module ``agents``."""

from smolcell.compat import CodeAgent, MultiStepAgent, RunResult, ToolCallingAgent

__all__ = ["CodeAgent", "MultiStepAgent", "RunResult", "ToolCallingAgent"]
