"""Runs an agent's task: waiting for it, iterating over it, awaiting it, or in the background.

All ways drive the same coroutine on the driver's thread. An exception raised in the calling thread meanwhile stops the run.
"""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from smolcell.approval.contract import Contract
from smolcell.approval.gates import create_gate, no_approver
from smolcell.errors import AgentError, SetupError
from smolcell.events import Delta, Event, Proposed
from smolcell.machine.environment import startup_value
from smolcell.machine.waiter import QueueWaiter, run_posted
from smolcell.protocols import Answer, FrontEnd, Gate, View, Waiter, current_front_end
from smolcell.worker.guard.tables import RESERVED_NAMES

# --- The driver's thread: one event loop per process, on a daemon thread that is started on first use.
#
# Agents are coroutines, so a notebook cell, a script and an async program run the same code; the calling thread waits in a
# ``Waiter``. A forked child starts its own loop: a loop does not survive a fork.


log = logging.getLogger("smolcell")
T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """Return the process's driver loop. Starts it if needed."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(_loop,), name="smolcell-driver", daemon=True).start()
        return _loop


def on_driver() -> bool:
    """Return whether this is the driver's thread. Waiting for the driver here would never end."""
    try:
        return asyncio.get_running_loop() is _loop
    except RuntimeError:
        return False


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop until the process ends. ``SystemExit`` in a task ends that task only, not the loop."""
    while not loop.is_closed():
        try:
            loop.run_forever()
        except BaseException:
            log.exception("a task tried to end the driver's loop")


class Job(Generic[T]):
    """A coroutine on the driver loop, for use by other threads.

    ``done`` holds its result. ``cancel`` cancels the *task*, so that the coroutine can record its end and still return;
    cancelling a plain ``run_coroutine_threadsafe`` future would drop it instead.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.done: Future[T] = Future()
        self.done.set_running_or_notify_cancel()  # from now on only the coroutine can end the future
        self._started = False
        self.over = False  # no lock: an interrupt could leave it locked for ever
        self._loop = loop()
        self._task: asyncio.Task[None] | None = None
        self._loop.call_soon_threadsafe(self._start, work)

    def cancel(self) -> None:
        """Ask the coroutine to stop. Thread-safe and idempotent."""
        self._loop.call_soon_threadsafe(self._cancel)

    async def stop(self, patience: float) -> None:
        """Cancel the coroutine if it still runs, and give it ``patience`` seconds to record its end."""
        if not self.done.done():
            self.cancel()
            await asyncio.wait([asyncio.wrap_future(self.done)], timeout=patience)

    def _start(self, work: Coroutine[Any, Any, T]) -> None:
        self._task = self._loop.create_task(self._run(work))

    def _cancel(self) -> None:
        if not self._started:  # cancelled now, it would never start, and ``done`` never be set
            self._loop.call_soon(self._cancel)
        elif self._task is not None and not self._task.done():
            self._task.cancel()

    async def _run(self, work: Coroutine[Any, Any, T]) -> None:
        self._started = True
        try:
            result = await work
        except BaseException as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)
        finally:
            self.over = True


class CurrentRun:
    """The run that an agent works on, and how it is stopped. An agent works on one at a time.

    Attributes:
        job: the active run, or the newest; None if there was none.
        run_id: its id.
        contract: its contract.
    """

    def __init__(self) -> None:
        self.job: Job[Any] | None = None
        self.run_id = ""
        self.contract: Contract | None = None
        self._work: asyncio.Task[Any] | None = None  # of a manager's run
        self._stop = object()  # replaced by each interrupt()
        self._lock = threading.Lock()
        self._working = asyncio.Lock()  # as a managed agent it does one run at a time

    @property
    def is_running(self) -> bool:
        """Whether the agent works on a task of its own."""
        return self.job is not None and not self.job.done.done()

    def check_idle(self, then: str = "") -> None:
        """Raise ``AgentError`` if a run is active. ``then``: what the caller wants to do."""
        if self.is_running or self._working.locked():
            advice = f", then {then}" if then else ""
            raise AgentError(f"this agent is working on a task: wait for it, or stop it with interrupt(){advice}")

    def begin(self, prepare: Callable[[], Coroutine[Any, Any, T]]) -> Job[T]:
        """Begin the run that ``prepare`` returns. It is stopped at once if it was interrupted meanwhile."""
        stop = self._stop
        with self._lock:
            self.check_idle()
            job = self.job = Job(prepare())
            if self._stop is not stop:
                job.cancel()
            return job

    async def work(self, name: str, prepare: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do the run of a manager that ``prepare`` returns."""
        if self.is_running:
            raise AgentError(f"{name!r} is working on its own task: wait for it, or stop it with interrupt()")
        async with self._working:
            run = prepare()
            self._work = asyncio.current_task()
            try:
                return await run
            finally:
                self._work = None

    def interrupt(self) -> None:
        """Stop the active run, also while it is being prepared. Thread-safe; does nothing if no run is active.

        If the run belongs to a manager's run, that ends, too, as after a stop on its card.
        """
        self._stop = object()  # first: a run that is still being prepared checks it afterwards
        if self.job is not None:
            self.job.cancel()
        if (work := self._work) is not None:
            work.get_loop().call_soon_threadsafe(work.cancel)


def _forget() -> None:
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


# --- Between the driver's thread and its callers: events for iterators, posted calls for async callers.


class Inbox:
    """Events on their way from the driver's thread to an iterator. ``next`` returns a future of the next event, None at the end."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Event | Delta | None] = SimpleQueue()
        self._waiting: Future[Event | Delta | None] | None = None
        self._lock = threading.Lock()

    def put(self, item: Event | Delta | None) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
            if waiting is None or not waiting.set_running_or_notify_cancel():
                waiting = None  # no one waits
                self._items.put(item)
        if waiting is not None:
            waiting.set_result(item)

    def end(self) -> None:
        self.put(None)

    def next(self) -> Future[Event | Delta | None]:
        future: Future[Event | Delta | None] = Future()
        with self._lock:
            if self._items.empty():
                self._waiting = future
                return future
        future.set_result(self._items.get())
        return future


class LoopWaiter:
    """The waiter of async callers: posted calls run on their loop; no thread is blocked."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def post(self, call: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(run_posted, call)

    def wait(self, done: Future[Any]) -> Any:
        raise AgentError("an async run is awaited, not waited for")


class SilentView:
    """A view that shows nothing and has no person to ask, for agents with a custom gate."""

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        comment = "This agent has no view to ask a person through: pass view=, or leave gate= out"
        return Answer.to(proposal, "nobody", comment=comment)


def drain(waiter: Waiter, done: Future[Any], patience: float) -> None:
    """Give an interrupted run ``patience`` seconds to end, while the page is still served. A second interrupt returns at once."""
    late: Future[None] = Future()

    def watch() -> None:
        wait_for([done], patience)
        late.set_result(None)

    threading.Thread(target=watch, daemon=True).start()
    waiter.wait(late)


def wait_for_run(waiter: Waiter, job: Job[Any], done: Future[Any]) -> Any:
    """Wait in the calling thread. An exception raised there stops the run, which then still records and shows its end."""
    try:
        return waiter.wait(done)
    except BaseException:
        if not job.over:
            job.cancel()
            drain(waiter, job.done, END_WAIT_SECONDS)
        raise


def close(part: Any) -> None:
    """Close a part, if it is not None. A failure is logged, so that the next parts are closed, too."""
    try:
        if part is not None:
            part.close()
    except Exception:
        log.warning("closing %r failed", part, exc_info=True)


def check_task(task: str, budget: int) -> None:
    """Raise ``SetupError`` if a task is empty, or longer than ``budget``: the characters that a conversation holds."""
    if not isinstance(task, str):
        raise SetupError(f'a task is a text in plain words, not {type(task).__name__}: agent.run("Add one and one.")')
    if not task.strip():
        raise SetupError("the task is empty: say in plain words what you want done")
    if len(task) > budget:
        raise SetupError(
            f"the task has {len(task):,} characters, and a conversation holds {budget:,}: "
            "put long text into a variable and pass it with additional_args= (-i NAME in a cell)"
        )


def whole_number(name: str, value: Any) -> int:
    """Return a number of steps. Raises ``SetupError`` if it is below 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SetupError(f"{name} must be a whole number of at least 1, not {value!r}: for example {name}=10")
    return value


def check_variables(names: Iterable[str]) -> None:
    """Raise ``SetupError`` for a variable with the name of something that the sandbox itself provides."""
    for name in names:
        if name in RESERVED_NAMES:
            raise SetupError(f"{name!r} is a name of the sandbox itself: pass the value by another name")


def data_url(image: Any) -> str:
    """Return an image as a data URL. Takes a data URL, or an object with a PIL-like ``save``; else raises ``SetupError``."""
    if isinstance(image, str):
        return image
    if hasattr(image, "save"):
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    raise SetupError(f"an image is a data URL or has a PIL-like save(), not {type(image).__name__}")


# --- The front end that shows, decides and waits during an agent's next run.


NO_APPROVER = no_approver(
    "standard input is no terminal", "Run the program at a terminal, give the agent a gate=…", "SMOLCELL_APPROVE=auto"
)


class FrontEndResolver:
    """Chooses the front end: the agent's own gate and view, else the registered front end, else the terminal.

    Args:
        gate: the agent's own, or None.
        view: the agent's own, or None.
        verbose: show the run on the terminal even if the agent has its own gate.
        quiet: show only questions on the terminal.
    """

    def __init__(self, gate: Gate | None, view: View | None, *, verbose: bool, quiet: bool = False) -> None:
        self._gate, self._view, self._verbose, self._quiet = gate, view, verbose, quiet
        self.mode = ""  # the approval mode, if the agent was made with one
        self._front_ends: dict[
            tuple[str, int], tuple[View, Gate]
        ] = {}  # kept: a gate remembers the session's approvals

    def resolve(self, waiter: Waiter | None = None, mode: str = "") -> FrontEnd:
        """Return the front end of a run that begins now.

        Raises:
            SetupError: the approval mode that is set does not exist.
            AgentError: called on the driver's own thread, which would wait for itself.
        """
        registered, mode = current_front_end(), mode or self.mode
        if waiter is None:
            if on_driver():
                raise AgentError("an async tool would wait for its own thread here: await agent.arun(...) instead")
            waiter = registered.waiter if registered else QueueWaiter()
        view = self._view or (registered.view if registered else self._terminal(waiter, mode))
        if self._gate is not None:
            return FrontEnd(view=view, gate=self._gate, waiter=waiter)
        if not mode and registered is not None and self._view is None and registered.mode is None:
            return FrontEnd(view=view, gate=registered.gate, waiter=waiter, approve=registered.approve)
        if not mode:
            mode = registered.mode() if registered and registered.mode else (startup_value("SMOLCELL_APPROVE") or "ask")
        return FrontEnd(view=view, gate=self._by_mode(mode, view), waiter=waiter, approve=mode)

    def _by_mode(self, mode: str, view: View) -> Gate:
        key = (mode, id(view))
        if key not in self._front_ends:
            self._front_ends = {
                known: front_end for known, front_end in self._front_ends.items() if front_end[0] is view
            }
            self._front_ends[key] = (view, create_gate(mode, view))
        return self._front_ends[key][1]

    def _terminal(self, waiter: Waiter, mode: str) -> View:
        asked = (mode or startup_value("SMOLCELL_APPROVE")) != "auto"
        if (self._gate is not None and not self._verbose) or (self._quiet and not asked):
            return SilentView()
        from smolcell.views.terminal import TerminalView

        return TerminalView(waiter, nobody=NO_APPROVER)


END_WAIT_SECONDS = 3.0  # seconds that an interrupted run gets to record its end
