"""What the loop does where a model's reply was too long, takes no schema, or no longer fits; and that prompts grow at their end only."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from persons import ANSWER, CODE, Person, names, of, scripted

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.core.loop import CUT_OFF
from smolcell.core.prompt import (
    EXAMPLES,
    JSON,
    RESPONSE_FORMAT,
    TEXT,
    TOKENS_PER_IMAGE,
    TOKENS_PER_MESSAGE,
    TOO_LONG,
    UNCLOSED,
    PromptSettings,
    Window,
    estimate,
    prompt,
    trim,
)
from smolcell.errors import ReplyLengthError, ResponseFormatError
from smolcell.events import Allowed as Permit
from smolcell.events import Asked, Delta, History, Observed, Proposed, Replied, Trimmed, Unparsed, sha256
from smolcell.models.asking import JSON_OBJECT
from smolcell.protocols import Message
from smolcell.testing import ScriptedModel

CUT = ReplyLengthError("m was cut off by the limit on its reply's length.")
FIRST = 1 + 2 * sum(
    len(example.replies) for example in EXAMPLES
)  # the place of the task, after the system message and the examples


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
    return scripted(model=model, does=does, max_steps=max_steps, use_structured_outputs_internally=structured)


def full(*replies: Any, does: Sequence[Any] = (ANSWER,), **options: Any) -> RunResult:
    with scripted(*replies, does=does, **options) as made:
        result: RunResult = made.run("t", return_full_result=True)
        return result


def shown(items: Sequence[Any], channel: str) -> str:
    return "".join(item.text for item in of(items, Delta) if item.channel == channel)


def test_a_reply_that_was_cut_off_is_a_step_without_a_program_and_the_run_goes_on() -> None:
    model = ScriptedModel(CUT, "Shorter.\n<code>\nx = 1\n</code>")
    with agent(model, ANSWER) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output) == ("success", 42)
    assert names(of(result.events, Replied, Unparsed, Proposed)) == ["Replied", "Unparsed", "Replied", "Proposed"]
    assert next(event.text for event in of(result.events, Replied)) == CUT_OFF
    assert [message.text for message in model.calls[1][FIRST:]] == [f"New task:\nt\n\n{TOO_LONG}"]


HALF = "I delete.\n<code>\nx = 1\n"


def test_the_fourth_in_a_row_ends_the_run_and_one_that_is_whole_counts_again() -> None:
    result = full(CUT, CUT, CUT, CODE, CUT, CUT, CUT, CUT, does=[Observed(), ANSWER], max_steps=9)
    assert (result.state, result.error, len(of(result.events, Replied))) == ("error", CUT, 7)


def test_a_program_that_is_not_closed_is_never_run_and_asked_for_again() -> None:
    """A proxy may end a broken stream as if the reply were over: its ``finish_reason`` is no proof that it is."""
    model = ScriptedModel(HALF, HALF, HALF, "Whole.\n<code>\nx = 2\n</code>")
    with agent(model, ANSWER) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output) == ("success", 42)
    assert [event.text for event in of(result.events, Proposed)] == ["x = 2"]
    assert [event.reason for event in of(result.events, Unparsed)] == [UNCLOSED] * 3
    assert [message.text for message in model.calls[1][FIRST:]] == [f"New task:\nt\n\n{UNCLOSED}"]
    assert HALF not in str(model.calls[-1])  # or the model would go on with it


@pytest.mark.parametrize("replies", [[HALF] * 4, [HALF, CUT, CUT, HALF]])
def test_the_fourth_program_in_a_row_that_is_not_closed_ends_the_run(replies: list[Any]) -> None:
    result = full(*replies, CODE)
    assert (result.state, type(result.error)) == ("error", ReplyLengthError)
    assert str(result.error).startswith("4 replies in a row were cut off, the last within its program; nothing of them")
    assert "max_tokens" in str(result.error)
    assert names(of(result.events, Replied, Unparsed)) == ["Replied", "Unparsed"] * 4


def test_with_a_schema_the_model_is_asked_for_an_object_and_its_texts_are_shown() -> None:
    model = SchemaModel("Sure!", step('I "see".', "x = 1"), step("Done.", "final_answer(x)"))
    with agent(model, Observed(stdout="1"), ANSWER, structured=True) as made:
        items = list(made.stream("t"))
    assert model.formats == [RESPONSE_FORMAT] * 3
    assert model.calls[0][0].text.startswith(JSON.system.partition("{access}")[0])
    assert shown(items, "reply") == 'Sure!I "see".\nx = 1Done.\nfinal_answer(x)'
    proposed = [(item.thought, item.text) for item in of(items, Proposed)]
    assert proposed == [('I "see".', "x = 1"), ("Done.", "final_answer(x)")]
    assert [item.reason for item in of(items, Unparsed)] == [JSON.again]


def test_an_object_that_broke_off_is_shown_again_from_its_beginning() -> None:
    class Breaking(SchemaModel):
        async def reply(self, *given: Any, **options: Any) -> AsyncIterator[Delta | Replied]:
            yield Delta(text=step("Ha", "")[:15])
            yield Delta(text="It broke off.", channel="discarded")
            async for item in super().reply(*given, **options):
                yield item

    with agent(Breaking(step("Done.", "final_answer(x)")), ANSWER, structured=True) as made:
        items = of(made.stream("t"), Delta)
    texts = ["".join(item.text for item in group) for _, group in groupby(items, lambda item: item.channel)]
    assert texts[-3:] == ["Ha", "It broke off.", "Done.\nfinal_answer(x)"]


def test_a_program_in_tags_is_none_where_an_object_was_asked_for() -> None:
    model = SchemaModel("<code>\nbad()\n</code>", '{"thought": "", "code": "bad()"', step("", "good()"))
    with agent(model, ANSWER, structured=True) as made:
        result = made.run("t", return_full_result=True)
    assert [event.text for event in of(result.events, Proposed)] == ["good()"]


@pytest.mark.parametrize("takes", [True, False])
def test_a_model_that_takes_no_schema_is_asked_for_text_visibly_and_not_again(takes: bool) -> None:
    replies = ("I look.\n" + CODE, CODE)
    model = SchemaModel(*replies, refuses=["json_schema", "json_object"]) if takes else ScriptedModel(*replies)
    with agent(model, ANSWER, ANSWER, structured=True) as made:
        items = list(made.stream("t"))
        assert made.run("t") == 42
    assert "this model supports no schema for its reply, or no tools: asking for text" in shown(items, "progress")
    assert shown(items, "reply") == replies[0]
    assert all(call[0].text.startswith(TEXT.system.partition("{access}")[0]) for call in model.calls)
    if isinstance(model, SchemaModel):
        assert (model.formats, model.takes_response_format) == ([RESPONSE_FORMAT, JSON_OBJECT, None, None], False)


def test_a_model_that_takes_no_schema_is_asked_for_a_json_object_first_and_so_in_later_runs() -> None:
    model = SchemaModel(step("", "x = 1"), step("", "y = 1"), refuses=["json_schema"])
    with agent(model, ANSWER, ANSWER, structured=True) as made:
        items = list(made.stream("t"))
        assert made.run("t") == 42
    assert "this model supports no schema for its reply: asking for a JSON object" in shown(items, "progress")
    assert model.formats == [RESPONSE_FORMAT, JSON_OBJECT, JSON_OBJECT]


@pytest.mark.parametrize(
    ("said", "does", "state", "answer"),
    [
        ("About one.", [], "max_steps_error", "About one."),
        (step("About one.", "y = 1"), [Observed()], "max_steps_error", None),
        (step("About one.", "final_answer(42)"), [ANSWER], "success", 42),
    ],
)
def test_the_last_program_is_asked_for_as_an_object_too(said: str, does: list[Any], state: str, answer: Any) -> None:
    model = SchemaModel(step("", "x = 1"), said)
    with agent(model, Observed(), *does, structured=True, max_steps=1) as made:
        result = made.run("t", return_full_result=True)
    assert (result.state, result.output) == (state, answer)
    assert model.formats == [RESPONSE_FORMAT, RESPONSE_FORMAT]


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
    message = Message("user", [{"type": "text", "text": "abc"}, image])
    assert window.size([message]) == TOKENS_PER_MESSAGE + 1 + TOKENS_PER_IMAGE


@given(st.integers(300, 4000), st.lists(st.integers(0, 3000), max_size=10))
def test_what_the_model_is_shown_fits_its_window(tokens: int, sizes: list[int]) -> None:
    window = Window(tokens=tokens, reply=tokens // 4)
    about = PromptSettings(templates={"system_prompt": "s" * 90}, window=lambda: window)
    history: History = (Asked(run="r", task="t"),)
    for number, size in enumerate(sizes, 1):
        history += whole_step(number, "漢" * size)
    gone = trim(history, about)
    cut = (Trimmed(run=run, step=99, steps=steps) for run, steps in gone.items())
    left = prompt((*history, *cut), about)
    whole = window.size(prompt(history, about))
    if whole <= window.room:
        assert gone == {}
    elif window.size(left) > window.room:  # everything that may go has gone
        long = [number for number, size in enumerate(sizes[:-1], 1) if size > 100]
        assert set(long) <= {number for cut in gone.values() for number in cut}


def test_the_window_is_asked_for_at_each_step_because_it_may_become_known() -> None:
    known: list[Window | None] = [None]
    about = PromptSettings(templates={"system_prompt": "s"}, window=lambda: known[0])
    history = (Asked(run="r", task="t"), *whole_step(1, "a" * 9000), *whole_step(2, "b" * 90))
    assert trim(history, about) == {}
    known[0] = Window(tokens=1000)
    assert trim(history, about) == {"r": (1,)}


REPLIES = st.sampled_from([CODE, "prose", "", step("t", "x = 1"), CUT])
DECISIONS = st.sampled_from(["approve", ("edit", {"text": "x = 2"}), "refuse"])
COURSES = st.lists(st.tuples(REPLIES, DECISIONS, st.integers(0, 900)), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(COURSES, st.booleans())
def test_each_prompt_begins_with_the_one_before(course: list[tuple[Any, Any, int]], table: bool) -> None:
    """Byte for byte, but for the note about a repeated program. What the loop says may be added to the last message."""
    replies, decisions, sizes = zip(*course, strict=True)
    kind = SchemaModel if table else ScriptedModel
    does = [Observed(stdout="a" * size) for size in sizes]
    view = Person(*decisions)
    with scripted(model=kind(*replies), does=does, view=view, use_structured_outputs_internally=table) as made:
        made.run("t", return_full_result=True, additional_args={"table": [1, 2]})
    prompts = [
        REPEATED.sub("", "".join(f"\0{message.role}\0{message.text}" for message in call)) for call in made.model.calls
    ]
    assert len(prompts) >= 1
    for before, after in pairwise(prompts):
        assert after.startswith(before)


REPEATED = re.compile(r"\n\nThis is the program of step \d+ again, [^\n\0]+")
