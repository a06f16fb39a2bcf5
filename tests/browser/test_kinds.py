"""What a card shows but for code that is approved: agents within agents, plans, calls, questions, budgets; and every wait."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lab import FakeModel, LabServer, New, choose
from playwright.sync_api import expect

PAGE = Path(__file__).with_name("agents_in_cells.md").read_text(encoding="utf-8")
CELLS = dict(re.findall(r"^## ([^\n]*)\n\n```python\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL))


def test_an_agent_within_an_agent_is_decided_below_the_step_that_called_it(new_notebook: New) -> None:
    notebook = new_notebook(CELLS["an agent within an agent"])
    card = notebook.run(1).pending(1).el
    choose(card, "Approve")
    inner = card.locator(".smolcell-step .smolcell-run")
    expect(inner.locator(".smolcell-summary").first).to_contain_text("Agent clerk")
    expect(inner.locator(".smolcell-thought strong")).to_have_text("add")
    choose(inner.locator("section").nth(0), "Approve")
    choose(inner.locator("section").nth(1), "Approve")
    notebook.card.link("over").shows("Tools called: clerk 1\u00d7")
    expect(inner.locator(".smolcell-answer")).to_contain_text("5")
    assert notebook.ran(1).endswith("12.5\n")


def test_a_plan_is_edited_a_call_approved_and_a_budget_gone_beyond(new_notebook: New) -> None:
    notebook = new_notebook(CELLS["an agent that calls tools"])
    card = notebook.run(1).el
    expect(card.locator(".smolcell-step-title").first).to_contain_text("a plan")
    choose(card, "Edit")
    card.get_by_role("textbox").fill("1. Just tell it.")
    choose(card, "Use edited plan")
    call = card.locator('section[data-call="1"]')
    expect(call.locator(".smolcell-source")).to_have_text("price(item='tea')")
    choose(call, "Approve")
    expect(call.locator(".smolcell-result")).to_have_text("2.5")
    budget = card.locator("section", has_text="the budget is spent")
    expect(budget.locator(".smolcell-number")).to_be_hidden()  # words, not a program
    choose(budget, "Go on")
    notebook.card.link("over").shows("It was allowed.").shows("Edited by you.")
    assert notebook.ran(1).endswith("2.5\n")


def test_a_tool_s_question_is_answered_and_a_call_of_a_program_approved(new_notebook: New) -> None:
    notebook = new_notebook(CELLS["a tool that asks"])
    card = notebook.run(1).pending(1).el
    choose(card, "Approve")
    question = card.locator('section[data-call="1"]')
    expect(question).to_contain_text("What shall be sold?")
    question.get_by_role("textbox").fill("tea")
    choose(question, "Send answer")
    call = card.locator('section[data-call="2"]')
    expect(call.locator(".smolcell-source")).to_have_text("sell(item='tea')")
    choose(call, "Approve")
    notebook.card.link("over").shows("sold tea")
    assert notebook.ran(1).endswith("sold tea\n")


def test_every_wait_says_what_is_waited_for_and_how_long(
    new_notebook: New, model: FakeModel, server: LabServer
) -> None:
    model.gate.clear()
    model.says("print(slow(2))\nfinal_answer(2)")
    notebook = new_notebook("%%agent -t slow\nWait.", run_first=False)
    notebook.result(0)
    notebook.ask_kernel(CELLS["a slow tool"])
    notebook.run(1)
    progress = notebook.card.el.locator(".smolcell-progress")
    expect(progress).to_contain_text("Thinking\u2026")
    expect(progress).to_contain_text(" s")
    model.gate.set()
    notebook.card.pending(1)
    expect(progress).to_have_text("Waiting for your decision.")
    notebook.card.approve(1)
    expect(progress).to_contain_text("Running\u2026")
    expect(progress).to_contain_text("calling slow")  # said before the tool takes the kernel's thread
    before = progress.inner_text()
    expect(progress).not_to_have_text(before)
    (server.root / "may-end").touch()
    notebook.card.link("over").shows("slow(n=2) \u2192 2")
    expect(progress).to_be_hidden()


def test_stop_is_in_reach_wherever_a_long_card_is_read_while_it_runs(new_notebook: New, model: FakeModel) -> None:
    model.says("\n".join(f"x{n} = {n}" for n in range(120)), "print('began')\nwhile True:\n    pass")
    notebook = new_notebook("%%agent\nCount.")
    card = notebook.run(1).approve(1).approve(2).shows("began")
    card.el.locator(".smolcell-line").first.scroll_into_view_if_needed()
    stop = card.button("Stop run")
    expect(stop).to_be_in_viewport(ratio=1)
    stop.click()
    card.link("over").shows("Stopped")


def test_an_answer_with_a_secret_is_asked_about_and_redacted_by_a_click(new_notebook: New) -> None:
    notebook = new_notebook(CELLS["an answer with a secret"])
    card = notebook.run(1).pending(1).el
    choose(card, "Approve")
    asked = card.locator("section", has_text="an output check asks you")
    expect(asked).to_contain_text("Found in the answer: secrets: secret (1).")
    expect(asked.locator(".smolcell-number").first).to_be_hidden()  # words, not a program
    choose(asked, "Redact")
    notebook.card.link("over").shows("secrets found in the answer: secret (1). Redacted.")
    assert notebook.ran(1).endswith("{'key': '[redacted]', 'n': 3}\n")


@pytest.mark.path
def test_a_host_that_code_wants_is_allowed_by_a_click(new_notebook: New) -> None:
    notebook = new_notebook(CELLS["code that wants a host"])
    card = notebook.run(1).pending(1).el
    expect(card).to_contain_text("the code can send there whatever it can read")
    choose(card, "Approve")
    asked = card.locator("section", has_text=": a connection to a host")
    expect(asked).to_contain_text("wants localhost:")
    choose(asked, "Once")
    notebook.card.link("over").shows("Connected to localhost:")
    assert notebook.ran(1).endswith("hello from outside\n")
