"""Pictures of the card, in JupyterLab."""

from __future__ import annotations

from lab import Card, Notebook
from playwright.sync_api import expect

from pictures.desk import Desk, Target, approve, code, place_of, run_to_agent

SALES = """import pandas as pd

sales = pd.DataFrame({"month": ["2025-01", "2025-02", "2025-03", "2025-04"], "amount": [100, 120, 90, 140]})"""


def first(desk: Desk, *, width: int, height: int) -> Notebook:
    """The course's first notebook, its agent cell under way."""
    desk.course()
    notebook = run_to_agent(desk.open("01-first-cell.ipynb", width=width, height=height))
    notebook.card.pending(1)
    notebook.scroll_to(place_of(notebook, "%%agent"))
    return notebook


def first_cell(desk: Desk) -> Target:
    notebook = first(desk, width=1100, height=1000)
    return notebook.cell(place_of(notebook, "%%agent"))


def edited(desk: Desk) -> Target:
    notebook = first(desk, width=1000, height=2000)
    card = approve(notebook, 1).pending(2)
    change(card)
    card.button("Run edited").click()
    card.link("over")
    expect(card.step(2).locator("img")).to_be_visible(timeout=60_000)
    notebook.ran(place_of(notebook, "%%agent"))
    card.step(2).evaluate("step => { step.style.scrollMarginTop = '16px'; step.scrollIntoView(); }")
    return [card.step(2), card.el.locator(".smolcell-answer")]


def change(card: Card) -> None:
    """Open the editor of the course's second step, and have it take three years instead of five."""
    card.button("Edit").click()
    line = card.el.locator(".cm-line", has_text="nlargest(5)")
    line.click()
    keys = card.el.page.keyboard
    keys.press("End")
    for _ in range(len(").round(2)")):
        keys.press("ArrowLeft")
    keys.press("Backspace")
    keys.type("3")
    expect(card.el.locator(".smolcell-put-in")).to_be_visible(timeout=60_000)


def editor(desk: Desk) -> Target:
    notebook = first(desk, width=1000, height=2000)
    card = approve(notebook, 1).pending(2)
    change(card)
    return card.step(2)


def context(desk: Desk) -> Target:
    notebook = desk.work(
        "sales.ipynb",
        "%load_ext smolcell\n%agent config model=ollama/qwen2.5-coder",
        SALES,
        "sales['growth'] = sales['amount'].pct_change()\nsales",
        "%%agent --context ask -i sales\nWhich month was the weakest, and by how much?",
        width=900,
        height=1100,
    )
    card = notebook.card
    expect(card.button("This time")).to_be_enabled(timeout=60_000)
    row = card.el.locator("li.smolcell-piece").last
    row.locator("summary").click()
    card.el.get_by_role("checkbox").first.uncheck()
    return card.el


ANSWER = r"""The weakest month was **March**:

| month | amount | growth |
|---|--:|--:|
| 2025-02 | 120 | +20 % |
| 2025-03 | 90 | -25 % |
| 2025-04 | 140 | +56 % |

with $g_t = \frac{x_t - x_{t-1}}{x_{t-1}}$. In your notebook:

```python
sales.set_index("month")["amount"].pct_change().idxmin()
```"""


def answer(desk: Desk) -> Target:
    task = "Which month was the weakest, and by how much?"
    desk.record(
        "weakest.jsonl", {task: [code("I compare each month with the one before.", f"final_answer({ANSWER!r})")]}
    )
    notebook = desk.work(
        "sales.ipynb",
        "%load_ext smolcell",
        SALES,
        f"%%agent -i sales --replay weakest.jsonl\n{task}",
        width=900,
        height=1500,
    )
    card = approve(notebook, 1).link("over")
    notebook.ran(2)
    shown = card.el.locator(".smolcell-answer")
    expect(shown.locator("mjx-container")).to_be_visible(timeout=60_000)
    return [shown, card.el.locator(".smolcell-export")]


def refused_dark(desk: Desk) -> Target:
    task = "Tidy up the work folder."
    replies = [
        code(
            "I look at what is there:\n\n1. list the folder\n2. remove what is *old*",
            "import os",
            "",
            "for name in os.listdir('.'):",
            "    os.remove(name)",
        ),
        code("Then I only look.", "names = []", "print(f'{len(names)} files to tidy up')", "names[0].upper()"),
        code(
            "There is nothing to tidy up, so I write down **what I saw**.",
            "with open('notes.txt', 'w') as file:",
            "    print('an empty folder', file=file)",
            "final_answer('nothing to tidy up')",
        ),
    ]
    desk.record("tidy.jsonl", {task: replies})
    desk.write("tidy.ipynb", "%load_ext smolcell", f"%%agent --replay tidy.jsonl\n{task}")
    notebook = desk.open("tidy.ipynb", width=900, height=1400)
    notebook.page.evaluate(
        "window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' }).then(() => null)"
    )
    notebook.page.locator("body[data-jp-theme-name='JupyterLab Dark']").wait_for(state="attached")
    run_to_agent(notebook)
    card = notebook.card.pending(1)
    card.button("Refuse").click()
    card.el.get_by_role("textbox").fill("Remove nothing. Say what is there.")
    card.button("Send refusal").click()
    approve(notebook, 2).pending(3)
    return card.el


NESTED = """from smolcell import CodeAgent, ReplayModel

model = ReplayModel("teas.jsonl")
clerk = CodeAgent([], model, name="clerk", description="Adds up the numbers of a sentence.")
manager = CodeAgent([], model, managed_agents=[clerk])
"""


def taken_back(desk: Desk) -> Target:
    desk.course()
    notebook = run_to_agent(desk.open("06-undo.ipynb", width=1000, height=2000))
    card = approve(notebook, 1, 2, 3)
    card.link("over")
    notebook.ran(place_of(notebook, "%%agent"))
    card.step(1).get_by_role("button", name="Go back to here").click()
    expect(card.el).to_contain_text("taken back", timeout=60_000)
    card.step(1).evaluate("step => { step.style.scrollMarginTop = '16px'; step.scrollIntoView(); }")
    return [card.step(1), card.step(3)]


def nested(desk: Desk) -> Target:
    task, part = "What do 2 and 3 teas cost, at 2.50 each?", "Add up 2 and 3 teas."
    manager = [code("The clerk knows how.", f"teas = clerk('{part}')", "final_answer(teas * 2.5)")]
    clerk = [code("I **add** them.", "x = 2 + 3", "print('teas:', x)"), code("That is all.", "final_answer(x)")]
    desk.record("teas.jsonl", {task: manager, part: clerk})
    desk.write("teas.ipynb", "%load_ext smolcell", NESTED, f"manager.run({task!r})")
    notebook = desk.open("teas.ipynb", width=900, height=1500)
    for index in (0, 1):
        notebook.run(index)
        notebook.ran(index)
    notebook.run(2)
    card = notebook.card.pending(1)
    for thought in ("I add them.", "That is all."):
        card.button("Approve").click()
        expect(card.el.get_by_text(thought)).to_be_visible(timeout=60_000)
        expect(card.button("Approve")).to_be_enabled(timeout=60_000)
    expect(notebook.card.button("Approve")).to_be_enabled(timeout=60_000)
    return notebook.card.el


def streaming(desk: Desk) -> Target:
    task = "How did the sales develop? Plot the months."
    said = code(
        "Two things are asked:\n\n- a **bar** for each month\n- the change from one to the next, as in `pct_change`",
        "import matplotlib.pyplot as plt",
        "",
        "months = sales.set_index('month')",
        "months.plot(kind='bar', figsize=(5.4, 2), legend=False)",
        "plt.show()",
    )
    now = said.index(".plot(kind") + 9
    desk.record("sales.jsonl", {task: [said]}, pace=[[50, "reply", now], *slowly(len(said) - now)])
    agent = "from smolcell import CodeAgent, ReplayModel\n\n"
    agent += "agent = CodeAgent([], ReplayModel('sales.jsonl', speed=1))  # in the recorded time"
    desk.write(
        "sales.ipynb", "%load_ext smolcell", agent, SALES, f"agent.run({task!r}, additional_args={{'sales': sales}})"
    )
    notebook = desk.open("sales.ipynb", width=900, height=1100)
    for index in (0, 1, 2):
        notebook.run(index)
        notebook.ran(index)
    notebook.run(3)
    notebook.card.shows("months.plot")
    return notebook.card.el


def slowly(count: int) -> list[list[object]]:
    """The pace of a reply whose last characters never come while the picture is taken."""
    return [[60_000 * (at + 1), "reply", 1] for at in range(count)]


HOUR = """\
# from {0} to {1}
for minute in range({0} * 60, {1} * 60):
    if random.random() < 0.45:
        waiting.append(minute)
    if waiting and minute % 2 == 0:
        longest = max(longest, minute - waiting.pop(0))
        served += 1
"""


def long_code(desk: Desk) -> Target:
    task = "Simulate the queue of a post office over a day."
    lines = ["import random", "", "random.seed(7)", "waiting, served, longest = [], 0, 0", ""]
    for hour in range(8, 18):
        lines += HOUR.format(hour, hour + 1).split("\n")
    lines += ["final_answer({'served': served, 'longest wait, minutes': longest})"]
    desk.record("queue.jsonl", {task: [code("I go through the day minute by minute, an hour at a time.", *lines)]})
    notebook = desk.work(
        "queue.ipynb", "%load_ext smolcell", f"%%agent --replay queue.jsonl\n{task}", width=900, height=640
    )
    notebook.card.pending(1)
    notebook.card.step(1).locator(".smolcell-code").evaluate("code => code.scrollIntoView({ block: 'end' })")
    notebook.card.el.locator(".smolcell-unread").scroll_into_view_if_needed()
    return notebook.page


def twenty_steps(desk: Desk) -> Target:
    task = "Find the first twenty prime numbers, one a step."
    replies = [code("The start.", "primes = [2]", "n = 2", "print(primes[-1])")]
    search = ["n += 1", "while any(n % p == 0 for p in primes):", "    n += 1", "primes.append(n)", "print(n)"]
    replies += [code("The next one.", *search) for _ in range(18)]
    replies += [code("And the last one.", *search, "final_answer(primes)")]
    desk.record("primes.jsonl", {task: replies})
    notebook = desk.work(
        "primes.ipynb", "%load_ext smolcell", f"%%agent --replay primes.jsonl\n{task}", width=900, height=900
    )
    notebook.card.pending(1)
    notebook.card.button("Approve the rest of this run").click()
    notebook.card.link("over")
    notebook.ran(1)
    foot = notebook.card.el.locator(".smolcell-export")
    for _ in range(3):  # what comes into sight is drawn then, and moves the rest
        foot.evaluate("foot => foot.scrollIntoView({ block: 'end' })")
        notebook.page.wait_for_timeout(500)
    return notebook.page


def narrow(desk: Desk) -> Target:
    notebook = first(desk, width=480, height=1000)
    return notebook.page
