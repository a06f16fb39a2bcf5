"""Tells pages and other processes which runs are under way in this kernel; hears from pages that one is to be stopped.

The rules this file exists to keep:

* Pages are told by a comm that is opened with the first run, on the calling thread, like all that is sent to the page. A front end
  that knows no such comm closes it, and is not bothered before the next run. Another page may know it, and says so: it is told, and
  heard, as before.
* A page's message is hostile until read; it can ask for the list and stop a run, and nothing else.
* Whoever is no page of this kernel reads it from the roster, also while the kernel is busy with something else.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from smolcell.executors.uses import Use, uses
from smolcell.notebook import comms
from smolcell.roster import Roster, Underway
from smolcell.waiter import Waiter

log = logging.getLogger("smolcell")

TARGET = "smolcell"
MAX_NAME = 100  # characters of a run's id


class Announcer:
    """What ``changed`` is told, told on.

    Args:
        waiter: takes calls to the calling thread.
        roster: this kernel's file.
        stop: told the id of a run that a page stops, on the thread where the message arrives.
        open_comm: makes a comm of this target and opens it.
        sandboxes: what this process does with its sandboxes now.
    """

    def __init__(
        self,
        waiter: Waiter,
        roster: Roster,
        stop: Callable[[str], object],
        open_comm: Callable[[str], Any] | None = None,
        sandboxes: Callable[[], Sequence[Use]] = uses,
    ) -> None:
        self._waiter, self._roster, self._stop, self._sandboxes = waiter, roster, stop, sandboxes
        self._open_comm = open_comm or _open_comm
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._runs: tuple[Underway, ...] = ()
        self._queued = False
        self._comm: Any = None
        self._left = self._known = False  # whether a page has closed it, and whether one has asked for the list
        self._opened: frozenset[str] = frozenset()  # the runs that were under way when a comm was opened last

    def changed(self, runs: tuple[Underway, ...]) -> None:
        """These are under way now. From any thread; one call at a time."""
        with self._writing:
            self._runs = runs
            self._roster.write(runs, self._sandboxes())
        self._send_soon()

    def used(self) -> None:
        """Something changed in what the sandboxes do. From any thread; pages are not told: they ask the server."""
        with self._writing:
            self._roster.write(self._runs, self._sandboxes())

    def close(self) -> None:
        """Nothing is announced any more. Twice is harmless."""
        self._roster.close()
        comm, self._comm = self._comm, None
        _end(comm, self._left)

    def _send_soon(self) -> None:
        with self._lock:
            if self._queued:
                return
            self._queued = True
        self._waiter.post(self._send)

    def _send(self) -> None:
        with self._lock:
            self._queued = False
            runs = self._runs
        names = frozenset(run.run for run in runs)
        if (self._comm is None or self._is_alone()) and names - self._opened:
            self._open(names)
        if self._comm is not None and not self._is_alone():
            self._comm.send({"type": "runs", "runs": [asdict(run) for run in runs]})

    def _open(self, names: frozenset[str]) -> None:
        """Open a comm, and end the one of before, if there is one that all have left."""
        before, left = self._comm, self._left
        self._opened, self._left, self._known = names, False, False
        self._comm = self._open_comm(TARGET)
        self._comm.on_msg(self._hear)
        self._comm.on_close(self._closed)
        _end(before, left)

    def _is_alone(self) -> bool:
        return self._left and not self._known

    def _closed(self, _: Any) -> None:
        """A page has closed the comm; those that know it go on with it."""
        if self._comm is not None:
            self._left = True
            comms.keep(self._comm)

    def _hear(self, message: Any) -> None:
        """A message of the page, on the thread where it arrived. Never raises: it would end up in no one's output."""
        try:
            said = message["content"]["data"]
            if isinstance(said, Mapping):
                self._read(said.get("type"), said.get("run"))
        except Exception:
            log.exception("A message of the page could not be read")

    def _read(self, kind: Any, run: Any) -> None:
        if kind == "sync":
            self._known = True
            self._send_soon()
        elif kind == "stop" and type(run) is str and len(run) <= MAX_NAME:
            self._stop(run)


def _end(comm: Any, left: bool) -> None:
    """Close a comm, which a page may have left before."""
    if comm is not None and left:
        comms.close_kept(comm)
    elif comm is not None:
        comm.close()


def _open_comm(target: str) -> Any:
    from comm import create_comm

    return create_comm(target_name=target)


def kernel_id() -> str:
    """The kernel's id as its Jupyter server knows it: it is in the name of the connection file. "" where there is none."""
    from pathlib import Path

    from ipykernel.connect import get_connection_file

    try:
        return Path(get_connection_file()).stem.removeprefix("kernel-")
    except RuntimeError:  # embedded, or not started by a connection file
        return ""
