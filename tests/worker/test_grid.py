"""A DataFrame as rows of text, for the page that draws it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from smolcell.worker.runner.display import MIME, grid, mime_bundle

pandas = pytest.importorskip("pandas")


class Hostile:
    def __repr__(self) -> str:
        raise ValueError("no")


def read(frame: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(grid(frame))
    return made


def test_cells_are_as_pandas_prints_them() -> None:
    frame = pandas.DataFrame({"n": [0.5, None, 3.25], "s": ["a\nb", "<b>", " \u202e "]}, index=["x", 1, (2, "y")])

    assert read(frame) == {
        "columns": ["n", "s"],
        "index": ["x", "1", "2, y"],
        "rows": [["0.50", "a\\nb"], ["NaN", "<b>"], ["3.25", "\u202e"]],
        "numeric": [True, False],
        "shape": [3, 2],
        "gap": [0, 0],
    }


def test_a_long_and_wide_table_is_its_beginning_and_its_end() -> None:
    made = read(pandas.DataFrame([[100 * row + column for column in range(60)] for row in range(90)]))

    assert (made["shape"], made["gap"]) == ([90, 60], [20, 20])
    assert made["index"] == [str(row) for row in (*range(20), *range(85, 90))]
    assert made["rows"][-1] == [str(8900 + column) for column in (*range(20), *range(55, 60))]


def test_a_cell_is_its_beginning() -> None:
    made = read(pandas.DataFrame({"a" * 999: ["z" * 9999]}))

    assert made["columns"] == ["a" * 199 + "\u2026"]
    assert len(made["rows"][0][0]) == 200


@pytest.mark.parametrize("value", [3, "text", [1], None])
def test_what_is_no_table_has_no_grid(value: Any) -> None:
    assert grid(value) == ""


def test_a_table_without_cells_and_a_series_have_none() -> None:
    assert grid(pandas.DataFrame()) == grid(pandas.DataFrame(index=[1])) == grid(pandas.Series([1])) == ""


def test_a_cell_whose_repr_fails_costs_no_more_than_the_grid() -> None:
    assert MIME not in (mime_bundle(pandas.DataFrame({"a": [Hostile()]})) or {})
    assert MIME in (mime_bundle(pandas.DataFrame({"a": [1]})) or {})
