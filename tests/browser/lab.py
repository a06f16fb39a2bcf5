"""A real JupyterLab for tests, a page on one of its notebooks, and a model that says what the test tells it to."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from http_server import Handler, Server, served
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, ViewportSize, expect, sync_playwright
from waiting import PATIENCE, button, choose, press, until

LOADING = 3 * PATIENCE
"""Seconds until JupyterLab must be on a page: six of processor time on an idle machine."""
APPS = ["lab", "notebooks"]
"""The applications that a test is run in: JupyterLab and Notebook 7."""
PATH_IN_LAB = [pytest.param("lab", marks=pytest.mark.path), "notebooks"]
"""The same for a test that shows a feature."""

SIZE: ViewportSize = {"width": 1200, "height": 900}
TASK = "%%agent -o answer\nWhat is six times seven?"

ROOT = Path(__file__).resolve().parents[2]


# --- the model --------------------------------------------------------------------------------------------------------


class FakeModel:
    """An OpenAI-compatible server on this machine: gives `replies` in order, and keeps what it was shown.

    Attributes:
        replies: what it says next; a request that finds none waits for one.
        prompts: the messages of each request.
        gate: clear it to keep a reply half-said, which is a model that thinks.
    """

    def __init__(self) -> None:
        self.replies: list[str] = []
        self.prompts: list[list[dict[str, Any]]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.left = 0
        """Requests that the client broke off."""
        self._closed = False

    def says(self, *programs: str) -> None:
        """The next replies: a thought and a program each."""
        self.replies += [f"Thought: step.\n<code>\n{program}\n</code>" for program in programs]

    @property
    def last_prompt(self) -> str:
        """Everything the model was shown last, as one text."""
        return "\n".join(str(message["content"]) for message in self.prompts[-1])

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve; gives the address for ``--api-base``."""
        model = self

        class Replies(Handler):
            def do_POST(self) -> None:
                body = json.loads(self.body())
                model.prompts.append(body["messages"])
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    self._stream()
                except OSError:
                    model.left += 1

            def _stream(self) -> None:
                while not model.replies:
                    self._keep_alive()
                text = model.replies.pop(0)
                half = len(text) // 2
                self._event({"choices": [{"index": 0, "delta": {"content": text[:half]}, "finish_reason": None}]})
                while not model.gate.is_set():
                    self._keep_alive()
                self._event({"choices": [{"index": 0, "delta": {"content": text[half:]}, "finish_reason": "stop"}]})
                self._event({"choices": [], "usage": {"prompt_tokens": 120, "completion_tokens": 40}})
                self.wfile.write(b"data: [DONE]\n\n")

            def _keep_alive(self) -> None:
                """Say nothing, in a way that notices when no one listens any more."""
                self.connection.settimeout(0.1)
                try:
                    if not self.connection.recv(1) or model._closed:
                        raise ConnectionAbortedError
                except TimeoutError:
                    pass
                finally:
                    self.connection.settimeout(None)
                if model._closed:
                    raise ConnectionAbortedError

            def _event(self, data: dict[str, Any]) -> None:
                self.wfile.write(b"data: " + json.dumps({"model": "test-1", **data}).encode() + b"\n\n")
                self.wfile.flush()

        with served(Server(Replies)) as server:
            try:
                yield f"{server.url}/v1"
            finally:
                self._closed = True


# --- the server -------------------------------------------------------------------------------------------------------


class LabServer:
    """JupyterLab in a process of its own, on this machine only.

    Args:
        folder: everything it reads and writes is in here; notebooks in ``folder/root``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.token = secrets.token_hex(8)
        self.url = ""
        self.log = folder / "server.log"

    def __enter__(self) -> LabServer:
        for _ in range(3):  # JupyterLab asks for a free port, and takes it a moment later: someone may have it then
            self._start()
            if until(self._state, "JupyterLab answers", LOADING) == "answers":
                return self
            self._output.close()
        raise AssertionError(self.log_end())

    def _start(self) -> None:
        settings = self.folder / "lab"
        settings.mkdir(exist_ok=True)
        overrides = {
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
            # JupyterLab gives a kernel 1 s to complete a name, which is not enough on a busy machine
            "@jupyterlab/completer-extension:manager": {"providerTimeout": 1000 * PATIENCE},
            "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
            "@smolcell/labextension:first-steps": {"tour": False},
        }
        (settings / "overrides.json").write_text(json.dumps(overrides))
        # JupyterLab would start Node for each page that is loaded, to ask whether it should be built again
        (settings / "page_config.json").write_text(json.dumps({"buildAvailable": False, "buildCheck": False}))
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": 0,
            "ServerApp.open_browser": False,
            "ServerApp.root_dir": self.root,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": self.token,
            "LabApp.expose_app_in_browser": True,
            "JupyterNotebookApp.expose_app_in_browser": True,
            "LabApp.app_settings_dir": settings,
            "LabApp.user_settings_dir": self.folder / "user",
            "LabApp.workspaces_dir": self.folder / "workspaces",
        }
        command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
        environment = {
            **os.environ,
            "SMOLCELL_STATE_DIR": str(self.folder / "state"),
            "SMOLCELL_CONTEXT": "none",  # tests of the question choose --context ask
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "JUPYTER_PATH": str(ROOT / "share" / "jupyter"),
            "JUPYTER_CONFIG_PATH": str(ROOT / "etc" / "jupyter"),
            "JUPYTER_RUNTIME_DIR": str(self.folder / "runtime"),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        self._output = self.log.open("wb")
        self.process = subprocess.Popen(
            command, env=environment, cwd=self.root, stdout=self._output, stderr=subprocess.STDOUT
        )

    def __exit__(self, *_: object) -> None:
        try:
            for session in self.rest("GET", "sessions"):
                self.end_session(session["id"])
        finally:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self._output.close()

    def _state(self) -> str:
        """Whether JupyterLab ``answers`` or has ``ended``; empty while it starts."""
        if self.process.poll() is not None:
            return "ended"
        try:
            running = (self.folder / "runtime" / f"jpserver-{self.process.pid}.json").read_text()
            self.url = f"http://127.0.0.1:{json.loads(running)['port']}"
            return "answers" if self.rest("GET", "status") else ""
        except (OSError, json.JSONDecodeError):
            return ""

    def log_end(self) -> str:
        """What it wrote last."""
        return self.log.read_text(errors="replace")[-3000:]

    def rest(self, method: str, path: str, body: Any = None, *, api: str = "api") -> Any:
        """The server's REST API, or JupyterLab's own (``api="lab/api"``)."""
        request = urllib.request.Request(
            f"{self.url}/{api}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            text = response.read()
        return json.loads(text) if text else None

    def write(self, name: str, cells: Sequence[str]) -> Path:
        """A notebook with these code cells."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        path = self.root / name
        nbformat.write(notebook, path)
        return path

    def configure(self, plugin: str, **settings: Any) -> None:
        """Set these settings of a plugin of ours, the others as they are at first, for pages that are loaded later."""
        self.rest("PUT", f"settings/@smolcell/labextension:{plugin}", {"raw": json.dumps(settings)}, api="lab/api")

    def end_session(self, session: str) -> bool:
        """Shut a notebook's kernel down; False if that is not possible now (it is being restarted)."""
        try:
            self.rest("DELETE", f"sessions/{session}")
        except urllib.error.HTTPError as error:
            return error.code == 404
        return True

    def kernel(self, name: str) -> dict[str, Any] | None:
        """The kernel of a notebook, as the REST API tells it."""
        found = [session["kernel"] for session in self.rest("GET", "sessions") if session["path"] == name]
        return found[0] if found else None


# --- the page ---------------------------------------------------------------------------------------------------------


TIDY = """app => {
    const { shell } = window.jupyterapp;
    // JupyterLab goes on opening what was open, for a while after a page was loaded again
    const again = performance.getEntriesByType('navigation')[0].type === 'reload';
    const left = document.querySelectorAll('.jp-Dialog, .Toastify__toast').length;
    for (const area of ['main', 'down']) for (const widget of [...shell.widgets(area)]) widget.dispose();
    if (app === 'lab') {
        shell.activateById('filebrowser');
        shell.collapseRight();
    }
    return left === 0 && !again ? 'tidy' : 'something is left';
}"""
"""Close what is open, unsaved; tells if something is left, or may come, that the next test has not asked for."""

IS_OPEN = """name => {
    const widget = window.jupyterapp?.shell.currentWidget;
    return widget?.context?.path === name && widget.sessionContext?.session?.kernel?.connectionStatus === 'connected'
        && [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')].some(cell => cell.checkVisibility());
}"""

STATE = """() => JSON.stringify({
    url: location.href, document: document.readyState, application: 'jupyterapp' in window,
    shown: window.jupyterapp?.shell.currentWidget?.title.label ?? null,
    kernel: window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.connectionStatus ?? null,
    dialogs: [...document.querySelectorAll('.jp-Dialog')].map(one => one.textContent),
})"""


def new_context(browser: Browser, size: ViewportSize = SIZE, **options: Any) -> BrowserContext:
    """A browser context whose waits are as patient as the tests."""
    context = browser.new_context(viewport=size, **options)
    context.set_default_timeout(1000 * PATIENCE)
    context.set_default_navigation_timeout(1000 * LOADING)
    return context


def ask(page: Page, question: str, about: Any = None) -> str:
    """What a function on the page returns; empty if the page does not answer, where ``evaluate`` would wait for ever."""
    try:
        return str(page.wait_for_function(question, arg=about, timeout=20_000, polling=100).json_value())
    except Error:
        return ""


class Tabs:
    """Browser tabs that several tests share, one for each application: loading one takes longer than most tests.

    Args:
        browser: Playwright's.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.context = new_context(browser)
        self._kept: dict[str, Page] = {}
        self._used: dict[str, Page] = {}

    def page(self, app: str) -> Page:
        """A tab for a notebook, which is another one each time in one test."""
        page = self.context.new_page() if app in self._used else self._kept.pop(app, None) or self.context.new_page()
        self._used.setdefault(app, page)
        page.bring_to_front()
        return page

    def tidy(self, *, keep: bool) -> None:
        """After a test: the tabs are kept as they were before it; if it failed, nothing of them is."""
        if keep:
            self._kept |= {app: page for app, page in self._used.items() if ask(page, TIDY, app) == "tidy"}
            for page in self.context.pages:
                if page in self._kept.values():
                    page.unroute_all()
                else:
                    page.close()
            self.context.clear_permissions()
        else:
            self.context.close()
            self.context, self._kept = new_context(self._browser), {}
        self._used.clear()

    def close(self) -> None:
        self.context.close()


class SharedBrowser:
    """One Chromium for the tests of several files.

    Playwright's event loop counts as running in this thread as long as it is open, and then no other test could start one:
    between `in_use` blocks it does not.

    Args:
        executable: Chromium.
        flags: its options.
    """

    def __init__(self, executable: str, flags: Sequence[str]) -> None:
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        try:
            self.browser = self._playwright.chromium.launch(executable_path=executable, args=flags)
            self.tabs = Tabs(self.browser)
        except BaseException:
            self._playwright.stop()
            raise
        asyncio._set_running_loop(None)

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(None)

    def __enter__(self) -> SharedBrowser:
        return self

    def __exit__(self, *_: object) -> None:
        with self.in_use():
            self.tabs.close()
            self.browser.close()
            self._playwright.stop()


class Notebook:
    """One notebook in one browser tab.

    Args:
        page: Playwright's.
        server: where it comes from.
        name: its file.
        app: ``lab``, or ``notebooks`` for Notebook 7.
    """

    def __init__(self, page: Page, server: LabServer, name: str, app: str = "lab") -> None:
        self.page, self.server, self.name, self.app = page, server, name, app

    def open(self) -> Notebook:
        """Go to the notebook, in the JupyterLab that is on the page already if there is one, and wait until its kernel is there."""
        if self.app == "lab" and self.page.url.startswith(f"{self.server.url}/lab"):
            # neither the command's promise is waited for, which may never be kept, nor a page that hangs
            self.page.wait_for_function(
                "path => { void window.jupyterapp.commands.execute('docmanager:open', { path }); return true; }",
                arg=self.name,
            )
        else:
            path = f"lab/tree/{self.name}?reset&token=" if self.app == "lab" else f"notebooks/{self.name}?token="
            self.page.goto(f"{self.server.url}/{path}{self.server.token}", wait_until="commit")
        return self.loaded()

    def loaded(self) -> Notebook:
        try:
            self.page.wait_for_function(IS_OPEN, arg=self.name, timeout=1000 * LOADING, polling=100)
        except Error as error:
            state = ask(self.page, STATE) or "does not answer"
            raise AssertionError(
                f"{self.name} is not open; the page: {state}; the server:\n{self.server.log_end()}"
            ) from error
        return self

    def reload(self) -> Notebook:
        """What F5 does; what was not saved is given up."""
        self.page.once("dialog", lambda dialog: dialog.accept())
        self.page.reload(wait_until="commit")
        return self.loaded()

    def end_session(self) -> None:
        """Shut the kernel down, with all of its state."""
        sessions = self.server.rest("GET", "sessions")
        session = next(str(one["id"]) for one in sessions if one["path"] == self.name)
        until(lambda: self.server.end_session(session), "the kernel is gone")

    # --- cells

    def cell(self, index: int) -> Locator:
        return (
            self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')
            .or_(self.page.locator(".jp-Notebook .jp-Cell").nth(index))
            .first
        )

    def select(self, index: int) -> None:
        """Make this cell the active one."""
        self.page.evaluate("index => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = index; }", index)

    def run(self, *indexes: int) -> Card:
        """Send these cells to the kernel, without waiting for them; gives the newest card."""
        for index in indexes:
            self.select(index)
            self.command("notebook:run-cell", wait=False)
        return self.card

    def result(self, index: int) -> str:
        """Run this cell to its end; returns its text."""
        self.run(index)
        return self.ran(index)

    def run_behind(self, index: int) -> None:
        """Send this cell to the kernel without going there: what a Run All does with a cell that is out of sight."""
        self.page.evaluate(
            """index => {
                const notebook = window.jupyterapp.shell.currentWidget;
                notebook.content.widgets[index].constructor.execute(notebook.content.widgets[index], notebook.sessionContext);
            }""",
            index,
        )

    def scroll_to(self, index: int) -> None:
        self.page.evaluate(
            "index => window.jupyterapp.shell.currentWidget.content.scrollToItem(index, 'start').then(() => null)",
            index,
        )

    def run_all(self) -> None:
        """Run > Run All Cells."""
        self.command("notebook:run-all-cells", wait=False)

    def command(self, name: str, *, wait: bool = True) -> None:
        """One of the application's commands, as a menu entry or a shortcut would run it."""
        self.page.evaluate(
            "([name, wait]) => { const done = window.jupyterapp.commands.execute(name);"
            " return wait ? done.then(() => null) : null; }",
            [name, wait],
        )

    def save(self) -> None:
        """Save the file; if the page saves it by itself at the same moment, JupyterLab asks whether to overwrite that."""
        self.page.evaluate(
            "() => { window.saved = false;"
            " window.jupyterapp.commands.execute('docmanager:save').then(() => { window.saved = true; }); }"
        )
        overwrite = self.page.get_by_role("button", name="Overwrite", exact=True)
        until(
            lambda: self.page.evaluate("window.saved") or (overwrite.count() > 0 and overwrite.click()),
            "the notebook is saved",
        )

    def cells(self) -> list[dict[str, Any]]:
        """The cells as a file would hold them now."""
        found = self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells")
        return list(found)

    def source(self, index: int) -> str:
        return str(self.cells()[index]["source"])

    def has_cells(self, count: int) -> None:
        """Wait until there are so many."""
        until(lambda: len(self.cells()) == count, f"there are {count} cells")

    def text(self, index: int) -> str:
        """What a cell has put out as text: streams, errors, values."""
        return "".join(map(_text, self.cells()[index]["outputs"]))

    def ran(self, index: int, timeout: float = PATIENCE) -> str:
        """Wait until the cell is finished; returns its text."""
        until(
            lambda: self.page.evaluate(
                "index => window.jupyterapp.shell.currentWidget.content.widgets[index].model.executionState === 'idle'"
                " && window.jupyterapp.shell.currentWidget.content.widgets[index].model.executionCount !== null",
                index,
            ),
            f"cell {index} finished; its text: {self.text(index)!r}",
            timeout,
        )
        return self.text(index)

    # --- the card

    @property
    def card(self) -> Card:
        """The newest card on the page."""
        return Card(self.page.locator(".smolcell-card").last)

    def kernel(self) -> dict[str, Any]:
        found = self.server.kernel(self.name)
        assert found is not None, f"{self.name} has no kernel"
        return found

    def ask_kernel(self, code: str) -> str:
        """What a line of code prints in the notebook's kernel, past its cells (not to be used while a cell waits)."""
        got = self.page.evaluate(
            """async code => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                let text = '';
                future.onIOPub = m => {
                    if (m.header.msg_type === 'stream') text += m.content.text;
                    if (m.header.msg_type === 'error') text += m.content.traceback.join('\\n');
                };
                await future.done;
                return text;
            }""",
            code,
        )
        return str(got).strip()


class Card:
    """One run's card, by what a person sees of it."""

    def __init__(self, el: Locator) -> None:
        self.el = el

    def step(self, number: int) -> Locator:
        return self.el.locator(f'section.smolcell-step[data-step="{number}"]')

    def button(self, label: str) -> Locator:
        return button(self.el, label)

    def pending(self, number: int) -> Card:
        """Wait until this step waits for the person, and a click counts."""
        self.status(number, "pending")
        expect(self.step(number).locator(".smolcell-controls .smolcell-primary")).to_be_enabled()
        return self

    def status(self, number: int, status: str) -> Card:
        expect(self.step(number)).to_have_attribute("data-status", status)
        return self

    def link(self, link: str) -> Card:
        expect(self.el).to_have_attribute("data-link", link)
        return self

    def armed(self) -> Card:
        """Wait until a key counts."""
        expect(self.el).to_be_focused()
        expect(self.el).to_have_attribute("data-armed", "true")
        return self

    def approve(self, number: int) -> Card:
        step = self.pending(number).step(number).first
        sent = self.el.get_by_text("Sent\u2026")
        press(button(step, "Approve"), lambda: step.get_attribute("data-status") != "pending" or sent.is_visible())
        return self

    def offer(self, label: str) -> Card:
        """Choose this, one of the further choices of what waits."""
        choose(self.el, label)
        return self

    def edit(self, text: str) -> Card:
        """Put this in the place of the code, and run it."""
        self.button("Edit").click()
        self.el.get_by_role("textbox").fill(text)
        return self.offer("Run edited")

    def refuse(self, comment: str) -> Card:
        self.button("Refuse").click()
        self.el.get_by_role("textbox").fill(comment)
        return self.offer("Send refusal")

    def shows(self, text: str) -> Card:
        expect(self.el).to_contain_text(text)
        return self


def _text(output: dict[str, Any]) -> str:
    kind = output["output_type"]
    if kind == "stream":
        return _joined(output["text"])
    if kind == "error":
        return "\n".join(output["traceback"])
    return _joined(output.get("data", {}).get("text/plain", ""))


def _joined(text: Any) -> str:
    return "".join(text) if isinstance(text, list) else str(text)


New = Callable[..., Notebook]
"""The fixture ``new_notebook``."""
