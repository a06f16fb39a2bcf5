"""Commands that serve until their client is gone: ``smolcell demo``, ``docs`` and ``mcp``; see ``ends_with_client``.

``smolcell demo`` opens JupyterLab with the first notebook, whose model is a recording, and a tour with pictures in a second tab.

* A changed file is never overwritten.
* The person's own Jupyter configuration is neither read nor written, and nothing is fetched: it works the same everywhere.
* However the command ends, the server and its kernels end with it.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import http.server
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from smolcell.cli import stdio
from smolcell.errors import SetupError, SmolcellError
from smolcell.executors.reaper import reaper
from smolcell.machine.environment import is_installed, optional
from smolcell.models import create_model
from smolcell.models.local import check_library
from smolcell.notebook.session import Session
from smolcell.notebook.settings import effective_settings, read_options
from smolcell.worker.system.processes import kill_tree, stat

if TYPE_CHECKING:
    from smolcell.interop.mcp import Workbench

# --- A JupyterLab server for the demo: starts, watches and ends it.
#
# * It is reachable from this machine only, and only with its token, which is in no process list.
# * Its configuration, its log and its run files are in a private folder: the person's own Jupyter is neither read nor changed.
# * It has its own process session, so that Ctrl-C reaches this command first; ``close`` ends it and all its children. After a kill of
#   this command, the reaper does.


HOST = "127.0.0.1"
START_SECONDS = 180.0  # seconds; the first start after an installation compiles many files
END_SECONDS = 1.0  # seconds for the server to end its kernels, before all are killed
POLL_SECONDS = 0.1
WORKSPACE = "default-37a8.jupyterlab-workspace"  # the file's name of the workspace "default"
CHECKOUT = Path(__file__).resolve().parents[2]
"""The root of a source checkout, with share/ and etc/. For an installed package, Jupyter finds its files itself."""

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
SETTINGS = {  # of the page: no question about news, no tour, and rendered Markdown
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": VIEWER}},
    "@smolcell/labextension:first-steps": {"tour": False},
}


class Lab:
    """One JupyterLab server.

    Args:
        root: the folder that it serves.
        private: a folder for its configuration, log and run files, readable by this user only.
        port: 0 for a free one.
        tabs: notebooks and Markdown pages of ``root`` to open with the page; the first one is in front.
        model: the model of cells that name none; "" for the usual one.
    """

    def __init__(self, root: Path, private: Path, *, port: int = 0, tabs: Sequence[str] = (), model: str = "") -> None:
        self.root, self.private, self.model = root, private, model
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
        """Return the URL at which a notebook of ``root`` opens, with the token."""
        return f"http://{HOST}:{self.port}/lab/tree/{notebook}?token={self.token}"

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises:
            SetupError: the port is taken, or the server ends or does not answer; the message has the end of its log.
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
        process = stat(self._process.pid)
        self._started = process.start if process else 0
        reaper.register(self._process.pid, self.token, str(self.private))
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None:
                raise SetupError(
                    f"JupyterLab ended while starting (exit status {self._process.returncode}).{self._log_tail()}"
                )
            if time.monotonic() > deadline:
                raise SetupError(f"JupyterLab does not answer after {START_SECONDS:g} s.{self._log_tail()}")
            time.sleep(POLL_SECONDS)

    def wait(self) -> None:
        """Wait until the server ends."""
        if self._process is not None:
            self._process.wait()

    def close(self) -> None:
        """End the server, its kernels and their children. Idempotent."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            kill_tree(process.pid, self._started)
            process.wait()
        reaper.forget(self.token)

    @property
    def log(self) -> Path:
        return self.private / "jupyterlab.log"

    def _command(self) -> list[str]:
        command = [
            sys.executable,
            "-P",  # import no module from the current folder
            "-m",
            "jupyterlab",
            f"--ServerApp.port={self.port}",
            f"--ServerApp.root_dir={self.root}",
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")  # for containers; it listens on this machine only
        return command

    def _configure(self) -> Path:
        """Write the configuration. Returns its folder."""
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
        variables = dict(os.environ)
        for name in ("JUPYTER_NO_CONFIG", "JUPYTER_TOKEN_FILE"):  # both would override the configuration
            variables.pop(name, None)
        variables["JUPYTER_CONFIG_DIR"] = str(self._configure())
        variables["JUPYTER_RUNTIME_DIR"] = str(self.private / "runtime")
        variables["JUPYTER_PREFER_ENV_PATH"] = "1"  # else the person's own kernel "python3" has priority
        for name, part in (("JUPYTER_PATH", "share"), ("JUPYTER_CONFIG_PATH", "etc")):
            ours = CHECKOUT / part / "jupyter"
            if ours.is_dir():  # the checkout's build of the extension, not an installed copy
                variables[name] = os.pathsep.join(filter(None, (str(ours), variables.get(name))))
        if self.model:
            variables["SMOLCELL_MODEL"] = self.model
        variables["JUPYTER_TOKEN"] = self.token  # not on the command line, which all users of the machine can read
        return variables

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

    def _log_tail(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-15:]
        return " The end of its log:\n" + "\n".join(f"    {line}" for line in lines) if lines else ""


def workspace(tabs: Sequence[str]) -> dict[str, Any]:
    """Return JupyterLab's default workspace with these files open, the first one in front, and the list of files on the left.

    Source: the layout that JupyterLab 4 writes for such a window. It ignores keys that it does not know.
    """
    shown = {}
    for path in tabs:
        name, factory = ("markdownviewer-widget", VIEWER) if path.endswith(".md") else ("notebook", "Notebook")
        shown[f"{name}:{path}"] = {"data": {"path": path, "factory": factory}}
    dock = {"type": "tab-area", "currentIndex": 0, "widgets": list(shown)}
    files = {"collapsed": False, "visible": True, "current": "filebrowser", "widgets": ["filebrowser"]}
    layout = {"main": {"dock": dock, "current": next(iter(shown))}, "left": files}
    return {"data": {"layout-restorer:data": layout, **shown}, "metadata": {"id": "default"}}


def free_port(wanted: int) -> int:
    """Return a free port: ``wanted``, or any for 0.

    Raises:
        SetupError: the port is taken or not permitted.
    """
    with socket.socket() as trial:
        if os.name == "posix":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, wanted))
        except OSError as error:
            raise SetupError(
                f"port {wanted} cannot be used: {error.strerror or error}; leave --port out for a free one"
            ) from error
        return int(trial.getsockname()[1])


FIRST, REAL = "01-first-cell.ipynb", "11-real-model.ipynb"  # with a recorded model, and with one that answers
TOUR = "docs/tour.md"
PAGES = ("tour.md", "card.md", "front-ends.md", "img/*.png")  # pages of the documentation that link to no others
MAX_FOLDERS = 100  # numbered folders
NEEDED = ("jupyterlab", "pandas", "pyarrow", "matplotlib")
TO_END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def demo(given: argparse.Namespace) -> int:
    """Serve a copy of the first notebook, or of the one for a real model, until the person ends it. Returns the exit status.

    Raises:
        SetupError: a library is missing, the port is taken, or the folder cannot be written.
    """
    check_installed()
    if model := given.model:
        name = create_model(model).name  # connects to nothing; the error says what is missing
        if name.startswith("llamacpp/"):
            check_library(name)
    with ends_with_client(after_signal=0):
        try:
            folder = prepare(parts(), given.folder)
            with tempfile.TemporaryDirectory(prefix="smolcell-demo-") as private:
                tabs = (REAL if model else FIRST, TOUR)
                _serve(Lab(folder, Path(private), port=given.port, tabs=tabs, model=model), not given.no_browser)
        except KeyboardInterrupt:
            pass
    return 0


def _serve(lab: Lab, browser: bool) -> None:
    with lab:
        say("Starting JupyterLab (a few seconds; longer the first time) …")
        lab.start()
        address = lab.address(lab.tabs[0])
        say(f"JupyterLab answers at\n\n    {address}\n")
        if browser and open_browser(address):
            say("Your browser opens it. Run the cells one by one with Shift+Enter.")
        else:
            say("Open it in a browser on this machine. Run the cells one by one with Shift+Enter.")
        say("Ctrl-C here ends the server, its kernels and their sandboxes.")
        try:
            lab.wait()
        except KeyboardInterrupt:
            stdio.say("\nEnding JupyterLab and its kernels …")  # the terminal may be gone
            raise
        finally:
            lab.close()
    raise SmolcellError("JupyterLab was ended from its own page")


# --- files of the demo -------------------------------------------------------------------------------------------------


def check_installed() -> None:
    """Raise ``SetupError`` if the demo's libraries are missing."""
    missing = [name for name in NEEDED if not is_installed(name)]
    if missing:
        raise SetupError(
            f"the demo needs {', '.join(missing)}, which this environment lacks; "
            f"install with: {sys.executable} -m pip install 'smolcell[lab,data]'"
        )


def parts() -> dict[str, Path]:
    """Return the source of each file of the demo, in the checkout or the installed package, by its name in the demo's folder."""
    package = Path(__file__).resolve().parents[1]
    for place in (package / "demo", package.parent):
        if (place / "notebooks" / FIRST).is_file():
            course = [
                path for path in (place / "notebooks").iterdir() if path.is_file() and not path.name.startswith(".")
            ]
            pages = [path for pattern in PAGES for path in (place / "docs").glob(pattern)]
            files = {path.name: path for path in course}
            files |= {path.relative_to(place).as_posix(): path for path in pages}
            return dict(sorted(files.items()))
    raise SetupError(f"the demo's notebooks are missing beside {package}; install smolcell again")


def prepare(files: dict[str, Path], folder: Path) -> Path:
    """Copy files to ``folder``, or to the first numbered one beside it without changed files. Prints and returns the folder.

    Args:
        files: the source of each, by its name in the folder, with ``/`` between folders.
        folder: created if it is missing.
    """
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        target = next(
            place
            for place in _numbered(folder)
            if not any(_differs(source, place / name) for name, source in files.items())
        )
        new = [name for name in files if not (target / name).exists()]
        for name in new:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(files[name], target / name)
    except (OSError, StopIteration) as error:
        why = getattr(error, "strerror", None) or f"it and {MAX_FOLDERS - 1} numbered ones beside it have changed files"
        raise SetupError(
            f"{folder} cannot be written: {why}; name another with: smolcell demo --folder PATH"
        ) from error
    if target != folder:
        say(f"{folder} has files that you changed; they are kept.")
    say(f"The notebook, its table and its recorded model are in {target}{'' if new else ' (from before, unchanged)'}")
    return target


def _numbered(folder: Path) -> Iterator[Path]:
    yield folder
    for number in range(2, MAX_FOLDERS + 1):
        yield folder.with_name(f"{folder.name}-{number}")


def _differs(ours: Path, theirs: Path) -> bool:
    try:
        return theirs.is_symlink() or theirs.read_bytes() != ours.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:  # a folder of that name, or no permission: leave it alone
        return True


# --- the client --------------------------------------------------------------------------------------------------------


EXIT_SECONDS = 1.6  # seconds to end in good order once the client is gone
WATCH_SECONDS = 0.1


@contextmanager
def ends_with_client(after_signal: int = 130) -> Iterator[Callable[[], None]]:
    """Serve in this block until the client is gone: the process ends within two seconds then, whatever runs, and its sandboxes with it.

    The client is gone when a signal says so (Ctrl-C, SIGTERM, a closed terminal), when standard output has no reader any more, which
    counts as a closed terminal, or when the block calls the function that it gets.

    Args:
        after_signal: exit status of a process that does not end in good order after a signal.
    """
    status: int | None = None
    over = False

    def gone(exits: int = 0) -> None:
        nonlocal status
        status = exits if status is None else status
        gc.freeze()  # else the interpreter would check all objects once more before it ends

    def watch(output: int) -> None:
        hung_up = _hung_up(output)
        while not over and status is None:
            time.sleep(WATCH_SECONDS)
            if hung_up() and status is None:
                os.kill(os.getpid(), signal.SIGHUP)
        os.close(output)
        if status is not None:
            time.sleep(EXIT_SECONDS)
            os._exit(status)

    threading.Thread(target=watch, args=(os.dup(1),), name="smolcell-client", daemon=True).start()
    try:
        with ended_by_signals(lambda: gone(after_signal)):
            yield gone
    finally:
        over = True


def _hung_up(output: int) -> Callable[[], bool]:
    """Return a function that returns whether a pipe has no reader any more, or a terminal is closed."""
    if not hasattr(select, "poll"):  # Windows
        return lambda: False
    poll = select.poll()
    poll.register(output, 0)  # errors and hang-ups are reported unasked
    return lambda: bool(poll.poll(0))


@contextmanager
def ended_by_signals(told: Callable[[], object] = lambda: None) -> Iterator[None]:
    """End the block on SIGTERM and SIGHUP, as Ctrl-C does, after calling ``told``; a second signal is ignored, since the clean-up is in
    progress. Signals that this process was started to ignore, as by nohup, stay ignored.
    """
    ending = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        if not ending:
            ending = True
            told()
            raise KeyboardInterrupt

    numbers = [number for number in (signal.SIGINT, *TO_END) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- terminal and browser ----------------------------------------------------------------------------------------------


def open_browser(address: str) -> bool:
    """Open the URL if there is a browser with a window. Returns whether there is."""
    seen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform.startswith("linux") and not seen:
        return False  # other browsers run in the terminal
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)


# --- acp and mcp ---------------------------------------------------------------------------------------------------


def acp(given: argparse.Namespace) -> int:
    """Serve a client of the Agent Client Protocol on standard input and output, until it is gone. Returns the exit status.

    Raises:
        SetupError: the SDK is missing, or an option is not valid.
    """
    options = read_options(given)
    with optional("smolcell acp", "acp"):
        from smolcell.interop.acp import serve
    with ends_with_client() as gone, stdio.reserved() as (reading, writing):
        return serve(options, reading, writing, gone, stdio.for_a_shell)


def mcp(given: argparse.Namespace) -> int:
    """Serve until the client disconnects, or Ctrl-C; the exit status is 0.

    Raises:
        SetupError: the SDK is missing, an option is not valid, or there is no such kernel.
    """
    from smolcell.interop.mcp import Workbench

    options, kernel, http = read_options(given), given.kernel, given.http
    with optional("smolcell mcp", "mcp"):
        from smolcell.interop import mcp_server
    if kernel is not None and http is not None:
        raise SetupError("--kernel and --http exclude each other: a kernel serves HTTP itself; its cell shows the URL")
    with ends_with_client() as gone:
        if kernel is not None:
            asyncio.run(mcp_server.serve_kernel(mcp_server.find_attachment(kernel), gone))
            return 0
        settings = effective_settings(options, source="the command line")
        with closing(Workbench(Session(settings.session), settings, options=options)) as bench:
            if http is not None:
                return _serve_http(bench, http)
            asyncio.run(mcp_server.serve_stdio(mcp_server.Tools(bench).server(), gone))
    return 0


def _serve_http(bench: Workbench, port: int) -> int:
    from smolcell.interop.mcp_server import HttpServer, Tools, new_token

    token = new_token()
    with closing(HttpServer(Tools(bench).server(), token, port)) as server:
        server.start()
        stdio.say(f"smolcell: MCP at {server.url}\nsmolcell: clients send the header: Authorization: Bearer {token}")
        try:
            server.ended.result()
        except KeyboardInterrupt:
            stdio.say("smolcell: ended")
    return 0


# --- docs ----------------------------------------------------------------------------------------------------------


SITE = Path(__file__).resolve().parents[1] / "site"


class _Pages(http.server.SimpleHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log no request: the URL stays visible in the terminal."""


def show_docs(given: argparse.Namespace) -> int:
    return docs(port=given.port, browser=not given.no_browser)


def docs(*, port: int = 0, browser: bool = True, site: Path = SITE) -> int:
    """Serve the built site until its client is gone. Returns the exit status.

    Args:
        port: 0 for a free one.
        browser: open the first page.
        site: the folder of the built site.

    Raises:
        SetupError: the site is not built, or the port is taken.
    """
    if not (site / "index.html").is_file():
        raise SetupError(
            "the documentation is not built in this clone: pip install -e '.[docs]' && mkdocs build; the same pages are in docs/"
        )
    try:
        server = http.server.ThreadingHTTPServer((HOST, port), functools.partial(_Pages, directory=str(site)))
    except OSError as error:
        raise SetupError(f"port {port} cannot be used: {error.strerror}; leave --port out to take a free one") from None
    address = f"http://{HOST}:{server.server_port}/index.html"
    print(f"{address}\nCtrl-C ends it.", flush=True)
    if browser:
        webbrowser.open(address)
    with server, ends_with_client(after_signal=0):
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
