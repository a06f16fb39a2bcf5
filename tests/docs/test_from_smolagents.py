"""The page for those who come from smolagents is true: its programs run, and the names it lists are there."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import smolcell
from smolcell.testing import ScriptedModel

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "from-smolagents.md").read_text(encoding="utf-8")
FIRST, GATE, ERRORS, MEMORY = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def code(program: str) -> str:
    return f"Next.\n<code>\n{program}\n</code>"


@pytest.mark.parametrize(
    ("example", "replies", "printed"),
    [
        (
            FIRST,
            [code("a, b = 0, 1\nfor _ in range(100):\n    a, b = b, a + b\nfinal_answer(a)")],
            r"\n354224848179261915075\n$",
        ),
        (GATE, [code("import math\nfinal_answer(math.sqrt(144))"), code("final_answer(144 ** 0.5)")], r"^12\.0\n$"),
        (
            ERRORS,
            [],
            r"^ERROR: line 1: Import of os is not allowed.*\nERROR: line 1: Forbidden access to module: os.*\n"
            r"ERROR: line 1: TimeoutError: the step took longer than 1 s.*\n$",
        ),
        (
            MEMORY,
            [code("x = 21"), code("final_answer(x * 2)")],
            r"\n1 Double 21\. x = 21 None None\n2 Double 21\. final_answer\(x \* 2\) None 42\n(.*\n)+\('x',\)\n$",
        ),
    ],
    ids=["first", "gate", "errors", "memory"],
)
def test_its_programs_run_as_they_stand(
    example: str,
    replies: list[str],
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("smolcell.InferenceClientModel", lambda: ScriptedModel(*replies))
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(example, "from-smolagents.md", "exec"), names)
    assert re.search(printed, capsys.readouterr().out)


def test_the_words_that_it_calls_the_same_are_there() -> None:
    same = PAGE.partition("## What is the same")[2].partition("## What is not there")[0]
    agents, runs, tools, models, executors = (part for part in same.split("\n- ")[1:])
    words = set(inspect.signature(smolcell.CodeAgent).parameters)
    quoted = re.findall(r"`(\w+)`", agents)
    assert [word for word in quoted if word not in words and not hasattr(smolcell, word)] == []
    listed = next(call for call in re.findall(r"`run\(([^)]*)\)`", runs))
    assert set(listed.split(", ")) <= set(inspect.signature(smolcell.CodeAgent.run).parameters)
    with smolcell.CodeAgent(model=ScriptedModel()) as agent:
        of_memory = re.findall(r"`(?:memory\.)?(\w+)(?:\(\))?`", runs.partition(";")[2])
        assert [word for word in of_memory if not hasattr(agent.memory, word)] == []
        of_agent = [
            word for word in re.findall(r"`(\w+)\(?\)?`", runs.partition(";")[0]) if word not in ("with", "agent")
        ]
        assert [word for word in of_agent if not hasattr(agent, word)] == []
    for part in (tools, models, executors):
        quoted = [word for word in re.findall(r"`(\w+)`", part) if not word.startswith("from_")]
        assert [word for word in quoted if not hasattr(smolcell, word)] == []


def test_what_it_says_is_not_there_is_not() -> None:
    assert not any(hasattr(smolcell, name) for name in ("TaskStep", "FinalAnswerStep", "GradioUI"))
    assert not any(hasattr(smolcell.CodeAgent, name) for name in ("step", "save", "push_to_hub", "from_hub", "to_dict"))
