"""The Docker sandbox keeps what every sandbox promises: the conformance list on a real engine, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import engines
import pytest
from conformance_list import listed

from smolcell.testing import Check, Trial, run_check

MISSING: dict[str, str] = {}
"""Checks that the sandbox declares it cannot pass; then the named error is what is checked."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with engines.engine(), Trial(engines.DockerInTests, alive=engines.alive) as trial:
        yield trial


@pytest.mark.parametrize("check", listed(), ids=str)
def test_docker(trial: Trial, check: Check) -> None:
    outcome = run_check(trial, check)
    assert outcome.state == MISSING.get(check.name, "passed"), str(outcome)
