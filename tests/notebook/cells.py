"""A kernel with smolcell loaded, and a page for its cards that is a protocol client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernels import KernelClient, Message

PATIENCE = 30.0
"""Seconds until a test gives up: the machine may be busy with other things."""

GRACE = """import json
from smolcell.views.widget import WidgetView
WidgetView.__init__.__kwdefaults__.update({})
print(json.dumps({{name: value for name, value in WidgetView.__init__.__kwdefaults__.items() if name.startswith("grace")}}))"""
"""Sets how many seconds a cell waits for its page, and prints what holds."""

Json = dict[str, Any]


def recording(path: Path, *programs: str, task: str = "Go.") -> Path:
    """A recording, written by hand, of a model that proposes these programs."""
    lines: list[Json] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": task, "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


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
        self.run("%load_ext smolcell", PATIENCE)
        return self

    @property
    def pid(self) -> int:
        return int(self.manager.provisioner.pid)  # type: ignore[union-attr]

    def agent(self, *programs: str, line: str = "-o answer", folder: Path, **options: Any) -> str:
        """Send an agent cell whose model proposes these programs; returns its message id, and does not wait."""
        self._made += 1
        replay = recording(folder / f"replay-{self._made}.jsonl", *programs)
        return self.execute(f"%%agent --replay {replay} {line}\nGo.", **options)

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """Cells that begin meanwhile do not wait long for a page that is not there."""
        kept = json.loads(self.run(GRACE.format("{}"), PATIENCE))
        self.run(GRACE.format({"grace": 0.2, "grace_stdin": 0.2}))
        yield
        self.run(GRACE.format(kept))

    def page(self, cell: str, subshell: str | None = None, *, says: str = "ready") -> CardPage:
        """Wait for a cell's card; a page for it that says it is there."""
        opened = self.until(
            lambda m: m.type == "comm_open" and m.parent == cell and "_esm" in m.content["data"].get("state", {}),
            PATIENCE,
        )
        page = CardPage(self, opened.content["comm_id"], subshell)
        if says:
            page.say(type=says)
        return page

    def ends(self, cell: str, status: str = "ok") -> Message:
        """Wait for a cell's end, which must be this."""
        reply = self.reply(cell, PATIENCE)
        self.idle(cell, PATIENCE)
        assert reply.content["status"] == status, reply.content
        return reply


class CardPage:
    """One card, as a page has it: it hears custom messages and sends some."""

    def __init__(self, kernel: KernelClient, comm: str, subshell: str | None) -> None:
        self.kernel, self.comm, self.subshell = kernel, comm, subshell
        self._answers = 0

    def say(self, **content: Any) -> str:
        return self.kernel.send_comm(self.comm, {"method": "custom", "content": content}, subshell=self.subshell)

    def heard(self) -> list[Json]:
        """What the kernel has told this card so far."""
        data = [
            m.content["data"] for m in self.kernel.seen if m.type == "comm_msg" and m.content["comm_id"] == self.comm
        ]
        return [message["content"] for message in data if message.get("method") == "custom"]

    def until(self, kind: str, **fields: Any) -> Json:
        """Wait for a message of this type with these fields."""

        def fits(message: Message) -> bool:
            if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
                return False
            content = message.content["data"].get("content") or {}
            return content.get("type") == kind and fields.items() <= content.items()

        found: Json = self.kernel.until(fits, PATIENCE).content["data"]["content"]
        return found

    def pending(self, step: int) -> Json:
        """Wait until this step waits for an answer; returns run, step and fingerprint."""

        def of(message: Message) -> Json | None:
            if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
                return None
            waiting = (message.content["data"].get("content") or {}).get("pending")
            return waiting if waiting and waiting["step"] == step else None

        found = of(self.kernel.until(lambda m: of(m) is not None, PATIENCE))
        assert found is not None
        return found

    def waits(self, proposed: Json) -> Json:
        """Wait until what an event proposed waits for its answer, which is a moment after the event; returns what an answer names."""

        def of(message: Message) -> Json | None:
            if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
                return None
            waiting: Json | None = (message.content["data"].get("content") or {}).get("pending")
            return waiting if waiting and waiting["fingerprint"] == proposed["fingerprint"] else None

        found = of(self.kernel.until(lambda m: of(m) is not None, PATIENCE))
        assert found is not None
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

        def fits(message: Message) -> bool:
            if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
                return False
            event = (message.content["data"].get("content") or {}).get("event") or {}
            return event.get("event") == name and fields.items() <= event.items()

        found: Json = self.kernel.until(fits, PATIENCE).content["data"]["content"]["event"]
        return found

    def printed(self, text: str) -> None:
        """Wait until the code has put this out while it runs."""

        def fits(message: Message) -> bool:
            if message.type != "comm_msg" or message.content["comm_id"] != self.comm:
                return False
            delta = (message.content["data"].get("content") or {}).get("delta") or {}
            return delta.get("channel") == "output" and text in delta["text"]

        self.kernel.until(fits, PATIENCE)
