"""What agents have in common: they gather the parts of a run for ``driver.py``, which ``running.py`` starts and waits for.

Nothing here decides about approval or runs code.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import wait as wait_for
from dataclasses import replace
from typing import Any, Self

from smolcell import describe
from smolcell.background import Job, on_driver
from smolcell.budget import Budget, Purse
from smolcell.callers import check_task, check_variables, close, data_url, send_files, show_lines, whole_number
from smolcell.driver import Drive
from smolcell.errors import AgentError, CapabilityError, SandboxError, SetupError
from smolcell.events import Asked, Delta, Event
from smolcell.executors import EXECUTORS, create_executor
from smolcell.exporting import Export, export
from smolcell.gates import closed
from smolcell.hooks import callbacks, hooks
from smolcell.loop import LoopSettings
from smolcell.managed import NOTE, managed_tools
from smolcell.models.tokens import Windows
from smolcell.overview import overview
from smolcell.parts import Manager, Parts
from smolcell.policy import findings
from smolcell.prompt import PromptSettings
from smolcell.protocols import Executor, FrontEnd, Gate, Model, View
from smolcell.remembering import Remembering
from smolcell.result import RunResult
from smolcell.resume import resumable
from smolcell.templates import templates
from smolcell.tools.default import with_base_tools
from smolcell.tools.function import as_tools
from smolcell.tools.sources import sources
from smolcell.tools.tool import Tool
from smolcell.worker.tables import DEFAULT_IMPORTS

_CLOSE_WAIT = 1.0  # seconds that a run may take to record its end when the agent is closed: its sandbox is gone by then


class MultiStepAgent(Remembering):
    """What ``CodeAgent`` and ``ToolCallingAgent`` have in common. Their arguments are explained there."""

    calling = False
    """Calls tools, and writes no programs."""

    def __init__(
        self,
        tools: Sequence[Tool | Callable[..., Any]] | None = (),
        model: Model | None = None,
        *,
        executor_type: str | None = None,
        executor_kwargs: Mapping[str, Any] | None = None,
        additional_authorized_imports: Iterable[str] | None = (),
        max_steps: int = 20,
        max_print_outputs_length: int = 20_000,
        instructions: str | None = None,
        prompt_templates: Mapping[str, Any] | None = None,
        final_answer_checks: Sequence[Callable[..., Any]] | None = (),
        step_callbacks: Sequence[Callable[..., object]] | Mapping[type, Any] | None = (),
        name: str | None = None,
        description: str | None = None,
        verbose: bool = False,
        sandbox: str | Executor | None = None,
        gate: Gate | None = None,
        view: View | None = None,
        session: str = "default",
        planning_interval: int | None = None,
        managed_agents: Sequence[Any] | None = (),
        use_structured_outputs_internally: bool = False,
        budget: Budget | None = None,
        add_base_tools: bool = False,
        verbosity_level: int | None = None,
        stream_outputs: bool = False,
        return_full_result: bool = False,
        provide_run_summary: bool = False,
    ) -> None:
        if model is None:
            raise SetupError(
                f"a {type(self).__name__} needs a model, for example: {type(self).__name__}(tools=[], model=InferenceClientModel())"
            )
        if executor_type is not None and sandbox is not None:
            raise SetupError("executor_type and sandbox name the same thing: give one of them")
        if use_structured_outputs_internally and self.calling:
            raise SetupError(
                "the calls of a ToolCallingAgent have a form already: leave out use_structured_outputs_internally"
            )
        tools, managed_agents = tools or (), managed_agents or ()
        level = verbosity_level
        super().__init__(
            gate, view, verbose=verbose or bool(level and level > 0), quiet=level is not None and level < 1
        )
        self.stream_outputs, self.return_full_result = stream_outputs, return_full_result
        self.provide_run_summary = provide_run_summary
        self.structured = use_structured_outputs_internally
        self.model, self.name, self.description = model, name, description
        self.tools = with_base_tools(as_tools(tools)) if add_base_tools else as_tools(tools)
        self._managed = managed_tools(managed_agents, self.tools)
        self.managed_agents = {agent.name: agent for agent in managed_agents}
        imports = additional_authorized_imports or ()
        self.imports = (imports,) if isinstance(imports, str) else tuple(imports)
        self.max_steps, self.instructions = whole_number("max_steps", max_steps), instructions or ""
        self.prompt_templates = templates(prompt_templates)
        self.final_answer_checks = hooks(final_answer_checks or (), "final_answer_checks")
        self.step_callbacks = callbacks(step_callbacks or ())
        self.budget = budget
        self.planning_interval = (
            None if planning_interval is None else whole_number("planning_interval", planning_interval)
        )
        self._max_output = max_print_outputs_length
        self._executor_kwargs = dict(executor_kwargs or {})
        self._own_sandbox = sandbox is not None or executor_type is not None
        self._sandbox = sandbox or executor_type or os.environ.get("SMOLCELL_SANDBOX", "local")
        self._begin(session)
        for agent in self.managed_agents.values():
            self._lend_sandbox(agent)

    # --- the parts ----------------------------------------------------------------------------------------------------

    @property
    def executor(self) -> Executor:
        """The agent's sandbox, made on first use."""
        if self._executor is None:
            if isinstance(self._sandbox, str):
                options = {"max_print_outputs_length": self._max_output, **self._executor_kwargs}
                options.setdefault("additional_authorized_imports", list(self.imports))
                self._executor = create_executor(self._sandbox, **options)
            else:
                self._executor = self._sandbox
            self._executor.send_tools(self.callables)
        return self._executor

    @property
    def python_executor(self) -> Executor:
        """smolagents' word for ``executor``."""
        return self.executor

    def visualize(self) -> None:
        """Show on the terminal what the agent has: model, sandbox, imports, tools, managed agents."""
        show_lines(overview(self))

    @property
    def callables(self) -> dict[str, Tool]:
        """The tools and the managed agents, by their names."""
        return {**self.tools, **self._managed}

    async def pull(self, names: Iterable[str]) -> dict[str, Any]:
        """Copies of the sandbox's variables of these names.

        Raises:
            SandboxError: there is no such variable.
            CapabilityError: this sandbox hands no variables back.
        """
        pull = getattr(self.executor, "pull", None)
        if pull is None:
            raise CapabilityError(f"the sandbox {self.executor.name} hands no variables back; leave out --pull")
        pulled: dict[str, Any] = await pull(list(names))
        return pulled

    def set_model(self, model: Model) -> None:
        """Answer from another model from the next run on."""
        self.model = model

    def set_tools(self, tools: Iterable[Tool | Callable[..., Any]]) -> None:
        """Have exactly these tools from the next run on; the sandbox, its variables and the managed agents stay."""
        given = as_tools(tools)
        self._managed = managed_tools(self.managed_agents.values(), given)
        self.tools = given
        if self._executor is not None:
            getattr(self._executor, "set_tools", self._executor.send_tools)(self.callables)

    def export(self, run: str = "", *, answer: str = "answer", defined: Collection[str] = ()) -> Export:
        """The approved steps of a run as ordinary cells that give the same answer.

        Args:
            run: its id; the newest run remembered by default.
            answer: the name for the answer.
            defined: names of tools that are there already where the cells will run.

        Raises:
            SetupError: there is no such run, or nothing of it ran to its end.
        """
        return export(self.memory.events, run, answer=answer, tools=sources(self.callables), defined=defined)

    def cleanup(self) -> None:
        """Stop a run under way and end the sandbox, and those of managed agents; twice is harmless. The next run starts a new one."""
        self.interrupt()
        executor, self._executor, self._given = self._executor, None, set()
        close(executor)
        if executor is not None:
            self.memory.part()
        if self._job is not None and not on_driver():
            wait_for([self._job.done], _CLOSE_WAIT)  # its end is journalled
        journal, self._journal = self._journal, None
        close(journal)
        for agent in self.managed_agents.values():
            agent.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _start(
        self,
        front: FrontEnd,
        task: str = "",
        reset: bool = True,
        images: Sequence[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        *,
        files: Sequence[str | os.PathLike[str]] = (),
        run: str | None = None,
        resume: bool = False,
        max_steps: int | None = None,
        tell: Callable[[Event | Delta], object] | None = None,
    ) -> Job[RunResult]:
        variables = dict(additional_args or {})
        settings, stop = self._loop_settings(variables), self._stop
        if max_steps is not None:
            settings = replace(settings, max_steps=whole_number("max_steps", max_steps))
        with self._lock:
            if self.running or self._working.locked():
                raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt()")
            before = resumable(self.memory.events, self.session) if resume else None
            task = before.task if before else task
            check_task(task, settings.prompt.budget)
            sent = send_files(self.executor, files)
            self._given.update(file.name for file in sent)
            asked = self._asked(
                task,
                variables,
                run=run or secrets.token_hex(6),
                images=tuple(data_url(image) for image in images or ()),
                approve=front.approve,
                resumes=before.run if before else "",
                lost=() if reset and before is None else tuple(n for n in self.memory.gone if n not in variables),
                files=sent,
            )
            parts = self._parts(front, settings, variables, tell)
            if reset and before is None:
                self.memory.reset()
                self._forget(variables)
            drive = Drive(asked, self.memory.events, parts)
            self.run_id = asked.run
            self._job = Job(drive.run())
            if self._stop is not stop:
                self._job.cancel()
            return self._job

    async def work(self, manager: Manager, task: str, additional_args: Mapping[str, Any]) -> RunResult:
        """Do a task within a manager's run: by its gate, its purse, its view and its journal."""
        if self.running:
            raise AgentError(f"{self.name!r} is working on a task of its own: wait for it, or stop it with interrupt()")
        async with self._working:
            variables = dict(additional_args)
            settings = self._loop_settings(variables, NOTE)
            self._runs += 1
            asked = self._asked(
                task,
                variables,
                run=f"{manager.asked.run}-{manager.step}-{manager.call}-{self._runs}",
                approve=manager.asked.approve,
                session=manager.asked.session,
                agent=self.name or "",
                parent=manager.asked.run,
                parent_step=manager.step,
                parent_call=manager.call if manager.parts.reader is not None else 0,
            )
            self.memory.reset()
            self._forget(variables)
            self.run_id = asked.run
            parts = self._own_parts(settings, variables)
            if self.budget is not None:
                within, name = manager.parts.purse, self.name or ""
                parts["purse"] = Purse(self.budget, time.monotonic(), within=within, name=name)
            self._work = asyncio.current_task()
            try:
                return await Drive(asked, (), replace(manager.parts, **parts)).run()
            finally:
                self._work = None

    def _forget(self, kept: Iterable[str]) -> None:
        """Take what earlier runs were handed out of the sandbox; one that cannot is left as it is."""
        forget = getattr(self._executor, "forget", None)
        gone, self._handed = self._handed - set(kept), set(kept)
        try:
            if forget is not None and gone:
                forget(gone)
        except SandboxError:
            pass  # it has ended, and its variables with it

    def _asked(self, task: str, variables: Mapping[str, Any], **more: Any) -> Asked:
        check_variables(variables)
        self.executor.send_variables(variables)
        self._handed.update(variables)
        return Asked(
            task=task,
            variables=tuple(describe.variable(name, value) for name, value in variables.items()),
            model=getattr(self.model, "name", type(self.model).__name__),
            sandbox=getattr(self.executor, "name", ""),
            tools=tuple(name for name in self.callables if name != "final_answer"),
            **{"session": self.session, **more},
        )

    def _parts(
        self,
        front: FrontEnd,
        settings: LoopSettings,
        variables: Mapping[str, Any],
        tell: Callable[[Event | Delta], object] | None,
    ) -> Parts:
        def show(event: Event | Delta) -> None:
            try:
                front.view.show(event)
            finally:
                if tell is not None:
                    tell(event)

        return Parts(
            gate=closed(front.gate),
            ask=front.view.ask,
            waiter=front.waiter,
            journal=self.journal.append,
            show=show,
            purse=Purse(self.budget, time.monotonic()) if self.budget is not None else None,
            **self._own_parts(settings, variables),
        )

    def _own_parts(self, settings: LoopSettings, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Those that are this agent's own, also where it works for a manager."""
        return {
            "model": self.model,
            "executor": self.executor,
            "settings": settings,
            "memory": self.memory,
            "tools": self.callables,
            "checks": self.final_answer_checks,
            "callbacks": self.step_callbacks,
            "owner": self,
            "reader": settings.read_call,
        }

    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        """How far a run goes and what its prompt says; ``note`` stands before the user's own instructions."""
        callables = self.callables
        return LoopSettings(
            max_steps=self.max_steps,
            find=lambda text: findings(text, self.imports, callables, self._given),
            describe=describe.answer,
            planning_interval=self.planning_interval or 0,
            prompt=PromptSettings(
                imports=(*DEFAULT_IMPORTS, *self.imports),
                tools=tuple(str(made) for made in callables.values()),
                instructions="\n".join(filter(None, (note, self.instructions))),
                templates=self.prompt_templates,
                structured=self.structured,
                shows_images=bool(getattr(self.model, "takes_images", False)),
                window=Windows(self.model),
            ),
        )

    def _lend_sandbox(self, agent: Any) -> None:
        """A managed agent that was given no sandbox has one of the same kind as its manager."""
        kind = self._sandbox if isinstance(self._sandbox, str) else getattr(self._sandbox, "name", "")
        if agent._sandbox is self._sandbox and not isinstance(self._sandbox, str):
            raise SetupError(f"{agent.name!r} and its manager share a sandbox: leave out sandbox= of one of them")
        if agent._own_sandbox or agent._executor is not None or not kind:
            return
        if not isinstance(self._sandbox, str) and kind not in EXECUTORS:
            return  # an executor of somebody's own: it cannot be made again by its name
        agent._sandbox = kind
        agent._executor_kwargs = {**self._executor_kwargs, **agent._executor_kwargs}
