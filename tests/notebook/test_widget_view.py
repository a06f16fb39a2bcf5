"""The widget view: an answer counts once and only for what was shown; text under way is merged; silence is ``nobody``."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from smolcell.events import Allowed, Asked, Delta, Ended, Event, Observed, Proposed, Replied, sha256
from smolcell.protocols import Answer
from smolcell.views.card import LEFT_OUT, MOST_TEXT
from smolcell.views.transcript import of_json
from smolcell.views.widget import UNTRUSTED, WidgetView

RUN = "r1"
FIRST = Proposed(run=RUN, step=1, text="print(1)")
SECOND = Proposed(run=RUN, step=2, text="print(2)")


class Here:
    """A waiter whose calls are run by ``work``, on the thread that calls it."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], object]] = []

    def post(self, call: Callable[[], object]) -> None:
        self.calls.append(call)

    def wait(self, done: Any) -> Any:
        raise NotImplementedError

    def work(self) -> None:
        while self.calls:
            self.calls.pop(0)()


class Asker:
    """A view that is asked in place of a page."""

    def __init__(self) -> None:
        self.asked: list[Proposed] = []

    def show(self, event: Event | Delta) -> None: ...

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        return answer_to(proposal, "refuse")


class Page:
    """A view, and the page at its other end: what it was sent, and what it says."""

    def __init__(self, **options: Any) -> None:
        self.waiter = Here()
        self.widgets: list[Any] = []
        self.notes: list[str] = []
        options = {"grace": 0.05, "grace_stdin": 0.05, "pace": 0.02, "notify": self.notes.append, **options}
        self.published: list[dict[str, str]] = []
        self.view = WidgetView(self.waiter, display=self._display, publish=self.published.append, **options)
        self._sent: list[dict[str, Any]] = []

    def _display(self, widget: Any) -> None:
        widget.send = lambda content, buffers=None: self._sent.append(content)
        self.widgets.append(widget)

    @property
    def sent(self) -> list[dict[str, Any]]:
        self.waiter.work()
        return self._sent

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == kind]

    def show(self, *events: Event | Delta) -> None:
        for event in events:
            self.view.show(event)

    def says(self, *contents: Any) -> None:
        self.waiter.work()
        for content in contents:
            self.widgets[-1]._handle_custom_msg(content, [])

    def comes(self) -> None:
        self.says({"type": "init"}, {"type": "ready"})

    def verdicts(self) -> list[tuple[str, bool, str]]:
        return [(message["id"], message["ok"], message["why"]) for message in self.of("verdict")]


def answer_to(proposal: Proposed, choice: Any, **more: Any) -> Answer:
    run, step, shown = proposal.run, proposal.step, proposal.fingerprint
    return Answer(run=run, step=step, fingerprint=shown, choice=choice, **more)


def click(proposal: Proposed, choice: Any = "approve", answer_id: str = "c1", **more: Any) -> dict[str, Any]:
    named = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
    return {"type": "answer", "id": answer_id, **named, "choice": choice, **more}


def asked(page: Page, proposal: Proposed = FIRST) -> asyncio.Task[Answer]:
    page.show(Asked(run=RUN, task="Count."), proposal)
    return asyncio.ensure_future(page.view.ask(proposal))


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 10))


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ({"choice": "approve"}, {"choice": "approve"}),
        ({"choice": "approve_run"}, {"choice": "approve_run"}),
        ({"choice": "stop"}, {"choice": "stop"}),
        ({"choice": "refuse", "comment": "why"}, {"choice": "refuse", "comment": "why"}),
        ({"choice": "edit", "text": "print(3)\ud800"}, {"choice": "edit", "text": "print(3)\ud800"}),
    ],
)
def test_an_answer_for_what_was_shown_counts(said: dict[str, Any], heard: dict[str, Any]) -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.says(click(FIRST, **said))

        assert await answer == answer_to(FIRST, **heard)
        assert page.verdicts() == [("c1", True, "")]
        assert [message["pending"] for message in page.of("pending")] == [
            {"run": RUN, "step": 1, "fingerprint": FIRST.fingerprint},
            None,
        ]

    run(main())


GARBAGE = [
    ({"run": 1}, "the answer does not name the step it is for"),
    ({"step": "1"}, "the answer does not name the step it is for"),
    ({"step": True}, "the answer does not name the step it is for"),
    ({"step": 1.0}, "the answer does not name the step it is for"),
    ({"fingerprint": None}, "the answer does not name the step it is for"),
    ({"choice": "nobody"}, "the answer is none of the choices"),
    ({"choice": ["approve"]}, "the answer is none of the choices"),
    ({"choice": "edit"}, "an edited text goes with the choice to edit, and with no other"),
    ({"choice": "edit", "text": 7}, "an edited text goes with the choice to edit, and with no other"),
    ({"text": "import os"}, "an edited text goes with the choice to edit, and with no other"),
    ({"choice": "edit", "text": "x" * 1_000_001}, "the edited text is longer than 1000000 bytes"),
    ({"comment": "x" * 10_001}, "the comment is longer than 10000 bytes, or no text"),
    ({"comment": {}}, "the comment is longer than 10000 bytes, or no text"),
    ({"fingerprint": SECOND.fingerprint}, "what you were shown is not what waits now"),
    ({"step": 0}, "that was step 0; step 1 is the one that waits"),
    ({"run": "other"}, "nothing waits for an answer here"),
]


@pytest.mark.parametrize(("wrong", "why"), GARBAGE)
def test_an_answer_that_is_none_is_told_so_and_the_step_goes_on_waiting(wrong: dict[str, Any], why: str) -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.says({**click(FIRST), **wrong})
        await asyncio.sleep(0.01)

        assert not answer.done()
        assert page.verdicts() == [("c1", False, why)]
        page.says(click(FIRST, answer_id="c2"))
        assert (await answer).choice == "approve"

    run(main())


@pytest.mark.parametrize(
    "content", [None, 7, "answer", [], {}, {"type": []}, {"type": "answer"}, {"type": "answer", "id": 3}, {"type": "x"}]
)
def test_what_is_no_message_is_ignored(content: Any) -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.says(content)
        await asyncio.sleep(0.01)

        assert (answer.done(), page.verdicts()) == (False, [])
        answer.cancel()

    run(main())


def test_a_second_click_and_a_late_one_do_not_count() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.says(click(FIRST, answer_id="c1"), click(FIRST, "stop", answer_id="c2"))
        assert (await answer).choice == "approve"

        page.show(SECOND)
        second = asyncio.ensure_future(page.view.ask(SECOND))
        await asyncio.sleep(0)
        page.says(click(FIRST, answer_id="c3"))
        await asyncio.sleep(0.01)
        assert not second.done()
        page.says(click(SECOND, "refuse", answer_id="c4"))
        assert (await second).choice == "refuse"

        page.show(Ended(run=RUN, state="success", steps=2))
        page.says(click(SECOND, answer_id="c5"))
        assert page.verdicts() == [
            ("c1", True, ""),
            ("c2", False, "this step was answered already"),
            ("c3", False, "this step was answered already"),
            ("c4", True, ""),
            ("c5", False, "this run is over"),
        ]

    run(main())


def test_an_answer_from_another_thread_is_handed_over() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.waiter.work()
        subshell = threading.Thread(target=lambda: (page.comes(), page.says(click(FIRST))))
        subshell.start()
        assert (await answer).choice == "approve"
        subshell.join()

    run(main())


def test_a_run_that_is_cancelled_withdraws_its_proposal() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer
        page.says(click(FIRST))

        assert page.of("pending")[-1]["pending"] is None
        assert page.verdicts() == [("c1", False, "this step was answered already")]

    run(main())


def test_stop_is_heard_at_any_time_and_only_for_its_run() -> None:
    page = Page()
    stopped: list[str] = []
    page.view.on_stop = stopped.append
    page.show(Asked(run=RUN, task="Count."))
    page.says({"type": "stop", "run": "other"}, {"type": "stop"}, {"type": "stop", "run": RUN})
    page.show(Ended(run=RUN, state="stopped", steps=0))
    page.says({"type": "stop", "run": RUN})

    assert stopped == [RUN]


def test_stop_answers_what_waits_where_nobody_else_is_told() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.says({"type": "stop", "run": RUN})
        assert await answer == answer_to(FIRST, "stop")

    run(main())


# --- who is there -----------------------------------------------------------------------------------------------------


def test_without_a_page_the_answer_is_nobody() -> None:
    async def main() -> None:
        page = Page()
        assert await asked(page) == answer_to(FIRST, "nobody")
        assert page.of("pending")[-1]["pending"] is None

    run(main())


@pytest.mark.parametrize(("stdin", "choice", "times"), [(True, "refuse", 1), (False, "nobody", 0)])
def test_without_a_page_the_fallback_is_asked_where_stdin_reaches_someone(stdin: bool, choice: str, times: int) -> None:
    async def main() -> None:
        fallback = Asker()
        page = Page(fallback=fallback, stdin=lambda: stdin)
        assert (await asked(page)).choice == choice
        assert fallback.asked == [FIRST] * times

    run(main())


def test_a_page_that_comes_after_the_first_step_is_asked_about_the_next() -> None:
    async def main() -> None:
        page = Page(grace=0.02)
        assert (await asked(page)).choice == "nobody"
        page.comes()
        page.show(SECOND)
        second = asyncio.ensure_future(page.view.ask(SECOND))
        await asyncio.sleep(0.1)
        page.says(click(SECOND))
        assert (await second).choice == "approve"

    run(main())


def test_an_untrusted_notebook_is_told_to_be_trusted_and_waited_for() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.says({"type": "init"})
        await asyncio.sleep(0.15)
        page.waiter.work()

        assert (page.notes, answer.done()) == ([UNTRUSTED], False)
        page.says({"type": "ready"}, click(FIRST))
        assert (await answer).choice == "approve"

    run(main())


def test_a_card_that_cannot_be_shown_leaves_nobody_to_ask() -> None:
    async def main() -> None:
        waiter = Here()

        def broken(widget: Any) -> None:
            raise RuntimeError("no front end")

        view = WidgetView(waiter, display=broken, publish=[].append, grace=0.02)
        view.show(Asked(run=RUN, task="Count."))
        waiter.work()
        assert (await view.ask(FIRST)).choice == "nobody"

    run(main())


# --- what the page is sent ----------------------------------------------------------------------------------------------


def test_messages_are_numbered_without_gaps_and_text_leaves_before_the_event_after_it() -> None:
    page = Page(pace=60)
    page.show(Asked(run=RUN, task="Count."))
    page.waiter.work()
    page.show(Delta(text="a", run=RUN, step=1), Delta(text="b", run=RUN, step=1), Replied(text="ab", run=RUN, step=1))

    assert [(message["seq"], message["type"]) for message in page.sent] == [(1, "event"), (2, "delta"), (3, "event")]
    assert page.of("delta")[0]["delta"] == {"channel": "reply", "step": 1, "text": "ab"}


def test_text_under_way_is_merged_to_one_message_a_pace() -> None:
    page = Page(pace=0.1)
    page.show(Asked(run=RUN, task="Count."))
    started = time.monotonic()
    for _ in range(100):
        page.show(Delta(text="x", channel="output", run=RUN, step=1))
        page.waiter.work()
        time.sleep(0.003)
    time.sleep(0.2)
    most = (time.monotonic() - started) / 0.1 + 2

    assert "".join(message["delta"]["text"] for message in page.of("delta")) == "x" * 100
    assert 1 < len(page.of("delta")) <= most


def test_text_under_way_is_bounded() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    for _ in range(30):
        page.show(Delta(text="x" * 10_000, channel="output", run=RUN, step=1))
    page.says({"type": "sync"})

    assert page.of("snapshot")[0]["deltas"] == [{"channel": "output", "step": 1, "text": "x" * MOST_TEXT + LEFT_OUT}]


def test_a_page_that_asks_is_told_everything() -> None:
    async def main() -> None:
        page = Page()
        page.show(
            Asked(run=RUN, task="Count."), Delta(text="gone", run=RUN, step=1), Replied(text="t", run=RUN, step=1)
        )
        page.show(Delta(text="kept", channel="output", run=RUN, step=1), FIRST)
        answer = asyncio.ensure_future(page.view.ask(FIRST))
        await asyncio.sleep(0)
        page.says({"type": "ready"})
        snapshot = page.of("snapshot")[0]

        assert [event["event"] for event in snapshot["events"]] == ["Asked", "Replied", "Proposed"]
        assert snapshot["deltas"] == [{"channel": "output", "step": 1, "text": "kept"}]
        assert snapshot["pending"] == {"run": RUN, "step": 1, "fingerprint": FIRST.fingerprint}
        assert (snapshot["live"], snapshot["seq"]) == (True, max(m.get("seq", 0) for m in page.sent))
        answer.cancel()

    run(main())


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


def test_closing_answers_what_waits_with_nobody() -> None:
    async def main() -> None:
        page = Page()
        answer = asked(page)
        await asyncio.sleep(0)
        page.comes()
        page.view.close()
        assert await answer == answer_to(FIRST, "nobody")

    run(main())


def test_closing_makes_every_card_dead() -> None:
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    page.view.close()
    page.view.close()
    page.says(click(FIRST))

    assert (page.widgets[0].live, page.published) == (False, [])
    assert page.verdicts() == [("c1", False, "this run is over")]
