"""A stand-in for the HTTP of Docker's engine: images, pulls and builds that say what a test wants.

Source: the Docker Engine API 1.41 (``GET /images/{name}/json``, ``POST /images/create``, ``POST /build``).
"""

from __future__ import annotations

import io
import json
import tarfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import docker
from http_server import Handler, Server, served
from stand_in import read_body

Script = Callable[[], Iterable[dict[str, Any]]]
VERSION = "1.41"


@dataclass
class Engine:
    """What there is, what a pull and a build say, and what was asked for."""

    images: dict[str, str] = field(default_factory=dict)  # name to id
    says: Script = tuple  # of a pull or a build; what it made is put into ``images`` by the test
    refusal: tuple[int, str] | None = None  # instead of saying anything
    answers: dict[str, tuple[int, Any] | None] = field(default_factory=dict)  # by "POST /path"; None hangs up
    lines: list[str] = field(default_factory=list)  # "POST /path" of each request
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    context: dict[str, bytes] = field(default_factory=dict)  # of the last build
    hung_up: threading.Event = field(default_factory=threading.Event)  # the client has gone in mid-answer
    address: str = ""
    client: Any = None


@contextmanager
def stand_in() -> Iterator[Engine]:
    """A running stand-in, and the docker SDK's client of it."""
    engine = Engine()
    with served(_Server(engine)) as server:
        engine.address = server.url.replace("http", "tcp", 1)
        engine.client = docker.DockerClient(base_url=engine.address, version=VERSION, timeout=60)
        try:
            yield engine
        finally:
            engine.client.close()


_PLAIN: dict[str, Any] = {"/version": {"ApiVersion": VERSION}, "/containers/json": []}


class _Server(Server):
    def __init__(self, engine: Engine) -> None:
        super().__init__(_Handler)
        self.engine = engine


class _Handler(Handler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def parse_request(self) -> bool:
        """See ``http.server``; a request whose answer the test has given goes no further."""
        if not super().parse_request():
            return False
        line = f"{self.command} {urlsplit(self.path).path.removeprefix(f'/v{VERSION}')}"
        self.server.engine.lines.append(line)
        if line not in self.server.engine.answers:
            return True
        read_body(self)
        told = self.server.engine.answers[line]
        if told is None:
            self.close_connection = True
        else:
            self.answer(told[1], status=told[0])
        return False

    def do_DELETE(self) -> None:
        self.answer({"message": "not there"}, status=404)

    def do_GET(self) -> None:
        asked = urlsplit(self.path).path.removeprefix(f"/v{VERSION}")
        if asked in _PLAIN:
            self.answer(_PLAIN[asked])
            return
        name = unquote(urlsplit(self.path).path).removeprefix(f"/v{VERSION}/images/").removesuffix("/json")
        if name != name.lower():
            self.answer({"message": "invalid reference format: repository name must be lowercase"}, status=400)
        elif name in self.server.engine.images:
            self.answer({"Id": self.server.engine.images[name]})
        else:
            self.answer({"message": f"No such image: {name}"}, status=404)

    def do_POST(self) -> None:
        address = urlsplit(self.path)
        what = address.path.removeprefix(f"/v{VERSION}/")
        self.server.engine.asked.append((what, {name: values[0] for name, values in parse_qs(address.query).items()}))
        if what == "images/prune":
            self.answer({})
            return
        if what == "build":
            self.server.engine.context = _files(read_body(self))
        if self.server.engine.refusal is not None:
            self.answer({"message": self.server.engine.refusal[1]}, status=self.server.engine.refusal[0])
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in self.server.engine.says():
                self._chunk(json.dumps(line).encode() + b"\r\n")
            self._chunk(b"")
        except OSError:
            self.server.engine.hung_up.set()
            self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


def _files(body: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(body)) as archive:
        found = [(entry.name, archive.extractfile(entry)) for entry in archive if entry.isfile()]
        return {name: file.read() for name, file in found if file is not None}


def endless() -> Iterator[dict[str, Any]]:
    """A pull that goes on until the client has gone."""
    while True:
        yield {"status": "Downloading", "id": "a", "progressDetail": {"current": 1, "total": 100}}
        time.sleep(0.05)
