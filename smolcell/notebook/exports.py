"""``%agent export``: a run's approved steps as ordinary cells, below or in a file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from smolcell.errors import SetupError
from smolcell.exporting import Export

USAGE = (
    "%agent export [SESSION] writes the approved steps of its newest run below; --file NAME.py or NAME.ipynb into a file; "
    "--print only shows them; --as NAME names the answer"
)
KINDS = (".py", ".ipynb")


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
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise SetupError(f"%agent export cannot be read: {error}. Close every quote") from None
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
        if not value.isidentifier():
            raise SetupError(f"--as takes the name of a variable, not {value!r}")
        return asked._replace(answer=value)
    if Path(value).suffix not in KINDS:
        raise SetupError(f"--file takes a name that ends in {' or '.join(KINDS)}, not {value!r}")
    return asked._replace(file=Path(value).expanduser())


def put(export: Export, asked: Asked, insert: Callable[[Sequence[str]], bool]) -> str:
    """Put an export where it was asked for; returns what to tell the person.

    Args:
        insert: puts cells below the one that runs; says whether this front end has a place for them.

    Raises:
        SetupError: the file exists or cannot be written.
    """
    if asked.file is not None:
        _write(asked.file, export)
        return f"smolcell: {_count(export)} written to {asked.file}"
    if asked.show or not insert(export.each_cell()):
        return export.script()
    return (
        f"smolcell: {_count(export)} below. Not there? %agent export --print shows the code, --file NAME.py writes it"
    )


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


def insert_below(shell: Any, cells: Sequence[str], one: str) -> bool:
    """Put cells below the one that runs, by IPython's own word for it, which takes a single one: a notebook's front end makes it a cell, a
    terminal the next prompt. False where the shell has no such word."""
    set_next_input = getattr(shell, "set_next_input", None)
    if set_next_input is None or not cells:
        return False
    set_next_input(one, replace=False)
    return True
