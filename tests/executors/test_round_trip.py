"""What the encoder emits, the decoder accepts: a value comes back equal, or stays behind as a handle. Nothing else happens.

The property is tried with 10,000 values by ``SMOLCELL_FULL=1 pytest tests/executors/test_round_trip.py -m slow``.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import datetime
import decimal
import functools
import io
import pathlib
import sqlite3
import time
import types
import warnings
import zoneinfo
from typing import Any

import pytest
from examples import examples
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy
from local_parts import through

from smolcell.worker.wire import frames, values

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
polars_strategies = pytest.importorskip("polars.testing.parametric")


def same(one: Any, two: Any) -> bool:  # noqa: C901 - one line for each kind
    """Whether two values are equal, with types and labels, where NaN equals NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, pandas.DataFrame):
        if object not in one.dtypes.to_list():
            return _passes(pandas.testing.assert_frame_equal, one, two, check_freq=False)
        return same(one.columns, two.columns) and all(
            same(one.iloc[:, at], two.iloc[:, at]) for at in range(one.shape[1])
        )
    if isinstance(one, pandas.Series) and one.dtype == object:
        return same([one.index, one.name, one.dtype, one.tolist()], [two.index, two.name, two.dtype, two.tolist()])
    if isinstance(one, pandas.Series):
        return _passes(pandas.testing.assert_series_equal, one, two, check_freq=False)
    if isinstance(one, pandas.Index):
        with warnings.catch_warnings():  # pandas 3.1 will compare frequencies, too
            warnings.simplefilter("ignore")
            return _passes(pandas.testing.assert_index_equal, one, two, exact=True)
    if isinstance(one, pandas.api.extensions.ExtensionArray):
        return _passes(pandas.testing.assert_extension_array_equal, one, two)
    if isinstance(one, (numpy.ndarray, numpy.generic)) and one.dtype.kind == "V":
        return (one.dtype, one.shape, one.tobytes()) == (two.dtype, two.shape, two.tobytes())
    if isinstance(one, numpy.ndarray) and one.dtype != object:
        return one.dtype == two.dtype and _passes(numpy.testing.assert_array_equal, one, two)
    if isinstance(one, numpy.ndarray):
        return one.shape == two.shape and same(one.reshape(-1).tolist(), two.reshape(-1).tolist())
    if hasattr(one, "to_arrow"):  # of polars
        return one.equals(two, null_equal=True) and getattr(one, "schema", None) == getattr(two, "schema", None)
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, (type({}.keys()), type({}.values()), type({}.items()))):
        return same([*one], [*two])
    if isinstance(one, dict):
        return same([*one.items()], [*two.items()])
    if isinstance(one, (set, frozenset)):
        return len(one) == len(two) and same(sorted(one, key=repr), sorted(two, key=repr))
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
    "levels of one hash": lambda: pandas.MultiIndex.from_product(
        [pandas.Index([2**i for i in range(7000)], dtype=object), [1]]
    ),
    "a sparse column of too many rows": lambda: pandas.Series(
        pandas.arrays.SparseArray(numpy.zeros(MAX_ROWS + 1, "i1"), fill_value=0)
    ),
    "sparse columns of too many rows together": lambda: (
        [pandas.Series(pandas.arrays.SparseArray(numpy.zeros(MAX_ROWS // 10), fill_value=0))] * 40
    ),
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
        with pytest.raises(frames.FrameError):
            values.Decoder(blobs).decode({"$": "bytes", "b": said})


def test_a_value_that_stays_leaves_nothing_of_itself_in_the_frame() -> None:
    encoder = values.Encoder()
    first = encoder.encode(numpy.arange(3))
    values.encode_or_handle(encoder, [numpy.arange(9), numpy.zeros(10_000), object()])
    last = encoder.encode(numpy.arange(4))
    assert [len(blob) for blob in encoder.blobs] == [6]  # three parts each: the gap before, the header, the numbers
    decoder = values.Decoder([b"".join(encoder.blobs[0])])
    assert same([decoder.decode(first), decoder.decode(last)], [numpy.arange(3), numpy.arange(4)])


# --- containers that are no Series ---

TEXTS = pandas.Series(["Oslo", "Rome", "Oslo", None])
ARRAYS: dict[str, Any] = {
    "unique texts": TEXTS.unique(),
    "texts": TEXTS.array,
    "values": pandas.DataFrame({"city": TEXTS})["city"].values,
    "labels": pandas.DataFrame({"a": [1], "b": [2]}).columns.values,
    "cut": pandas.cut([1, 5, 9], 3),
    "by key": {key: group.unique() for key, group in TEXTS.groupby([1, 1, 2, 2])},
    "nullable": pandas.array([1, None, 3], dtype="Int8"),
    "numbers": pandas.array([1.5, 2], dtype="float64") if pandas.__version__ < "3" else pandas.Series([1.5, 2]).array,
    "objects": pandas.Series([1, "a", None], dtype=object).array,
    "dates": pandas.date_range("2024", periods=3).array,
    "spans": pandas.to_timedelta([1, 2], unit="h").array,
    "zoned": pandas.date_range("2024", periods=3, tz="Europe/Oslo").array,
    "periods": pandas.period_range("2024", periods=3, freq="Q").array,
    "sparse": pandas.arrays.SparseArray([0, 0, 1]),
    "arrow": pandas.array(["a", None], dtype="string[pyarrow]"),
    "python": pandas.array(["a", None], dtype="string[python]"),
    "none": TEXTS.array[:0],
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", ARRAYS)
def test_extension_arrays_cross_as_their_series_do(name: str, trusted: bool) -> None:
    for value in (ARRAYS[name], [ARRAYS[name]]):
        for arrow in (False, True):
            assert same(through(value, arrow=arrow, trusted=trusted), value)


# --- what is equal to data ---

ITEMS = collections.namedtuple("ITEMS", "a b")
TABLE = pandas.DataFrame({"city": TEXTS, "n": range(4), "when": pandas.date_range("2024", periods=4, tz="UTC")})
CELLS = {
    "dtypes": lambda: TABLE.dtypes,
    "overview": lambda: pandas.DataFrame({"dtype": TABLE.dtypes, "missing": TABLE.isna().sum()}),
    "interval": lambda: pandas.cut([1, 5, 9], 3).value_counts().idxmax(),
    "intervals": lambda: [pandas.Interval(0, 1.5, "left"), pandas.Interval(*TABLE["when"][:2])],
    "describe": lambda: TABLE.assign(bin=pandas.cut(TABLE["n"], 2)).describe(include="all"),
    "dtype of each kind": lambda: [
        *(numpy.dtype(kind) for kind in ("f4", "O", "U3", "M8[ns]", "i4,f8", ">i2", "?", "V5")),
        pandas.CategoricalDtype(["b", "a"], ordered=True),
        pandas.DatetimeTZDtype("us", "Europe/Oslo"),
        pandas.PeriodDtype("M"),
        pandas.IntervalDtype("int64", "left"),
        pandas.SparseDtype("float64"),
        pandas.Int16Dtype(),
        pandas.BooleanDtype(),
        pandas.StringDtype("python"),
        TABLE["city"].dtype,
    ],
    "Counter": lambda: collections.Counter("aab"),
    "OrderedDict": lambda: collections.OrderedDict(b=1, a=[2]),
    "defaultdict": lambda: collections.defaultdict(list, {"a": [1]}),
    "read-only": lambda: types.MappingProxyType({"a": 1}),
    "deque": lambda: collections.deque([1, [2]]),
    "keys": lambda: {"b": 1, "a": 2}.keys(),
    "items": lambda: {"b": [1], "a": 2}.items(),
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", CELLS)
def test_types_and_intervals_and_what_is_equal_to_data_are_data(name: str, trusted: bool) -> None:
    value = CELLS[name]()
    for given in (value, [value]):
        for arrow in (False, True):
            assert same(through(given, arrow=arrow, trusted=trusted), given)


class Text(str):
    """As Beautiful Soup's texts."""


class Bunch(dict[str, Any]):
    """As scikit-learn's: its items are its attributes, and its ``dir`` lists only these."""

    def __dir__(self) -> list[str]:
        return [*self]

    def __iter__(self) -> Any:
        raise ZeroDivisionError


class Unlike(list[Any]):
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


SUBCLASSES = {
    "groups": lambda: (TABLE.groupby("city").groups, dict(TABLE.groupby("city").groups)),
    "names": lambda: (pandas.Index([1], name="a").names, ["a"]),
    "counts": lambda: (type("C", (collections.Counter,), {})("aab"), {"a": 2, "b": 1}),
    "dict": lambda: (Bunch(a=[1]), {"a": [1]}),
    "text": lambda: ([Text("a")], ["a"]),
    "tuple": lambda: (type("Size", (tuple,), {})([1, 2]), (1, 2)),
    "numbers": lambda: ([type("N", (int,), {})(5), type("F", (float,), {})(5.5)], [5, 5.5]),
    "sets": lambda: ([type("S", (set,), {})([5]), type("F", (frozenset,), {})([5])], [{5}, frozenset({5})]),
    "bytes": lambda: (type("B", (bytes,), {})(b"a"), b"a"),
    "keys of an ordered one": lambda: (collections.OrderedDict(b=1).keys(), {"b": 1}.keys()),
    "items of an ordered one": lambda: (collections.OrderedDict(b=1).items(), {"b": 1}.items()),
}


@pytest.mark.parametrize("name", SUBCLASSES)
def test_a_value_of_a_subclass_is_what_it_is_equal_to(name: str) -> None:
    value, wanted = SUBCLASSES[name]()
    assert same(through(value), wanted)


def test_a_value_of_a_subclass_that_is_equal_to_nothing_stays() -> None:
    for value in (Unlike(), type("C", (dict,), {"__eq__": lambda self, other: False})()):
        with pytest.raises(values.UnencodableError):
            through(value)


def test_values_of_a_dict_come_back_as_such() -> None:
    values_of = {"b": [1], "a": [1]}.values()
    back = through(values_of)
    assert (type(back), list(back)) == (type(values_of), [[1], [1]])


def test_a_defaultdict_keeps_what_python_itself_makes_new_items_with() -> None:
    for factory in (int, list, dict, set, str, float, None):
        assert through(collections.defaultdict(factory, a=1)).default_factory is factory
    own = collections.defaultdict(lambda: 5, a=1)
    for trusted in (False, True):
        assert (through(own, trusted=trusted), through(own, trusted=trusted).default_factory) == ({"a": 1}, None)


def named_tuples() -> dict[str, Any]:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row = connection.execute("select 1 as n, 'x' as text, count(*), 5 as n").fetchone()
    connection.close()
    return {
        "namedtuple": (ITEMS(1, [2]), "ITEMS(a=1, b=[2])"),
        "row of a table": (next(TABLE[["n", "city"]].itertuples()), "Pandas(Index=0, n=0, city='Oslo')"),
        "time": (time.gmtime(0), "struct_time(tm_year=1970, tm_mon=1, "),
        "database": (row, "Row(n=1, text='x', count(*)=1, n=5)"),
    }


@pytest.mark.parametrize("name", named_tuples())
def test_tuples_with_names_are_tuples_with_names(name: str) -> None:
    value, shown = named_tuples()[name]
    back = through(value)
    assert (back, repr(back).startswith(shown)) == (tuple(value), True)
    assert same(through(back), back) and same(copy.deepcopy(back), back)
    if name == "database":
        assert (back["count(*)"], back["n"], back.keys(), back.text) == (1, 1, ["n", "text", "count(*)", "n"], "x")
    elif name == "namedtuple":
        assert (back.a, back.b, back._fields, back._asdict()) == (1, [2], ("a", "b"), {"a": 1, "b": [2]})
    with pytest.raises(AttributeError, match="nothing"):
        _ = back.nothing


def test_a_tuple_with_names_goes_in_as_its_class_if_that_is_known_there() -> None:
    assert same(through(ITEMS(1, 2), trusted=True), ITEMS(1, 2))


@pytest.mark.parametrize(
    "lie",
    [
        {"names": ["a"]},
        {"names": ["a", 5]},
        {"names": 5},
        {"v": 5},
        {"type": 5},
    ],
)
def test_names_that_do_not_fit_are_refused(lie: dict[str, Any]) -> None:
    with pytest.raises(frames.FrameError):
        values.Decoder([]).decode({"$": "row", "type": "T", "names": ["a", "b"], "v": [1, 2], **lie})


@pytest.mark.parametrize("kind", ["Counter", "defaultdict", "dict_keys", "dict_items", "mappingproxy"])
@pytest.mark.parametrize("said", [5, "ab", [[[1]]], [{"$": "range", "v": [0, 10**9, 1]}]])
def test_what_is_said_to_be_equal_to_data_is_checked(kind: str, said: Any) -> None:
    with pytest.raises(frames.FrameError):
        values.Decoder([]).decode({"$": "alike", "type": kind, "v": said})


# --- time zones of other libraries ---


class Own(datetime.tzinfo):
    """A zone of a program's own."""

    def utcoffset(self, when: Any) -> Any:
        return None if when is None else datetime.timedelta(hours=3)

    def dst(self, when: Any) -> Any:
        return None


def zones() -> dict[str, Any]:
    from dateutil import tz

    found = {
        "offset of dateutil": tz.tzoffset(None, 7200),
        "named offset of dateutil": tz.tzoffset("CEST", 7200),
        "UTC of dateutil": tz.UTC,
        "zone of dateutil": tz.gettz("Europe/Oslo"),
        "local": tz.tzlocal(),
        "named offset": datetime.timezone(datetime.timedelta(hours=2), "CEST"),
        "odd offset": datetime.timezone(datetime.timedelta(hours=-2, minutes=-3, seconds=-4)),
        "zone without a key": zoneinfo.ZoneInfo.from_file(io.BytesIO(OSLO)),
        "own": Own(),
    }
    with contextlib.suppress(ImportError):
        import pytz

        more = {name: pytz.timezone(name) for name in ("Europe/Oslo", "UTC", "Etc/GMT+5")}
        found |= {**{f"pytz {name}": zone for name, zone in more.items()}, "pytz offset": pytz.FixedOffset(150)}
    return found


OSLO = next(
    (path / "Europe/Oslo").read_bytes()
    for path in map(pathlib.Path, zoneinfo.TZPATH)
    if (path / "Europe/Oslo").exists()
)
NO_NAME = ("zone without a key", "own")
BROKEN = ("zone of dateutil",) if pandas.__version__ < "3" else ()  # pandas itself fails
MOMENTS = ["2024-05-01T12:00", "2024-01-01T00:00", "2024-10-27T02:30", "2024-03-31T02:30"]


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", zones())
def test_moments_in_zones_of_other_libraries_stay_the_same_moments(name: str, trusted: bool) -> None:
    zone = zones()[name]
    for text in MOMENTS:
        for fold in (0, 1):
            naive = datetime.datetime.fromisoformat(text)
            whens = [naive.replace(tzinfo=zone, fold=fold)]
            if name not in NO_NAME and name not in BROKEN:
                whens.append(pandas.Timestamp(whens[0]))
            if hasattr(zone, "localize"):
                whens.append(zone.localize(naive, is_dst=bool(fold)))
            for when in whens:
                (back,) = through([when], trusted=trusted)
                assert (back.timestamp(), back.utcoffset()) == (when.timestamp(), when.utcoffset())
                assert type(back) is type(when)
                if not isinstance(when, pandas.Timestamp):  # pandas shows a time that the clocks skip in its own way
                    assert str(back)[:19] == str(when)[:19]


@pytest.mark.parametrize("name", sorted(set(zones()) - {"own", *BROKEN}))
def test_columns_in_zones_of_other_libraries_stay_the_same_moments(name: str) -> None:
    column = pandas.Series(pandas.to_datetime(MOMENTS).tz_localize("UTC").tz_convert(zones()[name]))
    if name in NO_NAME:
        with pytest.raises(values.UnencodableError, match=r"the time zone .* has no name"):
            through(column)
        return
    back = through(column)
    assert (back == column).all()
    assert [when.utcoffset() for when in back] == [when.utcoffset() for when in column]
    assert same(through(column.to_frame("a"))["a"].rename(None), back)


def test_zones_that_are_known_stay_named() -> None:
    from dateutil import tz

    oslo = datetime.datetime(2024, 5, 1, 12, tzinfo=tz.gettz("Europe/Oslo"))
    assert through(oslo).tzinfo == zoneinfo.ZoneInfo("Europe/Oslo")
    assert through(datetime.time(1, 2, tzinfo=tz.tzoffset(None, 60))).utcoffset() == datetime.timedelta(minutes=1)
    if not BROKEN:
        assert str(through(pandas.Series([oslo])).dt.tz) == "Europe/Oslo"


# --- everything together ---

ZONES = st.sampled_from([zone for name, zone in zones().items() if name not in NO_NAME + BROKEN])
NAMED_ZONES = st.sampled_from(["UTC", "Europe/Oslo", "America/St_Johns", "Asia/Kathmandu", "+05:30"])
TEXT = st.text(st.characters(), max_size=5)
INTS = st.integers() | st.sampled_from([2**53, -(2**63), 2**64, 10**400])
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    INTS,
    st.floats(),
    st.complex_numbers(),
    TEXT,
    TEXT.map(lambda text: text + "\ud800"),
    st.binary(max_size=5),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.datetimes(timezones=ZONES),
    st.timedeltas(),
    st.decimals(allow_nan=False) | st.just(decimal.Decimal("NaN")),
    st.fractions(),
    st.uuids(),
)
UNITS = st.sampled_from(["s", "ms", "us", "ns"])
TICKS = st.one_of(st.integers(-(10**11), 10**11), st.integers(-(2**63) + 1, 2**63 - 1), st.just(-(2**63)))
FREQUENCIES = st.sampled_from(["D", "B", "W-WED", "MS", "QE", "15min", "36h", *UNNAMED.values()])
PERIODS = st.sampled_from(["D", "M", "Q-DEC", "Y-JUN", "h", "W-SUN", "2M", "ns"])


@st.composite
def arrays(draw: Any) -> Any:
    kinds = hypothesis_numpy
    dtypes = st.one_of(
        kinds.scalar_dtypes(),
        kinds.unicode_string_dtypes(max_len=3),
        kinds.array_dtypes(max_size=3, allow_subarrays=False),
    )
    return draw(kinds.arrays(draw(dtypes), kinds.array_shapes(min_dims=0, min_side=0, max_side=3)))


def ticks(kind: str, size: int) -> Any:
    def make(unit: str, values: list[int]) -> Any:
        return numpy.array(values, "i8").view(f"{kind}8[{unit}]")

    return st.builds(make, UNITS, st.lists(TICKS, min_size=size, max_size=size))


@functools.cache
def column(size: int) -> Any:
    """Values of a column of so many rows, of any dtype."""

    def each(items: Any) -> Any:
        return st.lists(items, min_size=size, max_size=size)

    def objects(items: Any) -> Any:
        return each(items).map(object_array)

    def typed(items: Any, dtype: str) -> Any:
        return each(items | st.none()).map(lambda cells: pandas.array(cells, dtype=dtype))

    small = st.integers(-100, 100)
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    seconds = st.integers(-(10**10), 10**10)
    zoned = st.tuples(each(seconds), UNITS, NAMED_ZONES).filter(lambda given: given[1] != "ns" or not any(given[0]))
    return st.one_of(
        hypothesis_numpy.arrays(hypothesis_numpy.scalar_dtypes(), size).filter(
            lambda made: made.dtype.kind not in "mM" and made.dtype.isnative  # pandas cannot take from others
        ),
        ticks("M", size),
        ticks("m", size),
        objects(PLAIN),
        objects(st.lists(small, max_size=2) | st.none()),
        objects(text | st.just(numpy.nan)),
        objects(NESTED),
        each(text | st.none()).map(lambda cells: pandas.Series(cells).array),
        *(typed(text, f"string[{storage}]") for storage in ("python", "pyarrow")),
        *(typed(small, dtype) for dtype in ("Int8", "UInt64" if size == 0 else "Int64", "Float32")),
        typed(st.booleans(), "boolean"),
        zoned.map(lambda given: in_zone(*given)),
        st.tuples(each(st.integers(-(10**5), 10**5)), PERIODS).map(
            lambda given: pandas.PeriodIndex.from_ordinals(numpy.array(given[0], "i8"), freq=given[1]).array
        ),
        each(st.sampled_from(["a", "b", None])).map(lambda cells: pandas.Categorical(cells, ["b", "a"], ordered=True)),
        each(st.sampled_from([1, 2.5, (1, 2), None, "x"])).map(lambda cells: category(cells)),
        each(small).map(lambda cells: pandas.arrays.IntervalArray.from_arrays(cells, [at + 1 for at in cells], "both")),
        each(st.sampled_from([0, 0, 5])).map(
            lambda cells: pandas.arrays.SparseArray(numpy.array(cells, "i8"), fill_value=0)
        ),
        *(each(kind).map(lambda cells, dtype=dtype: arrow_array(cells, dtype)) for dtype, kind in ARROW.items()),
    )


def object_array(cells: list[Any]) -> Any:
    array = numpy.empty(len(cells), object)
    for at, cell in enumerate(cells):
        array[at] = cell
    return array


def in_zone(cells: list[int], unit: str, zone: Any) -> Any:
    return (
        pandas.DatetimeIndex(numpy.array(cells, "M8[s]").astype(f"M8[{unit}]"))
        .tz_localize("UTC")
        .tz_convert(zone)
        .array
    )


def category(cells: list[Any]) -> Any:
    codes = [[1, 2.5, (1, 2), "x"].index(cell) if cell is not None else -1 for cell in cells]
    labels = numpy.empty(4, object)
    labels[:] = [1, 2.5, (1, 2), "x"]
    return pandas.Categorical.from_codes(codes, pandas.Index(labels, tupleize_cols=False))


ARROW: dict[Any, Any] = {
    pyarrow.int16(): st.integers(-100, 100) | st.none(),
    pyarrow.list_(pyarrow.string()): st.lists(st.sampled_from(["a", None]), max_size=2) | st.none(),
    pyarrow.struct([("a", pyarrow.int64())]): st.fixed_dictionaries({"a": st.integers(-5, 5)}) | st.none(),
    pyarrow.date32(): st.dates() | st.none(),
    pyarrow.timestamp("s"): st.integers(-(2**63), 2**63 - 1) | st.none(),
    pyarrow.timestamp("us", "Europe/Oslo"): st.integers(-(2**55), 2**55) | st.none(),
    pyarrow.decimal128(5, 2): st.sampled_from([None, 1, 2]),
    pyarrow.dictionary(pyarrow.int8(), pyarrow.string()): st.sampled_from(["a", "b", None]),
    pyarrow.string_view(): st.sampled_from(["a", None]),
}


def arrow_array(cells: list[Any], dtype: Any) -> Any:
    return pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array([pyarrow.array(cells, dtype)]))


@st.composite
def indexes(draw: Any, size: int) -> Any:
    start = pandas.Timestamp("2024-01-30 09:00")
    kind = draw(st.integers(0, 6))
    if kind == 0:
        return pandas.RangeIndex(3, 3 + 2 * size, 2, name=draw(TEXT))
    if kind == 1:
        return pandas.date_range(start, periods=size, freq=draw(FREQUENCIES), tz=draw(st.none() | NAMED_ZONES))
    if kind == 2:
        return pandas.timedelta_range("1D", periods=size, freq="6h", name=("a", 1))
    if kind == 3:
        return pandas.period_range("2024", periods=size, freq=draw(PERIODS))
    if kind == 4:
        return pandas.MultiIndex.from_arrays([draw(labels(size)), range(size)], names=["x", None])
    return pandas.Index(draw(labels(size)), name=draw(st.none() | TEXT))


@functools.cache
def labels(size: int) -> Any:
    return column(size).filter(is_label)


def is_label(values: Any) -> bool:
    """Whether pandas makes an index and levels of these values."""
    if (
        values.dtype == object
        or isinstance(values.dtype, pandas.ArrowDtype)
        or values.dtype in ("float16", "complex64")
    ):
        return False
    try:
        pandas.MultiIndex.from_arrays([values])
        return values.dtype.kind != "f" and not isinstance(values.dtype, pandas.SparseDtype)
    except (TypeError, NotImplementedError, ValueError, OverflowError):
        return False


def as_series(cells: Any, index: Any, **named: Any) -> Any:
    return pandas.Series(cells, index, dtype=object if cells.dtype == object else None, **named)


@st.composite
def tables(draw: Any) -> Any:
    size = draw(st.integers(0, 4))
    index = draw(indexes(size))
    size = len(index)
    columns = {at: draw(column(size)) for at in range(draw(st.integers(0, 4)))}
    kind = draw(st.sampled_from(["frame", "series", "index", "array", "dtype", "cell"]))
    one = columns.get(0, numpy.arange(size))
    if kind == "frame":
        table = pandas.DataFrame({at: as_series(values, index) for at, values in columns.items()}, index=index)
        table.index = index
        table.columns = draw(st.just(table.columns) | st.just(pandas.Index([f"c{at}" for at in columns])))
        return table
    if kind == "series":
        return as_series(one, index, name=draw(st.none() | TEXT))
    if kind == "cell":
        with contextlib.suppress(OverflowError):  # pyarrow has moments that pandas cannot show
            return one[0] if size else None
        return None
    return {"index": index, "array": one, "dtype": one.dtype}[kind]


def containers(inner: Any) -> Any:
    keys = st.one_of(TEXT, st.integers(), st.none(), st.tuples(st.integers()), st.dates())
    named = st.tuples(inner, inner).map(lambda items: values.Row("ITEMS", ("a", "count(*)"), items))
    dicts = st.dictionaries(keys, inner, max_size=3)
    return st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.frozensets(PLAIN, max_size=3),
        st.sets(keys, max_size=3),
        dicts,
        dicts.map(collections.OrderedDict),
        dicts.map(lambda pairs: collections.defaultdict(list, pairs)),
        dicts.map(dict.keys),
        dicts.map(dict.items),
        st.lists(keys).map(collections.Counter),
        named,
        st.just(object),
    )


NESTED = st.recursive(PLAIN, containers, max_leaves=6)
POLARS = polars_strategies.dataframes(max_cols=3, max_size=4) | polars_strategies.series(max_size=4)
VALUES = st.one_of(
    NESTED,
    arrays(),
    arrays().map(lambda made: made.reshape(-1)[:1][()] if made.size else made),
    tables(),
    tables(),
    POLARS,
)
ALL = st.recursive(VALUES, containers, max_leaves=3)


@examples(ALL, st.booleans(), st.booleans(), few=40, many=1000)
def test_every_value_comes_back_equal_or_stays_as_a_handle(value: Any, arrow: bool, trusted: bool) -> None:
    encoder = values.Encoder(arrow=arrow, trusted=trusted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoded = values.encode_or_handle(encoder, value)
    tag = encoded["$"] if type(encoded) is dict else ""
    data = values.read_json(frames.dumps(encoded))
    blobs = [bytearray(b"".join(blob) if isinstance(blob, list) else blob) for blob in encoder.blobs]
    back = values.Decoder(blobs, trusted=trusted).decode(data)
    assert tag != "handle" or "cannot be read" not in encoded["why"], encoded
    assert tag in ("handle", "pickle") or same(back, value), (back, value)  # a pickle is equal as far as pickle goes
