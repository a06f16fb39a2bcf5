"""Cells offered to the page: given to the one that claims them in time, once, and never waited for without end."""

from __future__ import annotations

from typing import Any

import pytest
from comm import get_comm_manager
from comm.base_comm import BaseComm

from smolcell.notebook.export import TARGET, CellsOffer, Outcome

LONG = 60.0
SOON = 0.05
CELLS = ["a = 1", "a"]


class Sent(BaseComm):
    """A comm as the kernel keeps it; what it sends is kept."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        super().__init__(target_name=TARGET)

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        self.sent.append((msg_type, data))


class Pages:
    """An offer to the page "ours", through the kernel's own manager of comms."""

    def __init__(self, client: str = "ours", claim: float = LONG, insertion: float = LONG) -> None:
        self.comm = Sent()
        get_comm_manager().register_comm(self.comm)
        self.offer = CellsOffer(self.comm, CELLS, client, lambda call: call(), claim, insertion)

    def say(self, page: str, kind: str) -> None:
        self.send(page, {"type": kind}, closes=kind == "closes")

    def send(self, page: str, data: Any, *, closes: bool = False) -> None:
        hear = get_comm_manager().comm_close if closes else get_comm_manager().comm_msg
        hear(None, "", {"header": {"session": page}, "content": {"comm_id": self.comm.comm_id, "data": data}})

    def given(self) -> int:
        """How often the cells were given to pages."""
        return sum(data == {"type": "cells", "cells": CELLS} for _, data in self.comm.sent)

    def is_over(self) -> Outcome:
        """Withdraw the offer; its outcome."""
        self.offer.close()
        self.offer.close()
        assert self.comm.comm_id not in get_comm_manager().comms
        return self.offer.outcome.result(0)


def test_a_page_that_comes_too_late_is_given_nothing() -> None:
    pages = Pages(claim=SOON)
    assert pages.offer.outcome.result(LONG) == "refused"
    pages.say("ours", "here")
    pages.say("ours", "inserted")
    assert (pages.given(), pages.is_over()) == (0, "refused")


def test_a_page_that_claims_them_and_says_no_more_is_not_waited_for_without_end() -> None:
    pages = Pages(insertion=SOON)
    pages.say("ours", "here")
    assert pages.offer.outcome.result(LONG) == "unknown"
    assert (pages.given(), pages.is_over()) == (1, "unknown")


@pytest.mark.parametrize("said", [None, 5, "here", [], {}, {"type": "other"}, {"type": "inserted"}], ids=repr)
def test_what_no_page_of_ours_says_is_passed_over(said: Any) -> None:
    pages = Pages()
    pages.send("ours", said)
    assert (pages.given(), pages.offer.outcome.done()) == (0, False)
    assert pages.is_over() == "refused"


@pytest.mark.parametrize(
    ("said", "given", "outcome"),
    [
        ("ours here, ours here, ours inserted", 1, "inserted"),
        ("ours here, ours refused", 1, "refused"),
        ("ours closes", 0, "refused"),
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
    assert (pages.is_over(), pages.given()) == (outcome, given)
    closed = [kind for kind, _ in pages.comm.sent].count("comm_close")
    assert closed == ("ours closes" not in said)  # no page is left with a comm that no one has


def test_of_an_unknown_client_any_page_may_insert() -> None:
    pages = Pages(client="")
    pages.say("other", "here")
    pages.say("another", "inserted")
    assert (pages.is_over(), pages.given()) == ("inserted", 1)
