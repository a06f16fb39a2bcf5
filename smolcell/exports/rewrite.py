"""Finds the names that a piece of a program needs, binds, and may change, from its syntax tree.

Sees only names in the text: not those reached otherwise (``globals()``, an alias of the same list).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from smolcell.core.parsing import tree
from smolcell.core.redaction import redact
from smolcell.worker.guard.magics import Magic, to_python

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SHOWING = frozenset({"print", "display", "final_answer"})


def needs(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names that these statements load before they bind them; rather too many than too few."""
    needed: set[str] = set()
    bound: set[str] = set()
    for statement in statements:
        needed |= _needs(statement) - bound
        bound |= binds([statement])
    return needed - {"get_ipython"}  # defined in every cell


def binds(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names that these statements bind in their own scope, not within functions, classes and comprehensions."""
    names: set[str] = set()
    for node in statements:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
                names |= _globals(node)
                continue
            case ast.Name(ctx=ast.Store() | ast.Del()):
                names.add(node.id)
            case ast.alias():
                names.add(node.asname or node.name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case ast.MatchMapping(rest=str(name)):
                names.add(name)
            case _:
                pass
        if isinstance(node, _COMPREHENSIONS):
            names |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
        elif not isinstance(node, ast.Lambda):
            names |= binds(ast.iter_child_nodes(node))
    return names


def touches(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names whose objects these statements may change: by an item, an attribute, ``+=``, or a call as a statement."""
    names: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            match node:
                case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                    names |= _root(node)
                case ast.AugAssign():
                    names |= _root(node.target)
                case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                    names |= _of_call(node.value)
                case ast.Call(keywords=keywords) if any(keyword.arg == "inplace" for keyword in keywords):
                    names |= _of_call(node)
                case _:
                    pass
    return names


def loads(statements: Iterable[ast.AST]) -> set[str]:
    """Return every name that is loaded anywhere in these statements."""
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _needs(node: ast.AST) -> set[str]:
    """Return the names that one node needs, in order of evaluation if that matters."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            needed = _of_function(node)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            needed = _all_needs(ast.iter_child_nodes(node)) - {
                name for comprehension in node.generators for name in binds([comprehension.target])
            }
        case ast.ClassDef():
            needed = _all_needs([*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)])
            needed |= needs(node.body)
        case ast.For() | ast.AsyncFor():
            needed = _needs(node.iter) | (needs([*node.body, *node.orelse]) - binds([node.target]))
        case ast.With() | ast.AsyncWith():
            needed = _all_needs(node.items) | (needs(node.body) - binds(node.items))
        case ast.If() | ast.While():
            needed = _needs(node.test) | needs(node.body) | needs(node.orelse)
        case ast.Try() | ast.TryStar():
            needed = needs([*node.body, *node.orelse, *node.finalbody]) | _all_needs(node.handlers)
        case ast.ExceptHandler():
            needed = (_needs(node.type) if node.type else set()) | (needs(node.body) - {node.name or ""})
        case ast.AugAssign():
            needed = _needs(node.value) | _root(node.target)
        case ast.Name():
            needed = {node.id} if isinstance(node.ctx, ast.Load) else set()
        case _:
            needed = _all_needs(ast.iter_child_nodes(node))
    return needed


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


# --- One approved program as an ordinary cell: the same Python, except for the sandbox's own functions.
#
# * ``final_answer(x)`` assigns the answer. If it ended the program early, it still does.
# * ``asyncio.run(f())`` is awaited, since a notebook already runs an event loop; inside a function it gets a thread.
#
# Everything else is unchanged, character by character.


FINAL = "final_answer"
_INSIDE = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_BARE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)  # statements whose value needs no brackets

RUN_HELPER = '''\
def run_in_thread(coroutine):
    """Run a coroutine in a thread, as this one already runs an event loop."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()'''

FINAL_HELPER = '''\
class FinalAnswer(BaseException):
    """Ends a step after its answer."""


def final_answer(given):
    global {answer}
    {answer} = given
    raise FinalAnswer'''


@dataclass(frozen=True, slots=True)
class Cell:
    """A program as a cell.

    Attributes:
        text: the cell's source, without the features below.
        features: names imported from ``__future__``, which must come first.
        threads: whether it uses ``run_in_thread`` (``RUN_HELPER``).
        ends: whether it uses ``final_answer`` to end early (``FINAL_HELPER``).
    """

    text: str
    features: tuple[str, ...] = ()
    threads: bool = False
    ends: bool = False


class _Edit(NamedTuple):
    start: int  # bytes
    end: int
    text: str


Names = frozenset[tuple[str, str]]


def cell_of(program: str, *, answer: str, final: bool, tool: bool = False, runs: Names = frozenset()) -> Cell:
    """Return the program as a cell.

    Args:
        program: the exact text that ran; it parses.
        answer: the variable for the answer.
        final: whether the program gave the answer when it ran: the answer is then the cell's value.
        tool: ``final_answer`` is the user's own tool, whose result is the answer.
        runs: names by which earlier programs call ``asyncio.run`` (``names_of_run``).
    """
    source = program.replace("\r\n", "\n").replace("\r", "\n")
    source, features = _without_features(source)
    source, threads = _without_runs(source, runs)
    module = _parsed(source)
    if not _mentions(module.body):
        return Cell(source.strip("\n"), features, threads)
    calls = _last_things(module.body)
    if calls is None and tool:
        return Cell(source.strip("\n"), features, threads)
    if calls is None:
        return Cell(_guarded(source, module, answer if final else ""), features, threads, ends=True)
    text = _assigned(source, calls, answer, top=any(map(_is_final, module.body)), tool=tool).strip("\n")
    return Cell(_with_value(text, answer) if final else text, features, threads)


def without_secrets(program: str, redact: Callable[[str], str] = redact) -> tuple[str, bool]:
    """Return the program with secrets redacted, and whether one may be left in it.

    If redacting all of them would break the syntax, only the lines are changed that can be.
    """
    clean = redact(program)
    if clean == program or isinstance(tree(clean), ast.Module):
        return clean, False
    rows = program.split("\n")
    for at, row in enumerate(rows):
        shorter = [*rows[:at], redact(row), *rows[at + 1 :]]
        if shorter != rows and isinstance(tree("\n".join(shorter)), ast.Module):
            rows = shorter
    return "\n".join(rows), True


# --- notebook syntax ---------------------------------------------------------------------------------------------------


def for_ipython(program: str) -> str:
    """Return the program with the calls to which IPython converts notebook syntax, line by line. ``%time`` leaves only the timed code."""
    return to_python(_TIMED_CELL.sub(r"\1", program), _ipython_call)


_TIMED_CELL = re.compile(r"\A(\s*)%%time[ \t]*(?=\n)")


def _ipython_call(magic: Magic) -> str:
    start = f"{magic.target} = " if magic.target else ""
    if magic.name == "!":
        return f"{start}get_ipython().{'getoutput' if start else 'system'}({magic.rest!r})"
    if magic.name == "%time" and magic.rest.strip():
        return start + magic.rest.strip()
    name = magic.name.lstrip("%")
    if magic.name.startswith("%%"):
        return f"get_ipython().run_cell_magic({name!r}, {magic.rest!r}, {magic.body!r})"
    return f"{start}get_ipython().run_line_magic({name!r}, {magic.rest!r})"


# --- final_answer -----------------------------------------------------------------------------------------------------


def _mentions(statements: Iterable[ast.stmt]) -> int:
    nodes = (node for statement in statements for node in ast.walk(statement))
    return sum(isinstance(node, ast.Name) and node.id == FINAL for node in nodes)


def _last_things(body: list[ast.stmt]) -> list[ast.Expr] | None:
    """Return the statements ``final_answer(x)`` that end the program, one per branch that has one.

    None if one of them would end it in the middle of other code, or if the function is used in another way.
    """
    whole = next((at for at, statement in enumerate(body, 1) if _is_final(statement)), len(body))
    nodes = list(_at_the_end(body[:whole]))  # later statements never ran
    return nodes if _mentions(body[:whole]) == len(nodes) else None


def _at_the_end(body: list[ast.stmt]) -> Iterator[ast.Expr]:
    """Yield the final calls at the end of a block, and at the ends of the branches there."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and _is_final(last):
        yield last
    elif isinstance(last, ast.If):
        yield from _at_the_end(last.body)
        yield from _at_the_end(last.orelse)
    elif isinstance(last, (ast.With, ast.AsyncWith)):
        yield from _at_the_end(last.body)


def _is_final(statement: ast.stmt) -> bool:
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return False
    call = statement.value
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg)]
    plain = len(given) == 1 and len(call.args) + len(call.keywords) == 1 and not isinstance(given[0], ast.Starred)
    return plain and isinstance(call.func, ast.Name) and call.func.id == FINAL


def _assigned(source: str, calls: list[ast.Expr], answer: str, *, top: bool, tool: bool) -> str:
    """Return the program with assignments instead of these calls. ``top``: a single call at the top level ends it."""
    lines = _Lines(source)
    edits = []
    for statement in calls:
        call = statement.value
        assert isinstance(call, ast.Call)  # noqa: S101 - as _is_final has seen
        value = call.args[0] if call.args else call.keywords[0].value
        given = lines.text(statement) if tool else _bracketed(value, lines)
        edits.append(_Edit(lines.start(statement), lines.end(statement), f"{answer} = {given}"))
    if len(calls) == 1 and top:
        edits.append(_Edit(lines.end(calls[0]), len(lines), ""))
    return _applied(source, edits)


def _bracketed(value: ast.expr, lines: _Lines) -> str:
    """Return the argument's text, in brackets if it needs them to stand alone."""
    text = lines.text(value)
    bare = value.lineno == value.end_lineno and not isinstance(value, (ast.NamedExpr, ast.Yield, ast.YieldFrom))
    closed = isinstance(value, (ast.Dict, ast.List, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
    own = isinstance(value, ast.Tuple) and text.startswith("(")
    return text if bare or closed or own else f"({text})"


def _with_value(text: str, answer: str) -> str:
    """Append the answer as the cell's value, unless the text is only ``answer = answer``."""
    if text == f"{answer} = {answer}" or text.endswith(f"\n{answer} = {answer}"):
        return text.removesuffix(f" = {answer}")
    return f"{text}\n{answer}"


def _guarded(source: str, module: ast.Module, answer: str) -> str:
    """Return the program as the body of a ``try``; lines within string literals are not indented."""
    within = {
        number
        for node in ast.walk(module)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for number in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }
    rows = [
        row if number in within or not row.strip() else f"    {row}" for number, row in enumerate(source.split("\n"), 1)
    ]
    body = "\n".join(rows).strip("\n")
    return f"try:\n{body}\nexcept FinalAnswer:\n    pass" + (f"\n{answer}" if answer else "")


# --- the event loop ---------------------------------------------------------------------------------------------------


def _without_runs(source: str, known: Names) -> tuple[str, bool]:
    """Replace ``asyncio.run(x)`` and ``loop.run_until_complete(x)``: by ``await`` at the top level, by a thread inside functions.

    Returns the text, and whether it needs ``run_in_thread``.
    """
    module, lines = _parsed(source), _Lines(source)
    names = known | names_of_run(module)
    edits: list[_Edit] = []
    threads = False
    level: list[tuple[ast.AST, ast.AST, bool]] = [(module, module, False)]
    while level:
        node, parent, inside = level.pop()
        if isinstance(node, ast.JoinedStr):
            continue  # before Python 3.12 the positions of its parts are not known
        if isinstance(node, ast.Call) and _runs_loop(node.func, names) and node.args:
            threads = threads or inside
            edits += _run_edits(node, lines, bare=isinstance(parent, _BARE), inside=inside)
        inner = inside or isinstance(node, _INSIDE)
        level += [(child, node, inner) for child in ast.iter_child_nodes(node)]
    return _applied(source, edits), threads


def _run_edits(call: ast.Call, lines: _Lines, *, bare: bool, inside: bool) -> Iterator[_Edit]:
    """Yield the edits before and after the coroutine; the coroutine itself may be edited, too."""
    coroutine = call.args[0]
    before, after = ("run_in_thread(", ")") if inside else ("await ", "") if bare else ("(await ", ")")
    if not inside and not isinstance(coroutine, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)):
        before, after = f"{before}(", f"){after}"
    yield _Edit(lines.start(call), lines.start(coroutine), before)
    yield _Edit(lines.end(coroutine), lines.end(call), after)


def names_of_run(module: ast.Module) -> Names:
    """Return the names of ``asyncio.run`` in and after this program: pairs of a name and its attribute, which may be ""."""
    names = {("asyncio", "run")}
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {(alias.asname, "run") for alias in node.names if alias.name == "asyncio" and alias.asname}
        elif isinstance(node, ast.ImportFrom) and node.module == "asyncio":
            names |= {(alias.asname or alias.name, "") for alias in node.names if alias.name == "run"}
    return frozenset(names)


def _runs_loop(function: ast.expr, names: Names) -> bool:
    if isinstance(function, ast.Attribute):
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        return function.attr == "run_until_complete" or (owner, function.attr) in names
    return isinstance(function, ast.Name) and (function.id, "") in names


# --- text -------------------------------------------------------------------------------------------------------------


def _without_features(source: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without its imports from ``__future__``, and the names that they import."""
    module, lines = _parsed(source), _Lines(source)
    imports = [node for node in module.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    names = dict.fromkeys(alias.name for node in imports for alias in node.names)
    return _applied(source, [_Edit(lines.start(node), lines.end(node), "") for node in imports]), tuple(names)


def _parsed(source: str) -> ast.Module:
    module: ast.Module = compile(source, "<export>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return module


class _Lines:
    """Positions of nodes in a text, in bytes, as Python counts them."""

    def __init__(self, source: str) -> None:
        self._data = source.encode("utf-8", "surrogatepass")
        self._starts = [0]
        for line in self._data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def __len__(self) -> int:
        return len(self._data)

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None  # noqa: S101 - parsed from text
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self._data[self.start(node) : self.end(node)].decode("utf-8", "surrogatepass")


def _applied(source: str, edits: Iterable[_Edit]) -> str:
    data = source.encode("utf-8", "surrogatepass")
    for edit in sorted(edits, reverse=True):
        data = data[: edit.start] + edit.text.encode("utf-8", "surrogatepass") + data[edit.end :]
    return data.decode("utf-8", "surrogatepass")
