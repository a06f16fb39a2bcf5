"""Tasks that no step waits for go on, as in Jupyter; and the names by which later steps reach earlier ones."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from local_parts import observe
from processes import eventually

from smolcell.errors import InterpreterError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.runner.notebook import Notebook

JOB = """
import asyncio
async def job(n=42):
    print('begun')
    await asyncio.sleep(0.01)
    open('done', 'w').close()
    return n
"""
STARTED = {
    "create_task": "t = asyncio.create_task(job())",
    "ensure_future": "t = asyncio.ensure_future(job())",
    "the running loop": "t = asyncio.get_running_loop().create_task(job())",
    "the current loop": "t = asyncio.get_event_loop().create_task(job())",
    "gather": "t = asyncio.gather(job())",
    "a callback": "t = asyncio.get_running_loop().create_future()\n"
    "asyncio.get_running_loop().call_later(0.01, lambda: (t.set_result(42), open('done', 'w').close()))",
    "after an await": "await asyncio.sleep(0)\nt = asyncio.create_task(job())",
    "from a step that failed": "t = asyncio.create_task(job())\n1 / 0",
}


@pytest.fixture(params=["full", "guarded"])
def sandbox(request: pytest.FixtureRequest, make: Callable[..., Any]) -> LocalPythonExecutor:
    made: LocalPythonExecutor = make(python=request.param, timeout=60)
    made(JOB)
    return made


def wait_for(executor: LocalPythonExecutor, name: str) -> None:
    """Until the code has made this file, while no step runs."""
    assert eventually(lambda: name in {file.name for file in executor.files()})


@pytest.mark.parametrize("start", STARTED.values(), ids=STARTED)
def test_a_task_goes_on_between_the_steps(sandbox: LocalPythonExecutor, start: str) -> None:
    observe(sandbox, start)
    wait_for(sandbox, "done")
    assert sandbox("t.result()").output in (42, [42])
    assert sandbox("await t").output in (42, [42])


def test_a_later_step_awaits_a_task(sandbox: LocalPythonExecutor) -> None:
    started = sandbox("t = asyncio.create_task(job())\nq = asyncio.Queue()\nput = asyncio.create_task(q.put(5))")
    assert started.logs == "begun\n"
    assert sandbox("await t, await q.get()").output == (42, 5)


def test_short_tasks_end_with_the_step_that_started_them(sandbox: LocalPythonExecutor) -> None:
    assert (
        sandbox("async def soon():\n    await asyncio.sleep(0)\n    print('ran')\nasyncio.create_task(soon())").logs
        == "ran\n"
    )


def test_a_step_runs_a_loop_itself_while_a_task_waits(sandbox: LocalPythonExecutor) -> None:
    sandbox("t = asyncio.create_task(job(1))")
    code = "asyncio.run(job(2)), asyncio.new_event_loop().run_until_complete(job(3)), asyncio.run(job(4))"
    assert sandbox(code).output == (2, 3, 4)
    assert sandbox("u = asyncio.ensure_future(job(5))\nasyncio.get_event_loop().run_until_complete(u)").output == 5
    assert sandbox("asyncio.get_running_loop().run_until_complete(t)").output == 1
    with pytest.raises(InterpreterError, match="cannot be called from a running event loop"):
        sandbox("await asyncio.sleep(0)\nasyncio.run(job())")


def test_a_loop_that_a_step_closes_is_replaced(sandbox: LocalPythonExecutor) -> None:
    sandbox("asyncio.get_event_loop().close()")
    assert sandbox("await asyncio.create_task(job(6))").output == 6
    sandbox("t = asyncio.create_task(job(7))")
    assert sandbox("await t").output == 7


def test_what_a_task_prints_between_the_steps_is_shown_with_the_next(sandbox: LocalPythonExecutor) -> None:
    sandbox("async def tell():\n    n = await job()\n    print('told')\n    raise ValueError(n)")
    sandbox("t = asyncio.create_task(tell())")
    wait_for(sandbox, "done")
    assert sandbox("pass").logs == "told\n"
    assert sandbox("repr(t.exception())").output == "ValueError(42)"


def test_a_tool_is_refused_between_the_steps(sandbox: LocalPythonExecutor) -> None:
    sandbox.send_tools({"look": str.upper})
    sandbox(
        "async def ask():\n    await asyncio.sleep(0.01)\n    try:\n        return look('a')\n"
        "    finally:\n        open('asked', 'w').close()\nt = asyncio.create_task(ask())"
    )
    wait_for(sandbox, "asked")
    assert sandbox("look('b'), repr(t.exception())").output == (
        "B",
        "RuntimeError('look() cannot be called between the steps: await the task, or join the thread')",
    )


def test_a_task_that_hangs_costs_a_step_and_no_variables(sandbox: LocalPythonExecutor) -> None:
    sandbox("async def spin():\n    await job()\n    while True: pass\nkept = asyncio.create_task(spin())")
    wait_for(sandbox, "done")
    assert "took longer than 0.2 s" in str(observe(sandbox, "'ran'", timeout=0.2).error)
    assert sandbox("kept.done(), repr(kept.exception())").output == (True, "KeyboardInterrupt()")


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_earlier_programs_and_values_have_ipython_s_names(make: Callable[..., Any], level: str) -> None:
    executor = make(python=level, timeout=60)
    assert executor("_, __, ___, dict(Out), list(In)").output == (
        "",
        "",
        "",
        {},
        ["", "_, __, ___, dict(Out), list(In)"],
    )
    executor("x = 4")
    assert executor("[1, 2]").changed == ()
    found = executor("sum(_), len(__), _3 is Out[3] is _oh[3], In[2], _ih is In, sorted(Out)").output
    assert found == (3, 5, True, "x = 4", True, [1, 3])


def test_a_name_that_a_program_binds_is_its_own(executor: LocalPythonExecutor) -> None:
    assert sorted(executor("for _ in range(3): pass\nOut = 5").changed) == ["Out", "_"]
    executor("7")
    assert executor("_, Out, _oh[2]").output == (2, 5, 7)
    executor("del _, Out")
    executor("8")
    assert executor("_, Out[5] if 'Out' in globals() else None").output == (8, None)


@pytest.mark.parametrize("large", ["bytes(20_000_000)", "Model()"])
def test_a_value_that_may_be_large_is_kept_until_the_next_only(executor: LocalPythonExecutor, large: str) -> None:
    executor("class Model:\n    def __len__(self): return 20_000_000")
    executor(large)
    assert executor("len(_), sorted(Out)").output == (20_000_000, [])
    assert executor("_").output == (20_000_000, [])


def test_earlier_programs_and_values_begin_anew_with_a_run() -> None:
    kept = Notebook(shells=False)
    for step in (1, 2, 3, 1):
        kept.begin_step(step, f"step {step}")
        kept.keep(step, step * 10, 1)
    assert (kept.history()["In"], kept.history()["Out"]) == (["", "step 1"], {1: 10})


def test_what_is_displayed_between_the_steps_is_shown_with_the_next(sandbox: LocalPythonExecutor) -> None:
    sandbox("from IPython.display import display, Markdown")
    sandbox("""
async def show():
    await asyncio.sleep(0.01)
    print('before')
    display(Markdown('*between*'))
    print('after')
    open('shown', 'w').close()
t = asyncio.create_task(show())""")
    wait_for(sandbox, "shown")
    found = sandbox("display(Markdown('*now*'))")
    assert found.logs == "before\nafter\n"
    assert [bundle.data["text/markdown"] for bundle in found.outputs] == ["*between*", "*now*"]
    assert found.places == (1, 2)


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork")
def test_what_a_forked_process_displays_is_not_shown(make: Callable[..., Any]) -> None:
    code = "import os\nif not os.fork():\n    display(1)\n    os._exit(0)\nos.wait()\nprint('end')\ndisplay(2)"
    found = make(python="full", timeout=60)(code)
    assert (found.logs, [bundle.data["text/plain"] for bundle in found.outputs]) == ("end\n", ["2"])
