"""Requests of one client to one host share a connection to it; each is judged, and what a host says unasked reaches no client."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import socketserver
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import pytest
from http_server import served
from origins import Origin, origin, tls_context
from test_hostile import HERE, credited, inside, request, talk

from smolcell.network import proxy

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Serve = Callable[[socket.socket, list[bytes]], None]


class Counting(socketserver.ThreadingTCPServer):
    """A server of this machine that runs ``serve`` for each connection; ``seen``: the requests of each."""

    daemon_threads = True

    def __init__(self, serve: Serve) -> None:
        super().__init__((HERE, 0), socketserver.BaseRequestHandler)
        self.seen: list[list[bytes]] = []
        self.host = f"{HERE}:{self.server_address[1]}"
        self._serve = serve

    def finish_request(self, request: Any, client_address: Any) -> None:
        self.seen.append([])
        with suppress(OSError):
            request.settimeout(10)
            self._serve(request, self.seen[-1])


def counting(serve: Serve) -> AbstractContextManager[Counting]:
    return served(Counting(serve))


def heads(sock: socket.socket, seen: list[bytes]) -> Iterator[bytes]:
    """The requests that come, without bodies."""
    read = b""
    while data := sock.recv(65536):
        read += data
        while b"\r\n\r\n" in read:
            head, _, read = read.partition(b"\r\n\r\n")
            seen.append(head.split(b"\r\n")[0])
            yield head


def polite(sock: socket.socket, seen: list[bytes]) -> None:
    for _ in heads(sock, seen):
        sock.sendall(OK)


async def in_turn(client: Any, *requests: bytes, between: Callable[[], object] | None = None) -> list[bytes]:
    """The answers to requests over one connection, each sent when the last was answered (and ``between`` has returned)."""
    answers: list[bytes] = []
    async with client.opened() as (reader, writer):
        for each in requests:
            if between is not None and answers:
                await asyncio.to_thread(between)
                for _ in range(10):  # what was sent is there: the proxy reads it
                    await asyncio.sleep(0)
            writer.write(each)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            size = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            answers.append(head.split(b"\r\n")[0] + b" " + await asyncio.wait_for(reader.readexactly(size), 10))
    return answers


def test_requests_of_one_client_to_one_host_share_a_connection_and_are_recorded_one_by_one() -> None:
    with counting(polite) as server:
        client = talk(server.host)
        answers = asyncio.run(in_turn(client, *[request(f"http://{server.host}/{at}", server.host) for at in range(3)]))
    assert answers == [b"HTTP/1.1 200 OK ok"] * 3
    assert server.seen == [[b"GET /0 HTTP/1.1", b"GET /1 HTTP/1.1", b"GET /2 HTTP/1.1"]]
    assert [(f"{each.host}:{each.port}", each.received > 0) for each in client.seen] == [(server.host, True)] * 3


def test_clients_do_not_share_connections() -> None:
    with counting(polite) as server:
        client = talk(server.host)
        for at in range(2):
            client.ask(request(f"http://{server.host}/{at}", server.host))
    assert server.seen == [[b"GET /0 HTTP/1.1"], [b"GET /1 HTTP/1.1"]]


def test_the_next_request_to_another_host_is_judged_and_goes_there() -> None:
    with counting(polite) as server, counting(polite) as other, counting(polite) as shut:
        client = talk(server.host, other.host)
        to = [request(f"http://{each.host}/", each.host) for each in (server, other, shut)]
        answers = asyncio.run(in_turn(client, *to))
    assert [answer[:12] for answer in answers] == [b"HTTP/1.1 200", b"HTTP/1.1 200", b"HTTP/1.1 403"]
    assert (len(server.seen), len(other.seen), shut.seen) == (1, 1, [])


def test_a_host_that_is_allowed_no_more_is_refused_although_its_connection_is_open() -> None:
    with counting(polite) as server:
        client = talk(server.host)
        again = request(f"http://{server.host}/", server.host)

        async def act() -> list[bytes]:
            async with client.opened() as (reader, writer):
                writer.write(again)
                first = await asyncio.wait_for(reader.readuntil(b"ok"), 10)
                client.proxy.hosts = type(client.proxy.hosts)()
                writer.write(again)
                return [first[:12], (await asyncio.wait_for(reader.readline(), 10))[:12]]

        assert asyncio.run(act()) == [b"HTTP/1.1 200", b"HTTP/1.1 403"]
    assert [len(each) for each in server.seen] == [1]


def once(sock: socket.socket, seen: list[bytes]) -> None:
    next(heads(sock, seen))
    sock.sendall(OK)


def closes_at_the_second(sock: socket.socket, seen: list[bytes]) -> None:
    for _ in heads(sock, seen):
        if len(seen) == 2:
            return
        sock.sendall(OK)


@pytest.mark.parametrize("serve", [once, closes_at_the_second])
@pytest.mark.parametrize(("method", "length"), [("GET", ""), ("POST", ""), ("GET", "Content-Length: 0\r\n")])
def test_a_connection_that_the_host_closes_unsaid_is_replaced_and_no_body_is_sent_twice(
    serve: Serve, method: str, length: str
) -> None:
    with counting(serve) as server:
        asked = request(f"http://{server.host}/", server.host, length).replace(b"GET", method.encode(), 1)
        answers = asyncio.run(in_turn(talk(server.host), *[asked] * 3))
    assert answers == [b"HTTP/1.1 200 OK ok"] * 3
    assert (method, length) == ("GET", "") or [len(each) for each in server.seen] == [1, 1, 1]


@pytest.mark.parametrize("later", [False, True])
def test_an_answer_that_was_not_asked_for_is_thrown_away(later: bool) -> None:
    unasked = OK.replace(b"ok", b"no")
    answered, said = threading.Semaphore(0), threading.Semaphore(0)

    def eager(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            sock.sendall(OK if later else OK + unasked)
            answered.acquire(timeout=10)
            sock.sendall(unasked if later else b"")
            end = time.monotonic() + 60
            while any(fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4))):  # until it is at the proxy's end
                if time.monotonic() > end:
                    return  # the proxy has closed it
                time.sleep(0.001)
            said.release()

    def between() -> None:
        answered.release()
        said.acquire(timeout=10)

    with counting(eager) as server:
        to = [request(f"http://{server.host}/{at}", server.host) for at in range(2)]
        answers = asyncio.run(in_turn(talk(server.host), *to, between=between))
    assert answers == [b"HTTP/1.1 200 OK ok"] * 2
    assert [len(each) for each in server.seen] == [1, 1]


def test_an_answer_that_was_not_asked_for_is_noticed_also_if_the_next_request_is_there(monkeypatch: Any) -> None:
    monkeypatch.setattr(proxy, "CHUNK", len(OK))  # what follows the answer is read later

    def eager(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            sock.sendall(OK + OK.replace(b"ok", b"no"))

    with counting(eager) as server:
        answer = talk(server.host).ask(request(f"http://{server.host}/", server.host) * 2)
    assert (answer.count(b"ok"), answer.count(b"no")) == (2, 0)


def test_a_connection_that_carried_a_credential_carries_nothing_after_it(
    trusted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers = []

    class Noting(Origin):
        def do_GET(self) -> None:
            peers.append(self.client_address)
            super().do_GET()

    with origin(Noting, tls_context(trusted, tmp_path)) as server:
        client, target, key = credited(monkeypatch, server)
        more = ["", "", f"Authorization: {key}\r\n", "Connection: close\r\n"]
        answer = inside(client, target, b"".join(request("/", target, each) for each in more))
    assert answer.count(b"HTTP/1.1 200") == 4
    assert [peer == peers[0] for peer in peers] == [True, True, True, False]
