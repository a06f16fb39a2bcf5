"""Going back on a card, in JupyterLab: to a step, before it in another way, and several ideas for a step that waits."""

from __future__ import annotations

import re

import pytest
from lab import FakeModel, New
from playwright.sync_api import expect


@pytest.mark.path
def test_the_buttons_of_a_finished_step_go_back_to_it_and_do_it_in_another_way(
    new_notebook: New, model: FakeModel
) -> None:
    model.says("x = [1]", "x.append(2)", "final_answer(x)", "x.append(3)", "final_answer(x)")
    notebook = new_notebook("%%agent -a auto --new\nCount.")
    card = notebook.run(1)
    card.link("over").shows("[1, 2]")
    second = card.el.locator('section.smolcell-step[data-step="2"]')

    second.get_by_role("button", name="Go back to here").click()
    expect(second).to_contain_text("What ran after step 2 was taken back")
    expect(card.el.locator('section.smolcell-step[data-step="3"]')).to_have_attribute("data-undone", "true")
    expect(second).to_have_attribute("data-undone", "false")

    second.get_by_role("button", name="Try another way").click()
    second.get_by_role("textbox", name="What to do differently").fill("it's three")
    notebook.page.keyboard.press("Enter")
    notebook.has_cells(3)
    assert re.fullmatch(r"%agent retry [0-9a-f]{12}:2 --say 'it'\"'\"'s three'", notebook.source(2))
    notebook.card.link("over").shows("[1, 3]")
    assert "They said: it's three" in model.last_prompt
    assert "x.append(2)" in model.last_prompt


def test_ideas_for_a_step_stand_side_by_side_are_tried_and_one_is_kept(new_notebook: New, model: FakeModel) -> None:
    model.says("x = [1]", "x.append(2)", "x.append(22)", "x.append(222); print(x)", "final_answer(x)")
    notebook = new_notebook("%%agent --new\nCount.")
    card = notebook.run(1)
    card.approve(1)
    card.button("Ask for 3 ideas").click()
    ideas = card.el.locator('section.smolcell-step[data-idea="true"]')
    expect(ideas).to_have_count(3)
    tops = ideas.evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")  # at once: the page scrolls
    assert len(tops) == 3
    assert max(tops) - min(tops) < 5  # side by side
    card.button("Try idea 3, then go back").click()
    expect(ideas.nth(2)).to_contain_text("[1, 222]")
    expect(ideas.nth(2)).to_contain_text("Its changes were undone")
    card.button("Run idea 2 and go on").click()
    card.approve(3).link("over").shows("[1, 22]")
