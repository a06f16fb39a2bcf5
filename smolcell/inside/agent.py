"""``run_inside``: an agent whose loop, tools and, if asked for, model client are in the sandbox with its code."""

from __future__ import annotations

import builtins
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from smolcell import events, protocols
from smolcell.agent import CodeAgent
from smolcell.agent.running import close
from smolcell.core import redaction
from smolcell.core.text import shorten, visible
from smolcell.errors import AgentGenerationError, AgentToolExecutionError, SetupError, WireError
from smolcell.events import Boundary, Delta, Replied, Usage, Wall
from smolcell.executors import create_executor
from smolcell.executors.base import WorkerExecutor
from smolcell.inside import encoding, packaging
from smolcell.inside.remote_loop import AgentConnection, InsideTurns, agent_host_of
from smolcell.machine.environment import importing
from smolcell.models import check_allowed, create_model, default_model
from smolcell.protocols import Executor, Message, Model
from smolcell.tools.builtin import as_tools
from smolcell.tools.tool import Tool
from smolcell.worker.wire import values

# --- Stand-ins on the host for parts that are in a sandbox: the model's client, the tools, the sandbox itself.


NETWORK = "agent's network"
REPLY_SECONDS = 900.0  # seconds for a reply of a model inside, retries included
CALL_SECONDS = 3600.0  # seconds for a tool inside without another limit
_MAX_TOKENS = 1 << 40


class InsideModel:
    """A model whose client is in the sandbox. Its reply is shown when it is complete.

    Args:
        line: the connection to the agent's process.
        name: ``provider/model``.
    """

    takes_response_format = True

    def __init__(self, line: AgentConnection, name: str) -> None:
        self._line, self.name = line, name

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), *, response_format: Any = None
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the model's reply. Its usage is what the sandbox reports."""
        yield Delta(text=f"{self.name} is asked from the sandbox …", channel="progress")
        question = {"do": "reply", "messages": [dict(each) for each in messages], "form": response_format}
        answer, _ = await self._line.ask(question, (), REPLY_SECONDS, 0)
        if type(answer) is dict and "failed" in answer:
            kind = encoding.FAILURES.get(str(answer["failed"]), AgentGenerationError)
            raise kind(visible(str(answer.get("message", ""))))
        try:
            replied = events.from_json(answer)
        except ValueError as error:
            raise WireError(
                f"the agent in the sandbox sent an invalid reply: {shorten(visible(str(error)), 300)}"
            ) from None
        if not isinstance(replied, Replied):
            raise WireError("the agent in the sandbox sent an invalid reply")
        yield replace(replied, usage=_bounded(replied.usage), calls=())


def _bounded(usage: Usage) -> Usage:
    """Return usage with plausible numbers only, so that it cannot extend a budget."""
    tokens = [min(max(0, count), _MAX_TOKENS) for count in (usage.input_tokens, usage.output_tokens)]
    cost = usage.cost if usage.cost is not None and 0 <= usage.cost < _MAX_TOKENS else None
    return Usage(input_tokens=tokens[0], output_tokens=tokens[1], cost=cost)


class _StandIn(Tool):
    """A tool that the code calls instead of another, with the same description and arguments."""

    def __init__(self, tool: Tool) -> None:
        self.name, self.description, self.inputs = tool.name, tool.description, tool.inputs
        self.output_type, self.output_schema, self.signature = tool.output_type, tool.output_schema, tool.signature
        self.approve, self.timeout, self.concurrent = tool.approve, tool.timeout, tool.concurrent
        self.stands_for = tool

    def takes(self, name: str, value: Any) -> bool:
        """Return whether the tool itself accepts this value."""
        return self.stands_for.takes(name, value)


class InsideTool(_StandIn):
    """A tool that runs in the sandbox. Its arguments are checked and its calls reviewed on the host, like any tool's."""

    def __init__(self, tool: Tool, line: AgentConnection) -> None:
        super().__init__(tool)
        self._line = line

    async def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the tool's result, as data.

        Raises:
            Exception: the tool's exception: Python's own of that name, else an ``AgentToolExecutionError``.
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
        answer, blobs = await self._line.ask(question, encoder.blobs, CALL_SECONDS, 0)
        if type(answer) is not dict:
            raise WireError(f"the tool {self.name!r} in the sandbox sent an invalid answer")
        if "failed" in answer:
            raise _failure(str(answer["failed"]), visible(str(answer.get("message", ""))))
        with importing():
            return values.Decoder(blobs, show=visible).decode_or_handle(answer.get("value"))


def _failure(name: str, text: str) -> Exception:
    known = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(text)
        except TypeError:
            pass  # its constructor needs more than a text
    return AgentToolExecutionError(f"{name}: {text}")


class ReviewedTool(_StandIn):
    """A tool of the host that an agent in a sandbox may call. Each call needs approval, whatever the tool itself requires."""

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


class HostingSandbox:
    """An executor whose sandbox also holds an agent. Its boundary says so; everything else is unchanged.

    Args:
        executor: the sandbox.
        added: returns the walls for the agent inside, if the code has a network (True) or none.
    """

    def __init__(self, executor: WorkerExecutor, added: Callable[[bool], Sequence[Wall]]) -> None:
        self._executor, self._added = executor, added

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)

    def boundary(self) -> Boundary:
        """Return the sandbox's boundary with what the agent inside adds."""
        boundary = self._executor.boundary()
        added = self._added(not all(wall.stands for wall in boundary.walls if wall.name == protocols.NETWORK))
        isolated = boundary.isolated and all(wall.stands for wall in added if wall.name == NETWORK)
        where = f"{boundary.where}, with the whole agent in it"
        return replace(boundary, where=where, isolated=isolated, walls=(*boundary.walls, *added))


INSIDE_PROVIDER = "openai"
"""The provider of models that can be asked from inside: servers with OpenAI's protocol. Other clients are not pure Python."""


class InsideAgent(CodeAgent):
    """A ``CodeAgent`` whose loop runs in its sandbox. The gate, permits, view and journal stay on the host.

    Args:
        executor: the sandbox, by name (``"docker"``) or as an executor, which then belongs to this agent.
        model: a model, or its name; None for the default one. It is asked from the host, which relays the agent's messages; with
            ``network``, a model given by name is asked from the sandbox.
        tools: functions and tools that run in the sandbox. Their source is sent there, so each must contain its own imports.
        host_tools: functions and tools that stay on the host. Every call of these needs approval, and so does every call of the other
            tools on the host: ``add_base_tools``, ``managed_agents``, and tools of a later ``set_tools``.
        network: give the sandbox a network.
        secrets: names of environment variables to copy into the sandbox. All code in it can read them.
        executor_kwargs: arguments for a sandbox given by name.
        model_kwargs: arguments for a model given by name, such as ``{"api_base": "http://…/v1"}``.
        options: as for ``CodeAgent``.

    Raises:
        CapabilityError: the sandbox cannot hold an agent, or cannot be given a network.
        SetupError: a tool cannot run there, a secret is not set, or the model cannot be asked from inside.
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
            if not given["additional_authorized_imports"]:
                given.setdefault("python", "auto")
            executor = create_executor(executor, **given)
        elif given:
            raise SetupError(
                "executor_kwargs only applies if executor is a name; pass these options when you create the executor"
            )
        sandbox = agent_host_of(executor)
        if network and sandbox.egress.hosts:
            raise SetupError("network= opens everything and allow_hosts single hosts: give one of them")
        self._network, self._secrets = network, environment(secrets)
        inside, outside = as_tools(tools), as_tools(host_tools)
        self._reviewed: dict[str, ReviewedTool] = {}
        inside_name, host_model = _model(model, network, dict(model_kwargs or {}))
        spec = {"tools": packaging.tool_specs(inside.values()), "model": inside_name, "environment": self._secrets}
        self.line = AgentConnection(sandbox, spec, network=network)
        self.turns = partial(InsideTurns, self.line)
        self._inside_model = host_model is None
        self._inside_tools = tuple(inside)
        options.setdefault("additional_authorized_imports", list(sandbox.additional_authorized_imports))
        super().__init__(
            [*(InsideTool(tool, self.line) for tool in inside.values()), *outside.values()],
            host_model or InsideModel(self.line, str(inside_name["name"] if inside_name else "")),
            sandbox=HostingSandbox(sandbox, self._walls),
            **options,
        )
        # Last: if the agent cannot be made, no network is left open.
        self._gave_network = network and sandbox.allow_network()

    @property
    def callables(self) -> dict[str, Tool]:
        """The tools by their names. Tools that run on the host need approval for each call."""
        return {name: self._put_before_gate(tool) for name, tool in super().callables.items()}

    def _put_before_gate(self, tool: Tool) -> Tool:
        if isinstance(tool, InsideTool):
            return tool
        known = self._reviewed.get(tool.name)
        if known is None or known.stands_for is not tool:
            known = self._reviewed[tool.name] = ReviewedTool(tool)
        return known

    def release(self) -> None:
        """Release the sandbox and leave it open: the agent's process ends, and tools are withdrawn.

        A sandbox that got a network for this agent is ended: the next user gets one without.
        """
        self.interrupt()
        self.line.end()
        self.line.executor.set_tools({})
        if self._gave_network:
            self.line.executor.forbid_network()
        close(self.memory.hand_over()[1])

    def _proxied(self) -> str:
        sandbox = self.line.executor
        shared = sandbox.shares_proxy and sandbox.egress.hosts
        return f"; while a step runs it reaches the hosts that the code may: {sandbox.egress.hosts}" if shared else ""

    def _walls(self, code_has_network: bool) -> tuple[Wall, ...]:
        """Return the walls for the agent inside, which may have its own network."""
        tools = f", and the work of {', '.join(self._inside_tools)}" if self._inside_tools else ""
        how_asked = "asked from inside" if self._inside_model else "asked from this machine, which relays the messages"
        held = ", ".join(self._secrets)
        return (
            Wall(
                name="agent",
                stands=True,
                detail=f"its loop, its prompts and its parser are in the sandbox{tools}; approval, permits and the "
                "journal are not",
            ),
            Wall(
                name=NETWORK,
                stands=not (self._network or code_has_network),
                detail=_NETWORKS[self._network, code_has_network] + self._proxied(),
            ),
            Wall(name="model", stands=not self._inside_model, detail=f"{self.model.name} is {how_asked}"),
            Wall(
                name="secrets",
                stands=not held,
                detail=f"{held}: all code in the sandbox can read it" if held else "none is in the sandbox",
            ),
        )


_NETWORKS = {
    (False, False): "the agent's process was given no network",
    (False, True): "the agent's process has the network that the code has",
    (True, False): "the agent's process was given a network; the code beside it has none",
    (True, True): "the agent's process was given a network, and the code beside it has one, too",
}
"""By whether the agent was given a network, and whether the code has one."""


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

    smolcell is sent there as pure Python; nothing is installed, and the sandbox needs Python 3.11 or newer. Every program is proposed,
    shown and decided about on this machine, by the same gate and view as any agent's, and runs in the sandbox after approval. By default
    the sandbox has no network and no secrets: the model is asked from here.

    The agent in the sandbox is not trusted. If code takes it over, it can lie about observations and send the model any message, within the
    limits on steps and budget. It cannot run a new program without approval, nor call a tool of this machine without the gate.

    Args:
        executor: a sandbox by name, ended when this returns; or an executor, which is left open, unless it was given a network for this:
            then it is ended, and its next step starts a sandbox without one.
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
    """Return the environment variables of these names. Their values are redacted in journals from now on.

    Raises:
        SetupError: a variable is not set.
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
    """Return how the model is made inside, or the model on the host; one of the two is None."""
    if model is not None and not isinstance(model, str):
        return None, model
    name = model or default_model()
    if not network:
        return None, create_model(name, **options)
    if name.partition("/")[0] != INSIDE_PROVIDER:
        raise SetupError(
            f"{name} cannot be asked from inside a sandbox: a server that speaks OpenAI's protocol can (openai/NAME, with "
            "model_kwargs={'api_base': 'https://…/v1'}); or pass the model itself to ask it from here: model=create_model(…)"
        )
    check_allowed(name)
    return {"name": name, "options": options}, None
