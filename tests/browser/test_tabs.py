"""The tabs that tests share: a page that opens no notebook is given to no further test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import lab
import pytest
from lab import LabServer, Notebook, Tabs
from playwright.sync_api import Browser, Page

HANGS = "() => { setTimeout(() => { while (true); }); }"
DIALOG = "() => window.jupyterapp.commands.execute('help:about') && null"


@pytest.fixture
def tabs(browser: Browser) -> Iterator[Tabs]:
    tabs = Tabs(browser)
    yield tabs
    tabs.close()


@pytest.fixture
def open_on(server: LabServer) -> Iterator[Callable[[Page], Notebook]]:
    """Opens a new notebook on a page."""
    names: list[str] = []

    def make(page: Page) -> Notebook:
        names.append(f"tab-{len(names)}.ipynb")
        server.write(names[-1], ["1 + 1"])
        return Notebook(page, server, names[-1]).open()

    yield make
    for session in server.rest("GET", "sessions"):
        if session["path"] in names:
            server.end_session(session["id"])


def test_after_a_failed_test_there_is_a_new_page(
    tabs: Tabs, open_on: Callable[[Page], Notebook], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tabs.page("lab")
    open_on(page)
    tabs.tidy(keep=True)
    assert tabs.page("lab") is page
    page.route("**/api/contents/**", lambda route: None)  # the server's answer never comes
    with monkeypatch.context() as patch, pytest.raises(AssertionError, match=r"(?s)the page: {.*the server:\n.*"):
        patch.setattr(lab, "LOADING", 3)
        open_on(page)
    tabs.tidy(keep=False)
    open_on(tabs.page("lab"))
    assert page.is_closed()


@pytest.mark.parametrize("fault", [HANGS, DIALOG], ids=["hangs", "dialog"])
def test_a_page_that_is_left_in_a_bad_state_is_not_kept(
    tabs: Tabs, open_on: Callable[[Page], Notebook], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    page = tabs.page("lab")
    open_on(page).page.evaluate(fault)
    if fault == DIALOG:
        page.locator(".jp-Dialog").wait_for()
    tabs.tidy(keep=True)
    open_on(tabs.page("lab"))
    assert page.is_closed()
