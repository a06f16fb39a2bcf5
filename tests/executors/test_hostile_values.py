"""Values that a hostile worker writes to cost the host time or memory are refused by name, soon, and small."""

from __future__ import annotations

import decimal
import io
import resource
from typing import Any

import pytest
from examples import quick
from local_parts import through

from smolcell.worker.wire import bounds, frames, values

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

T = "$"
P = 2**61 - 1  # ints that differ by a multiple of it have one hash


def span(stop: int) -> dict[str, Any]:
    return {T: "range_index", "v": [0, stop, 1], "name": None}


def png(side: int) -> bytes:
    from PIL import Image

    data = io.BytesIO()
    Image.new("1", (side, side)).save(data, "PNG")
    return data.getvalue()


def stream(table: Any, compression: str | None = None) -> bytes:
    sink = pyarrow.BufferOutputStream()
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    with pyarrow.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def npy(array: Any) -> bytes:
    encoder = values.Encoder()
    encoder.encode(array)
    return b"".join(encoder.blobs[0])  # type: ignore[arg-type]


ZEROS = pyarrow.table({"0": [b"\0" * (1 << 20)]})
WORDS = pyarrow.table({"0": pyarrow.array(["a", "b"]).dictionary_encode()})
FOREVER = pyarrow.table({"0": pyarrow.nulls(1 << 30)})
ONE = npy(numpy.zeros(1, "i8"))
SERIES = {T: "series", "data": {T: "array", "b": 0}, "index": span(1), "name": None}
FAR = 10**13  # seconds: the year 318857
ZONED = {T: "zoned", "v": {T: "array", "b": 0}, "tz": "Europe/Berlin"}
LATE = {T: "timestamp", "v": "9999-12-31T23:59:59", "unit": "s", "tz": "Asia/Tokyo"}
EARLY = {T: "timestamp", "v": "0001-01-01T00:00:00", "unit": "s", "tz": "America/New_York"}
ARROW = {T: "strings", "table": 0, "dtype": ["arrow"]}


def column(kind: Any, value: int) -> bytes:
    return stream(pyarrow.table({"0": pyarrow.array([value], kind)}))


DATES: dict[str, tuple[Any, list[bytes]]] = {
    "late": (LATE, []),
    "early": (EARLY, []),
    "zoned": (ZONED, [npy(numpy.array([0, FAR], "M8[s]"))]),
    "zoned, beyond all years": (ZONED, [npy(numpy.array([10**17], "M8[s]"))]),
    "index": ({T: "index", "data": ZONED, "name": None}, [npy(numpy.array([-FAR], "M8[s]"))]),
    "Arrow": (ARROW, [column(pyarrow.timestamp("s"), FAR)]),
    "Arrow in a zone": (ARROW, [column(pyarrow.timestamp("s", tz="Europe/Berlin"), FAR)]),
    "Arrow in no zone": (ARROW, [column(pyarrow.timestamp("s", tz="No/Where"), 1)]),
    "Arrow's days": (ARROW, [column(pyarrow.date32(), 2**31 - 1)]),
    "objects": ({T: "uniform", "table": 0, "kind": "date32", "lists": False}, [column(pyarrow.date32(), 2**31 - 1)]),
}


@pytest.mark.parametrize("name", DATES)
def test_a_date_that_cannot_be_written_out_is_refused_by_the_decoder(name: str) -> None:
    data, blobs = DATES[name]
    with pytest.raises(frames.FrameError):
        values.Decoder(blobs).decode(data)


def test_dates_that_the_host_would_refuse_stay_in_the_sandbox() -> None:
    far = pandas.DatetimeIndex(numpy.array([0, FAR], "M8[s]")).tz_localize("UTC").tz_convert("Europe/Berlin")
    arrow = pandas.arrays.ArrowExtensionArray(pyarrow.array([FAR], pyarrow.timestamp("s")))
    for value in (far, pandas.Series(far), pandas.Series(arrow), pandas.DataFrame({"a": arrow})):
        with pytest.raises(values.UnencodableError, match="a date that cannot be written out"):
            values.Encoder(arrow=True).encode(value)


def test_dates_far_from_now_pass() -> None:
    far = pandas.Series(pandas.DatetimeIndex(["0001-01-02", None, "9999-12-30"]).as_unit("s").tz_localize("UTC"))
    pandas.testing.assert_series_equal(through(far), far)
    none = far[:0]
    pandas.testing.assert_series_equal(through(none), none)


NUMBER, ZONE = pyarrow.int64(), pyarrow.timestamp("s", "UTC")
VIEWS = [pyarrow.list_view(NUMBER), pyarrow.large_list_view(NUMBER), pyarrow.string_view(), pyarrow.binary_view()]
ODD = [
    *VIEWS,
    pyarrow.sparse_union([pyarrow.field("a", NUMBER)]),
    pyarrow.dense_union([]),
    pyarrow.run_end_encoded(pyarrow.int32(), ZONE),
    pyarrow.dictionary(pyarrow.int32(), pyarrow.opaque(NUMBER, "a", "b")),
    pyarrow.opaque(pyarrow.dictionary(pyarrow.int32(), NUMBER), "a", "b"),
    pyarrow.opaque(ZONE, "a", "b"),
    pyarrow.struct([]),
]
AROUND: dict[str, Any] = {
    "bare": lambda kind: kind,
    "struct": lambda kind: pyarrow.struct([("a", NUMBER), ("b", kind)]),
    "list": pyarrow.list_,
    "large_list": pyarrow.large_list,
    "fixed_size_list": lambda kind: pyarrow.list_(kind, 2),
    "list_view": pyarrow.list_view,
    "key": lambda kind: pyarrow.map_(kind, NUMBER),
    "item": lambda kind: pyarrow.map_(NUMBER, kind),
    "dictionary": lambda kind: pyarrow.dictionary(pyarrow.int32(), kind),
    "run_end_encoded": lambda kind: pyarrow.run_end_encoded(pyarrow.int32(), kind),
    "union": lambda kind: pyarrow.sparse_union([pyarrow.field("a", kind)]),
    "extension": lambda kind: kind if isinstance(kind, pyarrow.OpaqueType) else pyarrow.opaque(kind, "a", "b"),
    "deep": lambda kind: pyarrow.list_(pyarrow.struct([("a", pyarrow.map_(NUMBER, pyarrow.list_(kind)))])),
}


def empty(**kinds: Any) -> Any:
    return pyarrow.table({name: pyarrow.chunked_array([], kind) for name, kind in kinds.items()})


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", ODD, ids=str)
def test_a_table_of_a_type_that_arrow_itself_fails_on_does_not_come_back(kind: Any, around: str) -> None:
    """Also without a row: Arrow aborts the process in ``to_pandas`` of an empty column of lists that are views."""
    table = empty(a=NUMBER, c=AROUND[around](kind))
    with pytest.raises(frames.FrameError, match=r"values of type .* are not data"):
        values.Decoder([stream(table)]).decode({T: "arrow", "b": 0})
    with pytest.raises(values.UnencodableError, match=r"column 'c': .* are not data"):
        values.Encoder(arrow=True).encode(table)


def test_a_column_of_pandas_of_such_a_type_is_named() -> None:
    odd = pandas.Series(["a"], dtype=pandas.ArrowDtype(pyarrow.string_view()))
    with pytest.raises(values.UnencodableError, match=r"column 'odd': .* are not data"):
        values.Encoder(arrow=True).encode(pandas.DataFrame({"plain": [1], "odd": odd}))
    with pytest.raises(values.UnencodableError, match="are not data"):
        values.Encoder(arrow=True).encode(odd)


SENT = [
    *(pyarrow.null(), pyarrow.bool_(), NUMBER, pyarrow.float16(), pyarrow.decimal128(5, 2), pyarrow.decimal256(50, 2)),
    *(pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary(3)),
    *(pyarrow.date32(), pyarrow.date64(), pyarrow.time32("s"), pyarrow.time64("ns"), ZONE, pyarrow.duration("ms")),
    *(pyarrow.month_day_nano_interval(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), pyarrow.uuid()),
]


@pytest.mark.parametrize("around", ["bare", "struct", "list", "large_list", "fixed_size_list", "item", "deep"])
def test_every_plain_type_of_arrow_is_sent(around: str) -> None:
    table = empty(**{str(kind): AROUND[around](kind) for kind in SENT})
    assert through(table).equals(table)


BOMBS: dict[str, tuple[Any, list[bytes]]] = {
    "fraction as text": ({T: "fraction", "v": "1e300000000"}, []),
    "fraction over zero": ({T: "fraction", "v": ["0x1", "0x0"]}, []),
    "decimal": ({T: "decimal", "v": "1e999999999"}, []),
    "int": ({T: "int", "v": "0x" + "1" * 1_000_000}, []),
    "complex": ({T: "complex", "v": ["1" * 1000, "0"]}, []),
    "columns": ({T: "frame", "index": span(1), "columns": span(10**8), "parts": []}, []),
    "rows": ({T: "frame", "index": span(10**9), "columns": span(0), "parts": []}, []),
    "series over a range": ({**SERIES, "data": {T: "range", "v": [0, 4 * 10**8, 1]}, "index": span(4 * 10**8)}, []),
    "series with a long index": ({**SERIES, "index": span(4 * 10**8)}, [ONE]),
    "index over a range": ({T: "index", "data": {T: "range", "v": [0, 4 * 10**8, 1]}, "name": None}, []),
    "codes over a range": (
        {T: "categorical", "codes": {T: "range", "v": [0, 4 * 10**8, 1]}, "categories": span(9), "ordered": False},
        [],
    ),
    "categories": (
        {T: "categorical", "codes": {T: "array", "b": 0}, "categories": span(10**9), "ordered": False},
        [ONE],
    ),
    "intervals": ({T: "interval", "left": span(10**9), "right": span(10**9), "closed": "left"}, []),
    "one blob often": ([{T: "bytes", "b": 0}] * 400, [bytes(10 << 20)]),
    "one image often": ([{T: "image", "b": 0}] * 60, [png(5000)]),
    "one large image": ({T: "image", "b": 0}, [png(7100)]),
    "compressed Arrow": ({T: "arrow", "b": 0}, [stream(ZEROS, "zstd")]),
    "compressed dictionary": ({T: "arrow", "b": 0}, [stream(WORDS, "lz4")]),
    "rows of nothing": ({T: "arrow", "b": 0}, [stream(FOREVER)]),
    "views": ({T: "strings", "table": 0, "dtype": ["string", "python", "nan"]}, [stream(ZEROS)]),
    "set of one hash": ({T: "set", "v": [{T: "int", "v": hex(P * n)} for i in [0] for n in range(40_000)]}, []),
    "dict of one hash": (
        {T: "dict", "v": [part for n in range(40_000) for part in ({T: "int", "v": hex(P * n)}, 1)]},
        [],
    ),
    "parts": ([[]] * (bounds.MAX_NODES + 1), []),
    "zone as a path": ({T: "datetime", "v": "2020-01-01", "tz": "/etc/localtime", "fold": 0}, []),
    "zone of another scheme": ({T: "timestamp", "v": "2020-01-01", "unit": "ns", "tz": "dateutil//etc/passwd"}, []),
    "zone above": ({T: "zoned", "v": {T: "array", "b": 0}, "tz": "../x"}, [npy(numpy.zeros(1, "M8[ns]"))]),
    "long frequency": ({T: "one_period", "v": "2020", "freq": "A" * 1000}, []),
}


@pytest.mark.parametrize("name", quick(BOMBS, *BOMBS.keys() - {"parts"}))
def test_a_bomb_is_refused_soon_and_small(name: str) -> None:
    data, blobs = BOMBS[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(frames.FrameError):
        values.Decoder(blobs).decode(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 700 << 10


@pytest.mark.parametrize(
    "data",
    [
        b"[" + b"[]," * 3_000_000 + b"[]]",
        b"[" + b"1," * 5_000_000 + b"1]",
        b'"' + b"x" * (33 << 20) + b'"',
        pytest.param(b"[" + rb'"\\",[],' * 2_100_000 + b"1]", marks=pytest.mark.slow),
    ],
    ids=["lists", "numbers", "long", "behind strings"],
)
def test_json_of_too_many_parts_is_refused_before_it_is_read(data: bytes) -> None:
    with pytest.raises(frames.FrameError, match=r"^JSON of"):
        values.read_json(data)


def test_json_may_hold_commas_in_its_texts() -> None:
    text = ',[{"\\' * 1_000_000
    assert values.read_json(frames.dumps({"outputs": [{"text/html": text}]}))["outputs"][0]["text/html"] == text


def test_a_handle_is_short_and_visible() -> None:
    from smolcell.core.text import visible

    data = {T: "handle", "name": "x" * (50 << 20), "type": "\x1b[2J", "repr": "\x1b[2J" * 10_000}
    handle = values.Decoder([], show=visible).decode(data)
    assert len(handle.name) == 200
    assert "\x1b" not in handle.type + handle.repr
    assert len(handle.repr) < 50_000


@pytest.mark.slow
def test_large_honest_values_pass() -> None:
    from PIL import Image

    numbers = pandas.DataFrame(numpy.ones((1_250_000, 10)))
    pandas.testing.assert_frame_equal(through(numbers), numbers)
    rows = 1_000_000
    mixed = pandas.DataFrame(
        {
            "n": numpy.arange(rows),
            "s": pandas.array([f"row {n}" for n in range(rows)], dtype="string[pyarrow]"),
            "c": pandas.Categorical.from_codes(numpy.arange(rows, dtype="i4") % 3, ["a", "b", "c"]),
            "t": pandas.date_range("2020-01-01", periods=rows, freq="s", tz="Europe/Berlin"),
        }
    )
    pandas.testing.assert_frame_equal(through(mixed), mixed)
    assert through(Image.new("RGB", (2000, 2000))).size == (2000, 2000)
    assert through("x" * 40_000_000) == "x" * 40_000_000
    assert through(set(range(100_000))) == set(range(100_000))
    assert through(decimal.Decimal("-1.50")) == decimal.Decimal("-1.50")


@pytest.mark.parametrize("value", [10**200_000, decimal.Decimal("1e999999")], ids=["int", "decimal"])
def test_what_the_host_would_refuse_stays_in_the_sandbox(value: Any) -> None:
    with pytest.raises(values.UnencodableError):
        values.Encoder().encode(value)


def test_many_large_images_stay_in_the_sandbox() -> None:
    from PIL import Image

    with pytest.raises(values.UnencodableError, match="pixels"):
        values.Encoder().encode([Image.new("1", (7000, 7000))] * 60)
