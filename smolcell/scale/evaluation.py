"""Evaluation: tasks with known answers, done several times with each of several models, checked, and reported."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smolcell.errors import SetupError
from smolcell.scale.folder import DONE, Row
from smolcell.scale.job import Limits, Progress, map  # noqa: A004 - the word of the field
from smolcell.scale.report import page
from smolcell.scale.spec import AgentSpec, imported
from smolcell.scale.tasks import Task, read_tasks

CHECKS = ("exact", "number", "set", "frame", "python")
_CHECK = re.compile(r"(?P<name>exact|number|set|frame)(?:\((?P<rel>[0-9.e+-]+)\))?|python:(?P<path>[\w.]+:[\w.]+)")
_RELATIVE = 1e-3  # of "number", if none is given
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its answer.

    Attributes:
        check: ``exact``, ``number(REL)``, ``set``, ``frame``, or ``python:MODULE:FUNCTION``, which is called as
            ``function(answer, expected)``.
        trap: what the task tries to mislead with; "" for nothing.
    """

    task: Task
    answer: Any
    check: str = "exact"
    trap: str = ""


def read_suite(source: str | os.PathLike[str], folder: Path) -> list[Case]:
    """Read a suite: ``tables`` for the one that comes along, whose tables are written to ``folder``; else a ``.jsonl`` file.

    Raises:
        SetupError: it cannot be read, or a row lacks its answer.
    """
    if str(source) == "tables":
        from smolcell.scale.suite import write_suite

        source = write_suite(folder / "suite")
    path = Path(source)
    tasks = read_tasks(path)
    cases = []
    with path.open(encoding="utf-8-sig") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    for task, row in zip(tasks, rows, strict=True):
        if "answer" not in row:
            raise SetupError(f"{path}: the task {task.id!r} has no `answer` to check with")
        check = str(row.get("check", "exact"))
        if not is_check(check):
            raise SetupError(f"{path}: the task {task.id!r} has the check {check!r}; checks are: {', '.join(CHECKS)}")
        cases.append(Case(task, row["answer"], check, str(row.get("trap", ""))))
    return cases


def is_check(text: str) -> bool:
    """Whether this is the name of a check."""
    return _CHECK.fullmatch(text) is not None


def passes(case: Case, answer: Any) -> bool:
    """Whether an answer passes its check. What cannot be compared does not."""
    found = _CHECK.fullmatch(case.check)
    if found is None or answer is None:
        return False
    try:
        if found["path"]:
            return bool(imported(found["path"])(answer, case.answer))
        relative = float(found["rel"] or _RELATIVE)
        return _BY_NAME[found["name"]](answer, case.answer, relative)
    except (TypeError, ValueError, OverflowError):
        return False


def _exact(answer: Any, expected: Any, relative: float) -> bool:
    if isinstance(expected, bool) or isinstance(answer, bool):
        return _word(answer) == _word(expected)
    if isinstance(expected, int | float):
        return _number(answer, expected, 1e-9)
    return _word(answer) == _word(expected)


def _word(value: Any) -> str:
    return (
        " ".join(value.split()).casefold().rstrip(".")
        if isinstance(value, str)
        else json.dumps(value, sort_keys=True).casefold()
    )


def _number(answer: Any, expected: Any, relative: float) -> bool:
    """A number, or a text with exactly one."""
    if isinstance(answer, str):
        found = _NUMBER.findall(answer)
        if len(found) != 1:
            return False
        answer = float(found[0].replace(",", ""))
    return math.isclose(float(answer), float(expected), rel_tol=relative, abs_tol=1e-12)


def _set(answer: Any, expected: Any, relative: float) -> bool:
    given = re.split(r"[,;\n]", answer) if isinstance(answer, str) else answer
    return {_word(each) for each in given} == {_word(each) for each in expected}


def _frame(answer: Any, expected: Any, relative: float) -> bool:
    """Tables as lists of rows: the same rows, in any order, with numbers as close as ``relative``."""
    rows = [answer, expected]
    if not all(isinstance(table, list) and all(isinstance(row, Mapping) for row in table) for table in rows):
        return False
    if len(answer) != len(expected):
        return False
    left = list(answer)
    for row in expected:
        match = next((other for other in left if _same_row(other, row, relative)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _same_row(one: Mapping[str, Any], other: Mapping[str, Any], relative: float) -> bool:
    return one.keys() == other.keys() and all(
        _number(one[name], value, relative) if isinstance(value, int | float) else _word(one[name]) == _word(value)
        for name, value in other.items()
    )


_BY_NAME: dict[str, Callable[[Any, Any, float], bool]] = {
    "exact": _exact,
    "number": _number,
    "set": _set,
    "frame": _frame,
}


def wilson(passed: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a pass rate (E. B. Wilson, 1927)."""
    if not count:
        return 0.0, 1.0
    z, rate = 1.959964, passed / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One run of one task, checked."""

    case: Case
    model: str
    row: Row
    passed: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All runs of all models.

    Attributes:
        report: the HTML file.
        complete: whether every run was done.
    """

    verdicts: tuple[Verdict, ...]
    models: tuple[str, ...]
    report: Path
    complete: bool

    def of(self, model: str) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.model == model]

    def __str__(self) -> str:
        lines = []
        for model in self.models:
            found = self.of(model)
            passed = sum(verdict.passed for verdict in found)
            low, high = wilson(passed, len(found))
            lines.append(f"{model}: {passed} of {len(found)} passed ({low:.0%} to {high:.0%})")
        return "\n".join([*lines, f"report: {self.report}"])


def evaluate(
    suite: str | os.PathLike[str] | Sequence[Case],
    specs: Iterable[AgentSpec],
    out: str | os.PathLike[str],
    *,
    n: int = 1,
    on: Any = "local",
    limits: Limits | None = None,
    show: Callable[[Progress], object] | None = None,
) -> Evaluation:
    """Do each task of a suite ``n`` times by each recipe, check the answers, and write ``OUT/report.html``.

    Rows are kept as ``map`` keeps them, in a folder for each recipe: called again, it goes on.

    Raises:
        SetupError: the suite, a recipe or a folder is not valid.
    """
    folder = Path(out).expanduser().absolute()
    cases = list(suite) if not isinstance(suite, str | os.PathLike) else read_suite(suite, folder)
    by_key = {f"{case.task.key}#{turn}": case for case in cases for turn in range(1, n + 1)}
    verdicts: list[Verdict] = []
    models: list[str] = []
    complete = True
    for spec in specs:
        name = spec.model or f"replay:{Path(spec.replay).name}"
        tasks = [replace(case.task, id=key) for key, case in by_key.items()]
        results = map(tasks, spec, on, out=folder / f"{_slug(name)}-{spec.digest}", limits=limits, show=show)
        complete = complete and results.ok
        models.append(name)
        for row in results:
            case = by_key[str(row["id"])]
            row = {**row, "folder": results.folder.name}
            verdicts.append(Verdict(case, name, row, row["state"] == DONE and passes(case, row["answer"])))
    report = folder / "report.html"
    found = Evaluation(tuple(verdicts), tuple(models), report, complete)
    report.write_text(page(found), encoding="utf-8")
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")[:60] or "model"
