"""Whether an executed step produced a run's answer, or only the model's words did. Pure, and total.

An answer is computed if ``final_answer`` got a value that is no literal of its own program; or if each number of it, or its text
if it has none, stands in an observation, in the description of a variable, or in the task. Numbers may be rounded, or in percent.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from smolcell.core.parsing import tree
from smolcell.events import Allowed, Asked, History, Observed

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_DATE = re.compile(r"(?<![0-9.])[0-9]{1,4}(?P<mark>[-./])[0-9]{1,2}(?P=mark)[0-9]{1,4}(?![0-9])")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9]{1,6}(?![0-9,]))")
_MAX_CHARS = 200_000  # characters of a text that are searched
_MAX_LEAVES = 10_000  # values of an answer that are looked at
_CONVERSIONS = frozenset(  # functions whose result of a literal is still one
    "str repr int float round format list tuple dict set abs float64 int64 array Series DataFrame Decimal Timestamp date dumps".split()
)
_MODULES = frozenset("np numpy pd pandas json decimal datetime".split())
_TEXT_METHODS = frozenset("format join strip lstrip rstrip replace format_map".split())
_SHOWS = ("print", "display", "final_answer")

Literals = Mapping[str, bool]  # name → whether all that was assigned to it are literals


def is_computed(history: History, run: str, step: int, output: Any) -> bool:
    """Return whether an executed step produced the answer ``output`` that this step gave.

    Args:
        history: the events so far, with those of earlier runs that the model still sees.
        run: the run that answers.
        step: the step whose program, call or text answers.
        output: the answer's live value.
    """
    try:
        return _is_computed(history, run, step, output)
    except RecursionError:  # of a program or an answer that is nested too deeply to be one's words
        return True


def _is_computed(history: History, run: str, step: int, output: Any) -> bool:
    programs = {
        (e.run, e.step): module
        for e in history
        if isinstance(e, Allowed) and isinstance(module := _code(e), ast.Module)
    }
    program = programs.get((run, step))
    literals = _assigned([program] if program is not None else [])
    answering = [e for e in history if isinstance(e, Observed) and (e.run, e.step, e.call) == (run, step, 0)]
    if any(event.answered for event in answering):
        calls = _calls(program, ("final_answer",)) or _calls(program)  # which may call it by another name
        given = [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]
        given = [each for each in given if not (isinstance(each, ast.Name) and each.id == "final_answer")]
        if not all(_is_literal(each, literals) for each in given):
            return True
    if program is None and not isinstance(output, str | int | float | list | dict | None):
        return True  # no model writes such a value: it is a variable, or what a call returned
    return _stands_in(output, "\n".join(_sources(history, programs, _assigned(programs.values()))))


_UNFILLED = "the answer holds {found!r}, which is the name of a value and not the value: fill it in, as in f'{filled}'"
_NAN = (
    "the answer holds nan. If missing values are to be left out, leave them out of that column alone, as in df['name'].dropna(), and "
    "answer again; else give the same answer again"
)
_PLACEHOLDER = re.compile(r"\{(?P<name>[A-Za-z_]\w*)(?:[.\[!:][^{}]*)?\}|\[(?P<inner>[A-Za-z_]\w*)\]")
_NOT_A_NUMBER = re.compile(r"(?<!\w)nan(?!\w)", re.IGNORECASE)


def doubt(history: History, output: Any) -> str:
    """Return why an answer in words should be questioned before it is taken; "" if it should not.

    It is or says nan, or it holds a placeholder that names a variable of the programs.
    """
    if not isinstance(output, str | float):
        return ""
    text = str(output)[:_MAX_CHARS]
    if _NOT_A_NUMBER.search(text):
        return _NAN
    programs = [module for e in history if isinstance(e, Allowed) and isinstance(module := _code(e), ast.Module)]
    names = _assigned(programs) if "{" in text or "[" in text else {}
    found = next((mark for mark in _PLACEHOLDER.finditer(text) if (mark["name"] or mark["inner"]) in names), None)
    if found is None:
        return ""
    return _UNFILLED.format(found=found[0], filled=found[0] if found["name"] else f"[{{{found['inner']}}}]")


def _code(event: Allowed) -> ast.Module | str:
    return tree(event.text) if event.kind == "code" and not event.call else ""


def _assigned(programs: Iterable[ast.Module]) -> dict[str, bool]:
    """Return the names that programs bind, with whether each holds a literal only: it is bound to literals, and nothing changes it."""
    known: dict[str, bool] = {}
    changed: set[str] = set()
    for node in (each for program in programs for each in ast.walk(program)):
        for target, value in _bindings(node):
            known[target] = known.get(target, True) and value is not None and _is_literal(value, known)
        changed |= set(_changed(node))
    return {name: is_literal and name not in changed for name, is_literal in known.items()}


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a node binds, with their values; None for one that is not known here."""
    match node:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            pairs = [(target, value)]
        case (
            ast.For(target=target)
            | ast.AsyncFor(target=target)
            | ast.comprehension(target=target)
            | ast.withitem(optional_vars=ast.expr() as target)
        ):
            yield from ((each.id, None) for each in ast.walk(target) if isinstance(each, ast.Name))
            return
        case _:
            return
    for target, value in pairs:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple | ast.List):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            each = values if len(values) == len(target.elts) else [value] * len(target.elts)
            yield from ((n.id, v) for n, v in zip(target.elts, each, strict=True) if isinstance(n, ast.Name))


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the name of which a node changes the value: ``x += 1``, ``x[0] = 1``, ``x.append(1)``."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
            yield name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name
        case _:
            pass


def _is_literal(node: ast.AST | None, literals: Literals) -> bool:
    """Return whether an expression holds nothing but literals, put together and converted."""
    match node:
        case ast.Name(id=name):
            return literals.get(name, False)
        case ast.Call(func=called, args=args, keywords=words):
            values = [*args, *(word.value for word in words)]
            if not all(_is_literal(value, literals) for value in values):
                return False
            if isinstance(called, ast.Attribute):
                of_text = called.attr in _TEXT_METHODS and _is_literal(called.value, literals)
                return of_text or (called.attr in _CONVERSIONS and _is_module(called.value))
            return isinstance(called, ast.Name) and called.id in _CONVERSIONS
        case ast.BinOp(left=left, right=right, op=op):  # of texts; the sum of two numbers is computed
            if not (_is_literal(left, literals) and _is_literal(right, literals)):
                return False
            return _is_text(left) and (isinstance(op, ast.Mod) or _is_text(right))
    texts = ast.Constant | ast.JoinedStr | ast.FormattedValue
    parts = texts | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.UnaryOp | ast.Subscript
    inner = [] if node is None else [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    return isinstance(node, parts) and all(_is_literal(each, literals) for each in inner)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _MODULES


def _is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text by its form."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id="str" | "format" | "repr")) | ast.Call(func=ast.Attribute()):
            return True
        case ast.BinOp(left=left):
            return _is_text(left)
    return False


def _calls(program: ast.Module | None, names: tuple[str, ...] = ()) -> list[ast.Call]:
    """Return a program's calls of these functions; without names, all calls."""
    nodes = [node for node in ast.walk(program) if isinstance(node, ast.Call)] if program is not None else []
    return [node for node in nodes if not names or (isinstance(node.func, ast.Name) and node.func.id in names)]


def _sources(history: History, programs: Mapping[tuple[str, int], ast.Module], literals: Literals) -> Iterator[str]:
    for event in history:
        if isinstance(event, Asked):
            yield event.task
            yield from (variable.text for variable in event.variables)
            yield from (file.head for file in event.files)
        elif isinstance(event, Observed) and _shows_more(programs.get((event.run, event.step)), literals):
            yield event.stdout[-_MAX_CHARS:]
            yield "" if event.is_final_answer else event.result[-_MAX_CHARS:]  # the result is the answer


def _shows_more(program: ast.Module | None, literals: Literals) -> bool:
    """Return whether a program shows anything but literals."""
    if program is None:
        return True
    shown: list[ast.AST] = [value for call in _calls(program, _SHOWS) for value in call.args]
    last = program.body[-1] if program.body else None
    shown += [last.value] if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call) else []
    return not shown or not all(_is_literal(each, literals) for each in shown)


def _stands_in(output: Any, text: str) -> bool:
    words = " ".join(text.casefold().split())
    numbers = _numbers(text)
    dates = {_parts(date[0]) for date in _DATE.finditer(text)}
    leaves = [leaf for leaf in islice(_leaves(output), _MAX_LEAVES) if leaf.strip()]
    return bool(leaves) and all(_leaf_stands_in(leaf[:_MAX_CHARS], words, numbers, dates) for leaf in leaves)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _leaves(item)
    else:
        try:
            yield str(value)
        except Exception:  # of the answer's own class; a number with too many digits
            yield ""


def _numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text)]


def _parts(date: str) -> frozenset[int]:
    return frozenset(map(int, re.findall("[0-9]+", date)))


def _leaf_stands_in(leaf: str, words: str, numbers: list[float], dates: set[frozenset[int]]) -> bool:
    """Return whether each number and date of a text is known; if it has none, whether the text itself is."""
    for date in _DATE.finditer(leaf):
        leaf = leaf.replace(date[0], " ") if _parts(date[0]) in dates else leaf
    if not leaf.strip("\"'. "):
        return True
    for written in (leaf, _DECIMAL_COMMA.sub(".", leaf)):
        if given := _NUMBER.findall(written):
            if all(any(_same(each, number) for number in numbers) for each in given):
                return True
        else:
            plain = " ".join(leaf.casefold().split()).strip("\"'. ")
            return re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", words) is not None
    return False


def _same(given: str, number: float) -> bool:
    """Return whether a number as it was written is this number, rounded or in percent."""
    plain = given.replace(",", "").lower()
    value, places = float(plain), len(plain.partition("e")[0].partition(".")[2])
    near = 0.5000001 * 10.0**-places if places or "e" not in plain else abs(value) * 1e-6
    return any(math.isclose(value, each, rel_tol=1e-12, abs_tol=near) for each in (number, 100 * number))
