"""Tools: functions of the host that code calls."""

from __future__ import annotations

import asyncio
import collections
import copy
import datetime
import decimal
import fractions
import math
import threading
import uuid
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from smolcell.errors import CapabilityError, PermitError, SandboxBusyError, SandboxError
from smolcell.events import Observed
from smolcell.protocols import Executor
from smolcell.testing.trial import NotApplicable, Trial, check, expect, ok, refused, short, that


@check
async def tool_arguments(trial: Trial) -> None:
    """A tool receives its arguments unchanged, by position and by name, and the code receives its result."""
    executor = trial.given()
    heard: list[Any] = []

    def note(*args: Any, mark: str = "default", **named: Any) -> Any:
        """Note what comes."""
        heard.append((args, mark, named))
        return {"count": len(heard), "given": list(args)}

    await trial.lend(executor, note=note)
    nested = "{'a': [1, (2, 3), {'b': None}], 4: {5, 6}, 'c': b'bytes', 'd': 1.5}"
    code = f"[note(), note(1, 'zwei', mark='!'), note({nested}, key=[True]), note(*'ab', **{{'mark': 'x'}})]"
    output = await trial.value(code, executor)
    value = {"a": [1, (2, 3), {"b": None}], 4: {5, 6}, "c": b"bytes", "d": 1.5}
    calls = [
        ((), "default", {}),
        ((1, "zwei"), "!", {}),
        ((value,), "default", {"key": [True]}),
        (("a", "b"), "x", {}),
    ]
    expect(heard, calls, "what the tool was given")
    expect(output, [{"count": i, "given": list(call[0])} for i, call in enumerate(calls, 1)], "what the code was given")
    expect(await trial.value("note.__doc__", executor), "Note what comes.", "what the tool says of itself")


@check
async def tool_errors(trial: Trial) -> None:
    """An exception of a tool reaches the code with its name and text; if the code does not handle it, it is the step's error."""
    executor = trial.given()

    class QuotaError(Exception):
        pass

    async def broken(kind: str) -> None:
        raise {"value": ValueError, "quota": QuotaError, "key": KeyError}[kind]("used up")

    await trial.lend(executor, broken=broken)
    code = (
        "found = []\nfor kind in ('value', 'quota', 'key'):\n    try:\n        broken(kind)\n"
        "    except Exception as error:\n        found.append((type(error).__name__, str(error)))\n"
        "try:\n    broken('value')\nexcept ValueError:\n    found.append('by type')\nfound"
    )
    wanted = [("ValueError", "used up"), ("QuotaError", "used up"), ("KeyError", "'used up'"), "by type"]
    output = await trial.value(code, executor)
    expect([tuple(each) if isinstance(each, list) else each for each in output], wanted, "what the code caught")
    error = (await trial.run("x = 1\nbroken('quota')", executor)).error
    expect(
        error and (error.kind, error.type, error.message, error.line),
        ("python", "QuotaError", "used up", 2),
        "an error nobody caught",
    )


@check
async def many_calls_at_once(trial: Trial) -> None:
    """Threads may call tools at the same time; each gets the answer to its own call."""
    executor = trial.given(additional_authorized_imports=["threading"])
    start = "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()"
    await trial.in_code("threads", start, executor)
    open_calls, most, waits = 0, 0, 100

    async def double(value: int) -> int:
        nonlocal open_calls, most, waits
        open_calls += 1
        most = max(most, open_calls)
        while most < 2 and waits:  # until another call is open as well
            waits -= 1
            await asyncio.sleep(trial.patience / 100)
        open_calls -= 1
        return 2 * value

    await trial.lend(executor, double=double)
    code = (
        "import threading\nfound = {}\ndef work(i): found[i] = double(i)\n"
        "threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()\nfound"
    )
    expect(await trial.value(code, executor), {i: 2 * i for i in range(12)}, "what twelve threads were answered")
    that(most > 1, "calls are made one after the other: never two were open at once")


@check
async def names_that_were_not_lent(trial: Trial) -> None:
    """Only tools that were sent can be called; other names are a NameError, and a tool's name cannot be rebound."""
    executor = trial.given()
    called = []

    def known() -> int:
        called.append(1)
        return 5

    await trial.lend(executor, known=known)
    error = (await trial.run("unknown()", executor)).error
    expect(error and error.type, "NameError", "the error of calling what was not lent")
    for code in ("known = 3", "def known(): return 3", "del known"):
        error = (await trial.run(code, executor)).error
        that(error is not None, f"{code!r} was taken: the code can pass for a tool")
    expect((await trial.value("known()", executor), called), (5, [1]), "the tool's answer, and its calls")


@check
async def tools_taken_back(trial: Trial) -> None:
    """After ``set_tools`` only these tools can be called; others fail, also by an old reference."""
    executor: Any = trial.fresh()
    if not hasattr(executor, "set_tools"):
        raise NotApplicable("the executor has no set_tools: what was lent stays lent")
    called = []
    await trial.lend(executor, one=lambda: called.append("one"), two=lambda: 2)
    ok(await trial.run("old = one\none()", executor))
    await asyncio.to_thread(executor.set_tools, {"two": lambda: 2})
    for code in ("one()", "old()"):
        error = (await trial.run(code, executor)).error
        expect(error and error.type, "NameError", f"the error of {code} after it was taken back")
    expect((called, await trial.value("two()", executor)), (["one"], 2), "the calls, and the tool that is left")


@check
async def many_calls(trial: Trial) -> None:
    """A step makes at most ``max_tool_calls`` calls; the next one is an error in the code, and the next step may call again."""
    executor = trial.fresh(max_tool_calls=5)
    called = []
    await trial.lend(executor, tick=lambda: called.append(1))
    error = (await trial.run("for _ in range(20): tick()", executor)).error
    expect((error is not None, len(called)), (True, 5), "whether there was an error, and the calls that came through")
    that(error is not None and "5" in error.message, f"the error does not say how many are allowed: {error}")
    ok(await trial.run("tick()", executor))
    expect(len(called), 6, "the calls after the next step")


@check
async def slow_tools(trial: Trial) -> None:
    """The step's timer is paused while a tool works; a tool that takes longer than ``tool_timeout`` is a TimeoutError."""
    executor = trial.fresh(timeout=3, tool_timeout=4)
    await trial.lend(executor, wait=asyncio.sleep)
    code = "wait(3.5)\nfound = []\ntry:\n    wait(3600)\nexcept TimeoutError as error:\n    found.append(str(error))\nfound"
    observed = ok(await trial.run(code, executor), "a step whose tool was slow")
    that(
        len(observed.output) == 1 and "wait" in observed.output[0],
        f"the error does not name the tool: {observed.output!r}",
    )
    that(observed.duration < 3, f"the tool's time was counted: {observed.duration} s")


@check
async def tools_and_tables(trial: Trial) -> None:
    """Tables are arguments and results of tools like other values."""
    executor = await trial.library("pandas")
    import pandas

    heard = []

    def total(frame: Any, column: str) -> Any:
        heard.append(frame)
        return pandas.DataFrame({column: [frame[column].sum()]})

    await trial.lend(executor, total=total)
    code = "import pandas as pd\nt = total(pd.DataFrame({'a': [1, 2], 'b': ['x', None]}), column='a')\nint(t['a'][0])"
    expect(await trial.value(code, executor), 3, "the sum that came back in a table")
    pandas.testing.assert_frame_equal(heard[0], pandas.DataFrame({"a": [1, 2], "b": ["x", None]}))


# --- Values in and out: data as copies, other objects as handles.


PLAIN: dict[str, Any] = {
    "nothing": None,
    "bools": [True, False],
    "ints": [0, -1, 2**53, -(2**64), 10**300],
    "floats": [0.1, -0.0, 1e308, math.inf, -math.inf],
    "complex": complex(1.5, -2),
    "texts": ["", "grün 🧪", "a" * 100_000, "\x00 \u202e"],
    "bytes": [b"", bytes(range(256)), b"x" * 100_000, bytearray(b"ab")],
    "lists": [[], [[], [1, [2]]]],
    "tuples": [(), (1, ("a", None))],
    "pair": (1, "a"),
    "sets": [set(), {1, "a", (2, 3)}, frozenset({1})],
    "dicts": {"a": {}, 1: "int", (1, 2): "tuple", None: "none", True + 1: "two", "$": "tag"},
    "dates": [datetime.date(2024, 2, 29), datetime.time(1, 2, 3, 4), datetime.timedelta(-1, 5, 7)],
    "moments": [
        datetime.datetime(2024, 1, 2, 3, 4, 5, 6),
        datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC),
        datetime.datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),
    ],
    "numbers": [decimal.Decimal("1.10"), decimal.Decimal("NaN"), fractions.Fraction(1, 3)],
    "uuid": uuid.UUID(int=7),
    "ranges": [range(1, 10, 3), slice(None, 2)],
}


async def there_and_back(trial: Trial, executor: Executor, value: Any) -> Any:
    """Send a value, and return it as the value of an expression."""
    await trial.send(executor, {"sent_value": value})
    return await trial.value("sent_value", executor, what=f"returning {short(value)}")


def same(one: Any, two: Any) -> bool:
    """Return whether values are equal in type and content, at all levels; NaN equals NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return len(one) == len(two) and all(map(same, one.items(), two.items()))
    return bool(one == two) or repr(one) == repr(two)


@check
async def plain_values(trial: Trial) -> None:
    """Values of Python's own data types are sent and returned unchanged, types and order included."""
    executor = trial.given()
    for name, value in PLAIN.items():
        back = await there_and_back(trial, executor, value)
        that(same(back, value), f"{name}: {short(value)} came back as {short(back)}")
    output = await trial.value("[float('nan'), 10 ** 40, {3: {'x': (1,)}}, b'\\xff']", executor)
    that(
        same(output, [math.nan, 10**40, {3: {"x": (1,)}}, b"\xff"]),
        f"values made by the code came out as {short(output)}",
    )


@check
async def values_are_copies(trial: Trial) -> None:
    """A value is copied when it is sent: neither side sees later changes of the other."""
    executor = trial.fresh()
    mine: dict[str, Any] = {"items": [1]}
    await trial.send(executor, {"theirs": mine})  # before it is open
    mine["items"].append("host")
    expect(await trial.value("theirs['items'].append(2)\ntheirs", executor), {"items": [1, 2]}, "the sandbox's")
    expect(mine, {"items": [1, "host"]}, "the host's")
    await trial.send(executor, {"theirs": mine})
    mine["items"].clear()
    expect(await trial.value("theirs", executor), {"items": [1, "host"]}, "the sandbox's, sent again")


@check
async def arrays(trial: Trial) -> None:
    """numpy arrays of every kind of number are sent and returned with shape, order and dtype."""
    executor = await trial.library("numpy")
    import numpy

    kinds = "bool int8 uint8 int16 uint32 int64 float16 float32 float64 complex128 datetime64[ns] timedelta64[s] S3 U4".split()
    examples = [numpy.arange(6).astype("S3" if kind[0] == "S" else kind).reshape(2, 3) for kind in kinds]
    examples += [
        numpy.zeros((0, 2)),
        numpy.array(3.5),
        numpy.asfortranarray(examples[6]),
        examples[5][::-1, ::2],
        numpy.array([math.nan]),
    ]
    examples += [numpy.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])]
    for value in examples:
        back = await there_and_back(trial, executor, value)
        what = f"an array of {value.dtype}, shape {value.shape}"
        that(isinstance(back, numpy.ndarray), f"{what} came back as {short(back)}")
        expect((back.dtype, back.shape), (value.dtype, value.shape), f"dtype and shape of {what}")
        that(back.tobytes() == value.tobytes(), f"{what} came back as {short(back)}")
    back = await there_and_back(trial, executor, numpy.float32(1.5))
    that(same(back, numpy.float32(1.5)), f"a numpy scalar came back as {short(back)}")


@check
async def tables(trial: Trial) -> None:
    """DataFrames and Series are sent and returned with index, labels, dtypes and missing values."""
    executor = await trial.library("pandas")
    import pandas

    days = pandas.date_range("2024-01-01", periods=3, tz="Europe/Berlin")
    columns: dict[str, Any] = {
        "int": [1, 2, 3],
        "float": [1.5, math.nan, -math.inf],
        "text": ["a", None, "ü"],
        "bool": [True, False, True],
        "day": days,
        "kind": pandas.Categorical(["x", "y", "x"]),
        "nullable": pandas.array([1, None, 3], dtype="Int64"),
    }
    frame = pandas.DataFrame(columns)
    examples = [
        frame,
        frame.set_index(["int", "text"]),
        frame.iloc[:0],
        pandas.DataFrame([[1, 2]], columns=[("a", 1), ("b", 2)]),
    ]
    for value in examples:
        back = await there_and_back(trial, executor, value)
        that(isinstance(back, pandas.DataFrame), f"a DataFrame came back as {short(back)}")
        pandas.testing.assert_frame_equal(back, value)
    series = frame["float"].rename("s")
    back = await there_and_back(trial, executor, series)
    that(isinstance(back, pandas.Series), f"a Series came back as {short(back)}")
    pandas.testing.assert_series_equal(back, series)


@check
async def images(trial: Trial) -> None:
    """PIL images are sent and returned as pixels."""
    executor = await trial.library("PIL")
    from PIL import Image

    image = Image.new("RGB", (3, 2), (255, 0, 9))
    back = await there_and_back(trial, executor, image)
    that(isinstance(back, Image.Image), f"an image came back as {short(back)}")
    expect((back.size, back.mode, back.getpixel((2, 1))), ((3, 2), "RGB", (255, 0, 9)), "size, mode and a pixel")


@check
async def handles(trial: Trial) -> None:
    """An object that is not data stays in the sandbox: its output is a handle with type and repr."""
    code = "class Own:\n    def __init__(self): self.items = [1]\n    def __repr__(self): return '<own thing>'\nOwn()"
    observed = ok(await trial.run(code))
    expect(observed.result, "<own thing>", "the result")
    that(
        "own thing" in repr(observed.output), f"the output is {short(observed.output)}, and not a handle that shows it"
    )
    expect(getattr(observed.output, "type", None), "Own", "the type that the handle names")
    for code in ("class L(list): pass\nL([1])", "lambda: 1", "(i for i in 'ab')", "print"):
        output = await trial.value(code)
        that(hasattr(output, "repr") and type(output) is not list, f"{code!r} came out as {short(output)}")


@check
async def other_objects_in(trial: Trial) -> None:
    """Other objects are sent if they can be copied; one that cannot is a CapabilityError that names it."""
    executor = trial.given()
    await trial.send(executor, {"counted": collections.Counter("aab")})
    expect(await trial.value("dict(counted)", executor), {"a": 2, "b": 1}, "a Counter that was sent")
    error = await refused(trial.send(executor, {"the_lock": threading.Lock()}), CapabilityError, "sending a lock")
    that("the_lock" in str(error), f"the error does not name the variable: {error}")
    await refused(trial.send(executor, {"not a name": 1}), CapabilityError, "sending to what is not a name")
    expect(await trial.value("1", executor), 1, "the next step")


@check
async def pulled(trial: Trial) -> None:
    """``pull`` returns copies of variables by name; an unknown name is an error that lists the known ones."""
    executor: Any = trial.given()
    if not hasattr(executor, "pull"):
        raise NotApplicable("the executor has no pull: values come out by final_answer and last expressions")
    ok(await trial.run("apples, thing = [1, (2,)], object()", executor))
    values = await executor.pull(["apples", "thing"])
    expect((values["apples"], values["thing"].type), ([1, (2,)], "object"), "what was pulled")
    error = await refused(executor.pull(["apples", "pears"]), SandboxError, "pulling what is not there")
    that("pears" in str(error) and "apples" in str(error), f"the error names neither: {error}")


@check
async def handles_forward(trial: Trial) -> None:
    """Public attributes, calls and ``len`` of a handle reach the object in the sandbox, with copies of data in both directions."""
    executor: Any = trial.given()
    if not hasattr(executor, "values"):
        raise NotApplicable("its handles only say what stayed behind")
    code = "class Sum:\n    total = 0\n    def add(self, n, *, times=1):\n        self.total += n * times\n        return self"
    code += "\n    def __len__(self):\n        return self.total"
    ok(await trial.run(f"{code}\nkept = Sum()", executor))
    kept = (await executor.pull(["kept"]))["kept"]
    again = await asyncio.to_thread(kept.add, 2, times=3)
    expect(await asyncio.to_thread(lambda: (kept.total, len(again))), (6, 6), "what the call changed")
    expect((hasattr(kept, "_total"), hasattr(kept, "__enter__")), (False, False), "names with an underscore")
    expect(await trial.value("kept.total", executor), 6, "the object in the sandbox")


@check
async def results_are_bounded(trial: Trial) -> None:
    """A value that is huge, circular, or shares its parts a billion times costs the host neither time nor memory."""
    for code in (
        "x = [1]\nfor _ in range(40): x = [x, {'x': x}]\nx",
        "x = []\nx.append(x)\nx",
        "x = {}\nx['x'] = x\nfinal_answer(x)",
        "x = []\nfor _ in range(5000): x = [x]\nx",
        "1 << 10 ** 8",
        "list(range(3_000_000))",
    ):
        observed = await trial.run(code)
        that(observed.error is None or observed.error.kind == "python", f"{code!r} failed: {observed.error}")
        that(len(observed.result) < 100_000, f"{code!r} has a result of {len(observed.result)} characters")
        that(
            observed.error or hasattr(observed.output, "repr"),
            f"{code!r} came out whole: {type(observed.output).__name__}",
        )
    expect(await trial.value("1 + 1"), 2, "the next step")


# --- Nothing runs without a permit, and one step runs at a time.


@check
async def permit_is_spent(trial: Trial) -> None:
    """A permit runs once: a second run, here or in another executor, is a PermitError."""
    executor, other = trial.given(), trial.fresh()
    ok(await trial.run("runs = 0", executor))
    permit = await trial.permit("runs += 1")
    ok(await trial.run_permit(permit, executor))
    await refused(trial.run_permit(permit, executor), PermitError, "the second run of a permit")
    await refused(trial.run_permit(permit, other), PermitError, "its run in another executor")
    expect(await trial.value("runs", executor), 1, "how often it ran")


@check
async def no_permit(trial: Trial) -> None:
    """A copy of a permit, an edited one, or another object is a PermitError, and nothing runs."""
    executor = trial.given()
    permit = await trial.permit("ran = True")
    for what, wrong in (
        ("a copy", copy.copy(permit)),
        ("an edited copy", replace(permit, text="ran = 'edited'")),
        ("a text", "ran = True"),
    ):
        await refused(trial.run_permit(wrong, executor), PermitError, f"running {what}")  # type: ignore[arg-type]
    expect(await trial.value("'ran' in dir()", executor), False, "whether any of it ran")
    ok(await trial.run_permit(permit, executor), "the permit itself, afterwards")


@check
async def exact_text(trial: Trial) -> None:
    """Exactly the permit's text runs."""
    executor = trial.given()
    for code, value in (
        ("'''a\n\tb  \n'''", "a\n\tb  \n"),
        ("x = '\\r\\n'\nx", "\r\n"),
        ("ﬁ = 2\nfi", 2),
        ("1 #" + "x" * 200_000, 1),
    ):
        expect(await trial.value(code, executor, what=repr(code[:40])), value, f"the value of {code[:40]!r}")


@check
async def busy(trial: Trial) -> None:
    """A second step while one is open is refused with a SandboxBusyError; the open one is undisturbed."""
    executor = trial.given()
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def pause() -> None:
        begun.set()
        await go_on.wait()

    await trial.lend(executor, pause=pause)
    first = asyncio.ensure_future(trial.run("pause()\nmark = 1\nmark", executor))
    try:
        await asyncio.wait_for(begun.wait(), trial.patience)
        await refused(trial.run("mark = 2", executor), SandboxBusyError, "a second step")
    finally:
        go_on.set()
    expect(ok(await first).output, 1, "what the open step gave")
    expect(await trial.value("mark", executor), 1, "the name that the second step would have written")


@check
async def free_loop(trial: Trial) -> None:
    """Running a step does not block the event loop: other work continues, and other executors run at the same time."""
    executors = [trial.fresh(), trial.fresh()]
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.ensure_future(tick())
    steps: list[Coroutine[Any, Any, Observed]] = [_paused(trial, executor) for executor in executors]
    for observed in await asyncio.gather(*steps):
        ok(observed)
    ticking.cancel()
    that(ticks >= 5, f"while two steps slept, the loop came round {ticks} times")


async def _paused(trial: Trial, executor: Executor) -> Observed:
    return await trial.run("import time\ntime.sleep(0.5)", executor)
