"""Pages of the web for tools: bounded in time and size, from public addresses only, also after redirects.

The rules this file exists to keep:

* A name is resolved once, judged, and connected to by its address: what was judged is what is reached (no DNS rebinding).
* Every redirect is a new request, with the same judgement; only http and https, without user names and passwords.
* What is read is bounded before it is read, compressed or not; no proxy, cookie or credential of the environment is used.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from smolcell.environment import importing

# --- Where a tool may connect to: addresses of the public internet, and no others unless its user allows them.
#
# A page that the agent reads, or a text in it, may name an address of this machine, of its network, or of a cloud's metadata service.
# The rules this file exists to keep:
#
# * Judged is the address that is connected to, never the name: a name may lead anywhere, and elsewhere the next time.
# * An address within another one (IPv4 in IPv6) is judged by what it leads to.


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""A host and a port to its addresses."""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SHUT = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # RFC 6890, with the metadata service of Oracle's cloud; older Pythons find most of it global
            "192.88.99.0/24",  # relays of 6to4, RFC 7526
            "168.63.129.16/32",  # Azure's own service, which answers its machines alone
            "fec0::/10",  # site-local, RFC 3879
            "3fff::/20",  # for documentation, RFC 9637
        ),
    )
)
"""Networks that Python finds global, and that lead to no host of the public internet."""


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host, by the system's own resolver; raises ``OSError`` where there is none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def networks(allowed: Iterable[str]) -> tuple[Network, ...]:
    """Networks that are allowed although they are private: ``"127.0.0.1"``, ``"10.1.0.0/16"``; raises ``ValueError``."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in allowed)


def check(address: str, allowed: Sequence[Network] = ()) -> str:
    """The address, if it may be connected to.

    Raises:
        PermissionError: it is private, of this machine, or of no host.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = _inner(found)
    if any(inner in network for network in allowed if network.version == inner.version):
        return address
    if any(inner in network for network in _SHUT if network.version == inner.version):
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    if not inner.is_global or inner.is_multicast or inner.is_reserved or inner.is_unspecified:
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    return address


def _inner(address: Address) -> Address:
    """What an address leads to in the end."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address


SECONDS = 30.0  # for one page, redirects included
MOST = 5_000_000  # bytes of one page
REDIRECTS = 5
AGENT = "smolcell (a tool that reads web pages for a person)"
_STEP = 10.0  # seconds that a server may be silent
_TEXTUAL = re.compile(r"text/|application/(?:[\w.+-]*\+)?(?:json|xml|javascript)|application/xhtml", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?([\w.:-]{2,40})", re.IGNORECASE)
CHARSETS = frozenset(
    "utf-8 utf8 utf-16 utf-16le utf-16be us-ascii ascii latin-1 latin1 cp1251 cp1252 cp866 cp874 koi8-r koi8-u macintosh tis-620 "
    "gbk gb2312 gb18030 big5 big5-hkscs euc-jp iso-2022-jp shift_jis shift-jis sjis euc-kr ks_c_5601-1987 cp949".split()
    + [f"iso-8859-{part}" for part in range(1, 17) if part != 12]
    + [f"windows-{page}" for page in range(1250, 1259)]
)
"""Charsets that are decoded, in time linear in the length: those of the Encoding Standard that Python has. Any other is read as UTF-8."""
_ADVICE = "; to allow it, make the tool with private=[…]"


class Page(NamedTuple):
    """What was read: the address in the end, its media type, its bytes and their charset, one of ``CHARSETS``."""

    url: str
    kind: str
    body: bytes
    charset: str


class Fetcher:
    """Reads pages.

    Args:
        private: networks that may be reached although they are private, such as ``"127.0.0.1"`` or ``"10.0.0.0/8"``.
        seconds: for one page, redirects included.
        most: bytes of one page; more is an error.
        agent: the user agent that servers are told.
        find: resolves names; the system's resolver by default.
    """

    def __init__(
        self,
        *,
        private: Iterable[str] = (),
        seconds: float = SECONDS,
        most: int = MOST,
        agent: str = AGENT,
        find: Resolve = resolve,
    ) -> None:
        self._private, self._seconds, self._most = networks(private), seconds, most
        self._agent, self._find = agent, find

    def get(self, url: str, params: Mapping[str, str] | None = None) -> Page:
        """Read a page.

        Raises:
            ValueError: the address is none of the web, or what is there is no text.
            PermissionError: it leads to a private address.
            ConnectionError: it cannot be read, or the server answers with an error.
            TimeoutError: it takes longer than its time.
        """
        with importing():
            import httpx

        until = time.monotonic() + self._seconds
        with httpx.Client(trust_env=False, follow_redirects=False, limits=httpx.Limits(max_connections=1)) as client:
            try:
                at = httpx.URL(url, params=params) if params else httpx.URL(url)
                for _ in range(REDIRECTS + 1):
                    found = self._ask(client, at, until)
                    if isinstance(found, Page):
                        return found
                    at = at.join(found)
            except httpx.TimeoutException:
                raise TimeoutError(f"{_named(url)} did not answer in time") from None
            except httpx.InvalidURL as error:
                raise ValueError(f"{_named(url)} is no address of the web: {error}") from None
            except (httpx.HTTPError, httpx.StreamError) as error:
                raise ConnectionError(f"{_named(url)} cannot be read: {type(error).__name__}: {error}") from None
        raise ConnectionError(f"{_named(url)} redirects more than {REDIRECTS} times")

    def _ask(self, client: Any, url: Any, until: float) -> Page | str:
        """One request: the page, or where it is instead."""
        with importing():
            import httpx

        address = self._address(url)
        left = _left(until)
        # Connected to is the address; the name is what the server and its certificate are asked for.
        request = client.build_request(
            "GET",
            url.copy_with(host=address),
            headers={
                "Host": url.netloc.decode("ascii"),
                "User-Agent": self._agent,
                "Accept": "text/html,application/xhtml+xml,application/json,text/*;q=0.9",
                "Accept-Encoding": "gzip, identity",
            },
            extensions={"sni_hostname": url.host},
            timeout=httpx.Timeout(min(_STEP, left)),
        )
        response = client.send(request, stream=True)
        try:
            if response.has_redirect_location:
                return str(response.headers["location"])
            if response.status_code >= 400:
                raise ConnectionError(f"{_named(str(url))} answers {response.status_code} {response.reason_phrase}")
            return Page(str(url), *self._read(response, url, until))
        finally:
            response.close()

    def _address(self, url: Any) -> str:
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(f"{_named(str(url))} is no address of the web: it begins with http:// or https://")
        if url.userinfo:
            raise ValueError(f"{url.host}: an address with a user name or a password is not fetched")
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            found = self._find(url.host, port)
        except (OSError, UnicodeError) as error:
            raise ConnectionError(f"{url.host} is not found: {error}") from None
        if not found:
            raise ConnectionError(f"{url.host} is not found")
        try:
            for each in found:  # one that is private among public ones is somebody's trick
                check(each, self._private)
            return found[0]
        except PermissionError as error:
            raise PermissionError(f"{url.host} is not fetched: {error}{_ADVICE}") from None

    def _read(self, response: Any, url: Any, until: float) -> tuple[str, bytes, str]:
        kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if not _TEXTUAL.match(kind):
            raise ValueError(f"{_named(str(url))} is {kind[:80]}, which is no text")
        body = self._body(response, url, until)
        declared = _CHARSET.search(body[:4096])
        charset = (response.charset_encoding or (declared[1].decode("ascii") if declared else "")).lower()
        return kind, body, charset if charset in CHARSETS else "utf-8"

    def _body(self, response: Any, url: Any, until: float) -> bytes:
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("identity", "gzip", ""):
            raise ValueError(f"{_named(str(url))} is encoded as {coding[:40]!r}, which was not asked for")
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if coding == "gzip" else None
        body = bytearray()
        for raw in response.iter_raw():
            _left(until)
            try:
                body += unpack.decompress(raw, self._most + 1 - len(body)) if unpack else raw
            except zlib.error as error:
                raise ConnectionError(f"{_named(str(url))} cannot be unpacked: {error}") from None
            if len(body) > self._most:
                raise ValueError(f"{_named(str(url))} is larger than {self._most:,} bytes")
        return bytes(body)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the page did not come in time")
    return left


def _named(url: str) -> str:
    """An address for an error's message: without its query, which may hold what was searched for, and bounded."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url[:200]
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"[:200] if parts.scheme else url[:200]


# --- Pages of the web read in a process of their own.
#
# HTML is a stranger's words, and no parser of this language is made for the worst of it: a hundred thousand unclosed tags keep one busy
# for hours, inside a single call that no thread and no interrupt gets past. A process can be ended. It also decodes the page's bytes.


READING_SECONDS = 20.0  # for one page
_MEMORY = 2_000_000_000  # bytes
_PROGRAM = """
import json, sys
limits, paths, charset, form, base = json.loads(sys.stdin.buffer.readline())
sys.path[:] = paths
try:
    import resource
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, name), (most, most))
except (ImportError, AttributeError, ValueError, OSError):
    pass  # whoever started this ends it, too
found = sys.stdin.buffer.read().decode(charset, "replace")
if form != "text":
    from smolcell.tools.html import feed_results, markdown, search_results, title
    if form == "markdown":
        found = [title(found), markdown(found)]
    else:
        found = feed_results(found) if form == "feed" else search_results(found, base)
sys.stdout.buffer.write(json.dumps(found).encode("ascii"))
"""


class Read(NamedTuple):
    """A page as Markdown, and its title."""

    title: str
    text: str


def read(body: bytes, charset: str) -> Read:
    """The page as Markdown.

    Raises:
        TimeoutError: it takes longer than any page of good will.
        ValueError: it cannot be read.
    """
    return Read(*_run(body, charset, "markdown"))


def read_text(page: Page) -> str:
    """The text of a page that is no HTML; errors as of ``read``."""
    found: str = _run(page.body, page.charset, "text")
    return found


def read_results(body: bytes, charset: str, base: str, form: str = "results") -> list[dict[str, str]]:
    """The results on a search engine's page, or in its "feed"; errors as of ``read``."""
    found: list[dict[str, str]] = _run(body, charset, form, base)
    return found


def _run(body: bytes, charset: str, form: str, base: str = "") -> Any:
    limits = {"RLIMIT_CPU": int(READING_SECONDS) + 1, "RLIMIT_AS": _MEMORY}
    given = json.dumps([limits, sys.path, charset, form, base]).encode("ascii") + b"\n" + body
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM],
            input=given,
            capture_output=True,
            timeout=READING_SECONDS,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"the page could not be read within {READING_SECONDS:g} s") from None
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(f"the page cannot be read: {last[:200] or f'its reader ended with {done.returncode}'}")
    return json.loads(done.stdout)
