"""Escapes that were found and closed: each is a program that got out once."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell.worker import tables
from smolcell.worker.guard import Guard, guarded_builtins
from smolcell.worker.modules import ForbiddenError, Shelf
from smolcell.worker.program import LAST, compile_program


class Session:
    """A namespace and its steps, as the runner keeps them, in this process."""

    def __init__(self, *imports: str) -> None:
        self.shelf = Shelf([*tables.DEFAULT_IMPORTS, *imports])
        self.names: dict[str, Any] = {"__name__": "__main__", "__loader__": None, "__spec__": None}
        self.names["__builtins__"] = guarded_builtins(self.shelf, "/nonexistent")
        self.names["display"] = lambda *shown: None

    def run(self, code: str) -> Any:
        guard = Guard(self.shelf, (), self.names)
        exec(compile_program(code, "<agent step 1>", guard), self.names)
        return self.names.pop(LAST, None)


def refused(code: str, *imports: str) -> str:
    with pytest.raises(ForbiddenError) as caught:
        Session(*imports).run(code)
    return str(caught.value)


# --- asyncio -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("get_running_loop", "get_event_loop", "new_event_loop", "get_event_loop_policy", "Runner", "to_thread"),
        *(
            "SubprocessProtocol",
            "Protocol",
            "AbstractEventLoop",
            "SelectorEventLoop",
            "_get_running_loop",
            "StreamReader",
        ),
        *(
            "create_subprocess_shell",
            "open_connection",
            "start_server",
            "run_coroutine_threadsafe",
            "_set_running_loop",
        ),
    ],
)
def test_asyncio_hands_out_no_loop_and_no_process(name: str) -> None:
    assert refused(f"import asyncio\nasyncio.{name}").startswith("Forbidden access to ")
    assert refused(f"from asyncio import {name}").startswith("Forbidden access to ")
    assert refused(f"import asyncio\ngetattr(asyncio, '{name}')").startswith("Forbidden access to ")


@pytest.mark.parametrize(
    "code",
    [
        "import asyncio\nasync def m(): asyncio.current_task().get_loop()\nasyncio.run(m())",
        "import asyncio\nasyncio.Queue()._get_loop()",
        "import asyncio\nasyncio.Lock()._loop",
        "import asyncio\nasync def m(): getattr(asyncio.current_task(), '_lo' + 'op')\nasyncio.run(m())",
        "import operator\noperator.methodcaller('subprocess_' + 'shell', object, 'id')",
        "import asyncio\ngot = []\nclass Q(asyncio.Queue):\n    def __setattr__(self, name, value):\n        got.append(value)\n"
        "        object.__setattr__(self, name, value)\nasync def m():\n    got[-1].create_connection(None, '127.0.0.1', 9)\n"
        "asyncio.run(m())",
        "match 1:\n    case object(get_loop=g): pass",
    ],
)
def test_no_object_of_asyncio_leads_to_what_a_loop_can_do(code: str) -> None:
    assert refused(code).startswith("Forbidden access to ")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "async def f(n):\n    await asyncio.sleep(0)\n    return n\nasync def m(): return await asyncio.gather(f(1), f(2))",
            [1, 2],
        ),
        (
            "async def m():\n    q = asyncio.Queue()\n    async def put():\n        for n in range(3): await q.put(n)\n"
            "    t = asyncio.create_task(put())\n    await t\n    return [q.get_nowait() for _ in range(q.qsize())]",
            [0, 1, 2],
        ),
        (
            "async def m():\n    lock = asyncio.Lock()\n    async with lock:\n        try:\n"
            "            await asyncio.wait_for(asyncio.sleep(9), 0.01)\n        except asyncio.TimeoutError:\n            return 'late'",
            "late",
        ),
        (
            "async def one(): return 1\nasync def m():\n    done, _ = await asyncio.wait([asyncio.ensure_future(one())], "
            "return_when=asyncio.FIRST_COMPLETED)\n    return [t.result() for t in done]",
            [1],
        ),
        (
            "async def one(): return 1\nasync def m():\n    async with asyncio.TaskGroup() as g: t = g.create_task(one())\n"
            "    async with asyncio.timeout(1): return t.result()",
            1,
        ),
    ],
)
def test_programs_with_asyncio_work(code: str, output: Any) -> None:
    assert Session().run(f"import asyncio\n{code}\nasyncio.run(m())") == output


# --- the builtins ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["__builtins__", "__import__", "__loader__", "__spec__", "__build_class__", "__package__"]
)
def test_a_name_of_the_interpreter_is_never_bound(name: str) -> None:
    assert refused(name) == f"Forbidden access to dunder name: {name}"
    assert refused(f"lambda {name}: {name}") == f"Forbidden name: {name}"
    assert refused(f"{name} = 1\n{name}") == f"Forbidden name: {name}"
    assert refused(f"match {{}}:\n    case {name}: pass") == f"Forbidden name: {name}"
    assert refused(f"match []:\n    case [*{name}]: pass") == f"Forbidden name: {name}"
    assert refused(f"match {{}}:\n    case {{**{name}}}: pass") == f"Forbidden name: {name}"


def test_a_name_lent_to_the_program_is_not_bound_by_a_pattern() -> None:
    assert refused("match 1:\n    case print: pass").startswith("Cannot assign to name 'print'")


def test_a_dunder_that_the_program_defines_may_be_read() -> None:
    assert Session().run("class A:\n    def __getstate__(self): return 1\n    copied = __getstate__\nA().copied()") == 1
    assert Session().run("__author__ = 'a'\n__author__, __name__") == ("a", "__main__")


def test_import_like_a_c_function_gives_no_module() -> None:
    session = Session()
    load = session.names["__builtins__"]["__import__"]
    assert load("os", None, None, ["x"]) is None  # loaded already: nothing is imported
    with pytest.raises(ForbiddenError, match="Import of antigravity is not allowed"):
        load("antigravity", None, None, [])
    assert session.run(
        "import time, datetime\ndatetime.datetime.strptime('2020', '%Y').year, time.strptime('2020 1', '%Y %d')[2]"
    ) == (2020, 1)


# --- str.format ------------------------------------------------------------------------------------------------------------

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


# --- patterns and private names ----------------------------------------------------------------------------------------------

LYING = "class M(type):\n    def __instancecheck__(c, o): return True\n"


@pytest.mark.parametrize(
    "code",
    [
        LYING + "class A(metaclass=M):\n    __match_args__ = ('__globals__',)\nmatch display:\n    case A(g): g",
        LYING + "A = M('A', (), {'__match_args__': ('__globals__',)})\nmatch display:\n    case [A(g)] | A(g): g",
        "import abc\nclass A(abc.ABC):\n    __match_args__ = ('__globals__',)\nA.register(type(display))\nmatch display:\n    case A(g): g",
        "class A:\n    __match_args__ = ('gi_frame',)\nmatch 1:\n    case A(g): g",
        "class A:\n    __match_args__ = ('format',)\nmatch 1:\n    case A(g): g",
        "class N(type):\n    def __getattribute__(c, n): return ('__globals__',)\nclass A(metaclass=N): pass\nmatch 1:\n    case A(g): g",
        "class A:\n    __match_args__ = ()\nA.__match_args__ = ('__globals__',)",
        "class A: pass\nsetattr(A, '__match_' + 'args__', ('__globals__',))",
    ],
)
def test_a_class_pattern_reads_nothing_that_the_guard_denies(code: str) -> None:
    assert refused(code).startswith("Forbidden ")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "@dataclass\nclass P:\n    x: int\n    y: int\nmatch P(1, 2):\n    case P(0, _): r = 0\n    case P(x, y=2): r = x\nr",
            1,
        ),
        ("class P:\n    __match_args__ = ('a',)\n    a = 3\nmatch [P()]:\n    case [P(a)]: r = a\nr", 3),
        ("match 1, 'a':\n    case int(n), str(s): r = n, s\nr", (1, "a")),
        ("match 1:\n    case int(): r = 'int'\n    case Nowhere(x=x): r = x\nr", "int"),
    ],
)
def test_class_patterns_work(code: str, output: Any) -> None:
    assert Session().run("from dataclasses import dataclass\n" + code) == output


def test_a_class_of_a_class_body_is_judged_too() -> None:
    code = "class X:\n    B = M('B', (), {'__match_args__': ('__globals__',)})\n    match display:\n        case B(g): pass"
    assert refused(LYING + code) == "Forbidden access to dunder attribute: __globals__"


def test_the_standard_library_hands_out_no_private_name() -> None:
    assert (
        refused("import copy\ncopy._deepcopy_dispatch")
        == "Forbidden access to private name of copy: _deepcopy_dispatch"
    )
    assert refused("from collections import _tuplegetter").startswith("Forbidden access to private name")
