"""What the loop does where a model's reply was too long, takes no schema, or no longer fits; and that prompts grow at their end only."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.agent import CodeAgent
from smolcell.core.loop import CUT_OFF, TOO_LONG, AskModel, LoopSettings, Review, Run, Tell, steps
from smolcell.core.parsing import JSON, NO_OBJECT, RESPONSE_FORMAT, TEXT, UNCLOSED
from smolcell.core.prompt import TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE, PromptSettings, Window, estimate, prompt, trim
from smolcell.errors import AgentGenerationError, ReplyLengthError, ResponseFormatError
from smolcell.events import Allowed as Permit
from smolcell.events import (
    Asked,
    Delta,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    Variable,
    sha256,
)
from smolcell.models.asking import JSON_OBJECT
from smolcell.protocols import Message
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

CUT = ReplyLengthError("m was cut off by the limit on its reply's length.")
ANSWER = Observed(output=42, is_final_answer=True)


class SchemaModel(ScriptedModel):
    """Takes a schema and a JSON object, unless it is told to refuse them."""

    def __init__(self, *replies: Any, refuses: Sequence[str] = ()) -> None:
        super().__init__(*replies)
        self.takes_response_format, self.refuses = True, refuses
        self.formats: list[Any] = []

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), response_format: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Delta | Replied]:
        self.formats.append(response_format)
        if response_format is not None and response_format["type"] in self.refuses:
            raise ResponseFormatError("scripted supports no schema for its reply")
        async for item in super().reply(messages, tools):
            yield item


def step(thought: str, code: str) -> str:
    return json.dumps({"thought": thought, "code": code})


def agent(model: ScriptedModel, *does: Any, structured: bool = False, max_steps: int = 6) -> CodeAgent:
    return CodeAgent(
        model=model,
        sandbox=MemoryExecutor(*does),
        gate=allow_all,
        max_steps=max_steps,
        use_structured_outputs_internally=structured,
    )


# --- a reply that was cut off ------------------------------------------------------------------------------------------


def test_a_reply_that_was_cut_off_is_a_step_without_a_program_and_the_run_goes_on() -> None:
    model = ScriptedModel(CUT, "Shorter.\n<code>\nx = 1\n</code>")
    with agent(model, ANSWER) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output) == ("success", 42)
    told = [event for event in result.events if isinstance(event, Replied | Unparsed | Proposed)]
    assert [type(event) for event in told] == [Replied, Unparsed, Replied, Proposed]
    assert [message.text for message in model.calls[1][1:]] == ["New task:\nt", CUT_OFF, TOO_LONG]


PROGRAM, HALF = "<code>\nx = 1\n</code>", "I delete.\n<code>\nx = 1\n"


def test_the_fourth_in_a_row_ends_the_run_and_one_that_is_whole_counts_again() -> None:
    model = ScriptedModel(CUT, CUT, CUT, PROGRAM, CUT, CUT, CUT, CUT)
    with agent(model, Observed(), ANSWER, max_steps=9) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.error, len(model.calls)) == ("error", CUT, 8)


def test_a_program_that_is_not_closed_is_never_run_and_asked_for_again() -> None:
    """A proxy may end a broken stream as if the reply were over: its ``finish_reason`` is no proof that it is."""
    model = ScriptedModel(HALF, HALF, HALF, "Whole.\n<code>\nx = 2\n</code>")
    with agent(model, ANSWER) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output) == ("success", 42)
    assert [event.text for event in result.events if isinstance(event, Proposed)] == ["x = 2"]
    assert [event.reason for event in result.events if isinstance(event, Unparsed)] == [UNCLOSED] * 3
    assert [message.text for message in model.calls[1][1:]] == ["New task:\nt", HALF, UNCLOSED]


@pytest.mark.parametrize("replies", [[HALF] * 4, [HALF, CUT, CUT, HALF]])
def test_the_fourth_program_in_a_row_that_is_not_closed_ends_the_run(replies: list[Any]) -> None:
    model = ScriptedModel(*replies, PROGRAM)
    with agent(model) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, type(result.error), len(model.calls)) == ("error", ReplyLengthError, 4)
    assert str(result.error) == (
        "4 replies in a row were cut off, the last within its program; nothing of them was run. Raise max_tokens, check proxies between "
        "you and the model's server, or use another model with -m."
    )
    assert [type(event) for event in result.events[-3:-1]] == [Replied, Unparsed]


# --- a schema ----------------------------------------------------------------------------------------------------------


def test_with_a_schema_the_model_is_asked_for_an_object_and_its_texts_are_shown() -> None:
    model = SchemaModel("Sure!", step('I "see".', "x = 1"), step("Done.", "final_answer(x)"))
    with agent(model, Observed(stdout="1"), ANSWER, structured=True) as made:
        items = list(made.stream("t"))
    assert model.formats == [RESPONSE_FORMAT] * 3
    assert model.calls[0][0].text.startswith(JSON.system.partition("{access}")[0])
    shown = "".join(item.text for item in items if isinstance(item, Delta) and item.channel == "reply")
    assert shown == 'Sure!I "see".\nx = 1Done.\nfinal_answer(x)'
    proposed = [(item.thought, item.text) for item in items if isinstance(item, Proposed)]
    assert proposed == [('I "see".', "x = 1"), ("Done.", "final_answer(x)")]
    assert [item.reason for item in items if isinstance(item, Unparsed)] == [NO_OBJECT]


def test_an_object_that_broke_off_is_shown_again_from_its_beginning() -> None:
    class Breaking(SchemaModel):
        async def reply(self, *given: Any, **options: Any) -> AsyncIterator[Delta | Replied]:
            yield Delta(text=step("Ha", "")[:15])
            yield Delta(text="It broke off.", channel="discarded")
            async for item in super().reply(*given, **options):
                yield item

    with agent(Breaking(step("Done.", "final_answer(x)")), ANSWER, structured=True) as made:
        items = [item for item in made.stream("t") if isinstance(item, Delta)]
    texts = ["".join(item.text for item in group) for _, group in groupby(items, lambda item: item.channel)]
    assert texts[-3:] == ["Ha", "It broke off.", "Done.\nfinal_answer(x)"]


def test_a_program_in_tags_is_none_where_an_object_was_asked_for() -> None:
    model = SchemaModel("<code>\nbad()\n</code>", '{"thought": "", "code": "bad()"', step("", "good()"))
    with agent(model, ANSWER, structured=True) as made:
        result = made.run("t", return_full_result=True)
    assert [event.text for event in result.events if isinstance(event, Proposed)] == ["good()"]


@pytest.mark.parametrize("refuses", [True, None])
def test_a_model_that_takes_no_schema_is_asked_for_text_visibly_and_not_again(refuses: bool | None) -> None:
    program = "I look.\n<code>\nx = 1\n</code>"
    model = (
        ScriptedModel(program, program)
        if refuses is None
        else SchemaModel(program, program, refuses=["json_schema", "json_object"])
    )
    with agent(model, ANSWER, ANSWER, structured=True) as made:
        items = list(made.stream("t"))
        assert made.run("t") == 42
    progress = [item.text for item in items if isinstance(item, Delta) and item.channel == "progress"]
    assert "this model supports no schema for its reply, or no tools: asking for text" in progress
    assert "".join(item.text for item in items if isinstance(item, Delta) and item.channel == "reply") == program
    assert all(call[0].text.startswith(TEXT.system.partition("{access}")[0]) for call in model.calls)
    if isinstance(model, SchemaModel):
        assert (model.formats, model.takes_response_format) == ([RESPONSE_FORMAT, JSON_OBJECT, None, None], False)


def test_a_model_that_takes_no_schema_is_asked_for_a_json_object_first_and_so_in_later_runs() -> None:
    model = SchemaModel(step("", "x = 1"), step("", "y = 1"), refuses=["json_schema"])
    with agent(model, ANSWER, ANSWER, structured=True) as made:
        items = list(made.stream("t"))
        assert made.run("t") == 42
    progress = [item.text for item in items if isinstance(item, Delta) and item.channel == "progress"]
    assert "this model supports no schema for its reply: asking for a JSON object" in progress
    assert model.formats == [RESPONSE_FORMAT, JSON_OBJECT, JSON_OBJECT]


@pytest.mark.parametrize("said", ["About one.", step("About one.", "final_answer(1)")])
def test_the_best_answer_is_asked_for_in_prose_and_taken_out_of_an_object(said: str) -> None:
    model = SchemaModel(step("", "x = 1"), said)
    with agent(model, Observed(), structured=True) as made:
        made.max_steps = 1
        assert made.run("t") == "About one."
    assert model.formats == [RESPONSE_FORMAT, None]


# --- the window --------------------------------------------------------------------------------------------------------


def whole_step(number: int, printed: str) -> History:
    code = f"print({number})"
    return (
        Replied(run="r", step=number, text=f"<code>\n{code}\n</code>"),
        Proposed(run="r", step=number, text=code),
        Permit(run="r", step=number, text=code, sha256=sha256(code), by="person"),
        Observed(run="r", step=number, stdout=printed),
    )


def test_an_estimate_is_rather_too_high() -> None:
    assert [estimate(text) for text in ("", "a", "abc", "abcd", "漢字", "\ud800")] == [0, 1, 1, 2, 2, 1]


def test_a_window_keeps_a_part_free_for_the_reply_and_counts_templates_and_images() -> None:
    window = Window(tokens=1000, reply=900)
    assert (window.room, Window(tokens=10_000, reply=900).room) == (750, 9100)
    image = {"type": "image_url", "image_url": {"url": "data:"}}
    assert (
        window.size([Message("user", [{"type": "text", "text": "abc"}, image])])
        == TOKENS_PER_MESSAGE + 1 + TOKENS_PER_IMAGE
    )


@given(st.integers(300, 4000), st.lists(st.integers(0, 3000), max_size=10))
def test_what_the_model_is_shown_fits_its_window_as_far_as_observations_can_make_it(
    tokens: int, sizes: list[int]
) -> None:
    window = Window(tokens=tokens, reply=tokens // 4)
    settings = PromptSettings(templates={"system_prompt": "s" * 90}, window=lambda: window)
    history: History = (Asked(run="r", task="t"),)
    for number, size in enumerate(sizes, 1):
        history += whole_step(number, "漢" * size)
    gone = trim(history, settings)
    shown = prompt((*history, *(Trimmed(run=run, step=99, steps=cut) for run, cut in gone.items())), settings)
    whole = window.size(prompt(history, settings))
    if whole <= window.room:
        assert gone == {}
    elif window.size(shown) > window.room:  # everything that may go has gone
        long = [number for number, size in enumerate(sizes[:-1], 1) if size > 100]
        assert set(long) <= {number for cut in gone.values() for number in cut}


def test_the_window_is_asked_for_at_each_step_because_it_may_become_known() -> None:
    known: list[Window | None] = [None]
    settings = PromptSettings(templates={"system_prompt": "s"}, window=lambda: known[0])
    history = (Asked(run="r", task="t"), *whole_step(1, "a" * 9000), *whole_step(2, "b" * 90))
    assert trim(history, settings) == {}
    known[0] = Window(tokens=1000)
    assert trim(history, settings) == {"r": (1,)}


# --- prompts grow at their end -----------------------------------------------------------------------------------------

REPLIES = st.sampled_from(["<code>\nx = 1\n</code>", "prose", "", step("t", "x = 1"), CUT])
DECISIONS = st.sampled_from(["yes", "edited", "no"])


@given(st.lists(st.tuples(REPLIES, DECISIONS, st.integers(0, 900)), max_size=12), st.booleans(), st.integers(500, 9000))
def test_each_prompt_begins_with_the_one_before_byte_for_byte_until_something_is_trimmed(
    course: list[tuple[Any, str, int]], structured: bool, budget: int
) -> None:
    asked = Asked(run="r", task="t", variables=(Variable(name="df", type="DataFrame", text="2 rows\na b"),))
    settings = LoopSettings(
        max_steps=20, prompt=PromptSettings(structured=structured, budget=budget), find=lambda _: ()
    )
    loop, before = steps(asked, (), settings), None
    want, left = next(loop), list(course)
    while left:
        reply, decision, size = left[0]
        match want:
            case AskModel(number, messages):
                now = [json.dumps(message) for message in messages]
                assert before is None or now[: len(before)] == before
                before = now
                if isinstance(reply, Exception):
                    left.pop(0)
                    try:
                        want = loop.throw(reply)
                    except AgentGenerationError:
                        return
                else:
                    want = loop.send(Replied(run="r", step=number, text=reply))
            case Review(proposed) if decision == "no":
                left.pop(0)
                refused = Refused(run="r", step=proposed.step, reason="no", by="person", then="continue")
                want = loop.send(refused)
            case Review(proposed):
                code = proposed.text + " # mine" * (decision == "edited")
                allowed = Permit(run="r", step=proposed.step, text=code, sha256=sha256(code), by="person")
                want = loop.send(replace(allowed, edited=decision == "edited"))
            case Run(permit):
                left.pop(0)
                want = loop.send(Observed(run="r", step=permit.step, stdout="a" * size))
            case Tell(event):
                if isinstance(event, Trimmed):
                    before = None
                if isinstance(event, Unparsed) and not isinstance(reply, Exception):
                    left.pop(0)
                want = loop.send(None)
