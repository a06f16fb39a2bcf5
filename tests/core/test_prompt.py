"""The prompt is a fold of the history: it grows at its end, says what happened, and is trimmed visibly."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.prompt import PromptSettings, final_request, observation, prompt, system, trim
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Boundary,
    Ended,
    Event,
    Fault,
    File,
    History,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    Variable,
    from_json,
    sha256,
)
from smolcell.protocols import Message

SHORT = PromptSettings(templates={"system_prompt": "imports: {imports}", "final_answer": "answer: {task}"})
SYSTEM = Message("system", "imports: none")
GONE = "[The observation of this step was left out to keep the conversation within its budget.]"


def allowed(step: int, text: str, run: str = "r", **fields: object) -> Allowed:
    return Allowed(run=run, step=step, text=text, sha256=sha256(text), by="person", **fields)  # type: ignore[arg-type]


def whole_step(step: int, printed: str, run: str = "r") -> list[Event]:
    code = f"print({step})"
    return [
        Replied(run=run, step=step, text=f"<code>\n{code}\n</code>"),
        Proposed(run=run, step=step, text=code),
        allowed(step, code, run),
        Observed(run=run, step=step, stdout=printed),
    ]


def test_the_first_prompt_is_the_system_message_and_the_task() -> None:
    assert prompt((Asked(run="r", task="Add 1 and 1."),), SHORT) == [SYSTEM, Message("user", "New task:\nAdd 1 and 1.")]


def test_the_system_message_says_what_may_be_imported_which_tools_there_are_and_what_the_user_wants() -> None:
    settings = PromptSettings(
        imports=("math", "numpy.*"), tools=("def a():\n    ...", "def b(): ..."), instructions="Be brief."
    )
    text = system(settings)
    assert "Only these modules may be imported: math, numpy.*." in text
    assert text.endswith("Tools, called like Python functions:\ndef a():\n    ...\ndef b(): ...\nBe brief.")
    assert "{imports}" not in text
    assert system(PromptSettings(templates={"system_prompt": "a {b} {imports}"})) == "a {b} none"


def test_variables_are_described_and_images_are_parts() -> None:
    asked = Asked(
        run="r",
        task="Look.",
        variables=(
            Variable(name="n", type="int", text="3"),
            Variable(name="df", type="DataFrame", text="2 rows\na b\n"),
        ),
        images=("data:image/png;base64,AAAA",),
    )
    text = (
        "These variables are already defined:\n- n (int): 3\n- df (DataFrame): \n  2 rows\n  a b\n\nNew task:\nLook.\n\n"
        "Use as they are, without loading or defining them: n, df"
    )
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    assert prompt((asked,), SHORT) == [SYSTEM, Message("user", [{"type": "text", "text": text}, image])]


def test_files_are_named_with_their_sizes() -> None:
    asked = Asked(run="r", task="Look.", files=(File(name="a.csv", size=1234), File(name="d/", size=5)))
    wrote = Observed(run="r", step=1, files=tuple(File(name=f"f{number}", size=1) for number in range(21)))
    said = "These files are in the folder the code works in; it may read them by these names:\n- a.csv (1,234 bytes)\n- d/ (5 bytes)"
    assert prompt((asked,), SHORT) == [SYSTEM, Message("user", f"{said}\n\nNew task:\nLook.")]
    names = ", ".join(f"f{number} (1 bytes)" for number in range(20))
    assert observation(wrote) == f"Observation of step 1:\nFiles written: {names} and 1 more"


def test_a_run_is_a_conversation_whose_roles_alternate() -> None:
    history: History = (
        Asked(run="r", task="t"),
        Opened(run="r", boundary=Boundary(sandbox="local", where="here", isolated=False)),
        Replied(run="r", step=1, text="Done."),
        Unparsed(run="r", step=1, reason="Write code."),
        Replied(run="r", step=2, text="A", reasoning="never shown again"),
        Proposed(run="r", step=2, text="a"),
        Refused(run="r", step=2, reason="use the mean", by="person", then="continue"),
        Replied(run="r", step=3, text="B"),
        Proposed(run="r", step=3, text="b"),
        allowed(3, "c", edited=True, comment="shorter"),
        Observed(run="r", step=3, stdout="3\n", result="4"),
        Replied(run="r", step=4, text=""),
        Answered(run="r", step=4, text="42"),
        Ended(run="r", state="success", steps=4),
        Asked(run="s", task="and now?"),
    )
    assert prompt(history, SHORT) == [
        SYSTEM,
        Message("user", "New task:\nt"),
        Message("assistant", "Done."),
        Message("user", "Write code."),
        Message("assistant", "A"),
        Message(
            "user",
            "The person refused to run this program; it did not run. They said: use the mean\nPropose something else.",
        ),
        Message("assistant", "B"),
        Message(
            "user",
            "The person changed your program before it ran. They said: shorter This is what ran:\n<code>\nc\n</code>\n\n"
            "Observation of step 3:\nPrinted:\n3\nValue of the last expression:\n4",
        ),
        Message("assistant", "[an empty reply]"),  # some providers refuse a message without text
        Message("user", "That was the answer: 42\n\nNew task:\nand now?"),
    ]


def test_a_refusal_without_a_comment_and_the_ends_of_runs_say_no_more_than_they_must() -> None:
    refused = Refused(run="r", step=1, reason=" ", by="person", then="continue")
    stopped = Refused(run="r", step=1, reason="stopped", by="person", then="stopped")
    plain = "The person refused to run this program; it did not run.\nPropose something else."
    assert prompt((refused, stopped), SHORT) == [SYSTEM, Message("user", plain)]


@pytest.mark.parametrize(("event", "text"), cases(__file__, "observations"))
def test_the_model_reads_what_a_step_did(event: dict[str, Any], text: str) -> None:
    observed = from_json({"event": "Observed", **event})
    assert isinstance(observed, Observed)
    assert observation(observed) == f"Observation of step 0:\n{text}"


def test_the_last_request_repeats_the_newest_task() -> None:
    history = (Asked(run="r", task="old"), *whole_step(1, "1"), Asked(run="s", task="{task} new"))
    assert final_request(history, SHORT) == [
        *prompt(history, SHORT)[:-1],
        Message("user", "Observation of step 1:\nPrinted:\n1\n\nNew task:\n{task} new\n\nanswer: {task} new"),
    ]


# --- trimming ----------------------------------------------------------------------------------------------------------


def shown(history: History, settings: PromptSettings = SHORT) -> str:
    return "\n".join(message.text for message in prompt(history, settings))


def trimmed(history: History, settings: PromptSettings) -> History:
    """The history after the loop told of what must go."""
    return (*history, *(Trimmed(run=run, step=99, steps=steps) for run, steps in trim(history, settings).items()))


def sized(budget: int) -> PromptSettings:
    return PromptSettings(budget=budget, templates={"system_prompt": "s"})


def test_the_oldest_observations_go_first_visibly_down_to_three_quarters_and_the_newest_stays() -> None:
    printed = "abcdef"
    history: History = (Asked(run="r", task="t"),)
    for step, letter in enumerate(printed, 1):
        history += tuple(whole_step(step, letter * 1000))
    assert trim(history, sized(5000)) == {"r": (1, 2, 3)}
    after = trimmed(history, sized(5000))
    assert [letter * 1000 in shown(after) for letter in printed] == [False, False, False, True, True, True]
    assert shown(after).count(GONE) == 3
    assert trim(after, sized(5000)) == {}
    assert trim(history, sized(1)) == {"r": (1, 2, 3, 4, 5)}


def test_what_was_cut_stays_cut_and_the_rest_stays_as_it_was() -> None:
    """Between two cuts the prompt only grows at its end, so that providers' caches keep hitting."""
    settings, cuts = sized(4000), 0
    history: History = (Asked(run="r", task="t"),)
    prompts: list[str] = []
    for step in range(1, 40):
        after = trimmed(history, settings)
        if len(after) > len(history):
            prompts.clear()
        cuts += len(after) > len(history)
        history = after
        prompts.append(shown(history, settings))
        assert all(later.startswith(earlier) for earlier, later in pairwise(prompts))
        history += tuple(whole_step(step, f"{step:03}" * 100))
    assert 2 <= cuts <= 15


def test_an_observation_no_longer_than_the_note_in_its_place_stays() -> None:
    history = (
        Asked(run="r", task="t" * 5000),
        *whole_step(1, ""),
        *whole_step(2, "b" * 900),
        *whole_step(3, ""),
        *whole_step(4, ""),
    )
    assert trim(history, sized(1000)) == {"r": (2,)}


def test_earlier_runs_are_trimmed_before_the_current_one_and_steps_of_two_runs_are_distinguished() -> None:
    history: History = (
        Asked(run="r", task="t"),
        *whole_step(1, "a" * 1000, "r"),
        *whole_step(2, "b" * 1000, "r"),
        Asked(run="s", task="u"),
        *whole_step(1, "c" * 1000, "s"),
        *whole_step(2, "d" * 1000, "s"),
    )
    assert trim(history, sized(4000)) == {"r": (1, 2)}
    assert trim(history, sized(100)) == {"r": (1, 2), "s": (1,)}
    after = trimmed(history, sized(4000))
    assert [letter * 1000 in shown(after) for letter in "abcd"] == [False, False, True, True]


steps = st.lists(st.tuples(st.sampled_from("rs"), st.integers(0, 3000)), min_size=1, max_size=12)


@given(steps, st.integers(1, 20_000))
def test_trimming_holds_for_any_runs_and_any_budget(sizes: list[tuple[str, int]], budget: int) -> None:
    history: History = (Asked(run="r", task="t"), Asked(run="s", task="u"))
    for step, (run, size) in enumerate(sizes, 1):
        history += tuple(whole_step(step, "x" * size, run))
    after = trimmed(history, sized(budget))
    gone = [step for event in after if isinstance(event, Trimmed) for step in event.steps]
    newest = history[-1]
    assert isinstance(newest, Observed)
    assert shown(after).endswith(observation(newest))
    assert len(shown(after)) <= len(shown(history))
    assert (gone == []) if len(shown(history)) <= budget else len(sizes) not in gone
    again = [step for steps in trim(after, sized(budget)).values() for step in steps]
    assert set(again).isdisjoint(gone)


@given(
    st.lists(
        st.sampled_from(["ask", "ran", "failed", "prose", "refused", "edited", "answered", "stopped"]), max_size=25
    )
)
def test_the_prompt_only_grows_at_its_end_but_for_the_note_about_a_repeated_program(kinds: list[str]) -> None:
    history: History = (Asked(run="r", task="t"),)
    prompts = [shown(history)]
    for step, kind in enumerate(kinds, 1):
        history += _some(kind, step)
        prompts.append(shown(history))
        roles = [message.role for message in prompt(history, SHORT)]
        assert all(one != other for one, other in pairwise(roles))
    assert max(len(REPEATED.findall(text)) for text in prompts) <= 1  # about the newest step alone
    plain = [REPEATED.sub("", text) for text in prompts]
    assert all(later.startswith(earlier) for earlier, later in pairwise(plain))


REPEATED = re.compile(r"\n\nThis is the program of step \d+ again, with the same outcome\. [^\n\0]+")


def _some(kind: str, step: int) -> History:
    replied = Replied(run="r", step=step, text=f"reply {step}")
    proposed = Proposed(run="r", step=step, text="x")
    return {
        "ask": (Asked(run=f"r{step}", task=f"task {step}"),),
        "ran": tuple(whole_step(step, "out")),
        "failed": (replied, Observed(run="r", step=step, error=Fault(kind="python", type="E", message="m"))),
        "prose": (replied, Unparsed(run="r", step=step, reason="Write code.")),
        "refused": (replied, proposed, Refused(run="r", step=step, reason="no", by="person", then="continue")),
        "edited": (replied, proposed, allowed(step, "y", edited=True), Observed(run="r", step=step)),
        "answered": (replied, Answered(run="r", step=step, text="42"), Ended(run="r", state="success", steps=step)),
        "stopped": (replied, proposed, Ended(run="r", state="stopped", steps=step, cut="asking")),
    }[kind]


def test_a_program_that_failed_before_in_the_same_way_is_called_out() -> None:
    fault = Fault(kind="python", type="KeyError", message="'price'")

    def step(number: int, text: str, error: Fault | None = fault) -> tuple[Event, ...]:
        place: dict[str, Any] = {"run": "r", "step": number}
        allowed = Allowed(**place, text=text, sha256="", by="person")
        return Replied(**place, text=f"<code>\n{text}\n</code>"), allowed, Observed(**place, error=error)

    asked = Asked(run="r", task="t")
    told = [
        [str(message.content) for message in prompt((asked, *first, *second), PromptSettings())]
        for first, second in (
            (step(1, "d['price']"), step(2, "d['price']\n")),
            (step(1, "d['price']"), step(2, "d['prices']")),
            (step(1, "d['price']"), step(2, "d['price']", replace(fault, message="'x'"))),
            (step(1, "d['price']", None), step(2, "d['price']")),
        )
    ]
    said = "This is the program of step 1 again, and it failed in the same way."
    assert [said in messages[-1] for messages in told] == [True, False, False, False]
    repeated = "<code>\nd['price']\n</code>"
    assert [messages.count(repeated) for messages in told] == [1, 1, 2, 2]  # the model reads a repeated step once
