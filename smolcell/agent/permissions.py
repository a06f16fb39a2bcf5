"""The permissions of an agent, written as a contract."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from smolcell.agent.no_sandbox import HostExecutor
from smolcell.contract import FILE, Acceptance, Contract
from smolcell.events import Boundary
from smolcell.executors.base import WorkerExecutor
from smolcell.gates import allow_all, deny_all
from smolcell.models.capabilities import traits
from smolcell.policy import Layer, ToolPattern, is_default_import
from smolcell.protocols import FrontEnd
from smolcell.tools.tool import Tool

_GATES: Mapping[Any, str] = {allow_all: "auto", deny_all: "deny"}


def permissions(
    agent: Any,
    front: FrontEnd | None = None,
    files: Iterable[str | os.PathLike[str]] = (),
    *,
    max_steps: int | None = None,
) -> Contract:
    """The permissions of a run that begins now, as far as they are known before its sandbox is open.

    Args:
        agent: a ``MultiStepAgent``.
        front: who decides; a gate of one's own is not compared, but held to the contract as to a policy.
        files: that are handed in, besides what the sandbox has already.
        max_steps: of this run, in place of the agent's.
    """
    there = agent.handed_in  # before a sandbox is made, which has nothing yet
    executor, model = agent.executor, traits(agent.model)
    values: dict[str, Any] = {}
    sandbox = agent._sandbox if isinstance(agent._sandbox, str) else executor.name
    if not isinstance(executor, HostExecutor):
        values["sandboxes"] = (sandbox,)
    if isinstance(executor, WorkerExecutor):
        values["level"] = executor.asked_level
        values["limits.timeout"], values["limits.memory"] = executor.timeout, executor.memory
        values["limits.max_output"] = executor.max_print_outputs_length
        if executor.asked_level == "guarded":
            values["imports"] = tuple(name for name in agent.imports if not is_default_import(name))
    if approval := (front.approve or _GATES.get(front.gate, "")) if front is not None else "":
        values["approval"] = approval
    if model.sends:
        values["models"] = tuple(name.strip() for name in model.name.split(","))
    values["installs"], values["context"] = agent.installs.mode, agent.notebook_context
    if packages := agent.installs.packages.installed:
        values["packages"] = tuple(f"{each.name}=={each.version}" for each in packages)
    values["output_checks"] = tuple(
        dict.fromkeys(one.name for one in agent.output_checks.all if one.name in ("secrets", "personal_data"))
    )
    values["limits.max_steps"] = agent.max_steps if max_steps is None else max_steps
    for name in ("tokens", "cost", "steps", "seconds"):
        values[f"budget.{name}"] = getattr(agent.budget, name) if agent.budget is not None else None
    values["tools"] = tuple(
        (ToolPattern(name), "ask" if one.approve else "auto") for name, one in _tools(agent).items()
    )
    held = [*there, *agent.grants.names("path"), *map(str, files)]
    layer = Layer("contract", FILE, values)
    return Contract(layer=layer, files=tuple(dict.fromkeys(held)), stop_after=agent.stop_after)


def _tools(agent: Any) -> Mapping[str, Tool]:
    """The tools of an agent and of those that it manages, by name."""
    found = {name: one for name, one in agent.callables.items() if name != "final_answer"}
    for managed in agent.managed_agents.values():
        found = {**_tools(managed), **found}
    return found


def as_contract(
    found: Contract, boundary: Boundary | None, folder: Path, purpose: str, models: Iterable[str]
) -> Contract:
    """The same as a contract to be kept, with what the open sandbox showed.

    Args:
        found: what ``permissions`` gave.
        boundary: of the open sandbox; None if there is none.
        folder: where the contract will lie.
        purpose: what the agent is for.
        models: that it may use, if it was made without one.
    """
    values = {name: value for name, value in found.layer.values.items() if value is not None}
    values["models"] = tuple(models) or values.get("models", ())
    walls: tuple[str, ...] = ()
    if boundary is not None:
        values["hosts"] = boundary.hosts
        values["level"] = boundary.python.partition(",")[0] or values.get("level", "guarded")
        walls = tuple(wall.name for wall in boundary.walls if wall.stands)
    if values.get("level") == "guarded":
        values.setdefault(
            "imports", tuple(name for name in boundary.imports if not is_default_import(name)) if boundary else ()
        )
    files = tuple(_inside(Path(each), folder) for each in found.files or ())
    layer = Layer("contract", str(folder / FILE), values)
    return Contract(
        layer=layer,
        purpose=purpose,
        walls=walls,
        files=files,
        stop_after=found.stop_after,
        acceptance=_first_checks(boundary),
    )


def _inside(path: Path, folder: Path) -> str:
    real = path.expanduser().resolve()
    return real.relative_to(folder.resolve()).as_posix() if real.is_relative_to(folder.resolve()) else str(real)


def _first_checks(boundary: Boundary | None) -> tuple[Acceptance, ...]:
    """Checks to begin with: the sandbox computes, and what its walls keep out is out of reach."""
    if boundary is None:
        return ()
    found = [Acceptance(name="it computes", code="sum(n * n for n in range(10))", answer="285")]
    if boundary.isolated and boundary.sandbox == "local":
        found.append(Acceptance(name="no file of this machine is read", code='open("/etc/passwd").read()', fails=True))
    return tuple(found)
