"""Agent cells for tests: in a plain shell, and in real kernels with a page that sees the card and answers."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import commands
from IPython.core.interactiveshell import InteractiveShell
from kernels import PATIENCE, KernelClient, Message

import smolcell

LOAD = """from smolcell.views.widget import WidgetView
WidgetView.__init__.__kwdefaults__.update(grace={0}, grace_stdin={0})
%unload_ext smolcell
%load_ext smolcell"""
"""Loads smolcell, whose cells wait so many seconds for their page."""
RECORD = "application/vnd.smolcell.run+json"

Json = dict[str, Any]


def recording(path: Path, *programs: str, task: str = "Go.") -> Path:
    """A recording, written by hand, of a model that proposes these programs."""
    return commands.recording(path, task, *programs)


# --- no kernel --------------------------------------------------------------------------------------------------------


@contextmanager
def plain_shell() -> Iterator[InteractiveShell]:
    """A shell without smolcell; what is loaded into it is unloaded at the end."""
    made = InteractiveShell()
    try:
        yield made
    finally:
        smolcell.unload_ipython_extension(made)
        made.history_manager.end_session()
        made.restore_sys_module_state()


class Notebook:
    """A shell with smolcell: no kernel and no page.

    Args:
        shell: the shell; smolcell is loaded.
        folder: for recordings.

    Attributes:
        variables: of the notebook.
    """

    def __init__(self, shell: InteractiveShell, folder: Path) -> None:
        smolcell.load_ipython_extension(shell)
        self.shell, self.variables, self._folder = shell, shell.user_ns, folder
        self._made = 0

    @property
    def magics(self) -> Any:
        """The magics, with the sessions."""
        return self.shell._smolcell.magics

    @property
    def cards(self) -> Any:
        """What the page's messages reach."""
        return self.shell._smolcell.cards

    def replay(self, *programs: str, task: str = "Go.") -> Path:
        """A new recording of a model that proposes these programs."""
        self._made += 1
        return recording(self._folder / f"replay-{self._made}.jsonl", *programs, task=task)

    def cell(self, *programs: str, line: str = "", task: str = "Go.") -> str:
        """Run an agent cell whose model proposes these programs; returns what it printed."""
        return self.agent(f"--replay {self.replay(*programs, task=task)} -a auto {line}", task)

    def agent(self, line: str, task: str = "Go.") -> str:
        """Run an agent cell with this line."""
        with redirect_stdout(io.StringIO()) as printed:
            self.shell.run_cell_magic("agent", line, task)
        return printed.getvalue()

    def magic(self, words: str) -> str:
        """Run ``%agent`` with these words; returns what it printed."""
        with redirect_stdout(io.StringIO()) as printed:
            self.shell.run_line_magic("agent", words)
        return printed.getvalue()


# --- a kernel ---------------------------------------------------------------------------------------------------------


class AgentKernel(KernelClient):
    """A kernel with smolcell loaded.

    Args:
        python: The Python that runs it.
        folder: For its own files.
    """

    def __init__(self, python: str, folder: Path) -> None:
        super().__init__(python, folder)
        self._made = 0

    def __enter__(self) -> AgentKernel:
        super().__enter__()
        self.run(LOAD.format(PATIENCE))
        return self

    @property
    def pid(self) -> int:
        return int(self.manager.provisioner.pid)  # type: ignore[union-attr]

    def agent(self, *programs: str, line: str = "-o answer", folder: Path | None = None, **options: Any) -> str:
        """Send an agent cell whose model proposes these programs; returns its message id, and does not wait."""
        self._made += 1
        replay = recording((folder or self.folder) / f"replay-{self._made}.jsonl", *programs)
        return self.execute(f"%%agent --replay {replay} {line}\nGo.", **options)

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """Cells that begin meanwhile do not wait long for a page that is not there."""
        self.run(LOAD.format(0.1))
        yield
        self.run(LOAD.format(PATIENCE))

    def page(self, cell: str, subshell: str | None = None, *, says: str = "ready") -> CardPage:
        """Wait for a cell's card; a page for it that says it is there."""
        opened = self.until(
            lambda m: m.type == "comm_open" and m.parent == cell and "_esm" in m.content["data"].get("state", {})
        )
        page = CardPage(self, opened.content["comm_id"], subshell)
        if says:
            page.say(type=says)
        return page

    def ends(self, cell: str, status: str = "ok") -> Message:
        """Wait for a cell's end, which must be this."""
        reply = self.reply(cell)
        self.idle(cell)
        assert reply.content["status"] == status, reply.content
        return reply

    def record(self, cell: str) -> Json:
        """The newest record of a cell; without a page it stands in the card's place."""
        shown = [m.content["data"] for kind in ("display_data", "update_display_data") for m in self.of(cell, kind)]
        records: list[Json] = [data for data in shown if RECORD in data]
        return records[-1]


class CardPage:
    """One card, as a page has it: it hears custom messages and sends some."""

    def __init__(self, kernel: KernelClient, comm: str, subshell: str | None = None) -> None:
        self.kernel, self.comm, self.subshell = kernel, comm, subshell
        self._answers = 0

    def say(self, **content: Any) -> str:
        return self.kernel.send_comm(self.comm, {"method": "custom", "content": content}, subshell=self.subshell)

    def _of(self, message: Message) -> Json:
        """What a message tells this card; nothing if it is not for it."""
        if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
            return {}
        return message.content["data"].get("content") or {}

    def heard(self) -> list[Json]:
        """What the kernel has told this card so far."""
        return [content for message in self.kernel.seen if (content := self._of(message))]

    def wait(self, find: Callable[[Json], Any]) -> Any:
        """Wait until this finds something in what the kernel tells the card; returns it."""
        return find(self._of(self.kernel.until(lambda message: bool(find(self._of(message))))))

    def until(self, kind: str, **fields: Any) -> Json:
        """Wait for a message of this type with these fields."""
        wanted = {"type": kind, **fields}.items()
        found: Json = self.wait(lambda content: content if wanted <= content.items() else None)
        return found

    def pending(self, step: int) -> Json:
        """Wait until this step waits for an answer; returns run, step and fingerprint."""
        return self._pending(step=step)

    def waits(self, proposed: Json) -> Json:
        """Wait until what an event proposed waits for its answer, which is a moment after the event; returns what an answer names."""
        return self._pending(fingerprint=proposed["fingerprint"])

    def _pending(self, **fields: Any) -> Json:
        def find(content: Json) -> Json | None:
            waiting: Json = content.get("pending") or {}
            return waiting if fields.items() <= waiting.items() else None

        found: Json = self.wait(find)
        return found

    def answer(self, step: int, choice: str = "approve", **fields: Any) -> Json:
        """Answer the step as soon as it waits; returns the kernel's verdict."""
        return self.send({**self.pending(step), "choice": choice, **fields})

    def send(self, answer: Json) -> Json:
        """Send this answer; returns the verdict."""
        self._answers += 1
        name = f"answer-{self._answers}"
        self.say(type="answer", id=name, **answer)
        return self.until("verdict", id=name)

    def event(self, name: str, **fields: Any) -> Json:
        """Wait for an event; returns it."""
        wanted = {"event": name, **fields}.items()

        def find(content: Json) -> Json | None:
            event: Json = content.get("event") or {}
            return event if wanted <= event.items() else None

        found: Json = self.wait(find)
        return found

    def printed(self, text: str) -> None:
        """Wait until the code has put this out while it runs."""

        def find(content: Json) -> bool:
            delta = content.get("delta") or {}
            return delta.get("channel") == "output" and text in delta["text"]

        self.wait(find)
