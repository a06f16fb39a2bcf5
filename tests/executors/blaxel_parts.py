"""The Blaxel sandbox that tests use: over the stand-in, with the Python that runs the tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from blaxel_service import HERE, PLACE, Service, point, service

from smolcell.executors.blaxel import BlaxelExecutor

if os.environ.get(PLACE):  # another process, which finds the sandbox by its name
    point()


class BlaxelInTests(BlaxelExecutor):
    """A sandbox whose programs are run by this Python, which has the libraries."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("python", sys.executable)
        super().__init__(*args, **options)


@contextmanager
def running() -> Iterator[Service]:
    """A stand-in, to which this process's SDK is pointed; and the reaper's, which has this process's path."""
    with service() as found, pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("BL_"):
                patch.delenv(name)
        for name, value in found.environ.items():
            patch.setenv(name, value)
        patch.syspath_prepend(HERE / "everywhere")
        point()
        yield found
        point()  # its connections are closed
