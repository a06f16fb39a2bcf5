"""The conformance list reports what it finds, fails what it cannot see, and never hangs."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Any

import pytest

from smolcell.errors import CapabilityError
from smolcell.events import Allowed, Observed
from smolcell.protocols import CAPABILITIES, CallTool, OnOutput
from smolcell.testing import (
    Check,
    ConformanceError,
    MemoryExecutor,
    Outcome,
    Report,
    Trial,
    check_executor,
    checks,
    run_check,
    trial,
)
from smolcell.testing.trial import describe, find


def make(**options: Any) -> MemoryExecutor:
    return MemoryExecutor()


def named(name: str) -> Check:
    return next(check for check in checks() if check.name == name)


def test_every_check_has_a_name_of_its_own_and_a_promise() -> None:
    names = [str(check) for check in checks()]
    assert len(names) == len(set(names)) >= 40
    for check in checks():
        assert re.fullmatch(r"[a-z_]+", check.name)
        assert check.promise.endswith(".")
        assert len(check.promise) > 20


def test_checks_are_chosen_by_name_and_passing_ones_are_reported() -> None:
    report = check_executor(make, named("with_statement"), "pulled")
    assert report.states() == {"with_statement": "not applicable", "pulled": "not applicable"}
    assert report.failed == ()
    assert str(report).splitlines()[-1] == "2 not applicable"
    assert "the executor has no pull" in str(report)


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(LookupError, match=r"there is no check 'speed'; the checks are: last_expression, language, "):
        check_executor(make, "speed")


def test_a_broken_promise_is_raised_with_what_was_expected_and_what_came() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_executor(make, "last_expression", "with_statement")
    assert caught.value.report.states() == {"last_expression": "failed", "with_statement": "not applicable"}
    assert "output and result of '1 + 1': expected (2, '2'), got (None, '')" in str(caught.value)
    assert isinstance(caught.value, AssertionError)


def test_a_double_that_runs_nothing_keeps_the_promises_about_closing_and_permits_only() -> None:
    class Same(MemoryExecutor):
        """Answers as if a name were kept."""

        async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
            await super().run(permit, on_output, call_tool)
            return Observed(output=self.ran.count("runs += 1"))

    assert check_executor(lambda **_: Same(), "permit_is_spent").states() == {"permit_is_spent": "passed"}


def test_what_an_executor_raises_is_its_failure() -> None:
    class Raising(MemoryExecutor):
        async def open(self) -> None:
            raise ZeroDivisionError("no")

    with Trial(lambda **_: Raising()) as on_trial:
        outcome = run_check(on_trial, named("boundary"))
    assert outcome.state == "failed"
    with pytest.raises(ConformanceError, match="TypeError"):
        check_executor(lambda timeout=1: MemoryExecutor(), "flood")


def test_a_factory_that_another_process_cannot_find_is_a_failure_that_says_so() -> None:
    with pytest.raises(ConformanceError, match="pass a class, or a function that is defined at the top of a module"):
        check_executor(lambda **_: MemoryExecutor(), "host_dies")


def test_a_factory_is_found_by_its_name_or_by_its_file() -> None:
    described = describe(make)
    assert find(described).__code__.co_filename == make.__code__.co_filename
    assert find({**described, "module": "__main__"}).__code__.co_filename == make.__code__.co_filename
    assert find(describe(MemoryExecutor)) is MemoryExecutor


def test_an_unseen_sandbox_is_a_failure_and_not_a_pass() -> None:
    with pytest.raises(ConformanceError, match="did not say that it was at work"):
        check_executor(make, "host_dies", patience=0.1)

    async def unseen() -> None:
        with Trial(make) as on_trial:
            await on_trial.seen_alive(processes=False, others=False)

    with pytest.raises(AssertionError, match=r"pass alive=…, which lists the living sandboxes"):
        asyncio.run(unseen())


# --- what is declared missing --------------------------------------------------------------------------------------------


class Without(MemoryExecutor):
    """Declares that it has neither threads nor a memory limit."""

    capabilities = {"threads": False, "memory limit": False}

    def __init__(self, error: str, memory: int = 0) -> None:
        super().__init__(*[_raising(error)] * 9)
        if memory and error == "CapabilityError":
            raise CapabilityError("no memory limit")


def _raising(name: str) -> Any:
    return lambda text: type(name, (Exception,), {})("threads")


@pytest.mark.parametrize(("error", "state"), [("CapabilityError", "declared missing"), ("RuntimeError", "failed")])
def test_what_is_declared_missing_must_fail_by_its_name(error: str, state: str) -> None:
    def make(memory: int = 0, **options: Any) -> Without:
        return Without(error, memory)

    with Trial(make) as on_trial:
        for name in ("many_calls_at_once", "time_of_threads", "memory"):
            assert run_check(on_trial, named(name)).state == state, name


def test_the_capabilities_that_checks_ask_for_are_those_that_are_documented() -> None:
    asked = set()
    for check in checks():
        code = check.look.__code__  # type: ignore[attr-defined]
        asked |= {value for value in code.co_consts if value in CAPABILITIES}
    assert asked | {"local process"} == set(CAPABILITIES)


# --- never for ever ------------------------------------------------------------------------------------------------------


def test_a_check_that_takes_too_long_is_a_failure() -> None:
    with Trial(make) as on_trial, pytest.raises(AssertionError, match=r"the check did not end within 0\.1 s"):
        on_trial.perform(asyncio.sleep(60), 0.1)


def test_an_executor_that_holds_the_loop_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "BLOCKED_SECONDS", 0.2)

    released, ended = threading.Event(), threading.Event()

    async def hold() -> None:
        released.wait(60)
        ended.set()

    async def after() -> int:
        return 1

    with Trial(make) as on_trial:
        with pytest.raises(AssertionError, match="blocked the event loop"):
            on_trial.perform(hold(), 0.1)
        assert on_trial.perform(after(), 60) == 1
    released.set()
    assert ended.wait(60)


def test_a_report_reads_as_a_list() -> None:
    report = Report((Outcome("a", "passed", seconds=0.25), Outcome("b", "failed", "expected 1\ngot 2", 1.0)))
    assert str(report) == (
        "passed           a (0.2 s)\nfailed           b (1.0 s)\n      expected 1\n      got 2\n1 passed, 1 failed"
    )
    assert [outcome.name for outcome in report.failed] == ["b"]
