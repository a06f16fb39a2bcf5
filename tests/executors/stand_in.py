"""A stand-in for a provider: a process of its own, so that it outlives who is killed, and what tests ask of it, one line of JSON each way.

Programs really run in it, as processes of this machine; what a virtual machine keeps apart is not kept apart here.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

from smolcell.worker.system import folders, processes

HERE = Path(__file__).resolve().parent


class Service:
    """A running stand-in, as tests speak to it; ``address`` is where it listens. A subclass names one provider's."""

    package = ""
    """Its ``answers.Server`` is run."""
    key = ""
    """The key that it takes."""
    prefix = ""
    """How the variables begin that the provider's SDK reads."""
    create = start = send = listen = ""
    """What makes a sandbox, starts a program there, writes to it and hears it: a path of HTTP, or a method, as ``refuse`` takes it."""
    busy: int | str = 429
    """The status that says: too many requests."""
    place = ""
    """The variable with its address."""

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

    def point_again(self) -> None:
        """The variables have changed: an SDK that has read them already reads them again."""

    def leave(self) -> None:
        """The patch does not hold any more."""

    def alive(self) -> set[str]:
        """The names of the sandboxes that there are, paused ones too."""
        return {str(each.get("sandboxID") or each["name"]) for each in self.sandboxes()}

    def sandboxes(self) -> list[dict[str, Any]]:
        """The sandboxes that there are, as their service tells of them, each with its ``template`` and its processes' ``pids``."""
        found: list[dict[str, Any]] = self._ask("sandboxes")
        return found

    def requests(self) -> list[Any]:
        """What was asked of the control API so far."""
        found: list[Any] = self._ask("requests")
        return found

    def end(self, name: str) -> None:
        """End a sandbox from outside, as its time-out does."""
        self._ask("end", name=name)

    def refuse(self, status: int | str, message: str, path: str = "", times: int = 1) -> None:
        """Let the next requests that begin with this path (by default: that make a sandbox) be refused.

        Args:
            status: of HTTP, or of gRPC by its name.
            message: is said with it.
            path: of HTTP, or a method of gRPC.
            times: how many requests.
        """
        self._ask("refuse", status=status, message=message, path=path or self.create, times=times)

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
AnySandbox = TypeVar("AnySandbox", bound="Sandbox")


@contextmanager
def served(kind: type[AService]) -> Iterator[AService]:
    """A stand-in in a process of its own; all its sandboxes end with it."""
    places = os.pathsep.join(map(str, (HERE, HERE.parents[1])))
    environ = {"PATH": os.defpath, "HOME": "/", "LANG": "C.UTF-8", "PYTHONPATH": places}
    started = subprocess.Popen(
        [sys.executable, "-c", f"from {kind.package}.answers import Server; Server({kind.key!r}).serve()"],
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


class RefusedError(Exception):
    """What was asked is refused: an HTTP status, why, and a code."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


class Sandbox:
    """One sandbox: a folder for what its programs keep, and these; a subclass has what a provider says of it."""

    def __init__(self, name: str) -> None:
        self.name, self.made, self.programs = name, time.time(), dict[Any, Any]()
        self.folder = Path(tempfile.mkdtemp(prefix="stand-in-"))
        self.folder.chmod(0o711)

    def running(self) -> list[Any]:
        """Its programs, each with ``members`` and ``end``."""
        return list(self.programs.values())

    def told(self, ahead: float) -> dict[str, Any]:
        """What its provider says of it, by a clock that is so many seconds ahead."""
        raise NotImplementedError

    def is_over(self) -> bool:
        """Whether its time has passed."""
        raise NotImplementedError

    def pids(self) -> list[int]:
        """The processes in it."""
        return sorted({pid for each in self.running() for pid in each.members()})

    def end(self) -> None:
        """End everything in it, and remove its folder."""
        for each in self.running():
            each.end()
        folders.remove(str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)


class StandIn:
    """What every stand-in keeps, and does as tests want it."""

    address = ""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.sandboxes: dict[str, Any] = {}
        self._ending: list[str] = []
        self._refusals: list[dict[str, Any]] = []
        self._down_until = 0.0
        self.ahead = 0.0  # seconds that its clock is ahead of this machine's
        threading.Thread(target=self._look_at_clock, daemon=True).start()

    def _look_at_clock(self) -> None:
        while True:
            time.sleep(0.05)
            for each in list(self.sandboxes.values()):
                if each.is_over():
                    self.end(each.name)

    def add(self, made: AnySandbox) -> AnySandbox:
        """There is one more."""
        self.sandboxes[made.name] = made
        return made

    def end(self, name: str) -> None:
        """See ``Service.end``."""
        self._ending.append(name)  # before it is gone from the others
        ended = self.sandboxes.pop(name, None)
        if ended is not None:
            ended.end()
        self._ending.remove(name)

    def end_all(self) -> None:
        """End all, and wait for those that others are ending."""
        for name in list(self.sandboxes):
            self.end(name)
        latest = time.monotonic() + 20
        while self._ending and time.monotonic() < latest:
            time.sleep(0.05)

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
                return [{**each.told(self.ahead), "pids": each.pids()} for each in list(self.sandboxes.values())]
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
        self.end_all()


def read_body(handler: BaseHTTPRequestHandler) -> bytes:
    """The body of a request, which may come in chunks."""
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    body = b""
    while size := int(handler.rfile.readline(), 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body


class HTTPHandler(BaseHTTPRequestHandler):
    """One connection; a subclass has ``serve``, which may raise ``RefusedError``."""

    server: Any
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    where: SplitResult
    body: bytes
    next_token = ""  # of the next page: in a header

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def serve(self) -> None:
        """Answer the request to ``where`` with ``body``."""
        raise NotImplementedError

    def _serve(self) -> None:
        self.where = urlsplit(self.path)
        self.body, self.next_token = read_body(self), ""
        try:
            self.serve()
        except RefusedError as error:
            said = {"code": error.status, "message": error.message, "error": error.code or error.message}
            self.answer(error.status, said)

    do_GET = do_POST = do_DELETE = do_PUT = _serve

    def query(self) -> dict[str, str]:
        """The words after the question mark."""
        return {name: values[0] for name, values in parse_qs(self.where.query).items()}

    def json(self) -> dict[str, Any]:
        """The body, read as an object."""
        found = json.loads(self.body or b"{}")
        return found if isinstance(found, dict) else {}

    def answer(self, status: int, said: Any = None) -> None:
        """Answer at once."""
        data = b"" if said is None else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if self.next_token:
            self.send_header("X-Next-Token", self.next_token)
        self.end_headers()
        self.wfile.write(data)


def obey(stand_in: StandIn) -> None:
    """Do what tests want, until stdin ends."""
    while line := sys.stdin.buffer.readline():
        sys.stdout.write(json.dumps(stand_in.wish(**json.loads(line))) + "\n")
        sys.stdout.flush()
