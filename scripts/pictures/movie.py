"""The moving picture: a step spoils a table, it is taken back, and the plot is made in another way. In JupyterLab."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from lab import Card, Notebook
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, expect

from pictures.desk import STILL, Desk, approve, code

WIDTH, HEIGHT, CAPTION = 900, 780, 44  # pixels
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
RING = (230, 81, 0)
LONG = 60_000  # milliseconds

SALES = """import pandas as pd

months = ["Jan", "Feb", "Mar", "Apr", "May"]
sales = pd.DataFrame({"month": months, "amount": [100, 120, None, 140, 150]})
sales"""
TASK = "How did the sales develop? Plot the months."
AGAIN = "March was not reported. Leave it out, and plot the other months."
PLOT = ["plt.bar(sales['month'], sales['amount'])", "plt.ylabel('amount')", "plt.show()"]
FIGURE = ["import matplotlib.pyplot as plt", "plt.figure(figsize=(5, 1.7))"]
RUNS = {
    TASK: [
        code("First I look at what is missing.", "sales.isna().sum()"),
        code(
            "I close the gap, so that each month has a number.", "sales['amount'] = sales['amount'].fillna(0)", "sales"
        ),
        code("Now the plot.", *FIGURE, *PLOT, "final_answer('Sales broke down in March, to 0.')"),
    ],
    AGAIN: [
        code(
            "I drop the month without a number.",
            "sales = sales.dropna()",
            *FIGURE,
            *PLOT,
            "final_answer('Sales grew in each reported month, by 50 % from January to May.')",
        )
    ],
}


@dataclass(frozen=True)
class Frame:
    """What is seen, for how long, what stands below it, and the button that is pressed next."""

    notebook: Notebook
    seconds: float
    caption: str
    press: Locator | None = None


def scene(desk: Desk) -> Iterator[Frame]:
    """The story: a step spoils a table, it is taken back, and the plot is made in another way."""
    desk.record("sales.jsonl", RUNS)
    desk.write("sales.ipynb", "%load_ext smolcell", SALES, f"%%agent -i sales --replay sales.jsonl\n{TASK}")
    notebook = desk.open("sales.ipynb", desk.page(WIDTH, HEIGHT, scale=1))
    notebook.command("statusbar:toggle")
    for index in (0, 1):
        notebook.run(index)
        notebook.ran(index)
    notebook.scroll_to(1)
    yield Frame(notebook, 3, "A task in plain words, and a table of yours. March has no number.")
    notebook.run(2)
    card = notebook.card.pending(1)
    notebook.scroll_to(2)
    yield Frame(notebook, 3, "You see each program before it runs.", card.button("Approve"))
    approve(notebook, 1)
    card.pending(2)
    to(card.step(1))
    yield Frame(notebook, 3, "The second step fills the gap. It is approved in a hurry …", card.button("Approve"))
    approve(notebook, 2)
    card.pending(3)
    to(card.step(2))
    yield Frame(notebook, 3.5, "… and the sandbox's table is spoiled: March was not 0.", card.button("Approve"))
    approve(notebook, 3).link("over")
    notebook.ran(2)
    to(card.step(3))
    yield Frame(notebook, 3.5, "So the plot is wrong, and the answer, too.")
    yield from back(notebook, card)
    yield from other_way(notebook)


def back(notebook: Notebook, card: Card) -> Iterator[Frame]:
    """The two steps are taken back."""
    button = card.step(1).get_by_role("button", name="Go back to here")
    to(card.step(1))
    yield Frame(notebook, 3, "Back to the state after step 1:", button)
    button.click()
    expect(card.el).to_contain_text("taken back", timeout=LONG)
    to(card.step(1))
    yield Frame(notebook, 3.5, "Variables, files and the conversation are as they were then.")


def other_way(notebook: Notebook) -> Iterator[Frame]:
    """A second cell of the same session."""
    notebook.page.evaluate(
        "source => { const { content } = window.jupyterapp.shell.currentWidget;"
        " content.model.sharedModel.insertCell(3, { cell_type: 'code', source }); content.activeCellIndex = 3; }",
        f"%%agent --replay sales.jsonl\n{AGAIN}",
    )
    notebook.scroll_to(3)
    expect(notebook.cell(3)).to_be_visible()
    yield Frame(notebook, 3, "Another way, in your words.")
    notebook.run(3)
    card = notebook.card.pending(1)
    notebook.scroll_to(3)
    yield Frame(notebook, 3, "The month is left out. Approve:", card.button("Approve"))
    approve(notebook, 1).link("over")
    notebook.ran(3)
    expect(card.el.locator("img").first).to_be_visible(timeout=LONG)
    to(card.step(1))
    yield Frame(notebook, 5, "The chart. Your own table was never touched.")


def to(step: Locator) -> None:
    """Have a step at the top of the window."""
    step.evaluate("step => { step.style.scrollMarginTop = '8px'; step.scrollIntoView(); }")


def taken(frame: Frame) -> Image.Image:
    """The page as it is, with the ring and the caption."""
    page = frame.notebook.page
    page.evaluate("document.fonts.ready.then(() => null)")
    png = page.screenshot(style=STILL, animations="disabled", caret="hide")
    made = Image.new("RGB", (WIDTH, HEIGHT + CAPTION), (38, 50, 56))
    with Image.open(io.BytesIO(png)) as picture:
        made.paste(picture.convert("RGB"))
    pen = ImageDraw.Draw(made)
    if frame.press is not None:
        box = frame.press.bounding_box()
        assert box is not None and box["y"] + box["height"] < HEIGHT, f"the button is out of sight: {frame.caption}"
        edges = [box["x"] - 5, box["y"] - 5, box["x"] + box["width"] + 5, box["y"] + box["height"] + 5]
        pen.rounded_rectangle(edges, radius=8, outline=RING, width=3)
    pen.text((20, HEIGHT + CAPTION / 2), frame.caption, (255, 255, 255), ImageFont.truetype(FONT, 18), anchor="lm")
    return made
