"""Connections to MCP servers over the official SDK: programs of this machine (stdio) and addresses (streamable HTTP).

The rules this file exists to keep:

* A connection has a thread and an event loop of its own: a server that hangs holds up nothing but its own calls.
* A program that was started here ends with the connection, and with the kernel, however that ends: the reaper knows it.
* It gets the environment that the SDK finds harmless and what is named for it, no other variable of the kernel.
* The protocol's library is imported when the first connection is made.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from types import TracebackType
from typing import Any, Self

from smolcell.errors import AgentToolExecutionError, SetupError
from smolcell.executors.reaper import close_at_exit
from smolcell.tools.mcp_tool import MCPTool
from smolcell.tools.mcp_transport import CONNECT, Parameters, named, parameters, session, words
from smolcell.tools.tool import Approve, Tool
from smolcell.visible import visible

log = logging.getLogger("smolcell")
END = 1.5  # seconds that are waited for it to end; then it is ended in the background
MOST_TOOLS, MOST_PAGES = 200, 20
_CLOSED = -32000  # the SDK's code for a connection that has ended


class MCPClient:
    """A connection to one or more MCP servers, made at once; ``with MCPClient(…) as tools`` ends it.

    Args:
        server_parameters: ``mcp.StdioServerParameters``; a dict with ``"url"`` (and ``"headers"``) or ``"command"`` (and ``"args"``,
            ``"env"``, ``"cwd"``); a text, an address or a command line; or a list of these.
        adapter_kwargs: ``{"connect_timeout": seconds}``.
        structured_output: give structured content where a server sends it, instead of its text.
        approve, timeout: as of ``Tool``, for each of the tools.

    Raises:
        SetupError: the SDK is missing, or a server does not start, does not answer or has no tools that can be called.

    A server's descriptions go into the prompt: they are a stranger's words. The tools run where the server runs, with its rights.
    """

    def __init__(
        self,
        server_parameters: Parameters,
        adapter_kwargs: Mapping[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        approve: Approve = False,
        timeout: float | None = None,
    ) -> None:
        given = server_parameters if isinstance(server_parameters, list) else [server_parameters]
        self._servers = [parameters(one) for one in given]
        self._patience = float((adapter_kwargs or {}).get("connect_timeout", CONNECT))
        self._structured = structured_output is not False
        self._approve, self._timeout = approve, timeout
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._tools: list[Tool] = []
        self.connect()

    def connect(self) -> None:
        """Connect, unless it is connected; waits until the tools are known."""
        if self.alive:
            return
        ready: Future[list[Tool]] = Future()
        self._loop, self._stop = asyncio.new_event_loop(), None
        self._thread = threading.Thread(target=self._run, args=(self._loop, ready), name="smolcell-mcp", daemon=True)
        self._thread.start()
        try:
            self._tools = ready.result(self._patience)
        except TimeoutError:
            self.disconnect()
            raise SetupError(
                f"{self._named()} did not answer within {self._patience:g} s; is it an MCP server?"
            ) from None
        except BaseException:
            self.disconnect()
            raise
        close_at_exit(self)

    @property
    def alive(self) -> bool:
        """Whether the connection stands."""
        return self._thread is not None and self._thread.is_alive()

    def get_tools(self) -> list[Tool]:
        """The servers' tools, as they were when the connection was made.

        Raises:
            ValueError: the connection was ended.
        """
        if not self.alive:
            raise ValueError(f"{self._named()} is not connected: call connect() first")
        return list(self._tools)

    def disconnect(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        exc_traceback: TracebackType | None = None,
    ) -> None:
        """End the connection, and the servers that were started for it; twice is harmless."""
        with self._lock:
            loop, thread = self._loop, self._thread
            if loop is None or thread is None or not thread.is_alive():
                return
        try:
            loop.call_soon_threadsafe(self._end)
        except RuntimeError:
            return  # it has just ended
        if thread is not threading.current_thread():
            thread.join(END)

    close = disconnect

    def __enter__(self) -> list[Tool]:
        return self.get_tools()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    # --- on the connection's own thread ---------------------------------------------------------------------------------

    def _run(self, loop: asyncio.AbstractEventLoop, ready: Future[list[Tool]]) -> None:
        try:
            self._task = loop.create_task(self._serve(ready))
            loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            if ready.done():
                log.warning("the connection to %s broke: %s", self._named(), words(error))
            else:
                ready.set_exception(_setup_error(self._named(), error))
        finally:
            if not ready.done():
                ready.set_exception(SetupError(f"{self._named()} ended before it listed its tools"))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def _end(self) -> None:
        if self._stop is not None:
            self._stop.set()
        else:  # it is still connecting
            self._task.cancel()

    async def _serve(self, ready: Future[list[Tool]]) -> None:
        async with AsyncExitStack() as stack:
            found: list[Tool] = []
            for server in self._servers:
                connected = await stack.enter_async_context(session(server))
                found += await self._listed(connected, {tool.name for tool in found})
            if not found:
                raise SetupError(f"{self._named()} has no tools that can be called")
            self._stop = asyncio.Event()
            ready.set_result(found)
            await self._stop.wait()

    async def _listed(self, session: Any, taken: set[str]) -> list[Tool]:
        from mcp import types

        found: list[Tool] = []
        cursor = None
        for _ in range(MOST_PAGES):
            page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor) if cursor else None)
            for described in page.tools:
                try:
                    made = self._tool(described, session, {*taken, *(tool.name for tool in found)})
                except (ValueError, SetupError) as error:
                    log.warning("a tool of %s is left out: %s", self._named(), visible(str(error)[:300]))
                else:
                    found.append(made)
            cursor = page.next_cursor
            if not cursor or len(found) >= MOST_TOOLS:
                break
        return found[:MOST_TOOLS]

    def _tool(self, described: Any, session: Any, taken: set[str]) -> MCPTool:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return await self._ask(session, name, arguments)

        options: dict[str, Any] = {"approve": self._approve, "timeout": self._timeout}
        return MCPTool(described, call, _wait, taken=taken, structured=self._structured, **options)

    # --- calls, from any loop -------------------------------------------------------------------------------------------

    async def _ask(self, session: Any, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool on the connection's loop, from another one; cancelled here, it is cancelled there, and the server told."""
        if not self.alive or self._loop is None:
            raise AgentToolExecutionError(f"{self._named()} is not connected any more: connect() again")
        asked = asyncio.run_coroutine_threadsafe(session.call_tool(name, arguments), self._loop)
        try:
            return await asyncio.wrap_future(asked)
        except asyncio.CancelledError:
            asked.cancel()
            raise
        except Exception as error:
            ended = getattr(error, "code", None) == _CLOSED
            if ended:
                self._loop.call_soon_threadsafe(self._end)
            hint = "; it has ended: connect() again" if ended else ""
            raise AgentToolExecutionError(f"{self._named()}: {words(error)}{hint}") from None

    def _named(self) -> str:
        return "the MCP server " + ", ".join(named(server) for server in self._servers)


class ToolCollection:
    """Tools from one place: ``[*collection.tools]`` goes into an agent's list.

    Attributes:
        tools: them.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = list(tools)

    @classmethod
    @contextmanager
    def from_mcp(
        cls,
        server_parameters: Parameters,
        trust_remote_code: bool = False,
        structured_output: bool | None = None,
        *,
        approve: Approve = False,
        timeout: float | None = None,
    ) -> Iterator[Self]:
        """The tools of MCP servers, for the length of a ``with``; see ``MCPClient``.

        Raises:
            SetupError: ``trust_remote_code`` is not given: a server given as a command is a program that runs on this machine.
        """
        if not trust_remote_code:
            raise SetupError(
                "an MCP server runs with your rights, on this machine or as you at its address; "
                "if you trust it, write: ToolCollection.from_mcp(…, trust_remote_code=True)"
            )
        client = MCPClient(server_parameters, structured_output=structured_output, approve=approve, timeout=timeout)
        with client as tools:
            yield cls(tools)

    @classmethod
    def from_hub(cls, collection_slug: str, token: str | None = None, trust_remote_code: bool = False) -> Self:
        """The tools of a collection of Spaces of the Hugging Face Hub; see ``Tool.from_hub``."""
        from huggingface_hub import get_collection

        spaces = [
            item.item_id for item in get_collection(collection_slug, token=token).items if item.item_type == "space"
        ]
        return cls([Tool.from_hub(space, token=token, trust_remote_code=trust_remote_code) for space in spaces])


def _setup_error(named: str, error: BaseException) -> SetupError:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error if isinstance(error, SetupError) else SetupError(f"{named} cannot be reached: {words(error)}")


def _wait(asked: Awaitable[Any], seconds: float) -> Any:
    """Wait for a call in a thread that may have a running loop."""
    done: Future[Any] = Future()

    def work() -> None:
        try:
            done.set_result(asyncio.run(_awaited(asked, seconds)))
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, name="smolcell-mcp-call", daemon=True).start()
    return done.result()


async def _awaited(asked: Awaitable[Any], seconds: float) -> Any:
    try:
        return await asyncio.wait_for(asked, seconds)
    except TimeoutError:
        raise TimeoutError(f"the MCP server did not answer within {seconds:g} s") from None
