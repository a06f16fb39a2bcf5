"""The conformance list: one reading of what every sandbox promises.

The rules this file exists to keep:

* A check is a small named function; its first line is the promise.
* An executor that declares a capability missing is held to the named error for it. Nothing is skipped without a reason in
  the report.
* A check that fails says what was expected and what came, and harms no other check.

After the model of inspect_ai's ``util/_sandbox/self_check.py``: one list that every provider of sandboxes runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from smolcell.testing import checks_execution, checks_interface, checks_isolation, checks_limits
from smolcell.testing.trial import Check, Make, Missing, NotApplicable, Trial

__all__ = ["CHECKS", "Check", "ConformanceError", "Outcome", "Report", "check_executor", "checks", "run_check"]

# --- The checks of the conformance list, in the order they are run: what code does, what it may not, how it ends.


CHECKS: tuple[Check, ...] = tuple(
    check
    for module in (checks_execution, checks_interface, checks_isolation, checks_limits)
    for check in vars(module).values()
    if isinstance(check, Check)
)


State = Literal["passed", "failed", "declared missing", "not applicable"]
SECONDS = 120.0  # that one check may take, however slow the sandbox


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found.

    Attributes:
        name: the check's.
        state: "passed"; "failed"; "declared missing" (the executor says that it cannot, and fails with the named error);
            "not applicable" (what the check is about is not installed here).
        detail: why it failed or does not apply; of a check that passed, what it passed by, where there are several ways.
        seconds: how long it took.
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
    """What a list of checks found, in order. ``str`` of it is the list as text, one check a line."""

    outcomes: tuple[Outcome, ...]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Those that failed."""
        return tuple(outcome for outcome in self.outcomes if outcome.state == "failed")

    def states(self) -> dict[str, State]:
        """Each check's name and state."""
        return {outcome.name: outcome.state for outcome in self.outcomes}

    def __str__(self) -> str:
        states = list(self.states().values())
        counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
        return "\n".join([*map(str, self.outcomes), counts or "no checks"])


class ConformanceError(AssertionError):
    """An executor does not keep what every executor promises; ``report`` says what was found of each check."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n".join(map(str, report.failed)))
        self.report = report


def checks() -> tuple[Check, ...]:
    """The list, in order. Each has a ``name``, which is its ``str``, and a ``promise``."""
    return CHECKS


def check_executor(
    make: Make,
    *only: Check | str,
    alive: Callable[[], Collection[str]] | None = None,
    patience: float = 20.0,
) -> Report:
    """Hold executors of one kind to the conformance list.

    In a script, ``print(check_executor(MyExecutor))``. With pytest, a test for each check::

        @pytest.mark.parametrize("check", checks(), ids=str)
        def test_conformance(check):
            check_executor(MyExecutor, check)

    Where starting a sandbox takes seconds, let the checks share them: hand a ``Trial(MyExecutor)`` of a fixture to
    ``run_check``.

    Args:
        make: makes an executor; called with options by keyword, none or some of ``timeout`` and ``tool_timeout`` (seconds),
            ``memory`` (MB), ``max_print_outputs_length`` (characters), ``max_tool_calls``,
            ``additional_authorized_imports``. A class or a function of a module: one check starts another process, which
            has to import it by its name.
        only: the checks to run, or their names; none for all.
        alive: names what is alive of such sandboxes where they run, for those that are not processes of this machine.
        patience: seconds that anything may take beyond what is promised.

    Returns:
        The report, of which no check failed.

    Raises:
        ConformanceError: at least one failed. Its text is the failures, its ``report`` has everything.
        LookupError: there is no check of that name.

    Does not promise that a sandbox is safe: it holds what can be seen by asking, against code that asks.
    """
    with Trial(make, alive=alive, patience=patience) as trial:
        report = Report(tuple(run_check(trial, check) for check in _chosen(only)))
    if report.failed:
        raise ConformanceError(report)
    return report


def run_check(trial: Trial, check: Check) -> Outcome:
    """Run one check; never raises what the executor did."""
    started = time.monotonic()
    state: State = "failed"
    try:
        detail = trial.perform(check.run(trial), SECONDS) or ""
        state = "passed"
    except Missing as error:
        state, detail = "declared missing", str(error)
    except NotApplicable as error:
        state, detail = "not applicable", str(error)
    except AssertionError as error:
        detail = str(error)
    except Exception as error:  # the executor raised what it must not, or the check met what it did not expect
        detail = f"{type(error).__name__}: {error}"
    trial.end_check(keep=state != "failed")
    return Outcome(check.name, state, detail, time.monotonic() - started)


def _chosen(only: Iterable[Check | str]) -> tuple[Check, ...]:
    known = {check.name: check for check in CHECKS}
    chosen = []
    for wanted in only:
        name = str(wanted)
        if name not in known:
            raise LookupError(f"there is no check {name!r}; there are: {', '.join(known)}")
        chosen.append(known[name])
    return tuple(chosen) or CHECKS
