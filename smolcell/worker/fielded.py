"""The text that ``dataclasses`` makes of a class's fields, run only if it is what names of fields make.

The rules this file exists to keep:

* What is evaluated while functions are defined (annotations, defaults, decorators) is a name that ``dataclasses`` hands in.
* A name in a function's body is a parameter, of its own or handed in, or one of a few builtins: no global is read, whose
  they may be, since a program chooses the module of its class.
* A kind of node that its templates do not hold is refused: a field's name is then no name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .lookups import JUDGED, check_attribute
from .modules import ForbiddenError

_NODES = frozenset(
    """
    Add And Assign Attribute BinOp BoolOp Call Compare Constant Eq Expr FormattedValue FunctionDef Gt GtE If IfExp In Is JoinedStr
    Load Lt LtE Module Name NotEq Or Pass Raise Return Set Store Tuple arg arguments
    """.split()
)
_BUILTINS = frozenset("FrozenInstanceError NotImplemented hash super type".split())
_OBJECTS = frozenset("__dataclass_self__ other self".split())
_ATTRIBUTES = frozenset("__class__ __delattr__ __setattr__".split())
_CHAINS = frozenset({("__class__", "__qualname__"), ("object", "__setattr__")})


def run(text: str, names: Any = None, local: Any = None) -> None:
    """What ``exec`` is to ``dataclasses``.

    Raises:
        ForbiddenError: the name of a field is more than a name.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if type(node).__name__ not in _NODES:
            raise ForbiddenError(f"Forbidden field of a dataclass: its name is not a name ({type(node).__name__})")
        if isinstance(node, ast.Attribute):
            _check_attribute(node)
    for outer in tree.body:
        _check_function(outer, frozenset())
        handed = _parameters(outer)
        for inner in outer.body:  # type: ignore[attr-defined]
            if not isinstance(inner, ast.Return):
                _check_function(inner, handed)
                known = handed | _parameters(inner) | _BUILTINS
                _check_names((each for part in inner.body for each in ast.walk(part)), known)
    exec(compile(tree, "<string>", "exec", dont_inherit=True), names, local)


def _check_function(node: ast.AST, handed: frozenset[str]) -> None:
    """Refuse what is no function, and one whose definition evaluates more than names that are handed in."""
    if not isinstance(node, ast.FunctionDef):
        raise ForbiddenError("Forbidden field of a dataclass: its name is not a name")
    evaluated = (node.args, node.returns, *node.decorator_list)
    for part in (each for root in evaluated if root is not None for each in ast.walk(root)):
        if isinstance(part, ast.Name) and part.id not in handed:
            raise ForbiddenError(f"Forbidden name in a dataclass: {part.id}")
        if (
            isinstance(part, ast.expr)
            and not isinstance(part, (ast.Name, ast.Constant))
            and part not in node.decorator_list
        ):
            raise ForbiddenError("Forbidden field of a dataclass: its name is not a name")


def _parameters(node: Any) -> frozenset[str]:
    return frozenset(each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))


def _check_names(nodes: Iterator[ast.AST], known: frozenset[str]) -> None:
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in known:
            raise ForbiddenError(f"Forbidden name in a dataclass: {node.id}")
        if isinstance(node, ast.FunctionDef):
            raise ForbiddenError("Forbidden field of a dataclass: its name is not a name")


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr not in _ATTRIBUTES:
        check_attribute(node.attr)
    value = node.value
    if isinstance(value, ast.Name):
        open_ = value.id in _OBJECTS or node.attr not in JUDGED or node.attr in _ATTRIBUTES
    elif isinstance(value, ast.Attribute):
        open_ = (value.attr, node.attr) in _CHAINS
    else:
        open_ = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "super"
    if not open_:
        raise ForbiddenError(f"Forbidden attribute in a dataclass: {node.attr}")
