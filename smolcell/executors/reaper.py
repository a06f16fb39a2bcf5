"""Nothing outlives the kernel: a reaper process for every kind of death, and atexit for the ordinary one.

* One reaper a process, started with the first sandbox; only this process holds the writing end of its pipe.
* A process forked from this one neither closes this one's sandboxes nor uses its reaper.
* At exit, sandboxes are closed newest first, within two seconds; what fails is logged and the rest goes on.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import smolcell.worker
from smolcell.worker.system import processes

log = logging.getLogger("smolcell")
AT_EXIT = 2.0  # seconds for all closings together


class Closable(Protocol):
    """Objects that are closed at exit."""

    def close(self) -> None:
        """End it; idempotent."""
        ...


class Reaper:
    """This process's connection to its reaper."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._entries: dict[str, dict[str, Any]] = {}

    def register(self, pid: int, token: str, folder: str, groups: Sequence[str] = ()) -> None:
        """From now on this process tree and folder end with the kernel.

        Args:
            pid: head of the tree, a session of its own; 0 before it is known (the token finds it).
            token: value of SMOLCELL_TOKEN in the tree's environment.
            folder: removed with it; "" for none.
            groups: control groups of nothing but this tree; emptied and removed with it.
        """
        found = processes.stat(pid) if pid else None
        start = found.start if found else 0
        self._register({"pid": pid, "start": start, "token": token, "folder": folder, "groups": list(groups)})

    def register_command(self, token: str, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """From now on this program is run when the kernel is gone: for what is no process of this machine.

        Args:
            token: names the registration.
            command: the program and its words; it runs in "/", for twenty seconds at the most.
            environ: its whole environment.
        """
        self._register({"token": token, "command": list(command), "environ": dict(environ)})

    def _register(self, entry: dict[str, Any]) -> None:
        with self._lock:
            if self._owner != os.getpid():
                self._entries, self._process, self._owner = {}, None, os.getpid()
            self._entries[entry["token"]] = entry
            if self._process is None or self._process.poll() is not None:
                self._start()
            else:
                self._tell(entry)

    def forget(self, token: str) -> None:
        """Unregister a tree that has ended, with its folder, or a program that is no longer needed."""
        with self._lock:
            if self._owner == os.getpid() and self._entries.pop(token, None) is not None:
                self._tell({"token": token, "gone": True})

    @property
    def pid(self) -> int:
        """Process id of the reaper; 0 if none runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else 0

    def _start(self) -> None:
        package = str(Path(smolcell.worker.__file__).parents[1])
        code = "import sys; sys.path.insert(0, sys.argv.pop()); from worker.system.reaper import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", code, str(os.getpid()), package],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/" if os.name == "posix" else None,
            env={"PATH": os.defpath},
            start_new_session=True,
        )
        for entry in self._entries.values():
            self._tell(entry)

    def _tell(self, entry: dict[str, Any]) -> None:
        pipe = self._process.stdin if self._process is not None else None
        if pipe is None:
            return
        try:
            pipe.write(json.dumps(entry).encode() + b"\n")
            pipe.flush()
        except OSError:
            log.warning("the reaper is gone; the next sandbox starts another")

    def end(self) -> None:
        """Let the reaper end (it cleans up what is still registered) and wait for it."""
        with self._lock:
            ended, self._process = self._process, None
            if ended is None or self._owner != os.getpid():
                return
            try:
                if ended.stdin is not None:
                    ended.stdin.close()
                ended.wait(2.0)
            except (OSError, subprocess.TimeoutExpired):
                ended.returncode = 0  # it goes on without us; no warning about it


reaper = Reaper()
_open: WeakKeyDictionary[Any, int] = WeakKeyDictionary()  # to the time each was named
_owner = os.getpid()


def close_at_exit(closable: Closable) -> None:
    """Close this at exit, before what was named earlier."""
    global _owner
    if _owner != os.getpid():  # a forked process starts with nothing of its parent's
        _open.clear()
        _owner = os.getpid()
    _open[closable] = time.monotonic_ns()


def _close_all() -> None:
    if _owner != os.getpid():
        return
    end = time.monotonic() + AT_EXIT
    for closable, _ in sorted(_open.items(), key=lambda item: -item[1]):
        if time.monotonic() > end:
            break  # the reaper sees to the rest
        try:
            closable.close()
        except Exception:
            log.warning("closing %r at exit", closable, exc_info=True)
    reaper.end()


atexit.register(_close_all)
