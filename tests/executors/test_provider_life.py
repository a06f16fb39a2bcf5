"""A provider's sandbox ends with its kernel, however that ends; it is listed, and swept if its kernel is gone. Over the stand-ins."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

import e2b_code_interpreter
import pytest
from engines import dead, end, kernel
from local_parts import programs
from processes import below, eventually, living
from provider_parts import KINDS, Make, fixtures
from stand_in import Service

from smolcell.errors import SandboxError, SmolcellError
from smolcell.executors import inventory, reaper
from smolcell.executors.cloud.channel import END, environment
from smolcell.executors.cloud.e2b import E2B
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxSpec, find_provider, labels
from smolcell.executors.registry import SandboxOwner, open_sandboxes
from smolcell.notebook import activity
from smolcell.notebook.activity import Kernel

PROGRAMS = programs("sandbox_programs.txt")

kind, service, make = fixtures("e2b", "blaxel", "modal")

POINTS = 25 if os.environ.get("SMOLCELL_FULL") else 2
LIFETIME = 15  # seconds: what the service is told, where the end is left to it
LONG = 300  # seconds: the same, where it is the reaper that ends the sandbox
LATEST = 1.0  # seconds at which a kernel is killed, after it begins to open a sandbox, or has opened one


def host(kind: str, lifetime: int, *says: str) -> subprocess.Popen[str]:
    """A kernel with a sandbox in it."""
    program = PROGRAMS["kernel at a provider"].format(name=KINDS[kind][0].__name__)
    return kernel(program, str(lifetime), says=says)


@pytest.mark.timeout(1800)
@pytest.mark.slow
def test_a_killed_kernel_leaves_no_sandbox_at_a_provider(service: Service, kind: str) -> None:
    """However far it is: the reaper asks for the end, long before the service's own time-out."""
    chance = random.Random(17)
    for point in range(POINTS):
        process = host(kind, LONG, *["begun", "open"][: 1 + point % 2])
        assert point % 2 == 0 or service.alive()
        time.sleep(chance.uniform(0, LATEST))
        end(process)
        since = time.monotonic()
        assert eventually(lambda: not service.alive(), LONG / 3)
        print(f"{kind}, killed {'open' if point % 2 else 'opening'}: gone after {time.monotonic() - since:.1f} s")


def test_sandboxes_are_listed_and_only_those_of_dead_kernels_are_ended(make: Make, service: Service, kind: str) -> None:
    executor = make(lifetime=60)
    executor("1")
    (mine,) = service.alive()
    gone, other = (
        find_provider(kind).create(SandboxSpec(labels={**labels(token * 32), **dead().labels()})).name for token in "01"
    )
    found = {each.name: each for each in inventory.find()[0] if each.kind == kind}
    assert {name: each.gone for name, each in found.items()} == {mine: False, gone: True, other: True}
    assert {each.mine for each in found.values()} == {True}
    assert found[mine].owner == f"{SandboxOwner.here().name}, kernel pid-{os.getpid()}"
    assert 0 <= found[mine].age < 600 and found[mine].memory is None  # the provider does not tell
    mine_here = Kernel("k", os.getpid(), SandboxOwner.here().start, (), open_sandboxes())
    assert {each.name: each.state for each in activity.with_states(found.values(), [mine_here])} == {
        mine: "idle",
        gone: "its kernel is gone",
        other: "its kernel is gone",
    }
    row = next(line for line in inventory.table(list(found.values())).splitlines() if gone in line)
    assert "gone (clean up: smolcell sandboxes --clean)" in row
    assert inventory.end(kind, gone) and not inventory.end(kind, gone)
    ended, _ = inventory.clean()
    assert [each.name for each in ended if each.kind == kind] == [other]
    assert service.alive() == {mine}
    assert executor("2").output == 2


# --- E2B's, which asks for each renewal: what the reaper runs, and what a list may say ----------------------------------

of_e2b = pytest.mark.parametrize("kind", ["e2b"], indirect=True, scope="module")


@of_e2b
@pytest.mark.slow
def test_a_kernel_that_is_killed_together_with_its_reaper_leaves_the_rest_to_the_server(service: Service) -> None:
    assert eventually(lambda: not service.alive(), 60)
    process = host("e2b", LIFETIME, "begun", "open")
    (sandbox,) = service.sandboxes()
    for pid in below(process.pid) - {process.pid}:
        os.kill(pid, signal.SIGKILL)
    end(process)
    (found,) = [each for each in inventory.find()[0] if each.kind == "e2b"]
    assert (found.name, found.gone, found.state) == (sandbox["sandboxID"], True, "running")
    assert found.ends.startswith("ends in ") and found.ends.endswith(" s unless it is renewed")
    assert eventually(lambda: not service.alive(), 60)
    assert eventually(lambda: not living(set(sandbox["pids"])), 60)


def create(token: str) -> Any:
    """A sandbox of this process with this token."""
    return E2B().create(SandboxSpec(lifetime=60, labels=labels(token * 32)))


@of_e2b
def test_a_paused_sandbox_of_a_dead_kernel_is_listed_and_ended(service: Service) -> None:
    machine = E2B().create(SandboxSpec(labels={**labels("0" * 32), **dead().labels()}))
    machine.pause()
    (found,) = [each for each in inventory.find()[0] if each.kind == "e2b"]
    assert (found.state, found.ends, found.gone) == ("paused", "no time-out", True)
    (told,) = activity.with_states([found], [])
    assert told.state == "paused, its kernel is gone"
    assert [each.name for each in inventory.clean()[0] if each.kind == "e2b"] == [machine.name]


@of_e2b
@pytest.mark.slow
def test_what_the_reaper_runs_finds_a_sandbox_by_its_token_also_one_that_is_just_being_made(service: Service) -> None:
    environ = {**environment(E2B()), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert environ["E2B_API_KEY"] and "PYTEST_CURRENT_TEST" not in environ
    other = create("8")
    program = subprocess.Popen([sys.executable, "-c", reaper.PROGRAM, END, "e2b", "7" * 32], env=environ, cwd="/")
    create("7")
    assert program.wait(120) == 0
    assert service.alive() == {other.name}
    other.kill(5.0)


@of_e2b
@pytest.mark.parametrize("failures", [2, 1000])
def test_what_the_reaper_runs_asks_again_where_the_service_does_not_answer_but_not_for_ever(
    service: Service, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    machine = create("6")
    listed, tried = E2B.listed, iter([ProviderUnreachable("no route"), SandboxError("too many requests")] * failures)

    def sometimes(self: E2B, wanted: Mapping[str, str]) -> Any:
        for error in tried:
            raise error
        return listed(self, wanted)

    monkeypatch.setattr(E2B, "listed", sometimes)
    monkeypatch.setattr(reaper, "RETRY_INTERVAL", 0.01)
    if failures == 2:
        reaper.main(END, "e2b", "6" * 32)
        assert service.alive() == set()
    else:
        monkeypatch.setattr(reaper, "TRYING", 0.05)
        with pytest.raises(SandboxError, match=r"no route|too many requests"):
            reaper.main(END, "e2b", "6" * 32)
        machine.kill(5.0)


@of_e2b
def test_a_service_that_lists_more_than_was_asked_for_does_not_end_sandboxes_of_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the reaper runs ends all that is listed: it must be what was asked for, whatever the service makes of the question."""
    other = create("8")
    create("7")
    listing = e2b_code_interpreter.Sandbox.list
    monkeypatch.setattr(e2b_code_interpreter.Sandbox, "list", lambda **words: listing(**{**words, "query": None}))
    reaper.main(END, "e2b", "7" * 32)
    assert service.alive() == {other.name}
    other.kill(5.0)


@of_e2b
def test_a_service_that_fails_may_have_the_sandbox_still_and_a_killed_one_is_gone(service: Service) -> None:
    machine = create("5")
    assert machine.network() == ""
    service.refuse(500, "broken", "/sandboxes/")
    with pytest.raises(ProviderUnreachable, match="500: broken"):
        machine.renew(60)
    for _ in range(2):  # a second end is harmless
        machine.kill(5.0)
    assert service.alive() == set()
    with pytest.raises(SmolcellError, match="its sandbox at E2B is gone"):
        machine.renew(60)


@of_e2b
def test_a_list_that_is_no_list_of_sandboxes_is_a_clear_error(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pages:
        has_next = True

        def next_items(self) -> list[object]:
            return [object()]

    monkeypatch.setattr(e2b_code_interpreter.Sandbox, "list", lambda **words: Pages())
    with pytest.raises(ProviderUnreachable, match="AttributeError"):
        E2B().listed({})
    assert any(each.startswith("no sandboxes of E2B listed: it cannot be reached") for each in inventory.find_far()[1])
