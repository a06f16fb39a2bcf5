"""``python -m e2b_service KEY``: serve, and do what tests ask, until stdin ends."""

from __future__ import annotations

import sys

from e2b_service.answers import Server


def main() -> None:
    """See the module."""
    server = Server(sys.argv[1])
    server.serve()
    server.cloud.end_all()


if __name__ == "__main__":
    main()
