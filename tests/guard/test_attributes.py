"""Attributes: by name, in a string, through an accessor, with a library in between: one rule."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, paragraphs, refused, stopped

ESCAPES = paragraphs("""
## getattribute func
def f(): pass
leak(f.__getattribute__('__globals__'))
## object getattribute
leak(object.__getattribute__(display,'__globals__'))
## type getattribute
leak(type.__getattribute__(int,'__subclasses__'))
## super getattribute
class A:
  def f(self): return super().__getattribute__('__class__')
class B(int): pass
leak(object.__getattribute__(3,'__class__').__base__)
## vars class
leak(vars(type))
## vars func
leak(vars(display))
## vars mod
import json
leak(vars(json))
## method func globals
class A:
  def f(self): pass
leak(A().f.__func__.__globals__)
## builtin self
leak(len.__self__)
## str subclass name
class S(str):
  def __eq__(s,o): return False
  __hash__=str.__hash__
leak(getattr(display,S('__globals__')))
## map getattr
leak(list(map(getattr,[display],['__globals__'])))
## reduce getattr
import functools
leak(functools.reduce(getattr,['__globals__'],display))
## nfkc
leak(display.__ｇlobals__)
## type 3 args reduce
C=type('C',(),{'__getattr__':lambda s,n:n})
leak(C().__globals__)
## annotations getattr
def f(): pass
leak(f.__annotate__)
## wrapped lib
import functools
leak(functools.lru_cache(len).__wrapped__)
## class of method
leak((lambda:0).__class__)
## reduce_ex
leak((1).__reduce_ex__(2))
## mangled host
leak(display._Host__token)
## mappingproxy eq
import enum
class E:
  def __eq__(s,o): leak(o)
int.__dict__==E()
## typing alias origin
import typing
leak(typing.List[int].__origin__.__subclasses__)
## task loop getstate
import asyncio
q=asyncio.Queue()
leak(q.__getstate__())
## task loop vars
import asyncio
async def m():
  q=asyncio.Queue(); t=asyncio.create_task(q.get()); await asyncio.sleep(0); t.cancel(); return vars(q)
leak(asyncio.run(m())['_loop'])
## globals names attr
leak(globals()._use.__closure__)
## globals class attr
class A:
  x=globals
leak(A.x.__globals__)
""")


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_program_gets_there(code: str) -> None:
    assert isinstance(stopped(code), Exception)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("class A:\n    def again(self): return self.__class__()\ntype(A().again()).__name__", "A"),
        (
            "class A:\n    def __eq__(self, o): return isinstance(o, self.__class__)\nA() == A(), A() == 1",
            (True, False),
        ),
        ("class A: pass\na = A()\nvars(a)['x'] = 1\na.x, vars(a)", (1, {"x": 1})),
        ("class A:\n    x = 1\nsorted(n for n in vars(A) if n[0] != '_')", ["x"]),
        ("def f(a):\n    b = 2\n    return locals()\nf(1)", {"a": 1, "b": 2}),
        ("x = 1\nglobals()['y'] = x + 1\n'x' in globals(), y, 'q' in globals()", (True, 2, False)),
        ("class A:\n    def __setattr__(self, n, v): super().__setattr__(n, v * 2)\na = A()\na.x = 2\na.x", 4),
        ("class A:\n    def __getattribute__(self, n): return super().__getattribute__(n)\nisinstance(A(), A)", True),
        ("class A:\n    def __init__(self): self.__b = 1\nA()._A__b", 1),
        ("getattr(3, 'real'), getattr(3, 'x', 'd'), hasattr(3, '__dict__')", (3, "d", False)),
    ],
)
def test_ordinary_reads_work(code: str, output: Any) -> None:
    assert Session().run(code) == output


def test_a_refusal_says_what_is_allowed_instead() -> None:
    assert refused("(1).__class__") == "Forbidden access to dunder attribute: __class__. Use type(x)"
    assert refused("'{0.__dict__}'.format(1)").endswith(". vars(x) gives the variables of an object")
    assert refused("import json\njson.__dict__").startswith("Forbidden access to the variables of a module")
    assert "json.loads" in refused("eval('1')")
    assert "final_answer" in refused("input()")


OWN = """
class Store:
    shared = 1
    def __init__(self): self.filesystem, self._filesystem = {}, 2
    def make_fragment(self): return len(self.filesystem)
    def __eq__(self, other): return self.__dict__ == other.__dict__
s = Store()
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("s.make_fragment(), s._filesystem, s.filesystem, s == Store()", (0, 2, {}, True)),
        ("s.__dict__['more'] = 3\ns.more, sorted(s.__dict__)", (3, ["_filesystem", "filesystem", "more"])),
        ("Store.__dict__['shared'], 'shared' in getattr(Store, '__dict__')", (1, True)),
        ("import copy\ns.__dict__.update(filesystem=5)\ncopy.copy(s).filesystem", 5),
        ("getattr(1, '__dict__', 'none'), hasattr(1, '__dict__')", ("none", False)),
        (
            "try: (1).__dict__\nexcept AttributeError as error: found = str(error)\nfound",
            "'int' object has no attribute '__dict__'",
        ),
        ("import operator\noperator.attrgetter('filesystem')(s)", {}),
    ],
)
def test_the_programs_own_classes_may_have_any_attributes(code: str, expected: object) -> None:
    assert Session().run(OWN + code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "import datetime\ndatetime.__dict__",
        "int.__dict__",
        "(lambda: 0).__dict__",
        "Store.__dict__ = {}",
        "s.filesystem += 1",
        "[].filesystem if hasattr([], 'filesystem') else getattr(3, 'make_fragment', 4) and ''.__class__",
        "match s:\n  case Store(filesystem=found): pass",
    ],
)
def test_variables_of_others_stay_shut(code: str) -> None:
    assert "orbidden" in refused(OWN + code)
