"""What a process says of its own sandboxes while they open, run, fail and close."""

from __future__ import annotations

import asyncio
import gc
import os
import weakref

import pytest
from local_parts import observe
from processes import eventually

from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.registry import OpenSandbox, open_sandboxes, subscribe
from smolcell.protocols import opened_for


def mine(executor: LocalPythonExecutor) -> list[OpenSandbox]:
    return [use for use in open_sandboxes() if use.name == executor.listed()]


def test_a_sandbox_is_said_to_be_open_for_a_run_and_to_run_its_step_and_then_not() -> None:
    executor = LocalPythonExecutor()
    told: list[list[tuple[str, int]]] = []
    undo = subscribe(lambda: told.append([(use.run, use.step) for use in mine(executor)] if executor.listed() else []))
    token = opened_for.set("r")
    try:
        asyncio.run(executor.open())
        opened_for.reset(token)
        assert mine(executor) == [OpenSandbox(kind="local", name=executor.listed(), run="r")]
        seen: list[OpenSandbox] = []
        observe(executor, "print('here')", step=4, show=lambda _: seen.extend(mine(executor)))
        assert {(use.run, use.step) for use in seen} == {("r", 4)}
        assert [(use.run, use.step) for use in mine(executor)] == [("r", 0)]
    finally:
        executor.close()
        undo()
    assert mine(executor) == []
    assert told[0] == [("r", 0)] and ("r", 4) in told[1] and told[-1] == []


def test_a_worker_that_takes_the_place_of_one_that_ended_is_the_one_that_is_named() -> None:
    with LocalPythonExecutor() as executor:
        executor("1")
        before = executor._channel.pid
        os.kill(before, 9)
        assert eventually(lambda: executor.listed() == "")
        assert f"pid {before}" not in {use.name for use in open_sandboxes()}
        executor("1")
        assert executor._channel.pid != before
        assert [use.name for use in mine(executor)] == [f"pid {executor._channel.pid}"]


def test_a_follower_that_fails_breaks_no_step_and_is_forgotten_when_it_wants(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ValueError("no")

    undo = subscribe(fails)
    try:
        with LocalPythonExecutor() as executor:
            assert executor("1 + 1").output == 2
            undo()
            caplog.clear()
            executor("1")
        assert caplog.records == []
    finally:
        undo()
        undo()


def test_the_list_does_not_keep_a_dropped_sandbox() -> None:
    executor = LocalPythonExecutor()
    executor("1")
    assert executor.listed() in {use.name for use in open_sandboxes()}
    executor.close()
    held = weakref.ref(executor)
    del executor
    gc.collect()
    assert held() is None
