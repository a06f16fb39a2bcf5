"""Front ends other than JupyterLab: consoles in a real terminal, and the message flows of those that cannot be had here."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from cells import AgentKernel, CardPage, recording
from kernels import INSTALLED, OTHERS, VERSIONS, kernel_env

pytestmark = [pytest.mark.kernels, pytest.mark.timeout(600)]

STATIC = Path(__file__).parents[2] / "smolcell" / "views" / "static"
needs_terminal = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")
SLOW = 240.0  # seconds that a console may take to start where much else runs


# --- consoles ---------------------------------------------------------------------------------------------------------


class Console:
    """A program in a terminal of its own, typed into as a person does."""

    def __init__(self, folder: Path, *command: str) -> None:
        import pexpect

        env = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "IPYTHONDIR": str(folder / "ipython")}
        self._log = (folder / "terminal.log").open("w", encoding="utf-8")
        self._folder = folder
        size = (60, 200)
        self._child = pexpect.spawn(
            sys.executable, ["-m", *command], env=env, encoding="utf-8", timeout=SLOW, dimensions=size
        )
        self._child.logfile_read = self._log

    def wait(self, pattern: str) -> None:
        self._child.expect(pattern)

    def type(self, *lines: str) -> None:
        self._child.send("".join(f"{line}\r" for line in lines))

    def prompt(self, number: int) -> None:
        """Wait for the prompt of this number, whatever colours it has."""
        self.wait(rf"In \[(\x1b\[[0-9;]*m)*{number}(\x1b\[[0-9;]*m)*\]")

    def shown(self) -> str:
        """All that was shown so far, as text."""
        self._log.flush()
        text = (self._folder / "terminal.log").read_text(encoding="utf-8")
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r", "")

    def close(self) -> None:
        self._child.close(force=True)
        self._log.close()


@pytest.fixture
def console(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Console]:
    if request.param[0] == "jupyter_console" and find_spec("jupyter_console") is None:
        pytest.skip("needs jupyter-console: pip install 'smolcell[dev]'")
    made = Console(tmp_path, *request.param)
    yield made
    made.close()


@needs_terminal
@pytest.mark.parametrize(
    "console",
    [("IPython", "--no-banner", "--no-confirm-exit"), ("jupyter_console", "--no-confirm-exit")],
    indirect=True,
    ids=["ipython", "jupyter console"],
)
@pytest.mark.slow
def test_a_console_asks_in_the_terminal_and_has_the_steps_at_its_next_prompt(console: Console, tmp_path: Path) -> None:
    replay = recording(tmp_path / "replay.jsonl", "half = 21", "final_answer(half * 2)")
    console.prompt(1)
    console.type("%load_ext smolcell")
    console.prompt(2)
    console.type(f"%%agent --replay {replay} -o answer", "Go.", "", "")
    for program in ("1 │ half = 21", "1 │ final_answer(half * 2)"):
        console.wait(r"Run this code\? \[a\]pprove")
        assert program in console.shown()
        console.type("a")
    console.wait("Done: 2 steps")
    console.prompt(3)
    console.type("print('it is', answer)")
    console.wait("it is 42")
    console.prompt(4)
    console.type("%agent export")
    console.prompt(5)
    console.wait("# Step 2")
    console.type("", "")
    console.wait("42")

    shown = console.shown()
    assert shown.count("Answer\n") == 1  # the record does not tell again what was told


# --- widgets by comm alone --------------------------------------------------------------------------------------------


class Manager(CardPage):
    """A widget manager that knows of a model only what comms say, all on the main shell: VS Code's, Colab's.

    Neither has the extension, neither makes subshells, and neither reads a widget's state from the notebook's file.
    """

    def ask_for_state(self) -> dict[str, Any]:
        """What a manager does that has just been made: a reloaded window, an output's new frame."""
        since = len(self.kernel.seen)
        request = self.kernel.send_comm(self.comm, {"method": "request_state"})
        told = self.kernel.until(lambda m: m.parent == request and m.type == "comm_msg", since=since)
        self.kernel.idle(request)
        assert told.content["data"]["method"] == "update"
        state: dict[str, Any] = told.content["data"]["state"]
        return state

    def updates(self) -> dict[str, Any]:
        """The traits that were set since the widget was made."""
        messages = [m for m in self.kernel.seen if m.type == "comm_msg" and m.content["comm_id"] == self.comm]
        updates = [m.content["data"]["state"] for m in messages if m.content["data"].get("method") == "update"]
        return {name: value for state in updates for name, value in state.items()}


OLDEST = [version for version in OTHERS if version == VERSIONS[0]]  # as in Colab


@pytest.mark.slow
@pytest.mark.parametrize("version", [*OLDEST, INSTALLED])
def test_a_card_lives_by_comms_on_the_main_shell_alone(version: str, tmp_path: Path) -> None:
    with AgentKernel(kernel_env(version), tmp_path) as kernel:
        cell = kernel.agent("half = 21", "final_answer(half * 2)", allow_stdin=True)
        queued = kernel.execute("after = answer")
        page = Manager(kernel, kernel.page(cell, says="").comm)
        [opened] = [m for m in kernel.seen if m.type == "comm_open" and m.content["comm_id"] == page.comm]
        page.say(type="init")
        page.say(type="ready")
        assert page.answer(1)["ok"]

        page.pending(2)  # the window is loaded again while a step waits
        state = page.ask_for_state()
        assert (state["_esm"], state["live"], state["snapshot"]) == (opened.content["data"]["state"]["_esm"], True, "")
        since = len(kernel.seen)
        page.say(type="ready")
        snapshot = kernel.until(lambda m: "snapshot" in str(m.content.get("data", {}).get("content")), since=since)
        assert snapshot.content["data"]["content"]["pending"]["step"] == 2
        assert page.answer(2)["ok"]

        kernel.ends(cell)
        kernel.ends(queued)
        updates = page.updates()
        assert updates["live"] is False
        assert json.loads(updates["snapshot"])[-1]["event"] == "Ended"
        assert page.ask_for_state()["snapshot"] == updates["snapshot"]
        record = kernel.of(cell, "display_data")[-1].content["data"]
        assert list(record) == ["text/plain", "text/html", "application/vnd.smolcell.run+json"]
        assert kernel.of(cell, "stream") == []  # no one was asked by input()


def test_the_card_s_module_needs_nothing_but_itself() -> None:
    """VS Code and Colab load it from a blob: no address and no Lab is there. The one import is of the editor, from a blob, too.

    It fetches Jupyter's name for the user, and does without if there is none.
    """
    source = (STATIC / "widget.js").read_text(encoding="utf-8")

    assert re.findall(
        r"^\s*import\b|\bimport\(|\brequire\(|\bfetch\(|XMLHttpRequest|WebSocket", source, re.MULTILINE
    ) == ["import(", "fetch("]
    assert source.count("createObjectURL(") == source.count("revokeObjectURL(") == 1
    assert re.findall(r"https?://(?!www\.w3\.org/)[\w.]+", source) == []
