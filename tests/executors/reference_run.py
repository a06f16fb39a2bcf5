"""Runs programs under plain CPython, one after the other as a sandbox does: a JSON list on stdin; on stdout a line of JSON for each."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import json
import linecache
import os
import sys
import tempfile
import types
from typing import Any


def run(text: str, name: str) -> str:
    """The text that a program prints; then the name of its error, if it failed."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        kept = [os.dup(number) for number in (1, 2)]
        for number in (1, 2):
            os.dup2(printed.fileno(), number)
        try:
            execute(text, name)
        except BaseException as error:
            print(type(error).__name__)
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)
        printed.seek(0)
        return printed.read()


def execute(text: str, name: str) -> None:
    code = compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    made = types.FunctionType(code, NAMES)()
    if inspect.iscoroutine(made):
        asyncio.run(made)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    module = types.ModuleType("__main__")  # classes of the programs are found here by pickle, dataclasses, typing
    NAMES: dict[str, Any] = vars(module)
    NAMES["__builtins__"] = builtins
    programs = json.load(sys.stdin)
    sys.modules["__main__"] = module
    results = os.fdopen(os.dup(1), "w")
    for number, text in enumerate(programs):
        print(json.dumps(run(text, f"<program {number}>")), file=results, flush=True)
