"""What the two agents have in common: the ways to run a task, memory, and the parts of a run for ``driver.py``.

Nothing here decides about approval or runs code.
"""

from __future__ import annotations

import asyncio
import copy
import os
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from dataclasses import replace
from functools import partial
from typing import Any, Self

from smolcell import journal as runs
from smolcell import telemetry
from smolcell import text as describe
from smolcell.agent.budget import Budget, Purse
from smolcell.agent.callbacks import hooks, read_callbacks
from smolcell.agent.driver import Drive, Manager, Parts
from smolcell.agent.installs import Installs
from smolcell.agent.managed import NOTE, managed_tools
from smolcell.agent.memory import AgentMemory, overview
from smolcell.agent.result import RunResult
from smolcell.agent.running import (
    END_WAIT,
    Fronts,
    Inbox,
    Job,
    LoopWaiter,
    check_task,
    check_variables,
    close,
    data_url,
    drain,
    on_driver,
    show_again,
    show_lines,
    whole_number,
)
from smolcell.agent.tool_calls import without_calls_of_code
from smolcell.core.findings import findings, named_files, refused_imports
from smolcell.core.history import resumable
from smolcell.core.loop import LoopSettings
from smolcell.core.prompt import PromptSettings, prompt, templates
from smolcell.environment import deciding, is_installed
from smolcell.errors import AgentError, SandboxError, SetupError
from smolcell.events import Asked, Delta, Event, File, History, Offer, Proposed
from smolcell.executors import EXECUTORS, completed, create_executor
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.files import FilingExecutor
from smolcell.executors.registry import uses
from smolcell.exports import Export
from smolcell.exports.cells import export
from smolcell.gates import closed
from smolcell.journal import Journal
from smolcell.models.capabilities import Windows, traits
from smolcell.protocols import Executor, FrontEnd, Gate, Message, Model, View
from smolcell.tools.builtin import as_tools, sources, with_base_tools
from smolcell.tools.tool import Tool
from smolcell.waiter import Waiter
from smolcell.worker.guard.tables import DEFAULT_IMPORTS

telemetry.watch(lambda: len(uses()))

_CLOSE_WAIT = 1.0  # seconds that a run may take to record its end when the agent is closed: its sandbox is gone by then
_MOST_OFFERED = 5  # modules that one click authorises, or files that it copies in


class MultiStepAgent:
    """What ``CodeAgent`` and ``ToolCallingAgent`` have in common. Their arguments are explained there.

    Works on one task at a time.

    Attributes:
        memory: what it remembers.
        session: names its journal.
        place: the notebook it works in, by which its journal is found after a restart; "" for an agent that is not looked for.
        installs: packages for its sandbox; ``installs.mode`` says whether they are installed: "ask", "auto" or "never".
        return_full_result: what ``run`` does if it is not told.
        run_id: of the newest run.
    """

    calling = False
    """Calls tools, and writes no programs."""
    telemetry = ("", "")
    """The settings ``otel`` and ``log``; "" leaves it to the environment."""
    return_full_result = False
    tools: dict[str, Tool]

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
        python: str | None = None,
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
        loud = verbose or bool(level and level > 0)
        self._fronts = Fronts(gate, view, verbose=loud, quiet=level is not None and level < 1)
        self._reset_runs()
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
        self.step_callbacks = read_callbacks(step_callbacks or ())
        self.budget = budget
        self.planning_interval = (
            None if planning_interval is None else whole_number("planning_interval", planning_interval)
        )
        self.granted: tuple[str, ...] = ()  # imports authorised after it was made
        self._run_imports: set[str] = set()  # authorised until the next run begins
        self._max_output = max_print_outputs_length
        self._executor_kwargs = dict(executor_kwargs or {})
        if python is not None:
            if sandbox is not None and not isinstance(sandbox, str):
                raise SetupError(f"python={python!r} is for a sandbox given by name: give the executor itself python=")
            self._executor_kwargs["python"] = python
        self._own_sandbox = sandbox is not None or executor_type is not None
        self._sandbox = sandbox or executor_type or deciding("SMOLCELL_SANDBOX") or "local"
        self._begin(session)
        for agent in self.managed_agents.values():
            self._lend_sandbox(agent)

    def _reset_runs(self) -> None:
        """Nothing runs, and nothing has."""
        self._job: Job[RunResult] | None = None
        self._work: asyncio.Task[Any] | None = None  # of a manager's run
        self.run_id = ""
        self._stop = object()  # another one with each interrupt()
        self._lock = threading.Lock()

    def _begin(self, session: str) -> None:
        """Begin with an empty memory, and with a sandbox and a journal that are made on first use."""
        self.session, self.place = session, ""
        self.memory = AgentMemory(self._say)
        self._executor: Executor | None = None
        self._given: set[str] = set()  # names of files that went in
        self._handed: set[str] = set()  # names of variables that went in
        self._journal: Journal | None = None
        self._runs = 0  # for managers
        self._working = asyncio.Lock()  # for managers, one at a time
        self.installs = Installs(self)

    # --- running ------------------------------------------------------------------------------------------------------

    def run(
        self,
        task: str,
        stream: bool = False,
        reset: bool = True,
        images: Sequence[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        return_full_result: bool | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
        max_steps: int | None = None,
        read_only: bool = False,
    ) -> Any:
        """Work on a task and return the answer.

        Args:
            task: in plain words.
            stream: return ``stream(...)`` instead.
            reset: forget earlier runs first; with False the model sees them.
            images: for models that see: data URLs, or images with a PIL-like ``save``.
            additional_args: values copied into the sandbox under these names and described to the model.
            return_full_result: return a ``RunResult``, which does not raise, whatever the end; None: as the agent is set.
            files: files and folders copied into the sandbox's work folder, where the code reads them by the same names.
            max_steps: of this run, instead of the agent's.
            read_only: mount ``files`` where they are, of any size, to be read only, in place of copying them.

        Raises:
            ApprovalError: nobody allowed a step.
            AgentStopped: the run was stopped.
            AgentGenerationError: the model failed.
            SetupError: the task is empty.
        """
        options: dict[str, Any] = {"files": files, "max_steps": max_steps, "read_only": read_only}
        if stream:
            return self.stream(task, reset=reset, images=images, additional_args=additional_args, **options)
        front = self._fronts.choose()
        job = self._start(front, task, reset, images, additional_args, **options)
        result = self._stay(front.waiter, job, job.done)
        full = self.return_full_result if return_full_result is None else return_full_result
        return result if full else result.value()

    def __call__(self, task: str, **options: Any) -> Any:
        """``run``."""
        return self.run(task, **options)

    def resume(
        self,
        return_full_result: bool = False,
        additional_args: Mapping[str, Any] | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
    ) -> Any:
        """Go on with the newest run, which ended without an answer: after a fault of the model, a stop, or the step limit.

        The model sees the same conversation, and may propose ``max_steps`` more steps; a call that failed is made again. After
        ``memory.load(…)`` it goes on with what was loaded.

        Args:
            return_full_result, additional_args, files: as for ``run``, where the sandbox is a new one.

        Raises:
            SetupError: there is no such run. Otherwise what ``run`` raises.
        """
        front = self._fronts.choose()
        job = self._start(front, resume=True, additional_args=additional_args, files=files)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def stream(self, task: str, **options: Any) -> Iterator[Event | Delta]:
        """Work on a task and yield every event and delta as it happens. Takes ``run``'s options; raises what ``run`` raises.

        Leaving the iteration early stops the run.
        """
        front = self._fronts.choose()
        inbox = Inbox()
        job = self._start(front, task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := self._stay(front.waiter, job, inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            if not job.done.done():
                job.cancel()
                drain(front.waiter, job.done, END_WAIT)

    async def arun(self, task: str, **options: Any) -> Any:
        """``run`` for async callers: their loop stays free; synchronous tools run on it, one at a time."""
        full = options.pop("return_full_result", self.return_full_result)
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, **options)
        try:
            result = await asyncio.shield(asyncio.wrap_future(job.done))
        finally:
            await job.stop(END_WAIT)
        return result if full else result.value()

    async def astream(self, task: str, **options: Any) -> AsyncIterator[Event | Delta]:
        """``stream`` for async callers."""
        inbox = Inbox()
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := await asyncio.wrap_future(inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            await job.stop(END_WAIT)

    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]:
        """Begin a run and return at once; ``.done`` is a future of its ``RunResult``. ``stay`` waits for it.

        Args:
            task: in plain words.
            front: who shows, decides and waits, instead of the agent's own.
            options: as ``run`` takes them; ``run`` names the run; with ``resume`` the newest one is gone on with.
        """
        return self._start(front or self._fronts.choose(), task, **options)

    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult:
        """Keep the calling thread in the waiter until the run's end. What is raised here meanwhile stops the run."""
        result: RunResult = self._stay(waiter, job, job.done)
        return result

    def interrupt(self) -> None:
        """Stop the run under way, wherever it is, also while it is being prepared; from any thread; harmless when there is none.

        One within a manager's run ends that, too, as a stop on its card does.
        """
        self._stop = object()  # first: a run that is not there yet looks here once it is
        if self._job is not None:
            self._job.cancel()
        if (work := self._work) is not None:
            work.get_loop().call_soon_threadsafe(work.cancel)

    @property
    def running(self) -> bool:
        return self._job is not None and not self._job.done.done()

    def _stay(self, waiter: Waiter, job: Job[RunResult], done: Future[Any]) -> Any:
        """Wait in the calling thread. What is raised there stops the run, which may still record and show its end."""
        try:
            return waiter.wait(done)
        except BaseException:
            if not job.over:
                job.cancel()
                drain(waiter, job.done, END_WAIT)
            raise

    # --- memory -------------------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Journal:
        """Where this agent's events are kept; made on first use."""
        if self._journal is None:
            self._journal = Journal.create(self.session, place=self.place)
        return self._journal

    def take_over(self, run: runs.Run, journal: Journal | None = None) -> None:
        """Remember these events, of a sandbox that is gone, and go on with their journal."""
        self.memory.take(*run)
        self._journal = journal

    def hand_over(self) -> tuple[runs.Run, Journal | None]:
        """What is remembered, and its journal, which is no longer this agent's."""
        journal, self._journal = self._journal, None
        return runs.Run(self.memory.events, self.memory.times), journal

    def write_memory_to_messages(self) -> list[Message]:
        """The conversation, as the model would be shown it now."""
        return self._say(self.memory.events)

    def _say(self, history: History) -> list[Message]:
        return prompt(without_calls_of_code(history), self._loop_settings({}).prompt)

    def replay(self, detailed: bool = False) -> None:
        """Show everything remembered once more, on the terminal. Nothing runs.

        Args:
            detailed: also what the model was shown at each step.
        """
        show_again(self.memory.events, self.memory.steps if detailed else ())

    def fork(self, step: int, session: str | None = None, *, sandbox: str | Executor | None = None) -> Self:
        """Another agent like this one, that remembers what this one did up to a step of its newest run, and no more.

        ``resume()`` goes on from there, and ``run(task, reset=False)`` gives it another task. Its sandbox is a new one: what the code
        made is not in it, ``memory.gone`` names it, and the model is told. Managed agents and the model are shared.

        Args:
            step: the number of the last step that is remembered; 0 for none.
            session: names the fork's journal.
            sandbox: its sandbox, where this agent was given an ``Executor`` and no name.

        Raises:
            SetupError: there is no such step, or no sandbox.
            AgentError: a run is under way.
        """
        if self.running:
            raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt(), then fork")
        sandbox = sandbox or self._sandbox
        if not isinstance(sandbox, str) and sandbox is self._sandbox:
            raise SetupError("a sandbox belongs to one agent: give the fork its own, fork(step, sandbox=…)")
        session = session or f"{self.session}-fork"
        before = runs.fork(runs.Run(self.memory.events, self.memory.times), step, session, self.place)
        twin = copy.copy(self)
        twin._reset_runs()
        twin._begin(session)
        twin.installs.mode = self.installs.mode
        twin.place, twin._sandbox, twin.tools = self.place, sandbox, dict(self.tools)
        twin.take_over(*before)
        return twin

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
            if isinstance(self._executor, WorkerExecutor):
                self._executor.packages = self.installs.packages
            self._executor.send_tools(self.callables)
            if isinstance(self._executor, WorkerExecutor):
                self._executor.record = lambda event: self.journal.append(event)
        return self._executor

    @property
    def python_executor(self) -> Executor:
        """smolagents' word for ``executor``."""
        return self.executor

    def visualize(self) -> None:
        """Show on the terminal what the agent has: model, sandbox, imports, tools, managed agents."""
        show_lines(overview(self))

    @property
    def given_files(self) -> set[str]:
        """Names of the files that were copied in."""
        return self._given

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
        return await completed(self.executor).pull(list(names))

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise these modules as well, from the next step on, in the running sandbox too; ``pkg.*`` for a whole package.

        Raises:
            CapabilityError: this sandbox cannot.
        """
        executor, names = completed(self.executor), tuple(names)
        executor.authorize_imports([*executor.additional_authorized_imports, *names])
        self._run_imports -= set(names)
        self.imports = tuple(dict.fromkeys([*self.imports, *names]))
        self.granted = tuple(dict.fromkeys([*self.granted, *names]))

    def _authorize_for_run(self, names: Sequence[str]) -> None:
        """Authorise these modules until the next run begins."""
        before, granted = set(self.imports), self.granted
        self.authorize_imports(names)
        self.granted = granted
        self._run_imports |= set(names) - before

    def _take_back(self) -> None:
        """End what was authorised for one run."""
        if self._run_imports:
            executor = completed(self.executor)
            self.imports = tuple(name for name in self.imports if name not in self._run_imports)
            kept = [name for name in executor.additional_authorized_imports if name not in self._run_imports]
            executor.authorize_imports(kept)
            self._run_imports = set()

    def _offers(self, proposed: Proposed) -> tuple[Offer, ...]:
        """What a person may choose for a program besides yes and no."""
        if proposed.kind != "code":
            return ()
        files = self._offered_files(proposed.text)

        def others() -> tuple[Offer, ...]:
            return (*self._offered_imports(proposed.text), *files)

        packages = self.installs.offers(proposed, files, others)
        return (*packages, *files) if packages else others()

    def _offered_files(self, text: str) -> tuple[Offer, ...]:
        """To copy in files that the program names and the sandbox does not have."""
        executor = self.executor
        if not isinstance(executor, FilingExecutor):
            return ()
        found = executor.beside(named_files(text))
        if not 0 < len(found) <= _MOST_OFFERED:
            return ()
        said = ", ".join(f"{describe.visible(file.name)} ({file.size:,} bytes)" for file in found)

        def copy() -> None:
            executor.send_beside(found)
            self._given.update(file.name for file in found)

        return (Offer(id="copy in", label=f"Approve and copy in {said}", act=copy, done=f"{said} copied in"),)

    def _offered_imports(self, text: str) -> tuple[Offer, ...]:
        """What helps a program whose imports the guard will refuse."""
        executor = completed(self.executor)
        if not executor.takes_imports:
            return ()
        tops = dict.fromkeys(name.partition(".")[0] for name in refused_imports(text, self._authorized))
        known = [name for name in tops if name.isascii() and (executor.name != "local" or is_installed(name))]
        said, names = ", ".join(tops), [f"{name}.*" for name in known]
        if not tops:
            return ()
        comment = f"The guard refuses to import {said}. Authorized are: {', '.join(self.executor.boundary().imports)}"
        back = Offer(id="send back", label="Send back with hint", choice="refuse", comment=comment)
        if len(known) < len(tops) or len(tops) > _MOST_OFFERED:
            return (back,)
        allow, ran = f"Approve and allow {said}", partial(self._authorize_for_run, names)
        return (
            Offer(id=f"run {said}", label=f"{allow} (this run)", act=ran, done=f"{said} allowed for this run"),
            Offer(
                id=f"session {said}",
                label=f"{allow} (this session)",
                act=partial(self.authorize_imports, names),
                done=f"{said} allowed for this session",
            ),
            back,
        )

    def set_model(self, model: Model) -> None:
        """Answer from another model from the next run on."""
        self.model = model

    def set_timeout(self, seconds: float) -> None:
        """Let steps take this long from the next one on."""
        self._executor_kwargs["timeout"] = seconds
        if isinstance(self._executor, WorkerExecutor):
            self._executor.timeout = float(seconds)

    def set_tools(self, tools: Iterable[Tool | Callable[..., Any]]) -> None:
        """Have exactly these tools from the next run on; the sandbox, its variables and the managed agents stay."""
        given = as_tools(tools)
        self._managed = managed_tools(self.managed_agents.values(), given)
        self.tools = given
        if self._executor is not None:
            completed(self._executor).set_tools(self.callables)

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
        self.installs.packages.close()
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
        read_only: bool = False,
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
            sent = self._hand_in(files, read_only)
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

    def _hand_in(self, paths: Sequence[str | os.PathLike[str]], read_only: bool) -> tuple[File, ...]:
        """Copy files into the sandbox, or mount them read-only."""
        executor = completed(self.executor)
        if read_only and not paths:
            raise SetupError("read_only is about files: name the folder, for example files=['data'], read_only=True")
        if not paths:
            return ()
        return executor.mount(paths) if read_only else executor.send_files(paths)

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
            if manager.parts.installs is not None:
                self.installs.mode = manager.parts.installs.mode
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
        gone, self._handed = self._handed - set(kept), set(kept)
        try:
            if self._executor is not None and gone:
                completed(self._executor).forget(gone)
        except SandboxError:
            pass  # it has ended, and its variables with it

    def _asked(self, task: str, variables: Mapping[str, Any], **more: Any) -> Asked:
        check_variables(variables)
        self.executor.send_variables(variables)
        self._handed.update(variables)
        return Asked(
            task=task,
            variables=tuple(describe.variable(name, value) for name, value in variables.items()),
            model=traits(self.model).name,
            sandbox=self.executor.name,
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
            observe=telemetry.observer(*self.telemetry),
            purse=Purse(self.budget, time.monotonic()) if self.budget is not None else None,
            **self._own_parts(settings, variables),
        )

    def _own_parts(self, settings: LoopSettings, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Those that are this agent's own, also where it works for a manager."""
        self._take_back()
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
            "offers": self._offers,
            "installs": self.installs,
            "open_first": self._is_full,
        }

    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        """How far a run goes and what its prompt says; ``note`` stands before the user's own instructions."""
        callables = self.callables
        return LoopSettings(
            max_steps=self.max_steps,
            find=lambda text: findings(text, self._authorized, callables, self._given),
            describe=describe.answer,
            planning_interval=self.planning_interval or 0,
            prompt=PromptSettings(
                imports=(*DEFAULT_IMPORTS, *self.imports),
                tools=tuple(str(made) for made in callables.values()),
                instructions="\n".join(filter(None, (note, self.instructions))),
                templates=self.prompt_templates,
                structured=self.structured,
                shows_images=traits(self.model).takes_images,
                window=Windows(self.model),
            ),
        )

    @property
    def _is_full(self) -> bool:
        """Whether the sandbox's Python level is full."""
        return completed(self.executor).python == "full"

    @property
    def _authorized(self) -> tuple[str, ...]:
        """The imports that count as authorised: in level full, all."""
        return ("*",) if self._is_full else self.imports

    def _lend_sandbox(self, agent: Any) -> None:
        """A managed agent that was given no sandbox has one of the same kind as its manager."""
        kind = self._sandbox if isinstance(self._sandbox, str) else self._sandbox.name
        if agent._sandbox is self._sandbox and not isinstance(self._sandbox, str):
            raise SetupError(f"{agent.name!r} and its manager share a sandbox: leave out sandbox= of one of them")
        if agent._own_sandbox or agent._executor is not None or not kind:
            return
        if not isinstance(self._sandbox, str) and kind not in EXECUTORS:
            return  # an executor of somebody's own: it cannot be made again by its name
        level = {"python": self._sandbox.asked_level} if isinstance(self._sandbox, WorkerExecutor) else {}
        agent._sandbox = kind
        agent._executor_kwargs = {**level, **self._executor_kwargs, **agent._executor_kwargs}
