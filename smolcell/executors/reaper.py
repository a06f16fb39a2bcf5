"""Ends all sandboxes with the kernel: a reaper process after a kill, atexit after a normal end.

* Each process has one reaper, started with the first sandbox; only this process holds the writing end of its pipe.
* A process forked from this one neither closes its sandboxes nor uses its reaper.
* At exit, sandboxes are closed newest first, within two seconds; a failure is logged and the others are still closed.
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
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import smolcell.worker
from smolcell.errors import SandboxError
from smolcell.machine.environment import search_path
from smolcell.worker.system import processes

log = logging.getLogger("smolcell")
AT_EXIT_SECONDS = 2.0  # seconds for all ``close`` calls together
PROGRAM = "import sys; from smolcell.executors.reaper import main; main(*sys.argv[1:])"
BEING_MADE = 8.0  # seconds that creating a requested sandbox may take
TRYING = 18.0  # seconds of retries; the reaper waits a little longer
RETRY_INTERVAL = 0.5  # seconds between retries


class Closable(Protocol):
    """An object that is closed at exit."""

    def close(self) -> None:
        """Release its resources. Idempotent."""


class Reaper:
    """Starts this process's reaper and sends it registrations."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._entries: dict[str, dict[str, Any]] = {}

    def register(self, pid: int, token: str, folder: str, groups: Sequence[str] = ()) -> None:
        """Register a process tree and folder, which the reaper ends and removes with the kernel.

        Args:
            pid: first process of the tree, in its own session; 0 while it is unknown (then the token finds it).
            token: value of SMOLCELL_TOKEN in the tree's environment.
            folder: removed with the tree; "" for none.
            groups: control groups that contain only this tree; emptied and removed with it.
        """
        process = processes.stat(pid) if pid else None
        start = process.start if process else 0
        self._register({"pid": pid, "start": start, "token": token, "folder": folder, "groups": list(groups)})

    def register_command(self, token: str, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Register a program that the reaper runs when the kernel has ended: for sandboxes that are not processes of this machine.

        Args:
            token: name of the registration.
            command: program and arguments; runs in "/", for at most twenty seconds.
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
        """Process id of the reaper; 0 if it does not run."""
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
            log.warning("the reaper has ended; the next sandbox starts another")

    def end(self) -> None:
        """End the reaper (which cleans up what is still registered) and wait for it."""
        with self._lock:
            ended, self._process = self._process, None
            if ended is None or self._owner != os.getpid():
                return
            try:
                if ended.stdin is not None:
                    ended.stdin.close()
                ended.wait(2.0)
            except (OSError, subprocess.TimeoutExpired):
                ended.returncode = 0  # it runs on; Popen must not warn about it


reaper = Reaper()
_open: WeakKeyDictionary[Any, int] = WeakKeyDictionary()  # to the time of each registration
_owner = os.getpid()


def close_at_exit(closable: Closable) -> None:
    """Close this object at exit, before those registered earlier."""
    global _owner
    if _owner != os.getpid():  # a forked process has none of its parent's sandboxes
        _open.clear()
        _owner = os.getpid()
    _open[closable] = time.monotonic_ns()


def _close_all() -> None:
    if _owner != os.getpid():
        return
    end = time.monotonic() + AT_EXIT_SECONDS
    for closable, _ in sorted(_open.items(), key=lambda item: -item[1]):
        if time.monotonic() > end:
            break  # the reaper ends the rest
        try:
            closable.close()
        except Exception:
            log.warning("closing %r at exit", closable, exc_info=True)
    reaper.end()


atexit.register(_close_all)


# --- The program with which the reaper ends a container, or a provider's sandbox, after this process.
#
# * It finds the engine or provider as this process did, by the same variables; keys are passed only to the reaper, on this machine.
# * It waits for a sandbox that is still being created, and retries an engine or provider that does not answer; both for a bounded
#   time.


def register_end(token: str, end: str, *words: str, environ: Mapping[str, str]) -> None:
    """Register a function that the reaper calls when this process has ended.

    Args:
        token: name of the registration; see ``Reaper.forget``.
        end: "module:function", called with ``words``; returns whether the sandbox existed and was ended.
        words: its arguments.
        environ: the whole environment that it needs.
    """
    environ = {**environ, "PYTHONPATH": os.pathsep.join(search_path())}
    reaper.register_command(token, [sys.executable, "-B", "-c", PROGRAM, end, *words], environ)


def main(end: str, *words: str) -> None:
    """End a sandbox, also one that is being created.

    Raises:
        SandboxError: the engine or the provider does not answer.
    """
    module, _, name = end.partition(":")
    function = getattr(import_module(module), name)
    begun = time.monotonic()
    while True:
        try:
            if function(*words) or time.monotonic() - begun > BEING_MADE:
                return
        except SandboxError:
            if time.monotonic() - begun > TRYING:
                raise
        time.sleep(RETRY_INTERVAL)
