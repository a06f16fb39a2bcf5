"""The local sandbox runs code as Python does, keeps state between steps, and tells what happened."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from smolcell.errors import (
    CapabilityError,
    ForbiddenError,
    InterpreterError,
    PermitError,
    SandboxBusyError,
    SandboxError,
    SetupError,
)
from smolcell.events import Allowed, Delta, Fault, Observed, Proposed
from smolcell.executors import create_executor, executor_names
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit
from smolcell.protocols import Executor
from smolcell.worker.wire.values import Handle

Make = Callable[..., LocalPythonExecutor]


def allowed(code: str, step: int = 1) -> Allowed:
    return permit(Proposed(run="r", step=step, text=code), by="caller")


async def no_tools(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    raise AssertionError(f"{name} was called")


def run(executor: LocalPythonExecutor, code: str, step: int = 1, seen: list[str] | None = None) -> Observed:
    def show(delta: Delta) -> None:
        if seen is not None:
            seen.append(delta.text)

    return asyncio.run(executor.run(allowed(code, step), show, no_tools))


# --- the names ---


def test_names_are_looked_up_and_a_wrong_one_says_what_there_is() -> None:
    assert "local" in executor_names()
    made = create_executor("local", additional_authorized_imports=["numpy"], timeout=3, memory=512)
    assert isinstance(made, Executor)
    assert made.name == "local"
    with pytest.raises(
        SetupError, match=r"no sandbox named 'dokcer'; use one of: --sandbox blaxel, docker, e2b, local, modal, wasm"
    ):
        create_executor("dokcer")


def test_the_boundary_is_honest() -> None:
    boundary = LocalPythonExecutor(["numpy"], timeout=7).boundary()
    assert not boundary.isolated
    assert {wall.name: wall.stands for wall in boundary.walls} == {
        "own process": True,
        "guard": True,
        "scrubbed environment": True,
        "limits": True,
        "files": False,
        "network": False,
        "processes": False,
    }
    assert boundary.limits["seconds a step"] == 7
    assert "numpy" in boundary.imports


# --- Python as it is ---


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("1 + 1", 2),
        ("x = 3", None),
        ("x = 3\nx", 3),
        ("", None),
        ("# nothing", None),
        ("'a' if 0 else 'b'", "b"),
        ("def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nf(15)", 610),
        ("class A:\n    def __init__(self): self._x = 2\n    @property\n    def y(self): return self._x\nA().y", 2),
        ("def g():\n    yield from range(3)\nlist(g())", [0, 1, 2]),
        ("import asyncio\nawait asyncio.sleep(0)\n5", 5),
        ("async def f(): return 4\nawait f()", 4),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\nP(3).x", 3),
        ("match {'k': [1, 2]}:\n    case {'k': [a, *rest]}: out = (a, rest)\nout", (1, [2])),
        ("import re\nre.sub('a', 'b', 'aaa')", "bbb"),
        ("from math import *\nfloor(pi)", 3),
        ("import collections.abc\ncollections.abc.Sized.__name__", "Sized"),
        ("'{:>4}|{a[0]}'.format(1, a=[2])", "   1|2"),
        ("f'{3.14159:.2f}'", "3.14"),
        ("with open('a.txt', 'w') as f: f.write('hi')\nopen('a.txt').read()", "hi"),
        ("from enum import Enum\nclass C(Enum):\n    A = 1\nC.A.name", "A"),
        ("[i for i in range(3) if i % 2]", [1]),
        ("(n := 10) + n", 20),
        ("import typing, functools\nfunctools.reduce(lambda a, b: a + b, [1, 2])", 3),
        ("b'x' * 3", b"xxx"),
        ("__name__", "__main__"),
    ],
)
def test_code_runs_as_python_runs_it(executor: LocalPythonExecutor, code: str, output: Any) -> None:
    assert executor(code).output == output


def test_state_is_kept_between_steps(executor: LocalPythonExecutor) -> None:
    first = executor("import math\nx = 2\ndef area(r): return math.pi * r * r")
    assert first.changed == ("math", "x", "area")
    second = executor("x = x + 1\nround(area(1), 2), x")
    assert (second.output, second.result, second.changed) == ((3.14, 3), "(3.14, 3)", ("x",))
    assert executor("x").changed == ()


def test_both_streams_come_in_order_and_whole(make: Make) -> None:
    seen: list[str] = []
    code = "import sys, time\nprint('a')\nprint('b', file=sys.stderr)\ntime.sleep(0.2)\nprint('ü', end='')"
    observed = run(make(["sys"]), code, seen=seen)
    assert observed.stdout == "a\nb\nü"
    assert "".join(seen) == observed.stdout
    assert 2 <= len(seen) <= 3


def test_a_final_answer_ends_the_step(executor: LocalPythonExecutor) -> None:
    observed = executor("print('before')\nfinal_answer({'a': (1, 2)})\nprint('after')")
    assert (observed.output, observed.is_final_answer, observed.logs) == ({"a": (1, 2)}, True, "before\n")


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    final_answer(7)\nexcept BaseException:\n    pass",
        "try:\n    final_answer(7)\nexcept:\n    1 / 0",
        "try:\n    final_answer(7)\nfinally:\n    final_answer(8)",
        "def f():\n    final_answer(7)\n[f() for _ in range(2)]",
    ],
)
def test_a_final_answer_cannot_be_lost(executor: LocalPythonExecutor, code: str) -> None:
    observed = executor(code)
    assert (observed.output, observed.is_final_answer, observed.error) == (7, True, None)


# --- errors ---


def test_an_error_shows_the_codes_own_lines_only(executor: LocalPythonExecutor) -> None:
    code = "import json\ndef parse(text):\n    return json.loads(text)\n\nparse('{')"
    error = run(executor, code, step=4).error
    assert error == Fault(
        kind="python",
        type="JSONDecodeError",
        message="Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        line=3,
        traceback=(
            "Traceback (most recent call last):\n"
            '  File "<step 4>", line 5, in <module>\n'
            "    parse('{')\n"
            '  File "<step 4>", line 3, in parse\n'
            "    return json.loads(text)\n"
            "JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
        ),
    )


def test_an_error_in_an_earlier_steps_function_quotes_that_steps_line(executor: LocalPythonExecutor) -> None:
    run(executor, "def broken():\n    return 1 / 0", step=1)
    error = run(executor, "\n\nbroken()", step=2).error
    assert error is not None
    assert "    return 1 / 0\n" in error.traceback
    run(executor, "# another run's first step", step=1)
    again = run(executor, "broken()", step=2).error
    assert again is not None
    assert "    return 1 / 0\n" in again.traceback


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("x = 1\ny = (2\n", "SyntaxError", 2),
        ("if True:\nx = 1", "IndentationError", 2),
        ("return 5", "SyntaxError", 1),
        ("x = 1\n1 / 0", "ZeroDivisionError", 2),
        ("undefined_name", "NameError", 1),
        ("class E(Exception): pass\nraise E('no')", "E", 2),
        ("import sys_missing_module", "ForbiddenError", 1),
        ("raise SystemExit(3)", "SystemExit", 1),
        ("def f(): f()\nf()", "RecursionError", 1),
        ("class E(Exception):\n    def __str__(self): return 1 / 0\nraise E", "E", 3),
    ],
)
def test_errors_have_type_and_line(executor: LocalPythonExecutor, code: str, kind: str, line: int) -> None:
    error = run(executor, code).error
    assert error is not None
    assert (error.type, error.line) == (kind, line)
    assert run(executor, "1").result == "1"


def test_a_failed_call_raises_with_type_and_logs(executor: LocalPythonExecutor) -> None:
    with pytest.raises(InterpreterError) as caught:
        executor("print('so far')\n{}['k']")
    assert (str(caught.value), caught.value.exception_type, caught.value.logs) == (
        "line 2: KeyError: 'k'",
        "KeyError",
        "so far\n",
    )
    with pytest.raises(ForbiddenError, match=r"line 1: Import of os is not allowed\. Authorized imports are: .*abc, "):
        executor("import os")


# --- one step at a time, with a permit ---


def test_nothing_runs_without_a_permit(executor: LocalPythonExecutor) -> None:
    forged = Allowed(run="r", step=1, text="1", sha256="", by="person")
    with pytest.raises(PermitError):
        asyncio.run(executor.run(forged, lambda _: None, no_tools))
    spent = allowed("1")
    asyncio.run(executor.run(spent, lambda _: None, no_tools))
    with pytest.raises(PermitError):
        asyncio.run(executor.run(spent, lambda _: None, no_tools))


def test_an_open_step_makes_the_sandbox_busy(executor: LocalPythonExecutor) -> None:
    async def two() -> Observed:
        first = asyncio.create_task(executor.run(allowed("import time\ntime.sleep(0.5)\n1"), lambda _: None, no_tools))
        await asyncio.sleep(0.1)
        with pytest.raises(SandboxBusyError, match="one at a time"):
            await executor.run(allowed("2"), lambda _: None, no_tools)
        with pytest.raises(SandboxBusyError):
            await executor.pull(["x"])
        return await first

    assert asyncio.run(two()).output == 1


def test_a_cancelled_run_leaves_the_executor_usable(executor: LocalPythonExecutor) -> None:
    executor("x = 1")

    async def cancel() -> Observed:
        task = asyncio.create_task(executor.run(allowed("while True: pass"), lambda _: None, no_tools))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await executor.run(allowed("x"), lambda _: None, no_tools)

    observed = asyncio.run(cancel())
    assert observed.state_lost or observed.output == 1  # a machine under load may be slower than the patience


def test_a_run_cancelled_while_the_sandbox_opens_leaves_it_usable(executor: LocalPythonExecutor) -> None:
    async def cancel() -> Observed:
        task = asyncio.create_task(executor.run(allowed("1"), lambda _: None, no_tools))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await executor.run(allowed("2"), lambda _: None, no_tools)

    assert asyncio.run(cancel()).output == 2


def test_a_call_works_inside_a_running_loop(executor: LocalPythonExecutor) -> None:
    async def inside() -> Any:
        return executor("6 * 7").output

    assert asyncio.run(inside()) == 42


def test_closing_twice_and_never_opened_is_harmless(make: Make) -> None:
    executor = make()
    executor.close()
    executor.close()
    with pytest.raises(SandboxError, match="closed; make a new executor"):
        executor("1")


def test_a_context_manager_closes(make: Make) -> None:
    with make() as executor:
        assert executor("1").output == 1
        pid = executor._channel.pid
    from processes import living

    assert living({pid}) == set()


# --- tools ---


def test_tools_run_on_the_calling_thread(executor: LocalPythonExecutor) -> None:
    threads: list[threading.Thread] = []

    def shout(text: str, mark: str = "!") -> str:
        """Say it louder."""
        threads.append(threading.current_thread())
        return text.upper() + mark

    executor.send_tools({"shout": shout})
    assert executor("shout('a') + shout('b', mark='?')").output == "A!B?"
    assert executor("shout.__doc__").output == "Say it louder."
    assert threads == [threading.current_thread()] * 2
    with pytest.raises(ForbiddenError, match="Cannot assign to name 'shout'"):
        executor("shout = 1")


def test_a_tools_error_arrives_by_its_name(executor: LocalPythonExecutor) -> None:
    class QuotaError(Exception):
        pass

    def broken(kind: str) -> None:
        raise {"value": ValueError, "quota": QuotaError}[kind]("used up")

    executor.send_tools({"broken": broken})
    code = (
        "found = []\nfor kind in ('value', 'quota'):\n    try: broken(kind)\n"
        "    except Exception as error: found.append((type(error).__name__, str(error)))\nfound"
    )
    assert executor(code).output == [("ValueError", "used up"), ("QuotaError", "used up")]
    with pytest.raises(InterpreterError, match="line 1: QuotaError: used up"):
        executor("broken('quota')")


def test_an_async_tool_is_awaited(executor: LocalPythonExecutor) -> None:
    async def later(value: int) -> int:
        await asyncio.sleep(0.01)
        return value + 1

    executor.send_tools({"later": later})
    assert executor("later(1)").output == 2


def test_several_threads_may_call(make: Make) -> None:
    executor = make(["threading"])
    executor.send_tools({"double": lambda value: value * 2})
    code = (
        "import threading\nfound = {}\n"
        "def work(i): found[i] = double(i)\n"
        "threads = [threading.Thread(target=work, args=(i,)) for i in range(20)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\nfound"
    )
    assert executor(code).output == {i: 2 * i for i in range(20)}


def test_a_name_that_was_not_lent_is_refused(make: Make) -> None:
    executor = make(unguarded=True)
    executor.send_tools({"known": lambda: 1})
    code = "known.__closure__[1].cell_contents._call('other', (), {})"  # past the guard: on the runner itself
    with pytest.raises(InterpreterError, match="NameError: this sandbox has no tool named 'other'"):
        executor(code)


def test_too_many_tool_calls_are_refused(make: Make) -> None:
    executor = make(max_tool_calls=5)
    executor.send_tools({"tick": lambda: 1})
    with pytest.raises(InterpreterError, match="more than 5 tool calls"):
        executor("for _ in range(6): tick()")
    assert executor("tick()").output == 1


def test_a_tool_has_its_own_limit_and_the_step_goes_on(make: Make) -> None:
    executor = make(tool_timeout=0.2)
    executor.send_tools({"never": None})

    async def never(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        await asyncio.sleep(60)

    code = "try:\n    never()\nexcept TimeoutError as error:\n    found = str(error)\nfound"
    observed = asyncio.run(executor.run(allowed(code), lambda _: None, never))
    assert observed.output == "the tool 'never' took longer than 0.2 s (tool_timeout)"


def test_a_tool_that_is_taken_back_is_gone(make: Make) -> None:
    executor = make()
    executor.send_tools({"one": lambda: 1})
    executor.send_tools({"two": lambda: 2})
    assert executor("one() + two()").output == 3
    executor.set_tools({"two": lambda: 2})
    with pytest.raises(InterpreterError, match="NameError"):
        executor("one()")
    assert executor("one = two() + 5\none").output == 7


def test_the_name_of_an_error_is_clipped(executor: LocalPythonExecutor) -> None:
    with pytest.raises(InterpreterError) as caught:
        executor("class E(Exception): pass\nE.__name__ = 'x' * 10**7\nraise E('m')")
    assert len(str(caught.value)) < 1000
    assert executor("1").output == 1


def test_bytes_that_are_no_text_are_shown_as_replaced(make: Make) -> None:
    executor = make(unguarded=True)
    assert "a\ufffdb" in executor("import os\n_ = os.write(1, b'a\\xffb')").stdout


def test_the_clock_stops_while_the_host_works(make: Make) -> None:
    import time

    executor = make(timeout=0.5)
    executor.send_tools({"slow": lambda: time.sleep(1.2)})
    observed = executor("slow()\n'done'")
    assert observed.output == "done"
    assert observed.duration < 0.5


# --- rich output ---


def test_rich_values_come_as_bundles(executor: LocalPythonExecutor) -> None:
    code = (
        "class Card:\n    def _repr_html_(self): return '<b>hi</b>'\n    def __repr__(self): return 'Card'\n"
        "class Broken:\n    def _repr_html_(self): 1 / 0\n    def __repr__(self): return 'B'\n"
        "display(Card(), Broken())\nCard()"
    )
    observed = executor(code)
    card = {"text/html": "<b>hi</b>", "text/plain": "Card"}
    assert [dict(bundle.data) for bundle in observed.outputs] == [card, {"text/plain": "B"}, card]
    assert observed.output == Handle("", "Card", "Card")


def test_figures_left_open_are_captured_and_closed(make: Make) -> None:
    pytest.importorskip("matplotlib")
    executor = make(["matplotlib.*"], timeout=60)
    observed = executor(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.figure()\nplt.plot([2, 1])\nplt.show()\n1"
    )
    assert [bundle.data["image/png"][:5] for bundle in observed.outputs] == ["iVBOR", "iVBOR"]
    assert executor("len(plt.get_fignums())").output == 0
    assert executor("1").outputs == ()


def test_too_many_outputs_are_bounded_and_said(executor: LocalPythonExecutor) -> None:
    observed = executor("for i in range(100): display(i)")
    assert len(observed.outputs) == 24
    assert "outputs are left out" in observed.stdout


def test_input_and_names_of_the_host_are_not_there(executor: LocalPythonExecutor) -> None:
    for code in ("input()", "breakpoint()", "exit()"):
        with pytest.raises(ForbiddenError):
            executor(code)


def test_a_variable_that_cannot_be_copied_is_named(executor: LocalPythonExecutor) -> None:
    with pytest.raises(CapabilityError, match=r"'lock' .* cannot be sent to the sandbox: it cannot be copied"):
        executor.send_variables({"lock": threading.Lock()})
