"""Has the page that runs a cell insert others below it.

The kernel offers, the page that has the cell claims, and only then gets the cells: a page that comes too late finds no offer, so
that nothing is inserted twice. Other pages of this kernel are not heard: one that does not know such offers closes the comm, which says
nothing of the page that ran the cell.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, Literal

from smolcell.notebook import comms
from smolcell.notebook.underway import Place
from smolcell.waiter import Waiter

TARGET = "smolcell.cells"
CLAIM = 10.0  # seconds in which a page claims the offer; one that cannot insert cells closes the comm at once
INSERTION = 60.0  # seconds in which the page that claimed says that it inserted them

Outcome = Literal["inserted", "refused", "unknown"]
"""The page inserted them; no page did or will; a page took them and said no more."""


class Offer:
    """Cells for a page, over one comm.

    Args:
        comm: opened for these cells.
        cells: their sources.
        client: the page that ran the cell, as Jupyter's messages name it; "" where that is not known: then any is heard.
        post: runs a call on the calling thread, where all messages to the page are sent.
        claim: seconds for a page to claim them.
        insertion: seconds for the page that did to insert them.

    Attributes:
        outcome: how it ended.
    """

    def __init__(
        self,
        comm: Any,
        cells: Sequence[str],
        client: str,
        post: Callable[[Callable[[], object]], object],
        claim: float = CLAIM,
        insertion: float = INSERTION,
    ) -> None:
        self.outcome: Future[Outcome] = Future()
        self._comm, self._cells, self._post, self._insertion = comm, list(cells), post, insertion
        self._lock = threading.Lock()
        self._client, self._claimed, self._reopened = client, False, False
        comm.on_msg(self._hear)
        comm.on_close(self._lost)
        self._timer = self._start(claim, "refused")

    def close(self) -> None:
        """Nothing is offered any more. Twice is harmless."""
        self._timer.cancel()
        self._settle("refused")
        if self._reopened:
            self._reopened = False
            comms.close_kept(self._comm)
        self._comm.close()

    def _lost(self, message: Any) -> None:
        """A page closed the comm."""
        if self._is_theirs(message):
            self._reopened = True
            comms.keep(self._comm)
        else:
            self._reopened = False
            self._settle("refused")

    def _is_theirs(self, message: Any) -> bool:
        """Whether a message is another page's than the one that ran the cell."""
        header = message.get("header")
        sender = header.get("session") if isinstance(header, dict) else None
        return bool(self._client) and sender != self._client

    def _hear(self, message: Any) -> None:
        """A message of the page, on whatever thread it arrives."""
        said = message["content"]["data"]
        kind = said.get("type") if isinstance(said, dict) and not self._is_theirs(message) else None
        if kind == "here":
            self._grant()
        elif kind == "inserted" and self._claimed:
            self._settle("inserted")
        elif kind == "refused":
            self._settle("refused")

    def _grant(self) -> None:
        with self._lock:
            if self._claimed or self.outcome.done():
                return
            self._claimed = True
            self._timer.cancel()
            self._timer = self._start(self._insertion, "unknown")
        self._post(lambda: self._comm.send({"type": "cells", "cells": self._cells}))

    def _start(self, seconds: float, outcome: Outcome) -> threading.Timer:
        timer = threading.Timer(seconds, self._lapse, [outcome])
        timer.daemon = True
        timer.start()
        return timer

    def _lapse(self, outcome: Outcome) -> None:
        with self._lock:
            if outcome == "refused" and self._claimed:
                return  # claimed in the very moment
            self._settle(outcome)

    def _settle(self, outcome: Outcome) -> None:
        with suppress(InvalidStateError):  # whoever comes second
            self.outcome.set_result(outcome)


def insert_in_page(waiter: Waiter, place: Place, cells: Sequence[str]) -> Outcome:
    """Offer the cells to the page in which this cell runs, and wait for what comes of it."""
    from comm import create_comm

    asked = {"cell": place.cell, "client": place.client}
    offer = Offer(create_comm(target_name=TARGET, data=asked), cells, place.client, waiter.post)
    try:
        return waiter.wait(offer.outcome)
    finally:
        offer.close()
