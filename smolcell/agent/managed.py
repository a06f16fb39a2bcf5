"""Managed agents: an agent with a name and a description is a tool of its manager, and works in its own run.

* The gate, budget, journal and view are those of the manager's run. Model, sandbox and memory are the agent's own.
* Its steps are shown below the step that called it: its run's id begins with that of the manager's run.
* A refusal that ends its run ends the manager's as well, and so does a stop. Any other failure is an exception in the manager's code.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol

from smolcell.agent.driver import ParentRun, parent_run
from smolcell.agent.result import RunResult
from smolcell.agent.templates import Templates
from smolcell.core.prompt import fill
from smolcell.core.text import clip
from smolcell.errors import AgentError, AgentExecutionError, SetupError
from smolcell.events import Refused
from smolcell.tools.tool import Tool
from smolcell.worker.guard.tables import RESERVED_NAMES

NOTE = "You work for another agent, which gave you this task and reads only your final answer: put everything that it needs into it."
"""Added to an agent's instructions while it is managed."""


class Managed(Protocol):
    """An agent, as its manager sees it."""

    name: str | None
    description: str | None
    prompt_templates: Templates
    provide_run_summary: bool

    async def work(self, manager: ParentRun, task: str, additional_args: Mapping[str, Any]) -> RunResult:
        """Do a task within the manager's run."""
        ...


_MAX_STEP_CHARS = 2_000  # characters of a step

_INPUTS: Mapping[str, Mapping[str, Any]] = {
    "task": {"type": "string", "description": "the task, in full: it knows nothing else"},
    "additional_args": {
        "type": "object",
        "description": "values for it, by variable name",
        "nullable": True,
    },
}


class ManagedAgentTool(Tool):
    """An agent as a tool of its manager: ``name(task, additional_args=None)`` returns its answer."""

    output_type = "any"
    timeout = math.inf  # it may ask a person, and has its own limits
    is_initialized = True  # it has no setup, for which a thread would have to be waited for without limit

    def __init__(self, agent: Managed) -> None:
        self.name, self.description, self.inputs = str(agent.name), str(agent.description), _INPUTS
        self.agent = agent

    async def forward(self, task: str, additional_args: dict[str, Any] | None = None) -> Any:
        """Run the agent on a task and return its answer.

        Raises:
            AgentExecutionError: it found no answer.
        """
        mine = parent_run.get()
        if mine is None:
            raise AgentError(f"{self.name!r} works only in its manager's run: call it in the manager's code")
        templates = self.agent.prompt_templates.replaced()
        text = fill(templates.get("managed_agent.task", "{task}"), name=self.name, task=task)
        result = await self._work(mine, text, additional_args or {})
        mine.drive.record.add(result.usage)
        if result.state in ("stopped", "refused"):
            self._end(mine, result)
        if result.state not in ("success", "max_steps_error"):
            raise AgentExecutionError(f"{self.name} has no answer: {type(result.error).__name__}: {result.error}")
        if self.agent.provide_run_summary:
            result = replace(result, output=f"{result.output}\n\n{_summarize(result)}")
        report = templates.get("managed_agent.report")
        return result.output if report is None else fill(report, name=self.name, final_answer=result.output)

    async def _work(self, mine: ParentRun, task: str, additional_args: Mapping[str, Any]) -> RunResult:
        """Run the agent. If this call is cancelled, the run is stopped, and may still record its end."""
        work = asyncio.create_task(self.agent.work(mine, task, additional_args))
        mine.drive.managed_runs.add(work)
        work.add_done_callback(mine.drive.managed_runs.discard)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.cancel()
            raise

    def _end(self, mine: ParentRun, result: RunResult) -> None:
        """End the manager's run if a refusal or a stop ended this one."""
        then: Literal["stopped", "refused"] = "stopped" if result.state == "stopped" else "refused"
        by = "person" if then == "stopped" else "nobody"
        place: dict[str, Any] = {"run": mine.drive.record.asked.run, "step": mine.step, "call": mine.call}
        mine.drive.questions.end(Refused(**place, reason=str(result.error), by=by, then=then))


def _summarize(result: RunResult) -> str:
    """Return how an answer was found, for the manager's model."""
    steps = [f"Step {step.number}: {step.thought}\n{step.code}\n{step.observations}".strip() for step in result.steps]
    return "How it was found:\n" + "\n---\n".join(clip(each, _MAX_STEP_CHARS) for each in steps)


def managed_tools(agents: Iterable[Any], tools: Mapping[str, Tool]) -> dict[str, Tool]:
    """Return the agents as tools, by their names.

    Raises:
        SetupError: an object is no agent, has no name or description, or has the name of another.
    """
    by_name: dict[str, Tool] = {}
    for agent in agents:
        if not hasattr(agent, "work"):
            raise SetupError(
                f"managed_agents holds agents, not {type(agent).__name__}: for example managed_agents=[CodeAgent(...)]"
            )
        if not agent.name or not agent.description:
            raise SetupError(
                "a managed agent needs a name and a description, for its manager: "
                'CodeAgent(..., name="librarian", description="Knows books.")'
            )
        if agent.name in RESERVED_NAMES:
            raise SetupError(
                f"{agent.name!r} is a name of the sandbox itself: give the managed agent another one with name="
            )
        if agent.name in by_name or agent.name in tools:
            raise SetupError(
                f"a managed agent and another agent or tool are both called {agent.name!r}: give one of them another name="
            )
        by_name[agent.name] = ManagedAgentTool(agent)
    return by_name
