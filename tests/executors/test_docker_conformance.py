"""The Docker sandbox keeps what every sandbox promises: the conformance list on a real engine, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import engines
import pytest
from conformance_list import hold

from smolcell.testing import Check, Trial, checks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with engines.engine(), Trial(engines.DockerInTests, alive=engines.alive) as trial:
        yield trial


@pytest.mark.parametrize("check", checks(), ids=str)
def test_docker(trial: Trial, check: Check) -> None:
    hold(trial, check)
