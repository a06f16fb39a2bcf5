"""A stand-in for a provider: a process of its own, so that it outlives who is killed, and what tests ask of it, one line of JSON each way.

Programs really run in it, as processes of this machine; what a virtual machine keeps apart is not kept apart here.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

from smolcell.worker.system import processes

HERE = Path(__file__).resolve().parent


class Service:
    """A running stand-in, as tests speak to it; ``address`` is where it listens. A subclass names one provider's."""

    package = ""
    """What is run by ``python -m``."""
    key = ""
    """The key that it takes."""
    prefix = ""
    """How the variables begin that the provider's SDK reads."""
    create = start = send = listen = ""
    """What makes a sandbox, starts a program there, writes to it and hears it: a path of HTTP, or a method, as ``refuse`` takes it."""
    busy: int | str = 429
    """The status that says: too many requests."""

    def __init__(self, started: subprocess.Popen[bytes]) -> None:
        self._process, self._lock = started, threading.Lock()
        self.address: str = self._ask("address")

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        raise NotImplementedError

    def point(self, patch: Any) -> None:
        """Point this process's SDK to it for as long as the patch holds."""
        for name in list(os.environ):
            if name.startswith(self.prefix):
                patch.delenv(name)
        for name, value in self.environ.items():
            patch.setenv(name, value)

    def leave(self) -> None:
        """The patch does not hold any more."""

    def alive(self) -> set[str]:
        """The names of the sandboxes that there are, paused ones too."""
        return {str(each.get("sandboxID") or each["name"]) for each in self.sandboxes()}

    def sandboxes(self) -> list[dict[str, Any]]:
        """The sandboxes that there are, as their service tells of them, with ``pids``, the processes in each."""
        found: list[dict[str, Any]] = self._ask("sandboxes")
        return found

    def requests(self) -> list[Any]:
        """What was asked of the control API so far."""
        found: list[Any] = self._ask("requests")
        return found

    def end(self, name: str) -> None:
        """End a sandbox from outside, as its time-out does."""
        self._ask("end", name=name)

    def refuse(self, status: int | str, message: str, path: str = "", times: int = 1, after: str = "") -> None:
        """Let the next requests that begin with this path (by default: that make a sandbox) be refused.

        Args:
            status: of HTTP, or of gRPC by its name.
            message: is said with it.
            path: of HTTP, or a method of gRPC.
            times: how many requests.
            after: the ``Retry-After`` that is said with it.
        """
        self._ask("refuse", status=status, message=message, path=path or self.create, times=times, after=after)

    def forgive(self) -> None:
        """Refuse nothing any more, and let everybody through."""
        self._ask("forgive")

    def cut(self, seconds: float = 0.0) -> None:
        """Break all connections, and take no new one for so long."""
        self._ask("cut", seconds=seconds)

    def set_clock(self, seconds: float) -> None:
        """Let its clock be ahead of this machine's, in all that it tells from now on."""
        self._ask("set_clock", seconds=seconds)

    def _ask(self, what: str, **words: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps({"what": what, **words}).encode() + b"\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


AService = TypeVar("AService", bound=Service)


@contextmanager
def served(kind: type[AService]) -> Iterator[AService]:
    """A stand-in in a process of its own; all its sandboxes end with it."""
    places = os.pathsep.join(map(str, (HERE, HERE.parents[1])))
    environ = {"PATH": os.defpath, "HOME": "/", "LANG": "C.UTF-8", "PYTHONPATH": places}
    started = subprocess.Popen(
        [sys.executable, "-m", kind.package, kind.key],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ,
        start_new_session=True,
    )
    assert started.stdin is not None
    assert started.stdout is not None
    try:
        yield kind(started)
    finally:
        started.stdin.close()  # it ends by itself, with everything in it
        started.wait(30)
        started.stdout.close()


# --- in its own process ------------------------------------------------------------------------------------------------


class StandIn:
    """What every stand-in keeps, and does as tests want it; a subclass has the sandboxes."""

    address = ""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self._refusals: list[dict[str, Any]] = []
        self._down_until = 0.0
        self.ahead = 0.0  # seconds that its clock is ahead of this machine's

    def told(self) -> list[dict[str, Any]]:
        """See ``Service.sandboxes``."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """See ``Service.end``."""
        raise NotImplementedError

    def cut(self, seconds: float) -> None:
        """See ``Service.cut``."""
        self._down_until = time.monotonic() + seconds

    def is_down(self) -> bool:
        """Whether nobody gets through."""
        return time.monotonic() < self._down_until

    def refusal(self, fits: Callable[[str], bool]) -> dict[str, Any] | None:
        """How a request is to be refused, by its path; None if it is not."""
        for each in self._refusals:
            if each["times"] > 0 and fits(each["path"]):
                each["times"] -= 1
                return each
        return None

    def wish(self, what: str, **words: Any) -> Any:
        """What tests want."""
        match what:
            case "address":
                return self.address
            case "sandboxes":
                return self.told()
            case "requests":
                return self.asked
            case "end":
                self.end(**words)
            case "refuse":
                self._refusals.append(words)
            case "forgive":
                self._refusals.clear()
                self._down_until = 0.0
            case "cut":
                self.cut(**words)
            case "set_clock":
                self.ahead = words["seconds"]
            case _:
                raise ValueError(what)
        return None


class HTTPStandIn(StandIn, ThreadingHTTPServer):
    """One that is spoken to by HTTP.

    Args:
        key: the one that is taken.
        handler: answers the requests of one connection.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, key: str, handler: type[BaseHTTPRequestHandler]) -> None:
        StandIn.__init__(self)
        ThreadingHTTPServer.__init__(self, ("127.0.0.1", 0), handler)
        self.address, self.key = f"http://127.0.0.1:{self.server_port}", key
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def cut(self, seconds: float) -> None:
        """See ``Service.cut``."""
        super().cut(seconds)
        with self._lock:
            ended = list(self._open)
        for connection in ended:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """See ``socketserver``."""
        return not self.is_down()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """See ``socketserver``."""
        with self._lock:
            self._open.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.discard(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no error."""

    def serve(self) -> None:
        """Serve, and do what tests want, until stdin ends."""
        processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        obey(self)


def obey(stand_in: StandIn) -> None:
    """Do what tests want, until stdin ends."""
    while line := sys.stdin.buffer.readline():
        sys.stdout.write(json.dumps(stand_in.wish(**json.loads(line))) + "\n")
        sys.stdout.flush()
