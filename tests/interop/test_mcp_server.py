"""``smolcell mcp``: the official SDK's client against it, in both forms of its protocol, and clients that mean harm."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from examples import quick
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server

from smolcell.errors import SetupError
from smolcell.events import Allowed, Ended, Observed
from smolcell.interop.mcp import Workbench
from smolcell.interop.mcp_server import HttpServer, Tools, new_token
from smolcell.journal import read
from smolcell.notebook.session import Session
from smolcell.notebook.settings import effective_settings, read_line

TOKEN = "a token of this test's own"
MODES = ["legacy", "auto"]  # the handshake of before 2026, and the newest


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 120))


@contextmanager
def served(line: str = "") -> Iterator[str]:
    options = read_line(f"--python guarded {line}")
    bench = Workbench(Session("default"), effective_settings(options), options=options)
    with closing(bench), closing(HttpServer(Tools(bench).server(), TOKEN)) as server:
        server.start()
        yield server.url


def test_a_client_that_comes_before_the_server_serves_waits_and_is_not_refused() -> None:
    with closing(HttpServer(Server("test"), TOKEN)) as server:
        address = urlsplit(server.url)
        socket.create_connection((str(address.hostname), int(address.port or 0)), 10).close()


class Person:
    """Fills a client's forms in: with the option of each of these labels, one after the other."""

    def __init__(self, *labels: str, comment: str = "") -> None:
        self.labels, self.comment = list(labels), comment
        self.forms: list[tuple[str, list[str]]] = []

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        names = params.requested_schema["properties"]["decision"]["enum"]
        self.forms.append((params.message, names))
        label = self.labels.pop(0)
        if label in ("decline", "cancel"):
            return types.ElicitResult(action=label)  # type: ignore[arg-type]
        chosen = next((name for name in names if name.startswith(label)), label)
        return types.ElicitResult(action="accept", content={"decision": chosen, "comment": self.comment})


@asynccontextmanager
async def client(url: str, person: Any = None, *, mode: str = "legacy", token: str = TOKEN) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=person) as made:
            yield made


def told(result: Any) -> str:
    text = result.content[0].text
    return f"error: {text}" if result.is_error else str(text)


def texts_that_ran(state_dir: Path) -> list[str]:
    events = journalled(state_dir)
    observed = {(event.run, event.step) for event in events if isinstance(event, Observed)}
    return [event.text for event in events if isinstance(event, Allowed) and (event.run, event.step) in observed]


def ended(state_dir: Path) -> list[str]:
    return [event.state for event in journalled(state_dir) if isinstance(event, Ended)]


def journalled(state_dir: Path) -> list[Any]:
    return [event for path in (state_dir / "journals").glob("*.jsonl") for event in read(path)]


@pytest.mark.parametrize("mode", MODES)
def test_a_program_runs_once_a_person_chose_to_approve_it_in_a_form(mode: str) -> None:
    async def go(url: str) -> None:
        person = Person("Approve", "Approve", "Approve")
        async with client(url, person, mode=mode) as agent:
            tools = {tool.name: tool.annotations for tool in (await agent.list_tools()).tools}
            assert list(tools) == ["run_python", "list_variables", "read_variable", "undo", "export_notebook"]
            assert [bool(hints.read_only_hint) for hints in tools.values()] == [False, True, True, False, True]
            assert [hints.destructive_hint for hints in tools.values()] == [True, False, False, True, False]
            assert told(await agent.call_tool("run_python", {"code": "x = [1, 2]\nprint('made')"})) == "made"
            assert told(await agent.call_tool("run_python", {"code": "x + [3]"})) == "[1, 2, 3]"
            found = json.loads(told(await agent.call_tool("list_variables", {})))
            assert [(one["name"], one["type"]) for one in found] == [("x", "list")]
            assert told(await agent.call_tool("read_variable", {"name": "x"})) == "[1, 2]"
            failed = told(await agent.call_tool("run_python", {"code": "x[9]"}))
            assert failed.startswith("error: ") and "IndexError" in failed
            notebook = json.loads(told(await agent.call_tool("export_notebook", {})))
            assert ["x = [1, 2]" in cell["source"] for cell in notebook["cells"]] == [True, False]
        message, names = person.forms[0]
        assert "```python\nx = [1, 2]\nprint('made')\n```" in message
        assert [name.partition(" (")[0] for name in names][:2] == ["Approve", "Approve the rest of this run"]

    with served() as url:
        run(go(url))


@pytest.mark.parametrize("mode", MODES)
def test_with_nobody_to_ask_a_call_returns_at_once_with_an_error(mode: str, state_dir: Path) -> None:
    async def go(url: str) -> None:
        async with client(url, mode=mode) as agent:
            said = told(await agent.call_tool("run_python", {"code": "1 + 1"}))
        assert said.startswith("error: Refused by nobody: No one can approve this")

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == []


@pytest.mark.parametrize("mode", quick(MODES, "auto"))
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("decline", "error: Refused by person"),
        ("cancel", "error: Refused by nobody: The form came back without a choice"),
        ("yes", "error: Refused by nobody: The form came back without a choice"),
        ("Approve (0123456789abcdef-0)", "error: Refused by nobody: The form came back without a choice"),
        ("Refuse", "error: Refused by person: use two"),
    ],
)
def test_whatever_is_no_choice_of_the_form_runs_nothing(mode: str, said: str, why: str, state_dir: Path) -> None:
    async def go(url: str) -> None:
        async with client(url, Person(said, comment="use two"), mode=mode) as agent:
            assert told(await agent.call_tool("run_python", {"code": "1 + 1"})).startswith(why)

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == []


@pytest.mark.parametrize("mode", MODES)
def test_a_choice_of_an_earlier_form_is_none_of_a_later_one(mode: str, state_dir: Path) -> None:
    kept: list[str] = []

    async def replaying(context: Any, params: Any) -> types.ElicitResult:
        kept.extend(params.requested_schema["properties"]["decision"]["enum"][:1])
        return types.ElicitResult(action="accept", content={"decision": kept[0]})

    async def go(url: str) -> None:
        async with client(url, replaying, mode=mode) as agent:
            assert told(await agent.call_tool("run_python", {"code": "1 + 1"})) == "2"
            assert "without a choice" in told(await agent.call_tool("run_python", {"code": "2 + 2"}))

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == ["1 + 1"]


def test_a_form_is_brought_back_once_and_for_its_own_call_only(state_dir: Path) -> None:
    """In the newest form of the protocol a client brings the form back in another call: forged and replayed states are refused."""

    async def go(url: str) -> None:
        async with client(url, Person(), mode="auto") as agent:
            session = agent.session
            asked = await session.call_tool("run_python", {"code": "1 + 1"}, allow_input_required=True)
            name = asked.input_requests["approval"].params.requested_schema["properties"]["decision"]["enum"][0]
            form = {"approval": types.ElicitResult(action="accept", content={"decision": name})}

            async def bring(state: str) -> str:
                return told(
                    await session.call_tool("run_python", {"code": "6 * 7"}, input_responses=form, request_state=state)
                )

            assert "waits for its form" in told(await session.call_tool("run_python", {"code": "2"}))
            assert "no call waits for this form" in await bring("made up")
            assert await bring(asked.request_state) == "2"  # what was asked about runs, whatever is said now
            assert "no call waits for this form" in await bring(asked.request_state)

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == ["1 + 1"]


def test_without_the_token_nothing_is_answered() -> None:
    async def go(url: str) -> None:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        async with httpx2.AsyncClient() as http:
            for headers in (
                {},
                {"Authorization": "Bearer wrong"},
                {"Authorization": TOKEN},
                {"Authorization": f"bearer {TOKEN}"},
                {"Authorization": f"Bearer {TOKEN} "[:-2]},
            ):
                for method in ("GET", "POST", "DELETE"):
                    response = await http.request(method, url, json=body, headers=headers)
                    assert (response.status_code, response.content) == (401, b"")
            page = {"Authorization": f"Bearer {TOKEN}", "Host": "evil.test", "Accept": "application/json"}
            assert (await http.post(url, json=body, headers=page)).status_code in (403, 421)
            page = {**page, "Host": "127.0.0.1:1", "Origin": "http://evil.test"}
            assert (await http.post(url, json=body, headers=page)).status_code == 403

    with served() as url:
        run(go(url))


def test_a_second_client_neither_answers_nor_undoes_nor_inherits(state_dir: Path) -> None:
    async def go(url: str) -> None:
        asked, answered = asyncio.Event(), asyncio.Event()
        first_person = Person("Approve the rest of this run")

        async def slow(context: Any, params: Any) -> types.ElicitResult:
            asked.set()
            await answered.wait()
            return await first_person(context, params)

        second_person = Person("decline")
        async with client(url, slow) as first, client(url, second_person) as second:
            calling = asyncio.create_task(first.call_tool("run_python", {"code": "x = 1"}))
            await asked.wait()
            assert "another client is active" in told(await second.call_tool("run_python", {"code": "x = 2"}))
            answered.set()
            assert told(await calling) == "done; it printed nothing"
            assert told(await first.call_tool("run_python", {"code": "x"})) == "1"  # the rest of this run
            assert told(await second.call_tool("undo", {})).startswith("error: 0 steps of yours")
            assert told(await second.call_tool("run_python", {"code": "x = 3"})).startswith("error: Refused by person")
            assert len(second_person.forms) == 1  # what was approved for the first holds no more

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == ["x = 1", "x"]


def test_own_steps_are_taken_back(state_dir: Path) -> None:
    async def go(url: str) -> None:
        person = Person("Approve the rest of this run", "Approve")
        async with client(url, person) as agent:
            for code in ("x = 1", "x = 2", "x = 3"):
                await agent.call_tool("run_python", {"code": code})
            assert told(await agent.call_tool("undo", {"steps": 9})).startswith("error: 3 steps of yours")
            assert told(await agent.call_tool("undo", {"steps": 2})).startswith("Undone: 2. 1 of your steps")
            assert told(await agent.call_tool("run_python", {"code": "x"})) == "1"

    with served() as url:
        run(go(url))


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("run_python", {}, "run_python needs code"),
        ("run_python", {"code": 1}, "run_python takes"),
        ("run_python", {"code": "1", "approve": "auto"}, "run_python takes"),
        ("run_python", {"code": "  "}, "code has 2 characters"),
        ("run_python", {"code": "1" * 200_001}, "code has 200,001 characters"),
        ("read_variable", {"name": "__import__('os')"}, "there is no variable"),
        ("undo", {"steps": True}, "undo takes"),
        ("undo", {"steps": -1}, "0 steps of yours"),
        ("approve", {}, "there is no tool approve"),
    ],
)
def test_calls_that_cannot_be_made_are_errors(name: str, arguments: dict[str, Any], said: str) -> None:
    async def go() -> None:
        options = read_line("--python guarded")
        bench = Workbench(Session("default"), effective_settings(options), options=options)
        with closing(bench):
            async with Client(Tools(bench).server(), mode="legacy", elicitation_callback=Person("Approve")) as agent:
                assert said in told(await agent.call_tool(name, arguments))

    run(go())


def test_a_call_that_its_client_gives_up_runs_nothing(state_dir: Path) -> None:
    async def go(url: str) -> None:
        asked = asyncio.Event()

        async def never(context: Any, params: Any) -> types.ElicitResult:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with client(url, never) as agent:
            calling = asyncio.create_task(agent.call_tool("run_python", {"code": "1 + 1"}))
            await asked.wait()
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)
            while not ended(state_dir):  # `run` has a limit
                await asyncio.sleep(0.05)
            assert ended(state_dir) == ["stopped"]

    with served() as url:
        run(go(url))
    assert texts_that_ran(state_dir) == []


AFTER: dict[str, tuple[str, dict[str, Any], str]] = {
    "the next program": ("run_python", {"code": "1 + 1"}, "2"),
    "its variables": ("list_variables", {}, ""),
    "an undo": ("undo", {"steps": 1}, "Undone: 1"),
    "a notebook": ("export_notebook", {}, "{"),
}


@pytest.mark.parametrize("when", quick(["asked", "running", "at once"], "running"))
@pytest.mark.parametrize("after", quick(AFTER, "the next program"))
def test_a_call_directly_after_a_cancelled_one_waits_for_its_end(when: str, after: str) -> None:
    name, arguments, said = AFTER[after]
    asked, never = asyncio.Event(), asyncio.Event()
    approves = Person(*["Approve"] * 4)

    async def person(context: Any, params: Any) -> types.ElicitResult:
        if "while True" in params.message and when == "asked":
            asked.set()
            await never.wait()
        return await approves(context, params)

    async def go(url: str) -> None:
        async with client(url, person) as agent, client(url, approves) as other:
            await agent.call_tool("run_python", {"code": "x = 1"})
            calling = asyncio.create_task(agent.call_tool("run_python", {"code": "print(1)\nwhile True: pass"}))
            if when == "running":
                while len(approves.forms) < 2:
                    await asyncio.sleep(0.02)
            elif when == "asked":
                await asked.wait()
            else:
                await asyncio.sleep(0)
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)
            assert told(await agent.call_tool(name, arguments)).startswith(said)
            assert told(await other.call_tool("run_python", {"code": "x"})) == "1" or name == "undo"

    with served() as url:
        run(go(url))


@pytest.mark.parametrize("mode", quick(MODES, "auto"))
def test_the_command_serves_a_client_on_its_pipes_and_ends_with_it(mode: str, state_dir: Path) -> None:
    words = ["-m", "smolcell", "mcp", "--python", "guarded"]
    started = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def go() -> None:
        async with Client(started, mode=mode, elicitation_callback=Person("Approve")) as agent:
            assert told(await agent.call_tool("run_python", {"code": "print(6 * 7)"})) == "42"

    run(go())
    assert (ended(state_dir), texts_that_ran(state_dir)) == (["success"], ["print(6 * 7)"])


def test_a_person_may_say_with_the_command_that_isolated_code_runs_unasked(state_dir: Path) -> None:
    async def go(url: str) -> None:
        async with client(url) as agent:
            assert told(await agent.call_tool("run_python", {"code": "6 * 7"})) == "42"

    with served("--approve auto") as url:
        run(go(url))


def test_secrets_do_not_reach_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-abcdefghijklmnopqrstuvwxyz123456")

    async def go(url: str) -> None:
        async with client(url) as agent:
            code = "key = 'sk-abcdefghijklmnopqrstuvwxyz' + '123456'\nprint(key)"
            results = [await agent.call_tool("run_python", {"code": code})]
            results.append(await agent.call_tool("read_variable", {"name": "key"}))
            results.append(await agent.call_tool("list_variables", {}))
        assert not [told(result) for result in results if re.search("sk-abc.*123456", told(result))]

    with served("--approve auto") as url:
        run(go(url))


def test_a_token_of_the_person_s_own_must_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_MCP_TOKEN", "short")
    with pytest.raises(SetupError, match="at least 16"):
        new_token()
    monkeypatch.delenv("SMOLCELL_MCP_TOKEN")
    assert len(new_token()) >= 16
