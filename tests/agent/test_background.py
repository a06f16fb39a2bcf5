"""The driver's thread outlives whatever its coroutines do, and a job always ends."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import CancelledError

import pytest

from smolcell.agent import running
from smolcell.agent.running import Job

SOON = 60


async def where() -> tuple[str, bool]:
    return threading.current_thread().name, running.on_driver()


def test_a_job_runs_on_the_driver_s_thread() -> None:
    assert Job(where()).done.result(SOON) == ("smolcell-driver", True)
    assert running.on_driver() is False


def test_a_job_that_is_cancelled_at_once_begins_and_can_record_its_end() -> None:
    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "recorded"
        return "never"

    for _ in range(50):
        job = Job(work())
        job.cancel()
        assert job.done.result(SOON) == "recorded"
        job.cancel()  # harmless


def test_what_a_job_raises_is_its_result() -> None:
    async def fail(error: BaseException) -> None:
        raise error

    for error in (ValueError("no"), KeyboardInterrupt(), SystemExit(3)):
        assert Job(fail(error)).done.exception(SOON) is error
    cancelled = Job(asyncio.sleep(60))
    cancelled.cancel()
    with pytest.raises((CancelledError, asyncio.CancelledError)):
        cancelled.done.result(SOON)
    assert Job(where()).done.result(SOON) == ("smolcell-driver", True)


def test_a_task_that_exits_does_not_take_the_others_with_it(caplog: pytest.LogCaptureFixture) -> None:
    async def leave() -> None:
        raise SystemExit(3)

    async def beside() -> str:
        task = asyncio.create_task(leave())
        await asyncio.wait([task])
        return type(task.exception()).__name__

    assert Job(beside()).done.result(SOON) == "SystemExit"
    assert "tried to end the driver's loop" in caplog.text


def test_only_the_owner_can_end_a_job() -> None:
    job = Job(where())
    assert job.done.cancel() is False
    assert job.done.result(SOON) == ("smolcell-driver", True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows only has no fork")
def test_a_forked_child_starts_a_loop_of_its_own() -> None:
    before = running.loop()
    running._forget()
    try:
        after = running.loop()
        assert after is not before
        assert Job(where()).done.result(SOON) == ("smolcell-driver", True)
    finally:
        after.call_soon_threadsafe(after.stop)
        running._loop = before
