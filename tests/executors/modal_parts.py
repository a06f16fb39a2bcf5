"""The Modal sandbox that tests use: over the stand-in, with the Python that runs the tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from modal_service import Service, service

from smolcell.executors.modal import ModalExecutor


class ModalInTests(ModalExecutor):
    """A sandbox whose programs are run by this Python, which has the libraries; another process finds it by its name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("python", sys.executable)
        super().__init__(*args, **options)


@contextmanager
def running() -> Iterator[Service]:
    """A stand-in, to which this process's environment points the SDK."""
    with service() as found, pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("MODAL_"):
                patch.delenv(name)
        for name, value in found.environ.items():
            patch.setenv(name, value)
        yield found
