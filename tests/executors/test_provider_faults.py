"""What goes wrong at any provider is got over, or ends the step with what to type next; and nothing is left. Over the stand-ins."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from processes import eventually
from provider_parts import KINDS, Make, made, running
from stand_in import Service

from smolcell.errors import InterpreterError, SandboxDiedError, SandboxError
from smolcell.events import Delta, Proposed
from smolcell.executors.remote import channel
from smolcell.permit import permit


@pytest.fixture(scope="module", params=KINDS)
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


def test_a_sandbox_that_is_gone_in_mid_step_is_begun_anew(make: Make, service: Service) -> None:
    executor = make()
    assert executor("x = 1\nx").output == 1
    (name,) = service.alive()

    def end() -> None:
        if eventually(lambda: executor._step is not None and executor._step.sent, 30):
            service.end(name)

    threading.Thread(target=end, daemon=True).start()
    with pytest.raises(SandboxDiedError, match=r"gone|ended"):
        executor("while True: pass")
    with pytest.raises(InterpreterError, match="x"):
        executor("x")
    assert name not in service.alive()


def test_a_connection_that_breaks_is_begun_anew(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    service.cut(1.0)
    assert executor("kept.append(2)\nkept").output == [1, 2]


def test_requests_that_are_refused_in_mid_step_are_asked_again_and_no_code_runs_twice(
    make: Make, service: Service
) -> None:
    executor, calls = make(timeout=30), list[int]()
    executor("kept = []")

    def tool(number: int) -> int:
        calls.append(number)
        service.refuse(service.busy, "slow down", service.send, times=3, after="1")
        return number

    async def call_tool(name: str, args: tuple[int, ...], kwargs: dict[str, int]) -> int:
        return tool(*args)

    executor.send_tools({"tool": tool})
    said: list[Delta] = []
    step = permit(Proposed(run="r", step=7, text="kept.append(tool(5))\nprint(kept)\nkept"), by="caller")
    observed = asyncio.run(executor.run(step, said.append, call_tool))
    assert (observed.error, observed.output, observed.stdout, calls) == (None, [5], "[5]\n", [5])
    told = [each for each in said if each.channel == "progress"]
    assert {(each.run, each.step) for each in told} == {("r", 7)}
    assert told[0].text.startswith(f"waiting for {executor.title}, which is asked again in ")
    assert "allows no more sandboxes or requests now" in told[0].text
    assert told[-1].text == f"{executor.title} answers again"


def test_a_stream_that_is_refused_is_joined_again_later(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    service.refuse(service.busy, "slow down", service.listen, times=3)
    service.cut(0.3)
    assert executor("kept.append(2)\nkept").output == [1, 2]
    service.forgive()
    assert executor("kept").output == [1, 2]


def test_a_provider_that_takes_no_requests_for_too_long_ends_the_step(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = make()
    executor("kept = [1]")
    monkeypatch.setattr(channel, "PATIENCE", 0.5)
    service.refuse(service.busy, "slow down", service.send, times=1000)
    with pytest.raises(SandboxDiedError, match=r"slow down.*run the step again"):
        executor("kept.append(2)\nkept")
    service.forgive()
    with pytest.raises(InterpreterError, match="kept"):
        executor("kept")


def test_a_sandbox_whose_program_cannot_be_started_at_once_is_started_later(make: Make, service: Service) -> None:
    service.refuse(service.busy, "slow down", service.start, times=2)
    assert make()("1 + 1").output == 2


def test_a_sandbox_that_may_not_be_made_is_not_insisted_upon(make: Make, service: Service) -> None:
    service.refuse(service.busy, "you have reached the maximum of 20 sandboxes", times=20)
    executor = make()
    with pytest.raises(SandboxError, match=r"allows no more sandboxes or requests now.*smolcell sandboxes --clean"):
        executor("1")
    service.forgive()
    assert executor("1 + 1").output == 2
