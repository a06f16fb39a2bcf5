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
from typing import TYPE_CHECKING, Any, Literal

from smolcell.errors import SetupError
from smolcell.exports import Export
from smolcell.notebook.commands import WordParser
from smolcell.notebook.status import Place, SharedComm, place_of
from smolcell.notebook.wait import KernelWaiter
from smolcell.protocols import Waiter

if TYPE_CHECKING:
    from smolcell.notebook.magic import AgentMagics
    from smolcell.notebook.session import Session

# --- Has the page that runs a cell insert others below it.
#
# The kernel offers the cells, the page with the running cell claims the offer, and only then gets the cells. A page that is too late
# finds no offer, so nothing is inserted twice. Other pages of this kernel are ignored: one that does not know such offers closes the
# comm, which says nothing about the page that ran the cell.


KINDS = (".py", ".ipynb")
ELSEWHERE = "Not inserted? %agent export --print shows them, --file NAME.py writes them"
TARGET = "smolcell.exports.cells"
CLAIM_SECONDS = 10.0  # seconds for a page to claim the offer; a page that cannot insert cells closes the comm at once
INSERTION_SECONDS = 60.0  # seconds for that page to report that it inserted them

Outcome = Literal["inserted", "refused", "unknown"]
"""The page inserted the cells; no page did or will; a page claimed them and did not report the result."""


class CellsOffer:
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
        self._cells, self._post, self._insertion = list(cells), post, insertion
        self._lock = threading.Lock()
        self._client, self._claimed = client, False
        self._comm = SharedComm(comm, self._hear, self._closed)
        self._timer = self._start(claim, "refused")

    def close(self) -> None:
        """Withdraw the offer. Idempotent."""
        self._timer.cancel()
        self._settle("refused")
        self._comm.close()

    def _closed(self, message: Any) -> None:
        """Handle a page's closing of the comm."""
        if self._is_theirs(message):
            self._comm.keep()
        else:
            self._comm.kept = False
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


# --- The command, and where the cells go.


def write_export(magics: AgentMagics, line: str) -> str:
    """Write the approved steps of a session's newest run as ordinary cells: below the running one, into a file, or as text."""
    parser = WordParser("export", line, magics.session_name)
    parser.add_argument("--as", dest="answer")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--print", action="store_true", dest="show")
    given, words = parser.read()
    parser.check(len(words) <= 1 and not any(word.startswith("-") for word in words))
    if given.answer is not None and (not given.answer.isidentifier() or keyword.iskeyword(given.answer)):
        raise SetupError(f"--as takes the name of a variable, not {given.answer!r}")
    if given.file is not None and given.file.suffix not in KINDS:
        raise SetupError(f"--file takes a name that ends in {' or '.join(KINDS)}, not {str(given.file)!r}")
    session = magics.sessions.known(words[0] if words else given.session)
    exported = make_export(magics, session, answer=given.answer or "")
    for text in warnings(exported, magics.shell.user_ns):
        magics.say(text)
    if given.file is not None:
        path = given.file.expanduser()
        _write(path, exported)
        return f"smolcell: {_count(exported)} written to {path}"
    where = "" if given.show else insert_below(magics.shell, magics.front.waiter, exported)
    return f"smolcell: {where}" if where else exported.script()


def make_export(magics: AgentMagics, session: Session, run: str = "", answer: str = "") -> Export:
    """Return the export of a run, by default the newest. ``answer``: the variable, by default that of ``--out``."""
    if session.agent is None:
        raise SetupError(f"nothing has run yet in the session {session.name!r}: there is nothing to export")
    last, names = magics.last_options.get(session.name), magics.shell.user_ns
    name = answer or (last.out if last is not None else None) or "answer"
    known = [tool for tool in session.agent.callables if callable(names.get(tool))]
    return session.agent.export(run, answer=name, defined=known)


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
    """Have the page that runs this cell insert the steps, and wait for it. "refused" if there is no page that can."""
    kernel = getattr(shell, "kernel", None)
    place = place_of("", kernel) if kernel is not None else Place()
    if not place.cell or not isinstance(waiter, KernelWaiter) or waiter.supported() is not None:
        return "refused"
    from comm import create_comm

    comm = create_comm(target_name=TARGET, data={"cell": place.cell, "client": place.client})
    offer = CellsOffer(comm, list(export.each_cell()), place.client, waiter.post)
    try:
        return waiter.wait(offer.outcome)
    finally:
        offer.close()
