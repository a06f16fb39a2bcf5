"""From an agent to its spec, and from a spec to an agent."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from smolcell.agent.budget import Budget
from smolcell.approval.spec import as_allowed
from smolcell.core.spec import AgentSpec, imported, path_of, read
from smolcell.errors import SetupError
from smolcell.models import create_model, with_local_model
from smolcell.models.capabilities import traits
from smolcell.network import read_credentials
from smolcell.output_checks import by_names
from smolcell.protocols import Model
from smolcell.tools.builtin import own_tools
from smolcell.tools.tool import FunctionTool, Tool

A = TypeVar("A")
_LIMITS = ("timeout", "memory", "work_folder")
"""Options of a sandbox's class that have no argument of the agent's."""


def described(agent: Any, **values: Any) -> AgentSpec:
    """Return the spec of an agent whose parts are made, with these values. What no setting can say is left at its default."""
    model, options = traits(agent.model), agent.sandbox.options
    values["python"] = "guarded" if values["imports"] else "auto"
    said = {name: options[name] for name in (*_LIMITS, "python", "allow_hosts") if name in options}
    said["max_output"] = options.get("max_print_outputs_length", agent.sandbox.max_output)
    said["budget"] = _budget(agent)
    for name, value in said.items():
        with suppress(SetupError):
            values[name] = read(name, value)
    return AgentSpec(
        model=model.name,
        api_base=model.server,
        sandbox=agent.sandbox.name or "",
        credentials=tuple(
            f"{name}@{host}"
            for name, each in (options.get("credentials") or {}).items()
            for host in each.hosts
            if (each.env, each.header) == (name, "Authorization")
        ),
        tools=names_of_tools(agent.tools.values()),
        output_checks=tuple(check.name for check in agent.output_checks.all if check.name == "personal_data"),
        prompt_templates=agent.prompt_templates.replaced(),
        context="none",
        **values,
    )


def _function_of(tool: Tool) -> Any:
    return tool.function if isinstance(tool, FunctionTool) else tool


def names_of_tools(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Return what tools are called in a spec: an import path if it leads to the tool, else the tool's name. Imports nothing."""
    return tuple(map(_name_of, tools))


def _name_of(tool: Tool) -> str:
    function = _function_of(tool)
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    found = getattr(sys.modules.get(module or ""), name or "", None)
    is_named = found is not None and function in (found, getattr(found, "function", None))
    return f"{module}:{name}" if is_named else tool.name


def spec_of(agent: Any) -> AgentSpec:
    """Return the spec of an agent for another process.

    Raises:
        SetupError: a part of it cannot be made from a name there; the message says which.
    """
    lacks = [
        word
        for word, part in (
            ("managed agents", agent.managed_agents),
            ("final_answer_checks", agent.final_answer_checks),
            ("its own sandbox", () if isinstance(agent.sandbox.kind, str) else (1,)),
        )
        if part
    ]
    if lacks:
        raise SetupError(
            f"this agent has {' and '.join(lacks)}, which other processes cannot make from a name: pass map an AgentSpec"
        )
    model = traits(agent.model)
    spec: AgentSpec = agent.spec
    return replace(
        spec,
        model=model.name,
        api_base=model.server,
        sandbox=agent.sandbox.name,
        python=agent.sandbox.options.get("python", "guarded"),
        tools=tuple(path_of(_function_of(tool)) for tool in agent.tools.values()),
        budget=_budget(agent),
    )


def _budget(agent: Any) -> str:
    return "" if agent.budget is None else str(agent.budget)


def from_spec(cls: type[A], spec: AgentSpec, model: Model | None, parts: Mapping[str, Any]) -> A:
    """See ``MultiStepAgent.from_spec``."""
    allowed = as_allowed(with_local_model(spec))
    if allowed.imports and allowed.python == "auto":
        allowed = replace(allowed, python="guarded")  # a list of imports means guarded
    given = {**dict(_arguments(allowed)), **parts}
    if model is None:
        model = create_model(allowed.model_name, api_base=allowed.api_base)
    given["executor_kwargs"] = {**dict(_sandbox_options(allowed)), **(parts.get("executor_kwargs") or {})}
    agent: Any = cls(model=model, **given)  # type: ignore[call-arg]
    agent.spec = replace(agent.spec, **{name: getattr(allowed, name) for name in _UNSEEN if name not in parts})
    agent.installs.mode = allowed.installs
    agent.telemetry = allowed.otel, allowed.log
    if "gate" not in parts:
        agent.fronts.mode = allowed.approve
    return agent  # type: ignore[no-any-return]


_UNSEEN = (
    "model api_base approve session installs context otel log files read_only replay output_type output_checks walls "
    "credentials budget"
).split()
"""Fields that cannot be read off an agent's parts."""


def _sandbox_options(spec: AgentSpec) -> Iterator[tuple[str, Any]]:
    for name in _LIMITS:
        if name != "work_folder" or spec.work_folder != "writable":  # sandboxes of other packages may not support it
            yield name, getattr(spec, name)


def _arguments(spec: AgentSpec) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of the constructor."""
    yield "tools", [_tool(name) for name in spec.tools]
    yield "sandbox", spec.sandbox
    yield "python", spec.python
    yield "additional_authorized_imports", spec.imports
    yield "allow_hosts", spec.allow_hosts
    yield "credentials", read_credentials(spec.credentials)
    yield "max_steps", spec.max_steps
    yield "max_print_outputs_length", spec.max_output
    yield "instructions", spec.instructions
    yield "prompt_templates", dict(spec.prompt_templates) or None
    yield "use_structured_outputs_internally", spec.structured
    yield "budget", Budget.of(spec.budget)
    yield "output_checks", by_names(spec.output_checks)
    yield "output_type", spec.expected
    yield "session", spec.session
    for name in ("name", "description", "planning_interval", "provide_run_summary", "rollback", "stop_after"):
        yield name, getattr(spec, name)


def _tool(name: str) -> Any:
    tool: Any = imported(name) if ":" in name else own_tools([name])[0]
    return tool() if isinstance(tool, type) else tool
