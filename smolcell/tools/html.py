"""Converts HTML to Markdown for a model: with markdownify if it is installed, else to plain text with links.

Invisible parts (scripts, styles, templates) are left out. The text is still untrusted.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit
from xml.etree import ElementTree

from smolcell.machine.environment import importing, is_installed

_DROPPED = ("script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "head", "form")
_BLOCKS = frozenset(
    "p div section article header footer main aside nav ul ol li table tr h1 h2 h3 h4 h5 h6 pre blockquote br hr".split()
)
_BLANK = re.compile(r"\n[ \t]*\n[ \t\n]*")
_DATA = re.compile(r"!?\[[^\]]*\]\(\s*data:[^)]*\)")


def markdown(html: str) -> str:
    """Return the page as Markdown."""
    text = None
    if is_installed("markdownify"):
        try:
            text = _by_markdownify(html)
        except RecursionError:  # nested too deeply for the library
            text = None
    if text is None:
        text = _plain(html)
    return _BLANK.sub("\n\n", _DATA.sub("", text)).strip()


def title(html: str) -> str:
    """Return the page's title; "" if it has none."""
    match = re.search(r"<title[^>]*>(.{0,500}?)</title>", html, re.IGNORECASE | re.DOTALL)
    return " ".join(_plain(match[1]).split()) if match else ""


def _by_markdownify(html: str) -> str:
    with importing():
        from bs4 import BeautifulSoup
        from markdownify import ATX, MarkdownConverter

    soup = BeautifulSoup(html, "html.parser")
    for tag in soup(list(_DROPPED)):
        tag.decompose()
    return str(MarkdownConverter(heading_style=ATX).convert_soup(soup))


def _plain(html: str) -> str:
    reader = _TextReader()
    reader.feed(html)
    reader.close()
    return "".join(reader.parts)


class _TextReader(HTMLParser):
    """Collects text, one line per block, and links in Markdown."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._dropped = 0
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropped += 1
        elif tag in _BLOCKS:
            self.parts.append("\n\n" if tag != "br" else "\n")
        elif tag == "a" and not self._dropped:
            self._links.append(dict(attrs).get("href") or "")
            self.parts.append("[")

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a" and self._links and not self._dropped:
            self.parts.append(f"]({self._links.pop()})")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.parts.append(re.sub(r"\s+", " ", data))


# --- The results on a search engine's page.


def search_results(html: str, base: str) -> list[dict[str, str]]:
    """Return title, link and description of each result; links are relative to ``base``."""
    reader = _ResultsReader(base)
    reader.feed(html)
    return reader.results


def feed_results(xml: str) -> list[dict[str, str]]:
    """Return the items of an RSS feed; none if it is no feed. Call it only in a process with limits."""
    try:
        items = ElementTree.fromstring(xml).iter("item")  # noqa: S314 - bounded, and expat resolves nothing from elsewhere
        return [
            {
                "title": item.findtext("title") or "",
                "link": item.findtext("link") or "",
                "about": item.findtext("description") or "",
            }
            for item in items
        ]
    except ElementTree.ParseError:
        return []


class _ResultsReader(HTMLParser):
    """Collects the results on DuckDuckGo's page for small screens: a link, then a cell with the description."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.results: list[dict[str, str]] = []
        self._base, self._into, self._until = base, "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag == "a" and known.get("class") == "result-link":
            self.results.append({"title": "", "link": _target(self._base, known.get("href") or ""), "about": ""})
            self._into, self._until = "title", "a"
        elif tag == "td" and known.get("class") == "result-snippet" and self.results:
            self._into, self._until = "about", "td"

    def handle_endtag(self, tag: str) -> None:
        if tag == self._until:
            self._into = self._until = ""

    def handle_data(self, data: str) -> None:
        if self._into:
            self.results[-1][self._into] += data


def _target(base: str, href: str) -> str:
    """Return the target of a result: the search engine's links are redirections."""
    link = urljoin(base, href)
    inner = parse_qs(urlsplit(link).query).get("uddg", [""])[0]
    return inner if inner.startswith(("http://", "https://")) else link
