"""Hostile clients and hostile servers: none gets past the proxy, and nothing of it waits or grows without bound."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from origins import NAME, Origin, origin, tls_context

from smolcell.errors import SetupError
from smolcell.network import Credential, Hosts, Keyring, proxy
from smolcell.network.certificates import Issuer
from smolcell.network.proxy import Connection, Proxy

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
        self.seen: list[Connection] = []
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


# --- names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "127.0.0.1:443",
        "[::1]:443",
        "[::ffff:127.0.0.1]:443",
        "2130706433:443",
        "127.1:443",
        "0x7f000001:443",
        "0177.0.0.1:443",
        "169.254.169.254:80",
        "evil.test:443",
        "allowed.test.evil.test:443",
        "evilallowed.test:443",
        "allowed.test@evil.test:443",
        "allowed.test#@evil.test:443",
        "allowed.test%2f@evil.test:443",
        "allowed.test:443@evil.test:443",
        "allowed.test\\.evil.test:443",
        "allowed.test..:443",
        ".allowed.test:443",
        "allowed.test:0",
        "allowed.test:99999",
        "allowed.test:22",
        "allowed.test",
        "xn--llowed-lua.test:443",
        "a.b.wild.test:443",
        "wild.test:443",
        "localhost:443",
        "http://allowed.test:443",
        "allowed.test:443/path",
    ],
)
def test_connect_to_what_was_not_allowed_is_refused_before_it_is_looked_up(target: str) -> None:
    client = talk("allowed.test", "*.wild.test")

    answer = client.ask(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode("latin-1"))

    assert answer.split(b" ", 2)[1] in (b"400", b"403")
    assert b"200" not in answer.split(b"\r\n")[0]


@pytest.mark.parametrize("spelled", ["ALLOWED.Test:{}", "allowed.test.:{}"])
def test_other_spellings_of_an_allowed_host_are_that_host(plain: Any, spelled: str) -> None:
    port = plain.server_port
    client = talk(f"allowed.test:{port}", HERE, names={"allowed.test": [HERE]})
    named = spelled.format(port)

    assert client.ask(request(f"http://{named}/", named)).startswith(b"HTTP/1.1 200")


def test_a_name_in_another_script_is_compared_as_punycode(plain: Any) -> None:
    port = plain.server_port
    client = talk(f"bücher.test:{port}", HERE, names={"xn--bcher-kva.test": [HERE]})
    named = f"xn--bcher-kva.test:{port}"

    assert client.ask(request(f"http://{named}/", named)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fd00::1"],
        ["fe80::1%eth0"],
        ["0.0.0.0"],
        ["100.64.0.1"],
        ["192.0.0.192"],
        ["93.184.215.14", "127.0.0.1"],
    ],
)
def test_a_name_that_leads_to_a_private_address_is_refused(addresses: list[str]) -> None:
    client = talk("rebound.test", names={"rebound.test": addresses})

    answer = client.ask(request("http://rebound.test/", "rebound.test"))

    assert answer.startswith(b"HTTP/1.1 403")
    assert b"resolves to a private address" in answer


def test_a_name_is_looked_up_once_and_connected_to_as_it_was_judged(plain: Any) -> None:
    answers = iter([[HERE], ["10.9.9.9"]])  # a second answer would lead elsewhere
    port = plain.server_port
    client = Talk(Proxy(Hosts([f"rebound.test:{port}", HERE]), Keyring(), lambda host, port: next(answers)))

    assert client.ask(request(f"http://rebound.test:{port}/", f"rebound.test:{port}")).startswith(b"HTTP/1.1 200")


def test_a_redirect_to_a_private_address_is_judged_like_any_request(plain: Any) -> None:
    port = plain.server_port
    client = talk(f"allowed.test:{port}", HERE, names={"allowed.test": [HERE]})
    host = f"allowed.test:{port}"
    answer = client.ask(request(f"http://{host}/redirect?to=http://169.254.169.254/latest", host))

    assert b"302" in answer.split(b"\r\n")[0]
    assert client.ask(request("http://169.254.169.254/latest", "169.254.169.254")).startswith(b"HTTP/1.1 403")


# --- requests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        "GET http://allowed.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        "GET http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nHost: evil.test\r\n\r\n",
        "GET http://allowed.test/ HTTP/1.1\r\n\r\n",
        "GET http://allowed.test@evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        "GET http://evil.test#allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET http://evil.test\\@allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET http://evil.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET https://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET ftp://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "GET //allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
        "POST http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "POST http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nContent-Length: +4\r\n\r\nabcd",
        "GET http://allowed.test/ HTTP/1.1\r\nHost : allowed.test\r\n\r\n",
        "GET http://allowed.test/ HTTP/1.1\nHost: allowed.test\r\nX: a\rGET http://evil.test/\r\n\r\n",
        "CONNECT allowed.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "SSH-2.0-client\r\n",
        "\x05\x01\x00",
    ],
)
def test_what_is_no_plain_request_to_one_host_is_not_passed_on(head: str) -> None:
    client = talk("allowed.test")

    answer = client.ask(head.encode("latin-1"))

    assert answer == b"" or answer.split(b" ", 2)[1] in (b"400", b"403", b"501")


def test_what_follows_a_request_is_a_request_of_its_own_and_judged(plain: Any) -> None:
    port = plain.server_port
    client = talk(f"allowed.test:{port}", HERE, names={"allowed.test": [HERE]})
    host = f"allowed.test:{port}"

    answer = client.ask(request(f"http://{host}/one", host) + request("http://evil.test/two", "evil.test"))

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"evil.test is not allowed" in answer
    assert [path for _, path, _ in plain.seen] == ["/one"]


def test_a_request_hidden_in_a_body_reaches_the_host_as_a_body(plain: Any) -> None:
    port = plain.server_port
    client = talk(f"allowed.test:{port}", HERE, names={"allowed.test": [HERE]})
    inner = b"GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"POST http://allowed.test:{port}/ HTTP/1.1\r\nHost: allowed.test:{port}\r\nContent-Length: {len(inner)}\r\n\r\n"

    answer = client.ask(head.encode() + inner)

    assert inner in answer
    assert [path for _, path, _ in plain.seen] == ["/"]


def test_headers_that_are_for_the_proxy_stay_there(plain: Any) -> None:
    port = plain.server_port
    client = talk(f"allowed.test:{port}", HERE, names={"allowed.test": [HERE]})
    host = f"allowed.test:{port}"
    client.ask(
        request(
            f"http://{host}/", host, "Proxy-Authorization: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nTE: x\r\n"
        )
    )

    assert {name.lower() for name in plain.seen[0][2]} == {"host"}


def test_a_huge_head_is_refused(plain: Any) -> None:
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
            return await asyncio.wait_for(reader.read(), 10)

    assert b"408" in asyncio.run(drip())


# --- tunnels -------------------------------------------------------------------------------------------------------------


async def tunnel(
    client: Talk, target: str, act: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[Any]]
) -> Any:
    async with client.opened() as (reader, writer):
        writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        return await act(reader, writer)


def handshake(name: str | None) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[Any]]:
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


@pytest.mark.parametrize("name", ["evil.test", "sub.api.example.test", None, "127.0.0.1"])
def test_a_tls_handshake_must_name_the_host_of_the_connect(secure: Any, name: str | None) -> None:
    target = f"{NAME}:{secure.server_port}"
    client = talk(target, HERE, names={NAME: [HERE]})

    said = asyncio.run(tunnel(client, target, handshake(name)))

    assert isinstance(said, type)
    assert "the TLS handshake" in client.seen[0].refused
    assert secure.seen == []


def test_a_tls_handshake_that_names_it_passes(secure: Any) -> None:
    target = f"{NAME}:{secure.server_port}"
    client = talk(target, HERE, names={NAME: [HERE]})

    assert b" 200 " in asyncio.run(tunnel(client, target, handshake(NAME))).split(b"\r\n")[0]
    assert client.seen[0].received > 500


@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00" * 100, b"SSH-2.0-x\r\n", b"\x16\x03\x01\xff\xff" + b"a" * 70000],
)
def test_only_tls_goes_through_a_tunnel(plain: Any, data: bytes) -> None:
    target = f"allowed.test:{plain.server_port}"
    client = talk(target, HERE, names={"allowed.test": [HERE]})

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(data)
        return await asyncio.wait_for(reader.read(), 10)

    assert asyncio.run(tunnel(client, target, act)) == b""
    assert plain.seen == []
    assert "only TLS" in client.seen[0].refused


def test_a_client_that_opens_a_tunnel_and_says_nothing_is_ended(plain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "HEAD_SECONDS", 0.3)
    target = f"allowed.test:{plain.server_port}"
    client = talk(target, HERE, names={"allowed.test": [HERE]})

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        return await asyncio.wait_for(reader.read(), 10)

    assert asyncio.run(tunnel(client, target, act)) == b""


# --- TLS that the proxy opens ----------------------------------------------------------------------------------------------


@pytest.fixture
def keys(secure: Any, monkeypatch: pytest.MonkeyPatch) -> Keyring:
    monkeypatch.setenv("WB_KEY", KEY)
    return Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=[f"{NAME}:{secure.server_port}"])})


def inside(client: Talk, target: str, data: bytes) -> bytes:
    """What is answered to these bytes within TLS that the proxy opens."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        context = ssl.create_default_context(cadata=client.proxy.certificates)
        await writer.start_tls(context, server_hostname=target.partition(":")[0])
        writer.write(data)
        await writer.drain()
        return await asyncio.wait_for(reader.read(), 10)

    answer: bytes = asyncio.run(tunnel(client, target, act))
    return answer


@pytest.mark.parametrize(
    "data",
    [
        "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {target}\r\nHost: evil.test\r\n\r\n",
        "GET https://evil.test/ HTTP/1.1\r\nHost: {target}\r\n\r\n",
        "GET https://{target}/ HTTP/1.1\r\nHost: {target}\r\n\r\n",
        "CONNECT evil.test:443 HTTP/1.1\r\nHost: {target}\r\n\r\n",
        "GET /{key} HTTP/1.1\r\nHost: {target}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {target}\r\nX-{key}: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: {target}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_within_tls_the_host_header_must_name_the_host_and_placeholders_stay_out(
    secure: Any, keys: Keyring, data: str
) -> None:
    target = f"{NAME}:{secure.server_port}"
    client = talk(target, HERE, names={NAME: [HERE]}, keys=keys)
    text = data.format(target=target, key=keys.placeholders["WB_KEY"])

    answer = inside(client, target, text.encode())

    assert answer.split(b" ", 2)[1] in (b"400", b"403")
    assert secure.seen == []
    assert any(each.refused for each in client.seen)


def test_the_proxy_does_not_fill_in_a_credential_for_a_host_whose_certificate_is_not_valid(
    keys: Keyring, tmp_path: Path
) -> None:
    stranger = Issuer()
    with origin(Origin, tls_context(stranger, tmp_path, "other.test")) as server:
        target = f"{NAME}:{server.server_port}"
        keyring = Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
        client = talk(target, HERE, names={NAME: [HERE]}, keys=keyring)
        head = f"GET / HTTP/1.1\r\nHost: {target}\r\nAuthorization: {keyring.placeholders['WB_KEY']}\r\n\r\n"

        answer = inside(client, target, head.encode())

        assert b"is not valid" in answer
        assert server.seen == []


class Echo(Origin):
    """Sends the credential back, in several ways."""

    def do_GET(self) -> None:
        import base64
        from urllib.parse import quote

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
        else:
            coded = base64.b64encode(secret.encode()).decode()
            self.answer(f"{secret} {quote(secret)} {coded}", X_Echo=secret)


@pytest.mark.parametrize("path", ["/", "/pieces", "/gzip"])
def test_an_answer_that_holds_the_credential_does_not_hold_it_any_more(
    trusted: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    with origin(Echo, tls_context(trusted, tmp_path)) as server:
        target = f"{NAME}:{server.server_port}"
        keyring = Keyring({"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
        client = talk(target, HERE, names={NAME: [HERE]}, keys=keyring)
        head = f"GET {path} HTTP/1.1\r\nHost: {target}\r\nConnection: close\r\nAuthorization: {keyring.placeholders['WB_KEY']}\r\n\r\n"

        answer = inside(client, target, head.encode())

    import base64

    assert KEY.encode() not in answer
    assert base64.b64encode(KEY.encode())[:20] not in answer
    if path == "/gzip":
        assert b"the proxy cannot remove credentials from it" in answer
    else:
        assert b"*" * len(KEY) in answer or b"*\r\n" in answer


# --- hostile servers -------------------------------------------------------------------------------------------------------


def raw_server(answer: Callable[[socket.socket], None]) -> tuple[int, socket.socket]:
    listener = socket.create_server((HERE, 0))

    def serve() -> None:
        try:
            sock, _ = listener.accept()
            with sock:
                sock.settimeout(10)
                sock.recv(65536)
                answer(sock)
        except OSError:
            pass

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1], listener


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
    port, listener = raw_server(lambda sock: sock.sendall(said))
    with listener:
        answer = talk(f"{HERE}:{port}").ask(request(f"http://{HERE}:{port}/", f"{HERE}:{port}"))

    assert answer.startswith(b"HTTP/1.1 502") or (b"chunked" in said and b"zz" not in answer)


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "IDLE_SECONDS", 0.3)
    ended = threading.Event()
    port, listener = raw_server(lambda sock: (ended.wait(10), None)[1])
    with listener:
        answer = talk(f"{HERE}:{port}").ask(request(f"http://{HERE}:{port}/", f"{HERE}:{port}"))
        ended.set()

    assert b"502" in answer.split(b"\r\n")[0] or b"504" in answer.split(b"\r\n")[0]


def test_a_compressed_answer_is_passed_on_as_it_is() -> None:
    bomb = gzip.compress(bytes(20_000_000))

    def answer(sock: socket.socket) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
        sock.sendall(head.encode() + bomb)

    port, listener = raw_server(answer)
    with listener:
        said = talk(f"{HERE}:{port}").ask(request(f"http://{HERE}:{port}/", f"{HERE}:{port}"))

    assert said.endswith(bomb)


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
