"""The protocol side of ``smolcell mcp``: tools, forms, standard input and output, and streamable HTTP on this machine."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import os
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from smolcell.core.spec import AgentSpec
from smolcell.core.text import one_line, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.interop.mcp import Question, Result, Workbench
from smolcell.machine.environment import importing
from smolcell.machine.state import is_own_file, journals_folder, open_stored, private_folder, replace_file
from smolcell.notebook.activity import is_there
from smolcell.notebook.session import Session
from smolcell.notebook.settings import Options
from smolcell.protocols import FrontEnd
from smolcell.tools.mcp_transport import CONNECT_SECONDS, words

with importing():
    import uvicorn
    from mcp import ClientSession, types
    from mcp.client.streamable_http import streamable_http_client
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

log = logging.getLogger("smolcell")

TOKEN = "SMOLCELL_MCP_TOKEN"  # noqa: S105 - the variable's name
MIN_TOKEN = 16  # characters
FORM_PATIENCE = 600.0  # seconds for a client to send the form with another call
_CODE = {"code": {"type": "string", "description": "Python. The value of the last expression is shown."}}
_NAME = {"name": {"type": "string", "description": "as list_variables gives it"}}
_STEPS = {"steps": {"type": "integer", "minimum": 1, "default": 1, "description": "how many of your newest steps"}}

# name → description, arguments, required arguments, (read-only, destructive, idempotent)
TOOLS: dict[str, tuple[str, dict[str, Any], list[str], tuple[bool, bool, bool]]] = {
    "run_python": (
        "Run Python in a sandbox that keeps its variables between calls. A person sees the code and approves it first; what they "
        "refuse comes back as an error with their reason. Keep programs short and readable.",
        _CODE,
        ["code"],
        (False, True, False),
    ),
    "list_variables": ("Names, types, shapes and first rows of the sandbox's variables.", {}, [], (True, False, True)),
    "read_variable": ("One variable of the sandbox, in words.", _NAME, ["name"], (True, False, True)),
    "undo": ("Undo your newest steps: variables, work folder and conversation.", _STEPS, [], (False, True, False)),
    "export_notebook": ("Your steps that ran, as a notebook (JSON).", {}, [], (True, False, True)),
}


def described() -> list[types.Tool]:
    """Return the tools, with annotations about their effects."""
    descriptions = []
    for name, (text, arguments, required, (reads, destroys, again)) in TOOLS.items():
        hints = types.ToolAnnotations(
            title=name.replace("_", " ").capitalize(),
            read_only_hint=reads,
            destructive_hint=destroys,
            idempotent_hint=again,
            open_world_hint=name == "run_python",
        )
        schema = {"type": "object", "properties": arguments, "required": required, "additionalProperties": False}
        descriptions.append(types.Tool(name=name, description=text, input_schema=schema, annotations=hints))
    return descriptions


@dataclass(eq=False)
class _Pending:
    """An unfinished call, and the newest question that it waits for."""

    work: asyncio.Task[Result]
    client: str
    asked: asyncio.Queue[Question]
    question: Question | None = None


class Tools:
    """Handles the calls of clients.

    Args:
        bench: the session that they use.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._client = ""
        self._suspended: dict[str, _Pending] = {}  # by the token that the client sends back with the form
        self._cancelled: set[asyncio.Task[Result]] = set()  # calls that are ending

    def server(self) -> Server[Any]:
        """Return the SDK's server with these tools."""
        return Server("smolcell", version=version("smolcell"), on_list_tools=self._list, on_call_tool=self._call)

    async def _list(self, ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=described())

    async def _call(self, ctx: Any, params: Any) -> Any:
        client = _session(ctx)
        if params.request_state is not None:
            return await self._resume(ctx, client, params)
        if self._cancelled:
            await asyncio.wait(self._cancelled)  # bounded, see Workbench.run_python
        if self._client and client != self._client and (self._bench.is_busy or self._suspended):
            return _error("another client is active: wait until its call has ended, or start another smolcell mcp")
        if client != self._client:
            await asyncio.to_thread(self._bench.change_client, _name(ctx))
            self._client = client
        if self._suspended and params.name in ("run_python", "undo"):
            return _error("a call of yours waits for its form: answer that first")
        questions: asyncio.Queue[Question] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def ask(question: Question) -> None:
            loop.call_soon_threadsafe(questions.put_nowait, question)

        if params.name == "run_python":
            self._bench.form.ask_client = ask if _has_form(ctx) else None
        work = asyncio.create_task(self._do(params.name, params.arguments or {}))
        pending = _Pending(work, client, questions)
        return await self._settle(ctx, pending)

    async def _settle(self, ctx: Any, pending: _Pending) -> Any:
        """Wait for the result; ask the client questions meanwhile. Cancelling this cancels the call."""
        try:
            while True:
                asking = asyncio.create_task(pending.asked.get())
                await asyncio.wait({pending.work, asking}, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    asking.cancel()
                    return _call_result(pending.work.result())
                question = pending.question = asking.result()
                request = types.ElicitRequest(
                    params=types.ElicitRequestFormParams(message=question.message, requested_schema=question.form)
                )
                if not ctx.session.can_send_request:  # send the form as the result; the client calls again with it
                    state = secrets.token_urlsafe(24)
                    self._suspended[state] = pending
                    asyncio.get_running_loop().call_later(FORM_PATIENCE, self._expire, state)
                    return types.InputRequiredResult(input_requests={"approval": request}, request_state=state)
                form = request.params
                response = await ctx.session.elicit_form(form.message, form.requested_schema, ctx.request_id)
                question.settle(response.action, response.content)
        except BaseException:
            pending.work.cancel()
            self._cancelled.add(pending.work)
            pending.work.add_done_callback(self._cancelled.discard)
            raise

    async def _resume(self, ctx: Any, client: str, params: Any) -> Any:
        """Continue a call whose client sends a form back; each state counts once, for its client."""
        pending = self._suspended.get(params.request_state)
        if pending is None or pending.client != client or params.name != "run_python" or pending.question is None:
            return _error(
                "no call waits for this form: it was already answered, or belongs to another client. Nothing ran"
            )
        del self._suspended[params.request_state]
        response = (params.input_responses or {}).get("approval")
        pending.question.settle(getattr(response, "action", "cancel"), getattr(response, "content", None))
        return await self._settle(ctx, pending)

    def _expire(self, state: str) -> None:
        """Settle the question of a form that was not sent in time."""
        pending = self._suspended.pop(state, None)
        if pending is not None and pending.question is not None:
            pending.question.settle("cancel", None)

    async def _do(self, name: str, arguments: Mapping[str, Any]) -> Result:
        fault = _fault(name, arguments)
        if fault:
            return Result(fault, is_error=True)
        call: Callable[..., Awaitable[Result]] = getattr(self._bench, name)  # one of TOOLS
        try:
            return await call(**arguments)
        except SmolcellError as error:
            return Result(visible(str(error)), is_error=True)


def _fault(name: str, arguments: Mapping[str, Any]) -> str:
    """Return why a call is not valid; "" if it is."""
    if name not in TOOLS:
        return f"there is no tool {one_line(visible(name))}; tools are: {', '.join(TOOLS)}"
    _, declared, required, _ = TOOLS[name]
    kinds = {"string": str, "integer": int}
    for given, value in arguments.items():
        kind = kinds.get(declared.get(given, {}).get("type", ""))
        if kind is None or type(value) is not kind:
            return f"{name} takes {json.dumps(declared)}"
    missing = [each for each in required if each not in arguments]
    return f"{name} needs {', '.join(missing)}" if missing else ""


def _call_result(result: Result) -> types.CallToolResult:
    content: list[Any] = [types.TextContent(type="text", text=result.text)]
    content += [types.ImageContent(type="image", data=data, mime_type=mime) for mime, data in result.pictures]
    return types.CallToolResult(content=content, is_error=result.is_error)


def _error(text: str) -> types.CallToolResult:
    return _call_result(Result(text, is_error=True))


def _session(ctx: Any) -> str:
    """Return the id that distinguishes clients: their HTTP session's; on a pipe, and without sessions, there is only one."""
    headers = getattr(ctx.request, "headers", None)
    return str(headers.get("mcp-session-id") or "one") if headers is not None else "one"


def _name(ctx: Any) -> str:
    info = getattr(ctx.session.client_params, "client_info", None)
    name = one_line(visible(str(getattr(info, "name", "")))).strip()
    return f"the MCP client {name}" if name else "an MCP client"


def _has_form(ctx: Any) -> bool:
    """Return whether the client can show a form to its person. A client that names no mode supports forms."""
    capabilities = ctx.session.client_capabilities
    elicitation = getattr(capabilities, "elicitation", None)
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


# --- transports


async def serve_stdio(server: Server[Any], gone: Callable[[], object]) -> None:
    """Serve one client on standard input and output until it disconnects, and call ``gone`` then.

    ``print`` goes to standard error meanwhile.
    """
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
            gone()
    except* BrokenPipeError:
        gone()


def new_token() -> str:
    """Return the token of the environment, or a new one.

    Raises:
        SetupError: it is too short.
    """
    given = os.environ.get(TOKEN, "")
    if given and len(given) < MIN_TOKEN:
        raise SetupError(
            f"{TOKEN} has {len(given)} characters: at least {MIN_TOKEN} are needed; unset it to get a new one"
        )
    return given or secrets.token_urlsafe(24)


Asgi = Callable[[Any, Any, Any], Awaitable[None]]


def guarded(app: Asgi, token: str) -> Asgi:
    """Return an application that only answers requests with this token."""
    expected = f"Bearer {token}".encode()

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            given = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(given) != 1 or not hmac.compare_digest(given[0], expected):
                headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b""})
                return
        elif scope["type"] != "lifespan":
            return
        await app(scope, receive, send)

    return serve


class HttpServer:
    """A server on 127.0.0.1, on its own thread.

    Args:
        server: the server to run.
        token: required in each request.
        port: 0 for a free one.

    Attributes:
        url: its URL.
    """

    def __init__(self, server: Server[Any], token: str, port: int = 0) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
            self._socket.listen(100)  # so that a client which comes before uvicorn serves waits, and is not refused
        except OSError as error:
            self._socket.close()
            raise SetupError(f"port {port} of 127.0.0.1 cannot be used: {error.strerror}. Name another one") from None
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/mcp"
        app = guarded(server.streamable_http_app(max_sessions=20), token)
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=2, ws="none")
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="smolcell-mcp-http", daemon=True)
        self.ended: Future[None] = Future()

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def _run(self) -> None:
        try:
            asyncio.run(self._uvicorn.serve(sockets=[self._socket]))
        except BaseException as error:
            log.warning("the MCP server ended", exc_info=True)
            self.ended.set_exception(error)
        else:
            self.ended.set_result(None)
        finally:
            self._socket.close()  # else clients would wait for a server that did not start

    def close(self) -> None:
        """Stop the server. Idempotent."""
        self._uvicorn.should_exit = True
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(3.0)
        self._socket.close()


# --- Kernels that accept clients: URL and token, in a file that only this user can read.


def attachments() -> Path:
    """Return the folder of these files."""
    return journals_folder().with_name("mcp")


class Attachment:
    """The entry of a kernel that accepts clients, until it is closed.

    Args:
        kernel: id of the kernel.
        place: path of its notebook.

    Attributes:
        path: path of the file.
    """

    def __init__(self, kernel: str, place: str, url: str, token: str) -> None:
        folder = private_folder(attachments())
        self.path = folder / f"{os.getpid()}-{secrets.token_hex(4)}.json"
        facts = {"pid": os.getpid(), "kernel": kernel, "place": place, "url": url, "token": token}
        replace_file(self.path, json.dumps(facts))

    def close(self) -> None:
        """Remove the entry. Idempotent."""
        self.path.unlink(missing_ok=True)


def find_attachment(kernel: str) -> dict[str, str]:
    """Return the newest kernel whose id or notebook begins or ends with this; "" for any.

    Raises:
        SetupError: there is none.
    """
    found: list[tuple[float, dict[str, str]]] = []
    folder = attachments()
    for path in folder.glob("*.json") if folder.is_dir() else ():
        facts = _read_attachment(path)
        if facts and (facts["kernel"].startswith(kernel) or facts["place"].endswith(kernel)):
            found.append((path.lstat().st_mtime, facts))
    if not found:
        which = f" of the id or notebook {kernel}" if kernel else ""
        raise SetupError(f"no kernel{which} can be attached to. In the notebook, run a cell with: %agent mcp")
    return max(found, key=lambda each: each[0])[1]


def _read_attachment(path: Path) -> dict[str, str]:
    """Return the content of such a file; {} if it is not valid, or its kernel has ended."""
    try:
        with open_stored(path, follow=False) as file:
            if not is_own_file(os.fstat(file.fileno())):
                return {}
            facts = json.loads(file.read(10_000))
        if not is_there(int(facts["pid"]), 0):
            return {}
        return {name: str(facts[name]) for name in ("kernel", "place", "url", "token")}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


async def serve_kernel(attached: Mapping[str, str], gone: Callable[[], object]) -> None:
    """Serve one client, as ``serve_stdio`` does, with the tools of a kernel, which asks on its notebook's card."""
    with importing():
        import httpx2

    headers = {"Authorization": f"Bearer {attached['token']}"}
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=None)
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=False) as http,
            streamable_http_client(attached["url"], http_client=http) as streams,
            ClientSession(streams[0], streams[1]) as kernel,
        ):
            await kernel.initialize()

            async def list_tools(ctx: Any, params: Any) -> Any:
                return await kernel.list_tools(params=params)

            async def call_tool(ctx: Any, params: Any) -> Any:
                try:
                    return await kernel.call_tool(params.name, params.arguments)
                except Exception as error:
                    return _error(f"the kernel did not answer: {words(error)}")

            proxy = Server("smolcell", version=version("smolcell"), on_list_tools=list_tools, on_call_tool=call_tool)
            await serve_stdio(proxy, gone)
    except Exception as error:
        raise SetupError(
            f"the kernel cannot be reached: {words(error)}. Run %agent mcp in its notebook again"
        ) from None


_ATTACHED = (
    "smolcell: MCP clients can use this session until this cell is interrupted. The client's command:  smolcell mcp --kernel {kernel}\n"
    "smolcell: URL and token for an HTTP client are in {path} until then"
)


def attach(
    session: Session,
    settings: AgentSpec,
    options: Options,
    front: FrontEnd,
    variables: Mapping[str, Any],
    say: Callable[[str], object],
    kernel: str,
) -> None:
    """``%agent mcp``: let one client at a time use a session of the notebook. Returns after an interrupt.

    Args:
        session: the session of the notebook.
        settings, options: of the cell.
        front: the front end that shows cards and asks on them.
        variables: values to copy into the sandbox.
        say: prints a text for the person.
        kernel: id of this kernel.

    Raises:
        SetupError: there is no front end to ask for approval.
    """
    token = new_token()
    bench = Workbench(session, settings, front=front, options=options, variables=variables)
    server = HttpServer(Tools(bench).server(), token)
    with closing(server), closing(Attachment(kernel, session.place, server.url, token)) as attachment:
        server.start()
        say(_ATTACHED.format(kernel=kernel, path=attachment.path))  # the token must not be in the saved notebook
        try:
            front.waiter.wait(server.ended)
        except KeyboardInterrupt:
            say("smolcell: MCP clients can no longer use this session")
        finally:
            bench.leave()
