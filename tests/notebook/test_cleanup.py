"""Nothing outlives the kernel, however it ends: no worker, no reaper, no folder. And what is closed in a kernel is gone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cells import PATIENCE, AgentKernel
from kernels import OLDEST_AND_NEWEST, VERSIONS, kernel_env, parameters
from leftovers import Worker, alive, needs_proc, reapers, workers

pytestmark = [pytest.mark.kernels, needs_proc]

SOON = 20.0
"""Ten times the two seconds in which nothing may be left."""
KILLED = 100.0
"""Ten times the ten seconds after SIGKILL."""


def shut_down(kernel: AgentKernel) -> None:
    kernel.manager.shutdown_kernel()


def restart(kernel: AgentKernel) -> None:
    kernel.manager.restart_kernel()


def restart_now(kernel: AgentKernel) -> None:
    kernel.manager.restart_kernel(now=True)


def terminate(kernel: AgentKernel) -> None:
    os.kill(kernel.pid, signal.SIGTERM)


def kill(kernel: AgentKernel) -> None:
    os.kill(kernel.pid, signal.SIGKILL)


def leave(kernel: AgentKernel) -> None:
    kernel.execute("import os; os._exit(3)")


def crash(kernel: AgentKernel) -> None:
    kernel.execute("import ctypes; ctypes.string_at(0)")


End = Callable[[AgentKernel], None]
ENDS: tuple[End, ...] = (shut_down, restart, restart_now, terminate, kill)
IDLE_ENDS: tuple[End, ...] = (leave, crash)
STATES = ("idle", "waiting", "running")


def cases() -> Iterator[object]:
    """Every end in every state with the oldest and the newest ipykernel, two of them with those between.

    Those with the newest are not slow: each end while idle, two while a step waits.
    """
    for version in VERSIONS:
        for end in (*ENDS, *IDLE_ENDS):
            for state in STATES:
                thorough = version in OLDEST_AND_NEWEST and (state == "idle" or end in ENDS)
                if thorough or (state == "waiting" and end in (shut_down, kill)):
                    usual = state == "idle" or (state == "waiting" and end in (shut_down, kill))
                    quick = version == VERSIONS[-1] and usual
                    marks = () if quick else pytest.mark.slow
                    yield pytest.param(version, end, state, id=f"{version}-{end.__name__}-{state}", marks=marks)


def bring_to(kernel: AgentKernel, state: str, folder: Path) -> Worker:
    """A kernel with one sandbox, which is idle, has a step that waits for approval, or runs for ever."""
    if state == "idle":
        kernel.ends(kernel.agent("kept = 1\nfinal_answer(kept)", line="--approve auto", folder=folder))
    elif state == "waiting":
        cell = kernel.agent("final_answer(1)", folder=folder)
        kernel.page(cell).pending(1)
    else:
        cell = kernel.agent("print('began')\nwhile True:\n    pass", line="--approve auto", folder=folder)
        kernel.page(cell).printed("began")
    [worker] = workers(kernel.pid)
    assert worker.folder.is_dir()
    return worker


@pytest.mark.parametrize(("version", "end", "state"), list(cases()))
def test_nothing_is_left_of_a_kernel_that_ended(version: str, end: End, state: str, tmp_path: Path) -> None:
    with AgentKernel(kernel_env(version), tmp_path) as kernel:
        worker = bring_to(kernel, state, tmp_path)
        [reaper] = reapers(kernel.pid)
        end(kernel)
        seconds = worker.gone(KILLED if end is kill else SOON)
        print(f"{version} {end.__name__} {state}: nothing left after {seconds:.2f} s")
        wait_for(lambda: not alive(reaper), "the reaper has ended too")


def wait_for(what: Callable[[], bool], why: str) -> None:
    deadline = time.monotonic() + SOON
    while not what():
        assert time.monotonic() < deadline, why
        time.sleep(0.02)


# --- what is closed while the kernel lives ------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=parameters(OLDEST_AND_NEWEST))
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentKernel]:
    with AgentKernel(kernel_env(request.param), tmp_path_factory.mktemp("kernel")) as kernel:
        yield kernel


@pytest.mark.parametrize("state", ["idle", "waiting", "running"])
@pytest.mark.parametrize("code", ["%reset -f", "%reset -sf", "%agent reset", "%unload_ext smolcell"])
def test_nothing_is_left_of_sessions_that_are_ended(kernel: AgentKernel, code: str, state: str, tmp_path: Path) -> None:
    line = "--background" if state != "idle" else "--approve auto"
    program = "while True: pass" if state == "running" else "final_answer(1)"
    cell = kernel.agent(program, line=line, folder=tmp_path)
    kernel.ends(cell)
    if state != "idle":
        page = kernel.page(cell)
        page.pending(1)
    if state == "running":
        page.answer(1)
        page.event("Allowed")
    [worker] = workers(kernel.pid)
    kernel.run(code, PATIENCE)
    worker.gone(SOON)
    if "unload" in code:
        kernel.run("%load_ext smolcell")
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto", folder=tmp_path))  # and it starts again
    kernel.run("%agent reset")


def test_a_reset_of_the_history_alone_keeps_the_sandbox(kernel: AgentKernel, tmp_path: Path) -> None:
    worker = bring_to(kernel, "idle", tmp_path)
    kernel.run("%reset -f out")
    assert workers(kernel.pid) == [worker]
    assert kernel.run("print('smolcell_mark' in globals())") == "False\n"
    kernel.run("%agent reset")


def test_an_interrupt_ends_the_code_that_runs_and_the_session_goes_on(kernel: AgentKernel, tmp_path: Path) -> None:
    worker = bring_to(kernel, "running", tmp_path)
    cell = [m.parent for m in kernel.seen if m.type == "comm_open"][-1]
    kernel.interrupt()
    assert kernel.ends(cell, "error").content["ename"] == "Interrupted"
    assert len(workers(kernel.pid)) <= 1
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto", folder=tmp_path))
    kernel.run("%agent reset")
    worker.gone(SOON)
    assert workers(kernel.pid) == []


def test_a_setting_that_needs_a_new_sandbox_ends_the_old_one(kernel: AgentKernel, tmp_path: Path) -> None:
    worker = bring_to(kernel, "idle", tmp_path)
    kernel.ends(kernel.agent("final_answer(1)", line="--approve auto --memory 1024", folder=tmp_path))
    worker.gone(SOON)
    assert len(workers(kernel.pid)) == 1
    kernel.run("%agent reset")


def test_each_session_has_its_own_sandbox_and_all_end_with_the_kernel(tmp_path: Path) -> None:
    with AgentKernel(kernel_env(VERSIONS[-1]), tmp_path) as kernel:
        for name in ("one", "two", "three"):
            line = f"--approve auto --session {name}"
            kernel.ends(kernel.agent("final_answer(1)", line=line, folder=tmp_path))
        found = workers(kernel.pid)
        assert len(found) == 3
        kernel.manager.shutdown_kernel()
        for worker in found:
            worker.gone(SOON)
