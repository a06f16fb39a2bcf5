"""``run_inside``: an agent whose loop, tools and (if asked for) model's client are in the sandbox with its code."""

from __future__ import annotations

import builtins
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from smolcell import events, protocols, redaction
from smolcell.agent import CodeAgent
from smolcell.agent.running import close
from smolcell.environment import importing
from smolcell.errors import AgentGenerationError, AgentToolExecutionError, SetupError, WireError
from smolcell.events import Boundary, Delta, Replied, Usage, Wall
from smolcell.executors import create_executor
from smolcell.executors.base import WorkerExecutor
from smolcell.inside import encoding, packaging
from smolcell.inside.remote_loop import AgentConnection, InsideTurns, agent_host_of
from smolcell.models import check_allowed, create_model, default_model
from smolcell.protocols import Executor, Message, Model
from smolcell.text import visible
from smolcell.tools.builtin import as_tools
from smolcell.tools.tool import Tool
from smolcell.worker.wire import values

# --- What stands on the host for parts of an agent that are in a sandbox: its model's client, its tools, the sandbox itself.


NETWORK = "agent's network"
REPLY = 900.0  # seconds that a model may take inside, its own tries included
CALL = 3600.0  # seconds that a tool may take inside, if it has no other limit
_TOKENS = 1 << 40


class InsideModel:
    """A model whose client is in the sandbox. Its reply is shown once it is whole.

    Args:
        line: the way to the agent's process.
        name: ``provider/model``.
    """

    takes_response_format = True

    def __init__(self, line: AgentConnection, name: str) -> None:
        self._line, self.name = line, name

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), *, response_format: Any = None
    ) -> AsyncIterator[Delta | Replied]:
        """The model's reply; what the sandbox says it used is taken as it says."""
        yield Delta(text=f"{self.name} is asked from inside the sandbox …", channel="progress")
        question = {"do": "reply", "messages": [dict(each) for each in messages], "form": response_format}
        answer, _ = await self._line.ask(question, (), REPLY, 0)
        if type(answer) is dict and "failed" in answer:
            kind = encoding.FAILURES.get(str(answer["failed"]), AgentGenerationError)
            raise kind(visible(str(answer.get("message", ""))))
        try:
            replied = events.from_json(answer)
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
        """Whether the tool itself takes it."""
        return self.stands_for.takes(name, value)


class InsideTool(_StandIn):
    """A tool that does its work in the sandbox. Its arguments are checked and its calls are reviewed here, like any tool's."""

    def __init__(self, tool: Tool, line: AgentConnection) -> None:
        super().__init__(tool)
        self._line = line

    async def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The tool's result, as data.

        Raises:
            Exception: what it raised, as Python's own exception of that name, else an ``AgentToolExecutionError``.
        """
        arrow = bool(self._line.executor.capabilities.get("arrow"))
        encoder = values.Encoder(trusted=True, arrow=arrow)
        with importing():
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
        with importing():
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
        self.aforward = tool.aforward  # type: ignore[method-assign]
        self.setup = tool.begin  # type: ignore[method-assign]

    @property
    def is_async(self) -> bool:
        return self.stands_for.is_async


_WHY = "It runs on this machine, outside the sandbox that the agent is in."


class AgentSandbox:
    """An executor with an agent in its sandbox: the same, and its boundary says what is in there.

    Args:
        executor: the sandbox.
        added: the walls, or their lack, that the agent in it means, if the code has a network (True) or none.
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


INSIDE_PROVIDER = "openai"
"""The models that can be asked from inside: any server that speaks OpenAI's protocol. The others' clients are not pure Python."""


class InsideAgent(CodeAgent):
    """A ``CodeAgent`` that is in its sandbox. The gate, the permits, the view and the journal are here.

    Args:
        executor: the sandbox, by name (``"docker"``) or as an executor, which then belongs to this agent.
        model: a model, or its name; None for the default one. It is asked from this machine, and what the agent in the sandbox
            wants to say to it is relayed; with ``network`` one that is given by name is asked from inside.
        tools: functions and tools that do their work in the sandbox; their source goes there, and each must be whole: what it
            imports it imports itself.
        host_tools: functions and tools that stay on this machine. Every call is put before the gate; so is every call of whatever
            else is here: ``add_base_tools``, ``managed_agents``, and what ``set_tools`` brings later.
        network: give the sandbox a network.
        secrets: names of environment variables whose values go in. Whatever runs there can read them.
        executor_kwargs: for a sandbox that is given by name.
        model_kwargs: for a model that is given by name, such as ``{"api_base": "http://…/v1"}``.
        options: what ``CodeAgent`` takes.

    Raises:
        CapabilityError: the sandbox cannot hold an agent, or cannot be given a network.
        SetupError: a tool cannot go there, a secret is not set, or the model cannot be asked from inside.
    """

    def __init__(
        self,
        executor: str | Executor,
        model: Model | str | None = None,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        *,
        host_tools: Sequence[Tool | Callable[..., Any]] = (),
        network: bool = False,
        secrets: Sequence[str] = (),
        executor_kwargs: Mapping[str, Any] | None = None,
        model_kwargs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        given = dict(executor_kwargs or {})
        if isinstance(executor, str):
            given.setdefault("additional_authorized_imports", list(options.get("additional_authorized_imports") or ()))
            for name in ("python", "allow_hosts", "credentials"):
                if options.get(name):
                    given[name] = options.pop(name)
            executor = create_executor(executor, **given)
        elif given:
            raise SetupError(
                "executor_kwargs are for a sandbox given by name: give the executor itself these arguments"
            )
        sandbox = agent_host_of(executor)
        if network and sandbox.hosts:
            raise SetupError("network= opens everything and allow_hosts single hosts: give one of them")
        self._network, self._secrets = network, environment(secrets)
        inside, outside = as_tools(tools), as_tools(host_tools)
        self._reviewed: dict[str, ReviewedTool] = {}
        named, made = _model(model, network, dict(model_kwargs or {}))
        spec = {"tools": packaging.tool_specs(inside.values()), "model": named, "environment": self._secrets}
        self.line = AgentConnection(sandbox, spec, network=network)
        self._inside_model = made is None
        self._inside_tools = tuple(inside)
        options.setdefault("additional_authorized_imports", list(sandbox.additional_authorized_imports))
        super().__init__(
            [*(InsideTool(tool, self.line) for tool in inside.values()), *outside.values()],
            made or InsideModel(self.line, str(named["name"] if named else "")),
            sandbox=AgentSandbox(sandbox, self._walls),
            **options,
        )
        # Last: an agent that cannot be made leaves nothing open.
        self._gave_network = network and sandbox.allow_network()

    def _own_parts(self, settings: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
        return {**super()._own_parts(settings, variables), "turns": partial(InsideTurns, self.line)}

    @property
    def callables(self) -> dict[str, Tool]:
        """The tools by their names; one that does its work on this machine is put before the gate, however it came here."""
        return {name: self._put_before_gate(tool) for name, tool in super().callables.items()}

    def _put_before_gate(self, tool: Tool) -> Tool:
        if isinstance(tool, InsideTool):
            return tool
        known = self._reviewed.get(tool.name)
        if known is None or known.stands_for is not tool:
            known = self._reviewed[tool.name] = ReviewedTool(tool)
        return known

    def release(self) -> None:
        """Let the sandbox go and leave it open: the agent's process ends, and no tool is lent any more.

        A sandbox with a network for this agent is ended: the next user gets one without.
        """
        self.interrupt()
        self.line.end()
        self.line.executor.set_tools({})
        if self._gave_network:
            self.line.executor.forbid_network()
        journal, self._journal = self._journal, None
        close(journal)

    def _proxied(self) -> str:
        sandbox = self.line.executor
        shared = sandbox.shares_proxy and sandbox.hosts
        return f"; while a step runs it reaches the hosts that the code may: {sandbox.hosts}" if shared else ""

    def _walls(self, code_has_network: bool) -> tuple[Wall, ...]:
        """A wall for the agent in the sandbox, which may have a network of its own."""
        tools = f", and the work of {', '.join(self._inside_tools)}" if self._inside_tools else ""
        asked = "asked from inside" if self._inside_model else "asked from this machine, which relays what is said"
        held = ", ".join(self._secrets)
        return (
            Wall(
                name="agent",
                stands=True,
                detail=f"its loop, its prompts and the reading of replies are in the sandbox{tools}; approval, permits and the "
                "journal are not",
            ),
            Wall(
                name=NETWORK,
                stands=not (self._network or code_has_network),
                detail=_NETWORKS[self._network, code_has_network] + self._proxied(),
            ),
            Wall(name="model", stands=not self._inside_model, detail=f"{self.model.name} is {asked}"),
            Wall(
                name="secrets",
                stands=not held,
                detail=f"{held}: whatever runs in the sandbox can read that" if held else "none is in the sandbox",
            ),
        )


_NETWORKS = {
    (False, False): "the agent's process was given no network",
    (False, True): "the agent's process has the network that the code has",
    (True, False): "the agent's process was given a network; the code beside it has none",
    (True, True): "the agent's process was given a network, and the code beside it has one, too",
}
"""By whether the agent was given one, and whether the code has one."""


def run_inside(
    executor: str | Executor,
    task: str,
    *,
    model: Model | str | None = None,
    tools: Sequence[Tool | Callable[..., Any]] = (),
    network: bool = False,
    secrets: Sequence[str] = (),
    additional_args: Mapping[str, Any] | None = None,
    files: Sequence[str | os.PathLike[str]] = (),
    images: Sequence[Any] | None = None,
    return_full_result: bool = False,
    **options: Any,
) -> Any:
    """Work on a task with the whole agent inside a sandbox, and return the answer.

    smolcell is shipped there as pure Python; nothing is installed, and the sandbox needs Python 3.11 or newer. Every program is
    proposed, shown and decided about on this machine, by the same gate and view as any agent's, and runs in the sandbox when it is
    permitted. By default there is no network in the sandbox and no secret: the model is asked from here.

    The agent in the sandbox is not trusted: one that was taken over can lie about its observations and say to the model what
    it likes, within the steps and the budget. It cannot run a program of its own unseen except with what it was taken over by,
    and it calls no tool of this machine without the gate.

    Args:
        executor: a sandbox by name, ended when this returns; or an executor, which is left open, but for one that was given a
            network for this: that is ended, and its next step begins a sandbox without.
        task: in plain words.
        model, tools, network, secrets, options: see ``InsideAgent``.
        additional_args, files, images, return_full_result: see ``CodeAgent.run``.

    Raises:
        CapabilityError, SetupError: see ``InsideAgent``. Otherwise what ``CodeAgent.run`` raises.
    """
    agent = InsideAgent(executor, model, tools, network=network, secrets=secrets, **options)
    try:
        return agent.run(
            task,
            additional_args=additional_args,
            files=files,
            images=images,
            return_full_result=return_full_result,
        )
    finally:
        if isinstance(executor, str):
            agent.cleanup()
        else:
            agent.release()


def environment(secrets: Sequence[str]) -> dict[str, str]:
    """The variables of these names, as they are now; their values are hidden in journals from now on, whatever the names.

    Raises:
        SetupError: one is not set.
    """
    if isinstance(secrets, str):
        raise SetupError(f"secrets is a list of names: secrets=[{secrets!r}]")
    missing = [name for name in secrets if not os.environ.get(name)]
    if missing:
        raise SetupError(f"secrets names {', '.join(missing)}, which is not set here; type: export {missing[0]}=…")
    for name in secrets:
        redaction.register(os.environ[name])
    return {name: os.environ[name] for name in secrets}


def _model(
    model: Model | str | None, network: bool, options: dict[str, Any]
) -> tuple[dict[str, Any] | None, Model | None]:
    """How the model is made inside, or the model here; one of the two is None."""
    if model is not None and not isinstance(model, str):
        return None, model
    name = model or default_model()
    if not network:
        return None, create_model(name, **options)
    if name.partition("/")[0] != INSIDE_PROVIDER:
        raise SetupError(
            f"{name} cannot be asked from inside a sandbox: a server that speaks OpenAI's protocol can (openai/NAME, with "
            "model_kwargs={'api_base': 'https://…/v1'}); or hand over the model itself, and it is asked from here: model=create_model(…)"
        )
    check_allowed(name)
    return {"name": name, "options": options}, None
