"""The local sandbox keeps what every sandbox promises: the conformance list, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conformance_list import hold

from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import Check, Trial, checks

LONG = (
    "checkpoint_after_a_limit flood fresh_start interrupt_c_call memory processes_end_too results_are_bounded slow_tools "
    "time_in_one_c_call time_in_python time_in_reprs time_in_sleep time_of_threads"
).split()
"""Checks that take more than a second: they wait for limits."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with Trial(LocalPythonExecutor) as trial:
        yield trial


@pytest.mark.parametrize(
    "check", [pytest.param(each, marks=pytest.mark.slow if each.name in LONG else ()) for each in checks()], ids=str
)
def test_local(trial: Trial, check: Check) -> None:
    hold(trial, check)  # all pass: it declares nothing missing, and all libraries are here
