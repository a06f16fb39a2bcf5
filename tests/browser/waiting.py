"""Waits of the tests of pages: patient, because the machine may be busy with other things."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from playwright.sync_api import Error, Locator, expect
from processes import PATIENCE, eventually

T = TypeVar("T")
expect.set_options(timeout=1000 * PATIENCE)


def until(what: Callable[[], T], why: str, timeout: float = PATIENCE) -> T:
    """Poll until `what()` is true; returns it."""
    value = eventually(what, timeout)
    assert value, f"not within {timeout:g} s: {why}"
    return value


def button(place: Locator, label: str) -> Locator:
    return place.get_by_role("button", name=label, exact=True)


def press(what: Locator, took: Callable[[], bool]) -> None:
    """Click until it has been taken: on a busy machine the window may only just have got its focus, or the page moves."""

    def pressed() -> bool:
        with suppress(Error):
            what.click(timeout=5_000)
        for _ in range(30):
            if took():
                return True
            what.page.wait_for_timeout(100)
        return False

    until(pressed, f"a click on {what} is taken")


def choose(place: Locator, label: str) -> None:
    """Press a button of what waits in this place."""
    choice = button(place.locator(".smolcell-controls"), label).first
    choice.wait_for()
    shown = choice.element_handle()
    press(choice, lambda: not shown.is_visible())
