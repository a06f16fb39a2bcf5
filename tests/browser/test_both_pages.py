"""The card in JupyterLab and in Notebook 7: decided by keyboard alone, safe whatever is shown, and for everyone, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe import violations
from lab import APPS, PATH_IN_LAB, TASK, Card, FakeModel, New, Notebook
from playwright.sync_api import Request, expect

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


@pytest.mark.parametrize("app", PATH_IN_LAB)
def test_a_run_is_decided_by_keyboard_alone_and_the_focus_goes_to_the_card_and_back(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says("print('first')", "answer = 6 * 7", "final_answer(answer)")
    notebook = new_notebook(TASK, "", app=app)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    notebook.cell(1).locator(".cm-content").click()
    keys.press("Control+Enter")
    card = notebook.card.pending(1)
    card.armed()
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
    card.armed()
    keys.press("e")
    field = card.el.get_by_role("textbox")
    expect(field).to_be_focused()
    keys.press("Control+End")
    keys.type("  # a lass saw bears; dd, xx")
    keys.press("Escape")
    expect(card.button("Run edited")).to_be_focused()
    card.status(2, "pending")
    keys.press("Enter")
    card.status(2, "done").pending(3).armed()
    keys.press("a")
    card.link("over").shows("42")
    notebook.page.wait_for_function(
        "() => document.activeElement.contains(document.querySelector('.smolcell-card'))"
        " && document.activeElement.matches('.jp-Cell, .jp-Notebook')"
    )
    assert len(notebook.cells()) == cells  # none of the keys was the notebook's


def test_after_shift_enter_the_keys_decide_each_step_and_the_next_one_is_in_view(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.says(*("\n".join(f"print('line {n}')" for n in range(12)) for _ in range(2)), "final_answer('done')")
    notebook = new_notebook(TASK, "1", app=app)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    notebook.cell(1).locator(".cm-content").click()
    keys.press("Shift+Enter")  # which goes on to the next cell
    card = notebook.card
    for step in (1, 2, 3):
        card.pending(step).armed()
        expect(card.step(step).locator(".smolcell-controls")).to_be_in_viewport()
        keys.press("a")
        card.status(step, "done")
    card.link("over").shows("done")
    assert len(notebook.cells()) == cells


def test_an_answer_of_markdown_has_tables_formulas_and_code_to_copy(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    table, formula = "| a | b |\n|---|---|\n| 1 | 2 |", r"With $\frac{1}{2}$, for $5."
    answer = f"**Sums**\n\n{table}\n\n{formula}\n\n```python\nprint(1)\n```\n[x](javascript:alert(1))"
    model.says(f"final_answer({answer!r})")
    notebook = new_notebook(TASK, app=app)
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=notebook.server.url)
    card = notebook.run(1).approve(1).link("over")
    shown = card.el.locator(".smolcell-answer")
    expect(shown.locator("table td")).to_have_text(["1", "2"])
    expect(shown.locator("strong")).to_have_text("Sums")
    expect(shown.locator("mjx-container")).to_have_count(1)
    assert shown.locator("a").count() == 0
    card.button("Copy").click()
    expect(card.button("Copied")).to_be_visible()
    assert notebook.page.evaluate("navigator.clipboard.readText()") == "print(1)"


def test_typing_in_another_cell_is_not_disturbed_and_approves_nothing(
    new_notebook: New, model: FakeModel, app: str
) -> None:
    model.gate.clear()
    model.says("print('ran')", "final_answer(1)")
    notebook = new_notebook(TASK, "", app=app)
    card = notebook.run(1).status(1, "thinking")
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


def test_hostile_output_does_nothing_live_and_saved(
    new_notebook: New, model: FakeModel, app: str, watched: list[str]
) -> None:
    model.says(HOSTILE, ANSWER)
    notebook = new_notebook(TASK, app=app)
    card = notebook.run(1).approve(1).status(1, "done")
    harmless(notebook, card, watched)
    card.pending(2)
    card.el.focus()  # it was in a frame, which is a window of its own
    card.step(2).scroll_into_view_if_needed()  # a key counts for code that is in sight
    card.armed()
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
    expect(frame).to_be_visible()
    expect(frame.content_frame.get_by_text("kept")).to_be_visible()
    for word in frame.content_frame.get_by_text("click").all():
        word.click(force=True)
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit ?? null") is None
    assert card.el.locator("a, script, [onerror], [onload], img:not([src^='data:image/'])").count() == 0
    assert (watched, page.url) == ([], before)


# --- for everyone -----------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_in_light_and_in_dark(new_notebook: New, model: FakeModel, app: str) -> None:
    model.says("final_answer(1)", "import math\n\tprint(math.pi)", "{'a': [1, 2]}", "open('f', 'w')")
    notebook = new_notebook(TASK, TASK, app=app)
    notebook.run(1).approve(1).link("over")  # another card of the same name
    notebook.run(2)
    expect(notebook.page.locator(".smolcell-card")).to_have_count(2)
    card = notebook.card.approve(1).approve(2).pending(3)
    # A card cannot know which headings of the notebook come before it; Notebook 7 itself has one of the first level only.
    rules = {"heading-order": {"enabled": app == "lab"}}
    in_both_themes(notebook, lambda: violations(notebook.page, ".smolcell-card", rules=rules))
    card.offer("Stop").link("over")


def set_theme(notebook: Notebook, theme: str) -> None:
    notebook.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme }).then(() => null)", theme
    )
    notebook.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")


def in_both_themes(notebook: Notebook, found: Callable[[], list[Any]]) -> None:
    """There is nothing to be found, in light and in dark."""
    try:
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            set_theme(notebook, theme)
            assert (theme, found()) == (theme, [])
    finally:
        set_theme(notebook, "JupyterLab Light")
