"""Servers that tests connect to, on this machine: plain, and with TLS by an authority that ``SSL_CERT_FILE`` names."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from http_server import Handler, Server, served

from smolcell.network.certificates import Issuer

NAME = "api.example.test"


class Origin(Handler):
    """Echoes what it is asked."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer by the path."""
        server: Any = self.server
        url = urlsplit(self.path)
        server.seen.append((self.command, self.path, dict(self.headers.items())))
        if url.path == "/redirect":
            self.answer("", status=302, Location=parse_qs(url.query)["to"][0])
        elif url.path == "/bytes":
            self.answer(bytes(int(url.query)), kind="application/octet-stream")
        else:
            self.answer({"path": self.path, "headers": dict(self.headers.items())})

    def do_POST(self) -> None:
        """Answer with what was sent."""
        server: Any = self.server
        server.seen.append((self.command, self.path, dict(self.headers.items())))
        self.answer(self.body(), kind="application/octet-stream")


@contextlib.contextmanager
def origin(handler: type[Handler] = Origin, tls: ssl.SSLContext | None = None) -> Iterator[Any]:
    """A server on a free port of 127.0.0.1; ``.server_port``, and ``.seen``: the requests."""
    server: Any = Server(handler)
    server.seen = []
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with served(server):
        yield server


@contextlib.contextmanager
def sandboxes(kind: type[Any]) -> Iterator[Callable[..., Any]]:
    """Makes sandboxes for which every name under .test leads to this machine; they are closed afterwards."""
    with contextlib.ExitStack() as stack:

        def make(*hosts: str, **options: Any) -> Any:
            made = stack.enter_context(kind(allow_hosts=hosts, **{"python": "full", **options}))
            made.resolve = lambda host, port: ["127.0.0.1"]
            return made

        yield make


def tls_context(issuer: Issuer, folder: Path, name: str = NAME) -> ssl.SSLContext:
    """What a server of this name needs."""
    path = folder / f"{name}.pem"
    path.write_bytes(issuer.issue(name, name.replace(".", "").isdigit()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
