"""A guarded namespace in this process, in which programs run as the worker's runner runs them; and programs as data."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import re
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ForbiddenError, ModuleViews
from smolcell.worker.guard.transformer import LAST_VALUE_NAME, Guard, compile_program, guarded_builtins
from smolcell.worker.runner import errors

HERE = Path(__file__).parent
TITLE = re.compile(r"(.+?)(?: \[imports (.+)\])?(?: \[python (\d+)\.(\d+)\])?")


class Taken(Exception):
    """A program got hold of something, and handed it to ``leak``."""


class Unwalled(LocalPythonExecutor):
    """Without the operating system's walls, so that nothing but guard and hook can have refused."""

    def _options(self) -> dict[str, Any]:
        options = super()._options()
        without = ["namespaces", "landlock", "seccomp", "identity", "privileges"]
        return {**options, "jail": {**options["jail"], "without": without}}


class Session:
    """A namespace and its steps.

    Args:
        imports: modules that are authorised besides the standard ones.
        folder: the work folder.
        guard: what checks the programs; None for plain CPython.
    """

    def __init__(self, *imports: str, folder: str = "/nonexistent", guard: type[Guard] | None = Guard) -> None:
        self.guard = guard
        self.module_views = ModuleViews([*tables.DEFAULT_IMPORTS, *imports])
        self.module = types.ModuleType("__main__")
        self.names: dict[str, Any] = self.module.__dict__
        self.names["__builtins__"] = builtins if guard is None else guarded_builtins(self.module_views, folder)
        self.names["display"] = lambda *shown: None
        self.names["leak"] = leak

    def run(self, code: str) -> Any:
        """Run a program; returns the value of its last expression."""
        guard = None if self.guard is None else self.guard(self.module_views, (), self.names)
        with self.as_main():
            compiled = compile_program(code, errors.remember(1, code), guard)
            made = types.FunctionType(compiled, self.names)()
            if inspect.iscoroutine(made):
                self.wait(made)
        return self.names.pop(LAST_VALUE_NAME, None)

    wait: Any = staticmethod(asyncio.run)

    @contextmanager
    def as_main(self) -> Iterator[None]:
        """While the block runs, this is the module ``__main__``."""
        before = sys.modules["__main__"]
        sys.modules["__main__"] = self.module
        try:
            yield
        finally:
            sys.modules["__main__"] = before


def leak(value: Any) -> None:
    """What a program calls when it holds what it must not hold."""
    raise Taken(repr(value)[:200])


def refused(code: str, *imports: str) -> str:
    """The guard's words about a program that it refuses, before it runs or as it runs."""
    with pytest.raises(ForbiddenError) as caught:
        Session(*imports).run(code)
    return str(caught.value)


# --- programs as data -----------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A program of a file, and how it ends: ``=> value``, ``=! how the error begins``, or empty for any error."""

    file: str
    code: str
    imports: tuple[str, ...]
    end: str

    @property
    def value(self) -> Any:
        """The value that its last expression has."""
        return ast.literal_eval(self.end.removeprefix("=> "))


def cases(*paths: str) -> pytest.MarkDecorator:
    """Parametrizes a test with ``case``: those of these files, or of all files of these folders, beside the tests.

    A file begins with what each of its programs begins with. A case is ``## its title``, its program and how it ends; where
    there is no program, the title is one. After the title may stand ``[imports os sys]``, which are authorised, and the first
    version of Python that has it, ``[python 3.12]``.
    """
    files = [file for path in paths for file in (sorted((HERE / path).glob("*.txt")) or [HERE / path])]
    found = [pytest.param(case, id=f"{file.stem}: {title}") for file in files for title, case in _read(file)]
    return pytest.mark.parametrize("case", found)


def _read(file: Path) -> Iterator[tuple[str, Case]]:
    head, *parts = re.split("^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    prelude = "".join(f"{line}\n" for line in head.splitlines() if line and not line.startswith("#"))
    for part in parts:
        first, *lines = part.strip().splitlines()
        matched = TITLE.fullmatch(first)
        assert matched is not None
        title, imports, *version = matched.groups()
        end = lines.pop() if lines and lines[-1].startswith(("=> ", "=! ")) else ""
        assert not [line for line in lines if line.startswith("=")], f"{file.name}: {title}"
        if version[0] is None or sys.version_info >= tuple(map(int, version)):
            code = prelude + "\n".join(lines or [title])
            yield title, Case(file.stem, code, tuple((imports or "").split()), end)
