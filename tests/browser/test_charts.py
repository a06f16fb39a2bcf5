"""Charts in their frames: they are drawn, their pictures come back, and a hostile specification reaches nothing."""

from __future__ import annotations

import base64
import gzip
import io
import json
from pathlib import Path
from typing import Any

import altair
import pandas
import plotly.express
import pytest
from bare import CONTROL, HOME, BareCard, NewCard
from lab import until
from PIL import Image
from playwright.sync_api import Error, Frame

from smolcell.events import Bundle, Observed
from smolcell.worker.runner.charts import PLOTLY

HERE = Path(__file__).parent
EVIL = "http://evil.test"

VEGALITE = "application/vnd.vegalite.v6+json"
VEGA = "application/vnd.vega.v6+json"
TABLE = pandas.DataFrame({"city": ["Oslo", "Rome", "Bonn"], "people": [7, 28, 3]})
BARS = plotly.express.bar(TABLE, x="city", y="people", title="Cities").to_json()
POINTS = altair.Chart(TABLE).mark_bar().encode(x="city", y="people", color="city").properties(title="Cities").to_json()


def show(card: BareCard, mime: str, spec: str, *, step: int = 1) -> None:
    card.ran("show()", Observed(outputs=(Bundle(data={mime: spec, "text/plain": "a chart of cities"}),)), step=step)


def pictures(card: BareCard) -> list[dict[str, Any]]:
    card.page.wait_for_timeout(50)
    found = card.page.evaluate("window.sent.filter(({ type }) => type === 'picture')")
    return list(found)


def colours(data: str) -> int:
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    return len(image.convert("RGB").getcolors(1 << 24) or [])


def drawing(card: BareCard) -> Frame:
    """The frame that the last chart is drawn in."""
    return card.page.frames[-1]


@pytest.mark.parametrize(
    ("mime", "spec"),
    [pytest.param(PLOTLY, BARS, marks=pytest.mark.path), (VEGALITE, POINTS)],
    ids=["plotly", "altair"],
)
def test_a_chart_is_drawn_and_its_picture_comes_back(new_card: NewCard, mime: str, spec: str) -> None:
    card = new_card()
    show(card, mime, spec)
    [picture] = until(lambda: pictures(card), "the picture comes", 120)

    assert {**picture, "data": ""} == {"type": "picture", "run": "r", "step": 1, "call": 0, "output": 0, "data": ""}
    assert colours(picture["data"]) > 20  # a blank one has one
    frame = card.el.locator("iframe")
    assert frame.get_attribute("sandbox") == "allow-scripts"
    until(lambda: 200 < (frame.bounding_box() or {})["height"] < 600, "the frame is as high as the chart")
    assert card.requests == []
    assert drawing(card).evaluate("self.origin") == "null"


# --- hostile specifications and frames --------------------------------------------------------------------------------


FREE = """const one = document.createElement("iframe");
one.sandbox = "allow-scripts";
one.srcdoc = `<img src="${url}">`;
document.body.append(one);"""


def untouched(card: BareCard, elsewhere: Any) -> None:
    """Nothing left the page or went elsewhere; a frame of the same kind, without a policy, would have been noticed."""
    card.page.wait_for_timeout(1000)
    assert (card.requests, card.page.url, len(card.page.context.pages)) == ([], HOME, 1)
    assert card.page.evaluate("window.hit ?? null") is None
    assert elsewhere.reached == []
    card.page.evaluate(f"url => {{ {FREE} }}", EVIL + CONTROL)
    until(lambda: card.page.wait_for_timeout(50) or card.requests or elsewhere.reached, "the control is noticed")


@pytest.mark.parametrize(("mime", "library"), [(PLOTLY, "plotly"), (VEGA, "vega")], ids=["plotly", "vega"])
def test_hostile_specifications_reach_nothing(new_card: NewCard, elsewhere: Any, mime: str, library: str) -> None:
    card = new_card(height=4000)  # all frames are in sight, to be clicked
    hostile = json.loads((HERE / "hostile_charts.json").read_text(encoding="utf-8").replace("%EVIL%", EVIL))[library]
    bundles = [Bundle(data={mime: json.dumps(spec), "text/plain": "a chart"}) for spec in hostile]
    card.ran("show()", Observed(outputs=tuple(bundles)))  # in one step: of eight steps the card collapses the first
    charts, faults = card.el.locator(".smolcell-chart"), card.el.get_by_text("The chart is not drawn")

    def settled() -> bool:
        drawn = {picture["output"] for picture in pictures(card)}
        return 0 < charts.count() == len(drawn) + faults.count()

    until(settled, "the charts are drawn, or not", 120)
    for frame in card.page.frames[1:]:
        try:
            click(frame)
        except Error:
            assert frame.is_detached()  # the card has removed a chart that is not drawn
    untouched(card, elsewhere)


def click(frame: Frame) -> None:
    place = frame.locator("#chart")
    if place.is_visible():
        place.click(force=True, position={"x": 40, "y": 40})
    for word in frame.get_by_text("click").all():
        word.click(force=True)


def test_even_a_hostile_library_reaches_nothing(new_card: NewCard, elsewhere: Any) -> None:
    dialogs: list[str] = []
    card = new_card()
    card.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    code = (HERE / "hostile_library.js").read_text(encoding="utf-8").replace('url = "URL"', f'url = "{EVIL}"').encode()
    packed = gzip.compress(code)
    card.page.route("**/plotly.gz", lambda route: route.fulfill(body=packed, content_type="application/octet-stream"))
    show(card, PLOTLY, BARS)
    until(lambda: card.el.get_by_text("The chart is not drawn: <img").count(), "the frame's messages came")
    untouched(card, elsewhere)
    assert pictures(card) == []
    assert dialogs == []


def test_messages_of_others_are_not_taken_for_a_chart_s(new_card: NewCard) -> None:
    card = new_card()
    show(card, PLOTLY, BARS)
    until(lambda: pictures(card), "the picture comes")
    card.page.evaluate("window.postMessage({ fault: 'faked', height: 77 }, '*')")
    frame = "const one = document.body.appendChild(document.createElement('iframe'));"
    card.page.evaluate(
        frame + "one.srcdoc = `<script>parent.postMessage({ fault: 'faked', height: 77 }, '*')</script>`"
    )
    card.page.wait_for_timeout(500)
    assert card.el.get_by_text("faked").count() == 0
    assert len(pictures(card)) == 1


def test_a_chart_out_of_sight_is_drawn(new_card: NewCard) -> None:
    card = new_card(height=200)
    for step in range(1, 9):
        card.ran("\n".join(f"line = {n}" for n in range(30)), Observed(), step=step)
    show(card, PLOTLY, BARS, step=9)
    [picture] = until(lambda: pictures(card), "the picture comes", 120)

    assert card.page.evaluate("scrollY") == 0
    assert colours(picture["data"]) > 20
