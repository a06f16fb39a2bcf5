"""A budget ends a run, or is asked about: nobody goes beyond it unasked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from persons import ANSWER, CODE, Person, names, of, scripted

from smolcell import Budget
from smolcell.agent.budget import BudgetTracker
from smolcell.errors import AgentBudgetError, AgentStopped, SetupError
from smolcell.events import Proposed, Replied, Usage

PAID = Replied(text=CODE, usage=Usage(input_tokens=50, output_tokens=10, cost=0.5))
agent = partial(scripted, does=("", "", ANSWER))


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(tokens=100), "The budget is spent: tokens 120 of 100."),
        (Budget(cost=0.75), "The budget is spent: cost 1 of 0.75 dollars."),
        (Budget(steps=2), "The budget is spent: steps 2 of 2."),
        (Budget(tokens=100, steps=2), "The budget is spent: tokens 120 of 100, steps 2 of 2."),
    ],
)
def test_if_no_question_is_asked_the_run_ends_with_the_budgets_name(budget: Budget, said: str) -> None:
    with agent(PAID, PAID, PAID, budget=budget) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, type(result.error), len(made.model.calls)) == ("error", AgentBudgetError, 2)
    assert str(result.error).startswith(said)
    assert result.usage == Usage(input_tokens=100, output_tokens=20, cost=1.0)


def test_a_person_may_go_on_and_is_asked_again_after_as_much_again() -> None:
    person = Person("approve", "approve", "approve", "approve", "approve", "refuse")
    with agent(*[PAID] * 6, view=person, does=(), budget=Budget(tokens=100)) as made:
        result = made.run("t", return_full_result=True)
    kinds = ["code", "code", "budget", "code", "code", "budget"]
    assert [(asked.kind, asked.step) for asked in person.asked] == list(zip(kinds, (1, 2, 3, 3, 4, 5), strict=True))
    assert person.asked[2].text == "The budget is spent: tokens 120 of 100. Go on, with as much again?"
    assert person.asked[5].text.startswith("The budget is spent: tokens 240 of 220.")
    assert (result.state, type(result.error)) == ("stopped", AgentStopped)
    assert str(result.error) == "The budget is spent: tokens 240 of 220. You chose not to go on."


def test_a_model_without_prices_is_asked_about_once() -> None:
    free = replace(PAID, usage=Usage(input_tokens=5, output_tokens=1))
    person = Person("approve", "approve", "approve", "approve")
    with agent(*[free] * 3, view=person, budget=Budget(cost=1.0)) as made:
        assert made.run("t") == 42
    assert [asked.kind for asked in person.asked] == ["code", "budget", "code", "code"]
    assert person.asked[1].text.startswith("The model does not report its cost")


@pytest.mark.parametrize(
    ("limits", "said"), [({"tokens": 5}, "tokens"), ({"cost": 1.0, "tokens": 5}, "tokens and dollars")]
)
def test_if_the_model_reports_no_usage_the_user_is_asked_about_the_budget(limits: Any, said: str) -> None:
    with agent(CODE, CODE, CODE, budget=Budget(**limits)) as made:
        result = made.run("t", return_full_result=True)
    assert (type(result.error), len(made.model.calls)) == (AgentBudgetError, 1)
    assert str(result.error).startswith(f"The model does not report its usage, so the budget in {said} cannot be held.")
    person = Person("approve", "approve", "approve", "approve")
    with agent(CODE, CODE, CODE, view=person, budget=Budget(**limits)) as made:
        assert made.run("t") == 42
    assert [asked.kind for asked in person.asked] == ["code", "budget", "code", "code"]


def test_time_counts_but_not_the_time_of_a_decision() -> None:
    tracker = BudgetTracker(Budget(seconds=10), now=100.0)
    assert tracker.exceeded(109.0) == ""
    assert tracker.exceeded(110.0) == "The budget is spent: seconds 10 of 10 s. Go on, with as much again?"
    tracker.waited = 5.0
    assert tracker.exceeded(112.0) == ""
    tracker.extend(116.0)
    assert (tracker.exceeded(125.0), tracker.exceeded(126.0)[:20]) == ("", "The budget is spent:")


def test_a_run_whose_budget_is_spent_can_be_resumed_with_a_budget_of_its_own() -> None:
    with agent(PAID, PAID, PAID, budget=Budget(steps=2)) as made:
        with pytest.raises(AgentBudgetError):
            made.run("t")
        assert made.resume() == 42


def test_the_question_and_its_answer_are_in_the_history() -> None:
    with agent(PAID, PAID, PAID, view=Person(*["approve"] * 4), budget=Budget(steps=2)) as made:
        made.run("t")
        events = made.memory.events
    asked = events.index(next(event for event in of(events, Proposed) if event.kind == "budget"))
    assert names(events[asked : asked + 3]) == ["Proposed", "Allowed", "Replied"]


@pytest.mark.parametrize("limits", [{"tokens": 0}, {"cost": -1}, {"seconds": "5"}])
def test_a_budget_of_nothing_is_none(limits: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match=f"a budget's {next(iter(limits))} must be above zero"):
        Budget(**limits)
