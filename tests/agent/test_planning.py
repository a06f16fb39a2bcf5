"""Plans: asked for every so many programs, reviewed like anything else, and read by the model as they were allowed."""

from __future__ import annotations

from functools import partial

import pytest
from persons import ANSWER, CODE, Person, names, of, scripted

from smolcell.core.prompt import EMPTY, EXAMPLES, INITIAL
from smolcell.events import Allowed, Proposed, Refused, Replied, to_json
from smolcell.views.fold import fold
from smolcell.views.transcript import plain

FOLLOW = "Now carry out this plan, step by step."
FIRST = 1 + 2 * sum(
    len(example.replies) for example in EXAMPLES
)  # the place of the task, after the system message and the examples
agent = partial(scripted, does=("one", "two", ANSWER), planning_interval=2)


def test_a_plan_comes_first_and_again_after_so_many_programs() -> None:
    with agent("1. Look\n2. Leap", CODE, CODE, "1. Leap at last", CODE) as made:
        assert made.run("Leap.") == 42
        calls, steps, events = made.model.calls, made.memory.steps, made.memory.events
    assert names(of(events, Replied, Proposed, Allowed, Refused))[:3] == ["Replied", "Proposed", "Allowed"]
    assert "Step 1: a plan" in plain(fold(map(to_json, events)))
    assert [(step.number, step.plan or step.code) for step in steps] == [
        *((1, "1. Look\n2. Leap"), (2, "x = 1"), (3, "x = 1")),
        *((4, "1. Leap at last"), (5, "x = 1")),
    ]
    assert [message.text for message in calls[0][FIRST:]] == [f"New task:\nLeap.\n\n{INITIAL}"]
    assert [message.text for message in calls[1][FIRST:]] == ["New task:\nLeap.", "1. Look\n2. Leap", FOLLOW]
    assert "18 steps are left" in calls[3][-1].text
    assert [message.text for message in calls[4][-2:]] == ["1. Leap at last", FOLLOW]


def test_each_prompt_only_adds_to_the_one_before_but_for_the_request_of_a_plan() -> None:
    with agent("Plan", CODE, CODE, "Plan", CODE) as made:
        made.run("t")
        calls = [[dict(message) for message in call] for call in made.model.calls]
    assert calls[2][: len(calls[1])] == calls[1]
    assert calls[4][: len(calls[2])] == calls[2]


def test_an_edited_plan_is_the_one_the_model_reads() -> None:
    person = Person(("edit", {"text": "1. Look twice", "comment": "careful"}), "approve")
    with agent("1. Look", CODE, view=person, does=(ANSWER,)) as made:
        made.run("t")
        shown = made.model.calls[1]
    assert person.asked[0] == Proposed(run=made.run_id, step=1, kind="plan", text="1. Look")
    assert [message.text for message in shown[FIRST:]] == [
        "New task:\nt",
        "1. Look twice",
        f"The person changed the plan; this is how it stands. They said: careful {FOLLOW}",
    ]
    assert "1. Look\n" not in str(shown)


def test_a_refused_plan_is_written_again_with_what_the_person_said() -> None:
    person = Person(("refuse", {"comment": "shorter"}), "approve", "approve")
    with agent("1. A\n2. B", "1. C", CODE, view=person, does=(ANSWER,)) as made:
        assert made.run("t") == 42
        again = made.model.calls[1]
    assert [message.text for message in again[FIRST:]] == [
        "New task:\nt",
        "1. A\n2. B",
        f"The person refused this plan. They said: shorter\n\n{INITIAL}",
    ]


def test_a_plan_that_is_always_refused_is_given_up() -> None:
    person = Person(*["refuse"] * 3, "approve")
    with agent("A", "B", "C", CODE, view=person, does=(ANSWER,)) as made:
        assert made.run("t") == 42
    assert [asked.kind for asked in person.asked] == ["plan", "plan", "plan", "code"]


@pytest.mark.parametrize(("answer", "state"), [("stop", "stopped"), ("nobody", "refused")])
def test_a_no_that_is_not_for_the_model_ends_the_run_at_its_plan(answer: str, state: str) -> None:
    with agent("A plan", view=Person(answer)) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, made.executor.ran) == (state, [])


def test_an_empty_plan_is_reported() -> None:
    with agent("  ", CODE, does=(ANSWER,)) as made:
        assert made.run("t") == 42
        assert made.model.calls[1][-1].text == EMPTY


def test_plans_do_not_count_against_the_steps() -> None:
    with agent("P1", CODE, "P2", CODE, "Best.", does=(), planning_interval=1, max_steps=2) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output, len(result.steps)) == ("max_steps_error", "Best.", 4)
    assert str(result.error).startswith("no final answer within 2 steps")


def test_a_resumed_run_plans_again_and_goes_on() -> None:
    with agent("P1", CODE, "Best.", "P2", CODE, does=("", ANSWER), max_steps=1) as made:
        made.run("t", return_full_result=True)
        assert made.resume() == 42
    assert [event.kind for event in of(made, Proposed)] == ["plan", "code", "plan", "code"]


def test_the_texts_that_ask_for_a_plan_can_be_replaced() -> None:
    own = {"planning": {"initial_plan": "Plan for {{task}}!", "update_plan": "{remaining_steps} to go"}}
    with agent("P", CODE, "P", CODE, does=("", ANSWER), planning_interval=1, prompt_templates=own) as made:
        made.run("t")
        calls = made.model.calls
    assert calls[0][-1].text.endswith("Plan for t!")
    assert calls[2][-1].text.endswith("19 to go")
