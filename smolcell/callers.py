"""Between the driver's thread and its callers: what they hand in, events for those who iterate, posted calls for those who await."""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from queue import SimpleQueue
from typing import Any

from smolcell.errors import AgentError, CapabilityError, SetupError
from smolcell.events import Delta, Event, File, History
from smolcell.protocols import Answer
from smolcell.redact import redact
from smolcell.steps import Step
from smolcell.views.terminal_lines import Line
from smolcell.waiter import QueueWaiter, Waiter, run_posted
from smolcell.worker.tables import RESERVED_NAMES

log = logging.getLogger("smolcell")


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
    from smolcell.views.terminal_drawing import Drawing
    from smolcell.views.terminal_lines import block

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
    from smolcell.views.terminal_drawing import Drawing

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


def data_url(image: Any) -> str:
    """An image as a data URL: one already, or anything with a PIL-like ``save``; anything else is a ``SetupError``."""
    if isinstance(image, str):
        return image
    if hasattr(image, "save"):
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    raise SetupError(f"an image is a data URL or has a PIL-like save(), not {type(image).__name__}")
