"""Tools: functions of the host that code calls."""

from __future__ import annotations

import asyncio
from typing import Any

from smolcell.testing.checks.check import check
from smolcell.testing.trial import NotApplicable, Trial, expect, ok, that


@check
async def tool_arguments(trial: Trial) -> None:
    """A tool gets its arguments as they were given, by position and by name, and the code gets what it returns."""
    executor = trial.given()
    heard: list[Any] = []

    def note(*args: Any, mark: str = "default", **named: Any) -> Any:
        """Note what comes."""
        heard.append((args, mark, named))
        return {"count": len(heard), "given": list(args)}

    await trial.lend(executor, note=note)
    nested = "{'a': [1, (2, 3), {'b': None}], 4: {5, 6}, 'c': b'bytes', 'd': 1.5}"
    code = f"[note(), note(1, 'zwei', mark='!'), note({nested}, key=[True]), note(*'ab', **{{'mark': 'x'}})]"
    output = ok(await trial.run(code, executor)).output
    value = {"a": [1, (2, 3), {"b": None}], 4: {5, 6}, "c": b"bytes", "d": 1.5}
    calls = [
        ((), "default", {}),
        ((1, "zwei"), "!", {}),
        ((value,), "default", {"key": [True]}),
        (("a", "b"), "x", {}),
    ]
    expect(heard, calls, "what the tool was given")
    expect(output, [{"count": i, "given": list(call[0])} for i, call in enumerate(calls, 1)], "what the code was given")
    expect(ok(await trial.run("note.__doc__", executor)).output, "Note what comes.", "what the tool says of itself")


@check
async def tool_errors(trial: Trial) -> None:
    """What a tool raises arrives as an exception of that name and text: the code can handle it, else it is the step's error."""
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
    output = ok(await trial.run(code, executor)).output
    expect([tuple(each) if isinstance(each, list) else each for each in output], wanted, "what the code caught")
    error = (await trial.run("x = 1\nbroken('quota')", executor)).error
    expect(
        error and (error.kind, error.type, error.message, error.line),
        ("python", "QuotaError", "used up", 2),
        "an error nobody caught",
    )


@check
async def many_calls_at_once(trial: Trial) -> None:
    """Threads may call tools side by side; each gets the answer to its own call."""
    executor = trial.given(additional_authorized_imports=["threading"])
    start = "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()"
    await trial.in_code("threads", start, executor)
    open_calls, most, waits = 0, 0, 100

    async def double(value: int) -> int:
        nonlocal open_calls, most, waits
        open_calls += 1
        most = max(most, open_calls)
        while most < 2 and waits:  # until another one is open as well
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
    expect(
        ok(await trial.run(code, executor)).output, {i: 2 * i for i in range(12)}, "what twelve threads were answered"
    )
    that(most > 1, "calls are made one after the other: never two were open at once")


@check
async def names_that_were_not_lent(trial: Trial) -> None:
    """Only what was lent can be called; a name that was not is a NameError, and a lent name cannot be rebound."""
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
    expect((ok(await trial.run("known()", executor)).output, called), (5, [1]), "the tool's answer, and its calls")


@check
async def tools_taken_back(trial: Trial) -> None:
    """With ``set_tools`` exactly those are lent: the code can no longer call the others, not by an old reference either."""
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
    expect(
        (called, ok(await trial.run("two()", executor)).output), (["one"], 2), "the calls, and the tool that is left"
    )


@check
async def many_calls(trial: Trial) -> None:
    """A step makes at most ``max_tool_calls`` calls; the next is an error in the code, and the next step may call again."""
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
    """The step's clock stands still while a tool works; a tool that takes longer than ``tool_timeout`` is a TimeoutError."""
    executor = trial.fresh(timeout=1, tool_timeout=2)
    await trial.lend(executor, wait=asyncio.sleep)
    code = "wait(1.5)\nfound = []\ntry:\n    wait(3600)\nexcept TimeoutError as error:\n    found.append(str(error))\nfound"
    observed = ok(await trial.run(code, executor), "a step whose tool was slow")
    that(
        len(observed.output) == 1 and "wait" in observed.output[0],
        f"the error does not name the tool: {observed.output!r}",
    )
    that(observed.duration < 1, f"the tool's time was counted: {observed.duration} s")


@check
async def tools_and_tables(trial: Trial) -> None:
    """Tables are arguments and results of tools like any other value."""
    executor = await trial.library("pandas")
    import pandas

    heard = []

    def total(frame: Any, column: str) -> Any:
        heard.append(frame)
        return pandas.DataFrame({column: [frame[column].sum()]})

    await trial.lend(executor, total=total)
    code = "import pandas as pd\nt = total(pd.DataFrame({'a': [1, 2], 'b': ['x', None]}), column='a')\nint(t['a'][0])"
    expect(ok(await trial.run(code, executor)).output, 3, "the sum that came back in a table")
    pandas.testing.assert_frame_equal(heard[0], pandas.DataFrame({"a": [1, 2], "b": ["x", None]}))
