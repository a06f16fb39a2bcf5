"""``match``: class patterns read attributes by the rule."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, refused

LYING = "class M(type):\n    def __instancecheck__(c, o): return True\n"


@pytest.mark.parametrize(
    "code",
    [
        LYING + "class A(metaclass=M):\n    __match_args__ = ('__globals__',)\nmatch display:\n    case A(g): g",
        LYING + "A = M('A', (), {'__match_args__': ('__globals__',)})\nmatch display:\n    case [A(g)] | A(g): g",
        "import abc\nclass A(abc.ABC):\n    __match_args__ = ('__globals__',)\nA.register(type(display))\nmatch display:\n    case A(g): g",
        "class A:\n    __match_args__ = ('gi_frame',)\nmatch 1:\n    case A(g): g",
        "class A:\n    __match_args__ = ('format',)\nmatch 1:\n    case A(g): g",
        "class N(type):\n    def __getattribute__(c, n): return ('__globals__',)\nclass A(metaclass=N): pass\nmatch 1:\n    case A(g): g",
        "class A:\n    __match_args__ = ()\nA.__match_args__ = ('__globals__',)",
        "class A: pass\nsetattr(A, '__match_' + 'args__', ('__globals__',))",
        "class N(type):\n    __module__ = 'json'\n    def __getattribute__(c, n): return ('gi_frame',)\n"
        "class A(metaclass=N): pass\nmatch 1:\n    case A(g): g",
        "class N(type):\n    __module__, __qualname__ = 'json', 'JSONDecoder'\n    def __getattr__(c, n): return ('gi_frame',)\n"
        "class A(metaclass=N): pass\nmatch 1:\n    case A(g): g",
    ],
)
def test_a_class_pattern_reads_nothing_that_the_guard_denies(code: str) -> None:
    assert refused(code).startswith("Forbidden ")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "@dataclass\nclass P:\n    x: int\n    y: int\nmatch P(1, 2):\n    case P(0, _): r = 0\n    case P(x, y=2): r = x\nr",
            1,
        ),
        ("class P:\n    __match_args__ = ('a',)\n    a = 3\nmatch [P()]:\n    case [P(a)]: r = a\nr", 3),
        ("match 1, 'a':\n    case int(n), str(s): r = n, s\nr", (1, "a")),
        ("match 1:\n    case int(): r = 'int'\n    case Nowhere(x=x): r = x\nr", "int"),
    ],
)
def test_class_patterns_work(code: str, output: Any) -> None:
    assert Session().run("from dataclasses import dataclass\n" + code) == output


def test_a_class_of_a_class_body_is_judged_too() -> None:
    code = "class X:\n    B = M('B', (), {'__match_args__': ('__globals__',)})\n    match display:\n        case B(g): pass"
    assert refused(LYING + code) == "Forbidden access to dunder attribute: __globals__"


TWICE = """
def first(value):
    match value:
        case A(found): return found
try: first(1)
except TypeError: pass
{}
leak(first(value))
"""


@pytest.mark.parametrize(
    "code",
    [
        LYING
        + "class A(metaclass=M): __match_args__ = ()\nvalue = object"
        + TWICE.format("M.__getattribute__ = lambda c, n: ('__subclasses__',)"),
        LYING
        + "class A(metaclass=M): __annotations__ = {'format': int}\nvalue = '{0.__class__}'"
        + TWICE.format("import dataclasses\ndataclasses.dataclass(A, init=False, repr=False, eq=False)"),
        LYING
        + "class B: pass\nclass A(B, metaclass=M): pass\nvalue = '{0.__class__}'\nB.__annotations__ = {'format': int}"
        + TWICE.format("import dataclasses\ndataclasses.dataclass(B, init=False, repr=False, eq=False)"),
    ],
)
def test_a_class_that_changes_after_it_was_matched_is_judged_again(code: str) -> None:
    assert refused(code).startswith("Forbidden ")
