"""The plain waiter, and the parts of the notebook's that need no kernel."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from types import SimpleNamespace
from typing import Any

import pytest

from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook.extension import stdin_allowed
from smolcell.notebook.kernel import HeldSignals
from smolcell.notebook.wait import Bell, Interrupted, KernelWaiter
from smolcell.protocols import Waiter

posix = pytest.mark.skipif(os.name == "nt", reason="signals are sent to this process; not run on Windows")


@pytest.fixture(params=[QueueWaiter, lambda: KernelWaiter(None)], ids=["plain", "notebook without a kernel"])
def waiter(request: pytest.FixtureRequest) -> Waiter:
    made: Waiter = request.param()
    return made


@pytest.fixture
def done() -> Future[str]:
    return Future()


class Late(Exception):
    """What the caller's alarm raises."""


@pytest.fixture
def alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def start(work: object) -> threading.Thread:
    thread = threading.Thread(target=work)  # type: ignore[arg-type]
    thread.start()
    return thread


def test_the_result_comes_back(waiter: Waiter, done: Future[str]) -> None:
    thread = start(lambda: done.set_result("end"))
    assert waiter.wait(done) == "end"
    thread.join()


def test_the_exception_of_the_run_comes_back(waiter: Waiter, done: Future[str]) -> None:
    error = ValueError("the run's own")
    done.set_exception(error)
    with pytest.raises(ValueError, match="the run's own") as caught:
        waiter.wait(done)
    assert caught.value is error


def test_a_cancelled_run_is_a_cancelled_error(waiter: Waiter, done: Future[str]) -> None:
    done.cancel()
    with pytest.raises(CancelledError):
        waiter.wait(done)


def test_posts_run_on_the_waiting_thread_in_order(waiter: Waiter, done: Future[str]) -> None:
    ran: list[tuple[int, threading.Thread]] = []

    def work() -> None:
        for number in range(1000):
            waiter.post(lambda number=number: ran.append((number, threading.current_thread())))  # type: ignore[misc]
        waiter.post(lambda: done.set_result("end"))

    thread = start(work)
    assert waiter.wait(done) == "end"
    thread.join()
    assert ran == [(number, threading.current_thread()) for number in range(1000)]


def test_what_was_posted_before_the_end_has_run_when_the_wait_returns(waiter: Waiter, done: Future[str]) -> None:
    ran: list[str] = []
    waiter.post(lambda: ran.append("posted"))
    done.set_result("end")
    waiter.wait(done)
    assert ran == ["posted"]


def test_a_post_that_posts_itself_again_does_not_hold_up_the_end(waiter: Waiter, done: Future[str]) -> None:
    def again() -> None:
        waiter.post(again)

    waiter.post(again)
    done.set_result("end")
    assert waiter.wait(done) == "end"


def test_a_failing_post_is_logged_and_the_wait_goes_on(
    waiter: Waiter, done: Future[str], caplog: pytest.LogCaptureFixture
) -> None:
    waiter.post(lambda: 1 / 0)
    waiter.post(lambda: done.set_result("end"))
    assert waiter.wait(done) == "end"
    [record] = caplog.records
    assert (record.name, record.levelname) == ("smolcell", "ERROR")
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


def test_a_wait_inside_a_posted_call(waiter: Waiter, done: Future[str]) -> None:
    inner: Future[str] = Future()
    ran: list[str] = []
    waiter.post(lambda: ran.append(waiter.wait(inner)))
    waiter.post(lambda: inner.set_result("inner"))
    waiter.post(lambda: done.set_result("outer"))
    assert (waiter.wait(done), ran) == ("outer", ["inner"])


def test_waits_in_two_threads(waiter: Waiter) -> None:
    futures: list[Future[int]] = [Future() for _ in range(2)]
    results: list[int] = []
    threads = [start(lambda f=f: results.append(waiter.wait(f))) for f in futures]
    for number, future in enumerate(futures):
        waiter.post(lambda number=number, future=future: future.set_result(number))  # type: ignore[misc]
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1]


@posix
def test_an_interrupt_comes_out_at_once(waiter: Waiter, done: Future[str]) -> None:
    timer = threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        waiter.wait(done)
    timer.join()
    assert not done.done()


@posix
@pytest.mark.usefixtures("alarm")
def test_what_the_callers_alarm_raises_comes_out_at_once(waiter: Waiter, done: Future[str]) -> None:
    with pytest.raises(Late):
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        waiter.wait(done)


@posix
def test_an_interrupt_during_a_posted_call_comes_out(waiter: Waiter, done: Future[str]) -> None:
    waiter.post(lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        waiter.wait(done)


class Interrupting(deque[Any]):
    """Calls that a signal comes for between their turn and their beginning."""

    def popleft(self) -> Any:
        signal.raise_signal(signal.SIGINT)
        return super().popleft()


@posix
def test_a_posted_call_whose_turn_was_interrupted_is_run_by_the_next_wait(done: Future[str]) -> None:
    waiter = KernelWaiter(None)
    ran: list[str] = []
    waiter._calls = Interrupting([lambda: ran.append("posted")])
    with pytest.raises(KeyboardInterrupt):
        waiter.wait(done)
    waiter._calls = deque(waiter._calls)
    waiter.post(lambda: done.set_result("end"))
    assert (waiter.wait(done), ran) == ("end", ["posted"])


def test_an_interrupted_wait_is_one_line_of_traceback() -> None:
    line = "KeyboardInterrupt: the cell was interrupted while it waited"
    assert Interrupted()._render_traceback_() == [line]


def test_a_bell_that_is_rung_late_or_too_often_is_harmless() -> None:
    bell = Bell()
    for _ in range(100_000):
        bell.ring()
    bell.sleep(60)  # returns at once
    bell.close()
    bell.ring()


@posix
@pytest.mark.usefixtures("alarm")
def test_held_signals_come_when_the_step_is_over_and_the_handlers_are_back_afterwards() -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)
    steps: list[str] = []
    with pytest.raises(Late), HeldSignals() as signals:
        signal.raise_signal(signal.SIGALRM)
        steps.append("the step was finished")
        with signals.let():
            steps.append("never")
    assert steps == ["the step was finished"]
    with pytest.raises(Late), HeldSignals():
        signal.raise_signal(signal.SIGALRM)
        steps.append("this one too")
    assert steps == ["the step was finished", "this one too"]
    assert (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)) == before


@posix
@pytest.mark.usefixtures("alarm")
def test_a_handler_that_is_set_meanwhile_stays() -> None:
    with HeldSignals():
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN


@pytest.mark.parametrize("allowed", [True, False])
def test_stdin_is_allowed_when_the_front_end_says_so(allowed: bool) -> None:
    assert stdin_allowed(SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=allowed))) is allowed


def test_outside_of_a_kernel_stdin_is_allowed_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(closed=False, isatty=lambda: True))
    assert stdin_allowed(None) is True
    monkeypatch.setattr(sys, "stdin", None)
    assert stdin_allowed(None) is False


def test_importing_the_wait_imports_no_kernel() -> None:
    code = "import sys, smolcell.notebook.wait; print([m for m in ('zmq', 'ipykernel', 'IPython') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
