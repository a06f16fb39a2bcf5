"""MCP servers, real ones on the official SDK over both transports: ordinary, dying, silent, noisy, stubborn and hostile."""

from __future__ import annotations

import asyncio
import base64
import gzip
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from examples import quick
from http_server import Handler, Server, served
from mcp import types
from mcp_server import PNG
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from people import Person
from processes import eventually

from smolcell import MCPClient, ToolCallingAgent, ToolCollection, telemetry
from smolcell.core.spec import AgentSpec
from smolcell.errors import AgentToolCallError, AgentToolExecutionError, SetupError
from smolcell.events import Called, Observed
from smolcell.notebook.session import Session
from smolcell.testing import ScriptedModel, allow_all
from smolcell.tools import mcp, mcp_transport
from smolcell.tools.mcp import identifier
from smolcell.tools.mcp_transport import spec

SERVER = str(Path(__file__).with_name("mcp_server.py"))
OURS = f"started by {os.getpid()}"  # the same tests may run twice on one machine


def command(kind: str, *more: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [SERVER, kind, *more, OURS]}


def running(kind: str) -> list[int]:
    """The servers of this kind that are alive, of those that these tests started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if OURS.encode() in words and kind.encode() in words:
            found.append(int(entry.name))
    return found


def gone(kind: str) -> bool:
    return eventually(lambda: not running(kind))


@pytest.fixture(scope="module")
def stdio() -> Iterator[MCPClient]:
    yield from connected(command("ordinary"))


@pytest.fixture(scope="module")
def http() -> Iterator[MCPClient]:
    with served_by("http") as address:
        yield from connected({"url": f"{address}/mcp", "transport": "streamable-http"})


@pytest.fixture
def sse() -> Iterator[MCPClient]:
    with served_by("sse") as address:
        yield from connected({"url": f"{address}/sse", "transport": "sse"})


def connected(server: dict[str, Any]) -> Iterator[MCPClient]:
    client = MCPClient(server)
    yield client
    client.disconnect()


@contextmanager
def served_by(kind: str) -> Iterator[str]:
    """The address of a server that listens on a port of its own choice."""
    with subprocess.Popen([sys.executable, SERVER, kind], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        finally:
            server.kill()


@pytest.fixture(params=quick(["stdio", "http"], "stdio"))
def client(request: pytest.FixtureRequest) -> MCPClient:
    found: MCPClient = request.getfixturevalue(request.param)
    return found


def by_name(client: MCPClient) -> dict[str, Any]:
    return {tool.name: tool for tool in client.get_tools()}


def test_a_server_of_the_older_transport_is_called(sse: MCPClient) -> None:
    tools = by_name(sse)
    assert (tools["price"]("tea", count=2), tools["get_menu"].forward()) == (
        5.0,
        {"items": ["tea", "cake"], "open": True},
    )


# --- over both transports -----------------------------------------------------------------------------------------------


def test_a_server_s_tools_are_tools_of_ours(client: MCPClient) -> None:
    tools = by_name(client)
    assert list(tools)[:2] == ["price", "get_menu"]
    assert str(tools["price"]).startswith('def price(item: str, count: int = 1):\n    """\n    The price of an item.')
    assert tools["price"].inputs["count"] == {"type": "integer", "description": ""}
    assert tools["text"].json_schema["function"]["parameters"]["required"] == []
    with pytest.raises(AgentToolCallError, match="'count' must be int, not str '2'"):
        tools["price"]("tea", "2")
    with pytest.raises(AgentToolCallError, match="'word' must be str"):
        tools["text"](object())


def test_results_are_json_texts_and_images(client: MCPClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "_MAX_RESULT_CHARS", 200_000)
    tools = by_name(client)
    assert tools["price"].forward("tea", 2) == 5.0
    assert (tools["price"]("tea", count=2), tools["get_menu"]()) == (5.0, {"items": ["tea", "cake"], "open": True})
    assert tools["text"]("again") == "again"
    assert tools["text"]("a lone \ud800, a pair \ud83d\ude00") == "a lone ?, a pair \U0001f600"
    assert tools["picture"]().size == (2, 1)
    with pytest.raises(AgentToolExecutionError, match="Error executing tool price"):
        tools["price"]("gold")
    with pytest.raises(AgentToolExecutionError, match="200,000 are taken"):
        tools["big"](200_001)


def test_code_in_a_sandbox_calls_a_server_on_the_host(everywhere: Any, client: MCPClient) -> None:
    program = (
        "found = [price('cake', count=2), get_menu()['open']]\n"
        "try:\n    price('gold')\nexcept Exception as error:\n    found.append(type(error).__name__)\n"
        "try:\n    price(3)\nexcept TypeError as error:\n    found.append('TypeError')\nfinal_answer(found)"
    )
    agent = everywhere(program, tools=client.get_tools())
    assert agent.run("t") == [8.0, True, "AgentToolExecutionError", "TypeError"]
    calls = [event for event in agent.memory.events if isinstance(event, Called)]
    assert [(call.name, bool(call.error)) for call in calls] == [
        ("price", False), ("get_menu", False), ("price", True), ("price", True),
    ]  # fmt: skip


@pytest.mark.parametrize("client", quick(["stdio", "http"], "http"), indirect=True)
def test_a_slow_call_ends_at_its_limit_and_holds_up_no_other(agents: Any, client: MCPClient) -> None:
    tools = client.get_tools()
    program = "try:\n    slow(3600.0)\nexcept TimeoutError:\n    final_answer(price('tea'))"
    assert agents(program, tools=tools, executor_kwargs={"tool_timeout": 1.0}).run("t") == 2.5


@pytest.mark.parametrize("client", quick(["stdio", "http"], "stdio"), indirect=True)
def test_a_tool_that_is_called_directly_waits_for_so_long_and_no_longer(client: MCPClient) -> None:
    slow = by_name(client)["slow"]
    slow.timeout = 0.5
    try:
        with pytest.raises(TimeoutError, match=r"did not answer within 0\.5 s"):
            slow(3600.0)
    finally:
        slow.timeout = None
    assert slow(0.01) == "done"


def test_a_call_carries_the_trace_of_its_run(client: MCPClient, agents: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_exporter", None)
    telemetry.instrument(provider)
    calls = ['{"name": "traced", "arguments": {}}', '{"name": "final_answer", "arguments": {"answer": 1}}']
    with ToolCallingAgent([by_name(client)["traced"]], ScriptedModel(*calls), gate=allow_all) as agent:
        result = agent.run("Call it.", return_full_result=True)
    by_model = next(event.result for event in result.events if isinstance(event, Observed))
    by_code = agents("final_answer(traced())", tools=client.get_tools()).run("Call it.")
    found = [span.context for span in exporter.get_finished_spans() if span.name == "invoke_agent" and span.context]
    assert [said[:53] for said in (by_model, by_code)] == [
        f"00-{context.trace_id:032x}-{context.span_id:016x}-" for context in found
    ]


def test_a_call_inside_a_running_loop_does_not_stop_it(client: MCPClient) -> None:
    async def both() -> Any:
        return by_name(client)["price"]("tea"), await by_name(client)["price"].aforward("cake")

    assert asyncio.run(both()) == (2.5, 4.0)


# --- whose words and rights ---------------------------------------------------------------------------------------------


def test_a_program_gets_no_variables_of_ours(stdio: MCPClient) -> None:
    names = by_name(stdio)["environment"]()
    assert "PATH" in names
    assert not [name for name in names if name.startswith(("SMOLCELL_S", "PYTEST", "PYTHONPATH"))]


@pytest.mark.slow
def test_a_program_gets_certificates_proxies_and_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "https_proxy", "TEA_KEY", "OTHER_KEY"):
        monkeypatch.setenv(name, "x")
    with MCPClient({**command("ordinary"), "env": {"MILK": "1"}, "pass_env": ["TEA_KEY", "MISSING"]}) as tools:
        names = {tool.name: tool for tool in tools}["environment"]()
    assert {"SSL_CERT_FILE", "https_proxy", "TEA_KEY", "MILK"} <= set(names)
    assert not {"OTHER_KEY", "MISSING"} & set(names)


@pytest.mark.parametrize(
    ("replies", "result"),
    [
        (["Friday", "4", "yes"], "Table(day='Friday', guests=4, inside=True)"),
        (["Friday", "four"], "decline"),
        ([], "decline"),
    ],
)
def test_a_server_s_question_is_put_to_the_person(
    agents: Any, client: MCPClient, replies: list[str], result: str
) -> None:
    answers = [("edit", {"text": reply}) for reply in replies] if replies else [("refuse", {"comment": "no"})]
    person = Person("approve", *answers)
    assert agents("final_answer(book())", tools=client.get_tools(), person=person).run("t") == result
    assert "asks: For when?\nday (string" in person.asked[1].text


def test_a_server_s_question_is_declined_without_a_person(stdio: MCPClient) -> None:
    assert by_name(stdio)["book"]() == "decline"


def test_calls_can_need_a_yes(agents: Any, stdio: MCPClient) -> None:
    tools = stdio.get_tools()
    tools[0].approve = "It asks a server."
    try:
        person = Person("approve", ("refuse", {"comment": "no"}))
        program = "try:\n    price('tea')\nexcept Exception as error:\n    final_answer(str(error))"
        assert agents(program, tools=tools, person=person).run("t") == "The person refused the call: no"
        assert (person.asked[1].text, person.asked[1].thought) == ("price(item='tea')", "It asks a server.")
    finally:
        tools[0].approve = False


SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
UNOPENED = {
    "SVG": (SVG.encode(), "image/svg+xml", f"[an image of the type 'image/svg+xml' that cannot be opened: 41 bytes]\n{SVG}"),
    "another format": (b"BM\0\0", "image/bmp", "[an image of the type 'image/bmp' that cannot be opened: 4 bytes]"),
    "a torn one": (PNG[:40], "image/png", "[an image of the type 'image/png' that cannot be opened: 40 bytes]"),
    "a type with a line break": (b"", "a\nb", "[an image of the type 'a\\nb' that cannot be opened: 0 bytes]"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "mime", "said"), UNOPENED.values(), ids=UNOPENED)
def test_an_image_that_cannot_be_opened_is_named_as_the_server_declared_it(data: bytes, mime: str, said: str) -> None:
    part = types.ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=mime)
    assert mcp._part(part) == said


def test_a_hostile_server_s_words_are_bounded_and_its_names_plain(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "smolcell"), MCPClient(command("hostile")) as tools:
        named = {tool.name: tool for tool in tools}
        assert list(named) == ["a_b_c_d", "eval", "final_answer_", "gnp", "import_", "odd", "pattern", "a_b_c_d_2"]
        assert all(len(tool.description) <= 4000 and "\u200b" not in str(tool) for tool in tools)
        assert len(named["gnp"].inputs["x"]["description"]) <= 500
        assert str(named["import_"].signature) == "(self_2: str | None = None)"
        assert str(named["odd"].signature) == "(a: Any = None, b: Any = None, c: int | None = None)"
        assert named["a_b_c_d"]("x", class_=3) == "{'no-identifier': 'x', 'class': 3}"
        with pytest.raises(AgentToolExecutionError, match=r"^it failed\\u\{202e\}$"):
            named["eval"]()
        assert named["odd"]() == "[an image that cannot be decoded]\nwith a text"
        assert named["pattern"]() == {"text": "a" * 40 + "!"}  # its pattern was not run
    assert "is left out: its arguments are not described as at most 50 properties" in caplog.text


def test_names_of_strangers() -> None:
    names = ["price", "get-menu", "a.b", "\uff41b", "", "1", "class", "print", "x" * 500, "__init__", "a b\n"]
    assert [identifier(name) for name in names] == [
        "price", "get_menu", "a_b", "b", "tool", "tool_1", "class_", "print_", "x" * 60, "init", "a_b",
    ]  # fmt: skip
    assert identifier("a-b", {"a_b", "a_b_2"}) == "a_b_3"


@pytest.mark.slow
def test_what_a_server_writes_to_stderr_fills_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said: list[mcp_transport.LastWords] = []

    class Kept(mcp_transport.LastWords):
        def __init__(self) -> None:
            super().__init__()
            said.append(self)

    monkeypatch.setattr(mcp_transport, "LastWords", Kept)
    with MCPClient(command("talkative")) as tools:
        assert {tool.name for tool in tools}
        assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) == 0
    last = said[0].end()
    assert len(last) == mcp_transport.LastWords.MAX_KEPT_BYTES and last.endswith("x\nthe last word\n")
    assert not said[0].is_open()


def test_the_last_line_of_a_program_shows_no_secret_that_was_cut_or_has_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "canary-4711\ncanary-4712")
    lines = []
    for said in (b"the key is canary-4711\ncanary-4712\n", b"4711\ncanary-4712" + b"x" * 9_984):
        words = mcp_transport.LastWords()
        os.write(words.file.fileno(), said)
        lines.append(words.last_line())
    assert lines == ["the key is [redacted]", "[redacted]" + "x" * 490]


# --- servers that do not do what they should ------------------------------------------------------------------------------


UNFIT: dict[str, tuple[Any, str]] = {
    "no program": ({"command": "no-such-program"}, "there is no program no-such-program"),
    "a program that fails": (command("broken"), "it said: no licence found"),
    "nothing at the address": ({"url": "http://127.0.0.1:9/mcp"}, "cannot be reached"),
    "an unknown transport": ({"url": "http://127.0.0.1:9/", "transport": "carrier"}, "one of streamable-http, sse"),
    "neither": ({"uri": "x"}, 'needs "url" or "command"'),
    "no server at all": (3, "as a URL, a command or a dict, not by a int"),
    "an empty line": ("", "a URL or a command line, for example: --mcp"),
    "an open quote": ("uvx 'a", "Close every quote"),
}


@pytest.mark.parametrize(("given", "said"), UNFIT.values(), ids=UNFIT)
def test_what_is_no_server_is_said_at_once(given: Any, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        MCPClient(given)
    assert said in str(caught.value)


@pytest.mark.parametrize("kind", quick(["silent", "noise"], "silent"))
def test_a_server_that_does_not_answer_is_given_up_and_ended(kind: str) -> None:
    with pytest.raises(SetupError, match=r"did not answer within 0\.2 s; is it an MCP server"):
        MCPClient(command(kind), {"connect_timeout": 0.2})
    assert gone(kind)


def reading() -> set[threading.Thread]:
    """The threads that read what servers write to stderr: each until its server has ended."""
    return {thread for thread in threading.enumerate() if thread.name == "smolcell-mcp-stderr"}


def test_a_server_that_ended_is_started_again_at_the_next_call() -> None:
    before = reading()
    client = MCPClient(command("ordinary", "dying"))
    try:
        tools = by_name(client)
        with pytest.raises(
            AgentToolExecutionError, match=r"has ended; its last line was: out of tea; the next call starts it again"
        ):
            tools["crash"]()
        assert tools["price"]("tea") == 2.5
        os.kill(tools["process"](), signal.SIGKILL)  # between two calls
        assert eventually(lambda: reading() <= before)  # the client has heard it
        assert tools["price"]("tea") == 2.5
    finally:
        client.disconnect()
    assert gone("dying")
    with pytest.raises(AgentToolExecutionError, match=r"is not connected any more: connect\(\) again"):
        tools["price"]("tea")


@pytest.mark.slow
def test_a_server_that_ends_at_every_call_is_started_again_once() -> None:
    client = MCPClient(command("ordinary", "looping"))
    try:
        tools = by_name(client)
        for _ in range(2):
            with pytest.raises(AgentToolExecutionError, match="the next call starts it again"):
                tools["crash"]()
        with pytest.raises(AgentToolExecutionError, match=r"ended again after a restart: connect\(\) again"):
            tools["price"]("tea")
        client.connect()
        assert tools["price"]("tea") == 2.5
    finally:
        client.disconnect()
    assert gone("looping")


@pytest.mark.slow
def test_a_stubborn_server_is_killed_in_the_end() -> None:
    client = MCPClient(command("stubborn"))
    (pid,) = running("stubborn")
    client.disconnect()
    client.disconnect()
    assert gone("stubborn"), pid
    assert not [thread for thread in threading.enumerate() if thread.name == "smolcell-mcp" and not thread.daemon]


@pytest.mark.slow
def test_no_server_outlives_a_process_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom smolcell import MCPClient\n"
        f"client = MCPClient({command('stubborn', 'orphan')!r})\nprint('up', flush=True)\ntime.sleep(3600)\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert owner.stdout is not None
    try:
        assert owner.stdout.readline() == "up\n"
        assert running("orphan")
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        owner.stdout.close()
    assert gone("orphan")


# --- by the words of the field, and of a cell -----------------------------------------------------------------------------


def test_a_collection_is_the_tools_for_a_while() -> None:
    with pytest.raises(SetupError, match="trust_remote_code=True"), ToolCollection.from_mcp(command("ordinary")):
        pass
    with ToolCollection.from_mcp(command("ordinary", "collected"), trust_remote_code=True) as collection:
        assert [tool.name for tool in collection.tools][:2] == ["price", "get_menu"]
    assert gone("collected")


class Flood(Handler):
    """Answers with more than is taken: as it is, by a name that is written otherwise, or packed."""

    headers_of: dict[str, str] = {}

    def do_POST(self) -> None:
        self.body()
        body = b'{"jsonrpc": "2.0", "id": 0, "result": "' + b"x" * 300_000 + b'"}'
        body = gzip.compress(body) if "Content-Encoding" in self.headers_of else body
        self.answer(
            body, **{"kind" if name == "Content-Type" else name: value for name, value in self.headers_of.items()}
        )


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Content-Type": "application/json"}, "larger than 100,000 bytes"),
        ({"Content-Type": "Application/JSON"}, "larger than 100,000 bytes"),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, "is packed, which was not asked for"),
    ],
)
def test_no_more_of_an_answer_is_read_than_is_taken(
    headers: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_transport, "MAX_ANSWER_BYTES", 100_000)
    monkeypatch.setattr(Flood, "headers_of", headers)
    with served(Server(Flood)) as server, pytest.raises(SetupError, match=said):
        MCPClient({"url": f"{server.url}/mcp"})


def test_a_word_of_the_option_line_is_an_address_or_a_command() -> None:
    assert spec("https://tea.example/mcp") == {"url": "https://tea.example/mcp"}
    assert spec("uvx 'a b' --c") == {"command": "uvx", "args": ["a b", "--c"]}


def test_a_session_keeps_its_connection_and_ends_it(tmp_path: Path) -> None:
    recording = tmp_path / "r.jsonl"
    recording.write_text('{"format": "smolcell-recording", "version": 1, "model": "by hand"}\n')
    session = Session("s")
    server = {"teas": command("ordinary", "of-a-session")}
    try:
        agent = session.prepare(AgentSpec(), mcp=server, replay=str(recording))
        (pid,) = running("of-a-session")
        assert "price" in agent.tools
        assert "price" not in session.prepare(AgentSpec(), replay=str(recording)).tools
        session.prepare(AgentSpec(), mcp=server, replay=str(recording))
        assert running("of-a-session") == [pid]
    finally:
        session.close()
        session.close()
    assert gone("of-a-session")
