"""What goes wrong at Modal is a clear error with what to type next, or is got over; and nothing is left. Over the stand-in."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading

import pytest
from modal_service import SECRET
from provider_parts import Make, fixtures, refusal
from stand_in import Service

from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.executors import inventory
from smolcell.executors.cloud.modal import WATCH, Modal, ModalExecutor, _within
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxSpec, labels
from smolcell.executors.docker.containers import Owner

service, make = fixtures("modal")


def test_without_the_sdk_the_error_names_the_extra(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "modal", None)
    said = refusal(make(), SetupError)
    assert said.startswith("Modal's SDK is not installed")
    assert said.endswith("type: pip install 'smolcell[modal]'")


@pytest.mark.parametrize("name", ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"])
def test_without_a_token_nothing_is_asked(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv(name)
    asked = len(service.requests())
    assert refusal(make(), SetupError).startswith("there is no token for Modal; type: modal setup, or: export MODAL_")
    assert len(service.requests()) == asked
    assert not Modal().has_key()


def test_a_wrong_token_is_not_shown_and_the_right_one_is_taken_at_once(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "as-" + "3" * 22
    with monkeypatch.context() as patch:
        patch.setenv("MODAL_TOKEN_SECRET", wrong)
        said = refusal(make(), SetupError)
    assert said.startswith("Modal refuses the token (")
    assert wrong not in said and "modal setup" in said
    assert make()("1 + 1").output == 2


def test_a_quota_says_what_can_be_done(make: Make, service: Service) -> None:
    service.refuse("RESOURCE_EXHAUSTED", "workspace has reached its limit of 100 containers")
    said = refusal(make(), SandboxError)
    assert said.startswith("Modal allows no more sandboxes or requests now (workspace has reached its limit")
    assert "smolcell sandboxes --clean" in said


def test_an_image_that_cannot_be_had_is_named(make: Make) -> None:
    said = refusal(make(template="no-such"), SetupError)
    assert said.startswith("Modal cannot make a sandbox of the image 'no-such' (")
    assert said.endswith("use its default: --sandbox modal")


def test_it_is_made_without_network_and_to_end_soon_after_this_process(make: Make, service: Service) -> None:
    executor = make(lifetime=90, variant="python:3.12-slim")
    assert executor("1 + 1").output == 2
    (made,) = service.sandboxes()
    assert made["image"] == "python:3.12-slim"
    assert made["definition"]["entrypoint_args"] == ["sh", "-c", WATCH % 90]
    assert made["definition"]["network_access"] == {"network_access_type": "BLOCKED"}
    assert made["definition"]["timeout_secs"] == 86_400
    assert {"dev.smolcell.kernel", "dev.smolcell.pid", "dev.smolcell.boot"} <= made["tags"].keys()
    assert SECRET not in str(made)
    limits = executor.boundary().limits
    assert (limits["seconds it outlives this process"], limits["seconds it lives"]) == (90, 86_400)


def test_a_sandboxs_own_program_goes_on_while_it_is_written_to() -> None:
    with subprocess.Popen(["sh", "-c", WATCH % 3], stdin=subprocess.PIPE) as program:
        assert program.stdin is not None
        for _ in range(3):
            program.stdin.write(b"x")
            program.stdin.flush()
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(0.5)
        assert program.wait(60) == 0  # nobody writes any more


def test_renewing_is_writing_to_it(make: Make, service: Service) -> None:
    executor = make()
    executor("1")
    assert executor._channel is not None
    before = service.requests().count("SandboxStdinWriteV2")
    executor._channel.machine.renew(120)
    assert service.requests().count("SandboxStdinWriteV2") == before + 1
    assert executor("2").output == 2


def test_it_is_found_by_its_labels_over_several_pages(make: Make, service: Service) -> None:
    executors = [make() for _ in range(3)]
    for executor in executors:
        assert executor("1").output == 1
    found = Modal().listed({"dev.smolcell.kind": "sandbox"})
    assert {each.name for each in found} == service.alive()
    assert {each.state for each in found} == {"running"}
    assert all(0 <= each.age < 3600 and each.left == 86_400 - each.age for each in found)
    assert Modal().listed({"dev.smolcell.kind": "another"}) == []
    assert Modal().end(found[0].name) is True
    assert Modal().end(found[0].name) is False
    assert Modal().end("sb-unknown") is False


def test_what_a_dead_kernel_left_is_listed_and_ended(make: Make, service: Service) -> None:
    executor = make()
    assert executor("1").output == 1
    (mine,) = service.alive()
    dead = dataclasses.replace(Owner.here(), start=1)  # another process had this number
    left = Modal().create(SandboxSpec(labels={**labels("0" * 32), **dead.labels()})).name
    found = {each.name: each for each in inventory.find()[0] if each.kind == "modal"}
    assert {name: each.gone for name, each in found.items()} == {mine: False, left: True}
    assert (found[mine].state, found[mine].ends) == ("running", "ends in 24 h at the latest")
    ended, _ = inventory.clean()
    assert [each.name for each in ended if each.kind == "modal"] == [left]
    assert service.alive() == {mine}


def test_what_the_sdk_does_not_get_over_is_got_over(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    for method in ("TaskExecStdinWrite", "TaskExecStdioRead"):
        service.refuse("DATA_LOSS", "cut short", method, times=2)
    service.cut(0.5)  # its streams are started again, and then refused
    assert executor("kept.append(2)\nkept").output == [1, 2]
    assert executor("kept.append(3)\nkept").output == [1, 2, 3]


def test_an_unreachable_service_is_reported(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("MODAL_SERVER_URL", "http://127.0.0.1:9")  # no one listens there
        patch.setattr("smolcell.executors.cloud.modal.ASKING", 1.0)  # the SDK tries for a minute
        said = refusal(make(), SandboxError)
    assert said.startswith("Modal cannot be reached (")
    assert said.endswith("Meanwhile use: --sandbox local")


def test_a_call_that_never_returns_is_left() -> None:
    never = threading.Event()
    with pytest.raises(ProviderUnreachable, match=r"no answer in 0\.1 s"):
        _within(0.1, never.wait)
    never.set()


def test_it_cannot_be_frozen(make: Make) -> None:
    executor = make()
    executor("1")
    with pytest.raises(CapabilityError, match="Modal cannot pause sandboxes"):
        executor.pause()
    assert executor("2").output == 2


def test_a_graphics_card_is_asked_for_by_modals_words(make: Make, service: Service) -> None:
    executor = make(gpu="T4:2")
    assert executor("1 + 1").output == 2
    (asked,) = [each["definition"]["resources"] for each in service.sandboxes() if "resources" in each["definition"]]
    assert asked["gpu_config"] == {"count": 2, "gpu_type": "T4"}
    assert executor.boundary().limits["graphics cards"] == "T4:2"


def test_what_names_no_graphics_card_is_refused() -> None:
    with pytest.raises(SetupError, match="is not a graphics card of Modal; write, for example: gpu='T4'"):
        ModalExecutor(gpu=1)  # type: ignore[arg-type]
