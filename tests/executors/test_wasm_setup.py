"""What the WebAssembly sandbox lacks is named with what to type; without Deno."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from smolcell.errors import CapabilityError, SetupError
from smolcell.executors.wasm import WasmExecutor


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("", r"needs Deno, which is not installed; run: pip install 'smolcell\[wasm\]'"),
        ("echo deno 1.40.2 '(release)'", r"is Deno 1\.40\.2; the sandbox 'wasm' needs 2\.4 or newer; run: pip install"),
        ("echo hello", r"is not Deno; it prints 'hello\\n'; run: pip install"),
    ],
    ids=["none", "old", "another"],
)
def test_without_a_deno_that_fits_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, told: str
) -> None:
    monkeypatch.setitem(sys.modules, "deno", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    if says:
        (tmp_path / "deno").write_text(f"#!/bin/sh\n{says}\n")
        (tmp_path / "deno").chmod(0o755)
    with WasmExecutor() as executor, pytest.raises(SetupError, match=told):
        executor("1")


@pytest.mark.parametrize("memory", [16, 8192])
def test_memory_that_webassembly_cannot_have_is_refused_by_name(memory: int) -> None:
    with pytest.raises(CapabilityError, match=f"memory={memory} is out of range"):
        WasmExecutor(memory=memory)
