"""A table as rows of text, for a page that draws it: data, and no markup.

Bounded: of a long or wide table its beginning and its end, and of a cell its beginning.
"""

from __future__ import annotations

import sys
from typing import Any

from . import wire
from .texts import clean

MIME = "application/vnd.smolcell.table+json"
FIRST_ROWS, LAST_ROWS = 20, 5
FIRST_COLUMNS, LAST_COLUMNS = 20, 5
MAX_CELL = 200


def grid(value: Any) -> str:
    """JSON of a DataFrame; "" of anything else, and of a table without cells.

    ``columns``, ``index`` and ``rows`` are texts; ``numeric`` says which columns hold numbers, ``shape`` how large the whole
    is, ``gap`` after how many rows and columns some are left out (0: none are).
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or type(value) is not getattr(pandas, "DataFrame", None) or 0 in value.shape:
        return ""
    rows, row_gap = _places(value.shape[0], FIRST_ROWS, LAST_ROWS)
    columns, column_gap = _places(value.shape[1], FIRST_COLUMNS, LAST_COLUMNS)
    part = value.iloc[rows, columns]
    cells = [_column(pandas, part.iloc[:, at]) for at in range(len(columns))]
    made = {
        "columns": [_label(name) for name in part.columns],
        "index": [_label(name) for name in part.index],
        "rows": [list(row) for row in zip(*cells)],
        "numeric": [bool(pandas.api.types.is_numeric_dtype(part.iloc[:, at].dtype)) for at in range(len(columns))],
        "shape": [int(size) for size in value.shape],
        "gap": [row_gap, column_gap],
    }
    return wire.dumps(made).decode("ascii")


def _places(count: int, first: int, last: int) -> tuple[list[int], int]:
    """Which of so many are shown, and after how many some are left out."""
    if count <= first + last:
        return list(range(count)), 0
    return [*range(first), *range(count - last, count)], first


def _column(pandas: Any, values: Any) -> list[str]:
    """The cells as pandas prints them: decimals are the same for a whole column."""
    with pandas.option_context("display.max_colwidth", MAX_CELL, "display.max_rows", None):
        lines = values.to_string(header=False, index=False).split("\n")
    if len(lines) != len(values):
        lines = [str(value) for value in values]
    return [_bounded(line.strip()) for line in lines]


def _label(name: Any) -> str:
    return _bounded(", ".join(map(str, name)) if type(name) is tuple else str(name))


def _bounded(text: str) -> str:
    text = str.__str__(text)
    return clean(text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "\u2026")
