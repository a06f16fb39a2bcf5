"""What goes wrong at any provider is got over, or ends the step with what to type next; and nothing is left. Over the stand-ins."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
import time
from collections.abc import Iterator

import pytest
from processes import eventually
from provider_parts import UNCLOSED, Make, made, running
from stand_in import Service

from smolcell.errors import InterpreterError, LimitError, SandboxDiedError, SandboxError
from smolcell.events import Delta, Proposed
from smolcell.executors import cloud, inventory
from smolcell.executors.cloud import channel
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxSpec, find_provider, labels
from smolcell.executors.docker.containers import Owner
from smolcell.permit import permit


@pytest.fixture(scope="module", params=["e2b", pytest.param("blaxel", marks=[pytest.mark.slow, UNCLOSED]), "modal"])
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


def test_a_sandbox_that_is_gone_in_mid_step_is_started_again(make: Make, service: Service) -> None:
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


def test_a_connection_that_breaks_is_started_again(make: Make, service: Service) -> None:
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
        service.refuse(service.busy, "slow down", service.send, times=3)
        return number

    async def call_tool(name: str, args: tuple[int, ...], kwargs: dict[str, int]) -> int:
        return tool(*args)

    executor.send_tools({"tool": tool})
    said: list[Delta] = []
    step = permit(Proposed(run="r", step=7, text="kept.append(tool(5))\nprint(kept)\nkept"), by="caller")
    observed = asyncio.run(executor.run(step, said.append, call_tool))
    assert (observed.error, observed.output, observed.stdout, calls) == (None, [5], "[5]\n", [5])


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
    monkeypatch.setattr(channel, "RECONNECT_SECONDS", 0.5)
    service.refuse(service.busy, "slow down", service.send, times=1000)
    with pytest.raises(SandboxDiedError, match=r"slow down.*run the step again"):
        executor("kept.append(2)\nkept")
    service.forgive()
    with pytest.raises(InterpreterError, match="kept"):
        executor("kept")


def test_a_sandbox_that_may_not_be_made_is_not_insisted_upon(make: Make, service: Service) -> None:
    service.refuse(service.busy, "you have reached the maximum of 20 sandboxes", times=20)
    executor = make()
    with pytest.raises(SandboxError, match=r"allows no more sandboxes or requests now.*smolcell sandboxes --clean"):
        executor("1")
    service.forgive()
    assert executor("1 + 1").output == 2


# --- clocks --------------------------------------------------------------------------------------------------------------

DAY = 86_400


@pytest.mark.slow
def test_a_sandbox_lives_as_long_as_it_is_renewed_also_where_the_clock_is_set(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud, "MIN_LIFETIME", 1)
    now = time.time
    executor = make(lifetime=4, timeout=1)
    executor("kept = 7")
    before = service.alive()
    monkeypatch.setattr(time, "time", lambda: now() + 3 * DAY)
    service.set_clock(-3 * DAY)
    with pytest.raises(LimitError, match="1 s"):
        executor("while True: pass")
    executor.send_tools({"wait": lambda: time.sleep(6)})
    executor("wait()")
    service.cut()
    assert (executor("kept").output, service.alive()) == (7, before)


@pytest.mark.parametrize("ahead", [-3 * DAY, 3 * DAY])
def test_ages_and_time_outs_are_reckoned_by_one_clock(make: Make, service: Service, kind: str, ahead: int) -> None:
    executor = make()
    service.set_clock(ahead)
    try:
        executor("1")
        (found,) = find_provider(kind).listed({"dev.smolcell.kind": "sandbox"})
    finally:
        service.set_clock(0)
    assert found.age is not None and 0 <= found.age < 600
    assert found.left is None or 0 < found.left <= DAY
    assert Owner.of(found.labels).is_of_this_start(Owner.here())


def test_a_sandbox_made_before_this_machines_clock_was_set_has_no_age_and_is_no_leftover(
    make: Make, service: Service, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one of another machine that was begun from the same snapshot."""
    now, dead = time.time, dataclasses.replace(Owner.here(), start=1)
    left = find_provider(kind).create(SandboxSpec(labels={**labels("0" * 32), **dead.labels()}))
    monkeypatch.setattr(time, "time", lambda: now() + DAY)
    (found,) = [each for each in inventory.find()[0] if each.kind == kind]
    assert (found.age, found.ends, found.mine, found.gone) == (None, "", True, False)
    assert f"{left.name}" in inventory.table([found]) and " ? " in inventory.table([found])
    monkeypatch.undo()
    (found,) = [each for each in inventory.find()[0] if each.kind == kind]
    assert found.gone
    left.kill(10.0)


# --- lists ---------------------------------------------------------------------------------------------------------------


def test_a_provider_that_is_out_of_reach_is_a_remark_with_what_to_type(
    service: Service, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = find_provider(kind)

    def lost(self: object, labels: object) -> None:
        raise ProviderUnreachable("no route to host")

    monkeypatch.setattr(type(provider), "listed", lost)
    remarks = [each for each in inventory.find_far()[1] if provider.title in each]
    assert remarks == [
        f"no sandboxes of {provider.title} listed: it cannot be reached (no route to host); is there a network? "
        "Then type: smolcell sandboxes"
    ]
