"""Syntax nodes with which the guard replaces nodes of a program.

* A replacement does what the original did; if the name alone does not decide, it calls a hidden function that checks.
* A program can neither read nor bind a hidden name: ``Guard`` refuses it in every place that takes a name.
* A class body declares the hidden names global, so that a namespace from ``__prepare__`` cannot provide them.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

HIDDEN = "__smolcell_"
READ = "__smolcell_read__"
FORMAT = "__smolcell_plain__"
GETATTR = "__smolcell_getattr__"
MATCHED = "__smolcell_matched__"
SETTLED = "__smolcell_settled__"
TARGET = "__smolcell_target__"
GROUPS = "__smolcell_groups__"
AUGMENTED = "__smolcell_augmented__"
OWNED = "__smolcell_owned__"
SHUT = "__smolcell_shut__"
TYPE = "__smolcell_type__"
STR = "__smolcell_str__"
HELPERS = (READ, FORMAT, GETATTR, MATCHED, SETTLED, TARGET, GROUPS, AUGMENTED, OWNED, SHUT, TYPE, STR)

_numbers = itertools.count()


def load(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(func=load(name), args=list(args), keywords=[])


def _copy_location(new: ast.expr, node: ast.AST) -> Any:
    return ast.copy_location(new, node)


def check_read(node: ast.Attribute) -> Any:
    """Return ``value.name`` checked at run time; for attributes that the name alone does not allow or refuse."""
    judged = _copy_location(_call(READ, node.value, ast.Constant(value=node.attr)), node)
    if node.attr == "format" and isinstance(node.value, ast.Name):
        is_text = ast.Compare(left=_call(TYPE, load(node.value.id)), ops=[ast.Is()], comparators=[load(STR)])
        is_plain = ast.Compare(left=load(node.value.id), ops=[ast.In()], comparators=[load(FORMAT)])
        test = ast.BoolOp(op=ast.And(), values=[is_text, is_plain])
        return _copy_location(ast.IfExp(test=test, body=node, orelse=judged), node)
    return judged


def check_target(value: ast.expr) -> Any:
    """Return ``value`` checked at run time, for setting or deleting one of its attributes."""
    checked = _call(TARGET, value)
    if isinstance(value, ast.Name):
        return _copy_location(ast.IfExp(test=_test_type(value.id, ast.NotIn()), body=value, orelse=checked), value)
    return _copy_location(checked, value)


def check_owned(value: ast.expr, name: str) -> Any:
    """Return ``value`` checked at run time, for setting or deleting an attribute that is read-only on some types."""
    return _copy_location(_call(OWNED, value, ast.Constant(value=name)), value)


def check_groups(handled: ast.expr) -> Any:
    """Return the class of an ``except*`` clause, checked at run time."""
    return _copy_location(_call(GROUPS, handled), handled)


def check_augmented(value: ast.expr) -> Any:
    """Return ``value`` of ``value.attribute += …`` checked at run time, if the name alone does not decide."""
    return _copy_location(_call(AUGMENTED, value), value)


def _test_type(name: str, operator: ast.cmpop) -> ast.Compare:
    return ast.Compare(left=_call(TYPE, load(name)), ops=[operator], comparators=[load(SHUT)])


def check_parameter(node: Any, name: str) -> None:
    """Check a parameter once, at the start of its function, instead of at each store."""
    check = ast.If(test=_test_type(name, ast.In()), body=[ast.Expr(value=_call(TARGET, load(name)))], orelse=[])
    node.body.insert(_body_start(node.body), ast.copy_location(check, node))


def declare_hidden(node: ast.ClassDef) -> None:
    """Let a class body read the hidden names as globals."""
    node.body.insert(_body_start(node.body), ast.copy_location(ast.Global(names=list(HELPERS)), node))


def _body_start(body: list[ast.stmt]) -> int:
    first = body[0] if body else None
    documented = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return 1 if documented else 0


def check_matched(case: Any, patterns: list[Any]) -> tuple[list[str], Any]:
    """Let the class patterns of a case use checked classes; returns the new names and a case to insert before it.

    The inserted case never matches: its guard checks the classes when they are tried. A second name keeps the class that was
    checked, and only a different class is checked again: usually a match costs one comparison.
    """
    names, checks = [], []
    for pattern in patterns:
        number = next(_numbers)
        name, kept = f"{HIDDEN}class{number}__", f"{HIDDEN}kept{number}__"
        same = ast.Compare(left=load(kept), ops=[ast.Is()], comparators=[pattern.cls])
        checked = _bind(kept, _call(SETTLED, _bind(name, _call(MATCHED, pattern.cls))))
        checks.append(_copy_location(ast.IfExp(test=same, body=ast.Constant(value=None), orelse=checked), pattern))
        pattern.cls = _copy_location(load(name), pattern)
        names += [name, kept]
    never = ast.UnaryOp(op=ast.Not(), operand=ast.Tuple(elts=checks, ctx=ast.Load()))
    before = type(case)(pattern=ast.MatchAs(), guard=_copy_location(never, patterns[0]), body=[ast.Pass()])
    ast.copy_location(before.pattern, patterns[0])
    return names, before


def _bind(name: str, value: ast.expr) -> ast.NamedExpr:
    return ast.NamedExpr(target=ast.Name(id=name, ctx=ast.Store()), value=value)


def bind_hidden(tree: ast.Module, names: list[str]) -> None:
    """Insert an assignment of the hidden names at the start of a program."""
    if not names:
        return
    targets: list[ast.expr] = [ast.Name(id=name, ctx=ast.Store()) for name in names]
    at = _body_start(tree.body)
    while at < len(tree.body) and _is_future(tree.body[at]):
        at += 1
    tree.body.insert(at, ast.Assign(targets=targets, value=ast.Constant(value=None)))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
