"""Executors for tests: closed at the end, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import engines
import pytest
from local_parts import LocalInTests

from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.local import LocalPythonExecutor, WarmParent


@pytest.fixture
def without_warm_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python is started for each local sandbox: for tests that change the worker's program, or look for its archive."""

    def refuse(*_: Any) -> Any:
        raise OSError(1, "not in this test")

    monkeypatch.setattr(WarmParent, "start", refuse)


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    """A Docker engine; without one the test is skipped, which CI does not take."""
    with engines.engine() as found:
        yield found


@pytest.fixture
def contained(engine: DockerEngine) -> Iterator[Callable[..., engines.DockerInTests]]:
    """Makes Docker sandboxes; they are closed at the end, and nothing may be left of them."""
    with engines.sandboxes() as maker:
        yield maker


@pytest.fixture
def make() -> Iterator[Callable[..., LocalPythonExecutor]]:
    """Makes executors and closes them."""
    made: list[LocalPythonExecutor] = []

    def maker(*args: Any, unguarded: bool = False, **options: Any) -> LocalPythonExecutor:
        made.append(LocalInTests(*args, **({"guard": False} if unguarded else {}), **options))
        return made[-1]

    yield maker
    for executor in made:
        executor.close()


@pytest.fixture
def executor(make: Callable[..., LocalPythonExecutor]) -> LocalPythonExecutor:
    """A local executor as a user makes it."""
    return make(timeout=20)
