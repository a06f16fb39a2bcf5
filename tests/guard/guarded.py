"""A guarded namespace in this process: programs run in it as the worker's runner runs them."""

from __future__ import annotations

import asyncio
import inspect
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ForbiddenError, ModuleViews
from smolcell.worker.guard.transformer import LAST_VALUE_NAME, Guard, compile_program, guarded_builtins


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
    """

    def __init__(self, *imports: str, folder: str = "/nonexistent") -> None:
        self.module_views = ModuleViews([*tables.DEFAULT_IMPORTS, *imports])
        self.module = types.ModuleType("__main__")
        self.names: dict[str, Any] = self.module.__dict__
        self.names["__builtins__"] = guarded_builtins(self.module_views, folder)
        self.names["display"] = lambda *shown: None
        self.names["leak"] = leak

    def run(self, code: str) -> Any:
        """Run a program; returns the value of its last expression."""
        with self._as_main():
            compiled = compile_program(code, "<agent step 1>", Guard(self.module_views, (), self.names))
            made = types.FunctionType(compiled, self.names)()
            if inspect.iscoroutine(made):
                asyncio.run(made)
        return self.names.pop(LAST_VALUE_NAME, None)

    @contextmanager
    def _as_main(self) -> Iterator[None]:
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


def stopped(code: str, *imports: str) -> BaseException:
    """How a program ends that is after something it must not hold: any error but ``Taken``."""
    with pytest.raises(Exception) as caught:
        Session(*imports).run(code)
    assert not isinstance(caught.value, Taken), caught.value
    return caught.value


def paragraphs(text: str) -> dict[str, str]:
    """Programs by name: each begins with a line ``## its name``."""
    parts = [part.partition("\n") for part in text.strip().removeprefix("## ").split("\n## ")]
    return {name: code.strip() for name, _, code in parts}
