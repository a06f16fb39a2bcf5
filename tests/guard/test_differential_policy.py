"""The policy sees through names: a consistent renaming of a program's own names lowers no finding.

Tries 20 programs, 200 as a slow test, 2,000 with ``SMOLCELL_FULL=1``.
"""

from __future__ import annotations

import ast
from typing import Any

from examples import examples
from generated import programs
from hypothesis import strategies as st

from smolcell.core.findings import findings

RISKY = (
    "import os as a", "from os import system as b", "a = __import__", "c = open", "a, b = open, send", "p = xs.read_csv", "d = send",
    "(a := getattr)", "def f90(a=open): return a('x')", "[c('x') for c in [open]]", "print(p.__class__)", "s = 'https://example.org'",
    "a.system('x')", "for a in [eval]: pass", "p.gi_frame", "import json as a", "t = ('{0.gi_' + s).format(p)", "xs = '/etc/passwd'",
)  # fmt: skip
NAMES = [*(f"name{number}" for number in range(60)), "été", "ß", "data", "数"]


class Renamed(ast.NodeTransformer):
    """The program with its own names replaced."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> Any:
        for field in ("id", "arg", "name", "asname", "rest"):
            value = getattr(node, field, None)
            if (isinstance(value, str) and not isinstance(node, (ast.keyword, ast.alias))) or (
                field == "asname" and value
            ):
                setattr(node, field, self.names.get(value, value))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self.names.get(name, name) for name in node.names]
        return super().generic_visit(node)


def bound(tree: ast.AST) -> list[str]:
    """The names that a program binds and that an import does not name."""
    found: dict[str, None] = {}
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.alias):
            (found.setdefault(node.asname) if node.asname else imported.add(node.name))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id)
        elif isinstance(node, ast.arg):
            found.setdefault(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.setdefault(node.name)
    return [name for name in found if name not in imported and not name.startswith("__")]


def warned(text: str) -> set[tuple[str, str]]:
    return {(finding.kind, finding.risk) for finding in findings(text, (), ("send",)) if finding.kind != "long-line"}


@examples(programs(), st.lists(st.sampled_from(RISKY), max_size=3), st.permutations(NAMES), few=20, many=200)
def test_renaming_what_a_program_binds_lowers_no_finding(text: str, risky: list[str], names: list[str]) -> None:
    plain = ast.unparse(ast.parse("\n".join([text, *risky])))
    tree = ast.parse(plain)
    renamed = ast.unparse(Renamed(dict(zip(bound(tree), names, strict=False))).visit(tree))
    assert warned(renamed) == warned(plain), renamed
