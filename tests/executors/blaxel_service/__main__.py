"""``python -m blaxel_service KEY``: serve, and do what tests ask, until stdin ends."""

from __future__ import annotations

import sys

from blaxel_service.answers import Server


def main() -> None:
    """See the module."""
    server = Server(sys.argv[1])
    server.serve()
    for name in list(server.sandboxes):
        server.end(name)


if __name__ == "__main__":
    main()
