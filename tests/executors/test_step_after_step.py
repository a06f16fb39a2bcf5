"""What one step does to the interpreter, or to itself, spoils no later step and hangs nothing."""

from __future__ import annotations

import pytest

from smolcell.errors import InterpreterError
from smolcell.executors.local import LocalPythonExecutor

MODULES = (
    *(
        "ast builtins collections contextlib decimal enum fractions gc io json json.* locale os reprlib signal string"
    ).split(),
    *("sys threading typing uuid warnings base64 numpy.* pandas.* matplotlib.* unittest.* linecache traceback").split(),
)

SPOILERS = {
    "json's encoder": "import json\njson.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *a, **k: 1 / 0",
    "json's decoder": "import json\njson.JSONDecoder.decode = json.JSONDecoder.raw_decode = lambda *a, **k: 1 / 0",
    "stdout left redirected": "import contextlib, io\ncontextlib.redirect_stdout(io.StringIO()).__enter__()",
    "stdout redirected to what raises": (
        "import contextlib\nclass Bad:\n    def write(self, text): 1 / 0\n    def flush(self): raise SystemExit\n"
        "contextlib.redirect_stdout(Bad()).__enter__()"
    ),
    "stdout closed": "import sys\nsys.stdout.close()",
    "stdout detached": "import sys\nsys.stdout.detach()",
    "stdout reconfigured": "import sys\nsys.stdout.reconfigure(encoding='ascii', errors='strict')",
    "descriptors closed": "import os\nos.close(1)\nos.close(2)",
    "recursion limit": "import sys\nsys.setrecursionlimit(60)",
    "SIGINT's handler": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
    "an alarm": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.3)",
    "signals blocked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])",
    "enum's call": "import enum\nenum.EnumMeta.__call__ = lambda *a, **k: 1 / 0",
    "syntax tree visitors": "import ast\nast.NodeVisitor.visit = ast.NodeTransformer.generic_visit = lambda self, node: node",
    "reprlib": "import reprlib\nreprlib.Repr.repr1 = reprlib.Repr.repr_instance = lambda *a: 1 / 0",
    "warnings are errors": "import warnings\nwarnings.simplefilter('error')",
    "locale": "import locale\nlocale.setlocale(locale.LC_ALL, 'C')",
    "decimal": "import decimal\ndecimal.getcontext().prec = 1\ndecimal.getcontext().traps[decimal.Inexact] = True",
    "environment": "import os\nos.environ.clear()",
    "collector": "import gc\ngc.disable()\ngc.set_threshold(0)",
    "fractions and uuids": "import fractions, uuid\nfractions.Fraction.numerator = uuid.UUID.__str__ = property(lambda s: 1 / 0)",
    "source lines": "import linecache\nlinecache.cache.clear()\nlinecache.cache['<agent step 2>'] = 5",
}


@pytest.fixture(scope="module")
def shared():
    made = LocalPythonExecutor(MODULES, timeout=20)
    yield made
    made.close()


@pytest.mark.parametrize("code", SPOILERS.values(), ids=SPOILERS)
def test_a_step_does_not_spoil_the_next(make, code: str) -> None:
    executor = make(MODULES, timeout=20)
    executor("kept = {'a': [1, 2.5, None]}")
    try:
        executor(code)
    except InterpreterError:
        pass
    reply = executor(
        "print('heard')\nclass P:\n    def __repr__(self): return 'P()'\n[kept, P()].__len__(), kept['a'], 'ü'"
    )
    assert (reply.output, reply.logs) == ((2, [1, 2.5, None], "ü"), "heard\n")
    with pytest.raises(InterpreterError, match="Import of ftplib is not allowed"):
        executor("import ftplib")
    with pytest.raises(InterpreterError, match="Forbidden access to dunder attribute: __globals__"):
        executor("final_answer.__globals__")


def test_an_interrupt_still_works_when_its_handler_was_taken(make) -> None:
    executor = make(["signal"], timeout=1)
    executor("import signal\nkept = 1\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    with pytest.raises(InterpreterError, match="took longer than 1 s"):
        executor("while True: pass")
    assert executor("kept").output == 1


def test_a_limit_on_recursion_is_the_program_s_own(shared: LocalPythonExecutor) -> None:
    shared("import sys\nsys.setrecursionlimit(5000)\ndef deep(n): return n and 1 + deep(n - 1)")
    assert shared("deep(3000), sys.getrecursionlimit()").output == (3000, 5000)
    shared("sys.setrecursionlimit(1000)")


# --- values that lie, raise, print, or hold themselves ---------------------------------------------------------------------

HOSTILE = {
    "shared lists": "x = [1]\nfor _ in range(30): x = [x, x]\nx",
    "shared dicts": "x = {'a': 1}\nfor _ in range(30): x = {'a': x, 'b': x}\nx",
    "a cycle": "x = []\nx.append(x)\nx",
    "a cycle of dicts": "x = {}\nx['x'] = x\nx",
    "deep": "x = ()\nfor _ in range(100_000): x = (x,)\nx",
    "an int of a million digits": "10 ** 1_000_000",
    "ints of a million digits": "[10 ** 1_000_000] * 3",
    "lone surrogates": "'a\\ud800b', {'\\udfff': 1}",
    "odd keys": "{(1, 'a'): 1, None: 2, 3.5: 3, b'x': 4, frozenset([1]): 5, print: 6, float('nan'): 7}",
    "repr raises": "class A:\n    def __repr__(self): 1 / 0\nA()",
    "repr exits": "class A:\n    def __repr__(self): raise SystemExit\nA()",
    "repr answers": "class A:\n    def __repr__(self): final_answer(5)\nA()",
    "repr is no text": "class A:\n    def __repr__(self): return 5\nA()",
    "repr prints": "class A:\n    def __repr__(self): print('x' * 100_000); return 'A'\nA()",
    "repr is a text that lies": (
        "class S(str):\n    def __len__(self): return 0\n    def encode(self, *a): 1 / 0\n    def __getitem__(self, i): 1 / 0\n"
        "class A:\n    def __repr__(self): return S('long' * 9)\nA()"
    ),
    "html raises": "class A:\n    def _repr_html_(self): raise SystemExit\nA()",
    "html is a text that lies": (
        "class S(str):\n    def __len__(self): return 0\n    def encode(self, *a): 1 / 0\n"
        "class A:\n    def _repr_html_(self): return S('<b>')\nA()"
    ),
    "html answers for everything": "class A:\n    def __getattr__(self, name): return lambda *a, **k: self\nA()",
    "json is shared": "x = [1]\nfor _ in range(30): x = [x, x]\nclass A:\n    def _repr_json_(self): return x\nA()",
    "length lies": "class L(list):\n    def __len__(self): return 10 ** 9\n    def __iter__(self): 1 / 0\nL([1])",
    "keys lie": "class D(dict):\n    def keys(self): 1 / 0\n    items = values = __iter__ = keys\nD(a=1)",
    "class lies": "A = type('A', (), {'__class__': property(lambda self: 1 / 0)})\nA()",
    "class says it is a frame": (
        "import pandas\nA = type('A', (), {'__class__': property(lambda self: pandas.Index)})\n[A()]"
    ),
    "type's hash raises": "class M(type):\n    def __hash__(cls): 1 / 0\nclass A(metaclass=M): pass\nA()",
    "type equals str": (
        "class M(type):\n    def __hash__(cls): return hash(str)\n    def __eq__(cls, other): return True\n"
        "class A(metaclass=M): pass\n[A()]"
    ),
    "type's name raises": (
        "bad = property(lambda c: 1 / 0)\nM = type('M', (type,), {'__qualname__': bad, '__module__': bad})\nM('A', (), {})()"
    ),
    "error's text raises": "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E",
    "error lies about its class": (
        "E = type('E', (Exception,), {'__class__': property(lambda s: SyntaxError), '__traceback__': property(lambda s: 1 / 0)})\nraise E()"
    ),
    "truth, order and hash raise": (
        "class A:\n    def __bool__(self): 1 / 0\n    __eq__ = __hash__ = __lt__ = __format__ = __bool__\n[A()]"
    ),
    "dies noisily": "class A:\n    def __del__(self): print('x'); raise SystemExit\nA()",
    "a frame with hostile cells": (
        "import pandas\nclass A:\n    def __repr__(self): 1 / 0\n    __str__ = __repr__\npandas.DataFrame({'a': [A()]})"
    ),
    "a frame's subclass": (
        "import pandas\nclass F(pandas.DataFrame):\n    def to_numpy(self, *a): 1 / 0\n"
        "    def __repr__(self): 1 / 0\nF({'a': [1]})"
    ),
    "an array of objects": "import numpy\nx = numpy.empty(1, object)\nx[0] = x\nx",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_ends_its_step_and_no_more(shared: LocalPythonExecutor, code: str) -> None:
    shared("kept = 41")
    try:
        reply = shared(code)
        assert len(repr(reply.output)) < 5_000_000
    except InterpreterError as error:
        assert "took longer" not in str(error)
    assert shared("kept + 1").output == 42  # the same process


@pytest.mark.parametrize(
    "code",
    [
        "class A:\n    def __repr__(self):\n        while True: pass\nA()",
        "class A:\n    def _repr_html_(self):\n        while True: pass\nA()",
        "class A:\n    def __del__(self):\n        while True: pass\nA()",
        "class A:\n    def __del__(self):\n        while True: pass\nfinal_answer(A())",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
    ],
)
def test_an_object_that_hangs_is_interrupted_and_the_state_kept(make, code: str) -> None:
    executor = make(timeout=1)
    executor("kept = 1")
    try:
        executor(code)
    except InterpreterError:
        pass
    assert executor("kept").output == 1


def test_a_tool_named_final_answer_gives_the_answer_and_its_end_the_usual_one_back(make) -> None:
    executor = make(timeout=20)
    executor.send_tools({"final_answer": lambda answer: 2 * answer})
    ended = executor("try:\n    final_answer(answer=2)\nexcept Exception:\n    pass\nprint('after')")
    assert (ended.output, ended.is_final_answer, ended.logs) == (4, True, "")
    executor.set_tools({})
    ended = executor("final_answer(5)")
    assert (ended.output, ended.is_final_answer) == (5, True)
