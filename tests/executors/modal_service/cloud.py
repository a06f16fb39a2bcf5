"""The sandboxes of the stand-in, and the programs in them, with everything that they have said."""

from __future__ import annotations

import secrets
import threading
import time
from pathlib import Path
from typing import Any

import stand_in
from e2b_service.programs import Recorded
from google.protobuf.json_format import MessageToDict
from stand_in import StandIn

AWHILE = 1.0  # seconds that one look for something new takes at most


class Running(Recorded):
    """One program: what it said, and how much of its stdin was written."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.said = {"stdout": bytearray(), "stderr": bytearray()}
        self.written, self._writing = 0, threading.Lock()
        super().__init__(command, {"HOME": "/root"}, folder, stdin=True)

    def add(self, kind: str, data: bytes) -> None:
        self.said[kind] += data

    def after(self, kind: str, at: int) -> tuple[bytes, bool]:
        """What was said since then, and whether that is all; waits a while where it is nothing."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.said[kind]) > at or self.over, AWHILE)
            return bytes(self.said[kind][at : at + (1 << 20)]), self.over

    def write(self, offset: int, data: bytes, eof: bool) -> None:
        """What was written before is not written again."""
        with self._writing:
            new = data[self.written - offset :]
            self.program.write(new) if new else None
            self.written += len(new)
            if eof:
                self.program.close_stdin()


class Sandbox(stand_in.Sandbox):
    """One sandbox: what it was made with, its own program, and others. It ends when its own program does."""

    def __init__(self, asked: Any, image: str) -> None:
        super().__init__(f"sb-01{secrets.token_hex(12)}")
        self.task, self.asked, self.image = f"ta-01{secrets.token_hex(12)}V", asked, image
        self.own = Running(list(asked.definition.entrypoint_args), self.folder)

    @property
    def tags(self) -> dict[str, str]:
        return {each.tag_name: each.tag_value for each in self.asked.tags}

    def running(self) -> list[Running]:
        return [*super().running(), self.own]

    def is_over(self) -> bool:
        return self.own.over or time.time() - self.made > self.asked.definition.timeout_secs

    def told(self, ahead: float) -> dict[str, Any]:
        """What tests are told of it."""
        definition = MessageToDict(self.asked.definition, preserving_proto_field_name=True)
        return {"name": self.name, "tags": self.tags, "definition": definition, "template": self.image}


class Cloud(StandIn):
    """Everything that the stand-in has."""

    def __init__(self) -> None:
        super().__init__()
        self.has_app = False
        self.images: dict[str, str] = {}
        self.ended: set[str] = set()

    def make(self, asked: Any) -> Sandbox:
        return self.add(Sandbox(asked, self.images[asked.definition.image_id]))

    def of_task(self, task: str) -> Sandbox | None:
        return next((each for each in list(self.sandboxes.values()) if each.task == task), None)

    def end(self, name: str) -> None:
        if name in self.sandboxes:
            self.ended.add(name)
        super().end(name)
