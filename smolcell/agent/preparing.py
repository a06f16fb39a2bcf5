"""What a run is made of: its task with what is handed in, its limits and prompt, and the parts that decide, show and record."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from smolcell import telemetry
from smolcell.agent.budget import Budget, BudgetTracker
from smolcell.agent.driver import Drive, ParentRun
from smolcell.agent.managed import NOTE
from smolcell.agent.memory import AgentMemory
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.agent.offers import offers
from smolcell.agent.output_checks import each_text
from smolcell.agent.questions import RunAgent, RunControl, RunInput, with_options
from smolcell.agent.running import CurrentRun, check_task, check_variables, data_url, whole_number
from smolcell.agent.sandbox import AgentSandbox
from smolcell.agent.templates import Templates
from smolcell.agent.tool_calls import FINAL_SCHEMA, FINAL_WORDS, ToolCallResolver, without_calls_of_code
from smolcell.approval.contract import Contract
from smolcell.approval.gates import ask, behind_walls, fail_closed, granted, remembered, within_policy
from smolcell.approval.policy import current, read_call
from smolcell.core import text as describe
from smolcell.core.findings import findings
from smolcell.core.history import resumable
from smolcell.core.loop import LoopSettings, Turns
from smolcell.core.prompt import PromptSettings, prompt
from smolcell.core.spec import AgentSpec
from smolcell.core.tool_calls import FINAL
from smolcell.events import Asked, Delta, Event, Finding, History, Observed, Proposed
from smolcell.executors import completed
from smolcell.executors.base import WorkerExecutor
from smolcell.models.capabilities import Windows, traits
from smolcell.output_checks import Checks
from smolcell.protocols import Context, FrontEnd, Gate, Message, Model, View
from smolcell.worker.guard.tables import DEFAULT_IMPORTS


class Prepared(RunAgent, Protocol):
    """The agent, as far as the preparation of its runs uses it."""

    calling: bool
    spec: AgentSpec
    sandbox: AgentSandbox
    memory: AgentMemory
    budget: Budget | None
    output_checks: Checks
    prompt_templates: Templates
    turns: Callable[[Asked, History, LoopSettings], Turns] | None
    seen: Callable[[Observed], object] | None
    active: CurrentRun
    telemetry: tuple[str, str]


class Preparation:
    """Prepares the runs of one agent.

    Args:
        agent: the agent.
    """

    def __init__(self, agent: Prepared) -> None:
        self._agent = agent
        self._denied_hosts: set[str] = set()
        self._person: tuple[View, Gate] | None = None  # asks if the policy requires it; remembers the answers
        self._managed_runs = 0  # of this agent, for managers

    def run(
        self,
        contract: Contract | None,
        front: FrontEnd,
        task: str = "",
        reset: bool = True,
        images: Sequence[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        *,
        files: Sequence[str | os.PathLike[str]] = (),
        read_only: bool = False,
        run: str | None = None,
        resume: bool = False,
        max_steps: int | None = None,
        tell: Callable[[Event | Delta], object] | None = None,
        context: Context | None = None,
        branch: int = 1,
        branch_models: Sequence[Model] = (),
        instead: str = "",
        comment: str = "",
        turns: Callable[[Asked, History, LoopSettings], Turns] | None = None,
        links: Mapping[str, Path] | None = None,
    ) -> Drive:
        """Return a run that begins now. The arguments are those of ``start``."""
        agent, variables = self._agent, dict(additional_args or {})
        self._begin_imports(variables)
        settings = self.settings(variables)
        if max_steps is not None:
            most = current().least("limits.max_steps", whole_number("max_steps", max_steps))
            settings = replace(settings, max_steps=int(most))
        earlier = resumable(agent.memory.events, agent.memory.session) if resume else None
        task = earlier.task if earlier else task
        check_task(task, settings.prompt.budget)
        sent, waiting = agent.sandbox.take_files(files, read_only)
        asked = self._asked(
            task,
            variables,
            run=run or secrets.token_hex(6),
            images=tuple(data_url(image) for image in images or ()),
            approve=front.approve,
            resumes=earlier.run if earlier else "",
            lost=() if reset and earlier is None else tuple(n for n in agent.memory.gone if n not in variables),
            files=sent,
            instead=instead,
            comment=comment,
        )
        given = replace(
            self._input(settings),
            context=context,
            links={**waiting, **(links or {})},
            branch=branch,
            branch_models=branch_models,
            turns=turns or agent.turns,
        )
        if waiting:
            hand_in = partial(agent.sandbox.hand_in, files, read_only, tuple(waiting.values()))
            given = replace(given, hand_in=hand_in)
        control = self._control(front, tell, contract)
        agent.active.contract = contract
        if reset and earlier is None:
            agent.memory.reset()
            agent.sandbox.keep_variables(variables)
        agent.active.run_id = asked.run
        return Drive(asked, agent.memory.events, agent, control, given)

    def managed_run(self, manager: ParentRun, task: str, variables: Mapping[str, Any]) -> Drive:
        """Return a run within a manager's run, with the gate, budget, view and journal of that run."""
        agent, spec = self._agent, self._agent.spec
        self._begin_imports(variables)
        settings = self.settings(variables, NOTE)
        self._managed_runs += 1
        drive, above = manager.drive, manager.drive.record.asked
        asked = self._asked(
            task,
            variables,
            run=f"{above.run}-{manager.step}-{manager.call}-{self._managed_runs}",
            approve=above.approve,
            session=above.session,
            agent=spec.name or "",
            parent=above.run,
            parent_step=manager.step,
            parent_call=manager.call if drive.calls.resolver is not None else 0,
        )
        agent.memory.reset()
        agent.sandbox.keep_variables(variables)
        agent.active.run_id = asked.run
        agent.installs.mode = drive.agent.installs.mode
        control = replace(drive.control, output_checks=agent.output_checks | drive.control.output_checks)
        if agent.budget is not None:
            within, name = control.budget, spec.name or ""
            tracker = BudgetTracker(agent.budget, time.monotonic(), within=within, name=name)
            control = replace(control, budget=tracker)
        return Drive(asked, (), agent, control, self._input(settings))

    def _begin_imports(self, variables: Mapping[str, Any]) -> None:
        self._agent.grants.end_run()
        self._agent.sandbox.begin_run(variables)

    def _asked(self, task: str, variables: Mapping[str, Any], **more: Any) -> Asked:
        agent = self._agent
        check_variables(variables)
        policy, model = current(), traits(agent.model)
        if model.sends:
            policy.check("models", model.name.split(","), "The model {} is not allowed")
        if not isinstance(agent.executor, HostExecutor | WorkerExecutor):  # these check the policy when they are opened
            policy.check("sandboxes", [agent.executor.name], "The sandbox {} is not allowed")
        agent.sandbox.send_variables(variables)
        return Asked(
            task=task,
            variables=tuple(describe.variable(name, value) for name, value in variables.items()),
            model=model.name,
            locks=tuple(policy.locks()),
            sandbox=agent.executor.name,
            tools=tuple(name for name in agent.callables if name != "final_answer"),
            **{"session": agent.memory.session, **more},
        )

    def _control(
        self, front: FrontEnd, tell: Callable[[Event | Delta], object] | None, contract: Contract | None
    ) -> RunControl:
        """Return what records, shows and decides in a run that begins now."""
        agent = self._agent

        def show(event: Event | Delta) -> None:
            try:
                front.view.show(event)
            finally:
                if tell is not None:
                    tell(event)

        began, most = time.monotonic(), Budget(**current().budget())  # type: ignore[arg-type]
        cap = BudgetTracker(most, began) if most != Budget() else None
        return RunControl(
            gate=self.gate(front),
            ask=front.view.ask,
            waiter=front.waiter,
            show=front.view.show if tell is None else show,
            journal=agent.memory.journal.append,
            proof=agent.memory.journal.proof,
            observe=telemetry.observer(*agent.telemetry),
            budget=BudgetTracker(agent.budget or Budget(), began, within=cap) if agent.budget or cap else None,
            cap=cap,
            output_checks=agent.output_checks,
            contract=contract,
        )

    def _input(self, settings: LoopSettings) -> RunInput:
        """Return what every run of this agent is given, also if it works for a manager."""
        agent = self._agent
        return RunInput(
            settings=settings,
            find_in_call=self.find_in_call,
            offers=lambda proposed: offers(agent, self.authorized, proposed),
            denied_hosts=self._denied_hosts,
            rollback=agent.spec.rollback == "on-error",
            turns=agent.turns,
            seen=agent.seen or (lambda observed: None),
        )

    def gate(self, front: FrontEnd) -> Gate:
        """Return the front end's gate, restricted by grants and policy."""
        if self._person is None or self._person[0] is not front.view:
            self._person = front.view, fail_closed(remembered(ask(front.view)))
        inner = front.gate if front.approve == "deny" else granted(front.gate, self._covers)
        return fail_closed(within_policy(behind_walls(self._agent.spec.walls, inner), self._person[1]))

    def _covers(self, proposed: Proposed) -> bool:
        call = read_call(proposed.text)
        return call is not None and self._agent.grants.covers_call(*call) is not None

    # --- limits and prompt

    def settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        """Return the limits and the prompt of a run; ``note`` stands before the user's own instructions."""
        agent, spec = self._agent, self._agent.spec
        callables = agent.callables
        words = (note, agent.output_checks.words, self._about_hosts(), spec.instructions)
        settings = LoopSettings(
            max_steps=int(current().least("limits.max_steps", spec.max_steps)),
            stop_after=spec.stop_after,
            find=partial(self.find, tools=callables),
            describe=describe.answer,
            planning_interval=spec.planning_interval or 0,
            prompt=PromptSettings(
                imports=(*DEFAULT_IMPORTS, *spec.imports),
                tools=tuple(str(tool) for tool in callables.values()),
                instructions="\n".join(filter(None, words)),
                templates=agent.prompt_templates.replaced(),
                structured=spec.structured,
                shows_images=traits(agent.model).takes_images,
                window=Windows(agent.model),
            ),
        )
        return self._for_calls(settings, variables) if agent.calling else settings

    def _for_calls(self, settings: LoopSettings, variables: Mapping[str, Any]) -> LoopSettings:
        """Return the settings of an agent that calls tools. A call's arguments may name variables."""
        callables = self._agent.callables
        final = {} if FINAL in callables else {FINAL: (FINAL_SCHEMA, FINAL_WORDS)}
        schemas = [tool.json_schema for tool in callables.values()] + [schema for schema, _ in final.values()]
        words = [tool.to_tool_calling_prompt() for tool in callables.values()] + [line for _, line in final.values()]
        native = traits(self._agent.model).takes_tools
        text = replace(settings.prompt, calling=True, native=native, tools=tuple(words))
        reader = ToolCallResolver(callables, variables)
        return replace(settings, prompt=text, tools=tuple(schemas), read_call=reader)

    def _about_hosts(self) -> str:
        """Return the part of the prompt about hosts and credentials."""
        executor = self._agent.executor
        if not isinstance(executor, WorkerExecutor) or not executor.egress.hosts:
            return ""
        hosts, keys = executor.egress.hosts, ", ".join(executor.egress.credential_names)
        text = (
            f"The code can connect by HTTP and HTTPS, and in no other way, to: {hosts}. The usual libraries do so as they are. "
            "If it connects to another host, the user is asked."
        )
        if not keys:
            return text
        return f"{text} Variables of its environment that hold placeholders, which requests to their hosts replace on the way: {keys}."

    @property
    def authorized(self) -> tuple[str, ...]:
        """The authorised imports; in level full, all."""
        return ("*",) if completed(self._agent.executor).python == "full" else self._agent.spec.imports

    def find(self, text: str, tools: Iterable[str]) -> tuple[Finding, ...]:
        """Return the findings in a program."""
        listed = findings(text, self.authorized, tools, self._agent.sandbox.files)
        executor = self._agent.executor
        return with_options(listed) if isinstance(executor, WorkerExecutor) and executor.egress.is_closed else listed

    def find_in_call(self, text: str) -> tuple[Finding, ...]:
        """Return the findings in a tool call, which runs on the host."""
        return findings(text, self.authorized, self._agent.callables, self._agent.sandbox.files)

    @property
    def system_prompt(self) -> str:
        """The system message that the model would get now."""
        return self.messages(())[0].text

    def messages(self, history: History) -> list[Message]:
        """Return what the model would get now after this history."""
        said = prompt(without_calls_of_code(history), self.settings({}).prompt)
        return [each_text(message, self._agent.output_checks.sent) for message in said]
