"""The widget view: silence is ``nobody``; messages are numbered, merged and bounded; a finished run stays behind."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from pages import FIRST, RUN, SECOND, Asker, Here, Page, answer_to, asked, click, in_loop, pending, waiting

from smolcell.events import Allowed, Asked, Delta, Ended, Observed, Replied, sha256
from smolcell.views.card import LEFT_OUT, MAX_TEXT_CHARS
from smolcell.views.fold import fold
from smolcell.views.transcript import of_json
from smolcell.views.widget import UNTRUSTED, WidgetView

SILENCE = {"grace": 0.02, "grace_stdin": 0.02}
"""How long a page may take to come, in seconds."""

# --- who is there -----------------------------------------------------------------------------------------------------


@in_loop
async def test_without_a_page_there_is_no_answer() -> None:
    page = Page(**SILENCE)
    assert await asked(page) == answer_to(FIRST, "nobody")
    assert page.of("pending")[-1]["pending"] is None


@pytest.mark.parametrize(("stdin", "choice", "times"), [(True, "refuse", 1), (False, "nobody", 0)])
@in_loop
async def test_without_a_page_the_fallback_is_asked_where_stdin_reaches_someone(
    stdin: bool, choice: str, times: int
) -> None:
    fallback = Asker()
    page = Page(fallback=fallback, stdin=lambda: stdin, **SILENCE)
    assert (await asked(page)).choice == choice
    assert fallback.asked == [FIRST] * times


@in_loop
async def test_a_page_that_comes_after_the_first_step_is_asked_about_the_next() -> None:
    page = Page(grace=0.02)
    assert (await asked(page)).choice == "nobody"
    page.comes()
    page.show(SECOND)
    second = asyncio.ensure_future(page.view.ask(SECOND))
    await asyncio.sleep(0)
    page.says(click(SECOND))
    assert (await second).choice == "approve"


@in_loop
async def test_an_untrusted_notebook_is_told_to_be_trusted_and_waited_for() -> None:
    page = Page(**SILENCE)
    answer = asked(page)
    await asyncio.sleep(0)
    page.says({"type": "init"})
    while not page.notes:
        await asyncio.sleep(0.01)
        page.waiter.work()
    assert (page.notes, answer.done()) == ([UNTRUSTED], False)
    page.says({"type": "ready"}, click(FIRST))
    assert (await answer).choice == "approve"


@in_loop
async def test_a_card_that_cannot_be_shown_leaves_no_one_to_ask() -> None:
    waiter = Here()

    def broken(widget: Any) -> None:
        raise RuntimeError("no front end")

    view = WidgetView(waiter, display=broken, publish=[].append, grace=0.02)
    view.show(Asked(run=RUN, task="Count."))
    waiter.work()
    assert (await view.ask(FIRST)).choice == "nobody"


# --- what the page is sent ----------------------------------------------------------------------------------------------


def test_messages_are_numbered_without_gaps_and_text_leaves_before_the_event_after_it() -> None:
    page = Page(pace=60)
    page.show(Asked(run=RUN, task="Count."))
    page.waiter.work()
    page.show(Delta(text="a", run=RUN, step=1), Delta(text="b", run=RUN, step=1), Replied(text="ab", run=RUN, step=1))

    assert [(message["seq"], message["type"]) for message in page.sent] == [(1, "event"), (2, "delta"), (3, "event")]
    assert page.of("delta")[0]["delta"] == {"channel": "reply", "step": 1, "text": "ab"}


def test_a_reply_that_broke_off_is_taken_from_the_page_which_is_told_why() -> None:
    page = Page(pace=60)
    page.show(Asked(run=RUN, task="Count."), Delta(text="old", channel="output", run=RUN, step=1))
    page.waiter.work()
    page.show(Delta(text="ha", run=RUN, step=2), Delta(text="hm", channel="reasoning", run=RUN, step=2))
    page.show(Delta(text="lf", run=RUN, step=2), Delta(text="m broke off.", channel="discarded", run=RUN, step=2))
    page.show(Delta(text="whole", run=RUN, step=2))
    page.show(Replied(text="whole", run=RUN, step=2, note="A reply broke off."))

    [snapshot] = page.of("snapshot")
    state = fold(snapshot["events"], snapshot["deltas"])
    assert [(step["n"], step["reply"], step["reasoning"], step["output"]) for step in state["steps"]] == [
        (1, "", "", "old"),
        (2, "", "", ""),
    ]
    assert state["progress"] == "m broke off."
    later = [message for message in page.sent if message["seq"] > snapshot["seq"]]
    assert [message["delta"]["text"] for message in later if message["type"] == "delta"] == ["whole"]
    state = fold([*snapshot["events"], later[-1]["event"]])
    assert state["notices"] == [{"step": 2, "text": "A reply broke off."}]


def test_text_under_way_is_merged_to_one_message_a_pace() -> None:
    page = Page(pace=0.05)
    page.show(Asked(run=RUN, task="Count."))
    started = time.monotonic()
    for _ in range(50):
        page.show(Delta(text="x", channel="output", run=RUN, step=1))
        page.waiter.work()
        time.sleep(0.002)
    while "".join(message["delta"]["text"] for message in page.of("delta")) != "x" * 50:
        time.sleep(0.01)
    assert 1 < len(page.of("delta")) <= (time.monotonic() - started) / 0.05 + 2


def test_what_goes_on_is_said_before_a_tool_takes_the_calling_thread() -> None:
    page = Page(pace=60)
    page.show(Asked(run=RUN, task="Count."), FIRST)
    page.waiter.work()
    page.show(Delta(text="calling slow", channel="progress", run=RUN, step=1))
    said: list[str] = []
    page.waiter.post(lambda: said.extend(message["delta"]["text"] for message in page.of("delta")))  # the tool
    page.waiter.work()
    assert said == ["calling slow"]
    page.show(*(Delta(text=f"pulling {n} MB", channel="progress", run=RUN, step=1) for n in range(100)))
    page.waiter.work()
    assert len(page.of("delta")) == 1  # the rest comes at its pace


def test_text_under_way_is_bounded() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    for _ in range(30):
        page.show(Delta(text="x" * 10_000, channel="output", run=RUN, step=1))
    page.says({"type": "sync"})

    assert page.of("snapshot")[0]["deltas"] == [
        {"channel": "output", "step": 1, "text": "x" * MAX_TEXT_CHARS + LEFT_OUT}
    ]


@in_loop
async def test_a_page_that_asks_is_told_everything() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."), Delta(text="gone", run=RUN, step=1), Replied(text="t", run=RUN, step=1))
    page.show(Delta(text="kept", channel="output", run=RUN, step=1), FIRST)
    answer = asyncio.ensure_future(page.view.ask(FIRST))
    await asyncio.sleep(0)
    page.says({"type": "ready"})
    snapshot = page.of("snapshot")[0]

    assert [event["event"] for event in snapshot["events"]] == ["Asked", "Replied", "Proposed"]
    assert snapshot["deltas"] == [{"channel": "output", "step": 1, "text": "kept"}]
    assert snapshot["pending"] == pending(FIRST)
    assert (snapshot["live"], snapshot["seq"]) == (True, max(m.get("seq", 0) for m in page.sent))
    answer.cancel()


def test_a_finished_run_stays_in_the_widgets_state_without_secrets_or_permits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdef-0123456789")
    page = Page()
    permit = Allowed(run=RUN, step=1, text="x", sha256=sha256("x"), by="auto", nonce="n0nce")
    page.show(Asked(run=RUN, task="Count."), FIRST, permit)
    page.show(Observed(run=RUN, step=1, stdout="abcdef-0123456789"), Ended(run=RUN, state="success", steps=1))
    page.waiter.work()
    widget = page.widgets[0]
    saved = json.loads(widget.snapshot)

    assert ([event["event"] for event in saved], widget.live) == (
        ["Asked", "Proposed", "Allowed", "Observed", "Ended"],
        False,
    )
    assert (saved[3]["stdout"], "n0nce" in str(page.sent)) == ("[redacted]", False)
    assert page.published == [of_json(saved)]
    page.says({"type": "ready"})
    assert (page.of("snapshot")[0]["events"], page.of("snapshot")[0]["live"]) == (saved, False)


def test_a_text_that_is_no_utf8_arrives_as_it_is() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="a\ud800b"))

    wrapped = page.sent[0]
    assert (wrapped["type"], json.loads(wrapped["text"])["event"]["task"]) == ("json", "a\ud800b")


def test_each_run_has_a_card_of_its_own_and_unknown_runs_have_none() -> None:
    page = Page()
    page.view.prepare("r0")
    page.show(Asked(run="r0", task="a"), Asked(run=RUN, task="b"), Ended(run="never", state="error", steps=0))
    page.waiter.work()

    assert [repr(widget) for widget in page.widgets] == ["smolcell run", "smolcell run: b"]


@in_loop
async def test_closing_ends_open_questions_without_an_answer() -> None:
    page, answer = await waiting()
    page.view.close()
    assert await answer == answer_to(FIRST, "nobody")


def test_closing_makes_every_card_dead() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    page.view.close()
    page.view.close()
    page.says(click(FIRST))

    assert (page.widgets[0].live, page.published) == (False, [])
    assert page.verdicts() == [("c1", False, "this run is over")]


def test_what_an_interrupt_kept_from_the_page_is_sent_with_the_next_event() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    assert len(page.sent) == 1
    send = page.widgets[0].send

    def interrupted(content: Any, buffers: Any = None) -> None:
        page.widgets[0].send = send
        raise KeyboardInterrupt

    page.widgets[0].send = interrupted
    page.show(FIRST)
    with pytest.raises(KeyboardInterrupt):
        page.waiter.work()
    page.show(Ended(run=RUN, state="stopped", steps=1))
    assert [message["seq"] for message in page.sent if "seq" in message] == [1, 2, 3]
    assert [message["event"]["event"] for message in page.of("event")] == ["Asked", "Proposed", "Ended"]


# --- what a page asks ---------------------------------------------------------------------------------------------------


@in_loop
async def test_a_page_s_question_is_answered_on_a_thread_of_its_own_and_what_fails_is_said() -> None:
    page = Page()
    page.view.requests = {
        "models": lambda run, choice: {"of": run, "choice": choice},
        "model": lambda run, _: 1 / 0,
    }  # type: ignore[dict-item, return-value]
    answer = asked(page)
    await asyncio.sleep(0)
    page.comes()
    page.says({"type": "models", "id": "q1", "choice": "x"}, {"type": "model", "id": "q2"})
    page.says({"type": "models", "id": 5}, {"type": "models", "id": "q3", "choice": "x" * 1000}, {"type": ["models"]})
    while len(page.of("reply")) < 2:
        await asyncio.sleep(0.01)
    said = {message["id"]: message["said"] for message in page.of("reply")}
    assert said == {"q1": {"of": RUN, "choice": "x"}, "q2": {"why": "ZeroDivisionError: division by zero"}}
    page.says(click(FIRST))
    await answer


# --- what a step shows while it runs ----------------------------------------------------------------------------------


def displayed(at: int, count: int, **data: str) -> Delta:
    told = {"at": at, "count": count, "data": {f"text/{kind}": text for kind, text in data.items()} or None}
    return Delta(text=json.dumps(told), channel="display", run=RUN, step=1)


def test_of_displays_that_change_fast_the_page_is_told_the_newest() -> None:
    page = Page(pace=60)
    page.show(Asked(run=RUN, task="Count."))
    page.waiter.work()
    page.show(*(displayed(0, 1, plain=str(number)) for number in range(50)), displayed(1, 2, plain="other"))
    page.says({"type": "ready"})
    [snapshot] = page.of("snapshot")
    assert [json.loads(message["delta"]["text"])["data"] for message in page.of("delta")] == [
        {"text/plain": "49"},
        {"text/plain": "other"},
    ]
    [step] = fold(snapshot["events"], snapshot["deltas"])["steps"]
    assert step["outputs"] == [{"data": {"text/plain": "49"}}, {"data": {"text/plain": "other"}}]


def test_a_display_that_is_forgotten_or_whose_step_is_over_is_in_no_snapshot() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."), displayed(0, 1, plain="a"), displayed(1, 2, plain="b"), displayed(1, 1))
    page.says({"type": "sync"})
    assert len(page.of("snapshot")[-1]["deltas"]) == 1
    page.show(Observed(run=RUN, step=1))
    page.says({"type": "sync"})
    assert page.of("snapshot")[-1]["deltas"] == []


def test_what_the_page_would_not_show_is_not_sent_while_a_step_runs_either() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."), displayed(0, 1, odd="<b>", plain="x", html="y" * 2_000_000))
    [message] = page.of("delta")
    data = json.loads(message["delta"]["text"])["data"]
    assert (data["text/plain"], sorted(data)) == ("x", ["application/vnd.smolcell.refused+json", "text/plain"])


def test_a_progress_bar_does_not_fill_what_is_kept_of_output() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    for percent in range(500):
        page.show(Delta(text=f"\r{percent}{'#' * 1000}", channel="output", run=RUN, step=1))
    page.says({"type": "sync"})
    [delta] = page.of("snapshot")[-1]["deltas"]
    assert delta["text"] == f"\r499{'#' * 1000}"
