"""``python -m modal_service KEY``: serve, and do what tests ask, until stdin ends."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

from grpclib.server import Server
from stand_in import obey

from modal_service.answers import Control, Router, judge
from modal_service.cloud import Cloud
from smolcell.worker.system import processes


async def main() -> None:
    """See the module."""
    processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(256))  # one for each that waits
    cloud = Cloud()
    server = Server([Control(cloud), Router(cloud)])
    judge(server, cloud)
    await server.start("127.0.0.1", 0)
    (socket,) = server._server.sockets
    cloud.address = f"http://127.0.0.1:{socket.getsockname()[1]}"
    await asyncio.to_thread(obey, cloud)
    await asyncio.to_thread(cloud.end_all)
    os._exit(0)  # its threads wait for clients that are gone


if __name__ == "__main__":
    asyncio.run(main())
