"""What goes wrong at E2B is a clear error with what to type next, or is got over; and nothing is left. Over the stand-in."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from e2b_service import KEY
from processes import eventually
from provider_parts import E2BInTests, Make, fixtures, refusal
from stand_in import Service

from smolcell import CodeAgent
from smolcell.errors import SandboxBusyError, SandboxDiedError, SandboxError, SetupError
from smolcell.executors import cloud as remote
from smolcell.executors.cloud import channel
from smolcell.executors.cloud.channel import OutputReader, RemoteChannel
from smolcell.executors.cloud.provider import ProviderUnreachable
from smolcell.executors.reaper import reaper
from smolcell.testing import ScriptedModel, allow_all
from smolcell.worker import cloud

service, make = fixtures("e2b")


@pytest.fixture
def nothing_registered() -> Iterator[None]:
    before = set(reaper._entries)
    yield
    assert set(reaper._entries) == before


# --- before it is there --------------------------------------------------------------------------------------------------


def test_without_the_sdk_the_error_says_what_to_install(
    make: Make, service: Service, nothing_registered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "e2b_code_interpreter", None)
    asked = len(service.requests())
    said = refusal(make(), SetupError)
    assert said.startswith("E2B's SDK is not installed")
    assert said.endswith("type: pip install 'e2b-code-interpreter>=2.11'")
    assert len(service.requests()) == asked


def test_without_a_key_nothing_is_asked(
    make: Make, service: Service, nothing_registered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("E2B_API_KEY")
    asked = len(service.requests())
    said = refusal(make(), SetupError)
    assert said == "there is no key for E2B; get one at e2b.dev and type: export E2B_API_KEY=…"
    assert len(service.requests()) == asked


def test_a_wrong_key_is_named_by_its_variable_and_not_shown(
    make: Make, service: Service, nothing_registered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "e2b_" + "7" * 40
    monkeypatch.setenv("E2B_API_KEY", wrong)
    service.refuse(401, f"the key {wrong} is not known")
    said = refusal(make(), SetupError)
    assert said.startswith("E2B refuses the key in E2B_API_KEY (401: Unauthorized")
    assert said.endswith("get one at e2b.dev and type: export E2B_API_KEY=…")
    assert "the key [E2B_API_KEY] is not known" in said and wrong not in said


def test_a_quota_says_what_can_be_done(make: Make, service: Service, nothing_registered: None) -> None:
    service.refuse(429, "you have reached the maximum number of concurrent E2B sandboxes (20)", times=4)
    said = refusal(make(), SandboxError)
    assert (
        "allows no more sandboxes or requests now" in said and "maximum number of concurrent E2B sandboxes (20)" in said
    )
    assert "smolcell sandboxes --clean" in said


def test_an_unknown_template_is_named(make: Make, nothing_registered: None) -> None:
    said = refusal(make(template="no-such"), SetupError)
    assert said.startswith("E2B has no template 'no-such' for this key")
    assert said.endswith("e2b template list")


def test_a_variant_is_the_template(make: Make, service: Service) -> None:
    executor = make(variant="base")
    assert executor("1").output == 1
    assert [each["alias"] for each in service.sandboxes()] == ["base"]
    assert executor.boundary().where == f"a sandbox of E2B (base): {next(iter(service.alive()))}"


def test_no_network_at_all(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("E2B_API_URL", "http://127.0.0.1:9")  # no one listens there
    said = refusal(make(lifetime=60), SandboxError)
    assert said.startswith("E2B cannot be reached (")
    assert "E2B ends it after 60 s" in said and said.endswith("use: --sandbox local")


@pytest.mark.parametrize(
    ("python", "said"),
    [("no-such-python", "no-such-python"), ("false", "its program in the sandbox ended with exit code 1")],
)
def test_a_sandbox_in_which_python_does_not_start(make: Make, nothing_registered: None, python: str, said: str) -> None:
    assert said in refusal(make(interpreter=python), SandboxError)


def test_a_worker_that_did_not_arrive_as_it_was_sent_is_not_run(
    make: Make, nothing_registered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "worker_zip", lambda: b"PK\5\6" + bytes(18))
    command = channel.command
    monkeypatch.setattr(
        channel, "command", lambda folder, archive, digest, python: command(folder, archive, "0" * 64, python)
    )
    assert "the worker did not arrive as it was sent" in refusal(make(), SandboxError)


def test_a_lifetime_has_bounds() -> None:
    for lifetime in (1, 100_000):
        with pytest.raises(SetupError, match="write for example: lifetime=120"):
            E2BInTests(lifetime=lifetime)


# --- while it is there ---------------------------------------------------------------------------------------------------


def test_a_sandbox_that_goes_in_mid_step_ends_the_step_and_the_next_one_has_a_new_one(
    make: Make, service: Service
) -> None:
    executor = make()
    first = executor("kept = 1") and service.alive()
    executor.send_tools({"end": lambda: service.end(*first)})
    with pytest.raises(SandboxDiedError, match=r"its sandbox at E2B is gone: .* run the step again"):
        executor("end()\nwhile True: pass")
    after = executor("'kept' in dir()")
    assert (after.output, after.state_lost) == (False, False)  # that it is gone was told with the step
    assert service.alive() and service.alive() != first


def test_a_sandbox_whose_time_has_passed_says_so(make: Make, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RemoteChannel, "_renew", lambda self: None)  # as on a machine that sleeps
    executor = make()
    executor("kept = 1")
    assert executor._channel is not None
    executor._channel.machine.renew(1)
    with pytest.raises(SandboxDiedError, match="its lease was not renewed"):
        executor("while True: pass")
    assert executor("2").output == 2
    service.end(*service.alive())
    assert eventually(lambda: executor._connection is None, 60)  # with nothing under way
    after = executor("'kept' in dir()")
    assert (after.output, after.state_lost) == (False, True)


def test_a_key_that_is_refused_in_mid_step_ends_the_step_and_says_so(make: Make, service: Service) -> None:
    """Of what is sent, heard, renewed and ended then, nothing may leave the step without an end."""
    executor = make()
    executor("pass")
    executor.send_tools({"refuse": lambda: service.refuse(401, "revoked", "/process.Process/SendInput", times=1000)})
    try:
        with pytest.raises(SandboxDiedError, match=r"E2B refuses the key in E2B_API_KEY \(.*revoked"):
            executor("refuse()\nwhile True: pass")
    finally:
        service.forgive()
    assert executor("2").output == 2


@pytest.mark.slow
def test_a_sandbox_whose_end_is_refused_is_closed_all_the_same(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(remote, "MIN_LIFETIME", 1)
    executor = make(lifetime=6)
    executor("pass")
    service.refuse(401, "revoked", "/sandboxes/", times=1000)
    try:
        executor.close()
    finally:
        service.forgive()
    assert "yet (E2B refuses the key in E2B_API_KEY" in caplog.text
    assert "E2B ends it after 6 s" in caplog.text


@pytest.mark.parametrize("seconds", [0.0, 1.0])
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


def test_half_a_line_may_arrive_before_the_network_is_lost(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = make()
    executor("kept = 1")
    assert executor._channel is not None
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
    executor.send_tools({"cut": lambda: service.cut(8.0)})
    with pytest.raises(SandboxDiedError, match=r"no connection to its sandbox at E2B for 1 s .*; run the step again"):
        executor("cut()\nwhile True: pass")
    assert f"could not end {name} yet" in caplog.text and "E2B ends it after 6 s" in caplog.text
    assert eventually(lambda: name not in service.alive(), 30)


# --- paused --------------------------------------------------------------------------------------------------------------


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
    assert eventually(lambda: {state(pid) for pid in paused["pids"]} == {"T"})
    given = datetime.fromisoformat(paused["endAt"].replace("Z", "+00:00"))
    assert eventually(lambda: datetime.now(UTC) > given)  # its lifetime has passed: a paused one has none
    assert executor("kept.append(3)\nkept").output == [1, 2, 3]
    assert [each["state"] for each in service.sandboxes()] == ["running"]


def state(pid: int) -> str:
    """Whether a process runs (R), sleeps (S), is stopped (T), …"""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def test_pausing_has_its_time(make: Make) -> None:
    executor = make()
    with pytest.raises(SandboxError, match="is not running; run a step first"):
        executor.pause()
    refused: list[BaseException] = []

    def tool() -> None:
        try:
            executor.pause()
        except SandboxBusyError as error:
            refused.append(error)

    executor.send_tools({"tool": tool})
    executor("tool()")
    assert [str(error) for error in refused] == [
        "the sandbox 'e2b' is running a step; pause it when the step has ended"
    ]


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


def test_a_paused_sandbox_is_ended_by_closing(make: Make, service: Service) -> None:
    executor = make()
    executor("1")
    executor.pause()
    executor.close()
    assert service.alive() == set()


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


class UnguardedE2B(E2BInTests):
    """Without the guard, as for code that has broken it."""

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "guard": False}


FORGED = cloud.write(cloud.DATA, 1, b"x") + cloud.write(cloud.HAVE, 9_999_999) + cloud.write(cloud.RESEND, 0)


def test_what_code_prints_is_never_a_line_of_the_stream(service: Service) -> None:
    with UnguardedE2B() as executor:
        found = executor(f"import os\nos.write(1, {FORGED!r})\nos.write(2, {FORGED!r})\nkept = 3")
        assert found.stdout == 2 * FORGED.decode()
        assert executor("kept").output == 3


def test_code_that_broke_the_guard_finds_no_process_of_the_stream(service: Service) -> None:
    ways = """
import os
found = []
for name in os.listdir('/proc'):
    if name.isdigit() and int(name) not in (os.getpid(), 1):
        found.append(name)
for pid in found + ['1', str(os.getppid())]:
    for path in (f'/proc/{pid}/fd/0', f'/proc/{pid}/fd/1', f'/proc/{pid}/mem', f'/proc/{pid}/environ'):
        try:
            os.close(os.open(path, os.O_RDWR))
            print('opened', path)
        except OSError:
            pass
for pid in found:
    try:
        os.kill(int(pid), 9)
    except OSError:
        pass
'over'
"""
    with UnguardedE2B() as executor:
        found = executor(ways)
        assert (found.output, found.stdout) == ("over", "")
        assert executor("1 + 1").output == 2


class Flooding:
    """A machine whose program says what it likes."""

    name = "flooding"

    def __init__(self, said: list[tuple[str, str]]) -> None:
        self._said = said

    def output(self) -> Iterator[tuple[str, str]]:
        yield from self._said


def test_a_stream_that_is_no_stream_of_lines_is_heard_in_bounds() -> None:
    """Sixty megabytes without the end of a line, then a true one: no more is kept than a line may be long."""
    piece = "x" * (1 << 20)
    lines = cloud.LineReader()
    listening = OutputReader(Flooding([("out", piece)] * 64 + [("end", "0")]))  # type: ignore[arg-type]
    while (said := listening.next(30))[0] == "out":
        assert lines.feed(said[1].encode()) == []
        assert len(lines._rest) <= cloud.MAX_LINE_BYTES
    assert said == ("end", "0")
