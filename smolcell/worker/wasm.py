"""The runner in WebAssembly, where Python has neither threads nor signals of a system: one thread that waits for its link.

The rules this file exists to keep:

* An interrupt never falls into the middle of a message: it waits until the message is whole.
* An event loop here waits for nothing but time: connections there are none.
* This thread never goes back to JavaScript's event loop: what code leaves there never runs.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import threading
import time
from typing import Any, Callable

from . import (
    boot,
    tabular,  # noqa: F401 - imported late by others, when this program's own files are out of sight
    untabular,  # noqa: F401
    wire,
    workfolder,
)
from .kept import Kept
from .link import LAST, NONCE
from .runner import Runner
from .streams import MARK, RECORD, StreamFar
from .wire import Frame

SLICE = 0.1  # seconds between two looks at whether there is an interrupt
WORK = "/home/agent"
WHEELS = ". In WebAssembly there is the standard library, and what a folder of wheels brings: wheels=FOLDER"
_events: Any = asyncio.events
_Policy: Any = getattr(_events, "_AbstractEventLoopPolicy", None) or asyncio.AbstractEventLoopPolicy


class MemoryFar(StreamFar):
    """The runner's end of a link over memory that it shares with the thread that serves it.

    Args:
        write: takes a record, with its length before it; blocks until there is room.
        say: takes printed bytes.
        read: waits some milliseconds for a record, and gives its bytes without the length, or None.
    """

    patience = None

    def __init__(self, write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
        super().__init__(-1, -1, wire.TO_WORKER, wire.FROM_WORKER)
        self._write, self._say, self._read = write, say, read
        self.held = False  # a message is under way: no interrupt now
        self.interrupted = False  # there was one meanwhile
        self._begun = False  # more of a message is to come

    def send(self, frame: Frame) -> None:
        """See ``StreamFar.send``."""
        self.held = True
        try:
            if frame.type == "done":
                self._say(MARK + self._nonce)
            super(StreamFar, self).send(frame)
        finally:
            self.held = False

    def receive(self) -> Frame:
        """See ``Far.receive``; raises KeyboardInterrupt where the code is interrupted while it waits."""
        self.held = True
        try:
            return super().receive()
        finally:
            self.held = False

    def started(self) -> None:
        """See ``StreamFar.started``; tells which Python this is."""
        version = "{}.{}.{}".format(*sys.version_info[:3])
        self.send(Frame("answer", {"id": 0, "error": ""}, (version.encode(),)))

    def _send(self, datagram: list[Any]) -> None:
        whole = b"".join(datagram)
        self._write(RECORD.pack(len(whole)) + whole)

    def _receive(self) -> bytes:
        while True:
            record = self._read(SLICE * 1000)
            if record is not None:
                data: bytes = record.to_bytes()
                self._begun = data[NONCE : NONCE + 1] != LAST
                return data
            if self.interrupted and not self._begun:
                self.interrupted = False
                raise KeyboardInterrupt


class CapabilityError(RuntimeError):
    """This sandbox cannot do that at all."""


def _refuse_thread(*_: Any, **__: Any) -> None:
    raise CapabilityError("there are no threads in WebAssembly; do one thing after the other, or use another sandbox")


class TimeLoop(asyncio.BaseEventLoop):
    """An event loop for which nothing ever comes from outside: it runs what is ready, and sleeps until something is."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    @staticmethod
    def select(timeout: float | None) -> list[Any]:
        """Sleep; for ever where nothing is due, until an interrupt."""
        time.sleep(SLICE if timeout is None else max(0.0, min(timeout, SLICE)))
        return []

    def _process_events(self, events: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody else could wake it, and it looks up by itself."""


class TimeLoops(_Policy):  # type: ignore[misc]
    """Whoever wants an event loop is given one of these."""

    def __init__(self) -> None:
        self._loop: Any = None

    def get_event_loop(self) -> Any:
        """The loop that was set."""
        if self._loop is None:
            raise RuntimeError("there is no current event loop")
        return self._loop

    def set_event_loop(self, loop: Any) -> None:
        """From now on this is the one."""
        self._loop = loop

    def new_event_loop(self) -> TimeLoop:
        """A new one."""
        return TimeLoop()


class MemoryRunner(Runner):
    """A runner that waits for its link by itself."""

    _link: MemoryFar

    def serve(self) -> None:
        """Serve until the thread is ended."""
        self._kept = Kept()
        while True:
            frame = self._link.receive()
            self._link.interrupted = False
            if frame.type in workfolder.FRAMES:
                self._link.send(workfolder.answer(frame, WORK))
            elif frame.type in ("run", "vars", "tools", "pull"):
                self._serve(frame)  # else: an answer to a call that was given up

    def _wait(self, mailbox: Any) -> Frame:
        while True:
            answer = self._link.receive()
            if self._link.interrupted:
                self._link.interrupted = False
                raise KeyboardInterrupt
            if answer.type in ("return", "raise") and answer.fields["call"] == self._calls:
                return answer

    def _fault(self, error: BaseException) -> dict[str, Any]:
        told = super()._fault(error)
        if told["type"] == "ModuleNotFoundError":
            told["message"] += WHEELS
            told["traceback"] += WHEELS
        return told

    def _vars(self, frame: Frame) -> Frame:
        answer = super()._vars(frame)
        if "(ModuleNotFoundError: " in answer.fields["error"]:
            answer.fields["error"] += WHEELS
        return answer

    def on_interrupt(self, *_: Any) -> None:
        """See ``Runner.on_interrupt``; while a message is under way it waits."""
        if self._running and self._link.held:
            self._link.interrupted = True
        else:
            super().on_interrupt()


def main(write: Callable[[Any], Any], say: Callable[[Any], Any], read: Callable[[float], Any]) -> None:
    """Serve the supervisor at the other end of shared memory; see ``MemoryFar``. Called by JavaScript; never returns."""
    link = MemoryFar(write, say, read)
    options = link.receive().fields["options"]
    tools = link.receive().fields["tools"]
    random.seed()  # as everything in a snapshot, its state is the same each time
    _leave_javascript()
    for module in (threading, sys.modules["_thread"]):
        for name in ("_start_joinable_thread", "_start_new_thread", "start_joinable_thread", "start_new_thread"):
            if hasattr(module, name):
                setattr(module, name, _refuse_thread)
    os.makedirs(WORK, exist_ok=True)
    boot.serve(link, {**options, "work": WORK}, tools, MemoryRunner)


def _leave_javascript() -> None:
    """Take out what hands the turn to JavaScript's event loop, which never gets it."""
    sys.set_asyncgen_hooks(None, None)
    _events._set_running_loop(None)
    _events._set_event_loop_policy(TimeLoops())
    asyncio.run = getattr(asyncio.run, "__wrapped__", asyncio.run)
    time.sleep = _by_slices(getattr(time.sleep, "__wrapped__", time.sleep))


def _by_slices(sleep: Callable[[float], None]) -> Any:
    """A sleep that looks up now and then, to be interrupted: nothing else wakes this thread."""
    clock = time.monotonic

    def sliced(seconds: float, /) -> None:
        """Wait for so many seconds."""
        end = clock() + seconds
        sleep(min(seconds, SLICE))
        while (left := end - clock()) > 0:
            sleep(min(left, SLICE))

    sliced.__name__ = sliced.__qualname__ = "sleep"
    sliced.__module__ = "time"
    return sliced
