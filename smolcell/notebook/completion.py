"""Completion in an ``%%agent`` cell: of its option line, and of references in its task. Describes the options for front ends.

``option_table()`` is the only description of the options. ``scripts/write_options.py`` writes it to
``labextension/src/lab/options.json`` for the page, whose ``labextension/src/lab/option-line.ts`` reads lines like this module.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from smolcell.core import spec
from smolcell.core.text import describe_schema
from smolcell.executors import EXECUTORS
from smolcell.notebook.context import PUNCTUATION, Cells, unfinished_reference

MAGIC = "%%agent"
MAX_CELLS = 30  # cells that are listed
MAX_FILES = 50
MAX_SCANNED = 2_000  # entries of one folder
_BEGUN = re.compile(r"%%agent[ \t]")
_CELL = re.compile(r"%%agent(?=\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOption:
    """One option of the line.

    Attributes:
        flags: the short one first, if any.
        value: name of the value; "" if the option takes none.
        kind: "variable" or "function" of the notebook, "path", or "".
        choices: known values.
        only: whether a value must be one of ``choices`` (``word:variant`` counts as ``word``).
        list: whether one word holds several values, separated by commas.
        help: the description.
    """

    flags: tuple[str, ...]
    value: str
    kind: str
    choices: tuple[str, ...]
    only: bool
    list: bool
    help: str


def options() -> list[LineOption]:
    """Return every option of ``%%agent``, from the parser that reads the line."""
    return [_option(name, row) for name, row in spec.options().items()]


def _option(name: str, row: spec.Option) -> LineOption:
    choices = row.read.words if isinstance(row.read, spec.OneOf) else ()
    return LineOption(
        flags=row.flags,
        value=row.value,
        kind=row.kind,
        choices=tuple(sorted(EXECUTORS)) if name == "sandbox" else choices,  # other packages add theirs
        only=bool(choices),
        list=row.many and name not in ("files", "mcp"),
        help=row.help.replace("%%", "%"),
    )


def option_table() -> list[dict[str, Any]]:
    """Return ``options()`` as JSON, the same on every machine."""
    return [asdict(option) | {"flags": list(option.flags), "choices": list(option.choices)} for option in options()]


def complete(before: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    """Return the completions at the cursor of an option line.

    Args:
        before: the line up to the cursor.
        namespace: the notebook's variables.

    Returns:
        The part of ``before`` to replace, and the texts that may replace it; None if nothing is known: outside of an option line,
            inside quotes, at a path.
    """
    if _BEGUN.match(before) is None:
        return None
    word = re.split(r"[ \t]", before)[-1]
    try:
        words = shlex.split(before[len(MAGIC) : len(before) - len(word)])
    except ValueError:
        return None
    known = {flag: option for option in options() for flag in option.flags}
    flag, equals, value = word.partition("=")
    option = known.get(flag) if equals else _awaited(words, known)
    if option is not None:
        return _values(option, value if equals else word, namespace)
    if equals or not (word == "" or word.startswith("-")):
        return None
    long = dict.fromkeys(option.flags[-1] for option in known.values())
    return word, [flag for flag in (known if word else long) if flag.startswith(word)]


def complete_task(
    task: str, namespace: Mapping[str, Any], cells: Cells, after: str = ""
) -> tuple[str, list[str]] | None:
    """Return the completions at the end of a task, for a reference to a piece or a variable: ``@`` and the text after it.

    Args:
        task: the task up to the cursor.
        namespace: the notebook's variables.
        cells: the cells that ran.
        after: the rest of the cursor's line; an editor may have inserted a closing bracket.

    Returns:
        As ``complete``; None if no reference begins at the end of the task.
    """
    word = unfinished_reference(task)
    if word is None:
        return None
    if word.startswith("@file:"):
        return word, _files(word.removeprefix("@file:"))
    variables = {name: namespace[name] for name in _names("variable", namespace)}
    tables = (
        f"@{name}.schema" for name in variables if word.startswith(f"@{name}.") and describe_schema(variables[name])
    )
    closing = "" if after.startswith("]") else "]"
    numbers = [f"@cell[{number}{closing}" for number in reversed(cells.numbers()[-MAX_CELLS:])]
    texts = (*(f"@{name}" for name in sorted(variables)), *tables, "@last_error", "@file:", *numbers)
    return word, [text for text in texts if text.startswith(word)]


def _files(prefix: str) -> list[str]:
    """Return the paths that begin so: folders with a slash, and files. Only below the notebook's folder; nothing hidden."""
    folder, _, name = prefix.removeprefix('"').rpartition("/")
    place = Path(folder)
    if place.is_absolute() or folder.startswith("~") or not place.resolve().is_relative_to(Path.cwd().resolve()):
        return []
    try:
        with os.scandir(place) as entries:
            entries_found = sorted((each.name, each.is_dir()) for each in islice(entries, MAX_SCANNED))
    except OSError:
        return []
    fitting = [
        (each, is_folder) for each, is_folder in entries_found if each.startswith(name) and not each.startswith(".")
    ]
    paths = [f"{folder}/{each}" if folder else each for each, _ in fitting[:MAX_FILES]]
    ends = ["/" if is_folder else "" for _, is_folder in fitting]
    return [_file(path, end) for path, end in zip(paths, ends, strict=False) if '"' not in path and path.isprintable()]


def _file(path: str, end: str) -> str:
    """Return the reference to a file, in quotes if it needs them; one to a folder stays open."""
    quoted = path.rstrip(PUNCTUATION) != path or re.search(r"\s", path)
    return f'@file:"{path}{end or chr(34)}' if quoted else f"@file:{path}{end}"


def matcher(shell: Any, cells: Cells) -> Callable[[Any], Any]:
    """Return a matcher for IPython's completer. In an ``%%agent`` cell it suppresses the other matchers where it knows the answer."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    def match(context: Any) -> Any:
        variables = {name: value for name, value in shell.user_ns.items() if name not in shell.user_ns_hidden}
        if context.cursor_line == 0:
            completion = complete(context.text_until_cursor, variables)
        else:
            head, *lines = context.full_text.split("\n")[: context.cursor_line]
            task = "\n".join([*lines, context.text_until_cursor])
            after = context.line_with_cursor[len(context.text_until_cursor) :]
            completion = complete_task(task, variables, cells, after) if _CELL.match(head) else None
        if completion is None:
            return {"completions": []}
        word, texts = completion
        completions = [SimpleCompletion(text=text, type="magic" if text.startswith("-") else "value") for text in texts]
        return {"completions": completions, "matched_fragment": word, "suppress": True, "ordered": True}

    decorated: Callable[[Any], Any] = context_matcher(identifier="smolcell.options", priority=1000)(match)
    return decorated


def _awaited(words: Iterable[str], known: Mapping[str, LineOption]) -> LineOption | None:
    """Return the option whose value comes next, or None."""
    awaited = None
    for word in words:
        option = known.get(word) if awaited is None else None
        awaited = option if option is not None and option.value else None
    return awaited


def _values(option: LineOption, word: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    if option.kind == "path":
        return None
    last = word.rpartition(",")[2] if option.list else word
    texts = option.choices if option.choices else _names(option.kind, namespace)
    return last, sorted(text for text in texts if text.startswith(last))


def _names(kind: str, namespace: Mapping[str, Any]) -> list[str]:
    """Return the notebook's names that may be a value of this kind; for functions, including smolcell's own tools."""
    is_callable = {name: callable(value) for name, value in namespace.items() if not name.startswith("_")}
    if kind == "function":
        from smolcell.tools.builtin import DEFAULT_TOOLS

        return list(dict.fromkeys((*DEFAULT_TOOLS, *(name for name in is_callable if is_callable[name]))))
    if kind == "variable":
        return [name for name in is_callable if not is_callable[name] and not isinstance(namespace[name], ModuleType)]
    return []
