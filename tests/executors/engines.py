"""The Docker engine that tests use: the one that ``docker`` would use (DOCKER_HOST), and what is alive on it."""

from __future__ import annotations

import dataclasses
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import eventually as eventually

from smolcell.errors import SmolcellError
from smolcell.executors.docker import DockerExecutor, containers
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.registry import SandboxOwner

MARK = os.environ.setdefault(
    f"MARK_OF_TEST_CONTAINERS_{os.environ.get('PYTEST_XDIST_WORKER', '')}", secrets.token_hex(4)
)
containers.PREFIX = f"smolcell-{MARK}-"
"""Names that are this test process's own: another may use the same engine at the same time. What it starts inherits it."""

IMAGE = os.environ.get("SMOLCELL_TEST_IMAGE")
"""The image that sandboxes are made of; by default the one that smolcell builds."""


class DockerInTests(DockerExecutor):
    """A Docker sandbox of the image that the tests use; another process finds it by its name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("image", IMAGE)
        super().__init__(*args, **options)


class UnguardedDocker(DockerInTests):
    """Without the guard, as for code that has broken it."""

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "guard": False}


@contextmanager
def engine() -> Iterator[DockerEngine]:
    """The engine; a test without one is skipped, which CI does not take."""
    try:
        found = DockerEngine()
    except SmolcellError as error:
        pytest.skip(f"needs a Docker engine: {error}")
    try:
        yield found
    finally:
        found.close()


def alive() -> set[str]:
    """The names of this test run's containers, running or not."""
    found = DockerEngine()
    try:
        listed = [
            container["Names"][0].lstrip("/")
            for container in containers.list_containers(found)
            if container.get("Names")
        ]
        return {name for name in listed if name.startswith(containers.PREFIX)}
    finally:
        found.close()


@contextmanager
def sandboxes() -> Iterator[Callable[..., DockerInTests]]:
    """Makes sandboxes; they are closed at the end, and nothing may be left of them."""
    before = alive()
    made: list[DockerInTests] = []

    def maker(*args: Any, kind: type[DockerInTests] = DockerInTests, **options: Any) -> DockerInTests:
        made.append(kind(*args, **options))
        return made[-1]

    yield maker
    for executor in made:
        executor.close()
    assert eventually(lambda: alive() <= before, 60)  # a busy engine takes its time


def in_mid_step(executor: DockerExecutor, act: Callable[[], object]) -> None:
    """Do this as soon as the executor's next step is under way; returns before."""

    def wait() -> None:
        if eventually(lambda: executor.worker.step is not None and executor.worker.step.sent, 60):
            act()

    threading.Thread(target=wait, daemon=True).start()


def image(engine: DockerEngine) -> str:
    """The image that the tests use, which is there after this."""
    executor = DockerInTests()
    return executor._image(engine)


def dead() -> SandboxOwner:
    """An owner that is gone: another process has had the number of this one."""
    return dataclasses.replace(SandboxOwner.here(), start=1)


def kernel(program: str, *words: str, says: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Another process, which can import what the tests import, and has said these lines."""
    here = str(Path(__file__).parent)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), here])}
    command, pipe = [sys.executable, "-c", program, *words], subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environ, start_new_session=True)
    assert process.stdout is not None
    assert [process.stdout.readline().strip() for _ in says] == list(says)
    return process


def end(process: subprocess.Popen[str]) -> None:
    """Kill it, as a kernel is killed."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
