"""Text that a library compiles for agent code (``df.query``, ``sympify``, ``timeit``): judged as a program would be.

The rules this file exists to keep:

* A name or attribute that the guard denies to a program is denied in text, whoever compiles it.
* Text is not rewritten, so what the guard makes safe by rewriting (``getattr``, ``format``) is denied as well.
* What is no Python is let through: compiling it fails by itself.
"""

from __future__ import annotations

import ast
from typing import Any, Callable

from . import tables
from .lookups import check_attribute, is_dunder
from .modules import ForbiddenError

ACCESSORS = frozenset(
    """
    __import__ breakpoint compile delattr eval exec getattr globals hasattr input locals memoryview open setattr super
    type vars
    """.split()
)
DENIED = tables.DENIED_BUILTINS | ACCESSORS | tables.MODULE_ATTRIBUTES
COLUMNS = tables.MODULE_ATTRIBUTES  # names that a table's columns may have: what df.query reads are columns first
NUMERIC = frozenset({"numpy", "scipy", "mpmath", "sympy", "math", "cmath"})  # what libraries themselves import in text
MAX_TEXT = 1 << 20  # characters
_walk, _parse = ast.walk, ast.parse


def check(text: Any, package: str, allows: Callable[[str], bool]) -> None:
    """Refuse text that names what a program must not name.

    Args:
        text: what is to be compiled.
        package: of the library that compiles it; it may import its own parts.
        allows: whether an import is authorised.

    Raises:
        ForbiddenError: it does, or it is longer than a mebibyte.
    """
    source = text if isinstance(text, str) else str(bytes(text), "utf-8", "replace")
    if len(source) > MAX_TEXT:
        raise ForbiddenError(f"Forbidden text to compile: {len(source):,} characters are more than {MAX_TEXT:,}")
    try:
        tree = _parse(source.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in _walk(tree):
        _check(node, package, allows)


def _check(node: ast.AST, package: str, allows: Callable[[str], bool]) -> None:
    if isinstance(node, ast.Name):
        if (node.id in DENIED and not (package == "pandas" and node.id in COLUMNS)) or (
            is_dunder(node.id) and node.id not in tables.SAFE_DUNDERS
        ):
            raise ForbiddenError(f"Forbidden name in text that is compiled: {node.id}")
    elif isinstance(node, ast.Attribute):
        _attribute(node.attr)
    elif isinstance(node, ast.Constant) and type(node.value) is str:
        if is_dunder(node.value):  # templates pass names on as text
            _attribute(node.value)
    elif isinstance(node, ast.Import):
        for item in node.names:
            _import(item.name, package, allows)
    elif isinstance(node, ast.ImportFrom):
        _import(node.module or "", package, allows)


def _attribute(name: str) -> None:
    if check_attribute(name) in tables.FORMAT_ATTRIBUTES | tables.FILE_ATTRIBUTES | tables.MODULE_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden attribute in text that is compiled: {name}")


def _import(name: str, package: str, allows: Callable[[str], bool]) -> None:
    top = name.partition(".")[0]
    if not (allows(name) or top in NUMERIC or (package and top == package)):
        raise ForbiddenError(f"Import of {name} is not allowed in text that is compiled")
