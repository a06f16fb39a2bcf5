"""Which names a piece of a program needs from before, binds, and may change. Read off its syntax tree.

It goes by what is written: a name that is reached by other ways (``globals()``, an alias of the same list) is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SHOWING = frozenset({"print", "display", "final_answer"})


def needs(statements: Iterable[ast.AST]) -> set[str]:
    """The names that these statements load and that nothing among them binds before; too many rather than too few."""
    needed: set[str] = set()
    bound: set[str] = set()
    for statement in statements:
        needed |= _needs(statement) - bound
        bound |= binds([statement])
    return needed


def binds(statements: Iterable[ast.AST]) -> set[str]:
    """The names that these statements bind where they stand; not those inside of functions, classes and comprehensions."""
    found: set[str] = set()
    for node in statements:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
                found |= _globals(node)
                continue
            case ast.Name(ctx=ast.Store() | ast.Del()):
                found.add(node.id)
            case ast.alias():
                found.add(node.asname or node.name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _:
                pass
        if isinstance(node, _COMPREHENSIONS):
            found |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
        elif not isinstance(node, ast.Lambda):
            found |= binds(ast.iter_child_nodes(node))
    return found


def touches(statements: Iterable[ast.AST]) -> set[str]:
    """The names whose objects these statements may change: by an item, an attribute, ``+=``, or a call that is made for its effect."""
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            match node:
                case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                    found |= _root(node)
                case ast.AugAssign():
                    found |= _root(node.target)
                case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                    found |= _of_call(node.value)
                case ast.Call(keywords=keywords) if any(keyword.arg == "inplace" for keyword in keywords):
                    found |= _of_call(node)
                case _:
                    pass
    return found


def loads(statements: Iterable[ast.AST]) -> set[str]:
    """Every name that is loaded anywhere in these statements."""
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _needs(node: ast.AST) -> set[str]:
    """What one node needs, its own order of evaluation kept where that matters."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            found = _of_function(node)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            found = _all_needs(ast.iter_child_nodes(node)) - {
                name for comprehension in node.generators for name in binds([comprehension.target])
            }
        case ast.ClassDef():
            found = _all_needs([*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)])
            found |= needs(node.body)
        case ast.For() | ast.AsyncFor():
            found = _needs(node.iter) | (needs([*node.body, *node.orelse]) - binds([node.target]))
        case ast.With() | ast.AsyncWith():
            found = _all_needs(node.items) | (needs(node.body) - binds(node.items))
        case ast.If() | ast.While():
            found = _needs(node.test) | needs(node.body) | needs(node.orelse)
        case ast.Try() | ast.TryStar():
            found = needs([*node.body, *node.orelse, *node.finalbody]) | _all_needs(node.handlers)
        case ast.ExceptHandler():
            found = (_needs(node.type) if node.type else set()) | (needs(node.body) - {node.name or ""})
        case ast.AugAssign():
            found = _needs(node.value) | _root(node.target)
        case ast.Name():
            found = {node.id} if isinstance(node.ctx, ast.Load) else set()
        case _:
            found = _all_needs(ast.iter_child_nodes(node))
    return found


def _all_needs(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for node in nodes for name in _needs(node)}


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    given = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
    before: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    if isinstance(node, ast.Lambda):
        return _all_needs(before) | (_needs(node.body) - given)
    return (
        _all_needs([*before, *node.decorator_list])
        | (_all_needs(node.body) - given - binds(node.body))
        | _globals(node)
    )


def _globals(node: ast.AST) -> set[str]:
    return {name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names}


def _of_call(call: ast.AST) -> set[str]:
    inner = call.value if isinstance(call, ast.Await) else call
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in _SHOWING:
        return set()
    return loads([call])


def _root(node: ast.AST) -> set[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
