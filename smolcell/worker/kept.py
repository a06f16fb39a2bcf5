"""What the worker needs as it was: put back when agent code has run, so that one step cannot spoil the next.

The rules this file exists to keep:

* Everything used here was taken before agent code ran, and is C: no name is looked up that the code could have changed.
* What is the program's own to choose stays as it chose it: random seeds, formats of numbers, warnings, environment.
* The recursion limit is swapped, not lost: the program has its own, the worker has the one it began with.
"""

from __future__ import annotations

import builtins
import io
import os
import signal  # noqa: F401 - loads what is used here
import sys
import threading
from typing import Any

_signal: Any = sys.modules.get("_signal")  # beneath ``signal``, which looks names up in enums
FAR = 200
_NAMES: dict[str, Any] = vars(builtins)
_fstat, _dup2 = os.fstat, os.dup2
_set_limit, _get_limit = sys.setrecursionlimit, sys.getrecursionlimit
_SYS = vars(sys)
_ALARMS = tuple(
    getattr(_signal, name)
    for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
    if hasattr(_signal, name) and hasattr(_signal, "setitimer")
)


def stream(descriptor: int, mode: str) -> Any:
    """A text stream over a descriptor; a line is written when it is ended."""
    raw = open(descriptor, mode, closefd=False)  # noqa: SIM115 - open as long as the process
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=mode == "wb")


class Kept:
    """The state of the interpreter that the worker relies on.

    Args:
        descriptors: those of stdout and stderr to be kept open; none in tests that run in a process of their own.
    """

    def __init__(self, descriptors: tuple[int, ...] = (1, 2)) -> None:
        self._names = dict(_NAMES)
        self._streams = {name: _SYS[name] for name in ("stdout", "stderr")}
        self._copies = {number: _far_copy(number) for number in descriptors}
        self._limit = self._program_limit = _get_limit()
        self._lent = False
        self._handlers: dict[int, Any] = {}
        if _signal is not None and threading.current_thread() is threading.main_thread():
            self._handlers = {number: _signal.getsignal(number) for number in (_signal.SIGINT, _signal.SIGTERM)}

    def lend(self) -> None:
        """Before the program runs: give it what it had set for itself."""
        _try(_set_limit, self._program_limit)
        self._lent = True

    def restore(self) -> None:
        """After the program ran, and before anything else does."""
        _NAMES.update(self._names)
        if self._lent:
            self._program_limit = _get_limit()
            self._lent = False
        _set_limit(self._limit)
        for number, copy in self._copies.items():
            if _identity(number) != _identity(copy):
                _try(_dup2, copy, number)
        for at, name in enumerate(("stdout", "stderr"), 1):
            kept = self._streams[name]
            if not _is_usable(kept):
                kept = self._streams[name] = stream(at, "wb")
            _SYS[name] = _SYS[f"__{name}__"] = kept
        self._restore_signals()

    def _restore_signals(self) -> None:
        for number, handler in self._handlers.items():
            if _signal.getsignal(number) is not handler:
                _try(_signal.signal, number, handler)
        if self._handlers and hasattr(_signal, "pthread_sigmask"):
            _try(_signal.pthread_sigmask, _signal.SIG_UNBLOCK, tuple(self._handlers))
        for alarm in _ALARMS:
            _try(_signal.setitimer, alarm, 0)

    def flush(self) -> None:
        """Write out what was printed, to the worker's own streams and to those the program put in their place."""
        for found in (*self._streams.values(), _SYS.get("stdout"), _SYS.get("stderr")):
            try:
                found.flush()
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: S110 - a stream of the program's own may raise what it likes
                pass


def _far_copy(descriptor: int) -> int:
    """A copy with a high number, out of the way of what the program opens and closes."""
    try:
        import fcntl

        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FAR)
    except (ImportError, OSError):
        return os.dup(descriptor)


def _identity(descriptor: int) -> Any:
    found = _try(_fstat, descriptor)
    return None if found is None else (found.st_dev, found.st_ino)


def _is_usable(found: Any) -> bool:
    if type(found) is not io.TextIOWrapper:
        return True  # a test's, or a notebook's: not the worker's to make anew
    try:
        if (found.encoding, found.errors) != ("utf-8", "backslashreplace"):
            found.reconfigure(encoding="utf-8", errors="backslashreplace")
        return not found.closed
    except (OSError, ValueError, LookupError):
        return False  # detached


def _try(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (OSError, ValueError, RecursionError):
        return None
