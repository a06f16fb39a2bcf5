"""The guard changes nothing: generated programs give under it exactly what CPython gives.

Tries 30 programs, 500 as a slow test, 5,000 with ``SMOLCELL_FULL=1``. Mutants of the guard show that a difference is found.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import re
import sys
import types
import warnings
from typing import Any, NamedTuple

import pytest
from examples import examples
from generated import plainest, programs
from grammar import BLOCKS, EXPRESSIONS, LIBRARY, PATTERNS, STATEMENTS
from guarded import Session

from smolcell.worker.guard.transformer import Guard
from smolcell.worker.runner.errors import fault

ADDRESS = re.compile(r"0x[0-9a-f]+")


class Outcome(NamedTuple):
    """What a program did, in words that can be compared."""

    value: str
    printed: str
    fault: dict[str, Any] | None
    names: dict[str, str]


def told(value: Any, depth: int = 6) -> str:
    """A value as text: plain ones by their parts, objects by class and attributes."""
    kind = type(value).__name__
    if depth == 0:
        return kind
    if isinstance(value, dict):
        return (
            f"{kind}{{{', '.join(f'{told(key, depth - 1)}: {told(each, depth - 1)}' for key, each in value.items())}}}"
        )
    if isinstance(value, (list, tuple)):
        return f"{kind}[{', '.join(told(each, depth - 1) for each in value)}]"
    if isinstance(value, (set, frozenset)):
        return f"{kind}{{{', '.join(sorted(told(each, depth - 1) for each in value))}}}"
    if isinstance(value, type):
        return f"class {value.__qualname__} {sorted(name for name in vars(value) if name not in IGNORED)}"
    if isinstance(value, (int, float, complex, str, bytes, slice, type(None), type(...))):
        return f"{kind} {value!r}"
    if isinstance(value, types.FunctionType):
        return f"function {value.__qualname__} {told(value.__defaults__, depth - 1)} {value.__annotations__}"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    return f"{kind} {told(getattr(value, '__dict__', {}), depth - 1)}"


IGNORED = frozenset({"__static_attributes__", "__firstlineno__"})


class Program(Session):
    """A namespace whose steps are told."""

    @staticmethod
    def wait(made: Any) -> None:
        with pytest.raises(StopIteration):  # nothing in a generated program waits for an event
            made.send(None)

    def outcome(self, text: str) -> Outcome:
        """Run a program."""
        printed, value, wrong = io.StringIO(), "", None
        with self.as_main(), contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                value = told(self.run(text))
            except Exception as error:
                wrong = {
                    key: ADDRESS.sub("0x", each) if type(each) is str else each for key, each in fault(error).items()
                }
            names = {name: ADDRESS.sub("0x", told(each)) for name, each in self.names.items() if name[:2] != "__"}
        return Outcome(ADDRESS.sub("0x", value), ADDRESS.sub("0x", printed.getvalue()), wrong, names)


@functools.cache
def outcome(text: str, guard: type[Guard] | None = Guard) -> Outcome:
    """What a program does after the library."""
    program = Program(guard=guard)
    assert program.outcome(LIBRARY).fault is None
    return program.outcome(text)


@pytest.fixture(autouse=True)
def abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that yields when it is closed says so on its own; that is the program's affair."""
    monkeypatch.setattr(sys, "unraisablehook", lambda found: None)


@examples(programs(), few=30, many=500)
def test_a_guarded_program_does_what_it_does_under_cpython(text: str) -> None:
    assert outcome(text) == outcome(text, None)


FORMS = [
    *(plainest(template) for template in (*BLOCKS, *STATEMENTS)),
    *(plainest(template) for table in EXPRESSIONS.values() for template in table),
    *(
        plainest(f"for value in VALUES:\n    match value:\n        case {pattern}: print(value)")
        for pattern in PATTERNS
    ),
]


@pytest.mark.parametrize("text", FORMS)
def test_every_form_of_the_grammar_does_what_it_does_under_cpython(text: str) -> None:
    text = text.replace(
        "VALUES", "[1, 3, 'snow', None, True, [1], [1, 2], (3, 4), {'k': 5, 'm': 6}, p, q, Named(1, 2), Pair(1)]"
    )
    result = outcome(text)
    assert result == outcome(text, None)
    assert result.fault is None or result.fault["type"] not in ("SyntaxError", "ForbiddenError")


class WithoutFinally(Guard):
    def visit_Try(self, node: ast.Try) -> Any:
        node.finalbody = [ast.copy_location(ast.Pass(), node)] if node.finalbody else []
        return self.generic_visit(node)


class WithoutElse(Guard):
    def visit_For(self, node: ast.For) -> Any:
        node.orelse = []
        return self.generic_visit(node)


class WithoutConversions(Guard):
    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        node.conversion = -1
        return self.generic_visit(node)


class WithMovedLines(Guard):
    def visit_Raise(self, node: ast.Raise) -> Any:
        node.lineno = node.end_lineno = node.lineno + 1
        return self.generic_visit(node)


class WithoutDecorators(Guard):
    def visit_FunctionDef(self, node: Any) -> Any:
        node.decorator_list = []
        return self.generic_visit(node)


@pytest.mark.parametrize("mutant", [WithoutFinally, WithoutElse, WithoutConversions, WithMovedLines, WithoutDecorators])
def test_a_guard_that_changes_something_is_found_out(mutant: type[Guard]) -> None:
    assert any(outcome(text, mutant) != outcome(text, None) for text in FORMS)
