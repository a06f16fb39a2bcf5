"""The sandboxes of the stand-in: made, found by their labels, given time, paused, ended."""

from __future__ import annotations

import datetime
import os
import secrets
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from e2b_service.programs import Program
from smolcell.worker.system import folders

ENVD = "0.6.13"
TEMPLATES = {"code-interpreter-v1": "nlhz8vlwyupq845jsdg9", "base": "rki5dems9wqfm4r03t7g"}
LOOK = 0.05  # seconds between two looks at the clock


class RefusedError(Exception):
    """What was asked is refused: an HTTP status, why, and when to ask again."""

    def __init__(self, status: int, message: str, after: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.after = status, message, after


class Sandbox:
    """One sandbox: a folder, an environment, programs.

    Args:
        template: its template's name.
        asked: what it is made with, as the SDK sends it.
    """

    def __init__(self, template: str, asked: Mapping[str, Any]) -> None:
        self.name, self.token = secrets.token_hex(10), secrets.token_hex(16)
        self.template, self.asked = template, asked
        self.started = datetime.datetime.now(datetime.UTC)
        self.paused = False
        self.programs: dict[int, Program] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="e2b-stand-in-"))
        self.home, self.temporary = self.folder / "user", self.folder / "tmp"
        for folder in (self.home, self.temporary):
            folder.mkdir()
            folder.chmod(0o711)
        self.folder.chmod(0o711)
        self.live(int(asked.get("timeout", 15)))

    def live(self, seconds: int) -> None:
        """Let it live for so long from now."""
        self.ends = time.monotonic() + seconds
        self.ends_at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)

    def environ(self, more: Mapping[str, str]) -> dict[str, str]:
        """What a program in it is given."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "USER": "user",
            "LOGNAME": "user",
            "TMPDIR": str(self.temporary),
            "E2B_SANDBOX": "true",
            "E2B_SANDBOX_ID": self.name,
            **self.asked.get("envVars", {}),
            **more,
        }

    def start(self, command: Sequence[str], environ: Mapping[str, str], cwd: str, stdin: bool) -> Program:
        """Start a program in it."""
        made = Program(command, self.environ(environ), self.home / cwd, stdin)
        self.programs[made.pid] = made
        return made

    def pids(self) -> list[int]:
        """The processes in it."""
        return sorted(pid for program in list(self.programs.values()) for pid in program.members())

    def pause(self) -> None:
        """Freeze it; who listens hears no more."""
        self.paused = True
        self._signal(signal.SIGSTOP)
        for program in self.programs.values():
            program.forget_all()

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)
        self.paused = False

    def _signal(self, number: int) -> None:
        for pid in self.pids():
            with suppress(OSError):
                os.kill(pid, number)

    def end(self) -> None:
        """End everything in it, and remove its folder."""
        for program in self.programs.values():
            program.end()
        folders.remove(str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)


class Cloud:
    """All sandboxes of one stand-in."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sandboxes: dict[str, Sandbox] = {}
        self._ending: set[str] = set()
        threading.Thread(target=self._look_at_clock, daemon=True).start()

    def make(self, asked: Mapping[str, Any]) -> Sandbox:
        """A new sandbox."""
        template = str(asked.get("templateID", ""))
        if template not in (*TEMPLATES, *TEMPLATES.values()):
            raise RefusedError(404, f"template '{template}' not found")
        made = Sandbox(template, asked)
        with self._lock:
            self._sandboxes[made.name] = made
        return made

    def find(self, name: str) -> Sandbox:
        """A sandbox by its name."""
        found = self._sandboxes.get(name)
        if found is None:
            raise RefusedError(404, f"sandbox '{name}' not found")
        return found

    def all(self, labels: Mapping[str, str]) -> list[Sandbox]:
        """The sandboxes that have these labels, newest first."""
        with self._lock:
            found = list(self._sandboxes.values())
        return [
            each
            for each in reversed(found)
            if all(each.asked.get("metadata", {}).get(name) == value for name, value in labels.items())
        ]

    def end(self, name: str) -> None:
        """End one, if it is there."""
        with self._lock:
            ended = self._sandboxes.pop(name, None)
            if ended is not None:
                self._ending.add(name)
        if ended is not None:
            ended.end()
            self._ending.discard(name)

    def end_all(self) -> None:
        """End all, and wait for those that others are ending."""
        for name in list(self._sandboxes):
            self.end(name)
        latest = time.monotonic() + 20
        while self._ending and time.monotonic() < latest:
            time.sleep(LOOK)

    def _look_at_clock(self) -> None:
        while True:
            time.sleep(LOOK)
            for each in self.all({}):
                if not each.paused and time.monotonic() >= each.ends:
                    self.end(each.name)
