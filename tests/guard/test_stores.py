"""Stores: agent code changes what it made, never what a library made."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, paragraphs, refused, stopped

ESCAPES = paragraphs("""
## store class loop
import json
for c in [json.JSONEncoder]: c.zz=1
leak(c.zz)
## store method self
import json
class C:
  def f(self): self.zz=1
C.f(json.JSONEncoder)
leak(1)
## store abc
import numbers
class C:
  def f(self): self.zz=1
C.f(numbers.Number)
leak(1)
## store setattr
import json
setattr(json.JSONEncoder,'zz',1)
leak(1)
## store type.__setattr__
import json
type.__setattr__(json.JSONEncoder,'zz',1)
leak(1)
## store object.__setattr__
import json
object.__setattr__(json.JSONEncoder,'zz',1)
leak(1)
## store super setattr
import json
class M(type):
  def g(cls): return super().__setattr__
M.g(json.JSONEncoder)('zz',1)
leak(1)
## store alias
import typing
typing.Counter[int].zz=1
leak(1)
## store function
import json
json.dumps.zz=1
leak(1)
## store for target
import json
for json.JSONEncoder.zz in [1]: pass
leak(1)
## store with
import json,contextlib
with contextlib.nullcontext(1) as json.JSONEncoder.zz: pass
leak(1)
## store unpack
import json
(json.JSONEncoder.zz,), b = [1], 2
leak(1)
## store del
import json
del json.JSONEncoder.encode
leak(1)
## store annassign
import json
json.JSONEncoder.zz: int = 1
leak(1)
## copy slotstate
import copy,json
class C:
  def __new__(cls): return object.__new__(cls)
  def __getstate__(self): return (None,{'zz':1})
  def __reduce_ex__(self,p): return (lambda: json.JSONEncoder, (), (None,{'zz':1}))
copy.copy(C())
leak(json.JSONEncoder.zz)
## total_ordering lib
import functools,json
functools.total_ordering(json.JSONEncoder)
leak(1)
## wraps lib
import functools,json
functools.update_wrapper(json.dumps, print)
leak(1)
## dataclass lib
import dataclasses,json
dataclasses.dataclass(json.JSONEncoder)
leak(1)
## total_ordering lib
import functools,fractions
functools.total_ordering(fractions.Fraction)
leak(1)
## setattr match args
class A: pass
setattr(A,'__match_args__',('__globals__',))
leak(1)
## type.__setattr__ match
class A: pass
type.__setattr__(A,'__match_args__',('__globals__',))
leak(1)
## prepare namespace store
class NS(dict):
  def __getitem__(self,k):
    if k.startswith('__smolcell'): return lambda *a:a[0]
    return dict.__getitem__(self,k)
class M(type):
  def __prepare__(n,b): return NS()
  def __new__(m,n,b,ns): return type.__new__(m,n,b,dict(ns))
import json
class X(metaclass=M):
  json.JSONEncoder.default=1
leak(1)
""")


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_program_gets_there(code: str) -> None:
    assert isinstance(stopped(code), Exception)


def test_a_refusal_names_the_class() -> None:
    assert refused("import json\njson.JSONEncoder.x = 1") == (
        "Cannot change JSONEncoder: it belongs to a library. Define a subclass or a new function instead"
    )


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("class A: n = 0\nclass B(A): pass\nfor c in (A, B): c.n += 1\nA.n, B.n", (1, 2)),
        ("def f(): f.calls += 1\nf.calls = 0\nf()\nf.calls", 1),
        ("import json\njson.own = 1\njson.own", 1),
        ("class M(type):\n    def tag(cls): cls.tagged = True\nclass A(metaclass=M): pass\nA.tag()\nA.tagged", True),
        (
            "class A:\n    def a(self):\n        def b(self): self.x = 2\n        b(self)\n        return self.x\nA().a()",
            2,
        ),
        ("class A: pass\na = A()\na.b = A()\na.b.c: int = 1\na.b.c += 1\ndel a.b.c\nhasattr(a.b, 'c')", False),
        (
            "class A:\n    def f(self, o):\n        self = o\n        self.x = 1\n        return self\nclass B: pass\nA().f(B()).x",
            1,
        ),
    ],
)
def test_a_program_changes_what_it_made(code: str, output: Any) -> None:
    assert Session().run(code) == output


def test_a_parameter_that_is_bound_again_is_checked_at_the_store() -> None:
    code = "import json\nclass A:\n    def f(self, o):\n        {}\n        self.x = 1\nA().f(json.JSONEncoder)"
    for bind in (
        "self = o",
        "for self in [o]: pass",
        "(self := o)",
        "[self, *_] = [o]",
        "match o:\n            case self: pass",
    ):
        assert refused(code.format(bind)).startswith("Cannot change JSONEncoder")
