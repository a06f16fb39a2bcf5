"""Makes invisible characters visible, so that text of a model or a sandbox cannot move the cursor, hide code or reorder it.

* Pure and total: takes any string; in the result every character is visible, or a newline, a tab or a space.
* A character is unchanged only if Unicode lists it as visible; unassigned ones are escaped.

Escaped are: C0 and C1 controls (ANSI sequences begin with one) except newline and tab, bidirectional controls and other format
characters (zero-width, tags, soft hyphen), line and paragraph separators, private use, unassigned, lone surrogates, variation
selectors that follow no emoji-like symbol, and "letters" that fonts draw as nothing. Characters that only *look* like others (a
Cyrillic letter for a Latin one) are visible and unchanged.

Source: Unicode Technical Report 36 (security considerations); CVE-2021-42574 ("Trojan Source") for the bidirectional controls.
"""

from __future__ import annotations

import re
import reprlib
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from smolcell.core.redaction import redact, redact_part
from smolcell.events import Variable
from smolcell.worker.wire.bounds import clean, cut, cut_end

# Categories without a visible form: control, format, surrogate, private use, unassigned, line and paragraph separator.
_NEVER = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters, marks and symbols by category that fonts draw as nothing or as a blank.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}
# Spaces other than " ": their width is misleading, and Python refuses them in code.
_SPACE = "Zs"
_PLAIN = re.compile(r"[\n\t -~]*")


def visible(text: str) -> str:
    r"""Return the text with every invisible character written like ``\u{200b}``.

    Newlines and tabs are unchanged; ``\r\n`` becomes a newline. Returns the same object if nothing is invisible.
    """
    text = text.replace("\r\n", "\n")
    if _PLAIN.fullmatch(text):
        return text
    return "".join(escape(char) if _is_hidden(text, index) else char for index, char in enumerate(text))


def sendable(value: Any) -> Any:
    """Return a copy of a JSON value without lone surrogates, which no request to a server can hold."""
    if isinstance(value, str):
        return value if value.isascii() else clean(value)
    if isinstance(value, Mapping):
        return {sendable(key): sendable(item) for key, item in value.items()}
    return [sendable(item) for item in value] if isinstance(value, list | tuple) else value


def presentable(text: str) -> str:
    """Return the text for a person: redacted, with invisible characters made visible."""
    return visible(redact(text))


def hidden(text: str) -> list[tuple[int, int, str]]:
    """Return the places of invisible characters: (line from 1, column from 1, name), in order.

    The name is Unicode's, or the code point if it has none: ``"ZERO WIDTH SPACE"``, ``"U+001B"``.
    """
    text = text.replace("\r\n", "\n")
    if _PLAIN.fullmatch(text):
        return []
    characters = []
    line, start = 1, 0
    for index, char in enumerate(text):
        if char == "\n":
            line, start = line + 1, index + 1
        elif _is_hidden(text, index):
            characters.append((line, index - start + 1, unicodedata.name(char, f"U+{ord(char):04X}")))
    return characters


def escape(char: str) -> str:
    r"""Return one character as ``\u{…}`` with its code point in hexadecimal."""
    return f"\\u{{{ord(char):x}}}"


def one_line(text: str, most: int = 80) -> str:
    """Return the text, redacted, on one line of at most ``most`` characters; if it is shortened, it ends with ``…``."""
    start = text if len(text) <= 2000 else f"{text[:2000]}…"
    return cut_end(" ".join(redact(start).split()), most)


def shorten(text: str, most: int) -> str:
    """Return at most ``most`` characters from the start of a text; if it is shortened, it is redacted and ends with ``…``."""
    return text if len(text) <= most else cut_end(redact(text), most)


def tail(text: str, most: int) -> str:
    """Return the last ``most`` characters of a text or of what is left of its end, for a person, without white space around it."""
    return visible(redact_part(text)).strip()[-most:]


def _is_hidden(text: str, index: int) -> bool:
    char = text[index]
    if " " <= char <= "~" or char in "\n\t":
        return False
    if char == "\ufe0f":  # "draw the previous symbol as an emoji": common in prose
        return not (index and unicodedata.category(text[index - 1]) == "So")
    if char == "\u200d":  # joins emoji: 👩‍💻
        return not (0 < index < len(text) - 1 and _is_emoji(text[index - 1]) and _is_emoji(text[index + 1]))
    category = unicodedata.category(char)
    return category in _NEVER or category == _SPACE or char in _BLANK


def _is_emoji(char: str) -> bool:
    return char == "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff" or unicodedata.category(char) == "So"


# --- Values as text of bounded length: descriptions of a variable or an answer for prompt and page, never the whole repr.
#
# Recognizes tables and arrays by their attributes, without importing pandas or numpy: a caller that passes one has imported it.


BUDGET_CHARS = 1_500  # characters per variable, about 400 tokens
_MAX_COLUMNS = 30
_FIRST_VALUES = 3  # rows of a table that are shown
_MAX_SCHEMA_COLUMNS = 500  # columns
_WHOLE_ROWS, _WHOLE_COLUMNS = 30, 12  # in an answer, a table up to this size is shown whole
_END_ROWS = 20  # rows shown at each end of a longer table


def _reprs(items: int, text: int) -> reprlib.Repr:
    limited = reprlib.Repr()
    limited.maxstring = limited.maxother = text
    limited.maxlist = limited.maxtuple = limited.maxset = limited.maxfrozenset = limited.maxdict = items
    return limited


_short = _reprs(8, 200)
_brief = _reprs(4, 40)
_long = _reprs(200, 2_000)
_WHOLE_CHARS = 500  # characters: a text, list or dictionary that is not longer is shown whole


class _Whole(reprlib.Repr):
    """Shows a value whole, or, if it has too many parts, with some of them left out."""

    def __init__(self) -> None:
        super().__init__()
        vars(self).update(vars(_reprs(_WHOLE_CHARS, _WHOLE_CHARS)), maxlevel=50)
        self._parts = 0

    def repr1(self, value: Any, level: int) -> str:
        self._parts += 1
        return super().repr1(value, level) if self._parts <= _WHOLE_CHARS else "..."


def variable(name: str, value: Any, budget: int = BUDGET_CHARS) -> Variable:
    """Describe one variable for the prompt and the page in at most ``budget`` characters. Never raises."""
    return Variable(name=name, type=_type(value), text=text(value, budget))


_PART = re.compile(r"[\d,]+ (?:items|characters|bytes): ")


def is_whole(variable: Variable) -> bool:
    """Return whether the description of a variable holds all its data."""
    return variable.type in _BUILTINS and _PART.match(variable.text) is None


_BUILTINS = frozenset("NoneType bool int float complex str bytes list tuple set frozenset dict".split())


def text(value: Any, budget: int = BUDGET_CHARS) -> str:
    """Return a value as at most ``budget`` characters: shape, columns and a few rows of a table; else a short repr."""
    try:
        with _unwrapped_tables():
            described = _table(value) or _series(value) or _array(value) or _plain(value)
    except Exception as error:  # a broken __repr__ or property of the user's object
        described = f"<{_type(value)}; its description failed: {type(error).__name__}>"
    return clip(visible(described), budget)


def answer(value: Any, budget: int = 10_000) -> str:
    """Return a final answer as text: strings unchanged, small tables whole, both ends of larger ones. Never raises."""
    if isinstance(value, str):
        return clip(visible(value), budget)
    try:
        with _unwrapped_tables():
            described = _rows(value) or _table(value) or _series(value) or _elements(value) or _plain(value, _long)
    except Exception:
        return text(value, budget)
    return clip(visible(described), budget)


def counted(number: int, noun: str) -> str:
    """Return ``1 step``, ``2 steps``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def clip(words: str, budget: int) -> str:
    """Return at most ``budget`` characters: the beginning and the end, redacted, with a note about the omission."""
    if len(words) <= budget:
        return words
    words = redact(words)
    return words if len(words) <= budget else cut(words, max(0, budget - len(f"… [{len(words):,} more characters] …")))


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
    more = f"\n… {len(pairs) - _MAX_COLUMNS} more columns" if len(pairs) > _MAX_COLUMNS else ""
    if hasattr(value, "iloc"):
        named = (_column(*pair, value.iloc[:_FIRST_VALUES, at]) for at, pair in enumerate(pairs[:_MAX_COLUMNS]))
        listed = "\n".join([*_index(value.index), *named])
        return f"{rows} rows, {columns} columns, with types and first values:\n{listed}{more}"
    names = ", ".join(f"{name!r}: {dtype}" for name, dtype in pairs[:_MAX_COLUMNS])
    return f"{rows} rows, {columns} columns\ncolumns: {names}{more}\nfirst rows:\n{value.head(_FIRST_VALUES)}"


def _index(index: Any) -> Iterator[str]:
    """Yield a line about the index of a pandas table, unless it only counts the rows."""
    if type(index).__name__ != "RangeIndex" or index.name is not None:
        yield f"index {_column(index.name, index.dtype, index[:_FIRST_VALUES])}".replace("index None ", "index ")


def _column(name: Any, dtype: Any, values: Any) -> str:
    """Return one column of a pandas table as a line; what is no text stands without quotes."""
    first = (
        _brief.repr(value) if isinstance(value, str | int | float) else shorten(str(value), 40)
        for value in values.tolist()
    )
    return f"{name!r} ({dtype}): {', '.join(first)}"


def _unwrapped_tables() -> AbstractContextManager[Any]:
    """Have polars write each row of a table on one line: redaction cannot find a secret that is wrapped."""
    config = getattr(sys.modules.get("polars"), "Config", None)
    return nullcontext() if config is None else config(tbl_width_chars=-1)


def describe_schema(value: Any) -> str:
    """Return the columns of a table with their types, without values; "" for other values. Never raises."""
    try:
        pairs = _columns(value)
        rows = len(value)
    except Exception:  # a broken property of the user's object
        return ""
    named = "\n".join(f"{name!r}: {kind}" for name, kind in pairs[:_MAX_SCHEMA_COLUMNS])
    more = f"\n… {len(pairs) - _MAX_SCHEMA_COLUMNS} more" if len(pairs) > _MAX_SCHEMA_COLUMNS else ""
    return visible(f"{rows} rows, {len(pairs)} columns\n{named}{more}") if pairs else ""


def _columns(value: Any) -> list[tuple[Any, Any]]:
    """Return names and types of the columns, for pandas, polars and Arrow."""
    if type(value).__name__ == "Table" and hasattr(value, "column_names"):
        return list(zip(value.column_names, value.schema.types, strict=True))
    if type(value).__name__ != "DataFrame":
        return []
    return list(zip(value.columns, value.dtypes, strict=True))


def _series(value: Any) -> str:
    if type(value).__name__ != "Series" or not hasattr(value, "head"):
        return ""
    head = value.head(5)
    shown = head.to_string() if hasattr(head, "to_string") else str(head)  # polars has no to_string
    return f"{len(value)} values of {value.dtype}, name {value.name!r}\nfirst values:\n{shown}"


def _array(value: Any) -> str:
    if type(value).__name__ != "ndarray" or not hasattr(value, "shape"):
        return ""
    first = _short.repr(value.flat[:6].tolist() if value.size else [])
    return f"array of shape {value.shape}, {value.dtype}, first values {first}"


def _rows(value: Any) -> str:
    """Return a table or column as its rows; if there are many, both ends and the shape."""
    kind = type(value).__name__
    if kind not in ("DataFrame", "Series") or not (hasattr(value, "to_string") and hasattr(value, "iloc")):
        return ""
    rows, columns = value.shape if kind == "DataFrame" else (len(value), 1)
    if rows <= _WHOLE_ROWS and columns <= _WHOLE_COLUMNS:
        return str(value.to_string())
    limits = {} if kind == "Series" else {"max_cols": _WHOLE_COLUMNS, "max_colwidth": 40}
    shown = value.to_string(max_rows=rows if rows <= _WHOLE_ROWS else _END_ROWS, **limits)
    shape = f"{rows} rows" if kind == "Series" else f"{rows} rows, {columns} columns"
    return f"{shown}\n\n… {shape}"


def _elements(value: Any) -> str:
    """Return an array of a few elements as its own text."""
    small = type(value).__name__ == "ndarray" and hasattr(value, "shape") and value.size <= 200
    return repr(value) if small else _array(value)


def _plain(value: Any, words: reprlib.Repr = _short) -> str:
    if type(value).__module__ == "numpy" and hasattr(value, "item"):  # a scalar: 6, not np.int64(6)
        value = value.item()
    if not isinstance(value, (list, tuple, set, frozenset, dict, str, bytes)):
        return words.repr(value)
    if len(value) <= _WHOLE_CHARS and len(whole := _Whole().repr(value)) <= _WHOLE_CHARS:
        return whole
    unit = "characters" if isinstance(value, str) else "bytes" if isinstance(value, bytes) else "items"
    shown = words.repr(value)
    return f"{len(value):,} {unit}: {shown}" if "..." in shown else shown
