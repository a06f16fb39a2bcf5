"""The runner's side of a checkpoint: forks a copy, which waits, frozen, until the supervisor has it take over."""

from __future__ import annotations

import os
import random
import select
import signal
import stat
import sys
from typing import Any, Callable

from ..wire.link import Far

DESCRIPTORS = range(3, 256)  # of open files whose position is restored
_signal: Any = sys.modules["_signal"]  # beneath ``signal``, which makes an enum of each number
_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4
_random_state, _set_random_state = random.getstate, random.setstate  # Python seeds anew in every forked process


class _Forker:
    """Forks this process by ctypes: ``os.fork`` raises an audit event, which the guard refuses."""

    def __init__(self) -> None:
        import ctypes  # not everywhere

        self._errno: Any = ctypes.get_errno
        library = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter locked
        self.prctl: Any = library.prctl
        self._fork: Any = library.fork
        self._before: Any = ctypes.pythonapi.PyOS_BeforeFork
        self._in_child: Any = ctypes.pythonapi.PyOS_AfterFork_Child
        self._in_parent: Any = ctypes.pythonapi.PyOS_AfterFork_Parent

    def __call__(self, signals: set[int], interruptible: Callable[[Callable[[], Any]], Any]) -> int:
        """Fork; returns the child's id, and 0 in the child.

        The program's own fork handlers can be interrupted, except those that run in the child.

        Args:
            signals: to block while it forks.
            interruptible: runs a function of the program's.

        Raises:
            OSError: the system refuses.
        """
        _signal.pthread_sigmask(signal.SIG_SETMASK, signals - {signal.SIGINT})
        pid = -1
        try:
            interruptible(self._before)
            _signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            pid = int(self._fork())
        finally:
            if pid:
                _signal.pthread_sigmask(signal.SIG_SETMASK, signals - {signal.SIGINT})
                interruptible(self._in_parent)
            else:
                self._in_child()
        if pid < 0:
            raise OSError(self._errno(), os.strerror(self._errno()))
        return pid


class Copies:
    """The frozen copies of one runner.

    Args:
        link: the runner's link; a copy gets one of its own in the same place.
    """

    def __init__(self, link: Far) -> None:
        self._link = link
        self._fork = _Forker()
        self._pids: list[int] = []
        self._signals = _signal.valid_signals()
        self._poll = select.poll()
        for number in DESCRIPTORS:
            self._poll.register(number, 0)

    def make(self, descriptor: int, hidden: bool, interruptible: Callable[[Callable[[], Any]], Any]) -> int:
        """Fork a copy that is woken over ``descriptor``; returns its id at once, and 0 in a copy that takes over.

        Args:
            descriptor: the copy's end of a link to the supervisor; closed here.
            hidden: keep other processes of this user out of the copy's memory; walls of the sandbox may do that already.
            interruptible: runs a function of the program's so that it can be interrupted.

        Raises:
            OSError: the system refuses.
        """
        self._pids = [pid for pid in self._pids if not _is_reaped(pid)]
        positions = self._positions()
        before = _signal.pthread_sigmask(signal.SIG_BLOCK, ())
        self._link.copying = True
        dumpable = self._fork.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
        try:
            state = _random_state()
            if hidden:  # now: the program goes on before the copy has run
                self._fork.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
            pid = self._fork(self._signals, interruptible)  # a copy reacts to no signal
            if not pid:
                self._freeze(descriptor, positions, hidden)
                _set_random_state(state)
                return 0
            self._pids.append(pid)
        finally:
            self._link.copying = False
            self._fork.prctl(_PR_SET_DUMPABLE, dumpable, 0, 0, 0)
            _signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(descriptor)
        return pid

    def _positions(self) -> dict[int, tuple[Any, int]]:
        """Return the open files and their positions, by descriptor: a copy shares the position with the process that goes on."""
        return {number: found for number in self._open_descriptors() if (found := _open_file(number))}

    def _open_descriptors(self) -> set[int]:
        """Return the descriptors that may be open, by one system call."""
        try:
            return set(DESCRIPTORS) - {number for number, event in self._poll.poll(0) if event & select.POLLNVAL}
        except OSError:
            return set(DESCRIPTORS)  # the program has lowered its limit

    def _freeze(self, descriptor: int, positions: dict[int, tuple[Any, int]], hidden: bool) -> None:
        """Wait until this copy is to take over; exit if the supervisor drops it or has ended."""
        try:
            if hidden:
                self._fork.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
            self._pids = []
            self._link.move(descriptor)
            if not self._link.wait():
                os._exit(0)
            for number, (file, position) in positions.items():
                now = _open_file(number)  # another one if a library closed it: matplotlib closes its fonts after a fork
                if now is not None and now[0] == file:
                    os.lseek(number, position, os.SEEK_SET)
            self._fork.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
            while pending := signal.sigpending():
                signal.sigtimedwait(pending, 0)  # sent to a frozen copy: not meant for the process that it becomes
        except BaseException:
            os._exit(70)


def _open_file(number: int) -> tuple[Any, int] | None:
    """Return device and inode of the regular file that is open at a descriptor, and its position; None if there is none."""
    try:
        status = os.fstat(number)
        regular = stat.S_ISREG(status.st_mode)
        return ((status.st_dev, status.st_ino), os.lseek(number, 0, os.SEEK_CUR)) if regular else None
    except OSError:
        return None


def _is_reaped(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except OSError:
        return True  # the program has waited for it
