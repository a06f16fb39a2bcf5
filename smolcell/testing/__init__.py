"""Public helpers for tests of agents, tools, front ends and sandboxes.

``ScriptedModel`` returns given replies, ``MemoryExecutor`` runs nothing, ``allow_all`` allows everything. ``check_executor`` checks
a sandbox against the list of promises that every sandbox keeps.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from smolcell.approval.gates import allow_all
from smolcell.errors import SandboxBusyError, SandboxError
from smolcell.events import Allowed, Boundary, Delta, Fault, Observed, Wall
from smolcell.models.scripted import ScriptedModel
from smolcell.permit import spend
from smolcell.protocols import CallTool, OnOutput
from smolcell.testing import (
    checks_execution,
    checks_interface,
    checks_isolation,
    checks_limits,
)
from smolcell.testing.trial import Check, Make, Missing, NotApplicable, Trial

__all__ = [
    "Check",
    "ConformanceError",
    "MemoryExecutor",
    "Outcome",
    "Report",
    "ScriptedModel",
    "Trial",
    "allow_all",
    "check_executor",
    "checks",
    "run_check",
]


# --- The conformance checks in order: what code does, what it may not do, how it ends.


CHECKS: tuple[Check, ...] = tuple(
    check
    for module in (
        checks_execution,
        checks_interface,
        checks_isolation,
        checks_limits,
    )
    for check in vars(module).values()
    if isinstance(check, Check)
)


State = Literal["passed", "failed", "declared missing", "not applicable"]
CHECK_SECONDS = 120.0  # limit for one check, however slow the sandbox is


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one check.

    Attributes:
        name: name of the check.
        state: "passed"; "failed"; "declared missing" (the executor declares that it cannot do this, and raises the named error);
            "not applicable" (something that the check needs is not installed).
        detail: why it failed or does not apply; if it passed, how, if there are several ways.
        seconds: duration.
    """

    name: str
    state: State
    detail: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = self.detail.strip().split("\n") if self.detail else []
        return "\n      ".join([f"{self.state:<16} {self.name} ({self.seconds:.1f} s)", *lines])


@dataclass(frozen=True, slots=True)
class Report:
    """Results of several checks, in order. ``str()`` of it has one line per check."""

    outcomes: tuple[Outcome, ...]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The results that failed."""
        return tuple(outcome for outcome in self.outcomes if outcome.state == "failed")

    def states(self) -> dict[str, State]:
        """Return the state of each check by name."""
        return {outcome.name: outcome.state for outcome in self.outcomes}

    def __str__(self) -> str:
        states = list(self.states().values())
        counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
        return "\n".join([*map(str, self.outcomes), counts or "no checks"])


class ConformanceError(AssertionError):
    """An executor breaks a promise of the conformance list; ``report`` has the result of each check."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n".join(map(str, report.failed)))
        self.report = report


def checks() -> tuple[Check, ...]:
    """Return the conformance checks, in order. Each has a ``name``, which is its ``str``, and a ``promise``."""
    return CHECKS


def check_executor(
    make: Make,
    *only: Check | str,
    alive: Callable[[], Collection[str]] | None = None,
    patience: float = 20.0,
) -> Report:
    """Run the conformance checks on executors of one kind.

    In a script: ``print(check_executor(MyExecutor))``. With pytest, one test per check::

        @pytest.mark.parametrize("check", checks(), ids=str)
        def test_conformance(check):
            check_executor(MyExecutor, check)

    If starting a sandbox takes seconds, let the checks share sandboxes: pass a ``Trial(MyExecutor)`` from a fixture to
    ``run_check``.

    Args:
        make: creates an executor; called with some of these keyword options: ``timeout`` and ``tool_timeout`` (seconds),
            ``memory`` (MB), ``max_print_outputs_length`` (characters), ``max_tool_calls``,
            ``additional_authorized_imports``. A class or function of a module, since one check imports it by name in another process.
            only: the checks to run, or their names; none for all.
            alive: returns the names of living sandboxes of this kind, if they are not processes of this machine.
            patience: seconds that anything may take beyond its limit.

    Returns:
        The report, without failed checks.

    Raises:
        ConformanceError: at least one check failed. Its text lists the failures; its ``report`` has everything.
        LookupError: there is no check of that name.

    Does not show that a sandbox is safe: the checks only cover attacks that they try.
    """
    with Trial(make, alive=alive, patience=patience) as trial:
        report = Report(tuple(run_check(trial, check) for check in _chosen(only)))
    if report.failed:
        raise ConformanceError(report)
    return report


def run_check(trial: Trial, check: Check) -> Outcome:
    """Run one check; never raises an error of the executor."""
    started = time.monotonic()
    state: State = "failed"
    try:
        detail = trial.perform(check.run(trial), CHECK_SECONDS) or ""
        state = "passed"
    except Missing as error:
        state, detail = "declared missing", str(error)
    except NotApplicable as error:
        state, detail = "not applicable", str(error)
    except AssertionError as error:
        detail = str(error)
    except Exception as error:  # an error the executor must not raise, or one the check does not expect
        detail = f"{type(error).__name__}: {error}"
    trial.end_check(keep=state != "failed")
    return Outcome(check.name, state, detail, time.monotonic() - started)


def _chosen(only: Iterable[Check | str]) -> tuple[Check, ...]:
    known = {check.name: check for check in CHECKS}
    chosen = []
    for wanted in only:
        name = str(wanted)
        if name not in known:
            raise LookupError(f"there is no check {name!r}; the checks are: {', '.join(known)}")
        chosen.append(known[name])
    return tuple(chosen) or CHECKS


Result = Observed | str | BaseException
Observation = Result | Callable[[str], "Result | Awaitable[Result]"]


class MemoryExecutor:
    """An executor that runs nothing: records the permitted text and returns given observations.

    It handles permits, one open step at a time, interrupts, cancellation and closing. It does not pass ``check_executor``: results
    of code (values, output, errors, limits, tools, variables, files) are those it was given. It also runs after it was closed.

    Args:
        observations: outcomes of the steps in order: an ``Observed``; a text, taken as printed output; an exception, which becomes
            the step's error (a ``SandboxError`` is raised, like that of a failing sandbox); or a function of the code, plain or
            async, that returns one of these. Later steps observe nothing.
        name: name of the executor.

    Attributes:
        ran: the texts that were run, in order. A text is recorded only after its permit was used up.
        variables, tools: values and tools that were sent.
        opened, closed: whether ``open`` and ``close`` were called.
    """

    def __init__(self, *observations: Observation, name: str = "memory") -> None:
        self.name = name
        self.ran: list[str] = []
        self.variables: dict[str, Any] = {}
        self.tools: dict[str, Any] = {}
        self.opened = self.closed = False
        self._observations = observations
        self._open_step: tuple[asyncio.AbstractEventLoop, asyncio.Future[Result]] | None = None
        self._interrupted = False

    async def open(self) -> None:
        """Record that it is open."""
        self.opened, self.closed = True, False

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Use up the permit, record its text, and return the next observation.

        Raises:
            PermitError: the permit is not valid; nothing is recorded.
            SandboxBusyError: another step is open.
        """
        if self._open_step is not None:
            raise SandboxBusyError("the memory executor has an open step: wait for it, or interrupt it")
        text = spend(permit)
        self.ran.append(text)
        observed = _observed(await self._next(text))
        if observed.stdout:
            on_output(Delta(text=observed.stdout, channel="output", run=permit.run, step=permit.step))
        return replace(observed, run=permit.run, step=permit.step)

    async def _next(self, text: str) -> Result:
        index = len(self.ran) - 1
        result: Any = self._observations[index] if index < len(self._observations) else Observed()
        if not callable(result):
            return result  # type: ignore[no-any-return]
        result = result(text)
        if not inspect.isawaitable(result):
            return result  # type: ignore[no-any-return]
        step = asyncio.ensure_future(result)
        self._open_step, self._interrupted = (asyncio.get_running_loop(), step), False
        try:
            return await step  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._interrupted or (task is not None and task.cancelling()):
                raise
            return KeyboardInterrupt("the step was stopped")
        finally:
            self._open_step = None

    def interrupt(self) -> None:
        """End an open (async) step with a "stopped" fault. Thread-safe; does nothing when idle."""
        if self._open_step is not None:
            loop, step = self._open_step
            self._interrupted = True
            loop.call_soon_threadsafe(step.cancel)

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Record the variables."""
        self.variables.update(variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Record the tools."""
        self.tools.update(tools)

    def boundary(self) -> Boundary:
        """Return a boundary that is not isolated: nothing runs."""
        return Boundary(
            sandbox=self.name,
            where="nowhere: a double for tests, which runs nothing",
            isolated=False,
            walls=(Wall(name="nothing runs", stands=True),),
        )

    def close(self) -> None:
        """Record that it is closed, and end an open step. Idempotent."""
        self.interrupt()
        self.closed = True


def _observed(result: Result) -> Observed:
    if isinstance(result, Observed):
        return result
    if isinstance(result, str):
        return Observed(stdout=result)
    if isinstance(result, SandboxError):
        raise result
    stopped = isinstance(result, KeyboardInterrupt)
    fault = Fault(kind="stopped" if stopped else "python", type=type(result).__name__, message=str(result))
    return Observed(error=fault)
