"""Values across the wire: JSON with tags, and blobs for what is large or binary.

* Types are matched exactly (``type(value) is list``), so that a subclass never passes for what it is not.
* Encoding has a budget of nodes, depth and bytes; a value beyond it is refused. An object that occurs twice is counted twice.
* Pickle goes from the host to the worker only: made by ``Encoder(trusted=True)``, read by ``Decoder(trusted=True)``.
* Values from a worker are decoded as data: JSON, text, npy without pickle, validated Arrow, images.
* All values of a frame share one allowance when decoded (``bounds.Allowance``); the encoder stays within it.
"""

from __future__ import annotations

import base64
import collections
import datetime
import decimal
import enum
import fractions
import functools
import math
import pickle
import sys
import types
import uuid
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Callable, NamedTuple

from . import bounds
from . import frames as wire
from .arrays import TAG as TAG
from .arrays import UnencodableError as UnencodableError
from .arrays import (
    encode_array,
    encode_dtype,
    encode_scalar,
    image_png,
    read_image,
    read_npy,
    read_scalar,
    read_table,
    table_blob,
)
from .bounds import clean as clean
from .bounds import cut_end, type_name, type_path
from .bounds import short_repr as short_repr
from .frames import Blob

MAX_DEPTH = 60
JSON_DEPTH = 4 * MAX_DEPTH
INLINE = 1 << 53
MIN_BLOB_CHARS = 1 << 16  # characters; longer texts are sent as a blob
MIN_OWN_BYTES = 1 << 16  # bytes; smaller blobs are packed into one
ALIGN = 64  # bytes
MAX_HANDLE_CHARS = 2000


def read_json(data: Any) -> Any:
    """Parse the JSON of a frame's blob, which a hostile worker may have written; raises FrameError."""
    bounds.json_size(data)
    return wire.loads(data, JSON_DEPTH)


def _encode_library(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    """Encode an array, table or image as tagged JSON and blobs; returns None for other values."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if type(value) is numpy.ndarray:
            return encode_array(encoder, value, depth)
        if isinstance(value, numpy.generic) and type(value).__module__ == "numpy":
            return encode_scalar(encoder, value, depth)
        if isinstance(value, numpy.dtype):
            return encode_dtype(encoder, value, numpy.empty(0, value), depth)
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "DataFrame"):
        from . import dataframes

        found = dataframes.encode(encoder, value, depth)
        if found is not None:
            return found
    if "polars" in sys.modules or "scipy.sparse" in sys.modules:
        from . import libraries

        found = libraries.encode(encoder, value, depth)
        if found is not None:
            return found
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and hasattr(arrow, "Table") and type(value) is arrow.Table:
        return {TAG: "arrow", "b": table_blob(encoder, value)}
    image = sys.modules.get("PIL.Image")
    if image is not None and isinstance(value, image.Image):
        encoder.charge_pixels(value.width * value.height)
        return {TAG: "image", "b": encoder.blob(image_png(value))}
    return None


def _decode_library(decoder: Any, tag: Any, data: dict[str, Any]) -> Any:
    """Decode the value of a tagged part; raises FrameError if the tag is unknown."""
    if tag == "array":
        return read_npy(decoder.blob(data))
    if tag == "objects":
        import numpy

        array = numpy.empty(len(data["v"]), dtype=object)
        for at, item in enumerate(data["v"]):
            array[at] = decoder.decode_part(item)
        return array.reshape(data["shape"])
    if tag == "scalar":
        return read_scalar(decoder, data)
    if tag == "dtype":
        return decoder.decode_part(data["v"]).dtype
    if tag == "arrow":
        return read_table(decoder, data, "b")
    if tag == "image":
        return read_image(decoder, data)
    if tag in ("polars", "sparse_matrix"):
        from . import libraries

        return libraries.DECODERS[tag](decoder, data)
    from . import dataframes

    return dataframes.decode(decoder, tag, data)


HANDLE_PREFIX, ARGUMENT_PREFIX = "_handle_", "_argument_"
"""Prefixes of names reserved in the sandbox: objects that handles refer to, and arguments of their calls."""
OPERATIONS = {"__len__": "len({0})", "__getitem__": "{0}[{1}]", "__iter__": "[*{0}]", "__contains__": "{1} in {0}"}
"""What a handle does besides reads and calls, as code."""
MAX_READ_ITEMS = 1000  # maximum number of items that iteration over a handle reads at once
MAX_NAMES = 300  # maximum number of methods of a handle, and of its attributes


class Handle:
    """A value that stayed in the sandbox. Its public attributes and methods, ``len``, indexing and iteration are forwarded to it.

    Reading an attribute returns a copy of data or another handle. Methods are listed on this side, so naming one sends no request;
    an attribute that is missing is remembered until the next step runs. Names that begin with an underscore and ``repr`` are never sent.
    A handle is true, also for a container without items.

    Args:
        name: its name in the sandbox, if it has one.
        type, repr: of the value, as text.
        why: why it stayed, if its type does not explain it.
        kept: the name under which the sandbox keeps it for calls; "" if it does not.
        methods, attributes: names of what the value offers; among the methods also those of ``OPERATIONS``.
        forward: carries out reads and calls: ``forward(handle, attribute, arguments)``.
    """

    __slots__ = ("_attributes", "_forward", "_kept", "_methods", "_seen", "name", "repr", "type", "why")

    def __init__(
        self,
        name: str,
        type: str,  # noqa: A002 - its attribute's name
        repr: str,  # noqa: A002
        why: str = "",
        kept: str = "",
        methods: Collection[str] = (),
        attributes: Collection[str] = (),
        forward: Any = None,
    ) -> None:
        self.name, self.type, self.repr, self.why = name, type, repr, why
        self._kept, self._methods, self._attributes, self._forward = kept, methods, attributes, forward
        self._seen = 0 if forward is None else forward.steps

    def __repr__(self) -> str:
        named = f"{self.type} {self.name}".strip()
        return f"<{named} stays in the sandbox{f' ({self.why})' if self.why else ''}: {self.repr}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is Handle and self._shown() == other._shown()

    def __hash__(self) -> int:
        return hash(self._shown())

    def _shown(self) -> tuple[str, ...]:
        return self.name, self.type, self.repr, self.why

    def __getattr__(self, name: str) -> Any:
        forward, methods = (None, ()) if name.startswith("_") else (self._forward, self._methods)
        if name in methods:
            return functools.partial(_call, self, name)
        if forward is None or not name.isidentifier() or (name not in self._attributes and self._seen == forward.steps):
            raise AttributeError(
                f"{cut_end(repr(self), 200)}: {name!r} is not available outside the sandbox; read it in a step"
            )
        return forward(self, name, None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self, "", *args, **kwargs)

    def __len__(self) -> int:
        return self._ask("__len__")  # type: ignore[no-any-return]

    def __getitem__(self, at: Any) -> Any:
        return self._ask("__getitem__", at)

    def __iter__(self) -> Iterator[Any]:
        items = self._ask("__iter__")
        return _parts(items) if type(items) is Handle else iter(items)

    def __contains__(self, item: Any) -> bool:
        return bool(self._ask("__contains__", item) if "__contains__" in self._methods else item in iter(self))

    def __bool__(self) -> bool:
        return True

    def _ask(self, operation: str, *given: Any) -> Any:
        if self._forward is None or operation not in self._methods:
            raise TypeError(f"{self!r:.200} has no {operation} that can be used from here")
        return self._forward(self, operation, (given, {}) if given else None)

    def __dir__(self) -> list[str]:
        methods = [name for name in self._methods if name not in OPERATIONS]
        return ["name", "repr", "type", "why", *methods, *self._attributes]

    def __copy__(self) -> Handle:
        return self

    def __deepcopy__(self, _: Any) -> Handle:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(
            "a handle refers to a value in a sandbox and cannot be sent: name the sandbox's variable in the task instead"
        )

    def __del__(self) -> None:
        if self._forward is not None:
            self._forward.drop(self._kept)


def _parts(items: Handle) -> Iterator[Any]:
    """Iterate over a list that stayed in the sandbox, as some of its items are not data."""
    for start in range(0, len(items), MAX_READ_ITEMS):
        part = items[start : start + MAX_READ_ITEMS]
        yield from part if type(part) is list else map(part.__getitem__, range(len(part)))


def _call(handle: Handle, method: str, /, *args: Any, **kwargs: Any) -> Any:
    if handle._forward is None:
        raise TypeError(
            f"{cut_end(repr(handle), 200)} cannot be called from here: assign it to a variable in the sandbox, then fetch that with --pull"
        )
    return handle._forward(handle, method, (args, kwargs))


def _names(value: Any) -> tuple[list[str], list[str]]:
    """List the public methods and the operations of a value's type, and the value's other public attributes."""
    try:
        kind = type(value)
        offered = [name for name in OPERATIONS if getattr(kind, name, None) is not None]
        if "__getitem__" in offered and "__iter__" not in offered:  # Python iterates by index
            offered.append("__iter__")
        every = sorted({*dir(kind), *dir(value)})  # some list only their items
        names = [name for name in every if not name.startswith("_") and name.isidentifier() and len(name) < 100]
        methods = [name for name in names if callable(getattr(kind, name, None))]
    except Exception:  # raised by the value's own code
        return [], []
    known = set(methods)
    return offered + methods[:MAX_NAMES], [name for name in names if name not in known][:MAX_NAMES]


class Record:
    """The fields of a dataclass instance, or name and value of an enum member, whose class is unknown on this side.

    Args:
        kind: the name of its class.
        fields: become its attributes.
    """

    __slots__ = ("__dict__", "_kind")

    def __init__(self, kind: str, fields: dict[str, Any]) -> None:
        self._kind = kind
        vars(self).update(fields)

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return type(other) is Record and (self._kind, vars(self)) == (other._kind, vars(other))

    def __hash__(self) -> int:
        try:
            return hash((self._kind, *vars(self).values()))
        except TypeError:  # a field that is a list
            return hash(self._kind)


class Row(tuple[Any, ...]):
    """A tuple whose items have names, and whose class is unknown on this side: a namedtuple, or a row of a database.

    Args:
        kind: the name of its class.
        names: of the items. Those that may be attributes are; every item is found by its name.
    """

    _kind: str
    _fields: tuple[str, ...]

    def __new__(cls, kind: str, names: Sequence[str], items: Sequence[Any]) -> Row:
        row = super().__new__(cls, items)
        vars(row).update((name, item) for name, item in zip(names, items) if _is_field(name))
        row._kind, row._fields = kind, tuple(names)
        return row

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{name}={item!r}' for name, item in zip(self._fields, self))})"

    def __getitem__(self, at: Any) -> Any:
        return super().__getitem__(self._fields.index(at) if at in self._fields else at)

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self._fields)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))

    def __reduce__(self) -> Any:
        return Row, (self._kind, self._fields, tuple(self))


def _names_of_items(value: Any) -> tuple[str, Sequence[str]] | None:
    """Return the name of a class whose items have names, and these names; None for other values."""
    kind = type(value)
    if kind is Row:
        return value._kind, value._fields
    if kind is getattr(sys.modules.get("sqlite3"), "Row", None):
        return "Row", value.keys()
    if not issubclass(kind, tuple):
        return None
    names = getattr(kind, "_fields", None) or getattr(kind, "__match_args__", None)
    known = type(names) is tuple and len(names) == tuple.__len__(value) and all(type(name) is str for name in names)
    return (type_name(value), names) if known and names else None


_FACTORIES = {kind.__name__: kind for kind in (int, float, bool, str, list, dict, set, tuple)}
_ALIKE: dict[str, tuple[type, Callable[[Any], dict[Any, Any]], Callable[[dict[Any, Any]], Any]]] = {
    "Counter": (collections.Counter, dict, collections.Counter),
    "OrderedDict": (collections.OrderedDict, dict, collections.OrderedDict),
    "defaultdict": (collections.defaultdict, dict, lambda pairs: collections.defaultdict(None, pairs)),
    "deque": (collections.deque, lambda items: dict(enumerate(items)), lambda pairs: collections.deque(pairs.values())),
    "mappingproxy": (types.MappingProxyType, dict, types.MappingProxyType),
    "dict_keys": (type({}.keys()), dict.fromkeys, dict.keys),
    "dict_values": (type({}.values()), lambda items: dict(enumerate(items)), dict.values),
    "dict_items": (type({}.items()), dict, dict.items),
}
"""Types that are made of a dict: how it is taken from a value, and how the value is made of it."""
_ALIKE_BY_TYPE = {id(kind): name for name, (kind, _, _) in _ALIKE.items()}
_ORDERED = collections.OrderedDict[Any, Any]()
_ALIKE_BY_TYPE |= {id(type(getattr(_ORDERED, kind)())): f"dict_{kind}" for kind in ("keys", "values", "items")}

_BASES: dict[type, Callable[[Any], Any]] = {
    dict: lambda value: dict(dict.items(value)),
    list: list.copy,
    tuple: lambda value: tuple(tuple.__iter__(value)),
    set: lambda value: {*set.__iter__(value)},
    frozenset: lambda value: frozenset({*frozenset.__iter__(value)}),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    int: int.__int__,
    float: float.__float__,
}


def _base(value: Any) -> Any:
    """Return what a value of a library's subclass of Python's own types is equal to; None for other values."""
    own = type(value).__module__ == "__main__"  # a class of the program: its methods are worth more than a copy
    base = None if own else next((base for base in type(value).__mro__ if base in _BASES), None)
    found = None if base is None else _BASES[base](value)
    return found if base is not None and (type(value).__eq__ is base.__eq__ or found == value) else None


def _fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of a dataclass instance, an enum member or a ``Record``; None for other values."""
    kind, known = type(value), sys.modules.get("dataclasses")
    if kind is Record:
        return dict(vars(value))
    if issubclass(kind, enum.Enum):
        return {"name": value.name, "value": value.value}
    if known is not None and known.is_dataclass(kind):
        return {field.name: getattr(value, field.name) for field in known.fields(kind)}
    return None


def _is_field(name: Any) -> bool:
    """Return whether a field may have this name; names that Python and IPython look up for themselves are refused."""
    return type(name) is str and name.isidentifier() and not (name.startswith("_") and name.endswith("_"))


TOO_LARGE = {TAG: "handle", "name": "", "type": "object", "repr": "<too large for one answer>"}


def answer_blobs(encoder: Encoder, data: Any, spare: Any) -> list[Blob]:
    """Return the blobs of an answer with encoded values; of ``spare`` if ``read_json`` would refuse it and end the sandbox."""
    written = wire.dumps(data)
    try:
        bounds.json_size(written)
    except wire.FrameError:
        return [wire.dumps(spare)]
    return [written, *encoder.blobs]


def _is_public(name: Any) -> bool:
    return _is_field(name) and not name.startswith("_") and len(name) < 100


def _is_picklable(value: Any) -> bool:
    try:
        return bool(pickle.dumps(value))
    except Exception:
        return False


_PATHS = ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath")


class EncodingLimits(NamedTuple):
    """Limits of one frame's values when they are encoded."""

    nodes: int = 500_000
    bytes: int = 256 << 20


TRUSTED = EncodingLimits(5_000_000, wire.TO_WORKER_BYTES)
RETURNED = EncodingLimits()
_TEXTUAL: dict[type, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    uuid.UUID: ("uuid", str, lambda text: uuid.UUID(bounds.text(text))),
    datetime.date: ("date", datetime.date.isoformat, lambda text: datetime.date.fromisoformat(bounds.text(text))),
}
_BY_TYPE = {id(kind): found for kind, found in _TEXTUAL.items()}
_LISTS: dict[int, str] = {id(tuple): "tuple", id(set): "set", id(frozenset): "frozenset"}


class Encoder:
    """Encodes the values of one frame; ``blobs`` is the data that is sent beside the JSON, the last one packed from small ones.

    Args:
        trusted: pickle values that are not data (host to worker only).
        arrow: the far side has pyarrow.
        budget: limits of all values of the frame together.
    """

    def __init__(self, trusted: bool = False, arrow: bool = False, budget: EncodingLimits | None = None) -> None:
        self.trusted, self.arrow = trusted, arrow
        self._budget = budget or (TRUSTED if trusted else RETURNED)
        self._blobs: list[Blob] = []
        self._pack: list[wire.Buffer] = []
        self._packed = 0  # bytes
        self._nodes = 0
        self._bytes = 0
        self._pixels = 0

    @property
    def blobs(self) -> list[Blob]:
        """The blobs of all values encoded so far."""
        return [*self._blobs, self._pack] if self._pack else self._blobs

    def blob(self, data: Blob) -> int | list[int]:
        """Add a blob; returns its number, or where it begins in the packed one and its size."""
        size = wire.size(data)
        self.charge(size)
        self.count(2)
        if size >= MIN_OWN_BYTES and len(self._blobs) < wire.MAX_BLOBS - 8:
            self._blobs.append(data)
            return len(self._blobs) - 1
        start = self._packed + -self._packed % ALIGN
        self._pack += [bytes(start - self._packed), *([data] if isinstance(data, wire.SINGLE) else data)]
        self._packed = start + size
        return [start, size]

    def encode(self, value: Any) -> Any:
        """Encode a value as tagged JSON.

        Raises:
            UnencodableError: the value is not data, or beyond the budget; its blobs are dropped.
        """
        before = len(self._blobs), len(self._pack), self._packed, self._nodes, self._bytes, self._pixels
        try:
            return self.encode_part(value, MAX_DEPTH)
        except Exception:  # code of the value may run here and raise anything
            del self._blobs[before[0] :], self._pack[before[1] :]
            self._packed, self._nodes, self._bytes, self._pixels = before[2:]
            if not self.trusted:
                raise
        return self._pickle(value)

    def encode_part(self, value: Any, depth: int) -> Any:
        """Encode one part of a value that may be nested ``depth`` levels deep."""
        self.count()
        if depth <= 0:
            raise UnencodableError(f"it is nested deeper than {MAX_DEPTH}")
        kind = type(value)
        if value is None or kind is bool:
            return value
        simple = _SIMPLE.get(id(kind))  # by id: a metaclass may define a hash of its own
        if simple is not None:
            return simple(self, value)
        if kind is list:
            return [self.encode_part(item, depth - 1) for item in value]
        if id(kind) in _LISTS:
            if kind is not tuple and not self.trusted:
                self.check(bounds.keys, value)
            return {TAG: _LISTS[id(kind)], "v": [self.encode_part(item, depth - 1) for item in value]}
        if kind is dict:
            if not self.trusted:
                self.check(bounds.keys, value)
            pairs = [self.encode_part(part, depth - 1) for pair in value.items() for part in pair]
            return {TAG: "dict", "v": pairs}
        return self._other(value, depth)

    def _other(self, value: Any, depth: int) -> Any:
        found = _textual(value)
        if found is None and (fields := _fields(value)) is not None:
            found = self._record(value, fields, depth)
        if found is None and (names := _names_of_items(value)) is not None:
            found = self._row(value, *names, depth)
        if found is None and id(type(value)) in _ALIKE_BY_TYPE:
            found = self._alike(value, _ALIKE_BY_TYPE[id(type(value))], depth)
        if found is None and any(type(value) is getattr(sys.modules.get("pathlib"), name, None) for name in _PATHS):
            found = {TAG: "path", "kind": type(value).__name__, "v": self.encode_part(str(value), depth - 1)}
        if found is None:
            found = _encode_library(self, value, depth)
        if found is None and not self.trusted and (base := _base(value)) is not None:  # the host's own cross by pickle
            found = self.encode_part(base, depth - 1)
        if found is None:
            raise UnencodableError(f"{type_path(value)} is not data")
        return found

    def _record(self, value: Any, fields: dict[str, Any], depth: int) -> dict[str, Any]:
        if not all(map(_is_field, fields)):
            raise UnencodableError(f"{type_path(value)} has fields with names that Python reserves")
        kind = value._kind if type(value) is Record else type_name(value)
        pairs = [self.encode_part(part, depth - 1) for pair in fields.items() for part in pair]
        return self._with_class(value, {TAG: "record", "type": kind, "v": pairs})

    def _row(self, value: Any, kind: str, names: Sequence[str], depth: int) -> dict[str, Any]:
        self.charge(sum(map(len, names)))
        items = [self.encode_part(item, depth - 1) for item in tuple(value)]
        return self._with_class(value, {TAG: "row", "type": kind, "names": list(names), "v": items})

    def _alike(self, value: Any, name: str, depth: int) -> dict[str, Any]:
        found = {TAG: "alike", "type": name, "v": self.encode_part(_ALIKE[name][1](value), depth - 1)}
        factory: Any = getattr(value, "default_factory", None)
        if factory in _FACTORIES.values():
            found["factory"] = factory.__name__
        elif factory is not None and self.trusted and _is_picklable(factory):
            raise UnencodableError("its default_factory is not data")  # the pickle holds it
        return found

    def _with_class(self, value: Any, found: dict[str, Any]) -> dict[str, Any]:
        """Add a pickle to what the host sends: the receiver may have the class."""
        if self.trusted and type(value) not in (Record, Row) and type(value).__module__ != "__main__":
            try:
                data = pickle.dumps(value, protocol=4)
            except Exception:
                return found
            found["b"] = self.blob(data)
        return found

    def count(self, parts: int = 1) -> None:
        """Spend parts of the budget."""
        self._nodes += parts
        if self._nodes > self._budget.nodes:
            raise UnencodableError(f"it holds more than {self._budget.nodes:,} parts")

    def encode_plain(self, value: Any) -> Any:
        """Encode a bool, number, text or bytes that belongs to a part."""
        return value if type(value) is bool else _SIMPLE[id(type(value))](self, value)

    def charge(self, count: int) -> None:
        """Spend bytes of the budget."""
        self._bytes += count
        if self._bytes > self._budget.bytes:
            raise UnencodableError(f"it is larger than {self._budget.bytes:,} bytes")

    def check(self, check: Callable[..., None], *args: Any) -> None:
        """Refuse what the host would refuse: turns a FrameError of ``check`` into UnencodableError."""
        try:
            check(*args)
        except wire.FrameError as error:
            raise UnencodableError(str(error)) from None

    def charge_pixels(self, count: int) -> None:
        """Charge pixels to the budget; unlimited for the host's own values."""
        self._pixels += count
        if self._pixels > bounds.MAX_PIXELS and not self.trusted:
            raise UnencodableError(f"its images hold more than {bounds.MAX_PIXELS:,} pixels")

    def _text(self, value: str) -> Any:
        if len(value) < MIN_BLOB_CHARS:
            self.charge(len(value))
            return value
        data = value.encode("utf-8", "surrogatepass")
        return {TAG: "str", "b": self.blob(data)}

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

    def _bytes_like(self, value: Any) -> Any:
        if len(value) <= 1024:
            return {TAG: type(value).__name__, "v": base64.b64encode(value).decode("ascii")}
        return {TAG: type(value).__name__, "b": self.blob(bytes(value))}

    def _pickle(self, value: Any) -> Any:
        try:
            data = pickle.dumps(value, protocol=4)
        except Exception as error:
            raise UnencodableError(f"it cannot be copied ({type(error).__name__}: {error})") from None
        return {TAG: "pickle", "b": self.blob(data)}


_SIMPLE: dict[int, Callable[[Encoder, Any], Any]] = {
    id(str): Encoder._text,
    id(int): Encoder._int,
    id(float): lambda _, value: value if math.isfinite(value) else {TAG: "float", "v": repr(value)},
    id(complex): lambda _, value: {TAG: "complex", "v": [repr(value.real), repr(value.imag)]},
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
        zone, fold = _in_zone(value)
        found = value.replace(tzinfo=None if type(zone) is str else zone)
        return {TAG: kind.__name__, "v": found.isoformat(), "tz": zone if type(zone) is str else None, "fold": fold}
    if kind is datetime.timedelta:
        return {TAG: "timedelta", "v": [value.days, value.seconds, value.microseconds]}
    if kind is range or kind is slice:
        return {TAG: kind.__name__, "v": [value.start, value.stop, value.step]} if _plain_bounds(value) else None
    return None


def _in_zone(value: Any) -> tuple[Any, int]:
    """Return the name of a moment's zone, or its offset as a zone, or None without a zone; and the moment's fold."""
    if value.tzinfo is None:
        return None, value.fold
    from zoneinfo import ZoneInfo

    offset, name = value.utcoffset(), bounds.zone_name(value.tzinfo)
    if name and not name.startswith("UTC"):
        for fold in (value.fold, 1 - value.fold):  # pytz has a zone for each of two offsets instead
            try:
                if value.replace(tzinfo=ZoneInfo(name), fold=fold).utcoffset() == offset:
                    return name, fold
            except (LookupError, ValueError, OSError):
                break
    if offset is None:
        raise UnencodableError(f"the time zone {value.tzinfo!s:.200} has no name")
    return datetime.timezone(offset), value.fold


def _plain_bounds(value: Any) -> bool:
    bounds = (value.start, value.stop, value.step)
    return all(item is None or (type(item) is int and abs(item) < INLINE) for item in bounds)


class Decoder:
    """Decodes tagged JSON.

    Args:
        blobs: the blobs of the frame.
        trusted: unpickle, without limits (only in a worker, only what the host sent).
        show: sanitizes texts of a handle.
        forward: carries out reads and calls of handles.
    """

    def __init__(
        self,
        blobs: Sequence[Any],
        trusted: bool = False,
        show: Callable[[str], str] = clean,
        forward: Any = None,
    ) -> None:
        self._blobs, self._forward = blobs, forward
        self.trusted = trusted
        self.allowance = bounds.Allowance(limited=not trusted)
        self._show = show

    def decode(self, data: Any) -> Any:
        """Decode a value.

        Raises:
            FrameError: the data was not made by ``Encoder``.
        """
        try:
            return self.decode_part(data)
        except wire.FrameError:
            raise
        except ImportError as error:
            if self.trusted:
                raise
            return self._unreadable(f"{error.name or 'its library'} is not installed here")
        except Exception as error:  # a hostile worker chooses the data: map every error to one
            if self.trusted:
                raise
            raise wire.FrameError(
                f"a value cannot be read ({type(error).__name__}: {cut_end(str(error), 200)})"
            ) from None

    def decode_or_handle(self, data: Any) -> Any:
        """Decode a value; one that cannot be read is a handle that says why.

        Raises:
            ForgedError: no encoder makes such data.
        """
        try:
            return self.decode(data)
        except wire.ForgedError:
            raise
        except wire.FrameError as error:
            return self._unreadable(str(error))

    def _unreadable(self, why: str) -> Handle:
        return Handle("", "object", "its data cannot be read on this side", self._show(cut_end(why, 300)))

    def decode_part(self, data: Any) -> Any:
        """Decode one part of a value."""
        self.allowance.nodes()
        kind = type(data)
        if kind is not list and kind is not dict:
            return data
        self.allowance.deeper()
        decoded = [self.decode_part(item) for item in data] if kind is list else self._tagged(data)
        self.allowance.deeper(-1)
        return decoded

    def _tagged(self, data: dict[str, Any]) -> Any:
        tag = data[TAG]
        plain = _PLAIN.get(tag)
        if plain is not None:
            return plain(self, data)
        if tag == "pickle":
            if not self.trusted:
                raise wire.ForgedError("a pickle came from a worker")
            return pickle.loads(bytes(self.blob(data)))
        return _decode_library(self, tag, data)

    def blob(self, data: dict[str, Any], key: str = "b") -> Any:
        """Return the blob that a part refers to."""
        number = data[key]
        place: Any = None
        if type(number) is list:
            number, place = len(self._blobs) - 1, number
        if type(number) is not int or not 0 <= number < len(self._blobs):
            raise wire.ForgedError("a value refers to a blob that was not sent")
        blob = self._blobs[number]
        if place is not None:
            start, size = place
            if not (type(start) is type(size) is int and 0 <= start <= start + size <= wire.size(blob)):
                raise wire.ForgedError("a value refers to a part of a blob that was not sent")
            blob = memoryview(blob)[start : start + size]
        self.allowance.bytes(wire.size(blob))
        return blob

    def _dict(self, data: dict[str, Any]) -> dict[Any, Any]:
        parts = [self.decode_part(item) for item in data["v"]]
        if not self.trusted:
            bounds.keys(parts[::2])
        return dict(zip(parts[::2], parts[1::2]))

    def _with_class(self, data: dict[str, Any]) -> Any:
        """Decode a record or a row: as an instance of its class if the host sent it and the class is known here."""
        if self.trusted and "b" in data:
            try:
                return pickle.loads(bytes(self.blob(data)))
            except Exception:  # noqa: S110 - its class is not here
                pass
        kind = self._show(bounds.text(data["type"], 200))
        return self._row(kind, data) if data[TAG] == "row" else self._record(kind, data)

    def _row(self, kind: str, data: dict[str, Any]) -> Any:
        names, items = data["names"], [self.decode_part(item) for item in data["v"]]
        if type(names) is not list or len(names) != len(items) or any(type(name) is not str for name in names):
            raise wire.FrameError("names that do not fit their items")
        return Row(kind, names, items)

    def _alike(self, data: dict[str, Any]) -> Any:
        pairs = self.decode_part(data["v"])
        if type(pairs) is not dict:
            raise wire.FrameError(f"a {bounds.text(data['type'])} that is not made of a dict")
        found = _ALIKE[data["type"]][2](pairs)
        if "factory" in data:
            found.default_factory = _FACTORIES[data["factory"]]
        return found

    def _record(self, kind: str, data: dict[str, Any]) -> Any:
        parts = [self.decode_part(item) for item in data["v"]]
        if not all(map(_is_field, parts[::2])):
            raise wire.FrameError("a record with invalid field names")
        return Record(kind, dict(zip(parts[::2], parts[1::2])))

    def _path(self, data: dict[str, Any]) -> Any:
        import pathlib

        kind, text = data["kind"], self.decode_part(data["v"])
        if kind not in _PATHS or type(text) is not str:
            raise wire.FrameError("not a path")
        return (getattr(pathlib, kind) if kind.startswith("Pure") else pathlib.Path)(text)

    def _handle(self, data: dict[str, Any]) -> Handle:
        name, kind, text = (str(data[key])[:MAX_HANDLE_CHARS] for key in ("name", "type", "repr"))
        why = str(data.get("why", ""))[:MAX_HANDLE_CHARS]
        shown = self._show(name[:200]), self._show(kind[:200]), self._show(text), self._show(why[:300])
        kept = data.get("kept")
        if self._forward is None or type(kept) is not int or kept < 0:
            return Handle(*shown)
        methods, attributes = (
            {name for name in data[key][: MAX_NAMES + len(OPERATIONS)] if _is_public(name) or name in [*OPERATIONS]}
            for key in ("methods", "attributes")  # Tab completion may insert them into a cell
        )
        return Handle(*shown, f"{HANDLE_PREFIX}{kept}", methods, attributes, self._forward)

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
    "str": lambda decoder, data: str(decoder.blob(data), "utf-8", "surrogatepass"),
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
    "record": Decoder._with_class,
    "row": Decoder._with_class,
    "alike": Decoder._alike,
    "path": Decoder._path,
}
for _tag, _, _read in _TEXTUAL.values():
    _PLAIN[_tag] = lambda _decoder, data, _read=_read: _read(data["v"])  # type: ignore[misc]


def encode_or_handle(encoder: Encoder, value: Any, name: str = "", keep: Callable[[Any], int] | None = None) -> Any:
    """Encode a value as data; if that is impossible, as a handle with its type, the reason and a bounded repr.

    Args:
        keep: stores the value of a handle for calls, and returns its number.
    """
    try:
        return encoder.encode(value)
    except Exception as error:  # code of the value may run here and raise anything
        why = str(error) if type(error) is UnencodableError else f"it cannot be read ({type_name(error)})"
        why = "" if why == f"{type_path(value)} is not data" else cut_end(clean(why), 300)
        found: dict[str, Any] = {
            TAG: "handle",
            "name": name,
            "type": type_name(value),
            "repr": short_repr(value, 500),
            "why": why,
        }
        if keep is not None:
            found["methods"], found["attributes"] = _names(value)
            found["kept"] = keep(value)
        return found
