"""Arrays, Arrow tables and images across the wire.

* An array is npy without pickle; a C-contiguous one is not copied.
* Arrow data is never compressed, and validated in full when it comes back.
* An image's size is read from its header, and charged to the allowance, before it is decoded.
"""

from __future__ import annotations

import io
from typing import Any

from . import bounds
from .frames import FrameError

TAG = "$"
_PLAIN_KINDS = "biufcmMUS"


class UnencodableError(Exception):
    """Raised if a value cannot be sent as data; the text says why."""


def encode_array(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    """Encode a numpy array as tagged JSON and a blob."""
    import numpy

    if value.dtype.hasobject:
        if value.dtype != object:
            raise UnencodableError("arrays of records that hold objects are not data")
        items = [encoder.encode_part(item, depth - 1) for item in value.reshape(-1).tolist()]
        return {TAG: "objects", "v": items, "shape": list(value.shape)}
    if not (value.flags.c_contiguous or value.flags.f_contiguous):
        value = numpy.ascontiguousarray(value)
    head = io.BytesIO()
    try:
        numpy.lib.format.write_array_header_2_0(head, numpy.lib.format.header_data_from_array_1_0(value))
    except UnicodeEncodeError:
        raise UnencodableError("its fields have names with letters that numpy's format does not have") from None
    flat = value.reshape(-1, order="A").view(numpy.uint8) if value.size else numpy.empty(0, numpy.uint8)
    return {TAG: "array", "b": encoder.blob([head.getvalue(), flat.data])}


def encode_scalar(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    """Encode a numpy scalar as tagged JSON with its dtype; of a date or a span, the ticks."""
    import numpy

    kind = value.dtype.kind
    if kind not in _PLAIN_KINDS or value.dtype.char in "gG":  # the last are wider than Python's float
        return {TAG: "scalar", "v": encode_array(encoder, numpy.asarray(value), depth)}
    plain = int(value.view("i8")) if kind in "mM" else value.item()
    return {TAG: "scalar", "dtype": value.dtype.str, "v": encoder.encode_plain(plain)}


def encode_dtype(encoder: Any, dtype: Any, none: Any, depth: int) -> dict[str, Any]:
    """Encode a dtype as that of an array without items."""
    if none.dtype != dtype:
        raise UnencodableError(f"the dtype {dtype!s:.200} is not data")
    return {TAG: "dtype", "v": encoder.encode_part(none, depth - 1)}


def read_scalar(decoder: Any, data: dict[str, Any]) -> Any:
    """Decode a numpy scalar."""
    import numpy

    if "dtype" not in data:
        return decoder.decode_part(data["v"])[()]
    dtype, plain = numpy.dtype(bounds.text(data["dtype"])), data["v"]
    plain = decoder.decode_part(plain) if type(plain) is dict else plain
    if dtype.kind not in _PLAIN_KINDS or type(plain) not in (bool, int, float, complex, str, bytes):
        raise ValueError("not a scalar")
    return numpy.int64(plain).view(dtype) if dtype.kind in "mM" else dtype.type(plain)


def read_npy(blob: Any) -> Any:
    """Return an array that reads the bytes of an npy blob without a copy; object arrays are refused."""
    import numpy

    view = memoryview(blob)
    head = io.BytesIO(view[: 1 << 16])
    version = numpy.lib.format.read_magic(head)
    if version != (2, 0):
        raise ValueError("npy version")
    shape, fortran, dtype = numpy.lib.format.read_array_header_2_0(head)
    if dtype.hasobject:
        raise ValueError("an array of objects")
    if not dtype.itemsize:
        raise ValueError("an array whose items take no room")
    count = 1
    for size in shape:
        count *= size
    if count * dtype.itemsize != len(view) - head.tell():
        raise ValueError("the array's size does not match its shape")
    if not count:
        return numpy.empty(shape, dtype)
    flat = numpy.frombuffer(view, dtype, count, head.tell())
    return flat.reshape(shape, order="F" if fortran else "C")


# --- Arrow -------------------------------------------------------------------------------------------------------------


def table_blob(encoder: Any, table: Any) -> Any:
    """Add an Arrow table to the blobs as an IPC stream; returns what refers to it."""
    if not encoder.arrow:
        raise UnencodableError("Arrow data needs pyarrow on both sides")
    import pyarrow

    for field in table.schema:
        try:
            arrow_type(field.type)
        except FrameError as error:
            raise UnencodableError(f"column {bounds.cut_end(repr(field.name), 100)}: {error}") from None
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    buffer = sink.getvalue()
    if not encoder.trusted:  # the decoder counts the same
        encoder.charge(table.num_rows * max(1, table.num_columns))
    return encoder.blob(memoryview(buffer))


def read_table(decoder: Any, data: dict[str, Any], key: str) -> Any:
    """Read the table of an IPC stream, uncompressed, and validated in full if a worker sent it."""
    import pyarrow

    blob = decoder.blob(data, key)

    if tuple(int(part) for part in pyarrow.__version__.split(".")[:2]) < (15, 0):
        raise ValueError("pyarrow before 15 is not safe for data from a sandbox")
    for message in pyarrow.ipc.MessageReader.open_stream(pyarrow.py_buffer(blob)):
        bounds.arrow_message(message.metadata)
    with pyarrow.ipc.open_stream(pyarrow.py_buffer(blob)) as reader:
        for field in reader.schema:
            arrow_type(field.type)
        table = reader.read_all()
    # rows without columns take no bytes, and columns may share buffers: count the cells first
    decoder.allowance.bytes(table.num_rows * max(1, table.num_columns))
    if not decoder.trusted:
        table.validate(full=True)
    decoder.allowance.bytes(table.nbytes)
    return table


_SIMPLE = "null primitive decimal string large_string binary large_binary fixed_size_binary"
_LISTS = "list large_list fixed_size_list"


def arrow_type(kind: Any) -> None:
    """Raise FrameError for types that are not sent.

    Arrow itself crashes when it validates or converts some values of views, unions, run-end encoded columns, dictionaries of or in
    extension types, and times with a zone in these. In views many rows may share one long value.
    """
    if not _is_sent(kind):
        raise FrameError(f"Arrow values of type {bounds.cut_end(str(kind), 200)} are not data")


def _is_sent(kind: Any, extended: bool = False) -> bool:
    import pyarrow
    from pyarrow import types

    if isinstance(kind, pyarrow.BaseExtensionType):
        return _is_sent(kind.storage_type, True)
    if types.is_dictionary(kind):
        return not extended and _is_one(kind.value_type, _SIMPLE)
    if _is_one(kind, _LISTS):
        return _is_sent(kind.value_type, extended)
    if types.is_map(kind):
        return _is_sent(kind.key_type, extended) and _is_sent(kind.item_type, extended)
    if types.is_struct(kind) and kind.num_fields:
        return all(_is_sent(kind.field(at).type, extended) for at in range(kind.num_fields))
    return _is_one(kind, _SIMPLE) and not (extended and types.is_timestamp(kind) and kind.tz is not None)


def _is_one(kind: Any, names: str) -> bool:
    from pyarrow import types

    return any(getattr(types, f"is_{name}")(kind) for name in names.split())


def arrow_dates(column: Any) -> None:
    """Raise FrameError if a column holds dates or times that Python cannot write out."""
    from pyarrow import types

    kind = column.type
    if types.is_timestamp(kind) or types.is_date(kind) or types.is_time(kind) or types.is_duration(kind):
        from pyarrow import compute

        bounds.dates(compute.min_max(column).as_py)


# --- images ------------------------------------------------------------------------------------------------------------


def image_png(image: Any) -> bytes:
    """Return a PIL image as PNG; raises UnencodableError if PNG cannot hold it as it is."""
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        raise UnencodableError(f"PNG holds no image of mode {image.mode}")
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def read_image(decoder: Any, part: dict[str, Any]) -> Any:
    """Read a PIL image from PNG; returns the PNG's bytes if PIL is missing."""
    data = bytes(decoder.blob(part))
    size = bounds.png_size(data)
    decoder.allowance.pixels(size[0] * size[1])
    try:
        from PIL import Image
    except ImportError:
        return data
    image = Image.open(io.BytesIO(data), formats=["PNG"])
    if image.size != size:
        raise ValueError("an image with two sizes")
    image.load()
    return image


def figure_png(figure: Any, limit: int) -> bytes | None:
    """Return a matplotlib figure as PNG; None when it is larger than ``limit`` bytes."""
    data = io.BytesIO()
    figure.savefig(data, format="png", bbox_inches="tight")
    return data.getvalue() if data.tell() <= limit else None
