"""The HTTP proxy through which code reaches hosts: decides, resolves and connects, outside of the sandbox.

* A name is checked before it is resolved. It is resolved once; the checked addresses are the ones connected to.
* A request is parsed completely by h11 and written anew, never passed on as bytes; each request is checked.
* A tunnel must begin with a TLS handshake that names the host of the CONNECT.
* A credential is inserted into one header, for its hosts, over TLS verified here. It is never part of an error or record.
* Connections, bytes and idle times are limited.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from smolcell.core.hosts import ConnectionAttempt, Host, Hosts, canonical, is_address, not_allowed, read_host
from smolcell.core.redaction import encodings
from smolcell.core.text import visible
from smolcell.machine.environment import importing
from smolcell.network import Keyring
from smolcell.network.addresses import Resolve, check, resolve
from smolcell.network.tls import Authority, ByteStream, TlsStream, client_context, read_server_name, trusted

with importing():
    import h11

MAX_CONNECTIONS = 128  # at once
MAX_TOTAL = 2000  # connections of one step
MAX_BYTES = 4 << 30  # of one step, in both directions together
MAX_HEAD = 64 << 10  # bytes of the head of a request or an answer
HEAD_SECONDS = 15.0  # for the head of a client's first request, and for a TLS handshake
CONNECT_SECONDS = 15.0
IDLE_SECONDS = 120.0  # without any data
LINGER_SECONDS = 1.0  # in which a refused client may go on sending
CHUNK = 128 << 10
NOT_PASSED_ON = frozenset(
    b"connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade expect".split()
)
REPEATABLE = frozenset((b"GET", b"HEAD", b"OPTIONS"))
"""Methods of requests without a body that can be sent again if the connection turns out to be closed."""
BODY = frozenset((b"content-length", b"transfer-encoding"))


class RefusedError(Exception):
    """The proxy refuses a request. The text is shown to the code, and so to the model."""

    def __init__(self, message: str, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


Ask = Callable[[Host], Awaitable[str]]
"""Asks whether code may connect to a host that is not on the list; returns the reason for a refusal, or ""."""


@dataclass(slots=True)
class Proxy:
    """The proxy of one sandbox. All methods are called on its event loop.

    Args:
        hosts: hosts that are allowed without asking.
        keys: credentials.
        resolve: resolves a host and port to addresses; blocks.
        plain_tunnels: the code does not use TLS: tunnels carry plain HTTP, and the proxy opens TLS to the host.

    Attributes:
        ask: asks about other hosts.
        record: called with each connection that was closed, and each attempt that was refused.
    """

    hosts: Hosts
    keys: Keyring = field(default_factory=Keyring)
    resolve: Resolve = resolve
    plain_tunnels: bool = False
    ask: Ask | None = None
    record: Callable[[ConnectionAttempt], object] = lambda connection: None
    _authority: Authority | None = None
    _upstream: ssl.SSLContext | None = None
    _forms: tuple[bytes, ...] = ()
    _now: int = 0
    _total: int = 0
    _bytes: int = 0

    def __post_init__(self) -> None:
        if self.keys or self.plain_tunnels:
            self._upstream = client_context()
        if self.keys:
            self.keys.check()
            self._authority = None if self.plain_tunnels else Authority()
            known = {form for value in self.keys.values() for form in encodings(value.decode("ascii"))}
            self._forms = tuple(sorted((form.encode() for form in known if len(form) >= 4), key=len, reverse=True))

    @property
    def certificates(self) -> str:
        """The certificates that programs in the sandbox trust, as PEM."""
        if self.plain_tunnels:
            return ""
        return trusted() + (f"\n{self._authority.certificate}" if self._authority is not None else "")

    def begin_step(self) -> None:
        """Begin a step: reset its counters."""
        self._total = self._bytes = 0

    async def serve(self, stream: ByteStream) -> None:
        """Serve one client until one of the ends closes."""
        self._total += 1
        if self._now >= MAX_CONNECTIONS or self._total > MAX_TOTAL:
            await _Client(stream).refuse(RefusedError("this step has opened too many connections", 429))
            return
        self._now += 1
        try:
            await self._serve(_Client(stream), None)
        finally:
            self._now -= 1

    async def _serve(self, client: _Client, tunnel: Host | None) -> None:
        try:
            while await self._answer(client, tunnel):
                pass
        finally:
            client.close_kept()

    async def _answer(self, client: _Client, tunnel: Host | None) -> bool:
        """Answer one request. Returns whether the connection can carry another.

        Args:
            tunnel: the host of the TLS tunnel; None for a direct request to the proxy.
        """
        connection, began = ConnectionAttempt(), time.monotonic()
        if tunnel is not None:
            connection.host, connection.port = tunnel
        try:
            request = await client.request(HEAD_SECONDS if client.is_new else IDLE_SECONDS)
            if request is None:
                return False
            if request.method == b"CONNECT" and tunnel is None:
                await self._tunnel(client, request, connection)
                return False
            return await self._forward(client, request, connection, tunnel)
        except RefusedError as refused:
            if connection.host or refused.status != 408:
                connection.refused = str(refused)
            await client.refuse(refused)
        except h11.LocalProtocolError:  # its text may contain a credential
            await client.refuse(RefusedError("the request cannot be passed on as HTTP", 400))
        except (h11.ProtocolError, ValueError) as error:
            connection.refused = f"not a plain HTTP request ({visible(str(error))[:200]})"
            status = getattr(error, "error_status_hint", 400)
            await client.refuse(RefusedError(connection.refused, status))
        except (OSError, TimeoutError) as error:
            await client.refuse(
                RefusedError(f"the connection failed: {visible(str(error) or type(error).__name__)[:200]}", 502)
            )
        finally:
            if (connection.sent or connection.refused or connection.port) and not (tunnel and not connection.refused):
                connection.seconds = time.monotonic() - began
                self.record(connection)
        return False

    # --- hosts and addresses ---

    async def _admit(self, host: Host, connection: ConnectionAttempt) -> None:
        """Raise RefusedError if code may not connect to a host."""
        connection.host, connection.port = host
        if not self.hosts.allow(host):
            why = await self.ask(host) if self.ask is not None else not_allowed(host)
            if why:
                raise RefusedError(why)

    async def _addresses(self, host: Host) -> list[str]:
        private = self.hosts.private()
        if host.name == "localhost":  # allowed by this name
            return ["127.0.0.1", "::1"]
        try:
            addresses = [host.name] if is_address(host.name) else await asyncio.to_thread(self.resolve, *host)
            if not addresses:
                raise RefusedError(f"{host.name} has no address", 502)
            return [check(address, private) for address in addresses]
        except PermissionError as error:  # a private address of a public name may be DNS rebinding
            raise RefusedError(
                f"{host.name} resolves to a private address ({error}). To allow that: --allow-host {str(error).split(' ')[0]}"
            ) from None
        except OSError as error:
            raise RefusedError(f"{host.name} could not be resolved: {error.strerror or error}", 502) from None

    async def _connect(self, addresses: Iterable[str], host: Host, tls: bool = False) -> _Upstream:
        last: Exception = OSError("no address")
        for address in addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    context = self._upstream if tls else None
                    pair = await asyncio.open_connection(
                        address, host.port, limit=CHUNK, ssl=context, server_hostname=host.name if context else None
                    )
                    return _Upstream(host, *pair)
            except ssl.SSLCertVerificationError as error:
                raise RefusedError(
                    f"the certificate of {host.name} is not valid: {error.verify_message}", 502
                ) from None
            except (OSError, TimeoutError) as error:
                last = error
        raise RefusedError(f"{host} cannot be reached: {getattr(last, 'strerror', None) or type(last).__name__}", 502)

    # --- tunnels ---

    async def _tunnel(self, client: _Client, request: h11.Request, connection: ConnectionAttempt) -> None:
        host = read_host(request.target.decode("ascii"))
        if not host.port:
            raise ValueError("CONNECT names a host and a port")
        for name, value in request.headers:
            if name == b"host" and canonical_host(value, host.port) != host:
                raise RefusedError("CONNECT and its Host header name different hosts", 400)
        self._check_placeholders([request.target, *(value for _, value in request.headers)], host)
        await self._admit(host, connection)
        addresses = await self._addresses(host)
        if self.plain_tunnels:
            first = await client.accept_tunnel()
            await self._serve(_Client(client.stream, first, connection, addresses), host)
            return
        upstream = None if self._authority is not None else await self._connect(addresses, host)
        try:
            first = await client.accept_tunnel()
            first = await self._check_server_name(client, host, first)
            if upstream is None:
                await self._open_tls(client, host, first, connection, addresses)
            else:
                await self._relay(client, upstream, first, connection)
        finally:
            if upstream is not None:
                upstream.close()

    @staticmethod
    async def _check_server_name(client: _Client, host: Host, first: bytes) -> bytes:
        """Read the handshake, which must name the host."""
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                name, read = await read_server_name(client.stream, first)
        except ValueError:
            raise RefusedError(f"only TLS goes through CONNECT to {host}") from None
        if name is None and is_address(host.name):
            return read
        try:
            same = name is not None and canonical(name) == host.name
        except ValueError:
            same = False
        if not same:
            raise RefusedError(f"CONNECT named {host.name}, and the TLS handshake {visible(name or 'no host')[:100]}")
        return read

    async def _relay(self, client: _Client, upstream: _Upstream, first: bytes, connection: ConnectionAttempt) -> None:
        """Relay bytes in both directions until both ends have closed or no data comes for a while."""
        active = time.monotonic()

        async def outwards() -> None:
            nonlocal active
            data = first
            while data:
                active = time.monotonic()
                connection.sent += self._count(len(data))
                await upstream.write(data)
                data = await client.stream.read()
            upstream.end()

        async def inwards() -> None:
            nonlocal active
            while data := await upstream.read():
                active = time.monotonic()
                connection.received += self._count(len(data))
                await client.stream.write(data)

        copies = [asyncio.ensure_future(outwards()), asyncio.ensure_future(inwards())]
        try:
            while not copies[1].done():  # the host's end decides
                await asyncio.wait(copies[1:], timeout=IDLE_SECONDS / 10)
                if time.monotonic() - active > IDLE_SECONDS:
                    raise RefusedError("the connection was idle too long", 408)
                if copies[0].done() and copies[0].exception() is not None:
                    break
            for copied in copies:
                if copied.done():
                    copied.result()
        finally:
            for copied in copies:
                copied.cancel()
            await asyncio.wait(copies)

    async def _open_tls(
        self, client: _Client, host: Host, first: bytes, connection: ConnectionAttempt, addresses: list[str]
    ) -> None:
        """Act as the host's end of TLS, and answer each request in the tunnel."""
        assert self._authority is not None  # noqa: S101
        stream = TlsStream(client.stream, await self._authority.context(host.name), first)
        async with asyncio.timeout(HEAD_SECONDS):
            await stream.begin()
        await self._serve(_Client(stream, b"", connection, addresses), host)
        with suppress(OSError):
            await stream.close()

    # --- requests ---

    async def _forward(
        self, client: _Client, request: h11.Request, connection: ConnectionAttempt, tunnel: Host | None
    ) -> bool:
        host, target = _target(request, tunnel)
        headers, filled = self._filled(request, host, tls=tunnel is not None)
        if tunnel is None:
            await self._admit(host, connection)
        else:
            connection = client.connection
        connection.credentials = tuple(dict.fromkeys([*connection.credentials, *filled]))
        forwarded = h11.Request(method=request.method, target=target, headers=headers)
        upstream = await self._ask_again(client, forwarded, host, connection)
        try:
            if upstream is None:
                addresses = client.addresses if tunnel is not None else await self._addresses(host)
                upstream = await self._connect(addresses, host, tls=tunnel is not None)
                connection.sent += self._count(await upstream.say(forwarded))
                await self._send_body(client, upstream, connection, host)
            more = await self._pass_answer(client, upstream, connection, bool(filled))
            if more and not filled and upstream.begin_next():  # a connection that carried a credential is not reused
                client.kept, upstream = upstream, None
            return more
        finally:
            if upstream is not None:
                upstream.close()

    async def _ask_again(
        self, client: _Client, forwarded: h11.Request, host: Host, connection: ConnectionAttempt
    ) -> _Upstream | None:
        """Send a request over the host connection that is kept from this client's last request.

        Returns None if there is none, if the request cannot be repeated, or if the host has closed the connection.
        """
        kept, client.kept = client.kept, None
        if kept is None:
            return None
        repeatable = forwarded.method in REPEATABLE and not {name for name, _ in forwarded.headers} & BODY
        try:
            if kept.host == host and repeatable and await kept.is_silent():
                sent = await kept.say(forwarded) + await kept.say(h11.EndOfMessage())
                if await kept.answers():
                    await client.next(IDLE_SECONDS)  # the end of the request, which has been received
                    connection.sent += self._count(sent)
                    kept, given = None, kept
                    return given
        except OSError:
            pass  # the host has closed it
        finally:
            if kept is not None:
                kept.close()
        return None

    async def _send_body(self, client: _Client, upstream: _Upstream, connection: ConnectionAttempt, host: Host) -> None:
        seen = b""
        longest = max((len(each) for each in self.keys.placeholders.values()), default=0)
        while True:
            event = await client.next(IDLE_SECONDS)
            if isinstance(event, h11.Data):
                data = bytes(event.data)
                seen = (seen[-longest:] if longest else b"") + data
                self._check_placeholders([seen], host)
                connection.sent += self._count(await upstream.say(h11.Data(data=data)))
            elif isinstance(event, h11.EndOfMessage):
                await upstream.say(h11.EndOfMessage(headers=[]))
                return
            else:
                raise RefusedError("the request ended early", 400)

    async def _pass_answer(
        self, client: _Client, upstream: _Upstream, connection: ConnectionAttempt, secret: bool
    ) -> bool:
        hide = _Hiding(self._forms)
        while True:
            event = await upstream.next(client.flush)
            if isinstance(event, h11.Response):
                headers = [
                    hide.header(name, value) for name, value in _spelled(event) if name.lower() not in NOT_PASSED_ON
                ]
                packed = [
                    value
                    for name, value in event.headers
                    if name == b"content-encoding" and value.strip().lower() != b"identity"
                ]
                if packed and secret:
                    raise RefusedError("the answer is compressed, so the proxy cannot remove credentials from it", 502)
                answer = h11.Response(
                    status_code=event.status_code, reason=hide.line(bytes(event.reason)), headers=headers
                )
                connection.received += self._count(client.put(answer))
            elif isinstance(event, h11.Data):
                data = hide.feed(bytes(event.data))
                connection.received += self._count(len(event.data))
                client.put(h11.Data(data=data))
            elif isinstance(event, h11.EndOfMessage):
                if rest := hide.end():
                    client.put(h11.Data(data=rest))
                await client.say(h11.EndOfMessage(headers=[]))
                return client.begin_next()
            elif not isinstance(event, h11.InformationalResponse):
                raise RefusedError("the host ended its answer early", 502)

    # --- credentials ---

    def _filled(self, request: h11.Request, host: Host, *, tls: bool) -> tuple[list[tuple[bytes, bytes]], list[str]]:
        """Return the headers to send, and the names of the credentials in them."""
        headers, filled = [], []
        self._check_placeholders([request.method, request.target], host)
        for spelled, value in _spelled(request):
            name, given = spelled.lower(), value
            if name in NOT_PASSED_ON and name != b"transfer-encoding":
                self._check_placeholders([value], host)
                continue
            for key, placeholder in self.keys.placeholders.items():
                credential = self.keys[key]
                if (
                    tls
                    and credential.is_for(host)
                    and name == credential.header.lower().encode()
                    and _holds(given, placeholder)
                ):
                    given = _fill(given, placeholder, self.keys.value(key))
                    filled.append(key)
            self._check_placeholders([spelled, given], host)
            headers.append((spelled, given))
        if filled:  # otherwise a credential in the answer could not be found
            headers = [(name, value) for name, value in headers if name.lower() != b"accept-encoding"]
            headers.append((b"Accept-Encoding", b"identity"))
        return headers, filled

    def _check_placeholders(self, parts: Iterable[bytes], host: Host) -> None:
        """Refuse a request with a placeholder in any other place."""
        for key, placeholder in self.keys.placeholders.items():
            if any(_holds(part, placeholder) for part in parts):
                credential = self.keys[key]
                raise RefusedError(
                    f"the credential {key} is sent only to {', '.join(credential.hosts)}, over https and in the header "
                    f"{credential.header}; this request uses it for {host}, or in another place"
                )

    def _count(self, size: int) -> int:
        self._bytes += size
        if self._bytes > MAX_BYTES:
            raise RefusedError(f"the step has sent and received more than {MAX_BYTES >> 30} GB", 429)
        return size


def _decoded(part: bytes) -> bytes:
    """Decode user and password of a Basic authorization; returns b"" for others."""
    kind, _, text = part.partition(b" ")
    try:
        return base64.b64decode(text, validate=True) if kind.lower() == b"basic" else b""
    except (binascii.Error, ValueError):
        return b""


def _holds(part: bytes, placeholder: str) -> bool:
    sought = placeholder.encode()
    return sought in part or sought in _decoded(part)


def _fill(value: bytes, placeholder: str, secret: str) -> bytes:
    sought, known = placeholder.encode(), secret.encode("ascii")
    if sought in value:
        return value.replace(sought, known)
    return b"Basic " + base64.b64encode(_decoded(value).replace(sought, known))


def _spelled(event: h11.Request | h11.Response) -> list[tuple[bytes, bytes]]:
    """Return the headers with their original spelling."""
    return [(bytes(name), bytes(value)) for name, value in event.headers.raw_items()]


def canonical_host(value: bytes, port: int) -> Host:
    """Parse a Host header; raises ValueError."""
    return read_host(value.decode("ascii"), port)


def _target(request: h11.Request, tunnel: Host | None) -> tuple[Host, bytes]:
    """Return the host of a request, and its target without scheme and host.

    Raises:
        RefusedError, ValueError: it names no host, or two different ones.
    """
    named = [value for name, value in request.headers if name == b"host"]
    if len({name for name, _ in request.headers} & BODY) > 1:
        raise RefusedError("a request must not have both a length and chunked encoding", 400)
    target = request.target.decode("ascii")
    if "#" in target or "\\" in target:
        raise RefusedError("a request's address must not contain '#' or '\\'", 400)
    if tunnel is not None:
        if not target.startswith("/") and not (target == "*" and request.method == b"OPTIONS"):
            raise RefusedError("inside a tunnel a request's target must be a path", 400)
        if len(named) != 1 or canonical_host(named[0], 443) != Host(tunnel.name, tunnel.port):
            raise RefusedError(f"the Host header does not name {tunnel}, the host of the tunnel")
        return tunnel, request.target
    if not target.lower().startswith("http://"):
        raise RefusedError("the proxy takes http://… and CONNECT only", 400)
    parts = urlsplit(target)
    if "@" in parts.netloc:
        raise RefusedError("an address with a user name is not supported", 400)
    host = read_host(parts.netloc, 80)
    if len(named) != 1 or canonical_host(named[0], 80) != host:
        raise RefusedError("the address and the Host header name different hosts", 400)
    path = target[len("http://") + len(parts.netloc) :]
    return host, (path if path.startswith("/") else f"/{path}").encode("ascii")


class _Client:
    """The code's end, as HTTP/1.1.

    Args:
        stream: its bytes.
        first: bytes that were already read.
        connection: of the tunnel that it is in.
        addresses: of the tunnel's host.
    """

    def __init__(
        self,
        stream: ByteStream,
        first: bytes = b"",
        connection: ConnectionAttempt | None = None,
        addresses: Iterable[str] = (),
    ) -> None:
        self.stream = stream
        self.is_new = True
        self.connection = connection or ConnectionAttempt()
        self.addresses = list(addresses)
        self.kept: _Upstream | None = None  # connection to the last request's host, if it can be reused
        self._unsent: list[bytes] = []
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        if first:
            self._http.receive_data(first)

    async def request(self, seconds: float) -> h11.Request | None:
        """Return the head of the next request; None at the end."""
        event = await self.next(seconds)
        self.is_new = False
        return event if isinstance(event, h11.Request) else None

    async def next(self, seconds: float) -> Any:
        """Return the next event; raises RefusedError if it takes longer than ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                while (event := self._http.next_event()) is h11.NEED_DATA:
                    if self._http.they_are_waiting_for_100_continue:
                        await self.say(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))
                    self._http.receive_data(await self.stream.read())
        except TimeoutError:
            raise RefusedError("the request took too long", 408) from None
        return event

    def put(self, event: Any) -> int:
        """Queue an event for ``flush``; returns its size in bytes."""
        if data := self._http.send(event) or b"":
            self._unsent.append(data)
        return len(data)

    async def flush(self) -> None:
        """Send the queued events."""
        if self._unsent:
            unsent, self._unsent = self._unsent, []
            await self.stream.write(b"".join(unsent))

    async def say(self, event: Any) -> None:
        """Send the queued events and this one."""
        self.put(event)
        await self.flush()

    def close_kept(self) -> None:
        """Close the kept connection to a host."""
        if self.kept is not None:
            self.kept.close()
            self.kept = None

    async def accept_tunnel(self) -> bytes:
        """Accept CONNECT; returns bytes that the client has already sent after it."""
        await self.say(h11.Response(status_code=200, headers=[], reason=b"Connection established"))
        return bytes(self._http.trailing_data[0])

    def begin_next(self) -> bool:
        """Prepare for the next request; returns False if the connection cannot be reused."""
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        self._http.start_next_cycle()
        return True

    async def refuse(self, refused: RefusedError) -> None:
        """Send the reason of a refusal, if possible. It is also in the status line, which clients show."""
        text = visible(str(refused))
        try:
            if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
                return
            body = f"smolcell: {text}\n".encode()
            reason = f"smolcell: {text}".encode("ascii", "replace")[:500]
            headers = [
                ("content-type", "text/plain; charset=utf-8"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            await self.say(h11.Response(status_code=refused.status, headers=headers, reason=reason))
            await self.say(h11.Data(data=body))
            await self.say(h11.EndOfMessage())
            async with asyncio.timeout(LINGER_SECONDS):  # closing with unread bytes would discard the answer
                while await self.stream.read():
                    pass
        except (h11.ProtocolError, OSError, TimeoutError):
            pass  # the client has closed


@asynccontextmanager
async def _patience() -> AsyncIterator[None]:
    """Limit the time of a host's answer."""
    try:
        async with asyncio.timeout(IDLE_SECONDS):
            yield
    except TimeoutError:
        raise RefusedError("the host's answer took too long", 504) from None


class _Upstream:
    """Connection to a host."""

    def __init__(self, host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.host = host
        self._reader, self._writer = reader, writer
        self._ahead: asyncio.Task[bytes] | None = None  # reads while no request is open, to notice the end
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD)

    async def read(self) -> bytes:
        """Return some bytes; b"" at the end."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return await ahead
        return await self._reader.read(CHUNK)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        async with asyncio.timeout(IDLE_SECONDS):
            await self._writer.drain()

    async def say(self, event: Any) -> int:
        """Send an event; returns its size in bytes."""
        data = self._http.send(event) or b""
        if data:
            await self.write(data)
        return len(data)

    async def next(self, before_waiting: Callable[[], Awaitable[None]]) -> Any:
        """Return the next event of the answer."""
        try:
            if (event := self._http.next_event()) is h11.NEED_DATA:
                await before_waiting()
            async with _patience():
                while event is h11.NEED_DATA:
                    self._http.receive_data(await self.read())
                    event = self._http.next_event()
        except h11.ProtocolError:
            raise RefusedError("the host's answer is not plain HTTP", 502) from None
        return event

    async def answers(self) -> bool:
        """Wait for the first bytes of an answer; returns whether any came."""
        async with _patience():
            data = await self.read()
        self._http.receive_data(data)
        return bool(data)

    def begin_next(self) -> bool:
        """Prepare for another request; returns False if the connection cannot be reused."""
        http = self._http
        if http.our_state is not h11.DONE or http.their_state is not h11.DONE or http.trailing_data[0]:
            return False
        http.start_next_cycle()
        self._ahead = asyncio.ensure_future(self._reader.read(CHUNK))
        self._ahead.add_done_callback(
            lambda ahead: ahead.cancelled() or ahead.exception()
        )  # marks the exception as retrieved
        return True

    async def is_silent(self) -> bool:
        """Return whether the host has sent nothing, and not closed the connection, since the last answer."""
        await asyncio.sleep(0)  # lets the reading task run, which may have just been created
        return self._ahead is not None and not self._ahead.done()

    def end(self) -> None:
        """Close the sending direction."""
        with suppress(OSError, RuntimeError, NotImplementedError):
            if self._writer.can_write_eof():
                self._writer.write_eof()

    def close(self) -> None:
        """Close the connection."""
        if self._ahead is not None:
            self._ahead.cancel()
        self._writer.close()


class _Hiding:
    """Replaces values in a stream of bytes by text of the same length."""

    def __init__(self, values: tuple[bytes, ...]) -> None:
        self._values = values
        self._held = b""

    def whole(self, data: bytes) -> bytes:
        """Return the bytes without the values."""
        for value in self._values:
            if value in data:
                data = data.replace(value, b"*" * len(value))
        return data

    def line(self, data: bytes) -> bytes:
        """Return a line of a head without the values, in any case and with - for _: servers change both in names."""
        if not self._values:
            return data
        values = b"|".join(re.sub(rb"\\-|_", b"[-_]", re.escape(value)) for value in self._values)
        return re.sub(values, lambda found: b"*" * len(found[0]), data, flags=re.IGNORECASE)

    def header(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        """Return a header without the values, also if one begins in its name and ends in its value."""
        name, _, value = self.line(name + b":" + value).partition(b":")
        return name, value.strip()

    def feed(self, data: bytes) -> bytes:
        """Take bytes; returns those that can be passed on."""
        if not self._values:
            return data
        data = self.whole(self._held + data)
        keep = next(
            (at for at in range(min(len(data), len(self._values[0]) - 1), 0, -1) if self._begins(data[-at:])), 0
        )
        self._held = data[len(data) - keep :]
        return data[: len(data) - keep]

    def _begins(self, data: bytes) -> bool:
        return any(value.startswith(data) for value in self._values)

    def end(self) -> bytes:
        """Return the bytes that were held back, at the end."""
        held, self._held = self._held, b""
        return held


__all__ = ["Proxy", "RefusedError"]
