"""Names of MCP servers and connections to them: a program on this machine (stdio), or a URL (streamable HTTP, SSE)."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import tempfile
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from smolcell.core.text import presentable, tail
from smolcell.errors import SetupError
from smolcell.executors import child_environment
from smolcell.executors.reaper import reaper
from smolcell.machine.environment import importing, optional
from smolcell.worker.system import processes

CONNECT_SECONDS = 30.0  # seconds for a server to start and list its tools
MAX_ANSWER_BYTES = 100_000_000  # bytes of one answer over HTTP

TRANSPORTS = ("streamable-http", "sse")
Parameters = Any
"""``mcp.StdioServerParameters``, a dict with ``"url"`` or ``"command"``, or a text: a URL or a command line."""


def parameters(given: Parameters) -> Any:
    """Return the parameters of a server, as ``StdioServerParameters`` or a dict with ``"url"``."""
    if isinstance(given, str):
        given = spec(given)
    if not isinstance(given, Mapping):
        if hasattr(given, "command"):
            return given
        raise SetupError(f"an MCP server is given as a URL, a command or a dict, not by a {type(given).__name__}")
    if "url" in given:
        transport = given.get("transport", "streamable-http")
        if transport not in TRANSPORTS:
            raise SetupError(f"the transport {transport!r} is not supported: take one of {', '.join(TRANSPORTS)}")
        return dict(given)
    if "command" not in given:
        raise SetupError('an MCP server needs "url" or "command", for example: {"url": "http://127.0.0.1:8000/mcp"}')
    with optional("an MCP server", "mcp"):
        from mcp import StdioServerParameters
    words = {name: given[name] for name in ("command", "args", "env", "cwd") if name in given}
    passed = {name: os.environ[name] for name in given.get("pass_env", ()) if name in os.environ}
    if passed:
        words["env"] = {**passed, **(words.get("env") or {})}
    return StdioServerParameters(**words)


def spec(text: str) -> dict[str, Any]:
    """Return the server of an ``--mcp`` option: a URL, or a command line."""
    if text.strip().startswith(("http://", "https://")):
        return {"url": text.strip()}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SetupError(f"the MCP server {text!r} cannot be read: {error}. Close every quote") from None
    if not words:
        raise SetupError("an MCP server is a URL or a command line, for example: --mcp 'uvx mcp-server-time'")
    return {"command": words[0], "args": words[1:]}


@asynccontextmanager
async def session(server: Any, elicit: Callable[[Any, Any], Awaitable[Any]]) -> Any:
    """Open a session with one server, from its start to its end.

    The session has ``is_running()``, whether the server is known to run, and ``last_line()``, a program's last line on stderr.

    Args:
        server: the result of ``parameters``.
        elicit: answers the server's questions to the user.
    """
    with optional("an MCP server", "mcp"):
        from mcp import ClientSession

    class ServerSession(ClientSession):  # type: ignore[misc] # Any: its library is optional
        async def validate_tool_result(self, name: str, result: Any) -> None:
            """Do nothing: running a server's schema could block this process by a pattern in it."""

        def is_running(self) -> bool:
            return last_words is None or last_words.is_open()

        def last_line(self) -> str:
            return "" if last_words is None else last_words.last_line()

    last_words = None if isinstance(server, Mapping) else LastWords()
    transport = _http(server) if last_words is None else _program(server, last_words)
    async with transport as streams, ServerSession(streams[0], streams[1], elicitation_callback=elicit) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def _http(server: Mapping[str, Any]) -> Any:
    with importing():
        import httpx2
        from mcp.client.sse import sse_client
        from mcp.client.streamable_http import streamable_http_client

    class BoundedBody(httpx2.AsyncByteStream):  # type: ignore[misc] # Any: its library is optional
        """The body of an answer, or each event of a stream, read no faster than it is consumed."""

        def __init__(self, stream: Any, *, events: bool) -> None:
            self._stream, self._events = stream, events

        async def __aiter__(self) -> Any:
            size = 0
            async for chunk in self._stream:
                is_end = self._events and any(end in chunk for end in (b"\n\n", b"\r\r", b"\r\n\r\n"))
                size = len(chunk) if is_end else size + len(chunk)
                if size > MAX_ANSWER_BYTES:
                    raise ValueError(f"the server's answer is larger than {MAX_ANSWER_BYTES:,} bytes")
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    class BoundedTransport(httpx2.AsyncHTTPTransport):  # type: ignore[misc] # Any: its library is optional
        async def handle_async_request(self, request: Any) -> Any:
            request.headers["Accept-Encoding"] = "identity"
            response = await super().handle_async_request(request)
            if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
                await response.aclose()  # unpacked, it may be a thousand times as large
                raise ValueError("the server's answer is packed, which was not asked for")
            kind = response.headers.get("content-type", "").lower()
            if "json" in kind or "event-stream" in kind:
                response.stream = BoundedBody(response.stream, events="json" not in kind)
            return response

    timeout = httpx2.Timeout(CONNECT_SECONDS, read=None)  # each call has its own time limit
    headers = dict(server.get("headers") or {})
    if server.get("transport") == "sse":

        def client_for_sse(**options: Any) -> Any:
            return httpx2.AsyncClient(**{**options, "timeout": timeout}, transport=BoundedTransport())

        async with sse_client(server["url"], headers=headers, httpx_client_factory=client_for_sse) as streams:
            yield streams
        return
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout, transport=BoundedTransport()) as client,
        streamable_http_client(server["url"], http_client=client, max_sse_event_size=MAX_ANSWER_BYTES) as streams,
    ):
        yield streams


@asynccontextmanager
async def _program(server: Any, last_words: LastWords) -> Any:
    """Start a server that is a program. If it does not start, its output to stderr is in the error."""
    with importing():
        from mcp.client.stdio import stdio_client

    token = secrets.token_hex(16)
    folder = Path(tempfile.mkdtemp(prefix="smolcell-mcp-"))
    inherited = child_environment.inherited(*child_environment.NETWORK)  # besides the variables that the SDK passes on
    marked = server.model_copy(update={"env": {**inherited, **(server.env or {}), processes.TOKEN: token}})
    reaper.register(0, token, str(folder))
    try:
        async with stdio_client(marked, errlog=last_words.file) as streams:
            last_words.file.close()  # now only the server holds the pipe
            yield streams
    except Exception as error:
        last = tail(last_words.end(), 500)
        raise _ProgramError(f"{words(error)}{f'; it said: {last}' if last else ''}") from None
    finally:
        last_words.end()
        shutil.rmtree(folder, ignore_errors=True)
        reaper.forget(token)


class LastWords:
    """Keeps the end of a program's output to a pipe, and drops the rest.

    Attributes:
        file: the pipe's end for the program.
    """

    MAX_KEPT_BYTES = 10_000  # bytes kept

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self.file = os.fdopen(writing, "w")
        self._last_bytes = b""
        self._reader = threading.Thread(target=self._read, args=(reading,), name="smolcell-mcp-stderr", daemon=True)
        self._reader.start()

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while data := pipe.read(65_536):
                self._last_bytes = (self._last_bytes + data)[-self.MAX_KEPT_BYTES :]

    def is_open(self) -> bool:
        """Return whether a program still holds the pipe."""
        return self._reader.is_alive()

    def last_line(self) -> str:
        """Return the last line of a program that has ended, redacted and visible. Waits a moment until it is read."""
        return tail(self.end(), self.MAX_KEPT_BYTES).rpartition("\n")[2][:500]

    def end(self) -> str:
        """Close this process's end, and return the kept output. Idempotent. Does not wait for programs that still hold the pipe."""
        self.file.close()
        self._reader.join(1.0)
        return self._last_bytes.decode("utf-8", "replace")


class _ProgramError(Exception):
    """A program did not start, or its connection broke."""


def server_name(server: Any) -> str:
    """Return a server's name for messages: without keys in its URL or arguments."""
    if isinstance(server, Mapping):
        return presentable(str(server["url"]).partition("?")[0])[:200]
    return presentable(" ".join([server.command, *server.args]))[:200]


def words(error: BaseException) -> str:
    """Return the text of an SDK error; of a group, that of its first error."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename or error}"
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    return presentable(str(text))[:500]
