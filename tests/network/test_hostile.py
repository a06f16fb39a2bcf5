"""Hostile clients and hostile servers: none gets past the proxy, and nothing of it waits or grows without bound."""

from __future__ import annotations

import asyncio
import base64
import gzip
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from examples import cases
from origins import NAME, Origin, origin, tls_context

from smolcell.core.hosts import ConnectionAttempt
from smolcell.errors import SetupError
from smolcell.network import Credential, Hosts, Keyring, proxy
from smolcell.network.certificates import Issuer
from smolcell.network.proxy import Proxy

Act = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[Any]]
HERE = "127.0.0.1"
KEY = "s3cr3t-value-of-the-key"


class Line:
    """The client's end of the proxy's stream: both are sockets of this process."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        return await self._reader.read(65536)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class Talk:
    """A client of a proxy."""

    def __init__(self, made: Proxy) -> None:
        self.proxy = made
        self.seen: list[ConnectionAttempt] = []
        made.record = self.seen.append

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        near, far = socket.socketpair()
        served = asyncio.ensure_future(self._serve(near))
        reader, writer = await asyncio.open_connection(sock=far)
        try:
            yield reader, writer
        finally:
            writer.close()
            served.cancel()
            await asyncio.wait([served])
            await asyncio.sleep(0)  # what was closed last is closed

    async def _serve(self, sock: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=sock)
        try:
            await self.proxy.serve(Line(reader, writer))
        finally:
            writer.close()

    async def say(self, data: bytes) -> bytes:
        """Everything that the proxy answers to these bytes."""
        async with self.opened() as (reader, writer):
            writer.write(data)
            await writer.drain()
            writer.write_eof()
            return await asyncio.wait_for(reader.read(), 10)

    def ask(self, data: bytes) -> bytes:
        return asyncio.run(self.say(data))


def talk(*hosts: str, names: dict[str, list[str]] | None = None, keys: Keyring | None = None) -> Talk:
    known = names or {}

    def resolve(host: str, port: int) -> list[str]:
        if host not in known:
            raise AssertionError(f"{host} was looked up")
        return known[host]

    return Talk(Proxy(Hosts(hosts), keys or Keyring(), resolve))


def request(url: str, host: str, more: str = "") -> bytes:
    return f"GET {url} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode("latin-1")


@pytest.fixture
def allowed(plain: Any) -> tuple[Talk, str]:
    """A client that may reach this host, and the host."""
    host = f"allowed.test:{plain.server_port}"
    return talk(host, HERE, names={"allowed.test": [HERE]}), host


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What is answered up to its end, or up to a refusal: after one, the proxy waits for the client to close."""
    read = b""
    with suppress(ConnectionError):  # the proxy may be gone before TLS has said goodbye
        while data := await asyncio.wait_for(reader.read(65536), 10):
            read += data
            if b"\r\n\r\nsmolcell: " in read and read.endswith(b"\n"):
                break
    return read


# --- names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", cases(__file__, "targets"))
def test_connect_to_what_was_not_allowed_is_refused_before_it_is_looked_up(target: str) -> None:
    client = talk("allowed.test", "*.wild.test")
    answer = client.ask(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode("latin-1"))
    assert answer.split(b" ", 2)[1] in (b"400", b"403")


@pytest.mark.parametrize(
    ("name", "spelled"),
    [("allowed.test", "ALLOWED.Test"), ("allowed.test", "allowed.test."), ("bücher.test", "xn--bcher-kva.test")],
)
def test_other_spellings_of_an_allowed_host_are_that_host(plain: Any, name: str, spelled: str) -> None:
    known = {"allowed.test": [HERE], "xn--bcher-kva.test": [HERE]}
    client = talk(f"{name}:{plain.server_port}", HERE, names=known)
    named = f"{spelled}:{plain.server_port}"
    assert client.ask(request(f"http://{named}/", named)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("addresses", cases(__file__, "private addresses"))
def test_a_name_that_leads_to_a_private_address_is_refused(addresses: str) -> None:
    client = talk("rebound.test", names={"rebound.test": addresses.split()})
    answer = client.ask(request("http://rebound.test/", "rebound.test"))
    assert answer.startswith(b"HTTP/1.1 403")
    assert b"resolves to a private address" in answer


def test_a_name_is_looked_up_once_and_connected_to_as_it_was_judged(plain: Any) -> None:
    answers = iter([[HERE], ["10.9.9.9"]])  # a second answer would lead elsewhere
    port = plain.server_port
    client = Talk(Proxy(Hosts([f"rebound.test:{port}", HERE]), Keyring(), lambda host, port: next(answers)))
    assert client.ask(request(f"http://rebound.test:{port}/", f"rebound.test:{port}")).startswith(b"HTTP/1.1 200")


def test_a_redirect_to_a_private_address_is_judged_like_any_request(allowed: tuple[Talk, str]) -> None:
    client, host = allowed
    answer = client.ask(request(f"http://{host}/redirect?to=http://169.254.169.254/latest", host))
    assert b"302" in answer.split(b"\r\n")[0]
    assert client.ask(request("http://169.254.169.254/latest", "169.254.169.254")).startswith(b"HTTP/1.1 403")


# --- requests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", cases(__file__, "requests"))
def test_what_is_no_plain_request_to_one_host_is_not_passed_on(head: str) -> None:
    answer = talk("allowed.test").ask(head.encode("latin-1"))
    assert answer == b"" or answer.split(b" ", 2)[1] in (b"400", b"403", b"501")


def test_what_follows_a_request_is_a_request_of_its_own_and_judged(plain: Any, allowed: tuple[Talk, str]) -> None:
    client, host = allowed
    answer = client.ask(request(f"http://{host}/one", host) + request("http://evil.test/two", "evil.test"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"evil.test is not allowed" in answer
    assert [path for _, path, _ in plain.seen] == ["/one"]


def test_a_request_hidden_in_a_body_reaches_the_host_as_a_body(plain: Any, allowed: tuple[Talk, str]) -> None:
    client, host = allowed
    inner = b"GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(inner)}\r\n\r\n"
    assert inner in client.ask(head.encode() + inner)
    assert [path for _, path, _ in plain.seen] == ["/"]


def test_headers_that_are_for_the_proxy_stay_there(plain: Any, allowed: tuple[Talk, str]) -> None:
    client, host = allowed
    own = "Proxy-Authorization: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nTE: x\r\n"
    client.ask(request(f"http://{host}/", host, own))
    assert {name.lower() for name in plain.seen[0][2]} == {"host"}


def test_a_huge_head_is_refused() -> None:
    answer = talk("allowed.test").ask(request("http://allowed.test/", "allowed.test", f"X: {'a' * 200_000}\r\n"))
    assert answer == b"" or answer.startswith(b"HTTP/1.1 431")


def test_a_client_that_sends_its_head_slowly_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "HEAD_SECONDS", 0.3)

    async def drip() -> bytes:
        client = talk("allowed.test")
        async with client.opened() as (reader, writer):
            for byte in b"GET http://allo":
                writer.write(bytes([byte]))
                await asyncio.sleep(0.03)
            return await rest(reader)

    assert b"408" in asyncio.run(drip())


# --- tunnels -------------------------------------------------------------------------------------------------------------


async def tunnel(client: Talk, target: str, act: Act) -> Any:
    async with client.opened() as (reader, writer):
        writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        return await act(reader, writer)


def handshake(name: str | None) -> Act:
    """What a TLS client with this server name meets."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Any:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        try:
            await asyncio.wait_for(writer.start_tls(context, server_hostname=name), 10)
        except (ssl.SSLError, OSError) as error:
            return type(error)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return await asyncio.wait_for(reader.read(), 10)

    return act


@pytest.mark.parametrize("name", [NAME, "evil.test", "sub.api.example.test", None, "127.0.0.1"])
def test_a_tls_handshake_must_name_the_host_of_the_connect(secure: Any, name: str | None) -> None:
    target = f"{NAME}:{secure.server_port}"
    client = talk(target, HERE, names={NAME: [HERE]})
    said = asyncio.run(tunnel(client, target, handshake(name)))
    if name == NAME:
        assert (b" 200 " in said.split(b"\r\n")[0], client.seen[0].received > 500) == (True, True)
    else:
        assert isinstance(said, type)
        assert "the TLS handshake" in client.seen[0].refused
        assert secure.seen == []


NO_TLS = [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", bytes(100), b"SSH-2.0-x\r\n", b"\x16\x03\x01\xff\xff" + b"a" * 70000]


@pytest.mark.parametrize("data", [*NO_TLS, b""], ids=["HTTP", "zeros", "SSH", "too long", "nothing"])
def test_only_tls_goes_through_a_tunnel(
    plain: Any, allowed: tuple[Talk, str], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(proxy, "HEAD_SECONDS", 0.3 if not data else 15)
    client, target = allowed

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(data)
        return await rest(reader)

    assert asyncio.run(tunnel(client, target, act)) == b""
    assert plain.seen == []
    assert not data or "only TLS" in client.seen[0].refused


# --- TLS that the proxy opens ----------------------------------------------------------------------------------------------


def credited(monkeypatch: pytest.MonkeyPatch, server: Any, *more: str, value: str = KEY) -> tuple[Talk, str, str]:
    """A client with a credential for a server, the server's host, and the placeholder of the credential."""
    monkeypatch.setenv("WB_KEY", value)
    target = f"{NAME}:{server.server_port}"
    keys = Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
    client = talk(target, HERE, *more, names={NAME: [HERE], "other.test": [HERE]}, keys=keys)
    return client, target, keys.placeholders["WB_KEY"]


def inside(client: Talk, target: str, data: bytes) -> bytes:
    """What is answered to these bytes within TLS that the proxy opens."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        context = ssl.create_default_context(cadata=client.proxy.certificates)
        await writer.start_tls(context, server_hostname=target.partition(":")[0])
        writer.write(data)
        await writer.drain()
        return await rest(reader)

    answer: bytes = asyncio.run(tunnel(client, target, act))
    return answer


@pytest.mark.parametrize("data", cases(__file__, "requests within TLS"))
def test_within_tls_the_host_header_must_name_the_host_and_placeholders_stay_out(
    secure: Any, monkeypatch: pytest.MonkeyPatch, data: str
) -> None:
    client, target, key = credited(monkeypatch, secure)
    text = data.format(target=target, key=key, long="a" * 70_000, size=70_000 + len(key))
    answer = inside(client, target, text.encode())
    assert answer.split(b" ", 2)[1] in (b"400", b"403")
    assert secure.seen == [] or "{long}" in data  # the key is found when the head was passed on
    assert KEY not in repr(secure.seen)
    assert any(each.refused for each in client.seen)


def test_a_placeholder_is_sent_to_no_other_host_and_not_without_tls(
    secure: Any, plain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = f"{HERE}:{plain.server_port}", f"other.test:{plain.server_port}"
    client, _, key = credited(monkeypatch, secure, other)
    header = f"Authorization: {key}\r\n"
    unsafe = client.ask(request(f"http://{host}/", host, header))
    for answer in (unsafe, inside(client, other, request("/", other, header))):
        assert b"the credential WB_KEY is sent only to" in answer
    assert plain.seen == []


def test_the_proxy_does_not_fill_in_a_credential_for_a_host_whose_certificate_is_not_valid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with origin(Origin, tls_context(Issuer(), tmp_path)) as server:
        client, target, key = credited(monkeypatch, server)
        assert b"is not valid" in inside(client, target, request("/", target, f"Authorization: {key}\r\n"))
        assert server.seen == []


class Echo(Origin):
    """Sends the credential back, in several ways."""

    def do_GET(self) -> None:
        secret = self.headers["Authorization"]
        if self.path == "/gzip":
            self.answer(gzip.compress(secret.encode()), Content_Encoding="gzip")
        elif self.path == "/pieces":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for letter in f"<{secret}>":
                self.wfile.write(b"1\r\n" + letter.encode() + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
        elif self.path.startswith("/header?"):
            line = unquote(self.path.partition("?")[2]).format(key=secret, lower=secret.lower())
            self.wfile.write(f"HTTP/1.1 200 {secret.lower()}\r\nContent-Length: 0\r\n{line}\r\n\r\n".encode())
        else:
            coded = base64.b64encode(secret.encode()).decode()
            self.answer(f"{secret} {quote(secret)} {coded}", X_Echo=secret)


@pytest.mark.parametrize("path", ["/", "/pieces", "/gzip"])
def test_an_answer_that_holds_the_credential_does_not_hold_it_any_more(
    trusted: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    with origin(Echo, tls_context(trusted, tmp_path)) as server:
        client, target, key = credited(monkeypatch, server)
        answer = inside(client, target, request(path, target, f"Authorization: {key}\r\nConnection: close\r\n"))
    assert KEY.encode() not in answer
    assert base64.b64encode(KEY.encode())[:20] not in answer
    if path == "/gzip":
        assert b"the proxy cannot remove credentials from it" in answer
    else:
        assert b"*" * len(KEY) in answer or b"*\r\n" in answer


HIDDEN, PAIR = "*" * len(KEY), "12345:Ab-Cd_Ef"


@pytest.mark.parametrize(
    ("secret", "line", "passed_on"),
    [
        (KEY, "{key}: 1", f"{HIDDEN}: 1"),
        (KEY, "X-{key}-x: 1", f"X-{HIDDEN}-x: 1"),
        (KEY, "{lower}: 1", f"{HIDDEN}: 1"),
        (KEY, "X: {lower}", f"X: {HIDDEN}"),
        (KEY, "{key}: {key}", f"{HIDDEN}: {HIDDEN}"),
        (PAIR, "{key}", "*" * len(PAIR) + ": "),
        (PAIR, "X-{key}: 1", "X-" + "*" * len(PAIR) + ": 1"),
        ("a/b+c=def", "a%2Fb%2Bc%3Ddef: 1", "*" * 15 + ": 1"),
        ("a_key-4711", "X-A-Key-4711: a-key_4711", f"X-{'*' * 10}: {'*' * 10}"),
    ],
)
def test_no_head_of_an_answer_holds_the_credential(
    trusted: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str, line: str, passed_on: str
) -> None:
    with origin(Echo, tls_context(trusted, tmp_path)) as server:
        client, target, key = credited(monkeypatch, server, value=secret)
        head = f"Authorization: {key}\r\nConnection: close\r\n"
        answer = inside(client, target, request(f"/header?{quote(line)}", target, head)).decode()
    assert (
        answer == f"HTTP/1.1 200 {'*' * len(secret)}\r\nContent-Length: 0\r\n{passed_on}\r\nConnection: close\r\n\r\n"
    )


# --- hostile servers -------------------------------------------------------------------------------------------------------


def asked(answer: Callable[[socket.socket], Any]) -> bytes:
    """What a client gets from a server that does so with its one connection."""

    def serve() -> None:
        sock, _ = listener.accept()
        with sock, suppress(OSError):
            sock.settimeout(10)
            sock.recv(65536)
            answer(sock)

    with socket.create_server((HERE, 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        host = f"{HERE}:{listener.getsockname()[1]}"
        return talk(host).ask(request(f"http://{host}/", host))


@pytest.mark.parametrize(
    "said",
    [
        b"no http at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"a" * 300_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        b"",
    ],
)
def test_an_answer_that_is_no_plain_http_is_an_error_for_the_client(said: bytes) -> None:
    answer = asked(lambda sock: sock.sendall(said))
    assert answer.startswith(b"HTTP/1.1 502") or (b"chunked" in said and b"zz" not in answer)


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "IDLE_SECONDS", 0.3)
    answer = asked(lambda sock: sock.recv(1))  # until the proxy closes the connection
    assert answer.split(b" ", 2)[1] in (b"502", b"504")


def test_a_compressed_answer_is_passed_on_as_it_is() -> None:
    bomb = gzip.compress(bytes(20_000_000))
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
    assert asked(lambda sock: sock.sendall(head.encode() + bomb)).endswith(bomb)


def test_bytes_of_a_step_are_bounded(plain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_BYTES", 100_000)
    host = f"{HERE}:{plain.server_port}"
    answer = talk(host).ask(request(f"http://{host}/bytes?1000000", host))
    assert len(answer) < 400_000


def test_connections_of_a_step_are_bounded(plain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_TOTAL", 2)
    host = f"{HERE}:{plain.server_port}"
    client = talk(host)
    answers = [client.ask(request(f"http://{host}/", host)) for _ in range(3)]
    assert [answer.split(b" ", 2)[1] for answer in answers] == [b"200", b"200", b"429"]


@pytest.mark.parametrize("value", ["", " padded-value-1234 ", "two\nlines-1234", "nüll-1234-5678"])
def test_a_value_that_no_header_can_hold_is_no_credential(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("WB_KEY", value)
    keyring = Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=["api.example.org"])})
    with pytest.raises(SetupError, match="WB_KEY has no value") as raised:
        keyring.check()
    assert not value or value not in str(raised.value)
