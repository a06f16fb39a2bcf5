"""Strict JSON: what a hostile far side may not say in it.

The rules this file exists to keep:

* UTF-8 only; no NaN, no infinity, no duplicate key, no nesting beyond a bound.
* Whatever the bytes are, ``loads`` returns plain values or raises ``WireError``.
"""

from __future__ import annotations

import json
import json.decoder
import json.encoder
import json.scanner
import math
import types
from typing import Any, Callable, Union

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
        value = _read(str(data, "utf-8"))
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise WireError(f"not JSON: {error!s:.100}") from None
    if not _depth_ok(value, max_depth):
        raise WireError(f"JSON is nested deeper than {max_depth}")
    return value


def dumps(value: Any) -> bytes:
    """JSON as ASCII bytes; NaN refused."""
    return "".join(_write(value, 0)).encode("ascii")


# The classes of ``json`` belong to agent code as well, which may put methods of its own into them: what reads and
# writes here is made once, of functions that nobody can change.


def _reader() -> Callable[[str], Any]:
    make: Any = getattr(json.scanner, "c_make_scanner", None)
    if make is None:
        decoder = _copy(json.JSONDecoder)(
            parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_duplicates
        )
        return decoder.decode  # type: ignore[no-any-return]
    scan = make(
        types.SimpleNamespace(
            strict=True,
            object_hook=None,
            object_pairs_hook=_no_duplicates,
            parse_float=_finite,
            parse_int=int,
            parse_constant=_no_constant,
            memo={},
        )
    )

    def read(text: str) -> Any:
        start = len(text) - len(text.lstrip(SPACE))
        try:
            value, end = scan(text, start)
        except StopIteration as error:
            raise ValueError(f"Expecting value: char {error.value}") from None
        if text[end:].strip(SPACE):
            raise ValueError(f"Extra data: char {end}")
        return value

    return read


def _writer() -> Callable[[Any, int], Any]:
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        encoder = _copy(json.JSONEncoder)(separators=(",", ":"), allow_nan=False)
        return lambda value, level: encoder.encode(value)
    quote = json.encoder.encode_basestring_ascii

    def unknown(value: Any) -> Any:
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def write(value: Any, level: int) -> Any:
        return make({}, unknown, quote, None, ":", ",", False, False, False)(value, level)

    return write


def _copy(kind: Any) -> Any:
    return type(kind.__name__, (), {name: value for name, value in vars(kind).items() if name != "__dict__"})


SPACE = " \t\n\r"
_read, _write = _reader(), _writer()
