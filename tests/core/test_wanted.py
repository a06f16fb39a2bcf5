"""A model's text to the calls in it, and a call to what is proposed."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.agent.tool_calls import ToolCallResolver
from smolcell.core.parsing import NoProgram
from smolcell.core.tool_calls import MAX_CALLS, Calls, ParsedCall, read_calls
from smolcell.errors import AgentToolCallError
from smolcell.events import Allowed, Call, Replied, sha256
from smolcell.tools import tool
from smolcell.tools.builtin import PythonInterpreterTool

A, B = Call(name="a", arguments="{}"), Call(name="b", arguments='{"x": 1}')

TEXTS = {
    "as asked for": ('I look.\n{"name": "b", "arguments": {"x": 1}}', "I look.", [B]),
    "smolagents' way": ('Thought: I look.\nAction:\n{"name": "a", "arguments": {}}', "I look.", [A]),
    "two, one after the other": ('{"name": "a"}\n{"name": "b", "arguments": {"x": 1}}', "", [A, B]),
    "a list": ('```json\n[{"name": "a"}, {"name": "b", "arguments": {"x": 1}}]\n```', "", [A, B]),
    "Hermes' tags": ('<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>', "", [A]),
    "OpenAI's object": (
        '{"tool_calls": [{"type": "function", "function": {"name": "b", "arguments": "{\\"x\\": 1}"}}]}',
        "",
        [B],
    ),
    "LangChain's words": ('{"action": "b", "action_input": {"x": 1}}', "", [B]),
    "Python's quotes": ("{'name': 'b', 'arguments': {'x': 1}}", "", [B]),
    "braces in the thought": ('Of {x} I know.\n{"name": "a"}', "Of {x} I know.", [A]),
    "an answer alone": ('{"final_answer": [1]}', "", [Call(name="final_answer", arguments='{"answer": [1]}')]),
    "an observation of its own making": (
        'Action:\n{"name": "a", "arguments": {}}\nObservation: 4\n{"name": "final_answer", "arguments": {"answer": 4}}',
        "",
        [A],
    ),
    "the word in a thought and in an argument": (
        'Observation: none yet.\n{"name": "b", "arguments": {"x": 1}}\n{"name": "a", "arguments": {\n"Observation": "x:"}}',
        "Observation: none yet.",
        [B, Call(name="a", arguments='{"Observation": "x:"}')],
    ),
    "a call in an argument": (
        '{"name": "a", "arguments": {"then": {"name": "b"}}}',
        "",
        [Call(name="a", arguments='{"then": {"name": "b"}}')],
    ),
}


@pytest.mark.parametrize(("text", "thought", "calls"), TEXTS.values(), ids=TEXTS)
def test_calls_are_read_from_text(text: str, thought: str, calls: list[Call]) -> None:
    read = read_calls(Replied(text=text), "again")
    assert isinstance(read, Calls)
    assert (read.thought, [(c.name, json.loads(c.arguments)) for c in read.calls]) == (
        thought,
        [(c.name, json.loads(c.arguments)) for c in calls],
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The answer is 4.",
        '{"x": 1}',
        '[1, {"name": "a"}]',
        '{"name": "a", "arguments": {"q": {"name": "b"}',
        '[{"name": "a"}, {"na',
        '{"name": "a", "arguments": {}}\n{"name": "b", "argu',
        '{"name": "final_answer", "arguments": {"answer": 1}}\n{"name": "b", "arguments": {"path": "/',
    ],
)
def test_what_calls_nothing_and_half_of_what_does(text: str) -> None:
    assert read_calls(Replied(text=text), "again") == NoProgram("again")


def test_calls_by_protocol_stand_for_themselves_and_are_bounded() -> None:
    made = tuple(Call(name="a", id=str(n)) for n in range(100))
    assert read_calls(Replied(text=" So. ", calls=made), "again") == Calls(made[:MAX_CALLS], "So.")


@given(st.text(alphabet="{}[]\":,nametol1 \n\\'", max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read_calls(Replied(text=text), "again"), Calls | NoProgram)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "{" * 500_000 + "}", "[" * 500_000, '{"name": "' + "x" * 500_000])
def test_a_hostile_text_costs_no_minutes(text: str) -> None:
    began = time.monotonic()
    read_calls(Replied(text=text), "again")
    assert time.monotonic() - began < 10


# --- what a call comes to --------------------------------------------------------------------------------------------


@tool
def add(x: int, y: int = 0) -> int:
    """Adds.

    Args:
        x: one
        y: another
    """
    return x + y


@tool
def shout(text: str) -> str:
    """Shouts.

    Args:
        text: what
    """
    return text.upper()


class Frame:
    pass


FRAME = Frame()


@tool
def rows(table: Any) -> int:
    """Counts.

    Args:
        table: of what
    """
    return 3


def reader() -> ToolCallResolver:
    tools = {one.name: one for one in (add, shout, rows, PythonInterpreterTool())}
    return ToolCallResolver(tools, {"df": FRAME})


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (Call(name="add", arguments='{"x": 2, "y": 3}'), ParsedCall(text="add(x=2, y=3)")),
        (
            Call(name="add", arguments='{"x": "2"}'),
            ParsedCall(error="add(x: int, y: int = 0) -> int: 'x' must be int, not str '2'"),
        ),
        (
            Call(name="add", arguments="{}"),
            ParsedCall(error="add(x: int, y: int = 0) -> int: missing a required argument: 'x'"),
        ),
        (Call(name="add", arguments="[1]"), ParsedCall(error="the arguments of add must be a JSON object, not list")),
        (Call(name="shout", arguments="hi there"), ParsedCall(text="shout(text='hi there')")),
        (Call(name="shout", arguments='"hi"'), ParsedCall(text="shout(text='hi')")),
        (
            Call(name="rm", arguments="{}"),
            ParsedCall(error="there is no tool 'rm'; tools are: add, shout, rows, python_interpreter, final_answer"),
        ),
        (Call(name="python_interpreter", arguments='{"code": "1 + 1"}'), ParsedCall(kind="code", text="1 + 1")),
        (Call(name="final_answer", arguments='{"answer": {"a": 1}}'), ParsedCall(answer=({"a": 1},))),
        (Call(name="final_answer", arguments='{"result": 3}'), ParsedCall(answer=(3,))),
        (Call(name="final_answer", arguments='{"answer": "df"}'), ParsedCall(answer=(FRAME,))),
        (Call(name="final_answer", arguments="so it is"), ParsedCall(answer=("so it is",))),
    ],
)
def test_a_call_is_looked_up_checked_and_written(call: Call, wanted: ParsedCall) -> None:
    made = reader()(call, 1, 1)
    assert made == wanted


def test_a_variable_s_name_stands_for_its_value_also_after_an_edit() -> None:
    made = reader()
    wanted = made(Call(name="rows", arguments='{"table": "df"}'), 1, 2)
    assert "table=given_table" in wanted.text
    permit = Allowed(run="r", step=1, call=2, kind="call", text="rows(given_table)", sha256=sha256(""), by="person")
    assert made.read(permit) == (rows, (FRAME,), {})


def test_an_edit_makes_no_other_call_of_it() -> None:
    made = reader()
    made(Call(name="add", arguments='{"x": 1}'), 1, 1)
    permit = Allowed(run="r", step=1, call=1, kind="call", text="shout('x')", sha256="", by="person")
    with pytest.raises(AgentToolCallError, match="no call of add"):
        made.read(permit)
