"""Outputs that the page would refuse are not sent to it, and lie neither in the widget's state nor in the saved transcript."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import pytest
from pages import RUN, Page

from smolcell.events import Asked, Bundle, Ended, Observed, Proposed, to_json
from smolcell.views.outputs import MAX_IMAGE_CHARS, MAX_TEXT_CHARS, REFUSED, fitted


def png(width: int, height: int, more: bytes = b"") -> str:
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + header + b"\0\0\0\0" + more).decode()


GOOD = png(3, 2)
BOMB = png(30_000, 30_000)
HUGE = png(3, 2, bytes(MAX_IMAGE_CHARS * 3 // 4))
LIE = base64.b64encode(b"<script>alert(1)</script>").decode()


def fit(**data: str) -> dict[str, str]:
    named = {name.replace("__", "+").replace("_", "/"): text for name, text in data.items()}
    [output] = fitted(to_json(Observed(outputs=(Bundle(data=named),))))["outputs"]
    return dict(output["data"])


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (BOMB, "30000 by 30000 pixels"),
        (HUGE, "larger than 5 MB"),
        (LIE, "not what it claims to be, image/png"),
        ('x" onerror=alert(1)', "not base64"),
        ("", "not base64"),
    ],
    ids=["pixels", "bytes", "another type", "no base64", "nothing"],
)
def test_a_refused_image_is_replaced_by_the_reason(image: str, why: str) -> None:
    assert fit(image_png=image, text_plain="a plot") == {
        "text/plain": "a plot",
        REFUSED: json.dumps({"image/png": why}),
    }


def test_what_the_page_shows_is_sent_as_it_is() -> None:
    shown = {"image_png": GOOD, "text_plain": "a", "text_html": f"<img src='data:image/png;base64,{GOOD}'>"}

    assert fit(**shown) == {"image/png": GOOD, "text/plain": "a", "text/html": shown["text_html"]}


@pytest.mark.parametrize("image", [BOMB, BOMB[:20] + "\n " + BOMB[20:], LIE], ids=["pixels", "broken", "another type"])
def test_an_image_within_html_is_held_to_the_same(image: str) -> None:
    html = f"<IMG SRC='DATA:image/png;BASE64,{image}'><img src=data:image/png;base64,{GOOD}>"

    assert fit(text_html=html) == {"text/html": f"<IMG SRC='data:,'><img src=data:image/png;base64,{GOOD}>"}


@pytest.mark.parametrize("mime", ["text_plain", "text_html", "image_svg__xml"])
def test_a_text_that_is_too_long_is_not_sent(mime: str) -> None:
    why = {mime.replace("__", "+").replace("_", "/"): "longer than 1,000,000 characters"}

    assert fit(**{mime: "x" * (MAX_TEXT_CHARS + 1)}) == {REFUSED: json.dumps(why)}
    assert REFUSED not in fit(**{mime: "x" * MAX_TEXT_CHARS})


def test_a_type_that_the_page_does_not_know_is_named_and_not_sent() -> None:
    data = {"application/javascript": "alert(1)", "x" * 1000: "y"}
    [output] = fitted(to_json(Observed(outputs=(Bundle(data=data),))))["outputs"]
    why = "of a type that is not shown"

    assert output["data"] == {REFUSED: json.dumps({"application/javascript": why, "x" * 100: why})}


def test_a_sandbox_cannot_say_that_something_was_refused() -> None:
    [output] = fitted(to_json(Observed(outputs=(Bundle(data={REFUSED: "{}", "text/plain": "x"}),))))["outputs"]

    assert output["data"] == {"text/plain": "x"}


def test_refused_images_lie_in_no_message_no_state_and_no_transcript_and_are_told() -> None:
    page = Page()
    bundles = tuple(Bundle(data={"image/png": image, "text/plain": "a plot"}) for image in (BOMB, HUGE, LIE, GOOD))
    page.show(Asked(run=RUN, task="Plot."), Proposed(run=RUN, step=1, text="plot()"))
    page.show(Observed(run=RUN, step=1, outputs=bundles))
    page.comes()
    before: list[Any] = list(page.sent)
    page.show(Ended(run=RUN, state="stopped", steps=1))
    page.waiter.work()
    [transcript] = page.published
    everything = json.dumps([before, page.sent, page.widgets[-1].snapshot, page.published])

    assert [image in everything for image in (BOMB, HUGE, LIE, GOOD)] == [False, False, False, True]
    for why in ("30000 by 30000 pixels", "larger than 5 MB", "not what it claims to be, image/png"):
        assert f"(an image is not shown: {why})" in transcript["text/plain"]
        assert f"(an image is not shown: {why})" in transcript["text/html"]
