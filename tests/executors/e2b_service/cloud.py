"""The sandboxes of the stand-in: made, given time, paused, ended."""

from __future__ import annotations

import datetime
import os
import secrets
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import stand_in
from stand_in import RefusedError

from e2b_service.programs import Program

ENVD = "0.6.13"
TEMPLATES = {"code-interpreter-v1": "nlhz8vlwyupq845jsdg9", "base": "rki5dems9wqfm4r03t7g"}
DATE = "%Y-%m-%dT%H:%M:%S.%fZ"


class Sandbox(stand_in.Sandbox):
    """One sandbox: a folder, an environment, programs.

    Args:
        asked: what it is made with, as the SDK sends it.
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self.template, self.asked = str(asked.get("templateID", "")), asked
        if self.template not in (*TEMPLATES, *TEMPLATES.values()):
            raise RefusedError(404, f"template '{self.template}' not found")
        super().__init__(secrets.token_hex(10))
        self.token, self.paused = secrets.token_hex(16), False
        self.home, self.temporary = self.folder / "user", self.folder / "tmp"
        for folder in (self.home, self.temporary):
            folder.mkdir()
            folder.chmod(0o711)
        self.live(int(asked.get("timeout", 15)))

    def live(self, seconds: int) -> None:
        """Let it live for so long from now."""
        self.ends, self.ends_at = time.monotonic() + seconds, time.time() + seconds

    def is_over(self) -> bool:
        return not self.paused and time.monotonic() >= self.ends

    def start(self, command: Sequence[str], environ: Mapping[str, str], cwd: str, stdin: bool) -> Program:
        """Start a program in it."""
        given = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "E2B_SANDBOX": "true",
            "E2B_SANDBOX_ID": self.name,
            **self.asked.get("envVars", {}),
            **environ,
        }
        made = Program(command, given, self.home / cwd, stdin)
        self.programs[made.pid] = made
        return made

    def pause(self) -> None:
        """Freeze it; who listens hears no more."""
        self.paused = True
        self._signal(signal.SIGSTOP)
        for program in self.running():
            program.forget_all()

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)
        self.paused = False

    def _signal(self, number: int) -> None:
        for pid in self.pids():
            with suppress(OSError):
                os.kill(pid, number)

    def lent(self) -> dict[str, Any]:
        """What who makes or joins it is told."""
        return {
            "templateID": TEMPLATES.get(self.template, self.template),
            "sandboxID": self.name,
            "clientID": "stand-in",
            "alias": self.template,
            "envdVersion": ENVD,
            "envdAccessToken": self.token,
            "domain": None,
        }

    def told(self, ahead: float) -> dict[str, Any]:
        """What a list says of it; and to tests, its template, and whether it was made with a network."""
        begun, given = (
            datetime.datetime.fromtimestamp(each + ahead, datetime.UTC).strftime(DATE)
            for each in (self.made, self.ends_at)
        )
        return {
            **{name: value for name, value in self.lent().items() if name not in ("envdAccessToken", "domain")},
            "startedAt": begun,
            "endAt": given,
            "cpuCount": 2,
            "memoryMB": 512,
            "diskSizeMB": 1024,
            "state": "paused" if self.paused else "running",
            "metadata": dict(self.asked.get("metadata", {})),
            "template": self.template,
            "internet": self.asked.get("allow_internet_access", self.asked.get("allowInternetAccess")),
        }
