"""Functions of the standard library that read, write or run by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from guarded import Session, paragraphs, refused, stopped

from smolcell.worker.guard.imports import ForbiddenError

ESCAPES = paragraphs("""
## userstring format
from collections import UserString
leak(UserString('{0.__class__.__mro__}').format(1))
## userstring format by class
from collections import UserString
leak(UserString.format(UserString('{0.__class__}'), 1))
## userstring format_map
from collections import UserString
leak(getattr(UserString('{x.__class__}'), 'format_map')({'x': 1}))
## forwardref eval
import typing
typing.Optional["leak(().__class__)"].__args__[0]._evaluate({}, {}, frozenset())
## forwardref getattr
import typing
getattr(typing.Optional['x'].__args__[0], '_eval'+'uate')
## redirect stream
import contextlib
class R(contextlib.redirect_stdout): _stream='modules'
r=R({}); r.__enter__(); leak(r._old_targets[0])
## update_wrapper dict
import functools
D={}
class C: pass
W=type('W',(),{'__dict__':property(lambda s:D)})
functools.update_wrapper(W(), type)
leak(D['__subclasses__'])
## update_wrapper capture
import functools
got=[]
class U:
  def update(self,d): got.append(d)
W=type('W',(),{'__dict__':property(lambda s:U())})
functools.update_wrapper(W(), type)
leak(got[0]['__subclasses__'])
## enum convert
import enum
E=enum.Enum._convert_('E','os',lambda n:n=='system')
leak(E)
## global_enum
import enum
@enum.global_enum
class E(enum.Enum):
  __module__='json'
  loads=1
## catch_warnings module
import warnings
leak(warnings.catch_warnings()._module)
## singledispatch text
import functools
@functools.singledispatch
def f(x): pass
@f.register
def g(x:'leak(().__class__.__base__)'): pass
## dataclass text
import dataclasses
class C: pass
C.__annotations__={'x=leak(1)':int}
dataclasses.dataclass(C)
## dataclass text type()
import dataclasses
C=type('C',(),{'__annotations__':{'x: leak()=1':int}})
dataclasses.dataclass(C)
## dataclass base field
import dataclasses
@dataclasses.dataclass
class B: x:int=1
B.__dataclass_fields__['x'].name='x=leak(1)'
@dataclasses.dataclass
class C(B): y:int=2
## asdict name
import dataclasses
@dataclasses.dataclass
class B: x:int=1
B.__dataclass_fields__['x'].name='__class__'
leak(dataclasses.asdict(B()))
## replace name
import dataclasses
@dataclasses.dataclass
class B: x:int=1
b=B()
B.__dataclass_fields__['x'].name='__class__'
leak(dataclasses.replace(b))
## astuple queue loop
import dataclasses,asyncio
class Q(asyncio.Queue):
  pass
F=dataclasses.make_dataclass('F',['_loop'])
Q.__dataclass_fields__=F.__dataclass_fields__
leak(dataclasses.astuple(Q()))
## cached_property loop
import functools,asyncio
cp=functools.cached_property(lambda s: 1)
cp.attrname='_loop'
class Q(asyncio.Queue):
  z=cp
Q.z.attrname='_loop'
leak(Q().z)
## cached_property through super
import functools,asyncio
cp=functools.cached_property(lambda s: 1)
cp.attrname='_loop'
found=super(functools.cached_property, cp).__get__(asyncio.Queue())
if type(found) is not super: leak(found)
raise ValueError
## cached_property given another name
import functools,asyncio
cp=functools.cached_property(lambda s: 1)
cp.attrname='_loop'
leak(cp.__get__(asyncio.Queue()))
## singledispatchmethod through super
import functools
m=functools.singledispatchmethod(lambda s: 1)
leak(super(functools.singledispatchmethod, m).register)
## get_original_bases
import types, functools
leak(types.get_original_bases(functools.singledispatchmethod)[0].register)
## get_type_hints globals
import typing
def f(x: 'leak(().__class__)'): pass
typing.get_type_hints(f)
## get_type_hints builtins
import typing
d={}
def f(x: 'int'): pass
typing.get_type_hints(f, d)
leak(d['__builtins__'])
## get_type_hints of a class that is a library's
import typing
class A: x: 'codecs'
A.__module__='json'
leak(typing.get_type_hints(A))
## get_type_hints of a wrapped function
import typing, json
def f(x: 'codecs'): pass
f.__wrapped__=json.dumps
leak(typing.get_type_hints(f))
## get_type_hints nested
import typing
def f(x: typing.Optional['leak(().__class__)']): pass
typing.get_type_hints(f)
## get_type_hints odd text
import typing
class S(str):
  def __format__(self, spec): return 'leak(1)'
def f(x: 1): pass
f.__annotations__=type('D', (dict,), {})(x=S('int'))
typing.get_type_hints(f)
## formatter
import string
leak(string.Formatter().format('{0.__globals__}', display))
## formatter of a text
import string
leak(string.Formatter().format('{0.format}', '{0.__class__}')(1))
## formatter by class
import string
leak(string.Formatter.get_field(string.Formatter(), '0.__globals__', (display,), {}))
## formatter lineage
import string
class F(string.Formatter): pass
leak(F.__mro__)
## iter_fields by a node
import ast
def f(): pass
f._fields=('__globals__',)
leak(dict(ast.iter_fields(f)))
## ast shared
import ast
a, b = ast.parse('x'), ast.parse('y')
if a.body[0].value.ctx is b.body[0].value.ctx: leak(a)
raise ValueError
## ast transformer
import ast
leak(ast.NodeTransformer)
## traceback summary
import traceback
try: 1 / 0
except Exception as e: leak(type(traceback.extract_tb(e.__traceback__)[0])('/etc/passwd', 1, 'x').locals)
## text stream of a file
import io
leak(io.TextIOWrapper(io.FileIO('/etc/passwd')).read())
## iter_fields
import ast
leak(ast.iter_fields)
## types code
import types
leak(types.CodeType)
## io fileio
import io
leak(io.FileIO)
## io open outside
import io
leak(io.open('/etc/passwd').read())
## weakref finalize
import weakref
leak(weakref.finalize)
## chdir
import contextlib
leak(contextlib.chdir)
## open opener
leak(open('x','w',-1,None,None,None,True,lambda p,f:3))
""")


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_program_gets_there(code: str) -> None:
    assert isinstance(stopped(code), Exception)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "import contextlib, io\nb = io.StringIO()\nwith contextlib.redirect_stdout(b): print('x')\nb.getvalue()",
            "x\n",
        ),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    format: str\n    obj: int = 1\nA('x').obj", 1),
        (
            "import functools\n@functools.singledispatch\ndef f(x): return 0\n@f.register\ndef _(x: 'int | str'): return 1\nf(1), f(None)",
            (1, 0),
        ),
        ("import ast\nast.literal_eval('{1: [2]}')", {1: [2]}),
    ],
)
def test_ordinary_uses_work(code: str, output: Any) -> None:
    assert Session().run(code) == output


def test_a_file_that_a_program_opens_lies_in_the_work_folder() -> None:
    assert "lies outside the work folder" in refused("open('/etc/hostname')")


def test_io_open_is_the_open_of_the_work_folder(tmp_path: Path) -> None:
    session = Session(folder=str(tmp_path))
    assert session.run("import io\nwith io.open('a.txt', 'w') as f: f.write('x')\nio.open is open") is True
    assert (tmp_path / "a.txt").read_text() == "x"
    with pytest.raises(ForbiddenError, match="outside the work folder"):
        session.run("import io\nio.open('/etc/passwd')")
