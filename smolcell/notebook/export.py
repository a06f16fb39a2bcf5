"""``%agent export``: writes a run's approved steps as ordinary cells, below the running cell or into a file."""

from __future__ import annotations

import json
import keyword
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

from smolcell.core.text import presentable
from smolcell.errors import SetupError
from smolcell.exports import Export
from smolcell.notebook import status
from smolcell.notebook.commands import split, usage
from smolcell.notebook.status import Place, place_of
from smolcell.notebook.wait import KernelWaiter
from smolcell.protocols import Waiter

# --- Has the page that runs a cell insert others below it.
#
# The kernel offers the cells, the page with the running cell claims the offer, and only then gets the cells. A page that is too late
# finds no offer, so nothing is inserted twice. Other pages of this kernel are ignored: one that does not know such offers closes the
# comm, which says nothing about the page that ran the cell.


TARGET = "smolcell.exports.cells"
CLAIM_SECONDS = 10.0  # seconds for a page to claim the offer; a page that cannot insert cells closes the comm at once
INSERTION_SECONDS = 60.0  # seconds for that page to report that it inserted them

Outcome = Literal["inserted", "refused", "unknown"]
"""The page inserted the cells; no page did or will; a page claimed them and did not report the result."""


class Offer:
    """An offer of cells to a page, over one comm.

    Args:
        comm: a new comm for these cells.
        cells: the sources of the cells.
        client: the page that ran the cell, by its session in Jupyter's messages; "" if not known: then any page may answer.
        post: runs a call on the calling thread, which sends all messages to the page.
        claim: seconds for a page to claim the offer.
        insertion: seconds for that page to insert the cells.

    Attributes:
        outcome: future of the result.
    """

    def __init__(
        self,
        comm: Any,
        cells: Sequence[str],
        client: str,
        post: Callable[[Callable[[], object]], object],
        claim: float = CLAIM_SECONDS,
        insertion: float = INSERTION_SECONDS,
    ) -> None:
        self.outcome: Future[Outcome] = Future()
        self._comm, self._cells, self._post, self._insertion = comm, list(cells), post, insertion
        self._lock = threading.Lock()
        self._client, self._claimed, self._reopened = client, False, False
        comm.on_msg(self._hear)
        comm.on_close(self._lost)
        self._timer = self._start(claim, "refused")

    def close(self) -> None:
        """Withdraw the offer. Idempotent."""
        self._timer.cancel()
        self._settle("refused")
        if self._reopened:
            self._reopened = False
            status.close_kept(self._comm)
        self._comm.close()

    def _lost(self, message: Any) -> None:
        """Handle a page's closing of the comm."""
        if self._is_theirs(message):
            self._reopened = True
            status.keep(self._comm)
        else:
            self._reopened = False
            self._settle("refused")

    def _is_theirs(self, message: Any) -> bool:
        """Return whether a message comes from another page than the one that ran the cell."""
        header = message.get("header")
        sender = header.get("session") if isinstance(header, dict) else None
        return bool(self._client) and sender != self._client

    def _hear(self, message: Any) -> None:
        """Handle a message of the page, on any thread."""
        data = message["content"]["data"]
        kind = data.get("type") if isinstance(data, dict) and not self._is_theirs(message) else None
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
                return  # claimed just now
            self._settle(outcome)

    def _settle(self, outcome: Outcome) -> None:
        with suppress(InvalidStateError):  # already settled
            self.outcome.set_result(outcome)


def insert_in_page(waiter: Waiter, place: Place, cells: Sequence[str]) -> Outcome:
    """Offer the cells to the page in which this cell runs, and wait for the result."""
    from comm import create_comm

    asked = {"cell": place.cell, "client": place.client}
    offer = Offer(create_comm(target_name=TARGET, data=asked), cells, place.client, waiter.post)
    try:
        return waiter.wait(offer.outcome)
    finally:
        offer.close()


KINDS = (".py", ".ipynb")
ELSEWHERE = "Not inserted? %agent export --print shows them, --file NAME.py writes them"


class Asked(NamedTuple):
    """A parsed ``%agent export`` line."""

    session: str
    answer: str = ""
    file: Path | None = None
    show: bool = False


def read_export(line: str, session: str) -> Asked:
    """Read the words after ``%agent export``.

    Args:
        line: the words.
        session: the default session.

    Raises:
        SetupError: the line has another form.
    """
    words = split(line, "export")
    options = Asked(session)
    while words:
        word = words.pop(0)
        if word in ("--file", "--as", "--session") and words:
            options = _with(options, word, words.pop(0))
        elif word == "--print":
            options = options._replace(show=True)
        elif not word.startswith("-") and options.session == session:
            options = options._replace(session=word)
        else:
            raise SetupError(f"%agent export does not take {word!r}. {usage('export')}")
    return options


def _with(options: Asked, option: str, value: str) -> Asked:
    if option == "--session":
        return options._replace(session=value)
    if option == "--as":
        if not value.isidentifier() or keyword.iskeyword(value):
            raise SetupError(f"--as takes the name of a variable, not {value!r}")
        return options._replace(answer=value)
    if Path(value).suffix not in KINDS:
        raise SetupError(f"--file takes a name that ends in {' or '.join(KINDS)}, not {value!r}")
    return options._replace(file=Path(value).expanduser())


def put(export: Export, options: Asked, insert: Callable[[], str]) -> str:
    """Write an export as the options say. Returns a text for the person.

    Args:
        insert: inserts the cells below the running one; returns where they are, "" if this front end cannot insert.

    Raises:
        SetupError: the file exists or cannot be written.
    """
    if options.file is not None:
        _write(options.file, export)
        return f"smolcell: {_count(export)} written to {options.file}"
    where = "" if options.show else insert()
    return f"smolcell: {where}" if where else export.script()


def for_page(export: Export) -> dict[str, Any]:
    """Return an export as a message for the page."""
    return {"cells": list(export.each_cell()), "notes": list(export.notes), "why": ""}


def no_cells(why: str) -> dict[str, Any]:
    """Return a message for the page that says why there is no export."""
    return {"cells": [], "notes": [], "why": presentable(why)}


def warnings(export: Export, namespace: Mapping[str, Any]) -> list[str]:
    """Return notes for the person before they run the cells in a notebook with these variables."""
    taken = [name for name in export.sets if name in namespace and not isinstance(namespace[name], ModuleType)]
    lines = [f"smolcell: {note}" for note in export.notes]
    return [*lines, f"smolcell: they overwrite variables of this notebook: {', '.join(taken)}"] if taken else lines


def _count(export: Export) -> str:
    return "one cell" if len(export.cells) == 1 else f"{len(export.cells)} cells"


def _write(path: Path, export: Export) -> None:
    text = export.script() if path.suffix == ".py" else json.dumps(export.notebook(), indent=1) + "\n"
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise SetupError(f"{path} exists and is not overwritten: give another name with --file") from None
    except OSError as error:
        raise SetupError(
            f"{path} cannot be written: {error.strerror or error}; give another name with --file"
        ) from None


def insert_below(shell: Any, waiter: Waiter, export: Export) -> str:
    """Insert the cells below the running one. Returns where they are, "" if this front end cannot insert.

    A page with smolcell's extension inserts them one by one. Elsewhere IPython's ``set_next_input`` is used, which takes a single cell: a
    notebook inserts it, a terminal puts it at its next prompt.
    """
    outcome = _in_page(shell, waiter, export)
    if outcome == "inserted":
        return f"{_count(export)} below"
    if outcome == "unknown":
        return f"the page got {_count(export)} to insert below, but has not confirmed it. {ELSEWHERE}"
    set_next_input = getattr(shell, "set_next_input", None)
    if set_next_input is None:
        return ""
    set_next_input(export.one_cell(), replace=False)
    return f"the steps are below, as one cell. {ELSEWHERE}"


def _in_page(shell: Any, waiter: Waiter, export: Export) -> Outcome:
    """Have the page that runs this cell insert the steps. "refused" if there is no page, or it does not answer."""
    kernel = getattr(shell, "kernel", None)
    place = place_of("", kernel) if kernel is not None else Place()
    if not place.cell or waiter_hears(waiter) is not None:
        return "refused"
    return insert_in_page(waiter, place, list(export.each_cell()))


def waiter_hears(waiter: Waiter) -> str | None:
    """Return None if a waiting cell gets its page's messages; else the reason why not."""
    return waiter.supported() if isinstance(waiter, KernelWaiter) else "it is not a kernel's waiter"
