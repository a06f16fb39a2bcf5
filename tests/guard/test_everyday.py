"""Everyday programs give in the local sandbox, with the magic's imports, what CPython gives: result, output, error."""

from __future__ import annotations

import builtins
import contextlib
import io
from collections.abc import Iterator
from typing import Any

import pytest
from programs_everyday import DATA, STANDARD, blocks

pytest.importorskip("pandas", reason="the programs on data need pandas, numpy and matplotlib")

from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.program import LAST, compile_program
from smolcell.worker.tables import DATA_IMPORTS


@pytest.fixture(scope="module")
def executor() -> Iterator[Any]:
    with LocalPythonExecutor(DATA_IMPORTS, timeout=120) as found:
        yield found


def under_cpython(text: str) -> tuple[str, str, str]:
    """Result, output and the error's type."""
    import asyncio
    import inspect
    import types

    names: dict[str, Any] = {"__name__": "builtins", "__builtins__": builtins}  # where classes of no module are found
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            made = types.FunctionType(compile_program(text, "<agent step 1>", None), names)()
            if inspect.iscoroutine(made):
                asyncio.run(made)
        except Exception as error:
            return "", printed.getvalue(), type(error).__name__
    return repr(names.get(LAST)), printed.getvalue(), ""


@pytest.mark.parametrize("text", [*blocks(STANDARD), *blocks(DATA)], ids=lambda text: text.split("\n")[0][:40])
def test_an_everyday_program_does_what_it_does_under_cpython(
    executor: Any, text: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    value, printed, error = under_cpython(text)
    lines = text.split("\n")
    told = text if error else "\n".join([*lines[:-1], f"shown_ = repr(({lines[-1]}))", "shown_"])
    try:
        result = executor(told)
    except Exception as raised:
        assert (getattr(raised, "exception_type", type(raised).__name__), getattr(raised, "logs", "")) == (
            error,
            printed,
        ), raised
        return
    assert (result.output, result.logs, "") == (value, printed, error)
