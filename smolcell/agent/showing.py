"""What an agent shows on the terminal: its parts, and its memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smolcell.core.history import Memory
from smolcell.core.redaction import redact
from smolcell.events import step_of
from smolcell.machine.waiter import QueueWaiter
from smolcell.models.capabilities import traits
from smolcell.views.terminal_render import Drawing, TerminalLine, block

_INDENT = "  "


def visualize(self: Any) -> None:
    """Show the agent's parts on the terminal: model, sandbox, imports, tools, managed agents."""
    drawing = Drawing()
    for line in _overview(self):
        drawing.line(line)


def _overview(agent: Any, margin: str = "") -> Iterator[TerminalLine]:
    """Yield the lines that describe an agent and, indented, its managed agents."""
    name = f" {agent.name}" if agent.name else ""
    model = traits(agent.model).name
    yield TerminalLine(
        f"{type(agent).__name__}{name}: model {model}, sandbox {agent.sandbox.name}, at most {agent.max_steps} steps",
        "head",
        margin,
    )
    if agent.description:
        yield TerminalLine(agent.description, "plain", margin + _INDENT)
    if agent.imports:
        yield TerminalLine(f"imports: {', '.join(agent.imports)}", "plain", margin + _INDENT)
    for tool in agent.tools.values():
        yield TerminalLine(f"tool {tool.name}: {tool.description.partition(chr(10))[0]}", "plain", margin + _INDENT)
    for managed in agent.managed_agents.values():
        yield from _overview(managed, margin + _INDENT)


def replay(self: Any, detailed: bool = False) -> None:
    """Show the memory on the terminal. Runs no code.

    Args:
        detailed: show also the messages that the model got at each step.
    """
    from smolcell.views.terminal import TerminalView

    memory: Memory = self.memory
    view, drawing = TerminalView(QueueWaiter()), Drawing()
    steps = {(step.run, step.number): step for step in (memory.steps if detailed else ())}
    for event in memory.events:
        step = steps.pop((event.run, step_of(event)), None)
        for message in (step.model_input_messages or ()) if step is not None else ():
            drawing.line(TerminalLine(f"{message.role}:", "dim"))
            for line in block(redact(message.text), "dim"):
                drawing.line(line)
        view.show(event)
