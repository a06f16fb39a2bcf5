"""What stands on the host for parts of an agent that are in a sandbox: its model's client, its tools, the sandbox itself."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

from smolcell import codec, protocols
from smolcell.errors import AgentGenerationError, AgentToolExecutionError, WireError
from smolcell.events import Boundary, Delta, Replied, Usage, Wall
from smolcell.executors.base import WorkerExecutor
from smolcell.inside import said
from smolcell.inside.line import Line
from smolcell.messages import Message
from smolcell.tools.tool import Tool
from smolcell.visible import visible
from smolcell.worker import values

NETWORK = "agent's network"
REPLY = 900.0  # seconds that a model may take inside, its own tries included
CALL = 3600.0  # seconds that a tool may take inside, where nobody else limits it
_TOKENS = 1 << 40


class InsideModel:
    """A model whose client is in the sandbox. Its reply is shown once it is whole.

    Args:
        line: the way to the agent's process.
        name: ``provider/model``.
    """

    takes_response_format = True

    def __init__(self, line: Line, name: str) -> None:
        self._line, self.name = line, name

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), *, response_format: Any = None
    ) -> AsyncIterator[Delta | Replied]:
        """The model's reply; what the sandbox says it used is taken as it says."""
        yield Delta(text=f"{self.name} is asked from inside the sandbox …", channel="progress")
        question = {"do": "reply", "messages": [dict(each) for each in messages], "form": response_format}
        answer, _ = await self._line.ask(question, (), REPLY, 0)
        if type(answer) is dict and "failed" in answer:
            kind = said.FAILURES.get(str(answer["failed"]), AgentGenerationError)
            raise kind(visible(str(answer.get("message", ""))))
        try:
            replied = codec.from_json(answer)
        except ValueError as error:
            raise WireError(
                f"the agent in the sandbox answers with what is no reply: {visible(str(error))[:300]}"
            ) from None
        if not isinstance(replied, Replied):
            raise WireError("the agent in the sandbox answers with what is no reply")
        yield replace(replied, usage=_bounded(replied.usage), calls=())


def _bounded(usage: Usage) -> Usage:
    """Tokens as numbers that can be: none of them makes a budget larger."""
    tokens = [min(max(0, count), _TOKENS) for count in (usage.input_tokens, usage.output_tokens)]
    cost = usage.cost if usage.cost is not None and 0 <= usage.cost < _TOKENS else None
    return Usage(input_tokens=tokens[0], output_tokens=tokens[1], cost=cost)


class _StandIn(Tool):
    """A tool that the code calls instead of another, with the same words and the same arguments."""

    def __init__(self, tool: Tool) -> None:
        self.name, self.description, self.inputs = tool.name, tool.description, tool.inputs
        self.output_type, self.output_schema, self.signature = tool.output_type, tool.output_schema, tool.signature
        self.approve, self.timeout, self.concurrent = tool.approve, tool.timeout, tool.concurrent
        self.stands_for = tool

    def takes(self, name: str, value: Any) -> bool:
        """As the tool itself says."""
        return self.stands_for.takes(name, value)


class InsideTool(_StandIn):
    """A tool that does its work in the sandbox. Its arguments are checked and its calls are reviewed here, like any tool's."""

    def __init__(self, tool: Tool, line: Line) -> None:
        super().__init__(tool)
        self._line = line

    async def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the tool returns, as data.

        Raises:
            Exception: what it raised, as Python's own exception of that name, else an ``AgentToolExecutionError``.
        """
        arrow = bool(self._line.executor.capabilities.get("arrow"))
        encoder = values.Encoder(trusted=True, arrow=arrow)
        question = {
            "do": "call",
            "name": self.name,
            "args": [encoder.encode(value) for value in args],
            "kwargs": [[name, encoder.encode(value)] for name, value in kwargs.items()],
        }
        answer, blobs = await self._line.ask(question, encoder.blobs, CALL, 0)
        if type(answer) is not dict:
            raise WireError(f"the tool {self.name!r} in the sandbox answers with what is no answer")
        if "failed" in answer:
            raise _failure(str(answer["failed"]), visible(str(answer.get("message", ""))))
        return values.Decoder(blobs, show=visible).decode(answer.get("value"))


def _failure(name: str, text: str) -> Exception:
    known = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(text)
        except TypeError:
            pass  # it wants more than a text
    return AgentToolExecutionError(f"{name}: {text}")


class ReviewedTool(_StandIn):
    """A tool of the host that an agent in a sandbox may call: each call is put before the gate, whatever the tool itself asks for."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        self.approve = tool.approve if isinstance(tool.approve, str) and tool.approve else _WHY
        self.forward = tool.forward  # type: ignore[method-assign]
        self.setup = tool.begin  # type: ignore[method-assign]


_WHY = "It runs on this machine, outside the sandbox that the agent is in."


class AgentSandbox:
    """An executor with an agent in its sandbox: the same, and its boundary says what is in there.

    Args:
        executor: the sandbox.
        added: the walls, or their lack, that the agent in it means, where the code has a network (True) or none.
    """

    def __init__(self, executor: WorkerExecutor, added: Callable[[bool], Sequence[Wall]]) -> None:
        self._executor, self._added = executor, added

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)

    def boundary(self) -> Boundary:
        """The sandbox's own, and what an agent in it adds."""
        found = self._executor.boundary()
        added = self._added(not all(wall.stands for wall in found.walls if wall.name == protocols.NETWORK))
        isolated = found.isolated and all(wall.stands for wall in added if wall.name == NETWORK)
        where = f"{found.where}, with the whole agent in it"
        return replace(found, where=where, isolated=isolated, walls=(*found.walls, *added))
