"""The report of an evaluation: one HTML file without scripts, with nothing loaded from elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from smolcell.redaction import redact
from smolcell.text import clip, visible

if TYPE_CHECKING:
    from smolcell.scale.evaluation import Evaluation, Verdict

_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;margin:1rem 0;width:100%}
th,td{border-bottom:1px solid #ddd;padding:.35rem .6rem;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}.pass{color:#0a6b2d}.fail{color:#a11}tr.differs{background:#fff7e0}
.bar{position:relative;background:#eee;height:.8rem;width:12rem}.bar i{position:absolute;top:0;bottom:0;background:#9bc3f0}
.bar b{position:absolute;top:-2px;bottom:-2px;width:2px;background:#124a8c}details{margin:.2rem 0}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}tr.differs{background:#3a3213}.bar{background:#333}
.pass{color:#6fd08c}.fail{color:#ff8b8b}}"""


def page(found: Evaluation) -> str:
    """The report as HTML."""
    tasks = {verdict.case.task.key for verdict in found.verdicts}
    body = [
        f"<h1>Evaluation</h1><p>{len(tasks)} tasks, {len(found.verdicts)} runs, {len(found.models)} models.</p>",
        *_summary(found),
        *_by_task(found),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>smolcell evaluation</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _summary(found: Evaluation) -> Iterator[str]:
    from smolcell.scale.evaluation import wilson

    yield "<h2>Models</h2><table><tr><th>model<th>passed<th>rate, 95 % interval<th>cost<th>tokens<th>steps a run<th>refusals<th>errors</tr>"
    for model in found.models:
        verdicts = found.of(model)
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


def _by_task(found: Evaluation) -> Iterator[str]:
    """Each task: how often each model passed. Tasks in which two models differ are marked and stand first."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in found.verdicts:
        groups.setdefault(verdict.case.task.key, []).append(verdict)

    def differs(verdicts: Sequence[Verdict]) -> bool:
        return len({_score(verdicts, model) for model in found.models}) > 1

    heads = "".join(f"<th>{_text(model)}" for model in found.models)
    yield f"<h2>Tasks</h2><p>Marked tasks are those in which models differ.</p><table><tr><th>task<th>expected{heads}</tr>"
    for key, verdicts in sorted(groups.items(), key=lambda item: not differs(item[1])):
        case = verdicts[0].case
        trap = f"<br><small>trap: {_text(case.trap)}</small>" if case.trap else ""
        cells = "".join(_cell([each for each in verdicts if each.model == model]) for model in found.models)
        mark = ' class="differs"' if differs(verdicts) else ""
        yield (
            f"<tr{mark}><td><details><summary>{_text(key)}</summary>{_text(case.task.text)}</details>{trap}"
            f"<td>{_text(str(case.answer))}{cells}</tr>"
        )
    yield "</table>"


def _score(verdicts: Sequence[Verdict], model: str) -> float:
    own = [verdict.passed for verdict in verdicts if verdict.model == model]
    return sum(own) / len(own) if own else -1.0


def _cell(verdicts: Sequence[Verdict]) -> str:
    passed = sum(verdict.passed for verdict in verdicts)
    runs = "".join(
        f'<li class="{"pass" if each.passed else "fail"}"><a href="{quote(each.row["folder"])}/journals/{quote(each.row["journal"])}">'
        f"{'passed' if each.passed else _text(each.row['state'])}</a>: {_text(str(each.row['answer']))} {_text(each.row['error'])}"
        for each in verdicts
    )
    return f"<td><details><summary>{passed} of {len(verdicts)}</summary><ul>{runs}</ul></details>"


def _text(text: str) -> str:
    """Data from models and files, as text: bounded, without secrets, with nothing invisible."""
    return escape(visible(redact(clip(text, 600))))
