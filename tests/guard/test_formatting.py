"""``str.format``: every way to it reads attributes by the rule."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, refused

FORMATS = {
    "the type's": "str.format('{0.__globals__}', display)",
    "the type's format_map": "str.format_map('{a.__globals__}', {'a': display})",
    "the type's, taken along": "f = str.format\nf('{0.__globals__}', display)",
    "the type's, by getattr": "getattr(str, 'for' + 'mat')('{0.__globals__}', display)",
    "a text's, by getattr": "getattr('{0.__globals__}', 'for' + 'mat')(display)",
    "the type's, mapped": "list(map(str.format, ['{0.__globals__}'], [display]))",
    "of a subclass": "class S(str): pass\nS.format('{0.__globals__}', display)",
    "of an instance of a subclass": "class S(str): pass\nS('{0.__globals__}').format(display)",
    "through super": "class S(str):\n    def f(self, *a): return super().format(*a)\nS('{0.__globals__}').f(display)",
    "through super, by getattr": "class S(str):\n    def f(self, *a): return getattr(super(), 'format')(*a)\n"
    "S('{0.__globals__}').f(display)",
    "through the type of a text": "type('').format('{0.__globals__}', display)",
    "by methodcaller": "import operator\noperator.methodcaller('format', display)('{0.__globals__}')",
    "by attrgetter": "import operator\noperator.attrgetter('format')('{0.__globals__}')(display)",
    "by two of attrgetter": "import operator\noperator.attrgetter('format', 'upper')('{0.__globals__}')[0](display)",
    "in a pattern": "match '{0.__globals__}':\n    case str(format=f): f(display)",
    "through a field of its own": "str.format('{:{0.__globals__}}', display)",
    "through partial": "import functools\nfunctools.partial(str.format, '{0.__globals__}')(display)",
}


@pytest.mark.parametrize("code", FORMATS.values(), ids=FORMATS)
def test_no_way_to_format_reads_what_the_guard_denies(code: str) -> None:
    assert refused(code).startswith("Forbidden ")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("str.format('{}-{:>3}', 1, 2)", "1-  2"),
        ("list(map('{0.real}'.format, [1, 2]))", ["1", "2"]),
        ("list(map(str.format, ['{}', 'a{}'], [1, 2]))", ["1", "a2"]),
        ("str.format_map('{a}', {'a': 1})", "1"),
        ("class S(str):\n    def format(self, x): return 'own'\nS('{}').format(1)", "own"),
        ("class S(str): pass\nS('{0.imag}').format(1)", "0"),
        ("class F:\n    format = 'csv'\ngetattr(F, 'format'), getattr(F(), 'format_map', 3)", ("csv", 3)),
        (
            "import operator\noperator.methodcaller('format', 1)('{}'), operator.attrgetter('real', 'imag')(2)",
            ("1", (2, 0)),
        ),
        ("import functools\ndef f(): 'doc'\n@functools.wraps(f)\ndef g(): pass\ng.__name__, g.__doc__", ("f", "doc")),
    ],
)
def test_ordinary_formats_work(code: str, output: Any) -> None:
    assert Session().run(code) == output


def test_functools_copies_no_attribute_that_the_guard_denies() -> None:
    grab = "class W:\n    def __setattr__(self, name, value): got.append(value)\ngot = []\nimport functools\n"
    assert refused(grab + "functools.update_wrapper(W(), display, ('__globals__',), ())").startswith("Forbidden access")
    assert refused(grab + "functools.wraps(display, ['__globals__'], [])(W())").startswith("Forbidden access")
    assert refused(grab + "functools.wraps(str, ['format'], [])(W())").startswith("Forbidden access")
