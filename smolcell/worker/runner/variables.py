"""Lists the namespace's variables for a person, each with a short text and rows. Bounded, whatever an object's code does."""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

from ..wire.bounds import clean, cut_end, short_repr
from . import display

MAX_VARIABLES = 200
MAX_TEXT_CHARS = 200
MAX_LISTED_CHARS = 500_000  # maximum characters of all texts together
FIRST_ROWS = 5


def list_variables(names: list[str], namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Return name, type, shape, size in bytes (-1: unknown), start of the repr, and a table's first rows (``display.grid``).

    Modules are left out.
    """
    variables: list[dict[str, Any]] = []
    left = MAX_LISTED_CHARS
    for name in names:
        value = namespace.get(name)
        if isinstance(value, types.ModuleType):
            continue
        description = _describe(name, value)
        left -= len(description["text"]) + len(description["table"])
        if len(variables) == MAX_VARIABLES or left < 0:
            break
        variables.append(description)
    return variables


def _describe(name: str, value: Any) -> dict[str, Any]:
    table = _guess(lambda: display.grid(value, FIRST_ROWS, 0), "")
    return {
        "name": cut_end(clean(name), MAX_TEXT_CHARS),
        "type": cut_end(clean(str(type(value).__name__)), MAX_TEXT_CHARS),
        "shape": _guess(lambda: _shape(value), []),
        "size": _guess(lambda: _size(value), -1),
        "text": "" if table else short_repr(value, MAX_TEXT_CHARS),
        "table": table,
    }


def _shape(value: Any) -> list[int]:
    shape = getattr(value, "shape", None)
    if type(shape) is tuple:
        return [int(size) for size in shape[:8]]
    return [len(value)] if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes)) else []


def _size(value: Any) -> int:
    usage = getattr(value, "memory_usage", None)
    if callable(usage):
        total = usage(index=True)
        return int(total.sum() if hasattr(total, "sum") else total)
    size = getattr(value, "nbytes", None)
    return int(size) if size is not None else sys.getsizeof(value)


def _guess(make: Callable[[], Any], otherwise: Any) -> Any:
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return otherwise
