"""pandas across the wire: frames, series, indexes and their scalars.

The rules this file exists to keep:

* What arrives has the index, column labels, dtypes and missing values of what was sent; or the column is named in an error.
* Columns of one numpy dtype travel together as one array (no copy where pandas keeps them together).
* Strings, and objects of one kind, travel as Arrow where both sides have pyarrow, else as JSON; nothing is pickled.
"""

from __future__ import annotations

from typing import Any, Callable

from . import bounds, frames, uniform
from .frames import TAG

NULLABLE = ("IntegerArray", "FloatingArray", "BooleanArray")


def _no(reason: str) -> Exception:
    from .values import UnencodableError

    return UnencodableError(reason)


def encode(encoder: Any, value: Any, depth: int) -> dict[str, Any] | None:
    """A pandas object as tagged JSON and blobs; None when it is none that is known."""
    import pandas

    kind = type(value)
    if kind is pandas.DataFrame:
        return {**_frame(encoder, value, depth), **_notes(encoder, value, depth)}
    if kind is pandas.Series:
        data = _named(encoder, value.name, value.array, depth)
        name = encoder.encode_part(value.name, depth - 1)
        found = {TAG: "series", "name": name, "index": _index(encoder, value.index, depth), "data": data}
        return {**found, **_notes(encoder, value, depth)}
    if isinstance(value, pandas.Index):
        return _index(encoder, value, depth)
    return _scalar(value)


def _notes(encoder: Any, value: Any, depth: int) -> dict[str, Any]:
    """What a table or column says about itself."""
    from .values import UnencodableError

    found: dict[str, Any] = {} if value.flags.allows_duplicate_labels else {"unique": True}
    if value.attrs:
        try:
            found["attrs"] = encoder.encode_part(dict(value.attrs), depth - 1)
        except UnencodableError as error:
            raise UnencodableError(f"attrs: {error}") from None
    return found


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
    if not frame.shape[1] and len(frame) > bounds.MANY_ROWS and not encoder.trusted:
        raise _no("a table without columns that has so many rows is not data")
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
    encoder.charge(len(frame) * len(places) * bounds.CELL // 2)
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
        plain = _plain_array(values)
        found = uniform.encode(encoder, plain) if plain.dtype == object and plain.ndim == 1 else None
        found = found or frames.encode(encoder, plain, depth)
        if found is not None:
            return found
    if _is_arrow_friendly(values.dtype):
        return _strings(encoder, values)
    raise _no(f"values of type {values.dtype} are not data")


def _strings(encoder: Any, values: Any) -> dict[str, Any]:
    dtype = _dtype_text(values.dtype)
    if encoder.arrow:
        import pyarrow

        encoder.charge(len(values) * bounds.CELL // 2)
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


def _sparse(encoder: Any, values: Any, depth: int) -> dict[str, Any]:
    return {
        TAG: "sparse",
        "v": frames.encode(encoder, _plain_array(values.sp_values), depth),
        "at": frames.encode(encoder, _plain_array(values.sp_index.indices), depth),
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
