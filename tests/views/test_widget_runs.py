"""A managed agent's run is on its manager's card: shown, answered and stopped there, and no card of its own."""

from __future__ import annotations

import asyncio
import json

from pages import FIRST, RUN, Page, answer_to, asked, click, in_loop, pending

from smolcell.events import Allowed, Asked, Delta, Ended, Proposed, Replied, sha256

CHILD = f"{RUN}-1-1-1"
CALLED = Asked(run=CHILD, task="Deeper.", agent="helper", parent=RUN, parent_step=1)
INNER = Proposed(run=CHILD, step=1, text="x = 1")
ALLOWED = Allowed(run=RUN, step=1, text=FIRST.text, sha256=sha256(FIRST.text), by="person")


def begun() -> Page:
    page = Page()
    page.show(Asked(run=RUN, task="Count."), FIRST, ALLOWED, CALLED)
    page.comes()
    return page


def test_one_card_holds_both_runs_and_its_title_stays() -> None:
    page = begun()
    page.show(Ended(run=CHILD, state="success", steps=1), Ended(run=RUN, state="success", steps=1))
    shown = [message["event"]["run"] for message in page.of("event")]
    assert (len(page.widgets), shown) == (1, [RUN, RUN, RUN, CHILD, CHILD, RUN])
    assert json.loads(page.widgets[0].snapshot)[-1]["run"] == RUN
    assert "Agent helper" in page.published[0]["text/plain"]
    assert len(page.published) == 1


@in_loop
async def test_the_end_of_the_inner_run_does_not_end_the_card() -> None:
    page = begun()
    page.show(Ended(run=CHILD, state="success", steps=1))
    answer = asked(page, Proposed(run=RUN, step=2, text="y"))
    await asyncio.sleep(0.05)
    page.says(click(Proposed(run=RUN, step=2, text="y")))
    assert (await answer).choice == "approve"


@in_loop
async def test_what_the_inner_run_proposes_is_answered_by_its_own_name() -> None:
    page = begun()
    page.show(INNER)
    answer = asyncio.ensure_future(page.view.ask(INNER))
    await asyncio.sleep(0.05)
    assert page.of("pending")[-1]["pending"] == pending(INNER)
    page.says(click(Proposed(run=RUN, step=1, text=INNER.text), answer_id="a"), click(INNER, answer_id="b"))
    assert await answer == answer_to(INNER, "approve")
    assert page.verdicts() == [("a", False, "nothing waits for an answer here"), ("b", True, "")]


def test_text_under_way_is_kept_apart_by_run() -> None:
    page = begun()
    page.show(Delta(text="inner", run=CHILD, step=1), Delta(text="outer", run=RUN, step=1))
    page.says({"type": "sync"})
    [*_, snapshot] = page.of("snapshot")
    assert snapshot["deltas"] == [
        {"channel": "reply", "step": 1, "text": "inner", "run": CHILD},
        {"channel": "reply", "step": 1, "text": "outer"},
    ]
    page.show(Replied(text="inner", run=CHILD, step=1))
    page.says({"type": "sync"})
    assert [delta["text"] for delta in page.of("snapshot")[-1]["deltas"]] == ["outer"]


def test_stop_on_the_card_is_for_the_run_of_the_card() -> None:
    page = begun()
    stopped: list[str] = []
    page.view.on_stop = stopped.append
    page.says({"type": "stop", "run": CHILD}, {"type": "stop", "run": RUN})
    assert stopped == [RUN]
