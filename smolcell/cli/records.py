"""``smolcell stats``, ``journals`` and ``trace``: what journals hold. Nothing is run, and no model is asked."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from smolcell import telemetry
from smolcell.cli.run import newest
from smolcell.core.receipt import Row, rows, table
from smolcell.errors import SetupError
from smolcell.executors.registry import span
from smolcell.journal import delete_older, journals_folder, read
from smolcell.policy import seconds
from smolcell.redaction import presentable, redact
from smolcell.telemetry.spans import spans
from smolcell.text import visible

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
