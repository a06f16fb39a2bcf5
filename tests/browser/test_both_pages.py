"""The card in JupyterLab and in Notebook 7: decided by keyboard alone, safe whatever is shown, and for everyone, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lab import APPS, PATIENCE, Card, FakeModel, LabServer, Notebook
from playwright.sync_api import Request, expect

NewNotebook = Callable[..., Notebook]

TASK = "%%agent -o answer\nWhat is six times seven?"
AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"

EVIL = "http://evil.test"
HIT = f"(top.hit=1,alert(1),fetch(`{EVIL}/hit`))"
HOSTILE = f"""\
class Report:
    def _repr_html_(self):
        return '''<script>{HIT}</script><img src=x onerror="{HIT}"><img src="{EVIL}/a.png"><a href="javascript:{HIT}">click</a>
<a href="{EVIL}/page" target=_top>click</a><a href=# data-commandlinker-command="terminal:create-new">click</a>
<iframe srcdoc="<script>{HIT}</script>"></iframe><meta http-equiv=refresh content="0;url={EVIL}/r"><table><tr><td>kept</table>'''
    def _repr_svg_(self):
        return '<svg xmlns="http://www.w3.org/2000/svg" onload="{HIT}"><script>{HIT}</script></svg>'
    def _repr_markdown_(self):
        return '![x]({EVIL}/md.png) [click](javascript:{HIT})'
    def __repr__(self):
        return '<img src=x onerror="{HIT}">'
print('<script>{HIT}</script>', '\\x1b]8;;{EVIL}\\x07link\\x1b]8;;\\x07')
Report()"""
ANSWER = f"final_answer('![x]({EVIL}/answer.png) <img src=x onerror=\"{HIT}\">')"


@pytest.fixture(params=APPS)
def app(request: pytest.FixtureRequest) -> str:
    if request.param == "notebooks":
        pytest.importorskip("notebook")
    return str(request.param)


# --- approval by keyboard, and the focus ----------------------------------------------------------------------------------


def test_a_run_is_decided_by_keyboard_alone_and_the_focus_goes_to_the_card_and_back(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.says("print('first')", "answer = 6 * 7", "final_answer(answer)")
    notebook = new_notebook(TASK, "", app=app)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    notebook.cell(1).locator(".cm-content").click()
    keys.press("Control+Enter")
    card = notebook.card.pending(1)
    armed(card)
    keys.press("r")
    keys.type("a sum, s'il te plait")
    keys.press("Shift+Tab")  # out of the comment, and back
    keys.press("Tab")
    card.status(1, "pending")
    keys.press("Tab")
    expect(card.button("Send refusal")).to_be_focused()
    keys.press("Enter")
    card.status(1, "refused").pending(2)
    assert "They said: a sum, s'il te plait" in model.last_prompt
    for step in (2, 3):
        card.pending(step)
        armed(card)
        keys.press("a")
    card.link("over").shows("42")
    notebook.page.wait_for_function(
        "() => document.activeElement.contains(document.querySelector('.smolcell-card'))"
        " && document.activeElement.matches('.jp-Cell, .jp-Notebook')"
    )
    assert len(notebook.cells()) == cells  # none of the keys was the notebook's


@pytest.mark.slow
def test_after_shift_enter_the_keys_decide_each_step_and_the_next_one_is_in_view(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.says(*("\n".join(f"print('line {n}')" for n in range(12)) for _ in range(2)), "final_answer('done')")
    notebook = new_notebook(TASK, "1", app=app)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    notebook.cell(1).locator(".cm-content").click()
    keys.press("Shift+Enter")  # which goes on to the next cell
    card = notebook.card
    for step in (1, 2, 3):
        card.pending(step)
        armed(card)
        expect(card.step(step).locator(".smolcell-controls")).to_be_in_viewport()
        keys.press("a")
        card.status(step, "done")
    card.link("over").shows("done")
    assert len(notebook.cells()) == cells


@pytest.mark.slow
def test_an_answer_of_markdown_has_tables_formulas_and_code_to_copy(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    table, formula = "| a | b |\n|---|---|\n| 1 | 2 |", r"With $\frac{1}{2}$, for $5."
    answer = f"**Sums**\n\n{table}\n\n{formula}\n\n```python\nprint(1)\n```\n[x](javascript:alert(1))"
    model.says(f"final_answer({answer!r})")
    notebook = new_notebook(TASK, app=app)
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=notebook.server.url)
    notebook.run(1)
    card = notebook.card.approve(1).link("over")
    shown = card.el.locator(".smolcell-answer")
    expect(shown.locator("table td")).to_have_text(["1", "2"])
    expect(shown.locator("strong")).to_have_text("Sums")
    expect(shown.locator("mjx-container")).to_have_count(1, timeout=PATIENCE * 1000)
    assert shown.locator("a").count() == 0
    card.button("Copy").click()
    expect(card.button("Copied")).to_be_visible()
    assert notebook.page.evaluate("navigator.clipboard.readText()") == "print(1)"


def armed(card: Card) -> None:
    expect(card.el).to_be_focused(timeout=PATIENCE * 1000)
    expect(card.el).to_have_attribute("data-armed", "true", timeout=PATIENCE * 1000)


@pytest.mark.slow
def test_typing_in_another_cell_is_not_disturbed_and_approves_nothing(
    new_notebook: NewNotebook, model: FakeModel, app: str
) -> None:
    model.gate.clear()
    model.says("print('ran')", "final_answer(1)")
    notebook = new_notebook(TASK, "", app=app)
    notebook.run(1)
    card = notebook.card.status(1, "thinking")
    editor = notebook.cell(2).locator(".cm-content")
    editor.click()
    notebook.page.keyboard.type("a = sea ")
    model.gate.set()
    card.pending(1)
    notebook.page.keyboard.type("+ ears")
    expect(editor).to_have_text("a = sea + ears")
    expect(editor).to_be_focused()
    card.status(1, "pending")
    assert len(model.prompts) == 1


@pytest.mark.slow
def test_of_two_front_ends_one_answers_and_the_other_shows_it(
    new_notebook: NewNotebook, model: FakeModel, server: LabServer
) -> None:
    pytest.importorskip("notebook")
    model.says("print('first')", "final_answer(2)")
    lab = new_notebook(TASK)
    lab.run(1)
    lab.card.pending(1)
    lab.save()
    other = Notebook(lab.page.context.new_page(), server, lab.name, "notebooks").open()
    other.card.approve(1).pending(2)
    lab.page.bring_to_front()
    lab.card.status(1, "done").shows("Approved by you")
    expect(lab.card.step(1).locator(".smolcell-controls")).to_have_count(0)
    lab.card.approve(2).link("over")
    other.card.link("over").shows("Done")


# --- safe output ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def watched(context: Any) -> Iterator[list[str]]:
    """Requests that leave the server's machine, and dialogs. Whatever is asked of elsewhere is refused."""
    seen: list[str] = []

    def on_request(request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
            seen.append(request.url)

    context.on("request", on_request)
    context.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    context.route(f"{EVIL}/**", lambda route: route.abort())
    yield seen


@pytest.mark.slow
def test_hostile_output_does_nothing_live_and_saved(
    new_notebook: NewNotebook, model: FakeModel, app: str, watched: list[str]
) -> None:
    model.says(HOSTILE, ANSWER)
    notebook = new_notebook(TASK, app=app)
    notebook.run(1)
    card = notebook.card.approve(1).status(1, "done")
    harmless(notebook, card, watched)
    card.pending(2)
    card.el.focus()  # it was in a frame, which is a window of its own
    card.step(2).scroll_into_view_if_needed()  # a key counts for code that is in sight
    armed(card)
    card.approve(2).link("over")
    notebook.ran(1)
    harmless(notebook, card, watched)
    notebook.save()
    notebook.end_session()  # a live card would take the saved one's place
    notebook.reload()
    saved = Card(notebook.page.locator(".smolcell-saved .smolcell-card"))
    harmless(notebook, saved.link("saved"), watched)


def harmless(notebook: Notebook, card: Card, watched: list[str]) -> None:
    """Open and click all there is: no script has run, no request has left, and the page is where it was."""
    page = notebook.page
    before = page.url
    card.el.evaluate("el => el.querySelectorAll('details').forEach(one => { one.open = true; })")
    frame = card.step(1).locator("iframe").first
    expect(frame).to_be_visible(timeout=PATIENCE * 1000)
    expect(frame.content_frame.get_by_text("kept")).to_be_visible(timeout=PATIENCE * 1000)
    for word in frame.content_frame.get_by_text("click").all():
        word.click(force=True)
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit ?? null") is None
    assert card.el.locator("a, script, [onerror], [onload], img:not([src^='data:image/'])").count() == 0
    assert (watched, page.url) == ([], before)


# --- for everyone -----------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_in_light_and_in_dark(new_notebook: NewNotebook, model: FakeModel, app: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    model.says("final_answer(1)", "import math\n\tprint(math.pi)", "{'a': [1, 2]}", "open('f', 'w')")
    notebook = new_notebook(TASK, TASK, app=app)
    notebook.run(1)
    notebook.card.approve(1).link("over")  # another card of the same name
    notebook.run(2)
    expect(notebook.page.locator(".smolcell-card")).to_have_count(2, timeout=PATIENCE * 1000)
    card = notebook.card.approve(1).approve(2).pending(3)
    try:
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            set_theme(notebook, theme)
            assert (theme, violations(notebook)) == (theme, [])
    finally:
        set_theme(notebook, "JupyterLab Light")
    card.button("Stop").click()
    card.link("over")


def set_theme(notebook: Notebook, theme: str) -> None:
    notebook.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme }).then(() => null)", theme
    )
    notebook.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")


def violations(notebook: Notebook) -> list[Any]:
    """What axe finds on the cards: rule, place, and what is wrong there."""
    if not notebook.page.evaluate("'axe' in window"):
        notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    # A card cannot know which headings of the notebook come before it; Notebook 7 itself has one of the first level only.
    options = {"rules": {"heading-order": {"enabled": notebook.app == "lab"}}}
    found = notebook.page.evaluate(
        "options => axe.run('.smolcell-card', options).then(result => result.violations)", options
    )
    return [(rule["id"], node["target"], node["failureSummary"]) for rule in found for node in rule["nodes"]]
