"""``smolcell stats``, ``journals``, ``trace`` and ``report``: what journals hold. Nothing is run, and no model is asked."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path

from smolcell import telemetry
from smolcell.cli.run import newest
from smolcell.core.chain import Digests
from smolcell.core.receipt import Row, by_run, rows, table
from smolcell.errors import SetupError
from smolcell.events import DIRECT_RUN, Allowed, Ended, Event, Refused, to_json
from smolcell.executors.registry import span
from smolcell.journal import delete_older, journals_folder, read
from smolcell.policy import seconds
from smolcell.redaction import presentable, redact, redact_json
from smolcell.telemetry.spans import spans
from smolcell.text import visible
from smolcell.verification import verify
from smolcell.views.transcript import bundle

FORMATS = ("table", "json", "csv")


def stats(files: Sequence[Path], form: str = "table") -> int:
    """Print a row for each run of these journals; of the newest one by default.

    Raises:
        SetupError: there is no journal, or no run in it.
        JournalError: a file cannot be read.
    """
    found: list[Row] = []
    for path in files or [newest()]:
        events = read(path, copied=False)
        found += rows(events, events.times)
    if not found:
        raise SetupError("these journals hold no run. A journal is a .jsonl file, as `smolcell journals` lists them")
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
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def journals(older: str | None = None) -> int:
    """Print the journals, newest first; with ``older`` delete those not written to for so long.

    A journal that a living process holds is never deleted.

    Raises:
        SetupError: ``older`` is no length of time.
    """
    age = None if older is None else _age(older)
    folder = journals_folder()
    found = [(path.lstat(), path) for path in folder.glob("*.jsonl")]
    for status, path in sorted(found, key=lambda each: each[0].st_mtime, reverse=True):
        if age is None:
            when = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
            print(f"{when}  {status.st_size:>12,} bytes  {visible(str(path))}")
    if age is None:
        print(f"{len(found)} journals in {folder}")
    else:
        deleted = delete_older(folder, age)
        print(f"deleted {deleted} journals older than {span(age)}; {len(found) - deleted} are left in {folder}")
    return 0


def _age(text: str) -> float:
    try:
        return seconds(text)
    except ValueError:
        raise SetupError(f"--delete takes a length of time such as 30d, 12h, 90m or 2w, not {text[:40]!r}") from None


def trace(file: Path | None, endpoint: str) -> int:
    """Send the spans of a journal to an OTLP server over HTTP: the same tree, times and attributes as a live export.

    Args:
        file: the journal; None for the newest one.
        endpoint: the server's base address, such as ``http://localhost:6006``; ``/v1/traces`` is added.

    Raises:
        SetupError: OpenTelemetry is not installed, the file holds no run, or the server does not take them.
    """
    if not endpoint.startswith(("http://", "https://")):
        raise SetupError(f"--otlp takes an address such as http://localhost:6006, not {endpoint[:80]!r}")
    with telemetry.needed():
        from smolcell.telemetry.otel import captures_content, send

    path = file or newest()
    events = read(path, copied=False)
    found = spans(zip(events, events.times, strict=True), content=captures_content())
    if not found:
        raise SetupError(f"{path} holds no run. `smolcell journals` lists the journals")
    if not send(found, endpoint):
        raise SetupError(f"{presentable(endpoint)} did not take the spans: is an OTLP server over HTTP there?")
    print(f"sent {len(found)} spans of {visible(str(path))} to {presentable(endpoint)}")
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
    """Write a page of a journal's runs: what was approved and ran, by whom, with digests. It holds no script and loads nothing.

    Args:
        file: the journal.
        run: only the runs whose id begins so.
        output: the page; None for standard output, or at a terminal the journal's name with .html.

    Raises:
        SetupError: there is no such run, or the page cannot be written.
        JournalError: the journal cannot be read.
    """
    events = read(file)
    shown = [event for event in events if event.run.startswith(run) and event.run != DIRECT_RUN]
    groups = by_run(shown)
    if not groups:
        raise SetupError(
            f"{file} holds no run{f' {run!r}' if run else ''}. A journal is a .jsonl file, as `smolcell journals` lists them"
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
    yield "<p>The hashes find changes; they are no signature: whoever writes a journal anew writes its hashes anew.</p>"
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
    said = proof if isinstance(proof, dict) else {}
    rows = [
        (f"SHA-256 of the {name}", each, str(said.get(name, "")) or "none")
        for name, each in digests.hex_digests().items()
    ]
    rows += [("end of the chain before the run's end", "", str(said["chain"]))] if "chain" in said else []
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
