"""The sandboxes of the stand-in, and the programs in them, with everything that they have said."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from e2b_service.programs import Program
from google.protobuf.json_format import MessageToDict
from stand_in import StandIn

from smolcell.worker.system import folders

AWHILE = 1.0  # seconds that one look for something new takes at most


class Running:
    """One program: what it said, and how much of its stdin was written."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.said = {"stdout": bytearray(), "stderr": bytearray()}
        self.changed = threading.Condition()
        self.over = False
        self.written, self._writing = 0, threading.Lock()
        environ = {"PATH": os.environ["PATH"], "HOME": "/root", "TMPDIR": str(folder)}
        self.program = Program(command, environ, Path("/tmp"), stdin=True)
        threading.Thread(target=self._keep, daemon=True).start()

    def _keep(self) -> None:
        for kind, data in self.program.first.events():
            if kind in self.said:
                with self.changed:
                    self.said[kind] += data
                    self.changed.notify_all()
        with self.changed:
            self.over = True
            self.changed.notify_all()

    def after(self, kind: str, at: int) -> tuple[bytes, bool]:
        """What was said since then, and whether that is all; waits a while where it is nothing."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.said[kind]) > at or self.over, AWHILE)
            return bytes(self.said[kind][at : at + (1 << 20)]), self.over

    def wait(self) -> bool:
        """Whether it has ended, or does so in a while."""
        with self.changed:
            return self.changed.wait_for(lambda: self.over, AWHILE)

    def write(self, offset: int, data: bytes, eof: bool) -> None:
        """What was written before is not written again."""
        with self._writing:
            new = data[self.written - offset :]
            self.program.write(new) if new else None
            self.written += len(new)
            if eof:
                self.program.close_stdin()


class Sandbox:
    """One sandbox: what it was made with, its own program, and others."""

    def __init__(self, asked: Any, image: str) -> None:
        self.name, self.task = f"sb-01{secrets.token_hex(12)}", f"ta-01{secrets.token_hex(12)}V"
        self.asked, self.image = asked, image
        self.made = time.time()
        self.folder = Path(tempfile.mkdtemp(prefix="modal-stand-in-"))  # for what its programs keep
        self.folder.chmod(0o711)
        self.own = Running(list(asked.definition.entrypoint_args), self.folder)
        self.programs: dict[str, Running] = {}

    @property
    def tags(self) -> dict[str, str]:
        return {each.tag_name: each.tag_value for each in self.asked.tags}

    def told(self) -> dict[str, Any]:
        """What tests are told of it."""
        pids = {pid for each in [self.own, *list(self.programs.values())] for pid in each.program.members()}
        definition = MessageToDict(self.asked.definition, preserving_proto_field_name=True)
        return {
            "name": self.name,
            "tags": self.tags,
            "definition": definition,
            "image": self.image,
            "pids": sorted(pids),
        }

    def end(self) -> None:
        for each in [*self.programs.values(), self.own]:
            each.program.end()
        folders.remove(str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)


class Cloud(StandIn):
    """Everything that the stand-in has."""

    def __init__(self) -> None:
        super().__init__()
        self.has_app = False
        self.images: dict[str, str] = {}
        self.sandboxes: dict[str, Sandbox] = {}
        self.ended: set[str] = set()
        threading.Thread(target=self._look_at_clock, daemon=True).start()

    def told(self) -> list[dict[str, Any]]:
        return [each.told() for each in list(self.sandboxes.values())]

    def make(self, asked: Any) -> Sandbox:
        made = Sandbox(asked, self.images[asked.definition.image_id])
        self.sandboxes[made.name] = made
        return made

    def of_task(self, task: str) -> Sandbox | None:
        return next((each for each in list(self.sandboxes.values()) if each.task == task), None)

    def end(self, name: str) -> None:
        found = self.sandboxes.pop(name, None)
        if found is not None:
            self.ended.add(name)
            found.end()

    def end_all(self) -> None:
        for name in list(self.sandboxes):
            self.end(name)

    def _look_at_clock(self) -> None:
        """A sandbox ends when its time is over, or its own program has ended."""
        while True:
            time.sleep(0.1)
            for each in list(self.sandboxes.values()):
                if each.own.over or time.time() - each.made > each.asked.definition.timeout_secs:
                    self.end(each.name)
