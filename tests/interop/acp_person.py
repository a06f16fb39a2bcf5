"""A client of the Agent Client Protocol by its own library, with a person behind it who answers as a test says."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import acp
from acp import schema

from smolcell.interop.acp import AcpAgent
from smolcell.notebook.settings import Options, parser
from smolcell.notebook.settings import read_options as chosen_options

Answers = Callable[[schema.ToolCallUpdate, Sequence[schema.PermissionOption]], Any]


def pick(label: str, **meta: Any) -> Answers:
    """Choose the option whose label begins so."""

    def choose(call: schema.ToolCallUpdate, options: Sequence[schema.PermissionOption]) -> Any:
        found = next(option for option in options if option.name.startswith(label))
        outcome = schema.AllowedOutcome(outcome="selected", option_id=found.option_id, field_meta=meta or None)
        return schema.RequestPermissionResponse(outcome=outcome)

    return choose


def choose_id(option_id: str) -> Answers:
    outcome = schema.AllowedOutcome(outcome="selected", option_id=option_id)
    return lambda call, options: schema.RequestPermissionResponse(outcome=outcome)


def say_nothing(call: schema.ToolCallUpdate, options: Sequence[schema.PermissionOption]) -> Any:
    return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))


class Person(acp.Client):
    """Answers each permission request with the next of ``answers``; keeps what it is told."""

    def __init__(self, *answers: Answers, words: str | None = None) -> None:
        self.answers, self.words = list(answers), words
        self.updates: list[tuple[str, Any]] = []
        self.requests: list[tuple[schema.ToolCallUpdate, list[schema.PermissionOption]]] = []
        self.asked = asyncio.Event()
        self.agent: Any = None

    def on_connect(self, conn: Any) -> None:
        self.agent = conn

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[schema.PermissionOption], **_: Any
    ) -> Any:
        self.requests.append((tool_call, options))
        self.asked.set()
        answered = self.answers.pop(0)(tool_call, options)
        return await answered if asyncio.iscoroutine(answered) else answered

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append((session_id, update))

    async def create_elicitation(self, message: str, mode: Any, **_: Any) -> Any:
        if self.words is None:
            return schema.DeclineElicitationResponse(action="decline")
        return schema.AcceptElicitationResponse(action="accept", content={"answer": self.words})

    # --- what a test looks at

    def of(self, kind: type[Any]) -> list[Any]:
        return [update for _, update in self.updates if isinstance(update, kind)]

    def said(self) -> str:
        return "".join(update.content.text for update in self.of(schema.AgentMessageChunk))

    def calls(self) -> dict[str, list[tuple[str | None, str]]]:
        """Of each tool call: its states, and the text of its content."""
        found: dict[str, list[tuple[str | None, str]]] = {}
        for _, update in self.updates:
            if isinstance(update, schema.ToolCallStart | schema.ToolCallProgress):
                found.setdefault(update.tool_call_id, []).append((update.status, text(update.content)))
        return found


def text(content: Any) -> str:
    blocks = [part.content for part in content or () if hasattr(part, "content")]
    return "\n".join(getattr(block, "text", f"<{block.type}>") for block in blocks)


def options(line: str) -> Options:
    return chosen_options(parser().parse_args(line.split()))


@asynccontextmanager
async def connected(person: Person, line: str = "", *, form: bool = False, **kwargs: Any) -> AsyncIterator[Any]:
    """A client that talks to an agent of this process, over sockets."""
    ours, theirs = socket.socketpair()
    agent = AcpAgent(options(line), **kwargs)
    reading, writing = await asyncio.open_connection(sock=ours, limit=50_000_000)
    serving = asyncio.create_task(acp.run_agent(cast("acp.Agent", agent), writing, reading))
    client_reads, client_writes = await asyncio.open_connection(sock=theirs, limit=50_000_000)
    connection = acp.connect_to_agent(person, client_writes, client_reads, use_unstable_protocol=True)
    form_capability = schema.ElicitationCapabilities(form=schema.ElicitationFormCapabilities()) if form else None
    try:
        await connection.initialize(1, schema.ClientCapabilities(elicitation=form_capability))
        yield connection
    finally:
        await connection.close()
        client_writes.close()
        await asyncio.wait_for(serving, 60)
        writing.close()
        await asyncio.gather(writing.wait_closed(), client_writes.wait_closed(), return_exceptions=True)
        agent.close()


@asynccontextmanager
async def started(person: Person, *words: str, folder: Path) -> AsyncIterator[tuple[Any, Any]]:
    """A client that talks to ``smolcell acp`` in a process of its own."""
    command = [sys.executable, "-m", "smolcell", "acp", *words]
    async with acp.spawn_agent_process(person, *command, env=dict(os.environ), cwd=folder) as (connection, process):
        await connection.initialize(1, schema.ClientCapabilities())
        try:
            yield connection, process
        finally:  # its pipes are closed before the loop is
            process.stdin.close()
            await process.wait()
            await asyncio.gather(process.stdin.wait_closed(), return_exceptions=True)


def prompt(words: str) -> list[Any]:
    return [acp.text_block(words)]
