"""The WebAssembly sandbox keeps what every sandbox promises: the conformance list over real Deno, a test for each check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import wasm_parts
from conformance_list import listed

from smolcell.executors.wasm import WasmExecutor
from smolcell.testing import Check, Trial, run_check

pytestmark = pytest.mark.slow  # test_wasm.py has what is Pyodide's own

EXPECTED = {
    "arrays": "not applicable",
    "checkpoint_after_a_limit": "declared missing",
    "checkpoint_after_an_error": "declared missing",
    "checkpoint_of_variables_and_files": "declared missing",
    "checkpoint_twice": "declared missing",
    "figures": "not applicable",
    "images": "not applicable",
    "many_calls_at_once": "declared missing",
    "tables": "not applicable",
    "tables_shown": "not applicable",
    "time_of_threads": "declared missing",
    "tools_and_tables": "not applicable",
}
"""Threads are declared missing: there the named error is what is checked. Pyodide comes without numpy, pandas, matplotlib, Pillow."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    """The checks share sandboxes, as far as one leaves them whole."""
    wasm_parts.installation()
    with Trial(WasmExecutor) as trial:
        yield trial


@pytest.mark.parametrize("check", listed(), ids=str)
def test_wasm(trial: Trial, check: Check) -> None:
    outcome = run_check(trial, check)
    assert outcome.state == EXPECTED.get(check.name, "passed"), str(outcome)
