"""Agents whose programs are written here, in every sandbox that runs on this machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import quick

from smolcell.agent import CodeAgent
from smolcell.errors import SmolcellError
from smolcell.executors import create_executor
from smolcell.testing import ScriptedModel, allow_all

HERE = ("docker", "local", "wasm")
"""The sandboxes that run on this machine. That tools are called back from those of a provider is in ``check_executor``."""


def made(name: str, **options: Any) -> Any:
    """A sandbox of this name; if it does not run, the test is skipped, which CI does not accept."""
    if name == "docker" and not ("DOCKER_HOST" in os.environ or Path("/var/run/docker.sock").exists()):
        pytest.skip("needs a Docker engine")
    if name == "docker" and "SMOLCELL_TEST_IMAGE" in os.environ:
        options["image"] = os.environ["SMOLCELL_TEST_IMAGE"]
    executor = create_executor(name, **options)
    try:
        asyncio.run(executor.open())
    except SmolcellError as error:
        executor.close()
        pytest.skip(f"needs the sandbox {name}: {error}")
    return executor


@pytest.fixture
def agents() -> Iterator[Callable[..., CodeAgent]]:
    """Makes agents that run these programs, and ends them."""
    every: list[CodeAgent] = []

    def make(*programs: str, tools: Any = (), sandbox: Any = "local", person: Any = None, **options: Any) -> CodeAgent:
        model = ScriptedModel(*(f"Next.\n<code>\n{program}\n</code>" for program in programs))
        who = {"gate": allow_all} if person is None else {"view": person}
        every.append(CodeAgent(tools, model, sandbox=sandbox, **{**who, **options}))
        return every[-1]

    yield make
    for agent in every:
        agent.cleanup()


@pytest.fixture(params=quick(HERE, "local"))
def everywhere(request: pytest.FixtureRequest, agents: Callable[..., CodeAgent]) -> Callable[..., CodeAgent]:
    """The same, in each sandbox."""

    def make(*programs: str, executor_kwargs: Any = None, **options: Any) -> CodeAgent:
        return agents(*programs, sandbox=made(request.param, **(executor_kwargs or {})), **options)

    return make
