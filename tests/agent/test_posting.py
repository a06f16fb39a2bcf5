"""Posted functions whose call was given up: a stop or a limit ends them, in Python code."""

from __future__ import annotations

import asyncio
import queue
import re
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, ClassVar

import pytest

from smolcell import CodeAgent, Tool, tool
from smolcell.agent.running import LoopWaiter, SilentView
from smolcell.agent.tool_calls import Abandoned, run_in_thread, run_on_calling_thread
from smolcell.errors import AgentStopped
from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook.wait import KernelWaiter
from smolcell.protocols import FrontEnd, Waiter
from smolcell.testing import ScriptedModel, allow_all


class Signal(queue.SimpleQueue[None]):
    """An event that stays usable when the thread that sets it is stopped meanwhile: an interrupt can leave the lock of Python's
    own ``Event`` taken for ever. Waits once for each time it was set.
    """

    def set(self) -> None:
        self.put(None)

    def wait(self) -> None:
        self.get(timeout=60)

    def is_set(self) -> bool:
        return not self.empty()


begun, ended = Signal(), Signal()


@pytest.fixture(autouse=True)
def _anew() -> None:
    for each in (begun, ended):
        while each.is_set():
            each.wait()


@tool
def busy() -> None:
    """Go on for ever."""
    begun.set()
    try:
        while True:
            time.sleep(0.01)
    finally:
        ended.set()


@tool(timeout=0.2)
def limited() -> None:
    """Go on for ever, as far as it may."""
    busy()


def test_a_synchronous_tool_does_not_hold_up_a_stop() -> None:
    agent = CodeAgent([busy], ScriptedModel("<code>busy()</code>"), gate=allow_all)
    stop = threading.Thread(target=lambda: (begun.wait(), agent.interrupt()))
    stop.start()
    with agent, pytest.raises(AgentStopped):
        agent.run("t")
    stop.join()
    assert ended.is_set()


def test_a_synchronous_tool_ends_at_its_limit_and_the_next_one_runs() -> None:
    @tool
    def after() -> bool:
        """Whether the other one is over."""
        return ended.is_set() or not begun.is_set()

    program = "try:\n    limited()\nexcept TimeoutError as error:\n    said = str(error)\nfinal_answer([said, after()])"
    with CodeAgent([limited, after], ScriptedModel(f"<code>\n{program}\n</code>"), gate=allow_all) as agent:
        assert agent.run("t") == ["the tool 'limited' took longer than 0.2 s", True]


def cancelled(waiter: QueueWaiter, call: Coroutine[Any, Any, Any]) -> None:
    """Wait in this thread while another has a call cancelled as soon as it has begun."""
    left: Future[Any] = Future()

    async def drive() -> None:
        task = asyncio.create_task(call)
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.wait([task])

    thread = threading.Thread(target=lambda: (asyncio.run(drive()), left.set_result(None)))
    thread.start()
    waiter.wait(left)
    thread.join()


@pytest.mark.parametrize("way", ["posted", "aside"])
def test_it_is_stopped_wherever_it_runs(way: str) -> None:
    waiter = QueueWaiter()
    cancelled(waiter, run_on_calling_thread(waiter, busy, 60) if way == "posted" else run_in_thread(busy))
    ended.wait()


def test_what_was_over_in_time_is_not_stopped_afterwards() -> None:
    """Whenever the stop comes, nothing is raised in the calling thread once the function is over."""
    waiter, stopped, went_on = QueueWaiter(), list[bool](), list[int]()
    for pause in (*range(0, 199, 4), 10**12):

        def short(pause: int = pause) -> None:
            stopped.append(True)
            begun.set()
            for _ in range(pause * 500):
                pass
            stopped[-1] = False

        cancelled(waiter, run_on_calling_thread(waiter, short, 60))
        went_on.append(sum(1 for _ in range(1000)))  # a stop that was still to come would come here
    assert (len(stopped), went_on) == (51, [1000] * 51)
    assert set(stopped) == {True, False}  # the stop came in time for some of them, and too late for others


def test_a_call_within_a_call_leaves_the_outer_one_its_stop() -> None:
    """A synchronous tool that runs an agent: the stop of the outer run is not taken for one of the inner call."""
    waiter, seen = QueueWaiter(), list[str]()

    def within() -> None:
        try:
            asyncio.run(run_on_calling_thread(waiter, busy, 60))
        except KeyboardInterrupt:
            seen.append("inner")

    def outer() -> None:
        inner = threading.Thread(target=within)
        inner.start()
        try:
            waiter.wait(Future[Any]())
        except Abandoned:
            seen.append("outer")
            inner.join()
            raise

    cancelled(waiter, run_on_calling_thread(waiter, outer, 60))
    assert sorted(seen) == ["inner", "outer"]


def asleep() -> LoopWaiter:
    """The waiter of an async caller whose loop does not run any more."""
    loop = asyncio.new_event_loop()
    weakref.finalize(waiter := LoopWaiter(loop), loop.close)
    return waiter


WAITERS = {"script": QueueWaiter, "notebook": lambda: KernelWaiter(None), "async": asleep}
NOT_BEGUN = "the calling thread did not begin the call within 0.2 s: it is busy, or no longer waits for the run"


@pytest.mark.parametrize("make", WAITERS.values(), ids=WAITERS)
def test_a_call_that_no_thread_takes_ends_in_time_and_never_runs(make: Callable[[], Waiter]) -> None:
    waiter, ran = make(), list[int]()
    with pytest.raises(TimeoutError, match=re.escape(NOT_BEGUN)):
        asyncio.run(run_on_calling_thread(waiter, lambda: ran.append(1), 0.2))
    over: Future[None] = Future()
    over.set_result(None)
    if isinstance(waiter, LoopWaiter):
        waiter._loop.run_until_complete(asyncio.sleep(0))
    else:
        waiter.wait(over)
    assert ran == []


@tool(approve=lambda: "It is large.")
def asked() -> None:
    """A tool whose approval a function decides about."""


class Prepared(Tool):
    """A tool with a setup."""

    name, description, output_type = "prepared", "Prepared.", "null"
    inputs: ClassVar[dict[str, Any]] = {}

    def forward(self) -> None: ...


def unchecked(answer: Any) -> bool:
    return True


def test_a_managed_agent_works_though_no_thread_waits() -> None:
    """It has no setup and no limit of its own, so nothing waits for a thread."""
    inner = CodeAgent([], ScriptedModel("<code>final_answer(7)</code>"), name="inner", description="Counts.")
    agent = CodeAgent([], ScriptedModel("<code>final_answer(inner('x'))</code>"), managed_agents=[inner])
    with agent:
        job = agent.start("t", front=FrontEnd(view=SilentView(), gate=allow_all, waiter=QueueWaiter()))
        assert job.done.result(60).output == 7


@pytest.mark.parametrize("program", ["limited()", "prepared()", "asked()", "final_answer(1)"])
def test_a_run_that_no_thread_waits_for_goes_on_with_an_error_in_time(program: str) -> None:
    """Also where a tool's setup, its ``approve=`` or a check of the answer is posted."""
    agent = CodeAgent(
        [limited, Prepared(), asked],
        ScriptedModel(f"<code>{program}</code>", "1"),
        max_steps=1,
        final_answer_checks=[unchecked],
        executor_kwargs={"tool_timeout": 0.2},
    )
    with agent:
        result = agent.start("t", front=FrontEnd(view=SilentView(), gate=allow_all, waiter=QueueWaiter())).done.result(
            60
        )
    assert (result.state, NOT_BEGUN in str(result.events)) == ("max_steps_error", True)


TRACED = """
import sys
from smolcell.agent.tool_calls import Abandoned, _PostedCall as _Call

def work():
    try:
        call._stop()
    except Abandoned:
        pass

def trace(*_):
    return trace

call = _Call(work, signals=False)
sys.settrace(trace)
call()
print(sum(number for number in range(100)))
"""


def test_a_traced_thread_goes_on_after_a_stop() -> None:
    """As under coverage, or in a debugger: CPython 3.11 stood still there once an exception was taken back."""
    done = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("4950\n", "")
