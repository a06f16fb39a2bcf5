"""Ports for kernels that the system gives to nobody else; importing this is enough.

jupyter_client finds a free port and lets it go, and a second later the kernel takes it: meanwhile another process may have got it. Here the
ports are below those that the system gives, and each worker of pytest has its own.
"""

from __future__ import annotations

import os
import random
import socket
from contextlib import suppress
from itertools import cycle

from jupyter_client.connect import LocalPortCache

FIRST, EACH, WORKERS = 10_000, 2_000, 11  # up to 32,000; Linux gives ports from 32,768 on

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
_begin = random.Random(os.getpid()).randrange(EACH)  # another run of the tests may go on beside this one
_ports = cycle(FIRST + _worker * EACH + (_begin + number) % EACH for number in range(EACH))


def find_port(_: LocalPortCache, ip: str) -> int:
    """The next of this worker's ports that is free."""
    while True:
        port = next(_ports)
        with socket.socket() as tried, suppress(OSError):
            tried.bind((ip, port))
            return port


LocalPortCache.find_available_port = find_port  # type: ignore[method-assign, assignment]
