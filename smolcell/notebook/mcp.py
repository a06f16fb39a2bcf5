"""``%agent mcp``: an MCP client works in a session of this notebook, and its programs are approved on cards below the cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from smolcell.environment import importing
from smolcell.errors import SetupError
from smolcell.notebook.status import kernel_id
from smolcell.protocols import FrontEnd
from smolcell.session import Session
from smolcell.settings import Options, Settings

SAY = (
    "smolcell: an MCP client can work here until this cell is interrupted. Give it the command: smolcell mcp --kernel {kernel}\n"
    "smolcell: address and token for a client of HTTP stand in {path} until then"
)


def attach(
    session: Session,
    settings: Settings,
    options: Options,
    front: FrontEnd,
    variables: Mapping[str, Any],
    say: Callable[[str], object],
) -> None:
    """Let one client at a time work in the session; stays until an interrupt.

    Args:
        session: of the notebook.
        settings, options: of the cell.
        front: shows cards and asks on them.
        variables: copied into the sandbox.
        say: tells the person something.

    Raises:
        SetupError: the SDK is missing, or there is no front end to ask for approval.
    """
    try:
        with importing():
            from smolcell.interop.mcp import Workbench
            from smolcell.interop.mcp_server import Attachment, HttpServer, Tools, new_token
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "uvicorn"):
            raise
        raise SetupError("%agent mcp needs the official SDK: pip install 'smolcell[mcp]'") from None
    token, kernel = new_token(), kernel_id()
    bench = Workbench(session, settings, front=front, options=options, variables=variables)
    server = HttpServer(Tools(bench).server(), token)
    with closing(server), closing(Attachment(kernel, session.place, server.url, token)) as attachment:
        server.start()
        say(SAY.format(kernel=kernel, path=attachment.path))  # the token is no part of the saved notebook
        try:
            front.waiter.wait(server.ended)
        except KeyboardInterrupt:
            say("smolcell: no client can work here any more")
        finally:
            bench.leave()
