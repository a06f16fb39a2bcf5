"""A server on this machine that answers as the web does, the hostile part of it included."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from http_server import Handler, Server, served

ARTICLE = """<html><head><title>Teas &amp; more</title><style>p {}</style></head><body><nav><a href="/home">Home</a></nav>
<h1>Teas</h1><script>steal()</script><p>Green <b>and</b> black\u202e.</p><ul><li>one</li><li>two</li></ul>
<table><tr><th>tea</th><th>price</th></tr><tr><td>green</td><td>3</td></tr></table><a href="/x">more</a></body></html>"""
RESULTS = """<table><tr><td><a rel="nofollow" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftea.example%2Fa&amp;r=1" class='result-link'>All
about <b>tea</b></a></td></tr><tr><td class='result-snippet'>Tea is <b>old</b>.</td></tr>
<tr><td><a href="https://b.example/" class='result-link'>Second</a></td></tr><tr><td class='result-snippet'>More.</td></tr></table>"""
WIKI = {
    "query": {"pages": [{"title": "Tea", "fullurl": "https://en.wikipedia.org/wiki/Tea", "extract": "Tea is a drink."}]}
}


class Web(Handler):
    seen: list[tuple[str, str]] = []

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        type(self).seen.append((self.path, self.headers.get("Host", "")))
        getattr(self, f"page{where.path.replace('/', '_')}", self.missing)(parse_qs(where.query))

    broken = ""
    broken_kind = "text/html; charset=utf-8"

    def page_broken(self, _: Any) -> None:
        self.say(self.broken, self.broken_kind)

    def page_article(self, _: Any) -> None:
        self.say(ARTICLE)

    def page_lite_(self, query: Any) -> None:
        self.say(RESULTS if query.get("q") == ["tea"] else "<html>nothing</html>")

    def page_feed(self, query: Any) -> None:
        about = "<title>All about tea</title><link>https://tea.example/a</link><description>Tea is old.</description>"
        item = f"<item>{about}</item>" if (query["q"], query["format"]) == (["tea"], ["rss"]) else ""
        self.say(f"<rss><channel><title>Feed</title>{item}</channel></rss>", "text/xml; charset=utf-8")

    def page_w_api_php(self, query: Any) -> None:
        told = (
            WIKI
            if "explaintext" in query
            else json.loads(json.dumps(WIKI).replace("Tea is a drink.", "<h2>Tea</h2><p>is a drink.</p>"))
        )
        self.say(json.dumps(told if query["gsrsearch"] == ["tea"] else {}), "application/json")

    page_w_api = page_w_api_php

    def page_json(self, _: Any) -> None:
        self.say('{"a": 1}', "application/json")

    def page_latin(self, _: Any) -> None:
        self.say("<meta charset=iso-8859-1><p>caf\u00e9".encode("latin-1"), "text/html")

    def page_picture(self, _: Any) -> None:
        self.say(b"\x89PNG", "image/png")

    def page_huge(self, _: Any) -> None:
        self.say(b"x" * 200_000)

    def page_bomb(self, _: Any) -> None:
        self.say(gzip.compress(b"x" * 50_000_000), encoding="gzip")

    def page_zipped(self, _: Any) -> None:
        self.say(gzip.compress(b"<p>packed"), encoding="gzip")

    def page_brotli(self, _: Any) -> None:
        self.say(b"?", encoding="br")

    def page_deep(self, _: Any) -> None:
        self.say("<div>" * 3_000 + "deep" + "</div>" * 3_000)

    def page_error(self, _: Any) -> None:
        self.send_error(503)

    def page_redirect(self, query: Any) -> None:
        self.send_response(302)
        self.send_header("Location", query["to"][0])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def page_loop(self, _: Any) -> None:
        self.page_redirect({"to": ["/loop"]})

    def page_slow(self, _: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(0.2)

    def missing(self, _: Any) -> None:
        self.send_error(404)

    def say(self, body: str | bytes, kind: str = "text/html; charset=utf-8", encoding: str = "") -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            pass  # the reader had enough


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[str]:
    """The server's address."""
    with served(Server(Web, host)) as server:
        yield f"http://{host}:{server.server_port}"
