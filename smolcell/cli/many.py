"""``smolcell map``, ``approve`` and ``eval``: many runs. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments."""

from __future__ import annotations

import argparse
import csv
import json
import secrets
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path

from smolcell import telemetry
from smolcell.agent.running import Job
from smolcell.approval.policy import seconds
from smolcell.cli import stdio
from smolcell.cli.run import newest, terminal
from smolcell.core.chain import Digests
from smolcell.core.receipt import Row, by_run, rows, table
from smolcell.core.redaction import redact, redact_json
from smolcell.core.spec import AgentSpec, budget_limit
from smolcell.core.text import presentable, shorten, visible
from smolcell.errors import SetupError
from smolcell.events import DIRECT_RUN, Allowed, Ended, Event, Refused, to_json
from smolcell.executors.registry import span
from smolcell.journal import delete_older, read
from smolcell.journal.verification import verify
from smolcell.machine.state import journals_folder
from smolcell.models import with_local_model
from smolcell.notebook.settings import effective_settings, read_options, resolve
from smolcell.protocols import Answer
from smolcell.scale import approvals
from smolcell.scale.approvals import Group, groups
from smolcell.scale.engines import engine_of, quiet
from smolcell.scale.folder import DONE, Folder, describe_changed_rows, no_own_job_error, own_job, read_rows
from smolcell.scale.job import Limits, Progress, Results, estimate, map  # noqa: A004 - the word of the field
from smolcell.scale.tasks import read_tasks
from smolcell.telemetry.spans import spans
from smolcell.tools.builtin import own_tools
from smolcell.views.transcript import bundle

ALL, SOME, USAGE = 0, 1, 2
_PROGRESS_SECONDS = 10.0  # seconds between lines of progress without a terminal
_MIN_DIGITS = 8  # least digits of a digest that name a group


class ProgressLine:
    """Shows the progress on standard error: one line that changes at a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._tty, self._last, self._width = sys.stderr.isatty(), time.monotonic(), 0

    def __call__(self, progress: Progress) -> None:
        now, line = time.monotonic(), str(progress)
        if self._tty:
            print(f"\r{line.ljust(self._width)}", end="\n" if progress.over else "", file=sys.stderr, flush=True)
            self._width = len(line)
        elif progress.over or now - self._last > _PROGRESS_SECONDS:
            self._last = now
            stdio.say(line)


def run_map(given: argparse.Namespace) -> int:
    """Do the tasks. Returns the exit status."""
    try:
        spec, tasks = spec_of(given), read_tasks(given.tasks, given.task)
        limits = limits_of(given)
    except SetupError as error:
        return print_error(error)
    if given.dry_run:
        print(estimate(tasks, spec, given.folder))
        return ALL
    if given.on.startswith("dask"):
        quiet()
    results = map(tasks, spec, given.on, out=given.folder, limits=limits, show=ProgressLine())
    return print_outcome(results, again=given.again)


def spec_of(given: argparse.Namespace) -> AgentSpec:
    """Return the recipe for the agents, from the options of a run.

    Raises:
        SetupError: an option is not valid, or not possible in a job.
    """
    options = read_options(given)
    unfit = [f"--{name}" for name in ("record", "mcp") if getattr(options, name)]
    if unfit:
        raise SetupError(f"{', '.join(unfit)} cannot be shared by many runs: leave it out")
    engine_of(given.on)
    effective_settings(options, source="the command line")  # reports invalid options before the job starts
    own_tools(options.tools)
    found = with_local_model(resolve(options.settings, source="the command line"))
    settings = {name: getattr(found, name) for name in AgentSpec.settings_names()}
    return AgentSpec(
        **settings,
        tools=options.tools,
        files=options.files,
        read_only=options.read_only,
        output_type=getattr(given, "output_type", ""),
        replay=options.replay or "",
    )


def limits_of(given: argparse.Namespace) -> Limits:
    """Return the limits of a job.

    Raises:
        SetupError: the budget is not valid.
    """
    return Limits(
        per_host=given.per_host,
        per_model=given.per_model,
        budget=_job_budget(given.job_budget),
        failures=given.failures,
        seconds=given.task_seconds,
        deadline=given.deadline,
    )


def _job_budget(text: str) -> str:
    if not all(budget_limit(text).values()):
        raise SetupError(
            f"--job-budget is {text!r}: expected dollars in single quotes, such as '$5', or tokens, such as 2m"
        )
    return text


def print_error(error: SetupError) -> int:
    """Report an invalid argument. Returns the exit status."""
    stdio.say(f"smolcell: {visible(redact(stdio.for_a_shell(str(error))))}")
    return USAGE


def print_outcome(results: Results, again: str) -> int:
    """Report how a job ended, and what to type next. Returns the exit status."""
    stdio.say(f"rows: {results.folder / 'rows.jsonl'}")
    if results.stopped:
        stdio.say(f"smolcell: the job stopped: {results.stopped}. To continue: {again}")
    if results.waiting:
        many = len(results.waiting)
        stdio.say(
            f"smolcell: {many:,} {'runs wait' if many > 1 else 'run waits'} for an approval: "
            f"smolcell approve {shlex.quote(str(results.folder))}"
        )
    failed = [row for row in results if row["error"]]
    for row in failed[:3]:
        stdio.say(f"smolcell: task {visible(str(row['id']))}: {presentable(shorten(row['error'], 300))}")
    return ALL if results.ok else SOME


# --- smolcell approve ---------------------------------------------------------------------------------------------------


def approve(given: argparse.Namespace) -> int:
    """Ask about the waiting proposals, and continue the answered runs. Returns the exit status."""
    path = given.folder
    if not (path / "rows.jsonl").is_file():
        return print_error(SetupError(f"{path} is not a job's folder: it has no rows.jsonl"))
    if not own_job(path):
        return print_error(no_own_job_error(path))
    waiting = groups(path)
    if changed := describe_changed_rows(path):
        stdio.say(f"smolcell: {visible(changed)}")
    try:
        answers = _parse_answers(waiting, given)
    except SetupError as error:
        return print_error(error)
    if given.list or (not answers and not sys.stdin.isatty()):
        print(approvals.listed(waiting) or "nothing waits for approval")
        if waiting and not given.list:
            stdio.say(
                "smolcell: no one can approve. Approve one of these with --yes SHA256, or type the command at a terminal"
            )
        return _status(path)
    with Folder(path) as folder:
        for group in waiting:
            answer = answers.get(group.sha256) if answers else _ask(group)
            if answer is not None and answer.choice == "stop" and not answers:
                break
            if answer is not None:
                many = approvals.answer(folder, group, answer)
                stdio.say(f"smolcell: answered for {many:,} run{'s' * (many != 1)}")
    try:
        results = approvals.go_on(path, given.on, show=ProgressLine())
    except SetupError as error:
        return print_error(error)
    if results is not None:
        print_outcome(results, again=given.again)
    return _status(path)


def _status(path: Path) -> int:
    return ALL if all(row.get("state") == DONE for row in read_rows(path)) else SOME


def _parse_answers(waiting: list[Group], given: argparse.Namespace) -> dict[str, Answer]:
    """Return the answers given on the command line, by digest.

    Raises:
        SetupError: a digest matches no group, or several.
    """
    answers: dict[str, Answer] = {}
    for choice, names in (("approve", given.yes), ("refuse", given.no)):
        for name in names or ():
            fits = [group for group in waiting if len(name) >= _MIN_DIGITS and group.sha256.startswith(name)]
            if len(fits) != 1:
                raise SetupError(
                    f"{name!r} does not match exactly one group: give at least {_MIN_DIGITS} digits of a digest of smolcell approve --list"
                )
            shown = fits[0].sha256
            answers[shown] = Answer(run="", step=0, fingerprint=shown, choice=choice, comment=given.comment)  # type: ignore[arg-type]
    return answers


def _ask(group: Group) -> Answer:
    """Ask a person at the terminal about one group. Returns the answer."""
    front, _ = terminal()
    proposal = group.proposal(secrets.token_hex(6), 1)
    front.view.show(proposal)
    return front.waiter.wait(Job(front.view.ask(proposal)).done)


# --- smolcell eval ------------------------------------------------------------------------------------------------------


def evaluate(given: argparse.Namespace) -> int:
    """Compare models on a suite. Returns the exit status."""
    from smolcell.scale import evaluation

    try:
        names = [name.strip() for name in (given.model or "").split(",") if name.strip()]
        given.model = names[0] if names else None
        spec, limits = spec_of(given), limits_of(given)
        specs = [replace(spec, model=name) for name in names] or [spec]
        suite = evaluation.read_suite(given.suite, given.functions)
    except SetupError as error:
        return print_error(error)
    if given.on.startswith("dask"):
        quiet()
    result = evaluation.evaluate(
        suite, specs, given.folder, n=max(1, given.n), on=given.on, limits=limits, show=ProgressLine()
    )
    print(visible(str(result)))
    return ALL if result.complete else SOME


# --- Journals: smolcell stats, journals, trace and report. Nothing is run, and no model is asked. -----------------


FORMATS = ("table", "json", "csv")


def stats(files: Sequence[Path], form: str = "table") -> int:
    """Print a row for each run of these journals; by default of the newest one.

    Raises:
        SetupError: there is no journal, or no run in it.
        JournalError: a file cannot be read.
    """
    found: list[Row] = []
    for path in files or [newest()]:
        events = read(path, copied=False)
        found += rows(events, events.times)
    if not found:
        raise SetupError("these journals have no runs. A journal is a .jsonl file, as `smolcell journals` lists them")
    if form == "json":
        print(json.dumps(found, indent=2))
    elif form == "csv":
        writer = csv.DictWriter(sys.stdout, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _plain(value) for name, value in row.items()} for row in found)
    else:
        print(redact(table(found)))
    return 0


def _plain(value: str | float | None) -> str | float | None:
    """Return a text that no spreadsheet reads as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def journals(older: str | None = None) -> int:
    """Print the journals, newest first; with ``older``, delete those not written to for so long.

    A journal in use by a living process is never deleted.

    Raises:
        SetupError: ``older`` is no duration.
    """
    age = None if older is None else _age(older)
    folder = journals_folder()
    files = [(path.lstat(), path) for path in folder.glob("*.jsonl")]
    for status, path in sorted(files, key=lambda each: each[0].st_mtime, reverse=True):
        if age is None:
            when = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
            print(f"{when}  {status.st_size:>12,} bytes  {visible(str(path))}")
    if age is None:
        print(f"{len(files)} journals in {folder}")
    else:
        deleted = delete_older(folder, age)
        print(f"deleted {deleted} journals older than {span(age)}; {len(files) - deleted} are left in {folder}")
    return 0


def _age(text: str) -> float:
    try:
        return seconds(text)
    except ValueError:
        raise SetupError(f"--delete takes a duration such as 30d, 12h, 90m or 2w, not {text[:40]!r}") from None


def trace(file: Path | None, endpoint: str) -> int:
    """Send the spans of a journal to an OTLP server over HTTP: the same tree, times and attributes as a live export.

    Args:
        file: the journal; None for the newest one.
        endpoint: the server's base URL, such as ``http://localhost:6006``; ``/v1/traces`` is added.

    Raises:
        SetupError: OpenTelemetry is not installed, the file has no runs, or the server does not accept the spans.
    """
    if not endpoint.startswith(("http://", "https://")):
        raise SetupError(f"--otlp takes a URL such as http://localhost:6006, not {endpoint[:80]!r}")
    with telemetry.needed():
        from smolcell.telemetry.otel import captures_content, send

    path = file or newest()
    events = read(path, copied=False)
    exported = spans(zip(events, events.times, strict=True), content=captures_content())
    if not exported:
        raise SetupError(f"{path} has no runs. `smolcell journals` lists the journals")
    if not send(exported, endpoint):
        raise SetupError(f"{presentable(endpoint)} did not accept the spans: check that it is an OTLP server over HTTP")
    print(f"sent {len(exported)} spans of {visible(str(path))} to {presentable(endpoint)}")
    return 0


# --- ``smolcell report``: one page of the runs in a journal.

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}"
    "pre{background:#f4f4f4;padding:.6rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;width:100%}td{overflow-wrap:anywhere}"
    "td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;vertical-align:top}"
    "code{overflow-wrap:anywhere}img,video{max-width:100%}section{border-top:2px solid #bbb;margin-top:2rem}"
)
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'"
)
_VERDICTS = {0: "unchanged since it was written", 1: "NOT as it was written", 2: "without a chain of hashes"}


def report(file: Path, *, run: str = "", output: Path | None = None) -> int:
    """Write a page of a journal's runs: what was approved and ran, by whom, with digests. It has no scripts and loads nothing.

    Args:
        file: the journal.
        run: only runs whose id begins with this.
        output: path of the page; None for standard output, or at a terminal the journal's name with .html.

    Raises:
        SetupError: there is no such run, or the page cannot be written.
        JournalError: the journal cannot be read.
    """
    events = read(file)
    shown = [event for event in events if event.run.startswith(run) and event.run != DIRECT_RUN]
    groups = by_run(shown)
    if not groups:
        raise SetupError(
            f"{file} has no run{f' {run!r}' if run else ''}. A journal is a .jsonl file, as `smolcell journals` lists them"
        )
    page = "\n".join(_page(file, groups))
    if output is None and not sys.stdout.isatty():
        print(page)
        return 0
    path = output or Path(file.with_suffix(".html").name)
    try:
        path.write_text(page + "\n", encoding="utf-8")
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}. Name another page with: -o PAGE") from None
    print(f"smolcell: written: {visible(str(path))}")
    return 0


def _page(file: Path, groups: Mapping[str, Sequence[Event]]) -> Iterator[str]:
    verdict = verify(file)
    title = f"smolcell: {escape(visible(file.name))}"
    yield f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
    yield f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n<body>'
    yield f"<h1>{title}</h1>"
    when = datetime.now(UTC).isoformat(timespec="seconds")
    yield f"<p>Written {when} by smolcell {version('smolcell')}. The journal is <strong>{_VERDICTS[verdict.status]}</strong>:</p>"
    yield f"<pre>{escape(redact(str(verdict)))}</pre>"
    yield "<p>The hashes show changes, but are no signature: a program that rewrites a journal can rewrite its hashes.</p>"
    for run, events in groups.items():
        yield f"<section>\n<h2>Run {escape(visible(run))}</h2>"
        yield str(bundle(events)["text/html"])
        yield from _decisions(events)
        yield from _digests(run, events)
        yield "</section>"
    yield "</body>\n</html>"


def _decisions(events: Sequence[Event]) -> Iterator[str]:
    rows = [
        (
            f"{event.step}{f', call {event.call}' if event.call else ''}",
            "approved" if isinstance(event, Allowed) else "refused",
            event.by,
            event.who,
            event.offer or event.comment if isinstance(event, Allowed) else event.reason,
            event.sha256 if isinstance(event, Allowed) else "",
        )
        for event in events
        if isinstance(event, Allowed | Refused)
    ]
    if rows:
        yield "<h3>Approvals</h3>"
        yield _table(("step", "decision", "by", "who", "with", "SHA-256 of the text that was approved"), rows)


def _digests(run: str, events: Sequence[Event]) -> Iterator[str]:
    digests = Digests()
    for event in events:
        if event.run == run:
            digests.note(redact_json(to_json(event)))
    ended = next((event for event in events if isinstance(event, Ended) and event.run == run), None)
    proof = ended.receipt.get("record") if ended is not None else None
    receipt = proof if isinstance(proof, dict) else {}
    rows = [
        (f"SHA-256 of the {name}", each, str(receipt.get(name, "")) or "none")
        for name, each in digests.hex_digests().items()
    ]
    rows += [("end of the chain before the run's end", "", str(receipt["chain"]))] if "chain" in receipt else []
    if rows:
        yield "<h3>Digests</h3>"
        yield _table(("of", "in this journal", "in the receipt"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f"<{tag}>{escape(visible(redact(each)))}</{tag}>" for each in row)

    return (
        "<table>\n"
        + "\n".join(f"<tr>{row}</tr>" for row in [cells("th", head), *(cells("td", row) for row in rows)])
        + "\n</table>"
    )
