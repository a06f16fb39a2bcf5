"""The transcript: everything is escaped, secrets are gone, and nothing that is shown hides something else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from smolcell.events import Answered, Asked, Bundle, Ended, Observed, from_json
from smolcell.views.transcript import bundle, printed

CONTRACT = Path(__file__).parents[1] / "contract"
RUNS = json.loads((CONTRACT / "events.json").read_text(encoding="utf-8"))
ANSWERS = json.loads((CONTRACT / "answers.json").read_text(encoding="utf-8"))
ALLOWED = {"div", "p", "strong", "br", "blockquote", "pre", "code", "img", "span"}


class Elements(HTMLParser):
    """Every element of a text, with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("run", RUNS, ids=[run["name"] for run in RUNS])
def test_no_text_becomes_markup(run: dict[str, Any]) -> None:
    html = bundle([from_json(event) for event in run["events"]])["text/html"]
    found = Elements(html).found

    assert {tag for tag, _ in found} <= ALLOWED
    assert {name for _, attributes in found for name in attributes} <= {"class", "alt", "src"}
    for tag, attributes in found:
        if tag == "img":
            assert re.fullmatch(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+", attributes["src"] or "")


def test_a_run_reads_well_as_text() -> None:
    text = bundle([from_json(event) for event in RUNS[0]["events"]])["text/plain"]

    assert f"{text}\n" == Path(__file__).with_name("transcript.txt").read_text(encoding="utf-8")


def test_the_same_run_again_is_the_same_text() -> None:
    def again(event: dict[str, Any]) -> dict[str, Any]:
        changed = {**event, **({"duration": event["duration"] + 7.25} if "duration" in event else {})}
        if "boundary" in event:
            changed["boundary"] = {**event["boundary"], "where": "a process on this machine (pid 4712)"}
        return changed

    for run in RUNS:
        texts = [
            bundle([from_json(event) for event in events])["text/plain"]
            for events in (run["events"], list(map(again, run["events"])))
        ]
        assert texts[0] == texts[1]


def test_secrets_are_gone_and_images_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh01234567")
    image = Bundle(
        data={"image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABabcdefgh01234567", "text/plain": "abcdefgh01234567"}
    )
    shown = bundle([Asked(run="r", task="abcdefgh01234567"), Observed(run="r", step=1, outputs=(image,))])

    assert "abcdefgh01234567" not in shown["text/plain"]
    assert re.findall("abcdefgh01234567", shown["text/html"]) == ["abcdefgh01234567"]


def test_an_answer_is_not_its_step_s_result_as_well() -> None:
    bundles = (
        Bundle(data={"text/plain": "   a\n0  1", "text/html": "<b>"}),
        Bundle(data={"text/plain": "shown before"}),
    )
    observed = Observed(run="r", step=1, result="   a\n0  1", outputs=bundles, is_final_answer=True)
    text = bundle([Asked(run="r", task="t"), observed, Answered(run="r", step=1, text="   a\n0  1")])["text/plain"]

    assert (text.count("0  1"), text.count("shown before")) == (1, 1)


@pytest.mark.parametrize("answer", ANSWERS, ids=[answer["name"] for answer in ANSWERS])
def test_an_answer_is_a_table_or_else_prose(answer: dict[str, Any]) -> None:
    """The page decides alike: it reads the same file."""
    shown = bundle([Asked(run="r", task="t"), Answered(run="r", step=1, text=answer["text"])])

    assert (f"<pre><code>{answer['text']}</code></pre>" in shown["text/html"]) == answer["table"]
    assert (f"Answer:\n{answer['text']}" in shown["text/plain"]) == answer["table"]


@pytest.mark.parametrize("answer", ANSWERS, ids=[answer["name"] for answer in ANSWERS])
def test_an_answer_that_is_text_is_markdown_unless_that_would_spoil_its_columns(answer: dict[str, Any]) -> None:
    shown = bundle([Asked(run="r", task="t"), Answered(run="r", step=1, text=answer["text"], is_text=True)])

    assert (f"<pre><code>{answer['text']}</code></pre>" not in shown["text/html"]) == answer["prose"]


def test_prose_is_not_typeset_as_a_formula() -> None:
    task = r"$\href{javascript:alert(1)}{x}$ \(y\)"
    html = bundle([Asked(run="r", task=task), Ended(run="r", state="error", steps=0)])["text/html"]

    assert not re.search(r"[$\\](?!</span>)", html)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31mred\x1b[0m", "red"), ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n"), ("a\bb", "a\bb"), ("", "")],
)
def test_printed_text_is_shown_in_its_last_state(text: str, shown: str) -> None:
    assert printed(text) == shown


def test_markdown_and_videos_of_a_step_are_drawn_and_formulas_are_text() -> None:
    video = "AAAAIGZ0eXBpc29t"
    outputs = (
        Bundle(data={"text/markdown": "**a** <b>b</b> [c](javascript:d)", "text/plain": "plain"}),
        Bundle(data={"video/mp4": video, "text/plain": "plain"}),
        Bundle(data={"video/mp4": "PGI+eDwvYj4=", "text/plain": "no video"}),
        Bundle(data={"text/latex": "$x$", "text/plain": "formula"}),
    )
    html = bundle([Asked(run="r", task="t"), Observed(run="r", step=1, outputs=outputs)])["text/html"]

    assert "<p><strong>a</strong> &lt;b&gt;b&lt;/b&gt; <span>c (javascript:d)</span></p>" in html
    assert f'<video controls="" src="data:video/mp4;base64,{video}"></video>' in html
    assert ["plain" in html, "no video" in html, "formula" in html, html.count("<video")] == [False, True, True, 1]
