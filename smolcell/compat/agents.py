"""smolagents' module ``agents``."""

from smolcell.agent import CodeAgent, MultiStepAgent, ToolCallingAgent
from smolcell.agent.result import RunResult

__all__ = ["CodeAgent", "MultiStepAgent", "RunResult", "ToolCallingAgent"]
