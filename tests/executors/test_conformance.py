"""The local sandbox keeps what every sandbox promises: the conformance list, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import Check, Trial, checks, run_check


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with Trial(LocalPythonExecutor) as trial:
        yield trial


@pytest.mark.parametrize("check", checks(), ids=str)
def test_local(trial: Trial, check: Check) -> None:
    outcome = run_check(trial, check)
    assert outcome.state == "passed", str(outcome)  # it declares nothing missing, and all libraries are here
