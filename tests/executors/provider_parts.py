"""Sandboxes of providers that tests use: over the stand-ins, with the Python that runs the tests."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import blaxel_service
import e2b_service
import modal_service
import pytest
from processes import eventually
from stand_in import Service, served

from smolcell.executors.cloud import RemoteExecutor
from smolcell.executors.cloud.blaxel import BlaxelExecutor
from smolcell.executors.cloud.e2b import E2BExecutor
from smolcell.executors.cloud.modal import ModalExecutor
from smolcell.executors.reaper import reaper

Make = Callable[..., RemoteExecutor]

if os.environ.get(blaxel_service.PLACE):  # another process, which finds the sandbox by its name
    blaxel_service.point()


class WithThisPython(RemoteExecutor):
    """A sandbox whose programs are run by this Python, which has the libraries; another process finds it by its name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("interpreter", sys.executable)
        super().__init__(*args, **options)


class E2BInTests(WithThisPython, E2BExecutor):
    """E2B's."""


class BlaxelInTests(WithThisPython, BlaxelExecutor):
    """Blaxel's."""


class ModalInTests(WithThisPython, ModalExecutor):
    """Modal's."""


KINDS: Mapping[str, tuple[type[RemoteExecutor], type[Service]]] = {
    "e2b": (E2BInTests, e2b_service.E2BService),
    "blaxel": (BlaxelInTests, blaxel_service.BlaxelService),
    "modal": (ModalInTests, modal_service.ModalService),
}


MARKS = {"blaxel": [pytest.mark.slow, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")]}
"""Blaxel's SDK takes seconds to import; and now and then a connection to its stand-in is left to the garbage collector."""


@contextmanager
def running(kind: str) -> Iterator[Service]:
    """A stand-in, to which this process's SDK is pointed; and the reaper's, which has this process's variables and path."""
    with served(KINDS[kind][1]) as found:
        try:
            with pytest.MonkeyPatch.context() as patch:
                found.point(patch)
                yield found
        finally:
            found.leave()
            with warnings.catch_warnings():  # else they are noticed in a later test
                warnings.simplefilter("ignore", ResourceWarning)
                gc.collect()


@contextmanager
def made(kind: str, service: Service) -> Iterator[Make]:
    """Makes sandboxes; they are closed at the end, and nothing may be left of them, there or with the reaper."""
    registered = set(reaper._entries)
    executors: list[RemoteExecutor] = []

    def maker(**options: Any) -> RemoteExecutor:
        executors.append(KINDS[kind][0](**options))
        return executors[-1]

    yield maker
    for executor in executors:
        executor.close()
    service.forgive()
    assert eventually(lambda: service.alive() == set(), 60)
    for entry in set(reaper._entries) - registered:  # of a sandbox whose end could not be asked for
        reaper.forget(entry)


def fixtures(*kinds: str) -> tuple[Any, Any, Any]:
    """The fixtures ``kind`` (one after the other), ``service`` (one stand-in for a file's tests) and ``make`` (see ``made``)."""

    @pytest.fixture(scope="module", params=[pytest.param(kind, marks=MARKS.get(kind, ())) for kind in kinds])
    def kind(request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture(scope="module")
    def service(kind: str) -> Iterator[Service]:
        with running(kind) as found:
            yield found

    @pytest.fixture
    def make(kind: str, service: Service) -> Iterator[Make]:
        with made(kind, service) as maker:
            yield maker

    return kind, service, make


def refusal(executor: RemoteExecutor, kind: type[Exception]) -> str:
    """The error of a sandbox that cannot be opened."""
    with pytest.raises(kind) as caught:
        executor("1")
    return str(caught.value)
