"""What a model writes around its programs, as Markdown: the HTML of it for saved notebooks. The twin of ``labextension/src/markdown.ts``.

The rules this file exists to keep:

* markdown-it reads, this file writes the elements: those below and no others. No raw HTML, no link that can be followed, no image: of
  both the address is shown.
* Every text passes the caller's ``text``, which escapes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Text = Callable[[str], str]

RULES = "blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split()
MOST_NESTED = 20
"""Elements in one another; text with more of them is shown as it is."""
MOST_READ = 100_000
"""Characters; a longer text is shown as it is."""

ELEMENTS = {
    "paragraph": "p",
    "heading": "h5",
    "blockquote": "blockquote",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "strong": "strong",
    "em": "em",
    "s": "s",
    "link": "span",
}
USED = {*ELEMENTS.values(), "br", "code", "hr", "pre"}
"""The elements that may occur."""


def prose(source: str, text: Text) -> str:
    """The HTML of Markdown.

    Args:
        source: what was written.
        text: writes a piece of it as HTML; nothing of ``source`` gets into the result past it.
    """
    plain = source.replace("\r\n", "\n").replace("\r", "\n")
    tokens = _reader().parse(plain) if len(plain) <= MOST_READ else []
    if len(plain) > MOST_READ or any(token.level > MOST_NESTED for token in tokens):
        return f"<p>{'<br>'.join(map(text, plain.split(chr(10))))}</p>"
    return "".join(_written(tokens, text))


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    class Reader(MarkdownIt):
        """Reads addresses as they are: they are shown, not followed."""

        def normalizeLink(self, url: str) -> str:
            return url

        def validateLink(self, url: str) -> bool:
            return True

    return Reader("zero", {"maxNesting": 2 * MOST_NESTED}).enable(RULES)


def _written(tokens: Sequence[Token], text: Text) -> Iterator[str]:
    open_: list[str] = []  # what closes each element that is open
    for token in tokens:
        if token.type.startswith(("em_", "strong_")) and token.markup.startswith("_"):
            yield text(token.markup)  # of a name, in prose about Python
        elif token.nesting < 0:
            yield "" if token.hidden else open_.pop()
        elif token.type == "inline":
            yield from _written(token.children or [], text)
        elif token.nesting == 0:
            yield _leaf(token, text)
        elif not token.hidden:
            begin, end = _element(token, text) if len(open_) < MOST_NESTED else ("", _address(token, text))
            open_.append(end)
            yield begin


def _element(token: Token, text: Text) -> tuple[str, str]:
    tag = ELEMENTS.get(token.type.removesuffix("_open"), "span")
    start = token.attrGet("start") if tag == "ol" else None
    return f'<ol start="{int(start)}">' if start is not None else f"<{tag}>", f"{_address(token, text)}</{tag}>"


def _leaf(token: Token, text: Text) -> str:
    if token.type == "code_inline":
        return f"<code>{text(token.content)}</code>"
    if token.type in ("fence", "code_block"):
        return f"<pre><code>{text(token.content.removesuffix(chr(10)))}</code></pre>"
    if token.type in ("softbreak", "hardbreak", "hr"):
        return "<hr>" if token.type == "hr" else "<br>"
    if token.type == "image":
        return f"<span>Image: {text(token.content)}{_address(token, text)}</span>"
    return text(token.content)


def _address(token: Token, text: Text) -> str:
    url = token.attrGet("src") or token.attrGet("href")
    return f" ({text(str(url))})" if url else ""
