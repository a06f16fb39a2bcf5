"""Evaluation: runs tasks with known answers several times with several models, checks the answers, and writes a report."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec, imported
from smolcell.core.text import clip, visible
from smolcell.errors import SetupError
from smolcell.machine.state import replace_file
from smolcell.scale.folder import DONE, Row
from smolcell.scale.job import Limits, Progress, map  # noqa: A004 - the word of the field
from smolcell.scale.tasks import Task, json_lines, read_tasks

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
        trap: how the task tries to mislead; "" if it does not.
    """

    task: Task
    answer: Any
    check: str = "exact"
    trap: str = ""


def read_suite(source: str | os.PathLike[str], functions: Sequence[str] = ()) -> list[Case]:
    """Read a suite, a ``.jsonl`` file of tasks with their answers.

    Args:
        functions: import paths of the functions that a file may name as checks.

    Raises:
        SetupError: it cannot be read, or a row lacks its answer, or names another function.
    """
    path = Path(source)
    cases = []
    for task, row in zip(read_tasks(path), json_lines(path), strict=True):
        if not isinstance(row, dict) or "answer" not in row:
            raise SetupError(f"{path}: the task {task.id!r} has no `answer`")
        check = str(row.get("check", "exact"))
        if not is_check(check):
            raise SetupError(f"{path}: the task {task.id!r} has the check {check!r}; checks are: {', '.join(CHECKS)}")
        require_named(check, functions)
        cases.append(Case(task, row["answer"], check, str(row.get("trap", ""))))
    return cases


def is_check(text: str) -> bool:
    """Return whether this is the name of a check."""
    return _CHECK.fullmatch(text) is not None


def require_named(check: str, functions: Sequence[str]) -> None:
    """Raise ``SetupError`` if a check calls a function that is none of these."""
    path = check.removeprefix("python:")
    if path != check and path not in functions:
        raise SetupError(
            f"a check is the function {path}, which a file cannot choose: if it is yours, name it, too: "
            f"--function {path}, or functions=[{path!r}]"
        )


def passes(case: Case, answer: Any) -> bool:
    """Return whether an answer passes its check. An answer that cannot be compared fails."""
    match = _CHECK.fullmatch(case.check)
    if match is None or answer is None:
        return False
    try:
        if match["path"]:
            return bool(imported(match["path"])(answer, case.answer))
        relative = float(match["rel"] or _RELATIVE)
        return _BY_NAME[match["name"]](answer, case.answer, relative)
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
    """Compare a number, or a text with exactly one number."""
    if isinstance(answer, str):
        numbers = _NUMBER.findall(answer)
        if len(numbers) != 1:
            return False
        answer = float(numbers[0].replace(",", ""))
    return math.isclose(float(answer), float(expected), rel_tol=relative, abs_tol=1e-12)


def _set(answer: Any, expected: Any, relative: float) -> bool:
    given = re.split(r"[,;\n]", answer) if isinstance(answer, str) else answer
    return {_word(each) for each in given} == {_word(each) for each in expected}


def _frame(answer: Any, expected: Any, relative: float) -> bool:
    """Compare tables as lists of rows: the same rows, in any order, with numbers within ``relative``."""
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
    """Return the 95 % interval of a pass rate (E. B. Wilson, 1927)."""
    if not count:
        return 0.0, 1.0
    z, rate = 1.959964, passed / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """One run of one task, checked."""

    case: Case
    model: str
    row: Row
    passed: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All runs of all models.

    Attributes:
        report: path of the HTML file.
        complete: whether all runs were done.
    """

    verdicts: tuple[CheckedRun, ...]
    models: tuple[str, ...]
    report: Path
    complete: bool

    def of(self, model: str) -> list[CheckedRun]:
        return [verdict for verdict in self.verdicts if verdict.model == model]

    def __str__(self) -> str:
        lines = []
        for model in self.models:
            verdicts = self.of(model)
            passed = sum(verdict.passed for verdict in verdicts)
            low, high = wilson(passed, len(verdicts))
            lines.append(f"{model}: {passed} of {len(verdicts)} passed ({low:.0%} to {high:.0%})")
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
    functions: Sequence[str] = (),
) -> Evaluation:
    """Do each task of a suite ``n`` times with each recipe, check the answers, and write ``OUT/report.html``.

    Rows are stored like those of ``map``, in a folder per recipe; calling it again continues. ``functions``: see ``read_suite``.

    Raises:
        SetupError: the suite, a recipe or a folder is not valid.
    """
    folder = Path(out).expanduser().absolute()
    cases = list(suite) if not isinstance(suite, str | os.PathLike) else read_suite(suite, functions)
    by_key = {f"{case.task.key}#{turn}": case for case in cases for turn in range(1, n + 1)}
    verdicts: list[CheckedRun] = []
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
            verdicts.append(CheckedRun(case, name, row, row["state"] == DONE and passes(case, row["answer"])))
    report = folder / "report.html"
    evaluation = Evaluation(tuple(verdicts), tuple(models), report, complete)
    replace_file(report, page(evaluation), sync=True)
    return evaluation


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")[:60] or "model"


# --- The report: one HTML file without scripts, which loads nothing.

_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;margin:1rem 0;width:100%}
th,td{border-bottom:1px solid #ddd;padding:.35rem .6rem;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}.pass{color:#0a6b2d}.fail{color:#a11}tr.differs{background:#fff7e0}
.bar{position:relative;background:#eee;height:.8rem;width:12rem}.bar i{position:absolute;top:0;bottom:0;background:#9bc3f0}
.bar b{position:absolute;top:-2px;bottom:-2px;width:2px;background:#124a8c}details{margin:.2rem 0}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}tr.differs{background:#3a3213}.bar{background:#333}
.pass{color:#6fd08c}.fail{color:#ff8b8b}}"""


def page(evaluation: Evaluation) -> str:
    """Return the report as HTML."""
    tasks = {verdict.case.task.key for verdict in evaluation.verdicts}
    body = [
        f"<h1>Evaluation</h1><p>{len(tasks)} tasks, {len(evaluation.verdicts)} runs, {len(evaluation.models)} models.</p>",
        *_summary(evaluation),
        *_by_task(evaluation),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>smolcell evaluation</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _summary(evaluation: Evaluation) -> Iterator[str]:
    yield "<h2>Models</h2><table><tr><th>model<th>passed<th>rate, 95 % interval<th>cost<th>tokens<th>steps a run<th>refusals<th>errors</tr>"
    for model in evaluation.models:
        verdicts = evaluation.of(model)
        passed, count = sum(verdict.passed for verdict in verdicts), len(verdicts)
        low, high = wilson(passed, count)
        rate = passed / count if count else 0.0
        costs = [verdict.row["cost"] for verdict in verdicts if verdict.row["cost"] is not None]
        tokens = sum(verdict.row["input_tokens"] + verdict.row["output_tokens"] for verdict in verdicts)
        steps = sum(verdict.row["steps"] for verdict in verdicts) / max(1, count)
        errors: Counter[str] = Counter()
        for verdict in verdicts:
            errors.update(verdict.row["errors_by_type"])
        bar = f'<div class="bar"><i style="left:{low:.1%};width:{high - low:.1%}"></i><b style="left:{rate:.1%}"></b></div>'
        yield (
            f'<tr><td>{_text(model)}<td class="n">{passed} of {count}<td>{rate:.0%} ({low:.0%} to {high:.0%}){bar}'
            f'<td class="n">{f"${sum(costs):.4f}" if costs else "not known"}<td class="n">{tokens:,}<td class="n">{steps:.1f}'
            f'<td class="n">{sum(verdict.row["refusals"] for verdict in verdicts)}'
            f"<td>{_text(', '.join(f'{name} {many}' for name, many in errors.most_common(8)) or 'none')}</tr>"
        )
    yield (
        "</table><p>The interval is Wilson's. It treats runs as independent: several runs of one task are alike, so that with "
        "<code>--n</code> above 1 it is too narrow.</p>"
    )


def _by_task(evaluation: Evaluation) -> Iterator[str]:
    """Yield a row per task with the pass rate of each model. Tasks in which models differ are marked and come first."""
    groups: dict[str, list[CheckedRun]] = {}
    for verdict in evaluation.verdicts:
        groups.setdefault(verdict.case.task.key, []).append(verdict)

    def differs(verdicts: Sequence[CheckedRun]) -> bool:
        return len({_score(verdicts, model) for model in evaluation.models}) > 1

    heads = "".join(f"<th>{_text(model)}" for model in evaluation.models)
    yield f"<h2>Tasks</h2><p>Marked tasks are those in which models differ.</p><table><tr><th>task<th>expected{heads}</tr>"
    for key, verdicts in sorted(groups.items(), key=lambda item: not differs(item[1])):
        case = verdicts[0].case
        trap = f"<br><small>trap: {_text(case.trap)}</small>" if case.trap else ""
        cells = "".join(_cell([each for each in verdicts if each.model == model]) for model in evaluation.models)
        mark = ' class="differs"' if differs(verdicts) else ""
        yield (
            f"<tr{mark}><td><details><summary>{_text(key)}</summary>{_text(case.task.text)}</details>{trap}"
            f"<td>{_text(str(case.answer))}{cells}</tr>"
        )
    yield "</table>"


def _score(verdicts: Sequence[CheckedRun], model: str) -> float:
    own = [verdict.passed for verdict in verdicts if verdict.model == model]
    return sum(own) / len(own) if own else -1.0


def _cell(verdicts: Sequence[CheckedRun]) -> str:
    passed = sum(verdict.passed for verdict in verdicts)
    runs = "".join(
        f'<li class="{"pass" if each.passed else "fail"}"><a href="{quote(each.row["folder"])}/journals/{quote(each.row["journal"])}">'
        f"{'passed' if each.passed else _text(each.row['state'])}</a>: {_text(str(each.row['answer']))} {_text(each.row['error'])}"
        for each in verdicts
    )
    return f"<td><details><summary>{passed} of {len(verdicts)}</summary><ul>{runs}</ul></details>"


def _text(text: str) -> str:
    """Return untrusted text for HTML: bounded, redacted, with invisible characters made visible."""
    return escape(visible(redact(clip(text, 600))))
