"""Cells offered to the page: given to the one that claims them in time, once, and never waited for without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from smolcell.notebook.insert import Offer, Outcome

LONG = 60.0
SOON = 0.05


class Comm:
    """A comm of the kernel, with the page at its other end."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.closed = 0
        self.hear: Callable[[Any], object] = lambda _: None
        self.lost: Callable[[Any], object] = lambda _: None

    def on_msg(self, hear: Callable[[Any], object]) -> None:
        self.hear = hear

    def on_close(self, lost: Callable[[Any], object]) -> None:
        self.lost = lost

    def send(self, data: Any) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed += 1

    def says(self, data: Any) -> None:
        self.hear({"content": {"data": data}})


def offered(claim: float = LONG, insertion: float = LONG) -> tuple[Comm, Offer]:
    comm = Comm()
    return comm, Offer(comm, ["a = 1", "a"], lambda call: call(), claim, insertion)


GIVEN = [{"type": "cells", "cells": ["a = 1", "a"]}]


def test_a_page_that_claims_them_is_given_them_once() -> None:
    comm, offer = offered()
    assert comm.sent == []
    comm.says({"type": "here"})
    comm.says({"type": "here"})
    assert (comm.sent, offer.outcome.done()) == (GIVEN, False)
    comm.says({"type": "inserted"})
    offer.close()
    offer.close()
    assert (offer.outcome.result(LONG), comm.closed) == ("inserted", 2)


def test_a_page_that_comes_too_late_is_given_nothing() -> None:
    comm, offer = offered(claim=SOON)
    assert offer.outcome.result(LONG) == "refused"
    comm.says({"type": "here"})
    comm.says({"type": "inserted"})
    assert comm.sent == []


def test_a_claim_is_waited_for_longer_than_an_offer() -> None:
    comm, offer = offered(claim=SOON, insertion=4 * SOON)
    comm.says({"type": "here"})
    assert offer.outcome.result(LONG) == "unknown"
    assert comm.sent == GIVEN


@pytest.mark.parametrize(
    ("said", "outcome"), [({"type": "refused"}, "refused"), ("closed", "refused")], ids=["refuses", "closes the comm"]
)
def test_a_page_without_a_place_for_them_is_not_waited_for(said: Any, outcome: Outcome) -> None:
    comm, offer = offered()
    if said == "closed":
        comm.lost({})
    else:
        comm.says({"type": "here"})
        comm.says(said)
    assert offer.outcome.result(LONG) == outcome
    offer.close()


@pytest.mark.parametrize("said", [None, 5, "here", [], {}, {"type": "other"}, {"type": "inserted"}])
def test_what_no_page_of_ours_says_is_passed_over(said: Any) -> None:
    comm, offer = offered()
    comm.says(said)
    assert (comm.sent, offer.outcome.done()) == ([], False)
    offer.close()
    assert offer.outcome.result(LONG) == "refused"
