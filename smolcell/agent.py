"""``CodeAgent``: a model that writes Python, a sandbox that runs it, a gate between them.

It gathers the parts of a run for ``driver.py``, which ``running.py`` starts and waits for. Nothing here decides about approval or
runs code.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import wait as wait_for
from typing import Any

from smolcell import describe
from smolcell.background import Job, on_driver
from smolcell.budget import Budget, Purse
from smolcell.callers import check_task, close, data_url, send_files, show_again
from smolcell.driver import Drive, Parts
from smolcell.errors import AgentError, CapabilityError, SetupError
from smolcell.events import Asked, Delta, Event
from smolcell.executors import create_executor
from smolcell.gates import closed
from smolcell.hooks import hooks
from smolcell.journal import Journal
from smolcell.loop import LoopSettings
from smolcell.memory import Memory
from smolcell.models.tokens import Windows
from smolcell.policy import findings
from smolcell.prompt import PromptSettings
from smolcell.protocols import Executor, FrontEnd, Gate, Model, View
from smolcell.result import RunResult
from smolcell.resume import resumable
from smolcell.running import Running
from smolcell.templates import templates
from smolcell.tools.default import with_base_tools
from smolcell.tools.function import as_tools
from smolcell.tools.tool import Tool
from smolcell.worker.tables import DEFAULT_IMPORTS

_CLOSE_WAIT = 1.0  # seconds that a run may take to record its end when the agent is closed: its sandbox is gone by then


class CodeAgent(Running):
    """An agent whose actions are Python programs. Nothing it writes runs before the gate allowed exactly that text.

    Args:
        tools: functions or ``Tool`` objects of the host that the code may call.
        model: what writes the programs.
        executor_type: which sandbox: ``"local"``, ``"docker"``, …; ``sandbox`` is another word for it.
        executor_kwargs: passed to the sandbox, for example ``{"timeout": 30.0, "memory": 1024}`` (seconds, MB).
        additional_authorized_imports: modules the code may import besides the standard list; ``"pkg.*"`` for a whole package.
        max_steps: replies that may propose something; then the model is asked once for its best answer.
        max_print_outputs_length: characters of output kept per step.
        instructions: your own, added to the system prompt.
        prompt_templates: replaces texts of the prompt, ``{"system_prompt": …}``; ``smolcell.templates`` names them all.
        final_answer_checks: each is called as ``check(answer, memory, agent=agent)``, or with as many of these as it takes; what is
            false, or an exception, sends the answer back to the model.
        step_callbacks: told each finished step, as ``callback(step, agent=agent)``. They cannot change the run.
        name, description: what the agent is called and does.
        verbose: show the run on the terminal where ``gate`` is given and no front end is registered.
        sandbox: a name, or an ``Executor`` of your own, which then belongs to this agent.
        gate: decides about proposals. Without one: the registered front end's, else a person at the terminal, else closed.
        view: shows events. Without one: the registered front end's, else the terminal's.
        session: names the journal.
        use_structured_outputs_internally: hold each reply to a JSON object with a thought and a program, where the model takes a
            schema; else it is asked for text, and the card says so.
        add_base_tools: add ``web_search`` and ``visit_webpage``, unless ``tools`` has one of that name.
        budget: what a run may spend before somebody is asked whether it goes on.
        planning_interval, managed_agents: not in this version; anything but the default is a ``SetupError``.

    Raises:
        SetupError: a part is unknown or contradicts another.
    """

    def __init__(
        self,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        model: Model | None = None,
        *,
        executor_type: str | None = None,
        executor_kwargs: Mapping[str, Any] | None = None,
        additional_authorized_imports: Iterable[str] = (),
        max_steps: int = 20,
        max_print_outputs_length: int = 20_000,
        instructions: str | None = None,
        prompt_templates: Mapping[str, Any] | None = None,
        final_answer_checks: Sequence[Callable[..., Any]] = (),
        step_callbacks: Sequence[Callable[..., object]] = (),
        name: str | None = None,
        description: str | None = None,
        verbose: bool = False,
        sandbox: str | Executor | None = None,
        gate: Gate | None = None,
        view: View | None = None,
        session: str = "default",
        planning_interval: int | None = None,
        managed_agents: Sequence[Any] = (),
        use_structured_outputs_internally: bool = False,
        budget: Budget | None = None,
        add_base_tools: bool = False,
    ) -> None:
        if model is None:
            raise SetupError(
                "a CodeAgent needs a model, for example: CodeAgent(tools=[], model=InferenceClientModel())"
            )
        if executor_type is not None and sandbox is not None:
            raise SetupError("executor_type and sandbox name the same thing: give one of them")
        if max_steps < 1:
            raise SetupError(f"max_steps must be at least 1, not {max_steps}")
        if planning_interval or managed_agents:
            raise SetupError(
                "this version of smolcell has no planning and no managed agents yet: leave out planning_interval and managed_agents"
            )
        super().__init__(gate, view, verbose=verbose)
        self.structured = use_structured_outputs_internally
        self.model, self.name, self.description = model, name, description
        self.tools = with_base_tools(as_tools(tools)) if add_base_tools else as_tools(tools)
        self.imports = tuple(additional_authorized_imports)
        self.max_steps, self.instructions = max_steps, instructions or ""
        self.prompt_templates = templates(prompt_templates)
        self.final_answer_checks = hooks(final_answer_checks, "final_answer_checks")
        self.step_callbacks = hooks(step_callbacks, "step_callbacks")
        self.budget = budget
        self.session = session
        self.memory = Memory()
        self._max_output = max_print_outputs_length
        self._executor_kwargs = dict(executor_kwargs or {})
        self._sandbox = sandbox or executor_type or os.environ.get("SMOLCELL_SANDBOX", "local")
        self._executor: Executor | None = None
        self._given: set[str] = set()  # names of files that went in
        self._journal: Journal | None = None

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
            self._executor.send_tools(self.tools)
        return self._executor

    @property
    def journal(self) -> Journal:
        """Where this agent's events are kept; made on first use."""
        if self._journal is None:
            self._journal = Journal.create(self.session)
        return self._journal

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
        """Have exactly these tools from the next run on; the sandbox and its variables stay."""
        self.tools = as_tools(tools)
        if self._executor is not None:
            getattr(self._executor, "set_tools", self._executor.send_tools)(self.tools)

    def replay(self) -> None:
        """Show everything remembered once more, on the terminal. Nothing runs."""
        show_again(self.memory.events)

    def cleanup(self) -> None:
        """Stop a run under way and end the sandbox; twice is harmless. The next run starts a new sandbox."""
        self.interrupt()
        executor, self._executor, self._given = self._executor, None, set()
        close(executor)
        if self._job is not None and not on_driver():
            wait_for([self._job.done], _CLOSE_WAIT)  # its end is journalled
        journal, self._journal = self._journal, None
        close(journal)

    def __enter__(self) -> CodeAgent:
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
        tell: Callable[[Event | Delta], object] | None = None,
    ) -> Job[RunResult]:
        settings, stop, variables = self._loop_settings(), self._stop, dict(additional_args or {})
        with self._lock:
            if self.running:
                raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt()")
            before = resumable(self.memory.events, self.session) if resume else None
            task = before.task if before else task
            check_task(task, settings.prompt.budget)
            self.executor.send_variables(variables)
            sent = send_files(self.executor, files)
            self._given.update(file.name for file in sent)
            asked = Asked(
                run=run or secrets.token_hex(6),
                task=task,
                variables=tuple(describe.variable(name, value) for name, value in variables.items()),
                images=tuple(data_url(image) for image in images or ()),
                model=getattr(self.model, "name", type(self.model).__name__),
                sandbox=getattr(self.executor, "name", ""),
                approve=front.approve,
                session=self.session,
                resumes=before.run if before else "",
                files=sent,
            )
            parts = self._parts(front, settings, tell)
            if reset and before is None:
                self.memory.reset()
            drive = Drive(asked, self.memory.events, parts)
            self.run_id = asked.run
            self._job = Job(drive.run())
            if self._stop is not stop:
                self._job.cancel()
            return self._job

    def _parts(self, front: FrontEnd, settings: LoopSettings, tell: Callable[[Event | Delta], object] | None) -> Parts:
        def show(event: Event | Delta) -> None:
            try:
                front.view.show(event)
            finally:
                if tell is not None:
                    tell(event)

        return Parts(
            model=self.model,
            gate=closed(front.gate),
            ask=front.view.ask,
            executor=self.executor,
            waiter=front.waiter,
            settings=settings,
            journal=self.journal.append,
            show=show,
            memory=self.memory,
            tools=self.tools,
            checks=self.final_answer_checks,
            callbacks=self.step_callbacks,
            owner=self,
            purse=Purse(self.budget, time.monotonic()) if self.budget is not None else None,
        )

    def _loop_settings(self) -> LoopSettings:
        imports = (*DEFAULT_IMPORTS, *self.imports)
        return LoopSettings(
            max_steps=self.max_steps,
            find=lambda text: findings(text, self.imports, self.tools, self._given),
            describe=describe.answer,
            prompt=PromptSettings(
                imports=imports,
                tools=tuple(str(made) for made in self.tools.values()),
                instructions=self.instructions,
                templates=self.prompt_templates,
                structured=self.structured,
                shows_images=bool(getattr(self.model, "takes_images", False)),
                window=Windows(self.model),
            ),
        )
