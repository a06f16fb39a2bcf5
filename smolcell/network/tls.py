"""TLS between the code and the proxy: reads the server name, and presents certificates of this session."""

from __future__ import annotations

import asyncio
import os
import ssl
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from smolcell.core.hosts import is_address
from smolcell.machine.environment import importing, optional

CHUNK = 64 << 10
_MAX_HELLO = 32 << 10  # bytes; a usual one with post-quantum keys has about 2,000


class ByteStream(Protocol):
    """Bytes to and from one client, on the event loop of the proxy."""

    async def read(self) -> bytes:
        """Return some bytes; b"" at the end."""

    async def write(self, data: bytes) -> None:
        """Send all data; waits while the client does not read."""


async def read_server_name(stream: ByteStream, first: bytes) -> tuple[str | None, bytes]:
    """Read the server name from the TLS handshake of a client; returns it with all bytes that were read.

    Args:
        first: bytes that were already read.

    Raises:
        ValueError: it is not TLS, or an obsolete version.
    """
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def note(_: ssl.SSLObject, name: str | None, __: ssl.SSLContext) -> int:
        names.append(name)
        return ssl.ALERT_DESCRIPTION_ACCESS_DENIED  # the handshake ends here

    context.sni_callback = note
    incoming = ssl.MemoryBIO()
    handshake = context.wrap_bio(incoming, ssl.MemoryBIO(), server_side=True)
    read = b""
    data = first or await stream.read()
    while data:
        read += data
        incoming.write(data)
        try:
            handshake.do_handshake()
        except ssl.SSLWantReadError:
            if len(read) > _MAX_HELLO:
                break
        except ssl.SSLError:
            break
        data = await stream.read()
    if len(names) != 1:
        raise ValueError("not a TLS handshake")
    return names[0], read


class TlsStream:
    """The proxy's end of TLS with a client.

    Args:
        stream: the client.
        context: with the certificate.
        first: bytes that were already read from the client.
    """

    def __init__(self, stream: ByteStream, context: ssl.SSLContext, first: bytes) -> None:
        self._stream = stream
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._incoming.write(first)
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)

    async def begin(self) -> None:
        """Do the handshake; raises OSError (``ssl.SSLError``) if the client refuses."""
        await self._do(self._tls.do_handshake)
        await self._flush()

    async def read(self) -> bytes:
        """Read decrypted bytes. See ``ByteStream.read``."""
        try:
            data: bytes = await self._do(lambda: self._tls.read(CHUNK))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes encrypted. See ``ByteStream.write``."""
        self._tls.write(data)
        await self._flush()

    async def close(self) -> None:
        """Send the end of the data."""
        with suppress(OSError):
            self._tls.unwrap()
        await self._flush()

    async def _do(self, step: Callable[[], Any]) -> Any:
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                await self._flush()
                data = await self._stream.read()
                if data:
                    self._incoming.write(data)
                else:
                    self._incoming.write_eof()

    async def _flush(self) -> None:
        while data := self._outgoing.read():
            await self._stream.write(data)


class Authority:
    """Certificates for the hosts of one session, from an authority that exists only in memory.

    Raises:
        SetupError: the extra ``egress`` is not installed.
    """

    def __init__(self) -> None:
        with optional("--credential", "egress"):
            from smolcell.network import certificates
        self._authority = certificates.Issuer()
        self._contexts: dict[str, ssl.SSLContext] = {}

    @property
    def certificate(self) -> str:
        """The authority's certificate in PEM, which the sandbox trusts."""
        return self._authority.certificate

    async def context(self, name: str) -> ssl.SSLContext:
        """Return the TLS context that the proxy presents for this host."""
        if name not in self._contexts:
            pem = await asyncio.to_thread(self._authority.issue, name, is_address(name))
            self._contexts[name] = _context(pem)
        return self._contexts[name]


def _context(pem: bytes) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    if hasattr(os, "memfd_create"):  # the key is never written to disk
        number = os.memfd_create("certificate")
        try:
            os.write(number, pem)
            context.load_cert_chain(f"/proc/self/fd/{number}")
        finally:
            os.close(number)
        return context
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.pem"
        path.write_bytes(pem)
        context.load_cert_chain(path)
    return context


def trusted() -> str:
    """Return the certificates that this machine's Python trusts, PEM: ``SSL_CERT_FILE``, else those of certifi, else the system's."""
    named = os.environ.get("SSL_CERT_FILE") or os.environ.get("REQUESTS_CA_BUNDLE")
    if not named:
        try:
            with importing():
                import certifi

            named = certifi.where()
        except ImportError:
            named = ssl.get_default_verify_paths().cafile
    return Path(named).read_text("ascii", "ignore") if named else ""


def client_context() -> ssl.SSLContext:
    """Return the TLS context for connections of the proxy to a host."""
    context = ssl.create_default_context(cadata=trusted() or None)
    context.set_alpn_protocols(["http/1.1"])
    return context
