"""The runner as the supervisor sees it: started by fork (by exec where there is no fork), watched, killed.

The rules this file exists to keep:

* The runner inherits exactly its own end of the link and the pipe that is its stdout and stderr.
* It dies with the supervisor, and so does everything it starts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from . import boot, link, process
from .wire import FROM_WORKER, TO_WORKER, Frame, encode

CHUNK = 1 << 16


class Child:
    """One runner process.

    Args:
        options: as in the host's hello.
        tools: names the host lends, with their descriptions.
    """

    def __init__(self, options: dict[str, Any], tools: dict[str, str]) -> None:
        near, far = link.pair()
        self.printed, write_end = os.pipe()
        os.set_blocking(self.printed, False)
        self._printing = True
        if hasattr(os, "fork") and not options.get("spawn"):
            self.pid = self._fork(far, write_end, options, tools)
            self.link = link.Near(near, FROM_WORKER)
        else:
            self.pid = self._spawn(far, write_end)
            self.link = link.Near(near, FROM_WORKER)
            self.link.request(encode(Frame("hello", {"version": 1, "options": options}), TO_WORKER))
            self.link.request(encode(Frame("tools", {"id": 0, "tools": tools}), TO_WORKER))
        far.close()
        os.close(write_end)
        self.exit_watch = _watch(self.pid)

    @staticmethod
    def _fork(far: Any, write_end: int, options: dict[str, Any], tools: dict[str, str]) -> int:
        pid = os.fork()
        if pid:
            return pid
        status = 70
        try:
            if not os.path.isdir("/proc/self"):
                os.setpgid(0, 0)  # a group of its own: there is no other way to name all that it starts
            process.prctl(process.PR_SET_PDEATHSIG, signal.SIGKILL)
            process.prctl(process.PR_SET_DUMPABLE, 1)
            os.dup2(write_end, 1)
            os.dup2(write_end, 2)
            process.close_all_but([far.fileno()])
            status = boot.main(far, options, tools)
        finally:
            os._exit(status)  # never back into the supervisor's own code

    @staticmethod
    def _spawn(far: Any, write_end: int) -> int:
        """Start the runner as a program of its own; it gets its options as the first message."""
        far.set_inheritable(True)
        code = "import sys; sys.path.insert(0, sys.argv[1]); from {0}.boot import spawned; spawned()"
        started = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", code.format(__package__), _location(), str(far.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=write_end,
            stderr=write_end,
            pass_fds=[far.fileno()],
        )
        pid = started.pid
        started.returncode = 0  # this program reaps it by id
        return pid

    def descriptors(self) -> list[int]:
        """What to wait on: messages, printed bytes, the process's end where that can be waited on."""
        watch = [] if self.exit_watch is None else [self.exit_watch]
        printed = [self.printed] if self._printing else []
        return [self.link.sock.fileno(), *printed, *watch]

    def read_printed(self, budget: int = 32) -> bytes:
        """What has been printed, at most ``budget`` pieces of 64 KiB."""
        pieces = []
        for _ in range(budget):
            try:
                data = os.read(self.printed, CHUNK)
            except (BlockingIOError, InterruptedError):
                break
            if not data:
                self._printing = False  # closed by the code: nothing to wait for any more
                break
            pieces.append(data)
        return b"".join(pieces)

    def signal(self, number: int) -> None:
        """Send the runner a signal; harmless when it is gone."""
        try:
            os.kill(self.pid, number)
        except OSError:
            pass

    def close(self) -> None:
        """Kill whatever is left of the runner and free its descriptors."""
        process.kill_children(group=self.pid)
        self.link.sock.close()
        os.close(self.printed)
        if self.exit_watch is not None:
            os.close(self.exit_watch)


def _watch(pid: int) -> int | None:
    opener = getattr(os, "pidfd_open", None)
    if opener is None:
        return None
    try:
        return int(opener(pid))
    except OSError:
        return None


def _location() -> str:
    """The zip or folder that holds this package."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
