"""Everyday programs do under the guard what they do under CPython: the same output, the same error."""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextlib
import inspect
import io
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import pytest
from guarded import Session


def programs() -> list[str]:
    """The paragraphs of ``everyday.txt``; its last part needs Python 3.12."""
    text = (Path(__file__).parent / "everyday.txt").read_text(encoding="utf-8")
    if sys.version_info < (3, 12):
        text = text.partition("#### from Python 3.12")[0]
    return [part for part in text.strip().split("\n\n") if not part.startswith("####")]


PROGRAMS = programs()


def plain(code: str) -> None:
    """Run a program as CPython does, with ``await`` at the top."""
    module = types.ModuleType("__main__")
    vars(module)["__builtins__"] = builtins
    before, sys.modules["__main__"] = sys.modules["__main__"], module
    try:
        compiled = compile(code, "<agent step 1>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        made = types.FunctionType(compiled, vars(module))()
        if inspect.iscoroutine(made):
            asyncio.run(made)
    finally:
        sys.modules["__main__"] = before


def told(run: Any, code: str) -> str:
    """What a program printed, and how it ended."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run(code)
        except Exception as error:
            shown.write(f"{type(error).__name__}: {error}")
    return shown.getvalue()


@pytest.mark.parametrize("code", PROGRAMS)
def test_a_program_does_what_it_does_under_cpython(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = told(plain, code)
    assert told(Session(folder=str(tmp_path)).run, code) == expected
    assert "SyntaxError" not in expected


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= 150
