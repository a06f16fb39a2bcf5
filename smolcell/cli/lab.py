"""A JupyterLab server of our own: started, asked, ended.

The rules this file exists to keep:

* It is reached from this machine only, and only with its token, which stands in no process list.
* Its configuration, its log and its run files are in a private folder: the person's own Jupyter is neither read nor changed.
* It sits in a session of its own, so that a Ctrl-C meets us first; ``close`` ends it and everything below it.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from smolcell.errors import SetupError
from smolcell.worker.process import kill_tree, stat

HOST = "127.0.0.1"
STARTING = 180.0  # seconds; the first start of a fresh installation compiles much
ENDING = 8.0  # seconds for the server to end its kernels; then all are killed
LOOK_AGAIN = 0.1
WORKSPACE = "default-37a8.jupyterlab-workspace"  # the file's name of the workspace "default"
CHECKOUT = Path(__file__).resolve().parents[2]
"""Where a checkout has share/ and etc/. An installed package has none beside it: its files are where Jupyter looks."""

CONFIG = {
    "LabApp": {
        "news_url": None,
        "check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate",
        "extension_manager": "readonly",
        "open_browser": False,
    },
    "ServerApp": {"ip": HOST, "port_retries": 0, "log_level": "WARN"},
}
VIEWER = "Markdown Preview"
SETTINGS = {  # of the page: it does not ask whether it may fetch news, and shows Markdown as it is meant to be read
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": VIEWER}},
}


class Lab:
    """One server.

    Args:
        root: the folder it serves.
        private: a folder for its configuration, its log and its run files; nobody else's.
        port: 0 for a free one.
        tabs: notebooks and Markdown pages of ``root`` that are open when the page comes up; the first one is in front.
    """

    def __init__(self, root: Path, private: Path, *, port: int = 0, tabs: Sequence[str] = ()) -> None:
        self.root, self.private = root, private
        self.tabs = tuple(tabs)
        self.port = port
        self.token = secrets.token_hex(24)
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def address(self, notebook: str) -> str:
        """Where a notebook of ``root`` is opened, token included."""
        return f"http://{HOST}:{self.port}/lab/tree/{notebook}?token={self.token}"

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            SetupError: the port is taken, or the server ends or stays silent; the message holds the end of its log.
        """
        self.port = free_port(self.port)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment(),
                start_new_session=True,
            )
        found = stat(self._process.pid)
        self._started = found.start if found else 0
        deadline = time.monotonic() + STARTING
        while not self._answers():
            if self._process.poll() is not None:
                raise SetupError(
                    f"JupyterLab ended while starting (exit status {self._process.returncode}).{self._told()}"
                )
            if time.monotonic() > deadline:
                raise SetupError(f"JupyterLab does not answer after {STARTING:g} s.{self._told()}")
            time.sleep(LOOK_AGAIN)

    def wait(self) -> None:
        """Wait until the server ends."""
        if self._process is not None:
            self._process.wait()

    def close(self) -> None:
        """End the server, its kernels and what they started; twice is harmless."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            kill_tree(process.pid, self._started)
            process.wait()

    @property
    def log(self) -> Path:
        return self.private / "jupyterlab.log"

    def _command(self) -> list[str]:
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            f"--ServerApp.port={self.port}",
            f"--ServerApp.root_dir={self.root}",
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")  # containers; it listens on this machine only
        return command

    def _configure(self) -> Path:
        """Write the configuration; returns its folder."""
        folder = self.private / "config"
        (folder / "labconfig").mkdir(parents=True, mode=0o700)
        (folder / "jupyter_lab_config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
        (folder / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
        if self.tabs:
            spaces = folder / "lab" / "workspaces"
            spaces.mkdir(parents=True)
            (spaces / WORKSPACE).write_text(json.dumps(workspace(self.tabs)), encoding="utf-8")
        return folder

    def _environment(self) -> dict[str, str]:
        made = dict(os.environ)
        for name in ("JUPYTER_NO_CONFIG", "JUPYTER_TOKEN_FILE"):  # both would go before what is said here
            made.pop(name, None)
        made["JUPYTER_CONFIG_DIR"] = str(self._configure())
        made["JUPYTER_RUNTIME_DIR"] = str(self.private / "runtime")
        made["JUPYTER_PREFER_ENV_PATH"] = "1"  # or a kernel "python3" that the person installed elsewhere goes first
        for name, part in (("JUPYTER_PATH", "share"), ("JUPYTER_CONFIG_PATH", "etc")):
            ours = CHECKOUT / part / "jupyter"
            if ours.is_dir():  # its own build of the extension, whatever copy is installed
                made[name] = os.pathsep.join(filter(None, (str(ours), made.get(name))))
        made["JUPYTER_TOKEN"] = self.token  # not on the command line, which every user of the machine can read
        return made

    def _answers(self) -> bool:
        request = urllib.request.Request(
            f"http://{HOST}:{self.port}/api/status", headers={"Authorization": f"token {self.token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
                return "started" in json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except (OSError, ValueError):
            return False

    def _told(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-15:]
        return " The end of its log:\n" + "\n".join(f"    {line}" for line in lines) if lines else ""


def workspace(tabs: Sequence[str]) -> dict[str, Any]:
    """JupyterLab's default workspace with these files open, the first one in front, and the list of files on the left.

    Source: the layout that JupyterLab 4 itself writes for such a window. What it does not understand it leaves out.
    """
    shown = {_shown(path): {"data": {"path": path, "factory": _factory(path)}} for path in tabs}
    dock = {"type": "tab-area", "currentIndex": 0, "widgets": list(shown)}
    files = {"collapsed": False, "visible": True, "current": "filebrowser", "widgets": ["filebrowser"]}
    layout = {"main": {"dock": dock, "current": next(iter(shown))}, "left": files}
    return {"data": {"layout-restorer:data": layout, **shown}, "metadata": {"id": "default"}}


def _factory(path: str) -> str:
    return VIEWER if path.endswith(".md") else "Notebook"


def _shown(path: str) -> str:
    """The name that JupyterLab gives to a file in a tab."""
    return f"{'markdownviewer-widget' if path.endswith('.md') else 'notebook'}:{path}"


def free_port(wanted: int) -> int:
    """A port that nobody listens on: the one wanted, or any for 0.

    Raises:
        SetupError: the port is taken or not ours to have.
    """
    with socket.socket() as trial:
        if os.name == "posix":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, wanted))
        except OSError as error:
            raise SetupError(
                f"port {wanted} cannot be had: {error.strerror or error}; leave --port out for a free one"
            ) from error
        return int(trial.getsockname()[1])
