"""What the encoder emits, the decoder accepts: a value comes back equal, or stays behind as a handle. Nothing else happens.

The property is tried with 10,000 values by ``SMOLCELL_FULL=1 pytest tests/executors/test_round_trip.py -m slow``.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

import pytest
from local_parts import through

from smolcell.worker.wire import frames, values

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
WITH_ARROW = [False, True] if pytest.importorskip("pyarrow") else [False]


def same(one: Any, two: Any) -> bool:
    """Whether two values are equal, with types and labels, where NaN equals NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, pandas.DataFrame):
        return _passes(pandas.testing.assert_frame_equal, one, two)
    if isinstance(one, pandas.Series):
        return _passes(pandas.testing.assert_series_equal, one, two)
    if isinstance(one, pandas.Index):
        return _passes(pandas.testing.assert_index_equal, one, two, exact=True)
    if isinstance(one, pandas.api.extensions.ExtensionArray):
        return _passes(pandas.testing.assert_extension_array_equal, one, two)
    if isinstance(one, numpy.ndarray) and one.dtype != object:
        return one.dtype == two.dtype and _passes(numpy.testing.assert_array_equal, one, two)
    if isinstance(one, numpy.ndarray):
        return one.shape == two.shape and same(one.reshape(-1).tolist(), two.reshape(-1).tolist())
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same([*one.items()], [*two.items()])
    return bool(one is two or one == two or (one != one and two != two))


def _passes(check: Any, *args: Any, **options: Any) -> bool:
    try:
        check(*args, **options)
    except AssertionError:
        return False
    return True


# --- frequencies, and moments far away ---

MONTHS = pandas.DateOffset(months=1)
UNNAMED = {
    "DateOffset": MONTHS,
    "custom business day": pandas.offsets.CustomBusinessDay(holidays=["2024-01-01"]),
    "business hour": pandas.offsets.BusinessHour(start="10:00"),
    "Easter": pandas.offsets.Easter(),
    "a week of no day": pandas.offsets.Week(),
    "two hours and a half": pandas.offsets.DateOffset(hours=2, minutes=30),
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", UNNAMED)
def test_a_frequency_without_a_name_is_left_out_and_the_dates_stay(name: str, trusted: bool) -> None:
    index = pandas.date_range("2024-01-30", periods=4, freq=UNNAMED[name])
    bare = index._with_freq(None)
    for value, wanted in ((index, bare), (pandas.Series(range(4), index), pandas.Series(range(4), bare))):
        back = through(value, trusted=trusted)
        assert same(back, wanted) and getattr(back, "index", back).freq is None


@pytest.mark.parametrize("freq", ["D", "B", "W-WED", "2W-SUN", "MS", "QE-FEB", "15min", "WOM-2TUE", "36h"])
def test_a_frequency_with_a_name_stays(freq: str) -> None:
    index = pandas.date_range("2024-01-30", periods=4, freq=freq, tz="Europe/Oslo")
    assert through(index).freq == index.freq


def test_a_frequency_that_this_side_does_not_know_is_left_out() -> None:
    """As with another version of pandas on the other side."""
    encoder = values.Encoder()
    encoded = encoder.encode(pandas.date_range("2024", periods=3))
    for freq in ("QUARTERLY", "7D", "<DateOffset: months=1>"):
        back = values.Decoder([b"".join(blob) for blob in encoder.blobs]).decode({**encoded, "freq": freq})
        assert list(back) == list(pandas.date_range("2024", periods=3)) and back.freq is None


FAR: dict[str, Any] = {
    "500 years": pandas.Timestamp("2024") - pandas.Timestamp("1492-10-12"),
    "a million years": pandas.Timedelta(numpy.timedelta64(10**14, "s")),
    "negative": -pandas.Timedelta(numpy.timedelta64(10**14, "ms")),
    "year 10000": pandas.Period("9999-12", "M") + 1,
    "year 30000": pandas.Timestamp(numpy.datetime64(10**12, "s")),
    "year -100": pandas.Timestamp(numpy.datetime64(-(10**11), "s")),
    "a week": pandas.Period("2024-01-01", "W"),
    "nanoseconds": pandas.Period("2024-01-01 00:00:00.123456789", "ns"),
    "months from 9999": pandas.period_range("9999-11", periods=4, freq="M"),
    "days from 9999": pandas.Series(pandas.date_range("9999-12-30", periods=4, unit="s")),
    "long spans": pandas.Series(numpy.array([0, 10**14], "m8[s]")),
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", FAR)
def test_moments_and_spans_far_from_now_come_back(name: str, trusted: bool) -> None:
    value = FAR[name]
    for given in (value, [value], {"at": value}):
        assert same(through(given, trusted=trusted), given)
    assert getattr(through(value), "unit", None) == getattr(value, "unit", None)


# --- what the decoder refuses, the encoder refuses first ---


@dataclasses.dataclass(eq=False)
class Point:
    """Its records all have one hash: a list has none."""

    at: list[int]


def nested(levels: int, wrap: Any, value: Any = 1) -> Any:
    for _ in range(levels):
        value = wrap(value)
    return value


def in_a_cell(value: Any) -> Any:
    return pandas.DataFrame({"a": pandas.Series([value], dtype=object)})


MAX_ROWS = 10_000_000
REFUSED: dict[str, Any] = {
    "keys of one hash": lambda: {2**i: i for i in range(7000)},
    "items of one hash": lambda: {2**i for i in range(7000)},
    "categories of one hash": lambda: pandas.Categorical.from_codes([0], pandas.Index([2**i for i in range(7000)])),
    "levels of one hash": lambda: pandas.MultiIndex.from_product([pandas.Index([2**i for i in range(7000)], dtype=object), [1]]),
    "a sparse column of too many rows": lambda: pandas.Series(
        pandas.arrays.SparseArray(numpy.zeros(MAX_ROWS + 1, "i1"), fill_value=0)
    ),
    "sparse columns of too many rows together": lambda: [
        pandas.Series(pandas.arrays.SparseArray(numpy.zeros(MAX_ROWS // 10), fill_value=0))
    ]
    * 40,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_host_would_refuse_is_a_handle(name: str) -> None:
    encoder = values.Encoder(arrow=True)
    found = values.encode_or_handle(encoder, [REFUSED[name]()], "it")
    assert (found["$"], encoder.blobs) == ("handle", [])


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: {"a": x}, lambda x: (x,), in_a_cell, lambda x: Point(x)])
def test_every_depth_that_is_encoded_is_decoded(wrap: Any) -> None:
    for levels in range(70):
        encoder = values.Encoder()
        try:
            encoder.encode(nested(levels, wrap))
        except values.UnencodableError:
            break
        through(nested(levels, wrap))
    assert levels > 9


def test_a_value_that_cannot_be_read_is_a_handle_that_says_so() -> None:
    many = {Point([i]) for i in range(200)}
    back = through(many, read="decode_or_handle")
    assert type(back) is values.Handle
    assert (back.repr, back.why) == ("its data cannot be read on this side", "more than 100 keys have the same hash")


# --- many small values ---

SCALARS = [
    numpy.float64(1.5),
    numpy.float64("nan"),
    numpy.float16(0.1),
    numpy.int8(-5),
    numpy.uint64(2**64 - 1),
    numpy.bool_(True),
    numpy.complex64(1 + 2j),
    numpy.str_("ü"),
    numpy.bytes_(b"a"),
    numpy.datetime64("2024-01-01T12"),
    numpy.datetime64("NaT"),
    numpy.timedelta64(5, "25s"),
    numpy.timedelta64(7),
    numpy.longdouble("1.1"),
    numpy.array([(1, 2.5)], dtype="i4,f8")[0],
]
MANY: dict[str, Any] = {
    "numpy scalars": SCALARS * 300,
    "small arrays": [numpy.arange(5)] * 2000,
    "nullable columns": pandas.DataFrame({f"c{i}": pandas.array([1, None], dtype="Int64") for i in range(125)}),
    "categorical columns": pandas.DataFrame({f"c{i}": pandas.Categorical(["a", "b"]) for i in range(300)}),
    "small tables": {i: pandas.DataFrame({"a": [i], "b": ["x"]}) for i in range(300)},
    "arrays that are not small": [numpy.zeros(10_000) for _ in range(300)],
    "small and large": [numpy.arange(3), numpy.zeros(10_000), b"x" * 2000, numpy.arange(4.0), "y" * 70_000] * 3,
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", MANY)
def test_however_many_values_there_are_they_come_back(name: str, trusted: bool) -> None:
    assert same(through(MANY[name], trusted=trusted), MANY[name])


def test_packed_arrays_can_be_written_and_are_aligned() -> None:
    one, two = through([numpy.arange(3), numpy.arange(5.0)])
    one += 1
    assert (one.tolist(), two.tolist(), two.flags.aligned) == ([1, 2, 3], [0, 1, 2, 3, 4], True)


@pytest.mark.parametrize("said", [[0, 10**9], [-1, 5], [5], [0, 1, 2], ["0", 5], [True, True], [10**9, 1], []])
def test_a_part_of_a_blob_that_was_not_sent_is_refused(said: list[Any]) -> None:
    for blobs in ([], [bytearray(200)]):
        with pytest.raises(frames.WireError):
            values.Decoder(blobs).decode({"$": "bytes", "b": said})


def test_a_value_that_stays_leaves_nothing_of_itself_in_the_frame() -> None:
    encoder = values.Encoder()
    first = encoder.encode(numpy.arange(3))
    values.encode_or_handle(encoder, [numpy.arange(9), numpy.zeros(10_000), object()])
    last = encoder.encode(numpy.arange(4))
    assert [len(blob) for blob in encoder.blobs] == [6]  # three parts each: the gap before, the header, the numbers
    decoder = values.Decoder([b"".join(encoder.blobs[0])])
    assert same([decoder.decode(first), decoder.decode(last)], [numpy.arange(3), numpy.arange(4)])
