"""``smolcell mcp``: a sandbox for another agent, on standard input and output or on a port of this machine."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING

from smolcell.cli import stdio
from smolcell.errors import SetupError
from smolcell.session import Session
from smolcell.settings import Options, effective_settings

if TYPE_CHECKING:
    from smolcell.interop.mcp import Workbench


def mcp(options: Options, *, kernel: str | None, http: int | None) -> int:
    """Serve until the client goes, or Ctrl-C; the exit status is 0.

    Args:
        options: as of ``smolcell run``.
        kernel: the kernel to attach to; "" for the newest, None for a sandbox of its own.
        http: the port, 0 for a free one; None for standard input and output.

    Raises:
        SetupError: the SDK is missing, the options are not right, or there is no such kernel.
    """
    try:
        from smolcell.interop import mcp_server
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "uvicorn"):
            raise
        raise SetupError("smolcell mcp needs the official SDK: pip install 'smolcell[mcp]'") from None
    if kernel is not None and http is not None:
        raise SetupError("--kernel and --http exclude each other: a kernel serves HTTP itself, as its cell says")
    if kernel is not None:
        asyncio.run(mcp_server.serve_kernel(mcp_server.find_attachment(kernel)))
        return 0
    settings = effective_settings(options, source="the command line")
    from smolcell.interop.mcp import Workbench

    with closing(Workbench(Session(settings.session), settings, options=options)) as bench:
        if http is not None:
            return _serve_http(bench, http)
        asyncio.run(mcp_server.serve_stdio(mcp_server.Tools(bench).server()))
    return 0


def _serve_http(bench: Workbench, port: int) -> int:
    from smolcell.interop.mcp_server import HttpServer, Tools, new_token

    token = new_token()
    with closing(HttpServer(Tools(bench).server(), token, port)) as server:
        server.start()
        stdio.say(f"smolcell: MCP at {server.url}\nsmolcell: clients send the header: Authorization: Bearer {token}")
        try:
            server.ended.result()
        except KeyboardInterrupt:
            stdio.say("smolcell: ended")
    return 0
