"""smolagents' names over smolcell's objects: ``import smolcell.compat as smolagents``.

There is no second implementation here. ``docs/from-smolagents.md`` says what is not there, and what to write instead.
"""

from __future__ import annotations

from smolcell.compat import agent_types, agents, default_tools, mcp_client, memory, models, monitoring, tools, utils
from smolcell.compat.agent_types import AgentText, AgentType
from smolcell.compat.agents import CodeAgent, MultiStepAgent, RunResult, ToolCallingAgent
from smolcell.compat.default_tools import (
    DuckDuckGoSearchTool,
    FinalAnswerTool,
    PythonInterpreterTool,
    UserInputTool,
    VisitWebpageTool,
    WebSearchTool,
    WikipediaSearchTool,
)
from smolcell.compat.mcp_client import MCPClient
from smolcell.compat.memory import ActionStep, AgentMemory, MemoryStep, PlanningStep, SystemPromptStep, ToolCall
from smolcell.compat.models import (
    AzureOpenAIModel,
    AzureOpenAIServerModel,
    ChatMessage,
    HfApiModel,
    InferenceClientModel,
    LiteLLMModel,
    LiteLLMRouterModel,
    MessageRole,
    Model,
    OpenAIModel,
    OpenAIServerModel,
    TransformersModel,
)
from smolcell.compat.monitoring import LogLevel, Timing, TokenUsage
from smolcell.compat.tools import Tool, ToolCollection, load_tool, tool, validate_tool_arguments
from smolcell.compat.utils import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
)
from smolcell.errors import InterpreterError
from smolcell.executors.cloud.blaxel import BlaxelExecutor
from smolcell.executors.cloud.e2b import E2BExecutor
from smolcell.executors.cloud.modal import ModalExecutor
from smolcell.executors.docker import DockerExecutor
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.wasm import WasmExecutor

__all__ = [
    "ActionStep",
    "AgentError",
    "AgentExecutionError",
    "AgentGenerationError",
    "AgentImage",
    "AgentMaxStepsError",
    "AgentMemory",
    "AgentParsingError",
    "AgentText",
    "AgentToolCallError",
    "AgentToolExecutionError",
    "AgentType",
    "AzureOpenAIModel",
    "AzureOpenAIServerModel",
    "BlaxelExecutor",
    "ChatMessage",
    "CodeAgent",
    "DockerExecutor",
    "DuckDuckGoSearchTool",
    "E2BExecutor",
    "FinalAnswerTool",
    "HfApiModel",
    "InferenceClientModel",
    "InterpreterError",
    "LiteLLMModel",
    "LiteLLMRouterModel",
    "LocalPythonExecutor",
    "LogLevel",
    "MCPClient",
    "MemoryStep",
    "MessageRole",
    "ModalExecutor",
    "Model",
    "MultiStepAgent",
    "OpenAIModel",
    "OpenAIServerModel",
    "PlanningStep",
    "PythonInterpreterTool",
    "RunResult",
    "SystemPromptStep",
    "Timing",
    "TokenUsage",
    "Tool",
    "ToolCall",
    "ToolCallingAgent",
    "ToolCollection",
    "TransformersModel",
    "UserInputTool",
    "VisitWebpageTool",
    "WasmExecutor",
    "WebSearchTool",
    "WikipediaSearchTool",
    "agent_types",
    "agents",
    "default_tools",
    "load_tool",
    "mcp_client",
    "memory",
    "models",
    "monitoring",
    "tool",
    "tools",
    "utils",
    "validate_tool_arguments",
]


def __getattr__(name: str) -> object:
    if name == "AgentImage":  # needs Pillow
        return agent_types.AgentImage
    raise AttributeError(
        f"module 'smolcell.compat' has no {name!r}: docs/from-smolagents.md says what to write instead"
    )
