"""Pictures that the page draws of charts: what is taken, and what stands in the saved notebook."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest
from pages import RUN, Page
from test_fitted import BOMB, GOOD, LIE

from smolcell.events import Asked, Bundle, Ended, Observed, Proposed
from smolcell.views.card import LIBRARIES
from smolcell.views.outputs import MAX_CHART_CHARS, MAX_PICTURES_CHARS, MIME
from smolcell.worker.runner.charts import PLOTLY

CHART = {PLOTLY: '{"data": []}', "text/plain": "a figure", "text/html": "<p>a figure</p><table><td>7</td></table>"}
PICTURE = {"type": "picture", "run": RUN, "step": 1, "call": 0, "output": 1, "data": GOOD}


def shown(*more: dict[str, str]) -> Page:
    page = Page()
    outputs = tuple(Bundle(data=data) for data in ({"text/plain": "text"}, CHART, *more))
    page.show(Asked(run=RUN, task="Plot."), Proposed(run=RUN, step=1, text="plot()"))
    page.show(Observed(run=RUN, step=1, outputs=outputs))
    page.comes()
    return page


def end(page: Page) -> list[dict[str, Any]]:
    page.show(Ended(run=RUN, state="stopped", steps=1))
    page.waiter.work()
    return saved(page)


def saved(page: Page) -> list[dict[str, Any]]:
    """The outputs in the notebook, which are those of the widget's saved state."""
    page.waiter.work()
    events: Any = page.published[-1][MIME]
    assert json.loads(page.widgets[-1].snapshot) == events["events"]
    [observed] = [event for event in events["events"] if event["event"] == "Observed"]
    return [output["data"] for output in observed["outputs"]]


TEXT = {"text/plain": "a figure", "text/html": CHART["text/html"]}


def test_a_saved_notebook_has_the_picture_of_a_chart_and_not_its_specification() -> None:
    page = shown()
    page.says(PICTURE)

    assert end(page) == [{"text/plain": "text"}, {**TEXT, "image/png": GOOD}]
    assert PLOTLY in json.dumps(page.of("event"))  # the page draws it
    assert PLOTLY not in json.dumps(page.published)
    assert f'src="data:image/png;base64,{GOOD}"' in page.published[-1]["text/html"]


def test_without_a_page_a_saved_notebook_has_the_data_of_a_chart_as_a_table() -> None:
    page = shown()

    assert end(page) == [{"text/plain": "text"}, TEXT]
    assert "<td>7</td>" in page.published[-1]["text/html"]
    assert "a figure" in page.published[-1]["text/plain"]


def test_a_picture_that_comes_after_the_run_puts_a_new_record_in_the_place_of_the_first() -> None:
    page = shown()
    assert end(page) == [{"text/plain": "text"}, TEXT]
    page.says(PICTURE)
    deadline = time.monotonic() + 30
    while page.replaced == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
        page.waiter.work()

    assert saved(page) == [{"text/plain": "text"}, {**TEXT, "image/png": GOOD}]
    assert page.replaced == len(page.published) == 1


def test_a_page_that_is_loaded_again_is_given_the_specification_with_the_picture() -> None:
    page = shown()
    page.says(PICTURE)
    end(page)
    page.says({"type": "ready"})
    [seen] = [event for event in page.of("snapshot")[-1]["events"] if event["event"] == "Observed"]

    assert seen["outputs"][1]["data"] == {**CHART, "image/png": GOOD}


@pytest.mark.parametrize(
    "wrong",
    [
        {"data": BOMB},
        {"data": LIE},
        {"data": 7},
        {"data": ""},
        {"output": 0},
        {"output": 2},
        {"output": -1},
        {"output": True},
        {"output": "1"},
        {"step": 2},
        {"call": 1},
        {"run": "another"},
        {"run": None},
    ],
    ids=json.dumps,
)
def test_a_picture_that_is_none_or_of_no_chart_is_not_taken(wrong: dict[str, Any]) -> None:
    page = shown()
    page.says({**PICTURE, **wrong})

    assert end(page) == [{"text/plain": "text"}, TEXT]


def test_the_first_picture_of_a_chart_counts_and_all_pictures_are_bounded() -> None:
    large = GOOD.ljust(MAX_PICTURES_CHARS - 1000)
    page = shown(CHART)
    page.says({**PICTURE, "data": large}, PICTURE, {**PICTURE, "output": 2, "data": GOOD.ljust(2000)})

    assert end(page)[1:] == [{**TEXT, "image/png": large}, TEXT]


def test_a_chart_that_is_too_large_is_told() -> None:
    page = shown({PLOTLY: "x" * (MAX_CHART_CHARS + 1), "text/plain": "large"})

    assert "longer than 3,000,000 characters" in json.dumps(page.of("event"))
    assert "xxx" not in json.dumps(page.of("event"))


def test_the_page_is_given_the_libraries_that_it_may_have() -> None:
    page = shown()
    sent: list[bytes] = []
    page.widgets[-1].send = lambda content, buffers=None: sent.extend(buffers or ())
    for name in (*LIBRARIES, "../widget", "widget", 7, None):
        page.says({"type": "library", "name": name})
    page.waiter.work()

    assert [len(packed) < 2_500_000 for packed in sent] == [True] * len(LIBRARIES)
    assert [b"nonce" not in gzip.decompress(packed) for packed in sent[: LIBRARIES.index("editor")]] == [True, True]
