"""The page for those who come from smolagents is true: its programs run, and the names it lists are there."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import smolcell
import smolcell.compat
from smolcell.interop.smolagents import executor
from smolcell.testing import ScriptedModel

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "from-smolagents.md").read_text(encoding="utf-8")
FIRST, WALLED, GATE, ERRORS, MEMORY = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


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
        pytest.param(
            ERRORS,
            [],
            r"^ERROR: line 1: Import of os is not allowed.*\nERROR: line 1: Forbidden access to module: os.*\n"
            r"ERROR: line 1: TimeoutError: the step took longer than 1 s.*\n$",
            marks=pytest.mark.slow,
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
    agents, runs, tools, models, executors = same.split("\n- ")[1:6]
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
    rows = [
        row.split(" | ")[0] for row in PAGE.partition("## What is not there")[2].splitlines() if row.startswith("| `")
    ]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(names) > 20
    assert [name for name in names if hasattr(smolcell, name) or name in smolcell.compat.__all__] == []
    assert not any(
        hasattr(smolcell.CodeAgent, name) for name in ("step", "to_dict", "from_dict", "from_folder", "state")
    )


def test_the_program_with_smolagents_own_agent_uses_what_is_there() -> None:
    """``.ci/integrations smolagents`` runs such programs with the real one."""
    assert "executor=executor(" in WALLED
    assert list(inspect.signature(executor).parameters) == ["sandbox", "approve", "options"]


def test_the_differences_of_the_executor_are_counted_rightly() -> None:
    listed = (Path(__file__).parents[1] / "interop" / "walled.py").read_text(encoding="utf-8")
    table = ast.literal_eval(
        re.sub(r"\b(WORDS|STRICTER)\b", "''", listed.partition("set[int]]] = ")[2].partition('\n"""')[0]).replace(
            "set(range(1, 11))", str(set(range(1, 11)))
        )
    )
    assert f"{sum(len(cases) for _, cases in table.values())} differ" in PAGE


def test_the_modules_that_it_names_are_there() -> None:
    named = re.search(r"has the modules (.*?)\. They", PAGE, re.DOTALL)
    assert named is not None
    assert [name for name in re.findall(r"`(\w+)`", named[1]) if not hasattr(smolcell.compat, name)] == []
