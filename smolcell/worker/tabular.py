"""pandas across the wire: frames, series, indexes and their scalars.

The rules this file exists to keep:

* What arrives has the index, column labels, dtypes and missing values of what was sent; or the column is named in an error.
* Columns of one numpy dtype travel together as one array (no copy where pandas keeps them together).
* Strings travel as Arrow where both sides have pyarrow, else as JSON; nothing is pickled.
"""

from __future__ import annotations

from typing import Any, Callable

from . import frames
from .frames import TAG

_NULLABLE = ("IntegerArray", "FloatingArray", "BooleanArray")


def _no(reason: str) -> Exception:
    from .values import UnencodableError

    return UnencodableError(reason)


# --- encoding ----------------------------------------------------------------------------------------------------------


def encode(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    """A pandas object as tagged JSON and blobs; None when it is none that is known."""
    import pandas

    kind = type(value)
    if kind is pandas.DataFrame:
        return _frame(encoder, value, depth)
    if kind is pandas.Series:
        data = _named(encoder, value.name, value.array, depth)
        name = encoder.encode_part(value.name, depth - 1)
        return {TAG: "series", "name": name, "index": _index(encoder, value.index, depth), "data": data}
    if isinstance(value, pandas.Index):
        return _index(encoder, value, depth)
    return _scalar(value)


def _scalar(value: Any) -> dict[str, Any] | None:
    import pandas

    if value is pandas.NaT or value is pandas.NA:
        return {TAG: "missing", "v": str(value)}
    if type(value) is pandas.Timestamp:
        zone = None if value.tz is None else _zone(value.tz)
        stamp = value if value.tz is None else value.tz_convert("UTC").tz_localize(None)
        return {TAG: "timestamp", "v": stamp.isoformat(), "unit": stamp.unit, "tz": zone}
    if type(value) is pandas.Timedelta:
        return {TAG: "pandas_timedelta", "v": value.isoformat(), "unit": value.unit}
    if type(value) is pandas.Period:
        return {TAG: "one_period", "v": str(value), "freq": value.freqstr}
    return None


def _zone(zone: Any) -> str:
    import pandas

    text = str(getattr(zone, "key", None) or zone)
    try:
        if pandas.DatetimeTZDtype("ns", text) == pandas.DatetimeTZDtype("ns", zone):
            return text
    except Exception as error:
        raise _no(f"the time zone {text!r} has no name ({type(error).__name__})") from None
    raise _no(f"the time zone {text!r} has no name")


def _index(encoder: Any, index: Any, depth: int) -> dict[str, Any]:
    import pandas

    if type(index) is pandas.RangeIndex:
        name = encoder.encode_part(index.name, depth - 1)
        return {TAG: "range_index", "v": [index.start, index.stop, index.step], "name": name}
    if isinstance(index, pandas.MultiIndex):
        levels = [_index(encoder, level, depth - 1) for level in index.levels]
        codes = [frames.encode(encoder, code, depth) for code in map(_plain_array, index.codes)]
        names = [encoder.encode_part(name, depth - 1) for name in index.names]
        return {TAG: "multi_index", "levels": levels, "codes": codes, "names": names}
    data = _column(encoder, index.array, depth)
    name = encoder.encode_part(index.name, depth - 1)
    return {TAG: "index", "data": data, "name": name, "freq": getattr(index, "freqstr", None)}


def _plain_array(values: Any) -> Any:
    import numpy

    return numpy.asarray(values)


def _frame(encoder: Any, frame: Any, depth: int) -> dict[str, Any]:
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
        parts.append({"at": places, "block": frames.encode(encoder, part.to_numpy(), depth)})
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
            columns.append(_as_arrow(frame.iloc[:, at].array))
        except (pyarrow.ArrowException, TypeError) as error:
            raise _no(f"column {frame.columns[at]!r}: {error}") from None
    table = pyarrow.table(columns, names=[str(at) for at in places])
    dtypes = [_dtype_text(frame.dtypes.iloc[at]) for at in places]
    return {"at": places, "table": frames.table_blob(encoder, table), "dtypes": dtypes}


def _as_arrow(values: Any) -> Any:
    import pyarrow

    made = pyarrow.array(values, from_pandas=True)
    return made if isinstance(made, pyarrow.ChunkedArray) else pyarrow.chunked_array([made])


def _dtype_text(dtype: Any) -> list[str]:
    import pandas

    if isinstance(dtype, pandas.StringDtype):
        na = getattr(dtype, "na_value", pandas.NA)
        return ["string", dtype.storage, "NA" if na is pandas.NA else "nan"]
    return ["arrow"]


def _named(encoder: Any, label: Any, values: Any, depth: int) -> dict[str, Any]:
    from .values import UnencodableError

    try:
        return _column(encoder, values, depth)
    except UnencodableError as error:
        raise UnencodableError(f"column {label!r}: {error}") from None


def _column(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    kind = type(values).__name__
    made: Callable[[Any, Any, int], dict[str, Any]] | None = _COLUMNS.get(kind)
    if made is not None:
        return made(encoder, values, depth)
    if kind == "DatetimeArray" and values.tz is not None:
        naive = _plain_array(values.tz_convert("UTC").tz_localize(None))
        return {TAG: "zoned", "v": frames.encode(encoder, naive, depth), "tz": _zone(values.tz)}
    if kind in ("NumpyExtensionArray", "PandasArray", "DatetimeArray", "TimedeltaArray"):
        found = frames.encode(encoder, _plain_array(values), depth)
        if found is not None:
            return found
    if _is_arrow_friendly(values.dtype):
        return _strings(encoder, values)
    raise _no(f"values of type {values.dtype} are not data")


def _strings(encoder: Any, values: Any) -> dict[str, Any]:
    dtype = _dtype_text(values.dtype)
    if encoder.arrow:
        import pyarrow

        return {
            TAG: "strings",
            "table": frames.table_blob(encoder, pyarrow.table([_as_arrow(values)], ["0"])),
            "dtype": dtype,
        }
    if dtype == ["arrow"]:
        raise _no("Arrow data needs pyarrow on both sides")
    missing = values.isna()
    items = [None if gone else encoder.encode_part(str(item), 2) for item, gone in zip(values, missing)]
    return {TAG: "strings", "v": items, "dtype": dtype}


def _categorical(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    return {
        TAG: "categorical",
        "codes": frames.encode(encoder, _plain_array(values.codes), depth),
        "categories": _index(encoder, values.categories, depth),
        "ordered": bool(values.ordered),
    }


def _nullable(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    dtype = values.dtype.numpy_dtype if hasattr(values.dtype, "numpy_dtype") else bool
    plain = values.to_numpy(dtype=dtype, na_value=dtype.type(0) if hasattr(dtype, "type") else False)
    mask = frames.encode(encoder, _plain_array(values.isna()), depth)
    return {TAG: "nullable", "kind": type(values).__name__, "v": frames.encode(encoder, plain, depth), "mask": mask}


def _period(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    return {TAG: "period", "v": frames.encode(encoder, _plain_array(values.asi8), depth), "freq": values.freqstr}


def _interval(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    left, right = _index(encoder, values.left, depth), _index(encoder, values.right, depth)
    return {TAG: "interval", "left": left, "right": right, "closed": values.closed}


_COLUMNS: dict[str, Callable[[Any, Any, int], dict[str, Any]]] = {
    "Categorical": _categorical,
    "PeriodArray": _period,
    "IntervalArray": _interval,
    **dict.fromkeys(_NULLABLE, _nullable),
}


# --- decoding ----------------------------------------------------------------------------------------------------------


def decode(decoder: Any, tag: Any, data: dict[str, Any]) -> Any:
    """The pandas object of a tagged part; raises KeyError for a tag nobody knows."""
    return _DECODERS[tag](decoder, data)


def _read_frame(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    index = decoder.decode_part(data["index"])
    columns = decoder.decode_part(data["columns"])
    parts = data["parts"]
    if len(parts) == 1 and "block" in parts[0] and parts[0]["at"] == list(range(len(columns))):
        return pandas.DataFrame(decoder.decode_part(parts[0]["block"]), index=index, columns=columns, copy=False)
    found: dict[int, Any] = {}
    for part in parts:
        found.update(_read_part(decoder, part))
    if sorted(found) != list(range(len(columns))) or any(len(column) != len(index) for column in found.values()):
        raise ValueError("the table's columns are not what its head says")
    ordered = {at: found[at] for at in range(len(columns))}
    frame = pandas.DataFrame(ordered, index=None if ordered else index, copy=False)
    frame.index, frame.columns = index, columns  # set, not given: given, series would be aligned to it
    return frame


def _read_part(decoder: Any, part: dict[str, Any]) -> list[tuple[int, Any]]:
    import pandas

    if "block" in part:
        block = decoder.decode_part(part["block"])
        return [(at, block[:, place]) for place, at in enumerate(part["at"])]
    if "table" in part:
        table = frames.read_table(decoder.blob(part, "table"))
        return [
            (at, _from_arrow(table.column(place), dtype))
            for place, (at, dtype) in enumerate(zip(part["at"], part["dtypes"]))
        ]
    values = decoder.decode_part(part["data"])
    return [(part["at"][0], pandas.Series(values, dtype=object) if _is_object(values) else values)]


def _is_object(values: Any) -> bool:
    return type(values).__module__ == "numpy" and values.dtype.hasobject


def _from_arrow(column: Any, dtype: list[str]) -> Any:
    import pandas

    if dtype[0] == "string":
        if str(column.type) not in ("string", "large_string", "string_view"):
            raise ValueError("a column of strings that holds something else")
        return pandas.array(column.to_pandas().to_numpy(dtype=object), dtype=_string_dtype(dtype))
    return pandas.arrays.ArrowExtensionArray(column)


def _string_dtype(dtype: list[str]) -> Any:
    import numpy
    import pandas

    storage = dtype[1] if dtype[1] in ("python", "pyarrow") else "python"
    try:
        return pandas.StringDtype(storage, numpy.nan if dtype[2] == "nan" else pandas.NA)
    except (TypeError, ImportError):
        return pandas.StringDtype("python")


def _read_strings(decoder: Any, data: dict[str, Any]) -> Any:
    import numpy
    import pandas

    if "table" in data:
        return _from_arrow(frames.read_table(decoder.blob(data, "table")).column(0), data["dtype"])
    items = numpy.array([None if item is None else str(item) for item in data["v"]], dtype=object)
    return pandas.array(items, dtype=_string_dtype(data["dtype"]))


def _read_series(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    values = decoder.decode_part(data["data"])
    index, name = decoder.decode_part(data["index"]), decoder.decode_part(data["name"])
    dtype = object if _is_object(values) else None
    return pandas.Series(values, index=index, name=name, dtype=dtype, copy=False)


def _read_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    values = decoder.decode_part(data["data"])
    index = pandas.Index(values, name=decoder.decode_part(data["name"]), dtype=object if _is_object(values) else None)
    if data.get("freq") and isinstance(index, (pandas.DatetimeIndex, pandas.TimedeltaIndex)):
        index.freq = data["freq"]
    return index


def _read_range_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.RangeIndex(*data["v"], name=decoder.decode_part(data["name"]))


def _read_multi_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    levels = [decoder.decode_part(level) for level in data["levels"]]
    codes = [decoder.decode_part(code) for code in data["codes"]]
    return pandas.MultiIndex(levels=levels, codes=codes, names=[decoder.decode_part(name) for name in data["names"]])


def _read_categorical(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    dtype = pandas.CategoricalDtype(decoder.decode_part(data["categories"]), ordered=bool(data["ordered"]))
    return pandas.Categorical.from_codes(decoder.decode_part(data["codes"]), dtype=dtype)


def _read_nullable(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    if data["kind"] not in _NULLABLE:
        raise ValueError("unknown kind of column")
    made = getattr(pandas.arrays, data["kind"])
    return made(decoder.decode_part(data["v"]), decoder.decode_part(data["mask"]))


def _read_zoned(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.DatetimeIndex(decoder.decode_part(data["v"])).tz_localize("UTC").tz_convert(data["tz"]).array


def _read_timestamp(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    stamp = pandas.Timestamp(data["v"]).as_unit(data["unit"])
    return stamp if data["tz"] is None else stamp.tz_localize("UTC").tz_convert(data["tz"])


def _read_period(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.PeriodIndex.from_ordinals(decoder.decode_part(data["v"]), freq=data["freq"]).array


def _read_interval(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    left, right = decoder.decode_part(data["left"]), decoder.decode_part(data["right"])
    return pandas.arrays.IntervalArray.from_arrays(left, right, closed=data["closed"])


def _read_missing(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.NaT if data["v"] == "NaT" else pandas.NA


def _read_timedelta(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.Timedelta(data["v"]).as_unit(data["unit"])


def _read_one_period(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.Period(data["v"], freq=data["freq"])


_DECODERS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "frame": _read_frame,
    "series": _read_series,
    "index": _read_index,
    "range_index": _read_range_index,
    "multi_index": _read_multi_index,
    "categorical": _read_categorical,
    "nullable": _read_nullable,
    "zoned": _read_zoned,
    "strings": _read_strings,
    "timestamp": _read_timestamp,
    "missing": _read_missing,
    "period": _read_period,
    "interval": _read_interval,
    "pandas_timedelta": _read_timedelta,
    "one_period": _read_one_period,
}
