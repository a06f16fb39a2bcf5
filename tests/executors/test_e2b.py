"""What only E2B has: leases, a key that is refused in mid-step, sandboxes that are paused, the daemon in them. Over the stand-in."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from e2b.sandbox_sync.commands import command
from e2b_service import KEY, E2BService
from local_parts import programs
from processes import eventually
from provider_parts import E2BInTests, Make, fixtures
from stand_in import Service

from smolcell import CodeAgent
from smolcell.errors import InterpreterError, SandboxDiedError, SandboxError
from smolcell.executors import cloud as remote
from smolcell.executors.cloud import RemoteExecutor, channel
from smolcell.executors.cloud.channel import OutputReader, RemoteSandbox
from smolcell.executors.cloud.e2b import E2BMachine
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxGone
from smolcell.testing import ScriptedModel, allow_all
from smolcell.worker import cloud

PROGRAMS = programs("sandbox_programs.txt")

kind, service, make = fixtures("e2b")

# --- while it is there ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_sandbox_whose_time_has_passed_says_so(make: Make, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RemoteSandbox, "keep_alive", lambda *_: None)  # as on a machine that sleeps
    executor = make()
    executor("kept = 1")
    executor._channel.machine.renew(1)
    with pytest.raises(SandboxDiedError, match="its lease was not renewed"):
        executor("while True: pass")
    assert executor("2").output == 2
    service.end(*service.alive())
    assert eventually(lambda: executor._connection is None, 60)  # with nothing under way
    after = executor("'kept' in dir()")
    assert (after.output, after.state_lost) == (False, True)


@pytest.mark.slow
def test_a_key_that_is_refused_in_mid_step_ends_the_step_and_says_so(make: Make, service: Service) -> None:
    """Of what is sent, heard, renewed and ended then, nothing may leave the step without an end."""
    executor = make()
    executor("pass")
    executor.send_tools({"refuse": lambda: service.refuse(401, "revoked", "/process.Process/SendInput", times=1000)})
    with pytest.raises(SandboxDiedError, match=r"E2B refuses the key in E2B_API_KEY \(.*revoked"):
        executor("refuse()\nwhile True: pass")
    service.forgive()
    assert executor("2").output == 2


@pytest.mark.slow
def test_half_a_line_may_arrive_before_the_network_is_lost(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = make()
    executor("kept = 1")
    machine, torn = executor._channel.machine, list[bytes]()
    send = machine.send

    def by_half(data: bytes) -> None:
        if len(torn) == 2:
            send(data)
            return
        torn.append(data)
        send(data[: len(data) // 2])
        raise ProviderUnreachable("reset by peer")

    monkeypatch.setattr(machine, "send", by_half)
    assert executor("kept").output == 1
    assert len(torn) == 2


def test_large_values_get_through_a_network_that_breaks_again_and_again(make: Make, service: Service) -> None:
    executor = make()
    executor("pass")
    over = threading.Event()

    def break_it() -> None:
        for _ in range(8):  # not without end: a slow machine must get through in between
            if over.wait(0.4):
                return
            service.cut()

    breaking = threading.Thread(target=break_it)
    breaking.start()
    try:
        executor.send_variables({"data": bytes(range(256)) * 16_000})
        found = executor("for n in range(200): print(n, '.' * 50)\n[len(data), data[5], 'y' * 900_000]")
    finally:
        over.set()
        breaking.join()
    assert found.output == [4_096_000, 5, "y" * 900_000]
    assert found.stdout == "".join(f"{n} {'.' * 50}\n" for n in range(200))


@pytest.mark.slow
def test_a_network_that_does_not_come_back_ends_the_step_and_the_server_ends_the_sandbox(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(remote, "MIN_LIFETIME", 1)
    monkeypatch.setattr(channel, "RECONNECT_SECONDS", 1.0)
    executor = make(lifetime=6)
    executor("pass")
    (name,) = service.alive()
    executor.send_tools({"cut": lambda: service.cut(600.0)})
    with pytest.raises(SandboxDiedError, match=r"no connection to its sandbox at E2B for 1 s .*; run the step again"):
        executor("cut()\nwhile True: pass")
    assert f"could not end {name} yet" in caplog.text and "E2B ends it after 6 s" in caplog.text
    assert eventually(lambda: name not in service.alive(), 60)


# --- paused --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_paused_sandbox_is_frozen_and_goes_on_with_all_it_had(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MIN_LIFETIME", 1)
    executor = make(lifetime=5)
    executor("kept = [1, 2]")
    executor.pause()
    executor.pause()
    (paused,) = service.sandboxes()
    assert paused["state"] == "paused"
    assert eventually(lambda: {state(pid) for pid in paused["pids"]} == {"T"}, 60)
    given = datetime.fromisoformat(paused["endAt"].replace("Z", "+00:00"))
    assert eventually(lambda: datetime.now(UTC) > given, 60)  # its lifetime has passed: a paused one has none
    assert executor("kept.append(3)\nkept").output == [1, 2, 3]
    assert [each["state"] for each in service.sandboxes()] == ["running"]


def state(pid: int) -> str:
    """Whether a process runs (R), sleeps (S), is stopped (T), …"""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def test_pausing_has_its_time_and_closing_ends_a_paused_one(make: Make, service: Service) -> None:
    executor = make()
    with pytest.raises(SandboxError, match="is not running; run a step first"):
        executor.pause()
    executor.send_tools({"pause": executor.pause})
    with pytest.raises(InterpreterError, match="'e2b' is running a step; pause it when the step has ended"):
        executor("pause()")
    executor.pause()
    executor.close()
    assert service.alive() == set()


@pytest.mark.slow
def test_a_paused_sandbox_that_is_gone_or_out_of_reach_says_so_and_does_not_hold_up_the_next_step(
    make: Make, service: Service
) -> None:
    executor = make()
    executor("kept = 1")
    executor.pause()
    service.refuse(503, "busy", path="/v2/sandboxes/", times=4)
    with pytest.raises(SandboxError, match=r"E2B cannot be reached to resume the sandbox \(.*\); run the step again"):
        executor("kept")
    assert executor("kept").output == 1
    executor.pause()
    service.end(*service.alive())
    with pytest.raises(SandboxDiedError, match="its sandbox at E2B is gone"):
        executor("kept")
    assert executor("2").output == 2


# --- the key -------------------------------------------------------------------------------------------------------------


def test_the_key_goes_to_the_service_and_nowhere_else(make: Make, service: Service) -> None:
    executor = make(additional_authorized_imports=["*"])
    found = executor("import os\ndict(os.environ)").output
    assert KEY not in str(found) and not [name for name in found if name.startswith("E2B")]
    (sandbox,) = service.sandboxes()
    assert sandbox["pids"]
    for pid in sandbox["pids"]:
        assert KEY.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
        assert KEY.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert KEY not in str(service.requests())
    assert KEY not in repr(executor.boundary())


def test_no_journal_holds_the_key_and_an_agent_takes_the_sandbox_by_its_name(service: Service) -> None:
    model = ScriptedModel(
        "<code>\nimport math\nprint(math.tau)\n</code>", "<code>\nfinal_answer(math.floor(math.tau))\n</code>"
    )
    words = {"interpreter": sys.executable, "template": "base"}
    with CodeAgent(tools=[], model=model, executor_type="e2b", executor_kwargs=words, gate=allow_all) as agent:
        assert agent.run("What is it?") == 6
        assert [each["alias"] for each in service.sandboxes()] == ["base"]
        journal = agent.journal.path.read_text()
    assert "a sandbox of E2B (base)" in journal and KEY not in journal
    assert service.alive() == set()


# --- hostile code --------------------------------------------------------------------------------------------------------


@pytest.fixture
def unguarded(make: Make, monkeypatch: pytest.MonkeyPatch) -> RemoteExecutor:
    """Without the guard, as for code that has broken it."""
    options = E2BInTests._options
    monkeypatch.setattr(E2BInTests, "_options", lambda self: {**options(self), "guard": False})
    return make()


FORGED = cloud.write(cloud.DATA, 1, b"x") + cloud.write(cloud.HAVE, 9_999_999) + cloud.write(cloud.RESEND, 0)


def test_what_code_prints_is_never_a_line_of_the_stream(unguarded: RemoteExecutor) -> None:
    found = unguarded(f"import os\nos.write(1, {FORGED!r})\nos.write(2, {FORGED!r})\nkept = 3")
    assert found.stdout == 2 * FORGED.decode()
    assert unguarded("kept").output == 3


def test_code_that_broke_the_guard_finds_no_process_of_the_stream(unguarded: RemoteExecutor) -> None:
    found = unguarded(PROGRAMS["find the stream"])
    assert (found.output, found.stdout) == ("over", "")
    assert unguarded("1 + 1").output == 2


def test_a_stream_that_is_no_stream_of_lines_is_heard_in_bounds() -> None:
    """Sixty megabytes without the end of a line, then a true one: no more is kept than a line may be long."""
    said = [("out", "x" * (1 << 20))] * 64 + [("end", "0")]
    lines, listening = cloud.LineReader(), OutputReader(SimpleNamespace(output=lambda: iter(said)))
    while (said := listening.next(30))[0] == "out":
        assert lines.feed(said[1].encode()) == []
        assert len(lines._rest) <= cloud.MAX_LINE_BYTES
    assert said == ("end", "0")


# --- its daemon since version 0.6: keepalives, the kept end of a program, the end of a killed one ------------------------


@pytest.fixture
def machine(make: Make) -> E2BMachine:
    """That of a sandbox that is there, which holds the version of the daemon that was copied."""
    executor = make()
    executor("pass")
    found = executor._channel.machine
    assert str(found._sandbox._envd_version) == "0.6.13"
    return E2BMachine(found._service, found._sandbox)


def python(machine: E2BMachine, program: str) -> Iterator[tuple[str, str]]:
    machine.start(f"exec {shlex.quote(sys.executable)} -c {shlex.quote(program)}")
    return machine.output()


@pytest.mark.slow
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
    with pytest.raises(SandboxGone, match=r"its program .* has ended .*not found.*; run the step again"):
        list(machine.output())


@pytest.mark.slow
def test_a_worker_whose_end_was_forgotten_is_named_and_the_next_step_has_a_new_sandbox(
    make: Make, service: E2BService
) -> None:
    executor = make()
    executor("kept = 1")
    pid = executor._channel.machine._pid

    def end_unheard() -> None:
        service.cut(1.0)
        os.kill(pid, signal.SIGKILL)

    executor.send_tools({"end_unheard": end_unheard})
    service.keep_ends(0.0)
    with pytest.raises(SandboxDiedError, match=r"has ended \(process with pid \d+ not found\); run the step"):
        executor("end_unheard()\nwhile True: pass")
    assert executor("'kept' in dir()").output is False


@pytest.mark.slow
def test_the_end_of_a_killed_program_is_told_while_another_process_holds_its_pipes(machine: E2BMachine) -> None:
    began = time.monotonic()
    program = (
        "import os, subprocess\nsubprocess.Popen(['sleep', '600'])\nprint('said', flush=True)\nos.kill(os.getpid(), 9)"
    )
    assert list(python(machine, program)) == [("out", "said\n"), ("end", "-9")]
    assert time.monotonic() - began < 300
