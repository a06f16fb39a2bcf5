"""The loop decides with ``next`` and ``send`` alone: no model, no gate, no sandbox, no event loop."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell.core.loop import (
    AskModel,
    CheckAnswer,
    Ending,
    LoopSettings,
    Request,
    Response,
    Review,
    RunCode,
    Steps,
    Tell,
    steps,
)
from smolcell.core.prompt import TEXT, PromptSettings, final_request, prompt
from smolcell.errors import ContextLengthError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Fault,
    Finding,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    sha256,
)

ASKED = Asked(run="r", task="t")
CODE = "<code>\nx = 1\n</code>"
FOUND = (Finding(kind="name", text="x"),)
PROMPT = PromptSettings(templates={"system_prompt": "s", "final_answer": "now: {task}"})


def loop(max_steps: int = 5, budget: int = 200_000, past: History = ()) -> Steps:
    chosen = PromptSettings(templates=PROMPT.templates, budget=budget)
    found = {"find": lambda _: FOUND, "describe": lambda value: f"<{value}>"}
    return steps(ASKED, past, LoopSettings(max_steps=max_steps, prompt=chosen, **found))  # type: ignore[arg-type]


def replied(step: int, text: str) -> Replied:
    return Replied(run="r", step=step, text=text)


def proposed(step: int, text: str = "x = 1", thought: str = "") -> Proposed:
    return Proposed(run="r", step=step, text=text, thought=thought, findings=FOUND)


def allowed(step: int, text: str = "x = 1") -> Allowed:
    return Allowed(run="r", step=step, text=text, sha256=sha256(text), by="person")


def observed(step: int, **fields: object) -> Observed:
    return Observed(run="r", step=step, **fields)  # type: ignore[arg-type]


def drive(*facts: Response | Exception, **options: Any) -> tuple[list[Request], Any]:
    """Send these facts, and None after each Tell; an exception is thrown in. What was wanted, and how it ended."""
    running, wants, left = loop(**options), list[Request](), list(facts)
    try:
        want = next(running)
        while True:
            wants.append(want)
            if not isinstance(want, Tell) and not left:
                return wants, None
            fact = None if isinstance(want, Tell) else left.pop(0)
            want = running.throw(fact) if isinstance(fact, Exception) else running.send(fact)
    except StopIteration as stop:
        assert left == []
        return wants, stop.value
    except ContextLengthError as error:
        return wants, error


def step_facts(*sizes: int) -> tuple[list[Response], History]:
    """What is sent for steps that print so much, and the history that it makes."""
    facts: list[Response] = []
    history: History = (ASKED,)
    for step, size in enumerate(sizes, 1):
        did = observed(step, stdout="abc"[step - 1] * size)
        facts += [replied(step, CODE), allowed(step), did]
        history += (replied(step, CODE), proposed(step), allowed(step), did)
    return facts, history


def think(step: int, *history: object) -> AskModel:
    return AskModel(step, prompt((ASKED, *history), PROMPT))  # type: ignore[arg-type]


def test_a_step_is_think_review_run_and_a_final_answer_ends_it() -> None:
    final = observed(1, output=42, is_final_answer=True)
    wants, ending = drive(replied(1, f"Easy.\n{CODE}"), allowed(1), final)
    assert wants == [
        think(1),
        Tell(proposed(1, thought="Easy.")),
        Review(proposed(1, thought="Easy.")),
        RunCode(allowed(1)),
        Tell(Answered(run="r", step=1, text="<42>")),
    ]
    assert ending == Ending("success", 42, "", 1)
    assert wants[-1].event.output == 42  # type: ignore[union-attr]


def test_what_a_step_did_is_in_the_next_prompt() -> None:
    did = observed(1, stdout="hello")
    wants, ending = drive(replied(1, CODE), allowed(1), did)
    assert (wants[-1], ending) == (think(2, replied(1, CODE), proposed(1), allowed(1), did), None)
    assert "hello" in wants[-1].messages[-1].text  # type: ignore[union-attr]


def test_prose_is_told_and_not_reviewed() -> None:
    told = Unparsed(run="r", step=1, reason=TEXT.again)
    wants, _ = drive(replied(1, "Done"))
    assert wants == [think(1), Tell(told), think(2, replied(1, "Done"), told)]


def test_a_structured_answer_ends_the_run_and_runs_nothing() -> None:
    accepted = observed(1, is_final_answer=True, output=[1])
    wants, ending = drive(replied(1, '{"final_answer": [1]}'), accepted)
    assert wants == [think(1), CheckAnswer(1, [1]), Tell(Answered(run="r", step=1, text="<[1]>"))]
    assert ending == Ending("success", [1], "", 1)


def test_a_refusal_goes_back_to_the_model_with_its_reason() -> None:
    no = Refused(run="r", step=1, reason="use the mean", by="person", then="continue")
    wants, _ = drive(replied(1, CODE), no)
    assert wants[3:] == [think(2, replied(1, CODE), proposed(1), no)]
    assert "They said: use the mean" in wants[-1].messages[-1].text  # type: ignore[union-attr]


@pytest.mark.parametrize("then", ["refused", "stopped"])
def test_a_closed_gate_ends_the_run(then: str) -> None:
    no = Refused(run="r", step=1, reason="nobody there", by="nobody", then=then)  # type: ignore[arg-type]
    wants, ending = drive(replied(1, CODE), no)
    assert wants == [think(1), Tell(proposed(1)), Review(proposed(1))]
    assert ending == Ending(then, None, "nobody there", 1)  # type: ignore[arg-type]


def test_a_final_answer_that_failed_is_none() -> None:
    fault = Fault(kind="python", type="FinalAnswerError", message="no")
    facts = (replied(1, CODE), allowed(1), observed(1, is_final_answer=True, error=fault))
    assert drive(*facts)[1] is None


def test_at_the_step_limit_the_model_is_asked_once_for_its_best_answer() -> None:
    said, told = replied(1, "Hm."), Unparsed(run="r", step=1, reason=TEXT.again)
    wants, ending = drive(said, replied(2, " About 40. "), max_steps=1)
    assert wants == [
        think(1),
        Tell(told),
        AskModel(2, final_request((ASKED, said, told), PROMPT), last=True),
        Tell(Answered(run="r", step=2, text="<About 40.>", is_text=True)),
    ]
    reason = "no final answer within 1 steps (raise the limit with max_steps, or --max-steps in a cell)"
    assert ending == Ending("max_steps_error", "About 40.", reason, 1)


def at_the_limit(*facts: Response) -> tuple[list[Request], Any]:
    """Send these facts after the request for a last program. What was wanted since then, and how it ended."""
    said, told = replied(1, "Hm."), Unparsed(run="r", step=1, reason=TEXT.again)
    wants, ending = drive(said, *facts, max_steps=1)
    assert wants[:3] == [think(1), Tell(told), AskModel(2, final_request((ASKED, said, told), PROMPT), last=True)]
    return wants[3:], ending


def test_the_last_program_is_reviewed_and_run_and_may_answer() -> None:
    final = observed(2, output=40, is_final_answer=True)
    wants, ending = at_the_limit(replied(2, CODE), allowed(2), final)
    answered = Answered(run="r", step=2, text="<40>")
    assert wants == [Tell(proposed(2)), Review(proposed(2)), RunCode(allowed(2)), Tell(answered)]
    assert ending == Ending("success", 40, "", 2)


def test_an_object_that_is_the_answer_may_be_the_last_reply() -> None:
    wants, ending = at_the_limit(replied(2, '{"answer": 40}'), observed(2, output=40, is_final_answer=True))
    assert wants == [CheckAnswer(2, 40), Tell(Answered(run="r", step=2, text="<40>"))]
    assert ending == Ending("success", 40, "", 2)


NO = Refused(run="r", step=2, reason="no", by="person", then="continue")
FAULT = Fault(kind="python", type="FinalAnswerError", message="no")


@pytest.mark.parametrize(
    ("said", "facts", "answer"),
    [
        (f"It is 40.\n{CODE}", [allowed(2), observed(2, stdout="41")], None),
        (f"It is 40.\n{CODE}", [allowed(2), observed(2, is_final_answer=True, error=FAULT)], None),
        (f"It is 40.\n{CODE}", [NO], None),
        (CODE, [allowed(2), observed(2)], None),
        ('{"answer": 40}', [observed(2, error=FAULT)], None),
        ("It is 40.\n<code>\nprint(", [], "It is 40."),  # not closed, so it is not run
        ("<code>\nprint(", [], None),
    ],
)
def test_a_last_program_that_does_not_answer_leaves_no_answer(
    said: str, facts: list[Response], answer: str | None
) -> None:
    wants, ending = at_the_limit(replied(2, said), *facts)
    assert sum(isinstance(want, RunCode) for want in wants) == sum(isinstance(fact, Allowed) for fact in facts)
    assert (ending.state, ending.output) == ("max_steps_error", answer)


def test_a_history_that_outgrows_its_budget_is_trimmed_before_the_model_is_asked() -> None:
    facts, history = step_facts(1000, 1000, 1000)
    wants, _ = drive(*facts, budget=2500)
    cut = Trimmed(run="r", step=4, steps=(1, 2))
    assert wants[-2:] == [Tell(cut), AskModel(4, prompt((*history, cut), PROMPT))]
    last, _ = drive(*facts, budget=2500, max_steps=3)  # the request for the best answer
    assert last[-2] == Tell(cut)
    assert sum(len(message.text) for message in last[-1].messages) < 2500  # type: ignore[misc, union-attr]


def test_observations_of_an_earlier_run_go_first_and_are_named_as_its_own() -> None:
    past: History = (
        Asked(run="q", task="u"),
        Replied(run="q", step=1, text=CODE),
        Observed(run="q", step=1, stdout="a" * 2000),
    )
    wants, _ = drive(replied(1, CODE), allowed(1), observed(1, stdout="b" * 1000), past=past, budget=2500)
    assert wants[-2] == Tell(Trimmed(run="q", step=2, steps=(1,)))
    said = wants[-1].messages  # type: ignore[union-attr]
    assert ["a" * 2000 in said[-1].text, "b" * 1000 in said[-1].text] == [False, True]
    assert not any("a" * 2000 in message.text for message in said)


ELSEWHERE = r"for \({}, 0\), but was asked about \('r', 1, 0\)"
WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (None, "not NoneType"),
    "a truth": (True, "not bool"),
    "a permit for another step": (allowed(2), ELSEWHERE.format("'r', 2")),
    "a refusal for another run": (
        Refused(run="q", step=1, reason="", by="person", then="continue"),
        ELSEWHERE.format("'q', 1"),
    ),
}


@pytest.mark.parametrize(("answer", "said"), WRONG.values(), ids=WRONG)
def test_a_gate_that_answers_something_else_is_an_error_and_nothing_runs(answer: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        drive(replied(1, CODE), answer)


# --- a conversation that the model finds too long ----------------------------------------------------------------------


ERROR = ContextLengthError("too long for m. Start afresh with --new.")


def test_a_conversation_the_model_finds_too_long_is_cut_to_half_and_asked_again() -> None:
    facts, history = step_facts(1000, 1000, 1000)
    wants, _ = drive(*facts, ERROR)
    cut = Trimmed(run="r", step=4, steps=(1, 2))
    assert wants[-3:] == [AskModel(4, prompt(history, PROMPT)), Tell(cut), AskModel(4, prompt((*history, cut), PROMPT))]


def test_after_a_context_length_error_the_model_is_asked_again_only_once() -> None:
    facts, _ = step_facts(1000, 1000, 1000)
    wants, raised = drive(*facts, ERROR, ERROR)
    assert raised is ERROR
    assert sum(isinstance(want, AskModel) and want.step == 4 for want in wants) == 2


def test_what_cannot_be_shortened_is_not_asked_again() -> None:
    wants, raised = drive(ERROR)
    assert (wants, raised) == ([think(1)], ERROR)


def test_the_newest_observation_goes_last_and_goes_where_nothing_else_helps() -> None:
    facts, _ = step_facts(9000)
    wants, _ = drive(*facts, ERROR)
    assert wants[-2] == Tell(Trimmed(run="r", step=2, steps=(1,)))


def test_from_then_on_the_conversation_is_kept_shorter() -> None:
    """Else the model would refuse every other step of a long run."""
    facts, _ = step_facts(1000, 1000, 1000)
    more = [replied(4, CODE), allowed(4), observed(4, stdout="d" * 1300)]
    wants, _ = drive(*facts, ERROR, *more)
    assert wants[-2] == Tell(Trimmed(run="r", step=5, steps=(3,)))


def test_the_request_for_the_best_answer_is_shortened_too() -> None:
    facts, _ = step_facts(1000, 1000, 1000)
    wants, _ = drive(*facts, ERROR, max_steps=3)
    assert wants[-2] == Tell(Trimmed(run="r", step=4, steps=(1, 2)))
    assert wants[-1].messages[-1].text.endswith("now: t")  # type: ignore[union-attr]
