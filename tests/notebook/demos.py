"""``smolcell demo`` in a process of its own, for tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest


class Demo:
    """A demo under way, in a process group of its own as a terminal would give it.

    Args:
        folder: where it is started.
        python: the environment it is installed in; this one by default.
        environment: instead of this process's own.
    """

    def __init__(self, folder: Path, *, python: Path | None = None, environment: dict[str, str] | None = None) -> None:
        command = [str(python or sys.executable), "-m", "smolcell", "demo", "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said: list[str] = []
        self.address = self._address()
        self.token = parse_qs(urlsplit(self.address).query)["token"][0]

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S*", line):
                return found[0]
        pytest.fail("the demo showed no address:\n" + "\n".join(self.said))

    def get(self, path: str, data: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            f"http://{urlsplit(self.address).netloc}{path}",
            data=None if data is None else json.dumps(data).encode(),
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def end(self, number: int) -> int:
        os.killpg(self.process.pid, number)
        status = self.process.wait(90)
        assert self.process.stdout is not None
        self.said += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        return status
