"""smolagents' names over smolcell's objects: ``import smolcell.compat as smolagents``.

It contains no second implementation. ``docs/from-smolagents.md`` lists what is missing, and what to write instead.
``_MODULES`` names the modules of smolagents that can be imported from here, such as ``smolcell.compat.agents``.
"""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

import smolcell
from smolcell.agent import CodeAgent, MultiStepAgent, ToolCallingAgent
from smolcell.agent.memory import AgentMemory
from smolcell.agent.result import RunResult
from smolcell.core.history import ActionStep, PlanningStep, SystemPromptStep, Timing, ToolCall
from smolcell.core.history import Step as MemoryStep
from smolcell.errors import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
    InterpreterError,
    SetupError,
)
from smolcell.events import Usage as TokenUsage
from smolcell.executors.docker import DockerExecutor
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.wasm import WasmExecutor
from smolcell.machine.environment import importing
from smolcell.models.fallback import LiteLLMRouterModel
from smolcell.models.generate import REMOVE_PARAMETER, ChatMessage, MessageRole
from smolcell.models.generate import ChatMessageToolCall as ChatMessageToolCall
from smolcell.models.generate import ChatMessageToolCallFunction as ChatMessageToolCallFunction
from smolcell.models.generate import Generates as Model
from smolcell.models.huggingface import HfApiModel, InferenceClientModel
from smolcell.models.litellm import AzureOpenAIModel, LiteLLMModel
from smolcell.models.openai import OpenAIModel
from smolcell.models.transformers import TransformersModel
from smolcell.tools.builtin import (
    DuckDuckGoSearchTool,
    FinalAnswerTool,
    PythonInterpreterTool,
    UserInputTool,
    VisitWebpageTool,
    WebSearchTool,
    WikipediaSearchTool,
)
from smolcell.tools.mcp import MCPClient, ToolCollection
from smolcell.tools.schema import JSON_TYPES
from smolcell.tools.tool import Tool, as_tool, tool
from smolcell.worker.guard.tables import DEFAULT_IMPORTS

if TYPE_CHECKING:
    from smolcell.executors.cloud.blaxel import BlaxelExecutor
    from smolcell.executors.cloud.e2b import E2BExecutor
    from smolcell.executors.cloud.modal import ModalExecutor

__all__ = [
    "REMOVE_PARAMETER",
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
    "load_tool",
    "tool",
    "validate_tool_arguments",
]

AzureOpenAIServerModel = AzureOpenAIModel
OpenAIServerModel = OpenAIModel
ApiModel = Model
AUTHORIZED_TYPES = list(JSON_TYPES)
BASE_BUILTIN_MODULES = list(DEFAULT_IMPORTS)
TOOL_MAPPING = {kind.name: kind for kind in (PythonInterpreterTool, WebSearchTool, VisitWebpageTool)}
_MODELS_INSTEAD = {
    "AmazonBedrockModel": "LiteLLMModel('bedrock/NAME')",
    "MLXModel": "mlx_lm.server, and OpenAIModel('NAME', api_base='http://127.0.0.1:8080/v1')",
    "VLLMModel": "vllm serve NAME, and OpenAIModel('NAME', api_base='http://127.0.0.1:8000/v1')",
}


class LogLevel(IntEnum):
    """Values of ``verbosity_level=``."""

    OFF = -1
    ERROR = 0
    INFO = 1
    DEBUG = 2


def load_tool(
    repo_id: str,
    model_repo_id: str | None = None,
    token: str | None = None,
    trust_remote_code: bool | str = False,
    **kwargs: Any,
) -> Tool:
    """Load a tool from the Hub. See ``Tool.from_hub`` for the arguments; ``model_repo_id`` is passed to the tool's class."""
    if model_repo_id is not None:
        kwargs["model_repo_id"] = model_repo_id
    return Tool.from_hub(repo_id, token=token, trust_remote_code=trust_remote_code, **kwargs)


def validate_tool_arguments(tool: Any, arguments: Any) -> None:
    """Check the arguments of a call: a mapping, or the value of the tool's only input.

    Raises:
        ValueError: an argument is unknown or missing.
        TypeError: an argument has another type.
    """
    checked = as_tool(tool)
    given = arguments if isinstance(arguments, Mapping) else {next(iter(checked.inputs), ""): arguments}
    for name in given:
        if name not in checked.inputs:
            raise ValueError(f"Argument {name} is not in the tool's input schema")
    for name, parameter in checked.signature.parameters.items():
        if parameter.default is inspect.Parameter.empty and name in checked.inputs and name not in given:
            raise ValueError(f"Argument {name} is required")
    checked.check((), given)


class AgentType:
    """A value with a raw form."""

    def to_raw(self) -> Any:
        """Return the plain value."""
        return self

    def to_string(self) -> str:
        """Return the value as text."""
        return str(self)


class AgentText(AgentType, str):
    """A text."""

    def to_raw(self) -> str:
        """Return a plain string."""
        return str(self)


@cache
def _image() -> Any:
    try:
        with importing():
            from PIL import Image
    except ImportError:
        raise SetupError("AgentImage needs Pillow: pip install pillow") from None

    class AgentImage(AgentType, Image.Image):
        """An image, from an image, bytes, or the path of a file."""

        def __init__(self, value: Any) -> None:
            Image.Image.__init__(self)
            if isinstance(value, bytes | bytearray):
                value = Image.open(io.BytesIO(value))
            elif isinstance(value, str | os.PathLike):
                value = Image.open(value)
            if not isinstance(value, Image.Image):
                raise SetupError(f"AgentImage takes an image, bytes or a path, not {type(value).__name__}")
            self.__setstate__(value.__getstate__())
            self._path = ""

        def to_raw(self) -> Any:
            """Return a plain image."""
            return self.copy()

        def to_string(self) -> str:
            """Save the image as PNG; returns the path."""
            import tempfile

            if not self._path:
                with tempfile.NamedTemporaryFile(suffix=".png", delete=False) as file:
                    self.save(file, format="PNG")
                self._path = file.name
            return self._path

    return AgentImage


def handle_agent_output_types(output: Any, output_type: str | None = None) -> Any:
    """Return a text as ``AgentText`` and an image as ``AgentImage``; other values unchanged. No path is opened: code may have named it."""
    if output_type == "string" or (output_type is None and isinstance(output, str)):
        return AgentText(output)
    is_image = any(kind.__module__ == "PIL.Image" for kind in type(output).__mro__)
    return _image()(output) if is_image else output


@cache
def _missing_model(name: str) -> type[Model]:
    def refuse(self: Model, *args: Any, **kwargs: Any) -> None:
        raise SetupError(f"smolcell has no {name}: use {_MODELS_INSTEAD[name]}")

    return type(name, (Model,), {"__init__": refuse})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return smolcell.__version__
    if name in _MODELS_INSTEAD:
        return _missing_model(name)
    if name == "AgentImage":  # needs Pillow
        return _image()
    if name in ("BlaxelExecutor", "E2BExecutor", "ModalExecutor"):
        return getattr(smolcell, name)
    raise AttributeError(
        f"module 'smolcell.compat' has no {name!r}: docs/from-smolagents.md says what to write instead"
    )


# --- smolagents' modules. A program imports names from them; they are defined here.

_MODULES = {
    "agent_types": "AgentImage AgentText AgentType handle_agent_output_types",
    "agents": "ActionStep CodeAgent MultiStepAgent RunResult ToolCallingAgent",
    "default_tools": "DuckDuckGoSearchTool FinalAnswerTool PythonInterpreterTool TOOL_MAPPING UserInputTool VisitWebpageTool "
    "WebSearchTool WikipediaSearchTool",
    "local_python_executor": "LocalPythonExecutor",
    "mcp_client": "MCPClient",
    "memory": "ActionStep AgentMemory MemoryStep PlanningStep SystemPromptStep ToolCall",
    "models": "AmazonBedrockModel ApiModel AzureOpenAIModel AzureOpenAIServerModel ChatMessage ChatMessageToolCall "
    "ChatMessageToolCallFunction HfApiModel InferenceClientModel LiteLLMModel LiteLLMRouterModel MLXModel MessageRole Model "
    "OpenAIModel OpenAIServerModel REMOVE_PARAMETER TransformersModel VLLMModel",
    "monitoring": "LogLevel Timing TokenUsage",
    "tools": "AUTHORIZED_TYPES Tool ToolCollection load_tool tool validate_tool_arguments",
    "utils": "AgentError AgentExecutionError AgentGenerationError AgentMaxStepsError AgentParsingError AgentToolCallError "
    "AgentToolExecutionError BASE_BUILTIN_MODULES",
}


class _Module(ModuleType):
    """A module of smolagents: some of the names of this one, looked up when they are used."""

    def __init__(self, name: str, names: list[str]) -> None:
        super().__init__(f"{__name__}.{name}", f"smolagents' module ``{name}``.")
        self.__all__, self.__spec__ = names, ModuleSpec(self.__name__, None)

    def __getattr__(self, name: str) -> Any:
        if name not in self.__all__:
            raise AttributeError(f"module {self.__name__!r} has no {name!r}")
        return getattr(sys.modules[__name__], name)


for _name, _names in _MODULES.items():
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _Module(_name, _names.split())
