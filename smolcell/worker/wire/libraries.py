"""Tables of polars and sparse matrices of scipy across the wire.

* polars trusts the types that Arrow declares: only known types reach it, validated in full, in range, without metadata.
* A sparse matrix is built from its coordinates, which scipy checks; its size is charged to the allowance first.
"""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import arrays, bounds
from .arrays import TAG, UnencodableError

FORMATS = ("csr", "csc", "coo")
DAY = 86_400
TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # ticks in a second


def encode(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    """Encode a polars table or column, or a sparse matrix, as tagged JSON and blobs; returns None for other values."""
    polars, sparse = sys.modules.get("polars"), sys.modules.get("scipy.sparse")
    kind = type(value)
    if any(kind is getattr(polars, name, None) for name in ("DataFrame", "Series", "LazyFrame")):
        return _encode_polars(encoder, value, depth)
    if sparse is not None and hasattr(sparse, "issparse") and sparse.issparse(value):
        return _encode_sparse(encoder, value, depth)
    return None


# --- polars -----------------------------------------------------------------------------------------------------------


def _encode_polars(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    import polars

    kind = type(value).__name__
    if not encoder.arrow:
        raise UnencodableError("tables of polars need pyarrow on both sides")
    if kind == "LazyFrame":
        value = _unpanicked(value.collect)
    table = value.to_frame() if kind == "Series" else value
    try:
        arrow = _unpanicked(table.to_arrow)
        if "ARROW:extension:name" in arrow.schema.to_string():
            raise UnencodableError("it has a column of an extension type")
        _check(arrow)
    except Exception as error:
        raise UnencodableError(bounds.cut_end(str(error), 200)) from None
    enums = [
        [name, encoder.encode_part(dtype.categories.to_list(), depth - 1)]
        for name, dtype in table.schema.items()
        if isinstance(dtype, polars.Enum)
    ]
    return {TAG: "polars", "b": arrays.table_blob(encoder, arrow), "series": kind == "Series", "enums": enums}


def _decode_polars(decoder: Any, data: dict[str, Any]) -> Any:
    """Decode a polars table or column; returns pyarrow's if polars is missing on this side."""
    import pyarrow

    table = arrays.read_table(decoder, data, "b")
    _check(table)
    if data["series"] and table.num_columns != 1:
        raise ValueError("a column that is a table")
    try:
        import polars
    except ImportError:
        return table.column(0) if data["series"] else table
    bare = pyarrow.table(table.columns, names=table.column_names)  # no metadata
    frame = _unpanicked(lambda: polars.from_arrow(bare))
    frame.columns = table.column_names  # polars renames columns without a name
    for name, categories in data["enums"]:
        kind: Any = polars.Enum(decoder.decode_part(categories))
        frame = frame.with_columns(frame.get_column(bounds.text(name, bounds.MAX_JSON)).cast(kind))
    return frame.to_series() if data["series"] else frame


def _unpanicked(work: Callable[[], Any]) -> Any:
    """Call ``work`` and turn a panic in Rust, which is a BaseException, into a ValueError."""
    try:
        return work()
    except (Exception, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"polars cannot read it: {bounds.cut_end(str(error), 200)}") from None


def _check(table: Any) -> None:
    """Raise ValueError for types that polars does not produce, and for dates and times beyond Python's."""
    for name, column in zip(table.column_names, table.columns):
        if not _is_plain(column.type):
            raise ValueError(f"column {name!r}: values of type {column.type} are not data")
        for chunk in column.chunks:
            for leaf in _leaves(chunk):
                _check_range(name, leaf)


def _fields(kind: Any) -> list[Any]:
    """Return the fields nested in a list or structure; none for other types."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return [kind.value_field]
    return [kind.field(at) for at in range(kind.num_fields)] if types.is_struct(kind) else []


def _is_plain(kind: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return bool(types.is_string(kind.value_type) or types.is_large_string(kind.value_type))
    known = (types.is_integer, types.is_floating, types.is_boolean, types.is_null, types.is_decimal128)
    texts = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    times = (types.is_date32, types.is_time64, types.is_timestamp, types.is_duration)
    if any(is_kind(kind) for is_kind in (*known, *texts, *times)):
        return True
    fields = _fields(kind)
    return bool(fields) and all(field.metadata is None and _is_plain(field.type) for field in fields)


def _leaves(array: Any) -> list[Any]:
    if not _fields(array.type):
        return [array]
    parts = array.flatten()
    return [leaf for part in (parts if isinstance(parts, list) else [parts]) for leaf in _leaves(part)]


def _check_range(name: str, array: Any) -> None:
    import pyarrow
    from pyarrow import compute, types

    kind = array.type
    if types.is_timestamp(kind):
        low, high, scale = -719_160 * DAY, 2_932_894 * DAY, TICKS[kind.unit]  # two days inside the years 1 to 9999
        if kind.tz is not None:
            bounds.zone(kind.tz)
    elif types.is_date32(kind):
        low, high, scale = -719_162, 2_932_896, 1
        array = array.cast(pyarrow.int32())
    elif types.is_time64(kind):
        low, high, scale = 0, DAY, TICKS[kind.unit]
    else:
        return
    extremes = compute.min_max(array.cast(pyarrow.int64())).as_py()
    if extremes["min"] is not None and not low * scale <= extremes["min"] <= extremes["max"] <= high * scale:
        raise ValueError(f"column {name!r}: a date or time that cannot be written out")


# --- scipy ------------------------------------------------------------------------------------------------------------


def _encode_sparse(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    if value.ndim != 2 or value.dtype.kind not in "biufc":
        raise UnencodableError(f"a sparse array of {value.ndim} dimensions and {value.dtype} is not data")
    if sum(value.shape) > bounds.MAX_ROWS:
        raise UnencodableError(f"a sparse matrix of more than {bounds.MAX_ROWS:,} rows and columns is not data")
    if not encoder.trusted:
        encoder.charge(8 * sum(value.shape))
    points = value.tocoo()
    return {
        TAG: "sparse_matrix",
        "shape": [int(size) for size in value.shape],
        "format": value.format if value.format in FORMATS else "csr",
        "matrix": type(value).__name__.endswith("_matrix"),
        "v": [arrays.encode_array(encoder, part, depth) for part in (points.data, points.row, points.col)],
    }


def _decode_sparse(decoder: Any, data: dict[str, Any]) -> Any:
    import numpy
    from scipy import sparse

    rows, columns = data["shape"]
    if not (type(rows) is type(columns) is int and min(rows, columns) >= 0 and rows + columns <= bounds.MAX_ROWS):
        raise ValueError(f"sparse matrix: shape must be two non-negative integers with a sum up to {bounds.MAX_ROWS:,}")
    decoder.allowance.bytes(8 * (rows + columns))
    parts = [decoder.decode_part(part) for part in data["v"]]
    kinds = ("biufc", "iu", "iu")
    if any(type(part) is not numpy.ndarray or part.dtype.kind not in kind for part, kind in zip(parts, kinds)):
        raise ValueError("not the parts of a sparse matrix")
    values, row, column = parts
    matrix_type: Any = sparse.coo_matrix if data["matrix"] else sparse.coo_array
    matrix = matrix_type((values, (row, column)), shape=(rows, columns))
    return matrix.asformat(FORMATS[FORMATS.index(data["format"])])


DECODERS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {"polars": _decode_polars, "sparse_matrix": _decode_sparse}
