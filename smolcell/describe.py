"""Values in words, under a budget: what the prompt and the page say of a variable or an answer, never its whole repr.

Recognises tables and arrays by their shape, without importing pandas or numpy: whoever passes one has imported it.
"""

from __future__ import annotations

import reprlib
from typing import Any

from smolcell.events import Variable
from smolcell.visible import visible

BUDGET = 1_500  # characters per variable, about 400 tokens
_COLUMNS = 30
_WHOLE_ROWS, _WHOLE_COLUMNS = 30, 12  # a table of this size is an answer that is read whole
_ENDS = 20  # rows shown of a longer one


def _reprs(items: int, text: int) -> reprlib.Repr:
    made = reprlib.Repr()
    made.maxstring = made.maxother = text
    made.maxlist = made.maxtuple = made.maxset = made.maxfrozenset = made.maxdict = items
    return made


_short = _reprs(8, 200)
_long = _reprs(200, 2_000)


def variable(name: str, value: Any, budget: int = BUDGET) -> Variable:
    """Describe one variable for the prompt and the page; at most ``budget`` characters. Never raises."""
    return Variable(name=name, type=_type(value), text=text(value, budget))


def text(value: Any, budget: int = BUDGET) -> str:
    """A value in at most ``budget`` characters: shape, columns and a few rows of a table; a short repr of the rest."""
    try:
        described = _table(value) or _series(value) or _array(value) or _plain(value)
    except Exception as error:  # a broken __repr__ or property of the user's object
        described = f"<{_type(value)}; its description failed: {type(error).__name__}>"
    return clip(visible(described), budget)


def answer(value: Any, budget: int = 10_000) -> str:
    """A final answer in words: strings as they are, small tables whole, the two ends of larger ones. Never raises."""
    if isinstance(value, str):
        return clip(visible(value), budget)
    try:
        described = _rows(value) or _table(value) or _series(value) or _elements(value) or _plain(value, _long)
    except Exception:
        return text(value, budget)
    return clip(visible(described), budget)


def clip(words: str, budget: int) -> str:
    """At most ``budget`` characters, with a note of what was cut."""
    if len(words) <= budget:
        return words
    kept = max(0, budget - len(f"… [{len(words)} more characters]"))
    return f"{words[:kept]}… [{len(words) - kept} more characters]"


def _type(value: Any) -> str:
    kind = type(value)
    module = str(kind.__module__).partition(".")[0]
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _table(value: Any) -> str:
    if (
        type(value).__name__ not in ("DataFrame", "Table")
        or not hasattr(value, "columns")
        or not hasattr(value, "head")
    ):
        return ""
    rows, columns = value.shape
    dtypes = getattr(value, "dtypes", None)
    pairs = list(zip(value.columns, dtypes, strict=False)) if dtypes is not None else []
    named = ", ".join(f"{name!r}: {dtype}" for name, dtype in pairs[:_COLUMNS])
    more = f", … {len(pairs) - _COLUMNS} more" if len(pairs) > _COLUMNS else ""
    head = value.iloc[:3, :_COLUMNS] if hasattr(value, "iloc") else value.head(3)
    body = head.to_string(max_colwidth=40) if hasattr(head, "to_string") else str(head)
    return f"{rows} rows, {columns} columns\ncolumns: {named}{more}\nfirst rows:\n{body}"


def _series(value: Any) -> str:
    if type(value).__name__ != "Series" or not hasattr(value, "head"):
        return ""
    return f"{len(value)} values of {value.dtype}, name {value.name!r}\nfirst values:\n{value.head(5).to_string()}"


def _array(value: Any) -> str:
    if type(value).__name__ != "ndarray" or not hasattr(value, "shape"):
        return ""
    first = _short.repr(value.flat[:6].tolist() if value.size else [])
    return f"array of shape {value.shape}, {value.dtype}, first values {first}"


def _rows(value: Any) -> str:
    """A table or column as its rows; without those in the middle, and with its shape, where there are many."""
    kind = type(value).__name__
    if kind not in ("DataFrame", "Series") or not (hasattr(value, "to_string") and hasattr(value, "iloc")):
        return ""
    rows, columns = value.shape if kind == "DataFrame" else (len(value), 1)
    if rows <= _WHOLE_ROWS and columns <= _WHOLE_COLUMNS:
        return str(value.to_string())
    limits = {} if kind == "Series" else {"max_cols": _WHOLE_COLUMNS, "max_colwidth": 40}
    shown = value.to_string(max_rows=rows if rows <= _WHOLE_ROWS else _ENDS, **limits)
    shape = f"{rows} rows" if kind == "Series" else f"{rows} rows, {columns} columns"
    return f"{shown}\n\n… {shape}"


def _elements(value: Any) -> str:
    """An array of a few elements, as it shows itself."""
    small = type(value).__name__ == "ndarray" and hasattr(value, "shape") and value.size <= 200
    return repr(value) if small else _array(value)


def _plain(value: Any, words: reprlib.Repr = _short) -> str:
    if type(value).__module__ == "numpy" and hasattr(value, "item"):  # a scalar: 6, not np.int64(6)
        value = value.item()
    if isinstance(value, (list, tuple, set, frozenset, dict, str, bytes)) and len(value) > max(20, words.maxlist):
        return f"{len(value)} items: {words.repr(value)}"
    return words.repr(value)
