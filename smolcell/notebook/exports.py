"""``%agent export``: a run's approved steps as ordinary cells, below or in a file."""

from __future__ import annotations

import json
import keyword
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from smolcell.errors import SetupError
from smolcell.exporting import Export
from smolcell.notebook.insert import Outcome, insert_in_page
from smolcell.notebook.underway import Place, place_of
from smolcell.notebook.words import split
from smolcell.redact import redact
from smolcell.visible import visible
from smolcell.waiter import Waiter

USAGE = (
    "%agent export [SESSION] writes the approved steps of its newest run below; --file NAME.py or NAME.ipynb into a file; "
    "--print only shows them; --as NAME names the answer"
)
KINDS = (".py", ".ipynb")
ELSEWHERE = "Not there? %agent export --print shows them, --file NAME.py writes them"


class Asked(NamedTuple):
    """What one ``%agent export`` line asks for."""

    session: str
    answer: str = ""
    file: Path | None = None
    show: bool = False


def read_export(line: str, session: str) -> Asked:
    """Read the words after ``%agent export``.

    Args:
        line: the words.
        session: the session where none is named.

    Raises:
        SetupError: the words are none of the forms.
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
            raise SetupError(f"%agent export does not take {word!r}. {USAGE}")
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
    """Put an export where it was asked for; returns what to tell the person.

    Args:
        insert: puts the cells below the one that runs; says where they are, "" where this front end has no place for them.

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
    """Why there is none, as a page takes it."""
    return {"cells": [], "notes": [], "why": visible(redact(why))}


def warnings(export: Export, namespace: Mapping[str, Any]) -> list[str]:
    """What a person should know before they run the cells in a notebook that has these names."""
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
    """Put the cells below the one that runs; says where they are, "" where this front end has no place for them.

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
    """Have the page that runs this cell insert the steps; refused where there is none, or it is not heard."""
    kernel = getattr(shell, "kernel", None)
    place = place_of("", kernel) if kernel is not None else Place()
    if not place.cell or waiter_hears(waiter) is not None:
        return "refused"
    return insert_in_page(waiter, place, list(export.each_cell()))


def waiter_hears(waiter: Waiter) -> str | None:
    """None if a cell that waits hears its page; else why not."""
    supported = getattr(waiter, "supported", None)
    reason: str | None = "it is no kernel's" if supported is None else supported()
    return reason
