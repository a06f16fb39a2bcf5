"""A stand-in for Blaxel on this machine: its control API and the API in its sandboxes, as the SDK speaks to them.

Programs really run, as processes of this machine. Started as a process of its own, so that it outlives who is killed. The SDK knows
one address of the service and takes no other from outside, so ``point`` sets it in each process that asks: the rest of the SDK is as it is.

Source: the SDK ``blaxel`` 0.4.24 (Python), its generated client and its models.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

KEY = "bl_" + "7" * 40
"""The key that the stand-in takes."""
PLACE = "BL_STAND_IN"
HERE = Path(__file__).resolve().parent


def point() -> None:
    """Have the SDK of this process speak to the stand-in, with this environment's key."""
    from blaxel.core.authentication import auth
    from blaxel.core.client import client
    from blaxel.core.common.settings import settings

    settings.auth = auth(settings.env, settings.base_url)
    settings._headers = None
    client.with_base_url(f"{os.environ[PLACE]}/v0")
    client.with_auth(settings.auth)
    if client._client is not None:
        client._client.close()
    client._client = None


class Service:
    """A running stand-in; ``address`` is where it listens."""

    def __init__(self, address: str) -> None:
        self.address = address

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        words = {"BL_API_KEY": KEY, "BL_WORKSPACE": "stand-in", "BL_REGION": "here", "DO_NOT_TRACK": "1"}
        return {PLACE: self.address, **words}

    def alive(self) -> set[str]:
        """The names of the sandboxes that there are."""
        return {str(each["name"]) for each in self.sandboxes()}

    def sandboxes(self) -> list[dict[str, Any]]:
        """The sandboxes that there are, with ``pids``, the processes in each."""
        found: list[dict[str, Any]] = self._ask("sandboxes")
        return found

    def requests(self) -> list[dict[str, Any]]:
        """What was asked of the control API so far."""
        found: list[dict[str, Any]] = self._ask("requests")
        return found

    def end(self, name: str) -> None:
        """End a sandbox from outside."""
        self._ask("end", name=name)

    def refuse(self, status: int, message: str, path: str = "/v0/sandboxes", times: int = 1) -> None:
        """Let the next requests that begin with this path be refused."""
        self._ask("refuse", status=status, message=message, path=path, times=times)

    def cut(self, seconds: float) -> None:
        """Break the streams, and take no new connection for so long."""
        self._ask("cut", seconds=seconds)

    def _ask(self, what: str, **words: Any) -> Any:
        request = urllib.request.Request(f"{self.address}/stand-in/{what}", json.dumps(words).encode())
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def service() -> Iterator[Service]:
    """A stand-in in a process of its own; all its sandboxes end with it."""
    places = os.pathsep.join(map(str, (HERE.parent, HERE.parents[2])))
    environ = {"PATH": os.defpath, "HOME": "/", "LANG": "C.UTF-8", "PYTHONPATH": places}
    process = subprocess.Popen(
        [sys.executable, "-m", "blaxel_service", KEY],
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
