"""Values across the wire: JSON with tags, and blobs for what is large or binary.

The rules this file exists to keep:

* Types are matched exactly (``type(value) is list``), so that a subclass never passes for what it is not.
* Encoding has a budget of nodes, depth and bytes; a value beyond it is refused, whatever it shares or repeats.
* Pickle goes from the host to the worker only: made by ``Encoder(trusted=True)``, read by ``Decoder(trusted=True)``.
* What comes from a worker is decoded as data: JSON, text, npy without pickle, validated Arrow, images.
* Decoding has one allowance for a frame (``bounds.Allowance``); what the encoder makes is within it.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import fractions
import math
import pickle
import uuid
from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

from . import bounds, frames, wire
from .texts import clean as clean
from .texts import short_repr as short_repr
from .texts import type_name, type_path
from .wire import Blob

TAG = "$"
MAX_DEPTH = 60
JSON_DEPTH = 4 * MAX_DEPTH
INLINE = 1 << 53
LONG = 1 << 16  # characters from which a text goes beside the JSON
MAX_HANDLE = 2000


class UnencodableError(Exception):
    """The value cannot go across as data; the text says why."""


def is_readable(data: bytes) -> bool:
    """Whether ``read_json`` takes it."""
    try:
        bounds.json_size(data)
    except wire.WireError:
        return False
    return True


def read_json(data: Any) -> Any:
    """The JSON of a frame's blob, as a hostile worker may have written it; raises WireError."""
    bounds.json_size(data)
    return wire.loads(data, JSON_DEPTH)


class Handle(NamedTuple):
    """A value that stayed in the sandbox; ``why``, where its type alone does not say it."""

    name: str
    type: str
    repr: str
    why: str = ""

    def __repr__(self) -> str:
        named = f"{self.type} {self.name}".strip()
        return f"<{named} stays in the sandbox{f' ({self.why})' if self.why else ''}: {self.repr}>"


class Budget(NamedTuple):
    """The most a value may hold when it is encoded."""

    nodes: int = 500_000
    bytes: int = 256 << 20


TRUSTED = Budget(5_000_000, wire.TO_WORKER_BYTES)
RETURNED = Budget()
_TEXTUAL: dict[type, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    uuid.UUID: ("uuid", str, lambda text: uuid.UUID(bounds.text(text))),
    datetime.date: ("date", datetime.date.isoformat, lambda text: datetime.date.fromisoformat(bounds.text(text))),
}
_BY_TYPE = {id(kind): found for kind, found in _TEXTUAL.items()}
_LISTS: dict[int, str] = {id(tuple): "tuple", id(set): "set", id(frozenset): "frozenset"}


class Encoder:
    """Encodes values of one frame; ``blobs`` collects what goes beside the JSON.

    Args:
        trusted: allow pickle for what is not data (host to worker only).
        arrow: the far side has pyarrow.
        budget: the most that all values of the frame may hold together.
    """

    def __init__(self, trusted: bool = False, arrow: bool = False, budget: Budget | None = None) -> None:
        self.trusted, self.arrow = trusted, arrow
        self._budget = budget or (TRUSTED if trusted else RETURNED)
        self.blobs: list[Blob] = []
        self._nodes = 0
        self._bytes = 0
        self._pixels = 0

    def blob(self, data: Blob, size: int) -> int:
        """Keep a blob beside the JSON; returns its number."""
        self._bytes += size
        if self._bytes > self._budget.bytes:
            raise UnencodableError(f"it is larger than {self._budget.bytes:,} bytes")
        if len(self.blobs) >= wire.MAX_BLOBS - 8:
            raise UnencodableError(f"it holds more than {wire.MAX_BLOBS - 8} arrays")
        self.blobs.append(data)
        return len(self.blobs) - 1

    def encode(self, value: Any) -> Any:
        """The value as tagged JSON.

        Raises:
            UnencodableError: it is not data, or beyond the budget; nothing of it was kept.
        """
        before = len(self.blobs), self._nodes, self._bytes, self._pixels
        try:
            return self.encode_part(value, MAX_DEPTH)
        except UnencodableError:
            del self.blobs[before[0] :]
            _, self._nodes, self._bytes, self._pixels = before
            if not self.trusted:
                raise
        return self._pickle(value)

    def encode_part(self, value: Any, depth: int) -> Any:
        """One part of a value, ``depth`` levels left."""
        self._nodes += 1
        if self._nodes > self._budget.nodes:
            raise UnencodableError(f"it holds more than {self._budget.nodes:,} parts")
        if depth <= 0:
            raise UnencodableError(f"it is nested deeper than {MAX_DEPTH}")
        kind = type(value)
        if value is None or kind is bool:
            return value
        simple = _SIMPLE.get(id(kind))  # a metaclass may have a hash of its own
        if simple is not None:
            return simple(self, value)
        if kind is list:
            return [self.encode_part(item, depth - 1) for item in value]
        if id(kind) in _LISTS:
            return {TAG: _LISTS[id(kind)], "v": [self.encode_part(item, depth - 1) for item in value]}
        if kind is dict:
            pairs = [self.encode_part(part, depth - 1) for pair in value.items() for part in pair]
            return {TAG: "dict", "v": pairs}
        return self._other(value, depth)

    def _other(self, value: Any, depth: int) -> Any:
        found = _textual(value)
        if found is None:
            found = frames.encode(self, value, depth)
        if found is None:
            raise UnencodableError(f"{type_path(value)} is not data")
        return found

    def charge(self, count: int) -> None:
        """Spend bytes of the budget."""
        self._bytes += count
        if self._bytes > self._budget.bytes:
            raise UnencodableError(f"it is larger than {self._budget.bytes:,} bytes")

    def charge_pixels(self, count: int) -> None:
        """Spend pixels; what the host sends is not counted."""
        self._pixels += count
        if self._pixels > bounds.MAX_PIXELS and not self.trusted:
            raise UnencodableError(f"its images hold more than {bounds.MAX_PIXELS:,} pixels")

    def _text(self, value: str) -> Any:
        if len(value) < LONG:
            self.charge(len(value))
            return value
        data = value.encode("utf-8", "surrogatepass")
        return {TAG: "str", "b": self.blob(data, len(data))}

    def _int(self, value: int) -> Any:
        if -INLINE < value < INLINE:
            return value
        if not bounds.is_short_int(value):
            raise UnencodableError("it holds an int of too many digits")
        text = hex(value)
        self.charge(len(text))
        return {TAG: "int", "v": text}

    def _fraction(self, value: fractions.Fraction) -> Any:
        if not (bounds.is_short_int(value.numerator) and bounds.is_short_int(value.denominator)):
            raise UnencodableError("it holds a fraction of too many digits")
        parts = [hex(value.numerator), hex(value.denominator)]
        self.charge(sum(map(len, parts)))
        return {TAG: "fraction", "v": parts}

    def _decimal(self, value: decimal.Decimal) -> Any:
        if not bounds.is_short_decimal(value):
            raise UnencodableError("it holds a decimal of too many digits")
        text = str(value)
        self.charge(len(text))
        return {TAG: "decimal", "v": text}

    def _float(self, value: float) -> Any:
        return value if math.isfinite(value) else {TAG: "float", "v": repr(value)}

    def _complex(self, value: complex) -> Any:
        return {TAG: "complex", "v": [repr(value.real), repr(value.imag)]}

    def _bytes_like(self, value: Any) -> Any:
        if len(value) <= 1024:
            return {TAG: type(value).__name__, "v": base64.b64encode(value).decode("ascii")}
        return {TAG: type(value).__name__, "b": self.blob(bytes(value), len(value))}

    def _pickle(self, value: Any) -> Any:
        try:
            data = pickle.dumps(value, protocol=4)
        except Exception as error:
            raise UnencodableError(f"it cannot be copied ({type(error).__name__}: {error})") from None
        return {TAG: "pickle", "b": self.blob(data, len(data))}


_SIMPLE: dict[int, Callable[[Encoder, Any], Any]] = {
    id(str): Encoder._text,
    id(int): Encoder._int,
    id(float): Encoder._float,
    id(complex): Encoder._complex,
    id(bytes): Encoder._bytes_like,
    id(bytearray): Encoder._bytes_like,
    id(fractions.Fraction): Encoder._fraction,
    id(decimal.Decimal): Encoder._decimal,
}


def _textual(value: Any) -> dict[str, Any] | None:
    kind = type(value)
    if id(kind) in _BY_TYPE:
        tag, write, _ = _BY_TYPE[id(kind)]
        return {TAG: tag, "v": write(value)}
    if kind is datetime.datetime or kind is datetime.time:
        zone = value.tzinfo
        if zone is None:
            return {TAG: kind.__name__, "v": value.isoformat(), "tz": None, "fold": value.fold}
        name = getattr(zone, "key", None)
        if name is None and type(zone) is not datetime.timezone:
            return None
        bare = value.replace(tzinfo=None).isoformat() if name else value.isoformat()
        return {TAG: kind.__name__, "v": bare, "tz": name, "fold": value.fold}
    if kind is datetime.timedelta:
        return {TAG: "timedelta", "v": [value.days, value.seconds, value.microseconds]}
    if kind is range or kind is slice:
        return {TAG: kind.__name__, "v": [value.start, value.stop, value.step]} if _plain_bounds(value) else None
    return None


def _plain_bounds(value: Any) -> bool:
    bounds = (value.start, value.stop, value.step)
    return all(item is None or (type(item) is int and abs(item) < INLINE) for item in bounds)


class Decoder:
    """Decodes tagged JSON.

    Args:
        blobs: the blobs beside it.
        trusted: pickles are read (only in a worker, only what the host sent), and nothing is bounded.
        show: makes a handle's texts safe to show.
    """

    def __init__(self, blobs: Sequence[Any], trusted: bool = False, show: Callable[[str], str] = clean) -> None:
        self._blobs = blobs
        self.trusted = trusted
        self.allowance = bounds.Allowance(limited=not trusted)
        self._show = show

    def decode(self, data: Any) -> Any:
        """The value.

        Raises:
            WireError: the data is not what ``Encoder`` makes.
        """
        try:
            return self.decode_part(data)
        except wire.WireError:
            raise
        except Exception as error:  # a hostile worker chooses the data: whatever goes wrong has this one name
            if self.trusted:
                raise
            raise wire.WireError(f"a value cannot be read ({type(error).__name__}: {str(error)[:200]})") from None

    def decode_part(self, data: Any) -> Any:
        """One part of a value."""
        self.allowance.nodes()
        kind = type(data)
        if kind is not list and kind is not dict:
            return data
        self.allowance.deeper()
        made = [self.decode_part(item) for item in data] if kind is list else self._tagged(data)
        self.allowance.deeper(-1)
        return made

    def _tagged(self, data: dict[str, Any]) -> Any:
        tag = data[TAG]
        plain = _PLAIN.get(tag)
        if plain is not None:
            return plain(self, data)
        if tag == "pickle":
            if not self.trusted:
                raise wire.WireError("a pickle came from a worker")
            return pickle.loads(bytes(self.blob(data)))
        return frames.decode(self, tag, data)

    def blob(self, data: dict[str, Any], key: str = "b") -> Any:
        """The blob that a part names."""
        number = data[key]
        if type(number) is not int or not 0 <= number < len(self._blobs):
            raise wire.WireError("a value names a blob that is not there")
        self.allowance.bytes(wire.size(self._blobs[number]))
        return self._blobs[number]

    def _dict(self, data: dict[str, Any]) -> dict[Any, Any]:
        parts = [self.decode_part(item) for item in data["v"]]
        if not self.trusted:
            bounds.keys(parts[::2])
        return dict(zip(parts[::2], parts[1::2]))

    def _str(self, data: dict[str, Any]) -> str:
        return str(self.blob(data), "utf-8", "surrogatepass")

    def _handle(self, data: dict[str, Any]) -> Handle:
        name, kind, text = (str(data[key])[:MAX_HANDLE] for key in ("name", "type", "repr"))
        why = str(data.get("why", ""))[:MAX_HANDLE]
        return Handle(self._show(name[:200]), self._show(kind[:200]), self._show(text), self._show(why[:300]))

    def _bytes_like(self, data: dict[str, Any]) -> Any:
        raw = base64.b64decode(data["v"], validate=True) if "v" in data else bytes(self.blob(data))
        return bytearray(raw) if data[TAG] == "bytearray" else raw

    def _moment(self, data: dict[str, Any]) -> Any:
        kind = datetime.datetime if data[TAG] == "datetime" else datetime.time
        value: Any = kind.fromisoformat(bounds.text(data["v"])).replace(fold=1 if data["fold"] else 0)
        if data["tz"] is not None:
            from zoneinfo import ZoneInfo

            value = value.replace(tzinfo=ZoneInfo(bounds.zone(data["tz"])))
        return value

    def _list_of(self, data: dict[str, Any]) -> Any:
        kinds: dict[str, Any] = {"tuple": tuple, "set": set, "frozenset": frozenset}
        parts = [self.decode_part(item) for item in data["v"]]
        if not self.trusted and data[TAG] != "tuple":
            bounds.keys(parts)
        return kinds[data[TAG]](parts)


def _real(value: Any) -> float:
    return float(bounds.text(value))


_PLAIN: dict[str, Callable[[Decoder, dict[str, Any]], Any]] = {
    "dict": Decoder._dict,
    "tuple": Decoder._list_of,
    "set": Decoder._list_of,
    "frozenset": Decoder._list_of,
    "str": Decoder._str,
    "int": lambda _, data: bounds.integer(data["v"]),
    "float": lambda _, data: _real(data["v"]),
    "complex": lambda _, data: complex(_real(data["v"][0]), _real(data["v"][1])),
    "fraction": lambda _, data: bounds.fraction(data["v"]),
    "decimal": lambda _, data: bounds.number(data["v"]),
    "bytes": Decoder._bytes_like,
    "bytearray": Decoder._bytes_like,
    "datetime": Decoder._moment,
    "time": Decoder._moment,
    "timedelta": lambda _, data: datetime.timedelta(*data["v"]),
    "range": lambda _, data: range(*data["v"]),
    "slice": lambda _, data: slice(*data["v"]),
    "handle": Decoder._handle,
}
for _tag, _, _read in _TEXTUAL.values():
    _PLAIN[_tag] = lambda _decoder, data, _read=_read: _read(data["v"])  # type: ignore[misc]


def encode_or_handle(encoder: Encoder, value: Any, name: str = "") -> Any:
    """The value as data; where that is impossible, a handle with its type, the reason and a bounded repr."""
    try:
        return encoder.encode(value)
    except Exception as error:  # the value's own code may run here, and raise what it likes
        why = str(error) if type(error) is UnencodableError else f"it cannot be read ({type_name(error)})"
        why = "" if why == f"{type_path(value)} is not data" else clean(why)[:300]
        return {TAG: "handle", "name": name, "type": type_name(value), "repr": short_repr(value, 500), "why": why}
