"""A stand-in for Modal on this machine: its control plane and its command router, as the unmodified SDK speaks to them.

Programs really run, as processes of this machine. Started as a process of its own, so that it outlives who is killed; tests speak to it
over its stdin and stdout, one line of JSON each way.

Source: the SDK ``modal`` 1.6.4, and the protocol buffers that come with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

KEY, SECRET = "ak-" + "7" * 22, "as-" + "7" * 22
"""The token that the stand-in takes."""
HERE = Path(__file__).resolve().parent


class Service:
    """A running stand-in; ``address`` is where it listens."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self._lock = process, threading.Lock()
        self.address: str = self._ask("address")

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        return {
            "MODAL_SERVER_URL": self.address,
            "MODAL_TOKEN_ID": KEY,
            "MODAL_TOKEN_SECRET": SECRET,
            "MODAL_CONFIG_PATH": "/nonexistent",
        }

    def alive(self) -> set[str]:
        """The names of the sandboxes that there are."""
        return {str(each["name"]) for each in self.sandboxes()}

    def sandboxes(self) -> list[dict[str, Any]]:
        """The sandboxes that there are: ``name``, ``tags``, ``definition``, ``image``, and ``pids``, the processes in each."""
        found: list[dict[str, Any]] = self._ask("sandboxes")
        return found

    def requests(self) -> list[str]:
        """The methods that were called so far."""
        found: list[str] = self._ask("requests")
        return found

    def end(self, name: str) -> None:
        """End a sandbox from outside."""
        self._ask("end", name=name)

    def refuse(self, method: str, status: str, message: str, times: int = 1) -> None:
        """Let the next calls of this method fail, with this status of gRPC's."""
        self._ask("refuse", method=method, status=status, message=message, times=times)

    def cut(self, seconds: float) -> None:
        """Break the streams, and answer nothing for so long."""
        self._ask("cut", seconds=seconds)

    def _ask(self, what: str, **words: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps({"what": what, **words}).encode() + b"\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


@contextmanager
def service() -> Iterator[Service]:
    """A stand-in in a process of its own; all its sandboxes end with it."""
    places = os.pathsep.join(map(str, (HERE.parent, HERE.parents[2])))
    environ = {"PATH": os.defpath, "HOME": "/", "LANG": "C.UTF-8", "PYTHONPATH": places}
    process = subprocess.Popen(
        [sys.executable, "-m", "modal_service"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Service(process)
    finally:
        process.stdin.close()  # it ends by itself, with everything in it
        process.wait(30)
        process.stdout.close()
