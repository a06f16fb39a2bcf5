"""How long a provider is waited for before it is asked again, and who is told."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from smolcell.executors.cloud import channel
from smolcell.executors.cloud.channel import PAUSES, Waiting
from smolcell.executors.cloud.provider import BusyError, LostError


class Unhurried(threading.Event):
    """Never set, and never waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.append(round(timeout or 0.0, 3))
        return False


def busy(after: str) -> BusyError:
    """As it comes from an SDK whose error has the answer."""
    return BusyError("too many", SimpleNamespace(response=SimpleNamespace(headers={"Retry-After": after})))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that stands still."""
    found = SimpleNamespace(now=100.0)
    monkeypatch.setattr(channel, "time", SimpleNamespace(monotonic=lambda: found.now))
    return found


def test_pauses_grow_and_what_takes_long_is_told_until_it_is_over(clock: SimpleNamespace) -> None:
    over, told = Unhurried(), list[str]()
    pauses = Waiting("E2B", over, told.append)
    for tried in range(7):
        pauses.pause(tried, "reset by peer")
    assert over.waited == [*PAUSES, PAUSES[-1], PAUSES[-1]]
    assert told[0] == "waiting for E2B, which is asked again in 1 s: reset by peer" and len(told) == 6
    pauses.end()
    pauses.end()
    assert told[6:] == [""]


@pytest.mark.parametrize(
    ("after", "seconds"), [("7", 7.0), ("", PAUSES[0]), ("-3", PAUSES[0]), ("Sun, 06 Nov 2044 08:49:37 GMT", PAUSES[0])]
)
def test_a_pause_that_is_asked_for_in_seconds_is_kept(clock: SimpleNamespace, after: str, seconds: float) -> None:
    over = Unhurried()
    pauses = Waiting("E2B", over, lambda text: None)
    pauses.heed(LostError("no route"))
    pauses.heed(busy(after))
    assert pauses.wanted() == (seconds if after == "7" else 0.0)
    pauses.pause(0, "too many")
    assert over.waited == [seconds]
    clock.now += 7
    assert pauses.wanted() == 0.0


def test_what_one_thread_waits_for_is_told_before_another_says_that_it_is_over(clock: SimpleNamespace) -> None:
    told: list[str] = []
    others: list[threading.Thread] = []

    def tell(text: str) -> None:
        if text:
            others.append(threading.Thread(target=pauses.end))
            others[0].start()
            others[0].join(0.2)
        told.append(text)

    pauses = Waiting("E2B", Unhurried(), tell)
    pauses.pause(2, "reset by peer")
    others[0].join(30)
    assert told == ["waiting for E2B, which is asked again in 1 s: reset by peer", ""]
