"""Evaluation: checks, intervals, the suite of the benchmarks, and the report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st
from jobs import record, run, spec

from smolcell.errors import SetupError
from smolcell.scale.evaluation import Case, evaluate, passes, read_suite, wilson
from smolcell.scale.tasks import Task


def case(check: str, expected: Any) -> Case:
    return Case(Task(1, "x"), expected, check)


@pytest.mark.parametrize(("check", "expected", "right", "wrong"), cases(__file__, "checks"))
def test_checks(check: str, expected: Any, right: list[Any], wrong: list[Any]) -> None:
    assert [answer for answer in right if not passes(case(check, expected), answer)] == []
    assert [answer for answer in wrong if passes(case(check, expected), answer)] == []


@given(st.integers(1, 10_000), st.data())
def test_the_interval_holds_the_rate(count: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, count))
    low, high = wilson(passed, count)
    assert 0 <= low <= passed / count <= high <= 1


@pytest.mark.slow
def test_the_suite_of_the_benchmarks_has_thirty_checkable_tasks_with_twelve_traps(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    writer = Path(__file__).parents[1] / "benchmarks" / "table_suite.py"
    subprocess.run([sys.executable, str(writer), str(tmp_path / "suite")], check=True)
    cases = read_suite(tmp_path / "suite" / "tables.jsonl")
    assert (len(cases), sum(bool(each.trap) for each in cases)) == (30, 12)
    assert [each.task.key for each in cases if not passes(each, each.answer)] == []
    assert all(Path(file).is_file() for each in cases for file in each.task.files)
    by_key = {each.task.key: each.answer for each in cases}
    assert (by_key["01-iris"], by_key["03-iris"], by_key["15-linnerud"]) == (150, "setosa", "yes")


def test_a_suite_calls_a_function_only_if_the_user_names_it(tmp_path: Path) -> None:
    suite, replay = tmp_path / "suite.jsonl", tmp_path / "replay.jsonl"
    suite.write_text(json.dumps({"task": "Say ab.", "answer": "a", "check": "python:operator:contains"}) + "\n")
    record(replay, {"Say ab.": ["final_answer('ab')"]})
    words = ["eval", str(suite), "-o", str(tmp_path / "out"), "--replay", str(replay), "-a", "auto"]
    status, _, told = run(*words)
    assert (status, "if it is yours, name it, too: --function operator:contains" in told) == (2, True), told
    status, told, _ = run(*words, "--function", "operator:contains")
    assert (status, "1 of 1 passed" in told) == (0, True), told


def test_a_row_without_an_answer_is_said(tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text('"the answer"\n')
    with pytest.raises(SetupError, match="has no `answer`"):
        read_suite(tmp_path / "suite.jsonl")


def test_a_report_is_not_written_through_a_link(tmp_path: Path) -> None:
    out, precious, replay = tmp_path / "out", tmp_path / "precious", tmp_path / "replay.jsonl"
    precious.write_text("kept")
    out.mkdir()
    (out / "report.html").symlink_to(precious)
    record(replay, {"x": ["final_answer(1)"]})
    assert evaluate([case("exact", 1)], [spec(replay)], out).complete
    assert "<h1>Evaluation" in (out / "report.html").read_text()
    assert precious.read_text() == "kept"


def test_two_recipes_are_compared_in_a_report_without_scripts(tmp_path: Path) -> None:
    suite, good, bad = tmp_path / "suite.jsonl", tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    rows = [
        {"id": f"q{number}", "task": f"Question {number}?", "answer": number, "check": "number"} for number in (1, 2)
    ]
    suite.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for path, answers in ((good, ["1", "2"]), (bad, ["1", "'<script>alert(1)</script>'"])):
        record(path, {f"Question {number}?": [f"final_answer({answer})"] for number, answer in enumerate(answers, 1)})
    found = evaluate(suite, [spec(good), spec(bad)], tmp_path / "out", n=2)
    assert {model: sum(each.passed for each in found.of(model)) for model in found.models} == {
        "replay:good.jsonl": 4,
        "replay:bad.jsonl": 2,
    }
    page = found.report.read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert 'class="differs"><td><details><summary>q2' in page
    assert "4 of 4<td>100% (51% to 100%)" in page
    status, told, _ = run("eval", str(suite), "-o", str(tmp_path / "again"), "--replay", str(good), "-a", "auto")
    assert (status, "2 of 2 passed" in told) == (0, True), told
