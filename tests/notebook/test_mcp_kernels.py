"""``%agent mcp``: a client of the official SDK works in a kernel's session, and a page approves on the cards."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from cells import AgentKernel, CardPage
from mcp import Client, StdioServerParameters

from smolcell.errors import SetupError
from smolcell.interop.mcp_server import attachments, find_attachment

pytestmark = pytest.mark.kernels


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[AgentKernel]:
    with AgentKernel(sys.executable, tmp_path) as kernel:
        yield kernel


def beside(calls: list[tuple[str, dict[str, Any]]]) -> Future[list[str]]:
    """Make these calls from a client of ``smolcell mcp --kernel``, on a thread of its own."""
    done: Future[list[str]] = Future()

    async def go() -> list[str]:
        words = ["-m", "smolcell", "mcp", "--kernel"]
        started = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        said = []
        async with Client(started, mode="legacy") as client:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                said.append(f"{'error: ' if result.is_error else ''}{result.content[0].text}")
        return said

    def work() -> None:
        try:
            done.set_result(asyncio.run(asyncio.wait_for(go(), 100)))
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return done


@pytest.mark.slow
def test_a_client_s_programs_are_approved_on_cards_of_the_notebook(kernel: AgentKernel) -> None:
    kernel.run("numbers = [1, 2, 3]")
    cell = kernel.execute("%agent mcp -i numbers --python guarded")
    kernel.until(lambda m: m.type == "stream" and "smolcell mcp --kernel" in m.content["text"])
    (told_in,) = attachments().iterdir()
    assert (oct(told_in.stat().st_mode)[-3:], oct(told_in.parent.stat().st_mode)[-3:]) == ("600", "700")
    assert json.loads(told_in.read_text())["token"] not in kernel.printed(cell)
    told = beside(
        [
            ("run_python", {"code": "total = sum(numbers)\nprint(total)"}),
            ("run_python", {"code": "total = 0"}),
            ("list_variables", {}),
            ("undo", {}),
            ("run_python", {"code": "total"}),
            ("export_notebook", {}),
        ]
    )
    page = kernel.page(cell)
    page.answer(1)
    page.answer(2, "refuse", comment="it is not nothing")
    opened = kernel.until(
        lambda m: m.type == "comm_open" and "_esm" in str(m.content["data"]) and m.content["comm_id"] != page.comm
    )
    after = CardPage(kernel, opened.content["comm_id"])  # what runs after an undo has a card of its own
    after.say(type="ready")
    after.answer(1)
    said = told.result(100)
    assert said[0] == "6"
    assert said[1] == "error: Refused by person: it is not nothing"
    assert {one["name"] for one in json.loads(said[2])} == {"numbers", "total"}
    assert said[3].startswith("Undone: 1. 0 of your steps")
    assert said[4].startswith("error: ") and "total" in said[4]  # it was taken back
    kernel.interrupt()
    kernel.ends(cell)
    assert "MCP clients can no longer use this session" in kernel.printed(cell)
    with pytest.raises(SetupError, match="no kernel can be attached to"):
        find_attachment("")


def test_a_kernel_that_is_gone_is_not_attached_to(tmp_path: Path, state_dir: Path) -> None:
    attachments().mkdir(parents=True)
    gone = {"pid": 2**22 + 1, "kernel": "k", "place": "", "url": "http://127.0.0.1:1/mcp", "token": "t"}
    (attachments() / "gone.json").write_text(json.dumps(gone))
    (attachments() / "odd.json").write_text("{")
    (attachments() / "linked.json").symlink_to(attachments() / "gone.json")
    with pytest.raises(SetupError, match="run a cell with: %agent mcp"):
        find_attachment("")
