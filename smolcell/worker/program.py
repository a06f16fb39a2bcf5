"""One program: parsed, guarded and compiled.

The rules this file exists to keep:

* Code runs with CPython's semantics, in a namespace that is kept between steps.
* The value of the last expression is the program's value; ``await`` works at the top level.
"""

from __future__ import annotations

import ast
from typing import Any

from .guard import Guard, deep_nesting

LAST = "__smolcell_last__"
_DEPTH = 6_000  # levels of a tree that is compiled; those of a text are fewer


class FinalAnswer(BaseException):
    """Raised by ``final_answer`` to end the step; the value was recorded before."""


def compile_program(source: str, name: str, guard: Guard | None) -> Any:
    """The program as a code object; its last expression is kept under ``LAST``.

    Raises:
        SyntaxError: it is not Python.
        Refusal: the guard refuses it.
    """
    with deep_nesting():
        tree = ast.parse(source, name)
    if guard is not None:
        tree = guard.check(tree)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        target = ast.copy_location(ast.Name(id=LAST, ctx=ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign(targets=[target], value=last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with deep_nesting(_DEPTH):
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
