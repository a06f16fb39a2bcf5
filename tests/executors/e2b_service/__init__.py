"""A stand-in for E2B on this machine: its control API and the daemon of its sandboxes ("envd"), as the unmodified SDK speaks to them.

Programs really run, as processes of this machine; what a virtual machine keeps apart is not kept apart here. Started as a process of
its own (``python -m e2b_service``), so that it outlives who is killed. What a test wants of it besides, ``Service`` asks for.

Sources: the SDK ``e2b`` 2.63 (Python), and ``packages/envd`` and ``packages/api`` of the repository ``e2b-dev/infra``.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

KEY = "e2b_" + "5" * 40
"""The key that the stand-in takes."""


class Service:
    """A running stand-in.

    Args:
        address: where it listens.
    """

    def __init__(self, address: str) -> None:
        self.address = address

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        return {"E2B_API_URL": self.address, "E2B_SANDBOX_URL": self.address, "E2B_API_KEY": KEY}

    def alive(self) -> set[str]:
        """The names of the sandboxes that there are, paused ones too."""
        return {str(each["sandboxID"]) for each in self.sandboxes()}

    def sandboxes(self) -> list[dict[str, Any]]:
        """The sandboxes that there are, with ``pids``, the processes in each."""
        found: list[dict[str, Any]] = self._ask("sandboxes")
        return found

    def requests(self) -> list[dict[str, Any]]:
        """What was asked of the control API so far."""
        found: list[dict[str, Any]] = self._ask("requests")
        return found

    def end(self, name: str) -> None:
        """End a sandbox from outside, as its time-out does."""
        self._ask("end", name=name)

    def refuse(self, status: int, message: str, path: str = "/v2/sandboxes", times: int = 1) -> None:
        """Let the next requests that begin with this path be refused."""
        self._ask("refuse", status=status, message=message, path=path, times=times)

    def forgive(self) -> None:
        """Refuse nothing any more."""
        self._ask("forgive")

    def cut(self, seconds: float = 0.0) -> None:
        """Break all connections, and take no new one for so long."""
        self._ask("cut", seconds=seconds)

    def _ask(self, what: str, **words: Any) -> Any:
        request = urllib.request.Request(
            f"{self.address}/stand-in/{what}", json.dumps(words).encode(), {"Connection": "close"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def service() -> Iterator[Service]:
    """A stand-in in a process of its own; all its sandboxes end with it."""
    environ = {"PATH": os.defpath, "HOME": "/", "LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(_places())}
    process = subprocess.Popen(
        [sys.executable, "-m", "e2b_service", KEY, secrets.token_hex(8)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Service(process.stdout.readline().decode().strip())
    finally:
        process.stdin.close()  # it ends by itself, with everything in it
        process.wait(30)
        process.stdout.close()


def _places() -> list[str]:
    here = Path(__file__).resolve()
    return [str(here.parents[1]), str(here.parents[3])]
