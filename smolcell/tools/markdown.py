"""HTML as Markdown, for a model to read: by markdownify where it is installed, else as plain text with its links.

What is hidden from people (scripts, styles, templates) is left out. The text stays what a stranger wrote.
"""

from __future__ import annotations

import importlib.util
import re
from html.parser import HTMLParser

_DROPPED = ("script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "head", "form")
_BLOCKS = frozenset(
    "p div section article header footer main aside nav ul ol li table tr h1 h2 h3 h4 h5 h6 pre blockquote br hr".split()
)
_BLANK = re.compile(r"\n[ \t]*\n[ \t\n]*")
_DATA = re.compile(r"!?\[[^\]]*\]\(\s*data:[^)]*\)")


def markdown(html: str) -> str:
    """The page as Markdown."""
    text = None
    if importlib.util.find_spec("markdownify") is not None:
        try:
            text = _by_markdownify(html)
        except RecursionError:  # nested deeper than the library goes
            text = None
    if text is None:
        text = _plain(html)
    return _BLANK.sub("\n\n", _DATA.sub("", text)).strip()


def title(html: str) -> str:
    """The page's title; "" where it has none."""
    found = re.search(r"<title[^>]*>(.{0,500}?)</title>", html, re.IGNORECASE | re.DOTALL)
    return " ".join(_plain(found[1]).split()) if found else ""


def _by_markdownify(html: str) -> str:
    from bs4 import BeautifulSoup
    from markdownify import ATX, MarkdownConverter

    soup = BeautifulSoup(html, "html.parser")
    for tag in soup(list(_DROPPED)):
        tag.decompose()
    return str(MarkdownConverter(heading_style=ATX).convert_soup(soup))


def _plain(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.parts)


class _Reader(HTMLParser):
    """Text, a line for each block, and links as Markdown has them."""

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
