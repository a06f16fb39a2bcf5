"""A supervisor for the tests of the worker's parts."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from smolcell.worker.supervisor import Supervisor


@pytest.fixture
def idle() -> Iterator[Supervisor]:
    """A supervisor that nobody talks to."""
    hears, says = os.pipe()
    yield Supervisor(hears, says)
    os.close(hears)
    os.close(says)
