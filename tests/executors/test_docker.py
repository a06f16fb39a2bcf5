"""The Docker sandbox on a real engine: what it is given, what it says of itself, and that nothing is left of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import engines
import pytest
from engines import DockerInTests, alive

from smolcell.executors import create_executor
from smolcell.executors.docker import DockerExecutor
from smolcell.executors.engine import Engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with engines.engine() as found:
        yield found


@pytest.fixture
def make(engine: Engine) -> Iterator[Callable[..., DockerInTests]]:
    """Makes sandboxes; they are closed at the end, and nothing may be left of them."""
    before = alive()
    made: list[DockerInTests] = []

    def maker(*args: Any, kind: type[DockerInTests] = DockerInTests, **options: Any) -> DockerInTests:
        made.append(kind(*args, **options))
        return made[-1]

    yield maker
    for executor in made:
        executor.close()
    assert alive() <= before


def test_a_permit_runs_in_a_container_that_is_gone_after_closing(make: Callable[..., DockerInTests]) -> None:
    before = alive()
    executor = make()
    assert executor("1 + 1").output == 2
    assert len(alive() - before) == 1
    executor.close()
    assert alive() == before


def test_the_name_docker_makes_one_and_a_variant_is_its_image() -> None:
    made = create_executor("docker:my-image:3", memory=512)
    assert isinstance(made, DockerExecutor)
    assert (made.image.image, made.memory, made.shape.memory) == ("my-image:3", 512, 512)
