"""Tables, columns of objects, sparse matrices, records and paths come back as they were; hostile ones have one name."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import random
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from examples import FULL
from hypothesis import given, settings
from hypothesis import strategies as st

from smolcell.worker.wire import bounds, dataframes, libraries, values
from smolcell.worker.wire import frames as wire
from smolcell.worker.wire.values import TAG, Record

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
sparse = pytest.importorskip("scipy.sparse")
from polars.testing import assert_frame_equal, assert_series_equal  # noqa: E402 - skipped without polars

MUTATIONS = 10_000 if FULL else 1_000


def encoded(value: Any, *, trusted: bool = False) -> tuple[bytes, list[bytes]]:
    """The JSON of a value and the data beside it."""
    encoder = values.Encoder(arrow=True, trusted=trusted)
    data = wire.dumps(encoder.encode(value))
    return data, [b"".join(blob) if isinstance(blob, list) else bytes(blob) for blob in encoder.blobs]


def decoded(data: bytes | bytearray, blobs: Sequence[bytes | bytearray], *, trusted: bool = False) -> Any:
    return values.Decoder(list(blobs), trusted=trusted).decode(values.read_json(data))


def there_and_back(value: Any, *, trusted: bool = False) -> Any:
    return decoded(*encoded(value, trusted=trusted), trusted=trusted)


def arrow_stream(table: Any) -> bytes:
    """A table of pyarrow as the bytes of a stream."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


# --- polars ---

DTYPES: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "int": (polars.Int64, st.integers(-(2**63), 2**63 - 1)),
    "byte": (polars.UInt8, st.integers(0, 255)),
    "float": (polars.Float64, st.floats()),
    "text": (polars.String, st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
    "bytes": (polars.Binary, st.binary(max_size=5)),
    "bool": (polars.Boolean, st.booleans()),
    "date": (polars.Date, st.dates()),
    "time": (polars.Time, st.times()),
    "datetime": (polars.Datetime("us"), st.datetimes(datetime.datetime(2, 1, 1), datetime.datetime(9998, 1, 1))),
    "duration": (polars.Duration("us"), st.timedeltas(datetime.timedelta(-(10**6)), datetime.timedelta(10**6))),
    "decimal": (polars.Decimal(20, 2), st.decimals(-(10**9), 10**9, places=2)),
    "category": (polars.Categorical, st.sampled_from(["a", "b", "ü"])),
    "enum": (polars.Enum(["b", "a"]), st.sampled_from(["a", "b"])),
    "list": (polars.List(polars.Int32), st.lists(st.integers(-9, 9) | st.none(), max_size=3)),
    "array": (polars.Array(polars.Int8, 2), st.lists(st.integers(-9, 9), min_size=2, max_size=2)),
    "struct": (polars.Struct({"x": polars.Date}), st.fixed_dictionaries({"x": st.dates() | st.none()})),
    "zoned": (polars.Datetime("ns", "Europe/Berlin"), st.just(datetime.datetime(2024, 7, 1, tzinfo=datetime.UTC))),
    "null": (polars.Null, st.none()),
}


@pytest.mark.parametrize("kind", DTYPES)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_table_of_polars_comes_back_as_it_was(kind: str, data: Any) -> None:
    dtype, items = DTYPES[kind]
    column = polars.Series(kind, data.draw(st.lists(items | st.none(), max_size=6)), dtype=dtype)
    table = polars.DataFrame([column, polars.Series("n", range(len(column)))])
    assert_series_equal(there_and_back(column), column)
    assert_frame_equal(there_and_back(table), table)
    assert_frame_equal(there_and_back(table.lazy()), table)


@pytest.mark.parametrize(
    "column",
    [
        polars.Series("odd", [object()], dtype=polars.Object),
        polars.Series("odd", [["a"]], dtype=polars.List(polars.Categorical)),
        polars.Series("odd", [2**31 - 1], dtype=polars.Int32).cast(polars.Date),
    ],
    ids=["objects", "categories in a list", "the year 5881580"],
)
def test_a_column_of_polars_that_is_no_data_is_named(column: Any) -> None:
    with pytest.raises(values.UnencodableError, match="column 'odd'"):
        values.Encoder(arrow=True).encode(polars.DataFrame([column]))


def test_a_side_without_polars_reads_its_tables_as_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    table = polars.DataFrame({"a": [1, 2], "b": ["x", None]})
    whole, column = encoded(table), encoded(table["a"])
    monkeypatch.setitem(sys.modules, "polars", None)
    found = decoded(*whole)
    assert (type(found), found.to_pydict()) == (pyarrow.Table, {"a": [1, 2], "b": ["x", None]})
    assert decoded(*column).to_pylist() == [1, 2]


def test_a_value_whose_library_is_missing_is_no_fault_of_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    crossing = encoded([sparse.eye_array(2)])
    monkeypatch.setitem(sys.modules, "scipy", None)
    found = decoded(*crossing)
    assert isinstance(found, values.Handle)
    assert found.why == "scipy is not installed here"


def test_polars_without_pyarrow_says_what_is_missing() -> None:
    with pytest.raises(values.UnencodableError, match="need pyarrow on both sides"):
        values.Encoder().encode(polars.DataFrame())


def hostile(array: Any, metadata: dict[str, str] | None = None) -> Any:
    return pyarrow.table([array], schema=pyarrow.schema([pyarrow.field("a", array.type, metadata=metadata)]))


TABLES = {
    "a date beyond all years": hostile(pyarrow.array([2**31 - 1], pyarrow.date32())),
    "one in a list": hostile(pyarrow.array([[2**31 - 1]], pyarrow.large_list(pyarrow.date32()))),
    "a moment beyond all years": hostile(pyarrow.array([10**17], pyarrow.timestamp("s"))),
    "a time of a later day": hostile(pyarrow.array([10**17]).cast(pyarrow.int64()).view(pyarrow.time64("ns"))),
    "no zone": hostile(pyarrow.array([1], pyarrow.timestamp("s", "../../etc/passwd"))),
    "views": hostile(pyarrow.array(["a"], pyarrow.string_view())),
    "a union": hostile(pyarrow.UnionArray.from_sparse(pyarrow.array([0], pyarrow.int8()), [pyarrow.array([1])])),
    "metadata below": hostile(
        pyarrow.array([["a"]], pyarrow.list_(pyarrow.field("item", pyarrow.string(), metadata={"_PL_X": "9;"})))
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_hostile_table_of_polars_is_refused(name: str) -> None:
    with pytest.raises(wire.FrameError):
        values.Decoder([arrow_stream(TABLES[name])]).decode({TAG: "polars", "b": 0, "series": False, "enums": []})


def test_metadata_that_polars_would_believe_does_not_reach_it() -> None:
    words = pyarrow.array(["a"]).cast(pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_string()))
    lie = arrow_stream(hostile(words, {"_PL_ENUM_VALUES2": "9999999999;x"}))
    found = values.Decoder([lie]).decode({TAG: "polars", "b": 0, "series": False, "enums": []})
    assert found.to_dict(as_series=False) == {"a": ["a"]}
    with pytest.raises(wire.FrameError):
        values.Decoder([lie]).decode({TAG: "polars", "b": 0, "series": False, "enums": [["a", ["b"]]]})


# --- sparse matrices ---


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(0, 5),
    columns=st.integers(0, 5),
    form=st.sampled_from(["csr", "csc", "coo", "bsr", "dia", "dok", "lil"]),
    dtype=st.sampled_from(["?", "i1", "i8", "f4", "f8", "c16"]),
    matrix=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_sparse_matrix_comes_back(rows: int, columns: int, form: str, dtype: str, matrix: bool, seed: int) -> None:
    dense = numpy.random.default_rng(seed).integers(0, 3, (rows, columns)).astype(dtype)
    made = (sparse.coo_matrix if matrix else sparse.coo_array)(dense).asformat(form)
    back = there_and_back(made)
    assert (back.dtype, back.shape, isinstance(back, sparse.spmatrix)) == (made.dtype, made.shape, matrix)
    assert back.format == (form if form in libraries.FORMATS else "csr")
    numpy.testing.assert_array_equal(back.toarray(), dense)


def test_a_hostile_sparse_matrix_is_refused() -> None:
    data, blobs = encoded(sparse.csr_array(numpy.eye(3)))
    good = values.read_json(data)
    lies: list[dict[str, Any]] = [
        {"shape": [10**12, 1]},
        {"shape": [-1, 3]},
        {"shape": [True, 3]},
        {"shape": [2, 2]},
        {"shape": [bounds.MAX_ROWS, 1]},
        {"format": "dia"},
        {"v": [good["v"][0]] * 3},
        {"v": [[1], [0], [0]]},
    ]
    for lie in lies:
        with pytest.raises(wire.FrameError):
            values.Decoder(blobs).decode({**good, **lie})
    for value in (sparse.coo_array((2**40, 1)), sparse.coo_array(numpy.ones(3))):
        with pytest.raises(values.UnencodableError, match="is not data"):
            values.Encoder().encode(value)


# --- records and paths ---


@dataclasses.dataclass(frozen=True)
class Point:
    x: Any
    y: Any = None


class Color(enum.Enum):
    RED = 1
    GREEN = "g"


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


DATA = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from([*Color, Rights.READ | Rights.WRITE]),
    lambda parts: st.lists(parts, max_size=3) | st.builds(Point, parts, parts),
    max_leaves=8,
)


def as_record(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return Record(type(value).__name__, {"name": value.name, "value": value.value})
    if isinstance(value, Point):
        return Record("Point", {"x": as_record(value.x), "y": as_record(value.y)})
    return [as_record(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=60, deadline=None)
@given(DATA)
def test_a_class_of_the_sandbox_arrives_as_a_record_and_goes_on_as_one(value: Any) -> None:
    found = there_and_back(value)
    assert found == as_record(value)
    assert there_and_back(found) == there_and_back(found, trusted=True) == found


def test_a_class_that_the_sandbox_can_import_is_itself_there() -> None:
    for value in (Color.RED, Point(1, [Color.GREEN]), {Color.RED: Rights.READ}):
        assert there_and_back(value, trusted=True) == value


def test_a_class_that_the_sandbox_cannot_import_is_a_record_there(monkeypatch: pytest.MonkeyPatch) -> None:
    crossing = encoded([Color.RED], trusted=True)
    monkeypatch.delattr(sys.modules[__name__], "Color")
    assert decoded(*crossing, trusted=True) == [Record("Color", {"name": "RED", "value": 1})]


def test_a_class_that_cannot_be_pickled_is_a_record_there() -> None:
    @dataclasses.dataclass
    class Local:
        x: int

    assert there_and_back([Local(1)], trusted=True) == [Record(Local.__qualname__, {"x": 1})]
    assert there_and_back([Point(n) for n in range(1000)], trusted=True) == [Point(n) for n in range(1000)]


def test_a_record_reads_as_the_value_it_was() -> None:
    found = there_and_back({Color.RED: Point(1, [2])})
    ((color, point),) = found.items()
    assert (color.name, color.value, point.x, point.y) == ("RED", 1, 1, [2])
    assert repr(found) == "{Color(name='RED', value=1): Point(x=1, y=[2])}"
    assert there_and_back({Record("Point", {"x": [1]}): 1}) == {Record("Point", {"x": [1]}): 1}


@pytest.mark.parametrize("name", ["__class__", "_repr_html_", "_ipython_display_", "a b", "", 5, "_"])
def test_a_record_has_no_names_that_python_looks_up(name: Any) -> None:
    with pytest.raises(wire.FrameError):
        values.Decoder([]).decode({TAG: "record", "type": "Point", "v": [name, 1]})


def test_no_class_is_made_of_what_a_sandbox_says() -> None:
    _, blobs = encoded(Color.RED, trusted=True)
    found = values.Decoder(blobs).decode({TAG: "record", "type": "os.system", "v": ["x", 1], "b": 0})
    assert (type(found), repr(found)) == (Record, "os.system(x=1)")


@given(st.text(st.characters(exclude_characters="\0")), st.sampled_from(["Path", "PurePosixPath", "PureWindowsPath"]))
def test_a_path_comes_back(text: str, kind: str) -> None:
    path = getattr(pathlib, kind)(text)
    back = there_and_back(path)
    assert (type(back), back) == (type(path), path)


# --- columns of Python objects of one kind, which cross as Arrow ---

SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(max_size=5),
    "bytes": st.binary(max_size=5),
    "bool": st.booleans(),
    "int": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(),
    "date": st.dates(),
}
ITEMS = {
    **SCALARS,
    "text or nan": st.text(max_size=5) | st.just(float("nan")),
    **{f"list of {name}": st.lists(kind | st.none(), max_size=3) for name, kind in SCALARS.items()},
    "anything": st.one_of(*SCALARS.values(), st.tuples(st.integers()), st.lists(st.integers() | st.text(max_size=2))),
}

TOO_MANY = bounds.MAX_BYTES // bounds.CELL_BYTES + 1  # strings of one column


def objects(items: list[Any]) -> Any:
    made = numpy.empty(len(items), dtype=object)
    for at, item in enumerate(items):
        made[at] = item
    return made


def column_back(column: Any) -> tuple[Any, bool]:
    crossing = encoded(pandas.Series(column, dtype=object))
    return decoded(*crossing).to_numpy(), values.read_json(crossing[0])["data"]["$"] == "uniform"


@pytest.mark.parametrize("kind", ITEMS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_column_comes_back_as_it_was(kind: str, data: Any) -> None:
    drawn = data.draw(st.lists(ITEMS[kind] | st.none(), min_size=1, max_size=12))
    column = objects(drawn * (dataframes.MIN_ARROW_VALUES // len(drawn) + 1))
    back, as_arrow = column_back(column)
    assert [(type(item), repr(item)) for item in back] == [(type(item), repr(item)) for item in column]
    nothing = all(item is None or item == [] or item != item for item in drawn)
    assert as_arrow or nothing or kind == "anything" or any(_is_odd(item) for item in drawn)


def _is_odd(item: Any) -> bool:
    """Whether it is why a column goes as JSON: a lone surrogate, a list of nothing."""
    parts = item if isinstance(item, list) else [item]
    return any(isinstance(part, str) and not part.isprintable() for part in parts) or not [*filter(bool, parts)]


MIXED: list[list[Any]] = [
    [1, 2.5], [1, True], ["a", b"a"], [(1, 2)], [[1], [1.5]], [[1, "a"]], [[[1]]], [2**70], ["a", 1.5], ["lone \ud800"],
    [type("Text", (str,), {})("a")], [datetime.datetime(2024, 1, 1)], [pandas.NaT, "a"], [pandas.NA, "a"],
]  # fmt: skip


@pytest.mark.parametrize("column", MIXED, ids=repr)
def test_what_is_not_of_one_kind_is_never_coerced(column: list[Any]) -> None:
    assert dataframes.encode_uniform(values.Encoder(arrow=True), objects(column * dataframes.MIN_ARROW_VALUES)) is None


@pytest.mark.slow
def test_a_million_texts_are_data() -> None:
    frame = pandas.DataFrame({"a": objects([f"row {at % 1000}" for at in range(1_000_000)])})
    pandas.testing.assert_frame_equal(decoded(*encoded(frame)), frame)


COLUMNS = {
    "another kind": ({"kind": "int64", "lists": False}, pyarrow.array(["a"])),
    "no kind": ({"kind": "pickle", "lists": False}, pyarrow.array(["a"])),
    "no lists": ({"kind": "int64", "lists": True}, pyarrow.array([1])),
    "lists of lists": ({"kind": "int64", "lists": True}, pyarrow.array([[[1]]], pyarrow.large_list(pyarrow.large_list(pyarrow.int64())))),
    "a struct": ({"kind": "int64", "lists": False}, pyarrow.array([{"a": 1}])),
    "more than is paid for": ({"kind": "bool_", "lists": False}, pyarrow.array(numpy.zeros(TOO_MANY, bool))),
    "a date that is none": ({"kind": "date32", "lists": False}, pyarrow.array([2**31 - 1], pyarrow.int32()).cast(pyarrow.date32())),
    "positions outside": ({"kind": "int64", "lists": False, "nan": {"$": "array", "b": 1}}, pyarrow.array([1])),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_a_hostile_column_is_refused(name: str) -> None:
    said, column = COLUMNS[name]
    _, [outside] = encoded(numpy.array([5]))
    part = {"$": "series", "name": None, "index": {"$": "range_index", "v": [0, len(column), 1], "name": None}}
    blobs = [arrow_stream(pyarrow.table({"0": column})), outside]
    with pytest.raises(wire.FrameError):
        values.Decoder(blobs).decode({**part, "data": {"$": "uniform", "table": 0, **said}})


# --- mutations ---


def test_mutated_values_give_values_or_a_wire_error() -> None:
    table = polars.DataFrame(
        {
            "a": [1, None],
            "b": ["x", None],
            "c": polars.Series(["u", "v"], dtype=polars.Categorical),
            "d": polars.Series([datetime.datetime(2024, 1, 1)] * 2, dtype=polars.Datetime("us", "Europe/Berlin")),
            "e": polars.Series(["u", "v"], dtype=polars.Enum(["u", "v"])),
            "f": [[1], [2, 3]],
            "g": [{"x": decimal.Decimal("1.5")}] * 2,
        }
    )
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", None], "c": pandas.Categorical(["u", "v"])})
    kinds = [
        encoded(value)
        for value in (table, frame, sparse.csr_array(numpy.eye(4)), [Point(1, Color.RED), pathlib.Path()])
    ]
    rng, read = random.Random(7), 0
    for _ in range(MUTATIONS):
        data, blobs = rng.choice(kinds)
        parts = [bytearray(part) for part in (data, *blobs)]
        part = rng.choice(parts)
        for _ in range(rng.randint(1, 4)):
            part[rng.randrange(len(part))] = rng.randrange(256)
        try:
            str(decoded(parts[0], parts[1:]))
            read += 1
        except wire.FrameError:
            pass
    assert 0 < read < MUTATIONS
