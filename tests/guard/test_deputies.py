"""Nothing in the standard library reads, sets or runs for a program what the program must not."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from guarded import Session, paragraphs, stopped

ESCAPES = paragraphs("""
## class of attrgetter
import operator
leak(type(operator.attrgetter('x'))('__subclasses__')(object)())
## class of methodcaller
import operator
leak(type(operator.methodcaller('x'))('__subclasses__')(object))
## singledispatch and annotations that change
import functools, textwrap
class Odd: get = None
class Liar:
    asked = 0
    __wrapped__ = textwrap.dedent
    def __call__(self, x): pass
    @property
    def __annotations__(self):
        Liar.asked += 1
        return Odd() if Liar.asked == 1 else {'x': 're.Pattern'}
f = functools.singledispatch(lambda x: 0)
f.register(Liar())
leak(f.registry)
## singledispatch and text behind what is kept
import functools, textwrap
kept = functools.lru_cache(lambda x: 0)
kept.__wrapped__ = textwrap.dedent
kept.__annotations__ = {'x': 're.Pattern'}
f = functools.singledispatch(lambda x: 0)
f.register(kept)
leak(f.registry)
## singledispatch and a class that changes
import functools, textwrap
class Liar:
    __wrapped__ = textwrap.dedent
    __annotations__ = {'x': 're.Pattern'}
    def __call__(self, x): pass
told = [type, int]
Changing = type('Changing', (Liar,), {'__class__': property(lambda self: told.pop(0) if told else int)})
f = functools.singledispatch(lambda x: 0)
f.register(Changing())
leak(f.registry)
## get_type_hints in the module a class is said to be of
import typing
class A:
    __module__ = 'sys'
    x: typing.Annotated['getrefcount', 1]
leak(typing.get_type_hints(A))
## get_type_hints in the module a reference is said to be of
import typing
Reference = type(typing.List['x'].__args__[0])
class A:
    x: typing.Optional[Reference('getrefcount', module='sys')]
leak(typing.get_type_hints(A))
## get_type_hints of what an annotation holds
import typing
class A:
    x: typing.Annotated['leak(().__class__)', 1]
typing.get_type_hints(A)
## dataclass with a comparison that reads a module
import dataclasses
@dataclasses.dataclass(init=False)
class Base:
    a: int = 1
    def take(self, found): leak(found)
Base.__dataclass_fields__['a'].name = 'a, (lambda getrefcount: 0) and self.take(getrefcount), self.a'
X = dataclasses.make_dataclass('X', [], bases=(Base,), init=False, repr=False, namespace={'__module__': 'sys'})
X() == X()
raise KeyError('made')
## dataclass with a comparison that reads on
import dataclasses
class Held: os = 1
@dataclasses.dataclass(init=False)
class Base:
    a: int = Held()
Base.__dataclass_fields__['a'].name = 'a.os'
X = dataclasses.make_dataclass('X', [], bases=(Base,), init=False, repr=False)
X() == X()
raise KeyError('made')
## a library's class through an alias
import json, typing
class Alias(type(typing.List[int]), _root=True): __origin__ = json.JSONDecoder
object.__new__(Alias).marked = 1
leak(json.JSONDecoder.marked)
## a library's class through a proxy
import json, weakref
weakref.proxy(json.JSONDecoder).marked = 1
leak(json.JSONDecoder.marked)
## a library's class through a proxy and setattr
import json, weakref
setattr(weakref.proxy(json.JSONDecoder), 'marked', 1)
leak(json.JSONDecoder.marked)
## a library's function through a proxy
import json, weakref
weakref.proxy(json.loads).marked = 1
leak(json.loads.marked)
## a library's class by a member of an enum
import enum, json
class Spy:
    def __get__(self, value, kind): return self
    def __set_name__(self, owner, name):
        self.made = next(each for each in vars(owner).values() if type(each).__name__ == '_proto_member')
class E(enum.Enum):
    spy = Spy()
    a = 1
try: E.spy.made.__set_name__(json.JSONDecoder, 'decode')
except AttributeError: leak(hasattr(json.JSONDecoder, 'decode'))
## the object of an error, by hand
leak(AttributeError.obj)
## a state that a copy sets
import copy
class State:
    def __reduce_ex__(self, protocol): return lambda: UnicodeError(), (), {'marked': 1}
leak(copy.copy(State()).marked)
## a state that a copy in depth sets
import copy
class State:
    def __reduce_ex__(self, protocol): return lambda: UnicodeError(), (), {'marked': 1}
leak(copy.deepcopy(State()).marked)
""")
ESCAPES_FROM = {
    (3, 12): paragraphs("""
## enum property
import enum
found = enum.property()
found.name, found._attr_type, found._cls_type = '__subclasses__', 'attr', object
leak(found.__get__(1))
"""),
    (3, 13): paragraphs("""
## deprecated
import json, warnings
leak(warnings.deprecated('old')(json.JSONDecoder))
"""),
}
for since, more in ESCAPES_FROM.items():
    if sys.version_info >= since:
        ESCAPES |= more

PROGRAMS: dict[str, tuple[str, Any]] = {
    "getters": (
        "import operator\nfrom types import SimpleNamespace as S\nrows = [S(a=2, b=S(c=1)), S(a=1, b=S(c=0))]\n"
        "[r.a for r in sorted(rows, key=operator.attrgetter('a'))], operator.attrgetter('a', 'b.c')(rows[0]), "
        "list(map(operator.methodcaller('split', ','), ['a,b']))",
        ([1, 2], (2, 1), [["a", "b"]]),
    ),
    "singledispatch": (
        "import functools\n@functools.singledispatch\ndef f(x): return 0\n@f.register\ndef _(x: list): return 1\n"
        "@f.register(str)\ndef _(x): return 2\n"
        "class K:\n    @functools.singledispatchmethod\n    def m(self, x): return 0\n"
        "    @m.register\n    @staticmethod\n    def _(x: int): return 3\n"
        "f([]), f(''), f(1), K.m(1) if False else K().m('')",
        (1, 2, 0, 0),
    ),
    "singledispatch of what is kept": (
        "import functools\n@functools.singledispatch\ndef f(x): return 0\n"
        "@f.register\n@functools.lru_cache\ndef _(x: int): return 1\n"
        "@f.register\n@functools.cache\ndef _(x: 'str | bytes'): return 2\n"
        "f(1), f(''), f(b''), f([])",
        (1, 2, 2, 0),
    ),
    "what cannot be registered": (
        "import functools\nf = functools.singledispatch(lambda x: 0)\n"
        "try: f.register(lambda x: 1)\nexcept TypeError as error: said = str(error)\nsaid[:44]",
        "Invalid first argument to `register()`: <fun",
    ),
    "hints": (
        "import typing\nclass Node:\n    next: typing.Optional['Node']\n    kind: typing.Literal['open', 'a b']\n"
        "    size: typing.Annotated['int', 1]\n"
        "found = typing.get_type_hints(Node)\n"
        "found['next'] == typing.Optional[Node], found['kind'] == typing.Literal['open', 'a b'], found['size']",
        (True, True, int),
    ),
    "dataclasses": (
        "import dataclasses\n"
        "@dataclasses.dataclass(order=True, unsafe_hash=True)\nclass P:\n    os: str\n    self: int = 1\n"
        "    format: list = dataclasses.field(default_factory=list, hash=False)\n"
        "    later: dataclasses.InitVar[int] = 5\n    def __post_init__(self, later): self.after = later\n"
        "@dataclasses.dataclass(frozen=True)\nclass F(object):\n    a: int\n    b: str = 'x'\n"
        "try: F(1).a = 2\nexcept dataclasses.FrozenInstanceError as error: said = str(error)\n"
        "try: del F(1).a\nexcept dataclasses.FrozenInstanceError as error: said += str(error)\n"
        "repr(P('linux')), P('a') < P('b'), P('a') == P('a'), hash(P('a')) == hash(P('a')), P('a').after, said, "
        "dataclasses.replace(F(1), b='y'), dataclasses.asdict(F(1))",
        (
            "P(os='linux', self=1, format=[])",
            True,
            True,
            True,
            5,
            "cannot assign to field 'a'cannot delete field 'a'",
            "F(a=1, b='y')",
            {"a": 1, "b": "x"},
        ),
    ),
    "dataclasses with slots": (
        "import collections, dataclasses\nclass Base:\n    def f(self): return self.x\n"
        "@dataclasses.dataclass(slots=True)\nclass A(Base):\n    x: int\n"
        "@dataclasses.dataclass(slots=True)\nclass E(Exception):\n    code: int\n"
        "@dataclasses.dataclass(slots=True)\nclass D(collections.OrderedDict):\n    y: int = 3\n"
        "A(1).f(), E(2).code, D().y",
        (1, 2, 3),
    ),
    "proxies": (
        "import weakref\nclass K: pass\nk = K()\nweakref.proxy(k).x = 1\nsetattr(weakref.proxy(k), 'y', 2)\nk.x, k.y",
        (1, 2),
    ),
    "aliases": (
        "import typing\nT = typing.TypeVar('T')\nclass Box(typing.Generic[T]): pass\n"
        "Box[int].size = 3\nBox[int]._kept = 4\nBox.size, Box._kept",
        (3, 4),
    ),
    "copies": (
        "import collections, copy, datetime, decimal, enum, fractions, random\n"
        "class E(enum.Enum): a = 1\nclass K:\n    def __init__(self): self.x = [1]\n"
        "    def __reduce__(self): return K, (), {'x': [2]}\n"
        "class Err(ValueError):\n    pass\nerror = Err(1)\nerror.note = 'n'\n"
        "things = [decimal.Decimal(1), datetime.date(2020, 1, 2), fractions.Fraction(1, 2), E.a, collections.Counter('a'), "
        "collections.deque([1]), collections.defaultdict(int, a=1), {1: [2]}, slice(1), range(3)]\n"
        "twin = random.Random(3)\nagain = copy.deepcopy(twin)\n"
        "[copy.copy(x) == x for x in things].count(True), [copy.deepcopy(x) == x for x in things].count(True), "
        "copy.copy(K()).x, copy.copy(error).note, copy.deepcopy(error).note, twin.random() == again.random()",
        (10, 10, [2], "n", "n", True),
    ),
}


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_what_the_program_must_not_do_is_not_done_for_it(code: str) -> None:
    assert not isinstance(stopped(code), KeyError)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_it_may_do_is_done_for_it(name: str) -> None:
    code, expected = PROGRAMS[name]
    value = Session().run(code)
    assert value == expected or tuple(map(_plain, value)) == tuple(map(_plain, expected))


def _plain(value: Any) -> Any:
    return repr(value) if type(value).__module__ == "__main__" else value
