"""``smolcell acp``: an agent for the Agent Client Protocol on standard input and output, for editors, chats and notebooks.

* Each proposal is a permission request, which the client shows and the person answers; anything but an offered answer refuses it.
* Standard output is used only for the protocol: output of tools goes to standard error.
* A session is a smolcell session: its journal is written as it proceeds, and it is loaded from there.

Protocol: https://agentclientprotocol.com, version 1.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from smolcell import journal
from smolcell.agent.result import RunResult
from smolcell.approval.gates import MODES, deny_all
from smolcell.core.prompt import fenced
from smolcell.core.redaction import StreamRedactor, redact, redact_event, redact_part
from smolcell.core.spec import AgentSpec
from smolcell.core.text import clip, one_line, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Delta,
    Ended,
    Event,
    Observed,
    Proposed,
    Refused,
    Replied,
    Sent,
    from_json,
    to_json,
)
from smolcell.interop import answers
from smolcell.interop.answers import answer, proposal_text, prose
from smolcell.machine.environment import importing
from smolcell.machine.waiter import QueueWaiter
from smolcell.models import available_models
from smolcell.notebook.session import Session
from smolcell.notebook.settings import Options, effective_settings
from smolcell.protocols import Answer, BaseView, FrontEnd
from smolcell.tools.builtin import own_tools
from smolcell.tools.mcp import MCPClient
from smolcell.tools.tool import Tool
from smolcell.views.terminal_render import lines
from smolcell.worker.wire.bounds import CLEAR

with importing():
    import acp
    from acp import schema
    from acp.exceptions import RequestError
    from acp.helpers import update_available_commands

log = logging.getLogger("smolcell")

MAX_SESSIONS = 20
"""Open sessions; beyond that the one idle longest is closed, and can be loaded again."""
MAX_TASK = 1_000_000  # characters of a prompt
MAX_MESSAGE = 50_000_000  # bytes of one message
CANCEL_SECONDS = 10.0  # seconds that the next request waits for the end of a cancelled prompt
MAX_LISTED_SESSIONS = 100  # sessions listed of a folder
MAX_OUTPUT = 20_000  # characters of a step's output in one update
MODE_TEXTS = {
    "ask": "Ask before each step",
    "risky": "Run without asking if the sandbox is isolated",
    "auto": "Run everything without asking",
    "deny": "Run nothing",
}
COMMANDS = {
    "undo": "Undo the newest steps: /undo, or /undo 3",
    "resume": "Continue the task that ended without an answer",
}
SHOWS_CONTENT = ("zed",)
"""Clients that show a call's content when they ask for permission. Jupyter AI 3.2 shows only its title."""
LATER = "Write in your next message what to change"
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*\S)")

Update = Any
"""A class of ``acp.schema`` that ``session/update`` accepts."""


class AcpView(BaseView):
    """Sends events to the client, in order, and asks the person through it. Works on the protocol's event loop.

    Args:
        client: the client's side of the connection.
        session: id of the session.
        form: whether the client can ask the person for text.
        in_words: see ``Updates``.
    """

    def __init__(self, client: acp.Client, session: str, form: bool, in_words: bool) -> None:
        self._client, self._session, self._form = client, session, form
        self._loop = asyncio.get_running_loop()
        self._updates = Updates(in_words=in_words)
        self._queue: asyncio.Queue[Event | Delta] = asyncio.Queue()
        self._sender = asyncio.create_task(self._send())

    def show(self, event: Event | Delta) -> None:
        """Send an event soon. Thread-safe; never blocks."""
        self._loop.call_soon_threadsafe(self._queue.put_nowait, event)

    async def ask(self, proposal: Proposed) -> Answer:
        """Ask on the protocol's loop. Cancelling this cancels the request there."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ask(proposal), self._loop))

    async def flush(self) -> None:
        """Wait until all events have been sent."""
        await self._queue.join()

    def close(self) -> None:
        """Stop sending."""
        self._sender.cancel()

    async def _send(self) -> None:
        while True:
            event = await self._queue.get()
            waiting = [event]
            while not self._queue.empty():
                waiting.append(self._queue.get_nowait())
            try:
                for update in self._latest(waiting):
                    await self._client.session_update(self._session, update)
            except ConnectionError:
                pass  # the client is gone
            except Exception:
                log.warning("an update could not be sent to the client; the run goes on", exc_info=True)
            finally:
                for _ in waiting:
                    self._queue.task_done()

    def _latest(self, events: list[Event | Delta]) -> list[Update]:
        """Return the updates of these events; of successive updates with a step's output so far, only the last."""
        updates: list[Update] = []
        for event in events:
            for update in self._updates.of(event):
                if updates and _replaces(update, updates[-1]):
                    updates.pop()
                updates.append(update)
        return updates

    async def _ask(self, proposal: Proposed) -> Answer:
        await self.flush()
        if proposal.kind == "question":
            return await self._question(proposal)
        given = answers.options(proposal)
        call = schema.ToolCallUpdate(
            tool_call_id=place_of(proposal),
            title=answers.title(proposal),
            kind="execute" if proposal.kind in ("code", "call") else "other",
            status="pending",
            content=[acp.tool_content(acp.text_block(proposal_text(proposal)))],
            raw_input=raw_input(proposal),
        )
        offered = [schema.PermissionOption(option_id=each.id, name=each.label, kind=each.kind) for each in given]
        response = await self._client.request_permission(self._session, call, offered)
        if not isinstance(response.outcome, schema.AllowedOutcome):
            return answer(proposal, "nobody", comment="The client gave no answer.")
        option = answers.chosen(given, response.outcome.option_id)
        if option is None:
            log.warning("the client answered with an option that was not offered: the step is refused")
            return answer(proposal, "nobody", comment="The client answered with an option that was not offered.")
        if not option.asks_why:
            return answer(proposal, option.choice, offer=option.offer)
        comment = _comment(response)
        if not comment and self._form:
            comment = await self._words("What should be different? The model reads it.")
        return answer(proposal, "refuse", comment=comment) if comment else answer(proposal, "stop", comment=LATER)

    async def _question(self, proposal: Proposed) -> Answer:
        words = await self._words(prose(proposal.text)) if self._form else ""
        if words:
            return answer(proposal, "edit", text=words)
        return answer(proposal, "refuse" if self._form else "nobody")

    async def _words(self, question: str) -> str:
        """Return the text that a person types into the client's form; "" if they decline."""
        field = schema.ElicitationStringPropertySchema(type="string", title="Answer", max_length=2_000)
        form = schema.ElicitationFormSessionMode(
            session_id=self._session,
            requested_schema=schema.ElicitationSchema(properties={"answer": field}, required=["answer"]),
        )
        response = await self._client.create_elicitation(question, form)
        content = getattr(response, "content", None)
        words = content.get("answer") if isinstance(content, Mapping) else ""
        words = getattr(words, "root", words)
        return words.strip() if isinstance(words, str) else ""


def _replaces(update: Update, before: Update) -> bool:
    return (
        isinstance(update, schema.ToolCallProgress)
        and isinstance(before, schema.ToolCallProgress)
        and (before.status, update.status, before.tool_call_id) == (None, None, update.tool_call_id)
    )


def _comment(response: schema.RequestPermissionResponse) -> str:
    """Return the text that a client sent with a refusal."""
    for meta in (response.outcome.field_meta, response.field_meta):
        if isinstance(meta, Mapping) and isinstance(comment := meta.get("comment"), str):
            return comment.strip()
    return ""


class AcpSession:
    """One session of a client: the smolcell session of the same name, its folder, and the client's settings."""

    def __init__(self, id: str, folder: Path, options: Options, view: AcpView) -> None:  # noqa: A002
        self.id, self.folder, self.view = id, folder, view
        self.ours = Session(id, place=str(folder))
        self.options = options
        self._servers: dict[str, Any] = {}
        self._connected: list[MCPClient] = []
        self.is_cancelled, self.cancels = False, 0
        self.idle = asyncio.Event()
        self.idle.set()
        self.used = 0.0

    @property
    def is_busy(self) -> bool:
        return not self.idle.is_set()

    @property
    def settings(self) -> AgentSpec:
        """The settings of the next prompt."""
        return effective_settings(self.options, source="the client")

    def choose(self, name: str, value: str) -> None:
        """Change a setting for the next prompts.

        Raises:
            SetupError: it is not valid, or the policy forbids it.
        """
        changed = replace(self.options, settings={**self.options.settings, name: value})
        effective_settings(changed, source="the client")
        self.options = changed

    def run(self, task: str, images: list[str], files: list[str]) -> RunResult:
        """Work on a task to its end; with "" as the task, continue the newest one. Blocks; call it on its own thread.

        Raises:
            SmolcellError: the run cannot begin.
        """
        settings = self.settings
        agent = self.ours.prepare(
            settings,
            tools=[*own_tools(self.options.tools), *self._connect()],
            mcp={spec: spec for spec in self.options.mcp},
            record=self.options.record,
            replay=self.options.replay,
        )
        front = self._front(settings)
        more = {"images": images, "files": [*self.options.files, *files]} if task else {"resume": True}
        job = agent.start(task, front=front, reset=False, run=secrets.token_hex(6), **more)
        if self.is_cancelled:
            job.cancel()
        try:
            result = agent.stay(job, front.waiter)
        finally:
            self.ours.models.learn(None)
        self.ours.models.learn(result.error)
        return result

    def serve_by(self, servers: Mapping[str, Any]) -> None:
        """Use the tools of the client's MCP servers, given by name, from the next prompt on."""
        self._servers = dict(servers)

    def _connect(self) -> list[Tool]:
        """Return the tools of the client's servers. Each call needs approval. A server that cannot be reached is reported and left out."""
        for name, server in self._servers.items():
            try:
                self._connected.append(MCPClient(server, approve=True))
            except SetupError as error:
                self.view.show(Delta(text=f"the client's MCP server {name} is left out: {error}", channel="progress"))
        self._servers = {}
        return [tool for client in self._connected if client.alive for tool in client.get_tools()]

    def undo(self, steps: int) -> None:
        """Undo the newest steps."""
        if self.ours.agent is None:
            raise SetupError("there is nothing to undo: no task ran in this session since it was opened")
        self.ours.agent.undo(steps, front=self._front(self.settings))

    def _front(self, settings: AgentSpec) -> FrontEnd:
        return self.ours.front(settings, FrontEnd(view=self.view, gate=deny_all, waiter=QueueWaiter()))

    def cancel(self) -> None:
        """Stop the active prompt."""
        self.is_cancelled, self.cancels = True, self.cancels + 1
        self.ours.stop()

    def close(self) -> None:
        """End the session's sandbox and connections."""
        self.ours.close()
        for client in self._connected:
            client.disconnect()
        self.view.close()


class AcpAgent:
    """The agent's side of the protocol.

    Args:
        options: options of the command line; each session begins with them.
        models: returns the available models, and why each is.
        worded: converts an error message to the commands of this front end.
    """

    def __init__(
        self,
        options: Options,
        models: Callable[[], Mapping[str, str]] = available_models,
        worded: Callable[[str], str] = str,
    ) -> None:
        self._options, self._models, self._worded = options, models, worded
        self._sessions: dict[str, AcpSession] = {}
        self._client: acp.Client | None = None
        self._form, self._in_words = False, True
        self._known_models: list[str] = []

    def on_connect(self, conn: acp.Client) -> None:
        """Store the connection. Called by the library."""
        self._client = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: schema.ClientCapabilities | None = None,
        client_info: schema.Implementation | None = None,
        **_: Any,
    ) -> acp.InitializeResponse:
        """Return the abilities of this agent."""
        elicitation = getattr(client_capabilities, "elicitation", None)
        self._form = getattr(elicitation, "form", None) is not None
        self._in_words = client_info is None or client_info.name.lower() not in SHOWS_CONTENT
        return acp.InitializeResponse(
            protocol_version=min(protocol_version, acp.PROTOCOL_VERSION),
            agent_capabilities=schema.AgentCapabilities(
                load_session=True,
                prompt_capabilities=schema.PromptCapabilities(image=True, embedded_context=True),
                mcp_capabilities=schema.McpCapabilities(http=True),
                session_capabilities=schema.SessionCapabilities(list=schema.SessionListCapabilities()),
            ),
            agent_info=schema.Implementation(name="smolcell", title="smolcell", version=version("smolcell")),
        )

    async def new_session(self, cwd: str, mcp_servers: Any = None, **_: Any) -> acp.NewSessionResponse:
        """Start a conversation in a folder."""
        session = self._open(f"acp-{secrets.token_hex(6)}", cwd, mcp_servers)
        config = await self._config(session)
        asyncio.get_running_loop().call_soon(asyncio.ensure_future, self._tell_commands(session))
        return acp.NewSessionResponse(session_id=session.id, modes=self._modes(session), config_options=config)

    async def load_session(
        self, cwd: str, session_id: str, mcp_servers: Any = None, **_: Any
    ) -> acp.LoadSessionResponse:
        """Restore a conversation from its journal: sends its events again; runs nothing."""
        await self._after_cancelled()
        known = self._sessions.get(session_id)
        if known is not None and (known.is_busy or known.folder != _folder(cwd)):
            raise _invalid("the session has an active prompt, or belongs to another folder")
        session = known or self._open(session_id, cwd, mcp_servers)
        try:
            reopened = await asyncio.to_thread(session.ours.bring_back)
        except SmolcellError as error:
            self._forget(session)
            raise _invalid(str(error)) from None
        if not reopened and known is None:
            self._forget(session)
            raise _invalid("there is no session of this id in this folder, or another process has it open")
        updates = Updates(replayed=True, in_words=self._in_words)
        for event in session.ours.events:
            for update in updates.of(event):
                await self._connected.session_update(session_id, update)
        await self._tell_commands(session)
        return acp.LoadSessionResponse(modes=self._modes(session), config_options=await self._config(session))

    async def list_sessions(self, cwd: str | None = None, **_: Any) -> schema.ListSessionsResponse:
        """Return the conversations of a folder that have a journal, newest first."""
        sessions = await asyncio.to_thread(journal.sessions, cwd or str(Path.cwd()), "acp-")
        listed = [
            schema.SessionInfo(session_id=each.session, cwd=each.place, title=one_line(each.task), updated_at=each.at)
            for each in sessions[:MAX_LISTED_SESSIONS]
        ]
        return schema.ListSessionsResponse(sessions=listed)

    async def set_session_mode(self, mode_id: str, session_id: str, **_: Any) -> acp.SetSessionModeResponse:
        """Set how steps are approved, from the next prompt on."""
        await self._choose(self._known(session_id), "approve", mode_id, MODES)
        return acp.SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_: Any
    ) -> schema.SetSessionConfigOptionResponse:
        """Choose the model, or the mode, from the next prompt on."""
        session = self._known(session_id)
        valid = {"model": tuple(self._known_models), "mode": MODES}.get(config_id)
        if valid is None or not isinstance(value, str):
            raise _invalid("there is no such option")
        await self._choose(session, "approve" if config_id == "mode" else config_id, value, valid)
        return schema.SetSessionConfigOptionResponse(config_options=await self._config(session))

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> acp.PromptResponse:
        """Work on what the person asks for, until there is an answer or they stop it."""
        session = self._known(session_id)
        cancels = session.cancels
        await self._after_cancelled()
        if session.cancels > cancels:
            return acp.PromptResponse(stop_reason="cancelled")
        if session.is_busy:
            raise _invalid("a prompt is active in this session: wait for it, or cancel it")
        self._enter(session)
        session.idle.clear()
        session.is_cancelled = False
        session.used = asyncio.get_running_loop().time()
        try:
            task, images, files = read_prompt(prompt, session.folder)
            stop = await self._work(session, task, images, files)
        except SmolcellError as error:
            stop = "end_turn"
            await self._say(session, str(error))
        finally:
            session.idle.set()
            await session.view.flush()
        return acp.PromptResponse(stop_reason=stop)

    async def _work(self, session: AcpSession, task: str, images: list[str], files: list[str]) -> schema.StopReason:
        command, _, rest = task.strip().partition(" ")
        if command == "/undo":
            steps = int(rest) if rest.strip().isdecimal() else 1
            await asyncio.to_thread(session.undo, steps)
            return "end_turn"
        if not task.strip():
            raise SetupError("the prompt is empty: describe the task in plain words")
        task = "" if command == "/resume" else task.strip()
        result = await asyncio.to_thread(session.run, task, images, files)
        if session.is_cancelled:
            return "cancelled"
        return "max_turn_requests" if result.state == "max_steps_error" else "end_turn"

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Stop the active prompt."""
        if session_id in self._sessions:
            self._sessions[session_id].cancel()

    async def authenticate(self, method_id: str, **_: Any) -> acp.AuthenticateResponse:
        """Do nothing: there is no login; keys of models are read from the environment."""
        raise RequestError.method_not_found("authenticate")

    def close(self) -> None:
        """End all sessions and their sandboxes."""
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            session.close()

    # --- the parts ----------------------------------------------------------------------------------------------------

    @property
    def _connected(self) -> acp.Client:
        assert self._client is not None  # noqa: S101 - the library calls on_connect first
        return self._client

    def _open(self, id: str, cwd: str, mcp_servers: Any) -> AcpSession:  # noqa: A002
        folder = _folder(cwd)
        idle = sorted((each for each in self._sessions.values() if not each.is_busy), key=lambda each: each.used)
        if len(self._sessions) >= MAX_SESSIONS:
            if not idle:
                raise _invalid(f"{MAX_SESSIONS} sessions have active prompts: wait for one, or cancel it")
            self._forget(idle[0])
        session = AcpSession(id, folder, self._options, AcpView(self._connected, id, self._form, self._in_words))
        session.serve_by({server.name: _server(server) for server in mcp_servers or ()})
        session.used = asyncio.get_running_loop().time()
        self._sessions[id] = session
        return session

    def _forget(self, session: AcpSession) -> None:
        self._sessions.pop(session.id, None)
        session.close()

    def _known(self, session_id: str) -> AcpSession:
        if session_id not in self._sessions:
            raise _invalid("there is no session of this id: begin one with session/new, or load it with session/load")
        return self._sessions[session_id]

    async def _after_cancelled(self) -> None:
        """Wait for the end of the cancelled prompts, so that what a client asks next is not refused."""
        ending = [each for each in self._sessions.values() if each.is_busy and each.is_cancelled]
        with suppress(TimeoutError):
            async with asyncio.timeout(CANCEL_SECONDS):
                for each in ending:
                    await each.idle.wait()

    def _enter(self, session: AcpSession) -> None:
        """Change to the session's folder. The process has only one current folder while prompts are active."""
        busy = {each.folder for each in self._sessions.values() if each.is_busy} - {session.folder}
        if busy:
            raise _invalid(f"a prompt is active in {next(iter(busy))}: wait for it, or start another agent")
        os.chdir(session.folder)

    async def _choose(self, session: AcpSession, name: str, value: str, valid: tuple[str, ...]) -> None:
        if value not in valid:
            raise _invalid(f"valid values are: {', '.join(valid)}")
        try:
            await asyncio.to_thread(session.choose, name, value)
        except SetupError as error:
            raise _invalid(str(error)) from None

    def _modes(self, session: AcpSession) -> schema.SessionModeState:
        current = session.settings.approve
        modes = [schema.SessionMode(id=mode, name=mode, description=MODE_TEXTS[mode]) for mode in MODES]
        return schema.SessionModeState(current_mode_id=current, available_modes=modes)

    async def _config(self, session: AcpSession) -> list[Any]:
        """Return the option to choose among the available models; empty if there are none."""
        settings = session.settings
        names = list(await asyncio.to_thread(self._models))
        if settings.model and settings.model not in names:
            names.insert(0, settings.model)
        self._known_models = list(dict.fromkeys([*self._known_models, *names]))
        if not names:
            return []
        listed = [schema.SessionConfigSelectOption(value=name, name=name) for name in names]
        return [
            schema.SessionConfigOptionSelect(
                id="model",
                name="Model",
                category="model",
                type="select",
                current_value=settings.model or names[0],
                options=listed,
            )
        ]

    async def _tell_commands(self, session: AcpSession) -> None:
        commands = [schema.AvailableCommand(name=name, description=text) for name, text in COMMANDS.items()]
        await self._connected.session_update(session.id, update_available_commands(commands))

    async def _say(self, session: AcpSession, text: str) -> None:
        message = prose(redact(self._worded(text)))
        await self._connected.session_update(session.id, acp.update_agent_message_text(f"\n\n{message}\n"))


def _invalid(text: str) -> RequestError:
    return RequestError.invalid_params({"message": visible(redact(text))})


def _folder(cwd: str) -> Path:
    folder = Path(cwd)
    if not folder.is_absolute() or not folder.is_dir():
        raise _invalid("cwd is no folder on this machine: give an absolute path")
    return folder


def _server(server: Any) -> dict[str, Any]:
    """Return a client's MCP server in the form that ``MCPClient`` takes."""
    if isinstance(server, schema.McpServerStdio):
        return {
            "command": server.command,
            "args": list(server.args),
            "env": {each.name: each.value for each in server.env},
        }
    return {"url": server.url, "headers": {each.name: each.value for each in server.headers}}


def read_prompt(prompt: list[Any], folder: Path) -> tuple[str, list[str], list[str]]:
    """Return a prompt's task, its images as data URLs, and the files that it names, which are copied into the sandbox.

    Raises:
        SetupError: the prompt is too long, or names a file outside the session's folder.
    """
    texts: list[str] = []
    images: list[str] = []
    files: list[str] = []
    for block in prompt:
        if isinstance(block, schema.TextContentBlock):
            texts.append(block.text)
        elif isinstance(block, schema.ImageContentBlock):
            images.append(f"data:{block.mime_type};base64,{block.data}")
        elif isinstance(block, schema.ResourceContentBlock):
            files.append(_linked(block.uri, folder))
        elif isinstance(block, schema.EmbeddedResourceContentBlock) and hasattr(block.resource, "text"):
            texts.append(f"{block.resource.uri}:\n{block.resource.text}")
    task = "\n\n".join(texts)
    if len(task) > MAX_TASK:
        raise SetupError(f"the prompt has {len(task):,} characters; {MAX_TASK:,} are allowed. Link to a file instead")
    return task, images, files


def _linked(uri: str, folder: Path) -> str:
    parts = urlsplit(uri)
    path = Path(unquote(parts.path if parts.scheme == "file" else uri))
    place = Path(os.path.normpath(folder / path))  # not resolved: links in it are asked about
    within = next((each for each in (folder, folder.resolve()) if place.is_relative_to(each)), None)
    if parts.scheme not in ("", "file") or within is None or not place.exists():
        raise SetupError(f"{one_line(uri, 300)} is no file below {folder}: only such files can be copied in")
    return str(place.relative_to(within))


# --- on a pair of pipes


def serve(
    options: Options,
    reading: BinaryIO,
    writing: BinaryIO,
    gone: Callable[[], object],
    worded: Callable[[str], str] = str,
) -> int:
    """Serve one client on these pipes until it disconnects, and call ``gone`` then; the exit status is 0."""
    asyncio.run(_serve(AcpAgent(options, worded=worded), reading, writing, gone))
    return 0


async def _serve(agent: AcpAgent, reading: BinaryIO, writing: BinaryIO, gone: Callable[[], object]) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MAX_MESSAGE)

    class Input(asyncio.StreamReaderProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            gone()
            self.closing = loop.run_in_executor(None, agent.close)  # now: the rest waits for the runs

    await loop.connect_read_pipe(lambda: Input(reader), reading)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, writing)
    try:
        await acp.run_agent(cast("acp.Agent", agent), asyncio.StreamWriter(transport, protocol, None, loop), reader)
    except ConnectionError:
        log.info("the client is gone")
    finally:
        await asyncio.to_thread(agent.close)


# --- updates -------------------------------------------------------------------------------------------------------


class Updates:
    """Converts events to updates, in order. One object per session.

    Args:
        replayed: the events are from a journal: tasks are sent, too, since the client has not seen them.
        in_words: send each proposal also as a whole message: many clients ask for permission without showing a call's content.
    """

    def __init__(self, *, replayed: bool = False, in_words: bool = True) -> None:
        self._replayed, self._in_words = replayed, in_words
        self._agents: dict[str, str] = {}  # names of managed agents, by run
        self._texts: dict[str, str] = {}  # texts of open proposals, as Markdown, by the id of their call
        self._printed: dict[str, str] = {}
        self._reasoning = StreamRedactor()
        self._plan: list[str] = []

    def of(self, event: Event | Delta) -> Iterator[Update]:
        """Yield the updates of one event."""
        if isinstance(event, Delta):
            yield from self._delta(event)
            return
        if rest := self._reasoning.end():
            yield acp.update_agent_thought_text(prose(rest))
        clean = event if isinstance(event, Proposed) else from_json(redact_event(to_json(event)))
        yield from self._event(clean)

    def _event(self, event: Event) -> Iterator[Update]:
        match event:
            case Asked():
                if event.parent:
                    self._agents[event.run] = event.agent
                elif self._replayed:
                    yield acp.update_user_message_text(prose(event.task))
            case Proposed():
                yield from self._proposed(event)
            case Allowed():
                yield from self._allowed(event)
            case Refused():
                yield from self._refused(event)
            case Observed():
                yield from self._observed(event)
            case Answered() if event.run not in self._agents:
                yield acp.update_agent_message_text(prose(event.text) if event.is_text else fenced(visible(event.text)))
            case Ended() if event.run not in self._agents:
                yield from self._ended(event)
            case Replied() if event.window:
                used = min(event.usage.total_tokens, event.window)
                yield schema.UsageUpdate(session_update="usage_update", used=used, size=event.window)
            case Answered() | Ended() | Replied() | Sent():
                return
            case _:
                message = "\n".join(line.margin.replace("│", "").strip() + line.text for line in lines(event))
                yield acp.update_agent_thought_text(f"{prose(message)}\n")

    def _delta(self, delta: Delta) -> Iterator[Update]:
        if delta.channel == "reasoning":
            if text := self._reasoning.feed(delta.text):
                yield acp.update_agent_thought_text(prose(text))
        elif delta.channel in ("progress", "discarded"):
            yield acp.update_agent_thought_text(f"{prose(redact(delta.text))}\n")
        elif delta.channel == "output":
            place = f"{delta.run}-{delta.step}-0"
            self._printed[place] = printed = (self._printed.get(place, "") + delta.text).rpartition(CLEAR)[2][
                -MAX_OUTPUT:
            ]
            shown = redact_part(printed, cut_start=len(printed) == MAX_OUTPUT)
            yield acp.update_tool_call(place, content=self._content(place, shown))

    def _proposed(self, event: Proposed) -> Iterator[Update]:
        paragraphs = [prose(event.thought.strip()), proposal_text(event) if self._in_words else ""]
        if text := "\n\n".join(part for part in paragraphs if part):
            yield acp.update_agent_message_text(f"{text}\n\n")
        yield self.start(event)

    def start(self, event: Proposed) -> schema.ToolCallStart:
        """Return the update that shows a proposal, with its whole text."""
        place = place_of(event)
        self._texts[place] = proposal_text(event)
        return acp.start_tool_call(
            place,
            answers.title(event, self._agents.get(event.run, "")),
            kind="execute" if event.kind in ("code", "call") else "think" if event.kind == "plan" else "other",
            status="pending",
            content=self._content(place),
            raw_input=raw_input(event),
        )

    def _allowed(self, event: Allowed) -> Iterator[Update]:
        place = place_of(event)
        if event.edited:
            self._texts[place] = fenced(visible(event.text), "python")
        runs = event.kind in ("code", "call")
        status: schema.ToolCallStatus = "in_progress" if runs else "completed"
        content = self._content(place) if event.edited else None
        yield acp.update_tool_call(place, status=status, content=content)
        if event.kind == "plan":
            self._plan = [match[1] for line in event.text.split("\n") if (match := _ITEM.fullmatch(line))]
            yield from self._planned("pending")

    def _planned(self, status: schema.PlanEntryStatus) -> Iterator[Update]:
        if self._plan:
            yield acp.update_plan(acp.plan_entry(visible(item), status=status) for item in self._plan)

    def _refused(self, event: Refused) -> Iterator[Update]:
        place = place_of(event)
        message = answers.refusal(event)
        yield acp.update_tool_call(
            place, status="failed", content=self._content(place, message), raw_output=visible(message)
        )
        self._forget(place)

    def _observed(self, event: Observed) -> Iterator[Update]:
        place = place_of(event)
        texts = [answers.printed(event), "" if event.is_final_answer else event.result]
        if event.error is not None:
            texts.append(event.error.traceback or str(event.error))
            texts.append(event.error.hint)
        output = "\n".join(text for text in texts if text)
        content = self._content(place, output)
        for bundle in event.outputs:
            if shown := answers.pictures(bundle):
                mime, data = shown[0]
                content.append(acp.tool_content(acp.image_block(data, mime)))
            elif (text := bundle.data.get("text/plain", "")) and text != event.result:
                content.append(acp.tool_content(acp.text_block(fenced(visible(clip(text, MAX_OUTPUT))))))
        status: schema.ToolCallStatus = "failed" if event.error is not None else "completed"
        yield acp.update_tool_call(place, status=status, content=content, raw_output=visible(clip(output, MAX_OUTPUT)))
        self._forget(place)

    def _ended(self, event: Ended) -> Iterator[Update]:
        if event.state == "success":
            yield from self._planned("completed")
        elif event.error:
            yield acp.update_agent_message_text(f"\n\n{prose(event.error)}\n")
        self._plan = []
        self._texts.clear()
        self._printed.clear()

    def _content(self, place: str, output: str = "") -> list[schema.ContentToolCallContent]:
        texts = [self._texts.get(place, ""), fenced(visible(clip(output, MAX_OUTPUT))) if output.strip() else ""]
        return [acp.tool_content(acp.text_block(text)) for text in texts if text]

    def _forget(self, place: str) -> None:
        self._texts.pop(place, None)
        self._printed.pop(place, None)


def place_of(event: Proposed | Allowed | Refused | Observed) -> str:
    """Return the id of the tool call that an event belongs to."""
    return f"{event.run}-{event.step}-{event.call}"


def raw_input(event: Proposed) -> dict[str, Any]:
    """Return a proposal for clients that show a call's arguments but not its content: the whole text, and the findings."""
    arguments: dict[str, Any] = {"code" if event.kind in ("code", "call") else event.kind: visible(event.text)}
    if found := list(answers.findings(event.findings)):
        arguments["findings"] = found
    if event.why:
        arguments["why"] = visible(event.why)
    return json.loads(json.dumps(arguments))  # type: ignore[no-any-return]
