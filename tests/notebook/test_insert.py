"""Cells offered to the page: given to the one that claims them in time, once, and never waited for without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from comm import get_comm_manager
from comm.base_comm import BaseComm

from smolcell.notebook.export import TARGET, Offer, Outcome

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
    return comm, Offer(comm, ["a = 1", "a"], "", lambda call: call(), claim, insertion)


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


# --- several pages of one kernel ------------------------------------------------------------------------------------------


class Sent(BaseComm):
    """A comm as the kernel keeps it; what it sends is kept."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        super().__init__(target_name=TARGET)

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        self.sent.append((msg_type, data))


class Pages:
    """An offer to the page "ours", through the kernel's own manager of comms."""

    def __init__(self) -> None:
        self.comm = Sent()
        get_comm_manager().register_comm(self.comm)
        self.offer = Offer(self.comm, ["a = 1", "a"], "ours", lambda call: call(), LONG, LONG)

    def say(self, page: str, kind: str) -> None:
        content = {"comm_id": self.comm.comm_id, "data": {"type": kind}}
        hear = get_comm_manager().comm_close if kind == "closes" else get_comm_manager().comm_msg
        hear(None, "", {"header": {"session": page}, "content": content})

    def given(self) -> int:
        """How often the cells were given to pages."""
        return sum(data == GIVEN[0] for _, data in self.comm.sent)


@pytest.mark.parametrize(
    ("said", "given", "outcome"),
    [
        ("other closes, ours here, ours inserted", 1, "inserted"),
        ("ours here, other closes, ours inserted", 1, "inserted"),
        ("ours here, other closes, third closes, ours inserted, other closes", 1, "inserted"),
        ("other here, other inserted, ours here, other here, ours inserted", 1, "inserted"),
        ("ours here, other refused, ours inserted", 1, "inserted"),
        ("other closes, ours closes", 0, "refused"),  # neither has a place for cells: IPython's own word for it is used
        ("ours closes, other here, other inserted", 0, "refused"),
        ("other closes, other here", 0, "refused"),
        ("ours here, other closes, ours refused", 1, "refused"),
    ],
)
def test_of_several_pages_the_one_that_ran_the_cell_alone_may_insert(said: str, given: int, outcome: Outcome) -> None:
    pages = Pages()
    for each in said.split(", "):
        pages.say(*each.split(" "))
    pages.offer.close()
    pages.offer.close()
    assert (pages.given(), pages.offer.outcome.result(0)) == (given, outcome)
    assert pages.comm.comm_id not in get_comm_manager().comms
    closed = [kind for kind, _ in pages.comm.sent].count("comm_close")
    assert closed == ("ours closes" not in said)  # no page is left with a comm that no one has
