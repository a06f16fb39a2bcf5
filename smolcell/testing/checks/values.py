"""Values in and out: data as data, copies, everything else as a handle."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import math
import threading
import uuid
from typing import Any
from zoneinfo import ZoneInfo

from smolcell.errors import CapabilityError, SandboxError
from smolcell.protocols import Executor
from smolcell.testing.checks.check import check
from smolcell.testing.trial import NotApplicable, Trial, expect, ok, refused, short, that

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
    """The value after it went in, and came out as the value of an expression."""
    await trial.send(executor, {"sent_value": value})
    return ok(await trial.run("sent_value", executor), f"returning {short(value)}").output


def same(one: Any, two: Any) -> bool:
    """Equal in type and value, inside too; NaN is NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return len(one) == len(two) and all(map(same, one.items(), two.items()))
    return bool(one == two) or repr(one) == repr(two)


@check
async def plain_values(trial: Trial) -> None:
    """Values of Python's own types of data go in and come out as they are, types and order included."""
    executor = trial.given()
    for name, value in PLAIN.items():
        back = await there_and_back(trial, executor, value)
        that(same(back, value), f"{name}: {short(value)} came back as {short(back)}")
    made = ok(await trial.run("[float('nan'), 10 ** 40, {3: {'x': (1,)}}, b'\\xff']", executor)).output
    that(
        same(made, [math.nan, 10**40, {3: {"x": (1,)}}, b"\xff"]), f"values made by the code came out as {short(made)}"
    )


@check
async def values_are_copies(trial: Trial) -> None:
    """What goes in is a copy as of then: neither side sees what the other does to it."""
    executor = trial.fresh()
    mine: dict[str, Any] = {"items": [1]}
    await trial.send(executor, {"theirs": mine})  # before it is open
    mine["items"].append("host")
    expect(
        ok(await trial.run("theirs['items'].append(2)\ntheirs", executor)).output, {"items": [1, 2]}, "the sandbox's"
    )
    expect(mine, {"items": [1, "host"]}, "the host's")
    await trial.send(executor, {"theirs": mine})
    mine["items"].clear()
    expect(ok(await trial.run("theirs", executor)).output, {"items": [1, "host"]}, "the sandbox's, sent again")


@check
async def arrays(trial: Trial) -> None:
    """numpy arrays of every kind of number go in and come out, shape, order and dtype included."""
    executor = await trial.library("numpy")
    import numpy

    kinds = "bool int8 uint8 int16 uint32 int64 float16 float32 float64 complex128 datetime64[ns] timedelta64[s] S3 U4".split()
    made = [numpy.arange(6).astype("S3" if kind[0] == "S" else kind).reshape(2, 3) for kind in kinds]
    made += [
        numpy.zeros((0, 2)),
        numpy.array(3.5),
        numpy.asfortranarray(made[6]),
        made[5][::-1, ::2],
        numpy.array([math.nan]),
    ]
    made += [numpy.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])]
    for value in made:
        back = await there_and_back(trial, executor, value)
        what = f"an array of {value.dtype}, shape {value.shape}"
        that(isinstance(back, numpy.ndarray), f"{what} came back as {short(back)}")
        expect((back.dtype, back.shape), (value.dtype, value.shape), f"dtype and shape of {what}")
        that(back.tobytes() == value.tobytes(), f"{what} came back as {short(back)}")
    back = await there_and_back(trial, executor, numpy.float32(1.5))
    that(same(back, numpy.float32(1.5)), f"a numpy scalar came back as {short(back)}")


@check
async def tables(trial: Trial) -> None:
    """DataFrames and Series go in and come out: index, labels, dtypes and missing values included."""
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
    made = [
        frame,
        frame.set_index(["int", "text"]),
        frame.iloc[:0],
        pandas.DataFrame([[1, 2]], columns=[("a", 1), ("b", 2)]),
    ]
    for value in made:
        back = await there_and_back(trial, executor, value)
        that(isinstance(back, pandas.DataFrame), f"a DataFrame came back as {short(back)}")
        pandas.testing.assert_frame_equal(back, value)
    series = frame["float"].rename("s")
    back = await there_and_back(trial, executor, series)
    that(isinstance(back, pandas.Series), f"a Series came back as {short(back)}")
    pandas.testing.assert_series_equal(back, series)


@check
async def images(trial: Trial) -> None:
    """Images of PIL go in and come out as pixels."""
    executor = await trial.library("PIL")
    from PIL import Image

    image = Image.new("RGB", (3, 2), (255, 0, 9))
    back = await there_and_back(trial, executor, image)
    that(isinstance(back, Image.Image), f"an image came back as {short(back)}")
    expect((back.size, back.mode, back.getpixel((2, 1))), ((3, 2), "RGB", (255, 0, 9)), "size, mode and a pixel")


@check
async def handles(trial: Trial) -> None:
    """What is not data stays in the sandbox: its output is a handle with type and repr."""
    code = "class Own:\n    def __init__(self): self.items = [1]\n    def __repr__(self): return '<own thing>'\nOwn()"
    observed = ok(await trial.run(code))
    expect(observed.result, "<own thing>", "the result")
    that(
        "own thing" in repr(observed.output), f"the output is {short(observed.output)}, and not a handle that shows it"
    )
    expect(getattr(observed.output, "type", None), "Own", "the type that the handle names")
    for code in ("class L(list): pass\nL([1])", "lambda: 1", "(i for i in 'ab')", "print"):
        output = ok(await trial.run(code)).output
        that(hasattr(output, "repr") and type(output) is not list, f"{code!r} came out as {short(output)}")


@check
async def other_objects_in(trial: Trial) -> None:
    """Other objects go in where they can be copied; one that cannot is a CapabilityError that names it."""
    executor = trial.given()
    await trial.send(executor, {"counted": collections.Counter("aab")})
    expect(ok(await trial.run("dict(counted)", executor)).output, {"a": 2, "b": 1}, "a Counter that was sent")
    error = await refused(trial.send(executor, {"the_lock": threading.Lock()}), CapabilityError, "sending a lock")
    that("the_lock" in str(error), f"the error does not name the variable: {error}")
    await refused(trial.send(executor, {"not a name": 1}), CapabilityError, "sending to what is not a name")
    expect(ok(await trial.run("1", executor)).output, 1, "the next step")


@check
async def pulled(trial: Trial) -> None:
    """``pull`` copies variables out by name; a name that is not there is an error that says which there are."""
    executor: Any = trial.given()
    if not hasattr(executor, "pull"):
        raise NotApplicable("the executor has no pull: values come out by final_answer and last expressions")
    ok(await trial.run("apples, thing = [1, (2,)], object()", executor))
    found = await executor.pull(["apples", "thing"])
    expect((found["apples"], found["thing"].type), ([1, (2,)], "object"), "what was pulled")
    error = await refused(executor.pull(["apples", "pears"]), SandboxError, "pulling what is not there")
    that("pears" in str(error) and "apples" in str(error), f"the error names neither: {error}")


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
    expect(ok(await trial.run("1 + 1")).output, 2, "the next step")
