"""The agent's process as the supervisor sees it: beside the runner, started when the host first asks for it.

The rules this file exists to keep:

* One question at a time; each ends: with its answer, at its limit, or with the process.
* It is another process than the runner, with the same walls: the code does not share its memory.
* Whatever ends the code's processes ends this one, too; the host begins it anew and tells it what happened.
"""

from __future__ import annotations

import select
import time
from typing import Any, Callable

from .child import Child
from .wire import TO_WORKER, Frame, encode

GONE = "the agent's process is gone"
"""How an answer begins where the host has to begin it anew."""
CANNOT = "this sandbox cannot hold an agent: it has no process to spare. Use one that can: run_inside('docker', …)"


class Beside:
    """At most one agent's process.

    Args:
        start: starts it.
        say: sends the host a frame.
    """

    def __init__(self, start: Callable[[], Child], say: Callable[[Frame], object]) -> None:
        self._start, self._say = start, say
        self._child: Child | None = None
        self._asked: Frame | None = None
        self._until = 0.0

    def hear(self, frame: Frame) -> None:
        """A question of the host's; one without blobs ends the process."""
        if not frame.blobs:
            self._end("it was ended")
            self._answer(frame, "")
        elif self._asked is not None:
            self._answer(frame, "the agent has an open question; it answers one at a time")
        elif self._child is None and not frame.fields["load"]:
            self._answer(frame, GONE)
        else:
            if frame.fields["load"]:
                self._end("it is begun anew")
            self._ask(frame)

    def _ask(self, frame: Frame) -> None:
        if self._child is None:
            try:
                self._child = self._start()
            except OSError as error:
                self._answer(frame, f"the agent's process does not start: {error}")
                return
        self._asked, self._until = frame, time.monotonic() + float(frame.fields["timeout"])
        self._child.link.request(encode(frame, TO_WORKER))

    def register(self, poll: Any, patience: float | None) -> float | None:
        """Have the process waited on; returns the milliseconds to wait at most, given those of others."""
        if self._child is not None:
            for descriptor in self._child.descriptors():
                poll.register(descriptor, select.POLLIN)
            if self._child.link.outbox:
                poll.register(self._child.link.sock, select.POLLIN | select.POLLOUT)
        if self._asked is None:
            return patience
        left = 1000 * max(0.001, self._until - time.monotonic())
        return left if patience is None else min(left, patience)

    def look(self) -> None:
        """Take what has come; end what is over. What the process prints is left."""
        child = self._child
        if child is None:
            return
        child.link.flush()
        child.read_printed()
        frames = child.link.receive()
        for frame in frames or ():
            asked = self._asked
            if asked is not None and frame.type == "answer":
                self._asked = None
                self._say(Frame("answer", {**frame.fields, "id": asked.fields["id"]}, frame.blobs))
        if frames is None:
            self._end("it ended")
        elif self._asked is not None and time.monotonic() >= self._until:
            self._end("it took longer than {:g} s".format(self._asked.fields["timeout"]))

    def _end(self, why: str) -> None:
        child, self._child = self._child, None
        asked, self._asked = self._asked, None
        if child is not None:
            child.kill()
            child.free()
        if asked is not None:
            self._answer(asked, f"{GONE}: {why}")

    def _answer(self, frame: Frame, error: str) -> None:
        self._say(Frame("answer", {"id": frame.fields["id"], "error": error}))


def refused(frame: Frame) -> Frame:
    """The answer of a supervisor that has no processes to spare."""
    return Frame("answer", {"id": frame.fields["id"], "error": CANNOT})
