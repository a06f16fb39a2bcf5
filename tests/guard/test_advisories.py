"""Ways out of other Python sandboxes that were made public: each mechanism, in code of our own, ends here.

The names are those of the advisories: of smolagents, RestrictedPython, asteval, simpleeval and n8n.
"""

from __future__ import annotations

import sys

import pytest
from guarded import Session, paragraphs, refused, stopped

MECHANISMS = paragraphs("""
## CVE-2025-5120 smolagents: a module that an authorised one imported
import random
leak(random._os)
## CVE-2025-5120 smolagents: the same by getattr
import queue
leak(getattr(queue, "thr" + "eading"))
## CVE-2025-9959 smolagents: from an object to all classes
leak([c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "Popen"])
## CVE-2025-9959 smolagents: the same through type
leak(type.__subclasses__(object))
## CVE-2026-4963 smolagents: an augmented assignment reads and writes
def f(): pass
f.__globals__ |= {}
leak(f)
## CVE-2026-4963 smolagents: a function's code is replaced
def f(): pass
def g(): return __name__
f.__code__ = g.__code__
leak(f)
## CVE-2026-4963 smolagents: setattr replaces it
def f(): pass
setattr(f, "__code__", 1)
leak(f)
## CVE-2023-37271 RestrictedPython: a generator's frame
def walk():
    yield g.gi_frame.f_back
g = walk()
leak(next(g).f_builtins)
## CVE-2023-37271 RestrictedPython: a coroutine's and an async generator's frame
async def f():
    yield 1
leak(getattr(f(), "ag_" + "frame"))
## CVE-2023-41039 RestrictedPython: format reads attributes
leak("{0.__globals__}".format(display))
## CVE-2023-41039 RestrictedPython: format_map of the type
leak(str.format_map("{a.__globals__}", {"a": display}))
## CVE-2024-47532 RestrictedPython: the object of an AttributeError
import string
try:
    string.nothing
except AttributeError as error:
    leak(error.obj)
## CVE-2026-76825 RestrictedPython: string.Formatter
import string
leak(string.Formatter().get_field("0.__globals__", (display,), {}))
## asteval issue 86: reduce hands out getattr
leak(print.__reduce__())
## asteval: an attribute by the name in a format string's field of a field
leak("{0:{1.__globals__}}".format(1, display))
## simpleeval CVE-2026-32640: a module behind an attribute of what is handed in
import json
leak(json.codecs.builtins)
## simpleeval CVE-2026-32640: a function of a module as a callback
import functools
leak(functools.reduce(getattr, ["decoder", "scanner", "re"], __import__("json")))
## CVE-2025-68668 n8n: a name of the interpreter that no list holds
leak(__builtins__)
## CVE-2025-68668 n8n: the loader imports
leak(__loader__.load_module("os"))
## CVE-2025-68613 n8n: from a value to the constructor of code
leak(type(leak)(leak.__code__, {}))
## smolagents pull request 2281: the module that a builtin belongs to
leak(callable.__self__.exec)
""")


@pytest.mark.parametrize("code", MECHANISMS.values(), ids=MECHANISMS)
def test_a_known_way_out_ends_here(code: str) -> None:
    assert type(stopped(code)).__name__ in ("Refusal", "ForbiddenError")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
def test_cve_2025_22153_an_exception_group_that_divides_itself() -> None:
    derived = "class H(ExceptionGroup):\n    def derive(self, found): return H(self.message, found)\n"
    handled = "try: raise H('m', [TypeError(), KeyError()])\nexcept* TypeError as g: a = type(g).__name__\nexcept* KeyError: pass\na"
    assert Session().run(derived + handled) == "H"
    own = "class G(ExceptionGroup):\n    def split(self, kind): return 'ab'\n"
    assert (
        refused(own + handled.replace("H(", "G("))
        == "Forbidden method: split of the exception group G. Override derive"
    )
    unsaid = own.replace("    def", "    __module__ = 'json'\n    def")
    assert refused(unsaid + handled.replace("H(", "G(")).startswith("Forbidden method: split")
    answers = "class G(ExceptionGroup):\n    def __getattribute__(self, name): return lambda kind: 'ab'\n"
    assert refused(answers + handled.replace("H(", "G(")).startswith("Forbidden method: split")
    held = handled.replace("try: raise H(", "g = ExceptionGroup(").replace(
        "\nexcept", "\ng.split = lambda kind: 'ab'\ntry: raise g\nexcept", 1
    )
    assert refused(held).startswith("Forbidden attribute: split")
