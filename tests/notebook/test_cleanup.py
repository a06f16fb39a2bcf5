"""Nothing outlives the kernel, however it ends: no worker, no reaper, no folder. And what is closed in a kernel is gone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from cells import AgentKernel
from kernels import INSTALLED, OTHERS, VERSIONS, kernel_env, parameters
from leftovers import Worker, alive, needs_proc, reapers, workers
from processes import eventually

pytestmark = [pytest.mark.kernels, needs_proc]

SOON = 20.0
"""Ten times the two seconds in which nothing may be left."""
KILLED = 100.0
"""Ten times the ten seconds after SIGKILL."""


ENDS: dict[str, Callable[[AgentKernel], object]] = {
    "shut_down": lambda kernel: kernel.manager.shutdown_kernel(),
    "restart": lambda kernel: kernel.manager.restart_kernel(),
    "restart_now": lambda kernel: kernel.manager.restart_kernel(now=True),
    "terminate": lambda kernel: os.kill(kernel.pid, signal.SIGTERM),
    "kill": lambda kernel: os.kill(kernel.pid, signal.SIGKILL),
    "leave": lambda kernel: kernel.execute("import os; os._exit(3)"),
    "crash": lambda kernel: kernel.execute("import ctypes; ctypes.string_at(0)"),
}
IDLE_ENDS = ("leave", "crash")
STATES = ("idle", "waiting", "running")


def cases() -> Iterator[object]:
    """Every end in every state with the oldest and the installed ipykernel, two of them with those between."""
    for version, end, state in product((INSTALLED, *OTHERS), ENDS, STATES):
        thorough = version in (INSTALLED, VERSIONS[0]) and (state == "idle" or end not in IDLE_ENDS)
        if thorough or (state == "waiting" and end in ("shut_down", "kill")):
            is_quick = (version, end, state) == (INSTALLED, "kill", "waiting")
            yield pytest.param(version, end, state, marks=() if is_quick else pytest.mark.slow)


def bring_to(kernel: AgentKernel, state: str) -> Worker:
    """A kernel with one sandbox, which is idle, has a step that waits for approval, or runs for ever."""
    if state == "idle":
        kernel.ends(kernel.agent("kept = 1\nfinal_answer(kept)", line="--approve auto"))
    elif state == "waiting":
        cell = kernel.agent("final_answer(1)")
        kernel.page(cell).pending(1)
    else:
        cell = kernel.agent("print('began')\nwhile True:\n    pass", line="--approve auto")
        kernel.page(cell).printed("began")
    [worker] = workers(kernel.pid)
    assert worker.folder.is_dir()
    return worker


@pytest.mark.parametrize(("version", "end", "state"), list(cases()))
def test_nothing_is_left_of_a_kernel_that_ended(version: str, end: str, state: str, tmp_path: Path) -> None:
    with AgentKernel(kernel_env(version), tmp_path) as kernel:
        worker = bring_to(kernel, state)
        [reaper] = reapers(kernel.pid)
        ENDS[end](kernel)
        worker.gone(KILLED if end == "kill" else SOON)
        assert eventually(lambda: not alive(reaper)), "the reaper has ended too"


# --- what is closed while the kernel lives ------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=parameters(VERSIONS[:1]))
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentKernel]:
    with AgentKernel(kernel_env(request.param), tmp_path_factory.mktemp("kernel")) as kernel:
        yield kernel


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("code", ["%reset -f", "%reset -sf", "%agent reset", "%unload_ext smolcell"])
def test_nothing_is_left_of_sessions_that_are_ended(kernel: AgentKernel, code: str, state: str) -> None:
    line = "--background" if state != "idle" else "--approve auto"
    program = "while True: pass" if state == "running" else "final_answer(1)"
    cell = kernel.agent(program, line=line)
    kernel.ends(cell)
    if state != "idle":
        page = kernel.page(cell)
        page.pending(1)
    if state == "running":
        page.answer(1)
        page.event("Allowed")
    [worker] = workers(kernel.pid)
    kernel.run(code)
    worker.gone(SOON)
    if "unload" in code:
        kernel.run("%load_ext smolcell")
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto"))  # and it starts again
    kernel.run("%agent reset")


def test_a_reset_of_the_history_alone_keeps_the_sandbox(kernel: AgentKernel) -> None:
    worker = bring_to(kernel, "idle")
    kernel.run("%reset -f out")
    assert workers(kernel.pid) == [worker]
    assert kernel.run("print('smolcell_mark' in globals())") == "False\n"
    kernel.run("%agent reset")


def test_an_interrupt_ends_the_code_that_runs_and_the_session_goes_on(kernel: AgentKernel) -> None:
    worker = bring_to(kernel, "running")
    cell = [m.parent for m in kernel.seen if m.type == "comm_open"][-1]
    kernel.interrupt()
    assert kernel.ends(cell, "error").content["ename"] == "Interrupted"
    assert len(workers(kernel.pid)) <= 1
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto"))
    kernel.run("%agent reset")
    worker.gone(SOON)
    assert workers(kernel.pid) == []


def test_a_setting_that_needs_a_new_sandbox_ends_the_old_one(kernel: AgentKernel) -> None:
    worker = bring_to(kernel, "idle")
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto --memory 1024"))
    worker.gone(SOON)
    assert len(workers(kernel.pid)) == 1
    kernel.run("%agent reset")


@pytest.mark.slow
def test_each_session_has_its_own_sandbox_and_all_end_with_the_kernel(tmp_path: Path) -> None:
    with AgentKernel(kernel_env(INSTALLED), tmp_path) as kernel:
        for name in ("one", "two", "three"):
            line = f"--approve auto --session {name}"
            kernel.ends(kernel.agent("final_answer(1)", line=line))
        found = workers(kernel.pid)
        assert len(found) == 3
        kernel.manager.shutdown_kernel()
        for worker in found:
            worker.gone(SOON)
