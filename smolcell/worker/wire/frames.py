"""The wire: length-bounded frames of one JSON header and binary blobs.

* A frame is ``magic, header length, blob count | blob lengths | header | blobs``, all integers big-endian.
* Every length is checked against its bound *before* anything is allocated or waited for.
* A header is strict JSON: UTF-8, no NaN, no duplicate key, bounded nesting; a table lists its types and fields.
* ``FrameDecoder.feed`` returns frames or raises ``FrameError`` for any bytes; after an error it stays broken.
* Nothing here evaluates or unpickles anything.
"""

from __future__ import annotations

import json
import json.decoder
import json.encoder
import json.scanner
import math
import struct
import types
from collections.abc import Sequence
from typing import Any, Callable, NamedTuple, Union

# --- Strict JSON, for bytes from a hostile sender.
#
# * UTF-8 only; no NaN, no infinity, no duplicate key, no nesting beyond a bound.
# * ``loads`` returns plain values or raises ``FrameError`` for any bytes.


Buffer = Union[bytes, bytearray, memoryview]
SINGLE = (bytes, bytearray, memoryview)
MAX_DEPTH = 32


class FrameError(Exception):
    """Raised if bytes are not a frame, or a frame or its values are beyond their bounds."""


class ForgedError(FrameError):
    """Raised if a value was not made by an encoder of ours: the sandbox that sent it is ended."""


def _no_constant(text: str) -> Any:
    raise FrameError(f"JSON holds {text}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise FrameError("JSON holds a number beyond float")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise FrameError("JSON holds a duplicate key")
    return unique


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
    """Parse strict JSON from UTF-8 bytes.

    Raises:
        FrameError: not UTF-8, not JSON, NaN or infinity, a duplicate key, or nested deeper than ``max_depth``.
    """
    try:
        value = _read(str(data, "utf-8"))
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise FrameError(f"not JSON: {error!s:.100}") from None
    if not _depth_ok(value, max_depth):
        raise FrameError(f"JSON is nested deeper than {max_depth}")
    return value


def dumps(value: Any) -> bytes:
    """Write JSON as ASCII bytes; NaN is refused."""
    return "".join(_write(value, 0)).encode("ascii")


# Agent code shares the classes of ``json`` and may replace their methods. The reader and writer are therefore made once, at
# import, from functions that cannot be replaced.


def _reader() -> Callable[[str], Any]:
    settings = types.SimpleNamespace(
        strict=True,
        object_hook=None,
        object_pairs_hook=_no_duplicates,
        parse_float=_finite,
        parse_int=int,
        parse_constant=_no_constant,
        memo={},
    )
    scanner: Any = json.scanner
    scan = scanner.c_make_scanner(settings)

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
    encoder: Any = json.encoder
    make, quote = encoder.c_make_encoder, encoder.encode_basestring_ascii

    def unknown(value: Any) -> Any:
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def write(value: Any, level: int) -> Any:
        return make({}, unknown, quote, None, ":", ",", False, False, False)(value, level)

    return write


SPACE = " \t\n\r"
_read, _write = _reader(), _writer()


MAGIC = b"\xabSC1"
PREFIX = struct.Struct(">4sII")
MAX_HEADER = 1 << 20
MAX_BLOBS = 256
TO_WORKER_BYTES = 2 << 30  # what the host may send in one frame
FROM_WORKER_BYTES = 512 << 20  # what a worker may send in one frame
VERSION = 1

Blob = Union[Buffer, Sequence[Buffer]]  # a sequence is sent as one blob, without joining it first


class Frame(NamedTuple):
    """One message: its type, its checked fields, its blobs."""

    type: str
    fields: dict[str, Any]
    blobs: tuple[Any, ...] = ()


# --- the table: frame type -> field -> kind of value -------------------------------------------------------------------

STREAMS = {  # connections to hosts; both ways
    "net_data": {"stream": "int"},  # blob: bytes
    "net_end": {"stream": "int"},  # from the worker: no more bytes come; from the host: the connection is closed
    "net_more": {"stream": "int", "bytes": "int"},  # so many more bytes may be sent; stream 0: by all streams together
}
TO_WORKER: dict[str, dict[str, str]] = {
    "hello": {"version": "int", "options": "map"},
    # blobs: values, unless they are in a memory file of these sizes
    "vars": {"id": "int", "shared": "sizes", "timeout": "number"},
    "tools": {"id": "int", "tools": "tools"},
    "imports": {"id": "int", "names": "names"},  # all authorised imports besides the default ones
    "run": {"step": "int", "timeout": "number"},  # blob: the code
    "return": {"call": "int"},  # blobs: value
    "raise": {"call": "int", "error": "str", "base": "str", "message": "str"},
    "pull": {"id": "int", "names": "names"},
    "list": {"id": "int", "timeout": "number"},  # the answer's blob: the variables of the namespace
    "interrupt": {},
    "checkpoint": {"number": "int"},  # before the next run; rollback to its state uses this number
    "rollback": {"id": "int", "number": "int", "keep": "bool"},  # keep: the checkpoint stays usable
    "checkpoints": {"id": "int"},
    "copy": {"id": "int"},  # to the runner: fork a frozen copy
    "touch": {},  # to the runner, once it has been copied: write to the memory that a step writes to; no answer
    "wake": {"id": "int"},  # to a frozen copy of the runner: take over
    "put": {"id": "int", "names": "names", "at": "sizes"},  # blobs: pieces of these files, at these offsets
    "look": {"id": "int"},
    "read": {"id": "int", "name": "str", "at": "int", "size": "int"},
    # blobs: a question; with "load" a program; none: end it
    "agent": {"id": "int", "timeout": "number", "load": "bool"},
    "clock": {"stands": "bool"},  # the step's timer: paused while a person is asked whether it may connect to a host
    **STREAMS,
}
FROM_WORKER: dict[str, dict[str, str]] = {
    "ready": {"version": "int", "pid": "int", "python": "str", "capabilities": "map"},
    "out": {"step": "int", "text": "str"},
    # blobs: output ``at`` of the step's ``count`` outputs so far; none: there is no more
    "show": {"step": "int", "at": "int", "count": "int"},
    "call": {"step": "int", "call": "int", "name": "str"},  # blobs: args and kwargs
    "done": {  # blobs: body, values …, printed text
        "step": "int",
        "error": "fault",
        "final": "bool",
        "changed": "names",
        "dropped": "int",
        "forged": "int",
        "state_lost": "bool",
        "duration": "number",
    },
    # to vars, tools, imports, pull, list, put, look, read and agent; blobs: values, a file's content, or messages of the agent
    "answer": {"id": "int", "error": "str"},
    "net_open": {"stream": "int"},  # the code connected to the proxy; streams are numbered from 1
    **STREAMS,
}


def _is_int(value: Any) -> bool:
    return type(value) is int and -(2**53) < value < 2**53


_FAULT = {"kind": str, "type": str, "message": str, "line": int, "traceback": str}
FAULT_KINDS = ("python", "forbidden", "limit", "sandbox", "stopped")


def _is_fault(value: Any) -> bool:
    if value is None:
        return True
    if type(value) is not dict or value.keys() != _FAULT.keys():
        return False
    return value["kind"] in FAULT_KINDS and all(type(value[key]) is kind for key, kind in _FAULT.items())


KINDS: dict[str, Callable[[Any], bool]] = {
    "int": _is_int,
    "number": lambda value: type(value) in (int, float) and abs(value) < 1e15,
    "str": lambda value: type(value) is str,
    "bool": lambda value: type(value) is bool,
    "names": lambda value: type(value) is list and all(type(item) is str for item in value),
    "map": lambda value: type(value) is dict,
    "fault": _is_fault,
    "tools": lambda value: type(value) is dict and all(type(doc) is str for doc in value.values()),
    "sizes": lambda value: (
        type(value) is list and len(value) <= MAX_BLOBS and all(_is_int(item) and item >= 0 for item in value)
    ),
}


def check(kind: str, fields: dict[str, Any], table: dict[str, dict[str, str]]) -> None:
    """Check the type and the fields of a frame.

    Raises:
        FrameError: unknown type, missing or surplus field, or a field of the wrong type.
    """
    wanted = table.get(kind)
    if wanted is None:
        raise FrameError(f"unknown frame type {kind!r:.40}")
    if fields.keys() != wanted.keys():
        odd = sorted(set(fields) ^ set(wanted))
        raise FrameError(f"frame {kind}: fields {odd!r:.200} are missing or surplus")
    for name, spec in wanted.items():
        if not KINDS[spec](fields[name]):
            raise FrameError(f"frame {kind}: field {name} is not of type {spec}")


# --- frames ------------------------------------------------------------------------------------------------------------


def size(blob: Any) -> int:
    """Return the size of a blob, or of several together, in bytes."""
    if isinstance(blob, (bytes, bytearray)):
        return len(blob)
    if isinstance(blob, memoryview):
        return blob.nbytes
    return sum(size(part) for part in blob)


def encode(frame: Frame, table: dict[str, dict[str, str]], max_bytes: int = TO_WORKER_BYTES) -> list[Buffer]:
    """Encode a frame as buffers that are sent one after the other; large blobs are not copied.

    Raises:
        FrameError: the frame is not in the table or beyond its bounds.
    """
    check(frame.type, frame.fields, table)
    header = dumps({"type": frame.type, **frame.fields})
    sizes = [size(blob) for blob in frame.blobs]
    _check_bounds(len(header), sizes, max_bytes)
    head = PREFIX.pack(MAGIC, len(header), len(sizes)) + struct.pack(f">{len(sizes)}Q", *sizes) + header
    buffers: list[Buffer] = [head]
    for blob in frame.blobs:
        if isinstance(blob, SINGLE):
            buffers.append(blob)
        else:
            buffers.extend(blob)
    return buffers


def _check_bounds(header: int, sizes: Sequence[int], max_bytes: int) -> None:
    if not 2 <= header <= MAX_HEADER:
        raise FrameError(f"header of {header} bytes (at most {MAX_HEADER})")
    if len(sizes) > MAX_BLOBS:
        raise FrameError(f"{len(sizes)} blobs (at most {MAX_BLOBS})")
    if sum(sizes) > max_bytes:
        raise FrameError(f"blobs of {sum(sizes)} bytes (at most {max_bytes})")


class FrameDecoder:
    """Parses frames from a stream of bytes, however it is divided.

    Args:
        table: the frame types this side accepts.
        max_bytes: limit for all blobs of one frame together.
    """

    def __init__(self, table: dict[str, dict[str, str]], max_bytes: int = FROM_WORKER_BYTES) -> None:
        self._table = table
        self._max_bytes = max_bytes
        self._broken = ""
        self._restart()

    def _restart(self) -> None:
        self._stage: Callable[[], bool] = self._read_prefix
        self._part = bytearray()
        self._wanted = PREFIX.size
        self._header_size = 0
        self._fields: dict[str, Any] = {}
        self._kind = ""
        self._sizes: list[int] = []
        self._blobs: list[bytearray] = []

    def feed(self, data: Buffer) -> list[Frame]:
        """Take bytes and return the frames that they complete.

        Raises:
            FrameError: the bytes are not a frame. Every later call raises it too.
        """
        if self._broken:
            raise FrameError(self._broken)
        try:
            return self._feed(memoryview(data))
        except FrameError as error:
            self._broken = str(error)
            self._part = bytearray()
            self._blobs = []
            raise

    def _feed(self, view: memoryview) -> list[Frame]:
        frames: list[Frame] = []
        at = 0
        while True:
            need = self._wanted - len(self._part)
            taken = view[at : at + need]
            self._part += taken
            at += len(taken)
            if len(self._part) < self._wanted:
                return frames
            if self._stage():
                frames.append(Frame(self._kind, self._fields, tuple(self._blobs)))
                self._restart()

    def _expect(self, stage: Callable[[], bool], size: int) -> None:
        self._stage, self._wanted, self._part = stage, size, bytearray()

    def _read_prefix(self) -> bool:
        magic, self._header_size, count = PREFIX.unpack(self._part)
        if magic != MAGIC:
            raise FrameError("not a frame")
        _check_bounds(self._header_size, [0] * min(count, MAX_BLOBS + 1), self._max_bytes)
        self._expect(self._read_sizes, 8 * count)
        return False

    def _read_sizes(self) -> bool:
        self._sizes = list(struct.unpack(f">{len(self._part) // 8}Q", self._part))
        _check_bounds(self._header_size, self._sizes, self._max_bytes)
        self._expect(self._read_header, self._header_size)
        return False

    def _read_header(self) -> bool:
        fields = loads(self._part)
        if type(fields) is not dict or type(fields.get("type")) is not str:
            raise FrameError("header is not an object with a type")
        self._kind = fields.pop("type")
        check(self._kind, fields, self._table)
        self._fields = fields
        return self._next_blob()

    def _read_blob(self) -> bool:
        self._blobs.append(self._part)
        return self._next_blob()

    def _next_blob(self) -> bool:
        if len(self._blobs) == len(self._sizes):
            return True
        self._expect(self._read_blob, self._sizes[len(self._blobs)])
        return False
