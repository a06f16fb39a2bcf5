"""Answers from the page: one counts, once, and only for what was shown."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import replace
from typing import Any

import pytest
from pages import FIRST, RUN, SECOND, Page, answer_to, asked, click, in_loop, pending, waiting

from smolcell.events import Asked, Boundary, Ended, Finding, Kind, Offer, Proposed, Wall


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
@in_loop
async def test_an_answer_for_what_was_shown_counts(said: dict[str, Any], heard: dict[str, Any]) -> None:
    page, answer = await waiting()
    page.says(click(FIRST, **said))

    assert await answer == answer_to(FIRST, **heard)
    assert page.verdicts() == [("c1", True, "")]
    assert [message["pending"] for message in page.of("pending")] == [
        pending(FIRST),
        None,
    ]


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
@in_loop
async def test_an_invalid_answer_gets_an_error_and_the_step_still_waits(wrong: dict[str, Any], why: str) -> None:
    page, answer = await waiting()
    page.says({**click(FIRST), **wrong})
    await asyncio.sleep(0.01)

    assert not answer.done()
    assert page.verdicts() == [("c1", False, why)]
    page.says(click(FIRST, answer_id="c2"))
    assert (await answer).choice == "approve"


ISOLATED = Boundary(sandbox="s", where="here", isolated=True)
NOT_ISOLATED = replace(ISOLATED, isolated=False, walls=(Wall(name="files", stands=False),))
NETWORK = replace(ISOLATED, hosts=("a.org",))
UNSHOWN = "this code cannot be shown as it is, so code cannot be approved for the session"
MISSING = "the sandbox is not isolated (missing: files), so code cannot be approved for the session"
OPENED = "the sandbox has a network (open hosts: a.org), so code cannot be approved for the session"
UNKNOWN = "the walls of the sandbox are not known, so code cannot be approved for the session"
FOR_SESSION: list[tuple[Kind, tuple[str, ...], Boundary | None, str]] = [
    ("code", (), ISOLATED, ""),
    ("code", ("file", "network"), ISOLATED, ""),
    ("code", (), NOT_ISOLATED, MISSING),
    ("code", (), NETWORK, OPENED),
    ("code", (), None, UNKNOWN),
    ("call", (), ISOLATED, "only code can be approved for the session"),
    ("plan", (), ISOLATED, "only code can be approved for the session"),
    ("code", ("hidden",), ISOLATED, UNSHOWN),
    ("code", ("file", "long-line"), ISOLATED, UNSHOWN),
    ("code", ("syntax",), ISOLATED, UNSHOWN),
]


@pytest.mark.parametrize(("kind", "found", "boundary", "why"), FOR_SESSION)
@in_loop
async def test_code_is_approved_for_the_session_only_in_an_isolated_sandbox_and_shown_as_it_is(
    kind: Kind, found: tuple[str, ...], boundary: Boundary | None, why: str
) -> None:
    findings = tuple(Finding(kind=name, text="x", line=1, risk="low") for name in found)
    proposal = Proposed(
        run=RUN, step=1, text="print(1)", kind=kind, findings=findings, boundary=boundary, why="Because."
    )
    page, answer = await waiting(proposal)
    page.says(click(proposal, "approve_kind"), click(proposal, answer_id="c2"))
    assert (await answer).choice == ("approve" if why else "approve_kind")
    assert page.verdicts()[0] == ("c1", not why, why)
    assert [
        (told["why"], told["session"]) for told in (message["pending"] for message in page.of("pending")) if told
    ] == [("Because.", not why)]


@in_loop
async def test_an_offer_is_shown_and_chosen_by_its_id_and_nothing_else_is() -> None:
    allow = Offer(id="run plotly", label="Approve and allow plotly (this run)")
    back = Offer(id="send back", label="Send back with hint", choice="refuse", comment="use matplotlib")
    offered = replace(FIRST, offers=(allow, back))
    page, answer = await waiting(offered)
    page.says(click(FIRST, id="c1", choice="approve", offer="run os"))
    page.says(click(FIRST, id="c2", choice="refuse", offer="run plotly"))
    page.says(click(FIRST, id="c3", choice="approve_run", offer="run plotly"))
    page.says(click(FIRST, id="c4", choice="approve", offer=["run plotly"]))
    page.says(click(FIRST, id="c5", choice="approve", offer="run plotly"))
    assert await answer == answer_to(FIRST, choice="approve", offer="run plotly")
    cannot = "the answer chooses what cannot be offered"
    assert page.verdicts() == [
        ("c1", False, "this was not offered"),
        ("c2", False, "this was not offered"),
        ("c3", False, cannot),
        ("c4", False, cannot),
        ("c5", True, ""),
    ]
    assert page.of("pending")[0]["pending"]["offers"] == [
        {"id": "run plotly", "label": "Approve and allow plotly (this run)", "choice": "approve"},
        {"id": "send back", "label": "Send back with hint", "choice": "refuse"},
    ]


def test_the_card_shows_secrets_in_code_and_what_is_saved_does_not() -> None:
    secret = "sk-" + "a1B2c3D4" * 6
    page = Page()
    page.show(Asked(run=RUN, task="Count."), Proposed(run=RUN, step=1, text=f"key = '{secret}'"))
    page.comes()
    shown = [message["event"] for message in page.of("event")][-1]
    snapshot = page.of("snapshot")[-1]["events"][-1]
    page.show(Ended(run=RUN, state="stopped", steps=1))
    page.waiter.work()

    assert shown["text"] == snapshot["text"] == f"key = '{secret}'"
    assert secret not in page.widgets[-1].snapshot + str(page.published)


@pytest.mark.parametrize(
    "content", [None, 7, "answer", [], {}, {"type": []}, {"type": "answer"}, {"type": "answer", "id": 3}, {"type": "x"}]
)
@in_loop
async def test_what_is_no_message_is_ignored(content: Any) -> None:
    page, answer = await waiting()
    page.says(content)
    await asyncio.sleep(0.01)

    assert (answer.done(), page.verdicts()) == (False, [])
    answer.cancel()


@in_loop
async def test_a_second_click_and_a_late_one_do_not_count() -> None:
    page, answer = await waiting()
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


@in_loop
async def test_an_answer_from_another_thread_is_handed_over() -> None:
    page = Page()
    answer = asked(page)
    await asyncio.sleep(0)
    page.waiter.work()
    subshell = threading.Thread(target=lambda: (page.comes(), page.says(click(FIRST))))
    subshell.start()
    assert (await answer).choice == "approve"
    subshell.join()


@pytest.mark.parametrize("seed", range(100))
@in_loop
async def test_in_any_order_of_messages_each_step_gets_one_answer_made_for_it(seed: int) -> None:
    dice = random.Random(seed)
    steps = [Proposed(run=RUN, step=n, text=f"print({n})") for n in range(1, 6)]
    page = Page()
    page.show(Asked(run=RUN, task="Count."))
    page.comes()
    for number, step in enumerate(steps, 1):
        page.show(step)
        answer = asyncio.ensure_future(page.view.ask(step))
        await asyncio.sleep(0)
        clicks = [click(dice.choice(steps), dice.choice(["approve", "stop"]), f"{number}") for _ in range(6)]
        said: list[Any] = [*clicks, {"type": "ready"}, {"type": "init"}, {"type": "sync"}, None]
        dice.shuffle(said)
        page.says(*said)
        right = [one["choice"] for one in said if one and one.get("fingerprint") == step.fingerprint]
        page.says(click(step, "refuse", f"{number}"))
        assert await answer == answer_to(step, [*right, "refuse"][0])
        page.says(*said)  # all of it again, late
        assert [ok for name, ok, _ in page.verdicts() if name == f"{number}"].count(True) == 1


@in_loop
async def test_a_run_that_is_cancelled_withdraws_its_proposal() -> None:
    page, answer = await waiting()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    page.says(click(FIRST))

    assert page.of("pending")[-1]["pending"] is None
    assert page.verdicts() == [("c1", False, "this step was answered already")]


def test_stop_is_heard_at_any_time_and_only_for_its_run() -> None:
    page = Page()
    stopped: list[str] = []
    page.view.on_stop = stopped.append
    page.show(Asked(run=RUN, task="Count."))
    page.says({"type": "stop", "run": "other"}, {"type": "stop"}, {"type": "stop", "run": RUN})
    page.show(Ended(run=RUN, state="stopped", steps=0))
    page.says({"type": "stop", "run": RUN})

    assert stopped == [RUN]


@in_loop
async def test_stop_answers_what_waits_if_no_other_view_is_told() -> None:
    page, answer = await waiting()
    page.says({"type": "stop", "run": RUN})
    assert await answer == answer_to(FIRST, "stop")
