"""What of a notebook the model is sent, in a real kernel: its cells, and the files of a trusted folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cells import AgentKernel
from model_server import ModelServer, server

pytestmark = [pytest.mark.kernels, pytest.mark.slow]

MCP = str(Path(__file__).parents[1] / "tools" / "mcp_server.py")
ANSWER = "Thought: I know.\n<code>\nfinal_answer(1)\n</code>"


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with server(*[ANSWER] * 4) as found:
        yield found


@pytest.fixture
def kernel(tmp_path: Path, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[AgentKernel]:
    """One whose folder is trusted."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.setenv("SMOLCELL_TRUST", str(folder))
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(folder)
    with AgentKernel(sys.executable, tmp_path) as kernel:
        kernel.run(f"%agent config model=openai/test api_base={model.address}")
        yield kernel


def test_the_cells_that_ran_are_sent_with_what_they_showed(kernel: AgentKernel, model: ModelServer) -> None:
    kernel.run("rows = [1, 2]\nprint('read')")
    kernel.run("key = 'hf_abcdefghijklmnopqrstu1'")

    kernel.run("%%agent --approve auto --context outputs\nSum them.")
    kernel.run("more = 3")
    kernel.run("%%agent --approve auto --context cells\nAgain.")

    first, second = model.prompts
    assert "Source of cell [3]:\n```python\nrows = [1, 2]\nprint('read')\n```" in first
    assert ["read\n```" in first, "key = '[redacted]'" in first, "%load_ext" in first] == [True, True, False]
    assert [second.count("rows = [1, 2]"), second.count("more = 3")] == [1, 1]


def test_nothing_is_sent_without_a_decision(kernel: AgentKernel, model: ModelServer) -> None:
    kernel.run("rows = [1, 2]")
    kernel.run("%%agent --approve auto\nSum them.")

    cell = kernel.execute("%%agent -o answer\nAgain.", allow_stdin=True)
    page = kernel.page(cell)
    assert page.event("Proposed")["kind"] == "context"
    page.answer(0, "refuse")
    page.answer(1)
    kernel.ends(cell)

    assert ["rows = [1, 2]" in prompt for prompt in model.prompts] == [False, False]


def test_the_servers_of_a_trusted_folder_are_started(kernel: AgentKernel, model: ModelServer, tmp_path: Path) -> None:
    written = {"teas": {"command": sys.executable, "args": [MCP, "ordinary"]}}
    (tmp_path / "project" / ".mcp.json").write_text(json.dumps({"mcpServers": written}))
    (tmp_path / "project" / "AGENTS.md").write_text("Say guests, not customers.")

    kernel.run("%%agent --approve auto\nWhat does a tea cost?")

    assert ["def price(" in model.prompts[0], "Say guests, not customers." in model.prompts[0]] == [True, True]


def test_a_server_that_does_not_start_is_named_with_its_file(
    kernel: AgentKernel, model: ModelServer, tmp_path: Path
) -> None:
    file = tmp_path / "project" / ".mcp.json"
    file.write_text(json.dumps({"mcpServers": {"teas": {"command": "no-such-program"}}}))

    cell = kernel.execute("%%agent --approve auto\nWhat does a tea cost?")
    said = "\n".join(kernel.ends(cell, "error").content["traceback"])

    assert said.startswith(f"SetupError: the MCP server teas of {file} (")
    assert said.endswith("Correct that, or leave this server out")
    assert model.prompts == []
