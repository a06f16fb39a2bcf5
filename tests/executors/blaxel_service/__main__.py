"""``python -m blaxel_service KEY``: say where it listens, and serve until stdin ends."""

from __future__ import annotations

import sys
import threading

from blaxel_service.answers import Server
from smolcell.worker import process


def main() -> None:
    """See the module."""
    process.prctl(process.PR_SET_CHILD_SUBREAPER, 1)
    server = Server(sys.argv[1])
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    for name in list(server.sandboxes):
        server.end(name)


if __name__ == "__main__":
    main()
