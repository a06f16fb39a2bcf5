"""smolagents' module ``tools``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from smolcell.tools.mcp import ToolCollection
from smolcell.tools.schema import JSON_TYPES
from smolcell.tools.tool import Tool, as_tool, tool

__all__ = ["AUTHORIZED_TYPES", "Tool", "ToolCollection", "load_tool", "tool", "validate_tool_arguments"]

AUTHORIZED_TYPES = list(JSON_TYPES)


def load_tool(
    repo_id: str,
    model_repo_id: str | None = None,
    token: str | None = None,
    trust_remote_code: bool | str = False,
    **kwargs: Any,
) -> Tool:
    """``Tool.from_hub``, which says what each argument means; ``model_repo_id`` goes to the tool's own class."""
    if model_repo_id is not None:
        kwargs["model_repo_id"] = model_repo_id
    return Tool.from_hub(repo_id, token=token, trust_remote_code=trust_remote_code, **kwargs)


def validate_tool_arguments(tool: Any, arguments: Any) -> None:
    """Check arguments before a call: a mapping, or the value of a tool's only input.

    Raises:
        ValueError: one is unknown or missing.
        TypeError: one is of another type.
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
