"""What decoding may cost: one allowance for all values of a frame, and the checks of hostile scalars.

The rules this file exists to keep:

* Cost is counted before it is spent: every part, every reference to a blob, every pixel.
* Whatever is over a bound raises ``WireError``, and what the encoder makes stays within the same bounds.
* Nothing here is quadratic in what the far side sends.
"""

from __future__ import annotations

import decimal
import fractions
import re
import struct
from collections.abc import Iterable
from typing import Any

from .strict import WireError

MAX_NODES = 1_000_000
MAX_BYTES = 512 << 20
MAX_PIXELS = 50_000_000  # of all images of a frame together
MAX_NESTED = 180
MAX_DIGITS = 100_000  # of an int, in hexadecimal
MAX_DECIMAL = 10_000  # characters, and its exponent's size
MAX_ALIKE = 100  # keys of one hash: beyond, building a set would take quadratic time
MAX_JSON = 32 << 20
MAX_MARKS = 4_000_000  # commas and opening brackets of one JSON text, outside its strings
CELL = 32  # bytes that a string of a column takes beside its text
MANY_ROWS = 10_000_000  # of a table without columns

_ZONE = re.compile(r"[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)*")
_OFFSET = re.compile(r"UTC[+-]\d\d:\d\d(:\d\d)?")
_STRINGS = re.compile(rb'"[^"]*"?')


class Allowance:
    """What is left to spend on the values of one frame; unlimited for what the host itself sent."""

    def __init__(self, limited: bool = True) -> None:
        self._limited = limited
        self._nodes, self._bytes, self._pixels, self._depth = MAX_NODES, MAX_BYTES, MAX_PIXELS, MAX_NESTED

    def nodes(self, count: int = 1) -> None:
        """Spend parts."""
        self._nodes -= count
        if self._nodes < 0 and self._limited:
            raise WireError(f"the values hold more than {MAX_NODES:,} parts")

    def bytes(self, count: int) -> None:
        """Spend bytes."""
        self._bytes -= count
        if self._bytes < 0 and self._limited:
            raise WireError(f"the values are larger than {MAX_BYTES:,} bytes")

    def pixels(self, count: int) -> None:
        """Spend pixels."""
        self._pixels -= count
        if self._pixels < 0 and self._limited:
            raise WireError(f"the images hold more than {MAX_PIXELS:,} pixels")

    def deeper(self, levels: int = 1) -> None:
        """Go down, or with -1 up again."""
        self._depth -= levels
        if self._depth < 0 and self._limited:
            raise WireError(f"the values are nested deeper than {MAX_NESTED}")


# --- scalars -----------------------------------------------------------------------------------------------------------


def text(value: Any, limit: int = 100) -> str:
    """A short text, or WireError."""
    if type(value) is not str or len(value) > limit:
        raise WireError(f"a value holds what is not a text of at most {limit:,} characters")
    return value


def integer(value: Any) -> int:
    """An int from hexadecimal."""
    return int(text(value, MAX_DIGITS + 3), 16)


def is_short_int(value: int) -> bool:
    """Whether an int may cross."""
    return value.bit_length() <= 4 * MAX_DIGITS


def fraction(value: Any) -> fractions.Fraction:
    """A fraction from its numerator and denominator: never from text, where an exponent would be raised."""
    numerator, denominator = value
    return fractions.Fraction(integer(numerator), integer(denominator))


def number(value: Any) -> decimal.Decimal:
    """A decimal; its exponent is bounded, since turning it into an int writes it out."""
    made = decimal.Decimal(text(value, MAX_DECIMAL))
    if not is_short_decimal(made):
        raise WireError("a decimal's exponent is too large")
    return made


def is_short_decimal(value: decimal.Decimal) -> bool:
    """Whether a decimal may cross."""
    _, digits, exponent = value.as_tuple()
    return len(digits) < MAX_DECIMAL - 20 and (isinstance(exponent, str) or abs(exponent) <= MAX_DECIMAL)


def zone(value: Any) -> str:
    """The name of a time zone: a key of the IANA database or an offset from UTC, never a path or another scheme."""
    name = text(value)
    known = _ZONE.fullmatch(name) is not None and not name.startswith("dateutil")
    if not (known or _OFFSET.fullmatch(name)):
        raise WireError(f"{name!r} is not a time zone")
    return name


# --- containers --------------------------------------------------------------------------------------------------------


def keys(values: Iterable[Any]) -> None:
    """Refuse keys made to have one hash."""
    alike: dict[int, int] = {}
    for value in values:
        found = hash(value)
        alike[found] = alike.get(found, 0) + 1
        if alike[found] > MAX_ALIKE:
            raise WireError(f"more than {MAX_ALIKE} keys have the same hash")


def json_size(data: Any) -> None:
    """Refuse JSON that is too long, or would make too many parts, before it is read."""
    if len(data) > MAX_JSON:
        raise WireError(f"JSON of {len(data):,} bytes (at most {MAX_JSON:,})")
    whole = bytes(data)
    if _marks(whole) <= MAX_MARKS:
        return
    # Backslashes stand inside strings only; where they do not, reading stops at the first.
    bare = whole.replace(b"\\\\", b"").replace(b'\\"', b"")
    if bare.count(b'"') > 4 * MAX_MARKS or _marks(_STRINGS.sub(b"", bare)) > MAX_MARKS:
        raise WireError(f"JSON of more than {MAX_MARKS:,} parts")


def _marks(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


# --- Arrow and PNG, as far as they must be known before they are read ----------------------------------------------------

_BATCH, _DICTIONARY = 3, 2  # kinds of message


def arrow_message(metadata: Any) -> None:
    """Refuse a message of an Arrow stream whose buffers are compressed: their size would be unknown.

    Reads the flatbuffer of format/Message.fbs; ``struct.error`` where it is none.
    """
    data = bytes(metadata)
    message = struct.unpack_from("<I", data)[0]
    kind = _field(data, message, 1)
    if kind is None or data[kind] not in (_BATCH, _DICTIONARY):
        return
    if _field(data, message, 4) is not None:  # compression was announced here before it had a field of its own
        raise WireError("an Arrow batch with metadata of its own")
    table = _follow(data, _field(data, message, 2))
    if data[kind] == _DICTIONARY:
        table = _follow(data, _field(data, table, 1))
    if _field(data, table, 3) is not None:
        raise WireError("compressed Arrow data")


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a table's field stands; None when it is left out."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if vtable < 0:
        raise WireError("not an Arrow message")
    if 4 + 2 * number >= struct.unpack_from("<H", data, vtable)[0]:
        return None
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + offset if offset else None


def _follow(data: bytes, at: int | None) -> int:
    if at is None:
        raise WireError("not an Arrow message")
    return int(at + struct.unpack_from("<I", data, at)[0])


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height as a PNG's head says them."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        raise WireError("not a PNG")
    width, height = struct.unpack_from(">II", data, 16)
    return int(width), int(height)
