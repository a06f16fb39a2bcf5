"""What a step is: Python as it is, in a namespace that is kept."""

from __future__ import annotations

import asyncio
from typing import Any

from smolcell.testing.checks.check import check
from smolcell.testing.trial import Trial, expect, ok, that

LANGUAGE = """
import functools
from dataclasses import dataclass, field
from enum import Enum

def loud(function):
    @functools.wraps(function)
    def wrapper(*args, mark='!', **kwargs):
        return function(*args, **kwargs).upper() + mark
    return wrapper

@loud
def greet(name, *, greeting='hello'):
    return f'{greeting:>6} {name!r}'

class Base:
    def __init__(self, size): self._size = size
    @property
    def size(self): return self._size
    def __add__(self, other): return type(self)(self.size + other.size)

class Child(Base):
    def __init__(self, size): super().__init__(size * 2)
    def __eq__(self, other): return self.size == other.size
    __hash__ = None

@dataclass
class Point:
    x: int = 1
    tags: list = field(default_factory=list)

class Color(Enum):
    RED = 1

def late():
    try:
        return 'early'
    finally:
        order.append('finally')

def pairs():
    got = yield 1
    yield from [got, [*range(2), *'ab']]

order, it = [], pairs()
{
    'decorated': greet('x', greeting='hi'),
    'inherited': (Child(1) + Child(2)).size,
    'dataclass': repr(Point(tags=[1])),
    'enum': Color['RED'].value,
    'finally': (late(), order),
    'generator': [next(it), it.send('sent'), next(it)],
    'walrus': [y for x in range(4) if (y := x * x) > 1],
    'star': (lambda a, *b, c, **d: (a, b, c, d))(*[1, 2], **{'c': 3, 'e': 4}),
    'chained': 1 < 2 < 3 != 4,
    'big': 2 ** 100,
    'slice': 'abcdef'[::-2],
}
"""
SPOKEN = {
    "decorated": "    HI 'X'!",
    "inherited": 12,
    "dataclass": "Point(x=1, tags=[1])",
    "enum": 1,
    "finally": ("early", ["finally"]),
    "generator": [1, "sent", [0, 1, "a", "b"]],
    "walrus": [4, 9],
    "star": (1, (2,), 3, {"e": 4}),
    "chained": True,
    "big": 2**100,
    "slice": "fdb",
}


@check
async def last_expression(trial: Trial) -> None:
    """The value of the last expression is the step's output, and its repr the result."""
    cases: list[tuple[str, Any, str]] = [
        ("1 + 1", 2, "2"),
        ("x = 3", None, ""),
        ("x = 3\nx", 3, "3"),
        ("", None, ""),
        ("# nothing", None, ""),
        ("'a' if 0 else 'b'", "b", "'b'"),
        ("None", None, ""),
        ("for i in range(3): i", None, ""),
    ]
    for code, output, result in cases:
        observed = ok(await trial.run(code), repr(code))
        expect((observed.output, observed.result), (output, result), f"output and result of {code!r}")


@check
async def language(trial: Trial) -> None:
    """Code runs with Python's own semantics."""
    output = ok(await trial.run(LANGUAGE)).output
    that(isinstance(output, dict), f"the program's value is not what it computed: {output!r:.300}")
    for name, value in SPOKEN.items():
        expect(output.get(name), value, f"part {name!r} of the program")


@check
async def observation(trial: Trial) -> None:
    """An observation names its run and step, says what was printed, and which names the step wrote."""
    executor = trial.given()
    permit = await trial.permit("import math\nsize = 2\ndef area(r): return math.pi * r\nprint('done')", step=7)
    observed = ok(await trial.run_permit(permit, executor))
    expect((observed.run, observed.step), (permit.run, 7), "run and step of the observation")
    expect((observed.stdout, observed.logs), ("done\n", "done\n"), "what was printed")
    expect(set(observed.changed), {"math", "size", "area"}, "the names the step wrote")
    expect((observed.is_final_answer, observed.state_lost, observed.dropped), (False, False, 0), "flags")
    that(0 <= observed.duration < 60 + trial.patience, f"a duration of {observed.duration} s")
    expect(ok(await trial.run("size = size + 1", executor)).changed, ("size",), "the names the next step wrote")


@check
async def state(trial: Trial) -> None:
    """Names, functions, classes and imports of a step are there in the next ones."""
    executor = trial.given()
    ok(await trial.run("import json as j\nn = 1\nclass Box:\n    def __init__(self, v): self.v = v", executor))
    ok(await trial.run("n += 1\nbox = Box([n])\ndef show(): return j.dumps({'n': n, 'v': box.v})", executor))
    ok(await trial.run("n += 1\nbox.v.append(n)\ndel Box", executor))
    expect(ok(await trial.run("show()", executor)).output, '{"n": 3, "v": [2, 3]}', "what three steps built together")
    error = (await trial.run("Box", executor)).error
    expect(error is not None and error.type, "NameError", "the error of a name that was deleted")


@check
async def apart(trial: Trial) -> None:
    """Two executors share nothing."""
    first, second = trial.fresh(), trial.fresh()
    await asyncio.gather(trial.run("ours = 1", first), trial.run("theirs = 2", second))
    expect(
        ok(await trial.run("['ours' in dir(), 'theirs' in dir()]", first)).output, [True, False], "names of the first"
    )
    expect(
        ok(await trial.run("['ours' in dir(), 'theirs' in dir()]", second)).output, [False, True], "names of the second"
    )


@check
async def syntax_error(trial: Trial) -> None:
    """Code that is not Python runs not at all, and the error points at its line."""
    cases = [
        ("print('ran')\nmark = 2\ny = (3\n", "SyntaxError", 3),
        ("print('ran')\nmark = 2\nif True:\nx = 1", "IndentationError", 4),
        ("print('ran')\nmark = 2\nreturn 5", "SyntaxError", 3),
    ]
    ok(await trial.run("mark = 1"))
    for code, kind, line in cases:
        observed = await trial.run(code)
        error = observed.error
        expect(error and (error.kind, error.type, error.line), ("python", kind, line), f"the error of {code!r}")
        expect(observed.stdout, "", f"what {code!r} printed")
    expect(ok(await trial.run("mark")).output, 1, "a name that such code would have written")


@check
async def partial_step(trial: Trial) -> None:
    """What a step did before it failed is kept."""
    observed = await trial.run("kept = [1]\nkept.append(2)\nprint('so far')\nkept.append(1 / 0)\nkept = None")
    expect(observed.error and observed.error.type, "ZeroDivisionError", "the error")
    expect(observed.stdout, "so far\n", "what was printed before it")
    expect(ok(await trial.run("kept")).output, [1, 2], "the name that was assigned before the error")


@check
async def top_level_await(trial: Trial) -> None:
    """``await``, ``async for`` and ``async with`` work at the top level, in every step."""
    code = (
        "import asyncio\nasync def double(x):\n    await asyncio.sleep(0)\n    return 2 * x\n"
        "async def count():\n    for i in range(3): yield i\n"
        "found = [i async for i in count()]\nfound + await asyncio.gather(double(4), double(5))"
    )
    expect(ok(await trial.run(code)).output, [0, 1, 2, 8, 10], "the value of awaited code")
    expect(ok(await trial.run("await double(21)")).output, 42, "the value in a later step")


@check
async def unicode(trial: Trial) -> None:
    """Every character goes in, through and out."""
    text = "grün 漢字 🧪 \u202e \u0000 \\ ' \" é e\u0301"
    observed = ok(await trial.run(f"größe = {text!r}\nprint(größe)\ngröße"))
    expect((observed.output, observed.stdout), (text, text + "\n"), "a text that was assigned, printed and returned")
    expect(observed.changed, ("größe",), "the name it was assigned to")
    expect(ok(await trial.run("'\\ud800' + 'a'")).error, None, "the error of half a character")
