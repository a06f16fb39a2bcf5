"""``smolcell docs``: the documentation site, served to this machine only."""

from __future__ import annotations

import functools
import http.server
import webbrowser
from pathlib import Path

from smolcell.errors import SetupError

SITE = Path(__file__).resolve().parents[1] / "site"
HOST = "127.0.0.1"


class _Pages(http.server.SimpleHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log no request: the terminal holds the address."""


def docs(*, port: int = 0, browser: bool = True, site: Path = SITE) -> int:
    """Serve the built site until Ctrl-C; returns the exit status.

    Args:
        port: 0 for a free one.
        browser: open the first page.
        site: the folder of the built site.

    Raises:
        SetupError: the site is not built, or the port is taken.
    """
    if not (site / "index.html").is_file():
        raise SetupError(
            "the documentation is not built in this clone: pip install -e '.[docs]' && mkdocs build; the same pages are in docs/"
        )
    try:
        server = http.server.ThreadingHTTPServer((HOST, port), functools.partial(_Pages, directory=str(site)))
    except OSError as error:
        raise SetupError(f"port {port} cannot be used: {error.strerror}; leave --port out to take a free one") from None
    address = f"http://{HOST}:{server.server_port}/index.html"
    print(f"{address}\nCtrl-C ends it.", flush=True)
    if browser:
        webbrowser.open(address)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
