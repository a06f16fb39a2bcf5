"""What numpy, pandas, matplotlib, pyarrow and Pillow do with names that a program hands them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from guarded import Case, Unwalled, cases

from smolcell.errors import InterpreterError

NEEDED = {"matplotlib": "matplotlib", "PIL": "PIL", "pyarrow": "pyarrow", "scipy": "scipy", "style": "jinja2"}


@pytest.fixture(scope="module")
def lab() -> Iterator[Unwalled]:
    pytest.importorskip("pandas")
    executor = Unwalled(["numpy.*", "pandas.*", "matplotlib.*", "pyarrow.*", "PIL.*", "scipy.*"], timeout=60)
    yield executor
    executor.close()


@pytest.fixture(autouse=True)
def _needed(case: Case) -> None:
    for word, module in NEEDED.items():
        if word in case.code:
            pytest.importorskip(module)


@cases("data_libraries/refused.txt")
def test_a_library_does_not_reach_for_a_program(lab: Unwalled, case: Case) -> None:
    for level in range(12) if "@LEVEL" in case.code else (0,):
        with pytest.raises(InterpreterError) as caught:
            lab(case.code.replace("@LEVEL", str(level)))
        assert "TAKEN" not in caught.value.logs
        if "@LEVEL" not in case.code:
            assert re.search("orbidden|Cannot change|is not allowed", str(caught.value))


@cases("data_libraries/works.txt")
def test_what_data_scientists_do_by_name_works(lab: Unwalled, case: Case) -> None:
    assert lab(case.code).output == case.value
