"""Columns of Python objects of one kind cross as Arrow, and come back exactly as they were."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolcell.worker.wire import bounds, dataframes, frames, values

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

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


def there_and_back(column: Any) -> tuple[Any, bool]:
    encoder = values.Encoder(arrow=True)
    data = frames.loads(frames.dumps(encoder.encode(pandas.Series(column, dtype=object))), values.JSON_DEPTH)
    blobs = [bytes(blob) if isinstance(blob, (bytes, memoryview)) else b"".join(blob) for blob in encoder.blobs]
    return values.Decoder(blobs).decode(data).to_numpy(), data["data"]["$"] == "uniform"


@pytest.mark.parametrize("kind", ITEMS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_column_comes_back_as_it_was(kind: str, data: Any) -> None:
    drawn = data.draw(st.lists(ITEMS[kind] | st.none(), min_size=1, max_size=12))
    column = objects(drawn * (dataframes.MIN_ARROW_VALUES // len(drawn) + 1))
    back, as_arrow = there_and_back(column)
    assert [(type(item), repr(item)) for item in back] == [(type(item), repr(item)) for item in column]
    nothing = all(item is None or item == [] or item != item for item in drawn)
    assert as_arrow or nothing or kind == "anything" or any(_is_odd(item) for item in drawn)


def _is_odd(item: Any) -> bool:
    """Whether it is why a column goes as JSON: a lone surrogate, a list of nothing."""
    parts = item if isinstance(item, list) else [item]
    return any(isinstance(part, str) and not part.isprintable() for part in parts) or not [*filter(bool, parts)]


@pytest.mark.parametrize(
    "column",
    [
        [1, 2.5],
        [1, True],
        ["a", b"a"],
        [(1, 2)],
        [[1], [1.5]],
        [[1, "a"]],
        [[[1]]],
        [2**70],
        ["a", 1.5],
        ["lone \ud800"],
        [type("Text", (str,), {})("a")],
        [datetime.datetime(2024, 1, 1)],
        [pandas.NaT, "a"],
        [pandas.NA, "a"],
    ],
    ids=repr,
)
def test_what_is_not_of_one_kind_is_never_coerced(column: list[Any]) -> None:
    assert dataframes.encode_uniform(values.Encoder(arrow=True), objects(column * dataframes.MIN_ARROW_VALUES)) is None


def test_a_million_texts_are_data() -> None:
    frame = pandas.DataFrame({"a": objects([f"row {at % 1000}" for at in range(1_000_000)])})
    encoder = values.Encoder(arrow=True)
    data = encoder.encode(frame)
    back = values.Decoder([b"".join(b) if isinstance(b, list) else bytes(b) for b in encoder.blobs]).decode(data)
    pandas.testing.assert_frame_equal(back, frame)


def _table(column: Any) -> bytes:
    sink = pyarrow.BufferOutputStream()
    table = pyarrow.table({"0": column})
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


HOSTILE = {
    "another kind": ({"kind": "int64", "lists": False}, pyarrow.array(["a"])),
    "no kind": ({"kind": "pickle", "lists": False}, pyarrow.array(["a"])),
    "no lists": ({"kind": "int64", "lists": True}, pyarrow.array([1])),
    "lists of lists": ({"kind": "int64", "lists": True}, pyarrow.array([[[1]]], pyarrow.large_list(pyarrow.large_list(pyarrow.int64())))),
    "a struct": ({"kind": "int64", "lists": False}, pyarrow.array([{"a": 1}])),
    "more than is paid for": ({"kind": "bool_", "lists": False}, pyarrow.array(numpy.zeros(TOO_MANY, bool))),
    "a date that is none": ({"kind": "date32", "lists": False}, pyarrow.array([2**31 - 1], pyarrow.int32()).cast(pyarrow.date32())),
    "positions outside": ({"kind": "int64", "lists": False, "nan": {"$": "array", "b": 1}}, pyarrow.array([1])),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_column_is_refused(name: str) -> None:
    said, column = HOSTILE[name]
    encoder = values.Encoder()
    encoder.encode(numpy.array([5]))
    part = {"$": "series", "name": None, "index": {"$": "range_index", "v": [0, len(column), 1], "name": None}}
    blobs = [_table(column), b"".join(encoder.blobs[0])]  # type: ignore[arg-type]
    with pytest.raises(frames.WireError):
        values.Decoder(blobs).decode({**part, "data": {"$": "uniform", "table": 0, **said}})
