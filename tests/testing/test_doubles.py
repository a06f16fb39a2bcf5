"""The memory executor keeps an executor's promises and runs nothing."""

import asyncio

import pytest

from smolcell.errors import PermitError, SandboxBusyError, SandboxDiedError
from smolcell.events import Allowed, Delta, Fault, Observed, Proposed, sha256
from smolcell.protocols import Executor
from smolcell.testing import MemoryExecutor, allow_all


async def call_tool(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    raise AssertionError("no tool is called")


async def run(executor: MemoryExecutor, text: str) -> tuple[Observed, list[Delta]]:
    printed: list[Delta] = []
    permit = await allow_all(Proposed(run="r", step=2, text=text))
    assert isinstance(permit, Allowed)
    return await executor.run(permit, printed.append, call_tool), printed


def test_observations_are_given_in_order() -> None:
    final = Observed(is_final_answer=True, output=42)
    executor = MemoryExecutor("hello", final, ValueError("no"), lambda text: text.upper())
    seen = [asyncio.run(run(executor, text)) for text in ("a", "b", "c", "d", "e")]
    assert seen == [
        (Observed(run="r", step=2, stdout="hello"), [Delta(text="hello", channel="output", run="r", step=2)]),
        (Observed(run="r", step=2, is_final_answer=True), []),
        (Observed(run="r", step=2, error=Fault(kind="python", type="ValueError", message="no")), []),
        (Observed(run="r", step=2, stdout="D"), [Delta(text="D", channel="output", run="r", step=2)]),
        (Observed(run="r", step=2), []),
    ]
    assert seen[1][0].output == 42
    assert executor.ran == ["a", "b", "c", "d", "e"]


def test_nothing_is_run_without_a_permit_or_twice() -> None:
    async def forged_and_spent() -> None:
        executor = MemoryExecutor()
        forged = Allowed(run="r", step=2, text="a", sha256=sha256("a"), by="person")
        permit = await allow_all(Proposed(run="r", step=2, text="a"))
        assert isinstance(permit, Allowed)
        await executor.run(permit, print, call_tool)
        for bad in (forged, permit):
            with pytest.raises(PermitError):
                await executor.run(bad, print, call_tool)
        assert executor.ran == ["a"]

    asyncio.run(forged_and_spent())


async def forever(text: str) -> str:
    await asyncio.Event().wait()
    return text


async def begun(executor: MemoryExecutor) -> None:
    while not executor.ran:
        await asyncio.sleep(0)


def test_an_open_step_is_busy_and_can_be_interrupted() -> None:
    async def interrupted() -> Observed:
        executor = MemoryExecutor(forever)
        executor.interrupt()
        step = asyncio.ensure_future(run(executor, "a"))
        await begun(executor)
        with pytest.raises(SandboxBusyError):
            await run(executor, "b")
        executor.close()
        return (await step)[0]

    assert asyncio.run(interrupted()).error == Fault(
        kind="stopped", type="KeyboardInterrupt", message="the step was stopped"
    )


def test_a_cancelled_step_is_cancelled() -> None:
    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run(MemoryExecutor(forever), "a"), 0.01)

    asyncio.run(cancelled())


def test_a_sandbox_error_is_raised() -> None:
    with pytest.raises(SandboxDiedError):
        asyncio.run(run(MemoryExecutor(SandboxDiedError("gone")), "a"))


def test_it_is_an_executor() -> None:
    executor = MemoryExecutor()
    assert isinstance(executor, Executor)
    asyncio.run(executor.open())
    executor.send_variables({"a": 1})
    executor.send_tools({"b": len})
    executor.close()
    executor.close()
    assert (executor.variables, executor.tools, executor.opened, executor.closed) == ({"a": 1}, {"b": len}, True, True)
    assert not executor.boundary().isolated


def test_a_step_that_is_cancelled_and_interrupted_is_cancelled() -> None:
    async def both() -> None:
        executor = MemoryExecutor(forever)
        step = asyncio.ensure_future(run(executor, "a"))
        await begun(executor)
        step.cancel()
        executor.close()
        with pytest.raises(asyncio.CancelledError):
            await step

    asyncio.run(both())
