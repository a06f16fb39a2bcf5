"""The Blaxel sandbox keeps what every sandbox promises: the conformance list over the SDK and a stand-in of the service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conformance_list import listed
from provider_parts import UNCLOSED, BlaxelInTests, running

from smolcell.testing import Check, Trial, run_check

pytestmark = [UNCLOSED, pytest.mark.slow]  # it shares its channel with E2B

EXPECTED: dict[str, str] = {}
"""Checks that do not end as "passed"."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with running("blaxel") as service, Trial(BlaxelInTests, alive=service.alive, patience=60) as trial:
        yield trial


@pytest.mark.parametrize("check", listed(), ids=str)
def test_blaxel(trial: Trial, check: Check) -> None:
    outcome = run_check(trial, check)
    assert outcome.state == EXPECTED.get(check.name, "passed"), str(outcome)
