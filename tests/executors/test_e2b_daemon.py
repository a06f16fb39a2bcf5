"""The daemon in E2B's sandboxes since version 0.6, over the stand-in: keepalives, the kept end of a program, the end of a killed one."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator

import pytest
from e2b.sandbox_sync.commands import command
from e2b_service import E2BService
from provider_parts import Make, fixtures

from smolcell.errors import SandboxDiedError
from smolcell.executors.cloud.e2b import E2BMachine
from smolcell.executors.cloud.provider import SandboxGone

service, make = fixtures("e2b")


@pytest.fixture
def machine(make: Make) -> E2BMachine:
    """That of a sandbox that is there, which holds the version of the daemon that was copied."""
    executor = make()
    executor("pass")
    assert executor._channel is not None
    found = executor._channel.machine
    assert isinstance(found, E2BMachine)
    assert str(found._sandbox._envd_version) == "0.6.13"
    return E2BMachine(found._service, found._sandbox)


def python(machine: E2BMachine, program: str) -> Iterator[tuple[str, str]]:
    machine.start(f"exec {shlex.quote(sys.executable)} -c {shlex.quote(program)}")
    return machine.output()


def test_a_quiet_step_gets_over_the_keepalives_that_the_request_asks_for(
    make: Make, service: E2BService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "KEEPALIVE_PING_INTERVAL_SEC", 0.125)
    executor = make()
    executor("pass")
    before = len(service.keepalives())
    assert executor("import time\ntime.sleep(0.6)\nprint('said')\n7").output == 7
    assert set(service.keepalives()) == {0.125}
    assert len(service.keepalives()) > before


def test_the_end_of_a_program_is_told_to_who_listens_later_and_then_it_is_unknown(
    machine: E2BMachine, service: E2BService
) -> None:
    assert list(python(machine, "raise SystemExit(3)")) == [("end", "3")]
    assert list(machine.output()) == [("begun", ""), ("end", "3")]
    service.keep_ends(0.0)
    try:
        with pytest.raises(SandboxGone, match=r"its program .* has ended .*not found.*; run the step again"):
            list(machine.output())
    finally:
        service.keep_ends(30.0)


def test_a_worker_whose_end_was_forgotten_is_named_and_the_next_step_has_a_new_sandbox(
    make: Make, service: E2BService
) -> None:
    executor = make()
    executor("kept = 1")
    assert executor._channel is not None
    pid = executor._channel.machine._pid

    def end_unheard() -> None:
        service.cut(1.0)
        os.kill(pid, signal.SIGKILL)

    executor.send_tools({"end_unheard": end_unheard})
    service.keep_ends(0.0)
    try:
        with pytest.raises(SandboxDiedError, match=r"has ended \(process with pid \d+ not found\); run the step"):
            executor("end_unheard()\nwhile True: pass")
    finally:
        service.keep_ends(30.0)
    assert executor("'kept' in dir()").output is False


def test_the_end_of_a_killed_program_is_told_while_another_process_holds_its_pipes(machine: E2BMachine) -> None:
    program = (
        "import os, subprocess\nsubprocess.Popen(['sleep', '60'])\nprint('said', flush=True)\nos.kill(os.getpid(), 9)"
    )
    began = time.monotonic()
    said = list(python(machine, program))
    assert said == [("out", "said\n"), ("end", "-9")]
    assert time.monotonic() - began < 30
