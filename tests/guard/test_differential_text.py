"""Whatever the text: the guard refuses by name or gives a tree that compiles, with every line where it was.

Tries 40 texts of each kind, 500 as a slow test, 5,000 with ``SMOLCELL_FULL=1``.
"""

from __future__ import annotations

import ast
import dis
import types
import warnings
from typing import Any

import pytest
from examples import examples
from generated import programs
from grammar import LIBRARY
from hypothesis import strategies as st

from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ModuleViews
from smolcell.worker.guard.transformer import Guard, Refusal, compile_program

MODULE_VIEWS = ModuleViews(tables.DEFAULT_IMPORTS)
PIECES = (
    "__class__ ().__class__ .format .format_map(x) getattr eval __builtins__ __smolcell_format__ \uff45val ℯval import os "
    "from-os-import-* lambda: yield await async global-x nonlocal-x *a **b := @ : ; ( ) [ ] { } f' ' \" \\ \n \t ... -> "
    "match-x: case-A(b): class-A: def-f(): except*: with del print= final_answer= x.f_globals {0.__class__} # _ __x__ 1e999 "
    "0x \x00 \ud800 \u202e é \U0001f600 type-X=int return break"
).split(" ")  # fmt: skip


def parsed(text: str) -> ast.Module | None:
    """The tree, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def compiles(tree: Any) -> bool:
    """Whether CPython compiles the tree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(tree, "<agent step 1>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except (SyntaxError, ValueError):  # a misplaced return and the like is found only here
            return False
        return True


def judge(text: str) -> str:
    """``refused``, ``passed`` or ``no Python``; anything else that the guard does is an error."""
    tree = parsed(text)
    if tree is None:
        return "no Python"
    before = compiles(parsed(text))
    try:
        checked = Guard(MODULE_VIEWS).check(tree)
    except Refusal as refusal:
        assert str(refusal)
        assert 0 <= refusal.line <= text.count("\n") + text.count("\r") + text.count("\f") + 1
        return "refused"
    assert compiles(checked) or not before
    return "passed"


def code_lines(code: types.CodeType) -> set[int]:
    """Every line that code of the program, or of a function that it makes, belongs to."""
    found = {line for _, _, line in code.co_lines() if line}
    for instruction in dis.get_instructions(
        code
    ):  # not co_consts, where CPython may leave what it has found unreachable
        if isinstance(instruction.argval, types.CodeType):
            found |= code_lines(instruction.argval)
    return found


@examples(st.one_of(st.text(st.characters()), st.binary().map(lambda data: data.decode("latin-1"))), few=40, many=500)
def test_any_text_is_judged(text: str) -> None:
    judge(text)


@examples(
    st.lists(st.sampled_from(PIECES).map(lambda piece: piece.replace("-", " ")), max_size=12),
    st.sampled_from(("", " ", "\n")),
    few=40,
    many=500,
)
def test_any_pieces_of_python_are_judged(pieces: list[str], between: str) -> None:
    judge(between.join(pieces))


@examples(st.data(), few=40, many=500)
def test_any_mutated_program_is_judged(data: st.DataObject) -> None:
    text = data.draw(st.one_of(st.just(LIBRARY), programs()))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        piece = data.draw(st.sampled_from([*PIECES, ""])).replace("-", " ")
        text = text[:start] + piece + text[end:]
    judge(text)


@examples(programs(), few=40, many=500)
def test_every_line_of_a_program_stays_where_it_was(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            plain = compile_program(text, "<agent step 1>", None)
        except SyntaxError:
            return
        guarded = compile_program(text, "<agent step 1>", Guard(MODULE_VIEWS))
    assert code_lines(guarded) == code_lines(plain)


DEEP = {
    "a sum": "x = " + "1 + " * 150 + "1",
    "attributes": "x" + ".a" * 150,
    "calls": "x" + "()" * 150,
    "elif": "if x: pass\n" + "elif x: pass\n" * 150,
    "negations": "not " * 150 + "x",
    "a condition": "x if x else " * 150 + "x",
    "lists": "[" * 80 + "]" * 80,
    "blocks": "".join(" " * depth + "if x:\n" for depth in range(90)) + " " * 90 + "pass",
    "a long program": "x = 1\n" * 4_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_deep_or_long_program_passes(text: str) -> None:
    assert judge(text) == "passed"


def test_the_judge_tells_programs_apart() -> None:
    assert [judge(text) for text in ("x = 1", "import os", "x.__globals__", "x = (", "return 1")] == [
        "passed", "refused", "refused", "no Python", "passed",
    ]  # fmt: skip
