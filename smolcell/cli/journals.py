"""What the journals tell: ``smolcell replay``, ``stats``, ``journals``, ``verify``, ``trace`` and ``report``.

Nothing is run, and no model is asked.
"""

from __future__ import annotations

import argparse
import csv
import json
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path

from smolcell import telemetry
from smolcell.approval.policy import seconds
from smolcell.cli import stdio
from smolcell.core.chain import Digests
from smolcell.core.receipt import Row, by_run, rows, table
from smolcell.core.redaction import redact, redact_json
from smolcell.core.text import clip, presentable, visible
from smolcell.errors import SetupError
from smolcell.events import DIRECT_RUN, Allowed, Ended, Event, Refused, to_json
from smolcell.executors.registry import span
from smolcell.journal import Events, delete_older, read
from smolcell.journal.verification import verify
from smolcell.machine.state import journals_folder
from smolcell.telemetry.spans import spans
from smolcell.views.terminal import TerminalView
from smolcell.views.transcript import bundle

_MAX_NAMES_CHARS = 1_000  # characters of run ids
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


def replay(given: argparse.Namespace) -> int:
    """Show the runs of a journal on standard output, by default of the newest one. Returns the exit status.

    Raises:
        SetupError: there is no journal, or no such run in it.
        JournalError: the file cannot be read.
    """
    path, run = given.file or newest(), given.run
    events = read(path)
    chosen = [event for event in events if event.run.startswith(run)]
    if not chosen:
        raise SetupError(_nothing(path, events, run))
    stdio.say(f"{visible(str(path))}{_left_out(events)}")
    view = TerminalView()
    for event in chosen:
        view.show(event)
    return 0


def newest() -> Path:
    """Return the journal that was written to last.

    Raises:
        SetupError: there is no journal.
    """
    folder = journals_folder()
    files = [(path.lstat(), path) for path in folder.glob("*.jsonl") if not path.is_symlink()]
    written = [(status.st_mtime, path) for status, path in files if stat.S_ISREG(status.st_mode)]
    if not written:
        raise SetupError(f'there is no journal in {folder} yet. Make one with: smolcell run "…"')
    return max(written)[1]


def _left_out(events: Events) -> str:
    if not events.skipped:
        return ""
    many = f"{events.skipped} damaged lines were" if events.skipped > 1 else "1 damaged line was"
    return f" ({many} left out, from line {events.damaged} on; the file is not changed)"


def _nothing(path: Path, events: Events, run: str) -> str:
    if not events and not events.skipped:
        return f"{path} is empty: it has no runs. `smolcell replay` without a file shows the newest journal"
    runs = ", ".join(dict.fromkeys(event.run for event in events))
    if runs:
        return f"{path} has no run {run!r}; its runs are: {clip(runs, _MAX_NAMES_CHARS)}"
    return f"{path} has no runs. A journal is a .jsonl file, as `smolcell run` names it at its end"


def stats(given: argparse.Namespace) -> int:
    """Print a row for each run of these journals; by default of the newest one.

    Raises:
        SetupError: there is no journal, or no run in it.
        JournalError: a file cannot be read.
    """
    found: list[Row] = []
    for path in given.files or [newest()]:
        events = read(path, copied=False)
        found += rows(events, events.times)
    if not found:
        raise SetupError("these journals have no runs. A journal is a .jsonl file, as `smolcell journals` lists them")
    if given.format == "json":
        print(json.dumps(found, indent=2))
    elif given.format == "csv":
        writer = csv.DictWriter(sys.stdout, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _plain(value) for name, value in row.items()} for row in found)
    else:
        print(redact(table(found)))
    return 0


def _plain(value: str | float | None) -> str | float | None:
    """Return a text that no spreadsheet reads as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def journals(given: argparse.Namespace) -> int:
    """Print the journals, newest first, or delete those not written to for so long. One in use by a living process is never deleted.

    Raises:
        SetupError: the age is no duration.
    """
    age = None if given.delete is None else _age(given.delete)
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


def verify_file(given: argparse.Namespace) -> int:
    """Print whether a journal or a saved notebook is unchanged. Returns the exit status."""
    verdict = verify(given.file)
    print(verdict)
    return verdict.status


def trace(given: argparse.Namespace) -> int:
    """Send the spans of a journal to an OTLP server over HTTP, at URL/v1/traces: the same tree, times and attributes as a live export.

    Raises:
        SetupError: OpenTelemetry is not installed, the file has no runs, or the server does not accept the spans.
    """
    endpoint = given.otlp
    if not endpoint.startswith(("http://", "https://")):
        raise SetupError(f"--otlp takes a URL such as http://localhost:6006, not {endpoint[:80]!r}")
    with telemetry.needed():
        from smolcell.telemetry.otel import captures_content, send

    path = given.file or newest()
    events = read(path, copied=False)
    exported = spans(zip(events, events.times, strict=True), content=captures_content())
    if not exported:
        raise SetupError(f"{path} has no runs. `smolcell journals` lists the journals")
    if not send(exported, endpoint):
        raise SetupError(f"{presentable(endpoint)} did not accept the spans: check that it is an OTLP server over HTTP")
    print(f"sent {len(exported)} spans of {visible(str(path))} to {presentable(endpoint)}")
    return 0


# --- ``smolcell report``: one page of the runs in a journal.


def report(given: argparse.Namespace) -> int:
    """Write a page of a journal's runs: what was approved and ran, by whom, with digests. It has no scripts and loads nothing.

    Raises:
        SetupError: there is no such run, or the page cannot be written.
        JournalError: the journal cannot be read.
    """
    file, run, output = given.file, given.run, given.output
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
