"""What goes wrong at Blaxel is a clear error with what to type next, or is got over; and nothing is left. Over the stand-in."""

from __future__ import annotations

import sys

import pytest
from blaxel_service import point
from provider_parts import UNCLOSED, BlaxelInTests, Make, fixtures, refusal
from stand_in import Service

from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.executors.cloud.blaxel import Blaxel, _translate_error
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxGone

pytestmark = UNCLOSED
service, make = fixtures("blaxel")


def test_without_the_sdk_the_error_names_the_extra(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blaxel.core", None)
    said = refusal(make(), SetupError)
    assert said.startswith("Blaxel's SDK is not installed")
    assert said.endswith("type: pip install 'smolcell[blaxel]'")


@pytest.mark.parametrize("name", ["BL_API_KEY", "BL_WORKSPACE"])
def test_without_a_key_nothing_is_asked(
    make: Make, service: Service, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv(name)
    asked = len(service.requests())
    assert refusal(make(), SetupError).startswith(
        f"there is no {name} for Blaxel; get one at app.blaxel.ai and type: export"
    )
    assert len(service.requests()) == asked
    assert not Blaxel().has_key()


def test_a_wrong_key_is_named_by_its_variable_and_not_shown(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "bl_" + "3" * 40
    with monkeypatch.context() as patch:
        patch.setenv("BL_API_KEY", wrong)
        point()  # the SDK reads it once
        said = refusal(make(), SetupError)
    point()
    assert said.startswith("Blaxel refuses the key in BL_API_KEY or the workspace in BL_WORKSPACE (")
    assert wrong not in said


def test_a_quota_says_what_can_be_done(make: Make, service: Service) -> None:
    service.refuse(429, "you have reached the maximum of 20 sandboxes")
    said = refusal(make(), SandboxError)
    assert said.startswith("Blaxel allows no more sandboxes or requests now") and "smolcell sandboxes --clean" in said


def test_an_unknown_image_is_named(make: Make) -> None:
    assert refusal(make(template="no-such"), SetupError).startswith("Blaxel has no image 'no-such' for this workspace")


def test_it_ends_without_a_connection(make: Make, service: Service) -> None:
    executor = make(lifetime=90, variant="blaxel/base-image:latest")
    assert executor("1 + 1").output == 2
    (made,) = service.sandboxes()
    policies = made["spec"]["lifecycle"]["expirationPolicies"]
    assert policies == [{"type": "ttl-idle", "value": "90s", "action": "delete"}]
    assert made["spec"]["runtime"]["image"] == "blaxel/base-image:latest"
    assert not any("bl_" in str(value) for value in made["metadata"]["labels"].values())


def test_it_says_how_long_blaxel_lets_it_live_at_least() -> None:
    outlives = [BlaxelInTests(lifetime=each).boundary().limits["seconds it outlives this process"] for each in (15, 90)]
    assert outlives == [60, 90]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Failed to stream logs: 404 page not found", SandboxGone),
        ("no route to smolcell-a404bc4040 (reset)", ProviderUnreachable),
        ("connection to port 40404 was reset", ProviderUnreachable),
    ],
)
def test_only_a_status_says_that_it_is_gone(said: str, kind: type[SandboxError]) -> None:
    assert type(_translate_error(RuntimeError(said), None, said, "")) is kind


def test_it_is_found_by_its_labels_over_several_pages(make: Make, service: Service) -> None:
    executors = [make() for _ in range(3)]
    for executor in executors:
        assert executor("1").output == 1
    found = Blaxel().listed({"dev.smolcell.kind": "sandbox"})
    assert {each.name for each in found} == service.alive()
    assert {(each.state, each.template) for each in found} == {("running", "blaxel/py-app:latest")}
    assert Blaxel().end(found[0].name) is True
    assert Blaxel().end(found[0].name) is False


def test_an_unreachable_service_is_reported(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("BL_STAND_IN", "http://127.0.0.1:9")  # no one listens there
        point()
        said = refusal(make(), SandboxError)
    point()
    assert said.startswith("Blaxel cannot be reached (")


def test_what_is_sent_goes_over_one_connection(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = make()
    executor("1")
    assert executor._channel is not None
    process, made = executor._channel.machine._sandbox.process, list[object]()
    monkeypatch.setattr(process, "get_client", lambda make=process.get_client: made.append(make()) or made[-1])
    assert [executor(f"{n} + 1").output for n in range(3)] == [1, 2, 3]
    assert made == []


def test_pausing_is_not_its_own_to_call(make: Make) -> None:
    executor = make()
    executor("1")
    with pytest.raises(CapabilityError, match="Blaxel freezes a sandbox by itself"):
        executor.pause()
    assert executor("2").output == 2
