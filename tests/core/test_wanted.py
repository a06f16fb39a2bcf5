"""A model's text to the calls in it, and a call to what is proposed."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.agent.tool_calls import ToolCallResolver
from smolcell.core.parsing import NoProgram
from smolcell.core.tool_calls import MAX_CALLS, Calls, ParsedCall, read_calls
from smolcell.errors import AgentToolCallError
from smolcell.events import Allowed, Call, Replied, sha256
from smolcell.tools import tool
from smolcell.tools.builtin import PythonInterpreterTool


@pytest.mark.parametrize(("text", "thought", "calls"), cases(__file__, "calls"))
def test_calls_are_read_from_text(text: str, thought: str, calls: list[list[Any]]) -> None:
    read = read_calls(Replied(text=text))
    assert isinstance(read, Calls)
    assert (read.thought, [[call.name, json.loads(call.arguments)] for call in read.calls]) == (thought, calls)


@pytest.mark.parametrize("text", cases(__file__, "nothing"))
def test_what_calls_nothing_and_half_of_what_does(text: str) -> None:
    assert read_calls(Replied(text=text)) == NoProgram()


def test_calls_by_protocol_stand_for_themselves_and_are_bounded() -> None:
    made = tuple(Call(name="a", id=str(n)) for n in range(100))
    assert read_calls(Replied(text=" So. ", calls=made)) == Calls(made[:MAX_CALLS], "So.")


@given(st.text(alphabet="{}[]\":,nametol1 \n\\'", max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read_calls(Replied(text=text)), Calls | NoProgram)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "{" * 500_000 + "}", "[" * 500_000, '{"name": "' + "x" * 500_000])
def test_a_hostile_text_costs_no_minutes(text: str) -> None:
    began = time.process_time()
    read_calls(Replied(text=text))
    assert time.process_time() - began < 60


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


@pytest.mark.parametrize(("name", "arguments", "wanted"), cases(__file__, "read"))
def test_a_call_is_looked_up_checked_and_written(name: str, arguments: str, wanted: dict[str, Any]) -> None:
    if "answer" in wanted:
        wanted = {"answer": tuple(wanted["answer"])}
    assert reader()(Call(name=name, arguments=arguments), 1, 1) == ParsedCall(**wanted)


def test_a_variable_that_is_the_answer_is_its_value() -> None:
    call = Call(name="final_answer", arguments='{"answer": "df"}')
    assert reader()(call, 1, 1) == ParsedCall(answer=(FRAME,))


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
