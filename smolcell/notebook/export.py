"""``%agent export``: a run's approved steps as ordinary cells, below or in a file."""

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

from smolcell.errors import SetupError
from smolcell.exports import Export
from smolcell.notebook import status
from smolcell.notebook.commands import split, usage
from smolcell.notebook.status import Place, place_of
from smolcell.notebook.wait import KernelWaiter
from smolcell.redaction import presentable
from smolcell.waiter import Waiter

# --- Has the page that runs a cell insert others below it.
#
# The kernel offers, the page that has the cell claims, and only then gets the cells: a page that comes too late finds no offer, so
# that nothing is inserted twice. Other pages of this kernel are not heard: one that does not know such offers closes the comm, which says
# nothing of the page that ran the cell.


TARGET = "smolcell.exports.cells"
CLAIM = 10.0  # seconds in which a page claims the offer; one that cannot insert cells closes the comm at once
INSERTION = 60.0  # seconds in which the page that claimed says that it inserted them

Outcome = Literal["inserted", "refused", "unknown"]
"""The page inserted them; no page did or will; a page took them and did not report the result."""


class Offer:
    """Cells for a page, over one comm.

    Args:
        comm: opened for these cells.
        cells: their sources.
        client: the page that ran the cell, as Jupyter's messages name it; "" if that is not known: then any page may answer.
        post: runs a call on the calling thread, which sends all messages to the page.
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
        """Withdraw the offer. Idempotent."""
        self._timer.cancel()
        self._settle("refused")
        if self._reopened:
            self._reopened = False
            status.close_kept(self._comm)
        self._comm.close()

    def _lost(self, message: Any) -> None:
        """A page closed the comm."""
        if self._is_theirs(message):
            self._reopened = True
            status.keep(self._comm)
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
        with suppress(InvalidStateError):  # the second one
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


KINDS = (".py", ".ipynb")
ELSEWHERE = "Not there? %agent export --print shows them, --file NAME.py writes them"


class Asked(NamedTuple):
    """The options of one ``%agent export`` line."""

    session: str
    answer: str = ""
    file: Path | None = None
    show: bool = False


def read_export(line: str, session: str) -> Asked:
    """Read the words after ``%agent export``.

    Args:
        line: the words.
        session: the session if none is named.

    Raises:
        SetupError: the words are not in one of the forms.
    """
    words = split(line, "export")
    asked = Asked(session)
    while words:
        word = words.pop(0)
        if word in ("--file", "--as", "--session") and words:
            asked = _with(asked, word, words.pop(0))
        elif word == "--print":
            asked = asked._replace(show=True)
        elif not word.startswith("-") and asked.session == session:
            asked = asked._replace(session=word)
        else:
            raise SetupError(f"%agent export does not take {word!r}. {usage('export')}")
    return asked


def _with(asked: Asked, option: str, value: str) -> Asked:
    if option == "--session":
        return asked._replace(session=value)
    if option == "--as":
        if not value.isidentifier() or keyword.iskeyword(value):
            raise SetupError(f"--as takes the name of a variable, not {value!r}")
        return asked._replace(answer=value)
    if Path(value).suffix not in KINDS:
        raise SetupError(f"--file takes a name that ends in {' or '.join(KINDS)}, not {value!r}")
    return asked._replace(file=Path(value).expanduser())


def put(export: Export, asked: Asked, insert: Callable[[], str]) -> str:
    """Put an export if it was asked for; returns what to tell the person.

    Args:
        insert: puts the cells below the one that runs; returns where they are, "" if this front end has no place for them.

    Raises:
        SetupError: the file exists or cannot be written.
    """
    if asked.file is not None:
        _write(asked.file, export)
        return f"smolcell: {_count(export)} written to {asked.file}"
    where = "" if asked.show else insert()
    return f"smolcell: {where}" if where else export.script()


def for_page(export: Export) -> dict[str, Any]:
    """An export as a page takes it."""
    return {"cells": list(export.each_cell()), "notes": list(export.notes), "why": ""}


def no_cells(why: str) -> dict[str, Any]:
    """The reason why there is no export, as a message for the page."""
    return {"cells": [], "notes": [], "why": presentable(why)}


def warnings(export: Export, namespace: Mapping[str, Any]) -> list[str]:
    """Notes for a person before they run the cells in a notebook that has these names."""
    taken = [name for name in export.sets if name in namespace and not isinstance(namespace[name], ModuleType)]
    said = [f"smolcell: {note}" for note in export.notes]
    return [*said, f"smolcell: they set names that this notebook has: {', '.join(taken)}"] if taken else said


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
    """Put the cells below the one that runs; return where they are, "" if this front end has no place for them.

    A page with smolcell's extension inserts them one by one. Elsewhere there is IPython's own word for it, which takes a single cell: a
    notebook makes that, a terminal has it at its next prompt.
    """
    outcome = _in_page(shell, waiter, export)
    if outcome == "inserted":
        return f"{_count(export)} below"
    if outcome == "unknown":
        return f"the page took {_count(export)} to insert below, and has not said that they are there. {ELSEWHERE}"
    set_next_input = getattr(shell, "set_next_input", None)
    if set_next_input is None:
        return ""
    set_next_input(export.one_cell(), replace=False)
    return f"the steps stand below, as one cell. {ELSEWHERE}"


def _in_page(shell: Any, waiter: Waiter, export: Export) -> Outcome:
    """Have the page that runs this cell insert the steps; refused if there is no page, or it does not answer."""
    kernel = getattr(shell, "kernel", None)
    place = place_of("", kernel) if kernel is not None else Place()
    if not place.cell or waiter_hears(waiter) is not None:
        return "refused"
    return insert_in_page(waiter, place, list(export.each_cell()))


def waiter_hears(waiter: Waiter) -> str | None:
    """None if a cell that waits hears its page; else why not."""
    return waiter.supported() if isinstance(waiter, KernelWaiter) else "it is no kernel's"
