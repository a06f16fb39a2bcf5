"""Cards of runs that are over are kept within bounds; of older ones the record stands in the notebook."""

from __future__ import annotations

import threading

import pytest
from ipywidgets.widgets import widget as ipywidget
from pages import Page

from smolcell.events import Asked, Ended, Proposed
from smolcell.views import widget
from smolcell.views.card import widget_class


def over(page: Page, run: str, task: str = "Count.") -> None:
    page.show(Asked(run=run, task=task), Ended(run=run, state="success", steps=0))
    page.waiter.work()


def open_runs(page: Page) -> list[str]:
    """The runs whose card can still be shown."""
    return [each.run for each in page.widgets if each.comm is not None]


def test_the_newest_cards_are_kept_and_older_ones_are_taken_from_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS", 2)
    page = Page()
    for number in range(5):
        over(page, f"run-{number}")
    assert open_runs(page) == ["run-3", "run-4"]
    assert len(page.published) == 5  # what stands in the notebook is not touched


def test_large_runs_are_kept_within_a_budget_and_the_newest_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS_CHARS", 5_000)
    page = Page()
    over(page, "small")
    over(page, "large", task="x" * 3_000)
    over(page, "larger", task="x" * 4_000)
    assert open_runs(page) == ["larger"]
    over(page, "largest", task="x" * 50_000)
    assert open_runs(page) == ["largest"]


def test_a_run_under_way_keeps_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS", 1)
    page = Page()
    page.show(Asked(run="waits", task="Count."), Proposed(run="waits", step=1, text="1"))
    for number in range(3):
        over(page, f"run-{number}")
    assert open_runs(page) == ["waits", "run-2"]


def test_a_manager_s_card_goes_with_the_runs_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS", 1)
    page = Page()
    page.show(Asked(run="top", task="Count."), Asked(run="below", task="Deeper.", parent="top", parent_step=1))
    page.show(Ended(run="below", state="success", steps=0), Ended(run="top", state="success", steps=0))
    over(page, "next")
    assert open_runs(page) == ["next"]
    page.show(Ended(run="below", state="success", steps=0))  # too late; no card comes back
    page.waiter.work()
    assert open_runs(page) == ["next"]


def test_a_run_that_begins_below_another_while_old_cards_go_is_on_its_manager_s_card() -> None:
    page = Page()
    page.show(Asked(run="top", task="Count."))
    begins = threading.Thread(target=page.show, args=[Asked(run="below", task="Deeper.", parent="top", parent_step=1)])
    with page.view._lock:  # as while the table of runs is written again
        kept = dict(page.view._runs)
        begins.start()
        begins.join(0.2)
        page.view._runs = kept
    begins.join()
    page.show(Proposed(run="below", step=1, text="1"))
    shown = [message["event"] for message in page.of("event")]
    assert [(event["event"], event["run"]) for event in shown] == [
        ("Asked", "top"),
        ("Asked", "below"),
        ("Proposed", "below"),
    ]
    assert len(page.widgets) == 1


def test_what_a_page_says_to_a_card_that_is_gone_brings_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS", 1)
    page = Page()
    over(page, "old")
    [old] = page.widgets
    over(page, "new")
    for message in ({"type": "sync"}, {"type": "record", "id": "r"}, {"type": "export", "id": "e"}):
        old._handle_custom_msg(message, [])
    page.waiter.work()
    assert open_runs(page) == ["new"]
    assert len(page.widgets) == 2


def test_a_card_that_is_gone_leaves_no_widget_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MAX_CARDS", 1)
    page = Page()
    over(page, "first")
    kept = len(ipywidget._instances)
    for number in range(10):
        over(page, f"run-{number}")
    assert len(ipywidget._instances) == kept


def test_widgets_share_a_class() -> None:
    """A class for each widget is 20 kB that stay in the kernel."""
    one, other = widget_class()(), widget_class()()
    try:
        assert type(one) is type(other) is widget_class()
        state = one.get_state()
        assert len(state["_esm"]) > 10_000
        assert len(state["_css"]) > 1_000
        assert state["_anywidget_id"] == "smolcell.views.card.RunWidget"
    finally:
        one.close()
        other.close()
