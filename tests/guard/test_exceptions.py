"""Errors, tracebacks, frames and coroutines: they are told, and lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, paragraphs, refused, stopped

ESCAPES = paragraphs("""
## attributeerror obj
import json
try:
  json.nope
except AttributeError as e: leak(e.obj)
## attributeerror obj getattr
try:
  len.nope
except AttributeError as e: leak(getattr(e,'ob'+'j'))
## attributeerror obj match
try:
  len.nope
except AttributeError as e:
  match e:
    case AttributeError(obj=o): leak(o)
## attributeerror obj attrgetter
import operator
try:
  len.nope
except AttributeError as e: leak(operator.attrgetter('obj')(e))
## attributeerror match args
class A(AttributeError): __match_args__=('obj',)
import abc
class V(abc.ABC): __match_args__=('obj',)
V.register(AttributeError)
try:
  len.nope
except AttributeError as e:
  match e:
    case V(o): leak(o)
## format obj
try:
  len.nope
except AttributeError as e: leak('{0.obj}'.format(e))
## augassign
class E:
  def __radd__(s,o): leak(o)
try:
  len.nope
except AttributeError as e: e.obj+=E()
## augassign format
class E:
  def __radd__(s,o): leak(o)
x='{}'
x.format+=E()
## tb exit
class C:
  def __enter__(s): return s
  def __exit__(s,t,v,tb): leak(tb.tb_frame)
with C(): 1/0
## tb walk getattr
class C:
  def __enter__(s): return s
  def __exit__(s,t,v,tb): leak(getattr(tb,'tb_'+'frame'))
with C(): 1/0
## gen frame
g=(i for i in [])
leak(g.gi_frame)
## coroutine frame
async def f(): pass
leak(f().cr_frame)
## tracebackwalk
import traceback
leak(traceback.walk_tb)
""")


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_program_gets_there(code: str) -> None:
    assert isinstance(stopped(code), Exception)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "try: None.x\nexcept AttributeError as e: r = (e.name, str(e))\nr",
            ("x", "'NoneType' object has no attribute 'x'"),
        ),
        ("class A:\n    obj = 1\nA().obj", 1),
        ("class E(AttributeError):\n    pass\ntry: raise E('m')\nexcept AttributeError as e: r = e.args\nr", ("m",)),
        (
            "def g():\n    yield 1\n    return 2\ni = g()\nnext(i)\ntry: next(i)\nexcept StopIteration as e: r = e.value\nr",
            2,
        ),
    ],
)
def test_errors_are_told(code: str, output: Any) -> None:
    assert Session().run(code) == output


def test_a_traceback_shows_the_lines_of_the_program_alone() -> None:
    failing = "import traceback, functools\ntry: functools.reduce(getattr, ['a', '__dict__'], 1)\n"
    code = failing + "except Exception: t = traceback.format_exc()\nt"
    assert "lookups.py" not in Session().run(code)


def test_a_program_too_deep_is_refused_in_words() -> None:
    assert refused("x = " + "(" * 150 + "1" + ")" * 150 + "\nx = " + "-" * 30_000 + "1").startswith(
        "The program is nested too deeply"
    )
    assert Session().run("x = " + " + ".join(["1"] * 900) + "\nx") == 900
