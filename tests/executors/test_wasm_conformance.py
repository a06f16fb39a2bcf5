"""The WebAssembly sandbox keeps what every sandbox promises: the conformance list over real Deno, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import wasm_parts
from conformance_list import hold

from smolcell.executors.wasm import WasmExecutor
from smolcell.testing import Check, Trial, checks

pytestmark = pytest.mark.slow  # test_wasm.py has what is Pyodide's own

MISSING = (
    "checkpoint_after_a_limit checkpoint_after_an_error checkpoint_of_variables_and_files checkpoint_twice many_calls_at_once "
    "time_of_threads"
).split()
"""Declared missing: there the named error is what is checked."""
NOT_APPLICABLE = "arrays figures images tables tables_shown tools_and_tables".split()
"""Pyodide comes without numpy, pandas, matplotlib, Pillow."""
EXPECTED = {**dict.fromkeys(MISSING, "declared missing"), **dict.fromkeys(NOT_APPLICABLE, "not applicable")}


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    wasm_parts.installation()
    with Trial(WasmExecutor) as trial:
        yield trial


@pytest.mark.parametrize("check", checks(), ids=str)
def test_wasm(trial: Trial, check: Check) -> None:
    hold(trial, check, EXPECTED.get(check.name, "passed"))
