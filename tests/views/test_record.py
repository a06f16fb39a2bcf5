"""The record of a run in a saved notebook: JSON, HTML and text that last, in bounds, and read well where little is allowed."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import nh3
import pytest
from nbconvert import HTMLExporter

from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Bundle,
    Ended,
    Event,
    Observed,
    Piece,
    Proposed,
    Replied,
    Sent,
    from_json,
    sha256,
    to_json,
)
from smolcell.views import outputs as saved
from smolcell.views.transcript import bundle, steady_json

CONTRACT = Path(__file__).parents[1] / "contract"
RUNS = json.loads((CONTRACT / "events.json").read_text(encoding="utf-8"))
NAMES = [run["name"] for run in RUNS]
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP8z8DAwMDAxAADCBYAG10BBdmz9y8AAAAASUVORK5CYII="

# What GitHub lets through of HTML (gem html-pipeline, its sanitization filter): no scripts, styles, classes or data addresses.
GITHUB_ELEMENTS = set(
    "h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody tfoot "
    "blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr "
    "bdo cite dfn mark small source span time wbr".split()
)
GITHUB_ATTRIBUTES = {"*": {"align", "alt", "colspan", "rowspan", "title", "width", "height"}, "img": {"src", "alt"}}


def as_github(markup: str) -> str:
    return nh3.clean(markup, tags=GITHUB_ELEMENTS, attributes=GITHUB_ATTRIBUTES, url_schemes={"http", "https"})


class Reading(HTMLParser):
    """The text of each block, by its element, as a reader without styles meets it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.handle_data("\n")
        elif tag == "img":
            self.blocks.append(("img", dict(attrs).get("alt") or ""))
        else:
            self._open.append(tag)
            if tag in ("p", "pre"):
                self.blocks.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        while tag in self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.blocks and {"p", "pre"} & set(self._open):
            tag, text = self.blocks[-1]
            self.blocks[-1] = tag, text + data


def events(run: dict[str, Any]) -> list[Event]:
    return [from_json(event) for event in run["events"]]


def later(event: dict[str, Any]) -> dict[str, Any]:
    """What another run of the same has in place of it."""
    changed = {name: f"{event[name]}-later" for name in ("run", "parent", "resumes") if event.get(name)}
    changed |= {"duration": event["duration"] + 1.5} if "duration" in event else {}
    return changed | ({"boundary": {**event["boundary"], "where": "pid 2"}} if "boundary" in event else {})


def finished(*middle: Event, task: str = "Go.") -> list[Event]:
    return [Asked(run="r", task=task), *middle, Ended(run="r", state="success", steps=1)]


def step(number: int, code: str, **seen: Any) -> list[Event]:
    return [
        Proposed(run="r", step=number, text=code),
        Allowed(run="r", step=number, text=code, sha256=sha256(code), by="person", nonce="n0nce"),
        Observed(run="r", step=number, **seen),
    ]


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_the_record_is_the_run(run: dict[str, Any]) -> None:
    shown = bundle(events(run))

    assert list(shown) == ["text/plain", "text/html", "application/vnd.smolcell.run+json"]
    kept = shown[saved.MIME]
    assert (kept["version"], [event["event"] for event in kept["events"]]) == (1, [e["event"] for e in run["events"]])
    json.dumps(kept, ensure_ascii=False).encode()  # or the notebook could not be saved
    assert bundle([from_json(event) for event in kept["events"]]) == shown


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_the_same_run_again_is_the_same_data_and_the_metadata_holds_the_rest(run: dict[str, Any]) -> None:
    ran = saved.redacted([to_json(event) for event in events(run)])
    data, metadata = steady_json(ran)

    again, _ = steady_json([{**event, **later(event)} for event in ran])
    assert again == data
    shown = {mime: text for mime, text in data.items() if mime != saved.MIME}
    assert saved.merge_record(data[saved.MIME], metadata[saved.MIME]) == saved.record(ran, shown)


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_it_reads_the_same_without_classes_styles_and_scripts(run: dict[str, Any]) -> None:
    markup = bundle(events(run))["text/html"]
    bare = as_github(markup)

    assert not re.search(r"\s(class|style|id)=|<script|<style|src=.data:", bare)
    assert Reading(bare).blocks == Reading(markup).blocks
    code = [event["text"] for event in run["events"] if event["event"] == "Allowed" and event["kind"] == "code"]
    blocks = [text for tag, text in Reading(bare).blocks if tag == "pre"]
    assert [text for text in code if text.isascii() and text.isprintable() and text not in blocks] == []


def test_a_run_on_github_is_a_text_with_its_code_set_apart() -> None:
    blocks = Reading(as_github(bundle(events(RUNS[0]))["text/html"])).blocks

    expected = Path(__file__).with_name("record_blocks.jsonl").read_text(encoding="utf-8").splitlines()
    assert blocks == [tuple(json.loads(line)) for line in expected]


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_nbconvert_s_page_says_it_all(run: dict[str, Any]) -> None:
    shown = bundle(events(run))
    notebook = nbformat.v4.new_notebook()
    cell = nbformat.v4.new_code_cell("%%agent\nGo.")
    cell.outputs = [nbformat.v4.new_output("display_data", shown)]
    notebook.cells = [cell]
    nbformat.validate(notebook)
    page, _ = HTMLExporter().from_notebook_node(notebook)

    said = Reading(shown["text/html"]).blocks
    assert Reading(page).blocks[-len(said) :] == said


def test_a_secret_is_in_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "abcdefgh01234567"
    monkeypatch.setenv("SOME_API_KEY", secret)
    told = [Replied(run="r", step=1, text=secret, reasoning=secret), *step(1, f"key = '{secret}'", stdout=secret)]
    shown = bundle(finished(*told, Answered(run="r", step=1, text=secret), task=secret))

    assert (secret in json.dumps(shown), "n0nce" in json.dumps(shown)) == (False, False)


@pytest.mark.parametrize("mime", ["image/svg+xml", "image/png", "image/x-anything"])
def test_a_secret_in_an_image_that_is_text_is_in_no_part_of_it(monkeypatch: pytest.MonkeyPatch, mime: str) -> None:
    secret = "abcdefgh01234567"
    monkeypatch.setenv("SOME_API_KEY", secret)
    drawn = Bundle(data={mime: f"<svg><text>{secret}</text></svg>"})
    given = f"data:{mime},<svg><text>{secret}</text></svg>"
    asked = Asked(run="r", task="Draw.", images=(given, f"data:image/png;base64,{PICTURE}"))
    shown = bundle([asked, *finished(*step(1, "draw()", outputs=(drawn,)))[1:]])

    assert secret not in json.dumps(shown)
    begun, *_, observed, _ = shown[saved.MIME]["events"]
    assert begun["images"] == [given.replace(secret, "[redacted]"), f"data:image/png;base64,{PICTURE}"]
    assert observed["outputs"] == [{"data": {mime: "<svg><text>[redacted]</text></svg>"}}]


def test_a_text_that_is_no_utf8_can_be_saved() -> None:
    shown = bundle(finished(*step(1, "x = '\ud800'")))

    assert shown[saved.MIME]["events"][1]["text"] == "x = '\\ud800'"


def test_pictures_are_kept_while_there_is_room_and_said_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MAX_PICTURES_CHARS", 2 * len(PICTURE) + 10)
    picture = Bundle(data={"image/png": PICTURE, "text/plain": "<Figure>"})
    shown = bundle(finished(*step(1, "draw()", outputs=(picture, picture)), *step(2, "draw()", outputs=(picture,))))
    outputs = [output["data"] for event in shown[saved.MIME]["events"] for output in event.get("outputs", ())]
    left_out = f"<Figure>\n[{len(PICTURE)} characters of this output are left out of the saved notebook]"

    assert outputs == [picture.data, picture.data, {"text/plain": left_out}]
    assert shown["text/html"].count("<img") == 2
    assert left_out.replace("<", "&lt;").replace(">", "&gt;") in shown["text/html"]


def test_what_was_displayed_stands_between_what_was_printed() -> None:
    outputs = tuple(Bundle(data={"image/png": PICTURE, "text/plain": f"<Figure {n}>"}) for n in (1, 2))
    table = Bundle(data={"text/plain": "a table"})
    seen = {"stdout": "one\ntwo\nthree\n", "outputs": (*outputs, table), "places": (1, 1, 2)}
    shown = bundle(finished(*step(1, "draw()", **seen)))
    order = [shown["text/html"].index(text) for text in ("one", "Figure 1", "Figure 2", "two", "a table", "three")]
    assert order == sorted(order)
    order = [shown["text/plain"].index(text) for text in ("one", "two", "a table", "three")]
    assert order == sorted(order)
    assert shown[saved.MIME]["events"][-2]["places"] == [1, 1, 2]


def test_places_beyond_the_text_or_out_of_order_lose_nothing() -> None:
    for places in ((), (9,), (9, -3), (2, 1), (-1, 0)):
        parts = list(saved.in_order("a\nb\nc", places, [1, 2]))
        assert "".join(part for part in parts if isinstance(part, str)) == "a\nb\nc"
        assert [part for part in parts if not isinstance(part, str)] == [1, 2]


@pytest.mark.slow
def test_a_run_of_any_size_makes_a_notebook_that_opens() -> None:
    """The most that a step may hold, fifty times."""
    large = Bundle(data={"image/png": PICTURE + "A" * 1_000_000, "text/html": "<p>" * 50_000, "text/plain": "x"})
    steps = [event for n in range(1, 51) for event in step(n, "x = 1", stdout="y" * 100_000, outputs=(large, large))]
    size = len(json.dumps(bundle(finished(*steps))))

    assert size < 2 * (saved.MAX_PICTURES_CHARS + 2 * saved.MAX_SAVED_TEXT_CHARS)


def test_of_a_long_piece_that_was_sent_both_ends_are_in_the_record() -> None:
    piece = Piece(kind="file", name="notes.md", text=f"first{'x' * 100_000}last", size=100_009, sha256="0" * 64)
    kept = bundle(finished(Sent(run="r", pieces=(piece,))))
    (sent,) = [event for event in kept[saved.MIME]["events"] if event["event"] == "Sent"]
    (only,) = sent["pieces"]
    assert {**only, "text": ""} == {**to_json(Sent(run="r", pieces=(piece,)))["pieces"][0], "text": ""}
    assert re.fullmatch(r"firstx.*xlast", only["text"], re.DOTALL)
    assert len(only["text"]) < saved.MAX_CONTEXT_CHARS + 100


def test_what_a_person_changed_is_in_the_record() -> None:
    edited = "x = 1\ny = 3 < 4"
    proposal = Proposed(run="r", step=1, text="x = 1\ny = 2")
    allowed = Allowed(run="r", step=1, text=edited, sha256=sha256(edited), by="person", edited=True)
    kept = bundle(finished(proposal, allowed, Observed(run="r", step=1)))
    assert "What was changed:\n    @@ -1,2 +1,2 @@\n     x = 1\n    -y = 2\n    +y = 3 < 4\n" in kept["text/plain"]
    assert "<pre><code>@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3 &lt; 4</code></pre>" in kept["text/html"]
