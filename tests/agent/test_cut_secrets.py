"""A key that is passed into a run is in nothing that leaves it, wherever a text with it is shortened."""

from __future__ import annotations

import json
from string import ascii_letters
from typing import Any

import pandas as pd
import polars as pl
import pytest
from persons import ANSWER, CODE, scripted

from smolcell import CodeAgent
from smolcell.events import Delta, Observed
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.views.terminal import TerminalView
from smolcell.views.transcript import bundle

# 64 characters; no part of them can be in a hexadecimal digest
KEY = "".join(f"{letter}{n % 10}" for n, letter in enumerate(ascii_letters[6:38]))
FRAME = pd.DataFrame({"n": [1, 2], "key": [f"pw={KEY}", KEY]})


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAREHOUSE_API_KEY", KEY)


def left(text: str) -> list[str]:
    return sorted({part for at in range(len(KEY) - 7) if (part := KEY[at : at + 8]) in text})


def said(agent: CodeAgent, result: Any) -> dict[str, list[str]]:
    """What is left of the key in the places where a run leaves text."""
    places = {
        "model": str(agent.model.calls),
        "journal": agent.journal.path.read_text(),
        "notebook": json.dumps(bundle(result.events)),
        "export": str(agent.export().cells),
    }
    return {place: parts for place, text in places.items() if (parts := left(text))}


GIVEN = {
    "frame": FRAME,
    "table": pl.DataFrame({"key": [f"pw={KEY}"], **{f"c{n}": ["a b c d"] for n in range(9)}}),
    "long": "the key of the warehouse, which nobody may see, is " + KEY + " and " * 500,
    "start": KEY * 30,
    "items": {"key": [KEY * 9] * 30},
    "series": FRAME["key"],
    "column": pd.DataFrame({f"a column named {KEY} and {n}": [n] for n in range(60)}),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_variable_that_is_described_in_short_shows_no_key(name: str) -> None:
    with scripted(f"<code>\nfinal_answer(len({name}))\n</code>", does=[ANSWER]) as agent:
        result = agent.run("t", additional_args={name: GIVEN[name]}, return_full_result=True)
        assert said(agent, result) == {}


STEPS = [
    "print(frame)",
    "frame",
    "frame['key']",
    "print(table)",
    "print(series.to_frame())",
    "print('-' * (16_000 - 30) + start[:64] + '-' * 9_000)",
    "print('-' * 30_000 + start[:64] + '-' * (4_000 - 30))",
    "items",
    "start",
    "raise ValueError('-' * 3_000 + long * 9)",
    "error = ValueError('failed')\nerror.add_note('-' * 470 + long)\nraise error",
    "raise KeyError(start * 20)",
    "import reprlib\nprint(reprlib.repr(start))",
    "import textwrap\nprint(textwrap.shorten(long, 60))",
    "raise type('Long' * 38 + start[:64], (ValueError,), {})('no')",
    "globals()['v' * 150 + start[:64]] = 1",
    "class Shown:\n    def __repr__(self):\n        return '-' * 19_980 + start\nShown()",
]


@pytest.mark.slow
@pytest.mark.parametrize("python", ["full", "guarded"])
def test_what_a_step_shows_in_short_shows_no_key(python: Any) -> None:
    steps = [step for step in STEPS if python == "full" or "table" not in step]  # guarded has no polars
    given = {name: value for name, value in GIVEN.items() if python == "full" or name != "table"}
    replies = [f"<code>\n{step}\n</code>" for step in [*steps, "final_answer(start * 300)"]]
    with CodeAgent(model=ScriptedModel(*replies), gate=allow_all, python=python, max_steps=30) as agent:
        result = agent.run("t", additional_args=given, return_full_result=True)
        failed = {step.error.type for step in result.steps if step.error and "Long" not in step.error.type}
        assert (len(result.steps), failed - {"ForbiddenError"}) == (len(replies), {"ValueError", "KeyError"})
        assert said(agent, result) == {}
        assert left(str(result.output)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    ["{'x' * 60 + start: views}", "{'c': pa.array([{}], pa.struct([pa.field('y' * 140 + start, views.type)]))}"],
)
def test_why_an_answer_cannot_be_fetched_shows_no_key(table: str) -> None:
    program = f"import pyarrow as pa\nviews = pa.array(['a'], pa.string_view())\nfinal_answer(pa.table({table}))"
    with CodeAgent(model=ScriptedModel(f"<code>\n{program}\n</code>"), gate=allow_all, python="full") as agent:
        result = agent.run("t", additional_args={"start": KEY}, return_full_result=True)
        assert "[redacted]" in str(result.output)
        assert (said(agent, result), left(str(result.output))) == ({}, [])


def test_output_that_is_streamed_in_pieces_shows_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    class Streaming(MemoryExecutor):
        async def run(self, permit: Any, on_output: Any, call_tool: Any) -> Observed:
            for piece in (f"the key is {KEY[:30]}", KEY[30:], "\nand\n", KEY[:40]):
                on_output(Delta(text=piece, channel="output"))
            return await super().run(permit, on_output, call_tool)

    with scripted(CODE, view=TerminalView(), gate=allow_all, sandbox=Streaming(ANSWER)) as agent:
        agent.run("t")
    shown = capsys.readouterr()
    assert ("and" in shown.out + shown.err, left(shown.out + shown.err)) == (True, [])
