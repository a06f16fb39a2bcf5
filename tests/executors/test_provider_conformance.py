"""The sandboxes of providers keep what their channel could break of the conformance list, over the SDKs and stand-ins of the services."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conformance_list import hold, representative
from provider_parts import KINDS, fixtures
from stand_in import Service

from smolcell.testing import Check, Trial

pytestmark = pytest.mark.slow
kind, service, _ = fixtures("e2b", "blaxel", "modal")


@pytest.fixture(scope="module")
def trial(kind: str, service: Service) -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    with Trial(KINDS[kind][0], alive=service.alive, patience=60) as trial:
        yield trial


@pytest.mark.parametrize("check", representative(), ids=str)
def test_a_provider_s_sandbox_keeps_what_every_sandbox_promises(trial: Trial, check: Check) -> None:
    hold(trial, check)
