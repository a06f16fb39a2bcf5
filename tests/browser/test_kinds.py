"""What a card shows but for code that is approved: agents within agents, plans, calls, questions, budgets; and every wait."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lab import FakeModel, Notebook
from playwright.sync_api import Locator, expect

NewNotebook = Callable[..., Notebook]

MANAGER = """from smolcell import CodeAgent
from smolcell.testing import ScriptedModel

clerk = CodeAgent([], ScriptedModel("I **add**.\\n<code>\\nx = 2 + 3\\n</code>", "<code>\\nfinal_answer(x)\\n</code>"),
                  name="clerk", description="Adds up.")
manager = ScriptedModel("<code>\\nfinal_answer(clerk('Add 2 and 3.') * 2.5)\\n</code>")
with CodeAgent([], manager, managed_agents=[clerk]) as agent:
    cost = agent.run("What do they cost?")
print(cost)"""

CALLER = """from smolcell import Budget, ToolCallingAgent, tool
from smolcell.testing import ScriptedModel

@tool
def price(item: str) -> float:
    '''The price of an item.

    Args:
        item: its name
    '''
    return {"tea": 2.5, "cake": 4.0}[item]

plan = "1. Ask for the price.\\n2. Tell it."
call = 'So.\\n{"name": "price", "arguments": {"item": "tea"}}'
answer = '{"name": "final_answer", "arguments": {"answer": 2.5}}'
with ToolCallingAgent([price], ScriptedModel(plan, call, answer), planning_interval=9, budget=Budget(steps=2)) as agent:
    told = agent.run("What does tea cost?")
print(told)"""

ASKER = """from smolcell import CodeAgent, UserInputTool, tool
from smolcell.testing import ScriptedModel

@tool(approve=True)
def sell(item: str) -> str:
    '''Sells an item.

    Args:
        item: its name
    '''
    return f"sold {item}"

program = "<code>\\nfinal_answer(sell(user_input('What shall be sold?')))\\n</code>"
with CodeAgent([UserInputTool(), sell], ScriptedModel(program)) as agent:
    sold = agent.run("Sell something.")
print(sold)"""

SLOW = """import threading
going, may_end = threading.Event(), threading.Event()

def slow(n: int) -> int:
    '''Waits.

    Args:
        n: a number
    '''
    threading.Timer(8, may_end.set).start()
    may_end.wait()
    return n"""


def press(place: Locator, name: str) -> None:
    """Press a button of what waits, once a click counts."""
    button = place.locator(".smolcell-controls").get_by_role("button", name=name).first
    expect(button).to_be_enabled(timeout=60_000)
    button.click()


@pytest.mark.slow
def test_an_agent_within_an_agent_is_decided_below_the_step_that_called_it(new_notebook: NewNotebook) -> None:
    notebook = new_notebook(MANAGER)
    notebook.run(1)
    card = notebook.card.pending(1).el
    press(card, "Approve")
    inner = card.locator(".smolcell-step .smolcell-run")
    expect(inner.locator(".smolcell-summary").first).to_contain_text("Agent clerk", timeout=60_000)
    expect(inner.locator(".smolcell-thought strong")).to_have_text("add", timeout=60_000)
    press(inner.locator("section").nth(0), "Approve")
    press(inner.locator("section").nth(1), "Approve")
    notebook.card.link("over").shows("Tools called: clerk 1\u00d7")
    expect(inner.locator(".smolcell-answer")).to_contain_text("5")
    assert notebook.ran(1).endswith("12.5\n")


def test_a_plan_is_edited_a_call_approved_and_a_budget_gone_beyond(new_notebook: NewNotebook) -> None:
    notebook = new_notebook(CALLER)
    notebook.run(1)
    card = notebook.card.el
    expect(card.locator(".smolcell-step-title").first).to_contain_text("a plan", timeout=60_000)
    press(card, "Edit")
    card.get_by_role("textbox").fill("1. Just tell it.")
    press(card, "Use edited plan")
    call = card.locator('section[data-call="1"]')
    expect(call.locator(".smolcell-source")).to_have_text("price(item='tea')", timeout=60_000)
    press(call, "Approve")
    expect(call.locator(".smolcell-result")).to_have_text("2.5", timeout=60_000)
    budget = card.locator("section", has_text="the budget is spent")
    expect(budget.locator(".smolcell-number")).to_be_hidden(timeout=60_000)  # words, not a program
    press(budget, "Go on")
    notebook.card.link("over").shows("It was allowed.").shows("Edited by you.")
    assert notebook.ran(1).endswith("2.5\n")


@pytest.mark.slow
def test_a_tool_s_question_is_answered_and_a_call_of_a_program_approved(new_notebook: NewNotebook) -> None:
    notebook = new_notebook(ASKER)
    notebook.run(1)
    card = notebook.card.pending(1).el
    press(card, "Approve")
    question = card.locator('section[data-call="1"]')
    expect(question).to_contain_text("What shall be sold?", timeout=60_000)
    question.get_by_role("textbox").fill("tea")
    press(question, "Send answer")
    call = card.locator('section[data-call="2"]')
    expect(call.locator(".smolcell-source")).to_have_text("sell(item='tea')", timeout=60_000)
    press(call, "Approve")
    notebook.card.link("over").shows("sold tea")
    assert notebook.ran(1).endswith("sold tea\n")


@pytest.mark.slow
def test_every_wait_says_what_is_waited_for_and_how_long(new_notebook: NewNotebook, model: FakeModel) -> None:
    model.gate.clear()
    model.says("print(slow(2))\nfinal_answer(2)")
    notebook = new_notebook("%%agent -t slow\nWait.", run_first=False)
    notebook.run(0)
    notebook.ran(0)
    notebook.ask_kernel(SLOW)
    notebook.run(1)
    progress = notebook.card.el.locator(".smolcell-progress")
    expect(progress).to_contain_text("Thinking\u2026", timeout=60_000)
    expect(progress).to_contain_text(" s", timeout=60_000)
    model.gate.set()
    notebook.card.pending(1)
    expect(progress).to_have_text("Waiting for your decision.")
    notebook.card.approve(1)
    expect(progress).to_contain_text("Running\u2026", timeout=60_000)
    expect(progress).to_contain_text("calling slow", timeout=60_000)  # said before the tool takes the kernel's thread
    before = progress.inner_text()
    notebook.page.wait_for_function(
        "([el, before]) => el.textContent !== before", arg=[progress.element_handle(), before]
    )
    notebook.card.link("over").shows("slow(n=2) \u2192 2")
    expect(progress).to_be_hidden()


@pytest.mark.slow
def test_stop_is_in_reach_wherever_a_long_card_is_read_while_it_runs(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says("\n".join(f"x{n} = {n}" for n in range(120)), "print('began')\nwhile True:\n    pass")
    notebook = new_notebook("%%agent\nCount.")
    notebook.run(1)
    card = notebook.card.approve(1).approve(2).shows("began")
    card.el.locator(".smolcell-line").first.scroll_into_view_if_needed()
    stop = card.button("Stop run")
    expect(stop).to_be_in_viewport(ratio=1)
    stop.click()
    card.link("over").shows("Stopped")


LEAK = """from smolcell import CodeAgent
from smolcell.testing import ScriptedModel

program = "<code>\\nfinal_answer({'key': 'sk-proj-' + 'abcdefgh12345678', 'n': 3})\\n</code>"
with CodeAgent([], ScriptedModel(program)) as agent:
    told = agent.run("What is the key?")
print(told)"""


@pytest.mark.slow
def test_an_answer_with_a_secret_is_asked_about_and_redacted_by_a_click(new_notebook: NewNotebook) -> None:
    notebook = new_notebook(LEAK)
    notebook.run(1)
    card = notebook.card.pending(1).el
    press(card, "Approve")
    asked = card.locator("section", has_text="an output check asks you")
    expect(asked).to_contain_text("Found in the answer: secrets: secret (1).", timeout=60_000)
    expect(asked.locator(".smolcell-number").first).to_be_hidden(timeout=60_000)  # words, not a program
    press(asked, "Redact")
    notebook.card.link("over").shows("secrets found in the answer: secret (1). Redacted.")
    assert notebook.ran(1).endswith("{'key': '[redacted]', 'n': 3}\n")


HOST = """from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from smolcell import CodeAgent
from smolcell.testing import ScriptedModel


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello from outside")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Hello)
Thread(target=server.serve_forever, daemon=True).start()
program = f"<code>\\nimport urllib.request\\nfinal_answer(urllib.request.urlopen('http://localhost:{server.server_port}').read().decode())\\n</code>"
with CodeAgent([], ScriptedModel(program), python="full", allow_hosts=["api.example.org"]) as agent:
    said = agent.run("Get it.")
print(said)"""


def test_a_host_that_code_wants_is_allowed_by_a_click(new_notebook: NewNotebook) -> None:
    notebook = new_notebook(HOST)
    notebook.run(1)
    card = notebook.card.pending(1).el
    expect(card).to_contain_text("the code can send there whatever it can read")
    press(card, "Approve")
    asked = card.locator("section", has_text=": a connection to a host")
    expect(asked).to_contain_text("wants localhost:", timeout=60_000)
    press(asked, "Once")
    notebook.card.link("over").shows("Connected to localhost:")
    assert notebook.ran(1).endswith("hello from outside\n")
