"""How a step is asked for, and what of a JSON object is shown while it is written."""

from __future__ import annotations

import ast
import io
import json
import re
from contextlib import redirect_stdout
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.parsing import ProgramReply, Unwrapping, parse
from smolcell.core.prompt import EXAMPLES, JSON, RESPONSE_FORMAT, TEXT, PromptSettings, prompt, system
from smolcell.events import Allowed, Asked, sha256
from smolcell.protocols import Message


def shown(pieces: list[str]) -> str:
    unwrapping = Unwrapping()
    return "".join(map(unwrapping.feed, pieces))


def test_each_forms_system_prompt_asks_for_that_form_only() -> None:
    text, structured = system(PromptSettings()), system(PromptSettings(structured=True))
    assert ("<code>" in text, "JSON" in text) == (True, False)
    assert ("<code>" in structured, '{"thought": "...", "code": "..."}' in structured) == (False, True)
    assert "Only these modules may be imported: none." in structured


def test_a_system_prompt_of_ones_own_is_given_the_form() -> None:
    own = {"system_prompt": "Be brief. {imports}"}
    assert system(PromptSettings(templates=own)) == "Be brief. none"
    assert system(PromptSettings(templates=own, structured=True)) == f"Be brief. none\n{JSON.note}"


def test_the_history_speaks_of_programs_in_the_form_asked_for() -> None:
    edited = Allowed(run="r", step=1, text='print("é")', sha256=sha256(""), by="person", edited=True)
    last = [prompt((Asked(run="r", task="t"), edited), PromptSettings(structured=form))[-1] for form in (False, True)]
    asked = "New task:\nt\n\nThe person changed your program before it ran. This is what ran:\n"
    assert last == [
        Message("user", asked + '<code>\nprint("é")\n</code>'),
        Message("user", asked + '{"code": "print(\\"é\\")"}'),
    ]


def test_the_examples_of_each_form_are_read_as_programs() -> None:
    assert parse(TEXT.again) == ProgramReply("final_answer(result)", TEXT.again.partition("\n")[0])
    example = JSON.again.splitlines()[-1]
    assert parse(example, structured=True) == ProgramReply("final_answer(result)", "I know it.")
    replies = [reply for example in EXAMPLES for reply in example.replies]
    assert len(replies) == 3
    for thought, code in replies:
        assert parse(TEXT.code(code, thought)) == ProgramReply(code, thought)
        step = JSON.code(code, thought)
        assert parse(step, structured=True) == ProgramReply(code, thought)
        assert set(json.loads(step)) == set(RESPONSE_FORMAT["json_schema"]["schema"]["required"])


def test_the_examples_are_right() -> None:
    """Each is run: it prints what the next turn says that it printed, and ends in an answer."""
    for example in EXAMPLES:
        given = re.findall(r"^- (\w+) \(\w+\): (.*)$", example.given, re.MULTILINE)
        names: dict[str, Any] = {name: ast.literal_eval(value) for name, value in given}
        answers: list[Any] = []
        names["final_answer"] = answers.append
        printed = []
        for _, code in example.replies:
            with redirect_stdout(io.StringIO()) as out:
                exec(code, names)
            printed.append(f"Printed:\n{out.getvalue()}".rstrip())
        assert (len(answers), printed[:-1]) == (1, list(example.observations))
        assert "final_answer" in example.replies[-1][1]


def test_each_form_shows_the_examples_as_its_own_turns() -> None:
    for structured, form in ((False, TEXT), (True, JSON)):
        shown = prompt((Asked(run="r", task="t"),), PromptSettings(structured=structured))
        replies = [form.code(code, thought) for example in EXAMPLES for thought, code in example.replies]
        assert [message.text for message in shown if message.role == "assistant"] == replies
        assert shown[-1] == Message("user", "New task:\nt")


@given(st.text(), st.text(), st.booleans(), st.lists(st.integers(0, 5), max_size=40))
def test_the_texts_of_an_object_are_shown_however_it_comes(
    thought: str, code: str, ascii_only: bool, sizes: list[int]
) -> None:
    step = json.dumps({"thought": thought, "code": code}, ensure_ascii=ascii_only, indent=1 if len(sizes) % 2 else None)
    pieces, place = [], 0
    for size in sizes:
        pieces.append(step[place : place + size])
        place += size
    visible = f"{thought}\n{code}".translate({ord(char): None for char in "\r\b\f"})
    if ascii_only:  # the two halves of a pair come as two escapes
        visible = "".join(char for char in visible if ord(char) < 0x10000)
    visible = "".join(char for char in visible if not 0xD800 <= ord(char) < 0xE000 or not ascii_only)
    assert shown([*pieces, step[place:]]) == visible


@pytest.mark.parametrize("text", ["Look.\n<code>\nx = {'a': 1}\n</code>", "", "  42", '["a"]'])
def test_what_is_no_object_is_shown_as_it_is(text: str) -> None:
    assert shown(list(text)) == text.lstrip()


@given(st.text(alphabet='{}":,\\u00e9ab \n', max_size=40))
def test_a_broken_object_breaks_nothing(text: str) -> None:
    assert isinstance(shown(list("{" + text)), str)
