"""What a person reviews, in a real browser: code that deceives the eye is shown as it is, marked, flagged, and answered by no one else.

The findings are those that the policy really reads off the code.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from bare import ASKED, NewCard
from playwright.sync_api import Locator, expect

from smolcell.core.findings import findings
from smolcell.events import Boundary, Offer, Proposed
from smolcell.permit import permit


def reviewed(text: str, step: int = 1) -> Proposed:
    isolated = Boundary(sandbox="s", where="here", isolated=True)
    return Proposed(run="r", step=step, text=text, findings=findings(text), boundary=isolated)


DECEIVING = {
    "zero width": ("to\u200bken = 1", ".smolcell-hidden-char", ["\\u{200b}"], "invisible or control character: ZERO WIDTH SPACE"),
    "reordering": ("x = 'a\u202e b'\u2066 # c", ".smolcell-hidden-char", ["\\u{202e}", "\\u{2066}"], "RIGHT-TO-LEFT OVERRIDE"),
    "tags": ("x = 'a\U000e0041'", ".smolcell-hidden-char", ["\\u{e0041}"], "TAG LATIN CAPITAL LETTER A"),
    "a blank letter": ("\u3164 = 1", ".smolcell-hidden-char", ["\\u{3164}"], "HANGUL FILLER"),
    "a variation": ("x = 'a\u180b'", ".smolcell-hidden-char", ["\\u{180b}"], "MONGOLIAN FREE VARIATION SELECTOR ONE"),
    "an escape": ("x = '\x1b[8m'", ".smolcell-hidden-char", ["\\u{1b}"], "U+001B"),
    "a line that ends within a comment": ("x = 1 # note\rimport os", ".smolcell-hidden-char", ["\\u{d}"], "import os"),
    "a look-alike": ("\u043e\u0440en('f')", ".smolcell-foreign-char", ["\u043e\u0440"], "name that looks like open"),
    "code far to the right": ("x = 1" + " " * 300 + "; y = 2", "", [], "text after 300 columns of blank"),
    "a long line": ("x = '" + "a" * 400 + "'", "", [], "line of 406 characters"),
}  # fmt: skip


def test_what_deceives_the_eye_is_marked_and_flagged_and_is_approved_by_itself_only(new_card: NewCard) -> None:
    card = new_card(height=4000)  # all steps are on the screen
    for step, (name, (text, mark, marked, told)) in enumerate(DECEIVING.items(), 1):
        card.wait(reviewed(text, step))
        shown = card.step(step)
        assert (name, read(shown)) == (name, text)
        if marked:
            assert (name, shown.locator(".smolcell-code").locator(mark).all_inner_texts()) == (name, marked)
        expect(shown.locator(".smolcell-finding", has_text=told).first, name).to_be_visible()
        expect(shown.locator(".smolcell-unread"), name).to_be_hidden()  # all of it was seen, and yet:
        expect(shown.get_by_role("button", name=re.compile("in this session")), name).to_have_count(0)
        card.say({"type": "pending", "pending": None})


def test_an_import_that_the_guard_will_refuse_is_told_and_allowed_by_a_button_of_its_own(new_card: NewCard) -> None:
    allow = Offer(id="run plotly", label="Approve and allow plotly (this run)")
    back = Offer(id="send back", label="Send back with hint", choice="refuse")
    proposal = replace(reviewed("import plotly.express as px"), offers=(allow, back))
    card = new_card(proposal)
    told = card.step(1).locator(".smolcell-finding", has_text="which is not authorised: the guard will refuse it")
    expect(told.first).to_be_visible()
    expect(card.button("Send back with hint")).to_be_enabled()
    answer = card.answer("Approve and allow plotly (this run)")
    assert (answer["choice"], answer["offer"], answer["fingerprint"]) == ("approve", allow.id, proposal.fingerprint)


def read(shown: Locator) -> str:
    """The program as the marks on the screen spell it."""
    rows = shown.locator(".smolcell-code").first.locator(".smolcell-source").all_text_contents()
    spelt = [re.sub(r"\\u\{([0-9a-f]+)\}", lambda found: chr(int(found[1], 16)), row) for row in rows]
    return "".join(row if row.endswith("\r") else row + "\n" for row in spelt).removesuffix("\n")


def test_tabs_are_marked_and_flagged(new_card: NewCard) -> None:
    card = new_card(reviewed("if True:\n\tx = 1\n        \n\ty = 2"))
    assert card.el.locator(".smolcell-hidden-char").all_inner_texts() == ["\\t", "\\t"]
    expect(card.el.locator(".smolcell-finding")).to_have_text(re.compile(r"tabs, which may be as wide .*\(line 2\)"))
    expect(card.button("Approve code while the sandbox is isolated, in this session")).to_be_enabled()


def test_letters_that_are_written_from_right_to_left_stand_where_they_run(new_card: NewCard) -> None:
    card = new_card()
    text = "\u05d0\u05d1 = '\u05d2' + '\u05d3'  # \u05d4 <- \u05d5"
    card.wait(reviewed(text))
    places = card.page.evaluate(
        """() => {
            const source = document.querySelector(".smolcell-code .smolcell-source");
            const walker = document.createTreeWalker(source, NodeFilter.SHOW_TEXT);
            const found = [];
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
                for (let at = 0; at < node.length; at++) {
                    const range = document.createRange();
                    range.setStart(node, at);
                    range.setEnd(node, at + 1);
                    found.push(range.getBoundingClientRect().left);
                }
            }
            return found;
        }"""
    )
    assert len(places) == len(text)
    assert places == sorted(places)


def test_a_key_in_code_is_shown_whole_to_the_person_who_approves_it(new_card: NewCard) -> None:
    secret = "sk-" + "a1B2c3D4" * 6
    text = f"client = connect(api_key='{secret}'); client.delete_everything()"
    card = new_card(reviewed(text))
    assert read(card.step(1)) == text
    card.answer("Approve")
    card.push(permit(reviewed(text), by="person"))
    assert read(card.step(1)) == text


@pytest.mark.path
def test_no_key_and_no_click_counts_in_the_first_half_second(new_card: NewCard) -> None:
    card = new_card(clock=True)
    clock, keys = card.page.clock, card.page.keyboard
    card.push(ASKED)
    clock.run_for(5000)
    card.el.focus()
    card.push(reviewed("print(1)"))
    card.pend(reviewed("print(1)"))
    clock.run_for(490)
    expect(card.button("Approve")).to_be_disabled()
    card.button("Approve").click(force=True)
    for _ in range(3):  # whoever goes on typing waits on
        keys.press("a")
        clock.run_for(490)
    assert card.answers == []
    clock.run_for(600)
    card.armed()
    keys.press("a")
    assert [answer["choice"] for answer in card.answers] == ["approve"]


def test_a_key_that_comes_too_early_is_told_so(new_card: NewCard) -> None:
    card = new_card(clock=True)
    card.page.clock.run_for(5000)
    card.el.focus()
    card.push(reviewed("print(1)"))
    card.pend(reviewed("print(1)"))
    card.page.clock.run_for(400)
    expect(card.el.locator(".smolcell-controls")).to_be_in_viewport()
    card.page.keyboard.press("x")
    expect(card.el.locator(".smolcell-message")).to_be_hidden()
    card.page.keyboard.press("a")
    expect(card.el.locator(".smolcell-message")).to_contain_text("Too early: a click or a key counts only after")
    assert card.answers == []


def test_a_proposal_that_replaces_another_under_the_hand_is_not_the_one_that_was_meant(new_card: NewCard) -> None:
    card = new_card(clock=True)
    for step in (1, 2):
        card.push(reviewed(f"print({step})", step))
        card.pend(reviewed(f"print({step})", step))
        if step == 1:
            card.page.clock.run_for(5000)
            card.armed()
            card.say({"type": "pending", "pending": None})  # answered on another page
    expect(card.button("Approve")).to_be_disabled()
    card.button("Approve").click(force=True)
    card.page.keyboard.press("a")
    assert card.answers == []


def test_holding_a_key_down_approves_nothing_further(new_card: NewCard) -> None:
    card = new_card(reviewed("print(1)"))
    card.armed()
    card.page.keyboard.down("a")
    card.say({"type": "pending", "pending": None})
    card.wait(reviewed("print(2)", 2))
    card.armed()
    for _ in range(3):
        card.page.keyboard.down("a")  # repeats
    card.page.keyboard.up("a")
    assert [answer["step"] for answer in card.answers] == [1]


def test_an_answer_that_was_not_accepted_says_why_and_can_be_given_again(new_card: NewCard) -> None:
    card = new_card(reviewed("print(1)"))
    answer = card.answer("Approve")
    card.say({"type": "verdict", "id": answer["id"], "ok": False, "why": "this step was answered already"})
    expect(card.el.get_by_text("Not accepted: this step was answered already.")).to_be_visible()
    expect(card.button("Approve")).to_be_enabled()
