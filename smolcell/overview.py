"""What an agent has, as lines: itself, its tools, and the agents that work for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smolcell.views.terminal_lines import Line

_INDENT = "  "


def overview(agent: Any, margin: str = "") -> Iterator[Line]:
    """The lines of one agent; those of its managed agents stand further in."""
    name = f" {agent.name}" if agent.name else ""
    model = getattr(agent.model, "name", type(agent.model).__name__)
    sandbox = agent._sandbox if isinstance(agent._sandbox, str) else getattr(agent._sandbox, "name", "")
    yield Line(
        f"{type(agent).__name__}{name}: model {model}, sandbox {sandbox}, at most {agent.max_steps} steps",
        "head",
        margin,
    )
    if agent.description:
        yield Line(agent.description, "plain", margin + _INDENT)
    if agent.imports:
        yield Line(f"imports: {', '.join(agent.imports)}", "plain", margin + _INDENT)
    for tool in agent.tools.values():
        yield Line(f"tool {tool.name}: {tool.description.partition(chr(10))[0]}", "plain", margin + _INDENT)
    for managed in agent.managed_agents.values():
        yield from overview(managed, margin + _INDENT)
