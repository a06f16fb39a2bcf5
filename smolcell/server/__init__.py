"""A Jupyter server extension: tells the page which runs are under way and which sandboxes there are, in all kernels of this user.

Installing smolcell switches it on, by ``etc/jupyter/jupyter_server_config.d/smolcell.json``. Nothing of it runs before a page asks.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    from smolcell.server.handlers import routes

    server.web_app.add_handlers(".*$", routes(server.web_app.settings["base_url"]))
