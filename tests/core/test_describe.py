"""Values are described under a budget, and never by running into their errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.text import BUDGET_CHARS, answer, clip, text, variable
from smolcell.events import Variable


class Broken:
    __module__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise ValueError("no")


class DataFrame:
    """A table by its name alone."""

    columns = ("a",)

    def head(self) -> None:
        raise OSError("gone")


PLAIN: dict[str, tuple[Any, Variable]] = {
    "a number": (3, Variable(name="v", type="int", text="3")),
    "a short list": ([1, 2], Variable(name="v", type="list", text="[1, 2]")),
    "a long list": (list(range(100)), Variable(name="v", type="list", text=str(list(range(100))))),
    "a longer list": (list(range(1500)), Variable(name="v", type="list", text="1,500 items: [0, 1, 2, 3, 4, 5, 6, 7, ...]")),
    "a short text": ("a b " * 28, Variable(name="v", type="str", text=repr("a b " * 28))),
    "a long text": ("a" * 1500, Variable(name="v", type="str", text="1,500 characters: 'aaa")),
    "a dictionary": (dict.fromkeys("abcdefghijkl"), Variable(name="v", type="dict", text=str(dict.fromkeys("abcdefghijkl")))),
    "long bytes": (b"a" * 1500, Variable(name="v", type="bytes", text="1,500 bytes: b'aaa")),
    "nothing": (None, Variable(name="v", type="NoneType", text="None")),
    "what moves the cursor": ("a\x1b[2J", Variable(name="v", type="str", text=r"'a\x1b[2J'")),
    "a broken repr": (Broken(), Variable(name="v", type="None.Broken", text="<Broken instance at ")),
    "a huge number": (10**5000, Variable(name="v", type="int", text="<int; its description failed: ValueError>")),
    "a table that fails": (
        DataFrame(),
        Variable(name="v", type="test_describe.DataFrame", text="<test_describe.DataFrame; its description failed: AttributeError>"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), PLAIN.values(), ids=PLAIN)
def test_a_variable_is_described(value: Any, expected: Variable) -> None:
    found = variable("v", value)
    assert Variable(name=found.name, type=found.type, text=found.text[: len(expected.text)]) == expected


def test_an_answer_in_words_is_the_words() -> None:
    assert (answer("All is well.\n"), answer(42), answer({"a": 1})) == ("All is well.\n", "42", "{'a': 1}")
    assert answer("a\u202eb") == r"a\u{202e}b"


def test_what_is_cut_says_so() -> None:
    assert clip("abc", 3) == "abc"
    assert clip("a" * 50 + "b" * 50, 40) == "a" * 12 + "… [85 more characters] …" + "b" * 3
    assert len(clip("x" * 100_000, 1000)) <= 1000
    assert answer("begin" + "x" * 20_000 + "end").startswith("begin")
    assert answer("begin" + "x" * 20_000 + "end").endswith("end")


def test_tables_of_polars_are_described_too() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"month": ["Jan", "Feb"] * 500})
    assert answer(frame).startswith("1000 rows, 1 columns\ncolumns: 'month': String\nfirst rows:\n")
    assert answer(frame["month"]).startswith("1000 values of String, name 'month'\nfirst values:\n")


def test_tables_and_arrays_are_described_by_their_shape() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    frame = pandas.DataFrame({"month": ["Jan", "Feb"] * 500, "amount": range(1000)})
    assert text(frame) == (
        f"1000 rows, 2 columns, with types and first values:\n'month' ({frame['month'].dtype}): 'Jan', 'Feb', 'Jan'\n"
        "'amount' (int64): 0, 1, 2"
    )
    assert text(frame["amount"]).startswith("1000 values of int64, name 'amount'\nfirst values:\n0    0")
    assert text(numpy.zeros((2, 3))) == "array of shape (2, 3), float64, first values [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"
    assert text(numpy.zeros((0,))) == "array of shape (0,), float64, first values []"
    assert answer(numpy.int64(6)) == "6"
    wide = text(pandas.DataFrame(numpy.zeros((10, 1000))))
    assert (len(wide) <= BUDGET_CHARS, "… 970 more columns" in wide) == (True, True)


def test_a_table_that_is_the_answer_is_given_as_its_rows() -> None:
    pandas = pytest.importorskip("pandas")
    small = pandas.DataFrame({"month": ["Jan", "Feb"] * 15, "above": [0.5] * 30})
    assert answer(small) == small.to_string()
    assert answer(small["above"]) == small["above"].to_string()
    assert answer(small.set_index("month").loc[["Jan"]].head(1)) == "       above\nmonth       \nJan      0.5"
    wide = pandas.DataFrame([range(12)] * 2, columns=[f"a long name {n}" for n in range(12)])
    assert answer(wide) == wide.to_string()


def test_a_larger_table_is_given_by_its_two_ends_and_its_shape() -> None:
    pandas = pytest.importorskip("pandas")
    long = pandas.DataFrame({"n": range(1000), "text": "x" * 100})
    lines = answer(long).split("\n")
    assert (lines[0].split(), lines[1].split()[:2], lines[10].split()[:2]) == (["n", "text"], ["0", "0"], ["9", "9"])
    assert lines[-3].split()[:2] == ["999", "999"]
    assert lines[-2:] == ["", "… 1000 rows, 2 columns"]
    assert (len(lines), max(map(len, lines)) < 60) == (24, True)
    column = answer(long["n"]).split("\n")
    assert (column[0], column[-3:]) == ("0        0", ["999    999", "", "… 1000 rows"])
    wide = answer(pandas.DataFrame([range(100)] * 3)).split("\n")
    assert (len(wide), "..." in wide[0], wide[-1]) == (6, True, "… 3 rows, 100 columns")


def test_a_list_or_array_that_is_the_answer_is_given_whole_where_it_is_short() -> None:
    numpy = pytest.importorskip("numpy")
    assert answer(list(range(100))) == str(list(range(100)))
    assert answer({f"k{n}": "x" * 300 for n in range(10)}) == str({f"k{n}": "x" * 300 for n in range(10)})
    assert answer(list(range(1000))).startswith("1,000 items: [0, 1, 2, 3, ")
    assert answer(numpy.eye(2)) == "array([[1., 0.],\n       [0., 1.]])"
    assert answer(numpy.zeros((100, 100))).startswith("array of shape (100, 100), float64, first values [0.0, ")


values = st.recursive(
    st.none() | st.integers() | st.text() | st.binary() | st.floats(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.sets(st.integers()),
)


@given(values, st.integers(30, 500))
def test_any_value_is_described_within_its_budget(value: Any, budget: int) -> None:
    assert len(variable("v", value, budget).text) <= budget
    assert len(answer(value, budget)) <= budget
