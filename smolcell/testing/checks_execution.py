"""Steps: ordinary Python, in a namespace that is kept."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import Any

from smolcell.errors import ForbiddenError, InterpreterError
from smolcell.events import Delta, Fault, Observed
from smolcell.executors import Restored, completed
from smolcell.protocols import Executor
from smolcell.testing.trial import Missing, NotApplicable, Trial, check, expect, ok, short, that

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
    output = await trial.value(LANGUAGE)
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
    """Names, functions, classes and imports of a step are available in later ones."""
    executor = trial.given()
    ok(await trial.run("import json as j\nn = 1\nclass Box:\n    def __init__(self, v): self.v = v", executor))
    ok(await trial.run("n += 1\nbox = Box([n])\ndef show(): return j.dumps({'n': n, 'v': box.v})", executor))
    ok(await trial.run("n += 1\nbox.v.append(n)\ndel Box", executor))
    expect(await trial.value("show()", executor), '{"n": 3, "v": [2, 3]}', "what three steps built together")
    error = (await trial.run("Box", executor)).error
    expect(error is not None and error.type, "NameError", "the error of a name that was deleted")


@check
async def apart(trial: Trial) -> None:
    """Two executors share nothing."""
    first, second = trial.fresh(), trial.fresh()
    await asyncio.gather(trial.run("ours = 1", first), trial.run("theirs = 2", second))
    expect(await trial.value("['ours' in dir(), 'theirs' in dir()]", first), [True, False], "names of the first")
    expect(await trial.value("['ours' in dir(), 'theirs' in dir()]", second), [False, True], "names of the second")


@check
async def syntax_error(trial: Trial) -> None:
    """Code that is not Python does not run, and the error points at its line."""
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
    expect(await trial.value("mark"), 1, "a name that such code would have written")


@check
async def partial_step(trial: Trial) -> None:
    """Changes of a step before its failure are kept."""
    observed = await trial.run("kept = [1]\nkept.append(2)\nprint('so far')\nkept.append(1 / 0)\nkept = None")
    expect(observed.error and observed.error.type, "ZeroDivisionError", "the error")
    expect(observed.stdout, "so far\n", "what was printed before it")
    expect(await trial.value("kept"), [1, 2], "the name that was assigned before the error")


@check
async def top_level_await(trial: Trial) -> None:
    """``await``, ``async for`` and ``async with`` work at the top level, in every step."""
    code = (
        "import asyncio\nasync def double(x):\n    await asyncio.sleep(0)\n    return 2 * x\n"
        "async def count():\n    for i in range(3): yield i\n"
        "found = [i async for i in count()]\nfound + await asyncio.gather(double(4), double(5))"
    )
    expect(await trial.value(code), [0, 1, 2, 8, 10], "the value of awaited code")
    expect(await trial.value("await double(21)"), 42, "the value in a later step")


@check
async def unicode(trial: Trial) -> None:
    """Every character can be sent, processed and returned."""
    text = "grün 漢字 🧪 \u202e \u0000 \\ ' \" é e\u0301"
    observed = ok(await trial.run(f"größe = {text!r}\nprint(größe)\ngröße"))
    expect((observed.output, observed.stdout), (text, text + "\n"), "a text that was assigned, printed and returned")
    expect(observed.changed, ("größe",), "the name it was assigned to")
    expect(ok(await trial.run("'\\ud800' + 'a'")).error, None, "the error of half a character")


# --- Output and displays of a step: in order, while it runs, complete, and bounded.


@check
async def both_streams(trial: Trial) -> None:
    """stdout and stderr come together, in the order in which they were written."""
    code = (
        "import sys\nfor i in range(5):\n    print('out', i)\n    print('err', i, file=sys.stderr)\n"
        "print('no end', end='')"
    )
    observed = ok(await trial.run(code, trial.given(additional_authorized_imports=["sys"])))
    expect(observed.stdout, "".join(f"out {i}\nerr {i}\n" for i in range(5)) + "no end", "what was printed")


@check
async def streaming(trial: Trial) -> None:
    """Output is shown while the step runs; each piece once, in order, and none after its end."""
    executor = trial.given()
    pieces: list[Delta] = []

    async def seen(text: str) -> bool:
        """Wait until the text was shown; called by the code."""
        await trial.eventually(lambda: text in "".join(piece.text for piece in pieces), f"{text!r} is shown")
        return True

    await trial.lend(executor, seen=seen)
    code = "found = []\nfor i in range(4):\n    print('piece', i)\n    found.append(seen(f'piece {i}\\n'))\nprint('last')\nfound"
    permit = await trial.permit(code)
    observed = ok(await trial.run_permit(permit, executor, pieces.append))
    heard = len(pieces)
    expect(observed.output, [True] * 4, "whether each piece was shown before the step went on")
    expect("".join(piece.text for piece in pieces), observed.stdout, "the pieces together")
    expect({(p.channel, p.run, p.step) for p in pieces}, {("output", permit.run, permit.step)}, "what the pieces say")
    await asyncio.sleep(0.2)
    expect(len(pieces), heard, "the number of pieces some time after the step's end")


@check
async def whole_characters(trial: Trial) -> None:
    """No character is cut in two, wherever the bytes were."""
    code = (
        "import sys, time\nfor byte in '🧪ü'.encode():\n    sys.stdout.buffer.write(bytes([byte]))\n"
        "    sys.stdout.buffer.flush()\n    time.sleep(0.06)\nprint('漢' * 5000)"
    )
    pieces: list[str] = []
    executor = trial.given(additional_authorized_imports=["sys"])
    observed = ok(await trial.run(code, executor, lambda delta: pieces.append(delta.text)))
    expect(observed.stdout, "🧪ü" + "漢" * 5000 + "\n", "what was printed")
    expect(sorted("".join(pieces)), sorted(observed.stdout), "the characters of all pieces")


@check
async def pace(trial: Trial) -> None:
    """Output that comes slowly is shown in at most about twenty pieces a second."""
    times: list[float] = []
    code = "import time\nfor i in range(300):\n    print(i)\n    time.sleep(0.003)"
    observed = ok(await trial.run(code, seen=lambda _: times.append(time.monotonic())))
    expect(observed.stdout, "".join(f"{i}\n" for i in range(300)), "what was printed")
    most = 25 * (times[-1] - times[0]) + 5 if times else 0
    that(1 <= len(times) <= most, f"300 lines came in {len(times)} pieces, more than twenty a second")


@check
async def flood(trial: Trial) -> None:
    """Endless printing is bounded: the step ends at its limit, the beginning is kept, and dropped text is reported."""
    limit = 2000
    pieces: list[str] = []
    executor = trial.given(timeout=1.5, max_print_outputs_length=limit)
    observed = await trial.run(
        "i = 0\nwhile True:\n    print(i, '🧪' * 50)\n    i += 1", executor, lambda d: pieces.append(d.text)
    )
    expect(observed.error and observed.error.kind, "limit", "the kind of error that ended it")
    that(observed.stdout.startswith("0 🧪"), f"the head is not kept: {observed.stdout[:40]!r}")
    that(
        len(observed.stdout) <= limit + 500,
        f"{len(observed.stdout)} characters were kept of a step that may print {limit}",
    )
    that(observed.dropped > limit, f"{observed.dropped} characters are said to be dropped")
    that("dropped" in observed.stdout, "nothing in the output says that some of it was dropped")
    that(sum(map(len, pieces)) <= limit, f"{sum(map(len, pieces))} characters were streamed of {limit}")
    that(len(pieces) <= 25 * (1.5 + trial.patience), f"{len(pieces)} pieces were streamed")
    expect(ok(await trial.run("print('again')", executor)).stdout, "again\n", "what the next step printed")


@check
async def shown_values(trial: Trial) -> None:
    """``display`` and the last expression produce bundles by MIME type, in order; a representation that fails is left out."""
    code = (
        "class Card:\n    def _repr_html_(self): return '<b>hi</b>'\n    def __repr__(self): return 'Card'\n"
        "class Broken:\n    def _repr_html_(self): 1 / 0\n    def __repr__(self): return 'B'\n"
        "display(Card(), Broken())\nCard()"
    )
    observed = ok(await trial.run(code))
    card = {"text/html": "<b>hi</b>", "text/plain": "Card"}
    expect([dict(bundle.data) for bundle in observed.outputs], [card, {"text/plain": "B"}, card], "the bundles")
    expect(ok(await trial.run("1")).outputs, (), "the bundles of the next step")


@check
async def tables_shown(trial: Trial) -> None:
    """A DataFrame as the last expression is shown as an HTML table."""
    executor = await trial.library("pandas")
    observed = ok(await trial.run("import pandas as pd\npd.DataFrame({'amount': [1, 2]})", executor))
    html = [bundle.data.get("text/html", "") for bundle in observed.outputs]
    that(len(html) == 1 and "<table" in html[0] and "amount" in html[0], f"no table in {html!r:.300}")


@check
async def figures(trial: Trial) -> None:
    """Open figures are shown as images, once, and closed."""
    executor = await trial.library("matplotlib")
    code = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.figure()\nplt.plot([2, 1])\nplt.show()\nprint('drawn')"
    )
    images = [bundle.data.get("image/png", "")[:5] for bundle in ok(await trial.run(code, executor)).outputs]
    expect(images, ["iVBOR", "iVBOR"], "the beginnings of the images")  # PNG in base64
    expect(await trial.value("len(plt.get_fignums())", executor), 0, "the figures that are still open")
    expect(_mimes(ok(await trial.run("1", executor))), [], "what the next step showed")


@check
async def shown_is_bounded(trial: Trial) -> None:
    """The displays of a step are bounded in number and size, and omissions are reported."""
    observed = ok(await trial.run("for i in range(500): display(i)"))
    that(0 < len(observed.outputs) <= 100, f"{len(observed.outputs)} outputs of one step")
    that("left out" in observed.stdout, "nothing says that outputs were left out")
    code = (
        "class Huge:\n    def _repr_png_(self): return b'\\x89PNG' + bytes(40_000_000)\n"
        "    def _repr_html_(self): return 'x' * 40_000_000\nHuge()"
    )
    observed = ok(await trial.run(code))
    size = sum(len(text) for bundle in observed.outputs for text in bundle.data.values())
    that(size < 25_000_000, f"{size} characters were shown")


def _mimes(observed: Observed) -> list[str]:
    return [mime for bundle in observed.outputs for mime in bundle.data]


# --- ``final_answer``: records its value when it is called, and ends the step.


@check
async def final_answer(trial: Trial) -> None:
    """``final_answer`` ends the step; its value is the output."""
    observed = ok(await trial.run("print('before')\nfinal_answer({'a': (1, None)})\nprint('after')\n5"))
    expect(
        (observed.output, observed.is_final_answer, observed.stdout),
        ({"a": (1, None)}, True, "before\n"),
        "output, is_final_answer and what was printed",
    )
    expect(ok(await trial.run("5")).is_final_answer, False, "is_final_answer of the next step")


@check
async def answer_is_kept(trial: Trial) -> None:
    """A final answer is not lost to an ``except`` around it, an error after it, or a function it is called in."""
    for code in (
        "try:\n    final_answer(7)\nexcept BaseException:\n    pass",
        "try:\n    final_answer(7)\nexcept:\n    1 / 0",
        "try:\n    final_answer(7)\nfinally:\n    print('tidy')",
        "def answer():\n    final_answer(7)\n[answer() for _ in range(2)]",
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nwith A(): final_answer(7)",
        "async def answer():\n    final_answer(7)\nawait answer()",
    ):
        observed = await trial.run(code)
        expect(
            (observed.error, observed.output, observed.is_final_answer),
            (None, 7, True),
            f"error, output, flag of {code!r}",
        )


@check
async def first_answer(trial: Trial) -> None:
    """Of two final answers in one step the first one counts."""
    for code in (
        "try:\n    final_answer('first')\nfinally:\n    final_answer('second')",
        "for n in ('first', 'second'):\n    try: final_answer(n)\n    except BaseException: pass",
    ):
        observed = ok(await trial.run(code), repr(code))
        expect((observed.output, observed.is_final_answer), ("first", True), f"the answer of {code!r}")


@check
async def answer_needs_a_value(trial: Trial) -> None:
    """``final_answer`` without a value, or with two, is an error of the code and no answer."""
    for code in ("final_answer()", "final_answer(1, 2)"):
        observed = await trial.run(code)
        outcome = (observed.error and observed.error.type, observed.is_final_answer)
        expect(outcome, ("TypeError", False), f"error and flag of {code}")
    expect(ok(await trial.run("final_answer(None)")).is_final_answer, True, "whether None is an answer")


# --- Reports of failures: type, message, line, and lines of the code.


def fault(observed: Observed, what: str) -> Fault:
    """Return the error of a step that must fail; raises Broken if it did not."""
    if observed.error is None:
        that(False, f"{what} did not fail; its output is {short(observed.output)}")
    return observed.error  # type: ignore[return-value]


@check
async def error_type_and_line(trial: Trial) -> None:
    """An error is reported with its type, message and line."""
    cases = [
        ("x = 1\n1 / 0", "ZeroDivisionError", "division by zero", 2),
        ("undefined_name", "NameError", "name 'undefined_name' is not defined", 1),
        ("\n\n{}['k']", "KeyError", "'k'", 3),
        ("class OwnError(Exception): pass\nraise OwnError('no')", "OwnError", "no", 2),
        ("def f(x):\n    return int(x)\nf('a')", "ValueError", "invalid literal for int() with base 10: 'a'", 2),
        ("assert 1 == 2, 'unequal'", "AssertionError", "unequal", 1),
    ]
    for code, kind, message, line in cases:
        error = fault(await trial.run(code), repr(code))
        expect(
            (error.kind, error.type, error.message, error.line),
            ("python", kind, message, line),
            f"the error of {code!r}",
        )


@check
async def traceback_of_own_lines(trial: Trial) -> None:
    """A traceback shows lines of the code, and none of a library or the sandbox."""
    code = "import json\ndef parse(text):\n    return json.loads(text)\n\nvalues = [parse(t) for t in ['1', '{']]"
    error = fault(await trial.run(code), repr(code))
    expect((error.type, error.line), ("JSONDecodeError", 3), "type and line")
    for line in ("values = [parse(t) for t in ['1', '{']]", "return json.loads(text)", "line 5", "line 3"):
        that(line in error.traceback, f"{line!r} is not in the traceback: {short(error.traceback)}")
    for part in ("decoder", "json/", "smolcell", "exec("):
        that(part not in error.traceback, f"{part!r} is in the traceback: {short(error.traceback)}")
    last = error.traceback.rstrip().split("\n")[-1]
    expect(last, f"JSONDecodeError: {error.message}", "the traceback's last line")


@check
async def lines_of_earlier_steps(trial: Trial) -> None:
    """An error in a function of an earlier step quotes that step's line."""
    executor = trial.given()
    ok(await trial.run("# a comment\ndef broken(x):\n    return 1 / x", executor, step=1))
    ok(await trial.run("\n\n\n# another step", executor, step=2))
    error = fault(await trial.run("\nbroken(0)", executor, step=3), "broken(0)")
    expect((error.type, error.line), ("ZeroDivisionError", 3), "type and line")
    for line in ("    return 1 / x", "    broken(0)"):
        that(line in error.traceback, f"{line!r} is not in the traceback: {short(error.traceback)}")


@check
async def causes_and_groups(trial: Trial) -> None:
    """The cause of an error, and the errors of a group, are reported with it."""
    code = "try:\n    {}['first']\nexcept KeyError as error:\n    raise ValueError('second') from error"
    error = fault(await trial.run(code), repr(code))
    expect((error.type, error.line), ("ValueError", 4), "type and line of the error with a cause")
    that("KeyError: 'first'" in error.traceback, f"the cause is not reported: {short(error.traceback)}")
    code = "raise ExceptionGroup('several', [ValueError('one'), KeyError('two')])"
    error = fault(await trial.run(code), repr(code))
    if error.type == "NameError":
        return  # the sandbox's Python is older than 3.11
    expect(error.type, "ExceptionGroup", "the type of a group")
    for part in ("ValueError: one", "KeyError: 'two'"):
        that(part in error.traceback, f"{part!r} of the group is not reported: {short(error.traceback)}")


@check
async def exits_are_errors(trial: Trial) -> None:
    """SystemExit, KeyboardInterrupt and the like, raised by the code, are errors of the code; the sandbox continues."""
    executor = trial.given()
    ok(await trial.run("kept = 1", executor))
    for raised, kind in (
        ("SystemExit(3)", "SystemExit"),
        ("KeyboardInterrupt()", "KeyboardInterrupt"),
        ("GeneratorExit()", "GeneratorExit"),
        ("StopIteration(1)", "StopIteration"),
        ("type('Own', (BaseException,), {})('x')", "Own"),
    ):
        observed = await trial.run(f"raise {raised}", executor)
        error = fault(observed, f"raise {raised}")
        expect((error.kind, error.type, error.line, observed.state_lost), ("python", kind, 1, False), f"raise {raised}")
    expect(await trial.value("kept", executor), 1, "a name of before")


@check
async def recursion(trial: Trial) -> None:
    """Endless recursion is a RecursionError, and the sandbox continues."""
    ok(await trial.run("kept = 1"))
    error = fault(await trial.run("def f(): return f()\nf()"), "endless recursion")
    expect((error.kind, error.type, error.line), ("python", "RecursionError", 1), "kind, type and line")
    expect(await trial.value("kept"), 1, "a name of before")


@check
async def bounded_errors(trial: Trial) -> None:
    """Text and name of an error are bounded and without control characters, however long or broken they are."""
    broken = "class E(Exception):\n    def __str__(self): {}\nraise E"
    for code, kind in (
        (broken.format("1 / 0"), "E"),
        (broken.format("raise SystemExit"), "E"),
        (broken.format("return 5"), "E"),
        ("raise ValueError('x' * 10**7)", "ValueError"),
        ("raise ValueError('\\x1b[31m\\u202e\\x00')", "ValueError"),
        ("class E(Exception): pass\nE.__name__ = 'E' * 10**6\nraise E", None),
        ("class E(Exception): pass\nE.__name__ = 'E\\x1b\\n'\nraise E", None),
    ):
        error = fault(await trial.run(code), short(code))
        that(kind in (None, error.type), f"the error of {code!r} has the type {short(error.type)}")
        for text in (error.type, error.message, error.traceback):
            that(len(text) < 20_000, f"{len(text)} characters are told of {short(code)}")
            that(not set(text) & set("\x00\x1b\u202e"), f"control characters are told of {short(code)}: {short(text)}")
        that("\n" not in error.type, f"a type of two lines: {short(error.type)}")
    expect(await trial.value("1 + 1"), 2, "the next step")


@check
async def refusal(trial: Trial) -> None:
    """Refused code does not run; the refusal names the line, the refused thing, and the allowed alternative."""
    ok(await trial.run("mark = 1"))
    code = "print('ran')\nmark = 2\nimport subprocess"
    observed = await trial.run(code)
    error = fault(observed, repr(code))
    expect((error.kind, error.type, error.line), ("forbidden", "ForbiddenError", 3), "kind, type and line")
    for part in ("subprocess", "uthorized imports", "math"):
        that(part in error.message, f"{part!r} is not in the message: {short(error.message)}")
    expect((observed.stdout, await trial.value("mark")), ("", 1), "what the refused code printed and wrote")
    error = fault(await trial.run("x = 1\ny = x.__class__.__subclasses__()"), "a walk to the interpreter's inside")
    expect((error.kind, error.type, error.line), ("forbidden", "ForbiddenError", 2), "kind, type and line of a walk")
    that(
        "__subclasses__" in error.message or "__class__" in error.message,
        f"the message names nothing: {error.message!r}",
    )
    executor = trial.given(additional_authorized_imports=["csv"])
    expect(await trial.value("import csv\ncsv.__name__", executor), "csv", "an authorised import")


@check
async def called_directly(trial: Trial) -> None:
    """An executor called like a function returns ``.output``, ``.logs`` and ``.is_final_answer``, or raises the failure."""
    executor: Any = trial.fresh()
    if not callable(executor):
        raise NotApplicable("the executor is not callable; run(permit, …) is what it must have")
    if inspect.iscoroutinefunction(type(executor).__call__):
        that(False, "calling the executor gives a coroutine: it must block")
    observed = executor("print('hi')\n6 * 7")  # must also work in a thread with a running loop
    expect((observed.output, observed.logs, observed.is_final_answer), (42, "hi\n", False), "what was returned")
    expect(executor("final_answer('a')").is_final_answer, True, "is_final_answer")
    for code, kind, name, line in (
        ("print('so far')\n{}['k']", InterpreterError, "KeyError", "line 2"),
        ("import subprocess", ForbiddenError, "ForbiddenError", "line 1"),
    ):
        try:
            executor(code)
        except InterpreterError as error:
            logs = "so far\n" if "print" in code else ""
            expect((type(error), error.exception_type, error.logs), (kind, name, logs), f"the error of {code!r}")
            that(line in str(error), f"{line!r} is not in {str(error)!r}")
        else:
            that(False, f"{code!r} did not raise")


# --- Checkpoints: a step is undone, whatever it did, by a copy of the sandbox's process.


KEPT = "x = [1]\nwith open('kept.txt', 'w') as file: file.write('one')"
LOOK = "print(x, open('kept.txt').read())"


async def _keeping(trial: Trial, **options: float) -> Executor:
    """Return an executor that keeps checkpoints, after one step."""
    try:
        executor = trial.fresh(checkpoints=10, **options)
    except TypeError:
        raise Missing("it has no option checkpoints=, so steps are replayed") from None
    ok(await trial.run(KEPT, executor, step=1))
    if completed(executor).checkpoints.how == "replay":
        raise Missing("it declares checkpoints='replay'")
    return executor


async def _as_before(trial: Trial, executor: Executor, step: int) -> None:
    expect(await completed(executor).checkpoints.rollback("conformance", step), Restored(), "what was not restored")
    expect(ok(await trial.run(LOOK, executor, step=90)).stdout, "[1] one\n", "the state that was gone back to")


@check
async def checkpoint_of_variables_and_files(trial: Trial) -> None:
    """A rollback to before a step restores its variables and files."""
    executor = await _keeping(trial)
    ok(await trial.run("x.append(2)\ny = 1\nwith open('kept.txt', 'w') as file: file.write('two')", executor, step=2))
    await _as_before(trial, executor, 2)
    expect(fault(await trial.run("y", executor), "y").type, "NameError", "the error of a name that was taken back")


@check
async def checkpoint_after_an_error(trial: Trial) -> None:
    """A step that failed is undone like any other."""
    executor = await _keeping(trial)
    expect(
        fault(await trial.run("x.append(2)\n1 / 0", executor, step=2), "1 / 0").type, "ZeroDivisionError", "the error"
    )
    await _as_before(trial, executor, 2)


@check
async def checkpoint_after_a_limit(trial: Trial) -> None:
    """A step that was killed at its limit loses no variables, and is undone like any other."""
    executor = await _keeping(trial, timeout=0.6)
    observed = await trial.run("x.append(2)\nmax(range(10 ** 13))", executor, step=2)
    expect((fault(observed, "the step").kind, observed.state_lost), ("limit", False), "how the step ended")
    expect(ok(await trial.run(LOOK, executor, step=3)).stdout, "[1] one\n", "the state after the step was killed")
    await _as_before(trial, executor, 2)


@check
async def checkpoint_twice(trial: Trial) -> None:
    """After a rollback, further steps run, and can be undone again."""
    executor = await _keeping(trial)
    ok(await trial.run("x.append(2)", executor, step=2))
    await _as_before(trial, executor, 2)
    ok(await trial.run("x.append(3)", executor, step=3))
    await _as_before(trial, executor, 3)
