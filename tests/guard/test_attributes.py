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
## lineage of a library
import collections
class A(collections.OrderedDict): pass
leak(type.__dict__)
## lineage of a class from a library
import json
class A(json.JSONEncoder): pass
leak(A.__mro__)
## lineage of a stand-in
import functools
class A(functools.cached_property): pass
leak(A.__bases__)
## lineage through a metaclass
class M(type): pass
leak(M.__subclasses__(object))
## mro through a metaclass
class M(type): pass
leak(M.mro(int))
## lineage through super
class M(type): pass
class A(metaclass=M): pass
leak(super(M, M).__subclasses__)
## mro through super
class M(type): pass
leak(super(M, M).mro(int))
## mro through a subclass of super
class S(super): pass
class M(type): pass
leak(S(M, M).mro)
## lineage by text
leak(getattr(int, '__subclasses__'))
## lineage by attrgetter
import operator
class A: pass
leak(operator.attrgetter('__base__.__subclasses__')(A))
## lineage by format
class A: pass
leak('{0.__mro__}'.format(A))
## lineage of base
class A: pass
leak(A.__mro__[-1].__subclasses__())
## own name on another object
class gi_frame: gi_frame = 1
def g(): yield
leak(g().gi_frame)
## own name by getattr
class gi_frame: gi_frame = 1
def g(): yield
leak(getattr(g(), 'gi_frame'))
## own name in a subclass of a queue
import asyncio
class Q(asyncio.Queue):
  _loop = None
async def m():
  q = Q(); t = asyncio.create_task(q.get()); await asyncio.sleep(0); t.cancel(); return q._loop
leak(asyncio.run(m()))
## own name taken by a store
import asyncio
q = asyncio.Queue()
q._loop = 1
leak(q)
## own name through an enum
import enum
class E(enum.Enum):
  A = 1
  def _convert(self): self._convert_ = 1
leak(E._convert_('E', 'os', lambda n: True))
## dictionary of a library's object
import asyncio
class Q(asyncio.Queue): pass
q = Q(); q.__dict__ = {}
leak(q)
## code of a library
import json
leak(json.dumps.__code__)
## defaults of a library
import json
leak(json.dumps.__kwdefaults__)
## self of a library's method
import random
leak(random.random.__self__)
## code is not code
def f(): pass
leak(f.__code__.replace())
## code is not taken
def f(): pass
f.__code__ = f.__code__
leak(f)
## match args change between
class A:
  __match_args__ = ('real',)
A.__match_args__ = ('__globals__',)
## frames of a traceback
try: 1 / 0
except Exception as e: leak(e.__traceback__.tb_frame)
## next of a traceback
try: 1 / 0
except Exception as e: leak(e.__traceback__.tb_next)
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
    assert refused("import json\nvars(json)").startswith("Forbidden access to the variables of a module")
    assert "json.loads" in refused("eval('1')")
    assert "final_answer" in refused("input()")


OWN = """
class Store:
    shared = 1
    def __init__(self): self.filesystem, self._filesystem = {}, 2
    def make_fragment(self): return len(self.filesystem)
    def __eq__(self, other): return self.__dict__ == other.__dict__
    def own(self): return self.__dict__
    @classmethod
    def common(cls): return cls.__dict__
s = Store()
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("s.make_fragment(), s._filesystem, s.filesystem, s == Store()", (0, 2, {}, True)),
        ("s.own()['more'] = 3\ns.more, sorted(s.own())", (3, ["_filesystem", "filesystem", "more"])),
        ("Store.common()['shared'], 'shared' in getattr(Store, '__dict__')", (1, True)),
        ("import copy\ns.own().update(filesystem=5)\ncopy.copy(s).filesystem", 5),
        ("getattr(1, '__dict__', 'none'), hasattr(1, '__dict__')", ("none", False)),
        (
            "try: Store.own(1)\nexcept AttributeError as error: found = str(error)\nfound",
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
        "s.__dict__",
        "def f(it): return it.__dict__\nf(s)",
        "display.__dict__",
        "Store.__dict__ = {}",
        "s.filesystem += 1",
        "[].filesystem if hasattr([], 'filesystem') else getattr(3, 'make_fragment', 4) and ''.__class__",
        "match s:\n  case Store(filesystem=found): pass",
    ],
)
def test_variables_of_others_stay_shut(code: str) -> None:
    assert "orbidden" in refused(OWN + code)
