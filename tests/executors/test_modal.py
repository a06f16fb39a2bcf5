"""What only Modal has: a sandbox's own program that is kept alive, graphics cards, an SDK that may not return. Over the stand-in."""

from __future__ import annotations

import os
import select
import subprocess
import threading

import pytest
from modal_service import SECRET
from provider_parts import Make, fixtures
from stand_in import Service

from smolcell.errors import SetupError
from smolcell.executors.cloud.modal import WATCH, Modal, ModalExecutor, _within
from smolcell.executors.cloud.provider import ProviderUnreachable

kind, service, make = fixtures("modal")


def test_it_is_made_without_network_and_to_end_soon_after_this_process(make: Make, service: Service) -> None:
    executor = make(lifetime=90)
    assert executor("1 + 1").output == 2
    (made,) = service.sandboxes()
    assert made["definition"]["entrypoint_args"] == ["sh", "-c", WATCH % 90]
    assert made["definition"]["network_access"] == {"network_access_type": "BLOCKED"}
    assert made["definition"]["timeout_secs"] == 86_400
    assert {"dev.smolcell.kernel", "dev.smolcell.pid", "dev.smolcell.boot"} <= made["tags"].keys()
    assert SECRET not in str(made)
    limits = executor.boundary().limits
    assert (limits["seconds it outlives this process"], limits["seconds it lives"]) == (90, 86_400)
    (found,) = Modal().listed({})
    assert found.left == 86_400 - found.age
    assert not Modal().end("sb-unknown")


@pytest.mark.slow
def test_a_sandboxs_own_program_goes_on_while_it_is_written_to() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"xxx")
    subprocess.run(["sh", "-c", WATCH % 1], stdin=reader, timeout=60, check=True)  # it ends: nobody writes any more
    assert select.select([reader], [], [], 0)[0] == []  # each was read, and lent it another second
    os.close(reader)
    os.close(writer)


def test_renewing_is_writing_to_it(make: Make, service: Service) -> None:
    executor = make()
    executor("1")
    before = service.requests().count("SandboxStdinWriteV2")
    executor._channel.machine.renew(120)
    assert service.requests().count("SandboxStdinWriteV2") == before + 1
    assert executor("2").output == 2


@pytest.mark.slow
def test_what_the_sdk_does_not_get_over_is_got_over(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    for method in ("TaskExecStdinWrite", "TaskExecStdioRead"):
        service.refuse("DATA_LOSS", "cut short", method, times=2)
    service.cut(0.5)  # its streams are started again, and then refused
    assert executor("kept.append(2)\nkept").output == [1, 2]
    assert executor("kept.append(3)\nkept").output == [1, 2, 3]


def test_a_call_that_never_returns_is_left() -> None:
    never = threading.Event()
    with pytest.raises(ProviderUnreachable, match=r"no answer in 0\.1 s"):
        _within(0.1, never.wait)
    never.set()


def test_a_graphics_card_is_asked_for_by_modals_words(make: Make, service: Service) -> None:
    executor = make(gpu="T4:2")
    assert executor("1 + 1").output == 2
    (asked,) = [each["definition"]["resources"] for each in service.sandboxes()]
    assert asked["gpu_config"] == {"count": 2, "gpu_type": "T4"}
    assert executor.boundary().limits["graphics cards"] == "T4:2"


def test_what_names_no_graphics_card_is_refused() -> None:
    with pytest.raises(SetupError, match="is not a graphics card of Modal; write, for example: gpu='T4'"):
        ModalExecutor(gpu=1)  # type: ignore[arg-type]
