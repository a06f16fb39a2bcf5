"""What an agent may do, for its contract."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from smolcell.agent.budget import Budget
from smolcell.agent.installs import Installs
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.agent.running import FrontEndResolver, Job
from smolcell.agent.sandbox import AgentSandbox
from smolcell.approval.contract import FILE, Contract, as_contract, violation_text
from smolcell.approval.gates import allow_all, deny_all
from smolcell.approval.grants import Grants
from smolcell.approval.policy import Layer, ToolPattern, is_default_import, policy_of_run
from smolcell.core.spec import AgentSpec
from smolcell.errors import SetupError
from smolcell.executors.base import WorkerExecutor
from smolcell.models.capabilities import traits
from smolcell.output_checks import Checks
from smolcell.protocols import Executor, FrontEnd, Model
from smolcell.tools.tool import Tool


class Permitted(Protocol):
    """The agent, as far as its contract describes it."""

    spec: AgentSpec
    model: Model
    sandbox: AgentSandbox
    installs: Installs
    grants: Grants
    budget: Budget | None
    output_checks: Checks
    managed_agents: dict[Any, Any]
    fronts: FrontEndResolver

    @property
    def executor(self) -> Executor: ...
    @property
    def callables(self) -> Mapping[str, Tool]: ...


def contract(self: Permitted, purpose: str = "", *, files: Sequence[str | os.PathLike[str]] = ()) -> Contract:
    """Return a contract: what this agent may do now, and the walls that its sandbox has. Opens the sandbox.

    ``str(contract)`` is the text of the file; ``smolcell.approval.contract.keep`` writes it.

    Args:
        purpose: what the agent is for.
        files: files and folders that the agent may be given.
    """
    return make_contract(self, self.fronts.resolve(), purpose, files)


def make_contract(
    agent: Permitted,
    front: FrontEnd,
    purpose: str = "",
    files: Sequence[str | os.PathLike[str]] = (),
    models: Sequence[str] = (),
) -> Contract:
    """Return the contract of a run with this front end. ``models``: models that it may use besides its own."""
    executor = agent.executor
    if not isinstance(executor, HostExecutor):
        front.waiter.wait(Job(executor.open()).done)
    boundary = None if isinstance(executor, HostExecutor) else executor.boundary()
    return as_contract(permissions(agent, front, files), boundary, Path.cwd(), purpose, models)


def check_contract(agent: Permitted, held: Contract, front: FrontEnd, options: Mapping[str, Any]) -> None:
    """Raise ``SetupError`` if an agent may do more than the contract allows. Its sandbox is checked when it is open."""
    if isinstance(agent.executor, WorkerExecutor) and agent.executor.asked_level == "auto":
        with policy_of_run(held.layer):
            agent.executor.hold_to_policy()  # which narrows the level
    allowed = permissions(agent, front, options.get("files", ()), max_steps=options.get("max_steps"))
    if other := held.excess(allowed):
        raise SetupError(violation_text(held, other))


_GATES: Mapping[Any, str] = {allow_all: "auto", deny_all: "deny"}


def permissions(
    agent: Permitted,
    front: FrontEnd | None = None,
    files: Iterable[str | os.PathLike[str]] = (),
    *,
    max_steps: int | None = None,
) -> Contract:
    """Return the permissions of a run that begins now, as far as they are known before its sandbox is open.

    Args:
        agent: the agent that runs.
        front: the front end that decides. A custom gate is not compared; the contract restricts its decisions as a policy does.
        files: files to copy in, besides those that the sandbox has.
        max_steps: of this run, instead of the agent's.
    """
    files_handed_in = agent.sandbox.handed_in  # first: making a sandbox resets it
    executor, model = agent.executor, traits(agent.model)
    values: dict[str, Any] = {}
    sandbox = agent.sandbox.name
    if not isinstance(executor, HostExecutor):
        values["sandboxes"] = (sandbox,)
    if isinstance(executor, WorkerExecutor):
        values["level"] = executor.asked_level
        values["limits.timeout"], values["limits.memory"] = executor.timeout, executor.memory
        values["limits.max_output"] = executor.max_print_outputs_length
        if executor.asked_level == "guarded":
            values["imports"] = tuple(name for name in agent.spec.imports if not is_default_import(name))
    if approval := (front.approve or _GATES.get(front.gate, "")) if front is not None else "":
        values["approval"] = approval
    if model.sends:
        values["models"] = tuple(name.strip() for name in model.name.split(","))
    values["installs"] = agent.installs.mode
    values["context"] = "outputs" if agent.spec.context == "ask" else agent.spec.context
    if packages := agent.installs.packages.installed:
        values["packages"] = tuple(f"{each.name}=={each.version}" for each in packages)
    values["output_checks"] = tuple(
        dict.fromkeys(one.name for one in agent.output_checks.all if one.name in ("secrets", "personal_data"))
    )
    values["limits.max_steps"] = agent.spec.max_steps if max_steps is None else max_steps
    for name in ("tokens", "cost", "steps", "seconds"):
        values[f"budget.{name}"] = getattr(agent.budget, name) if agent.budget is not None else None
    values["tools"] = tuple(
        (ToolPattern(name), "ask" if one.approve else "auto") for name, one in _tools(agent).items()
    )
    held = [*files_handed_in, *agent.grants.names("path"), *map(str, files)]
    layer = Layer("contract", FILE, values)
    return Contract(layer=layer, files=tuple(dict.fromkeys(held)), stop_after=agent.spec.stop_after)


def _tools(agent: Permitted) -> Mapping[str, Tool]:
    """Return the tools of an agent and of its managed agents, by name."""
    tools = {name: one for name, one in agent.callables.items() if name != "final_answer"}
    for managed in agent.managed_agents.values():
        tools = {**_tools(managed), **tools}
    return tools
