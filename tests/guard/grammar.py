"""The language of the generated programs: ``grammar.txt``, in which each hole of a template may be filled from a table.

``<int>`` is an expression of that type, ``<int:x>`` one in which ``x`` is an integer, too (a lambda's or a comprehension's
own name), ``<=int>`` a variable of that type that may be assigned; a line that holds only ``<block>``, ``<loop>`` or the like
becomes statements. The first line of a table is the plainest: shrinking leads there. Everything terminates: loops have at
most three turns, calls go to functions defined before, and what could grow is cut where it grows.
"""

from __future__ import annotations

from pathlib import Path

_PARTS = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("#### ")[1:]
_TABLES = {name: text.strip("\n") for name, _, text in (part.partition("\n") for part in _PARTS)}

LIBRARY = _TABLES.pop("library") + "\n"
"""The first step: what all programs share. Run under the guard, too."""
BLOCKS = tuple(_TABLES.pop("blocks").split("\n---\n"))
PATTERNS, STATEMENTS, GENERATING = (
    tuple(_TABLES.pop(name).splitlines()) for name in ("patterns", "statements", "generating")
)
EXPRESSIONS = {kind: tuple(text.splitlines()) for kind, text in _TABLES.items()}

# How a function is declared, what it is called with, and the names its body may use and assign.
SIGNATURES = (
    ("{x}", ("<int>", "{x}=<int>", "*[<int>]"), "{x}", "", ""),
    ("{x}=<int>, {y}=2", ("", "<int>", "<int>, <int>", "{y}=<int>", "*ys", "**{{'{y}': <int>}}"), "{x} {y}", "", ""),
    ("{x}, *, {y}=<int>", ("<int>", "<int>, {y}=<int>"), "{x} {y}", "", ""),
    ("{x}, /, {y}: int = <int>", ("<int>", "<int>, {y}=<int>", "<int>, <int>"), "{x} {y}", "", ""),
    ("*{x}s", ("", "<int>, <int>", "*xs", "*xs, <int>, *ys"), "", "{x}s", ""),
    ("{x}, **{x}d", ("<int>", "<int>, n=<int>", "<int>, **d"), "{x}", "", "{x}d"),
    ("{x}=1, *{x}s, {y}=<int>, **{x}d", ("", "<int>, <int>, z=<int>", "*xs, **e", "{y}=<int>"), "{x} {y}", "{x}s", "{x}d"),
)  # fmt: skip
