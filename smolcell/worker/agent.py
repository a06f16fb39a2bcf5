"""The agent's own process in a sandbox: loads the program that the host ships, and hands it the host's questions.

The rules this file exists to keep:

* It answers, and asks nothing: there is no message by which it could call the host.
* Every question is answered, whatever the program raises; only the end of the process goes unanswered.
* Where the system can, no other process of the sandbox reads this one's memory, which may hold secrets.

The program is a zip with a module ``ENTRY``, whose ``Program(spec)`` is called with the blobs of each question.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any, Callable

from . import faults, process, values, wire
from .archive import Archive
from .link import Far
from .wire import Frame

ENTRY = "smolcell.inside.program"
LEAST = (3, 11)  # the Python that the program needs; the worker needs less
MAX_ERROR = 4000


class Agent:
    """Serves the host's questions to the agent's program.

    Args:
        link: the way to the supervisor.
        options: as in the host's hello.
        tools: none; a runner has them.
    """

    def __init__(self, link: Far, options: dict[str, Any], tools: dict[str, str]) -> None:
        self._link = link
        self._program: Callable[[Any], Any] | None = None

    def on_interrupt(self, *_: Any) -> None:
        """SIGINT is for the code, which runs elsewhere."""

    def serve(self) -> None:
        """Serve until the supervisor is gone."""
        process.prctl(process.PR_SET_DUMPABLE, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            try:
                frame = self._link.receive()
            except EOFError:
                os._exit(0)
            self._link.send(self._answer(frame))

    def _answer(self, frame: Frame) -> Frame:
        try:
            blobs, error = self._heard(frame), ""
        except BaseException as raised:
            told = faults.fault(raised)
            blobs, error = (), "{}: {}".format(told["type"], told["message"])[:MAX_ERROR]
        return Frame("answer", {"id": frame.fields["id"], "error": error}, tuple(blobs))

    def _heard(self, frame: Frame) -> Any:
        if not frame.fields["load"]:
            if self._program is None:
                raise RuntimeError("no program was loaded")
            return self._program(frame.blobs)
        if sys.version_info < LEAST:
            found = "{}.{}".format(*sys.version_info[:2])
            raise RuntimeError(f"an agent needs Python 3.11 or newer, and the sandbox has {found}")
        Archive(bytes(frame.blobs[0])).add()
        spec = wire.loads(frame.blobs[1], values.JSON_DEPTH)
        os.environ.update(spec.pop("environment", {}))
        self._program = importlib.import_module(ENTRY).Program(spec)
        return ()
