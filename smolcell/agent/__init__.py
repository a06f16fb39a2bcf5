"""``CodeAgent``, whose model writes Python, and ``ToolCallingAgent``, whose model calls tools. A gate decides about each action."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import wait as wait_for
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

from smolcell import journal as runs
from smolcell import telemetry
from smolcell.agent import permissions, rewind, sharing, showing
from smolcell.agent.budget import Budget
from smolcell.agent.callbacks import hooks, read_callbacks
from smolcell.agent.driver import Drive
from smolcell.agent.driver import ParentRun as Manager  # the name in the public signature of ``work``
from smolcell.agent.installs import Installs
from smolcell.agent.making import described, from_spec, names_of_tools
from smolcell.agent.managed import managed_tools
from smolcell.agent.memory import AgentMemory
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.agent.preparing import Preparation
from smolcell.agent.result import RunResult
from smolcell.agent.running import CurrentRun, FrontEndResolver, close, on_driver, whole_number
from smolcell.agent.sandbox import AgentSandbox
from smolcell.agent.task_runner import TaskRunner
from smolcell.agent.templates import Templates
from smolcell.approval.contract import Contract
from smolcell.approval.grants import Grants
from smolcell.core.loop import LoopSettings, Turns
from smolcell.core.prompt import PromptSettings
from smolcell.core.spec import CHECKS, ROLLBACKS, SETTINGS, AgentSpec, rows
from smolcell.errors import SetupError
from smolcell.events import Asked, History, Observed
from smolcell.executors import completed
from smolcell.executors.base import authorized
from smolcell.executors.registry import open_sandboxes
from smolcell.journal import Journal
from smolcell.machine.environment import startup_value
from smolcell.models.capabilities import traits
from smolcell.models.generate import as_model
from smolcell.network import Credential
from smolcell.output_checks import Checks, by_names, schema
from smolcell.protocols import Executor, FrontEnd, Gate, Message, Model, View
from smolcell.tools.builtin import PythonInterpreterTool, as_tools, with_base_tools
from smolcell.tools.tool import Tool

telemetry.watch(lambda: len(open_sandboxes()))

_CLOSE_WAIT_SECONDS = 1.0  # seconds that a run gets to record its end when the agent is closed


class _OfSpec:
    """An attribute that is kept in the agent's spec: it is read from there, and replaced there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, agent: Any, _: Any = None) -> Any:
        return self if agent is None else getattr(agent.spec, self._name)

    def __set__(self, agent: Any, value: Any) -> None:
        agent.spec = replace(agent.spec, **{self._name: value})


class _Of:
    """An attribute of one of the agent's parts, under the agent's own name for it."""

    def __init__(self, part: str, name: str) -> None:
        self._part, self._name = part, name

    def __get__(self, agent: Any, _: Any = None) -> Any:
        return self if agent is None else getattr(getattr(agent, self._part), self._name)

    def __set__(self, agent: Any, value: Any) -> None:
        setattr(getattr(agent, self._part), self._name, value)


class MultiStepAgent(TaskRunner):
    """The base class of ``CodeAgent`` and ``ToolCallingAgent``, which document the arguments.

    Works on one task at a time. What it is, is in ``spec``; what stands in the class as a name of another module uses only the agent's
    public names.

    Attributes:
        spec: what it is, as plain data; parts without a name (a model, a function of the notebook) are there by what they are called.
        memory: the agent's memory.
        grants: the permissions that the person gave, and how long each is valid.
        session: names its journal.
        place: the notebook it works in, by which its journal is found after a restart; "" if its journal need not be found.
        installs: packages for its sandbox; ``installs.mode`` says whether they are installed: "ask", "auto" or "never".
        return_full_result: the default of ``run``'s argument.
        run_id: of the newest run.
        expected_walls: names of walls without which no code runs; set when the agent was loaded from a folder.
        recording: path of the recording that it was loaded with; "" for none.
        telemetry: the settings ``otel`` and ``log``; "" means: as the environment says.
    """

    calling = False
    """Whether the agent only calls tools, and writes no programs."""
    telemetry = ("", "")
    recording = ""
    turns: Callable[[Asked, History, LoopSettings], Turns] | None = None
    """Makes the loop of a run, if it is not the usual one."""
    seen: Callable[[Observed], object] | None = None
    """Called with each observation, with its live value."""
    tools: dict[str, Tool]

    name, description = _OfSpec("name"), _OfSpec("description")
    imports = _OfSpec("imports")
    max_steps, stop_after = _OfSpec("max_steps"), _OfSpec("stop_after")
    instructions, structured = _OfSpec("instructions"), _OfSpec("structured")
    planning_interval, provide_run_summary = _OfSpec("planning_interval"), _OfSpec("provide_run_summary")
    rollback, expected_walls = _OfSpec("rollback"), _OfSpec("walls")
    session, place, journal = _Of("memory", "session"), _Of("memory", "place"), _Of("memory", "journal")
    handed_in, given_files = _Of("sandbox", "handed_in"), _Of("sandbox", "files")
    run_id, python_executor = _Of("active", "run_id"), _Of("sandbox", "executor")
    system_prompt, granted = _Of("preparation", "system_prompt"), _Of("grants", "modules")

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
        self._check(executor_type, sandbox, rollback, use_structured_outputs_internally)
        tools, managed_agents, level = tools or (), managed_agents or (), verbosity_level
        loud = verbose or bool(level and level > 0)
        self.fronts = FrontEndResolver(gate, view, verbose=loud, quiet=level is not None and level < 1)
        self.return_full_result, self.stream_outputs = return_full_result, stream_outputs
        self.model = as_model(model)
        self.tools = with_base_tools(as_tools(tools)) if add_base_tools else as_tools(tools)
        self._managed = managed_tools(managed_agents, self.tools)
        self.managed_agents = {agent.name: agent for agent in managed_agents}
        imports = additional_authorized_imports or ()
        imports = authorized((imports,) if isinstance(imports, str) else tuple(imports))
        form = PromptSettings(
            calling=self.calling,
            native=traits(self.model).takes_tools,
            structured=use_structured_outputs_internally,
        )
        self.prompt_templates = Templates(prompt_templates, form)
        self.final_answer_checks = hooks(final_answer_checks or (), "final_answer_checks")
        self.step_callbacks = read_callbacks(step_callbacks or ())
        typed = [] if output_type is None else [schema(output_type)]
        self.output_checks = Checks([*output_checks, *typed])
        self.budget = budget
        self.sandbox = AgentSandbox(
            self,
            sandbox or executor_type,
            executor_kwargs or {},
            default=startup_value("SMOLCELL_SANDBOX") or "local",
            max_output=max_print_outputs_length,
            python=python,
            allow_hosts=allow_hosts,
            credentials=credentials,
        )
        self.spec = described(
            self,
            imports=imports,
            max_steps=whole_number("max_steps", max_steps),
            stop_after=whole_number("stop_after", stop_after) if stop_after else 0,
            instructions=instructions or "",
            structured=bool(use_structured_outputs_internally),
            planning_interval=None
            if planning_interval is None
            else whole_number("planning_interval", planning_interval),
            name=name,
            description=description,
            provide_run_summary=bool(provide_run_summary),
            rollback=rollback,
        )
        self._begin(session)
        for agent in self.managed_agents.values():
            self.sandbox.lend_to(agent.sandbox, agent.name)

    def _check(self, executor_type: str | None, sandbox: Any, rollback: str, structured: bool) -> None:
        """Raise ``SetupError`` if arguments contradict each other."""
        if executor_type is not None and sandbox is not None:
            raise SetupError("executor_type and sandbox name the same thing: give one of them")
        if structured and self.calling:
            raise SetupError(
                "the calls of a ToolCallingAgent have a form already: leave out use_structured_outputs_internally"
            )
        if rollback not in ROLLBACKS:
            raise SetupError(f"rollback must be one of {', '.join(ROLLBACKS)}, not {rollback!r}")

    def _begin(self, session: str, place: str = "") -> None:
        """Begin a conversation. The sandbox and the journal are made on first use."""
        self.active = CurrentRun()
        self.preparation = Preparation(self)
        self.memory = AgentMemory(self.preparation.messages, session, place)
        self.use_grants(Grants())
        self.installs = Installs(self)

    @classmethod
    def from_spec(cls, spec: AgentSpec, model: Model | None = None, **parts: Any) -> Self:
        """Make the agent that a spec describes, as far as the policy allows it.

        Args:
            spec: what it is.
            model: the model; by default the one that the spec names.
            parts: further arguments of the class, which a spec cannot have: ``gate``, ``view``, ``managed_agents``, …

        Raises:
            SetupError: a part cannot be made from its name, or the policy does not allow it.
        """
        return from_spec(cls, spec, model, parts)

    def configure(self, spec: AgentSpec) -> None:
        """Take the settings of a spec from the next run on. What is no setting of a cell stays, and so do model, tools and sandbox."""
        stays = {name: getattr(self.spec, name) for name, _ in rows(AgentSpec) if name not in SETTINGS}
        self.spec = replace(spec, **stays, imports=self.spec.imports)
        self.installs.mode = spec.installs
        self.telemetry = spec.otel, spec.log
        self.budget = Budget.of(spec.budget)
        own = [check for check in self.output_checks.all if check.name not in CHECKS]
        self.output_checks = Checks([*by_names(spec.output_checks), *own])

    async def work(self, manager: Manager, task: str, additional_args: Mapping[str, Any]) -> RunResult:
        """Do a task within a manager's run, with the gate, budget, view and journal of that run."""
        prepare = partial(self.preparation.managed_run, manager, task, dict(additional_args))
        return await self.active.work(self.name or "", lambda: prepare().run())

    # --- beside the agent ---------------------------------------------------------------------------------------------

    checkpoints = property(rewind.checkpoints)
    undo, goto, retry, before_retry = rewind.undo, rewind.goto, rewind.retry, rewind.before_retry
    branch, rebuild = rewind.branch, rewind.rebuild
    contract = permissions.contract
    save, push_to_hub, map = sharing.save, sharing.push_to_hub, sharing.map_tasks
    export = sharing.export
    load: ClassVar[Any] = classmethod(sharing.load)
    from_hub: ClassVar[Any] = classmethod(sharing.from_hub)
    replay, visualize = showing.replay, showing.visualize

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
        self.active.check_idle("fork")
        kind = sandbox or self.sandbox.kind
        if not isinstance(kind, str) and kind is self.sandbox.kind:
            raise SetupError("a sandbox belongs to one agent: give the fork its own, fork(step, sandbox=…)")
        session = session or f"{self.session}-fork"
        before = runs.fork(runs.Run(self.memory.events, self.memory.times), step, session, self.place)
        twin = copy.copy(self)
        twin.sandbox = self.sandbox.another(twin, kind)
        twin._begin(session, self.place)
        twin.installs.mode, twin.active.contract, twin.tools = (
            self.installs.mode,
            self.active.contract,
            dict(self.tools),
        )
        twin.memory.take_over(*before)
        return twin

    # --- the parts ----------------------------------------------------------------------------------------------------

    def prepare(self, contract: Contract | None, front: FrontEnd, *given: Any, **options: Any) -> Drive:
        """See ``TaskRunner``."""
        return self.preparation.run(contract, front, *given, **options)

    def check_contract(self, contract: Contract, front: FrontEnd, options: Mapping[str, Any]) -> None:
        """See ``TaskRunner``."""
        permissions.check_contract(self, contract, front, options)

    def write_memory_to_messages(self) -> list[Message]:
        """Return the conversation that the model would get now."""
        return self.preparation.messages(self.memory.events)

    def take_over(self, run: runs.Run, journal: Journal | None = None) -> None:
        """Replace the memory with these events, whose sandbox has ended, and append to their journal."""
        self.memory.take_over(run, journal)

    def hand_over(self) -> tuple[runs.Run, Journal | None]:
        """Give up the journal. Returns the events and the journal."""
        return self.memory.hand_over()

    async def pull(self, names: Iterable[str]) -> dict[str, Any]:
        """Return copies of the sandbox's variables of these names.

        Raises:
            SandboxError: there is no such variable.
            CapabilityError: this sandbox cannot return variables.
        """
        return await completed(self.executor).pull(list(names))

    def set_timeout(self, seconds: float) -> None:
        """Set the time limit of a step from the next one on, as far as the policy allows it."""
        self.sandbox.set_timeout(seconds)

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise these modules, too, from the next step on, also in a running sandbox; ``pkg.*`` for a whole package.

        Raises:
            CapabilityError: this sandbox cannot change its imports.
        """
        self.sandbox.authorize_imports(names)

    def forbid_imports(self, names: Iterable[str]) -> None:
        """Withdraw authorised modules, from the next step on, also in a running sandbox."""
        self.sandbox.forbid_imports(names)

    @property
    def executor(self) -> Executor:
        """The agent's sandbox, made on first use."""
        return self.sandbox.make()

    @property
    def callables(self) -> dict[str, Tool]:
        """The tools and the managed agents, by their names."""
        return {**self.sandbox.functions, **self.tools, **self._managed}

    def use_grants(self, grants: Grants) -> None:
        """Use the grants of the agent's session."""
        self.grants = grants
        grants.undo["module"] = lambda name: self.forbid_imports([name])
        grants.undo["host"] = self.sandbox.close_host

    def set_model(self, model: Model) -> None:
        """Use another model from the next run on."""
        self.model = as_model(model)
        self.spec = replace(self.spec, model=traits(self.model).name, api_base=traits(self.model).server)

    def set_tools(self, tools: Iterable[Tool | Callable[..., Any]]) -> None:
        """Replace the tools from the next run on. The sandbox, its variables and the managed agents stay."""
        given = as_tools(tools)
        self._managed = managed_tools(self.managed_agents.values(), given)
        self.tools = given
        self.spec = replace(self.spec, tools=names_of_tools(given.values()))
        if self.sandbox.opened is not None:
            completed(self.sandbox.opened).set_tools(self.callables)

    def cleanup(self) -> None:
        """Stop the active run, and end the sandboxes of this agent and its managed agents. Idempotent. The next run starts new ones."""
        self.interrupt()
        if self.sandbox.close():
            self.memory.sandbox_lost()
        if self.active.job is not None and not on_driver():
            wait_for([self.active.job.done], _CLOSE_WAIT_SECONDS)  # until its end is journalled
        self.installs.packages.close()
        for tool in self.tools.values():
            tool.end_sandbox()
        close(self.memory.hand_over()[1])
        for agent in self.managed_agents.values():
            agent.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


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
        sandbox = self.sandbox
        if isinstance(sandbox.opened, HostExecutor) and interpreter is not None:
            sandbox.opened = None
        if sandbox.opened is None and interpreter is not None:
            self.imports = (*self.imports, *interpreter.authorized_imports)
            sandbox.options.setdefault("timeout", interpreter.timeout_seconds)
            sandbox.kind = sandbox.kind if sandbox.is_chosen else interpreter.sandbox
        elif sandbox.opened is None and isinstance(sandbox.kind, str):
            sandbox.opened = HostExecutor()
        return super().executor
