"""Tasks of a job, from a file, a list or a table. Validated before anything runs."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from smolcell.core.text import visible
from smolcell.errors import SetupError
from smolcell.machine.environment import optional
from smolcell.machine.host_files import follow, open_file, path_fault

FORMATS = (".jsonl", ".csv", ".parquet")
_COLUMN = re.compile(r"\{([^{}\n]+)\}")
MAX_TASKS = 1_000_000  # tasks of a job


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        id: the id in the input, copied to the row; by default the task's number, from 1.
        text: in plain words.
        files: files for this task only.
    """

    id: str | int
    text: str
    files: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The id as text. Ids of a job must differ as text."""
        return str(self.id)

    @property
    def digest(self) -> str:
        """Twelve hex digits that change with text and files."""
        return hashlib.sha256(json.dumps([self.text, self.files]).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def read_tasks(source: Any, template: str = "") -> list[Task]:
    """Read tasks.

    Args:
        source: the path of a ``.jsonl``, ``.csv`` or ``.parquet`` file; a table; or an iterable of texts, mappings or tasks. A row has
            ``task``, and may have ``id`` and ``files`` (a name, or a list of names, below the folder of the tasks).
        template: makes the task of a row that has none: ``{column}`` stands for the row's value.

    Raises:
        SetupError: the file cannot be read, or a row is no task; the message names it.
    """
    base = Path.cwd()
    if isinstance(source, str | Path):
        path = Path(source).expanduser()
        base, rows = path.resolve().parent, _rows_of(path)
    elif hasattr(source, "to_dict") and hasattr(source, "columns"):
        rows = iter(source.to_dict(orient="records"))
    else:
        rows = iter(source)
    tasks: list[Task] = []
    for number, row in enumerate(rows, 1):
        tasks.append(row if isinstance(row, Task) else _task(number, row, template, base))
        if number > MAX_TASKS:
            raise SetupError(f"there are more than {MAX_TASKS:,} tasks: split them, one OUT for each part")
    if not tasks:
        raise SetupError("there are no tasks: give at least one row with `task`")
    seen: dict[str, int] = {}
    for number, task in enumerate(tasks, 1):
        if (before := seen.setdefault(task.key, number)) != number:
            raise SetupError(f"rows {before} and {number} have the same id {task.id!r}: give each row its own")
    return tasks


def _rows_of(path: Path) -> Iterator[Any]:
    if path.suffix not in FORMATS:
        raise SetupError(f"{path} is not a file of tasks: give a file that ends in {', '.join(FORMATS)}")
    try:
        if path.suffix == ".jsonl":
            yield from json_lines(path)
        elif path.suffix == ".csv":
            with open_tasks(path) as file, TextIOWrapper(file, "utf-8-sig", newline="") as lines:
                yield from csv.DictReader(lines)
        else:
            with optional("a Parquet file", "scale", "pyarrow"):
                import pyarrow.parquet
            with open_tasks(path) as file:
                yield from pyarrow.parquet.read_table(file).to_pylist()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SetupError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def open_tasks(path: Path) -> BinaryIO:
    """Open a file of tasks, whose texts go to a model.

    Raises:
        OSError: it cannot be read, or is not passed on (``path_fault``).
    """
    named, here = Path(os.path.normpath(Path.cwd() / path)), Path.cwd()
    target = follow(named, here)
    if fault := path_fault(named, target, here, "; name that path itself"):
        raise OSError(None, f"it is {fault}")
    return open_file(target.real)


def json_lines(path: Path) -> Iterator[Any]:
    """Yield the values in a file of JSON lines, without empty ones.

    Raises:
        OSError: see ``open_tasks``.
        SetupError: a line is no JSON.
    """
    with open_tasks(path) as file, TextIOWrapper(file, "utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise SetupError(f"{path}, line {number} is not JSON: {error}") from None


def _task(number: int, row: Any, template: str, base: Path) -> Task:
    if isinstance(row, str):
        row = {"task": row}
    if not isinstance(row, Mapping):
        raise SetupError(f"row {number} is {type(row).__name__}: give texts, or mappings with `task`")
    text = row.get("task") or _filled(template, row, number)
    if not isinstance(text, str) or not text.strip():
        raise SetupError(f"row {number} has no `task`: add it, or give --task 'text with {{column}}'")
    name = row.get("id")
    name = number if name is None or name == "" else name
    name = name.item() if hasattr(name, "item") else name
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise SetupError(f"row {number}: an id is a text or a whole number, not {name!r:.80}")
    return Task(name, text, tuple(_files(row.get("files"), number, base)))


def _filled(template: str, row: Mapping[str, Any], number: int) -> str:
    """Return the template with the row's values. A field is always a column's name: ``{a.b}`` is the column ``a.b``."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in row:
            columns = ", ".join(map(str, row)) or "none"
            raise SetupError(f"row {number} has no column {match[1]!r}; there are: {columns}")
        return str(row[match[1]])

    return _COLUMN.sub(value, template)


def _files(given: Any, number: int, base: Path) -> Iterable[str]:
    """Return the task's files. They must be below the folder of the tasks: a foreign list must not name the user's other files."""
    for name in [given] if isinstance(given, str) else given if given is not None else ():
        path = Path(os.path.normpath(base / str(name)))
        if not str(name) or not path.is_relative_to(base) or not path.exists():
            raise SetupError(
                f"row {number}: {str(name)!r} is not a file below {base}. To give every task a file: -f PATH"
            )
        if fault := path_fault(path, follow(path, base), base, ": copy the file into its folder"):
            raise SetupError(f"row {number}: {visible(str(name))} is {fault}")
        yield str(path)
