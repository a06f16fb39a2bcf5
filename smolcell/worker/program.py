"""One program: parsed, guarded, compiled, run; and its errors told with its own lines only.

The rules this file exists to keep:

* Code runs with CPython's semantics, in a namespace that is kept between steps.
* The value of the last expression is the program's value; ``await`` works at the top level.
* A traceback shows the agent's lines and nothing of the sandbox's own.
"""

from __future__ import annotations

import ast
import linecache
from typing import Any

from .guard import Guard, Refusal
from .modules import ForbiddenError
from .values import clean

LAST = "__smolcell_last__"
FILE = "<agent step {}>"
MAX_MESSAGE = 4000
MAX_TRACEBACK = 8000


class FinalAnswer(BaseException):
    """Raised by ``final_answer`` to end the step; the value was recorded before."""


def remember(step: int, source: str) -> str:
    """Make the step's lines known to tracebacks and ``inspect``; returns its file name.

    Steps of a later run may have the same number: their name gets a mark, so that older functions keep their lines.
    """
    name = FILE.format(step)
    while name in linecache.cache:
        name = name[:-1] + "'>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    return name


def compile_program(source: str, name: str, guard: Guard | None) -> Any:
    """The program as a code object; its last expression is kept under ``LAST``.

    Raises:
        SyntaxError: it is not Python.
        Refusal: the guard refuses it.
    """
    tree = ast.parse(source, name)
    if guard is not None:
        tree = guard.check(tree)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        target = ast.copy_location(ast.Name(id=LAST, ctx=ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign(targets=[target], value=last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(tree, name, "exec", flags=flags, dont_inherit=True)


def bound_names(source: str) -> list[str]:
    """Names a program binds at its top level, whether or not it gets there."""
    found: dict[str, None] = {}
    level: list[ast.AST] = list(ast.parse(source).body)
    for node in level:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = None
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif isinstance(node, ast.alias):
            found[node.asname or node.name.partition(".")[0]] = None
        if not isinstance(node, _SCOPES):
            level.extend(ast.iter_child_nodes(node))
    return list(found)


_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _own_lines(error: BaseException) -> list[dict[str, Any]]:
    lines = []
    at = error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if code.co_filename.startswith("<agent step "):
            lines.append({"file": code.co_filename, "line": at.tb_lineno, "name": code.co_name})
        at = at.tb_next
    return lines


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception as inner:
        text = f"<the error's own text failed: {type(inner).__name__}>"
    if len(text) > MAX_MESSAGE:
        text = text[:MAX_MESSAGE] + f"… [{len(text):,} characters]"
    return clean(text)


def _trace_text(error: BaseException, lines: list[dict[str, Any]], name: str) -> str:
    shown = lines if len(lines) <= 20 else [*lines[:8], None, *lines[-8:]]
    text = ["Traceback (most recent call last):"] if lines else []
    for place in shown:
        if place is None:
            text.append(f"  … {len(lines) - 16} more")
            continue
        text.append('  File "{file}", line {line}, in {name}'.format(**place))
        source = linecache.getline(place["file"], place["line"]).strip()
        if source:
            text.append("    " + source[:500])
    text.append(f"{name}: {_message(error)}")
    return "\n".join(text)


def fault(error: BaseException, memory: int = 0) -> dict[str, Any]:
    """Why a program failed, as the wire's fault.

    Args:
        error: what it raised.
        memory: the memory limit in MB, to be named where it was reached.
    """
    name = clean(type(error).__name__[:200])
    if isinstance(error, Refusal):
        return _fault("forbidden", "ForbiddenError", _message(error), error.line, "")
    if isinstance(error, SyntaxError) and (error.filename or "").startswith("<agent step "):
        return _syntax_fault(error, name)
    lines = _own_lines(error)
    line = lines[-1]["line"] if lines else 0
    traceback = _trace_text(error, lines, name)[-MAX_TRACEBACK:]
    if isinstance(error, ForbiddenError):
        return _fault("forbidden", "ForbiddenError", _message(error), line, traceback)
    if isinstance(error, MemoryError):
        text = "the step reached the memory limit of {} MB. A higher limit: memory=…".format(memory or "?")
        return _fault("limit", "MemoryError", text, line, traceback)
    return _fault("python", name, _message(error), line, traceback)


def _syntax_fault(error: SyntaxError, name: str) -> dict[str, Any]:
    line = error.lineno or 0
    source = linecache.getline(error.filename or "", line).rstrip()
    shown = f'File "{error.filename}", line {line}\n    {source.strip()[:500]}'
    if source.strip() and error.offset:
        indent = len(source) - len(source.lstrip())
        shown += "\n    " + " " * max(0, min(error.offset - 1 - indent, 500)) + "^"
    message = clean(str(error.msg))
    return _fault("python", name, message, line, f"{shown}\n{name}: {message}")


def _fault(kind: str, name: str, message: str, line: int, traceback: str) -> dict[str, Any]:
    return {"kind": kind, "type": name, "message": message, "line": line, "traceback": clean(traceback)}
