"""What only Blaxel has: a sandbox that ends when nobody is connected, errors whose status stands in several places."""

from __future__ import annotations

import pytest
from provider_parts import BlaxelInTests, Make, fixtures
from stand_in import Service

from smolcell.errors import SandboxError
from smolcell.executors.cloud.blaxel import Blaxel
from smolcell.executors.cloud.provider import ProviderUnreachable, SandboxGone

kind, service, make = fixtures("blaxel")


def test_it_ends_without_a_connection(make: Make, service: Service) -> None:
    assert make(lifetime=90)("1 + 1").output == 2
    (made,) = service.sandboxes()
    policies = made["spec"]["lifecycle"]["expirationPolicies"]
    assert policies == [{"type": "ttl-idle", "value": "90s", "action": "delete"}]
    assert "bl_" not in str(made["metadata"]["labels"])
    assert [each.template for each in Blaxel().listed({})] == ["blaxel/py-app:latest"]


def test_it_says_how_long_blaxel_lets_it_live_at_least() -> None:
    outlives = [BlaxelInTests(lifetime=each).boundary().limits["seconds it outlives this process"] for each in (15, 90)]
    assert outlives == [60, 90]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("Failed to stream logs: 404 page not found", SandboxGone),
        ("no route to smolcell-a404bc4040 (reset)", ProviderUnreachable),
        ("connection to port 40404 was reset", ProviderUnreachable),
    ],
)
def test_only_a_status_says_that_it_is_gone(said: str, error: type[SandboxError]) -> None:
    assert type(Blaxel().translate(RuntimeError(said), said, "")) is error


def test_what_is_sent_goes_over_one_connection(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = make()
    executor("1")
    process, made = executor._channel.machine._sandbox.process, list[object]()
    monkeypatch.setattr(process, "get_client", lambda make=process.get_client: made.append(make()) or made[-1])
    assert [executor(f"{n} + 1").output for n in range(3)] == [1, 2, 3]
    assert made == []
