"""The card alone in a real browser: what a person sees, what counts as an answer, and what keys do."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from axe import violations
from bare import STATIC, BareCard, NewCard
from lab import until
from playwright.sync_api import Locator, expect

from smolcell.events import (
    Answered,
    Boundary,
    Delta,
    Ended,
    Observed,
    Offer,
    Proposed,
)
from smolcell.permit import permit

CARD = ".smolcell-card"
KIND = "Approve code while the sandbox is isolated, in this session"
REST = "Approve the rest of this run"
ISOLATED = Boundary(sandbox="s", where="here", isolated=True)


# What JupyterLab's own themes set, as far as the card reads it.
LIGHT = """:root { --jp-ui-font-color1: rgba(0,0,0,.87); --jp-ui-font-color2: rgba(0,0,0,.54); --jp-border-color2: #e0e0e0;
--jp-layout-color0: #fff; --jp-layout-color1: #fff; --jp-cell-editor-background: #f5f5f5; --jp-ui-font-size1: 13px; }"""
DARK = """:root { --jp-ui-font-color1: #fff; --jp-ui-font-color2: rgba(255,255,255,.7); --jp-border-color2: #616161;
--jp-layout-color0: #111; --jp-layout-color1: #212121; --jp-cell-editor-background: #212121; --jp-ui-font-size1: 13px; }"""


def proposed(text: str, step: int = 1) -> Proposed:
    return Proposed(run="r", step=step, text=text, boundary=ISOLATED)


# --- what was on the screen ---------------------------------------------------------------------------------------------


@pytest.mark.path
def test_code_that_fits_is_seen_at_once_and_its_kind_can_be_approved(new_card: NewCard) -> None:
    card = new_card(proposed("x = 1\nprint(x)"))
    assert card.answer(KIND)["choice"] == "approve_kind"
    expect(card.el.locator(".smolcell-unread")).to_be_hidden()


def test_without_walls_the_reason_to_ask_is_shown_and_code_is_not_approved_for_the_session(new_card: NewCard) -> None:
    why = "Approval is risky, and the sandbox is not isolated (missing: files): every step is asked about."
    card = new_card(replace(proposed("x = 1"), boundary=replace(ISOLATED, isolated=False), why=why))
    expect(card.el.locator(".smolcell-controls")).to_contain_text(why)
    expect(card.button("Approve the rest of this run")).to_be_visible()
    expect(card.button(KIND)).to_have_count(0)


def test_a_person_is_told_which_lines_were_never_on_the_screen(new_card: NewCard) -> None:
    card = new_card(proposed("\n".join(f"x{n} = {n}" for n in range(1, 121))))
    unread = card.el.locator(".smolcell-unread")
    card.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(unread).to_contain_text("of 120 have not been on your screen")
    for name in (KIND, REST):
        expect(card.button(name)).to_have_count(0)

    def seen() -> bool:
        if unread.is_hidden():
            return True
        card.button("Show it").click()
        card.page.wait_for_timeout(100)
        card.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        return False

    until(seen, "all lines were on the screen")
    for name in (KIND, REST):
        expect(card.button(name)).to_be_enabled()


COVER = """style => {
    const cover = document.createElement("div");
    cover.id = "cover";
    cover.style = `position: fixed; inset: 0 0 auto 0; background: white; ${style}`;
    const code = document.querySelector(".smolcell-code");
    cover.style.height = `${code.getBoundingClientRect().bottom}px`;
    document.body.append(cover);
}"""
OLDER = "delete IntersectionObserverEntry.prototype.isVisible"  # what other browsers than Chromium have


@pytest.mark.parametrize(
    ("style", "browser_is"),
    [("", ""), ("pointer-events: none", ""), ("", OLDER)],
    ids=["over it", "lets clicks through", "older browser"],
)
def test_code_below_something_else_has_not_been_seen(new_card: NewCard, style: str, browser_is: str) -> None:
    card = new_card()
    card.page.evaluate(browser_is)
    step = proposed("x = 1\nprint(x)")
    card.push(step)
    card.page.evaluate(COVER, style)
    card.pend(step)
    expect(card.button("Approve")).to_be_enabled()
    card.page.wait_for_timeout(700)
    expect(card.el.locator(".smolcell-unread")).to_contain_text("None of the 2 lines has been whole on your screen.")
    for name in (KIND, REST):
        expect(card.button(name)).to_have_count(0)
    card.page.evaluate("document.querySelector('#cover').remove()")
    expect(card.el.locator(".smolcell-unread")).to_be_hidden()
    for name in (KIND, REST):
        expect(card.button(name)).to_be_enabled()


@pytest.mark.parametrize("cover", [False, True], ids=["in sight", "covered"])
@pytest.mark.parametrize("browser_is", ["", OLDER], ids=["newer browser", "older browser"])
def test_a_line_taller_than_its_window_is_seen_piece_after_piece(
    new_card: NewCard, browser_is: str, cover: bool
) -> None:
    card = new_card(width=500, height=500)
    card.page.evaluate(browser_is)
    card.page.evaluate(
        """() => {
            const place = document.querySelector(".place");
            place.style.height = "250px";
            for (const [bar, height] of [["before", 80], ["after", 300]]) {  // as Lab's own bars stand around a notebook
                const node = document.createElement("div");
                node.style = `position: relative; z-index: 9; height: ${height}px; background: silver;`;
                place[bar](node);
            }
        }"""
    )
    card.wait(proposed("x = '" + "a" * 3000 + "'"))
    if cover:
        card.page.evaluate(COVER, "")
        card.page.evaluate("document.querySelector('#cover').style.height = '200px'")
    unread = card.el.locator(".smolcell-unread")

    def read_through() -> bool:
        for top in range(0, 1600, 100):
            card.page.evaluate("top => { document.querySelector('.place').scrollTop = top; }", top)
            card.page.wait_for_timeout(150)
        return cover or unread.is_hidden()  # a busy machine draws too seldom for once

    until(read_through, "all of the line was on the screen")
    expect(unread).to_be_visible(visible=cover)
    expect(card.button(REST)).to_have_count(0 if cover else 1)


def test_a_line_is_broken_and_none_of_it_is_out_of_sight_to_the_right(new_card: NewCard) -> None:
    card = new_card(proposed("x = 1" + " " * 400 + "; y = '" + "a" * 600 + "'\n\tz = 2"), width=500)
    sticking_out = card.page.evaluate(
        """() => {
            const right = document.querySelector(".smolcell-code").getBoundingClientRect().right;
            const range = document.createRange();
            return [...document.querySelectorAll(".smolcell-source")].flatMap(line => {
                range.selectNodeContents(line);
                return [...range.getClientRects()].filter(rect => rect.right > right + 1);
            }).length;
        }"""
    )
    assert sticking_out == 0
    expect(card.el.locator(".smolcell-hidden-char")).to_have_text("\\t")


def test_the_end_of_what_is_printed_is_followed_unless_the_person_reads_further_up(new_card: NewCard) -> None:
    card = new_card()
    step = proposed("loop()")
    card.push(step, permit(step, by="person"))
    printed = card.el.locator(".smolcell-printed")
    place = "one => Math.abs(one.scrollHeight - one.clientHeight - one.scrollTop) < 5"
    for number in range(3):
        card.stream(Delta(channel="output", step=1, text=f"line {number}\n" * 100))
        card.page.wait_for_function(f"({place})(document.querySelector('.smolcell-printed'))")
    printed.evaluate("one => { one.scrollTop = 50; }")
    card.drawn()
    card.stream(Delta(channel="output", step=1, text="more\n" * 100))
    card.drawn()
    assert printed.evaluate("one => one.scrollTop") == 50


def test_the_end_is_followed_through_pieces_that_arrive_in_quick_succession(new_card: NewCard) -> None:
    card = new_card()
    step = proposed("loop()")
    card.push(step, permit(step, by="person"))
    left = card.page.evaluate(
        """async text => {
            const drawn = () => new Promise(requestAnimationFrame);
            const piece = () => window.say({ type: "delta", delta: { channel: "output", step: 1, text } });
            for (let at = 0; at < 5; at++) {
                piece();
                await drawn(); // the card has scrolled to the end; the scroll event is dispatched with the next frame
            }
            await drawn();
            await drawn();
            const printed = document.querySelector(".smolcell-printed");
            return printed.scrollHeight - printed.clientHeight - printed.scrollTop;
        }""",
        "line\n" * 100,
    )
    assert abs(left) < 5


# --- keys ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reads_elsewhere", [False, True])
def test_output_and_answer_come_into_view_unless_the_person_scrolled_elsewhere(
    new_card: NewCard, reads_elsewhere: bool
) -> None:
    program = proposed("\n".join(f"print({n})" for n in range(12)))
    card = new_card(program, height=400)
    card.armed()
    card.page.keyboard.press("a")
    if reads_elsewhere:
        card.page.mouse.move(300, 200)
        card.page.mouse.wheel(0, -5000)
        card.page.wait_for_function("scrollY === 0")
    card.say({"type": "pending", "pending": None})
    card.push(permit(program, by="person"))
    card.stream(Delta(channel="output", step=1, text="50 %\n" * 8))
    printed, answer = card.el.locator(".smolcell-printed"), card.el.locator(".smolcell-answer")
    expect(printed).to_contain_text("50 %")
    card.drawn()
    assert in_view(printed) is not reads_elsewhere
    card.push(
        Observed(run="r", step=1, stdout="50 %\n" * 8, is_final_answer=True), Answered(run="r", step=1, text="Yes.")
    )
    card.push(Ended(run="r", state="success", steps=1))
    expect(answer).to_contain_text("Yes")
    card.drawn()
    assert in_view(answer) is not reads_elsewhere


def in_view(place: Locator) -> bool:
    """Whether the end of it is in the window."""
    return bool(place.evaluate("el => el.getBoundingClientRect().bottom <= innerHeight + 1"))


def test_a_script_s_clicks_and_keys_answer_nothing(new_card: NewCard) -> None:
    card = new_card(proposed("print(1)"))
    card.armed()
    expect(card.button(REST)).to_be_enabled()
    card.page.evaluate(
        """() => {
            for (const button of document.querySelectorAll(".smolcell-controls button")) {
                button.click();
                button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
                document.body.append(button);
                button.click();
                document.querySelector(".smolcell-row").append(button);
            }
            for (const key of "aers") {
                const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true });
                document.querySelector(".smolcell-card").dispatchEvent(event);
            }
        }"""
    )
    expect(card.button("Approve")).to_be_visible()
    assert card.answers == []
    card.button("Approve").press("Enter")  # a person's key on a button is a click
    assert [answer["choice"] for answer in card.answers] == ["approve"]


def test_shift_tab_out_of_the_comment_and_a_page_that_closes_approve_nothing(new_card: NewCard) -> None:
    card = new_card(proposed("print(1)"))
    card.turn_to("Refuse")
    keys = card.page.keyboard
    keys.type("approve? a")
    for key in ("Shift+Tab", "Shift+Tab", "Shift+A", "Control+a"):
        keys.press(key)
    assert card.answers == []
    card.page.evaluate("dispatchEvent(new Event('beforeunload')); dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert card.answers == []


def test_a_key_counts_only_on_a_card_that_had_the_focus_and_was_in_view(new_card: NewCard) -> None:
    card = new_card(proposed("\n".join(["x = 1"] * 100)))
    keys = card.page.keyboard
    card.el.blur()
    keys.press("a")
    card.el.focus()
    card.page.evaluate("scrollTo(0, 0)")
    card.page.wait_for_timeout(800)
    keys.press("a")  # the controls are out of sight: they are shown
    expect(card.button("Approve")).to_be_in_viewport()
    assert card.answers == []
    keys.press("a")  # in flight while they came into sight
    assert card.answers == []
    card.armed()
    keys.press("a")
    assert [answer["choice"] for answer in card.answers] == ["approve"]


def written(card: BareCard) -> str:
    """What is in the editor, once that is more than a text area."""
    card.el.locator(".cm-content").wait_for()
    lines = card.page.evaluate("[...document.querySelectorAll('.cm-line')].map(line => line.textContent)")
    return "\n".join(lines)


def test_the_editor_keeps_indentation_and_tab_and_knows_undo(new_card: NewCard) -> None:
    card = new_card(proposed("if True:\n    x = 1"))
    card.turn_to("Edit")
    assert written(card) == "if True:\n    x = 1"
    keys = card.page.keyboard
    keys.press("Control+End")
    keys.press("Enter")
    keys.type("y = 2")
    assert written(card) == "if True:\n    x = 1\n    y = 2"
    keys.press("Tab")
    keys.press("Shift+Tab")
    keys.press("Shift+Tab")
    assert written(card) == "if True:\n    x = 1\ny = 2"
    for _ in range(40):
        keys.press("Control+z")
    assert written(card) == "if True:\n    x = 1"
    expect(card.el.locator(".cm-lineNumbers .cm-gutterElement:visible")).to_have_text(["1", "2"])
    expect(card.el.locator(".cm-line .smolcell-keyword")).to_have_text(["if", "True"])
    keys.press("Escape")
    expect(card.button("Run edited")).to_be_focused()
    assert card.answers == []


@pytest.mark.parametrize("key", ["Control+Enter", "Shift+Enter"])
def test_an_edited_step_is_sent_from_the_keyboard_and_its_changes_stand_below_it_before(
    new_card: NewCard, key: str
) -> None:
    card = new_card(proposed("x = 1\ny = 2"))
    card.armed()
    keys = card.page.keyboard
    keys.press("e")
    written(card)
    expect(card.el.get_by_role("textbox")).to_be_focused()
    keys.press("Control+End")
    keys.type("0")
    expect(card.el.get_by_role("group", name="What you changed").locator(".smolcell-source")).to_have_text(
        ["x = 1", "y = 2", "y = 20"]
    )
    keys.press(key)
    assert [(answer["choice"], answer["text"]) for answer in card.answers] == [("edit", "x = 1\ny = 20")]


def test_without_the_editor_s_code_there_is_a_text_area(new_card: NewCard) -> None:
    card = new_card(proposed("x = 1"))
    card.page.route("**/editor.gz", lambda route: route.fulfill(body=gzip.compress(b"this is no module")))
    with card.page.expect_response("**/editor.gz"):
        card.turn_to("Edit")
    field = card.el.get_by_role("textbox")
    card.drawn()
    expect(field).to_have_value("x = 1")
    field.fill("x = 2")
    card.page.keyboard.press("Control+Enter")
    assert [(answer["choice"], answer["text"]) for answer in card.answers] == [("edit", "x = 2")]


def test_in_the_editor_nothing_is_out_of_sight(new_card: NewCard) -> None:
    card = new_card(proposed("x\u200b = 1\ry = 2\n\u202ez = '" + "a" * 300 + "'"), width=500)
    card.turn_to("Edit")
    written(card)
    expect(card.el.locator(".cm-content .smolcell-hidden-char")).to_have_text(["\\u{200b}", "\\u{d}", "\\u{202e}"])
    assert card.page.evaluate("document.querySelector('.cm-scroller').scrollWidth <= 500")


# --- for everyone -------------------------------------------------------------------------------------------------------


def full(card: BareCard) -> None:
    """A run with something of everything, whose fourth step waits."""
    for line in Path(__file__).with_name("full_card.jsonl").read_text(encoding="utf-8").splitlines():
        card.say({"type": "event", "event": json.loads(line)})


RECEIPT = {
    "errors_by_type": {"ValueError": 1, "AgentParsingError": 2},
    "imports": ["json", "numpy", "pandas"],
    "packages": ["numpy", "pandas"],
    "files": ["data/sales-of-2024.csv", "a" * 120],
    "tools_called": {"fetch": 3},
    "timings": {"model": 12.2, "waiting": 61.0, "code": 1.5},
}


@pytest.mark.parametrize("width", [900, 320])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(new_card: NewCard, theme: str, width: int) -> None:
    light = theme == "light"
    attributes = f'data-jp-theme-light="{str(light).lower()}"'
    card = new_card(width=width, theme=LIGHT if light else DARK, body=attributes)
    full(card)
    card.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert violations(card.page, CARD) == []
    copy = Offer(id="copy in", label="Approve and copy in data/sales-of-2024.csv (1,234,567 bytes)")
    waiting = Proposed(run="r", step=4, text="print(open('data/sales-of-2024.csv'))", offers=(copy,))
    card.wait(waiting)
    expect(card.button(copy.label)).to_be_enabled()
    assert violations(card.page, CARD) == []
    for name in ("Edit", "Refuse"):
        card.turn_to(name)
        if name == "Edit":
            written(card)
            card.page.keyboard.type("x = 1\n")
        assert violations(card.page, CARD) == []
        card.button("Cancel").click()
    card.push(permit(waiting, by="person", offer="data/sales-of-2024.csv (1,234,567 bytes) copied in"))
    card.push(Observed(run="r", step=4, duration=0.1), Answered(run="r", step=4, text="42"))
    card.push(Ended(run="r", state="error", steps=4, error="ValueError: no", receipt=RECEIPT))
    decided = "Approved by you, and data/sales-of-2024.csv (1,234,567 bytes) copied in."
    expect(card.step(4).locator(".smolcell-decision")).to_have_text(decided)
    details = card.el.locator(".smolcell-foot details", has_text="Details")
    expect(details.get_by_text("Packages: numpy, pandas")).to_be_hidden()
    details.locator("summary").click()
    expect(details.get_by_text("Time: model 12 s, waiting for you 1 min 1 s, code 1.5 s")).to_be_visible()
    assert violations(card.page, CARD) == []
    assert card.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("theme", "back"), [("light", "rgb(255, 244, 214)"), ("dark", "rgb(58, 47, 18)")])
def test_an_answer_that_no_step_computed_says_so(new_card: NewCard, theme: str, back: str) -> None:
    light = theme == "light"
    card = new_card(theme=LIGHT if light else DARK, body=f'data-jp-theme-light="{str(light).lower()}"')
    card.push(
        Observed(run="r", step=1, is_final_answer=True), Answered(run="r", step=1, text="578.55", uncomputed=True)
    )
    expect(card.el.get_by_role("heading", name="Answer (not computed by any step)")).to_be_visible()
    assert card.el.locator(".smolcell-answer").evaluate("e => getComputedStyle(e).backgroundColor") == back
    assert violations(card.page, CARD) == []


def test_everything_on_a_card_that_waits_is_reached_with_tab_and_has_a_name(new_card: NewCard) -> None:
    card = new_card()
    full(card)
    card.wait(Proposed(run="r", step=4, text="print(1)"))
    card.el.focus()
    names = []
    for _ in range(60):
        card.page.keyboard.press("Tab")
        name = card.page.evaluate(
            """() => {
                const one = document.activeElement;
                if (!one.closest(".smolcell-card")) return null;
                const read = one.cloneNode(true);
                read.querySelectorAll("[aria-hidden=true]").forEach(part => part.remove());
                return one.getAttribute("aria-label") ?? read.textContent.trim();
            }"""
        )
        if name is None:
            break
        names.append(name)
    assert "" not in names
    wanted = ["Step 1", "Reasoning", "Table", "Printed output", "Approve", "Edit", "Refuse", "Stop"]
    assert [name for name in wanted if name not in names] == []


def test_a_step_that_waits_gets_a_focus_that_nothing_has_and_says_so(new_card: NewCard) -> None:
    card = new_card(proposed("print(1)"))
    expect(card.el).to_be_focused()
    expect(card.el.get_by_role("status").last).to_have_text("Step 1 waits for your decision: 1 line of Python.")


def test_only_the_ring_of_a_button_that_is_not_ready_moves_and_not_for_who_wants_no_motion() -> None:
    style = (STATIC / "widget.css").read_text(encoding="utf-8")
    assert [word for word in ("transition", "scroll-behavior") if word in style] == []
    assert re.findall(r"animation: ([\w-]+)", style) == ["smolcell-arming", "none"]
    assert style.index("prefers-reduced-motion: reduce") < style.index("animation: none")


def test_in_forced_colours_lines_with_findings_are_marked_by_borders(new_card: NewCard) -> None:
    card = new_card()
    card.page.emulate_media(forced_colors="active")
    full(card)
    width = "one => getComputedStyle(one).borderLeftWidth"
    assert card.el.locator(".smolcell-line.smolcell-high").last.evaluate(width) == "4px"
    assert card.el.locator(".smolcell-step[data-step='1'] .smolcell-line").first.evaluate(width) == "0px"
