"""A Jupyter server in a process of its own, for tests."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from processes import eventually

ROOT = Path(__file__).resolve().parents[2]


class JupyterServer:
    """A server that has smolcell's part, on a free port of its own choice.

    Args:
        folder: what it serves; its log and its runtime files lie there too.
        environment: of its process, besides what it needs.
        options: of its command line.
        start: further arguments of ``Popen``.
    """

    def __init__(self, folder: Path, environment: dict[str, str], options: dict[str, Any], **start: Any) -> None:
        self.token, self.runtime, self.log = secrets.token_hex(8), folder / "runtime", folder / "server.log"
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": 0,
            "ServerApp.open_browser": False,
            "ServerApp.root_dir": folder,
            "IdentityProvider.token": self.token,
            **options,
        }
        environment = {
            "PYTHONPATH": str(ROOT),
            "JUPYTER_CONFIG_PATH": str(ROOT / "etc" / "jupyter"),
            "JUPYTER_RUNTIME_DIR": str(self.runtime),
            **environment,
        }
        command = [sys.executable, "-m", "jupyter_server", *(f"--{name}={value}" for name, value in options.items())]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, **start)
        self.url = ""

    def __enter__(self) -> JupyterServer:
        try:
            assert eventually(self._is_ready), "the server does not answer"
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, self.log.read_text(errors="replace")[-3000:]
        for path in self.runtime.glob("jpserver-*.json"):
            try:
                self.url = json.loads(path.read_text())["url"]
                return self.ask("api/status")[0] == 200
            except (ValueError, OSError):
                return False
        return False

    def ask(self, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """The status, and what the server answered: JSON, or a text."""
        headers = {"Authorization": f"token {self.token if token is None else token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read().decode()
                is_json = "json" in answer.headers.get("Content-Type", "")
                return answer.status, json.loads(text) if is_json else text or None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(errors="replace")
