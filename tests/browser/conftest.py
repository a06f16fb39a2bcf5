"""One JupyterLab and one Chromium a session; a notebook, a model and a kernel of its own for each test."""

from __future__ import annotations

import itertools
import socketserver
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bare import BareCard
from lab import FakeModel, LabServer, Notebook, until
from playwright.sync_api import Browser, BrowserContext, sync_playwright

NUMBERS = itertools.count(1)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
FLAGS += [
    "--disable-features=LocalNetworkAccessChecks"
]  # else what a frame asks of this machine is not sent, and not noticed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let the fixtures know that the test failed, for their screenshots."""
    report = yield
    if report.when == "call" and report.failed:
        item.stash[FAILED] = True
    return report


FAILED = pytest.StashKey[bool]()


class Elsewhere(socketserver.ThreadingTCPServer):
    """What ``evil.test`` leads to. Playwright does not see every request of a frame without an origin; this server does.

    Attributes:
        reached: the first line of each request.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Elsewhere.Heard)
        self.reached: list[str] = []

    class Heard(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            if line := self.rfile.readline(1000):  # a browser also opens connections that it may never use
                self.server.reached.append(line.decode("latin-1").strip())  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[Elsewhere]:
    with Elsewhere() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def nothing_goes_elsewhere(elsewhere: Elsewhere) -> Iterator[None]:
    elsewhere.reached.clear()
    yield
    assert elsewhere.reached == []


@pytest.fixture(scope="module")  # Playwright's loop runs in this thread while it is open: no other test could start one
def browser(chromium: str, elsewhere: Elsewhere) -> Iterator[Browser]:
    evil = f"--host-resolver-rules=MAP evil.test 127.0.0.1:{elsewhere.server_address[1]}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, evil])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with LabServer(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture
def configure(server: LabServer) -> Iterator[Callable[..., None]]:
    """Changes settings of the extension for pages that are opened from then on; after the test all are as they were."""
    changed = set()

    def change(plugin: str, **settings: Any) -> None:
        changed.add(plugin)
        server.configure(plugin, **settings)

    yield change
    for plugin in changed:
        server.configure(plugin)


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context
    if request.node.stash.get(FAILED, False):
        for number, page in enumerate(context.pages):
            picture = tmp_path / f"failed-{number}.png"
            page.screenshot(path=picture)
            print(f"the page as it was: {picture}")
    context.close()


@pytest.fixture
def new_card(browser: Browser) -> Iterator[Callable[..., BareCard]]:
    """A card without Jupyter, on a page of this size."""
    contexts = []

    def make(width: int = 900, height: int = 600, **options: Any) -> BareCard:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}))
        return BareCard(contexts[-1].new_page(), **options)

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def model() -> Iterator[FakeModel]:
    yield FakeModel()


@pytest.fixture
def new_notebook(server: LabServer, context: BrowserContext, model: FakeModel) -> Iterator[Callable[..., Notebook]]:
    """Opens a new notebook with these cells; its cell 0 loads smolcell and names the model."""
    names = []
    with model.serving() as address:

        def make(*cells: str, app: str = "lab", run_first: bool = True) -> Notebook:
            name = f"test-{next(NUMBERS)}.ipynb"
            first = f"%load_ext smolcell\n%agent config model=openai/test api_base={address}\nprint('ready')"
            server.write(name, [first, *cells])
            names.append(name)
            notebook = Notebook(context.new_page(), server, name, app).open()
            if run_first:
                notebook.run(0)
                assert "ready" in notebook.ran(0)
            return notebook

        yield make
        for session in server.rest("GET", "sessions"):
            if session["path"] in names:
                until(partial(server.end_session, session["id"]), "the kernel is shut down")
