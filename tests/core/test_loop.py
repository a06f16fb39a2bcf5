"""The loop decides with ``next`` and ``send`` alone: no model, no gate, no sandbox, no event loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from smolcell.core.loop import AskModel, Check, Ending, LoopSettings, Request, Response, Review, Run, Steps, Tell, steps
from smolcell.core.parsing import NO_PROGRAM
from smolcell.core.prompt import PromptSettings, final_request, prompt
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


def settings(max_steps: int = 5, budget: int = 200_000) -> LoopSettings:
    chosen = PromptSettings(templates=PROMPT.templates, budget=budget)
    return LoopSettings(max_steps=max_steps, prompt=chosen, find=lambda _: FOUND, describe=lambda value: f"<{value}>")


def replied(step: int, text: str) -> Replied:
    return Replied(run="r", step=step, text=text)


def proposed(step: int, text: str = "x = 1", thought: str = "") -> Proposed:
    return Proposed(run="r", step=step, text=text, thought=thought, findings=FOUND)


def allowed(step: int, text: str = "x = 1") -> Allowed:
    return Allowed(run="r", step=step, text=text, sha256=sha256(text), by="person")


def observed(step: int, **fields: object) -> Observed:
    return Observed(run="r", step=step, **fields)  # type: ignore[arg-type]


def drive(loop: Steps, *facts: Response) -> tuple[list[Request], Ending | None]:
    """Send these facts, and None after each Tell; what was wanted, and the ending if there is one."""
    wants: list[Request] = []
    left = list(facts)
    try:
        want = next(loop)
        while True:
            wants.append(want)
            if not isinstance(want, Tell) and not left:
                return wants, None
            want = loop.send(None if isinstance(want, Tell) else left.pop(0))
    except StopIteration as stop:
        assert left == []
        return wants, stop.value


def think(step: int, *history: object) -> AskModel:
    return AskModel(step, prompt((ASKED, *history), PROMPT))  # type: ignore[arg-type]


def test_a_step_is_think_review_run_and_a_final_answer_ends_it() -> None:
    final = observed(1, output=42, is_final_answer=True)
    wants, ending = drive(steps(ASKED, (), settings()), replied(1, f"Easy.\n{CODE}"), allowed(1), final)
    assert wants == [
        think(1),
        Tell(proposed(1, thought="Easy.")),
        Review(proposed(1, thought="Easy.")),
        Run(allowed(1)),
        Tell(Answered(run="r", step=1, text="<42>")),
    ]
    assert ending == Ending("success", 42, "", 1)
    assert wants[-1].event.output == 42  # type: ignore[union-attr]


def test_what_a_step_did_is_in_the_next_prompt() -> None:
    did = observed(1, stdout="hello")
    wants, ending = drive(steps(ASKED, (), settings()), replied(1, CODE), allowed(1), did)
    assert (wants[-1], ending) == (think(2, replied(1, CODE), proposed(1), allowed(1), did), None)
    assert "hello" in wants[-1].messages[-1].text  # type: ignore[union-attr]


def test_prose_is_told_and_not_reviewed() -> None:
    told = Unparsed(run="r", step=1, reason=NO_PROGRAM)
    wants, _ = drive(steps(ASKED, (), settings()), replied(1, "Done"))
    assert wants == [think(1), Tell(told), think(2, replied(1, "Done"), told)]


def test_a_structured_answer_ends_the_run_and_runs_nothing() -> None:
    accepted = observed(1, is_final_answer=True, output=[1])
    wants, ending = drive(steps(ASKED, (), settings()), replied(1, '{"final_answer": [1]}'), accepted)
    assert wants == [think(1), Check(1, [1]), Tell(Answered(run="r", step=1, text="<[1]>"))]
    assert ending == Ending("success", [1], "", 1)


def test_a_refusal_goes_back_to_the_model_with_its_reason() -> None:
    no = Refused(run="r", step=1, reason="use the mean", by="person", then="continue")
    wants, _ = drive(steps(ASKED, (), settings()), replied(1, CODE), no)
    assert wants[3:] == [think(2, replied(1, CODE), proposed(1), no)]
    assert "They said: use the mean" in wants[-1].messages[-1].text  # type: ignore[union-attr]


@pytest.mark.parametrize("then", ["refused", "stopped"])
def test_a_closed_gate_ends_the_run(then: str) -> None:
    no = Refused(run="r", step=1, reason="nobody there", by="nobody", then=then)  # type: ignore[arg-type]
    wants, ending = drive(steps(ASKED, (), settings()), replied(1, CODE), no)
    assert wants == [think(1), Tell(proposed(1)), Review(proposed(1))]
    assert ending == Ending(then, None, "nobody there", 1)  # type: ignore[arg-type]


def test_a_final_answer_that_failed_is_none() -> None:
    fault = Fault(kind="python", type="FinalAnswerError", message="no")
    facts = (replied(1, CODE), allowed(1), observed(1, is_final_answer=True, error=fault))
    assert drive(steps(ASKED, (), settings()), *facts)[1] is None


def test_at_the_step_limit_the_model_is_asked_once_for_its_best_answer() -> None:
    said, told = replied(1, "Hm."), Unparsed(run="r", step=1, reason=NO_PROGRAM)
    wants, ending = drive(steps(ASKED, (), settings(max_steps=1)), said, replied(2, " About 40. "))
    assert wants == [
        think(1),
        Tell(told),
        AskModel(2, final_request((ASKED, said, told), PROMPT)),
        Tell(Answered(run="r", step=2, text="<About 40.>", is_text=True)),
    ]
    reason = "no final answer within 1 steps (raise the limit with max_steps, or --max-steps in a cell)"
    assert ending == Ending("max_steps_error", "About 40.", reason, 1)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (CODE, None),
        ("It is 40.\n<code>\nprint(1)\n</code>", "It is 40."),
        ("It is 40.\n<code>\nprint(", "It is 40."),
        ("<code>\nprint(", None),
    ],
)
def test_code_in_the_best_answer_is_neither_run_nor_the_answer(said: str, answer: str | None) -> None:
    wants, ending = drive(steps(ASKED, (), settings(max_steps=1)), replied(1, "Hm."), replied(2, said))
    assert not any(isinstance(want, Review | Run) for want in wants)
    assert ending is not None
    assert ending.output == answer


def test_an_object_is_the_best_answer_as_it_stands() -> None:
    structured = drive(steps(ASKED, (), settings(max_steps=1)), replied(1, "Hm."), replied(2, '{"answer": 40}'))[1]
    assert structured is not None
    assert structured.output == 40


def test_a_history_that_outgrows_its_budget_is_trimmed_before_the_model_is_asked() -> None:
    long = [observed(step, stdout=letter * 1000) for step, letter in enumerate("abc", 1)]
    facts: list[Response] = []
    for step in (1, 2, 3):
        facts += [replied(step, CODE), allowed(step), long[step - 1]]
    wants, _ = drive(steps(ASKED, (), settings(budget=2500)), *facts)
    cut = Trimmed(run="r", step=4, steps=(1, 2))
    history: History = (ASKED, *(event for step in (1, 2, 3) for event in _whole(step, long)), cut)
    assert wants[-2:] == [Tell(cut), AskModel(4, prompt(history, PROMPT))]


def test_the_last_request_is_trimmed_too() -> None:
    long = [observed(step, stdout=letter * 1000) for step, letter in enumerate("abc", 1)]
    facts: list[Response] = []
    for step in (1, 2, 3):
        facts += [replied(step, CODE), allowed(step), long[step - 1]]
    wants, _ = drive(steps(ASKED, (), settings(max_steps=3, budget=2500)), *facts)
    assert wants[-2] == Tell(Trimmed(run="r", step=4, steps=(1, 2)))
    assert sum(len(message.text) for message in wants[-1].messages) < 2500  # type: ignore[misc, union-attr]


def test_observations_of_an_earlier_run_go_first_and_are_named_as_its_own() -> None:
    past: History = (
        Asked(run="q", task="u"),
        Replied(run="q", step=1, text=CODE),
        Observed(run="q", step=1, stdout="a" * 2000),
    )
    wants, _ = drive(
        steps(ASKED, past, settings(budget=2500)), replied(1, CODE), allowed(1), observed(1, stdout="b" * 1000)
    )
    assert wants[-2] == Tell(Trimmed(run="q", step=2, steps=(1,)))
    said = wants[-1].messages  # type: ignore[union-attr]
    assert ["a" * 2000 in said[-1].text, "b" * 1000 in said[-1].text] == [False, True]
    assert not any("a" * 2000 in message.text for message in said)


def _whole(step: int, long: list[Observed]) -> History:
    return (replied(step, CODE), proposed(step), allowed(step), long[step - 1])


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "nothing": (lambda: None, "not NoneType"),
    "a truth": (lambda: True, "not bool"),
    "a permit for another step": (lambda: allowed(2), r"for \('r', 2, 0\), but was asked about \('r', 1, 0\)"),
    "a refusal for another run": (
        lambda: Refused(run="q", step=1, reason="", by="person", then="continue"),
        r"for \('q', 1, 0\), but was asked about \('r', 1, 0\)",
    ),
}


@pytest.mark.parametrize(("answer", "said"), WRONG.values(), ids=WRONG)
def test_a_gate_that_answers_something_else_is_an_error_and_nothing_runs(
    answer: Callable[[], Response], said: str
) -> None:
    loop = steps(ASKED, (), settings())
    wants = [next(loop), loop.send(replied(1, CODE)), loop.send(None)]
    assert wants[2] == Review(proposed(1))
    with pytest.raises(TypeError, match=said):
        loop.send(answer())


# --- a conversation that the model finds too long ----------------------------------------------------------------------


def too_long(loop: Steps, *facts: Response | Exception) -> tuple[list[Request], BaseException | None]:
    """Like ``drive``; an exception among the facts is thrown in. What was wanted, and what the loop let through."""
    wants: list[Request] = []
    left = list(facts)
    want = next(loop)
    while True:
        wants.append(want)
        if not isinstance(want, Tell) and not left:
            return wants, None
        fact = None if isinstance(want, Tell) else left.pop(0)
        try:
            want = loop.throw(fact) if isinstance(fact, Exception) else loop.send(fact)
        except ContextLengthError as error:
            return wants, error


ERROR = ContextLengthError("too long for m. Start afresh with --new.")


def three_steps(*sizes: int) -> tuple[list[Response], History]:
    long = [observed(step, stdout="abc"[step - 1] * size) for step, size in enumerate(sizes, 1)]
    facts: list[Response] = []
    for step in range(1, len(sizes) + 1):
        facts += [replied(step, CODE), allowed(step), long[step - 1]]
    return facts, (ASKED, *(event for step in range(1, len(sizes) + 1) for event in _whole(step, long)))


def test_a_conversation_the_model_finds_too_long_is_cut_to_half_and_asked_again() -> None:
    facts, history = three_steps(1000, 1000, 1000)
    wants, _ = too_long(steps(ASKED, (), settings()), *facts, ERROR)
    cut = Trimmed(run="r", step=4, steps=(1, 2))
    assert wants[-3:] == [
        AskModel(4, prompt(history, PROMPT)),
        Tell(cut),
        AskModel(4, prompt((*history, cut), PROMPT)),
    ]


def test_after_a_context_length_error_the_model_is_asked_again_only_once() -> None:
    facts, _ = three_steps(1000, 1000, 1000)
    wants, raised = too_long(steps(ASKED, (), settings()), *facts, ERROR, ERROR)
    assert raised is ERROR
    assert sum(isinstance(want, AskModel) and want.step == 4 for want in wants) == 2


def test_what_cannot_be_shortened_is_not_asked_again() -> None:
    wants, raised = too_long(steps(ASKED, (), settings()), ERROR)
    assert (wants, raised) == ([think(1)], ERROR)


def test_the_newest_observation_goes_last_and_goes_where_nothing_else_helps() -> None:
    facts, _ = three_steps(9000)
    wants, _ = too_long(steps(ASKED, (), settings()), *facts, ERROR)
    assert wants[-2] == Tell(Trimmed(run="r", step=2, steps=(1,)))


def test_from_then_on_the_conversation_is_kept_shorter() -> None:
    """Else the model would refuse every other step of a long run."""
    facts, _ = three_steps(1000, 1000, 1000)
    more = [replied(4, CODE), allowed(4), observed(4, stdout="d" * 2000)]
    wants, _ = too_long(steps(ASKED, (), settings()), *facts, ERROR, *more)
    assert wants[-2] == Tell(Trimmed(run="r", step=5, steps=(3,)))


def test_the_request_for_the_best_answer_is_shortened_too() -> None:
    facts, _ = three_steps(1000, 1000, 1000)
    wants, _ = too_long(steps(ASKED, (), settings(max_steps=3)), *facts, ERROR)
    assert wants[-2] == Tell(Trimmed(run="r", step=4, steps=(1, 2)))
    assert wants[-1].messages[-1].text.endswith("now: t")  # type: ignore[union-attr]
