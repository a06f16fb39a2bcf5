"""Nothing that comes from a sandbox moves the buttons of a waiting step, and a click on buttons that have moved does not count."""

from __future__ import annotations

import base64
import gzip
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from bare import ASKED, BareCard, NewCard
from lab import until
from PIL import Image
from playwright.sync_api import expect
from test_charts import BARS
from waiting import press

from smolcell.events import Answered, Bundle, Delta, Observed, Proposed
from smolcell.permit import permit
from smolcell.worker.runner.charts import PLOTLY

NEXT = Proposed(run="r", step=2, text="print(2)")
CALL = Proposed(run="r", step=1, call=1, kind="call", text="send(to='Ann')")
REPORT = "parent.parent.postMessage({ %s }, '*');"


def hostile_library(card: BareCard, script: str) -> None:
    """Have this script drawn in place of a chart."""
    packed = gzip.compress(script.encode())
    card.page.route("**/plotly.gz", lambda route: route.fulfill(body=packed, content_type="application/octet-stream"))


def show(card: BareCard, *bundles: dict[str, str]) -> None:
    card.ran("show()", Observed(outputs=tuple(Bundle(data=data) for data in bundles)))


def top(card: BareCard) -> int:
    """The place of Approve on the page."""
    return tops(card, 0).pop()


WATCH = """([messages, ms]) => new Promise(done => {
    messages.forEach(message => window.say(message));
    const seen = new Set(), until = performance.now() + ms;
    const look = () => {
        const node = [...document.querySelectorAll(".smolcell-controls button")].find(each => each.textContent.startsWith("Approve"));
        seen.add(Math.round(node.getBoundingClientRect().top + scrollY));
        performance.now() < until ? requestAnimationFrame(look) : done([...seen]);
    };
    requestAnimationFrame(() => requestAnimationFrame(look));  // before the first frame the steps have no size yet
})"""


def tops(card: BareCard, seconds: float = 0.8, say: Sequence[dict[str, Any]] = ()) -> set[int]:
    """The places of Approve, in whole pixels, in each frame of the page for this time after it is told this."""
    return set(card.page.evaluate(WATCH, [list(say), 1000 * seconds]))


def waits_below(card: BareCard, *bundles: dict[str, str]) -> list[dict[str, Any]]:
    """The messages about a step that made these outputs, and the next one, which waits."""
    said: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card, "say", said.append)
        show(card, *bundles)
        card.push(NEXT)
        card.pend(NEXT)
    return said


PLOT = {PLOTLY: BARS, "text/plain": "a chart"}
CHARTS = {
    "a height that comes late and changes": "let n = 0; setInterval(() => { %s }, 60);"
    % (REPORT % "height: 100 + 700 * (n++ % 2)"),
    "a late fault": "setTimeout(() => { %s }, 300);" % (REPORT % "fault: 'none'"),
    "nothing": "",
}


@pytest.mark.parametrize("script", CHARTS.values(), ids=CHARTS)
def test_a_chart_keeps_its_height_while_a_step_waits(new_card: NewCard, script: str) -> None:
    card = new_card()
    hostile_library(card, script)
    assert len(tops(card, say=waits_below(card, PLOT, PLOT))) == 1


def test_a_chart_gets_its_height_once_no_step_waits(new_card: NewCard) -> None:
    card = new_card()
    hostile_library(
        card, "addEventListener('message', () => 0); setTimeout(() => { %s }, 300);" % (REPORT % "height: 777")
    )
    show(card, PLOT)
    card.wait(NEXT)
    frame = card.el.locator("iframe")
    assert (frame.bounding_box() or {})["height"] < 500
    card.say({"type": "pending", "pending": None})
    until(lambda: (frame.bounding_box() or {})["height"] >= 777, "the frame is as high as the chart")


def picture(size: tuple[int, int], *, whole: bool = True) -> str:
    data = io.BytesIO()
    Image.effect_noise(size, 50).save(data, "PNG")
    raw = data.getvalue() if whole else data.getvalue()[:60] + bytes(4000)
    return base64.b64encode(raw).decode()


FILM = base64.b64encode(b"\0\0\0\x18ftypmp42" + bytes(2000)).decode()
LATE: dict[str, dict[str, str]] = {
    "a large image": {"image/png": picture((1200, 900))},
    "an image that ends early": {"image/png": picture((600, 500), whole=False), "text/plain": "a picture"},
    "a video that cannot be played": {"video/mp4": FILM, "text/plain": "a film\n" * 9},
    "SVG": {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='900'></svg>"},
    "HTML": {"text/html": f"<img src='data:image/png;base64,{picture((300, 800))}'>"},
}


@pytest.mark.parametrize("data", LATE.values(), ids=LATE)
def test_what_loads_late_moves_no_button(new_card: NewCard, data: dict[str, str]) -> None:
    card = new_card()
    assert len(tops(card, say=waits_below(card, data))) == 1


def test_output_of_running_code_is_drawn_after_the_question(new_card: NewCard) -> None:
    card = new_card()
    program = Proposed(run="r", step=1, text="send(to='Ann')")
    card.push(ASKED, program, permit(program, by="person"))
    card.stream(Delta(text="first\n", channel="output", run="r", step=1))
    card.wait(CALL)
    before = top(card)
    for n in range(20):
        card.stream(Delta(text=f"line {n}\n", channel="output", run="r", step=1))
    card.drawn()
    assert top(card) == before
    expect(card.el.get_by_text("line 19")).to_have_count(0)
    card.say({"type": "pending", "pending": None})
    expect(card.el.get_by_text("line 19")).to_be_visible()


def test_what_another_managed_run_does_is_drawn_after_the_question(new_card: NewCard) -> None:
    card = new_card()
    program = Proposed(run="r", step=1, text="ask(a, b)")
    card.push(ASKED, program, permit(program, by="person"))
    going = Proposed(run="r-a", step=1, text="print(1)")
    asking = Proposed(run="r-b", step=1, text="print(2)")
    card.push(replace(ASKED, run="r-a", parent="r"), going, permit(going, by="person"))
    card.push(replace(ASKED, run="r-b", parent="r"), asking)
    card.wait(asking)
    before = top(card)
    printed = Observed(run="r-a", step=1, outputs=(Bundle(data=LATE["a large image"]),), stdout="seen\n" * 40)
    card.push(printed, Answered(run="r-a", step=1, text="done\n" * 40), Proposed(run="r-a", step=2, text="print(3)"))
    card.drawn()
    assert top(card) == before
    expect(card.el.get_by_text("seen")).to_have_count(0)
    card.say({"type": "pending", "pending": None})
    expect(card.el.get_by_text("seen").first).to_be_visible()
    expect(card.el.get_by_text("print(3)")).to_be_visible()


SCROLLS = """const high = document.createElement('div');
high.style.height = '3000px';
document.body.append(high);
addEventListener('message', event => event.data === 'go' && high.scrollIntoView({block: 'end'}));"""


def test_a_click_after_a_script_in_a_frame_has_scrolled_the_page_does_not_count(new_card: NewCard) -> None:
    card = new_card(height=900)
    hostile_library(card, SCROLLS)
    for message in waits_below(card, PLOT):
        card.say(message)
    card.page.evaluate("document.querySelector('main').style.paddingBottom = '900px'; scrollTo(0, 500)")
    approve = card.button("Approve").last
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    card.el.locator("iframe").evaluate("frame => frame.contentWindow[0].postMessage('go', '*')")
    until(lambda: card.page.evaluate("scrollY") < 490, "the page is scrolled")
    box: Any = approve.bounding_box()
    card.page.mouse.click(box["x"] + 5, box["y"] + 5)
    card.drawn()
    assert card.answers == []
    press(approve, lambda: card.answers != [])


def test_a_click_on_buttons_that_have_just_moved_does_not_count(new_card: NewCard) -> None:
    """Whatever moves them, such as the output of another cell."""
    card = new_card()
    card.wait(NEXT)
    approve = card.button("Approve").last
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    card.page.evaluate("document.querySelector('main').style.paddingTop = '300px'")
    box: Any = approve.bounding_box()
    card.page.mouse.click(box["x"] + 5, box["y"] + 5)
    card.drawn()
    assert card.answers == []
    expect(card.el.get_by_text("Too early")).to_be_visible()
    press(approve, lambda: card.answers != [])


def test_a_click_after_the_person_has_scrolled_counts(new_card: NewCard) -> None:
    card = new_card(height=300)
    card.wait(Proposed(run="r", step=2, text="\n".join(f"x = {n}" for n in range(40))))
    approve = card.button("Approve").last
    card.page.mouse.move(50, 50)
    card.page.mouse.wheel(0, 5000)
    expect(approve).to_be_in_viewport()
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    card.page.mouse.wheel(0, -40)
    until(lambda: card.page.evaluate("new Promise(requestAnimationFrame).then(() => true)"), "it is scrolled")
    box: Any = approve.bounding_box()
    card.page.mouse.click(box["x"] + 5, box["y"] + 5)
    until(lambda: card.answers, "the click counts")
