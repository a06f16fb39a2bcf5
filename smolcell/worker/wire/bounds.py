"""Bounds of decoding: one allowance for all values of a frame, and checks of scalars that a hostile worker may send.

* Cost is counted before it is spent: every part, every reference to a blob, every pixel.
* A value over a bound raises ``FrameError``; the encoder stays within the same bounds.
* No check takes quadratic time in the size of the data.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import re
import reprlib
import struct
from collections.abc import Iterable
from typing import Any, Callable

from .frames import FrameError

MAX_NODES = 1_000_000
MAX_BYTES = 512 << 20
MAX_PIXELS = 50_000_000  # of all images of a frame together
MAX_NESTED = 180
MAX_DIGITS = 100_000  # of an int, in hexadecimal
MAX_DECIMAL = 10_000  # characters, and the largest exponent
MAX_SAME_HASH = 100  # keys with the same hash: more would make building a set quadratic
MAX_JSON = 32 << 20
MAX_MARKS = 4_000_000  # commas and opening brackets of one JSON text, outside its strings
CELL_BYTES = 32  # bytes of a string in a column, besides its text
MAX_ROWS = 10_000_000  # of a table without columns

# Noncharacters of Unicode, which no text contains, among what a step prints:
PLACES = "".join(map(chr, range(0xFDD0, 0xFDE8)))  # the step's outputs, each where it was displayed
CLEAR = "\ufdef"  # ``clear_output`` was called: the text before does not count

_ZONE = re.compile(r"[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)*")
_OFFSET = re.compile(r"UTC[+-]\d\d:\d\d(:\d\d)?")
_STRINGS = re.compile(rb'"[^"]*"?')


class Allowance:
    """The allowance left for the values of one frame; unlimited for values that the host itself sent."""

    def __init__(self, limited: bool = True) -> None:
        self._limited = limited
        self._nodes, self._bytes, self._pixels, self._depth = MAX_NODES, MAX_BYTES, MAX_PIXELS, MAX_NESTED

    def nodes(self, count: int = 1) -> None:
        """Charge parts to the allowance."""
        self._nodes -= count
        if self._nodes < 0 and self._limited:
            raise FrameError(f"the values hold more than {MAX_NODES:,} parts")

    def bytes(self, count: int) -> None:
        """Charge bytes to the allowance."""
        self._bytes -= count
        if self._bytes < 0 and self._limited:
            raise FrameError(f"the values are larger than {MAX_BYTES:,} bytes")

    def pixels(self, count: int) -> None:
        """Charge pixels to the allowance."""
        self._pixels -= count
        if self._pixels < 0 and self._limited:
            raise FrameError(f"the images hold more than {MAX_PIXELS:,} pixels")

    def deeper(self, levels: int = 1) -> None:
        """Enter nested levels; -1 leaves one."""
        self._depth -= levels
        if self._depth < 0 and self._limited:
            raise FrameError(f"the values are nested deeper than {MAX_NESTED}")


# --- scalars -----------------------------------------------------------------------------------------------------------


def text(value: Any, limit: int = 100) -> str:
    """Return a short text; raises FrameError for anything else."""
    if type(value) is not str or len(value) > limit:
        raise FrameError(f"a value is not a text of at most {limit:,} characters")
    return value


def integer(value: Any) -> int:
    """Parse an int from hexadecimal."""
    return int(text(value, MAX_DIGITS + 3), 16)


def is_short_int(value: int) -> bool:
    """Return whether an int is short enough to be sent."""
    return value.bit_length() <= 4 * MAX_DIGITS


def fraction(value: Any) -> fractions.Fraction:
    """Make a fraction from its numerator and denominator, never from text, which could hold a huge exponent."""
    numerator, denominator = value
    return fractions.Fraction(integer(numerator), integer(denominator))


def number(value: Any) -> decimal.Decimal:
    """Parse a decimal. Its exponent is bounded, since conversion to an int writes out all digits."""
    decimal_number = decimal.Decimal(text(value, MAX_DECIMAL))
    if not is_short_decimal(decimal_number):
        raise FrameError("a decimal's exponent is too large")
    return decimal_number


def is_short_decimal(value: decimal.Decimal) -> bool:
    """Return whether a decimal is short enough to be sent."""
    _, digits, exponent = value.as_tuple()
    return len(digits) < MAX_DECIMAL - 20 and (isinstance(exponent, str) or abs(exponent) <= MAX_DECIMAL)


def zone(value: Any) -> Any:
    """Return the name of a time zone, or an offset as a zone: a key of the IANA database, never a path or another scheme."""
    name = text(value)
    known = _ZONE.fullmatch(name) is not None and not name.startswith("dateutil")
    if _OFFSET.fullmatch(name):
        return datetime.time.fromisoformat(f"00:00{name[3:]}").tzinfo  # pandas reads no seconds
    if not known:
        raise FrameError(f"{name!r} is not a time zone")
    return name


def zone_name(zone: Any) -> str:
    """Return the name by which both sides know a time zone, of zoneinfo, pytz or dateutil: a key or an offset; "" without one."""
    file = str(getattr(zone, "_filename", "")).partition("zoneinfo/")[2]  # of dateutil, which keeps nothing else
    name = getattr(zone, "key", None) or getattr(zone, "zone", None) or file
    if type(name) is str and _ZONE.fullmatch(name):
        return name
    offset = zone.utcoffset(None)
    if offset is None or offset % datetime.timedelta(seconds=1):
        return ""
    return str(datetime.timezone(offset))


def dates(*edges: Callable[[], Any]) -> None:
    """Raise FrameError if a date cannot be written out by Python: every later repr would raise.

    Args:
        edges: functions that return the first and the last date.
    """
    try:
        for edge in edges:
            str(edge())
    except (NotImplementedError, ValueError, OverflowError, LookupError) as error:
        raise FrameError(f"a date that cannot be written out ({type(error).__name__})") from None


# --- containers --------------------------------------------------------------------------------------------------------


def keys(values: Iterable[Any]) -> None:
    """Raise FrameError if many keys have the same hash, which would make building a dict or set quadratic."""
    alike: dict[int, int] = {}
    for value in values:
        hashed = hash(value)
        alike[hashed] = alike.get(hashed, 0) + 1
        if alike[hashed] > MAX_SAME_HASH:
            raise FrameError(f"more than {MAX_SAME_HASH} keys have the same hash")


def json_size(data: Any) -> None:
    """Raise FrameError if JSON is too long or would make too many parts. Called before it is parsed."""
    if len(data) > MAX_JSON:
        raise FrameError(f"JSON of {len(data):,} bytes (at most {MAX_JSON:,})")
    whole = bytes(data)
    if _marks(whole) <= MAX_MARKS:
        return
    # Backslashes occur inside strings only; otherwise the JSON parser stops at the first one.
    bare = whole.replace(b"\\\\", b"").replace(b'\\"', b"")
    if bare.count(b'"') > 4 * MAX_MARKS or _marks(_STRINGS.sub(b"", bare)) > MAX_MARKS:
        raise FrameError(f"JSON of more than {MAX_MARKS:,} parts")


def _marks(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


# --- Arrow and PNG, as far as they must be known before they are read ----------------------------------------------------

_BATCH, _DICTIONARY = 3, 2  # kinds of message


def arrow_message(metadata: Any) -> None:
    """Raise FrameError if the buffers of an Arrow message are compressed, since their size would be unknown.

    Reads the flatbuffer of format/Message.fbs; raises ``struct.error`` if it is malformed.
    """
    data = bytes(metadata)
    message = struct.unpack_from("<I", data)[0]
    kind = _field(data, message, 1)
    if kind is None or data[kind] not in (_BATCH, _DICTIONARY):
        return
    if _field(data, message, 4) is not None:  # older versions of Arrow announced compression here
        raise FrameError("an Arrow batch with custom metadata")
    table = _follow(data, _field(data, message, 2))
    if data[kind] == _DICTIONARY:
        table = _follow(data, _field(data, table, 1))
    if _field(data, table, 3) is not None:
        raise FrameError("compressed Arrow data")


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return the offset of a table's field; None if the table leaves it out."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if vtable < 0:
        raise FrameError("not an Arrow message")
    if 4 + 2 * number >= struct.unpack_from("<H", data, vtable)[0]:
        return None
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + offset if offset else None


def _follow(data: bytes, at: int | None) -> int:
    if at is None:
        raise FrameError("not an Arrow message")
    return int(at + struct.unpack_from("<I", data, at)[0])


def png_size(data: bytes) -> tuple[int, int]:
    """Read width and height from the header of a PNG."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        raise FrameError("not a PNG")
    width, height = struct.unpack_from(">II", data, 16)
    return int(width), int(height)


# --- Values as bounded text: for a person, a model, a message.
#
# * Bounded in length *and* in work: one list may hold another 2**30 times.
# * Never raises, whatever an object's ``__repr__`` does.


def short_repr(value: Any, limit: int = 2000) -> str:
    """Return a bounded repr. Never raises, except KeyboardInterrupt. It runs the object's code: call it only within a step's limits."""
    try:
        text = _repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # code of the object may raise anything: SystemExit, a final answer
        text = f"<{type_name(value)} whose repr failed: {type_name(error)}>"
    text = str.__str__(text)
    return clean(cut(text, limit))


def cut(text: str, limit: int) -> str:
    """Return the start and end of a text, ``limit`` characters together, with the number left out between; a short text as it is."""
    if len(text) <= limit:
        return text
    end = limit // 5
    return f"{text[: limit - end]}… [{len(text) - limit:,} more characters] …{text[len(text) - end :]}"


def cut_end(text: str, limit: int) -> str:
    """Return at most ``limit`` characters from the start of a text, not redacted; ``…`` at the end of a cut one lets the host do that."""
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "\u2026"


def _repr(value: Any) -> str:
    kind = type(value)
    if kind is int and value.bit_length() > MAX_BITS:
        return f"<int of about {int(value.bit_length() * 0.30103):,} digits>"
    try:
        return repr(value) if is_small(value) else _reprs.repr(value)
    except RecursionError:
        return str(_reprs.repr(value))


def type_name(value: Any) -> str:
    """Return the name of a value's type, whatever its metaclass answers."""
    return clean(cut_end(str.__str__(_qualified(type(value))), 200))


def type_path(value: Any) -> str:
    """Return the type's module and name."""
    module = _module(type(value))
    return f"{clean(cut_end(str.__str__(module), 200)) if isinstance(module, str) else '?'}.{type_name(value)}"


_module: Any = type.__dict__["__module__"].__get__
_qualified: Any = type.__dict__["__qualname__"].__get__
MAX_BITS = 13_000  # of an int that is written out: within Python's own limit of 4,300 digits


def _repr1(self: Any, x: Any, level: int) -> str:
    """Choose the writer by the type itself, not by the name that the type claims."""
    shown = _KNOWN.get(id(type(x)))
    return shown(self, x, level) if shown is not None else self.repr_instance(x, level)  # type: ignore[no-any-return]


_OWN = {name: value for name, value in vars(reprlib.Repr).items() if name not in ("__dict__", "__weakref__")}
_Repr: Any = type("_Repr", (), {**_OWN, "repr1": _repr1})  # a copy: agent code may change the methods of the original
_reprs = _Repr()
_reprs.maxlevel, _reprs.maxlist, _reprs.maxtuple, _reprs.maxdict, _reprs.maxset = 3, 20, 20, 20, 20
_reprs.maxstring = _reprs.maxother = 200
_CONTAINERS = (list, tuple, dict, set, frozenset)


_KNOWN: dict[int, Any] = {id(kind): _OWN[f"repr_{kind.__name__}"] for kind in (*_CONTAINERS, str, int)}


def is_small(value: Any, nodes: int = 50_000) -> bool:
    """Return whether writing out a container takes at most ``nodes`` parts: one list may hold another 2**30 times."""
    waiting = [value]
    while waiting and nodes > 0:
        item = waiting.pop()
        nodes -= 1
        if type(item) is dict:
            nodes -= len(item)
            waiting.extend(part for part in item.values() if type(part) in _CONTAINERS)
        elif type(item) in _CONTAINERS:
            nodes -= len(item)
            waiting.extend(part for part in item if type(part) in _CONTAINERS)
        elif type(item) in (str, bytes):
            nodes -= len(item) // 64
    return nodes > 0


def clean(text: str) -> str:
    """Replace lone surrogates, which no page, file or server accepts; two that make a character are joined."""
    try:
        return text.encode().decode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return text.encode("utf-8", "replace").decode()
