"""The guard: what is refused, how it says so, and that ordinary code does not notice it."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from guarded import Session

from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ForbiddenError
from smolcell.worker.guard.transformer import Refusal


@pytest.mark.parametrize(
    ("code", "message", "line"),
    [
        ("import os", "Import of os is not allowed. Authorized imports are: abc, array, ast, asyncio", 1),
        ("x = 1\nfrom subprocess import run", "Import of subprocess is not allowed", 2),
        ("def f():\n    pass\nimport socket", "Import of socket is not allowed", 3),
        ("from . import x", "Relative imports are not allowed", 1),
        ("().__class__.__base__", "Forbidden access to dunder attribute: __base__", 1),
        ("(lambda: 0).__globals__", "Forbidden access to dunder attribute: __globals__", 1),
        ("(i for i in ()).gi_frame", "Forbidden access to attribute: gi_frame", 1),
        ("eval('1')", "Forbidden access to function: eval", 1),
        ("[exec]", "Forbidden access to function: exec", 1),
        ("__import__('os')", "Forbidden access to dunder name: __import__", 1),
        ("__builtins__", "Forbidden access to dunder name: __builtins__", 1),
        ("print = 3", "Cannot assign to name 'print'", 1),
        ("def final_answer(): pass", "Cannot assign to name 'final_answer'", 1),
        ("import json as display", "Cannot assign to name 'display'", 1),
        ("match 1:\n    case object(__class__=c): pass", "Forbidden access to dunder attribute: __class__", 2),
        ("from random import __dict__ as d", "Forbidden access to dunder attribute: __dict__", 1),
        ("__smolcell_format__ = 1", "Forbidden name: __smolcell_format__", 1),
        ("x.__class__ = int", "Forbidden access to dunder attribute: __class__", 1),
    ],
)
def test_a_program_is_refused_before_it_runs(code: str, message: str, line: int) -> None:
    with pytest.raises(Refusal) as caught:
        Session().run(code)
    assert str(caught.value).startswith(message)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("code", "imports", "message"),
    [
        ("import random\nrandom._os", (), "Forbidden access to module: os"),
        ("from random import _os", (), "Forbidden access to module: os"),
        ("import queue\nqueue.threading", (), "Forbidden access to module: threading"),
        ("import os\nos.popen", ("os",), "Forbidden access to function: popen"),
        ("from os import system", ("os",), "Forbidden access to function: system"),
        ("import posix\nposix.fork", ("posix",), "Forbidden access to function: fork"),
        ("import os\ngetattr(os, 'sys' + 'tem')", ("os",), "Forbidden access to function: system"),
        ("import builtins\nbuiltins.exec", ("builtins",), "Forbidden access to function: exec"),
        ("import sys\nsys.modules['os']", ("sys",), "Forbidden access to module: os"),
        ("import importlib\nimportlib.import_module('os')", ("importlib",), "Import of os is not allowed"),
        ("().__class__", (), "Forbidden access to dunder attribute: __class__. Use type(x)"),
        ("getattr((), '__cla' + 'ss__')", (), "Forbidden access to dunder attribute: __class__"),
        ("import operator\noperator.attrgetter('a.__class__')", (), "Forbidden access to dunder attribute: __class__"),
        ("import operator\noperator.methodcaller('__subclasses__')", (), "Forbidden access to dunder attribute"),
        ("'{0.__class__}'.format(1)", (), "Forbidden access to dunder attribute: __class__"),
        ("'{a.__class__}'.format_map({'a': 1})", (), "Forbidden access to dunder attribute: __class__"),
        ("f = '{0.__class__}'.format\nf(1)", (), "Forbidden access to dunder attribute: __class__"),
        ("open('/etc/passwd')", (), "Forbidden access to file: /etc/passwd lies outside the work folder"),
        ("open('../x', 'w')", (), "lies outside the work folder"),
        ("import asyncio\nasyncio.create_subprocess_shell", (), "Forbidden access to function"),
        ("import asyncio\nasyncio.base_events", (), "Forbidden access to module: asyncio.base_events"),
        ("import typing\ntyping.ForwardRef", (), "Forbidden access to function: ForwardRef"),
    ],
)
def test_what_a_running_program_must_not_reach(code: str, imports: tuple[str, ...], message: str) -> None:
    with pytest.raises(ForbiddenError) as caught:
        Session(*imports).run(code)
    assert message in str(caught.value)


def test_attribute_names_are_plain_strings() -> None:
    code = "class S(str):\n    def startswith(self, *a): return False\ngetattr((), S('__class__'))"
    with pytest.raises(TypeError, match="attribute name must be string, not 'S'"):
        Session().run(code)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("x = 1.5\nx.__class__.__name__", "float"),
        (
            "class V:\n    def __init__(self, a): self._a = a\n    def __add__(self, o): return V(self._a + o._a)\n(V(1) + V(2))._a",
            3,
        ),
        (
            "class B:\n    def __init__(self): self.b = 1\nclass C(B):\n    def __init__(self):\n        super().__init__()\n"
            "        self.__c = 2\n    def both(self): return self.b, self.__c\nC().both()",
            (1, 2),
        ),
        ("import numbers, typing\nisinstance(1, numbers.Number)", True),
        ("'{:>5}{}'.format('a', [1])", "    a[1]"),
        ("class F:\n    def format(self, x): return x\nF().format(3)", 3),
        ("def vars(): return 1\nvars()", 1),
        ("import os\nos.path.join('a', 'b')", "a/b"),
        ("import itertools as it\nlist(it.islice(it.count(), 2))", [0, 1]),
        ("from random import *\nseed(1)\nrandint(1, 1)", 1),
        ("import datetime\ndatetime.datetime.strptime('2020', '%Y').year", 2020),
        ("from collections import namedtuple\nnamedtuple('P', 'x y')(1, 2).y", 2),
        ("from functools import lru_cache\n@lru_cache\ndef f(n): return n\nf(2), f.cache_info().misses", (2, 1)),
        (
            "try:\n    raise ExceptionGroup('g', [ValueError()])\nexcept* ValueError as e:\n    n = len(e.exceptions)\nn",
            1,
        ),
        ("getattr(3, 'nothing', 'default'), hasattr([], 'append')", ("default", True)),
        ("import asyncio\nasync def f(): return 1\nasyncio.run(f())", 1),
    ],
)
def test_ordinary_code_does_not_notice(code: str, output: Any) -> None:
    assert Session("os").run(code) == output


def test_a_node_that_was_not_reviewed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "NODES", tables.NODES - {"While"})
    with pytest.raises(Refusal, match="While is not supported"):
        Session().run("x = 1\nwhile x: x -= 1")


def test_every_node_of_this_python_is_reviewed_or_known_to_be_refused() -> None:
    kinds = {
        name
        for name, kind in vars(ast).items()
        if isinstance(kind, type)
        and issubclass(kind, ast.AST)
        and not kind.__subclasses__()
        and not name.startswith("_")
    }
    old = {
        "AugLoad",
        "AugStore",
        "ExtSlice",
        "Index",
        "Num",
        "Str",
        "Bytes",
        "NameConstant",
        "Ellipsis",
        "Param",
        "Suite",
    }
    other_modes = {"Expression", "FunctionType", "Interactive", "TypeIgnore"}
    assert kinds - tables.NODES - old - other_modes == set()
