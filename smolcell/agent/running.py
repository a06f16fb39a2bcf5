"""The ways to have an agent work on a task: and wait for it, iterate over it, await it, or leave it in the background.

All of them drive the same coroutine on the driver's thread. What is raised in the calling thread meanwhile stops the run.
"""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from smolcell.agent.result import RunResult
from smolcell.core.history import Step
from smolcell.environment import deciding
from smolcell.errors import AgentError, CapabilityError, SetupError
from smolcell.events import Delta, Event, File, History
from smolcell.gates import create_gate
from smolcell.protocols import Answer, FrontEnd, Gate, View, current_front_end
from smolcell.redaction import redact
from smolcell.views.terminal_render import Line
from smolcell.waiter import QueueWaiter, Waiter, run_posted
from smolcell.worker.guard.tables import RESERVED_NAMES

# --- The driver's thread: one event loop per process, started on first use, on a daemon thread of its own.
#
# Agents are coroutines here, so a notebook cell, a script and an async program all drive the same code; the calling thread stays
# in a ``Waiter``. A forked child starts its own: a loop does not survive a fork.


log = logging.getLogger("smolcell")
T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """The process's driver loop, running."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(_loop,), name="smolcell-driver", daemon=True).start()
        return _loop


def on_driver() -> bool:
    """Whether this is the driver's thread: whoever waits here for the driver waits for ever."""
    try:
        return asyncio.get_running_loop() is _loop
    except RuntimeError:
        return False


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for good: what a task raises that would end it (``SystemExit``) is that task's, not everyone's."""
    while not loop.is_closed():
        try:
            loop.run_forever()
        except BaseException:
            log.exception("a task tried to end the driver's loop")


class Job(Generic[T]):
    """A coroutine on the driver loop, seen from other threads.

    ``done`` holds its result. ``cancel`` cancels the *task*, so that the coroutine can record its end and still return:
    cancelling a plain ``run_coroutine_threadsafe`` future would forget it instead.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.done: Future[T] = Future()
        self.done.set_running_or_notify_cancel()  # from now on only the coroutine itself can end it
        self._begun = False
        self.over = False  # read without a lock, which an interrupt could leave held for ever
        self._loop = loop()
        self._task: asyncio.Task[None] | None = None
        self._loop.call_soon_threadsafe(self._start, work)

    def cancel(self) -> None:
        """Ask the coroutine to stop; from any thread; harmless when it is over."""
        self._loop.call_soon_threadsafe(self._cancel)

    async def stop(self, patience: float) -> None:
        """Cancel it, unless it is over, and give it ``patience`` seconds to record its end."""
        if not self.done.done():
            self.cancel()
            await asyncio.wait([asyncio.wrap_future(self.done)], timeout=patience)

    def _start(self, work: Coroutine[Any, Any, T]) -> None:
        self._task = self._loop.create_task(self._run(work))

    def _cancel(self) -> None:
        if not self._begun:  # cancelled now, it would never begin, and ``done`` never be done
            self._loop.call_soon(self._cancel)
        elif self._task is not None and not self._task.done():
            self._task.cancel()

    async def _run(self, work: Coroutine[Any, Any, T]) -> None:
        self._begun = True
        try:
            result = await work
        except BaseException as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)
        finally:
            self.over = True


def _forget() -> None:
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


# --- Between the driver's thread and its callers: what they hand in, events for those who iterate, posted calls for those who await.


class Inbox:
    """Events on their way from the driver's thread to whoever iterates; ``next`` is a future of the next one, None at the end."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Event | Delta | None] = SimpleQueue()
        self._waiting: Future[Event | Delta | None] | None = None
        self._lock = threading.Lock()

    def put(self, item: Event | Delta | None) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
            if waiting is None or not waiting.set_running_or_notify_cancel():
                waiting = None  # nobody waits, or no longer
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
    """The waiter of async callers: posted calls run on their loop; nobody blocks."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def post(self, call: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(run_posted, call)

    def wait(self, done: Future[Any]) -> Any:
        raise AgentError("an async run is awaited, not waited for")


class SilentView:
    """A view for agents with a gate of their own: shows nothing, and has nobody to ask."""

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Any) -> Answer:
        raise AgentError("this agent has no view to ask a person through: pass view=, or leave gate= out")


def drain(waiter: Waiter, done: Future[Any], patience: float) -> None:
    """Give an interrupted run ``patience`` seconds to end, with the page still served; a second interrupt leaves at once."""
    late: Future[None] = Future()

    def watch() -> None:
        wait_for([done], patience)
        late.set_result(None)

    threading.Thread(target=watch, daemon=True).start()
    waiter.wait(late)


def close(part: Any) -> None:
    """Close a part, if there is one; a failure is logged, so that what comes after is closed too."""
    try:
        if part is not None:
            part.close()
    except Exception:
        log.warning("closing %r failed", part, exc_info=True)


def show_again(events: History, detailed: Sequence[Step] = ()) -> None:
    """Show what happened once more, on the terminal; with ``detailed``, before each of these steps what the model was shown for it."""
    from smolcell.views.terminal import TerminalView
    from smolcell.views.terminal_render import Drawing, block

    view, drawing = TerminalView(QueueWaiter()), Drawing()
    steps = {(step.run, step.number): step for step in detailed}
    for event in events:
        step = steps.pop((event.run, getattr(event, "step", 0)), None)
        for message in (step.model_input_messages or ()) if step is not None else ():
            drawing.line(Line(f"{message.role}:", "dim"))
            for line in block(redact(message.text), "dim"):
                drawing.line(line)
        view.show(event)


def show_lines(lines: Iterable[Line]) -> None:
    """Show lines on the terminal."""
    from smolcell.views.terminal_render import Drawing

    drawing = Drawing()
    for line in lines:
        drawing.line(line)


def check_task(task: str, budget: int) -> None:
    """Raise ``SetupError`` for a task that says nothing, or more than a conversation holds (``budget``, in characters)."""
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
    """A number of steps; a ``SetupError`` where it is none from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SetupError(f"{name} must be a whole number of at least 1, not {value!r}: for example {name}=10")
    return value


def check_variables(names: Iterable[str]) -> None:
    """Raise ``SetupError`` for a variable that would take the place of what the sandbox itself provides."""
    for name in names:
        if name in RESERVED_NAMES:
            raise SetupError(f"{name!r} is a name of the sandbox's own: hand the value over by another name")


def send_files(executor: Any, paths: Sequence[str | os.PathLike[str]]) -> tuple[File, ...]:
    """Copy files and folders into a sandbox; a sandbox that takes none is a ``CapabilityError``."""
    if not paths:
        return ()
    send = getattr(executor, "send_files", None)
    if send is None:
        raise CapabilityError(f"the sandbox {getattr(executor, 'name', '')!r} takes no files; leave them out")
    sent: tuple[File, ...] = send(paths)
    return sent


def mount(executor: Any, paths: Sequence[str | os.PathLike[str]]) -> tuple[File, ...]:
    """Mount files and folders in a sandbox, to be read only; one that mounts none is a ``CapabilityError``."""
    if not paths:
        raise SetupError("read_only is about files: name the folder, for example files=['data'], read_only=True")
    found = getattr(executor, "mount", None)
    if found is None:
        raise CapabilityError(f"the sandbox {getattr(executor, 'name', '')!r} mounts no folders; leave out read_only")
    mounted: tuple[File, ...] = found(paths)
    return mounted


def data_url(image: Any) -> str:
    """An image as a data URL: one already, or anything with a PIL-like ``save``; anything else is a ``SetupError``."""
    if isinstance(image, str):
        return image
    if hasattr(image, "save"):
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    raise SetupError(f"an image is a data URL or has a PIL-like save(), not {type(image).__name__}")


# --- Who shows, decides and waits for an agent's next run.


NOBODY = (
    "nobody is there to approve: standard input is no terminal. Run the program at a terminal, give the agent a gate=…, "
    "or allow everything with SMOLCELL_APPROVE=auto"
)


class Fronts:
    """Chooses: what the agent was given, else the registered front end, else the terminal.

    Args:
        gate: the agent's own, or None.
        view: the agent's own, or None.
        verbose: show on the terminal what an agent with a gate of its own does.
        quiet: do not show on the terminal what nobody is asked about there.
    """

    def __init__(self, gate: Gate | None, view: View | None, *, verbose: bool, quiet: bool = False) -> None:
        self._gate, self._view, self._verbose, self._quiet = gate, view, verbose, quiet
        self._made: dict[tuple[str, int], tuple[View, Gate]] = {}  # a gate remembers what was allowed in the session

    def choose(self, waiter: Waiter | None = None) -> FrontEnd:
        """For a run that begins now; ``waiter`` is the async caller's.

        Raises:
            SetupError: the approval mode that is set is none.
            AgentError: called on the driver's own thread, which would wait for itself.
        """
        registered = current_front_end()
        if waiter is None:
            if on_driver():
                raise AgentError("an async tool would wait for its own thread here: await agent.arun(...) instead")
            waiter = registered.waiter if registered else QueueWaiter()
        view = self._view or (registered.view if registered else self._terminal(waiter))
        if self._gate is not None:
            return FrontEnd(view=view, gate=self._gate, waiter=waiter)
        if registered is not None and self._view is None and registered.mode is None:
            return FrontEnd(view=view, gate=registered.gate, waiter=waiter, approve=registered.approve)
        mode = registered.mode() if registered and registered.mode else (deciding("SMOLCELL_APPROVE") or "ask")
        return FrontEnd(view=view, gate=self._by_mode(mode, view), waiter=waiter, approve=mode)

    def _by_mode(self, mode: str, view: View) -> Gate:
        key = (mode, id(view))
        if key not in self._made:
            self._made = {known: made for known, made in self._made.items() if made[0] is view}
            self._made[key] = (view, create_gate(mode, view))
        return self._made[key][1]

    def _terminal(self, waiter: Waiter) -> View:
        asked = deciding("SMOLCELL_APPROVE") != "auto"
        if (self._gate is not None and not self._verbose) or (self._quiet and not asked):
            return SilentView()
        from smolcell.views.terminal import TerminalView

        return TerminalView(waiter, nobody=NOBODY)


_END_WAIT = 3.0  # seconds an interrupted run may take to record its end


class Running(ABC):
    """An agent, as far as running goes; one task at a time.

    Args:
        gate: decides about proposals, instead of the front end's.
        view: shows events, instead of the front end's.
        verbose: show on the terminal what an agent with a gate of its own does.
        quiet: do not show on the terminal what nobody is asked about there.

    Attributes:
        return_full_result: what ``run`` does where it is not told.
        run_id: of the newest run.
    """

    return_full_result = False

    def __init__(self, gate: Gate | None, view: View | None, *, verbose: bool, quiet: bool = False) -> None:
        self._fronts = Fronts(gate, view, verbose=verbose, quiet=quiet)
        self._afresh()

    def _afresh(self) -> None:
        """Nothing runs, and nothing has."""
        self._job: Job[RunResult] | None = None
        self._work: asyncio.Task[Any] | None = None  # of a manager's run
        self.run_id = ""
        self._stop = object()  # another one with each interrupt()
        self._lock = threading.Lock()

    @abstractmethod
    def _start(self, *front_and_task: Any, **options: Any) -> Job[RunResult]:
        """Begin a run; ``run`` says what the options are, ``tell`` is told every event and delta."""

    def run(
        self,
        task: str,
        stream: bool = False,
        reset: bool = True,
        images: Sequence[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        return_full_result: bool | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
        max_steps: int | None = None,
        read_only: bool = False,
    ) -> Any:
        """Work on a task and return the answer.

        Args:
            task: in plain words.
            stream: return ``stream(...)`` instead.
            reset: forget earlier runs first; with False the model sees them.
            images: for models that see: data URLs, or images with a PIL-like ``save``.
            additional_args: values copied into the sandbox under these names and described to the model.
            return_full_result: return a ``RunResult``, which does not raise, whatever the end; None: as the agent is set.
            files: files and folders copied into the sandbox's work folder, where the code reads them by the same names.
            max_steps: of this run, instead of the agent's.
            read_only: mount ``files`` where they are, of any size, to be read only, in place of copying them.

        Raises:
            ApprovalError: nobody allowed a step.
            AgentStopped: the run was stopped.
            AgentGenerationError: the model failed.
            SetupError: the task is empty.
        """
        options: dict[str, Any] = {"files": files, "max_steps": max_steps, "read_only": read_only}
        if stream:
            return self.stream(task, reset=reset, images=images, additional_args=additional_args, **options)
        front = self._fronts.choose()
        job = self._start(front, task, reset, images, additional_args, **options)
        result = self._stay(front.waiter, job, job.done)
        full = self.return_full_result if return_full_result is None else return_full_result
        return result if full else result.value()

    def __call__(self, task: str, **options: Any) -> Any:
        """``run``."""
        return self.run(task, **options)

    def resume(
        self,
        return_full_result: bool = False,
        additional_args: Mapping[str, Any] | None = None,
        files: Sequence[str | os.PathLike[str]] = (),
    ) -> Any:
        """Go on with the newest run, which ended without an answer: after a fault of the model, a stop, or the step limit.

        The model sees the same conversation, and may propose ``max_steps`` more steps; a call that failed is made again. After
        ``memory.load(…)`` it goes on with what was loaded.

        Args:
            return_full_result, additional_args, files: as for ``run``, where the sandbox is a new one.

        Raises:
            SetupError: there is no such run. Otherwise what ``run`` raises.
        """
        front = self._fronts.choose()
        job = self._start(front, resume=True, additional_args=additional_args, files=files)
        result = self._stay(front.waiter, job, job.done)
        return result if return_full_result else result.value()

    def stream(self, task: str, **options: Any) -> Iterator[Event | Delta]:
        """Work on a task and yield every event and delta as it happens. Takes ``run``'s options; raises what ``run`` raises.

        Leaving the iteration early stops the run.
        """
        front = self._fronts.choose()
        inbox = Inbox()
        job = self._start(front, task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := self._stay(front.waiter, job, inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            if not job.done.done():
                job.cancel()
                drain(front.waiter, job.done, _END_WAIT)

    async def arun(self, task: str, **options: Any) -> Any:
        """``run`` for async callers: their loop stays free; synchronous tools run on it, one at a time."""
        full = options.pop("return_full_result", self.return_full_result)
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, **options)
        try:
            result = await asyncio.shield(asyncio.wrap_future(job.done))
        finally:
            await job.stop(_END_WAIT)
        return result if full else result.value()

    async def astream(self, task: str, **options: Any) -> AsyncIterator[Event | Delta]:
        """``stream`` for async callers."""
        inbox = Inbox()
        job = self._start(self._fronts.choose(LoopWaiter(asyncio.get_running_loop())), task, tell=inbox.put, **options)
        job.done.add_done_callback(lambda _: inbox.end())
        try:
            while (item := await asyncio.wrap_future(inbox.next())) is not None:
                yield item
            job.done.result().value()
        finally:
            await job.stop(_END_WAIT)

    def start(self, task: str = "", *, front: FrontEnd | None = None, **options: Any) -> Job[RunResult]:
        """Begin a run and return at once; ``.done`` is a future of its ``RunResult``. ``stay`` waits for it.

        Args:
            task: in plain words.
            front: who shows, decides and waits, instead of the agent's own.
            options: as ``run`` takes them; ``run`` names the run; with ``resume`` the newest one is gone on with.
        """
        return self._start(front or self._fronts.choose(), task, **options)

    def stay(self, job: Job[RunResult], waiter: Waiter) -> RunResult:
        """Keep the calling thread in the waiter until the run's end. What is raised here meanwhile stops the run."""
        result: RunResult = self._stay(waiter, job, job.done)
        return result

    def interrupt(self) -> None:
        """Stop the run under way, wherever it is, also while it is being prepared; from any thread; harmless when there is none.

        One within a manager's run ends that, too, as a stop on its card does.
        """
        self._stop = object()  # first: a run that is not there yet looks here once it is
        if self._job is not None:
            self._job.cancel()
        if (work := self._work) is not None:
            work.get_loop().call_soon_threadsafe(work.cancel)

    @property
    def running(self) -> bool:
        return self._job is not None and not self._job.done.done()

    def _stay(self, waiter: Waiter, job: Job[RunResult], done: Future[Any]) -> Any:
        """Wait in the calling thread. What is raised there stops the run, which may still record and show its end."""
        try:
            return waiter.wait(done)
        except BaseException:
            if not job.over:
                job.cancel()
                drain(waiter, job.done, _END_WAIT)
            raise
