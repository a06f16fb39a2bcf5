"""What goes wrong at any provider is got over, or ends the step with what to type next; and nothing is left. Over the stand-ins."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from processes import eventually
from provider_parts import KINDS, Make, made, running
from stand_in import Service

from smolcell.errors import InterpreterError, SandboxDiedError


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def service(kind: str) -> Iterator[Service]:
    with running(kind) as found:
        yield found


@pytest.fixture
def make(kind: str, service: Service) -> Iterator[Make]:
    with made(kind, service) as maker:
        yield maker


def test_a_sandbox_that_is_gone_in_mid_step_is_begun_anew(make: Make, service: Service) -> None:
    executor = make()
    assert executor("x = 1\nx").output == 1
    (name,) = service.alive()

    def end() -> None:
        if eventually(lambda: executor._step is not None and executor._step.sent, 30):
            service.end(name)

    threading.Thread(target=end, daemon=True).start()
    with pytest.raises(SandboxDiedError, match=r"gone|ended"):
        executor("while True: pass")
    with pytest.raises(InterpreterError, match="x"):
        executor("x")
    assert name not in service.alive()


def test_a_connection_that_breaks_is_begun_anew(make: Make, service: Service) -> None:
    executor = make()
    executor("kept = [1]")
    service.cut(1.0)
    assert executor("kept.append(2)\nkept").output == [1, 2]
