"""Strict JSON: what a hostile far side may not say in it.

The rules this file exists to keep:

* UTF-8 only; no NaN, no infinity, no duplicate key, no nesting beyond a bound.
* Whatever the bytes are, ``loads`` returns plain values or raises ``WireError``.
"""

from __future__ import annotations

import json
import math
from typing import Any, Union

Buffer = Union[bytes, bytearray, memoryview]
MAX_DEPTH = 32


class WireError(Exception):
    """The bytes are not a frame, or a frame beyond its bounds."""


def _no_constant(text: str) -> Any:
    raise WireError(f"JSON holds {text}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise WireError("JSON holds a number beyond float")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise WireError("JSON holds a duplicate key")
    return found


def _depth_ok(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        if not level:
            return True
        below: list[Any] = []
        for item in level:
            if type(item) is dict:
                below.extend(item.values())
            elif type(item) is list:
                below.extend(item)
        level = [item for item in below if type(item) in (dict, list)]
    return not level


def loads(data: Buffer, max_depth: int = MAX_DEPTH) -> Any:
    """Strict JSON from UTF-8 bytes.

    Raises:
        WireError: not UTF-8, not JSON, NaN or infinity, a duplicate key, or nested deeper than ``max_depth``.
    """
    try:
        value = json.loads(
            str(data, "utf-8"), parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_duplicates
        )
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise WireError(f"not JSON: {error!s:.100}") from None
    if not _depth_ok(value, max_depth):
        raise WireError(f"JSON is nested deeper than {max_depth}")
    return value


def dumps(value: Any) -> bytes:
    """JSON as ASCII bytes; NaN refused."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
