"""What the tests of the WebAssembly sandbox share: Deno with Pyodide as the documented command installs it."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell.errors import SetupError
from smolcell.executors.wasm import WasmExecutor
from smolcell.executors.wasm.setup import Installation


class UnguardedWasm(WasmExecutor):
    """Without the guard, as for code that has broken it."""

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "guard": False}


def installation() -> Installation:
    """What is installed; a test without it is skipped, which CI does not take."""
    try:
        found = Installation.find()
    except SetupError as error:
        pytest.skip(f"needs Deno and Pyodide: {error}")
    found.prepare()
    return found
