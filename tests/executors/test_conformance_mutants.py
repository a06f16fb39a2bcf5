"""The conformance list can fail: each broken executor is seen by the checks it breaks, and by no other one."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import broken_executors
import pytest
from broken_executors import BREAKS

from smolcell.testing import Trial, checks, run_check

EVERY = bool(os.environ.get("SMOLCELL_FULL"))
LONG = "CallsInTurn ClaimsWalls HidesLoss HidesWhatWasDropped IgnoresInterrupts LeavesProcesses ShowsAtTheEnd".split()
"""Executors that take seconds."""
UNRELATED = {"last_expression", "language", "final_answer", "shown_values"}
"""Checks that are quick, run for every broken executor; with SMOLCELL_FULL the whole list is (half an hour)."""


@pytest.fixture(autouse=True)
def _no_process_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One of the executors leaves processes; they are ended here."""
    left = tmp_path / "left"
    left.touch()
    monkeypatch.setenv(broken_executors.LEFT, str(left))
    yield
    for pid in left.read_text().split():
        try:
            os.kill(int(pid), signal.SIGKILL)
            os.waitpid(int(pid), 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # of another process, or gone


def test_every_broken_executor_is_seen_by_something() -> None:
    assert len(BREAKS) >= 20
    assert all(breaks.split() for breaks in BREAKS.values())


@pytest.mark.parametrize(
    "make", [pytest.param(make, marks=pytest.mark.slow if make.__name__ in LONG else ()) for make in BREAKS]
)
def test_a_broken_promise_is_seen(make: type) -> None:
    wanted = set(BREAKS[make].split() if EVERY else BREAKS[make].split()[:1])
    with Trial(make, patience=2) as trial:
        outcomes = [run_check(trial, check) for check in checks() if EVERY or check.name in wanted | UNRELATED]
    failed = {outcome.name: outcome.detail for outcome in outcomes if outcome.state == "failed"}
    assert failed.keys() == wanted, "\n".join(map(str, outcomes))
    assert all(failed.values())  # each says what was expected, and what came
