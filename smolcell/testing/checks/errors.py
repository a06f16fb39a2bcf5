"""How failures are told: type, message, line, and the code's own lines."""

from __future__ import annotations

import inspect
from typing import Any

from smolcell.errors import ForbiddenError, InterpreterError
from smolcell.events import Fault, Observed
from smolcell.testing.checks.check import check
from smolcell.testing.trial import NotApplicable, Trial, expect, ok, short, that


def fault(observed: Observed, what: str) -> Fault:
    """The error of a step that must fail."""
    if observed.error is None:
        that(False, f"{what} did not fail; its output is {short(observed.output)}")
    return observed.error  # type: ignore[return-value]


@check
async def error_type_and_line(trial: Trial) -> None:
    """An error has the type that the code would see, its message, and the line where it came up."""
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
    """A traceback shows the code's own lines, and none of a library's or the sandbox's."""
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
    """The cause of an error, and the errors of a group, are told with it."""
    code = "try:\n    {}['first']\nexcept KeyError as error:\n    raise ValueError('second') from error"
    error = fault(await trial.run(code), repr(code))
    expect((error.type, error.line), ("ValueError", 4), "type and line of the error with a cause")
    that("KeyError: 'first'" in error.traceback, f"the cause is not told: {short(error.traceback)}")
    code = "raise ExceptionGroup('several', [ValueError('one'), KeyError('two')])"
    error = fault(await trial.run(code), repr(code))
    if error.type == "NameError":
        return  # the sandbox's Python is older than 3.11
    expect(error.type, "ExceptionGroup", "the type of a group")
    for part in ("ValueError: one", "KeyError: 'two'"):
        that(part in error.traceback, f"{part!r} of the group is not told: {short(error.traceback)}")


@check
async def exits_are_errors(trial: Trial) -> None:
    """SystemExit, KeyboardInterrupt and their like, raised by the code, are its errors; the sandbox goes on."""
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
    expect(ok(await trial.run("kept", executor)).output, 1, "a name of before")


@check
async def recursion(trial: Trial) -> None:
    """Recursion without end is a RecursionError, and the sandbox goes on."""
    ok(await trial.run("kept = 1"))
    error = fault(await trial.run("def f(): return f()\nf()"), "endless recursion")
    expect((error.kind, error.type, error.line), ("python", "RecursionError", 1), "kind, type and line")
    expect(ok(await trial.run("kept")).output, 1, "a name of before")


@check
async def bounded_errors(trial: Trial) -> None:
    """However long, broken or odd an error's text or name is, it is told bounded, and without control characters."""
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
    expect(ok(await trial.run("1 + 1")).output, 2, "the next step")


@check
async def refusal(trial: Trial) -> None:
    """What the guard refuses does not run; the refusal names the line, the thing, and what is allowed instead."""
    ok(await trial.run("mark = 1"))
    code = "print('ran')\nmark = 2\nimport subprocess"
    observed = await trial.run(code)
    error = fault(observed, repr(code))
    expect((error.kind, error.type, error.line), ("forbidden", "ForbiddenError", 3), "kind, type and line")
    for part in ("subprocess", "uthorized imports", "math"):
        that(part in error.message, f"{part!r} is not in the message: {short(error.message)}")
    expect((observed.stdout, ok(await trial.run("mark")).output), ("", 1), "what the refused code printed and wrote")
    error = fault(await trial.run("x = 1\ny = x.__class__.__subclasses__()"), "a walk to the interpreter's inside")
    expect((error.kind, error.type, error.line), ("forbidden", "ForbiddenError", 2), "kind, type and line of a walk")
    that(
        "__subclasses__" in error.message or "__class__" in error.message,
        f"the message names nothing: {error.message!r}",
    )
    executor = trial.given(additional_authorized_imports=["csv"])
    expect(ok(await trial.run("import csv\ncsv.__name__", executor)).output, "csv", "an authorised import")


@check
async def called_directly(trial: Trial) -> None:
    """Called like a function it returns ``.output``, ``.logs`` and ``.is_final_answer``, or raises what failed."""
    executor: Any = trial.fresh()
    if not callable(executor):
        raise NotApplicable("the executor is not callable; run(permit, …) is what it must have")
    if inspect.iscoroutinefunction(type(executor).__call__):
        that(False, "calling the executor gives a coroutine: it must block")
    observed = executor("print('hi')\n6 * 7")  # in a thread with a running loop: it must work there too
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
