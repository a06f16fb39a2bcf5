"""From an agent to its spec, and back, for other processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from smolcell.approval.spec import as_allowed, level_and_imports
from smolcell.core.spec import AgentSpec, budget_limit, imported, path_of
from smolcell.errors import SetupError
from smolcell.models import with_local_model
from smolcell.models.capabilities import traits
from smolcell.tools.builtin import own_tools

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.protocols import Model


def spec_of(agent: Any) -> AgentSpec:
    """Return the recipe of an agent.

    Raises:
        SetupError: a part of it cannot be made from a name in another process; the message says which.
    """
    from smolcell.tools.tool import FunctionTool

    lacks = [
        word
        for word, part in (
            ("managed agents", agent.managed_agents),
            ("final_answer_checks", agent.final_answer_checks),
            ("its own sandbox", () if isinstance(agent._sandbox, str) else (1,)),
        )
        if part
    ]
    if lacks:
        raise SetupError(
            f"this agent has {' and '.join(lacks)}, which other processes cannot make from a name: pass map an AgentSpec"
        )
    kwargs, budget = agent._executor_kwargs, agent.budget
    given = {name: kwargs[name] for name in ("timeout", "memory", "work_folder") if name in kwargs}
    functions = [tool.function if isinstance(tool, FunctionTool) else tool for tool in agent.tools.values()]
    limit = "" if budget is None else f"${budget.cost:g}" if budget.cost else str(budget.tokens or "")
    return AgentSpec(
        model=agent.model.name,
        api_base=traits(agent.model).server,
        sandbox=agent._sandbox,
        python=kwargs.get("python", "guarded"),
        imports=agent.imports,
        max_steps=agent.max_steps,
        max_output=agent._max_output,
        instructions=agent.instructions,
        structured=agent.structured,
        budget=limit,
        tools=tuple(path_of(tool) for tool in functions),
        **given,
    )


def agent_of(spec: AgentSpec, model: Model, session: str) -> CodeAgent:
    """Make the agent. ``session`` names its journal.

    Raises:
        SetupError: a part cannot be made, or the policy does not allow it.
    """
    from smolcell.agent import CodeAgent
    from smolcell.agent.budget import Budget
    from smolcell.output_checks import by_names

    allowed = as_allowed(with_local_model(spec))
    means = level_and_imports(allowed)
    folder = {} if allowed.work_folder == "writable" else {"work_folder": allowed.work_folder}
    agent = CodeAgent(
        tools=[_tool(name) for name in spec.tools],
        model=model,
        sandbox=allowed.sandbox,
        executor_kwargs={
            "timeout": allowed.timeout,
            "memory": allowed.memory,
            "python": means["python"],
            **folder,
        },
        additional_authorized_imports=means["imports"],
        max_steps=allowed.max_steps,
        max_print_outputs_length=allowed.max_output,
        instructions=allowed.instructions,
        use_structured_outputs_internally=allowed.structured,
        budget=Budget(**budget_limit(allowed.budget)) if allowed.budget else None,
        output_checks=by_names(allowed.output_checks),
        output_type=spec.expected,
        session=session,
    )
    agent.installs.mode = "never" if allowed.installs == "ask" else allowed.installs
    agent.telemetry = allowed.otel, allowed.log
    return agent


def _tool(name: str) -> Callable[..., Any]:
    tool: Callable[..., Any] = imported(name) if ":" in name else own_tools([name])[0]
    return tool() if isinstance(tool, type) else tool
