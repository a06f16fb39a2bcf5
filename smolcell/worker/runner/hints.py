"""Hints for a program that failed: variables, columns and files with similar names, and missing imports."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

MAX_NAMES = 1_000  # variables, or files of a folder, that are compared
MAX_COLUMNS = 500  # columns of a table that are compared
MAX_LISTED = 30  # columns that are listed if none is similar
USUAL = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "pl": "import polars as pl",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
    "px": "import plotly.express as px",
    "stats": "from scipy import stats",
    "sm": "import statsmodels.api as sm",
}
_F_STRING = re.compile(r"\b[fF][rR]?(?P<quote>[\"'])(?P<text>.*)(?P=quote)")
_FIELD = re.compile(r"(\{[A-Za-z_][^{}]*\})")
FORMAT = "Write it without an f-string: join texts with +, and numbers as format(x, '.2f')"
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


def hint(error: BaseException, frame: Any, line: str) -> str:
    """Return a sentence about what was meant; "" if nothing is known.

    Args:
        error: the exception.
        frame: the innermost frame of the program itself; None if there is none.
        line: the source line there.
    """
    if frame is None:
        return ""
    try:
        if isinstance(error, NameError):
            return _name(error, frame)
        if isinstance(error, FileNotFoundError):
            return _file(str(error.filename or ""))
        if isinstance(error, AttributeError) and type(getattr(error, "obj", None)).__name__ not in (
            "DataFrame",
            "NoneType",
        ):
            return ""
        if isinstance(error, (KeyError, AttributeError)):
            text = " ".join(map(str, error.args))
            wanted, tables = list(_quoted(text)) or [text], _named(frame, line, _columns)
            labels = _named(frame, line, _labels) if isinstance(error, KeyError) else {}
            return _near(wanted, tables, are_columns=True) or _near(wanted, labels) or _listed(tables)
    except Exception:  # of an object that the program made
        return ""
    return ""


def f_string(line: str) -> str:
    """Return how an f-string with a mistake may be meant: without texts within its braces; "" if the line has none."""
    found = _F_STRING.search(line)
    if found is None:
        return ""
    parts = _FIELD.split(found["text"])  # text and fields in turn
    flat = "".join(part if at % 2 else re.sub("[{}'\"]", "", part) for at, part in enumerate(parts)).strip()
    if 0 < flat.count("{") < found["text"].count("{") and _compiles(f'f"{flat}"'):
        meant = line.replace(found[0], f'f"{flat}"').strip()
        return f"Did you mean this line?\n{meant}"
    return FORMAT


def _compiles(text: str) -> bool:
    try:
        compile(text, "", "eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _name(error: NameError, frame: Any) -> str:
    name = getattr(error, "name", None) or next(iter(_quoted(str(error))), "")
    if name in USUAL:
        return f"First write: {USUAL[name]}"
    known = [each for each in (*frame.f_locals, *frame.f_globals) if not each.startswith("_")]
    return _did_you_mean(difflib.get_close_matches(name, dict.fromkeys(known[:MAX_NAMES])))


def _file(path: str) -> str:
    """Return the files of the work folder whose names are near."""
    folder, name = os.path.split(path)
    root, real = os.path.realpath("."), os.path.realpath(folder or ".")
    if os.path.commonpath([root, real]) != root:  # the guard would not list it for the program
        return ""
    with os.scandir(real) as entries:
        known = [entry.name for entry in islice(entries, MAX_NAMES)]
    near = difflib.get_close_matches(name.casefold(), [each.casefold() for each in known])
    return _did_you_mean([each for each in known if each.casefold() in near])


def _did_you_mean(names: Iterable[str]) -> str:
    text = " or ".join(names)
    return f"Did you mean {text}?" if text else ""


def _quoted(text: str) -> Iterable[str]:
    return [one or other for one, other in _QUOTED.findall(text)]


def _named(frame: Any, line: str, parts: Callable[[Any], Iterable[Any]]) -> dict[str, list[str]]:
    """Return the texts among the parts of each object that the line names, by the object's name."""
    names = set(re.findall(r"(\w+)\s*[\[.]", line))
    values = [(name, value) for name, value in [*frame.f_globals.items(), *frame.f_locals.items()] if name in names]
    texts = {
        name: [part for part in islice(parts(value), MAX_COLUMNS) if isinstance(part, str)] for name, value in values
    }
    return {name: found for name, found in texts.items() if found}


def _columns(value: Any) -> Iterable[Any]:
    return value.columns if _is_a(value, "DataFrame") else ()


def _labels(value: Any) -> Iterable[Any]:
    """Return the labels of a Series, or the keys of a dict."""
    return getattr(value, "index", ()) if _is_a(value, "Series") else value if type(value) is dict else ()


def _is_a(value: Any, kind: str) -> bool:
    return type(value).__name__ == kind and type(value).__module__.partition(".")[0] in ("pandas", "polars")


def _near(wanted: list[str], labels: dict[str, list[str]], *, are_columns: bool = False) -> str:
    """Return which of these labels were meant."""
    for name, known in labels.items():
        for each in wanted:
            meant = [] if each in known else [label for label in known if _plain(label) == _plain(each)]
            if are_columns and any(label.strip() == each for label in meant):
                return f"The names of {name}'s columns have blanks around them. First write: {name}.columns = {name}.columns.str.strip()"
            meant = meant or ([] if each in known else difflib.get_close_matches(each, known, 3))
            if meant:
                return _did_you_mean(f"{name}[{label!r}]" for label in meant)
    return ""


def _listed(tables: dict[str, list[str]]) -> str:
    for name, columns in tables.items():
        more = f" and {len(columns) - MAX_LISTED} more" if len(columns) > MAX_LISTED else ""
        return f"The columns of {name} are: {', '.join(map(repr, columns[:MAX_LISTED]))}{more}"
    return ""


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
