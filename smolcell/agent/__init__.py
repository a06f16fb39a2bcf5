"""``CodeAgent``, whose model writes Python, and ``ToolCallingAgent``, whose model calls tools. A gate decides about each action."""

from __future__ import annotations

import asyncio
import copy
import os
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeVar

from smolcell import journal as runs
from smolcell import telemetry
from smolcell.agent.budget import Budget, BudgetTracker
from smolcell.agent.callbacks import hooks, read_callbacks
from smolcell.agent.checkpoints import MAX_IDEAS, allow_again, go_back, repeatable, rewind_points, run_again
from smolcell.agent.driver import Drive, RunContext
from smolcell.agent.driver import ParentRun as Manager  # the name in the public signature of ``work``
from smolcell.agent.hosts import with_options
from smolcell.agent.installs import Installs
from smolcell.agent.managed import NOTE, managed_tools
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.agent.output_checks import each_text
from smolcell.agent.result import RunResult
from smolcell.agent.running import (
    END_WAIT_SECONDS,
    FrontEndResolver,
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
from smolcell.agent.templates import Templates
from smolcell.agent.tool_calls import FINAL_SCHEMA, FINAL_WORDS, ToolCallResolver, without_calls_of_code
from smolcell.approval.contract import FILE, Contract, as_contract, violation_text
from smolcell.approval.contract import read as read_contract
from smolcell.approval.gates import (
    allow_all,
    ask,
    behind_walls,
    deny_all,
    fail_closed,
    granted,
    remembered,
    within_policy,
)
from smolcell.approval.grants import SCOPES, Grants, exact_call
from smolcell.approval.policy import Layer, ToolPattern, apply_contract, current, is_default_import, read_call
from smolcell.core import text as describe
from smolcell.core.findings import findings, named_files, refused_imports
from smolcell.core.history import Memory, PromptBuilder, place_of, ran, resumable, retry_point, steps_after, target
from smolcell.core.loop import LoopSettings, Turns
from smolcell.core.prompt import PromptSettings, prompt
from smolcell.core.tool_calls import FINAL
from smolcell.errors import AgentError, SandboxError, SetupError
from smolcell.events import (
    DIRECT_RUN,
    Allowed,
    Asked,
    Delta,
    Ended,
    Event,
    File,
    Finding,
    History,
    Offer,
    Opened,
    Proposed,
    Refused,
    State,
    Undone,
)
from smolcell.executors import EXECUTORS, Checkpoint, completed, create_executor, find_executor
from smolcell.executors.base import WorkerExecutor, authorized, libraries
from smolcell.executors.files import FileTransfer, find_links
from smolcell.executors.registry import open_sandboxes
from smolcell.exports import Export
from smolcell.exports.cells import export
from smolcell.journal import Journal
from smolcell.machine.environment import is_installed, startup_value
from smolcell.models.capabilities import Windows, traits
from smolcell.models.generate import as_model
from smolcell.network import Credential, Hosts, Keyring
from smolcell.output_checks import Checks, schema
from smolcell.protocols import Context, Executor, FrontEnd, Gate, Message, Model, View, Waiter
from smolcell.tools.builtin import PythonInterpreterTool, as_tools, sources, with_base_tools
from smolcell.tools.tool import Tool, named_function
from smolcell.views.terminal_render import TerminalLine
from smolcell.worker.guard.tables import DEFAULT_IMPORTS

T = TypeVar("T")
_INDENT = "  "


class AgentMemory(Memory):
    """An agent's memory, which can be saved to a file."""

    def __init__(self, say: PromptBuilder | None = None) -> None:
        super().__init__(say, time.time)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a file: JSON lines as in a journal, secrets redacted. Replaces an existing file.

        Live values are not saved: after loading, an answer is its text.

        Raises:
            SetupError: the memory is empty, or the file cannot be written.
        """
        runs.save(path, runs.Run(self.events, self.times))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replace the memory with the events of a file that ``save``, or an agent's journal, wrote.

        Runs no code. The next run tells the model which of the sandbox's variables no longer exist (``gone``). Before a later ``undo`` runs
        programs of the file again, a person is asked, unless one of the user's own journals has them, in this order.

        Raises:
            SetupError: the file cannot be read, or a line is no event. The memory is unchanged then.
        """
        self.load_events(*runs.load(path))


def overview(agent: Any, margin: str = "") -> Iterator[TerminalLine]:
    """Yield the lines that describe an agent and, indented, its managed agents."""
    name = f" {agent.name}" if agent.name else ""
    model = traits(agent.model).name
    sandbox = agent._sandbox if isinstance(agent._sandbox, str) else agent._sandbox.name
    yield TerminalLine(
        f"{type(agent).__name__}{name}: model {model}, sandbox {sandbox}, at most {agent.max_steps} steps",
        "head",
        margin,
    )
    if agent.description:
        yield TerminalLine(agent.description, "plain", margin + _INDENT)
    if agent.imports:
        yield TerminalLine(f"imports: {', '.join(agent.imports)}", "plain", margin + _INDENT)
    for tool in agent.tools.values():
        yield TerminalLine(f"tool {tool.name}: {tool.description.partition(chr(10))[0]}", "plain", margin + _INDENT)
    for managed in agent.managed_agents.values():
        yield from overview(managed, margin + _INDENT)


def _tools_from_functions(given: Mapping[str, Callable[..., Any]]) -> dict[str, Tool]:
    """Return smolagents' ``additional_functions`` as tools."""
    return {name: named_function(name, function) for name, function in given.items()}


telemetry.watch(lambda: len(open_sandboxes()))

ROLLBACKS = ("off", "on-error")
CHECKPOINTS = 10  # copies that a sandbox keeps for ``rollback``
_CLOSE_WAIT_SECONDS = 1.0  # seconds that a run gets to record its end when the agent is closed
_AGAIN = "Run the programs of earlier steps again"
_MAX_OFFERED = 5  # modules to authorise, or files to copy in, by one click


def _parse_place(step: int | str) -> tuple[int, str]:
    """Return number and run id of a step; "" for the newest run.

    Raises:
        SetupError: ``step`` is neither a number nor RUN:STEP.
    """
    run, _, number = str(step).rpartition(":")
    if not number.isdecimal():
        raise SetupError(f"{step!r} names no step: give its number, or RUN:STEP as in agent.checkpoints")
    return int(number), run


class MultiStepAgent:
    """The base class of ``CodeAgent`` and ``ToolCallingAgent``, which document the arguments.

    Works on one task at a time.

    Attributes:
        memory: the agent's memory.
        grants: the permissions that the person gave, and how long each is valid.
        session: names its journal.
        place: the notebook it works in, by which its journal is found after a restart; "" if its journal need not be found.
        installs: packages for its sandbox; ``installs.mode`` says whether they are installed: "ask", "auto" or "never".
        return_full_result: the default of ``run``'s argument.
        run_id: of the newest run.
        expected_walls: names of walls without which no code runs; set when the agent was loaded from a folder.
        recording: path of the recording that it was loaded with; "" for none.
    """

    calling = False
    """Whether the agent only calls tools, and writes no programs."""
    telemetry = ("", "")
    """The settings ``otel`` and ``log``; "" means: as the environment says."""
    return_full_result = False
    notebook_context = "none"
    """The most that the model may be sent of a notebook."""
    expected_walls: tuple[str, ...] = ()
    recording = ""
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
        output_checks: Sequence[Any] = (),
        output_type: Any = None,
        rollback: str = "off",
        stop_after: int = 0,
        allow_hosts: Sequence[str] = (),
        credentials: Mapping[str, Credential] | None = None,
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
        self._fronts = FrontEndResolver(gate, view, verbose=loud, quiet=level is not None and level < 1)
        self._reset_runs()
        self.stream_outputs, self.return_full_result = stream_outputs, return_full_result
        self.provide_run_summary = provide_run_summary
        self.structured = use_structured_outputs_internally
        self.model, self.name, self.description = as_model(model), name, description
        self.tools = with_base_tools(as_tools(tools)) if add_base_tools else as_tools(tools)
        self._managed = managed_tools(managed_agents, self.tools)
        self.managed_agents = {agent.name: agent for agent in managed_agents}
        imports = additional_authorized_imports or ()
        self.imports = authorized((imports,) if isinstance(imports, str) else tuple(imports))
        self.max_steps, self.instructions = whole_number("max_steps", max_steps), instructions or ""
        self.stop_after = whole_number("stop_after", stop_after) if stop_after else 0
        self.prompt_templates = Templates(prompt_templates, self._acting_settings())
        self.final_answer_checks = hooks(final_answer_checks or (), "final_answer_checks")
        self.step_callbacks = read_callbacks(step_callbacks or ())
        typed = [] if output_type is None else [schema(output_type)]
        self.output_checks = Checks([*output_checks, *typed])
        self.budget = budget
        self.planning_interval = (
            None if planning_interval is None else whole_number("planning_interval", planning_interval)
        )
        self._run_imports: set[str] = set()  # authorised until the next run begins
        self._max_output = max_print_outputs_length
        self._executor_kwargs = dict(executor_kwargs or {})
        self._tools_from_functions = _tools_from_functions(
            self._executor_kwargs.pop("additional_functions", None) or {}
        )
        self._own_sandbox = sandbox is not None or executor_type is not None
        self._sandbox = sandbox or executor_type or startup_value("SMOLCELL_SANDBOX") or "local"
        self._take_level(python)
        self._take_hosts(allow_hosts, credentials)
        self.set_rollback(rollback)
        self._begin(session)
        for agent in self.managed_agents.values():
            self._lend_sandbox(agent)

    def _take_level(self, python: str | None) -> None:
        if python is not None:
            if not isinstance(self._sandbox, str):
                raise SetupError(
                    f"python= only applies if sandbox is a name; pass python={python!r} when you create the executor"
                )
            self._executor_kwargs["python"] = python

    def _take_hosts(self, hosts: Sequence[str], credentials: Mapping[str, Credential] | None) -> None:
        given = {"allow_hosts": list(Hosts(hosts).names), "credentials": dict(credentials or {})}
        given = {name: value for name, value in given.items() if value}
        if given and not isinstance(self._sandbox, str):
            raise SetupError(
                f"{' and '.join(given)} only apply if sandbox is a name; pass them when you create the executor"
            )
        if given and self._executor_kwargs.get("network") not in (None, False, "none"):
            raise SetupError("network= opens everything and allow_hosts single hosts: give one of them")
        Keyring(credentials)
        self._executor_kwargs.update(given)

    def _acting_settings(self) -> PromptSettings:
        """Return how the model acts, for the texts of the prompt."""
        return PromptSettings(calling=self.calling, native=traits(self.model).takes_tools, structured=self.structured)

    def _reset_runs(self) -> None:
        """Forget all runs. No run is active afterwards."""
        self._job: Job[RunResult] | None = None
        self._work: asyncio.Task[Any] | None = None  # of a manager's run
        self.run_id = ""
        self._stop = object()  # replaced by each interrupt()
        self._lock = threading.Lock()

    def _begin(self, session: str) -> None:
        """Reset the memory. The sandbox and the journal are made on first use."""
        self.session, self.place = session, ""
        self.memory = AgentMemory(self._say)
        self._executor: Executor | None = None
        self._denied_hosts: set[str] = set()
        self._copied_files: set[str] = set()  # names of files that were copied in
        self._copied_variables: set[str] = set()  # names of variables that were copied in
        self._values: dict[str, Any] = {}  # the variables and files, to copy into a replacement sandbox
        self._sent: list[tuple[tuple[str | os.PathLike[str], ...], bool, tuple[Path, ...]]] = []
        self._journal: Journal | None = None
        self._runs = 0  # of this agent as a managed agent
        self._working = asyncio.Lock()  # as a managed agent it does one run at a time
        self.use_grants(Grants())
        self.installs = Installs(self)
        self._contract: Contract | None = None  # of the active run, or the newest
        self._person: tuple[View, Gate] | None = None  # asks if the policy requires it; remembers the answers

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
        contract: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Work on a task and return the answer.

        Args:
            task: in plain words.
            stream: return ``stream(...)`` instead.
            reset: forget earlier runs first; with False the model sees them.
            images: for models that see: data URLs, or images with a PIL-like ``save``.
            additional_args: values copied into the sandbox under these names and described to the model.
            return_full_result: return a ``RunResult`` and never raise; None: the agent's setting.
            files: files and folders copied into the sandbox's work folder, where the code reads them by the same names.
            max_steps: for this run, instead of the agent's.
            read_only: mount ``files``, of any size, read-only instead of copying them.
            contract: a file that says what the agent may do. The run does not start if the agent may do more.

        Raises:
            ApprovalError: a step was not allowed.
            AgentStopped: the run was stopped.
            AgentGenerationError: the model failed.
            SetupError: the task is empty.
        """
        options: dict[str, Any] = {"files": files, "max_steps": max_steps, "read_only": read_only, "contract": contract}
        if stream:
            return self.stream(task, reset=reset, images=images, additional_args=additional_args, **options)
        front = self._fronts.resolve()
        job = self._start(front, task, reset, images, additional_args, **options)
        result = self._stay(front.waiter, job, job.done)
        full = self.return_full_result if return_full_result is None else return_full_result
        return result if full else result.value()

    def __call__(self, task: str, **options: Any) -> Any:
        """Call ``run``."""
        return self.run(task, **options)

    def resume(
        self,
        return_full_result: bool = False,
        additional_args: Mapping[str, Any] | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
        contract: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Continue the newest run, which ended without an answer: because the model failed, or it was stopped, or reached its step limit.

        The model sees the same conversation, and may propose ``max_steps`` more steps. A model call that failed is repeated. After
        ``memory.load(…)``, the loaded run is continued.

        Args:
            return_full_result, additional_args, files: as for ``run``. Values and files are needed if the sandbox is a new one.
            contract: as for ``run``; by default the contract of the run that is continued.

        Raises:
            SetupError: there is no such run. Otherwise what ``run`` raises.
        """
        front = self._fronts.resolve()
        job = self._start(front, resume=True, additional_args=additional_args, files=files, contract=contract)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def branch(self, k: int = 3, *, models: Sequence[Model] = (), return_full_result: bool = False) -> Any:
        """Continue like ``resume``, but ask the model for ``k`` alternative next steps ("ideas") from the same state.

        The ideas are shown side by side. If the sandbox keeps checkpoints, the person can try each idea, which is undone afterwards,
        and then keep one. A custom gate gets the ideas in ``Proposed.ideas``. If the newest run has its answer, call ``undo()`` first.

        Args:
            k: number of ideas, at most 9.
            models: models to ask for the further ideas, one idea each; ``k`` is then their number plus one.
            return_full_result: as for ``run``.

        Raises:
            SetupError: the newest run has its answer, or ``k`` is out of range. Otherwise what ``run`` raises.
        """
        count = len(models) + 1 if models else whole_number("k", k)
        if not 2 <= count <= MAX_IDEAS:
            raise SetupError(f"branch takes from 2 to {MAX_IDEAS} ideas, not {count}: for example agent.branch(3)")
        front = self._fronts.resolve()
        job = self._start(front, resume=True, branch=count, branch_models=models)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def stream(self, task: str, **options: Any) -> Iterator[Event | Delta]:
        """Work on a task and yield every event and delta as it happens. Takes ``run``'s options; raises what ``run`` raises.

        Leaving the iteration early stops the run.
        """
        front = self._fronts.resolve()
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
                drain(front.waiter, job.done, END_WAIT_SECONDS)

    async def arun(self, task: str, **options: Any) -> Any:
        """``run`` for async callers. Does not block their loop; synchronous tools run on it, one at a time."""
        full = options.pop("return_full_result", self.return_full_result)
        job = self._start(self._fronts.resolve(LoopWaiter(asyncio.get_running_loop())), task, **options)
        try:
            result = await asyncio.shield(asyncio.wrap_future(job.done))
        finally:
            await job.stop(END_WAIT_SECONDS)
        return result if full else result.value()

    async def astream(self, task: str, **options: Any) -> AsyncIterator[Event | Delta]:
        """``stream`` for async callers."""
        inbox = Inbox()
        job = self._start(self._fronts.resolve(LoopWaiter(asyncio.get_running_loop())), task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := await asyncio.wrap_future(inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            await job.stop(END_WAIT_SECONDS)

    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]:
        """Begin a run and return at once. ``.done`` of the returned job is a future of the ``RunResult``; ``stay`` waits for it.

        Args:
            task: in plain words.
            front: the front end that shows, decides and waits, instead of the agent's own.
            options: as ``run`` takes them; also ``run``: the id of the run; ``resume``: continue the newest run; ``context``: what the
                model may be sent with the task; ``links``: links that it comes from, which a person must allow first, with their real
                paths; ``turns``: decides about steps instead of the model.
        """
        return self._start(front or self._fronts.resolve(), task, **options)

    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult:
        """Wait in the calling thread until the run's end. An exception raised in this thread meanwhile stops the run."""
        result: RunResult = self._stay(waiter, job, job.done)
        return result

    def map(self, tasks: Any, on: Any = "local", **options: Any) -> Any:
        """Do many tasks, each with an agent of the same recipe. Takes the arguments of ``smolcell.scale.map``.

        This agent's memory and sandbox are not used.

        Raises:
            SetupError: a part of the agent cannot be described by a name, so other processes cannot make it.
        """
        scale = import_module("smolcell.scale")  # an upper layer: imported when called
        return scale.map(tasks, import_module("smolcell.scale.spec").spec_of(self), on, **options)

    def interrupt(self) -> None:
        """Stop the active run, also while it is being prepared. Thread-safe; does nothing if no run is active.

        If the run belongs to a manager's run, that ends, too, as after a stop on its card.
        """
        self._stop = object()  # first: a run that is still being prepared checks it afterwards
        if self._job is not None:
            self._job.cancel()
        if (work := self._work) is not None:
            work.get_loop().call_soon_threadsafe(work.cancel)

    @property
    def running(self) -> bool:
        return self._job is not None and not self._job.done.done()

    def _stay(self, waiter: Waiter, job: Job[RunResult], done: Future[Any]) -> Any:
        """Wait in the calling thread. An exception raised there stops the run, which then still records and shows its end."""
        try:
            return waiter.wait(done)
        except BaseException:
            if not job.over:
                job.cancel()
                drain(waiter, job.done, END_WAIT_SECONDS)
            raise

    # --- memory -------------------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Journal:
        """The journal of this agent's events; made on first use."""
        if self._journal is None:
            self._journal = Journal.create(self.session, place=self.place)
        return self._journal

    def take_over(self, run: runs.Run, journal: Journal | None = None) -> None:
        """Replace the memory with these events, whose sandbox has ended, and append to their journal."""
        self.memory.load_events(*run)
        self._journal = journal

    def hand_over(self) -> tuple[runs.Run, Journal | None]:
        """Give up the memory and the journal, and return both."""
        journal, self._journal = self._journal, None
        return runs.Run(self.memory.events, self.memory.times), journal

    @property
    def system_prompt(self) -> str:
        """The system message that the model would get now."""
        return self._say(())[0].text

    def write_memory_to_messages(self) -> list[Message]:
        """Return the conversation that the model would get now."""
        return self._say(self.memory.events)

    def _say(self, history: History) -> list[Message]:
        messages = prompt(without_calls_of_code(history), self._loop_settings({}).prompt)
        return [each_text(message, self.output_checks.sent) for message in messages]

    def replay(self, detailed: bool = False) -> None:
        """Show the memory on the terminal. Runs no code.

        Args:
            detailed: show also the messages that the model got at each step.
        """
        show_again(self.memory.events, self.memory.steps if detailed else ())

    def fork(self, step: int, session: str | None = None, *, sandbox: str | Executor | None = None) -> Self:
        """Return another agent like this one, with this one's memory up to a step of its newest run.

        ``resume()`` continues from there; ``run(task, reset=False)`` gives it another task. Its sandbox is new: variables that earlier code
        made are missing, ``memory.gone`` names them, and the model is told. Managed agents and the model are shared.

        Args:
            step: number of the last step to keep; 0 for none.
            session: names the fork's journal.
            sandbox: the fork's sandbox; needed if this agent was given an ``Executor`` instead of a name.

        Raises:
            SetupError: there is no such step, or no sandbox.
            AgentError: a run is active.
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
        twin.installs.mode, twin._contract = self.installs.mode, self._contract
        twin.place, twin._sandbox, twin.tools = self.place, sandbox, dict(self.tools)
        twin.take_over(*before)
        return twin

    def contract(self, purpose: str = "", *, files: Sequence[str | os.PathLike[str]] = ()) -> Contract:
        """Return a contract: what this agent may do now, and the walls that its sandbox has. Opens the sandbox.

        ``str(contract)`` is the text of the file; ``smolcell.approval.contract.keep`` writes it.

        Args:
            purpose: what the agent is for.
            files: files and folders that the agent may be given.
        """
        return self._make_contract(self._fronts.resolve(), purpose, files)

    def _make_contract(
        self,
        front: FrontEnd,
        purpose: str = "",
        files: Sequence[str | os.PathLike[str]] = (),
        models: Sequence[str] = (),
    ) -> Contract:
        executor = self.executor
        if not isinstance(executor, HostExecutor):
            front.waiter.wait(Job(executor.open()).done)
        boundary = None if isinstance(executor, HostExecutor) else executor.boundary()
        return as_contract(_permissions(self, front, files), boundary, Path.cwd(), purpose, models)

    # --- going back ---------------------------------------------------------------------------------------------------

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """The steps that ``goto`` can go back to, oldest first; step 0 is the start of its run."""
        kept: list[Checkpoint] = []
        if self._executor is not None and self.memory.events:
            kept = self._wait_for(completed(self._executor).kept_checkpoints())
        return rewind_points(self.memory.events, kept)

    def undo(self, steps: int = 1, *, front: FrontEnd | None = None) -> Undone:
        """Undo the newest steps: restore variables, work folder and conversation as they were before them.

        Does not undo values in the notebook, saved files, or effects of tools.

        Args:
            steps: how many, those of earlier runs included.
            front: the front end that shows it, if it is not the agent's own.

        Raises:
            SetupError: no step ran, or the steps cannot be undone.
            ApprovalError: steps of a loaded run would have to run again, and a person did not allow them.
            AgentError: a run is active.
        """
        self._check_idle()
        return self._go_back(*target(self.memory.events, whole_number("steps", steps)), front)

    def goto(self, step: int | str, *, front: FrontEnd | None = None) -> Undone:
        """Go back to the end of a step: undo all steps after it. ``resume`` continues from there.

        Args:
            step: its number in the newest run, 0 for the start of the run; "RUN:STEP" for another run.
            front: the front end that shows it, if it is not the agent's own.

        Raises:
            SetupError: there is no such step, or the later ones cannot be undone.
            ApprovalError: as for ``undo``.
            AgentError: a run is active.
        """
        self._check_idle()
        number, run = _parse_place(step)
        return self._go_back(*place_of(self.memory.events, number, run), front)

    def retry(
        self, step: int | str, comment: str = "", *, front: FrontEnd | None = None, return_full_result: bool = False
    ) -> Any:
        """Undo a step and continue in another way. The model gets the undone program, and the comment.

        Args:
            step: its number in the newest run; "RUN:STEP" for another run.
            comment: what to do differently.
            front: the front end that shows it, if it is not the agent's own.
            return_full_result: as for ``run``.

        Raises:
            SetupError: there is no such step, or it cannot be undone. Otherwise what ``run`` raises.
        """
        task, options = self.before_retry(step, comment, front=front)
        front = front or self._fronts.resolve()
        job = self._start(front, task, reset=False, **options)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def before_retry(
        self, step: int | str, comment: str = "", *, front: FrontEnd | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Undo a step. Returns the task, and the options with which ``start`` continues in another way."""
        self._check_idle()
        number, run = _parse_place(step)
        name, last, asked, program = retry_point(self.memory.events, number, run)
        self._go_back(name, last, front)
        goes_on = bool(last or asked.resumes)  # else nothing of the run is left, and it starts again
        return asked.task, {"resume": goes_on, "instead": program, "comment": comment}

    def _check_idle(self) -> None:
        if self.running or self._working.locked():
            raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt(), then go back")

    def _go_back(self, run: str, step: int, front: FrontEnd | None) -> Undone:
        later = {each for each, _ in steps_after(self.memory.events, run, step)} - {run}
        front = front or self._fronts.resolve()
        allow = partial(self._allow_again, front)
        work = go_back(self._executor, self.memory.events, run, step, self._replace_sandbox, allow)
        undone = self._wait_for(work, front)
        self.journal.append(undone)
        self.memory.go_back(undone)
        front.view.show(undone)
        for each in later:  # each run has its own card, and record
            self.journal.append(of_run := replace(undone, run=each, step=0))
            front.view.show(of_run)
        return undone

    async def _allow_again(self, front: FrontEnd, programs: Sequence[Allowed], own: bool = False) -> None:
        """Return if these programs of earlier steps may run again. If a person must be asked, the question has its own card.

        Raises:
            ApprovalError: they were not allowed.
        """

        async def ask(proposed: Proposed) -> Allowed | Refused:
            run, journal, show = proposed.run, self.journal, front.view.show
            show(Asked(run=run, task=_AGAIN, sandbox=self.executor.name, approve=front.approve, session=self.session))
            if proposed.boundary is not None:
                show(Opened(run=run, boundary=proposed.boundary))
            show(proposed)
            journal.append(replace(proposed, run=DIRECT_RUN))
            state: State = "stopped"
            try:
                decision = await self._gate(front)(proposed)
                journal.append(replace(decision, run=DIRECT_RUN))
                show(decision)
                state = "success" if isinstance(decision, Allowed) else "refused"
            finally:
                show(Ended(run=run, state=state, steps=1))
            return decision

        callables = self.callables
        await allow_again(programs, lambda: self.executor, ask, lambda text: self._findings(text, callables), own)
        self._check_idle()  # a run may have begun while a person was asked

    def rebuild(
        self,
        files: Sequence[str | os.PathLike[str]] = (),
        read_only: bool = False,
        *,
        front: FrontEnd | None = None,
        own: bool = False,
    ) -> tuple[int, ...]:
        """Run the approved steps of the memory again, in a new sandbox, to restore its state. Blocks.

        Returns the numbers of the steps that now failed, or printed something else.

        Args:
            files, read_only: given to the sandbox before the first step, as for ``run``.
            front: the front end that asks, if it is not the agent's own.
            own: whether the memory is known to come from the user's own journal, though it does not lie in the state folder.

        Raises:
            SetupError: a step called a tool that needed an approval. Such a call is not repeated.
            ApprovalError: the programs come from elsewhere, and a person did not allow them.
            AgentError: a run is active.
        """
        self._check_idle()
        front, events = front or self._fronts.resolve(), self.memory.events
        programs = repeatable(events, ran(events), "the run continues in a new sandbox")
        self._wait_for(self._allow_again(front, programs, own), front)
        self._sent = [(tuple(files), read_only, ())] if files else []
        differs = run_again(events, programs, self._replace_sandbox)
        self.memory.sandbox_restored()
        return differs

    def _wait_for(self, work: Coroutine[Any, Any, T], front: FrontEnd | None = None) -> T:
        """Run a coroutine on the driver's loop, and wait for it in the calling thread. An exception raised there cancels it."""
        job = Job(work)
        try:
            return (front or self._fronts.resolve()).waiter.wait(job.done)
        except BaseException:
            job.cancel()
            raise

    def _replace_sandbox(self) -> Executor:
        """Return a new sandbox that replaces the old one, with the same variables and files."""
        executor, self._executor, self._copied_files = self._executor, None, set()
        close(executor)
        for paths, read_only, links in self._sent:
            self._hand_in(paths, read_only, links)
        self.executor.send_variables(self._values)
        return self.executor

    def use_grants(self, grants: Grants) -> None:
        """Use the grants of the agent's session."""
        self.grants = grants
        grants.undo["module"] = lambda name: self.forbid_imports([name])
        grants.undo["host"] = self._close_host

    def _close_host(self, name: str) -> None:
        if isinstance(self._executor, WorkerExecutor):
            self._executor.close_host(name)

    # --- the parts ----------------------------------------------------------------------------------------------------

    @property
    def executor(self) -> Executor:
        """The agent's sandbox, made on first use."""
        if self._executor is None:
            if isinstance(self._sandbox, str):
                options = {"max_print_outputs_length": self._max_output, **self._executor_kwargs}
                options.setdefault("additional_authorized_imports", list(self.imports))
                ours = issubclass(find_executor(self._sandbox), WorkerExecutor)
                if ours and not self.imports:
                    options.setdefault("python", "auto")
                if self.rollback == "on-error" and ours:
                    options.setdefault("checkpoints", CHECKPOINTS)
                self._executor = create_executor(self._sandbox, **options)
            else:
                self._executor = self._sandbox
            if isinstance(self._executor, WorkerExecutor):
                self._executor.packages = self.installs.packages
                if self._executor.carries:
                    self._executor.open_hosts(self.grants.names("host", "session", "notebook"))
            self._executor.send_tools(self.callables)
            if isinstance(self._executor, WorkerExecutor):
                self._executor.record = lambda event: self.journal.append(event)
        return self._executor

    @property
    def python_executor(self) -> Executor:
        """Smolagents' name for ``executor``."""
        return self.executor

    def visualize(self) -> None:
        """Show the agent's parts on the terminal: model, sandbox, imports, tools, managed agents."""
        show_lines(overview(self))

    @property
    def given_files(self) -> set[str]:
        """Names of the files that were copied in."""
        return self._copied_files

    @property
    def handed_in(self) -> tuple[str, ...]:
        """Paths of the files and folders that its sandbox was given."""
        return tuple(str(path) for paths, *_ in self._sent for path in paths) if self._executor is not None else ()

    @property
    def callables(self) -> dict[str, Tool]:
        """The tools and the managed agents, by their names."""
        return {**self._tools_from_functions, **self.tools, **self._managed}

    async def pull(self, names: Iterable[str]) -> dict[str, Any]:
        """Return copies of the sandbox's variables of these names.

        Raises:
            SandboxError: there is no such variable.
            CapabilityError: this sandbox cannot return variables.
        """
        return await completed(self.executor).pull(list(names))

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise these modules, too, from the next step on, also in a running sandbox; ``pkg.*`` for a whole package.

        Raises:
            CapabilityError: this sandbox cannot change its imports.
        """
        executor, names = completed(self.executor), authorized(names)
        executor.authorize_imports([*executor.additional_authorized_imports, *names])
        self._run_imports -= set(names)
        self.imports = tuple(dict.fromkeys([*self.imports, *names]))

    def _authorize_for_run(self, names: Sequence[str]) -> None:
        """Authorise these modules until the next run begins."""
        before = set(self.imports)
        self.authorize_imports(names)
        self._run_imports |= set(names) - before

    def _begin_imports(self, variables: Mapping[str, Any]) -> None:
        """Withdraw the modules of the run before, and authorise the data libraries of what is passed in, as the policy allows."""
        self._take_back()
        executor = completed(self.executor)
        if not variables or executor.python == "full" or not executor.takes_imports:
            return
        names = [name for name in libraries(variables.values()) if current().allows("imports", name)]
        if missing := [name for name in names if not {name, "*"} & set(executor.additional_authorized_imports)]:
            self._authorize_for_run(missing)

    @property
    def granted(self) -> tuple[str, ...]:
        """The modules that the person granted for longer than one run."""
        return self.grants.names("module", "session", "notebook")

    def forbid_imports(self, names: Iterable[str]) -> None:
        """Withdraw authorised modules, from the next step on, also in a running sandbox."""
        executor, gone = completed(self.executor), set(names)
        self.imports = tuple(name for name in self.imports if name not in gone)
        executor.authorize_imports([name for name in executor.additional_authorized_imports if name not in gone])

    def _take_back(self) -> None:
        """Withdraw the modules that were authorised for one run."""
        self.grants.end_run()
        if self._run_imports:
            executor = completed(self.executor)
            self.imports = tuple(name for name in self.imports if name not in self._run_imports)
            kept = [name for name in executor.additional_authorized_imports if name not in self._run_imports]
            executor.authorize_imports(kept)
            self._run_imports = set()

    def _offers(self, proposed: Proposed) -> tuple[Offer, ...]:
        """Return the choices about a program or a call, besides approve and refuse."""
        if proposed.kind == "call":
            return self._offer_calls(proposed)
        if proposed.kind != "code":
            return ()
        files = self._offer_files(proposed.text)

        def others() -> tuple[Offer, ...]:
            return (*self._offer_imports(proposed.text), *files)

        packages = self.installs.offers(proposed, files, others)
        return (*packages, *files) if packages else others()

    def _offer_files(self, text: str) -> tuple[Offer, ...]:
        """Offer to copy in files that the program names and the sandbox does not have."""
        executor = self.executor
        if not isinstance(executor, FileTransfer):
            return ()
        offered = executor.beside(named_files(text))
        if self._contract is not None and self._contract.other_files(file.name for file in offered):
            return ()
        if not 0 < len(offered) <= _MAX_OFFERED:
            return ()
        names = ", ".join(f"{describe.visible(file.name)} ({file.size:,} bytes)" for file in offered)

        def copy() -> None:
            executor.send_beside(offered)
            self._copied_files.update(file.name for file in offered)
            for file in offered:
                self.grants.give("path", file.name, "session")

        return (Offer(id="copy in", label=f"Approve and copy in {names}", act=copy, done=f"{names} copied in"),)

    def _offer_imports(self, text: str) -> tuple[Offer, ...]:
        """Offer choices for a program whose imports the guard will refuse."""
        executor = completed(self.executor)
        if not executor.takes_imports:
            return ()
        tops = dict.fromkeys(name.partition(".")[0] for name in refused_imports(text, self._authorized))
        known = [name for name in tops if name.isascii() and (executor.name != "local" or is_installed(name))]
        modules, names = ", ".join(tops), [f"{name}.*" for name in known]
        if not tops:
            return ()
        comment = (
            f"The guard refuses to import {modules}. Authorized are: {', '.join(self.executor.boundary().imports)}"
        )
        back = Offer(id="send back", label="Send back with hint", choice="refuse", comment=comment)
        if len(known) < len(tops) or len(tops) > _MAX_OFFERED:
            return (back,)
        refused = [name for name in tops if not current().allows("imports", name)]
        if refused:
            comment = (
                f"The import of {', '.join(refused)} is not allowed here: {current().refusal('imports', refused[0])}"
            )
            return (replace(back, comment=comment),)

        def allow(scope: str) -> None:
            (self._authorize_for_run if scope == "run" else self.authorize_imports)(names)

        return (*self.grants.offers("module", tuple(names), modules, scopes=SCOPES[1:], act=allow), back)

    def _offer_calls(self, proposed: Proposed) -> tuple[Offer, ...]:
        """Offer to allow a tool call: exactly this one, or every call of the tool. Nothing if the policy always requires a question."""
        call = None if proposed.needs else read_call(proposed.text)
        if call is None or call[0] not in self.callables:
            return ()
        exact, every = exact_call(*call), f"every call of {call[0]}"
        same = self.grants.offers("tool", (exact,), "this call", scopes=SCOPES[2:]) if exact else ()
        return (*same, *self.grants.offers("tool", (call[0],), every, scopes=SCOPES[2:]))

    def _covers(self, proposed: Proposed) -> bool:
        call = read_call(proposed.text)
        return call is not None and self.grants.covers_call(*call) is not None

    def set_model(self, model: Model) -> None:
        """Use another model from the next run on."""
        self.model = as_model(model)

    def set_timeout(self, seconds: float) -> None:
        """Set the time limit of a step from the next one on, as far as the policy allows it."""
        seconds = current().least("limits.timeout", seconds)
        self._executor_kwargs["timeout"] = seconds
        if isinstance(self._executor, WorkerExecutor):
            self._executor.timeout = float(seconds)

    def set_rollback(self, mode: str) -> None:
        """Choose whether a failed step is undone ("on-error") or not ("off"), from the next run on.

        Sandboxes that are made by name from now on keep checkpoints for it. A sandbox without checkpoints does not undo failed steps.

        Raises:
            SetupError: the mode is neither of these.
        """
        if mode not in ROLLBACKS:
            raise SetupError(f"rollback must be one of {', '.join(ROLLBACKS)}, not {mode!r}")
        self.rollback = mode

    def set_tools(self, tools: Iterable[Tool | Callable[..., Any]]) -> None:
        """Replace the tools from the next run on. The sandbox, its variables and the managed agents stay."""
        given = as_tools(tools)
        self._managed = managed_tools(self.managed_agents.values(), given)
        self.tools = given
        if self._executor is not None:
            completed(self._executor).set_tools(self.callables)

    def export(self, run: str = "", *, answer: str = "answer", defined: Collection[str] = ()) -> Export:
        """Return the approved steps of a run as ordinary cells that give the same answer.

        Args:
            run: its id; the newest run remembered by default.
            answer: the variable for the answer.
            defined: names of tools that the target of the cells already defines.

        Raises:
            SetupError: there is no such run, or none of its steps ended.
        """
        return export(self.memory.events, run, answer=answer, tools=sources(self.callables), defined=defined)

    def cleanup(self) -> None:
        """Stop the active run, and end the sandboxes of this agent and its managed agents. Idempotent. The next run starts new ones."""
        self.interrupt()
        executor, self._executor, self._copied_files = self._executor, None, set()
        close(executor)
        if executor is not None:
            self.memory.sandbox_lost()
        if self._job is not None and not on_driver():
            wait_for([self._job.done], _CLOSE_WAIT_SECONDS)  # until its end is journalled
        self.installs.packages.close()
        for tool in self.tools.values():
            tool.end_sandbox()
        journal, self._journal = self._journal, None
        close(journal)
        for agent in self.managed_agents.values():
            agent.cleanup()

    # --- saved and shared -----------------------------------------------------------------------------------------------

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write the agent into a folder, which is created: ``agent.toml``, the sources of its tools, and a card.

        A model without a name (``provider/model``) is recorded by its class, and must be given when the agent is loaded. The file of a
        ``RecordingModel`` is copied. Keys, journals and memory are not saved.

        Returns:
            The SHA-256 of all files, for ``trust=``.

        Raises:
            SetupError: a tool has no source that works elsewhere, a text contains a secret, or the folder cannot be written.
        """
        digest: str = _hub().save(self, folder)
        return digest

    @classmethod
    def load(
        cls, folder: str | os.PathLike[str], model: Model | None = None, *, trust: str | None = None, **options: Any
    ) -> Self:
        """Make an agent from a folder that ``save``, or smolagents' ``agent.save``, wrote. Shows the agent first.

        Args:
            folder: the folder.
            model: replaces the model named in the folder.
            trust: the SHA-256 that was shown. With it, the tools run in this process; without it, each runs in its own sandbox.
            options: arguments of the constructor, which override the folder's; ``expected_walls=()`` to run its code even if walls are
                missing.

        Raises:
            SetupError: it is no such folder, it does not match ``trust``, it needs a model, or the policy forbids it.
        """
        agent: Self = _hub().load(cls, folder, model, trust, options)
        return agent

    def push_to_hub(
        self, repo: str, private: bool = True, *, token: str | None = None, endpoint: str | None = None
    ) -> Any:
        """``save`` to a repository of the Hugging Face Hub, which is created. Returns ``repo``, ``revision`` and ``trust``.

        Raises:
            SetupError: the agent cannot be saved, or the Hub refuses it.
        """
        return _hub().push(self, repo, private, token, endpoint)

    @classmethod
    def from_hub(
        cls,
        repo: str,
        model: Model | None = None,
        *,
        revision: str = "",
        trust: str | None = None,
        token: str | None = None,
        endpoint: str | None = None,
        **options: Any,
    ) -> Self:
        """``load`` an agent from the Hugging Face Hub, from exactly one commit.

        Args:
            repo: ``owner/name``, or ``spaces/owner/name`` for a Space, as smolagents pushes agents.
            revision: the commit, 40 hexadecimal digits.
            model, trust, options: as for ``load``.
            token: for a private repository.
            endpoint: the URL of another Hub.

        Raises:
            SetupError: the commit is missing (the message says which is the newest), or what ``load`` raises.
        """
        agent: Self = _hub().fetch(cls, repo, model, revision, trust, token, endpoint, options)
        return agent

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _start(
        self,
        front: FrontEnd,
        task: str = "",
        *given: Any,
        contract: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> Job[RunResult]:
        """Begin a run under a contract. A run that is continued keeps its contract, unless it is given one."""
        held = read_contract(contract) if contract is not None else self._contract if options.get("resume") else None
        if held is not None:
            self._check_contract(held, front, options)
        with apply_contract(held.layer if held is not None else None):  # the driver's task as well
            return self._begin_run(held, front, task, *given, **options)

    def _check_contract(self, contract: Contract, front: FrontEnd, options: Mapping[str, Any]) -> None:
        """Raise ``SetupError`` if this agent may do more than the contract allows. Its sandbox is checked when it is open."""
        if isinstance(self.executor, WorkerExecutor) and self.executor.asked_level == "auto":
            with apply_contract(contract.layer):
                self.executor.hold_to_policy()  # which narrows the level
        permissions = _permissions(self, front, options.get("files", ()), max_steps=options.get("max_steps"))
        if other := contract.excess(permissions):
            raise SetupError(violation_text(contract, other))

    def _begin_run(
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
    ) -> Job[RunResult]:
        variables = dict(additional_args or {})
        stop = self._stop
        with self._lock:
            if self.running or self._working.locked():
                raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt()")
            self._begin_imports(variables)
            settings = self._loop_settings(variables)
            if max_steps is not None:
                most = current().least("limits.max_steps", whole_number("max_steps", max_steps))
                settings = replace(settings, max_steps=int(most))
            earlier = resumable(self.memory.events, self.session) if resume else None
            task = earlier.task if earlier else task
            check_task(task, settings.prompt.budget)
            sent, waiting = self._take_files(files, read_only)
            self._copied_files.update(file.name for file in sent)
            asked = self._make_asked(
                task,
                variables,
                run=run or secrets.token_hex(6),
                images=tuple(data_url(image) for image in images or ()),
                approve=front.approve,
                resumes=earlier.run if earlier else "",
                lost=() if reset and earlier is None else tuple(n for n in self.memory.gone if n not in variables),
                files=sent,
                instead=instead,
                comment=comment,
            )
            parts = self._parts(front, settings, variables, tell)
            parts = replace(parts, context=context, contract=contract, branch=branch, branch_models=branch_models)
            parts = replace(parts, links={**waiting, **(links or {})})
            if waiting:
                parts = replace(parts, hand_in=partial(self._hand_in, files, read_only, tuple(waiting.values())))
            if turns is not None:
                parts = replace(parts, turns=turns)
            self._contract = contract
            if reset and earlier is None:
                self.memory.reset()
                self._delete_variables(variables)
            drive = Drive(asked, self.memory.events, parts)
            self.run_id = asked.run
            self._job = Job(drive.run())
            if self._stop is not stop:
                self._job.cancel()
            return self._job

    def _take_files(
        self, paths: Sequence[str | os.PathLike[str]], read_only: bool
    ) -> tuple[tuple[File, ...], dict[str, Path]]:
        """Hand files in, unless there are links among them that a person must allow first. Returns the files and these links."""
        executor = self.executor
        links = find_links(paths) if isinstance(executor, FileTransfer) else {}
        allowed = {(str(path), real) for given, _, reals in self._sent for path in given for real in reals}
        if isinstance(executor, FileTransfer) and not links.items() <= allowed:
            return executor.examine(paths, links.values(), read_only=read_only), links
        return self._hand_in(paths, read_only, tuple(links.values())), {}

    def _hand_in(
        self, paths: Sequence[str | os.PathLike[str]], read_only: bool, links: tuple[Path, ...] = ()
    ) -> tuple[File, ...]:
        """Copy files into the sandbox, or mount them read-only. ``links``: where links may lead, as a person allowed."""
        executor = completed(self.executor)
        if read_only and not paths:
            raise SetupError("read_only is about files: name the folder, for example files=['data'], read_only=True")
        if not paths:
            return ()
        allowed: dict[str, Any] = {"links": links} if links else {}
        sent = executor.mount(paths, **allowed) if read_only else executor.send_files(paths, **allowed)
        if (tuple(paths), read_only, links) not in self._sent:
            self._sent.append((tuple(paths), read_only, links))
        return sent

    async def work(self, manager: Manager, task: str, additional_args: Mapping[str, Any]) -> RunResult:
        """Do a task within a manager's run, with the gate, budget, view and journal of that run."""
        if self.running:
            raise AgentError(f"{self.name!r} is working on its own task: wait for it, or stop it with interrupt()")
        async with self._working:
            variables = dict(additional_args)
            self._begin_imports(variables)
            settings = self._loop_settings(variables, NOTE)
            self._runs += 1
            asked = self._make_asked(
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
            self._delete_variables(variables)
            self.run_id = asked.run
            if manager.parts.installs is not None:
                self.installs.mode = manager.parts.installs.mode
            parts = self._own_parts(settings, variables)
            parts["output_checks"] = self.output_checks | manager.parts.output_checks
            if self.budget is not None:
                within, name = manager.parts.budget, self.name or ""
                parts["budget"] = BudgetTracker(self.budget, time.monotonic(), within=within, name=name)
            self._work = asyncio.current_task()
            try:
                return await Drive(asked, (), replace(manager.parts, **parts)).run()
            finally:
                self._work = None

    def _delete_variables(self, kept: Iterable[str]) -> None:
        """Delete the variables of earlier runs from the sandbox, if it can."""
        stale, self._copied_variables = self._copied_variables - set(kept), set(kept)
        self._values = {name: value for name, value in self._values.items() if name not in stale}
        try:
            if self._executor is not None and stale:
                completed(self._executor).forget(stale)
        except SandboxError:
            pass  # it has ended, and so have its variables

    def _make_asked(self, task: str, variables: Mapping[str, Any], **more: Any) -> Asked:
        check_variables(variables)
        policy, model = current(), traits(self.model)
        if model.sends:
            policy.check("models", model.name.split(","), "The model {} is not allowed")
        if not isinstance(self.executor, HostExecutor | WorkerExecutor):  # these check the policy when they are opened
            policy.check("sandboxes", [self.executor.name], "The sandbox {} is not allowed")
        self.executor.send_variables(variables)
        self._copied_variables.update(variables)
        self._values.update(variables)
        return Asked(
            task=task,
            variables=tuple(describe.variable(name, value) for name, value in variables.items()),
            model=model.name,
            locks=tuple(policy.locks()),
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
    ) -> RunContext:
        def show(event: Event | Delta) -> None:
            try:
                front.view.show(event)
            finally:
                if tell is not None:
                    tell(event)

        began, most = time.monotonic(), Budget(**current().budget())  # type: ignore[arg-type]
        cap = BudgetTracker(most, began) if most != Budget() else None
        return RunContext(
            gate=self._gate(front),
            cap=cap,
            ask=front.view.ask,
            waiter=front.waiter,
            journal=self.journal.append,
            proof=self.journal.proof,
            show=show,
            observe=telemetry.observer(*self.telemetry),
            budget=BudgetTracker(self.budget or Budget(), began, within=cap) if self.budget or cap else None,
            **self._own_parts(settings, variables),
        )

    def _gate(self, front: FrontEnd) -> Gate:
        """Return the front end's gate, restricted by grants and policy."""
        if self._person is None or self._person[0] is not front.view:
            self._person = front.view, fail_closed(remembered(ask(front.view)))
        inner = front.gate if front.approve == "deny" else granted(front.gate, self._covers)
        return fail_closed(within_policy(behind_walls(self.expected_walls, inner), self._person[1]))

    def _own_parts(self, settings: LoopSettings, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parts that are this agent's own even if it works for a manager."""
        return {
            "model": self.model,
            "executor": self.executor,
            "settings": settings,
            "memory": self.memory,
            "tools": self.callables,
            "checks": self.final_answer_checks,
            "output_checks": self.output_checks,
            "callbacks": self.step_callbacks,
            "owner": self,
            "reader": settings.read_call,
            "offers": self._offers,
            "find_in_call": lambda text: findings(text, self._authorized, self.callables, self._copied_files),
            "installs": self.installs,
            "grants": self.grants,
            "denied_hosts": self._denied_hosts,
            "news": self._new_events,
            "open_first": self._is_full,
            "rollback": self.rollback == "on-error",
        }

    def _new_events(self, run: str, step: int) -> list[Event]:
        """Return the installs and grants since the last call, as events of this step."""
        return [*self.grants.news(run, step), *self.installs.news(run, step)]

    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        """Return the limits and the prompt of a run; ``note`` stands before the user's own instructions."""
        callables = self.callables
        return LoopSettings(
            max_steps=int(current().least("limits.max_steps", self.max_steps)),
            stop_after=self.stop_after,
            find=lambda text: self._findings(text, callables),
            describe=describe.answer,
            planning_interval=self.planning_interval or 0,
            prompt=PromptSettings(
                imports=(*DEFAULT_IMPORTS, *self.imports),
                tools=tuple(str(tool) for tool in callables.values()),
                instructions="\n".join(
                    filter(None, (note, self.output_checks.words, self._describe_hosts, self.instructions))
                ),
                templates=self.prompt_templates.replaced(),
                structured=self.structured,
                shows_images=traits(self.model).takes_images,
                window=Windows(self.model),
            ),
        )

    def _findings(self, text: str, tools: Iterable[str]) -> tuple[Finding, ...]:
        listed = findings(text, self._authorized, tools, self._copied_files)
        executor = self.executor
        return with_options(listed) if isinstance(executor, WorkerExecutor) and executor.is_without_hosts else listed

    @property
    def _describe_hosts(self) -> str:
        """Return the part of the prompt about hosts and credentials."""
        executor = self.executor
        if not isinstance(executor, WorkerExecutor) or not executor.hosts:
            return ""
        keys = ", ".join(executor.credential_names)
        text = (
            f"The code can connect by HTTP and HTTPS, and in no other way, to: {executor.hosts}. The usual libraries do so as they are. "
            "If it connects to another host, the user is asked."
        )
        if not keys:
            return text
        return f"{text} Variables of its environment that hold placeholders, which requests to their hosts replace on the way: {keys}."

    @property
    def _is_full(self) -> bool:
        """Return whether the sandbox's Python level is full."""
        return completed(self.executor).python == "full"

    @property
    def _authorized(self) -> tuple[str, ...]:
        """Return the authorised imports; in level full, all."""
        return ("*",) if self._is_full else self.imports

    def _lend_sandbox(self, agent: Any) -> None:
        """Give a managed agent without a sandbox one of the same kind as its manager's."""
        kind = self._sandbox if isinstance(self._sandbox, str) else self._sandbox.name
        if agent._sandbox is self._sandbox and not isinstance(self._sandbox, str):
            raise SetupError(f"{agent.name!r} and its manager share a sandbox: leave out sandbox= of one of them")
        if agent._own_sandbox or agent._executor is not None or not kind:
            return
        if not isinstance(self._sandbox, str) and kind not in EXECUTORS:
            return  # the caller made this executor: a second one cannot be made by name
        level = {"python": self._sandbox.asked_level} if isinstance(self._sandbox, WorkerExecutor) else {}
        agent._sandbox = kind
        agent._executor_kwargs = {**level, **self._executor_kwargs, **agent._executor_kwargs}


def _hub() -> ModuleType:
    return import_module("smolcell.hub")  # imported late: it makes agents


class CodeAgent(MultiStepAgent):
    """An agent whose actions are Python programs. A program runs only after the gate allowed exactly that text.

    Args:
        tools: functions or ``Tool`` objects of the host that the code may call.
        model: the model that writes the programs.
        executor_type: the sandbox: ``"local"``, ``"docker"``, …; the same as ``sandbox``.
        executor_kwargs: passed to the sandbox, for example ``{"timeout": 30.0, "memory": 1024}`` (seconds, MB).
        additional_authorized_imports: modules the code may import besides the standard list; ``"pkg.*"`` for a whole package.
        max_steps: replies that may propose an action. Afterwards the model is asked once for its best answer.
        max_print_outputs_length: characters of output kept per step.
        instructions: appended to the system prompt.
        prompt_templates: replace texts of the prompt, ``{"system_prompt": …}``; ``agent.prompt_templates`` holds all texts.
        final_answer_checks: each is called as ``check(answer, memory, agent=agent)``, or with as many of these as it accepts. If it
            returns something false or raises, the answer goes back to the model.
        step_callbacks: called with each finished step, as ``callback(step, agent=agent)``; or functions by the class of the steps that
            they are called with, ``{PlanningStep: my_function}``. They cannot change the run, only stop it with ``agent.interrupt()``.
        name, description: name the agent and describe it.
        verbose: show the run on the terminal even if ``gate`` is given and no front end is registered.
        sandbox: a name, or an ``Executor``, which then belongs to this agent.
        gate: decides about proposals. Default: the registered front end's gate, else a person at the terminal, else everything is refused.
        view: shows events. Default: the registered front end's, else the terminal's.
        session: names the journal.
        use_structured_outputs_internally: require each reply to be a JSON object with a thought and a program, if the model supports a
            schema; else the model is asked for text, and the card says so.
        add_base_tools: add ``web_search`` and ``visit_webpage``, unless ``tools`` has a tool of that name.
        budget: what a run may use before a person is asked whether it continues. A managed agent's budget applies to each of its runs,
            within its manager's.
        planning_interval: after so many programs the model is asked for a plan, which the gate may edit; the first plan comes at the start.
        managed_agents: agents with a name and a description, which the code calls as ``name(task, additional_args=None)``. They use this
            agent's gate and budget, each in a sandbox of its own, by default of the same kind as this agent's.

        verbosity_level: 1 and more are like ``verbose``; 0 shows only questions on a terminal.
        stream_outputs: accepted and ignored: a model's text is always shown as it comes.
        return_full_result: the default of ``run``'s argument.
        provide_run_summary: give a manager a summary of the run together with the answer.
        python: the sandbox's level: "full" for ordinary Python behind tested walls, "guarded" for checked imports. By default full if
            the walls stand and no imports are listed, else guarded.
        output_checks: search texts for the model, the answer, saved files and arguments of tools; see ``smolcell.output_checks``.
            ``secrets()`` is always one of them.
        rollback: "on-error" undoes a step that raised, so that the next one begins with the state from before it, and the model is told.
            Calls of tools are not undone.
        stop_after: end a run after the same error has occurred so many times; 0: never.
        allow_hosts: hosts that the code may connect to, as ``["api.worldbank.org", "*.data.gov"]``. The user is asked about others. The
            code can send data to an allowed host.
        credentials: ``smolcell.network.Credential`` objects, by the names of the variables from which the code reads their placeholders.
        output_type: the type of the answer: a pydantic model, a dataclass, a ``TypedDict``, ``pd.DataFrame``, or the columns of a frame
            with their dtypes, ``{"month": "datetime64[ns]"}``. A mismatch is an error that the model reads.

    Raises:
        SetupError: an argument is unknown or contradicts another.
    """


class ToolCallingAgent(MultiStepAgent):
    """An agent whose actions are tool calls: by the model's own protocol if it has one, else as JSON in its text.

    Each call is proposed separately, as Python that a person can read and edit; calls of one reply run concurrently. With the tool
    ``PythonInterpreterTool`` the model may run programs, too, which are reviewed like a ``CodeAgent``'s; without it there is no sandbox,
    since no code runs. An argument that is the name of one of ``additional_args`` stands for its value.

    Args: as for ``CodeAgent``; those about code and sandboxes apply to that tool.
    """

    calling = True

    @property
    def executor(self) -> Executor:
        """The sandbox of the Python interpreter tool, if there is that tool; made on first use."""
        interpreter = next((tool for tool in self.tools.values() if isinstance(tool, PythonInterpreterTool)), None)
        if isinstance(self._executor, HostExecutor) and interpreter is not None:
            self._executor = None
        if self._executor is None and interpreter is not None:
            self.imports = tuple(dict.fromkeys([*self.imports, *interpreter.authorized_imports]))
            self._executor_kwargs.setdefault("timeout", interpreter.timeout_seconds)
            self._sandbox = self._sandbox if self._own_sandbox else interpreter.sandbox
        elif self._executor is None and isinstance(self._sandbox, str):
            self._executor = HostExecutor()
        return super().executor

    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        settings = super()._loop_settings(variables, note)
        callables = self.callables
        final = {} if FINAL in callables else {FINAL: (FINAL_SCHEMA, FINAL_WORDS)}
        schemas = [tool.json_schema for tool in callables.values()] + [schema for schema, _ in final.values()]
        words = [tool.to_tool_calling_prompt() for tool in callables.values()] + [line for _, line in final.values()]
        prompt = replace(settings.prompt, calling=True, native=traits(self.model).takes_tools, tools=tuple(words))
        return replace(settings, prompt=prompt, tools=tuple(schemas), read_call=ToolCallResolver(callables, variables))


# --- The permissions of an agent, for its contract.


_GATES: Mapping[Any, str] = {allow_all: "auto", deny_all: "deny"}


def _permissions(
    agent: MultiStepAgent,
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
    files_handed_in = agent.handed_in  # first: making a sandbox resets it
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
    held = [*files_handed_in, *agent.grants.names("path"), *map(str, files)]
    layer = Layer("contract", FILE, values)
    return Contract(layer=layer, files=tuple(dict.fromkeys(held)), stop_after=agent.stop_after)


def _tools(agent: MultiStepAgent) -> Mapping[str, Tool]:
    """Return the tools of an agent and of its managed agents, by name."""
    tools = {name: one for name, one in agent.callables.items() if name != "final_answer"}
    for managed in agent.managed_agents.values():
        tools = {**_tools(managed), **tools}
    return tools
