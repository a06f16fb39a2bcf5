"""What a sandbox's namespace holds, listed for a person: bounded, and checked on the host."""

from __future__ import annotations

import json
from typing import Any

import pytest

from smolcell.errors import SandboxError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.values import read_listed
from smolcell.worker.runner import variables
from smolcell.worker.wire import frames


def test_variables_are_listed_with_type_shape_size_and_first_rows() -> None:
    with LocalPythonExecutor(["pandas", "numpy"], timeout=60) as executor:
        assert executor.variables() == []  # none was started for this
        executor(
            "import pandas as pd\ndf = pd.DataFrame({'a': range(100)})\nnumbers = [1, 2]\ndef double(x): return 2 * x"
        )
        executor("class Odd:\n    def __repr__(self): raise ValueError('no')\nodd = Odd()")
        found = {one["name"]: one for one in executor.variables() or ()}
    assert sorted(found) == ["Odd", "df", "double", "numbers", "odd"]
    table = json.loads(found["df"].pop("table"))
    assert (found["df"]["type"], found["df"]["shape"], found["df"]["size"] > 100) == ("DataFrame", [100, 1], True)
    assert (table["index"], table["shape"]) == (["0", "1", "2", "3", "4"], [100, 1])
    assert table["rows"] == [[str(n)] for n in range(5)]
    assert (found["numbers"]["text"], found["numbers"]["shape"]) == ("[1, 2]", [2])
    assert "Odd" in found["odd"]["text"]


def test_a_list_is_bounded() -> None:
    many = {f"x{n}": "y" * 10_000 for n in range(1000)}
    found = variables.list_variables(list(many), many)
    assert len(found) == variables.MAX_VARIABLES
    assert max(len(one["text"]) for one in found) < variables.MAX_TEXT_CHARS + 100


GOOD = {"name": "x", "type": "int", "shape": [], "size": 28, "text": "1", "table": ""}


HOSTILE = [{"name": "a b"}, {"name": 1}, {"shape": ["x"]}, {"shape": [1] * 9}, {"size": "1"}, {"size": True}]


@pytest.mark.parametrize("more", [*HOSTILE, {"text": "x" * 600_000}], ids=lambda more: str(more)[:20])
def test_of_a_hostile_list_only_what_is_of_the_agreed_form_is_taken(more: dict[str, Any]) -> None:
    data = frames.dumps([{**GOOD, **more}, {**GOOD, "extra": 1, "text": "\x1b[2J"}, 5])
    assert read_listed((data,)) == [{**GOOD, "text": "\\u{1b}[2J"}]


@pytest.mark.parametrize("blobs", [(), (b"{}",), (b"nothing",)])
def test_an_invalid_list_is_reported(blobs: tuple[bytes, ...]) -> None:
    with pytest.raises(SandboxError, match="invalid list of its variables"):
        read_listed(blobs)
