"""pandas across the wire: frames, series, indexes and their scalars.

* Index, column labels, dtypes and missing values are preserved; if they cannot be, an error names the column.
* Columns of one numpy dtype travel together as one array (no copy if pandas keeps them together).
* Strings, and objects of one kind, are sent as Arrow if both sides have pyarrow, else as JSON; nothing is pickled.
* Arrow's own pandas metadata is not used: the receiver would build dtypes and indexes as a hostile sandbox describes them, and
  without pyarrow these encoders are needed anyway.
"""

from __future__ import annotations

import contextlib
import datetime
from itertools import chain
from typing import Any, Callable

from . import arrays, bounds
from .arrays import TAG, UnencodableError

# --- Columns of Python objects of one kind (texts, dates, lists of numbers) across the wire, as Arrow.
#
# * A column is encoded here only if every value is exactly of one kind (``type(value) is str``), so that it is restored unchanged:
#   texts as texts, ``None`` as ``None``, NaN as NaN.
# * Columns of several kinds are encoded elsewhere; nothing is coerced.
# * Decoding looks types up in a table and charges the objects to the allowance before it makes them.


LEVELS = 4  # of nesting that a table takes, besides its cells
MIN_ARROW_VALUES = 64  # with fewer values JSON is as fast
MAX_CHECKED_STAMPS = 100_000  # above, only fixed frequencies are checked: pandas counts out others one by one
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


def encode_uniform(encoder: Any, values: Any) -> dict[str, Any] | None:
    """Return an array of objects as one Arrow column; None if its values are not all of one kind.

    Args:
        values: a numpy array of objects, of one dimension.
    """
    if not encoder.arrow or len(values) < MIN_ARROW_VALUES:
        return None
    kinds = set(map(type, values)) - {_NONE}
    missing: list[int] = []
    if float in kinds and len(kinds) == 2:  # texts with NaN for missing values
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
    arrow_type = getattr(pyarrow, name)()
    if missing:
        values = values.copy()
        values[missing] = None
    try:
        column = pyarrow.array(values, pyarrow.large_list(arrow_type) if lists else arrow_type, from_pandas=False)
    except (pyarrow.ArrowException, ValueError, OverflowError):  # a lone surrogate, an int of more than 64 bits
        return None
    column = pyarrow.chunked_array([column]) if isinstance(column, pyarrow.Array) else column
    encoder.charge(bounds.CELL_BYTES * _objects(column))
    encoded = {
        TAG: "uniform",
        "table": arrays.table_blob(encoder, pyarrow.table([column], ["0"])),
        "kind": name,
        "lists": lists,
    }
    if missing:
        encoded["nan"] = arrays.encode_array(encoder, numpy.asarray(missing), 2)
    return encoded


def _objects(column: Any) -> int:
    """Return how many Python objects a column becomes when it is decoded."""
    import pyarrow

    inner = sum(len(chunk.values) for chunk in column.chunks) if pyarrow.types.is_large_list(column.type) else 0
    return len(column) + inner


def decode_uniform(decoder: Any, data: dict[str, Any]) -> Any:
    """Decode a column of objects."""
    import numpy

    shown, lists = _SHOWN[data["kind"]], bool(data["lists"])
    column = arrays.read_table(decoder, data, "table").column(0)
    kind = column.type
    if lists and not str(kind).startswith("large_list<"):
        raise ValueError("a column of lists that holds something else")
    if str(kind.value_type if lists else kind) != shown:
        raise ValueError("a column of one kind that holds something else")
    decoder.allowance.bytes(bounds.CELL_BYTES * _objects(column))
    cells = numpy.empty(len(column), dtype=object)
    if shown == "large_string" and not lists:
        cells[:] = column.to_pandas().to_numpy(dtype=object, na_value=None)  # a text that occurs often is made once
    else:
        for at, value in enumerate(chain.from_iterable(chunk.to_pylist() for chunk in column.chunks)):
            cells[at] = value
    if "nan" in data:
        at = decoder.decode_part(data["nan"])
        if at.dtype != numpy.int64 or at.ndim != 1:
            raise ValueError("not positions")
        cells[at] = numpy.nan
    return cells


NULLABLE = ("IntegerArray", "FloatingArray", "BooleanArray")


def encode(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    """Encode a pandas object as tagged JSON and blobs; returns None for other values."""
    import pandas

    kind, depth = type(value), depth - LEVELS
    if kind is pandas.DataFrame:
        return {**_frame(encoder, value, depth), **_notes(encoder, value, depth)}
    if kind is pandas.Series:
        data = _named(encoder, value.name, value.array, depth)
        name = encoder.encode_part(value.name, depth - 1)
        encoded = {TAG: "series", "name": name, "index": _index(encoder, value.index, depth), "data": data}
        return {**encoded, **_notes(encoder, value, depth)}
    if isinstance(value, pandas.Index):
        return _index(encoder, value, depth)
    if isinstance(value, pandas.api.extensions.ExtensionArray):
        return {TAG: "extension_array", "v": _column(encoder, value, depth)}
    if isinstance(value, pandas.api.extensions.ExtensionDtype):
        return arrays.encode_dtype(encoder, value, pandas.Series([], dtype=value).array, depth)
    return _scalar(encoder, value, depth)


def _notes(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    """Return the attributes of a table or column."""
    notes: dict[str, Any] = {} if value.flags.allows_duplicate_labels else {"unique": True}
    if value.attrs:
        try:
            notes["attrs"] = encoder.encode_part(dict(value.attrs), depth - 1)
        except UnencodableError as error:
            raise UnencodableError(f"attrs: {error}") from None
    return notes


def _scalar(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    import pandas

    if value is pandas.NaT or value is pandas.NA:
        return {TAG: "missing", "v": str(value)}
    if type(value) is pandas.Timestamp:
        encoder.check(bounds.dates, lambda: value)
        zone, offset = None if value.tz is None else bounds.zone_name(value.tz), value.utcoffset()
        if offset is not None and (not zone or value.tz_convert(bounds.zone(zone)).utcoffset() != offset):
            zone = str(datetime.timezone(offset))
        return {TAG: "timestamp", "v": arrays.encode_scalar(encoder, value.asm8, depth), "tz": zone}
    if type(value) is pandas.Timedelta:
        return {TAG: "pandas_timedelta", "v": arrays.encode_scalar(encoder, value.asm8, depth)}
    if type(value) is pandas.Period:
        return {TAG: "one_period", "v": value.ordinal, "freq": value.freqstr}
    if type(value) is pandas.Interval:
        edges = [encoder.encode_part(edge, depth) for edge in (value.left, value.right)]
        return {TAG: "one_interval", "v": edges, "closed": value.closed}
    return None


def _zone(zone: Any) -> str:
    name = bounds.zone_name(zone)
    if not name:
        raise UnencodableError(f"the time zone {zone!s:.200} has no name")
    return name


def _index(encoder: Any, index: Any, depth: int) -> dict[str, Any]:
    import pandas

    if type(index) is pandas.RangeIndex:
        name = encoder.encode_part(index.name, depth - 1)
        return {TAG: "range_index", "v": [index.start, index.stop, index.step], "name": name}
    if isinstance(index, pandas.MultiIndex):
        levels = [_encode_labels(encoder, level, depth) for level in index.levels]
        codes = [arrays.encode_array(encoder, code, depth) for code in map(_plain_array, index.codes)]
        names = [encoder.encode_part(name, depth - 1) for name in index.names]
        return {TAG: "multi_index", "levels": levels, "codes": codes, "names": names}
    data = _column(encoder, index.array, depth)
    name = encoder.encode_part(index.name, depth - 1)
    return {TAG: "index", "data": data, "name": name, "freq": _frequency(index)}


def _frequency(index: Any) -> str | None:
    """Return the name of an index's frequency; None without one, or if no other side would know its name."""
    import pandas

    if not isinstance(index, (pandas.DatetimeIndex, pandas.TimedeltaIndex)) or index.freq is None:
        return None
    try:
        known = pandas.tseries.frequencies.to_offset(index.freqstr)
    except ValueError:
        return None
    return index.freqstr if known == index.freq else None


def _encode_labels(encoder: Any, index: Any, depth: int) -> dict[str, Any]:
    """Encode an index that pandas writes out and searches: categories, levels, edges of intervals."""
    if index.dtype == object and not encoder.trusted:
        encoder.check(bounds.keys, index.array)
    return _index(encoder, index, depth)


def _plain_array(values: Any) -> Any:
    import numpy

    return numpy.asarray(values)


def _frame(encoder: Any, frame: Any, depth: int) -> dict[str, Any]:
    if not frame.shape[1] and len(frame) > bounds.MAX_ROWS and not encoder.trusted:
        raise UnencodableError("a table without columns that has so many rows is not data")
    groups: dict[Any, list[int]] = {}
    parts: list[dict[str, Any]] = []
    strings: list[int] = []
    for at, dtype in enumerate(frame.dtypes):
        if getattr(dtype, "kind", "O") in "biufcmM" and type(dtype).__module__.startswith("numpy"):
            groups.setdefault(dtype, []).append(at)
        elif encoder.arrow and _is_arrow_friendly(dtype):
            strings.append(at)
        else:
            data = _named(encoder, frame.columns[at], frame.iloc[:, at].array, depth)
            parts.append({"at": [at], "data": data})
    for places in groups.values():
        part = frame if len(places) == frame.shape[1] else frame.iloc[:, places]
        parts.append({"at": places, "block": arrays.encode_array(encoder, part.to_numpy(), depth)})
    if strings:
        parts.append(_arrow_part(encoder, frame, strings))
    return {
        TAG: "frame",
        "rows": len(frame),
        "index": _index(encoder, frame.index, depth),
        "columns": _index(encoder, frame.columns, depth),
        "parts": parts,
    }


def _is_arrow_friendly(dtype: Any) -> bool:
    import pandas

    return isinstance(dtype, (pandas.StringDtype, pandas.ArrowDtype))


def _arrow_part(encoder: Any, frame: Any, places: list[int]) -> dict[str, Any]:
    import pyarrow

    columns = []
    for at in places:
        try:
            columns.append(_as_arrow(encoder, frame.iloc[:, at].array))
        except (pyarrow.ArrowException, TypeError, UnencodableError) as error:
            raise UnencodableError(f"column {frame.columns[at]!r}: {error}") from None
    encoder.charge(len(frame) * len(places) * bounds.CELL_BYTES // 2)
    table = pyarrow.table(columns, names=[str(at) for at in places])
    dtypes = [_dtype_text(frame.dtypes.iloc[at]) for at in places]
    return {"at": places, "table": arrays.table_blob(encoder, table), "dtypes": dtypes}


def _as_arrow(encoder: Any, values: Any) -> Any:
    import pyarrow

    array = pyarrow.array(values, from_pandas=True)
    column = array if isinstance(array, pyarrow.ChunkedArray) else pyarrow.chunked_array([array])
    encoder.check(arrays.arrow_type, column.type)
    encoder.check(arrays.arrow_dates, column)
    return column


def _dtype_text(dtype: Any) -> list[str]:
    import pandas

    if isinstance(dtype, pandas.StringDtype):
        na = getattr(dtype, "na_value", pandas.NA)
        return ["string", dtype.storage, "NA" if na is pandas.NA else "nan"]
    return ["arrow"]


def _named(encoder: Any, label: Any, values: Any, depth: int) -> dict[str, Any]:
    try:
        return _column(encoder, values, depth)
    except UnencodableError as error:
        raise UnencodableError(f"column {label!r}: {error}") from None


def _column(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    kind = type(values).__name__
    encode_column: Callable[[Any, Any, int], dict[str, Any]] | None = _COLUMNS.get(kind)
    if encode_column is not None:
        return encode_column(encoder, values, depth)
    if kind == "DatetimeArray" and values.tz is not None:
        encoder.check(bounds.dates, values.min, values.max)
        naive = _plain_array(values.tz_convert("UTC").tz_localize(None))
        return {TAG: "zoned", "v": arrays.encode_array(encoder, naive, depth), "tz": _zone(values.tz)}
    if kind in ("NumpyExtensionArray", "PandasArray", "DatetimeArray", "TimedeltaArray"):
        plain = _plain_array(values)
        encoded = encode_uniform(encoder, plain) if plain.dtype == object and plain.ndim == 1 else None
        encoded = encoded or arrays.encode_array(encoder, plain, depth)
        if encoded is not None:
            return encoded
    if _is_arrow_friendly(values.dtype):
        return _strings(encoder, values)
    raise UnencodableError(f"values of type {values.dtype} are not data")


def _strings(encoder: Any, values: Any) -> dict[str, Any]:
    dtype = _dtype_text(values.dtype)
    if encoder.arrow:
        import pyarrow

        encoder.charge(len(values) * bounds.CELL_BYTES // 2)
        return {
            TAG: "strings",
            "table": arrays.table_blob(encoder, pyarrow.table([_as_arrow(encoder, values)], ["0"])),
            "dtype": dtype,
        }
    if dtype == ["arrow"]:
        raise UnencodableError("Arrow data needs pyarrow on both sides")
    missing = values.isna()
    items = [None if gone else encoder.encode_part(str(item), 2) for item, gone in zip(values, missing)]
    return {TAG: "strings", "v": items, "dtype": dtype}


def _categorical(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    return {
        TAG: "categorical",
        "codes": arrays.encode_array(encoder, _plain_array(values.codes), depth),
        "categories": _encode_labels(encoder, values.categories, depth),
        "ordered": bool(values.ordered),
    }


def _nullable(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    dtype = values.dtype.numpy_dtype if hasattr(values.dtype, "numpy_dtype") else bool
    plain = values.to_numpy(dtype=dtype, na_value=dtype.type(0) if hasattr(dtype, "type") else False)
    mask = arrays.encode_array(encoder, _plain_array(values.isna()), depth)
    return {
        TAG: "nullable",
        "kind": type(values).__name__,
        "v": arrays.encode_array(encoder, plain, depth),
        "mask": mask,
    }


def _period(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    return {TAG: "period", "v": arrays.encode_array(encoder, _plain_array(values.asi8), depth), "freq": values.freqstr}


def _interval(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    left, right = (_encode_labels(encoder, edges, depth) for edges in (values.left, values.right))
    return {TAG: "interval", "left": left, "right": right, "closed": values.closed}


def _sparse(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    if len(values) > bounds.MAX_ROWS:
        raise UnencodableError(f"a sparse column of more than {bounds.MAX_ROWS:,} rows is not data")
    if not encoder.trusted:
        encoder.charge(len(values) * values.sp_values.dtype.itemsize)
    return {
        TAG: "sparse",
        "v": arrays.encode_array(encoder, _plain_array(values.sp_values), depth),
        "at": arrays.encode_array(encoder, _plain_array(values.sp_index.indices), depth),
        "fill": encoder.encode_part(values.fill_value, depth - 1),
        "rows": len(values),
        "kind": values.kind,
    }


_COLUMNS: dict[str, Callable[[Any, Any, int], dict[str, Any]]] = {
    "Categorical": _categorical,
    "PeriodArray": _period,
    "IntervalArray": _interval,
    "SparseArray": _sparse,
    **dict.fromkeys(NULLABLE, _nullable),
}


# --- Decoding: pandas objects from what the encoders above wrote.
#
# * The data may come from a hostile worker: names are looked up in tables, sizes are compared, Arrow is validated.
# * pandas never gets a range or a list, which it would expand, in place of an array.
# * Any error becomes a FrameError in ``values.Decoder``.


def decode(decoder: Any, tag: Any, data: dict[str, Any]) -> Any:
    """Decode the pandas object of a tagged part; raises KeyError if the tag is unknown."""
    read = _DECODERS[tag]
    import pandas

    return read(pandas, decoder, data)


def _array(decoder: Any, data: Any) -> Any:
    """Decode a numpy array of one dimension."""
    return _checked(decoder.decode_part(data))


def _checked(values: Any) -> Any:
    import numpy

    if type(values) is not numpy.ndarray or values.ndim != 1:
        raise ValueError("not an array")
    return values


def _decode_column(pandas: Any, decoder: Any, data: Any) -> Any:
    """Decode the values of a column or an index."""
    values = decoder.decode_part(data)
    return values if isinstance(values, pandas.api.extensions.ExtensionArray) else _checked(values)


def _decode_index(pandas: Any, decoder: Any, data: Any) -> Any:
    index = decoder.decode_part(data)
    if not isinstance(index, pandas.Index):
        raise ValueError("not an index")
    return index


def _labels(pandas: Any, decoder: Any, data: Any) -> Any:
    """Decode what ``_encode_labels`` wrote."""
    index = _decode_index(pandas, decoder, data)
    decoder.allowance.bytes(8 * len(index))
    if index.dtype == object and not decoder.trusted:
        bounds.keys(index.array)
    return index


def _with_notes(decoder: Any, data: dict[str, Any], table: Any) -> Any:
    """Set the attributes of a decoded table or column."""
    if data.get("unique"):
        table.flags.allows_duplicate_labels = False
    if "attrs" in data:
        attrs = decoder.decode_part(data["attrs"])
        if type(attrs) is not dict:
            raise ValueError("attrs that are no dict")
        table.attrs = attrs
    return table


def _decode_frame(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    index, columns = _decode_index(pandas, decoder, data["index"]), _decode_index(pandas, decoder, data["columns"])
    parts = data["parts"]
    if sum(len(part["at"]) for part in parts) != len(columns):
        raise ValueError("the table's columns do not match its header")
    if not parts and len(index) > bounds.MAX_ROWS and not decoder.trusted:
        raise ValueError("a table without columns that has so many rows")
    if len(parts) == 1 and "block" in parts[0] and parts[0]["at"] == list(range(len(columns))):
        return pandas.DataFrame(decoder.decode_part(parts[0]["block"]), index=index, columns=columns, copy=False)
    found: dict[int, Any] = {}
    for part in parts:
        found.update(_read_part(pandas, decoder, part))
    if sorted(found) != list(range(len(columns))) or any(len(column) != len(index) for column in found.values()):
        raise ValueError("the table's columns do not match its header")
    ordered = {at: found[at] for at in range(len(columns))}
    frame = pandas.DataFrame(ordered, index=None if ordered else index, copy=False)
    frame.index, frame.columns = index, columns  # not as arguments: pandas would align the series
    return frame


def _read_part(pandas: Any, decoder: Any, part: dict[str, Any]) -> list[tuple[int, Any]]:
    if "block" in part:
        block = decoder.decode_part(part["block"])
        return [(at, block[:, place]) for place, at in enumerate(part["at"])]
    if "table" in part:
        table = arrays.read_table(decoder, part, "table")
        return [
            (at, _from_arrow(pandas, decoder, table.column(place), dtype))
            for place, (at, dtype) in enumerate(zip(part["at"], part["dtypes"]))
        ]
    values = _decode_column(pandas, decoder, part["data"])
    return [(part["at"][0], pandas.Series(values, dtype=object) if _is_object(values) else values)]


def _is_object(values: Any) -> bool:
    return type(values).__module__ == "numpy" and values.dtype.hasobject


def _from_arrow(pandas: Any, decoder: Any, column: Any, dtype: list[str]) -> Any:
    if dtype[0] == "string":
        if str(column.type) not in ("string", "large_string"):  # not views: in them many rows may share one long text
            raise ValueError("a column of strings that holds something else")
        decoder.allowance.bytes(bounds.CELL_BYTES * len(column))
        return _string_dtype(pandas, dtype).__from_arrow__(column)  # of storage "pyarrow", without a copy
    arrays.arrow_dates(column)
    return pandas.arrays.ArrowExtensionArray(column)


def _string_dtype(pandas: Any, dtype: list[str]) -> Any:
    import numpy

    storage = dtype[1] if dtype[1] in ("python", "pyarrow") else "python"
    try:
        return pandas.StringDtype(storage, numpy.nan if dtype[2] == "nan" else pandas.NA)
    except (TypeError, ImportError):
        return pandas.StringDtype("python")


def _read_strings(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    import numpy

    if "table" in data:
        return _from_arrow(pandas, decoder, arrays.read_table(decoder, data, "table").column(0), data["dtype"])
    texts = [decoder.decode_part(item) for item in data["v"]]
    if not all(item is None or type(item) is str for item in texts):
        raise ValueError("a column of strings that holds something else")
    items = numpy.array(texts, dtype=object)
    return pandas.array(items, dtype=_string_dtype(pandas, data["dtype"]))


def _read_series(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    values = _decode_column(pandas, decoder, data["data"])
    index, name = _decode_index(pandas, decoder, data["index"]), decoder.decode_part(data["name"])
    if len(index) != len(values):
        raise ValueError("a series whose index is of another length")
    dtype = object if _is_object(values) else None
    series = pandas.Series(values, index=index, name=name, dtype=dtype, copy=False)
    return _with_notes(decoder, data, series)


def _read_index(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    values = _decode_column(pandas, decoder, data["data"])
    index: Any = pandas.Index(
        values, name=decoder.decode_part(data["name"]), dtype=object if _is_object(values) else None
    )
    if data.get("freq") and isinstance(index, (pandas.DatetimeIndex, pandas.TimedeltaIndex)):
        stamps: Any = index
        with contextlib.suppress(ValueError):  # this version of pandas has no such frequency
            freq: Any = pandas.tseries.frequencies.to_offset(bounds.text(data["freq"]))
            if len(index) <= MAX_CHECKED_STAMPS or isinstance(freq, pandas.offsets.Tick):
                stamps.freq = freq  # checked by pandas against the values
    return index


def _read_range_index(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    start, stop, step = data["v"]
    return pandas.RangeIndex(start, stop, step, name=decoder.decode_part(data["name"]))


def _read_multi_index(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    levels = [_labels(pandas, decoder, level) for level in data["levels"]]
    codes = [_array(decoder, code) for code in data["codes"]]
    return pandas.MultiIndex(levels=levels, codes=codes, names=[decoder.decode_part(name) for name in data["names"]])


def _read_categorical(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    dtype = pandas.CategoricalDtype(_labels(pandas, decoder, data["categories"]), ordered=bool(data["ordered"]))
    return pandas.Categorical.from_codes(_array(decoder, data["codes"]), dtype=dtype)


def _read_nullable(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    if data["kind"] not in NULLABLE:
        raise ValueError("unknown kind of column")
    array_type = getattr(pandas.arrays, data["kind"])
    return array_type(_array(decoder, data["v"]), _array(decoder, data["mask"]))


def _read_zoned(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    naive = pandas.DatetimeIndex(_array(decoder, data["v"]))
    localized = naive.tz_localize("UTC").tz_convert(bounds.zone(data["tz"])).array
    bounds.dates(localized.min, localized.max)
    return localized


def _read_timestamp(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    stamp = pandas.Timestamp(arrays.read_scalar(decoder, data["v"]))
    if data["tz"] is not None:
        stamp = stamp.tz_localize("UTC").tz_convert(bounds.zone(data["tz"]))
    bounds.dates(lambda: stamp)
    return stamp


def _read_period(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    return pandas.PeriodIndex.from_ordinals(_array(decoder, data["v"]), freq=bounds.text(data["freq"])).array


def _read_interval(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    left, right = _labels(pandas, decoder, data["left"]), _labels(pandas, decoder, data["right"])
    return pandas.arrays.IntervalArray.from_arrays(left, right, closed=data["closed"])


def _read_sparse(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    import numpy

    stored, places, rows = _array(decoder, data["v"]), _array(decoder, data["at"]), data["rows"]
    if type(rows) is not int or not 0 <= rows <= bounds.MAX_ROWS or places.dtype != numpy.int32:
        raise ValueError("not a sparse column")
    decoder.allowance.bytes(rows * stored.dtype.itemsize)
    fill = decoder.decode_part(data["fill"])
    whole = numpy.full(rows, fill, dtype=stored.dtype)
    whole[places] = stored
    return pandas.arrays.SparseArray(whole, fill_value=fill, kind="block" if data["kind"] == "block" else "integer")


def _read_one_period(pandas: Any, _: Any, data: dict[str, Any]) -> Any:
    period = pandas.Period(ordinal=data["v"], freq=bounds.text(data["freq"]))
    bounds.dates(lambda: period)
    return period


def _read_one_interval(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    left, right = map(decoder.decode_part, data["v"])
    return pandas.Interval(left, right, closed=data["closed"])


def _read_extension_array(pandas: Any, decoder: Any, data: dict[str, Any]) -> Any:
    values = _decode_column(pandas, decoder, data["v"])
    return pandas.Series(values, dtype=object if _is_object(values) else None, copy=False).array


_DECODERS: dict[str, Callable[[Any, Any, dict[str, Any]], Any]] = {
    "frame": lambda pandas, decoder, data: _with_notes(decoder, data, _decode_frame(pandas, decoder, data)),
    "series": _read_series,
    "index": _read_index,
    "range_index": _read_range_index,
    "multi_index": _read_multi_index,
    "categorical": _read_categorical,
    "nullable": _read_nullable,
    "zoned": _read_zoned,
    "strings": _read_strings,
    "timestamp": _read_timestamp,
    "missing": lambda pandas, _, data: pandas.NaT if data["v"] == "NaT" else pandas.NA,
    "period": _read_period,
    "sparse": _read_sparse,
    "uniform": lambda _, decoder, data: decode_uniform(decoder, data),
    "interval": _read_interval,
    "pandas_timedelta": lambda pandas, decoder, data: pandas.Timedelta(arrays.read_scalar(decoder, data["v"])),
    "one_period": _read_one_period,
    "one_interval": _read_one_interval,
    "extension_array": _read_extension_array,
}
