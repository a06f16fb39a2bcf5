"""An agent's memory as a file, and an overview of an agent and those that work for it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

from smolcell import journal as runs
from smolcell.core.history import Memory, Say
from smolcell.models.capabilities import traits
from smolcell.views.terminal_render import Line

_INDENT = "  "


class AgentMemory(Memory):
    """An agent's memory, which can be kept in a file."""

    def __init__(self, say: Say | None = None) -> None:
        super().__init__(say, time.time)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what is remembered to a file: JSON lines as in a journal, secrets taken out; an existing file is replaced.

        Live values are not kept: an answer is its text afterwards.

        Raises:
            SetupError: nothing is remembered, or the file cannot be written.
        """
        runs.save(path, runs.Run(self.events, self.times))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Remember what a file holds that ``save``, or an agent's journal, wrote, instead of what is remembered now.

        Nothing of it runs. The model is told in the next run which names of the sandbox are gone (``gone``).

        Raises:
            SetupError: the file cannot be read, or a line is no event; nothing is changed then.
        """
        self.take(*runs.load(path))


def overview(agent: Any, margin: str = "") -> Iterator[Line]:
    """The lines of one agent; those of its managed agents stand further in."""
    name = f" {agent.name}" if agent.name else ""
    model = traits(agent.model).name
    sandbox = agent._sandbox if isinstance(agent._sandbox, str) else agent._sandbox.name
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
