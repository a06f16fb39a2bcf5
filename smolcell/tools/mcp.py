"""Connections to MCP servers with the official SDK: programs on this machine (stdio) and URLs (streamable HTTP).

* A connection has its own thread and event loop: a server that hangs blocks only its own calls.
* A program started here ends with the connection and with the kernel, even if that is killed: the reaper ends it.
* Its environment has the variables that the SDK considers harmless and those given for it, no other of the kernel's.
* The SDK is imported when the first connection is made.
"""

from __future__ import annotations

import asyncio
import base64
import inspect
import io
import json
import logging
import math
import threading
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from smolcell.core.text import presentable, sendable, shorten, visible
from smolcell.errors import AgentToolCallError, AgentToolExecutionError, SetupError
from smolcell.executors.reaper import close_at_exit
from smolcell.machine.environment import importing
from smolcell.models.generate import complete
from smolcell.protocols import person, trace_headers
from smolcell.tools.mcp_transport import CONNECT_SECONDS, Parameters, parameters, server_name, session, words
from smolcell.tools.schema import STANDARD_TYPES, Word, bounded, declared_input, identifier
from smolcell.tools.tool import Approve, Tool, json_annotation

log = logging.getLogger("smolcell")

# --- Questions of a server to the user during a call (the protocol's "elicitation"), shown on the card.

MAX_FIELDS = 10
_MAX_TEXT = 1_000  # characters of a server's text
_BOOLEANS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """How to ask the person whose run a call belongs to, and the event loop for it."""

    loop: asyncio.AbstractEventLoop
    ask: Callable[[str], Awaitable[str]] | None


async def answer(server: str, question: Any, asker: Asker | None) -> dict[str, Any] | None:
    """Return the person's answers by field; None if they declined, if no person is there, or if the question is not a form.

    Each field is asked separately. A reply that does not fit its field declines the whole form.
    """
    schema = getattr(question, "requested_schema", None)
    if asker is None or asker.ask is None or not isinstance(schema, Mapping):
        return None
    fields = schema.get("properties") or {"answer": {"type": "string"}}
    if not isinstance(fields, Mapping) or len(fields) > MAX_FIELDS:
        return None
    answers: dict[str, Any] = {}
    for name, field in fields.items():
        field = field if isinstance(field, Mapping) else {}
        text = f"{server} asks: {shorten(question.message, _MAX_TEXT)}\n{shorten(name, 100)} ({_expected(field)})"
        try:
            asked = asyncio.run_coroutine_threadsafe(_coroutine(asker.ask(visible(text))), asker.loop)
            answers[name] = _parsed(await asyncio.wrap_future(asked), field)
        except Exception:  # no answer, or none that fits
            return None
    return answers


async def _coroutine(asked: Awaitable[str]) -> str:
    return await asked


def _expected(field: Mapping[str, Any]) -> str:
    choices = field.get("enum")
    kind = (
        "one of " + ", ".join(map(str, choices[:20])) if isinstance(choices, list) else str(field.get("type", "text"))
    )
    text = field.get("description") or field.get("title")
    return shorten(f"{kind}; {text}" if isinstance(text, str) else kind, _MAX_TEXT)


def _parsed(reply: str, field: Mapping[str, Any]) -> Any:
    """Return the reply as a value of the field.

    Raises:
        ValueError: it does not fit the field.
    """
    kind, text = field.get("type", "string"), reply.strip()
    value: Any = text
    if kind == "boolean":
        value = _BOOLEANS.get(text.lower())
        if value is None:
            raise ValueError(text)
    elif kind in ("integer", "number"):
        value = int(text) if kind == "integer" else float(text)
    elif kind == "array":
        value = json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",")]
    if isinstance(field.get("enum"), list) and value not in field["enum"]:
        raise ValueError(text)
    return value


# --- One tool of an MCP server as a smolcell tool: its name, schema and results made safe to show and to call.
#
# * A server's names, descriptions and schemas are hostile: the code calls an ASCII identifier, the model reads bounded, visible text, and a
#   server's schema is never run (a pattern in it could block the interpreter for hours).
# * A result is data: bounded texts, JSON and images.


Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a tool of the server, given the server's name of it and the arguments; returns the SDK's result."""

MAX_INPUTS = 50
DIRECT_CALL_SECONDS = 300.0  # seconds for a tool that is called directly
_MAX_DESCRIPTION_CHARS = _MAX_SCHEMA_CHARS = 4_000  # characters
_MAX_RESULT_CHARS = 20_000_000  # characters of a result
_MAX_PIXELS = 50_000_000
_EMPTY = inspect.Parameter.empty


class MCPTool(Tool):
    """A tool of an MCP server. A direct call blocks until the server answers; an agent awaits it.

    Args:
        described: the SDK's description: ``name``, ``description``, ``input_schema``, ``output_schema``.
        call: calls the tool.
        wait: waits for such a call in this thread, for at most so many seconds.
        taken: names that are already used.
        structured: return structured content if the server sends it.
        approve, timeout: see ``Tool``.

    Raises:
        ValueError: a call cannot be made from its schema; the message says why.
    """

    def __init__(
        self,
        described: Any,
        call: Call,
        wait: Callable[[Awaitable[Any], float], Any],
        *,
        taken: Container[str] = (),
        structured: bool = True,
        approve: Approve = False,
        timeout: float | None = None,
    ) -> None:
        self.server_name = str(described.name)
        self.name = identifier(self.server_name, taken)
        self.description = (
            bounded(described.description, _MAX_DESCRIPTION_CHARS) or f"The tool {self.name} of an MCP server."
        )
        self.approve, self.timeout, self.concurrent = approve, timeout, True
        self._call, self._wait, self._structured = call, wait, structured
        self._own_names: dict[str, str] = {}
        schema = described.input_schema if isinstance(described.input_schema, Mapping) else {}
        self.inputs, self.signature = self._read(schema)
        declared = described.output_schema if structured else None
        self._wrapped = isinstance(declared, Mapping) and list(declared.get("properties") or ()) == ["result"]
        self.output_schema, self.output_type = self._read_output(declared)

    def _read(self, schema: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], inspect.Signature]:
        """Return the schema of each argument, and the signature; required arguments come first."""
        properties, required = schema.get("properties") or {}, schema.get("required") or ()
        is_read = isinstance(properties, Mapping) and isinstance(required, (list, tuple))
        if not is_read or len(properties) > MAX_INPUTS:
            raise ValueError(f"its arguments are not described as at most {MAX_INPUTS} properties")
        inputs: dict[str, dict[str, Any]] = {}
        parameters: list[inspect.Parameter] = []
        for own, described in properties.items():
            name = identifier(str(own), {*inputs, "self"}, "argument")
            self._own_names[name] = str(own)
            declared = declared_input(described if isinstance(described, Mapping) else {})
            default = _EMPTY if own in required else _default(described)
            if default is None:
                declared["nullable"] = True
            inputs[name] = declared
            annotation = json_annotation(declared["type"])
            if declared.get("nullable") and annotation != "Any":
                annotation = Word(f"{annotation} | None")
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
        parameters.sort(key=lambda parameter: parameter.default is not _EMPTY)
        return inputs, inspect.Signature(parameters)

    def _read_output(self, declared: Any) -> tuple[Mapping[str, Any] | None, str]:
        if not isinstance(declared, Mapping):
            return None, "any"
        if self._wrapped:
            declared = declared["properties"]["result"]
        kind = declared.get("type") if isinstance(declared, Mapping) else None
        small = isinstance(declared, Mapping) and len(json.dumps(declared, default=str)) <= _MAX_SCHEMA_CHARS
        output_type = kind if isinstance(kind, str) and kind in STANDARD_TYPES else "any"
        return (declared if small and output_type in ("object", "array") else None), output_type

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the server and wait for it, at most ``timeout`` seconds (300 if there is none)."""
        return self._wait(self.aforward(*args, **kwargs), self.timeout or DIRECT_CALL_SECONDS)

    @property
    def is_async(self) -> bool:
        return True

    async def aforward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the server. Returns its answer as texts, JSON and images.

        Raises:
            AgentToolCallError: an argument is not JSON.
            AgentToolExecutionError: the server reports a failure, has ended, or sends an answer that is too large.
        """
        given = self.signature.bind(*args, **kwargs).arguments
        arguments = {self._own_names[name]: self._jsonable(name, value) for name, value in given.items()}
        result = await self._call(self.server_name, arguments)
        content = list(result.content or ())
        if result.is_error:
            text = "\n".join(str(part.text) for part in content if getattr(part, "type", "") == "text")
            raise AgentToolExecutionError(
                bounded(text, _MAX_DESCRIPTION_CHARS) or f"the server says that {self.name} failed"
            )
        structured = getattr(result, "structured_content", None)
        if self._structured and structured is not None:
            _bound(len(json.dumps(structured, default=str)))
            return structured["result"] if self._wrapped and set(structured) == {"result"} else structured
        return _join([_part(part) for part in content])

    def _jsonable(self, name: str, value: Any) -> Any:
        try:
            return json.loads(json.dumps(value, default=_plain, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            kind = type(value).__name__
            raise AgentToolCallError(
                f"{self.name}{self.signature}: {name!r} is a {kind} that is not JSON, and MCP servers take nothing else; "
                "pass dicts, lists, texts and finite numbers, such as frame.to_dict('records')"
            ) from None


def _default(described: Any) -> Any:
    """Return a default that can be written in a signature; None for any other."""
    default = described.get("default") if isinstance(described, Mapping) else None
    is_number = isinstance(default, int) or (isinstance(default, float) and math.isfinite(default))
    return default if is_number or (isinstance(default, str) and len(default) <= 50) else None


def _plain(value: Any) -> Any:
    """Convert plain data that JSON has no form for."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError


def _bound(size: int) -> None:
    if size > _MAX_RESULT_CHARS:
        raise AgentToolExecutionError(f"the server's answer has {size:,} characters; {_MAX_RESULT_CHARS:,} are taken")


def _part(part: Any) -> Any:
    kind = getattr(part, "type", "")
    if kind == "text":
        _bound(len(part.text))
        return part.text
    if kind == "image":
        return _image(part.data, getattr(part, "mime_type", ""))
    if kind == "audio":
        _bound(len(part.data))
        return base64.b64decode(part.data, validate=True)
    if kind == "resource" and isinstance(getattr(part.resource, "text", None), str):
        _bound(len(part.resource.text))
        return part.resource.text
    return f"[{kind or 'a part'} {getattr(part, 'uri', '')}]".replace(" ]", "]")


def _image(data: str, mime: str) -> Any:
    """Return an image; a text that names it if PIL is missing or cannot open it, with the source of an SVG."""
    _bound(len(data))
    try:
        raw = base64.b64decode(data)
    except ValueError:
        return "[an image that cannot be decoded]"
    with suppress(ImportError, OSError, ValueError, SyntaxError):  # errors of PIL for files that it cannot open
        with importing():
            from PIL import Image
        with suppress(Image.DecompressionBombError):
            picture = Image.open(io.BytesIO(raw), formats=["PNG", "JPEG", "GIF", "WEBP"])
            if picture.width * picture.height <= _MAX_PIXELS:
                picture.load()
                return picture
    name = f"[an image of the type {bounded(mime, 100)!r} that cannot be opened: {len(raw):,} bytes]"
    return f"{name}\n{raw.decode(errors='replace')}" if mime == "image/svg+xml" else name


def _join(parts: list[Any]) -> Any:
    """Return a single part unchanged, texts as one text, anything else as a list; None if there is nothing."""
    if all(isinstance(part, str) for part in parts):
        return "\n".join(parts) if parts else None
    return parts[0] if len(parts) == 1 else parts


CLOSE_SECONDS = 1.5  # seconds to wait for the end; then it continues in the background
MAX_TOOLS, MAX_PAGES = 200, 20
_CLOSED = -32000  # the SDK's code for a connection that has ended


class MCPClient:
    """Connections to one or more MCP servers, made at once; ``with MCPClient(…) as tools`` closes them.

    Args:
        server_parameters: ``mcp.StdioServerParameters``; a dict with ``"url"`` (and ``"headers"``) or ``"command"`` (and ``"args"``,
            ``"env"``, ``"cwd"``); a text: a URL or a command line; or a list of these.
        adapter_kwargs: ``{"connect_timeout": seconds}``.
        structured_output: return structured content if a server sends it, instead of its text.
        approve, timeout: as for ``Tool``, for each of the tools.

    Raises:
        SetupError: the SDK is missing, or a server does not start, does not answer or has no callable tools.

    A server's descriptions become part of the prompt, though they are foreign text. The tools run in the server, with its rights.
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
        self._patience = float((adapter_kwargs or {}).get("connect_timeout", CONNECT_SECONDS))
        self._options: dict[str, Any] = {
            "structured": structured_output is not False,
            "approve": approve,
            "timeout": timeout,
        }
        self._restarting = threading.Lock()
        self._is_closed = self._is_restarted = False
        self._askers: list[Asker] = []
        self._connection: _Connection | None = None
        self._tools: list[Tool] = []
        self.connect()

    def connect(self) -> None:
        """Connect, and wait until the tools are known. Does nothing if it is connected."""
        self._is_closed = self._is_restarted = False
        if not self.alive:
            self._tools = self._connect()

    def _connect(self) -> list[Tool]:
        self._connection = connection = _Connection(self._servers, self._elicit, self._tool)
        try:
            tools = connection.ready.result(self._patience)
        except TimeoutError:
            self.disconnect()
            raise SetupError(
                f"{connection.name} did not answer within {self._patience:g} s; is it an MCP server?"
            ) from None
        except BaseException:
            self.disconnect()
            raise
        close_at_exit(self)
        return tools

    @property
    def alive(self) -> bool:
        """Return whether the connection is open."""
        return self._connection is not None and self._connection.thread.is_alive()

    def get_tools(self) -> list[Tool]:
        """Return the servers' tools, as listed when the connection was made.

        Raises:
            ValueError: the connection is closed.
        """
        if not self.alive:
            raise ValueError(f"{_name(self._servers)} is not connected: call connect() first")
        return list(self._tools)

    def disconnect(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        exc_traceback: TracebackType | None = None,
    ) -> None:
        """Close the connections, and end the servers that were started for them. Idempotent."""
        self._is_closed = True
        connection = self._connection
        if connection is not None and connection.thread.is_alive():
            connection.end()
            if connection.thread is not threading.current_thread():
                connection.thread.join(CLOSE_SECONDS)

    close = disconnect

    def __enter__(self) -> list[Tool]:
        return self.get_tools()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    def _tool(self, described: Any, place: int, taken: set[str]) -> MCPTool:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return await self._call(place, name, arguments)

        return MCPTool(described, call, _wait, taken=taken, **self._options)

    async def _call(self, place: int, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of a server, from any loop.

        Servers that have ended are restarted, once until a call succeeds. The interrupted call is not repeated.
        """
        for is_second in (False, True):
            connection = self._connection
            if connection is None or connection.has_ended or self._is_closed or not self.alive:
                connection = await asyncio.to_thread(self._restart)
            was_running = connection.sessions[place].is_running()
            asker = Asker(asyncio.get_running_loop(), person.get())
            self._askers.append(asker)
            try:
                result = await connection.call(place, name, arguments)
            except _EndedError as error:
                if was_running or is_second:
                    again = "" if is_second else "; the next call starts it again"
                    raise AgentToolExecutionError(f"{error}{again}") from None
            else:
                self._is_restarted = False
                return result
            finally:
                self._askers.remove(asker)
        raise AssertionError("unreachable")

    def _restart(self) -> _Connection:
        with self._restarting:
            if self._connection is not None and self._connection.has_ended:
                self._connection.thread.join(self._patience)
            if self._is_closed or not self.alive:
                if self._is_closed or self._is_restarted:
                    why = "is not connected any more" if self._is_closed else "ended again after a restart"
                    raise AgentToolExecutionError(f"{_name(self._servers)} {why}: connect() again")
                self._is_restarted = True
                log.warning("%s has ended and is restarted", _name(self._servers))
                try:
                    self._connect()
                except SetupError as error:
                    raise AgentToolExecutionError(str(error)) from None
            assert self._connection is not None  # noqa: S101
            return self._connection

    async def _elicit(self, _: Any, question: Any) -> Any:
        """Ask the person whose run called the server its question; decline if no person is there."""
        asker = self._askers[-1] if self._askers else None
        answered = await answer(_name(self._servers), question, asker)
        with importing():
            from mcp import types

        return types.ElicitResult(action="decline" if answered is None else "accept", content=answered)


class _Connection:
    """A connection to the servers, from its start to its end, on a thread and an event loop of its own.

    Args:
        servers: their parameters.
        elicit: answers a server's questions to the user.
        make: makes a tool, given its description, the number of its server and the names that are taken.

    Attributes:
        ready: the tools, once they are known.
        sessions: one for each server.
        has_ended: whether a server has ended.
    """

    def __init__(
        self, servers: Sequence[Any], elicit: Callable[[Any, Any], Awaitable[Any]], make: Callable[..., Tool]
    ) -> None:
        self.name = _name(servers)
        self.ready: Future[list[Tool]] = Future()
        self.sessions: list[Any] = []
        self.has_ended = False
        self._servers, self._elicit, self._make = servers, elicit, make
        self._loop = asyncio.new_event_loop()
        self._stop: asyncio.Event | None = None  # None: it is still connecting
        self._task: asyncio.Task[None] | None = None
        self.thread = threading.Thread(target=self._run, name="smolcell-mcp", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        loop, ready = self._loop, self.ready
        try:
            self._task = loop.create_task(self._serve())
            loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            if ready.done():
                log.warning("the connection to %s broke: %s", self.name, words(error))
            else:
                ready.set_exception(_setup_error(self.name, error))
        finally:
            if not ready.done():
                ready.set_exception(SetupError(f"{self.name} ended before it listed its tools"))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def end(self) -> None:
        """End the connection soon. From any thread; idempotent."""
        with suppress(RuntimeError):  # it has already ended
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        if self._stop is not None:
            self._stop.set()
        elif self._task is not None:
            self._task.cancel()

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            tools: list[Tool] = []
            for server in self._servers:
                self.sessions.append(await stack.enter_async_context(session(server, self._elicit)))
                tools += await self._list_tools({tool.name for tool in tools})
            if not tools:
                raise SetupError(f"{self.name} has no tools that can be called")
            self._stop = asyncio.Event()
            self.ready.set_result(tools)
            await self._stop.wait()

    async def _list_tools(self, taken: set[str]) -> list[Tool]:
        """Return the tools of the newest session."""
        with importing():
            from mcp import types

        tools: list[Tool] = []
        cursor: Any = None
        for _ in range(MAX_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self.sessions[-1].list_tools(params=params)
            for described in page.tools:
                try:
                    tools.append(
                        self._make(described, len(self.sessions) - 1, {*taken, *(tool.name for tool in tools)})
                    )
                except (ValueError, SetupError) as error:
                    log.warning("a tool of %s is left out: %s", self.name, presentable(shorten(str(error), 300)))
            cursor = page.next_cursor
            if not cursor or len(tools) >= MAX_TOOLS:
                break
        return tools[:MAX_TOOLS]

    async def call(self, place: int, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool on the connection's loop, from another one. Cancelling this cancels the call there, and the server is told.

        Raises:
            _EndedError: the server has ended.
            AgentToolExecutionError: the call failed in another way.
        """
        if not self.thread.is_alive():
            raise _EndedError(f"{self.name} is not connected")
        traced = {"meta": dict(trace_headers.get())} if trace_headers.get() else {}
        called = self.sessions[place].call_tool(name, sendable(arguments), **traced)
        pending = asyncio.run_coroutine_threadsafe(called, self._loop)
        try:
            return await asyncio.wrap_future(pending)
        except asyncio.CancelledError:
            pending.cancel()
            raise
        except Exception as error:
            if getattr(error, "code", None) != _CLOSED:
                raise AgentToolExecutionError(f"{self.name}: {words(error)}") from None
            self.has_ended = True
            self.end()
            last = await asyncio.to_thread(self.sessions[place].last_line)
            raise _EndedError(f"{self.name} has ended{f'; its last line was: {last}' if last else ''}") from None


def _name(servers: Sequence[Any]) -> str:
    return "the MCP server " + ", ".join(server_name(server) for server in servers)


class _EndedError(Exception):
    """The server has ended."""


class ToolCollection:
    """Tools of one origin: put ``*collection.tools`` into an agent's list.

    Attributes:
        tools: the tools.
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
        """Provide the tools of MCP servers within a ``with``; see ``MCPClient``.

        Raises:
            SetupError: ``trust_remote_code`` is missing: a server given as a command is a program that runs on this machine.
        """
        if not trust_remote_code:
            raise SetupError(
                "an MCP server acts with your rights, on this machine or with your account at its URL; "
                "if you trust it, write: ToolCollection.from_mcp(…, trust_remote_code=True)"
            )
        client = MCPClient(server_parameters, structured_output=structured_output, approve=approve, timeout=timeout)
        with client as tools:
            yield cls(tools)

    @classmethod
    def from_hub(cls, collection_slug: str, token: str | None = None, trust_remote_code: bool = False) -> Self:
        """Return the tools of a collection of Spaces on the Hugging Face Hub; see ``Tool.from_hub``."""
        with importing():
            from huggingface_hub import get_collection

        spaces = [
            item.item_id for item in get_collection(collection_slug, token=token).items if item.item_type == "space"
        ]
        return cls([Tool.from_hub(space, token=token, trust_remote_code=trust_remote_code) for space in spaces])


def _setup_error(named: str, error: BaseException) -> SetupError:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error if isinstance(error, SetupError) else SetupError(f"{named} cannot be reached: {words(error)}")


def _wait(call: Awaitable[Any], seconds: float) -> Any:
    """Wait for a call, in a thread that may have a running loop."""
    try:
        return complete(asyncio.wait_for(call, seconds))
    except TimeoutError:
        raise TimeoutError(f"the MCP server did not answer within {seconds:g} s") from None
