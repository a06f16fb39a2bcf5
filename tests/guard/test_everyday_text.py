"""Small everyday programs print under the guard what they print under CPython; no library but the standard one is needed."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import inspect
import io
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from guarded import Session

from smolcell.worker.guard.transformer import compile_program
from smolcell.worker.runner import errors

SECTIONS = [part.partition("\n") for part in (Path(__file__).parent / "everyday.txt").read_text().split("#### ")[1:]]
PROGRAMS = [
    (f"{name} {number}", program)
    for name, _, text in SECTIONS
    if not (name.startswith("from Python 3.12") and sys.version_info < (3, 12))
    for number, program in enumerate(part for part in text.split("\n\n") if part.strip())
]


def printed(run: Any) -> str:
    """What a program prints, and the error that ends it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            run()
        except Exception as error:
            return f"{out.getvalue()}{type(error).__name__}: {error}"
    return out.getvalue()


def under_cpython(program: str, name: str) -> None:
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    before, sys.modules["__main__"] = sys.modules["__main__"], main
    try:
        made = types.FunctionType(compile_program(program, name, None), main.__dict__)()
        if inspect.iscoroutine(made):
            asyncio.run(made)
    finally:
        sys.modules["__main__"] = before


@pytest.mark.parametrize("program", [program for _, program in PROGRAMS], ids=[name for name, _ in PROGRAMS])
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)  # files left open
def test_a_small_program_prints_what_it_prints_under_cpython(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = program.strip("\n")
    name = errors.remember(1, program)
    assert printed(lambda: Session(folder=str(tmp_path)).run(program)) == printed(lambda: under_cpython(program, name))
