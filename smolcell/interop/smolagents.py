"""An executor for smolagents' own ``CodeAgent``: each of its programs is reviewed, recorded, and run in a smolcell sandbox.

smolagents is not imported: its agent needs an object with ``__call__``, ``send_tools``, ``send_variables`` and ``cleanup``.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import Any, Self
from weakref import WeakSet

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.agent.running import FrontEndResolver, Job, drain
from smolcell.approval.gates import create_gate
from smolcell.core.loop import Ending
from smolcell.errors import InterpreterError
from smolcell.events import Observed, Refused
from smolcell.executors.direct import raise_fault
from smolcell.interop.programs import Outcome, Programs, settle
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Executor, FrontEnd
from smolcell.tools.tool import Tool, as_tool, named_function

TASK = "Programs of a smolagents agent"
MAX_STEPS = 10_000  # of one run; smolagents has its own limit
_END_SECONDS = 5.0  # seconds for a run to record its end


class RunEnded(BaseException):
    """A person stopped the run, or no one could approve it.

    smolagents passes every ``Exception`` of a program to its model and goes on; this one ends ``agent.run``.
    """


def executor(sandbox: str | Executor = "local", approve: str = "ask", **options: Any) -> ReviewingExecutor:
    """Return an executor for smolagents' ``CodeAgent(executor=…)``. Sandbox, approval, policy, journal and receipt are smolcell's.

    Args:
        sandbox: its name, or a smolcell executor.
        approve: "ask" for a person, on the card or the terminal; "risky", "auto", "deny".
        options: further arguments of ``smolcell.CodeAgent``, such as ``additional_authorized_imports``, ``executor_kwargs``,
            ``python``, ``output_checks``, ``gate``, ``view`` or ``session``.

    Raises:
        SetupError: there is no such sandbox, mode or option.
    """
    return ReviewingExecutor(sandbox, approve, **options)


class ReviewingExecutor:
    """See ``executor``. One run of smolagents' agent is one run in the journal.

    Attributes:
        agent: the ``smolcell.CodeAgent`` that reviews and runs the programs, with ``journal``, ``memory`` and ``export``.
        result: result of the newest run that ended; None before.
    """

    def __init__(self, sandbox: str | Executor, approve: str, **options: Any) -> None:
        gate, view = options.pop("gate", None), options.pop("view", None)
        create_gate(approve, view)  # raises for an unknown mode
        self._approve = "" if gate is not None else approve
        self._fronts = FrontEndResolver(gate, view, verbose=False, quiet=approve == "auto")
        options.setdefault("session", "smolagents")
        options.setdefault("max_steps", MAX_STEPS)
        self.agent = CodeAgent(model=ScriptedModel(name="smolagents"), sandbox=sandbox, **options)
        self.agent.seen = lambda observed: settle(self._outcome, observed)
        self.agent.executor  # noqa: B018 - made now, so that a sandbox that cannot be made is an error here
        self.result: RunResult | None = None
        self._variables: dict[str, Any] = {}
        self._programs = Programs()
        self._job: Job[RunResult] | None = None
        self._outcome: Future[Outcome] = Future()  # of the newest program
        self._front: FrontEnd | None = None  # of the active run, whose tools and questions come to its waiter
        self._followed: WeakSet[Any] = WeakSet()
        self._logs = ""
        self._around: BaseException | None = None  # the exception being handled when the run began, such as by a retry

    @property
    def state(self) -> Mapping[str, str]:
        """The output of the newest program, which smolagents reads here after an error."""
        return {"_print_outputs": self._logs}

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox. smolagents calls this when a run begins."""
        self._finish()
        self._variables.update(variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these tools callable from the code; calls run in this process. Managed agents are called like functions."""
        self._finish()
        self.agent.set_tools(_as_named_tool(name, tool) for name, tool in tools.items() if not _is_plain_answer(tool))

    def __call__(self, code_action: str) -> Observed:
        """Review and run a program; returns ``.output``, ``.logs``, ``.is_final_answer``.

        Raises:
            InterpreterError: the code failed, or a person refused it, with their comment.
            RunEnded: the run was stopped, or no one could approve.
        """
        if self._job is None or self._front is None or self._job.over:
            self._around = sys.exc_info()[1]
            self._front = self._fronts.resolve(mode=self._approve)
            self._programs = Programs(answering=True)
            self._job = self.agent.start(
                TASK, front=self._front, additional_args=self._variables, turns=self._programs.turns
            )
            self._follow(_calling_agent(self))
        job, front, self._logs = self._job, self._front, ""
        self._outcome = self._programs.put(code_action, job)
        try:
            outcome = front.waiter.wait(self._outcome)
            if isinstance(outcome, Refused) and outcome.then != "continue":
                outcome = self.agent.stay(job, front.waiter)
            elif isinstance(outcome, Observed) and outcome.answered:
                self._end(self.agent.stay(job, front.waiter))
        except BaseException:
            self._finish(stop=True)
            raise
        return self._deliver(outcome)

    def _follow(self, agent: Any) -> None:
        """Detect the end of smolagents' runs from its steps: it calls no method of an executor then."""
        register = getattr(getattr(agent, "step_callbacks", None), "register", None)
        if register is None or agent in self._followed:
            return
        self._followed.add(agent)
        steps = sys.modules["smolagents.memory"]

        def failed(_step: Any) -> None:
            if sys.exc_info()[1] is not self._around:  # a new exception: the step's error ends the run
                self._finish()

        register(steps.FinalAnswerStep, lambda _step: self._finish())
        register(steps.ActionStep, failed)

    def _deliver(self, outcome: Outcome) -> Observed:
        if isinstance(outcome, RunResult):
            self._end(outcome)
            raise RunEnded(str(outcome.error or outcome.state)) from outcome.error
        if isinstance(outcome, Refused):
            raise InterpreterError(_refusal(outcome), exception_type="Refused")
        clean = self.agent.output_checks.sent
        self._logs = clean(outcome.stdout)
        return raise_fault(replace(outcome, stdout=self._logs))

    def _end(self, result: RunResult) -> None:
        self.result, self._job, self._around = result, None, None

    def _finish(self, *, stop: bool = False) -> None:
        """End the active run: smolagents ended its own without a final answer."""
        job, self._job, self._around = self._job, None, None
        if job is None or self._front is None:
            return
        if stop:
            job.cancel()
        else:
            self._programs.end(Ending("stopped", None, "smolagents ended its run without a final answer"))
        drain(self._front.waiter, job.done, _END_SECONDS)
        if job.done.done():
            self.result = job.done.result()

    def cleanup(self) -> None:
        """End the run and the sandbox. Idempotent. smolagents calls it at the end of ``with CodeAgent(…)``."""
        self._finish()
        self.agent.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def _calling_agent(executor: ReviewingExecutor) -> Any:
    """Return the smolagents agent that is running a program; None if it was called in another way."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        caller = frame.f_locals.get("self")
        with suppress(Exception):  # attribute access on foreign objects may raise anything
            if getattr(caller, "python_executor", None) is executor:
                return caller
        frame = frame.f_back
    return None


def _refusal(refused: Refused) -> str:
    who = "The policy" if refused.by == "policy" else "The person"
    return f"{who} refused this program and it did not run: {refused.reason or 'no reason was given'}. Propose another."


def _is_plain_answer(tool: Any) -> bool:
    """Return whether this is smolagents' own ``final_answer``, which every sandbox has."""
    return type(tool).__name__ == "FinalAnswerTool" and type(tool).__module__ == "smolagents.default_tools"


def _as_named_tool(name: str, given: Any) -> Tool:
    """Return a tool, a function, or a managed agent of smolagents as a tool of this name."""
    if hasattr(given, "python_executor") or hasattr(given, "managed_agents"):
        return Tool(_managed(given), name=name, description=str(given.description))
    if not hasattr(given, "inputs") and callable(given):
        return named_function(name, given)
    tool = copy.copy(as_tool(given))
    tool.name = name
    return tool


def _managed(agent: Callable[..., Any]) -> Callable[..., Any]:
    def call(task: str, additional_args: dict[str, Any] | None = None) -> Any:
        return agent(task, **({"additional_args": additional_args} if additional_args else {}))

    return call
