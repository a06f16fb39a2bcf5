"""pandas across the wire, the way back: what ``tabular`` wrote, as pandas objects again.

The rules this file exists to keep:

* What is read may come from a hostile worker: names are looked up in tables, sizes are compared, Arrow is validated.
* What pandas would write out (a range, a list) is never given to it where an array is meant.
* Whatever is wrong raises; ``values.Decoder`` gives it its one name.
"""

from __future__ import annotations

from typing import Any, Callable

from . import bounds, frames, uniform
from .tabular import NULLABLE


def decode(decoder: Any, tag: Any, data: dict[str, Any]) -> Any:
    """The pandas object of a tagged part; raises KeyError for a tag nobody knows."""
    return _DECODERS[tag](decoder, data)


UNITS = ("s", "ms", "us", "ns")
MANY = 100_000  # stamps beyond which only a fixed frequency is checked: others are counted out one by one


def _array(decoder: Any, data: Any) -> Any:
    """A numpy array of one dimension."""
    import numpy

    values = decoder.decode_part(data)
    if type(values) is not numpy.ndarray or values.ndim != 1:
        raise ValueError("not an array")
    return values


def _column(decoder: Any, data: Any) -> Any:
    """The values of a column or an index."""
    import numpy
    import pandas

    values = decoder.decode_part(data)
    if isinstance(values, pandas.api.extensions.ExtensionArray):
        return values
    if type(values) is not numpy.ndarray or values.ndim != 1:
        raise ValueError("not a column")
    return values


def _index(decoder: Any, data: Any) -> Any:
    import pandas

    index = decoder.decode_part(data)
    if not isinstance(index, pandas.Index):
        raise ValueError("not an index")
    return index


def _labels(decoder: Any, data: Any) -> Any:
    """An index that pandas will write out and search: categories, levels, edges of intervals."""
    index = _index(decoder, data)
    decoder.allowance.bytes(8 * len(index))
    if index.dtype == object and not decoder.trusted:
        bounds.keys(index.array)
    return index


def _with_notes(decoder: Any, data: dict[str, Any], made: Any) -> Any:
    """A table or column with what it says about itself."""
    if data.get("unique"):
        made.flags.allows_duplicate_labels = False
    if "attrs" in data:
        attrs = decoder.decode_part(data["attrs"])
        if type(attrs) is not dict:
            raise ValueError("attrs that are no dict")
        made.attrs = attrs
    return made


def _read_frame(decoder: Any, data: dict[str, Any]) -> Any:
    return _with_notes(decoder, data, _frame(decoder, data))


def _frame(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    index, columns = _index(decoder, data["index"]), _index(decoder, data["columns"])
    parts = data["parts"]
    if sum(len(part["at"]) for part in parts) != len(columns):
        raise ValueError("the table's columns are not what its head says")
    if not parts and len(index) > bounds.MANY_ROWS and not decoder.trusted:
        raise ValueError("a table without columns that has so many rows")
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
        table = frames.read_table(decoder, part, "table")
        return [
            (at, _from_arrow(decoder, table.column(place), dtype))
            for place, (at, dtype) in enumerate(zip(part["at"], part["dtypes"]))
        ]
    values = _column(decoder, part["data"])
    return [(part["at"][0], pandas.Series(values, dtype=object) if _is_object(values) else values)]


def _is_object(values: Any) -> bool:
    return type(values).__module__ == "numpy" and values.dtype.hasobject


def _from_arrow(decoder: Any, column: Any, dtype: list[str]) -> Any:
    import pandas

    if dtype[0] == "string":
        if str(column.type) not in ("string", "large_string"):  # not views: many rows of them may show one long text
            raise ValueError("a column of strings that holds something else")
        decoder.allowance.bytes(bounds.CELL * len(column))
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
        return _from_arrow(decoder, frames.read_table(decoder, data, "table").column(0), data["dtype"])
    texts = [decoder.decode_part(item) for item in data["v"]]
    if not all(item is None or type(item) is str for item in texts):
        raise ValueError("a column of strings that holds something else")
    items = numpy.array(texts, dtype=object)
    return pandas.array(items, dtype=_string_dtype(data["dtype"]))


def _read_series(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    values = _column(decoder, data["data"])
    index, name = _index(decoder, data["index"]), decoder.decode_part(data["name"])
    if len(index) != len(values):
        raise ValueError("a series whose index is of another length")
    dtype = object if _is_object(values) else None
    made = pandas.Series(values, index=index, name=name, dtype=dtype, copy=False)
    return _with_notes(decoder, data, made)


def _read_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    values = _column(decoder, data["data"])
    index: Any = pandas.Index(
        values, name=decoder.decode_part(data["name"]), dtype=object if _is_object(values) else None
    )
    if data.get("freq") and isinstance(index, (pandas.DatetimeIndex, pandas.TimedeltaIndex)):
        stamps: Any = index
        freq: Any = pandas.tseries.frequencies.to_offset(bounds.text(data["freq"]))
        if len(index) <= MANY or isinstance(freq, pandas.offsets.Tick):
            stamps.freq = freq  # checked by pandas against the values
    return index


def _read_range_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    start, stop, step = data["v"]
    return pandas.RangeIndex(start, stop, step, name=decoder.decode_part(data["name"]))


def _read_multi_index(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    levels = [_labels(decoder, level) for level in data["levels"]]
    codes = [_array(decoder, code) for code in data["codes"]]
    return pandas.MultiIndex(levels=levels, codes=codes, names=[decoder.decode_part(name) for name in data["names"]])


def _read_categorical(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    dtype = pandas.CategoricalDtype(_labels(decoder, data["categories"]), ordered=bool(data["ordered"]))
    return pandas.Categorical.from_codes(_array(decoder, data["codes"]), dtype=dtype)


def _read_nullable(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    if data["kind"] not in NULLABLE:
        raise ValueError("unknown kind of column")
    made = getattr(pandas.arrays, data["kind"])
    return made(_array(decoder, data["v"]), _array(decoder, data["mask"]))


def _read_zoned(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    naive = pandas.DatetimeIndex(_array(decoder, data["v"]))
    return naive.tz_localize("UTC").tz_convert(bounds.zone(data["tz"])).array


def _read_timestamp(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    stamp = pandas.Timestamp(bounds.text(data["v"])).as_unit(_unit(data))
    return stamp if data["tz"] is None else stamp.tz_localize("UTC").tz_convert(bounds.zone(data["tz"]))


def _unit(data: dict[str, Any]) -> Any:
    return UNITS[UNITS.index(data["unit"])]


def _read_period(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    maker: Any = pandas.PeriodIndex
    return maker.from_ordinals(_array(decoder, data["v"]), freq=bounds.text(data["freq"])).array


def _read_interval(decoder: Any, data: dict[str, Any]) -> Any:
    import pandas

    left, right = _labels(decoder, data["left"]), _labels(decoder, data["right"])
    return pandas.arrays.IntervalArray.from_arrays(left, right, closed=data["closed"])


def _read_sparse(decoder: Any, data: dict[str, Any]) -> Any:
    import numpy
    import pandas

    stored, places, rows = _array(decoder, data["v"]), _array(decoder, data["at"]), data["rows"]
    if type(rows) is not int or not 0 <= rows <= bounds.MANY_ROWS or places.dtype != numpy.int32:
        raise ValueError("not a sparse column")
    decoder.allowance.bytes(rows * stored.dtype.itemsize)
    fill = decoder.decode_part(data["fill"])
    whole = numpy.full(rows, fill, dtype=stored.dtype)
    whole[places] = stored
    return pandas.arrays.SparseArray(whole, fill_value=fill, kind="block" if data["kind"] == "block" else "integer")


def _read_missing(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.NaT if data["v"] == "NaT" else pandas.NA


def _read_timedelta(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.Timedelta(bounds.text(data["v"])).as_unit(_unit(data))


def _read_one_period(_: Any, data: dict[str, Any]) -> Any:
    import pandas

    return pandas.Period(bounds.text(data["v"]), freq=bounds.text(data["freq"]))


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
    "sparse": _read_sparse,
    "uniform": uniform.decode,
    "interval": _read_interval,
    "pandas_timedelta": _read_timedelta,
    "one_period": _read_one_period,
}
