"""Whatever a sandbox or a model sends to be shown: no script of it runs, nothing of it leaves the page, nothing of it can be used."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path

import pytest
from bare import HOME, BareCard, NewCard
from lab import until
from playwright.sync_api import expect

from smolcell.events import Answered, Bundle, Delta, Fault, Observed, Proposed, Replied

EVIL = "http://evil.test"
HIT = f"(parent.hit=1,top.hit=1,window.hit=1,alert(1),fetch('{EVIL}/hit'),new Image().src='{EVIL}/img')"
SCRIPT_URL = f"javascript:{HIT}"
NESTED = base64.b64encode(f"<script>{HIT}</script>".encode()).decode()


def hostile_outputs() -> tuple[dict[str, str], dict[str, str], dict[str, dict[str, str]]]:
    """HTML, drawings, and outputs of other types, by what is hostile in them."""
    text = (Path(__file__).parent / "hostile_outputs.json").read_text(encoding="utf-8")
    for name, value in (("HIT", HIT), ("SCRIPT_URL", SCRIPT_URL), ("NESTED", NESTED), ("EVIL", EVIL)):
        text = text.replace(f"%{name}%", value)
    markup, drawings, others = json.loads(text).values()
    markup["depth"] = "<div>" * 5000 + f"<img src={EVIL}/deep.png>"
    others["an SVG that says PNG"] = {"image/png": base64.b64encode(drawings["script"].encode()).decode()}
    return markup, drawings, others


MARKUP, DRAWINGS, OTHERS = hostile_outputs()


def bundles() -> list[Bundle]:
    made = [{"text/html": markup, "text/plain": plain} for markup in MARKUP.values() for plain in ("x", "<R object>")]
    made += [{"image/svg+xml": drawing} for drawing in DRAWINGS.values()]
    return [Bundle(data=data) for data in [*made, *OTHERS.values()]]


def open_all(card: BareCard) -> None:
    card.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    wait_for_frames(card)
    card.page.wait_for_timeout(1000)


def wait_for_frames(card: BareCard) -> None:
    def loaded() -> bool:
        card.page.wait_for_timeout(100)
        return all(frame.url != "" for frame in card.page.frames)

    until(loaded, "all frames are there")


def untouched(card: BareCard) -> None:
    """Nothing ran, nothing left, nothing went anywhere."""
    wait_for_frames(card)  # one may have come since
    assert card.requests == []
    assert card.page.url == HOME
    assert [frame.url for frame in card.page.frames[1:]] == ["about:srcdoc"] * (len(card.page.frames) - 1)
    assert (
        card.page.evaluate("window.hit ?? document.querySelector('.smolcell-card [onerror], .smolcell-card a')") is None
    )
    assert len(card.page.context.pages) == 1


@pytest.mark.path
def test_hostile_outputs_run_nothing_and_ask_for_nothing(new_card: NewCard) -> None:
    card = new_card()
    dialogs: list[str] = []
    card.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    hostile = bundles()
    for step, start in enumerate(range(0, len(hostile), 24), 1):
        card.ran("show()", Observed(outputs=tuple(hostile[start : start + 24])), step=step)
    open_all(card)
    assert len(card.page.frames) > len(MARKUP)
    untouched(card)
    for frame in card.page.frames[1:]:
        for word in frame.get_by_text("click").all():
            word.click(force=True)
    card.page.wait_for_timeout(500)
    untouched(card)
    assert dialogs == []


def test_an_overlay_stays_in_its_frame(new_card: NewCard) -> None:
    card = new_card()
    card.ran("show()", Observed(outputs=(Bundle(data={"text/html": MARKUP["overlay"]}),)))
    card.wait(Proposed(run="r", step=2, text="print(1)"))
    over = card.page.evaluate(
        """() => {
            const box = document.querySelector(".smolcell-primary").getBoundingClientRect();
            return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).textContent;
        }"""
    )
    assert over.startswith("Approve")


def test_hostile_words_are_words_wherever_they_come(new_card: NewCard) -> None:
    card = new_card()
    marked = MARKUP["script"] + MARKUP["image handler"] + MARKUP["link"]
    words = f"{marked}![x]({EVIL}/t.png)\x1b]8;;{EVIL}\x07x\x1b]8;;\x07"
    card.stream(Delta(channel="reply", step=1, text=words), Delta(channel="reasoning", step=1, text=words))
    card.push(Replied(run="r", step=1, text=words, reasoning=words, note=words))
    error = Fault(kind="python", type=words, message=words, line=1, traceback=words)
    card.push(Proposed(run="r", step=1, text=words, thought=words))
    card.push(Observed(run="r", step=1, stdout=words, result=words, error=error, changed=(words,)))
    card.push(Answered(run="r", step=1, text=words))
    expect(card.el.locator(".smolcell-answer-text")).to_contain_text("<script>")
    card.push(Answered(run="r", step=1, text=words, is_text=True))
    open_all(card)
    untouched(card)
    expect(card.el.locator(".smolcell-answer-prose")).to_contain_text("<script>")


def test_what_a_model_s_markdown_names_is_neither_fetched_nor_followed(new_card: NewCard) -> None:
    links = f"[click]({EVIL}/a) [click]({SCRIPT_URL}) ![click]({EVIL}/i.png) <{EVIL}/auto> {EVIL}/bare [click][r]"
    words = f"# {links}\n\n- {links}\n\n| {links} |\n|---|\n| {links} |\n\n{MARKUP['image handler']}\n\n[r]: {EVIL}/r\n"
    card = new_card()
    for start in range(0, len(words), 7):
        card.stream(Delta(channel="reply", step=1, text=words[start : start + 7]))
    thought = card.el.locator(".smolcell-thought")
    expect(thought.locator("h5, li, th, td")).to_have_count(4)
    expect(thought.locator("a, img, [href], [src], [style], [onerror]")).to_have_count(0)
    for word in thought.locator(".smolcell-address").all():
        word.click(force=True)
    untouched(card)


def png(width: int, height: int, data: bytes) -> str:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


@pytest.mark.parametrize("inside", [False, True], ids=["by itself", "in HTML"])
def test_an_image_that_unpacks_to_billions_of_pixels_never_reaches_the_browser(new_card: NewCard, inside: bool) -> None:
    bomb, plain = png(30_000, 30_000, zlib.compress(bytes(1000))), png(8, 1, zlib.compress(b"\0\xaa"))
    card = new_card()
    for step, image in enumerate((bomb, plain), 1):
        data = {"text/html": f'<img src="data:image/png;base64,{image}">x'} if inside else {"image/png": image}
        card.ran("show()", Observed(outputs=(Bundle(data=data),)), step=step)
    open_all(card)
    shown = [image.get_attribute("src") for frame in card.page.frames for image in frame.locator("img").all()]
    assert shown == [f"data:image/png;base64,{plain}"]
