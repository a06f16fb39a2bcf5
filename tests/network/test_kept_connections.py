"""Requests of one client to one host share a connection to it; each is judged, and what a host says unasked reaches no client."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h11
import pytest
from origins import NAME, Origin, origin, tls_context
from test_hostile import HERE, KEY, inside, request, talk

from smolcell.network import Credential, Keyring
from smolcell.network.names import Host
from smolcell.network.proxy import _Upstream

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Serve = Callable[[socket.socket, list[bytes]], None]


class Counting:
    """A server of this machine that runs ``serve`` for each connection; ``seen``: the requests of each."""

    def __init__(self, serve: Serve) -> None:
        self.seen: list[list[bytes]] = []
        self.listener = socket.create_server((HERE, 0))
        self.host = f"{HERE}:{self.listener.getsockname()[1]}"
        self._serve = serve
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        try:
            while True:
                sock, _ = self.listener.accept()
                self.seen.append([])
                threading.Thread(target=self._run, args=(sock, self.seen[-1]), daemon=True).start()
        except OSError:
            pass  # closed

    def _run(self, sock: socket.socket, seen: list[bytes]) -> None:
        with sock:
            sock.settimeout(10)
            try:
                self._serve(sock, seen)
            except OSError:
                pass


@contextmanager
def counting(serve: Serve) -> Iterator[Counting]:
    server = Counting(serve)
    with server.listener:
        yield server


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


async def in_turn(client: Any, *requests: bytes, after: threading.Semaphore | None = None) -> list[bytes]:
    """The answers to requests over one connection, each sent when the last was answered (and ``after`` was released)."""
    answers: list[bytes] = []
    async with client.opened() as (reader, writer):
        for each in requests:
            if after is not None and answers:
                await asyncio.to_thread(after.acquire, timeout=10)
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


def test_a_connection_that_the_host_closes_unsaid_is_replaced() -> None:
    def once(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            sock.sendall(OK)
            return

    def at_the_second(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            if len(seen) == 2:
                return
            sock.sendall(OK)

    for serve in (once, at_the_second):
        with counting(serve) as server:
            to = [request(f"http://{server.host}/", server.host) for _ in range(3)]
            assert asyncio.run(in_turn(talk(server.host), *to)) == [b"HTTP/1.1 200 OK ok"] * 3


def test_a_request_with_a_body_is_never_sent_twice() -> None:
    def at_the_second(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            if len(seen) == 2:
                return
            sock.sendall(OK)

    with counting(at_the_second) as server:
        post = f"POST http://{server.host}/ HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 0\r\n\r\n".encode()
        answers = asyncio.run(in_turn(talk(server.host), *[post] * 3))

    assert answers == [b"HTTP/1.1 200 OK ok"] * 3
    assert [len(each) for each in server.seen] == [1, 1, 1]


@pytest.mark.parametrize("later", [False, True])
def test_an_answer_that_was_not_asked_for_is_thrown_away(later: bool) -> None:
    unasked = OK.replace(b"ok", b"no")
    said = threading.Semaphore(0)

    def eager(sock: socket.socket, seen: list[bytes]) -> None:
        for _ in heads(sock, seen):
            for part in (OK, unasked) if later else (OK + unasked,):
                sock.sendall(part)
            said.release()

    with counting(eager) as server:
        to = [request(f"http://{server.host}/{at}", server.host) for at in range(2)]
        answers = asyncio.run(in_turn(talk(server.host), *to, after=said))

    assert answers == [b"HTTP/1.1 200 OK ok"] * 2
    assert [len(each) for each in server.seen] == [1, 1]


@pytest.mark.parametrize("unasked", [b"", OK])
def test_what_came_unasked_with_an_answer_is_seen_before_the_next_request(unasked: bytes) -> None:
    async def silent() -> bool:
        with socket.create_server((HERE, 0)) as listener:
            upstream = _Upstream(Host(*listener.getsockname()), *await asyncio.open_connection(*listener.getsockname()))
            await upstream.say(h11.Request(method="GET", target="/", headers=[("host", HERE)]))
            await upstream.say(h11.EndOfMessage())
            upstream._reader.feed_data(OK)
            events = [await upstream.next(_nothing) for _ in range(3)]
            assert isinstance(events[-1], h11.EndOfMessage)
            upstream._reader.feed_data(unasked)  # a pipelined request does not wait until it is read
            assert upstream.begin_next()
            try:
                return await upstream.is_silent()
            finally:
                upstream.close()

    async def _nothing() -> None:
        pass

    assert asyncio.run(silent()) is (not unasked)


def test_a_connection_that_carried_a_credential_carries_nothing_after_it(
    trusted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    peers = []

    class Noting(Origin):
        def do_GET(self) -> None:
            peers.append(self.client_address)
            super().do_GET()

    with origin(Noting, tls_context(trusted, tmp_path)) as server:
        target = f"{NAME}:{server.server_port}"
        keys = Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
        plain = f"GET / HTTP/1.1\r\nHost: {target}\r\n"
        key = f"Authorization: {keys.placeholders['WB_KEY']}\r\n"
        said = [plain, plain, plain + key, plain + "Connection: close\r\n"]
        client = talk(target, HERE, names={NAME: [HERE]}, keys=keys)
        answer = inside(client, target, "".join(f"{each}\r\n" for each in said).encode())

    assert answer.count(b"HTTP/1.1 200") == 4
    assert [peer == peers[0] for peer in peers] == [True, True, True, False]
