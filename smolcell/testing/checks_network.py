"""Allowed hosts: the code reaches them through a proxy on the host's side, and nothing else; credentials stay outside."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smolcell.errors import SetupError
from smolcell.protocols import NETWORK, Executor
from smolcell.testing.trial import NotApplicable, Trial, check, expect, ok, that

FETCH = """
import urllib.request, urllib.error
def fetch(url):
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.read().decode()
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
"""


def _given(trial: Trial, *hosts: str) -> Executor:
    """An executor with these hosts."""
    try:
        return trial.fresh(allow_hosts=hosts, additional_authorized_imports=["urllib.*", "socket"])
    except (SetupError, TypeError) as error:
        raise NotApplicable(f"no single hosts can be allowed here: {error}") from None


@check
async def allowed_host(trial: Trial) -> None:
    """Code reaches a host that was allowed, and the boundary names it."""
    with _origin() as (port, seen):
        executor = _given(trial, f"localhost:{port}")
        observed = ok(await trial.run(f"{FETCH}\nfetch('http://localhost:{port}/reached')", executor))
        expect(
            (observed.output, seen), ("reached", ["GET /reached HTTP/1.1"]), "the answer, and what the host was asked"
        )
        expect(executor.boundary().hosts, (f"localhost:{port}",), "the hosts in the boundary")


@check
async def other_hosts(trial: Trial) -> None:
    """Code reaches no other host, port or address, whatever way it takes; a refused request says how to allow it."""
    with _origin() as (open_port, _), _origin() as (port, seen):
        executor = _given(trial, f"localhost:{open_port}")
        ways = [
            f"fetch('http://{host}:{port}/')" for host in ("localhost", "127.0.0.1", "[::1]", "127.1", "2130706433")
        ]
        ways += [
            f"fetch('http://localhost:{open_port}@127.0.0.1:{port}/')",
            f"fetch('http://127.0.0.1:{port}#@localhost:{open_port}/')",
        ]
        direct = f"""
import socket
def direct(kind):
    try:
        with socket.socket(socket.AF_INET, kind) as sock:
            sock.settimeout(5)
            sock.connect(("127.0.0.1", {port}))
            sock.send(b"x")
            return sock.recv(10) if kind == socket.SOCK_STREAM else b""
    except OSError as error:
        return type(error).__name__
"""
        said = ok(await trial.run(f"{FETCH}\n[{', '.join(ways)}]", executor)).output
        that("--allow-host" in said[0], f"a refused request does not say how to allow it: {said[0]}")
        await trial.run(f"{direct}\n[direct(socket.SOCK_STREAM), direct(socket.SOCK_DGRAM)]", executor)
        expect(seen, [], "what a service of this machine that was not allowed was asked")


@check
async def no_hosts(trial: Trial) -> None:
    """Without an allowed host there is no proxy."""
    with _origin() as (port, seen):
        code = f"{FETCH}\n[fetch('http://localhost:{port}/'), fetch('http://127.0.0.1:3128/')]"
        executor = trial.fresh(additional_authorized_imports=["urllib.*"])
        await trial.run(code, executor)
        if not any(wall.name == NETWORK and wall.stands for wall in executor.boundary().walls):
            raise NotApplicable("no wall keeps this sandbox from the network")
        expect(seen, [], "what a service of this machine was asked")


@contextmanager
def _origin() -> Iterator[tuple[int, list[str]]]:
    """A service of the host: its port, and the first line of each request."""
    seen: list[str] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        try:
            while True:
                sock, _ = listener.accept()
                _answer(sock, seen)
        except OSError:
            pass  # closed

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield int(listener.getsockname()[1]), seen
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(2)


def _answer(sock: Any, seen: list[str]) -> None:
    with sock:
        sock.settimeout(2)
        try:
            first = sock.recv(65536).decode("latin-1").split("\r\n")[0]
            seen.append(first)
            said = first.split(" ")[1].strip("/").encode() if " " in first else b""
            sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(said), said))
        except OSError:
            pass  # it is gone
