"""One JupyterLab and one Chromium with its tabs a worker; a notebook, a model and a kernel of its own for each test.

A test that changes more of a page than its notebook asks for ``context`` (or ``configure``), and has pages of its own.
"""

from __future__ import annotations

import itertools
import socketserver
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bare import ASKED, CONTROL, BareCard
from http_server import served
from lab import FakeModel, LabServer, Notebook, SharedBrowser, new_context, until
from playwright.sync_api import Browser, BrowserContext, Error, Page

from smolcell.events import Asked, Proposed

NUMBERS = itertools.count(1)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-features="
    "LocalNetworkAccessChecks,"  # else what a frame asks of this machine is not sent, and not noticed
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",  # two pages of Chromium's own for each window, a second of processor time
]


QUICK = "test_an_approved_step_runs_and_its_answer_is_in_the_notebook"
"""The main job. All other tests here are slow: a page of JupyterLab costs seconds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if item.name != QUICK:
                item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let the fixtures know that the test failed, for their screenshots."""
    report = yield
    if report.failed:
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
    with served(Elsewhere()) as server:
        yield server


@pytest.fixture(autouse=True)
def nothing_goes_elsewhere(elsewhere: Elsewhere) -> Iterator[None]:
    elsewhere.reached.clear()
    yield
    assert [
        line for line in elsewhere.reached if CONTROL not in line
    ] == []  # the browser may ask for it twice, and late


@pytest.fixture(scope="session")
def shared_browser(chromium: str, elsewhere: Elsewhere) -> Iterator[SharedBrowser]:
    evil = f"--host-resolver-rules=MAP evil.test 127.0.0.1:{elsewhere.server_address[1]}"
    with SharedBrowser(chromium, [*FLAGS, evil]) as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(shared_browser: SharedBrowser) -> Iterator[Browser]:
    with shared_browser.in_use() as browser:
        yield browser


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


def take_pictures(context: BrowserContext, request: pytest.FixtureRequest, folder: Path) -> None:
    """If the test failed, its pages as they were, and what they wrote to their consoles."""
    for number, page in enumerate(context.pages if request.node.stash.get(FAILED, False) else ()):
        for message in page.console_messages():
            if message.type in ("warning", "error") and "to activate" not in message.text:
                print(f"{message.type}: {message.text[:1000]}")
        picture = folder / f"failed-{number}.png"
        with suppress(Error):  # of a page that hangs there is none
            page.screenshot(path=picture, timeout=20_000)
            print(f"the page as it was: {picture}")


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BrowserContext]:
    """A context of the test's own: its notebooks are on newly loaded pages."""
    context = new_context(browser)
    yield context
    take_pictures(context, request, tmp_path)
    context.close()


@pytest.fixture
def new_page(
    request: pytest.FixtureRequest, shared_browser: SharedBrowser, browser: Browser, tmp_path: Path
) -> Iterator[Callable[[str], Page]]:
    """Gives a page for an application: one that is loaded already if the test needs none of its own."""
    if {"context", "configure"} & set(request.fixturenames):
        context = request.getfixturevalue("context")
        yield lambda app: context.new_page()
        return
    tabs = shared_browser.tabs
    yield tabs.page
    try:
        take_pictures(tabs.context, request, tmp_path)
    finally:
        tabs.tidy(keep=not request.node.stash.get(FAILED, False))


@pytest.fixture
def new_card(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., BareCard]]:
    """A card without Jupyter, on a page of this size, whose run was asked and waits with these steps."""
    contexts = []

    def make(*waiting: Proposed, width: int = 900, height: int = 600, asked: Asked = ASKED, **options: Any) -> BareCard:
        contexts.append(new_context(browser, {"width": width, "height": height}))
        card = BareCard(contexts[-1].new_page(), **options)
        card.push(asked)
        for proposal in waiting:
            card.wait(proposal)
        return card

    yield make
    for context in contexts:
        take_pictures(context, request, tmp_path)
        context.close()


@pytest.fixture
def model() -> Iterator[FakeModel]:
    yield FakeModel()


@pytest.fixture
def new_notebook(
    server: LabServer, new_page: Callable[[str], Page], model: FakeModel
) -> Iterator[Callable[..., Notebook]]:
    """Opens a new notebook with these cells; its cell 0 loads smolcell and names the model."""
    names = []
    with model.serving() as address:

        def make(*cells: str, app: str = "lab", run_first: bool = True) -> Notebook:
            name = f"test-{next(NUMBERS)}.ipynb"
            first = f"%load_ext smolcell\n%agent config model=openai/test api_base={address}\nprint('ready')"
            server.write(name, [first, *cells])
            names.append(name)
            notebook = Notebook(new_page(app), server, name, app).open()
            if run_first:
                assert "ready" in notebook.result(0)
            return notebook

        yield make
        for session in server.rest("GET", "sessions"):
            if session["path"] in names:
                until(partial(server.end_session, session["id"]), "the kernel is shut down")
