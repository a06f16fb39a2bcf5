"""An executor for smolagents' own ``CodeAgent``: each program that it writes is reviewed, recorded, and run in a sandbox of smolcell.

smolagents is not imported: its agent needs an object with ``__call__``, ``send_tools``, ``send_variables`` and ``cleanup``.
"""

from __future__ import annotations

import asyncio
import copy
import sys
from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any, Self
from weakref import WeakSet

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.agent.running import FrontEndResolver, Job, loop
from smolcell.core.loop import Conversation, Ending, LoopSettings, Request, Response, Run
from smolcell.errors import AgentGenerationError, InterpreterError
from smolcell.events import Asked, Delta, History, Observed, Proposed, Refused, Replied
from smolcell.executors.step import raise_fault
from smolcell.gates import create_gate
from smolcell.protocols import Executor, Message
from smolcell.tools.tool import Tool, as_tool, named_function

TASK = "Programs of a smolagents agent"
MAX_STEPS = 10_000  # of one run: smolagents has a limit of its own
_END = 5.0  # seconds that a run may take to record its end


class RunEnded(BaseException):
    """A person stopped the run, or nobody could approve it.

    smolagents hands every ``Exception`` of a program to its model and goes on; this one ends ``agent.run``.
    """


def executor(sandbox: str | Executor = "local", approve: str = "ask", **options: Any) -> ReviewingExecutor:
    """What smolagents' ``CodeAgent(executor=…)`` takes: sandbox, approval, policy, journal and receipt are smolcell's.

    Args:
        sandbox: its name, or an executor of smolcell.
        approve: "ask" for a person, on the card or the terminal; "risky", "auto", "deny".
        options: what ``smolcell.CodeAgent`` takes besides, such as ``additional_authorized_imports``, ``executor_kwargs``,
            ``python``, ``output_checks``, ``gate``, ``view`` or ``session``.

    Raises:
        SetupError: there is no such sandbox, mode or option.
    """
    return ReviewingExecutor(sandbox, approve, **options)


class ReviewingExecutor:
    """See ``executor``. One run of smolagents' agent is one run in the journal.

    Attributes:
        agent: the ``smolcell.CodeAgent`` that reviews and runs the programs, with ``journal``, ``memory`` and ``export``.
        result: of the newest run that ended; None before.
    """

    def __init__(self, sandbox: str | Executor, approve: str, **options: Any) -> None:
        gate, view = options.pop("gate", None), options.pop("view", None)
        create_gate(approve, view)  # a mode that is none is an error here
        self._approve = "" if gate is not None else approve
        self._fronts = FrontEndResolver(gate, view, verbose=False, quiet=approve == "auto")
        options.setdefault("session", "smolagents")
        options.setdefault("max_steps", MAX_STEPS)
        self.agent = _Steps(sandbox=sandbox, **options)
        self.agent.executor  # noqa: B018 - made now, so that a sandbox that is not to be had is an error here
        self.result: RunResult | None = None
        self._variables: dict[str, Any] = {}
        self._job: Job[RunResult] | None = None
        self._followed: WeakSet[Any] = WeakSet()
        self._logs = ""
        self._around: BaseException | None = None  # what is handled where the run was started, such as by a retry

    @property
    def state(self) -> Mapping[str, str]:
        """What the newest program printed, for smolagents, which looks for it here after an error."""
        return {"_print_outputs": self._logs}

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox; smolagents does so when a run begins."""
        self._finish()
        self._variables.update(variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Lend these to the code; a call comes back to this process. Managed agents are called like functions."""
        self._finish()
        self.agent.set_tools(_named(name, tool) for name, tool in tools.items() if not _is_plain_answer(tool))

    def __call__(self, code_action: str) -> Observed:
        """Review and run a program; returns ``.output``, ``.logs``, ``.is_final_answer``.

        Raises:
            InterpreterError: the code failed, or a person refused it, with their comment.
            RunEnded: the run was stopped, or nobody could approve.
        """
        front = self._fronts.resolve(mode=self._approve)
        if self._job is None or self._job.over:
            self._around = sys.exc_info()[1]
            self._job = self.agent.start(TASK, front=front, additional_args=self._variables)
            self._follow(_calling_agent(self))
        job, self._logs = self._job, ""
        said = self.agent.hand_in(code_action, job.done)
        try:
            outcome = front.waiter.wait(said)
            if isinstance(outcome, Observed) and outcome.answered:
                self._end(self.agent.stay(job, front.waiter))
        except BaseException:
            self._finish(stop=True)
            raise
        return self._told(outcome)

    def _follow(self, agent: Any) -> None:
        """Learn of the end of smolagents' runs from its steps: it calls no method of an executor then."""
        register = getattr(getattr(agent, "step_callbacks", None), "register", None)
        if register is None or agent in self._followed:
            return
        self._followed.add(agent)
        steps = sys.modules["smolagents.memory"]

        def failed(_step: Any) -> None:
            if sys.exc_info()[1] is not self._around:  # the step's error ends the run
                self._finish()

        register(steps.FinalAnswerStep, lambda _step: self._finish())
        register(steps.ActionStep, failed)

    def _told(self, outcome: Observed | Refused | RunResult) -> Observed:
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
        """End a run under way: smolagents' own ended without a final answer."""
        job, self._job, self._around = self._job, None, None
        if job is None:
            return
        if stop:
            job.cancel()
        else:
            self.agent.hand_in(None, job.done)
        wait_for([job.done], _END)
        if job.done.done():
            self.result = job.done.result()

    def cleanup(self) -> None:
        """End the run and the sandbox; idempotent. smolagents calls it at the end of ``with CodeAgent(…)``."""
        self._finish()
        self.agent.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def _calling_agent(executor: ReviewingExecutor) -> Any:
    """The agent of smolagents that runs a program now; None if it was called in another way."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        caller = frame.f_locals.get("self")
        with suppress(Exception):  # any object on the way may answer to a name in its own manner
            if getattr(caller, "python_executor", None) is executor:
                return caller
        frame = frame.f_back
    return None


def _refusal(refused: Refused) -> str:
    who = "The policy" if refused.by == "policy" else "The person"
    return f"{who} refused this program and it did not run: {refused.reason or 'no reason was given'}. Propose another."


def _is_plain_answer(tool: Any) -> bool:
    """Whether this is smolagents' own ``final_answer``: every sandbox has it."""
    return type(tool).__name__ == "FinalAnswerTool" and type(tool).__module__ == "smolagents.default_tools"


def _named(name: str, given: Any) -> Tool:
    """A tool, a function, or a managed agent of smolagents, under the name that the code calls it by."""
    if hasattr(given, "python_executor") or hasattr(given, "managed_agents"):
        return Tool(_managed(given), name=name, description=str(given.description))
    if not hasattr(given, "inputs") and callable(given):
        return named_function(name, given)
    made = copy.copy(as_tool(given))
    made.name = name
    return made


def _managed(agent: Callable[..., Any]) -> Callable[..., Any]:
    def call(task: str, additional_args: dict[str, Any] | None = None) -> Any:
        return agent(task, **({"additional_args": additional_args} if additional_args else {}))

    return call


# --- The agent whose programs come from outside: the driver, its gate, journal and receipt are the same; there is no model.


class _Caller:
    """Stands for the model in the record."""

    name, sends = "smolagents", False

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        raise AgentGenerationError("the programs come from smolagents, which asks its own model")
        yield  # a generator


class _Steps(CodeAgent):
    """Runs the programs that it is handed, in order."""

    def __init__(self, **options: Any) -> None:
        super().__init__(model=_Caller(), **options)
        self._programs: asyncio.Queue[str | None] = asyncio.Queue()
        self._waiting: Future[Any] = Future()

    def hand_in(self, code: str | None, done: Future[RunResult]) -> Future[Any]:
        """Hand a program in, None for the end; returns a future of its ``Observed`` or ``Refused``, or of the run's result."""
        waiting: Future[Any] = Future()
        self._waiting = waiting

        done.add_done_callback(lambda ended: _settle(waiting, ended.exception() or ended.result()))
        loop().call_soon_threadsafe(self._programs.put_nowait, code)
        return waiting

    def _own_parts(self, settings: LoopSettings, variables: Mapping[str, Any]) -> dict[str, Any]:
        self._programs = asyncio.Queue()
        turns = partial(_Programs, self._programs, lambda refused: _settle(self._waiting, refused))
        seen = lambda observed: _settle(self._waiting, observed)  # noqa: E731
        return {**super()._own_parts(settings, variables), "turns": turns, "seen": seen}


def _settle(future: Future[Any], result: Any) -> None:
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


class _Programs:
    """The turns of a run whose programs come through a queue; see ``core.loop.Turns``."""

    def __init__(
        self,
        programs: asyncio.Queue[str | None],
        refuse: Callable[[Refused], object],
        asked: Asked,
        past: History,
        settings: LoopSettings,
    ) -> None:
        self._talk = Conversation(asked, past, settings)
        self._programs, self._refuse = programs, refuse
        self._turns = self._run()

    async def next(self, fact: Response | AgentGenerationError) -> Request | Ending:
        """See ``Turns``."""
        sent: Any = fact
        try:
            while (want := self._turns.send(sent)) is None:
                sent = await self._programs.get()
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
        return want

    def _run(self) -> Generator[Request | None, Any, Ending]:
        talk = self._talk
        for step in range(1, talk.settings.max_steps + 1):
            code = yield None
            if code is None:
                return Ending("stopped", None, "smolagents ended its run without a final answer", step - 1)
            decision = yield from talk.review(
                Proposed(run=talk.id, step=step, text=code, findings=talk.settings.find(code))
            )
            if isinstance(decision, Refused):
                if decision.then != "continue":
                    return Ending(decision.then, None, decision.reason, step)
                self._refuse(decision)
                continue
            observed = yield Run(decision)
            if observed.answered:
                return (yield from talk.answer(step, observed.output))
        return Ending("max_steps_error", None, "the policy allows no further step", talk.settings.max_steps)
