"""What goes wrong at any provider is got over, or ends the step with what to type next; and nothing is left. Over the stand-ins."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from contextlib import closing
from pathlib import Path

import pytest
from indexes import TOOLS, configure, plots
from provider_parts import Make, fixtures
from stand_in import Service

from smolcell import CodeAgent
from smolcell.errors import InterpreterError, LimitError, SandboxDiedError, SandboxError
from smolcell.executors import cloud, inventory
from smolcell.executors.cloud import channel
from smolcell.executors.cloud.provider import KIND, ProviderUnreachable, SandboxSpec, find_provider, labels
from smolcell.executors.registry import SandboxOwner
from smolcell.testing import ScriptedModel

kind, service, make = fixtures("e2b", "blaxel", "modal")


def test_a_sandbox_that_goes_in_mid_step_ends_the_step_and_the_next_one_has_a_new_one(
    make: Make, service: Service
) -> None:
    executor = make()
    first = executor("kept = 1") and service.alive()
    executor.send_tools({"end": lambda: service.end(*first)})
    with pytest.raises(SandboxDiedError, match=r"(is gone|ended).* run the step again"):
        executor("end()\nwhile True: pass")
    after = executor("'kept' in dir()")
    assert (after.output, after.state_lost) == (False, False)  # that it is gone was told with the step
    assert service.alive() and not service.alive() & first


@pytest.mark.parametrize("seconds", [0.0, pytest.param(1.0, marks=pytest.mark.slow)])
def test_a_network_that_is_lost_and_comes_back_loses_nothing(make: Make, service: Service, seconds: float) -> None:
    executor = make()
    executor("kept = 'x' * 3_000_000")
    calls: list[int] = []

    def tool(number: int) -> str:
        calls.append(number)
        service.cut(seconds)
        return f"answer {number}"

    executor.send_tools({"tool": tool})
    found = executor("for n in range(2):\n    print(n, tool(n), len(kept))\nkept[:3]")
    assert found.stdout == "".join(f"{n} answer {n} 3000000\n" for n in range(2))
    assert (found.output, calls) == ("xxx", [0, 1])
    service.cut(seconds)
    assert executor("len(kept)").output == 3_000_000


@pytest.mark.slow
def test_requests_that_are_refused_in_mid_step_are_asked_again_and_no_code_runs_twice(
    make: Make, service: Service
) -> None:
    executor, calls = make(timeout=30), list[int]()
    executor("kept = []")

    def tool(number: int) -> int:
        calls.append(number)
        service.refuse(service.busy, "slow down", service.send, times=3)
        return number

    executor.send_tools({"tool": tool})
    observed = executor("kept.append(tool(5))\nprint(kept)\nkept")
    assert (observed.output, observed.stdout, calls) == ([5], "[5]\n", [5])


@pytest.mark.slow
def test_a_stream_that_is_refused_is_joined_again_later(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    service.refuse(service.busy, "slow down", service.listen, times=3)
    service.cut(0.3)
    assert executor("kept.append(2)\nkept").output == [1, 2]
    service.forgive()
    assert executor("kept").output == [1, 2]


@pytest.mark.slow
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


@pytest.mark.slow
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
    executor.send_tools({"wait": lambda: (service.cut(1.5), time.sleep(6))[1]})  # one renewal is lost
    executor("wait()")
    service.cut()
    assert (executor("kept").output, service.alive()) == (7, before)


@pytest.mark.parametrize("ahead", [-3 * DAY, 3 * DAY])
def test_ages_and_time_outs_are_reckoned_by_one_clock(service: Service, kind: str, ahead: int) -> None:
    service.set_clock(ahead)
    try:
        machine = find_provider(kind).create(SandboxSpec(labels=labels("0" * 32)))
        (found,) = find_provider(kind).listed({KIND: "sandbox"})
    finally:
        service.set_clock(0)
    machine.kill(10.0)
    assert found.age is not None and 0 <= found.age < 600
    assert found.left is None or 0 < found.left <= DAY
    assert SandboxOwner.of(found.labels).is_of_this_start(SandboxOwner.here())


def test_a_sandbox_made_before_this_machines_clock_was_set_has_no_age_and_is_no_leftover(
    service: Service, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one of another machine that was begun from the same snapshot."""
    now, dead = time.time, dataclasses.replace(SandboxOwner.here(), start=1)
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


# --- packages that are installed while it runs ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
def test_a_running_sandbox_has_what_was_installed_and_cannot_change_it(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    executor = make(python="full")
    agent = CodeAgent([], ScriptedModel(), sandbox=executor)
    executor("kept = 1")
    assert executor.site().has_module("json")
    with closing(plots()) as index, closing(agent.installs.packages):
        configure(monkeypatch, index, tmp_path, TOOLS[0])
        plan = asyncio.run(agent.installs.install(["tinyplots"]))
        assert [each.package.version for each in plan.found] == ["1.0"]
        assert executor("import tinyplots_core; [kept, tinyplots_core.draw()]").output == [1, "tiny"]
        where = executor("tinyplots_core.__file__").output
        for path in (where, f"{Path(where).parent}/more.py"):
            with pytest.raises(InterpreterError, match=r"Read-only file system|Permission denied"):
                executor(f"open({path!r}, 'w')")
        again = make(python="full")
        again.packages = agent.installs.packages
        assert again("import tinyplots_core; tinyplots_core.draw()").output == "tiny"


@pytest.mark.slow
def test_a_program_that_fails_there_says_why(make: Make) -> None:
    executor = make()
    executor("1")
    channel = executor._channel
    assert channel is not None
    assert channel.machine.execute("printf 'a\\nb\\n'").split() == ["a", "b"]
    with pytest.raises(SandboxError, match="no disk"):
        channel.machine.execute("echo no disk >&2; exit 3")
