"""Sandboxes at E2B end with their kernel, however it ends; others see them, and a sweep takes the leftovers. Over the stand-in."""

from __future__ import annotations

import dataclasses
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from processes import below, eventually, living
from provider_parts import E2BInTests, running
from stand_in import Service

from smolcell import activity
from smolcell.activity import Kernel
from smolcell.errors import SandboxError, SmolcellError
from smolcell.executors import cleanup, inventory
from smolcell.executors.cloud.channel import END, environment
from smolcell.executors.cloud.e2b import E2B
from smolcell.executors.cloud.provider import KIND, TOKEN, ProviderUnreachable, SandboxSpec, labels
from smolcell.executors.docker.containers import Owner
from smolcell.executors.registry import open_sandboxes

POINTS = 50 if os.environ.get("SMOLCELL_FULL") else 5
LIFETIME = 15  # seconds: what the service is told, where the end is left to it
LONG = 90  # seconds: the same, where the reaper is to be seen ending it, on a slow machine too
LATEST = 1.0  # seconds at which a kernel is killed, after it begins to open a sandbox, or has opened one
HOST = """
import sys
import e2b_code_interpreter
from smolcell.executors.cloud.e2b import E2BExecutor
executor = E2BExecutor(interpreter=sys.executable, lifetime=int(sys.argv[1]), timeout=600)
print("begun", flush=True)
executor("pass")
print("open", flush=True)
executor("while True: pass")
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running("e2b") as found:
        yield found


def host(lifetime: int) -> subprocess.Popen[bytes]:
    """A kernel with a sandbox in it."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", HOST, str(lifetime)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, start_new_session=True)


def said(process: subprocess.Popen[bytes], word: str) -> None:
    """Wait until a kernel says how far it is."""
    assert process.stdout is not None
    assert process.stdout.readline() == f"{word}\n".encode()


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@pytest.mark.timeout(1200)
@pytest.mark.slow
def test_a_killed_kernel_leaves_no_sandbox_whenever_it_is_killed(service: Service) -> None:
    """However far it is: the reaper asks for the end, long before the service's own time-out."""
    chance = random.Random(17)
    seen = 0
    for point in range(POINTS):
        process = host(LONG)
        said(process, "begun")
        if point % 2:
            said(process, "open")
        time.sleep(chance.uniform(0, LATEST))
        seen += bool(service.alive())
        kill(process)
        since = time.monotonic()
        assert eventually(lambda: not service.alive(), LONG + 30)
        print(f"e2b, killed {'open' if point % 2 else 'opening'}: gone after {time.monotonic() - since:.1f} s")
    assert seen >= POINTS // 2
    assert (
        len([each for each in service.requests() if each["method"] == "DELETE"]) >= seen
    )  # nobody waited for the time-out


@pytest.mark.slow
def test_a_kernel_that_is_killed_together_with_its_reaper_leaves_the_rest_to_the_server(service: Service) -> None:
    assert eventually(
        lambda: E2B().listed({}) == [], 60
    )  # the SDK takes seconds to import, and the sandbox does not wait
    process = host(LIFETIME)
    said(process, "begun")
    said(process, "open")
    (sandbox,) = service.sandboxes()
    since = time.monotonic()
    for pid in below(process.pid) - {process.pid}:
        os.kill(pid, signal.SIGKILL)
    kill(process)
    listed, _ = inventory.find()
    (found,) = [each for each in listed if each.kind == "e2b"]
    assert (found.name, found.gone) == (sandbox["sandboxID"], True)
    assert found.state == "running"
    assert found.ends.startswith("ends in ") and found.ends.endswith(" s unless it is renewed")
    assert eventually(lambda: not service.alive(), 60)
    assert time.monotonic() - since < LIFETIME + 30
    assert eventually(lambda: not living(set(sandbox["pids"])))


# --- seen, and swept -----------------------------------------------------------------------------------------------------


def dead() -> Owner:
    """The owner that a process was which has ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    child.communicate()
    return dataclasses.replace(Owner.here(), pid=child.pid, start=int(start))


def leftover(paused: bool = False) -> str:
    """A sandbox of a kernel that is gone; its name."""
    machine = E2B().create(SandboxSpec(lifetime=60, labels={**labels("0" * 32), **dead().labels()}))
    if paused:
        machine.pause()
    return machine.name


def test_sandboxes_are_listed_and_only_those_of_dead_kernels_are_ended(service: Service) -> None:
    with E2BInTests(lifetime=60) as executor:
        executor("1")
        (mine,) = service.alive()
        gone, paused = leftover(), leftover(paused=True)
        found = {each.name: each for each in inventory.find()[0] if each.kind == "e2b"}
        assert {name: each.gone for name, each in found.items()} == {mine: False, gone: True, paused: True}
        assert found[mine].image == "code-interpreter-v1"
        assert found[mine].owner == f"{Owner.here().name}, kernel pid-{os.getpid()}"
        assert 0 <= found[mine].age < 600 and found[mine].memory is None  # the provider does not tell
        assert (found[paused].state, found[paused].ends) == ("paused", "no time-out")
        here = Owner.here()
        said = Kernel("k", here.pid, here.start, (), open_sandboxes())
        assert {each.name: each.state for each in activity.with_states(found.values(), [said])} == {
            mine: "idle",
            gone: "its kernel is gone",
            paused: "paused, its kernel is gone",
        }
        row = next(line for line in inventory.table(list(found.values())).splitlines() if gone in line)
        assert "gone (clean up: smolcell sandboxes --clean)" in row
        assert {name for name, each in found.items() if each.mine} == {mine, gone, paused}
        assert inventory.end("e2b", gone) and not inventory.end("e2b", gone)
        gone = leftover()
        ended, _ = inventory.clean()
        assert {each.name for each in ended if each.kind == "e2b"} == {gone, paused}
        assert service.alive() == {mine}
        assert executor("2").output == 2


def test_without_a_key_the_service_is_not_asked(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = len(service.requests())
    monkeypatch.delenv("E2B_API_KEY")
    _, remarks = inventory.find()
    assert len(service.requests()) == asked
    assert not any("E2B" in remark for remark in remarks)


def test_a_service_that_does_not_answer_is_a_remark(service: Service) -> None:
    service.refuse(401, "no", times=1)
    found, remarks = inventory.find()
    assert not [each for each in found if each.kind == "e2b"]
    assert any(
        remark.startswith("no sandboxes of E2B listed: E2B refuses the key in E2B_API_KEY") for remark in remarks
    )


def test_a_long_list_is_read_to_its_end(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    import e2b_code_interpreter

    made = {E2B().create(SandboxSpec(lifetime=60, labels={KIND: "test", TOKEN: "a b@c:d&e=ü"})).name for _ in range(5)}
    listing = e2b_code_interpreter.Sandbox.list
    monkeypatch.setattr(
        e2b_code_interpreter.Sandbox, "list", lambda **words: listing(**{**words, "limit": 2}), raising=True
    )
    try:
        assert {each.name for each in E2B().listed({TOKEN: "a b@c:d&e=ü"})} == made
        assert E2B().listed({TOKEN: "another"}) == []
    finally:
        assert [E2B().end(name) for name in made] == [True] * 5
    assert not E2B().end("no-such")


def test_what_the_reaper_runs_finds_a_sandbox_by_its_token_also_one_that_is_just_being_made(service: Service) -> None:
    token = "7" * 32
    environ = {**environment(E2B()), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert environ["E2B_API_KEY"] and "PYTEST_CURRENT_TEST" not in environ
    other = E2B().create(SandboxSpec(lifetime=60, labels=labels("8" * 32)))
    program = subprocess.Popen([sys.executable, "-c", cleanup.PROGRAM, END, "e2b", token], env=environ, cwd="/")
    E2B().create(SandboxSpec(lifetime=60, labels=labels(token)))
    assert program.wait(60) == 0
    assert service.alive() == {other.name}
    other.kill(5.0)


def test_what_the_reaper_runs_asks_again_where_the_service_does_not_answer(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "6" * 32
    E2B().create(SandboxSpec(lifetime=60, labels=labels(token)))
    listed, tried = E2B.listed, iter([ProviderUnreachable("no route"), SandboxError("too many requests")])

    def sometimes(self: E2B, wanted: Mapping[str, str]) -> Any:
        for error in tried:
            raise error
        return listed(self, wanted)

    monkeypatch.setattr(E2B, "listed", sometimes)
    monkeypatch.setattr(cleanup, "RETRY_INTERVAL", 0.01)
    cleanup.main(END, "e2b", token)
    assert service.alive() == set()


def test_a_service_that_never_answers_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(self: E2B, wanted: Mapping[str, str]) -> Any:
        raise ProviderUnreachable("no route")

    monkeypatch.setattr(E2B, "listed", never)
    monkeypatch.setattr(cleanup, "TRYING", 0.05)
    monkeypatch.setattr(cleanup, "RETRY_INTERVAL", 0.01)
    with pytest.raises(ProviderUnreachable, match="no route"):
        cleanup.main(END, "e2b", "6" * 32)


def test_a_service_that_lists_more_than_was_asked_for_does_not_end_sandboxes_of_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the reaper runs ends all that is listed: it must be what was asked for, whatever the service makes of the question."""
    import e2b_code_interpreter

    other = E2B().create(SandboxSpec(lifetime=60, labels=labels("8" * 32)))
    E2B().create(SandboxSpec(lifetime=60, labels=labels("7" * 32)))
    listing = e2b_code_interpreter.Sandbox.list
    monkeypatch.setattr(e2b_code_interpreter.Sandbox, "list", lambda **words: listing(**{**words, "query": None}))
    cleanup.main(END, "e2b", "7" * 32)
    assert service.alive() == {other.name}
    other.kill(5.0)


def test_a_service_that_fails_may_have_the_sandbox_still(service: Service) -> None:
    machine = E2B().create(SandboxSpec(lifetime=60, labels=labels("5" * 32)))
    service.refuse(500, "broken", "/sandboxes/")
    with pytest.raises(ProviderUnreachable, match="500: broken"):
        machine.renew(60)
    machine.kill(5.0)
    assert service.alive() == set()


def test_a_killed_machine_is_gone_and_a_second_end_is_harmless(service: Service) -> None:
    machine = E2B().create(SandboxSpec(lifetime=60, labels=labels("9" * 32)))
    assert machine.network() == ""
    machine.kill(5.0)
    machine.kill(5.0)
    with pytest.raises(SmolcellError, match="its sandbox at E2B is gone"):
        machine.renew(60)


def test_a_list_that_is_no_list_of_sandboxes_is_a_clear_error(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    import e2b_code_interpreter

    class Pages:
        has_next = True

        def next_items(self) -> list[object]:
            return [object()]

    monkeypatch.setattr(e2b_code_interpreter.Sandbox, "list", lambda **words: Pages())
    with pytest.raises(ProviderUnreachable, match="AttributeError"):
        E2B().listed({})
    assert any(each.startswith("no sandboxes of E2B listed: it cannot be reached") for each in inventory.find_far()[1])
