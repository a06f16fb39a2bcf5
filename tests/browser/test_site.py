"""The documentation site as it is built, in Chromium: search, first questions, narrow windows, nothing fetched from elsewhere."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from http_server import served
from lab import new_context
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[2]
NARROW = 400


class Pages(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """See ``http.server``."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; its notebooks are not run."""
    folder = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "SMOLCELL_SITE_QUICK": "1", "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=str(site)))) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The first page."""
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    yield page
    context.close()


@pytest.mark.path
@pytest.mark.parametrize(("word", "title"), [("papermill", "Troubleshooting"), ("SMOLCELL_MAX_STEPS", "Settings")])
def test_the_search_leads_to_the_page_that_explains_a_word(page: Page, word: str, title: str) -> None:
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type(word)
    result = page.locator(".md-search-result__item", has_text=title).locator("a").first
    result.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


def test_each_first_question_is_answered_one_click_from_the_first_page(page: Page) -> None:
    first = page.url
    table = page.locator("#first-questions + * table, #first-questions + table")
    links = [str(link.get_attribute("href")) for link in table.locator("tbody a").all()]
    assert len(links) == 10
    for link in links:
        page.goto(first)
        table.locator(f'a[href="{link}"]').click()
        target = link.partition("#")[2]
        heading = page.locator(f"[id='{target}']") if target else page.get_by_role("heading", level=1)
        expect(heading).to_be_in_viewport()


def test_a_bar_within_code_in_a_table_is_shown_without_a_backslash(page: Page, address: str) -> None:
    page.goto(f"{address}/reference/magics.html")
    expect(page.locator("td code", has_text="%agent grants")).to_have_text(
        "%agent grants [revoke N|all] [--session SESSION]"
    )


def test_no_page_is_wider_than_a_narrow_window(page: Page, site: Path, address: str) -> None:
    page.set_viewport_size({"width": NARROW, "height": 800})
    wide = []
    for path in sorted(site.rglob("*.html")):
        page.goto(f"{address}/{path.relative_to(site).as_posix()}", wait_until="domcontentloaded")
        if page.evaluate("document.scrollingElement.scrollWidth") > NARROW:
            wide.append(path.name)
    assert wide == []


def test_pages_fetch_nothing_from_elsewhere(browser: Browser, address: str) -> None:
    context = new_context(browser, color_scheme="dark")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html", wait_until="networkidle")
    context.close()
    assert asked and [url for url in asked if not url.startswith((f"{address}/", "data:", "blob:"))] == []
