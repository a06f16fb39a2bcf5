"""What the local sandbox does beyond the conformance list, which test_conformance.py holds it to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from local_parts import observe

from smolcell.errors import ForbiddenError, InterpreterError, SetupError
from smolcell.events import Proposed
from smolcell.executors import create_executor, executor_names
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit
from smolcell.protocols import Executor

Make = Callable[..., LocalPythonExecutor]


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(timeout=20) as executor:
        yield executor


def test_names_are_looked_up_and_a_wrong_one_says_what_there_is() -> None:
    assert "local" in executor_names()
    made = create_executor("local", additional_authorized_imports=["numpy"], timeout=3, memory=512)
    assert isinstance(made, Executor)
    assert made.name == "local"
    with pytest.raises(SetupError, match=r"'dokcer'; use one of: --sandbox blaxel, docker, e2b, local, modal, wasm"):
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


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("class A:\n    def __init__(self): self._x = 2\n    @property\n    def y(self): return self._x\nA().y", 2),
        ("match {'k': [1, 2]}:\n    case {'k': [a, *rest]}: out = (a, rest)\nout", (1, [2])),
        ("import re\nre.sub('a', 'b', 'aaa')", "bbb"),
        ("from math import *\nfloor(pi)", 3),
        ("import collections.abc\ncollections.abc.Sized.__name__", "Sized"),
        ("'{:>4}|{a[0]}'.format(1, a=[2]) + f'{3.14159:.2f}'", "   1|23.14"),
        ("with open('a.txt', 'w') as f: f.write('hi')\nopen('a.txt').read()", "hi"),
        ("__name__", "__main__"),
    ],
)
def test_code_runs_as_python_runs_it(shared: LocalPythonExecutor, code: str, output: Any) -> None:
    assert shared(code).output == output


@pytest.mark.parametrize("code", ["input()", "breakpoint()", "exit()"])
def test_names_of_the_host_are_not_there(shared: LocalPythonExecutor, code: str) -> None:
    with pytest.raises(ForbiddenError):
        shared(code)


def test_a_function_of_another_runs_step_of_the_same_number_quotes_its_own_line(shared: LocalPythonExecutor) -> None:
    observe(shared, "def broken():\n    return 1 / 0", step=1)
    observe(shared, "# another run's first step", step=1)
    error = observe(shared, "broken()", step=2).error
    assert error is not None
    assert "    return 1 / 0\n" in error.traceback


def test_a_run_cancelled_while_the_sandbox_opens_leaves_it_usable() -> None:
    begun = threading.Event()

    class Told(LocalPythonExecutor):
        def _start(self) -> Any:
            begun.set()
            return super()._start()

    async def cancel(executor: Told) -> Any:
        first, second = (permit(Proposed(run="r", step=n, text=str(n)), by="caller") for n in (1, 2))
        task = asyncio.create_task(executor.run(first, lambda _: None, lambda *_: asyncio.sleep(0)))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await executor.run(second, lambda _: None, lambda *_: asyncio.sleep(0))

    with Told() as executor:
        assert asyncio.run(cancel(executor)).output == 2


# --- tools ---


def test_tools_of_a_direct_call_run_on_the_calling_thread_and_async_ones_are_awaited(make: Make) -> None:
    executor = make(timeout=20)
    threads: list[threading.Thread] = []

    def shout(text: str, mark: str = "!") -> str:
        threads.append(threading.current_thread())
        return text.upper() + mark

    async def later(value: int) -> int:
        await asyncio.sleep(0)
        return value + 1

    executor.send_tools({"shout": shout})
    executor.send_tools({"later": later})
    assert executor("shout('a') + shout('b', mark='?'), later(1)").output == ("A!B?", 2)
    assert threads == [threading.current_thread()] * 2
    executor.set_tools({"later": later})
    with pytest.raises(InterpreterError, match="NameError"):
        executor("shout('c')")
    assert executor("shout = later(4)\nshout").output == 5


def test_a_name_that_was_not_lent_is_refused(make: Make) -> None:
    executor = make(unguarded=True)
    executor.send_tools({"known": lambda: 1})
    code = "known.__closure__[1].cell_contents._call('other', (), {})"  # past the guard: on the runner itself
    with pytest.raises(InterpreterError, match="NameError: this sandbox has no tool named 'other'"):
        executor(code)


def test_a_tool_has_its_own_limit_and_the_step_goes_on(make: Make) -> None:
    executor = make(tool_timeout=0.2)
    executor.send_tools({"never": None})
    code = "try:\n    never()\nexcept TimeoutError as error:\n    found = str(error)\nfound"
    observed = observe(executor, code, call=lambda *_: asyncio.sleep(600))
    assert observed.output == "the tool 'never' took longer than 0.2 s (tool_timeout)"
