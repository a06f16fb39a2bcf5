"""Values survive the way in and out: type, dtype, index, labels, missing values; or the column is named."""

from __future__ import annotations

import asyncio
import collections
import datetime
import decimal
import functools
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from local_parts import PROGRAMS, observe, through

from smolcell.errors import CapabilityError, InterpreterError, SandboxError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.wire import frames as wire
from smolcell.worker.wire import values
from smolcell.worker.wire.values import Handle

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalPythonExecutor]:
    """One sandbox for all values: only their way in and out matters here."""
    with LocalPythonExecutor(["numpy.*", "pandas.*"], timeout=60, memory=4096) as executor:
        yield executor


def there_and_back(executor: LocalPythonExecutor, value: Any) -> Any:
    executor.send_variables({"value": value})
    return asyncio.run(executor.pull(["value"]))["value"]


def same(one: Any, two: Any) -> bool:
    if isinstance(two, numpy.ndarray):
        numpy.testing.assert_array_equal(one, two)
        return (type(one), one.dtype, one.shape) == (type(two), two.dtype, two.shape)
    return (type(one), one) == (type(two), two)


BEYOND_CONFORMANCE: list[Any] = [
    "lone \ud800",
    {"a": 1, 2: {"$": "x"}, (1, 2): None, None: "none"},
    slice(1, None, 2),
    numpy.arange(6, dtype=">i4"),
    numpy.array(["a", "bcd"]),
    numpy.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    numpy.array([1, "a", None, [1, 2]], dtype=object),
    numpy.arange(500_000, dtype="f8").reshape(1000, 500),
    numpy.int64(-3),
    numpy.bool_(True),
    numpy.str_("x"),
    numpy.datetime64("2020-01-01"),
    pandas.Timestamp("2024-03-31 03:30", tz="Europe/Berlin"),
    pandas.Timestamp("2020-01-01 00:00:00.123456789"),
    pandas.Timedelta("1D"),
    pandas.Period("2020-01", "M"),
]


@pytest.mark.parametrize("value", BEYOND_CONFORMANCE, ids=lambda value: repr(value)[:30])
def test_values_survive(sandbox: LocalPythonExecutor, value: Any) -> None:
    assert same(there_and_back(sandbox, value), value)


def test_what_stands_for_a_missing_value_survives(sandbox: LocalPythonExecutor) -> None:
    back = there_and_back(sandbox, [pandas.NaT, pandas.NA])
    assert (back[0] is pandas.NaT, back[1] is pandas.NA) == (True, True)


def columns() -> dict[str, Any]:
    days = pandas.date_range("2024-03-30", periods=4, freq="D", tz="Europe/Berlin")
    return {
        "int": [1, 2, 3, 4],
        "int8": numpy.array([1, 2, 3, 4], dtype="int8"),
        "float": [1.5, None, 2, 3],
        "bool": [True, False, True, True],
        "text": ["a", None, "ü", ""],
        "mixed": pandas.Series([1, "a", None, [1, {"k": 2}]], dtype=object),
        "categories": pandas.Categorical(["x", "y", "x", None], categories=["y", "x"], ordered=True),
        "day": pandas.date_range("2020", periods=4),
        "zoned": days,
        "Int": pandas.array([1, None, 3, 4], dtype="Int64"),
        "Float": pandas.array([1.5, None, 3, 4], dtype="Float32"),
        "boolean": pandas.array([True, None, False, True], dtype="boolean"),
        "string": pandas.array(["a", pandas.NA, "c", "d"], dtype="string"),
        "delta": pandas.to_timedelta([1, 2, 3, 4], unit="h"),
        "period": pandas.period_range("2020-01", periods=4, freq="M"),
        "interval": pandas.interval_range(0, 4),
        "decimal": pandas.Series([decimal.Decimal("1.1")] * 4, dtype=object),
        "date": pandas.Series([datetime.date(2024, 2, 29), None] * 2, dtype=object),
        "lists": pandas.Series([[1, 2], [], None, ["a"]], dtype=object),
        "sparse": pandas.arrays.SparseArray([0, 0, 3, 0]),
        "sparse with gaps": pandas.arrays.SparseArray([numpy.nan, 1.5, numpy.nan, 2.5], kind="block"),
        "short": numpy.array([1, 2, 3, 4], dtype="float16"),
        "seconds": pandas.Series(pandas.date_range("2020", periods=4)).dt.as_unit("s"),
        "offset": pandas.date_range("2020", periods=4, tz=datetime.timezone(datetime.timedelta(hours=2))),
    }


def frames() -> dict[str, Any]:
    base = pandas.DataFrame(columns())
    return {
        "all dtypes": base,
        "no string": base.drop(columns=["text", "string"]),
        "one block": pandas.DataFrame(numpy.arange(12.0).reshape(4, 3), columns=["a", "b", "c"]),
        "empty": pandas.DataFrame(),
        "no columns": pandas.DataFrame(index=["a", "b"]),
        "no rows": base.iloc[:0],
        "dates as index": base.set_index("day"),
        "zoned index with freq": pandas.DataFrame({"a": range(4)}, index=columns()["zoned"]),
        "named multi-index": base.set_index(["int", "text"]),
        "multi-index of columns": pandas.DataFrame(
            numpy.ones((2, 4)), columns=pandas.MultiIndex.from_product([["a", "b"], [1, 2]], names=["u", None])
        ),
        "the same label twice": pandas.DataFrame([[1, 2.5, "a"]], columns=["x", "x", "y"]),
        "numbers and dates as labels": pandas.DataFrame([[1, 2]], columns=[1, pandas.Timestamp("2020")]),
        "dates as labels": pandas.DataFrame([[1, 2]], columns=pandas.date_range("2020", periods=2)),
        "named range": pandas.DataFrame({"a": [1, 2]}, index=pandas.RangeIndex(5, 9, 2, name="r")),
        "categories as index": base.set_index("categories"),
        "300 columns": pandas.DataFrame({f"c{i}": [i, i + 0.5] if i % 2 else [i, i] for i in range(300)}),
        "300 columns of text": pandas.DataFrame({f"c{i}": ["a", None] for i in range(300)}),
    }


@pytest.mark.parametrize("name", frames())
def test_tables_survive_with_and_without_arrow(sandbox: LocalPythonExecutor, name: str) -> None:
    value = frames()[name]
    pandas.testing.assert_frame_equal(there_and_back(sandbox, value), value)
    pandas.testing.assert_frame_equal(through(value, arrow=False), value)


@pytest.mark.parametrize("name", columns())
def test_series_and_indexes_survive(sandbox: LocalPythonExecutor, name: str) -> None:
    value = pandas.DataFrame(columns())[name]
    pandas.testing.assert_series_equal(there_and_back(sandbox, value), value)
    if name not in ("mixed", "lists", "short", "sparse", "sparse with gaps"):  # pandas makes no such index
        index = pandas.Index(value, name=("a", 1))
        pandas.testing.assert_index_equal(there_and_back(sandbox, index), index)


def test_what_a_table_says_about_itself_survives(sandbox: LocalPythonExecutor) -> None:
    table = pandas.DataFrame({"a": [1]}).set_flags(allows_duplicate_labels=False)
    for value in (table, table["a"]):
        value.attrs = {"unit": "m", "source": {"pages": [1, (2, 3)], "read": datetime.date(2024, 1, 1)}}
        back = there_and_back(sandbox, value)
        assert (back.attrs, back.flags) == (value.attrs, value.flags)
    table.attrs = {"odd": object()}
    with pytest.raises(values.UnencodableError, match=r"attrs: builtins\.object is not data"):
        values.Encoder().encode(table)


def test_a_table_that_lies_about_itself_is_refused() -> None:
    encoder = values.Encoder()
    encoded = encoder.encode(pandas.DataFrame([[1, 2]], columns=["a", "a"]))
    for lie, said in (({"unique": True}, "has duplicates"), ({"attrs": [1]}, "no dict"), ({"attrs": 5}, "no dict")):
        with pytest.raises(wire.FrameError, match=said):
            values.Decoder([b"".join(blob) for blob in encoder.blobs]).decode({**encoded, **lie})


def test_arrow_tables_survive(sandbox: LocalPythonExecutor) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": [1, None], "b": [["x"], []]})
    sandbox.send_variables({"value": table})
    assert asyncio.run(sandbox.pull(["value"]))["value"] == table
    series = pandas.Series([1, None], dtype="int64[pyarrow]")
    pandas.testing.assert_series_equal(there_and_back(sandbox, series), series)


TYPES = PROGRAMS["values of libraries"]


@pytest.mark.parametrize("python", ["guarded", "full"])
def test_tables_of_polars_sparse_matrices_records_and_paths_cross_both_ways(python: str) -> None:
    polars, sparse = pytest.importorskip("polars"), pytest.importorskip("scipy.sparse")
    from polars.testing import assert_frame_equal, assert_series_equal

    names = ["table", "lazy", "column", "matrix", "point", "color", "path"]
    imports = ["numpy.*", "polars.*", "scipy.*", "pathlib", "enum", "dataclasses"]
    options: Any = {"python": "full"} if python == "full" else {"additional_authorized_imports": imports}
    with LocalPythonExecutor(timeout=60, **options) as executor:
        executor(TYPES)
        found = asyncio.run(executor.pull(names))
        assert_frame_equal(found["table"], polars.DataFrame({"a": [1, 2]}))
        assert_frame_equal(found["lazy"], found["table"])
        assert_series_equal(found["column"], found["table"]["a"])
        assert sparse.isspmatrix_csr(found["matrix"])
        assert repr([found["point"], found["color"]]) == "[Point(x=3), Color(name='RED', value=1)]"
        assert found["path"] == pathlib.PurePosixPath("a/b")
        executor.send_variables({f"{name}_2": value for name, value in found.items()})
        code = (
            "[table.equals(table_2), table.equals(lazy_2), column.equals(column_2), (matrix != matrix_2).nnz == 0,"
            " point_2.x == 3, color_2.name == 'RED', path == path_2]"
        )
        assert executor(code).output == [True] * 7


def test_changing_a_sent_dataframe_in_the_sandbox_leaves_the_original_unchanged(sandbox: LocalPythonExecutor) -> None:
    frame = pandas.DataFrame({"a": numpy.zeros(300_000)})
    sandbox.send_variables({"frame": frame})
    sandbox("frame['a'] = 1.0\nframe.iloc[0, 0] = 5")
    assert frame["a"].sum() == 0


def test_what_waits_to_be_sent_is_a_copy_as_of_now() -> None:
    with LocalPythonExecutor(timeout=60) as executor:
        array = numpy.zeros(3)
        executor.send_variables({"array": array})
        array[0] = 9
        assert executor("list(array)").output == [0.0, 0.0, 0.0]


# --- what is not data ---


class Point:
    """Of the user's own."""

    def __init__(self, x: int) -> None:
        self.x = x


def test_other_objects_go_in_by_pickle_and_stay_there(sandbox: LocalPythonExecutor) -> None:
    back = there_and_back(sandbox, collections.ChainMap({"a": 1}))
    assert back == Handle("value", "ChainMap", "ChainMap({'a': 1})")
    assert repr(back) == "<ChainMap value stays in the sandbox: ChainMap({'a': 1})>"
    with pytest.raises(SandboxError, match="'point' cannot be rebuilt in the sandbox"):
        sandbox.send_variables({"point": Point(1)})
    assert sandbox("1").output == 1


def test_no_pickle_comes_back() -> None:
    class Evil:
        def __reduce__(self) -> Any:
            raise AssertionError("pickled")

    with pytest.raises(values.UnencodableError, match="Evil is not data"):
        values.Encoder().encode([Evil()])
    with pytest.raises(wire.FrameError, match="a pickle came from a worker"):
        values.Decoder([b"\x80\x04N."]).decode({"$": "pickle", "b": 0})


def test_a_column_that_cannot_go_is_named() -> None:
    frame = pandas.DataFrame({"fine": [1], "odd": pandas.Series([object()], dtype=object)})
    with pytest.raises(values.UnencodableError, match=r"column 'odd': builtins\.object is not data"):
        values.Encoder().encode(frame)


def test_a_table_that_stays_says_which_column_keeps_it(sandbox: LocalPythonExecutor) -> None:
    code = "import pandas\nodd = pandas.DataFrame({'fine': [1], 'odd': pandas.Series([object()], dtype=object)})"
    sandbox(code)
    found = asyncio.run(sandbox.pull(["odd"]))["odd"]
    assert (found.type, found.why) == ("DataFrame", "column 'odd': builtins.object is not data")
    assert repr(found).startswith("<DataFrame odd stays in the sandbox (column 'odd': builtins.object is not data): ")


def test_what_is_nested_too_deep_is_not_encoded() -> None:
    with pytest.raises(values.UnencodableError, match="deeper"):
        values.Encoder().encode(functools.reduce(lambda inner, _: [inner], range(80), 0))


def test_values_too_large_for_one_answer_cost_no_sandbox(sandbox: LocalPythonExecutor) -> None:
    given: list[Any] = []
    sandbox.send_tools({"look": lambda *args, **kwargs: given.append((args, kwargs))})
    sandbox("kept, texts = 5, ['\\u00e9' * 60_000] * 100\nlook(texts, more=texts)")
    sandbox.send_tools({})
    too_large = Handle("", "object", "<too large for one answer>")
    assert given == [((too_large,), {"more": too_large})]
    assert asyncio.run(sandbox.pull(["texts"])) == {"texts": too_large}
    assert (sandbox("texts").output, sandbox("kept").output) == (too_large, 5)


LAST = "import pandas as pd\npd.Series([1, 2, 3], index=pd.date_range('2024-01-31', periods=3, freq=pd.DateOffset(months=1)))"


def test_a_value_that_this_side_cannot_read_costs_no_sandbox(sandbox: LocalPythonExecutor) -> None:
    assert list(sandbox(f"kept = 5\n{LAST}").output) == [1, 2, 3]
    odd = sandbox(DATACLASS).output
    assert (type(odd), odd.why) == (Handle, "more than 100 keys have the same hash")
    assert sandbox("kept").output == 5


DATACLASS = "import dataclasses\n@dataclasses.dataclass(eq=False)\nclass P:\n    x: list\n{P([i]) for i in range(200)}"


@pytest.mark.parametrize(
    "code",
    [
        "(i for i in range(3))",
        "map(int, '012')",
        "iter([0, 1, 2])",
        "(x for x, _ in zip(range(3), 'abc'))",
        "reversed([2, 1, 0])",
    ],
)
def test_a_generator_of_data_as_the_answer_is_a_list(sandbox: LocalPythonExecutor, code: str) -> None:
    found = observe(sandbox, f"final_answer({code})")
    assert (found.output, found.result) == ([0, 1, 2], "[0, 1, 2]")
    assert type(sandbox(f"made = {code}\nmade").output) is Handle
    assert sandbox("[*made]").output == [0, 1, 2]


def test_a_generator_that_fails_or_does_not_end_costs_no_sandbox(sandbox: LocalPythonExecutor) -> None:
    sandbox("kept = 5")
    with pytest.raises(InterpreterError, match="ZeroDivisionError"):
        sandbox("final_answer(1 / x for x in (1, 0))")
    endless = sandbox("import itertools\nfinal_answer(itertools.count())").output
    assert (type(endless), endless.type) == (Handle, "chain")
    assert sandbox("kept").output == 5


@pytest.mark.parametrize("python", ["guarded", "full"])
def test_what_does_not_fit_into_the_memory_is_named_with_the_option(python: str) -> None:
    with LocalPythonExecutor(python=python, memory=96, timeout=60) as executor:
        executor("kept = 5")
        for size in (80, 300):
            with pytest.raises(
                SandboxError, match=r"fit into the sandbox's memory of 96 MB: --memory gives the code more"
            ):
                executor.send_variables({"few": 1, "text": "x" * (size << 20)})
        assert executor("kept").output == 5


def test_text_columns_are_built_from_arrow_without_python_objects(sandbox: LocalPythonExecutor) -> None:
    arrow = pytest.importorskip("pyarrow")
    text = pandas.array(["a", None, "ü"] * 50_000, dtype="string[pyarrow]")
    encoder = values.Encoder(trusted=True, arrow=True)
    data = encoder.encode(pandas.DataFrame({"text": text}))
    blobs: Any = [bytearray(b"".join(blob) if isinstance(blob, list) else blob) for blob in encoder.blobs]
    blob = arrow.py_buffer(blobs[0])
    back = values.Decoder(blobs, trusted=True).decode(data)["text"].array
    at = arrow.array(back).buffers()[2].address
    assert blob.address < at < blob.address + blob.size
    assert (back == text).all()


MODES = [
    "1",
    "L",
    "LA",
    "P",
    "RGB",
    "RGBA",
    "I;16",
    "CMYK",
    "F",
    "I",
    "HSV",
    "YCbCr",
    "LAB",
    "La",
    "RGBa",
    "RGBX",
    "PA",
]


@pytest.mark.parametrize("mode", MODES)
def test_images_of_every_mode_go_in(mode: str) -> None:
    images = pytest.importorskip("PIL.Image")
    image = images.new(mode, (3, 2))
    back = through([image], trusted=True)[0]
    assert (back.mode, back.size, back.tobytes()) == (image.mode, image.size, image.tobytes())
    found = values.encode_or_handle(values.Encoder(), image)
    assert (found["$"], found.get("why")) in (("image", None), ("handle", f"PNG holds no image of mode {mode}"))


class Failing:
    """Its own code fails when it is copied."""

    def __reduce__(self) -> Any:
        raise OSError("the file is gone")


def test_the_error_of_a_value_that_cannot_be_copied_names_the_variable(sandbox: LocalPythonExecutor) -> None:
    with pytest.raises(CapabilityError, match=r"'odd' \(Failing\) cannot be sent to the sandbox: .*the file is gone"):
        sandbox.send_variables({"fine": 1, "odd": Failing()})
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(CapabilityError, match=r"'deep' \(list\) cannot be sent to the sandbox: .*"):
        sandbox.send_variables({"deep": deep})
