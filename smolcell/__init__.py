"""smolcell: agent cells whose code runs in a sandbox, and only after a person approved it.

``%load_ext smolcell`` in a notebook, then ``%%agent``; or ``from smolcell import CodeAgent`` in a script.
Importing this package starts nothing and imports no provider's SDK: names are imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from smolcell.machine import environment

if TYPE_CHECKING:
    from smolcell import lesson as lesson

    __version__: str
    from smolcell import output_checks as output_checks
    from smolcell import scale as scale
    from smolcell import telemetry as telemetry
    from smolcell.agent import CodeAgent as CodeAgent
    from smolcell.agent import MultiStepAgent as MultiStepAgent
    from smolcell.agent import ToolCallingAgent as ToolCallingAgent
    from smolcell.agent.budget import Budget as Budget
    from smolcell.agent.result import RunResult as RunResult
    from smolcell.core.history import ActionStep as ActionStep
    from smolcell.core.history import PlanningStep as PlanningStep
    from smolcell.core.spec import AgentSpec as AgentSpec
    from smolcell.errors import AgentBudgetError as AgentBudgetError
    from smolcell.errors import AgentError as AgentError
    from smolcell.errors import AgentExecutionError as AgentExecutionError
    from smolcell.errors import AgentGenerationError as AgentGenerationError
    from smolcell.errors import AgentMaxStepsError as AgentMaxStepsError
    from smolcell.errors import AgentParsingError as AgentParsingError
    from smolcell.errors import AgentStopped as AgentStopped
    from smolcell.errors import AgentToolCallError as AgentToolCallError
    from smolcell.errors import AgentToolExecutionError as AgentToolExecutionError
    from smolcell.errors import ApprovalError as ApprovalError
    from smolcell.errors import ForbiddenError as ForbiddenError
    from smolcell.errors import InterpreterError as InterpreterError
    from smolcell.errors import SetupError as SetupError
    from smolcell.errors import SmolcellError as SmolcellError
    from smolcell.executors.cloud.blaxel import BlaxelExecutor as BlaxelExecutor
    from smolcell.executors.cloud.e2b import E2BExecutor as E2BExecutor
    from smolcell.executors.cloud.modal import ModalExecutor as ModalExecutor
    from smolcell.executors.docker import DockerExecutor as DockerExecutor
    from smolcell.executors.local import LocalPythonExecutor as LocalPythonExecutor
    from smolcell.executors.wasm import WasmExecutor as WasmExecutor
    from smolcell.exports import Export as Export
    from smolcell.exports.cells import export as export
    from smolcell.inside.agent import run_inside as run_inside
    from smolcell.models.fallback import FallbackModel as FallbackModel
    from smolcell.models.fallback import LiteLLMRouterModel as LiteLLMRouterModel
    from smolcell.models.huggingface import HfApiModel as HfApiModel
    from smolcell.models.huggingface import InferenceClientModel as InferenceClientModel
    from smolcell.models.litellm import AzureOpenAIModel as AzureOpenAIModel
    from smolcell.models.litellm import LiteLLMModel as LiteLLMModel
    from smolcell.models.llamacpp import LlamaCppModel as LlamaCppModel
    from smolcell.models.openai import OpenAIModel as OpenAIModel
    from smolcell.models.recording import RecordingModel as RecordingModel
    from smolcell.models.recording import ReplayModel as ReplayModel
    from smolcell.models.transformers import TransformersModel as TransformersModel
    from smolcell.tools.builtin import DuckDuckGoSearchTool as DuckDuckGoSearchTool
    from smolcell.tools.builtin import FinalAnswerTool as FinalAnswerTool
    from smolcell.tools.builtin import PythonInterpreterTool as PythonInterpreterTool
    from smolcell.tools.builtin import UserInputTool as UserInputTool
    from smolcell.tools.builtin import VisitWebpageTool as VisitWebpageTool
    from smolcell.tools.builtin import WebSearchTool as WebSearchTool
    from smolcell.tools.builtin import WikipediaSearchTool as WikipediaSearchTool
    from smolcell.tools.mcp import MCPClient as MCPClient
    from smolcell.tools.mcp import ToolCollection as ToolCollection
    from smolcell.tools.tool import Tool as Tool
    from smolcell.tools.tool import tool as tool

_ERRORS = (
    "AgentBudgetError AgentError AgentExecutionError AgentGenerationError AgentMaxStepsError AgentParsingError AgentStopped "
    "AgentToolCallError AgentToolExecutionError ApprovalError ForbiddenError InterpreterError LimitError PermitError "
    "SandboxBusyError SandboxDiedError SandboxError SetupError SmolcellError WireError"
).split()
_TOOLS = (
    "DuckDuckGoSearchTool FinalAnswerTool PythonInterpreterTool UserInputTool VisitWebpageTool WebSearchTool WikipediaSearchTool"
).split()
_PLACES = {
    **dict.fromkeys(_ERRORS, "smolcell.errors"),
    **dict.fromkeys(_TOOLS, "smolcell.tools.builtin"),
    "Budget": "smolcell.agent.budget",
    "CodeAgent": "smolcell.agent",
    "ToolCallingAgent": "smolcell.agent",
    "MultiStepAgent": "smolcell.agent",
    "RunResult": "smolcell.agent.result",
    "ActionStep": "smolcell.core.history",
    "AgentSpec": "smolcell.core.spec",
    "PlanningStep": "smolcell.core.history",
    "DockerExecutor": "smolcell.executors.docker",
    "BlaxelExecutor": "smolcell.executors.cloud.blaxel",
    "E2BExecutor": "smolcell.executors.cloud.e2b",
    "LocalPythonExecutor": "smolcell.executors.local",
    "ModalExecutor": "smolcell.executors.cloud.modal",
    "WasmExecutor": "smolcell.executors.wasm",
    "Export": "smolcell.exports",
    "export": "smolcell.exports.cells",
    "InferenceClientModel": "smolcell.models.huggingface",
    "HfApiModel": "smolcell.models.huggingface",
    "run_inside": "smolcell.inside.agent",
    "FallbackModel": "smolcell.models.fallback",
    "LiteLLMRouterModel": "smolcell.models.fallback",
    "LiteLLMModel": "smolcell.models.litellm",
    "AzureOpenAIModel": "smolcell.models.litellm",
    "LlamaCppModel": "smolcell.models.llamacpp",
    "OpenAIModel": "smolcell.models.openai",
    "TransformersModel": "smolcell.models.transformers",
    "RecordingModel": "smolcell.models.recording",
    "ReplayModel": "smolcell.models.recording",
    "MCPClient": "smolcell.tools.mcp",
    "ToolCollection": "smolcell.tools.mcp",
    "Tool": "smolcell.tools.tool",
    "tool": "smolcell.tools.tool",
}
_MODULES = (
    "telemetry",
    "output_checks",
    "scale",
    "lesson",
)  # modules whose functions are called by their qualified names
__all__ = ["__version__", "load_ipython_extension", "unload_ipython_extension", *_PLACES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("smolcell")
    if name in _MODULES:
        return importlib.import_module(f"smolcell.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'smolcell' has no attribute {name!r}")
    with environment.importing():
        value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext smolcell``: adds ``%%agent`` and ``%agent``; unloading restores exactly what this changed."""
    environment.read()
    with environment.importing():
        from smolcell.notebook.extension import load
    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext smolcell``: ends every session and sandbox, and removes the magics."""
    from smolcell.notebook.extension import unload

    unload(shell)
