"""The card alone in a real browser: what a person sees, what counts as an answer, and what keys do."""

from __future__ import annotations

from collections.abc import Callable

from bare import ASKED, BareCard
from playwright.sync_api import expect

from smolcell.events import Proposed

KIND = "Approve code without warnings, in this session"

NewCard = Callable[..., BareCard]


def proposed(text: str, step: int = 1) -> Proposed:
    return Proposed(run="r", step=step, text=text)


# --- what was on the screen ---------------------------------------------------------------------------------------------


def test_code_that_fits_is_seen_at_once_and_its_kind_can_be_approved(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
    card.wait(proposed("x = 1\nprint(x)"))
    card.button(KIND).click()
    assert [answer["choice"] for answer in card.answers] == ["approve_kind"]
    expect(card.el.locator(".smolcell-unread")).to_be_hidden()


def test_a_person_is_told_which_lines_were_never_on_the_screen(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
    card.wait(proposed("\n".join(f"x{n} = {n}" for n in range(1, 121))))
    unread = card.el.locator(".smolcell-unread")
    card.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    card.page.wait_for_timeout(300)
    expect(unread).to_contain_text("of 120 have not been on your screen")
    expect(card.button(KIND)).to_have_count(0)
    for _ in range(20):
        if unread.is_hidden():
            break
        card.button("Show it").click()
        card.page.wait_for_timeout(100)
        card.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(unread).to_be_hidden()
    expect(card.button(KIND)).to_be_enabled()


def test_a_line_is_broken_and_none_of_it_is_out_of_sight_to_the_right(new_card: NewCard) -> None:
    card = new_card(width=500)
    card.push(ASKED)
    card.wait(proposed("x = 1" + " " * 400 + "; y = '" + "a" * 600 + "'\n\tz = 2"))
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


# --- keys ---------------------------------------------------------------------------------------------------------------


def test_shift_tab_out_of_the_comment_and_a_page_that_closes_approve_nothing(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
    card.wait(proposed("print(1)"))
    card.button("Refuse").click()
    keys = card.page.keyboard
    keys.type("approve? a")
    for key in ("Shift+Tab", "Shift+Tab", "Shift+A", "Control+a"):
        keys.press(key)
    assert card.answers == []
    card.page.evaluate("dispatchEvent(new Event('beforeunload')); dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert card.answers == []


def test_a_key_counts_only_on_a_card_that_had_the_focus_and_was_in_view(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
    card.wait(proposed("\n".join(["x = 1"] * 100)))
    keys = card.page.keyboard
    keys.press("a")  # no focus
    card.el.focus()
    card.page.evaluate("scrollTo(0, 0)")
    card.page.wait_for_timeout(800)
    keys.press("a")  # the controls are out of sight: they are shown
    expect(card.button("Approve")).to_be_in_viewport()
    assert card.answers == []
    keys.press("a")  # in flight while they came into sight
    assert card.answers == []
    expect(card.el).to_have_attribute("data-armed", "true")
    keys.press("a")
    assert [answer["choice"] for answer in card.answers] == ["approve"]


def test_the_editor_keeps_indentation_and_tab_and_knows_undo(new_card: NewCard) -> None:
    card = new_card()
    card.push(ASKED)
    card.wait(proposed("if True:\n    x = 1"))
    card.button("Edit").click()
    editor = card.el.get_by_role("textbox")
    keys = card.page.keyboard
    keys.press("Control+End")
    keys.press("Enter")
    keys.type("y = 2")
    expect(editor).to_have_value("if True:\n    x = 1\n    y = 2")
    keys.press("Tab")
    keys.press("Shift+Tab")
    keys.press("Home")
    keys.press("Shift+Tab")
    expect(editor).to_have_value("if True:\n    x = 1\ny = 2    ")
    for _ in range(40):
        keys.press("Control+z")
    expect(editor).to_have_value("if True:\n    x = 1")
    keys.press("Escape")
    keys.press("Tab")
    expect(card.button("Run edited")).to_be_focused()
    assert card.answers == []
