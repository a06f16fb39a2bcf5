"""Fetches web pages for tools: bounded in time and size, from public addresses only, also after redirects.

* A name is resolved once, checked, and connected to by its IP address, so the checked address is the one reached (no DNS rebinding).
* Every redirect is a new request with the same checks; only http and https, without user names and passwords.
* The size is bounded while reading, compressed or not; proxies, cookies and credentials of the environment are not used.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from smolcell.core.text import shorten
from smolcell.machine.environment import importing
from smolcell.network.addresses import Resolve, check, networks, resolve

PAGE_SECONDS = 30.0  # for one page, redirects included
MAX_PAGE_BYTES = 5_000_000  # bytes of one page
MAX_REDIRECTS = 5
AGENT = "smolcell (a tool that reads web pages for a person)"
_SILENCE_SECONDS = 10.0  # seconds of silence
_TEXTUAL = re.compile(r"text/|application/(?:[\w.+-]*\+)?(?:json|xml|javascript)|application/xhtml", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?([\w.:-]{2,40})", re.IGNORECASE)
CHARSETS = frozenset(
    "utf-8 utf8 utf-16 utf-16le utf-16be us-ascii ascii latin-1 latin1 cp1251 cp1252 cp866 cp874 koi8-r koi8-u macintosh tis-620 "
    "gbk gb2312 gb18030 big5 big5-hkscs euc-jp iso-2022-jp shift_jis shift-jis sjis euc-kr ks_c_5601-1987 cp949".split()
    + [f"iso-8859-{part}" for part in range(1, 17) if part != 12]
    + [f"windows-{page}" for page in range(1250, 1259)]
)
"""Charsets that are decoded in linear time: those of the Encoding Standard that Python has. Other pages are read as UTF-8."""
_ADVICE = "; to allow it, make the tool with private=[…]"


class Page(NamedTuple):
    """A page: its final URL, media type, bytes and charset, one of ``CHARSETS``."""

    url: str
    kind: str
    body: bytes
    charset: str


class Fetcher:
    """Reads pages.

    Args:
        private: private networks that may be reached, such as ``"127.0.0.1"`` or ``"10.0.0.0/8"``.
        seconds: for one page, redirects included.
        most: most bytes of one page; more is an error.
        agent: the user agent header.
        find: resolves names; by default the system's resolver.
    """

    def __init__(
        self,
        *,
        private: Iterable[str] = (),
        seconds: float = PAGE_SECONDS,
        most: int = MAX_PAGE_BYTES,
        agent: str = AGENT,
        find: Resolve = resolve,
    ) -> None:
        self._private, self._seconds, self._most = networks(private), seconds, most
        self._agent, self._find = agent, find

    def get(self, url: str, params: Mapping[str, str] | None = None) -> Page:
        """Fetch a page.

        Raises:
            ValueError: it is no web URL, or the page is no text.
            PermissionError: the URL leads to a private address.
            ConnectionError: the page cannot be read, or the server answers with an error.
            TimeoutError: it takes longer than ``seconds``.
        """
        with importing():
            import httpx

        until = time.monotonic() + self._seconds
        with httpx.Client(trust_env=False, follow_redirects=False, limits=httpx.Limits(max_connections=1)) as client:
            try:
                at = httpx.URL(url, params=params) if params else httpx.URL(url)
                for _ in range(MAX_REDIRECTS + 1):
                    response = self._ask(client, at, until)
                    if isinstance(response, Page):
                        return response
                    at = at.join(response)
            except httpx.TimeoutException:
                raise TimeoutError(f"{_display_url(url)} did not answer in time") from None
            except httpx.InvalidURL as error:
                raise ValueError(f"{_display_url(url)} is no web URL: {error}") from None
            except (httpx.HTTPError, httpx.StreamError) as error:
                raise ConnectionError(f"{_display_url(url)} cannot be read: {type(error).__name__}: {error}") from None
        raise ConnectionError(f"{_display_url(url)} redirects more than {MAX_REDIRECTS} times")

    def _ask(self, client: Any, url: Any, until: float) -> Page | str:
        """Send one request. Returns the page, or the URL of a redirection."""
        with importing():
            import httpx

        address = self._address(url)
        left = _left(until)
        # Connect to the IP address; the name is used for the Host header and the certificate.
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
            timeout=httpx.Timeout(min(_SILENCE_SECONDS, left)),
        )
        response = client.send(request, stream=True)
        try:
            if response.has_redirect_location:
                return str(response.headers["location"])
            if response.status_code >= 400:
                raise ConnectionError(
                    f"{_display_url(str(url))} answers {response.status_code} {response.reason_phrase}"
                )
            return Page(str(url), *self._read(response, url, until))
        finally:
            response.close()

    def _address(self, url: Any) -> str:
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(f"{_display_url(str(url))} is no web URL: it must begin with http:// or https://")
        if url.userinfo:
            raise ValueError(f"{url.host}: a URL with a user name or a password is not fetched")
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            addresses = self._find(url.host, port)
        except (OSError, UnicodeError) as error:
            raise ConnectionError(f"{url.host} is not found: {error}") from None
        if not addresses:
            raise ConnectionError(f"{url.host} is not found")
        try:
            for each in addresses:  # a private address among public ones is an attack
                check(each, self._private)
            return addresses[0]
        except PermissionError as error:
            raise PermissionError(f"{url.host} is not fetched: {error}{_ADVICE}") from None

    def _read(self, response: Any, url: Any, until: float) -> tuple[str, bytes, str]:
        kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if not _TEXTUAL.match(kind):
            raise ValueError(f"{_display_url(str(url))} is {kind[:80]}, which is no text")
        body = self._body(response, url, until)
        declared = _CHARSET.search(body[:4096])
        charset = (response.charset_encoding or (declared[1].decode("ascii") if declared else "")).lower()
        return kind, body, charset if charset in CHARSETS else "utf-8"

    def _body(self, response: Any, url: Any, until: float) -> bytes:
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("identity", "gzip", ""):
            raise ValueError(f"{_display_url(str(url))} is encoded as {coding[:40]!r}, which was not requested")
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if coding == "gzip" else None
        body = bytearray()
        for raw in response.iter_raw():
            _left(until)
            try:
                body += unpack.decompress(raw, self._most + 1 - len(body)) if unpack else raw
            except zlib.error as error:
                raise ConnectionError(f"{_display_url(str(url))} cannot be unpacked: {error}") from None
            if len(body) > self._most:
                raise ValueError(f"{_display_url(str(url))} is larger than {self._most:,} bytes")
        return bytes(body)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the page did not come in time")
    return left


def _display_url(url: str) -> str:
    """Return a URL for messages: bounded, and without its query, which may hold the search words."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return shorten(url, 200)
    host = parts.netloc.rpartition("@")[2]
    return shorten(f"{parts.scheme}://{host}{parts.path}" if parts.scheme else url, 200)


# --- Parses web pages in another process.
#
# HTML is untrusted, and Python's parsers have no bounds: a hundred thousand unclosed tags keep one busy for hours, inside a single call
# that no thread and no interrupt can end. A process can be ended. It also decodes the page's bytes.


READING_SECONDS = 20.0  # for one page
_MAX_MEMORY_BYTES = 2_000_000_000  # bytes
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


class ReadPage(NamedTuple):
    """A page as Markdown, and its title."""

    title: str
    text: str


def read(body: bytes, charset: str) -> ReadPage:
    """Return the page as Markdown.

    Raises:
        TimeoutError: it takes too long.
        ValueError: it cannot be read.
    """
    return ReadPage(*_run(body, charset, "markdown"))


def read_text(page: Page) -> str:
    """Return the text of a page that is not HTML. Raises like ``read``."""
    text: str = _run(page.body, page.charset, "text")
    return text


def read_results(body: bytes, charset: str, base: str, form: str = "results") -> list[dict[str, str]]:
    """Return the results on a search engine's page, or in its "feed". Raises like ``read``."""
    results: list[dict[str, str]] = _run(body, charset, form, base)
    return results


def _run(body: bytes, charset: str, form: str, base: str = "") -> Any:
    limits = {"RLIMIT_CPU": int(READING_SECONDS) + 1, "RLIMIT_AS": _MAX_MEMORY_BYTES}
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
        raise ValueError(f"the page cannot be read: {shorten(last, 200) or f'its reader ended with {done.returncode}'}")
    return json.loads(done.stdout)
