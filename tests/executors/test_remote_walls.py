"""Which walls are said to stand around a provider's sandbox: what the worker measured first, the provider's word where it is one."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell.executors import cloud
from smolcell.executors.docker.containers import Owner
from smolcell.executors.walls import MECHANISMS

ALL = dict.fromkeys(MECHANISMS, "")
NONE = dict.fromkeys(MECHANISMS, "not here")
ELSEWHERE = "11111111-2222-3333-4444-555555555555"
HERE = Owner.here().boot


def stands(capabilities: dict[str, Any], network: str = "") -> tuple[dict[str, bool], bool]:
    """The walls that matter, and whether the sandbox is called isolated."""
    found = cloud.read(capabilities, "E2B", network)
    return {wall.name: wall.stands for wall in found if wall.name in (*cloud.NEEDED, "own machine")}, cloud.is_isolated(
        found
    )


def four(files: bool, network: bool, processes: bool, machine: bool) -> dict[str, bool]:
    return {"files": files, "network": network, "processes": processes, "own machine": machine}


def test_walls_of_our_own_stand_wherever_the_sandbox_is() -> None:
    assert stands({"walls": ALL, "boot": HERE}) == (four(True, True, True, False), True)
    assert stands({"walls": ALL, "boot": ELSEWHERE}, "unknown") == (four(True, True, True, True), True)


def test_the_provider_s_word_stands_in_for_a_wall_on_another_machine_only() -> None:
    assert stands({"walls": NONE, "boot": ELSEWHERE}) == (four(True, True, True, True), True)
    assert stands({"walls": NONE, "boot": HERE}) == (four(False, False, False, False), False)


def test_a_provider_that_does_not_shut_the_network_is_not_called_isolated() -> None:
    found, isolated = stands({"walls": NONE, "boot": ELSEWHERE}, "E2B does not say so")
    assert (found, isolated) == (four(True, False, True, True), False)
    (network,) = [
        wall for wall in cloud.read({"walls": NONE, "boot": ELSEWHERE}, "E2B", "no") if wall.name == "network"
    ]
    assert "the code could open connections" in network.detail


def test_a_promise_of_the_provider_is_marked() -> None:
    said = {wall.name: wall.detail for wall in cloud.read({"walls": NONE, "boot": ELSEWHERE}, "E2B", "")}
    assert said["files"] == "the code runs on a machine of E2B's, where this machine's files are not"
    assert said["network"] == "E2B says that this sandbox can open no connection"
    assert said["own machine"].startswith("E2B says that it belongs to this sandbox alone")


@pytest.mark.parametrize(
    "boot", [None, "", 7, "x", ["a" * 40], HERE], ids=["none", "empty", "number", "short", "list", "here"]
)
def test_a_worker_that_does_not_say_where_it_runs_runs_here(boot: Any) -> None:
    assert stands({"walls": "anything", "boot": boot}) == (four(False, False, False, False), False)
    assert stands({}) == (four(False, False, False, False), False)


def test_before_it_is_open_no_wall_is_claimed_that_keeps_intent_out() -> None:
    assert not cloud.is_isolated(cloud.NOT_STARTED)
    assert [wall.name for wall in cloud.NOT_STARTED if not wall.stands] == ["files", "network", "processes"]
