"""One request under way: its clock, its output, its end.

The rules this file exists to keep:

* A request that is to end gets ``GRACE`` seconds; the reason it ends for is the first one given.
* How a step ended is said in words a model can act on.
"""

from __future__ import annotations

import time
from typing import Any

from . import process
from .child import Child
from .clock import Clock
from .output import Output
from .wire import Frame

GRACE = 1.5  # seconds from SIGINT to SIGKILL
TRANSFER = 60.0  # seconds that vars, tools and pull may take


class Request:
    """What the runner is doing for the host right now."""

    def __init__(self, frame: Frame, child: Child, limit: int) -> None:
        self.frame = frame
        self.child = child
        self.is_run = frame.type == "run"
        self.timeout = float(frame.fields["timeout"]) if self.is_run else TRANSFER
        self.clock = Clock(lambda: process.cpu_seconds(child.pid))
        self.output = Output(limit)
        self.forged_before = child.link.forged
        self.reason = ""  # "limit" or "stopped", once it is to end; "exhausted" when it was ended at once
        self.exhausted = ("", "")  # then: the error's name and text
        self.calls: dict[int, bool] = {}
        self.next_signal = 0.0
        self.kill_at = 0.0

    def stop(self, reason: str) -> None:
        """Begin to end it; a second reason changes nothing."""
        if not self.reason:
            self.reason = reason
            self.next_signal = time.monotonic()
            self.kill_at = self.next_signal + GRACE

    def exhaust(self, name: str, text: str) -> None:
        """It took more than it may: end it at once."""
        self.reason, self.exhausted = "exhausted", (name, text)
        self.kill_at = 0.0

    def ended(self, error: dict[str, Any], kept: bool = True) -> dict[str, Any]:
        """The fault of a step that was made to end."""
        state = "its variables are kept" if kept else "it did not react, so its process was killed"
        if self.reason == "exhausted":
            kind, name = "limit", self.exhausted[0]
            emptied = ", and the folder emptied" if name == "OSError" else ""
            text = f"{self.exhausted[1]}; its process was killed{emptied}"
        elif self.reason == "limit":
            kind, name = "limit", "TimeoutError"
            text = f"the step took longer than {self.timeout:g} s and was ended; {state}. A longer limit: timeout=…"
        else:
            kind, name, text = "stopped", "KeyboardInterrupt", f"the step was interrupted; {state}"
        traceback = _ending(error, f"{name}: {text}")
        return {"kind": kind, "type": name, "message": text, "line": error.get("line", 0), "traceback": traceback}


def _ending(error: dict[str, Any], reason: str) -> str:
    """What the code was doing, and then why it was made to end, in place of the error that ended it."""
    text = error.get("traceback", "")
    last = "{}: {}".format(error.get("type", ""), error["message"]) if error.get("message") else error.get("type", "")
    if last and text.endswith(last):
        text = text[: -len(last)].rstrip("\n")
    return f"{text}\n{reason}" if text else ""


def death(how: str) -> dict[str, Any]:
    text = f"the sandbox's process ended during the step: {how}. Its variables are gone."
    return {"kind": "sandbox", "type": "SandboxDied", "message": text, "line": 0, "traceback": ""}
