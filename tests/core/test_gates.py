"""Gates compose, and whatever goes wrong while deciding is a no."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from smolcell.approval.gates import MODES, NO_APPROVER, allow_all, ask, create_gate, deny_all, fail_closed, remembered
from smolcell.errors import PermitError, SetupError
from smolcell.events import Allowed, Delta, Event, Finding, Proposed, Refused, fingerprint, sha256
from smolcell.permit import permit, spend
from smolcell.protocols import Answer, Choice, Gate

PLAIN = Proposed(run="r", step=1, text="x = 1", findings=(Finding(kind="name", text="x"),))
FILE = Finding(kind="file", text="open", line=1, risk="high")
NET = Finding(kind="network", text="import socket", line=1, risk="high")


class Person:
    """A view that answers from a list; a function of the proposal may answer anything."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Proposed] = []

    def show(self, event: Event | Delta) -> None:
        raise AssertionError("a gate shows nothing")

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer(proposal) if callable(answer) else says(proposal, answer)


def says(proposal: Proposed, choice: Choice, **more: Any) -> Answer:
    place = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
    return Answer(**{**place, "choice": choice, "who": "Ann", **more})


def decide(gate: Gate, *proposals: Proposed) -> list[Allowed | Refused]:
    async def all_of_them() -> list[Allowed | Refused]:
        return [await gate(proposal) for proposal in proposals]

    return asyncio.run(all_of_them())


def yes(proposal: Proposed, text: str | None = None, **more: Any) -> Allowed:
    final = proposal.text if text is None else text
    who = "Ann" if more.get("by", "person") in ("person", "remembered") else ""
    given = {"by": "person", "who": who, **more}
    return Allowed(run=proposal.run, step=proposal.step, text=final, sha256=sha256(final), **given)


def no(reason: str, by: str = "nobody", then: str = "refused", proposal: Proposed = PLAIN) -> Refused:
    who = "Ann" if by == "person" else ""
    return Refused(run=proposal.run, step=proposal.step, reason=reason, by=by, then=then, who=who)  # type: ignore[arg-type]


def plain(decision: Allowed | Refused) -> Allowed | Refused:
    """Without the nonce, after it was seen to be a real permit of its text."""
    if isinstance(decision, Allowed):
        assert spend(decision) == decision.text
        return replace(decision, nonce="")
    return decision


ANSWERS: dict[str, tuple[Callable[[Proposed], Answer], Allowed | Refused]] = {
    "approve": (lambda p: says(p, "approve", comment="fine"), yes(PLAIN, comment="fine")),
    "approve the run": (lambda p: says(p, "approve_run"), yes(PLAIN, scope="run")),
    "approve the kind": (lambda p: says(p, "approve_kind"), yes(PLAIN, scope="kind")),
    "edit": (lambda p: says(p, "edit", text="y = 2", comment="so"), yes(PLAIN, "y = 2", edited=True, comment="so")),
    "edit nothing": (lambda p: says(p, "edit", text="x = 1"), yes(PLAIN)),
    "edit everything away": (
        lambda p: says(p, "edit", text=" \n"),
        no("the edited code was empty", "person", "continue"),
    ),
    "edit without a text": (lambda p: says(p, "edit"), no("the edited code was empty", "person", "continue")),
    "a text with approve is not run": (lambda p: says(p, "approve", text="rm()"), yes(PLAIN)),
    "refuse": (lambda p: says(p, "refuse", comment="use the mean"), no("use the mean", "person", "continue")),
    "refuse without a word": (lambda p: says(p, "refuse"), no("", "person", "continue")),
    "stop": (lambda p: says(p, "stop"), no("stopped", "person", "stopped")),
    "stop with a word": (lambda p: says(p, "stop", comment="wrong table"), no("wrong table", "person", "stopped")),
    "nobody": (lambda p: says(p, "nobody"), no(NO_APPROVER)),
    "an unknown choice": (lambda p: says(p, "yes"), no(NO_APPROVER)),  # type: ignore[arg-type]
}
STALE = no("the answer belongs to another proposal")
MISMATCHED: dict[str, Callable[[Proposed], Answer]] = {
    "another run": lambda p: replace(says(p, "approve"), run="q"),
    "an older step": lambda p: replace(says(p, "approve"), step=0),
    "another text": lambda p: replace(says(p, "approve"), fingerprint=fingerprint("code", "x = 2")),
    "another kind": lambda p: replace(says(p, "approve"), fingerprint=fingerprint("plan", "x = 1")),
    "the digest of the text alone": lambda p: replace(says(p, "approve"), fingerprint=sha256("x = 1")),
    "an edit of something else": lambda p: replace(says(p, "edit", text="y"), fingerprint=""),
    "a refusal of something else": lambda p: replace(says(p, "refuse"), fingerprint=""),
}


@pytest.mark.parametrize(("answer", "decision"), ANSWERS.values(), ids=ANSWERS)
def test_a_person_decides(answer: Callable[[Proposed], Answer], decision: Allowed | Refused) -> None:
    view = Person(answer)
    assert [plain(made) for made in decide(ask(view), PLAIN)] == [decision]
    assert view.asked == [PLAIN]


@pytest.mark.parametrize("answer", MISMATCHED.values(), ids=MISMATCHED)
def test_an_answer_to_something_else_is_refused(answer: Callable[[Proposed], Answer]) -> None:
    assert decide(ask(Person(answer)), PLAIN) == [STALE]


def test_the_refusal_without_a_person_names_the_way_out() -> None:
    assert "--approve auto" in NO_APPROVER
    assert "SMOLCELL_APPROVE=auto" in NO_APPROVER


def test_auto_and_deny_ask_no_one() -> None:
    assert [plain(made) for made in decide(allow_all, PLAIN)] == [yes(PLAIN, by="auto")]
    assert decide(deny_all, PLAIN) == [no("approval mode is deny: nothing runs", "deny")]


def test_approve_everything_reaches_to_the_end_of_its_run_with_the_name_of_the_approver() -> None:
    view = Person(lambda p: says(p, "approve_run", who="Ben"), "nobody")
    proposals = [PLAIN, replace(PLAIN, step=2, findings=(NET,)), replace(PLAIN, run="s", step=1)]
    made = [plain(decision) for decision in decide(remembered(ask(view)), *proposals)]
    assert made == [
        yes(PLAIN, scope="run", who="Ben"),
        yes(proposals[1], by="remembered", who="Ben"),
        no(NO_APPROVER, proposal=proposals[2]),
    ]


def test_a_yes_to_the_rest_of_a_run_that_was_said_about_a_plan_covers_plans_alone() -> None:
    plan = replace(PLAIN, kind="plan", findings=())
    person = Person("approve_run", "approve_run")
    gate = remembered(ask(person))
    decisions = decide(
        gate, plan, replace(plan, step=2), replace(PLAIN, step=3), replace(PLAIN, step=4), replace(plan, step=5)
    )
    assert [decision.by for decision in decisions] == ["person", "remembered", "person", "remembered", "remembered"]
    assert [proposal.step for proposal in person.asked] == [1, 3]


def test_a_no_and_an_edit_are_not_remembered() -> None:
    view = Person("refuse", lambda p: says(p, "edit", text="y"), "approve")
    proposals = [replace(PLAIN, step=step) for step in (1, 2, 3)]
    decide(remembered(ask(view)), *proposals)
    assert view.asked == proposals


def test_an_answer_without_a_name_is_the_systems_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.approval.gates._os_user", lambda: "carl")
    said = decide(ask(Person(lambda p: says(p, "approve", who=""), lambda p: says(p, "refuse", who=""))), PLAIN, PLAIN)
    assert [each.who for each in said] == ["carl", "carl"]
    nobody = decide(ask(Person(lambda p: says(p, "nobody", who=""))), PLAIN)
    assert [each.who for each in nobody] == [""]


async def fails(proposed: Proposed) -> Allowed:
    raise RuntimeError("the page broke")


def is_not_async(proposed: Proposed) -> Any:
    return permit(proposed, by="auto")


async def says_nothing(proposed: Proposed) -> Any:
    return None


def always(decision: Allowed | Refused) -> Gate:
    async def gate(proposed: Proposed) -> Allowed | Refused:
        return decision

    return gate


BROKEN: dict[str, tuple[Gate, str]] = {
    "it raises": (fails, "the approval failed (RuntimeError: the page broke)"),
    "it is not async": (
        is_not_async,  # type: ignore[dict-item]
        "the approval failed (TypeError: a gate is async: write `async def gate(proposed)`)",
    ),
    "it says nothing": (says_nothing, "the approval answered for another step"),
    "another run": (always(permit(replace(PLAIN, run="q"), by="person")), "the approval answered for another step"),
    "another step": (always(permit(replace(PLAIN, step=9), by="person")), "the approval answered for another step"),
    "its view raises": (ask(Person(OSError("gone"))), "the approval failed (OSError: gone)"),
    "its view answers nothing": (
        ask(Person(lambda _: None)),
        "the approval failed (AttributeError: 'NoneType' object has no attribute 'is_for')",
    ),
}


@pytest.mark.parametrize(("gate", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_gate_that_fails_is_closed(gate: Gate, reason: str) -> None:
    assert decide(fail_closed(gate), PLAIN) == [no(reason)]


def test_a_cancelled_gate_lets_nothing_through() -> None:
    async def cancelled() -> None:
        await fail_closed(always(await asyncio.Event().wait()))(PLAIN)  # type: ignore[arg-type]

    async def run() -> None:
        task = asyncio.create_task(cancelled())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_a_forged_permit_passes_no_executor() -> None:
    forged = decide(fail_closed(always(yes(PLAIN))), PLAIN)[0]
    assert isinstance(forged, Allowed)
    with pytest.raises(PermitError):
        spend(forged)


def test_the_modes() -> None:
    harmful = replace(PLAIN, step=2, findings=(FILE,))
    assert {
        mode: [decision.by for decision in decide(create_gate(mode, Person("approve", "approve")), PLAIN, harmful)]
        for mode in MODES
    } == {
        "ask": ["person", "person"],
        "risky": ["person", "person"],  # nothing is known of its walls
        "auto": ["auto", "auto"],
        "deny": ["deny", "deny"],
    }
    for mode in ("ask", "risky"):
        assert decide(create_gate(mode, Person(OSError("gone"))), harmful) == [
            no("the approval failed (OSError: gone)", proposal=harmful)
        ]


def test_an_unknown_mode_names_the_valid_ones() -> None:
    with pytest.raises(SetupError, match=r"'yes'; valid modes are: ask, risky, auto, deny\. Try: --approve ask"):
        create_gate("yes", Person())


# --- calls of a step, runs of a run, and budgets -----------------------------------------------------------------------


def test_an_answer_to_one_call_is_none_to_the_next() -> None:
    first, second = (Proposed(run="r", step=1, call=n, kind="call", text="f()") for n in (1, 2))
    late = ask(Person(lambda _: says(first, "approve")))
    assert decide(late, second) == [replace(STALE, call=2)]

    async def answers_the_first(_: Proposed) -> Allowed:
        return permit(first, by="person")

    assert isinstance(decide(fail_closed(answers_the_first), second)[0], Refused)
    [allowed] = decide(ask(Person("approve")), second)
    assert (allowed.call, allowed.kind) == (2, "call")  # type: ignore[union-attr]


def test_a_yes_to_a_run_reaches_to_the_runs_that_it_calls_and_to_no_other() -> None:
    person = Person("approve_run", "refuse")
    own, called, other = (Proposed(run=run, step=1, text="x") for run in ("ab", "ab-1-1", "abc"))
    said = decide(remembered(ask(person)), own, called, other)
    assert [one.by for one in said] == ["person", "remembered", "person"]
    assert isinstance(said[2], Refused)


@pytest.mark.parametrize("kind", ["budget", "context", "host", "link", "output"])
def test_what_only_a_person_can_give_is_asked_about_each_time_and_never_given_unasked(kind: Any) -> None:
    more = Proposed(run="r", step=2, text="Go on?", kind=kind)
    person = Person("approve_run", "approve", "refuse")
    gate = remembered(ask(person))
    assert [type(one) for one in decide(gate, PLAIN, more, more)] == [Allowed, Allowed, Refused]
    [unasked] = decide(create_gate("auto", Person()), more)
    assert (unasked.by, unasked.then) == ("nobody", "refused")  # type: ignore[union-attr]
