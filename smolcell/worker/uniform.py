"""Columns of Python objects of one kind (texts, dates, lists of numbers) across the wire, as Arrow.

The rules this file exists to keep:

* A column is taken only where every value is exactly of the kind (``type(value) is str``), so that it comes back as it was: texts
  as texts, ``None`` as ``None``, a missing number as a missing number.
* What is of no one kind goes another way; nothing is coerced.
* On the way back types are looked up in a table, and what the objects will take is paid for before they are made.
"""

from __future__ import annotations

import datetime
from itertools import chain
from typing import Any

from . import bounds, frames
from .frames import TAG

LEAST = 64  # values below which JSON is as quick
_NONE = type(None)
_SCALARS: dict[type, str] = {
    str: "large_string",
    bytes: "large_binary",
    bool: "bool_",
    int: "int64",
    float: "float64",
    datetime.date: "date32",
}
_SHOWN = {
    "large_string": "large_string",
    "large_binary": "large_binary",
    "bool_": "bool",
    "int64": "int64",
    "float64": "double",
    "date32": "date32[day]",
}


def encode(encoder: Any, values: Any) -> dict[str, Any] | None:
    """An array of objects as one Arrow column; None where its values are not all of one kind.

    Args:
        values: a numpy array of objects, of one dimension.
    """
    if not encoder.arrow or len(values) < LEAST:
        return None
    kinds = set(map(type, values)) - {_NONE}
    missing: list[int] = []
    if float in kinds and len(kinds) == 2:  # texts with NaN for what is missing
        kinds.discard(float)
        missing = [at for at, value in enumerate(values) if type(value) is float]
        if any(values[at] == values[at] for at in missing):
            return None
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is list and not missing:
        return _encode(encoder, values, _kind_of_items(values), missing, True)
    return _encode(encoder, values, kind, missing, False)


def _kind_of_items(values: Any) -> type | None:
    kinds = set(map(type, chain.from_iterable(value for value in values if value is not None))) - {_NONE}
    return kinds.pop() if len(kinds) == 1 else None


def _encode(encoder: Any, values: Any, kind: type | None, missing: list[int], lists: bool) -> dict[str, Any] | None:
    import numpy
    import pyarrow

    name = _SCALARS.get(kind) if kind is not None else None
    if name is None:
        return None
    made = getattr(pyarrow, name)()
    if missing:
        values = values.copy()
        values[missing] = None
    try:
        column = pyarrow.array(values, pyarrow.large_list(made) if lists else made, from_pandas=False)
    except (pyarrow.ArrowException, ValueError, OverflowError):  # a lone surrogate, an int of more than 64 bits
        return None
    column = pyarrow.chunked_array([column]) if isinstance(column, pyarrow.Array) else column
    encoder.charge(bounds.CELL * _objects(column))
    found = {
        TAG: "uniform",
        "table": frames.table_blob(encoder, pyarrow.table([column], ["0"])),
        "kind": name,
        "lists": lists,
    }
    if missing:
        found["nan"] = frames.encode(encoder, numpy.asarray(missing), 2)
    return found


def _objects(column: Any) -> int:
    """How many Python objects a column becomes."""
    import pyarrow

    inner = sum(len(chunk.values) for chunk in column.chunks) if pyarrow.types.is_large_list(column.type) else 0
    return len(column) + inner


def decode(decoder: Any, data: dict[str, Any]) -> Any:
    """The array of objects again."""
    import numpy

    shown, lists = _SHOWN[data["kind"]], bool(data["lists"])
    column = frames.read_table(decoder, data, "table").column(0)
    kind = column.type
    if lists and not str(kind).startswith("large_list<"):
        raise ValueError("a column of lists that holds something else")
    if str(kind.value_type if lists else kind) != shown:
        raise ValueError("a column of one kind that holds something else")
    decoder.allowance.bytes(bounds.CELL * _objects(column))
    found = numpy.empty(len(column), dtype=object)
    if shown == "large_string" and not lists:
        found[:] = column.to_pandas().to_numpy(dtype=object, na_value=None)  # texts that occur often are made once
    else:
        for at, value in enumerate(chain.from_iterable(chunk.to_pylist() for chunk in column.chunks)):
            found[at] = value
    if "nan" in data:
        at = decoder.decode_part(data["nan"])
        if at.dtype != numpy.int64 or at.ndim != 1:
            raise ValueError("not positions")
        found[at] = numpy.nan
    return found
