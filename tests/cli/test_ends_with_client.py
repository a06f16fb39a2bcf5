"""Every server ends when its client is gone, whatever runs, and what it started ends with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from leftovers import needs_proc
from processes import PATIENCE, below, eventually, living

pytestmark = [needs_proc, pytest.mark.slow]

TOOLS = """
import time
from mcp.server.mcpserver import MCPServer
server = MCPServer("tools")
@server.tool()
def wait() -> str:
    "Never returns."
    open("begun", "w").close()
    time.sleep(100_000)
server.run()
"""
LOOP = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
PROGRAMS = {
    "sleeps": "import time\nprint('begun', flush=True)\ntime.sleep(100_000)",
    "ignores interrupts": f"print('begun', flush=True)\n{LOOP}",
    "calls a tool": "wait()",
    "asks": "1",
    "is refused": "1",
}


class Client:
    """A client of JSON-RPC over the pipes of ``smolcell acp`` or ``smolcell mcp``."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "smolcell", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self._count = 0

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, **params: Any) -> int:
        self._count += 1
        self.send(id=self._count, method=method, params=params)
        return self._count

    def until(self, is_it: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        assert self.process.stdout is not None
        return next(message for line in self.process.stdout if is_it(message := json.loads(line)))

    def result(self, number: int) -> Any:
        return self.until(lambda message: message.get("id") == number and "method" not in message)["result"]

    def close(self, *pipes: str) -> None:
        for name in pipes:
            getattr(self.process, name).close()


def _acp(folder: Path, state: str) -> Client:
    lines = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "add", "text": f"Next.\n<code>\n{code}\n</code>"} for code in (PROGRAMS[state], "2")]
    (folder / "recording.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    client = Client(folder, "acp", "--replay", "recording.jsonl", *_tools(folder, state))
    client.result(client.request("initialize", protocolVersion=1, clientCapabilities={}))
    session = client.result(client.request("session/new", cwd=str(folder), mcpServers=[]))["sessionId"]
    client.request("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "add"}])
    asked = client.until(lambda message: message.get("method") == "session/request_permission")
    if state != "asks":
        wanted = "Refuse" if state == "is refused" else "Approve"
        chosen = next(each["optionId"] for each in asked["params"]["options"] if each["name"] == wanted)
        client.send(id=asked["id"], result={"outcome": {"outcome": "selected", "optionId": chosen}})
    if "begun" in PROGRAMS[state]:
        client.until(lambda message: "\\nbegun\\n" in json.dumps(message))
    return client


def _mcp(folder: Path, state: str) -> Client:
    client = Client(folder, "mcp", *_tools(folder, state))
    me = {"name": "a test", "version": "1"}
    capabilities = {"elicitation": {}}
    client.result(client.request("initialize", protocolVersion="2025-06-18", capabilities=capabilities, clientInfo=me))
    client.send(method="notifications/initialized")
    client.request("tools/call", name="run_python", arguments={"code": PROGRAMS[state]})
    asked = client.until(lambda message: message.get("method") == "elicitation/create")
    decision = asked["params"]["requestedSchema"]["properties"]["decision"]["enum"][0]
    if state == "is refused":
        client.send(id=asked["id"], result={"action": "decline"})
    elif state != "asks":
        client.send(id=asked["id"], result={"action": "accept", "content": {"decision": decision}})
    return client


def _tools(folder: Path, state: str) -> list[str]:
    if state != "calls a tool":
        return []
    (folder / "tools.py").write_text(TOOLS)
    return ["--mcp", f"{sys.executable} tools.py"]


@pytest.mark.parametrize(
    ("state", "pipes"), [*((state, "stdin stdout") for state in PROGRAMS), ("sleeps", "stdin"), ("asks", "stdout")]
)
@pytest.mark.parametrize("begin", [_acp, _mcp], ids=["acp", "mcp"])
def test_a_client_that_goes_while_something_runs(
    begin: Callable[[Path, str], Client], state: str, pipes: str, tmp_path: Path
) -> None:
    client = begin(tmp_path, state)
    if state == "calls a tool":
        assert eventually((tmp_path / "begun").exists)
    processes = {client.process.pid, *below(client.process.pid)}
    client.close(*pipes.split())
    try:
        status = client.process.wait(PATIENCE)
        assert eventually(lambda: not living(processes))
        assert status in (0, 130)
    finally:
        client.process.kill()
        client.close("stdin", "stdout")


@contextmanager
def _served(*words: str, folder: Path, terminal: bool = False, code: str = "") -> Iterator[tuple[int, Any]]:
    """A process whose standard output is a pipe or a terminal: its id and what reads that."""
    reads, writes = os.openpty() if terminal else os.pipe()
    command = [sys.executable, *(("-c", code) if code else ("-m", "smolcell")), *words]
    process = subprocess.Popen(
        command, stdin=writes if terminal else subprocess.DEVNULL, stdout=writes, stderr=writes, cwd=folder,
        start_new_session=True, preexec_fn=_own_terminal if terminal else None,
    )  # fmt: skip
    os.close(writes)
    with os.fdopen(reads, "rb", buffering=0) as reading:
        try:
            yield process.pid, reading
            assert process.wait(PATIENCE) != -signal.SIGKILL
        finally:
            process.kill()
            process.wait()


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _map(folder: Path) -> tuple[list[str], Callable[[], object]]:
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "add", "text": f"Next.\n<code>\n{LOOP}\n</code>"}] * 2
    (folder / "recording.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "tasks.jsonl").write_text('{"id": "a", "task": "add"}\n{"id": "b", "task": "add"}\n')
    words = ["map", "tasks.jsonl", "-o", "out", "--replay", "recording.jsonl", "-a", "auto"]
    return words, lambda: sum('"Allowed"' in path.read_text() for path in folder.glob("out/journals/*.jsonl")) == 2


DOCS = "import sys; from pathlib import Path; from smolcell.cli.serve import docs; docs(browser=False, site=Path())"


@pytest.mark.parametrize("how", ["no reader", "closed terminal", "SIGTERM"])
@pytest.mark.parametrize("kind", ["docs", "map", "http"])
def test_a_command_whose_terminal_or_reader_goes(kind: str, how: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").touch()
    words, begun = _map(tmp_path) if kind == "map" else ([] if kind == "docs" else ["mcp", "--http"], None)
    terminal, code = how == "closed terminal", DOCS if kind == "docs" else ""
    with _served(*words, folder=tmp_path, terminal=terminal, code=code) as (pid, reading):
        assert eventually(begun) if begun is not None else reading.read(1)
        processes = {pid, *below(pid)}
        if how == "SIGTERM":
            os.kill(pid, signal.SIGTERM)
        else:
            reading.close()
        assert eventually(lambda: not living(processes))


def test_a_command_that_was_started_to_outlive_its_terminal_does(tmp_path: Path) -> None:
    (tmp_path / "index.html").touch()
    code = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{DOCS}"  # as nohup does
    with _served(folder=tmp_path, code=code) as (pid, reading):
        address = reading.readline().decode().strip()
        os.kill(pid, signal.SIGHUP)
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert answer.status == 200
        os.kill(pid, signal.SIGTERM)
