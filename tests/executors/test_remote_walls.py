"""Which walls are said to stand around a provider's sandbox: what the worker measured first, the provider's word where it is one."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell.executors import cloud
from smolcell.executors.registry import SandboxOwner
from smolcell.executors.walls import MECHANISMS, NEEDED, is_isolated

ALL = dict.fromkeys(MECHANISMS, "")
NONE = dict.fromkeys(MECHANISMS, "not here")
ELSEWHERE = "11111111-2222-3333-4444-555555555555"
HERE = SandboxOwner.here().boot


@pytest.mark.parametrize(
    ("walls", "boot", "network", "standing"),
    [
        (ALL, HERE, "", {"files", "network", "processes"}),
        (ALL, ELSEWHERE, "unknown", {"files", "network", "processes", "own machine"}),
        (NONE, ELSEWHERE, "", {"files", "network", "processes", "own machine"}),  # the provider's word
        (NONE, ELSEWHERE, "E2B does not say so", {"files", "processes", "own machine"}),
        (NONE, HERE, "", set()),
        *(("anything", boot, "", set()) for boot in (None, "", 7, "x", ["a" * 40], HERE)),  # a worker that does not say where
    ],
)  # fmt: skip
def test_a_wall_stands_by_what_was_measured_and_elsewhere_by_the_provider_s_word(
    walls: Any, boot: Any, network: str, standing: set[str]
) -> None:
    found = cloud.read({"walls": walls, "boot": boot}, "E2B", network)
    assert {wall.name for wall in found if wall.stands and wall.name in (*NEEDED, "own machine")} == standing
    assert is_isolated(found) is (standing >= {"files", "network", "processes"})


def test_a_promise_of_the_provider_is_marked() -> None:
    said = {wall.name: wall.detail for wall in cloud.read({"walls": NONE, "boot": ELSEWHERE}, "E2B", "")}
    assert said["files"] == "the code runs on a machine of E2B's, where this machine's files are not"
    assert said["network"] == "E2B says that this sandbox can open no connection"
    assert said["own machine"].startswith("E2B says that it belongs to this sandbox alone")
    said = {wall.name: wall.detail for wall in cloud.read({"walls": NONE, "boot": ELSEWHERE}, "E2B", "no")}
    assert "the code could open connections" in said["network"]


def test_before_it_is_open_no_wall_is_claimed_that_keeps_intent_out() -> None:
    assert not is_isolated(cloud.NOT_STARTED)
    assert [wall.name for wall in cloud.NOT_STARTED if not wall.stands] == ["files", "network", "processes"]
    assert not is_isolated(cloud.read({}, "E2B", ""))
