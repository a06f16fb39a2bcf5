"""Charts of a run in JupyterLab and Notebook 7: drawn, saved as pictures, and there again in the reopened notebook."""

from __future__ import annotations

from typing import Any

import pytest
from lab import FakeModel, New, Notebook, until
from playwright.sync_api import expect
from test_charts import colours

from smolcell.journal.verification import UNCHANGED, verify

DRAW = """import altair, pandas, plotly.express
table = pandas.DataFrame({"city": ["Oslo", "Rome", "Bonn"], "people": [7, 28, 3]})
plotly.express.bar(table, x="city", y="people", color="city").show()
altair.Chart(table).mark_bar().encode(x="city", y="people", color="city")"""
FORMULA = "import sympy\ndisplay(sympy.Symbol('x') ** 2 / 3)\nfinal_answer(1)"


def saved(notebook: Notebook) -> list[dict[str, Any]]:
    """The outputs of the first step in the notebook as it is now."""
    [record] = [
        data["application/vnd.smolcell.run+json"]
        for output in notebook.cells()[1]["outputs"]
        if "application/vnd.smolcell.run+json" in (data := output.get("data", {}))
    ]
    return [output["data"] for event in record["events"] for output in event.get("outputs", ())]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("app", ["lab", "notebooks"])
def test_charts_are_drawn_saved_as_pictures_and_shown_without_a_kernel(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says(DRAW, FORMULA)
    notebook = new_notebook("%%agent --approve auto\nDraw.", app=app)
    notebook.run(1)
    notebook.ran(1, 300)
    expect(notebook.card.el.locator("mjx-container")).to_have_count(1)
    until(lambda: sum("image/png" in data for data in saved(notebook)) == 2, "the record has the pictures", 200)

    for data in saved(notebook)[:2]:
        assert colours(data["image/png"]) > 20
        assert data.keys() == {"text/plain", "text/html", "image/png"}
    notebook.save()
    assert (verdict := verify(notebook.server.root / notebook.name)).status == UNCHANGED, verdict
    text = (notebook.server.root / notebook.name).read_text()
    assert ["vnd.plotly" in text, "vnd.vega" in text, len(text) < 2_000_000] == [False, False, True]
    notebook.end_session()
    notebook.reload()
    pictures = notebook.page.locator(".smolcell-saved img, .smolcell-card img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        assert colours((picture.get_attribute("src") or "").split(",")[1]) > 20
    assert notebook.page.locator(".smolcell-card iframe, .smolcell-saved iframe").count() == 0
